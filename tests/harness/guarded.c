/* guarded.c: vectors in device memory whose surroundings are watched.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "harness/check.h"
#include "harness/guarded.h"

const guarded_way guarded_ways[GUARDED_WAYS] = {{.fill = FILL_PATTERN, .fence = LOOSE},
                                                {.fill = FILL_NAN, .fence = LOOSE},
                                                {.fill = FILL_PATTERN, .fence = TIGHT_BEHIND},
                                                {.fill = FILL_NAN, .fence = TIGHT_BEFORE}};

#define AROUND                                                                                     \
    ((size_t)256) /* bytes watched on either side; keeps the alignment of the allocation */

static unsigned char fill_byte(guarded_fill fill, size_t i)
{
    return fill == FILL_NAN ? 0xff : (unsigned char)(0xa5 + 31 * i);
}

#define PERIOD ((size_t)256) /* after so many bytes the pattern starts again */

static void fill_bytes(guarded_fill fill, unsigned char *bytes, size_t count)
{
    const size_t first = count < PERIOD ? count : PERIOD;
    for (size_t i = 0; i < first; i++)
        bytes[i] = fill_byte(fill, i);
    for (size_t done = first; done < count;) {
        const size_t more = done < count - done ? done : count - done;
        memcpy(bytes + done, bytes, more);
        done += more;
    }
}

static bool is_host(gable_context *ctx)
{
    gable_device_info info;
    return gable_context_describe(ctx, &info) == GABLE_OK && strcmp(info.name, "cpu") == 0;
}

