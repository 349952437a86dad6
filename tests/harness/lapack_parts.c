/* lapack_parts.c: the six parts of routines that solve with a triangle or a definite matrix, or
 * invert it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/lapack_parts.h"

typedef struct lapack_case {
    gable_uplo uplo;
    gable_trans trans;
    gable_diag diag;
    int64_t n, nrhs;
    dense_place place;
    bool exact, on_host;
    int64_t zero; /* the diagonal element that is 0, or -1 */
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} lapack_case;

typedef struct operands {
    dense A, B;
    result_place info;
    number *triangle; /* the n by n triangle, zeros beside it, ones on a unit diagonal */
    number *given;    /* what is stored: the triangle, or the definite matrix of posv */
    number *right;    /* B */
} operands;

static const lapack_form *form_of(const routine *r)
{
    return r->parts->forms;
}

static bool has(const routine *r, const char *argument)
{
    return routine_argument(form_of(r)->arguments, argument) != 0;
}

static void begin(routine *r, const lapack_case *c, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s uplo=%c trans=%d diag=%d n=%lld nrhs=%lld gap=%lld "
              "offset=%d zero=%lld fence=%d seed=%llu %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              c->uplo == GABLE_UPPER ? 'U' : 'L', (int)c->trans, (int)c->diag, (long long)c->n,
              (long long)c->nrhs, (long long)c->place.gap, c->place.offset, (long long)c->zero,
              (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- A case ---- */

/* Well-conditioned, or exact: see lapack_parts.h. */
static void make_triangle(gbl_dtype dtype, const lapack_case *c, number *A)
{
    const int64_t n = c->n;
    const double divisor = c->n > 4 ? (double)c->n / 4 : 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            number a = {0, 0};
            if (i == j) {
                const double d = c->exact ? (double)(1 << (data_bits(c->seed, (uint64_t)j) % 3))
                                          : 1 + fabs(data_single(c->seed, (uint64_t)j));
                a.re = c->diag == GABLE_UNIT ? 1 : j == c->zero ? 0 : d;
            } else if (lapack_in(c->uplo, i, j) && (!c->exact || (j % 2 == 0 && i % 2 == 1))) {
                a = c->exact ? number_integer(dtype, c->seed, i + j * n, 2)
                             : number_random(dtype, c->seed, i + j * n);
                if (!c->exact)
                    a = number_of(dtype, a.re / divisor, a.im / divisor);
            }
            A[i + j * n] = a;
        }
}

static void make_numbers(routine *r, operands *o, const lapack_case *c)
{
    const lapack_kind kind = form_of(r)->kind;
    const int64_t n = c->n;
    make_triangle(r->dtype, c, o->triangle);
    if (kind == LAPACK_POSV) {
        lapack_square(c->uplo, false, c->n, o->triangle, o->given);
        for (int64_t i = 0; i < n * n; i++)
            o->given[i] = number_of(r->dtype, o->given[i].re, o->given[i].im);
        if (c->zero >= 0)
            o->given[c->zero + c->zero * n] = (number){-1, 0};
    } else {
        memcpy(o->given, o->triangle, (size_t)(n * n) * sizeof *o->given);
    }
    if (!has(r, "B"))
        return;
    number *solution = lapack_matrix(n, c->nrhs), *other = lapack_matrix(n, c->nrhs);
    for (int64_t i = 0; i < n * c->nrhs && solution != NULL; i++)
        solution[i] = c->exact ? number_integer(r->dtype, c->seed + 5, i, 3)
                               : number_random(r->dtype, c->seed + 5, i);
    if (solution != NULL && other != NULL) {
        const bool upper = c->uplo == GABLE_UPPER;
        if (kind == LAPACK_TRTRS) {
            lapack_multiply(c->trans, n, c->nrhs, o->triangle, solution, o->right);
        } else {
            lapack_multiply(upper ? GABLE_NO_TRANS : GABLE_CONJ_TRANS, n, c->nrhs, o->triangle,
                            solution, other);
            lapack_multiply(upper ? GABLE_CONJ_TRANS : GABLE_NO_TRANS, n, c->nrhs, o->triangle,
                            other, o->right);
        }
        for (int64_t i = 0; i < n * c->nrhs; i++)
            o->right[i] = number_of(r->dtype, o->right[i].re, o->right[i].im);
    }
    free(solution);
    free(other);
}

static bool build(routine *r, operands *o, const lapack_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype);
    memset(o, 0, sizeof *o);
    o->triangle = lapack_matrix(c->n, c->n);
    o->given = lapack_matrix(c->n, c->n);
    o->right = lapack_matrix(c->n, c->nrhs);
    if (o->triangle == NULL || o->given == NULL || o->right == NULL ||
        !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host) ||
        !dense_make(&o->A, r->ctx, c->n, c->n, c->place, elem, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->B, r->ctx, c->n, has(r, "B") ? c->nrhs : 0, c->place, elem, NULL, 0,
                    c->fill, c->fence))
        return false;
    make_numbers(r, o, c);
    lapack_put(r->dtype, &o->A, c->uplo, o->given, 0);
    if (c->diag == GABLE_UNIT) /* as it was filled, which is not read */
        for (int64_t j = 0; j < c->n; j++)
            memset(guarded_element(&o->A.v, j + j * o->A.ld), 0xff, elem);
    lapack_put(r->dtype, &o->B, GABLE_GENERAL, o->right, 0);
    return guarded_send(&o->A.v) && guarded_send(&o->B.v);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
    free(o->triangle);
    free(o->given);
    free(o->right);
}

