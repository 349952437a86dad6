/* map_test.h: a routine that maps vectors to vectors, as its test sees it, and one case of the
 * test.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test describes its routine in a `map`: the vectors and scalars it takes and where they stand
 * among the arguments, how it is called, and what it makes of one element, in wider arithmetic and
 * with the size of the terms that are added. From that map_parts.h makes the six parts. Typed: like
 * numbers.h, which it includes, it comes last among the includes.
 *
 * Exact data are odd integers: no product is 0, so there is no zero whose sign depends on the order
 * of the terms, and results are compared bit for bit.
 */
#ifndef TEST_MAP_TEST_H
#define TEST_MAP_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

enum { MAP_VECTORS = 3, MAP_SCALARS = 2, MAP_REALS = 5 };

typedef struct map map;

/* The operands of one call: vectors x, y, w; scalars as lists of reals: one, the two of a complex
 * number, or the five of rotm's param. */
typedef struct operands {
    const map *map;
    int64_t n;
    T *at[MAP_VECTORS];
    int64_t inc[MAP_VECTORS];
    bool on_device; /* the scalars are at scalar_at, else in value */
    R value[MAP_SCALARS][MAP_REALS];
    const void *scalar_at[MAP_SCALARS];
    /* Vector j lies in vector[place[j]]: two may be the same. */
    guarded vector[MAP_VECTORS], scalar[MAP_SCALARS];
    int place[MAP_VECTORS];
} operands;

/* One element of a result, and the sum of the sizes of the terms it was added from. */
typedef struct map_value {
    wide re, im;
    double size;
} map_value;

struct map {
    const char *name, *name_dev; /* of the public functions; name_dev NULL: there are no scalars */
    int vectors, scalars;
    bool written[MAP_VECTORS];
    int number[MAP_VECTORS]; /* of the vectors among the arguments; the strides come next */
    int scalar_number[MAP_SCALARS];
    const char *scalar_name[MAP_SCALARS];
    int reals[MAP_SCALARS]; /* of a scalar */
    bool real_scalars;      /* beside complex vectors */
    double bound;           /* |error| <= bound u size */
    gable_status (*run)(gable_context *ctx, const operands *o);
    /* The elements of vectors that are written. Routines that move bits say `move`, the others
     * `element`. */
    void (*element)(const operands *o, const T *in, map_value *out);
    void (*move)(const operands *o, const T *in, T *out);
    /* Optional: exact data, where odd integers are not. */
    T (*datum)(uint64_t seed, int64_t i);
    /* Optional: changes the scalars drawn from a seed. */
    void (*draw)(uint64_t seed, operands *o);
    /* Optional: true where a call by value returns before any variant is asked. */
    bool (*quick)(const operands *o);
    /* Legal ways for vectors to be the same: vector j is where vector same[][j] is. */
    int same_count;
    int same[4][MAP_VECTORS];
};

/* One case of a test; what is left out is the plain choice. */
typedef struct map_case {
    shape s;
    uint64_t seed;
    bool random; /* data; else integers */
    bool on_device;
    guarded_fill fill; /* around the vectors */
    guarded_fence fence;
    const int *same;               /* NULL: all vectors are apart */
    const R (*scalars)[MAP_REALS]; /* NULL: from the seed */
    unsigned poison;               /* bit j: vector j holds nothing but NaN */
} map_case;

/* Scalar k as a T. */
static inline T map_scalar(const operands *o, int k)
{
    return make(o->value[k][0], o->map->reals[k] > 1 ? o->value[k][1] : 0);
}

static inline bool is_zero(T t)
{
    return real_part(t) == 0 && imaginary_part(t) == 0;
}

static inline bool is_nan(T t)
{
    return isnan(real_part(t)) || isnan(imaginary_part(t));
}

static inline T conjugate(T t)
{
    return make(real_part(t), -imaginary_part(t));
}

static inline double size_of(T t)
{
    /* Data are near 1: no square overflows, and hypot would take the time. */
    return REALS == 1 ? fabs(real_part(t))
                      : sqrt(real_part(t) * real_part(t) + imaginary_part(t) * imaginary_part(t));
}

