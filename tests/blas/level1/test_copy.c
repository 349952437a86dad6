/* test_copy.c: the six parts of copy: y := x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A copy is exact: whatever bits x has, signalling NaN and negative zero too, y must have. So there
 * is no error bound, and `residual` is the same demand on other data.
 */
#include <string.h>
#include "harness/routine.h"
#include "harness/numbers.h"

typedef struct operands {
    guarded x, y;
} operands;

static gbl_vector_call call_of(const operands *o, const shape *s)
{
    const gbl_vector_call call =
        TYPED_CALL(.n = s->n, .x = o->x.at, .incx = s->incx, .y = o->y.at, .incy = s->incy);
    return call;
}

static void destroy(operands *o)
{
    guarded_destroy(&o->x);
    guarded_destroy(&o->y);
}

/* x of any bits, y of others. */
static bool build(routine *r, operands *o, const shape *s, uint64_t seed, guarded_fill fill,
                  guarded_fence fence)
{
    const bool made_x = guarded_make(&o->x, r->ctx, s->n, s->incx, sizeof(T),
                                     (size_t)s->offx * sizeof(R), FILL_NAN, fence);
    const bool made_y = guarded_make(&o->y, r->ctx, s->n, s->incy, sizeof(T),
                                     (size_t)s->offy * sizeof(R), fill, fence);
    const bool good = made_x && made_y;
    for (int64_t i = 0; good && i < s->n; i++) {
        const uint64_t bits[2] = {data_bits(seed, 2 * (uint64_t)i),
                                  data_bits(seed, 2 * (uint64_t)i + 1)};
        if (s->incx != 0 || i == 0)
            memcpy(guarded_element(&o->x, i), bits, sizeof(T));
        memset(guarded_element(&o->y, i), 0x5a, sizeof(T));
    }
    return good && guarded_send(&o->x) && guarded_send(&o->y);
}

/* Runs and compares all of y, and x, which must not change. */
static void run(routine *r, operands *o, const shape *s)
{
    const gbl_vector_call call = call_of(o, s);
    if (!routine_ran(r, FN(copy)(r->ctx, s->n, o->x.at, s->incx, o->y.at, s->incy), &call))
        return;
    for (int64_t i = 0; i < s->n; i++)
        memcpy(guarded_element(&o->y, i), guarded_element(&o->x, i), sizeof(T));
    if (guarded_fetch(&o->x) && guarded_fetch(&o->y)) {
        guarded_same(&o->x, "x");
        guarded_same(&o->y, "y");
    }
}

static void one_case(routine *r, const shape *given, uint64_t seed, guarded_fill fill,
                     guarded_fence fence)
{
    const shape of_run = routine_shape(r, 2, *given), *s = &of_run;
    operands o;
    routine_case(r, s, seed,
                 fence == TIGHT_BEHIND   ? "tight behind"
                 : fence == TIGHT_BEFORE ? "tight before"
                                         : "");
    if (build(r, &o, s, seed, fill, fence))
        run(r, &o, s);
    destroy(&o);
}

static void exact(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 2, &count);
    for (int i = 0; i < count; i++)
        one_case(r, &shapes[i], (uint64_t)i, FILL_NAN, LOOSE);
}

static void residual(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++)
        for (uint64_t seed = 100; seed < 103; seed++)
            one_case(r, &shapes[i], seed, FILL_NAN, LOOSE);
}

/* Elements more than 2^31 apart. */
static void far_apart(routine *r)
{
    const shape s = {3, ((int64_t)1 << 30) + 5, -(((int64_t)1 << 30) + 7), 0, 0};
    const size_t bytes = (2 * (size_t)(-s.incy) + 1) * sizeof(T);
    far_memory room;
    if (!far_take(r, 2, bytes, &room))
        return;
    T *x = room.at[0], *y = room.at[1];
    routine_case(r, &s, 0, "far apart");
    const T given[3] = {make(1, 2), make(3, 4), make(5, 6)};
    const gbl_vector_call call = TYPED_CALL(.n = 3, .x = x, .incx = s.incx, .y = y, .incy = s.incy);
    T found[3];
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), given, 1, x, s.incx));
    if (routine_ran(r, FN(copy)(r->ctx, 3, x, s.incx, y, s.incy), &call)) {
        CHECK_OK(r->ctx, gable_get_vector(r->ctx, 3, sizeof(T), y, -s.incy, found, 1));
        for (int i = 0; i < 3; i++)
            CHECK(memcmp(&found[i], &given[2 - i], sizeof(T)) == 0, "element %d is %g", i,
                  real_part(found[i]));
    }
    far_give(r, &room);
}

