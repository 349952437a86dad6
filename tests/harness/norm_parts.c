/* norm_parts.c: the six parts of norms of matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/norm_parts.h"

typedef struct norm_case {
    const norm_form *form;
    gable_norm norm;
    gable_uplo uplo;
    gable_diag diag;
    int64_t m, n;
    dense_place place;
    bool exact, on_host;
    int scale; /* of the elements: a power of two */
    int turn;  /* not 0: half of the norms, others in the next turn */
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} norm_case;

typedef struct operands {
    dense A;
    result_place result;
    number *values; /* the m by n matrix whose norm it is, without the scale */
} operands;

static const gable_norm norms[] = {GABLE_MAX_NORM, GABLE_ONE_NORM, GABLE_INF_NORM,
                                   GABLE_FROBENIUS_NORM};

static void begin(routine *r, const norm_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s norm=%d uplo=%d diag=%d m=%lld n=%lld gap=%lld offset=%d "
              "scale=%d fence=%d seed=%llu result on %s %s",
              c->form->name, test_device(), r->choice, r->part, (int)c->norm, (int)c->uplo,
              (int)c->diag, (long long)c->m, (long long)c->n, (long long)c->place.gap,
              c->place.offset, c->scale, (int)c->fence, (unsigned long long)c->seed,
              c->on_host ? "host" : "device", more);
}

/* ---- A case ---- */

/* Complex ones have an integer modulus. */
static number exact_element(gbl_dtype dtype, uint64_t seed, int64_t i)
{
    static const number whole[] = {{3, 4}, {-4, 3}, {5, -12}, {0, -7}, {6, 0}, {0, 0}, {-8, -15}};
    const uint64_t which = (uint64_t)data_integer(seed, (uint64_t)i, 3) + 3;
    return gbl_dtype_complex(dtype) ? whole[which % 7] : number_integer(dtype, seed, i, 9);
}

static bool is_unit(const norm_case *c)
{
    return c->diag == GABLE_UNIT;
}

/* Whether an element is read. */
static bool counts(const norm_case *c, int64_t i, int64_t j)
{
    return lapack_in(c->uplo, i, j) && !(is_unit(c) && i == j);
}

/* An element, in memory and as it counts. */
static void put_element(const routine *r, operands *o, const norm_case *c, int64_t i, int64_t j)
{
    const int64_t at = i + j * c->m;
    const norm_kind kind = c->form->kind;
    number a = {NAN, NAN};
    if (counts(c, i, j)) {
        a = c->exact ? exact_element(r->dtype, c->seed, at) : number_random(r->dtype, c->seed, at);
        if (kind == NORM_HERMITIAN && i == j)
            a.im = 0;
        o->values[at] = a;
        if (kind == NORM_SYMMETRIC || kind == NORM_HERMITIAN)
            o->values[j + i * c->m] = a;
        if (kind == NORM_HERMITIAN && i == j)
            a.im = NAN;
    } else if (is_unit(c) && i == j) {
        o->values[at] = (number){1, 0};
    }
    number_put(r->dtype, &o->A.v, i + j * o->A.ld,
               (number){ldexp(a.re, c->scale), ldexp(a.im, c->scale)});
}

static bool build(routine *r, operands *o, const norm_case *c)
{
    memset(o, 0, sizeof *o);
    if (!dense_make(&o->A, r->ctx, c->m, c->n, c->place, gbl_dtype_bytes(r->dtype), NULL, 0,
                    c->fill, c->fence) ||
        !result_make(&o->result, r->ctx, gbl_dtype_real_bytes(r->dtype), c->on_host))
        return false;
    o->values = lapack_matrix(c->m, c->n);
    for (int64_t j = 0; o->values != NULL && j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++)
            put_element(r, o, c, i, j);
    return o->values != NULL && guarded_send(&o->A.v);
}

static norm_call call_of(const operands *o, const norm_case *c)
{
    return (norm_call){.norm = c->norm,
                       .uplo = c->uplo,
                       .diag = c->diag,
                       .m = c->m,
                       .n = c->n,
                       .A = o->A.v.at,
                       .lda = o->A.ld,
                       .result = o->result.at};
}

static gbl_product_call product_of(const routine *r, const norm_form *form, const norm_call *c)
{
    return (gbl_product_call){.dtype = r->dtype,
                              .norm = c->norm,
                              .uplo = form->kind == NORM_GENERAL ? 0 : c->uplo,
                              .diag = form->kind == NORM_TRIANGULAR ? c->diag : 0,
                              .conj = form->kind == NORM_HERMITIAN,
                              .m = c->m,
                              .n = c->n,
                              .A = (void *)(uintptr_t)c->A,
                              .lda = c->lda,
                              .C = c->result};
}

