/* test_dlpack.c: memory with several owners, and DLPack tensors over it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Owners let go in other threads, after the context closed, in a child of fork. What is given back
 * is seen in gable_workspace, which counts what gable_alloc gave, and by functions that foreign
 * memory is given back with.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gable/dlpack.h"
#include "harness/check.h"

#define BYTES ((size_t)8192)

/* DLPack's ABI once more: written down from its specification, not from the library. */
typedef struct tensor {
    void *data;
    int32_t device_type, device_id, dimensions;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} tensor;
typedef struct managed {
    tensor t;
    void *manager;
    void (*deleter)(struct managed *);
} managed;
typedef struct versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct versioned *);
    uint64_t flags;
    tensor t;
} versioned;

static uint64_t allocated(gable_context *ctx)
{
    gable_workspace_info info = {0};
    CHECK_OK(ctx, gable_workspace(ctx, &info));
    return info.allocated;
}

static gable_memory *create(gable_context *ctx, size_t bytes)
{
    gable_memory *memory = NULL;
    CHECK_OK(ctx, gable_memory_create(ctx, bytes, &memory));
    CHECK(memory != NULL && (gable_memory_address(memory) != NULL) == (bytes > 0),
          "no memory of %zu bytes", bytes);
    return memory;
}

static void *release_in_thread(void *memory)
{
    gable_memory_release(memory);
    return NULL;
}

static void in_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, argument) != 0) {
        CHECK(false, "no thread");
        return;
    }
    pthread_join(thread, NULL);
}

/* ---- Owners ---- */

static void kept_and_given_back(void)
{
    gable_context *ctx = test_open();
    const uint64_t before = allocated(ctx);
    gable_memory *memory = create(ctx, BYTES);
    void *const address = gable_memory_address(memory);
    CHECK(allocated(ctx) == before + BYTES, "%llu bytes", (unsigned long long)allocated(ctx));
    CHECK_OK(ctx, gable_fill_bytes(ctx, address, 1, BYTES));

    /* Two owners: the first one that lets go changes nothing. */
    gable_memory_retain(memory);
    gable_memory_release(memory);
    gable_memory *other = create(ctx, BYTES);
    CHECK(gable_memory_address(other) != address, "memory that has an owner was given again");
    gable_memory_release(other);

    /* Kept, and used again without an allocation. */
    in_thread(release_in_thread, memory);
    other = create(ctx, BYTES);
    gable_memory *second = create(ctx, BYTES - 64);
    CHECK(allocated(ctx) == before + 2 * BYTES, "%llu bytes", (unsigned long long)allocated(ctx));
    /* Not for much less, nor for more. */
    gable_memory_release(other);
    other = create(ctx, BYTES / 2);
    gable_memory *larger = create(ctx, 2 * BYTES);
    CHECK(allocated(ctx) == before + 4 * BYTES + BYTES / 2, "%llu bytes",
          (unsigned long long)allocated(ctx));
    gable_memory_release(other);
    gable_memory_release(second);
    gable_memory_release(larger);
    CHECK_OK(ctx, gable_memory_trim(ctx));
    CHECK(allocated(ctx) == before, "%llu bytes", (unsigned long long)allocated(ctx));

    /* Shared memory is not kept. */
    memory = create(ctx, BYTES);
    gable_memory_share(memory);
    in_thread(release_in_thread, memory);
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK(allocated(ctx) == before, "%llu bytes", (unsigned long long)allocated(ctx));

    /* At most 64 pieces are kept. */
    gable_memory *pieces[80];
    for (int i = 0; i < 80; i++)
        pieces[i] = create(ctx, BYTES);
    for (int i = 0; i < 80; i++)
        gable_memory_release(pieces[i]);
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK(allocated(ctx) <= before + 64 * BYTES, "%llu bytes", (unsigned long long)allocated(ctx));

    memory = create(ctx, 0);
    gable_memory_release(memory);
    gable_memory_retain(NULL);
    gable_memory_release(NULL);
    gable_memory_share(NULL);
    CHECK(gable_memory_address(NULL) == NULL, "NULL has an address");
    gable_close(ctx);
}

