/* update_parts.h: the six parts of the tests of ger, syr, syr2, spr and spr2.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each part takes an update_form of update_test.h; UPDATE_PARTS makes a test of an array of them.
 * Typed: it comes last among the includes.
 */
#ifndef TEST_UPDATE_PARTS_H
#define TEST_UPDATE_PARTS_H

#include <unistd.h>
#include "harness/update_test.h"

/* ---- Shapes ---- */

#define UPDATE_LARGEST 700 /* triangle: larger sizes are those of thin matrices */

/* A shape as this form has it: a square for triangles, without trans. false: it is another's. */
static inline bool update_takes(const update_form *f, matrix_shape *s)
{
    if (s->trans != GABLE_NO_TRANS)
        return false;
    if (f->triangle && s->m > UPDATE_LARGEST)
        s->m = s->n;
    if (f->triangle)
        s->n = s->m;
    return true;
}

/* The case with every shape of a list; triangles are lower and upper in turn. */
static inline void update_each(routine *r, const update_form *f, const matrix_shape *shapes,
                               int count, update_case c)
{
    const uint64_t seed = c.seed;
    for (int i = 0, taken = 0; i < count; i++) {
        c.s = shapes[i];
        if (!update_takes(f, &c.s))
            continue;
        c.seed = seed + 10 * (uint64_t)taken;
        c.alpha = c.random ? random_element(c.seed + 3, 0)
                           : make((double)(taken % 4) - 2 + (taken % 4 == 2), taken % 3 - 1);
        c.on_device = taken % 2 == (c.random ? 0 : 1);
        c.uplo = taken / 2 % 2 ? GABLE_UPPER : GABLE_LOWER;
        taken++;
        update_check(r, f, &c);
        if (f->triangle && (r->all || r->device->props.is_host)) {
            c.uplo = c.uplo == GABLE_UPPER ? GABLE_LOWER : GABLE_UPPER;
            update_check(r, f, &c);
        }
    }
}

static inline void update_exact(routine *r, const update_form *f)
{
    int count;
    const matrix_shape *shapes = matrix_shapes(r, &count);
    if (!matrix_left_out(r))
        update_each(r, f, shapes, count, (update_case){.seed = 0});
}

static inline void update_residual(routine *r, const update_form *f)
{
    int count;
    const matrix_shape *shapes = matrix_shapes(r, &count);
    update_each(r, f, shapes, count, (update_case){.seed = 10000, .random = true});
}

/* ---- Edges ---- */

/* Sizes of 0: no pointer is looked at. */
static inline void update_nothing(routine *r, const update_form *f)
{
    update_call c = {.uplo = GABLE_LOWER, .alpha = make(2, 0), .incx = 1, .incy = 1, .lda = 1};
    CHECK_OK(r->ctx, f->run(r->ctx, &c));
    CHECK_OK(r->ctx, f->run_dev(r->ctx, &c));
    if (f->triangle)
        return;
    c.m = 5;
    c.lda = 5;
    CHECK_OK(r->ctx, f->run(r->ctx, &c));
    c.m = 0;
    c.n = 5;
    CHECK_OK(r->ctx, f->run_dev(r->ctx, &c));
}

/* alpha = 0: x and y are NaN, and all of A stays as it is, the diagonal too. */
static inline void update_zero(routine *r, const update_form *f, const matrix_shape *s, T alpha,
                               bool on_device)
{
    const update_case c = {.s = *s,
                           .uplo = on_device ? GABLE_UPPER : GABLE_LOWER,
                           .seed = 60,
                           .alpha = alpha,
                           .on_device = on_device};
    matrix_operands o;
    update_begin(r, f, &c, "alpha is 0");
    if (update_build(r, &o, f, &c) &&
        CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.x.memory, 0xff, o.x.bytes)) &&
        CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.y.memory, 0xff, o.y.bytes)) &&
        update_run(r, &o, f, &c) && guarded_fetch(&o.A))
        guarded_same(&o.A, "A");
    matrix_destroy(&o);
}

static inline bool update_finite(T t)
{
    return isfinite(real_part(t)) && isfinite(imaginary_part(t));
}

