/* sparse_mv.c: Y := alpha op(A) X + beta Y, A sparse: the ops sparse_mv, for one column, and
 * sparse_mm, for several.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A call is a gbl_sparse_args. Its format decides which variants fit: a matrix is multiplied as it
 * lies in memory, and choose_format.c says what it should lie like. op(A) transposed is a call with
 * the transpose, which the matrix keeps.
 */
#include <string.h>
#include "blas/host_cost.h"
#include "core/arguments.h"
#include "core/extents.h"
#include "core/key.h"
#include "core/launch.h"
#include "cpu/cpu_sparse.h"
#include "device/cpu_features.h"
#include "sparse/matrix/sparse_host.h"
#include "sparse/matrix/sparse_plan.h"

#define SPARSE_AT(member) ((uint16_t)offsetof(gbl_sparse_args, member))

_Static_assert(sizeof(gbl_sparse_args) <= GBL_MAX_CALL_BYTES, "sparse calls fit a question");

static const gbl_call_layout call_layout = {.call_bytes = sizeof(gbl_sparse_args)};

/* ---- Tunables ---- */

static const int32_t one[] = {1};
static const int32_t items[] = {32, 64, 128, 256, 512};
static const int32_t unrolls[] = {1, 2, 4, 5, 7, 8, 9, 16};
static const int32_t pers[] = {1, 2, 4, 8, 16};
static const int32_t steps[] = {3, 5, 7, 9, 13}; /* odd: no bank conflicts */
static const int32_t rows[] = {1, 2, 4};
static const int32_t lanes[] = {2, 4, 8, 16, 32};
/* With two rows per work-item: the space, not measured yet. The tuner finds out. */
static const int32_t staged_rows[] = {1, 2};
static const int32_t stages[] = {2, 4, 8, 16};
static const int32_t columns[] = {1, 2, 4, 8};
static const int32_t runs[] = {256, 1024, 4096, 16384};

#define VALUE(name_, list, value)                                                                  \
    {                                                                                              \
        .name = name_, GBL_VALUES(list), .fallback = value                                         \
    }
/* Of sparse_mv and of sparse_mm, which has several columns. */
#define SPACE(name, items_, items_is, unroll_, unroll_is, rows_, rows_is, lanes_, lanes_is,        \
              stages_, stages_is, run_, run_is)                                                    \
    static const gbl_param name##_mv_space[SPARSE_PARAMS] = {                                      \
        VALUE("items", items_, items_is),   VALUE("unroll", unroll_, unroll_is),                   \
        VALUE("rows", rows_, rows_is),      VALUE("lanes", lanes_, lanes_is),                      \
        VALUE("stage", stages_, stages_is), VALUE("columns", one, 1),                              \
        VALUE("run", run_, run_is)};                                                               \
    static const gbl_param name##_mm_space[SPARSE_PARAMS] = {                                      \
        VALUE("items", items_, items_is),   VALUE("unroll", unroll_, unroll_is),                   \
        VALUE("rows", rows_, rows_is),      VALUE("lanes", lanes_, lanes_is),                      \
        VALUE("stage", stages_, stages_is), VALUE("columns", columns, 4),                          \
        VALUE("run", run_, run_is)}
SPACE(plain, items, 256, one, 1, one, 1, one, 1, one, 1, one, 1);
SPACE(lanes, items, 256, unrolls, 2, rows, 2, lanes, 8, one, 1, one, 1);
SPACE(merge, items, 128, steps, 7, one, 1, one, 1, one, 1, one, 1);
SPACE(item, items, 128, unrolls, 8, rows, 1, one, 1, one, 1, one, 1);
SPACE(single_item, one, 1, one, 1, one, 1, one, 1, one, 1, runs, 1024);
SPACE(coo, items, 256, pers, 4, one, 1, one, 1, one, 1, one, 1);
SPACE(coo_single_item, one, 1, one, 1, one, 1, one, 1, one, 1, runs, 4096);
static const gbl_param staged_space[SPARSE_PARAMS] = {
    VALUE("items", items, 128), VALUE("unroll", unrolls, 8), VALUE("rows", staged_rows, 1),
    VALUE("lanes", one, 1),     VALUE("stage", stages, 8),   VALUE("columns", one, 1),
    VALUE("run", one, 1)};