/* Contexts close first: memory stays until its last owner lets go. */
static void context_closes_first(void)
{
    gable_context *ctx = test_open();
    gable_memory *memory = create(ctx, BYTES), *dropped = create(ctx, BYTES);
    gable_memory *shared = create(ctx, BYTES);
    gable_memory_share(shared);
    CHECK_OK(ctx, gable_fill_bytes(ctx, gable_memory_address(memory), 7, BYTES));
    gable_memory_release(dropped);
    gable_close(ctx);
    ctx = test_open();
    unsigned char *const host = malloc(BYTES);
    memset(host, 0, BYTES);
    CHECK_OK(ctx,
             gable_get_vector(ctx, (int64_t)BYTES, 1, gable_memory_address(memory), 1, host, 1));
    CHECK(host[0] == 7 && host[BYTES - 1] == 7, "the memory changed when its context closed");
    free(host);
    in_thread(release_in_thread, memory);
    gable_memory_release(shared);
    gable_close(ctx);
}

static int given;
static void give(void *user)
{
    given += *(int *)user;
}

static void adopted(void)
{
    static int one = 1;
    gable_context *ctx = test_open();
    const uint64_t before = allocated(ctx);
    void *address = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, BYTES, &address));
    gable_memory *memory = NULL;
    given = 0;
    CHECK_OK(ctx, gable_memory_adopt(ctx, address, BYTES, give, &one, &memory));
    CHECK(gable_memory_address(memory) == address, "another address");
    gable_memory_retain(memory);
    gable_memory_release(memory);
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK(given == 0, "given back with an owner left");
    CHECK_OK(ctx, gable_fill_bytes(ctx, address, 1, BYTES));
    in_thread(release_in_thread, memory);
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK(given == 1, "given back %d times", given);

    /* By gable_close, and after it. */
    CHECK_OK(ctx, gable_memory_adopt(ctx, address, BYTES, give, &one, &memory));
    gable_memory *second = NULL, *none = NULL;
    CHECK_OK(ctx, gable_memory_adopt(ctx, address, BYTES, give, &one, &second));
    CHECK_OK(ctx, gable_memory_adopt(ctx, NULL, 0, NULL, NULL, &none));
    CHECK(allocated(ctx) == before + BYTES, "%llu bytes", (unsigned long long)allocated(ctx));
    gable_memory_release(none);
    CHECK_OK(ctx, gable_free(ctx, address));
    gable_memory_release(second);
    gable_close(ctx);
    CHECK(given == 2, "given back %d times", given);
    gable_memory_release(memory);
    CHECK(given == 3, "given back %d times", given);
}

