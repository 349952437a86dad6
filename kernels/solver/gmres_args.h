/* gmres_args.h: arguments of the kernels of GMRES, and where its numbers lie.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers are doubles: the state, then pairs of doubles (complex numbers, also in real
 * precisions). m is the length of a cycle, columns of matrices are m + 1 pairs apart.
 */
#ifndef GMRES_ARGS_H
#define GMRES_ARGS_H
#include "krylov_args.h"

#define GMRES_MOST 256 /* columns of a cycle */

/* Own numbers of the state. */
#define GMRES_COLUMNS (STATE_OWN + 0) /* of the triangle, ready to be solved with */
#define GMRES_COUNT   (STATE_OWN + 1) /* of those that x is corrected by */
#define GMRES_END     (STATE_OWN + 2) /* 1: the cycle ends here, although nothing is solved */
#define GMRES_EARLY   (STATE_OWN + 3) /* 1: the cycle before ended so */
#define GMRES_START   (STATE_OWN + 4) /* |r|^2 where the cycle began */
#define GMRES_CYCLES  (STATE_OWN + 5) /* begun in this round */
#define GMRES_WINDOW  (STATE_OWN + 6) /* |r|^2 some cycles ago */

/* Pairs behind the state. */
#define GMRES_H(m)       (STATE_COUNT)                            /* Hessenberg */
#define GMRES_R(m)       (GMRES_H(m) + 2 * ((m) + 1) * ((m) + 1)) /* the triangle made of it */
#define GMRES_COSINES(m) (GMRES_R(m) + 2 * ((m) + 1) * ((m) + 1)) /* of rotations */
#define GMRES_SINES(m)   (GMRES_COSINES(m) + 2 * ((m) + 1))
#define GMRES_G(m)       (GMRES_SINES(m) + 2 * ((m) + 1)) /* the rotated right-hand side */
#define GMRES_Y(m)       (GMRES_G(m) + 2 * ((m) + 1))
#define GMRES_AGAIN(m)   (GMRES_Y(m) + 2 * ((m) + 1))     /* coefficients of u */
#define GMRES_FIRST(m)   (GMRES_AGAIN(m) + 2 * ((m) + 1)) /* coefficients of z */
#define GMRES_ALONG(m)                                                                             \
    (GMRES_FIRST(m) + 2 * ((m) + 1)) /* of z along the new vector; then its length */
#define GMRES_NUMBERS(m) (GMRES_ALONG(m) + 4)

typedef struct gmres_args {
    i64 n;
    i64 vectors; /* of VEC elements in a column of V */
    i64 ld;      /* of V */
    i64 step;    /* u is column `step` of V, z the next one */
    i64 first;   /* columns [first, first + columns) in this launch */
    i64 columns;
    /* dots: u is multiplied with itself, too. update: this launch is the last of its step */
    i64 own;
    i64 restart; /* m */
    i64 groups;  /* that made partial sums */
    f64 eps;     /* of the precision */
} gmres_args;

#endif
