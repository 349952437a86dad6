/* bench_cases.c: ops at sizes: what is typed, the call that is made of it, and how it is shown.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lapack/eigen.h"
#include "operands.h"

#define MAX_NUMBERS 4

/* ---- Sizes ---- */

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

/* ---- Numbers ---- */

/* Where the number of a case that an argument is stands in it; 0: it is no size. */
static size_t number_at(const bench_op *op, const gbl_operand *operand)
{
    switch (operand->kind) {
    case GBL_SIZE:
        if (!bench_op_has_matrix(op))
            return operand->at == VECTOR_AT(n) ? offsetof(bench_case, n) : offsetof(bench_case, k);
        if (bench_op_is_product(op) && operand->at == PRODUCT_AT(k))
            return offsetof(bench_case, k);
        return operand->at == (bench_op_is_product(op) ? PRODUCT_AT(m) : MATRIX_AT(m))
                   ? offsetof(bench_case, m)
                   : offsetof(bench_case, n);
    case GBL_ORDER:
        return offsetof(bench_case, n);
    case GBL_WIDTH:
        if (!bench_op_is_product(op))
            return offsetof(bench_case, width);
        return operand->at == PRODUCT_AT(n) ? offsetof(bench_case, n) : offsetof(bench_case, k);
    case GBL_BATCH:
        return offsetof(bench_case, batch);
    default:
        return 0;
    }
}

/* The number itself; NULL: it is no size. */
static const int64_t *number_of(const bench_case *what, const gbl_operand *operand)
{
    const size_t at = number_at(what->op, operand);
    return at != 0 ? (const int64_t *)(const void *)((const char *)what + at) : NULL;
}

/* The numbers of a case, in the order of its arguments. */
static int case_numbers(const bench_case *what, const char *names[MAX_NUMBERS],
                        int64_t numbers[MAX_NUMBERS])
{
    const gbl_op *op = what->op->op;
    int count = 0;
    for (int i = 0; i < op->operand_count && count < MAX_NUMBERS; i++) {
        const int64_t *number = number_of(what, &op->operands[i]);
        if (number == NULL)
            continue;
        names[count] = op->operands[i].name;
        numbers[count++] = *number;
    }
    return count;
}

/* ---- Cases ---- */

/* "m x n x k" */
static void names_of_numbers(const bench_case *what, char *text, size_t text_bytes)
{
    const char *names[MAX_NUMBERS];
    int64_t numbers[MAX_NUMBERS];
    const int count = case_numbers(what, names, numbers);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "%s%s", i > 0 ? " x " : "", names[i]);
    }
}

/* Whether no matrix of a product is beyond reach. */
static bool is_within_reach(const bench_case *what)
{
    const double m = (double)what->m, n = (double)what->n, k = (double)what->k,
                 batch = (double)what->batch, most = 0x1p53;
    return m * n * batch <= most && m * k * batch <= most && n * k * batch <= most &&
           m * m * batch <= most && n * n * batch <= most;
}

bench_reflectors bench_case_reflectors(const bench_case *what)
{
    const bench_formula formula = what->op->formula;
    const bool applied = bench_op_takes(what->op, GBL_SIDE),
               bidiagonal = formula == BENCH_ORGBR || formula == BENCH_ORMBR,
               rows = bench_op_has_rows_of_reflectors(what->op) ||
                      (bidiagonal && what->vect == GABLE_VECT_P);
    const int64_t order = applied ? (what->side == GABLE_LEFT ? what->m : what->n)
                          : rows  ? what->n
                                  : what->m;
    const bool beside = bidiagonal ? (rows ? order <= what->k : order < what->k)
                                   : bench_op_reads_reduction(what->op);
    if (!beside)
        return (bench_reflectors){.length = order, .count = what->k, .rows = rows};
    const bool above =
        (formula == BENCH_ORGTR || formula == BENCH_ORMTR) && what->uplo == GABLE_UPPER;
    return (bench_reflectors){.row = !rows && !above,
                              .column = rows || above,
                              .first = !above,
                              .length = order - 1,
                              .count = order - 1,
                              .rows = rows,
                              .above = above};
}

