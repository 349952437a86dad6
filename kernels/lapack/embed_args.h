/* embed_args.h: arguments of embed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef EMBED_ARGS_H
#define EMBED_ARGS_H
#include "part_args.h"

typedef struct embed_args {
    part_args part; /* lda is C's, ldb is B's */
    i64 order;      /* of B */
} embed_args;

#endif
