/* map_parts.h: the six parts of the test of a routine that maps vectors to vectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each takes the `map` of map_test.h; a test calls them for each of its maps and adds what is
 * special about the routine. Typed: it comes last among the includes.
 */
#ifndef TEST_MAP_PARTS_H
#define TEST_MAP_PARTS_H

#include "harness/map_test.h"

/* ---- exact, residual, guards ---- */

/* A part for each map of a test. Real scalars beside complex vectors are kernels of their own, half
 * a second each on PoCL: only with GABLE_TEST_ALL are they tried with other tunables, and in all
 * shapes. */
static inline void map_each(routine *r, const map *const *maps, size_t count,
                            void (*part)(routine *r, const map *m))
{
    const bool tuned = strchr(r->choice, ':') != NULL;
    for (size_t i = 0; i < count; i++)
        if (!maps[i]->real_scalars || !tuned || r->all)
            part(r, maps[i]);
}

static inline const shape *map_shapes(const routine *r, const map *m, int *count)
{
    return m->real_scalars && !r->all ? routine_few_shapes(r, m->vectors, count)
                                      : routine_shapes(r, m->vectors, count);
}

/* Every shape; then vectors that are the same. */
static inline void map_exact(routine *r, const map *m)
{
    int count;
    const shape *shapes = map_shapes(r, m, &count);
    for (int i = 0; i < count; i++)
        map_check(r, m,
                  &(map_case){.s = shapes[i],
                              .seed = (uint64_t)i,
                              .on_device = m->scalars > 0 && i % 2 == 1});
    const shape *few = routine_few_shapes(r, m->vectors, &count);
    for (int a = 0; a < m->same_count; a++)
        for (int i = 0; i < count; i++)
            map_check(r, m,
                      &(map_case){.s = few[i],
                                  .seed = 50,
                                  .same = m->same[a],
                                  .on_device = m->scalars > 0 && i % 2 == 1});
}

static inline void map_residual(routine *r, const map *m)
{
    int count;
    const shape *shapes = map_shapes(r, m, &count);
    for (int i = 0; i < count; i++)
        map_check(r, m,
                  &(map_case){.s = shapes[i],
                              .seed = 1000 + 10 * (uint64_t)i,
                              .random = true,
                              .on_device = m->scalars > 0 && i % 2 == 0});
}

static inline void map_guards(routine *r, const map *m)
{
    int count;
    const shape *shapes = routine_few_shapes(r, m->vectors, &count);
    for (int i = 0; i < count; i++) {
        const bool device = m->scalars > 0;
        map_case c = {.s = shapes[i], .seed = 200 + (uint64_t)i, .fill = FILL_PATTERN};
        map_check(r, m, &c);
        c.fence = TIGHT_BEHIND;
        map_check(r, m, &c);
        c.on_device = device;
        c.fence = TIGHT_BEFORE;
        map_check(r, m, &c);
        c.fence = LOOSE;
        c.fill = FILL_NAN;
        map_check(r, m, &c);
    }
}

/* ---- edges ---- */

/* NaN in one element of a vector, or (vector < 0) in a scalar: it must come where the reference has
 * it, and nowhere else. */
static inline void map_nan(routine *r, const map *m, int vector, int64_t place, bool on_device)
{
    operands o;
    char more[64];
    const map_case c = map_of_run(r, m,
                                  (map_case){.s = {37, 1, vector == 1 ? 1 : 2, 0, 1},
                                             .seed = 70,
                                             .random = true,
                                             .on_device = on_device});
    snprintf(more, sizeof more, "NaN in %s %lld", vector < 0 ? "scalar" : map_names[vector],
             (long long)place);
    const bool built = map_build(r, m, &c, &o);
    if (built && vector < 0)
        o.value[place][m->reals[place] - 1] = (R)NAN;
    else if (built)
        put(&o.vector[vector], place, make(NAN, 1));
    map_title(r, m, &c, &o, more);
    if (built && map_send(&o) && map_run(r, &o))
        map_bounded(r, &o);
    map_destroy(&o);
}

