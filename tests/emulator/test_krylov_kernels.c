/* test_krylov_kernels.c: the kernels of BiCGStab and GMRES, and CG in one launch, as plain C, as
 * GPUs run them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Work-items take turns, 8 per group, 4 of which run together; under the thread sanitizer they are
 * threads. Sanitizers see every access. A system with a matrix of three diagonals is solved with
 * Jacobi; |b - A x| must come to 10^-9 |b|, in as many steps as a space has dimensions at most. CG
 * takes a Hermitian matrix, one group, and launches of a few iterations that go on from one
 * another; several groups, which wait for each other, are tested on GPUs
 * (tests/sparse/solver/test_cg.c). Triangular solves are of a matrix with four levels, in three
 * ways that must have the same bits.
 */
#include <complex.h>
#undef complex
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel_args.h"
#include "bicgstab_args.h"
#include "cg_persistent_args.h"
#include "fake_device.h"
#include "gmres_args.h"
#include "gmres_product_args.h"
#include "harness/check.h"
#include "level_solve_args.h"

fake_settings fake_set; /* of a device, of which there is only memory here */

#define N       45 /* no multiple of anything */
#define M       30
#define LD      48
#define GROUPS  3
#define ITEMS   8
#define ENTRIES (3 * N - 2)

typedef double _Complex value;

#define ENTRY_OF(name)                                                                             \
    void name##_1(const void *const *, const void *);                                              \
    void name##_3(const void *const *, const void *);
ENTRY_OF(gmres_dots_0)
ENTRY_OF(gmres_dots_1)
ENTRY_OF(gmres_column_0)
ENTRY_OF(gmres_column_1)
ENTRY_OF(gmres_update)
ENTRY_OF(gmres_solve)
ENTRY_OF(gmres_correct)
ENTRY_OF(gmres_product)
ENTRY_OF(bicgstab_start)
ENTRY_OF(bicgstab_product_0)
ENTRY_OF(bicgstab_product_1)
ENTRY_OF(bicgstab_half)
ENTRY_OF(bicgstab_update)
ENTRY_OF(bicgstab_judge)
ENTRY_OF(level_solve_0_0)
ENTRY_OF(level_solve_0_1)
ENTRY_OF(level_solve_0_2)
ENTRY_OF(level_solve_1_0)
ENTRY_OF(level_solve_1_1)
ENTRY_OF(level_solve_1_2)
ENTRY_OF(cg_persistent_2)
ENTRY_OF(cg_persistent_3)
#define BOTH(name)                                                                                 \
    {                                                                                              \
        name##_1, name##_3                                                                         \
    }

typedef void (*entry)(const void *const *, const void *);

/* The last group first: groups run in any order. */
int64_t *fake_order(const fake_kernel *kernel, const gbl_launch_spec *spec)
{
    int64_t *order = malloc((size_t)spec->groups[0] * sizeof *order);
    (void)kernel;
    for (int64_t i = 0; order != NULL && i < spec->groups[0]; i++)
        order[i] = spec->groups[0] - 1 - i;
    return order;
}

static int is_complex, is_hermitian;

static void run(const entry both[2], int64_t groups, const void *args, int count,
                const void *const *buffers)
{
    const fake_kernel kernel = {.run = both[is_complex], .work_items = ITEMS, .warp_size = 4};
    gbl_launch_spec spec = {.groups = {groups, 1}, .args = args, .buffer_count = count};
    for (int i = 0; i < count; i++)
        spec.buffers[i] = buffers[i];
    fake_run(&kernel, &spec);
}

/* ---- The system: elements lie as the precision wants them ---- */

static struct {
    int32_t start[N + 1], column[ENTRIES];
    value dense[ENTRIES], b_dense[N];
    double value[2 * ENTRIES], inverse[2 * N], x[2 * N], r[2 * N];
} A;

static void put(double *at, int64_t i, value v)
{
    if (is_complex) {
        at[2 * i] = creal(v);
        at[2 * i + 1] = cimag(v);
    } else {
        at[i] = creal(v);
    }
}

static value get(const double *at, int64_t i)
{
    return is_complex ? at[2 * i] + I * at[2 * i + 1] : at[i];
}

