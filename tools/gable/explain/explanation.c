/* explanation.c: shows what `gable explain` found out about one case.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "core/kernel.h"
#include "explanation.h"
#include "gable/case_json.h"
#include "gable/json.h"
#include "gable/terminal.h"

#define TITLE_COLUMN 14
#define TEXT_BYTES   512
#define AMOUNT_BYTES 32

static const char *const mode_titles[2] = {"replayed", "alone"};
static const char *const mode_names[2] = {"replay", "single"};

/* ---- For people ---- */

static void print_line(const char *title, const char *text)
{
    char indented[64];
    snprintf(indented, sizeof indented, "  %s", title);
    terminal_paragraph(0, indented, TITLE_COLUMN, text);
}

/* Adds to a text of TEXT_BYTES. */
static void append(char *text, const char *format, ...) GBL_PRINTF(2, 3);
static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, TEXT_BYTES - used, format, list);
    va_end(list);
}

static const char *bytes_text(double bytes, char text[AMOUNT_BYTES])
{
    advice_amount_text(bytes, "B", text, AMOUNT_BYTES);
    return text;
}

static void print_title(const explanation *seen)
{
    char name[64], sizes[96], text[TEXT_BYTES];
    bench_case_name(&seen->forecast.what, name, sizeof name);
    bench_case_text(&seen->forecast.what, sizes, sizeof sizes);
    snprintf(text, sizeof text, "%s, %s, operands %s", name, sizes,
             seen->link_bytes > 0 ? "from the host"
             : seen->hot          ? "in the cache where they fit"
                                  : "in memory");
    terminal_put(BOLD, text);
    putchar('\n');
}

#define WAITING 1.01 /* times the flops of the work: more than these are time */

static void print_work(const explanation *seen)
{
    const forecast *f = &seen->forecast;
    char text[TEXT_BYTES], a[AMOUNT_BYTES], b[AMOUNT_BYTES], flops[AMOUNT_BYTES];
    forecast_choice_text(f, text, sizeof text);
    append(text, " (%s)", forecast_source(f));
    print_line("variant", text);
    advice_amount_text(f->work.flops, "flop", flops, sizeof flops);
    snprintf(text, sizeof text, "%s read, %s written, %s: the least for any method",
             bytes_text(f->work.bytes_read, a), bytes_text(f->work.bytes_written, b), flops);
    print_line("work", text);
    /* A variant multiplies with matrix units or without. What its units wait for is counted as
     * flops. */
    const double all = f->cost.flops + f->cost.matrix_flops;
    advice_amount_text(all, f->cost.matrix_flops > 0 ? "flop of matrix units" : "flop", flops,
                       sizeof flops);
    snprintf(text, sizeof text,
             "%s through memory, %s more through the cache, %s%s; %.0f launch%s, %.0f hand-over%s",
             bytes_text(f->cost.memory_bytes, a), bytes_text(f->cost.cache_bytes, b),
             all > WAITING * f->work.flops ? "units held for the time of " : "", flops,
             f->cost.launches, f->cost.launches == 1 ? "" : "es", f->cost.barriers,
             f->cost.barriers == 1 ? "" : "s");
    print_line("it moves", text);
    const double workspace = seen->modes[BENCH_REPLAY].predicted.workspace_bytes;
    if (workspace > 0) {
        snprintf(text, sizeof text, "%s", bytes_text(workspace, a));
        print_line("workspace", text);
    }
    const gbl_variant *variant = f->choice.variant;
    text[0] = '\0';
    if (variant->tell != NULL)
        variant->tell(variant, &f->call, &f->choice.params, seen->device, text, sizeof text);
    if (text[0] != '\0')
        print_line("plan", text);
}

/* Number `which` of the kernels that a variant launches itself, by its entry; on cpu it is a
 * task. */
