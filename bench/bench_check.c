/* bench_check.c: the error of a result over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_check.h"

#define CHUNK ((int64_t)1 << 20) /* elements read back at a time */

/* An unevaluated sum: about 106 bits. */
typedef struct wide {
    double high, low;
} wide;

static wide two_sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return (wide){s, (a - (s - t)) + (b - t)};
}

static wide wide_add(wide a, wide b)
{
    const wide s = two_sum(a.high, b.high);
    return two_sum(s.high, s.low + a.low + b.low);
}

static wide two_product(double a, double b)
{
    const double p = a * b;
    return (wide){p, fma(a, b, -p)};
}

/* a times an integer or other double. */
static wide wide_scale(wide a, double b)
{
    const wide p = two_product(a.high, b);
    return two_sum(p.high, p.low + a.low * b);
}

typedef struct element {
    double re, im;
} element;

static element get(const void *vector, int64_t i, gbl_dtype dtype)
{
    switch (dtype) {
    case GBL_S:
        return (element){((const float *)vector)[i], 0};
    case GBL_D:
        return (element){((const double *)vector)[i], 0};
    case GBL_C:
        return (element){((const float *)vector)[2 * i], ((const float *)vector)[2 * i + 1]};
    case GBL_Z:
        break;
    }
    return (element){((const double *)vector)[2 * i], ((const double *)vector)[2 * i + 1]};
}

static double unit_roundoff(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
}

static double complex_factor(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 * sqrt(2) : 1;
}

/* ---- Reductions ---- */

typedef struct sums {
    wide re, im;
    double moduli; /* sum of |x| |y| */
} sums;

/* Adds terms [0, count) of x_i y_i, conj(x_i) y_i or, without y, |x_i|^2. */
static sums add_terms(const bench_operands *operands, int64_t count)
{
    const gbl_dtype dtype = operands->what.dtype;
    const bool norm = !operands->what.op->has_y;
    sums s = {{0, 0}, {0, 0}, 0};
    for (int64_t i = 0; i < count; i++) {
        element x = get(operands->host_x, i, dtype);
        const element y = norm ? x : get(operands->host_y, i, dtype);
        if (operands->what.op->conj || norm)
            x.im = -x.im;
        s.re = wide_add(s.re, two_product(x.re, y.re));
        if (gbl_dtype_complex(dtype)) {
            s.re = wide_add(s.re, two_product(-x.im, y.im));
            s.im = wide_add(s.im, two_product(x.re, y.im));
            s.im = wide_add(s.im, two_product(x.im, y.re));
        }
        s.moduli += hypot(x.re, x.im) * hypot(y.re, y.im);
    }
    return s;
}

static sums whole_sums(const bench_operands *operands)
{
    const int64_t n = operands->what.n, period = operands->period;
    const double times = (double)(n / period);
    const sums one = add_terms(operands, period);
    const sums rest = n % period > 0 ? add_terms(operands, n % period) : (sums){{0, 0}, {0, 0}, 0};
    return (sums){wide_add(wide_scale(one.re, times), rest.re),
                  wide_add(wide_scale(one.im, times), rest.im), one.moduli * times + rest.moduli};
}

static double reduction_error(const bench_operands *operands, const void *result)
{
    const gbl_dtype dtype = operands->what.dtype;
    const double n = (double)operands->what.n;
    const double terms = fmin(n, 8 * sqrt(n)) + 2;
    const double relative = terms * unit_roundoff(dtype) * complex_factor(dtype);
    const sums s = whole_sums(operands);
    if (operands->what.op->real_result) {
        const double got = get(result, 0, gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D).re;
        const double root = sqrt(s.re.high);
        const wide square = two_product(-root, root);
        const double rest = wide_add(s.re, square).high / (2 * root);
        return fabs((root - got) + rest) / (relative * root);
    }
    const element got = get(result, 0, dtype);
    const double re = (s.re.high - got.re) + s.re.low, im = (s.im.high - got.im) + s.im.low;
    return hypot(re, im) / (relative * s.moduli);
}

/* ---- Vectors ---- */

