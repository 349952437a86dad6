/* hopper_words_args.h: arguments of hopper_words.cu. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HOPPER_WORDS_ARGS_H
#define HOPPER_WORDS_ARGS_H

typedef struct hopper_words_args {
    i64 rows, columns, ld; /* of the matrix */
    i64 x, y,
        steps; /* where TMA tiles begin, and how many; of products: terms; of clusters: groups */
} hopper_words_args;

#endif
