/* host_problem.c: small problems of level 3 with exact results.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "host_problem.h"

typedef gable_cdouble number;

static bool is_complex(char letter)
{
    return letter == 'c' || letter == 'z';
}

static size_t element(char letter)
{
    return (letter == 's' || letter == 'c' ? 4u : 8u) * (is_complex(letter) ? 2u : 1u);
}

/* Sizes that the compiler knows: most of the time of these tests is here. */
static number get(char letter, const host_matrix *M, int64_t i, int64_t j)
{
    const char *at = M->data + (size_t)(i + j * M->ld) * element(letter);
    float f[2] = {0, 0};
    double d[2] = {0, 0};
    switch (letter) {
    case 's':
        memcpy(f, at, sizeof f[0]);
        return (number){f[0], 0};
    case 'c':
        memcpy(f, at, sizeof f);
        return (number){f[0], f[1]};
    case 'd':
        memcpy(d, at, sizeof d[0]);
        return (number){d[0], 0};
    default:
        memcpy(d, at, sizeof d);
        return (number){d[0], d[1]};
    }
}

static void put(char letter, const host_matrix *M, int64_t i, int64_t j, number value)
{
    char *at = M->data + (size_t)(i + j * M->ld) * element(letter);
    const float f[2] = {(float)value.re, (float)value.im};
    const double d[2] = {value.re, value.im};
    switch (letter) {
    case 's':
        memcpy(at, f, sizeof f[0]);
        break;
    case 'c':
        memcpy(at, f, sizeof f);
        break;
    case 'd':
        memcpy(at, d, sizeof d[0]);
        break;
    default:
        memcpy(at, d, sizeof d);
        break;
    }
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number plus(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static number conjugate(number a)
{
    return (number){a.re, -a.im};
}

/* ---- Data ---- */

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static number small(unsigned *state, char letter)
{
    const double re = (double)(next(state) % 5) - 2, im = (double)(next(state) % 5) - 2;
    return (number){re, is_complex(letter) ? im : 0};
}

static void make_matrix(host_matrix *M, char letter, int64_t rows, int64_t columns, int pad)
{
    *M = (host_matrix){.rows = rows, .columns = columns, .ld = (rows > 0 ? rows : 1) + pad};
    M->bytes = (size_t)(M->ld * columns) * element(letter);
    M->data = malloc(M->bytes > 0 ? M->bytes : 1);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < M->ld; i++)
            put(letter, M, i, j, (number){NAN, is_complex(letter) ? NAN : 0});
}

static void fill(host_matrix *M, char letter, unsigned *state)
{
    for (int64_t j = 0; j < M->columns; j++)
        for (int64_t i = 0; i < M->rows; i++)
            put(letter, M, i, j, small(state, letter));
}

static bool in_triangle(gable_uplo uplo, int64_t i, int64_t j)
{
    return uplo == GABLE_UPPER ? i <= j : i >= j;
}

/* A triangle: the other one is NaN. Of solves the inverse must be exact: off the diagonal only
 * columns of one kind meet rows of the other. */
static void fill_triangle(host_matrix *M, char letter, const host_args *a, unsigned *state)
{
    const bool triangular = a->routine == HOST_TRMM || a->routine == HOST_TRSM;
    for (int64_t j = 0; j < M->columns; j++)
        for (int64_t i = 0; i < M->rows; i++) {
            number value = small(state, letter);
            if (!in_triangle(a->uplo, i, j) || (triangular && i == j && a->diag == GABLE_UNIT))
                continue;
            if (a->routine == HOST_TRSM && i == j)
                value = (number){next(state) % 2 ? 2 : 0.5, 0};
            else if (a->routine == HOST_TRSM && i % 2 == j % 2)
                value = (number){0, 0};
            else if (a->routine == HOST_TRSM && j % 2 == 1)
                value = (number){0, 0};
            put(letter, M, i, j, value);
            if (a->hermitian && i == j) {
                const number there = {value.re, NAN};
                put(letter, M, i, j, there);
            }
        }
}

/* ---- References ---- */

static number turned(char letter, const host_matrix *M, gable_trans trans, int64_t i, int64_t j)
{
    const number value = trans == GABLE_NO_TRANS ? get(letter, M, i, j) : get(letter, M, j, i);
    return trans == GABLE_CONJ_TRANS ? conjugate(value) : value;
}

/* An element of A as the routine understands it. */
static number structured(const host_problem *p, int64_t i, int64_t j)
{
    const host_args *a = &p->args;
    const host_matrix *A = &p->M[0];
    if (a->routine == HOST_SYMM) {
        const bool stored = in_triangle(a->uplo, i, j);
        number value = stored ? get(p->letter, A, i, j) : get(p->letter, A, j, i);
        if (a->hermitian && i == j)
            value.im = 0;
        return a->hermitian && !stored ? conjugate(value) : value;
    }
    const int64_t r = a->transa == GABLE_NO_TRANS ? i : j, c = a->transa == GABLE_NO_TRANS ? j : i;
    if (!in_triangle(a->uplo, r, c))
        return (number){0, 0};
    if (r == c && a->diag == GABLE_UNIT)
        return (number){1, 0};
    const number value = get(p->letter, A, r, c);
    return a->transa == GABLE_CONJ_TRANS ? conjugate(value) : value;
}

static number term_sum(const host_problem *p, int64_t i, int64_t j)
{
    const host_args *a = &p->args;
    const gable_trans other = a->hermitian ? GABLE_CONJ_TRANS : GABLE_TRANS;
    const bool plain = a->transa == GABLE_NO_TRANS;
    number sum = {0, 0}, second = {0, 0};
    if (a->routine == HOST_SYMM) {
        const bool right = a->side == GABLE_RIGHT;
        for (int64_t l = 0; l < (right ? a->n : a->m); l++)
            sum = plus(sum, right ? times(get(p->letter, &p->M[1], i, l), structured(p, l, j))
                                  : times(structured(p, i, l), get(p->letter, &p->M[1], l, j)));
        return times(a->alpha, sum);
    }
    for (int64_t l = 0; l < a->k; l++) {
        const gable_trans t = a->transa;
        if (a->routine == HOST_GEMM || a->routine == HOST_GEMMT) {
            sum = plus(sum, times(turned(p->letter, &p->M[0], t, i, l),
                                  turned(p->letter, &p->M[1], a->transb, l, j)));
            continue;
        }
        const host_matrix *Y = &p->M[a->routine == HOST_SYRK ? 0 : 1];
        const gable_trans left = plain ? GABLE_NO_TRANS : other,
                          right = plain ? other : GABLE_NO_TRANS;
        sum = plus(
            sum, times(turned(p->letter, &p->M[0], left, i, l), turned(p->letter, Y, right, l, j)));
        if (a->routine == HOST_SYR2K)
            second = plus(second, times(turned(p->letter, Y, left, i, l),
                                        turned(p->letter, &p->M[0], right, l, j)));
    }
    const number twin = a->hermitian ? conjugate(a->alpha) : a->alpha;
    return plus(times(a->alpha, sum), times(twin, second));
}

static void refer_c(host_problem *p)
{
    const host_args *a = &p->args;
    const bool part =
        a->routine == HOST_GEMMT || a->routine == HOST_SYRK || a->routine == HOST_SYR2K;
    const bool zero = a->beta.re == 0 && a->beta.im == 0;
    for (int64_t j = 0; j < p->M[2].columns; j++)
        for (int64_t i = 0; i < p->M[2].rows; i++) {
            if (part && !in_triangle(a->uplo, i, j))
                continue;
            number before = zero ? (number){0, 0} : get(p->letter, &p->M[2], i, j);
            if (part && a->hermitian && i == j)
                before.im = 0;
            put(p->letter, &p->right[2], i, j, plus(term_sum(p, i, j), times(a->beta, before)));
        }
}

/* trmm computes; of trsm the right X is chosen, and B made of it: alpha B = op(A) X. */
static void refer_b(host_problem *p)
{
    const host_args *a = &p->args;
    const bool right = a->side == GABLE_RIGHT, solves = a->routine == HOST_TRSM;
    const int64_t order = right ? a->n : a->m;
    host_matrix *from = solves ? &p->right[1] : &p->M[1], *to = solves ? &p->M[1] : &p->right[1];
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = 0; i < a->m; i++) {
            number sum = {0, 0};
            for (int64_t l = 0; l < order; l++)
                sum = plus(sum, right ? times(get(p->letter, from, i, l), structured(p, l, j))
                                      : times(structured(p, i, l), get(p->letter, from, l, j)));
            const number inverse = {1 / a->alpha.re, 0}; /* alpha of solves is a power of two */
            put(p->letter, to, i, j, times(solves ? inverse : a->alpha, sum));
        }
}

