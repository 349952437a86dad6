/* host_gemm.c: a product of arrays from malloc, timed: what a call costs with all copies.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * host_gemm [N [REPEATS [pinned]]]: N is 500 where nothing is said, REPEATS 3.
 * In the checkout, after `make`:
 *   cc examples/host_gemm.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o host_gemm && ./host_gemm
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <gable/gable.h>

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static gable_status run(gable_context *ctx, int64_t n, int repeats, int pinned)
{
    const size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    double *arrays[3] = {malloc(bytes), malloc(bytes), malloc(bytes)}, best = 0;
    gable_status status = GABLE_OK;
    int ready = arrays[0] != NULL && arrays[1] != NULL && arrays[2] != NULL;
    for (int64_t i = 0; ready && i < n * n; i++) {
        arrays[0][i] = 1;
        arrays[1][i] = 2;
        arrays[2][i] = -1;
    }
    for (int i = 0; ready && pinned && i < 3; i++)
        gable_host_pin(ctx, arrays[i], bytes);
    for (int i = 0; ready && status == GABLE_OK && i < repeats + 1; i++) {
        const double from = seconds();
        status = gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, n, n, n, 1.0, arrays[0], n,
                                  arrays[1], n, 0.0, arrays[2], n);
        const double took = seconds() - from;
        if (i == 1 || (i > 1 && took < best)) /* the first call compiles */
            best = took;
    }
    int right = 1;
    for (int64_t i = 0; ready && i < n * n; i++)
        right = right && arrays[2][i] == 2 * (double)n;
    if (ready && status == GABLE_OK)
        printf("C = %lld in all elements: %s\n%lld x %lld on %s: %.3f ms, %.1f GFLOP/s\n",
               (long long)(2 * n), right ? "yes" : "no", (long long)n, (long long)n,
               gable_last_device(ctx), 1e3 * best, 2e-9 * (double)n * (double)n * (double)n / best);
    for (int i = 0; ready && pinned && i < 3; i++)
        gable_host_unpin(ctx, arrays[i]);
    for (int i = 0; i < 3; i++)
        free(arrays[i]);
    return ready ? status : GABLE_OUT_OF_MEMORY;
}

int main(int count, char **words)
{
    gable_context *ctx = NULL;
    const int64_t n = count > 1 ? atoll(words[1]) : 500;
    const int repeats = count > 2 ? atoi(words[2]) : 3, pinned = count > 3;
    gable_status status = gable_open(&ctx, NULL);
    if (status == GABLE_OK)
        status = run(ctx, n > 0 ? n : 1, repeats > 0 ? repeats : 1, pinned);
    if (status != GABLE_OK)
        printf("%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    return status == GABLE_OK ? 0 : 1;
}
