/* test_profile.c: profiles: counts, work, nesting, replays, device times, threads.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "core/kernel.h"
#include "harness/check.h"
#include "model/profile_test.h"

enum { N = 1000, ROWS = 60, COLUMNS = 40 };

static void spend(double seconds)
{
    for (const double end = seconds_now() + seconds; seconds_now() < end;)
        ;
}

/* The events of a label and its row say the same, and it is this. */
static void check_label(const char *label, int64_t calls, double bytes, double flops)
{
    const table_row row = row_of(label);
    const trace_sum sum = sum_of(label);
    CHECK(row.calls == calls, "%s: %lld calls in the table, not %lld", label, row.calls,
          (long long)calls);
    CHECK(sum.events == calls && sum.bytes == bytes && sum.flops == flops,
          "%s: %lld events with %.0f bytes and %.0f flops, not %lld, %.0f, %.0f", label,
          (long long)sum.events, sum.bytes, sum.flops, (long long)calls, bytes, flops);
    if (row.gbs > 0) { /* the table shows two digits at least */
        const double rate = 1e-3 * bytes / sum.usec;
        CHECK(row.gbs > 0.94 * rate && row.gbs < 1.06 * rate,
              "%s: %g GB/s in the table, %g by its bytes and time", label, row.gbs, rate);
    }
}

static void check_absent(const char *label)
{
    table_row row;
    CHECK(!table_find(table, label, &row), "the table has a row %s:\n%s", label, table);
    CHECK(sum_of(label).events == 0, "the trace has events %s", label);
}

/* ---- What is called ---- */

typedef struct operands {
    double *A, *x, *y;
} operands;

static operands make_operands(gable_context *ctx)
{
    operands o = {NULL, NULL, NULL};
    CHECK_OK(ctx, gable_alloc(ctx, ROWS * COLUMNS * sizeof(double), (void **)&o.A));
    CHECK_OK(ctx, gable_alloc(ctx, N * sizeof(double), (void **)&o.x));
    CHECK_OK(ctx, gable_alloc(ctx, N * sizeof(double), (void **)&o.y));
    CHECK_OK(ctx, gable_fill_bytes(ctx, o.A, 0, ROWS * COLUMNS * sizeof(double)));
    CHECK_OK(ctx, gable_fill_bytes(ctx, o.x, 0, N * sizeof(double)));
    CHECK_OK(ctx, gable_fill_bytes(ctx, o.y, 0, N * sizeof(double)));
    CHECK_OK(ctx, gable_sync(ctx));
    return o;
}

static void free_operands(gable_context *ctx, const operands *o)
{
    CHECK_OK(ctx, gable_free(ctx, o->A));
    CHECK_OK(ctx, gable_free(ctx, o->x));
    CHECK_OK(ctx, gable_free(ctx, o->y));
}

static void gemv(gable_context *ctx, const operands *o, gable_trans trans)
{
    CHECK_OK(ctx, gable_dgemv(ctx, trans, ROWS, COLUMNS, 2, o->A, ROWS, o->x, 1, 1, o->y, 1));
}

static gbl_work gemv_work(gable_trans trans)
{
    const gbl_matrix_call call = {.dtype = GBL_D,
                                  .trans = trans,
                                  .m = ROWS,
                                  .n = COLUMNS,
                                  .lda = ROWS,
                                  .incx = 1,
                                  .incy = 1,
                                  .alpha.re = 2,
                                  .beta.re = 1};
    gbl_work work;
    gbl_gemv_op.work(&call, &work);
    return work;
}

static gbl_work axpy_work(int64_t n)
{
    const gbl_vector_call call = {.dtype = GBL_D, .n = n, .incx = 1, .incy = 1, .alpha.re = 1};
    gbl_work work;
    gbl_axpy_op.work(&call, &work);
    return work;
}

static double bytes_of(gbl_work work)
{
    return work.bytes_read + work.bytes_written;
}

/* ---- Tests ---- */

