/* test_link_host.c: the link door over the standard door, on a device that fails at each step of
 * it, or does not answer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_LIBRARY is beside_gable.c. Each case is a process of its own. The device has so little
 * memory that calls are tiled and delivered in panels. All values are whole numbers: whatever
 * fails, the results are right to the last bit, by the device or by the CPU library, and what lies
 * around them is untouched.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../host/beside_device.h"
#include "harness/check.h"

#define N      150
#define LD     (N + 7)
#define GUARD  77777.0
#define SYSTEM 60 /* order of systems, which are not tiled: they fit */
#define SIDES  3
#define ROUNDS 7 /* calls of a case */

enum { FIRED = 0, NOT_FIRED = 3, WRONG = 4, ELSEWHERE = 5 };

extern atomic_long plain_blas_calls;
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *A, const int *lda, double *B,
            const int *ldb, size_t length_s, size_t length_u, size_t length_a, size_t length_d);

void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *ipiv, double *B,
            const int *ldb, int *info);
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t length_u);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *A, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t length_j, size_t length_u);
/* No other library has these. */
void dsyevd_64_(const char *jobz, const char *uplo, const int64_t *n, double *A, const int64_t *lda,
                double *w, double *work, const int64_t *lwork, int64_t *iwork,
                const int64_t *liwork, int64_t *info, size_t length_j, size_t length_u);
void dgesv_64_(const int64_t *n, const int64_t *nrhs, double *A, const int64_t *lda, int64_t *ipiv,
               double *B, const int64_t *ldb, int64_t *info);
void dgemm_64_(const char *transa, const char *transb, const int64_t *m, const int64_t *n,
               const int64_t *k, const double *alpha, const double *A, const int64_t *lda,
               const double *B, const int64_t *ldb, const double *beta, double *C,
               const int64_t *ldc, size_t length_a, size_t length_b);
void dorgqr_64_(const int64_t *m, const int64_t *n, const int64_t *k, double *A, const int64_t *lda,
                const double *tau, double *work, const int64_t *lwork, int64_t *info);
void dgels_64_(const char *trans, const int64_t *m, const int64_t *n, const int64_t *nrhs,
               double *A, const int64_t *lda, double *B, const int64_t *ldb, double *work,
               const int64_t *lwork, int64_t *info, size_t length_t);

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name;
    (void)argument;
    (void)length;
}

static double A[LD * N], B[LD * N], C[LD * N], expected[LD * N];

static void fill(void)
{
    for (int i = 0; i < LD * N; i++) {
        A[i] = i % 5 - 2;
        B[i] = i % 7 - 3;
        C[i] = expected[i] = i % LD < N ? i % 9 - 4 : GUARD;
    }
}

static bool multiply(double beta)
{
    const int n = N, ld = LD;
    const double alpha = 2;
    fill();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int l = 0; l < N; l++)
                sum += A[i + l * LD] * B[l + j * LD];
            expected[i + j * LD] = alpha * sum + beta * C[i + j * LD];
        }
    dgemm_("N", "N", &n, &n, &n, &alpha, A, &ld, B, &ld, &beta, C, &ld, 1, 1);
    return memcmp(C, expected, sizeof C) == 0;
}

/* A has ones on the diagonal, below it, and in the first column, so that numbers stay small. */
static bool solve(void)
{
    const int n = N, ld = LD;
    const double alpha = 2;
    fill();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            A[i + j * LD] = i == j || i == j + 1 || (j == 0 && i > 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double *const x = expected + j * LD;
            x[i] = alpha * x[i] - (i > 0 ? x[0] : 0) - (i > 1 ? x[i - 1] : 0);
        }
    dtrsm_("L", "L", "N", "N", &n, &n, &alpha, A, &ld, C, &ld, 1, 1, 1, 1);
    return memcmp(C, expected, sizeof C) == 0;
}

/* ---- LAPACK ---- */

