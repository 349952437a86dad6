/* test_failures.c: every public call with every operation under it failing in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For each call and each kind of operation the 1st, 2nd, 3rd ... one fails until the call succeeds.
 * Each failure must give its status and a message that names the routine, leave outputs and a
 * recording as they were, and leak nothing; the call after it must work. Host memory fails too:
 * malloc, calloc, realloc and aligned_alloc of this program are wrapped by the linker. With
 * GABLE_TEST_SMALL, under the sanitizers, an op meets two of the four devices.
 */
#include <stdlib.h>
#include "expect.h"
#include "failure_scenes.h"
#include "fake_device.h"
#include "scratch_folder.h"

#define HOST_MEMORY FAKE_KIND_COUNT /* one more kind */
#define MOST        60              /* operations of one kind under one call */

/* ---- Host memory that fails ----------------------------------------------------------------- */

static long host_until; /* 1: the next allocation fails; 0: none */
static bool host_fired;

static bool host_fails(void)
{
    if (host_until == 0 || --host_until > 0)
        return false;
    host_fired = true;
    return true;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return host_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return host_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return host_fails() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return host_fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

static void arm(int kind, int nth)
{
    if (kind == HOST_MEMORY) {
        host_fired = false;
        host_until = nth;
    } else {
        fake_fail((fake_kind)kind, nth);
    }
}

static bool disarm(int kind)
{
    const bool fired = kind == HOST_MEMORY ? host_fired : fake_fired();
    host_until = 0;
    fake_fail(FAKE_OPEN, 0);
    return fired;
}

static const char *name_of(int kind)
{
    return kind == HOST_MEMORY ? "HOST_MEMORY" : fake_kind_name((fake_kind)kind);
}

static gable_status status_of(int kind)
{
    return kind == HOST_MEMORY ? GABLE_OUT_OF_MEMORY : fake_status((fake_kind)kind);
}

/* ---- The stage ------------------------------------------------------------------------------ */

#define TUNABLES ":local=1:vec=4:unroll=2:range=1:groups=2"

typedef struct device_case {
    const char *name;
    fake_settings settings;
} device_case;

static const device_case devices[] = {
    {"graphs, pinned",
     {.graphs = true, .pinned_is_address = true, .fence_device = true, .deferred = true}},
    {"steps, plain", {.fence_device = true}},
    {"two passes, images cached at build",
     {.graphs = true, .disk_cache = true, .image_at_build = true, .deferred = true}},
    {"images cached after a launch",
     {.pinned_is_address = true, .disk_cache = true, .fence_device = true}},
};

static char cache_folder[SCRATCH_BYTES];

static void set_up(scene_stage *s, const scene *play, const device_case *device)
{
    const char *reduce = device->settings.fence_device ? "one_pass" : "two_pass";
    char choice[1024];
    double values[SCENE_N];
    memset(s, 0, sizeof *s);
    s->play = play->play;
    fake_install(&device->settings);
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_open(&s->ctx, "fake"));
    EXPECT_STATUS(s->other, GABLE_OK, gable_open(&s->other, "fake"));
    snprintf(choice, sizeof choice,
             "copy=stream" TUNABLES ",axpy=stream" TUNABLES ",dot=%s" TUNABLES ",nrm2=%s" TUNABLES
             ",amax=%s" TUNABLES ",mdot=%s" TUNABLES ":batch=4,maxpy=stream" TUNABLES ":batch=4",
             reduce, reduce, reduce, reduce);
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_set_variant(s->ctx, choice));
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_alloc(s->ctx, sizeof values, (void **)&s->x));
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_alloc(s->ctx, sizeof values, (void **)&s->y));
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_alloc(s->ctx, sizeof(double), (void **)&s->result));
    for (int64_t i = 0; i < SCENE_N; i++)
        values[i] = scene_x(i);
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_set_vector(s->ctx, SCENE_N, 8, values, 1, s->x, 1));
    for (int64_t i = 0; i < SCENE_N; i++)
        values[i] = scene_y(i);
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_set_vector(s->ctx, SCENE_N, 8, values, 1, s->y, 1));
    if (play->big) {
        s->host_big = calloc((size_t)SCENE_BIG, 24);
        EXPECT_STATUS(s->ctx, GABLE_OK,
                      gable_alloc(s->ctx, (size_t)SCENE_BIG * 24, (void **)&s->big));
    }
    if (play->prepare != NULL)
        EXPECT_STATUS(s->ctx, GABLE_OK, play->prepare(s));
}

