/* busy.c: how much of the processors other programs take, by /proc/stat.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The whole machine counts, because all of it shares the memory. The processors of this process
 * also count alone, because another program there takes turns with it. Time that a hypervisor gave
 * to others is time of others.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "model/busy.h"

static double seconds_of(clockid_t clock)
{
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* "cpu3 user nice system idle iowait irq softirq steal ...": what it says, or false for another
 * line. */
static bool read_line(const char *line, int *number, double *busy, double *ticks)
{
    unsigned long long t[8] = {0};
    int length = 0;
    *number = -1;
    if (strncmp(line, "cpu", 3) != 0)
        return false;
    if (sscanf(line + 3, "%d%n", number, &length) != 1 || line[3] == ' ')
        *number = -1, length = 0;
    if (sscanf(line + 3 + length, "%llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2],
               &t[3], &t[4], &t[5], &t[6], &t[7]) < 4)
        return false;
    *ticks = 0;
    for (int i = 0; i < 8; i++)
        *ticks += (double)t[i];
    *busy = *ticks - (double)t[3] - (double)t[4];
    return true;
}

void gbl_busy_look(gbl_busy *look)
{
    cpu_set_t allowed;
    char line[512];
    memset(look, 0, sizeof *look);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
    FILE *stream = fopen("/proc/stat", "r");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        double busy, ticks;
        int number;
        if (!read_line(line, &number, &busy, &ticks) || number < 0)
            continue;
        look->all++;
        look->all_busy += busy;
        look->all_ticks += ticks;
        if (number < CPU_SETSIZE && CPU_ISSET(number, &allowed)) {
            look->these++;
            look->these_busy += busy;
            look->these_ticks += ticks;
        }
    }
    if (stream != NULL)
        fclose(stream);
    look->now = seconds_of(CLOCK_MONOTONIC);
    look->own = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* What others took of `count` processors. */
static double part(double busy, double ticks, double own, double seconds, int count)
{
    if (count == 0 || !(ticks > 0) || !(seconds > 0))
        return -1;
    const double others = busy / ticks - own / (seconds * count);
    return others < 0 ? 0 : others < 1 ? others : 1;
}

double gbl_busy_between(const gbl_busy *first, const gbl_busy *last)
{
    const double own = last->own - first->own, seconds = last->now - first->now;
    if (first->all != last->all || first->these != last->these)
        return -1;
    const double all = part(last->all_busy - first->all_busy, last->all_ticks - first->all_ticks,
                            own, seconds, last->all);
    const double these = part(last->these_busy - first->these_busy,
                              last->these_ticks - first->these_ticks, own, seconds, last->these);
    return all > these ? all : these;
}
