/* larfg_args.h: arguments of the kernel that makes one reflector.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef LARFG_ARGS_H
#define LARFG_ARGS_H

typedef struct larfg_args {
    i64 n; /* of x, which is alpha's vector without alpha */
    i64 incx;
} larfg_args;

#endif