static void counts(gable_context *ctx)
{
    const operands o = make_operands(ctx);
    double host[N] = {0}, sum = 0;
    const gbl_work axpy = axpy_work(N), half = axpy_work(N / 2);
    const gbl_work plain = gemv_work(GABLE_NO_TRANS), turned = gemv_work(GABLE_TRANS);
    test_case("counts");
    gemv(ctx, &o, GABLE_NO_TRANS); /* before the profile */
    profile_start(ctx, false);
    for (int i = 0; i < 5; i++)
        CHECK_OK(ctx, gable_daxpy(ctx, i < 3 ? N : N / 2, 1, o.x, 1, o.y, 1));
    for (int i = 0; i < 3; i++)
        gemv(ctx, &o, i < 2 ? GABLE_NO_TRANS : GABLE_TRANS);
    CHECK_OK(ctx, gable_ddot(ctx, N, o.x, 1, o.y, 1, &sum));
    CHECK_STATUS(ctx, gable_daxpy(ctx, -1, 1, o.x, 1, o.y, 1), GABLE_BAD_ARGUMENT);
    CHECK_OK(ctx, gable_daxpy(ctx, 0, 1, o.x, 1, o.y, 1)); /* nothing runs */
    CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof *host, host, 1, o.x, 1));
    CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof *host, o.y, 1, host, 1));
    CHECK_OK(ctx, gable_copy_bytes(ctx, o.y, o.x, N * sizeof *host));
    CHECK_OK(ctx, gable_fill_bytes(ctx, o.y, 0, N * sizeof *host));
    profile_stop(ctx);
    gemv(ctx, &o, GABLE_NO_TRANS); /* behind it */

    check_label("daxpy", 5, 3 * bytes_of(axpy) + 2 * bytes_of(half),
                3 * axpy.flops + 2 * half.flops);
    check_label("dgemv N", 2, 2 * bytes_of(plain), 2 * plain.flops);
    check_label("dgemv T", 1, bytes_of(turned), turned.flops);
    check_label("set_vector", 1, sizeof host, 0);
    check_label("get_vector", 1, sizeof host, 0);
    check_label("copy_bytes", 1, 2 * sizeof host, 0);
    check_label("fill_bytes", 1, sizeof host, 0);
    CHECK(row_of("ddot").calls == 1, "ddot is not counted once");
    const int all = ctx->device->props.is_host ? 13 : 14; /* there the sum is waited for */
    CHECK(sum_of("").events == all, "%lld events, not %d", (long long)sum_of("").events, all);
    CHECK(sum_of("").overlaps == 0, "calls of one thread overlap");
    CHECK(row_of("daxpy").limiter[0] != '-', "the model does not say what limits daxpy:\n%s",
          table);

    gable_device_info info;
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    const bool on_host = strcmp(info.name, "cpu") == 0;
    CHECK((row_of("daxpy").gbs > 0) == on_host, "rates of calls that were only enqueued:\n%s",
          table);
    CHECK((strstr(table, "summary,times") != NULL) == !on_host, "no word of device times:\n%s",
          table);

    /* A second profile starts from zero, and counts the same. */
    profile_start(ctx, false);
    gemv(ctx, &o, GABLE_NO_TRANS);
    profile_stop(ctx);
    check_label("dgemv N", 1, bytes_of(plain), plain.flops);
    check_absent("daxpy");
    free_operands(ctx, &o);
}

/* An op that spends time, runs inner ops `inner` times, and itself once where `again`. */
typedef struct composed_call {
    gbl_dtype dtype;
    const operands *o;
    int inner;
    bool again, fails;
} composed_call;

static const gbl_op composed_op;

static gable_status run_composed(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    const composed_call *call = given;
    (void)self, (void)params;
    spend(2e-3);
    for (int i = 0; i < call->inner; i++) {
        const gbl_vector_call axpy = {.dtype = GBL_D,
                                      .n = N,
                                      .alpha.re = 1,
                                      .x = call->o->x,
                                      .incx = 1,
                                      .y = call->o->y,
                                      .incy = 1};
        TRY(gbl_axpy(ctx, "inner", &axpy));
    }
    if (call->again) {
        composed_call once = *call;
        once.again = false;
        TRY(gbl_op_run(ctx, &composed_op, &once));
    }
    return call->fails ? gbl_fail(&ctx->message, GABLE_DEVICE_FAILED, "as asked") : GABLE_OK;
}

