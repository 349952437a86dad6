/* test_copy_team.c: copies of host memory by several threads: all shapes and triangles, from many
 * threads at once, and in children of fork.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/copy_team.h"
#include "core/expect.h"
#include "core/populate.h"

#define GAP 0x5a

static unsigned char byte_of(size_t i)
{
    return (unsigned char)(i * 131 + i / 251);
}

/* What a plain loop makes of it. */
static void copy_plainly(unsigned char *target, const gbl_host_copy *copy)
{
    for (int64_t run = 0; run < copy->runs; run++) {
        const int64_t bytes = (int64_t)copy->run_bytes,
                      edge = copy->clip.edge + run * copy->clip.step,
                      inside = edge < 0       ? 0
                               : edge > bytes ? bytes
                                              : edge,
                      from = copy->clip.keep == GBL_KEEP_FROM ? inside : 0,
                      to = copy->clip.keep == GBL_KEEP_BEFORE ? inside : bytes;
        memcpy(target + (size_t)run * copy->target_pitch + from,
               copy->source + (size_t)run * copy->source_pitch + from, (size_t)(to - from));
    }
}

/* Every byte of the target, those between and beyond the runs too. */
static bool copy_is_right(size_t run_bytes, int64_t runs, size_t source_gap, size_t target_gap,
                          const gbl_clip *clip, size_t offset)
{
    const size_t source_pitch = run_bytes + source_gap, target_pitch = run_bytes + target_gap,
                 source_bytes = source_pitch * (size_t)runs,
                 target_bytes = target_pitch * (size_t)runs + offset;
    unsigned char *source = malloc(source_bytes + 1), *target = malloc(target_bytes + 1),
                  *want = malloc(target_bytes + 1);
    for (size_t i = 0; i < source_bytes; i += 997) {
        const size_t left = source_bytes - i;
        memset(source + i, byte_of(i), left < 997 ? left : 997);
    }
    memset(target, GAP, target_bytes);
    memset(want, GAP, target_bytes);
    const gbl_host_copy copy = {.target = (char *)target + offset,
                                .source = (const char *)source,
                                .target_pitch = target_pitch,
                                .source_pitch = source_pitch,
                                .run_bytes = run_bytes,
                                .runs = runs,
                                .clip = *clip};
    gbl_copy_team_run(&copy);
    copy_plainly(want + offset, &copy);
    const bool right = memcmp(target, want, target_bytes) == 0;
    free(source);
    free(target);
    free(want);
    return right;
}

static void all_shapes(void)
{
    static const struct {
        size_t run_bytes;
        int64_t runs;
    } shapes[] = {{0, 5},     {7, 0},      {1, 1},       {8, 200000},  {16, 90000}, {4, 300001},
                  {24, 1000}, {513, 5000}, {200003, 20}, {3000001, 1}, {700000, 5}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int gaps = 0; gaps < 4; gaps++)
            for (gbl_keep keep = GBL_KEEP_ALL; keep <= GBL_KEEP_FROM; keep++) {
                const size_t run = shapes[i].run_bytes;
                const gbl_clip clip = {
                    .keep = keep, .edge = (int64_t)run / 3 - 8, .step = gaps % 2 ? 8 : -8};
                EXPECT(copy_is_right(run, shapes[i].runs, gaps % 2 ? 24 : 0, gaps / 2 ? 40 : 0,
                                     &clip, (size_t)gaps * 5),
                       "%zu bytes, %lld runs, gaps %d, keep %d", run, (long long)shapes[i].runs,
                       gaps, (int)keep);
            }
}

static void *copy_often(void *unused)
{
    const gbl_clip all = {.keep = GBL_KEEP_ALL};
    for (int i = 0; i < 5; i++)
        EXPECT(copy_is_right(2000000, 2, 16, 0, &all, 0), "a thread among others");
    return unused;
}

static void from_many_threads(void)
{
    pthread_t threads[8];
    int made = 0;
    while (made < 8 && pthread_create(&threads[made], NULL, copy_often, NULL) == 0)
        made++;
    EXPECT(made == 8, "%d threads", made);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
}

/* A child has none of its parent's threads, and starts its own. */
__attribute__((unused)) static void in_children(void)
{
    const gbl_clip all = {.keep = GBL_KEEP_ALL};
    for (int i = 0; i < 4; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60); /* a hang is a failure */
            _exit(copy_is_right(3000000, 2, 8, 8, &all, 0) ? 0 : 1);
        }
        int status = -1;
        EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0, "child: %d",
               status);
    }
    EXPECT(copy_is_right(3000000, 2, 8, 8, &all, 0), "the parent");
}

/* Signals go to the program's own threads. */
static void takes_no_signals(void)
{
    sigset_t set, before, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    kill(getpid(), SIGUSR1); /* would end the process in a thread that takes it */
    sigpending(&pending);
    EXPECT(sigismember(&pending, SIGUSR1) == 1, "the signal is not waiting");
    signal(SIGUSR1, SIG_IGN);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void sizes(void)
{
    const int all = gbl_copy_team_size();
    EXPECT(all >= 1 && all <= 12, "%d threads", all);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    EXPECT(gbl_copy_team_size() == 1, "%d threads", gbl_copy_team_size());
    unsetenv("OPENBLAS_NUM_THREADS");
    setenv("OMP_NUM_THREADS", "2,3", 1);
    EXPECT(gbl_copy_team_size() == (all < 2 ? all : 2), "%d threads", gbl_copy_team_size());
    unsetenv("OMP_NUM_THREADS");
}

/* Every page is there afterwards, and no byte has changed. */
static void populates(void)
{
    const size_t bytes = (size_t)24 << 20, page = (size_t)sysconf(_SC_PAGESIZE);
    char *const memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    gbl_populate job;
    EXPECT(memory != MAP_FAILED, "no memory");
    memory[bytes / 2] = 7;
    setenv("GABLE_COPY_THREADS", "1", 1);
    gbl_populate_begin(&job, memory + 5, bytes - 5);
    EXPECT(job.count == gbl_copy_team_spare() || job.count == 8, "%d threads", job.count);
    while (job.count > 0 && atomic_load(&job.taken) < job.bytes && !atomic_load(&job.refused))
        sched_yield();
    gbl_populate_end(&job);
    unsigned char there = 0;
    if (job.count > 0 && !atomic_load(&job.refused))
        for (size_t at = page; at < bytes; at += page)
            EXPECT(mincore(memory + at, page, &there) == 0 && (there & 1), "no page at %zu", at);
    EXPECT(memory[bytes / 2] == 7 && memory[page] == 0, "a byte has changed");
    gbl_populate_begin(&job, memory, 0);
    EXPECT(job.count == 0, "threads for nothing");
    gbl_populate_end(&job);
    unsetenv("GABLE_COPY_THREADS");
    munmap(memory, bytes);
}

int main(void)
{
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OPENBLAS_NUM_THREADS");
    sizes();
    populates();
    all_shapes();
    from_many_threads();
#if !defined(__SANITIZE_THREAD__) /* which does not follow a child that starts threads */
    in_children();
#endif
    takes_no_signals();
    return expect_summary("test_copy_team");
}