/* v := v + sign a b */
static inline void map_add(map_value *v, double sign, T a, T b)
{
    v->re = wide_add_product(v->re, sign * real_part(a), real_part(b));
#if COMPLEX
    v->re = wide_add_product(v->re, -sign * imaginary_part(a), imaginary_part(b));
    v->im = wide_add_product(v->im, sign * real_part(a), imaginary_part(b));
    v->im = wide_add_product(v->im, sign * imaginary_part(a), real_part(b));
#endif
    v->size += size_of(a) * size_of(b);
}

/* ---- Operands ---- */

static inline int64_t map_stride(const shape *s, int vector)
{
    const int64_t both = s->incx * s->incy;
    return vector == 0 ? s->incx : vector == 1 ? s->incy : both != 0 ? both : -1;
}

static inline int map_offset(const shape *s, int vector)
{
    return vector == 0 ? s->offx : vector == 1 ? s->offy : (2 * s->offx + s->offy) % 4;
}

/* Draws the scalars: integers up to 9 that are not 0, or random. */
static inline void map_draw(operands *o, uint64_t seed, bool random)
{
    for (int k = 0; k < o->map->scalars; k++) {
        for (int i = 0; i < o->map->reals[k]; i++) {
            const uint64_t which = (uint64_t)(MAP_REALS * k + i);
            const int integer = data_integer(seed + 7, which, 9);
            o->value[k][i] =
                random ? random_real(seed + 7, which) : (R)(integer != 0 ? integer : 7);
        }
    }
    if (o->map->draw != NULL)
        o->map->draw(seed, o);
}

static inline T map_datum(const map *m, uint64_t seed, int64_t i, bool random)
{
    T t;
    if (m->move != NULL) {
        const uint64_t bits[2] = {data_bits(seed, 2 * (uint64_t)i),
                                  data_bits(seed, 2 * (uint64_t)i + 1)};
        memcpy(&t, bits, sizeof t);
        return t;
    }
    if (random)
        return random_element(seed, i);
    if (m->datum != NULL)
        return m->datum(seed, i);
    t = integer_element(seed, i, 49);
    return make(2 * real_part(t) + 1, 2 * imaginary_part(t) + 1);
}

/* The scalars to the device. */
static inline bool map_send_scalars(operands *o)
{
    bool good = true;
    for (int k = 0; good && k < o->map->scalars; k++) {
        for (int i = 0; i < o->map->reals[k]; i++)
            memcpy(guarded_element(&o->scalar[k], i), &o->value[k][i], sizeof(R));
        good = guarded_send(&o->scalar[k]);
    }
    return good;
}

/* Everything to the device, as the images say. */
static inline bool map_send(operands *o)
{
    bool good = map_send_scalars(o);
    for (int j = 0; good && j < o->map->vectors; j++)
        good = o->place[j] != j || guarded_send(&o->vector[j]);
    return good;
}

static inline bool map_build(routine *r, const map *m, const map_case *c, operands *o)
{
    bool good = true;
    memset(o, 0, sizeof *o);
    o->map = m;
    o->n = c->s.n;
    o->on_device = c->on_device;
    if (c->scalars != NULL)
        memcpy(o->value, c->scalars, sizeof o->value);
    else
        map_draw(o, c->seed, c->random);
    for (int k = 0; k < m->scalars; k++) {
        good = guarded_make(&o->scalar[k], r->ctx, m->reals[k], 1, sizeof(R), sizeof(R), FILL_NAN,
                            LOOSE) &&
               good;
        o->scalar_at[k] = o->scalar[k].at;
    }
    for (int j = 0; j < m->vectors; j++) {
        const int place = c->same != NULL ? c->same[j] : j;
        guarded *v = &o->vector[place];
        if (place == j)
            good = guarded_make(v, r->ctx, o->n, map_stride(&c->s, j), sizeof(T),
                                (size_t)map_offset(&c->s, j) * sizeof(R),
                                m->written[j] ? c->fill : FILL_NAN, c->fence) &&
                   good;
        o->place[j] = place;
        o->at[j] = v->at;
        o->inc[j] = v->inc;
    }
    for (int j = 0; good && j < m->vectors; j++) {
        const uint64_t seed = c->seed + 1000003 * (uint64_t)j;
        for (int64_t i = 0; o->place[j] == j && i < (o->inc[j] != 0 ? o->n : 1); i++) {
            if (c->poison >> j & 1)
                memset(guarded_element(&o->vector[j], i), 0xff, sizeof(T));
            else
                put(&o->vector[j], i, map_datum(m, seed, i, c->random));
        }
    }
    return good && map_send(o);
}

