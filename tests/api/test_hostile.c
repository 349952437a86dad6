/* test_hostile.c: sizes, strides and leading dimensions that no caller means: nothing may crash.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every integer of every call in turn, then every pair of integers, takes values up to the ends of
 * int64_t. A call must say which argument is wrong and leave all memory as it was. Here are calls
 * of public functions, one of each kind; in hostile_ops.c every op has some that its description
 * makes.
 *
 * Values whose extent does not fit 63 bits are refused on every device, whatever the memory. Those
 * that fit but leave an allocation are refused where allocations are looked up: on OpenCL always,
 * elsewhere under GABLE_DEBUG=check.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "hostile_ops.h"

enum { ROOM = 64, BUFFERS = 4, MOST = 8 };

static gable_context *ctx;
static double
    *at[BUFFERS]; /* device memory, ROOM numbers each; the host's copy of what they start with */
static double host[ROOM], arrays[3][ROOM];
static double **pointers[3]; /* of gemv_batched: in device memory */

/* The integers of a call: first those that count elements, then those that are distances. */
typedef struct hostile_call {
    const char *name;
    int sizes, pitches;
    int64_t legal[MOST];
    gable_status (*run)(const int64_t *p);
    int host_pitch; /* index of the distance in host memory, whose end nobody knows; 0: none */
} hostile_call;

#define CALL(name, ...)                                                                            \
    static gable_status call_##name(const int64_t *p)                                              \
    {                                                                                              \
        return gable_##name(ctx, __VA_ARGS__);                                                     \
    }
#define S(i) ((float *)at[i])
#define Z(i) ((gable_cdouble *)at[i])
#define C(i) ((gable_cfloat *)at[i])
static const gable_cdouble z1 = {1, 2};
static const gable_cfloat c1 = {1, 2};

CALL(dcopy, p[0], at[0], p[1], at[1], p[2])
CALL(caxpy, p[0], c1, C(0), p[1], C(1), p[2])
CALL(daxpy_dev, p[0], at[2], at[0], p[1], at[1], p[2])
CALL(dfill, p[0], 7, at[0], p[1])
CALL(drandom, p[0], 1, 2, 0, 1, at[0], p[1])
CALL(drotm_dev, p[0], at[0], p[1], at[1], p[2], at[2])
CALL(zdotc, p[0], Z(0), p[1], Z(1), p[2], Z(2))
CALL(dsdot, p[0], S(0), p[1], S(1), p[2], at[2])
CALL(sdsdot, p[0], 1, S(0), p[1], S(1), p[2], S(2))
CALL(idamax, p[0], at[0], p[1], (int64_t *)at[2])
CALL(dmdot, p[0], p[1], at[0], p[2], at[1], p[3], at[2])
CALL(dmaxpy, p[0], p[1], 2, host, at[0], p[2], at[1], p[3])
CALL(dmaxpy_dev, p[0], p[1], 2, at[2], at[0], p[2], at[1], p[3])
static gable_status call_dgemv(const int64_t *p)
{
    return gable_dgemv(ctx, GABLE_NO_TRANS, p[0], p[1], 2, at[0], p[2], at[1], p[3], 3, at[2],
                       p[4]);
}
static gable_status call_zgemv_t(const int64_t *p)
{
    return gable_zgemv(ctx, GABLE_TRANS, p[0], p[1], z1, Z(0), p[2], Z(1), p[3], z1, Z(2), p[4]);
}
CALL(dger, p[0], p[1], 2, at[0], p[2], at[1], p[3], at[2], p[4])
CALL(dgemv_strided, GABLE_NO_TRANS, p[0], p[1], 2, at[0], p[3], p[4], at[1], p[5], 8, 3, at[2], 1,
     p[6], p[2])
CALL(dgemv_batched, GABLE_TRANS, p[0], p[1], 2, (const double *const *)pointers[0], p[3],
     (const double *const *)pointers[1], p[4], 3, pointers[2], p[5], p[2])
