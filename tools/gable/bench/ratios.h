/* ratios.h: geometric means of times over Gable's, and the worst row of each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One entry for each name (a peer, a device) and mode.
 */
#ifndef TOOL_RATIOS_H
#define TOOL_RATIOS_H

#define RATIOS_MAX        64
#define RATIOS_TEXT_BYTES 128

/* Below the one a ratio is shown in red, above the other in green. */
#define RATIO_POOR 0.95
#define RATIO_GOOD 1.05

typedef struct ratio_entry {
    char name[RATIOS_TEXT_BYTES];
    const char *mode;
    int count;
    double log_sum, worst;
    char worst_row[RATIOS_TEXT_BYTES];
} ratio_entry;

typedef struct ratios {
    int count;
    ratio_entry entries[RATIOS_MAX];
} ratios;

/* Adds one ratio of a row; those that are not above 0 are none. mode is a lasting text. */
void ratios_add(ratios *all, const char *name, const char *mode, double ratio, const char *row);
/* One line per entry. */
void ratios_print(const ratios *all);

#endif
