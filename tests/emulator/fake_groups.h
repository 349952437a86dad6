/* fake_groups.h: groups of the fake device that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef FAKE_GROUPS_H
#define FAKE_GROUPS_H

#define FAKE_AT_ONCE 8 /* groups that can run at the same time */
#define FAKE_HANGS   3 /* the program's status when a launch took too long */

/* How many groups run at the same time from now on; 1: one after another. */
void fake_at_once(int groups);
/* After so many seconds of processor time a launch that still waits ends the program, with a
 * message. */
void fake_patience(double seconds);

/* What all launches came to. A turn is that another group than the last one says a word between
 * groups. */
typedef struct fake_turns {
    long launches; /* of more than one group at once */
    long words;    /* TICKET, PUBLISH, PEEK */
    long turns;
    long fewest; /* turns if the groups had run one after another */
} fake_turns;
fake_turns fake_turns_so_far(void);

#endif
