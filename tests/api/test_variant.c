/* test_variant.c: forced variants and tunables: what is refused, what takes effect.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "blas/level1/level1.h"
#include "harness/check.h"

static const gbl_op *dot_op;

/* Which variant a plain dot product would run. */
static gbl_choice chosen(gable_context *ctx)
{
    static double x[16], result;
    const gbl_vector_call call = {
        .dtype = GBL_D, .n = 16, .x = x, .incx = 1, .y = x, .incy = 1, .result = &result};
    gbl_choice choice = {.variant = NULL, .params = {{0}}};
    CHECK_OK(ctx, gbl_op_choose(ctx, dot_op, &call, &choice));
    return choice;
}

static bool fits(const gable_context *ctx, const gbl_variant *variant)
{
    static double x[16], result;
    const gbl_vector_call call = {
        .dtype = GBL_D, .n = 16, .x = x, .incx = 1, .y = x, .incy = 1, .result = &result};
    return variant->fits(variant, &call, ctx->device);
}

static void refused(gable_context *ctx, const char *choice, const char *piece)
{
    const gbl_choice before = chosen(ctx);
    test_case("gable_set_variant \"%s\"", choice);
    CHECK_REFUSED(ctx, gable_set_variant(ctx, choice), GABLE_BAD_ARGUMENT, "gable_set_variant",
                  "argument 2 (choice)", piece);
    const gbl_choice after = chosen(ctx);
    CHECK(after.variant == before.variant &&
              memcmp(&after.params, &before.params, sizeof before.params) == 0,
          "an error changed the choice");
}

static void errors(gable_context *ctx)
{
    char text[128];
    refused(ctx, "dot", "dot");
    refused(ctx, "nosuch=one_pass", "nosuch");
    refused(ctx, "dot=nosuch", "nosuch");
    refused(ctx, "dot=nosuch", "two_pass"); /* the names that exist are told */
    refused(ctx, "dot=two_pass:nosuch=4", "nosuch");
    refused(ctx, "dot=two_pass:vec", "vec");
    refused(ctx, "dot=two_pass:vec=3", "3");
    refused(ctx, "dot=two_pass:vec=3", "1, 2, 4");
    refused(ctx, "dot=two_pass:vec=", "vec");
    refused(ctx, "dot=two_pass:vec=4x", "4x");
    refused(ctx, "dot=two_pass,axpy=nosuch", "nosuch"); /* neither is taken */
    refused(ctx, "dot=two_pass|nosuch", "nosuch");
    refused(ctx, "dot=two_pass|one_pass:vec=3", "1, 2, 4");
    refused(ctx, "dot=two_pass|", "\"\"");
    refused(ctx, "dot=|two_pass", "\"\"");
    for (int i = 0; i < dot_op->variant_count; i++) {
        if (dot_op->variants[i].space_count == 0) {
            snprintf(text, sizeof text, "dot=%s:vec=4", dot_op->variants[i].name);
            refused(ctx, text, "vec");
        }
    }
}

/* Every variant that fits can be forced, runs, and can be lifted again. */
static void effects(gable_context *ctx)
{
    const gbl_variant *usual = chosen(ctx).variant;
    const double given[4] = {1, 2, 3, 4};
    double *x = NULL, sum;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof given, (void **)&x));
    CHECK_OK(ctx, gable_set_vector(ctx, 4, sizeof(double), given, 1, x, 1));
    for (int i = 0; i < dot_op->variant_count; i++) {
        const gbl_variant *variant = &dot_op->variants[i];
        char text[64];
        snprintf(text, sizeof text, "dot=%s", variant->name);
        test_case("gable_set_variant \"%s\"", text);
        CHECK_OK(ctx, gable_set_variant(ctx, text));
        sum = -1;
        if (fits(ctx, variant)) {
            CHECK(chosen(ctx).variant == variant, "%s was chosen", chosen(ctx).variant->name);
            CHECK_OK(ctx, gable_ddot(ctx, 4, x, 1, x, 1, &sum));
            CHECK(sum == 30, "the sum is %g", sum);
        } else {
            CHECK_REFUSED(ctx, gable_ddot(ctx, 4, x, 1, x, 1, &sum), GABLE_NOT_SUPPORTED,
                          "gable_ddot", variant->name, "dot");
            CHECK(sum == -1, "a refused call wrote %g", sum);
        }
        CHECK_OK(ctx, gable_dnrm2(ctx, 4, x, 1, &sum)); /* another op is not concerned */
        CHECK_OK(ctx, gable_set_variant(ctx, i % 2 == 0 ? "dot=" : NULL));
        CHECK(chosen(ctx).variant == usual, "%s stayed forced", variant->name);
    }
    CHECK_OK(ctx, gable_free(ctx, x));
}