/* Runs, takes the result and looks at what is around it and A; false: it did not run. */
static bool run(routine *r, operands *o, const norm_case *c, double *value)
{
    const norm_call call = call_of(o, c);
    const gbl_product_call product = product_of(r, c->form, &call);
    double bytes = 0;
    if (!routine_ran(r, c->form->run(r->ctx, &call), &product))
        return false;
    const bool took =
        result_take(&o->result, &bytes) && guarded_fetch(&o->A.v) && guarded_same(&o->A.v, "A");
    float narrow;
    memcpy(&narrow, &bytes, sizeof narrow);
    *value = gbl_dtype_real_bytes(r->dtype) == 4 ? (double)narrow : bytes;
    return took;
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    guarded_destroy(&o->result.device);
    free(o->values);
}

/* ---- The reference ---- */

static double line_sum(const norm_case *c, const number *values, bool column, int64_t line)
{
    wide sum = {0, 0};
    for (int64_t k = 0; k < (column ? c->m : c->n); k++)
        sum = wide_gather(sum, 1, number_size(values[column ? k + line * c->m : line + k * c->m]));
    return sum.high + sum.low;
}

/* Without the scale. */
static double reference(const norm_case *c, const number *values)
{
    const bool lines = c->norm == GABLE_ONE_NORM || c->norm == GABLE_INF_NORM,
               column = c->norm == GABLE_ONE_NORM;
    wide squares = {0, 0};
    double most = 0;
    for (int64_t k = 0; lines && k < (column ? c->n : c->m); k++)
        most = fmax(most, line_sum(c, values, column, k));
    for (int64_t i = 0; !lines && i < c->m * c->n; i++) {
        const number a = values[i];
        if (c->norm == GABLE_MAX_NORM)
            most = fmax(most, number_size(a));
        else
            squares = wide_gather(wide_gather(squares, a.re, a.re), a.im, a.im);
    }
    if (c->norm != GABLE_FROBENIUS_NORM)
        return most;
    const wide root = wide_root(squares);
    return root.high + root.low;
}

static double bound_of(const routine *r, const norm_case *c)
{
    const double u = number_roundoff(r->dtype), m = (double)c->m, n = (double)c->n;
    const bool complex = gbl_dtype_complex(r->dtype);
    switch (c->norm) {
    case GABLE_MAX_NORM:
        return complex ? 3 * u : 0;
    case GABLE_ONE_NORM:
        return (m + (complex ? 4 : 2)) * u;
    case GABLE_INF_NORM:
        return (n + (complex ? 4 : 2)) * u;
    default:
        return (m * n * (complex ? 1 : 0.5) + 3) * u;
    }
}

static void compare(routine *r, const operands *o, const norm_case *c, double value)
{
    const double want = reference(c, o->values), is = ldexp(value, -c->scale);
    const bool narrow = gbl_dtype_real_bytes(r->dtype) == 4;
    if (c->exact)
        CHECK(is == (narrow ? (double)(float)want : want), "the norm is %.17g, not %.17g", is,
              want);
    else
        routine_error(r, fabs(is - want), bound_of(r, c) * want, 1);
}

static void check(routine *r, const norm_case *c, const char *more)
{
    operands o;
    double value;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c, &value))
        compare(r, &o, c, value);
    destroy(&o);
}

/* ---- Which cases ---- */

/* Where kernels compile slowly s has all norms; the other precisions have two each. */
static bool has_norm(const routine *r, int which)
{
    static const bool few[GBL_DTYPES][4] = {[GBL_S] = {true, true, true, true},
                                            [GBL_D] = {true, false, true, false},
                                            [GBL_C] = {false, true, false, true},
                                            [GBL_Z] = {false, false, true, true}};
    return !routine_slow_compiler(r) || few[r->dtype][which];
}

/* With short columns kernels are others. */
static bool has_shape(const routine *r, const dense_shape *s)
{
    return !routine_slow_compiler(r) || s->m > 128;
}

typedef void (*case_function)(routine *r, const norm_case *c, const char *more);

