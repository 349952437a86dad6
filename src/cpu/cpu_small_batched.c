/* cpu_small_batched.c: many products of a few rows on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A product of 3 by 3 matrices is 27 multiply-adds: a call of a routine per batch entry would take
 * ten times as long as the product. Here a batch entry is a loop whose number of rows the compiler
 * knows, so that a column of C stays in registers; of small squares it knows all sizes. The terms
 * of an element are added in their order, so a batch entry has the same bits wherever it stands in
 * a batch, and whatever thread does it.
 */
#include "cpu/cpu_small_batched.h"

#define STRIP_PACKS 4                            /* registers of sums */
#define STRIP_ROWS  (STRIP_PACKS * PACK / REALS) /* rows that they hold */
#define TURNED_ROWS 8                            /* the same where A is transposed */

/* Rows, columns and terms of small products. Above, packed panels are faster (a Xeon with AVX-512,
 * 2026-11). */
#define MOST        16
#define MOST_TURNED 8

/* What all batch entries have in common. Element (i, p) of op(A) is A[i * down_a + p * along_a]; B
 * alike. */
typedef struct small_product {
    const void *A, *B;
    void *C;
    bool pointers, turned;
    int64_t stride_a, stride_b, stride_c;
    int64_t down_a, along_a, down_b, along_b, ldc;
    R sign_a, sign_b; /* of imaginary parts */
    T alpha, beta;
    int m, n;
    int terms; /* 0 where alpha is: neither A nor B is read then */
} small_product;

/* ---- C as it is multiplied out ---- */

/* c := alpha sum + beta c, for `rows` elements. */
INLINED void store_rows(const small_product *job, int rows, const T *sum, T *c)
{
    if (is_zero(job->beta))
        for (int i = 0; i < rows; i++)
            put_multiple(job->alpha, sum + i, c + i);
    else
        for (int i = 0; i < rows; i++)
            put_combination(job->alpha, sum + i, job->beta, c + i, c + i);
}

/* A pack in a register, and sums of a column: batch entries, not an array, which gcc 12 keeps in
 * memory. */
typedef R number_pack __attribute__((vector_size(16)));
typedef struct sums {
    number_pack a, b, c, d;
    R e, f, g; /* what does not fill a pack */
} sums;

INLINED number_pack added(number_pack sum, const R *a, pack times)
{
    return (number_pack)pack_multiply_add(pack_at(a), times, (pack)sum);
}

/* sum += a times; packs and rest are constants. */
INLINED void add_column(sums *sum, int packs, int rest, const R *a, R times)
{
    const pack all = pack_of(times);
    const R *const behind = a + packs * PACK;
    if (packs > 0)
        sum->a = added(sum->a, a, all);
    if (packs > 1)
        sum->b = added(sum->b, a + PACK, all);
    if (packs > 2)
        sum->c = added(sum->c, a + 2 * PACK, all);
    if (packs > 3)
        sum->d = added(sum->d, a + 3 * PACK, all);
    if (rest > 0)
        sum->e += behind[0] * times;
    if (rest > 1)
        sum->f += behind[1] * times;
    if (rest > 2)
        sum->g += behind[2] * times;
}

INLINED void put_sums(const sums *sum, int packs, int rest, R *to)
{
    R *const behind = to + packs * PACK;
    if (packs > 0)
        *(pack *)to = (pack)sum->a;
    if (packs > 1)
        *(pack *)(to + PACK) = (pack)sum->b;
    if (packs > 2)
        *(pack *)(to + 2 * PACK) = (pack)sum->c;
    if (packs > 3)
        *(pack *)(to + 3 * PACK) = (pack)sum->d;
    if (rest > 0)
        behind[0] = sum->e;
    if (rest > 1)
        behind[1] = sum->f;
    if (rest > 2)
        behind[2] = sum->g;
}

/* Columns of C, of so many reals, with A as it is stored. Packs, rest and perhaps the others are
 * constants. */
