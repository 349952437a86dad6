/* bench_factor.c: the error of what a routine of LAPACK gives: its ratios, over their limits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each routine is an identity between matrices, such as P L U = A. Both sides are applied to
 * vectors, which takes as many steps as the matrices have elements: to all unit vectors where that
 * is cheap, else to a few of them, evenly spread, and to one of random signs, so that a wrong
 * element shows wherever it is. The 1-norm of the difference, over what LAPACK's tests divide by,
 * is the ratio. Sums are in double, as those of LAPACK's tests are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_check.h"
#include "factor_check.h"

/* Ratios of solves are not divided by n and grow with its root. A rounding of complex numbers
 * counts 2 sqrt 2, as elsewhere. */
#define SOLVE_LIMIT 30.0

typedef factor_check check;

/* ---- Identities ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The triangle of A that uplo names, and A itself where there is none. */
static bench_part triangle(const check *c, const bench_view *in, int64_t order)
{
    return (bench_part){in, order, order, c->what->uplo, false};
}

/* y := P L U x of what getrf leaves, or its transpose; `between` has as many elements as A has
 * rows or columns. */
static void multiply_factored(const check *c, const bench_view *in, int64_t columns,
                              gable_trans trans, const bench_element *x, bench_element *between,
                              bench_element *y)
{
    const int64_t pivots = least(c->m, columns);
    const bench_part lower = {in, c->m, pivots, GABLE_LOWER, true},
                     upper = {in, pivots, columns, GABLE_UPPER, false};
    if (trans == GABLE_NO_TRANS) {
        bench_multiply(&upper, trans, x, between);
        bench_multiply(&lower, trans, between, y);
        bench_exchange(c->pivots, c->pivot_count, true, y);
        return;
    }
    bench_copy(y, x, c->m);
    bench_exchange(c->pivots, c->pivot_count, false, y);
    bench_multiply(&lower, trans, y, between);
    bench_multiply(&upper, trans, between, y);
}

/* y := L L^H x or U^H U x; swapped: L^H L x or U U^H x. */
static void multiply_square(const check *c, const bench_view *in, int64_t order, bool swapped,
                            const bench_element *x, bench_element *between, bench_element *y)
{
    const bench_part half = triangle(c, in, order);
    const bool turns_first = (c->what->uplo == GABLE_LOWER) != swapped;
    bench_multiply(&half, turns_first ? GABLE_CONJ_TRANS : GABLE_NO_TRANS, x, between);
    bench_multiply(&half, turns_first ? GABLE_NO_TRANS : GABLE_CONJ_TRANS, between, y);
}

/* op(A) X x of a solve; X x is left in `solution`. */
static void multiply_solution(const check *c, const bench_element *x, bench_element *solution,
                              bench_element *between, bench_element *got)
{
    const bench_part X = bench_whole(&c->found[BENCH_B], c->m, c->n),
                     A = bench_whole(&c->given[BENCH_A], c->m, c->m),
                     part = triangle(c, &c->given[BENCH_A], c->m);
    bench_multiply(&X, GABLE_NO_TRANS, x, solution);
    switch (c->what->op->formula) {
    case BENCH_POTRS:
        multiply_square(c, part.in, c->m, false, solution, between, got);
        return;
    case BENCH_GETRS:
        multiply_factored(c, A.in, c->m, c->what->trans, solution, between, got);
        return;
    case BENCH_TRTRS:
        bench_multiply(&part, c->what->trans, solution, got);
        return;
    case BENCH_POSV:
        bench_multiply_hermitian(&part, solution, got);
        return;
    default: /* gesv */
        bench_multiply(&A, GABLE_NO_TRANS, solution, got);
    }
}

static bool solves(const bench_case *what, int identity)
{
    const bench_formula formula = what->op->formula;
    return formula == BENCH_POTRS || formula == BENCH_GETRS || formula == BENCH_TRTRS ||
           (identity == 0 && (formula == BENCH_POSV || formula == BENCH_GESV));
}