static void name_own_part(const explanation *seen, int which, double times, char *text,
                          size_t text_bytes)
{
    const forecast *f = &seen->forecast;
    const gbl_variant *variant = f->choice.variant;
    const bool kernels = variant->specs != NULL && seen->device->table->build != NULL;
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    const int count =
        kernels ? variant->specs(variant, &f->call, &f->choice.params, seen->device, specs) : 0;
    if (which >= count) {
        snprintf(text, text_bytes, "%.0f x its own %s", times, kernels ? "kernel" : "task");
        return;
    }
    const char *start = strrchr(specs[which].file, '/');
    start = start != NULL ? start + 1 : specs[which].file;
    snprintf(text, text_bytes, "%.0f x %c%.*s, its own kernel", times, "sdcz"[specs[which].dtype],
             (int)strcspn(start, "."), start);
}

/* A variant that calls other ops: what it is made of, as the model adds it up. */
static void print_parts(const explanation *seen)
{
    const forecast *f = &seen->forecast;
    const gbl_variant *variant = f->choice.variant;
    const gbl_situation situation = {
        .replayed = true, .hot = seen->hot, .within = f->what.op->op->rounded_parts};
    gbl_part_call parts[GBL_MAX_PARTS];
    const int count = variant->parts(variant, &f->call, &f->choice.params, seen->device, parts);
    int own = 0;
    for (int i = 0; i < count; i++) {
        char text[TEXT_BYTES], time[AMOUNT_BYTES];
        gbl_choice choice = {.variant = NULL};
        gbl_prediction p;
        if (parts[i].op == NULL) {
            name_own_part(seen, own++, parts[i].count, text, sizeof text);
            gbl_predict(&parts[i].cost, f->what.dtype, &seen->device->props, seen->roofs,
                        &situation, &p);
        } else {
            gbl_op_foresee_part(seen->device, parts[i].op, parts[i].call, situation.within,
                                &choice);
            if (choice.variant == NULL)
                continue;
            gbl_predict_call(seen->device, parts[i].op, parts[i].call, &choice, seen->roofs,
                             &situation, &p);
            snprintf(text, sizeof text, "%.0f x %s by %s", parts[i].count, parts[i].op->stem,
                     choice.variant->name);
        }
        advice_time_text(p.seconds, time, sizeof time);
        append(text, ", %s%s%s", time, parts[i].count > 1 ? " each" : "",
               parts[i].chain == 1   ? ", beside what follows"
               : parts[i].chain == 2 ? ", beside what precedes"
                                     : "");
        if (choice.variant != NULL && choice.variant->tell != NULL) {
            append(text, ": ");
            const size_t used = strlen(text);
            choice.variant->tell(choice.variant, parts[i].call, &choice.params, seen->device,
                                 text + used, sizeof text - used);
        }
        print_line(i == 0 ? "parts" : "", text);
    }
}

static void print_kernel(const forecast_kernel *kernel)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "%s: %.0f group%s of %d", kernel->name, kernel->groups,
             kernel->groups == 1 ? "" : "s", kernel->items);
    if (kernel->registers > 0)
        append(text, ", %d registers", kernel->registers);
    else
        append(text, ", registers unknown");
    if (kernel->local_bytes >= 0)
        append(text, ", %d bytes of local memory", kernel->local_bytes);
    if (kernel->spill_bytes > 0)
        append(text, ", %d bytes spilled", kernel->spill_bytes);
    if (kernel->has_occupancy)
        append(text, "; %d group%s per unit, occupancy %.0f %%, limited by %s",
               kernel->occupancy.groups, kernel->occupancy.groups == 1 ? "" : "s",
               100 * kernel->occupancy.fraction, kernel->occupancy.limiter);
    print_line("kernel", text);
}

