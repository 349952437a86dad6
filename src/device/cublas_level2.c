/* cublas_level2.c: cuBLAS's matrix-vector routines as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As cublas_level1.c: two widths of integers in one union; scalars in host memory or in the device's,
 * both in one. Pointers and strides of a task are those of BLAS, which are cuBLAS's too.
 */
#include <stdio.h>
#include <string.h>
#include "device/cublas_private.h"
#include "device/dynlib.h"

typedef gbl_cublas_handle handle_type;

typedef union gemv_function {
    int (*wide)(handle_type *, int, int64_t, int64_t, const void *, const void *, int64_t,
                const void *, int64_t, const void *, void *, int64_t);
    int (*narrow)(handle_type *, int, int, int, const void *, const void *, int, const void *, int,
                  const void *, void *, int);
} gemv_function;

/* By precision. */
static struct {
    gemv_function gemv[4];
} api;

bool gbl_cublas_load_level2(void *library, const char *suffix)
{
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        char name[64];
        snprintf(name, sizeof name, "cublas%cgemv%s", "SDCZ"[dtype], suffix);
        const gbl_symbol symbol = {name, &api.gemv[dtype], false};
        if (gbl_dynlib_load(library, &symbol, 1) != NULL)
            return false;
    }
    return true;
}

/* cublasOperation_t */
static int operation(const gbl_matrix_args *args)
{
    enum { OP_N = 0, OP_T = 1, OP_C = 2 };
    if (args->trans == GABLE_NO_TRANS)
        return OP_N;
    return args->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(args->dtype) ? OP_C : OP_T;
}

static gable_status run_gemv(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
{
    const gbl_matrix_args *a = args;
    const gemv_function function = api.gemv[a->dtype];
    gbl_cublas_numbers alpha_numbers, beta_numbers;
    const void *alpha = gbl_cublas_place(&a->alpha, a->dtype, &alpha_numbers);
    const void *beta = gbl_cublas_place(&a->beta, a->dtype, &beta_numbers);
    const int op = operation(a);
    handle_type *handle = NULL;
    TRY(gbl_cublas_begin_matrix(queue, stream, a, &handle, message));
    const int result =
        gbl_cublas_is_wide()
            ? function.wide(handle, op, a->m, a->n, alpha, a->A, a->lda, a->x, a->incx, beta, a->y,
                            a->incy)
            : function.narrow(handle, op, (int)a->m, (int)a->n, alpha, a->A, (int)a->lda, a->x,
                              (int)a->incx, beta, a->y, (int)a->incy);
    return gbl_cublas_end(result, "gemv", message);
}

gbl_task_function gbl_cublas_level2_task(const char *stem)
{
    return strcmp(stem, "gemv") == 0 ? run_gemv : NULL;
}
