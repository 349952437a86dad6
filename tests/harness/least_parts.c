/* least_parts.c: the six parts of gels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/least_problem.h"
#include "lapack/lapack.h"

/* ---- Which cases ---- */

static const int64_t shapes[][3] = {{1, 1, 1},   {4, 1, 3},    {1, 5, 2},    {5, 3, 2},
                                    {3, 8, 1},   {17, 17, 5},  {40, 16, 1},  {20, 50, 7},
                                    {65, 33, 9}, {100, 31, 1}, {31, 100, 4}, {200, 7, 3},
                                    {7, 150, 2}, {150, 66, 1}, {66, 150, 33}};
static const int64_t few_shapes[][3] = {{40, 20, 3}, {20, 40, 3}};
#define SHAPES     ((int)(sizeof shapes / sizeof shapes[0]))
#define FEW_SHAPES ((int)(sizeof few_shapes / sizeof few_shapes[0]))

static int shape_count(const routine *r)
{
    return routine_slow_compiler(r) ? FEW_SHAPES : SHAPES;
}

/* Both ways to take A; where kernels compile slowly one for each shape and precision. */
static int way_count(const routine *r)
{
    return routine_slow_compiler(r) ? 1 : 2;
}

static least_case plain(const routine *r, int i, int way)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const int64_t *size = slow ? few_shapes[i] : shapes[i];
    return (least_case){
        .m = size[0],
        .n = size[1],
        .nrhs = size[2],
        .turned = (slow ? (int)r->dtype : way) % 2 == 1,
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .kind = QR_RANDOM,
        .zero = -1,
        .seed = 500 + (uint64_t)i,
        .on_host = i % 2 == 0};
}

#define OVER_CASES(r, c)                                                                           \
    for (int i = 0; i < shape_count(r); i++)                                                       \
        for (int way = 0; way < way_count(r); way++)                                               \
            for (least_case c = plain(r, i, way), *once = &c; once != NULL; once = NULL)

/* Powers of two that make integers subnormal, and such as leave little below overflow. */
void least_exact(routine *r)
{
    const bool narrow = gbl_dtype_real_bytes(r->dtype) == 4;
    const int low = narrow ? -140 : -1060, high = narrow ? 110 : 1000;
    const int scales[][2] = {{0, 0}, {low, low}, {high, high}, {low + 40, 0}, {0, high}, {0, low}};
    OVER_CASES(r, c)
    {
        c.kind = QR_EXACT;
        for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
            c.scale_a = scales[k][0];
            c.scale_b = scales[k][1];
            least_check(r, &c, "");
        }
    }
}

void least_residual(routine *r)
{
    const int far = lapack_far_scale(r->dtype, 1);
    const int scales[][2] = {{far, far}, {-far, -far}, {far, 0}, {-far, 0}, {0, far}, {0, -far}};
    OVER_CASES(r, c)
    {
        least_check(r, &c, "");
        c.consistent = true;
        least_check(r, &c, "");
        c.kind = QR_GRADED;
        if (c.m + c.n < 70)
            least_check(r, &c, "");
        c.kind = QR_RANDOM;
        c.consistent = false;
        c.scale_a = scales[(i + 3 * way) % 6][0];
        c.scale_b = scales[(i + 3 * way) % 6][1];
        least_check(r, &c, "far from 1");
    }
}

/* ---- Edges ---- */

