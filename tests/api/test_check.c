/* test_check.c: GABLE_DEBUG=check: operands outside their allocation, overlaps, freed memory, stale
 * recordings.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is legal must stay legal: interleaved vectors, rows of one matrix, the triangle that is not
 * used.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "harness/check.h"

enum { N = 8, ROOM = N * N };

static gable_context *ctx;
static double *a, *b, *c; /* ROOM numbers each */
static double host[ROOM];

static void fill(void)
{
    CHECK_OK(ctx, gable_set_vector(ctx, ROOM, sizeof(double), host, 1, a, 1));
    CHECK_OK(ctx, gable_set_vector(ctx, ROOM, sizeof(double), host, 1, b, 1));
    CHECK_OK(ctx, gable_set_vector(ctx, ROOM, sizeof(double), host, 1, c, 1));
}

static void open_context(const char *words)
{
    if (words != NULL)
        setenv("GABLE_DEBUG", words, 1);
    else
        unsetenv("GABLE_DEBUG");
    ctx = test_open();
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&a));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&b));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&c));
    fill();
}

static void close_context(void)
{
    CHECK_OK(ctx, gable_free(ctx, a));
    CHECK_OK(ctx, gable_free(ctx, b));
    CHECK_OK(ctx, gable_free(ctx, c));
    gable_close(ctx);
}

#define REFUSED(call, routine, ...)                                                                \
    CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, routine, __VA_ARGS__)

/* One element too many, in every kind of operand. */
static void bounds(void)
{
    test_case("bounds");
    REFUSED(gable_dcopy(ctx, ROOM, a, 1, b + 1, 1), "gable_dcopy",
            "argument 5 (y) reaches over 512", "allocation of 512 bytes has 504 left");
    REFUSED(gable_dcopy(ctx, ROOM / 2 + 1, a, -2, b, 1), "gable_dcopy", "argument 3 (x) reaches");
    gable_cdouble *za = (gable_cdouble *)a, *zb = (gable_cdouble *)b, *zc = (gable_cdouble *)c;
    gable_cdouble *a_end = (gable_cdouble *)(a + ROOM - 1),
                  *c_end = (gable_cdouble *)(c + ROOM - 1);
    REFUSED(gable_zdotu(ctx, N, za, 1, zb, 1, c_end), "gable_zdotu",
            "argument 7 (result) reaches over 16 bytes");
    REFUSED(gable_zaxpy_dev(ctx, N, c_end, za, 1, zb, 1), "gable_zaxpy_dev",
            "argument 3 (alpha) reaches over 16 bytes");
    REFUSED(gable_zdscal_dev(ctx, N, (double *)zc, zb + ROOM / 2 - N + 1, 1), "gable_zdscal_dev",
            "argument 4 (x)");
    REFUSED(gable_zrotg_dev(ctx, za, zb, c, a_end), "gable_zrotg_dev", "argument 5 (s)");
    REFUSED(gable_drotm_dev(ctx, N, a, 1, b, 1, c + ROOM - 4), "gable_drotm_dev",
            "argument 7 (param) reaches over 40 bytes");
    REFUSED(gable_dmdot(ctx, N, N, a + 1, N, b, 1, c), "gable_dmdot", "argument 4 (X)");
    REFUSED(gable_dmdot(ctx, 1, N, a, 1, b, 1, c + ROOM - N + 1), "gable_dmdot",
            "argument 8 (result)");
    REFUSED(gable_dmaxpy_dev(ctx, N, N, 2, c + ROOM - N + 1, a, N, b, 1), "gable_dmaxpy_dev",
            "argument 5 (a)");
    REFUSED(gable_dgemv(ctx, GABLE_NO_TRANS, N, N, 2, a, N + 1, b, 1, 3, c, 1), "gable_dgemv",
            "argument 6 (A) reaches over 568 bytes");
    REFUSED(gable_dgemv(ctx, GABLE_TRANS, N, N, 2, a, N, b + ROOM - N + 1, 1, 3, c, 1),
            "gable_dgemv", "argument 8 (x)");
    REFUSED(gable_dsymv(ctx, GABLE_UPPER, N, 2, a + 1, N, b, 1, 3, c, 1), "gable_dsymv",
            "argument 5 (A)");
    REFUSED(gable_dtrsv(ctx, GABLE_UPPER, GABLE_NO_TRANS, GABLE_UNIT, N, a, N, b, 10),
            "gable_dtrsv", "argument 8 (x)");
    REFUSED(gable_dger(ctx, N, N, 2, a, 1, b, 1, c + 1, N), "gable_dger", "argument 9 (A)");
    REFUSED(gable_dsyr2(ctx, GABLE_LOWER, N, 2, a, 1, b, 1, c, N + 1), "gable_dsyr2",
            "argument 9 (A)");
    REFUSED(gable_dgeam(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, N, N, 2, a, N, 2, b + 1, N, c, N),
            "gable_dgeam", "argument 10 (B)");
    REFUSED(gable_dtranspose(ctx, GABLE_TRANS, 4, N, a, 4, b, 20), "gable_dtranspose",
            "argument 7 (B)");
    REFUSED(gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, 16, b, 1, 4, 3, c, 1, -4, 4),
            "gable_dgemv_strided", "argument 13 (y) reaches 96 bytes in front of",
            "allocation of 512 bytes has 0");
    REFUSED(gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, 16, b, 1, 4, 3, c, 1, 4, 5),
            "gable_dgemv_strided", "argument 6 (A)");
    REFUSED(gable_set_matrix(ctx, N, N, sizeof(double), host, N, a + 1, N), "gable_set_matrix",
            "argument 7 (dA)");
    REFUSED(gable_get_vector(ctx, ROOM + 1, sizeof(double), a, 1, host, 1), "gable_get_vector",
            "argument 4 (dx)");
    REFUSED(gable_copy_bytes(ctx, a, b, sizeof host + 1), "gable_copy_bytes",
            "argument 2 (destination)");
    REFUSED(gable_fill_bytes(ctx, a + 1, 0, sizeof host), "gable_fill_bytes",
            "argument 2 (address)");

    /* To the last element, and operands that are not read. */
    CHECK_OK(ctx, gable_dcopy(ctx, ROOM, a, 1, b, -1));
    CHECK_OK(ctx, gable_dgemv(ctx, GABLE_NO_TRANS, N, N, 2, a, N, b, N, 0, c, -N));
    CHECK_OK(ctx, gable_dgemv(ctx, GABLE_NO_TRANS, N, N, 0, a, 100, b, 100, 0, c, 1));
    CHECK_OK(ctx, gable_daxpby(ctx, N, 0, a, 100, 2, b, 1));
    CHECK_OK(ctx, gable_dgeam(ctx, GABLE_TRANS, GABLE_TRANS, N, N, 0, NULL, N, 2, b, N, c, N));
    CHECK_OK(ctx, gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a + 48, 4, -16, b, 1, 4, 3,
                                      c + 12, 1, -4, 4));
    CHECK_OK(ctx, gable_sync(ctx));
    fill();
}

