/* fake_cluster.c: the fake device's way to run in which the groups of a cluster run at the same
 * time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All work-items of a cluster are coroutines of one thread; clusters run one after another. The
 * groups of a cooperative launch run as one cluster does; where they wait for each other their
 * LOCAL data is exchanged when another group's turn comes, which is when one waits. A
 * work-item runs until it waits. Who runs next is chance, and each launch has its own habits: first
 * or last lanes preferred, TMA that is quick, slow or neither. When nobody can go on and no copy is
 * left, the launch hangs: that is a fault, and the launch ends. The thread sanitizer takes each
 * coroutine for a thread (a fiber, in its words). Changing from one to another orders nothing; only
 * the words do. This file is compiled without it.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "fake_cluster.h"

/* A kernel of one work-item has its tiles there. The address sanitizer puts room around them. */
#if defined(__SANITIZE_ADDRESS__)
#define STACK_BYTES (8 * 1024 * 1024)
#else
#define STACK_BYTES (1024 * 1024)
#endif
#define PATIENCE 60.0 /* seconds of processor time that a launch may take */
#define NO_ORDER 1u

/* Of sanitizers, where they are. */
void *__tsan_get_current_fiber(void) __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));
void __tsan_read_range(void *at, unsigned long bytes) __attribute__((weak));
void __tsan_write_range(void *at, unsigned long bytes) __attribute__((weak));
void __sanitizer_start_switch_fiber(void **kept, const void *bottom, size_t bytes)
    __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *kept, const void **bottom, size_t *bytes)
    __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *at, size_t bytes) __attribute__((weak));

_Thread_local dialect_item dialect_here;
fake_launch fake_now;

static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;
static fake_item items[MOST_GROUPS * MOST_ITEMS];
static unsigned char
    states[MOST_GROUPS * MOST_ITEMS]; /* of items: all are looked at at each turn */
#define STATE(item) states[(item)-items]
static fake_item *self;
static ucontext_t home;
static void *home_fiber, *home_kept;
static const void *home_bottom;
static size_t home_bytes;
static char begin, end; /* addresses that the thread sanitizer orders by */
static unsigned seed, state;
static int turn_of;    /* group of a cooperative launch */
static bool makes_way; /* it waits for another */
static int habit_lanes, habit_tma;

void fake_tsan_acquire(void *address)
{
    if (__tsan_acquire != NULL)
        __tsan_acquire(address);
}

void fake_tsan_release(void *address)
{
    if (__tsan_release != NULL)
        __tsan_release(address);
}

void *fake_tsan_fiber(void)
{
    return __tsan_create_fiber != NULL ? __tsan_create_fiber(0) : NULL;
}

void *fake_tsan_current(void)
{
    return __tsan_get_current_fiber != NULL ? __tsan_get_current_fiber() : NULL;
}

void fake_tsan_switch(void *fiber)
{
    if (__tsan_switch_to_fiber != NULL)
        __tsan_switch_to_fiber(fiber, NO_ORDER);
}

void fake_tsan_range(void *at, size_t bytes, bool written)
{
    if (written && __tsan_write_range != NULL)
        __tsan_write_range(at, bytes);
    else if (!written && __tsan_read_range != NULL)
        __tsan_read_range(at, bytes);
}

void fake_know(char *order)
{
    fake_tsan_acquire(order);
    fake_tsan_release(&self->known);
}

fake_item *fake_self(void)
{
    return self;
}

unsigned fake_draw(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* ---- Work-items ----------------------------------------------------------------------------- */

static void leave(bool for_good)
{
    fake_item *item = self;
    fake_tsan_switch(home_fiber);
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(for_good ? NULL : &item->kept, home_bottom, home_bytes);
    swapcontext(&item->context, &home);
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(item->kept, &home_bottom, &home_bytes);
}

void fake_stop(const char *why)
{
    STATE(self) = FAKE_WAITS;
    self->why = why;
    leave(false);
}

void hopper_fault(const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!fake_now.failed)
        fake_fault("%s: work-item %d of group %lld: %s", fake_now.spec->name, self->lane,
                   (long long)self->group->number, text);
    fake_now.failed = true;
    STATE(self) = FAKE_WAITS;
    for (;;)
        leave(true);
}

