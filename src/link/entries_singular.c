/* entries_singular.c: drivers of singular values by LAPACK's Fortran names.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision and spelling, as entries_eigen.c, whose head holds here, too.
 */
#include "link/link_work.h"

/* Work arrays behind work: of gesdd, which has iwork, too, and of gesvd. */
#if COMPLEX
#define WORK_PARAMETERS const void *lwork, R *rwork
#define WORK            lwork, rwork
#define WORK_QUERY      &gbl_link_query, rwork
#else
#define WORK_PARAMETERS const void *lwork
#define WORK            lwork
#define WORK_QUERY      &gbl_link_query
#endif

/* The least lengths of work that LAPACK takes. Its manual asks for more than its own queries answer
 * in some cases. A matrix that is much longer than wide is factored first. */
static int64_t length_of(int job, int64_t m, int64_t n)
{
    const int64_t few = gbl_link_order(gbl_link_shorter(m, n)), most = gbl_link_longer(m, n);
    const int64_t square = few * few;
#if COMPLEX
    const bool factored = most >= few * 17 / 9;
    switch (job) {
    case GABLE_NO_VECTORS:
        return factored ? 3 * few : 2 * few + most;
    case GABLE_OVERWRITE:
        return square + (factored ? square + 3 * few : 2 * few + most);
    case GABLE_SOME_VECTORS:
        return factored ? square + 3 * few : 2 * few + most;
    default:
        return factored ? square + gbl_link_longer(3 * few, few + most) : 2 * few + most;
    }
#else
    const bool factored = most >= few * 11 / 6;
    const int64_t stage = job == GABLE_NO_VECTORS ? 7 * few : 3 * square + 4 * few;
    switch (job) {
    case GABLE_NO_VECTORS:
        return factored ? few + stage : 3 * few + gbl_link_longer(most, stage);
    case GABLE_OVERWRITE:
        return 3 * few + (factored ? 2 * square + stage : gbl_link_longer(most, square + stage));
    case GABLE_SOME_VECTORS:
        return 3 * few + (factored ? square + stage : gbl_link_longer(most, stage));
    default:
        return factored ? square + gbl_link_longer(3 * few + stage, few + most)
                        : 3 * few + gbl_link_longer(most, stage);
    }
#endif
}

/* job: of the vectors of the longer side. */
static int64_t length_of_two(int job, int64_t m, int64_t n)
{
    const int64_t few = gbl_link_order(gbl_link_shorter(m, n)), most = gbl_link_longer(m, n);
    const bool factored = job == GABLE_NO_VECTORS && most >= few * 8 / 5;
    if (COMPLEX)
        return factored ? 3 * few : 2 * few + most;
    return factored ? 5 * few : gbl_link_longer(3 * few + most, 5 * few);
}

/* sgesdd_ dgesdd_ cgesdd_ zgesdd_ */
EXPORTED void ENTRY(gesdd)(const char *jobz, const void *m, const void *n, T *A, const void *lda,
                           R *s, T *U, const void *ldu, T *Vt, const void *ldvt, T *work,
                           WORK_PARAMETERS, void *iwork, void *info, size_t length_j);
void ENTRY(gesdd)(const char *jobz, const void *m, const void *n, T *A, const void *lda, R *s, T *U,
                  const void *ldu, T *Vt, const void *ldvt, T *work, WORK_PARAMETERS, void *iwork,
                  void *info, size_t length_j)
{
    static gbl_link_slot slot = SLOT(gesdd);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone &&
        gbl_link_says_work(bound, work, lwork, length_of(gbl_link_job(jobz), SIZE(m), SIZE(n)),
                           SIZE(m) == 0 || SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) > 0 &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n), gbl_link_shorter(SIZE(m), SIZE(n))) &&
        gbl_link_countable(gbl_link_shorter(SIZE(m), SIZE(n))) &&
        SIZE(lwork) >= length_of(gbl_link_job(jobz), SIZE(m), SIZE(n))) {
        const gbl_link_call call =
            CALL(gesdd, FORTRAN, .job = gbl_link_job(jobz), .m = SIZE(m), .n = SIZE(n), .C = A,
                 .ldc = SIZE(lda), .values = s, .A = U, .lda = SIZE(ldu), .B = Vt,
                 .ldb = SIZE(ldvt), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(gesdd)
            (jobz, m, n, A, lda, s, U, ldu, Vt, ldvt, work, WORK_QUERY, iwork, info, length_j);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(gesdd)(jobz, m, n, A, lda, s, U, ldu, Vt, ldvt, work, WORK, iwork, info, length_j);
    gbl_link_passed(&slot, &mark);
}

/* sgesvd_ dgesvd_ cgesvd_ zgesvd_ */
EXPORTED void ENTRY(gesvd)(const char *jobu, const char *jobvt, const void *m, const void *n, T *A,
                           const void *lda, R *s, T *U, const void *ldu, T *Vt, const void *ldvt,
                           T *work, WORK_PARAMETERS, void *info, size_t length_u, size_t length_v);
void ENTRY(gesvd)(const char *jobu, const char *jobvt, const void *m, const void *n, T *A,
                  const void *lda, R *s, T *U, const void *ldu, T *Vt, const void *ldvt, T *work,
                  WORK_PARAMETERS, void *info, size_t length_u, size_t length_v)
{
    static gbl_link_slot slot = SLOT(gesvd);
    const gbl_link_binding *const bound = BIND();
    gbl_link_mark mark;
    mark.started = 0;
    if (bound->alone &&
        gbl_link_says_work(
            bound, work, lwork,
            length_of_two(gbl_link_job(SIZE(m) >= SIZE(n) ? jobu : jobvt), SIZE(m), SIZE(n)),
            SIZE(m) == 0 || SIZE(n) == 0, info))
        return;
    if (SIZE(lwork) > 0 &&
        gbl_link_large(&slot, bound, SIZE(m), SIZE(n), gbl_link_shorter(SIZE(m), SIZE(n))) &&
        SIZE(lwork) >=
            length_of_two(gbl_link_job(SIZE(m) >= SIZE(n) ? jobu : jobvt), SIZE(m), SIZE(n))) {
        const gbl_link_call call =
            CALL(gesvd, FORTRAN, .job = gbl_link_job(jobu), .job_b = gbl_link_job(jobvt),
                 .m = SIZE(m), .n = SIZE(n), .C = A, .ldc = SIZE(lda), .values = s, .A = U,
                 .lda = SIZE(ldu), .B = Vt, .ldb = SIZE(ldvt), .info = info, .wide = bound->wide);
        if (gbl_link_take(&slot, bound, &call, &mark)) {
            const int64_t outcome = SIZE(info);
            NEXT(gesvd)
            (jobu, jobvt, m, n, A, lda, s, U, ldu, Vt, ldvt, work, WORK_QUERY, info, length_u,
             length_v);
            gbl_link_put_integer(info, bound->wide, 0, outcome);
            return;
        }
    }
    NEXT(gesvd)
    (jobu, jobvt, m, n, A, lda, s, U, ldu, Vt, ldvt, work, WORK, info, length_u, length_v);
    gbl_link_passed(&slot, &mark);
}
