/* choice_memo.h: choices that were made before, by the class of their calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A factorization asks for hundreds of choices, and a choice takes some 40 us: what was chosen once
 * is kept. The table grows with what is in it; a full one is emptied, which then costs each choice
 * once more. Without memory nothing is kept, and nothing fails.
 */
#ifndef GBL_CHOICE_MEMO_H
#define GBL_CHOICE_MEMO_H

#include "core/op.h"

#define GBL_MOST_CHOICES 16384 /* kept at once: 3.5 MiB */

/* Whether a choice is kept for the class; if so, it is given. */
bool gbl_memo_find(const gbl_choice_memo *memo, const gbl_class *of, gbl_choice *choice);

/* Keeps a choice for a class that is not in the table. */
void gbl_memo_put(gbl_choice_memo *memo, const gbl_class *of, const gbl_choice *choice);

/* Empties the table and frees its memory. */
void gbl_memo_clear(gbl_choice_memo *memo);

#endif