static lapack_call call_of(const operands *o, const lapack_case *c)
{
    return (lapack_call){.uplo = c->uplo,
                         .trans = c->trans,
                         .diag = c->diag,
                         .n = c->n,
                         .nrhs = c->nrhs,
                         .A = o->A.v.at,
                         .lda = o->A.ld,
                         .B = o->B.v.at,
                         .ldb = o->B.ld,
                         .info = o->info.at};
}

static gbl_product_call product_of(const routine *r, const lapack_call *call)
{
    const bool sides = has(r, "nrhs");
    return (gbl_product_call){.dtype = r->dtype,
                              .uplo = call->uplo,
                              .trans = call->trans,
                              .diag = call->diag,
                              .m = call->n,
                              .n = sides ? call->nrhs : call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .B = call->B,
                              .ldb = call->ldb,
                              .info = call->info};
}

static int64_t wanted_info(const lapack_case *c)
{
    return c->zero >= 0 && c->diag != GABLE_UNIT ? c->zero + 1 : 0;
}

static void check_info(routine *r, operands *o, const lapack_case *c)
{
    int64_t info = -7;
    if (!has(r, "info")) {
        result_untouched(&o->info);
        return;
    }
    if (result_take(&o->info, &info))
        CHECK(info == wanted_info(c), "info is %lld instead of %lld", (long long)info,
              (long long)wanted_info(c));
}

static bool run(routine *r, operands *o, const lapack_case *c)
{
    const lapack_call call = call_of(o, c);
    const gbl_product_call product = product_of(r, &call);
    const bool empty = c->n == 0 || (c->nrhs == 0 && form_of(r)->kind == LAPACK_POTRS);
    const bool ran = routine_ran(r, form_of(r)->run(r->ctx, &call), empty ? NULL : &product);
    if (!ran)
        return false;
    check_info(r, o, c);
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->B.v);
}

/* ---- What came out ---- */

/* An error over its bound; of exact cases the error must be 0. */
static void judge_within(routine *r, const lapack_case *c, double error, double bound, double limit)
{
    routine_error(r, error, c->exact ? 0 : bound * number_roundoff(r->dtype), limit);
}

static void judge(routine *r, const lapack_case *c, double error, double bound)
{
    judge_within(r, c, error, bound, LAPACK_LIMIT);
}

