/* rotmg_args.h: arguments of the rotmg kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ROTMG_ARGS_H
#define ROTMG_ARGS_H

typedef struct rotmg_args {
    f64 y1; /* unless y1_on_device */
    i64 y1_on_device;
} rotmg_args;

#endif
