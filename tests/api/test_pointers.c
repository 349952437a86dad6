/* test_pointers.c: kernels that read addresses from memory, on devices that must be told of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenCL allows a kernel to reach coarse-grained memory that is not among its arguments only after
 * clSetKernelExecInfo named it. PoCL and NVIDIA do not mind, so the test looks at the call itself:
 * it puts a function of its own in front of the driver's.
 */
#include <string.h>
#include "core/context.h"
#include "core/kernel.h"
#include "device/opencl_private.h"
#include "harness/check.h"

enum { BATCH = 3, ORDER = 4, MOST = 256 };

static const void *named[MOST];
static size_t named_count, times;
static int32_t (*driver)(gbl_cl_kernel *, uint32_t, size_t, const void *);

static int32_t note_pointers(gbl_cl_kernel *kernel, uint32_t what, size_t bytes, const void *list)
{
    times++;
    named_count = bytes / sizeof named[0];
    CHECK(what == GBL_CL_KERNEL_EXEC_INFO_SVM_PTRS && named_count <= MOST, "%zu bytes of 0x%x",
          bytes, (unsigned)what);
    if (named_count <= MOST)
        memcpy(named, list, bytes);
    return driver(kernel, what, bytes, list);
}

/* An allocation starts at most 256 bytes, which is its alignment, behind what the driver gave. */
static bool is_named(const void *address)
{
    for (size_t i = 0; i < named_count; i++)
        if ((uintptr_t)address - (uintptr_t)named[i] < 256)
            return true;
    return false;
}

typedef struct operands {
    double *A[BATCH], *x[BATCH], *y[BATCH]; /* each an allocation of its own */
    double **arrays[3];                     /* the addresses, in device memory */
} operands;

static void make(gable_context *ctx, operands *all)
{
    double ones[ORDER * ORDER];
    double **const lists[] = {all->A, all->x, all->y};
    for (int i = 0; i < ORDER * ORDER; i++)
        ones[i] = 1;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < BATCH; i++) {
            CHECK_OK(ctx, gable_alloc(ctx, sizeof ones, (void **)&lists[k][i]));
            CHECK_OK(ctx, gable_set_vector(ctx, ORDER * ORDER, 8, ones, 1, lists[k][i], 1));
        }
        CHECK_OK(ctx, gable_alloc(ctx, BATCH * sizeof(double *), (void **)&all->arrays[k]));
        CHECK_OK(ctx,
                 gable_set_vector(ctx, BATCH, sizeof(double *), lists[k], 1, all->arrays[k], 1));
    }
}

static void multiply(gable_context *ctx, const operands *all)
{
    CHECK_OK(ctx, gable_dgemv_batched(ctx, GABLE_NO_TRANS, ORDER, ORDER, 1,
                                      (const double *const *)all->arrays[0], ORDER,
                                      (const double *const *)all->arrays[1], 1, 0,
                                      (double *const *)all->arrays[2], 1, BATCH));
}

static void expect_products(gable_context *ctx, const operands *all)
{
    for (int i = 0; i < BATCH; i++) {
        double y[ORDER] = {0};
        CHECK_OK(ctx, gable_get_vector(ctx, ORDER, 8, all->y[i], 1, y, 1));
        CHECK(y[0] == ORDER && y[ORDER - 1] == ORDER, "product %d is %g", i, y[0]);
    }
}

static void expect_named(const operands *all)
{
    for (int i = 0; i < BATCH; i++)
        CHECK(is_named(all->A[i]) && is_named(all->x[i]) && is_named(all->y[i]),
              "the kernel was not told of the operands of product %d", i);
}

static void told(gable_context *ctx, const operands *all)
{
    void *more = NULL;
    double *plain = NULL;
    test_case("gemv_batched tells of its operands");
    driver = gbl_cl.SetKernelExecInfo;
    gbl_cl.SetKernelExecInfo = note_pointers;
    multiply(ctx, all);
    CHECK(times == 1, "the kernel was told %zu times", times);
    expect_named(all);
    expect_products(ctx, all);
    multiply(ctx, all);
    CHECK(times == 1, "the kernel was told again though nothing changed");
    CHECK_OK(ctx, gable_alloc(ctx, 64, &more));
    multiply(ctx, all);
    CHECK(times == 2 && is_named(more), "the kernel was not told of a new allocation");
    CHECK_OK(ctx, gable_free(ctx, more));
    multiply(ctx, all);
    CHECK(times == 3 && !is_named(more), "the kernel is told of memory that is freed");

    test_case("recorded, and without pointers");
    gable_recording *recording = NULL;
    CHECK_OK(ctx, gable_record_begin(ctx));
    multiply(ctx, all);
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, gable_alloc(ctx, 64, (void **)&plain));
    CHECK_OK(ctx, gable_replay(ctx, recording));
    CHECK(times == 4, "a replayed kernel was not told");
    gable_recording_destroy(recording);
    CHECK_OK(ctx, gable_dscal(ctx, 8, 1, plain, 1));
    CHECK(times == 4, "a kernel without pointers was told of memory");
    expect_products(ctx, all);
    gbl_cl.SetKernelExecInfo = driver;
    CHECK_OK(ctx, gable_free(ctx, plain));
}

int main(void)
{
    test_start("test_pointers");
    gable_context *ctx = test_open();
    operands all;
    test_case("gemv_batched with an allocation each");
    make(ctx, &all);
    multiply(ctx, &all);
    expect_products(ctx, &all);
    if (strcmp(ctx->device->table->kind, "opencl") == 0) {
        gbl_kernels_forget(ctx->device); /* what they were told */
        told(ctx, &all);
    }
    for (int k = 0; k < BATCH; k++) {
        gable_free(ctx, all.A[k]);
        gable_free(ctx, all.x[k]);
        gable_free(ctx, all.y[k]);
        gable_free(ctx, all.arrays[k]);
    }
    gable_close(ctx);
    return test_finish();
}
