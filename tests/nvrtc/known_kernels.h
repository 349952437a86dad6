/* known_kernels.h: kernels that compiled without spills before, as a list in the tree.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A line of the list stands for all jobs of one file and architecture: a hash of everything that
 * the compiler sees of them, and of its version (compile_subject). Where the text of a kernel, a
 * header, a macro, a tunable, an option or the compiler changed, the hash is not in the list and
 * the jobs are compiled. Of the others one in KNOWN_SAMPLE is, so that a list that says what is
 * not so is found.
 */
#ifndef TEST_KNOWN_KERNELS_H
#define TEST_KNOWN_KERNELS_H

#include <stdio.h>
#include "nvrtc/compile_jobs.h"

#define KNOWN_SAMPLE 16

/* Leaves the jobs that the list does not know, and a sample of the others; returns how many. */
int known_leave_out(compile_job *jobs, int count, const char *list);

/* The lines of jobs that were compiled. A file of which one is bad gets none. */
void known_write(const compile_job *jobs, int count, FILE *stream);

#endif
