/* bench_ops.c: one descriptor per op that can be measured, its names, and its sizes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench_ops.h"

#define S_D (1u << GBL_S | 1u << GBL_D)
#define C_Z (1u << GBL_C | 1u << GBL_Z)
#define ALL (S_D | C_Z)
#define X_Y (BENCH_X | BENCH_Y)

/* "dot" is the sum of x_i y_i in all four precisions; BLAS calls it dotu where x could be
 * conjugated. maxpy writes one vector for k + 1 that it reads: it is compared with reading. */
static const bench_op ops[] = {
    {.name = "copy",
     .op = &gbl_copy_op,
     .formula = BENCH_COPY,
     .dtypes = ALL,
     .reads = BENCH_X,
     .writes = BENCH_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_copy},
    {.name = "swap",
     .op = &gbl_swap_op,
     .formula = BENCH_SWAP,
     .dtypes = ALL,
     .reads = X_Y,
     .writes = X_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_swap},
    {.name = "scal",
     .op = &gbl_scal_op,
     .formula = BENCH_SCAL,
     .dtypes = ALL,
     .reads = BENCH_X,
     .writes = BENCH_X,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_scal},
    {.name = "csscal",
     .whole_name = true,
     .op = &gbl_scal_op,
     .formula = BENCH_SCAL,
     .dtypes = 1u << GBL_C,
     .real_scalars = true,
     .reads = BENCH_X,
     .writes = BENCH_X,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_scal},
    {.name = "zdscal",
     .whole_name = true,
     .op = &gbl_scal_op,
     .formula = BENCH_SCAL,
     .dtypes = 1u << GBL_Z,
     .real_scalars = true,
     .reads = BENCH_X,
     .writes = BENCH_X,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_scal},
    {.name = "axpy",
     .op = &gbl_axpy_op,
     .formula = BENCH_AXPY,
     .dtypes = ALL,
     .reads = X_Y,
     .writes = BENCH_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_axpy},
    {.name = "axpby",
     .op = &gbl_axpby_op,
     .formula = BENCH_AXPBY,
     .dtypes = ALL,
     .reads = X_Y,
     .writes = BENCH_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_axpby},
    {.name = "waxpby",
     .op = &gbl_waxpby_op,
     .formula = BENCH_WAXPBY,
     .dtypes = ALL,
     .reads = X_Y,
     .writes = BENCH_W,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_waxpby},
    {.name = "fill",
     .op = &gbl_fill_op,
     .formula = BENCH_FILL,
     .dtypes = ALL,
     .writes = BENCH_X,
     .roof = BENCH_ROOF_WRITE,
     .run = gbl_fill},
    {.name = "random",
     .op = &gbl_random_op,
     .formula = BENCH_RANDOM,
     .dtypes = ALL,
     .writes = BENCH_X,
     .roof = BENCH_ROOF_WRITE,
     .run = gbl_random},
    {.name = "rot",
     .op = &gbl_rot_op,
     .formula = BENCH_ROT,
     .dtypes = ALL,
     .reads = X_Y,
     .writes = X_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_rot},
    {.name = "csrot",
     .whole_name = true,
     .op = &gbl_rot_op,
     .formula = BENCH_ROT,
     .dtypes = 1u << GBL_C,
     .real_scalars = true,
     .reads = X_Y,
     .writes = X_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_rot},
    {.name = "zdrot",
     .whole_name = true,
     .op = &gbl_rot_op,
     .formula = BENCH_ROT,
     .dtypes = 1u << GBL_Z,
     .real_scalars = true,
     .reads = X_Y,
     .writes = X_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_rot},
    {.name = "rotm",
     .op = &gbl_rotm_op,
     .formula = BENCH_ROTM,
     .dtypes = S_D,
     .reads = X_Y,
     .writes = X_Y,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_rotm},
    {.name = "dot",
     .complex_name = "dotu",
     .op = &gbl_dot_op,
     .formula = BENCH_DOT,
     .dtypes = ALL,
     .reads = X_Y,
     .result = BENCH_ELEMENT,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dot},
    {.name = "dotu",
     .unlisted = true,
     .op = &gbl_dot_op,
     .formula = BENCH_DOT,
     .dtypes = C_Z,
     .reads = X_Y,
     .result = BENCH_ELEMENT,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dot},
    {.name = "dotc",
     .op = &gbl_dot_op,
     .formula = BENCH_DOT,
     .dtypes = C_Z,
     .conj = true,
     .reads = X_Y,
     .result = BENCH_ELEMENT,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dot},
    {.name = "dsdot",
     .whole_name = true,
     .op = &gbl_dsdot_op,
     .formula = BENCH_DOT,
     .dtypes = 1u << GBL_S,
     .reads = X_Y,
     .result = BENCH_DOUBLE,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dsdot},
    {.name = "sdsdot",
     .whole_name = true,
     .op = &gbl_dsdot_op,
     .formula = BENCH_DOT,
     .dtypes = 1u << GBL_S,
     .reads = X_Y,
     .result = BENCH_ELEMENT,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dsdot},
    {.name = "nrm2",
     .op = &gbl_nrm2_op,
     .formula = BENCH_NRM2,
     .dtypes = ALL,
     .reads = BENCH_X,
     .result = BENCH_REAL,
     .roof = BENCH_ROOF_READ,
     .run = gbl_nrm2},
    {.name = "asum",
     .op = &gbl_asum_op,
     .formula = BENCH_ASUM,
     .dtypes = ALL,
     .reads = BENCH_X,
     .result = BENCH_REAL,
     .roof = BENCH_ROOF_READ,
     .run = gbl_asum},
    {.name = "amax",
     .alias = "iamax",
     .op = &gbl_amax_op,
     .formula = BENCH_AMAX,
     .dtypes = ALL,
     .reads = BENCH_X,
     .result = BENCH_POSITION,
     .roof = BENCH_ROOF_READ,
     .run = gbl_amax},
    {.name = "mdot",
     .complex_name = "mdotu",
     .op = &gbl_mdot_op,
     .formula = BENCH_DOT,
     .dtypes = ALL,
     .takes_k = true,
     .reads = X_Y,
     .result = BENCH_ELEMENTS,
     .roof = BENCH_ROOF_READ,
     .run = gbl_mdot},
    {.name = "mdotu",
     .unlisted = true,
     .op = &gbl_mdot_op,
     .formula = BENCH_DOT,
     .dtypes = C_Z,
     .takes_k = true,
     .reads = X_Y,
     .result = BENCH_ELEMENTS,
     .roof = BENCH_ROOF_READ,
     .run = gbl_mdot},
    {.name = "mdotc",
     .op = &gbl_mdot_op,
     .formula = BENCH_DOT,
     .dtypes = C_Z,
     .conj = true,
     .takes_k = true,
     .reads = X_Y,
     .result = BENCH_ELEMENTS,
     .roof = BENCH_ROOF_READ,
     .run = gbl_mdot},
    {.name = "maxpy",
     .op = &gbl_maxpy_op,
     .formula = BENCH_MAXPY,
     .dtypes = ALL,
     .takes_k = true,
     .reads = X_Y,
     .writes = BENCH_Y,
     .roof = BENCH_ROOF_READ,
     .run = gbl_maxpy},
};
#define VECTOR_OPS (sizeof ops / sizeof ops[0])

