/* test_getrf.c: the six parts of getrf: A = P L U
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratio: lu_data.h. `exact` factors matrices whose quotients and sums are exact, with ties between
 * pivots: pivots, L and U are those of a plain reference, element by element.
 */
#include <stdlib.h>
#include "harness/lu_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef enum spoil { SPOIL_NOTHING, SPOIL_NAN, SPOIL_INF, SPOIL_ALL_NAN } spoil;

typedef struct getrf_case {
    int64_t m, n;
    dense_place place;
    lu_kind kind;
    int scale;
    uint64_t seed;
    bool on_host; /* info */
    guarded_fill fill;
    guarded_fence fence;
    spoil how; /* the element (row, column) is not finite */
    int64_t row, column;
} getrf_case;

typedef struct operands {
    dense A;
    guarded ipiv;
    result_place info;
    number *given, *factors, *want;
    int64_t *wanted, *pivots;
    int64_t wanted_info;
} operands;

static void begin(routine *r, const getrf_case *c, const char *more)
{
    r->cases++;
    test_case("getrf %c %s variant=%s part=%s m=%lld n=%lld gap=%lld offset=%d kind=%d scale=%d "
              "spoil=%d row=%lld column=%lld fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, (long long)c->m, (long long)c->n,
              (long long)c->place.gap, c->place.offset, (int)c->kind, c->scale, (int)c->how,
              (long long)c->row, (long long)c->column, (int)c->fence, (unsigned long long)c->seed,
              more);
}

static int64_t least(const getrf_case *c)
{
    return c->m < c->n ? c->m : c->n;
}

static void spoil_matrix(const getrf_case *c, number *A)
{
    if (c->how == SPOIL_NAN)
        A[c->row + c->column * c->m].re = NAN;
    if (c->how == SPOIL_INF)
        A[c->row + c->column * c->m].re = -INFINITY;
    for (int64_t i = 0; c->how == SPOIL_ALL_NAN && i < c->m * c->n; i++)
        A[i].re = NAN;
}

static bool build(routine *r, operands *o, const getrf_case *c)
{
    const int64_t k = least(c);
    memset(o, 0, sizeof *o);
    o->given = lapack_matrix(c->m, c->n);
    o->factors = lapack_matrix(c->m, c->n);
    o->want = lapack_matrix(c->m, c->n);
    o->wanted = calloc((size_t)k + 1, sizeof *o->wanted);
    o->pivots = calloc((size_t)k + 1, sizeof *o->pivots);
    if (o->given == NULL || o->factors == NULL || o->want == NULL || o->wanted == NULL ||
        o->pivots == NULL || !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host) ||
        !guarded_make(&o->ipiv, r->ctx, k, 1, sizeof(int64_t), 0, FILL_PATTERN, c->fence) ||
        !dense_make(&o->A, r->ctx, c->m, c->n, c->place, sizeof(T), NULL, 0, c->fill, c->fence))
        return false;
    lu_matrix(DTYPE, c->kind, c->m, c->n, c->seed, o->given);
    spoil_matrix(c, o->given);
    memcpy(o->want, o->given, (size_t)(c->m * c->n) * sizeof *o->want);
    o->wanted_info = lu_reference(c->m, c->n, o->want, o->wanted);
    lapack_put(DTYPE, &o->A, GABLE_GENERAL, o->given, c->scale);
    return guarded_send(&o->A.v) && guarded_send(&o->ipiv);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    guarded_destroy(&o->ipiv);
    free(o->given);
    free(o->factors);
    free(o->want);
    free(o->wanted);
    free(o->pivots);
}

static gable_status enqueue(routine *r, const operands *o, const getrf_case *c)
{
    return FN(getrf)(r->ctx, c->m, c->n, o->A.v.at, o->A.ld, o->ipiv.at, o->info.at);
}

