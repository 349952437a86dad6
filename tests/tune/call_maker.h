/* call_maker.h: random calls of every op, for tests of choices. They have addresses, but no memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_CALL_MAKER_H
#define TEST_CALL_MAKER_H

#include <stdint.h>
#include <string.h>
#include "blas/level1.h"
#include "blas/level2.h"

typedef union any_call {
    gbl_vector_call vector;
    gbl_matrix_call matrix;
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

static inline bool is_matrix_op(const gbl_op *op)
{
#define IS_MATRIX(stem)                                                                            \
    if (op == &gbl_##stem##_op)                                                                    \
        return true;
    GBL_MATRIX_STEMS(IS_MATRIX)
#undef IS_MATRIX
    return false;
}

static inline bool is_square(const gbl_op *op)
{
    return op == &gbl_trmv_op || op == &gbl_trsv_op || op == &gbl_symv_op || op == &gbl_syr_op ||
           op == &gbl_syr2_op;
}

static inline void random_vectors(uint64_t *state, const gbl_op *op, gbl_vector_call *call)
{
    const bool columns = op == &gbl_mdot_op || op == &gbl_maxpy_op;
    const bool one = op == &gbl_scal_op || op == &gbl_fill_op || op == &gbl_nrm2_op ||
                     op == &gbl_asum_op || op == &gbl_amax_op || op == &gbl_random_op;
    memset(call, 0, sizeof *call);
    call->dtype = op == &gbl_dsdot_op                         ? GBL_S
                  : op == &gbl_rotm_op || op == &gbl_rotmg_op ? (gbl_dtype)random_below(state, 2)
                                                              : (gbl_dtype)random_below(state, 4);
    call->n = random_size(state, columns ? 22 : 28);
    call->x = random_address(state, call->dtype);
    call->incx = columns ? 1 : random_stride(state);
    if (!one) {
        call->y = random_address(state, call->dtype);
        call->incy = random_stride(state);
    }
    if (op == &gbl_waxpby_op) {
        call->w = random_address(state, call->dtype);
        call->incw = random_stride(state);
    }
    if (columns) {
        call->count = random_size(state, 7);
        call->ldx = random_leading(state, call->n);
    }
    call->alpha.re = 2;
    call->beta.re = (double)random_below(state, 2);
}

static inline void random_matrix(uint64_t *state, const gbl_op *op, gbl_matrix_call *call)
{
    static const gable_trans transes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    const bool many = op == &gbl_gemv_batched_op;
    memset(call, 0, sizeof *call);
    call->dtype = (gbl_dtype)random_below(state, 4);
    call->m = random_size(state, many ? 7 : 15);
    call->n = is_square(op) ? call->m : random_size(state, many ? 7 : 15);
    const bool turns = op == &gbl_gemv_op || op == &gbl_trmv_op || op == &gbl_trsv_op || many ||
                       op == &gbl_transpose_op || op == &gbl_geam_op;
    call->trans = turns ? transes[random_below(state, 3)] : (gable_trans)0;
    const bool turned = call->trans == GABLE_TRANS || call->trans == GABLE_CONJ_TRANS;
    if (is_square(op))
        call->uplo = random_below(state, 2) ? GABLE_LOWER : GABLE_UPPER;
    if (op == &gbl_trmv_op || op == &gbl_trsv_op)
        call->diag = GABLE_NON_UNIT;
    call->conj = op == &gbl_symv_op && gbl_dtype_complex(call->dtype);
    const int64_t rows = op == &gbl_geam_op && turned ? call->n : call->m;
    call->A = random_address(state, call->dtype);
    call->lda = random_leading(state, rows);
    call->alpha.re = 2;
    call->beta.re = (double)random_below(state, 2);
    if (op == &gbl_transpose_op || op == &gbl_geam_op) {
        call->C = random_address(state, call->dtype);
        call->ldc = random_leading(state, op == &gbl_transpose_op && turned ? call->n : call->m);
    }
    if (op == &gbl_geam_op) {
        call->trans_b = transes[random_below(state, 3)];
        call->B = random_address(state, call->dtype);
        call->ldb = random_leading(state, call->m > call->n ? call->m : call->n);
        return;
    }
    if (op == &gbl_transpose_op)
        return;
    call->x = random_address(state, call->dtype);
    call->incx = random_stride(state);
    call->y = random_address(state, call->dtype);
    call->incy = random_stride(state);
    if (many) {
        call->batch = random_size(state, 16);
        call->stride_a = call->lda * call->n + random_below(state, 3);
        call->stride_x = call->m + call->n;
        call->stride_y = call->m + call->n;
    }
}

static inline void random_call(uint64_t *state, const gbl_op *op, any_call *call)
{
    memset(call, 0, sizeof *call);
    if (is_matrix_op(op))
        random_matrix(state, op, &call->matrix);
    else
        random_vectors(state, op, &call->vector);
}

#endif
