/* call_class.c: what a choice depends on in a vector call and a matrix call beside its key, and the call that stands
 * for all with the same key and ranking.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A canonical call is made from the two words alone, so that variants can only be ranked by what is in them. What no
 * plan and no cost looks at is left out: the values of factors, conjugation, unit diagonals, results.
 */
#include <string.h>
#include "blas/level1.h"
#include "blas/level2.h"
#include "blas/stream_plan.h"
#include "core/key.h"

_Static_assert(sizeof(gbl_vector_call) <= GBL_MAX_CALL_BYTES, "vector calls fit a question");
_Static_assert(sizeof(gbl_matrix_call) <= GBL_MAX_CALL_BYTES, "matrix calls fit a question");

_Static_assert(GBL_VECTOR_SHAPE_BYTES == 7 * 8, "the shape of vector calls has gaps");
_Static_assert(GBL_MATRIX_SHAPE_BYTES == 16 * 8, "the shape of matrix calls has gaps");
_Static_assert(GBL_MATRIX_SHAPE_BYTES <= GBL_MAX_SHAPE_BYTES, "shapes fit their memo");

/* Addresses far from each other, each a multiple of every alignment that is looked at. */
#define PLACE(number) ((uintptr_t)(number) << 40)
#define ANY_STRIDE    2 /* stands for all that are not 1 */

static uint64_t bits(uint64_t ranking, int at, int count)
{
    return ranking >> at & ((UINT64_C(1) << count) - 1);
}

static bool flag(uint64_t word, int at)
{
    return word >> at & 1;
}

/* ---- Vectors ---- */

enum {
    RANK_N = 0,
    RANK_COUNT = 8,
    RANK_ALIGN =
        16, /* 0, 1, 2: after some elements all vectors stand on a multiple of 16, 8, 4 bytes */
    RANK_HAS_Y = 18,
    RANK_HAS_W = 19,
    RANK_WIDE = 20,
};

static uint64_t vector_ranking(const void *given, const gbl_device *device)
{
    const gbl_vector_call *call = given;
    if (device->props.is_host)
        return 0;
    const int32_t align = gbl_stream_alignment(call);
    return gbl_size_rank(call->n) << RANK_N | gbl_size_rank(call->count) << RANK_COUNT |
           (uint64_t)(align >= 16  ? 0
                      : align >= 8 ? 1
                                   : 2)
               << RANK_ALIGN |
           gbl_key_flag(call->y != NULL, RANK_HAS_Y) | gbl_key_flag(call->w != NULL, RANK_HAS_W) |
           gbl_key_flag(call->wide_result, RANK_WIDE);
}

static void vector_canonical(uint64_t key, uint64_t ranking, void *out)
{
    gbl_vector_call *call = out;
    const gbl_dtype dtype = gbl_key_dtype(key);
    const uintptr_t elem = gbl_dtype_bytes(dtype),
                    align = (uintptr_t)16 >> bits(ranking, RANK_ALIGN, 2);
    /* Elements that are longer than what they stand on all stand beside it; others stand apart by it. */
    const uintptr_t beside = elem > align ? align : 0, apart = align < 16 ? align : 0;
    memset(call, 0, sizeof *call);
    call->dtype = dtype;
    call->wide_result = flag(ranking, RANK_WIDE);
    call->n = ranking != 0 ? gbl_rank_size(bits(ranking, RANK_N, 8))
                           : INT64_C(1) << gbl_key_size(key, GBL_KEY_M);
    call->x = (void *)(PLACE(1) + beside);
    call->incx = flag(key, GBL_KEY_INCX) ? ANY_STRIDE : 1;
    call->incy = flag(key, GBL_KEY_INCY) ? ANY_STRIDE : 1;
    call->incw = flag(key, GBL_KEY_INCW) ? ANY_STRIDE : 1;
    if (flag(ranking, RANK_HAS_Y))
        call->y = (void *)(PLACE(2) + apart);
    if (flag(ranking, RANK_HAS_W))
        call->w = (void *)(PLACE(3) + apart);
    call->count = ranking != 0 ? gbl_rank_size(bits(ranking, RANK_COUNT, 8))
                               : INT64_C(1) << gbl_key_size(key, GBL_KEY_N);
    const int64_t whole = (int64_t)(16 / elem > 0 ? 16 / elem : 1);
    call->ldx = (call->n + whole - 1) / whole * whole + (int64_t)(apart / elem);
}

