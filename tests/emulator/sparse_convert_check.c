/* sparse_convert_check.c: the kernels that make and change sparse matrices, as plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A small matrix with rows of all lengths from 0 to 5 is made from arrays on the device, looked at,
 * converted to every format and back. Arrays end with their last element, so an overrun is seen.
 * test_sparse_convert.c looks at the layouts. Then every copy and launch fails in turn, and memory
 * is short.
 */
#include <stdlib.h>
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse_convert_check.h"

enum { ROWS = 11, COLUMNS = 9, LONGEST = 5, ENTRIES = 26, ITEMS = 4 };

typedef struct plain_rows {
    int64_t start[ROWS + 1], row[ENTRIES], column[ENTRIES];
    double value[2 * ENTRIES];
} plain_rows;

static void make_plain(plain_rows *m)
{
    int64_t e = 0;
    for (int i = 0; i < ROWS; i++) {
        m->start[i] = e;
        for (int j = 0; j < (i * 5 + 3) % (LONGEST + 1); j++, e++) {
            m->row[e] = i;
            m->column[e] = (i + 2 * j) % COLUMNS;
            m->value[2 * e] = (double)(e + 1);
            m->value[2 * e + 1] = (double)-e;
        }
        for (int64_t k = m->start[i]; k < e; k++) /* columns rise */
            for (int64_t l = k + 1; l < e; l++)
                if (m->column[l] < m->column[k]) {
                    const int64_t other = m->column[k];
                    m->column[k] = m->column[l];
                    m->column[l] = other;
                }
    }
    m->start[ROWS] = e;
}

static void *send(gable_context *ctx, const void *from, int64_t count, size_t bytes)
{
    void *to = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, (size_t)count * bytes, &to));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_vector(ctx, count, bytes, from, 1, to, 1));
    return to;
}

static void *send_indices(gable_context *ctx, const int64_t *from, int64_t count, int bits)
{
    int32_t narrow[ENTRIES + ROWS + 1];
    for (int64_t i = 0; i < count; i++)
        narrow[i] = (int32_t)from[i];
    return send(ctx, bits == 32 ? (const void *)narrow : (const void *)from, count,
                (size_t)bits / 8);
}

/* Values of the precision: d takes every other number. */
static void *send_values(gable_context *ctx, const plain_rows *m, gbl_dtype dtype, int64_t count)
{
    double reals[ENTRIES];
    for (int64_t e = 0; e < count; e++)
        reals[e] = m->value[2 * e];
    return dtype == GBL_Z ? send(ctx, m->value, count, 16) : send(ctx, reals, count, 8);
}

static void same(gable_context *ctx, gable_sparse *A, const plain_rows *m, const char *what)
{
    const gbl_dtype dtype = A->layout.dtype;
    int64_t start[ROWS + 1], column[ENTRIES];
    double value[2 * ENTRIES];
    bool equal = true;
    EXPECT_STATUS(ctx, GABLE_OK,
                  dtype == GBL_Z ? gable_sparse_zget(ctx, A, start, column, (gable_cdouble *)value)
                                 : gable_sparse_dget(ctx, A, start, column, value));
    for (int i = 0; i <= ROWS; i++)
        equal = equal && start[i] == m->start[i];
    for (int64_t e = 0; e < m->start[ROWS]; e++)
        equal = equal && column[e] == m->column[e] &&
                (dtype == GBL_Z
                     ? value[2 * e] == m->value[2 * e] && value[2 * e + 1] == m->value[2 * e + 1]
                     : value[e] == m->value[2 * e]);
    EXPECT(equal, "%s: the matrix is another one", what);
}

static void convert_all(gable_context *ctx, gable_sparse *A, const plain_rows *m)
{
    static const struct {
        gable_format format;
        int64_t chunk, sigma;
        const char *what;
    } targets[] = {{GABLE_COO, 0, 0, "COO"},
                   {GABLE_ELL, 0, 0, "ELL"},
                   {GABLE_SELL, 4, 1, "SELL"},
                   {GABLE_SELL, 2, 6, "SELL, sorted"},
                   {GABLE_SELL, 2, 0, "SELL, sorted where that pays"},
                   {GABLE_HYB, 0, 0, "HYB"}};
    for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        gable_sparse *B = NULL;
        EXPECT_STATUS(ctx, GABLE_OK,
                      gable_sparse_convert(ctx, A, targets[t].format, targets[t].chunk,
                                           targets[t].sigma, &B));
        if (B != NULL)
            same(ctx, B, m, targets[t].what);
        EXPECT_STATUS(ctx, GABLE_OK, gable_sparse_destroy(ctx, B));
    }
}

static void look(gable_context *ctx, gable_sparse *A, const plain_rows *m)
{
    int64_t band = 0, missing = COLUMNS;
    for (int64_t e = 0; e < m->start[ROWS]; e++) {
        const int64_t off = llabs(m->row[e] - m->column[e]);
        band = off > band ? off : band;
        missing -= off == 0;
    }
    gable_sparse_info info = {.rows = 0};
    EXPECT_STATUS(ctx, GABLE_OK, gable_sparse_describe(ctx, A, &info));
    EXPECT(info.bandwidth == band && info.empty_diagonal == missing && info.longest == LONGEST &&
               info.shortest == 0,
           "bandwidth %lld of %lld, empty diagonal %lld of %lld, rows of %lld to %lld",
           (long long)info.bandwidth, (long long)band, (long long)info.empty_diagonal,
           (long long)missing, (long long)info.shortest, (long long)info.longest);
}

