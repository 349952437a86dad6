/* operand_data.c: what the operands of a benchmark hold: random numbers and scalars.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "operands.h"

/* ---- Random numbers ---- */

/* splitmix64: the state is a counter, so that equal seeds give equal data everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In (-1, 1), never 0, exact in single precision where that is asked for. */
static double next_value(uint64_t *state, bool single)
{
    const uint64_t bits = next_random(state);
    const double magnitude =
        single ? ((double)(bits >> 41) + 0.5) * 0x1p-23 : ((double)(bits >> 12) + 0.5) * 0x1p-52;
    return bits & 1 ? -magnitude : magnitude;
}

static void put(void *vector, int64_t index, bool single, double value)
{
    if (single)
        ((float *)vector)[index] = (float)value;
    else
        ((double *)vector)[index] = value;
}

/* One column of x over a period. Without y there is nothing to agree with. */
static void make_column(const bench_operands *operands, void *column, uint64_t *state)
{
    const gbl_dtype dtype = operands->what.dtype;
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const int parts = gbl_dtype_complex(dtype) ? 2 : 1;
    for (int64_t i = 0; i < operands->period * parts; i++) {
        double x = next_value(state, single);
        const void *host_y = operands->host[BENCH_Y];
        if (host_y != NULL) {
            const double y = single ? ((const float *)host_y)[i] : ((const double *)host_y)[i];
            const bool agree = next_random(state) % 4 != 0;
            /* The product of imaginary parts counts negative unless x is conjugated. */
            const bool negative = parts == 2 && i % 2 == 1 && !operands->what.op->conj;
            if ((x * y > 0) != (agree != negative))
                x = -x;
        }
        put(column, i, single, x);
    }
}

static void make_random(void *vector, int64_t count, bool single, uint64_t *state)
{
    for (int64_t i = 0; i < count; i++)
        put(vector, i, single, next_value(state, single));
}

static gable_status no_memory(const bench_operands *operands)
{
    return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for random data");
}

int64_t bench_triangle_order(const bench_case *what)
{
    const bool left = bench_op_is_product(what->op) && what->side == GABLE_LEFT;
    return left ? what->m : what->n;
}

double bench_triangle_divisor(const bench_case *what)
{
    double divisor = 16, least = 16 * (double)bench_triangle_order(what);
    /* What a call adds to x goes on through a band without end, through a triangle it fades: 1024
     * is for 10^5 calls. */
    if (bench_op_takes_band(what->op))
        least = fmin(least, 1024 * ((double)what->width + 1));
    while (divisor < least)
        divisor *= 2;
    return divisor;
}

/* What T of larfb is divided by: then V T V^H is of the size of 1. */
static double block_divisor(const bench_case *what)
{
    const double wanted = (double)bench_triangle_order(what) * (double)what->k;
    double divisor = 1;
    while (divisor < wanted)
        divisor *= 2;
    return divisor;
}

/* One period of an operand that the op reads, three of four signs positive. */
static gable_status make_mostly_positive(bench_operands *operands, bench_role role, uint64_t *state)
{
    const gbl_dtype dtype = operands->what.dtype;
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const int64_t parts = gbl_dtype_complex(dtype) ? 2 : 1;
    const int64_t length = operands->shape[role].length;
    const int64_t count = length < operands->period ? length : operands->period;
    const bool small = bench_has_ones(operands->what.op, role),
               block = role == BENCH_B && operands->what.op->formula == BENCH_LARFB;
    const double divisor = small   ? bench_triangle_divisor(&operands->what)
                           : block ? block_divisor(&operands->what)
                                   : 1;
    if (!bench_case_reads(&operands->what, role))
        return GABLE_OK;
    void *data = operands->host[role] = malloc((size_t)count * gbl_dtype_bytes(dtype) + 1);
    if (data == NULL)
        return no_memory(operands);
    if (operands->what.zeros) {
        memset(data, 0, (size_t)count * gbl_dtype_bytes(dtype));
        return GABLE_OK;
    }
    for (int64_t i = 0; i < count * parts; i++) {
        const double value = next_value(state, single) / divisor;
        const bool turn = value < 0 && next_random(state) % 2 == 0;
        put(data, i, single, turn ? -value : value);
    }
    return GABLE_OK;
}

/* Rows to exchange, each with one at or below it. */
static gable_status make_pivots(bench_operands *operands, uint64_t *state)
{
    const int64_t count = operands->shape[BENCH_IPIV].length;
    if (count == 0 || bench_writes(operands->what.op, BENCH_IPIV))
        return GABLE_OK;
    int64_t *pivots = operands->host[BENCH_IPIV] = malloc((size_t)count * sizeof *pivots);
    if (pivots == NULL)
        return no_memory(operands);
    for (int64_t i = 0; i < count; i++)
        pivots[i] = i + 1 + (int64_t)(next_random(state) % (uint64_t)(count - i));
    return GABLE_OK;
}

