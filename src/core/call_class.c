/* call_class.c: keys, rankings and canonical calls from the operands of an op.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The key is what measurements are stored under: sizes in powers of two, and flags. The ranking is
 * finer. It has what else the predicted times depend on, such as alignments. Both go through the
 * operands in the order of the prototype and give each some bits. A canonical call is made back
 * from the two words; it represents every call that has them.
 */
#include <string.h>
#include "core/arguments.h"
#include "core/call_class.h"
#include "core/key.h"

/* Made-up addresses of operands: far apart, and aligned for every load that is considered. */
#define PLACE(number) ((uintptr_t)((number) + 1) << 40)
#define ANY_STRIDE    2 /* represents all strides other than 1 */

static gbl_dtype dtype_of(const void *call)
{
    return ((const gbl_call *)call)->dtype;
}

static bool is_turned(int trans)
{
    return trans == GABLE_TRANS || trans == GABLE_CONJ_TRANS;
}

static bool has_matrix(const gbl_op *op)
{
    return op->alignment == NULL;
}

static int64_t size_of(const gbl_operand *operand, const void *call, bool rounded)
{
    const int64_t size = gbl_call_integer(call, operand->at);
    return rounded ? gbl_rounded_size(size) : size;
}

/* ---- Keys ---- */

/* How many sizes, transposes and addresses were met so far: the next one goes to the next place. */
typedef struct key_places {
    int sizes, turns, addresses, jobs;
    bool aligned;
} key_places;

static const int size_places[] = {GBL_KEY_M, GBL_KEY_N};
static const int turn_places[] = {GBL_KEY_TRANS, GBL_KEY_TRANS_B};
static const int job_places[] = {GBL_KEY_JOB, GBL_KEY_JOB_B};
static const int inc_places[] = {GBL_KEY_INCX, GBL_KEY_INCY, GBL_KEY_INCW};

static bool starts_aligned(const gbl_operand *operand, const void *call)
{
    uint64_t starts = (uintptr_t)gbl_call_address(call, operand->at);
    if (operand->step != 0)
        starts |= (uint64_t)gbl_call_integer(call, operand->step) * gbl_dtype_bytes(dtype_of(call));
    return starts % 16 == 0;
}

static uint64_t key_part(const gbl_op *op, const gbl_operand *operand, const void *call,
                         bool rounded, key_places *next, int64_t *width)
{
    switch (operand->kind) {
    case GBL_ORDER:
        next->sizes = 2;
        return gbl_size_class(size_of(operand, call, rounded)) *
               (UINT64_C(1) << GBL_KEY_M | UINT64_C(1) << GBL_KEY_N);
    case GBL_SIZE:
        return next->sizes < 2
                   ? gbl_size_class(size_of(operand, call, rounded)) << size_places[next->sizes++]
                   : 0;
    case GBL_WIDTH:
        *width += size_of(operand, call, rounded);
        return 0;
    case GBL_BATCH:
        return gbl_size_class(size_of(operand, call, rounded)) << GBL_KEY_BATCH;
    case GBL_TRANS:
        return next->turns < 2 ? gbl_key_flag(is_turned(gbl_call_flag(call, operand->at)),
                                              turn_places[next->turns++])
                               : 0;
    case GBL_UPLO:
        return gbl_key_flag(gbl_call_flag(call, operand->at) == GABLE_LOWER, GBL_KEY_LOWER);
    case GBL_SIDE:
        return gbl_key_flag(gbl_call_flag(call, operand->at) == GABLE_RIGHT, GBL_KEY_RIGHT);
    case GBL_NORM: {
        const int norm = gbl_call_flag(call, operand->at);
        return gbl_key_flag(norm == GABLE_ONE_NORM, GBL_KEY_ONE_NORM) |
               gbl_key_flag(norm == GABLE_INF_NORM, GBL_KEY_INF_NORM) |
               gbl_key_flag(norm == GABLE_FROBENIUS_NORM, GBL_KEY_FROBENIUS_NORM);
    }
    case GBL_VECT: /* no routine has both uplo and vect */
        return gbl_key_flag(gbl_call_flag(call, operand->at) == GABLE_VECT_P, GBL_KEY_LOWER);
    case GBL_JOB:
        return next->jobs < 2 ? (uint64_t)GBL_JOB_NUMBER(gbl_call_flag(call, operand->at))
                                    << job_places[next->jobs++]
                              : 0;
    case GBL_RANGE: {
        const int range = gbl_call_flag(call, operand->at);
        return gbl_key_flag(range == GABLE_RANGE_VALUES, GBL_KEY_RANGE_VALUES) |
               gbl_key_flag(range == GABLE_RANGE_INDICES, GBL_KEY_RANGE_INDICES);
    }
    case GBL_MATRIX:
    case GBL_NUMBERS:
    case GBL_VECTOR:
        next->addresses++;
        if (!has_matrix(op) || operand->kind == GBL_VECTOR || next->aligned)
            return 0;
        next->aligned = true;
        return gbl_key_flag(starts_aligned(operand, call), GBL_KEY_ALIGNED);
    case GBL_INC:
        return has_matrix(op) || next->addresses > 3
                   ? 0
                   : gbl_key_flag(gbl_call_integer(call, operand->at) != 1,
                                  inc_places[next->addresses - 1]);
    case GBL_SWITCH:
        return operand->key == 0 ? 0
                                 : gbl_key_flag(gbl_call_switch(call, operand->at), operand->key);
    case GBL_SAME:
        return gbl_key_flag(gbl_call_address(call, operand->at) ==
                                gbl_call_address(call, operand->step),
                            operand->key);
    default:
        return 0;
    }
}

