/* test_symv.c: the six parts of symv and hemv: y := alpha A x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= (n + 2) u (|alpha| |A| |x| + |beta| |y|) (Higham, Accuracy and
 * Stability, 3.1 and 3.5), for complex numbers times up to 2 sqrt 2 (3.6), in any order of summation. With small
 * integers the reference, which is a plain loop in double-double, and the result are both exact. In every
 * case the triangle that is not stored is NaN, and so are imaginary parts of the diagonal of Hermitian
 * matrices. Scalars come by value and from the device in turn.
 */
#include "harness/symmetric_parts.h"

#define WHOLE 16 /* elements after which columns stand as the first one does, in every precision */

/* ---- Shapes ---- */

static symv_case plain_case(int64_t n, int64_t lda, gable_uplo uplo, bool hermitian)
{
    return (symv_case){.n = n,
                       .lda = lda,
                       .incx = 1,
                       .incy = 1,
                       .uplo = uplo,
                       .hermitian = hermitian,
                       .seed = (uint64_t)n,
                       .alpha = make(2, 0),
                       .beta = make(1, 0)};
}

/* Kernels differ by alignment, and where one takes a second to compile columns stand alike but for a third
 * of the cases in two precisions. */
static symv_case of_run(const routine *r, symv_case c, int number)
{
    const bool every = r->all || r->device->props.is_host || r->device->props.is_gpu;
    if (!every) {
        const bool apart = r->variant == NULL && !c.hermitian && number % 3 == 2 &&
                           (r->dtype == GBL_S || r->dtype == GBL_Z);
        c.lda = apart ? c.lda | 1 : (c.lda + WHOLE - 1) / WHOLE * WHOLE;
    }
    return c;
}

/* Case i of the sizes, or n = 0 past the last: both triangles of each, and both kinds of matrix. */
static symv_case any_case(const routine *r, int i, bool few)
{
    static const int64_t sizes[] = {1,  2,  3,  4,   5,   8,   15,  16,  17, 31,
                                    32, 33, 64, 100, 127, 129, 300, 511, 700};
    static const int64_t gaps[] = {0, 1, 3, 4}, strides[] = {1, 2, -1, -3};
    static const int some[] = {0, 4, 9, 13, 16};
    const int each = COMPLEX ? 4 : 2, k = i / each;
    const int count = few ? sizeof some / sizeof some[0] : sizeof sizes / sizeof sizes[0];
    if (k >= count)
        return (symv_case){.n = 0};
    const int s = few ? some[k] : k;
    const symv_case c = {.n = sizes[s],
                         .lda = sizes[s] + gaps[s % 4],
                         .incx = strides[s % 4],
                         .incy = strides[s / 2 % 4],
                         .offset = s / 3 % 4,
                         .uplo = i % 2 ? GABLE_UPPER : GABLE_LOWER,
                         .hermitian = i % each >= 2};
    return of_run(r, c, k);
}

static void exact(routine *r)
{
    symv_case c;
    if (matrix_left_out(r))
        return;
    for (int i = 0; (c = any_case(r, i, false)).n > 0; i++) {
        c.seed = 10 * (uint64_t)i;
        c.alpha = integer_scalar((uint64_t)i);
        c.beta = integer_scalar((uint64_t)i / 3 + 1);
        c.on_device = i % 3 == 0;
        check(r, &c);
    }
}

static void residual(routine *r)
{
    symv_case c;
    for (int i = 0; (c = any_case(r, i, false)).n > 0; i++) {
        c.seed = 10000 + 10 * (uint64_t)i;
        c.alpha = random_element(10003 + (uint64_t)i, 0);
        c.beta = random_element(10004 + (uint64_t)i, 0);
        c.random = true;
        c.on_device = i % 3 == 1;
        check(r, &c);
    }
}

/* ---- Edges ---- */

/* n = 0: y stays, whatever beta is, and no pointer is looked at. */
static void nothing(routine *r)
{
    const symv_case c = plain_case(5, 16, GABLE_LOWER, false);
    const T two = make(2, 0);
    matrix_operands o;
    begin(r, &c, "n = 0");
    if (build(r, &o, &c)) {
        gable_context *ctx = r->ctx;
        T *y = o.y.at;
        CHECK_OK(ctx, FN(symv)(ctx, GABLE_LOWER, 0, two, o.A.at, 1, o.x.at, 1, two, y, 1));
        CHECK_OK(ctx, FN(symv)(ctx, GABLE_UPPER, 0, two, NULL, 1, NULL, 1, make(0, 0), y, -1));
        CHECK_OK(ctx, FN(symv_dev)(ctx, GABLE_UPPER, 0, NULL, NULL, 5, NULL, 1, NULL, y, 1));
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
    }
    matrix_destroy(&o);
}