/* 2 / v^H v for the vectors v in A: then I - tau v v^H is unitary. The one of v is not stored. */
static gable_status make_factors(bench_operands *operands)
{
    const gbl_dtype dtype = operands->what.dtype;
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const bench_reflectors in = bench_case_reflectors(&operands->what);
    const int64_t count = operands->shape[BENCH_TAU].length,
                  reals = gbl_dtype_complex(dtype) ? 2 : 1;
    void *factors = operands->host[BENCH_TAU] =
        calloc((size_t)(count > 0 ? count : 1), gbl_dtype_bytes(dtype));
    if (factors == NULL)
        return no_memory(operands);
    for (int64_t j = 0; j < in.count; j++) {
        double sum = 1;
        for (int64_t i = in.above ? 0 : j + 1; i < (in.above ? j : in.length); i++) {
            const int64_t at = bench_matrix_index(operands, BENCH_A, in.row + (in.rows ? j : i),
                                                  in.column + (in.rows ? i : j)) %
                               operands->period;
            for (int64_t part = 0; part < reals; part++) {
                const double value = single
                                         ? ((float *)operands->host[BENCH_A])[at * reals + part]
                                         : ((double *)operands->host[BENCH_A])[at * reals + part];
                sum += value * value;
            }
        }
        put(factors, j * reals, single, 2 / sum);
    }
    return GABLE_OK;
}

static gable_status make_matrix_data(bench_operands *operands)
{
    uint64_t state = 20261115;
    for (int role = BENCH_A; role < BENCH_TAU; role++)
        TRY(make_mostly_positive(operands, (bench_role)role, &state));
    for (int role = BENCH_D; role <= BENCH_E; role++)
        TRY(make_mostly_positive(operands, (bench_role)role, &state));
    TRY(make_pivots(operands, &state));
    return bench_op_reads_reflectors(operands->what.op) && operands->operand[BENCH_TAU] != NULL
               ? make_factors(operands)
               : GABLE_OK;
}

gable_status bench_data_make(bench_operands *operands)
{
    const bench_case *what = &operands->what;
    if (bench_op_has_matrix(what->op))
        return make_matrix_data(operands);
    const bool single = gbl_dtype_real_bytes(what->dtype) == 4;
    const int64_t parts = gbl_dtype_complex(what->dtype) ? 2 : 1, period = operands->period;
    const struct {
        bench_role role;
        int64_t elements;
    } data[] = {
        {.role = BENCH_Y, .elements = period},
        {.role = BENCH_X, .elements = period * operands->columns},
        {.role = BENCH_VALUES, .elements = what->k},
    };
    uint64_t state = 20261115;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        if (!bench_reads(what->op, data[i].role))
            continue;
        const size_t elem = gbl_dtype_bytes(what->dtype);
        char *host = operands->host[data[i].role] = malloc((size_t)data[i].elements * elem);
        if (host == NULL)
            return no_memory(operands);
        if (data[i].role != BENCH_X)
            make_random(host, data[i].elements * parts, single, &state);
        for (int64_t j = 0; data[i].role == BENCH_X && j < operands->columns; j++)
            make_column(operands, host + (size_t)(j * period) * elem, &state);
    }
    return GABLE_OK;
}

gable_status bench_fill_random(gable_context *ctx, void *address, size_t bytes)
{
    const size_t most = 65537, needed = bytes / sizeof(double) + 1;
    const size_t count = needed < most ? needed : most;
    double *words = malloc(count * sizeof *words);
    if (words == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for random data");
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++)
        words[i] = next_value(&state, false);
    size_t done = bytes < count * sizeof *words ? bytes : count * sizeof *words;
    gable_status status = gable_set_vector(ctx, (int64_t)done, 1, words, 1, address, 1);
    while (status == GABLE_OK && done < bytes) {
        const size_t more = done < bytes - done ? done : bytes - done;
        status = gable_copy_bytes(ctx, (char *)address + done, address, more);
        done += more;
    }
    free(words);
    return status;
}

/* ---- Scalars ---- */

static double rounded(double value, gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)(float)value : value;
}

/* Of modulus 1 nearly, so that millions of products with it stay in range, and no power of it is 1.
 * 2^-19 is 32 roundings of single precision: enough to be seen after any number of calls. */
static gbl_scalar turning(gbl_dtype dtype, bool is_real)
{
    if (is_real)
        return (gbl_scalar){.re = -(1 + 0x1p-19)};
    return (gbl_scalar){.re = rounded(0.6, dtype), .im = rounded(0.8, dtype)};
}

