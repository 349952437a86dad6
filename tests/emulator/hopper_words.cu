/* hopper_words.cu: a kernel that says the words of hopper.cuh and nothing else, to test those words
 * in plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * FORM: 1 TMA tiles of 16 x 16 doubles go through a pipeline of STAGES, one after another along y,
 * and are written out as they lie in the matrix; 2 the same by elements; 3 products of 16 x 8 by
 * one warp, K terms; 4 groups of a cluster read each other's room; 5 two halves of a group hand
 * over through named barriers; 6 TMA tiles go out of two buffers to the matrix of the map; 7 groups
 * of a cluster write to each other's room, lanes of a warp compare numbers. MUTANT leaves something
 * out.
 *
 * Geometry: ITEMS = 256: 128 that compute, then 128 that copy. With FORM 4 and 7 any.
 */
#include "hopper.cuh"
#include "hopper_words_args.h"

#if !defined(FORM) || !defined(MUTANT) || !defined(ITEMS)
#error "hopper_words.cu needs FORM, MUTANT and ITEMS"
#endif

#define STAGES      3
#define STAGE_BYTES 2048
#define HALF        128
#define ROOM_BYTES  (STAGES * STAGE_BYTES + 16 * STAGES)

/* Where 16 bytes number `chunk` of a line lie. */
DEVICE i32 offset_of(i32 line, i32 chunk)
{
    return line * 128 + (chunk ^ (line & 7)) * 16;
}

#if FORM == 1 || FORM == 2
DEVICE void produce(const tensor_map *map, GLOBAL const f64 *x, PLACE pipeline, PLACE full,
                    PLACE empty, hopper_words_args a)
{
    const i32 lane = ITEM_X - HALF;
    for (i32 step = 0; step < (i32)a.steps; step++) {
        const i32 stage = step % STAGES;
        const PLACE to = pipeline + stage * STAGE_BYTES;
        if (MUTANT != 2)
            MBARRIER_WAIT(empty + 8 * stage, (u32)(step / STAGES & 1) ^ 1);
        if (FORM == 1) {
            if (lane == 0) {
                MBARRIER_EXPECT(full + 8 * stage, MUTANT == 6 ? STAGE_BYTES / 2 : STAGE_BYTES);
                TMA_LOAD_2(to, map, (i32)a.x, (i32)a.y + step * 16, full + 8 * stage);
            } else {
                MBARRIER_ARRIVE(full + 8 * stage);
            }
        } else {
            for (i32 i = lane; i < 256; i += HALF) {
                const i32 line = i / 16, row = i % 16;
                const i64 p = a.x + row, q = a.y + step * 16 + line;
                const i32 inside = p >= 0 && p < a.rows && q >= 0 && q < a.columns;
                COPY_ELEMENT(to + offset_of(line, row / 2) + row % 2 * 8,
                             inside ? x + p + q * a.ld : x, 8, inside ? 8 : 0);
            }
            if (MUTANT == 7) {
                MBARRIER_ARRIVE(full + 8 * stage);
                COPIES_ARRIVE(empty + 8 * stage); /* somewhere else */
            } else {
                COPIES_ARRIVE(full + 8 * stage);
            }
        }
    }
}

DEVICE void consume(PLACE pipeline, PLACE full, PLACE empty, GLOBAL f64 *out, hopper_words_args a)
{
    const i32 line = ITEM_X / 8, chunk = ITEM_X % 8;
    for (i32 step = 0; step < (i32)a.steps; step++) {
        const i32 stage = step % STAGES;
        f64 v[2];
        if (MUTANT != 1)
            MBARRIER_WAIT(full + 8 * stage, (u32)(step / STAGES & 1));
        LOAD_2D(&v[0], &v[1], pipeline + (PLACE)(stage * STAGE_BYTES + offset_of(line, chunk)));
        if (MUTANT != 3)
            WARP_BARRIER();
        if (ITEM_X % 32 == 0)
            MBARRIER_ARRIVE(empty + 8 * stage);
        out[step * 256 + line * 16 + chunk * 2] = v[0];
        out[step * 256 + line * 16 + chunk * 2 + 1] = v[1];
    }
}
#endif

