/* product_choice.h: the variants and tunables of products of matrices that kernels_c.cmake has
 * kernels for.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel that computes gemm gets one line here and one in kernels_c.cmake (product_kernel).
 */
#ifndef PRODUCT_CHOICE_H
#define PRODUCT_CHOICE_H

#include <string.h>
#include "blas/level3/level3.h"

typedef struct product_setting {
    const char *stem, *variant;
    int32_t values[GBL_MAX_PARAMS]; /* of its tunables, in their order */
} product_setting;

/* How gemm runs, one after the other. */
static const product_setting gemm_settings[] = {
    {"gemm", "naive", {4}},
    {"gemm", "tile", {8, 4, 1, 1, 8, 0, 1, 1}}, /* terms are not shared */
    {"gemm", "tile", {8, 4, 1, 1, 8, 0, 1, 2}}, /* long sums are, by two groups */
};
#define GEMM_SETTINGS ((int)(sizeof gemm_settings / sizeof gemm_settings[0]))

/* How routines run that have kernels beside those of gemm. */
static const product_setting other_settings[] = {
    {"symm", "expanded", {4}},
};

/* The kernels that solve blocks of a triangle. */
static const product_setting trsm_settings[] = {
    {"trsm", "halves", {4, 16, 2, 2, 2}},
    {"trsm", "strips", {16, 8, 4, 4}},
};
#define TRSM_SETTINGS ((int)(sizeof trsm_settings / sizeof trsm_settings[0]))

static inline bool is_product(const gbl_op *op)
{
    return op->layout == &gbl_product_layout;
}

static inline void choose_product(const gbl_op *op, const product_setting *gemm,
                                  const product_setting *trsm, gbl_choice *choice)
{
    const product_setting *setting = gemm;
    for (size_t i = 0; i < sizeof other_settings / sizeof other_settings[0]; i++)
        if (strcmp(other_settings[i].stem, op->stem) == 0)
            setting = &other_settings[i];
    if (strcmp(op->stem, trsm->stem) == 0)
        setting = trsm;
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, setting->variant) == 0)
            choice->variant = &op->variants[i];
    memcpy(choice->params.value, setting->values, sizeof setting->values);
}

#endif
