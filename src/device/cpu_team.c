/* cpu_team.c: the threads of the cpu device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A fork and join of OpenMP threads, plus one cure. A worker that is woken for a short piece may be
 * put on the very core its caller runs on; while one of the two waits for the other, the kernel
 * sees a load of one and never moves them apart, and every call takes twice as long (seen on
 * Linux 6.18, two cores, with GNU OpenMP: whole runs at half speed). So each piece notes the core
 * it ran on, and threads found sharing one are moved to free cores once. Their masks are restored
 * at once: this is a hint, not pinning. Where the user binds threads (OMP_PROC_BIND) nothing is
 * moved.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include "device/cpu_team.h"
#include "device/fork_guard.h"

/* Bytes of traffic that make one more thread worth its fork and join. Two threads break even
 * between 80 and 160 KB in all (Neoverse V1, GNU OpenMP, 2026-11: a warm fork and join takes 0.7
 * us). */
#define GRAIN_BYTES 65536

/* Moving threads costs some 50 us, so at most so often. */
#define MOVE_INTERVAL_NS 20000000

/* Where the threads of one fork ran. */
typedef struct placement {
    int threads;
    int core[GBL_CPU_MAX_PIECES];
} placement;

/* ---- Forks ---- */

/* In a child of fork the team of the thread that forked is gone, and GNU OpenMP would wait for it
 * for ever. So the team is sent away before a fork; parent and child make new ones when they need
 * them (some 50 us). Inside a parallel region that cannot be, and the child does without. */
static bool team_stays, serial;

static void send_team_away(void)
{
#if defined(__clang__) || __GNUC__ >= 9
    team_stays = omp_in_parallel() || omp_pause_resource_all(omp_pause_soft) != 0;
#else
    team_stays = true;
#endif
}

static void without_team(void)
{
    serial = serial || team_stays;
}
GBL_FORK_GUARD(.before = send_team_away, .child = without_team)

bool gbl_cpu_is_serial(void)
{
    return serial;
}

static int useful_threads(int64_t n, int64_t traffic_bytes)
{
    const int64_t useful = traffic_bytes < GRAIN_BYTES ? n / (GRAIN_BYTES / traffic_bytes) : n;
    if (useful < 2 || serial || omp_in_parallel())
        return 1;
    const int most = omp_get_max_threads();
    const int threads = useful < most ? (int)useful : most;
    return threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
}

/* Whether two threads ran on one core; *used receives all cores that were used. */
static bool share_cores(const placement *ran, cpu_set_t *used)
{
    bool shared = false;
    CPU_ZERO(used);
    for (int t = 0; t < ran->threads; t++) {
        if (ran->core[t] < 0 || ran->core[t] >= CPU_SETSIZE)
            return false;
        shared = shared || CPU_ISSET(ran->core[t], used);
        CPU_SET(ran->core[t], used);
    }
    return shared;
}

/* Gives threads that ran on the core of an earlier one a free core, all others -1. */
static void plan_moves(placement *ran, const cpu_set_t *used, const cpu_set_t *allowed)
{
    cpu_set_t taken;
    CPU_ZERO(&taken);
    int next = 0;
    for (int t = 0; t < ran->threads; t++) {
        const int core = ran->core[t];
        ran->core[t] = -1;
        if (CPU_ISSET(core, &taken)) {
            while (next < CPU_SETSIZE && (!CPU_ISSET(next, allowed) || CPU_ISSET(next, used)))
                next++;
            if (next < CPU_SETSIZE)
                ran->core[t] = next++;
        }
        CPU_SET(core, &taken);
    }
}

static void move_apart(placement *ran, const cpu_set_t *used)
{
    static _Thread_local int64_t next_time;
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const int64_t now = (int64_t)clock.tv_sec * 1000000000 + clock.tv_nsec;
    cpu_set_t allowed;
    if (now < next_time || omp_get_proc_bind() != omp_proc_bind_false ||
        sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_EQUAL(&allowed, used))
        return;
    next_time = now + MOVE_INTERVAL_NS;
    plan_moves(ran, used, &allowed);
#pragma omp parallel num_threads(ran->threads)
    {
        const int core = ran->core[omp_get_thread_num()];
        cpu_set_t before, only;
        if (core >= 0 && sched_getaffinity(0, sizeof before, &before) == 0) {
            CPU_ZERO(&only);
            CPU_SET(core, &only);
            if (sched_setaffinity(0, sizeof only, &only) == 0)
                sched_setaffinity(0, sizeof before, &before);
        }
    }
}

int gbl_cpu_share(int64_t n, int64_t elem_bytes, int64_t traffic_bytes,
                  gbl_cpu_piece_function function, void *job)
{
    const int threads = useful_threads(n, traffic_bytes);
    if (threads == 1) {
        function(job, 0, 0, n);
        return 1;
    }
    const int64_t line = elem_bytes < GBL_CPU_LINE ? GBL_CPU_LINE / elem_bytes : 1;
    const int64_t lines = n / line + (n % line != 0);
    placement ran;
    ran.threads = 1;
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num(), size = omp_get_num_threads();
        const int64_t share = lines / size, rest = lines % size;
        const int64_t first = thread * share + (thread < rest ? thread : rest);
        const int64_t last = first + share + (thread < rest);
        function(job, thread, first * line, last * line < n ? last * line : n);
        ran.core[thread] = sched_getcpu();
        if (thread == 0)
            ran.threads = size;
    }
    const int pieces = ran.threads;
    cpu_set_t used;
    if (share_cores(&ran, &used))
        move_apart(&ran, &used);
    return pieces;
}
