/* level2.c: what the variants of the matrix-vector routines share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/level2/level2.h"
#include "core/key.h"
#include "core/launch.h"
#include "device/cpu_blas.h"

#define RUN(stem) GBL_RUN_ROUTINE(stem, gbl_matrix_call)
GBL_MATRIX_STEMS(RUN)

/* ---- Operands ---- */

_Static_assert(GBL_MATRIX_SHAPE_BYTES == 16 * 8, "the shape of matrix calls has gaps");
_Static_assert(GBL_MATRIX_SHAPE_BYTES <= GBL_MAX_SHAPE_BYTES, "shapes fit their memo");
_Static_assert(sizeof(gbl_matrix_call) <= GBL_MAX_CALL_BYTES, "matrix calls fit a question");

const gbl_call_layout gbl_matrix_layout = {.call_bytes = sizeof(gbl_matrix_call),
                                           .shape_bytes = GBL_MATRIX_SHAPE_BYTES,
                                           .aligned_at = MATRIX_AT(A),
                                           .sizes_at = MATRIX_AT(m)};
const gbl_call_layout gbl_turned_layout = {.call_bytes = sizeof(gbl_matrix_call)};

int64_t gbl_matrix_m(const void *call)
{
    return ((const gbl_matrix_call *)call)->m;
}

int64_t gbl_matrix_n(const void *call)
{
    return ((const gbl_matrix_call *)call)->n;
}

int64_t gbl_matrix_inner(const void *given)
{
    const gbl_matrix_call *call = given;
    return call->trans == GABLE_NO_TRANS ? call->n : call->m;
}

int64_t gbl_matrix_outer(const void *given)
{
    const gbl_matrix_call *call = given;
    return call->trans == GABLE_NO_TRANS ? call->m : call->n;
}

/* Sums of sizes stop at the largest number: it reaches over more than 63 bits of bytes. */
static int64_t saturated(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t gbl_matrix_band(const void *given)
{
    const gbl_matrix_call *call = given;
    return saturated(saturated(call->kl, call->ku), 1);
}

int64_t gbl_matrix_half(const void *given)
{
    return saturated(((const gbl_matrix_call *)given)->ku, 1);
}

int64_t gbl_matrix_packed(const void *given)
{
    const int64_t n = ((const gbl_matrix_call *)given)->n;
    const int64_t a = n % 2 == 0 ? n / 2 : n, b = n % 2 == 0 ? n + 1 : saturated(n, 1) / 2;
    int64_t elements;
    return __builtin_mul_overflow(a, b, &elements) ? INT64_MAX : elements;
}

size_t gbl_matrix_scalar_element(const void *given)
{
    const gbl_matrix_call *call = given;
    return call->real_scalars ? gbl_dtype_real_bytes(call->dtype) : gbl_dtype_bytes(call->dtype);
}

gbl_shape gbl_matrix_triangle(const void *given)
{
    const gbl_matrix_call *call = given;
    return call->uplo == GABLE_UPPER ? GBL_UPPER_PART : GBL_LOWER_PART;
}

gbl_shape gbl_matrix_triangle_unit(const void *given)
{
    const gbl_matrix_call *call = given;
    if (call->diag != GABLE_UNIT)
        return gbl_matrix_triangle(call);
    return call->uplo == GABLE_UPPER ? GBL_ABOVE_DIAGONAL : GBL_BELOW_DIAGONAL;
}

void gbl_symmetric_work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->n;
    *least = (gbl_work){.bytes_read = elem * (n * (n + 1) / 2 + n),
                        .bytes_written = elem * n,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * n * n};
    if (call->beta.device != NULL || call->beta.re != 0 || call->beta.im != 0)
        least->bytes_read += elem * n;
}

/* ---- The cpu ---- */

bool gbl_matrix_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    return device->props.is_host;
}

gable_status gbl_matrix_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params)
{
    const gbl_matrix_routine *routine = self->detail;
    const gbl_matrix_call *given = call;
    (void)params;
    return gbl_task(ctx, routine->stem, routine->omp[given->dtype], given, sizeof *given);
}

bool gbl_matrix_fits_blas(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_routine *routine = self->detail;
    const gbl_matrix_call *call = given;
    const int64_t longest = call->m > call->n ? call->m : call->n;
    /* Libraries count the elements of packed triangles with their int, too. */
    const int64_t stored = call->storage == GBL_PACKED ? gbl_matrix_packed(call) : call->lda;
    return device->props.is_host && routine->blas[call->dtype] != NULL &&
           gbl_cpu_blas_trusted(call->dtype) &&
           gbl_cpu_blas_has(routine->stem, gbl_dtype_letter(call->dtype)) &&
           gbl_cpu_blas_fits(longest, call->incx, call->incy) && gbl_cpu_blas_fits(stored, 1, 1);
}

