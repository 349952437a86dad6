/* test_swap.c: the six parts of swap: x and y change places
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A swap is exact: the data are any bits, signalling NaN and negative zero too, and `residual` is
 * the same demand on other data. A vector swapped with itself stays.
 */
#include "harness/map_parts.h"

static gable_status run(gable_context *ctx, const operands *o)
{
    return FN(swap)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1]);
}

static void move(const operands *o, const T *in, T *out)
{
    (void)o;
    memcpy(&out[0], &in[1], sizeof(T));
    memcpy(&out[1], &in[0], sizeof(T));
}

static const map swap = {
    .name = NAME(FN(swap)),
    .vectors = 2,
    .written = {true, true},
    .number = {3, 5},
    .run = run,
    .move = move,
    .same_count = 1,
    .same = {{0, 0}},
};

static void exact(routine *r)
{
    map_exact(r, &swap);
}

static void residual(routine *r)
{
    map_residual(r, &swap);
}

static void edges(routine *r)
{
    map_edges(r, &swap);
}

static void guards(routine *r)
{
    map_guards(r, &swap);
}

static void arguments(routine *r)
{
    map_arguments(r, &swap);
}

static void repeat(routine *r)
{
    map_repeat(r, &swap);
}

const routine_parts PARTS =
    TEST_PARTS("swap", .run = {exact, residual, edges, guards, arguments, repeat});
