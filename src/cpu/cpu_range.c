/* cpu_range.c: matrices brought into a safe range, and back, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/range_largest.cl, range_factors.cl and range_scale.cl.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

#if defined(PREC_S) || defined(PREC_C)
#define SAFE_FROM 0x1p-103
#define SAFE_TO   0x1p103
#else
#define SAFE_FROM 0x1p-970
#define SAFE_TO   0x1p970
#endif

/* ---- The largest element ---- */

typedef struct largest_job {
    const gbl_cpu_range_args *call;
    R most[GBL_CPU_MAX_PIECES];
} largest_job;

/* A NaN stays. */
static R larger(R a, R b)
{
    return a < b || b != b ? b : a;
}

#define SIDE_BY_SIDE 16

static R largest_of(int64_t count, const R *x)
{
    R most[SIDE_BY_SIDE] = {0};
    int64_t i = 0;
    for (; i + SIDE_BY_SIDE <= count; i += SIDE_BY_SIDE)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            most[k] = larger(most[k], x[i + k] < 0 ? -x[i + k] : x[i + k]);
    for (; i < count; i++)
        most[0] = larger(most[0], x[i] < 0 ? -x[i] : x[i]);
    for (int k = 1; k < SIDE_BY_SIDE; k++)
        most[0] = larger(most[0], most[k]);
    return most[0];
}

static void largest_piece(void *given, int piece, int64_t begin, int64_t end)
{
    largest_job *job = given;
    const gbl_cpu_range_args *call = job->call;
    R most = 0;
    for (int64_t j = begin; j < end; j++) {
        const T *column = (const T *)call->A + j * call->lda;
        most = larger(most, largest_of(REALS * call->m, (const R *)(const void *)column));
    }
    job->most[piece] = most;
}

/* gbl_cpu_srange_largest gbl_cpu_drange_largest gbl_cpu_crange_largest gbl_cpu_zrange_largest */
GBL_CPU_TASK(PRIVATE(range_largest))
{
    largest_job job = {.call = args};
    const int64_t bytes = job.call->m * (int64_t)sizeof(T);
    R most = 0;
    (void)queue, (void)stream, (void)message;
    const int pieces = gbl_cpu_share(job.call->n, bytes, bytes, largest_piece, &job);
    for (int p = 0; p < pieces; p++)
        most = larger(most, job.most[p]);
    memcpy(job.call->factors, &most, sizeof most);
    return GABLE_OK;
}

/* ---- Factors ---- */

static double factor_for(double most)
{
    double power = 1;
    if (most > 0 && isfinite(most)) {
        while (most * power < SAFE_FROM)
            power *= 2;
        while (most * power > SAFE_TO)
            power *= 0.5;
    }
    return power;
}

/* gbl_cpu_srange_factors gbl_cpu_drange_factors gbl_cpu_crange_factors gbl_cpu_zrange_factors */
GBL_CPU_TASK(PRIVATE(range_factors))
{
    const gbl_cpu_range_args *call = args;
    R *factors = call->factors;
    const R *most = call->A; /* of A, then of B */
    (void)queue, (void)stream, (void)message;
    const double fa = factor_for(most[0]), fb = factor_for(most[1]);
    factors[0] = (R)fa;
    factors[1] = (R)fb;
    factors[2] = (R)(fa / fb);
    factors[3] = (R)(1 / fb);
    factors[4] = most[0] == 0 ? 1 : 0;
    return GABLE_OK;
}

/* ---- Multiples ---- */

typedef struct scale_job {
    const gbl_cpu_range_args *call;
    R above, below;
    bool clear;
} scale_job;

static void scale_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const scale_job *job = given;
    const gbl_cpu_range_args *call = job->call;
    (void)piece;
    for (int64_t j = begin; j < end; j++) {
        T *element = (T *)call->A + j * call->lda;
        R *column = (R *)(void *)element;
        if (job->clear)
            memset(column, 0, (size_t)call->m * sizeof(T));
        for (int64_t i = 0; !job->clear && i < REALS * call->m; i++)
            column[i] *= i < REALS * call->rows ? job->above : job->below;
    }
}

/* gbl_cpu_srange_scale gbl_cpu_drange_scale gbl_cpu_crange_scale gbl_cpu_zrange_scale */
GBL_CPU_TASK(PRIVATE(range_scale))
{
    const gbl_cpu_range_args *call = args;
    const R *factors = call->factors;
    const scale_job job = {.call = call,
                           .above = factors[call->above],
                           .below = factors[call->below],
                           .clear = call->info != NULL && factors[4] != 0};
    const int64_t bytes = call->m * (int64_t)sizeof(T);
    (void)queue, (void)stream, (void)message;
    if (job.clear || job.above != 1 || job.below != 1)
        gbl_cpu_share(call->n, bytes, 2 * bytes, scale_piece, (void *)(uintptr_t)&job);
    if (job.clear)
        *call->info = 0;
    return GABLE_OK;
}
