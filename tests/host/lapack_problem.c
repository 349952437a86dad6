/* lapack_problem.c: a call of a routine of LAPACK on host arrays, and whether its result is right.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "lapack_problem.h"

#define N     LAPACK_N
#define SIDES LAPACK_SIDES
#define LD    LAPACK_LD
#define GUARD LAPACK_GUARD
#define HALF  ((N + 1) / 2) /* between the rows of a reflector */

bool lapack_problem_equal(number a, number b)
{
    return a.re == b.re && a.im == b.im;
}

static bool is_complex(const lapack_problem *p)
{
    return p->letter >= 2;
}

static void put(const lapack_problem *p, char *array, size_t at, number value)
{
    number_put(p->letter, array, at, value);
}

number lapack_problem_get(const lapack_problem *p, const char *array, size_t at)
{
    return number_get(p->letter, array, at);
}

bool lapack_problem_names(const lapack_problem *p, int i, int j)
{
    const bool one = p->args.routine >= LAPACK_POTRF && p->args.routine < LAPACK_GEQRF,
               unit = p->args.diag == GABLE_UNIT;
    return !one || (i == j ? !unit : (i < j) == (p->args.uplo == GABLE_UPPER));
}

static number lower(int i, int j)
{
    return (number){i == j ? 1 : j == 0 && i > 0 ? 0.5 : 0, 0};
}

static number upper(const lapack_problem *p, int i, int j)
{
    return i == j ? (number){2, 0} : i == 0 && j > 0 ? p->c : (number){0, 0};
}

static number cholesky(const lapack_problem *p, int i, int j)
{
    return i == j ? (number){2, 0} : j == 0 && i > 0 ? p->c : (number){0, 0};
}

/* What potrf leaves at (i, j), and what trtrs and trtri take. */
number lapack_problem_factor(const lapack_problem *p, int i, int j)
{
    const bool up = p->args.uplo == GABLE_UPPER;
    if (p->args.routine < LAPACK_TRTRS)
        return up ? number_conjugate(cholesky(p, j, i)) : cholesky(p, i, j);
    if (p->args.diag == GABLE_UNIT)
        return up ? lower(j, i) : lower(i, j);
    return up ? upper(p, i, j) : cholesky(p, i, j);
}

/* ---- QR ---- */

static bool by_rows(const lapack_problem *p)
{
    const lapack_routine routine = p->args.routine;
    return routine == LAPACK_GELQF || routine == LAPACK_ORGLQ || routine == LAPACK_ORMLQ;
}

static number triangle_of_qr(const lapack_problem *p, int i, int j)
{
    return i == j ? (number){i + HALF < N ? -2 : 2, 0} : i == 0 && j > 0 ? p->c : (number){0, 0};
}

/* Row i of Q has one element that is not zero, in this column. */
static int partner(int i)
{
    return i + HALF < N ? i + HALF : i >= HALF ? i - HALF : i;
}

static number unitary(int i, int j)
{
    return (number){j != partner(i) ? 0 : i == j ? 1 : -1, 0};
}

/* Q R; zeros are positive, because the sign of a reflector's first element counts. */
static number product_of_qr(const lapack_problem *p, int i, int j)
{
    const number moved = triangle_of_qr(p, partner(i), j);
    return partner(i) == i ? moved : (number){0 - moved.re, 0 - moved.im};
}

/* What geqrf leaves. */
static number factored_qr(const lapack_problem *p, int i, int j)
{
    return i <= j ? triangle_of_qr(p, i, j) : (number){i == j + HALF, 0};
}

/* An element of a matrix that stands as it is, or as its conjugate transpose. */
static number either(const lapack_problem *p, number (*of)(const lapack_problem *, int, int), int i,
                     int j)
{
    return by_rows(p) ? number_conjugate(of(p, j, i)) : of(p, i, j);
}

static bool is_formed(lapack_routine routine)
{
    return routine == LAPACK_ORGQR || routine == LAPACK_ORGLQ;
}

static bool is_applied(lapack_routine routine)
{
    return routine == LAPACK_ORMQR || routine == LAPACK_ORMLQ;
}

static number element(const lapack_problem *p, int i, int j)
{
    const int row = N - 1 - i;
    number sum = {0, 0};
    if (is_formed(p->args.routine) || is_applied(p->args.routine))
        return unitary(i, j);
    if (p->args.routine >= LAPACK_GEQRF)
        return either(p, product_of_qr, i, j);
    if (p->args.routine >= LAPACK_TRTRS)
        return lapack_problem_factor(p, i, j);
    for (int l = 0; l < N; l++)
        sum = number_plus(
            sum, p->args.routine < LAPACK_POTRF
                     ? number_times(lower(row, l), upper(p, l, j))
                     : number_times(cholesky(p, i, l), number_conjugate(cholesky(p, j, l))));
    return sum;
}

