/* cpu_band.c: products with band matrices on the cpu, with OpenMP: gbmv, narrow sbmv, tbmv.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An element of the result is a sum of a few terms: those of the diagonals that meet its row of
 * op(A). A thread owns elements of the result and makes them block by block. So no sums are added
 * up between threads, and x is copied for a block at most.
 *
 * Narrow bands go along their diagonals, for a few elements of the result at a time: the elements
 * of a diagonal are lda apart, whatever op is, and those of all diagonals lie close together. So
 * there is no work per column. In wide bands a few columns are read side by side with the loops of
 * cpu_columns.h: first the rows that all of them have, then the others one by one.
 *
 * tbmv is gbmv in place: blocks go in the order that leaves the elements of x which are still
 * needed, and a thread first copies those that belong to its neighbours. A unit diagonal is no part
 * of the band then.
 */
#include <stdlib.h>
#include "cpu/cpu_columns.h"

/* The most diagonals of a narrow band, where A is not transposed and where it is, and of one side
 * of a symmetric one. One core of a Neoverse V1 beside other programs, 2026-11, GB/s along
 * diagonals and along columns: dgbmv n with 9 diagonals 21 and 15, with 17 21 and 18, with 33 16
 * and 20; t with 9 19 and 20, with 17 20 and 22; dsbmv with 9 on a side 14 and 5, with 17 14 and 7,
 * with 33 12 and 13; zgbmv n with 17 11 and 15. */
#define NARROW      (COMPLEX && !TAILED ? 10 : 24)
#define NARROW_T    (COMPLEX ? (TAILED ? 24 : 10) : 12)
#define NARROW_SIDE (COMPLEX ? 8 : 16)

/* The least elements of the result per block of a wide band. */
#define WIDE_BLOCK ((int64_t)(16384 / sizeof(T)))

/* Columns of so many elements go side by side; shorter ones one by one: a band is one stream of
 * memory, which the hardware's prefetch then sees (dgbmv t with 257 diagonals 24 GB/s, two side by
 * side 16, four 18; with 1001 eight side by side 23 to 24). */
#define LONG ((int64_t)(4096 / sizeof(T)))

/* Elements of the result that go along diagonals together: their sums are packs of registers. */
#define TURN      (PACK / REALS) /* a pack holds so many */
#define MANY_TURN (COMPLEX ? 2 : 4)

typedef struct band_job {
    bool transposed, conj;
    bool symmetric, hermitian;   /* one side is stored; the other one is its mirror image */
    bool in_place, unit, rising; /* tbmv; op(A) is upper triangular */
    bool alone;                  /* the caller has a parallel region of its own */
    int64_t outputs, terms;      /* the lengths of y and x */
    int64_t below, above;        /* y_r has the terms [r - below, r + above] of x */
    const T *A;                  /* element (i, j) is A[i + j * apart] */
    int64_t apart;
    int64_t middle, step[2]; /* a diagonal d begins at A + d * step[d >= middle] */
    int mirror;              /* hermitian: which of the two is conjugated */
    T alpha, beta;
    const T *x;
    T *y;
    int64_t incx, incy;
    int64_t block; /* elements of y that are made at a time */
    R *rooms;      /* for each piece: sums, x and x laid out */
    int64_t room;
    T *halos; /* and what it needs of its neighbours' x */
    int64_t halo;
} band_job;

/* A block of the result, and the terms [low, high) of x that it needs. */
typedef struct span {
    int64_t first, end, low, high;
    const T *x; /* term `low` */
    beside by;  /* laid out */
    T *sum;     /* of element `first` */
    R *u, *v;   /* complex sums of columns */
} span;

static int64_t first_term(const band_job *job, int64_t r)
{
    return r > job->below ? r - job->below : 0;
}

/* After the last one. */
static int64_t end_term(const band_job *job, int64_t r)
{
    return r < job->terms - job->above ? r + job->above + 1 : job->terms;
}

/* The term of a Hermitian matrix's diagonal, whose imaginary part is not read. */
static void add_real_diagonal(const band_job *job, const span *s, int64_t r, T *sum)
{
#if COMPLEX
    const R a = job->A[r * (job->apart + 1)].re;
    sum->re += a * s->x[r - s->low].re;
    sum->im += a * s->x[r - s->low].im;
#else
    (void)job, (void)s, (void)r, (void)sum;
#endif
}

