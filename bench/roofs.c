/* roofs.c: what a device can do, measured once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "bench.h"
#include "party.h"

#define LARGE_BYTES    ((size_t)512 << 20)
#define MEMORY_PART    16
#define BANDWIDTH_RUNS 4
#define LAUNCH_RUNS    256
#define LAUNCH_TURNS   31

static gable_status bandwidth(gable_context *ctx, bench_roof_kind kind, size_t bytes,
                              double *bytes_a_second)
{
    bench_roof *roof = calloc(1, sizeof *roof);
    if (roof == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    double seconds = 1;
    gable_status status = bench_roof_make(roof, ctx, kind, bytes, 2);
    if (status == GABLE_OK)
        status = bench_roof_tune(roof);
    if (status == GABLE_OK)
        status = bench_roof_seconds(roof, BANDWIDTH_RUNS, &seconds);
    *bytes_a_second = (double)roof->bytes / seconds;
    bench_roof_free(roof);
    free(roof);
    return status;
}

/* A copy of one element through the whole call path: next to nothing but the launch. */
static gable_status launches(gable_context *ctx, double *replay, double *single)
{
    bench_wanted wanted;
    bench_op_find("scopy", 0, &wanted);
    const bench_case what = {.op = wanted.op, .dtype = GBL_S, .m = 1, .n = 1, .k = 1};
    bench_party *party = calloc(1, sizeof *party);
    bench_operands *operands = calloc(1, sizeof *operands);
    gable_status status = GABLE_OK;
    double least;
    if (party == NULL || operands == NULL) {
        status = gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
        goto done;
    }
    *party = (bench_party){.what = &what, .ctx = ctx, .operands = operands, .sets = 1, .hot = true};
    status = bench_operands_make(operands, ctx, &what, true);
    if (status == GABLE_OK)
        status = bench_party_begin(party, LAUNCH_RUNS);
    for (int mode = BENCH_REPLAY; status == GABLE_OK && mode <= BENCH_SINGLE; mode++) {
        for (party->turns = 0; status == GABLE_OK && party->turns < LAUNCH_TURNS; party->turns++)
            status = bench_party_turn(party, (bench_mode)mode, 0, &party->seconds[party->turns]);
        bench_party_summary(party, mode == BENCH_REPLAY ? replay : single, &least);
    }
    bench_party_end(party);
    bench_operands_free(operands);
done:
    free(party);
    free(operands);
    return status;
}

static void say_nothing(const char *text, double done)
{
    (void)text;
    (void)done;
}

gable_status bench_measure_roofs(gable_context *ctx, bench_roofs *roofs,
                                 void (*progress)(const char *text, double done))
{
    /* Two large measurements, then many short launches: roughly these parts of the time. */
    const double copied = 0.45, read = 0.9;
    if (progress == NULL)
        progress = say_nothing;
    size_t bytes = LARGE_BYTES;
    if (bytes < 4 * bench_cache_bytes(ctx))
        bytes = 4 * bench_cache_bytes(ctx);
    if (bytes > ctx->device->props.memory_bytes / MEMORY_PART)
        bytes = ctx->device->props.memory_bytes / MEMORY_PART;
    roofs->working_bytes = bytes;
    progress("measuring a copy", 0);
    TRY(bandwidth(ctx, BENCH_ROOF_COPY, bytes, &roofs->copy_bytes_a_second));
    progress("measuring a read", copied);
    TRY(bandwidth(ctx, BENCH_ROOF_READ, bytes, &roofs->read_bytes_a_second));
    progress("measuring launches", read);
    return launches(ctx, &roofs->replay_seconds, &roofs->single_seconds);
}