static inline void map_destroy(operands *o)
{
    for (int j = 0; j < MAP_VECTORS; j++)
        guarded_destroy(&o->vector[j]);
    for (int k = 0; k < MAP_SCALARS; k++)
        guarded_destroy(&o->scalar[k]);
}

/* ---- Running and comparing ---- */

static inline gbl_vector_call map_call(const operands *o)
{
    const map *m = o->map;
    gbl_vector_call call =
        TYPED_CALL(.real_scalars = m->real_scalars, .n = o->n, .x = o->at[0], .incx = o->inc[0],
                   .y = o->at[1], .incy = o->inc[1], .w = o->at[2], .incw = o->inc[2]);
    gbl_scalar *const scalars[MAP_SCALARS] = {&call.alpha, &call.beta};
    for (int k = 0; k < m->scalars; k++)
        *scalars[k] = (gbl_scalar){o->on_device ? o->scalar_at[k] : NULL, o->value[k][0],
                                   m->reals[k] > 1 ? o->value[k][1] : 0};
    return call;
}

/* True: it ran. */
static inline bool map_run(routine *r, const operands *o)
{
    const gbl_vector_call call = map_call(o);
    const bool quick = o->n == 0 || (!o->on_device && o->map->quick != NULL && o->map->quick(o));
    return routine_ran(r, o->map->run(r->ctx, o), quick ? NULL : &call);
}

static inline void map_inputs(const operands *o, int64_t i, T *in)
{
    for (int j = 0; j < o->map->vectors; j++)
        in[j] = get(&o->vector[o->place[j]], i);
}

/* What exact arithmetic makes of the elements `in`. */
static inline void map_exactly(const operands *o, const T *in, T *out)
{
    map_value values[MAP_VECTORS];
    memset(values, 0, sizeof values);
    if (o->map->move != NULL) {
        o->map->move(o, in, out);
        return;
    }
    o->map->element(o, in, values);
    for (int j = 0; j < o->map->vectors; j++)
        out[j] = make(values[j].re.high + values[j].re.low, values[j].im.high + values[j].im.low);
}

static inline bool map_fetch(operands *o)
{
    bool good = true;
    for (int j = 0; good && j < o->map->vectors; j++)
        good = o->place[j] != j || guarded_fetch(&o->vector[j]);
    for (int k = 0; good && k < o->map->scalars; k++)
        good = guarded_fetch(&o->scalar[k]);
    return good;
}

static const char *const map_names[MAP_VECTORS] = {"x", "y", "w"};

/* All memory must be what the images say. */
static inline void map_same(operands *o)
{
    if (!map_fetch(o))
        return;
    for (int j = 0; j < o->map->vectors; j++)
        if (o->place[j] == j)
            guarded_same(&o->vector[j], map_names[j]);
    for (int k = 0; k < o->map->scalars; k++)
        guarded_same(&o->scalar[k], o->map->scalar_name[k]);
}

/* The same bits as exact arithmetic. */
static inline void map_equal(operands *o)
{
    for (int64_t i = 0; i < o->n; i++) {
        T in[MAP_VECTORS], out[MAP_VECTORS];
        map_inputs(o, i, in);
        map_exactly(o, in, out);
        for (int j = 0; j < o->map->vectors; j++)
            if (o->map->written[j])
                put(&o->vector[o->place[j]], i, out[j]);
    }
    map_same(o);
}

