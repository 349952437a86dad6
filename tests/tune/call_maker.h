/* call_maker.h: random calls of every op, for tests of choices. They have addresses, but no memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_CALL_MAKER_H
#define TEST_CALL_MAKER_H

#include <stdint.h>
#include <string.h>
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level3/level3.h"
#include "sparse/matrix/sparse_matrix.h"

typedef union any_call {
    gbl_dtype dtype;
    gbl_vector_call vector;
    gbl_matrix_call matrix;
    gbl_product_call product;
    gbl_sparse_args sparse;
} any_call;

static inline uint64_t random_next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline int64_t random_below(uint64_t *state, int64_t bound)
{
    return (int64_t)(random_next(state) % (uint64_t)bound);
}

/* From 1 to 2^most, every octave as often; a third of them powers of two or one beside. */
static inline int64_t random_size(uint64_t *state, int most)
{
    const int log2 = (int)random_below(state, most);
    const int64_t least = INT64_C(1) << log2;
    switch (random_below(state, 6)) {
    case 0:
        return least;
    case 1:
        return least + 1 + (log2 > 0 ? -2 * random_below(state, 2) : 0);
    default:
        return least + random_below(state, least);
    }
}

static inline void *random_address(uint64_t *state, gbl_dtype dtype)
{
    const uint64_t step =
        random_below(state, 8) == 0 ? gbl_dtype_real_bytes(dtype) : gbl_dtype_bytes(dtype);
    const uint64_t shift = random_below(state, 2) == 0 ? 0 : (uint64_t)random_below(state, 64);
    return (void *)(uintptr_t)((random_next(state) % 4096 + 1) * 1048576 + shift * step);
}

static inline int64_t random_stride(uint64_t *state)
{
    static const int64_t strides[] = {1, 1, 1, 1, 2, 3, -1, -2};
    return strides[random_below(state, 8)];
}

static inline int64_t random_leading(uint64_t *state, int64_t rows)
{
    switch (random_below(state, 4)) {
    case 0:
        return rows;
    case 1:
        return (rows + 31) / 32 * 32;
    default:
        return rows + random_below(state, 70);
    }
}

/* Sizes, flags and switches; the most that a size may be is 2^most. */
static inline void random_first(uint64_t *state, const gbl_op *op, const gbl_operand *operand,
                                int most, void *call)
{
    static const int flags[][3] = {
        [GBL_TRANS] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS},
        [GBL_UPLO] = {GABLE_LOWER, GABLE_UPPER, GABLE_LOWER},
        [GBL_DIAG] = {GABLE_NON_UNIT, GABLE_NON_UNIT, GABLE_NON_UNIT},
        [GBL_SIDE] = {GABLE_LEFT, GABLE_RIGHT, GABLE_LEFT},
        [GBL_NORM] = {GABLE_ONE_NORM, GABLE_INF_NORM, GABLE_FROBENIUS_NORM},
        [GBL_VECT] = {GABLE_VECT_Q, GABLE_VECT_P, GABLE_VECT_Q},
        [GBL_RANGE] = {GABLE_RANGE_ALL, GABLE_RANGE_VALUES, GABLE_RANGE_INDICES}};
    char *const at = (char *)call + operand->at;
    switch (operand->kind) {
    case GBL_TRANS:
    case GBL_UPLO:
    case GBL_DIAG:
    case GBL_SIDE:
    case GBL_NORM:
    case GBL_VECT:
    case GBL_RANGE:
        *(int *)(void *)at = flags[operand->kind][random_below(state, 3)];
        break;
    case GBL_JOB: {
        int job = 0;
        do
            job = GABLE_NO_VECTORS + (int)random_below(state, GBL_JOBS);
        while (!gbl_is_legal_job(operand, job));
        *(int *)(void *)at = job;
        break;
    }
    case GBL_SIZE:
    case GBL_ORDER:
    case GBL_BATCH:
        *(int64_t *)(void *)at = random_size(state, most);
        if (operand->kind == GBL_ORDER)
            *(int64_t *)(void *)((char *)call + operand->step) = *(int64_t *)(void *)at;
        break;
    case GBL_WIDTH:
        /* Diagonals of a band, or the terms of products: as many as rows. */
        *(int64_t *)(void *)at = op->layout == &gbl_product_layout ? random_size(state, most)
                                                                   : random_size(state, 8) - 1;
        if (operand->step != 0)
            *(int64_t *)(void *)((char *)call + operand->step) = *(int64_t *)(void *)at;
        break;
    case GBL_SWITCH:
        *(bool *)at = random_below(state, 2) == 1 &&
                      (!operand->complex || gbl_dtype_complex(((const gbl_call *)call)->dtype));
        break;
    case GBL_CONSTANT:
        *(uint8_t *)at = operand->value;
        break;
    default:
        break;
    }
}

