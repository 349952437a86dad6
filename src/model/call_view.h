/* call_view.h: what a profile shows of a call.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CALL_VIEW_H
#define GBL_CALL_VIEW_H

#include "core/op.h"

#define GBL_VIEW_SIZES 6
#define GBL_VIEW_FLAGS 6

typedef struct gbl_call_view {
    char flags
        [GBL_VIEW_FLAGS]; /* letters as in BLAS: side, uplo, trans, diag; 0 where there is none */
    int sizes;
    struct {
        const char *name; /* "m" */
        int64_t value;
    } size[GBL_VIEW_SIZES];
    size_t call_bytes; /* of the struct; 0: unknown */
} gbl_call_view;

/* Flags and sizes of a call, in the order of the prototype, and the leading dimension of its first
 * matrix. *view is zeroed before. Cheap: it is asked at every call. */
void gbl_view_call(const gbl_op *op, const void *call, gbl_call_view *view);

#endif