static void print_device_use(const explanation *seen)
{
    const forecast *f = &seen->forecast;
    const gbl_prediction *p = &seen->modes[BENCH_REPLAY].predicted;
    const int units = seen->device->props.units;
    char text[TEXT_BYTES], a[AMOUNT_BYTES], b[AMOUNT_BYTES];
    for (int i = 0; i < f->launches && i < FORECAST_KERNELS; i++)
        print_kernel(&f->kernels[i]);
    if (f->launches > FORECAST_KERNELS) {
        snprintf(text, sizeof text, "and %d further launches", f->launches - FORECAST_KERNELS);
        print_line("", text);
    }
    if (f->waits)
        print_line("kernel", "not listed: the call waits for the host, and cannot be recorded");
    else if (f->launches == 0)
        print_line("kernel", seen->device->props.is_host
                                 ? "none: C on the host's threads, or the installed BLAS"
                                 : "none of Gable's");
    if (f->choice.variant->parts != NULL)
        snprintf(text, sizeof text, "%.0f on %d unit%s in the longest part: units %.0f %% filled",
                 p->waves * p->resident, units, units == 1 ? "" : "s", 100 * p->fill);
    else
        snprintf(text, sizeof text,
                 "%.0f on %d unit%s, %.0f at once%s: %.2f waves, units %.0f %% filled",
                 f->cost.groups, units, units == 1 ? "" : "s", p->resident,
                 f->resident > 0 ? "" : " (estimated)", p->waves, 100 * p->fill);
    print_line("groups", text);
    if (p->in_flight > 0 && p->in_flight_needed > 0) {
        snprintf(text, sizeof text, "%s requested at once; by Little's law full bandwidth needs %s",
                 bytes_text(p->in_flight, a), bytes_text(p->in_flight_needed, b));
        print_line("in flight", text);
    }
}

/* One line of the table: a time and its part of the whole, for each mode. */
static void print_times(const char *title, const double seconds[2], const double whole[2])
{
    printf("    %-*s", TITLE_COLUMN, title);
    for (int mode = 0; mode < 2; mode++) {
        char time[AMOUNT_BYTES], text[64], part[16] = "";
        advice_time_text(fabs(seconds[mode]), time, sizeof time);
        if (whole != NULL && whole[mode] > 0)
            snprintf(part, sizeof part, "%3.0f %%", 100 * seconds[mode] / whole[mode]);
        snprintf(text, sizeof text, "%s%s", seconds[mode] < 0 ? "-" : "",
                 isnan(seconds[mode]) ? "-" : time);
        printf("%14s", text);
        if (mode == 0 || part[0] != '\0')
            printf(" %6s", part);
    }
    putchar('\n');
}

static void print_terms(const explanation *seen)
{
    double predicted[2], measured[2], rest[2], part[2];
    char text[TEXT_BYTES];
    for (int mode = 0; mode < 2; mode++) {
        predicted[mode] = seen->modes[mode].predicted.seconds;
        measured[mode] = seen->modes[mode].measured;
        if (mode == 0 && seen->forecast.waits) /* there are no replays */
            measured[mode] = NAN;
        rest[mode] = measured[mode] - predicted[mode];
        part[mode] = seen->roof_seconds / (measured[mode] > 0 ? measured[mode] : predicted[mode]);
    }
    printf("\n    %-*s%14s %6s%14s\n", TITLE_COLUMN, "", mode_titles[0], "", mode_titles[1]);
    for (int i = 0; i < GBL_LIMITERS; i++) {
        const double terms[2] = {seen->modes[0].predicted.term[i],
                                 seen->modes[1].predicted.term[i]};
        print_times(gbl_limiter_name((gbl_limiter)i), terms, predicted);
    }
    print_times("predicted", predicted, NULL);
    if (!(measured[0] <= 0) && measured[1] > 0) {
        print_times("measured", measured, NULL);
        print_times("unexplained", rest, measured);
    }
    printf("    %-*s%14.0f %%%19.0f %%\n\n", TITLE_COLUMN, "% of roof", 100 * part[0],
           100 * part[1]);
    snprintf(text, sizeof text, "%s replayed, %s alone",
             gbl_limiter_name(seen->modes[0].predicted.limiter),
             gbl_limiter_name(seen->modes[1].predicted.limiter));
    print_line("limiter", text);
}