/* A case in all forms, norms, triangles and diagonals. */
static void in_all_ways(routine *r, norm_case c, case_function function, const char *more)
{
    static const gable_uplo uplos[] = {GABLE_LOWER, GABLE_UPPER};
    for (int way = 0; way < 4 * r->parts->form_count; way++) {
        c.form = (const norm_form *)r->parts->forms + way / 4;
        const norm_kind kind = c.form->kind;
        c.uplo = kind == NORM_GENERAL ? GABLE_GENERAL : uplos[way % 2];
        c.diag = way % 4 < 2 ? GABLE_NON_UNIT : GABLE_UNIT;
        if ((kind == NORM_GENERAL && way % 4 > 0) || (kind != NORM_TRIANGULAR && way % 4 > 1))
            continue;
        norm_case now = c;
        if (kind == NORM_SYMMETRIC || kind == NORM_HERMITIAN)
            now.m = now.n = now.n < 300 ? now.n : 300;
        for (int i = 0; i < 4; i++) {
            now.norm = norms[i];
            now.on_host = (i + way + c.m) % 2 == 0;
            if (has_norm(r, i) && (c.scale == 0 || !is_unit(&c)) &&
                (r->all || c.turn == 0 || (c.turn + way + i) % 2 == 0))
                function(r, &now, more);
        }
    }
}

static void over_shapes(routine *r, norm_case c)
{
    int count;
    const dense_shape *shapes = c.exact ? dense_shapes(r, &count) : dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        c.m = shapes[i].m;
        c.n = shapes[i].n;
        c.place = shapes[i].at[0];
        c.seed = (uint64_t)i;
        c.fill = i % 2 == 0 ? FILL_PATTERN : FILL_NAN;
        if (has_shape(r, &shapes[i]))
            in_all_ways(r, c, check, "");
    }
}

void norm_exact(routine *r)
{
    over_shapes(r, (norm_case){.exact = true});
}

/* Random elements, also where their squares leave the range of numbers, but not the norm. */
void norm_residual(routine *r)
{
    const bool narrow = gbl_dtype_real_bytes(r->dtype) == 4;
    over_shapes(r, (norm_case){.exact = false});
    in_all_ways(r, (norm_case){.m = 300, .n = 201, .scale = narrow ? 111 : 1007, .seed = 90}, check,
                "large");
    in_all_ways(r, (norm_case){.m = 300, .n = 201, .scale = narrow ? -100 : -966, .seed = 91},
                check, "small");
    if (r->device->props.is_host) /* several slices */
        in_all_ways(r, (norm_case){.m = 600, .n = 601, .seed = 92}, check, "");
    if (r->device->props.is_host)
        in_all_ways(r, (norm_case){.m = 100000, .n = 3, .seed = 93}, check, "");
}

/* ---- Edges ---- */

static void nothing(routine *r, const norm_case *c, const char *more)
{
    const double before = -7;
    operands o;
    for (int which = 0; which < 2; which++) {
        double value = before;
        norm_case none = *c;
        none.m = which == 0 || c->form->kind == NORM_SYMMETRIC || c->form->kind == NORM_HERMITIAN
                     ? 0
                     : 4;
        none.n = which == 0 && none.m == 0 && c->form->kind != NORM_SYMMETRIC &&
                         c->form->kind != NORM_HERMITIAN
                     ? 4
                     : 0;
        begin(r, &none, more);
        if (build(r, &o, &none)) {
            norm_call call = call_of(&o, &none);
            call.A = NULL;
            CHECK_OK(r->ctx, c->form->run(r->ctx, &call));
            CHECK(result_take(&o.result, &value), "no result");
            float narrow;
            memcpy(&narrow, &value, sizeof narrow);
            CHECK(gbl_dtype_real_bytes(r->dtype) == 4 ? narrow == 0 : value == 0,
                  "the norm of nothing is %g", value);
        }
        destroy(&o);
    }
}

