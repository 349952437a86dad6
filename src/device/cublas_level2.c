/* cublas_level2.c: cuBLAS's matrix-vector routines as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device/cublas_matrix.h"

#define NARROW_gemv                                                                                \
    int, int, int, const void *, const void *, int, const void *, int, const void *, void *, int
WIDTHS(gemv, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
       const void *, void *, int64_t)
#define NARROW_symv                                                                                \
    int, int, const void *, const void *, int, const void *, int, const void *, void *, int
WIDTHS(symv, int, int64_t, const void *, const void *, int64_t, const void *, int64_t, const void *,
       void *, int64_t)
#define NARROW_ger int, int, const void *, const void *, int, const void *, int, void *, int
WIDTHS(ger, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *,
       int64_t)
#define NARROW_syr int, int, const void *, const void *, int, void *, int
WIDTHS(syr, int, int64_t, const void *, const void *, int64_t, void *, int64_t)
#define NARROW_syr2 int, int, const void *, const void *, int, const void *, int, void *, int
WIDTHS(syr2, int, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *,
       int64_t)
#define NARROW_trv int, int, int, int, const void *, int, void *, int
WIDTHS(trv, int, int, int, int64_t, const void *, int64_t, void *, int64_t)
#define NARROW_geam                                                                                \
    int, int, int, int, const void *, const void *, int, const void *, const void *, int, void *,  \
        int
WIDTHS(geam, int, int, int64_t, int64_t, const void *, const void *, int64_t, const void *,
       const void *, int64_t, void *, int64_t)
#define NARROW_gemv_batched                                                                        \
    int, int, int, const void *, const void *, int, const void *, int, const void *, void *, int,  \
        int
WIDTHS(gemv_batched, int, int64_t, int64_t, const void *, const void *, int64_t, const void *,
       int64_t, const void *, void *, int64_t, int64_t)
#define NARROW_gemv_strided                                                                        \
    int, int, int, const void *, const void *, int, long long, const void *, int, long long,       \
        const void *, void *, int, long long, int
WIDTHS(gemv_strided, int, int64_t, int64_t, const void *, const void *, int64_t, long long,
       const void *, int64_t, long long, const void *, void *, int64_t, long long, int64_t)

/* By precision; of pairs the second is the conjugated form, which in s and d is the first again. */
static struct {
    gemv_function gemv[4];
    symv_function symv[4], hemv[4];
    ger_function ger[4], gerc[4];
    syr_function syr[4], her[4];
    syr2_function syr2[4], her2[4];
    trv_function trmv[4], trsv[4];
    geam_function geam[4];
    gemv_batched_function gemv_batched[4];
    gemv_strided_function gemv_strided[4];
} api;

/* geam and the batched products never had a name with _v2; the batched ones are of cuBLAS 11.7. */
bool gbl_cublas_load_level2(void *library, const char *suffix)
{
    const char *bare = strstr(suffix, "_64") != NULL ? "_64" : "";
    const gbl_cublas_routine all[] = {
        {.real_name = "gemv", .complex_name = "gemv", .suffix = suffix, .functions = api.gemv},
        {.real_name = "symv", .complex_name = "symv", .suffix = suffix, .functions = api.symv},
        {.real_name = "symv", .complex_name = "hemv", .suffix = suffix, .functions = api.hemv},
        {.real_name = "ger", .complex_name = "geru", .suffix = suffix, .functions = api.ger},
        {.real_name = "ger", .complex_name = "gerc", .suffix = suffix, .functions = api.gerc},
        {.real_name = "syr", .complex_name = "syr", .suffix = suffix, .functions = api.syr},
        {.real_name = "syr", .complex_name = "her", .suffix = suffix, .functions = api.her},
        {.real_name = "syr2", .complex_name = "syr2", .suffix = suffix, .functions = api.syr2},
        {.real_name = "syr2", .complex_name = "her2", .suffix = suffix, .functions = api.her2},
        {.real_name = "trmv", .complex_name = "trmv", .suffix = suffix, .functions = api.trmv},
        {.real_name = "trsv", .complex_name = "trsv", .suffix = suffix, .functions = api.trsv},
        {.real_name = "geam", .complex_name = "geam", .suffix = bare, .functions = api.geam},
        {.real_name = "gemvBatched",
         .complex_name = "gemvBatched",
         .suffix = bare,
         .optional = true,
         .functions = api.gemv_batched},
        {.real_name = "gemvStridedBatched",
         .complex_name = "gemvStridedBatched",
         .suffix = bare,
         .optional = true,
         .functions = api.gemv_strided},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!gbl_cublas_load_four(library, &all[i]))
            return false;
    return true;
}

TASK(run_gemv)
{
    START();
    const int op = operation(a->trans, a->dtype);
    const int result = CALL(
        api.gemv[a->dtype],
        (s.handle, op, a->m, a->n, s.alpha, a->A, a->lda, a->x, a->incx, s.beta, a->y, a->incy),
        (s.handle, op, I(a->m), I(a->n), s.alpha, a->A, I(a->lda), a->x, I(a->incx), s.beta, a->y,
         I(a->incy)));
    return gbl_cublas_end(result, "gemv", message);
}

TASK(run_symv)
{
    START();
    const int fill = fill_mode(a->uplo);
    const int result =
        CALL((a->conj ? api.hemv : api.symv)[a->dtype],
             (s.handle, fill, a->n, s.alpha, a->A, a->lda, a->x, a->incx, s.beta, a->y, a->incy),
             (s.handle, fill, I(a->n), s.alpha, a->A, I(a->lda), a->x, I(a->incx), s.beta, a->y,
              I(a->incy)));
    return gbl_cublas_end(result, "symv", message);
}

