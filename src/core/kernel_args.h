/* kernel_args.h: the words kernels/<stem>_args.h are written in, for the host.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_KERNEL_ARGS_H
#define GBL_KERNEL_ARGS_H

#include <stdint.h>

typedef int64_t i64;
typedef double f64;

#endif