static void overlaps(void)
{
    test_case("overlaps");
    REFUSED(gable_dcopy(ctx, 4, a, 1, a + 1, 1), "gable_dcopy",
            "argument 5 (y) is written and overlaps argument 3 (x)");
    REFUSED(gable_dcopy(ctx, 4, a, 1, a, -1), "gable_dcopy", "argument 5 (y)");
    REFUSED(gable_dcopy(ctx, 4, a, 2, a + 3, 3), "gable_dcopy", "argument 5 (y)");
    REFUSED(gable_dwaxpby(ctx, 4, 2, a, 1, 3, b, 1, b + 2, 1), "gable_dwaxpby",
            "argument 9 (w) is written and overlaps argument 7 (y)");
    REFUSED(gable_ddot(ctx, 4, a, 1, b, 1, a + 2), "gable_ddot", "argument 7 (result)");
    REFUSED(gable_dgemv(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, b, 1, 3, b, 1), "gable_dgemv",
            "argument 11 (y) is written and overlaps argument 8 (x)");
    REFUSED(gable_dgemv(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, b, 1, 3, a + 8, 1), "gable_dgemv",
            "argument 11 (y) is written and overlaps argument 6 (A)");
    REFUSED(gable_dmaxpy(ctx, N, 3, 2, host, a, N, a + N, 1), "gable_dmaxpy",
            "argument 8 (y) is written and overlaps argument 6 (X)");
    REFUSED(gable_dger(ctx, 4, 4, 2, a + 4, 1, b, 1, a, 4), "gable_dger",
            "argument 9 (A) is written and overlaps argument 5 (x)");
    REFUSED(gable_dtrsv(ctx, GABLE_UPPER, GABLE_NO_TRANS, GABLE_NON_UNIT, 4, a, 4, a + 12, 1),
            "gable_dtrsv", "argument 8 (x)");
    REFUSED(gable_dgeam(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 4, 4, 2, a, 4, 2, b, 4, a + 1, 4),
            "gable_dgeam", "argument 12 (C)");
    REFUSED(gable_dtranspose(ctx, GABLE_TRANS, 4, 4, a, 4, a + 4, 4), "gable_dtranspose",
            "argument 7 (B)");
    REFUSED(gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, 16, b, 1, 4, 3, b + 8, 1, 2, 3),
            "gable_dgemv_strided", "argument 13 (y) is written and overlaps argument 9 (x)",
            "y of batch entry 0 and x of batch entry 2");
    REFUSED(
        gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, 16, b, 1, 4, 3, c + 9, 1, -3, 3),
        "gable_dgemv_strided",
        "overlaps argument 13 (y): y of batch entry 0 and y of batch entry 1");
    REFUSED(gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a + 16, 4, -16, b, 1, 4, 3, a + 12, 1,
                                16, 2),
            "gable_dgemv_strided",
            "overlaps argument 6 (A): y of batch entry 0 and A of batch entry 1");
    REFUSED(gable_copy_bytes(ctx, a, (char *)a + 8, 16), "gable_copy_bytes",
            "argument 2 (destination)");

    /* In place, interleaved, side by side, and where the other triangle is not used. */
    CHECK_OK(ctx, gable_dcopy(ctx, 4, a, 1, a, 1));
    CHECK_OK(ctx, gable_dwaxpby(ctx, 4, 2, a, 1, 3, b, 1, b, 1));
    CHECK_OK(ctx, gable_dcopy(ctx, 4, a, 2, a + 1, 2));
    CHECK_OK(ctx, gable_dcopy(ctx, 4, a, -1, a + 4, 1));
    CHECK_OK(ctx, gable_dswap(ctx, N, a, N, a + 3, N));
    CHECK_OK(ctx, gable_dgeam(ctx, GABLE_NO_TRANS, GABLE_TRANS, 4, 4, 2, a, 4, 2, b, 4, a, 4));
    CHECK_OK(ctx, gable_dtranspose(ctx, GABLE_TRANS, N, N, a, N, a, N));
    CHECK_OK(ctx, gable_dgemv(ctx, GABLE_NO_TRANS, 3, 3, 2, a, N, a + 3, N, 3, a + 4, N));
    CHECK_OK(ctx, gable_dsyr(ctx, GABLE_UPPER, N - 1, 2, a + 1, 1, a + N, N));
    CHECK_OK(ctx, gable_dsyr(ctx, GABLE_UPPER, 4, 2, a + 4, 1, a, N));
    CHECK_OK(ctx, gable_dtrsv(ctx, GABLE_LOWER, GABLE_NO_TRANS, GABLE_UNIT, N, a, N, a, N + 1));
    CHECK_OK(ctx, gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, 20, b, 1, 4, 3, a + 16, 1,
                                      20, 3));
    CHECK_OK(ctx, gable_dgemv_strided(ctx, GABLE_NO_TRANS, 4, 4, 2, a, 4, 0, b, 2, 8, 3, b + 1, 2,
                                      8, 4));
    CHECK_OK(ctx, gable_zdscal_dev(ctx, 4, c + ROOM - 1, (gable_cdouble *)b, 1));
    CHECK_OK(ctx, gable_sync(ctx));
    fill();
}

