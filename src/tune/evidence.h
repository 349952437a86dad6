/* evidence.h: what a context knows when it chooses.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_EVIDENCE_H
#define GBL_EVIDENCE_H

#include "core/choice_memo.h"
#include "model/roofs.h"
#include "tune/snapshot.h"

typedef struct gbl_tune_known {
    gbl_snapshot *snapshot;
    gbl_roofs roofs;
    gbl_choice_memo parts; /* choices for parts */
} gbl_tune_known;

/* What there is now; NULL: no memory. gbl_tune_evidence.drop gives it back. */
gbl_tune_known *gbl_evidence_of(const gbl_device *device);

#endif
