/* dry_run.c: finds a call that launches a kernel, by running the ops on a pretended GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing here knows a kernel. Every op of the library is tried, that of the kernel's name first, with calls
 * that go from the plainest (long vectors, a large square matrix, all aligned) to the rarer: flags, shapes,
 * batches. A call that an op refuses is passed over, so a call may lack what some op needs.
 */
#include <stdio.h>
#include <string.h>
#include "model/roofs.h"
#include "dry_run.h"
#include "roof.h"

#define LONG_VECTOR  100000000
#define MANY_VECTORS 50 /* for the ops that take several */
#define ROOF_BYTES   ((size_t)1 << 30)

struct dry_op {
    const gbl_op *op;
    gable_status (*vector)(gable_context *ctx, const char *name, const gbl_vector_call *call);
    gable_status (*matrix)(gable_context *ctx, const char *name, const gbl_matrix_call *call);
};
#define VECTOR_OP(stem) {&gbl_##stem##_op, gbl_##stem, NULL},
#define MATRIX_OP(stem) {&gbl_##stem##_op, NULL, gbl_##stem},
static const dry_op ops[] = {GBL_VECTOR_STEMS(VECTOR_OP) GBL_MATRIX_STEMS(MATRIX_OP)};
#define OP_COUNT ((int)(sizeof ops / sizeof ops[0]))

/* ---- Calls ---- */

/* Addresses of operands: aligned, apart from one another, with no memory behind them. */
typedef struct operands {
    void *A, *B, *C, *x, *y, *w, *result, *values;
} operands;

static gable_status take_operands(gable_context *ctx, operands *at)
{
    void **const all[] = {&at->A, &at->B, &at->C, &at->x, &at->y, &at->w, &at->result, &at->values};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        TRY(gable_alloc(ctx, (size_t)1 << 40, all[i]));
    return GABLE_OK;
}

/* One of the calls with vectors; false: there is none of that number. A routine is given no vector that it
 * does not need, as one more would change its kernel's macros. */
static bool vector_call(int number, gbl_dtype dtype, const operands *at, gbl_vector_call *call)
{
    *call = (gbl_vector_call){.dtype = dtype,
                              .n = LONG_VECTOR,
                              .alpha = {.re = 2},
                              .beta = {.re = 3},
                              .x = at->x,
                              .incx = 1,
                              .result = at->result,
                              .count = MANY_VECTORS,
                              .ldx = LONG_VECTOR,
                              .values_at = at->values};
    if (number >= 1) {
        call->y = at->y;
        call->incy = 1;
    }
    if (number >= 2) {
        call->w = at->w;
        call->incw = 1;
    }
    return number < 3;
}

/* The next digit of a number that counts through combinations. */
static int digit(int *rest, int base)
{
    const int value = *rest % base;
    *rest /= base;
    return value;
}

