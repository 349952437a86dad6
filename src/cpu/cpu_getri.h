/* cpu_getri.h: the columns of an inverse, put into their order, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_GETRI_H
#define GBL_CPU_GETRI_H

#include "cpu/cpu_kernels.h"

/* A := W with its columns exchanged as ipiv says: kernels/lapack/getri_columns.cl. `from` is room
 * for n numbers. */
typedef struct gbl_cpu_getri_args {
    int64_t n;
    const void *W;
    int64_t ldw;
    void *A;
    int64_t lda;
    const int64_t *ipiv;
    int64_t *from;
} gbl_cpu_getri_args;

GBL_CPU_TASKS(getri_columns);

#endif
