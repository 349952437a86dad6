/* peer_lapack.c: the installed LAPACK, called directly.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its calls are tasks of a cpu context: the benchmark's own, or one opened here when the benchmark
 * is of another device and the user asked for this comparison. A routine is one line of `tasks`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "device/cpu_lapack.h"
#include "lapack/bdsdc.h"
#include "lapack/eigen.h"
#include "peers/peer.h"

static bool suits(const gable_context *ctx)
{
    return ctx->device->props.is_host;
}

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    if (gbl_cpu_lapack_get() == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "not found: %s", gbl_cpu_lapack_reason());
    snprintf(peer->version, sizeof peer->version, "%.150s", gbl_cpu_lapack_name());
    if (suits(peer->ctx))
        return GABLE_OK;
    const gable_status status = gable_open(&peer->ctx, "cpu");
    if (status != GABLE_OK) {
        gbl_fail(message, status, "%s", gable_message(peer->ctx));
        gable_close(peer->ctx);
        return status;
    }
    peer->own_context = true;
    return GABLE_OK;
}

static void close_peer(bench_peer *peer)
{
    if (peer->own_context)
        gable_close(peer->ctx);
}

/* ---- Routines ---- */

#define GETRI_BLOCK 64 /* columns of workspace that it is given: LAPACK's own block size */

#define TASK(name)                                                                                 \
    static gable_status name(gbl_queue *queue, void *stream, const void *given,                    \
                             gbl_message *message)

/* What a task begins with: its arguments, whose sizes LAPACK takes by address. */
#define ARGUMENTS                                                                                  \
    const gbl_product_args *a = given;                                                             \
    const gbl_cpu_lapack *lapack = gbl_cpu_lapack_get();                                           \
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k, lda = (int)a->lda, ldb = (int)a->ldb,   \
              ldc = (int)a->ldc;                                                                   \
    int info = 0;                                                                                  \
    (void)queue, (void)stream, (void)message;                                                      \
    (void)lapack, (void)m, (void)n, (void)k, (void)lda, (void)ldb, (void)ldc

static gable_status end_with(const gbl_product_args *a, int info)
{
    if (a->info != NULL)
        *a->info = info;
    return GABLE_OK;
}

static gable_status no_memory(gbl_message *message)
{
    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory beside LAPACK's call");
}

TASK(task_lacpy)
{
    ARGUMENTS;
    lapack->lacpy[a->dtype]("A", &m, &n, a->A, &lda, a->B, &ldb, 1);
    return end_with(a, info);
}

TASK(task_lascl)
{
    const int none = 0;
    ARGUMENTS;
    const float from = (float)a->alpha.re, to = (float)a->beta.re;
    const bool single = gbl_dtype_real_bytes(a->dtype) == 4;
    lapack->lascl[a->dtype]("G", &none, &none, single ? (const void *)&from : &a->alpha.re,
                            single ? (const void *)&to : &a->beta.re, &m, &n, a->A, &lda, &info, 1);
    return end_with(a, info);
}

TASK(task_potrf)
{
    ARGUMENTS;
    lapack->potrf[a->dtype](gbl_lapack_uplo(a->uplo), &n, a->A, &lda, &info, 1);
    return end_with(a, info);
}

TASK(task_potri)
{
    ARGUMENTS;
    lapack->potri[a->dtype](gbl_lapack_uplo(a->uplo), &n, a->A, &lda, &info, 1);
    return end_with(a, info);
}

TASK(task_lauum)
{
    ARGUMENTS;
    lapack->lauum[a->dtype](gbl_lapack_uplo(a->uplo), &n, a->A, &lda, &info, 1);
    return end_with(a, info);
}

TASK(task_trtri)
{
    ARGUMENTS;
    lapack->trtri[a->dtype](gbl_lapack_uplo(a->uplo), gbl_lapack_diag(a->diag), &n, a->A, &lda,
                            &info, 1, 1);
    return end_with(a, info);
}

