/* bench_reference.c: what the outputs of a case should be.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <float.h>
#include <stdlib.h>
#include "bench_reference.h"

bench_element bench_get(const void *vector, int64_t i, gbl_dtype dtype)
{
    const float *single = vector;
    const double *wider = vector;
    switch (dtype) {
    case GBL_S:
        return (bench_element){single[i], 0};
    case GBL_D:
        return (bench_element){wider[i], 0};
    case GBL_C:
        return (bench_element){single[2 * i], single[2 * i + 1]};
    case GBL_Z:
        break;
    }
    return (bench_element){wider[2 * i], wider[2 * i + 1]};
}

double bench_unit_roundoff(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
}

double bench_complex_factor(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 * sqrt(2) : 1;
}

/* ---- Vectors ---- */

/* output = sum of x[j] x_j + y y + constant; each output is within roundings u of the sum of
 * x_size[j] |x_j| + y_size |y|. */
typedef struct combination {
    wide_complex x[BENCH_COLUMNS], y, constant;
    double x_size[BENCH_COLUMNS], y_size;
    double roundings;
} combination;

/* What one call makes of (x, y), as a matrix: rows x and y. */
typedef struct step {
    wide_complex row[2][2];
} step;

static step one_step(const bench_operands *operands)
{
    gbl_scalar alpha, beta;
    bench_scalars(&operands->what, &alpha, &beta);
    const wide_complex zero = wide_number(0, 0), one = wide_number(1, 0);
    const wide_complex a = wide_number(alpha.re, alpha.im), b = wide_number(beta.re, beta.im);
    step s = {{{one, zero}, {zero, one}}};
    switch (operands->what.op->formula) {
    case BENCH_COPY:
        return (step){{{one, zero}, {one, zero}}};
    case BENCH_SWAP:
        return (step){{{zero, one}, {one, zero}}};
    case BENCH_SCAL:
        s.row[0][0] = a;
        break;
    case BENCH_AXPY:
        s.row[1][0] = a;
        break;
    case BENCH_AXPBY:
        return (step){{{one, zero}, {a, b}}};
    case BENCH_ROT:
        return (step){{{a, b}, {wide_number(-beta.re, beta.im), a}}};
    case BENCH_ROTM:
        return (step){{{wide_number(alpha.re, 0), wide_number(beta.re, 0)},
                       {wide_number(alpha.im, 0), wide_number(beta.im, 0)}}};
    default:
        break;
    }
    return s;
}

static step multiply(const step *left, const step *right)
{
    step product;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            product.row[i][j] = complex_add(complex_multiply(left->row[i][0], right->row[0][j]),
                                            complex_multiply(left->row[i][1], right->row[1][j]));
    return product;
}

/* The sizes behind the bounds: what passes through each of `times` calls, each of which rounds. */
static void set_bound(const bench_operands *operands, bench_role which, int64_t times,
                      combination *sum)
{
    gbl_scalar alpha, beta;
    bench_scalars(&operands->what, &alpha, &beta);
    const double a = hypot(alpha.re, alpha.im), b = hypot(beta.re, beta.im), count = (double)times;
    switch (operands->what.op->formula) {
    case BENCH_SCAL:
        sum->x_size[0] = complex_modulus(sum->x[0]);
        sum->roundings = count + 1;
        break;
    case BENCH_AXPY:
        sum->x_size[0] = a * count;
        sum->y_size = 1;
        sum->roundings = 2 * count + 1;
        break;
    case BENCH_AXPBY: /* the sums 1 + beta + ... are at most 2 / |1 - beta| */
        sum->x_size[0] = a * (1 + 2 * b / hypot(1 - beta.re, beta.im));
        sum->y_size = fmax(1, complex_modulus(sum->y)) * b;
        sum->roundings = 2 * count + 1;
        break;
    case BENCH_ROT:
        /* of the length of (x, y), which stays; sqrt 2: both roundings at their worst */
        sum->x_size[0] = sum->y_size = sqrt(2);
        sum->roundings = 2 * count + 1;
        break;
    case BENCH_ROTM: /* a rotation of (x, y / 2) */
        sum->x_size[0] = which == BENCH_X ? sqrt(2) : 2 * sqrt(2);
        sum->y_size = sum->x_size[0] / 2;
        sum->roundings = 2 * count + 1;
        break;
    default: /* exact */
        break;
    }
}

