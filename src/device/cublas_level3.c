/* cublas_level3.c: cuBLAS's routines on two or three matrices as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As cublas_level2.c. The math mode stays cuBLAS's default: plain single precision, no TF32. trmm
 * writes its product elsewhere in cuBLAS; with B as that place it works in place, as the
 * documentation allows. cuBLAS has no gemmt, and trsm for many matrices only with arrays of
 * addresses.
 */
#include "device/cublas_matrix.h"
#include "device/product_args.h"

#define NARROW_gemm                                                                                \
    int, int, int, int, int, const void *, const void *, int, const void *, int, const void *,     \
        void *, int
WIDTHS(gemm, int, int, int64_t, int64_t, int64_t, const void *, const void *, int64_t, const void *,
       int64_t, const void *, void *, int64_t)
#define NARROW_syrk int, int, int, int, const void *, const void *, int, const void *, void *, int
WIDTHS(syrk, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, void *,
       int64_t)
/* syr2k, and symm with a side in front. */
#define NARROW_syr2k                                                                               \
    int, int, int, int, const void *, const void *, int, const void *, int, const void *, void *,  \
        int
WIDTHS(syr2k, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *,
       int64_t, const void *, void *, int64_t)
#define NARROW_trmm                                                                                \
    int, int, int, int, int, int, const void *, const void *, int, const void *, int, void *, int
WIDTHS(trmm, int, int, int, int, int64_t, int64_t, const void *, const void *, int64_t,
       const void *, int64_t, void *, int64_t)
#define NARROW_trsm int, int, int, int, int, int, const void *, const void *, int, void *, int
WIDTHS(trsm, int, int, int, int, int64_t, int64_t, const void *, const void *, int64_t, void *,
       int64_t)
#define NARROW_gemm_batched                                                                        \
    int, int, int, int, int, const void *, const void *, int, const void *, int, const void *,     \
        void *, int, int
WIDTHS(gemm_batched, int, int, int64_t, int64_t, int64_t, const void *, const void *, int64_t,
       const void *, int64_t, const void *, void *, int64_t, int64_t)
#define NARROW_gemm_strided                                                                        \
    int, int, int, int, int, const void *, const void *, int, long long, const void *, int,        \
        long long, const void *, void *, int, long long, int
WIDTHS(gemm_strided, int, int, int64_t, int64_t, int64_t, const void *, const void *, int64_t,
       long long, const void *, int64_t, long long, const void *, void *, int64_t, long long,
       int64_t)
#define NARROW_trsm_batched                                                                        \
    int, int, int, int, int, int, const void *, const void *, int, void *, int, int
WIDTHS(trsm_batched, int, int, int, int, int64_t, int64_t, const void *, const void *, int64_t,
       void *, int64_t, int64_t)

/* By precision; of pairs the second is the Hermitian form, which in s and d is the first again. */
static struct {
    gemm_function gemm[4];
    syrk_function syrk[4], herk[4];
    syr2k_function syr2k[4], her2k[4], symm[4], hemm[4];
    trmm_function trmm[4];
    trsm_function trsm[4];
    gemm_batched_function gemm_batched[4];
    gemm_strided_function gemm_strided[4];
    trsm_batched_function trsm_batched[4];
} api;

/* Those for many matrices never had a name with _v2. */
bool gbl_cublas_load_level3(void *library, const char *suffix)
{
    const char *bare = strstr(suffix, "_64") != NULL ? "_64" : "";
    const gbl_cublas_routine all[] = {
        {.real_name = "gemm", .complex_name = "gemm", .suffix = suffix, .functions = api.gemm},
        {.real_name = "syrk", .complex_name = "syrk", .suffix = suffix, .functions = api.syrk},
        {.real_name = "syrk", .complex_name = "herk", .suffix = suffix, .functions = api.herk},
        {.real_name = "syr2k", .complex_name = "syr2k", .suffix = suffix, .functions = api.syr2k},
        {.real_name = "syr2k", .complex_name = "her2k", .suffix = suffix, .functions = api.her2k},
        {.real_name = "symm", .complex_name = "symm", .suffix = suffix, .functions = api.symm},
        {.real_name = "symm", .complex_name = "hemm", .suffix = suffix, .functions = api.hemm},
        {.real_name = "trmm", .complex_name = "trmm", .suffix = suffix, .functions = api.trmm},
        {.real_name = "trsm", .complex_name = "trsm", .suffix = suffix, .functions = api.trsm},
        {.real_name = "gemmBatched",
         .complex_name = "gemmBatched",
         .suffix = bare,
         .functions = api.gemm_batched},
        {.real_name = "gemmStridedBatched",
         .complex_name = "gemmStridedBatched",
         .suffix = bare,
         .functions = api.gemm_strided},
        {.real_name = "trsmBatched",
         .complex_name = "trsmBatched",
         .suffix = bare,
         .functions = api.trsm_batched},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!gbl_cublas_load_four(library, &all[i]))
            return false;
    return true;
}