/* Closes all and counts. Recordings and timers die with their context. */
static void clear_up(scene_stage *s, const char *where)
{
    gable_record_end(s->ctx, NULL);
    gable_free(s->ctx, s->x);
    gable_free(s->ctx, s->y);
    gable_free(s->ctx, s->result);
    gable_free(s->ctx, s->big);
    gable_free(s->ctx, s->extra);
    free(s->host_big);
    gable_close(s->ctx);
    gable_close(s->other);
    const fake_counts open = fake_alive();
    EXPECT(open.blocks == 0 && open.pinned == 0 && open.queues == 0 && open.graphs == 0 &&
               open.marks == 0,
           "%s: left after gable_close: %d blocks, %d pinned, %d queues, %d graphs, %d marks",
           where, open.blocks, open.pinned, open.queues, open.graphs, open.marks);
    EXPECT(fake_faults() == 0, "%s: %d faults, the first: %s", where, fake_faults(),
           fake_first_fault());
    fake_remove();
    EXPECT(fake_alive().codes == 0 && fake_alive().devices == 0, "%s: %d kernels are left", where,
           fake_alive().codes);
}

static bool names(gable_context *ctx, const char *routine)
{
    const size_t length = strlen(routine);
    return strncmp(gable_message(ctx), routine, length) == 0 &&
           strncmp(gable_message(ctx) + length, ": ", 2) == 0;
}

/* One failure; false when the call has fewer than nth operations of the kind. */
static bool try_one(const device_case *device, const scene *play, int kind, int nth)
{
    scene_stage s;
    char where[160];
    snprintf(where, sizeof where, "%s on \"%s\", %s %d", play->name, device->name, name_of(kind),
             nth);
    if (kind != FAKE_LOAD)
        scratch_clear(cache_folder, true);
    set_up(&s, play, device);

    arm(kind, nth);
    gable_status status = play->call(&s);
    const bool fired = disarm(kind);
    /* The cache on disk is a convenience: what fails in it must not show. */
    const bool optional = device->settings.disk_cache &&
                          (kind == FAKE_LOAD || kind == FAKE_IMAGE || kind == HOST_MEMORY);
    /* A kernel that was compiled ahead is compiled again where it is needed. */
    const bool again = kind == FAKE_BUILD && fake_calls(FAKE_BUILD) > fake_alive().codes;
    if (fired && !((optional || again) && status == GABLE_OK)) {
        EXPECT(status == status_of(kind), "%s: the status is %s: %s", where,
               gable_status_name(status), gable_message(s.ctx));
        EXPECT(names(s.ctx, play->routine), "%s: the message does not name %s: %s", where,
               play->routine, gable_message(s.ctx));
        const bool between = play->several && kind == FAKE_LAUNCH && nth > 1;
        EXPECT(play->untouched == NULL || between || play->untouched(&s),
               "%s: the failed call left a trace", where);
        if (play->prepare_again || between)
            EXPECT_STATUS(s.ctx, GABLE_OK, play->prepare(&s));
        status = play->call(&s);
    }
    EXPECT(status == GABLE_OK, "%s: the call after it gave %s: %s", where,
           gable_status_name(status), gable_message(s.ctx));
    EXPECT(play->right == NULL || play->right(&s), "%s: the result is wrong", where);
    clear_up(&s, where);
    return fired;
}

/* The variants of op_scenes, with groups that hand over and without. */
static void find_variants(const scene *list)
{
    static const device_case with = {"with", {.fence_device = true}}, without = {"without", {0}};
    int found = 0, missing = 0;
    for (const scene *play = list; play->name != NULL; play++) {
        bool known = true;
        for (int i = 0; i < 2 && known; i++) {
            scene_stage s;
            scene bare = *play;
            bare.prepare = NULL;
            set_up(&s, &bare, i == 0 ? &with : &without);
            known = op_scene_find(&s);
            clear_up(&s, play->name);
            EXPECT(!known || op_scene_make(play), "%s: no right result on cpu", play->name);
            if (i > 0)
                continue;
            found += known;
            /* What is made of others is not missing where one of those is. */
            missing += !known && !op_scene_composed(play);
            if (!known)
                printf("skipped: %s: the fake device has no kernel for it\n", play->name);
        }
    }
    EXPECT(found > 25 && missing < 12, "calls of %d ops were made, of %d not", found, missing);
}

