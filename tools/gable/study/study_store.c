/* study_store.c: the file of a study: one JSON object per line, appended as it is measured.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * docs/studies.md has the members. Whatever was measured before is read first, so that a study that
 * was stopped goes on, and one that is complete is only shown.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/context.h"
#include "core/data_folder.h"
#include "core/json_line.h"
#include "model/roofs.h"
#include "gable/command.h"
#include "gable/device_slug.h"
#include "gable/json.h"
#include "study.h"

bool study_make(study *s)
{
    for (int op = 0; op < STUDY_OPS; op++) {
        s->reference[op] = -1;
        s->rows[op] = calloc((size_t)study_config_count(), sizeof *s->rows[op]);
        if (s->rows[op] == NULL)
            return false;
    }
    return true;
}

void study_free(study *s)
{
    for (int op = 0; op < STUDY_OPS; op++)
        free(s->rows[op]);
    memset(s, 0, sizeof *s);
}

bool study_path(const char *folder, const char *name, char path[STUDY_PATH_BYTES])
{
    if (folder != NULL) {
        const int length = snprintf(path, STUDY_PATH_BYTES, "%s/%s", folder, name);
        return length < STUDY_PATH_BYTES;
    }
    char below[256];
    snprintf(below, sizeof below, "studies%s%s", name[0] != '\0' ? "/" : "", name);
    return gbl_data_path(below, path, STUDY_PATH_BYTES);
}

/* ---- Reading ---- */

static bool read_dtype(const char *line, gbl_dtype *dtype)
{
    char prec[8];
    if (!gbl_json_text(line, "prec", prec, sizeof prec) || strlen(prec) != 1)
        return false;
    for (int d = 0; d < GBL_DTYPES; d++) {
        if (gbl_dtype_letter((gbl_dtype)d) == prec[0]) {
            *dtype = (gbl_dtype)d;
            return true;
        }
    }
    return false;
}

static bool same_study(const study *s, const char *line)
{
    gbl_dtype dtype;
    double size;
    return read_dtype(line, &dtype) && dtype == s->dtype && gbl_json_number(line, "size", &size) &&
           (int64_t)size == s->size;
}

static void take_header(study *s, const char *line, bool any)
{
    double size;
    gbl_dtype dtype;
    if (!read_dtype(line, &dtype) || !gbl_json_number(line, "size", &size) || !(size >= 1))
        return;
    if (any) {
        s->dtype = dtype;
        s->size = (int64_t)size;
    } else if (!same_study(s, line)) {
        return;
    }
    s->has_header = true;
    gbl_json_text(line, "device", s->device, sizeof s->device);
    gbl_json_text(line, "commit", s->commit, sizeof s->commit);
    gbl_json_number(line, "roof_copy_gbs", &s->roof_copy);
    gbl_json_number(line, "roof_read_gbs", &s->roof_read);
}

void study_set_reference(study *s, int op, int config)
{
    if (s->reference[op] == config)
        return;
    s->reference[op] = config;
    for (int i = 0; i < study_config_count(); i++)
        s->rows[op][i].ratio = 0;
}

/* The configuration of a line; -1: it has none that exists. */
static int read_config(const char *line, const char *before)
{
    gbl_params params;
    memset(&params, 0, sizeof params);
    for (int i = 0; i < STREAM_PARAMS; i++) {
        char name[64];
        double value;
        snprintf(name, sizeof name, "%s%s", before, gbl_stream_space[i].name);
        if (!gbl_json_number(line, name, &value))
            return -1;
        params.value[i] = (int32_t)value;
    }
    return study_config_find(&params);
}

static int read_op(const char *line)
{
    char name[16];
    int op = 0;
    if (!gbl_json_text(line, "op", name, sizeof name))
        return -1;
    while (op < STUDY_OPS && strcmp(name, study_op_names[op]) != 0)
        op++;
    return op < STUDY_OPS ? op : -1;
}

/* The times of a row; false: it has none. */
static bool read_times(const char *line, study_row *row)
{
    double runs;
    if (!gbl_json_number(line, "gbs", &row->gbs) || !gbl_json_number(line, "usec", &row->usec) ||
        !(row->usec > 0) || !(row->gbs > 0))
        return false;
    row->usec_min = row->usec;
    gbl_json_number(line, "usec_min", &row->usec_min);
    row->runs = gbl_json_number(line, "runs", &runs) ? (int)runs : 0;
    return true;
}

