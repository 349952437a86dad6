/* choose.h: which row of an op's table runs, and with which tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From the best evidence to the least: a measurement of this device in the database for the size bucket; a row of
 * the built-in table for this family of devices; a measurement for a bucket nearby; the model. The answer depends on nothing but
 * the call, the device, the database and the roofs.
 */
#ifndef GBL_CHOOSE_H
#define GBL_CHOOSE_H

#include "core/op.h"
#include "tune/database.h"

/* The hook for core/op.c. Only rows that are deterministic and no vendor's, unless the row is forced. */
void gbl_tune_choose(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice);

/* The same, and how good the evidence is. For the measurement itself ask gbl_database_find_entry. */
void gbl_tune_choose_why(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice,
                         gbl_match *match);

/* One row of the built-in table. */
typedef struct gbl_builtin {
    const char *family; /* gbl_props.family; "gpu" serves every GPU without rows of its own */
    const char *stems;  /* one, or several with spaces between */
    const char *variant;
    unsigned dtypes;                /* bit of each gbl_dtype */
    int from;                       /* smallest size: log2 of n as in the op's key */
    int32_t values[GBL_MAX_PARAMS]; /* in the order of the variant's space */
} gbl_builtin;

/* Of the rows that fit a call the last one counts: a stem's rows go from small sizes to large. */
extern const gbl_builtin gbl_builtins[];
extern const int gbl_builtin_count;

/* Whether a row is for the op with this stem. */
bool gbl_builtin_serves(const gbl_builtin *row, const char *stem);

#endif
