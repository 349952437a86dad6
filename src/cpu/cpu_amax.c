/* cpu_amax.c: where the largest |re| + |im| is, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block gives only its largest magnitude, which is vector code; the position is looked up once,
 * at the end, in the first block that had the largest. NaN loses every comparison and so is passed
 * over; as element 0 it wins, as in the reference BLAS. Of a vector
 * with gaps the magnitudes are put side by side; of one without, in packs of 16 bytes, the two
 * halves of a piece are walked side by side.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

#define HALF (BLOCK / 2) /* elements of a block from each half of the piece */

/* The largest magnitude so far and its position: of the element, or first of its block. NOTHING is
 * below every magnitude. */
typedef struct largest {
    R value;
    int64_t at;
} largest;

static const largest NOTHING = {-1, 0};

typedef struct amax_job {
    gbl_vector_args call;
    largest parts[GBL_CPU_MAX_PIECES];
} amax_job;

static inline R magnitude(T x)
{
#if COMPLEX
    return (R)fabs(x.re) + (R)fabs(x.im);
#else
    return (R)fabs(x);
#endif
}

static inline R larger(R a, R b)
{
    return a > b ? a : b;
}

#if TAILED
/* The magnitudes of the elements in a pack, of complex ones in both places. */
static inline pack pack_magnitudes(pack x)
{
    const pack parts = pack_magnitude(x);
#if COMPLEX
    return parts + pack_swapped(parts);
#else
    return parts;
#endif
}

/* The largest magnitude in n elements; 0 where all are NaN, which no caller takes for another's: a
 * vector whose first element is NaN is not looked at. */
static R largest_magnitude(int64_t n, const T *x)
{
    enum { DEEP = 4 };
    const R *const values = (const R *)x;
    const int64_t count = REALS * n;
    pack most[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= count; i += DEEP * PACK) {
#pragma GCC unroll 4
        for (int d = 0; d < DEEP; d++)
            most[d] = pack_larger(pack_magnitudes(pack_at(values + i + d * PACK)), most[d]);
    }
    for (; i < count; i += PACK)
        most[0] = pack_larger(pack_magnitudes(pack_part(tail_of(count - i), values + i)), most[0]);
    const pack_rest rest =
        pack_largest(pack_larger(pack_larger(most[0], most[1]), pack_larger(most[2], most[3])));
#if defined(PREC_S) || defined(PREC_C)
    return larger(larger(rest[0], rest[1]), larger(rest[2], rest[3]));
#else
    return larger(rest[0], rest[1]);
#endif
}

/* The first of n elements with this magnitude, which one has. */
static int64_t first_of(int64_t n, const T *x, R magnitude_sought)
{
    const R *const values = (const R *)x;
    const int64_t count = REALS * n;
    const pack sought = pack_of(magnitude_sought);
    for (int64_t i = 0; i < count; i += PACK) {
        const pack_tail tail = tail_of(count - i);
        const unsigned places = pack_equal(pack_magnitudes(pack_part(tail, values + i)), sought);
        if (places != 0)
            return (i + __builtin_ctz(places)) / REALS;
    }
    return 0;
}

static void largest_magnitudes(int64_t na, const T *a, int64_t nb, const T *b, R *most_a, R *most_b)
{
    *most_a = largest_magnitude(na, a);
    *most_b = largest_magnitude(nb, b);
}
#else
/* The largest magnitudes of two stretches, na >= nb. */
static void largest_magnitudes(int64_t na, const T *restrict a, int64_t nb, const T *restrict b,
                               R *most_a, R *most_b)
{
    enum { SIDE = LANES / 2 };
    R lane_a[SIDE], lane_b[SIDE];
    for (int k = 0; k < SIDE; k++)
        lane_a[k] = lane_b[k] = NOTHING.value;
    int64_t i = 0;
    for (; i + SIDE <= nb; i += SIDE) {
#pragma omp simd
        for (int k = 0; k < SIDE; k++)
            lane_a[k] = larger(magnitude(a[i + k]), lane_a[k]);
#pragma omp simd
        for (int k = 0; k < SIDE; k++)
            lane_b[k] = larger(magnitude(b[i + k]), lane_b[k]);
    }
    for (int64_t j = i; j < na; j++)
        lane_a[(j - i) % SIDE] = larger(magnitude(a[j]), lane_a[(j - i) % SIDE]);
    for (int64_t j = i; j < nb; j++)
        lane_b[j - i] = larger(magnitude(b[j]), lane_b[j - i]);
    for (int half = SIDE / 2; half > 0; half /= 2) {
        for (int k = 0; k < half; k++) {
            lane_a[k] = larger(lane_a[k], lane_a[k + half]);
            lane_b[k] = larger(lane_b[k], lane_b[k + half]);
        }
    }
    *most_a = lane_a[0];
    *most_b = lane_b[0];
}
#endif