/* A NaN or Inf in A stays where it is; in x (or y) it reaches its row and column. */
static inline void update_spreads(routine *r, const update_form *f, const update_case *given,
                                  int where, int64_t i, int64_t j, double special)
{
    enum { IN_A, IN_X, IN_Y };
    update_case c = *given;
    matrix_operands o;
    char more[80];
    c.seed = 70;
    c.alpha = make(2, 0);
    snprintf(more, sizeof more, "%g in %c, row %lld, column %lld", special, "Axy"[where],
             (long long)i, (long long)j);
    update_begin(r, f, &c, more);
    if (update_build(r, &o, f, &c)) {
        for (int64_t e = 0; e < c.s.m; e++) /* no zeros: some BLAS skip their columns */
            put(&o.x, e, make(1 + (double)(e % 3), 1));
        for (int64_t e = 0; e < c.s.n; e++)
            put(&o.y, e, make(2 - (double)(e % 2), 1));
        if (where == IN_A)
            put(&o.A, update_place(f, &c, i, j), make(special, 1));
        else
            put(where == IN_X ? &o.x : &o.y, where == IN_X ? i : j, make(special, 1));
        const bool both = f->triangle; /* x and y stand upright and transposed */
        if (update_send(&o) && update_run(r, &o, f, &c) && guarded_fetch(&o.A)) {
            for (int64_t e = 0, row = 0, column = 0; e < o.A.n; e++) {
                const bool reached = where == IN_A   ? row == i && column == j
                                     : where == IN_X ? row == i || (both && column == i)
                                                     : column == j || (both && row == j);
                if (update_inside(f, &c, row, column))
                    CHECK(update_finite(got(&o.A, e)) != reached, "row %lld, column %lld is %g",
                          (long long)row, (long long)column, real_part(got(&o.A, e)));
                update_step(f, &c, &row, &column);
            }
            guarded_surroundings(&o.A, "A");
        }
    }
    matrix_destroy(&o);
}

static inline void update_specials(routine *r, const update_form *f, const matrix_shape *s)
{
    for (int upper = 0; upper < 1 + f->triangle; upper++) {
        const update_case c = {.s = *s, .uplo = upper ? GABLE_UPPER : GABLE_LOWER};
        for (int64_t e = 0; e < s->n; e += 7) {
            const int64_t row = upper ? 0 : s->m - 1;
            update_spreads(r, f, &c, 0, row, e, e % 2 ? NAN : INFINITY);
            update_spreads(r, f, &c, 1, e % s->m, 0, e % 2 ? INFINITY : NAN);
            if (!f->triangle || f->terms > 1)
                update_spreads(r, f, &c, 2, 0, e, NAN);
        }
    }
}

/* Columns more than 2^31 elements apart. */
static inline void update_far(routine *r, const update_form *f, gable_uplo uplo)
{
    const update_case c = {.s = {GABLE_NO_TRANS, 3, 3, ((int64_t)1 << 30) + 7, 1, 1, 0},
                           .uplo = uplo,
                           .alpha = make(2, 0)};
    update_case small = c;
    small.s.lda = 3;
    const size_t bytes = (2 * (size_t)c.s.lda + 3) * sizeof(T);
    far_memory room;
    if (f->packed || !far_take(r, 1, bytes, &room))
        return;
    matrix_operands o;
    T *A = room.at[0];
    update_begin(r, f, &c, "far apart");
    if (update_build(r, &o, f, &small)) {
        void *const near = o.A.at;
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), guarded_element(&o.A, 3 * j), 1,
                                              A + j * c.s.lda, 1));
        o.A.at = A;
        const bool ran = update_run(r, &o, f, &c);
        o.A.at = near;
        for (int64_t j = 0; ran && j < 3; j++)
            CHECK_OK(r->ctx,
                     gable_copy_bytes(r->ctx, (T *)near + 3 * j, A + j * c.s.lda, 3 * sizeof(T)));
        if (ran && guarded_fetch(&o.A))
            update_compare(r, &o, f, &small);
    }
    matrix_destroy(&o);
    far_give(r, &room);
}