/* Factors of few small numbers, so that all sums are exact: L has ones on its diagonal and 1/2 in
 * its first column, U has 2 and ones in its first row. The matrix is L U upside down, its pivots
 * known. */
static double factor(int i, int j)
{
    return i == j ? 2 : i > j ? (j == 0 ? 0.5 : 0) : i == 0;
}

static double element(int i, int j)
{
    const int row = SYSTEM - 1 - i;
    return row == 0 ? factor(0, j) : factor(row, 0) * factor(0, j) + (j > 0 && row == j ? 2 : 0);
}

static int64_t pivot(int j)
{
    return j + 1 > SYSTEM - j ? j + 1 : SYSTEM - j;
}

/* A X = B; C is B. */
static void fill_system(void)
{
    fill();
    for (int i = 0; i < LD * N; i++)
        C[i] = expected[i] = GUARD;
    for (int j = 0; j < SYSTEM; j++)
        for (int i = 0; i < SYSTEM; i++)
            A[i + j * LD] = element(i, j);
    for (int c = 0; c < SIDES; c++)
        for (int i = 0; i < SYSTEM; i++) {
            C[i + c * LD] = 0;
            expected[i + c * LD] = (i + c) % 5 - 2;
        }
    for (int c = 0; c < SIDES; c++)
        for (int i = 0; i < SYSTEM; i++)
            for (int l = 0; l < SYSTEM; l++)
                C[i + c * LD] += element(i, l) * expected[l + c * LD];
}

static bool are_factors_right(void)
{
    for (int j = 0; j < SYSTEM; j++)
        for (int i = 0; i < SYSTEM; i++)
            if (A[i + j * LD] != factor(i, j))
                return false;
    return true;
}

static bool solve_system(void)
{
    const int n = SYSTEM, sides = SIDES, ld = LD;
    int ipiv[SYSTEM + 1], info[2] = {-7, -7};
    ipiv[SYSTEM] = -7;
    fill_system();
    dgesv_(&n, &sides, A, &ld, ipiv, C, &ld, info);
    for (int j = 0; j < SYSTEM; j++)
        if (ipiv[j] != pivot(j))
            return false;
    return memcmp(C, expected, sizeof C) == 0 && are_factors_right() && ipiv[SYSTEM] == -7 &&
           info[0] == 0 && info[1] == -7;
}

/* A column of zeros: info says which, and the right-hand sides stay. */
static bool refuse_system(void)
{
    const int n = SYSTEM, sides = SIDES, ld = LD;
    int ipiv[SYSTEM], info[2] = {-7, -7};
    fill_system();
    for (int i = 0; i < SYSTEM; i++)
        A[i + 4 * LD] = 0;
    memcpy(expected, C, sizeof C);
    dgesv_(&n, &sides, A, &ld, ipiv, C, &ld, info);
    return memcmp(C, expected, sizeof C) == 0 && info[0] == 5 && info[1] == -7;
}

/* A = L L^T with 2 on the diagonal of L and ones in its first column. */
static bool factor_cholesky(void)
{
    const int n = SYSTEM, ld = LD;
    int info[2] = {-7, -7};
    fill();
    for (int j = 0; j < SYSTEM; j++)
        for (int i = j; i < SYSTEM; i++) {
            C[i + j * LD] = (j == 0 ? (i == 0 ? 0 : 2) : 1) + (i == j ? 4 : 0);
            expected[i + j * LD] = i == j ? 2 : j == 0;
        }
    dpotrf_("L", &n, C, &ld, info, 1);
    return memcmp(C, expected, sizeof C) == 0 && info[0] == 0 && info[1] == -7;
}

static bool solve_wide(void)
{
    const int64_t n = SYSTEM, sides = SIDES, ld = LD;
    int64_t ipiv[SYSTEM + 1], info[2] = {-7, -7};
    ipiv[SYSTEM] = -7;
    fill_system();
    dgesv_64_(&n, &sides, A, &ld, ipiv, C, &ld, info);
    for (int j = 0; j < SYSTEM; j++)
        if (ipiv[j] != pivot(j))
            return false;
    return memcmp(C, expected, sizeof C) == 0 && are_factors_right() && ipiv[SYSTEM] == -7 &&
           info[0] == 0 && info[1] == -7;
}

