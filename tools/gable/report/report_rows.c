/* report_rows.c: reads rows of `gable bench` for `gable report`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A line of circumstances stands above the rows of each run. Numbers such as no device gives are
 * taken as missing, so that no damaged row can spoil a plot.
 */
#include <string.h>
#include "core/json_line.h"
#include "report.h"
#include "bench_ops.h"

#define LONG_BYTES 2048
#define LEAST      1e-9 /* of us, GB/s, GFLOP/s and ratios */
#define MOST       1e12

/* ---- Small things ---- */

static double number(const char *line, const char *path)
{
    double value;
    return gbl_json_number(line, path, &value) ? value : 0;
}

/* A measured number: 0 where it is missing or such as no device gives. */
static double amount(const char *line, const char *path)
{
    const double value = number(line, path);
    return value >= LEAST && value <= MOST ? value : 0;
}

/* A text of any length, cut to its room; "" where there is none. */
static void text_of(const char *line, const char *path, char *text, size_t bytes)
{
    char whole[LONG_BYTES];
    text[0] = '\0';
    if (gbl_json_text(line, path, whole, sizeof whole))
        snprintf(text, bytes, "%.*s", (int)bytes - 1, whole);
}

int report_device_of(report *r, const char *text)
{
    char slug[DEVICE_SLUG_BYTES];
    device_slug(text, slug, sizeof slug);
    if (slug[0] == '\0' || (r->only != NULL && strstr(slug, r->only) == NULL))
        return -1;
    for (int i = 0; i < r->device_count; i++)
        if (strcmp(r->devices[i].slug, slug) == 0)
            return i;
    if (r->device_count == REPORT_MAX_DEVICES)
        return -1;
    report_device *device = &r->devices[r->device_count];
    memset(device, 0, sizeof *device);
    memcpy(device->slug, slug, sizeof slug);
    device_words(text, device->kind, sizeof device->kind, device->title, sizeof device->title);
    return r->device_count++;
}

static int peer_of(report *r, const char *name)
{
    for (int i = 0; i < r->peer_count; i++)
        if (strcmp(r->peers[i], name) == 0)
            return i;
    if (r->peer_count == REPORT_MAX_PEERS)
        return -1;
    snprintf(r->peers[r->peer_count], sizeof r->peers[0], "%.23s", name);
    return r->peer_count++;
}

/* ---- Rows ---- */

static void add_libraries(report_device *device, const char *line)
{
    const char *at = NULL;
    bool any = false;
    char name[48];
    while (gbl_json_next(line, "libraries", &at, name, sizeof name)) {
        char path[64], version[256];
        if (!any)
            device->libraries[0] = '\0';
        any = true;
        const size_t used = strlen(device->libraries);
        snprintf(path, sizeof path, "libraries.%s", name);
        text_of(line, path, version, sizeof version);
        version[strcspn(version, "(")] = '\0'; /* where it lies is of no interest elsewhere */
        const bool longer = used > 0 && strncmp(version, device->libraries, used) == 0;
        if (longer) /* the same, with more to say */
            snprintf(device->libraries, sizeof device->libraries, "%s", version);
        else if (strstr(device->libraries, version) == NULL)
            snprintf(device->libraries + used, sizeof device->libraries - used, "%s%s",
                     used > 0 ? "; " : "", version);
    }
}

/* Leaves what was there where the line says nothing. */
static void take_text(const char *line, const char *path, char *text, size_t bytes)
{
    char fresh[REPORT_TEXT_BYTES];
    text_of(line, path, fresh, sizeof fresh);
    if (fresh[0] != '\0')
        snprintf(text, bytes, "%.*s", (int)bytes - 1, fresh);
}

/* The circumstances of a device: the newest count. */
static void take_header(report *r, const char *line, const char *date)
{
    char text[LONG_BYTES];
    if (!gbl_json_text(line, "device", text, sizeof text) || strstr(text, "; ") != NULL)
        return;
    const int index = report_device_of(r, text);
    if (index < 0 || strcmp(date, r->devices[index].last_date) < 0)
        return;
    report_device *device = &r->devices[index];
    take_text(line, "driver", device->driver, sizeof device->driver);
    take_text(line, "compiler", device->compiler, sizeof device->compiler);
    take_text(line, "commit", device->commit, sizeof device->commit);
    take_text(line, "version", device->version, sizeof device->version);
    add_libraries(device, line);
    snprintf(device->last_date, sizeof device->last_date, "%s", date);
}

static void add_flag(report_row *row, const char *flag)
{
    const size_t used = strlen(row->flags);
    snprintf(row->flags + used, sizeof row->flags - used, "%s%s", used > 0 ? " " : "", flag);
}

/* Whether an op is a product of matrices, by its stem. */
static bool is_product(const char *stem)
{
    bench_wanted wanted;
    return bench_op_find(stem, 0, &wanted) && bench_op_is_product(wanted.op);
}

/* "1024x32x1024": the sizes that there are. */
static void put_shape(report_row *row, const double *sizes, size_t count)
{
    char text[32];
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(row->shape);
        if (sizes[i] > 0)
            snprintf(row->shape + used, sizeof row->shape - used, "%s%.15s", used > 0 ? "x" : "",
                     report_size(sizes[i], text));
    }
}

/* Words that stand alone as flags: "gemv N", "spmv sell N", "cg sell pipelined". No preconditioner
 * needs no word. */
