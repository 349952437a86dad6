/* sytrd_phase_args.h: arguments of the launches that a column of the tridiagonal reduction takes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SYTRD_PHASE_ARGS_H
#define SYTRD_PHASE_ARGS_H

typedef struct sytrd_phase_args {
    i64 n;     /* rows and columns from the panel's first diagonal element on */
    i64 count; /* columns of the panel, at most NB */
    i64 p;     /* the column */
    i64 lda, ldw;
    i64 sharers; /* groups of sytrd_rows.cl */
} sytrd_phase_args;

#endif
