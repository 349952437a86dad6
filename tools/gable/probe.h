/* probe.h: runs something that may crash or hang in a process of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_PROBE_H
#define TOOL_PROBE_H

#include <stddef.h>

typedef enum probe_end { PROBE_DONE, PROBE_CRASHED, PROBE_HUNG, PROBE_FAILED } probe_end;

/* Runs in the child, whose output goes nowhere. What it leaves in text comes back. */
typedef void (*probe_function)(const void *user, char *text, size_t text_bytes);

/* Waits at most `seconds`. text is empty unless the function ended (PROBE_DONE) and said something;
 * *signal_number is what ended a child that crashed. PROBE_FAILED: no child could be started. */
probe_end probe_run(probe_function function, const void *user, int seconds, char *text,
                    size_t text_bytes, int *signal_number);

#endif
