/* cpu_small_solves.c: many solves with triangles of a few rows on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * B := alpha op(A)^-1 B or alpha B op(A)^-1, element by element: the unknowns are found in the
 * order in which the triangle gives them, and each takes the terms of those before it off its
 * right-hand side, in their order.
 */
#include "cpu/cpu_small_batched.h"

#define MOST                                                                                       \
    8 /* rows and columns of B: above, solves by halves are faster (a Xeon with AVX-512, 2026-11) */

/* What all batch entries have in common. */
typedef struct small_solve {
    const gbl_product_args *call;
    /* Element (i, p) of the triangle as unknowns meet it is A[i * down + p * along]. Right-hand
     * side r has its elements at B[r * next + i * step]. */
    int64_t down, along, next, step;
    int order, count; /* unknowns, and right-hand sides */
    bool forward, unit;
    R sign; /* of imaginary parts of A */
    T alpha;
} small_solve;

INLINED T taken_off(const small_solve *job, T x, T a, const T *y)
{
#if COMPLEX
    a.im *= job->sign;
#else
    (void)job;
#endif
    add_multiple(negative(a), y, &x);
    return x;
}

static void solve_one(const small_solve *job, const T *A, T *b)
{
    T x[MOST];
    for (int s = 0; s < job->order; s++) {
        const int i = job->forward ? s : job->order - 1 - s;
        const T *const row = A + i * job->down;
        T value;
        put_multiple(job->alpha, b + i * job->step, &value);
        for (int before = 0; before < s; before++) {
            const int p = job->forward ? before : job->order - 1 - before;
            value = taken_off(job, value, row[p * job->along], x + p);
        }
        if (!job->unit) {
            T diagonal = row[i * job->along];
#if COMPLEX
            diagonal.im *= job->sign;
#endif
            value = quotient(value, diagonal);
        }
        x[i] = value;
    }
    for (int i = 0; i < job->order; i++)
        b[i * job->step] = x[i];
}

/* Right-hand sides side by side, so that their divisions do not wait for each other. `lanes` is a
 * constant; lanes behind the last one are zeros, which are not stored. */
INLINED void solve_beside(const small_solve *job, int lanes, const T *A, T *B)
{
    T x[MOST][MOST];
    for (int s = 0; s < job->order; s++) {
        const int i = job->forward ? s : job->order - 1 - s;
        const T *const row = A + i * job->down;
        T *const value = x[i];
        for (int r = 0; r < lanes; r++)
            value[r] = number(0);
        for (int r = 0; r < job->count; r++)
            put_multiple(job->alpha, B + r * job->next + i * job->step, value + r);
        for (int before = 0; before < s; before++) {
            const int p = job->forward ? before : job->order - 1 - before;
            for (int r = 0; r < lanes; r++)
                value[r] = taken_off(job, value[r], row[p * job->along], &x[p][r]);
        }
        if (job->unit)
            continue;
        T diagonal = row[i * job->along];
#if COMPLEX
        diagonal.im *= job->sign;
#endif
        for (int r = 0; r < lanes; r++)
            value[r] = quotient(value[r], diagonal);
    }
    for (int r = 0; r < job->count; r++)
        for (int i = 0; i < job->order; i++)
            B[r * job->next + i * job->step] = x[i][r];
}

static void solve_entries(void *given, int piece, int64_t begin, int64_t end)
{
    const small_solve *job = given;
    const gbl_product_args *call = job->call;
    (void)piece;
    for (int64_t m = begin; m < end; m++) {
        const T *const A = call->pointers ? ((T **)call->A)[m] : (T *)call->A + m * call->stride_a;
        T *const B = call->pointers ? ((T **)call->B)[m] : (T *)call->B + m * call->stride_b;
        if (job->count == 1)
            solve_one(job, A, B);
        else if (job->count <= MOST / 2)
            solve_beside(job, MOST / 2, A, B);
        else
            solve_beside(job, MOST, A, B);
    }
}

bool PRIVATE(small_trsm)(const gbl_product_args *call)
{
    const bool left = call->side == GABLE_LEFT, turned = call->trans != GABLE_NO_TRANS;
    small_solve job = {.call = call,
                       .next = left ? call->ldb : 1,
                       .step = left ? 1 : call->ldb,
                       .order = (int)(left ? call->m : call->n),
                       .count = (int)(left ? call->n : call->m),
                       .unit = call->diag == GABLE_UNIT,
                       .sign = call->trans == GABLE_CONJ_TRANS ? -1 : 1,
                       .alpha = read_scalar(&call->alpha)};
    if (call->m > MOST || call->n > MOST || is_zero(job.alpha))
        return false;
    /* From the right the unknowns of a row meet op(A) transposed. */
    const bool by_columns = turned == left;
    job.down = by_columns ? call->lda : 1;
    job.along = by_columns ? 1 : call->lda;
    job.forward = (call->uplo == GABLE_LOWER) != by_columns;
    gbl_cpu_share(call->batch, GBL_CPU_LINE,
                  ((int64_t)job.order * (job.order + 1) * job.count) * (int64_t)sizeof(T),
                  solve_entries, &job);
    return true;
}