/* norm(B - A X) / (norm(A) norm(X) u), column by column, as LAPACK's own tests have it. */
static void compare_solution(routine *r, operands *o, const lapack_case *c)
{
    const int64_t n = c->n;
    const lapack_kind kind = form_of(r)->kind;
    number *A = lapack_matrix(n, n), *X = lapack_matrix(n, c->nrhs), *R = lapack_matrix(n, c->nrhs);
    if (A != NULL && X != NULL && R != NULL) {
        memcpy(A, o->given, (size_t)(n * n) * sizeof *A);
        if (kind == LAPACK_POTRS)
            lapack_square(c->uplo, false, c->n, o->triangle, A);
        lapack_get(r->dtype, &o->B, GABLE_GENERAL, X, 0);
        lapack_multiply(kind == LAPACK_TRTRS ? c->trans : GABLE_NO_TRANS, n, c->nrhs, A, X, R);
        const double norm = lapack_norm1(n, n, A);
        for (int64_t j = 0; j < c->nrhs; j++)
            judge_within(r, c, lapack_difference(n, 1, R + j * n, o->right + j * n),
                         norm * lapack_norm1(n, 1, X + j * n), LAPACK_SOLVE_LIMIT);
    }
    free(A);
    free(X);
    free(R);
}

/* norm(A X - I) / (n norm(A) norm(X) u), or of lauum the product itself. */
static void compare_triangle(routine *r, operands *o, const lapack_case *c)
{
    const int64_t n = c->n;
    const lapack_kind kind = form_of(r)->kind;
    number *A = lapack_matrix(n, n), *X = lapack_matrix(n, n), *R = lapack_matrix(n, n);
    if (A != NULL && X != NULL && R != NULL) {
        lapack_get(r->dtype, &o->A, c->uplo, X, 0);
        if (kind != LAPACK_TRTRI)
            lapack_complete(c->uplo, n, X);
        for (int64_t i = 0; i < n; i++)
            if (c->diag == GABLE_UNIT)
                X[i + i * n] = (number){1, 0};
            else
                CHECK(kind == LAPACK_TRTRI || X[i + i * n].im == 0,
                      "element %lld of the diagonal is not real", (long long)i);
        if (kind == LAPACK_LAUUM) {
            lapack_square(c->uplo, true, c->n, o->triangle, R);
            const double norm = lapack_norm1(n, n, o->triangle);
            judge(r, c, lapack_difference(n, n, R, X), (double)n * norm * norm);
        } else {
            if (kind == LAPACK_POTRI)
                lapack_square(c->uplo, false, c->n, o->triangle, A);
            else
                memcpy(A, o->triangle, (size_t)(n * n) * sizeof *A);
            lapack_multiply(GABLE_NO_TRANS, n, n, A, X, R);
            for (int64_t i = 0; i < n; i++)
                R[i + i * n].re -= 1;
            judge(r, c, lapack_norm1(n, n, R),
                  (double)n * lapack_norm1(n, n, A) * lapack_norm1(n, n, X));
        }
    }
    free(A);
    free(X);
    free(R);
}

static void check_unit_diagonal(operands *o, const lapack_case *c)
{
    for (int64_t j = 0; c->diag == GABLE_UNIT && j < c->n; j++)
        CHECK(memcmp(guarded_element(&o->A.v, j + j * o->A.ld),
                     guarded_result(&o->A.v, j + j * o->A.ld), o->A.v.elem_bytes) == 0,
              "element %lld of the unit diagonal was written", (long long)j);
}

static void compare(routine *r, operands *o, const lapack_case *c)
{
    if (wanted_info(c) == 0 && has(r, "B"))
        compare_solution(r, o, c);
    else if (wanted_info(c) == 0)
        compare_triangle(r, o, c);
    lapack_untouched(&o->A, c->uplo, "A");
    dense_gaps(&o->B, "B");
    check_unit_diagonal(o, c);
    if (form_of(r)->kind == LAPACK_POTRS || form_of(r)->kind == LAPACK_TRTRS)
        guarded_same(&o->A.v, "A");
}

static void check(routine *r, const lapack_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

static const int64_t sizes[] = {1, 2, 5, 17, 33, 64, 65, 127, 128, 129, 150, 257};
static const int64_t few_sizes[] = {66, 131};

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? (int)(sizeof few_sizes / sizeof few_sizes[0])
                                    : (int)(sizeof sizes / sizeof sizes[0]);
}

/* Sets of flags; where kernels compile slowly one for each precision. */
static int set_count(const routine *r)
{
    return routine_slow_compiler(r) ? 1 : (has(r, "trans") ? 6 : 2) * (has(r, "diag") ? 2 : 1);
}

