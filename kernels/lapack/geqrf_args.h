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

/* sm90/geqrf_cluster.cu: groups of a cluster at most, and the local memory that each needs. */
#define GEQRF_MOST_GROUPS 16
#define GEQRF_CLUSTER_BYTES(items, nb, element)                                                    \
    ((element) * ((nb) * (2 * GEQRF_MOST_GROUPS + 6 + (items) / 32 + (nb)) + 4) + 96 +             \
     (items) / 32 * 24)

#endif
