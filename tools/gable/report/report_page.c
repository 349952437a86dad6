/* report_page.c: the page that `gable report` writes: head, contents, a section for each device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing in it comes from elsewhere and nothing in it runs: style and pictures are inside, and the
 * switch between light and dark is a tick box that the style looks at.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "gable/gable.h"
#include "gable/command.h"
#include "report.h"

typedef struct part {
    const char *anchor, *title;
    void (*write)(report *r, int device);
} part;

static const part parts[] = {
    {.anchor = "roofline", .title = "roofline", .write = report_roofline},
    {.anchor = "routines", .title = "routines", .write = report_summary},
    {.anchor = "curves", .title = "bandwidth", .write = report_curves},
    {.anchor = "model", .title = "the model's errors", .write = report_model},
    {.anchor = "tuning", .title = "the tuner's gains", .write = report_tuning},
    {.anchor = "studies", .title = "studies", .write = report_studies},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* The shapes that points refer to, by gnuplot's names for them. */
static const char shapes[] =
    "<svg class=\"shapes\" aria-hidden=\"true\"><defs>"
    "<rect id=\"gpPt3\" stroke-width=\".3\" stroke=\"currentColor\" fill=\"none\" x=\"-1\" "
    "y=\"-1\" "
    "width=\"2\" height=\"2\"/>"
    "<circle id=\"gpPt5\" stroke-width=\".3\" stroke=\"currentColor\" fill=\"none\" r=\"1\"/>"
    "<circle id=\"gpPt6\" fill=\"currentColor\" stroke=\"none\" r=\"1\"/>"
    "<path id=\"gpPt7\" stroke-width=\".3\" stroke=\"currentColor\" fill=\"none\" "
    "d=\"M0,-1.33 L-1.33,.67 L1.33,.67 z\"/>"
    "<path id=\"gpPt11\" stroke-width=\".3\" stroke=\"currentColor\" fill=\"none\" "
    "d=\"M0,-1.4 L1.4,0 L0,1.4 L-1.4,0 z\"/>"
    "</defs></svg>\n";

static void put_day(report *r, const char *date)
{
    char day[24];
    snprintf(day, sizeof day, "%.10s", date);
    report_text(r, day);
}

static void put_fact(report *r, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    fprintf(r->html, "<dt>%s</dt><dd>", name);
    report_text(r, value);
    fputs("</dd>", r->html);
}

static void put_tile(report *r, const char *value, const char *what)
{
    fprintf(r->html, "<div class=\"tile\"><b>%s</b><span>", value);
    report_text(r, what);
    fputs("</span></div>", r->html);
}

/* The figures one asks for first. */
static void put_tiles(report *r, int device)
{
    char text[32], what[96];
    double *values = malloc(((size_t)r->row_count + 1) * sizeof *values);
    long count = 0;
    if (values == NULL) {
        r->out_of_memory = true;
        return;
    }
    fputs("<div class=\"tiles\">", r->html);
    snprintf(text, sizeof text, "%d", r->devices[device].rows);
    put_tile(r, text, "rows");
    for (long i = 0; i < r->row_count; i++)
        if (r->rows[i].device == device && report_is_shown(&r->rows[i]) && r->rows[i].roof > 0)
            values[count++] = 100 * r->rows[i].roof;
    snprintf(text, sizeof text, "%.0f %%", report_median(values, count));
    if (count > 0)
        put_tile(r, text, "of the roof, median");
    for (int p = 0; p < r->peer_count; p++) {
        double log_sum = 0;
        count = 0;
        for (long i = 0; i < r->row_count; i++)
            if (r->rows[i].device == device && report_is_shown(&r->rows[i]) &&
                r->rows[i].vs[p] > 0) {
                log_sum += log(r->rows[i].vs[p]);
                count++;
            }
        snprintf(text, sizeof text, "%.2f&times;", exp(log_sum / (double)(count > 0 ? count : 1)));
        snprintf(what, sizeof what, "the speed of %s, mean of %ld", r->peers[p], count);
        if (count > 0)
            put_tile(r, text, what);
    }
    count = 0;
    for (long i = 0; i < r->row_count; i++)
        if (r->rows[i].device == device && r->rows[i].predicted > 0)
            values[count++] = 100 * fabs(r->rows[i].predicted - r->rows[i].usec) / r->rows[i].usec;
    snprintf(text, sizeof text, "%.0f %%", report_median(values, count));
    if (count > 0)
        put_tile(r, text, "median error of the model");
    fputs("</div>\n", r->html);
    free(values);
}

