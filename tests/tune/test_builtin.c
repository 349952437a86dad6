/* test_builtin.c: the lines of the tuning database that the library carries: each is good, serves
 * some device, and was measured with the kernel that the library has, or is named.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `test_builtin --merge FAMILY INTO FILES` takes the winners that the tuner wrote into FILES over
 * into a file of src/tune/builtin, as lines for sizes nearby: one for each op, precision, flags and
 * sizes, the last that was measured. Lines for sizes nearby of other kernel texts are left out.
 *
 * `test_builtin --stamp FILES` writes the hashes of today's kernels into the lines of files: to be
 * done after the old kernel and the new one were run beside each other and the lines are still the
 * best.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level2/level2.h"
#include "blas/level3/level3.h"
#include "core/call_class.h"
#include "core/data_folder.h"
#include "core/json_line.h"
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

/* ---- Merging ---- */

/* A file's lines in their order; those for sizes nearby have what tells them apart. */
typedef struct merged {
    struct merged_line {
        char text[2048];
        char class[192]; /* "" of other lines */
    } * list;
    int count, room;
    int stale, fresh;
} merged;

/* Which calls a line serves: op, precision, flags, sizes. */
static void class_of(const gbl_entry *entry, const char *sizes, char class[192])
{
    snprintf(class, 192, "%s %c %llx %s", entry->op, gbl_dtype_letter(entry->dtype),
             (unsigned long long)(entry->key & GBL_KEY_KIND_BITS), sizes);
}

static bool put_line(merged *all, const char *text, const char *class)
{
    int at = 0;
    while (at < all->count && (class[0] == '\0' || strcmp(all->list[at].class, class) != 0))
        at++;
    if (at == all->room) {
        const int room = all->room > 0 ? 2 * all->room : 1024;
        struct merged_line *list = realloc(all->list, (size_t)room * sizeof *list);
        if (list == NULL)
            return false;
        all->list = list;
        all->room = room;
    }
    all->count += at == all->count;
    snprintf(all->list[at].text, sizeof all->list[at].text, "%s", text);
    snprintf(all->list[at].class, sizeof all->list[at].class, "%s", class);
    return true;
}

/* A winner of the tuner as a line that the library carries. */
static void carried_text(const char *line, const gbl_entry *entry, const char *family,
                         char text[2048])
{
    char params[256] = "", flags[96] = "";
    gbl_json_text(line, "params", params, sizeof params);
    gbl_json_text(line, "flags", flags, sizeof flags);
    snprintf(
        text, 2048,
        "{\"op\":\"%s\",\"prec\":\"%c\",\"variant\":\"%s\",\"params\":\"%s\",\"key\":\"0x%llx\","
        "\"at\":\"%s\",\"flags\":\"%s\",\"usec\":%.4g,\"winner\":true,\"kernel\":\"%s\","
        "\"device\":\"%s\",\"date\":\"%.7s\"}",
        entry->op, gbl_dtype_letter(entry->dtype), entry->variant, params,
        (unsigned long long)entry->key, entry->size, flags, entry->usec, entry->kernel, family,
        entry->date);
}

/* A line of the file that is merged into (family NULL), or of one that the tuner wrote. */
static bool merge_line(merged *all, const char *line, const char *family)
{
    const gbl_op *op;
    const gbl_variant *variant;
    gbl_entry entry;
    char class[192], sizes[96] = "", text[2048];
    const bool good =
        line[0] == '{' && gbl_tune_line_read(line, &entry, &op, &variant) == GBL_LINE_GOOD;
    if (!good || (family == NULL && entry.at_count == 0))
        return family != NULL || put_line(all, line, "");
    if (!gbl_entry_current(&entry)) {
        all->stale++;
        return true;
    }
    if (family == NULL) {
        gbl_json_text(line, "at", sizes, sizeof sizes);
        class_of(&entry, sizes, class);
        return put_line(all, line, class);
    }
    if (entry.from >= 0 || entry.at_count > 0 || !entry.winner || !(entry.error <= 1) ||
        entry.size[0] == '\0')
        return true;
    class_of(&entry, entry.size, class);
    carried_text(line, &entry, family, text);
    all->fresh++;
    return put_line(all, text, class);
}

