/* cpu_range_one.c: one matrix brought into a safe range, and what follows from that, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/range_one.cl, range_info.cl and embed.cl.
 */
#include <math.h>
#include "cpu/cpu_singular.h"
#include "cpu/cpu_vector.h"

static double factor_for(double most, int exponent)
{
    const double from = ldexp(1, -exponent), to = ldexp(1, exponent);
    double power = 1;
    if (most > 0 && isfinite(most)) {
        while (most * power < from)
            power *= 2;
        while (most * power > to)
            power *= 0.5;
    }
    return power;
}

/* Where its numbers stand: kernels/lapack/range_one_args.h. */
enum { ONE_FACTOR, ONE_BACK, ONE_BAD };

/* gbl_cpu_srange_one gbl_cpu_drange_one gbl_cpu_crange_one gbl_cpu_zrange_one */
GBL_CPU_TASK(PRIVATE(range_one))
{
    const gbl_cpu_range_one_args *call = args;
    const R *maxima = call->largest;
    R *numbers = call->numbers, most = 0;
    (void)queue, (void)stream, (void)message;
    for (int64_t i = 0; i < call->groups; i++)
        most = most < maxima[i] || maxima[i] != maxima[i] ? maxima[i] : most; /* a NaN stays */
    const double power = factor_for(most, (int)call->exponent);
    numbers[ONE_FACTOR] = (R)power;
    numbers[ONE_BACK] = isfinite(most) ? (R)(1 / power) : (R)NAN;
    numbers[ONE_BAD] = isfinite(most) ? 0 : 1;
    return GABLE_OK;
}

/* gbl_cpu_srange_info gbl_cpu_drange_info gbl_cpu_crange_info gbl_cpu_zrange_info */
GBL_CPU_TASK(PRIVATE(range_info))
{
    const gbl_cpu_range_one_args *call = args;
    const R *numbers = call->numbers;
    (void)queue, (void)stream, (void)message;
    if (numbers[ONE_BAD] != 0)
        *call->info = call->value;
    return GABLE_OK;
}

static void embed_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const gbl_cpu_range_one_args *call = given;
    const R *numbers = call->numbers;
    const R more = numbers[ONE_BAD] != 0 ? numbers[ONE_BACK] : 0;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        T *element = (T *)call->C + j * call->ldc;
        R *column = (R *)(void *)element;
        const R *from = (const R *)call->B + j * call->ldb;
        for (int64_t i = 0; i < call->m; i++) {
            const R value = i < call->order && j < call->order ? from[i] : i == j ? 1 : 0;
            column[REALS * i] = value + more;
            if (REALS == 2)
                column[REALS * i + REALS - 1] = more;
        }
    }
}

/* gbl_cpu_sembed gbl_cpu_dembed gbl_cpu_cembed gbl_cpu_zembed */
GBL_CPU_TASK(PRIVATE(embed))
{
    const gbl_cpu_range_one_args *call = args;
    const int64_t bytes = call->m * (int64_t)sizeof(T);
    (void)queue, (void)stream, (void)message;
    gbl_cpu_share(call->n, bytes, 2 * bytes, embed_piece, (void *)(uintptr_t)call);
    return GABLE_OK;
}