#if FORM == 6
#define BUFFERS 2
/* One work-item sends what the others put into the buffers, and gives those back once they have
 * been read. */
DEVICE void send(const tensor_map *map, PLACE pipeline, PLACE full, PLACE empty,
                 hopper_words_args a)
{
    for (i32 step = 0; step < (i32)a.steps; step++) {
        const i32 b = step % BUFFERS;
        if (MUTANT != 14)
            MBARRIER_WAIT(full + 8 * b, (u32)(step / BUFFERS & 1));
        TMA_STORE_2(map, (i32)a.x, (i32)a.y + step * 16, pipeline + b * STAGE_BYTES);
        if (MUTANT != 15)
            TMA_STORE_COMMIT();
        if (step > 0) { /* the buffer before this one has been read */
            TMA_STORE_READ_WAIT(MUTANT == 12 ? 2 : 1);
            MBARRIER_ARRIVE(empty + 8 * (1 - b));
        }
    }
    if (MUTANT != 13)
        TMA_STORE_WAIT(0);
}

DEVICE void write(PLACE pipeline, PLACE full, PLACE empty, GLOBAL const f64 *x, hopper_words_args a)
{
    const i32 line = ITEM_X / 8, chunk = ITEM_X % 8;
    for (i32 step = 0; step < (i32)a.steps; step++) {
        const i32 b = step % BUFFERS;
        if (step >= BUFFERS)
            MBARRIER_WAIT(empty + 8 * b, (u32)((step / BUFFERS - 1) & 1));
        GLOBAL const f64 *from = x + step * 256 + line * 16 + chunk * 2;
        STORE_2D(pipeline + (PLACE)(b * STAGE_BYTES + offset_of(line, chunk)), from[0], from[1]);
        STORES_READY();
        if (MUTANT != 16)
            WARP_BARRIER();
        if (ITEM_X % 32 == 0)
            MBARRIER_ARRIVE(full + 8 * b);
    }
}
#endif