/* One element is NaN, infinite, or as small as can be while all others are 0. */
static void one_element(routine *r, const norm_case *c, const char *more)
{
    const bool narrow = gbl_dtype_real_bytes(r->dtype) == 4;
    const double odd[] = {NAN, INFINITY, -INFINITY, narrow ? 0x1p-149 : 0x1p-1074,
                          narrow ? -0x1.8p127 : 0x1.8p1023};
    for (int which = 0; which < 5; which++) {
        operands o;
        double value;
        norm_case now = *c;
        /* Somewhere in the part, not on a diagonal that is taken as ones. */
        const int64_t i = c->uplo == GABLE_UPPER ? 3 : c->m - 2,
                      j = c->uplo == GABLE_UPPER ? c->n - 2 : 3;
        if (c->diag == GABLE_UNIT)
            continue;
        begin(r, &now, more);
        if (build(r, &o, &now)) {
            for (int64_t k = 0; k < c->n; k++)
                for (int64_t l = 0; l < c->m; l++)
                    if (counts(c, l, k))
                        number_put(r->dtype, &o.A.v, l + k * o.A.ld, (number){0, 0});
            number_put(r->dtype, &o.A.v, i + j * o.A.ld,
                       which == 0 ? (number){1, NAN} : (number){odd[which], 0});
            if (which == 0 && !gbl_dtype_complex(r->dtype))
                number_put(r->dtype, &o.A.v, i + j * o.A.ld, (number){NAN, 0});
            /* A symmetric matrix has it twice. */
            const bool twice = now.norm == GABLE_FROBENIUS_NORM &&
                               (c->form->kind == NORM_SYMMETRIC || c->form->kind == NORM_HERMITIAN);
            const double want = fabs(odd[which]);
            if (guarded_send(&o.A.v) && run(r, &o, &now, &value)) {
                if (which == 0)
                    CHECK(value != value, "NaN became %g", value);
                else if (!twice)
                    CHECK(value == want, "the norm is %g, not %g", value, want);
                else if (which < 4) /* the root of 2 rounds a least number to itself */
                    CHECK(value == want, "the norm is %g, not %g", value, want);
                else
                    CHECK(value == INFINITY, "the norm is %g", value);
            }
        }
        destroy(&o);
    }
}

/* A NaN that is not the largest in its group, and behind larger ones. */
static void nan_among(routine *r, const norm_case *c, const char *more)
{
    operands o;
    double value;
    norm_case now = *c;
    const int64_t i = c->uplo == GABLE_UPPER ? 0 : c->m - 1,
                  j = c->uplo == GABLE_UPPER ? c->n - 1 : 0;
    begin(r, &now, more);
    if (build(r, &o, &now)) {
        number_put(r->dtype, &o.A.v, i + j * o.A.ld, (number){NAN, 1});
        if (guarded_send(&o.A.v) && run(r, &o, &now, &value))
            CHECK(value != value, "NaN became %g", value);
    }
    destroy(&o);
}

/* The last row and the last column have the largest sums: who loses one of their parts gives a
 * smaller norm. They are others in the upper triangle: the workspace may still have the sums of the
 * lower one. */
static void last_lines(routine *r, const norm_case *c, const char *more)
{
    const bool both = c->form->kind == NORM_SYMMETRIC || c->form->kind == NORM_HERMITIAN;
    operands o;
    double value;
    begin(r, c, more);
    if (build(r, &o, c)) {
        for (int64_t j = 0; j < c->n; j++)
            for (int64_t i = j == c->n - 1 ? 0 : c->m - 1; i < c->m; i++) {
                const number large = {c->uplo == GABLE_UPPER ? 150 : 100, 0};
                const double im = c->form->kind == NORM_HERMITIAN && i == j ? NAN : 0;
                if (!counts(c, i, j))
                    continue;
                number_put(r->dtype, &o.A.v, i + j * o.A.ld, (number){large.re, im});
                o.values[i + j * c->m] = large;
                if (both)
                    o.values[j + i * c->m] = large;
            }
        if (guarded_send(&o.A.v) && run(r, &o, c, &value))
            compare(r, &o, c, value);
    }
    destroy(&o);
}

static void far_apart(routine *r)
{
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t elem = gbl_dtype_bytes(r->dtype), bytes = (size_t)(2 * ld + 3) * elem;
    const bool host = r->device->props.is_host;
    norm_case c = {.form = r->parts->forms,
                   .norm = GABLE_INF_NORM,
                   .uplo = ((const norm_form *)r->parts->forms)->kind == NORM_GENERAL
                               ? GABLE_GENERAL
                               : GABLE_LOWER,
                   .diag = GABLE_NON_UNIT,
                   .m = 3,
                   .n = 3,
                   .exact = true,
                   .seed = 5};
    operands o;
    if (!routine_far(r, bytes))
        return;
    begin(r, &c, "far apart");
    char *memory = far_reserve(r->ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &c)) {
        norm_call call = call_of(&o, &c);
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, elem, guarded_element(&o.A.v, j * o.A.ld),
                                              1, memory + (size_t)(j * ld) * elem, 1));
        call.A = memory;
        call.lda = ld;
        CHECK_OK(r->ctx, c.form->run(r->ctx, &call));
        double value = 0;
        CHECK(result_take(&o.result, &value), "no result");
        float narrow;
        memcpy(&narrow, &value, sizeof narrow);
        compare(r, &o, &c, gbl_dtype_real_bytes(r->dtype) == 4 ? (double)narrow : value);
    }
    destroy(&o);
    far_release(r->ctx, host, memory, bytes);
}

