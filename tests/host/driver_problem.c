/* driver_problem.c: a call of a driver of eigenvalues or singular values on host arrays, and
 * whether its result is right.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Residuals and orthogonality are LAPACK's: below 30 in units of order u norm.
 */
#include <float.h>
#include <math.h>
#include <string.h>
#include "driver_problem.h"

#define MOST  DRIVER_MOST
#define FEW   DRIVER_FEW
#define LD    DRIVER_LD
#define GUARD DRIVER_GUARD
#define BOUND 30

typedef driver_matrix matrix;

static bool is_complex(const driver_problem *p)
{
    return p->letter >= 2;
}

static bool is_singular(const driver_problem *p)
{
    return p->args.routine == DRIVER_GESDD || p->args.routine == DRIVER_GESVD;
}

/* ---- The problem ---- */

/* A reflection: I - 2 v v^H / (v^H v). */
static void make_reflection(const driver_problem *p, int64_t order, int seed, matrix *H)
{
    number v[MOST];
    double sum = 0;
    for (int i = 0; i < order; i++) {
        v[i] = (number){(i * 7 + seed) % 5 - 1, is_complex(p) ? (i * 3 + seed) % 4 - 2 : 0};
        sum += v[i].re * v[i].re + v[i].im * v[i].im;
    }
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++) {
            const number product = number_times(v[i], number_conjugate(v[j]));
            H->at[i][j] = (number){(i == j) - 2 * product.re / sum, -2 * product.im / sum};
        }
}

/* C := A B, A with so many rows, B with so many columns, and the terms between. */
static void multiply(const matrix *A, const matrix *B, int64_t rows, int64_t columns, int64_t terms,
                     matrix *C)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            number sum = {0, 0};
            for (int l = 0; l < terms; l++)
                sum = number_plus(sum, number_times(A->at[i][l], B->at[l][j]));
            C->at[i][j] = sum;
        }
}

static void transpose(const matrix *A, int64_t rows, int64_t columns, matrix *B)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            B->at[j][i] = number_conjugate(A->at[i][j]);
}

static void fill(driver_problem *p)
{
    static matrix H, K, G, product, other;
    const int64_t m = p->args.m, n = p->args.n;
    make_reflection(p, m, 1, &H);
    make_reflection(p, n, is_singular(p) ? 2 : 1, &K);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            product.at[i][j] =
                j < p->count ? (number){H.at[i][j].re * p->values[j], H.at[i][j].im * p->values[j]}
                             : (number){0, 0};
    multiply(&product, &K, m, n, n, &p->matrix);
    if (p->args.routine != DRIVER_SYGVD)
        return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            G.at[i][j] = (number){i == j ? 1 : j == 0 ? 0.5 : 0, 0};
    transpose(&G, n, n, &other);
    multiply(&G, &other, n, n, n, &p->second);
    multiply(&G, &p->matrix, n, n, n, &product);
    multiply(&product, &other, n, n, n, &p->matrix);
}

/* Whether the routine reads element (i, j) of its matrices. */
static bool is_read(const driver_problem *p, int i, int j)
{
    return is_singular(p) || i == j || (i < j) == (p->args.uplo == GABLE_UPPER);
}

void driver_problem_load(driver_problem *p)
{
    const number guard = {GUARD, 0};
    for (int j = 0; j < MOST; j++)
        for (int i = 0; i < LD; i++) {
            const size_t at = (size_t)(i + j * LD);
            const bool inside = i < p->args.m && j < p->args.n && is_read(p, i, j);
            number_put(p->letter, p->A, at, inside ? p->matrix.at[i][j] : guard);
            number_put(p->letter, p->U, at,
                       inside && p->args.routine == DRIVER_SYGVD ? p->second.at[i][j] : guard);
            number_put(p->letter, p->Vt, at, guard);
        }
    for (int i = 0; i <= MOST; i++) {
        number_put(p->letter % 2, p->w, (size_t)i, guard);
        p->ifail[i] = -7;
    }
    p->found[0] = p->found[1] = p->info[0] = p->info[1] = -7;
    p->args.A = p->A;
    p->args.U = p->U;
    p->args.Vt = p->Vt;
    p->args.values = p->w;
    p->args.lda = p->args.ldu = p->args.ldvt = LD;
    p->args.found = p->found;
    p->args.ifail = p->ifail;
    p->args.info = p->info;
}

static const gable_job pairs[][2] = {{GABLE_SOME_VECTORS, GABLE_SOME_VECTORS},
                                     {GABLE_ALL_VECTORS, GABLE_ALL_VECTORS},
                                     {GABLE_OVERWRITE, GABLE_SOME_VECTORS},
                                     {GABLE_SOME_VECTORS, GABLE_OVERWRITE},
                                     {GABLE_NO_VECTORS, GABLE_NO_VECTORS}};
#define PAIRS (int)(sizeof pairs / sizeof pairs[0])

