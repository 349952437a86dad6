/* stedc_args.h: arguments of the kernels of divide and conquer: eigenvalues and eigenvectors of a
 * symmetric tridiagonal matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A level has 2^level parts: part p holds the rows and columns from (p n) >> level to ((p + 1) n)
 * >> level. A merge makes a part of two parts of the next level. All kernels take one struct.
 */
#ifndef STEDC_ARGS_H
#define STEDC_ARGS_H

typedef struct stedc_args {
    i64 n;
    i64 level;
    /* Elements between columns: of the eigenvectors, of the workspace that takes them in another
     * order, and of the vectors of the secular equation. */
    i64 ldq, ldw, lds;
    i64 across; /* groups along the longest side of a part's matrix, where they cover matrices */
    i64 mode;   /* what a kernel with several tasks does: see there */
    i64 reals;  /* 2: eigenvectors are stored as complex numbers in the end, else 1 */
} stedc_args;

/* Sizes of a merge as products read them, six numbers: rows, columns and terms of the product with
 * the upper part's eigenvectors, then of that with the lower part's. */
#define STEDC_SIZES 6

/* Modes of stedc_sort.cl. */
#define STEDC_TO_MERGE 0 /* eigenvalues and the vector z of a merge */
#define STEDC_TO_END   1 /* eigenvalues alone */

/* Modes of stedc_columns.cl. */
#define STEDC_DEFLATED 0 /* the deflated columns of each merge, back to the eigenvectors */
#define STEDC_SORTED   1 /* all columns into the order of the eigenvalues */
#define STEDC_LAST     2 /* all columns and all other results, to where the caller wants them */

/* What *state may be: 0, or where d or e is not finite LAPACK's number of d in stedc. */
#define STEDC_FINITE     0
#define STEDC_NOT_FINITE 3

#endif
