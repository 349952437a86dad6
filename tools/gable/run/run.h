/* run.h: the table of `gable run`.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H

#include "link/link_counters.h"

/* What went where, what it gained, and why where nothing did: on the standard error. */
void run_show(gbl_link_counters *counters, const char *program, double seconds);

/* A sentence on why a program cannot be reached, or "": it is static, or has more rights than its
 * caller, or has the address sanitizer of gcc. */
#define RUN_REASON_BYTES 512
void run_obstacle(const char *program, char text[RUN_REASON_BYTES]);

#endif