CALL(dgeam, GABLE_NO_TRANS, GABLE_TRANS, p[0], p[1], 2, at[0], p[2], 3, at[1], p[3], at[2], p[4])
CALL(dtranspose, GABLE_TRANS, p[0], p[1], at[0], p[2], at[1], p[3])
CALL(set_vector, p[0], 8, host, p[1], at[0], p[2])
CALL(get_vector, p[0], 8, at[0], p[1], arrays[0], p[2])
CALL(set_matrix, p[0], p[1], 8, host, p[2], at[0], p[3])
CALL(get_matrix, p[0], p[1], 8, at[0], p[2], arrays[0], p[3])
static gable_status call_copy_bytes(const int64_t *p)
{
    return gable_copy_bytes(ctx, at[0], at[1], (size_t)p[0]);
}
static gable_status call_fill_bytes(const int64_t *p)
{
    return gable_fill_bytes(ctx, at[0], 5, (size_t)p[0]);
}

static const hostile_call calls[] = {
    {.name = "dcopy", .sizes = 1, .pitches = 2, .legal = {4, 1, 2}, .run = call_dcopy},
    {.name = "caxpy", .sizes = 1, .pitches = 2, .legal = {4, 1, 1}, .run = call_caxpy},
    {.name = "daxpy_dev", .sizes = 1, .pitches = 2, .legal = {4, 1, 1}, .run = call_daxpy_dev},
    {.name = "dfill", .sizes = 1, .pitches = 1, .legal = {4, 1}, .run = call_dfill},
    {.name = "drandom", .sizes = 1, .pitches = 1, .legal = {4, 1}, .run = call_drandom},
    {.name = "drotm_dev", .sizes = 1, .pitches = 2, .legal = {4, 1, 1}, .run = call_drotm_dev},
    {.name = "zdotc", .sizes = 1, .pitches = 2, .legal = {4, 1, 1}, .run = call_zdotc},
    {.name = "dsdot", .sizes = 1, .pitches = 2, .legal = {4, 1, 1}, .run = call_dsdot},
    {.name = "sdsdot", .sizes = 1, .pitches = 2, .legal = {4, 1, 1}, .run = call_sdsdot},
    {.name = "idamax", .sizes = 1, .pitches = 1, .legal = {4, 1}, .run = call_idamax},
    {.name = "dmdot", .sizes = 2, .pitches = 2, .legal = {4, 4, 5, 1}, .run = call_dmdot},
    {.name = "dmaxpy", .sizes = 2, .pitches = 2, .legal = {4, 4, 4, 1}, .run = call_dmaxpy},
    {.name = "dmaxpy_dev", .sizes = 2, .pitches = 2, .legal = {4, 4, 4, 1}, .run = call_dmaxpy_dev},
    {.name = "dgemv", .sizes = 2, .pitches = 3, .legal = {4, 3, 5, 1, 1}, .run = call_dgemv},
    {.name = "zgemv_t", .sizes = 2, .pitches = 3, .legal = {4, 3, 5, 1, 1}, .run = call_zgemv_t},
    {.name = "dger", .sizes = 2, .pitches = 3, .legal = {4, 3, 1, 1, 5}, .run = call_dger},
    {.name = "dgemv_strided",
     .sizes = 3,
     .pitches = 4,
     .legal = {3, 3, 2, 3, 9, 1, 3},
     .run = call_dgemv_strided},
    {.name = "dgemv_batched",
     .sizes = 3,
     .pitches = 3,
     .legal = {3, 3, 2, 3, 1, 1},
     .run = call_dgemv_batched},
    {.name = "dgeam", .sizes = 2, .pitches = 3, .legal = {4, 3, 4, 5, 4}, .run = call_dgeam},
    {.name = "dtranspose", .sizes = 2, .pitches = 2, .legal = {4, 3, 4, 5}, .run = call_dtranspose},
    {.name = "set_vector",
     .sizes = 1,
     .pitches = 2,
     .legal = {4, 1, 2},
     .run = call_set_vector,
     .host_pitch = 1},
    {.name = "get_vector",
     .sizes = 1,
     .pitches = 2,
     .legal = {4, 2, 1},
     .run = call_get_vector,
     .host_pitch = 2},
    {.name = "set_matrix",
     .sizes = 2,
     .pitches = 2,
     .legal = {4, 3, 4, 5},
     .run = call_set_matrix,
     .host_pitch = 2},
    {.name = "get_matrix",
     .sizes = 2,
     .pitches = 2,
     .legal = {4, 3, 5, 4},
     .run = call_get_matrix,
     .host_pitch = 3},
    {.name = "copy_bytes", .sizes = 1, .legal = {8}, .run = call_copy_bytes},
    {.name = "fill_bytes", .sizes = 1, .legal = {8}, .run = call_fill_bytes},
};
enum { CALLS = sizeof calls / sizeof calls[0], CALLS_OF_VECTORS = 10 };

