/* explain_request.c: what the command line of `gable explain` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "gable/command.h"
#include "explain_request.h"
#include "gable/terminal.h"
#include "sparse_named.h"

#define DEFAULT_SECONDS   0.3
#define DEFAULT_PRECISION "d"

static explain_request request = {.cases = {.math = CASE_NO_MATH}, .seconds = DEFAULT_SECONDS};
static bool asked_no_measure;

static const args_option options[] = {
    CASE_PREC_OPTION(request.cases, DEFAULT_PRECISION),
    CASE_TRANS_OPTION(request.cases, "N", CASE_DENSE),
    CASE_UPLO_OPTION(request.cases),
    CASE_SIDE_OPTION(request.cases),
    CASE_NORM_OPTION(request.cases),
    CASE_VECT_OPTION(request.cases),
    {.name = "--offset",
     .value = "K",
     .help = "matrices start K elements off their alignment, and lda is K more than\n"
             "their rows (default 0)",
     .count = &request.cases.offset,
     .most = CASE_MAX_OFFSET,
     .group = CASE_DENSE},
    CASE_MATH_OPTION(request.cases, ""),
    {.name = "--device",
     .value = "D",
     .help = "cpu, cuda:0, opencl:pocl ... (default $GABLE_DEVICE, else the best)",
     .text = &request.device},
    {.name = "--variant",
     .value = "V",
     .help = "forces a variant: split_n, or two_pass:local=256",
     .text = &request.variant},
    {.name = "--hot",
     .help = "operands were used just before: what fits the cache is in it",
     .flag = &request.hot,
     .group = CASE_DENSE},
    {.name = "--what-if",
     .value = "LIST",
     .help = "also answers, from the model alone, for a changed device: memory=2x,\n"
             "launch=0, latency=0.5x, memory=8TB/s, launch=1us, units=264 ... Names\n"
             "are memory, cache, launch, latency, barrier, arithmetic, units, link",
     .to = &request.what_if,
     .read = what_if_read,
     .words = "memory=, cache=, launch=, latency=, barrier=, arithmetic=, units=, link=",
     .group = CASE_DENSE},
    {.name = "--no-measure",
     .help = "only predicts: nothing is run, and roofs are those known already",
     .flag = &asked_no_measure},
    {.name = "--with-transfer",
     .help = "operands come from and go to the host; needs --no-measure",
     .flag = &request.with_transfer,
     .group = CASE_DENSE},
    {.name = "--arch",
     .value = "A",
     .help = "predicts for another GPU: h200, or an architecture such as sm_80",
     .text = &request.arch,
     .words = "h200, sm_80, sm_90a",
     .without = "--device",
     .because = "--arch pretends a GPU and --device names one that is here; leave one of them out"},
    {.name = "--seconds",
     .value = "S",
     .help = "time spent on the repeats of each measurement (default 0.3)",
     .number = &request.seconds,
     .most = CASE_MAX_SECONDS},
    {.name = "--json", .help = "one JSON object per case", .flag = &request.json},
    TERMINAL_COLOUR_OPTION,
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

/* "spmv" with a letter or without, or "sparse_mv", beside the name of a matrix. spmv with sizes is
 * the routine of packed matrices. */
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
    const char *op = words->word[0], *dense = args_first_of(&explain_args, words, CASE_DENSE);
    if (dense != NULL)
        return args_refuse(&explain_args, "%s is not for sparse matrices; leave it out", dense);
    asked->matrix = words->word[1];
    asked->cases.math = GABLE_MATH_PLAIN;
    if (strcmp(op + 1, "spmv") == 0)
        case_read_precisions((const char[]){op[0], '\0'}, &asked->cases.dtypes, NULL, 0);
    return EXIT_DONE;
}

static int read_dense(const args_words *words, case_request *cases)
{
    char why[ARGS_WHY_BYTES];
    int code = case_request_op(&explain_args, cases, words->word[0], DEFAULT_PRECISION, "");
    if (code == EXIT_DONE)
        code = case_request_precisions(&explain_args, cases, words->word, 1);
    if (code == EXIT_DONE && !case_read_sizes(words->word[1], &cases->sizes, why, sizeof why))
        code = args_refuse(&explain_args, "SIZES %s", why);
    return code == EXIT_DONE ? case_request_check(&explain_args, words, "SIZES", cases) : code;
}

int explain_request_read(int argc, char **argv, explain_request *asked)
{
    args_words words;
    int code = args_parse(&explain_args, argc, argv, &words);
    if (code != EXIT_DONE)
        return code;
    if (words.count != 2)
        return args_refuse(&explain_args,
                           "needs an op and its sizes, as in `gable explain dgemv 1000,4096`");
    code = is_sparse(&words) ? read_sparse(&words, &request) : read_dense(&words, &request.cases);
    request.measure = !asked_no_measure && request.arch == NULL;
    if (code == EXIT_DONE && request.with_transfer && request.measure)
        code = args_refuse(&explain_args, "--with-transfer is answered by the model alone; add "
                                          "--no-measure");
    *asked = request;
    return code;
}
