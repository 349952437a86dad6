/* gebrd_panel_args.h: arguments of the kernel that reduces a panel to bidiagonal form.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEBRD_PANEL_ARGS_H
#define GEBRD_PANEL_ARGS_H

typedef struct gebrd_panel_args {
    i64 m, n;  /* rows and columns from the panel's first diagonal element on; m >= n */
    i64 count; /* columns and rows of the panel, at most NB */
    i64 lda;
} gebrd_panel_args;

#endif
