/* fake_turns.c: the fake device's way to run in which the work-items of a group take turns in one
 * thread.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are coroutines: one runs until it waits at a barrier, and who runs next is chance, so that a
 * missing barrier shows as a wrong result. That takes a tenth of the time of fake_items.c, whose
 * threads the thread sanitizer needs. The groups of a launch, all rows of them, run one after
 * another, because their LOCAL data is static. Work-items that wait at different barriers are a
 * fault.
 */
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>
#include "dialect_c.h"
#include "fake_device.h"

#define STACK_BYTES (256 * 1024)

/* Of the address sanitizer, where it is. */
void __sanitizer_start_switch_fiber(void **kept, const void *bottom, size_t bytes)
    __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *kept, const void **bottom, size_t *bytes)
    __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *at, size_t bytes) __attribute__((weak));

/* A barrier of some work-items. */
typedef struct meeting {
    int arrived, wanted;
    unsigned generation;
} meeting;

typedef struct work_item {
    ucontext_t context;
    char *stack;
    void *kept;
    dialect_item here;
    const meeting *at; /* where it waits; NULL: it can go on */
    unsigned generation;
    bool ended;
} work_item;

static void meet(meeting *at);
#include "fake_words.h"

static work_item items[FAKE_MAX_ITEMS];
static work_item *self; /* NULL: the only work-item, on the stack of the caller */
static ucontext_t home;
static void *home_kept;
static const void *home_bottom;
static size_t home_bytes;
static unsigned state = 1;

/* ---- Changing from one to another ---- */

static void leave(bool for_good)
{
    work_item *item = self;
    item->here = dialect_here;
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(for_good ? NULL : &item->kept, home_bottom, home_bytes);
    swapcontext(&item->context, &home);
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(item->kept, &home_bottom, &home_bytes);
}

static void enter(work_item *item)
{
    self = item;
    dialect_here = item->here;
    if (__sanitizer_start_switch_fiber != NULL)
        __sanitizer_start_switch_fiber(&home_kept, item->stack, STACK_BYTES);
    swapcontext(&home, &item->context);
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(home_kept, NULL, NULL);
    self = NULL;
}

/* ---- The words ---- */

/* Groups do not wait for each other, but the work-items of a group may. */
void dialect_pause(void)
{
    if (self != NULL)
        leave(false);
}

static void meet(meeting *at)
{
    if (++at->arrived == at->wanted) {
        at->arrived = 0;
        at->generation++;
        return;
    }
    self->at = at;
    self->generation = at->generation;
    leave(false);
    self->at = NULL;
}

/* ---- Launches ---- */

static void run_item(void)
{
    if (__sanitizer_finish_switch_fiber != NULL)
        __sanitizer_finish_switch_fiber(NULL, &home_bottom, &home_bytes);
    run_groups(self->here.lane);
    self->ended = true;
    for (;;)
        leave(true);
}

static bool can_run(const work_item *item)
{
    return !item->ended && (item->at == NULL || item->at->generation != item->generation);
}

/* All that can run have a turn, from one of them on; false: nobody can. */
static bool take_turns(int count)
{
    bool some = false;
    state = state * 1664525u + 1013904223u;
    const unsigned first = (state >> 8) % (unsigned)count, backward = state >> 31;
    for (unsigned i = 0; i < (unsigned)count; i++) {
        work_item *item = &items[(first + (backward ? (unsigned)count - i : i)) % (unsigned)count];
        if (can_run(item)) {
            some = true;
            enter(item);
        }
    }
    return some;
}

/* false: no memory. */
static bool make_item(work_item *item, i32 lane)
{
    if (item->stack == NULL) /* kept for the launches that follow */
        item->stack = fake_memory(STACK_BYTES);
    if (item->stack == NULL)
        return false;
    if (__asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(item->stack, STACK_BYTES);
    item->here = (dialect_item){.lane = lane};
    item->at = NULL;
    item->ended = false;
    getcontext(&item->context);
    item->context.uc_stack.ss_sp = item->stack;
    item->context.uc_stack.ss_size = STACK_BYTES;
    item->context.uc_link = NULL;
    makecontext(&item->context, run_item, 0);
    return true;
}

static void run_items(int count, int together)
{
    now.group = (meeting){.wanted = count};
    for (int i = 0; i < count / together; i++)
        now.warps[i] = (meeting){.wanted = together};
    for (int i = 0; i < count; i++)
        if (!make_item(&items[i], i)) {
            fake_fault("no memory for the stack of a work-item");
            return;
        }
    while (take_turns(count))
        continue;
    for (int i = 0; i < count; i++)
        if (!items[i].ended) {
            fake_fault("%s: work-items wait at different barriers", now.spec->name);
            return;
        }
}
