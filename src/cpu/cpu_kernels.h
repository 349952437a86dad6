/* cpu_kernels.h: the C kernels of the cpu device, as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ways a routine: `_omp`, C with OpenMP at memory speed, and `_blas`, the installed BLAS through
 * its cblas_ name (legal only where gbl_cpu_blas_fits says so). Each takes the argument struct below.
 * x and y point at element 0 of the vector (a caller with a negative stride has moved the pointer to
 * the far end already), and strides keep their sign. Results depend on nothing but arguments,
 * alignment and thread count. Inside a caller's OpenMP region they run serially.
 */
#ifndef GBL_CPU_KERNELS_H
#define GBL_CPU_KERNELS_H

#include "device/device.h"
#include "device/vector_args.h"
#include "core/dtype.h"

/* The operands of all vector routines: one struct (members a routine lacks are zero). */
typedef gbl_vector_args gbl_cpu_copy_args;
typedef gbl_vector_args gbl_cpu_axpy_args;
typedef gbl_vector_args gbl_cpu_dot_args;
typedef gbl_vector_args gbl_cpu_nrm2_args;

/* Reads x once, at the speed of memory, keeping nothing: the roof of reductions. bytes is a multiple
 * of 64. result receives 8 bytes that depend on all of x. Written once, not per precision. */
typedef struct gbl_cpu_read_args {
    int64_t bytes;
    const void *x;
    void *result;
} gbl_cpu_read_args;

#define GBL_CPU_TASK(name)                                                                         \
    gable_status name(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
#define GBL_CPU_TASKS(stem)                                                                        \
    GBL_CPU_TASK(gbl_cpu_s##stem);                                                                 \
    GBL_CPU_TASK(gbl_cpu_d##stem);                                                                 \
    GBL_CPU_TASK(gbl_cpu_c##stem);                                                                 \
    GBL_CPU_TASK(gbl_cpu_z##stem)

GBL_CPU_TASKS(copy_omp);
GBL_CPU_TASKS(copy_blas);
GBL_CPU_TASKS(axpy_omp);
GBL_CPU_TASKS(axpy_blas);
GBL_CPU_TASKS(dot_omp);
GBL_CPU_TASKS(dot_blas);
GBL_CPU_TASKS(nrm2_omp);
GBL_CPU_TASKS(nrm2_blas);
GBL_CPU_TASK(gbl_cpu_read);

#endif