/* A packed triangle of more than 2^31 elements: zeros, of which some are looked at afterwards. All
 * of it is written, so it takes a GPU with room, or a host with room where all cases are asked for;
 * there in s only. */
static inline void update_long(routine *r, const update_form *f, gable_uplo uplo)
{
    enum { SEEN = 5 };
    const int64_t n = 65600, seen[SEEN] = {0, 1, n / 2, n - 2, n - 1};
    const bool host = r->device->props.is_host;
    const size_t bytes = (size_t)n * (size_t)(n + 1) / 2 * sizeof(T);
    update_case c = {.s = {GABLE_NO_TRANS, 1, 1, 1, 1, 1, 0}, .uplo = uplo, .alpha = make(2, 0)};
    matrix_operands o;
    if (!f->packed || (host && (!r->all || DTYPE != GBL_S)) || !routine_far(r, bytes))
        return;
    if (host && (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2 < bytes) {
        test_leave_out(NULL, "a triangle of 2^31 elements needs %zu bytes", bytes);
        return;
    }
    update_begin(r, f, &c, "2^31 elements");
    T *A = far_reserve(r->ctx, host, bytes);
    CHECK(A != NULL, "no room for %zu bytes", bytes);
    if (A == NULL)
        return;
    if (update_build(r, &o, f, &c)) {
        void *const near = o.A.at;
        guarded_destroy(&o.x);
        guarded_destroy(&o.y);
        c.s.m = c.s.n = n;
        if (guarded_make(&o.x, r->ctx, n, 1, sizeof(T), 0, c.fill, c.fence) &&
            guarded_make(&o.y, r->ctx, n, 1, sizeof(T), 0, c.fill, c.fence)) {
            for (int64_t i = 0; i < n; i++) {
                put(&o.x, i, update_value(&c, 1, i));
                put(&o.y, i, update_value(&c, 2, i));
            }
            o.A.at = A;
            const bool ran = CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, A, 0, bytes)) &&
                             guarded_send(&o.x) && guarded_send(&o.y) && update_run(r, &o, f, &c);
            for (int k = 0; ran && k < SEEN * SEEN; k++) {
                const int64_t i = seen[k / SEEN], j = seen[k % SEEN];
                T z;
                if (!update_inside(f, &c, i, j) ||
                    !CHECK_OK(r->ctx, gable_get_vector(r->ctx, 1, sizeof(T),
                                                       A + update_place(f, &c, i, j), 1, &z, 1)))
                    continue;
                const update_sum want = update_expected(&o, f, &c, i, j, make(0, 0));
                CHECK(wide_distance(want.re, real_part(z)) == 0 &&
                          wide_distance(want.im, imaginary_part(z)) == 0,
                      "row %lld, column %lld is %g", (long long)i, (long long)j, real_part(z));
            }
            o.A.at = near;
        }
    }
    matrix_destroy(&o);
    far_release(r->ctx, host, A, bytes);
}

static inline void update_edges(routine *r, const update_form *f)
{
    const matrix_shape plain = {GABLE_NO_TRANS, 37, 21, 40, 1, 1, 0};
    const matrix_shape odd = {GABLE_NO_TRANS, 29, 70, 29, 1, -1, 1};
    const matrix_shape same = {GABLE_NO_TRANS, 20, 10, 32, 0, 0, 0};
    matrix_shape shapes[] = {matrix_of_run(r, plain, 0), matrix_of_run(r, odd, 1),
                             matrix_of_run(r, same, 0)};
    if (matrix_left_out(r))
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        update_takes(f, &shapes[i]);
    update_nothing(r, f);
    for (int device = 0; device < 2; device++) {
        update_zero(r, f, &shapes[0], make(0, 0), device);
        update_zero(r, f, &shapes[1], make(-0.0, 0), device);
        update_check(r, f,
                     &(update_case){.s = shapes[2],
                                    .uplo = device ? GABLE_UPPER : GABLE_LOWER,
                                    .alpha = make(1, 0),
                                    .on_device = device});
    }
    update_specials(r, f, &shapes[0]);
    update_specials(r, f, &shapes[1]);
    update_far(r, f, GABLE_LOWER);
    update_far(r, f, GABLE_UPPER);
    update_long(r, f, GABLE_LOWER);
    update_long(r, f, GABLE_UPPER);
}