/* Solvers that bench_part leave factors, too; of QR and LQ reflectors must be unitary as well. */
static int identities(const check *c)
{
    const bench_formula formula = c->what->op->formula;
    if (formula == BENCH_GELS)
        return bench_least_identities(c);
    if (bench_op_is_singular(c->what->op))
        return bench_singular_identities(c);
    return formula == BENCH_POSV || formula == BENCH_GESV || formula == BENCH_GEQRF ||
                   formula == BENCH_GELQF || formula == BENCH_SYTRD || formula == BENCH_GEHRD ||
                   formula == BENCH_GEBRD ||
                   (bench_is_eigen(c->what->op) && !c->what->op->values_only)
               ? 2
               : 1;
}

/* How long the vectors are that an identity is applied to. */
static int64_t input_length(const check *c, int identity)
{
    const bench_formula formula = c->what->op->formula;
    const bool other = (identity == 1 && formula != BENCH_GELQF) || formula == BENCH_LARFT;
    if (formula == BENCH_GELS)
        return bench_least_input(c, identity);
    if (bench_op_is_singular(c->what->op))
        return bench_singular_input(c, identity);
    if (bench_is_eigen(c->what->op))
        return bench_eigen_input(c);
    return other ? c->m : c->n;
}

/* How long the vectors of a block are; larft has no side. */
static int64_t block_order(const check *c)
{
    return c->what->side == GABLE_LEFT ? c->m : c->n;
}

/* x := H x or H^H x, H = I - V T V^H. */
static void apply_block(const check *c, const bench_view *T, bool adjoint, bench_element *x,
                        const factor_room *room)
{
    const int64_t order = block_order(c);
    const bench_part V = {&c->given[BENCH_A], order, c->k, GABLE_LOWER, true},
                     upper = {T, c->k, c->k, GABLE_UPPER, false};
    bench_multiply(&V, GABLE_CONJ_TRANS, x, room->between);
    bench_multiply(&upper, adjoint ? GABLE_CONJ_TRANS : GABLE_NO_TRANS, room->between, room->spare);
    bench_multiply(&V, GABLE_NO_TRANS, room->spare, room->between);
    for (int64_t i = 0; i < order; i++)
        x[i] = (bench_element){x[i].re - room->between[i].re, x[i].im - room->between[i].im};
}

/* Both sides of H C or C H. */
static int64_t block_sides(const check *c, const factor_room *room)
{
    const bool adjoint = c->what->trans != GABLE_NO_TRANS, left = c->what->side == GABLE_LEFT;
    const bench_part before = bench_whole(&c->given[BENCH_C], c->m, c->n),
                     after = bench_whole(&c->found[BENCH_C], c->m, c->n);
    bench_copy(room->got, room->x, c->n);
    if (!left)
        apply_block(c, &c->given[BENCH_B], adjoint, room->got, room);
    bench_multiply(&before, GABLE_NO_TRANS, room->got, room->want);
    if (left)
        apply_block(c, &c->given[BENCH_B], adjoint, room->want, room);
    bench_multiply(&after, GABLE_NO_TRANS, room->x, room->got);
    return c->m;
}

/* Both sides of Q C or C Q. What gebrd leaves as rows is P^H. */
static int64_t apply_sides(const check *c, const bench_element *x, bench_element *want,
                           bench_element *got)
{
    const bool swapped = c->what->op->formula == BENCH_ORMBR && c->what->vect == GABLE_VECT_P,
               adjoint = (c->what->trans != GABLE_NO_TRANS) != swapped,
               left = c->what->side == GABLE_LEFT;
    const bench_part before = bench_whole(&c->given[BENCH_C], c->m, c->n),
                     after = bench_whole(&c->found[BENCH_C], c->m, c->n);
    if (left) {
        bench_multiply(&before, GABLE_NO_TRANS, x, want);
        bench_reduction_reflect(c, adjoint, want);
    } else {
        bench_copy(got, x, c->n);
        bench_reduction_reflect(c, adjoint, got);
        bench_multiply(&before, GABLE_NO_TRANS, got, want);
    }
    bench_multiply(&after, GABLE_NO_TRANS, x, got);
    return c->m;
}

/* Both sides of A = the first columns of Q, or its first rows. */
static int64_t formed_sides(const check *c, const bench_element *x, bench_element *want,
                            bench_element *got)
{
    const bench_part after = bench_whole(&c->found[BENCH_A], c->m, c->n);
    bench_clear(want, c->m > c->n ? c->m : c->n);
    bench_copy(want, x, c->n);
    bench_reduction_reflect(c, false, want);
    bench_multiply(&after, GABLE_NO_TRANS, x, got);
    return c->m;
}

