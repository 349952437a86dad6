/* report_files.c: which files `gable report` reads, and what each of them holds.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a file holds, its name says: roofs.jsonl, tuning.jsonl, model-error.jsonl; files of a folder
 * "studies"; all others have rows of `gable bench`. Lines that are no JSON objects are counted and
 * skipped.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "core/data_folder.h"
#include "core/json_line.h"
#include "model/roofs.h"
#include "report.h"

#define DEEPEST    4
#define PATH_BYTES 2048

bool report_grow(report *r, void **list, long count, long *room, size_t item_bytes)
{
    if (count < *room)
        return true;
    const long wanted = *room > 0 ? 2 * *room : 256;
    void *more = realloc(*list, (size_t)wanted * item_bytes);
    if (more == NULL) {
        r->out_of_memory = true;
        return false;
    }
    *list = more;
    *room = wanted;
    return true;
}

static double number(const char *line, const char *path)
{
    double value;
    return gbl_json_number(line, path, &value) ? value : 0;
}

static void take_roofs(report *r, const char *line)
{
    char text[256];
    if (!gbl_json_text(line, "device", text, sizeof text))
        return;
    const int index = report_device_of(r, text);
    if (index < 0)
        return;
    report_device *device = &r->devices[index];
    gbl_roofs roofs;
    if (gbl_roofs_read(line, GBL_ROOFS_MEASURED, &roofs))
        gbl_roofs_circumstances(&roofs, device->circumstances);
    device->copy = number(line, "copy");
    device->read = number(line, "read");
    device->cache = number(line, "cache");
    device->flops[0] = number(line, "flops.s");
    device->flops[1] = number(line, "flops.d");
    device->flops[2] = number(line, "flops.c");
    device->flops[3] = number(line, "flops.z");
}

static void keep_lines(report *r, report_lines *lines, char *text)
{
    long room = r->text_room;
    if (!report_grow(r, (void **)&r->texts, r->file_count, &room, sizeof *r->texts)) {
        free(text);
        return;
    }
    r->text_room = (int)room;
    r->texts[r->file_count] = text;
    int current = -1; /* rows of studies are of the device of the header above them */
    for (const char *line = text; *line != '\0';) {
        const char *end = strchr(line, '\n');
        char device[256];
        if (gbl_json_valid(line)) {
            if (gbl_json_text(line, "device", device, sizeof device))
                current = report_device_of(r, device);
            const report_line kept = {line, current, r->file_count};
            if (current >= 0 &&
                report_grow(r, (void **)&lines->line, lines->count, &lines->room, sizeof kept))
                lines->line[lines->count++] = kept;
        } else {
            r->bad_lines += *line != '\n';
        }
        if (end == NULL)
            break;
        line = end + 1;
    }
    r->file_count++;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), end_length = strlen(end);
    return length >= end_length && strcmp(name + length - end_length, end) == 0;
}

static bool read_file(report *r, const char *path)
{
    char *text = gbl_data_read(path);
    if (text == NULL)
        return false;
    if (ends_with(path, "tuning.jsonl")) {
        keep_lines(r, &r->tuning, text);
        return true;
    }
    if (strstr(path, "studies/") != NULL || strstr(path, "portability-") != NULL ||
        strstr(path, "latency-") != NULL) {
        keep_lines(r, &r->studies, text);
        return true;
    }
    if (ends_with(path, "roofs.jsonl")) {
        for (const char *line = text; line != NULL && *line != '\0';) {
            if (gbl_json_valid(line))
                take_roofs(r, line);
            line = strchr(line, '\n');
            line += line != NULL;
        }
    } else {
        report_take_rows(r, text, ends_with(path, "model-error.jsonl"));
    }
    free(text);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In order of names, so that two runs write the same page. */
static bool read_folder(report *r, const char *path, int depth)
{
    DIR *folder = depth < DEEPEST ? opendir(path) : NULL;
    char **names = NULL;
    long count = 0, room = 0;
    bool good = folder != NULL;
    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char *name = strdup(entry->d_name);
        if (name != NULL && report_grow(r, (void **)&names, count, &room, sizeof *names))
            names[count++] = name;
        else
            free(name);
    }
    if (folder != NULL)
        closedir(folder);
    if (count > 0)
        qsort(names, (size_t)count, sizeof *names, by_name);
    for (long i = 0; i < count; i++) {
        char below[PATH_BYTES];
        struct stat status;
        if (snprintf(below, sizeof below, "%s/%s", path, names[i]) < (int)sizeof below &&
            stat(below, &status) == 0) {
            if (S_ISDIR(status.st_mode))
                read_folder(r, below, depth + 1);
            else if (ends_with(below, ".jsonl") && !ends_with(below, "-ladder.jsonl"))
                good = read_file(r, below) && good;
        }
        free(names[i]);
    }
    free(names);
    return good;
}

bool report_read(report *r, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    return S_ISDIR(status.st_mode) ? read_folder(r, path, 0) : read_file(r, path);
}

void report_free(report *r)
{
    for (int i = 0; i < r->file_count; i++)
        free(r->texts[i]);
    for (int i = 0; i < r->plots; i++)
        free(r->alts[i]);
    free(r->texts);
    free(r->alts);
    free(r->rows);
    free(r->tuning.line);
    free(r->studies.line);
}
