/* singular.h: singular values and vectors of a matrix: what gesdd and gesvd share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `reduction`: A = Q B P^H (gebrd), B = X S Y (bdsdc), U = Q X and V^H = Y P^H. A matrix that is
 * much taller than wide (m >= 11/6 n, LAPACK's crossover) is factored by geqrf first, and R takes
 * its place; a much wider one by gelqf, and L does. One with fewer rows than columns has a lower
 * bidiagonal B, nothing else differs. A is brought into a safe range first and the values out of it
 * at the end, as the device decides (safe_range.h).
 */
#ifndef GBL_SINGULAR_H
#define GBL_SINGULAR_H

#include "lapack/lapack.h"

/* What the two do not share: the `detail` of the variants. */
typedef struct gbl_singular_routine {
    const char *stem;
    const gbl_op *op;
    int64_t bad;   /* info of a matrix that is not finite */
    bool two_jobs; /* jobu and jobvt; else jobz */
} gbl_singular_routine;

/* Which vectors a call of either computes. */
void gbl_singular_jobs(const gbl_singular_routine *routine, const gbl_product_call *call,
                       gable_job *u, gable_job *vt);

gable_status gbl_singular_run(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params);
void gbl_singular_work(const gbl_singular_routine *routine, const gbl_product_call *call,
                       gbl_work *least);
void gbl_singular_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost);
int gbl_singular_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_part_call *parts);
int gbl_singular_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_kernel_spec *specs);

/* installed_singular.c: the driver of the installed LAPACK, on cpu. */
bool gbl_singular_installed_fits(const gbl_variant *self, const void *call,
                                 const gbl_device *device);
gable_status gbl_singular_installed_run(gable_context *ctx, const gbl_variant *self,
                                        const void *call, const gbl_params *params);
void gbl_singular_installed_cost(const gbl_variant *self, const void *call,
                                 const gbl_params *params, const gbl_device *device,
                                 gbl_cost *cost);

/* What the rows and columns of the operands are. */
int64_t gbl_singular_least(const void *call);
int64_t gbl_singular_u_rows(const gbl_singular_routine *routine, const void *call);
int64_t gbl_singular_u_columns(const gbl_singular_routine *routine, const void *call);
int64_t gbl_singular_vt_rows(const gbl_singular_routine *routine, const void *call);
int64_t gbl_singular_vt_columns(const gbl_singular_routine *routine, const void *call);

#define GBL_SINGULAR_VARIANTS(routine)                                                             \
    GBL_VARIANT("reduction", .fits = gbl_lapack_fits, .run = gbl_singular_run,                     \
                .cost = gbl_singular_cost, .parts = gbl_singular_parts,                            \
                .kernels = GBL_RANGE_ONE_KERNELS, .specs = gbl_singular_specs, .detail = routine), \
        GBL_VARIANT("lapack", .fits = gbl_singular_installed_fits,                                 \
                    .run = gbl_singular_installed_run, .cost = gbl_singular_installed_cost,        \
                    .detail = routine)

/* The operands behind the jobs. */
#define GBL_SINGULAR_VECTORS(name_, at_, ld_name, ld_, rows_, columns_, least_)                    \
    {.name = name_,                                                                                \
     .kind = GBL_MATRIX,                                                                           \
     .access = GBL_WRITE,                                                                          \
     .at = PRODUCT_AT(at_),                                                                        \
     .step = PRODUCT_AT(ld_),                                                                      \
     .rows = rows_,                                                                                \
     .columns = columns_},                                                                         \
    {                                                                                              \
        .name = ld_name, .kind = GBL_LD, .at = PRODUCT_AT(ld_), .least = least_                    \
    }
#define GBL_SINGULAR_OPERANDS                                                                      \
    GBL_PRODUCT_ROWS, GBL_PRODUCT_COLUMNS,                                                         \
        GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL,   \
                           "m"),                                                                   \
        GBL_LAPACK_REALS("s", d, gbl_singular_least),                                              \
        GBL_SINGULAR_VECTORS("U", B, "ldu", ldb, u_rows, u_columns, "rows of U"),                  \
        GBL_SINGULAR_VECTORS("Vt", C, "ldvt", ldc, vt_rows, vt_columns, "rows of Vt"),             \
        GBL_LAPACK_INFO

#endif