void bench_scalars(const bench_case *what, gbl_scalar *alpha, gbl_scalar *beta)
{
    const bench_op *op = what->op;
    const gbl_dtype dtype = what->dtype;
    const bool is_real = !gbl_dtype_complex(dtype) || op->real_scalars;
    const gbl_scalar step = {.re = 0.6875, .im = is_real ? 0 : 0.25};
    *alpha = *beta = (gbl_scalar){0};
    switch (op->formula) {
    case BENCH_AXPY:
    case BENCH_FILL:
    case BENCH_LASET:
    case BENCH_GEMV:
    case BENCH_SYMV:
    case BENCH_GER:
    case BENCH_SYR:
    case BENCH_SYR2:
        *alpha = step;
        break;
    case BENCH_GEMM:
    case BENCH_GEMMT:
    case BENCH_SYRK:
    case BENCH_SYR2K:
    case BENCH_SYMM:
        *alpha = step;
        beta->re = what->beta;
        break;
    case BENCH_TRMM: /* B is changed in place */
    case BENCH_TRSM:
    case BENCH_SCAL:
        *alpha = turning(dtype, is_real);
        break;
    case BENCH_AXPBY:
    case BENCH_WAXPBY:
    case BENCH_GEAM:
        *alpha = step;
        *beta = turning(dtype, is_real);
        break;
    case BENCH_LASCL: /* a quotient of modulus 1 nearly */
        alpha->re = 3;
        beta->re = 3 * turning(dtype, true).re;
        break;
    case BENCH_RANDOM: /* in [low, high) */
        alpha->re = -1;
        beta->re = 1;
        break;
    case BENCH_ROT: /* c^2 + |s|^2 = 1 */
        alpha->re = rounded(0.8, dtype);
        beta->re = rounded(is_real ? 0.6 : 0.36, dtype);
        beta->im = is_real ? 0 : rounded(0.48, dtype);
        break;
    case BENCH_ROTM:
        /* the rotation of rot with y counted half: all four numbers of H differ in use */
        *alpha = (gbl_scalar){.re = rounded(0.8, dtype), .im = rounded(-1.2, dtype)};
        *beta = (gbl_scalar){.re = rounded(0.3, dtype), .im = rounded(0.8, dtype)};
        break;
    case BENCH_MAXPY: /* peers take a coefficient as it lies on the device, without a factor */
        alpha->re = 1;
        break;
    case BENCH_DOT:
        if (op->op == &gbl_dsdot_op && !op->wide_result) /* sdsdot */
            *alpha = step;
        break;
    case BENCH_COPY:
    case BENCH_RECIPROCAL:
    case BENCH_SWAP:
    case BENCH_NRM2:
    case BENCH_ASUM:
    case BENCH_AMAX:
    case BENCH_TRMV:
    case BENCH_TRSV:
    case BENCH_TRANSPOSE:
    case BENCH_LACPY:
    case BENCH_LASWP:
    case BENCH_POTRS:
    case BENCH_GETRS:
    case BENCH_TRTRS:
    case BENCH_ORMQR:
    case BENCH_ORMLQ:
    case BENCH_POTRF:
    case BENCH_POSV:
    case BENCH_POTRI:
    case BENCH_TRTRI:
    case BENCH_SYTRD:
    case BENCH_LAUUM:
    case BENCH_GETRF:
    case BENCH_GESV:
    case BENCH_GEQRF:
    case BENCH_GELQF:
    case BENCH_ORGQR:
    case BENCH_ORGLQ:
    case BENCH_NORM:
    case BENCH_LARFT:
    case BENCH_GETRI:
    case BENCH_GELS:
    case BENCH_LARFG:
    case BENCH_LARFB:
    case BENCH_GEHRD:
    case BENCH_ORMTR:
    case BENCH_ORMHR:
    case BENCH_ORMBR:
    case BENCH_ORGTR:
    case BENCH_ORGHR:
    case BENCH_ORGBR:
    case BENCH_GEBRD:
    case BENCH_SYEVD:
    case BENCH_SYEVX:
    case BENCH_SYGVD:
    case BENCH_GESDD:
    case BENCH_BDSDC:
        break;
    }
}

int64_t bench_peak(const bench_case *what, void *value)
{
    static const float single[] = {-1, -1};
    static const double wide[] = {-1, -1};
    const bool is_single = gbl_dtype_real_bytes(what->dtype) == 4;
    memcpy(value, is_single ? (const void *)single : wide, is_single ? sizeof single : sizeof wide);
    return what->n - 1 - what->n / 16;
}

size_t bench_result_bytes(const bench_case *what)
{
    switch (bench_op_result(what->op)) {
    case BENCH_NO_RESULT:
        return 0;
    case BENCH_ELEMENT:
        return (size_t)what->k * gbl_dtype_bytes(what->dtype);
    case BENCH_REAL:
        return (bench_op_takes_columns(what->op) ? (size_t)what->k : 1) *
               gbl_dtype_real_bytes(what->dtype);
    case BENCH_DOUBLE:
    case BENCH_POSITION:
    case BENCH_INFO:
        break;
    }
    return what->op->formula == BENCH_SYEVX ? 2 * sizeof(int64_t) : sizeof(int64_t);
}
