/* test_profile_exit.c: profiles: words and files, what $GABLE_PROFILE does at exit, the cost of a
 * call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What $GABLE_PROFILE does is seen in children: this program again, with a word that says how it
 * ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "blas/level1/level1.h"
#include "harness/check.h"
#include "harness/sanitized.h"
#include "model/profile_test.h"

enum { N = 1000 };

/* ---- Words and files ---- */

static void words(gable_context *ctx)
{
    char path[SCRATCH_BYTES + 64];
    test_case("words");
    CHECK_STATUS(NULL, gable_profile_start(NULL, "summary"), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_profile_stop(NULL), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_profile_start(ctx, NULL), GABLE_BAD_ARGUMENT, "gable_profile_start",
                  "argument 2 (what)", "NULL");
    CHECK_REFUSED(ctx, gable_profile_start(ctx, "summry"), GABLE_BAD_ARGUMENT,
                  "gable_profile_start", "argument 2 (what)", "\"summry\"", ".json");
    CHECK_REFUSED(ctx, gable_profile_start(ctx, "times"), GABLE_BAD_ARGUMENT, "gable_profile_start",
                  "\"times\"", "must ask for a summary");
    CHECK_REFUSED(ctx, gable_profile_start(ctx, ""), GABLE_BAD_ARGUMENT, "gable_profile_start",
                  "must ask for a summary");
    CHECK_REFUSED(ctx, gable_profile_start(ctx, "a.json,b.json"), GABLE_BAD_ARGUMENT,
                  "gable_profile_start", "\"b.json\"", "one file");
    CHECK_REFUSED(ctx, gable_profile_stop(ctx), GABLE_BAD_ARGUMENT, "gable_profile_stop",
                  "no profile is running");

    snprintf(path, sizeof path, "%s/nowhere/trace.json", folder);
    CHECK_REFUSED(ctx, gable_profile_start(ctx, path), GABLE_BAD_ARGUMENT, "gable_profile_start",
                  path, "cannot be written", "No such file");
    profile_start(ctx, false);
    CHECK_REFUSED(ctx, gable_profile_start(ctx, "summary"), GABLE_BAD_ARGUMENT,
                  "gable_profile_start", "running already");
    profile_stop(ctx);
    CHECK(strstr(table, "no call was made") != NULL, "an empty profile says:\n%s", table);
    CHECK(sum_of("").events == 0, "an empty profile has events");

    /* A disk that is full. */
    snprintf(path, sizeof path, "%s/full.json", folder);
    if (access("/dev/full", W_OK) != 0 || symlink("/dev/full", path) != 0) {
        test_leave_out(NULL, "there is no /dev/full");
        return;
    }
    CHECK_OK(ctx, gable_profile_start(ctx, path));
    CHECK_REFUSED(ctx, gable_profile_stop(ctx), GABLE_BAD_ARGUMENT, "gable_profile_stop", path,
                  "No space left");
}

/* ---- $GABLE_PROFILE ---- */

/* The standard error is the profile's, so a child tells on the standard output why it fails. */
static bool child_does(gable_context *const *ctx, gable_status status, const char *what)
{
    if (status != GABLE_OK)
        printf("the child's %s fails: %s\n", what, gable_message(*ctx));
    return status == GABLE_OK;
}

/* What a child does: one call, then the end, with the context open or closed. */
static int be_child(const char *what)
{
    gable_context *ctx = NULL, *second = NULL;
    double *x = NULL;
    if (!child_does(&ctx, gable_open(&ctx, test_device()), "first context") ||
        !child_does(&second, gable_open(&second, test_device()), "second context") ||
        !child_does(&ctx, gable_alloc(ctx, N * sizeof *x, (void **)&x), "allocation") ||
        !child_does(&ctx, gable_fill_bytes(ctx, x, 0, N * sizeof *x), "fill") ||
        !child_does(&ctx, gable_dscal(ctx, N, 2, x, 1), "call") ||
        !child_does(&ctx, gable_sync(ctx), "wait"))
        return 3;
    gable_close(second);
    if (strcmp(what, "forget") != 0) {
        gable_free(ctx, x);
        gable_close(ctx);
    }
    return 0;
}

/* Runs this program as a child with a value of the variable; what it said goes to `table`. */
static void run_child(const char *program, const char *value, const char *what)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        capture_begin(table_path);
        setenv("GABLE_PROFILE", value, 1);
        execl(program, program, what, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    profile_read_table();
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0,
          "GABLE_PROFILE=%s (%s): the child ended with %s %d; it said:\n%s", value, what,
          WIFEXITED(status) ? "status" : "signal",
          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), table);
}

