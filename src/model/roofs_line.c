/* roofs_line.c: roofs as one line of roofs.jsonl, and back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   {"device":"cpu|Arm Neoverse V1||2|","date":"2026-11-15T12:00:00Z","version":"0.1.0","busy":0.02,"unsteady":0.01,
 *    "copy":2.1e10, ..., "flops":{"s":..., ...},"points":{"32768":9.1e10, ...}}
 *
 * Bytes, seconds and their quotients, with all digits: what is read is what was written.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/json_line.h"
#include "core/number_text.h"
#include "model/roofs.h"

/* The plain members. Those that need not be there (a device may lack them) may be 0. */
static const struct member {
    const char *name;
    size_t offset;
    bool needed;
} members[] = {
    {"copy", offsetof(gbl_roofs, copy), true},
    {"read", offsetof(gbl_roofs, read), true},
    {"write", offsetof(gbl_roofs, write), true},
    {"cache", offsetof(gbl_roofs, cache), true},
    {"cache_bytes", offsetof(gbl_roofs, cache_bytes), true},
    {"unit", offsetof(gbl_roofs, unit), true},
    {"flops.s", offsetof(gbl_roofs, flops) + GBL_S * sizeof(double), true},
    {"flops.d", offsetof(gbl_roofs, flops) + GBL_D * sizeof(double), true},
    {"flops.c", offsetof(gbl_roofs, flops) + GBL_C * sizeof(double), true},
    {"flops.z", offsetof(gbl_roofs, flops) + GBL_Z * sizeof(double), true},
    {"matrix_flops", offsetof(gbl_roofs, matrix_flops), false},
    {"launch_replay", offsetof(gbl_roofs, launch_replay), true},
    {"launch_single", offsetof(gbl_roofs, launch_single), true},
    {"latency", offsetof(gbl_roofs, latency), true},
    {"barrier", offsetof(gbl_roofs, barrier), false},
    {"step", offsetof(gbl_roofs, step), false},
    {"link_to_device", offsetof(gbl_roofs, link_to_device), false},
    {"link_to_host", offsetof(gbl_roofs, link_to_host), false},
    {"link_latency", offsetof(gbl_roofs, link_latency), false},
};
#define MEMBERS (sizeof members / sizeof members[0])

/* ---- Writing ---- */

typedef struct line_text {
    char *text;
    size_t room, used;
} line_text;

static void add(line_text *line, const char *format, ...) GBL_PRINTF(2, 3);
static void add(line_text *line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const size_t left = line->used < line->room ? line->room - line->used : 0;
    const int length = vsnprintf(line->text + (left > 0 ? line->used : 0), left, format, list);
    va_end(list);
    line->used += length > 0 ? (size_t)length : line->room;
}

bool gbl_roofs_write(const gbl_roofs *roofs, const char *device_class, char *text,
                     size_t text_bytes)
{
    line_text line = {text, text_bytes, 0};
    const time_t seconds = time(NULL);
    struct tm parts;
    char date[32] = "", number[GBL_NUMBER_BYTES];
    if (gmtime_r(&seconds, &parts) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    add(&line, "{\"device\":\"%s\",\"date\":\"%s\",\"version\":\"%s\"", device_class, date,
        gable_version());
    if (roofs->busy >= 0)
        add(&line, ",\"busy\":%s", gbl_number_write(roofs->busy, 17, number));
    if (roofs->unsteady >= 0)
        add(&line, ",\"unsteady\":%s", gbl_number_write(roofs->unsteady, 17, number));
    for (size_t i = 0; i < MEMBERS; i++) {
        const double value = *(const double *)((const char *)roofs + members[i].offset);
        const char *inner = strchr(members[i].name, '.');
        gbl_number_write(value, 17, number);
        if (inner == NULL)
            add(&line, ",\"%s\":%s", members[i].name, number);
        else
            add(&line, "%s\"%s\":%s%s", inner[1] == 's' ? ",\"flops\":{" : ",", inner + 1, number,
                inner[1] == 'z' ? "}" : "");
    }
    add(&line, ",\"points\":{");
    for (int i = 0; i < roofs->points; i++)
        add(&line, "%s\"%.0f\":%s", i > 0 ? "," : "", roofs->point_bytes[i],
            gbl_number_write(roofs->point_read[i], 17, number));
    add(&line, "}}\n");
    return line.used < text_bytes;
}

/* ---- Reading ---- */

static bool read_points(const char *line, gbl_roofs *roofs)
{
    const char *at = NULL;
    char name[32], path[48];
    roofs->points = 0;
    while (gbl_json_next(line, "points", &at, name, sizeof name)) {
        const int i = roofs->points;
        if (i == GBL_ROOF_POINTS)
            return false;
        const char *end = gbl_number_read(name, &roofs->point_bytes[i]);
        snprintf(path, sizeof path, "points.%s", name);
        if (end == NULL || *end != '\0' || !gbl_json_number(line, path, &roofs->point_read[i]) ||
            !(roofs->point_read[i] > 0) ||
            !(roofs->point_bytes[i] > (i > 0 ? roofs->point_bytes[i - 1] : 0)))
            return false;
        roofs->points++;
    }
    return true;
}

/* A part of a whole, or -1 where the line does not say it: those of older versions do not. */
static double read_part(const char *line, const char *name)
{
    double value;
    return gbl_json_number(line, name, &value) && value >= 0 && value <= 1 ? value : -1;
}

bool gbl_roofs_read(const char *line, gbl_roofs_source source, gbl_roofs *roofs)
{
    gbl_roofs fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.source = source;
    fresh.busy = read_part(line, "busy");
    fresh.unsteady = read_part(line, "unsteady");
    if (!gbl_json_valid(line) || !read_points(line, &fresh))
        return false;
    for (size_t i = 0; i < MEMBERS; i++) {
        double *value = (double *)((char *)&fresh + members[i].offset);
        if (!gbl_json_number(line, members[i].name, value) || !(*value >= 0) ||
            (members[i].needed && *value == 0))
            return false;
    }
    *roofs = fresh;
    return true;
}
