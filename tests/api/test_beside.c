/* test_beside.c: chains of routines beside each other, on a real device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A chain of products and one of solves and sums, many times, live and replayed: the bits of the
 * calls made one after the other. Order, failures and the shape of recordings are in
 * tests/core/test_branch.c and test_cuda_graph.c.
 */
#include <stdlib.h>
#include <string.h>
#include "core/branch.h"
#include "harness/check.h"

#define N      192
#define ROUNDS 6

typedef struct work {
    double *A, *B, *C; /* N x N */
    double *x, *y;     /* N; y[N]: a result */
} work;

/* x := A^-1 (C x), y := y + x, y[N] := x' y. C and A are read by both chains. */
static gable_status solve_chain(gable_context *ctx, void *what)
{
    const work *w = what;
    TRY(gable_dgemv(ctx, GABLE_NO_TRANS, N, N, 1.0 / N, w->C, N, w->y, 1, 0, w->x, 1));
    TRY(gable_dtrsv(ctx, GABLE_LOWER, GABLE_NO_TRANS, GABLE_NON_UNIT, N, w->A, N, w->x, 1));
    TRY(gable_daxpy(ctx, N, 0.5, w->x, 1, w->y, 1));
    return gable_ddot(ctx, N, w->x, 1, w->y, 1, w->y + N);
}

/* B := A C / N + B / 2, twice, and by a solve. */
static gable_status product_chain(gable_context *ctx, void *what)
{
    const work *w = what;
    for (int i = 0; i < 2; i++)
        TRY(gable_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, N, N, N, 1.0 / N, w->A, N, w->C, N,
                        0.5, w->B, N));
    return gable_dtrsm(ctx, GABLE_LEFT, GABLE_LOWER, GABLE_NO_TRANS, GABLE_NON_UNIT, N, N, 1, w->A,
                       N, w->B, N);
}

static gable_status in_turn(gable_context *ctx, gbl_chain first, gbl_chain second, void *what)
{
    TRY(first(ctx, what));
    return second(ctx, what);
}

/* Both chains, then what needs both: C := C / 2 + B / 4. */
static gable_status all_rounds(gable_context *ctx, work *w, int rounds, bool beside)
{
    for (int round = 0; round < rounds; round++) {
        TRY((beside ? gbl_beside : in_turn)(ctx, solve_chain, product_chain, w));
        TRY(gable_dgeam(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, N, N, 0.5, w->C, N, 0.25, w->B, N,
                        w->C, N));
    }
    return GABLE_OK;
}

static void put(gable_context *ctx, const work *w, const double *numbers)
{
    double *const matrices[] = {w->A, w->B, w->C};
    for (int i = 0; i < 3; i++)
        CHECK_OK(ctx, gable_set_matrix(ctx, N, N, 8, numbers + i * N, N, matrices[i], N));
    CHECK_OK(ctx, gable_set_vector(ctx, N, 8, numbers, 1, w->x, 1));
    CHECK_OK(ctx, gable_set_vector(ctx, N + 1, 8, numbers + 7, 1, w->y, 1));
}

/* C and y, which depend on everything. */
static void get(gable_context *ctx, const work *w, double *out)
{
    CHECK_OK(ctx, gable_get_matrix(ctx, N, N, 8, w->C, N, out, N));
    CHECK_OK(ctx, gable_get_vector(ctx, N + 1, 8, w->y, 1, out + N * N, 1));
}

static void same(const double *is, const double *want, const char *how)
{
    CHECK(memcmp(is, want, (N * N + N + 1) * sizeof *is) == 0, "%s: other bits", how);
}

int main(void)
{
    gable_context *ctx = test_open();
    static double numbers[N * N + 3 * N], want[N * N + N + 1], is[N * N + N + 1];
    gable_recording *recording = NULL;
    work w = {.A = NULL};
    test_case("chains beside each other");
    for (int i = 0; i < N * N + 3 * N; i++) /* the diagonals of A dominate */
        numbers[i] = (i % (N + 1) == 0 ? 8 : 0) + (i * 37 % 101) / 101.0;
    double **const places[] = {&w.A, &w.B, &w.C, &w.x, &w.y};
    for (int i = 0; i < 5; i++)
        CHECK_OK(ctx, gable_alloc(ctx, (size_t)(i < 3 ? N * N : N + 1) * 8, (void **)places[i]));
    put(ctx, &w, numbers);
    CHECK_OK(ctx, all_rounds(ctx, &w, ROUNDS, false));
    get(ctx, &w, want);
    double sum = 0;
    for (int i = 0; i < N * N + N + 1; i++)
        sum += want[i] * want[i];
    CHECK(sum > 0 && sum < 1e12, "the numbers are no test: their squares add up to %g", sum);

    for (int times = 0; times < 3; times++) {
        put(ctx, &w, numbers);
        CHECK_OK(ctx, all_rounds(ctx, &w, ROUNDS, true));
        get(ctx, &w, is);
        same(is, want, "live");
    }
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, all_rounds(ctx, &w, ROUNDS / 2, true));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    for (int times = 0; times < 3; times++) {
        put(ctx, &w, numbers);
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        get(ctx, &w, is);
        same(is, want, "replayed");
    }
    gable_recording_destroy(recording);
    for (int i = 0; i < 5; i++)
        gable_free(ctx, *places[i]);
    gable_close(ctx);
    return test_finish();
}
