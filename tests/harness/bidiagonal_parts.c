/* bidiagonal_parts.c: the six parts of the test of gebrd.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/bidiagonal_parts.h"
#include "harness/far_dense.h"
#include "harness/qr_problem.h"
#include "lapack/lapack.h"

/* Behind the kinds of QR: graded the other way, smallest numbers first; diagonals. */
enum { KIND_GRADED_UP = QR_KINDS, KIND_DIAGONAL, KINDS };

typedef struct bidiagonal_case {
    int64_t m, n; /* m >= n */
    bool turned;  /* the routine is given A^H; not of squares */
    bool far;     /* columns of A so far apart that offsets pass 2^31 elements */
    int kind, scale;
    dense_place place;
    guarded_fill fill;
    guarded_fence fence;
    uint64_t seed;
} bidiagonal_case;

typedef struct operands {
    dense A, d, e, tauq, taup;
    number *given; /* m by n */
} operands;

static const bidiagonal_form *form_of(const routine *r)
{
    return r->parts->forms;
}

static void begin(routine *r, const bidiagonal_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s m=%lld n=%lld turned=%d gap=%lld offset=%d kind=%d "
              "scale=%d fence=%d seed=%llu %s",
              form_of(r)->name, test_device(), r->choice, r->part, (long long)c->m, (long long)c->n,
              c->turned, (long long)c->place.gap, c->place.offset, c->kind, c->scale, (int)c->fence,
              (unsigned long long)c->seed, more);
}

/* ---- A case ---- */

/* Rows and columns, but the first column, of a bidiagonal matrix in another order. */
static void permuted_bidiagonal(const bidiagonal_case *c, number *A)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = j > 0 ? j - 1 : 0; i <= j; i++) {
            const uint64_t bits = data_bits(c->seed, (uint64_t)(2 * j + (i == j)));
            const int64_t row = c->m - 1 - i, column = j == 0 ? 0 : c->n - j;
            A[row + column * c->m].re = ldexp(bits % 2 == 0 ? 1 : -1, (int)(bits / 2 % 3));
        }
}

static void make_matrix(const routine *r, const bidiagonal_case *c, number *A)
{
    if (c->kind == QR_EXACT) {
        permuted_bidiagonal(c, A);
        return;
    }
    const qr_kind kind = c->kind == KIND_GRADED_UP  ? QR_GRADED
                         : c->kind == KIND_DIAGONAL ? QR_RANDOM
                                                    : (qr_kind)c->kind;
    qr_matrix(r->dtype, kind, c->m, c->n, c->seed, A);
    const int64_t count = c->m * c->n;
    for (int64_t e = 0; c->kind == KIND_GRADED_UP && e < count / 2; e++) {
        const number a = A[e];
        A[e] = A[count - 1 - e];
        A[count - 1 - e] = a;
    }
    for (int64_t e = 0; c->kind == KIND_DIAGONAL && e < count; e++)
        if (e % c->m != e / c->m)
            A[e] = (number){0, 0};
}

static bool make(routine *r, dense *v, const bidiagonal_case *c, int64_t rows, int64_t columns,
                 size_t bytes)
{
    return dense_make(v, r->ctx, rows, columns, c->place, bytes, NULL, 0, c->fill, c->fence);
}

static bool build(routine *r, operands *o, const bidiagonal_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype), real = gbl_dtype_real_bytes(r->dtype);
    memset(o, 0, sizeof *o);
    o->given = lapack_matrix(c->m, c->n);
    if (o->given == NULL ||
        !make(r, &o->A, c, c->turned ? c->n : c->m, c->turned ? c->m : c->n, elem) ||
        !make(r, &o->d, c, c->n, 1, real) || !make(r, &o->e, c, c->n - 1, 1, real) ||
        !make(r, &o->tauq, c, c->n, 1, elem) || !make(r, &o->taup, c, c->n, 1, elem))
        return false;
    make_matrix(r, c, o->given);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++)
            qr_send(r, &o->A, c->turned, i, j, o->given[i + j * c->m], c->scale);
    return guarded_send(&o->A.v) && guarded_send(&o->d.v) && guarded_send(&o->e.v) &&
           guarded_send(&o->tauq.v) && guarded_send(&o->taup.v);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->d);
    dense_destroy(&o->e);
    dense_destroy(&o->tauq);
    dense_destroy(&o->taup);
    free(o->given);
}

static bidiagonal_call call_of(const operands *o, const bidiagonal_case *c)
{
    return (bidiagonal_call){.m = c->turned ? c->n : c->m,
                             .n = c->turned ? c->m : c->n,
                             .A = o->A.v.at,
                             .lda = o->A.ld,
                             .d = o->d.v.at,
                             .e = o->e.v.at,
                             .tauq = o->tauq.v.at,
                             .taup = o->taup.v.at};
}

