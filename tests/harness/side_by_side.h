/* side_by_side.h: a test program that runs itself several times at once, for a part of its work
 * each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On a GPU most of a test's time is the compiler's, which works on one core for one process.
 * $GABLE_TEST_SIDE_BY_SIDE asks for it: tools that watch a process, such as compute-sanitizer,
 * would not see the others.
 */
#ifndef TEST_SIDE_BY_SIDE_H
#define TEST_SIDE_BY_SIDE_H

#include <stdbool.h>

bool side_by_side_asked(void);

/* Runs `program` once per word, with the word as its only argument, all at the same time; prints
 * what each said, in the order of the words. Returns 0 if all did, 77 if all were skipped, else
 * 1. */
int side_by_side(const char *program, const char *const *words, int count);

#endif
