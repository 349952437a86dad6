/* explain_request.c: what the command line of `gable explain` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/math_mode.h"
#include "gable/command.h"
#include "gable/case_words.h"
#include "explain_request.h"
#include "gable/names.h"
#include "gable/terminal.h"
#include "sparse_named.h"

#define DEFAULT_SECONDS   0.3
#define DEFAULT_PRECISION "d"
#define MAX_SECONDS       600.0
#define MAX_OFFSET        4096

static const char *asked_precisions, *asked_trans, *asked_uplo, *asked_side, *asked_offset;
static const char *asked_device;
static const char *asked_math, *asked_variant, *asked_what_if, *asked_arch, *asked_seconds,
    *asked_colour;
static bool asked_hot, asked_no_measure, asked_with_transfer, asked_json;

static const args_option options[] = {
    {.name = "--prec",
     .value = "LETTERS",
     .help = "precisions of a stem, some of s, d, c, z (default d)",
     .text = &asked_precisions},
    {.name = "--trans",
     .value = "LIST",
     .help = "of matrices: some of N, T, C (default N; transpose: T), for gemm and gemmt\n"
             "also pairs such as NT",
     .text = &asked_trans},
    {.name = "--uplo",
     .value = "LIST",
     .help = "of symmetric and triangular matrices: L, U or both (default L)",
     .text = &asked_uplo},
    {.name = "--side",
     .value = "LIST",
     .help = "of symmetric and triangular factors: L, R or both (default L)",
     .text = &asked_side},
    {.name = "--offset",
     .value = "K",
     .help = "matrices start K elements off their alignment, and lda is K more than\n"
             "their rows (default 0)",
     .text = &asked_offset},
    {.name = "--math",
     .value = "MODE",
     .help = "what products in single precision may be made of: plain, or tf32x3 (default\n"
             "$GABLE_MATH, else plain)",
     .text = &asked_math},
    {.name = "--device",
     .value = "D",
     .help = "cpu, cuda:0, opencl:pocl ... (default $GABLE_DEVICE, else the best)",
     .text = &asked_device},
    {.name = "--variant",
     .value = "V",
     .help = "forces a variant: split_n, or two_pass:local=256",
     .text = &asked_variant},
    {.name = "--hot",
     .help = "operands were used just before: what fits the cache is in it",
     .flag = &asked_hot},
    {.name = "--what-if",
     .value = "LIST",
     .help = "also answers, from the model alone, for a changed device: memory=2x,\n"
             "launch=0, latency=0.5x, memory=8TB/s, launch=1us, units=264 ... Names\n"
             "are memory, cache, launch, latency, barrier, arithmetic, units, link",
     .text = &asked_what_if},
    {.name = "--no-measure",
     .help = "only predicts: nothing is run, and roofs are those known already",
     .flag = &asked_no_measure},
    {.name = "--with-transfer",
     .help = "operands come from and go to the host; needs --no-measure",
     .flag = &asked_with_transfer},
    {.name = "--arch",
     .value = "A",
     .help = "predicts for another GPU: h200, or an architecture such as sm_80",
     .text = &asked_arch},
    {.name = "--seconds",
     .value = "S",
     .help = "time spent on the repeats of each measurement (default 0.3)",
     .text = &asked_seconds},
    {.name = "--json", .help = "one JSON object per case", .flag = &asked_json},
    {.name = "--color", .value = "WHEN", .help = TERMINAL_COLOUR_HELP, .text = &asked_colour},
};
const args_command explain_args = {
    .name = "explain",
    .summary = "predicted beside measured time, what holds a call back, what to do",
    .usage = "OP SIZES [options], or spmv MATRIX [options]",
    .about =
        "Predicts the time of calls from what they move and what the device can do, measures\n"
        "them, and says what holds them back and what their caller could do. OP and SIZES are as\n"
        "in `gable bench`: dgemv 128,4096 or dot 1e6. docs/model.md derives the model.\n"
        "spmv with a matrix, A.mtx or laplace5:1000, compares the formats of a sparse matrix and\n"
        "says which one is chosen, and why.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable explain dgemv 128,1000,4096,16384\n"
                "  gable explain dot 1e6 --prec sd --device cpu --hot\n"
                "  gable explain dgemv 4096 --no-measure --what-if memory=2x,launch=0\n"
                "  gable explain dsymv 4096 --arch h200\n"
                "  gable explain gemm 4096,16384x32x16384 --trans NN,NT\n"
                "  gable explain spmv A.mtx\n"
                "  gable explain spmv laplace5:3000 --arch h200\n",
};

static int read_op(const char *word, explain_request *asked)
{
    unsigned dtypes;
    if (asked_precisions != NULL) {
        const int read = case_words_precisions(&explain_args, asked_precisions, &dtypes);
        if (read != EXIT_DONE)
            return read;
    }
    if (!case_words_op(word, asked_precisions, DEFAULT_PRECISION, &asked->op)) {
        char hint[64];
        nearest best = {.text = ""};
        names_nearest_op(word, &best);
        nearest_sentence(&best, hint, sizeof hint);
        return args_refuse(&explain_args,
                           "there is no op \"%s\"; %s`gable help --list ops` lists them", word,
                           hint);
    }
    if (asked->op.dtypes == 0)
        return args_refuse(&explain_args,
                           "%s does not exist in precision %s; ask with another --prec", word,
                           asked_precisions);
    return case_words_typed(&explain_args, asked_precisions, &word, 1);
}

static int read_sizes(const char *list, explain_request *asked)
{
    const bench_flags flags = BENCH_PLAIN_FLAGS;
    char text[256];
    bench_case what;
    for (const char *at = list;; at++) {
        const char *end = at;
        if (asked->size_count == EXPLAIN_MAX_SIZES)
            return args_refuse(&explain_args, "takes at most %d sizes", EXPLAIN_MAX_SIZES);
        bench_size *size = &asked->sizes[asked->size_count];
        if (!bench_size_read(at, size, &end) || (*end != ',' && *end != '\0'))
            return args_refuse(&explain_args,
                               "SIZES is \"%s\"; sizes are positive whole numbers such as "
                               "1000,1e6, or 1e6x8, or 16x16x1e6 for ops of many matrices, or "
                               "512x64x256 for products",
                               list);
        if (!bench_case_make(asked->op.op, GBL_S, &flags, size, &what, text, sizeof text))
            return args_refuse(&explain_args, "SIZES is \"%s\": %s", list, text);
        asked->size_count++;
        if (*end == '\0')
            return EXIT_DONE;
        at = end;
    }
}

static int read_flags(explain_request *asked)
{
    static const gable_uplo uplo[] = {GABLE_LOWER, GABLE_UPPER};
    static const gable_side side[] = {GABLE_LEFT, GABLE_RIGHT};
    const bench_op *op = asked->op.op;
    const struct {
        const char *flag, *given;
        gbl_kind kind;
    } given[] = {
        {.flag = "--trans", .given = asked_trans, .kind = GBL_TRANS},
        {.flag = "--uplo", .given = asked_uplo, .kind = GBL_UPLO},
        {.flag = "--side", .given = asked_side, .kind = GBL_SIDE},
    };
    case_trans trans[CASE_MAX_TRANS] = {
        {.a = op->formula == BENCH_TRANSPOSE ? GABLE_TRANS : GABLE_NO_TRANS, .b = GABLE_NO_TRANS}};
    int triangles[3] = {0}, sides[3] = {0};
    int trans_count = 1, uplo_count = 1, side_count = 1;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i].given != NULL && !bench_op_takes(op, given[i].kind))
            return args_refuse(&explain_args, "%s is not for %s; leave it out", given[i].flag,
                               op->name);
    if (asked_trans != NULL)
        trans_count = case_words_trans(asked_trans, trans);
    if (asked_uplo != NULL)
        uplo_count = case_words_letters(asked_uplo, "LU", triangles);
    if (asked_side != NULL)
        side_count = case_words_letters(asked_side, "LR", sides);
    if (trans_count < 0 || !case_words_trans_fits(op, trans, trans_count))
        return args_refuse(&explain_args,
                           "--trans has \"%s\"; it takes some of N, T, C, as in N,T%s", asked_trans,
                           bench_op_takes_pairs(op) ? ", or pairs, as in NN,TN" : "");
    if (uplo_count < 0)
        return args_refuse(&explain_args, "--uplo has \"%s\"; it takes L, U or L,U", asked_uplo);
    if (side_count < 0)
        return args_refuse(&explain_args, "--side has \"%s\"; it takes L, R or L,R", asked_side);
    char *end = NULL;
    const long offset = asked_offset != NULL ? strtol(asked_offset, &end, 10) : 0;
    if (asked_offset != NULL &&
        (end == asked_offset || *end != '\0' || offset < 0 || offset > MAX_OFFSET))
        return args_refuse(&explain_args, "--offset is \"%s\"; it must be a number from 0 to %d",
                           asked_offset, MAX_OFFSET);
    for (int i = 0; i < side_count * uplo_count * trans_count; i++)
        asked->flags[asked->flags_count++] =
            (bench_flags){.trans = trans[i % trans_count].a,
                          .trans_b = trans[i % trans_count].b,
                          .uplo = uplo[triangles[i / trans_count % uplo_count]],
                          .side = side[sides[i / trans_count / uplo_count]],
                          .offset = offset,
                          .math = asked->math};
    return EXIT_DONE;
}

/* Of products; the environment's mode counts as it does for programs. */
static int read_math(explain_request *asked)
{
    const bool product = bench_op_is_product(asked->op.op);
    const char *given = asked_math != NULL ? asked_math : product ? getenv("GABLE_MATH") : NULL;
    gable_math math = GABLE_MATH_PLAIN;
    if (given != NULL && !gbl_math_find(given, &math) && asked_math != NULL)
        return args_refuse(&explain_args, "--math is \"%s\"; it must be " GBL_MATH_WORDS, given);
    if (math != GABLE_MATH_PLAIN && !product)
        return args_refuse(&explain_args,
                           "--math is for products of matrices such as gemm; leave it out");
    asked->math = (int)math;
    return EXIT_DONE;
}

