/* tune_line.h: one measurement as one line of the tuning database.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A flat JSON object. The sizes and flags beside "key" are for readers of the file; the key alone
 * counts. docs/tuning.md lists the members.
 */
#ifndef GBL_TUNE_LINE_H
#define GBL_TUNE_LINE_H

#include "tune/database.h"

#define GBL_TUNE_LINE_BYTES 1024 /* the longest that is written, with '\n' and 0 */

typedef enum gbl_line_kind {
    GBL_LINE_BAD,
    /* a measurement, but of an op, variant, tunable or value that this library lacks */
    GBL_LINE_UNKNOWN,
    GBL_LINE_GOOD
} gbl_line_kind;

/* Reads a line that ends at '\n' or 0. op and variant are set where the line is good; the entry's
 * device and times also where it is unknown. */
gbl_line_kind gbl_tune_line_read(const char *line, gbl_entry *entry, const gbl_op **op,
                                 const gbl_variant **variant);

/* Writes a line with its '\n'; false: this library does not know the op or variant. */
bool gbl_tune_line_write(const gbl_entry *entry, char line[GBL_TUNE_LINE_BYTES]);

#endif
