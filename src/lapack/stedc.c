/* stedc.c: eigenvalues and eigenvectors of a symmetric tridiagonal matrix
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Without vectors it is sterf (`values`). With them: `divide` is divide and conquer by kernels
 * (stedc_divide.h), `ql` and `lapack` are tasks of the cpu, and `host_stage` leaves the matrix to
 * the host (eigen_stage.c): it waits, and is there to compare with.
 *
 * A variant gets a gbl_product_call: `job` is compz (GABLE_NO_VECTORS, GABLE_IDENTITY_VECTORS: Z
 * becomes the vectors; GABLE_VECTORS: Z becomes Z times them), `n` the order, `d` and `e` real
 * numbers on the device, of which d becomes the values, ascending, and e is used up, `C` with `ldc`
 * is Z in the precision of the call, complex ones too, and `info` is device memory. d and e may be
 * anything finite, also of norms near the ends of the range; where one is not finite, d and Z
 * become NaN and info -GBL_STEDC_D. A further variant stands behind `ql` in the table and names its
 * kernels; nothing else knows which variants there are.
 */
#include "lapack/eigen.h"
#include "lapack/stedc_divide.h"

int64_t gbl_eigen_vector_rows(const void *given)
{
    const gbl_product_call *call = given;
    return gbl_eigen_vectors(call) ? call->n : 0;
}

/* By divide and conquer where nothing deflates: 4/3 n^3 multiply-adds, twice as many times a
 * matrix that is given. */
static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, real = (double)gbl_dtype_real_bytes(call->dtype),
                 square = n * n * (double)gbl_dtype_bytes(call->dtype);
    const bool vectors = gbl_eigen_vectors(call), multiplied = call->job == GABLE_VECTORS;
    *least = (gbl_work){
        .bytes_read = 2 * n * real + (multiplied ? square : 0),
        .bytes_written = n * real + (vectors ? square : 0),
        .flops = 15 * n * n + (vectors ? 4.0 / 3 * n * n * n : 0) +
                 (multiplied ? 2 * n * n * n * (gbl_dtype_complex(call->dtype) ? 2 : 1) : 0)};
}

/* ---- Without vectors ---- */

static bool fits_values(const gbl_variant *self, const void *given, const gbl_device *device)
{
    return !gbl_eigen_vectors(given) && gbl_lapack_fits(self, given, device);
}

static gbl_product_call values_of(const gbl_product_call *call)
{
    gbl_product_call values = *call;
    values.dtype = gbl_eigen_real(call->dtype);
    return values;
}

static gable_status run_values(gable_context *ctx, const gbl_variant *self, const void *given,
                               const gbl_params *params)
{
    const gbl_product_call values = values_of(given);
    (void)self, (void)params;
    return gbl_sterf(ctx, "stedc", &values);
}

static void cost_values(const gbl_variant *self, const void *given, const gbl_params *params,
                        const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(given, &least);
    gbl_composed_cost(&least, 2, out);
}

static int parts_of_values(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call values = values_of(given);
    (void)self, (void)params, (void)device;
    return gbl_composed_call(parts, 0, &gbl_sterf_op, &values, 1);
}

/* ---- The table ---- */

static const gbl_variant variants[] = {
    GBL_EIGEN_QL_VARIANT, GBL_DIVIDE_VARIANT,
    GBL_VARIANT("values", .fits = fits_values, .run = run_values, .cost = cost_values,
                .parts = parts_of_values),
    GBL_VARIANT("host_stage", .fits = gbl_eigen_host_fits, .run = gbl_eigen_stage_run,
                .cost = gbl_eigen_stage_cost, .tell = gbl_eigen_stage_tell,
                .specs = gbl_eigen_stage_specs, .parts = gbl_eigen_stage_parts,
                .kernels = "eigen_end.cl", .detail = "stedc", .rung = true),
    GBL_EIGEN_LAPACK_VARIANT(GBL_STEDC)};

static const gbl_operand operands[] = {
    GBL_EIGEN_JOB("compz", GBL_JOB_BIT(GABLE_NO_VECTORS) | GBL_JOB_BIT(GABLE_VECTORS) |
                               GBL_JOB_BIT(GABLE_IDENTITY_VECTORS)),
    GBL_PRODUCT_ORDER,
    GBL_EIGEN_REALS("d", d, gbl_product_n),
    GBL_EIGEN_REALS("e", e, gbl_eigen_beside),
    GBL_EIGEN_Z(GBL_READ_WRITE, gbl_product_n),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_stedc_op = {GBL_PRODUCT_OP("stedc", operands, variants), .work = work};

gable_status gbl_stedc(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_stedc_op, call);
}