/* ---- Problems ---- */

static void copy_matrix(host_matrix *to, const host_matrix *from)
{
    *to = *from;
    to->data = malloc(from->bytes > 0 ? from->bytes : 1);
    memcpy(to->data, from->data, from->bytes);
}

static void sizes_of(const host_args *a, int operand, int64_t *rows, int64_t *columns)
{
    const bool plain_a = a->transa == GABLE_NO_TRANS, plain_b = a->transb == GABLE_NO_TRANS;
    const bool product = a->routine == HOST_GEMM || a->routine == HOST_GEMMT;
    const bool update = a->routine == HOST_SYRK || a->routine == HOST_SYR2K;
    const int64_t m = a->routine == HOST_GEMM ? a->m : a->n,
                  order = a->side == GABLE_RIGHT ? a->n : a->m;
    if (product) {
        *rows = operand == 0 ? (plain_a ? m : a->k) : operand == 1 ? (plain_b ? a->k : a->n) : m;
        *columns = operand == 0   ? (plain_a ? a->k : m)
                   : operand == 1 ? (plain_b ? a->n : a->k)
                                  : a->n;
    } else if (update) {
        const bool none = operand == 1 && a->routine == HOST_SYRK;
        *rows = none ? 0 : operand == 2 ? a->n : plain_a ? a->n : a->k;
        *columns = none ? 0 : operand == 2 ? a->n : plain_a ? a->k : a->n;
    } else {
        const bool none = operand == 2 && a->routine != HOST_SYMM;
        *rows = none ? 0 : operand == 0 ? order : a->m;
        *columns = none ? 0 : operand == 0 ? order : a->n;
    }
}