const gbl_call_family gbl_vector_family = {.call_bytes = sizeof(gbl_vector_call),
                                           .shape_bytes = GBL_VECTOR_SHAPE_BYTES,
                                           .ranking = vector_ranking,
                                           .canonical = vector_canonical};

/* ---- Matrices ---- */

enum {
    RANK_M = 0,
    RANK_COLUMNS = 8,
    RANK_BATCH = 16,
    RANK_ROUND_M = 24, /* multiples that tiles and loads are made of */
    RANK_ROUND_N = 26,
    RANK_A = 28, /* alignments */
    RANK_LDA = 30,
    RANK_B = 32,
    RANK_LDB = 34,
    RANK_C = 36,
    RANK_LDC = 38,
    RANK_STRIDE_A = 40,
    RANK_SAME_A = 42, /* all products of a batch have one matrix, or one vector */
    RANK_SAME_X = 43,
    RANK_INCX = 44,
    RANK_INCY = 45,
    RANK_NO_ALPHA = 46, /* 0 by value */
    RANK_NO_BETA = 47,
    RANK_TIGHT = 48, /* no gaps between the columns of A, B and C, where none is turned */
    RANK_HAS_B = 49,
    RANK_HAS_C = 50,
    RANK_SET = 51, /* so that it is not 0, which stands for the host */
};

static bool is_zero(const gbl_scalar *factor)
{
    return factor->device == NULL && factor->re == 0 && factor->im == 0;
}

static uint64_t address_rank(const void *address)
{
    return gbl_alignment_rank((uintptr_t)address);
}

static bool is_tight(const gbl_matrix_call *call)
{
    return call->C != NULL && call->ldc == call->m && call->trans != GABLE_TRANS &&
           call->trans != GABLE_CONJ_TRANS && call->lda == call->m &&
           (call->B == NULL || call->ldb == call->m);
}

static uint64_t matrix_ranking(const void *given, const gbl_device *device)
{
    const gbl_matrix_call *call = given;
    const bool tight = is_tight(call); /* one column then: how they start says nothing */
    const uint64_t elem = tight ? 0 : gbl_dtype_bytes(call->dtype);
    if (device->props.is_host)
        return 0;
    return gbl_size_rank(call->m) << RANK_M | gbl_size_rank(call->n) << RANK_COLUMNS |
           gbl_size_rank(call->batch) << RANK_BATCH | gbl_round_rank(call->m) << RANK_ROUND_M |
           gbl_round_rank(call->n) << RANK_ROUND_N | address_rank(call->A) << RANK_A |
           gbl_alignment_rank((uint64_t)call->lda * elem) << RANK_LDA |
           address_rank(call->B) << RANK_B |
           gbl_alignment_rank((uint64_t)call->ldb * elem) << RANK_LDB |
           address_rank(call->C) << RANK_C |
           gbl_alignment_rank((uint64_t)call->ldc * elem) << RANK_LDC |
           gbl_alignment_rank((uint64_t)call->stride_a * elem) << RANK_STRIDE_A |
           gbl_key_flag(call->stride_a == 0, RANK_SAME_A) |
           gbl_key_flag(call->stride_x == 0, RANK_SAME_X) |
           gbl_key_flag(call->incx != 1, RANK_INCX) | gbl_key_flag(call->incy != 1, RANK_INCY) |
           gbl_key_flag(is_zero(&call->alpha), RANK_NO_ALPHA) |
           gbl_key_flag(is_zero(&call->beta), RANK_NO_BETA) | gbl_key_flag(tight, RANK_TIGHT) |
           gbl_key_flag(call->B != NULL, RANK_HAS_B) | gbl_key_flag(call->C != NULL, RANK_HAS_C) |
           gbl_key_flag(true, RANK_SET);
}

