/* eigen_parts.c: the six parts of tests of eigenvalues of symmetric matrices: which cases.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/eigen_problem.h"
#include "harness/far_dense.h"
#include "lapack/lapack.h"

/* ---- Which cases ---- */

static const int64_t sizes[] = {1, 2, 3, 5, 17, 31, 33, 66};
static const int64_t few_sizes[] = {3, 35};
#define SIZES     ((int)(sizeof sizes / sizeof sizes[0]))
#define FEW_SIZES ((int)(sizeof few_sizes / sizeof few_sizes[0]))

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? FEW_SIZES : SIZES;
}

/* Where kernels take long to compile, the precisions divide the triangles among themselves, and the
 * forced variants are tried in s alone. */
static bool left_out(const routine *r)
{
    return routine_slow_compiler(r) && r->dtype != GBL_S && strcmp(r->choice, "default") != 0;
}

static eigen_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const bool tridiagonal = eigen_problem_of(r) == EIGEN_TRIDIAGONAL;
    eigen_case c = {
        .uplo = (slow ? (int)r->dtype : i) % 2 == 0 ? GABLE_LOWER : GABLE_UPPER,
        .n = slow ? few_sizes[i] : sizes[i],
        .job = tridiagonal && i % 2 == 0 ? GABLE_IDENTITY_VECTORS : GABLE_VECTORS,
        .itype = slow ? 1 + (int)r->dtype % 3 : 1 + i % 3,
        .range = GABLE_RANGE_ALL,
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .kind = EIGEN_RANDOM,
        .seed = 700 + (uint64_t)i,
        .on_device = i % 2 == 1};
    return c;
}

/* All ways in which a case can be asked for. */
static void check_ways(routine *r, const eigen_case *given, const char *more)
{
    eigen_case c = *given;
    eigen_check(r, &c, more);
    if (routine_slow_compiler(r))
        return;
    c.uplo = c.uplo == GABLE_LOWER ? GABLE_UPPER : GABLE_LOWER;
    if (eigen_has(r, "uplo"))
        eigen_check(r, &c, "the other triangle");
    for (int k = 0; k < 2 && eigen_has(r, "itype"); k++) {
        c.itype = 1 + c.itype % 3;
        eigen_check(r, &c, "another problem");
    }
    if (eigen_problem_of(r) == EIGEN_TRIDIAGONAL) {
        c.job = c.job == GABLE_VECTORS ? GABLE_IDENTITY_VECTORS : GABLE_VECTORS;
        eigen_check(r, &c, "the other compz");
    }
}

void eigen_exact(routine *r)
{
    if (left_out(r)) {
        test_leave_out(NULL, "%s runs with GABLE_TEST_ALL=1 only: kernels compile slowly",
                       eigen_form_of(r)->name);
        return;
    }
    for (int i = 0; i < size_count(r); i++) {
        eigen_case c = plain(r, i);
        c.kind = EIGEN_EXACT;
        check_ways(r, &c, "");
    }
}

/* Near overflow and underflow, where norms are scaled. */
static void far_from_one(routine *r, eigen_case c)
{
    const int exponent = gbl_dtype_real_bytes(r->dtype) == 4 ? 116 : 1000;
    for (int far = -1; far <= 1; far += 2) {
        c.scale = far * exponent;
        c.kind = EIGEN_RANDOM;
        eigen_check(r, &c, "far from 1");
        c.kind = EIGEN_TOEPLITZ;
        eigen_check(r, &c, "far from 1");
    }
}

void eigen_ratios(routine *r)
{
    for (int i = 0; i < size_count(r) && !left_out(r); i++) {
        eigen_case c = plain(r, i);
        const int step = c.n > 40 && !r->all ? 2 : 1;
        for (int kind = EIGEN_RANDOM; kind < EIGEN_KINDS; kind += step) {
            c.kind = (eigen_kind)kind;
            if (kind == EIGEN_RANDOM)
                check_ways(r, &c, "");
            else
                eigen_check(r, &c, "");
        }
        if (eigen_problem_of(r) != EIGEN_GENERAL && eigen_problem_of(r) != EIGEN_FORM && c.n <= 40)
            far_from_one(r, c);
    }
}

