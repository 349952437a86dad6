/* profile.h: what a program's calls cost: counted per routine, or written down call by call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One profile at a time runs in a process, over all its contexts: asked for by $GABLE_PROFILE, read when the
 * first context opens, or by gable_profile_start. Without one the hooks of core stay empty.
 */
#ifndef GBL_PROFILE_H
#define GBL_PROFILE_H

#include "core/op.h"

#define GBL_VIEW_SIZES 4
#define GBL_VIEW_FLAGS 4

/* What a profile shows of a call. The structs behind calls are known above this layer, so the layer above
 * gives the function that looks into them. */
typedef struct gbl_call_view {
    char flags[GBL_VIEW_FLAGS]; /* letters as in BLAS: uplo, trans, diag; 0 where there is none */
    int sizes;
    struct {
        const char *name; /* "m" */
        int64_t value;
    } size[GBL_VIEW_SIZES];
    size_t call_bytes; /* of the struct; 0: unknown */
} gbl_call_view;

/* *view is zeroed before. Cheap: it is asked at every call. */
typedef void (*gbl_view_hook)(const gbl_op *op, const void *call, gbl_call_view *view);

/* Starts what $GABLE_PROFILE asks for, the first time it is called. Behind the opening of a device, so that
 * the report at exit comes before a driver's own clean-up. A value that means nothing is one sentence on
 * the standard error, and there is no profile. */
void gbl_profile_open(gbl_view_hook view);

#endif
