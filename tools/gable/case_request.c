/* case_request.c: the cases that bench, tune and explain are asked for, read in one way.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_request.h"
#include "core/math_mode.h"
#include "gable/names.h"

static const char letters[] = "sdcz"; /* in the order of gbl_dtype */

case_kind case_kind_of(const bench_op *op)
{
    const bool many = bench_op_takes(op, GBL_BATCH);
    if (bench_op_is_product(op))
        return many ? CASE_PRODUCTS : CASE_PRODUCT;
    if (many)
        return CASE_BATCH;
    if (bench_op_takes_band(op))
        return CASE_BAND;
    if (!bench_op_has_matrix(op))
        return CASE_VECTORS;
    return op->formula == BENCH_GEMV ? CASE_GEMV : CASE_MATRIX;
}

/* ---- Readers of options ---- */

bool case_read_precisions(const char *text, void *dtypes, char *why, size_t why_bytes)
{
    unsigned bits = 0;
    for (const char *letter = text; *letter != '\0'; letter++) {
        const char *at = strchr(letters, *letter);
        if (at == NULL)
            return args_wrong(why, why_bytes, "has \"%s\"; it takes some of the letters s, d, c, z",
                              text);
        bits |= 1u << (at - letters);
    }
    *(unsigned *)dtypes = bits;
    return true;
}

bool case_read_sizes(const char *text, void *sizes, char *why, size_t why_bytes)
{
    bench_sizes *list = sizes;
    list->text = text;
    list->count = 0;
    for (const char *at = text;; at++) {
        const char *end = at;
        if (list->count == BENCH_MAX_SIZES)
            return args_wrong(why, why_bytes, "takes at most %d sizes", BENCH_MAX_SIZES);
        if (!bench_size_read(at, &list->size[list->count], &end) || (*end != ',' && *end != '\0'))
            return args_wrong(
                why, why_bytes,
                "has \"%s\"; sizes are positive whole numbers such as 1000,1e6, or 1e6x8 for "
                "ops of several vectors, a matrix or a band, or 16x16x1e6 for ops of many "
                "matrices, or 512x64x256 for products",
                text);
        list->count++;
        if (*end == '\0')
            return true;
        at = end;
    }
}

/* The transposition of a letter; 0: there is none. */
static gable_trans trans_of(char letter)
{
    return letter == 'N'   ? GABLE_NO_TRANS
           : letter == 'T' ? GABLE_TRANS
           : letter == 'C' ? GABLE_CONJ_TRANS
                           : (gable_trans)0;
}

bool case_read_trans(const char *text, void *trans, char *why, size_t why_bytes)
{
    case_trans_list *list = trans;
    char piece[64];
    list->text = text;
    list->count = 0;
    for (const char *at = text; args_next_piece(&at, piece, sizeof piece);) {
        const bool pair = piece[0] != '\0' && piece[1] != '\0';
        const case_trans next = {trans_of(piece[0]), pair ? trans_of(piece[1]) : GABLE_NO_TRANS,
                                 pair};
        bool there = false;
        if (next.a == 0 || next.b == 0 || (pair && piece[2] != '\0'))
            return args_wrong(
                why, why_bytes,
                "has \"%s\"; it takes some of N, T, C, as in N,T, and for gemm also pairs, as "
                "in NN,TN",
                text);
        for (int i = 0; i < list->count; i++)
            there = there || (list->item[i].a == next.a && list->item[i].b == next.b);
        if (!there)
            list->item[list->count++] = next;
    }
    return true;
}

/* ---- Ops ---- */

static void letters_of(unsigned dtypes, char text[GBL_DTYPES + 1])
{
    int used = 0;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        if (dtypes >> dtype & 1)
            text[used++] = letters[dtype];
    text[used] = '\0';
}

static bool find_op(const case_request *cases, const char *word, const char *usual,
                    bench_wanted *wanted)
{
    unsigned dtypes = cases->dtypes;
    if (dtypes == 0)
        case_read_precisions(usual, &dtypes, NULL, 0);
    if (!bench_op_find(word, dtypes, wanted))
        return false;
    if (cases->dtypes == 0 && wanted->dtypes == 0)
        wanted->dtypes = bench_op_dtypes(wanted->op);
    return true;
}