/* alpha = 0: A and x are NaN and do not matter; beta = 0: nor does y. */
static void not_read(routine *r, const symv_case *given, T alpha, T beta, bool on_device)
{
    symv_case c = *given;
    matrix_operands o;
    c.seed = 60;
    c.alpha = alpha;
    c.beta = beta;
    c.on_device = on_device;
    begin(r, &c, "what is not read is NaN");
    if (build(r, &o, &c)) {
        bool good = true; /* the images of A and x stay as the reference needs them */
        if (size_of(alpha) == 0)
            good = CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.A.memory, 0xff, o.A.bytes)) &&
                   CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.x.memory, 0xff, o.x.bytes));
        for (int64_t i = 0; size_of(beta) == 0 && i < c.n; i++)
            memset(guarded_element(&o.y, i), 0xff, sizeof(T));
        if (good && guarded_send(&o.y) && run(r, &o, &c) && guarded_fetch(&o.y))
            compare(r, &o, &c);
    }
    matrix_destroy(&o);
}

static bool finite_number(T t)
{
    return isfinite(real_part(t)) && isfinite(imaginary_part(t));
}

/* A NaN or Inf stored at (i, j) of A reaches elements i and j of y and no others; in x (i < 0) it reaches
 * all. An Inf in x makes no NaN of positive real numbers. */
static void spreads(routine *r, const symv_case *given, int64_t i, int64_t j, double special)
{
    symv_case c = *given;
    matrix_operands o;
    char more[96];
    snprintf(more, sizeof more, "%g at row %lld, column %lld", special, (long long)i, (long long)j);
    begin(r, &c, more);
    if (build(r, &o, &c)) {
        for (int64_t e = 0; e < c.n; e++) /* no zeros: some BLAS skip their columns */
            put(&o.x, e, make(1 + (double)(e % 3), 1));
        for (int64_t e = 0; i < 0 && e < c.n * c.n; e++)
            if (is_stored(&c, e % c.n, e / c.n))
                put(&o.A, e % c.n + e / c.n * c.lda, make(1, 1));
        if (i < 0)
            put(&o.x, j, make(special, 1));
        else
            put(&o.A, i + j * c.lda, make(special, 1));
        if (guarded_send(&o.A) && guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.y)) {
            for (int64_t e = 0; e < c.n; e++) {
                const T y = got(&o.y, e);
                CHECK(finite_number(y) != (i < 0 || e == i || e == j), "element %lld is %g",
                      (long long)e, real_part(y));
                CHECK(COMPLEX || i >= 0 || isnan(special) || real_part(y) > 0,
                      "element %lld is %g, not Inf", (long long)e, real_part(y));
            }
            guarded_surroundings(&o.y, "y");
        }
    }
    matrix_destroy(&o);
}

/* Columns more than 2^31 elements apart. */
static void far_apart(routine *r, gable_uplo uplo)
{
    const symv_case small = plain_case(3, 3, uplo, false);
    symv_case c = small;
    c.lda = ((int64_t)1 << 30) + 7;
    const size_t bytes = (2 * (size_t)c.lda + 3) * sizeof(T);
    const bool host = r->device->props.is_host;
    if (!routine_far(r, bytes))
        return;
    matrix_operands o;
    T *A = far_reserve(r->ctx, host, bytes);
    begin(r, &c, "far apart");
    if (A == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &small)) {
        void *const near = o.A.at;
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), guarded_element(&o.A, 3 * j), 1,
                                              A + j * c.lda, 1));
        o.A.at = A;
        if (run(r, &o, &c) && guarded_fetch(&o.y))
            compare(r, &o, &small);
        o.A.at = near;
    }
    matrix_destroy(&o);
    far_release(r->ctx, host, A, bytes);
}

