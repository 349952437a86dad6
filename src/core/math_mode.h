/* math_mode.h: what sums in single precision may be made of, as words.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_MATH_MODE_H
#define GBL_MATH_MODE_H

#include <stdbool.h>
#include "core/context.h"

/* "plain", "tf32x3"; NULL for what is no mode. */
const char *gbl_math_name(int math);
/* The mode of a word; false: there is none, and *math is as it was. */
bool gbl_math_find(const char *word, gable_math *math);
/* All words, for messages: "plain or tf32x3". */
#define GBL_MATH_WORDS "plain or tf32x3"

/* Of a context that opens: what $GABLE_MATH says. */
gable_status gbl_math_open(gable_context *ctx);

#endif
