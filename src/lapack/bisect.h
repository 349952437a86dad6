/* bisect.h: eigenvalues of symmetric tridiagonal matrices by bisection.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On devices two kernels (sturm_begin.cl, sturm_values.cl), on cpu a task. Nothing waits. Every
 * value is found to the last bit that Sturm counts tell: within a few u norm(T), and where the
 * diagonal is zero (singular values of a bidiagonal matrix: d NULL, e its elements in turn) small
 * values to a few u of their own size.
 */
#ifndef GBL_BISECT_H
#define GBL_BISECT_H

#include "core/kernel.h"
#include "lapack/lapack.h"

/* Real precisions. Eigenvalues first, first + 1, ..., from 0, of a matrix of order n go to w,
 * ascending; d and e are only read. *info becomes 0, or -number where d or e is not finite: then
 * the values are NaN. */
typedef struct gbl_bisection {
    gbl_dtype dtype;
    int64_t n;
    const void *d, *e; /* d NULL: zeros */
    int64_t first, count;
    void *w; /* may be d */
    int64_t number, *info;
    /* Where the scaled matrix and its numbers are kept (sturm_begin.cl): room for 2 n
     * and STURM_NUMBERS real numbers. NULL: workspace. On devices with kernels. */
    void *scaled, *numbers;
} gbl_bisection;

gable_status gbl_bisect(gable_context *ctx, const gbl_bisection *what);
/* Its kernels, two, where the device has a compiler; its launches; its workspace. */
int gbl_bisect_specs(gbl_dtype dtype, int64_t count, const gbl_device *device,
                     gbl_kernel_spec *specs);
int gbl_bisect_parts(gbl_dtype dtype, int64_t n, int64_t count, const gbl_device *device,
                     gbl_part_call *parts, int parts_count);
/* On devices with kernels: as many points as 2 to this power look for each of `count` values at a
 * time. Each bit more takes fewer rounds, as long as all of them run at once. */
int gbl_bisect_log2_points(int64_t count, const gbl_device *device);
double gbl_bisect_bytes(gbl_dtype dtype, int64_t n);
/* On cpu: what it costs. */
void gbl_bisect_host_cost(gbl_dtype dtype, int64_t n, int64_t count, const gbl_device *device,
                          gbl_cost *cost);

#endif
