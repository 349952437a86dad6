/* scalars_args.h: alpha and beta of a kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SCALARS_ARGS_H
#define SCALARS_ARGS_H

typedef struct scalars_args {
    f64 alpha_re, alpha_im; /* alpha, unless alpha_on_device */
    f64 beta_re, beta_im;
    i64 alpha_on_device; /* 1: the buffer alpha_at holds it */
    i64 beta_on_device;
} scalars_args;

#endif