static bool merge_file(merged *all, const char *path, const char *family)
{
    char *text = gbl_data_read(path);
    bool good = text != NULL;
    for (char *line = text; good && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool last = line[length] == '\0';
        line[length] = '\0';
        good = length >= 2048 || merge_line(all, line, family);
        line += length + !last;
    }
    free(text);
    if (!good)
        fprintf(stderr, "%s cannot be read\n", path);
    return good;
}

/* Takes over the winners of the files into the one that the library is built with. */
static int merge(const char *family, const char *into, char **paths, int count)
{
    merged all = {.list = NULL};
    bool good = merge_file(&all, into, NULL);
    const int stale = all.stale, before = all.count;
    for (int i = 0; good && i < count; i++)
        good = merge_file(&all, paths[i], family);
    FILE *out = good ? fopen(into, "wb") : NULL;
    for (int i = 0; out != NULL && i < all.count; i++)
        fprintf(out, "%s\n", all.list[i].text);
    if (out == NULL || fclose(out) != 0) {
        fprintf(stderr, "%s cannot be written\n", into);
        free(all.list);
        return 1;
    }
    printf("%d winners read, %d new classes, %d lines of other kernel texts left out, %d of the "
           "file\n",
           all.fresh, all.count - before, all.stale, stale);
    free(all.list);
    return 0;
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
        CHECK(kind == GBL_LINE_GOOD && (entry.from >= 0 || entry.at_count > 0),
              "the library cannot use its own line %s", *line);
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
    const gbl_builtin_query few = gbl_builtin_ask(op, small, NULL),
                            many = gbl_builtin_ask(op, large, NULL);
    const gbl_builtin *a = gbl_builtin_find("sm_90", split, &few),
                      *b = gbl_builtin_find("sm_90", split, &many),
                      *c = gbl_builtin_find("opencl-sm_90", split, &many),
                      *d = gbl_builtin_find("sm_70", split, &many);
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

/* ---- Lines for sizes nearby ---- */

static gbl_product_call product(int64_t m, int64_t n, int64_t k, gable_trans trans)
{
    return (gbl_product_call){.dtype = GBL_S,
                              .trans = trans,
                              .trans_b = GABLE_NO_TRANS,
                              .m = m,
                              .n = n,
                              .k = k,
                              .A = (void *)((uintptr_t)1 << 40),
                              .lda = m > k ? m : k,
                              .B = (void *)((uintptr_t)2 << 40),
                              .ldb = k,
                              .C = (void *)((uintptr_t)3 << 40),
                              .ldc = m,
                              .alpha = {.re = 1}};
}

static int far_from(const gbl_builtin *line, int64_t m, int64_t n, int64_t k, gable_trans trans)
{
    const gbl_product_call call = product(m, n, k, trans);
    const gbl_builtin_query query =
        gbl_builtin_ask(&gbl_gemm_op, gbl_call_key(&gbl_gemm_op, &call), &call);
    return gbl_builtin_distance(line, &query);
}

/* A quarter of an octave is two ranks: what lies between two lines is at most one from one. */
static void test_nearby(void)
{
    const gbl_product_call call = product(777, 777, 777, GABLE_NO_TRANS);
    const gbl_builtin line = {.variant = &gbl_gemm_op.variants[0],
                              .key = gbl_call_key(&gbl_gemm_op, &call),
                              .at = {777, 777, 777},
                              .at_count = 3};
    test_case("sizes nearby");
    CHECK(far_from(&line, 777, 777, 777, GABLE_NO_TRANS) == 0, "a call is far from its own line");
    CHECK(far_from(&line, 833, 777, 777, GABLE_NO_TRANS) == 1, "833 is not next to 777");
    CHECK(far_from(&line, 833, 761, 835, GABLE_NO_TRANS) == 3, "ranks do not add up");
    CHECK(far_from(&line, 1025, 777, 777, GABLE_NO_TRANS) < 0, "1025 is near 777");
    CHECK(far_from(&line, 777, 777, 500, GABLE_NO_TRANS) < 0, "k does not count");
    CHECK(far_from(&line, 777, 777, 777, GABLE_TRANS) < 0, "another flag is near");
    CHECK(far_from(&line, 784, 784, 784, GABLE_NO_TRANS) < 0, "another alignment is near");
    const gbl_builtin other = {.at_count = 0};
    CHECK(far_from(&other, 777, 777, 777, GABLE_NO_TRANS) < 0, "a line without sizes is near");
    /* The sizes of a class are in its ranks. */
    gbl_product_call canonical;
    gbl_call_canonical(&gbl_gemm_op, gbl_call_key(&gbl_gemm_op, &call), 0, &canonical);
    const gbl_builtin_query none = gbl_builtin_ask(&gbl_gemm_op, line.key, NULL);
    CHECK(gbl_builtin_distance(&line, &none) < 0, "without a call a line is near");
}

/* Winners become lines of classes, the last of a class counts, and what has another text is left
 * out. */
static void test_merging(void)
{
    static const char start[] =
        "{\"op\":\"gemm\",\"prec\":\"s\",\"variant\":\"tile\",\"params\":\"\",";
    char hash[20], line[1024];
    const gbl_op *op;
    const gbl_variant *variant = gbl_variant_find(&gbl_gemm_op, "tile");
    gbl_entry entry;
    merged all = {.list = NULL};
    test_case("merging");
    gbl_variant_hash(variant, hash);
    const struct {
        const char *size, *kernel;
        int winner;
        double usec;
    } lines[] = {{"777x777x777", hash, 1, 9},
                 {"777x777x777", hash, 1, 8},
                 {"777x777x777", hash, 0, 7},
                 {"500x777x777", hash, 1, 5},
                 {"333x333x333", "0123456789abcdef", 1, 5}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        snprintf(line, sizeof line,
                 "%s\"key\":\"0x1000a000a000a\",\"flags\":\"\",\"usec\":%g,\"error\":0.1,"
                 "\"runs\":3,\"winner\":%s,\"size\":\"%s\",\"kernel\":\"%s\","
                 "\"device\":\"cuda|x\",\"date\":\"2026-11-18T00:00:00Z\"}",
                 start, lines[i].usec, lines[i].winner ? "true" : "false", lines[i].size,
                 lines[i].kernel);
        CHECK(gbl_tune_line_read(line, &entry, &op, &variant) == GBL_LINE_GOOD, "a bad line: %s",
              line);
        CHECK(merge_line(&all, line, "sm_90"), "no memory");
    }
    CHECK(all.count == 2 && all.stale == 1 && all.fresh == 3, "%d classes, %d stale, %d fresh",
          all.count, all.stale, all.fresh);
    CHECK(strstr(all.list[0].text, "\"usec\":8,") != NULL, "the last winner does not count: %s",
          all.list[0].text);
    for (int i = 0; i < all.count; i++)
        CHECK(gbl_tune_line_read(all.list[i].text, &entry, &op, &variant) == GBL_LINE_GOOD &&
                  entry.at_count == 3 && entry.at[1] == 777 && entry.winner &&
                  strcmp(entry.device, "sm_90") == 0,
              "the line cannot be read again: %s", all.list[i].text);
    /* What was merged stays when it is merged into; what is no such line does, too. */
    CHECK(merge_line(&all, "# words", NULL) && merge_line(&all, all.list[0].text, NULL) &&
              all.count == 3 && strcmp(all.list[2].text, "# words") == 0,
          "%d lines", all.count);
    free(all.list);
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
    if (count > 4 && strcmp(words[1], "--merge") == 0)
        return merge(words[2], words[3], &words[4], count - 4);
    test_start("test_builtin");
    test_lines();
    test_finding();
    test_nearby();
    test_merging();
    return test_finish();
}