static bool fits_all(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return true;
}

static uint64_t one_key(const void *call)
{
    (void)call;
    return 1;
}

static void composed_work(const void *call, gbl_work *work)
{
    (void)call;
    *work = (gbl_work){.bytes_read = 100, .bytes_written = 20, .flops = 7};
}

static const gbl_variant composed_rows[] = {
    {.name = "whole", .deterministic = true, .fits = fits_all, .run = run_composed}};
static const gbl_op composed_op = {.stem = "composed",
                                   .work = composed_work,
                                   .key = one_key,
                                   .variants = composed_rows,
                                   .variant_count = 1};

static void nesting(gable_context *ctx)
{
    const operands o = make_operands(ctx);
    composed_call call = {.dtype = GBL_Z, .o = &o, .inner = 3};
    gbl_install_choose(NULL);
    test_case("nesting");
    profile_start(ctx, false);
    CHECK_OK(ctx, gbl_enter(ctx, "gable_zcomposed"));
    for (int i = 0; i < 2; i++)
        CHECK_OK(ctx, gbl_op_run(ctx, &composed_op, &call));
    profile_stop(ctx);
    check_label("zcomposed", 2, 240, 14);
    check_label("daxpy", 6, 6 * bytes_of(axpy_work(N)), 6 * axpy_work(N).flops);
    const table_row outer = row_of("zcomposed"), inner = row_of("daxpy");
    CHECK(sum_of("daxpy").inside == 6 && sum_of("zcomposed").inside == 0, "depths are wrong");
    CHECK(outer.exclusive >= 4, "%g ms exclusive of 4 spent", outer.exclusive);
    /* The table has three digits behind the point. */
    CHECK(outer.inclusive - outer.exclusive > inner.inclusive - 0.0025 &&
              outer.inclusive - outer.exclusive < inner.inclusive + 0.0025,
          "inclusive %g less exclusive %g is not the inner op's %g", outer.inclusive,
          outer.exclusive, inner.inclusive);
    CHECK(inner.inclusive == inner.exclusive, "an op without others inside: %g and %g",
          inner.inclusive, inner.exclusive);

    test_case("an op inside of itself");
    call.inner = 0;
    call.again = true;
    profile_start(ctx, false);
    CHECK_OK(ctx, gbl_enter(ctx, "gable_zcomposed"));
    CHECK_OK(ctx, gbl_op_run(ctx, &composed_op, &call));
    profile_stop(ctx);
    /* The inner one is called after its op: zcomposed too. */
    const table_row both = row_of("zcomposed");
    CHECK(both.calls == 2 && both.exclusive >= 4 && both.inclusive > both.exclusive - 0.002 &&
              both.inclusive < both.exclusive + 0.002,
          "%lld calls, %g ms inclusive, %g exclusive", both.calls, both.inclusive, both.exclusive);

    test_case("calls that fail");
    call.again = false;
    call.fails = true;
    profile_start(ctx, false);
    CHECK_STATUS(ctx, gbl_op_run(ctx, &composed_op, &call), GABLE_DEVICE_FAILED);
    profile_stop(ctx);
    CHECK(strstr(table, "1 call failed") != NULL, "the failure is not told:\n%s", table);
    CHECK(sum_of("").events == 0, "a failed call is in the trace");
    free_operands(ctx, &o);
}

