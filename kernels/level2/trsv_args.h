/* trsv_args.h: arguments of the trsv kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TRSV_ARGS_H
#define TRSV_ARGS_H

typedef struct trsv_args {
    i64 n, lda, incx;
    i64 shift;    /* rows that the first block starts above the matrix */
    i64 blocks;   /* of NB rows */
    i64 upper;    /* the upper triangle is stored */
    i64 unit;     /* the diagonal is ones */
    i64 set_back; /* `solved` is left as it was found */
    i64 band;     /* diagonals beside the main one that a band has */
} trsv_args;

#endif