static void both_ways(gable_context *ctx, const plain_rows *m, gbl_dtype dtype, int bits)
{
    const int64_t entries = m->start[ROWS];
    void *start = send_indices(ctx, m->start, ROWS + 1, bits),
         *row = send_indices(ctx, m->row, entries, bits),
         *column = send_indices(ctx, m->column, entries, bits),
         *value = send_values(ctx, m, dtype, entries);
    for (int coordinates = 0; coordinates < 2; coordinates++) {
        const gbl_sparse_source source = {.dtype = dtype,
                                          .coordinates = coordinates,
                                          .rows = ROWS,
                                          .columns = COLUMNS,
                                          .entries = entries,
                                          .index_bits = bits,
                                          .first = coordinates ? row : start,
                                          .column = column,
                                          .values = value};
        gable_sparse *A = NULL;
        EXPECT_STATUS(ctx, GABLE_OK, gbl_sparse_create(ctx, "gable_sparse_create", &source, &A));
        if (A != NULL) {
            same(ctx, A, m, coordinates ? "from coordinates" : "from rows");
            look(ctx, A, m);
        }
        if (A != NULL && !coordinates)
            convert_all(ctx, A, m);
        EXPECT_STATUS(ctx, GABLE_OK, gable_sparse_destroy(ctx, A));
    }
    void *const all[] = {start, row, column, value};
    for (int i = 0; i < 4; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, all[i]));
}

/* ---- What it costs ---- */

typedef struct steps {
    long allocations, launches, copies, waits;
} steps;

static steps steps_now(void)
{
    return (steps){fake_calls(FAKE_ALLOC), fake_calls(FAKE_LAUNCH), fake_calls(FAKE_COPY),
                   fake_calls(FAKE_SYNC)};
}

/* Since `before`; at most so many of each. */
static void expect_steps(const char *what, steps before, steps most)
{
    const steps now = steps_now();
    const steps had = {now.allocations - before.allocations, now.launches - before.launches,
                       now.copies - before.copies, now.waits - before.waits};
    EXPECT(had.allocations == most.allocations && had.launches == most.launches &&
               had.copies == most.copies && had.waits == most.waits,
           "%s: %ld allocations, %ld launches, %ld copies, %ld waits; not %ld, %ld, %ld, %ld", what,
           had.allocations, had.launches, had.copies, had.waits, most.allocations, most.launches,
           most.copies, most.waits);
}

/* A matrix from device arrays is one allocation, one look beside the copies and one wait. A
 * conversion waits for the numbers that size its arrays, and once more in the end. */
static void costs(gable_context *ctx, const plain_rows *m)
{
    const int64_t entries = m->start[ROWS];
    void *start = send_indices(ctx, m->start, ROWS + 1, 32),
         *column = send_indices(ctx, m->column, entries, 32),
         *value = send_values(ctx, m, GBL_D, entries);
    const gbl_sparse_source source = {.dtype = GBL_D,
                                      .rows = ROWS,
                                      .columns = COLUMNS,
                                      .entries = entries,
                                      .index_bits = 32,
                                      .first = start,
                                      .column = column,
                                      .values = value};
    static const struct {
        const char *what;
        gable_format format;
        int64_t chunk, sigma;
        steps most;
    } ways[] = {
        {"COO", GABLE_COO, 0, 0, {1, 1, 0, 1}},
        {"ELL", GABLE_ELL, 0, 0, {1, 1, 0, 1}},
        /* counted and scanned; the number of places comes back, starts are copied */
        {"SELL", GABLE_SELL, 2, 1, {1, 3, 2, 2}},
        {"SELL, sorted", GABLE_SELL, 2, 6, {1, 4, 3, 2}},
        /* both are counted before the host looks once */
        {"SELL, sorted where that pays", GABLE_SELL, 2, 0, {1, 6, 3, 2}},
        /* widths are looked at in one pass; what is left is counted and scanned; both are filled */
        {"HYB", GABLE_HYB, 0, 0, {1, 5, 2, 3}},
    };
    for (int round = 0; round < 2; round++) { /* in the first one the arena grows */
        gable_sparse *A = NULL;
        steps before = steps_now();
        EXPECT_STATUS(ctx, GABLE_OK, gbl_sparse_create(ctx, "gable_sparse_create", &source, &A));
        if (round == 1)
            expect_steps("creation", before, (steps){1, 1, 4, 1});
        before = steps_now();
        EXPECT_STATUS(ctx, GABLE_OK, gbl_sparse_lengths_get(ctx, A));
        if (round == 1)
            expect_steps("lengths of rows", before, (steps){0, 0, 0, 0});
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
            gable_sparse *B = NULL;
            before = steps_now();
            EXPECT_STATUS(
                ctx, GABLE_OK,
                gable_sparse_convert(ctx, A, ways[w].format, ways[w].chunk, ways[w].sigma, &B));
            if (round == 1)
                expect_steps(ways[w].what, before, ways[w].most);
            EXPECT_STATUS(ctx, GABLE_OK, gable_sparse_destroy(ctx, B));
        }
        EXPECT_STATUS(ctx, GABLE_OK, gable_sparse_destroy(ctx, A));
    }
    void *const all[] = {start, column, value};
    for (int i = 0; i < 3; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, all[i]));
}

