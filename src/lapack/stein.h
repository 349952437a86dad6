/* stein.h: eigenvectors of a symmetric tridiagonal matrix for some of its eigenvalues, by inverse
 * iteration, on devices with kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing waits, and nothing is read back: which eigenvalues are close together only the device
 * knows. As many launches are enqueued whatever they are.
 */
#ifndef GBL_STEIN_H
#define GBL_STEIN_H

#include "core/kernel.h"
#include "lapack/lapack.h"

typedef struct gbl_stein_call {
    gbl_dtype dtype; /* of Z; everything else is real */
    int64_t n, count;
    /* As gbl_bisect leaves them: the scaled matrix, its numbers, eigenvalues of the given one,
     * ascending. */
    const void *scaled, *numbers, *values;
    void *Z; /* n by count */
    int64_t ldz;
    /* The numbers of vectors that did not converge, from 1, and zeros behind them; *info becomes
     * how many, unless there are none. */
    int64_t *failed, *info;
} gbl_stein_call;

#define GBL_STEIN_KERNELS "stein_solve.cl stein_cluster.cl stein_vectors.cl"

bool gbl_stein_fits(const gbl_device *device);
gable_status gbl_stein(gable_context *ctx, const gbl_stein_call *call);
/* Its kernels, three; its launches; its workspace. Parts are added behind `count` others. */
int gbl_stein_specs(gbl_dtype dtype, const gbl_device *device, gbl_kernel_spec *specs);
int gbl_stein_parts(const gbl_stein_call *call, const gbl_device *device, gbl_part_call *parts,
                    int count);
double gbl_stein_bytes(const gbl_stein_call *call, const gbl_device *device);

#endif