static void make_system(void)
{
    int32_t e = 0;
    for (int32_t i = 0; i < N; i++) {
        A.start[i] = e;
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, e++) {
            value v = i == j ? 3 + 0.1 * (i % 7) + (is_complex ? 0.5 * I : 0)
                             : (j < i ? -1.3 : -0.7) + (is_complex ? 0.2 * I : 0);
            if (is_hermitian)
                v = i == j ? creal(v) : -1 + (is_complex ? (j < i ? 0.2 : -0.2) * I : 0);
            A.column[e] = j;
            A.dense[e] = v;
            put(A.value, e, v);
            if (i == j)
                put(A.inverse, i, 1 / v);
        }
        A.b_dense[i] = 1 + i % 5 - (is_complex ? I * (i % 3) : 0);
        put(A.x, i, 0);
        put(A.r, i, A.b_dense[i]);
    }
    A.start[N] = e;
}

static void check_solution(const double *state)
{
    double rest = 0, size = 0;
    for (int i = 0; i < N; i++) {
        value sum = A.b_dense[i];
        for (int32_t e = A.start[i]; e < A.start[i + 1]; e++)
            sum -= A.dense[e] * get(A.x, A.column[e]);
        rest += creal(sum * conj(sum));
        size += creal(A.b_dense[i] * conj(A.b_dense[i]));
    }
    CHECK(state[STATE_OUTCOME] == OUTCOME_SOLVED, "outcome %g after %g iterations",
          state[STATE_OUTCOME], state[STATE_ITERATION]);
    CHECK(sqrt(rest / size) <= 1e-9, "residual %g", sqrt(rest / size));
    CHECK(state[STATE_ITERATION] > 3 && state[STATE_ITERATION] <= N, "%g iterations",
          state[STATE_ITERATION]);
}

static double squared_norm(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += creal(A.b_dense[i] * conj(A.b_dense[i]));
    return sum;
}

static void start_state(double *state)
{
    state[STATE_OUTCOME] = OUTCOME_NONE;
    state[STATE_TARGET] = 1e-20 * squared_norm();
    state[STATE_LIMIT] = 1000;
}

/* ---- GMRES ---- */

static void gmres(void)
{
    static const entry dots[2][2] = {BOTH(gmres_dots_0), BOTH(gmres_dots_1)},
                       column[2][2] = {BOTH(gmres_column_0), BOTH(gmres_column_1)},
                       update[2] = BOTH(gmres_update), solve[2] = BOTH(gmres_solve),
                       correct[2] = BOTH(gmres_correct), product[2] = BOTH(gmres_product);
    static double V[2 * (M + 1) * LD], numbers[GMRES_NUMBERS(M)], partials[GROUPS * (M + 1) * 4];
    test_case("gmres, %s", is_complex ? "z" : "d");
    memset(V, 0, sizeof V);
    memset(numbers, 0, sizeof numbers);
    make_system();
    start_state(numbers);
    memcpy(V, A.r, sizeof A.r);
    gmres_args a = {.n = N, .vectors = N, .ld = LD, .restart = M, .groups = GROUPS, .eps = 0x1p-53};
    for (int k = 0; k <= M; k++) {
        const int last = k == M;
        const gmres_product_args p = {{{N, 0, 0}, 0}, LD, k};
        a.step = k;
        if (!last)
            run(product, GROUPS, &p, 7,
                (const void *[]){A.start, A.column, A.value, A.start, A.inverse, numbers, V});
        for (a.first = 0; a.first <= k; a.first += 16) {
            a.own = k + 1 - a.first <= 16;
            a.columns = a.own ? k - a.first : 16;
            run(dots[last], GROUPS, &a, 3, (const void *[]){V, numbers, partials});
        }
        run(column[last], 1, &a, 2, (const void *[]){partials, numbers});
        a.own = 0;
        for (a.first = 0; !last && !a.own; a.first += 16) {
            a.own = k - a.first <= 16;
            a.columns = a.own ? k - a.first : 16;
            run(update, GROUPS, &a, 2, (const void *[]){V, numbers});
        }
    }
    run(solve, 1, &a, 1, (const void *[]){numbers});
    run(correct, GROUPS, &a, 4, (const void *[]){V, numbers, A.inverse, A.x});
    check_solution(numbers);
}

