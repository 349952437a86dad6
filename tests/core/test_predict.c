/* test_predict.c: the model: what holds for every prediction, and which limiter it names when.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <string.h>
#include "expect.h"
#include "model/predict.h"

/* A GPU of round numbers. */
static const gbl_props props = {.is_gpu = true, .units = 100, .simd = 32, .max_group = 1024};
static const gbl_roofs roofs = {
    .copy = 4e12,
    .read = 4e12,
    .write = 4e12,
    .cache = 8e12,
    .cache_bytes = 40e6,
    .unit = 80e9,
    .flops = {60e12, 30e12, 60e12, 30e12},
    .launch_replay = 1e-6,
    .launch_single = 6e-6,
    .latency = 0.5e-6,
    .barrier = 1e-6,
    .step = 20e-9,
    .link_to_device = 50e9,
    .link_to_host = 50e9,
    .link_latency = 10e-6,
};

/* A kernel that keeps memory busy: groups of one round, as many for each unit. */
static gbl_cost streaming(double bytes)
{
    return (gbl_cost){.memory_bytes = bytes,
                      .flops = bytes / 4,
                      .launches = 1,
                      .groups = 100 * ceil(bytes / 100 / 16384),
                      .group_items = 256,
                      .bytes_in_flight = 16384};
}

static gbl_prediction predict(const gbl_cost *cost, const gbl_roofs *with)
{
    const gbl_situation replayed = {.replayed = true};
    gbl_prediction p;
    gbl_predict(cost, GBL_D, &props, with, &replayed, &p);
    double sum = 0;
    for (int i = 0; i < GBL_LIMITERS; i++) {
        EXPECT(p.term[i] >= 0, "%s is %g s", gbl_limiter_name((gbl_limiter)i), p.term[i]);
        const bool fixed = p.limiter == GBL_LIMIT_LAUNCH || p.limiter == GBL_LIMIT_LATENCY;
        const double most =
            fixed ? p.term[GBL_LIMIT_LAUNCH] + p.term[GBL_LIMIT_LATENCY] : p.term[p.limiter];
        EXPECT(p.term[i] <= most, "%s is more than the limiter %s",
               gbl_limiter_name((gbl_limiter)i), gbl_limiter_name(p.limiter));
        sum += p.term[i];
    }
    EXPECT(fabs(sum - p.seconds) <= 1e-12 * p.seconds, "terms add up to %g, not %g", sum,
           p.seconds);
    return p;
}

static void check_limiters(void)
{
    gbl_cost cost = streaming(4e9);
    gbl_prediction p = predict(&cost, &roofs);
    EXPECT(p.limiter == GBL_LIMIT_MEMORY && p.seconds > 1e-3 && p.seconds < 1.01e-3,
           "4 GB at 4 TB/s take %g s, by %s", p.seconds, gbl_limiter_name(p.limiter));
    cost = streaming(4e4);
    EXPECT(predict(&cost, &roofs).limiter == GBL_LIMIT_LAUNCH, "40 kB are not bound by the launch");
    cost = streaming(4e9);
    cost.flops = 1e12;
    EXPECT(predict(&cost, &roofs).limiter == GBL_LIMIT_ARITHMETIC, "10^12 flops are for free");
    cost = streaming(4e9);
    cost.cache_bytes = 40e9;
    EXPECT(predict(&cost, &roofs).limiter == GBL_LIMIT_CACHE, "40 GB of cache are for free");
    cost = streaming(4e9);
    cost.groups = 1; /* one group, 16 kB in flight: 32 GB/s */
    p = predict(&cost, &roofs);
    EXPECT(p.limiter == GBL_LIMIT_LATENCY, "a lone group is bound by %s",
           gbl_limiter_name(p.limiter));
    EXPECT(p.in_flight == 16384 && p.in_flight_needed == 2e6, "%g of %g bytes are in flight",
           p.in_flight, p.in_flight_needed);
    cost = streaming(4e6);
    cost.steps = 1e5;
    EXPECT(predict(&cost, &roofs).limiter == GBL_LIMIT_LATENCY, "10^5 exchanges are for free");
}

