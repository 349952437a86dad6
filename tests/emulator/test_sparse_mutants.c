/* test_sparse_mutants.c: the checks of products with sparse matrices must catch small wrong
 * kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As test_mutants.c: each mutant is kernels/ with one text replaced, compiled and run by PoCL. The
 * true kernels must pass, and a mutant must fail, in the way that uses its file.
 */
#include "core/kernel.h"
#include "mutant_folder.h"
#include "sparse_check.h"

/* `routines` is the number of a way of sparse_check.c. */
enum {
    PLAIN,
    LANES,
    LANES_MM,
    STAGED,
    ELL,
    SELL,
    SELL_MM,
    COO,
    HYB,
    WALK_MM,
    WALK_SELL,
    COO_WALK,
    MERGE,
    MERGE_MM,
    STAGED_ROWS
};

static const mutant mutants[] = {
    {.name = "the last entry of a row is lost",
     .routines = PLAIN,
     .file = "sparse_row.h",
     .old = "span.count = m.start[place + 1] - (sparse_index)span.at;",
     .new = "span.count = m.start[place + 1] - (sparse_index)span.at - 1;"},
    {.name = "values are not conjugated",
     .routines = SELL,
     .file = "sparse_row.h",
     .old = "return CONJ ? T_conj(value) : value;",
     .new = "return value;"},
    {.name = "x is read where a place only fills up",
     .routines = SELL,
     .file = "sparse_row.h",
     .old = "((FORMAT == 1 && whole) || c[u] >= 0)",
     .new = "(c[u] >= 0 || (c[u] = 7))"},
    {.name = "the order of rows is not looked at",
     .routines = SELL,
     .file = "sparse_row.h",
     .old = "return m.order[place];",
     .new = "return place;"},
    {.name = "slices start at the wrong row",
     .routines = SELL,
     .file = "sparse_row.h",
     .old = "span.at = from + (place - slice * CHUNK);",
     .new = "span.at = from;"},
    {.name = "lanes past the end of a row are counted",
     .routines = LANES,
     .file = "sparse_row.h",
     .old = "(span.count - lane + LANES - 1) / LANES",
     .new = "(span.count + LANES - 1) / LANES"},
    {.name = "lanes are not added",
     .routines = LANES,
     .file = "sparse_mv.cl",
     .old = "sums.row[r] = sparse_mv_lanes(sums.row[r], scratch);",
     .new = "(void)scratch;"},
    {.name = "a second row is lost",
     .routines = LANES,
     .file = "sparse_mv.cl",
     .old = "span[r] = sparse_mv_span(d.m, first + r * APART);",
     .new = "span[r] = sparse_mv_span(d.m, first);"},
    {.name = "a row too many is stored",
     .routines = ELL,
     .file = "sparse_mv.cl",
     .old = "first + r * APART < a.matrix.rows)",
     .new = "first + r * APART <= a.matrix.rows)"},
    {.name = "the last column of an odd number is lost",
     .routines = LANES_MM,
     .file = "sparse_mv.cl",
     .old = "if (COLUMNS == 1 || k < d.x.columns)\n            scaled_store",
     .new = "if (k + 1 < d.x.columns)\n            scaled_store"},
    {.name = "later columns of X are the first ones",
     .routines = SELL_MM,
     .file = "sparse_mv.cl",
     .old = "d.x.at = x + skipped * a.ldx;",
     .new = "d.x.at = x;"},
    {.name = "Y is read where beta = 0",
     .routines = STAGED,
     .file = "scalars.h",
     .old = "*y = T_is_zero(beta) ? T_mul(alpha, sum) :",
     .new = "*y ="},
    {.name = "x is read where alpha = 0",
     .routines = STAGED,
     .file = "sparse_staged.cl",
     .old = "if (!T_is_zero(alpha))",
     .new = "if (1)"},
    {.name = "a row that goes on in the next stage is cut",
     .routines = STAGED,
     .file = "sparse_row.h",
     .old = "const i64 low = mine[r] > at ? mine[r] - at : 0,",
     .new = "const i64 low = mine[r] >= at ? mine[r] - at : STAGE,"},
    {.name = "the second rows of work-items are the first ones",
     .routines = STAGED_ROWS,
     .file = "sparse_row.h",
     .old = "const i64 row = first + r * ITEMS + ITEM_X;",
     .new = "const i64 row = first + ITEM_X;"},
    {.name = "a group has the entries of half of its rows",
     .routines = STAGED_ROWS,
     .file = "sparse_row.h",
     .old = "const i64 last = first + ROWS * ITEMS < rows ? first + ROWS * ITEMS : rows;",
     .new = "const i64 last = first + ITEMS < rows ? first + ITEMS : rows;"},
    {.name = "the end of a stage is lost",
     .routines = STAGED,
     .file = "sparse_row.h",
     .old = "high = end[r] - at < STAGE ? end[r] - at : STAGE;",
     .new = "high = end[r] - at < STAGE ? end[r] - at : STAGE - 1;"},
    {.name = "a part from the lanes before is lost",
     .routines = COO,
     .file = "sparse_coo.cl",
     .old = "coo_add(d, coo_row(d, from), T_add(before.sum, head));",
     .new = "coo_add(d, coo_row(d, from), head);"},
    {.name = "the scan ends one step early",
     .routines = COO,
     .file = "sparse_coo.cl",
     .old = "apart < ITEMS; apart *= 2",
     .new = "apart < ITEMS / 2; apart *= 2"},
    {.name = "rows are not cut where they end",
     .routines = COO_WALK,
     .file = "sparse_coo.cl",
     .old = "if (next != row) {",
     .new = "if (next > row + 1) {"},
    {.name = "the last part of a row that was cut is lost",
     .routines = COO,
     .file = "sparse_coo_finish.cl",
     .old = "sum = T_add(sum, at[0]);",
     .new = ""},
    {.name = "the middle of a row that was cut is lost",
     .routines = COO,
     .file = "sparse_coo_finish.cl",
     .old = "sum = T_add(sum, at[1]);",
     .new = ""},
    {.name = "what was in Y is forgotten",
     .routines = COO,
     .file = "sparse_scale.cl",
     .old = "T_is_zero(beta) ? T_make(0, 0) :",
     .new = "1 ? T_make(0, 0) :"},
    {.name = "the rest of HYB replaces what ELL has",
     .routines = HYB,
     .file = "sparse_coo.cl",
     .old = "d.y[row] = T_fma(d.alpha, sum, d.y[row]);",
     .new = "d.y[row] = T_mul(d.alpha, sum);"},
    {.name = "the last rows are not walked over",
     .routines = WALK_SELL,
     .file = "sparse_single_item.cl",
     .old = "if (from < to)\n        sparse_single_item_block",
     .new = "if (0)\n        sparse_single_item_block"},
    {.name = "a walk is one row short",
     .routines = WALK_MM,
     .file = "sparse_single_item.cl",
     .old = "for (i64 row = from; row < to; row++)",
     .new = "for (i64 row = from; row + 1 < to; row++)"},
    {.name = "a group begins a row too late",
     .routines = MERGE,
     .file = "sparse_merge.cl",
     .old = "i <= rows && start[i] + i - 1 < step",
     .new = "i <= rows && start[i] + i - 1 <= step"},
    {.name = "what work-items before left open is lost",
     .routines = MERGE,
     .file = "sparse_merge.cl",
     .old = "scaled_store(yk + row + place, alpha, T_add(before.sum, head), beta);",
     .new = "scaled_store(yk + row + place, alpha, head, beta);"},
    {.name = "an open sum goes on in the next row",
     .routines = MERGE_MM,
     .file = "sparse_merge.cl",
     .old = "    if (!after.began) {",
     .new = "    {"},
    {.name = "a row that began before is stored by its last group",
     .routines = MERGE,
     .file = "sparse_merge.cl",
     .old = "rows > 0 && start[row] < entry",
     .new = "0 && start[row] < entry"},
    {.name = "work-items begin at the wrong row",
     .routines = MERGE_MM,
     .file = "sparse_merge.cl",
     .old = "if (ends[middle] + middle < step)",
     .new = "if (ends[middle] + middle <= step)"},
    {.name = "later columns of X are the first ones",
     .routines = MERGE_MM,
     .file = "sparse_merge.cl",
     .old = "x + (skipped + k) * a.ldx",
     .new = "x + k * a.ldx"},
    {.name = "x is read where alpha = 0",
     .routines = MERGE,
     .file = "sparse_merge.cl",
     .old = "const i32 counts = !T_is_zero(alpha);",
     .new = "const i32 counts = 1;"},
    {.name = "the end of a row in several groups is lost",
     .routines = MERGE,
     .file = "sparse_merge_finish.cl",
     .old = "sum = T_add(sum, heads[parts + s]);",
     .new = "(void)heads;"},
    {.name = "a row is begun in each of its groups",
     .routines = MERGE,
     .file = "sparse_merge_finish.cl",
     .old = "tail_rows[share - 1] == row)\n        row = -1;",
     .new = "0)\n        row = -1;"},
    {.name = NULL},
};