int case_request_op(const args_command *command, case_request *cases, const char *word,
                    const char *usual, const char *more)
{
    bench_wanted wanted;
    char hint[64];
    nearest best = {.text = ""};
    if (find_op(cases, word, usual, &wanted)) {
        if (wanted.dtypes != 0 && cases->op_count < ARGS_MAX_WORDS)
            cases->ops[cases->op_count++] = wanted;
        return EXIT_DONE;
    }
    names_nearest_op(word, &best);
    nearest_sentence(&best, hint, sizeof hint);
    return args_refuse(command, "there is no op \"%s\"; %s`gable help --list ops` lists them%s",
                       word, hint, more);
}

int case_request_precisions(const args_command *command, const case_request *cases,
                            const char *const *words, int count)
{
    unsigned own = 0;
    char given[GBL_DTYPES + 1], exists[GBL_DTYPES + 1];
    bool typed = cases->dtypes != 0;
    letters_of(cases->dtypes, given);
    for (int i = 0; i < count && typed; i++) {
        bench_wanted wanted;
        /* A typed name has its precision whatever is asked for; a stem has none of no
         * precisions. */
        typed = bench_op_find(words[i], 0, &wanted) && wanted.dtypes != 0;
        own |= typed ? wanted.dtypes : 0;
    }
    letters_of(own, exists);
    if (typed && count > 0 && own != cases->dtypes)
        return args_refuse(command,
                           "--prec is \"%s\", but %s%s of precision %s by name; leave out --prec, "
                           "or name the op without its letter",
                           given, words[0], count > 1 ? " and the others are" : " is", exists);
    for (int i = 0; i < count; i++) {
        bench_wanted wanted;
        if (!find_op(cases, words[i], "", &wanted) || wanted.dtypes != 0)
            continue;
        letters_of(bench_op_dtypes(wanted.op), exists);
        return args_refuse(command, "%s does not exist in precision %s; ask with --prec %s",
                           words[i], given, exists);
    }
    return EXIT_DONE;
}

/* ---- What the ops take ---- */

bool case_takes_trans(const bench_op *op)
{
    return bench_op_takes(op, GBL_TRANS);
}

bool case_takes_uplo(const bench_op *op)
{
    return bench_op_takes(op, GBL_UPLO);
}

bool case_takes_side(const bench_op *op)
{
    return bench_op_takes(op, GBL_SIDE);
}

bool case_takes_norm(const bench_op *op)
{
    return bench_op_is_norm(op);
}

bool case_takes_vect(const bench_op *op)
{
    return bench_op_takes(op, GBL_VECT);
}

/* The first op that is such, or is not; NULL: there is none. */
static const bench_op *first(const case_request *cases, bool (*such)(const bench_op *op), bool is)
{
    for (int i = 0; i < cases->op_count; i++)
        if (such(cases->ops[i].op) == is)
            return cases->ops[i].op;
    return NULL;
}

/* Options for other ops than these. The first of several words says what holds without the
 * option. */
static int check_options(const args_command *command, const args_words *words,
                         const case_request *cases)
{
    for (int i = 0; i < command->option_count; i++) {
        const args_option *option = &command->options[i];
        if (!(words->given >> i & 1) || (option->word != NULL && *option->word == 0))
            continue;
        if (option->any_op != NULL && first(cases, option->any_op, true) == NULL)
            return args_refuse(command, "%s is for ops %s; leave it out", option->name,
                               option->ops);
        const bench_op *other =
            option->every_op != NULL ? first(cases, option->every_op, false) : NULL;
        if (other != NULL)
            return args_refuse(command, "%s is for %s, and \"%s\" is among the ops; leave it out",
                               option->name, option->ops, other->name);
    }
    for (int i = 0; i < cases->op_count; i++)
        for (int j = 0; j < cases->trans.count; j++)
            if (cases->trans.item[j].pair && case_takes_trans(cases->ops[i].op) &&
                !bench_op_takes_pairs(cases->ops[i].op))
                return args_refuse(command,
                                   "--trans has \"%s\", and pairs are for gemm and gemmt; %s takes "
                                   "single letters",
                                   cases->trans.text, cases->ops[i].op->name);
    return EXIT_DONE;
}

/* Whether every op takes every size. Of the usual ones an op leaves out those it does not take. */
static int check_sizes(const args_command *command, const char *name, const case_request *cases)
{
    const bench_flags flags = BENCH_PLAIN_FLAGS;
    char text[256];
    bench_case what;
    for (int i = 0; i < cases->op_count; i++)
        for (int size = 0; size < cases->sizes.count; size++)
            if (!bench_case_make(cases->ops[i].op, GBL_S, &flags, &cases->sizes.size[size], &what,
                                 text, sizeof text))
                return args_refuse(command, "%s has \"%s\": %s", name, cases->sizes.text, text);
    return EXIT_DONE;
}

