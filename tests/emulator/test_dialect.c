/* test_dialect.c: the kernels as plain C, through the public interface.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small sizes around the edges of vectors, groups and unrolling, every alignment, strides of both
 * signs, results in host and device memory, one pass and two. Blocks end with their vectors, so the
 * address sanitizer sees an overrun; lanes are threads, so the thread sanitizer sees a missing
 * barrier.
 */
#include "blas/level1/columns.h"
#include "blas/level2/level2.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gemm_ladder.h"
#include "ladder_check.h"
#include "level1_check.h"
#include "band_choice.h"
#include "matrix_choice.h"
#include "plane_choice.h"
#include "product_choice.h"
#include "batch_entry_check.h"
#include "roof_check.h"

/* The settings of kernels_c.cmake; from the third on in s and z, in one pass. */
static const struct setting {
    int32_t local, vec, unroll, range;
    int32_t batch; /* columns of mdot and maxpy at most; 0: few kernels were made for the setting */
} settings[] = {{1, 4, 2, 1, 4}, {4, 2, 2, 0, 3}, {8, 1, 1, 1, 0}, {4, 4, 1, 0, 0}};
#define SETTINGS ((int)(sizeof settings / sizeof settings[0]))

/* The thread sanitizer makes each of the many threads ten times dearer: it sees every third
 * case. */
#if defined(__SANITIZE_THREAD__)
#define EVERY 3
#else
#define EVERY 1
#endif

static const level1_checks *const precisions[] = {&level1_s, &level1_d, &level1_c, &level1_z};

static const struct setting *chosen;
static bool one_pass;

/* The settings of gemv. */
static const struct matrix_setting {
    int32_t items, wx_n, wx_t, vec, unroll;
} matrix_settings[] = {{1, 1, 1, 4, 2}, {4, 2, 2, 2, 2}, {8, 2, 8, 1, 1}};
#define MATRIX_SETTINGS ((int)(sizeof matrix_settings / sizeof matrix_settings[0]))

static const struct matrix_setting *matrix_chosen;
static int32_t split; /* blocks are shared between groups */

static void choose_matrix(const gbl_op *op, const gbl_matrix_call *call, gbl_choice *choice)
{
    const bool plain = call->trans == GABLE_NO_TRANS;
    const struct {
        const char *name;
        int32_t value;
    } all[] = {{"items", matrix_chosen->items},
               {"wx", plain ? matrix_chosen->wx_n : matrix_chosen->wx_t},
               {"vec", matrix_chosen->vec},
               {"unroll", matrix_chosen->unroll},
               {"batch", 2},
               {"groups", 2},
               {"split", split}};
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, plain ? "split_n" : "split_t") == 0)
            choice->variant = &op->variants[i];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        choice->params.value[gbl_param_index(choice->variant, all[i].name)] = all[i].value;
}

/* The settings of the updates: those of gemv_n, less the last. */
static bool is_update(const gbl_op *op)
{
    return op == &gbl_ger_op || op == &gbl_syr_op || op == &gbl_syr2_op || op == &gbl_spr_op ||
           op == &gbl_spr2_op;
}

static void choose_update(const gbl_op *op, gbl_choice *choice)
{
    const int32_t values[] = {matrix_chosen->items, matrix_chosen->wx_n, matrix_chosen->vec,
                              matrix_chosen->unroll, 2};
    choice->variant = &op->variants[0];
    memcpy(choice->params.value, values, sizeof values);
}

static bool by_blocks; /* gemv: its variants `blocks_n` and `blocks_t` */

static const product_setting *gemm_chosen = gemm_settings, *trsm_chosen = trsm_settings;

