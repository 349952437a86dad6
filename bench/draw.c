/* draw.c: cases drawn at random: the same ones from a seed on every machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "draw.h"
#include "operands.h"

#define FRACTION_BITS 24 /* of logarithms */
#define MANTISSA_BITS 31
#define MOST_ATTEMPTS 1000

/* Usual ranges: of sizes, and of what is no size that --range is for. */
#define VECTOR_LEAST  1000
#define VECTOR_MOST   10000000
#define BAND_LEAST    1000
#define BAND_MOST     1000000
#define MATRIX_LEAST  64
#define MATRIX_MOST   8192
#define BATCH_LEAST   3 /* of matrices that a call has many of */
#define BATCH_MOST    64
#define MANY_LEAST    100 /* matrices of one call */
#define MANY_MOST     20000
#define MANY_BYTES    ((size_t)256 << 20) /* of them all */
#define WIDTH_LEAST   1                   /* diagonals beside the main one */
#define WIDTH_MOST    64
#define COLUMNS_LEAST 2 /* vectors of one call */
#define COLUMNS_MOST  50

/* What the bits of a case decide; each has its own, so that flags that are asked for change no
 * sizes. */
enum { STYLE, TRANS, TRANS_B, UPLO, SIDE, BETA, NORM, VECT, OFFSET, PAD, FIRST_SIZE };

/* ---- Random bits ---- */

/* splitmix64's output function (Steele, Lea, Flood, 2014): a bijection that changes half of the
 * bits for each bit. */
static uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

static uint64_t join(uint64_t state, uint64_t word)
{
    return mixed(state + 0x9e3779b97f4a7c15u + mixed(word));
}

static uint64_t state_of(const bench_draw *draw, const bench_op *op, gbl_dtype dtype,
                         int64_t number, int attempt)
{
    uint64_t state = join(0, draw->seed);
    for (const char *letter = op->name; *letter != '\0'; letter++)
        state = join(state, (unsigned char)*letter);
    state = join(state, (uint64_t)dtype);
    state = join(state, (uint64_t)number);
    return join(state, (uint64_t)attempt);
}

static int64_t below(uint64_t bits, int64_t count)
{
    return (int64_t)((bits >> 32) * (uint64_t)count >> 32);
}

/* ---- Sizes ---- */

/* log2 by squaring: a bit of the fraction for each square. */
static uint64_t log2_of(uint64_t size)
{
    int whole = 0;
    while (size >> (whole + 1) != 0)
        whole++;
    uint64_t mantissa = size << (MANTISSA_BITS - whole), fraction = 0;
    for (int bit = FRACTION_BITS - 1; bit >= 0; bit--) {
        mantissa = mantissa * mantissa >> MANTISSA_BITS;
        if (mantissa >> (MANTISSA_BITS + 1) != 0) {
            mantissa >>= 1;
            fraction |= UINT64_C(1) << bit;
        }
    }
    return (uint64_t)whole << FRACTION_BITS | fraction;
}

/* 2^x, rounded down. */
static uint64_t power_of_two(uint64_t x)
{
    /* 2^31 times the square root of 2, its square root, ... */
    static const uint64_t roots[FRACTION_BITS] = {
        3037000500, 2553802834, 2341847524, 2242560872, 2194507417, 2170868212,
        2159144272, 2153306067, 2150392887, 2148937775, 2148210589, 2147847087,
        2147665360, 2147574502, 2147529075, 2147506361, 2147495005, 2147489326,
        2147486487, 2147485068, 2147484358, 2147484003, 2147483825, 2147483737};
    uint64_t mantissa = UINT64_C(1) << MANTISSA_BITS;
    for (int bit = 0; bit < FRACTION_BITS; bit++)
        if (x >> (FRACTION_BITS - 1 - bit) & 1)
            mantissa = mantissa * roots[bit] >> MANTISSA_BITS;
    return mantissa >> (MANTISSA_BITS - (int)(x >> FRACTION_BITS));
}

int64_t bench_draw_size(uint64_t bits, int64_t least, int64_t most)
{
    const uint64_t low = log2_of((uint64_t)least), high = log2_of((uint64_t)most + 1);
    const uint64_t x = low + (uint64_t)below(bits, (int64_t)(high - low));
    const int64_t size = (int64_t)power_of_two(x);
    return size < least ? least : size > most ? most : size;
}

/* The nearest multiple within the range; the size itself where there is none. */
static int64_t rounded(int64_t size, int64_t unit, int64_t least, int64_t most)
{
    int64_t whole = (size + unit / 2) / unit * unit;
    whole = whole < least ? (least + unit - 1) / unit * unit : whole;
    whole = whole > most ? most / unit * unit : whole;
    return whole >= least ? whole : size;
}

typedef struct range {
    int64_t least, most;
} range;

static range usual_range(const bench_op *op)
{
    if (!bench_op_has_matrix(op))
        return (range){VECTOR_LEAST, VECTOR_MOST};
    if (bench_op_takes(op, GBL_BATCH))
        return (range){BATCH_LEAST, BATCH_MOST};
    return bench_op_takes_band(op) ? (range){BAND_LEAST, BAND_MOST}
                                   : (range){MATRIX_LEAST, MATRIX_MOST};
}