static bool fetch(operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->d.v) && guarded_fetch(&o->e.v) &&
           guarded_fetch(&o->tauq.v) && guarded_fetch(&o->taup.v);
}

static bool run(routine *r, operands *o, const bidiagonal_case *c)
{
    far_dense far;
    if (c->far && !far_dense_begin(r, &o->A, &far))
        return false;
    const bidiagonal_call call = call_of(o, c);
    const bool ran = routine_ran(r, form_of(r)->run(r->ctx, &call), NULL);
    if (c->far)
        far_dense_end(r, &o->A, &far);
    return ran && fetch(o);
}

/* ---- What must come out ---- */

static double real_got(const routine *r, const dense *v, int64_t i, int scale)
{
    const gbl_dtype real = gbl_dtype_real_bytes(r->dtype) == 4 ? GBL_S : GBL_D;
    return ldexp(number_got(real, &v->v, i).re, -scale);
}

/* Few roundings count in full where there are few rows. Correct code gives less than 1. */
static void judge(routine *r, const bidiagonal_case *c, const char *what, double ratio)
{
    const double limit = c->m < 4 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
    if (c->kind == QR_EXACT)
        CHECK(ratio == 0, "%s: the ratio is %g instead of 0", what, ratio);
    if (!(ratio <= limit))
        CHECK(false, "%s: the ratio is %g", what, ratio);
    routine_error(r, ratio, 1, limit);
}

/* Reflectors of P as the columns of a QR factorization of order n - 1. */
static void reflectors_of_p(const routine *r, const operands *o, const bidiagonal_case *c,
                            number *F, number *tau)
{
    const dense *factors = c->turned ? &o->tauq : &o->taup;
    const int64_t less = c->n - 1;
    for (int64_t i = 0; i < less; i++) {
        tau[i] = number_got(r->dtype, &factors->v, i);
        for (int64_t j = i + 1; j < less; j++)
            F[j + i * less] = number_conjugate(qr_fetched(r, &o->A, c->turned, i, j + 1, 0));
    }
}

static void reflectors_of_q(const routine *r, const operands *o, const bidiagonal_case *c,
                            number *F, number *tau)
{
    const dense *factors = c->turned ? &o->taup : &o->tauq;
    for (int64_t j = 0; j < c->n; j++) {
        tau[j] = number_got(r->dtype, &factors->v, j);
        for (int64_t i = j + 1; i < c->m; i++)
            F[i + j * c->m] = qr_fetched(r, &o->A, c->turned, i, j, 0);
    }
}

/* norm(A - Q B P^H) / (m norm(A) ulp); E and turned have the size of A. */
static double residual_ratio(const routine *r, const operands *o, const bidiagonal_case *c,
                             const number *Q, const number *tauq, const number *P,
                             const number *taup, number *E, number *turned)
{
    const int64_t m = c->m, n = c->n, less = n - 1;
    number *lower = lapack_matrix(less > 0 ? less : 1, m);
    const double ulp = 2 * number_roundoff(r->dtype),
                 bound = (double)m * lapack_norm1(m, n, o->given) * ulp;
    if (lower == NULL)
        return INFINITY;
    for (int64_t j = 0; j < n; j++) {
        E[j + j * m].re = real_got(r, &o->d, j, c->scale);
        if (j > 0)
            E[j - 1 + j * m].re = real_got(r, &o->e, j - 1, c->scale);
    }
    /* B P^H = (P B^H)^H: rows but the first of B^H */
    qr_turn(m, n, E, turned);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < less; i++)
            lower[i + j * less] = turned[i + 1 + j * n];
    qr_apply(less, m, less, P, taup, false, lower);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < less; i++)
            turned[i + 1 + j * n] = lower[i + j * less];
    qr_turn(n, m, turned, E);
    qr_apply(m, n, n, Q, tauq, false, E);
    const double norm = qr_distance(m, n, E, o->given);
    free(lower);
    return bound > 0 ? norm / bound : norm;
}

static double orthogonality(const routine *r, int64_t m, int64_t n, const number *F,
                            const number *tau)
{
    number *Q = lapack_matrix(m, n);
    if (Q == NULL)
        return INFINITY;
    for (int64_t j = 0; j < n; j++)
        Q[j + j * m].re = 1;
    qr_apply(m, n, n, F, tau, false, Q);
    const double ratio = qr_orthogonality_ratio(r->dtype, m, n, Q) / 2; /* over m ulp */
    free(Q);
    return ratio;
}

