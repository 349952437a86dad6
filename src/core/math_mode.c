/* math_mode.c: what sums in single precision may be made of: the mode of a context.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The mode is read where products are made (blas/gemm/gemm.c); here it is only kept.
 */
#include <stdlib.h>
#include <string.h>
#include "core/math_mode.h"

static const char *const names[] = {[GABLE_MATH_PLAIN] = "plain", [GABLE_MATH_TF32X3] = "tf32x3"};
#define MODES ((int)(sizeof names / sizeof names[0]))

const char *gbl_math_name(int math)
{
    return math >= 0 && math < MODES ? names[math] : NULL;
}

bool gbl_math_find(const char *word, gable_math *math)
{
    for (int i = 0; i < MODES; i++) {
        if (strcmp(word, names[i]) == 0) {
            *math = (gable_math)i;
            return true;
        }
    }
    return false;
}

gable_status gbl_math_open(gable_context *ctx)
{
    const char *word = getenv("GABLE_MATH");
    if (word == NULL || word[0] == '\0' || gbl_math_find(word, &ctx->math))
        return GABLE_OK;
    return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                    "GABLE_MATH cannot be used: it is \"%.64s\"; it must be " GBL_MATH_WORDS, word);
}

gable_status gable_set_math(gable_context *ctx, gable_math math)
{
    TRY(gbl_enter(ctx, "gable_set_math"));
    CHECK_ARG(ctx, gbl_math_name((int)math) != NULL, 2, "math",
              "is %d; it must be GABLE_MATH_PLAIN or GABLE_MATH_TF32X3", (int)math);
    ctx->math = math;
    return GABLE_OK;
}

gable_status gable_get_math(gable_context *ctx, gable_math *math)
{
    TRY(gbl_enter(ctx, "gable_get_math"));
    CHECK_ARG(ctx, math != NULL, 2, "math", "is NULL");
    *math = ctx->math;
    return GABLE_OK;
}
