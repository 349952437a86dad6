/* installed.c: steps of routines through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A library's potrf does not keep Gable's promise where a pivot is not positive: that the columns
 * before it are those of the factor. OpenBLAS and LAPACK leave the rows below a block as they were,
 * and OpenBLAS 0.3.21 does not see a NaN. So only leaves go through it. They are copied first, and
 * one that fails is factored again by own code. A copy takes a tenth of a leaf's time.
 */
#include <string.h>
#include "blas/blas_speed.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_lapack.h"
#include "lapack/installed.h"

#define MOST_ROWS 64 /* of a leaf: cpu_potrf.c */

static const gbl_task_function own_leaves[4] = {gbl_cpu_spotrf_leaf, gbl_cpu_dpotrf_leaf,
                                                gbl_cpu_cpotrf_leaf, gbl_cpu_zpotrf_leaf};

/* Copies the triangle of a leaf to or from `kept`, whose columns follow one another. */
static void copy_triangle(const gbl_cpu_potrf_args *call, size_t elem, char *kept, bool back)
{
    for (int64_t j = 0; j < call->n; j++) {
        const int64_t first = call->uplo == GABLE_UPPER ? 0 : j,
                      rows = call->uplo == GABLE_UPPER ? j + 1 : call->n - j;
        char *const there = (char *)call->A + (size_t)(first + j * call->lda) * elem;
        char *const here = kept + (size_t)(first + j * call->n) * elem;
        memcpy(back ? there : here, back ? here : there, (size_t)rows * elem);
    }
}

/* Whether all pivots are positive, which a NaN is not. */
static bool is_definite(const gbl_cpu_potrf_args *call, gbl_dtype dtype)
{
    for (int64_t i = 0; i < call->n; i++) {
        const void *pivot = gbl_element(dtype, call->A, call->lda, i, i);
        if (gbl_dtype_real_bytes(dtype) == 4 ? !(*(const float *)pivot > 0)
                                             : !(*(const double *)pivot > 0))
            return false;
    }
    return true;
}

static gable_status leaf(gbl_dtype dtype, gbl_queue *queue, void *stream, const void *args,
                         gbl_message *message)
{
    const gbl_cpu_potrf_args *call = args;
    const int n = (int)call->n, lda = (int)call->lda;
    const size_t elem = gbl_dtype_bytes(dtype);
    _Alignas(64) char kept[MOST_ROWS * MOST_ROWS * 16];
    int info = 0;
    if (call->before > 0 && *call->info != 0)
        return GABLE_OK;
    copy_triangle(call, elem, kept, false);
    gbl_cpu_lapack_get()->potrf[dtype](gbl_lapack_uplo(call->uplo), &n, call->A, &lda, &info, 1);
    if (info != 0 || !is_definite(call, dtype)) {
        copy_triangle(call, elem, kept, true);
        return own_leaves[dtype](queue, stream, args, message);
    }
    if (call->before == 0)
        *call->info = 0;
    return GABLE_OK;
}

#define LEAF(letter, dtype)                                                                        \
    static gable_status letter##leaf(gbl_queue *queue, void *stream, const void *args,             \
                                     gbl_message *message)                                         \
    {                                                                                              \
        return leaf(dtype, queue, stream, args, message);                                          \
    }
LEAF(s, GBL_S)
LEAF(d, GBL_D)
LEAF(c, GBL_C)
LEAF(z, GBL_Z)

gbl_task_function gbl_installed_potrf_leaf(gbl_dtype dtype, int64_t n, int64_t lda)
{
    static const gbl_task_function leaves[4] = {sleaf, dleaf, cleaf, zleaf};
    const bool installed =
        n <= MOST_ROWS && GBL_LAPACK_FITS("potrf", dtype, n, lda) && !gbl_blas_speed_get()->slow;
    return (installed ? leaves : own_leaves)[dtype];
}
