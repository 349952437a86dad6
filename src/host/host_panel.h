/* host_panel.h: a call cut into panels of its output that do not need each other.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel is some columns of the output, or some rows where the structured matrix is on the right
 * or C is tall. An operand is resident (all panels need all of it) or comes with each panel.
 */
#ifndef GBL_HOST_PANEL_H
#define GBL_HOST_PANEL_H

#include "core/copy_team.h"
#include "host/host_call.h"

typedef enum gbl_host_role {
    GBL_ROLE_NONE,
    GBL_ROLE_RESIDENT,
    GBL_ROLE_PANEL, /* read */
    GBL_ROLE_OUTPUT
} gbl_host_role;

bool gbl_host_by_rows(const gbl_host_call *host);
/* Columns, or rows, of the output in all. */
int64_t gbl_host_length(const gbl_host_call *host);
gbl_host_role gbl_host_role_of(const gbl_host_call *host, int operand);
/* What a panel needs of an operand; of resident ones all. */
gbl_host_block gbl_host_panel_block(const gbl_host_call *host, int operand, int64_t begin,
                                    int64_t end);
/* Which bytes of columns are touched. `diagonal`: where it begins, in bytes of the first column. */
gbl_clip gbl_host_clip_of(gbl_shape shape, int64_t elem, int64_t diagonal);
/* Which bytes of a block, column by column, are touched. */
gbl_clip gbl_host_clip(const gbl_host_call *host, int operand, const gbl_host_block *block);

/* The calls that compute a panel, at most GBL_HOST_PANEL_CALLS. The addresses of the operands in
 * `host` are those of their elements (0, 0), whether these exist or not. */
#define GBL_HOST_PANEL_CALLS 3
int gbl_host_panel_calls(const gbl_host_call *host, int64_t begin, int64_t end,
                         gbl_host_call calls[GBL_HOST_PANEL_CALLS]);

#endif
