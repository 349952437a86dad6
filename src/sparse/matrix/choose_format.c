/* choose_format.c: the format in which a sparse matrix is multiplied fastest, as the model
 * predicts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each format is a layout that is not made: how many places it would have follows from the lengths
 * of rows, of which the shortest, the longest, the mean and the deviation are known. The product
 * with each layout is predicted as any call is. Where the kernels are equal, the fewest bytes win.
 * CSR stays unless another one gains GAIN and, where the caller says how many products will come,
 * these repay the conversion.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/number_text.h"
#include "model/predict.h"
#include "sparse/matrix/convert_plan.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_plan.h"

#define GAIN 0.02 /* of the time: less is not worth another format */
/* The same on the cpu. There starts of rows come with the entries for nothing: SELL of 7 points,
 * 50^3, moves 3 % fewer bytes than CSR and takes as long, or longer (a Xeon, one thread, 2026-11,
 * ms: without gathers 0.83 and 0.79; with them two runs had 0.72 and 0.68, 0.66 and 0.72). */
#define HOST_GAIN 0.05
#define STRIDE    32 /* rows of ELL are rounded up to it */
#define NORMAL_REST                                                                                \
    0.1 /* of the deviation: what a row has in the mean beyond the mean and 0.43 deviations */
#define NORMAL_WIDTH 0.43 /* deviations above the mean, below which two thirds of the rows are */

static const char *const names[] = {"?", "CSR", "COO", "ELL", "SELL", "HYB"};