/* Op i of the vectors' and then of the matrices'; NULL behind the last. */
static const bench_op *op_at(size_t i)
{
    if (i < VECTOR_OPS)
        return &ops[i];
    return i - VECTOR_OPS < bench_matrix_op_count ? &bench_matrix_ops[i - VECTOR_OPS] : NULL;
}

/* ---- Names ---- */

void bench_op_typed_name(const bench_op *op, gbl_dtype dtype, char *text, size_t text_bytes)
{
    static const char *const plain[] = {"s", "d", "c", "z"};
    static const char *const mixed[] = {"s", "d", "sc", "dz"};
    static const char *const index[] = {"is", "id", "ic", "iz"};
    const char *const *letters = op->result == BENCH_REAL       ? mixed
                                 : op->result == BENCH_POSITION ? index
                                                                : plain;
    const bool other = op->complex_name != NULL && gbl_dtype_complex(dtype);
    snprintf(text, text_bytes, "%s%s", op->whole_name ? "" : letters[dtype],
             other ? op->complex_name : op->name);
}

bool bench_op_find(const char *word, unsigned dtypes, bench_wanted *wanted)
{
    const bench_op *op;
    for (size_t i = 0; (op = op_at(i)) != NULL; i++) {
        wanted->op = op;
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            char typed[32];
            bench_op_typed_name(op, (gbl_dtype)dtype, typed, sizeof typed);
            wanted->dtypes = 1u << dtype;
            if ((op->dtypes >> dtype & 1) && strcmp(word, typed) == 0)
                return true;
        }
        wanted->dtypes = op->dtypes & dtypes;
        if (strcmp(word, op->name) == 0 || (op->alias != NULL && strcmp(word, op->alias) == 0))
            return true;
    }
    return false;
}

void bench_op_names(char *text, size_t text_bytes)
{
    text[0] = '\0';
    const bench_op *op;
    for (size_t i = 0; (op = op_at(i)) != NULL; i++) {
        const size_t used = strlen(text);
        if (!op->unlisted)
            snprintf(text + used, text_bytes - used, "%s%s", used > 0 ? ", " : "", op->name);
    }
}

size_t bench_op_roof_bytes(const bench_op *op, const gbl_work *work)
{
    return (size_t)(work->bytes_read + (op->writes != 0 ? work->bytes_written : 0));
}