/* The first ones leave 63 bits behind with any count above 1 and any element; the others only leave
 * memory. */
#define BIT(i) ((int64_t)1 << (i))
static const int64_t values[] = {
    INT64_MAX,   INT64_MIN, INT64_MAX - 1, INT64_MIN + 1, BIT(62), -BIT(62), BIT(62) + 5, BIT(61),
    -BIT(61),    BIT(60),   BIT(59),       -BIT(59),      BIT(45), -BIT(45), BIT(40),     -BIT(40),
    BIT(33) + 1, BIT(32),   BIT(31),       -BIT(31),      1000000, -1000000};
enum { VALUES = sizeof values / sizeof values[0], WIDE = 7 };

static void fill_buffers(void)
{
    for (int b = 0; b < BUFFERS; b++)
        CHECK_OK(ctx, gable_set_vector(ctx, ROOM, sizeof(double), host, 1, at[b], 1));
}

static void open_context(void)
{
    ctx = test_open();
    for (int b = 0; b < BUFFERS; b++)
        CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)&at[b]));
    fill_buffers();
    for (int i = 0; i < 3; i++) {
        double *list[2] = {at[i], at[i] + 16};
        CHECK_OK(ctx, gable_alloc(ctx, sizeof list, (void **)&pointers[i]));
        CHECK_OK(ctx, gable_set_vector(ctx, 2, sizeof list[0], list, 1, pointers[i], 1));
    }
}

static void close_context(void)
{
    for (int b = 0; b < BUFFERS; b++)
        CHECK_OK(ctx, gable_free(ctx, at[b]));
    for (int i = 0; i < 3; i++)
        CHECK_OK(ctx, gable_free(ctx, pointers[i]));
    gable_close(ctx);
}

static bool buffers_untouched(void)
{
    double now[ROOM];
    for (int b = 0; b < BUFFERS; b++) {
        if (gable_get_vector(ctx, ROOM, sizeof(double), at[b], 1, now, 1) != GABLE_OK ||
            memcmp(now, host, sizeof now) != 0)
            return false;
    }
    return true;
}

