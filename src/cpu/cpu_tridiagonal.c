/* cpu_tridiagonal.c: symmetric tridiagonal matrices on the cpu: QL iteration, and the small steps
 * around it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QL iteration with implicit shifts (Parlett, The Symmetric Eigenvalue Problem, section 8; the test
 * for negligible elements is that of LAPACK's steqr): plain loops that need no library. The other
 * tasks are the kernels eigen_begin.cl, eigen_end.cl and eigen_pick.cl.
 */
#include <math.h>
#include "cpu/cpu_eigen.h"
#include "cpu/cpu_vector.h"

#if defined(PREC_S) || defined(PREC_C)
#define EPS        0x1p-24
#define LEAST      0x1p-126
#define SAFE_FROM  0x1p-51
#define SAFE_TO    0x1p51
#define MOST_POWER 126
#else
#define EPS        0x1p-53
#define LEAST      0x1p-1022
#define SAFE_FROM  0x1p-485
#define SAFE_TO    0x1p485
#define MOST_POWER 1022
#endif
#define MOST_STEPS 30 /* per eigenvalue, on average, as LAPACK has it */

/* ---- QL ---- */

static R size_of(R a)
{
    return a < 0 ? -a : a;
}

/* sqrt(a^2 + b^2) of numbers of at most 2. */
static R length_of(R a, R b)
{
    return (R)sqrt((double)a * a + (double)b * b);
}

/* A power of two that brings the largest number into [1/2, 1); 1 for zeros. */
static R unit_factor(const gbl_cpu_tridiagonal_args *call)
{
    const R *d = call->d, *e = call->e;
    R most = 0;
    int power = 0;
    for (int64_t i = 0; i < call->n; i++) {
        most = size_of(d[i]) > most ? size_of(d[i]) : most;
        if (i + 1 < call->n)
            most = size_of(e[i]) > most ? size_of(e[i]) : most;
    }
    if (most > 0 && most - most == 0)
        frexp((double)most, &power);
    /* It and its reciprocal are normal numbers. */
    if (power > MOST_POWER)
        power = MOST_POWER;
    if (power < -MOST_POWER)
        power = -MOST_POWER;
    return (R)ldexp(1.0, power);
}

/* The first l <= m < n whose e[m] is negligible; n - 1 has none. */
static int64_t end_of_block(const R *d, const R *e, int64_t l, int64_t n)
{
    int64_t m = l;
    while (m + 1 < n) {
        const double beside = (double)e[m] * e[m],
                     limit = EPS * size_of(d[m]) * (EPS * size_of(d[m + 1])) + LEAST;
        if (!(beside > limit)) /* a NaN ends the block, too */
            break;
        m++;
    }
    return m;
}

/* Columns i and i + 1 of Z. */
static void rotate(const gbl_cpu_tridiagonal_args *call, int64_t i, R c, R s)
{
    R *restrict a = (R *)call->Z + REALS * i * call->ldz, *restrict b = (R *)call->Z +
                                                                        REALS * (i + 1) * call->ldz;
    for (int64_t k = 0; k < REALS * call->n; k++) {
        const R f = b[k];
        b[k] = s * a[k] + c * f;
        a[k] = c * a[k] - s * f;
    }
}

