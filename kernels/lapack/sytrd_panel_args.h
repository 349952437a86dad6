/* sytrd_panel_args.h: arguments of the kernel that reduces a panel to tridiagonal form.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SYTRD_PANEL_ARGS_H
#define SYTRD_PANEL_ARGS_H

typedef struct sytrd_panel_args {
    i64 n;     /* rows and columns from the panel's first diagonal element on */
    i64 count; /* columns of the panel, at most NB */
    i64 lda, ldw;
} sytrd_panel_args;

#endif
