/* cublas_band.c: cuBLAS's routines for band and packed matrices as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As cublas_level2.c. cuBLAS has no complex symmetric sbmv, spmv, spr and spr2, only the Hermitian
 * ones.
 */
#include "device/cublas_matrix.h"

#define NARROW_gbmv                                                                                \
    int, int, int, int, int, const void *, const void *, int, const void *, int, const void *,     \
        void *, int
WIDTHS(gbmv, int, int64_t, int64_t, int64_t, int64_t, const void *, const void *, int64_t,
       const void *, int64_t, const void *, void *, int64_t)
#define NARROW_sbmv                                                                                \
    int, int, int, const void *, const void *, int, const void *, int, const void *, void *, int
WIDTHS(sbmv, int, int64_t, int64_t, const void *, const void *, int64_t, const void *, int64_t,
       const void *, void *, int64_t)
#define NARROW_spmv                                                                                \
    int, int, const void *, const void *, const void *, int, const void *, void *, int
WIDTHS(spmv, int, int64_t, const void *, const void *, const void *, int64_t, const void *, void *,
       int64_t)
#define NARROW_tbv int, int, int, int, int, const void *, int, void *, int
WIDTHS(tbv, int, int, int, int64_t, int64_t, const void *, int64_t, void *, int64_t)
#define NARROW_tpv int, int, int, int, const void *, void *, int
WIDTHS(tpv, int, int, int, int64_t, const void *, void *, int64_t)
#define NARROW_spr int, int, const void *, const void *, int, void *
WIDTHS(spr, int, int64_t, const void *, const void *, int64_t, void *)
#define NARROW_spr2 int, int, const void *, const void *, int, const void *, int, void *
WIDTHS(spr2, int, int64_t, const void *, const void *, int64_t, const void *, int64_t, void *)

/* By precision; of pairs the second is the Hermitian form, which in s and d is the first again. */
static struct {
    gbmv_function gbmv[4];
    sbmv_function sbmv[4], hbmv[4];
    spmv_function spmv[4], hpmv[4];
    tbv_function tbmv[4], tbsv[4];
    tpv_function tpmv[4], tpsv[4];
    spr_function spr[4], hpr[4];
    spr2_function spr2[4], hpr2[4];
} api;

bool gbl_cublas_load_band(void *library, const char *suffix)
{
    const gbl_cublas_routine all[] = {
        {.real_name = "gbmv", .complex_name = "gbmv", .suffix = suffix, .functions = api.gbmv},
        {.real_name = "sbmv", .complex_name = NULL, .suffix = suffix, .functions = api.sbmv},
        {.real_name = "sbmv", .complex_name = "hbmv", .suffix = suffix, .functions = api.hbmv},
        {.real_name = "spmv", .complex_name = NULL, .suffix = suffix, .functions = api.spmv},
        {.real_name = "spmv", .complex_name = "hpmv", .suffix = suffix, .functions = api.hpmv},
        {.real_name = "tbmv", .complex_name = "tbmv", .suffix = suffix, .functions = api.tbmv},
        {.real_name = "tbsv", .complex_name = "tbsv", .suffix = suffix, .functions = api.tbsv},
        {.real_name = "tpmv", .complex_name = "tpmv", .suffix = suffix, .functions = api.tpmv},
        {.real_name = "tpsv", .complex_name = "tpsv", .suffix = suffix, .functions = api.tpsv},
        {.real_name = "spr", .complex_name = NULL, .suffix = suffix, .functions = api.spr},
        {.real_name = "spr", .complex_name = "hpr", .suffix = suffix, .functions = api.hpr},
        {.real_name = "spr2", .complex_name = NULL, .suffix = suffix, .functions = api.spr2},
        {.real_name = "spr2", .complex_name = "hpr2", .suffix = suffix, .functions = api.hpr2},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!gbl_cublas_load_four(library, &all[i]))
            return false;
    return true;
}

/* A symmetric routine that cuBLAS has for Hermitian matrices alone. */
static gable_status refuse(const char *what, gbl_message *message)
{
    return gbl_fail(message, GABLE_NOT_SUPPORTED,
                    "cuBLAS has no %s for complex symmetric matrices; use another variant", what);
}

TASK(run_gbmv)
{
    START();
    const int op = operation(a->trans, a->dtype);
    const int result = CALL(api.gbmv[a->dtype],
                            (s.handle, op, a->m, a->n, a->kl, a->ku, s.alpha, a->A, a->lda, a->x,
                             a->incx, s.beta, a->y, a->incy),
                            (s.handle, op, I(a->m), I(a->n), I(a->kl), I(a->ku), s.alpha, a->A,
                             I(a->lda), a->x, I(a->incx), s.beta, a->y, I(a->incy)));
    return gbl_cublas_end(result, "gbmv", message);
}

