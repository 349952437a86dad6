/* prepare.h: calls whose kernels are compiled before any of them runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A preparation is a recording that keeps no steps. Calls run as far as their launches, which are
 * dropped; the kernels that they ask for are noted (kernel_list.h) and compiled side by side at the
 * end. A kernel may turn out not to run in groups as large as its call planned; the call then asks
 * for another one. So calls that asked for new kernels are kept and asked again, until all are
 * there.
 */
#ifndef GBL_PREPARE_H
#define GBL_PREPARE_H

#include "core/kernel_list.h"
#include "core/op.h"

struct gbl_prepared_call;
typedef struct gbl_preparation {
    gbl_kernel_list kernels;
    struct gbl_prepared_call *calls; /* that asked for kernels, from malloc */
    int call_count, call_room;
} gbl_preparation;

/* The preparation in progress on a context, or NULL. */
gbl_preparation *gbl_preparing(const gable_context *ctx);

/* Of op.c: a call that was run for the preparation, having asked for new kernels. */
gable_status gbl_prepare_keep(gable_context *ctx, const gbl_op *op, const void *call);

/* For a composed routine, before its first launch: the kernels of all its parts are compiled side
 * by side. What fails here fails when the call runs, with its message. */
void gbl_prepare_composed(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                          const void *call);

/* Of recording.c. */
void gbl_preparation_free(gbl_preparation *preparation);

#endif
