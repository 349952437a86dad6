/* laswp.h: exchanges of rows, for laswp and for routines that exchange rows of a part of a matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_LASWP_H
#define GBL_LASWP_H

#include "core/kernel.h"
#include "cpu/cpu_kernels.h"
#include "lapack/lapack.h"

/* How laswp.cl takes them. */
typedef struct gbl_exchange_plan {
    int32_t items, swaps, held;
} gbl_exchange_plan;

typedef struct gbl_exchange {
    gbl_exchange_plan plan;
    gbl_kernel *kernel; /* NULL: exchanges are tasks */
} gbl_exchange;

/* The kernel that exchanges rows with the tunables that laswp has by itself; gives how many kernels
 * there are, of which cpu has none. */
int gbl_exchange_spec(const gbl_device *device, gbl_dtype dtype, gbl_kernel_spec *spec);
gable_status gbl_exchange_prepare(gable_context *ctx, gbl_dtype dtype, gbl_exchange *exchange);

/* Exchanges rows: in one launch, or one task. */
gable_status gbl_exchange_rows(gable_context *ctx, const gbl_exchange *exchange, gbl_dtype dtype,
                               const gbl_cpu_laswp_args *rows);

/* What it costs to exchange `count` rows of n columns. */
void gbl_exchange_cost(const gbl_exchange_plan *plan, gbl_dtype dtype, int64_t n, int64_t count,
                       const gbl_device *device, gbl_cost *cost);
/* The same with the tunables that laswp has by itself. */
void gbl_exchange_plain_cost(gbl_dtype dtype, int64_t n, int64_t count, const gbl_device *device,
                             gbl_cost *cost);

#endif
