/* openblas_level3.h: OpenBLAS's routines on two or three matrices, for peer_openblas.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_OPENBLAS_LEVEL3_H
#define BENCH_OPENBLAS_LEVEL3_H

#include "peers/openblas_level2.h"

/* The task of an op, or NULL. */
gbl_task_function openblas_level3_task(const char *stem);

#endif
