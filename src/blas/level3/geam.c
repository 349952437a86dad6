/* geam.c: C := alpha op(A) + beta op(B)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Three variants have kernels: `stream` where nothing is transposed, `tiles` where one operand is
 * (the other is read beside C) and where both are (their tiles are added, and turned once). An
 * operand whose factor is known to be zero counts as not transposed: it is not read.
 */
#include "blas/level2/level2.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "blas/level3/turn_variants.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

/* One of the two that are added, as the kernels see it. */
typedef struct operand {
    gbl_turn_matrix matrix; /* at = NULL: it is not read */
    gable_trans trans;
    gbl_scalar factor;
} operand;

static operand operand_of(void *at, int64_t ld, gable_trans trans, gbl_scalar factor)
{
    if (gbl_scalar_zero(&factor))
        return (operand){{NULL, 0}, GABLE_NO_TRANS, factor};
    return (operand){{at, ld}, trans, factor};
}

static operand operand_a(const gbl_matrix_call *call)
{
    return operand_of(call->A, call->lda, call->trans, call->alpha);
}

static operand operand_b(const gbl_matrix_call *call)
{
    return operand_of(call->B, call->ldb, call->trans_b, call->beta);
}

static bool turned(const operand *o)
{
    return o->trans != GABLE_NO_TRANS;
}

/* What a kernel is given where nothing is read: an address, which it does not look at. */
static const void *address_or(const void *address, const void *other)
{
    return address != NULL ? address : other;
}

/* ---- tiles ---- */

/* x is transposed, y may be. */
typedef struct pair {
    operand x, y;
} pair;

static pair pair_of(const gbl_matrix_call *call)
{
    const operand a = operand_a(call), b = operand_b(call);
    return turned(&a) ? (pair){a, b} : (pair){b, a};
}

static void plan_tiles(const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, gbl_turn_plan *plan)
{
    const pair p = pair_of(call);
    const gbl_turn_matrix none = {NULL, 0}, C = {call->C, call->ldc};
    const bool both = turned(&p.y);
    gbl_turn_make(call->dtype, call->m, call->n, p.x.matrix, both ? p.y.matrix : none, C,
                  both ? none : p.y.matrix, params, device, false, plan);
    turn_args *args = &plan->args;
    args->ldy = p.y.matrix.ld;
    args->scalars = gbl_scalars(&p.x.factor, &p.y.factor);
}

static void tiles_kernel(const gbl_matrix_call *call, const gbl_turn_plan *plan,
                         gbl_kernel_spec *spec)
{
    const pair p = pair_of(call);
    gbl_turn_kernel("geam_t.cl", call->dtype, plan, p.x.trans == GABLE_CONJ_TRANS, spec);
    gbl_kernel_add_macro(spec, "Y_TURNED", turned(&p.y));
    gbl_kernel_add_macro(spec, "CONJ_Y",
                         p.y.trans == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype));
}

/* The factors, the two operands and C. */
static int buffers_of(const gbl_matrix_call *call, const operand *x, const operand *y,
                      const void **buffers)
{
    buffers[0] = gbl_scalar_buffer(&x->factor, call->C);
    buffers[1] = gbl_scalar_buffer(&y->factor, call->C);
    buffers[2] = address_or(x->matrix.at, call->C);
    buffers[3] = address_or(y->matrix.at, call->C);
    buffers[4] = call->C;
    return 5;
}

static int tiles_buffers(const gbl_matrix_call *call, const void **buffers)
{
    const pair p = pair_of(call);
    return buffers_of(call, &p.x, &p.y, buffers);
}

/* ---- nothing turned ---- */

static void plan_stream(const gbl_matrix_call *call, const gbl_params *params,
                        const gbl_device *device, gbl_plane_plan *plan)
{
    gbl_plane_make(call->dtype, call->m, call->n, operand_a(call).matrix, operand_b(call).matrix,
                   (gbl_turn_matrix){call->C, call->ldc}, params, device, plan);
    plan->args.scalars = gbl_scalars(&call->alpha, &call->beta);
}

static int stream_buffers(const gbl_matrix_call *call, const void **buffers)
{
    const operand a = operand_a(call), b = operand_b(call);
    return buffers_of(call, &a, &b, buffers);
}

/* ---- the table ---- */

static bool any_turned(const gbl_matrix_call *call)
{
    const operand a = operand_a(call), b = operand_b(call);
    return turned(&a) || turned(&b);
}

static bool fits_tiles(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    (void)self;
    return device->table->build != NULL && any_turned(call) && gbl_turn_fits(call->m, call->n);
}

static bool fits_stream(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    (void)self;
    return device->table->build != NULL && !any_turned(call) && gbl_turn_fits(call->m, call->n);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const bool complex = gbl_dtype_complex(call->dtype);
    const double elements = (double)call->m * (double)call->n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * elements;
    const int read = !gbl_scalar_zero(&call->alpha) + !gbl_scalar_zero(&call->beta);
    *least = (gbl_work){.bytes_read = bytes * read, .bytes_written = bytes};
    /* A product for each operand, and a sum where there are two. */
    least->flops = elements * (read * (complex ? 6 : 1) + (read == 2 ? (complex ? 2 : 1) : 0));
}

