/* test_profile_marks.c: device times of profiles: read late, marks that fail, replays as graphs,
 * nothing left over.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On the fake device, whose work is done only when somebody waits for it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "scratch_folder.h"

enum { BYTES = 4096 };

static const fake_settings late = {.fence_device = true, .deferred = true, .graphs = true};
static char folder[SCRATCH_BYTES], path[SCRATCH_BYTES + 32];
static char table[16384]; /* of the last profile */

static gable_context *open_fake(void)
{
    gable_context *ctx = NULL;
    fake_install(&late);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    return ctx;
}

static void close_fake(gable_context *ctx)
{
    gable_close(ctx);
    EXPECT(fake_alive().marks == 0, "%d marks are left over", fake_alive().marks);
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    fake_remove();
}

/* Stops, and keeps what was said. */
static void stop(gable_context *ctx)
{
    fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    const gable_status status = gable_profile_stop(ctx);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    EXPECT_STATUS(ctx, GABLE_OK, status);
    lseek(file, 0, SEEK_SET);
    const ssize_t got = read(file, table, sizeof table - 1);
    table[got > 0 ? got : 0] = '\0';
    close(file);
}

/* The calls of a row; -1 without. */
static long calls_of(const char *label)
{
    const char *row = strstr(table, label);
    long calls = -1;
    return row != NULL && sscanf(row + strlen(label), " %ld", &calls) == 1 ? calls : -1;
}

static void fill(gable_context *ctx, void *x, int calls)
{
    for (int i = 0; i < calls; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_fill_bytes(ctx, x, (unsigned char)i, BYTES));
}

/* So many calls before the first time is read, and then half of them. */
enum { WAITING = 1024 };

static void test_late(void)
{
    gable_context *ctx = open_fake();
    void *x = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, BYTES, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_profile_start(ctx, "summary,times"));
    fill(ctx, x, 1);
    const long waits = fake_calls(FAKE_MARK_WAIT);
    fill(ctx, x, WAITING - 1);
    EXPECT(fake_calls(FAKE_MARK_SECONDS) == 0 && fake_calls(FAKE_MARK_WAIT) == waits,
           "%ld times were read in %d calls", fake_calls(FAKE_MARK_SECONDS), WAITING);
    fill(ctx, x, 1);
    /* Where a call began and how long it took: two questions. */
    EXPECT(fake_calls(FAKE_MARK_SECONDS) == WAITING, "%ld questions for half of %d calls",
           fake_calls(FAKE_MARK_SECONDS), WAITING);
    const int marks = fake_alive().marks;
    fill(ctx, x, 4 * WAITING);
    EXPECT(fake_alive().marks == marks, "%d marks became %d", marks, fake_alive().marks);
    stop(ctx);
    EXPECT(calls_of("fill_bytes") == 5 * WAITING + 1, "the table says:\n%s", table);
    EXPECT(fake_calls(FAKE_MARK_SECONDS) == 2 * (5 * WAITING + 1), "%ld questions in all",
           fake_calls(FAKE_MARK_SECONDS));
    EXPECT(strstr(table, "have no time") == NULL, "calls without a time:\n%s", table);

    /* Contexts that close with times unread, with the profile running or stopped. */
    EXPECT_STATUS(ctx, GABLE_OK, gable_profile_start(ctx, "summary,times"));
    fill(ctx, x, 10);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
    close_fake(ctx);
    ctx = open_fake();
    stop(ctx);
    EXPECT(calls_of("fill_bytes") == 10, "of a closed context the table says:\n%s", table);
    close_fake(ctx);
}

static void test_failing_marks(void)
{
    static const struct {
        fake_kind kind;
        int nth;
        int untimed;
    } cases[] = {
        {FAKE_MARK_CREATE, 1, 1}, /* the origin: tried again at the next call */
        {FAKE_MARK_CREATE, 4, 1},  {FAKE_MARK_SET, 1, 1},
        {FAKE_MARK_SET, 2, 1}, /* before a call ... */
        {FAKE_MARK_SET, 3, 1}, /* ... and behind it */
        {FAKE_MARK_SECONDS, 1, 1}, {FAKE_MARK_SECONDS, 6, 1},
        {FAKE_MARK_WAIT, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gable_context *ctx = open_fake();
        void *x = NULL;
        char line[64];
        EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, BYTES, &x));
        EXPECT_STATUS(ctx, GABLE_OK, gable_profile_start(ctx, "summary,times"));
        fake_fail(cases[i].kind, cases[i].nth);
        fill(ctx, x, 5);
        stop(ctx);
        EXPECT(fake_fired(), "%s %d never failed", fake_kind_name(cases[i].kind), cases[i].nth);
        EXPECT(calls_of("fill_bytes") == 5, "%s %d: a call is not counted:\n%s",
               fake_kind_name(cases[i].kind), cases[i].nth, table);
        snprintf(line, sizeof line, "%d call%s no time", cases[i].untimed,
                 cases[i].untimed == 1 ? " has" : "s have");
        EXPECT((strstr(table, line) != NULL) == (cases[i].untimed > 0), "%s %d: not \"%s\":\n%s",
               fake_kind_name(cases[i].kind), cases[i].nth, line, table);
        fake_fail(cases[i].kind, 0);
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
        close_fake(ctx);
    }
}

static void test_graphs(void)
{
    gable_context *ctx = open_fake();
    void *x = NULL;
    gable_recording *recording = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, 2 * BYTES, &x));
    EXPECT_STATUS(ctx, GABLE_OK, gable_profile_start(ctx, "summary,times"));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    fill(ctx, x, 2);
    EXPECT_STATUS(ctx, GABLE_OK, gable_copy_bytes(ctx, (char *)x + BYTES, x, BYTES));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
    for (int i = 0; i < 7; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_replay(ctx, recording));
    fake_fail(FAKE_GRAPH_RUN, 1);
    EXPECT_STATUS(ctx, GABLE_DEVICE_FAILED, gable_replay(ctx, recording));
    gable_recording_destroy(recording);
    stop(ctx);
    EXPECT(calls_of("replay(fill_bytes x2, copy_bytes)") == 7 && calls_of("\nfill_bytes") == -1,
           "the table says:\n%s", table);
    EXPECT(strstr(table, "1 call failed") != NULL, "a replay that failed:\n%s", table);
    EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, x));
    close_fake(ctx);
}

int main(void)
{
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    unsetenv("GABLE_PROFILE");
    if (!scratch_make(folder))
        return EXPECT_SKIPPED;
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/table.txt", folder);
    test_late();
    test_failing_marks();
    test_graphs();
    scratch_clear(folder, false);
    return expect_summary("test_profile_marks");
}