gable_status bench_op_run(const bench_op *op, gable_context *ctx, const bench_call *call)
{
    return bench_op_has_matrix(op) ? op->run_matrix(ctx, op->name, &call->matrix)
                                   : op->run(ctx, op->name, &call->vector);
}

size_t bench_op_call_bytes(const bench_op *op)
{
    return bench_op_has_matrix(op) ? sizeof(gbl_matrix_call) : sizeof(gbl_vector_call);
}

/* ---- Cases ---- */

static bool read_part(const char *text, int64_t *value, const char **end)
{
    char *stop;
    if (*text < '1' || *text > '9') /* a leading 0 would also let "0x50" be a number of its own */
        return false;
    const double number = strtod(text, &stop);
    *end = stop;
    if (!(number >= 1 && number <= 0x1p53) || number != (double)(int64_t)number)
        return false;
    *value = (int64_t)number;
    return true;
}

bool bench_size_read(const char *text, bench_size *size, const char **end)
{
    for (size->count = 0; size->count < BENCH_SIZE_PARTS; text = *end + 1) {
        if (!read_part(text, &size->part[size->count], end))
            return false;
        size->count++;
        if (**end != 'x')
            return true;
    }
    return **end != 'x';
}

/* A band: square, with its diagonals as the second number. */
static bool make_band_case(const bench_op *op, const bench_size *size, bench_case *what, char *text,
                           size_t text_bytes)
{
    const int64_t most = (int64_t)1 << 53, n = size->part[0];
    what->m = n;
    what->width = size->count > 1 ? size->part[1] : BENCH_DEFAULT_WIDTH;
    if (size->count > 2)
        snprintf(text, text_bytes,
                 "%s takes n and k, the diagonals beside the main one; a third number is for many "
                 "matrices",
                 op->name);
    else if (what->width > most / 4 || n > most / (2 * what->width + 1))
        snprintf(text, text_bytes,
                 "bands of %" PRId64 " columns and %" PRId64
                 " diagonals on a side have more elements than 2^53",
                 n, what->width);
    else
        return true;
    return false;
}

/* Whether a matrix case is within reach; else the text says why. */
static bool make_matrix_case(const bench_op *op, const bench_flags *flags, const bench_size *size,
                             bench_case *what, char *text, size_t text_bytes)
{
    const int64_t most = (int64_t)1 << 53, first = size->part[0];
    const int64_t second = size->count > 1 ? size->part[1] : first;
    what->trans = op->matrix & BENCH_TRANS ? flags->trans : GABLE_NO_TRANS;
    what->uplo = op->matrix & BENCH_UPLO ? flags->uplo : GABLE_LOWER;
    what->offset = flags->offset;
    if (op->matrix & BENCH_BAND)
        return make_band_case(op, size, what, text, text_bytes);
    what->m = first;
    what->n = second;
    if (op->matrix & BENCH_BATCH)
        what->batch = size->count > 2 ? size->part[2] : BENCH_DEFAULT_BATCH;
    if (op->matrix & BENCH_UPLO && first != second)
        snprintf(text, text_bytes, "%s takes a square matrix, and %" PRId64 "x%" PRId64 " is none",
                 op->name, first, second);
    else if (size->count > 2 && !(op->matrix & BENCH_BATCH))
        snprintf(text, text_bytes, "%s takes one matrix, m x n; a third number is for many of them",
                 op->name);
    else if (first > most / second / what->batch)
        snprintf(text, text_bytes,
                 "matrices of %" PRId64 "x%" PRId64 " have more elements than 2^53", first, second);
    else
        return true;
    return false;
}

bool bench_case_make(const bench_op *op, gbl_dtype dtype, const bench_flags *flags,
                     const bench_size *size, bench_case *what, char *text, size_t text_bytes)
{
    const int64_t first = size->part[0];
    *what = (bench_case){.op = op,
                         .dtype = dtype,
                         .trans = GABLE_NO_TRANS,
                         .uplo = GABLE_LOWER,
                         .m = 1,
                         .n = first,
                         .k = 1,
                         .batch = 1};
    if (bench_op_has_matrix(op))
        return make_matrix_case(op, flags, size, what, text, text_bytes);
    if (op->takes_k)
        what->k = size->count > 1 ? size->part[1] : BENCH_DEFAULT_K;
    if (size->count <= (op->takes_k ? 2 : 1))
        return true;
    snprintf(text, text_bytes, "%s takes %s, and %" PRId64 "x%" PRId64 "%s has more", op->name,
             op->takes_k ? "n and k" : "one size, n", first, size->part[1],
             size->count > 2 ? "x..." : "");
    return false;
}

#define MAX_NUMBERS 4

static const char *trans_letter(gable_trans trans)
{
    return trans == GABLE_NO_TRANS ? "N" : trans == GABLE_TRANS ? "T" : "C";
}

