/* test_threads.c: two threads with a context each on one device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both open contexts, compile the same kernels, allocate, compute and close at the same time. The
 * sums are of integers, so every right answer has the same bits.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "harness/check.h"
#include "harness/data.h"

enum { THREADS = 2, ROUNDS = 6, CALLS = 20, N = 5003 };

/* One thread's share; checks are made after it ended. */
typedef struct share {
    pthread_t thread;
    int number;
    char what[256]; /* the first thing that went wrong */
} share;

static void wrong(share *s, const char *what, const gable_context *ctx)
{
    if (s->what[0] == '\0')
        snprintf(s->what, sizeof s->what, "%s: %.200s", what, gable_message(ctx));
}

/* One context: its own vectors, inner products to host and device memory. */
static void one_round(share *s, int round)
{
    gable_context *ctx = NULL;
    double host[N], *x = NULL, *y = NULL, *result = NULL, sum = -1;
    double wanted = 0;
    if (gable_open(&ctx, test_device()) != GABLE_OK) {
        wrong(s, "gable_open", ctx);
        goto done;
    }
    if (gable_alloc(ctx, sizeof host, (void **)&x) != GABLE_OK ||
        gable_alloc(ctx, sizeof host, (void **)&y) != GABLE_OK ||
        gable_alloc(ctx, sizeof(double), (void **)&result) != GABLE_OK) {
        wrong(s, "gable_alloc", ctx);
        goto done;
    }
    for (int i = 0; i < N; i++) {
        host[i] = data_integer((uint64_t)(s->number + 1), (uint64_t)i, 9);
        wanted += host[i] * host[i];
    }
    if (gable_set_vector(ctx, N, sizeof(double), host, 1, x, 1) != GABLE_OK) {
        wrong(s, "gable_set_vector", ctx);
        goto done;
    }
    for (int i = 0; i < CALLS; i++) {
        if (gable_dcopy(ctx, N, x, 1, y, 1) != GABLE_OK ||
            gable_ddot(ctx, N, x, 1, y, 1, result) != GABLE_OK)
            wrong(s, "gable_ddot", ctx);
        if (gable_get_vector(ctx, 1, sizeof(double), result, 1, &sum, 1) != GABLE_OK)
            wrong(s, "gable_get_vector", ctx);
        if (sum != wanted)
            wrong(s, "a sum in device memory is wrong", ctx);
        sum = -1;
        if (gable_ddot(ctx, N, x, 1, x, 1, &sum) != GABLE_OK || sum != wanted)
            wrong(s, "a sum in host memory is wrong", ctx);
        if (gable_ddot(ctx, -round - 1, x, 1, x, 1, &sum) != GABLE_BAD_ARGUMENT)
            wrong(s, "an error is not seen", ctx);
    }
done:
    if (ctx != NULL && (gable_free(ctx, x) != GABLE_OK || gable_free(ctx, y) != GABLE_OK ||
                        gable_free(ctx, result) != GABLE_OK))
        wrong(s, "gable_free", ctx);
    gable_close(ctx);
}

static void *work(void *given)
{
    share *s = given;
    for (int round = 0; round < ROUNDS; round++)
        one_round(s, round);
    return NULL;
}

int main(void)
{
    static share shares[THREADS];
    test_start("test_threads");
    gable_close(test_open()); /* skips without the device */
    test_case("%d threads on %s", THREADS, test_device());
    for (int i = 0; i < THREADS; i++) {
        shares[i].number = i;
        CHECK(pthread_create(&shares[i].thread, NULL, work, &shares[i]) == 0, "no thread %d", i);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(shares[i].thread, NULL) == 0, "thread %d was lost", i);
        CHECK(shares[i].what[0] == '\0', "thread %d: %s", i, shares[i].what);
    }
    return test_finish();
}