static void print_changed(const explanation *seen)
{
    char text[TEXT_BYTES];
    double after[2], before[2];
    for (int mode = 0; mode < 2; mode++) {
        before[mode] = seen->modes[mode].predicted.seconds;
        after[mode] = seen->modes[mode].changed.seconds;
    }
    putchar('\n');
    snprintf(text, sizeof text, "%s, by the model alone", seen->change);
    print_line("what if", text);
    for (int i = 0; i < GBL_LIMITERS; i++) {
        const double terms[2] = {seen->modes[0].changed.term[i], seen->modes[1].changed.term[i]};
        print_times(gbl_limiter_name((gbl_limiter)i), terms, after);
    }
    print_times("predicted", after, NULL);
    print_times("was", before, NULL);
    snprintf(text, sizeof text, "%s replayed (%.2f times as fast), %s alone (%.2f times)",
             gbl_limiter_name(seen->modes[0].changed.limiter), before[0] / after[0],
             gbl_limiter_name(seen->modes[1].changed.limiter), before[1] / after[1]);
    print_line("limiter", text);
}

void explanation_print(const explanation *seen)
{
    print_title(seen);
    print_work(seen);
    if (seen->forecast.choice.variant->parts != NULL)
        print_parts(seen);
    print_device_use(seen);
    print_terms(seen);
    print_line("why", seen->advice.why);
    if (seen->advice.gap[0] != '\0')
        print_line("", seen->advice.gap);
    for (int i = 0; i < seen->advice.count; i++)
        print_line(i == 0 ? "do" : "", seen->advice.texts[i]);
    if (seen->advice.difference[0] != '\0')
        print_line("beware", seen->advice.difference);
    if (seen->above[0] != '\0')
        print_line(seen->advice.difference[0] == '\0' ? "beware" : "", seen->above);
    if (seen->change != NULL)
        print_changed(seen);
    putchar('\n');
    fflush(stdout);
}

/* ---- For programs ---- */

static void write_case(const explanation *seen)
{
    const forecast *f = &seen->forecast;
    const gbl_variant *variant = f->choice.variant;
    char text[TEXT_BYTES];
    json_case(&f->what);
    snprintf(text, sizeof text, "%s %s", seen->device->info.name, seen->device->info.title);
    json_text("device", text);
    json_text("roofs", gbl_roofs_source_name(seen->roofs->source));
    if (seen->roofs->source == GBL_ROOFS_MEASURED)
        json_number("roofs_disturbed", gbl_roofs_disturbed(seen->roofs));
    json_text("temp", seen->hot ? "hot" : "cold");
    json_text("variant", variant->name);
    json_open("params");
    for (int i = 0; i < variant->space_count; i++)
        json_integer(variant->space[i].name, f->choice.params.value[i]);
    json_close();
    json_text("choice", forecast_source_word(f));
}

static void write_cost(const explanation *seen)
{
    const forecast *f = &seen->forecast;
    json_open("work");
    json_number("bytes_read", f->work.bytes_read);
    json_number("bytes_written", f->work.bytes_written);
    json_number("flops", f->work.flops);
    json_close();
    json_open("cost");
    json_number("memory_bytes", f->cost.memory_bytes);
    json_number("written_bytes", f->cost.written_bytes);
    json_number("cache_bytes", f->cost.cache_bytes);
    json_number("local_bytes", f->cost.local_bytes);
    json_number("workspace_bytes", seen->modes[BENCH_REPLAY].predicted.workspace_bytes);
    json_number("flops", f->cost.flops);
    json_number("matrix_flops", f->cost.matrix_flops);
    json_number("launches", f->cost.launches);
    json_number("barriers", f->cost.barriers);
    json_number("steps", f->cost.steps);
    json_number("groups", f->cost.groups);
    json_number("group_items", f->cost.group_items);
    json_number("bytes_in_flight", f->cost.bytes_in_flight);
    if (seen->link_bytes > 0)
        json_number("link_bytes", seen->link_bytes);
    json_close();
}

