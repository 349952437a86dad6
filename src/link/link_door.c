/* link_door.c: the way of a call that is not small.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include "link/link_door.h"
#include "link/link_lapack.h"
#include "link/link_learn.h"
#include "link/link_service.h"

typedef struct decision {
    bool device;
    gbl_link_outcome outcome;
    gbl_link_verdict verdict;
    const char *reason;
} decision;

static decision stays(gbl_link_outcome outcome, const char *reason)
{
    return (decision){.outcome = outcome, .reason = reason};
}

/* Rent or buy: a device is opened when the savings that its lack cost so far pay for opening it. */
static bool is_earned(const gbl_link_verdict *verdict)
{
    static _Atomic uint64_t lost;
    const uint64_t gain = verdict->cpu_time - verdict->device_time;
    return atomic_fetch_add(&lost, gain) + gain >= GBL_LINK_OPENING_COST;
}

static decision judge(const gbl_link_binding *bound, const gbl_link_call *call)
{
    static _Atomic uint64_t work;
    const gbl_link_settings *const settings = gbl_link_settings_get();
    if (settings->excluded[call->routine])
        return stays(GBL_LINK_WAS_BARRED, "excluded");
    if (settings->mode == GBL_LINK_CPU || settings->mode == GBL_LINK_OFF)
        return stays(GBL_LINK_WAS_BARRED, "GABLE_LINK");
    if (gbl_link_device_off())
        return stays(GBL_LINK_WAS_BARRED, "no device");
    if (!gbl_link_legal(call))
        return stays(GBL_LINK_WAS_ODD, "operands");
    if (settings->mode == GBL_LINK_DEVICE)
        return (decision){.device = true, .reason = "forced"};
    if (gbl_link_scattered(call))
        return stays(GBL_LINK_WAS_ODD, "columns far apart");
    const uint64_t own = gbl_link_work(call);
    const uint64_t before = atomic_load(&work);
    if (before < GBL_LINK_FIRST_WORK && own < GBL_LINK_FIRST_WORK &&
        atomic_fetch_add(&work, own) + own < GBL_LINK_FIRST_WORK)
        return stays(GBL_LINK_WAS_EARLY, "little work so far");
    const int threads = bound->threads != NULL ? bound->threads() : 1;
    decision made = {.outcome = GBL_LINK_WAS_CPU, .reason = "the CPU is as fast"};
    if (!gbl_link_recall(call, bound->kind, threads, &made.verdict) &&
        !gbl_link_ask(call, bound, threads, &made.verdict))
        return stays(GBL_LINK_WAS_BARRED, "no prediction");
    made.device = made.verdict.device;
    if (made.device)
        made.reason = "the device is faster";
    if (made.device && !gbl_link_device_open() && !is_earned(&made.verdict)) {
        made.device = false;
        made.outcome = GBL_LINK_WAS_EARLY;
        made.reason = "a device is not earned yet";
    }
    return made;
}

static const char *file_of(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at != '\0'; at++)
        if (*at == '/')
            name = at + 1;
    return name;
}

static void log_call(const gbl_link_slot *slot, const gbl_link_binding *bound,
                     const gbl_link_call *call, const decision *made, bool done, uint64_t took)
{
    gbl_link_log(
        "%s m=%lld n=%lld k=%lld next=%s %s cpu=%lluus device=%lluus took=%lluus %s", slot->name,
        (long long)call->m, (long long)call->n, (long long)call->k, file_of(bound->library),
        done ? "device" : "cpu", (unsigned long long)(made->verdict.cpu_time / 1000),
        (unsigned long long)(made->verdict.device_time / 1000), (unsigned long long)(took / 1000),
        made->device && !done ? "failed" : made->reason);
}

static bool take(const gbl_link_slot *slot, const gbl_link_binding *bound,
                 const gbl_link_call *asked, gbl_link_mark *mark)
{
    gbl_link_call call = *asked;
    const gbl_link_settings *const settings = gbl_link_settings_get();
    if (atomic_load_explicit(&gbl_link_floor, memory_order_relaxed) == 0) {
        atomic_store(&gbl_link_floor, settings->floor);
        gbl_link_count_start(bound);
    }
    if (settings->mode == GBL_LINK_OFF && !bound->alone)
        return false;
    if (gbl_link_work(&call) < settings->floor && !bound->alone) {
        gbl_link_count_small(slot);
        return false;
    }
    gbl_link_to_columns(&call);
    if (bound->alone)
        return gbl_link_legal(&call) && gbl_link_serve_alone(&call);
    decision made = judge(bound, &call);
    const bool watched = settings->log >= 0 || atomic_load(&gbl_link_counted) != NULL;
    const uint64_t from = watched ? gbl_link_clock() : 0;
    if (made.device && gbl_link_serve(&call)) {
        if (watched) {
            const uint64_t took = gbl_link_clock() - from;
            gbl_link_count(&call, GBL_LINK_WAS_OFFLOADED, took,
                           gbl_link_own_time(&call, made.verdict.cpu_time), gbl_link_bytes(&call));
            log_call(slot, bound, &call, &made, true, took);
        }
        return true;
    }
    if (watched)
        log_call(slot, bound, &call, &made, false, 0);
    mark->call = call;
    mark->bound = bound;
    mark->outcome = made.device ? GBL_LINK_WAS_FAILED : made.outcome;
    mark->started = gbl_link_clock();
    return false;
}

bool gbl_link_take(const gbl_link_slot *slot, const gbl_link_binding *bound,
                   const gbl_link_call *call, gbl_link_mark *mark)
{
    if (gbl_link_inside())
        return false;
    const int error = errno;
    const bool taken = take(slot, bound, call, mark);
    errno = error;
    return taken;
}

void gbl_link_note_passed(const gbl_link_slot *slot, const gbl_link_mark *mark)
{
    const int error = errno;
    const uint64_t took = gbl_link_clock() - mark->started;
    (void)slot;
    gbl_link_count(&mark->call, mark->outcome, took, 0, 0);
    gbl_link_learn(mark->bound, &mark->call, took);
    errno = error;
}
