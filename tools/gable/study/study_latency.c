/* study_latency.c: `gable study latency`: rate against occupancy, with 1, 2, 4 and 8 operations per
 * work-item.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Arithmetic: kernels/roofs/muladd.cl, so many chains of multiply-adds in single precision, each of
 * which waits for the one before. Memory: kernels/roofs/read.cl, so many loads of 8 bytes before
 * the first is used. All groups are resident at once; what a unit holds is the work-items of its
 * groups.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level1/stream_plan.h"
#include "core/context.h"
#include "core/data_folder.h"
#include "core/launch.h"
#include "roof_args.h"
#include "gable/device_slug.h"
#include "gable/inspect/occupancy.h"
#include "operands.h"
#include "study.h"
#include "study_latency.h"
#include "gable/terminal.h"

#define GPU_ITEMS   2048 /* per unit, where it is not known */
#define CPU_ITEMS   64   /* called full on a CPU, whose work-items take turns */
#define LARGEST     256  /* items per group */
#define LEAST_PART  64   /* the lowest occupancy is one of so many parts */
#define RUN_SECONDS 2e-3
#define RUNS        3                   /* of which the best counts */
#define CPU_BYTES   ((size_t)256 << 20) /* of the set that is read, at least */
#define GPU_BYTES   ((size_t)2 << 30)
#define CACHES      8 /* the set is so many times the cache */
#define MEMORY_PART 8 /* and at most one of so many parts of the memory */
#define NUMBERS     16

typedef struct bench_latency {
    gable_context *ctx;
    gable_timer *timer;
    latency_study seen;
    void *numbers, *out, *set;
    int64_t set_words, next_word;
} bench_latency;

/* ---- The points ---- */

static void plan_points(latency_study *seen)
{
    const gbl_device *device = seen->device;
    occupancy known;
    seen->units = device->props.units > 0 ? device->props.units : 1;
    seen->items_known = occupancy_of(device->info.arch, 32, 0, 32, &known);
    seen->items_a_unit = seen->items_known      ? known.limits->threads
                         : device->props.is_gpu ? GPU_ITEMS
                                                : CPU_ITEMS;
    const int least = seen->items_a_unit / LEAST_PART;
    for (int items = least; items <= seen->items_a_unit; items *= 2) {
        /* On GPUs also the steps halfway: warps of lanes are whole from the second on. */
        for (int half = 2; half <= 3; half++) {
            const int wanted = items / 2 * half;
            if (half == 3 && (!device->props.is_gpu || items == least))
                continue;
            if (wanted > seen->items_a_unit || seen->point_count == LATENCY_POINTS)
                continue;
            int groups = 1;
            const int n = half == 2 ? items : wanted;
            while (n / groups > LARGEST ||
                   (device->props.max_group > 0 && n / groups > device->props.max_group))
                groups *= 2;
            seen->points[seen->point_count++] =
                (latency_point){.group = n / groups, .groups = groups, .items = n};
        }
    }
}

/* ---- Runs ---- */

static gable_status get_kernel(bench_latency *b, int test, const latency_point *point, int ilp,
                               gbl_kernel **kernel)
{
    gbl_kernel_spec spec;
    memset(&spec, 0, sizeof spec);
    spec.file = test == LATENCY_ARITHMETIC ? "muladd.cl" : "read.cl";
    spec.dtype = test == LATENCY_ARITHMETIC ? GBL_S : GBL_D;
    gbl_kernel_add_macro(&spec, "WX", point->group);
    if (test == LATENCY_ARITHMETIC) {
        gbl_kernel_add_macro(&spec, "CHAINS", ilp);
        gbl_kernel_add_macro(&spec, "MEET", !b->ctx->device->props.is_gpu);
    } else {
        gbl_kernel_add_macro(&spec, "VEC", 1);
        gbl_kernel_add_macro(&spec, "UNROLL", ilp);
        gbl_kernel_add_macro(&spec, "RANGE", 0);
        gbl_kernel_add_macro(&spec, "STRIDED", 0);
        gbl_kernel_add_macro(&spec, "ALIGN", 8);
    }
    return gbl_kernel_get(b->ctx->device, &spec, kernel, &b->ctx->message);
}

/* `rounds` are of ROOF_STEPS multiply-adds in each chain, or of one load in each place of a
 * work-item. */
