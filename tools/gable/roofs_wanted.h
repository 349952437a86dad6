/* roofs_wanted.h: roofs for subcommands that need measured ones.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_ROOFS_WANTED_H
#define TOOL_ROOFS_WANTED_H

#include "model/roofs.h"

/* A rate so far above its roof says that the roof is wrong. */
#define ROOFS_EXCEEDED 1.2

/* The roofs of the context's device. They are measured where they were not yet, and again where the
 * machine was busy and is not now: other programs took more than GBL_ROOFS_BUSY of the processors
 * and take at least that much less; on GPUs, repeats differed by more than that. Where measuring
 * again fails the old ones serve; that they could not be stored is told on the standard error. */
gable_status roofs_wanted(gable_context *ctx, gbl_roofs *roofs,
                          void (*progress)(const char *text, double done));

/* "measured: other programs took ..."; "guessed" and "built in" as they are. */
void roofs_wanted_text(const gbl_roofs *roofs, char *text, size_t text_bytes);

/* What to do where a rate is above ROOFS_EXCEEDED times its roof: a sentence. */
const char *roofs_wanted_again(const gbl_roofs *roofs);

#endif