/* "spmv" with a letter or without, or "sparse_mv", beside the name of a matrix. spmv with sizes is the routine of packed
 * matrices. */
static bool is_sparse(const args_words *words)
{
    char text[256];
    const char *op = words->word[0];
    const bool letter =
        op[0] != '\0' && strchr("sdcz", op[0]) != NULL && strcmp(op + 1, "spmv") == 0;
    return (letter || strcmp(op, "spmv") == 0 || strcmp(op, "sparse_mv") == 0) &&
           bench_sparse_name_check(words->word[1], text, sizeof text);
}

static int read_sparse(const args_words *words, explain_request *asked)
{
    static const char letters[] = "sdcz";
    const char *op = words->word[0];
    const struct {
        const char *flag;
        bool given;
    } others[] = {{"--trans", asked_trans != NULL},
                  {"--uplo", asked_uplo != NULL},
                  {"--side", asked_side != NULL},
                  {"--offset", asked_offset != NULL},
                  {"--math", asked_math != NULL},
                  {"--what-if", asked_what_if != NULL},
                  {"--hot", asked_hot},
                  {"--with-transfer", asked_with_transfer}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given)
            return args_refuse(&explain_args, "%s is not for sparse matrices; leave it out",
                               others[i].flag);
    asked->matrix = words->word[1];
    if (strcmp(op + 1, "spmv") == 0)
        asked->op.dtypes = 1u << (strchr(letters, op[0]) - letters);
    else if (asked_precisions != NULL)
        return case_words_precisions(&explain_args, asked_precisions, &asked->op.dtypes);
    return EXIT_DONE;
}