static void must_refuse(const hostile_call *call, const int64_t *p)
{
    char list[200] = "";
    for (int i = 0; i < call->sizes + call->pitches; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %lld", (long long)p[i]);
    test_case("%s of%s", call->name, list);
    const gable_status status = call->run(p);
    CHECK(status == GABLE_BAD_ARGUMENT, "%s: %s", gable_status_name(status), gable_message(ctx));
    CHECK(strstr(gable_message(ctx), ": argument ") != NULL, "no argument is named: %s",
          gable_message(ctx));
    if (status != GABLE_BAD_ARGUMENT)
        fill_buffers();
}

/* Sizes of one integer alone are within 63 bits for elements of one byte, and strides for one
 * element. */
static bool one_is_illegal(const hostile_call *call, int i, int64_t value)
{
    const bool bytes = call->run == call_copy_bytes || call->run == call_fill_bytes;
    return !bytes || value < 0 || i >= call->sizes;
}

/* Where allocations are looked up all values are refused. Addresses in the device's memory are
 * followed under GABLE_DEBUG=check only. */
static void hostile(bool guarded, bool checked)
{
    for (int c = 0; c < CALLS; c++) {
        const hostile_call *call = &calls[c];
        const bool follows = checked || call->run != call_dgemv_batched;
        const int count = guarded && follows ? VALUES : WIDE;
        const int integers = call->sizes + call->pitches;
        int64_t p[MOST];
        memcpy(p, call->legal, sizeof p);
        test_case("%s as it should be", call->name);
        CHECK_OK(ctx, call->run(p));
        CHECK_OK(ctx, gable_sync(ctx));
        fill_buffers();
        for (int i = 0; i < integers; i++) {
            const bool unknown = call->host_pitch > 0 && i == call->host_pitch;
            for (int v = 0; v < (unknown ? WIDE : count); v++) {
                memcpy(p, call->legal, sizeof p);
                p[i] = values[v];
                if (guarded || one_is_illegal(call, i, p[i]))
                    must_refuse(call, p);
                for (int j = i + 1; j < integers; j++) {
                    p[j] = values[(v * 5 + j) % count];
                    must_refuse(call, p);
                    p[j] = call->legal[j];
                }
            }
        }
        CHECK(buffers_untouched(), "%s wrote though it refused", call->name);
        fill_buffers();
    }
}

/* The calls that were seen to end the process, or to write in front of their vector. */
static void seen_before(void)
{
    test_case("seen before");
    CHECK_REFUSED(ctx, gable_dfill(ctx, 4, 7, at[0] + 8, INT64_MAX), GABLE_BAD_ARGUMENT,
                  "gable_dfill", "argument 5 (incx) is 9223372036854775807", "2^63 - 1 bytes");
    CHECK_REFUSED(ctx, gable_daxpy(ctx, INT64_MAX, 2, at[0], 1, at[1], 1), GABLE_BAD_ARGUMENT,
                  "gable_daxpy", "argument 2 (n) is 9223372036854775807",
                  "so many elements of 8 bytes");
    CHECK_REFUSED(
        ctx, gable_dgemv(ctx, GABLE_NO_TRANS, 4, 4, 2, at[0], INT64_MAX, at[1], 1, 0, at[2], 1),
        GABLE_BAD_ARGUMENT, "gable_dgemv", "argument 7 (lda)", "2^63 - 1 bytes");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, INT64_MAX, 2, 8, host, INT64_MAX, at[0], INT64_MAX),
                  GABLE_BAD_ARGUMENT, "gable_set_matrix", "argument 2 (m)");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 2, SIZE_MAX, host, 1, at[0], 1), GABLE_BAD_ARGUMENT,
                  "gable_set_vector", "argument 3 (elem_bytes)");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 4, SIZE_MAX / 4, host, 1, at[0], 1),
                  GABLE_BAD_ARGUMENT, "gable_set_vector", "argument 2 (n)");
    CHECK_REFUSED(ctx, gable_dmdot(ctx, 4, INT64_MAX, at[0], 4, at[1], 1, at[2]),
                  GABLE_BAD_ARGUMENT, "gable_dmdot", "argument 3 (k)");
    CHECK_REFUSED(ctx, gable_dmdot(ctx, 0, INT64_MAX, at[0], 4, at[1], 1, at[2]),
                  GABLE_BAD_ARGUMENT, "gable_dmdot", "argument 3 (k)");
    CHECK_REFUSED(ctx, gable_fill_bytes(ctx, at[0], 0, SIZE_MAX), GABLE_BAD_ARGUMENT,
                  "gable_fill_bytes", "argument 4 (bytes)");
    void *address = &address;
    CHECK_STATUS(ctx, gable_alloc(ctx, SIZE_MAX, &address), GABLE_OUT_OF_MEMORY);
    CHECK_STATUS(ctx, gable_alloc(ctx, (size_t)INT64_MAX, &address), GABLE_OUT_OF_MEMORY);
    CHECK(address == &address, "a refused allocation wrote its address");
    CHECK_STATUS(ctx, gable_reserve(ctx, SIZE_MAX), GABLE_OUT_OF_MEMORY);
    CHECK(buffers_untouched(), "a refused call wrote");
}

/* Where nothing is touched, strides and the other sizes may be anything that they could be
 * before. */