int driver_forms(driver_routine routine)
{
    return routine == DRIVER_SYEVX   ? 6
           : routine == DRIVER_GESDD ? 8
           : routine == DRIVER_GESVD ? 2 * PAIRS
                                     : 4;
}

static void set_range(driver_problem *p, int form)
{
    static const gable_range ranges[] = {GABLE_RANGE_ALL, GABLE_RANGE_VALUES, GABLE_RANGE_INDICES};
    p->args.range = ranges[form / 2];
    p->args.from = -2;
    p->args.to = 3; /* six of them */
    p->args.first = 4;
    p->args.last = 9;
    for (int i = 0, kept = 0; i < MOST; i++) {
        const double value = p->values[i];
        if (p->args.range == GABLE_RANGE_ALL ||
            (p->args.range == GABLE_RANGE_VALUES ? value > -2 && value <= 3 : i >= 3 && i < 9)) {
            p->values[kept++] = value;
            p->count = kept;
        }
    }
}

void driver_problem_make(driver_problem *p, int letter, driver_routine routine, int form)
{
    static const gable_job jobs[] = {GABLE_SOME_VECTORS, GABLE_ALL_VECTORS, GABLE_OVERWRITE,
                                     GABLE_NO_VECTORS};
    *p = (driver_problem){.letter = letter, .args = {.routine = routine, .m = MOST, .n = MOST}};
    p->count = MOST;
    for (int i = 0; i < MOST; i++)
        p->values[i] = i - 6.5;
    p->args.job = form % 2 ? GABLE_NO_VECTORS : GABLE_VECTORS;
    p->args.uplo = form / 2 % 2 ? GABLE_UPPER : GABLE_LOWER;
    if (is_singular(p)) {
        p->count = FEW;
        for (int i = 0; i < FEW; i++)
            p->values[i] = FEW - i;
        *(form % 2 ? &p->args.m : &p->args.n) = FEW;
        p->args.job = routine == DRIVER_GESDD ? jobs[form / 2] : pairs[form / 2][0];
        p->args.job_b = pairs[form / 2 % PAIRS][1];
    }
    fill(p);
    if (routine == DRIVER_SYEVX)
        set_range(p, form);
    driver_problem_load(p);
}

/* ---- What it must be ---- */

/* Which vectors of a side there are, and where. */
typedef struct side {
    const char *array; /* NULL: none */
    int64_t rows, columns;
} side;

static side left_of(const driver_problem *p)
{
    const gable_job job = p->args.job;
    const bool replaced = p->args.routine == DRIVER_GESVD || p->args.m >= p->args.n;
    if (job == GABLE_NO_VECTORS)
        return (side){NULL, 0, 0};
    if (job == GABLE_OVERWRITE)
        return (side){replaced ? p->A : p->U, p->args.m, p->count};
    return (side){p->U, p->args.m, job == GABLE_ALL_VECTORS ? p->args.m : p->count};
}

static side right_of(const driver_problem *p)
{
    const bool two = p->args.routine == DRIVER_GESVD;
    const gable_job job = two ? p->args.job_b : p->args.job;
    if (job == GABLE_NO_VECTORS)
        return (side){NULL, 0, 0};
    if (job == GABLE_OVERWRITE)
        return (side){two || p->args.m < p->args.n ? p->A : p->Vt, p->count, p->args.n};
    return (side){p->Vt, job == GABLE_ALL_VECTORS ? p->args.n : p->count, p->args.n};
}

/* Whether the routine writes element (i, j) of an array. */
static bool is_written(const driver_problem *p, const char *array, int i, int j)
{
    const driver_args *const a = &p->args;
    const bool vectors = a->job == GABLE_VECTORS;
    if (is_singular(p)) {
        const side left = left_of(p), right = right_of(p);
        const bool overwritten = left.array == p->A || right.array == p->A;
        if (array == p->A)
            return overwritten && i < a->m && j < a->n;
        const side one = array == p->U ? left : right;
        return one.array == array && i < one.rows && j < one.columns;
    }
    if (array == p->Vt || i >= a->n)
        return false;
    if (array == p->A)
        return vectors && a->routine != DRIVER_SYEVX;
    return a->routine == DRIVER_SYGVD   ? is_read(p, i, j)
           : a->routine == DRIVER_SYEVX ? vectors && j < p->count
                                        : false;
}

static bool is_rest_kept(const driver_problem *p, const driver_problem *before)
{
    const char *const arrays[] = {p->A, p->U, p->Vt}, *const old[] = {before->A, before->U,
                                                                      before->Vt};
    const size_t bytes = number_bytes(p->letter), real = number_bytes(p->letter % 2);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < MOST; j++)
            for (int i = 0; i < LD; i++) {
                const size_t at = (size_t)(i + j * LD) * bytes;
                if (!is_written(p, arrays[k], i, j) &&
                    memcmp(arrays[k] + at, old[k] + at, bytes) != 0)
                    return false;
            }
    const size_t used = (size_t)p->count * real;
    const bool ranged = p->args.routine == DRIVER_SYEVX;
    const int64_t failed = ranged && p->args.job == GABLE_VECTORS ? p->count : 0;
    return memcmp(p->w + used, before->w + used, sizeof p->w - used) == 0 && p->info[1] == -7 &&
           p->found[1] == -7 && p->found[0] == (ranged ? p->count : -7) &&
           memcmp(p->ifail + failed, before->ifail + failed,
                  sizeof p->ifail - (size_t)failed * sizeof *p->ifail) == 0;
}