static gable_status enqueue(bench_latency *b, int test, const latency_point *point, int ilp,
                            gbl_kernel *kernel, int64_t rounds)
{
    const roof_args muladd = {.rounds = rounds};
    const int64_t words = rounds * point->items * b->seen.units * ilp;
    const stream_args read = {.n = words, .vectors = words, .incx = 1, .incy = 1, .incw = 1};
    /* Always other words, so that none is in the cache. */
    if (b->next_word + words > b->set_words)
        b->next_word = 0;
    const char *words_read = (const char *)b->set + 8 * b->next_word;
    if (test == LATENCY_MEMORY)
        b->next_word += words;
    gbl_launch_spec launch = {
        .groups = {(int64_t)point->groups * b->seen.units, 1},
        .group = {point->group, 1},
        .buffer_count = 2,
        .buffers = {test == LATENCY_ARITHMETIC ? b->numbers : words_read, b->out},
        .args = test == LATENCY_ARITHMETIC ? (const void *)&muladd : &read,
        .args_bytes = test == LATENCY_ARITHMETIC ? sizeof muladd : sizeof read,
    };
    return gbl_launch(b->ctx, kernel, &launch);
}

static gable_status time_run(bench_latency *b, int test, const latency_point *point, int ilp,
                             gbl_kernel *kernel, int64_t rounds, double *seconds)
{
    TRY(gable_timer_start(b->timer));
    TRY(enqueue(b, test, point, ilp, kernel, rounds));
    TRY(gable_timer_stop(b->timer));
    return gable_timer_seconds(b->timer, seconds);
}

static gable_status measure(bench_latency *b, int test, latency_point *wanted, int index)
{
    const int ilp = 1 << index;
    gbl_kernel *kernel;
    occupancy held;
    double seconds = 0, best = INFINITY;
    latency_point fitting = *wanted;
    const latency_point *point = &fitting;
    TRY(get_kernel(b, test, point, ilp, &kernel));
    while (!gbl_kernel_takes(kernel, fitting.group)) { /* then more and smaller groups */
        fitting.group /= 2;
        fitting.groups *= 2;
        TRY(get_kernel(b, test, point, ilp, &kernel));
    }
    const gbl_code *code = kernel->code;
    if (occupancy_of(b->ctx->device->info.arch, code->registers,
                     code->local_bytes > 0 ? code->local_bytes : 0, point->group, &held) &&
        code->registers > 0 && held.groups < point->groups) {
        wanted->at[test][index].known = wanted->at[test][index].does_not_fit = true;
        return GABLE_OK;
    }
    const int64_t a_round = (int64_t)point->items * b->seen.units * ilp;
    const int64_t most = test == LATENCY_MEMORY ? b->set_words / a_round : INT64_MAX / 4;
    int64_t rounds = most < 64 ? most : 64;
    TRY(enqueue(b, test, point, ilp, kernel, rounds)); /* loads, and on some devices compiles */
    TRY(gable_sync(b->ctx));
    for (;;) { /* until it is long enough to tell the rounds from the launch */
        TRY(time_run(b, test, point, ilp, kernel, rounds, &seconds));
        if (seconds >= RUN_SECONDS / 2 || rounds >= most)
            break;
        const double more = RUN_SECONDS / fmax(seconds, RUN_SECONDS / 16);
        rounds = rounds < most / (int64_t)ceil(more) ? rounds * (int64_t)ceil(more) : most;
    }
    for (int i = 0; i < RUNS; i++) {
        double again = 0;
        TRY(time_run(b, test, point, ilp, kernel, rounds, &again));
        best = again < best ? again : best;
    }
    const double steps = test == LATENCY_ARITHMETIC ? ROOF_STEPS : 1;
    if (!(best > 0))
        return gbl_fail(&b->ctx->message, GABLE_DEVICE_FAILED, "the device's clock did not move");
    wanted->at[test][index].known = true;
    wanted->at[test][index].seconds = best;
    wanted->at[test][index].rate = (double)a_round * (double)rounds * steps / best;
    return GABLE_OK;
}

/* ---- The study ---- */

