/* fork_guard.h: what a child of fork needs: locks that are free, and a number that says it is
 * another process.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A child has one thread, the one that forked. Locks that other threads held stay locked forever,
 * threads of OpenMP and of drivers are gone. So a file with a process-wide lock guards it here: a
 * fork waits until the lock is free (at most a second), and the child gets it fresh. Contexts
 * remember the process they were opened in by gbl_process_number.
 *
 * Guards are made when the library is loaded, before there are threads.
 */
#ifndef GBL_FORK_GUARD_H
#define GBL_FORK_GUARD_H

#include <pthread.h>
#include <stdbool.h>

/* What is done around a fork; any member may be NULL. `before` runs in the parent, `child` in the
 * child, where all guarded locks are free. */
typedef struct gbl_fork_guard {
    pthread_mutex_t *lock;
    void (*before)(void);
    void (*child)(void);
    struct gbl_fork_guard *next;
    bool held;
} gbl_fork_guard;

/* The guard must stay; its lock must not be in use yet. The lock becomes a recursive one: a driver
 * may fork while the thread that called it holds the lock. */
void gbl_fork_guard_add(gbl_fork_guard *guard);

/* GBL_FORK_GUARD(.lock = &lock) in a file adds a guard when the library is loaded. */
#define GBL_FORK_GUARD(...)                                                                        \
    __attribute__((constructor)) static void add_fork_guard(void)                                  \
    {                                                                                              \
        static gbl_fork_guard guard = {__VA_ARGS__};                                               \
        gbl_fork_guard_add(&guard);                                                                \
    }

/* Another in each child of fork than in its parent. Written by the child's only thread. */
extern unsigned gbl_process_number;

#endif
