/* run_show.c: what became of a program's calls, in a table and in sentences.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "gable/plural.h"
#include "run.h"

/* The sums over all processes. */
typedef struct row {
    uint64_t calls[GBL_LINK_OUTCOMES], all;
    double cpu_seconds, device_seconds, predicted_seconds, link_bytes;
    int64_t largest[3];
} row;

static const char *const stems[] = {
#define STEM(stem, letters) #stem,
    GBL_LINK_ROUTINES(STEM)
#undef STEM
};

static void add_cell(const gbl_link_cell *cell, row *sum)
{
    int64_t sizes[3];
    for (int i = 0; i < GBL_LINK_OUTCOMES; i++) {
        sum->calls[i] += cell->calls[i];
        sum->all += cell->calls[i];
    }
    sum->cpu_seconds += (double)cell->cpu_time * 1e-9;
    sum->device_seconds += (double)cell->device_time * 1e-9;
    sum->predicted_seconds += (double)cell->predicted_time * 1e-9;
    sum->link_bytes += (double)cell->link_bytes;
    gbl_link_unpack_sizes(cell->largest, sizes);
    if (sizes[0] * sizes[1] * sizes[2] > sum->largest[0] * sum->largest[1] * sum->largest[2])
        memcpy(sum->largest, sizes, sizeof sizes);
}

static void add_rows(const row *from, row *to)
{
    for (int i = 0; i < GBL_LINK_OUTCOMES; i++)
        to->calls[i] += from->calls[i];
    to->all += from->all;
    to->cpu_seconds += from->cpu_seconds;
    to->device_seconds += from->device_seconds;
    to->predicted_seconds += from->predicted_seconds;
    to->link_bytes += from->link_bytes;
    if (from->largest[0] * from->largest[1] * from->largest[2] >
        to->largest[0] * to->largest[1] * to->largest[2])
        memcpy(to->largest, from->largest, sizeof to->largest);
}

static void show_row(const char *name, const row *sum)
{
    char largest[64] = "-";
    if (sum->largest[0] > 0)
        snprintf(largest, sizeof largest, "%lldx%lldx%lld", (long long)sum->largest[0],
                 (long long)sum->largest[1], (long long)sum->largest[2]);
    const uint64_t small = sum->calls[GBL_LINK_WAS_SMALL];
    const uint64_t device = sum->calls[GBL_LINK_WAS_OFFLOADED];
    fprintf(stderr, "  %-9s %10llu %10llu %10llu %10llu %9.3f %9.3f %9.3f %9.1f  %s\n", name,
            (unsigned long long)sum->all, (unsigned long long)small,
            (unsigned long long)(sum->all - small - device), (unsigned long long)device,
            sum->cpu_seconds, sum->device_seconds,
            sum->predicted_seconds > 0 ? sum->predicted_seconds - sum->device_seconds : 0,
            sum->link_bytes * 1e-6, largest);
}

static void show_table(const gbl_link_counters *counters, row *total)
{
    bool headed = false;
    for (int routine = 0; routine < GBL_LINK_ROUTINE_COUNT; routine++)
        for (int dtype = 0; dtype < GBL_DTYPES; dtype++) {
            row sum = {.all = 0};
            char name[32];
            for (int i = 0; i < GBL_LINK_COUNTERS_SLOTS; i++)
                add_cell(&counters->processes[i].cells[routine][dtype], &sum);
            if (sum.all == 0)
                continue;
            if (!headed)
                fprintf(stderr, "  %-9s %10s %10s %10s %10s %9s %9s %9s %9s  %s\n", "routine",
                        "calls", "small", "on CPU", "on device", "s CPU", "s device", "s saved",
                        "MB moved", "largest");
            headed = true;
            snprintf(name, sizeof name, "%c%s", gbl_dtype_letter((gbl_dtype)dtype), stems[routine]);
            show_row(name, &sum);
            add_rows(&sum, total);
        }
}

/* ---- Sentences ---- */

