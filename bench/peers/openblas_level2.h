/* openblas_level2.h: what the two files of the OpenBLAS peer share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_OPENBLAS_LEVEL2_H
#define BENCH_OPENBLAS_LEVEL2_H

#include "device/cpu_blas.h"
#include "peers/peer.h"

/* OpenBLAS's functions, loaded by peer_openblas.c: always its own, whatever BLAS Gable took. */
extern gbl_cpu_blas openblas;

/* A complex scalar in the type of the operands. */
typedef union openblas_scalar {
    float single[2];
    double wide[2];
} openblas_scalar;

static inline openblas_scalar openblas_typed(gbl_dtype dtype, gbl_scalar value)
{
    openblas_scalar s;
    if (gbl_dtype_real_bytes(dtype) == 4) {
        s.single[0] = (float)value.re;
        s.single[1] = (float)value.im;
    } else {
        s.wide[0] = value.re;
        s.wide[1] = value.im;
    }
    return s;
}

/* Loads what only OpenBLAS has. */
void openblas_load_level2(void *library);

/* The task of an op, or NULL; and whether it takes the case. */
gbl_task_function openblas_level2_task(const char *stem);
bool openblas_has_level2(const bench_case *what);

#endif