static bool fetch(operands *o, const getrf_case *c)
{
    if (!guarded_fetch(&o->A.v) || !guarded_fetch(&o->ipiv))
        return false;
    for (int64_t i = 0; i < least(c); i++)
        memcpy(&o->pivots[i], guarded_result(&o->ipiv, i), sizeof(int64_t));
    return true;
}

/* Zero columns of random matrices make exact zeros; those of other kinds rounding may hide. */
static bool info_is_known(const getrf_case *c)
{
    return c->how == SPOIL_NOTHING &&
           (c->kind == LU_EXACT || c->kind == LU_ZERO || c->kind == LU_RANDOM ||
            c->kind == LU_ZERO_FIRST || c->kind == LU_ZERO_MIDDLE || c->kind == LU_ZERO_LAST ||
            c->kind == LU_DIAGONAL);
}

static bool run(routine *r, operands *o, const getrf_case *c)
{
    const bool nothing = c->m == 0 || c->n == 0;
    const gbl_product_call call = {.dtype = DTYPE,
                                   .m = c->m,
                                   .n = c->n,
                                   .A = o->A.v.at,
                                   .lda = o->A.ld,
                                   .ipiv = o->ipiv.at,
                                   .info = o->info.at};
    int64_t info = -7;
    if (!routine_ran(r, enqueue(r, o, c), nothing ? NULL : &call) || !result_take(&o->info, &info))
        return false;
    CHECK(info >= 0 && info <= least(c) && (!info_is_known(c) || info == o->wanted_info),
          "info is %lld instead of %lld", (long long)info, (long long)o->wanted_info);
    return fetch(o, c);
}

static bool same_number(const operands *o, int64_t m, int64_t i, int64_t j)
{
    const number is = o->factors[i + j * m], want = o->want[i + j * m];
    return HOLDS(is.re == want.re && is.im == want.im,
                 "(%lld, %lld) is %g + %gi instead of %g + %gi", (long long)i, (long long)j, is.re,
                 is.im, want.re, want.im);
}

static void compare(routine *r, operands *o, const getrf_case *c)
{
    const int64_t k = least(c);
    bool same = true;
    lapack_get(DTYPE, &o->A, GABLE_GENERAL, o->factors, 0);
    for (int64_t i = 0; i < k && same; i++)
        same = HOLDS(o->pivots[i] > i && o->pivots[i] <= c->m, "pivot %lld is %lld", (long long)i,
                     (long long)o->pivots[i]);
    for (int64_t i = 0; i < k && same && c->kind == LU_EXACT; i++)
        same = HOLDS(o->pivots[i] == o->wanted[i], "pivot %lld is %lld instead of %lld",
                     (long long)i, (long long)o->pivots[i], (long long)o->wanted[i]);
    if (c->how == SPOIL_NOTHING && c->kind == LU_EXACT) {
        for (int64_t j = 0; j < c->n && same; j++)
            for (int64_t i = 0; i < c->m && same; i++)
                same = same_number(o, c->m, i, j);
    } else if (c->how == SPOIL_NOTHING && same) {
        /* Scaled matrices: L is as it was, U is scaled. */
        for (int64_t j = 0; j < c->n; j++)
            for (int64_t i = 0; i <= j && i < c->m; i++) {
                number *u = &o->factors[i + j * c->m];
                *u = (number){ldexp(u->re, -c->scale), ldexp(u->im, -c->scale)};
            }
        routine_error(r, lu_ratio(DTYPE, c->m, c->n, o->given, o->factors, o->pivots), 1,
                      LAPACK_LIMIT);
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = j + 1; i < c->m; i++)
                CHECK(fabs(o->factors[i + j * c->m].re) + fabs(o->factors[i + j * c->m].im) < 2.01,
                      "L(%lld, %lld) is %g", (long long)i, (long long)j,
                      o->factors[i + j * c->m].re);
    }
    dense_gaps(&o->A, "A");
    guarded_surroundings(&o->ipiv, "ipiv");
}