/* Terms [begin, end) of y_r, pair by pair: those before the middle, then the others. */
static void add_terms(const band_job *job, const span *s, int64_t r, int64_t begin, int64_t end,
                      T *sum)
{
    const T *row = job->A + r * (job->apart + 1), *x = s->x + (r - s->low);
    for (int side = 0; side < 2; side++) {
        const bool turned = job->conj || (job->hermitian && side == job->mirror);
        const int64_t first = side == 1 && begin - r < job->middle ? job->middle : begin - r;
        const int64_t last = side == 0 && end - r > job->middle ? job->middle : end - r;
        for (int64_t d = first; d < last; d++) {
            T a = row[d * job->step[side]];
#if COMPLEX
            a.im = turned ? -a.im : a.im;
#endif
            (void)turned;
            if (job->hermitian && d == 0)
                add_real_diagonal(job, s, r, sum);
            else
                add_multiple(a, x + d, sum);
        }
    }
}

static T sum_of(const band_job *job, const span *s, int64_t r)
{
    T sum = {0};
    add_terms(job, s, r, first_term(job, r), end_term(job, r), &sum);
    return sum;
}

/* ---- narrow bands ---- */

/* The elements of a pack along a diagonal. */
static inline pack along(const T *A, int64_t lda)
{
#if COMPLEX && TAILED
    return pack_apart(A, lda);
#elif COMPLEX
    pack a = {0};
    for (int k = 0; k < TURN; k++)
        memcpy((R *)&a + 2 * k, A + k * lda, sizeof(T));
    return a;
#else
    pack a = {0};
    for (int k = 0; k < PACK; k++)
        a[k] = A[k * lda];
    return a;
#endif
}

#if COMPLEX
/* Diagonals [d, end) of `turns` packs of elements from r on. */
INLINED void add_diagonals(int turns, const band_job *job, int side, int64_t d, int64_t end,
                           int64_t r, const beside *x, pack *re, pack *im)
{
    const int64_t lda = job->apart + 1, step = job->step[side];
    const T *A = job->A + d * step + r * lda;
    for (; d < end; d++, A += step) {
#pragma GCC unroll 8
        for (int g = 0; g < turns; g++) {
            const pack a = along(A + g * TURN * lda, lda);
            re[g] = pack_multiply_add(a, pack_at(x->re + 2 * (d + g * TURN)), re[g]);
            im[g] = pack_multiply_add(a, pack_at(x->im + 2 * (d + g * TURN)), im[g]);
        }
    }
}

/* Sums of `turns` packs of elements from r on, all of whose terms there are. The mirror image of a
 * Hermitian matrix, the side `mirror` (-1: none), has sums of its own: the signs of its imaginary
 * parts are turned at the end. */
INLINED void sum_turns_of(int mirror, int turns, const band_job *job, const span *s, int64_t r)
{
    const beside x = beside_from(&s->by, r - s->low);
    const bool hermitian = mirror >= 0;
    pack re[2][MANY_TURN] = {{{0}}}, im[2][MANY_TURN] = {{{0}}};
    T *sum = s->sum + (r - s->first);
    /* The diagonal of a Hermitian matrix comes by itself. */
    const int64_t end = hermitian ? 0 : job->middle, next = hermitian ? 1 : end;
    add_diagonals(turns, job, 0, -job->below, end, r, &x, re[mirror == 0], im[mirror == 0]);
    add_diagonals(turns, job, 1, next, job->above + 1, r, &x, re[mirror == 1], im[mirror == 1]);
    bool finite = true;
#pragma GCC unroll 8
    for (int g = 0; g < turns; g++) {
#pragma GCC unroll 2
        for (int e = 0; e < TURN; e++) {
            T total = {re[0][g][2 * e] + re[0][g][2 * e + 1],
                       im[0][g][2 * e] + im[0][g][2 * e + 1]};
            if (hermitian) {
                total.re += re[1][g][2 * e] - re[1][g][2 * e + 1];
                total.im += im[1][g][2 * e] - im[1][g][2 * e + 1];
                add_real_diagonal(job, s, r + g * TURN + e, &total);
            }
            finite = finite && isfinite(total.re) && isfinite(total.im);
            sum[g * TURN + e] = total;
        }
    }
    for (int e = 0; !finite && e < turns * TURN; e++)
        sum[e] = sum_of(job, s, r + e);
}

