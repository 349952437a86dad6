/* evidence.c: measurements and roofs of a device, and choices for parts.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "core/op.h"
#include "tune/choose.h"
#include "tune/evidence.h"

gbl_tune_known *gbl_evidence_of(const gbl_device *device)
{
    gbl_tune_known *taken = calloc(1, sizeof *taken);
    if (taken == NULL)
        return NULL;
    taken->snapshot = gbl_snapshot_take(device);
    if (taken->snapshot == NULL) {
        free(taken);
        return NULL;
    }
    gbl_roofs_get(device, &taken->roofs);
    return taken;
}

static void *take(const gbl_device *device)
{
    return gbl_evidence_of(device);
}

static void drop(void *given)
{
    gbl_tune_known *taken = given;
    gbl_memo_clear(&taken->parts);
    gbl_snapshot_drop(taken->snapshot);
    free(taken);
}

const gbl_evidence_hooks gbl_tune_evidence = {.take = take, .drop = drop};
