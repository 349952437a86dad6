/* column_data.c: matrices of columns for tests of several vectors at once.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/column_data.h"

#define AROUND     ((size_t)64) /* bytes watched on either side of numbers in host memory */
#define MAX_SHAPES 192

/* ---- Shapes ---- */

/* Two sizes for each precision: of one batch, and one that is cut up, or nearly (50 and 17 into
 * batches of 8 and 6 where they are dealt out evenly). */
static const int64_t some[4][2] = {{1, COLUMNS_MOST}, {2, 7}, {3, 17}, {4, 8}};

static bool takes_all(const routine *r)
{
    return r->all || r->device->props.is_host;
}

/* Every column as aligned as the first. */
static bool is_plain(const columns_shape *s)
{
    return s->incy == 1 && s->offx == 0 && s->offy == 0 && s->ldx % 16 == 0;
}

columns_shape columns_of_run(const routine *r, columns_shape s)
{
    if (takes_all(r))
        return s;
    /* Where kernels compile slowly d and z leave out shifted columns, c strided y. */
    const bool other =
        routine_slow_compiler(r) && r->dtype != GBL_S && (s.incy == 1) != (r->dtype == GBL_C);
    if (!is_plain(&s) && (r->variant != NULL || other)) {
        s.ldx = (s.ldx + 15) / 16 * 16;
        s.incy = 1;
        s.offx = s.offy = 0;
    } else if (!is_plain(&s) && s.incy == 1) { /* shifted, all in the same way */
        s.offx = 1;
        s.offy = 0;
        s.ldx |= 1;
    } else {
        s.offx = s.offy = 0;
    }
    s.k = some[r->dtype][is_plain(&s)];
    return s;
}

bool columns_twice(const routine *r, const columns_shape *s)
{
    return takes_all(r) || (is_plain(s) && r->variant == NULL);
}

const columns_shape *columns_shapes(const routine *r, int *count)
{
    static const int64_t all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 17, COLUMNS_MOST};
    static const int64_t odd[] = {1, 2, 7, 16, 17, 33, 257}, even[] = {64, 1024};
    static const int64_t gaps[] = {0, 1, 3, 4, 16}, strides[] = {1, 1, 2, 1, -1, 1, -3};
    /* Many groups with an uneven rest, as far as memory allows; the last two with GABLE_TEST_ALL.
     * Kernels that are not optimised take the first ones. */
    static const columns_shape large[] = {
        {4097, 3, 4097, 1, 0, 0},       {4099, 17, 4101, 1, 1, 2},
        {20011, 17, 20020, -2, 0, 1},   {40000, 8, 40000, 1, 0, 0},
        {100003, 9, 100005, 1, 1, 0},   {20011, 50, 20016, 1, 0, 0},
        {1000003, 3, 1000003, 1, 0, 0}, {1000003, 9, 1000016, 1, 0, 0},
        {100003, 50, 100003, 1, 0, 3}};
    static columns_shape list[MAX_SHAPES];
    const int large_count =
        routine_slow_compiler(r) ? 4 : (int)(sizeof large / sizeof large[0]) - (r->all ? 0 : 2);
    const int k_count = takes_all(r) ? (int)(sizeof all / sizeof all[0]) : 1;
    int made = 0;
    for (int k = 0; k < k_count; k++) {
        for (size_t i = 0; i < sizeof even / sizeof even[0]; i++)
            list[made++] = columns_of_run(r, (columns_shape){even[i], all[k], even[i], 1, 0, 0});
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++, made++) {
            const columns_shape s = {
                odd[i],   all[k],        odd[i] + gaps[made % 5], strides[(made / 2) % 7],
                made % 4, (made / 3) % 4};
            list[made] = columns_of_run(r, s);
        }
    }
    for (int i = 0; i < large_count; i++)
        list[made++] = columns_of_run(r, large[i]);
    *count = made;
    return list;
}

