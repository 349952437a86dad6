/* bdsdc.c: singular values and vectors of a real bidiagonal matrix, B = U S Vt
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `divide` is divide and conquer by kernels, for vectors (bdsdc_divide.c); `bisection` finds values
 * (kernels/lapack/bdsdc_bisect.cl). On cpu `lapack` is LAPACK's function as a task. `host_stage` is
 * the installed LAPACK beside a device, which gets d and e from there and sends back what it
 * computes: it waits, so it is not part of recordings, and is there to compare with.
 */
#include <stdio.h>
#include "blas/host_cost.h"
#include "lapack/bdsdc.h"
#include "lapack/bdsdc_divide.h"
#include "model/roofs.h"

static bool has_vectors(const gbl_product_call *call)
{
    return call->job == GABLE_IDENTITY_VECTORS;
}

/* With vectors 8/3 n^3 multiply-adds and additions where nothing deflates (two products of 4/3 n^3
 * for each of U and V over all levels); without, some 30 n^2. */
static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 vectors = has_vectors(call) ? 2 * n * n : 0;
    *least = (gbl_work){.bytes_read = elem * 2 * n,
                        .bytes_written = elem * (n + vectors),
                        .flops = has_vectors(call) ? 8.0 / 3 * n * n * n : 30 * n * n};
}

/* The host's arithmetic as time in which the device idles: no roof of it is kept beside those of a
 * GPU. Guesses, not measured: 3 ns per n^2 for values, 10 Gflop/s of the products of vectors. */
#define VALUE_SECONDS  3e-9
#define VECTOR_SECONDS 1e-10 /* per flop */

static void cost_host(const gbl_variant *self, const void *given, const gbl_params *params,
                      const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n;
    gbl_roofs roofs;
    gbl_work least;
    (void)self, (void)params;
    work(call, &least);
    gbl_composed_cost(&least, 4, out);
    gbl_roofs_get(device, &roofs);
    const double link = roofs.link_to_device > 0 ? roofs.link_to_device : roofs.copy,
                 seconds = VALUE_SECONDS * n * n +
                           (has_vectors(call) ? VECTOR_SECONDS * least.flops : 0) +
                           least.bytes_written / link;
    out->missed_bytes = seconds * roofs.copy;
}

/* Every device: where LAPACK is missing `run` says why. */
static bool fits_host(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return true;
}

static void tell_host(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, char *text, size_t text_bytes)
{
    (void)self, (void)call, (void)params, (void)device;
    snprintf(text, text_bytes,
             "the host computes it by the installed LAPACK: the device waits, and a recording "
             "refuses it");
}

static bool fits_task(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return device->props.is_host && gbl_bdsdc_installed_flaw(call) == NULL;
}

static void cost_task(const gbl_variant *self, const void *given, const gbl_params *params,
                      const gbl_device *device, gbl_cost *out)
{
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    (void)self, (void)params;
    work(given, &least);
    gbl_host_cost(&least, &walk, device, out);
    out->workspace_bytes = (double)gbl_bdsdc_installed_bytes(given);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("host_stage", .fits = fits_host, .run = gbl_bdsdc_host_run, .cost = cost_host,
                .kernels = "put_info.cl", .specs = gbl_bdsdc_host_specs, .tell = tell_host,
                .rung = true),
    GBL_BDSDC_DIVIDE_VARIANT,
    GBL_VARIANT("bisection", .fits = gbl_bdsdc_bisect_fits, .run = gbl_bdsdc_bisect_run,
                .cost = gbl_bdsdc_bisect_cost,
                .kernels = "bdsdc_bisect.cl range_largest.cl range_one.cl",
                .specs = gbl_bdsdc_bisect_specs),
    GBL_VARIANT("lapack", .fits = fits_task, .run = gbl_bdsdc_task_run, .cost = cost_task)};

gable_status gbl_bdsdc_check(gable_context *ctx, const gbl_product_call *call)
{
    gbl_choice choice;
    if (call->n <= 0)
        return GABLE_OK;
    TRY(gbl_op_choose(ctx, &gbl_bdsdc_op, call, &choice));
    return choice.variant->run == gbl_bdsdc_host_run ? gbl_bdsdc_host_check(ctx, call) : GABLE_OK;
}

/* ---- The description ---- */

static int64_t order(const void *given)
{
    const gbl_product_call *call = given;
    return call->n;
}

static int64_t beside_order(const void *given)
{
    const gbl_product_call *call = given;
    return call->n > 0 ? call->n - 1 : 0;
}

/* Without vectors U and Vt are not looked at. */
static int64_t vector_order(const void *given)
{
    const gbl_product_call *call = given;
    return has_vectors(call) ? call->n : 0;
}

#define REALS(name_, rows_)                                                                        \
    {                                                                                              \
        .name = #name_, .kind = GBL_NUMBERS, .access = GBL_READ_WRITE, .at = PRODUCT_AT(name_),    \
        .rows = rows_, .element = gbl_real_element                                                 \
    }
#define VECTORS(name_, at_, ld_name, ld_)                                                          \
    {.name = name_,                                                                                \
     .kind = GBL_MATRIX,                                                                           \
     .access = GBL_WRITE,                                                                          \
     .at = PRODUCT_AT(at_),                                                                        \
     .step = PRODUCT_AT(ld_),                                                                      \
     .rows = vector_order,                                                                         \
     .columns = vector_order},                                                                     \
    {                                                                                              \
        .name = ld_name, .kind = GBL_LD, .at = PRODUCT_AT(ld_), .least = "n with vectors"          \
    }

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    {.name = "compq",
     .kind = GBL_JOB,
     .at = PRODUCT_AT(job),
     .jobs = GBL_JOB_BIT(GABLE_NO_VECTORS) | GBL_JOB_BIT(GABLE_IDENTITY_VECTORS)},
    GBL_PRODUCT_ORDER,
    REALS(d, order),
    REALS(e, beside_order),
    VECTORS("U", B, "ldu", ldb),
    VECTORS("Vt", C, "ldvt", ldc),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_bdsdc_op = {
    GBL_PRODUCT_OP("bdsdc", operands, variants),
    .dtypes = GBL_BIT_S | GBL_BIT_D,
    .work = work,
};

gable_status gbl_bdsdc(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_bdsdc_op, call);
}
