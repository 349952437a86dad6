/* dry_run.h: finds a call that a kernel is for, on a pretended GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_DRY_RUN_H
#define TOOL_DRY_RUN_H

#include "call_forms.h"
#include "dry_device.h"

/* The call that was found, and the kernel that it would run. */
typedef struct dry_found {
    dry_kernel kernel;
    const gbl_op *op; /* NULL: the kernel belongs to no op */
    gbl_choice choice;
    form_call call;
} dry_found;

/* Looks for a call that would run the kernel of a file in a precision: calls as they are chosen
 * first, then each variant forced. The context is one of dry_open. false: none does. */
bool dry_run_find(gable_context *ctx, const char *file, gbl_dtype dtype, dry_found *found);

/* The same call with other tunables. false: the kernel is not run then, and *found is as it was. */
bool dry_run_again(gable_context *ctx, const gbl_params *params, dry_found *found);

#endif
