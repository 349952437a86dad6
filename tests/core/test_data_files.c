/* test_data_files.c: the reader of JSON lines, and files of the data folder.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <sys/wait.h>
#include "core/data_folder.h"
#include "core/json_line.h"
#include "core/trust.h"
#include "expect.h"
#include "scratch_folder.h"

#define WRITERS 4
#define LINES   200

static void check_valid(void)
{
    static const char *const good[] = {
        "{}",
        " { } ",
        "{\"a\":1}",
        "{\"a\":-1.5e-3,\"b\":\"x\"}\nrest of the file",
        "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":true}",
        "{\"a\":\"quote \\\" backslash \\\\ slash \\/\"}",
    };
    static const char *const bad[] = {
        "",
        "{",
        "}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1}x",
        "{\"a\":1",
        "{\"a\":\"open}",
        "{\"a\":\"\\n\"}",
        "{\"a\":1e}",
        "{\"a\":--1}",
        "{\"a\":nan}",
        "{\"a\":1e999}",
        "[1]",
        "{a:1}",
        "{\"a\":[1}",
        "{\"a\":1\n}",
        "{\"a\":[[[[[[[[[[[1]]]]]]]]]]]}",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        EXPECT(gbl_json_valid(good[i]), "is refused: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(!gbl_json_valid(bad[i]), "is taken: %s", bad[i]);
}

static void check_members(void)
{
    static const char line[] =
        "{\"op\":\"gemv\",\"args\":{\"m\":4096,\"trans\":\"N\"},\"usec\":33.25,"
        "\"deep\":{\"a\":{\"b\":7}},\"none\":null}\n{\"op\":\"dot\"}";
    char text[8];
    double number = 0;
    EXPECT(gbl_json_text(line, "op", text, sizeof text) && strcmp(text, "gemv") == 0, "op is %s",
           text);
    EXPECT(gbl_json_number(line, "args.m", &number) && number == 4096, "m is %g", number);
    EXPECT(gbl_json_number(line, "deep.a.b", &number) && number == 7, "b is %g", number);
    EXPECT(gbl_json_number(line, "usec", &number) && number == 33.25, "usec is %g", number);
    EXPECT(!gbl_json_number(line, "op", &number), "a text is no number");
    EXPECT(!gbl_json_number(line, "m", &number), "m is a member of args only");
    EXPECT(!gbl_json_number(line, "usec.x", &number), "a number has no members");
    EXPECT(!gbl_json_number(line, "none", &number), "null is no number");
    EXPECT(!gbl_json_text(line, "op", text, 4), "four letters and an end need five bytes");
    EXPECT(!gbl_json_text(line, "args", text, sizeof text), "an object is no text");

    const char *at = NULL;
    char names[64] = "", name[16];
    while (gbl_json_next(line, "", &at, name, sizeof name))
        strcat(strcat(names, name), " ");
    EXPECT(strcmp(names, "op args usec deep none ") == 0, "the members are %s", names);
    at = NULL;
    EXPECT(gbl_json_next(line, "args", &at, name, sizeof name) && strcmp(name, "m") == 0 &&
               gbl_json_next(line, "args", &at, name, sizeof name) && strcmp(name, "trans") == 0 &&
               !gbl_json_next(line, "args", &at, name, sizeof name),
           "args has m and trans");
}

static void check_paths(void)
{
    char path[256], small[8];
    setenv("XDG_DATA_HOME", "/somewhere", 1);
    EXPECT(gbl_data_path("a.jsonl", path, sizeof path) &&
               strcmp(path, "/somewhere/gable/a.jsonl") == 0,
           "the path is %s", path);
    EXPECT(!gbl_data_path("a.jsonl", small, sizeof small), "a path that does not fit is taken");
    setenv("XDG_DATA_HOME", "not/absolute", 1);
    setenv("HOME", "/home/x", 1);
    EXPECT(gbl_data_path("", path, sizeof path) && strcmp(path, "/home/x/.local/share/gable") == 0,
           "the path is %s", path);
    unsetenv("HOME");
    EXPECT(!gbl_data_path("", path, sizeof path), "a folder without a home: %s", path);
}

/* Several processes append at once: every line is there and whole. */
static void check_writers(const char *path)
{
    for (int writer = 0; writer < WRITERS; writer++) {
        const pid_t child = fork();
        if (child != 0)
            continue;
        for (int i = 0; i < LINES; i++) {
            char line[80];
            snprintf(line, sizeof line, "{\"writer\":%d,\"line\":%d}\n", writer, i);
            if (!gbl_data_append(path, line))
                _exit(1);
        }
        _exit(0);
    }
    for (int writer = 0; writer < WRITERS; writer++) {
        int status = 1;
        wait(&status);
        EXPECT(status == 0, "a writer ended with %d", status);
    }
    char *text = gbl_data_read(path);
    int next[WRITERS] = {0}, bad = 0;
    for (char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1) {
        double writer = -1, number = -1;
        gbl_json_number(line, "writer", &writer);
        gbl_json_number(line, "line", &number);
        if (!gbl_json_valid(line) || writer < 0 || number != next[(int)writer]++)
            bad++;
    }
    EXPECT(bad == 0, "%d lines are torn or out of order", bad);
    for (int writer = 0; writer < WRITERS; writer++)
        EXPECT(next[writer] == LINES, "writer %d has %d lines", writer, next[writer]);
    free(text);
}

