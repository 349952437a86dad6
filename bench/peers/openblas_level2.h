/* openblas_level2.h: OpenBLAS's matrix routines, for peer_openblas.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_OPENBLAS_LEVEL2_H
#define BENCH_OPENBLAS_LEVEL2_H

#include "peers/peer.h"

/* NULL, or the function that the library lacks. */
const char *openblas_load_level2(void *library);

/* The task of an op, or NULL; and whether it takes the case. */
gbl_task_function openblas_level2_task(const char *stem);
bool openblas_has_level2(const bench_case *what);

#endif
