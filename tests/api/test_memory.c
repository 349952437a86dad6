/* test_memory.c: device memory, and data on its way between host and device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every transfer is compared byte for byte, gaps and surroundings included, with a loop that moves
 * one element at a time. Sizes go past two stages of 4 MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "harness/data.h"

#define AROUND 256

/* Host memory and device memory of a transfer, with what the device's should hold. */
typedef struct buffers {
    gable_context *ctx;
    size_t bytes; /* of each, guards included */
    unsigned char *host, *image, *back;
    unsigned char *device;
} buffers;

static bool on_host(void)
{
    return strcmp(test_device(), "cpu") == 0;
}

static bool make(buffers *b, gable_context *ctx, size_t bytes)
{
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    b->bytes = bytes + 2 * AROUND;
    b->host = malloc(b->bytes);
    b->image = malloc(b->bytes);
    b->back = malloc(b->bytes);
    CHECK_OK(ctx, gable_alloc(ctx, b->bytes, (void **)&b->device));
    if (b->host == NULL || b->image == NULL || b->back == NULL || b->device == NULL) {
        CHECK(false, "no memory for %zu bytes", b->bytes);
        return false;
    }
    for (size_t i = 0; i < b->bytes; i++) {
        b->host[i] = (unsigned char)data_bits(1, i);
        b->image[i] = (unsigned char)data_bits(2, i);
    }
    return CHECK_OK(ctx, gable_set_vector(ctx, (int64_t)b->bytes, 1, b->image, 1, b->device, 1));
}

static void destroy(buffers *b)
{
    CHECK_OK(b->ctx, gable_free(b->ctx, b->device));
    free(b->host);
    free(b->image);
    free(b->back);
}

static void compare(const unsigned char *found, const unsigned char *wanted, size_t bytes,
                    const char *what)
{
    if (memcmp(found, wanted, bytes) == 0) {
        test_passed();
        return;
    }
    for (size_t i = 0; i < bytes; i++) {
        if (found[i] != wanted[i]) {
            CHECK(false, "%s: byte %lld is 0x%02x, not 0x%02x", what, (long long)i - AROUND,
                  found[i], wanted[i]);
            return;
        }
    }
}

/* The device's memory is as the image says. */
static void compare_device(buffers *b, const char *what)
{
    memset(b->back, 0, b->bytes);
    CHECK_OK(b->ctx, gable_get_vector(b->ctx, (int64_t)b->bytes, 1, b->device, 1, b->back, 1));
    compare(b->back, b->image, b->bytes, what);
}

/* ---- Vectors and matrices ---- */

/* An m by n matrix there and back; a vector is a matrix of one row and lda its stride. */
static void both_ways(gable_context *ctx, bool vector, int64_t m, int64_t n, size_t elem,
                      int64_t lda, int64_t ldda)
{
    const int64_t wider = lda > ldda ? lda : ldda;
    buffers b;
    test_case("%s m=%lld n=%lld elem=%zu host stride=%lld device stride=%lld on %s",
              vector ? "vector" : "matrix", (long long)m, (long long)n, elem, (long long)lda,
              (long long)ldda, test_device());
    if (make(&b, ctx, (size_t)(wider * n) * elem)) {
        unsigned char *A = b.host + AROUND, *dA = b.device + AROUND;
        if (vector)
            CHECK_OK(ctx, gable_set_vector(ctx, n, elem, A, lda, dA, ldda));
        else
            CHECK_OK(ctx, gable_set_matrix(ctx, m, n, elem, A, lda, dA, ldda));
        for (int64_t j = 0; j < n; j++)
            memcpy(b.image + AROUND + (size_t)(j * ldda) * elem, A + (size_t)(j * lda) * elem,
                   (size_t)m * elem);
        compare_device(&b, "the device after set");

        unsigned char *wanted = b.back;
        for (size_t i = 0; i < b.bytes; i++)
            b.host[i] = wanted[i] = (unsigned char)data_bits(3, i);
        for (int64_t j = 0; j < n; j++)
            memcpy(wanted + AROUND + (size_t)(j * lda) * elem,
                   b.image + AROUND + (size_t)(j * ldda) * elem, (size_t)m * elem);
        if (vector)
            CHECK_OK(ctx, gable_get_vector(ctx, n, elem, dA, ldda, A, lda));
        else
            CHECK_OK(ctx, gable_get_matrix(ctx, m, n, elem, dA, ldda, A, lda));
        compare(b.host, wanted, b.bytes, "the host after get");
        compare_device(&b, "the device after get");
    }
    destroy(&b);
}

