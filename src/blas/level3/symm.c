/* symm.c: C := alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `expanded` completes A in the workspace, which costs its elements once, and then is one product
 * of whole matrices.
 */
#include <string.h>
#include "core/kernel_args.h"
#include "blas/level3/composed.h"
#include "blas/gemm/gemm_plan.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "expand_args.h"

_Static_assert(sizeof(expand_args) == 4 * 8, "host and device must agree");

#define TILE 32 /* rows of it are whole cache lines in every precision */

enum { EXPAND_ITEMS, EXPAND_PARAMS };
static const int32_t items[] = {1, 32, 64, 128, 256};
static const gbl_param space[EXPAND_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 128},
};

static int32_t plan_kernel(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, int32_t most_items, void *planned,
                           gbl_kernel_spec *spec)
{
    const gbl_product_call *call = given;
    int32_t *group = planned;
    (void)self, (void)device;
    *group = params->value[EXPAND_ITEMS] < most_items ? params->value[EXPAND_ITEMS] : most_items;
    gbl_kernel_begin(spec, "expand.cl", call->dtype);
    gbl_kernel_add_macro(spec, "ITEMS", *group);
    gbl_kernel_add_macro(spec, "TILE", TILE);
    gbl_kernel_add_macro(spec, "UPPER", call->uplo == GABLE_UPPER);
    gbl_kernel_add_macro(spec, "HERMITIAN", call->conj && gbl_dtype_complex(call->dtype));
    return *group;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    int32_t group;
    plan_kernel(self, call, params, device, INT32_MAX, &group, specs);
    return 1;
}

static int64_t tiles_of(const gbl_product_call *call)
{
    return gbl_parts(gbl_product_order(call), TILE);
}

static gable_status expand(gable_context *ctx, const gbl_variant *self,
                           const gbl_product_call *call, const gbl_params *params, void *whole,
                           int64_t ld)
{
    const expand_args args = {
        .n = gbl_product_order(call), .lda = call->lda, .ldw = ld, .tiles = tiles_of(call)};
    int32_t group;
    gbl_kernel *kernel;
    TRY(gbl_plan_kernel(ctx, self, call, params, EXPAND_ITEMS, plan_kernel, &group, &kernel));
    gbl_launch_spec launch = {
        .groups = {args.tiles + 1, gbl_parts(args.tiles, 2)},
        .group = {group, 1},
        .buffer_count = 2,
        .buffers = {call->A, whole},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* The product with A in whole, which lies at `whole`. */
static gbl_product_call product_of(const gbl_product_call *call, void *whole, int64_t ld)
{
    const bool right = call->side == GABLE_RIGHT;
    return (gbl_product_call){.dtype = call->dtype,
                              .math = call->math,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = call->m,
                              .n = call->n,
                              .k = gbl_product_order(call),
                              .A = right ? call->B : whole,
                              .lda = right ? call->ldb : ld,
                              .B = right ? whole : call->B,
                              .ldb = right ? ld : call->ldb,
                              .C = call->C,
                              .ldc = call->ldc,
                              .alpha = call->alpha,
                              .beta = call->beta};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t order = gbl_product_order(call);
    void *whole = call->A;
    int64_t ld = call->lda;
    if (!gbl_scalar_zero(&call->alpha)) {
        TRY(gbl_composed_room(ctx, call->dtype, order, order, &whole, &ld));
        TRY(expand(ctx, self, call, params, whole, ld));
    }
    const gbl_product_call product = product_of(call, whole, ld);
    return gbl_gemm(ctx, "symm", &product);
}

/* So many rows of groups are counted along y. */
static bool fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    return gbl_composed_fits(self, given, device) &&
           gbl_parts(tiles_of(given), 2) <= GBL_MOST_GROUPS_Y;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 order = (double)gbl_product_order(call),
                 outputs = (double)call->m * (double)call->n;
    *least = (gbl_work){.bytes_read = elem * (order * (order + 1) / 2 + outputs),
                        .bytes_written = elem * outputs,
                        .flops = gbl_product_flops(call->dtype) * outputs * order};
    if (!gbl_scalar_zero(&call->beta))
        least->bytes_read += elem * outputs;
}

/* The triangle is read, the whole matrix written and read again. */
static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 order = (double)gbl_product_order(call);
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 2, out);
    out->memory_bytes += 2 * elem * order * order;
    out->written_bytes = least.bytes_written + elem * order * order;
    out->workspace_bytes =
        gbl_composed_room_bytes(call->dtype, gbl_product_order(call), gbl_product_order(call));
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 order = (double)gbl_product_order(call), tiles = (double)tiles_of(call);
    const gbl_product_call product =
        product_of(call, NULL, gbl_composed_ld(call->dtype, gbl_product_order(call)));
    const gbl_cost kernel = {.memory_bytes = elem * order * (order + order / 2),
                             .written_bytes = elem * order * order,
                             .launches = 1,
                             .steps = GBL_LOCAL_STEPS,
                             .groups = tiles * (tiles + 1) / 2,
                             .group_items = params->value[EXPAND_ITEMS],
                             .bytes_in_flight = elem * TILE * TILE};
    (void)self, (void)device;
    return gbl_composed_product(parts, gbl_composed_kernel(parts, 0, &kernel, 1), &product, 1);
}

static bool legal(const gbl_variant *self, const void *given, const gbl_params *params,
                  const gbl_device *device, uint64_t *hash)
{
    const gbl_product_call *call = given;
    (void)self;
    *hash = (uint64_t)params->value[EXPAND_ITEMS];
    return gbl_group_legal(device, params->value[EXPAND_ITEMS],
                           TILE * TILE / params->value[EXPAND_ITEMS] *
                               (int64_t)gbl_dtype_bytes(call->dtype));
}

static const gbl_product_routine routine = {
    .stem = "symm",
    .work = work,
    .omp = GBL_CPU_FOUR(symm_omp),
    .blas = GBL_CPU_FOUR(symm_blas),
};

static const gbl_variant variants[] = {
    GBL_VARIANT("expanded", .fits = fits, .run = run, .cost = cost, .space = space,
                .space_count = EXPAND_PARAMS, .legal = legal, .kernels = "expand.cl",
                .specs = specs, .parts = parts_of),
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_PRODUCT_SIDE,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_ALPHA,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, PRODUCT_AT(alpha), gbl_product_order,
                       gbl_product_order, gbl_product_triangle, "rows of A"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ, PRODUCT_AT(alpha), gbl_product_m, gbl_product_n,
                       NULL, "m"),
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_C,
    GBL_PRODUCT_CONJ,
};

const gbl_op gbl_symm_op = {GBL_PRODUCT_OP("symm", operands, variants),
                            .idle = gbl_product_unchanged, .work = work};