INLINED void multiply_strip(const small_product *job, int packs, int rest, int columns, int terms,
                            const T *A, const T *B, T *C)
{
    const int rows = (packs * PACK + rest) / REALS;
    const int64_t along_a = job->along_a, down_b = job->down_b;
    for (int j = 0; j < columns; j++) {
        const T *const b = B + j * job->along_b;
        T sum[STRIP_ROWS + PACK];
        sums u = {.a = {0}};
#if COMPLEX
        R u_parts[2 * (STRIP_ROWS + PACK)], v_parts[2 * (STRIP_ROWS + PACK)];
        sums v = u;
        for (int p = 0; p < terms; p++) {
            const R *const a = (const R *)(A + p * along_a);
            add_column(&u, packs, rest, a, b[p * down_b].re);
            add_column(&v, packs, rest, a, job->sign_b * b[p * down_b].im);
        }
        put_sums(&u, packs, rest, u_parts);
        put_sums(&v, packs, rest, v_parts);
        for (int i = 0; i < rows; i++) {
            sum[i].re = u_parts[2 * i] - v_parts[2 * i + 1];
            sum[i].im = u_parts[2 * i + 1] + v_parts[2 * i];
        }
#else
        for (int p = 0; p < terms; p++)
            add_column(&u, packs, rest, A + p * along_a, b[p * down_b]);
        put_sums(&u, packs, rest, sum);
#endif
        store_rows(job, rows, sum, C + j * job->ldc);
    }
}

INLINED void by_packs(const small_product *job, int packs, int rest, const T *A, const T *B, T *C)
{
    switch (packs) {
    case 0:
        multiply_strip(job, 0, rest, job->n, job->terms, A, B, C);
        break;
    case 1:
        multiply_strip(job, 1, rest, job->n, job->terms, A, B, C);
        break;
    case 2:
        multiply_strip(job, 2, rest, job->n, job->terms, A, B, C);
        break;
    case 3:
        multiply_strip(job, 3, rest, job->n, job->terms, A, B, C);
        break;
    default:
        multiply_strip(job, STRIP_PACKS, rest, job->n, job->terms, A, B, C);
    }
}

static void multiply_rows(const small_product *job, int rows, const T *A, const T *B, T *C)
{
    const int reals = rows * REALS, packs = reals / PACK;
    switch (reals % PACK) {
    case 0:
        by_packs(job, packs, 0, A, B, C);
        break;
    case 1:
        by_packs(job, packs, 1, A, B, C);
        break;
    case 2:
        by_packs(job, packs, 2 % PACK, A, B, C);
        break;
    default:
        by_packs(job, packs, 3 % PACK, A, B, C);
    }
}

/* A square of which all sizes are constants. */
INLINED void multiply_square(const small_product *job, int order, const T *A, const T *B, T *C)
{
    multiply_strip(job, order * REALS / PACK, order * REALS % PACK, order, order, A, B, C);
}

/* ---- C with A transposed ---- */

/* Rows of C, whose number is a constant: their sums go on side by side. */
INLINED void multiply_turned(const small_product *job, int rows, const T *A, const T *B, T *C)
{
    const int64_t down_a = job->down_a, down_b = job->down_b;
    for (int j = 0; j < job->n; j++) {
        const T *const b = B + j * job->along_b;
        T sum[TURNED_ROWS];
#if COMPLEX
        R re[TURNED_ROWS] = {0}, im[TURNED_ROWS] = {0};
        for (int p = 0; p < job->terms; p++) {
            const R b_re = b[p * down_b].re, b_im = job->sign_b * b[p * down_b].im;
            for (int i = 0; i < rows; i++) {
                const R a_re = A[i * down_a + p].re, a_im = job->sign_a * A[i * down_a + p].im;
                re[i] += a_re * b_re - a_im * b_im;
                im[i] += a_re * b_im + a_im * b_re;
            }
        }
        for (int i = 0; i < rows; i++) {
            sum[i].re = re[i];
            sum[i].im = im[i];
        }
#else
        for (int i = 0; i < rows; i++)
            sum[i] = 0;
        for (int p = 0; p < job->terms; p++) {
            const R times = b[p * down_b];
            for (int i = 0; i < rows; i++)
                sum[i] += A[i * down_a + p] * times;
        }
#endif
        store_rows(job, rows, sum, C + j * job->ldc);
    }
}

static void multiply_turned_rows(const small_product *job, const T *A, const T *B, T *C)
{
    switch (job->m) {
    case 1:
        multiply_turned(job, 1, A, B, C);
        break;
    case 2:
        multiply_turned(job, 2, A, B, C);
        break;
    case 3:
        multiply_turned(job, 3, A, B, C);
        break;
    case 4:
        multiply_turned(job, 4, A, B, C);
        break;
    case 5:
        multiply_turned(job, 5, A, B, C);
        break;
    case 6:
        multiply_turned(job, 6, A, B, C);
        break;
    case 7:
        multiply_turned(job, 7, A, B, C);
        break;
    default:
        multiply_turned(job, TURNED_ROWS, A, B, C);
    }
}