/* cublasSideMode_t */
static int side_mode(gable_side side)
{
    enum { SIDE_LEFT = 0, SIDE_RIGHT = 1 };
    return side == GABLE_RIGHT ? SIDE_RIGHT : SIDE_LEFT;
}

/* What every task starts with; cuBLAS reads the first number alone of scalars that are real. */
static gable_status start_product(gbl_queue *queue, void *stream, const gbl_product_args *a,
                                  started *s, gbl_message *message)
{
    s->alpha = gbl_cublas_place(&a->alpha, a->dtype, &s->alpha_numbers);
    s->beta = gbl_cublas_place(&a->beta, a->dtype, &s->beta_numbers);
    return gbl_cublas_begin_product(queue, stream, a, &s->handle, message);
}

#define START_PRODUCT()                                                                            \
    const gbl_product_args *a = args;                                                              \
    started s;                                                                                     \
    TRY(start_product(queue, stream, a, &s, message))

TASK(run_gemm)
{
    START_PRODUCT();
    const int op_a = operation(a->trans, a->dtype), op_b = operation(a->trans_b, a->dtype);
    const int result = CALL(api.gemm[a->dtype],
                            (s.handle, op_a, op_b, a->m, a->n, a->k, s.alpha, a->A, a->lda, a->B,
                             a->ldb, s.beta, a->C, a->ldc),
                            (s.handle, op_a, op_b, I(a->m), I(a->n), I(a->k), s.alpha, a->A,
                             I(a->lda), a->B, I(a->ldb), s.beta, a->C, I(a->ldc)));
    return gbl_cublas_end(result, "gemm", message);
}

TASK(run_syrk)
{
    START_PRODUCT();
    const int fill = fill_mode(a->uplo), op = operation(a->trans, a->dtype);
    const int result = CALL(
        (a->conj ? api.herk : api.syrk)[a->dtype],
        (s.handle, fill, op, a->n, a->k, s.alpha, a->A, a->lda, s.beta, a->C, a->ldc),
        (s.handle, fill, op, I(a->n), I(a->k), s.alpha, a->A, I(a->lda), s.beta, a->C, I(a->ldc)));
    return gbl_cublas_end(result, "syrk", message);
}

/* syr2k with (fill, op, n, k), symm with (side, fill, m, n). */
static int call_two(syr2k_function function, const started *s, const gbl_product_args *a,
                    const int flags[2], const int64_t sizes[2])
{
    return CALL(function,
                (s->handle, flags[0], flags[1], sizes[0], sizes[1], s->alpha, a->A, a->lda, a->B,
                 a->ldb, s->beta, a->C, a->ldc),
                (s->handle, flags[0], flags[1], I(sizes[0]), I(sizes[1]), s->alpha, a->A, I(a->lda),
                 a->B, I(a->ldb), s->beta, a->C, I(a->ldc)));
}

TASK(run_syr2k)
{
    START_PRODUCT();
    const int flags[] = {fill_mode(a->uplo), operation(a->trans, a->dtype)};
    const int64_t sizes[] = {a->n, a->k};
    const int result = call_two((a->conj ? api.her2k : api.syr2k)[a->dtype], &s, a, flags, sizes);
    return gbl_cublas_end(result, "syr2k", message);
}

TASK(run_symm)
{
    START_PRODUCT();
    const int flags[] = {side_mode(a->side), fill_mode(a->uplo)};
    const int64_t sizes[] = {a->m, a->n};
    const int result = call_two((a->conj ? api.hemm : api.symm)[a->dtype], &s, a, flags, sizes);
    return gbl_cublas_end(result, "symm", message);
}