static void check_files(const char *folder)
{
    char path[SCRATCH_BYTES + 64];
    snprintf(path, sizeof path, "%s/a/b/c.jsonl", folder);
    EXPECT(gbl_data_read(path) == NULL, "a file that is not there is read");
    EXPECT(gbl_data_append(path, "{\"a\":1}\n") && gbl_data_append(path, "{\"cut"),
           "cannot append to %s", path);
    EXPECT(gbl_data_append(path, "{\"a\":2}\n"), "cannot append behind a line that was cut");
    char *text = gbl_data_read(path);
    EXPECT(text != NULL && strcmp(text, "{\"a\":1}\n{\"cut\n{\"a\":2}\n") == 0, "the file holds %s",
           text);
    free(text);
    EXPECT(!gbl_data_append(folder, "x\n"), "a folder is appended to");
    EXPECT(gbl_data_read("/dev/null") == NULL, "a device is read as a file");
    EXPECT(!gbl_data_append("/dev/full", "x\n"), "a full disk is written to");
    snprintf(path, sizeof path, "%s/a/b/c.jsonl/d.jsonl", folder);
    EXPECT(!gbl_data_append(path, "x\n"), "a file serves as a folder");
    snprintf(path, sizeof path, "%s/many.jsonl", folder);
    check_writers(path);
}

/* What others could write is neither read nor appended to; a stranger's link is not written
 * through. */
static void check_trust(const char *folder)
{
    char path[SCRATCH_BYTES + 64], data[SCRATCH_BYTES + 64], victim[SCRATCH_BYTES + 64];
    char why[GBL_TRUST_BYTES];
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(path, sizeof path, "%s/data/own.jsonl", folder);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    EXPECT(gbl_data_trusted(path, why), "a file that does not exist yet: %s", why);
    EXPECT(gbl_data_append(path, "{}\n"), "cannot append");
    chmod(data, 0777);
    EXPECT(!gbl_data_trusted(path, why) && strstr(why, data) != NULL, "a folder of all: %s", why);
    EXPECT(gbl_data_read_own(path) == NULL && !gbl_data_append(path, "{}\n"),
           "a file in a folder of all is used");
    chmod(data, 0755);
    chmod(path, 0666);
    EXPECT(!gbl_data_trusted(path, why) && strstr(why, "own.jsonl") != NULL, "a file of all: %s",
           why);
    EXPECT(gbl_data_read_own(path) == NULL && !gbl_data_append(path, "{}\n"),
           "a file that all may write is used");
    chmod(path, 0664); /* a umask of 002 */
    char *text = gbl_data_read_own(path);
    EXPECT(text != NULL && strcmp(text, "{}\n") == 0, "a group's file is not read");
    free(text);

    /* The user's own link is followed, a stranger's is not. */
    EXPECT(rename(path, victim) == 0 && symlink(victim, path) == 0, "no link");
    EXPECT(gbl_data_append(path, "{}\n"), "the user's own link is refused");
    if (geteuid() != 0 || lchown(path, 54321, (gid_t)-1) != 0) {
        printf("skipped: links of other users (not root)\n");
        return;
    }
    EXPECT(!gbl_data_append(path, "{\"planted\":1}\n"), "a stranger's link is written through");
    text = gbl_data_read(victim);
    EXPECT(text != NULL && strcmp(text, "{}\n{}\n") == 0, "the file holds %s", text);
    free(text);
}

int main(void)
{
    char folder[SCRATCH_BYTES];
    check_valid();
    check_members();
    if (!scratch_make(folder)) {
        puts("no scratch folder can be made");
        return EXPECT_SKIPPED;
    }
    check_files(folder);
    check_trust(folder);
    scratch_clear(folder, false);
    check_paths();
    return expect_summary("data files");
}