static uint64_t key_of(const gbl_op *op, const void *call, bool rounded)
{
    uint64_t key = (uint64_t)dtype_of(call) << GBL_KEY_DTYPE;
    key_places next = {0, 0, 0, 0, false};
    int64_t width = 0;
    for (int i = 0; i < op->operand_count; i++)
        key |= key_part(op, &op->operands[i], call, rounded, &next, &width);
    key |= gbl_size_class(width) << GBL_KEY_K;
    return key | gbl_key_flag(has_matrix(op), GBL_KEY_MATRIX);
}

uint64_t gbl_call_key(const gbl_op *op, const void *call)
{
    return op->key != NULL ? op->key(call) : key_of(op, call, false);
}

/* ---- Rankings ---- */

/* Bits of a ranking that an operand takes. */
enum {
    SIZE_BITS = 8,
    ROUND_BITS = 2, /* which multiple a size is: tiles and loads come in such multiples */
    MARK_BITS = 3,
    JOB_BITS = 3,       /* in the key */
    ALIGNMENT_BITS = 2, /* of an address or of a leading dimension */
};

/* Whether the operand is written whose batch entries are so far apart. */
static bool written_there(const gbl_op *op, const gbl_operand *apart)
{
    for (int i = 0; i < op->operand_count; i++)
        if (gbl_is_address(&op->operands[i]) && op->operands[i].apart == apart->at)
            return op->operands[i].access & GBL_WRITE;
    return false;
}

static int bits_of(const gbl_op *op, const gbl_operand *operand)
{
    switch (operand->kind) {
    case GBL_SIZE:
    case GBL_ORDER:
    case GBL_WIDTH:
        return has_matrix(op) ? SIZE_BITS + ROUND_BITS : SIZE_BITS;
    case GBL_BATCH:
        return SIZE_BITS;
    case GBL_MATRIX:
        return has_matrix(op) ? ALIGNMENT_BITS + operand->optional : 0;
    case GBL_NUMBERS:
    case GBL_LD:
        return has_matrix(op) ? ALIGNMENT_BITS : 0;
    case GBL_APART: /* one bit more for distance 0, which an output may not have */
        return ALIGNMENT_BITS + !written_there(op, operand);
    case GBL_INC:
    case GBL_SCALAR:
        return has_matrix(op);
    case GBL_SWITCH:
        return operand->key == 0;
    case GBL_MARK:
        return MARK_BITS;
    default:
        return 0;
    }
}

/* The first bits of a ranking. RANK_SET is always set, because 0 means that there is no ranking, as
 * on the host. RANK_TIGHT: columns have no gaps between them. RANK_TOGETHER: the alignment that all
 * vectors share. The bits of the operands follow. */
enum { RANK_SET = 0, RANK_TIGHT = 1, RANK_TOGETHER = 2, RANK_OPERANDS = 4 };

int gbl_call_ranking_bits(const gbl_op *op)
{
    int bits = RANK_OPERANDS;
    for (int i = 0; i < op->operand_count; i++)
        bits += bits_of(op, &op->operands[i]);
    return bits;
}

/* Whether the matrices of an elementwise op have no gaps between their columns, and none is
 * turned. */
static bool is_tight(const gbl_op *op, const void *call)
{
    if (!op->elementwise)
        return false;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (operand->kind == GBL_TRANS && is_turned(gbl_call_flag(call, operand->at)))
            return false;
        if (operand->kind == GBL_MATRIX && gbl_call_address(call, operand->at) != NULL &&
            gbl_call_integer(call, operand->step) != operand->rows(call))
            return false;
    }
    return true;
}

