/* gemv_blocks_args.h: arguments of the gemv kernels that move square blocks through the matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEMV_BLOCKS_ARGS_H
#define GEMV_BLOCKS_ARGS_H

typedef struct gemv_blocks_args {
    i64 m, n, lda, incx, incy;
    i64 base; /* first row (n) or column (t) of the launch */
    f64 alpha_re, alpha_im, beta_re, beta_im;
    i64 alpha_on_device, beta_on_device;
} gemv_blocks_args;

#endif
