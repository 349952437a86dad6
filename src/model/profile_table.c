/* profile_table.c: the summary of a profile: one row per routine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row adds the cells of one label on one device. Its percent of roof is the time that the
 * slowest resource alone would take for the work, over the time measured; its limiter is the
 * largest term of the model over all its calls. Behind the tables stands where the time of the
 * whole profile went, by the host's clock.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/number_text.h"
#include "device/message.h"
#include "model/profile_cells.h"

typedef struct row {
    const gbl_cell *cell; /* one of them: the names */
    int64_t calls, failed, untimed, compiled;
    double bytes, flops, roof_seconds, compile_seconds;
    gbl_spent spent;
    double term[GBL_LIMITERS];
} row;

/* Text that grows. */
typedef struct text {
    char *at;
    size_t used, room;
    bool failed;
} text;

static void add(text *t, const char *format, ...) GBL_PRINTF(2, 3);
static void add(text *t, const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    const size_t bytes = length < 0 ? 0 : strlen(line);
    if (t->used + bytes + 1 > t->room) {
        const size_t room = 2 * (t->room + bytes) + 1024;
        char *grown = realloc(t->at, room);
        t->failed = t->failed || grown == NULL;
        if (grown == NULL)
            return;
        t->at = grown;
        t->room = room;
    }
    memcpy(t->at + t->used, line, bytes + 1);
    t->used += bytes;
}

#define THREE_DECIMALS(value) gbl_number_fixed((value), 3, (char[GBL_NUMBER_BYTES]){0})

/* How many times the first call's work the cell did. */
static double times_first(const gbl_cell *cell, double bytes, int64_t calls)
{
    const double one = cell->work.bytes_read + cell->work.bytes_written;
    return one > 0 ? bytes / one : (double)calls;
}

static void add_model(row *r, const gbl_cell *cell, double factor, bool replayed)
{
    r->roof_seconds += factor * cell->roof_seconds;
    for (int i = 0; i < GBL_LIMITERS; i++)
        r->term[i] += factor * cell->term[replayed][i];
}

static void add_cell(row *r, const gbl_cell *cell, bool timed)
{
    const gbl_spent *spent = timed ? &cell->timed : &cell->host;
    r->cell = cell;
    r->calls += cell->calls;
    r->failed += cell->failed;
    r->untimed += cell->untimed;
    r->compiled += cell->compiled;
    r->compile_seconds += cell->compile_seconds;
    r->bytes += cell->bytes;
    r->flops += cell->flops;
    r->spent.inclusive += spent->inclusive;
    r->spent.exclusive += spent->exclusive;
    for (int i = 0; i < cell->part_count; i++) {
        const gbl_triangle_c *part = &cell->parts[i];
        add_model(r, part->cell,
                  (double)cell->calls * times_first(part->cell, part->bytes, part->calls), true);
    }
    if (cell->part_count == 0)
        add_model(r, cell, times_first(cell, cell->bytes, cell->calls), false);
}

/* Devices together, then the most expensive first. */
static int by_cost(const void *left, const void *right)
{
    const row *a = left, *b = right;
    const int device = strcmp(a->cell->device_name, b->cell->device_name);
    if (device != 0)
        return device;
    if (a->spent.exclusive != b->spent.exclusive)
        return a->spent.exclusive < b->spent.exclusive ? 1 : -1;
    return strcmp(a->cell->label, b->cell->label);
}

static row *make_rows(bool timed, int *count)
{
    int cells = 0;
    *count = 0;
    for (const gbl_cell *cell = gbl_cells_first(); cell != NULL; cell = cell->next)
        cells += cell->calls + cell->failed > 0;
    row *rows = calloc((size_t)cells + 1, sizeof *rows);
    if (rows == NULL)
        return NULL;
    for (const gbl_cell *cell = gbl_cells_first(); cell != NULL; cell = cell->next) {
        if (cell->calls + cell->failed == 0)
            continue;
        int i = 0;
        while (i < *count && (strcmp(rows[i].cell->label, cell->label) != 0 ||
                              strcmp(rows[i].cell->device_name, cell->device_name) != 0))
            i++;
        *count += i == *count;
        add_cell(&rows[i], cell, timed);
    }
    qsort(rows, (size_t)*count, sizeof *rows, by_cost);
    return rows;
}

