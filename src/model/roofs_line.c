/* roofs_line.c: roofs as one line of roofs.jsonl, and back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   {"device":"cpu|Arm Neoverse V1||2|","date":"2026-11-15T12:00:00Z","version":"0.1.0",
 *    "busy":0.02,"unsteady":0.01,"copy":2.1e10, ...,
 *    "flops":{"s":..., ...},"points":{"32768":9.1e10, ...}}
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
    bool later; /* lines of older versions do not have it: 0 */
} members[] = {
    {.name = "copy", .offset = offsetof(gbl_roofs, copy), .needed = true},
    {.name = "read", .offset = offsetof(gbl_roofs, read), .needed = true},
    {.name = "write", .offset = offsetof(gbl_roofs, write), .needed = true},
    {.name = "cache", .offset = offsetof(gbl_roofs, cache), .needed = true},
    {.name = "cache_bytes", .offset = offsetof(gbl_roofs, cache_bytes), .needed = true},
    {.name = "unit", .offset = offsetof(gbl_roofs, unit), .needed = true},
    {.name = "flops.s",
     .offset = offsetof(gbl_roofs, flops) + GBL_S * sizeof(double),
     .needed = true},
    {.name = "flops.d",
     .offset = offsetof(gbl_roofs, flops) + GBL_D * sizeof(double),
     .needed = true},
    {.name = "flops.c",
     .offset = offsetof(gbl_roofs, flops) + GBL_C * sizeof(double),
     .needed = true},
    {.name = "flops.z",
     .offset = offsetof(gbl_roofs, flops) + GBL_Z * sizeof(double),
     .needed = true},
    {.name = "matrix_flops", .offset = offsetof(gbl_roofs, matrix_flops)},
    {.name = "tf32_flops", .offset = offsetof(gbl_roofs, tf32_flops), .later = true},
    {.name = "launch_replay", .offset = offsetof(gbl_roofs, launch_replay), .needed = true},
    {.name = "launch_single", .offset = offsetof(gbl_roofs, launch_single), .needed = true},
    {.name = "latency", .offset = offsetof(gbl_roofs, latency), .needed = true},
    {.name = "barrier", .offset = offsetof(gbl_roofs, barrier)},
    {.name = "step", .offset = offsetof(gbl_roofs, step)},
    {.name = "link_to_device", .offset = offsetof(gbl_roofs, link_to_device)},
    {.name = "link_to_host", .offset = offsetof(gbl_roofs, link_to_host)},
    {.name = "link_latency", .offset = offsetof(gbl_roofs, link_latency)},
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
        const bool there = gbl_json_number(line, members[i].name, value);
        if (!there && members[i].later)
            *value = 0;
        else if (!there || !(*value >= 0) || (members[i].needed && *value == 0))
            return false;
    }
    *roofs = fresh;
    return true;
}
