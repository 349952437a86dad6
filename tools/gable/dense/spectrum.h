/* spectrum.h: eigenvalues and singular values on the command line and on the terminal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_SPECTRUM_H
#define TOOL_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"

typedef struct spectrum_range {
    bool given;
    double from, to; /* from < value <= to; infinite where an end was left out */
} spectrum_range;
/* For args_option.read: "LO:HI", either of which may be missing. */
bool spectrum_read_range(const char *text, void *to, char *why, size_t why_bytes);

/* The first and the last, with their numbers, which begin with `first`. */
void spectrum_values(gbl_dtype dtype, const double *values, int64_t count, int64_t first);

/* How many values lie in each of some equal parts of their range, in the order of the values. */
void spectrum_plot(const double *ascending, int64_t count);
/* Likewise of values that are not negative, in parts with equal quotients of their ends; those that
 * are not above `zero` count together. */
void spectrum_plot_quotients(const double *descending, int64_t count, double zero);

#endif