static void write_kernels(const forecast *f)
{
    json_open_list("kernels");
    for (int i = 0; i < f->launches && i < FORECAST_KERNELS; i++) {
        const forecast_kernel *kernel = &f->kernels[i];
        json_open(NULL);
        json_text("name", kernel->name);
        json_number("groups", kernel->groups);
        json_integer("items", kernel->items);
        if (kernel->registers > 0)
            json_integer("registers", kernel->registers);
        if (kernel->local_bytes >= 0)
            json_integer("local_bytes", kernel->local_bytes);
        if (kernel->spill_bytes >= 0)
            json_integer("spill_bytes", kernel->spill_bytes);
        if (kernel->has_occupancy) {
            json_integer("groups_a_unit", kernel->occupancy.groups);
            json_number("occupancy", kernel->occupancy.fraction);
            json_text("limited_by", kernel->occupancy.limiter);
        }
        json_close();
    }
    json_close();
}

static void write_prediction(const gbl_prediction *p)
{
    json_number("predicted_usec", 1e6 * p->seconds);
    json_text("limiter", gbl_limiter_name(p->limiter));
    json_open("terms_usec");
    for (int i = 0; i < GBL_LIMITERS; i++)
        json_number(i == GBL_LIMIT_LINK     ? "link"
                    : i == GBL_LIMIT_LOCAL  ? "local"
                    : i == GBL_LIMIT_MATRIX ? "matrix"
                                            : gbl_limiter_name((gbl_limiter)i),
                    1e6 * p->term[i]);
    json_close();
    json_open("resources_usec");
    json_number("memory", 1e6 * p->memory_seconds);
    json_number("cache", 1e6 * p->cache_seconds);
    json_number("arithmetic", 1e6 * p->arithmetic_seconds);
    json_number("matrix", 1e6 * p->matrix_seconds);
    json_number("local", 1e6 * p->local_seconds);
    json_close();
    json_number("fill", p->fill);
    json_number("waves", p->waves);
    json_number("groups_at_once", p->resident);
    json_number("in_flight", p->in_flight);
    json_number("in_flight_needed", p->in_flight_needed);
}

static void write_mode(const explanation *seen, int number)
{
    const explanation_mode *mode = &seen->modes[number];
    const bool measured = mode->measured > 0;
    const double time = measured ? mode->measured : mode->predicted.seconds;
    json_open(mode_names[number]);
    write_prediction(&mode->predicted);
    if (measured) {
        json_number("usec", 1e6 * mode->measured);
        json_number("usec_min", 1e6 * mode->least);
        json_number("roof_beside", mode->roof);
        json_number("model_error", fabs(mode->predicted.seconds - time) / time);
    }
    json_number("roof", seen->roof_seconds / time);
    if (seen->change != NULL) {
        json_open("changed");
        write_prediction(&mode->changed);
        json_close();
    }
    json_close();
}

void explanation_write(const explanation *seen)
{
    json_open(NULL);
    write_case(seen);
    write_cost(seen);
    write_kernels(&seen->forecast);
    if (seen->change != NULL)
        json_text("what_if", seen->change);
    write_mode(seen, BENCH_REPLAY);
    write_mode(seen, BENCH_SINGLE);
    if (seen->modes[BENCH_REPLAY].measured > 0)
        json_number("error", seen->error);
    json_text("why", seen->advice.why);
    if (seen->advice.gap[0] != '\0')
        json_text("gap", seen->advice.gap);
    if (seen->advice.difference[0] != '\0')
        json_text("difference", seen->advice.difference);
    if (seen->above[0] != '\0')
        json_text("above_roof", seen->above);
    json_open_list("advice");
    for (int i = 0; i < seen->advice.count; i++) {
        json_open(NULL);
        json_text("do", advice_name(seen->advice.kinds[i]));
        json_text("text", seen->advice.texts[i]);
        json_close();
    }
    json_close();
    json_close();
}
