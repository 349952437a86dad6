/* gehrd_panel_args.h: arguments of the kernel that reduces a panel to Hessenberg form.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GEHRD_PANEL_ARGS_H
#define GEHRD_PANEL_ARGS_H

typedef struct gehrd_panel_args {
    i64 n;     /* rows below the panel's first diagonal element, and columns right of it */
    i64 count; /* columns of the panel, at most NB */
    i64 lda, ldv, ldy, ldt;
} gehrd_panel_args;

#endif