/* ---- Batch entries ---- */

static void multiply_entry(const small_product *job, int order, const T *A, const T *B, T *C)
{
    switch (order) {
    case 2:
        multiply_square(job, 2, A, B, C);
        return;
    case 3:
        multiply_square(job, 3, A, B, C);
        return;
    case 4:
        multiply_square(job, 4, A, B, C);
        return;
    default:
        break;
    }
    for (int i = 0; i < job->m; i += STRIP_ROWS)
        multiply_rows(job, job->m - i < STRIP_ROWS ? job->m - i : STRIP_ROWS, A + i, B, C + i);
}

static void multiply_entries(void *given, int piece, int64_t begin, int64_t end)
{
    const small_product *job = given;
    (void)piece;
    const int order = job->m == job->n && job->m == job->terms ? job->m : 0;
    for (int64_t b = begin; b < end; b++) {
        const T *A = (const T *)job->A + b * job->stride_a, *B = (const T *)job->B;
        T *C = (T *)job->C + b * job->stride_c;
        B += b * job->stride_b;
        if (job->pointers) {
            A = ((const T *const *)job->A)[b];
            B = ((const T *const *)job->B)[b];
            C = ((T *const *)job->C)[b];
        }
        if (job->turned)
            multiply_turned_rows(job, A, B, C);
        else
            multiply_entry(job, order, A, B, C);
    }
}

static void multiply_all(const small_product *job, int64_t batch)
{
    const int64_t terms = (int64_t)job->m * job->n * (job->terms + 1);
    gbl_cpu_share(batch, GBL_CPU_LINE, terms * (int64_t)sizeof(T), multiply_entries, (void *)job);
}

static bool is_small(bool turned, int64_t m, int64_t n, int64_t k)
{
    const int64_t most = turned ? MOST_TURNED : MOST;
    return m <= most && n <= most && k <= most;
}

bool PRIVATE(small_gemm)(const gbl_product_args *call)
{
    const bool turn_a = call->trans != GABLE_NO_TRANS, turn_b = call->trans_b != GABLE_NO_TRANS;
    if (!is_small(turn_a, call->m, call->n, call->k))
        return false;
    const T alpha = read_scalar(&call->alpha);
    const small_product job = {.A = call->A,
                               .B = call->B,
                               .C = call->C,
                               .pointers = call->pointers,
                               .turned = turn_a,
                               .stride_a = call->stride_a,
                               .stride_b = call->stride_b,
                               .stride_c = call->stride_c,
                               .down_a = turn_a ? call->lda : 1,
                               .along_a = turn_a ? 1 : call->lda,
                               .down_b = turn_b ? call->ldb : 1,
                               .along_b = turn_b ? 1 : call->ldb,
                               .ldc = call->ldc,
                               .sign_a = call->trans == GABLE_CONJ_TRANS ? -1 : 1,
                               .sign_b = call->trans_b == GABLE_CONJ_TRANS ? -1 : 1,
                               .alpha = alpha,
                               .beta = read_scalar(&call->beta),
                               .m = (int)call->m,
                               .n = (int)call->n,
                               .terms = is_zero(alpha) ? 0 : (int)call->k};
    multiply_all(&job, call->batch);
    return true;
}

/* x is a factor of one column. Its elements and those of y are where BLAS has them for positive
 * strides. */
bool PRIVATE(small_gemv)(const gbl_matrix_args *call)
{
    const bool turned = call->trans != GABLE_NO_TRANS;
    const int64_t outputs = turned ? call->n : call->m, terms = turned ? call->m : call->n;
    if (!is_small(turned, outputs, 1, terms) || call->incx < 0 || call->incy != 1)
        return false;
    const T alpha = read_scalar(&call->alpha);
    const small_product job = {.A = call->A,
                               .B = call->x,
                               .C = call->y,
                               .pointers = call->pointers,
                               .turned = turned,
                               .stride_a = call->stride_a,
                               .stride_b = call->stride_x,
                               .stride_c = call->stride_y,
                               .down_a = turned ? call->lda : 1,
                               .along_a = turned ? 1 : call->lda,
                               .down_b = call->incx,
                               .sign_a = call->trans == GABLE_CONJ_TRANS ? -1 : 1,
                               .sign_b = 1,
                               .alpha = alpha,
                               .beta = read_scalar(&call->beta),
                               .m = (int)outputs,
                               .n = 1,
                               .terms = is_zero(alpha) ? 0 : (int)terms};
    multiply_all(&job, call->batch);
    return true;
}