/* Elements more than 2^31 apart. */
static inline void map_far(routine *r, const map *m)
{
    enum { N = 3 };
    const bool host = r->device->props.is_host;
    T given[MAP_VECTORS][N], found[N];
    operands o;
    map_case c = {.s = {N, 0, 0, 0, 0}, .seed = 80};
    size_t bytes[MAP_VECTORS], all_bytes = 0;
    bool room = true;
    memset(&o, 0, sizeof o);
    o.map = m;
    o.n = N;
    map_draw(&o, c.seed, false);
    for (int j = 0; j < m->vectors; j++) {
        const int64_t size = ((int64_t)1 << 30) + 5 + 2 * j;
        o.inc[j] = j == 0 ? -size : size;
        bytes[j] = ((N - 1) * (size_t)size + 1) * sizeof(T);
        all_bytes += bytes[j];
    }
    if (!routine_far(r, all_bytes))
        return;
    c.s.incx = o.inc[0];
    c.s.incy = o.inc[1];
    map_title(r, m, &c, &o, "far apart");
    for (int j = 0; j < m->vectors; j++) {
        o.at[j] = far_reserve(r->ctx, host, bytes[j]);
        room = room && o.at[j] != NULL;
    }
    if (!room)
        test_leave_out(NULL, "no address space of %zu bytes for strides past 2^31", all_bytes);
    for (int j = 0; room && j < m->vectors; j++) {
        T ordered[N];
        for (int i = 0; i < N; i++) {
            given[j][i] = map_datum(m, (uint64_t)j, i, false);
            ordered[o.inc[j] < 0 ? N - 1 - i : i] = given[j][i];
        }
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, N, sizeof(T), ordered, 1, o.at[j],
                                          o.inc[j] < 0 ? -o.inc[j] : o.inc[j]));
    }
    const bool ran = room && map_run(r, &o);
    for (int j = 0; ran && j < m->vectors; j++) {
        CHECK_OK(r->ctx, gable_get_vector(r->ctx, N, sizeof(T), o.at[j],
                                          o.inc[j] < 0 ? -o.inc[j] : o.inc[j], found, 1));
        for (int i = 0; i < N; i++) {
            T in[MAP_VECTORS], out[MAP_VECTORS];
            for (int k = 0; k < m->vectors; k++)
                in[k] = out[k] = given[k][i];
            map_exactly(&o, in, out);
            CHECK(memcmp(&found[o.inc[j] < 0 ? N - 1 - i : i], m->written[j] ? &out[j] : &in[j],
                         sizeof(T)) == 0,
                  "element %d of %s is wrong", i, map_names[j]);
        }
    }
    for (int j = 0; j < m->vectors; j++)
        if (o.at[j] != NULL)
            far_release(r->ctx, host, o.at[j], bytes[j]);
}

/* Nothing, one element, NaN, elements far apart. */
static inline void map_edges(routine *r, const map *m)
{
    for (int device = 0; device <= (m->scalars > 0); device++) {
        const map_case none = {.s = {0, 1, -1, 0, 0}, .on_device = device};
        operands o;
        memset(&o, 0, sizeof o);
        o.map = m;
        o.on_device = device;
        o.inc[0] = 1;
        o.inc[1] = -1;
        o.inc[2] = 2;
        map_title(r, m, &none, &o, "NULL pointers");
        CHECK_OK(r->ctx, m->run(r->ctx, &o));
        for (int64_t inc = -1; inc <= 2; inc++)
            map_check(r, m,
                      &(map_case){.s = {1, inc, inc != 0 ? inc : 1, 0, 1},
                                  .seed = 7,
                                  .on_device = device,
                                  .fill = FILL_PATTERN});
        if (m->move != NULL)
            continue; /* all bits are the same to it */
        for (int k = 0; k < m->scalars; k++)
            map_nan(r, m, -1, k, device);
        for (int j = 0; j < m->vectors; j++)
            for (int64_t place = 0; place < 37; place += 4)
                map_nan(r, m, j, place, device);
    }
    map_far(r, m);
}

