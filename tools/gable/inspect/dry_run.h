/* dry_run.h: finds a call that launches a kernel, by running the ops on a pretended GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_DRY_RUN_H
#define TOOL_DRY_RUN_H

#include "blas/level1.h"
#include "blas/level2.h"
#include "dry_device.h"

typedef struct dry_op dry_op; /* an op and its entry */

/* The call that was found, and what it launched. */
typedef struct dry_found {
    dry_kernel kernel;
    const dry_op *op; /* NULL: the kernel belongs to no op */
    gbl_choice choice;
    union {
        gbl_vector_call vector;
        gbl_matrix_call matrix;
    } call;
} dry_found;

/* Looks for a call that launches the kernel of a file (its name without the ending) in a precision: calls as
 * they are chosen first, then each variant forced. The context is one of dry_open. false: none does. */
bool dry_run_find(gable_context *ctx, const char *stem, gbl_dtype dtype, dry_found *found);

/* Runs the call again with other tunables. false: the kernel is not launched then, and *found is as it was. */
bool dry_run_again(gable_context *ctx, const gbl_params *params, dry_found *found);

#endif