/* ---- Arguments ---- */

/* Each illegal value in turn, in a call that is right otherwise. */
static inline void update_illegal(routine *r, const matrix_operands *o, const update_form *f,
                                  const update_case *c, bool dev)
{
    const char *name = dev ? f->name_dev : f->name, *device = r->device->info.name;
    gable_status (*const run)(gable_context *, const update_call *) = dev ? f->run_dev : f->run;
    const bool has_y = !f->triangle || f->terms > 1;
    const char *const arg_A = f->packed ? has_y ? "argument 9 (AP)" : "argument 7 (AP)"
                              : has_y   ? "argument 9 (A)"
                                        : "argument 7 (A)";
    const char *const arg_lda = has_y ? "argument 10 (lda)" : "argument 8 (lda)";
    const update_call good = update_arguments(o, c);
    update_call bad;
    T outside[64];
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(change, ...)                                                                       \
    do {                                                                                           \
        bad = good;                                                                                \
        change;                                                                                    \
        CHECK_REFUSED(r->ctx, run(r->ctx, &bad), GABLE_BAD_ARGUMENT, name, __VA_ARGS__);           \
    } while (0)
    if (f->triangle) {
        REFUSED(bad.uplo = (gable_uplo)7, "argument 2 (uplo)", "7", "GABLE_UPPER");
        REFUSED((bad.uplo = (gable_uplo)123, bad.n = 0), "argument 2 (uplo)", "123");
    } else {
        REFUSED(bad.m = -3, "argument 2 (m)", "-3");
    }
    REFUSED(bad.n = -2, "argument 3 (n)", "-2");
    REFUSED(bad.x = NULL, "argument 5 (x)", "NULL");
    if (has_y)
        REFUSED(bad.y = NULL, "argument 7 (y)", "NULL");
    REFUSED(bad.A = NULL, arg_A, "NULL");
    if (f->packed) {
        REFUSED(bad.n = (int64_t)1 << 32, "argument 3 (n)", "AP", "2^63 - 1 bytes");
        REFUSED(bad.n = INT64_MAX, "argument 3 (n)", "2^63 - 1 bytes");
    } else {
        REFUSED(bad.lda = 4, arg_lda, "4", "5");
        REFUSED(bad.lda = -5, arg_lda, "-5");
        REFUSED((bad.n = 0, bad.m = 0, bad.lda = 0), arg_lda, "0", "1");
    }
    if (dev)
        REFUSED(bad.alpha_at = NULL, "argument 4 (alpha)", "NULL");
    if (!r->device->props.is_host) {
        REFUSED(bad.x = outside, "argument 5 (x)", device, "gable_alloc");
        if (has_y)
            REFUSED(bad.y = outside, "argument 7 (y)", device, "gable_alloc");
        REFUSED(bad.A = outside, arg_A, device, "gable_alloc");
    }
#undef REFUSED
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static inline void update_refusals(routine *r, const update_form *f)
{
    update_case c = {.s = {GABLE_NO_TRANS, 5, 4, 16, 1, 1, 0},
                     .uplo = GABLE_LOWER,
                     .alpha = make(2, 0),
                     .fill = FILL_PATTERN};
    matrix_operands o;
    update_takes(f, &c.s);
    update_begin(r, f, &c, "illegal arguments");
    if (update_build(r, &o, f, &c)) {
        update_illegal(r, &o, f, &c, false);
        update_illegal(r, &o, f, &c, true);
        if (guarded_fetch(&o.A))
            guarded_same(&o.A, "A");
        update_unchanged(&o);
        if (update_run(r, &o, f, &c) && guarded_fetch(&o.A)) /* the context works on */
            update_compare(r, &o, f, &c);
    }
    matrix_destroy(&o);
}

/* ---- Guards, repeat ---- */

static inline void update_guards(routine *r, const update_form *f)
{
    int count;
    for (int w = 0; w < GUARDED_WAYS; w++) {
        const matrix_shape *shapes = matrix_few_shapes(r, &count);
        update_each(r, f, shapes, count,
                    (update_case){
                        .seed = 200, .fill = guarded_ways[w].fill, .fence = guarded_ways[w].fence});
    }
}

/* The call recorded with its alpha on the device, which is right only when it is replayed. */
static inline bool update_replayed(routine *r, matrix_operands *o, const update_form *f,
                                   const update_case *c)
{
    gable_recording *recording = NULL;
    update_case from_device = *c;
    from_device.on_device = true;
    if (!update_build(r, o, f, &from_device))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->scalars.memory, 0xff, o->scalars.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, update_enqueue(r, o, f, &from_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && guarded_send(&o->scalars) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o->A);
    gable_recording_destroy(recording);
    return good;
}

static inline void update_same_bits(routine *r, const update_form *f, const update_case *c)
{
    matrix_operands first, second;
    update_begin(r, f, c, "twice");
    if (update_build(r, &first, f, c) && update_run(r, &first, f, c) && guarded_fetch(&first.A)) {
        if (update_build(r, &second, f, c) && update_run(r, &second, f, c) &&
            guarded_fetch(&second.A))
            CHECK(memcmp(first.A.got, second.A.got, first.A.bytes) == 0,
                  "the same call gave other bits");
        matrix_destroy(&second);
        if (update_replayed(r, &second, f, c))
            CHECK(memcmp(first.A.got, second.A.got, first.A.bytes) == 0,
                  "the replay with alpha on the device gave other bits");
        matrix_destroy(&second);
    }
    matrix_destroy(&first);
}

static inline void update_repeat(routine *r, const update_form *f)
{
    int count;
    const matrix_shape *shapes = matrix_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        update_case c = {.s = shapes[i],
                         .uplo = i / 3 % 2 ? GABLE_UPPER : GABLE_LOWER,
                         .seed = 400,
                         .alpha = make(0.7, -0.3),
                         .random = true};
        if (update_takes(f, &c.s))
            update_same_bits(r, f, &c);
    }
    /* All variants agree within the bound. Not where kernels take long to compile: there `exact`
     * runs them. */
    const bool fast = r->all || r->device->props.is_host || r->device->props.is_gpu;
    for (int v = 0; fast && routine_next_variant(r, &v);) {
        shapes = matrix_few_shapes(r, &count);
        update_each(r, f, shapes, count, (update_case){.seed = 500, .random = true});
    }
}