static void replays(gable_context *ctx)
{
    const operands o = make_operands(ctx);
    gable_recording *recording = NULL, *twin = NULL, *early = NULL;
    const gbl_work axpy = axpy_work(N), product = gemv_work(GABLE_NO_TRANS);
    test_case("replays");
    CHECK_OK(ctx, gable_record_begin(ctx));
    gemv(ctx, &o, GABLE_NO_TRANS);
    CHECK_OK(ctx, gable_record_end(ctx, &early));
    profile_start(ctx, false);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ctx, gable_record_begin(ctx));
        gemv(ctx, &o, GABLE_NO_TRANS);
        CHECK_OK(ctx, gable_daxpy(ctx, N, 1, o.x, 1, o.y, 1));
        CHECK_OK(ctx, gable_daxpy(ctx, N, 1, o.x, 1, o.y, 1));
        CHECK_OK(ctx, gable_fill_bytes(ctx, o.y, 0, 8 * N));
        CHECK_STATUS(ctx, gable_daxpy(ctx, N, 1, NULL, 1, o.y, 1), GABLE_BAD_ARGUMENT);
        CHECK_OK(ctx, gable_record_end(ctx, i == 0 ? &recording : &twin));
    }
    for (int i = 0; i < 3; i++)
        CHECK_OK(ctx, gable_replay(ctx, recording));
    CHECK_OK(ctx, gable_replay(ctx, twin));
    CHECK_OK(ctx, gable_replay(ctx, early));
    gable_recording_destroy(recording);
    profile_stop(ctx);
    check_label("replay(dgemv, daxpy x2, fill_bytes)", 4,
                4 * (bytes_of(product) + 2 * bytes_of(axpy) + 8 * N),
                4 * (product.flops + 2 * axpy.flops));
    check_label("replay", 1, 0, 0); /* recorded before the profile: nobody knows what */
    CHECK(row_of("replay(dgemv, daxpy x2, fill_bytes)").limiter[0] != '-',
          "the model does not say what limits a replay:\n%s", table);
    check_absent("dgemv N");
    check_absent("daxpy");
    check_absent("fill_bytes");

    /* The note of a recording is good for the next profile too, and a replay without any costs
     * nothing. */
    CHECK_OK(ctx, gable_replay(ctx, twin));
    profile_start(ctx, false);
    CHECK_OK(ctx, gable_replay(ctx, twin));
    profile_stop(ctx);
    CHECK(row_of("replay(dgemv, daxpy x2, fill_bytes)").calls == 1, "a note was lost");
    gable_recording_destroy(twin);
    gable_recording_destroy(early);
    free_operands(ctx, &o);
}

/* More calls than are kept waiting, so that times are read in between. */
static void device_times(gable_context *ctx)
{
    enum { CALLS = 3000 };
    const operands o = make_operands(ctx);
    gable_context *other = test_open();
    test_case("device times");
    const double from = seconds_now();
    profile_start(ctx, true);
    for (int i = 0; i < CALLS; i++)
        CHECK_OK(ctx, gable_daxpy(ctx, N, 1, o.x, 1, o.y, 1));
    CHECK_OK(other, gable_fill_bytes(other, o.x, 0, 8 * N));
    gable_close(other); /* its times are read before it goes */
    profile_stop(ctx);
    const double wall = 1e6 * (seconds_now() - from);
    check_label("daxpy", CALLS, CALLS * bytes_of(axpy_work(N)), CALLS * axpy_work(N).flops);
    const trace_sum sum = sum_of("daxpy");
    const table_row row = row_of("daxpy");
    CHECK(row_of("fill_bytes").calls == 1, "the closed context's call was lost");
    CHECK(strstr(table, "by the device's clock") != NULL && strstr(table, "have no time") == NULL,
          "no device times:\n%s", table);
    CHECK(row.gbs > 0 && row.gflops > 0 && row.roof >= 0, "no rates:\n%s", table);
    CHECK(sum.usec > 0 && sum.usec <= wall && sum.first >= 0 && sum.end <= 1.02 * wall,
          "%g us of device time from %g to %g in %g us", sum.usec, sum.first, sum.end, wall);
    CHECK(sum.overlaps == 0, "%lld calls of one queue overlap", (long long)sum.overlaps);
    CHECK(sum.host_usec > 0, "no host times beside the device's");
    CHECK(row.inclusive > 0.999e-3 * sum.usec - 0.01 && row.inclusive < 1.001e-3 * sum.usec + 0.01,
          "%g ms in the table, %g us in the trace", row.inclusive, sum.usec);
    free_operands(ctx, &o);
}