INLINED void sum_turns(int turns, const band_job *job, const span *s, int64_t r)
{
    if (!job->hermitian)
        sum_turns_of(-1, turns, job, s, r);
    else if (job->mirror == 0)
        sum_turns_of(0, turns, job, s, r);
    else
        sum_turns_of(1, turns, job, s, r);
}
#else
INLINED void add_diagonals(int turns, const band_job *job, int side, int64_t d, int64_t end,
                           int64_t r, const R *x, pack *sum)
{
    const int64_t lda = job->apart + 1, step = job->step[side];
    const T *A = job->A + d * step + r * lda;
    for (; d < end; d++, A += step)
#pragma GCC unroll 8
        for (int g = 0; g < turns; g++)
            sum[g] = pack_multiply_add(along(A + g * TURN * lda, lda), pack_at(x + d + g * TURN),
                                       sum[g]);
}

INLINED void sum_turns(int turns, const band_job *job, const span *s, int64_t r)
{
    const R *x = s->by.re + (r - s->low);
    pack sum[MANY_TURN] = {{0}};
    add_diagonals(turns, job, 0, -job->below, job->middle, r, x, sum);
    add_diagonals(turns, job, 1, job->middle, job->above + 1, r, x, sum);
#pragma GCC unroll 8
    for (int g = 0; g < turns; g++)
        *(pack *)(s->sum + (r - s->first) + g * TURN) = sum[g];
}
#endif

static void sum_narrow(const band_job *job, const span *s)
{
    int64_t from = s->first > job->below ? s->first : job->below;
    int64_t to = s->end < job->terms - job->above ? s->end : job->terms - job->above;
    from = from < s->end ? from : s->end;
    to = to > from ? to : from;
    int64_t r = s->first;
    for (; r < from; r++)
        s->sum[r - s->first] = sum_of(job, s, r);
    for (; r + MANY_TURN * TURN <= to; r += MANY_TURN * TURN)
        sum_turns(MANY_TURN, job, s, r);
    for (; r + TURN <= to; r += TURN)
        sum_turns(1, job, s, r);
    if (r < to && to - from >= TURN) { /* some of them again */
        sum_turns(1, job, s, to - TURN);
        r = to;
    }
    for (; r < s->end; r++)
        s->sum[r - s->first] = sum_of(job, s, r);
}

/* ---- wide bands ---- */

static void put_partial(const partial *sum, T *to)
{
#if COMPLEX
    to->re = (R)sum->re;
    to->im = (R)sum->im;
#else
    *to = (R)sum->re;
#endif
}

/* Columns [j, j + count), a constant in each call, give elements of the product with the
 * transpose. */
INLINED void multiply_some(int count, const band_job *job, const span *s, int64_t j)
{
    const int64_t from = first_term(job, j + count - 1), before = end_term(job, j);
    const int64_t to = before > from ? before : from;
    const beside x = beside_from(&s->by, from - s->low);
    partial sum[SIDE_EDGE] = {{0, 0}};
    multiply_side(count, to - from, job->A + from + j * job->apart, job->apart, &x, sum);
    for (int c = 0; c < count; c++) {
        const int64_t first = first_term(job, j + c), end = end_term(job, j + c);
        T total;
        put_partial(sum + c, &total);
        add_terms(job, s, j + c, first, end < from ? end : from, &total);
        add_terms(job, s, j + c, first > to ? first : to, end, &total);
        s->sum[j + c - s->first] = total;
    }
}

static void multiply_wide(const band_job *job, const span *s)
{
    int64_t j = s->first;
    if (job->below + job->above >= LONG)
        for (; j + SIDE_EDGE <= s->end; j += SIDE_EDGE)
            multiply_some(SIDE_EDGE, job, s, j);
    for (; j < s->end; j++)
        multiply_some(1, job, s, j);
}

/* Multiples of rows [begin, end) of column q are added to the sums. */
static void add_rows(const band_job *job, const span *s, int64_t q, int64_t begin, int64_t end)
{
    const T f = s->x[q - s->low], *A = job->A + q * job->apart;
    for (int64_t r = begin; r < end; r++) {
#if COMPLEX
        R *u = s->u + 2 * (r - s->first), *v = s->v + 2 * (r - s->first);
        u[0] += A[r].re * f.re;
        u[1] += A[r].im * f.re;
        v[0] += A[r].re * f.im;
        v[1] += A[r].im * f.im;
#else
        s->u[r - s->first] += A[r] * f;
#endif
    }
}