const char *gbl_format_name(gable_format format)
{
    return format >= GABLE_CSR && format <= GABLE_HYB ? names[format] : names[0];
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The longest of some rows, as it is in the mean. */
static double longest_of(const gbl_sparse_lengths *of, double count)
{
    return smaller((double)of->longest, of->mean + of->deviation * sqrt(2 * log(count)));
}

/* Places of SELL per row. */
static double sell_places(const gbl_sparse_lengths *of, double rows, double chunk, bool *sorted)
{
    const double plain = longest_of(of, chunk), window = smaller(GBL_SORTED_SLICES * chunk, rows);
    *sorted = plain > GBL_SORT_FROM * of->mean && window > chunk;
    if (!*sorted)
        return plain;
    /* Sorted slices step down from the longest row of a window to its shortest: all steps together
     * are the difference. */
    const double steps = longest_of(of, window) - (double)of->shortest;
    return smaller(plain, of->mean + steps * chunk / window);
}

/* The layout that a conversion would make, without its arrays. An order is told by any address. */
static void foresee(const gable_sparse *A, gable_format format, const gbl_device *device,
                    gbl_sparse_layout *layout)
{
    static const char any;
    const gbl_sparse_lengths *of = &A->lengths;
    const double rows = (double)A->layout.rows, entries = (double)A->layout.entries;
    *layout = (gbl_sparse_layout){.dtype = A->layout.dtype,
                                  .format = (uint8_t)format,
                                  .index_bytes = A->layout.index_bytes,
                                  .rows = A->layout.rows,
                                  .columns = A->layout.columns,
                                  .entries = A->layout.entries,
                                  .stored = A->layout.entries,
                                  .longest = of->longest};
    if (format == GABLE_ELL || format == GABLE_HYB) {
        const double width = ceil(of->mean + NORMAL_WIDTH * of->deviation);
        layout->stride = (A->layout.rows + STRIDE - 1) / STRIDE * STRIDE;
        layout->width =
            format == GABLE_ELL ? of->longest : (int64_t)smaller(width, (double)of->longest);
        layout->stored = layout->stride * layout->width;
        if (format == GABLE_HYB)
            layout->rest = (int64_t)smaller(entries, rows * NORMAL_REST * of->deviation);
    } else if (format == GABLE_SELL) {
        bool sorted;
        layout->chunk = gbl_convert_chunk(device, A->layout.dtype, A->layout.index_bytes);
        layout->slices = (A->layout.rows + layout->chunk - 1) / layout->chunk;
        layout->stored =
            (int64_t)ceil(rows * sell_places(of, rows, (double)layout->chunk, &sorted));
        layout->order = sorted ? &any : NULL;
    }
}

/* Seconds of a product that is replayed; 0: no variant multiplies such a matrix here. Its operands
 * are not in the cache, but on the cpu: there caches are large beside most matrices, and a matrix
 * that is multiplied often enough to be converted is in them. */
static double seconds_of(const gbl_device *device, const gbl_roofs *roofs,
                         const gbl_sparse_layout *layout, double *compared)
{
    const gbl_situation situation = {.replayed = true, .hot = device->props.is_host};
    const gbl_sparse_args call = {.dtype = layout->dtype,
                                  .k = 1,
                                  .ldx = layout->columns,
                                  .ldy = layout->rows,
                                  .A = *layout,
                                  .alpha = {.re = 1}};
    gbl_choice choice = {.variant = NULL};
    gbl_prediction prediction;
    gbl_op_foresee(device, &gbl_sparse_mv_op, &call, &choice);
    *compared = 0;
    if (choice.variant == NULL)
        return 0;
    gbl_predict_call(device, &gbl_sparse_mv_op, &call, &choice, roofs, &situation, &prediction);
    *compared = prediction.seconds;
    if (device->props.is_host)
        *compared = prediction.memory_seconds > prediction.arithmetic_seconds
                        ? prediction.memory_seconds
                        : prediction.arithmetic_seconds;
    return prediction.seconds;
}

/* ---- What a conversion takes ---- */

/* On GPUs: the arrays are read and written once, at a third of the bandwidth (neighbours read rows
 * that lie apart, and search them), behind launches, waits of the host and an allocation. Not
 * measured yet. */
#define CONVERT_PASSES   3
#define CONVERT_LAUNCHES 8
#define CONVERT_WAITS    2
#define WAIT_SECONDS     1e-5
#define ALLOC_SECONDS    1e-4
/* On CPUs a copy costs about as much as so many products (7 points, 50^3, two cores of a Xeon,
 * 2026-11). */
#define CPU_PRODUCTS 15

static double conversion_seconds(const gbl_device *device, const gbl_roofs *roofs, double from,
                                 double to, double product)
{
    if (!device->props.is_gpu)
        return CPU_PRODUCTS * product;
    return CONVERT_PASSES * (from / roofs->read + to / roofs->write) +
           CONVERT_LAUNCHES * roofs->launch_single + CONVERT_WAITS * WAIT_SECONDS + ALLOC_SECONDS;
}

/* The format that products have without a conversion. */
static gable_format given_format(const gable_sparse *A)
{
    return (gable_format)A->layout.format;
}

int64_t gbl_format_repaid(const gable_sparse *A, const gbl_format_foreseen *list,
                          gable_format format)
{
    const double gain = list[given_format(A)].compared - list[format].compared;
    const double products = gain > 0 ? ceil(list[format].made / gain) : 0;
    return products < 1e15 ? (int64_t)products : 0;
}

/* ---- Rows that hold others back ---- */

#define MOST_LANES   32 /* per row, of the kernels of solvers */
#define MOST_ASKED   4  /* entries that a lane asks for at once */
#define ROUND_WAITS  2  /* a round of a row: entries, then x */
#define MORE_VECTORS 6  /* that an iteration of calls reads or writes beside a fused one */

bool gbl_sparse_rows_hold_back(const gbl_device *device, const gbl_sparse_layout *layout,
                               const gbl_roofs *roofs)
{
    gbl_roofs own;
    double by_merge;
    if (!device->props.is_gpu || layout->format != GABLE_CSR || layout->entries == 0)
        return false;
    if (roofs == NULL) {
        gbl_roofs_get(device, &own);
        roofs = &own;
    }
    const double rounds = ceil((double)layout->longest / (MOST_LANES * MOST_ASKED)),
                 alone = rounds * ROUND_WAITS * roofs->latency;
    const double vector = (double)layout->rows * (double)gbl_dtype_bytes(layout->dtype);
    seconds_of(device, roofs, layout, &by_merge);
    return by_merge > 0 && alone > by_merge + MORE_VECTORS * vector / roofs->read;
}

/* ---- In words ---- */

/* Rows of a matrix in words. */
static void describe_rows(const gbl_sparse_lengths *of, char *text, size_t bytes)
{
    if (of->shortest == of->longest)
        snprintf(text, bytes, "all rows have %lld entr%s", (long long)of->longest,
                 of->longest == 1 ? "y" : "ies");
    else
        snprintf(text, bytes, "rows have %lld to %lld entries, %.4g on average",
                 (long long)of->shortest, (long long)of->longest, of->mean);
}

static double gain_of(const gable_sparse *A)
{
    return A->device != NULL && A->device->props.is_host ? HOST_GAIN : GAIN;
}

/* How long another format takes beside the chosen one, in words. */
static void compare(const char *other, double times, double gain, char *text, size_t bytes)
{
    if (times < 1)
        snprintf(text, bytes, "%s would gain less than %.0f %%", other, 100 * gain);
    else if (times < 1 + GAIN / 2)
        snprintf(text, bytes, "%s is predicted to take as long", other);
    else
        snprintf(text, bytes, "%s is predicted to take %.3g times as long", other, times);
}

/* The fastest one but CSR. */
static gable_format fastest_other(const gbl_format_foreseen *list)
{
    gable_format best = GABLE_SELL;
    for (gable_format f = GABLE_COO; f <= GABLE_HYB; f++)
        if (list[f].compared > 0 && list[f].compared < list[best].compared)
            best = f;
    return best;
}

static void explain(const gable_sparse *A, gable_format best, const gbl_format_foreseen *list,
                    char *why, size_t bytes)
{
    char rows[96], other[96];
    const gbl_format_foreseen *csr = &list[GABLE_CSR], *chosen = &list[best];
    describe_rows(&A->lengths, rows, sizeof rows);
    if (A->layout.entries == 0) {
        snprintf(why, bytes, "CSR: the matrix has no entries");
    } else if (best == GABLE_CSR) {
        const gable_format next = fastest_other(list);
        compare(gbl_format_name(next), list[next].compared / csr->compared, gain_of(A), other,
                sizeof other);
        snprintf(why, bytes, "CSR: %s; %s", rows, other);
    } else {
        compare("CSR", csr->compared / chosen->compared, gain_of(A), other, sizeof other);
        if (chosen->bytes < csr->bytes)
            snprintf(why, bytes, "%s: %s; CSR would move %.2g %% more bytes, and %s",
                     gbl_format_name(best), rows, 100 * (csr->bytes / chosen->bytes - 1),
                     other + strlen("CSR "));
        else
            snprintf(why, bytes, "%s: %s; %s", gbl_format_name(best), rows, other);
    }
}

/* The same where the conversion counts. */
static void explain_for(const gable_sparse *A, gable_format best, const gbl_format_foreseen *list,
                        int64_t repeats, char *why, size_t bytes)
{
    const gable_format free_choice = gbl_sparse_pick(A, list, 0, why, bytes);
    const size_t used = strlen(why);
    if (A->layout.entries == 0 || free_choice == given_format(A))
        return;
    if (best == free_choice)
        snprintf(why + used, bytes - used, "; the conversion is repaid after %lld products",
                 (long long)gbl_format_repaid(A, list, best));
    else
        snprintf(why, bytes, "%s: it stays for %lld product%s; %s would be repaid after %lld",
                 names[best], (long long)repeats, repeats == 1 ? "" : "s", names[free_choice],
                 (long long)gbl_format_repaid(A, list, free_choice));
}

gable_status gbl_sparse_foresee(gable_context *ctx, gable_sparse *A, const gbl_roofs *roofs,
                                gbl_format_foreseen list[GABLE_HYB + 1])
{
    gbl_roofs own;
    memset(list, 0, (GABLE_HYB + 1) * sizeof *list);
    TRY(gbl_sparse_lengths_get(ctx, A));
    gbl_roofs_get(ctx->device, &own);
    for (gable_format format = GABLE_CSR; format <= GABLE_HYB; format++) {
        gbl_sparse_layout layout;
        foresee(A, format, ctx->device, &layout);
        list[format].bytes = gbl_sparse_bytes(&layout);
        list[format].seconds =
            seconds_of(ctx->device, roofs != NULL ? roofs : &own, &layout, &list[format].compared);
    }
    for (gable_format format = GABLE_CSR; format <= GABLE_HYB; format++)
        if (format != given_format(A))
            list[format].made = conversion_seconds(ctx->device, roofs != NULL ? roofs : &own,
                                                   list[given_format(A)].bytes, list[format].bytes,
                                                   list[given_format(A)].compared);
    return GABLE_OK;
}

/* The format whose conversion and products take the least; the one that A has must lose by the
 * gain. */
static gable_format pick_for(const gable_sparse *A, const gbl_format_foreseen *list,
                             int64_t repeats)
{
    gable_format best = given_format(A);
    double least = list[best].compared > 0 ? (1 - gain_of(A)) * list[best].compared : INFINITY;
    least *= (double)repeats;
    for (gable_format f = GABLE_CSR; f <= GABLE_HYB && A->layout.entries > 0; f++) {
        const double all = list[f].made + (double)repeats * list[f].compared;
        if (f != given_format(A) && list[f].compared > 0 && all < least) {
            least = all;
            best = f;
        }
    }
    return best;
}

gable_format gbl_sparse_pick(const gable_sparse *A, const gbl_format_foreseen *list,
                             int64_t repeats, char *why, size_t why_bytes)
{
    if (repeats > 0) {
        const gable_format best = pick_for(A, list, repeats);
        if (why != NULL && why_bytes > 0)
            explain_for(A, best, list, repeats, why, why_bytes);
        return best;
    }
    /* The plainest first: a later one must gain. */
    static const gable_format order[] = {GABLE_CSR, GABLE_SELL, GABLE_ELL, GABLE_HYB, GABLE_COO};
    gable_format best = GABLE_CSR;
    for (size_t i = 1; i < sizeof order / sizeof order[0] && A->layout.entries > 0; i++) {
        const double seconds = list[order[i]].compared;
        if (seconds > 0 && seconds < (1 - gain_of(A)) * list[best].compared)
            best = order[i];
    }
    if (why != NULL && why_bytes > 0)
        explain(A, best, list, why, why_bytes);
    return best;
}

gable_status gbl_sparse_choose(gable_context *ctx, gable_sparse *A, gable_format *format,
                               int64_t *chunk, int64_t *sigma, char *why, size_t why_bytes)
{
    gbl_format_foreseen list[GABLE_HYB + 1];
    *format = GABLE_CSR;
    *chunk = *sigma = 0; /* what suits the device and the matrix: convert_plan.c */
    TRY(gbl_sparse_foresee(ctx, A, NULL, list));
    *format = gbl_sparse_pick(A, list, atomic_load(&A->repeats), why, why_bytes);
    return GABLE_OK;
}

/* ---- Options ---- */

gable_status gbl_sparse_set(gable_context *ctx, gable_sparse *A, const char *options)
{
    static const char word[] = "repeats=";
    double number = 0;
    TRY(gbl_enter(ctx, "gable_sparse_set"));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, options != NULL, 3, "options", "is NULL");
    if (*options == '\0')
        return GABLE_OK;
    CHECK_ARG(ctx, strncmp(options, word, strlen(word)) == 0, 3, "options",
              "is \"%.60s\"; the only word is repeats=N", options);
    const char *rest = gbl_number_read(options + strlen(word), &number);
    CHECK_ARG(ctx,
              rest != NULL && *rest == '\0' && number >= 0 && number <= 1e15 &&
                  number == floor(number),
              3, "options", "says %.60s; repeats must be a whole number, 0 or more", options);
    atomic_store(&A->repeats, (int64_t)number);
    return GABLE_OK;
}