static int count_of(const char *text, const char *piece)
{
    int count = 0;
    for (; (text = strstr(text, piece)) != NULL; text += strlen(piece))
        count++;
    return count;
}

static void environment(const char *program)
{
    static const char *const ways[] = {"close", "forget"};
    char value[SCRATCH_BYTES + 64];
    test_case("GABLE_PROFILE");
    for (int i = 0; i < 2; i++) {
        run_child(program, "summary", ways[i]);
        CHECK(count_of(table, "gable profile: ") == 1 && row_of("dscal").calls == 1,
              "at exit (%s):\n%s", ways[i], table);
        run_child(program, "summary,times", ways[i]);
        CHECK(row_of("dscal").gbs > 0, "device times at exit (%s):\n%s", ways[i], table);
    }
    snprintf(value, sizeof value, "%s/child.json", folder);
    run_child(program, value, "forget");
    CHECK(table[0] == '\0', "with a file only, this was said:\n%s", table);
    char *trace = file_text(value);
    CHECK(trace[0] == '[' && count_of(trace, "\"name\":\"dscal\"") == 1 &&
              strstr(trace, "}\n]\n") != NULL,
          "the trace of a child:\n%s", trace);
    free(trace);

    run_child(program, "sumary", "close");
    CHECK(count_of(table, "\n") == 1 &&
              strstr(table, "gable: GABLE_PROFILE has \"sumary\"; it may hold") == table,
          "a bad value: %s", table);
    snprintf(value, sizeof value, "%s/nowhere/child.json,summary", folder);
    run_child(program, value, "close");
    CHECK(count_of(table, "\n") == 1 && strstr(table, "cannot be written") != NULL &&
              strstr(table, "there is no profile") != NULL,
          "a file that cannot be made: %s", table);
    run_child(program, "", "close");
    CHECK(table[0] == '\0', "an empty value: %s", table);
}

/* ---- The cost of a call ---- */

static bool fits_all(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return true;
}

static gable_status run_nothing(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params)
{
    (void)ctx, (void)self, (void)call, (void)params;
    return GABLE_OK;
}

static const gbl_variant nothing_rows[] = {
    {.name = "nothing", .deterministic = true, .fits = fits_all, .run = run_nothing}};

/* The best of several rounds, in ns per call. The key and the work are those of axpy. */
static double cost_of_call(gable_context *ctx, const gbl_op *op)
{
    enum { ROUNDS = 30, CALLS_A_ROUND = 2000 };
    const gbl_vector_call call = {.dtype = GBL_D, .n = N, .incx = 1, .incy = 1, .alpha.re = 1};
    double best = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const double from = seconds_now();
        for (int i = 0; i < CALLS_A_ROUND; i++)
            if (gbl_op_run(ctx, op, &call) != GABLE_OK)
                CHECK(false, "a call that does nothing failed: %s", gable_message(ctx));
        const double seconds = seconds_now() - from;
        best = seconds < best ? seconds : best;
    }
    CHECK_OK(ctx, gable_sync(ctx));
    return 1e9 * best / CALLS_A_ROUND;
}

static void overhead(gable_context *ctx)
{
    const gbl_op op = {.stem = "nothing",
                       .work = gbl_axpy_op.work,
                       .key = gbl_axpy_op.key,
                       .variants = nothing_rows,
                       .variant_count = 1};
    char what[sizeof trace_path + 32];
    test_case("the cost of a call");
    if (SANITIZED) {
        test_leave_out(NULL, "sanitizers make calls slow");
        return;
    }
    gbl_install_choose(NULL);
    CHECK_OK(ctx, gbl_enter(ctx, "gable_dnothing"));
    const double off = cost_of_call(ctx, &op);
    for (int i = 0; i < 4; i++) {
        const bool times = i >= 2;
        snprintf(what, sizeof what, "%s%s", i % 2 ? trace_path : "summary", times ? ",times" : "");
        CHECK_OK(ctx, gable_profile_start(ctx, what));
        const double cost = cost_of_call(ctx, &op) - off;
        capture_begin(table_path);
        gable_profile_stop(ctx);
        capture_end();
        printf("test_profile: %s%s: %.0f ns per call\n", i % 2 ? "file" : "summary",
               times ? ",times" : "", cost);
        if (!times)
            CHECK(cost < 1000, "a call costs %.0f ns more, not under 1000", cost);
    }
}

int main(int count, char **words_given)
{
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    if (count > 1)
        return be_child(words_given[1]);
    unsetenv("GABLE_PROFILE");
    test_start("test_profile_exit");
    profile_folder_make();
    gable_context *ctx = test_open();
    words(ctx);
    environment(words_given[0]);
    overhead(ctx);
    gable_close(ctx);
    profile_folder_remove();
    return test_finish();
}
