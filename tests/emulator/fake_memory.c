/* fake_memory.c: the fake device's memory, and the books of what fails, breaks rules or is alive.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock guards all books. Memory comes from posix_memalign, so that a test that makes malloc
 * fail reaches the library only, and exactly as many bytes as asked, so that the address sanitizer
 * sees an overrun of one byte. Without it each block ends in a pattern.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake_device.h"

#if defined(__SANITIZE_ADDRESS__)
#define PATTERN_BYTES 0
#else
#define PATTERN_BYTES 64
#endif
#define PATTERN      0xA5
#define MAX_BLOCKS   1024
#define MEMORY_BYTES ((size_t)1 << 32)

typedef struct block {
    char *base;
    size_t bytes;
    bool pinned;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block blocks[MAX_BLOCKS];
static long calls[FAKE_KIND_COUNT];
static fake_kind armed_kind;
static long armed_at; /* 0: nothing is armed */
static bool fired;
static int fault_count;
static size_t limit_bytes, alive_bytes;
static char first_fault[512];
fake_counts fake_live;

/* ---- Failures, faults, counts --------------------------------------------------------------- */

static const gable_status statuses[] = {
#define STATUS(name, status) status,
    FAKE_KINDS(STATUS)
#undef STATUS
};
static const char *const names[] = {
#define NAME_OF(name, status) #name,
    FAKE_KINDS(NAME_OF)
#undef NAME_OF
};

gable_status fake_status(fake_kind kind)
{
    return statuses[kind];
}

const char *fake_kind_name(fake_kind kind)
{
    return names[kind];
}

void fake_fail(fake_kind kind, int nth)
{
    pthread_mutex_lock(&lock);
    armed_kind = kind;
    armed_at = nth > 0 ? calls[kind] + nth : 0;
    fired = false;
    pthread_mutex_unlock(&lock);
}

bool fake_fired(void)
{
    return fired;
}

bool fake_must_fail(fake_kind kind, gbl_message *message)
{
    pthread_mutex_lock(&lock);
    const bool now = ++calls[kind] == armed_at && kind == armed_kind;
    if (now) {
        fired = true;
        armed_at = 0;
    }
    pthread_mutex_unlock(&lock);
    if (now)
        gbl_fail(message, statuses[kind], "the fake device failed %s on demand", names[kind]);
    return now;
}

long fake_calls(fake_kind kind)
{
    return calls[kind];
}

void fake_fault(const char *format, ...)
{
    pthread_mutex_lock(&lock);
    if (fault_count++ == 0) {
        va_list list;
        va_start(list, format);
        vsnprintf(first_fault, sizeof first_fault, format, list);
        va_end(list);
    }
    pthread_mutex_unlock(&lock);
}

int fake_faults(void)
{
    return fault_count;
}

const char *fake_first_fault(void)
{
    return first_fault;
}

void fake_count(int *count, int change)
{
    pthread_mutex_lock(&lock);
    *count += change;
    pthread_mutex_unlock(&lock);
}

fake_counts fake_alive(void)
{
    return fake_live;
}

void *fake_memory(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 256, bytes) != 0)
        return NULL;
    memset(memory, 0, bytes);
    return memory;
}

/* ---- Memory --------------------------------------------------------------------------------- */

static bool new_block(size_t bytes, bool pinned, void **address)
{
    void *base = NULL;
    if (posix_memalign(&base, 256, bytes + PATTERN_BYTES) != 0)
        return false;
    memset(base, 0xCD, bytes); /* device memory is not zero */
    for (int i = 0; i < PATTERN_BYTES; i++)
        ((unsigned char *)base)[bytes + (size_t)i] = PATTERN;
    pthread_mutex_lock(&lock);
    int slot = 0;
    while (slot < MAX_BLOCKS && blocks[slot].base != NULL)
        slot++;
    if (!pinned && limit_bytes > 0 && alive_bytes + bytes > limit_bytes)
        slot = MAX_BLOCKS;
    if (slot < MAX_BLOCKS) {
        blocks[slot] = (block){base, bytes, pinned};
        alive_bytes += pinned ? 0 : bytes;
        ++*(pinned ? &fake_live.pinned : &fake_live.blocks);
    }
    pthread_mutex_unlock(&lock);
    if (slot == MAX_BLOCKS) {
        free(base);
        return false;
    }
    *address = base;
    return true;
}

