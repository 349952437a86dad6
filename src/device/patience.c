/* patience.c: waits that end, for devices whose drivers know none.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Work of a device takes tens of microseconds or many milliseconds. So the first questions follow
 * each other at once, as the driver's own waits do, and later ones leave the core to others.
 */
#include <sched.h>
#include <time.h>
#include "device/patience.h"

#define EAGER   2000 /* questions, of about a microsecond each */
#define MOST_NS 200000

double gbl_host_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

gbl_patience gbl_patience_begin(double seconds)
{
    return (gbl_patience){.end = gbl_host_seconds() + seconds};
}

bool gbl_patience_wait(gbl_patience *patience)
{
    if (patience->asked < EAGER) {
        patience->asked++;
        sched_yield();
    } else {
        const struct timespec moment = {.tv_nsec = MOST_NS};
        nanosleep(&moment, NULL);
    }
    return gbl_host_seconds() < patience->end;
}
