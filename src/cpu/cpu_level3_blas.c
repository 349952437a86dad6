/* cpu_level3_blas.c: the matrix-matrix routines through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries differ in what alpha = 0 does to a NaN, and in whether they read the imaginary parts of
 * a Hermitian diagonal. So they are not given alpha = 0, and the parts are cleared. With beta = 0
 * they shall not read C; whether this one does is tried once per routine, with NaNs, and where it
 * does C is cleared before. trmm of some libraries multiplies zeros beyond the triangle with
 * elements of B: where B is not finite, the twin with OpenMP serves. It also does inside a caller's
 * OpenMP region, where it is serial. trsm from the right of some libraries (OpenBLAS 0.3.21 with
 * its kernels for Haswell and Zen) lets a NaN of A, or the reciprocal of a zero on its diagonal,
 * into columns of X that do not depend on it: that, too, is tried once, and such a library is given
 * finite triangles with finite reciprocals only.
 *
 * What stands before the library's call is done by the calling thread. Threads of OpenMP look for
 * work a while after a region, on the cores that the threads of the library need then.
 */
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "cpu/cpu_product.h"

/* A scalar as BLAS takes it: complex ones by address. */
#if COMPLEX
#define PASSED(number) (&(number))
#else
#define PASSED(number) (number)
#endif

typedef GBL_CPU_TASK((*task_function));

/* Those with a C. */
typedef enum routine { GEMM, SYRK, HERK, SYR2K, HER2K, SYMM, HEMM, ROUTINES } routine;

/* CBLAS wants no conjugated transpose of a real matrix. */
static int trans_of(gable_trans trans)
{
    return !COMPLEX && trans == GABLE_CONJ_TRANS ? GABLE_TRANS : (int)trans;
}

static void call_blas(const gbl_cpu_blas *blas, routine which, const gbl_product_args *call,
                      T alpha, T beta)
{
    const int m = (int)call->m, n = (int)call->n, k = (int)call->k, lda = (int)call->lda,
              ldb = (int)call->ldb, ldc = (int)call->ldc, uplo = (int)call->uplo,
              side = (int)call->side, trans = trans_of(call->trans);
    switch (which) {
    case GEMM:
        blas->BLAS(gemm)(GBL_CPU_BLAS_COLUMNS, trans, trans_of(call->trans_b), m, n, k,
                         PASSED(alpha), call->A, lda, call->B, ldb, PASSED(beta), call->C, ldc);
        break;
    case SYRK:
        blas->BLAS(syrk)(GBL_CPU_BLAS_COLUMNS, uplo, trans, n, k, PASSED(alpha), call->A, lda,
                         PASSED(beta), call->C, ldc);
        break;
    case SYR2K:
        blas->BLAS(syr2k)(GBL_CPU_BLAS_COLUMNS, uplo, trans, n, k, PASSED(alpha), call->A, lda,
                          call->B, ldb, PASSED(beta), call->C, ldc);
        break;
    case SYMM:
        blas->BLAS(symm)(GBL_CPU_BLAS_COLUMNS, side, uplo, m, n, PASSED(alpha), call->A, lda,
                         call->B, ldb, PASSED(beta), call->C, ldc);
        break;
#if COMPLEX
    case HERK:
        blas->BLAS(herk)(GBL_CPU_BLAS_COLUMNS, uplo, trans, n, k, alpha.re, call->A, lda, beta.re,
                         call->C, ldc);
        break;
    case HER2K:
        blas->BLAS(her2k)(GBL_CPU_BLAS_COLUMNS, uplo, trans, n, k, &alpha, call->A, lda, call->B,
                          ldb, beta.re, call->C, ldc);
        break;
    case HEMM:
        blas->BLAS(hemm)(GBL_CPU_BLAS_COLUMNS, side, uplo, m, n, &alpha, call->A, lda, call->B, ldb,
                         &beta, call->C, ldc);
        break;
#endif
    default:
        break;
    }
}