const columns_shape *columns_few_shapes(const routine *r, int *count)
{
    static const columns_shape few[] = {
        {1, 1, 1, 1, 0, 0},         {5, 3, 7, 2, 1, 0},    {17, 8, 17, 1, 0, 1},
        {33, 9, 40, -1, 3, 3},      {64, 4, 64, 1, 0, 0},  {255, 5, 256, 1, 0, 0},
        {1025, 17, 1029, -2, 1, 0}, {65, 50, 80, 1, 0, 0}, {40000, 2, 40001, 1, 0, 0},
    };
    static columns_shape list[sizeof few / sizeof few[0]];
    *count = sizeof few / sizeof few[0];
    for (int i = 0; i < *count; i++)
        list[i] = columns_of_run(r, few[i]);
    return list;
}

void columns_case(routine *r, const columns_shape *s, uint64_t seed, const char *more)
{
    const shape plain = {s->n, 1, s->incy, s->offx, s->offy};
    char text[160];
    snprintf(text, sizeof text, "k=%lld ldx=%lld %s", (long long)s->k, (long long)s->ldx, more);
    routine_case(r, &plain, seed, text);
}

/* ---- X and y ---- */

bool columns_build(routine *r, columns *c, const columns_shape *s, size_t elem_bytes,
                   size_t real_bytes, columns_element element, uint64_t seed, guarded_fill fill,
                   guarded_fence fence)
{
    const int64_t elements = s->n > 0 && s->k > 0 ? (s->k - 1) * s->ldx + s->n : 0;
    memset(c, 0, sizeof *c);
    if (!guarded_make(&c->X, r->ctx, elements, 1, elem_bytes, (size_t)s->offx * real_bytes, fill,
                      fence) ||
        !guarded_make(&c->y, r->ctx, s->n, s->incy, elem_bytes, (size_t)s->offy * real_bytes, fill,
                      fence))
        return false;
    for (int64_t j = 0; j < s->k; j++)
        for (int64_t i = 0; i < s->n; i++)
            element(&c->X, i + j * s->ldx, seed);
    for (int64_t i = 0; i < s->n; i++)
        if (s->incy != 0 || i == 0)
            element(&c->y, i, seed + 1);
    return guarded_send(&c->X) && guarded_send(&c->y);
}

void columns_destroy(columns *c)
{
    guarded_destroy(&c->X);
    guarded_destroy(&c->y);
}

/* ---- Several numbers ---- */

static unsigned char pattern(size_t i)
{
    return (unsigned char)(0x5a + 29 * i);
}

bool columns_result_make(columns_result *place, gable_context *ctx, size_t bytes, bool on_host)
{
    memset(place, 0, sizeof *place);
    place->bytes = bytes;
    if (!on_host) {
        if (!guarded_make(&place->device, ctx, (int64_t)bytes, 1, 1, 0, FILL_PATTERN, LOOSE) ||
            !guarded_send(&place->device)) {
            guarded_destroy(&place->device);
            return false;
        }
        place->at = place->device.at;
        return true;
    }
    place->host = malloc(bytes + 2 * AROUND);
    if (place->host == NULL) {
        CHECK(false, "no memory for %zu bytes", bytes);
        return false;
    }
    for (size_t i = 0; i < bytes + 2 * AROUND; i++)
        place->host[i] = pattern(i);
    place->at = place->host + AROUND;
    return true;
}

/* Checks the bytes around `bytes` of a host place, and frees it. */
static bool host_surroundings(columns_result *place, size_t bytes)
{
    bool good = true;
    for (size_t i = 0; good && i < place->bytes + 2 * AROUND; i++) {
        good = (i >= AROUND && i < AROUND + bytes) || place->host[i] == pattern(i);
        if (!good)
            CHECK(false, "byte %lld from the results was written",
                  (long long)i - (long long)AROUND);
    }
    if (good)
        test_passed();
    free(place->host);
    place->host = NULL;
    return good;
}

bool columns_result_take(columns_result *place, void *values)
{
    if (place->host != NULL) {
        memcpy(values, place->at, place->bytes);
        return host_surroundings(place, place->bytes);
    }
    bool good = guarded_fetch(&place->device);
    if (place->bytes > 0)
        memcpy(values, guarded_result(&place->device, 0), place->bytes);
    good = good && guarded_surroundings(&place->device, "the results");
    guarded_destroy(&place->device);
    return good;
}

bool columns_result_untouched(columns_result *place)
{
    if (place->host != NULL)
        return host_surroundings(place, 0);
    const bool good = guarded_fetch(&place->device) && guarded_same(&place->device, "the results");
    guarded_destroy(&place->device);
    return good;
}