void host_problem_make(host_problem *p, char letter, const host_args *args, int pad, unsigned seed)
{
    unsigned state = seed;
    const bool sided =
        args->routine == HOST_SYMM || args->routine == HOST_TRMM || args->routine == HOST_TRSM;
    *p = (host_problem){.letter = letter, .args = *args};
    p->output = args->routine == HOST_TRMM || args->routine == HOST_TRSM ? 1 : 2;
    for (int i = 0; i < 3; i++) {
        int64_t rows, columns;
        sizes_of(args, i, &rows, &columns);
        make_matrix(&p->M[i], letter, rows, columns, pad + i);
        if (i == 0 && sided)
            fill_triangle(&p->M[i], letter, args, &state);
        else if (i != 2 || args->beta.re != 0 || args->beta.im != 0)
            fill(&p->M[i], letter, &state);
    }
    const bool part =
        args->routine == HOST_GEMMT || args->routine == HOST_SYRK || args->routine == HOST_SYR2K;
    for (int64_t j = 0; part && j < p->M[2].columns; j++)
        for (int64_t i = 0; i < p->M[2].rows; i++)
            if (!in_triangle(args->uplo, i, j))
                put(letter, &p->M[2], i, j, (number){NAN, is_complex(letter) ? NAN : 0});
    for (int i = 0; i < 3; i++)
        copy_matrix(&p->right[i], &p->M[i]);
    if (p->output == 1)
        refer_b(p);
    else
        refer_c(p);
}

void host_problem_free(host_problem *p)
{
    for (int i = 0; i < 3; i++) {
        free(p->M[i].data);
        free(p->right[i].data);
    }
}

gable_status host_problem_call(gable_context *ctx, const host_problem *p, void *const at[3])
{
    host_args a = p->args;
    a.A = at[0];
    a.B = at[1];
    a.C = at[2];
    a.lda = p->M[0].ld;
    a.ldb = p->M[1].ld;
    a.ldc = p->M[2].ld;
    return p->letter == 's'   ? host_call_s(ctx, &a)
           : p->letter == 'd' ? host_call_d(ctx, &a)
           : p->letter == 'c' ? host_call_c(ctx, &a)
                              : host_call_z(ctx, &a);
}

/* Bytes where the result is no number; else numbers, so that 0 may have either sign. */
bool host_problem_right(const host_problem *p, int operand, const void *memory)
{
    const host_matrix *want = &p->right[operand];
    host_matrix got = *want;
    got.data = (char *)(uintptr_t)memory;
    const size_t elem = element(p->letter);
    for (int64_t j = 0; j < want->columns; j++)
        for (int64_t i = 0; i < want->ld; i++) {
            const size_t at = (size_t)(i + j * want->ld) * elem;
            const number a = get(p->letter, want, i, j), b = get(p->letter, &got, i, j);
            if (memcmp(want->data + at, got.data + at, elem) != 0 &&
                !(i < want->rows && a.re == b.re && a.im == b.im))
                return false;
        }
    return true;
}

bool host_problem_untouched(const host_problem *p, int operand, const void *memory)
{
    return memcmp(p->M[operand].data, memory, p->M[operand].bytes) == 0;
}