void norm_edges(routine *r)
{
    in_all_ways(r, (norm_case){.m = 1, .n = 1}, nothing, "nothing");
    in_all_ways(r, (norm_case){.m = 150, .n = 140}, one_element, "one element");
    in_all_ways(r, (norm_case){.m = 300, .n = 270, .seed = 3}, nan_among, "NaN");
    in_all_ways(r, (norm_case){.m = 150, .n = 140, .exact = true, .seed = 4}, last_lines,
                "the last lines are largest");
    far_apart(r);
}

/* ---- Guards, arguments, repeat ---- */

void norm_guards(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++) {
            norm_case c = {.m = shapes[i].m,
                           .n = shapes[i].n,
                           .place = shapes[i].at[0],
                           .exact = true,
                           .turn = 1 + i + w,
                           .fill = guarded_ways[w].fill,
                           .fence = guarded_ways[w].fence};
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (has_shape(r, &shapes[i]))
                in_all_ways(r, c, check, "");
        }
}

static void refused(routine *r, const norm_form *form, const norm_call *call, const char *argument,
                    const char *value)
{
    char text[64];
    const int position = routine_argument(form->arguments, argument);
    if (position == 0)
        return;
    snprintf(text, sizeof text, "argument %d (%s)", position, argument);
    CHECK_REFUSED(r->ctx, form->run(r->ctx, call), GABLE_BAD_ARGUMENT, form->name, text, value);
}

static void arguments(routine *r, const norm_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c)) {
        const norm_call good = call_of(&o, c);
        CHECK_STATUS(NULL, c->form->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(argument, value, text)                                                             \
    do {                                                                                           \
        norm_call bad = good;                                                                      \
        bad.argument = value;                                                                      \
        refused(r, c->form, &bad, #argument, text);                                                \
    } while (0)
        REFUSED(norm, (gable_norm)173, "173");
        REFUSED(uplo, GABLE_GENERAL, "124");
        REFUSED(diag, (gable_diag)8, "8");
        REFUSED(m, -1, "-1");
        REFUSED(n, -2, "-2");
        REFUSED(A, NULL, "NULL");
        REFUSED(lda, 4, "4");
        REFUSED(result, NULL, "NULL");
#undef REFUSED
        result_untouched(&o.result);
    }
    destroy(&o);
    check(r, c, "the context works on");
}

void norm_arguments(routine *r)
{
    in_all_ways(r, (norm_case){.m = 150, .n = 140, .exact = true}, arguments, "illegal arguments");
}

/* Alone with the result on the host, and recorded with the result on the device; data that are
 * right only when it is replayed. */
static void same_bits(routine *r, const norm_case *c, const char *more)
{
    operands first, second;
    gable_recording *recording = NULL;
    norm_case now = *c;
    double alone = 0, replayed = 0;
    memset(&second, 0, sizeof second);
    begin(r, c, more);
    now.on_host = true;
    if (build(r, &first, &now) && run(r, &first, &now, &alone)) {
        now.on_host = false;
        if (build(r, &second, &now)) {
            const norm_call call = call_of(&second, &now);
            const gbl_product_call product = product_of(r, now.form, &call);
            CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, second.A.v.memory, 0, second.A.v.bytes));
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            const bool ran = routine_ran(r, now.form->run(r->ctx, &call), &product);
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            if (ran && recording != NULL && guarded_send(&second.A.v) &&
                CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                result_take(&second.result, &replayed)) {
                float narrow;
                memcpy(&narrow, &replayed, sizeof narrow);
                replayed = gbl_dtype_real_bytes(r->dtype) == 4 ? (double)narrow : replayed;
                CHECK(alone == replayed, "%.17g alone, %.17g replayed", alone, replayed);
            }
            gable_recording_destroy(recording);
        }
    }
    destroy(&first);
    destroy(&second);
}

void norm_repeat(routine *r)
{
    in_all_ways(r, (norm_case){.m = 300, .n = 257, .seed = 17}, same_bits, "recorded");
    in_all_ways(r, (norm_case){.m = 300, .n = 257, .seed = 17}, same_bits, "recorded again");
}

const void *norm_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[6]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    const norm_form *form = r->parts->forms;
    const norm_call made = {.norm = i < 4 ? norms[i] : GABLE_MAX_NORM,
                            .uplo = GABLE_LOWER,
                            .diag = GABLE_NON_UNIT,
                            .m = 200,
                            .n = 200,
                            .A = memory,
                            .lda = 208,
                            .result = memory + 4};
    if (i >= 4)
        return NULL;
    call = product_of(r, form, &made);
    return &call;
}