/* ---- Eigenvalues ---- */

#define WORK  (1 + 6 * SYSTEM + 2 * SYSTEM * SYSTEM)
#define IWORK (3 + 5 * SYSTEM)
#define BAD   9 /* the place of a NaN */

/* A diagonal matrix of different whole numbers. Its vectors are unit vectors. */
static void fill_diagonal(void)
{
    for (int i = 0; i < LD * N; i++)
        C[i] = expected[i] = GUARD;
    for (int j = 0; j < SYSTEM; j++)
        for (int i = 0; i < SYSTEM; i++) {
            const int rank = i * 7 % SYSTEM;
            expected[i + j * LD] = j == rank;
            if (i >= j)
                C[i + j * LD] = i == j ? rank - 20 : 0;
        }
}

static bool are_vectors_right(const double *w)
{
    for (int i = 0; i < LD * N; i++)
        if (!(C[i] == expected[i]))
            return false;
    for (int i = 0; i < SYSTEM; i++)
        if (w[i] != i - 20)
            return false;
    return w[SYSTEM] == GUARD;
}

static double w[SYSTEM + 1], work[WORK];

static bool find_values(void)
{
    const int n = SYSTEM, ld = LD, lwork = WORK, liwork = IWORK;
    int iwork[IWORK], info[2] = {-7, -7};
    w[SYSTEM] = GUARD;
    fill_diagonal();
    dsyevd_("V", "L", &n, C, &ld, w, work, &lwork, iwork, &liwork, info, 1, 1);
    return are_vectors_right(w) && work[0] == 4321 && iwork[0] == 321 && info[0] == 0 &&
           info[1] == -7;
}

