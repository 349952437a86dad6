/* entries_eigen.c: drivers of eigenvalues of symmetric and Hermitian matrices by LAPACK's Fortran
 * names.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision and spelling, as entries_lapack.c, whose head holds here, too. What
 * lengths of work arrays are best is the next library's to say: it is asked when a call is done.
 * All ways to eigenvalues are one here: syev is syevd, and syevr syevx. Where there is no answer,
 * as of a matrix with NaN, the next library is called with the arrays as they were.
 */
#include "device/hermitian_names.h"
#include "link/link_work.h"

/* Work arrays of syevd, sygvd and syevr behind work and lwork; of syev behind work. */
#if COMPLEX
#define ROOM_PARAMETERS R *rwork, const void *lrwork, void *iwork, const void *liwork
#define ROOM            rwork, lrwork, iwork, liwork
#define ROOM_QUERY      rwork, &gbl_link_query, iwork, &gbl_link_query
#define ROOM_LENGTHS    SIZE(lrwork), SIZE(liwork)
#define WORK_PARAMETERS const void *lwork, R *rwork
#define WORK            lwork, rwork
#define WORK_QUERY      &gbl_link_query, rwork
#else
#define ROOM_PARAMETERS void *iwork, const void *liwork
#define ROOM            iwork, liwork
#define ROOM_QUERY      iwork, &gbl_link_query
#define ROOM_LENGTHS    SIZE(liwork), SIZE(liwork)
#define WORK_PARAMETERS const void *lwork
#define WORK            lwork
#define WORK_QUERY      &gbl_link_query
#endif

/* The least lengths that LAPACK names: of syevd and sygvd; of syevr; of syev. */
typedef struct lengths {
    int64_t work, rwork, iwork;
} lengths;

static lengths lengths_of(int job, int64_t order)
{
    const int64_t n = gbl_link_order(order);
    const bool vectors = job == GABLE_VECTORS;
    const int64_t halves = vectors ? 1 + 5 * n + 2 * n * n : n;
#if COMPLEX
    const int64_t work = vectors ? n * n + 2 * n : n + 1;
#else
    const int64_t work = halves + n + !vectors;
#endif
    return (lengths){.work = work, .rwork = halves, .iwork = vectors ? 3 + 5 * n : 1};
}

static lengths lengths_of_ranges(int64_t order)
{
    const int64_t n = gbl_link_order(order);
    return (lengths){.work = COMPLEX ? 2 * n : 26 * n, .rwork = 24 * n, .iwork = 10 * n};
}

static int64_t length_of_one(int64_t order)
{
    const int64_t n = gbl_link_order(order);
    return COMPLEX ? 2 * n - 1 : 3 * n - 1;
}

static bool has_room(int64_t n, lengths least, int64_t lwork, int64_t lrwork, int64_t liwork)
{
    return gbl_link_countable(n) && lwork >= least.work && (!COMPLEX || lrwork >= least.rwork) &&
           liwork >= least.iwork;
}

/* gbl_link_says of routines with as many work arrays. */
static bool says_lengths(const gbl_link_binding *bound, int64_t n, lengths least, T *work,
                         const void *lwork, ROOM_PARAMETERS, void *info)
{
#if COMPLEX
    const bool asks = SIZE(lwork) == gbl_link_query || SIZE(lrwork) == gbl_link_query ||
                      SIZE(liwork) == gbl_link_query;
    if (gbl_link_tells(bound, lrwork))
        *rwork = gbl_link_length(least.rwork);
#else
    const bool asks = SIZE(lwork) == gbl_link_query || SIZE(liwork) == gbl_link_query;
#endif
    if (gbl_link_tells(bound, lwork))
        gbl_link_put_length(work, least.work);
    if (gbl_link_tells(bound, liwork))
        gbl_link_put_integer(iwork, bound->wide, 0, gbl_link_longer(1, least.iwork));
    return gbl_link_says(bound, asks || n == 0, info);
}