static void edges(routine *r)
{
    const T zero = make(0, 0), minus_zero = make(-0.0, 0), one = make(1, 0), two = make(2, 0);
    if (matrix_left_out(r))
        return;
    nothing(r);
    for (int k = 0; k < (COMPLEX ? 4 : 2); k++) {
        const gable_uplo uplo = k % 2 ? GABLE_UPPER : GABLE_LOWER;
        const bool hermitian = k >= 2;
        const symv_case plain = plain_case(37, 48, uplo, hermitian);
        symv_case odd = plain_case(70, 71, uplo, hermitian);
        odd.incy = -1;
        odd.offset = 1;
        odd = of_run(r, odd, 2);
        for (int device = 0; device < 2; device++) {
            not_read(r, &plain, zero, two, device);
            not_read(r, &plain, minus_zero, one, device);
            not_read(r, &plain, zero, zero, device);
            not_read(r, &plain, two, zero, device);
            not_read(r, &odd, one, minus_zero, device);
        }
        for (int64_t e = 0; e < 37; e += 6) {
            const int64_t low = e / 2, high = 36 - e / 3;
            const bool up = uplo == GABLE_UPPER;
            spreads(r, &plain, up ? low : high, up ? high : low, e % 4 ? NAN : INFINITY);
            spreads(r, &plain, e, e, e % 4 ? INFINITY : NAN);
            spreads(r, &plain, -1, e, e % 4 ? NAN : INFINITY);
        }
        spreads(r, &odd, 69, 69, NAN);
        spreads(r, &odd, -1, 69, INFINITY);
        symv_case same = plain;
        same.incx = 0;
        check(r, &same);
        if (!hermitian)
            far_apart(r, uplo);
    }
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    static const struct {
        guarded_fill fill;
        guarded_fence fence;
    } ways[] = {{FILL_PATTERN, LOOSE},
                {FILL_NAN, LOOSE},
                {FILL_PATTERN, TIGHT_BEHIND},
                {FILL_PATTERN, TIGHT_BEFORE}};
    symv_case c;
    for (int i = 0; (c = any_case(r, i, true)).n > 0; i++) {
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            c.seed = 200;
            c.alpha = make(3, -1);
            c.beta = make(-2, 1);
            c.on_device = w % 2;
            c.fill = ways[w].fill;
            c.fence = ways[w].fence;
            check(r, &c);
        }
    }
}

static const char *name_of(bool hermitian, bool dev)
{
#if COMPLEX
    if (hermitian)
        return dev ? NAME(FN(hemv_dev)) : NAME(FN(hemv));
#endif
    (void)hermitian;
    return dev ? NAME(FN(symv_dev)) : NAME(FN(symv));
}

static void illegal(routine *r, const matrix_operands *o, bool hermitian, bool dev)
{
    enum { L = GABLE_LOWER };
    const char *name = name_of(hermitian, dev);
    const T *A = o->A.at, *x = o->x.at, *alpha = o->scalars.at;
    T *y = o->y.at, outside[32];
    const T two = make(2, 0);
    const door good = {hermitian, dev, two, two, alpha, alpha + 1}, *g = &good;
    gable_context *ctx = r->ctx;
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, symv(NULL, g, L, 5, A, 5, x, 1, y, 1), GABLE_BAD_ARGUMENT);
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    REFUSED(symv(ctx, g, 7, 5, A, 5, x, 1, y, 1), "argument 2 (uplo)", "7", "GABLE_UPPER");
    REFUSED(symv(ctx, g, 123, 0, A, 5, x, 1, y, 1), "argument 2 (uplo)", "123");
    REFUSED(symv(ctx, g, L, -3, A, 5, x, 1, y, 1), "argument 3 (n)", "-3");
    REFUSED(symv(ctx, g, L, 5, NULL, 5, x, 1, y, 1), "argument 5 (A)", "NULL");
    REFUSED(symv(ctx, g, L, 5, A, 4, x, 1, y, 1), "argument 6 (lda)", "4", "5");
    REFUSED(symv(ctx, g, L, 0, A, 0, x, 1, y, 1), "argument 6 (lda)", "0", "1");
    REFUSED(symv(ctx, g, L, 5, A, -5, x, 1, y, 1), "argument 6 (lda)", "-5");
    REFUSED(symv(ctx, g, L, 5, A, 5, NULL, 1, y, 1), "argument 7 (x)", "NULL");
    REFUSED(symv(ctx, g, L, 5, A, 5, x, 1, NULL, 1), "argument 10 (y)", "NULL");
    REFUSED(symv(ctx, g, L, 5, A, 5, x, 1, y, 0), "argument 11 (incy)", "0");
    REFUSED(symv(ctx, g, L, 0, A, 5, x, 1, y, 0), "argument 11 (incy)", "0");
    REFUSED(symv(ctx, g, L, 5, NULL, 1, NULL, 1, NULL, 0), "argument 5 (A)", "NULL");
    if (dev) {
        const door no_alpha = {hermitian, true, two, two, NULL, alpha};
        const door no_beta = {hermitian, true, two, two, alpha, NULL};
        REFUSED(symv(ctx, &no_alpha, L, 5, A, 5, x, 1, y, 1), "argument 4 (alpha)", "NULL");
        REFUSED(symv(ctx, &no_beta, L, 5, A, 5, x, 1, y, 1), "argument 9 (beta)", "NULL");
    }
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(symv(ctx, g, L, 5, outside, 5, x, 1, y, 1), "argument 5 (A)", device,
                "gable_alloc");
        REFUSED(symv(ctx, g, L, 5, A, 5, outside, 1, y, 1), "argument 7 (x)", device,
                "gable_alloc");
        REFUSED(symv(ctx, g, L, 5, A, 5, x, 1, outside, 1), "argument 10 (y)", device,
                "gable_alloc");
    }
