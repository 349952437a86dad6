/* sbmv_args.h: arguments of the sbmv kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SBMV_ARGS_H
#define SBMV_ARGS_H

typedef struct sbmv_args {
    i64 n, k, lda, incx, incy;
    i64 shares; /* groups that share a block */
    i64 pieces; /* of a block, of which each share has `base`, the first `extra` one more */
    i64 base, extra;
    f64 alpha_re, alpha_im, beta_re, beta_im;
    i64 alpha_on_device, beta_on_device;
} sbmv_args;

#endif
