/* level2.c: what the variants of the matrix-vector routines share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/level2.h"
#include "core/key.h"
#include "core/launch.h"
#include "device/cpu_blas.h"

/* Routines without such a flag leave it 0. */
static bool turned(gable_trans trans)
{
    return trans == GABLE_TRANS || trans == GABLE_CONJ_TRANS;
}

uint64_t gbl_matrix_key(const void *given)
{
    const gbl_matrix_call *call = given;
    const uint64_t elem = gbl_dtype_bytes(call->dtype);
    const uint64_t starts = (uint64_t)(uintptr_t)call->A | (uint64_t)call->lda * elem;
    return gbl_key_sizes(call->dtype, call->m, call->n, call->batch) |
           gbl_key_flag(true, GBL_KEY_MATRIX) | gbl_key_flag(turned(call->trans), GBL_KEY_TRANS) |
           gbl_key_flag(starts % 16 == 0, GBL_KEY_ALIGNED) |
           gbl_key_flag(call->uplo == GABLE_LOWER, GBL_KEY_LOWER) |
           gbl_key_flag(call->conj, GBL_KEY_CONJ) |
           gbl_key_flag(turned(call->trans_b), GBL_KEY_TRANS_B) |
           gbl_key_flag(call->pointers, GBL_KEY_POINTERS);
}

/* ---- Checks ---- */

gable_status gbl_trans_check(gable_context *ctx, int number, const char *name, gable_trans trans)
{
    CHECK_ARG(ctx, trans == GABLE_NO_TRANS || trans == GABLE_TRANS || trans == GABLE_CONJ_TRANS,
              number, name, "is %d; it must be GABLE_NO_TRANS, GABLE_TRANS or GABLE_CONJ_TRANS",
              (int)trans);
    return GABLE_OK;
}

gable_status gbl_uplo_check(gable_context *ctx, int number, gable_uplo uplo)
{
    CHECK_ARG(ctx, uplo == GABLE_UPPER || uplo == GABLE_LOWER, number, "uplo",
              "is %d; it must be GABLE_UPPER or GABLE_LOWER", (int)uplo);
    return GABLE_OK;
}

gable_status gbl_diag_check(gable_context *ctx, int number, gable_diag diag)
{
    CHECK_ARG(ctx, diag == GABLE_NON_UNIT || diag == GABLE_UNIT, number, "diag",
              "is %d; it must be GABLE_NON_UNIT or GABLE_UNIT", (int)diag);
    return GABLE_OK;
}

gable_status gbl_size_check(gable_context *ctx, int number, const char *name, int64_t size)
{
    CHECK_ARG(ctx, size >= 0, number, name, "is %lld; it must be at least 0", (long long)size);
    return GABLE_OK;
}

gable_status gbl_ld_check(gable_context *ctx, int number, const char *name, int64_t ld,
                          const char *rows, int64_t least)
{
    least = least > 1 ? least : 1;
    CHECK_ARG(ctx, ld >= least, number, name,
              "is %lld; it must be at least max(1, %s), which is %lld", (long long)ld, rows,
              (long long)least);
    return GABLE_OK;
}

gable_status gbl_reach_sizes(gable_context *ctx, const gbl_matrix_call *call, int m_number,
                             int n_number)
{
    if (m_number != n_number)
        TRY(gbl_count_check(ctx, m_number, "m", call->m, gbl_dtype_bytes(call->dtype)));
    return gbl_count_check(ctx, n_number, "n", call->n, gbl_dtype_bytes(call->dtype));
}

gable_status gbl_reach_ld(gable_context *ctx, const gbl_matrix_call *call, int number,
                          const char *name, const char *matrix, int64_t m, int64_t n, int64_t ld)
{
    return gbl_pitch_check(ctx, number, name, matrix, n, ld, m, gbl_dtype_bytes(call->dtype));
}

gable_status gbl_reach_inc(gable_context *ctx, const gbl_matrix_call *call, int number,
                           const char *name, const char *vector, int64_t n, int64_t inc)
{
    return gbl_pitch_check(ctx, number, name, vector, n, inc, 1, gbl_dtype_bytes(call->dtype));
}

gbl_shape gbl_triangle_shape(gable_uplo uplo, bool unit)
{
    if (uplo == GABLE_UPPER)
        return unit ? GBL_ABOVE_DIAGONAL : GBL_UPPER_PART;
    return unit ? GBL_BELOW_DIAGONAL : GBL_LOWER_PART;
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
    return device->props.is_host && routine->blas[call->dtype] != NULL &&
           gbl_cpu_blas_has(routine->stem, gbl_dtype_letter(call->dtype)) &&
           gbl_cpu_blas_fits(longest, call->incx, call->incy) && gbl_cpu_blas_fits(call->lda, 1, 1);
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