/* ---- BiCGStab ---- */

static void bicgstab(void)
{
    static const entry start[2] = BOTH(bicgstab_start),
                       product[2][2] = {BOTH(bicgstab_product_0), BOTH(bicgstab_product_1)},
                       first[2] = BOTH(bicgstab_half), update[2] = BOTH(bicgstab_update),
                       judge[2] = BOTH(bicgstab_judge);
    static double p[2 * N], v[2 * N], s[2 * N], t[2 * N], shadow[2 * N], kept[2 * N],
        state[STATE_COUNT], sums[4][GROUPS * 6];
    const double rr = squared_norm();
    const bicgstab_args a = {
        .product = {{N, 0, 0}, 0}, .partials = GROUPS, .most = 1000, .eps = 0x1p-53};
    test_case("bicgstab, %s", is_complex ? "z" : "d");
    memset(state, 0, sizeof state);
    make_system();
    start_state(state);
    state[BICGSTAB_RHO] = state[BICGSTAB_RHO_NEXT] = state[BICGSTAB_SHADOW] = rr;
    state[BICGSTAB_BEST] = state[BICGSTAB_KEPT] = rr;
    state[BICGSTAB_NEXT] = OUTCOME_NONE;
    run(start, GROUPS, &a, 6, (const void *[]){A.r, A.x, p, shadow, kept, sums[3]});
    for (int i = 0; i < 40; i++) {
        run(product[0], GROUPS, &a, 11,
            (const void *[]){A.start, A.column, A.value, A.start, A.inverse, p, shadow, v, state,
                             sums[3], sums[0]});
        run(first, GROUPS, &a, 7, (const void *[]){A.r, v, shadow, s, state, sums[0], sums[1]});
        run(product[1], GROUPS, &a, 11,
            (const void *[]){A.start, A.column, A.value, A.start, A.inverse, s, shadow, t, state,
                             sums[3], sums[2]});
        run(update, GROUPS, &a, 13,
            (const void *[]){s, t, v, A.inverse, s, s, A.x, A.r, p, state, sums[1], sums[2],
                             sums[3]});
    }
    run(judge, 1, &a, 2, (const void *[]){state, sums[3]});
    check_solution(state);
    CHECK(state[BICGSTAB_KEEP] == 1, "the last x is not the best");
}

/* ---- Triangular solves by levels ---- */

#define LEVELS  4
#define EACH    11 /* rows of a level */
#define ROWS    (LEVELS * EACH)
#define PER_ROW 3

/* Row i is at place i of L, or ROWS - 1 - i of U; it needs three rows of the level before. Values
 * are small integers, so that sums are exact. */
static struct {
    int32_t start[ROWS + 1], column[PER_ROW * ROWS], order[ROWS];
    int64_t level[LEVELS + 1], phase[3 * LEVELS];
    double value[2 * PER_ROW * ROWS], inverse[2 * ROWS], x[2 * ROWS], y[3][2 * ROWS];
    value wanted[ROWS];
} levels;

static value level_entry(int64_t e)
{
    return (double)(e % 5) - 2 + (is_complex ? I * ((double)(e % 3) - 1) : 0);
}

static void make_levels(int upper)
{
    int32_t e = 0;
    for (int32_t p = 0; p < ROWS; p++) {
        const int32_t before = (p / EACH - 1) * EACH, i = upper ? ROWS - 1 - p : p;
        const value x = 1 + p % 4 - (is_complex ? I * (p % 3) : 0);
        levels.start[p] = e;
        levels.order[p] = i;
        put(levels.x, i, x);
        put(levels.inverse, i, p % 2 == 0 ? 0.5 : 2);
        levels.wanted[i] = upper ? x * (p % 2 == 0 ? 0.5 : 2) : x;
        for (int k = 0; k < PER_ROW && p >= EACH; k++, e++) {
            const int32_t place = before + (p + 4 * k) % EACH, j = upper ? ROWS - 1 - place : place;
            levels.column[e] = j;
            put(levels.value, e, level_entry(e));
            levels.wanted[i] -= level_entry(e) * levels.wanted[j];
        }
    }
    levels.start[ROWS] = e;
    for (int l = 0; l <= LEVELS; l++)
        levels.level[l] = (int64_t)l * EACH;
}

