/* installed.h: steps of routines through the LAPACK that is installed, on cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_INSTALLED_H
#define GBL_INSTALLED_H

#include "lapack/lapack.h"

/* Whether a factorization of a whole matrix goes through the library: its function is there and its
 * BLAS is not slow, m, n and lda fit its int, for reductions all offsets within A as well, and the
 * caller is not inside an OpenMP region. */
bool gbl_installed_fits(const char *stem, const gbl_product_call *call, const gbl_device *device);
/* Its cost: the least bytes and flops, at the cpu's rates. */
void gbl_installed_cost(const gbl_op *op, const void *call, const gbl_device *device,
                        gbl_cost *cost);
/* The whole factorization as one task. */
gable_status gbl_installed_getrf(gable_context *ctx, const gbl_product_call *call);
gable_status gbl_installed_geqrf(gable_context *ctx, const gbl_product_call *call);
/* The same of reductions: installed_reductions.c. */
gable_status gbl_installed_sytrd(gable_context *ctx, const gbl_product_call *call);
gable_status gbl_installed_gehrd(gable_context *ctx, const gbl_product_call *call);
gable_status gbl_installed_gebrd(gable_context *ctx, const gbl_product_call *call);

/* A leaf of potrf on cpu: its args are a gbl_cpu_potrf_args. The library's function where it is
 * there, fits, and its BLAS is not slow; else own code. */
gbl_task_function gbl_installed_potrf_leaf(gbl_dtype dtype, int64_t n, int64_t lda);

#endif
