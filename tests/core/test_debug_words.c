/* test_debug_words.c: GABLE_DEBUG=sync,log, and GABLE_TUNING.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The standard error is led into a file: without `log` it must stay empty.
 */
#include <fcntl.h>
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "scratch_folder.h"

#define TUNABLES ":local=1:vec=4:unroll=2:range=1:groups=2"

static char folder[SCRATCH_BYTES], caught[SCRATCH_BYTES + 16];
static char text[16384];

typedef struct outcome {
    gable_status status;
    char message[512];
} outcome;

/* Opens under GABLE_DEBUG=words, makes a dot and a recorded copy; `text` is the standard error of
 * it. With fail_at a sync fails: the fail_at-th after the vectors are there. */
static outcome session(const char *words, int fail_at)
{
    const fake_settings settings = {.fence_device = true, .deferred = true};
    outcome out = {GABLE_OK, ""};
    gable_context *ctx = NULL;
    void *x = NULL, *r = NULL;
    gable_recording *recording = NULL;
    double value = 2;

    fflush(stderr);
    const int kept = dup(2), file = open(caught, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, 2);
    if (words != NULL)
        setenv("GABLE_DEBUG", words, 1);
    else
        unsetenv("GABLE_DEBUG");
    fake_install(&settings);
    out.status = gable_open(&ctx, "fake");
    if (out.status == GABLE_OK)
        out.status = gable_set_variant(ctx, "dot=two_pass" TUNABLES ",copy=stream" TUNABLES);
    if (out.status == GABLE_OK)
        out.status = gable_alloc(ctx, 8, &x);
    if (out.status == GABLE_OK)
        out.status = gable_alloc(ctx, 8, &r);
    if (out.status == GABLE_OK)
        out.status = gable_set_vector(ctx, 1, 8, &value, 1, x, 1);
    fake_fail(FAKE_SYNC, fail_at);
    if (out.status == GABLE_OK)
        out.status = gable_ddot(ctx, 1, x, 1, x, 1, r);
    if (out.status == GABLE_OK)
        out.status = gable_record_begin(ctx);
    if (out.status == GABLE_OK)
        out.status = gable_dcopy(ctx, 1, x, 1, r, 1);
    if (out.status == GABLE_OK)
        out.status = gable_record_end(ctx, &recording);
    if (out.status == GABLE_OK)
        out.status = gable_replay(ctx, recording);
    fake_fail(FAKE_SYNC, 0);
    snprintf(out.message, sizeof out.message, "%.500s", gable_message(ctx));
    gable_free(ctx, x);
    gable_free(ctx, r);
    gable_close(ctx);
    fake_remove();
    fflush(stderr);
    dup2(kept, 2);
    close(kept);

    lseek(file, 0, SEEK_SET);
    const ssize_t length = read(file, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    close(file);
    return out;
}

static void test_log(void)
{
    static const char *const silent[] = {NULL, "", "sync", "lanes"};
    for (int i = 0; i < 4; i++) {
        const outcome out = session(silent[i], 0);
        EXPECT(out.status == GABLE_OK, "GABLE_DEBUG=%s: %s", silent[i] ? silent[i] : "unset",
               out.message);
        EXPECT(text[0] == '\0', "GABLE_DEBUG=%s wrote: %s", silent[i] ? silent[i] : "unset", text);
    }
    static const char *const loud[] = {"log", "sync,log", "log,sync", "log,"};
    static const char *const lines[] = {
        "gable fake:0: open ", "gable fake:0: launch ddot: 1 x 1 groups of 1 x 1\n",
        "gable fake:0: launch ddot_finish:", "gable fake:0: record dcopy:", "replay of 1 steps"};
    for (int i = 0; i < 4; i++) {
        const outcome out = session(loud[i], 0);
        EXPECT(out.status == GABLE_OK, "GABLE_DEBUG=%s: %s", loud[i], out.message);
        for (int line = 0; line < 5; line++)
            EXPECT(strstr(text, lines[line]) != NULL, "GABLE_DEBUG=%s lacks \"%s\" in:\n%s",
                   loud[i], lines[line], text);
    }
    const outcome out = session("sync,loud", 0);
    EXPECT(out.status == GABLE_BAD_ARGUMENT, "an unknown word gave %s",
           gable_status_name(out.status));
    EXPECT(strcmp(out.message,
                  "gable_open: GABLE_DEBUG has \"loud\"; it may hold sync, log, check and lanes, "
                  "separated by commas") == 0,
           "an unknown word: %s", out.message);
}

/* The kernel whose work failed is named; the fake device fails when it is waited for. */
static void test_sync(void)
{
    static const char *const expected[] = {"gable_ddot: ddot failed: the fake device failed",
                                           "gable_ddot: ddot_finish failed: the fake device failed",
                                           "gable_replay: a replay failed: the fake device failed"};
    for (int i = 0; i < 3; i++) {
        const outcome out = session("sync", i + 1);
        EXPECT(out.status == GABLE_DEVICE_FAILED, "sync %d gave %s", i + 1,
               gable_status_name(out.status));
        EXPECT(strncmp(out.message, expected[i], strlen(expected[i])) == 0, "sync %d: %s", i + 1,
               out.message);
    }
    EXPECT(session(NULL, 1).status == GABLE_OK, "calls wait without GABLE_DEBUG=sync");
}

/* A word that means nothing is told when a context opens. */
static void test_tuning(void)
{
    static const struct {
        const char *word;
        bool taken;
    } words[] = {{"on", true}, {"off", true}, {"", true}, {"of", false}, {"1", false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        setenv("GABLE_TUNING", words[i].word, 1);
        const outcome out = session(NULL, 0);
        EXPECT(out.status == (words[i].taken ? GABLE_OK : GABLE_BAD_ARGUMENT),
               "GABLE_TUNING=%s: %s %s", words[i].word, gable_status_name(out.status), out.message);
        EXPECT(words[i].taken || strstr(out.message, "; it must be on or off") != NULL,
               "the message is %s", out.message);
    }
    unsetenv("GABLE_TUNING");
}

int main(void)
{
    unsetenv("GABLE_VARIANT");
    if (!scratch_make(folder)) {
        perror("test_debug_words: no scratch folder");
        return 1;
    }
    snprintf(caught, sizeof caught, "%s/stderr", folder);
    test_log();
    test_sync();
    test_tuning();
    scratch_clear(folder, false);
    return expect_summary("test_debug_words");
}
