/* dense_data.c: shapes and matrices for tests of routines on whole matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "harness/dense_data.h"

#define WHOLE 16 /* elements after which columns stand as the first one does, in every precision */

bool dense_make(dense *d, gable_context *ctx, int64_t rows, int64_t columns, dense_place place,
                size_t elem_bytes, dense_element element, uint64_t seed, guarded_fill fill,
                guarded_fence fence)
{
    memset(d, 0, sizeof *d);
    d->rows = rows;
    d->columns = columns;
    d->ld = rows + place.gap > 0 ? rows + place.gap : 1;
    if (place.columns == ALIKE)
        d->ld = (d->ld + WHOLE - 1) / WHOLE * WHOLE;
    else if (place.columns == APART)
        d->ld |= 1;
    const int64_t elements = rows > 0 && columns > 0 ? (columns - 1) * d->ld + rows : 0;
    if (!guarded_make(&d->v, ctx, elements, 1, elem_bytes, (size_t)place.offset * elem_bytes, fill,
                      fence))
        return false;
    for (int64_t j = 0; element != NULL && j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            element(&d->v, i + j * d->ld, seed);
    return true;
}

void dense_destroy(dense *d)
{
    guarded_destroy(&d->v);
}

bool dense_gaps(const dense *d, const char *name)
{
    for (int64_t i = 0; i < d->v.n; i++) {
        if (i % d->ld >= d->rows &&
            memcmp(guarded_element(&d->v, i), guarded_result(&d->v, i), d->v.elem_bytes) != 0) {
            CHECK(false, "%s: what stands at %lld, between columns, was changed", name,
                  (long long)i);
            return false;
        }
    }
    return guarded_surroundings(&d->v, name); /* takes all elements as they are */
}

static bool takes_all(const routine *r)
{
    return r->all || r->device->props.is_host;
}

bool dense_left_out(const routine *r)
{
    const bool fast = takes_all(r) || routine_compiles_fast(r);
    const bool out = r->variant != NULL && !fast && r->dtype != GBL_S;
    if (out)
        test_leave_out(NULL,
                       "%s %c %s of %s runs with GABLE_TEST_ALL=1 only: kernels compile slowly",
                       r->op->stem, r->letter, r->part, r->variant->name);
    return out;
}

static dense_shape of_run(const routine *r, dense_shape s, int number)
{
    if (takes_all(r))
        return s;
    const bool slow = routine_slow_compiler(r), few = slow && r->variant != NULL;
    const bool apart = !few && (r->dtype == GBL_D || r->dtype == GBL_Z);
    const int kind = slow ? apart : number % 3;
    for (int i = 0; i < 3; i++)
        s.at[i].columns = kind == 0 || (kind == 2 && i != 0) ? ALIKE : APART;
    if (few) /* all shapes that have groups of one kind */
        s.m = s.m < 64 && s.n < 500 ? s.m + 64 : s.m;
    return s;
}

static int make_shapes(const routine *r, const int64_t (*sizes)[2], int count, dense_shape *list)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    for (int i = 0; i < count; i++) {
        dense_shape s = {.m = sizes[i][0], .n = sizes[i][1]};
        for (int k = 0; k < 3; k++) {
            s.at[k].gap = gaps[(i + (k + 1) * (i / 2)) % 5];
            s.at[k].offset = (i / 2 + k * i) % 4;
        }
        list[i] = of_run(r, s, i);
    }
    return count;
}

const dense_shape *dense_shapes(const routine *r, int *count)
{
    static const int64_t sizes[][2] = {
        {1, 1},     {2, 3},     {3, 2},    {1, 7},    {9, 1},    {8, 8},    {16, 16},
        {17, 15},   {31, 33},   {32, 32},  {33, 64},  {64, 33},  {63, 65},  {64, 64},
        {65, 63},   {127, 129}, {128, 5},  {5, 128},  {300, 2},  {2, 300},  {96, 160},
        {257, 130}, {130, 257}, {1000, 7}, {7, 1000}, {520, 40}, {40, 520}, {700, 500}};
    static dense_shape list[sizeof sizes / sizeof sizes[0]];
    *count = make_shapes(r, sizes, sizeof sizes / sizeof sizes[0], list);
    return list;
}

const dense_shape *dense_few_shapes(const routine *r, int *count)
{
    static const int64_t sizes[][2] = {{1, 1},   {17, 9},    {65, 33}, {64, 64},
                                       {200, 7}, {300, 200}, {9, 150}, {130, 140}};
    static dense_shape list[sizeof sizes / sizeof sizes[0]];
    *count = make_shapes(r, sizes, sizeof sizes / sizeof sizes[0], list);
    return list;
}