/* Columns [q, q + count), a constant in each call, are added to the sums. */
INLINED void add_some(int count, const band_job *job, const span *s, int64_t q)
{
    T f[SIDE_EDGE];
    int64_t first[SIDE_EDGE], end[SIDE_EDGE];
    for (int c = 0; c < count; c++) {
        const int64_t top = q + c - job->above, bottom = q + c + job->below + 1;
        f[c] = s->x[q + c - s->low];
        first[c] = top > s->first ? top : s->first;
        end[c] = bottom < s->end ? bottom : s->end;
    }
    const int64_t from = first[count - 1], to = end[0] > from ? end[0] : from;
    const int64_t at = REALS * (from - s->first);
    const target into = {s->u + at, COMPLEX ? s->v + at : NULL};
    add_side(count, to - from, f, job->A + from + q * job->apart, job->apart, &into);
    for (int c = 0; c < count; c++) {
        add_rows(job, s, q + c, first[c], end[c] < from ? end[c] : from);
        add_rows(job, s, q + c, first[c] > to ? first[c] : to, end[c]);
    }
}

static void add_wide(const band_job *job, const span *s)
{
    const int64_t count = s->end - s->first, end = end_term(job, s->end - 1);
    int64_t q = first_term(job, s->first);
    memset(s->u, 0, (size_t)count * sizeof(T));
    if (COMPLEX)
        memset(s->v, 0, (size_t)count * sizeof(T));
    if (job->below + job->above >= LONG)
        for (; q + SIDE_EDGE <= end; q += SIDE_EDGE)
            add_some(SIDE_EDGE, job, s, q);
    for (; q < end; q++)
        add_some(1, job, s, q);
#if COMPLEX
    for (int64_t i = 0; i < count; i++) {
        s->sum[i].re = s->u[2 * i] - s->v[2 * i + 1];
        s->sum[i].im = s->u[2 * i + 1] + s->v[2 * i];
    }
#endif
}

/* ---- pieces ---- */

static bool is_narrow(const band_job *job)
{
    return job->symmetric || job->below + job->above < (job->transposed ? NARROW_T : NARROW);
}

/* Terms [low, high) of x, old values also where the result takes their place. */
static const T *take_x(const band_job *job, const span *s, int64_t begin, int64_t end,
                       const T *halo, T *room)
{
    if (!job->in_place)
        return packed(s->high - s->low, job->x + s->low * job->incx, job->incx, room);
    const int64_t low = s->low, high = s->high;
    const int64_t first = low > begin ? low : begin, last = high < end ? high : end;
    for (int64_t q = low; q < begin && q < high; q++)
        room[q - low] = halo[job->halo - (begin - q)];
    for (int64_t q = first; q < last; q++)
        room[q - low] = job->x[q * job->incx];
    for (int64_t q = low > end ? low : end; q < high; q++)
        room[q - low] = halo[q - end];
    return room;
}

static void put_sums(const band_job *job, const span *s)
{
    const int64_t incy = job->incy, count = s->end - s->first;
    T *y = job->y + s->first * incy;
    if (job->in_place) {
        const gbl_scalar given = {.re = 1};
        const T one = read_scalar(&given);
        for (int64_t i = 0; i < count; i++) {
            if (job->unit)
                add_multiple(one, s->x + (s->first + i - s->low), s->sum + i);
            y[i * incy] = s->sum[i];
        }
    } else if (is_zero(job->beta)) {
        for (int64_t i = 0; i < count; i++)
            put_multiple(job->alpha, s->sum + i, y + i * incy);
    } else {
        for (int64_t i = 0; i < count; i++)
            put_combination(job->alpha, s->sum + i, job->beta, y + i * incy, y + i * incy);
    }
}