/* ---- Which variants fit ---- */

static bool has_kernels(const gbl_device *device)
{
    return device->table->build != NULL;
}

static bool is_by_rows(uint8_t format)
{
    return format == GABLE_CSR || format == GABLE_ELL || format == GABLE_SELL;
}

#define FITS(name, condition)                                                                      \
    static bool fits_##name(const gbl_variant *self, const void *call, const gbl_device *device)   \
    {                                                                                              \
        const uint8_t format = ((const gbl_sparse_args *)call)->A.format;                          \
        (void)self;                                                                                \
        (void)format;                                                                              \
        return condition;                                                                          \
    }
FITS(plain, has_kernels(device) && is_by_rows(format))
FITS(csr, has_kernels(device) && format == GABLE_CSR)
FITS(ell, has_kernels(device) && format == GABLE_ELL)
FITS(sell, has_kernels(device) && format == GABLE_SELL)
FITS(coo, has_kernels(device) && format == GABLE_COO)
FITS(hyb, has_kernels(device) && format == GABLE_HYB)
FITS(single_item, has_kernels(device) && !device->props.is_gpu && is_by_rows(format))
FITS(coo_single_item, has_kernels(device) && !device->props.is_gpu && format == GABLE_COO)
FITS(hyb_single_item, has_kernels(device) && !device->props.is_gpu && format == GABLE_HYB)
FITS(omp, device->props.is_host)

/* ---- The cpu ---- */

static gable_status run_omp(gable_context *ctx, const gbl_variant *self, const void *given,
                            const gbl_params *params)
{
    static const gbl_task_function tasks[GBL_DTYPES] = {gbl_cpu_ssparse_mv, gbl_cpu_dsparse_mv,
                                                        gbl_cpu_csparse_mv, gbl_cpu_zsparse_mv};
    const gbl_sparse_args *call = given;
    (void)self;
    (void)params;
    return gbl_task(ctx, "sparse_mv", tasks[call->dtype], call, sizeof *call);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Where x is gathered (cpu_gather.c) matrices in the cache are held back by that: an element takes
 * as long as two multiply-adds of whole registers (one cycle; a Xeon, Sapphire Rapids, 2026-11, s
 * and d). Whole registers are gathered: of compressed rows each has a last one that is not full,
 * SELL and ELL gather what fills up. */
static double gathered_flops(const gbl_sparse_args *call)
{
    const gbl_sparse_layout *A = &call->A;
    const int width = A->index_bytes == 4 ? gbl_cpu_gathered_rows(A->dtype) : 0;
    const double count = (double)A->rows;
    double elements = (double)A->stored + (double)A->rest;
    if (A->format == GABLE_CSR && A->entries < 6 * A->rows)
        elements = 1.5 * elements + count; /* such short rows are not gathered */
    else if (A->format == GABLE_CSR && A->longest <= width)
        elements = count * width;
    else if (A->format == GABLE_CSR)
        elements += count * (width - 1) / 2;
    /* Entries of COO are taken one by one, and their sums wait for each other in memory. */
    if (A->format == GABLE_COO)
        elements *= 4;
    return (double)call->k * elements * 4 * width;
}

static void cost_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost)
{
    const gbl_host_walk walk = gbl_host_vectors();
    gbl_work least;
    (void)self;
    (void)params;
    gbl_sparse_work(call, &least);
    gbl_host_cost(&least, &walk, device, cost);
    /* Of a call that is not forked one core does it all. */
    const double alone = cost->groups < device->props.units ? device->props.units : 1;
    cost->flops = alone * larger(cost->flops, gathered_flops(call));
}

