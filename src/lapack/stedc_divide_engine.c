/* stedc_divide_engine.c: what divide and conquer of tridiagonal and of bidiagonal matrices share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/stedc_divide_engine.h"

_Static_assert(sizeof(stedc_args) == 8 * 8, "host and device must agree");

/* ---- Workspace ---- */

static int64_t most_merges(const gbl_divide_plan *p)
{
    return p->levels > 0 ? (int64_t)1 << (p->levels - 1) : 1;
}

/* Numbers of a vector of reals. */
static int64_t reals_of(int64_t n, const gbl_divide_plan *p, int which)
{
    switch (which) {
    case COSINES:
        return p->squares ? 2 * n : n;
    case SINES:
        return p->squares ? 2 * n + most_merges(p) : n;
    case LENGTHS:
        return p->squares ? n : 0;
    default:
        return n;
    }
}

static size_t vector_bytes(int64_t n, const gbl_divide_plan *p, size_t real)
{
    size_t bytes = real + (size_t)n * ((PLACE_VECTORS + 1) * sizeof(int32_t) + sizeof(int64_t)) +
                   (STEDC_SIZES * (size_t)most_merges(p) + 1) * sizeof(int64_t);
    for (int i = 0; i < REAL_VECTORS; i++)
        bytes += (size_t)reals_of(n, p, i) * real;
    return bytes;
}

double gbl_divide_bytes(const gbl_divide_call *call, const gbl_params *params)
{
    const gbl_dtype real = gbl_divide_real(call->dtype);
    const int matrices = call->squares ? 4 : call->update ? 3 : 2;
    gbl_divide_plan p = {.leaf = params->value[0], .squares = call->squares};
    while (gbl_divide_rows(call->n, p.levels) > p.leaf)
        p.levels++;
    return matrices * gbl_composed_room_bytes(real, call->n, call->n) +
           (double)vector_bytes(call->n, &p, gbl_dtype_real_bytes(real));
}

static gable_status take(const gbl_dividing *s, size_t bytes, void **address)
{
    return gbl_arena_take(s->ctx->arena, s->ctx->device, bytes, address, &s->ctx->message);
}

static gable_status take_vectors(gbl_dividing *s)
{
    const size_t n = (size_t)s->n, real = gbl_dtype_real_bytes(s->real);
    void *numbers;
    for (int i = 0; i < REAL_VECTORS; i++) {
        const size_t count = (size_t)reals_of(s->n, &s->plan, i);
        if (count > 0)
            TRY(take(s, count * real, &s->reals[i]));
    }
    for (int i = 0; i < PLACE_VECTORS; i++)
        TRY(take(s, n * sizeof(int32_t) * (i == ROWS ? 2 : 1), &s->places[i]));
    TRY(take(s, real, &s->back));
    TRY(take(s, (n + 1 + STEDC_SIZES * (size_t)most_merges(&s->plan)) * sizeof(int64_t), &numbers));
    s->trouble = numbers;
    s->state = s->trouble + n;
    s->sizes = s->state + 1;
    return GABLE_OK;
}

/* In groups that the device takes. */
static gable_status find_kernels(gbl_dividing *s)
{
    gbl_kernel_spec wanted[GBL_DIVIDE_STEPS];
    int count = 0;
    for (int i = 0; i < GBL_DIVIDE_STEPS; i++)
        if (gbl_divide_uses(&s->plan, (gbl_divide_step)i))
            gbl_divide_make_spec(&s->plan, (gbl_divide_step)i, s->real, &wanted[count++]);
    gbl_kernels_prepare(s->ctx->device, wanted, count);
    for (int i = 0; i < GBL_DIVIDE_STEPS; i++) {
        if (!gbl_divide_uses(&s->plan, (gbl_divide_step)i))
            continue;
        for (;;) {
            gbl_divide_make_spec(&s->plan, (gbl_divide_step)i, s->real, &wanted[0]);
            TRY(gbl_kernel_get(s->ctx->device, &wanted[0], &s->kernels[i], &s->ctx->message));
            if (gbl_kernel_takes(s->kernels[i], s->plan.items[i]) || s->plan.items[i] == 1)
                break;
            s->plan.items[i] /= 2;
        }
    }
    return GABLE_OK;
}

gable_status gbl_divide_prepare(gbl_dividing *s)
{
    TRY(find_kernels(s));
    TRY(take_vectors(s));
    /* Both matrices in one piece, which the last product of an update takes as one of twice the
     * rows. */
    TRY(gbl_composed_room(s->ctx, s->real, s->n, 2 * s->n, &s->W, &s->ldw));
    s->S = gbl_element(s->real, s->W, s->ldw, 0, s->n);
    return GABLE_OK;
}

/* ---- Launches ---- */

gable_status gbl_divide_launch(const gbl_dividing *s, gbl_divide_step which, const stedc_args *args,
                               int64_t groups, int64_t merges, const void *const *buffers,
                               int count)
{
    gbl_launch_spec spec = {.groups = {groups, merges},
                            .group = {s->plan.items[which], 1},
                            .buffer_count = count,
                            .args = args,
                            .args_bytes = sizeof *args};
    for (int i = 0; i < count; i++)
        spec.buffers[i] = buffers[i];
    return gbl_launch(s->ctx, s->kernels[which], &spec);
}

stedc_args gbl_divide_args(const gbl_dividing *s, int level)
{
    return (stedc_args){
        .n = s->n, .level = level, .ldq = s->ldq, .ldw = s->ldw, .lds = s->ldw, .reals = 1};
}

int64_t gbl_divide_cover(const gbl_dividing *s, gbl_divide_step which, int level, stedc_args *args)
{
    const int64_t rows = gbl_divide_rows(s->n, level);
    args->across = gbl_parts(rows, s->plan.items[which]);
    return args->across * gbl_parts(rows, GBL_DIVIDE_COPIED);
}

