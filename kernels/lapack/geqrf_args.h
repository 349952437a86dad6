/* geqrf_args.h: arguments of the kernel that factors a few columns as Q R.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEQRF_ARGS_H
#define GEQRF_ARGS_H

typedef struct geqrf_args {
    i64 m; /* rows from the first diagonal element on, at least n */
    i64 n; /* at most NB */
    i64 lda, ldv, ldt;
    i64 above; /* rows of V above the first diagonal element */
} geqrf_args;

#endif
