/* dialect_hopper.h: the words of kernels/sm90/hopper.cuh for plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * fake_cluster.c runs them. All local memory that these words touch is the kernel's LOCAL_ROOM, one
 * for each group; a PLACE counts its bytes from 1024 on, as on the device, and those of other
 * groups of a cluster further up. What TMA does, it does late or early, as chance has it, and never
 * before the word that asks for it: who does not wait reads what was there before. What it takes
 * out of local memory it reads late and writes later. Broken rules (addresses that are not whole,
 * places outside of the room, more arrivals than an mbarrier counts, lanes that do not come
 * together) are faults and end the launch.
 */
#ifndef DIALECT_HOPPER_H
#define DIALECT_HOPPER_H

#include <string.h>
#include "dialect_c.h"

typedef u32 PLACE;

typedef struct ALIGNED(64) tensor_map {
    u64 word[16];
} tensor_map;
#define MAP(name) const tensor_map name

#undef LOCAL_ROOM
#define LOCAL_ROOM(type, name, count) type *const name = hopper_room(sizeof(type) * (size_t)(count))

/* ---- fake_cluster.c ---- */

/* The room of this work-item's group; a launch that gives less than so many bytes is a fault. */
void *hopper_room(size_t bytes);
/* Map `index` of the launch, which must have `count`. */
tensor_map hopper_map(int index, int count);
/* The address of a place for so many bytes, on a multiple of `whole` of them, in the room of a
 * group of the cluster. */
void *hopper_at(PLACE at, size_t bytes, size_t whole);
/* What a number of neighbouring lanes does together: the last to come calls `all` with what each of
 * them gave. All must come with the same `all`. */
typedef void hopper_together(void *const *given);
void hopper_meet(i32 lanes, hopper_together *all, void *given);
/* An order to TMA that this work-item writes: `all` is called late with a copy of so many bytes of
 * it; what it writes is told by hopper_wrote. Then `bytes` of the mbarrier have come; 0: it is one
 * arrival. */
typedef void hopper_order(const void *given);
void hopper_tma(hopper_order *all, const void *given, size_t given_bytes, PLACE mbarrier,
                i32 bytes);
void hopper_wrote(void *at, size_t bytes);
/* This work-item stored 16 bytes of local memory: matrix units see them behind its next
 * STORES_READY. */
void hopper_stored(const void *at);
/* Ends the launch with a fault. */
_Noreturn void hopper_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

PLACE PLACE_OF(const void *local);
void MBARRIER_INIT(PLACE s, i32 count);
void MBARRIERS_READY(void);
void MBARRIER_EXPECT(PLACE s, i32 bytes);
void MBARRIER_ARRIVE(PLACE s);
void MBARRIER_WAIT(PLACE s, u32 parity);
void TMA_LOAD_2(PLACE to, const tensor_map *map, i32 x, i32 y, PLACE mbarrier);
void TMA_LOAD_3(PLACE to, const tensor_map *map, i32 x, i32 y, i32 z, PLACE mbarrier);
void TMA_LOAD_4(PLACE to, const tensor_map *map, i32 x, i32 y, i32 z, i32 w, PLACE mbarrier);
void TMA_STORE_2(const tensor_map *map, i32 x, i32 y, PLACE from);
void TMA_STORE_COMMIT(void);
void TMA_STORE_READ_WAIT(i32 newest);
void TMA_STORE_WAIT(i32 newest);
void BULK_LOAD(PLACE to, const void *from, i32 bytes, PLACE mbarrier);
void COPY_ELEMENT(PLACE to, const void *from, const i32 bytes, i32 given);
void COPIES_ARRIVE(PLACE mbarrier);
void STORES_READY(void);
void FETCH_AHEAD(const void *from, i32 bytes);
void BARRIER_OF(i32 id, i32 lanes);
void ARRIVE_AT(i32 id, i32 lanes);
void WARP_BARRIER(void);
i32 CLUSTER_RANK(void);
void CLUSTER_BARRIER(void);
void CLUSTER_ARRIVE(void);
void CLUSTER_WAIT(void);
PLACE PEER_PLACE(PLACE own, i32 rank);
void SEND_PEER_1D(PLACE at, f64 x, PLACE mbarrier);
void SEND_PEER_1S(PLACE at, float x, PLACE mbarrier);
u32 LANES_MAX(u32 x);
u32 LANES_MIN(u32 x);
u32 LANES_WITH(i32 condition);
void MULTIPLY_16X8X16(f64 *c, const f64 *a, const f64 *b);
void MULTIPLY_16X8X8(f64 *c, const f64 *a, const f64 *b);

