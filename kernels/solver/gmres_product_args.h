/* gmres_product_args.h: arguments of gmres_product.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GMRES_PRODUCT_ARGS_H
#define GMRES_PRODUCT_ARGS_H
#include "fused_rows_args.h"

typedef struct gmres_product_args {
    fused_rows_args product;
    i64 ld; /* of V */
    i64 step;
} gmres_product_args;

#endif
