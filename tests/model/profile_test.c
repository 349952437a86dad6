/* profile_test.c: makes profiles, reads the tables and traces that they write.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/json_line.h"
#include "harness/check.h"
#include "model/profile_test.h"

#define THREADS 64

/* A number, or -1 for "-". */
static double read_rate(const char *text)
{
    return strcmp(text, "-") == 0 ? -1 : strtod(text, NULL);
}

bool table_find(const char *text, const char *label, table_row *row)
{
    const size_t length = strlen(label);
    for (const char *line = text; line != NULL && *line != '\0';) {
        char gbs[32], gflops[32], roof[32];
        if (strncmp(line, label, length) == 0 &&
            sscanf(line + length, " %lld %lf %lf %31s %31s %31s", &row->calls, &row->inclusive,
                   &row->exclusive, gbs, gflops, roof) == 6) {
            row->gbs = read_rate(gbs);
            row->gflops = read_rate(gflops);
            row->roof = read_rate(roof);
            const char *end = strchr(line, '\n');
            const char *at = end;
            while (at > line && at[-1] != ' ')
                at--;
            snprintf(row->limiter, sizeof row->limiter, "%.*s", (int)(end - at), at);
            return true;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return false;
}

char *file_text(const char *path)
{
    char *text = calloc(1, 1);
    FILE *file = fopen(path, "r");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        const long bytes = ftell(file);
        char *grown = realloc(text, (size_t)bytes + 1);
        rewind(file);
        text = grown;
        text[fread(text, 1, (size_t)bytes, file)] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* What is known of the contexts of a trace while it is read. */
typedef struct contexts {
    double busy_until[THREADS];
    bool named[THREADS];
} contexts;

/* The line that names a context's row: once, before its first event. */
static bool name_context(const char *line, contexts *seen)
{
    char name[64], phase[8];
    double thread;
    if (!gbl_json_valid(line) || !gbl_json_text(line, "ph", phase, sizeof phase) ||
        strcmp(phase, "M") != 0 || !gbl_json_number(line, "tid", &thread) || !(thread >= 1) ||
        !(thread < THREADS) || seen->named[(int)thread] ||
        !gbl_json_text(line, "args.name", name, sizeof name) || strstr(name, " context") == NULL)
        return false;
    seen->named[(int)thread] = true;
    return true;
}

/* One event, a line without its comma. */
static void add_event(const char *line, const char *wanted, trace_sum *sum, contexts *seen,
                      char *wrong, int wrong_bytes)
{
    char name[256], phase[8];
    double ts, duration, process, thread, bytes, flops, depth = 0, host = 0;
    if (name_context(line, seen))
        return;
    if (!gbl_json_valid(line) || !gbl_json_text(line, "name", name, sizeof name) ||
        !gbl_json_text(line, "ph", phase, sizeof phase) || !gbl_json_number(line, "ts", &ts) ||
        !gbl_json_number(line, "dur", &duration) || !gbl_json_number(line, "pid", &process) ||
        !gbl_json_number(line, "tid", &thread) || !gbl_json_number(line, "args.bytes", &bytes) ||
        !gbl_json_number(line, "args.flops", &flops) || strcmp(phase, "X") != 0 ||
        process != (double)getpid() || !(thread >= 1 && thread < THREADS) ||
        !seen->named[(int)thread] || !(duration >= 0)) {
        snprintf(wrong, (size_t)wrong_bytes, "a line is no event: %.200s", line);
        return;
    }
    gbl_json_number(line, "args.depth", &depth);
    gbl_json_number(line, "args.host_us", &host);
    if (wanted[0] != '\0' && strcmp(name, wanted) != 0)
        return;
    if (sum->events++ == 0 || ts < sum->first)
        sum->first = ts;
    if (ts + duration > sum->end)
        sum->end = ts + duration;
    sum->bytes += bytes;
    sum->flops += flops;
    sum->usec += duration;
    sum->host_usec += host;
    sum->inside += depth > 0;
    if (depth == 0) {
        sum->overlaps += ts < seen->busy_until[(int)thread] - 1.5; /* both are rounded */
        seen->busy_until[(int)thread] = ts + duration;
    }
}

void trace_read(const char *path, const char *name, trace_sum *sum, char *wrong, int wrong_bytes)
{
    char *text = file_text(path);
    contexts seen = {{0}, {false}};
    bool open = false, closed = false;
    memset(sum, 0, sizeof *sum);
    wrong[0] = '\0';
    for (char *line = text, *next; *line != '\0'; line = next) {
        next = strchr(line, '\n');
        if (next == NULL) {
            snprintf(wrong, (size_t)wrong_bytes, "the last line has no end");
            break;
        }
        *next++ = '\0';
        size_t length = strlen(line);
        if (!open || closed || strcmp(line, "]") == 0) {
            if (strcmp(line, open ? "]" : "[") != 0 || closed)
                snprintf(wrong, (size_t)wrong_bytes, "no array: %.200s", line);
            closed = open;
            open = true;
            continue;
        }
        const bool last = next[0] == ']';
        if ((line[length - 1] == ',') == last)
            snprintf(wrong, (size_t)wrong_bytes, "a comma too few or too many: %.200s", line);
        if (line[length - 1] == ',')
            line[length - 1] = '\0';
        add_event(line, name, sum, &seen, wrong, wrong_bytes);
    }
    if (!closed)
        snprintf(wrong, (size_t)wrong_bytes, "the array of %s does not end", path);
    free(text);
}

/* ---- What is written to the standard error ---- */

static int kept = -1;

void capture_begin(const char *path)
{
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    close(file);
}

void capture_end(void)
{
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
}

/* ---- A profile from start to stop ---- */

char folder[SCRATCH_BYTES];
char trace_path[SCRATCH_BYTES + 32], table_path[SCRATCH_BYTES + 32];
char *table; /* of the last profile */

void profile_folder_make(void)
{
    if (!scratch_make(folder))
        test_skip(NULL, "no folder can be made");
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(trace_path, sizeof trace_path, "%s/trace.json", folder);
    snprintf(table_path, sizeof table_path, "%s/table.txt", folder);
}

void profile_folder_remove(void)
{
    free(table);
    scratch_clear(folder, false);
}

void profile_read_table(void)
{
    free(table);
    table = file_text(table_path);
}

void profile_start(gable_context *ctx, bool times)
{
    char what[sizeof trace_path + 32];
    snprintf(what, sizeof what, "summary,%s%s", trace_path, times ? ",times" : "");
    CHECK_OK(ctx, gable_profile_start(ctx, what));
}

void profile_stop(gable_context *ctx)
{
    capture_begin(table_path);
    const gable_status status = gable_profile_stop(ctx);
    capture_end();
    CHECK_OK(ctx, status);
    profile_read_table();
}

table_row row_of(const char *label)
{
    table_row row = {.calls = -1};
    CHECK(table_find(table, label, &row), "the table has no row %s:\n%s", label, table);
    return row;
}

trace_sum sum_of(const char *name)
{
    trace_sum sum;
    char wrong[512];
    trace_read(trace_path, name, &sum, wrong, sizeof wrong);
    CHECK(wrong[0] == '\0', "%s", wrong);
    return sum;
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