/* Tunables that no user may ask for (4 and 8 work-items) come through the hook. */
static void choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    const gbl_op *op = question->of.op;
    const void *call = question->call;
    if (op == &gbl_gemv_batched_op) {
        choose_batch(ctx, op, call, choice);
        return;
    }
    if (strcmp(op->stem, "gemv") == 0 && by_blocks) {
        choose_blocks(op, call, choice);
        return;
    }
    if (strcmp(op->stem, "gemv") == 0) {
        choose_matrix(op, call, choice);
        return;
    }
    if (is_product(op)) {
        choose_product(op, gemm_chosen, trsm_chosen, choice);
        return;
    }
    if (is_update(op)) {
        choose_update(op, choice);
        return;
    }
    if (is_plane(op)) {
        choose_plane(ctx, op, call, choice);
        return;
    }
    if (op == &gbl_symv_op) {
        choose_symmetric(op, call, choice);
        return;
    }
    if (is_band(op)) {
        choose_band(ctx->device, question, choice);
        return;
    }
    if (op == &gbl_trmv_op || op == &gbl_trsv_op) {
        choose_triangle(op, call, ctx->device->props.is_gpu, choice);
        return;
    }
    const gbl_variant *variant = &op->variants[0];
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, one_pass ? "one_pass" : "two_pass") == 0)
            variant = &op->variants[i];
    choice->variant = variant;
    gbl_params_fallback(variant, &choice->params);
    choice->params.value[STREAM_LOCAL] = chosen->local;
    choice->params.value[STREAM_VEC] = chosen->vec;
    choice->params.value[STREAM_UNROLL] = chosen->unroll;
    choice->params.value[STREAM_RANGE] = chosen->range;
    choice->params.value[STREAM_GROUPS] = 2; /* of 3 units: 6 groups at most */
    choice->params.value[COLUMNS_BATCH] = chosen->batch;
}

static void run(gable_context *ctx, const char *name, level1_function function,
                const level1_case *c)
{
    level1_report report = {"", ""};
    if (function != NULL)
        EXPECT(function(ctx, c, &report), "%s one_pass=%d local=%d vec=%d: %s: %s", name, one_pass,
               chosen->local, chosen->vec, report.check, report.why);
}

static void run_all(gable_context *ctx, const level1_checks *checks, const level1_case *c)
{
    run(ctx, "dot", checks->dot, c);
    run(ctx, "dotc", checks->dotc, c);
    run(ctx, "nrm2", checks->nrm2, c);
    if (one_pass) { /* once is enough for those that have one form */
        run(ctx, "copy", checks->copy, c);
        run(ctx, "axpy", checks->axpy, c);
        run(ctx, "axpy_dev", checks->axpy_dev, c);
    }
}

static void test_sizes(gable_context *ctx, const level1_checks *checks)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 130};
    static const int shifts[][2] = {{0, 0}, {1, 1}, {2, 0}, {3, 1}, {0, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t s = i % EVERY; s < sizeof shifts / sizeof shifts[0]; s += EVERY) {
            const level1_case c = {.n = sizes[i],
                                   .incx = 1,
                                   .incy = 1,
                                   .shift_x = shifts[s][0],
                                   .shift_y = shifts[s][1],
                                   .pad = (int)(s % 2) * 3,
                                   .on_device = i % 2,
                                   .repeats = 1};
            run_all(ctx, checks, &c);
        }
    }
}

static void test_strides(gable_context *ctx, const level1_checks *checks)
{
    static const int64_t sizes[] = {1, 2, 5, 16, 37};
    static const int64_t strides[][2] = {{2, 1}, {1, 3}, {-1, 1}, {-2, -3}, {0, 1}, {1, -1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t s = i % EVERY; s < sizeof strides / sizeof strides[0]; s += EVERY) {
            const level1_case c = {.n = sizes[i],
                                   .incx = strides[s][0],
                                   .incy = strides[s][1],
                                   .shift_x = (int)(s % 3),
                                   .pad = (int)(i % 2),
                                   .on_device = s % 2,
                                   .repeats = 1};
            run_all(ctx, checks, &c);
        }
    }
}

