/* test_waxpby.c: the six parts of waxpby: w := alpha x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element, as of axpby: |error| <= 3 u (|alpha| |x_i| + |beta| |y_i|), for
 * complex numbers times 2 sqrt 2 (Higham, Accuracy and Stability, 3.1, 3.6). With alpha = 0 x is
 * not read, with beta = 0 y is not. w is never read, and may be x, y or both.
 */
#include "harness/map_parts.h"

static gable_status run(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN(waxpby_dev)(ctx, o->n, o->scalar_at[0], o->at[0], o->inc[0],
                                         o->scalar_at[1], o->at[1], o->inc[1], o->at[2], o->inc[2])
                        : FN(waxpby)(ctx, o->n, map_scalar(o, 0), o->at[0], o->inc[0],
                                     map_scalar(o, 1), o->at[1], o->inc[1], o->at[2], o->inc[2]);
}

static void element(const operands *o, const T *in, map_value *out)
{
    for (int k = 0; k < 2; k++)
        if (!is_zero(map_scalar(o, k)))
            map_add(&out[2], 1, map_scalar(o, k), in[k]);
}

static const map waxpby = {
    .name = NAME(FN(waxpby)),
    .name_dev = NAME(FN(waxpby_dev)),
    .vectors = 3,
    .scalars = 2,
    .written = {false, false, true},
    .number = {4, 7, 9},
    .scalar_number = {3, 6},
    .scalar_name = {"alpha", "beta"},
    .reals = {REALS, REALS},
    .bound = 3 * LIMIT,
    .run = run,
    .element = element,
    .same_count = 4,
    .same = {{0, 1, 0}, {0, 1, 1}, {0, 0, 2}, {0, 0, 0}},
};

static void exact(routine *r)
{
    map_exact(r, &waxpby);
}

static void residual(routine *r)
{
    map_residual(r, &waxpby);
}

static void edges(routine *r)
{
    map_edges(r, &waxpby);
    map_zero_scalars(r, &waxpby);
}

static void guards(routine *r)
{
    map_guards(r, &waxpby);
}

static void arguments(routine *r)
{
    map_arguments(r, &waxpby);
}

static void repeat(routine *r)
{
    map_repeat(r, &waxpby);
}

const routine_parts PARTS =
    TEST_PARTS("waxpby", .run = {exact, residual, edges, guards, arguments, repeat});
