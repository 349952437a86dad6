/* predict.c: the time that a call should take, and what holds it back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * docs/model.md derives each term. Nothing here was fitted: every number comes from the roofs,
 * which are measured with kernels of their own, and from the cost that a variant states.
 */
#include <math.h>
#include <string.h>
#include "model/predict.h"

#define ITEMS_A_UNIT  2048 /* work-items that a multiprocessor of today's GPUs keeps at once ... */
#define GROUPS_A_UNIT 32   /* ... and groups */
#define BESIDE                                                                                     \
    (1.0 / 32) /* of the bytes, loaded beside whole rounds: elements at the ends, short vectors */

const char *gbl_limiter_name(gbl_limiter limiter)
{
    static const char *const names[GBL_LIMITERS] = {
        [GBL_LIMIT_LAUNCH] = "launch",         [GBL_LIMIT_LATENCY] = "latency",
        [GBL_LIMIT_CACHE] = "cache",           [GBL_LIMIT_MEMORY] = "memory",
        [GBL_LIMIT_ARITHMETIC] = "arithmetic", [GBL_LIMIT_MATRIX] = "matrix units",
        [GBL_LIMIT_LOCAL] = "local memory",    [GBL_LIMIT_TAIL] = "tail",
        [GBL_LIMIT_LINK] = "host link"};
    return limiter >= 0 && limiter < GBL_LIMITERS ? names[limiter] : "unknown";
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* a / b, or 0 where b is not known. */
static double over(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* Seconds of memory for bytes read and written: pairs of both go at the speed of a copy, the rest
 * at that of reading or of writing alone. And what it misses between short pieces. */
static double memory_seconds(const gbl_cost *cost, const gbl_roofs *roofs)
{
    const double written = smaller(cost->written_bytes, cost->memory_bytes);
    const double read = cost->memory_bytes - written, both = smaller(read, written);
    return over(2 * both, roofs->copy) + over(read - both, roofs->read) +
           over(written - both, roofs->write) + over(cost->missed_bytes, roofs->copy);
}

/* Bytes per second of reading a working set that was used before: between two measured points by
 * the logarithm of the size. */
static double warm_bandwidth(const gbl_roofs *roofs, double bytes)
{
    int i = 0;
    if (roofs->points == 0)
        return bytes <= roofs->cache_bytes ? roofs->cache : roofs->read;
    while (i < roofs->points && roofs->point_bytes[i] < bytes)
        i++;
    if (i == 0)
        return roofs->point_read[0];
    if (i == roofs->points)
        return roofs->point_read[i - 1];
    const double from = log(roofs->point_bytes[i - 1]), to = log(roofs->point_bytes[i]);
    const double part = (log(bytes) - from) / (to - from);
    return roofs->point_read[i - 1] + part * (roofs->point_read[i] - roofs->point_read[i - 1]);
}

/* Bytes per second that the local memory of a GPU gives; 0: not known. A multiprocessor makes 128
 * multiply-adds in single precision and reads 128 bytes in a cycle (CUDA C++ Programming Guide,
 * throughput of instructions; sm_80 makes half as many), so the measured rate of the former tells
 * the latter. */
static double local_bandwidth(const gbl_props *props, const gbl_roofs *roofs)
{
    const double flops_a_byte = strcmp(props->family, "sm_80") == 0 ? 1 : 2;
    return props->is_gpu ? roofs->flops[GBL_S] / flops_a_byte : 0;
}

/* Groups that run at once on the whole device. */
static double resident_groups(const gbl_cost *cost, const gbl_props *props,
                              const gbl_situation *situation)
{
    const double units = props->units > 0 ? props->units : 1;
    double a_unit = situation->resident;
    if (a_unit <= 0 && props->is_gpu)
        a_unit = smaller(GROUPS_A_UNIT, floor(ITEMS_A_UNIT / larger(cost->group_items, 1)));
    return larger(a_unit, 1) * units;
}

/* What the memory loses when groups do not divide among the units: units share it evenly, those
 * with one group less are done first, and the rest then take what each of them can by itself. */
static double tail_seconds(const gbl_cost *cost, const gbl_roofs *roofs, double units,
                           double seconds, bool in_mean)
{
    const double groups = larger(cost->groups, 1);
    double late = groups - units * floor(groups / units);
    if (in_mean && groups > units)
        late = units / 2;
    const double bytes = late * cost->memory_bytes / groups,
                 all = over(cost->memory_bytes, seconds);
    if (late == 0 || roofs->unit <= 0 || all <= 0)
        return 0;
    return bytes / smaller(late * roofs->unit, all) - bytes / all;
}

/* The largest term; but what does not grow with the work, launch and latency, counts together
 * against the rest: where most of the time is theirs, no resource is busy. */
static gbl_limiter limiter_of(const double term[GBL_LIMITERS])
{
    const gbl_limiter fixed =
        term[GBL_LIMIT_LATENCY] > term[GBL_LIMIT_LAUNCH] ? GBL_LIMIT_LATENCY : GBL_LIMIT_LAUNCH;
    gbl_limiter busiest = GBL_LIMIT_CACHE;
    for (int i = GBL_LIMIT_CACHE; i < GBL_LIMITERS; i++)
        if (term[i] > term[busiest])
            busiest = (gbl_limiter)i;
    return term[busiest] >= term[GBL_LIMIT_LAUNCH] + term[GBL_LIMIT_LATENCY] ? busiest : fixed;
}

/* Bytes that a group has asked for at once. A CPU's core runs ahead of the loop and fetches ahead:
 * whatever the loop itself asks for at once, it keeps as many bytes in flight as the core that read
 * alone for the roof. */
static double group_in_flight(const gbl_cost *cost, const gbl_props *props, const gbl_roofs *roofs)
{
    const double ahead = props->is_gpu ? 0 : roofs->unit * roofs->latency;
    return cost->bytes_in_flight > 0 ? larger(cost->bytes_in_flight, ahead) : 0;
}

void gbl_predict(const gbl_cost *cost, gbl_dtype dtype, const gbl_props *props,
                 const gbl_roofs *roofs, const gbl_situation *situation, gbl_prediction *prediction)
{
    gbl_prediction *p = prediction;
    memset(p, 0, sizeof *p);
    const double units = props->units > 0 ? props->units : 1, groups = larger(cost->groups, 1);
    const double resident = resident_groups(cost, props, situation);
    const double launch = situation->replayed ? roofs->launch_replay : roofs->launch_single;
    const double further = larger(cost->launches - 1, 0);

    p->workspace_bytes = cost->workspace_bytes;
    p->launches = cost->launches;
    p->memory_seconds = memory_seconds(cost, roofs);
    if (situation->hot)
        p->memory_seconds = smaller(
            p->memory_seconds, over(cost->memory_bytes, warm_bandwidth(roofs, cost->memory_bytes)));
    p->cache_seconds = over(cost->memory_bytes + cost->cache_bytes, roofs->cache);
    p->arithmetic_seconds = over(cost->flops, roofs->flops[dtype]);
    p->matrix_seconds = over(cost->matrix_flops, gbl_roofs_matrix_flops(roofs, dtype));
    p->local_seconds = over(cost->bank_bytes, local_bandwidth(props, roofs));
    const double tail = tail_seconds(cost, roofs, units, p->memory_seconds, situation->in_mean);

    /* Little's law: a round trip brings what is in flight. The first one is counted with the
     * launches. */
    const double at_once = smaller(groups, resident);
    const double in_flight = group_in_flight(cost, props, roofs);
    p->in_flight = at_once * in_flight;
    p->in_flight_needed = roofs->read * roofs->latency;
    const double loaded = cost->memory_bytes - smaller(cost->written_bytes, cost->memory_bytes);
    const double exact_rounds = over(loaded, groups * in_flight) * (1 - BESIDE);
    const double rounds =
        situation->in_mean && exact_rounds > 1 ? exact_rounds + 0.5 : ceil(exact_rounds);
    const double trips = rounds * larger(groups / resident, 1);
    const double chain = (cost->steps * roofs->step + cost->waits * roofs->latency) *
                             (cost->in_waves ? larger(groups / resident, 1) : 1) +
                         cost->barriers * roofs->barrier;
    const double longest = cost->longest_waits * roofs->latency,
                 beside = larger(cost->overlapped ? chain : 0, longest);
    const double waiting = larger(larger(trips - 1, 0) * roofs->latency, beside);
    p->waves = groups / resident;
    p->resident = resident;
    p->fill = groups < units ? groups / units : groups / (units * ceil(groups / units));

    /* Each launch waits for its first bytes, and a stream runs on while the last ones come. */
    p->term[GBL_LIMIT_LAUNCH] =
        launch + further * (situation->replayed ? launch : launch - roofs->launch_replay);
    p->term[GBL_LIMIT_LATENCY] = (loaded > 0 ? (1 + further) * roofs->latency : 0) +
                                 smaller(p->memory_seconds, roofs->latency) / 2 +
                                 (cost->overlapped ? 0 : chain);
    p->term[GBL_LIMIT_LINK] = over(situation->link_bytes, roofs->link_to_device) +
                              (situation->link_bytes > 0 ? roofs->link_latency : 0);
    const double resources[] = {p->memory_seconds + tail, waiting,           p->cache_seconds,
                                p->arithmetic_seconds,    p->matrix_seconds, p->local_seconds};
    static const gbl_limiter names[] = {GBL_LIMIT_MEMORY,     GBL_LIMIT_LATENCY, GBL_LIMIT_CACHE,
                                        GBL_LIMIT_ARITHMETIC, GBL_LIMIT_MATRIX,  GBL_LIMIT_LOCAL};
    int most = 0;
    for (int i = 1; i < (int)(sizeof names / sizeof names[0]); i++)
        if (resources[i] > resources[most])
            most = i;
    p->term[names[most]] += most == 0 ? p->memory_seconds : resources[most];
    if (most == 0)
        p->term[GBL_LIMIT_TAIL] = tail;
    if (names[most] == GBL_LIMIT_LATENCY && cost->overlapped && waiting == chain)
        p->chain = chain;

    for (int i = 0; i < GBL_LIMITERS; i++)
        p->seconds += p->term[i];
    p->limiter = limiter_of(p->term);
}

/* ---- Calls ---- */

/* Adds so many of one part, as they take in a recording. */
static void add_part(gbl_prediction *p, const gbl_prediction *part, double count)
{
    for (int i = 0; i < GBL_LIMITERS; i++)
        p->term[i] += count * part->term[i];
    p->launches += count * part->launches;
    p->memory_seconds += count * part->memory_seconds;
    p->cache_seconds += count * part->cache_seconds;
    p->arithmetic_seconds += count * part->arithmetic_seconds;
    p->matrix_seconds += count * part->matrix_seconds;
    p->chain += count * part->chain;
    p->hidden += count * part->hidden;
}

static double sum_of(const double term[GBL_LIMITERS])
{
    double sum = 0;
    for (int i = 0; i < GBL_LIMITERS; i++)
        sum += term[i];
    return sum;
}

/* Of two chains beside each other the longer one counts; where they follow each other, both. */
static void add_chains(gbl_prediction *p, const gbl_prediction chains[2], bool beside)
{
    const bool second = sum_of(chains[1].term) > sum_of(chains[0].term);
    for (int c = 0; c < 2; c++) {
        if (beside && c != (int)second) {
            p->hidden += sum_of(chains[c].term);
            continue;
        }
        for (int i = 0; i < GBL_LIMITERS; i++)
            p->term[i] += chains[c].term[i];
        p->chain += chains[c].chain;
    }
    for (int c = 0; c < 2; c++) { /* each resource is used by both */
        p->memory_seconds += chains[c].memory_seconds;
        p->cache_seconds += chains[c].cache_seconds;
        p->arithmetic_seconds += chains[c].arithmetic_seconds;
        p->matrix_seconds += chains[c].matrix_seconds;
        p->hidden += chains[c].hidden;
        p->launches += chains[c].launches;
    }
}

/* What a call without a recording takes beside that. The host launches parts while those before
 * run: it is waited for where all of them are shorter than its launches. A launch behind a kernel
 * begins later by GAP times a replayed one (H200: 0.4 us, potrf, getrf, geqrf, 2026-11). */
#define GAP 0.7
static void add_launches(gbl_prediction *p, const gbl_roofs *roofs)
{
    const double further = larger(p->launches - 1, 0),
                 once = roofs->launch_single - roofs->launch_replay,
                 late = further * once - sum_of(p->term);
    p->term[GBL_LIMIT_LAUNCH] += once + larger(further * GAP * roofs->launch_replay, late);
}

static void predict_parts(const gbl_device *device, const gbl_op *op, const gbl_part_call *parts,
                          int count, gbl_dtype dtype, const gbl_roofs *roofs,
                          const gbl_situation *situation, gbl_prediction *p)
{
    gbl_situation inside = *situation;
    gbl_prediction chains[2];
    double longest = -1;
    memset(p, 0, sizeof *p);
    memset(chains, 0, sizeof chains);
    inside.resident = 0; /* of a kernel that is not theirs */
    inside.replayed = true;
    inside.within = situation->within || op->rounded_parts;
    for (int i = 0; i < count; i++) {
        gbl_prediction part;
        gbl_choice choice = {.variant = NULL};
        if (parts[i].op != NULL) {
            gbl_op_foresee_part(device, parts[i].op, parts[i].call, inside.within, &choice);
            if (choice.variant == NULL)
                continue;
            gbl_predict_call(device, parts[i].op, parts[i].call, &choice, roofs, &inside, &part);
        } else {
            gbl_predict(&parts[i].cost, dtype, &device->props, roofs, &inside, &part);
        }
        inside.link_bytes = 0;
        p->workspace_bytes = larger(p->workspace_bytes, part.workspace_bytes);
        add_part(parts[i].chain == 0 ? p : &chains[parts[i].chain - 1], &part, parts[i].count);
        /* How full the device is: as it is for most of the time. */
        if (parts[i].count * part.seconds > longest) {
            longest = parts[i].count * part.seconds;
            p->fill = part.fill;
            p->waves = part.waves;
            p->resident = part.resident;
            p->in_flight = part.in_flight;
            p->in_flight_needed = part.in_flight_needed;
        }
    }
    add_chains(p, chains, device->props.streams);
    if (!situation->replayed)
        add_launches(p, roofs);
    p->seconds = sum_of(p->term);
    p->limiter = limiter_of(p->term);
}

void gbl_predict_call(const gbl_device *device, const gbl_op *op, const void *call,
                      const gbl_choice *choice, const gbl_roofs *roofs,
                      const gbl_situation *situation, gbl_prediction *prediction)
{
    gbl_cost cost;
    gbl_work work;
    if (choice->variant->parts != NULL) {
        gbl_part_call parts[GBL_MAX_PARTS];
        const int count =
            choice->variant->parts(choice->variant, call, &choice->params, device, parts);
        predict_parts(device, op, parts, count, ((const gbl_call *)call)->dtype, roofs, situation,
                      prediction);
        memset(&cost, 0, sizeof cost);
        choice->variant->cost(choice->variant, call, &choice->params, device, &cost);
        prediction->workspace_bytes += cost.workspace_bytes;
        return;
    }
    memset(&cost, 0, sizeof cost);
    choice->variant->cost(choice->variant, call, &choice->params, device, &cost);
    op->work(call, &work);
    if (cost.written_bytes == 0)
        cost.written_bytes = work.bytes_written;
    gbl_predict(&cost, ((const gbl_call *)call)->dtype, &device->props, roofs, situation,
                prediction);
}