/* alpha x + beta y with scalars of 0, 1 and others, also -0: a vector whose scalar is 0 is all NaN,
 * and so is an output that is not read. Both contiguous and strided vectors. */
static inline void map_zero_scalars(routine *r, const map *m)
{
    static const double values[] = {0, -0.0, 1, -1, 3};
    enum { VALUES = sizeof values / sizeof values[0] };
    for (int which = 0; which < 2 * 2 * VALUES * VALUES; which++) {
        const double alpha = values[which / 4 % VALUES], beta = values[which / 4 / VALUES];
        const R scalars[MAP_SCALARS][MAP_REALS] = {{(R)alpha}, {(R)beta}};
        unsigned poison = (alpha == 0) | (beta == 0) << 1;
        if (m->vectors > 2)
            poison |= 4;
        if (signbit(alpha) && signbit(beta) && alpha == 0 && beta == 0)
            continue; /* 0 of which sign? */
        map_check(r, m,
                  &(map_case){.s = {100, which & 1 ? 2 : 1, which & 1 ? -1 : 1, 1, 0},
                              .seed = 60,
                              .scalars = scalars,
                              .on_device = which & 2,
                              .poison = poison,
                              .fill = FILL_PATTERN});
    }
}

/* ---- arguments ---- */

/* The call must be refused for this argument. */
static inline void map_refused(const routine *r, const operands *o, int number, const char *prefix,
                               const char *name, const char *piece)
{
    char argument[64];
    const char *routine_name = o->on_device ? o->map->name_dev : o->map->name;
    snprintf(argument, sizeof argument, "argument %d (%s%s)", number, prefix, name);
    CHECK_REFUSED(r->ctx, o->map->run(r->ctx, o), GABLE_BAD_ARGUMENT, routine_name, argument,
                  piece);
}

/* Pointers that are NULL, or of the host where the device has memory of its own. */
static inline void map_bad_pointers(const routine *r, const operands *good, T *outside)
{
    const map *m = good->map;
    const bool own = !r->device->props.is_host;
    for (int k = 0; good->on_device && k < m->scalars; k++) {
        operands o = *good;
        o.scalar_at[k] = NULL;
        map_refused(r, &o, m->scalar_number[k], "", m->scalar_name[k], "NULL");
        o.scalar_at[k] = outside;
        if (own)
            map_refused(r, &o, m->scalar_number[k], "", m->scalar_name[k], r->device->info.name);
    }
    for (int j = 0; j < m->vectors; j++) {
        operands o = *good;
        o.at[j] = NULL;
        map_refused(r, &o, m->number[j], "", map_names[j], "NULL");
        o.at[j] = outside;
        if (own) {
            map_refused(r, &o, m->number[j], "", map_names[j], r->device->info.name);
            map_refused(r, &o, m->number[j], "", map_names[j], "gable_alloc");
        }
    }
}

static inline void map_bad_sizes(const routine *r, const operands *good)
{
    const map *m = good->map;
    operands o = *good;
    o.n = -3;
    map_refused(r, &o, 2, "", "n", "-3");
    o.n = INT64_MIN;
    map_refused(r, &o, 2, "", "n", "-9223372036854775808");
    for (int j = 0; j < m->vectors; j++) {
        o = *good;
        o.inc[j] = 0;
        if (!m->written[j])
            continue;
        map_refused(r, &o, m->number[j] + 1, "inc", map_names[j], "0");
        o.n = 0; /* wrong whatever the size */
        map_refused(r, &o, m->number[j] + 1, "inc", map_names[j], "0");
    }
}

