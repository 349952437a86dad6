/* band_args.h: arguments of the kernels for products with band matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column j of the band holds the rows j - ku to j + kl, from place 0 on: place p is row j + p - ku,
 * and the diagonal is place ku.
 */
#ifndef BAND_ARGS_H
#define BAND_ARGS_H

typedef struct band_args {
    i64 m, n, kl, ku, lda, incx, incy;
    i64 outputs;                   /* elements of y */
    i64 rows;                      /* of y, per group */
    i64 deep;                      /* band_tile.cl: places of a chunk, */
    i64 chunks;                    /* their number, */
    i64 step_columns, step_places; /* and ITEMS / deep, ITEMS % deep */
    /* band_save.cl: elements are saved that stand before a group's rows; 0: behind them */
    i64 before;
    i64 offset; /* band_flat.cl: elements from the aligned address before A to it */
    f64 alpha_re, alpha_im, beta_re, beta_im;
    i64 alpha_on_device, beta_on_device;
} band_args;

#endif
