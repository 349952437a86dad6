/* test_prepare.c: gable_prepare_begin, gable_prepare_end: kernels compiled ahead of time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All kernels are in tests/core/test_prepared_kernels.c, on a pretended GPU. Here a real device:
 * that nothing runs, that nothing is compiled afterwards, and that results are right. PoCL makes
 * machine code at the first launch unless it is asked for it; it keeps that in files, of which
 * there must be no more after the calls.
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel.h"
#include "harness/check.h"

#define N 96

typedef struct operands {
    gable_context *ctx;
    double *A, *x, *y; /* N x N, N, N */
} operands;

/* Calls of all kinds: a map, a reduction, matrix-vector, a product of matrices. */
static void all_calls(const operands *o, double *sum)
{
    CHECK_OK(o->ctx, gable_daxpy(o->ctx, N, 1, o->x, 1, o->y, 1));
    CHECK_OK(o->ctx, gable_ddot(o->ctx, N, o->x, 1, o->y, 1, sum));
    CHECK_OK(o->ctx, gable_dgemv(o->ctx, GABLE_NO_TRANS, N, N, 1, o->A, N, o->x, 1, 0, o->y, 1));
    CHECK_OK(o->ctx, gable_dsyrk(o->ctx, GABLE_LOWER, GABLE_NO_TRANS, N, 8, 1, o->A, N, 0,
                                 o->A + 16 * N, N));
}

static void fill_operands(const operands *o, double value)
{
    static double numbers[2 * N * N];
    for (int i = 0; i < 2 * N * N; i++)
        numbers[i] = value;
    CHECK_OK(o->ctx, gable_set_matrix(o->ctx, N, 2 * N, sizeof(double), numbers, N, o->A, N));
    CHECK_OK(o->ctx, gable_set_vector(o->ctx, N, sizeof(double), numbers, 1, o->x, 1));
    CHECK_OK(o->ctx, gable_set_vector(o->ctx, N, sizeof(double), numbers, 1, o->y, 1));
}

static bool are_all(const operands *o, const double *address, int count, double value)
{
    static double numbers[2 * N * N];
    CHECK_OK(o->ctx, gable_get_vector(o->ctx, count, sizeof(double), address, 1, numbers, 1));
    for (int i = 0; i < count; i++)
        if (!(numbers[i] == value))
            return false;
    return true;
}

/* ---- PoCL's files ---- */

static char cache[64] = "/tmp/gable-prepare-XXXXXX";
static int code_files;

static int count_code(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)at;
    const size_t length = strlen(path);
    code_files += kind == FTW_F && length > 3 && strcmp(path + length - 3, ".so") == 0;
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

static int count_files(void)
{
    code_files = 0;
    nftw(cache, count_code, 16, FTW_PHYS);
    return code_files;
}

/* ---- What must hold ---- */

static void nothing_runs(const operands *o)
{
    double sum = -1;
    const bool compiles = o->ctx->device->table->build != NULL;
    const int before = gbl_kernels_compiled().count;
    test_case("prepared calls");
    fill_operands(o, 2);
    CHECK_OK(o->ctx, gable_prepare_begin(o->ctx));
    all_calls(o, &sum);
    CHECK(gbl_kernels_compiled().count == before, "kernels are compiled before the end");
    CHECK_OK(o->ctx, gable_prepare_end(o->ctx));
    const int prepared = gbl_kernels_compiled().count - before, files = count_files();
    CHECK(strstr(test_device(), "pocl") == NULL || files >= prepared,
          "%d kernels, %d files with machine code", prepared, files);
    CHECK(compiles || prepared == 0, "%d kernels on a device without", prepared);
    CHECK(sum == -1, "a result was written: %g", sum);
    CHECK(are_all(o, o->A, 2 * N * N, 2) && are_all(o, o->x, N, 2) && are_all(o, o->y, N, 2),
          "an operand was written");

    test_case("the same calls");
    all_calls(o, &sum);
    CHECK_OK(o->ctx, gable_sync(o->ctx));
    CHECK(gbl_kernels_compiled().count == before + prepared, "%d were prepared, %d more compiled",
          prepared, gbl_kernels_compiled().count - before - prepared);
    CHECK(count_files() == files, "machine code was made by the calls");
    CHECK(sum == 8 * N, "the sum is %g", sum); /* 2 (2 + 2) per element */
    CHECK(are_all(o, o->y, N, 4 * N), "the product with a vector is wrong");

    test_case("the same calls in a recording");
    gable_recording *recording = NULL;
    CHECK_OK(o->ctx, gable_record_begin(o->ctx));
    all_calls(o, o->x); /* device memory */
    CHECK_OK(o->ctx, gable_record_end(o->ctx, &recording));
    CHECK(gbl_kernels_compiled().count == before + prepared, "a recording compiled kernels");
    gable_recording_destroy(recording);

    test_case("prepared again");
    CHECK_OK(o->ctx, gable_prepare_begin(o->ctx));
    all_calls(o, &sum);
    CHECK_OK(o->ctx, gable_prepare_end(o->ctx));
    CHECK(gbl_kernels_compiled().count == before + prepared, "known kernels were compiled");
}