static void check(routine *r, const getrf_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

/* Around leaves of 8 to 32 columns, tall and wide. */
static const int64_t shapes[][2] = {
    {1, 1},    {2, 2},    {3, 3},     {5, 5},    {1, 7},    {7, 1},     {16, 16},
    {17, 17},  {20, 8},   {8, 20},    {31, 32},  {33, 32},  {64, 64},   {65, 65},
    {100, 16}, {16, 100}, {129, 40},  {40, 129}, {97, 97},  {128, 128}, {131, 130},
    {200, 33}, {33, 200}, {257, 100}, {700, 9},  {150, 150}};
static const int64_t few_shapes[][2] = {{1, 1},   {3, 5},   {16, 16}, {33, 33},
                                        {70, 40}, {40, 70}, {66, 66}, {130, 17}};

static int shape_count(const routine *r)
{
    return routine_slow_compiler(r) ? (int)(sizeof few_shapes / sizeof few_shapes[0])
                                    : (int)(sizeof shapes / sizeof shapes[0]);
}

static getrf_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const int64_t *of = slow ? few_shapes[i] : shapes[i];
    return (getrf_case){
        .m = of[0],
        .n = of[1],
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .kind = LU_RANDOM,
        .seed = 100 + (uint64_t)i,
        .on_host = i % 2 == 0};
}

/* Where leaves are clusters of groups (getrf_leaf.c): rows around whole groups of 128 and 512, and
 * around clusters of 2 to 16; columns around a leaf. Those of many rows are for a GPU. */
static const int64_t cluster_shapes[][2] = {
    {128, 32},  {129, 31},  {255, 33},  {257, 32},  {512, 33},  {513, 32},
    {1024, 33}, {1025, 31}, {2049, 32}, {4096, 33}, {4097, 16}, {8191, 32},
    {8192, 33}, {8193, 17}, {12288, 9}, {12289, 8}, {16384, 9}, {16385, 8}};

static void clusters(routine *r, lu_kind kind)
{
    const bool emulated = strcmp(r->device->table->kind, "emulated") == 0;
    for (int i = 0; i < (int)(sizeof cluster_shapes / sizeof cluster_shapes[0]); i++) {
        const getrf_case c = {.m = cluster_shapes[i][0],
                              .n = cluster_shapes[i][1],
                              .place = {.gap = i % 2},
                              .kind = kind,
                              .seed = 200 + (uint64_t)i,
                              .on_host = i % 2 == 0};
        if (r->device->props.max_cluster > 1 && (c.m <= 513 || !emulated))
            check(r, &c, "clusters");
    }
    /* The emulated device has no room for the cluster that was planned. */
    const getrf_case no_room = {.m = 4097, .n = 2, .kind = kind, .seed = 300};
    if (emulated && r->device->props.max_cluster > 1 && DTYPE == GBL_D && kind == LU_EXACT)
        check(r, &no_room, "no room for the cluster");
}

static void exact(routine *r)
{
    for (int i = 0; i < shape_count(r); i++) {
        getrf_case c = plain(r, i);
        c.kind = LU_EXACT;
        check(r, &c, "");
    }
    clusters(r, LU_EXACT);
}

static void residual(routine *r)
{
    for (int i = 0; i < shape_count(r); i++) {
        getrf_case c = plain(r, i);
        const int rounds = c.m * c.n > 10000 && !r->all ? 1 : LU_KINDS - 1;
        for (int k = 0; k < rounds; k++) {
            c.kind = (lu_kind)(1 + (i + k) % (LU_KINDS - 1));
            /* Its factors grow as 2^n. */
            if (c.kind == LU_GROWTH && c.n > 20)
                continue;
            check(r, &c, "");
        }
        if (i % 4 == 1) {
            c.kind = LU_RANDOM;
            for (int far = -1; far <= 1; far += 2) {
                c.scale = lapack_far_scale(DTYPE, far);
                check(r, &c, "");
            }
        }
    }
    clusters(r, LU_RANDOM);
}

/* ---- Edges ---- */