#if COMPLEX || PACK_BYTES > 16
static bool may_exceed(int64_t na, const T *a, R most_a, int64_t nb, const T *b, R most_b)
{
    (void)na, (void)a, (void)most_a, (void)nb, (void)b, (void)most_b;
    return true;
}
#else
/* Whether a magnitude of two stretches, na >= nb, is above what there was: fewer operations than
 * the largest itself, which is rarely needed after the first blocks; with vectors of 16 bytes that
 * is a gain. */
static bool may_exceed(int64_t na, const T *a, R most_a, int64_t nb, const T *b, R most_b)
{
    enum { DEEP = 4, STEP = DEEP * PACK };
    pack_mask above[2 * DEEP] = {{0}};
    int64_t i = 0;
    for (; i + STEP <= nb; i += STEP) {
        for (int d = 0; d < DEEP; d++) {
            above[d] |= pack_magnitude(pack_at(a + i + d * PACK)) > most_a;
            above[DEEP + d] |= pack_magnitude(pack_at(b + i + d * PACK)) > most_b;
        }
    }
    for (int d = 1; d < 2 * DEEP; d++)
        above[0] |= above[d];
    bool found = false;
    for (int k = 0; k < PACK; k++)
        found = found || above[0][k] != 0;
    for (int64_t j = i; j < na; j++)
        found = found || magnitude(a[j]) > most_a;
    for (int64_t j = i; j < nb; j++)
        found = found || magnitude(b[j]) > most_b;
    return found;
}
#endif

/* ---- vectors with gaps ---- */