static void put_device(report *r, int index)
{
    const report_device *device = &r->devices[index];
    char text[96];
    fprintf(r->html, "<section id=\"%s\">\n<h2>", device->slug);
    report_text(r, device->title);
    fputs("<small>", r->html);
    report_text(r, device->kind);
    fputs("</small></h2>\n<dl>", r->html);
    put_fact(r, "driver", device->driver);
    put_fact(r, "compiler", device->compiler);
    put_fact(r, "libraries", device->libraries);
    snprintf(text, sizeof text, "%s%s%s%s", device->version,
             device->commit[0] != '\0' && strcmp(device->commit, device->version) != 0 ? " (" : "",
             strcmp(device->commit, device->version) != 0 ? device->commit : "",
             device->commit[0] != '\0' && strcmp(device->commit, device->version) != 0 ? ")" : "");
    put_fact(r, "Gable", text);
    if (device->first_date[0] != '\0') {
        fputs("<dt>measured</dt><dd>", r->html);
        put_day(r, device->first_date);
        if (strncmp(device->first_date, device->last_date, 10) != 0) {
            fputs(" to ", r->html);
            put_day(r, device->last_date);
        }
        fputs("</dd>", r->html);
    }
    fputs("</dl>\n", r->html);
    if (device->rows > 0)
        put_tiles(r, index);
    for (int i = 0; i < PARTS; i++) {
        fprintf(r->html, "<section id=\"%s-%s\">\n", device->slug, parts[i].anchor);
        parts[i].write(r, index);
        fputs("</section>\n", r->html);
    }
    fputs("</section>\n", r->html);
}

static void put_contents(report *r)
{
    fputs("<nav aria-label=\"contents\"><ul>\n", r->html);
    for (int i = 0; i < r->device_count; i++) {
        fprintf(r->html, "<li><b><a href=\"#%s\">", r->devices[i].slug);
        report_text(r, r->devices[i].title);
        fputs("</a></b>", r->html);
        for (int p = 0; p < PARTS; p++)
            fprintf(r->html, " <a href=\"#%s-%s\">%s</a>", r->devices[i].slug, parts[p].anchor,
                    parts[p].title);
        fputs("</li>\n", r->html);
    }
    fputs("</ul></nav>\n", r->html);
}

/* No device has anything: what would fill each part. */
static void put_empty(report *r)
{
    static const struct {
        const char *title, *what, *command;
    } empty[] = {
        {"Routines, roofline and bandwidth", "Nothing was measured yet. This measures routines:",
         "gable bench copy axpy dot gemv --prec sdcz"},
        {"Roofs", "No roofs were measured yet. This does it:", "gable info --roofs"},
        {"The model's errors", "No prediction was compared with a measurement yet. This does it:",
         "gable bench --model-error"},
        {"The tuner's gains", "Nothing was tuned yet. This does it:", "gable tune all"},
        {"Studies", "No study was made yet. This makes one:", "gable study portability"},
    };
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        fprintf(r->html, "<section><h3>%s</h3>\n", empty[i].title);
        report_nothing(r, empty[i].what, empty[i].command);
        fputs("</section>\n", r->html);
    }
}

void report_page(report *r)
{
    const time_t now = time(NULL);
    struct tm utc;
    char date[32];
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          r->html);
    report_text(r, r->title);
    fputs("</title>\n<style>\n", r->html);
    for (int i = 0; report_style[i] != NULL; i++)
        fputs(report_style[i], r->html);
    fprintf(r->html, "</style>\n</head>\n<body>\n%s<header>\n<h1>", shapes);
    report_text(r, r->title);
    fprintf(r->html,
            "</h1>\n<label class=\"theme\"><input type=\"checkbox\" id=\"theme\"> light / "
            "dark</label>\n<p class=\"soft\">What was measured with Gable on %d device%s; written "
            "%s by gable ",
            r->device_count, r->device_count == 1 ? "" : "s", date);
    report_text(r, command_version());
    fputs(".</p>\n", r->html);
    if (r->device_count > 0)
        put_contents(r);
    fputs("</header>\n<main>\n", r->html);
    if (r->device_count == 0)
        put_empty(r);
    for (int i = 0; i < r->device_count; i++)
        put_device(r, i);
    fputs("</main>\n<footer><p>", r->html);
    if (r->bad_lines > 0)
        fprintf(r->html, "%ld line%s that could not be read %s skipped. ", r->bad_lines,
                r->bad_lines == 1 ? "" : "s", r->bad_lines == 1 ? "was" : "were");
    fputs("Times are medians of repeats on the device&#39;s clock; every row&#39;s result was "
          "checked in the "
          "same run.</p></footer>\n</body>\n</html>\n",
          r->html);
}