KERNEL(hopper_words, ITEMS, 1, 1)
(MAP(map), GLOBAL const f64 *RESTRICT x, GLOBAL f64 *RESTRICT out, hopper_words_args a)
{
    LOCAL_ROOM(char, room, ROOM_BYTES);
    const PLACE pipeline = PLACE_OF(room), full = pipeline + STAGES * STAGE_BYTES,
                empty = full + 8 * STAGES;
    (void)map, (void)x, (void)out, (void)a, (void)empty;
#if FORM == 1 || FORM == 2
    if (ITEM_X == 0) {
        for (i32 i = 0; i < STAGES; i++) {
            MBARRIER_INIT(full + 8 * i, MUTANT == 5 ? HALF + 1 : HALF);
            MBARRIER_INIT(empty + 8 * i, HALF / 32);
        }
        MBARRIERS_READY();
    }
    if (MUTANT != 4)
        BARRIER();
    if (ITEM_X >= HALF) {
        REGISTERS_FEWER(40);
        produce(&map, x, pipeline, full, empty, a);
    } else {
        REGISTERS_MORE(232);
        consume(pipeline, full, empty, out, a);
    }
#elif FORM == 6
    if (ITEM_X == 0) {
        for (i32 b = 0; b < BUFFERS; b++) {
            MBARRIER_INIT(full + 8 * b, HALF / 32);
            MBARRIER_INIT(empty + 8 * b, 1);
        }
        MBARRIERS_READY();
    }
    BARRIER();
    if (ITEM_X == HALF)
        send(&map, pipeline, full, empty, a);
    else if (ITEM_X < HALF)
        write(pipeline, full, empty, x, a);
#elif FORM == 3
    const i32 lane = ITEM_X % 32, g = lane / 4, t = lane % 4;
    if (ITEM_X < 32) {
        f64 c[4], p[8], q[4];
        const i32 deep = (i32)a.steps;
        for (i32 i = 0; i < 4; i++)
            c[i] = out[g + 8 * (i / 2) + 16 * (2 * t + i % 2)];
        for (i32 i = 0; i < deep / 2; i++)
            p[i] = x[g + 8 * (i % 2) + 16 * (t + 4 * (i / 2))];
        for (i32 i = 0; i < deep / 4; i++)
            q[i] = x[256 + t + 4 * i + deep * g];
        if (deep == 16)
            MULTIPLY_16X8X16(c, p, q);
        else
            MULTIPLY_16X8X8(c, p, q);
        for (i32 i = 0; i < 4; i++)
            out[g + 8 * (i / 2) + 16 * (2 * t + i % 2)] = c[i];
    }
#elif FORM == 4
    const i32 rank = CLUSTER_RANK();
    f64 v[2];
    STORE_2D(pipeline + 16 * ITEM_X, (f64)(GROUP_X * 1000 + ITEM_X), (f64)rank);
    if (MUTANT != 8)
        CLUSTER_BARRIER();
    const i32 next = (rank + 1) % (i32)a.steps;
    LOAD_PEER_2D(&v[0], &v[1], PEER_PLACE(pipeline + 16 * (ITEMS - 1 - ITEM_X), next));
    if (MUTANT != 9) /* else a group may be gone when another reads its room */
        CLUSTER_BARRIER();
    out[GROUP_X * ITEMS + ITEM_X] = v[0];
#elif FORM == 7
    const i32 next = (CLUSTER_RANK() + 1) % (i32)a.steps;
    const u32 number = (u32)(ITEM_X * 11 + 3) % 32; /* another in each lane */
    const float words[4] = {(float)GROUP_X, (float)ITEM_X, 0, 1};
    const f64 third = 1.0 / 3 * (1 + ITEM_X);
    float v[4];
    if (MUTANT != 17) /* else a group writes to one that has not started */
        CLUSTER_BARRIER();
    STORE_PEER_4S(PEER_PLACE(pipeline + 16 * ITEM_X, next), words);
    if (MUTANT != 18)
        CLUSTER_BARRIER();
    LOAD_4S(v, pipeline + 16 * (ITEMS - 1 - ITEM_X));
    i32 good = LANES_MAX(number + 7) == 38;
    good = LANES_MIN(number + 7) == 7 && good;
    const u32 few = LANES_WITH(number >= 31), two = LANES_WITH(number % 16 == 3);
    good = good && FIRST_LANE(few) * 11 % 32 == 28 && FIRST_LANE(two) == 0 && two == 0x10001u;
    good = good && OF_WORDS(HIGH_WORD(third), LOW_WORD(third)) == third &&
           HIGH_WORD(-1.5) == 0xbff80000u && FLOAT_WORD(1.5f) == 0x3fc00000u;
    out[GROUP_X * ITEMS + ITEM_X] = v[0] * 1000 + v[1] + 0.5 * good;
#else
    f64 v[2];
    if (ITEM_X >= HALF) {
        STORE_2D(pipeline + 16 * (ITEM_X - HALF), (f64)ITEM_X, 0);
        if (MUTANT != 10)
            ARRIVE_AT(1, ITEMS);
        BARRIER_OF(2, ITEMS);
        LOAD_2D(&v[0], &v[1], pipeline + 16 * (ITEMS - 1 - ITEM_X));
        out[ITEM_X] = v[1];
    } else {
        if (MUTANT != 11)
            BARRIER_OF(1, ITEMS);
        LOAD_2D(&v[0], &v[1], pipeline + 16 * (HALF - 1 - ITEM_X));
        BARRIER_OF(3, HALF);
        STORE_2D(pipeline + 16 * ITEM_X, 0, v[0] + 0.5);
        BARRIER_OF(2, ITEMS);
        out[ITEM_X] = v[0];
    }
#endif
}