/* The magnitudes of n elements that are incx apart, put side by side; the largest of them. */
static R put_magnitudes(int64_t n, const T *x, int64_t incx, R *restrict to)
{
    enum { BESIDE = 8 };
    R most[BESIDE];
    for (int k = 0; k < BESIDE; k++)
        most[k] = NOTHING.value;
    int64_t i = 0;
    for (; i + BESIDE <= n; i += BESIDE) {
#pragma GCC unroll 8
        for (int k = 0; k < BESIDE; k++, x += incx) {
            const R here = magnitude(*x);
            to[i + k] = here;
            most[k] = larger(here, most[k]);
        }
    }
    for (int k = 0; i < n; i++, k++, x += incx) {
        const R here = magnitude(*x);
        to[i] = here;
        most[k] = larger(here, most[k]);
    }
    for (int half = BESIDE / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            most[k] = larger(most[k], most[k + half]);
    return most[0];
}

/* Where the first of numbers side by side is that has this value; one has it. */
static int64_t first_equal(const R *values, int64_t n, R sought)
{
    int64_t i = 0;
#if TAILED
    const pack all = pack_of(sought);
    for (; i < n; i += PACK) {
        const unsigned places = pack_equal(pack_part(tail_of(n - i), values + i), all);
        if (places != 0)
            return i + __builtin_ctz(places);
    }
#else
    int found = 0;
    for (; i + LANES <= n; i += LANES) {
        for (int k = 0; k < LANES; k++)
            found |= values[i + k] == sought;
        if (found)
            break;
    }
    while (values[i] != sought)
        i++;
#endif
    return i;
}

/* Elements [begin, end), block by block. */
static largest most_apart(const gbl_vector_args *call, int64_t begin, int64_t end)
{
    R buffer[HALF];
    largest most = NOTHING;
    for (int64_t i = begin; i < end; i += HALF) {
        const int64_t n = end - i < HALF ? end - i : HALF;
        const R here = put_magnitudes(n, (const T *)call->x + i * call->incx, call->incx, buffer);
        if (here > most.value)
            most = (largest){here, i};
    }
    return most;
}

/* The position in one block that has a number. */
static int64_t position_apart(int64_t n, const T *x, int64_t incx)
{
    R buffer[HALF];
    const R most = put_magnitudes(n, x, incx, buffer);
    return first_equal(buffer, n, most);
}

/* ---- pieces ---- */

static void amax_piece(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_vector_args *call = &((amax_job *)job)->call;
    if (call->incx != 1) {
        ((amax_job *)job)->parts[piece] = most_apart(call, begin, end);
        return;
    }
    const int64_t b_length = (end - begin) / 2;
    const int64_t a_length = end - begin - b_length; /* the same, or one more */
    const T *a = (const T *)call->x + begin, *b = a + a_length;
    largest in_a = NOTHING, in_b = NOTHING;
    for (int64_t i = 0; i < a_length; i += HALF) {
        const int64_t na = a_length - i < HALF ? a_length - i : HALF;
        const int64_t nb = b_length - i < HALF ? b_length - i : HALF;
        const T *a_block = a + i, *b_block = b + i;
        if (PACK_BYTES == 16 && i > 0 &&
            !may_exceed(na, a_block, in_a.value, nb, b_block, in_b.value))
            continue;
        R most_a, most_b;
        largest_magnitudes(na, a_block, nb, b_block, &most_a, &most_b);
        if (most_a > in_a.value)
            in_a = (largest){most_a, begin + i};
        if (most_b > in_b.value)
            in_b = (largest){most_b, begin + a_length + i};
    }
    ((amax_job *)job)->parts[piece] = in_b.value > in_a.value ? in_b : in_a;
}

/* The first element of a block that has its largest magnitude. */
static int64_t first_with(largest most, const gbl_vector_args *call)
{
    const int64_t left = call->n - most.at;
    const T *x = (const T *)call->x + most.at * call->incx;
    if (call->incx != 1)
        return most.at + position_apart(left < HALF ? left : HALF, x, call->incx);
#if TAILED
    return most.at + first_of(left, x, most.value);
#else
    int64_t i = 0;
    int found = 0;
    for (; i + LANES <= left; i += LANES) {
        for (int k = 0; k < LANES; k++)
            found |= magnitude(x[i + k]) == most.value;
        if (found)
            break;
    }
    while (magnitude(x[i]) != most.value)
        i++;
    return most.at + i;
#endif
}

/* Of contiguous elements. */
static largest largest_of(int64_t n, const T *x)
{
#if TAILED
    return (largest){largest_magnitude(n, x), 0};
#else
    const int64_t nb = n / 2, na = n - nb;
    R most_a, most_b;
    largest_magnitudes(na, x, nb, x + na, &most_a, &most_b);
    return most_b > most_a ? (largest){most_b, na} : (largest){most_a, 0};
#endif
}

/* Elements that are looked at one by one: preparing for more takes longer. */
#define FEW (TAILED ? 6 : 40)

static int64_t position_of_few(int64_t n, const T *x, int64_t incx)
{
    largest most = NOTHING;
    for (int64_t i = 0; i < n; i++) {
        const R here = magnitude(x[i * incx]);
        if (here > most.value)
            most = (largest){here, i};
    }
    return most.at;
}

/* gbl_cpu_samax_omp gbl_cpu_damax_omp gbl_cpu_camax_omp gbl_cpu_zamax_omp */
WIDE_TASK(PRIVATE(amax_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    const T *x = call->x;
    int64_t position = 0;
    if (call->n > 0 && isnan(magnitude(x[0]))) {
        position = 1;
    } else if (call->n > 0 && call->n <= FEW) {
        position = 1 + position_of_few(call->n, x, call->incx);
    } else if (call->n > 0 && call->n <= HALF && call->incx == 1) {
        position = 1 + first_with(largest_of(call->n, x), call);
    } else if (call->n > 0 && call->n <= HALF) {
        position = 1 + position_apart(call->n, x, call->incx);
    } else if (call->n > 0) {
        amax_job job;
        job.call = *call;
        const int pieces = gbl_cpu_share(call->n, sizeof(T), sizeof(T), amax_piece, &job);
        largest most = job.parts[0];
        for (int p = 1; p < pieces; p++)
            if (job.parts[p].value > most.value)
                most = job.parts[p];
        position = 1 + first_with(most, call);
    }
    memcpy(call->result, &position, sizeof position);
    return GABLE_OK;
}
