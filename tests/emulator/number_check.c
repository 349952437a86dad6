/* number_check.c: checks of random, rotg_dev and rotmg_dev. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * random is compared bit by bit with the words of the harness's Philox, which must first give the
 * known answer of its authors. The rotations are a few whose numbers are known.
 */
#include <float.h>
#include "harness/philox.h"
#include "level1_vectors.h"

#define EPSILON (sizeof(R) == 4 ? (double)FLT_EPSILON : DBL_EPSILON)

/* ---- random --------------------------------------------------------------------------------- */

/* Number r of the stream of a seed, in [0, 1). */
static R unit(uint64_t seed, uint64_t r)
{
    if (sizeof(R) == 4) {
        const philox_words words = philox_block(seed, r / 4);
        return (R)((double)(words.word[r % 4] >> 8) * 0x1p-24);
    }
    const philox_words words = philox_block(seed, r / 2);
    const uint64_t bits = (uint64_t)words.word[2 * (r % 2)] << 32 | words.word[2 * (r % 2) + 1];
    return (R)((double)(bits >> 11) * 0x1p-53);
}

static bool random_once(gable_context *ctx, const level1_case *c, level1_report *report,
                        uint64_t seed, uint64_t first, R low, R high)
{
    vector x = {.n = 0};
    bool good = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, GAP) ||
                say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    for (int64_t i = 0; i < c->n && good; i++)
        for (int part = 0; part < REALS; part++)
            x.host[place(&x, i) + (size_t)part] = (R)NAN;
    good = good && status_ok(ctx, send(ctx, &x), c, report) &&
           status_ok(ctx, FN(random)(ctx, c->n, seed, first, low, high, x.at, c->incx), c, report);
    for (int64_t i = 0; i < c->n && good; i++) {
        for (int part = 0; part < REALS; part++) {
            const R u = unit(seed, (first + (uint64_t)i) * REALS + (uint64_t)part);
            const R width = high - low;
            x.host[place(&x, i) + (size_t)part] =
                sizeof(R) == 4 ? (R)fmaf((float)u, (float)width, (float)low)
                               : (R)fma((double)u, (double)width, (double)low);
        }
    }
    char name[64];
    snprintf(name, sizeof name, "random from %llx", (unsigned long long)first);
    good = good && compare(ctx, &x, c, name, report);
    drop(ctx, &x);
    return good;
}

static bool check_random(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const uint32_t answer[4] = {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u};
    const philox_words words = philox_block(0, 0);
    if (memcmp(words.word, answer, sizeof answer) != 0)
        return say(report, "status", c, "the harness's Philox does not give the known answer");
    if (c->incx == 0)
        return true;
    /* Starts within a counter, counters beyond 32 bits, numbers that wrap. */
    return random_once(ctx, c, report, 0, 0, 0, 1) && random_once(ctx, c, report, 42, 1, -1, 1) &&
           random_once(ctx, c, report, 0x123456789abcdef0u, 7, (R)-0.1, (R)0.3) &&
           random_once(ctx, c, report, ~(uint64_t)0, ((uint64_t)1 << 36) + 3, 2, 5) &&
           random_once(ctx, c, report, 5, ~(uint64_t)0 - 2, -3, -3);
}

/* ---- rotg ----------------------------------------------------------------------------------- */

typedef struct pair {
    double re, im;
} pair;

/* a and b times 2^power (of R's exponents), and what must come out: r times 2^power too. z: of
 * reals. */