/* orgbr: which shapes there are. */
static bool has_shape_of_reduction(const bench_case *what, char *text, size_t text_bytes)
{
    const bool rows = what->vect == GABLE_VECT_P;
    const int64_t most = rows ? what->n : what->m, side = rows ? what->m : what->n,
                  least = most < what->k ? most : what->k;
    if (what->op->formula != BENCH_ORGBR || (side <= most && side >= least))
        return true;
    snprintf(text, text_bytes, "%s of %s takes m x n or m x n x k, %s", what->op->name,
             rows ? "P" : "Q", rows ? "n >= m >= min(n, k)" : "m >= n >= min(m, k)");
    return false;
}

/* Whether a case has as many reflectors as its shape allows; else the text says why not. */
static bool has_place_for_reflectors(const bench_case *what, char *text, size_t text_bytes)
{
    const bench_op *op = what->op;
    const bool rows = bench_op_has_rows_of_reflectors(op);
    const bool applied = op->formula == BENCH_ORMQR || op->formula == BENCH_ORMLQ ||
                         op->formula == BENCH_LARFB,
               alone = op->formula == BENCH_LARFT;
    const int64_t most = applied         ? (what->side == GABLE_LEFT ? what->m : what->n)
                         : rows || alone ? what->m
                                         : what->n;
    if (!bench_op_reads_reflectors(op) || bench_op_reads_reduction(op))
        return has_shape_of_reduction(what, text, text_bytes);
    if (!applied && !alone && (rows ? what->m > what->n : what->n > what->m))
        snprintf(text, text_bytes, "%s takes m x n or m x n x k, and %s must not be more than %s",
                 op->name, rows ? "m" : "n", rows ? "n" : "m");
    else if (what->k > most)
        snprintf(text, text_bytes,
                 "%s of %" PRId64 " reflectors: k is at most %" PRId64 " at that size", op->name,
                 what->k, most);
    else
        return true;
    return false;
}

/* A product: one number for all its sizes, or each of them; of many products their number is the
 * last. Of matrices that are made of reflectors the number of those may be left out, and of least
 * squares that of right-hand sides: then it is 1. */