static bool real_or_hermitian(const gbl_matrix_call *call)
{
    return !gbl_dtype_complex(call->dtype) || call->conj;
}

bool gbl_symmetric_fits_blas(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return real_or_hermitian(call) && gbl_matrix_fits_blas(self, call, device);
}

bool gbl_symmetric_fits_vendor(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return real_or_hermitian(call) && gbl_matrix_fits_vendor(self, call, device);
}

gable_status gbl_matrix_run_blas(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    const gbl_matrix_routine *routine = self->detail;
    const gbl_matrix_call *given = call;
    (void)params;
    return gbl_task(ctx, routine->stem, routine->blas[given->dtype], given, sizeof *given);
}

#define SIDE_BY_SIDE 8    /* columns that are read so where they do not go on in the next ones */
#define GAP_BYTES    1024 /* from a column's end to the next one that is still one stream */

gbl_host_walk gbl_host_columns(const gbl_matrix_call *call, double forks)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_host_walk walk = {.starts = 1, .forks = forks};
    if ((double)(call->lda - call->m) * elem > GAP_BYTES) {
        walk.starts = (double)call->n / SIDE_BY_SIDE;
        walk.stream_bytes = elem * (double)call->m;
    }
    return walk;
}

gbl_host_walk gbl_host_triangle(const gbl_matrix_call *call, double forks)
{
    return (gbl_host_walk){.starts = (double)call->n / SIDE_BY_SIDE,
                           .stream_bytes =
                               (double)gbl_dtype_bytes(call->dtype) * (double)call->n / 2,
                           .forks = forks};
}

#define LINE_BYTES 64
#define PAGE_BYTES 4096
#define RUN_BYTES  8192 /* of a column that is turned (cpu_transpose.c) */

gbl_host_walk gbl_host_turn(const gbl_matrix_call *call, double elements)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const uintptr_t apart = (uintptr_t)call->ldc * elem;
    const double bytes = (double)elem * elements;
    gbl_host_walk walk = {.starts = 1, .forks = 1};
    if (((uintptr_t)call->C | apart) % LINE_BYTES != 0) {
        /* Lines of C are written in two parts, and fetched for each. */
        walk.more_bytes = 3 * bytes;
        walk.more_written = bytes;
    } else if (apart % PAGE_BYTES == 0) {
        walk.more_bytes = bytes; /* they are fetched: few of them fit beside each other */
    } else {
        walk.starts = bytes / (LINE_BYTES / (double)elem * RUN_BYTES);
        walk.stream_bytes = RUN_BYTES;
    }
    return walk;
}

/* ---- The vendor's library ---- */

bool gbl_matrix_fits_vendor(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_matrix_routine *routine = self->detail;
    const gbl_matrix_call *call = given;
    const gbl_vendor *vendor = device->table->vendor;
    const uintptr_t addresses = (uintptr_t)call->A | (uintptr_t)call->B | (uintptr_t)call->C |
                                (uintptr_t)call->x | (uintptr_t)call->y |
                                (uintptr_t)call->alpha.device | (uintptr_t)call->beta.device;
    /* Scalars are both by value or both on the device; complex numbers stand on whole addresses. */
    return vendor != NULL && call->incx != 0 &&
           (routine->one_scalar || (call->alpha.device == NULL) == (call->beta.device == NULL)) &&
           addresses % gbl_dtype_bytes(call->dtype) == 0 && vendor->task(routine->stem) != NULL &&
           vendor->available(device);
}

gable_status gbl_matrix_run_vendor(gable_context *ctx, const gbl_variant *self, const void *call,
                                   const gbl_params *params)
{
    const gbl_matrix_routine *routine = self->detail;
    const gbl_vendor *vendor = ctx->device->table->vendor;
    (void)params;
    TRY(vendor->prepare(ctx->queue, &ctx->message));
    return gbl_task(ctx, vendor->name, vendor->task(routine->stem), call, sizeof(gbl_matrix_args));
}

void gbl_matrix_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost)
{
    const gbl_matrix_routine *routine = self->detail;
    gbl_work least;
    (void)params;
    routine->work(call, &least);
    const gbl_host_walk walk = routine->walk != NULL ? routine->walk(call) : gbl_host_vectors();
    gbl_host_cost(&least, &walk, device, cost);
}