/* A matrix without an answer, and work that is too short, are the next library's. */
static bool pass_on(void)
{
    const int n = SYSTEM, ld = LD, lwork = WORK, less = WORK - 1, liwork = IWORK;
    int iwork[IWORK], info = -7;
    const long calls = plain_blas_calls;
    fill_diagonal();
    C[BAD + BAD * LD] = NAN;
    memcpy(expected, C, sizeof C);
    dsyevd_("V", "L", &n, C, &ld, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    const bool passed =
        plain_blas_calls == calls + 1 && info == -4 && memcmp(C, expected, sizeof C) == 0;
    dsyevd_("V", "L", &n, C, &ld, w, work, &less, iwork, &liwork, &info, 1, 1);
    return passed && plain_blas_calls == calls + 2;
}

static bool find_wide(void)
{
    const int64_t n = SYSTEM, ld = LD, lwork = WORK, liwork = IWORK;
    int64_t iwork[IWORK], info[2] = {-7, -7};
    w[SYSTEM] = GUARD;
    fill_diagonal();
    dsyevd_64_("V", "L", &n, C, &ld, w, work, &lwork, iwork, &liwork, info, 1, 1);
    const bool right = are_vectors_right(w) && info[0] == 0 && info[1] == -7;
    fill_diagonal();
    C[BAD + BAD * LD] = NAN;
    memcpy(expected, C, sizeof C);
    dsyevd_64_("V", "L", &n, C, &ld, w, work, &lwork, iwork, &liwork, info, 1, 1);
    return right && info[0] == -4 && info[1] == -7 && memcmp(C, expected, sizeof C) == 0;
}

/* Of names that no other library has the door itself tells lengths, and what LAPACK says where
 * there is nothing to compute. */
static bool tell_lengths(void)
{
    const int64_t n = SYSTEM, ld = LD, none = 0, one = 1, two = 2, query = -1, lwork = WORK,
                  liwork = IWORK;
    int64_t iwork[IWORK] = {-7}, info[2] = {-7, -7}, ipiv[1] = {-7};
    work[0] = -7;
    dsyevd_64_("V", "L", &n, C, &ld, w, work, &query, iwork, &query, info, 1, 1);
    bool right = work[0] == WORK && iwork[0] == IWORK && info[0] == 0 && info[1] == -7;
    info[0] = -7;
    dsyevd_64_("N", "L", &none, C, &ld, w, work, &one, iwork, &one, info, 1, 1);
    right = right && work[0] >= 1 && iwork[0] == 1 && info[0] == 0 && info[1] == -7;
    info[0] = -7;
    dgesv_64_(&none, &one, A, &ld, ipiv, C, &ld, info);
    right = right && info[0] == 0 && info[1] == -7 && ipiv[0] == -7;
    work[0] = -7;
    dgels_64_("N", &n, &n, &one, A, &ld, C, &ld, work, &query, info, 1);
    right = right && work[0] == 2 * SYSTEM && info[0] == 0;
    C[0] = C[1] = C[2] = GUARD;
    dgels_64_("N", &none, &two, &one, A, &ld, C, &ld, work, &lwork, info, 1);
    right = right && C[0] == 0 && C[1] == 0 && C[2] == GUARD && info[0] == 0;
    fill_diagonal();
    work[0] = -7;
    iwork[0] = -7;
    dsyevd_64_("V", "L", &n, C, &ld, w, work, &lwork, iwork, &liwork, info, 1, 1);
    return right && work[0] == WORK && iwork[0] == IWORK && info[0] == 0;
}

/* Without terms a product scales C, and no reflectors are an identity. */
static bool have_no_terms(void)
{
    const int64_t n = N, few = SYSTEM, ld = LD, none = 0, one = 1, lwork = WORK;
    const double alpha = 2, beta = 3;
    int64_t info = -7;
    fill();
    for (int i = 0; i < LD * N; i++)
        expected[i] *= i % LD < N ? beta : 1;
    dgemm_64_("N", "T", &n, &n, &none, &alpha, A, &ld, B, &ld, &beta, C, &ld, 1, 1);
    const bool scaled = memcmp(C, expected, sizeof C) == 0;
    fill();
    dgemm_64_("T", "N", &n, &n, &none, &alpha, A, &one, B, &one, &beta, C, &ld, 1, 1);
    for (int i = 0; i < LD * N; i++)
        expected[i] *= i % LD < N ? beta : 1;
    const bool turned = memcmp(C, expected, sizeof C) == 0;
    fill();
    dorgqr_64_(&few, &few, &none, C, &ld, w, work, &lwork, &info);
    for (int j = 0; j < SYSTEM; j++)
        for (int i = 0; i < SYSTEM; i++)
            expected[i + j * LD] = i == j;
    return scaled && turned && info == 0 && memcmp(C, expected, sizeof C) == 0;
}

/* ---- Cases ---- */

static bool call(int which)
{
    switch (which) {
    case 0:
        return multiply(3);
    case 1:
        return solve();
    case 2:
        return multiply(0);
    case 3:
        return solve_system();
    case 4:
        return factor_cholesky();
    case 5:
        return find_values();
    default:
        return refuse_system();
    }
}

static bool has_fired(void)
{
    bool (*fired)(void) = NULL;
    void *const library = dlopen(BESIDE_GABLE, RTLD_NOW | RTLD_NOLOAD);
    void *const found = library != NULL ? dlsym(library, "beside_gable_fired") : NULL;
    memcpy(&fired, &found, sizeof fired);
    return fired != NULL && fired();
}

/* The call of each number in a child; the first of them is number `first`. */
static int run_case(int first)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < ROUNDS; i++)
            if (!call((first + i) % ROUNDS))
                _exit(WRONG);
        _exit(has_fired() ? FIRED : plain_blas_calls > 0 ? ELSEWHERE : NOT_FIRED);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static void set_number(const char *variable, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(variable, text, 1);
}