TASK(run_trmm)
{
    START_PRODUCT();
    const int side = side_mode(a->side), fill = fill_mode(a->uplo),
              op = operation(a->trans, a->dtype), diag = diagonal(a->diag);
    const int result = CALL(api.trmm[a->dtype],
                            (s.handle, side, fill, op, diag, a->m, a->n, s.alpha, a->A, a->lda,
                             a->B, a->ldb, a->B, a->ldb),
                            (s.handle, side, fill, op, diag, I(a->m), I(a->n), s.alpha, a->A,
                             I(a->lda), a->B, I(a->ldb), a->B, I(a->ldb)));
    return gbl_cublas_end(result, "trmm", message);
}

TASK(run_trsm)
{
    START_PRODUCT();
    const int side = side_mode(a->side), fill = fill_mode(a->uplo),
              op = operation(a->trans, a->dtype), diag = diagonal(a->diag);
    const int result =
        CALL(api.trsm[a->dtype],
             (s.handle, side, fill, op, diag, a->m, a->n, s.alpha, a->A, a->lda, a->B, a->ldb),
             (s.handle, side, fill, op, diag, I(a->m), I(a->n), s.alpha, a->A, I(a->lda), a->B,
              I(a->ldb)));
    return gbl_cublas_end(result, "trsm", message);
}

TASK(run_gemm_batched)
{
    START_PRODUCT();
    const int op_a = operation(a->trans, a->dtype), op_b = operation(a->trans_b, a->dtype);
    if (a->pointers) {
        const int result = CALL(api.gemm_batched[a->dtype],
                                (s.handle, op_a, op_b, a->m, a->n, a->k, s.alpha, a->A, a->lda,
                                 a->B, a->ldb, s.beta, a->C, a->ldc, a->batch),
                                (s.handle, op_a, op_b, I(a->m), I(a->n), I(a->k), s.alpha, a->A,
                                 I(a->lda), a->B, I(a->ldb), s.beta, a->C, I(a->ldc), I(a->batch)));
        return gbl_cublas_end(result, "gemmBatched", message);
    }
    const int result = CALL(
        api.gemm_strided[a->dtype],
        (s.handle, op_a, op_b, a->m, a->n, a->k, s.alpha, a->A, a->lda, a->stride_a, a->B, a->ldb,
         a->stride_b, s.beta, a->C, a->ldc, a->stride_c, a->batch),
        (s.handle, op_a, op_b, I(a->m), I(a->n), I(a->k), s.alpha, a->A, I(a->lda), a->stride_a,
         a->B, I(a->ldb), a->stride_b, s.beta, a->C, I(a->ldc), a->stride_c, I(a->batch)));
    return gbl_cublas_end(result, "gemmStridedBatched", message);
}

TASK(run_trsm_batched)
{
    START_PRODUCT();
    const int side = side_mode(a->side), fill = fill_mode(a->uplo),
              op = operation(a->trans, a->dtype), diag = diagonal(a->diag);
    if (!a->pointers)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "cuBLAS takes many matrices for trsm by arrays of addresses only; use "
                        "another variant");
    const int result = CALL(
        api.trsm_batched[a->dtype],
        (s.handle, side, fill, op, diag, a->m, a->n, s.alpha, a->A, a->lda, a->B, a->ldb, a->batch),
        (s.handle, side, fill, op, diag, I(a->m), I(a->n), s.alpha, a->A, I(a->lda), a->B,
         I(a->ldb), I(a->batch)));
    return gbl_cublas_end(result, "trsmBatched", message);
}

gbl_task_function gbl_cublas_level3_task(const char *stem)
{
    static const gbl_cublas_task tasks[] = {
        {.stem = "gemm", .task = run_gemm},
        {.stem = "syrk", .task = run_syrk},
        {.stem = "syr2k", .task = run_syr2k},
        {.stem = "symm", .task = run_symm},
        {.stem = "trmm", .task = run_trmm},
        {.stem = "trsm", .task = run_trsm},
        {.stem = "gemm_batched", .task = run_gemm_batched},
        {.stem = "trsm_batched", .task = run_trsm_batched},
    };
    return gbl_cublas_find(tasks, sizeof tasks / sizeof tasks[0], stem);
}