/* ---- Variants ---- */

#define ROWS_VARIANT(name_, fits_, form, space_, kernels_)                                         \
    .name = name_, .deterministic = true, .fits = fits_, .run = gbl_sparse_rows_run,               \
    .cost = gbl_sparse_rows_cost, .space = space_, .space_count = SPARSE_PARAMS,                   \
    .legal = gbl_sparse_rows_legal, .detail = &(form), .kernels = kernels_,                        \
    .specs = gbl_sparse_rows_specs
#define COO_VARIANT(name_, fits_, form, space_, kernels_)                                          \
    .name = name_, .deterministic = true, .fits = fits_, .run = gbl_sparse_coo_run,                \
    .cost = gbl_sparse_coo_cost, .space = space_, .space_count = SPARSE_PARAMS,                    \
    .legal = gbl_sparse_coo_legal, .detail = &(form), .kernels = kernels_,                         \
    .specs = gbl_sparse_coo_specs
#define MERGE_VARIANT(mv)                                                                          \
    {                                                                                              \
        .name = "merge", .deterministic = true, .fits = fits_csr, .run = gbl_sparse_merge_run,     \
        .cost = gbl_sparse_merge_cost, .space = merge_##mv##_space, .space_count = SPARSE_PARAMS,  \
        .legal = gbl_sparse_merge_legal, .kernels = "sparse_merge.cl sparse_merge_finish.cl",      \
        .specs = gbl_sparse_merge_specs                                                            \
    }
