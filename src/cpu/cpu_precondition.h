/* cpu_precondition.h: Jacobi and block-Jacobi on the cpu, as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_PRECONDITION_H
#define GBL_CPU_PRECONDITION_H

#include "cpu/cpu_kernels.h"
#include "device/sparse_args.h"

#define GBL_CPU_MOST_BLOCK 32

typedef struct gbl_cpu_block_args {
    gbl_sparse_layout A; /* in CSR, ELL or SELL: of block_inverse */
    int64_t n;
    int block;
    void *inverse; /* ceil(n / block) blocks, column-major */
    const void *x; /* of block_apply: y := M^-1 x */
    void *y;
} gbl_cpu_block_args;

/* The inverses of the blocks on the diagonal. A block whose inverse does not exist or is not finite
 * becomes the identity; the last is filled up with it. */
GBL_CPU_TASKS(block_inverse);
GBL_CPU_TASKS(block_apply);

#endif