static long count_failures(const scene *list)
{
    const bool ops = list != scenes && list != vector_scenes;
    const bool half = ops && getenv("GABLE_TEST_SMALL") != NULL;
    long failures = 0;
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        for (const scene *play = list; play->name != NULL; play++) {
            if ((ops && !op_scene_known(play, devices[d].settings.fence_device)) ||
                (half && ((size_t)(play - list) + d) % 2 != 0))
                continue;
            for (int kind = 0; kind <= HOST_MEMORY; kind++) {
                int nth = 1;
                while (nth <= MOST && try_one(&devices[d], play, kind, nth))
                    nth++;
                EXPECT(nth <= MOST, "%s: %s never stops failing", play->name, name_of(kind));
                failures += nth - 1;
            }
        }
    }
    return failures;
}

/* A transfer to the host that fails half-way has a copy under way into a stage: a transfer to the
 * device that follows must not be packed under it. */
static void test_stage_after_failure(void)
{
    scene_stage s;
    scene big = {.name = "stage", .big = true};
    for (int nth = 1; nth <= 3; nth++) {
        set_up(&s, &big, &devices[0]);
        const size_t bytes = (size_t)SCENE_BIG * 24;
        memset(s.host_big, 1, bytes);
        EXPECT_STATUS(s.ctx, GABLE_OK,
                      gable_set_vector(s.ctx, SCENE_BIG, 24, s.host_big, 1, s.big, 1));
        fake_fail(FAKE_MARK_SET, nth);
        EXPECT_STATUS(s.ctx, GABLE_DEVICE_FAILED,
                      gable_get_vector(s.ctx, SCENE_BIG, 24, s.big, 1, s.host_big, 1));
        memset(s.host_big, 2, bytes);
        EXPECT_STATUS(s.ctx, GABLE_OK,
                      gable_set_vector(s.ctx, SCENE_BIG, 24, s.host_big, 1, s.big, 1));
        memset(s.host_big, 0, bytes);
        EXPECT_STATUS(s.ctx, GABLE_OK,
                      gable_get_vector(s.ctx, SCENE_BIG, 24, s.big, 1, s.host_big, 1));
        size_t wrong = 0;
        for (size_t i = 0; i < bytes; i++)
            wrong += s.host_big[i] != 2;
        EXPECT(wrong == 0, "mark %d failed in a get: %zu bytes of the next set are stale", nth,
               wrong);
        clear_up(&s, "a stage after a failure");
    }
}

/* gable_open gives a context that tells the reason, unless memory is gone. */
static long count_open_failures(void)
{
    long failures = 0;
    for (int kind = 0; kind <= HOST_MEMORY; kind++) {
        for (int nth = 1; nth <= MOST; nth++) {
            gable_context *ctx = NULL;
            fake_install(&devices[0].settings);
            arm(kind, nth);
            const gable_status status = gable_open(&ctx, "fake");
            const bool fired = disarm(kind);
            if (fired) {
                failures++;
                EXPECT(status == status_of(kind), "open, %s %d: %s", name_of(kind), nth,
                       gable_status_name(status));
                if (ctx != NULL) {
                    EXPECT(names(ctx, "gable_open"), "open, %s: %s", name_of(kind),
                           gable_message(ctx));
                    double one = 0;
                    EXPECT(gable_ddot(ctx, 1, &one, 1, &one, 1, &one) == GABLE_NO_DEVICE,
                           "a context without device computes");
                    EXPECT_MESSAGE(ctx, "has no device");
                } else {
                    EXPECT(kind == HOST_MEMORY, "no context after %s", name_of(kind));
                    EXPECT(strlen(gable_message(NULL)) > 10, "no message without a context");
                }
                gable_close(ctx);
                EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
            }
            gable_close(ctx);
            fake_remove();
            const fake_counts left = fake_alive();
            EXPECT(left.queues + left.devices + left.blocks + left.pinned == 0,
                   "open, %s %d: objects are left", name_of(kind), nth);
            if (!fired)
                break;
        }
    }
    return failures;
}

int main(void)
{
    if (!scratch_make(cache_folder) || setenv("XDG_CACHE_HOME", cache_folder, 1) != 0) {
        perror("test_failures: no scratch folder");
        return 1;
    }
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    const long open_failures = count_open_failures();
    const scene *ops = op_scenes();
    if (!EXPECT(ops != NULL, "there are no scenes of ops"))
        return 1;
    find_variants(ops);
    const long failures =
        count_failures(scenes) + count_failures(vector_scenes) + count_failures(ops);
    test_stage_after_failure();
    scratch_clear(cache_folder, false);
    EXPECT(open_failures >= 3 && failures > 200, "only %ld failures were made", failures);
    printf("%ld failures of gable_open, %ld of other calls\n", open_failures, failures);
    return expect_summary("test_failures");
}