#define COO_KERNELS "sparse_coo.cl sparse_coo_finish.cl"
/* What both ops have behind the first variants. */
#define LATER_VARIANTS(mv)                                                                         \
    {ROWS_VARIANT("ell", fits_ell, gbl_rows_items, item_##mv##_space, "sparse_mv.cl")},            \
        {ROWS_VARIANT("sell", fits_sell, gbl_rows_items, item_##mv##_space, "sparse_mv.cl")},      \
        {COO_VARIANT("coo", fits_coo, gbl_rows_items, coo_##mv##_space,                            \
                     "sparse_scale.cl " COO_KERNELS)},                                             \
        {COO_VARIANT("hyb", fits_hyb, gbl_rows_items, coo_##mv##_space,                            \
                     "sparse_mv.cl " COO_KERNELS)},                                                \
        {ROWS_VARIANT("single_item", fits_single_item, gbl_rows_single_item,                       \
                      single_item_##mv##_space, "sparse_single_item.cl")},                         \
        {COO_VARIANT("coo_single_item", fits_coo_single_item, gbl_rows_single_item,                \
                     coo_single_item_##mv##_space, "sparse_scale.cl " COO_KERNELS)},               \
        {COO_VARIANT("hyb_single_item", fits_hyb_single_item, gbl_rows_single_item,                \
                     coo_single_item_##mv##_space, "sparse_single_item.cl " COO_KERNELS)},         \
        GBL_VARIANT("omp", .fits = fits_omp, .run = run_omp, .cost = cost_omp)

static const gbl_variant mv_variants[] = {
    {ROWS_VARIANT("plain", fits_plain, gbl_rows_plain, plain_mv_space, "sparse_mv.cl"),
     .rung = true},
    {ROWS_VARIANT("lanes", fits_csr, gbl_rows_lanes, lanes_mv_space, "sparse_mv.cl")},
    {ROWS_VARIANT("staged", fits_csr, gbl_rows_staged, staged_space, "sparse_staged.cl")},
    LATER_VARIANTS(mv),
    MERGE_VARIANT(mv),
};

static const gbl_variant mm_variants[] = {
    {ROWS_VARIANT("plain", fits_plain, gbl_rows_plain, plain_mm_space, "sparse_mv.cl"),
     .rung = true},
    {ROWS_VARIANT("lanes", fits_csr, gbl_rows_lanes, lanes_mm_space, "sparse_mv.cl")},
    LATER_VARIANTS(mm),
    MERGE_VARIANT(mm),
};

/* ---- Keys ---- */

#define LAST_LONGEST 15 /* classes of longest rows */

/* How much longer the longest row is than the mean, as a power of two. */
static int longest_class(const gbl_sparse_layout *A)
{
    const uint64_t times = gbl_size_class((int64_t)((double)A->longest / gbl_sparse_mean(A) + 0.5));
    return times < LAST_LONGEST ? (int)times : LAST_LONGEST;
}

static uint64_t key(const void *given)
{
    const gbl_sparse_args *call = given;
    const gbl_sparse_layout *A = &call->A;
    return gbl_key_sizes(call->dtype, A->rows, A->columns, call->k) |
           gbl_size_class((int64_t)(gbl_sparse_mean(A) + 0.5)) << GBL_KEY_K |
           gbl_key_flag(true, GBL_KEY_MATRIX) | (uint64_t)A->format << GBL_KEY_FORMAT |
           gbl_key_flag(A->index_bytes == 8, GBL_KEY_WIDE) |
           (uint64_t)longest_class(A) << GBL_KEY_LONGEST;
}

static int64_t class_size(int64_t size)
{
    return size > 0 ? INT64_C(1) << gbl_size_class(size) : 0;
}

/* The call that stands for all with the same key. */
static void canonical(const void *given, void *made)
{
    gbl_sparse_args *call = made;
    *call = *(const gbl_sparse_args *)given;
    gbl_sparse_layout *A = &call->A;
    const int64_t mean = class_size((int64_t)(gbl_sparse_mean(A) + 0.5));
    const int longest = longest_class(A);
    A->rows = class_size(A->rows);
    A->columns = class_size(A->columns);
    call->k = class_size(call->k);
    call->ldx = A->columns;
    call->ldy = A->rows;
    call->alpha = (gbl_scalar){.re = 1};
    call->beta = (gbl_scalar){.re = 0};
    call->conj = false;
    A->entries = A->stored = A->rows * mean;
    A->longest = mean << longest;
    A->order = NULL;
    A->rest = 0;
    if (A->format == GABLE_ELL || A->format == GABLE_HYB) {
        A->width = mean;
        A->stride = A->rows;
    }
    if (A->format == GABLE_SELL) {
        A->chunk = 32;
        A->slices = (A->rows + A->chunk - 1) / A->chunk;
    }
    if (A->format == GABLE_ELL)
        A->longest = mean;
    if (A->format == GABLE_HYB)
        A->rest = A->entries / 8 > A->longest ? A->entries / 8 : A->longest;
}

/* ---- The ops ---- */

/* What a profile shows of a call. It has no arguments of its own: gbl_sparse_multiply checks those
 * of the routine. */
static const gbl_operand operands[] = {
    {.name = "rows", .kind = GBL_SIZE, .at = SPARSE_AT(A.rows)},
    {.name = "columns", .kind = GBL_SIZE, .at = SPARSE_AT(A.columns)},
    {.name = "entries", .kind = GBL_WIDTH, .at = SPARSE_AT(A.entries)},
    {.name = "k", .kind = GBL_BATCH, .at = SPARSE_AT(k)},
};

#define SPARSE_OP(stem_, variants_)                                                                \
    .stem = stem_, .layout = &call_layout, GBL_OPERANDS(operands), .work = gbl_sparse_work,        \
    .key = key, .canonical = canonical, .variants = variants_,                                     \
    .variant_count = (int)(sizeof(variants_) / sizeof(variants_)[0])
const gbl_op gbl_sparse_mv_op = {SPARSE_OP("sparse_mv", mv_variants)};
const gbl_op gbl_sparse_mm_op = {SPARSE_OP("sparse_mm", mm_variants)};