static void test_others(gable_context *ctx, const level1_checks *checks)
{
    const level1_case plain = {.n = 61, .incx = 1, .incy = 1, .shift_x = 1, .repeats = 1};
    const level1_case strided = {.n = 19, .incx = 2, .incy = -1, .pad = 2, .repeats = 1};
    run(ctx, "norm_range", checks->norm_range, &plain);
    run(ctx, "norm_range", checks->norm_range, &strided);
    run(ctx, "alpha_zero", checks->alpha_zero, &plain);
    run(ctx, "alpha_zero", checks->alpha_zero, &strided);

    /* More calls than there are counters, in orders of the groups that differ each time. */
    level1_case often = {.n = 97, .incx = 1, .incy = 1, .repeats = 70, .on_device = true};
    run(ctx, "dot", checks->dot, &often);
    run(ctx, "nrm2", checks->nrm2, &often);
}

/* ---- The routines that kernels_c.cmake makes in fewer forms ---------------------------------- */

/* One of a list by name, or all. */
static void run_list(gable_context *ctx, const level1_named *list, const char *name,
                     const level1_case *c)
{
    for (; list->name != NULL; list++)
        if (name == NULL || strcmp(list->name, name) == 0)
            run(ctx, list->name, list->function, c);
}

static void run_lists(gable_context *ctx, const level1_checks *checks, const level1_case *c)
{
    if (chosen->batch == 0) {
        run_list(ctx, checks->folds, "amax", c);
        return;
    }
    run_list(ctx, checks->folds, NULL, c);
    if (one_pass) {
        run_list(ctx, checks->maps, NULL, c);
        run_list(ctx, checks->numbers, "random", c);
    }
}

static int reals_of(const level1_checks *checks)
{
    return checks->letter == 'c' || checks->letter == 'z' ? 2 : 1;
}

static void test_lists(gable_context *ctx, const level1_checks *checks)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 33, 64, 65, 130};
    static const int64_t strides[][3] = {{2, 1, 1}, {1, 3, -2}, {-1, 1, 2}, {-2, -3, 1}, {0, 1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += EVERY) {
        for (int shift = 0; shift < 2; shift++) { /* a head, unless an element fills a load */
            const level1_case c = {.n = sizes[i],
                                   .incx = 1,
                                   .incy = 1,
                                   .incw = 1,
                                   .shift_x = shift * reals_of(checks),
                                   .shift_y = shift * reals_of(checks),
                                   .pad = shift * 4,
                                   .on_device = i % 2,
                                   .repeats = 1};
            run_lists(ctx, checks, &c);
        }
    }
    for (size_t i = 0; chosen->local > 1 && i < sizeof strides / sizeof strides[0]; i += EVERY) {
        for (int64_t n = 1; n < 50; n += 18) {
            const level1_case c = {.n = n,
                                   .incx = strides[i][0],
                                   .incy = strides[i][1],
                                   .incw = strides[i][2],
                                   .pad = (int)(i % 2),
                                   .on_device = i % 2,
                                   .repeats = 1};
            run_lists(ctx, checks, &c);
        }
    }
    level1_case often = {.n = 97, .incx = 1, .incy = 1, .repeats = 70, .on_device = true};
    run_list(ctx, checks->folds, "amax", &often);
    if (one_pass && chosen->batch > 0) {
        run_list(ctx, checks->numbers, "rotg", &often);
        run_list(ctx, checks->numbers, "rotmg", &often);
    }
}

static void run_columns(gable_context *ctx, const level1_checks *checks, const level1_case *c)
{
    run_list(ctx, checks->columns, "mdot", c);
    if (one_pass && c->columns % 8 < 4)
        run_list(ctx, checks->columns, "maxpy", c);
    if (c->columns == 5)
        run_list(ctx, checks->columns, "mdotc", c);
}