static void take_row(study *s, const char *line, bool again)
{
    const int op = read_op(line), config = read_config(line, "");
    if (!same_study(s, line) || op < 0 || config < 0)
        return;
    study_row row = {.known = true, .error = -1}, *old = &s->rows[op][config];
    row.failed = !read_times(line, &row);
    gbl_json_number(line, "error", &row.error);
    if (again) {
        const int reference = read_config(line, "against.");
        if (!old->known || row.failed || reference < 0 ||
            !gbl_json_number(line, "ratio", &row.ratio))
            return;
        study_set_reference(s, op, reference);
        row.error = old->error;
    }
    *old = row;
}

/* Takes each whole line: headers, or all others. */
static void take_lines(study *s, const char *text, bool headers, bool any)
{
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        char kind[16];
        if (!gbl_json_valid(line) || !gbl_json_text(line, "kind", kind, sizeof kind))
            s->bad_lines += headers;
        else if (headers && strcmp(kind, "header") == 0)
            take_header(s, line, any);
        else if (!headers && strcmp(kind, "row") == 0)
            take_row(s, line, false);
        else if (!headers && strcmp(kind, "again") == 0)
            take_row(s, line, true);
        if (end == NULL)
            break;
        line = end + 1;
    }
}

bool study_load(study *s, bool any)
{
    char *text = gbl_data_read(s->path);
    if (text == NULL)
        return false;
    take_lines(s, text, true, any);
    if (s->has_header)
        take_lines(s, text, false, any);
    free(text);
    return s->has_header;
}

/* ---- Writing ---- */

static char *line_text;
static size_t line_bytes;
static FILE *line_stream;

void study_line_begin(void)
{
    line_text = NULL;
    line_stream = open_memstream(&line_text, &line_bytes);
    if (line_stream != NULL)
        json_to(line_stream);
}

char *study_line_end(void)
{
    if (line_stream == NULL)
        return NULL;
    json_to(NULL);
    fclose(line_stream);
    line_stream = NULL;
    return line_text;
}

static bool append(const study *s, char *lines)
{
    const bool good = lines != NULL && gbl_data_append(s->path, lines);
    free(lines);
    return good;
}

void study_write_circumstances(const char *which, const gbl_device *device)
{
    char date[32], text[512];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_text("kind", "header");
    json_text("study", which);
    snprintf(text, sizeof text, "%s %s", device->info.name, device->info.title);
    json_text("device", text);
    gbl_device_class(device, text, sizeof text);
    json_text("class", text);
    gable_device_info info;
    gbl_device_describe_open(device, &info);
    json_text("driver", info.driver);
    json_text("date", date);
    json_text("version", gable_version());
    json_text("commit", command_commit());
}

static void write_study(const study *s)
{
    const char prec[2] = {gbl_dtype_letter(s->dtype), '\0'};
    json_text("prec", prec);
    json_integer("size", s->size);
}

bool study_write_header(study *s, const gbl_device *device)
{
    study_line_begin();
    json_open(NULL);
    study_write_circumstances("portability", device);
    write_study(s);
    json_integer("matrix", study_matrix_rows(s->size));
    json_integer("configurations", study_config_count());
    json_number("roof_copy_gbs", s->roof_copy);
    json_number("roof_read_gbs", s->roof_read);
    json_close();
    s->has_header = true;
    return append(s, study_line_end());
}

static void write_config(int config)
{
    gbl_params params;
    study_config(config, &params);
    for (int i = 0; i < STREAM_PARAMS; i++)
        json_integer(gbl_stream_space[i].name, params.value[i]);
}

/* Messages may have line ends, for which the reader of lines has no escape. */
static void write_reason(const char *why)
{
    char text[200];
    snprintf(text, sizeof text, "%s", why != NULL ? why : "");
    for (char *p = text; *p != '\0'; p++)
        *p = (unsigned char)*p < ' ' ? ' ' : *p;
    json_text("failed", text);
}

static void write_times(const study_row *row)
{
    json_number("usec", row->usec);
    json_number("usec_min", row->usec_min);
    json_number("gbs", row->gbs);
    json_integer("runs", row->runs);
}

bool study_write_row(study *s, int op, int config, const char *why_failed)
{
    const study_row *row = &s->rows[op][config];
    study_line_begin();
    json_open(NULL);
    json_text("kind", "row");
    json_text("op", study_op_names[op]);
    write_study(s);
    write_config(config);
    if (row->failed)
        write_reason(why_failed);
    else
        write_times(row);
    if (row->error >= 0)
        json_number("error", row->error);
    json_close();
    return append(s, study_line_end());
}

bool study_write_again(study *s, int op, int config)
{
    study_line_begin();
    json_open(NULL);
    json_text("kind", "again");
    json_text("op", study_op_names[op]);
    write_study(s);
    write_config(config);
    write_times(&s->rows[op][config]);
    json_number("ratio", s->rows[op][config].ratio);
    json_open("against");
    write_config(s->reference[op]);
    json_close();
    json_close();
    return append(s, study_line_end());
}
