/* test_rot.c: the six parts of rot, also with a real s beside complex vectors:
 *   (x, y) := (c x + s y, c y - conj(s) x)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= 3 u (|c| |x_i| + |s| |y_i|) of x, and the like of y: each
 * term is rounded as a product and in the sum (Higham, Accuracy and Stability, 3.1); for a complex
 * s times 2 sqrt 2 (3.6). c and s need not be a rotation: any numbers are allowed.
 */
#include "harness/map_parts.h"

static void element(const operands *o, const T *in, map_value *out)
{
    const T c = map_scalar(o, 0), s = map_scalar(o, 1);
    map_add(&out[0], 1, c, in[0]);
    map_add(&out[0], 1, s, in[1]);
    map_add(&out[1], 1, c, in[1]);
    map_add(&out[1], -1, conjugate(s), in[0]);
}

static gable_status run(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN(rot_dev)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1],
                                      o->scalar_at[0], o->scalar_at[1])
                        : FN(rot)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1],
                                  o->value[0][0], map_scalar(o, 1));
}

static const map rot = {
    .name = NAME(FN(rot)),
    .name_dev = NAME(FN(rot_dev)),
    .vectors = 2,
    .scalars = 2,
    .written = {true, true},
    .number = {3, 5},
    .scalar_number = {7, 8},
    .scalar_name = {"c", "s"},
    .reals = {1, REALS},
    .bound = 3 * LIMIT,
    .run = run,
    .element = element,
};

#if COMPLEX
static gable_status run_real(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN_M(rot_dev)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1],
                                        o->scalar_at[0], o->scalar_at[1])
                        : FN_M(rot)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1],
                                    o->value[0][0], o->value[1][0]);
}

static const map real_rot = {
    .name = NAME(FN_M(rot)),
    .name_dev = NAME(FN_M(rot_dev)),
    .vectors = 2,
    .scalars = 2,
    .written = {true, true},
    .number = {3, 5},
    .scalar_number = {7, 8},
    .scalar_name = {"c", "s"},
    .reals = {1, 1},
    .real_scalars = true,
    .bound = 3,
    .run = run_real,
    .element = element,
};
static const map *const maps[] = {&rot, &real_rot};
#else
static const map *const maps[] = {&rot};
#endif

static void each(routine *r, void (*part)(routine *r, const map *m))
{
    map_each(r, maps, sizeof maps / sizeof maps[0], part);
}

static void exact(routine *r)
{
    each(r, map_exact);
}

static void residual(routine *r)
{
    each(r, map_residual);
}

/* The identity, the quarter turn, a reflection: bits move, none is lost. */
static void edges_of(routine *r, const map *m)
{
    const R values[][MAP_SCALARS][MAP_REALS] = {{{1}, {0}},  {{0}, {1}}, {{0}, {-1}},
                                                {{-1}, {0}}, {{1}, {1}}, {{3}, {0, 1}}};
    map_edges(r, m);
    for (int device = 0; device < 2; device++)
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
            map_check(r, m,
                      &(map_case){.s = {100, 1, v % 2 == 0 ? 1 : 3, 1, 0},
                                  .seed = 60,
                                  .scalars = values[v],
                                  .on_device = device,
                                  .fill = FILL_PATTERN});
}

static void edges(routine *r)
{
    each(r, edges_of);
}

static void guards(routine *r)
{
    each(r, map_guards);
}

static void arguments(routine *r)
{
    each(r, map_arguments);
}

static void repeat(routine *r)
{
    each(r, map_repeat);
}

const routine_parts PARTS =
    TEST_PARTS("rot", .run = {exact, residual, edges, guards, arguments, repeat});