static void combine_columns(const bench_operands *operands, int64_t times, combination *sum)
{
    const bench_case *what = &operands->what;
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    const wide_complex factor =
        complex_multiply(wide_number(alpha.re, alpha.im), wide_number((double)times, 0));
    for (int64_t j = 0; j < what->k; j++) {
        const bench_element a = bench_get(operands->host[BENCH_VALUES], j, what->dtype);
        const wide_complex scaled = complex_multiply(factor, wide_number(a.re, a.im));
        const int64_t column = j % operands->columns;
        sum->x[column] = complex_add(sum->x[column], scaled);
        sum->x_size[column] += complex_modulus(scaled);
    }
    sum->y = wide_number(1, 0);
    sum->y_size = 1;
    sum->roundings = (double)(what->k + 2) * (double)times + 1;
}

static combination combine(const bench_operands *operands, bench_role which, int64_t times)
{
    combination sum = {.roundings = 0};
    gbl_scalar alpha, beta;
    bench_scalars(&operands->what, &alpha, &beta);
    switch (operands->what.op->formula) {
    case BENCH_MAXPY:
        combine_columns(operands, times, &sum);
        return sum;
    case BENCH_FILL:
        sum.constant = wide_number(alpha.re, alpha.im);
        return sum;
    case BENCH_WAXPBY:
        sum.x[0] = wide_number(alpha.re, alpha.im);
        sum.y = wide_number(beta.re, beta.im);
        sum.x_size[0] = complex_modulus(sum.x[0]);
        sum.y_size = complex_modulus(sum.y);
        sum.roundings = 3;
        return sum;
    default:
        break;
    }
    const step one = one_step(operands);
    step all = one;
    for (int64_t i = 1; i < times; i++)
        all = multiply(&one, &all);
    sum.x[0] = all.row[which == BENCH_X ? 0 : 1][0];
    sum.y = all.row[which == BENCH_X ? 0 : 1][1];
    set_bound(operands, which, times, &sum);
    return sum;
}

static void add_term(bench_expected *to, wide_complex factor, double size, bench_element value)
{
    to->value = complex_add(to->value, complex_multiply(factor, wide_number(value.re, value.im)));
    to->bound += size * hypot(value.re, value.im);
}

/* 1 / x: in double first, then what is left of 1 (Newton's step). */
static bench_expected reciprocal(bench_element x, gbl_dtype dtype)
{
    const double square = x.re * x.re + x.im * x.im;
    const wide_complex first = wide_number(x.re / square, -x.im / square);
    const wide_complex product = complex_multiply(first, wide_number(x.re, x.im));
    const wide_complex left = {wide_add((wide){1, 0}, wide_negative(product.re)),
                               wide_negative(product.im)};
    const double bound = gbl_dtype_complex(dtype) ? 5 : 1;
    return (bench_expected){complex_add(first, complex_multiply(first, left)),
                            bound * bench_unit_roundoff(dtype) / sqrt(square)};
}

bench_expected *bench_reference_vector(const bench_operands *operands, bench_role which,
                                       int64_t times)
{
    const gbl_dtype dtype = operands->what.dtype;
    const int64_t period = operands->period;
    const combination sum = combine(operands, which, times);
    const double relative =
        sum.roundings * bench_unit_roundoff(dtype) * bench_complex_factor(dtype);
    bench_expected *expected = malloc((size_t)period * sizeof *expected);
    if (expected == NULL)
        return NULL;
#pragma omp parallel for
    for (int64_t i = 0; i < period; i++) {
        bench_expected e = {sum.constant, 0};
        if (operands->what.op->formula == BENCH_RECIPROCAL) {
            expected[i] = reciprocal(bench_get(operands->host[BENCH_X], i, dtype), dtype);
            continue;
        }
        for (int64_t j = 0; operands->host[BENCH_X] != NULL && j < operands->columns; j++)
            add_term(&e, sum.x[j], sum.x_size[j],
                     bench_get(operands->host[BENCH_X], j * period + i, dtype));
        if (operands->host[BENCH_Y] != NULL)
            add_term(&e, sum.y, sum.y_size, bench_get(operands->host[BENCH_Y], i, dtype));
        e.bound *= relative;
        expected[i] = e;
    }
    return expected;
}

/* ---- Random ---- */

/* Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3,
 * 2011). */
