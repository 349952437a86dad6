/* test_fill.c: the six parts of fill: x := (alpha, alpha, ...)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A fill is exact, whatever alpha is: every bit of a finite alpha arrives, the sign of 0 and
 * denormal numbers too; Inf stays Inf and NaN some NaN. What x held does not matter.
 */
#include "harness/map_parts.h"

static gable_status run(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN(fill_dev)(ctx, o->n, o->scalar_at[0], o->at[0], o->inc[0])
                        : FN(fill)(ctx, o->n, map_scalar(o, 0), o->at[0], o->inc[0]);
}

static void move(const operands *o, const T *in, T *out)
{
    (void)in;
    out[0] = map_scalar(o, 0);
}

static const map fill = {
    .name = NAME(FN(fill)),
    .name_dev = NAME(FN(fill_dev)),
    .vectors = 1,
    .scalars = 1,
    .written = {true},
    .number = {4},
    .scalar_number = {3},
    .scalar_name = {"alpha"},
    .reals = {REALS},
    .run = run,
    .move = move,
};

static void exact(routine *r)
{
    map_exact(r, &fill);
}

static void residual(routine *r)
{
    map_residual(r, &fill);
}

/* Which NaN comes out is free. */
static void nan_fill(routine *r, bool on_device)
{
    const R scalars[MAP_SCALARS][MAP_REALS] = {{(R)NAN, (R)NAN}};
    const map_case c = {
        .s = {37, 2, 1, 1, 0}, .scalars = scalars, .on_device = on_device, .fill = FILL_PATTERN};
    operands o;
    const bool built = map_build(r, &fill, &c, &o);
    map_title(r, &fill, &c, &o, "");
    if (built && map_run(r, &o) && map_fetch(&o)) {
        for (int64_t i = 0; i < o.n; i++) {
            const T z = got(&o.vector[0], i);
            CHECK(isnan(real_part(z)) && (REALS == 1 || isnan(imaginary_part(z))),
                  "element %lld is %g,%g", (long long)i, real_part(z), imaginary_part(z));
        }
        guarded_surroundings(&o.vector[0], "x");
    }
    map_destroy(&o);
}

static void edges(routine *r)
{
    const R values[][MAP_SCALARS][MAP_REALS] = {
        {{0, 0}},
        {{(R)-0.0, (R)-0.0}},
        {{(R)-0.0, 1}},
        {{1, (R)-0.0}},
        {{(R)REAL_DENORM, (R)(-3 * REAL_DENORM)}},
        {{(R)REAL_MAX, (R)-REAL_MAX}},
        {{(R)INFINITY, (R)-INFINITY}},
    };
    map_edges(r, &fill);
    for (int device = 0; device < 2; device++) {
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
            map_check(r, &fill,
                      &(map_case){.s = {37, 1, 1, 1, 0},
                                  .scalars = values[v],
                                  .on_device = device,
                                  .poison = 1,
                                  .fill = FILL_PATTERN});
        nan_fill(r, device);
    }
}

static void guards(routine *r)
{
    map_guards(r, &fill);
}

static void arguments(routine *r)
{
    map_arguments(r, &fill);
}

static void repeat(routine *r)
{
    map_repeat(r, &fill);
}

const routine_parts PARTS =
    TEST_PARTS("fill", .run = {exact, residual, edges, guards, arguments, repeat});