/* The error of an element over its bound; 0 where both are NaN, Inf where one is. */
static inline double map_ratio(const map *m, const map_value *want, T found)
{
    const bool nan = isnan(want->re.high) || isnan(want->im.high);
    if (nan || is_nan(found))
        return nan && is_nan(found) ? 0 : INFINITY;
    const double re = wide_distance(want->re, real_part(found));
    const double error =
        REALS == 1 ? re : wide_size(re, wide_distance(want->im, imaginary_part(found)));
    return error == 0 ? 0 : error / (m->bound * ROUNDOFF * want->size);
}

/* Whether the call writes the memory of vector[place]. */
static inline bool map_changes(const operands *o, int place)
{
    for (int j = 0; j < o->map->vectors; j++)
        if (o->map->written[j] && o->place[j] == place)
            return true;
    return false;
}

/* Every element under the bound, nothing else changed. */
static inline void map_bounded(routine *r, operands *o)
{
    double worst = 0;
    int64_t at = 0;
    if (o->map->move != NULL) {
        map_equal(o);
        return;
    }
    if (!map_fetch(o))
        return;
    for (int64_t i = 0; i < o->n; i++) {
        T in[MAP_VECTORS];
        map_value want[MAP_VECTORS];
        memset(want, 0, sizeof want);
        map_inputs(o, i, in);
        o->map->element(o, in, want);
        for (int j = 0; j < o->map->vectors; j++) {
            const double ratio = o->map->written[j]
                                     ? map_ratio(o->map, &want[j], got(&o->vector[o->place[j]], i))
                                     : 0;
            if (!(ratio <= worst)) {
                worst = ratio;
                at = i;
            }
        }
    }
    CHECK(worst <= 1, "element %lld has %g times the error that is allowed", (long long)at, worst);
    if (worst > r->worst)
        r->worst = worst;
    for (int j = 0; j < o->map->vectors; j++) {
        if (o->place[j] == j && !map_changes(o, j))
            guarded_same(&o->vector[j], map_names[j]);
        else if (o->place[j] == j)
            guarded_surroundings(&o->vector[j], map_names[j]);
    }
    for (int k = 0; k < o->map->scalars; k++)
        guarded_same(&o->scalar[k], o->map->scalar_name[k]);
}

/* The line that reproduces a case. */
static inline void map_title(routine *r, const map *m, const map_case *c, const operands *o,
                             const char *more)
{
    char text[256];
    snprintf(text, sizeof text,
             "%s scalars%s=%g,%g;%g,%g fill=%d fence=%d same=%d,%d,%d poison=%x %s",
             c->on_device ? m->name_dev : m->name, c->on_device ? " on device" : "",
             (double)o->value[0][0], (double)o->value[0][1], (double)o->value[1][0],
             (double)o->value[1][1], (int)c->fill, (int)c->fence, o->place[0], o->place[1],
             o->place[2], c->poison, more);
    routine_case(r, &c->s, c->seed, text);
}

/* The case as the run takes it. Real scalars beside complex vectors are kernels of their own: where
 * kernels compile slowly they see aligned vectors only. */
static inline map_case map_of_run(const routine *r, const map *m, map_case c)
{
    if (m->real_scalars && routine_slow_compiler(r))
        c.s = (shape){c.s.n, 1, 1, 0, 0};
    c.s = routine_shape(r, m->vectors, c.s);
    return c;
}

/* Builds, runs, compares. */
static inline void map_check(routine *r, const map *m, const map_case *given)
{
    operands o;
    const map_case of_run = map_of_run(r, m, *given), *c = &of_run;
    for (int j = 0; j < m->vectors; j++)
        if (m->written[j] && map_stride(&c->s, j) == 0)
            return; /* legal for inputs only */
    const bool built = map_build(r, m, c, &o);
    map_title(r, m, c, &o, c->random ? "random" : "");
    if (built && map_run(r, &o)) {
        if (c->random)
            map_bounded(r, &o);
        else
            map_equal(&o);
    }
    map_destroy(&o);
}

#endif