/* Solvers have the order of A as m, and the number of right-hand sides as n. */
TASK(task_trtrs)
{
    ARGUMENTS;
    lapack->trtrs[a->dtype](gbl_lapack_uplo(a->uplo), gbl_lapack_trans(a->trans),
                            gbl_lapack_diag(a->diag), &m, &n, a->A, &lda, a->B, &ldb, &info, 1, 1,
                            1);
    return end_with(a, info);
}

TASK(task_potrs)
{
    ARGUMENTS;
    lapack->potrs[a->dtype](gbl_lapack_uplo(a->uplo), &m, &n, a->A, &lda, a->B, &ldb, &info, 1);
    return end_with(a, info);
}

TASK(task_posv)
{
    ARGUMENTS;
    lapack->posv[a->dtype](gbl_lapack_uplo(a->uplo), &m, &n, a->A, &lda, a->B, &ldb, &info, 1);
    return end_with(a, info);
}

/* Norms, a real number each. Sums of rows need a real number per row, those of a symmetric matrix
 * too. */
typedef double norm_of(const gbl_product_args *a, char norm, void *work);

static char norm_letter(gable_norm norm)
{
    return norm == GABLE_MAX_NORM   ? 'M'
           : norm == GABLE_ONE_NORM ? '1'
           : norm == GABLE_INF_NORM ? 'I'
                                    : 'F';
}

static gable_status run_norm(const gbl_product_args *a, norm_of *function, gbl_message *message)
{
    const int64_t lines = a->m > a->n ? a->m : a->n;
    void *work = malloc((size_t)lines * sizeof(double));
    if (work == NULL)
        return no_memory(message);
    const double norm = function(a, norm_letter(a->norm), work);
    if (gbl_dtype_real_bytes(a->dtype) == 4)
        *(float *)a->C = (float)norm;
    else
        *(double *)a->C = norm;
    free(work);
    return GABLE_OK;
}

static double lange_of(const gbl_product_args *a, char norm, void *work)
{
    return gbl_lapack_lange(a->dtype, norm, (int)a->m, (int)a->n, a->A, (int)a->lda, work);
}

static double lansy_of(const gbl_product_args *a, char norm, void *work)
{
    return gbl_lapack_lansy(a->dtype, a->conj, norm, gbl_lapack_uplo(a->uplo), (int)a->n, a->A,
                            (int)a->lda, work);
}

static double lantr_of(const gbl_product_args *a, char norm, void *work)
{
    return gbl_lapack_lantr(a->dtype, norm, gbl_lapack_uplo(a->uplo), gbl_lapack_diag(a->diag),
                            (int)a->m, (int)a->n, a->A, (int)a->lda, work);
}