static void philox(uint64_t block, uint64_t seed, uint32_t out[4])
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
    for (int round = 0; round < 10; round++) {
        const uint64_t even = (uint64_t)0xD2511F53u * c[0], odd = (uint64_t)0xCD9E8D57u * c[2];
        const uint32_t next[4] = {(uint32_t)(odd >> 32) ^ c[1] ^ key[0], (uint32_t)odd,
                                  (uint32_t)(even >> 32) ^ c[3] ^ key[1], (uint32_t)even};
        for (int i = 0; i < 4; i++)
            c[i] = next[i];
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

static double random_real(const bench_case *what, uint64_t number)
{
    gbl_scalar low, high;
    uint32_t word[4];
    bench_scalars(what, &low, &high);
    if (gbl_dtype_real_bytes(what->dtype) == 4) {
        philox(number / 4, BENCH_SEED, word);
        const float u = (float)(word[number % 4] >> 8) * 0x1p-24f;
        return fmaf(u, (float)(high.re - low.re), (float)low.re);
    }
    philox(number / 2, BENCH_SEED, word);
    const uint64_t bits = (uint64_t)word[2 * (number % 2)] << 32 | word[2 * (number % 2) + 1];
    return fma((double)(bits >> 11) * 0x1p-53, high.re - low.re, low.re);
}

bench_element bench_reference_random(const bench_case *what, int64_t i)
{
    const bool is_complex = gbl_dtype_complex(what->dtype);
    const uint64_t reals = is_complex ? 2 : 1, number = (BENCH_FIRST + (uint64_t)i) * reals;
    return (bench_element){random_real(what, number),
                           is_complex ? random_real(what, number + 1) : 0};
}

/* ---- Sums ---- */

/* Adds terms [0, count): x_i y_i, conj(x_i) y_i, |x_i|^2 or |re x_i| + |im x_i|. */
static bench_sums add_terms(const bench_operands *operands, int64_t column, int64_t count)
{
    const bench_op *op = operands->what.op;
    const gbl_dtype dtype = operands->what.dtype;
    bench_sums s = {{{0, 0}, {0, 0}}, 0};
    for (int64_t i = 0; i < count; i++) {
        bench_element x = bench_get(operands->host[BENCH_X], column * operands->period + i, dtype);
        if (op->formula == BENCH_ASUM) {
            s.sum.re = wide_add(s.sum.re, two_sum(fabs(x.re), fabs(x.im)));
            continue;
        }
        const bench_element y =
            op->formula == BENCH_NRM2 ? x : bench_get(operands->host[BENCH_Y], i, dtype);
        if (op->conj || op->formula == BENCH_NRM2)
            x.im = -x.im;
        s.sum.re = wide_add(s.sum.re, two_product(x.re, y.re));
        if (gbl_dtype_complex(dtype)) {
            s.sum.re = wide_add(s.sum.re, two_product(-x.im, y.im));
            s.sum.im = wide_add(s.sum.im, two_product(x.re, y.im));
            s.sum.im = wide_add(s.sum.im, two_product(x.im, y.re));
        }
        s.moduli += hypot(x.re, x.im) * hypot(y.re, y.im);
    }
    if (op->formula == BENCH_ASUM)
        s.moduli = s.sum.re.high;
    return s;
}

bench_sums bench_reference_sums(const bench_operands *operands, int64_t column)
{
    const int64_t n = operands->what.n, period = operands->period;
    const double times = (double)(n / period);
    const bench_sums one = add_terms(operands, column % operands->columns, period);
    const bench_sums rest = add_terms(operands, column % operands->columns, n % period);
    return (bench_sums){{wide_add(wide_scale(one.sum.re, times), rest.sum.re),
                         wide_add(wide_scale(one.sum.im, times), rest.sum.im)},
                        one.moduli * times + rest.moduli};
}

void bench_add_product(bench_sums *s, bench_element a, bench_element b)
{
    s->sum.re = wide_add(s->sum.re, two_product(a.re, b.re));
    if (a.im == 0 && b.im == 0) {
        s->moduli += fabs(a.re * b.re);
        return;
    }
    s->sum.re = wide_add(s->sum.re, two_product(-a.im, b.im));
    s->sum.im = wide_add(s->sum.im, two_product(a.re, b.im));
    s->sum.im = wide_add(s->sum.im, two_product(a.im, b.re));
    s->moduli += hypot(a.re, a.im) * hypot(b.re, b.im);
}

double bench_over_bound(bench_expected e, bench_element got)
{
    const double distance = hypot((e.value.re.high - got.re) + e.value.re.low,
                                  (e.value.im.high - got.im) + e.value.im.low);
    if (e.bound == 0)
        return distance == 0 ? 0 : 2;
    return distance / e.bound;
}
