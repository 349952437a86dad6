/* fake_words.h: what the fake device's ways to run one group after another share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * fake_items.c and fake_turns.c say before what a meeting of work-items is (type `meeting`) and how
 * one waits at it (meet).
 */
#ifndef GABLE_FAKE_WORDS
#define GABLE_FAKE_WORDS

_Thread_local dialect_item dialect_here;

/* One launch; its work-items share it. Launches are serialised by `running`. */
static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const fake_kernel *kernel;
    const gbl_launch_spec *spec;
    int64_t *order;
    int64_t count; /* of all rows of groups */
    meeting group, warps[FAKE_MAX_ITEMS];
    long double exchange[FAKE_MAX_ITEMS];
} now;

void dialect_barrier(void)
{
    if (now.kernel->work_items > 1)
        meet(&now.group);
}

long double dialect_shuffle_xor(long double value, i32 mask)
{
    const i32 lane = dialect_here.lane;
    meeting *warp = &now.warps[lane / now.kernel->warp_size];
    now.exchange[lane] = value;
    meet(warp);
    const long double other = now.exchange[lane ^ mask];
    meet(warp);
    return other;
}

i32 dialect_any(i32 condition)
{
    const i32 together = now.kernel->warp_size, lane = dialect_here.lane;
    const i32 first = lane - lane % together;
    meeting *warp = &now.warps[lane / together];
    i32 any = 0;
    now.exchange[lane] = condition;
    meet(warp);
    for (i32 i = 0; i < together; i++)
        any |= now.exchange[first + i] != 0;
    meet(warp);
    return any;
}

/* What one work-item does in a launch. */
static void run_groups(i32 lane)
{
    dialect_here.lane = lane;
    dialect_here.groups = now.spec->groups[0];
    for (int64_t i = 0; i < now.count; i++) {
        dialect_here.group = now.order[i] % now.spec->groups[0];
        dialect_here.row = now.order[i] / now.spec->groups[0];
        now.kernel->run(now.spec->buffers, now.spec->args);
        dialect_barrier(); /* the next group uses the same LOCAL memory */
    }
}

/* All work-items of a launch, which are more than one, to their ends. */
static void run_items(int count, int together);

void fake_run(const fake_kernel *kernel, const gbl_launch_spec *spec)
{
    pthread_mutex_lock(&running);
    now.kernel = kernel;
    now.spec = spec;
    now.order = fake_order(kernel, spec);
    now.count = spec->groups[0] * spec->groups[1];
    if (now.order != NULL && kernel->work_items == 1)
        run_groups(0);
    else if (now.order != NULL)
        run_items(kernel->work_items, kernel->warp_size);
    free(now.order);
    pthread_mutex_unlock(&running);
}

#endif