/* Calls that meet every variant: both forms, and both triangles. */
static inline const void *update_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .uplo = i % 2 ? GABLE_UPPER : GABLE_LOWER,
                             .conj = i / 2,
                             .m = 200,
                             .n = 200,
                             .alpha = {NULL, 2, 0},
                             .A = memory,
                             .lda = 208,
                             .x = memory,
                             .incx = 1,
                             .y = memory,
                             .incy = 1};
    return i < (COMPLEX ? 4 : 2) ? &call : NULL;
}

/* The parts of a test, each for all of its forms, which are the array `forms`. */
#define UPDATE_PART(part, function)                                                                \
    static void part(routine *r)                                                                   \
    {                                                                                              \
        for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)                                \
            function(r, &forms[i]);                                                                \
    }
#define UPDATE_PARTS(name)                                                                         \
    UPDATE_PART(exact, update_exact)                                                               \
    UPDATE_PART(residual, update_residual)                                                         \
    UPDATE_PART(edges, update_edges)                                                               \
    UPDATE_PART(guards, update_guards)                                                             \
    UPDATE_PART(arguments, update_refusals)                                                        \
    UPDATE_PART(repeat, update_repeat)                                                             \
    const routine_parts PARTS = {.stem = name,                                                     \
                                 .letter = LETTER,                                                 \
                                 .dtype = DTYPE,                                                   \
                                 .run = {exact, residual, edges, guards, arguments, repeat},       \
                                 .probe = update_probe};

#endif
