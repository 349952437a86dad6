/* triangle_parts.c: the six parts of triangular products and solutions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/matrix_data.h"
#include "harness/triangle_test.h"

#define LARGE      500
#define SMALL_MOST 32
#define MANY                                                                                       \
    300 /* rows from which a shape is tried with one diagonal, and half of the other flags */

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

/* ---- Shapes: all flags for every size ---- */

typedef struct triangle_shape {
    int64_t n, gap, incx;
    int offset;
    int64_t k; /* of long bands; others have one by their number */
} triangle_shape;

static const triangle_shape shapes[] = {
    {.n = 1, .gap = 0, .incx = 1, .offset = 0},    {.n = 2, .gap = 1, .incx = 2, .offset = 1},
    {.n = 3, .gap = 0, .incx = -1, .offset = 0},   {.n = 5, .gap = 3, .incx = -3, .offset = 2},
    {.n = 16, .gap = 0, .incx = 1, .offset = 0},   {.n = 31, .gap = 1, .incx = 1, .offset = 3},
    {.n = 32, .gap = 0, .incx = 2, .offset = 0},   {.n = 33, .gap = 3, .incx = 1, .offset = 1},
    {.n = 63, .gap = 1, .incx = -1, .offset = 0},  {.n = 64, .gap = 0, .incx = 1, .offset = 0},
    {.n = 65, .gap = 2, .incx = 1, .offset = 1},   {.n = 127, .gap = 0, .incx = 3, .offset = 2},
    {.n = 129, .gap = 3, .incx = 1, .offset = 0},  {.n = 200, .gap = 0, .incx = 1, .offset = 1},
    {.n = 300, .gap = 1, .incx = -2, .offset = 3}, {.n = 516, .gap = 0, .incx = 1, .offset = 0},
    {.n = 700, .gap = 4, .incx = 1, .offset = 1},  {.n = 701, .gap = 0, .incx = 1, .offset = 0},
};
/* Bands are narrow, so these take little memory. */
static const triangle_shape long_bands[] = {{.n = 5000, .gap = 1, .incx = 1, .k = 3},
                                            {.n = 2500, .gap = 0, .incx = 2, .k = 70}};
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static triangle_case case_of(const routine *r, const triangle_shape *s, int which,
                             triangle_case like)
{
    /* Large matrices are served by further kernels, and small ones by one for each power of two.
     * $GABLE_TEST_ALL compiles them where that takes long; s has the small ones. */
    const bool slow = routine_slow_compiler(r);
    like.s.n = slow && s->n >= LARGE                                         ? LARGE / 2 + s->n % 16
               : slow && r->dtype != GBL_S && s->n > 1 && s->n <= SMALL_MOST ? s->n + 2 * SMALL_MOST
                                                                             : s->n;
    like.s.kl = like.s.ku = triangle_form_of(r)->how->storage == GBL_BAND ? s->k : 0;
    like.incx = s->incx;
    like.offset = s->offset;
    triangle_fit(r, &like, s->gap, which);
    return like;
}

static void check_flags(routine *r, const triangle_shape *s, int which, const triangle_case *like)
{
    for (int flags = 0; flags < 12; flags++) {
        triangle_case c = *like;
        c.s.uplo = flags % 2 ? GABLE_UPPER : GABLE_LOWER;
        c.trans = transposes[flags / 2 % 3];
        c.diag = (flags / 6 + which) % 2 ? GABLE_UNIT : GABLE_NON_UNIT;
        c.seed += (uint64_t)(100 * which + flags);
        if (s->n >= MANY && !r->all && (flags >= 6 || (flags + which) % 2 != 0))
            continue;
        c = case_of(r, s, which, c);
        triangle_check(r, &c);
    }
}

static void check_shapes(routine *r, const triangle_case *like)
{
    const bool banded = triangle_form_of(r)->how->storage == GBL_BAND;
    for (int i = 0; i < COUNT(shapes); i++)
        check_flags(r, &shapes[i], i, like);
    for (int i = 0; banded && i < COUNT(long_bands); i++)
        check_flags(r, &long_bands[i], i, like);
}

void triangle_exact(routine *r)
{
    if (!matrix_left_out(r))
        check_shapes(r, &(triangle_case){.seed = 1});
}

void triangle_residual(routine *r)
{
    check_shapes(r, &(triangle_case){.seed = 10000, .random = true});
}

void triangle_guards(routine *r)
{
    static const triangle_shape few[] = {{.n = 1, .incx = 1},
                                         {.n = 17, .gap = 2, .incx = 2, .offset = 1},
                                         {.n = 65, .incx = -1},
                                         {.n = 150, .gap = 3, .incx = 1}};
    for (int i = 0; i < COUNT(few); i++)
        for (int w = 0; w < GUARDED_WAYS; w++)
            check_flags(r, &few[i], i,
                        &(triangle_case){.seed = 200,
                                         .fill = guarded_ways[w].fill,
                                         .fence = guarded_ways[w].fence});
}

/* ---- Arguments ---- */