/* What is refused leaves the rest as it is. */
static void refusals(const operands *o)
{
    gable_context *ctx = o->ctx;
    gable_recording *recording = NULL;
    double number = 0, *more = NULL;
    test_case("refusals");
    CHECK_STATUS(NULL, gable_prepare_begin(NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_prepare_end(NULL), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_prepare_end(ctx), GABLE_BAD_ARGUMENT, "gable_prepare_end",
                  "gable_prepare_begin");
    fill_operands(o, 2);
    CHECK_OK(ctx, gable_prepare_begin(ctx));
    CHECK_REFUSED(ctx, gable_prepare_begin(ctx), GABLE_BAD_ARGUMENT, "gable_prepare_begin",
                  "already");
    CHECK_REFUSED(ctx, gable_record_begin(ctx), GABLE_NOT_RECORDABLE, "gable_record_begin",
                  "cannot be prepared", "gable_prepare_end");
    CHECK_REFUSED(ctx, gable_record_end(ctx, &recording), GABLE_BAD_ARGUMENT, "gable_record_end",
                  "no recording");
    CHECK_REFUSED(ctx, gable_sync(ctx), GABLE_NOT_RECORDABLE, "gable_sync", "cannot be prepared");
    CHECK_STATUS(ctx, gable_alloc(ctx, 8, (void **)&more), GABLE_NOT_RECORDABLE);
    CHECK_STATUS(ctx, gable_get_vector(ctx, 1, 8, o->x, 1, &number, 1), GABLE_NOT_RECORDABLE);
    CHECK_REFUSED(ctx, gable_daxpy(ctx, -1, 1, o->x, 1, o->y, 1), GABLE_BAD_ARGUMENT, "gable_daxpy",
                  "argument 2 (n)");
    CHECK_OK(ctx, gable_copy_bytes(ctx, o->y, o->x, 8));
    CHECK_OK(ctx, gable_fill_bytes(ctx, o->y, 0, 8));
    CHECK_OK(ctx, gable_ddot(ctx, 0, o->x, 1, o->y, 1, &number));
    CHECK_OK(ctx, gable_prepare_end(ctx));
    CHECK(are_all(o, o->y, N, 2), "memory was filled");

    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_REFUSED(ctx, gable_prepare_begin(ctx), GABLE_NOT_RECORDABLE, "gable_prepare_begin",
                  "recording");
    CHECK_OK(ctx, gable_daxpy(ctx, N, 1, o->x, 1, o->y, 1));
    CHECK_REFUSED(ctx, gable_prepare_end(ctx), GABLE_BAD_ARGUMENT, "gable_prepare_end",
                  "no calls are being prepared");
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, gable_replay(ctx, recording));
    CHECK(are_all(o, o->y, N, 4), "the recording lost its call");
    gable_recording_destroy(recording);

    test_case("closed in the midst");
    gable_context *other = test_open();
    CHECK_OK(other, gable_prepare_begin(other));
    CHECK_OK(other, gable_daxpy(other, N, 1, o->x, 1, o->y, 1));
    gable_close(other);
}

int main(void)
{
    test_start("test_prepare");
    CHECK(mkdtemp(cache) != NULL, "no folder %s", cache);
    setenv("POCL_CACHE_DIR", cache, 1);
    operands o = {.ctx = test_open()};
    CHECK_OK(o.ctx, gable_alloc(o.ctx, 2 * N * N * sizeof(double), (void **)&o.A));
    CHECK_OK(o.ctx, gable_alloc(o.ctx, N * sizeof(double), (void **)&o.x));
    CHECK_OK(o.ctx, gable_alloc(o.ctx, N * sizeof(double), (void **)&o.y));
    nothing_runs(&o);
    refusals(&o);
    gable_close(o.ctx);
    nftw(cache, remove_one, 16, FTW_PHYS | FTW_DEPTH);
    return test_finish();
}