/* One implicit step on the block l .. m. */
static void ql_step(const gbl_cpu_tridiagonal_args *call, int64_t l, int64_t m)
{
    R *d = call->d, *e = call->e;
    R g = (d[l + 1] - d[l]) / (2 * e[l]), r = (R)hypot((double)g, 1.0), s = 1, c = 1, p = 0;
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
    for (int64_t i = m - 1; i >= l; i--) {
        const R f = s * e[i], b = c * e[i];
        r = length_of(f, g);
        if (i + 1 < m)
            e[i + 1] = r;
        if (r == 0) { /* the block falls apart */
            d[i + 1] -= p;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (call->Z != NULL)
            rotate(call, i, c, s);
    }
    d[l] -= p;
    e[l] = g;
}

/* Ascending, by exchanges: each column of Z moves once at most. */
static void sort(const gbl_cpu_tridiagonal_args *call)
{
    R *d = call->d;
    for (int64_t i = 0; i + 1 < call->n; i++) {
        int64_t least = i;
        for (int64_t j = i + 1; j < call->n; j++)
            least = d[j] < d[least] ? j : least;
        if (least == i)
            continue;
        const R value = d[i];
        d[i] = d[least];
        d[least] = value;
        if (call->Z == NULL)
            continue;
        R *a = (R *)call->Z + REALS * i * call->ldz, *b = (R *)call->Z + REALS * least * call->ldz;
        for (int64_t k = 0; k < REALS * call->n; k++) {
            const R moved = a[k];
            a[k] = b[k];
            b[k] = moved;
        }
    }
}

/* gbl_cpu_stridiagonal_ql gbl_cpu_dtridiagonal_ql gbl_cpu_ctridiagonal_ql
 * gbl_cpu_ztridiagonal_ql */
GBL_CPU_TASK(PRIVATE(tridiagonal_ql))
{
    const gbl_cpu_tridiagonal_args *call = args;
    R *d = call->d, *e = call->e;
    const int64_t n = call->n;
    const R unit = unit_factor(call);
    int64_t left = MOST_STEPS * n, failed = 0;
    (void)queue, (void)stream, (void)message;
    for (int64_t i = 0; i < n; i++) {
        d[i] /= unit;
        if (i + 1 < n)
            e[i] /= unit;
    }
    for (int64_t l = 0; l < n && failed == 0; l++) {
        int64_t m;
        while ((m = end_of_block(d, e, l, n)) > l && left-- > 0)
            ql_step(call, l, m);
        for (int64_t i = l; m > l && i + 1 < n; i++)
            failed += e[i] != 0;
    }
    for (int64_t i = 0; i < n; i++)
        d[i] *= unit;
    if (failed == 0)
        sort(call);
    *call->info = failed;
    return GABLE_OK;
}

/* ---- Around a reduction ---- */

/* gbl_cpu_seigen_begin gbl_cpu_deigen_begin gbl_cpu_ceigen_begin gbl_cpu_zeigen_begin */
GBL_CPU_TASK(PRIVATE(eigen_begin))
{
    const gbl_cpu_eigen_args *call = args;
    const R most = *(const R *)call->most;
    R *numbers = call->numbers;
    double power = 1;
    (void)queue, (void)stream, (void)message;
    if (most > 0 && most - most == 0) {
        while (most * power < SAFE_FROM)
            power *= 2;
        while (most * power > SAFE_TO)
            power *= 0.5;
    } else if (!(most == 0)) {
        power = NAN;
    }
    numbers[0] = 1;
    numbers[1] = (R)power;
    numbers[2] = (R)(1 / power);
    return GABLE_OK;
}

/* gbl_cpu_seigen_end gbl_cpu_deigen_end gbl_cpu_ceigen_end gbl_cpu_zeigen_end */
GBL_CPU_TASK(PRIVATE(eigen_end))
{
    const gbl_cpu_eigen_args *call = args;
    const R back = call->numbers != NULL ? ((const R *)call->numbers)[2] : 1;
    R *w = call->w;
    const int64_t told = *call->stage,
                  outcome = call->before != NULL && told > call->n ? told / (call->n + 1) : told;
    (void)queue, (void)stream, (void)message;
    for (int64_t i = 0; i < call->n; i++)
        w[i] *= back;
    *call->info = call->before != NULL && *call->before != 0 ? call->n + *call->before
                  : back != back || outcome < 0              ? -call->number
                                                             : outcome;
    return GABLE_OK;
}

/* How many of the ascending values are at most `bound`. */
static int64_t values_to(const R *w, int64_t n, double bound)
{
    int64_t from = 0, to = n;
    while (from < to) {
        const int64_t middle = from + (to - from) / 2;
        if (w[middle] <= bound)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* gbl_cpu_seigen_pick gbl_cpu_deigen_pick gbl_cpu_ceigen_pick gbl_cpu_zeigen_pick */
GBL_CPU_TASK(PRIVATE(eigen_pick))
{
    const gbl_cpu_pick_args *call = args;
    const R *all = call->all;
    int64_t first = call->first, end = first + call->count;
    (void)queue, (void)stream, (void)message;
    if (call->by_values) {
        first = values_to(all, call->n, call->from);
        end = values_to(all, call->n, call->to);
    }
    const int64_t count = end > first ? end - first : 0;
    for (int64_t i = 0; i < count; i++) {
        ((R *)call->w)[i] = all[first + i];
        if (call->Z == NULL)
            continue;
        memcpy((T *)call->Z + i * call->ldz,
               (const T *)call->vectors + (first - call->first + i) * call->ldv,
               (size_t)call->n * sizeof(T));
        call->failed[i] = *call->stage > 0 ? i + 1 : 0;
    }
    *call->found = count;
    return GABLE_OK;
}