static bool is_after_factoring(lapack_routine routine)
{
    return routine == LAPACK_GETRS || routine == LAPACK_GETRI || routine == LAPACK_POTRS ||
           routine == LAPACK_POTRI || is_formed(routine) || is_applied(routine);
}

static bool has_tau(lapack_routine routine)
{
    return routine >= LAPACK_GEQRF && routine < LAPACK_GELS;
}

/* What getrf, potrf or geqrf leave. */
static number factored(const lapack_problem *p, int i, int j)
{
    if (p->args.routine >= LAPACK_GEQRF)
        return either(p, factored_qr, i, j);
    if (p->args.routine >= LAPACK_POTRF)
        return lapack_problem_factor(p, i, j);
    return i > j ? lower(i, j) : upper(p, i, j);
}

/* op(M)(i, j). Q is its own inverse: applied to Q X it gives X, as a solver does. */
static number turned(const lapack_problem *p, int i, int j)
{
    if (p->args.trans == GABLE_NO_TRANS)
        return p->matrix[i][j];
    return p->args.trans == GABLE_TRANS ? p->matrix[j][i] : number_conjugate(p->matrix[j][i]);
}

static void fill(lapack_problem *p)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            p->matrix[i][j] = element(p, i, j);
            p->in[i][j] = is_after_factoring(p->args.routine) ? factored(p, i, j) : p->matrix[i][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < SIDES; j++)
            p->x[i][j] = (number){(i + 3 * j) % 7 - 3, is_complex(p) ? (i + j) % 3 - 1 : 0};
    memset(p->sides, 0, sizeof p->sides);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < SIDES; j++)
            for (int l = 0; l < N; l++)
                p->sides[i][j] =
                    number_plus(p->sides[i][j], number_times(turned(p, i, l), p->x[l][j]));
}

void lapack_problem_load(lapack_problem *p)
{
    const number guard = {GUARD, 0};
    for (int j = 0; j < N; j++) {
        p->pivots[j] = j + 1 > N - j ? j + 1 : N - j;
        p->ipiv[j] = is_after_factoring(p->args.routine) ? p->pivots[j] : -1;
        for (int i = 0; i < LD; i++)
            put(p, p->A, (size_t)(i + j * LD),
                i < N && lapack_problem_names(p, i, j) ? p->in[i][j] : guard);
    }
    for (int j = 0; j < SIDES; j++)
        for (int i = 0; i < LD; i++)
            put(p, p->B, (size_t)(i + j * LD), i < N ? p->sides[i][j] : guard);
    for (int i = 0; i <= N; i++)
        put(p, p->tau, (size_t)i,
            is_after_factoring(p->args.routine) && i < N ? (number){i + HALF < N, 0} : guard);
    p->ipiv[N] = p->info[0] = p->info[1] = -7;
    p->args.A = p->A;
    p->args.tau = p->tau;
    p->args.B = p->B;
    p->args.lda = p->args.ldb = LD;
    p->args.ipiv = p->ipiv;
    p->args.info = p->info;
}

void lapack_problem_make(lapack_problem *p, int letter, lapack_routine routine, int flags)
{
    static const gable_trans transes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    const bool turns = routine == LAPACK_GETRS || routine == LAPACK_TRTRS,
               triangular = routine == LAPACK_TRTRS || routine == LAPACK_TRTRI,
               adjoint = (routine == LAPACK_GELS || is_applied(routine)) && flags / 2 % 2;
    *p =
        (lapack_problem){.letter = letter,
                         .c = {1, letter >= 2},
                         .args = {.routine = routine,
                                  .uplo = flags % 2 ? GABLE_LOWER : GABLE_UPPER,
                                  .trans = turns     ? transes[flags / 2 % 3]
                                           : adjoint ? transes[letter >= 2 ? 2 : 1]
                                                     : GABLE_NO_TRANS,
                                  .diag = triangular && flags / 2 % 2 ? GABLE_UNIT : GABLE_NON_UNIT,
                                  .n = N,
                                  .nrhs = SIDES}};
    fill(p);
    lapack_problem_load(p);
}

/* ---- What it must be ---- */