/* One of the calls with a matrix; false: there is none of that number. */
static bool matrix_call(int number, gbl_dtype dtype, const operands *at, gbl_matrix_call *call)
{
    static const gable_trans transposed[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    static const struct {
        int64_t m, n, batch;
        bool pointers;
    } shapes[] = {
        {8192, 8192, 0, false},   {100000, 32, 0, false},  {32, 100000, 0, false},
        {128, 128, 0, false},     {32, 32, 10000, false},  {32, 32, 10000, true},
        {128, 128, 10000, false}, {128, 128, 10000, true}, {8, 8, 10000, false},
        {2048, 2048, 100, false},
    };
    int rest = number;
    const gable_trans trans = transposed[digit(&rest, 3)];
    const gable_uplo uplo = digit(&rest, 2) == 0 ? GABLE_LOWER : GABLE_UPPER;
    const gable_trans trans_b = transposed[digit(&rest, 3)];
    const gable_diag diag = digit(&rest, 2) == 0 ? GABLE_NON_UNIT : GABLE_UNIT;
    const bool in_place = digit(&rest, 2) == 1, conj = digit(&rest, 2) == 1;
    const int shape = digit(&rest, (int)(sizeof shapes / sizeof shapes[0]));
    const int64_t m = shapes[shape].m, n = shapes[shape].n, ld = m > n ? m : n;
    *call = (gbl_matrix_call){.dtype = dtype,
                              .trans = trans,
                              .trans_b = trans_b,
                              .uplo = uplo,
                              .diag = diag,
                              .conj = conj,
                              .m = m,
                              .n = n,
                              .alpha = {.re = 2},
                              .beta = {.re = 3},
                              .A = at->A,
                              .lda = ld,
                              .B = at->B,
                              .C = in_place ? at->A : at->C,
                              .ldb = ld,
                              .ldc = ld,
                              .x = at->x,
                              .incx = 1,
                              .y = at->y,
                              .incy = 1,
                              .batch = shapes[shape].batch,
                              .pointers = shapes[shape].pointers};
    if (call->batch > 0) {
        call->stride_a = ld * ld;
        call->stride_x = call->stride_y = ld;
    }
    return rest == 0;
}

/* ---- Runs ---- */

/* Whether a call of an op is accepted and launches what is watched. */
static bool launches(gable_context *ctx, dry_found *found, const char *entry)
{
    dry_watch(entry, &found->kernel);
    const gable_status status = found->op->vector != NULL
                                    ? found->op->vector(ctx, "dry run", &found->call.vector)
                                    : found->op->matrix(ctx, "dry run", &found->call.matrix);
    return status == GABLE_OK && found->kernel.entry[0] != '\0';
}

/* An op exists in the precisions that the cpu has code for. */
static bool exists(const gbl_op *op, gbl_dtype dtype)
{
    for (int i = 0; i < op->variant_count; i++) {
        const gbl_variant *row = &op->variants[i];
        if (row->run == gbl_vector_run_omp)
            return ((const gbl_vector_routine *)row->detail)->omp[dtype] != NULL;
        if (row->run == gbl_matrix_run_omp)
            return ((const gbl_matrix_routine *)row->detail)->omp[dtype] != NULL;
    }
    return true;
}

static bool next_call(const dry_op *op, int number, gbl_dtype dtype, const operands *at,
                      dry_found *found)
{
    return op->vector != NULL ? vector_call(number, dtype, at, &found->call.vector)
                              : matrix_call(number, dtype, at, &found->call.matrix);
}

/* All calls of an op, with the choice that the context makes now. */
static bool search_calls(gable_context *ctx, const dry_op *op, const char *entry, gbl_dtype dtype,
                         const operands *at, dry_found *found)
{
    found->op = op;
    for (int number = 0; next_call(op, number, dtype, at, found); number++)
        if (launches(ctx, found, entry))
            return gbl_op_choose(ctx, op->op, &found->call, &found->choice) == GABLE_OK;
    return false;
}

static void force(gable_context *ctx, const gbl_forced *forced)
{
    ctx->choices.forced[0] = *forced;
    ctx->choices.forced_count = 1;
}

static bool search_op(gable_context *ctx, const dry_op *op, const char *entry, gbl_dtype dtype,
                      const operands *at, dry_found *found)
{
    if (!exists(op->op, dtype))
        return false;
    const gbl_choices before = ctx->choices; /* of GABLE_VARIANT */
    bool done = search_calls(ctx, op, entry, dtype, at, found);
    for (int i = 0; !done && i < op->op->variant_count; i++) {
        force(ctx, &(gbl_forced){.op = op->op, .variant = &op->op->variants[i]});
        done = search_calls(ctx, op, entry, dtype, at, found);
    }
    ctx->choices = before;
    return done;
}

/* The kernels that measure: the roof of the benchmarks, which is of doubles, and those of the model. */
static bool search_roof(gable_context *ctx, const char *entry, gbl_dtype dtype, dry_found *found)
{
    static bench_roof roof;
    found->op = NULL;
    dry_watch(entry, &found->kernel);
    if (dtype == GBL_D && bench_roof_make(&roof, ctx, BENCH_ROOF_READ, ROOF_BYTES, 1) == GABLE_OK) {
        bench_roof_run(&roof, 0);
        bench_roof_free(&roof);
    }
    if (found->kernel.entry[0] == '\0')
        gbl_roofs_launch_all(ctx);
    return found->kernel.entry[0] != '\0';
}

/* Letters of a kernel's name that are an op's stem: 3 of "dot_finish" for dot; 0: it is another's. */
static size_t likeness(const char *stem, const gbl_op *op)
{
    const size_t length = strlen(op->stem);
    const bool same = strncmp(op->stem, stem, length) == 0;
    return same && (stem[length] == '\0' || stem[length] == '_') ? length : 0;
}

bool dry_run_find(gable_context *ctx, const char *stem, gbl_dtype dtype, dry_found *found)
{
    char entry[GBL_ENTRY_BYTES];
    bool tried[OP_COUNT] = {false};
    operands at;
    memset(found, 0, sizeof *found);
    if (take_operands(ctx, &at) != GABLE_OK)
        return false;
    snprintf(entry, sizeof entry, "%c%s", gbl_dtype_letter(dtype), stem);
    bool done = false;
    for (int turn = 0; !done && turn < OP_COUNT; turn++) {
        int best = -1;
        for (int i = 0; i < OP_COUNT; i++)
            if (!tried[i] && (best < 0 || likeness(stem, ops[i].op) > likeness(stem, ops[best].op)))
                best = i;
        tried[best] = true;
        done = search_op(ctx, &ops[best], entry, dtype, &at, found);
    }
    done = done || search_roof(ctx, entry, dtype, found);
    dry_watch(NULL, NULL);
    return done;
}

bool dry_run_again(gable_context *ctx, const gbl_params *params, dry_found *found)
{
    if (found->op == NULL)
        return false;
    const gbl_choices before = ctx->choices;
    dry_found other = *found;
    force(ctx, &(gbl_forced){.op = found->op->op,
                             .variant = found->choice.variant,
                             .params = *params,
                             .set = (1u << found->choice.variant->space_count) - 1});
    const bool done = launches(ctx, &other, found->kernel.entry);
    ctx->choices = before;
    dry_watch(NULL, NULL);
    if (done)
        *found = other;
    return done;
}
