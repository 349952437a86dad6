/* test_former_names.c: names of variants and tunables that have changed are still understood.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/former_names.h"
#include "core/key.h"
#include "harness/check.h"
#include "tune/database.h"
#include "tune/tune_line.h"

static const struct {
    const char *stem, *former, *now;
} variants[] = {
    {"gemm", "ring", "pipeline"},
    {"gemm_batched", "ring", "pipeline"},
    {"gemm", "packed", "aligned_copy"},
    {"gemm", "cut", "tail_split"},
    {"gemm", "walk", "single_item"},
    {"gbmv", "walk", "single_item"},
    {"tpsv", "walk", "single_item"},
    {"symv", "twice", "read_twice"},
    {"sparse_mv", "walk", "single_item"},
    {"sparse_mv", "coo_walk", "coo_single_item"},
    {"sparse_mm", "hyb_walk", "hyb_single_item"},
};

static const struct {
    const char *former, *now;
} tunables[] = {{"layers", "split_k"}, {"skew", "stagger"}, {"through", "staged_c"}};

static void test_names(void)
{
    test_case("names");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const gbl_op *op = gbl_op_find(variants[i].stem);
        const gbl_variant *former = op != NULL ? gbl_variant_find(op, variants[i].former) : NULL;
        CHECK(former != NULL && strcmp(former->name, variants[i].now) == 0 &&
                  former == gbl_variant_find(op, variants[i].now),
              "%s=%s is not %s", variants[i].stem, variants[i].former, variants[i].now);
    }
    const gbl_op *gemm = gbl_op_find("gemm");
    CHECK(gbl_variant_find(gemm, "twice") == NULL, "gemm has a variant of symv");
    CHECK(gbl_variant_find(gemm, "none") == NULL, "a name that never was has a variant");
    const gbl_variant *pipeline = gbl_variant_find(gemm, "pipeline"),
                      *tile = gbl_variant_find(gemm, "tile");
    for (size_t i = 0; i < sizeof tunables / sizeof tunables[0]; i++) {
        const int index = gbl_param_index(pipeline, tunables[i].former);
        CHECK(index >= 0 && strcmp(pipeline->space[index].name, tunables[i].now) == 0,
              "the tunable %s is not %s", tunables[i].former, tunables[i].now);
        CHECK(gbl_param_index(tile, tunables[i].former) < 0, "tile has a tunable %s",
              tunables[i].former);
    }
}

/* No variant or tunable of today has a former name: it would not be reached by it, or the other
 * not. */
static void test_clashes(void)
{
    test_case("clashes");
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++)
        for (int v = 0; v < (*op)->variant_count; v++) {
            const gbl_variant *variant = &(*op)->variants[v];
            CHECK(gbl_former_variant(variant->name) == NULL, "%s=%s has a former name", (*op)->stem,
                  variant->name);
            for (int p = 0; p < variant->space_count; p++)
                CHECK(gbl_former_tunable(variant->space[p].name) == NULL,
                      "%s=%s has a tunable with the former name %s", (*op)->stem, variant->name,
                      variant->space[p].name);
        }
}

/* A choice with former names is taken, and the message tells the present ones. */
static void test_forcing(gable_context *ctx)
{
    test_case("gable_set_variant");
    CHECK_OK(ctx, gable_set_variant(ctx, "gemm=pipeline:split_k=2"));
    const gbl_forced now = ctx->choices.forced[0];
    CHECK(strstr(gable_message(ctx), "called") == NULL, "%s", gable_message(ctx));
    CHECK_OK(ctx, gable_set_variant(ctx, "gemm=ring"));
    CHECK(strstr(gable_message(ctx), "ring is called pipeline now") != NULL, "%s",
          gable_message(ctx));
    CHECK_OK(ctx, gable_set_variant(ctx, "gemm=ring:layers=2"));
    CHECK(strstr(gable_message(ctx), "layers is called split_k now") != NULL, "%s",
          gable_message(ctx));
    const gbl_forced former = ctx->choices.forced[0];
    CHECK(ctx->choices.forced_count == 1 && former.variant == now.variant &&
              former.set == now.set && memcmp(&former.params, &now.params, sizeof now.params) == 0,
          "former names force another choice");
    CHECK_REFUSED(ctx, gable_set_variant(ctx, "gemm=ring:layers=3"), GABLE_BAD_ARGUMENT,
                  "gable_set_variant", "argument 2 (choice)", "1, 2, 4, 8");
    CHECK_OK(ctx, gable_set_variant(ctx, NULL));
}

static void test_environment(void)
{
    gable_context *ctx = NULL;
    test_case("GABLE_VARIANT");
    setenv("GABLE_VARIANT", "symv=twice", 1);
    CHECK(gable_open(&ctx, "cpu") == GABLE_OK, "%s", ctx != NULL ? gable_message(ctx) : "");
    unsetenv("GABLE_VARIANT");
    CHECK(ctx != NULL && ctx->choices.forced_count == 1 &&
              strcmp(ctx->choices.forced[0].variant->name, "read_twice") == 0,
          "symv=twice is not forced");
    gable_close(ctx);
}

/* A line as it was written before: its names become today's. */
static void test_line(void)
{
    static const char form[] =
        "{\"op\":\"gemm\",\"prec\":\"d\",\"variant\":\"ring\","
        "\"params\":\"rows=64:columns=32:layers=4:skew=0:through=0\",\"key\":\"%s\","
        "\"usec\":10,\"error\":0.1,\"kernel\":\"%s\",\"device\":\"cuda|X|sm_90|1|1 GiB\"}";
    const gbl_op *gemm = gbl_op_find("gemm"), *op;
    const gbl_variant *pipeline = gbl_variant_find(gemm, "pipeline"), *variant;
    gbl_entry entry, again;
    char hash[20], key[24], line[GBL_TUNE_LINE_BYTES];
    test_case("a line of the database");
    gbl_variant_hash(pipeline, hash);
    snprintf(key, sizeof key, "0x%llx", (unsigned long long)gbl_key_sizes(GBL_D, 512, 512, 0));
    snprintf(line, sizeof line, form, key, hash);
    const gbl_line_kind kind = gbl_tune_line_read(line, &entry, &op, &variant);
    CHECK(kind == GBL_LINE_GOOD, "former names are not understood: %s", line);
    if (kind != GBL_LINE_GOOD)
        return;
    CHECK(variant == pipeline && strcmp(entry.variant, "pipeline") == 0 &&
              entry.params.value[gbl_param_index(pipeline, "split_k")] == 4,
          "a line says %s", entry.variant);
    CHECK(gbl_entry_current(&entry), "a measurement under former names is no answer");
    snprintf(entry.kernel, sizeof entry.kernel, "0123456789abcdef");
    CHECK(!gbl_entry_current(&entry), "a measurement of any text is an answer");
    CHECK(gbl_tune_line_write(&entry, line) && strstr(line, "ring") == NULL &&
              gbl_tune_line_read(line, &again, &op, &variant) == GBL_LINE_GOOD &&
              strcmp(again.variant, "pipeline") == 0,
          "it is written with former names: %s", line);
}

int main(void)
{
    gable_context *ctx = NULL;
    test_start("test_former_names");
    if (gable_open(&ctx, "cpu") != GABLE_OK)
        return 1;
    test_names();
    test_clashes();
    test_forcing(ctx);
    gable_close(ctx);
    test_environment();
    test_line();
    return test_finish();
}