#define MOST_BYTES 100000 /* that all of it takes, at most */

/* Everything that a matrix does, once: the first status that is not GABLE_OK. */
static gable_status whole_life(gable_context *ctx, const gbl_sparse_source *source)
{
    static const gable_format formats[] = {GABLE_COO, GABLE_ELL, GABLE_SELL, GABLE_HYB};
    gable_sparse *A = NULL, *turned = NULL;
    gable_sparse_info info;
    int64_t start[ROWS + 1];
    gable_status status = gbl_sparse_create(ctx, "gable_sparse_create", source, &A);
    if (status == GABLE_OK)
        status = gable_sparse_describe(ctx, A, &info);
    if (status == GABLE_OK)
        status = gbl_sparse_transpose(ctx, A, &turned);
    for (int f = 0; f < 4 && status == GABLE_OK; f++) {
        gable_sparse *B = NULL;
        status = gable_sparse_convert(ctx, A, formats[f], formats[f] == GABLE_SELL ? 2 : 0,
                                      formats[f] == GABLE_SELL ? 6 : 0, &B);
        if (status == GABLE_OK)
            status = gable_sparse_dget(ctx, B, start, NULL, NULL);
        EXPECT((status == GABLE_OK) <= (B != NULL), "a matrix that was made is not there");
        if (B != NULL)
            gable_sparse_destroy(ctx, B);
    }
    if (A != NULL)
        gable_sparse_destroy(ctx, A);
    return status;
}

/* Each copy and each launch fails in turn: the status comes back, and nothing is left behind. */
static void failures(gable_context *ctx, const plain_rows *m)
{
    static const fake_kind kinds[] = {FAKE_COPY, FAKE_LAUNCH};
    const int64_t entries = m->start[ROWS];
    void *start = send_indices(ctx, m->start, ROWS + 1, 32),
         *column = send_indices(ctx, m->column, entries, 32),
         *value = send_values(ctx, m, GBL_D, entries);
    const gbl_sparse_source source = {.dtype = GBL_D,
                                      .rows = ROWS,
                                      .columns = COLUMNS,
                                      .entries = entries,
                                      .index_bits = 32,
                                      .first = start,
                                      .column = column,
                                      .values = value};
    EXPECT_STATUS(ctx, GABLE_OK, whole_life(ctx, &source)); /* the arena has what it needs */
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        int nth = 1;
        for (; nth < 1000; nth++) {
            const int before = fake_alive().blocks;
            fake_fail(kinds[k], nth);
            const gable_status status = whole_life(ctx, &source);
            const bool fired = fake_fired();
            fake_fail(kinds[k], 0);
            EXPECT(fake_alive().blocks == before, "%s %d: %d blocks are left",
                   fake_kind_name(kinds[k]), nth, fake_alive().blocks - before);
            if (!fired)
                break;
            EXPECT(status == fake_status(kinds[k]), "%s %d: status %d", fake_kind_name(kinds[k]),
                   nth, (int)status);
        }
        EXPECT(nth > 5 && nth < 1000, "%s failed %d times", fake_kind_name(kinds[k]), nth - 1);
    }
    /* Memory: an allocation that fails is tried again once the arena has given back what it does
     * not use. */
    const int before = fake_alive().blocks;
    int refused = 0;
    for (size_t more = 0; more < MOST_BYTES; more += 40) {
        fake_limit(fake_alive_bytes() + more);
        const gable_status status = whole_life(ctx, &source);
        fake_limit(0);
        if (status == GABLE_OK)
            break;
        refused++;
        EXPECT(status == GABLE_OUT_OF_MEMORY, "%zu bytes more: status %d", more, (int)status);
    }
    EXPECT_STATUS(ctx, GABLE_OK, whole_life(ctx, &source)); /* the arena is as before */
    EXPECT(refused > 10 && fake_alive().blocks == before, "refused %d times, %d blocks are left",
           refused, fake_alive().blocks - before);
    void *const all[] = {start, column, value};
    for (int i = 0; i < 3; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, all[i]));
}

long check_sparse_kernels(gable_context *ctx)
{
    const int most = ctx->device->props.max_group;
    plain_rows m;
    make_plain(&m);
    ctx->device->props.max_group = ITEMS; /* kernels_c.cmake has groups of four */
    both_ways(ctx, &m, GBL_D, 32);
    both_ways(ctx, &m, GBL_Z, 64);
    costs(ctx, &m);
    failures(ctx, &m);
    ctx->device->props.max_group = most;
    return expect_failures;
}
