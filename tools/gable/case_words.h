/* case_words.h: sizes, flags and precisions as subcommands take them, read in one way.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_CASE_WORDS_H
#define TOOL_CASE_WORDS_H

#include "gable/args.h"
#include "bench_ops.h"

#define BENCH_MAX_SIZES 64

/* Ops that take the same sizes. */
typedef enum case_kind {
    CASE_VECTORS,
    CASE_MATRIX,
    CASE_BAND,
    CASE_BATCH, /* many matrices, each with vectors */
    CASE_PRODUCT,
    CASE_PRODUCTS, /* many products of matrices */
    CASE_KINDS
} case_kind;
case_kind case_kind_of(const bench_op *op);

typedef struct bench_sizes {
    int count;
    bench_size size[BENCH_MAX_SIZES];
} bench_sizes;

/* "1000,1e6x8" of --size. Returns EXIT_DONE, or EXIT_USAGE after the command's sentence. */
int case_words_sizes(const args_command *command, const char *list, bench_sizes *sizes);

/* "sd" of --prec as bits of gbl_dtype; likewise. */
int case_words_precisions(const args_command *command, const char *text, unsigned *dtypes);

/* And back. */
void case_words_precision_letters(unsigned dtypes, char letters[GBL_DTYPES + 1]);

/* Finds an op as bench_op_find does. Where --prec was not given (NULL), a stem that lacks the usual precisions
 * has all of its own. */
bool case_words_op(const char *word, const char *prec, const char *usual, bench_wanted *wanted);

/* --prec is for stems: where all names have a precision of their own, it must say the same. Returns as above. */
int case_words_typed(const args_command *command, const char *prec, const char *const *words,
                     int count);

/* The places in `letters` of "N,T", each once; returns how many, -1 where it is no such list. */
int case_words_letters(const char *list, const char *letters, int *places);

/* "N,T" or "NN,TN" of --trans: how A is taken, and B. One letter leaves B as it is. */
#define CASE_MAX_TRANS 12
typedef struct case_trans {
    gable_trans a, b;
    bool pair; /* two letters */
} case_trans;
/* Each once; returns how many, -1 where it is no such list. */
int case_words_trans(const char *list, case_trans trans[CASE_MAX_TRANS]);

/* Whether an op takes the list: two letters only where both factors of a product may be turned. */
bool case_words_trans_fits(const bench_op *op, const case_trans *trans, int count);

#endif