static void vectors(gable_context *ctx)
{
    static const size_t elems[] = {1, 3, 8, 16};
    static const int64_t sizes[] = {0, 1, 2, 17, 1000};
    static const int64_t strides[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 3}, {7, 2}, {2, 7}};
    for (size_t e = 0; e < 4; e++)
        for (size_t k = 0; k < 5; k++)
            for (size_t s = 0; s < 6; s++)
                both_ways(ctx, true, 1, sizes[k], elems[e], strides[s][0], strides[s][1]);
    /* Around the stages: 4 MiB each, two of them, staged from 256 KiB. */
    both_ways(ctx, true, 1, (256 << 10) - 1, 1, 1, 1);
    both_ways(ctx, true, 1, 256 << 10, 1, 1, 1);
    both_ways(ctx, true, 1, 4 << 20, 1, 1, 1);
    both_ways(ctx, true, 1, (4 << 20) + 1, 1, 1, 1);
    both_ways(ctx, true, 1, (13 << 20) + 5, 1, 1, 1);
    both_ways(ctx, true, 1, (9 << 17) + 3, 8, 1, 2);
    both_ways(ctx, true, 1, (9 << 17) + 3, 8, 2, 1);
    both_ways(ctx, true, 1, 700001, 16, 1, 1);
    both_ways(ctx, true, 1, 1500001, 3, 2, 3);
}

static void matrices(gable_context *ctx)
{
    static const size_t elems[] = {1, 3, 8, 16};
    static const int64_t shapes[][4] = {/* m, n, lda, ldda */
                                        {0, 5, 1, 1},     {5, 0, 5, 7},       {1, 1, 1, 1},
                                        {1, 9, 4, 2},     {9, 1, 9, 9},       {5, 3, 5, 5},
                                        {5, 3, 8, 5},     {5, 3, 5, 8},       {31, 33, 40, 37},
                                        {64, 64, 64, 64}, {127, 20, 130, 127}};
    for (size_t e = 0; e < 4; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            both_ways(ctx, false, shapes[s][0], shapes[s][1], elems[e], shapes[s][2], shapes[s][3]);
    /* Columns above and below a stage, non-tight on either side. */
    both_ways(ctx, false, 600001, 3, 8, 600004, 600001);
    both_ways(ctx, false, 600001, 3, 8, 600001, 600010);
    both_ways(ctx, false, 1 << 19, 2, 8, 1 << 19, (1 << 19) + 1);
    both_ways(ctx, false, 1000, 1500, 8, 1001, 1000);
    both_ways(ctx, false, 1000, 1500, 8, 1003, 1007);
    both_ways(ctx, false, 10, 50000, 16, 11, 12);
}

/* ---- Bytes on the device ---- */

static void bytes_on_device(gable_context *ctx)
{
    static const size_t sizes[] = {1, 2, 3, 4, 7, 16, 31, 255, 256, 4097, (5 << 20) + 3};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t shift = 0; shift < 4; shift++) {
            const size_t bytes = sizes[k];
            buffers b;
            test_case("copy_bytes and fill_bytes of %zu bytes, shift %zu on %s", bytes, shift,
                      test_device());
            if (make(&b, ctx, 2 * bytes + 32)) {
                const size_t from = AROUND + shift, to = AROUND + bytes + 16 + 2 * shift;
                CHECK_OK(ctx, gable_copy_bytes(ctx, b.device + to, b.device + from, bytes));
                memcpy(b.image + to, b.image + from, bytes);
                compare_device(&b, "copy_bytes");
                const unsigned char value = (unsigned char)(0x80 + 37 * shift);
                CHECK_OK(ctx, gable_fill_bytes(ctx, b.device + from, value, bytes));
                memset(b.image + from, value, bytes);
                compare_device(&b, "fill_bytes");
                CHECK_OK(ctx, gable_fill_bytes(ctx, b.device + to, 0, bytes));
                memset(b.image + to, 0, bytes);
                compare_device(&b, "fill_bytes with 0");
            }
            destroy(&b);
        }
    }
    test_case("copy_bytes and fill_bytes of nothing");
    CHECK_OK(ctx, gable_copy_bytes(ctx, NULL, NULL, 0));
    CHECK_OK(ctx, gable_fill_bytes(ctx, NULL, 1, 0));
}

