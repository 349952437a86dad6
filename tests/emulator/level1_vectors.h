/* level1_vectors.h: vectors on the host and on the device, for the checks of the vector routines.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by files that are compiled once per precision. Blocks are arrays of reals; a complex
 * element is two of them. v->host is the block as it should be on the device: a check changes it as
 * the routine should, then compares.
 */
#ifndef LEVEL1_VECTORS_H
#define LEVEL1_VECTORS_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/precision.h"
#include "gable/gable.h"
#include "level1_check.h"

#if defined(PREC_S)
#define TYPED(name) name##_s
#elif defined(PREC_D)
#define TYPED(name) name##_d
#elif defined(PREC_C)
#define TYPED(name) name##_c
#else
#define TYPED(name) name##_z
#endif

/* The lists that level1_check.c collects. */
extern const level1_named TYPED(level1_maps)[], TYPED(level1_folds)[], TYPED(level1_columns)[],
    TYPED(level1_numbers)[], TYPED(level1_matrices)[], TYPED(level1_planes)[],
    TYPED(level1_triangles)[], TYPED(level1_batches)[], TYPED(level1_mirrored)[],
    TYPED(level1_updates)[], TYPED(level1_bands)[], TYPED(level1_products)[];

#define REALS (COMPLEX ? 2 : 1)
#define GAP   ((R)12345) /* what gaps of outputs hold */

typedef struct vector {
    R *host;      /* the block as it should be on the device */
    size_t reals; /* of the block */
    int64_t n, inc;
    size_t first; /* real at which the vector's lowest element starts */
    char *base;
    T *at;
} vector;

__attribute__((format(printf, 4, 5))) static inline bool
say(level1_report *report, const char *check, const level1_case *c, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    report->check = check;
    snprintf(report->why, sizeof report->why,
             "%c n=%lld incx=%lld incy=%lld columns=%lld shift=%d,%d pad=%d on_device=%d: %s",
             "sdcz"[DTYPE], (long long)c -> n, (long long)c -> incx, (long long)c -> incy,
             (long long)c -> columns, c -> shift_x, c -> shift_y, c -> pad, c -> on_device, text);
    return false;
}

static inline bool status_ok(gable_context *ctx, gable_status status, const level1_case *c,
                             level1_report *report)
{
    return status == GABLE_OK ||
           say(report, "status", c, "%s: %.200s", gable_status_name(status), gable_message(ctx));
}

/* A small integer that depends on all of its arguments. */
static inline R value(int64_t i, int part, unsigned seed)
{
    uint64_t h = ((uint64_t)i * 2 + (uint64_t)part + 1) * 0x9e3779b97f4a7c15u + seed * 0x85ebca6bu;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (R)((int)(h >> 40) % 9 - 4);
}

/* A scalar; im is dropped where T is real. */
static inline T scalar(R re, R im)
{
#if COMPLEX
    const T t = {re, im};
#else
    const T t = re;
    (void)im;
#endif
    return t;
}

/* The real at which element i starts. */
static inline size_t place(const vector *v, int64_t i)
{
    const int64_t element = v->inc >= 0 ? i * v->inc : (i - v->n + 1) * v->inc;
    return v->first + (size_t)element * REALS;
}

static inline bool make(gable_context *ctx, vector *v, int64_t n, int64_t inc, int shift, int pad,
                        R gap)
{
    const int64_t step = inc < 0 ? -inc : inc;
    const size_t span = n > 0 ? (size_t)((n - 1) * step + 1) : 0;
    memset(v, 0, sizeof *v);
    v->n = n;
    v->inc = inc;
    v->first = (size_t)shift + (size_t)pad * REALS;
    v->reals = v->first + (span + (size_t)pad) * REALS;
    v->host = malloc(v->reals * sizeof(R) + 1);
    if (v->host == NULL)
        return false;
    for (size_t i = 0; i < v->reals; i++)
        v->host[i] = gap;
    void *base = NULL;
    if (gable_alloc(ctx, v->reals * sizeof(R), &base) != GABLE_OK)
        return false;
    v->base = base;
    v->at = base != NULL ? (void *)(v->base + v->first * sizeof(R)) : NULL;
    return true;
}