/* Without columns or rows X is zero; without right-hand sides nothing is done. */
static void nothing(routine *r)
{
    const int64_t sizes[][3] = {{0, 3, 2}, {3, 0, 2}, {0, 0, 2}, {4, 3, 0}, {3, 4, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        least_case c = {.m = 4, .n = 3, .nrhs = 2, .kind = QR_RANDOM, .zero = -1, .on_host = true};
        const int64_t m = sizes[i][0], n = sizes[i][1], nrhs = sizes[i][2], most = m > n ? m : n;
        least_operands o;
        c.place.gap = 3;
        least_begin(r, &c, "nothing to do");
        if (least_build(r, &o, &c)) {
            for (int64_t s = 0; s < nrhs; s++)
                for (int64_t j = 0; j < most && m * n == 0; j++)
                    number_put(r->dtype, &o.B.v, j + s * o.B.ld, (number){NAN, NAN});
            if (guarded_send(&o.B.v))
                CHECK_OK(r->ctx, least_form_of(r)->run(r->ctx, GABLE_NO_TRANS, m, n, nrhs, o.A.v.at,
                                                       o.A.ld, o.B.v.at, o.B.ld, o.info.at));
            for (int64_t s = 0; s < nrhs; s++)
                for (int64_t j = 0; j < most && m * n == 0; j++)
                    number_put(r->dtype, &o.B.v, j + s * o.B.ld, (number){0, 0});
            least_info(&o, 0);
            if (least_fetch(&o)) {
                guarded_same(&o.A.v, "A");
                guarded_same(&o.B.v, "B");
            }
        }
        least_destroy(&o);
    }
}

/* NaN and infinities hang nothing, and stay inside. */
static void not_finite(routine *r)
{
    static const double bad[] = {NAN, INFINITY};
    OVER_CASES(r, c)
    {
        for (int k = 0; k < 4 && c.m * c.n < 5000; k++) {
            least_operands o;
            least_begin(r, &c, "not finite");
            if (least_build(r, &o, &c)) {
                number_put(r->dtype, k < 2 ? &o.A.v : &o.B.v, 0, (number){bad[k % 2], 0});
                if (guarded_send(&o.A.v) && guarded_send(&o.B.v) &&
                    CHECK_OK(r->ctx, least_enqueue(r, &o, &c)) && least_fetch(&o)) {
                    int64_t info = -7;
                    CHECK(k % 2 == 1 || !number_finite(number_got(r->dtype, &o.B.v, 0)),
                          "the first number of X is finite");
                    dense_gaps(&o.A, "A");
                    dense_gaps(&o.B, "B");
                    result_take(&o.info, &info);
                }
            }
            least_destroy(&o);
        }
    }
}

static void far_apart(routine *r)
{
    const bool host = r->device->props.is_host;
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t elem = gbl_dtype_bytes(r->dtype), bytes = (size_t)(2 * ld + 4) * elem;
    least_case c = plain(r, 0, 0);
    least_operands o;
    if (!routine_far(r, bytes))
        return;
    c.m = 4;
    c.n = 3;
    c.kind = QR_EXACT;
    least_begin(r, &c, "far apart");
    char *memory = far_reserve(r->ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (least_build(r, &o, &c)) {
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 4, elem, guarded_element(&o.A.v, j * o.A.ld),
                                              1, memory + (size_t)(j * ld) * elem, 1));
        CHECK_OK(r->ctx, least_form_of(r)->run(r->ctx, least_trans(r, &c), 4, 3, c.nrhs, memory, ld,
                                               o.B.v.at, o.B.ld, o.info.at));
        least_info(&o, 0);
        if (least_fetch(&o)) {
            for (int64_t j = 0; j < 3; j++)
                CHECK_OK(r->ctx,
                         gable_get_vector(r->ctx, 4, elem, memory + (size_t)(j * ld) * elem, 1,
                                          o.A.v.got + guarded_place(&o.A.v, j * o.A.ld), 1));
            least_compare(r, &o, &c);
        }
    }
    least_destroy(&o);
    far_release(r->ctx, host, memory, bytes);
}

/* The first, a middle and the last column of M are zero: R has a zero there. */
void least_edges(routine *r)
{
    nothing(r);
    OVER_CASES(r, c)
    {
        const int64_t last = least_columns(&c) - 1, at[] = {0, last / 2, last};
        for (int k = 0; k < 3 && last > 0; k++) {
            c.zero = at[k];
            least_check(r, &c, "not of full rank");
        }
        c.zero = -1;
        c.kind = QR_ZERO;
        least_check(r, &c, "zeros");
    }
    not_finite(r);
    far_apart(r);
}

/* ---- Guards, arguments, repeat ---- */

void least_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        OVER_CASES(r, c)
        {
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (w % 2 == 1)
                c.scale_a = c.scale_b = lapack_far_scale(r->dtype, w == 1 ? 1 : -1);
            if (c.m * c.n <= 5000)
                least_check(r, &c, "");
        }
}

