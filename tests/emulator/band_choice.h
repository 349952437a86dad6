/* band_choice.h: what test_dialect.c chooses for products with bands: variants and tunables of
 * which
 * band_kernels_c.cmake has the kernels. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BAND_CHOICE_H
#define BAND_CHOICE_H

#include <string.h>
#include "blas/level2/level2.h"
#include "expect.h"

static bool bands_wide; /* the variants for wide bands: `wide_n` and `wide_t`, of sbmv `once` */

static inline bool is_band(const gbl_op *op)
{
    return op == &gbl_gbmv_op || op == &gbl_tbmv_op || op == &gbl_sbmv_op;
}

/* The variant of that name, with these tunables. */
static inline void take_band(const gbl_op *op, const char *name, const int32_t *values, int count,
                             gbl_choice *choice)
{
    choice->variant = NULL;
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, name) == 0)
            choice->variant = &op->variants[i];
    EXPECT(choice->variant != NULL && choice->variant->space_count == count,
           "%s has no variant %s of %d tunables", op->stem, name, count);
    memcpy(choice->params.value, values, (size_t)count * sizeof values[0]);
}

/* Tunables of products with bands, those of band_kernels_c.cmake: on a GPU `flat`; otherwise `tile`
 * in s and z, `single_item` in d and c, and the variants for wide bands. Those run on either: only
 * `flat` is asked whether it fits. */
static inline void choose_band(const gbl_device *device, const gbl_question *question,
                               gbl_choice *choice)
{
    const gbl_op *op = question->of.op;
    const gbl_matrix_call *call = question->call;
    const bool small = call->dtype == GBL_S, plain = call->trans == GABLE_NO_TRANS;
    const int32_t flat[] = {8, small ? 16 : 8, 2}, tile[] = {8, 16, 8}, walk[] = {16};
    const int32_t wide[] = {8, 4, 2, 2, 2, 2};
    if (device->props.is_gpu) {
        take_band(op, "flat", flat, 3, choice);
        EXPECT(question->of.fitting >> (choice->variant - op->variants) & 1,
               "flat does not fit a call of %s", op->stem);
    } else if (bands_wide && op == &gbl_sbmv_op) {
        take_band(op, "once", wide, 6, choice);
    } else if (bands_wide) {
        take_band(op, plain ? "wide_n" : "wide_t", wide, 4, choice);
    } else if (small || call->dtype == GBL_Z) {
        take_band(op, "tile", tile, 3, choice);
    } else {
        take_band(op, "single_item", walk, 1, choice);
    }
}

#endif