static void nothing(routine *r)
{
    static const int64_t empty[][2] = {{0, 0}, {0, 5}, {5, 0}};
    for (int i = 0; i < 3; i++) {
        const getrf_case c = {
            .m = empty[i][0], .n = empty[i][1], .on_host = i % 2 == 0, .kind = LU_RANDOM};
        operands o;
        begin(r, &c, "nothing to do");
        if (build(r, &o, &c)) {
            int64_t info = -7;
            CHECK_OK(r->ctx, FN(getrf)(r->ctx, c.m, c.n, NULL, c.m > 0 ? c.m : 1, NULL, o.info.at));
            if (result_take(&o.info, &info))
                CHECK(info == 0, "info is %lld", (long long)info);
        }
        destroy(&o);
    }
}

static void singular(routine *r)
{
    for (int i = 0; i < shape_count(r); i++)
        for (int kind = LU_ZERO_FIRST; kind < LU_ALL_KINDS; kind++) {
            getrf_case c = plain(r, i);
            c.kind = (lu_kind)kind;
            if (c.m * c.n <= 10000 && c.m > 1)
                check(r, &c, "singular");
        }
}

/* NaN and infinities in every place that matters: pivots stay inside. */
static void not_finite(routine *r)
{
    for (int i = 0; i < shape_count(r); i++) {
        getrf_case c = plain(r, i);
        if (c.m * c.n > 10000)
            continue;
        for (int how = SPOIL_NAN; how <= SPOIL_ALL_NAN; how++) {
            c.how = (spoil)how;
            c.row = c.column = 0;
            check(r, &c, "not finite");
            c.row = c.m - 1;
            check(r, &c, "not finite");
            c.row = c.m / 2;
            c.column = c.n / 2;
            check(r, &c, "not finite");
        }
    }
}

/* A NaN on the diagonal of the first column is its pivot; elsewhere it is not, as in LAPACK. */
static void pivot_beside_nan(routine *r)
{
    for (int64_t row = 0; row < 20; row += 19) {
        const getrf_case c = {.m = 20,
                              .n = 6,
                              .kind = LU_RANDOM,
                              .seed = 8,
                              .how = SPOIL_NAN,
                              .row = row,
                              .on_host = true};
        operands o;
        begin(r, &c, "pivot beside a NaN");
        if (build(r, &o, &c) && run(r, &o, &c))
            CHECK(o.pivots[0] == o.wanted[0] && (row > 0 || o.pivots[0] == 1),
                  "the pivot is %lld instead of %lld", (long long)o.pivots[0],
                  (long long)o.wanted[0]);
        destroy(&o);
    }
}

/* Columns that are more than 2^31 bytes, and elements, apart. */
static void far_apart(routine *r)
{
    const bool host = r->device->props.is_host;
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 4) * sizeof(T);
    const getrf_case c = {.m = 4, .n = 3, .kind = LU_EXACT, .seed = 5};
    operands o;
    int64_t info = -7;
    if (!routine_far(r, bytes))
        return;
    begin(r, &c, "far apart");
    T *memory = far_reserve(r->ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &c)) {
        for (int64_t j = 0; j < c.n; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, c.m, sizeof(T), guarded_element(&o.A.v, j * o.A.ld),
                                      1, memory + j * ld, 1));
        CHECK_OK(r->ctx, FN(getrf)(r->ctx, c.m, c.n, memory, ld, o.ipiv.at, o.info.at));
        if (result_take(&o.info, &info) && fetch(&o, &c)) {
            CHECK(info == o.wanted_info, "info is %lld", (long long)info);
            for (int64_t j = 0; j < c.n; j++)
                CHECK_OK(r->ctx,
                         gable_get_vector(r->ctx, c.m, sizeof(T), memory + j * ld, 1,
                                          o.A.v.got + guarded_place(&o.A.v, j * o.A.ld), 1));
            compare(r, &o, &c);
        }
    }
    destroy(&o);
    far_release(r->ctx, host, memory, bytes);
}