/* Of a list the first that fits runs, whatever is forced or lifted of other ops. */
static void lists(gable_context *ctx)
{
    const int count = dot_op->variant_count;
    double *x = NULL, sum;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof *x, (void **)&x));
    for (int i = 0; i < count * count; i++) {
        const gbl_variant *first = &dot_op->variants[i / count],
                          *second = &dot_op->variants[i % count],
                          *runs = fits(ctx, first)    ? first
                                  : fits(ctx, second) ? second
                                                      : NULL;
        char text[128], names[96];
        snprintf(text, sizeof text, "axpy=%s,dot=%s|%s", gbl_axpy_op.variants[0].name, first->name,
                 second->name);
        test_case("gable_set_variant \"%s\"", text);
        CHECK_OK(ctx, gable_set_variant(ctx, text));
        CHECK_OK(ctx, gable_set_variant(ctx, "axpy="));
        snprintf(names, sizeof names, "(%s, %s)", first->name, second->name);
        if (runs != NULL)
            CHECK(chosen(ctx).variant == runs, "%s was chosen", chosen(ctx).variant->name);
        else
            CHECK_REFUSED(ctx, gable_ddot(ctx, 1, x, 1, x, 1, &sum), GABLE_NOT_SUPPORTED,
                          "gable_ddot", names, "dot");
        CHECK_OK(ctx, gable_set_variant(ctx, NULL));
    }
    CHECK_OK(ctx, gable_free(ctx, x));
}

/* Tunables that were given are taken, the others stay as the choice has them. */
static void tunables(gable_context *ctx)
{
    for (int i = 0; i < dot_op->variant_count; i++) {
        const gbl_variant *variant = &dot_op->variants[i];
        if (variant->space_count == 0 || !fits(ctx, variant))
            continue;
        char text[96];
        snprintf(text, sizeof text, "nrm2=,dot=%s:vec=8:unroll=2,axpy=", variant->name);
        test_case("gable_set_variant \"%s\"", text);
        CHECK_OK(ctx, gable_set_variant(ctx, text));
        const gbl_choice choice = chosen(ctx);
        CHECK(choice.params.value[gbl_param_index(variant, "vec")] == 8, "vec is not 8");
        CHECK(choice.params.value[gbl_param_index(variant, "unroll")] == 2, "unroll is not 2");
        const int32_t local = choice.params.value[gbl_param_index(variant, "local")];
        CHECK(local >= 1 && local <= ctx->device->props.max_group, "local is %d", (int)local);
        /* Forced again, the old tunables are gone. */
        snprintf(text, sizeof text, "dot=%s:vec=1", variant->name);
        CHECK_OK(ctx, gable_set_variant(ctx, text));
        CHECK(chosen(ctx).params.value[gbl_param_index(variant, "vec")] == 1, "vec is not 1");
        CHECK_OK(ctx, gable_set_variant(ctx, NULL));
    }
}

#define SIDE 64

/* Shapes of a group that no table has, with blocks that several groups share: one lane along the
 * rows once lost them on PoCL. */
static void odd_groups(gable_context *ctx)
{
    static const char *const shapes[] = {
        "gemv=split_n:items=32:wx=1:vec=2:unroll=1:groups=3:split=1",
        "gemv=split_n:items=32:wx=32:vec=1:unroll=2:groups=3:split=1",
        "gemv=split_t:items=32:wx=1:vec=2:unroll=1:batch=2:groups=3:split=1",
    };
    static float ones[SIDE * SIDE], sums[SIDE];
    void *A = NULL, *y = NULL;
    for (int i = 0; i < SIDE * SIDE; i++)
        ones[i] = 1;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof ones, &A));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof sums, &y));
    CHECK_OK(ctx, gable_set_matrix(ctx, SIDE, SIDE, sizeof(float), ones, SIDE, A, SIDE));
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const gable_trans trans = strstr(shapes[i], "split_t") ? GABLE_TRANS : GABLE_NO_TRANS;
        test_case("%s", shapes[i]);
        CHECK_OK(ctx, gable_set_variant(ctx, shapes[i]));
        CHECK_OK(ctx, gable_sgemv(ctx, trans, SIDE, SIDE, 1, A, SIDE, A, 1, 0, y, 1));
        CHECK_OK(ctx, gable_get_vector(ctx, SIDE, sizeof(float), y, 1, sums, 1));
        for (int row = 0; row < SIDE; row++)
            CHECK(sums[row] == SIDE, "row %d is %g", row, (double)sums[row]);
        CHECK_OK(ctx, gable_set_variant(ctx, "gemv="));
    }
    CHECK_OK(ctx, gable_free(ctx, A));
    CHECK_OK(ctx, gable_free(ctx, y));
}

int main(void)
{
    test_start("test_variant");
    gable_context *ctx = test_open();
    dot_op = gbl_op_find("dot");
    if (dot_op == NULL) {
        CHECK(false, "there is no op \"dot\"");
    } else {
        CHECK_OK(ctx, gable_set_variant(ctx, ""));
        errors(ctx);
        effects(ctx);
        lists(ctx);
        tunables(ctx);
        if (ctx->device->table->build != NULL)
            odd_groups(ctx);
    }
    gable_close(ctx);
    return test_finish();
}