/* Elements [first, last) of the result, of a piece that has [begin, end). */
static void make_block(const band_job *job, int piece, int64_t begin, int64_t end, int64_t first,
                       int64_t last)
{
    R *room = job->rooms + piece * job->room;
    span s = {.first = first, .end = last};
    s.low = first_term(job, first);
    s.high = end_term(job, last - 1);
    s.low = s.low < job->terms ? s.low : job->terms;
    /* with all of the block also where a unit diagonal is no part of the band */
    if (job->in_place) {
        s.low = s.low < first ? s.low : first;
        s.high = s.high > last ? s.high : last;
    }
    s.high = s.high > s.low ? s.high : s.low;
    s.sum = (T *)room;
    room += REALS * job->block;
    s.u = COMPLEX ? room : (R *)s.sum;
    s.v = room + REALS * job->block;
    room += COMPLEX ? 2 * REALS * job->block : 0;
    s.x = take_x(job, &s, begin, end, job->halos + piece * job->halo, (T *)room);
    R *const laid = room + REALS * (s.high - s.low);
    if (!COMPLEX || is_narrow(job) || job->transposed)
        s.by = is_narrow(job) ? lay_out_twice(s.high - s.low, s.x, 1, job->conj, laid)
                              : lay_out(s.high - s.low, s.x, 1, job->conj, laid);
    if (is_narrow(job))
        sum_narrow(job, &s);
    else if (job->transposed)
        multiply_wide(job, &s);
    else
        add_wide(job, &s);
    put_sums(job, &s);
}

/* Elements [begin, end) of the result. */
static void band_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const band_job *job = given;
    if (job->in_place) {
        T *halo = job->halos + piece * job->halo;
        for (int64_t i = 0; i < job->halo; i++) {
            const int64_t q = job->rising ? end + i : begin - job->halo + i;
            if (q >= 0 && q < job->terms)
                halo[i] = job->x[q * job->incx];
        }
        /* Nobody writes before all have copied. */
        if (!job->alone) {
#pragma omp barrier
        }
    }
    if (job->in_place && !job->rising) {
        for (int64_t last = end; last > begin; last -= job->block)
            make_block(job, piece, begin, end,
                       last - begin < job->block ? begin : last - job->block, last);
        return;
    }
    for (int64_t first = begin; first < end; first += job->block)
        make_block(job, piece, begin, end, first,
                   end - first < job->block ? end : first + job->block);
}

/* y := beta y */
static void scale_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const band_job *job = given;
    const T zero = {0};
    for (int64_t i = begin; i < end; i++) {
        T *y = job->y + i * job->incy;
        if (is_zero(job->beta))
            *y = zero;
        else
            put_multiple(job->beta, y, y);
    }
}

/* ---- tasks ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static gable_status run(band_job *job, gbl_message *message)
{
    const int64_t line = GBL_CPU_LINE / (int64_t)sizeof(R);
    const int64_t most = job->outputs > job->terms ? job->outputs : job->terms;
    job->alone = omp_in_parallel();
    if (!job->in_place && is_zero(job->alpha)) {
        gbl_cpu_share(job->outputs, sizeof(T), 2 * sizeof(T), scale_piece, job);
        return GABLE_OK;
    }
    /* Diagonals that there are not do not count. */
    job->below = least(job->below, most);
    job->above = least(job->above, most);
    job->halo = job->in_place ? least(job->below > job->above ? job->below : job->above, most) : 0;
    const int64_t width = job->below + job->above + 1;
    const int64_t wanted = is_narrow(job) ? BLOCK : WIDE_BLOCK > 8 * width ? WIDE_BLOCK : 8 * width;
    job->block = least(wanted, job->outputs);
    /* Sums, for complex numbers in two parts too; x, and x laid out. */
    job->room = (COMPLEX ? 3 : 1) * REALS * job->block +
                (REALS + ROOM) * least(job->block + width, job->terms);
    job->room = (job->room + 2 * line - 1) / line * line;
    const int threads = job->alone ? 1 : omp_get_max_threads();
    const int64_t pieces = threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
    const size_t bytes =
        (size_t)pieces * ((size_t)job->room * sizeof(R) + (size_t)job->halo * sizeof(T));
    R few[FEW_REALS];
    job->rooms = bytes <= sizeof few ? few : malloc(bytes);
    if (job->rooms == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for sums of %zu bytes",
                        bytes);
    job->halos = (T *)(job->rooms + pieces * job->room);
    gbl_cpu_share(job->outputs, sizeof(T), (least(width, job->terms) + 2) * (int64_t)sizeof(T),
                  band_piece, job);
    if (job->rooms != few)
        free(job->rooms);
    return GABLE_OK;
}

