/* roof_args.h: what the kernels that measure a device are told, for the host and for kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ROOF_ARGS_H
#define ROOF_ARGS_H

#define ROOF_STEPS      16                 /* of every chain in one round of muladd.cl */
#define ROOF_MMA_FLOPS  4096               /* of 32 lanes, in each chain of one round of dmma.cu */
#define ROOF_TF32_FLOPS (2 * 64 * 128 * 8) /* of 128 lanes, likewise of tf32.cu */

typedef struct roof_args {
    i64 rounds;
    i64 size;  /* of the set that is read: vectors (sweep), words (chase, a power of two) */
    i64 share; /* sweep: where a group starts, times its number; chase: where it starts */
    /* sweep: from one vector of a work-item to its next, below size; chase: an odd number */
    i64 step;
} roof_args;

#endif