static bool all_nan(const guarded *v, gbl_dtype dtype, int64_t i)
{
    const number a = number_got(dtype, v, i);
    return a.re != a.re && (!gbl_dtype_complex(dtype) || a.im != a.im);
}

/* A NaN or an infinity: info says so, outputs are NaN, nothing runs on. */
static void not_finite(routine *r)
{
    for (int i = 0; i < size_count(r) && eigen_problem_of(r) != EIGEN_FORM; i++)
        for (int how = 0; how < 4; how++) {
            eigen_case c = plain(r, i);
            eigen_operands o;
            if (c.n > 40 || (c.n == 1 && how >= 2))
                continue;
            eigen_begin(r, &c, how % 2 == 0 ? "NaN" : "Inf");
            if (how >= 2)
                c.job = GABLE_NO_VECTORS;
            if (!eigen_build(r, &o, &c)) {
                eigen_destroy(&o);
                continue;
            }
            const number bad = {how % 2 == 0 ? NAN : INFINITY, 0};
            const int64_t row = c.uplo == GABLE_LOWER ? c.n - 1 : 0, column = c.n - 1 - row;
            if (eigen_is_tridiagonal(r) && how >= 2)
                number_put(eigen_real_of(r), &o.e.v, 0, bad);
            else if (eigen_is_tridiagonal(r))
                number_put(eigen_real_of(r), &o.w.v, c.n / 2, bad);
            else
                number_put(r->dtype, &o.A.v, row + column * o.A.ld, bad);
            if (eigen_send(&o) && eigen_ran(r, &o, &c) && eigen_fetch(r, &o, &c)) {
                const bool vectors = eigen_with_vectors(&c) && eigen_has(r, "jobz");
                const dense *Z = eigen_needs_z(r) ? &o.Z : &o.A;
                CHECK(o.outcome == -eigen_form_of(r)->number, "info is %lld instead of %d",
                      (long long)o.outcome, -eigen_form_of(r)->number);
                for (int64_t k = 0; k < c.n; k++) {
                    CHECK(all_nan(&o.w.v, eigen_real_of(r), k), "w(%lld) is not NaN", (long long)k);
                    for (int64_t j = 0; vectors && j < c.n; j++)
                        CHECK(all_nan(&Z->v, r->dtype, k + j * Z->ld), "Z(%lld, %lld) is not NaN",
                              (long long)k, (long long)j);
                }
                eigen_untouched(&o, &c, vectors);
            }
            eigen_destroy(&o);
        }
}

/* B is not positive definite from some row on. */
static void not_definite(routine *r)
{
    eigen_case c = plain(r, routine_slow_compiler(r) ? 1 : 5);
    const int64_t at = c.n / 2;
    eigen_operands o;
    eigen_begin(r, &c, "B is not definite");
    if (eigen_build(r, &o, &c)) {
        number_put(r->dtype, &o.B.v, at + at * o.B.ld, (number){-1, 0});
        if (eigen_send(&o) && eigen_ran(r, &o, &c) && eigen_fetch(r, &o, &c))
            CHECK(o.outcome == c.n + at + 1, "info is %lld instead of %lld", (long long)o.outcome,
                  (long long)(c.n + at + 1));
    }
    eigen_destroy(&o);
}

/* Columns whose offsets pass 2^31. */
static void far_apart(routine *r)
{
    eigen_case c = plain(r, 0);
    c.n = FAR_COLUMNS;
    c.far = true;
    c.on_device = false;
    eigen_check(r, &c, "far apart");
    c.uplo = GABLE_UPPER;
    eigen_check(r, &c, "far apart");
}