/* What goes with what. */
static int read_rest(explain_request *asked)
{
    char text[256];
    char *end = NULL;
    asked->seconds = asked_seconds != NULL ? strtod(asked_seconds, &end) : DEFAULT_SECONDS;
    if (asked_seconds != NULL &&
        (*end != '\0' || !(asked->seconds > 0 && asked->seconds <= MAX_SECONDS)))
        return args_refuse(&explain_args,
                           "--seconds is \"%s\"; it must be above 0 and at most %.0f",
                           asked_seconds, MAX_SECONDS);
    if (asked_what_if != NULL && !what_if_read(asked_what_if, &asked->what_if, text, sizeof text))
        return args_refuse(&explain_args, "--what-if %s", text);
    if (asked_arch != NULL && asked_device != NULL)
        return args_refuse(&explain_args, "--arch pretends a GPU and --device names one that is "
                                          "here; leave one of them out");
    asked->measure = !asked_no_measure && asked_arch == NULL;
    if (asked_with_transfer && asked->measure)
        return args_refuse(&explain_args, "--with-transfer is answered by the model alone; add "
                                          "--no-measure");
    if (!terminal_use_colour(asked_colour))
        return args_refuse(&explain_args, "--color is \"%s\"; it must be auto, always or never",
                           asked_colour);
    asked->device = asked_device;
    asked->variant = asked_variant;
    asked->arch = asked_arch;
    asked->change = asked_what_if;
    asked->hot = asked_hot;
    asked->with_transfer = asked_with_transfer;
    asked->json = asked_json;
    return EXIT_DONE;
}

int explain_request_read(int argc, char **argv, explain_request *asked)
{
    args_words words;
    int code = args_parse(&explain_args, argc, argv, &words);
    if (code != EXIT_DONE)
        return code;
    memset(asked, 0, sizeof *asked);
    if (words.count != 2)
        return args_refuse(&explain_args,
                           "needs an op and its sizes, as in `gable explain dgemv 1000,4096`");
    if (is_sparse(&words)) {
        code = read_sparse(&words, asked);
        return code == EXIT_DONE ? read_rest(asked) : code;
    }
    code = read_op(words.word[0], asked);
    if (code == EXIT_DONE)
        code = read_sizes(words.word[1], asked);
    if (code == EXIT_DONE)
        code = read_math(asked);
    if (code == EXIT_DONE)
        code = read_flags(asked);
    if (code == EXIT_DONE)
        code = read_rest(asked);
    return code;
}

void explain_request_each(const explain_request *asked,
                          bool (*take)(void *user, const bench_case *what), void *user)
{
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        for (int f = 0; f < asked->flags_count && (asked->op.dtypes >> dtype & 1); f++) {
            for (int size = 0; size < asked->size_count; size++) {
                char text[256];
                bench_case what;
                if (bench_case_make(asked->op.op, (gbl_dtype)dtype, &asked->flags[f],
                                    &asked->sizes[size], &what, text, sizeof text) &&
                    !take(user, &what))
                    return;
            }
        }
    }
}