static gable_status set_up(bench_latency *b)
{
    gable_context *ctx = b->ctx;
    const gbl_props *props = &ctx->device->props;
    float numbers[NUMBERS];
    size_t bytes = CACHES * bench_cache_bytes(ctx);
    const size_t least = props->is_gpu ? GPU_BYTES : CPU_BYTES;
    bytes = bytes > least ? bytes : least;
    bytes = bytes < props->memory_bytes / MEMORY_PART ? bytes : props->memory_bytes / MEMORY_PART;
    b->set_words = (int64_t)(bytes / 8);
    numbers[0] = -1.9F; /* v := v v - 1.9 neither leaves [-2, 2] nor settles */
    for (int i = 1; i < NUMBERS; i++)
        numbers[i] = 0.05F * (float)i - 0.4F;
    const size_t items = (size_t)b->seen.items_a_unit * (size_t)b->seen.units;
    TRY(gable_timer_create(ctx, &b->timer));
    TRY(gable_alloc(ctx, sizeof numbers, &b->numbers));
    TRY(gable_alloc(ctx, 8 * items, &b->out));
    TRY(gable_alloc(ctx, bytes, &b->set));
    TRY(gable_set_vector(ctx, NUMBERS, sizeof numbers[0], numbers, 1, b->numbers, 1));
    TRY(bench_fill_random(ctx, b->set, bytes));
    return gable_sync(ctx);
}

/* The ends first, then what is between: whenever the time ends, the curve is there in outline. */
static gable_status measure_all(bench_latency *b, double deadline,
                                const volatile sig_atomic_t *stop)
{
    latency_study *seen = &b->seen;
    int done = 0;
    const int all = seen->point_count * LATENCY_TESTS * LATENCY_ILPS;
    for (int stride = seen->point_count - 1; stride > 0;
         stride = stride > 1 ? (stride + 1) / 2 : 0) {
        for (int i = 0; i < seen->point_count; i += stride) {
            for (int k = 0; k < LATENCY_TESTS * LATENCY_ILPS; k++) {
                latency_point *point = &seen->points[i];
                const int test = k % LATENCY_TESTS, index = k / LATENCY_TESTS;
                if (point->at[test][index].known)
                    continue;
                /* Without the lowest points nothing can be said. */
                if (*stop || (terminal_now() > deadline && (i > 0 || index > 0)))
                    return GABLE_OK;
                char text[96];
                snprintf(text, sizeof text, "%s, %d items per unit, %d per work-item",
                         latency_tests[test], point->items, 1 << index);
                terminal_progress(text, (double)done++ / all);
                TRY(measure(b, test, point, index));
            }
        }
    }
    return GABLE_OK;
}

static int finish(const study_latency_request *request, const latency_study *seen)
{
    char slug[DEVICE_SLUG_BYTES], name[160], device[512], base[STUDY_PATH_BYTES],
        path[STUDY_PATH_BYTES], sentence[2 * STUDY_PATH_BYTES] = "";
    latency_result result;
    if (!latency_work_out(seen, LATENCY_ARITHMETIC, &result) &&
        !latency_work_out(seen, LATENCY_MEMORY, &result))
        return *request->stop ? EXIT_STOPPED : args_fail(request->args, "nothing was measured");
    snprintf(device, sizeof device, "%s %s", seen->device->info.name, seen->device->info.title);
    device_slug(device, slug, sizeof slug);
    snprintf(name, sizeof name, "latency-%s", slug);
    char *lines = latency_lines(seen);
    const bool known = study_path(request->folder, name, base);
    snprintf(path, sizeof path, "%.*s.jsonl", STUDY_PATH_BYTES - 8, base);
    const bool written = lines != NULL && known && gbl_data_append(path, lines);
    if (written)
        latency_plot(seen, base, sentence, sizeof sentence);
    if (request->json && lines != NULL)
        fputs(lines, stdout);
    else
        latency_show(seen);
    free(lines);
    if (!written)
        return args_fail(request->args, "%s cannot be written; use --out",
                         known ? path : "the data folder");
    if (!request->json)
        printf("\nmeasurements are in %s\n%s\n", path, sentence);
    return *request->stop ? EXIT_STOPPED : EXIT_DONE;
}

int study_latency(const study_latency_request *request)
{
    static bench_latency b;
    b.ctx = request->ctx;
    b.seen.device = request->ctx->device;
    plan_points(&b.seen);
    terminal_progress_start();
    const double start = terminal_now();
    gable_status status = set_up(&b);
    gbl_kernels_try(true);
    if (status == GABLE_OK)
        status = measure_all(&b, start + request->budget, request->stop);
    gbl_kernels_try(false);
    terminal_progress_erase();
    const int code = status == GABLE_OK
                         ? finish(request, &b.seen)
                         : args_fail(request->args, "%s", gable_message(request->ctx));
    gable_timer_destroy(b.timer);
    gable_free(b.ctx, b.numbers);
    gable_free(b.ctx, b.out);
    gable_free(b.ctx, b.set);
    return code;
}