/* Memory on the host whose end, or start, is the border of what may be touched. */
static unsigned char *map_fenced(guarded *v, guarded_fence fence)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inside = (v->bytes + page - 1) / page * page;
    v->mapped_bytes = inside + 2 * page;
    v->mapped =
        mmap(NULL, v->mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (v->mapped == MAP_FAILED) {
        v->mapped = NULL;
        return NULL;
    }
    unsigned char *start = (unsigned char *)v->mapped + page;
    if (inside > 0 && mprotect(start, inside, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    return fence == TIGHT_BEHIND ? start + inside - v->bytes : start;
}

bool guarded_make(guarded *v, gable_context *ctx, int64_t n, int64_t inc, size_t elem_bytes,
                  size_t offset_bytes, guarded_fill fill, guarded_fence fence)
{
    const int64_t size = inc < 0 ? -inc : inc;
    const size_t span = n == 0 ? 0 : (size_t)((n - 1) * size + 1) * elem_bytes;
    const size_t before = fence == LOOSE ? AROUND + offset_bytes : 0;
    memset(v, 0, sizeof *v);
    v->ctx = ctx;
    v->n = n;
    v->inc = inc;
    v->elem_bytes = elem_bytes;
    v->bytes = before + span + (fence == LOOSE ? AROUND : 0);
    v->first = before + (inc < 0 ? (size_t)((n - 1) * size) * elem_bytes : 0);
    v->image = malloc(v->bytes + 1);
    v->got = malloc(v->bytes + 1);
    if (fence != LOOSE && is_host(ctx)) {
        v->memory = map_fenced(v, fence);
    } else {
        void *address = NULL;
        if (CHECK_OK(ctx, gable_alloc(ctx, v->bytes > 0 ? v->bytes : 1, &address)))
            v->memory = address;
    }
    if (v->image == NULL || v->got == NULL || v->memory == NULL) {
        CHECK(false, "no memory for a vector of %zu bytes", v->bytes);
        return false;
    }
    fill_bytes(fill, v->image, v->bytes);
    v->at = v->memory + before;
    return true;
}

void guarded_destroy(guarded *v)
{
    if (v->mapped != NULL)
        munmap(v->mapped, v->mapped_bytes);
    else if (v->memory != NULL)
        CHECK_OK(v->ctx, gable_free(v->ctx, v->memory));
    free(v->image);
    free(v->got);
    memset(v, 0, sizeof *v);
}

bool guarded_send(guarded *v)
{
    return CHECK_OK(v->ctx,
                    gable_set_vector(v->ctx, (int64_t)v->bytes, 1, v->image, 1, v->memory, 1));
}

bool guarded_fetch(guarded *v)
{
    /* So that a fetch that fetched nothing is seen. */
    const unsigned char *const image = v->image;
    unsigned char *const got = v->got;
    const size_t bytes = v->bytes;
    for (size_t i = 0; i < bytes; i++)
        got[i] = (unsigned char)~image[i];
    return CHECK_OK(v->ctx,
                    gable_get_vector(v->ctx, (int64_t)v->bytes, 1, v->memory, 1, v->got, 1));
}

bool guarded_same(const guarded *v, const char *name)
{
    const bool same = memcmp(v->got, v->image, v->bytes) == 0;
    for (size_t i = 0; !same && i < v->bytes; i++) {
        if (v->got[i] != v->image[i]) {
            CHECK(false, "%s differs at byte %lld from its first element: 0x%02x, not 0x%02x", name,
                  (long long)i - (long long)v->first, v->got[i], v->image[i]);
            return false;
        }
    }
    test_passed();
    return true;
}

bool guarded_surroundings(const guarded *v, const char *name)
{
    /* With the elements as they were found, the image must be what was found. */
    for (int64_t i = 0; i < v->n; i++)
        memcpy(guarded_element(v, i), guarded_result(v, i), v->elem_bytes);
    char what[64];
    snprintf(what, sizeof what, "what is around %s", name);
    return guarded_same(v, what);
}

bool result_make(result_place *place, gable_context *ctx, size_t bytes, bool on_host)
{
    memset(&place->device, 0, sizeof place->device);
    place->bytes = bytes;
    place->on_host = on_host;
    if (on_host) {
        for (size_t i = 0; i < sizeof place->host; i++)
            place->host[i] = fill_byte(FILL_PATTERN, i);
        place->at = place->host + 64;
        return true;
    }
    if (!guarded_make(&place->device, ctx, 1, 1, bytes, 0, FILL_PATTERN, LOOSE) ||
        !guarded_send(&place->device))
        return false;
    place->at = place->device.at;
    return true;
}

/* Checks all bytes but those in [64, 64 + bytes) of a host place. */
static bool host_surroundings(const result_place *place, size_t bytes)
{
    for (size_t i = 0; i < sizeof place->host; i++) {
        const bool inside = i >= 64 && i < 64 + bytes;
        if (!inside && place->host[i] != fill_byte(FILL_PATTERN, i)) {
            CHECK(false, "byte %lld from the result was written", (long long)i - 64);
            return false;
        }
    }
    test_passed();
    return true;
}

bool result_take(result_place *place, void *value)
{
    bool good;
    if (place->on_host) {
        memcpy(value, place->host + 64, place->bytes);
        return host_surroundings(place, place->bytes);
    }
    good = guarded_fetch(&place->device) && guarded_surroundings(&place->device, "the result");
    memcpy(value, guarded_result(&place->device, 0), place->bytes);
    guarded_destroy(&place->device);
    return good;
}

bool result_untouched(result_place *place)
{
    if (place->on_host)
        return host_surroundings(place, 0);
    const bool good = guarded_fetch(&place->device) && guarded_same(&place->device, "the result");
    guarded_destroy(&place->device);
    return good;
}

void *far_reserve(gable_context *ctx, bool host, size_t bytes)
{
    if (!host) {
        void *address = NULL;
        return gable_alloc(ctx, bytes, &address) == GABLE_OK ? address : NULL;
    }
    void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

void far_release(gable_context *ctx, bool host, void *address, size_t bytes)
{
    if (host)
        munmap(address, bytes);
    else
        CHECK_OK(ctx, gable_free(ctx, address));
}
