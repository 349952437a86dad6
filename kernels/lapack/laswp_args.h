/* laswp_args.h: arguments of the kernel that exchanges rows.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef LASWP_ARGS_H
#define LASWP_ARGS_H

typedef struct laswp_args {
    i64 n; /* columns, but for those that are left out */
    i64 lda;
    i64 first, count; /* rows that are exchanged, in their order, each with its pivot */
    i64 inc;          /* from one pivot to the next; that of row `first` is ipiv[first] */
    i64 backward;     /* the last row comes first */
    i64 skip, width;  /* columns [skip, skip + width) are left out */
} laswp_args;

#endif
