/* installed.c: routines through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "blas/blas_speed.h"
#include "core/launch.h"
#include "lapack/installed.h"

/* A library whose BLAS is slow factors slowly: then own code is faster, as products are. */
bool gbl_installed_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_installed_routine *routine = self->detail;
    const gbl_product_call *call = given;
    return device->props.is_host &&
           GBL_LAPACK_FITS(routine->stem, call->dtype, call->m, call->n, call->k, call->lda,
                           call->ldb, call->ldc) &&
           !gbl_blas_speed_get()->slow;
}

gable_status gbl_installed_run(gable_context *ctx, const gbl_variant *self, const void *call,
                               const gbl_params *params)
{
    const gbl_installed_routine *routine = self->detail;
    (void)params;
    return gbl_task(ctx, routine->stem, routine->task, call, sizeof(gbl_product_call));
}

/* Groups stay unknown, as those of the BLAS do: it is not ranked. */
void gbl_installed_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_cost *cost)
{
    const gbl_installed_routine *routine = self->detail;
    const gbl_op *op = gbl_op_find(routine->stem);
    gbl_work least = {0, 0, 0};
    (void)params, (void)device;
    if (op != NULL)
        op->work(call, &least);
    gbl_composed_cost(&least, 1, cost);
}

void gbl_installed_tell(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, char *text, size_t text_bytes)
{
    (void)self, (void)call, (void)params, (void)device;
    snprintf(text, text_bytes, "through the installed library: %s", gbl_cpu_lapack_name());
}

/* ---- Cholesky ---- */

/* The first pivot that is not positive. Libraries differ in what they make of a NaN: the reference
 * stops, OpenBLAS 0.3.21 goes on with it. Columns before it are those of the factor either way. */
static int64_t first_bad_pivot(const gbl_product_call *call, int64_t info)
{
    const int64_t looked_at = info > 0 ? info - 1 : call->n;
    for (int64_t i = 0; i < looked_at; i++) {
        const void *pivot = gbl_element(call->dtype, call->A, call->lda, i, i);
        const bool positive = gbl_dtype_real_bytes(call->dtype) == 4 ? *(const float *)pivot > 0
                                                                     : *(const double *)pivot > 0;
        if (!positive)
            return i + 1;
    }
    return info;
}

static gable_status potrf(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_product_call *call = args;
    const int n = (int)call->n, lda = (int)call->lda;
    int info = 0;
    (void)queue, (void)stream, (void)message;
    gbl_cpu_lapack_get()->potrf[call->dtype](gbl_lapack_uplo(call->uplo), &n, call->A, &lda, &info,
                                             1);
    *call->info = first_bad_pivot(call, info);
    return GABLE_OK;
}

const gbl_installed_routine gbl_installed_potrf = {.stem = "potrf", .task = potrf};
