/* choose.h: which variant of an op runs, and with which tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From the best evidence to the least: a measurement of this device in the database for the size
 * class; a line that the library carries for this family of devices; a measurement for a class
 * nearby; the model. The answer depends on nothing but the question (gbl_class), the device, and
 * what the context knew when it opened: the database and the roofs.
 */
#ifndef GBL_CHOOSE_H
#define GBL_CHOOSE_H

#include "core/op.h"
#include "tune/database.h"

/* Times that the model may be asked for one choice, whatever variants there are: some 0.4 us
 * each. */
#define GBL_MOST_PREDICTIONS 144

/* Choices that gbl_tune_rank tells at most. */
#define GBL_MOST_RANKED 16

/* The hooks for core/op.c. */
void gbl_tune_choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice);
void gbl_tune_foresee(const gbl_device *device, const gbl_question *question, gbl_choice *choice);
extern const gbl_evidence_hooks gbl_tune_evidence;

/* The same for a call, and how good the evidence is. Where choice->variant is set, it is forced.
 * For the measurement itself ask gbl_database_find_entry. */
void gbl_tune_choose_why(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *choice,
                         gbl_match *match);

/* The first choices for a call: the one in use, then others by the time that the model predicts,
 * each with another plan; at the end variants that the model does not rank, the last of the table
 * first. Returns how many, `most` or GBL_MOST_RANKED at most; 0: the context has a message. */
int gbl_tune_rank(gable_context *ctx, const gbl_op *op, const void *call, gbl_choice *list,
                  int most);

#endif