static lapack_case plain(const routine *r, int set, int i)
{
    static const gable_trans turns[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    static const int64_t gaps[] = {0, 1, 3, 2, 16}, sides[] = {1, 2, 7, 33};
    const bool slow = routine_slow_compiler(r);
    if (slow)
        set = (int)r->dtype * 3 + 1;
    const int turn = has(r, "trans") ? set / 2 % 3 : 0;
    const int unit = has(r, "diag") ? set / (has(r, "trans") ? 6 : 2) % 2 : 0;
    return (lapack_case){
        .uplo = set % 2 == 0 ? GABLE_LOWER : GABLE_UPPER,
        .trans = turns[turn],
        .diag = unit ? GABLE_UNIT : GABLE_NON_UNIT,
        .n = slow ? few_sizes[i] : sizes[i],
        .nrhs = slow ? 7 : sides[(i + set) % 4],
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .zero = -1,
        .seed = 40 + (uint64_t)i,
        .on_host = i % 2 == 0};
}

static void over_sizes(routine *r, bool exact)
{
    for (int set = 0; set < set_count(r); set++)
        for (int i = 0; i < size_count(r); i++) {
            lapack_case c = plain(r, set, i);
            c.exact = exact;
            if (r->all || c.n < 200 || set < 2)
                check(r, &c, "");
        }
}

void lapack_exact(routine *r)
{
    over_sizes(r, true);
}

void lapack_residual(routine *r)
{
    over_sizes(r, false);
}

/* ---- Edges ---- */

static void far_apart(routine *r)
{
    const bool host = r->device->props.is_host;
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t elem = gbl_dtype_bytes(r->dtype), bytes = (size_t)(2 * ld + 3) * elem;
    lapack_case c = plain(r, 0, 0);
    operands o;
    if (!routine_far(r, bytes))
        return;
    c.n = 3;
    c.exact = true;
    begin(r, &c, "far apart");
    char *memory = far_reserve(r->ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &c)) {
        lapack_call call = call_of(&o, &c);
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, elem, guarded_element(&o.A.v, j * o.A.ld),
                                              1, memory + (size_t)(j * ld) * elem, 1));
        call.A = memory;
        call.lda = ld;
        CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &call));
        check_info(r, &o, &c);
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.B.v)) {
            for (int64_t j = 0; j < 3; j++)
                CHECK_OK(r->ctx,
                         gable_get_vector(r->ctx, 3, elem, memory + (size_t)(j * ld) * elem, 1,
                                          o.A.v.got + guarded_place(&o.A.v, j * o.A.ld), 1));
            compare(r, &o, &c);
        }
    }
    destroy(&o);
    far_release(r->ctx, host, memory, bytes);
}

/* n = 0: info is 0 and no address is looked at. nrhs = 0: A is factored, or looked at. */
static void nothing(routine *r)
{
    lapack_case c = plain(r, 0, 0);
    operands o;
    c.exact = true;
    begin(r, &c, "nothing to do");
    if (build(r, &o, &c)) {
        const lapack_call call = {.uplo = c.uplo,
                                  .trans = c.trans,
                                  .diag = c.diag,
                                  .n = 0,
                                  .nrhs = 3,
                                  .lda = 1,
                                  .ldb = 1,
                                  .info = o.info.at};
        CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &call));
        check_info(r, &o, &c);
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.B.v)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.B.v, "B");
        }
    }
    destroy(&o);
    c.n = 70;
    c.nrhs = 0;
    check(r, &c, "no right-hand sides");
}

/* The first zero, or the first pivot that is not positive. NaN in A hangs nothing. */
static void singular(routine *r, int set)
{
    static const int64_t at[] = {0, 1, 40, 64, 65};
    for (size_t i = 0; has(r, "info") && i < sizeof at / sizeof at[0]; i++) {
        lapack_case c = plain(r, set, 0);
        c.n = 66;
        c.zero = at[i];
        check(r, &c, "singular");
    }
    lapack_case c = plain(r, set, 0);
    operands o;
    c.n = 66;
    begin(r, &c, "NaN");
    if (build(r, &o, &c)) {
        lapack_call call = call_of(&o, &c);
        number_put(r->dtype, &o.A.v, 1 + o.A.ld, (number){NAN, NAN});
        CHECK_OK(r->ctx, guarded_send(&o.A.v) ? form_of(r)->run(r->ctx, &call) : GABLE_OK);
        CHECK_OK(r->ctx, gable_sync(r->ctx));
        if (guarded_fetch(&o.A.v))
            lapack_untouched(&o.A, c.uplo, "A");
    }
    destroy(&o);
}

