/* solver_cg_pipelined.h: how an iteration of pipelined CG is cut up, and the kernels it needs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SOLVER_CG_PIPELINED_H
#define GBL_SOLVER_CG_PIPELINED_H

#include "core/kernel_args.h"
#include "cg_args.h"
#include "sparse/solver/solver.h"

/* Work-items per group of a GPU. */
#define GBL_CG_VECTOR_ITEMS  512
#define GBL_CG_PRODUCT_ITEMS 256

typedef struct gbl_cg_problem {
    gbl_sparse_layout layout; /* its arrays are not looked at, but for whether there is an order */
    gbl_precond_name precond;
    int block;
    int32_t x_alignment; /* bytes that divide the address of x, 16 at most */
} gbl_cg_problem;

typedef struct gbl_cg_plan {
    cg_vectors_args vectors;
    cg_product_args product;
    int64_t vector_groups, product_groups;
    int32_t vector_items, product_items;
    int32_t vectors_at_once; /* that a group works on: vectors, or one tile */
    int32_t vec;             /* elements per load */
    int32_t tile;            /* rows of a tile of cg_vectors, with block-Jacobi */
    int32_t rows;            /* of a tile of cg_product */
    int32_t lanes;           /* per row of it */
    bool walks;              /* a tile's rows are summed side by side by one work-item */
} gbl_cg_plan;

/* The plan but for the groups, and its two kernels: cg_vectors, cg_product. */
void gbl_cg_plan_make(const gbl_cg_problem *problem, const gbl_device *device, int32_t vector_items,
                      int32_t product_items, gbl_cg_plan *plan, gbl_kernel_spec specs[2]);
/* How many groups there are, where a unit holds so many of each kernel at once. */
void gbl_cg_plan_groups(const gbl_device *device, int32_t vector_held, int32_t product_held,
                        gbl_cg_plan *plan);

/* What an iteration must move with its vectors fused: the matrix, x, r, p and q as they are read
 * and written, inverses. */
double gbl_cg_fused_bytes(const gable_solver *solver);

#endif
