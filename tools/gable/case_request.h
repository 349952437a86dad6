/* case_request.h: the cases that are asked for: ops, precisions, sizes, flags of matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * bench, tune and explain have one of these. Their tables of options fill it, case_request_op adds
 * the ops, and case_request_check refuses what the ops do not take.
 */
#ifndef TOOL_CASE_REQUEST_H
#define TOOL_CASE_REQUEST_H

#include "gable/args.h"
#include "bench_ops.h"
#include "core/math_mode.h"

#define BENCH_MAX_SIZES  64
#define CASE_MAX_TRANS   12
#define CASE_MAX_OFFSET  4096
#define CASE_MAX_SECONDS 600.0 /* of the repeats of a row */
#define CASE_MAX_BUDGET  1e7   /* seconds of a run */

/* Ops that take the same sizes; gemv apart, as it has variants for few rows and for few columns. */
typedef enum case_kind {
    CASE_VECTORS,
    CASE_MATRIX,
    CASE_GEMV,
    CASE_BAND,
    CASE_BATCH, /* many matrices, each with vectors */
    CASE_PRODUCT,
    CASE_PRODUCTS, /* many products of matrices */
    CASE_KINDS
} case_kind;
case_kind case_kind_of(const bench_op *op);

typedef struct bench_sizes {
    const char *text; /* as typed */
    int count;
    bench_size size[BENCH_MAX_SIZES];
} bench_sizes;

/* How A is taken, and B. One letter leaves B as it is. */
typedef struct case_trans {
    gable_trans a, b;
    bool pair; /* two letters */
} case_trans;
typedef struct case_trans_list {
    const char *text; /* as typed */
    int count;
    case_trans item[CASE_MAX_TRANS];
} case_trans_list;

typedef struct case_request {
    unsigned dtypes; /* bits of gbl_dtype; 0: --prec was not given */
    int op_count;
    bench_wanted ops[ARGS_MAX_WORDS];
    bench_sizes sizes;        /* none: those of `usual` */
    const char *const *usual; /* for each case_kind */
    case_trans_list trans;    /* none: N, and T where `also_turned`; of transpose T alone */
    bool also_turned;         /* a command's own */
    args_list uplo, side;     /* places in "L, U" and "L, R"; none: L */
    args_list norm;           /* places in "M, 1, I, F"; none: 1 */
    args_list vect;           /* places in "Q, P"; none: Q */
    int64_t offset, pad;      /* elements that matrices lie off, and further ones of lda */
    int beta, zeros;          /* of products: 0 or 1; data are zeros */
    int math;                 /* of products: a gable_math; CASE_NO_MATH: not given */
} case_request;
#define CASE_NO_MATH (-1)

/* Readers of options: "sd" as bits, "1000,1e6x8" as bench_sizes, "N,T" or "NN,TN" as
 * case_trans_list. */
bool case_read_precisions(const char *text, void *dtypes, char *why, size_t why_bytes);
bool case_read_sizes(const char *text, void *sizes, char *why, size_t why_bytes);
bool case_read_trans(const char *text, void *trans, char *why, size_t why_bytes);

/* Groups of options: not for sparse matrices, and for these alone. */
#define CASE_DENSE  1
#define CASE_SPARSE 2

/* What the table's rows below ask of ops. */
bool case_takes_trans(const bench_op *op);
bool case_takes_uplo(const bench_op *op);
bool case_takes_side(const bench_op *op);
bool case_takes_norm(const bench_op *op);
bool case_takes_vect(const bench_op *op);

/* Rows of tables that are alike in all commands; `request` is a case_request, `usual` what holds
 * without them. */
#define CASE_PREC_OPTION(request, usual)                                                           \
    {                                                                                              \
        .name = "--prec", .value = "LETTERS",                                                      \
        .help = "precisions, some of s, d, c, z (default " usual ")", .to = &(request).dtypes,     \
        .read = case_read_precisions                                                               \
    }
