/* cpu_bisect.c: singular values of a bidiagonal matrix by bisection, on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/bdsdc_bisect.cl, where the method is told. A thread has one root at a time; the
 * numbers of a round lie side by side for the vector unit.
 */
#include <float.h>
#include <math.h>
#include "cpu/cpu_singular.h"
#include "cpu/cpu_vector.h"

#define BITS   3
#define POINTS (1 << BITS)

#if defined(PREC_S) || defined(PREC_C)
#define LEAST_PIVOT   FLT_MIN
#define EXPONENT_BITS 7
#define MANTISSA_BITS 23
#define LAST_EXPONENT 23
#define POWER(e)      ldexpf(1, (e))
#else
#define LEAST_PIVOT   DBL_MIN
#define EXPONENT_BITS 10
#define MANTISSA_BITS 52
#define LAST_EXPONENT 51
#define POWER(e)      ldexp(1, (e))
#endif

static void next_pivots(R *q, R b, const R *x, int *negative)
{
    for (int p = 0; p < POINTS; p++) {
        const R next = -x[p] - b / q[p] * b;
        q[p] = next > -LEAST_PIVOT && next < LEAST_PIVOT ? LEAST_PIVOT : next;
        negative[p] += q[p] < 0;
    }
}

/* How many of the numbers x have at most `below` values below them. */
static int passing(const gbl_cpu_bisect_args *call, R scale, const R *x, int points, int64_t below)
{
    const R *d = call->d, *e = call->e;
    R q[POINTS];
    int64_t count[POINTS];
    int passes = 0;
    for (int p = 0; p < POINTS; p++) {
        q[p] = -x[p];
        count[p] = 1 - call->n;
    }
    /* an int holds what 2^20 pivots add, however large n is */
    for (int64_t from = 0; from < call->n; from += 1 << 20) {
        const int64_t end = from + (1 << 20) < call->n ? from + (1 << 20) : call->n;
        int negative[POINTS] = {0};
        for (int64_t j = from; j < end; j++) {
            next_pivots(q, scale * d[j], x, negative);
            if (j + 1 < call->n)
                next_pivots(q, scale * e[j], x, negative);
        }
        for (int p = 0; p < POINTS; p++)
            count[p] += negative[p];
    }
    for (int p = 1; p < points; p++)
        passes += count[p] <= below;
    return passes;
}

static R value_of(const gbl_cpu_bisect_args *call, R scale, int64_t below)
{
    int number = 0;
    R x[POINTS];
    for (int left = EXPONENT_BITS; left > 0;) {
        const int bits = left < BITS ? left : BITS;
        for (int p = 0; p < POINTS; p++)
            x[p] = POWER(number + ((p < 1 << bits ? p : 0) << (left - bits)) -
                         ((1 << EXPONENT_BITS) - 1) + LAST_EXPONENT);
        number += passing(call, scale, x, 1 << bits, below) << (left - bits);
        left -= bits;
    }
    if (number == 0)
        return 0;
    R unit = POWER(number - ((1 << EXPONENT_BITS) - 1) + LAST_EXPONENT), value = unit;
    for (int left = MANTISSA_BITS; left > 0;) {
        const int bits = left < BITS ? left : BITS;
        unit *= 1 / (R)(1 << bits);
        for (int p = 0; p < POINTS; p++)
            x[p] = value + (R)(p < 1 << bits ? p : 0) * unit;
        value += (R)passing(call, scale, x, 1 << bits, below) * unit;
        left -= bits;
    }
    return value;
}

static void bisect_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const gbl_cpu_bisect_args *call = given;
    const R *numbers = call->numbers; /* kernels/lapack/range_one_args.h: factor, back, bad */
    R *values = call->values;
    (void)piece;
    for (int64_t i = begin; i < end; i++)
        values[i] = value_of(call, numbers[0], call->n - 1 - i) * numbers[1];
}

/* gbl_cpu_sbisect gbl_cpu_dbisect gbl_cpu_cbisect gbl_cpu_zbisect */
GBL_CPU_TASK(PRIVATE(bisect))
{
    const gbl_cpu_bisect_args *call = args;
    const int64_t work = 200 * call->n * (int64_t)sizeof(R); /* of a root, as bytes are */
    (void)queue, (void)stream, (void)message;
    *call->info = ((const R *)call->numbers)[2] != 0 ? call->bad : 0;
    gbl_cpu_share(call->n, work, work, bisect_piece, (void *)(uintptr_t)call);
    return GABLE_OK;
}
