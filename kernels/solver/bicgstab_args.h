/* bicgstab_args.h: arguments of the kernels of BiCGStab, and its numbers in the state.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BICGSTAB_ARGS_H
#define BICGSTAB_ARGS_H
#include "fused_rows_args.h"
#include "krylov_args.h"

/* Own numbers of the state; pairs are complex numbers, also in real precisions. */
#define BICGSTAB_RHO      (STATE_OWN + 0) /* r0^H r, of the iteration under way */
#define BICGSTAB_RHO_NEXT (STATE_OWN + 2) /* of the next */
#define BICGSTAB_ALPHA    (STATE_OWN + 4)
#define BICGSTAB_NEXT     (STATE_OWN + 6)  /* the outcome that the update found; -1: none */
#define BICGSTAB_PENDING  (STATE_OWN + 7)  /* 1: an update was made that is not counted yet */
#define BICGSTAB_SHADOW   (STATE_OWN + 8)  /* |r0|^2 */
#define BICGSTAB_BEST     (STATE_OWN + 9)  /* the smallest |r|^2 so far */
#define BICGSTAB_BEST_AT  (STATE_OWN + 10) /* its iteration */
#define BICGSTAB_KEPT     (STATE_OWN + 11) /* |r|^2 of the x that is kept */
#define BICGSTAB_KEEP     (STATE_OWN + 12) /* 1: x is to be kept */

typedef struct bicgstab_args {
    fused_rows_args product;
    i64 partials; /* groups that made the sums that are read */
    i64 most;     /* iterations without a new best residual */
    f64 eps;      /* of the precision */
} bicgstab_args;

#endif
