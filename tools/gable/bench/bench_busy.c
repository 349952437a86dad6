/* bench_busy.c: whether other programs disturb measurements on the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <time.h>
#include "bench_busy.h"

/* Threads of other programs that want to run, on average over a few looks; 0 where nobody tells. */
static double busy_others(void)
{
    enum { LOOKS = 5 };
    const struct timespec pause = {0, 10000000};
    int sum = 0;
    for (int i = 0; i < LOOKS; i++) {
        int running = 1;
        FILE *file = fopen("/proc/loadavg", "r");
        if (file == NULL || fscanf(file, "%*s %*s %*s %d/", &running) != 1)
            running = 1;
        if (file != NULL)
            fclose(file);
        sum += running - 1; /* without ourselves */
        nanosleep(&pause, NULL);
    }
    return (double)sum / LOOKS;
}

bool bench_busy_text(int cores, char *text, size_t text_bytes)
{
    const double others = cores > 0 ? busy_others() : 0;
    snprintf(text, text_bytes,
             "about %.0f thread%s of other programs run%s on the %d cores: times will be unsteady",
             others, others < 1.5 ? "" : "s", others < 1.5 ? "s" : "", cores);
    return others >= 0.5;
}