/* Both sides of an identity times x, and how long they are. */
static int64_t sides_of(const check *c, int identity, const factor_room *room)
{
    const bench_element *x = room->x;
    bench_element *want = room->want, *got = room->got, *between = room->between,
                  *solution = room->solution;
    const int64_t m = c->m, n = c->n, pivots = least(m, n);
    const bench_view *given = &c->given[BENCH_A], *found = &c->found[BENCH_A];
    const bench_part before = bench_whole(given, m, n), after = bench_whole(found, m, n);
    const bench_formula formula = c->what->op->formula;
    if (solves(c->what, identity)) {
        const bench_part B = bench_whole(&c->given[BENCH_B], m, n);
        bench_multiply(&B, GABLE_NO_TRANS, x, want);
        multiply_solution(c, x, solution, between, got);
        return m;
    }
    switch (formula) {
    case BENCH_LASWP:
        bench_multiply(&before, GABLE_NO_TRANS, x, want);
        bench_exchange(c->pivots, c->pivot_count, false, want);
        bench_multiply(&after, GABLE_NO_TRANS, x, got);
        return m;
    case BENCH_GETRF:
        bench_multiply(&before, GABLE_NO_TRANS, x, want);
        multiply_factored(c, found, n, GABLE_NO_TRANS, x, between, got);
        return m;
    case BENCH_GESV: {
        const bench_part square = bench_whole(given, m, m);
        bench_multiply(&square, GABLE_NO_TRANS, x, want);
        multiply_factored(c, found, m, GABLE_NO_TRANS, x, between, got);
        return m;
    }
    case BENCH_POSV: {
        const bench_part part = triangle(c, given, m);
        bench_multiply_hermitian(&part, x, want);
        multiply_square(c, found, m, false, x, between, got);
        return m;
    }
    case BENCH_POTRI: {
        const bench_part part = triangle(c, found, n);
        bench_copy(want, x, n);
        multiply_square(c, given, n, false, x, between, solution);
        bench_multiply_hermitian(&part, solution, got);
        return n;
    }
    case BENCH_TRTRI: {
        const bench_part part = triangle(c, given, n), inverse = triangle(c, found, n);
        bench_copy(want, x, n);
        bench_multiply(&part, GABLE_NO_TRANS, x, between);
        bench_multiply(&inverse, GABLE_NO_TRANS, between, got);
        return n;
    }
    case BENCH_LAUUM: {
        const bench_part part = triangle(c, found, n);
        multiply_square(c, given, n, true, x, between, want);
        bench_multiply_hermitian(&part, x, got);
        return n;
    }
    case BENCH_GEQRF:
        if (identity == 1) {
            bench_copy(want, x, m);
            bench_copy(got, x, m);
            bench_reflect(found, false, c->tau, m, pivots, false, got);
            bench_reflect(found, false, c->tau, m, pivots, true, got);
            return m;
        }
        bench_multiply(&before, GABLE_NO_TRANS, x, want);
        bench_clear(got, m);
        bench_multiply(&(bench_part){found, pivots, n, GABLE_UPPER, false}, GABLE_NO_TRANS, x, got);
        bench_reflect(found, false, c->tau, m, pivots, false, got);
        return m;
    case BENCH_GELQF:
        bench_copy(between, x, n);
        bench_reflect(found, true, c->tau, n, pivots, false, between);
        if (identity == 1) {
            bench_copy(want, x, n);
            bench_copy(got, between, n);
            bench_reflect(found, true, c->tau, n, pivots, true, got);
            return n;
        }
        bench_multiply(&before, GABLE_NO_TRANS, x, want);
        bench_multiply(&(bench_part){found, m, pivots, GABLE_LOWER, false}, GABLE_NO_TRANS, between,
                       got);
        return m;
    case BENCH_ORGQR:
    case BENCH_ORGLQ:
    case BENCH_ORGTR:
    case BENCH_ORGHR:
    case BENCH_ORGBR:
        return formed_sides(c, x, want, got);
    case BENCH_GEBRD:
        return bench_bidiagonal_sides(c, identity, room);
    case BENCH_GETRI:
        bench_copy(want, x, n);
        multiply_factored(c, given, n, GABLE_NO_TRANS, x, between, solution);
        bench_multiply(&after, GABLE_NO_TRANS, solution, got);
        return n;
    case BENCH_GELS:
        return bench_least_sides(c, identity, room);
    case BENCH_SYTRD:
    case BENCH_GEHRD:
        return bench_condensed_sides(c, identity, room);
    case BENCH_SYEVD:
    case BENCH_SYEVX:
    case BENCH_SYGVD:
        return bench_eigen_sides(c, identity, room);
    case BENCH_GESDD:
    case BENCH_BDSDC:
        return bench_singular_sides(c, identity, room);
    case BENCH_LARFT:
        bench_copy(want, x, m);
        bench_copy(got, x, m);
        bench_reflect(given, false, c->tau, m, c->k, false, want);
        apply_block(c, &c->found[BENCH_B], false, got, room);
        return m;
    case BENCH_LARFB:
        return block_sides(c, room);
    default: /* ormqr and its kin */
        return apply_sides(c, x, want, got);
    }
}