static bool check(gable_context *ctx, uint64_t way, char why[256])
{
    return sparse_check(ctx, &sparse_ways[way], GBL_C, 4, why);
}

int main(void)
{
    gable_context *ctx = NULL;
    char folder[SCRATCH_BYTES], why[256] = "";
    const int missing = mutants_open("test_sparse_mutants", &ctx, folder);
    if (missing != 0)
        return missing;
    if (make_folder(folder, NULL)) {
        setenv("GABLE_KERNEL_DIR", folder, 1);
        for (int i = 0; i < sparse_way_count; i++)
            EXPECT(check(ctx, (uint64_t)i, why), "the true kernels fail way %d: %s", i, why);
    }
    for (const mutant *m = mutants; m->name != NULL; m++) {
        if (!make_folder(folder, m))
            continue;
        gbl_kernels_forget(ctx->device);
        const bool caught = !check(ctx, m->routines, why);
        EXPECT(caught, "no check catches \"%s\" (%s)", m->name, m->file);
        EXPECT(!caught || strncmp(why, "status", 6) != 0, "\"%s\" does not run: %s", m->name, why);
        printf("%-46s %-22s %s\n", m->name, m->file, caught ? why : "not caught");
        fflush(stdout);
    }
    gbl_kernels_forget(ctx->device);
    gable_close(ctx);
    scratch_clear(folder, false);
    return expect_summary("test_sparse_mutants");
}