/* d and e stand in A, too, and the last reflector of P is none. */
static void judge_places(routine *r, const operands *o, const bidiagonal_case *c)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = j > 0 ? j - 1 : 0; i <= j; i++) {
            const number a = qr_fetched(r, &o->A, c->turned, i, j, 0);
            const double b = i == j ? real_got(r, &o->d, j, 0) : real_got(r, &o->e, i, 0);
            CHECK(a.re == b && a.im == 0, "(%lld, %lld) is %g + %gi, and %c has %g", (long long)i,
                  (long long)j, a.re, a.im, i == j ? 'd' : 'e', b);
        }
    const number last = number_got(r->dtype, &(c->turned ? &o->tauq : &o->taup)->v, c->n - 1);
    CHECK(last.re == 0 && last.im == 0, "the last factor is %g + %gi", last.re, last.im);
}

static void gaps(const operands *o)
{
    dense_gaps(&o->A, "A");
    dense_gaps(&o->d, "d");
    dense_gaps(&o->e, "e");
    dense_gaps(&o->tauq, "tauq");
    dense_gaps(&o->taup, "taup");
}

static void check(routine *r, const bidiagonal_case *c, const char *more)
{
    const int64_t m = c->m, n = c->n, less = n - 1;
    operands o;
    begin(r, c, more);
    number *Q = lapack_matrix(m, n), *P = lapack_matrix(n, n), *E = lapack_matrix(m, n),
           *turned = lapack_matrix(n, m), *tauq = lapack_matrix(n, 1), *taup = lapack_matrix(n, 1);
    if (build(r, &o, c) && Q != NULL && P != NULL && E != NULL && turned != NULL && tauq != NULL &&
        taup != NULL && run(r, &o, c)) {
        reflectors_of_q(r, &o, c, Q, tauq);
        reflectors_of_p(r, &o, c, P, taup);
        judge(r, c, "residual", residual_ratio(r, &o, c, Q, tauq, P, taup, E, turned));
        judge(r, c, "orthogonality of Q", orthogonality(r, m, n, Q, tauq));
        if (less > 0)
            judge(r, c, "orthogonality of P", orthogonality(r, less, less, P, taup));
        judge_places(r, &o, c);
        gaps(&o);
    }
    destroy(&o);
    free(Q);
    free(P);
    free(E);
    free(turned);
    free(tauq);
    free(taup);
}

/* ---- Which cases ---- */

/* Around panels of 16, 32 and 64 columns. */
static const int64_t sizes[][2] = {{1, 1},   {2, 1},   {2, 2},   {3, 2},   {3, 3},   {4, 4},
                                   {5, 5},   {5, 3},   {20, 20}, {31, 31}, {32, 32}, {33, 33},
                                   {40, 33}, {65, 65}, {90, 64}, {200, 7}, {130, 66}};
/* Where kernels compile slowly: one panel in s and z, a column in d and c. Panels behind the first
 * are for $GABLE_TEST_ALL there. */
static const int64_t slow_sizes[GBL_DTYPES][2] = {
    [GBL_S] = {5, 4}, [GBL_D] = {2, 1}, [GBL_C] = {2, 1}, [GBL_Z] = {5, 4}};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? 1 : SIZES;
}

static bidiagonal_case plain(const routine *r, int i)
{
    static const int64_t spaces[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const int64_t *size = slow ? slow_sizes[r->dtype] : sizes[i];
    return (bidiagonal_case){.m = size[0],
                             .n = size[1],
                             .turned = i % 2 == 1 && size[0] > size[1],
                             .kind = QR_RANDOM,
                             .place = {.gap = spaces[i % 5],
                                       .offset = slow ? 0 : i % 3,
                                       .columns = slow ? ALIKE : AS_IS},
                             .seed = 700 + (uint64_t)i};
}

void bidiagonal_exact(routine *r)
{
    for (int i = 0; i < size_count(r); i++)
        for (int turned = 0; turned < 2; turned++) {
            bidiagonal_case c = plain(r, i);
            c.kind = QR_EXACT;
            c.turned = turned == 1;
            if (!c.turned || c.m > c.n)
                check(r, &c, "");
        }
}

void bidiagonal_residual(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        bidiagonal_case c = plain(r, i);
        const bool large = c.m * c.n > 2500 && !r->all;
        for (int k = 1; k < KINDS; k++) {
            if (large && k != QR_RANDOM && (i + k) % 4 != 0)
                continue;
            c.kind = k;
            c.turned = (i + k) % 2 == 1 && c.m > c.n;
            check(r, &c, "");
        }
        /* squares of these are near overflow and underflow */
        for (int far = -1; far <= 1; far += 2) {
            c.kind = (i + far) % 2 == 0 ? QR_RANDOM : QR_GRADED;
            c.turned = i % 2 == 0 && c.m > c.n;
            c.scale = lapack_far_scale(r->dtype, far) / 2;
            check(r, &c, "far from 1");
        }
    }
}

