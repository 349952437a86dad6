/* busy.h: how much of the processors other programs take.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_BUSY_H
#define GBL_BUSY_H

/* The clocks of the processors at one moment. */
typedef struct gbl_busy {
    double now, own;                /* seconds: of a clock, of this process on all processors */
    double all_busy, all_ticks;     /* of all processors */
    double these_busy, these_ticks; /* of those that this process may run on */
    int all, these;                 /* how many there are; 0: nobody tells */
} gbl_busy;

void gbl_busy_look(gbl_busy *look);

/* The part of the processors' time that others took between two looks, 0 to 1: of all processors or
 * of those that this process may run on, whichever is more. -1 where the system does not tell. */
double gbl_busy_between(const gbl_busy *first, const gbl_busy *last);

#endif