/* The call must be refused for this argument, if the routine has it; value and rule are pieces of
 * the message. */
static void refused(routine *r, const char *argument, const triangle_call *call, const char *value,
                    const char *rule)
{
    const triangle_form *f = triangle_form_of(r);
    const int position = routine_argument(f->arguments, argument);
    char named[32];
    if (position == 0)
        return;
    snprintf(named, sizeof named, "argument %d (%s)", position, argument);
    CHECK_REFUSED(r->ctx, f->run(r->ctx, call), GABLE_BAD_ARGUMENT, f->name, named, value, rule);
}

/* The same where one thing is changed. */
#define REFUSED(argument, change, ...)                                                             \
    do {                                                                                           \
        triangle_call changed = *good;                                                             \
        changed.change;                                                                            \
        refused(r, argument, &changed, __VA_ARGS__);                                               \
    } while (0)

static void illegal_flags(routine *r, const triangle_call *good)
{
    triangle_call bad = *good;
    bad.uplo = (gable_uplo)7;
    refused(r, "uplo", &bad, "7", "GABLE_UPPER");
    bad.n = 0;
    bad.uplo = (gable_uplo)GABLE_NO_TRANS;
    refused(r, "uplo", &bad, "", "");
    REFUSED("trans", trans = (gable_trans)114, "114", "");
    REFUSED("diag", diag = (gable_diag)0, "0", "GABLE_UNIT");
    REFUSED("n", n = -3, "-3", "");
    REFUSED("k", k = -2, "-2", "");
}

static void illegal_operands(routine *r, const triangle_call *good, void *outside)
{
    const stored *how = triangle_form_of(r)->how;
    const char *matrix = triangle_has(r, "A") ? "A" : "AP";
    const stored_shape s = {.m = good->n, .n = good->n, .kl = good->k, .ku = good->k};
    triangle_call bad = *good;
    REFUSED(matrix, A = NULL, "NULL", "");
    if (how->least_lda != NULL) {
        char value[24], least[24];
        bad = *good;
        bad.lda = how->least_lda(&s) - 1;
        snprintf(value, sizeof value, "%lld", (long long)bad.lda);
        snprintf(least, sizeof least, "%lld", (long long)bad.lda + 1);
        refused(r, "lda", &bad, value, least);
        bad.lda = -5;
        refused(r, "lda", &bad, "-5", least);
        bad.n = bad.k = bad.lda = 0;
        refused(r, "lda", &bad, "0", "1");
    }
    REFUSED("x", x = NULL, "NULL", "");
    bad = *good;
    bad.incx = 0;
    refused(r, "incx", &bad, "0", "");
    bad.n = 0;
    bad.A = bad.x = NULL;
    refused(r, "incx", &bad, "0", "");
    if (r->device->props.is_host)
        return;
    REFUSED(matrix, A = outside, r->device->info.name, "gable_alloc");
    REFUSED("x", x = outside, r->device->info.name, "gable_alloc");
}

void triangle_arguments(routine *r)
{
    const stored *how = triangle_form_of(r)->how;
    double outside[64];
    triangle_operands o;
    triangle_case c = {.trans = GABLE_NO_TRANS,
                       .diag = GABLE_NON_UNIT,
                       .s = {.m = 5, .n = 5, .uplo = GABLE_LOWER},
                       .incx = 1,
                       .fill = FILL_PATTERN};
    c.s.kl = c.s.ku = how->storage == GBL_BAND ? 2 : 0;
    triangle_fit(r, &c, 11, 0);
    memset(outside, 0, sizeof outside);
    triangle_begin(r, &c, "illegal arguments");
    if (triangle_build(r, &o, &c)) {
        const triangle_call good = triangle_arguments_of(&o, &c);
        CHECK_STATUS(NULL, triangle_form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
        illegal_flags(r, &good);
        illegal_operands(r, &good, outside);
        for (size_t i = 0; i < sizeof outside; i++)
            CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
        if (guarded_fetch(&o.x) && guarded_fetch(&o.A)) {
            guarded_same(&o.x, "x");
            guarded_same(&o.A, "A");
        }
        triangle_run(r, &o, &c); /* the context works on */
    }
    triangle_destroy(&o);
}

/* ---- Repeat ---- */

/* The call recorded with x as it is not yet, and replayed twice: counters are as they were. */
static bool replayed(routine *r, triangle_operands *o, const triangle_case *c)
{
    gable_recording *recording = NULL;
    if (!triangle_build(r, o, c))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->x.memory, 0, o->x.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, triangle_enqueue(r, o, c));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                      guarded_send(&o->x) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                      guarded_fetch(&o->x);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const triangle_case *c)
{
    triangle_operands first, second;
    triangle_begin(r, c, "twice");
    if (triangle_build(r, &first, c) && triangle_run(r, &first, c) && guarded_fetch(&first.x)) {
        if (triangle_build(r, &second, c) && triangle_run(r, &second, c) &&
            guarded_fetch(&second.x))
            CHECK(memcmp(first.x.got, second.x.got, first.x.bytes) == 0,
                  "the same call gave other bits");
        triangle_destroy(&second);
        if (replayed(r, &second, c))
            CHECK(memcmp(first.x.got, second.x.got, first.x.bytes) == 0,
                  "the replay gave other bits");
        triangle_destroy(&second);
    }
    triangle_destroy(&first);
}