static void in_child(void)
{
    static int one = 1;
    gable_context *ctx = test_open();
    gable_memory *memory = create(ctx, BYTES), *foreign = NULL;
    given = 0;
    CHECK_OK(ctx,
             gable_memory_adopt(ctx, gable_memory_address(memory), BYTES, give, &one, &foreign));
    const pid_t child = fork();
    if (child == 0) {
        gable_memory *no = NULL;
        const gable_status status = gable_memory_create(ctx, BYTES, &no);
        gable_memory_release(memory);
        gable_memory_release(foreign);
        gable_close(ctx);
        _exit(status == GABLE_DEVICE_LOST && given == 0 ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0,
          "the child ended with status %d", status);
    gable_memory_release(foreign);
    gable_memory_release(memory);
    gable_close(ctx);
    CHECK(given == 1, "given back %d times", given);
}

/* Two threads let go what the context's thread makes, beside its calls. */
#define HANDED 400
typedef struct hand {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    gable_memory *waiting[HANDED];
    int count;
    bool ended;
} hand;

static void *let_go(void *argument)
{
    hand *const h = argument;
    pthread_mutex_lock(&h->lock);
    for (;;) {
        while (h->count == 0 && !h->ended)
            pthread_cond_wait(&h->filled, &h->lock);
        if (h->count == 0)
            break;
        gable_memory *const memory = h->waiting[--h->count];
        pthread_mutex_unlock(&h->lock);
        gable_memory_release(memory);
        pthread_mutex_lock(&h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static void beside_calls(void)
{
    static hand h = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
    gable_context *ctx = test_open();
    const uint64_t before = allocated(ctx);
    pthread_t threads[2];
    int started = 0;
    while (started < 2 && pthread_create(&threads[started], NULL, let_go, &h) == 0)
        started++;
    CHECK(started == 2, "%d threads", started);
    for (int i = 0; i < HANDED && started > 0; i++) {
        gable_memory *const memory = create(ctx, BYTES + 64 * (size_t)(i % 5));
        if (i % 3 == 0)
            gable_memory_share(memory);
        CHECK_OK(ctx, gable_fill_bytes(ctx, gable_memory_address(memory), (unsigned char)i, BYTES));
        pthread_mutex_lock(&h.lock);
        h.waiting[h.count++] = memory;
        pthread_cond_signal(&h.filled);
        pthread_mutex_unlock(&h.lock);
    }
    pthread_mutex_lock(&h.lock);
    h.ended = true;
    pthread_cond_broadcast(&h.filled);
    pthread_mutex_unlock(&h.lock);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(ctx, gable_memory_trim(ctx));
    CHECK(allocated(ctx) == before, "%llu bytes", (unsigned long long)allocated(ctx));
    gable_close(ctx);
}

/* ---- Tensors ---- */

static void check_tensor(const tensor *t, const void *address, int code, int bits)
{
    const bool cpu = strcmp(test_device(), "cpu") == 0;
    const bool cuda = strncmp(test_device(), "cuda", 4) == 0;
    CHECK(t->data == address && t->byte_offset == 0, "another address");
    CHECK(t->device_type == (cpu ? 1 : cuda ? 2 : 4), "device type %d", t->device_type);
    CHECK(t->device_id >= 0 && (!cpu || t->device_id == 0), "device %d", t->device_id);
    CHECK(t->code == code && t->bits == bits && t->lanes == 1, "type %d of %d bits", t->code,
          t->bits);
    CHECK(t->dimensions == 2 && t->shape[0] == 3 && t->shape[1] == 5 && t->strides[0] == 1 &&
              t->strides[1] == -4,
          "another shape");
}

static void *delete_versioned(void *t)
{
    ((versioned *)t)->deleter(t);
    return NULL;
}

static void tensors(void)
{
    static const struct {
        char letter;
        int code, bits;
    } types[] = {{'s', 2, 32}, {'d', 2, 64}, {'c', 5, 64}, {'z', 5, 128}, {'i', 0, 64}};
    static int one = 1;
    gable_context *ctx = test_open();
    void *address = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, BYTES, &address));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        int64_t shape[2] = {3, 5}, strides[2] = {1, -4};
        void *old = NULL, *new = NULL;
        gable_memory *memory = NULL;
        given = 0;
        CHECK_OK(ctx, gable_memory_adopt(ctx, address, BYTES, give, &one, &memory));
        void *const start = (char *)address + 1024;
        CHECK_OK(ctx, gable_dlpack_export(ctx, memory, start, types[i].letter, 2, shape, strides, 0,
                                          0, &old));
        CHECK_OK(ctx, gable_dlpack_export(ctx, memory, start, types[i].letter, 2, shape, strides, 1,
                                          1, &new));
        gable_memory_release(memory);
        shape[0] = strides[1] = 0; /* they were copied */
        if (old == NULL || new == NULL)
            continue;
        check_tensor(&((managed *)old)->t, start, types[i].code, types[i].bits);
        check_tensor(&((versioned *)new)->t, start, types[i].code, types[i].bits);
        CHECK(((versioned *)new)->major == 1 && ((versioned *)new)->flags == 1, "version or flags");
        ((managed *)old)->deleter(old);
        CHECK_OK(ctx, gable_sync(ctx));
        CHECK(given == 0, "given back while a tensor is left");
        in_thread(delete_versioned, new);
        CHECK_OK(ctx, gable_sync(ctx));
        CHECK(given == 1, "given back %d times", given);
    }
    CHECK_OK(ctx, gable_free(ctx, address));

    /* The tensor is the last owner, and the context is gone. */
    gable_memory *memory = create(ctx, BYTES);
    void *last = NULL;
    CHECK_OK(ctx, gable_dlpack_export(ctx, memory, gable_memory_address(memory), 'd', 0, NULL, NULL,
                                      0, 1, &last));
    gable_memory_release(memory);
    gable_close(ctx);
    gable_dlpack_delete(last, 1);
    gable_dlpack_delete(NULL, 0);
}

/* A capsule as Python has it: a name and a pointer. */
typedef struct capsule {
    const char *name;
    void *pointer;
} capsule;
static int is_valid(void *c, const char *name)
{
    return strcmp(((capsule *)c)->name, name) == 0;
}
static void *get_pointer(void *c, const char *name)
{
    return is_valid(c, name) ? ((capsule *)c)->pointer : NULL;
}

static void capsules(void)
{
    static int one = 1;
    gable_context *ctx = test_open();
    void *address = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, BYTES, &address));
    gable_dlpack_capsule_drop(&(capsule){"dltensor", NULL}); /* no calls yet */
    gable_dlpack_capsule_calls(is_valid, get_pointer);
    for (int kind = 0; kind < 2; kind++) {
        gable_memory *memory = NULL;
        void *t = NULL;
        given = 0;
        CHECK_OK(ctx, gable_memory_adopt(ctx, address, BYTES, give, &one, &memory));
        CHECK_OK(ctx, gable_dlpack_export(ctx, memory, address, 's', 0, NULL, NULL, 0, kind, &t));
        gable_memory_release(memory);
        capsule c = {kind ? "used_dltensor_versioned" : "used_dltensor", t};
        gable_dlpack_capsule_drop(&c);
        CHECK_OK(ctx, gable_sync(ctx));
        CHECK(given == 0, "the tensor of a used capsule was deleted");
        c.name = kind ? "dltensor_versioned" : "dltensor";
        gable_dlpack_capsule_drop(&c);
        CHECK_OK(ctx, gable_sync(ctx));
        CHECK(given == 1, "given back %d times", given);
    }
    gable_dlpack_capsule_drop(NULL);
    CHECK_OK(ctx, gable_free(ctx, address));
    gable_close(ctx);
}

