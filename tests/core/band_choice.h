/* band_choice.h: what test_dialect.c chooses for products with bands: variants and tunables of which
 * kernels_c.cmake has the kernels. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BAND_CHOICE_H
#define BAND_CHOICE_H

#include <string.h>
#include "blas/level2.h"

static bool bands_wide; /* the variants for wide bands: `wide_n` and `wide_t`, of sbmv `once` */

static inline bool is_band(const gbl_op *op)
{
    return op == &gbl_gbmv_op || op == &gbl_tbmv_op || op == &gbl_sbmv_op;
}

/* Tunables of products with bands, those of kernels_c.cmake: `tile` in s and z, `walk` in d and c. */
static inline void choose_band(const gbl_op *op, const gbl_matrix_call *call, gbl_choice *choice)
{
    const bool tile = call->dtype == GBL_S || call->dtype == GBL_Z;
    const int32_t tiles[] = {8, 16, 8}, walks[] = {16}, wide[] = {8, 4, 2, 2, 2, 2};
    const bool turned = op != &gbl_sbmv_op && call->trans != GABLE_NO_TRANS;
    choice->variant = &op->variants[bands_wide ? 2 + turned : tile ? 0 : 1];
    if (bands_wide)
        memcpy(choice->params.value, wide, sizeof wide);
    else if (tile)
        memcpy(choice->params.value, tiles, sizeof tiles);
    else
        memcpy(choice->params.value, walks, sizeof walks);
}

#endif