/* ---- What LAPACK divides by ---- */

static double squared_norm(const bench_part *half)
{
    return bench_norm1(half, GABLE_NO_TRANS, false) * bench_norm1(half, GABLE_TRANS, false);
}

/* Of reflectors with few elements the roundings of tau and of one product count in full. */
static int64_t long_enough(int64_t length)
{
    return length > 4 ? length : 4;
}

/* Of L U. */
static double factored_norm(const check *c, gable_trans trans)
{
    const bench_part lower = {&c->given[BENCH_A], c->m, c->m, GABLE_LOWER, true},
                     upper = {&c->given[BENCH_A], c->m, c->m, GABLE_UPPER, false};
    return bench_norm1(&lower, trans, false) * bench_norm1(&upper, trans, false);
}

/* Of I - V T V^H where T is any triangle. */
static double block_norm(const check *c)
{
    const int64_t order = block_order(c);
    const bench_part V = {&c->given[BENCH_A], order, c->k, GABLE_LOWER, true},
                     T = {&c->given[BENCH_B], c->k, c->k, GABLE_UPPER, false};
    return 1 + bench_norm1(&V, GABLE_NO_TRANS, false) * bench_norm1(&T, c->what->trans, false) *
                   bench_norm1(&V, GABLE_TRANS, false);
}

/* A norm and, unless the ratio is that of a solve, a size. */
static double divisor(check *c, int identity)
{
    const int64_t m = c->m, n = c->n;
    const bench_view *given = &c->given[BENCH_A], *found = &c->found[BENCH_A];
    const bench_part part = triangle(c, given, solves(c->what, 0) ? m : n),
                     square = bench_whole(given, m, m), A = bench_whole(given, m, n),
                     C = bench_whole(&c->given[BENCH_C], m, n);
    const double factored = identity == 1 ? (double)m : 1; /* a solver's factors, or its solution */
    switch (c->what->op->formula) {
    case BENCH_LASWP:
        return 0;
    case BENCH_POTRS:
        return squared_norm(&part);
    case BENCH_GETRS:
        return factored_norm(c, c->what->trans);
    case BENCH_TRTRS:
        return bench_norm1(&part, c->what->trans, false);
    case BENCH_POSV:
        return factored * bench_norm1(&part, GABLE_NO_TRANS, true);
    case BENCH_GESV:
        return factored * bench_norm1(&square, GABLE_NO_TRANS, false);
    case BENCH_GETRF:
        return (double)n * bench_norm1(&A, GABLE_NO_TRANS, false);
    case BENCH_POTRI: {
        const bench_part inverse = triangle(c, found, n);
        return (double)n * squared_norm(&part) * bench_norm1(&inverse, GABLE_NO_TRANS, true);
    }
    case BENCH_TRTRI: {
        const bench_part inverse = triangle(c, found, n);
        return (double)n * bench_norm1(&part, GABLE_NO_TRANS, false) *
               bench_norm1(&inverse, GABLE_NO_TRANS, false);
    }
    case BENCH_LAUUM:
        return (double)n * squared_norm(&part);
    case BENCH_GEQRF:
        return (double)long_enough(m) *
               (identity == 0 ? bench_norm1(&A, GABLE_NO_TRANS, false) : 1);
    case BENCH_GELQF:
        return (double)long_enough(n) *
               (identity == 0 ? bench_norm1(&A, GABLE_NO_TRANS, false) : 1);
    case BENCH_ORGQR:
    case BENCH_ORGLQ:
    case BENCH_ORGTR:
    case BENCH_ORGHR:
    case BENCH_ORGBR:
        return (double)long_enough(m > n ? m : n);
    case BENCH_GEBRD:
        return (double)long_enough(m > n ? m : n) *
               (identity == 0 ? bench_norm1(&A, GABLE_NO_TRANS, false) : 1);
    case BENCH_GETRI: {
        const bench_part inverse = bench_whole(found, n, n);
        return (double)n * factored_norm(c, GABLE_NO_TRANS) *
               bench_norm1(&inverse, GABLE_NO_TRANS, false);
    }
    case BENCH_GELS:
        return bench_least_divisor(c, identity);
    case BENCH_SYTRD:
    case BENCH_GEHRD:
        return bench_condensed_divisor(c, identity);
    case BENCH_SYEVD:
    case BENCH_SYEVX:
    case BENCH_SYGVD:
        return bench_eigen_divisor(c, identity);
    case BENCH_GESDD:
    case BENCH_BDSDC:
        return bench_singular_divisor(c, identity);
    case BENCH_LARFT: { /* errors of T are relative to its norm */
        const bench_part T = {&c->found[BENCH_B], c->k, c->k, GABLE_UPPER, false};
        return (double)long_enough(m) * (1 + bench_norm1(&T, GABLE_NO_TRANS, false));
    }
    case BENCH_LARFB:
        return (double)long_enough(m > n ? m : n) * bench_norm1(&C, GABLE_NO_TRANS, false) *
               block_norm(c);
    default: /* ormqr and its kin */
        return (double)long_enough(m > n ? m : n) * bench_norm1(&C, GABLE_NO_TRANS, false);
    }
}