void least_arguments(routine *r)
{
    least_case c = plain(r, 0, 0);
    gable_context *ctx = r->ctx;
    const least_form *f = least_form_of(r);
    const gable_trans no = GABLE_NO_TRANS;
    least_operands o;
    c.m = 5;
    c.n = 4;
    c.nrhs = 2;
    c.place = (dense_place){.gap = 0};
    c.on_host = true;
    least_begin(r, &c, "illegal arguments");
    if (least_build(r, &o, &c)) {
        void *A = o.A.v.at, *B = o.B.v.at;
        int64_t *info = o.info.at;
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, f->name, __VA_ARGS__)
        CHECK_STATUS(NULL, f->run(NULL, no, 5, 4, 2, A, 5, B, 5, info), GABLE_BAD_ARGUMENT);
        REFUSED(f->run(ctx, (gable_trans)7, 5, 4, 2, A, 5, B, 5, info), "argument 2 (trans)", "7");
        if (gbl_dtype_complex(r->dtype))
            REFUSED(f->run(ctx, GABLE_TRANS, 5, 4, 2, A, 5, B, 5, info), "argument 2 (trans)",
                    "GABLE_TRANS");
        REFUSED(f->run(ctx, no, -1, 4, 2, A, 5, B, 5, info), "argument 3 (m)", "-1");
        REFUSED(f->run(ctx, no, 5, -2, 2, A, 5, B, 5, info), "argument 4 (n)", "-2");
        REFUSED(f->run(ctx, no, 5, 4, -3, A, 5, B, 5, info), "argument 5 (nrhs)", "-3");
        REFUSED(f->run(ctx, no, 5, 4, 2, NULL, 5, B, 5, info), "argument 6 (A)", "NULL");
        REFUSED(f->run(ctx, no, 5, 4, 2, A, 4, B, 5, info), "argument 7 (lda)", "4", "5");
        REFUSED(f->run(ctx, no, 5, 4, 2, A, 5, NULL, 5, info), "argument 8 (B)", "NULL");
        REFUSED(f->run(ctx, no, 5, 0, 2, A, 5, NULL, 5, info), "argument 8 (B)", "NULL");
        REFUSED(f->run(ctx, no, 5, 4, 2, A, 5, B, 4, info), "argument 9 (ldb)", "4", "5");
        REFUSED(f->run(ctx, no, 3, 5, 2, A, 5, B, 4, info), "argument 9 (ldb)", "4", "5");
        REFUSED(f->run(ctx, no, 5, 4, 2, A, 5, B, 5, NULL), "argument 10 (info)", "NULL");
#undef REFUSED
        result_untouched(&o.info);
        if (least_fetch(&o)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.B.v, "B");
        }
    }
    least_destroy(&o);
    least_check(r, &c, "the context works on");
}

/* Alone with info on the host, and recorded with info on the device; a second replay starts
 * anew. */
static void same_bits(routine *r, least_case c)
{
    least_operands first, second;
    gable_recording *recording = NULL;
    memset(&second, 0, sizeof second);
    c.on_host = true;
    least_begin(r, &c, "recorded");
    if (least_build(r, &first, &c) && least_run(r, &first, &c)) {
        c.on_host = false;
        if (least_build(r, &second, &c)) {
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, least_enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) && guarded_send(&second.B.v) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && least_fetch(&second))
                    CHECK(memcmp(first.A.v.got, second.A.v.got, first.A.v.bytes) == 0 &&
                              memcmp(first.B.v.got, second.B.v.got, first.B.v.bytes) == 0,
                          "the replay gave other bits");
            gable_recording_destroy(recording);
            least_info(&second, c.zero + 1);
        }
    }
    least_destroy(&first);
    least_destroy(&second);
}

void least_repeat(routine *r)
{
    OVER_CASES(r, c)
    {
        if (i % 3 == 2)
            c.scale_a = c.scale_b = lapack_far_scale(r->dtype, way == 0 ? 1 : -1);
        if (i % 5 == 4)
            c.kind = QR_ZERO;
        if (i % 2 == 0 || routine_slow_compiler(r))
            same_bits(r, c);
    }
}

const void *least_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[6]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 2)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .trans = GABLE_NO_TRANS,
                              .m = i == 0 ? 200 : 100,
                              .n = i == 0 ? 100 : 200,
                              .k = 3,
                              .A = memory,
                              .lda = 208,
                              .B = memory + 2,
                              .ldb = 208,
                              .info = (int64_t *)(void *)(memory + 4)};
    return &call;
}