/* A panel and what stands behind it. */
static void far_apart(routine *r)
{
    bidiagonal_case c = {
        .m = FAR_COLUMNS + 3, .n = FAR_COLUMNS, .far = true, .kind = QR_RANDOM, .seed = 790};
    for (int turned = 0; turned < 2; turned++) {
        c.turned = turned == 1;
        if (!routine_slow_compiler(r))
            check(r, &c, "far apart");
    }
}

/* A NaN or an infinity hangs nothing and stays within the outputs. */
void bidiagonal_edges(routine *r)
{
    const bidiagonal_call none[] = {{.m = 0, .n = 3, .lda = 1}, {.m = 3, .n = 0, .lda = 3}};
    for (int i = 0; i < 2; i++) {
        const bidiagonal_case c = {.m = none[i].m, .n = none[i].n};
        begin(r, &c, "nothing to do");
        CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &none[i]));
    }
    far_apart(r);
    for (int i = 0; i < size_count(r); i++)
        for (int how = 0; how < 2; how++) {
            const bidiagonal_case c = plain(r, i);
            operands o;
            begin(r, &c, how == 0 ? "NaN" : "Inf");
            if (build(r, &o, &c)) {
                qr_send(r, &o.A, c.turned, c.m - 1, c.n / 2, (number){how == 0 ? NAN : INFINITY, 0},
                        0);
                if (guarded_send(&o.A.v) && run(r, &o, &c))
                    gaps(&o);
            }
            destroy(&o);
        }
}

void bidiagonal_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            bidiagonal_case c = plain(r, i);
            c.turned = w / 2 == 1 && c.m > c.n;
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.m * c.n <= 5000)
                check(r, &c, "");
        }
}

static void refused(routine *r, const bidiagonal_call *call, const char *argument,
                    const char *value)
{
    char text[64];
    snprintf(text, sizeof text, "argument %d (%s)",
             routine_argument(form_of(r)->arguments, argument), argument);
    CHECK_REFUSED(r->ctx, form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT, form_of(r)->name, text,
                  value);
}

void bidiagonal_arguments(routine *r)
{
    const bidiagonal_case c = {.m = 5, .n = 5, .kind = QR_RANDOM};
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        const bidiagonal_call good = call_of(&o, &c);
        CHECK_STATUS(NULL, form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(argument, value, text)                                                             \
    do {                                                                                           \
        bidiagonal_call bad = good;                                                                \
        bad.argument = value;                                                                      \
        refused(r, &bad, #argument, text);                                                         \
    } while (0)
        REFUSED(m, -1, "-1");
        REFUSED(n, -2, "-2");
        REFUSED(A, NULL, "NULL");
        REFUSED(lda, 4, "4");
        REFUSED(d, NULL, "NULL");
        REFUSED(e, NULL, "NULL");
        REFUSED(tauq, NULL, "NULL");
        REFUSED(taup, NULL, "NULL");
#undef REFUSED
        if (fetch(&o)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.d.v, "d");
            guarded_same(&o.e.v, "e");
            guarded_same(&o.tauq.v, "tauq");
            guarded_same(&o.taup.v, "taup");
        }
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

static bool same_bytes(const dense *a, const dense *b)
{
    return memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

/* Alone and recorded; a second replay starts anew. And all variants, with random numbers. */
void bidiagonal_repeat(routine *r)
{
    for (int next = 0; routine_next_variant(r, &next);)
        for (int i = routine_slow_compiler(r) ? size_count(r) : 0; i < size_count(r); i += 2) {
            const bidiagonal_case c = plain(r, i);
            check(r, &c, "each variant");
        }
    for (int i = 0; i < size_count(r); i += routine_slow_compiler(r) ? 1 : 3) {
        const bidiagonal_case c = plain(r, i);
        operands first, second;
        gable_recording *recording = NULL;
        begin(r, &c, "recorded");
        memset(&second, 0, sizeof second);
        if (build(r, &first, &c) && run(r, &first, &c) && build(r, &second, &c)) {
            const bidiagonal_call call = call_of(&second, &c);
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &call));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&second))
                    CHECK(same_bytes(&first.A, &second.A) && same_bytes(&first.d, &second.d) &&
                              same_bytes(&first.e, &second.e) &&
                              same_bytes(&first.tauq, &second.tauq) &&
                              same_bytes(&first.taup, &second.taup),
                          "the replay gave other bits");
            gable_recording_destroy(recording);
        }
        destroy(&first);
        destroy(&second);
    }
}

const void *bidiagonal_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[10]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .d = memory + 2,
                              .e = memory + 4,
                              .tau = memory + 6,
                              .taup = memory + 8};
    return &call;
}
