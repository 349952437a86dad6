/* level3.c: what the variants of the routines on two or three matrices share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "blas/blas_speed.h"
#include "blas/level3/level3.h"
#include "core/launch.h"
#include "device/cpu_blas.h"

#define RUN(stem) GBL_RUN_ROUTINE(stem, gbl_product_call)
GBL_PRODUCT_RUN_STEMS(RUN)

/* ---- Operands ---- */

_Static_assert(GBL_PRODUCT_SHAPE_BYTES == 17 * 8, "the shape of products has gaps");
_Static_assert(GBL_PRODUCT_SHAPE_BYTES <= GBL_MAX_SHAPE_BYTES, "shapes fit their memo");
_Static_assert(sizeof(gbl_product_call) <= GBL_MAX_CALL_BYTES, "products fit a question");

const gbl_call_layout gbl_product_layout = {.call_bytes = sizeof(gbl_product_call),
                                            .shape_bytes = GBL_PRODUCT_SHAPE_BYTES,
                                            .aligned_at = PRODUCT_AT(A),
                                            .sizes_at = PRODUCT_AT(m)};

int64_t gbl_product_m(const void *call)
{
    return ((const gbl_product_call *)call)->m;
}

int64_t gbl_product_n(const void *call)
{
    return ((const gbl_product_call *)call)->n;
}

int64_t gbl_product_k(const void *call)
{
    return ((const gbl_product_call *)call)->k;
}

int64_t gbl_product_order(const void *given)
{
    const gbl_product_call *call = given;
    return call->side == GABLE_RIGHT ? call->n : call->m;
}

int64_t gbl_product_a_rows(const void *given)
{
    const gbl_product_call *call = given;
    return call->trans == GABLE_NO_TRANS ? call->m : call->k;
}

int64_t gbl_product_a_columns(const void *given)
{
    const gbl_product_call *call = given;
    return call->trans == GABLE_NO_TRANS ? call->k : call->m;
}

int64_t gbl_product_b_rows(const void *given)
{
    const gbl_product_call *call = given;
    return call->trans_b == GABLE_NO_TRANS ? call->k : call->n;
}

int64_t gbl_product_b_columns(const void *given)
{
    const gbl_product_call *call = given;
    return call->trans_b == GABLE_NO_TRANS ? call->n : call->k;
}

static size_t scalar_element(gbl_dtype dtype, bool real)
{
    return real ? gbl_dtype_real_bytes(dtype) : gbl_dtype_bytes(dtype);
}

size_t gbl_product_alpha_element(const void *given)
{
    const gbl_product_call *call = given;
    return scalar_element(call->dtype, call->real_alpha);
}

size_t gbl_product_beta_element(const void *given)
{
    const gbl_product_call *call = given;
    return scalar_element(call->dtype, call->real_beta);
}

gbl_shape gbl_product_triangle(const void *given)
{
    const gbl_product_call *call = given;
    return call->uplo == GABLE_UPPER ? GBL_UPPER_PART : GBL_LOWER_PART;
}

gbl_shape gbl_product_triangle_unit(const void *given)
{
    const gbl_product_call *call = given;
    if (call->diag != GABLE_UNIT)
        return gbl_product_triangle(call);
    return call->uplo == GABLE_UPPER ? GBL_ABOVE_DIAGONAL : GBL_BELOW_DIAGONAL;
}

/* ---- Work ---- */

double gbl_product_flops(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 8 : 2;
}

double gbl_product_outputs(const gbl_product_call *call)
{
    const double m = (double)call->m, n = (double)call->n;
    return call->triangle_c == GBL_ALL ? m * n : n * (n + 1) / 2;
}

/* Of a triangular factor half is stored, and used. */
static double share(const gbl_product_call *call, gbl_triangular lower, gbl_triangular upper,
                    int64_t order)
{
    return call->triangular == lower || call->triangular == upper ? (1 + 1 / (double)order) / 2 : 1;
}

void gbl_gemm_work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n, k = (double)call->k, outputs = gbl_product_outputs(call);
    const double a = share(call, GBL_A_LOWER, GBL_A_UPPER, call->m),
                 b = share(call, GBL_B_LOWER, GBL_B_UPPER, call->n);
    *least = (gbl_work){.bytes_read = elem * (m * k * a + k * n * b),
                        .bytes_written = elem * outputs,
                        .flops = gbl_product_flops(call->dtype) * outputs * k * a * b *
                                 (call->two_products ? 2 : 1)};
    if (!gbl_scalar_zero(&call->beta))
        least->bytes_read += elem * outputs;
}

static bool is_one(const gbl_scalar *scalar)
{
    return scalar->device == NULL && scalar->re == 1 && scalar->im == 0;
}

bool gbl_product_unchanged(const void *given)
{
    const gbl_product_call *call = given;
    return gbl_scalar_zero(&call->alpha) && is_one(&call->beta);
}

bool gbl_product_idle(const void *given)
{
    const gbl_product_call *call = given;
    return (gbl_scalar_zero(&call->alpha) || call->k <= 0) && is_one(&call->beta) &&
           !(call->conj && call->triangle_c != GBL_ALL);
}