/* 0, 1, 2: all vectors are aligned to 16, 8, 4 bytes. */
static uint64_t together_rank(int32_t align)
{
    return align >= 16 ? 0 : align >= 8 ? 1 : 2;
}

/* Of the distances of rounded calls only multiples of 16 bytes are told from others. */
static uint64_t alignment_of(uint64_t bytes, bool rounded)
{
    const uint64_t rank = gbl_alignment_rank(bytes);
    return rounded && rank > 2 ? 2 : rank;
}

static uint64_t rank_of(const gbl_op *op, const gbl_operand *operand, const void *call, bool tight,
                        bool rounded)
{
    const uint64_t elem = gbl_dtype_bytes(dtype_of(call));
    switch (operand->kind) {
    case GBL_SIZE:
    case GBL_ORDER:
    case GBL_WIDTH: {
        const int64_t size = size_of(operand, call, rounded);
        return gbl_size_rank(size) | (has_matrix(op) ? gbl_round_rank(size) << SIZE_BITS : 0);
    }
    case GBL_BATCH:
        return gbl_size_rank(size_of(operand, call, rounded));
    case GBL_MATRIX:
    case GBL_NUMBERS: {
        const uint64_t address = (uintptr_t)gbl_call_address(call, operand->at);
        return alignment_of(address, rounded) |
               gbl_key_flag(operand->optional && address != 0, ALIGNMENT_BITS);
    }
    case GBL_LD: /* without gaps all columns are one: no other column starts anywhere */
        return alignment_of(tight ? 0 : (uint64_t)gbl_call_integer(call, operand->at) * elem,
                            rounded);
    case GBL_APART: {
        const int64_t apart = gbl_call_integer(call, operand->at);
        return alignment_of((uint64_t)apart * elem, rounded) |
               gbl_key_flag(apart == 0 && !written_there(op, operand), ALIGNMENT_BITS);
    }
    case GBL_INC:
        return gbl_call_integer(call, operand->at) != 1;
    case GBL_SCALAR:
        return gbl_scalar_zero(
            (const gbl_scalar *)(const void *)((const char *)call + operand->at));
    case GBL_SWITCH:
        return gbl_call_switch(call, operand->at);
    case GBL_MARK:
        return ((const uint8_t *)call)[operand->at];
    default:
        return 0;
    }
}

static uint64_t ranking_of(const gbl_op *op, const void *call, bool rounded)
{
    const bool tight = is_tight(op, call);
    uint64_t ranking = UINT64_C(1) << RANK_SET | gbl_key_flag(tight, RANK_TIGHT);
    if (op->alignment != NULL)
        ranking |= together_rank(op->alignment(call)) << RANK_TOGETHER;
    int at = RANK_OPERANDS;
    for (int i = 0; i < op->operand_count; i++) {
        const int bits = bits_of(op, &op->operands[i]);
        if (bits > 0)
            ranking |= rank_of(op, &op->operands[i], call, tight, rounded) << at;
        at += bits;
    }
    return ranking;
}

uint64_t gbl_call_ranking(const gbl_op *op, const void *call, const gbl_device *device)
{
    return device->props.is_host || op->key != NULL ? 0 : ranking_of(op, call, false);
}

void gbl_call_rounded(const gbl_op *op, const void *call, uint64_t *key, uint64_t *ranking)
{
    *key = key_of(op, call, true);
    *ranking = ranking_of(op, call, true);
}

/* ---- Canonical calls ---- */

/* What a canonical call is made from. */
typedef struct recipe {
    const gbl_op *op;
    uint64_t key, ranking;
    gbl_dtype dtype;
    bool known; /* there is a ranking, not only a key */
} recipe;

static uint64_t part(uint64_t word, int at, int count)
{
    return word >> at & ((UINT64_C(1) << count) - 1);
}

static bool flag(uint64_t word, int at)
{
    return word >> at & 1;
}

static void put_integer(void *call, uint16_t at, int64_t value)
{
    memcpy((char *)call + at, &value, sizeof value);
}

static void put_flag(void *call, uint16_t at, int value)
{
    memcpy((char *)call + at, &value, sizeof value);
}

static void put_address(void *call, uint16_t at, uintptr_t value)
{
    void *const address = (void *)value;
    memcpy((char *)call + at, &address, sizeof address);
}