/* Until no operation of the kind is left. */
static int fail_each(int kind, bool always)
{
    int fired = 0;
    set_number("BESIDE_KIND", kind);
    set_number("BESIDE_ALWAYS", always);
    for (int at = 1;; at += 1 + at / 2) {
        set_number("BESIDE_AT", at);
        test_case("operation %d of kind %d fails%s", at, kind, always ? ", and all after it" : "");
        const int code = run_case(at);
        CHECK(code == FIRED || code == NOT_FIRED, "the child ended with %d", code);
        if (code != FIRED)
            break;
        fired++;
    }
    unsetenv("BESIDE_AT");
    return fired;
}

/* A product whose inputs stay as they are can be left at every operation of the device. */
static int run_blocked(void)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const bool right = multiply(0) && multiply(0) && multiply(0);
        exit(!right ? WRONG : has_fired() ? FIRED : NOT_FIRED);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static void block_each(int kind)
{
    int fired = 0;
    set_number("BESIDE_KIND", kind);
    for (int at = 1;; at *= 3) {
        set_number("BESIDE_AT", at);
        test_case("operation %d of kind %d blocks", at, kind);
        const int code = run_blocked();
        CHECK(code == FIRED || code == NOT_FIRED, "the child ended with %d", code);
        if (code != FIRED)
            break;
        fired++;
    }
    CHECK(fired > 0, "no operation of kind %d blocked", kind);
}

/* A call whose device needs longer than GABLE_LINK_LIMIT, and says so, stays there. */
static void wait_for_busy(int which)
{
    int status = -1;
    set_number("BESIDE_BUSY", 1500);
    test_case("call %d on a device that is busy", which);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(call(which) && plain_blas_calls == 0 ? NOT_FIRED : ELSEWHERE);
    const bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    CHECK(ended && WEXITSTATUS(status) == NOT_FIRED, "the child ended with %d",
          ended ? WEXITSTATUS(status) : -1);
    unsetenv("BESIDE_BUSY");
}

int main(void)
{
    test_start("test_link_host");
    setenv("GABLE_LIBRARY", BESIDE_GABLE, 1);
    setenv("GABLE_LINK", "device", 1);
    setenv("GABLE_DEVICE", "beside", 1);
    setenv("GABLE_HOST_MEMORY", "64K", 1);
    setenv("GABLE_TUNING", "off", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    test_case("no fault");
    const int code = run_case(0);
    CHECK(code == NOT_FIRED, "the child ended with %d", code);
    for (int kind = 0; kind < BESIDE_KINDS; kind++)
        for (int always = 0; always < 2; always++) {
            const int fired = fail_each(kind, always);
            CHECK(fired > 0, "no operation of kind %d failed", kind);
        }
    setenv("BESIDE_BLOCK", "1", 1);
    setenv("GABLE_LINK_LIMIT", "30", 1);
    for (int kind = 0; kind < BESIDE_KINDS; kind++)
        block_each(kind);
    unsetenv("BESIDE_BLOCK");
    unsetenv("BESIDE_AT");
    set_number("GABLE_LINK_LIMIT", 500);
    wait_for_busy(2);
    wait_for_busy(5);
    unsetenv("GABLE_LINK_LIMIT");
    for (int at = 1; at < 60; at += 1 + at / 2) {
        set_number("BESIDE_HANG", at);
        test_case("no answer from wait %d on", at);
        const int hung = run_case(at);
        CHECK(hung == ELSEWHERE, "the child ended with %d", hung);
    }
    unsetenv("BESIDE_HANG");
    test_case("64-bit integers");
    CHECK(solve_wide(), "the system is not solved");
    CHECK(find_wide(), "values and vectors are not right");
    test_case("lengths and nothing, where there is no other library");
    CHECK(tell_lengths(), "they are not LAPACK's");
    CHECK(have_no_terms(), "products without terms, or no reflectors, are wrong");
    test_case("no answer");
    CHECK(pass_on(), "the next library was not asked");
    return test_finish();
}