static const struct rotation {
    pair a, b;
    pair r;
    double c;
    pair s;
    double z;
} rotations[] = {
#if COMPLEX
    {{3, 0}, {4, 0}, {5, 0}, 0.6, {0.8, 0}, 0},
    {{0, 3}, {4, 0}, {0, 5}, 0.6, {0, 0.8}, 0},
    {{3, 0}, {0, 4}, {5, 0}, 0.6, {0, -0.8}, 0},
    {{3, 4}, {0, 12}, {7.8, 10.4}, 5.0 / 13, {0.8 * 12 / 13, -0.6 * 12 / 13}, 0},
    {{0, 0}, {0, -2}, {2, 0}, 0, {0, 1}, 0},
    {{-1, 2}, {0, 0}, {-1, 2}, 1, {0, 0}, 0},
#else
    {{3, 0}, {4, 0}, {5, 0}, 0.6, {0.8, 0}, 5.0 / 3},
    {{-8, 0}, {6, 0}, {-10, 0}, 0.8, {-0.6, 0}, -0.6},
    {{5, 0}, {-12, 0}, {-13, 0}, -5.0 / 13, {12.0 / 13, 0}, -13.0 / 5},
    {{0, 0}, {-2, 0}, {-2, 0}, 0, {1, 0}, 1},
    {{-7, 0}, {0, 0}, {-7, 0}, 1, {0, 0}, 0},
#endif
    {{0, 0}, {0, 0}, {0, 0}, 1, {0, 0}, 0},
};

/* Both parts; the tolerance is of the larger one. */
static bool near(const R *got, double re, double im)
{
    const double bound = 8 * EPSILON * (fabs(re) + fabs(im));
    return fabs((double)got[0] - re) <= bound &&
           (!COMPLEX || fabs((double)got[REALS - 1] - im) <= bound);
}

/* Operands one behind the other with gaps between: a, b, s and, real, c. */
static bool rotg_once(gable_context *ctx, const level1_case *c, level1_report *report,
                      const struct rotation *rotation, int power)
{
    vector v = {.n = 0};
    bool good = make(ctx, &v, 4, 2, 0, 0, GAP) ||
                say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (!good)
        return false;
    R *a = v.host + place(&v, 0), *b = v.host + place(&v, 1), *s = v.host + place(&v, 2);
    R *cosine = v.host + place(&v, 3);
    a[0] = (R)ldexp(rotation->a.re, power);
    b[0] = (R)ldexp(rotation->b.re, power);
    if (COMPLEX) {
        a[REALS - 1] = (R)ldexp(rotation->a.im, power);
        b[REALS - 1] = (R)ldexp(rotation->b.im, power);
    }
    const R b_re = b[0];
    good = status_ok(ctx, send(ctx, &v), c, report) &&
           status_ok(ctx, FN(rotg_dev)(ctx, v.at, v.at + 2, (R *)(void *)(v.at + 6), v.at + 4), c,
                     report) &&
           status_ok(ctx, gable_get_vector(ctx, (int64_t)v.reals, sizeof(R), v.base, 1, v.host, 1),
                     c, report);
    const double scale = ldexp(1, power);
    if (good && !(near(a, rotation->r.re * scale, rotation->r.im * scale) &&
                  near(s, rotation->s.re, rotation->s.im) &&
                  fabs((double)cosine[0] - rotation->c) <= 8 * EPSILON &&
                  (COMPLEX ? b[0] == b_re : fabs((double)b[0] - rotation->z) <= 16 * EPSILON)))
        good =
            say(report, "exact", c, "rotg of (%g, %g) and (%g, %g) 2^%d gives r=%g c=%g s=%g b=%g",
                rotation->a.re, rotation->a.im, rotation->b.re, rotation->b.im, power, (double)a[0],
                (double)cosine[0], (double)s[0], (double)b[0]);
    for (size_t gap = 1; good && gap < 4; gap++) /* elements 1, 3 and 5 lie between */
        if (v.host[(2 * gap - 1) * REALS] != GAP)
            good = say(report, "guards", c, "rotg writes beside its operands");
    drop(ctx, &v);
    return good;
}

static bool check_rotg(gable_context *ctx, const level1_case *c, level1_report *report)
{
    const int far = sizeof(R) == 4 ? 120 : 1015; /* squares overflow, r does not */
    bool good = true;
    for (size_t i = 0; i < sizeof rotations / sizeof rotations[0] && good; i++)
        good = rotg_once(ctx, c, report, &rotations[i], 0) &&
               rotg_once(ctx, c, report, &rotations[i], far) &&
               rotg_once(ctx, c, report, &rotations[i], -far);
    return good;
}