/* ssyevd_ dsyevd_ cheevd_ zheevd_ */
EXPORTED void ENTRY(SYEVD)(const char *jobz, const char *uplo, const void *n, T *A, const void *lda,
                           R *w, T *work, const void *lwork, ROOM_PARAMETERS, void *info,
                           size_t length_j, size_t length_u);
void ENTRY(SYEVD)(const char *jobz, const char *uplo, const void *n, T *A, const void *lda, R *w,
                  T *work, const void *lwork, ROOM_PARAMETERS, void *info, size_t length_j,
                  size_t length_u)
{
    static gbl_link_slot slot = SLOT(SYEVD);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && says_lengths(bound, SIZE(n), lengths_of(gbl_link_job(jobz), SIZE(n)), work,
                                     lwork, ROOM, info))
        return;
    if (SIZE(lwork) > 0 && gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n)) &&
        has_room(SIZE(n), lengths_of(gbl_link_job(jobz), SIZE(n)), SIZE(lwork), ROOM_LENGTHS)) {
        const gbl_link_call call = CALL(
            SYEVD, FORTRAN, .job = gbl_link_job(jobz), .uplo = gbl_link_uplo(uplo), .m = SIZE(n),
            .n = SIZE(n), .C = A, .ldc = SIZE(lda), .values = w, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(SYEVD)
            (jobz, uplo, n, A, lda, w, work, &gbl_link_query, ROOM_QUERY, info, length_j, length_u);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(SYEVD)(jobz, uplo, n, A, lda, w, work, lwork, ROOM, info, length_j, length_u);
    gbl_link_passed(&slot, &mark);
}

/* ssyev_ dsyev_ cheev_ zheev_ */
EXPORTED void ENTRY(SYEV)(const char *jobz, const char *uplo, const void *n, T *A, const void *lda,
                          R *w, T *work, WORK_PARAMETERS, void *info, size_t length_j,
                          size_t length_u);
void ENTRY(SYEV)(const char *jobz, const char *uplo, const void *n, T *A, const void *lda, R *w,
                 T *work, WORK_PARAMETERS, void *info, size_t length_j, size_t length_u)
{
    static gbl_link_slot slot = SLOT(SYEV);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone &&
        gbl_link_says_work(bound, work, lwork, length_of_one(SIZE(n)), SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) > 0 && gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n)) &&
        SIZE(lwork) >= length_of_one(SIZE(n))) {
        const gbl_link_call call = CALL(
            SYEV, FORTRAN, .job = gbl_link_job(jobz), .uplo = gbl_link_uplo(uplo), .m = SIZE(n),
            .n = SIZE(n), .C = A, .ldc = SIZE(lda), .values = w, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(SYEV)(jobz, uplo, n, A, lda, w, work, WORK_QUERY, info, length_j, length_u);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(SYEV)(jobz, uplo, n, A, lda, w, work, WORK, info, length_j, length_u);
    gbl_link_passed(&slot, &mark);
}

/* ssyevr_ dsyevr_ cheevr_ zheevr_. Of vl, vu, il and iu LAPACK reads those of the range. */
EXPORTED void ENTRY(SYEVR)(const char *jobz, const char *range, const char *uplo, const void *n,
                           T *A, const void *lda, const R *vl, const R *vu, const void *il,
                           const void *iu, const R *abstol, void *m, R *w, T *Z, const void *ldz,
                           void *isuppz, T *work, const void *lwork, ROOM_PARAMETERS, void *info,
                           size_t length_j, size_t length_r, size_t length_u);
void ENTRY(SYEVR)(const char *jobz, const char *range, const char *uplo, const void *n, T *A,
                  const void *lda, const R *vl, const R *vu, const void *il, const void *iu,
                  const R *abstol, void *m, R *w, T *Z, const void *ldz, void *isuppz, T *work,
                  const void *lwork, ROOM_PARAMETERS, void *info, size_t length_j, size_t length_r,
                  size_t length_u)
{
    static gbl_link_slot slot = SLOT(SYEVR);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && SIZE(n) == 0)
        gbl_link_put_integer(m, bound->wide, 0, 0);
    if (bound->alone &&
        says_lengths(bound, SIZE(n), lengths_of_ranges(SIZE(n)), work, lwork, ROOM, info))
        return;
    if (SIZE(lwork) > 0 && gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n)) &&
        has_room(SIZE(n), lengths_of_ranges(SIZE(n)), SIZE(lwork), ROOM_LENGTHS)) {
        const int kind = gbl_link_range(range);
        const bool by_number = kind == GABLE_RANGE_INDICES, by_value = kind == GABLE_RANGE_VALUES;
        const int64_t first = by_number ? SIZE(il) : 1, last = by_number ? SIZE(iu) : SIZE(n);
        const gbl_link_call call = CALL(
            SYEVR, FORTRAN, .job = gbl_link_job(jobz), .range = kind, .uplo = gbl_link_uplo(uplo),
            .m = SIZE(n), .n = SIZE(n), .k = last - first + 1, .C = A, .ldc = SIZE(lda), .A = Z,
            .lda = SIZE(ldz), .from = by_value ? (double)*vl : 0, .to = by_value ? (double)*vu : 0,
            .first = first, .last = last, .tolerance = (double)*abstol, .found = m, .values = w,
            .support = isuppz, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info), found = SIZE(m);
            NEXT(SYEVR)
            (jobz, range, uplo, n, A, lda, vl, vu, il, iu, abstol, m, w, Z, ldz, isuppz, work,
             &gbl_link_query, ROOM_QUERY, info, length_j, length_r, length_u);
            gbl_link_put_integer(m, bound->wide, 0, found);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(SYEVR)
    (jobz, range, uplo, n, A, lda, vl, vu, il, iu, abstol, m, w, Z, ldz, isuppz, work, lwork, ROOM,
     info, length_j, length_r, length_u);
    gbl_link_passed(&slot, &mark);
}

