/* test_database.c: the tuning database on disk: damage, other writers, exchange.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/data_folder.h"
#include "core/kernel.h"
#include "core/key.h"
#include "tune/tune_line.h"
#include "tune_scene.h"

#define N (1 << 20)

static gbl_entry good_entry(int32_t local, double usec)
{
    const gbl_vector_call call = scene_vectors(N);
    return scene_entry(&scene_gpu, &gbl_copy_op, "stream", &call, "local", local, usec);
}

static void good_line(int32_t local, double usec, char line[GBL_TUNE_LINE_BYTES])
{
    const gbl_entry entry = good_entry(local, usec);
    CHECK(gbl_tune_line_write(&entry, line), "a good measurement was not written");
}

static void expect_counts(int64_t entries, int64_t bad, int64_t unknown, const char *what)
{
    gbl_database_state state;
    gbl_database_describe(&state);
    CHECK(state.entries == entries && state.bad_lines == bad && state.unknown == unknown,
          "%s: %lld entries, %lld bad, %lld unknown; expected %lld, %lld and %lld", what,
          (long long)state.entries, (long long)state.bad_lines, (long long)state.unknown,
          (long long)entries, (long long)bad, (long long)unknown);
}

static void expect_found(bool found, const char *what)
{
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice;
    const gbl_match match = gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice);
    CHECK((match == GBL_MATCH_EXACT) == found, "%s: the match is %s", what, gbl_match_name(match));
}

/* ---- Lines ---- */

static void test_line(void)
{
    test_case("an entry and its line");
    gbl_entry entry = good_entry(512, 12.5), back;
    char line[GBL_TUNE_LINE_BYTES];
    const gbl_op *op;
    const gbl_variant *variant;
    entry.winner = true;
    snprintf(entry.device, sizeof entry.device, "cuda|A \"quoted\" \\ name|%s",
             "of some length to be read back as it was written");
    CHECK(gbl_tune_line_write(&entry, line), "it was not written");
    CHECK(strchr(line, '\n') == line + strlen(line) - 1, "it is not one line: %s", line);
    CHECK(gbl_tune_line_read(line, &back, &op, &variant) == GBL_LINE_GOOD, "it is not good: %s",
          line);
    CHECK(memcmp(&entry, &back, sizeof entry) == 0, "it came back differently: %s", line);
    CHECK(op == &gbl_copy_op && strcmp(variant->name, "stream") == 0, "it is of another variant");
    static const char *const readable[] = {"\"op\":\"copy\"", "\"prec\":\"d\"",  "local=512:",
                                           "\"n\":20",        "\"winner\":true", "\"usec\":12.5"};
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++)
        CHECK(strstr(line, readable[i]) != NULL, "it lacks %s: %s", readable[i], line);

    entry.error = NAN;
    CHECK(gbl_tune_line_write(&entry, line) && strstr(line, "\"error\":null") != NULL &&
              gbl_tune_line_read(line, &back, &op, &variant) == GBL_LINE_GOOD && isnan(back.error),
          "an unchecked result came back as %g: %s", back.error, line);
    entry.error = INFINITY;
    CHECK(gbl_tune_line_write(&entry, line) &&
              gbl_tune_line_read(line, &back, &op, &variant) == GBL_LINE_GOOD && back.error > 1,
          "an infinite error came back as %g: %s", back.error, line);
    entry.error = 0.5;

    /* Texts as long as they may be. */
    memset(entry.device, '"', sizeof entry.device - 1);
    memset(entry.version, '\\', sizeof entry.version - 1);
    CHECK(gbl_tune_line_write(&entry, line) &&
              gbl_tune_line_read(line, &back, &op, &variant) == GBL_LINE_GOOD &&
              memcmp(&entry, &back, sizeof entry) == 0,
          "the longest texts came back differently: %s", line);
}

/* The good line with one piece exchanged. */
static void exchanged(const char *from, const char *to, char text[2 * GBL_TUNE_LINE_BYTES])
{
    char line[GBL_TUNE_LINE_BYTES];
    good_line(512, 10, line);
    const char *at = strstr(line, from);
    CHECK(at != NULL, "a line lacks %s: %s", from, line);
    if (at != NULL)
        snprintf(text, 2 * GBL_TUNE_LINE_BYTES, "%.*s%s%s", (int)(at - line), line, to,
                 at + strlen(from));
}