static int alive_items(void)
{
    int alive = 0;
    for (int i = 0; i < fake_now.cluster; i++)
        alive += fake_now.groups[i].alive;
    return alive;
}

static void complete(fake_meeting *meeting)
{
    meeting->arrived = 0;
    meeting->generation++;
    fake_wake_meeting(meeting);
}

static void run_item(void)
{
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(NULL, &home_bottom, &home_bytes);
    fake_know(&begin);
    self->group->started++;
    fake_now.kernel->run(fake_now.spec->buffers, fake_now.spec->args);
    if (self->element_count > 0)
        hopper_fault("ends with %d copies that no mbarrier waits for", self->element_count);
    STATE(self) = FAKE_ENDED;
    self->clean = true;
    fake_tsan_release(&self->group->gone);
    if (--self->group->alive == 0) { /* its local memory is gone, whoever still reads it */
        fake_tsan_acquire(&self->group->gone);
        memset(self->group->room, 0xff, fake_now.room_bytes);
        fake_tsan_release(&end);
    }
    if (self->cluster_phase == fake_now.cluster_barrier.generation + 1)
        fake_now.cluster_barrier.arrived--;
    if (fake_now.cluster_barrier.arrived > 0 && fake_now.cluster_barrier.arrived == alive_items())
        complete(&fake_now.cluster_barrier);
    for (;;)
        leave(true);
}

static void exchange_local(fake_group *group)
{
    char *const local = fake_now.kernel->local;
    const size_t bytes = fake_now.kernel->local_bytes;
    if (group->local == NULL || fake_now.has_local == group)
        return;
    if (fake_now.has_local != NULL)
        memcpy(fake_now.has_local->local, local, bytes);
    memcpy(local, group->local, bytes);
    fake_now.has_local = group;
}

static void enter(fake_item *item)
{
    self = item;
    exchange_local(item->group);
    dialect_here = (dialect_item){.lane = item->lane,
                                  .group = item->group->number % fake_now.spec->groups[0],
                                  .groups = fake_now.spec->groups[0],
                                  .row = item->group->number / fake_now.spec->groups[0]};
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(&home_kept, item->stack, STACK_BYTES);
    fake_tsan_switch(item->fiber);
    swapcontext(&home, &item->context);
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(home_kept, NULL, NULL);
}

static int all_items(void)
{
    return fake_now.items * fake_now.cluster;
}

void fake_wake_meeting(const fake_meeting *meeting)
{
    for (int i = 0; i < all_items(); i++)
        if (states[i] == FAKE_WAITS && items[i].meeting == meeting) {
            items[i].meeting = NULL;
            states[i] = FAKE_READY;
        }
}

void fake_wake_mbarrier(const fake_mbarrier *mbarrier)
{
    for (int i = 0; i < all_items(); i++)
        if (states[i] == FAKE_WAITS && items[i].mbarrier == mbarrier &&
            (mbarrier->phase & 1) != items[i].parity) {
            items[i].mbarrier = NULL;
            states[i] = FAKE_READY;
        }
}

void fake_wake_item(fake_item *item)
{
    STATE(item) = FAKE_READY;
}

/* ---- Meetings ------------------------------------------------------------------------------- */

/* One comes; the last lets all others go on. `stays`: it waits for them. `ordered`: what each did
 * before is seen by all after. */