void eigen_edges(routine *r)
{
    const eigen_case c = {
        .n = 0, .uplo = GABLE_LOWER, .job = GABLE_NO_VECTORS, .itype = 1, .range = GABLE_RANGE_ALL};
    int64_t info = 7, found = 7;
    const eigen_call nothing = {.itype = 1,
                                .jobz = GABLE_NO_VECTORS,
                                .range = GABLE_RANGE_ALL,
                                .uplo = GABLE_UPPER,
                                .lda = 1,
                                .ldb = 1,
                                .ldz = 1,
                                .m = &found,
                                .info = &info};
    if (left_out(r))
        return;
    eigen_begin(r, &c, "nothing to do");
    CHECK_OK(r->ctx, eigen_form_of(r)->run(r->ctx, &nothing));
    CHECK(info == 0 || !eigen_has(r, "info"), "info is %lld", (long long)info);
    CHECK(found == 0 || !eigen_has(r, "m"), "m is %lld", (long long)found);
    not_finite(r);
    if (eigen_problem_of(r) == EIGEN_GENERAL)
        not_definite(r);
    if (!routine_slow_compiler(r) && eigen_problem_of(r) != EIGEN_VALUES)
        far_apart(r);
}

void eigen_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS && !left_out(r); w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            eigen_case c = plain(r, i);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.n < 50)
                eigen_check(r, &c, "");
        }
}

/* ---- Arguments ---- */

static void refused(routine *r, const eigen_call *call, const char *argument, const char *value)
{
    char text[64];
    const char *name = strcmp(argument, "jobz") == 0 && !eigen_has(r, "jobz") ? "compz"
                       : strcmp(argument, "w") == 0 && !eigen_has(r, "w")     ? "d"
                                                                              : argument;
    const int position = routine_argument(eigen_form_of(r)->arguments, name);
    if (position == 0)
        return;
    snprintf(text, sizeof text, "argument %d (%s)", position, name);
    CHECK_REFUSED(r->ctx, eigen_form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT,
                  eigen_form_of(r)->name, text, value);
}