static void test_kinds(void)
{
    static const struct {
        const char *from, *to;
        gbl_line_kind kind;
    } cases[] = {
        {"\"op\":\"copy\"", "\"op\":\"copi\"", GBL_LINE_UNKNOWN},
        {"\"op\":\"copy\"", "\"op\":\"an_op_of_a_later_library\"", GBL_LINE_UNKNOWN},
        {"\"op\":\"copy\"", "\"op\":7", GBL_LINE_BAD},
        {"\"op\":\"copy\",", "", GBL_LINE_BAD},
        {"\"variant\":\"stream\"", "\"variant\":\"streem\"", GBL_LINE_UNKNOWN},
        {"local=512", "lokal=512", GBL_LINE_UNKNOWN},
        {"local=512", "local=513", GBL_LINE_UNKNOWN},
        {"local=512", "local=-1", GBL_LINE_UNKNOWN},
        {"local=512", "local=99999999999999999999", GBL_LINE_UNKNOWN},
        {"local=512", "local=", GBL_LINE_BAD},
        {"local=512", "local", GBL_LINE_BAD},
        {"local=512", "=512", GBL_LINE_BAD},
        {"local=512:", "", GBL_LINE_GOOD}, /* the fallback */
        {"\"prec\":\"d\"", "\"prec\":\"q\"", GBL_LINE_BAD},
        {"\"prec\":\"d\"", "\"prec\":\"s\"", GBL_LINE_BAD}, /* the key says d */
        {"\"key\":\"0x", "\"key\":\"", GBL_LINE_BAD},
        {"\"key\":\"0x", "\"key\":\"0xg", GBL_LINE_BAD},
        {"\"key\":\"0x", "\"key\":\"0x11111111111111111", GBL_LINE_BAD},
        {"\"usec\":10", "\"usec\":0", GBL_LINE_BAD},
        {"\"usec\":10", "\"usec\":-1", GBL_LINE_BAD},
        {"\"usec\":10", "\"usec\":nan", GBL_LINE_BAD},
        {"\"usec\":10", "\"usec\":1e999", GBL_LINE_BAD},
        {"\"usec\":10", "\"usec\":\"10\"", GBL_LINE_BAD},
        {"\"error\":0.25,", "", GBL_LINE_BAD}, /* nobody checked it */
        {"\"error\":0.25", "\"error\":-3", GBL_LINE_BAD},
        {"\"error\":0.25", "\"error\":null", GBL_LINE_GOOD}, /* likewise, but said */
        {"\"winner\":false", "\"winner\":1", GBL_LINE_BAD},
        {"\"runs\":9", "\"runs\":1e300", GBL_LINE_BAD},
        {"\"runs\":9,", "", GBL_LINE_GOOD},
        {"\"runs\":9", "\"runs\":9,\"later\":{\"a\":[1,true,null]}", GBL_LINE_GOOD},
        {"}\n", "\n", GBL_LINE_BAD},
        {"}\n", "} x\n", GBL_LINE_BAD},
        {"{", "", GBL_LINE_BAD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2 * GBL_TUNE_LINE_BYTES] = "";
        const gbl_op *op;
        const gbl_variant *variant;
        gbl_entry entry;
        test_case("%s for %s", cases[i].to, cases[i].from);
        exchanged(cases[i].from, cases[i].to, text);
        const gbl_line_kind kind = gbl_tune_line_read(text, &entry, &op, &variant);
        CHECK(kind == cases[i].kind, "the line is of kind %d, not %d: %s", (int)kind,
              (int)cases[i].kind, text);
    }
}

/* ---- Files ---- */