TASK(run_ger)
{
    START();
    const int result = CALL(
        (a->conj ? api.gerc : api.ger)[a->dtype],
        (s.handle, a->m, a->n, s.alpha, a->x, a->incx, a->y, a->incy, a->A, a->lda),
        (s.handle, I(a->m), I(a->n), s.alpha, a->x, I(a->incx), a->y, I(a->incy), a->A, I(a->lda)));
    return gbl_cublas_end(result, "ger", message);
}

TASK(run_syr)
{
    START();
    const int fill = fill_mode(a->uplo);
    const int result = CALL((a->conj ? api.her : api.syr)[a->dtype],
                            (s.handle, fill, a->n, s.alpha, a->x, a->incx, a->A, a->lda),
                            (s.handle, fill, I(a->n), s.alpha, a->x, I(a->incx), a->A, I(a->lda)));
    return gbl_cublas_end(result, "syr", message);
}

TASK(run_syr2)
{
    START();
    const int fill = fill_mode(a->uplo);
    const int result = CALL(
        (a->conj ? api.her2 : api.syr2)[a->dtype],
        (s.handle, fill, a->n, s.alpha, a->x, a->incx, a->y, a->incy, a->A, a->lda),
        (s.handle, fill, I(a->n), s.alpha, a->x, I(a->incx), a->y, I(a->incy), a->A, I(a->lda)));
    return gbl_cublas_end(result, "syr2", message);
}

/* trmv and trsv: x is changed in place. */
static gable_status run_triangle(const trv_function *functions, const char *what, gbl_queue *queue,
                                 void *stream, const void *args, gbl_message *message)
{
    START();
    const int fill = fill_mode(a->uplo), op = operation(a->trans, a->dtype),
              diag = diagonal(a->diag);
    const int result =
        CALL(functions[a->dtype], (s.handle, fill, op, diag, a->n, a->A, a->lda, a->x, a->incx),
             (s.handle, fill, op, diag, I(a->n), a->A, I(a->lda), a->x, I(a->incx)));
    return gbl_cublas_end(result, what, message);
}
TASK(run_trmv)
{
    return run_triangle(api.trmv, "trmv", queue, stream, args, message);
}
TASK(run_trsv)
{
    return run_triangle(api.trsv, "trsv", queue, stream, args, message);
}

TASK(run_geam)
{
    START();
    const int op_a = operation(a->trans, a->dtype), op_b = operation(a->trans_b, a->dtype);
    const int result = CALL(api.geam[a->dtype],
                            (s.handle, op_a, op_b, a->m, a->n, s.alpha, a->A, a->lda, s.beta, a->B,
                             a->ldb, a->C, a->ldc),
                            (s.handle, op_a, op_b, I(a->m), I(a->n), s.alpha, a->A, I(a->lda),
                             s.beta, a->B, I(a->ldb), a->C, I(a->ldc)));
    return gbl_cublas_end(result, "geam", message);
}

/* C := op(A), m by n the shape of A: geam with beta = 0. */
TASK(run_transpose)
{
    gbl_matrix_args given = *(const gbl_matrix_args *)args;
    const bool turned = given.trans != GABLE_NO_TRANS;
    given.alpha = (gbl_scalar){.re = 1};
    given.beta = (gbl_scalar){.re = 0};
    given.trans_b = GABLE_NO_TRANS;
    given.B = given.C;
    given.ldb = given.ldc;
    given.m = turned ? ((const gbl_matrix_args *)args)->n : given.m;
    given.n = turned ? ((const gbl_matrix_args *)args)->m : given.n;
    return run_geam(queue, stream, &given, message);
}

TASK(run_gemv_batched)
{
    START();
    const int op = operation(a->trans, a->dtype);
    if (api.gemv_batched[a->dtype].wide == NULL || api.gemv_strided[a->dtype].wide == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "this cuBLAS has no batched gemv; use another variant or cuBLAS 12");
    if (a->pointers) {
        const int result = CALL(api.gemv_batched[a->dtype],
                                (s.handle, op, a->m, a->n, s.alpha, a->A, a->lda, a->x, a->incx,
                                 s.beta, a->y, a->incy, a->batch),
                                (s.handle, op, I(a->m), I(a->n), s.alpha, a->A, I(a->lda), a->x,
                                 I(a->incx), s.beta, a->y, I(a->incy), I(a->batch)));
        return gbl_cublas_end(result, "gemvBatched", message);
    }
    const int result =
        CALL(api.gemv_strided[a->dtype],
             (s.handle, op, a->m, a->n, s.alpha, a->A, a->lda, a->stride_a, a->x, a->incx,
              a->stride_x, s.beta, a->y, a->incy, a->stride_y, a->batch),
             (s.handle, op, I(a->m), I(a->n), s.alpha, a->A, I(a->lda), a->stride_a, a->x,
              I(a->incx), a->stride_x, s.beta, a->y, I(a->incy), a->stride_y, I(a->batch)));
    return gbl_cublas_end(result, "gemvStridedBatched", message);
}

gbl_task_function gbl_cublas_level2_task(const char *stem)
{
    static const gbl_cublas_task tasks[] = {
        {.stem = "gemv", .task = run_gemv},
        {.stem = "symv", .task = run_symv},
        {.stem = "ger", .task = run_ger},
        {.stem = "syr", .task = run_syr},
        {.stem = "syr2", .task = run_syr2},
        {.stem = "trmv", .task = run_trmv},
        {.stem = "trsv", .task = run_trsv},
        {.stem = "geam", .task = run_geam},
        {.stem = "transpose", .task = run_transpose},
        {.stem = "gemv_batched", .task = run_gemv_batched},
    };
    return gbl_cublas_find(tasks, sizeof tasks / sizeof tasks[0], stem);
}
