/* gehrd_phase_args.h: arguments of the launches that a column of the Hessenberg reduction takes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEHRD_PHASE_ARGS_H
#define GEHRD_PHASE_ARGS_H

typedef struct gehrd_phase_args {
    i64 n;     /* rows below the panel's first diagonal element, and columns right of it */
    i64 count; /* columns of the panel, at most NB */
    i64 p;     /* the column */
    i64 lda, ldv, ldy, ldt;
    i64 sharers; /* groups of gehrd_column.cl and gehrd_reflect.cl */
} gehrd_phase_args;

#endif
