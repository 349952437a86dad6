/* gemm_tail_split.c: the variant `tail_split` of gemm: a last round of few tiles is avoided.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Large products have large tiles, and the multiprocessors compute them in rounds. 2049 x 2049 in
 * double has 289 tiles of 128 x 128: 132 multiprocessors need three rounds for them, where 256
 * tiles need two. So C is split. Whole tiles that fill whole rounds are one product. What is left,
 * at the right and below, are one or two thin products, or a gemv where it is a single row or
 * column. Factors that need an aligned copy are copied once for all of them.
 *
 * Two sizes of one class may need different splits, or none. So the variant fits only calls that
 * gain by it, and stands behind all variants that they would run with otherwise. Time is counted in
 * rounds of the largest tiles, in few enough operations to be asked at every call.
 */
#include <math.h>
#include "blas/level3/composed.h"
#include "blas/gemm/gemm_composed.h"
#include "blas/gemm/gemm_pipeline.h"

/* Fitted to the model's predictions of pipelines: of 90 sizes per precision none is cut for which
 * the model says that it loses more than 4 %. On an H200 (2026-11-17) cuts took what the model says
 * of their parts within 2 % (orders 2096 and 2944 in s, 2096 in d), on odd addresses 2 to 9 % more
 * (2049, 3000). */
#define GAIN         0.94 /* of the rounds without a cut, at most */
#define STRIP_SHARE  0.65 /* of the rate of large tiles that thin products reach */
#define PIECE_CYCLES 6000 /* until a piece has begun and ended */
#define VECTOR_BYTES 17   /* of memory per cycle and unit, for a row or a column */
#define UNIT_FLOPS   256  /* as in gemm_pipeline_cost.c */
#define MOST_ROUNDS  12   /* with more a round less gains too little */

/* The largest tiles of a precision, and what smaller ones are whole numbers of. */
typedef struct tile_shape {
    double rows, columns, least_rows, least_columns;
    double finer; /* tiles of half the rows, or columns, take so much longer per element */
} tile_shape;
/* dgemm of order 3000 by tiles of 128 x 64 took 1.09 of what rounds say (H200, 2026-11-17). */
static const tile_shape shapes[4] = {[GBL_S] = {128, 256, 128, 32, 1.04},
                                     [GBL_D] = {128, 128, 32, 32, 1.07},
                                     [GBL_C] = {128, 128, 64, 32, 1.04},
                                     [GBL_Z] = {64, 64, 32, 32, 1.04}};

/* What rounds are counted from. */
typedef struct round_count {
    const tile_shape *tile;
    double units, fixed; /* rounds of the begin and the end of a piece */
    double vector;       /* rounds per element of a row or a column */
    bool row, column;    /* gemv can compute them */
} round_count;

/* With tiles of so many parts of the largest. */
static double rounds_of(const round_count *c, double m, double n, double down, double across)
{
    const double tiles = ceil(m * down / c->tile->rows) * ceil(n * across / c->tile->columns);
    return ceil(tiles / c->units) / (down * across);
}

/* With the best tiles: smaller ones fill the last round better. */
static double whole_rounds(const round_count *c, double m, double n)
{
    const double one = fmin(rounds_of(c, m, n, 2, 1), rounds_of(c, m, n, 1, 2)),
                 both = c->tile->finer * rounds_of(c, m, n, 2, 2);
    return fmin(rounds_of(c, m, n, 1, 1), c->tile->finer * fmin(one, both));
}

/* Of a thin product: rows or columns are rounded up to small tiles. */
static double strip_rounds(const round_count *c, double m, double n)
{
    if (m == 0 || n == 0)
        return 0;
    if ((c->row && m == 1) || (c->column && n == 1))
        return c->vector * m * n + c->fixed;
    const tile_shape *t = c->tile;
    const double rows = ceil(m / t->least_rows) * t->least_rows,
                 columns = ceil(n / t->least_columns) * t->least_columns;
    return rows * columns / (t->rows * t->columns * c->units * STRIP_SHARE) + c->fixed;
}

static double cut_rounds(const round_count *c, const gbl_product_call *call,
                         const gbl_gemm_tail_split *cut)
{
    const double m = (double)call->m, n = (double)call->n, rows = (double)cut->rows,
                 columns = (double)cut->columns;
    return rounds_of(c, rows, columns, 1, 1) + strip_rounds(c, m, n - columns) +
           strip_rounds(c, m - rows, columns);
}

static round_count count_of(const gbl_product_call *call, const gbl_device *device)
{
    const tile_shape *tile = &shapes[call->dtype];
    const int units = device->props.units - call->reserved_units;
    const double cycles = tile->rows * tile->columns * (double)call->k *
                          gbl_product_flops(call->dtype) / UNIT_FLOPS,
                 elem = (double)gbl_dtype_bytes(call->dtype), some = units > 1 ? units : 1;
    const bool complex = gbl_dtype_complex(call->dtype),
               left = complex && call->trans == GABLE_CONJ_TRANS,
               right = complex && call->trans_b == GABLE_CONJ_TRANS;
    return (round_count){.tile = tile,
                         .units = some,
                         .fixed = PIECE_CYCLES / cycles,
                         .vector = elem * (double)call->k / (VECTOR_BYTES * some * cycles),
                         .row = call->reserved_units == 0 && !left && !right,
                         .column = call->reserved_units == 0 && !right};
}