static inline void drop(gable_context *ctx, vector *v)
{
    gable_free(ctx, v->base);
    free(v->host);
}

static inline void set_values(vector *v, unsigned seed)
{
    for (int64_t i = 0; i < v->n; i++)
        for (int part = 0; part < REALS; part++)
            v->host[place(v, i) + (size_t)part] = value(v->inc == 0 ? 0 : i, part, seed);
}

static inline gable_status send(gable_context *ctx, const vector *v)
{
    return gable_set_vector(ctx, (int64_t)v->reals, sizeof(R), v->host, 1, v->base, 1);
}

/* The block on the device must be v->host, bit for bit; one NaN is like another. */
static inline bool compare(gable_context *ctx, const vector *v, const level1_case *c,
                           const char *name, level1_report *report)
{
    R *got = malloc(v->reals * sizeof(R) + 1);
    bool good =
        got != NULL &&
        status_ok(ctx, gable_get_vector(ctx, (int64_t)v->reals, sizeof(R), v->base, 1, got, 1), c,
                  report);
    for (size_t r = 0; good && r < v->reals; r++) {
        if (memcmp(&got[r], &v->host[r], sizeof(R)) == 0 || (isnan(got[r]) && isnan(v->host[r])))
            continue;
        bool gap = true;
        for (int64_t i = 0; i < v->n && gap; i++)
            gap = r < place(v, i) || r >= place(v, i) + REALS;
        good = say(report, gap ? "guards" : "exact", c,
                   "%s: real %zu of %zu (vector from %zu) is %g, not %g", name, r, v->reals,
                   v->first, (double)got[r], (double)v->host[r]);
    }
    free(got);
    return good;
}

/* Calls `function` repeats times; each result must be close to expected (0: the same bits). */
typedef gable_status (*sum_call)(gable_context *ctx, const level1_case *c, const vector *x,
                                 const vector *y, void *result);

static inline bool check_sum(gable_context *ctx, const level1_case *c, level1_report *report,
                             sum_call function, const vector *x, const vector *y, const R *expected,
                             size_t reals, R tolerance)
{
    R got[2] = {0, 0};
    void *base = NULL;
    const size_t guarded = reals + 2; /* one real before and one behind the result */
    bool good = status_ok(ctx, gable_alloc(ctx, guarded * sizeof(R), &base), c, report);
    for (int turn = 0; good && turn < c->repeats; turn++) {
        R block[4] = {GAP, (R)NAN, reals > 1 ? (R)NAN : GAP, GAP};
        good = status_ok(ctx, gable_set_vector(ctx, (int64_t)guarded, sizeof(R), block, 1, base, 1),
                         c, report);
        R *target = c->on_device ? (R *)base + 1 : got;
        good = good && status_ok(ctx, function(ctx, c, x, y, target), c, report);
        if (good && c->on_device) {
            good = status_ok(ctx,
                             gable_get_vector(ctx, (int64_t)guarded, sizeof(R), base, 1, block, 1),
                             c, report);
            if (good && (block[0] != GAP || block[reals + 1] != GAP))
                good = say(report, "guards", c, "memory beside the result was written");
            memcpy(got, block + 1, reals * sizeof(R));
        }
        for (size_t part = 0; good && part < reals; part++) {
            const R want = expected[part];
            const bool same = isnan(want)   ? isnan(got[part])
                              : isinf(want) ? got[part] == want
                                            : fabs((double)got[part] - (double)want) <=
                                                  (double)tolerance * fabs((double)want);
            if (!same)
                good = say(report, turn > 0 ? "repeat" : "exact", c,
                           "result[%zu] of call %d is %.17g, not %.17g", part, turn + 1,
                           (double)got[part], (double)want);
        }
    }
    gable_free(ctx, base);
    return good;
}

#endif
