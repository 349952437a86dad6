/* compile_jobs.h: many kernels through NVRTC at once, and what the compiler said of them kept on
 * disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As many threads compile as there are cores. A folder keeps the compiler's report of each kernel
 * that is good; the next run reads the report again and judges it as it would judge a fresh one. A
 * file is found by a hash of everything that the compiler sees: program text, macros, architecture,
 * options and the compiler itself. It counts only if it holds the same key and its own checksum.
 * Anything else is ignored and written anew. So the folder can save time, and cannot hide an error
 * or a spill.
 */
#ifndef TEST_COMPILE_JOBS_H
#define TEST_COMPILE_JOBS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/kernel.h"

typedef struct compile_job {
    gbl_kernel_spec spec;
    const char *source; /* the program; lives as long as the job */
    const char *arch;
    /* What came of it. */
    bool good;   /* machine code, no spills, no serialised wgmma, shared memory within the limit */
    bool cached; /* the report is from the folder */
    char why[1024];
} compile_job;

/* Everything that the compiler sees of a job, and its version: options, file, architecture, program
 * and macros, in one line. */
#define COMPILE_SUBJECT_BYTES 1536
void compile_subject(const compile_job *job, char text[COMPILE_SUBJECT_BYTES]);

/* Another `start` gives another hash of the same text. */
uint64_t compile_hash(const char *text, uint64_t start);

/* Compiles all of them and fills in what came of them. folder: where reports are kept; NULL:
 * nowhere. It is made if it is not there. */
void compile_all(compile_job *jobs, int count, const char *folder);

/* The file that keeps the report of a job. */
void compile_report_path(const compile_job *job, const char *folder, char *path, size_t bytes);

#endif