/* Keeps the cut that takes least. */
static void try_cut(const round_count *c, const gbl_product_call *call, int64_t rows,
                    int64_t columns, gbl_gemm_tail_split *best, double *least)
{
    const gbl_gemm_tail_split cut = {rows < call->m ? rows : call->m,
                                     columns < call->n ? columns : call->n};
    if (cut.rows <= 0 || cut.columns <= 0 || (cut.rows == call->m && cut.columns == call->n))
        return;
    const double rounds = cut_rounds(c, call, &cut);
    if (rounds < *least) {
        *least = rounds;
        *best = cut;
    }
}

bool gbl_gemm_tail_split_make(const gbl_product_call *call, const gbl_device *device,
                              gbl_gemm_tail_split *cut)
{
    if (call->is_part || !gbl_gemm_whole(call) || call->math != GABLE_MATH_PLAIN || call->k <= 0 ||
        call->real_alpha || call->real_beta || gbl_scalar_zero(&call->alpha))
        return false;
    const round_count c = count_of(call, device);
    const double m = (double)call->m, n = (double)call->n, whole = rounds_of(&c, m, n, 1, 1);
    if (whole < 2 || whole > MOST_ROUNDS)
        return false;
    const int64_t rows = (int64_t)c.tile->rows, columns = (int64_t)c.tile->columns,
                  whole_rows = call->m / rows * rows, whole_columns = call->n / columns * columns,
                  down = gbl_parts(call->m, rows), across = gbl_parts(call->n, columns),
                  most = (int64_t)((whole - 1) * c.units); /* tiles of a round less */
    double least = GAIN * whole_rounds(&c, m, n);
    const double before = least;
    try_cut(&c, call, whole_rows, whole_columns, cut, &least);
    try_cut(&c, call, whole_rows, call->n, cut, &least);
    try_cut(&c, call, call->m, whole_columns, cut, &least);
    try_cut(&c, call, most / across * rows, call->n, cut, &least);
    try_cut(&c, call, call->m, most / down * columns, cut, &least);
    return least < before;
}

/* ---- The variant ---- */

bool gbl_gemm_tail_split_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    gbl_gemm_tail_split cut;
    return gbl_pipeline_fits(self, call, device) && gbl_gemm_tail_split_make(call, device, &cut) &&
           gbl_gemm_align_fits(call, device);
}

/* Rows of C from `row` on and columns from `column` on, so many of them. */
static gbl_product_call piece_of(const gbl_product_call *call, int64_t row, int64_t column,
                                 int64_t rows, int64_t columns)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    gbl_product_call piece = *call;
    piece.m = rows;
    piece.n = columns;
    piece.A = (char *)call->A + (call->trans == GABLE_NO_TRANS ? row : row * call->lda) * elem;
    piece.B =
        (char *)call->B + (call->trans_b == GABLE_NO_TRANS ? column * call->ldb : column) * elem;
    piece.C = (char *)call->C + (row + column * call->ldc) * elem;
    piece.is_part = 1;
    return piece;
}

/* All of them, the largest first; gives how many there are, at most 3. */
static int pieces_of(const gbl_product_call *call, const gbl_gemm_tail_split *cut,
                     gbl_product_call pieces[3])
{
    int made = 0;
    pieces[made++] = piece_of(call, 0, 0, cut->rows, cut->columns);
    if (cut->columns < call->n)
        pieces[made++] = piece_of(call, 0, cut->columns, call->m, call->n - cut->columns);
    if (cut->rows < call->m)
        pieces[made++] = piece_of(call, cut->rows, 0, call->m - cut->rows, cut->columns);
    return made;
}

gable_status gbl_gemm_tail_split_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                     const gbl_params *params)
{
    gbl_product_call call = *(const gbl_product_call *)given, pieces[3];
    gbl_gemm_tail_split cut;
    (void)params;
    if (!gbl_gemm_tail_split_make(&call, ctx->device, &cut))
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "gemm=%s gains nothing for this product", self->name);
    TRY(gbl_gemm_align(ctx, &call));
    const int count = pieces_of(&call, &cut, pieces);
    for (int i = 0; i < count; i++)
        TRY(gbl_gemm(ctx, "gemm", &pieces[i]));
    return GABLE_OK;
}

void gbl_gemm_tail_split_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                              const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double copied = 2 * gbl_gemm_align_bytes(call);
    gbl_work work;
    (void)self, (void)params, (void)device;
    gbl_gemm_work(call, &work);
    gbl_composed_cost(&work, copied > 0 ? 5 : 3, out);
    out->memory_bytes += copied;
    out->written_bytes = work.bytes_written + copied / 2;
}

/* None of a call that is not cut: one that stands for a class of calls that are. Then the variant
 * is not ranked. */
int gbl_gemm_tail_split_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                              const gbl_device *device, gbl_part_call *parts)
{
    gbl_product_call call = *(const gbl_product_call *)given, pieces[3];
    gbl_gemm_tail_split cut;
    (void)self, (void)params;
    if (!gbl_gemm_tail_split_make(&call, device, &cut))
        return 0;
    int count = gbl_gemm_align_parts(&call, parts, 0);
    const int made = pieces_of(&call, &cut, pieces);
    for (int i = 0; i < made; i++)
        count = gbl_composed_product(parts, count, &pieces[i], 1);
    return count;
}
