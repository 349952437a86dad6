/* test_pretended_orders.c: eigenvalues and singular values of large orders, on a pretended GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing runs and there is no memory: calls are made with addresses, and what they allocate and
 * launch is noted. For n = 18919, where 6 n^2 passes 31 bits, 26755, where 3 n^2 does, and 46341,
 * where n^2 does, the squares of docs/eigen.md and docs/singular.md are allocated, and no more than
 * eight times that, as the arena outgrows its blocks; and no launch has groups that are not numbers
 * of 31 bits above 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "lapack/lapack.h"
#include "lapack/stein.h"

static const gbl_device_table *dry_table;
static double allocated;
static int64_t launches, odd_launches;

static gable_status alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message)
{
    allocated += (double)bytes;
    return dry_table->alloc(device, bytes, address, message);
}

static gable_status launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    launches++;
    for (int i = 0; i < 2; i++)
        odd_launches += spec->groups[i] < 1 || spec->groups[i] > INT32_MAX;
    return dry_table->launch(queue, spec, message);
}

typedef enum routine { STEDC, STEDC_UPDATE, SYEVD, SYEVX, GESDD, ROUTINES } routine;
static const char *const names[ROUTINES] = {"stedc", "stedc of sytrd's Q", "syevd", "syevx",
                                            "gesdd"};
static const char *const variants[ROUTINES] = {"stedc=divide", "stedc=divide", "syevd=reduce",
                                               "syevx=inverse", "gesdd=reduction"};

static void *take(gable_context *ctx, double bytes)
{
    void *address = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)bytes, &address));
    return address;
}

static gable_status call(gable_context *ctx, routine which, gbl_dtype dtype, int64_t n)
{
    const double elem = (double)gbl_dtype_bytes(dtype), order = (double)n,
                 square = elem * order * order;
    gbl_product_call call = {.dtype = dtype,
                             .uplo = GABLE_LOWER,
                             .job = GABLE_VECTORS,
                             .m = n,
                             .n = n,
                             .lda = n,
                             .ldb = n,
                             .ldc = n,
                             .d = take(ctx, elem * order),
                             .e = take(ctx, elem * order),
                             .info = take(ctx, 8)};
    call.A = which != STEDC && which != STEDC_UPDATE ? take(ctx, square) : NULL;
    call.B = which == GESDD ? take(ctx, square) : NULL;
    call.C = which != SYEVD ? take(ctx, square) : NULL;
    if (which == SYEVX) {
        call.range = GABLE_RANGE_INDICES;
        call.ilo = 1;
        call.ihi = n;
        call.found = take(ctx, 8);
        call.ipiv = take(ctx, 8 * order);
    }
    if (which == STEDC)
        call.job = GABLE_IDENTITY_VECTORS;
    if (which == GESDD)
        call.job = GABLE_ALL_VECTORS;
    allocated = 0;
    launches = odd_launches = 0;
    return which == SYEVD   ? gbl_syevd(ctx, "gable_syevd", &call)
           : which == SYEVX ? gbl_syevx(ctx, "gable_syevx", &call)
           : which == GESDD ? gbl_gesdd(ctx, "gable_gesdd", &call)
                            : gbl_stedc(ctx, "gable_stedc", &call);
}

/* Bytes of the squares that it takes. */
static double least_of(routine which, gbl_dtype dtype, int64_t n)
{
    const double square = (double)n * (double)n, elem = (double)gbl_dtype_bytes(dtype),
                 real = (double)gbl_dtype_real_bytes(dtype);
    const double each[ROUTINES] = {2 * real, 3 * real, elem + 2 * real, real, 6 * real};
    return each[which] * square;
}

static void pretend(routine which, gbl_dtype dtype, int64_t n)
{
    gable_context *ctx = NULL;
    test_case("%s %c, n %d", names[which], gbl_dtype_letter(dtype), (int)n);
    if (CHECK_OK(ctx, dry_open(&ctx, "sm_90a"))) {
        gbl_device *device = ctx->device;
        dry_table = device->table;
        gbl_device_table watched = *dry_table;
        watched.alloc = alloc;
        watched.launch = launch;
        device->table = &watched;
        CHECK_OK(ctx, gable_set_variant(ctx, variants[which]));
        CHECK_OK(ctx, call(ctx, which, dtype, n));
        const double least = least_of(which, dtype, n);
        CHECK(allocated >= least && allocated <= 8 * least, "%.0f bytes of workspace, of %.0f",
              allocated, least);
        CHECK(launches > 0 && odd_launches == 0, "%lld of %lld launches are odd",
              (long long)odd_launches, (long long)launches);
        device->table = dry_table;
    }
    dry_close(ctx);
}

/* Of inverse iteration: room for systems is a sixteenth of the device's memory at most, but of one
 * group at least. */
static void pretend_memory(double gigabytes)
{
    gable_context *ctx = NULL;
    test_case("room of stein, %g GB", gigabytes);
    if (CHECK_OK(ctx, dry_open(&ctx, "sm_90a"))) {
        const int64_t n = 26755;
        const gbl_stein_call vectors = {.dtype = GBL_D, .n = n, .count = n};
        const double squares = 8.0 * (double)n * ((double)n + 66), group = 32 * 64.0 * (double)n;
        ctx->device->props.memory_bytes = (size_t)(gigabytes * 0x1p30);
        const double room = gbl_stein_bytes(&vectors, ctx->device) - squares,
                     most = gigabytes * 0x1p30 / 16;
        CHECK(room <= (most > group ? most : group) &&
                  room >= (most > group ? most - group : 0) / 2,
              "%.0f bytes", room);
    }
    dry_close(ctx);
}

int main(void)
{
    static const int64_t orders[] = {18919, 26755, 46341};
    test_start("test_pretended_orders");
    for (int which = 0; which < ROUTINES; which++)
        for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
            /* Of reductions, whose columns are many launches, the precisions share the orders. */
            const bool reduces = which == SYEVD || which == SYEVX || which == GESDD;
            for (gbl_dtype dtype = GBL_S; dtype <= GBL_Z; dtype++)
                if (!reduces || (size_t)dtype == i + 1)
                    pretend((routine)which, dtype, orders[i]);
        }
    pretend_memory(0.5);
    pretend_memory(8);
    pretend_memory(80);
    return test_finish();
}