/* Batches of products: those of nothing reach nowhere, and many are checked in a time that grows
 * with their number. */
static void batches(void)
{
    enum { MANY = 70000 };
    const gable_trans plain = GABLE_NO_TRANS;
    double *A = NULL, *B = NULL, *C = NULL;
    test_case("k = 0");
    CHECK_OK(ctx, gable_dgemm_strided(ctx, plain, plain, 2, 2, 0, 2, a, 2, 1000, b, 2, -1000, 3, c,
                                      2, 16, 4));
    CHECK_OK(ctx,
             gable_dgemm_strided(ctx, plain, plain, 2, 2, 0, 2, c, 2, 1, c, 2, 1, 3, c, 2, 16, 4));
    REFUSED(gable_dgemm_strided(ctx, plain, plain, 2, 2, 0, 2, a, 2, 0, b, 2, 0, 3, c, 2, 16, 5),
            "gable_dgemm_strided", "argument 15 (C)");
    CHECK_OK(ctx, gable_sync(ctx));
    fill();

    test_case("%d members", (int)MANY);
    CHECK_OK(ctx, gable_alloc(ctx, 4 * MANY * sizeof(double), (void **)&A));
    CHECK_OK(ctx, gable_alloc(ctx, 4 * MANY * sizeof(double), (void **)&B));
    CHECK_OK(ctx, gable_alloc(ctx, 4 * MANY * sizeof(double), (void **)&C));
    CHECK_OK(ctx, gable_fill_bytes(ctx, A, 0, 4 * MANY * sizeof(double)));
    CHECK_OK(ctx, gable_fill_bytes(ctx, B, 0, 4 * MANY * sizeof(double)));
    const clock_t start = clock();
    /* one A for all, one A and one B beside C in the same memory, and matrices that are
     * interleaved */
    CHECK_OK(ctx, gable_dgemm_strided(ctx, plain, plain, 2, 2, 2, 2, A, 2, 0, B, 2, 4, 0, C, 2, 4,
                                      MANY));
    CHECK_OK(ctx, gable_dgemm_strided(ctx, plain, plain, 1, 2, 1, 2, C, 1, 0, C + 1, 1, 0, 0, C + 3,
                                      1, 2, MANY));
    CHECK_OK(ctx, gable_dgemm_strided(ctx, plain, plain, 1, 2, 1, 2, A, 1, 1, B, MANY, 1, 0, C,
                                      MANY, 1, MANY));
    CHECK_OK(ctx, gable_dgemm_strided(ctx, plain, plain, 1, 2, 1, 2, C, 1, 1, C + 2 * MANY, 2, 2, 0,
                                      C + MANY, MANY / 2, 1, MANY / 2));
    REFUSED(gable_dgemm_strided(ctx, plain, plain, 1, 2, 1, 2, C + 4 * MANY - 1, 1, 0, B, 2, 2, 0,
                                C + 2 * MANY, 1, 2, MANY),
            "gable_dgemm_strided",
            "overlaps argument 8 (A): C of batch entry 69999 and A of batch entry 0");
    REFUSED(gable_dgemm_strided(ctx, plain, plain, 1, 2, 1, 2, A, 1, 1, B, 2, 2, 0, C, MANY - 1, 1,
                                MANY),
            "gable_dgemm_strided",
            "overlaps argument 15 (C): C of batch entry 0 and C of batch entry 69999");
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK(seconds < 5, "six calls took %g s of processor time", seconds);
    CHECK_OK(ctx, gable_free(ctx, A));
    CHECK_OK(ctx, gable_free(ctx, B));
    CHECK_OK(ctx, gable_free(ctx, C));
}