/* Matrix units have a rate of their own in double; where it is not known, that of multiply-adds. */
static void check_matrix_units(void)
{
    gbl_roofs other = roofs;
    gbl_cost cost = streaming(4e6);
    cost.matrix_flops = 1e12;
    other.matrix_flops = 2 * roofs.flops[GBL_D];
    const gbl_prediction fast = predict(&cost, &other);
    other.matrix_flops = 0;
    const gbl_prediction slow = predict(&cost, &other);
    EXPECT(fast.limiter == GBL_LIMIT_MATRIX && slow.limiter == GBL_LIMIT_MATRIX,
           "10^12 flops of matrix units are bound by %s and %s", gbl_limiter_name(fast.limiter),
           gbl_limiter_name(slow.limiter));
    EXPECT(fabs(slow.matrix_seconds - 2 * fast.matrix_seconds) < 1e-9 * slow.matrix_seconds,
           "half the rate takes %g s, not twice %g s", slow.matrix_seconds, fast.matrix_seconds);
}

/* Half as many bytes as flops in single precision: 30 TB/s; sm_80 has as many of both. Nothing is
 * known of CPUs. */
static void check_local_memory(void)
{
    const gbl_situation replayed = {.replayed = true};
    gbl_props other = props;
    gbl_cost cost = streaming(4e6);
    gbl_prediction p;
    cost.bank_bytes = 60e9;
    p = predict(&cost, &roofs);
    EXPECT(p.limiter == GBL_LIMIT_LOCAL && fabs(p.local_seconds - 2e-3) < 1e-9,
           "60 GB at 30 TB/s take %g s, by %s", p.local_seconds, gbl_limiter_name(p.limiter));
    snprintf(other.family, sizeof other.family, "sm_80");
    gbl_predict(&cost, GBL_D, &other, &roofs, &replayed, &p);
    EXPECT(fabs(p.local_seconds - 1e-3) < 1e-9, "on sm_80 they take %g s", p.local_seconds);
    other.is_gpu = false;
    gbl_predict(&cost, GBL_D, &other, &roofs, &replayed, &p);
    EXPECT(p.local_seconds == 0, "on a CPU they take %g s", p.local_seconds);
}

/* Ten waves of groups that wait 100 times each take ten times as long as one. */
static void check_waves(void)
{
    gbl_cost cost = {
        .launches = 1, .group_items = 1024, .waits = 100, .overlapped = true, .in_waves = true};
    cost.groups = 2 * props.units;
    const double one = predict(&cost, &roofs).term[GBL_LIMIT_LATENCY];
    cost.groups *= 10;
    const double ten = predict(&cost, &roofs).term[GBL_LIMIT_LATENCY];
    EXPECT(fabs(one - 100 * roofs.latency) < 1e-9 && fabs(ten - 10 * one) < 1e-9,
           "one wave waits %g s, ten wait %g s", one, ten);
    cost.in_waves = false;
    EXPECT(fabs(predict(&cost, &roofs).term[GBL_LIMIT_LATENCY] - one) < 1e-9,
           "waits of the whole call come again with the waves");
}

/* A core fetches ahead of its loop: a group of a CPU that asks for a word at a time reads like one
 * that asks for much, at the speed of a core alone. A GPU's waits for each. */
static void check_cores(void)
{
    gbl_props cores = props;
    const gbl_situation replayed = {.replayed = true};
    gbl_prediction word, much;
    gbl_cost cost = streaming(4e9);
    cores.is_gpu = false;
    cost.groups = 1;
    cost.bytes_in_flight = 1 << 20;
    gbl_predict(&cost, GBL_D, &cores, &roofs, &replayed, &much);
    cost.bytes_in_flight = 8;
    gbl_predict(&cost, GBL_D, &cores, &roofs, &replayed, &word);
    const double alone = 4e9 / roofs.unit;
    EXPECT(fabs(word.seconds - alone) < 0.02 * alone, "a core alone takes %g s, not %g",
           word.seconds, alone);
    EXPECT(much.seconds <= word.seconds, "more in flight takes %g s, not %g", much.seconds,
           word.seconds);
    EXPECT(predict(&cost, &roofs).seconds > 10 * alone, "a GPU's group of one word waits for none");
}