/* ssygvd_ dsygvd_ chegvd_ zhegvd_ */
EXPORTED void ENTRY(SYGVD)(const void *itype, const char *jobz, const char *uplo, const void *n,
                           T *A, const void *lda, T *B, const void *ldb, R *w, T *work,
                           const void *lwork, ROOM_PARAMETERS, void *info, size_t length_j,
                           size_t length_u);
void ENTRY(SYGVD)(const void *itype, const char *jobz, const char *uplo, const void *n, T *A,
                  const void *lda, T *B, const void *ldb, R *w, T *work, const void *lwork,
                  ROOM_PARAMETERS, void *info, size_t length_j, size_t length_u)
{
    static gbl_link_slot slot = SLOT(SYGVD);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone && says_lengths(bound, SIZE(n), lengths_of(gbl_link_job(jobz), SIZE(n)), work,
                                     lwork, ROOM, info))
        return;
    if (SIZE(lwork) > 0 && gbl_link_large(&slot, bound, SIZE(n), SIZE(n), SIZE(n)) &&
        has_room(SIZE(n), lengths_of(gbl_link_job(jobz), SIZE(n)), SIZE(lwork), ROOM_LENGTHS)) {
        const gbl_link_call call =
            CALL(SYGVD, FORTRAN, .itype = SIZE(itype), .job = gbl_link_job(jobz),
                 .uplo = gbl_link_uplo(uplo), .m = SIZE(n), .n = SIZE(n), .C = A, .ldc = SIZE(lda),
                 .B = B, .ldb = SIZE(ldb), .values = w, .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(SYGVD)
            (itype, jobz, uplo, n, A, lda, B, ldb, w, work, &gbl_link_query, ROOM_QUERY, info,
             length_j, length_u);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(SYGVD)
    (itype, jobz, uplo, n, A, lda, B, ldb, w, work, lwork, ROOM, info, length_j, length_u);
    gbl_link_passed(&slot, &mark);
}
