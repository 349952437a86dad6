/* fake_groups.c: the fake device's way to run in which groups are threads, side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Some groups of a launch run at the same time, the others when these are done. Work-items of a
 * group are coroutines of its thread, so that LOCAL data can be thread-local. A work-item runs
 * until it waits at a barrier or for a shuffle; who runs next is random. Before each word between
 * groups a thread may make way for others, at random too, so that each launch has an order of its
 * own.
 *
 * The thread sanitizer takes each coroutine for a thread (a fiber, in its words). Changing from one
 * to the other orders nothing, nor does a shuffle, nor that a group runs when another is done: only
 * barriers do, and the words of the dialect. This file itself is compiled without the sanitizer,
 * which would not understand it.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "dialect_c.h"
#include "fake_device.h"
#include "fake_groups.h"

#define STACK_BYTES  (256 * 1024)
#define MOST_THREADS 16
#define ROOM_BYTES   8192
#define NO_ORDER     1u /* __tsan_switch_to_fiber: what was done before is not known to have been */

void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
/* Between them, what orders threads is not taken for it. */
void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);

typedef enum state { READY, AT_BARRIER, AT_SHUFFLE, ENDED } state;

typedef struct item {
    ucontext_t context;
    void *stack, *fiber;
    state state;
    unsigned barriers, shuffles; /* so far */
    long double given[2];        /* to the shuffle under way, and to the one before or after */
} item;

/* A thread's group, with its coroutines, which serve one launch after another. */
typedef struct group {
    item items[FAKE_MAX_ITEMS];
    ucontext_t home;
    void *home_fiber;
    unsigned random;
    int64_t begin, end, met[2]; /* addresses that the sanitizer orders by */
    _Alignas(16) unsigned char room[ROOM_BYTES];
} group;

_Thread_local dialect_item dialect_here;

/* One launch. Launches are serialised by `running`. */
static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const fake_kernel *kernel;
    const gbl_launch_spec *spec;
    const int64_t *order;
    int64_t count;
    double since;
    unsigned seed;
    pthread_barrier_t start;
    sem_t places; /* for groups that run at the same time */
} now;
static group groups[MOST_THREADS];
static _Thread_local group *mine;
static int at_once = 1;
static double patience = 10;
static atomic_long launches, words, turns, fewest;
static _Atomic(const group *) last;

void fake_at_once(int count)
{
    at_once = count < 1 ? 1 : count > FAKE_AT_ONCE ? FAKE_AT_ONCE : count;
}

void fake_patience(double seconds)
{
    patience = seconds;
}

fake_turns fake_turns_so_far(void)
{
    return (fake_turns){launches, words, turns, fewest};
}

/* Processor time of this program: who waits for a word takes it, however busy the machine is. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned draw(unsigned below)
{
    mine->random = mine->random * 1664525u + 1013904223u;
    return (mine->random >> 8) % below;
}

static item *current(void)
{
    return &mine->items[dialect_here.lane];
}

/* A work-item stops here until the group's thread comes back to it. */
static void stop(state why)
{
    item *self = current();
    self->state = why;
    __tsan_switch_to_fiber(mine->home_fiber, NO_ORDER);
    swapcontext(&self->context, &mine->home);
}

void dialect_pause(void)
{
    words++;
    if (atomic_exchange(&last, mine) != mine)
        turns++;
    for (unsigned way = draw(4) == 0 ? draw(6) : 0; way > 0; way--)
        sched_yield();
    if (draw(256) == 0 && seconds() - now.since > patience) {
        fprintf(stderr, "%s: group %lld still waits after %g s of processor time\n", now.spec->name,
                (long long)dialect_here.group, patience);
        _exit(FAKE_HANGS);
    }
}

void *dialect_room(size_t bytes)
{
    if (bytes > ROOM_BYTES) {
        fprintf(stderr, "fake_groups.c: a kernel wants %zu bytes of local memory\n", bytes);
        exit(2);
    }
    return mine->room;
}

void dialect_rest(void)
{
    dialect_pause();
    stop(READY);
}

void dialect_barrier(void)
{
    item *self = current();
    int64_t *met = &mine->met[self->barriers++ % 2];
    __tsan_release(met);
    stop(AT_BARRIER);
    __tsan_acquire(met);
}

/* Waits until all lanes that run together have given their value; gives which of the two it is. */
static unsigned give(long double value)
{
    item *self = current();
    const unsigned turn = self->shuffles++ % 2;
    self->given[turn] = value;
    stop(AT_SHUFFLE);
    return turn;
}

long double dialect_shuffle_xor(long double value, i32 mask)
{
    const unsigned turn = give(value);
    return mine->items[dialect_here.lane ^ mask].given[turn];
}

i32 dialect_any(i32 condition)
{
    const i32 together = now.kernel->warp_size;
    const i32 first = dialect_here.lane - dialect_here.lane % together;
    const unsigned turn = give(condition);
    i32 any = 0;
    for (i32 i = 0; i < together; i++)
        any |= mine->items[first + i].given[turn] != 0;
    return any;
}

/* ---- A group -------------------------------------------------------------------------------- */