/* ---- The cpu ---- */

static bool is_plain(const gbl_product_call *call)
{
    return call->triangle_c == GBL_ALL && call->triangular == GBL_NOT_TRIANGULAR &&
           !call->two_products;
}

bool gbl_product_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    const gbl_product_routine *routine = self->detail;
    return device->props.is_host && is_plain(call) &&
           routine->omp[((const gbl_call *)call)->dtype] != NULL;
}

gable_status gbl_product_run_omp(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    const gbl_product_routine *routine = self->detail;
    const gbl_product_call *call = given;
    (void)params;
    return gbl_task(ctx, routine->stem, routine->omp[call->dtype], call, sizeof *call);
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool gbl_product_fits_blas(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const int64_t longest =
        most(most(most(call->m, call->n), call->k), most(most(call->lda, call->ldb), call->ldc));
    return device->props.is_host && is_plain(call) && routine->blas[call->dtype] != NULL &&
           gbl_cpu_blas_has(routine->stem, gbl_dtype_letter(call->dtype)) &&
           gbl_cpu_blas_fits(longest, 1, 1);
}

gable_status gbl_product_run_blas(gable_context *ctx, const gbl_variant *self, const void *given,
                                  const gbl_params *params)
{
    const gbl_product_routine *routine = self->detail;
    const gbl_product_call *call = given;
    (void)params;
    return gbl_task(ctx, routine->stem, routine->blas[call->dtype], call, sizeof *call);
}

/* Multiply-adds of elements. */
static double terms_of(const gbl_product_call *call)
{
    const double m = (double)call->m, n = (double)call->n;
    return m * n * (double)(call->k > 0 ? call->k : gbl_product_order(call));
}

/* Beside a slow library own code is slower for the smallest products alone: below order 10
 * with the reference BLAS 3.11 (Xeon of 2023, 2026-11). Beside a fast one it is faster up to order
 * 16 on aarch64 (OpenBLAS 0.3.21, one thread of a Neoverse V1: gemm in d 0.6 against 1.3 us); on
 * x86-64 that library has kernels for such products. */
#define LEAST_TERMS 1000
#if defined(__aarch64__)
#define SMALL_TERMS 8000
#else
#define SMALL_TERMS 0
#endif

bool gbl_product_fits_first(const gbl_variant *self, const void *call, const gbl_device *device)
{
    if (!gbl_product_fits_blas(self, call, device))
        return false;
    const double terms = terms_of(call);
    return gbl_blas_speed_get()->slow ? terms >= LEAST_TERMS : terms <= SMALL_TERMS;
}

static void tell(const char *whose, char *text, size_t text_bytes)
{
    const gbl_blas_speed *speed = gbl_blas_speed_get();
    if (speed->library <= 0)
        return;
    snprintf(text, text_bytes,
             "%s: for a product of order %d in s the BLAS, %s, takes %.3g us, own code %.3g", whose,
             GBL_SPEED_ORDER, gbl_cpu_blas_name(), 1e6 * speed->library, 1e6 * speed->own);
}

void gbl_product_tell_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, char *text, size_t text_bytes)
{
    (void)self, (void)call, (void)params, (void)device;
    tell("own code, as it is faster than the BLAS", text, text_bytes);
}

void gbl_product_tell_blas(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, char *text, size_t text_bytes)
{
    (void)self, (void)call, (void)params, (void)device;
    tell("through the installed BLAS", text, text_bytes);
}

/* ---- The vendor's library ---- */

bool gbl_product_fits_vendor(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const gbl_vendor *vendor = device->table->vendor;
    const uintptr_t addresses = (uintptr_t)call->A | (uintptr_t)call->B | (uintptr_t)call->C |
                                (uintptr_t)call->alpha.device | (uintptr_t)call->beta.device;
    /* Scalars are both by value or both on the device; complex numbers stand on whole addresses. */
    return vendor != NULL && is_plain(call) && call->sizes == NULL &&
           (routine->one_scalar || (call->alpha.device == NULL) == (call->beta.device == NULL)) &&
           (call->pointers || !routine->vendor_lists) &&
           !(routine->vendor_reads_diagonal && call->conj && gbl_dtype_complex(call->dtype)) &&
           addresses % gbl_dtype_bytes(call->dtype) == 0 && vendor->task(routine->stem) != NULL &&
           vendor->available(device);
}

gable_status gbl_product_run_vendor(gable_context *ctx, const gbl_variant *self, const void *call,
                                    const gbl_params *params)
{
    const gbl_product_routine *routine = self->detail;
    const gbl_vendor *vendor = ctx->device->table->vendor;
    (void)params;
    TRY(vendor->prepare(ctx->queue, &ctx->message));
    return gbl_task(ctx, vendor->name, vendor->task(routine->stem), call, sizeof(gbl_product_call));
}

void gbl_product_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_cost *cost)
{
    const gbl_product_routine *routine = self->detail;
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    (void)params;
    routine->work(call, &least);
    gbl_host_cost(&least, &walk, device, cost);
}
