/* stedc_divide_plan.h: how divide and conquer is cut into launches: private to its files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_STEDC_DIVIDE_PLAN_H
#define GBL_STEDC_DIVIDE_PLAN_H

#include "lapack/stedc_divide.h"

/* The kernels, in the order in which they are first launched. */
typedef enum gbl_divide_step {
    GBL_DIVIDE_BEGIN,
    GBL_DIVIDE_LEAF,
    GBL_DIVIDE_SORT,
    GBL_DIVIDE_DEFLATE,
    GBL_DIVIDE_GATHER,
    GBL_DIVIDE_SECULAR,
    GBL_DIVIDE_WEIGHTS,
    GBL_DIVIDE_VECTORS,
    GBL_DIVIDE_PRODUCT,
    GBL_DIVIDE_COLUMNS,
    GBL_DIVIDE_END, /* of singular vectors alone */
    GBL_DIVIDE_STEPS
} gbl_divide_step;

#define GBL_DIVIDE_COPIED 8  /* columns of a group of stedc_gather.cl and stedc_columns.cl */
#define GBL_DIVIDE_SIDE   32 /* of a tile of bdsdc_end.cl */

typedef struct gbl_divide_plan {
    bool squares; /* singular values */
    int32_t leaf;
    int64_t gemm; /* the least order of a merge that gemm multiplies */
    int levels;
    int32_t items[GBL_DIVIDE_STEPS];
} gbl_divide_plan;

gbl_divide_plan gbl_divide_make_plan(const gbl_divide_call *call, const gbl_params *params,
                                     const gbl_device *device);
/* A matrix of one leaf has no merges, and fewer kernels. */
bool gbl_divide_uses(const gbl_divide_plan *p, gbl_divide_step which);
void gbl_divide_make_spec(const gbl_divide_plan *p, gbl_divide_step which, gbl_dtype real,
                          gbl_kernel_spec *spec);

/* A tile of a product by so many work-items: each has so many rows and columns. */
typedef struct gbl_divide_tile {
    int32_t wx, wy, tm, tn;
} gbl_divide_tile;
gbl_divide_tile gbl_divide_tile_of(int32_t items);
/* Rows of a group of stedc_weights.cl. */
int32_t gbl_divide_weight_rows(int32_t items);

static inline gbl_dtype gbl_divide_real(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

/* The most rows of a part of a level. */
static inline int64_t gbl_divide_rows(int64_t n, int level)
{
    return (n + ((int64_t)1 << level) - 1) >> level;
}

/* The products of a merge with one of its parts: at most `rows` rows and terms, and `columns`
 * columns, but in the memory at `sizes`; of an update, Z times the eigenvectors, of which a complex
 * Z is a real one with twice the rows; and a copy of its result to Z. Matrices are left out. */
gbl_product_call gbl_divide_product(gbl_dtype real, int64_t rows, int64_t columns,
                                    const int64_t *sizes);
gbl_product_call gbl_divide_update(const gbl_divide_call *call);
gbl_product_call gbl_divide_copy(const gbl_product_call *update);

#endif