/* y, which of U starts as x. */
static void solve_levels(int upper, int way, double *y)
{
    static const entry all[2][3][2] = {
        {BOTH(level_solve_0_0), BOTH(level_solve_0_1), BOTH(level_solve_0_2)},
        {BOTH(level_solve_1_0), BOTH(level_solve_1_1), BOTH(level_solve_1_2)}};
    const int64_t phases[] = {0, 0, 2, 1, 2, 3, 1, 3, 4}; /* two thin levels, two wide ones */
    int32_t counter = 0;
    memcpy(levels.phase, phases, sizeof phases);
    memcpy(y, levels.x, sizeof levels.x);
    const void *const buffers[] = {levels.start, levels.column,  levels.value, levels.order,
                                   levels.level, levels.inverse, levels.x,     y,
                                   levels.phase, &counter};
    for (int64_t l = 0; way == 0 && l < LEVELS; l++) {
        const level_solve_args a = {l, l + 1, 5};
        run(all[upper][0], GROUPS, &a, 10, buffers);
    }
    const level_solve_args a = {0, way == 1 ? LEVELS : 3, 0};
    if (way > 0)
        run(all[upper][way], 1, &a, 10, buffers);
}

static void level_solve(int upper)
{
    test_case("levels of %s, %s", upper ? "U" : "L", is_complex ? "z" : "d");
    make_levels(upper);
    for (int way = 0; way < 3; way++) {
        int wrong = 0;
        solve_levels(upper, way, levels.y[way]);
        for (int i = 0; i < ROWS; i++)
            wrong += !(get(levels.y[way], i) == levels.wanted[i]);
        CHECK(wrong == 0, "way %d: %d unknowns", way, wrong);
    }
}

/* ---- CG in cooperative launches ---- */

static void cg_persistent(int kept)
{
    static const entry both[2][2] = {BOTH(cg_persistent_2), BOTH(cg_persistent_3)};
    static double p[2 * N], state[STATE_COUNT], partials[6];
    const cg_persistent_args a = {.matrix = {N, 0, 0}, .share = LD, .iterations = 4};
    test_case("cg, %d vectors kept, %s", kept, is_complex ? "z" : "d");
    memset(state, 0, sizeof state);
    make_system();
    start_state(state);
    for (int i = 0; i < 20; i++) {
        int32_t counter = 0;
        const double before = state[STATE_ITERATION];
        run(both[kept - 2], 1, &a, 11,
            (const void *[]){A.start, A.column, A.value, A.start, A.inverse, A.x, A.r, p, partials,
                             &counter, state});
        CHECK(state[STATE_ITERATION] <= before + 4, "a launch made %g iterations",
              state[STATE_ITERATION] - before);
    }
    check_solution(state);
    CHECK(state[STATE_HISTORY + (int)state[STATE_ITERATION] - 1] == state[STATE_RR],
          "the history does not end with the residual");
    make_system();
    memset(state, 0, sizeof state);
    start_state(state);
    for (int e = 0; e < ENTRIES; e++)
        put(A.value, e, -A.dense[e]);
    run(both[kept - 2], 1, &a, 11,
        (const void *[]){A.start, A.column, A.value, A.start, A.inverse, A.x, A.r, p, partials,
                         (int32_t[]){0}, state});
    CHECK(state[STATE_OUTCOME] == GABLE_NOT_DEFINITE && state[STATE_ITERATION] == 0,
          "outcome %g of a negative matrix", state[STATE_OUTCOME]);
}

int main(void)
{
    test_start("test_krylov_kernels");
    for (is_complex = 0; is_complex < 2; is_complex++) {
        make_system();
        gmres();
        bicgstab();
        level_solve(0);
        level_solve(1);
        is_hermitian = 1;
        cg_persistent(2);
        cg_persistent(3);
        is_hermitian = 0;
    }
    CHECK(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    return test_finish();
}