static void freed_memory(void)
{
    double *x = NULL, sum = 5;
    test_case("freed memory");
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&x));
    CHECK_OK(ctx, gable_free(ctx, x));
    gable_device_info info;
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    REFUSED(gable_ddot(ctx, N, x, 1, a, 1, &sum), "gable_ddot", "argument 3 (x)");
    REFUSED(gable_dfill(ctx, N, 7, x + 4, 1), "gable_dfill", "argument 4 (x)",
            "that gable_free has freed");
    REFUSED(gable_get_vector(ctx, N, sizeof(double), x, 1, host, 1), "gable_get_vector",
            "argument 4 (dx)", "freed");
    REFUSED(gable_free(ctx, x), "gable_free", "argument 2 (address)", "was freed before");
    REFUSED(gable_free(ctx, a + 1), "gable_free", "not the start of an allocation");
    CHECK(sum == 5, "a refused result was written");
}

/* Without the word, freeing twice is refused as well. */
static void double_free(void)
{
    double *x = NULL;
    test_case("double free");
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&x));
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_STATUS(ctx, gable_free(ctx, x), GABLE_BAD_ARGUMENT);
}

static void stale_recording(void)
{
    double *x = NULL, got[N];
    gable_recording *kept = NULL, *stale = NULL;
    test_case("a recording whose memory is gone");
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&x));
    CHECK_OK(ctx, gable_dfill(ctx, N, 3, x, 1));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_dcopy(ctx, N, b, 1, a, 1));
    CHECK_STATUS(ctx, gable_dcopy(ctx, ROOM + 1, x, 1, a, 1), GABLE_BAD_ARGUMENT);
    CHECK_OK(ctx, gable_record_end(ctx, &kept));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_dcopy(ctx, N, b, 1, a, 1));
    CHECK_OK(ctx, gable_daxpy(ctx, N, 2, x, 1, a, 1));
    CHECK_OK(ctx, gable_record_end(ctx, &stale));
    CHECK_OK(ctx, gable_replay(ctx, stale));
    CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof(double), a, 1, got, 1));
    CHECK(got[0] == host[0] + 6 && got[N - 1] == host[N - 1] + 6, "%g %g", got[0], got[N - 1]);
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_fill_bytes(ctx, a, 0, sizeof host));
    REFUSED(gable_replay(ctx, stale), "gable_replay", "argument 2 (recording) uses memory",
            "has freed since");
    CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof(double), a, 1, got, 1));
    CHECK(got[0] == 0, "a refused replay ran");
    CHECK_OK(ctx, gable_replay(ctx, kept));
    /* The same address again is another allocation. */
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&x));
    REFUSED(gable_replay(ctx, stale), "gable_replay", "argument 2 (recording)");
    CHECK_OK(ctx, gable_free(ctx, x));
    gable_recording_destroy(kept);
    gable_recording_destroy(stale);
    fill();
}