TASK(run_sbmv)
{
    START();
    const int fill = fill_mode(a->uplo);
    const sbmv_function function = (a->conj ? api.hbmv : api.sbmv)[a->dtype];
    if (function.wide == NULL)
        return refuse("sbmv", message);
    const int result = CALL(
        function,
        (s.handle, fill, a->n, a->ku, s.alpha, a->A, a->lda, a->x, a->incx, s.beta, a->y, a->incy),
        (s.handle, fill, I(a->n), I(a->ku), s.alpha, a->A, I(a->lda), a->x, I(a->incx), s.beta,
         a->y, I(a->incy)));
    return gbl_cublas_end(result, "sbmv", message);
}

TASK(run_spmv)
{
    START();
    const int fill = fill_mode(a->uplo);
    const spmv_function function = (a->conj ? api.hpmv : api.spmv)[a->dtype];
    if (function.wide == NULL)
        return refuse("spmv", message);
    const int result =
        CALL(function, (s.handle, fill, a->n, s.alpha, a->A, a->x, a->incx, s.beta, a->y, a->incy),
             (s.handle, fill, I(a->n), s.alpha, a->A, a->x, I(a->incx), s.beta, a->y, I(a->incy)));
    return gbl_cublas_end(result, "spmv", message);
}

/* tbmv and tbsv: x is changed in place. */
static gable_status run_band(const tbv_function *functions, const char *what, gbl_queue *queue,
                             void *stream, const void *args, gbl_message *message)
{
    START();
    const int fill = fill_mode(a->uplo), op = operation(a->trans, a->dtype),
              diag = diagonal(a->diag);
    const int result = CALL(
        functions[a->dtype], (s.handle, fill, op, diag, a->n, a->ku, a->A, a->lda, a->x, a->incx),
        (s.handle, fill, op, diag, I(a->n), I(a->ku), a->A, I(a->lda), a->x, I(a->incx)));
    return gbl_cublas_end(result, what, message);
}
TASK(run_tbmv)
{
    return run_band(api.tbmv, "tbmv", queue, stream, args, message);
}
TASK(run_tbsv)
{
    return run_band(api.tbsv, "tbsv", queue, stream, args, message);
}

/* tpmv and tpsv, likewise. */
static gable_status run_packed(const tpv_function *functions, const char *what, gbl_queue *queue,
                               void *stream, const void *args, gbl_message *message)
{
    START();
    const int fill = fill_mode(a->uplo), op = operation(a->trans, a->dtype),
              diag = diagonal(a->diag);
    const int result =
        CALL(functions[a->dtype], (s.handle, fill, op, diag, a->n, a->A, a->x, a->incx),
             (s.handle, fill, op, diag, I(a->n), a->A, a->x, I(a->incx)));
    return gbl_cublas_end(result, what, message);
}
TASK(run_tpmv)
{
    return run_packed(api.tpmv, "tpmv", queue, stream, args, message);
}
TASK(run_tpsv)
{
    return run_packed(api.tpsv, "tpsv", queue, stream, args, message);
}

TASK(run_spr)
{
    START();
    const int fill = fill_mode(a->uplo);
    const spr_function function = (a->conj ? api.hpr : api.spr)[a->dtype];
    if (function.wide == NULL)
        return refuse("spr", message);
    const int result = CALL(function, (s.handle, fill, a->n, s.alpha, a->x, a->incx, a->A),
                            (s.handle, fill, I(a->n), s.alpha, a->x, I(a->incx), a->A));
    return gbl_cublas_end(result, "spr", message);
}

TASK(run_spr2)
{
    START();
    const int fill = fill_mode(a->uplo);
    const spr2_function function = (a->conj ? api.hpr2 : api.spr2)[a->dtype];
    if (function.wide == NULL)
        return refuse("spr2", message);
    const int result =
        CALL(function, (s.handle, fill, a->n, s.alpha, a->x, a->incx, a->y, a->incy, a->A),
             (s.handle, fill, I(a->n), s.alpha, a->x, I(a->incx), a->y, I(a->incy), a->A));
    return gbl_cublas_end(result, "spr2", message);
}

gbl_task_function gbl_cublas_band_task(const char *stem)
{
    static const gbl_cublas_task tasks[] = {
        {.stem = "gbmv", .task = run_gbmv}, {.stem = "sbmv", .task = run_sbmv},
        {.stem = "spmv", .task = run_spmv}, {.stem = "tbmv", .task = run_tbmv},
        {.stem = "tbsv", .task = run_tbsv}, {.stem = "tpmv", .task = run_tpmv},
        {.stem = "tpsv", .task = run_tpsv}, {.stem = "spr", .task = run_spr},
        {.stem = "spr2", .task = run_spr2},
    };
    return gbl_cublas_find(tasks, sizeof tasks / sizeof tasks[0], stem);
}