static void come(fake_meeting *meeting, int wanted, bool stays, bool ordered, const char *why)
{
    char *order = &meeting->order[meeting->generation % ORDERS];
    if (wanted < 1 || (meeting->arrived > 0 && meeting->wanted != wanted))
        hopper_fault("comes to %s of %d where others want %d", why, wanted, meeting->wanted);
    meeting->wanted = wanted;
    if (ordered)
        fake_tsan_release(order);
    if (++meeting->arrived == wanted) {
        complete(meeting);
    } else if (stays) {
        self->meeting = meeting;
        fake_stop(why);
    }
    if (stays && ordered)
        fake_know(order);
}

void dialect_barrier(void)
{
    come(&self->group->barriers[0], fake_now.items, true, true, "a barrier of all");
}

void BARRIER_OF(i32 id, i32 lanes)
{
    if (id < 1 || id >= MOST_BARRIERS || lanes % WARP != 0)
        hopper_fault("there is no barrier %d of %d", id, lanes);
    come(&self->group->barriers[id], lanes, true, true, "a barrier of some");
}

void ARRIVE_AT(i32 id, i32 lanes)
{
    if (id < 1 || id >= MOST_BARRIERS || lanes % WARP != 0)
        hopper_fault("there is no barrier %d of %d", id, lanes);
    come(&self->group->barriers[id], lanes, false, true, "a barrier of some");
}

void hopper_meet(i32 lanes, hopper_together *all, void *given)
{
    const int first = self->lane / lanes;
    fake_meeting *meeting =
        lanes == WARP ? &self->group->warps[first] : &self->group->warpgroups[first];
    if (meeting->arrived > 0 && meeting->all != all)
        hopper_fault("does not do what the other lanes of its %d do", lanes);
    meeting->all = all;
    meeting->given[self->lane % lanes] = given;
    if (meeting->arrived == lanes - 1 && all != NULL)
        all(meeting->given);
    come(meeting, lanes, true, all == NULL, "the other lanes of a warp");
}

void WARP_BARRIER(void)
{
    hopper_meet(WARP, NULL, NULL);
}

/* All of the cluster that have not ended. */
void CLUSTER_ARRIVE(void)
{
    fake_meeting *barrier = &fake_now.cluster_barrier;
    const int alive = alive_items();
    if (self->cluster_phase == barrier->generation + 1)
        hopper_fault("arrives at the barrier of its cluster twice");
    self->cluster_phase = barrier->generation + 1;
    barrier->wanted = alive; /* who has ended does not come */
    come(barrier, alive, false, true, "the barrier of a cluster");
}

void CLUSTER_WAIT(void)
{
    fake_meeting *barrier = &fake_now.cluster_barrier;
    const unsigned phase = self->cluster_phase - 1;
    if (self->cluster_phase == 0)
        hopper_fault("waits at the barrier of its cluster before it arrives");
    if (barrier->generation == phase) {
        self->meeting = barrier;
        fake_stop("the barrier of a cluster");
    }
    fake_know(&barrier->order[phase % ORDERS]);
}

void CLUSTER_BARRIER(void)
{
    CLUSTER_ARRIVE();
    CLUSTER_WAIT();
}

i32 CLUSTER_RANK(void)
{
    return (i32)(self->group - fake_now.groups);
}

/* Lanes that shuffle; values lie in the items. */
static void shuffle_done(void *const *given)
{
    (void)given;
}

static unsigned give(long double value)
{
    const unsigned turn = self->shuffles++ % 2;
    self->shuffled[turn] = value;
    hopper_meet(WARP, shuffle_done, NULL);
    return turn;
}

long double dialect_shuffle_xor(long double value, i32 mask)
{
    const unsigned turn = give(value);
    return (self - self->lane + (self->lane ^ mask))->shuffled[turn];
}

u32 LANES_WITH(i32 condition)
{
    const unsigned turn = give(condition);
    const fake_item *first = self - self->lane % WARP;
    u32 lanes = 0;
    for (i32 i = 0; i < WARP; i++)
        lanes |= (u32)(first[i].shuffled[turn] != 0) << i;
    return lanes;
}

i32 dialect_any(i32 condition)
{
    return LANES_WITH(condition) != 0;
}

