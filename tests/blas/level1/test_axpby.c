/* test_axpby.c: the six parts of axpby: y := alpha x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= 3 u (|alpha| |x_i| + |beta| |y_i|): each term is rounded as
 * a product and in the sum, and the third u covers the squares of u (Higham, Accuracy and
 * Stability, 3.1); for complex numbers times 2 sqrt 2 (3.6). It holds with and without fused
 * multiply-add. With alpha = 0 x is not read, with beta = 0 y is not: NaN there does not matter.
 */
#include "harness/map_parts.h"

static gable_status run(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN(axpby_dev)(ctx, o->n, o->scalar_at[0], o->at[0], o->inc[0],
                                        o->scalar_at[1], o->at[1], o->inc[1])
                        : FN(axpby)(ctx, o->n, map_scalar(o, 0), o->at[0], o->inc[0],
                                    map_scalar(o, 1), o->at[1], o->inc[1]);
}

static void element(const operands *o, const T *in, map_value *out)
{
    for (int k = 0; k < 2; k++)
        if (!is_zero(map_scalar(o, k)))
            map_add(&out[1], 1, map_scalar(o, k), in[k]);
}

static const map axpby = {
    .name = NAME(FN(axpby)),
    .name_dev = NAME(FN(axpby_dev)),
    .vectors = 2,
    .scalars = 2,
    .written = {false, true},
    .number = {4, 7},
    .scalar_number = {3, 6},
    .scalar_name = {"alpha", "beta"},
    .reals = {REALS, REALS},
    .bound = 3 * LIMIT,
    .run = run,
    .element = element,
    .same_count = 1,
    .same = {{0, 0}},
};

static void exact(routine *r)
{
    map_exact(r, &axpby);
}

static void residual(routine *r)
{
    map_residual(r, &axpby);
}

static void edges(routine *r)
{
    map_edges(r, &axpby);
    map_zero_scalars(r, &axpby);
}

static void guards(routine *r)
{
    map_guards(r, &axpby);
}

static void arguments(routine *r)
{
    map_arguments(r, &axpby);
}

static void repeat(routine *r)
{
    map_repeat(r, &axpby);
}

const routine_parts PARTS =
    TEST_PARTS("axpby", .run = {exact, residual, edges, guards, arguments, repeat});