static void test_columns(gable_context *ctx, const level1_checks *checks)
{
    static const int64_t sizes[] = {0, 1, 3, 8, 17, 65, 130};
    for (int64_t k = 0; k <= 17; k++) {
        for (size_t i = (size_t)k % EVERY; i < sizeof sizes / sizeof sizes[0]; i += EVERY) {
            const int shift = (int)((size_t)k + i) % 2 * reals_of(checks);
            const level1_case c = {.n = sizes[i],
                                   .incy = 1,
                                   .columns = k,
                                   .shift_x = shift,
                                   .shift_y = shift,
                                   .pad = (int)(k % 2) * 4,
                                   .on_device = k / 2 % 2,
                                   .repeats = 1};
            run_columns(ctx, checks, &c);
        }
    }
    /* Strides only with batches of three; then more columns than a launch has counters for, and
     * more calls than there are counters. */
    const level1_case strided = {.n = 37, .incy = -2, .columns = 3, .pad = 2, .repeats = 1};
    const level1_case conjugated = {.n = 37, .incy = 3, .columns = 5, .repeats = 1};
    const level1_case many = {.n = 9, .incy = 1, .columns = 200, .on_device = true, .repeats = 1};
    const level1_case often = {.n = 97, .incy = 1, .columns = 17, .on_device = true, .repeats = 30};
    if (chosen->local > 1) {
        run_columns(ctx, checks, &strided);
        run_list(ctx, checks->columns, "mdotc", &conjugated);
    }
    run_list(ctx, checks->columns, "mdot", &many);
    run_list(ctx, checks->columns, "mdot", &often);
}

/* Blocks of rows and columns with rests, columns that start alike and others, a head, strides. x
 * has no head beside it unless it is strided: kernels_c.cmake makes no other forms. */
static void test_matrices(gable_context *ctx, const level1_checks *checks, bool is_gpu)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 3},  {5, 1},  {1, 6},  {7, 8},
                                       {9, 5}, {16, 9}, {33, 4}, {3, 31}, {40, 20}};
    const int reals = reals_of(checks);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += EVERY) {
        if (matrix_chosen->items > 1 && sizes[i][0] < 5)
            continue; /* few rows make groups of another shape */
        for (int form = 0; form < 4; form++) {
            level1_case c = {.n = sizes[i][0],
                             .columns = sizes[i][1],
                             .incx = form % 2 ? -2 : 1,
                             .incy = form == 1   ? 3
                                     : form == 2 ? -1
                                                 : 1,
                             .apart = form >= 2,
                             .shift_y = form % 2,
                             .pad = form % 2 ? 4 : 0,
                             .on_device = i % 2,
                             .repeats = 1 + (form == 0)};
            if (is_gpu && form < 2)
                continue;
            if (form == 1)
                c.shift_x = reals;
            run_list(ctx, checks->matrices, NULL, &c);
            c.shift_x = form < 2 ? reals : 0;
            run_list(ctx, checks->matrices, "gemv_n", &c);
        }
    }
    /* More calls than there are counters. */
    const level1_case often = {.n = 24, .columns = 11, .incx = 1, .incy = 1, .repeats = 15};
    if (!is_gpu)
        run_list(ctx, checks->matrices, NULL, &often);
}

/* Tiles with rests both ways, more strips than blocks and fewer, a head, strides; on a GPU columns
 * that do not start alike. */
static void test_updates(gable_context *ctx, const level1_checks *checks, bool is_gpu)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 3}, {5, 1}, {7, 8}, {9, 5}, {33, 4}, {40, 21}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += EVERY) {
        if (matrix_chosen->items > 1 && sizes[i][0] < 5)
            continue; /* few rows make groups of another shape */
        for (int form = 0; form < 3; form++) {
            const level1_case c = {.n = sizes[i][0],
                                   .columns = sizes[i][1],
                                   .incx = form == 1 ? -2 : 1,
                                   .incy = form == 1 ? 3 : 1,
                                   .apart = is_gpu,
                                   .shift_x = form * reals_of(checks),
                                   .pad = form == 1 ? 4 : 0,
                                   .on_device = i % 2,
                                   .repeats = 1 + (form == 0)};
            run_list(ctx, checks->updates, NULL, &c);
        }
    }
}

/* One block and several, with rests; strides; a head, unless columns do not start alike or are
 * whole lines, which is what `read_twice` is for. */