static void load(const driver_problem *p, const char *array, int64_t rows, int64_t columns,
                 matrix *X)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            X->at[i][j] = number_get(p->letter, array, (size_t)(i + j * LD));
}

/* The largest element of A - B; NaN counts. */
static double difference(const matrix *A, const matrix *B, int64_t rows, int64_t columns)
{
    double most = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const double one =
                hypot(A->at[i][j].re - B->at[i][j].re, A->at[i][j].im - B->at[i][j].im);
            most = one <= most ? most : one;
        }
    return most;
}

static void make_identity(int64_t order, matrix *X)
{
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++)
            X->at[i][j] = (number){i == j, 0};
}

static bool is_small(const driver_problem *p, double error, double norm)
{
    return error <= BOUND * MOST * norm * (p->letter % 2 ? DBL_EPSILON : (double)FLT_EPSILON);
}

static bool are_values_right(const driver_problem *p)
{
    for (int i = 0; i < p->count; i++)
        if (!is_small(p, fabs(number_get(p->letter % 2, p->w, (size_t)i).re - p->values[i]), MOST))
            return false;
    return true;
}

/* X diag(values), in place. */
static void scale(const driver_problem *p, int64_t rows, matrix *X)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < p->count; j++)
            X->at[i][j] = number_times(X->at[i][j], (number){p->values[j], 0});
}

/* A Z = B Z W, Z^H B Z = I, where B of syevd and syevx is I. */
static bool are_eigenvectors_right(const driver_problem *p)
{
    static matrix Z, AZ, BZ, adjoint, product, identity;
    const int64_t n = p->args.n;
    if (p->args.job == GABLE_NO_VECTORS)
        return true;
    load(p, p->args.routine == DRIVER_SYEVX ? p->U : p->A, n, p->count, &Z);
    multiply(&p->matrix, &Z, n, p->count, n, &AZ);
    if (p->args.routine == DRIVER_SYGVD)
        multiply(&p->second, &Z, n, p->count, n, &BZ);
    else
        BZ = Z;
    transpose(&Z, n, p->count, &adjoint);
    multiply(&adjoint, &BZ, p->count, p->count, n, &product);
    make_identity(p->count, &identity);
    scale(p, n, &BZ);
    return is_small(p, difference(&AZ, &BZ, n, p->count), 2 * MOST) &&
           is_small(p, difference(&product, &identity, p->count, p->count), 4);
}

/* Columns of X, or rows, are orthonormal. */
static bool is_unitary(const driver_problem *p, const side *one, bool columns)
{
    static matrix X, adjoint, product, identity;
    const int64_t count = columns ? one->columns : one->rows,
                  terms = columns ? one->rows : one->columns;
    load(p, one->array, one->rows, one->columns, &X);
    transpose(&X, one->rows, one->columns, &adjoint);
    if (columns)
        multiply(&adjoint, &X, count, count, terms, &product);
    else
        multiply(&X, &adjoint, count, count, terms, &product);
    make_identity(count, &identity);
    return is_small(p, difference(&product, &identity, count, count), 1);
}

static bool are_singular_vectors_right(const driver_problem *p)
{
    static matrix U, Vt, product;
    const side left = left_of(p), right = right_of(p);
    if (left.array == NULL)
        return true;
    if (!is_unitary(p, &left, true) || !is_unitary(p, &right, false))
        return false;
    load(p, left.array, left.rows, p->count, &U);
    load(p, right.array, p->count, right.columns, &Vt);
    scale(p, left.rows, &U);
    multiply(&U, &Vt, p->args.m, p->args.n, p->count, &product);
    return is_small(p, difference(&product, &p->matrix, p->args.m, p->args.n), MOST);
}

bool driver_problem_right(const driver_problem *p, const driver_problem *before)
{
    return p->info[0] == 0 && is_rest_kept(p, before) && are_values_right(p) &&
           (is_singular(p) ? are_singular_vectors_right(p) : are_eigenvectors_right(p));
}

bool driver_problem_untouched(const driver_problem *p, const driver_problem *before)
{
    return memcmp(p->A, before->A, sizeof p->A) == 0 && memcmp(p->U, before->U, sizeof p->U) == 0 &&
           memcmp(p->Vt, before->Vt, sizeof p->Vt) == 0 &&
           memcmp(p->w, before->w, sizeof p->w) == 0 &&
           memcmp(p->ifail, before->ifail, sizeof p->ifail) == 0 &&
           memcmp(p->found, before->found, sizeof p->found) == 0 && p->info[1] == -7;
}
