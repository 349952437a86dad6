/* test_rotm.c: the six parts of rotm, which is real: (x, y) := H (x, y)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * param holds a flag, h11, h21, h12, h22, which the test keeps as one scalar of five reals; every
 * case draws its flag. Bound, element by element: |error| <= 3 u (|h11| |x_i| + |h12| |y_i|) of x,
 * and the like of y (Higham, Accuracy and Stability, 3.1). Flag -2 moves no bit.
 */
#include "harness/map_parts.h"

#if !COMPLEX

/* H by the flag; false: the identity. */
static bool matrix(const R *param, R *h11, R *h21, R *h12, R *h22)
{
    const R flag = param[0];
    *h11 = flag == 0 ? 1 : param[1];
    *h21 = flag == 1 ? -1 : param[2];
    *h12 = flag == 1 ? 1 : param[3];
    *h22 = flag == 0 ? 1 : param[4];
    return flag == -1 || flag == 0 || flag == 1;
}

static void element(const operands *o, const T *in, map_value *out)
{
    R h11, h21, h12, h22;
    if (!matrix(o->value[0], &h11, &h21, &h12, &h22)) {
        /* A size of 0: no error is allowed. */
        out[0].re.high = in[0];
        out[1].re.high = in[1];
        return;
    }
    map_add(&out[0], 1, h11, in[0]);
    map_add(&out[0], 1, h12, in[1]);
    map_add(&out[1], 1, h21, in[0]);
    map_add(&out[1], 1, h22, in[1]);
}

static gable_status run(gable_context *ctx, const operands *o)
{
    return o->on_device
               ? FN(rotm_dev)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1], o->scalar_at[0])
               : FN(rotm)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1],
                          o->n > 0 ? o->value[0] : NULL);
}

/* The position was picked such that the seeds that map_parts.h uses once are not drawn -2. */
static void draw(uint64_t seed, operands *o)
{
    o->value[0][0] = (R)((int)(data_bits(seed, 25) % 4) - 2);
}

static bool quick(const operands *o)
{
    return o->value[0][0] == -2;
}

static const map rotm = {
    .name = NAME(FN(rotm)),
    .name_dev = NAME(FN(rotm_dev)),
    .vectors = 2,
    .scalars = 1,
    .written = {true, true},
    .number = {3, 5},
    .scalar_number = {7},
    .scalar_name = {"param"},
    .reals = {5},
    .bound = 3,
    .run = run,
    .element = element,
    .draw = draw,
    .quick = quick,
};

static void exact(routine *r)
{
    map_exact(r, &rotm);
}

static void residual(routine *r)
{
    map_residual(r, &rotm);
}

/* Each flag, where the numbers that the flag makes constant are NaN; on the device every other flag
 * is the identity. */
static void edges(routine *r)
{
    const R nan = (R)NAN;
    const R params[][MAP_SCALARS][MAP_REALS] = {
        {{-1, 2, 3, 5, 7}},         {{0, nan, 3, 5, nan}},  {{1, 2, nan, nan, 7}},
        {{-2, nan, nan, nan, nan}}, {{-1, 0, 0, 0, 0}},     {{2, nan, 3, 5, 7}},
        {{nan, 2, 3, 5, 7}},        {{(R)0.5, 2, 3, 5, 7}}, {{-3, 2, 3, 5, 7}}};
    map_edges(r, &rotm);
    for (int device = 0; device < 2; device++)
        for (size_t p = 0; p < (device ? sizeof params / sizeof params[0] : 5); p++)
            for (int64_t inc = 1; inc <= 2; inc++)
                map_check(r, &rotm,
                          &(map_case){.s = {100, inc, 1, 1, 0},
                                      .seed = 60,
                                      .scalars = params[p],
                                      .random = p == 4, /* zeros of either sign */
                                      .on_device = device,
                                      .fill = FILL_PATTERN});
}

static void guards(routine *r)
{
    map_guards(r, &rotm);
}

/* By value: param NULL, and flags that do not exist. */
static void arguments(routine *r)
{
    static const double flags[] = {2, -3, 0.5, NAN};
    const map_case c = {.s = {5, 1, 1, 0, 0}, .seed = 90, .fill = FILL_PATTERN};
    operands o;
    map_arguments(r, &rotm);
    const bool built = map_build(r, &rotm, &c, &o);
    map_title(r, &rotm, &c, &o, "param by value");
    if (built) {
        CHECK_REFUSED(r->ctx, FN(rotm)(r->ctx, 5, o.at[0], 1, o.at[1], 1, NULL), GABLE_BAD_ARGUMENT,
                      rotm.name, "argument 7 (param)", "NULL");
        CHECK_OK(r->ctx, FN(rotm)(r->ctx, 0, NULL, 1, NULL, 1, NULL));
        for (size_t f = 0; f < sizeof flags / sizeof flags[0]; f++) {
            o.value[0][0] = (R)flags[f];
            CHECK_REFUSED(r->ctx, run(r->ctx, &o), GABLE_BAD_ARGUMENT, rotm.name,
                          "argument 7 (param)", "flag");
        }
        map_same(&o);
    }
    map_destroy(&o);
}

static void repeat(routine *r)
{
    map_repeat(r, &rotm);
}

const routine_parts PARTS =
    TEST_PARTS("rotm", .run = {exact, residual, edges, guards, arguments, repeat});

#else
const routine_parts PARTS = TEST_PARTS("rotm", .run = {NULL});
#endif