static void test_damage(void)
{
    char good[GBL_TUNE_LINE_BYTES], better[GBL_TUNE_LINE_BYTES];
    char text[5 * GBL_TUNE_LINE_BYTES], unknown[2 * GBL_TUNE_LINE_BYTES];
    good_line(512, 10, good);
    good_line(256, 9, better);
    exchanged("\"op\":\"copy\"", "\"op\":\"later\"", unknown);

    test_case("no file, an empty file");
    scene_fresh();
    expect_counts(0, 0, 0, "no file");
    scene_write(scene_path, "", 0);
    expect_counts(0, 0, 0, "an empty file");
    expect_found(false, "an empty file");

    test_case("bad lines between good ones");
    int used =
        snprintf(text, sizeof text, "not json\n%s\n{}\n%s[1]\n\"\\\n%s", good, unknown, better);
    scene_write(scene_path, text, (size_t)used);
    expect_counts(2, 4, 1, "bad lines");
    expect_found(true, "bad lines");

    test_case("a last line that was cut short");
    for (size_t cut = 1; cut < strlen(good) - 1; cut += 7) {
        used = snprintf(text, sizeof text, "%s%.*s", better, (int)cut, good);
        scene_write(scene_path, text, (size_t)used);
        expect_counts(1, 1, 0, "a cut line");
    }
    used = snprintf(text, sizeof text, "%s%.*s", better, (int)strlen(good) - 1, good);
    scene_write(scene_path, text, (size_t)used);
    expect_counts(2, 0, 0, "a last line without its end");
    gbl_entry more = good_entry(128, 8);
    used = snprintf(text, sizeof text, "%s%.30s", better, good);
    scene_write(scene_path, text, (size_t)used);
    scene_add(&more);
    expect_counts(2, 1, 0, "what is added behind a cut line");

    test_case("binary damage");
    used = snprintf(text, sizeof text, "%s%s%s", good, good, better);
    memset(text + strlen(good) + 10, 0, 40);
    scene_write(scene_path, text, (size_t)used);
    expect_counts(2, 1, 0, "a line with zeros");
    expect_found(true, "a line with zeros");
    for (int i = 0; i < 200; i++) { /* every byte value, everywhere */
        used = snprintf(text, sizeof text, "%s%s", good, better);
        text[(size_t)i * 37 % (strlen(good) - 1)] = (char)(i * 7);
        scene_write(scene_path, text, (size_t)used);
        expect_found(true, "the line behind a damaged one");
    }

    test_case("huge lines");
    const size_t huge = 3000000;
    char *large = malloc(huge + 4 * GBL_TUNE_LINE_BYTES);
    if (large != NULL) {
        memset(large, 'x', huge);
        large[huge] = '\n';
        strcpy(large + huge + 1, good);
        scene_write(scene_path, large, huge + 1 + strlen(good));
        expect_counts(1, 1, 0, "a line of 3 MB");
        expect_found(true, "a line of 3 MB");
        scene_write(scene_path, large, huge);
        expect_counts(0, 1, 0, "a line of 3 MB without an end");
        free(large);
    }
}

/* The file is read on where it grew, and from the start where it was rewritten. */
static void test_changes(void)
{
    char line[GBL_TUNE_LINE_BYTES], other[GBL_TUNE_LINE_BYTES], text[3 * GBL_TUNE_LINE_BYTES];
    test_case("a file that changes");
    scene_fresh();
    good_line(512, 10, line);
    scene_write(scene_path, line, strlen(line));
    expect_counts(1, 0, 0, "one line");
    CHECK(gbl_data_append(scene_path, line), "nothing was appended");
    expect_counts(2, 0, 0, "one more");
    FILE *stream = fopen(scene_path, "ab");
    fprintf(stream, "%.50s", line);
    fflush(stream);
    expect_counts(2, 1, 0, "half a line");
    fprintf(stream, "%s", line + 50);
    fclose(stream);
    expect_counts(3, 0, 0, "the other half");
    snprintf(text, sizeof text, "%s%s%s", line, line, line);
    good_line(256, 10, other);
    memcpy(text, other, strlen(other)); /* the same length, in the same file */
    CHECK(strlen(line) == strlen(other), "the lines differ in length");
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* past the resolution of its time */
    scene_write(scene_path, text, strlen(text));
    gbl_database_state state;
    gbl_database_describe(&state);
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice;
    gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice);
    CHECK(state.entries == 3 && choice.params.value[0] == 256, "the old line is still there");
    scene_write(scene_path, line, strlen(line));
    expect_counts(1, 0, 0, "a shorter file");
    snprintf(text, sizeof text, "#%s%s", line, line); /* rewritten and longer */
    scene_write(scene_path, text, strlen(text));
    expect_counts(1, 1, 0, "a file that was rewritten and is longer");
    unlink(scene_path);
    expect_counts(0, 0, 0, "a file that is gone");
    expect_found(false, "a file that is gone");
}