/* Everything is wrong: the first in the order of the prototype is named. */
static inline void map_bad_order(const routine *r, const operands *good)
{
    const map *m = good->map;
    operands o = *good;
    int first = m->number[0];
    const char *name = "x";
    for (int j = 0; j < m->vectors; j++) {
        o.at[j] = NULL;
        o.inc[j] = 0;
    }
    for (int k = 0; k < m->scalars; k++) {
        o.scalar_at[k] = NULL;
        if (o.on_device && m->scalar_number[k] < first) {
            first = m->scalar_number[k];
            name = m->scalar_name[k];
        }
    }
    map_refused(r, &o, first, "", name, "NULL");
    o.n = -1;
    map_refused(r, &o, 2, "", "n", "-1");
}

static inline void map_arguments(routine *r, const map *m)
{
    for (int device = 0; device <= (m->scalars > 0); device++) {
        const map_case c = {
            .s = {5, 1, 1, 0, 0}, .on_device = device, .fill = FILL_PATTERN, .seed = 90};
        T outside[5];
        operands o;
        memset(outside, 0, sizeof outside);
        const bool built = map_build(r, m, &c, &o);
        map_title(r, m, &c, &o, "");
        if (built) {
            CHECK_STATUS(NULL, m->run(NULL, &o), GABLE_BAD_ARGUMENT);
            map_bad_sizes(r, &o);
            map_bad_pointers(r, &o, outside);
            map_bad_order(r, &o);
            for (size_t i = 0; i < sizeof outside; i++)
                CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
            map_same(&o);
            if (map_run(r, &o)) /* the context works on */
                map_equal(&o);
        }
        map_destroy(&o);
    }
}

/* ---- repeat ---- */

/* The bytes of all vectors as fetched must be those of another run. */
static inline void map_same_bits(const operands *a, const operands *b, const char *what)
{
    for (int j = 0; j < a->map->vectors; j++)
        CHECK(memcmp(a->vector[j].got, b->vector[j].got, a->vector[j].bytes) == 0,
              "%s gave other bits in %s", what, map_names[j]);
}

/* A recording of the call: nothing runs before the replay, which gives the bits that the call gave;
 * scalars on the device are read at the replay. `direct` is built like o, run and fetched. */
static inline void map_replayed(routine *r, operands *o, const operands *direct)
{
    gable_recording *recording = NULL;
    if (!CHECK_OK(r->ctx, gable_record_begin(r->ctx)))
        return;
    const bool ran = map_run(r, o);
    if (!CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording)) || !ran)
        goto done;
    map_same(o);
    if (CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && map_fetch(o))
        map_same_bits(direct, o, "a replay");
    if (o->on_device) {
        map_draw(o, 401, true);
        if (map_send(o) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)))
            map_bounded(r, o);
    }
done:
    gable_recording_destroy(recording);
}

static inline void map_twice(routine *r, const map *m, const map_case *given)
{
    operands first, second;
    const map_case of_run = map_of_run(r, m, *given), *c = &of_run;
    const bool built_first = map_build(r, m, c, &first), built = map_build(r, m, c, &second);
    map_title(r, m, c, &first, "twice");
    if (built_first && built && map_run(r, &first) && map_fetch(&first)) {
        if (map_run(r, &second) && map_fetch(&second))
            map_same_bits(&first, &second, "the same call");
        map_title(r, m, c, &first, "replayed");
        if (map_send(&second))
            map_replayed(r, &second, &first);
    }
    map_destroy(&first);
    map_destroy(&second);
}

/* The same bits twice and by replay; all variants within the bound. */
static inline void map_repeat(routine *r, const map *m)
{
    int count;
    const shape *shapes = routine_few_shapes(r, m->vectors, &count);
    for (int i = 0; i < count; i++)
        for (int device = 0; device <= (m->scalars > 0); device++)
            map_twice(
                r, m,
                &(map_case){.s = shapes[i], .seed = 400, .random = true, .on_device = device});
    const char *choice = r->choice;
    for (int v = 0; routine_next_variant(r, &v);) {
        for (int i = 0; i < count; i++)
            map_check(r, m, &(map_case){.s = shapes[i], .seed = 500, .random = true});
    }
    r->choice = choice;
}

#endif
