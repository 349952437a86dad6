/* number_text.h: numbers as text and back, whatever locale the program has set.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * strtod and printf follow LC_NUMERIC: in many countries "1.5" is read as 1, and 1.5 written as
 * "1,5". These functions always mean a point. They neither read nor set the locale, so several
 * threads may use them.
 */
#ifndef GBL_NUMBER_TEXT_H
#define GBL_NUMBER_TEXT_H

#include <stddef.h>

#define GBL_NUMBER_BYTES 40 /* room for any number */

/* A number as JSON has them at the start of a text, rounded to the nearest double. What follows it,
 * or NULL where there is none or it is too large. `value` may be NULL. */
const char *gbl_number_read(const char *text, double *value);

/* Like printf's %.*g and %.*f, at most 17 digits: `text`, with a point. 17 digits bring back the
 * same number. Numbers of 10^15 and more have no decimals. */
const char *gbl_number_write(double value, int digits, char text[GBL_NUMBER_BYTES]);
const char *gbl_number_fixed(double value, int decimals, char text[GBL_NUMBER_BYTES]);

/* Six digits, for messages: valid until the block ends. */
#define GBL_NUMBER(value) gbl_number_write((value), 6, (char[GBL_NUMBER_BYTES]){0})

#endif