static bool make_product_case(const bench_op *op, const bench_flags *flags, const bench_size *size,
                              bench_case *what, char *text, size_t text_bytes)
{
    const bool many = bench_op_takes(op, GBL_BATCH);
    const bool fixed = op->formula == BENCH_SYRK || op->formula == BENCH_SYR2K;
    char names[64];
    int count = 0, used = 0;
    what->trans_b = bench_op_takes_pairs(op) ? flags->trans_b : GABLE_NO_TRANS;
    what->side = bench_op_takes(op, GBL_SIDE) ? flags->side : GABLE_LEFT;
    what->beta = bench_op_takes_beta(op) ? flags->beta : 0;
    what->norm = !bench_op_is_norm(op) ? 0 : flags->norm != 0 ? flags->norm : GABLE_ONE_NORM;
    if (bench_op_takes(op, GBL_VECT))
        what->vect = flags->vect != 0 ? flags->vect : GABLE_VECT_Q;
    what->zeros = flags->zeros;
    what->math = flags->math;
    if (fixed && what->trans != GABLE_NO_TRANS)
        what->trans = op->conj ? GABLE_CONJ_TRANS : GABLE_TRANS;
    if ((bench_op_reads_reflectors(op) || op->formula == BENCH_GELS) &&
        what->trans != GABLE_NO_TRANS)
        what->trans = gbl_dtype_complex(what->dtype) ? GABLE_CONJ_TRANS : GABLE_TRANS;
    for (int i = 0; i < op->op->operand_count; i++)
        count += number_at(op, &op->op->operands[i]) != 0;
    const bool shape =
        size->count == 2 && (op->formula == BENCH_ORGQR || op->formula == BENCH_ORGLQ ||
                             op->formula == BENCH_ORGBR || op->formula == BENCH_GELS);
    what->n = 1; /* unless the op has it */
    const bool each = size->count == count;
    for (int i = 0; i < op->op->operand_count; i++) {
        const size_t at = number_at(op, &op->op->operands[i]);
        if (at == 0)
            continue;
        int64_t value = each || (shape && used < 2) ? size->part[used] : size->part[0];
        if (shape && used == 2)
            value = op->formula == BENCH_GELS ? 1 : what->m < what->n ? what->m : what->n;
        if (op->op->operands[i].kind == GBL_BATCH && !each)
            value = size->count > 1 ? size->part[1] : BENCH_DEFAULT_BATCH;
        memcpy((char *)what + at, &value, sizeof value);
        used++;
    }
    if (bench_op_takes(op, GBL_ORDER))
        what->m = what->n;
    names_of_numbers(what, names, sizeof names);
    if (!each && size->count != 1 && !(many && size->count == 2) && !shape)
        snprintf(text, text_bytes, "%s takes n%s or %s", op->name, many ? ", n x batch" : "",
                 names);
    else if (!has_place_for_reflectors(what, text, text_bytes))
        return false;
    else if (!is_within_reach(what))
        snprintf(text, text_bytes, "%s has matrices of more elements than 2^53 at that size",
                 op->name);
    else
        return true;
    return false;
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
    what->trans = bench_op_takes(op, GBL_TRANS) ? flags->trans : GABLE_NO_TRANS;
    what->uplo = bench_op_takes(op, GBL_UPLO) ? flags->uplo : GABLE_GENERAL;
    what->offset = flags->offset;
    what->pad = flags->pad;
    if (bench_op_is_product(op))
        return make_product_case(op, flags, size, what, text, text_bytes);
    if (bench_op_takes_band(op))
        return make_band_case(op, size, what, text, text_bytes);
    what->m = first;
    what->n = second;
    if (bench_op_takes(op, GBL_BATCH))
        what->batch = size->count > 2 ? size->part[2] : BENCH_DEFAULT_BATCH;
    if (bench_op_takes(op, GBL_ORDER) && first != second)
        snprintf(text, text_bytes, "%s takes a square matrix, and %" PRId64 "x%" PRId64 " is none",
                 op->name, first, second);
    else if (size->count > 2 && !bench_op_takes(op, GBL_BATCH))
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
                         .trans_b = GABLE_NO_TRANS,
                         .uplo = GABLE_GENERAL, /* of ops that take one, flags say which */
                         .side = GABLE_LEFT,
                         .m = 1,
                         .n = first,
                         .k = 1,
                         .batch = 1};
    if (bench_op_has_matrix(op))
        return make_matrix_case(op, flags, size, what, text, text_bytes);
    const bool columns = bench_op_takes_columns(op);
    if (columns)
        what->k = size->count > 1 ? size->part[1] : BENCH_DEFAULT_K;
    if (size->count <= (columns ? 2 : 1))
        return true;
    snprintf(text, text_bytes, "%s takes %s, and %" PRId64 "x%" PRId64 "%s has more", op->name,
             columns ? "n and k" : "one size, n", first, size->part[1],
             size->count > 2 ? "x..." : "");
    return false;
}

/* ---- Calls ---- */

static void put_integer(bench_call *call, uint16_t at, int64_t value)
{
    if (at != 0)
        memcpy((char *)call + at, &value, sizeof value);
}

static void put_flag(bench_call *call, uint16_t at, int value)
{
    memcpy((char *)call + at, &value, sizeof value);
}

static gable_job job_of(const bench_op *op)
{
    if (op->values_only)
        return GABLE_NO_VECTORS;
    return op->formula == BENCH_GESDD   ? GABLE_SOME_VECTORS
           : op->formula == BENCH_BDSDC ? GABLE_IDENTITY_VECTORS
                                        : GABLE_VECTORS;
}

static void put_flags_and_sizes(const bench_case *what, bench_call *call)
{
    gable_trans trans = what->trans; /* of A, then of B, which matrices' ops take as it is */
    for (int i = 0; i < what->op->op->operand_count; i++) {
        const gbl_operand *operand = &what->op->op->operands[i];
        const int64_t *number = number_of(what, operand);
        if (number != NULL) {
            put_integer(call, operand->at, *number);
            put_integer(call, operand->step, *number);
        } else if (operand->kind == GBL_TRANS) {
            put_flag(call, operand->at, (int)trans);
            trans = what->trans_b;
        } else if (operand->kind == GBL_UPLO) {
            put_flag(call, operand->at, (int)what->uplo);
        } else if (operand->kind == GBL_SIDE) {
            put_flag(call, operand->at, (int)what->side);
        } else if (operand->kind == GBL_NORM) {
            put_flag(call, operand->at, (int)what->norm);
        } else if (operand->kind == GBL_VECT) {
            put_flag(call, operand->at, (int)what->vect);
        } else if (operand->kind == GBL_JOB) {
            put_flag(call, operand->at, (int)job_of(what->op));
        } else if (operand->kind == GBL_DIAG) {
            put_flag(call, operand->at, (int)GABLE_NON_UNIT);
        } else if (operand->kind == GBL_CONSTANT) {
            *((unsigned char *)call + operand->at) = operand->value;
        }
    }
}