u32 LANES_MAX(u32 x)
{
    const unsigned turn = give(x);
    const fake_item *first = self - self->lane % WARP;
    for (i32 i = 0; i < WARP; i++)
        x = first[i].shuffled[turn] > x ? (u32)first[i].shuffled[turn] : x;
    return x;
}

u32 LANES_MIN(u32 x)
{
    return ~LANES_MAX(~x);
}

void dialect_pause(void)
{
    makes_way = true;
    STATE(self) = FAKE_READY;
    leave(false);
}

/* ---- A cluster, a launch -------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Says who waits for what; the launch ends. */
static void report_hang(void)
{
    char text[384] = "";
    int ended = 0;
    for (int i = 0; i < all_items(); i++)
        ended += states[i] == FAKE_ENDED;
    for (int i = 0; i < all_items(); i++) {
        if (states[i] != FAKE_WAITS || items[i].why == NULL)
            continue;
        int same = 0;
        const char *why = items[i].why;
        for (int k = i; k < all_items(); k++)
            if (states[k] == FAKE_WAITS && items[k].why == why) {
                same++;
                items[k].why = k == i ? why : NULL;
            }
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ", %d (first %d of group %d) for %s", same,
                 items[i].lane, i / fake_now.items, why);
    }
    fake_fault("%s: the launch hangs: of %d work-items %d have ended%s", fake_now.spec->name,
               all_items(), ended, text);
    fake_now.failed = true;
}

static fake_item *pick_among(int first, int count)
{
    const int from = habit_lanes == 0 ? (int)fake_draw((unsigned)count) : 0;
    const int step = habit_lanes == 2 || (habit_lanes == 0 && fake_draw(2)) ? count - 1 : 1;
    for (int i = 0, at = habit_lanes == 2 ? count - 1 : from; i < count;
         i++, at = at + step < count ? at + step : at + step - count)
        if (states[first + at] == FAKE_READY)
            return &items[first + at];
    return NULL;
}

static fake_item *pick(void)
{
    fake_item *item = NULL;
    if (!fake_now.spec->cooperative)
        return pick_among(0, all_items());
    if (makes_way)
        turn_of = (int)fake_draw((unsigned)fake_now.cluster);
    makes_way = false;
    for (int g = 0; g < fake_now.cluster && item == NULL; g++) {
        turn_of = (turn_of + (g > 0)) % fake_now.cluster;
        item = pick_among(turn_of * fake_now.items, fake_now.items);
    }
    return item;
}

static void run_all(void)
{
    const double since = seconds();
    for (long turn = 0; !fake_now.failed; turn++) {
        if (fake_orders_waiting() > 0 && (habit_tma == 1 || (habit_tma == 0 && fake_draw(16) == 0)))
            fake_do_order();
        fake_item *next = pick();
        if (next != NULL) {
            enter(next);
        } else if (fake_orders_waiting() > 0) {
            fake_do_order();
        } else {
            bool waits = false;
            for (int i = 0; i < all_items(); i++)
                waits = waits || states[i] == FAKE_WAITS;
            if (waits)
                report_hang();
            return;
        }
        if (turn % 4096 == 0 && seconds() - since > PATIENCE) {
            fake_fault("%s: the launch does not end", fake_now.spec->name);
            fake_now.failed = true;
        }
    }
}

static void *memory(size_t bytes, size_t whole)
{
    void *block = aligned_alloc(whole, (bytes + whole - 1) / whole * whole);
    if (block == NULL) {
        fputs("fake_cluster.c: no memory for a group\n", stderr);
        exit(2);
    }
    return block;
}

