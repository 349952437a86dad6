/* patience.h: waits that end, for devices whose drivers know none.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     gbl_patience patience = gbl_patience_begin(seconds);
 *     while (!done() && gbl_patience_wait(&patience)) {}
 */
#ifndef GBL_PATIENCE_H
#define GBL_PATIENCE_H

#include <stdbool.h>

typedef struct gbl_patience {
    double end; /* on the clock of the host, in seconds */
    int asked;
} gbl_patience;

gbl_patience gbl_patience_begin(double seconds);
/* Waits a moment, the longer the more often it was called; false when the time is over. */
bool gbl_patience_wait(gbl_patience *patience);
/* Seconds on a clock that only goes forward. */
double gbl_host_seconds(void);

#endif