/* A size: from its bits in the ranking, else from its place in the key (-1: the key has none). */
static int64_t size_from(const recipe *from, int at, int place)
{
    if (!from->known)
        return place >= 0 ? INT64_C(1) << gbl_key_size(from->key, place) : 0;
    const uint64_t rank = part(from->ranking, at, SIZE_BITS);
    return has_matrix(from->op)
               ? gbl_class_size(rank, part(from->ranking, at + SIZE_BITS, ROUND_BITS))
               : gbl_rank_size(rank);
}

static int widths_of(const gbl_op *op)
{
    int widths = 0;
    for (int i = 0; i < op->operand_count; i++)
        widths += op->operands[i].kind == GBL_WIDTH;
    return widths;
}

/* The first round: flags and sizes, on which the shapes of matrices depend. */
static void put_first(const recipe *from, const gbl_operand *operand, int at, key_places *next,
                      void *call)
{
    switch (operand->kind) {
    case GBL_TRANS:
        put_flag(call, operand->at,
                 next->turns < 2 && flag(from->key, turn_places[next->turns++]) ? GABLE_TRANS
                                                                                : GABLE_NO_TRANS);
        break;
    case GBL_UPLO:
        put_flag(call, operand->at, flag(from->key, GBL_KEY_LOWER) ? GABLE_LOWER : GABLE_UPPER);
        break;
    case GBL_DIAG:
        put_flag(call, operand->at, GABLE_NON_UNIT);
        break;
    case GBL_SIDE:
        put_flag(call, operand->at, flag(from->key, GBL_KEY_RIGHT) ? GABLE_RIGHT : GABLE_LEFT);
        break;
    case GBL_NORM:
        put_flag(call, operand->at,
                 flag(from->key, GBL_KEY_ONE_NORM)         ? GABLE_ONE_NORM
                 : flag(from->key, GBL_KEY_INF_NORM)       ? GABLE_INF_NORM
                 : flag(from->key, GBL_KEY_FROBENIUS_NORM) ? GABLE_FROBENIUS_NORM
                                                           : GABLE_MAX_NORM);
        break;
    case GBL_VECT:
        put_flag(call, operand->at, flag(from->key, GBL_KEY_LOWER) ? GABLE_VECT_P : GABLE_VECT_Q);
        break;
    case GBL_JOB:
        put_flag(call, operand->at,
                 GABLE_NO_VECTORS +
                     (next->jobs < 2 ? (int)part(from->key, job_places[next->jobs], JOB_BITS) : 0));
        next->jobs++;
        break;
    case GBL_RANGE:
        put_flag(call, operand->at,
                 flag(from->key, GBL_KEY_RANGE_VALUES)    ? GABLE_RANGE_VALUES
                 : flag(from->key, GBL_KEY_RANGE_INDICES) ? GABLE_RANGE_INDICES
                                                          : GABLE_RANGE_ALL);
        break;
    case GBL_SIZE:
    case GBL_ORDER: {
        const int64_t size = size_from(from, at, next->sizes < 2 ? size_places[next->sizes] : -1);
        next->sizes++;
        put_integer(call, operand->at, size);
        if (operand->kind == GBL_ORDER)
            put_integer(call, operand->step, size);
        break;
    }
    case GBL_WIDTH: /* the key has only the sum of all widths: each gets its share */
        put_integer(call, operand->at,
                    size_from(from, at, GBL_KEY_K) / (from->known ? 1 : widths_of(from->op)));
        if (operand->step != 0)
            put_integer(call, operand->step, gbl_call_integer(call, operand->at));
        break;
    case GBL_BATCH:
        put_integer(call, operand->at,
                    from->known ? gbl_rank_size(part(from->ranking, at, SIZE_BITS))
                                : INT64_C(1) << gbl_key_size(from->key, GBL_KEY_BATCH));
        break;
    case GBL_SWITCH:
        ((char *)call)[operand->at] =
            operand->key != 0 ? flag(from->key, operand->key) : flag(from->ranking, at);
        break;
    case GBL_MARK:
        ((char *)call)[operand->at] = (char)part(from->ranking, at, MARK_BITS);
        break;
    case GBL_CONSTANT:
        ((char *)call)[operand->at] = (char)operand->value;
        break;
    default:
        break;
    }
}

/* A distance of at least `least` elements with the alignment that the ranking has at `at`. */
static int64_t distance_from(const recipe *from, int at, int64_t least)
{
    const uint64_t elem = gbl_dtype_bytes(from->dtype);
    return (int64_t)(gbl_rank_bytes(part(from->ranking, at, ALIGNMENT_BITS), (uint64_t)least * elem,
                                    elem) /
                     elem);
}