static void show_processes(const gbl_link_counters *counters)
{
    int shown = 0, count = 0;
    for (int i = 0; i < GBL_LINK_COUNTERS_SLOTS; i++) {
        const gbl_link_process *const process = &counters->processes[i];
        if (process->number == 0 || process->library[0] == '\0')
            continue;
        count++;
        if (shown++ > 0)
            continue;
        fprintf(stderr, "CPU library of %s: %.180s, integers of %d bits, %d thread%s\n",
                process->program, process->library, (int)process->integers, (int)process->threads,
                PLURAL(process->threads));
        if (process->device[0] != '\0')
            fprintf(stderr, "device: %s, opened in %.3f s\n", process->device,
                    (double)process->opening_time * 1e-9);
        if (process->reason[0] != '\0')
            fprintf(stderr, "device: none: %s\n", process->reason);
    }
    if (count > 1)
        fprintf(stderr, "%d processes made calls\n", count);
}

/* Whether a process judged calls by a guess of the CPU's speed. */
static bool was_guessed(const gbl_link_counters *counters)
{
    for (int i = 0; i < GBL_LINK_COUNTERS_SLOTS; i++)
        if (counters->processes[i].guessed != 0)
            return true;
    return false;
}

static void show_objects(const gbl_link_counters *counters)
{
    for (int i = 0; i < GBL_LINK_COUNTERS_SLOTS; i++)
        if (counters->processes[i].objects[0] != '\0') {
            fprintf(stderr,
                    "%s had loaded %s, and called none of the routines that can go to a device\n",
                    counters->processes[i].program, counters->processes[i].objects);
            return;
        }
    fputs("no BLAS routine that can go to a device was called, and no BLAS library was seen\n",
          stderr);
}

/* Why nothing went to a device: what most calls were. */
static void show_reason(const row *total)
{
    const uint64_t large = total->all - total->calls[GBL_LINK_WAS_SMALL];
    if (large == 0) {
        fprintf(stderr, "nothing went to a device: all %llu calls were small\n",
                (unsigned long long)total->all);
        return;
    }
    static const char *const reasons[] = {
        [GBL_LINK_WAS_CPU] = "the CPU would have been as fast",
        [GBL_LINK_WAS_EARLY] = "the calls together do not pay for opening a device",
        [GBL_LINK_WAS_BARRED] = "there was no device to use, or the settings forbid it",
        [GBL_LINK_WAS_ODD] = "operands overlap, are wrong or stand far apart",
        [GBL_LINK_WAS_FAILED] = "the device failed",
    };
    int most = GBL_LINK_WAS_CPU;
    for (int i = GBL_LINK_WAS_CPU; i <= GBL_LINK_WAS_FAILED; i++)
        if (total->calls[i] > total->calls[most])
            most = i;
    fprintf(stderr, "nothing went to a device: of %llu call%s that are not small, %llu: %s\n",
            (unsigned long long)large, PLURAL(large), (unsigned long long)total->calls[most],
            reasons[most]);
    fprintf(stderr, "largest product: %lld x %lld x %lld\n", (long long)total->largest[0],
            (long long)total->largest[1], (long long)total->largest[2]);
}

void run_show(gbl_link_counters *counters, const char *program, double seconds)
{
    char obstacle[RUN_REASON_BYTES];
    row total = {.all = 0};
    fprintf(stderr, "\ngable run: %s took %.3f s\n", program, seconds);
    show_table(counters, &total);
    run_obstacle(program, obstacle);
    if (total.all == 0) {
        if (obstacle[0] != '\0')
            fprintf(stderr, "%s\n", obstacle);
        else
            show_objects(counters);
        return;
    }
    show_processes(counters);
    if (total.calls[GBL_LINK_WAS_OFFLOADED] == 0)
        show_reason(&total);
    else if (total.predicted_seconds <= 0)
        fputs("saved: not known, because calls were sent by force and nothing was predicted\n",
              stderr);
    else
        fprintf(stderr, "saved: %.3f s (predicted on the CPU %.3f, on the device %.3f)\n",
                total.predicted_seconds - total.device_seconds, total.predicted_seconds,
                total.device_seconds);
    if (total.predicted_seconds > 0 && was_guessed(counters))
        fputs("the speed of the CPU library is a guess: `gable info --roofs --device cpu`, or one "
              "run with --link cpu, measures it\n",
              stderr);
}