/* ---- Allocation ---- */

static void allocation(gable_context *ctx)
{
    static const size_t sizes[] = {1, 7, 256, 4096, 1000003};
    void *address = &address, *list[5];
    test_case("alloc and free on %s", test_device());
    CHECK_OK(ctx, gable_alloc(ctx, 0, &address));
    CHECK(address == NULL, "0 bytes are at %p", address);
    CHECK_OK(ctx, gable_free(ctx, NULL));
    for (int i = 0; i < 5; i++) {
        list[i] = NULL;
        CHECK_OK(ctx, gable_alloc(ctx, sizes[i], &list[i]));
        CHECK((uintptr_t)list[i] % (on_host() ? 64 : 256) == 0, "%p is not aligned", list[i]);
        CHECK_OK(ctx, gable_fill_bytes(ctx, list[i], (unsigned char)i, sizes[i]));
    }
    for (int i = 0; i < 5; i++) {
        unsigned char last = 0xff;
        CHECK_OK(ctx, gable_get_vector(ctx, 1, 1, (char *)list[i] + sizes[i] - 1, 1, &last, 1));
        CHECK(last == i, "allocation %d was overwritten", i);
    }
    for (int i = 4; i >= 0; i -= 2)
        CHECK_OK(ctx, gable_free(ctx, list[i]));
    for (int i = 1; i < 5; i += 2)
        CHECK_OK(ctx, gable_free(ctx, list[i]));

    CHECK_STATUS(NULL, gable_alloc(NULL, 8, &address), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_free(NULL, NULL), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_alloc(ctx, 8, NULL), GABLE_BAD_ARGUMENT, "gable_alloc",
                  "argument 3 (address)");
    address = &address;
    CHECK_STATUS(ctx, gable_alloc(ctx, (size_t)1 << 60, &address), GABLE_OUT_OF_MEMORY);
    CHECK(strncmp(gable_message(ctx), "gable_alloc: ", 13) == 0, "the message is \"%s\"",
          gable_message(ctx));
    CHECK_STATUS(ctx, gable_alloc(ctx, SIZE_MAX, &address), GABLE_OUT_OF_MEMORY);
    CHECK(address == &address, "a failed allocation changed the address");
    if (!on_host()) {
        int outside = 0;
        CHECK_REFUSED(ctx, gable_free(ctx, &outside), GABLE_BAD_ARGUMENT, "gable_free",
                      "argument 2 (address)");
    }
    CHECK_OK(ctx, gable_alloc(ctx, 64, &address));
    CHECK_OK(ctx, gable_free(ctx, address));
}

/* ---- Errors ---- */

