/* fake_room.c: local memory of groups that run at the same time, maps of a launch, bulk copies.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "fake_cluster.h"

void *hopper_room(size_t bytes)
{
    if (bytes > fake_now.room_bytes)
        hopper_fault("wants %zu bytes of local memory, and the launch gives %zu", bytes,
                     fake_now.room_bytes);
    return fake_self()->group->room;
}

tensor_map hopper_map(int index, int count)
{
    tensor_map map = {{0}};
    if (fake_now.spec->map_count != count)
        hopper_fault("takes %d maps, and the launch has %d", count, fake_now.spec->map_count);
    memcpy(&map, &fake_now.spec->maps[index], sizeof map);
    return map;
}

/* Places of the own group, and of group r of its cluster. */
#define FIRST_PLACE  1024u
#define PEER_OF(r)   (((u32)(r) + 1u) << 24)
#define PEER_BITS(p) ((p) >> 24)

PLACE PLACE_OF(const void *local)
{
    return FIRST_PLACE + (PLACE)((const char *)local - fake_self()->group->room);
}

PLACE PEER_PLACE(PLACE own, i32 rank)
{
    if (rank < 0 || rank >= fake_now.cluster || PEER_BITS(own) != 0)
        hopper_fault("asks for group %d of a cluster of %d", rank, fake_now.cluster);
    return own + PEER_OF(rank);
}

void *hopper_at(PLACE at, size_t bytes, size_t whole)
{
    const u32 peer = PEER_BITS(at), offset = at - (peer << 24);
    if (offset % whole != 0)
        hopper_fault("a place for %zu bytes is not on a multiple of %zu", bytes, whole);
    if (peer > (u32)fake_now.cluster || offset < FIRST_PLACE ||
        offset - FIRST_PLACE + bytes > fake_now.room_bytes)
        hopper_fault(
            "a place for %zu bytes lies outside of LOCAL_ROOM, %lld bytes behind its begin", bytes,
            (long long)offset - (long long)FIRST_PLACE);
    const fake_group *group = peer > 0 ? &fake_now.groups[peer - 1] : fake_self()->group;
    if (group->started == 0)
        hopper_fault("touches the room of a group that has not started");
    return group->room + (offset - FIRST_PLACE);
}

/* ---- Numbers sent to other groups ---- */

typedef struct sent_order {
    char *to;
    size_t bytes;
    char value[8];
} sent_order;

static void deliver(const void *given)
{
    const sent_order *order = given;
    for (size_t i = 0; i < order->bytes; i++) /* memcpy would be seen by the thread sanitizer */
        order->to[i] = order->value[i];
    hopper_wrote(order->to, order->bytes);
}

static void send_peer(PLACE at, const void *value, size_t bytes, PLACE mbarrier)
{
    sent_order order = {.to = hopper_at(at, bytes, bytes), .bytes = bytes};
    memcpy(order.value, value, bytes);
    hopper_tma(deliver, &order, sizeof order, mbarrier, (i32)bytes);
}

void SEND_PEER_1D(PLACE at, f64 x, PLACE mbarrier)
{
    send_peer(at, &x, sizeof x, mbarrier);
}

void SEND_PEER_1S(PLACE at, float x, PLACE mbarrier)
{
    send_peer(at, &x, sizeof x, mbarrier);
}

/* ---- Bulk copies ---- */

typedef struct bulk_order {
    char *to;
    const char *from;
    i32 bytes;
} bulk_order;

static void copy_bulk(const void *given)
{
    const bulk_order *order = given;
    memcpy(order->to, order->from, (size_t)order->bytes);
    hopper_wrote(order->to, (size_t)order->bytes);
}

void BULK_LOAD(PLACE to, const void *from, i32 bytes, PLACE mbarrier)
{
    if (bytes < 16 || bytes % 16 != 0 || (uintptr_t)from % 16 != 0)
        hopper_fault("copies %d bytes at once, from %d behind a multiple of 16", bytes,
                     (int)((uintptr_t)from % 16));
    const bulk_order order = {hopper_at(to, (size_t)bytes, 16), from, bytes};
    fake_need(from, (size_t)bytes, "what is copied at once");
    hopper_tma(copy_bulk, &order, sizeof order, mbarrier, bytes);
}