static void edges(routine *r)
{
    const shape none = {0, 1, 1, 0, 0}, same = {259, 1, 1, 1, 1}, same_apart = {33, -3, -3, 0, 0};
    routine_case(r, &none, 0, "NULL pointers");
    CHECK_OK(r->ctx, FN(copy)(r->ctx, 0, NULL, 1, NULL, 1));
    CHECK_OK(r->ctx, FN(copy)(r->ctx, 0, NULL, 0, NULL, -1));
    for (int64_t inc = -1; inc <= 2; inc++) {
        const shape one = {1, inc, inc != 0 ? inc : 1, 0, 1};
        one_case(r, &one, 7, FILL_PATTERN, LOOSE);
    }
    /* A vector onto itself. */
    const shape *const selves[] = {&same, &same_apart};
    for (int i = 0; i < 2; i++) {
        const shape of_run = routine_shape(r, 2, *selves[i]), *s = &of_run;
        operands o;
        routine_case(r, s, 8, "onto itself");
        if (build(r, &o, s, 8, FILL_NAN, LOOSE)) {
            const gbl_vector_call call =
                TYPED_CALL(.n = s->n, .x = o.x.at, .incx = s->incx, .y = o.x.at, .incy = s->incx);
            if (routine_ran(r, FN(copy)(r->ctx, s->n, o.x.at, s->incx, o.x.at, s->incx), &call) &&
                guarded_fetch(&o.x))
                guarded_same(&o.x, "x");
        }
        destroy(&o);
    }
    far_apart(r);
}

static void guards(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        one_case(r, &shapes[i], 200, FILL_PATTERN, LOOSE);
        one_case(r, &shapes[i], 200, FILL_NAN, LOOSE);
        one_case(r, &shapes[i], 200, FILL_PATTERN, TIGHT_BEHIND);
        one_case(r, &shapes[i], 200, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static void arguments(routine *r)
{
    static const char name[] = NAME(FN(copy));
    const shape s = {5, 1, 1, 0, 0};
    gable_context *ctx = r->ctx;
    operands o;
    T outside[5];
    memset(outside, 0, sizeof outside);
    routine_case(r, &s, 0, "");
    if (!build(r, &o, &s, 0, FILL_PATTERN, LOOSE))
        goto done;
    T *x = o.x.at, *y = o.y.at;

    CHECK_STATUS(NULL, FN(copy)(NULL, 5, x, 1, y, 1), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, FN(copy)(ctx, -3, x, 1, y, 1), GABLE_BAD_ARGUMENT, name, "argument 2 (n)",
                  "-3");
    CHECK_REFUSED(ctx, FN(copy)(ctx, INT64_MIN, x, 1, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (n)", "-9223372036854775808");
    CHECK_REFUSED(ctx, FN(copy)(ctx, 5, NULL, 1, y, 1), GABLE_BAD_ARGUMENT, name, "argument 3 (x)",
                  "NULL");
    CHECK_REFUSED(ctx, FN(copy)(ctx, 5, x, 1, NULL, 1), GABLE_BAD_ARGUMENT, name, "argument 5 (y)",
                  "NULL");
    CHECK_REFUSED(ctx, FN(copy)(ctx, 5, x, 1, y, 0), GABLE_BAD_ARGUMENT, name, "argument 6 (incy)",
                  "0");
    CHECK_REFUSED(ctx, FN(copy)(ctx, 0, NULL, 1, NULL, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 6 (incy)", "0");
    /* In the order of the prototype. */
    CHECK_REFUSED(ctx, FN(copy)(ctx, -1, NULL, 1, NULL, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (n)");
    CHECK_REFUSED(ctx, FN(copy)(ctx, 5, NULL, 1, NULL, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (x)");
    if (!r->device->props.is_host) {
        CHECK_REFUSED(ctx, FN(copy)(ctx, 5, outside, 1, y, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 3 (x)", r->device->info.name, "gable_alloc");
        CHECK_REFUSED(ctx, FN(copy)(ctx, 5, x, 1, outside, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 5 (y)", r->device->info.name, "gable_alloc");
    }
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
    if (guarded_fetch(&o.x) && guarded_fetch(&o.y)) {
        guarded_same(&o.x, "x");
        guarded_same(&o.y, "y");
    }
    run(r, &o, &s); /* the context works on */
done:
    destroy(&o);
}

static void repeat(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        one_case(r, &shapes[i], 300, FILL_NAN, LOOSE);
        one_case(r, &shapes[i], 300, FILL_NAN, LOOSE);
    }
}

const routine_parts PARTS =
    TEST_PARTS("copy", .run = {exact, residual, edges, guards, arguments, repeat});