/* ---- Which vectors ---- */

/* Vector s of `units` unit vectors, or the one of signs behind them. */
static void make_vector(int64_t s, int64_t units, int64_t length, bench_element *x)
{
    bench_clear(x, length);
    if (s < units) {
        const double step = units > 1 ? (double)(length - 1) / (double)(units - 1) : 0;
        x[units == length ? s : (int64_t)((double)s * step)].re = 1;
        return;
    }
    for (int64_t i = 0; i < length; i++)
        x[i].re = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 63 != 0 ? -1 : 1;
}

/* The error of one vector, over its limit. Exchanges round nothing. */
static double vector_error(const check *c, int identity, int64_t s, int64_t units,
                           const factor_room *room)
{
    const double u = bench_unit_roundoff(c->what->dtype) * bench_complex_factor(c->what->dtype);
    const int64_t length = input_length(c, identity);
    make_vector(s, units, length, room->x);
    const int64_t rows = sides_of(c, identity, room);
    const double rest = bench_vector_distance(room->want, room->got, rows);
    double most = u * c->norm[identity];
    if (solves(c->what, identity))
        most *= SOLVE_LIMIT * bench_vector_norm(room->solution, c->m);
    else if (c->what->op->formula == BENCH_GELS && identity != 1)
        most *= FACTOR_LIMIT * bench_least_scale(c, identity, room);
    else
        most *= FACTOR_LIMIT * (s < units ? 1 : sqrt((double)length));
    return most > 0 || isnan(most) ? rest / most : rest == 0 ? 0 : 2;
}

static double identity_error(const check *c, int identity, bool *no_memory)
{
    const int64_t length = input_length(c, identity), side = c->m > c->n ? c->m : c->n,
                  longest = side > c->k ? side : c->k;
    const double steps = (double)length * (double)c->m * (double)longest;
    const int64_t units =
        steps <= (double)BENCH_PRODUCT_TERMS ? length : least(length, BENCH_PRODUCT_COLUMNS);
    double worst = 0;
    int64_t nans = 0, failures = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : worst) reduction(+ : nans, failures)
    for (int64_t s = 0; s <= units; s++) {
        bench_element *memory = malloc((size_t)(longest * FACTOR_VECTORS) * sizeof *memory);
        if (memory == NULL) {
            failures++;
            continue;
        }
        const factor_room room = {.x = memory,
                                  .want = memory + longest,
                                  .got = memory + 2 * longest,
                                  .between = memory + 3 * longest,
                                  .solution = memory + 4 * longest,
                                  .spare = memory + 5 * longest};
        const double error = vector_error(c, identity, s, units, &room);
        nans += isnan(error) != 0;
        worst = error > worst ? error : worst;
        free(memory);
    }
    *no_memory = failures > 0;
    return nans > 0 ? (double)NAN : worst;
}

