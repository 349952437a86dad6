/* getri.c: A^-1 in place of the factors that getrf left of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A = P L U. U is inverted where it stands; W, a matrix in the workspace, becomes U^-1 with zeros
 * below, is divided by L from the right, and its columns go back to A in the order that the
 * exchanges of P, all of them as one permutation, give them. Where U is singular all runs all the
 * same: nobody waits to find out.
 */
#include <string.h>
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "cpu/cpu_getri.h"
#include "getri_args.h"
#include "lapack/lapack.h"

_Static_assert(sizeof(getri_args) == 4 * 8, "host and device must agree");

#define ITEMS         64 /* every device takes groups of so many */
#define GROUPS_A_UNIT 8

typedef struct steps {
    gbl_product_call invert, clear, copy, divide;
} steps;

static steps steps_of(const gbl_product_call *call, void *W, int64_t ldw)
{
    const gbl_product_call invert = {.dtype = call->dtype,
                                     .uplo = GABLE_UPPER,
                                     .diag = GABLE_NON_UNIT,
                                     .m = call->n,
                                     .n = call->n,
                                     .A = call->A,
                                     .lda = call->lda,
                                     .info = call->info};
    const gbl_product_call clear = {
        .dtype = call->dtype, .uplo = GABLE_LOWER, .m = call->n, .n = call->n, .A = W, .lda = ldw};
    const gbl_product_call copy = {.dtype = call->dtype,
                                   .uplo = GABLE_UPPER,
                                   .m = call->n,
                                   .n = call->n,
                                   .A = call->A,
                                   .lda = call->lda,
                                   .B = W,
                                   .ldb = ldw};
    const gbl_product_call divide = {.dtype = call->dtype,
                                     .side = GABLE_RIGHT,
                                     .uplo = GABLE_LOWER,
                                     .trans = GABLE_NO_TRANS,
                                     .diag = GABLE_UNIT,
                                     .m = call->n,
                                     .n = call->n,
                                     .alpha = {.re = 1},
                                     .A = call->A,
                                     .lda = call->lda,
                                     .B = W,
                                     .ldb = ldw};
    return (steps){invert, clear, copy, divide};
}

/* ---- Columns in their order ---- */

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    if (device->table->build == NULL)
        return 0;
    gbl_kernel_begin(specs, "getri_columns.cl", call->dtype);
    gbl_kernel_add_macro(specs, "ITEMS", ITEMS);
    return 1;
}

static int64_t row_parts(const gbl_product_call *call, const gbl_device *device)
{
    const int64_t blocks = gbl_parts(call->n, ITEMS),
                  most = GROUPS_A_UNIT * (int64_t)device->props.units / blocks;
    return most < 1 ? 1 : most < blocks ? most : blocks;
}

static gable_status order_columns(gable_context *ctx, const gbl_product_call *call, void *W,
                                  int64_t ldw)
{
    static const gbl_task_function tasks[4] = {gbl_cpu_sgetri_columns, gbl_cpu_dgetri_columns,
                                               gbl_cpu_cgetri_columns, gbl_cpu_zgetri_columns};
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    if (specs(NULL, call, NULL, ctx->device, &spec) == 0) {
        gbl_cpu_getri_args task = {
            .n = call->n, .W = W, .ldw = ldw, .A = call->A, .lda = call->lda, .ipiv = call->ipiv};
        void *from;
        TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)call->n * sizeof(int64_t), &from,
                           &ctx->message));
        task.from = from;
        return gbl_task(ctx, "getri_columns", tasks[call->dtype], &task, sizeof task);
    }
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    const getri_args args = {
        .n = call->n, .ldw = ldw, .lda = call->lda, .parts = row_parts(call, ctx->device)};
    gbl_launch_spec launch = {.groups = {gbl_parts(call->n, ITEMS), args.parts},
                              .group = {ITEMS, 1},
                              .buffer_count = 3,
                              .buffers = {W, call->ipiv, call->A},
                              .args = &args,
                              .args_bytes = sizeof args};
    return gbl_launch(ctx, kernel, &launch);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *W;
    int64_t ldw;
    (void)self, (void)params;
    TRY(gbl_composed_room(ctx, call->dtype, call->n, call->n, &W, &ldw));
    const steps s = steps_of(call, W, ldw);
    TRY(gbl_trtri(ctx, "getri", &s.invert));
    TRY(gbl_laset(ctx, "getri", &s.clear));
    TRY(gbl_lacpy(ctx, "getri", &s.copy));
    TRY(gbl_trsm(ctx, "getri", &s.divide));
    return order_columns(ctx, call, W, ldw);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, bytes = (double)gbl_dtype_bytes(call->dtype) * n * n;
    *least = (gbl_work){.bytes_read = bytes + 8 * n,
                        .bytes_written = bytes,
                        .flops = gbl_lapack_flops(call, 2 * n * n * n / 3)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 5, out);
    out->workspace_bytes = gbl_composed_room_bytes(call->dtype, call->n, call->n);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype);
    const steps s = steps_of(call, call->A, gbl_composed_ld(call->dtype, call->n));
    const gbl_cost order = {.memory_bytes = 2 * elem * n * n,
                            .written_bytes = elem * n * n,
                            .launches = 1,
                            .steps = GBL_LOCAL_STEPS * n / 8, /* exchanges are followed back */
                            .groups = (double)(gbl_parts(call->n, ITEMS) * row_parts(call, device)),
                            .group_items = ITEMS,
                            .bytes_in_flight = 4 * elem * ITEMS};
    (void)self, (void)params;
    int count = gbl_composed_call(parts, 0, &gbl_trtri_op, &s.invert, 1);
    count = gbl_composed_call(parts, count, &gbl_laset_op, &s.clear, 1);
    count = gbl_composed_call(parts, count, &gbl_lacpy_op, &s.copy, 1);
    count = gbl_composed_call(parts, count, &gbl_trsm_op, &s.divide, 1);
    return gbl_composed_kernel(parts, count, &order, 1);
}

static const gbl_variant variants[] = {GBL_VARIANT("divide", .fits = gbl_lapack_fits, .run = run,
                                                   .cost = cost, .kernels = "getri_columns.cl",
                                                   .specs = specs, .parts = parts_of)};

static const gbl_operand operands[] = {
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n, NULL, "n"),
    {.name = "ipiv",
     .kind = GBL_NUMBERS,
     .access = GBL_READ,
     .at = PRODUCT_AT(ipiv),
     .rows = gbl_product_n,
     .element = gbl_info_element},
    GBL_LAPACK_INFO,
};

const gbl_op gbl_getri_op = {GBL_PRODUCT_OP("getri", operands, variants), .work = work,
                             .rounded_parts = true};

gable_status gbl_getri(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_getri_op, call);
}