static void start_item(fake_item *item, int lane, fake_group *group)
{
    if (item->stack == NULL) {
        item->stack = memory(STACK_BYTES, 4096);
        item->fiber = fake_tsan_fiber();
    }
    if (!item->clean && __asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(item->stack, STACK_BYTES);
    item->clean = false;
    getcontext(&item->context);
    item->context.uc_stack.ss_sp = item->stack;
    item->context.uc_stack.ss_size = STACK_BYTES;
    item->context.uc_link = NULL;
    makecontext(&item->context, run_item, 0);
    STATE(item) = FAKE_READY;
    item->lane = lane;
    item->group = group;
    item->meeting = NULL;
    item->mbarrier = NULL;
    item->shuffles = 0;
    item->cluster_phase = 0;
    item->element_count = 0;
    item->out_commits = item->out_until = 0;
}

static void run_cluster(int64_t number)
{
    const int64_t along = fake_now.spec->groups[0] / fake_now.cluster;
    memset(&fake_now.cluster_barrier, 0, sizeof fake_now.cluster_barrier);
    memset(fake_now.groups, 0, (size_t)fake_now.cluster * sizeof fake_now.groups[0]);
    fake_now.mbarrier_count = 0;
    fake_now.has_local = NULL;
    for (int g = 0; g < fake_now.cluster; g++) {
        fake_group *group = &fake_now.groups[g];
        group->number =
            number / along * fake_now.spec->groups[0] + number % along * fake_now.cluster + g;
        group->alive = fake_now.items;
        group->room = memory(fake_now.room_bytes + 1, 1024);
        memset(group->room, 0xff, fake_now.room_bytes); /* not numbers: whoever reads too early */
        if (fake_now.cluster > 1 && fake_now.kernel->local_bytes > 0) {
            group->local = memory(fake_now.kernel->local_bytes, 64);
            memset(group->local, 0xff, fake_now.kernel->local_bytes);
        }
        const size_t store_bytes = (fake_now.room_bytes / 16 + 1) * sizeof(fake_store);
        group->stores = memset(memory(store_bytes, 64), 0, store_bytes);
        for (int i = 0; i < fake_now.items; i++)
            start_item(&items[g * fake_now.items + i], i, group);
    }
    habit_lanes = (int)fake_draw(3);
    habit_tma = (int)fake_draw(3);
    fake_tsan_release(&begin);
    run_all();
    if (!fake_now.failed && fake_orders_waiting() > 0)
        fake_fault("%s: a group ends before its copies do", fake_now.spec->name);
    fake_forget_orders();
    fake_tsan_acquire(&end);
    for (int g = 0; g < fake_now.cluster; g++) {
        free(fake_now.groups[g].room);
        free(fake_now.groups[g].local);
        free(fake_now.groups[g].stores);
    }
}

void fake_run(const fake_kernel *kernel, const gbl_launch_spec *spec)
{
    const int64_t together = spec->cooperative ? spec->groups[0] : spec->cluster;
    const int cluster = together > MOST_GROUPS ? MOST_GROUPS + 1 : together > 1 ? (int)together : 1;
    pthread_mutex_lock(&running);
    gbl_launch_spec clusters = *spec;
    clusters.groups[0] = spec->groups[0] / cluster;
    int64_t *order = NULL;
    if (cluster > MOST_GROUPS || spec->groups[0] % cluster != 0 || kernel->work_items > MOST_ITEMS)
        fake_fault("a launch of %s with clusters of %lld groups of %d work-items", spec->name,
                   (long long)together, kernel->work_items);
    else
        order = fake_order(kernel, &clusters);
    if (order != NULL) {
        fake_now.kernel = kernel;
        fake_now.spec = spec;
        fake_now.items = kernel->work_items;
        fake_now.cluster = cluster;
        fake_now.room_bytes = spec->dynamic_local_bytes;
        fake_now.failed = false;
        fake_now.number++;
        home_fiber = fake_tsan_current();
        state = seed += 104729u;
        for (int64_t i = 0; i < clusters.groups[0] * clusters.groups[1] && !fake_now.failed; i++)
            run_cluster(order[i]);
        free(order);
    }
    pthread_mutex_unlock(&running);
}