gable_status gbl_divide_sort(const gbl_dividing *s, int level, int64_t mode, const void *Q)
{
    stedc_args args = gbl_divide_args(s, level);
    args.mode = mode;
    return GBL_DIVIDE_LAUNCH(
        s, GBL_DIVIDE_SORT, &args,
        gbl_parts(gbl_divide_rows(s->n, level), s->plan.items[GBL_DIVIDE_SORT]),
        (int64_t)1 << level, s->reals[DIAGONAL], s->reals[BESIDE], Q, s->reals[SORTED],
        s->reals[Z_VECTOR], s->places[FROM]);
}

gable_status gbl_divide_gather(const gbl_dividing *s, int level, const void *Q, const void *cosines,
                               const void *sines)
{
    stedc_args args = gbl_divide_args(s, level);
    const int64_t groups = gbl_divide_cover(s, GBL_DIVIDE_GATHER, level, &args);
    return GBL_DIVIDE_LAUNCH(s, GBL_DIVIDE_GATHER, &args, groups, (int64_t)1 << level, Q, s->W,
                             s->places[FROM], cosines, sines, s->places[NEXT], s->places[LINKED],
                             s->places[TO_UPPER], s->places[TO_LOWER]);
}

gable_status gbl_divide_secular(const gbl_dividing *s, int level, const void *scales)
{
    const stedc_args args = gbl_divide_args(s, level);
    const int64_t rows = gbl_divide_rows(s->n, level), merges = (int64_t)1 << level;
    const gbl_props *props = &s->ctx->device->props;
    const int64_t teams =
        s->plan.items[GBL_DIVIDE_SECULAR] / (gbl_lanes_exchange(props) ? props->simd : 1);
    TRY(GBL_DIVIDE_LAUNCH(s, GBL_DIVIDE_SECULAR, &args, gbl_parts(rows, teams), merges,
                          s->reals[POLES], s->reals[FORMER_WEIGHTS], scales, s->sizes,
                          s->places[ROWS], s->reals[DIAGONAL], s->S, s->trouble));
    return GBL_DIVIDE_LAUNCH(
        s, GBL_DIVIDE_WEIGHTS, &args,
        gbl_parts(rows, gbl_divide_weight_rows(s->plan.items[GBL_DIVIDE_WEIGHTS])), merges,
        s->reals[POLES], s->reals[FORMER_WEIGHTS], s->sizes, s->places[INDEX], s->places[ROWS],
        s->S, s->reals[NEW_WEIGHTS]);
}

/* Rows `start` to `end` of the product of a merge whose columns begin with `first`, at most `most`
 * of them. */
static gbl_product_call product_of(const gbl_dividing *s, void *Q, int64_t first, int64_t start,
                                   int64_t end, int64_t most, const int64_t *sizes)
{
    gbl_product_call product = gbl_divide_product(s->real, end - start, most, sizes);
    product.A = gbl_element(s->real, s->W, s->ldw, start, first);
    product.lda = s->ldw;
    product.B = gbl_element(s->real, s->S, s->ldw, start, first);
    product.ldb = s->ldw;
    product.C = gbl_element(s->real, Q, s->ldq, start, first);
    product.ldc = s->ldq;
    return product;
}

gable_status gbl_divide_multiply(const gbl_dividing *s, int level, void *Q)
{
    const int64_t merges = (int64_t)1 << level, rows = gbl_divide_rows(s->n, level), n = s->n;
    if (rows < s->plan.gemm) {
        const gbl_divide_tile t = gbl_divide_tile_of(s->plan.items[GBL_DIVIDE_PRODUCT]);
        stedc_args args = gbl_divide_args(s, level);
        args.across = gbl_parts(gbl_divide_rows(n, level + 1), t.wx * t.tm);
        return GBL_DIVIDE_LAUNCH(s, GBL_DIVIDE_PRODUCT, &args,
                                 args.across * gbl_parts(rows, t.wy * t.tn), 2 * merges, s->W, s->S,
                                 s->sizes, Q);
    }
    for (int64_t i = 0; i < merges; i++) {
        const int64_t first = (i * n) >> level, middle = ((2 * i + 1) * n) >> (level + 1),
                      end = ((i + 1) * n) >> level;
        const int64_t *sizes = s->sizes + STEDC_SIZES * i;
        const gbl_product_call upper = product_of(s, Q, first, first, middle, end - first, sizes),
                               lower = product_of(s, Q, first, middle, end, end - first, sizes + 3);
        TRY(gbl_gemm(s->ctx, s->routine, &upper));
        TRY(gbl_gemm(s->ctx, s->routine, &lower));
    }
    return GABLE_OK;
}

gable_status gbl_divide_columns(const gbl_dividing *s, int level, const stedc_args *args,
                                const void *source, void *target, const void *d, const void *e,
                                const void *info)
{
    stedc_args all = *args;
    const int64_t groups = gbl_divide_cover(s, GBL_DIVIDE_COLUMNS, level, &all);
    return GBL_DIVIDE_LAUNCH(s, GBL_DIVIDE_COLUMNS, &all, groups, (int64_t)1 << level, source,
                             target, s->places[FROM], s->sizes, s->reals[SORTED], s->back, s->state,
                             s->trouble, d, e, info);
}

gable_status gbl_divide_bring_back(const gbl_dividing *s, int level, void *Q)
{
    stedc_args args = gbl_divide_args(s, level);
    args.mode = STEDC_DEFLATED;
    return gbl_divide_columns(s, level, &args, s->W, Q, s->reals[SORTED], s->reals[SORTED],
                              s->state);
}
