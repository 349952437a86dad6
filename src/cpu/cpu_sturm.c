/* cpu_sturm.c: eigenvalues of symmetric tridiagonal matrices on the cpu, by bisection.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/sturm_begin.cl and sturm_values.cl: Sturm counts, bisection of the bits of
 * numbers. SIDE eigenvalues are found side by side, so that quotients fill vectors.
 */
#include <math.h>
#include "cpu/cpu_eigen.h"
#include "cpu/cpu_vector.h"

#if defined(PREC_S) || defined(PREC_C)
#define TWICE_ROUNDOFF 0x1p-23
#define LEAST_NORMAL   0x1p-126
#define MOST_POWER     126
#define STEPS          34
typedef int32_t word;
#else
#define TWICE_ROUNDOFF 0x1p-52
#define LEAST_NORMAL   0x1p-1022
#define MOST_POWER     1022
#define STEPS          66
typedef int64_t word;
#endif
#define SIDE 16

typedef struct sturm_job {
    const gbl_cpu_sturm_args *call;
    const R *d, *e; /* scaled */
    R unit, most, least;
} sturm_job;

static R size_of(R a)
{
    return a < 0 ? -a : a;
}

/* A NaN stays. */
static R larger(R a, R b)
{
    return a < b || b != b ? b : a;
}

static int64_t place_of(R number)
{
    word bits;
    const R size = number < 0 ? -number : number + 0;
    memcpy(&bits, &size, sizeof bits);
    return number < 0 ? -(int64_t)bits : (int64_t)bits;
}

static R number_at(int64_t place)
{
    const word bits = (word)(place < 0 ? -place : place);
    R number;
    memcpy(&number, &bits, sizeof number);
    return place < 0 ? -number : number;
}

/* How many eigenvalues are below each of SIDE points. */
static void count_below(const sturm_job *job, const R *x, int64_t *count)
{
    const int64_t n = job->call->n;
    const R least = job->least;
    R q[SIDE], many[SIDE]; /* counts are exact as numbers up to 2^24; then they are added up */
    for (int k = 0; k < SIDE; k++) {
        q[k] = 1;
        many[k] = 0;
        count[k] = 0;
    }
    for (int64_t i = 0; i < n; i++) {
        const R center = job->d[i], beside = i > 0 ? job->e[i - 1] : 0;
        for (int k = 0; k < SIDE; k++) {
            const R pivot = (center - x[k]) - beside * (beside / q[k]);
            q[k] = pivot < least && pivot > -least ? -least : pivot;
            many[k] += q[k] < 0 ? (R)1 : (R)0;
        }
        if ((i & 0xfffff) == 0xfffff || i + 1 == n)
            for (int k = 0; k < SIDE; k++) {
                count[k] += (int64_t)many[k];
                many[k] = 0;
            }
    }
}

static void find_side(const sturm_job *job, int64_t first, int64_t count, R *w)
{
    int64_t low[SIDE], high[SIDE], counts[SIDE];
    R x[SIDE];
    for (int k = 0; k < SIDE; k++) {
        low[k] = place_of(-job->most);
        high[k] = place_of(job->most);
    }
    for (int step = 0; step < STEPS; step++) {
        bool open = false;
        for (int k = 0; k < SIDE; k++) {
            const uint64_t apart = (uint64_t)high[k] - (uint64_t)low[k];
            open = open || apart > 1;
            x[k] = number_at(low[k] + (int64_t)(apart / 2));
        }
        if (!open)
            break;
        count_below(job, x, counts);
        for (int k = 0; k < SIDE; k++) {
            const uint64_t apart = (uint64_t)high[k] - (uint64_t)low[k];
            const int64_t middle = low[k] + (int64_t)(apart / 2);
            if (apart > 1 && counts[k] > first + k)
                high[k] = middle;
            else if (apart > 1)
                low[k] = middle;
        }
    }
    for (int k = 0; k < SIDE && k < count; k++) {
        const R value = number_at(high[k]);
        /* Counts do not tell pivots below `least` from 0. */
        w[k] = job->unit * (size_of(value) < 2 * job->least ? (R)0 : value);
    }
}

static void find_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const sturm_job *job = given;
    const gbl_cpu_sturm_args *call = job->call;
    (void)piece;
    for (int64_t k = begin; k < end; k += SIDE)
        find_side(job, call->first + k, end - k, (R *)call->w + k);
}

/* The matrix over a power of two near its largest element, and a bound of its eigenvalues. */
static void scale(sturm_job *job)
{
    const gbl_cpu_sturm_args *call = job->call;
    const R *d = call->d, *e = call->e;
    R *center = call->scaled, *beside = center + call->n;
    R most = 0, norm = 0;
    int power = 0;
    for (int64_t i = 0; i < call->n; i++) {
        most = larger(most, d != NULL ? size_of(d[i]) : 0);
        most = larger(most, i + 1 < call->n ? size_of(e[i]) : 0);
    }
    job->unit = most - most; /* NaN where it is not finite */
    if (!(most - most == 0))
        return;
    if (most > 0)
        frexp((double)most, &power);
    power = power > MOST_POWER ? MOST_POWER : power < -MOST_POWER ? -MOST_POWER : power;
    job->unit = (R)ldexp(1.0, power);
    for (int64_t i = 0; i < call->n; i++) {
        center[i] = d != NULL ? d[i] / job->unit : 0;
        if (i + 1 < call->n)
            beside[i] = e[i] / job->unit;
    }
    for (int64_t i = 0; i < call->n; i++) {
        const R below = i + 1 < call->n ? size_of(beside[i]) : 0,
                above = i > 0 ? size_of(beside[i - 1]) : 0;
        norm = larger(norm, size_of(center[i]) + (below + above));
    }
    const R bound =
        norm + norm * (R)((double)call->n * TWICE_ROUNDOFF) + 4 * (R)TWICE_ROUNDOFF * norm;
    job->d = center;
    job->e = beside;
    job->most = bound > 0 ? bound + bound : (R)LEAST_NORMAL;
    job->least = 4 * (R)LEAST_NORMAL;
}

/* gbl_cpu_ssturm_values gbl_cpu_dsturm_values gbl_cpu_csturm_values gbl_cpu_zsturm_values */
GBL_CPU_TASK(PRIVATE(sturm_values))
{
    const gbl_cpu_sturm_args *call = args;
    sturm_job job = {.call = call};
    (void)queue, (void)stream, (void)message;
    scale(&job);
    const bool finite = job.unit - job.unit == 0 && job.unit != 0;
    *call->info = finite ? 0 : -call->number;
    for (int64_t i = 0; !finite && i < call->count; i++)
        ((R *)call->w)[i] = (R)NAN;
    if (finite)
        gbl_cpu_share(call->count, (int64_t)sizeof(R), STEPS * call->n * (int64_t)sizeof(R),
                      find_piece, &job);
    return GABLE_OK;
}