static bool has_info(lapack_routine routine)
{
    return routine != LAPACK_GETRS && routine != LAPACK_POTRS && !has_tau(routine);
}

static bool is_inverse_right(const lapack_problem *p)
{
    const bool hermitian = p->args.routine == LAPACK_POTRI;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            number sum = {0, 0};
            for (int l = 0; l < N; l++) {
                number one = lapack_problem_get(p, p->A, (size_t)(i + l * LD));
                if (!lapack_problem_names(p, i, l))
                    one = hermitian
                              ? number_conjugate(lapack_problem_get(p, p->A, (size_t)(l + i * LD)))
                              : (number){i == l && p->args.diag == GABLE_UNIT, 0};
                sum = number_plus(sum, number_times(one, p->matrix[l][j]));
            }
            if (!lapack_problem_equal(sum, (number){i == j, 0}))
                return false;
        }
    return true;
}

static bool is_matrix_right(const lapack_problem *p)
{
    const lapack_routine routine = p->args.routine;
    const bool factors = routine == LAPACK_GETRF || routine == LAPACK_GESV ||
                         routine == LAPACK_POTRF || routine == LAPACK_POSV ||
                         routine == LAPACK_GEQRF || routine == LAPACK_GELQF ||
                         routine == LAPACK_GELS;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (lapack_problem_names(p, i, j) &&
                !lapack_problem_equal(lapack_problem_get(p, p->A, (size_t)(i + j * LD)),
                                      factors              ? factored(p, i, j)
                                      : is_formed(routine) ? p->matrix[i][j]
                                                           : p->in[i][j]))
                return false;
    return true;
}

static bool is_solved(const lapack_problem *p)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < SIDES; j++)
            if (!lapack_problem_equal(lapack_problem_get(p, p->B, (size_t)(i + j * LD)),
                                      p->x[i][j]))
                return false;
    return true;
}

static bool is_tau_right(const lapack_problem *p, const lapack_problem *before)
{
    for (int i = 0; i < N && has_tau(p->args.routine); i++)
        if (!lapack_problem_equal(lapack_problem_get(p, p->tau, (size_t)i),
                                  (number){i + HALF < N, 0}))
            return false;
    const size_t from = has_tau(p->args.routine) ? N * number_bytes(p->letter) : 0;
    return memcmp(p->tau + from, before->tau + from, sizeof p->tau - from) == 0;
}

/* What the routine does not name is as `before`. */
bool lapack_problem_rest(const lapack_problem *p, const lapack_problem *before)
{
    const size_t bytes = number_bytes(p->letter);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < LD; i++) {
            const size_t at = (size_t)(i + j * LD) * bytes;
            if (!(i < N && lapack_problem_names(p, i, j)) &&
                memcmp(p->A + at, before->A + at, bytes) != 0)
                return false;
            if (i >= N && j < SIDES && memcmp(p->B + at, before->B + at, bytes) != 0)
                return false;
        }
    return p->ipiv[N] == -7 && p->info[1] == -7;
}

bool lapack_problem_right(const lapack_problem *p, const lapack_problem *before)
{
    const lapack_routine routine = p->args.routine;
    const bool inverse =
        routine == LAPACK_GETRI || routine == LAPACK_POTRI || routine == LAPACK_TRTRI;
    const bool solver = routine == LAPACK_GESV || routine == LAPACK_POSV ||
                        routine == LAPACK_GETRS || routine == LAPACK_POTRS ||
                        routine == LAPACK_TRTRS || routine == LAPACK_GELS || is_applied(routine);
    const bool pivots = routine <= LAPACK_GETRI;
    return lapack_problem_rest(p, before) && (inverse ? is_inverse_right(p) : is_matrix_right(p)) &&
           (solver ? is_solved(p) : memcmp(p->B, before->B, sizeof p->B) == 0) &&
           is_tau_right(p, before) &&
           (!pivots || memcmp(p->ipiv, p->pivots, sizeof p->pivots) == 0) &&
           p->info[0] == (has_info(routine) ? 0 : -7);
}

bool lapack_problem_untouched(const lapack_problem *p, const lapack_problem *before)
{
    return memcmp(p->A, before->A, sizeof p->A) == 0 && memcmp(p->B, before->B, sizeof p->B) == 0 &&
           memcmp(p->ipiv, before->ipiv, sizeof p->ipiv) == 0 &&
           memcmp(p->tau, before->tau, sizeof p->tau) == 0 &&
           memcmp(p->info, before->info, sizeof p->info) == 0;
}