static void vector_errors(gable_context *ctx, char *h, char *d)
{
    static const char set[] = "gable_set_vector", get[] = "gable_get_vector";
    test_case("arguments of set_vector and get_vector");
    CHECK_STATUS(NULL, gable_set_vector(NULL, 1, 1, h, 1, d, 1), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_get_vector(NULL, 1, 1, d, 1, h, 1), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_set_vector(ctx, -2, 1, h, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 2 (n)", "-2");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, 0, h, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 3 (elem_bytes)", "0");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, 1, NULL, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 4 (x)", "NULL");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, 1, h, 0, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 5 (incx)", "0");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, 1, h, 1, NULL, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 6 (dx)", "NULL");
    CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, 1, h, 1, d, -1), GABLE_BAD_ARGUMENT, set,
                  "argument 7 (incdx)", "-1");
    CHECK_REFUSED(ctx, gable_get_vector(ctx, -2, 1, d, 1, h, 1), GABLE_BAD_ARGUMENT, get,
                  "argument 2 (n)", "-2");
    CHECK_REFUSED(ctx, gable_get_vector(ctx, 1, 0, d, 1, h, 1), GABLE_BAD_ARGUMENT, get,
                  "argument 3 (elem_bytes)", "0");
    CHECK_REFUSED(ctx, gable_get_vector(ctx, 1, 1, NULL, 1, h, 1), GABLE_BAD_ARGUMENT, get,
                  "argument 4 (dx)", "NULL");
    CHECK_REFUSED(ctx, gable_get_vector(ctx, 1, 1, d, 0, h, 1), GABLE_BAD_ARGUMENT, get,
                  "argument 5 (incdx)", "0");
    CHECK_REFUSED(ctx, gable_get_vector(ctx, 1, 1, d, 1, NULL, 1), GABLE_BAD_ARGUMENT, get,
                  "argument 6 (x)", "NULL");
    CHECK_REFUSED(ctx, gable_get_vector(ctx, 1, 1, d, 1, h, -3), GABLE_BAD_ARGUMENT, get,
                  "argument 7 (incx)", "-3");
    CHECK_OK(ctx, gable_set_vector(ctx, 0, 1, NULL, 1, NULL, 1));
    CHECK_OK(ctx, gable_get_vector(ctx, 0, 1, NULL, 1, NULL, 1));
    if (!on_host()) {
        CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, 1, h, 1, h, 1), GABLE_BAD_ARGUMENT, set,
                      "argument 6 (dx)", "gable_alloc");
        CHECK_REFUSED(ctx, gable_get_vector(ctx, 1, 1, h, 1, h, 1), GABLE_BAD_ARGUMENT, get,
                      "argument 4 (dx)", "gable_alloc");
    }
}