static const char *limiter_of(const row *r)
{
    int most = 0;
    for (int i = 1; i < GBL_LIMITERS; i++)
        most = r->term[i] > r->term[most] ? i : most;
    return r->term[most] > 0 ? gbl_limiter_name((gbl_limiter)most) : "-";
}

/* A rate in 10^9 per second with three digits or so, "-" where there is none. */
static const char *rate_text(double amount, double seconds, char out[GBL_NUMBER_BYTES])
{
    const double rate = seconds > 0 ? 1e-9 * amount / seconds : 0;
    if (!(rate > 0))
        strcpy(out, "-");
    else if (rate < 0.1)
        gbl_number_write(rate, 2, out);
    else
        gbl_number_fixed(rate, rate < 100 ? 2 : 0, out);
    return out;
}

static void add_row(text *t, const row *r, bool timed, int width)
{
    char gbs[GBL_NUMBER_BYTES], gflops[GBL_NUMBER_BYTES], roof[32];
    /* Without the device's clock the time of an enqueued call is not that of its work; transfers
     * wait. */
    const gbl_event_kind kind = r->cell->key.kind;
    const bool waits = r->cell->key.op == NULL &&
                       (kind == GBL_EVENT_SET || kind == GBL_EVENT_GET || kind == GBL_EVENT_WORK);
    const double seconds = timed || r->cell->on_host || waits ? r->spent.inclusive : 0;
    if (seconds > 0 && r->roof_seconds > 0)
        snprintf(roof, sizeof roof, "%.0f %%", 100 * r->roof_seconds / seconds);
    else
        snprintf(roof, sizeof roof, "-");
    add(t, "%-*s %9lld %11s %11s %9s %9s %7s  %s\n", width, r->cell->label, (long long)r->calls,
        THREE_DECIMALS(1e3 * r->spent.inclusive), THREE_DECIMALS(1e3 * r->spent.exclusive),
        rate_text(r->bytes, seconds, gbs), rate_text(r->flops, seconds, gflops), roof,
        limiter_of(r));
}

/* First calls that had to compile: their times are no measure of the routine. */
static void add_compiled(text *t, const row *rows, int count)
{
    int64_t kernels = 0;
    double seconds = 0;
    for (int i = 0; i < count; i++) {
        kernels += rows[i].compiled;
        seconds += rows[i].compile_seconds;
    }
    if (kernels == 0)
        return;
    add(t, "%lld kernel%s compiled in %s s, within the times of:", (long long)kernels,
        kernels == 1 ? " was" : "s were", THREE_DECIMALS(seconds));
    for (int i = 0, named = 0; i < count; i++)
        if (rows[i].compiled > 0)
            add(t, "%s %s (%s s)", named++ > 0 ? "," : "", rows[i].cell->label,
                THREE_DECIMALS(rows[i].compile_seconds));
    add(t, "\n");
}

