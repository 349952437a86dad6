/* fake_wgmma.c: the matrix units of a warpgroup in plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each lane writes down what it asks for. When the last lane of a warpgroup waits, all products of
 * the warpgroup are made in their order. Where B lies is read from the word that the hardware would
 * be given. Numbers that a work-item stored there are seen only if it said STORES_READY.
 */
#include <math.h>
#include "dialect_wgmma.h"
#include "fake_cluster.h"
#include "wgmma.cuh"

#define WARPGROUP  128
#define MOST_ASKED 16
#define MOST_LANES 1024
#define MOST_ROOMS 64

typedef struct asked {
    i32 columns, add;
    float *d;
    const u32 *a;
    u64 lines;
} asked;

typedef struct lane_list {
    i32 begun, count;
    asked of[MOST_ASKED];
} lane_list;

/* Lists of the lanes of groups that run at the same time, by their rooms. Those of a launch that
 * failed are left behind. */
static struct {
    char *room;
    long launch;
    lane_list lane[MOST_LANES];
} lists[MOST_ROOMS];

static lane_list *own_list(void)
{
    char *const room = hopper_room(0);
    for (int i = 0; i < MOST_ROOMS; i++) {
        if (lists[i].launch != fake_now.number) {
            memset(&lists[i], 0, sizeof lists[i]);
            lists[i].launch = fake_now.number;
            lists[i].room = room;
        }
        if (lists[i].room == room)
            return &lists[i].lane[ITEM_X];
    }
    hopper_fault("more than %d groups multiply", MOST_ROOMS);
}

void wgmma_ask(i32 columns, float *d, const u32 *a, u64 lines, i32 add)
{
    lane_list *list = own_list();
    if (!list->begun)
        hopper_fault("multiplies before PRODUCTS_BEGIN");
    if (list->count == MOST_ASKED)
        hopper_fault("asks for more than %d products", MOST_ASKED);
    list->of[list->count++] = (asked){columns, add, d, a, lines};
}

void PRODUCTS_BEGIN(void)
{
    own_list()->begun = 1;
}

void PRODUCTS_END(void)
{
    own_list()->begun = 0;
}

/* What the matrix units see of a number. */
static double seen(u32 word)
{
    return AS_FLOAT(word & 0xffffe000u);
}

/* Towards zero. */
static float truncated(double sum)
{
    const float nearest = (float)sum;
    return fabs((double)nearest) > fabs(sum) ? nextafterf(nearest, 0) : nearest;
}

/* Term k of column n, where the word says that it is. */
static double b_element(u64 lines, i32 n, i32 k)
{
    const u32 apart = (u32)(lines >> 32 & 0x3fff) << 4;
    const u32 at =
        ((u32)(lines & 0x3fff) << 4) + (u32)(n / 8) * apart + (u32)(n % 8) * 128 + (u32)k * 4;
    if (lines >> 62 != 1)
        hopper_fault("the word of lines has no swizzle of 128 bytes");
    u32 word;
    void *place = hopper_at(at ^ (at >> 7 & 7) << 4, 4, 4);
    memcpy(&word, place, sizeof word);
    if (!fake_fenced(place))
        hopper_fault("multiplies numbers that were stored without STORES_READY");
    fake_tsan_range(place, sizeof word, false);
    return seen(word);
}

static void multiply(lane_list *const *list, int index)
{
    static double b[8][256];
    const asked *first = &list[0]->of[index];
    for (int i = 0; i < WARPGROUP; i++) {
        const asked *other = &list[i]->of[index];
        if (other->columns != first->columns || other->lines != first->lines ||
            other->add != first->add)
            hopper_fault("lanes of a warpgroup multiply different lines");
    }
    for (i32 n = 0; n < first->columns; n++)
        for (i32 k = 0; k < 8; k++)
            b[k][n] = b_element(first->lines, n, k);
    for (int w = 0; w < WARPGROUP; w += 32)
        for (int row = 0; row < 16; row++) {
            double a[8];
            for (int k = 0; k < 8; k++)
                a[k] = seen(list[w + row % 8 * 4 + k % 4]->of[index].a[row / 8 + k / 4 * 2]);
            for (i32 n = 0; n < first->columns; n++) {
                float *d = &list[w + row % 8 * 4 + n % 8 / 2]
                                ->of[index]
                                .d[n / 8 * 4 + row / 8 * 2 + n % 2];
                double sum = first->add ? *d : 0;
                for (int k = 0; k < 8; k++)
                    sum += a[k] * b[k][n];
                *d = truncated(sum);
            }
        }
}

static void multiply_all(void *const *given)
{
    lane_list *list[WARPGROUP];
    for (int i = 0; i < WARPGROUP; i++) {
        list[i] = given[i];
        if (list[i]->begun || list[i]->count != list[0]->count)
            hopper_fault("lanes of a warpgroup wait for different products");
    }
    for (int index = 0; index < list[0]->count; index++)
        multiply(list, index);
    for (int i = 0; i < WARPGROUP; i++)
        list[i]->count = 0;
}

void PRODUCTS_WAIT(void)
{
    hopper_meet(WARPGROUP, multiply_all, own_list());
}