/* The caller's own memory, where the device takes it, is nobody's business. */
static void foreign_memory(void)
{
    gable_device_info info;
    test_case("foreign memory");
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    if (strcmp(info.name, "cpu") != 0) {
        test_leave_out(NULL, "memory of the caller on %s", info.name);
        return;
    }
    double *own = calloc(ROOM, sizeof *own);
    CHECK_OK(ctx, gable_dcopy(ctx, ROOM, a, 1, own, 1));
    CHECK(memcmp(own, host, sizeof host) == 0, "the copy is wrong");
    free(own);
    /* What malloc gives again is not what gable_free freed. */
    for (int i = 0; i < 200; i++) {
        double *x = NULL;
        CHECK_OK(ctx, gable_alloc(ctx, 256, (void **)&x));
        CHECK_OK(ctx, gable_free(ctx, x));
        own = calloc(32, sizeof *own);
        CHECK_OK(ctx, gable_dfill(ctx, 32, 1, own, 1));
        free(own);
    }
}

/* Arrays of addresses are followed. */
static void addresses(void)
{
    test_case("addresses in device memory");
    double *A[2] = {a, a + 16}, *x[2] = {b, b + 4}, *y[2] = {c, c + 4};
    void **lists[3];
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ctx, gable_alloc(ctx, sizeof A, (void **)&lists[i]));
        CHECK_OK(ctx, gable_set_vector(ctx, 2, sizeof A[0],
                                       i == 0   ? A
                                       : i == 1 ? x
                                                : y,
                                       1, lists[i], 1));
    }
    const double *const *dA = (const double *const *)lists[0];
    const double *const *dx = (const double *const *)lists[1];
    double *const *dy = (double *const *)lists[2];
    CHECK_OK(ctx, gable_dgemv_batched(ctx, GABLE_NO_TRANS, 4, 4, 2, dA, 4, dx, 1, 3, dy, 1, 2));
    REFUSED(gable_dgemv_batched(ctx, GABLE_NO_TRANS, 4, 4, 2, dA, 4, dx, 1, 3, dy, 1, 3),
            "gable_dgemv_batched", "argument 6 (A) reaches over 24 bytes");
    REFUSED(gable_dgemv_batched(ctx, GABLE_NO_TRANS, 4, 4, 2, dA, 16, dx, 1, 3, dy, 1, 2),
            "gable_dgemv_batched", "argument 6 (A) reaches over 416 bytes");
    y[1] = b + 4;
    CHECK_OK(ctx, gable_set_vector(ctx, 2, sizeof y[0], y, 1, lists[2], 1));
    REFUSED(gable_dgemv_batched(ctx, GABLE_NO_TRANS, 4, 4, 2, dA, 4, dx, 1, 3, dy, 1, 2),
            "gable_dgemv_batched", "argument 11 (y) is written and overlaps argument 8 (x)");
    CHECK_OK(ctx, gable_sync(ctx));
    for (int i = 0; i < 3; i++)
        CHECK_OK(ctx, gable_free(ctx, lists[i]));
    fill();
}

int main(void)
{
    test_start("test_check");
    for (int i = 0; i < ROOM; i++)
        host[i] = i % 7 + 1;
    open_context("check");
    bounds();
    overlaps();
    batches();
    freed_memory();
    double_free();
    stale_recording();
    foreign_memory();
    addresses();
    close_context();

    open_context(NULL);
    gable_device_info info;
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    double_free();
    /* There a kernel that leaves its memory would end the process: bounds and recordings are held
     * anyway. */
    if (strncmp(info.name, "opencl", 6) == 0) {
        bounds();
        stale_recording();
    }
    close_context();
    return test_finish();
}