#define CASE_TRANS_OPTION(request, usual, in_group)                                                \
    {                                                                                              \
        .name = "--trans", .value = "LIST",                                                        \
        .help = "of matrices: some of N, T, C (default " usual "; transpose: T); for gemm and\n"   \
                "gemmt also pairs of A and B such as NT: N means NN and T means TN",               \
        .to = &(request).trans, .read = case_read_trans, .words = "N, T, C", .group = in_group,    \
        .any_op = case_takes_trans,                                                                \
        .ops = "such as gemv, and none of the ops has a matrix that may be transposed"             \
    }
#define CASE_UPLO_OPTION(request)                                                                  \
    {                                                                                              \
        .name = "--uplo", .value = "LIST",                                                         \
        .help = "of symmetric and triangular matrices: L, U or both (default L)",                  \
        .list = &(request).uplo, .words = "L, U", .group = CASE_DENSE, .any_op = case_takes_uplo,  \
        .ops = "such as symv, and none of the ops takes one triangle of a matrix"                  \
    }
#define CASE_SIDE_OPTION(request)                                                                  \
    {                                                                                              \
        .name = "--side", .value = "LIST",                                                         \
        .help = "where the symmetric or triangular factor of a product stands: L, R or\n"          \
                "both (default L)",                                                                \
        .list = &(request).side, .words = "L, R", .group = CASE_DENSE, .any_op = case_takes_side,  \
        .ops = "such as symm, trmm and trsm, and none of the ops has sides"                        \
    }
#define CASE_NORM_OPTION(request)                                                                  \
    {                                                                                              \
        .name = "--norm", .value = "LIST",                                                         \
        .help = "of lange, lansy, lanhe and lantr: M, the largest modulus, 1 and I, the\n"         \
                "largest sum of a column and of a row, F, Frobenius (default 1)",                  \
        .list = &(request).norm, .words = "M, 1, I, F", .group = CASE_DENSE,                       \
        .any_op = case_takes_norm, .ops = "such as lange, and none of the ops is a norm"           \
    }
#define CASE_VECT_OPTION(request)                                                                  \
    {                                                                                              \
        .name = "--vect", .value = "LIST",                                                         \
        .help = "of orgbr and ormbr: Q or P of gebrd (default Q)", .list = &(request).vect,        \
        .words = "Q, P", .group = CASE_DENSE, .any_op = case_takes_vect,                           \
        .ops = "such as orgbr, and none of the ops takes Q or P"                                   \
    }
#define CASE_MATH_OPTION(request, more)                                                            \
    {                                                                                              \
        .name = "--math", .value = "MODE",                                                         \
        .help = "what products in single precision may be made of: plain, or tf32x3, which\n"      \
                "permits tensor cores (CUDA, sm_90a)" more "\n(default $GABLE_MATH, else plain)",  \
        .word = &(request).math, .words = GBL_MATH_WORDS, .group = CASE_DENSE,                     \
        .every_op = bench_op_is_product, .ops = CASE_OF_PRODUCTS                                   \
    }
#define CASE_OF_PRODUCTS "products of matrices such as gemm"

/* Adds the op of a word. Without --prec a stem has the `usual` precisions, or all of its own
 * where it lacks those. `more` ends the sentence about a word that is no op. An op that lacks
 * the precisions is left out. Returns EXIT_DONE, or EXIT_USAGE after the command's sentence, as
 * do the functions below. */
int case_request_op(const args_command *command, case_request *cases, const char *word,
                    const char *usual, const char *more);

/* That the ops exist in the precisions asked for, and that --prec says nothing else than typed
 * names do. */
int case_request_precisions(const args_command *command, const case_request *cases,
                            const char *const *words, int count);

/* Refuses sizes and options that are not for the ops; `sizes` is what the sizes are called:
 * "--size". Settles `math`. */
int case_request_check(const args_command *command, const args_words *words, const char *sizes,
                       case_request *cases);

/* Calls back with each case in order of ops, precisions, norms, sides, triangles, transpositions
 * and sizes, until that says false. */
void case_request_each(const case_request *cases, bool (*take)(void *user, const bench_case *what),
                       void *user);

#endif