static bool stands_alone(const char *name)
{
    static const char *const names[] = {"trans", "uplo",   "side", "norm",
                                        "vect",  "format", "form", "precond"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Other flags stand by name; sizes make the axis or a shape. A sparse matrix is a shape by its own
 * name. */
static void take_args(report_row *row, const char *line)
{
    const char *at = NULL;
    char name[24], path[40], text[64], flag[96];
    double m = 0, n = 0, k = 0, batch = 0;
    bool named = false;
    while (gbl_json_next(line, "args", &at, name, sizeof name)) {
        double value;
        snprintf(path, sizeof path, "args.%s", name);
        if (gbl_json_text(line, path, text, sizeof text)) {
            const bool alone = stands_alone(name), yes = strcmp(text, "yes") == 0;
            if (strcmp(name, "matrix") == 0) {
                named = true;
                snprintf(row->shape, sizeof row->shape, "%.47s", text);
            } else if (strcmp(text, "none") != 0) {
                snprintf(flag, sizeof flag, "%s%s%s", alone ? "" : name, alone || yes ? "" : "=",
                         yes ? "" : text);
                add_flag(row, flag);
            }
        } else if (gbl_json_number(line, path, &value)) {
            if (strcmp(name, "m") == 0)
                m = value;
            else if (strcmp(name, "n") == 0)
                n = value;
            else if (strcmp(name, "k") == 0)
                k = value;
            else if (strcmp(name, "batch") == 0)
                batch = value;
            else if (strcmp(name, "entries") != 0) {
                snprintf(flag, sizeof flag, "%s=%.0f", name, value);
                add_flag(row, flag);
            }
        }
    }
    const bool terms = is_product(row->op); /* k is a size, else so many vectors or diagonals */
    if (k > 0 && !terms) {
        snprintf(flag, sizeof flag, "k=%.0f", k);
        add_flag(row, flag);
    }
    row->x = n;
    row->elements = n * (m > 0 ? m : 1) * (batch > 0 ? batch : 1);
    row->on_axis = !named && batch == 0 && (m == 0 || m == n) && (k == 0 || !terms || k == n);
    row->by_flops = terms && batch == 0;
    if (!row->on_axis && !named) {
        const double sizes[] = {m, n, terms ? k : 0, batch};
        put_shape(row, sizes, sizeof sizes / sizeof sizes[0]);
    }
}

static void take_row(report *r, const char *line, const char *date, bool model_only)
{
    char device[256], text[24], name[48];
    const char *at = NULL;
    report_row row = {.model_only = model_only, .order = r->row_count};
    if (!gbl_json_text(line, "device", device, sizeof device) ||
        (row.device = report_device_of(r, device)) < 0)
        return;
    report_device *of = &r->devices[row.device];
    text_of(line, "op", row.op, sizeof row.op);
    text_of(line, "prec", text, sizeof text);
    row.prec = text[0];
    text_of(line, "variant", row.variant, sizeof row.variant);
    text_of(line, "mode", text, sizeof text);
    if (strcmp(text, "transfer") == 0) /* the host link, not the routine */
        return;
    row.single = strcmp(text, "single") == 0;
    const bool iteration = strcmp(text, "iteration") == 0; /* it touches what it touches */
    text_of(line, "temp", text, sizeof text);
    row.hot = !iteration && strcmp(text, "hot") == 0;
    text_of(line, "limiter", row.limiter, sizeof row.limiter);
    row.usec = amount(line, "usec");
    row.gbs = amount(line, "gbs");
    row.gflops = amount(line, "gflops");
    row.roof = amount(line, "roof");
    row.predicted = amount(line, "predicted_usec");
    take_args(&row, line);
    while (gbl_json_next(line, "vs", &at, name, sizeof name)) {
        char path[64];
        const int peer = peer_of(r, name);
        snprintf(path, sizeof path, "vs.%s", name);
        if (peer >= 0)
            row.vs[peer] = amount(line, path);
    }
    if (row.op[0] == '\0' || row.prec == '\0' || strchr(report_precs, row.prec) == NULL ||
        !(row.usec > 0) || !(row.x >= 1))
        return;
    if (!model_only && (!gbl_json_number(line, "error", &row.error) || !(row.error <= 1))) {
        of->wrong++;
        return;
    }
    memcpy(row.date, date, sizeof row.date);
    if (date[0] != '\0' && (of->first_date[0] == '\0' || strcmp(date, of->first_date) < 0))
        memcpy(of->first_date, date, sizeof of->first_date);
    if (strcmp(date, of->last_date) > 0)
        memcpy(of->last_date, date, sizeof of->last_date);
    if (report_grow(r, (void **)&r->rows, r->row_count, &r->row_room, sizeof row))
        r->rows[r->row_count++] = row;
}

void report_take_rows(report *r, const char *text, bool model_only)
{
    char date[24] = "", forced[8];
    bool experiment = false;
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        char op[24];
        if (!gbl_json_valid(line)) {
            r->bad_lines += *line != '\n';
        } else if (gbl_json_text(line, "op", op, sizeof op)) {
            if (!experiment)
                take_row(r, line, date, model_only);
        } else if (gbl_json_text(line, "date", date, sizeof date)) {
            text_of(line, "variant", forced, sizeof forced);
            experiment = forced[0] != '\0';
            take_header(r, line, date);
        }
        if (end == NULL)
            break;
        line = end + 1;
    }
}