#define REGISTERS_FEWER(n)       (void)(n)
#define REGISTERS_MORE(n)        (void)(n)
#define PREFETCH_TENSOR_MAP(map) (void)(map)
#define READS_DONE()             (void)0 /* loads are done at once */
#define MINUS(x)                 (-(x))
#define FORGET(x)                (void)(x)
#define FORGET_AT(p)             (void)(p)

/* ---- Loads and stores, compiled with the kernel so that sanitizers see them ---- */

DEVICE void LOAD_1D(f64 *x, PLACE at)
{
    *x = *(const f64 *)hopper_at(at, 8, 8);
}
DEVICE void STORE_1D(PLACE at, f64 x)
{
    *(f64 *)hopper_at(at, 8, 8) = x;
}
DEVICE void STORE_1S(PLACE at, float x)
{
    *(float *)hopper_at(at, 4, 4) = x;
}
DEVICE void STORE_ONCE_2D(f64 *at, f64 x, f64 y)
{
    if ((uintptr_t)at % 16 != 0)
        hopper_fault("stores 16 bytes at an address that is not whole");
    at[0] = x;
    at[1] = y;
}
#define LOAD_IF(x, at, whether) (void)((whether) ? *(x) = *(at) : 0)
DEVICE void LOAD_2D(f64 *x, f64 *y, PLACE at)
{
    const f64 *from = hopper_at(at, 16, 16);
    *x = from[0];
    *y = from[1];
}
DEVICE void MBARRIER_ARRIVE_IF(PLACE s, i32 whether)
{
    if (whether)
        MBARRIER_ARRIVE(s);
}
DEVICE PLACE PLACE_XOR(PLACE at, u32 bits)
{
    return at ^ bits;
}
DEVICE PLACE PLACE_UP(PLACE at, u32 whole)
{
    return (at + whole - 1) / whole * whole;
}
DEVICE void STORE_2D(PLACE at, f64 x, f64 y)
{
    f64 *to = hopper_at(at, 16, 16);
    to[0] = x;
    to[1] = y;
}
DEVICE void LOAD_4S(float *v, PLACE at)
{
    const float *from = hopper_at(at, 16, 16);
    for (i32 i = 0; i < 4; i++)
        v[i] = from[i];
}
DEVICE void STORE_4S(PLACE at, const float *v)
{
    float *to = hopper_at(at, 16, 16);
    for (i32 i = 0; i < 4; i++)
        to[i] = v[i];
    hopper_stored(to);
}
DEVICE void LOAD_PEER_2D(f64 *x, f64 *y, PLACE at)
{
    LOAD_2D(x, y, at);
}
DEVICE void STORE_PEER_2D(PLACE at, f64 x, f64 y)
{
    STORE_2D(at, x, y);
}
DEVICE void LOAD_PEER_4S(float *v, PLACE at)
{
    LOAD_4S(v, at);
}
DEVICE void STORE_PEER_4S(PLACE at, const float *v)
{
    float *to = hopper_at(at, 16, 16);
    for (i32 i = 0; i < 4; i++)
        to[i] = v[i];
}

/* ---- The words of numbers ---- */

DEVICE u64 hopper_bits(f64 x)
{
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
DEVICE u32 HIGH_WORD(f64 x)
{
    return (u32)(hopper_bits(x) >> 32);
}
DEVICE u32 LOW_WORD(f64 x)
{
    return (u32)hopper_bits(x);
}
DEVICE f64 OF_WORDS(u32 high, u32 low)
{
    const u64 bits = (u64)high << 32 | low;
    f64 x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
DEVICE u32 FLOAT_WORD(float x)
{
    u32 word;
    memcpy(&word, &x, sizeof word);
    return word;
}
#define FIRST_LANE(lanes) ((i32)__builtin_ctz(lanes))

#endif
