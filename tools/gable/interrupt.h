/* interrupt.h: Ctrl-C in commands that take long.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first one asks the command to end with what it has, a second one ends the process.
 */
#ifndef TOOL_INTERRUPT_H
#define TOOL_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

extern volatile sig_atomic_t interrupt_asked;

/* From now on. */
void interrupt_watch(void);

/* The same as a function, for what asks one whether to stop. */
bool interrupt_stops(void *user);

#endif