/* 101 groups of equal bytes on 100 units: 99 wait for the one with two. */
static void check_tail(void)
{
    gbl_cost even = streaming(4e9), uneven = even;
    even.groups = 100;
    uneven.groups = 101;
    even.bytes_in_flight = uneven.bytes_in_flight = 1 << 20;
    const gbl_prediction a = predict(&even, &roofs), b = predict(&uneven, &roofs);
    const double late = 4e9 / 101 / 80e9;
    EXPECT(a.term[GBL_LIMIT_TAIL] == 0 && a.fill == 1, "100 groups on 100 units: fill %g", a.fill);
    EXPECT(fabs(b.term[GBL_LIMIT_TAIL] - late) < 0.05 * late, "a tail of %g s, not of %g",
           b.term[GBL_LIMIT_TAIL], late);
    EXPECT(b.fill > 0.5 && b.fill < 0.51, "101 groups on 100 units: fill %g", b.fill);
    /* Fewer groups than units can hold memory's speed only while they are enough. */
    even.groups = 10;
    EXPECT(predict(&even, &roofs).seconds > 4e9 / (10 * 80e9),
           "10 units read faster than they can");
}

/* Better hardware is never slower, less work never takes longer, and a recording is not slower than
 * single calls. */
static void check_order(void)
{
    const double sizes[] = {1e3, 1e5, 1e6, 1e7, 1e8, 1e9};
    double before = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const gbl_cost cost = streaming(sizes[i]);
        const double base = predict(&cost, &roofs).seconds;
        EXPECT(base >= before, "%g bytes take %g s, fewer took %g", sizes[i], base, before);
        before = base;
        gbl_roofs better[6];
        for (int k = 0; k < 6; k++)
            better[k] = roofs;
        better[0].copy = better[0].read = better[0].write = 8e12;
        better[1].launch_replay = 0;
        better[2].latency /= 2;
        better[3].cache *= 2;
        better[4].flops[GBL_D] *= 2;
        better[5].unit *= 2;
        for (int k = 0; k < 6; k++)
            EXPECT(predict(&cost, &better[k]).seconds <= base, "better hardware %d is slower", k);
        const gbl_situation single = {.replayed = false}, link = {.link_bytes = sizes[i]};
        gbl_prediction p;
        gbl_predict(&cost, GBL_D, &props, &roofs, &single, &p);
        EXPECT(p.seconds >= base, "a single call is faster than a replayed one");
        const double alone = p.seconds;
        gbl_predict(&cost, GBL_D, &props, &roofs, &link, &p);
        EXPECT(p.seconds >= alone + sizes[i] / 50e9 && p.term[GBL_LIMIT_LINK] > 0,
               "%g bytes cross the link in no time", sizes[i]);
    }
    gbl_prediction p;
    const gbl_cost small = streaming(4e6);
    const gbl_situation hot = {.replayed = true, .hot = true};
    gbl_predict(&small, GBL_D, &props, &roofs, &hot, &p);
    EXPECT(p.seconds < predict(&small, &roofs).seconds, "the cache does not help");
}

/* ---- Composed calls ---- */

static int composed_parts = 2; /* kinds of parts that the variant below tells */

typedef struct stream_call {
    gbl_dtype dtype;
    int32_t unused;
    double bytes;
} stream_call;

static bool always(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return true;
}

static bool never(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return false;
}

static void stream_work(const void *call, gbl_work *work)
{
    *work = (gbl_work){.bytes_read = ((const stream_call *)call)->bytes};
}

static void stream_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_cost *cost)
{
    (void)self, (void)params, (void)device;
    *cost = streaming(((const stream_call *)call)->bytes);
}

static void wrong_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    (void)self, (void)call, (void)params, (void)device;
    *cost = streaming(1e15);
}

static const gbl_variant stream_variants[] = {
    {.name = "unfit", .deterministic = true, .fits = never, .cost = wrong_cost},
    {.name = "stream", .deterministic = true, .fits = always, .cost = stream_cost},
};
static const gbl_call_layout stream_layout = {.call_bytes = sizeof(stream_call)};
static const gbl_op stream_op = {.stem = "stream",
                                 .layout = &stream_layout,
                                 .work = stream_work,
                                 .variants = stream_variants,
                                 .variant_count = 2};

/* Three calls of 40 MB, then two launches of its own of 4 MB. */
static int tell_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_part_call *parts)
{
    const stream_call sample = {.dtype = GBL_D, .bytes = 4e7};
    (void)self, (void)call, (void)params, (void)device;
    parts[0] = (gbl_part_call){.op = &stream_op, .count = 3};
    memcpy(parts[0].call, &sample, sizeof sample);
    parts[1] = (gbl_part_call){.count = 2, .cost = streaming(4e6)};
    return composed_parts;
}