#undef REFUSED
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void arguments(routine *r)
{
    symv_case c = plain_case(5, 16, GABLE_LOWER, false);
    c.fill = FILL_PATTERN;
    matrix_operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        for (int k = 0; k < (COMPLEX ? 4 : 2); k++)
            illegal(r, &o, k >= 2, k % 2);
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
        matrix_unchanged(&o);
        run(r, &o, &c); /* the context works on */
    }
    matrix_destroy(&o);
}

/* The call recorded, with its scalars on the device, which are right only when it is replayed. */
static bool replayed(routine *r, matrix_operands *o, const symv_case *c)
{
    gable_recording *recording = NULL;
    symv_case from_device = *c;
    from_device.on_device = true;
    if (!build(r, o, &from_device))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->scalars.memory, 0xff, o->scalars.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, enqueue(r, o, &from_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && guarded_send(&o->scalars) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o->y);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const symv_case *c)
{
    matrix_operands first, second;
    begin(r, c, "twice");
    if (build(r, &first, c) && run(r, &first, c) && guarded_fetch(&first.y)) {
        if (build(r, &second, c) && run(r, &second, c) && guarded_fetch(&second.y))
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the same call gave other bits");
        matrix_destroy(&second);
        if (replayed(r, &second, c))
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the replay with scalars on the device gave other bits");
        matrix_destroy(&second);
    }
    matrix_destroy(&first);
}

static symv_case random_case(const routine *r, int i)
{
    symv_case c = any_case(r, i, true);
    c.seed = 400;
    c.alpha = make(0.7, -0.3);
    c.beta = make(-0.6, 0.2);
    c.random = true;
    return c;
}

static void repeat(routine *r)
{
    symv_case c;
    for (int i = 0; (c = random_case(r, i)).n > 0; i++)
        same_bits(r, &c);
    /* All variants agree within the bound. Not where kernels take long to compile: there `exact` runs them. */
    const gbl_variant *forced = r->variant;
    const bool fast = r->all || r->device->props.is_host || r->device->props.is_gpu;
    for (int v = 0; fast && forced == NULL && v < r->op->variant_count; v++) {
        if (!routine_variant_fits(r, &r->op->variants[v]) ||
            !routine_force(r, &r->op->variants[v], ""))
            continue;
        for (int i = 0; (c = random_case(r, i)).n > 0; i++) {
            c.on_device = i % 3 == 0;
            check(r, &c);
        }
        routine_unforce(r);
    }
}

/* The calls that meet every kind of variant: symmetric, and Hermitian in complex precisions. */
static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= (COMPLEX ? 2 : 1))
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .trans = GABLE_NO_TRANS,
                             .uplo = GABLE_LOWER,
                             .conj = i == 1,
                             .m = 200,
                             .n = 200,
                             .alpha = {NULL, 2, 0},
                             .beta = {NULL, 3, 0},
                             .A = memory,
                             .lda = 208,
                             .x = memory,
                             .incx = 1,
                             .y = memory,
                             .incy = 1};
    return &call;
}

const routine_parts PARTS = {
    "symv", LETTER, DTYPE, {exact, residual, edges, guards, arguments, repeat}, probe};
