/* norm_args.h: arguments of the kernels that compute norms of matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef NORM_ARGS_H
#define NORM_ARGS_H

typedef struct norm_args {
    i64 m, n;
    i64 lda;
    i64 first, last; /* element (i, j) is read where first <= i - j <= last */
    i64 strips;      /* groups that share the columns */
    i64 parts;       /* groups that share the rows */
    i64 ones;        /* so many elements of the diagonal are not read, but taken as 1 */
    i64 lines;       /* of norm_sums_finish: columns or rows that have sums */
    i64 partials;    /* what a finishing kernel puts together: sums of a line, or results */
} norm_args;

#endif