static void add_device(text *t, const gbl_summary_head *head, const row *rows, int count)
{
    static const char *const sources[] = {"guessed", "built in", "measured"};
    const gbl_cell *cell = rows[0].cell;
    const bool enqueued = !head->timed && !cell->on_host;
    int64_t calls = 0, failed = 0, untimed = 0;
    double busy = 0;
    int width = (int)strlen("routine");
    for (int i = 0; i < count; i++) {
        const int length = (int)strlen(rows[i].cell->label);
        width = length > width ? length : width;
        calls += rows[i].calls;
        failed += rows[i].failed;
        untimed += rows[i].untimed;
        busy += rows[i].spent.exclusive;
    }
    add(t, "\ngable profile: %s (%s), %lld call%s, %s s of %s s, %s; roofs %s\n", cell->device_name,
        cell->device_title, (long long)calls, calls == 1 ? "" : "s", THREE_DECIMALS(busy),
        THREE_DECIMALS(head->seconds),
        head->timed ? "by the device's clock"
        : enqueued  ? "host time of enqueueing"
                    : "host time",
        sources[cell->roofs]);
    add(t, "%-*s %9s %11s %11s %9s %9s %7s  %s\n", width, "routine", "calls", "incl ms", "excl ms",
        "GB/s", "GFLOP/s", "roof", "limiter");
    for (int i = 0; i < count; i++)
        add_row(t, &rows[i], head->timed, width);
    add_compiled(t, rows, count);
    if (enqueued)
        add(t, "GABLE_PROFILE=summary,times asks the device for its times.\n");
    if (cell->roofs == GBL_ROOFS_GUESSED)
        add(t, "The roofs are guesses: `gable info --roofs` measures them.\n");
    if (failed > 0)
        add(t, "%lld call%s failed and %s not counted.\n", (long long)failed,
            failed == 1 ? "" : "s", failed == 1 ? "is" : "are");
    if (untimed > 0)
        add(t, "%lld call%s no time: the device did not give it.\n", (long long)untimed,
            untimed == 1 ? " has" : "s have");
}

/* Seconds of the host in spans of a kind, without what is inside them. */
static double spent_in(gbl_event_kind kind)
{
    double seconds = 0;
    for (const gbl_cell *cell = gbl_cells_first(); cell != NULL; cell = cell->next)
        if (cell->key.op == NULL && cell->key.kind == kind)
            seconds += cell->host.exclusive;
    return seconds;
}

static double spent_compiling(void)
{
    double seconds = 0;
    for (const gbl_cell *cell = gbl_cells_first(); cell != NULL; cell = cell->next)
        seconds += cell->compile_seconds;
    return seconds;
}

/* Where the time of the profile went: calls, contexts that opened, the program itself. */
static void add_account(text *t, const gbl_summary_head *head)
{
    const struct {
        double seconds;
        const char *what;
    } parts[] = {{spent_in(GBL_EVENT_WAIT), "waiting for the device"},
                 {spent_compiling(), "compiling kernels"},
                 {spent_in(GBL_EVENT_USER), "in functions of the program's that solvers called"}};
    const double rest = head->seconds - head->calls - head->opening;
    const double percent = head->seconds > 0 ? 100 / head->seconds : 0;
    add(t, "\nIn all %s s by the host's clock: %s s (%.1f %%) in the calls above",
        THREE_DECIMALS(head->seconds), THREE_DECIMALS(head->calls), percent * head->calls);
    for (size_t i = 0, named = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].seconds >= 0.0005)
            add(t, "%s %s s %s", named++ == 0 ? ", of which" : ",",
                THREE_DECIMALS(parts[i].seconds), parts[i].what);
    if (head->opening > 0)
        add(t, "; %s s (%.1f %%) opening and closing contexts", THREE_DECIMALS(head->opening),
            percent * head->opening);
    add(t, "; %s s (%.1f %%) outside: the program's own.\n", THREE_DECIMALS(rest > 0 ? rest : 0),
        rest > 0 ? percent * rest : 0);
}

char *gbl_summary_text(const gbl_summary_head *head)
{
    text t = {NULL, 0, 0, false};
    int count;
    row *rows = make_rows(head->timed, &count);
    if (rows == NULL)
        return NULL;
    for (int i = 0, next; i < count; i = next) {
        for (next = i;
             next < count && strcmp(rows[next].cell->device_name, rows[i].cell->device_name) == 0;)
            next++;
        add_device(&t, head, &rows[i], next - i);
    }
    if (count == 0)
        add(&t, "gable profile: no call was made in %s s\n", THREE_DECIMALS(head->seconds));
    else
        add_account(&t, head);
    free(rows);
    if (t.failed) {
        free(t.at);
        return NULL;
    }
    return t.at;
}

void gbl_profile_say(const char *words)
{
    fputs(words, stderr); /* asked for by GABLE_PROFILE or gable_profile_start */
}