static const char *uplo_letter(gable_uplo uplo)
{
    return uplo == GABLE_UPPER ? "U" : "L";
}

void bench_case_name(const bench_case *what, char *text, size_t text_bytes)
{
    const unsigned takes = what->op->matrix;
    bench_op_typed_name(what->op, what->dtype, text, text_bytes);
    const size_t used = strlen(text);
    snprintf(text + used, text_bytes - used, "%s%s%s%s", takes & BENCH_UPLO ? " " : "",
             takes & BENCH_UPLO ? uplo_letter(what->uplo) : "", takes & BENCH_TRANS ? " " : "",
             takes & BENCH_TRANS ? trans_letter(what->trans) : "");
}

/* The numbers of a case, in the order of its arguments. */
static int case_numbers(const bench_case *what, const char *names[MAX_NUMBERS],
                        int64_t numbers[MAX_NUMBERS])
{
    const bench_op *op = what->op;
    const bool two_sides = op->matrix & BENCH_BAND && !(op->matrix & BENCH_UPLO);
    int count = 0;
    if (bench_op_has_matrix(op) && !(op->matrix & BENCH_UPLO)) {
        names[count] = "m";
        numbers[count++] = what->m;
    }
    names[count] = "n";
    numbers[count++] = what->n;
    if (op->takes_k || op->matrix & BENCH_BATCH) {
        names[count] = op->takes_k ? "k" : "batch";
        numbers[count++] = op->takes_k ? what->k : what->batch;
    }
    if (op->matrix & BENCH_BAND) {
        names[count] = two_sides ? "kl" : "k";
        numbers[count++] = what->width;
    }
    if (two_sides) {
        names[count] = "ku";
        numbers[count++] = what->width;
    }
    return count;
}

void bench_case_text(const bench_case *what, char *text, size_t text_bytes)
{
    const char *names[MAX_NUMBERS];
    int64_t numbers[MAX_NUMBERS];
    const int count = case_numbers(what, names, numbers);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "%s%s = %" PRId64, i > 0 ? ", " : "", names[i],
                 numbers[i]);
    }
}

void bench_case_size_text(const bench_case *what, char *text, size_t text_bytes)
{
    const char *names[MAX_NUMBERS];
    int64_t numbers[MAX_NUMBERS];
    if (what->op->matrix & BENCH_BAND) {
        snprintf(text, text_bytes, "%" PRId64 "x%" PRId64, what->n, what->width);
        return;
    }
    const int count = case_numbers(what, names, numbers);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "%s%" PRId64, i > 0 ? "x" : "", numbers[i]);
    }
}

bench_shape bench_matrix_shape(const bench_case *what, unsigned which)
{
    const bool turned = what->trans != GABLE_NO_TRANS;
    /* transpose is told the shape of A, geam that of C. */
    const unsigned other = what->op->formula == BENCH_TRANSPOSE ? BENCH_C : BENCH_A;
    const bool swap = turned && which == other && (what->op->writes & BENCH_C) != 0;
    const unsigned takes = what->op->matrix;
    const int64_t n = what->n;
    if (takes & BENCH_PACKED)
        return (bench_shape){n * (n + 1) / 2, 1, n * (n + 1) / 2};
    const int64_t rows = takes & BENCH_BAND ? (takes & BENCH_UPLO ? 1 : 2) * what->width + 1
                         : swap             ? n
                                            : what->m;
    return (bench_shape){rows, swap ? what->m : what->n, rows + what->offset};
}

int bench_case_args(const bench_case *what, bench_arg args[BENCH_MAX_ARGS])
{
    const bench_op *op = what->op;
    const char *names[MAX_NUMBERS];
    int64_t numbers[MAX_NUMBERS];
    int count = 0;
    if (op->conj)
        args[count++] = (bench_arg){"conj", bench_op_has_matrix(op) ? "yes" : "x", 0};
    if (op->real_scalars)
        args[count++] = (bench_arg){"scalars", "real", 0};
    if (op->result == BENCH_DOUBLE)
        args[count++] = (bench_arg){"result", "double", 0};
    if (op->matrix & BENCH_UPLO)
        args[count++] = (bench_arg){"uplo", uplo_letter(what->uplo), 0};
    if (op->matrix & BENCH_TRANS)
        args[count++] = (bench_arg){"trans", trans_letter(what->trans), 0};
    const int sizes = case_numbers(what, names, numbers);
    for (int i = 0; i < sizes; i++)
        args[count++] = (bench_arg){names[i], NULL, numbers[i]};
    if (op->matrix & BENCH_POINTERS)
        args[count++] = (bench_arg){"pointers", "yes", 0};
    if (what->offset > 0)
        args[count++] = (bench_arg){"offset", NULL, what->offset};
    return count;
}