/* Of a call whose sizes are there. */
static bench_shape shape_of(const bench_case *what, bench_role role, const bench_call *call)
{
    const gbl_operand *operand = bench_operand(what->op, role);
    if (operand == NULL)
        return (bench_shape){0, 0, 0, 0};
    const bool matrix = operand->kind == GBL_MATRIX;
    bench_shape shape = {.rows = operand->rows != NULL ? operand->rows(call) : 1,
                         .columns = matrix ? operand->columns(call) : 1};
    shape.ld = shape.rows + (matrix ? what->offset + what->pad : 0);
    if (matrix && shape.ld == 0) /* vectors that are not computed */
        shape.ld = 1;
    shape.length = shape.ld * shape.columns * what->batch + (role <= BENCH_C ? what->offset : 0);
    return shape;
}

void bench_case_call(const bench_case *what, bench_call *call)
{
    const bench_op *op = what->op;
    const bool product = bench_op_is_product(op);
    gbl_scalar *alpha = product                   ? &call->product.alpha
                        : bench_op_has_matrix(op) ? &call->matrix.alpha
                                                  : &call->vector.alpha;
    gbl_scalar *beta = product                   ? &call->product.beta
                       : bench_op_has_matrix(op) ? &call->matrix.beta
                                                 : &call->vector.beta;
    memset(call, 0, sizeof *call);
    if (product) {
        call->product.dtype = what->dtype;
        call->product.conj = op->conj;
        call->product.real_alpha = op->real_scalars && gbl_dtype_complex(what->dtype);
        call->product.real_beta =
            (op->real_scalars || op->real_beta) && gbl_dtype_complex(what->dtype);
        call->product.pointers = op->pointers;
        call->product.math = (uint8_t)what->math;
    } else if (bench_op_has_matrix(op)) {
        call->matrix.dtype = what->dtype;
        call->matrix.conj = op->conj;
        call->matrix.real_scalars = op->real_scalars;
        call->matrix.pointers = op->pointers;
    } else {
        call->vector.dtype = what->dtype;
        call->vector.conj = op->conj;
        call->vector.real_scalars = op->real_scalars;
        call->vector.wide_result = op->wide_result;
        call->vector.incx = 1; /* within columns, too */
    }
    if (op->formula == BENCH_RANDOM) {
        call->vector.seed = BENCH_SEED;
        call->vector.first = BENCH_FIRST;
    }
    if (op->formula == BENCH_LASWP) { /* k1 and incx */
        call->product.k = 1;
        call->product.stride_b = 1;
    }
    bench_scalars(what, alpha, beta);
    put_flags_and_sizes(what, call);
    if (op->formula == BENCH_GEHRD) { /* all of it */
        call->product.ilo = 1;
        call->product.ihi = what->n;
    }
    if (op->formula == BENCH_SYEVX) {
        call->product.range = op->values_only ? GABLE_RANGE_ALL : GABLE_RANGE_INDICES;
        call->product.ilo = what->n - (what->n - 1) / 10;
        call->product.ihi = what->n;
        gbl_syevx_complete(&call->product);
    }
    if (op->formula == BENCH_SYGVD)
        call->product.k = 1;                                        /* itype */
    if (op->formula == BENCH_ORGHR || op->formula == BENCH_ORMHR) { /* all columns */
        call->product.ilo = 1;
        call->product.ihi = what->side == GABLE_LEFT ? what->m : what->n;
    }
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        const gbl_operand *operand = bench_operand(op, (bench_role)role);
        const bench_shape shape = shape_of(what, (bench_role)role, call);
        if (operand == NULL || operand->kind == GBL_SCALAR)
            continue;
        put_integer(call, operand->step, operand->kind == GBL_VECTOR ? 1 : shape.ld);
        put_integer(call, operand->apart, shape.ld * shape.columns);
    }
}

void bench_case_shapes(const bench_case *what, bench_shape shapes[BENCH_ROLES])
{
    bench_call call;
    bench_case_call(what, &call);
    for (int role = BENCH_A; role < BENCH_ROLES; role++)
        shapes[role] = shape_of(what, (bench_role)role, &call);
}