static void test_symmetric(gable_context *ctx, const level1_checks *checks, const char *name,
                           bool apart)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 33, 50};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (apart && sizes[i] == 1)
            continue; /* one column is alike */
        for (int form = 0; form < 3; form++) {
            const level1_case c = {
                .n = sizes[i],
                .incx = form == 1 ? -2 : 1,
                .incy = form == 1 ? 3 : 1,
                .apart = apart,
                .shift_x = apart || symv_row == READ_TWICE ? 0 : form * reals_of(checks),
                .pad = form == 1 ? 4 : 0,
                .on_device = (i + (size_t)form) % 2,
                .repeats = 1 + (form == 0)};
            run_list(ctx, checks->mirrored, name, &c);
        }
    }
}

/* One block and several, with rests, a head, strides; as a GPU solves them, and without hand-over
 * between groups, where sizes keep the pieces aligned that gemv is given. */
static void test_triangles(gable_context *ctx, const level1_checks *checks, bool is_gpu)
{
    static const int64_t sizes[] = {9, 10, 12, 16, 17, 24, 31, 40, 61};
    static const int64_t steps[] = {1, 3, 8, 12, 16, 20, 40};
    const bool odd = checks->letter == 'd' || checks->letter == 'z';
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += EVERY) {
        for (int form = 0; form < 3; form++) {
            level1_case c = {.n = sizes[i],
                             .incx = form == 1 ? -2 : 1,
                             .apart = is_gpu && form == 2,
                             .shift_x = form == 1 ? reals_of(checks) : 0,
                             .pad = form == 1 ? 4 : 0,
                             .repeats = 1 + (form == 0)};
            if (!c.apart || checks->letter == 's') {
                run_list(ctx, checks->triangles, "trmv_n", &c);
                run_list(ctx, checks->triangles, "trmv_c", &c);
            }
            if (is_gpu && (!c.apart || checks->letter == 's'))
                run_list(ctx, checks->triangles, "trsv_n", &c);
            if (is_gpu && (!c.apart || checks->letter == 'd'))
                run_list(ctx, checks->triangles, "trsv_c", &c);
        }
    }
    for (size_t i = 0; !is_gpu && !odd && i < sizeof steps / sizeof steps[0]; i += EVERY) {
        const level1_case c = {
            .n = steps[i], .incx = i % 2 ? -2 : 1, .pad = i % 2 ? 4 : 0, .repeats = 1};
        run_list(ctx, checks->triangles, "trsv_n", &c);
        run_list(ctx, checks->triangles, "trsv_c", &c);
    }
}

static void test_all_matrices(gable_context *ctx, bool is_gpu)
{
    if (is_gpu) {
        test_symmetric(ctx, &level1_s, "symv", true);
        symv_row = READ_TWICE;
        gbl_choices_clear(ctx);
        test_symmetric(ctx, &level1_s, "symv", false);
        test_symmetric(ctx, &level1_d, "symv", false);
        test_symmetric(ctx, &level1_c, "hemv", false);
        symv_row = TWO_PASS;
        gbl_choices_clear(ctx);
    } else {
        test_symmetric(ctx, &level1_d, "symv", false);
        test_symmetric(ctx, &level1_c, "hemv", false);
    }
    chosen = &settings[0];
    one_pass = true;
    for (int s = 0; s < MATRIX_SETTINGS; s++) {
        matrix_chosen = &matrix_settings[s];
        if (is_gpu && matrix_chosen->items != 4)
            continue;
        for (split = 0; split < 2; split++) {
            gbl_choices_clear(ctx);
            for (int p = 0; p < 4 && split == 0 && matrix_chosen->items == 4; p++)
                test_triangles(ctx, precisions[p], is_gpu);
            for (int p = 0; p < 4; p++)
                test_matrices(ctx, precisions[p], is_gpu);
            for (int p = 0; p < 4 && split == 0 && matrix_chosen->items < 8; p++)
                test_updates(ctx, precisions[p], is_gpu);
        }
    }
}

/* Shapes of which kernels_c.cmake has the kernels: batch_check.c, plane_check.c and band_check.c
 * know them. */
