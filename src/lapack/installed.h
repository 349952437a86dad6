/* installed.h: steps of routines through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_INSTALLED_H
#define GBL_INSTALLED_H

#include "lapack/lapack.h"

/* A leaf of potrf on cpu: its args are a gbl_cpu_potrf_args. The library's function where it is
 * there, fits, and its BLAS is not slow; else own code. */
gbl_task_function gbl_installed_potrf_leaf(gbl_dtype dtype, int64_t n, int64_t lda);

#endif
