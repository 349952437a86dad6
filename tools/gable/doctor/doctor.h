/* doctor.h: what `gable doctor` finds, one finding per line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_DOCTOR_H
#define TOOL_DOCTOR_H

#include <stdbool.h>
#include "device/message.h"

/* A note is worth knowing but nothing that must be fixed: no GPU driver on a machine without
 * one. */
typedef enum doctor_state { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_PROBLEM } doctor_state;

/* Prints one finding: what was looked at, what is the matter and, unless NULL, the command that
 * fixes it. */
void doctor_tell(doctor_state state, const char *what, const char *cure, const char *format, ...)
    GBL_PRINTF(4, 5);

/* doctor_opencl.c: the loader, the vendors' files, the platforms. false: this process would not
 * survive a list of the devices. To be called before any library was loaded: it forks. */
bool doctor_opencl(void);
/* doctor_libraries.c: CUDA's driver and compiler, cuBLAS, the cpu's BLAS. */
void doctor_cuda(void);
void doctor_blas(void);
void doctor_lapack(void);
/* doctor_petsc.c: the plugin for PETSc. */
void doctor_petsc(void);
/* doctor_files.c: the folder of compiled kernels; device files. */
void doctor_cache(void);
void doctor_permissions(void);
/* doctor_smoke.c: real work on one device, or on all that are usable (NULL). */
void doctor_default_device(void);
void doctor_smoke(const char *device);

/* How many files of the folder of compiled kernels are good, and which are not: cut short, changed,
 * or of another program. The first bad one's path goes to `bad_path` ("" when there is none). */
typedef struct doctor_cache_count {
    int good, bad;
    long long bytes;
    char bad_path[2048];
} doctor_cache_count;
void doctor_count_cache(const char *folder, doctor_cache_count *count);

#endif