/* ---- Outputs ---- */

static gable_status no_memory(const check *c)
{
    return gbl_fail(&c->operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
}

static gable_status read_outputs(check *c, bench_reader reader, void *user)
{
    const bench_operands *o = c->operands;
    for (int role = BENCH_A; role < BENCH_RESULT; role++) {
        const int64_t length = o->shape[role].length;
        if (!bench_writes(c->what->op, (bench_role)role))
            continue;
        c->outputs[role] =
            malloc((size_t)length * bench_element_bytes(c->what, (bench_role)role) + 1);
        if (c->outputs[role] == NULL)
            return no_memory(c);
        TRY(reader(user, (bench_role)role, 0, length, c->outputs[role]));
    }
    return GABLE_OK;
}

/* Whether pivots are rows at or below their own, of a copy in 64 bits. */
static gable_status make_pivots(check *c, bool *right)
{
    const bench_operands *o = c->operands;
    const void *from =
        c->outputs[BENCH_IPIV] != NULL ? c->outputs[BENCH_IPIV] : o->host[BENCH_IPIV];
    const bool narrow = o->narrow_pivots && c->outputs[BENCH_IPIV] != NULL;
    c->pivot_count = o->shape[BENCH_IPIV].length;
    c->pivots = malloc((size_t)c->pivot_count * sizeof *c->pivots + 1);
    if (c->pivots == NULL)
        return no_memory(c);
    *right = true;
    if (c->what->op->formula == BENCH_SYEVX) { /* ifail, not pivots */
        c->pivot_count = 0;
        return GABLE_OK;
    }
    for (int64_t i = 0; i < c->pivot_count; i++) {
        int32_t pivot;
        memcpy(&pivot, (const char *)from + (size_t)i * sizeof pivot, sizeof pivot);
        if (narrow)
            c->pivots[i] = pivot;
        else
            memcpy(&c->pivots[i], (const char *)from + (size_t)i * sizeof *c->pivots,
                   sizeof *c->pivots);
        *right = *right && c->pivots[i] > i && c->pivots[i] <= c->m;
    }
    return GABLE_OK;
}

static void make_views(check *c)
{
    const bench_operands *o = c->operands;
    for (int role = BENCH_A; role <= BENCH_C; role++) {
        const bench_view view = {
            .dtype = c->what->dtype, .start = c->what->offset, .ld = o->shape[role].ld};
        c->given[role] = c->found[role] = view;
        c->given[role].data = o->host[role];
        c->given[role].period = o->period;
        c->given[role].ones = bench_has_ones(c->what->op, (bench_role)role);
        c->found[role].data = c->outputs[role];
    }
    c->tau = c->outputs[BENCH_TAU] != NULL ? c->outputs[BENCH_TAU] : o->host[BENCH_TAU];
}

static gable_status find_error(check *c, bench_reader reader, void *user, double *error)
{
    const bench_role written = bench_written(c->what->op);
    bool right = false, failed = false;
    TRY(read_outputs(c, reader, user));
    TRY(make_pivots(c, &right));
    make_views(c);
    if (!right || (written <= BENCH_C && !bench_written_right(c->operands, c->outputs[written]))) {
        *error = (double)NAN;
        return GABLE_OK;
    }
    if (c->what->op->formula == BENCH_LARFG) {
        *error = bench_reflector_error(c);
        return GABLE_OK;
    }
    for (int i = 0; i < identities(c) && !isnan(*error); i++) {
        c->norm[i] = divisor(c, i);
        const double worst = identity_error(c, i, &failed);
        if (failed)
            return no_memory(c);
        *error = worst <= *error ? *error : worst; /* NaN too */
    }
    return GABLE_OK;
}

gable_status bench_check_factor(const bench_operands *operands, bench_reader reader, void *user,
                                double *error)
{
    const bench_case *what = &operands->what;
    check c = {.operands = operands, .what = what, .m = what->m, .n = what->n, .k = what->k};
    *error = 0;
    const gable_status status = find_error(&c, reader, user, error);
    for (int role = BENCH_A; role < BENCH_ROLES; role++)
        free(c.outputs[role]);
    free(c.pivots);
    return status;
}