/* In a process of its own, as somebody whom permissions bind: 0 where all is as it should be. */
static int add_as_nobody(const gbl_entry *entry)
{
    gbl_message message = {NULL, ""};
    gbl_database_state state;
    if (geteuid() == 0 && setuid(65534) != 0)
        return 1;
    gbl_database_reset();
    gbl_database_describe(&state);
    if (!state.readable || state.writable || state.entries != 1)
        return 2;
    if (gbl_database_add(entry, 1, &message) == GABLE_OK ||
        strstr(message.text, state.path) == NULL)
        return 3;
    gbl_database_describe(&state);
    return state.entries == 1 ? 0 : 4;
}

static void test_places(void)
{
    gbl_database_state state;
    gbl_message message = {NULL, ""};
    const gbl_entry entry = good_entry(512, 10);
    char folder[SCRATCH_BYTES + 64], line[GBL_TUNE_LINE_BYTES];

    test_case("a folder in the file's place");
    scene_fresh();
    snprintf(folder, sizeof folder, "%s/gable", scene_folder);
    mkdir(folder, 0777);
    mkdir(scene_path, 0777);
    expect_counts(0, 0, 0, "a folder");
    gbl_database_describe(&state);
    CHECK(!state.readable && !state.writable, "a folder is called readable or writable");
    CHECK(gbl_database_add(&entry, 1, &message) != GABLE_OK && strstr(message.text, scene_path),
          "adding to a folder: %s", message.text);

    test_case("a pipe in the file's place");
    scene_fresh();
    mkdir(folder, 0777);
    CHECK(mkfifo(scene_path, 0666) == 0, "no pipe");
    expect_counts(0, 0, 0, "a pipe");

    test_case("a folder that is read only");
    scene_fresh();
    good_line(512, 10, line);
    scene_write(scene_path, line, strlen(line));
    chmod(scene_path, 0444);
    chmod(folder, 0555);
    expect_found(true, "a file that can only be read");
    chmod(scene_folder, 0755);
    const pid_t child = fork();
    if (child == 0)
        _exit(add_as_nobody(&entry));
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) > 0 && status == 0,
          "a file that can only be read: the child ended with %d", status);
    chmod(folder, 0777);

    test_case("no folder at all");
    scene_fresh();
    char home[512];
    snprintf(home, sizeof home, "%s", getenv("HOME") != NULL ? getenv("HOME") : "");
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    gbl_database_reset();
    expect_counts(0, 0, 0, "no folder");
    CHECK(gbl_database_add(&entry, 1, &message) != GABLE_OK, "an entry went nowhere");
    setenv("XDG_DATA_HOME", scene_folder, 1);
    setenv("HOME", home, 1);

    test_case("the folders of all users");
    scene_fresh();
    char shared[2 * SCRATCH_BYTES + 64], path[SCRATCH_BYTES + 128];
    snprintf(shared, sizeof shared, "%s/first:%s/second:relative", scene_folder, scene_folder);
    setenv("XDG_DATA_DIRS", shared, 1);
    gbl_database_reset();
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice;
    static const int32_t locals[] = {64, 128};
    static const char *const names[] = {"first", "second"};
    for (int i = 1; i >= 0; i--) { /* the one behind first, with a better time */
        snprintf(path, sizeof path, "%s/%s/gable/tuning.jsonl", scene_folder, names[i]);
        good_line(locals[i], 5 - i, line);
        CHECK(gbl_data_append(path, line), "%s was not written", path);
        gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice);
        CHECK(choice.params.value[0] == locals[i], "%s does not count", names[i]);
    }
    gbl_database_describe(&state);
    CHECK(state.entries == 2 && state.foreign_entries == 2 && state.files == 2,
          "%lld entries, %lld foreign, %d files", (long long)state.entries,
          (long long)state.foreign_entries, state.files);
    const gbl_entry own = good_entry(512, 50);
    scene_add(&own);
    gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice);
    CHECK(choice.params.value[0] == 512, "the user's own measurement does not count first");
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    gbl_database_reset();
}

/* ---- Several writers ---- */

#define WRITERS      4
#define LINES_OF_ONE 1500

/* Each line tells its writer and number in its time. */
static void write_many(int writer)
{
    gbl_entry entries[3];
    for (int i = 0; i < LINES_OF_ONE; i += 3) {
        for (int k = 0; k < 3; k++)
            entries[k] = good_entry(512, 1 + writer * LINES_OF_ONE + i + k);
        if (gbl_database_add(entries, 3, NULL) != GABLE_OK)
            _exit(1);
    }
}

static bool mark_seen(void *user, const gbl_entry *entry)
{
    int *seen = user;
    const int number = (int)entry->usec - 1;
    if (number >= 0 && number < WRITERS * LINES_OF_ONE)
        seen[number]++;
    return true;
}