/* ---- beta = 0 ---- */

/* Orders of a trial: libraries have ways of their own for small products, and take threads beyond
 * 64. */
static const int tried[] = {3, 68};
#define MOST_TRIED 68

/* Whether numbers come out where A and B are ones and C is NaN. */
static bool leaves_numbers(const gbl_cpu_blas *blas, routine which, int n, T *A, T *C)
{
    const R nan = (R)__builtin_nan("");
    const gbl_product_args call = {.trans = GABLE_NO_TRANS,
                                   .trans_b = GABLE_NO_TRANS,
                                   .uplo = GABLE_LOWER,
                                   .side = GABLE_LEFT,
                                   .m = n,
                                   .n = n,
                                   .k = n,
                                   .A = A,
                                   .lda = n,
                                   .B = A,
                                   .ldb = n,
                                   .C = C,
                                   .ldc = n};
    for (int i = 0; i < n * n; i++)
        A[i] = number(1);
    for (int i = 0; i < n * n * REALS; i++)
        ((R *)C)[i] = nan;
    call_blas(blas, which, &call, number(1), number(0));
    for (int j = 0; j < n; j++)
        for (int i = j * REALS; i < n * REALS; i++) { /* a triangle, which all of them write */
            const R value = ((const R *)C)[j * n * REALS + i];
            if (value != value)
                return false;
        }
    return true;
}

/* Whether the library's routine does not read C where beta is 0. */
static bool overwrites(const gbl_cpu_blas *blas, routine which)
{
    enum { UNKNOWN, READS, OVERWRITES };
    static _Atomic(unsigned char) known[ROUTINES];
    unsigned char answer = atomic_load_explicit(&known[which], memory_order_relaxed);
    if (answer != UNKNOWN)
        return answer == OVERWRITES;
    T *const room = malloc(2 * MOST_TRIED * MOST_TRIED * sizeof(T));
    if (room == NULL)
        return false;
    answer = OVERWRITES;
    for (size_t t = 0; answer == OVERWRITES && t < sizeof tried / sizeof tried[0]; t++)
        if (!leaves_numbers(blas, which, tried[t], room, room + MOST_TRIED * MOST_TRIED))
            answer = READS;
    free(room);
    atomic_store_explicit(&known[which], answer, memory_order_relaxed);
    return answer == OVERWRITES;
}

/* Zeros in the columns of C, or of the triangle that is written. */
static void clear(routine which, const gbl_product_args *call)
{
    const bool whole = which == GEMM || which == SYMM || which == HEMM;
    const int64_t m = whole ? call->m : call->n;
    for (int64_t j = 0; j < call->n; j++) {
        const int64_t first = whole || call->uplo == GABLE_UPPER ? 0 : j,
                      last = whole || call->uplo == GABLE_LOWER ? m : j + 1;
        memset((T *)call->C + first + j * call->ldc, 0, (size_t)(last - first) * sizeof(T));
    }
}

#if COMPLEX
static void clear_diagonal(const gbl_product_args *call)
{
    for (int64_t j = 0; j < call->n; j++)
        ((T *)call->C)[j + j * call->ldc].im = 0;
}
#endif

static gable_status run_blas(task_function omp, routine which, const gbl_product_args *call,
                             bool terms, gbl_message *message)
{
    const gbl_cpu_blas *const blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    const T alpha = factor_of_call(&call->alpha, call->real_alpha);
    T beta = factor_of_call(&call->beta, call->real_beta);
    if (call->m <= 0 || call->n <= 0 || !terms || is_zero(alpha) || omp_in_parallel())
        return omp(NULL, NULL, call, message);
    if (is_zero(beta)) {
        if (!overwrites(blas, which)) {
            clear(which, call);
            beta = number(1);
        }
    }
#if COMPLEX
    else if (which == HERK || which == HER2K)
        clear_diagonal(call);
#endif
    call_blas(blas, which, call, alpha, beta);
    return GABLE_OK;
}