#define TASK_OF_NORM(stem)                                                                         \
    TASK(task_##stem)                                                                              \
    {                                                                                              \
        (void)queue, (void)stream;                                                                 \
        return run_norm(given, stem##_of, message);                                                \
    }
TASK_OF_NORM(lange)
TASK_OF_NORM(lansy)
TASK_OF_NORM(lantr)

/* Pivots come as int, and are spread from the last on. */
static void widen(int64_t *pivots, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        int one;
        memcpy(&one, (const char *)pivots + (size_t)i * sizeof one, sizeof one);
        pivots[i] = one;
    }
}

TASK(task_getrf)
{
    ARGUMENTS;
    lapack->getrf[a->dtype](&m, &n, a->A, &lda, (int *)(void *)a->ipiv, &info);
    widen(a->ipiv, m < n ? m : n);
    return end_with(a, info);
}

TASK(task_gesv)
{
    ARGUMENTS;
    lapack->gesv[a->dtype](&m, &n, a->A, &lda, (int *)(void *)a->ipiv, a->B, &ldb, &info);
    widen(a->ipiv, m);
    return end_with(a, info);
}

/* Pivots that are an input are copied, which is little beside what is done with them. */
static int *narrow(const gbl_product_args *a)
{
    int *pivots = malloc((size_t)a->m * sizeof *pivots);
    for (int64_t i = 0; pivots != NULL && i < a->m; i++)
        pivots[i] = (int)a->ipiv[i];
    return pivots;
}

TASK(task_getrs)
{
    ARGUMENTS;
    int *pivots = narrow(a);
    if (pivots == NULL)
        return no_memory(message);
    lapack->getrs[a->dtype](gbl_lapack_trans(a->trans), &m, &n, a->A, &lda, pivots, a->B, &ldb,
                            &info, 1);
    free(pivots);
    return end_with(a, info);
}

TASK(task_laswp)
{
    const int inc = 1;
    ARGUMENTS;
    int *pivots = narrow(a);
    if (pivots == NULL)
        return no_memory(message);
    lapack->laswp[a->dtype](&n, a->A, &lda, &k, &m, pivots, &inc);
    free(pivots);
    return end_with(a, info);
}

/* Asked first how much workspace it wants: the first element of `work`, a real number. */
typedef void with_work(const gbl_product_args *a, void *work, const int *lwork, int *info);

static gable_status run_with_work(const gbl_product_args *a, with_work *call, gbl_message *message)
{
    int info = 0, lwork = -1;
    double wanted[2] = {0, 0};
    float single;
    call(a, wanted, &lwork, &info);
    memcpy(&single, wanted, sizeof single);
    lwork = gbl_dtype_real_bytes(a->dtype) == 4 ? (int)single : (int)wanted[0];
    void *work = malloc((size_t)lwork * gbl_dtype_bytes(a->dtype));
    if (work == NULL)
        return no_memory(message);
    call(a, work, &lwork, &info);
    free(work);
    return end_with(a, info);
}

TASK(task_getri)
{
    ARGUMENTS;
    int *pivots = narrow(a);
    if (pivots == NULL)
        return no_memory(message);
    const int lwork = n * GETRI_BLOCK;
    void *work = malloc((size_t)lwork * gbl_dtype_bytes(a->dtype));
    if (work != NULL)
        lapack->getri[a->dtype](&n, a->A, &lda, pivots, work, &lwork, &info);
    free(work);
    free(pivots);
    return work != NULL ? end_with(a, info) : no_memory(message);
}

/* One reflector, T of several, and a block of them with its T. */
TASK(task_larfg)
{
    ARGUMENTS;
    lapack->larfg[a->dtype](&m, a->A, a->B, &ldb, a->tau);
    return end_with(a, info);
}

TASK(task_larft)
{
    ARGUMENTS;
    lapack->larft[a->dtype]("F", "C", &m, &k, a->A, &lda, a->tau, a->B, &ldb, 1, 1);
    return end_with(a, info);
}

TASK(task_larfb)
{
    ARGUMENTS;
    const int wide = a->side == GABLE_LEFT ? n : m;
    void *work = malloc((size_t)wide * (size_t)k * gbl_dtype_bytes(a->dtype));
    if (work == NULL)
        return no_memory(message);
    lapack->larfb[a->dtype](gbl_lapack_side(a->side), gbl_lapack_trans(a->trans), "F", "C", &m, &n,
                            &k, a->A, &lda, a->B, &ldb, a->C, &ldc, work, &wide, 1, 1, 1, 1);
    free(work);
    return end_with(a, info);
}

static void factor_with(gbl_lapack_geqrf *function, const gbl_product_args *a, void *work,
                        const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda;
    function(&m, &n, a->A, &lda, a->tau, work, lwork, info);
}

static void make_with(gbl_lapack_orgqr *function, const gbl_product_args *a, void *work,
                      const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k, lda = (int)a->lda;
    function(&m, &n, &k, a->A, &lda, a->tau, work, lwork, info);
}

static void apply_with(gbl_lapack_ormqr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k, lda = (int)a->lda, ldc = (int)a->ldc;
    function(gbl_lapack_side(a->side), gbl_lapack_trans(a->trans), &m, &n, &k, a->A, &lda, a->tau,
             a->C, &ldc, work, lwork, info, 1, 1);
}

static void solve_with(gbl_lapack_gels *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k, lda = (int)a->lda, ldb = (int)a->ldb;
    function(gbl_lapack_trans(a->trans), &m, &n, &k, a->A, &lda, a->B, &ldb, work, lwork, info, 1);
}

static void tridiagonal_with(gbl_lapack_sytrd *function, const gbl_product_args *a, void *work,
                             const int *lwork, int *info)
{
    const int n = (int)a->n, lda = (int)a->lda;
    function(gbl_lapack_uplo(a->uplo), &n, a->A, &lda, a->d, a->e, a->tau, work, lwork, info, 1);
}

static void hessenberg_with(gbl_lapack_gehrd *function, const gbl_product_args *a, void *work,
                            const int *lwork, int *info)
{
    const int n = (int)a->n, lda = (int)a->lda, ilo = (int)a->ilo, ihi = (int)a->ihi;
    function(&n, &ilo, &ihi, a->A, &lda, a->tau, work, lwork, info);
}

static void bidiagonal_with(gbl_lapack_gebrd *function, const gbl_product_args *a, void *work,
                            const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda;
    function(&m, &n, a->A, &lda, a->d, a->e, a->tau, a->taup, work, lwork, info);
}

static const char *vect_letter(const gbl_product_args *a)
{
    return a->vect == GABLE_VECT_P ? "P" : "Q";
}

static void orgtr_with(gbl_lapack_orgtr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int n = (int)a->n, lda = (int)a->lda;
    function(gbl_lapack_uplo(a->uplo), &n, a->A, &lda, a->tau, work, lwork, info, 1);
}

static void orghr_with(gbl_lapack_orghr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int n = (int)a->n, ilo = (int)a->ilo, ihi = (int)a->ihi, lda = (int)a->lda;
    function(&n, &ilo, &ihi, a->A, &lda, a->tau, work, lwork, info);
}

static void orgbr_with(gbl_lapack_orgbr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k, lda = (int)a->lda;
    function(vect_letter(a), &m, &n, &k, a->A, &lda, a->tau, work, lwork, info, 1);
}

static void ormtr_with(gbl_lapack_ormtr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, lda = (int)a->lda, ldc = (int)a->ldc;
    function(gbl_lapack_side(a->side), gbl_lapack_uplo(a->uplo), gbl_lapack_trans(a->trans), &m, &n,
             a->A, &lda, a->tau, a->C, &ldc, work, lwork, info, 1, 1, 1);
}

static void ormhr_with(gbl_lapack_ormhr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, ilo = (int)a->ilo, ihi = (int)a->ihi, lda = (int)a->lda,
              ldc = (int)a->ldc;
    function(gbl_lapack_side(a->side), gbl_lapack_trans(a->trans), &m, &n, &ilo, &ihi, a->A, &lda,
             a->tau, a->C, &ldc, work, lwork, info, 1, 1);
}

static void ormbr_with(gbl_lapack_ormbr *function, const gbl_product_args *a, void *work,
                       const int *lwork, int *info)
{
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k, lda = (int)a->lda, ldc = (int)a->ldc;
    function(vect_letter(a), gbl_lapack_side(a->side), gbl_lapack_trans(a->trans), &m, &n, &k, a->A,
             &lda, a->tau, a->C, &ldc, work, lwork, info, 1, 1, 1);
}

#define TASK_WITH_WORK(stem, with)                                                                 \
    static void stem##_with_work(const gbl_product_args *a, void *work, const int *lwork,          \
                                 int *info)                                                        \
    {                                                                                              \
        with(gbl_cpu_lapack_get()->stem[a->dtype], a, work, lwork, info);                          \
    }                                                                                              \
    TASK(task_##stem)                                                                              \
    {                                                                                              \
        (void)queue, (void)stream;                                                                 \
        return run_with_work(given, stem##_with_work, message);                                    \
    }
TASK_WITH_WORK(geqrf, factor_with)
TASK_WITH_WORK(gelqf, factor_with)
TASK_WITH_WORK(orgqr, make_with)
TASK_WITH_WORK(orglq, make_with)
TASK_WITH_WORK(ormqr, apply_with)
TASK_WITH_WORK(ormlq, apply_with)
TASK_WITH_WORK(gels, solve_with)
TASK_WITH_WORK(sytrd, tridiagonal_with)
TASK_WITH_WORK(gehrd, hessenberg_with)
TASK_WITH_WORK(gebrd, bidiagonal_with)
TASK_WITH_WORK(orgtr, orgtr_with)
TASK_WITH_WORK(orghr, orghr_with)
TASK_WITH_WORK(orgbr, orgbr_with)
TASK_WITH_WORK(ormtr, ormtr_with)
TASK_WITH_WORK(ormhr, ormhr_with)
TASK_WITH_WORK(ormbr, ormbr_with)

/* Their workspace has parts in three types. */
static gable_status run_eigen(const gbl_product_args *call, gbl_eigen_routine which,
                              gbl_message *message)
{
    gbl_eigen_room room;
    gbl_eigen_library_room(which, call, &room);
    room.work = malloc(room.work_bytes + 16);
    room.rwork = malloc(room.rwork_bytes + 16);
    room.iwork = malloc(room.iwork_bytes + 16);
    const bool enough = room.work != NULL && room.rwork != NULL && room.iwork != NULL;
    if (enough)
        gbl_eigen_library_run(which, call, &room);
    free(room.work), free(room.rwork), free(room.iwork);
    return enough ? GABLE_OK : no_memory(message);
}

#define TASK_OF_EIGEN(stem, which)                                                                 \
    TASK(task_##stem)                                                                              \
    {                                                                                              \
        (void)queue, (void)stream;                                                                 \
        return run_eigen(given, which, message);                                                   \
    }
TASK_OF_EIGEN(syevd, GBL_SYEVD)
TASK_OF_EIGEN(syevx, GBL_SYEVX)
TASK_OF_EIGEN(sygvd, GBL_SYGVD)

/* Likewise; of gesdd and gesvd. */
static gbl_lapack_svd svd_of(const gbl_product_args *a)
{
    return (gbl_lapack_svd){.jobu = gbl_job_letter((int)a->job),
                            .jobvt = gbl_job_letter((int)a->job_b),
                            .m = (int)a->m,
                            .n = (int)a->n,
                            .lda = (int)a->lda,
                            .ldu = a->ldb > 0 ? (int)a->ldb : 1,
                            .ldvt = a->ldc > 0 ? (int)a->ldc : 1,
                            .A = a->A,
                            .s = a->d,
                            .U = a->B,
                            .Vt = a->C,
                            .lwork = -1};
}

static gable_status run_svd(const gbl_product_args *a,
                            int (*call)(gbl_dtype, const gbl_lapack_svd *), gbl_message *message)
{
    const size_t least = (size_t)(a->m < a->n ? a->m : a->n), most = (size_t)(a->m + a->n) - least;
    const size_t reals = 7 * least * least + 2 * most * least + 7 * least + 8;
    gbl_lapack_svd svd = svd_of(a);
    double wanted[2] = {0, 0};
    float single;
    int info = 0;
    void *const rwork = malloc(reals * sizeof(double)), *const iwork =
                                                            malloc((8 * least + 8) * sizeof(int));
    svd.work = wanted;
    svd.rwork = rwork;
    svd.iwork = iwork;
    bool enough = rwork != NULL && iwork != NULL;
    if (enough) {
        call(a->dtype, &svd);
        memcpy(&single, wanted, sizeof single);
        svd.lwork = gbl_dtype_real_bytes(a->dtype) == 4 ? (int)((double)single * (1 + 0x1p-22))
                                                        : (int)wanted[0];
        svd.work = malloc((size_t)svd.lwork * gbl_dtype_bytes(a->dtype));
        enough = svd.work != NULL;
        if (enough)
            info = call(a->dtype, &svd);
        free(svd.work);
    }
    free(rwork);
    free(iwork);
    return enough ? end_with(a, info) : no_memory(message);
}

#define TASK_OF_SVD(stem)                                                                          \
    TASK(task_##stem)                                                                              \
    {                                                                                              \
        (void)queue, (void)stream;                                                                 \
        return run_svd(given, gbl_lapack_##stem, message);                                         \
    }
TASK_OF_SVD(gesdd)
TASK_OF_SVD(gesvd)

TASK(task_bdsdc)
{
    void *work = malloc(gbl_bdsdc_installed_bytes(given));
    (void)queue, (void)stream;
    if (work == NULL)
        return no_memory(message);
    gbl_bdsdc_installed(given, work);
    free(work);
    return GABLE_OK;
}

static gbl_task_function task_of(const char *stem)
{
    static const struct {
        const char *stem;
        gbl_task_function task;
    } tasks[] = {
        {.stem = "lacpy", .task = task_lacpy}, {.stem = "lascl", .task = task_lascl},
        {.stem = "potrf", .task = task_potrf}, {.stem = "potri", .task = task_potri},
        {.stem = "lauum", .task = task_lauum}, {.stem = "trtri", .task = task_trtri},
        {.stem = "trtrs", .task = task_trtrs}, {.stem = "potrs", .task = task_potrs},
        {.stem = "posv", .task = task_posv},   {.stem = "getrf", .task = task_getrf},
        {.stem = "gesv", .task = task_gesv},   {.stem = "getrs", .task = task_getrs},
        {.stem = "laswp", .task = task_laswp}, {.stem = "geqrf", .task = task_geqrf},
        {.stem = "gelqf", .task = task_gelqf}, {.stem = "orgqr", .task = task_orgqr},
        {.stem = "orglq", .task = task_orglq}, {.stem = "ormqr", .task = task_ormqr},
        {.stem = "ormlq", .task = task_ormlq}, {.stem = "getri", .task = task_getri},
        {.stem = "gels", .task = task_gels},   {.stem = "lange", .task = task_lange},
        {.stem = "lansy", .task = task_lansy}, {.stem = "lantr", .task = task_lantr},
        {.stem = "larfg", .task = task_larfg}, {.stem = "larft", .task = task_larft},
        {.stem = "larfb", .task = task_larfb}, {.stem = "sytrd", .task = task_sytrd},
        {.stem = "gehrd", .task = task_gehrd}, {.stem = "bdsdc", .task = task_bdsdc},
        {.stem = "gebrd", .task = task_gebrd}, {.stem = "orgtr", .task = task_orgtr},
        {.stem = "orghr", .task = task_orghr}, {.stem = "orgbr", .task = task_orgbr},
        {.stem = "ormtr", .task = task_ormtr}, {.stem = "ormhr", .task = task_ormhr},
        {.stem = "ormbr", .task = task_ormbr}, {.stem = "syevd", .task = task_syevd},
        {.stem = "syevx", .task = task_syevx}, {.stem = "sygvd", .task = task_sygvd},
        {.stem = "gesdd", .task = task_gesdd}, {.stem = "gesvd", .task = task_gesvd},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    const char *stem = what->op->op->stem;
    (void)peer;
    return task_of(stem) != NULL &&
           GBL_LAPACK_FITS(stem, what->dtype, what->m + what->offset + what->pad,
                           what->n + what->offset + what->pad, what->k + what->offset + what->pad);
}

static gable_status run(bench_peer *peer, const bench_op *op, const bench_call *call)
{
    return gbl_task(peer->ctx, "lapack", task_of(op->op->stem), call, op->op->layout->call_bytes);
}

const bench_peer_kind bench_peer_lapack = {
    .name = "lapack",
    .where = "the cpu",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .run = run,
};