int case_request_check(const args_command *command, const args_words *words, const char *sizes,
                       case_request *cases)
{
    const char *around = getenv("GABLE_MATH");
    gable_math math = GABLE_MATH_PLAIN;
    int code = check_sizes(command, sizes, cases);
    if (code == EXIT_DONE)
        code = check_options(command, words, cases);
    if (cases->math != CASE_NO_MATH)
        return code;
    /* The environment's mode counts as it does for programs; what is wrong there, opening a
     * device says. */
    if (around != NULL && first(cases, bench_op_is_product, true) != NULL)
        gbl_math_find(around, &math);
    cases->math = (int)math;
    return code;
}

/* ---- Each case ---- */

/* The transpositions of an op: those asked for, or those that are usual for it. */
static int trans_of_op(const case_request *cases, const bench_op *op,
                       case_trans trans[CASE_MAX_TRANS])
{
    const case_trans plain = {.a = GABLE_NO_TRANS, .b = GABLE_NO_TRANS},
                     turned = {.a = GABLE_TRANS, .b = GABLE_NO_TRANS};
    trans[0] = plain;
    if (!case_takes_trans(op))
        return 1;
    for (int i = 0; i < cases->trans.count; i++)
        trans[i] = cases->trans.item[i];
    if (cases->trans.count > 0)
        return cases->trans.count;
    const bool both = cases->also_turned && op->formula != BENCH_TRANSPOSE;
    if (both || op->formula == BENCH_TRANSPOSE)
        trans[both] = turned;
    return both ? 2 : 1;
}

/* The cases of one op in one precision. false: no more are wanted. */
static bool each_size(const case_request *cases, const bench_op *op, gbl_dtype dtype,
                      bool (*take)(void *user, const bench_case *what), void *user)
{
    static const gable_uplo uplo[] = {GABLE_LOWER, GABLE_UPPER};
    static const gable_side side[] = {GABLE_LEFT, GABLE_RIGHT};
    static const gable_norm norm[] = {GABLE_MAX_NORM, GABLE_ONE_NORM, GABLE_INF_NORM,
                                      GABLE_FROBENIUS_NORM};
    static const gable_vect vect[] = {GABLE_VECT_Q, GABLE_VECT_P};
    char text[256];
    bench_sizes sizes = cases->sizes;
    if (sizes.count == 0)
        case_read_sizes(cases->usual[case_kind_of(op)], &sizes, text, sizeof text);
    case_trans trans[CASE_MAX_TRANS];
    const int trans_count = trans_of_op(cases, op, trans);
    const int uplo_count = case_takes_uplo(op) && cases->uplo.count > 0 ? cases->uplo.count : 1;
    const int side_count = case_takes_side(op) && cases->side.count > 0 ? cases->side.count : 1;
    const bool norms = case_takes_norm(op) && cases->norm.count > 0;
    const bool vects = case_takes_vect(op) && cases->vect.count > 0; /* of no norm */
    const int before_norm = trans_count * uplo_count * side_count,
              norm_count = norms   ? cases->norm.count
                           : vects ? cases->vect.count
                                   : 1;
    for (int i = 0; i < before_norm * norm_count; i++) {
        const bench_flags flags = {
            .trans = trans[i % trans_count].a,
            .trans_b = trans[i % trans_count].b,
            .uplo = uplo[cases->uplo.place[i / trans_count % uplo_count]],
            .side = side[cases->side.place[i / trans_count / uplo_count % side_count]],
            .norm = norms ? norm[cases->norm.place[i / before_norm]] : 0,
            .vect = vects ? vect[cases->vect.place[i / before_norm]] : 0,
            .offset = cases->offset,
            .pad = cases->pad,
            .beta = cases->beta,
            .math = cases->math,
            .zeros = cases->zeros != 0};
        for (int size = 0; size < sizes.count; size++) {
            bench_case what;
            if (bench_case_make(op, dtype, &flags, &sizes.size[size], &what, text, sizeof text) &&
                !take(user, &what))
                return false;
        }
    }
    return true;
}

void case_request_each(const case_request *cases, bool (*take)(void *user, const bench_case *what),
                       void *user)
{
    for (int op = 0; op < cases->op_count; op++)
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
            if ((cases->ops[op].dtypes >> dtype & 1) &&
                !each_size(cases, cases->ops[op].op, (gbl_dtype)dtype, take, user))
                return;
}