static void edges(routine *r)
{
    nothing(r);
    singular(r);
    not_finite(r);
    pivot_beside_nan(r);
    far_apart(r);
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < shape_count(r); i += 2) {
            getrf_case c = plain(r, i);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.m * c.n <= 10000)
                check(r, &c, "");
        }
}

static void arguments(routine *r)
{
    const getrf_case c = {.m = 5, .n = 4, .kind = LU_EXACT, .on_host = true};
    gable_context *ctx = r->ctx;
    operands o;
    T outside[20];
    int64_t elsewhere[4];
    memset(outside, 0, sizeof outside);
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at;
        int64_t *ipiv = o.ipiv.at, *info = o.info.at;
        const char *name = NAME(FN(getrf));
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(getrf)(NULL, 5, 4, A, 5, ipiv, info), GABLE_BAD_ARGUMENT);
        REFUSED(FN(getrf)(ctx, -1, 4, A, 5, ipiv, info), "argument 2 (m)", "-1");
        REFUSED(FN(getrf)(ctx, 5, -1, A, 5, ipiv, info), "argument 3 (n)", "-1");
        REFUSED(FN(getrf)(ctx, 5, 4, NULL, 5, ipiv, info), "argument 4 (A)", "NULL");
        REFUSED(FN(getrf)(ctx, 5, 4, A, 4, ipiv, info), "argument 5 (lda)", "4", "5");
        REFUSED(FN(getrf)(ctx, 0, 4, A, 0, ipiv, info), "argument 5 (lda)", "0", "1");
        REFUSED(FN(getrf)(ctx, 5, 4, A, 5, NULL, info), "argument 6 (ipiv)", "NULL");
        REFUSED(FN(getrf)(ctx, 5, 4, A, 5, ipiv, NULL), "argument 7 (info)", "NULL");
        REFUSED(FN(getrf)(ctx, 0, 4, A, 1, ipiv, NULL), "argument 7 (info)", "NULL");
        if (!r->device->props.is_host) {
            REFUSED(FN(getrf)(ctx, 5, 4, outside, 5, ipiv, info), "argument 4 (A)",
                    r->device->info.name);
            REFUSED(FN(getrf)(ctx, 5, 4, A, 5, elsewhere, info), "argument 6 (ipiv)",
                    r->device->info.name);
        }
#undef REFUSED
        result_untouched(&o.info);
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.ipiv)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.ipiv, "ipiv");
        }
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

/* Alone with info on the host, and recorded with info on the device. A replay starts anew. */
static void same_bits(routine *r, const getrf_case *given)
{
    getrf_case c = *given;
    operands first, second;
    gable_recording *recording = NULL;
    begin(r, &c, "recorded");
    memset(&second, 0, sizeof second);
    c.on_host = true;
    if (build(r, &first, &c) && run(r, &first, &c)) {
        c.on_host = false;
        if (build(r, &second, &c)) {
            int64_t info = -7;
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&second, &c))
                    CHECK(memcmp(first.A.v.got, second.A.v.got, first.A.v.bytes) == 0 &&
                              memcmp(first.ipiv.got, second.ipiv.got, first.ipiv.bytes) == 0,
                          "the replay gave other bits");
            gable_recording_destroy(recording);
            if (result_take(&second.info, &info))
                CHECK(info == second.wanted_info, "info is %lld instead of %lld", (long long)info,
                      (long long)second.wanted_info);
        }
    }
    destroy(&first);
    destroy(&second);
}

static void repeat(routine *r)
{
    for (int i = 0; i < shape_count(r); i += 2) {
        getrf_case c = plain(r, i);
        c.kind = i % 4 == 2 && c.m > 1 ? LU_ZERO_MIDDLE : LU_RANDOM;
        same_bits(r, &c);
    }
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .ipiv = (int64_t *)(void *)(memory + 1),
                              .info = (int64_t *)(void *)(memory + 2)};
    return &call;
}

const routine_parts PARTS = {.stem = "getrf",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