/* gbl_cpu_sgbmv_omp gbl_cpu_dgbmv_omp gbl_cpu_cgbmv_omp gbl_cpu_zgbmv_omp */
WIDE_TASK(PRIVATE(gbmv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const bool transposed = call->trans != GABLE_NO_TRANS;
    band_job job = {.transposed = transposed,
                    .conj = COMPLEX && call->trans == GABLE_CONJ_TRANS,
                    .outputs = transposed ? call->n : call->m,
                    .terms = transposed ? call->m : call->n,
                    .below = transposed ? call->ku : call->kl,
                    .above = transposed ? call->kl : call->ku,
                    .A = (const T *)call->A + call->ku,
                    .apart = call->lda - 1,
                    .alpha = read_scalar(&call->alpha),
                    .beta = read_scalar(&call->beta),
                    .incx = call->incx,
                    .incy = call->incy};
    if (call->m <= 0 || call->n <= 0 || small_band(call))
        return GABLE_OK;
    job.middle = -least(job.below, job.outputs > job.terms ? job.outputs : job.terms);
    job.step[0] = job.step[1] = transposed ? 1 : job.apart;
    job.x = (const T *)call->x - low_end(job.terms, job.incx);
    job.y = (T *)call->y - low_end(job.outputs, job.incy);
    return run(&job, message);
}

/* gbl_cpu_ssbmv_omp gbl_cpu_dsbmv_omp gbl_cpu_csbmv_omp gbl_cpu_zsbmv_omp */
WIDE_TASK(PRIVATE(sbmv_omp))
{
    const gbl_matrix_args *call = args;
    const bool upper = call->uplo == GABLE_UPPER;
    if (call->ku > NARROW_SIDE || (COMPLEX && call->n <= SMALL_SYMMETRIC))
        return PRIVATE(symv_omp)(queue, stream, args, message);
    band_job job = {.symmetric = true,
                    .hermitian = COMPLEX && call->conj,
                    .outputs = call->n,
                    .terms = call->n,
                    .below = call->ku,
                    .above = call->ku,
                    .A = (const T *)call->A + (upper ? call->ku : 0),
                    .apart = call->lda - 1,
                    .middle = upper ? 0 : 1,
                    .mirror = upper ? 0 : 1,
                    .alpha = read_scalar(&call->alpha),
                    .beta = read_scalar(&call->beta),
                    .incx = call->incx,
                    .incy = call->incy};
    if (call->n <= 0)
        return GABLE_OK;
    job.step[0] = upper ? 1 : job.apart;
    job.step[1] = upper ? job.apart : 1;
    job.x = (const T *)call->x - low_end(job.terms, job.incx);
    job.y = (T *)call->y - low_end(job.outputs, job.incy);
    return run(&job, message);
}

/* gbl_cpu_stbmv_omp gbl_cpu_dtbmv_omp gbl_cpu_ctbmv_omp gbl_cpu_ztbmv_omp */
WIDE_TASK(PRIVATE(tbmv_omp))
{
    const gbl_matrix_args *call = args;
    if (COMPLEX && call->n <= SMALL_TRIANGLE)
        return PRIVATE(trmv_omp)(queue, stream, args, message);
    const bool upper = call->uplo == GABLE_UPPER, transposed = call->trans != GABLE_NO_TRANS;
    const bool rising = upper != transposed, unit = call->diag == GABLE_UNIT;
    const int64_t k = least(call->ku, call->n), diagonal = unit ? -1 : 0;
    band_job job = {.transposed = transposed,
                    .conj = COMPLEX && call->trans == GABLE_CONJ_TRANS,
                    .in_place = true,
                    .unit = unit,
                    .rising = rising,
                    .outputs = call->n,
                    .terms = call->n,
                    .below = rising ? diagonal : k,
                    .above = rising ? k : diagonal,
                    .A = (const T *)call->A + (upper ? call->ku : 0),
                    .apart = call->lda - 1,
                    .middle = -(rising ? diagonal : k),
                    .incx = call->incx,
                    .incy = call->incx};
    if (call->n <= 0)
        return GABLE_OK;
    job.step[0] = job.step[1] = transposed ? 1 : job.apart;
    job.x = (const T *)call->x - low_end(call->n, call->incx);
    job.y = (T *)call->x - low_end(call->n, call->incx);
    return run(&job, message);
}
