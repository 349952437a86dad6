/* sterf.c: eigenvalues of a symmetric tridiagonal matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `bisection` runs on every device, waits for nothing and can be recorded (bisect.h). `ql` and
 * `lapack` are tasks of the cpu; `host_stage` leaves the matrix to the host (eigen_stage.c), and is
 * there to compare with.
 */
#include "lapack/bisect.h"
#include "lapack/eigen.h"

int64_t gbl_eigen_beside(const void *given)
{
    const gbl_product_call *call = given;
    return call->n > 0 ? call->n - 1 : 0;
}

/* About 1.7 steps of 18 flops per value and element. */
static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, real = (double)gbl_dtype_real_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = 2 * n * real, .bytes_written = n * real, .flops = 15 * n * n};
}

/* ---- Bisection ---- */

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gbl_bisection what = {.dtype = call->dtype,
                                .n = call->n,
                                .d = call->d,
                                .e = call->e,
                                .count = call->n,
                                .w = call->d,
                                .number = gbl_eigen_number(call),
                                .info = call->info};
    (void)self, (void)params;
    return gbl_bisect(ctx, &what);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_work least;
    (void)self, (void)params;
    if (device->table->build == NULL) {
        gbl_bisect_host_cost(call->dtype, call->n, call->n, device, out);
        return;
    }
    work(call, &least);
    gbl_composed_cost(&least, 2, out);
    out->workspace_bytes = gbl_bisect_bytes(call->dtype, call->n);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    return device->table->build == NULL
               ? 0
               : gbl_bisect_parts(call->dtype, call->n, call->n, device, parts, 0);
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    (void)self, (void)params;
    return gbl_bisect_specs(call->dtype, call->n, device, specs);
}

/* ---- The table ---- */

static const gbl_variant variants[] = {
    GBL_VARIANT("bisection", .fits = gbl_lapack_fits, .run = run, .cost = cost, .parts = parts_of,
                .specs = specs, .kernels = "sturm_begin.cl sturm_values.cl"),
    GBL_EIGEN_QL_VARIANT,
    GBL_VARIANT("host_stage", .fits = gbl_eigen_host_fits, .run = gbl_eigen_stage_run,
                .cost = gbl_eigen_stage_cost, .tell = gbl_eigen_stage_tell,
                .specs = gbl_eigen_stage_specs, .parts = gbl_eigen_stage_parts,
                .kernels = "eigen_end.cl", .detail = "sterf", .rung = true),
    GBL_EIGEN_LAPACK_VARIANT(GBL_STERF)};

static const gbl_operand operands[] = {
    GBL_PRODUCT_ORDER,
    GBL_EIGEN_REALS("d", d, gbl_product_n),
    GBL_EIGEN_REALS("e", e, gbl_eigen_beside),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_sterf_op = {GBL_PRODUCT_OP("sterf", operands, variants),
                             .dtypes = 1U << GBL_S | 1U << GBL_D, .work = work};

gable_status gbl_sterf(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_sterf_op, call);
}
