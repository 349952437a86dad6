/* objects.c: which contexts, recordings, sparse matrices and solvers are alive, and whose they are.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock is held only while the table is looked at, never while an object is told something:
 * what it does then may come back here.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include "core/context.h"
#include "core/objects.h"
#include "device/fork_guard.h"

#define CHAINS 256

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; /* guards all below but `ended` */
static gbl_object *chains[CHAINS];
static atomic_uint_fast64_t ended = 1; /* 0 stands in contexts that remember nothing */

/* Nobody who held the lock is in the child. */
static void free_lock(void)
{
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
}
GBL_FORK_GUARD(.child = free_lock)

static gbl_object **chain_of(const void *self)
{
    return &chains[((uintptr_t)self * 0x9e3779b97f4a7c15u >> 32) % CHAINS];
}

/* Objects of an owner, of whom only the address is known where other threads ask. */
static gbl_object **list_of(const gable_context *owner)
{
    return &((gable_context *)(uintptr_t)owner)->objects;
}

static void leave_owner(gbl_object *object)
{
    if (object->owner == NULL)
        return;
    *object->link = object->next;
    if (object->next != NULL)
        object->next->link = object->link;
    object->owner = NULL;
}

void gbl_object_add(gbl_object *object)
{
    pthread_rwlock_wrlock(&lock);
    gbl_object **chain = chain_of(object->self);
    object->chain = *chain;
    object->chained = chain;
    if (object->chain != NULL)
        object->chain->chained = &object->chain;
    *chain = object;
    if (object->owner != NULL) {
        gbl_object **list = list_of(object->owner);
        object->next = *list;
        object->link = list;
        if (object->next != NULL)
            object->next->link = &object->next;
        *list = object;
    }
    pthread_rwlock_unlock(&lock);
}

void gbl_object_remove(gbl_object *object)
{
    pthread_rwlock_wrlock(&lock);
    *object->chained = object->chain;
    if (object->chain != NULL)
        object->chain->chained = object->chained;
    leave_owner(object);
    atomic_fetch_add(&ended, 1);
    pthread_rwlock_unlock(&lock);
}

bool gbl_object_alive(gbl_object_kind kind, const void *self)
{
    pthread_rwlock_rdlock(&lock);
    const gbl_object *object = *chain_of(self);
    while (object != NULL && (object->self != self || object->kind != kind))
        object = object->chain;
    pthread_rwlock_unlock(&lock);
    return object != NULL;
}

bool gbl_object_known(gable_context *ctx, gbl_object_kind kind, const void *self)
{
    const uint64_t now = atomic_load(&ended);
    if (ctx->known[kind].self == self && ctx->known[kind].ended == now)
        return true;
    if (!gbl_object_alive(kind, self))
        return false;
    ctx->known[kind].self = self;
    ctx->known[kind].ended = now;
    return true;
}

void gbl_objects_orphan(gable_context *owner, gbl_object_kind kind)
{
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        gbl_object *object = owner->objects;
        while (object != NULL && object->kind != kind)
            object = object->next;
        void (*const orphan)(void *) = object != NULL ? object->orphan : NULL;
        void *self = object != NULL ? (void *)(uintptr_t)object->self : NULL;
        if (object != NULL)
            leave_owner(object);
        pthread_rwlock_unlock(&lock);
        if (object == NULL)
            return;
        /* Only matrices are destroyed by other threads, and those are not told. */
        if (orphan != NULL)
            orphan(self);
    }
}