/* One kernel, and two chains beside each other: of five small ones, and of one that is longer. */
static int tell_chains(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_part_call *parts)
{
    (void)self, (void)call, (void)params, (void)device;
    parts[0] = (gbl_part_call){.count = 1, .cost = streaming(4e6)};
    parts[1] = (gbl_part_call){.count = 5, .cost = streaming(4e6), .chain = 1};
    parts[2] = (gbl_part_call){.count = 1, .cost = streaming(4e7), .chain = 2};
    return 3;
}

/* Where a device has streams the longer chain counts, and the other one is hidden. */
static void check_chains(void)
{
    const gbl_variant composed = {.name = "composed", .cost = wrong_cost, .parts = tell_chains};
    const gbl_choice choice = {.variant = &composed};
    const stream_call call = {.dtype = GBL_D, .bytes = 1};
    const gbl_situation situation = {.replayed = true};
    const gbl_cost large = streaming(4e7), small = streaming(4e6);
    gbl_prediction p, a, b;
    gbl_predict(&large, GBL_D, &props, &roofs, &situation, &a);
    gbl_predict(&small, GBL_D, &props, &roofs, &situation, &b);
    EXPECT(a.seconds > 0 && 5 * b.seconds < 2 * a.seconds, "the chains are no test");
    for (int streams = 0; streams < 2; streams++) {
        gbl_device device = {.props = props};
        device.props.streams = streams;
        gbl_predict_call(&device, &stream_op, &call, &choice, &roofs, &situation, &p);
        const double longer = a.seconds > 5 * b.seconds ? a.seconds : 5 * b.seconds,
                     shorter = a.seconds + 5 * b.seconds - longer,
                     want = b.seconds + longer + (streams ? 0 : shorter);
        EXPECT(fabs(p.seconds - want) <= 1e-12 * want, "chains take %g s instead of %g", p.seconds,
               want);
        EXPECT(fabs(p.hidden - (streams ? shorter : 0)) <= 1e-12 * want, "%g s are hidden",
               p.hidden);
        EXPECT(fabs(p.memory_seconds - a.memory_seconds - 6 * b.memory_seconds) <=
                   1e-12 * p.memory_seconds,
               "memory is busy for %g s", p.memory_seconds);
    }
}

/* A composed call takes as long as its parts in a recording: what its own cost says is not looked
 * at. Alone there is the first launch, and a little for each of the others. */
static void check_parts(void)
{
    const gbl_device device = {.props = props};
    const gbl_variant composed = {.name = "composed", .cost = wrong_cost, .parts = tell_parts};
    const gbl_choice choice = {.variant = &composed};
    const stream_call call = {.dtype = GBL_D, .bytes = 1};
    for (int mode = 0; mode < 2; mode++) {
        const gbl_situation situation = {.replayed = mode == 1};
        const gbl_cost large = streaming(4e7), small = streaming(4e6);
        gbl_prediction p, a, b;
        composed_parts = 2;
        const gbl_situation recorded = {.replayed = true};
        gbl_predict(&large, GBL_D, &props, &roofs, &recorded, &a);
        gbl_predict(&small, GBL_D, &props, &roofs, &recorded, &b);
        gbl_predict_call(&device, &stream_op, &call, &choice, &roofs, &situation, &p);
        const double first = roofs.launch_single - roofs.launch_replay,
                     others = 4 * 0.7 * roofs.launch_replay;
        const double sum = 3 * a.seconds + 2 * b.seconds + (mode == 1 ? 0 : first + others);
        EXPECT(fabs(p.seconds - sum) <= 1e-12 * sum, "the parts take %g s, their sum %g", sum,
               p.seconds);
        EXPECT(fabs(p.memory_seconds - 3 * a.memory_seconds - 2 * b.memory_seconds) <=
                   1e-12 * p.memory_seconds,
               "memory is busy for %g s", p.memory_seconds);
        EXPECT(p.limiter == GBL_LIMIT_MEMORY, "the limiter is %s", gbl_limiter_name(p.limiter));
        EXPECT(p.waves == a.waves, "waves are those of a part that takes less time");
        /* One call of another op is that call. */
        composed_parts = 1;
        gbl_predict_call(&device, &stream_op, &call, &choice, &roofs, &situation, &p);
        EXPECT(p.seconds < sum && p.seconds > 2 * a.seconds, "three calls take %g s", p.seconds);
    }
}

int main(void)
{
    check_parts();
    check_chains();
    check_limiters();
    check_matrix_units();
    check_local_memory();
    check_waves();
    check_cores();
    check_tail();
    check_order();
    return expect_summary("predictions");
}
