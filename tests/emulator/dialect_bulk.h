/* dialect_bulk.h: words of kernels/sm90/hopper.cuh for mbarriers and bulk copies, for plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For groups that run side by side (fake_groups.c). A copy is made at once by the work-item that
 * asks for it. Others see it only behind the mbarrier that counts its bytes, or behind a barrier:
 * the thread sanitizer knows no other order. Addresses that are not whole end the program.
 */
#ifndef DIALECT_BULK_H
#define DIALECT_BULK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialect_c.h"

typedef uintptr_t PLACE;

/* The group's room, which holds NaN at first. */
void *dialect_room(size_t bytes);
#undef LOCAL_ROOM
#define LOCAL_ROOM(type, name, count)                                                              \
    type *const name = dialect_room(sizeof(type) * (size_t)(count))

/* An mbarrier in the 8 bytes that it has on the device. */
typedef struct bulk_mark {
    uint8_t count, left; /* arrivals of a phase, and those to come */
    uint16_t phases;     /* complete */
    i32 bytes;           /* to come */
} bulk_mark;
_Static_assert(sizeof(bulk_mark) == 8, "as on the device");

#define PLACE_OF(local)   ((PLACE)(local))
#define MBARRIERS_READY() (void)0
#define STORES_READY()    (void)0
#define READS_DONE()      (void)0 /* loads are done at once */

/* The mbarrier, behind all that was done to it. Work-items of a group take turns between words, so
 * nobody comes between a look at it and the change. */
DEVICE bulk_mark mark_look(PLACE s)
{
    const u64 word = __atomic_load_n((u64 *)s, __ATOMIC_ACQUIRE);
    bulk_mark mark;
    memcpy(&mark, &word, sizeof mark);
    return mark;
}
DEVICE void mark_change(PLACE s, bulk_mark mark)
{
    u64 word;
    if (mark.left == 0 && mark.bytes == 0) {
        mark.left = mark.count;
        mark.phases++;
    }
    memcpy(&word, &mark, sizeof word);
    __atomic_store_n((u64 *)s, word, __ATOMIC_RELEASE);
}

DEVICE void MBARRIER_INIT(PLACE s, i32 count)
{
    bulk_mark mark = {.count = (uint8_t)count, .left = (uint8_t)count};
    mark_change(s, mark);
}
DEVICE void MBARRIER_EXPECT(PLACE s, i32 bytes)
{
    bulk_mark mark = mark_look(s);
    mark.left--;
    mark.bytes += bytes;
    mark_change(s, mark);
}
DEVICE void COPY_ELEMENT(PLACE to, const void *from, const i32 bytes, i32 given)
{
    memcpy((void *)to, from, (size_t)given);
    memset((char *)to + given, 0, (size_t)(bytes - given));
}
DEVICE void COPIES_ARRIVE(PLACE s)
{
    MBARRIER_EXPECT(s, 0);
}
DEVICE void MBARRIER_WAIT(PLACE s, u32 parity)
{
    while (mark_look(s).phases % 2 == parity)
        dialect_rest();
}
DEVICE void BULK_LOAD(PLACE to, const void *from, i32 bytes, PLACE mbarrier)
{
    bulk_mark mark = mark_look(mbarrier);
    if (to % 16 != 0 || (uintptr_t)from % 16 != 0 || bytes % 16 != 0 || bytes <= 0) {
        fprintf(stderr, "a bulk copy of %d bytes is not whole\n", bytes);
        exit(1);
    }
    memcpy((void *)to, from, (size_t)bytes);
    mark.bytes -= bytes;
    mark_change(mbarrier, mark);
}

#endif