static void expect_all_once(void)
{
    static int seen[WRITERS * LINES_OF_ONE];
    memset(seen, 0, sizeof seen);
    int wrong = 0;
    gbl_database_visit(&gbl_copy_op, &scene_gpu, mark_seen, seen);
    for (int i = 0; i < WRITERS * LINES_OF_ONE; i++)
        wrong += seen[i] != 1;
    CHECK(wrong == 0, "%d of %d lines are lost or doubled", wrong, WRITERS * LINES_OF_ONE);
    expect_counts(WRITERS * LINES_OF_ONE, 0, 0, "several writers");
}

static void *thread_writer(void *user)
{
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice;
    write_many(*(const int *)user);
    gbl_database_find(&scene_gpu, &gbl_copy_op, NULL, &call, &choice);
    return NULL;
}

static void test_writers(void)
{
    pid_t children[WRITERS];
    test_case("several processes");
    scene_fresh();
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            write_many(i);
            _exit(0);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;
        gbl_database_state state; /* a reader among the writers sees whole lines only */
        gbl_database_describe(&state);
        CHECK(state.bad_lines <= 1 && state.unknown == 0, "%lld bad lines while others write",
              (long long)state.bad_lines);
        CHECK(children[i] > 0 && waitpid(children[i], &status, 0) > 0 && status == 0,
              "a writer failed");
    }
    expect_all_once();

    test_case("several threads");
    scene_fresh();
    pthread_t threads[WRITERS];
    int numbers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, thread_writer, &numbers[i]) == 0, "no thread");
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    expect_all_once();
}

/* ---- Exchange ---- */

static int64_t file_bytes(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (int64_t)about.st_size : -1;
}

static void test_exchange(void)
{
    char line[GBL_TUNE_LINE_BYTES], other[GBL_TUNE_LINE_BYTES], text[6 * GBL_TUNE_LINE_BYTES];
    char unknown[2 * GBL_TUNE_LINE_BYTES], path[SCRATCH_BYTES + 64], again[SCRATCH_BYTES + 64];
    int64_t lines, bad;
    gbl_message message = {NULL, ""};
    test_case("import");
    scene_fresh();
    snprintf(path, sizeof path, "%s/from.jsonl", scene_folder);
    snprintf(again, sizeof again, "%s/to.jsonl", scene_folder);
    good_line(512, 10, line);
    good_line(256, 9, other);
    exchanged("\"variant\":\"stream\"", "\"variant\":\"later\"", unknown);
    snprintf(text, sizeof text, "%sgarbage\n\n%s%s%s{\"op\":\"copy\"}\n%.40s", line, other, line,
             unknown, line);
    scene_write(path, text, strlen(text));
    CHECK(gbl_database_import(path, &lines, &bad, &message) == GABLE_OK && lines == 3 && bad == 3,
          "%lld lines came, %lld bad: %s", (long long)lines, (long long)bad, message.text);
    expect_counts(2, 0, 1, "after an import");
    CHECK(gbl_database_import(path, &lines, &bad, &message) == GABLE_OK && lines == 0,
          "%lld lines came a second time", (long long)lines);
    CHECK(gbl_database_import(scene_path, &lines, &bad, &message) == GABLE_OK && lines == 0,
          "%lld lines came from the database itself", (long long)lines);
    CHECK(gbl_database_import("/nonexistent/file", &lines, &bad, &message) != GABLE_OK &&
              strstr(message.text, "/nonexistent/file") != NULL,
          "a file that is not there: %s", message.text);

    test_case("export");
    gbl_device cpu_like = scene_gpu;
    cpu_like.props.units = cpu_like.info.units = 7;
    const gbl_vector_call call = scene_vectors(N);
    gbl_entry foreign = scene_entry(&cpu_like, &gbl_copy_op, "stream", &call, "local", 128, 3);
    scene_add(&foreign);
    CHECK(gbl_database_export(path, &cpu_like, &lines, &message) == GABLE_OK && lines == 1,
          "%lld lines of one device: %s", (long long)lines, message.text);
    CHECK(gbl_database_export(path, NULL, &lines, &message) == GABLE_OK && lines == 4,
          "%lld lines of all devices: %s", (long long)lines, message.text);
    const int64_t bytes = file_bytes(scene_path);
    CHECK(gbl_database_export(scene_path, NULL, &lines, &message) != GABLE_OK &&
              file_bytes(scene_path) == bytes,
          "the database was exported onto itself");
    CHECK(gbl_database_export("/nonexistent/file", NULL, &lines, &message) != GABLE_OK,
          "a file that cannot be written");

    test_case("there and back");
    unlink(scene_path);
    CHECK(gbl_database_import(path, &lines, &bad, &message) == GABLE_OK && lines == 4 && bad == 0,
          "%lld of 4 lines came back, %lld bad", (long long)lines, (long long)bad);
    CHECK(gbl_database_export(again, NULL, &lines, &message) == GABLE_OK, "%s", message.text);
    char *first = gbl_data_read(path), *second = gbl_data_read(again);
    CHECK(first != NULL && second != NULL && strcmp(first, second) == 0,
          "a round trip changed the lines");
    free(first);
    free(second);
    expect_counts(3, 0, 1, "after a round trip");
}