static void end_block(void *address, bool pinned)
{
    block found = {NULL, 0, false};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_BLOCKS; i++) {
        if (address != NULL && blocks[i].base == address && blocks[i].pinned == pinned) {
            found = blocks[i];
            blocks[i].base = NULL;
            alive_bytes -= pinned ? 0 : found.bytes;
            --*(pinned ? &fake_live.pinned : &fake_live.blocks);
        }
    }
    pthread_mutex_unlock(&lock);
    if (found.base == NULL) {
        fake_fault("%p was freed, which is no live %s", address, pinned ? "pinned block" : "block");
        return;
    }
    for (int i = 0; i < PATTERN_BYTES; i++) {
        if ((unsigned char)found.base[found.bytes + (size_t)i] != PATTERN) {
            fake_fault("byte %d past the end of a block of %zu was overwritten", i, found.bytes);
            break;
        }
    }
    free(found.base);
}

/* The live block that holds bytes at address, or false. */
static bool find_block(const void *address, size_t bytes, block *found)
{
    bool is = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_BLOCKS && !is; i++) {
        is = blocks[i].base != NULL && (const char *)address >= blocks[i].base &&
             (const char *)address + bytes <= blocks[i].base + blocks[i].bytes;
        if (is)
            *found = blocks[i];
    }
    pthread_mutex_unlock(&lock);
    return is;
}

void fake_need_memory(const void *address, size_t bytes, const char *what)
{
    block found;
    if (!find_block(address, bytes, &found) || (found.pinned && !fake_set.pinned_is_address))
        fake_fault("%s at %p of %zu bytes is no live memory of the device", what, address, bytes);
}

gable_status fake_alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message)
{
    (void)device;
    if (bytes == 0)
        fake_fault("an allocation of 0 bytes");
    if (fake_must_fail(FAKE_ALLOC, message))
        return statuses[FAKE_ALLOC];
    if (bytes > MEMORY_BYTES || !new_block(bytes, false, address))
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "the fake device has no %zu bytes", bytes);
    return GABLE_OK;
}

gable_status fake_free(gbl_device *device, void *address, gbl_message *message)
{
    (void)device;
    if (fake_must_fail(FAKE_FREE, message))
        return statuses[FAKE_FREE];
    end_block(address, false);
    return GABLE_OK;
}

gable_status fake_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                               gbl_message *message)
{
    (void)device;
    if (fake_must_fail(FAKE_PINNED, message))
        return statuses[FAKE_PINNED];
    if (!new_block(bytes, true, address))
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no %zu bytes of pinned memory", bytes);
    return GABLE_OK;
}

void fake_pinned_free(gbl_device *device, void *address)
{
    (void)device;
    end_block(address, true);
}

gbl_where fake_where(gbl_device *device, const void *address)
{
    block found;
    (void)device;
    if (!find_block(address, 1, &found))
        return GBL_AT_HOST;
    if (found.pinned)
        return fake_set.pinned_is_address ? GBL_AT_BOTH : GBL_AT_HOST;
    return GBL_AT_DEVICE;
}

bool fake_holds(const void *address)
{
    block found;
    return find_block(address, 1, &found);
}

void fake_limit(size_t bytes)
{
    pthread_mutex_lock(&lock);
    limit_bytes = bytes;
    pthread_mutex_unlock(&lock);
}

size_t fake_alive_bytes(void)
{
    pthread_mutex_lock(&lock);
    const size_t bytes = alive_bytes;
    pthread_mutex_unlock(&lock);
    return bytes;
}

void fake_books_clear(void)
{
    limit_bytes = 0;
    memset(calls, 0, sizeof calls);
    armed_at = 0;
    fault_count = 0;
    first_fault[0] = '\0';
}
