/* generate.h: sparse matrices made by rule, for tests, benchmarks and examples.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All give compressed rows (CSR) on the host, with sorted columns counted from 0. The result does
 * not depend on the number of threads. Grids have nx * ny * nz points; point (x, y, z) is number x
 * + nx * (y + ny * z). Beyond the grid the solution is 0: what a stencil has there is left out, and
 * the diagonal is the same everywhere.
 *
 * Sizes are at least 1. Where an array would pass 2^63 bytes, or another argument is illegal, the
 * status is GABLE_BAD_ARGUMENT. On failure the result is empty.
 */
#ifndef GBL_GENERATE_H
#define GBL_GENERATE_H

#include <stdint.h>
#include "device/message.h"

typedef struct gbl_generated {
    int64_t rows, columns, entries;
    int64_t *start;  /* rows + 1: the entries of row i are start[i] to start[i + 1] - 1 */
    int64_t *column; /* entries */
    double *value;   /* entries */
} gbl_generated;

typedef struct gbl_grid {
    int64_t nx, ny, nz;
} gbl_grid;

/* -Laplace(u) by finite differences: `points` is 5 (nz = 1), 7 or 27. The diagonal is points - 1,
 * neighbours are -1. Symmetric and positive definite. */
gable_status gbl_generate_laplacian(int points, gbl_grid grid, gbl_generated *matrix,
                                    gbl_message *message);

/* Like a discretised elastic body: `block` unknowns per point, a dense block for each pair of
 * neighbours (7 points). The block of a neighbour along axis d is -K_d, with K_d = I + v_d v_d';
 * the diagonal block is 2 (K_x + K_y + K_z). Unknown k of a point is row k + block * point. block
 * is 1 to 64. Symmetric, and positive definite: u'Au is a sum of (u_p - u_q)' K_d (u_p - u_q) over
 * neighbours and of u_p' K_d u_p at the border. */
gable_status gbl_generate_elasticity(gbl_grid grid, int block, gbl_generated *matrix,
                                     gbl_message *message);

/* Convection and diffusion, -Laplace(u) + c . grad(u), upwind, 7 points (5 where nz = 1, 3 where ny
 * = 1 too). The cell's Peclet number |c| h is `peclet` along x, half of it along y, a quarter along
 * z; where it is negative, the wind blows the other way. Upwind neighbours are -1 - |Peclet
 * number|, downwind ones -1, and a row sums up to 0 away from the border. |peclet| <= 1e6. Not
 * symmetric unless it is 0. */
gable_status gbl_generate_convection(gbl_grid grid, double peclet, gbl_generated *matrix,
                                     gbl_message *message);

/* Rows of very different lengths: a row has k entries or more with probability 1 / k, up to
 * `longest`, so lengths follow a power law with exponent 2. One column is drawn from each of k
 * equal parts of the row, and values from (-1, 1). The seed decides all; arithmetic is exact or one
 * rounding, so machines agree. longest <= columns. */
gable_status gbl_generate_power_law(int64_t rows, int64_t columns, int64_t longest, uint64_t seed,
                                    gbl_generated *matrix, gbl_message *message);

void gbl_generated_free(gbl_generated *matrix);

#endif
