/* rank_update_args.h: arguments of the kernels of ger, syr, syr2, spr and spr2.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef RANK_UPDATE_ARGS_H
#define RANK_UPDATE_ARGS_H

typedef struct rank_update_args {
    i64 m, n, lda, incx, incy;
    /* rows above row 0 at which the first vector of every column starts; SHIFTED: elements from the
     * start of a cache line to A */
    i64 shift;
    i64 blocks;  /* of WX * VEC rows, from there */
    i64 columns; /* a strip */
    i64 strips;
    i64 width; /* groups per strip, or a pair of strips of a triangle */
    i64 upper; /* of a triangle: the upper one */
    i64 conj;  /* what stands transposed is conjugated, and the diagonal of a triangle is real */
    f64 alpha_re, alpha_im;
    i64 alpha_on_device;
    i64 alpha_real; /* although elements are complex */
} rank_update_args;

#endif
