/* bench_busy.h: whether other programs disturb measurements on the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_BENCH_BUSY_H
#define TOOL_BENCH_BUSY_H

#include <stdbool.h>
#include <stddef.h>

/* True: other programs want to run on these cores, and the text says how many threads of them. */
bool bench_busy_text(int cores, char *text, size_t text_bytes);

#endif