static void test_products(gable_context *ctx, bool is_gpu)
{
    const level1_case every = {.n = 0, .repeats = EVERY};
    for (int p = 0; p < 4; p++)
        run_list(ctx, precisions[p]->planes, "planes", &every);
    for (int p = 1; p <= 2; p++)
        run_list(ctx, precisions[p]->batches, is_gpu ? "gpu_products" : "cpu_products", &every);
    for (int p = 0; p < 4 && !is_gpu; p++)
        run_list(ctx, precisions[p]->bands, "bands", &every);
    by_blocks = bands_wide = true;
    gbl_choices_clear(ctx);
    for (int p = 0; p < 4; p += 3)
        run_list(ctx, precisions[p]->bands, is_gpu ? "flat" : "wide", &every);
    run_list(ctx, precisions[3]->batches, "blocks", &every);
    by_blocks = bands_wide = false;
    gbl_choices_clear(ctx);
}

/* Every kernel that computes gemm, then the routines with kernels of their own. */
static void test_level3(gable_context *ctx)
{
    const level1_case plain = {.n = 0, .repeats = 1}, shifted = {.pad = 3, .repeats = 2};
    for (int s = 0; s < GEMM_SETTINGS; s++) {
        gemm_chosen = &gemm_settings[s];
        gbl_choices_clear(ctx);
        for (int p = 0; p < 4; p++) {
            run_list(ctx, precisions[p]->products, "gemm", &plain);
            run_list(ctx, precisions[p]->products, "gemm", &shifted);
        }
    }
    gemm_chosen = gemm_settings;
    gbl_choices_clear(ctx);
    for (int p = 0; p < 4; p++)
        run_list(ctx, precisions[p]->products, "symm", &plain);
    for (int s = 0; s < TRSM_SETTINGS; s++) {
        trsm_chosen = &trsm_settings[s];
        gbl_choices_clear(ctx);
        for (int p = 0; p < 4; p++)
            run_list(ctx, precisions[p]->products, "trsm", &plain);
    }
}

/* All settings on one device; a GPU plans differently where vectors are not aligned. */
static void test_device(bool is_gpu)
{
    const fake_settings device = {.fence_device = true, .deferred = true, .is_gpu = is_gpu};
    gable_context *ctx = NULL;
    fake_install(&device);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    gbl_install_choose(choose);
    for (int s = 0; s < SETTINGS; s++) {
        chosen = &settings[s];
        if (is_gpu && chosen->vec * chosen->unroll != 4)
            continue;
        for (int pass = s < 2 ? 0 : 1; pass < 2; pass++) {
            one_pass = pass == 1;
            gbl_choices_clear(ctx);
            for (int p = 0; p < 4; p += s < 2 ? 1 : 3) {
                fake_shuffle((unsigned)(s * 8 + pass * 4 + p + 1));
                test_sizes(ctx, precisions[p]);
                test_strides(ctx, precisions[p]);
                test_others(ctx, precisions[p]);
                if (!is_gpu && s < 3)
                    test_lists(ctx, precisions[p]);
                if (!is_gpu && chosen->batch > 0)
                    test_columns(ctx, precisions[p]);
            }
        }
    }
    test_all_matrices(ctx, is_gpu);
    test_products(ctx, is_gpu);
    test_level3(ctx);
    EXPECT(check_roof_kernels(ctx) == 0, "the kernels that measure are wrong");
    EXPECT(check_ladder_kernels(ctx) == 0, "the rungs of gemm's ladder are wrong");
    EXPECT(check_batch_entry_kernels(ctx) == 0, "the kernels for batches of matrices are wrong");
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    const long launches = fake_calls(FAKE_LAUNCH);
    fake_remove();
    const fake_counts left = fake_alive();
    EXPECT(left.blocks + left.pinned + left.queues + left.codes + left.marks + left.devices == 0,
           "objects are left: %d blocks, %d pinned, %d codes", left.blocks, left.pinned,
           left.codes);
    printf("%ld launches on a %s\n", launches, is_gpu ? "GPU" : "CPU");
}

int main(void)
{
    EXPECT(gemm_ladder_add(), "the rungs of gemm are not added");
    test_device(false);
    test_device(true);
    return expect_summary("test_dialect");
}
