/* fake_cluster.h: what the files of the fake device's third way to run share: clusters of groups,
 * TMA.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef FAKE_CLUSTER_H
#define FAKE_CLUSTER_H

#include <ucontext.h>
#include "dialect_hopper.h"
#include "fake_device.h"

#define MOST_GROUPS    16 /* of a cluster */
#define MOST_BARRIERS  16
#define MOST_MBARRIERS 256
#define MOST_ITEMS     1024 /* of a group */
#define WARP           32
#define ORDERS                                                                                     \
    8 /* addresses that the thread sanitizer orders by, one for each of the last phases */

typedef enum fake_state { FAKE_READY, FAKE_WAITS, FAKE_ENDED } fake_state;

/* Lanes that come together: a barrier, or what a warp does at once. */
typedef struct fake_meeting {
    int arrived, wanted;
    unsigned generation;
    hopper_together *all;
    void *given[128];
    char order[ORDERS];
} fake_meeting;

typedef struct fake_mbarrier {
    char *place;
    int count, pending;
    int64_t bytes;
    unsigned phase;
    char order[ORDERS];
} fake_mbarrier;

/* Who stored 16 bytes of a room last, and how often it had said STORES_READY before. */
typedef struct fake_store {
    const struct fake_item *by;
    unsigned fences;
} fake_store;

typedef struct fake_group {
    i64 number;
    char *room, *local; /* LOCAL_ROOM; LOCAL data while another group runs, or NULL */
    fake_store *stores; /* one for every 16 bytes of the room */
    int alive, started; /* work-items */
    char gone;          /* an address that the thread sanitizer orders by */
    fake_meeting barriers[MOST_BARRIERS]; /* the first is that of all */
    fake_meeting warps[MOST_ITEMS / WARP], warpgroups[MOST_ITEMS / 128];
} fake_group;

/* One COPY_ELEMENT. */
typedef struct fake_element {
    char *to;
    const void *from;
    i32 bytes, given;
} fake_element;

typedef struct fake_item {
    ucontext_t context;
    void *stack, *fiber, *kept;
    bool clean; /* it ended before: its stack holds no frames */
    int lane;
    fake_group *group;
    const char *why; /* it waits: for messages */
    const fake_meeting *meeting;
    const fake_mbarrier *mbarrier;
    u32 parity;
    unsigned fences;        /* how often it said STORES_READY */
    unsigned cluster_phase; /* of its last arrival at the cluster's barrier, counted from 1 */
    unsigned shuffles;
    long double shuffled[2];
    fake_element *elements; /* copies that have not been given to the engine */
    int element_count, element_room;
    int out_commits;        /* groups of TMA tiles that it sent out of local memory */
    int out_until;          /* it waits for those before this one ... */
    bool out_written;       /* ... to be in memory, or only to be read */
    char out_order[ORDERS]; /* addresses that the thread sanitizer orders by, of the last groups */
    char
        /* an address that the thread sanitizer orders by: what the work-item knew when it last
         * waited */
        known;
} fake_item;

/* One launch: what runs now. */
typedef struct fake_launch {
    const fake_kernel *kernel;
    const gbl_launch_spec *spec;
    int items, cluster; /* of a group; groups */
    size_t room_bytes;
    fake_group groups[MOST_GROUPS];
    fake_group *has_local; /* whose LOCAL data stands where the kernel has it */
    fake_meeting cluster_barrier;
    fake_mbarrier mbarriers[MOST_MBARRIERS];
    int mbarrier_count;
    long number; /* of the launch, counted from 1 */
    bool failed;
} fake_launch;
extern fake_launch fake_now;

/* The work-item that runs; a random number below a bound. */
fake_item *fake_self(void);
unsigned fake_draw(unsigned below);
/* Stops until somebody lets this work-item go on. */
void fake_stop(const char *why);
/* Lets go on all that wait for a meeting, or for a phase of an mbarrier that is complete. */
void fake_wake_meeting(const fake_meeting *meeting);
void fake_wake_mbarrier(const fake_mbarrier *mbarrier);
void fake_wake_item(fake_item *item);

/* fake_tma.c: TMA. */
fake_mbarrier *fake_mbarrier_at(PLACE s);
/* Bytes that an order reads must be the device's. */
void fake_need(const void *from, size_t bytes, const char *what);
int fake_orders_waiting(void);
/* Does one of them, any; and forgets all. */
void fake_do_order(void);
void fake_forget_orders(void);

/* Whether matrix units may read 16 bytes of the group's room: who stored them said STORES_READY
 * since. */
bool fake_fenced(const void *at);

/* Acquires, and notes that the work-item knows: for TMA. */
void fake_know(char *order);

/* The thread sanitizer, where the program has it. */
void fake_tsan_acquire(void *address);
void fake_tsan_release(void *address);
void *fake_tsan_fiber(void);
void *fake_tsan_current(void);
void fake_tsan_switch(void *fiber);
void fake_tsan_range(void *at, size_t bytes, bool written);

#endif