static void work_item(void)
{
    __tsan_acquire(&mine->begin);
    now.kernel->run(now.spec->buffers, now.spec->args);
    __tsan_release(&mine->end);
    stop(ENDED);
}

static int count_state(int from, int to, state is)
{
    int found = 0;
    for (int i = from; i < to; i++)
        found += mine->items[i].state == is;
    return found;
}

static void set_ready(int from, int to)
{
    for (int i = from; i < to; i++)
        mine->items[i].state = READY;
}

/* Lets go on who may. False: all have ended. */
static bool go_on(void)
{
    const int items = now.kernel->work_items, together = now.kernel->warp_size;
    bool some = count_state(0, items, READY) > 0; /* they rest */
    if (count_state(0, items, ENDED) == items)
        return false;
    if (count_state(0, items, AT_BARRIER) == items) {
        set_ready(0, items);
        return true;
    }
    for (int first = 0; first < items; first += together) {
        if (count_state(first, first + together, AT_SHUFFLE) == together) {
            set_ready(first, first + together);
            some = true;
        }
    }
    if (!some) {
        fprintf(stderr,
                "%s: of %d work-items %d ended, %d wait at a barrier, %d for a shuffle: for ever\n",
                now.spec->name, items, count_state(0, items, ENDED),
                count_state(0, items, AT_BARRIER), count_state(0, items, AT_SHUFFLE));
        _exit(FAKE_HANGS);
    }
    return true;
}

static void run_ready(void)
{
    const int items = now.kernel->work_items;
    const int first = (int)draw((unsigned)items), step = draw(2) ? 1 : items - 1;
    for (int i = 0; i < items; i++) {
        const int lane = (first + i * step) % items;
        item *next = &mine->items[lane];
        if (next->state != READY)
            continue;
        dialect_here.lane = lane;
        __tsan_switch_to_fiber(next->fiber, NO_ORDER);
        swapcontext(&mine->home, &next->context);
    }
}

static void run_group(int64_t number)
{
    const int items = now.kernel->work_items;
    dialect_here.groups = now.spec->groups[0];
    dialect_here.group = number % dialect_here.groups;
    dialect_here.row = number / dialect_here.groups;
    for (int i = 0; i < items; i++) {
        item *self = &mine->items[i];
        getcontext(&self->context);
        self->context.uc_stack.ss_sp = self->stack;
        self->context.uc_stack.ss_size = STACK_BYTES;
        self->context.uc_link = NULL;
        makecontext(&self->context, work_item, 0);
        self->state = READY;
        self->barriers = self->shuffles = 0;
    }
    memset(mine->room, 0xff, sizeof mine->room); /* as launches before may leave it: NaN */
    __tsan_release(&mine->begin);
    do
        run_ready();
    while (go_on());
    __tsan_acquire(&mine->end);
}

/* The groups of a thread: one, unless the launch has more groups than there are threads. */
static void *run_groups(void *given)
{
    mine = given;
    mine->home_fiber = __tsan_get_current_fiber();
    mine->random = now.seed + (unsigned)(mine - groups) * 7919u;
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    pthread_barrier_wait(&now.start);
    for (int64_t i = mine - groups; i < now.count; i += MOST_THREADS) {
        while (sem_wait(&now.places) != 0)
            continue;
        AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
        run_group(now.order[i]);
        AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
        sem_post(&now.places);
    }
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    return NULL;
}

/* ---- A launch ------------------------------------------------------------------------------- */

static void make_items(group *of, int items)
{
    for (int i = 0; i < items; i++) {
        if (of->items[i].fiber != NULL)
            continue;
        of->items[i].stack = malloc(STACK_BYTES);
        of->items[i].fiber = __tsan_create_fiber(0);
        if (of->items[i].stack == NULL || of->items[i].fiber == NULL) {
            fputs("fake_groups.c: a work-item got no stack\n", stderr);
            exit(2);
        }
    }
}

void fake_run(const fake_kernel *kernel, const gbl_launch_spec *spec)
{
    static unsigned seed;
    pthread_t threads[MOST_THREADS];
    pthread_mutex_lock(&running);
    int64_t *order = fake_order(kernel, spec);
    if (order == NULL) {
        pthread_mutex_unlock(&running);
        return;
    }
    now.kernel = kernel;
    now.spec = spec;
    now.order = order;
    now.count = spec->groups[0] * spec->groups[1];
    now.seed = seed += 104729u;
    now.since = seconds();
    last = NULL;
    const long words_before = words;
    const int count = now.count < MOST_THREADS ? (int)now.count : MOST_THREADS;
    sem_init(&now.places, 0, (unsigned)at_once);
    pthread_barrier_init(&now.start, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        make_items(&groups[i], kernel->work_items);
        if (pthread_create(&threads[i], NULL, run_groups, &groups[i]) != 0) {
            perror("fake_groups.c: a group got no thread");
            exit(2);
        }
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&now.start);
    sem_destroy(&now.places);
    launches += count > 1 && at_once > 1;
    fewest += words > words_before ? count : 0;
    free(order);
    pthread_mutex_unlock(&running);
}