void eigen_arguments(routine *r)
{
    eigen_case c = {.uplo = GABLE_LOWER,
                    .n = 5,
                    .job = GABLE_VECTORS,
                    .itype = 1,
                    .range = GABLE_RANGE_ALL,
                    .kind = EIGEN_EXACT};
    eigen_operands o;
    eigen_begin(r, &c, "illegal arguments");
    if (eigen_build(r, &o, &c)) {
        const eigen_call good = eigen_call_of(&o, &c);
        CHECK_STATUS(NULL, eigen_form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED_WITH(argument, value, text, ...)                                                   \
    do {                                                                                           \
        eigen_call bad = good;                                                                     \
        __VA_ARGS__;                                                                               \
        bad.argument = value;                                                                      \
        refused(r, &bad, #argument, text);                                                         \
    } while (0)
#define REFUSED(argument, value, text) REFUSED_WITH(argument, value, text, (void)0)
        REFUSED(itype, 0, "0");
        REFUSED(itype, 4, "4");
        REFUSED(jobz, (gable_job)7, "7");
        REFUSED(jobz, GABLE_OVERWRITE, "306");
        REFUSED(range, (gable_range)310, "310");
        REFUSED(uplo, (gable_uplo)7, "7");
        REFUSED(uplo, GABLE_GENERAL, "124");
        REFUSED(n, -1, "-1");
        REFUSED(A, NULL, "NULL");
        REFUSED(lda, 4, "4");
        REFUSED(B, NULL, "NULL");
        REFUSED(ldb, 4, "4");
        REFUSED_WITH(vu, 1, "1", bad.range = GABLE_RANGE_VALUES; bad.vl = 1);
        REFUSED_WITH(vu, NAN, "nan", bad.range = GABLE_RANGE_VALUES; bad.vl = 1);
        REFUSED_WITH(il, 0, "0", bad.range = GABLE_RANGE_INDICES; bad.iu = 2);
        REFUSED_WITH(il, 6, "6", bad.range = GABLE_RANGE_INDICES; bad.iu = 6);
        REFUSED_WITH(iu, 1, "1", bad.range = GABLE_RANGE_INDICES; bad.il = 2);
        REFUSED_WITH(iu, 6, "6", bad.range = GABLE_RANGE_INDICES; bad.il = 2);
        REFUSED(w, NULL, "NULL");
        REFUSED(e, NULL, "NULL");
        REFUSED(Z, NULL, "NULL");
        REFUSED(ldz, 4, "4");
        REFUSED(m, NULL, "NULL");
        REFUSED(ifail, NULL, "NULL");
        REFUSED(info, NULL, "NULL");
#undef REFUSED
#undef REFUSED_WITH
        if (eigen_fetch(r, &o, &c)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.B.v, "B");
            guarded_same(&o.w.v, "w");
            guarded_same(&o.e.v, "e");
            guarded_same(&o.Z.v, "Z");
        }
    }
    eigen_destroy(&o);
    if (routine_slow_compiler(r))
        c = plain(r, 0);
    eigen_check(r, &c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

static bool same_results(const eigen_operands *a, const eigen_operands *b)
{
    return same_bytes(&a->A, &b->A) && same_bytes(&a->B, &b->B) && same_bytes(&a->w, &b->w) &&
           same_bytes(&a->Z, &b->Z);
}

/* Twice; and recorded, unless the stage waits for the host, which it says. */
void eigen_repeat(routine *r)
{
    for (int i = routine_slow_compiler(r) ? 1 : 2; !left_out(r) && i < size_count(r); i += 2) {
        eigen_case c = plain(r, i);
        eigen_operands first, second;
        gable_recording *recording = NULL;
        c.on_device = true;
        eigen_begin(r, &c, "again and recorded");
        memset(&second, 0, sizeof second);
        if (eigen_build(r, &first, &c) && eigen_ran(r, &first, &c) && eigen_fetch(r, &first, &c) &&
            eigen_build(r, &second, &c)) {
            CHECK_OK(r->ctx, eigen_enqueue(r, &second, &c));
            if (eigen_fetch(r, &second, &c))
                CHECK(same_results(&first, &second), "the same call gave other bits");
            eigen_destroy(&second);
            memset(&second, 0, sizeof second);
            if (eigen_build(r, &second, &c)) {
                CHECK_OK(r->ctx, gable_record_begin(r->ctx));
                const gable_status status = eigen_enqueue(r, &second, &c);
                if (status == GABLE_NOT_RECORDABLE)
                    CHECK(!r->device->props.is_host &&
                              strstr(gable_message(r->ctx), "host_stage") != NULL,
                          "it cannot be recorded: %s", gable_message(r->ctx));
                else
                    CHECK_OK(r->ctx, status);
                CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
                if (status == GABLE_OK && recording != NULL && eigen_send(&second) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                    eigen_fetch(r, &second, &c))
                    CHECK(same_results(&first, &second), "the replay gave other bits");
                gable_recording_destroy(recording);
            }
        }
        eigen_destroy(&first);
        eigen_destroy(&second);
    }
}

const void *eigen_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[16]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .uplo = GABLE_LOWER,
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .B = memory + 2,
                              .ldb = 208,
                              .d = memory + 4,
                              .e = memory + 6,
                              .C = memory + 8,
                              .ldc = 208,
                              .info = (int64_t *)(void *)(memory + 10),
                              .found = (int64_t *)(void *)(memory + 12),
                              .ipiv = (int64_t *)(void *)(memory + 14)};
    if (eigen_problem_of(r) == EIGEN_FORM || eigen_problem_of(r) == EIGEN_GENERAL)
        call.k = 1;
    if (eigen_problem_of(r) != EIGEN_FORM && eigen_problem_of(r) != EIGEN_VALUES)
        call.job =
            eigen_problem_of(r) == EIGEN_TRIDIAGONAL ? GABLE_IDENTITY_VECTORS : GABLE_VECTORS;
    if (eigen_problem_of(r) == EIGEN_SOME)
        call.range = GABLE_RANGE_ALL;
    return &call;
}