/* ---- What variants and keys say ---- */

/* Variants with kernels name files that exist; variants without run no kernel: they fit no device
 * that has them. */
static void test_rows(void)
{
    test_case("kernel files of variants");
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        for (int i = 0; i < (*op)->variant_count; i++) {
            const gbl_variant *variant = &(*op)->variants[i];
            char hash[20];
            gbl_variant_hash(variant, hash);
            if (variant->kernels == NULL) {
                CHECK(hash[0] == '\0' && variant->space_count == 0,
                      "%s=%s has tunables, but names no kernel", (*op)->stem, variant->name);
                continue;
            }
            uint64_t number;
            gbl_message message = {NULL, ""};
            CHECK(gbl_kernel_source_hash(variant->kernels, &number, &message) == GABLE_OK,
                  "%s=%s: %s", (*op)->stem, variant->name, message.text);
            CHECK(strlen(hash) == 16, "%s=%s has the hash %s", (*op)->stem, variant->name, hash);
        }
    }
}

static void test_kernel_hash(void)
{
    uint64_t copy = 0, dot = 0, both = 0, other_way = 0;
    gbl_message message = {NULL, ""};
    test_case("hashes of kernel texts");
    CHECK(gbl_kernel_source_hash("copy.cl", &copy, &message) == GABLE_OK &&
              gbl_kernel_source_hash("dot.cl", &dot, &message) == GABLE_OK &&
              gbl_kernel_source_hash("copy.cl dot.cl", &both, &message) == GABLE_OK &&
              gbl_kernel_source_hash("dot.cl copy.cl", &other_way, &message) == GABLE_OK,
          "%s", message.text);
    CHECK(copy != dot && both != copy && both != dot && both != other_way,
          "different texts have one hash");
    CHECK(gbl_kernel_source_hash("copy.cl none.cl", &both, &message) != GABLE_OK &&
              strstr(message.text, "none.cl") != NULL,
          "a file that is not there: %s", message.text);
}

static void test_keys(void)
{
    test_case("keys");
    const uint64_t a = gbl_key_sizes(GBL_D, 4096, 1024, 10);
    CHECK(gbl_key_size(a, GBL_KEY_M) == 12 && gbl_key_size(a, GBL_KEY_N) == 10 &&
              gbl_key_size(a, GBL_KEY_BATCH) == 3 && gbl_key_dtype(a) == GBL_D,
          "sizes do not come back from a key");
    CHECK(gbl_size_class(0) == 0 && gbl_size_class(1) == 0 && gbl_size_class(3) == 2 &&
              gbl_size_class(INT64_MAX) == 63,
          "size classes are wrong");
    CHECK(gbl_key_distance(a, gbl_key_sizes(GBL_D, 8192, 256, 10)) == 3, "a distance is wrong");
    CHECK(gbl_key_distance(a, a) == 0, "a key is apart from itself");
    CHECK(gbl_key_distance(a, gbl_key_sizes(GBL_S, 4096, 1024, 10)) == -1 &&
              gbl_key_distance(a, a | gbl_key_flag(true, GBL_KEY_IN_PLACE)) == -1,
          "calls of different kinds have a distance");
}

int main(void)
{
    test_start("test_database");
    scene_start();
    test_keys();
    test_rows();
    test_kernel_hash();
    test_line();
    test_kinds();
    test_damage();
    test_changes();
    test_places();
    test_writers();
    test_exchange();
    scene_end();
    return test_finish();
}