static void matrix_errors(gable_context *ctx, char *h, char *d)
{
    static const char set[] = "gable_set_matrix", get[] = "gable_get_matrix";
    test_case("arguments of set_matrix and get_matrix");
    CHECK_STATUS(NULL, gable_set_matrix(NULL, 1, 1, 1, h, 1, d, 1), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_get_matrix(NULL, 1, 1, 1, d, 1, h, 1), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, -2, 1, 1, h, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 2 (m)", "-2");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 1, -2, 1, h, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 3 (n)", "-2");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 1, 1, 0, h, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 4 (elem_bytes)", "0");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 1, 1, 1, NULL, 1, d, 1), GABLE_BAD_ARGUMENT, set,
                  "argument 5 (A)", "NULL");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 5, 1, 1, h, 4, d, 5), GABLE_BAD_ARGUMENT, set,
                  "argument 6 (lda)", "4", "max(1, m) = 5");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 0, 1, 1, h, 0, d, 5), GABLE_BAD_ARGUMENT, set,
                  "argument 6 (lda)", "0", "max(1, m) = 1");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 5, 1, 1, h, 5, NULL, 5), GABLE_BAD_ARGUMENT, set,
                  "argument 7 (dA)", "NULL");
    CHECK_REFUSED(ctx, gable_set_matrix(ctx, 5, 1, 1, h, 5, d, 4), GABLE_BAD_ARGUMENT, set,
                  "argument 8 (ldda)", "4", "max(1, m) = 5");
    CHECK_REFUSED(ctx, gable_get_matrix(ctx, 1, 1, 1, NULL, 1, h, 1), GABLE_BAD_ARGUMENT, get,
                  "argument 5 (dA)", "NULL");
    CHECK_REFUSED(ctx, gable_get_matrix(ctx, 5, 1, 1, d, 4, h, 5), GABLE_BAD_ARGUMENT, get,
                  "argument 6 (ldda)", "4", "max(1, m) = 5");
    CHECK_REFUSED(ctx, gable_get_matrix(ctx, 5, 1, 1, d, 5, NULL, 5), GABLE_BAD_ARGUMENT, get,
                  "argument 7 (A)", "NULL");
    CHECK_REFUSED(ctx, gable_get_matrix(ctx, 5, 1, 1, d, 5, h, -5), GABLE_BAD_ARGUMENT, get,
                  "argument 8 (lda)", "-5", "max(1, m) = 5");
    CHECK_OK(ctx, gable_set_matrix(ctx, 0, 3, 1, NULL, 1, NULL, 1));
    CHECK_OK(ctx, gable_get_matrix(ctx, 3, 0, 1, NULL, 3, NULL, 3));
}

static void bytes_errors(gable_context *ctx, char *h, char *d)
{
    static const char copy[] = "gable_copy_bytes", fill[] = "gable_fill_bytes";
    test_case("arguments of copy_bytes and fill_bytes");
    CHECK_STATUS(NULL, gable_copy_bytes(NULL, d, d + 8, 8), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_fill_bytes(NULL, d, 0, 8), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_copy_bytes(ctx, NULL, d, 8), GABLE_BAD_ARGUMENT, copy,
                  "argument 2 (destination)", "NULL");
    CHECK_REFUSED(ctx, gable_copy_bytes(ctx, d, NULL, 8), GABLE_BAD_ARGUMENT, copy,
                  "argument 3 (source)", "NULL");
    CHECK_REFUSED(ctx, gable_fill_bytes(ctx, NULL, 0, 8), GABLE_BAD_ARGUMENT, fill,
                  "argument 2 (address)", "NULL");
    if (!on_host()) {
        CHECK_REFUSED(ctx, gable_copy_bytes(ctx, h, d, 8), GABLE_BAD_ARGUMENT, copy,
                      "argument 2 (destination)", "gable_alloc");
        CHECK_REFUSED(ctx, gable_copy_bytes(ctx, d, h, 8), GABLE_BAD_ARGUMENT, copy,
                      "argument 3 (source)", "gable_alloc");
        CHECK_REFUSED(ctx, gable_fill_bytes(ctx, h, 0, 8), GABLE_BAD_ARGUMENT, fill,
                      "argument 2 (address)", "gable_alloc");
    }
}

/* Each refusal leaves both sides as they were. */
static void errors(gable_context *ctx)
{
    buffers b;
    if (make(&b, ctx, 64)) {
        unsigned char before[64 + 2 * AROUND];
        memcpy(before, b.host, sizeof before);
        vector_errors(ctx, (char *)b.host + AROUND, (char *)b.device + AROUND);
        matrix_errors(ctx, (char *)b.host + AROUND, (char *)b.device + AROUND);
        bytes_errors(ctx, (char *)b.host + AROUND, (char *)b.device + AROUND);
        compare(b.host, before, sizeof before, "the host after errors");
        compare_device(&b, "the device after errors");
    }
    destroy(&b);
}

int main(void)
{
    test_start("test_memory");
    gable_context *ctx = test_open();
    allocation(ctx);
    vectors(ctx);
    matrices(ctx);
    bytes_on_device(ctx);
    errors(ctx);
    gable_close(ctx);
    return test_finish();
}