/* gbl_cpu_sgemm_blas gbl_cpu_dgemm_blas gbl_cpu_cgemm_blas gbl_cpu_zgemm_blas */
GBL_CPU_TASK(PRIVATE(gemm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    if (call->sizes == NULL)
        return run_blas(PRIVATE(gemm_omp), GEMM, call, call->k > 0, message);
    const gbl_product_args sized = gbl_product_sized(call);
    return run_blas(PRIVATE(gemm_omp), GEMM, &sized, sized.k > 0, message);
}

/* gbl_cpu_ssyrk_blas gbl_cpu_dsyrk_blas gbl_cpu_csyrk_blas gbl_cpu_zsyrk_blas (conj: herk) */
GBL_CPU_TASK(PRIVATE(syrk_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    return run_blas(PRIVATE(syrk_omp), COMPLEX && call->conj ? HERK : SYRK, call, call->k > 0,
                    message);
}

/* gbl_cpu_ssyr2k_blas gbl_cpu_dsyr2k_blas gbl_cpu_csyr2k_blas gbl_cpu_zsyr2k_blas (conj: her2k) */
GBL_CPU_TASK(PRIVATE(syr2k_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    return run_blas(PRIVATE(syr2k_omp), COMPLEX && call->conj ? HER2K : SYR2K, call, call->k > 0,
                    message);
}

/* gbl_cpu_ssymm_blas gbl_cpu_dsymm_blas gbl_cpu_csymm_blas gbl_cpu_zsymm_blas (conj: hemm) */
GBL_CPU_TASK(PRIVATE(symm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args; /* which has no k of its own */
    return run_blas(PRIVATE(symm_omp), COMPLEX && call->conj ? HEMM : SYMM, call, true, message);
}

/* ---- triangles ---- */

static bool is_finite(const gbl_product_args *call)
{
    const T *const B = call->B;
    if (call->ldb == call->m)
        return PRIVATE(all_finite)((const R *)B, call->m * call->n * REALS);
    bool finite = true;
    for (int64_t j = 0; finite && j < call->n; j++)
        finite = PRIVATE(all_finite)((const R *)(B + j * call->ldb), call->m * REALS);
    return finite;
}

/* What is left to the library. */
typedef struct blas_call {
    const gbl_cpu_blas *blas;
    T alpha;
    bool done; /* nothing */
} blas_call;

static gable_status begin_triangle(task_function omp, const gbl_product_args *call, blas_call *p,
                                   gbl_message *message)
{
    p->blas = gbl_cpu_blas_get();
    p->done = true;
    if (p->blas == NULL)
        return no_blas(message);
    p->alpha = read_scalar(&call->alpha);
    if (omp_in_parallel() || call->m <= 0 || call->n <= 0 || is_zero(p->alpha) || !is_finite(call))
        return omp(NULL, NULL, call, message);
    p->done = false;
    return GABLE_OK;
}

static void solve_by_blas(const gbl_cpu_blas *blas, const gbl_product_args *call, T alpha)
{
    blas->BLAS(trsm)(GBL_CPU_BLAS_COLUMNS, (int)call->side, (int)call->uplo, trans_of(call->trans),
                     (int)call->diag, (int)call->m, (int)call->n, PASSED(alpha), call->A,
                     (int)call->lda, call->B, (int)call->ldb);
}

/* Whether the first column of X, which is that of B, is finite beside a NaN in A's second. */
static bool keeps_first_column(const gbl_cpu_blas *blas, int m, int n, T *A, T *B)
{
    const gbl_product_args call = {.side = GABLE_RIGHT,
                                   .uplo = GABLE_UPPER,
                                   .trans = GABLE_NO_TRANS,
                                   .diag = GABLE_UNIT,
                                   .m = m,
                                   .n = n,
                                   .A = A,
                                   .lda = n,
                                   .B = B,
                                   .ldb = m};
    for (int i = 0; i < n * n; i++)
        A[i] = number(0);
    for (int i = 0; i < m * n; i++)
        B[i] = number(1);
    *(R *)(A + n) = (R)__builtin_nan("");
    solve_by_blas(blas, &call, number(1));
    return PRIVATE(all_finite)((const R *)B, (int64_t)m * REALS);
}

/* Whether a NaN of A spoils only what depends on it where A stands on the right. */
static bool isolates(const gbl_cpu_blas *blas)
{
    enum { UNKNOWN, ISOLATES, SPREADS };
    static _Atomic(unsigned char) known;
    static const int rows[] = {9, 37}, columns[] = {66, 21}; /* of B; both spread with OpenBLAS */
    unsigned char answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer != UNKNOWN)
        return answer == ISOLATES;
    T *const room = malloc(2 * MOST_TRIED * MOST_TRIED * sizeof(T));
    if (room == NULL)
        return false;
    answer = ISOLATES;
    for (size_t t = 0; t < sizeof rows / sizeof rows[0]; t++)
        if (!keeps_first_column(blas, rows[t], columns[t], room, room + MOST_TRIED * MOST_TRIED))
            answer = SPREADS;
    free(room);
    atomic_store_explicit(&known, answer, memory_order_relaxed);
    return answer == ISOLATES;
}

#if defined(PREC_S) || defined(PREC_C)
#define LEAST FLT_MIN
#else
#define LEAST DBL_MIN
#endif

/* Smaller numbers may have an infinite reciprocal. */
static bool has_reciprocal(const T *a)
{
    const R *parts = (const R *)a;
    return fabs((double)parts[0]) >= LEAST || fabs((double)parts[REALS - 1]) >= LEAST;
}

/* Also the reciprocals of its diagonal. Elements that are not read do not count: beyond the
 * triangle, and a unit diagonal. */
static bool triangle_is_finite(const gbl_product_args *call)
{
    const bool upper = call->uplo == GABLE_UPPER;
    const int64_t n = call->n, skipped = call->diag == GABLE_UNIT;
    bool finite = true;
    for (int64_t j = 0; finite && j < n; j++) {
        const int64_t first = upper ? 0 : j + skipped, last = upper ? j + 1 - skipped : n;
        const T *const column = (const T *)call->A + j * call->lda;
        finite = (skipped || has_reciprocal(column + j)) &&
                 PRIVATE(all_finite)((const R *)(column + first), (last - first) * REALS);
    }
    return finite;
}

/* gbl_cpu_strmm_blas gbl_cpu_dtrmm_blas gbl_cpu_ctrmm_blas gbl_cpu_ztrmm_blas */
GBL_CPU_TASK(PRIVATE(trmm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    blas_call p;
    TRY(begin_triangle(PRIVATE(trmm_omp), call, &p, message));
    if (!p.done)
        p.blas->BLAS(trmm)(GBL_CPU_BLAS_COLUMNS, (int)call->side, (int)call->uplo,
                           trans_of(call->trans), (int)call->diag, (int)call->m, (int)call->n,
                           PASSED(p.alpha), call->A, (int)call->lda, call->B, (int)call->ldb);
    return GABLE_OK;
}

/* gbl_cpu_strsm_blas gbl_cpu_dtrsm_blas gbl_cpu_ctrsm_blas gbl_cpu_ztrsm_blas */
GBL_CPU_TASK(PRIVATE(trsm_blas))
{
    (void)queue, (void)stream;
    const gbl_product_args *call = args;
    blas_call p;
    TRY(begin_triangle(PRIVATE(trsm_omp), call, &p, message));
    if (p.done)
        return GABLE_OK;
    if (call->side == GABLE_RIGHT && !isolates(p.blas) && !triangle_is_finite(call))
        return PRIVATE(trsm_omp)(NULL, NULL, call, message);
    solve_by_blas(p.blas, call, p.alpha);
    return GABLE_OK;
}