/* The address of a vector in an op that goes along several vectors at once, such that the alignment
 * that they share is that of the ranking. Where elements are longer than the alignment, the first
 * vector is off by it; else the others are. */
static uintptr_t together_place(const recipe *from, int index, int number)
{
    const uintptr_t elem = gbl_dtype_bytes(from->dtype),
                    align = (uintptr_t)16 >> part(from->ranking, RANK_TOGETHER, 2);
    const uintptr_t beside = elem > align ? align : 0, apart = align < 16 ? align : 0;
    return PLACE(number) + (index == 0 ? beside : apart);
}

/* The leading dimension for columns that share this alignment. */
static int64_t together_ld(const recipe *from, int64_t rows)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(from->dtype), whole = elem < 16 ? 16 / elem : 1,
                  align = 16 >> part(from->ranking, RANK_TOGETHER, 2);
    return (rows + whole - 1) / whole * whole + (align < 16 ? align / elem : 0);
}

static const gbl_operand *operand_with(const gbl_op *op, const gbl_operand *step)
{
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (gbl_is_address(operand) &&
            (step->kind == GBL_APART ? operand->apart : operand->step) == step->at)
            return operand;
    }
    return NULL;
}

static void put_apart(const recipe *from, const gbl_operand *operand, int at, void *call)
{
    const gbl_operand *of = operand_with(from->op, operand);
    int64_t least = of->rows(call);
    if (!written_there(from->op, operand) && flag(from->ranking, at + ALIGNMENT_BITS))
        return; /* distance 0: all batch entries read the same operand */
    if (of->kind == GBL_MATRIX)
        least = gbl_call_integer(call, of->step) * of->columns(call);
    put_integer(call, operand->at, distance_from(from, at, least));
}

/* The second round: scalars, addresses, strides and leading dimensions. */
static void put_second(const recipe *from, const gbl_operand *operand, int number, int at,
                       key_places *next, void *call)
{
    const bool matrix = has_matrix(from->op);
    switch (operand->kind) {
    case GBL_SCALAR: {
        const double value = !(matrix && flag(from->ranking, at));
        if (matrix)
            memcpy((char *)call + operand->at + offsetof(gbl_scalar, re), &value, sizeof value);
        break;
    }
    case GBL_VECTOR:
        put_address(call, operand->at,
                    matrix ? PLACE(number) : together_place(from, next->addresses, number));
        next->addresses++;
        break;
    case GBL_MATRIX:
    case GBL_NUMBERS:
        if (!matrix)
            put_address(call, operand->at, together_place(from, next->addresses, number));
        else if (!operand->optional || flag(from->ranking, at + ALIGNMENT_BITS))
            put_address(call, operand->at,
                        (uintptr_t)gbl_rank_bytes(part(from->ranking, at, ALIGNMENT_BITS),
                                                  PLACE(number), 1));
        next->addresses++;
        break;
    case GBL_LD: {
        const int64_t rows = operand_with(from->op, operand)->rows(call);
        put_integer(call, operand->at,
                    !matrix                           ? together_ld(from, rows)
                    : flag(from->ranking, RANK_TIGHT) ? rows
                                                      : distance_from(from, at, rows + 1));
        break;
    }
    case GBL_INC: {
        const bool strided =
            matrix ? flag(from->ranking, at)
                   : next->addresses <= 3 && flag(from->key, inc_places[next->addresses - 1]);
        put_integer(call, operand->at, strided ? ANY_STRIDE : 1);
        break;
    }
    case GBL_APART:
        put_apart(from, operand, at, call);
        break;
    case GBL_SAME:
        if (flag(from->key, operand->key))
            put_address(call, operand->at, (uintptr_t)gbl_call_address(call, operand->step));
        break;
    default:
        break;
    }
}

void gbl_call_canonical(const gbl_op *op, uint64_t key, uint64_t ranking, void *call)
{
    const recipe from = {.op = op,
                         .key = key,
                         .ranking = ranking,
                         .dtype = gbl_key_dtype(key),
                         .known = flag(ranking, RANK_SET)};
    memset(call, 0, op->layout->call_bytes);
    ((gbl_call *)call)->dtype = from.dtype;
    for (int round = 0; round < 2; round++) {
        key_places next = {0, 0, 0, 0, false};
        int at = RANK_OPERANDS;
        for (int i = 0; i < op->operand_count; i++) {
            if (round == 0)
                put_first(&from, &op->operands[i], at, &next, call);
            else
                put_second(&from, &op->operands[i], i, at, &next, call);
            at += bits_of(op, &op->operands[i]);
        }
    }
}