/* ---- Threads ---- */

enum { THREADS = 3, CALLS = 500 };

static void *many_calls(void *given)
{
    long *wrong = given;
    gable_context *ctx = NULL;
    double *x = NULL;
    *wrong += gable_open(&ctx, test_device()) != GABLE_OK;
    *wrong += gable_alloc(ctx, N * sizeof *x, (void **)&x) != GABLE_OK;
    *wrong += gable_fill_bytes(ctx, x, 0, N * sizeof *x) != GABLE_OK;
    for (int i = 0; i < CALLS; i++)
        *wrong += gable_dscal(ctx, N, 2, x, 1) != GABLE_OK;
    *wrong += gable_free(ctx, x) != GABLE_OK;
    gable_close(ctx);
    return NULL;
}

static void threads(gable_context *ctx, bool times)
{
    pthread_t thread[THREADS];
    long wrong[THREADS] = {0};
    test_case("threads%s", times ? " with device times" : "");
    profile_start(ctx, times);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, many_calls, &wrong[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    profile_stop(ctx);
    for (int i = 0; i < THREADS; i++)
        CHECK(wrong[i] == 0, "%ld calls of thread %d failed", wrong[i], i);
    check_label("dscal", THREADS * CALLS, THREADS * CALLS * 16.0 * N, THREADS * CALLS * 1.0 * N);
    CHECK(sum_of("dscal").overlaps == 0, "calls of one context overlap");

    /* Profiles that start and end while others call: what is counted is whole. */
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, many_calls, &wrong[i]);
    for (int i = 0; i < 5; i++) {
        profile_start(ctx, times);
        spend(1e-3);
        profile_stop(ctx);
        (void)sum_of("");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        CHECK(wrong[i] == 0, "%ld calls of thread %d failed", wrong[i], i);
}

/* A first call that has to compile says so; a second one does not. The cache on disk would hide it:
 * it is elsewhere. */
static void first_calls(gable_context *ctx)
{
    double *x = NULL;
    test_case("kernels that are compiled");
    if (ctx->device->props.is_host) {
        profile_start(ctx, false);
        profile_stop(ctx);
        CHECK(strstr(table, "compiled") == NULL, "the cpu compiled: %s", table);
        return;
    }
    setenv("XDG_CACHE_HOME", folder, 1);
    CHECK_OK(ctx, gable_sync(ctx));
    gbl_kernels_forget(ctx->device);
    CHECK_OK(ctx, gable_alloc(ctx, 1000 * sizeof *x, (void **)&x));
    CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, 1000 * sizeof *x));
    for (int round = 0; round < 2; round++) {
        char *lines;
        profile_start(ctx, false);
        CHECK_OK(ctx, gable_dscal(ctx, 1000, 2, x, 1));
        CHECK_OK(ctx, gable_sync(ctx));
        profile_stop(ctx);
        lines = file_text(trace_path);
        CHECK((strstr(table, "1 kernel was compiled in ") != NULL &&
               strstr(table, "within the times of: dscal (") != NULL) == (round == 0),
              "call %d: the table says\n%s", round + 1, table);
        CHECK((strstr(lines, "\"compile_us\":") != NULL) == (round == 0),
              "call %d: the trace is\n%s", round + 1, lines);
        free(lines);
    }
    CHECK_OK(ctx, gable_free(ctx, x));
}

int main(void)
{
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    unsetenv("GABLE_PROFILE");
    test_start("test_profile");
    profile_folder_make();
    gable_context *ctx = test_open();
    counts(ctx);
    replays(ctx);
    device_times(ctx);
    threads(ctx, false);
    threads(ctx, true);
    nesting(ctx);
    first_calls(ctx);
    gable_close(ctx);
    profile_folder_remove();
    return test_finish();
}