/* ---- Texts ---- */

/* "N", or "NT" where both factors of a product may be turned. */
static const char *trans_letters(const bench_case *what)
{
    static const char *const pairs[] = {"NN", "NT", "NC", "TN", "TT", "TC", "CN", "CT", "CC"};
    static const char *const alone[] = {"N", "T", "C"};
    const int a = (int)what->trans - (int)GABLE_NO_TRANS,
              b = (int)what->trans_b - (int)GABLE_NO_TRANS;
    return bench_op_takes_pairs(what->op) ? pairs[3 * a + b] : alone[a];
}

static const char *side_letter(gable_side side)
{
    return side == GABLE_RIGHT ? "R" : "L";
}

static const char *uplo_letter(gable_uplo uplo)
{
    return uplo == GABLE_UPPER ? "U" : "L";
}

static const char *norm_letter(gable_norm norm)
{
    return norm == GABLE_MAX_NORM   ? "M"
           : norm == GABLE_ONE_NORM ? "1"
           : norm == GABLE_INF_NORM ? "I"
                                    : "F";
}

static const char *vect_letter(gable_vect vect)
{
    return vect == GABLE_VECT_P ? "P" : "Q";
}

void bench_case_name(const bench_case *what, char *text, size_t text_bytes)
{
    const bool side = bench_op_takes(what->op, GBL_SIDE);
    const bool uplo = bench_op_takes(what->op, GBL_UPLO);
    const bool trans = bench_op_takes(what->op, GBL_TRANS);
    bench_op_typed_name(what->op, what->dtype, text, text_bytes);
    const size_t used = strlen(text);
    const bool norm = bench_op_is_norm(what->op), vect = bench_op_takes(what->op, GBL_VECT);
    snprintf(text + used, text_bytes - used, "%s%s%s%s%s%s%s%s", norm || vect ? " " : "",
             norm   ? norm_letter(what->norm)
             : vect ? vect_letter(what->vect)
                    : "",
             side ? " " : "", side ? side_letter(what->side) : "", uplo ? " " : "",
             uplo ? uplo_letter(what->uplo) : "", trans ? " " : "",
             trans ? trans_letters(what) : "");
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
    if (bench_op_takes_band(what->op)) {
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

int bench_case_args(const bench_case *what, bench_arg args[BENCH_MAX_ARGS])
{
    const bench_op *op = what->op;
    const char *names[MAX_NUMBERS];
    int64_t numbers[MAX_NUMBERS];
    int count = 0;
    if (op->conj)
        args[count++] = (bench_arg){"conj", bench_op_has_matrix(op) ? "yes" : "x", 0};
    if (op->real_scalars && op->formula != BENCH_LASCL)
        args[count++] = (bench_arg){"scalars", "real", 0};
    if (op->real_beta)
        args[count++] = (bench_arg){"beta", what->beta != 0 ? "real 1" : "real", 0};
    else if (what->beta != 0)
        args[count++] = (bench_arg){"beta", NULL, what->beta};
    if (op->wide_result)
        args[count++] = (bench_arg){"result", "double", 0};
    if (bench_op_is_norm(op))
        args[count++] = (bench_arg){"norm", norm_letter(what->norm), 0};
    if (op->values_only)
        args[count++] = (bench_arg){"vectors", "no", 0};
    if (bench_op_takes(op, GBL_VECT))
        args[count++] = (bench_arg){"vect", vect_letter(what->vect), 0};
    if (bench_op_takes(op, GBL_SIDE))
        args[count++] = (bench_arg){"side", side_letter(what->side), 0};
    if (bench_op_takes(op, GBL_UPLO))
        args[count++] = (bench_arg){"uplo", uplo_letter(what->uplo), 0};
    if (bench_op_takes(op, GBL_TRANS))
        args[count++] = (bench_arg){"trans", trans_letters(what), 0};
    const int sizes = case_numbers(what, names, numbers);
    for (int i = 0; i < sizes; i++)
        args[count++] = (bench_arg){names[i], NULL, numbers[i]};
    if (op->pointers)
        args[count++] = (bench_arg){"pointers", "yes", 0};
    if (what->offset > 0)
        args[count++] = (bench_arg){"offset", NULL, what->offset};
    if (what->pad > 0)
        args[count++] = (bench_arg){"ld", NULL, what->pad};
    return count;
}
