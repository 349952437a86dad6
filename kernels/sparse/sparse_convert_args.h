/* sparse_convert_args.h: arguments of the kernels that look at sparse matrices and change their
 * format.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_CONVERT_ARGS_H
#define SPARSE_CONVERT_ARGS_H

typedef struct sparse_convert_args {
    i64 rows, columns, entries;
    i64 places; /* rows of the padded format, with those that fill up; of other kernels: what they
                   go over */
    i64 step;   /* from one entry of a row to the next: chunk of SELL, stride of ELL */
    i64 shift;  /* 2^shift is the chunk of SELL */
    i64 width;  /* ELL and HYB: entries of a row; elsewhere 0 */
    i64 lanes;  /* work-items of the launch, or what each group goes over, where that is several */
} sparse_convert_args;

/* What a group writes that looks at entries: so many numbers. */
#define SPARSE_FINDINGS 6
/* How two such numbers become one. */
#define SPARSE_LEAST 0
#define SPARSE_MOST  1
#define SPARSE_SUM   2
#define SPARSE_BITS  3
/* A place where nothing is wrong. */
#define SPARSE_NOWHERE 0x7fffffffffffffff

/* What sparse_counts.cl counts. */
#define SPARSE_OF_SLICES 0 /* places of each slice */
#define SPARSE_OF_RESTS  1 /* entries of each row behind the first `width` */
#define SPARSE_OF_ROWS   2 /* lengths of rows, which are given in two parts */
/* Groups that count and scan, at most. */
#define SPARSE_SCAN_GROUPS 1024
/* Places that a work-item moves which goes over places or entries. */
#define SPARSE_EACH 8

#endif