/* ---- Refused ---- */

static void refused(void)
{
    gable_context *ctx = test_open();
    gable_memory *memory = create(ctx, BYTES), *no = NULL;
    void *t = NULL;
    const int64_t numbers[40] = {1};
    const char *const create_name = "gable_memory_create", *const name = "gable_dlpack_export";
    CHECK_REFUSED(ctx, gable_memory_create(ctx, BYTES, NULL), GABLE_BAD_ARGUMENT, create_name,
                  "argument 3 (memory)");
    CHECK_STATUS(ctx, gable_memory_create(NULL, BYTES, &no), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(ctx, gable_memory_create(ctx, (size_t)1 << 60, &no), GABLE_OUT_OF_MEMORY);
    CHECK(no == NULL, "an output was written");
    CHECK_REFUSED(ctx, gable_memory_adopt(ctx, NULL, BYTES, NULL, NULL, &no), GABLE_BAD_ARGUMENT,
                  "gable_memory_adopt", "argument 2 (address)");
    CHECK_REFUSED(ctx, gable_memory_adopt(ctx, NULL, 0, NULL, NULL, NULL), GABLE_BAD_ARGUMENT,
                  "gable_memory_adopt", "argument 6 (memory)");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, NULL, NULL, 'd', 0, NULL, NULL, 0, 1, &t),
                  GABLE_BAD_ARGUMENT, name, "argument 2 (memory)");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, memory, NULL, 'q', 0, NULL, NULL, 0, 1, &t),
                  GABLE_BAD_ARGUMENT, name, "argument 4 (dtype)");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, memory, NULL, 'd', 33, numbers, numbers, 0, 1, &t),
                  GABLE_BAD_ARGUMENT, name, "argument 5 (dimensions)", "33");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, memory, NULL, 'd', 1, NULL, numbers, 0, 1, &t),
                  GABLE_BAD_ARGUMENT, name, "argument 6 (shape)");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, memory, NULL, 'd', 1, numbers, NULL, 0, 1, &t),
                  GABLE_BAD_ARGUMENT, name, "argument 7 (strides)");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, memory, NULL, 'd', 1, numbers, numbers, 1, 0, &t),
                  GABLE_BAD_ARGUMENT, name, "argument 8 (flags)");
    CHECK_REFUSED(ctx, gable_dlpack_export(ctx, memory, NULL, 'd', 1, numbers, numbers, 1, 1, NULL),
                  GABLE_BAD_ARGUMENT, name, "argument 10 (tensor)");
    CHECK(t == NULL, "an output was written");

    /* A recording takes no allocation, not even of kept memory; what is dropped meanwhile stays. */
    gable_memory *kept = create(ctx, BYTES);
    gable_memory_release(kept);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_STATUS(ctx, gable_memory_create(ctx, BYTES, &no), GABLE_NOT_RECORDABLE);
    CHECK_STATUS(ctx, gable_memory_trim(ctx), GABLE_NOT_RECORDABLE);
    gable_memory_release(memory);
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
    gable_close(ctx);
}

int main(void)
{
    test_start("dlpack");
    kept_and_given_back();
    context_closes_first();
    adopted();
    beside_calls();
    in_child();
    tensors();
    capsules();
    refused();
    return test_finish();
}