/* What stands on those. */
static inline void random_second(uint64_t *state, const gbl_op *op, const gbl_operand *operand,
                                 void *call)
{
    const gbl_dtype dtype = ((const gbl_call *)call)->dtype;
    char *const at = (char *)call + operand->at;
    switch (operand->kind) {
    case GBL_SCALAR:
        if (op->alignment == NULL) /* alpha is not 0, beta may be */
            ((gbl_scalar *)(void *)at)->re =
                strcmp(operand->name, "beta") == 0 ? (double)random_below(state, 2) : 2;
        break;
    case GBL_VECTOR:
    case GBL_NUMBERS:
    case GBL_RESULT:
        *(void **)(void *)at = random_address(state, dtype);
        if (operand->step != 0)
            *(int64_t *)(void *)((char *)call + operand->step) = random_stride(state);
        if (operand->apart != 0)
            *(int64_t *)(void *)((char *)call + operand->apart) =
                random_leading(state, operand->rows(call));
        break;
    case GBL_MATRIX: {
        *(void **)(void *)at = random_address(state, dtype);
        const int64_t ld = random_leading(state, operand->rows(call));
        *(int64_t *)(void *)((char *)call + operand->step) = ld;
        if (operand->apart != 0)
            *(int64_t *)(void *)((char *)call + operand->apart) =
                ld * operand->columns(call) + random_below(state, 3);
        break;
    }
    default:
        break;
    }
}

/* So large that no product of sizes is out of proportion. */
static inline int most_of(const gbl_op *op, const gbl_operand *operand)
{
    int sizes = 0, batch = 0;
    for (int i = 0; i < op->operand_count; i++) {
        sizes += op->operands[i].kind == GBL_SIZE;
        batch += op->operands[i].kind == GBL_BATCH;
    }
    if (op->alignment != NULL) /* vectors, or several of them */
        return sizes == 1 ? 28 : operand == &op->operands[0] ? 22 : 7;
    return operand->kind == GBL_BATCH ? 16 : batch > 0 ? 7 : 15;
}

/* A product with a sparse matrix: any format, rows of any lengths. */
static inline void random_sparse(uint64_t *state, const gbl_op *op, gbl_sparse_args *call)
{
    gbl_sparse_layout *A = &call->A;
    A->dtype = call->dtype;
    A->format = (uint8_t)(GABLE_CSR + random_below(state, GABLE_HYB));
    A->index_bytes = random_below(state, 2) == 0 ? 4 : 8;
    A->rows = call->ldy = 1 + random_below(state, (int64_t)1 << random_below(state, 22));
    A->columns = call->ldx = 1 + random_below(state, (int64_t)1 << random_below(state, 22));
    const int64_t most = A->columns < 64 ? A->columns : 64;
    A->width = 1 + random_below(state, most);
    A->entries = A->stored = A->rows * A->width;
    A->longest = A->format == GABLE_ELL ? A->width
                                        : A->width + random_below(state, A->columns - A->width + 1);
    A->stride = (A->rows + 31) / 32 * 32;
    A->chunk = (int64_t)1 << random_below(state, 7);
    A->slices = (A->rows + A->chunk - 1) / A->chunk;
    A->rest = random_below(state, A->rows);
    A->start = A->row = A->column = A->value = (void *)4096;
    A->rest_row = A->rest_column = A->rest_value = (void *)8192;
    if (A->format == GABLE_SELL && random_below(state, 2) == 0)
        A->order = (void *)12288;
    call->conj = gbl_dtype_complex(call->dtype) && random_below(state, 2) == 0;
    call->k = op == &gbl_sparse_mm_op ? 2 + random_below(state, 63) : 1;
    call->x = (void *)16384;
    call->y = (void *)20480;
    call->alpha = (gbl_scalar){.re = 2};
    call->beta = (gbl_scalar){.re = (double)random_below(state, 3)};
}

static inline void random_call(uint64_t *state, const gbl_op *op, any_call *call)
{
    memset(call, 0, sizeof *call);
    do
        call->dtype = (gbl_dtype)random_below(state, 4);
    while (!gbl_op_has(op, call->dtype));
    if (!gbl_op_described(op)) {
        random_sparse(state, op, &call->sparse);
        return;
    }
    for (int i = 0; i < op->operand_count; i++)
        random_first(state, op, &op->operands[i], most_of(op, &op->operands[i]), call);
    for (int i = 0; i < op->operand_count; i++)
        random_second(state, op, &op->operands[i], call);
}

/* What random_call leaves out. Coefficients of which a call has several are on the device: the
 * host's would be read. Where an op tells two addresses apart, they are the same in half the calls,
 * and the matrices are square. */
static inline void complete_call(uint64_t *state, const gbl_op *op, any_call *call)
{
    if (!gbl_op_described(op))
        return;
    const bool same = random_below(state, 2) == 0;
    int64_t least = INT64_MAX;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        char *const at = (char *)call + operand->at;
        if (operand->kind == GBL_SCALAR && operand->rows != NULL)
            ((gbl_scalar *)(void *)at)->device = random_address(state, call->dtype);
        if (operand->kind == GBL_SIZE && gbl_call_integer(call, operand->at) < least)
            least = gbl_call_integer(call, operand->at);
        if (operand->kind != GBL_SAME || !same)
            continue;
        memcpy(at, (char *)call + operand->step, sizeof(void *));
        for (int k = 0; k < op->operand_count; k++)
            if (op->operands[k].kind == GBL_SIZE)
                *(int64_t *)(void *)((char *)call + op->operands[k].at) = least;
    }
}

#endif