static bool is_size(gbl_kind kind)
{
    return kind == GBL_SIZE || kind == GBL_ORDER || kind == GBL_WIDTH || kind == GBL_BATCH;
}

/* The numbers of a size in the order in which they are typed; false: more than a size has. */
static bool draw_size(const bench_draw *draw, const bench_op *op, uint64_t state, bench_size *size)
{
    static const int units[] = {1, 1, 4, 32};
    const int64_t unit = units[below(join(state, STYLE), 4)];
    const range usual = usual_range(op);
    const range wanted = draw->least > 0 ? (range){draw->least, draw->most} : usual;
    const bool vectors = !bench_op_has_matrix(op), product = bench_op_is_product(op),
               band = bench_op_takes_band(op);
    *size = (bench_size){.count = 0};
    for (int i = 0; i < op->op->operand_count; i++) {
        const gbl_operand *operand = &op->op->operands[i];
        range from = wanted;
        int64_t step = unit;
        if (!is_size(operand->kind))
            continue;
        if (operand->kind == GBL_BATCH)
            from = (range){MANY_LEAST, MANY_MOST}, step = 1;
        else if (operand->kind == GBL_WIDTH && !product)
            from = (range){WIDTH_LEAST, WIDTH_MOST}, step = 1;
        else if (vectors && size->count > 0)
            from = (range){COLUMNS_LEAST, COLUMNS_MOST}, step = 1;
        /* A band is n x k: one number of rows and columns, and one of diagonals. */
        if (band && size->count == (operand->kind == GBL_WIDTH ? 2 : 1))
            continue;
        if (size->count == BENCH_SIZE_PARTS)
            return false;
        const uint64_t bits = join(state, FIRST_SIZE + (uint64_t)size->count);
        size->part[size->count++] =
            rounded(bench_draw_size(bits, from.least, from.most), step, from.least, from.most);
    }
    if (size->count == 0) /* an op of single numbers */
        size->part[size->count++] = 1;
    return true;
}

/* ---- Flags ---- */

static gable_trans any_trans(uint64_t bits, gbl_dtype dtype)
{
    /* Of real matrices the conjugate transpose is the transpose. */
    return (gable_trans)(GABLE_NO_TRANS + below(bits, gbl_dtype_complex(dtype) ? 3 : 2));
}

static bench_flags draw_flags(const bench_draw *draw, const bench_op *op, gbl_dtype dtype,
                              uint64_t state)
{
    static const gable_norm norms[] = {GABLE_MAX_NORM, GABLE_ONE_NORM, GABLE_INF_NORM,
                                       GABLE_FROBENIUS_NORM};
    bench_flags flags = BENCH_PLAIN_FLAGS;
    const uint64_t offset = join(state, OFFSET), pad = join(state, PAD);
    if (draw->trans_count > 0) {
        const int64_t which = below(join(state, TRANS), draw->trans_count);
        flags.trans = draw->trans[which].a;
        flags.trans_b = draw->trans[which].b;
    } else {
        flags.trans = any_trans(join(state, TRANS), dtype);
        flags.trans_b = any_trans(join(state, TRANS_B), dtype);
    }
    flags.uplo = draw->uplo_count > 0 ? draw->uplo[below(join(state, UPLO), draw->uplo_count)]
                 : below(join(state, UPLO), 2) == 0 ? GABLE_LOWER
                                                    : GABLE_UPPER;
    flags.side = draw->side_count > 0 ? draw->side[below(join(state, SIDE), draw->side_count)]
                 : below(join(state, SIDE), 2) == 0 ? GABLE_LEFT
                                                    : GABLE_RIGHT;
    flags.norm = norms[below(join(state, NORM), 4)];
    flags.vect = below(join(state, VECT), 2) == 0 ? GABLE_VECT_Q : GABLE_VECT_P;
    flags.beta = (int)below(join(state, BETA), 2);
    flags.math = draw->math;
    flags.zeros = draw->zeros;
    if (!bench_op_has_matrix(op))
        return flags;
    if (below(offset, 4) == 0)
        flags.offset = 1 + below(join(offset, 1), 7);
    const bool many = bench_op_takes(op, GBL_BATCH);
    switch (below(pad, 4)) {
    case 0:
        flags.pad = 1 + below(join(pad, 1), many ? 7 : 63);
        break;
    case 1:
        flags.pad = many ? 8 : 32 * (1 + below(join(pad, 1), 4));
        break;
    default:
        break;
    }
    return flags;
}

/* ---- Cases ---- */

bool bench_draw_case(const bench_draw *draw, const bench_op *op, gbl_dtype dtype, int64_t number,
                     bench_case *what, int64_t *again)
{
    const bool many = bench_op_has_matrix(op) && bench_op_takes(op, GBL_BATCH);
    const size_t most = draw->most_bytes == 0 ? SIZE_MAX : draw->most_bytes,
                 limit = many && most > MANY_BYTES ? MANY_BYTES : most;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const uint64_t state = state_of(draw, op, dtype, number, attempt);
        const bench_flags flags = draw_flags(draw, op, dtype, state);
        bench_size size;
        char text[256];
        if (!draw_size(draw, op, state, &size))
            return false;
        if (!bench_case_make(op, dtype, &flags, &size, what, text, sizeof text))
            continue;
        if (bench_set_bytes(what) <= limit)
            return true;
        ++*again;
    }
    return false;
}
