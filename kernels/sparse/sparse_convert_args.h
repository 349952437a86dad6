/* sparse_convert_args.h: arguments of the kernels that look at sparse matrices and change their
 * format.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_CONVERT_ARGS_H
#define SPARSE_CONVERT_ARGS_H

typedef struct sparse_convert_args {
    i64 rows, columns, entries;
    i64 places; /* rows of the padded format, with those that fill up */
    i64 step;   /* from one entry of a row to the next: chunk of SELL, stride of ELL */
    i64 shift;  /* 2^shift is the chunk of SELL */
    i64 width;  /* ELL and HYB: entries of a row; elsewhere 0 */
    i64 lanes;  /* work-items of the launch, where each has several rows or entries */
} sparse_convert_args;

/* What a work-item writes that looks at entries: so many numbers. */
#define SPARSE_FINDINGS 4
/* A place where nothing is wrong. */
#define SPARSE_NOWHERE 0x7fffffffffffffff

#endif