void triangle_repeat(routine *r)
{
    static const triangle_shape few[] = {{.n = 17, .gap = 2, .incx = 1},
                                         {.n = 130, .incx = -1, .k = 20},
                                         {.n = 600, .gap = 8, .incx = 1, .k = 9}};
    for (int i = 0; i < COUNT(few) * 6; i++) {
        const triangle_case c = case_of(r, &few[i / 6], 0,
                                        (triangle_case){.s.uplo = i % 2 ? GABLE_UPPER : GABLE_LOWER,
                                                        .trans = transposes[i % 6 / 2],
                                                        .diag = GABLE_NON_UNIT,
                                                        .seed = 400,
                                                        .random = true});
        same_bits(r, &c);
    }
    /* All variants keep the bound. Not where kernels take long to compile: there `exact` runs
     * them. */
    const bool others = !routine_slow_compiler(r);
    for (int v = 0; others && routine_next_variant(r, &v);) {
        for (int i = 0; i < COUNT(few); i++)
            check_flags(r, &few[i], i, &(triangle_case){.seed = 500, .random = true});
    }
}

/* ---- Edges ---- */

/* n = 0: no pointer is looked at. */
static void nothing(routine *r)
{
    const triangle_case c = {
        .trans = GABLE_NO_TRANS, .diag = GABLE_UNIT, .s = {.uplo = GABLE_LOWER, .lda = 1}};
    const triangle_operands none = {.A = {.at = NULL}};
    triangle_call call = triangle_arguments_of(&none, &c);
    triangle_begin(r, &c, "n = 0");
    call.incx = -1;
    CHECK_OK(r->ctx, triangle_form_of(r)->run(r->ctx, &call));
}

/* Columns more than 2^31 elements apart. */
static void far_apart(routine *r, gable_uplo uplo, gable_trans trans)
{
    const stored *how = triangle_form_of(r)->how;
    far_memory room;
    triangle_case small = {.trans = trans,
                           .diag = GABLE_NON_UNIT,
                           .s = {.m = 4, .n = 4, .uplo = uplo},
                           .incx = 1,
                           .seed = 80};
    if (how->least_lda == NULL)
        return;
    small.s.kl = small.s.ku = how->storage == GBL_BAND ? 2 : 0;
    const int64_t rows = small.s.lda = how->least_lda(&small.s);
    triangle_case c = small;
    c.s.lda = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)how->elements(&c.s) * gbl_dtype_bytes(r->dtype);
    if (!far_take(r, 1, bytes, &room))
        return;
    triangle_operands o;
    char *A = room.at[0];
    triangle_begin(r, &c, "far apart");
    if (triangle_build(r, &o, &small)) {
        void *const near = o.A.at;
        for (int64_t j = 0; j < 4; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, rows, o.A.elem_bytes, guarded_element(&o.A, rows * j),
                                      1, A + (size_t)(j * c.s.lda) * o.A.elem_bytes, 1));
        o.A.at = A;
        if (triangle_run(r, &o, &c) && guarded_fetch(&o.x))
            triangle_compare(r, &o, &small);
        o.A.at = near;
    }
    triangle_destroy(&o);
    far_give(r, &room);
}

void triangle_edges(routine *r)
{
    if (matrix_left_out(r))
        return;
    nothing(r);
    for (int f = 0; f < 6; f++) {
        const triangle_shape s = {
            .n = triangle_form_of(r)->solves ? 140 : 70, .gap = 10, .incx = f % 3 ? 1 : -2, .k = 6};
        const triangle_case c = case_of(r, &s, 0,
                                        (triangle_case){.s.uplo = f % 2 ? GABLE_UPPER : GABLE_LOWER,
                                                        .trans = transposes[f / 2],
                                                        .diag = GABLE_NON_UNIT,
                                                        .seed = 60});
        triangle_edges_of(r, c);
        far_apart(r, c.s.uplo, c.trans);
    }
}

/* ---- Probe ---- */

const void *triangle_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    const stored *how = triangle_form_of(r)->how;
    stored_shape s = {.m = 200, .n = 200};
    s.kl = s.ku = how->storage == GBL_BAND ? 5 : 0;
    if (i >= 2)
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .uplo = GABLE_LOWER,
                             .trans = i == 0 ? GABLE_NO_TRANS : GABLE_TRANS,
                             .diag = GABLE_NON_UNIT,
                             .storage = (uint8_t)how->storage,
                             .m = 200,
                             .n = 200,
                             .kl = s.kl,
                             .ku = s.ku,
                             .A = memory,
                             .lda = stored_lda(how, &s, 0, COLUMNS_ALIKE),
                             .x = memory,
                             .incx = 1,
                             .incy = 1};
    return &call;
}