void lapack_edges(routine *r)
{
    nothing(r);
    for (int set = 0; set < set_count(r); set++)
        singular(r, set);
    far_apart(r);
}

/* ---- Guards, arguments, repeat ---- */

void lapack_guards(routine *r)
{
    for (int set = 0; set < set_count(r); set++)
        for (int w = 0; w < GUARDED_WAYS; w++)
            for (int i = w % 3; i < size_count(r); i += 3) {
                lapack_case c = plain(r, set, i);
                c.fill = guarded_ways[w].fill;
                c.fence = guarded_ways[w].fence;
                if (c.fence != LOOSE)
                    c.place.offset = 0;
                if (c.n < 130)
                    check(r, &c, "");
            }
}

static void refused(routine *r, const lapack_call *call, const char *argument, const char *value)
{
    char text[64];
    const int position = routine_argument(form_of(r)->arguments, argument);
    if (position == 0)
        return;
    snprintf(text, sizeof text, "argument %d (%s)", position, argument);
    CHECK_REFUSED(r->ctx, form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT, form_of(r)->name, text,
                  value);
}

void lapack_arguments(routine *r)
{
    lapack_case c = plain(r, 0, 0);
    operands o;
    c.n = routine_slow_compiler(r) ? 66 : 5;
    c.nrhs = 4;
    c.on_host = c.exact = true;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        const lapack_call good = call_of(&o, &c);
        CHECK_STATUS(NULL, form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(argument, value, text)                                                             \
    do {                                                                                           \
        lapack_call bad = good;                                                                    \
        bad.argument = value;                                                                      \
        refused(r, &bad, #argument, text);                                                         \
    } while (0)
        REFUSED(uplo, (gable_uplo)7, "7");
        REFUSED(uplo, GABLE_GENERAL, "124");
        REFUSED(trans, (gable_trans)9, "9");
        REFUSED(diag, (gable_diag)8, "8");
        REFUSED(n, -1, "-1");
        REFUSED(nrhs, -2, "-2");
        REFUSED(A, NULL, "NULL");
        REFUSED(lda, 4, "4");
        REFUSED(B, NULL, "NULL");
        REFUSED(ldb, 3, "3");
        REFUSED(info, NULL, "NULL");
#undef REFUSED
        result_untouched(&o.info);
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.B.v)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.B.v, "B");
        }
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

/* Alone with info on the host, and recorded with info on the device. */
static void same_bits(routine *r, lapack_case c)
{
    operands first, second;
    gable_recording *recording = NULL;
    memset(&second, 0, sizeof second);
    begin(r, &c, "recorded");
    c.on_host = true;
    if (build(r, &first, &c) && run(r, &first, &c)) {
        c.on_host = false;
        if (build(r, &second, &c)) {
            const lapack_call call = call_of(&second, &c);
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &call));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            if (recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                guarded_fetch(&second.A.v) && guarded_fetch(&second.B.v)) {
                CHECK(memcmp(first.A.v.got, second.A.v.got, first.A.v.bytes) == 0,
                      "the replay gave other bits of A");
                CHECK(memcmp(first.B.v.got, second.B.v.got, first.B.v.bytes) == 0,
                      "the replay gave other bits of B");
            }
            check_info(r, &second, &c);
            gable_recording_destroy(recording);
        }
    }
    destroy(&first);
    destroy(&second);
}

void lapack_repeat(routine *r)
{
    for (int set = 0; set < set_count(r); set++)
        for (int i = 0; i < size_count(r); i += 4)
            same_bits(r, plain(r, set, i));
}

const void *lapack_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[6]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 2)
        return NULL;
    const lapack_call made = {.uplo = i == 0 ? GABLE_LOWER : GABLE_UPPER,
                              .trans = GABLE_NO_TRANS,
                              .diag = GABLE_NON_UNIT,
                              .n = 200,
                              .nrhs = 30,
                              .A = memory,
                              .lda = 208,
                              .B = memory + 2,
                              .ldb = 208,
                              .info = (int64_t *)(void *)(memory + 4)};
    call = product_of(r, &made);
    return &call;
}