static void quick_returns(void)
{
    test_case("nothing to do");
    CHECK_OK(ctx, gable_dcopy(ctx, 0, NULL, INT64_MAX, NULL, INT64_MIN));
    CHECK_OK(ctx, gable_dfill(ctx, 1, 7, at[0], INT64_MAX));
    CHECK_OK(ctx, gable_dcopy(ctx, 1, at[0], INT64_MIN, at[1], INT64_MAX));
    CHECK_OK(ctx, gable_dgemv(ctx, GABLE_NO_TRANS, 0, INT64_MAX, 2, NULL, INT64_MAX, NULL,
                              INT64_MAX, 0, NULL, INT64_MIN));
    CHECK_OK(ctx,
             gable_dger(ctx, INT64_MAX, 0, 2, NULL, INT64_MAX, NULL, INT64_MAX, NULL, INT64_MAX));
    CHECK_OK(ctx, gable_dmaxpy(ctx, 0, INT64_MAX, 2, NULL, NULL, 1, NULL, 1));
    CHECK_OK(ctx, gable_dtranspose(ctx, GABLE_TRANS, 0, INT64_MAX, NULL, 1, NULL, INT64_MAX));
    CHECK_OK(ctx, gable_set_vector(ctx, 0, 8, NULL, INT64_MAX, NULL, INT64_MAX));
    CHECK_OK(ctx, gable_set_matrix(ctx, 0, INT64_MAX, 8, NULL, 1, NULL, INT64_MAX));
    CHECK_OK(ctx, gable_dsyr(ctx, GABLE_UPPER, 0, 2, NULL, INT64_MAX, NULL, INT64_MAX));
    CHECK_OK(ctx, gable_sync(ctx));
    fill_buffers();
}

/* With one element of everything no distance matters. Leading dimensions must be positive. */
static void single_elements(void)
{
    for (int c = 0; c < CALLS; c++) {
        const hostile_call *call = &calls[c];
        int64_t p[MOST];
        for (int v = 0; v < 4; v++) {
            const bool vectors = call->sizes == 1 && c < CALLS_OF_VECTORS;
            if (values[v] < 0 && !vectors)
                continue;
            for (int i = 0; i < MOST; i++)
                p[i] = i < call->sizes ? 1 : values[v];
            test_case("%s of single elements, %lld apart", call->name, (long long)values[v]);
            CHECK_OK(ctx, call->run(p));
            CHECK_OK(ctx, gable_sync(ctx));
        }
    }
    fill_buffers();
}

/* Extents that fit 63 bits, of memory that does not exist. */
static void beyond_memory(void)
{
    test_case("beyond memory");
    CHECK_REFUSED(ctx, gable_dmdot(ctx, 4, BIT(40), at[0], 4, at[1], 1, at[2]), GABLE_BAD_ARGUMENT,
                  "gable_dmdot", "argument 4 (X)", "its allocation of 512 bytes has 512 left");
    CHECK_REFUSED(ctx, gable_dger(ctx, BIT(29), BIT(29), 2, at[0], 1, at[1], 1, at[2], BIT(29)),
                  GABLE_BAD_ARGUMENT, "gable_dger", "argument 5 (x)");
    CHECK_REFUSED(ctx, gable_dger(ctx, BIT(40), BIT(40), 2, at[0], 1, at[1], 1, at[2], BIT(40)),
                  GABLE_BAD_ARGUMENT, "gable_dger", "argument 10 (lda)");
    CHECK_REFUSED(ctx, gable_dscal(ctx, ROOM - 7, 2, at[0] + 8, 1), GABLE_BAD_ARGUMENT,
                  "gable_dscal", "argument 4 (x) reaches over 456 bytes",
                  "its allocation of 512 bytes has 448 left");
    CHECK(buffers_untouched(), "a refused call wrote");
    CHECK_OK(ctx, gable_dscal(ctx, ROOM - 8, 2, at[0] + 8, 1));
    CHECK_OK(ctx, gable_dscal(ctx, ROOM / 2, 2, at[0] + 1, -2));
    CHECK_OK(ctx, gable_sync(ctx));
    fill_buffers();
}

int main(void)
{
    test_start("test_hostile");
    for (int i = 0; i < ROOM; i++)
        host[i] = arrays[0][i] = i + 1;
    unsetenv("GABLE_DEBUG");
    open_context();
    gable_device_info info;
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    const bool opencl = strncmp(info.name, "opencl", 6) == 0;
    seen_before();
    quick_returns();
    single_elements();
    hostile(opencl, false);
    hostile_ops(ctx);
    if (opencl)
        beyond_memory();
    close_context();

    setenv("GABLE_DEBUG", "check", 1);
    open_context();
    seen_before();
    quick_returns();
    single_elements();
    beyond_memory();
    hostile(true, true);
    hostile_ops(ctx);
    close_context();
    return test_finish();
}