/* How far got is from y + times alpha x, over the bound of that many roundings. */
static double axpy_ratio(element x, element y, element got, double times, double per_rounding)
{
    const double ar = BENCH_ALPHA_RE * times, ai = BENCH_ALPHA_IM * times;
    const bool real = x.im == 0 && y.im == 0;
    wide re = wide_add(two_sum(y.re, -got.re), two_product(ar, x.re));
    wide im = {0, 0};
    if (!real) {
        re = wide_add(re, two_product(-ai, x.im));
        im = wide_add(two_sum(y.im, -got.im), two_product(ar, x.im));
        im = wide_add(im, two_product(ai, x.re));
    }
    const double alpha = real ? ar : hypot(ar, ai);
    const double bound =
        (2 * times + 1) * per_rounding * (alpha * hypot(x.re, x.im) + hypot(y.re, y.im));
    return hypot(re.high, im.high) / bound;
}

/* The worst element of a piece of y; NaN beats all. */
static double piece_error(const bench_operands *operands, const void *piece, int64_t first,
                          int64_t count, int64_t times)
{
    const gbl_dtype dtype = operands->what.dtype;
    const bool axpy = operands->what.op->has_alpha;
    const size_t elem = gbl_dtype_bytes(dtype);
    const double per_rounding = unit_roundoff(dtype) * complex_factor(dtype);
    double worst = 0;
    int64_t wrong = 0;
#pragma omp parallel for reduction(max : worst) reduction(+ : wrong)
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = (first + i) % operands->period;
        if (!axpy) {
            wrong += memcmp((const char *)piece + (size_t)i * elem,
                            (const char *)operands->host_x + (size_t)at * elem, elem) != 0;
            continue;
        }
        const double ratio =
            axpy_ratio(get(operands->host_x, at, dtype), get(operands->host_y, at, dtype),
                       get(piece, i, dtype), (double)times, per_rounding);
        if (ratio > worst)
            worst = ratio;
        wrong += !(ratio >= 0); /* NaN */
    }
    if (axpy)
        return wrong > 0 ? (double)NAN : worst;
    return wrong > 0 ? (double)wrong + 1 : 0;
}

gable_status bench_check(const bench_operands *operands, int64_t times, bench_reader reader,
                         void *user, double *error)
{
    if (operands->what.op->has_result) {
        double result[2] = {0, 0};
        TRY(reader(user, true, 0, 1, result));
        *error = reduction_error(operands, result);
        return GABLE_OK;
    }
    const int64_t n = operands->what.n, most = n < CHUNK ? n : CHUNK;
    void *piece = malloc((size_t)most * gbl_dtype_bytes(operands->what.dtype));
    if (piece == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    gable_status status = GABLE_OK;
    *error = 0;
    for (int64_t first = 0; status == GABLE_OK && first < n; first += most) {
        const int64_t count = most < n - first ? most : n - first;
        status = reader(user, false, first, count, piece);
        if (status == GABLE_OK) {
            const double worst = piece_error(operands, piece, first, count, times);
            if (!(worst <= *error)) /* NaN too */
                *error = worst;
        }
        if (isnan(*error))
            break;
    }
    free(piece);
    return status;
}

/* ---- The operands' own memory ---- */

typedef struct set_reader {
    bench_operands *operands;
    int64_t set;
} set_reader;

static gable_status read_set(void *user, bool result, int64_t first, int64_t count, void *target)
{
    const set_reader *reader = user;
    const bench_operands *operands = reader->operands;
    const size_t elem = gbl_dtype_bytes(operands->what.dtype);
    const char *source = result ? operands->result[reader->set]
                                : (char *)operands->y[reader->set] + (size_t)first * elem;
    size_t bytes = (size_t)count * elem;
    if (result && operands->what.op->real_result)
        bytes = gbl_dtype_real_bytes(operands->what.dtype);
    return gable_get_vector(operands->ctx, (int64_t)bytes, 1, source, 1, target, 1);
}

gable_status bench_check_set(bench_operands *operands, int64_t set, int64_t times, double *error)
{
    set_reader reader = {operands, set};
    return bench_check(operands, times, read_set, &reader, error);
}