/* One operand is turned into C, which is then read and written again for the other. */
static gbl_host_walk walk(const gbl_matrix_call *call)
{
    const double elements = (double)call->m * (double)call->n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * elements;
    const bool turned = call->trans != GABLE_NO_TRANS || call->trans_b != GABLE_NO_TRANS;
    if (!turned)
        return gbl_host_columns(call, 1);
    gbl_host_walk walk = gbl_host_turn(call, elements);
    if (!gbl_scalar_zero(&call->alpha) && !gbl_scalar_zero(&call->beta)) {
        walk.more_bytes += 2 * bytes;
        walk.more_written += bytes;
    }
    return walk;
}

static const gbl_turn_routine routine = {
    .matrix = {.stem = "geam", .work = work, .walk = walk, .omp = GBL_CPU_FOUR(geam_omp)},
    .plan_tiles = plan_tiles,
    .tiles_kernel = tiles_kernel,
    .tiles_buffers = tiles_buffers,
    .plan_stream = plan_stream,
    .stream_buffers = stream_buffers,
};

static const gbl_variant variants[] = {
    GBL_STREAM_VARIANT(fits_stream, &routine, "geam_n.cl"),
    GBL_TURN_VARIANT("tiles", fits_tiles, &routine, "geam_t.cl"),
    GBL_MATRIX_OMP_VARIANT(&routine),
    GBL_MATRIX_VENDOR_VARIANT(&routine),
};

/* A matrix that is read is C only where every element is read and written in one place. */
static gable_status check_in_place(gable_context *ctx, const gbl_matrix_call *call, int number,
                                   const char *name, const char *ld_name, const void *at,
                                   int64_t ld, gable_trans trans)
{
    if (at != call->C)
        return GABLE_OK;
    CHECK_ARG(ctx, trans == GABLE_NO_TRANS, number, name,
              "is C; a matrix that is transposed cannot be written in place");
    CHECK_ARG(ctx, ld == call->ldc, number + 1, ld_name,
              "is %lld; where %s is C it must be ldc, which is %lld", (long long)ld, name,
              (long long)call->ldc);
    return GABLE_OK;
}

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    if (call->m == 0 || call->n == 0)
        return GABLE_OK;
    if (!gbl_scalar_zero(&call->alpha))
        TRY(check_in_place(ctx, call, 7, "A", "lda", call->A, call->lda, call->trans));
    if (!gbl_scalar_zero(&call->beta))
        TRY(check_in_place(ctx, call, 10, "B", "ldb", call->B, call->ldb, call->trans_b));
    return GABLE_OK;
}

static int64_t b_rows(const void *given)
{
    const gbl_matrix_call *call = given;
    return call->trans_b == GABLE_NO_TRANS ? call->m : call->n;
}

static int64_t b_columns(const void *given)
{
    const gbl_matrix_call *call = given;
    return call->trans_b == GABLE_NO_TRANS ? call->n : call->m;
}

static const gbl_operand operands[] = {
    {.name = "transa", .kind = GBL_TRANS, .at = MATRIX_AT(trans)},
    {.name = "transb", .kind = GBL_TRANS, .at = MATRIX_AT(trans_b)},
    GBL_OPERAND_ROWS,
    GBL_OPERAND_COLUMNS,
    GBL_OPERAND_FACTOR("alpha", alpha),
    {.name = "A",
     .kind = GBL_MATRIX,
     .access = GBL_READ,
     .at = MATRIX_AT(A),
     .step = MATRIX_AT(lda),
     .factor = MATRIX_AT(alpha),
     .rows = gbl_matrix_outer,
     .columns = gbl_matrix_inner,
     .optional = true},
    {.name = "lda", .kind = GBL_LD, .at = MATRIX_AT(lda), .least = "rows of A"},
    GBL_OPERAND_FACTOR("beta", beta),
    {.name = "B",
     .kind = GBL_MATRIX,
     .access = GBL_READ,
     .at = MATRIX_AT(B),
     .step = MATRIX_AT(ldb),
     .factor = MATRIX_AT(beta),
     .rows = b_rows,
     .columns = b_columns,
     .optional = true},
    {.name = "ldb", .kind = GBL_LD, .at = MATRIX_AT(ldb), .least = "rows of B"},
    {.name = "C",
     .kind = GBL_MATRIX,
     .access = GBL_WRITE,
     .at = MATRIX_AT(C),
     .step = MATRIX_AT(ldc),
     .rows = gbl_matrix_m,
     .columns = gbl_matrix_n,
     .in_place = true},
    {.name = "ldc", .kind = GBL_LD, .at = MATRIX_AT(ldc), .least = "m"},
};

const gbl_op gbl_geam_op = {GBL_MATRIX_OP("geam", operands, variants), .rules = rules,
                            .elementwise = true, .work = work};
