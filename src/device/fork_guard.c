/* fork_guard.c: what happens around a fork.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks are taken by trying: their order does not matter then, because one that is not free makes
 * the fork give the others back and wait for that one alone. The wait has an end, since the holder
 * may itself wait for the thread that forks (a driver that starts a program). Then the child gets a
 * fresh lock and whatever the holder had got done.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <time.h>
#include "device/fork_guard.h"

#define PATIENCE_SECONDS 1

unsigned gbl_process_number;

static gbl_fork_guard *guards;

static void make_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

static void give_back(void)
{
    for (gbl_fork_guard *guard = guards; guard != NULL; guard = guard->next) {
        if (guard->held)
            pthread_mutex_unlock(guard->lock);
        guard->held = false;
    }
}

/* Takes all that are free; the first that is not, or NULL. */
static gbl_fork_guard *take_free(void)
{
    for (gbl_fork_guard *guard = guards; guard != NULL; guard = guard->next) {
        if (guard->lock == NULL)
            continue;
        guard->held = pthread_mutex_trylock(guard->lock) == 0;
        if (!guard->held)
            return guard;
    }
    return NULL;
}

static void before_fork(void)
{
    struct timespec end;
    for (gbl_fork_guard *guard = guards; guard != NULL; guard = guard->next)
        if (guard->before != NULL)
            guard->before();
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE_SECONDS;
    for (gbl_fork_guard *busy; (busy = take_free()) != NULL;) {
        give_back();
        if (pthread_mutex_timedlock(busy->lock, &end) != 0)
            return;
        pthread_mutex_unlock(busy->lock);
    }
}

static void after_in_child(void)
{
    gbl_process_number++;
    for (gbl_fork_guard *guard = guards; guard != NULL; guard = guard->next) {
        if (guard->lock != NULL)
            make_lock(guard->lock);
        guard->held = false;
    }
    for (gbl_fork_guard *guard = guards; guard != NULL; guard = guard->next)
        if (guard->child != NULL)
            guard->child();
}

void gbl_fork_guard_add(gbl_fork_guard *guard)
{
    if (guards == NULL)
        pthread_atfork(before_fork, give_back, after_in_child);
    if (guard->lock != NULL)
        make_lock(guard->lock);
    guard->next = guards;
    guards = guard;
}