static void *place(int number, uint64_t ranking, int at)
{
    return (void *)(uintptr_t)gbl_rank_bytes(bits(ranking, at, 2), PLACE(number), 1);
}

/* A leading dimension: more than there are rows, unless there are no gaps. */
static int64_t leading(uint64_t ranking, int at, int64_t rows, uint64_t elem)
{
    const uint64_t least = (uint64_t)rows + 1;
    if (flag(ranking, RANK_TIGHT))
        return rows;
    return (int64_t)(gbl_rank_bytes(bits(ranking, at, 2), least * elem, elem) / elem);
}

static void matrix_canonical(uint64_t key, uint64_t ranking, void *out)
{
    gbl_matrix_call *call = out;
    const gbl_dtype dtype = gbl_key_dtype(key);
    const uint64_t elem = gbl_dtype_bytes(dtype);
    const bool known = flag(ranking, RANK_SET);
    memset(call, 0, sizeof *call);
    call->dtype = dtype;
    call->trans = flag(key, GBL_KEY_TRANS) ? GABLE_TRANS : GABLE_NO_TRANS;
    call->trans_b = flag(key, GBL_KEY_TRANS_B) ? GABLE_TRANS : GABLE_NO_TRANS;
    call->uplo = flag(key, GBL_KEY_LOWER) ? GABLE_LOWER : GABLE_UPPER;
    call->diag = GABLE_NON_UNIT;
    call->conj = flag(key, GBL_KEY_CONJ);
    call->pointers = flag(key, GBL_KEY_POINTERS);
    call->m = known ? gbl_class_size(bits(ranking, RANK_M, 8), bits(ranking, RANK_ROUND_M, 2))
                    : INT64_C(1) << gbl_key_size(key, GBL_KEY_M);
    call->n = known ? gbl_class_size(bits(ranking, RANK_COLUMNS, 8), bits(ranking, RANK_ROUND_N, 2))
                    : INT64_C(1) << gbl_key_size(key, GBL_KEY_N);
    call->batch = known ? gbl_rank_size(bits(ranking, RANK_BATCH, 8))
                        : INT64_C(1) << gbl_key_size(key, GBL_KEY_BATCH);
    call->alpha.re = !flag(ranking, RANK_NO_ALPHA);
    call->beta.re = !flag(ranking, RANK_NO_BETA);
    const bool turned = call->trans == GABLE_TRANS || call->trans_b == GABLE_TRANS;
    const int64_t rows = turned && call->n > call->m ? call->n : call->m;
    call->A = place(1, ranking, RANK_A);
    call->lda = leading(ranking, RANK_LDA, rows, elem);
    if (flag(ranking, RANK_HAS_B)) {
        call->B = place(2, ranking, RANK_B);
        call->ldb = leading(ranking, RANK_LDB, rows, elem);
    }
    if (flag(ranking, RANK_HAS_C)) {
        call->C = flag(key, GBL_KEY_IN_PLACE) ? call->A : place(3, ranking, RANK_C);
        call->ldc = leading(ranking, RANK_LDC, rows, elem);
    }
    call->x = (void *)PLACE(4);
    call->incx = flag(ranking, RANK_INCX) ? ANY_STRIDE : 1;
    call->y = (void *)PLACE(5);
    call->incy = flag(ranking, RANK_INCY) ? ANY_STRIDE : 1;
    if (!flag(ranking, RANK_SAME_A))
        call->stride_a = leading(ranking, RANK_STRIDE_A, call->lda * call->n, elem);
    call->stride_x = flag(ranking, RANK_SAME_X) ? 0 : rows;
    call->stride_y = rows;
}

const gbl_call_family gbl_matrix_family = {.call_bytes = sizeof(gbl_matrix_call),
                                           .shape_bytes = GBL_MATRIX_SHAPE_BYTES,
                                           .aligned_at = offsetof(gbl_matrix_call, A),
                                           .ranking = matrix_ranking,
                                           .canonical = matrix_canonical};

/* Whether C is A decides, too: there is no shape that says all. */
const gbl_call_family gbl_turned_family = {.call_bytes = sizeof(gbl_matrix_call),
                                           .ranking = matrix_ranking,
                                           .canonical = matrix_canonical};
