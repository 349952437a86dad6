/* test_builtin.c: the lines of the tuning database that the library carries: each is good, serves
 * some device, and was measured with the kernel that the library has, or is named.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `test_builtin --stamp FILES` writes the hashes of today's kernels into the lines of files: to be
 * done after the old kernel and the new one were run beside each other and the lines are still the
 * best.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level2/level2.h"
#include "core/data_folder.h"
#include "core/key.h"
#include "harness/check.h"
#include "tune/builtin.h"
#include "tune/tune_line.h"

/* ---- Stamping ---- */

/* Writes a line with the hash that its kernel has; as it is where it is no line of the database. */
static void stamp_line(FILE *out, const char *line, size_t length)
{
    static const char member[] = "\"kernel\":\"";
    const gbl_op *op;
    const gbl_variant *variant;
    gbl_entry entry;
    char hash[20];
    const char *at = strstr(line, member);
    if (line[0] != '{' || at == NULL || at >= line + length ||
        gbl_tune_line_read(line, &entry, &op, &variant) != GBL_LINE_GOOD) {
        fprintf(out, "%.*s\n", (int)length, line);
        return;
    }
    gbl_variant_hash(variant, hash);
    at += sizeof member - 1;
    const char *end = strchr(at, '"');
    fprintf(out, "%.*s%s%.*s\n", (int)(at - line), line, hash, (int)(line + length - end), end);
}

static int stamp(const char *path)
{
    char *text = gbl_data_read(path);
    FILE *out = text != NULL ? fopen(path, "wb") : NULL;
    if (out == NULL) {
        fprintf(stderr, "%s cannot be read and written\n", path);
        free(text);
        return 1;
    }
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        stamp_line(out, line, length);
        line += length + (line[length] == '\n');
    }
    free(text);
    return fclose(out) == 0 ? 0 : 1;
}

/* ---- The test ---- */

static void test_lines(void)
{
    int lines = 0, old = 0;
    char last[192] = "";
    test_case("lines");
    for (const char *const *line = gbl_builtin_lines; *line != NULL; line++, lines++) {
        const gbl_op *op;
        const gbl_variant *variant;
        gbl_entry entry;
        char name[192];
        const gbl_line_kind kind = gbl_tune_line_read(*line, &entry, &op, &variant);
        CHECK(kind == GBL_LINE_GOOD && entry.from >= 0, "the library cannot use its own line %s",
              *line);
        if (kind != GBL_LINE_GOOD || gbl_entry_current(&entry))
            continue;
        old++;
        snprintf(name, sizeof name, "%s %s=%s", entry.device, entry.op, entry.variant);
        if (strcmp(name, last) != 0)
            printf("measured with another kernel: %s\n", name);
        snprintf(last, sizeof last, "%s", name);
    }
    printf("%d lines, %d of them measured with another kernel text\n", lines, old);
    CHECK(lines > 0, "the library carries no lines");
}

/* The last line whose class is reached counts, that of the family before that of the rest of its
 * name. */
static void test_finding(void)
{
    const gbl_op *op = &gbl_gemv_op;
    const gbl_variant *split = gbl_variant_find(op, "split_n");
    const int items = gbl_param_index(split, "items");
    const uint64_t small = gbl_key_sizes(GBL_D, 200, 200, 0),
                   large = gbl_key_sizes(GBL_D, 4096, 4096, 0);
    test_case("finding");
    const gbl_builtin *a = gbl_builtin_find("sm_90", op, split, small),
                      *b = gbl_builtin_find("sm_90", op, split, large),
                      *c = gbl_builtin_find("opencl-sm_90", op, split, large),
                      *d = gbl_builtin_find("sm_70", op, split, large);
    CHECK(a != NULL && b != NULL && a != b && a->from <= 8 && b->from == 12 &&
              b->params.value[items] == 512,
          "the lines of sm_90 are not found by size");
    CHECK(c == b, "a family that is reached through OpenCL has not the lines of its name");
    CHECK(d == NULL, "a family without lines has one");
    CHECK(gbl_builtin_serves("sm_90", op) && !gbl_builtin_serves("sm_70", op),
          "which ops a family serves");
    char families[16][24];
    const int count = gbl_builtin_families(families, 16);
    CHECK(count >= 4, "%d families", count);
}

int main(int count, char **words)
{
    gable_context *ctx = NULL;
    int failed = 0;
    if (gable_open(&ctx, "cpu") != GABLE_OK) /* the names of ops come with it */
        return 1;
    gable_close(ctx);
    if (count > 1 && strcmp(words[1], "--stamp") == 0) {
        for (int i = 2; i < count; i++)
            failed |= stamp(words[i]);
        return failed;
    }
    test_start("test_builtin");
    test_lines();
    test_finding();
    return test_finish();
}