/* ---- rotmg ---------------------------------------------------------------------------------- */

#if !COMPLEX
#define KEPT 77 /* what param holds before: elements that a flag implies stay */

/* d1, d2, x1 before and after; param after. */
static const struct modified {
    double before[3], y1, after[3], param[5];
} modified[] = {
    {{1, 1, 3}, 4, {0.64, 0.64, 6.25}, {1, 0.75, KEPT, KEPT, 0.75}},
    {{1, 1, 4}, 3, {0.64, 0.64, 6.25}, {0, KEPT, -0.75, 0.75, KEPT}},
    {{-1, 1, 4}, 3, {0, 0, 0}, {-1, 0, 0, 0, 0}},
    {{1, -1, 3}, 4, {0, 0, 0}, {-1, 0, 0, 0, 0}},
    {{1, 0, 3}, 4, {1, 0, 3}, {-2, KEPT, KEPT, KEPT, KEPT}},
    {{2, 1, 3}, 0, {2, 1, 3}, {-2, KEPT, KEPT, KEPT, KEPT}},
    /* Scaled: d too small, once and twice, and too large. */
    {{0x1p-30, 0x1p-30, 4},
     2,
     {0.8 * 0x1p-6, 0.8 * 0x1p-6, 5.0 / 4096},
     {-1, 1.0 / 4096, -0.5 / 4096, 0.5 / 4096, 1.0 / 4096}},
    {{0x1p-50, 0x1p-50, 4},
     2,
     {0.8 * 0x1p-2, 0.8 * 0x1p-2, 5.0 * 0x1p-24},
     {-1, 0x1p-24, -0x1p-25, 0x1p-25, 0x1p-24}},
    {{0x1p40, 0x1p40, 2},
     4,
     {0.8 * 0x1p16, 0.8 * 0x1p16, 5.0 * 4096},
     {-1, 0.5 * 4096, -4096, 4096, 0.5 * 4096}},
};

static bool rotmg_once(gable_context *ctx, const level1_case *c, level1_report *report,
                       const struct modified *m, int number)
{
    vector v = {.n = 0}; /* d1, d2, x1, y1, param */
    bool good = make(ctx, &v, 9, 1, 0, 1, GAP) ||
                say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (!good)
        return false;
    R *host = v.host + v.first;
    for (int i = 0; i < 3; i++)
        host[i] = (R)m->before[i];
    host[3] = (R)m->y1;
    for (int i = 4; i < 9; i++)
        host[i] = KEPT;
    good = status_ok(ctx, send(ctx, &v), c, report) &&
           status_ok(ctx, FN(rotmg_dev)(ctx, v.at, v.at + 1, v.at + 2, v.at + 3, v.at + 4), c,
                     report) &&
           status_ok(ctx, gable_get_vector(ctx, (int64_t)v.reals, sizeof(R), v.base, 1, v.host, 1),
                     c, report);
    for (int i = 0; i < 9 && good; i++) {
        const double want = i < 3 ? m->after[i] : i == 3 ? m->y1 : m->param[i - 4];
        if (!(fabs((double)host[i] - want) <= 8 * EPSILON * fabs(want)))
            good = say(report, "exact", c, "rotmg %d: number %d of d1 d2 x1 y1 param is %g, not %g",
                       number, i, (double)host[i], want);
    }
    if (good && (host[-1] != GAP || host[9] != GAP))
        good = say(report, "guards", c, "rotmg writes beside its operands");
    drop(ctx, &v);
    return good;
}

static bool check_rotmg(gable_context *ctx, const level1_case *c, level1_report *report)
{
    bool good = true;
    for (int i = 0; i < (int)(sizeof modified / sizeof modified[0]) && good; i++)
        good = rotmg_once(ctx, c, report, &modified[i], i);
    return good;
}
#endif

const level1_named TYPED(level1_numbers)[] = {
    {"random", check_random},
    {"rotg", check_rotg},
#if !COMPLEX
    {"rotmg", check_rotmg},
#endif
    {NULL, NULL},
};
