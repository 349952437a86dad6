/* bench_request.c: what the command line of `gable bench` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench_request.h"
#include "ladder.h"
#include "gable/command.h"
#include "gable/names.h"
#include "operand_words.h"
#include "gable/terminal.h"

#define DEFAULT_SECONDS 0.5
#define MAX_SECONDS     600.0

#define VECTOR_SIZES   "1000,100000,10000000"
#define MATRIX_SIZES   "1024,4096,8192"
#define BAND_SIZES     "1e4x16,1e6x4,1e6x16"
#define BATCH_SIZES    "8x8x1e5,32x32x1e4"
#define PRODUCT_SIZES  "512,1024,2048"
#define PRODUCTS_SIZES "8x1e5,16x1e5,32x1e4"
#define LADDER_SIZE    "512"
/* For --model-error: neither powers of two nor the sizes that kernels were written and tuned with. */
#define DEFAULT_PRECISIONS "sd"

#define OTHER_VECTOR_SIZES "3e4,3e5,3e6,3e7"
#define OTHER_MATRIX_SIZES "150,700,1300,2700,5000,7300,10000"
#define OTHER_BAND_SIZES   "700x5,3e4x11,3e5x30,2e6x6"
#define OTHER_BATCH_SIZES  "12x12x30000,50x50x3000"
/* Those with three numbers are gemm's, those with two of the other products. */
#define OTHER_PRODUCT_SIZES  "300,700x700x100,700x100,2000,3000x200x1500,3000x200"
#define OTHER_PRODUCTS_SIZES "12x30000,50x3000"

static const char *asked_precisions, *asked_sizes, *asked_trans, *asked_uplo, *asked_side;
static operand_words asked_operands;
static const char *asked_devices, *asked_variant, *asked_peers, *asked_seconds, *asked_colour;
static const char *asked_matrix, *asked_format, *asked_precond, *asked_form, *asked_restart;
static bool asked_model_error;
static bool asked_hot, asked_transfer, asked_ladder, asked_json, asked_csv, asked_no_save;

static const args_option options[] = {
    {.name = "--prec",
     .value = "LETTERS",
     .help = "precisions, some of s, d, c, z (default sd)",
     .text = &asked_precisions},
    {.name = "--size",
     .value = "LIST",
     .help = "vector lengths such as 1000,1e6 (default " VECTOR_SIZES "); 1e6x8\n"
             "means eight vectors, for ops that take several. For matrices, 4096 means\n"
             "4096 x 4096 and 1e6x8 means m x n (default " MATRIX_SIZES "). For\n"
             "bands, 1e6x16 means 1e6 rows and columns with 16 diagonals on either side\n"
             "(default " BAND_SIZES "). For many matrices, 16x16x1e6 means\n"
             "m x n x their number (default " BATCH_SIZES "). For products of\n"
             "matrices, 4096 makes all sizes alike and 16384x32x16384 means m x n x k for\n"
             "gemm; symm, trmm and trsm take m x n, the others n x k (default\n" PRODUCT_SIZES
             "). For many products, 16x1e5 means 1e5 of order 16, and\n"
             "16x8x4x1e5 m x n x k x their number (default " PRODUCTS_SIZES ")",
     .text = &asked_sizes},
    {.name = "--trans",
     .value = "LIST",
     .help = "of matrices: some of N, T, C (default N,T; transpose: T); for gemm and\n"
             "gemmt also pairs of A and B such as NT: N means NN and T means TN",
     .text = &asked_trans},
    {.name = "--uplo",
     .value = "LIST",
     .help = "of symmetric and triangular matrices: L, U or both (default L)",
     .text = &asked_uplo},
    {.name = "--side",
     .value = "LIST",
     .help = "where the symmetric or triangular factor of a product stands: L, R or\n"
             "both (default L)",
     .text = &asked_side},
    {.name = "--offset",
     .value = "K",
     .help = "matrices start K elements behind an aligned address, and lda is K more\n"
             "than their rows (default 0)",
     .text = &asked_operands.offset},
    {.name = "--ld",
     .value = "K",
     .help = "lda is K more than the rows of matrices, whose first column stays aligned;\n"
             "adds to that of --offset (default 0)",
     .text = &asked_operands.ld},
    {.name = "--beta",
     .value = "B",
     .help = "of products that add beta times C: 0 or 1 (default 0)",
     .text = &asked_operands.beta},
    {.name = "--data",
     .value = "WHAT",
     .help = "of products: random, or zeros, which need less power: then ratios to other\n"
             "libraries are ratios of cycles. Rows of zeros are marked and not kept\n"
             "(default random)",
     .text = &asked_operands.data},
    {.name = "--math",
     .value = "MODE",
     .help = "what products in single precision may be made of: plain, or tf32x3, which\n"
             "permits tensor cores (CUDA, sm_90a); such rows are marked and not kept\n"
             "(default $GABLE_MATH, else plain)",
     .text = &asked_operands.math},
    {.name = "--matrix",
     .value = "LIST",
     .help = "sparse matrices, for spmv, cg, bicgstab and gmres: laplace5:3000x3000,\n"
             "laplace7:256, laplace27:160, elasticity3:60, convection7:100, power:1e6, or\n"
             "files that end in .mtx (default laplace5:1000,laplace7:100)",
     .text = &asked_matrix},
    {.name = "--format",
     .value = "LIST",
     .help = "of sparse matrices: some of auto, csr, coo, ell, sell, hyb (default auto)",
     .text = &asked_format},
    {.name = "--precond",
     .value = "LIST",
     .help = "of solvers: some of auto, none, jacobi, block (default none)",
     .text = &asked_precond},
    {.name = "--form",
     .value = "LIST",
     .help = "of cg: some of auto, standard, pipelined, persistent (default auto)",
     .text = &asked_form},
    {.name = "--restart",
     .value = "M",
     .help = "of gmres: steps of a cycle (default 30)",
     .text = &asked_restart},
    {.name = "--ladder",
     .help = "of transpose: each variant from the naive one to the default, in turn; of\n"
             "gemm: each rung, predicted and measured, beside all libraries that are\n"
             "found (default size " LADDER_SIZE ")",
     .flag = &asked_ladder},
    {.name = "--device",
     .value = "LIST",
     .help = "cpu, cuda:0, opencl:0, opencl:pocl ... (default $GABLE_DEVICE, else\n"
             "the best; `gable info` lists them); several, as cpu,opencl:0, are\n"
             "measured in turn and shown side by side",
     .text = &asked_devices},
    {.name = "--variant",
     .value = "V",
     .help = "forces a variant: two_pass, two_pass:local=256, or for\n"
             "several ops dot=two_pass,copy=stream",
     .text = &asked_variant},
    {.name = "--against",
     .value = "LIST",
     .help = "other libraries to time in the same run: openblas (cpu), cublas\n"
             "(cuda), clblast (opencl), and for sparse matrices cusparse (cuda), viennacl\n"
             "(cpu, opencl), eigen and petsc (cpu). Of a list, those that belong to the\n"
             "device; openblas alone is also timed beside a GPU, on the host",
     .text = &asked_peers},
    {.name = "--hot", .help = "also with operands that stay in the cache", .flag = &asked_hot},
    {.name = "--with-transfer",
     .help = "of products: also with operands that come from the host and a result\n"
             "that goes back, rows of mode transfer, on the host's clock",
     .flag = &asked_transfer},
    {.name = "--model-error",
     .help = "also predicts each row and ends with how far off the model was; default\n"
             "sizes are then " OTHER_VECTOR_SIZES "; of matrices\n" OTHER_MATRIX_SIZES
             "; of bands\n" OTHER_BAND_SIZES ";\nof products " OTHER_PRODUCT_SIZES,
     .flag = &asked_model_error},
    {.name = "--seconds",
     .value = "S",
     .help = "time spent on the repeats of each row (default 0.5)",
     .text = &asked_seconds},
    {.name = "--json",
     .help = "one JSON object per line: first the circumstances, then the rows",
     .flag = &asked_json},
    {.name = "--csv",
     .help = "one line of names, then one line per row, with one column per peer",
     .flag = &asked_csv},
    {.name = "--no-save",
     .help = "does not keep the rows in the data folder for `gable report`",
     .flag = &asked_no_save},
    {.name = "--color", .value = "WHEN", .help = TERMINAL_COLOUR_HELP, .text = &asked_colour},
};
const args_command bench_args = {
    .name = "bench",
    .summary = "times routines, beside other libraries and what memory can give",
    .usage = "OP... [options]",
    .about =
        "Times routines on a device. OP is a stem such as dot or a typed name such as ddot;\n"
        "`gable help --list ops` lists them. Every row is checked against a reference; a wrong\n"
        "result marks the row FAILED and the exit code is 1. Ctrl-C ends after the rows so far.\n"
        "Of sparse matrices, OP is spmv (with --matrix), cg, bicgstab, gmres or\n"
        "gmres_orthogonalise.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable bench copy axpy dot nrm2 --size 1e7 --device cpu --against openblas\n"
                "  gable bench ddot --size 1e5,1e8 --device cuda:0 --against cublas --hot\n"
                "  gable bench axpy --size 1e6 --device cpu,opencl:pocl\n"
                "  gable bench gemv --size 4096,1e6x8 --trans N --device cpu --against openblas\n"
                "  gable bench trsv symv --uplo L,U --size 4096 --device cuda:0 --against cublas\n"
                "  gable bench gbmv tbmv spmv --size 1e4 --device cpu --against openblas\n"
                "  gable bench gemm --size 4096,16384x32x16384 --trans NN,NT --against cublas\n"
                "  gable bench dgemm --size 8192x8192x64 --beta 1 --data zeros --against cublas\n"
                "  gable bench trsm --side L,R --size 2048x256 --with-transfer\n"
                "  gable bench transpose --ladder --size 8192\n"
                "  gable bench gemm --ladder --prec s --size 4096 --device cuda:0\n"
                "  gable bench spmv --matrix laplace5:1000,A.mtx --format csr,sell,auto\n"
                "  gable bench cg --matrix laplace7:100 --device cpu --against eigen,petsc\n"
                "  gable bench nrm2 --prec sdcz --json >nrm2.jsonl\n"
                "  gable bench axpy dot gemv --model-error\n",
};

/* The next of "a,b,c": *at moves behind it. false at the end. An empty piece is a piece. */
static bool next_piece(const char **at, char *piece, size_t piece_bytes)
{
    if (*at == NULL)
        return false;
    const size_t length = strcspn(*at, ",");
    snprintf(piece, piece_bytes, "%.*s", (int)length, *at);
    *at = (*at)[length] == ',' ? *at + length + 1 : NULL;
    return true;
}

static const bench_sizes *sizes_of(const bench_request *asked, const bench_op *op)
{
    return &asked->sizes[case_kind_of(op)];
}

/* Whether every op takes every size. Of the usual ones an op leaves out those it does not take. */
static int check_sizes(const bench_request *asked)
{
    const bench_flags flags = BENCH_PLAIN_FLAGS;
    char text[256];
    bench_case what;
    for (int i = 0; asked_sizes != NULL && i < asked->op_count; i++) {
        const bench_op *op = asked->ops[i].op;
        const bench_sizes *sizes = sizes_of(asked, op);
        for (int size = 0; size < sizes->count; size++)
            if (!bench_case_make(op, GBL_S, &flags, &sizes->size[size], &what, text, sizeof text))
                return args_refuse(&bench_args, "--size has \"%s\": %s", asked_sizes, text);
    }
    return EXIT_DONE;
}

/* Whether one of the ops takes what an option is for. */
static bool any_takes(const bench_request *asked, gbl_kind what)
{
    for (int i = 0; i < asked->op_count; i++)
        if (bench_op_takes(asked->ops[i].op, what))
            return true;
    return false;
}

static int read_trans(bench_request *asked)
{
    if (asked_trans == NULL)
        return EXIT_DONE;
    if (!any_takes(asked, GBL_TRANS))
        return args_refuse(&bench_args,
                           "--trans is for ops such as gemv, and none of the ops has a "
                           "matrix that may be transposed; leave it out");
    asked->trans_count = case_words_trans(asked_trans, asked->trans);
    if (asked->trans_count < 0)
        return args_refuse(&bench_args,
                           "--trans has \"%s\"; it takes some of N, T, C, as in N,T, and for gemm "
                           "also pairs, as in NN,TN",
                           asked_trans);
    for (int i = 0; i < asked->op_count; i++)
        if (!case_words_trans_fits(asked->ops[i].op, asked->trans, asked->trans_count))
            return args_refuse(&bench_args,
                               "--trans has \"%s\", and pairs are for gemm and gemmt; %s takes "
                               "single letters",
                               asked_trans, asked->ops[i].op->name);
    return EXIT_DONE;
}

static int read_uplo(bench_request *asked)
{
    static const gable_uplo of_letter[] = {GABLE_LOWER, GABLE_UPPER};
    int places[BENCH_MAX_LETTERS];
    if (asked_uplo != NULL && !any_takes(asked, GBL_UPLO))
        return args_refuse(&bench_args, "--uplo is for ops such as symv, and none of the ops takes "
                                        "one triangle of a matrix; leave it out");
    asked->uplo_count = case_words_letters(asked_uplo != NULL ? asked_uplo : "L", "LU", places);
    if (asked->uplo_count < 0)
        return args_refuse(&bench_args, "--uplo has \"%s\"; it takes L, U or L,U", asked_uplo);
    for (int i = 0; i < asked->uplo_count; i++)
        asked->uplo[i] = of_letter[places[i]];
    return EXIT_DONE;
}

static int read_side(bench_request *asked)
{
    static const gable_side of_letter[] = {GABLE_LEFT, GABLE_RIGHT};
    int places[BENCH_MAX_LETTERS];
    if (asked_side != NULL && !any_takes(asked, GBL_SIDE))
        return args_refuse(&bench_args, "--side is for ops such as symm, trmm and trsm, and none "
                                        "of the ops has sides; leave it out");
    asked->side_count = case_words_letters(asked_side != NULL ? asked_side : "L", "LR", places);
    if (asked->side_count < 0)
        return args_refuse(&bench_args, "--side has \"%s\"; it takes L, R or L,R", asked_side);
    for (int i = 0; i < asked->side_count; i++)
        asked->side[i] = of_letter[places[i]];
    return EXIT_DONE;
}

static int check_transfer(const bench_request *asked)
{
    for (int i = 0; asked->with_transfer && i < asked->op_count; i++)
        if (case_kind_of(asked->ops[i].op) != CASE_PRODUCT)
            return args_refuse(&bench_args,
                               "--with-transfer is for products of matrices such as gemm, and "
                               "\"%s\" is among the ops; leave it out",
                               asked->ops[i].op->name);
    return EXIT_DONE;
}

/* The ladder of transpose has the form of other rows; that of gemm has one of its own (ladder.h). */
static int read_ladder(bench_request *asked)
{
    asked->ladder = asked_ladder;
    if (!asked_ladder)
        return EXIT_DONE;
    if (asked_variant != NULL)
        return args_refuse(&bench_args, "--ladder takes every rung in turn and --variant one "
                                        "variant; leave one of them out");
    for (int i = 0; i < asked->op_count; i++)
        if (asked->ops[i].op->formula != BENCH_TRANSPOSE && !ladder_has(asked->ops[i].op))
            return args_refuse(&bench_args,
                               "--ladder is for transpose and for gemm, and \"%s\" is among "
                               "the ops; leave it out",
                               asked->ops[i].op->name);
    if (ladder_has(asked->ops[0].op) != ladder_has(asked->ops[asked->op_count - 1].op))
        return args_refuse(&bench_args, "--ladder shows gemm and transpose in tables of their "
                                        "own; ask for one of them at a time");
    if (ladder_asked(asked) && (asked_csv || asked_hot))
        return args_refuse(&bench_args,
                           "--ladder of gemm is cold, as a table or with --json; "
                           "leave out %s",
                           asked_csv ? "--csv" : "--hot");
    if (ladder_asked(asked) && asked_devices != NULL && strchr(asked_devices, ',') != NULL)
        return args_refuse(&bench_args,
                           "--ladder of gemm takes one device at a time, and "
                           "--device has \"%s\"",
                           asked_devices);
    return EXIT_DONE;
}

/* The rest of what is said of matrices. */
static int read_matrices(bench_request *asked)
{
    int code = read_trans(asked);
    if (code == EXIT_DONE)
        code = read_uplo(asked);
    if (code == EXIT_DONE)
        code = read_side(asked);
    if (code == EXIT_DONE)
        code = check_transfer(asked);
    if (code == EXIT_DONE)
        code = read_ladder(asked);
    return code == EXIT_DONE ? operand_words_read(&asked_operands, asked) : code;
}

static int refuse_op(const char *word)
{
    char hint[64];
    nearest best = {.text = ""};
    names_nearest_op(word, &best);
    nearest_sentence(&best, hint, sizeof hint);
    return args_refuse(&bench_args,
                       "there is no op \"%s\"; %s`gable help --list ops` lists them; for sparse "
                       "matrices there are %s",
                       word, hint, sparse_request_names);
}

static int read_ops(const args_words *words, bench_request *asked)
{
    unsigned dtypes;
    if (asked_precisions != NULL) {
        const int read = case_words_precisions(&bench_args, asked_precisions, &dtypes);
        if (read != EXIT_DONE)
            return read;
    }
    char exists[GBL_DTYPES + 1];
    if (words->count == 0)
        return args_refuse(&bench_args,
                           "needs an op, as in `gable bench dgemv --size 4096`; `gable help --list "
                           "ops` lists them; for sparse matrices there are %s",
                           sparse_request_names);
    for (int i = 0; i < words->count; i++) {
        if (!case_words_op(words->word[i], asked_precisions, DEFAULT_PRECISIONS, &asked->ops[i]))
            return refuse_op(words->word[i]);
        case_words_precision_letters(bench_op_dtypes(asked->ops[i].op), exists);
        if (asked->ops[i].dtypes == 0)
            return args_refuse(&bench_args, "%s does not exist in precision %s; ask with --prec %s",
                               words->word[i], asked_precisions, exists);
    }
    asked->op_count = words->count;
    return case_words_typed(&bench_args, asked_precisions, words->word, words->count);
}

static int read_devices(bench_request *asked)
{
    char piece[64];
    const char *at = asked_devices;
    asked->device_count = asked_devices == NULL ? 1 : 0;
    while (next_piece(&at, piece, sizeof piece)) {
        if (piece[0] == '\0')
            return args_refuse(&bench_args,
                               "--device has \"%s\"; devices are separated by single commas, as in "
                               "cpu,opencl:0",
                               asked_devices);
        if (asked->device_count == BENCH_MAX_DEVICES)
            return args_refuse(&bench_args, "--device takes at most %d devices", BENCH_MAX_DEVICES);
        snprintf(asked->devices[asked->device_count++], sizeof asked->devices[0], "%s", piece);
    }
    return EXIT_DONE;
}

static int read_peers(bench_request *asked)
{
    char piece[64], names[NAMES_BYTES];
    const char *at = asked_peers;
    while (next_piece(&at, piece, sizeof piece)) {
        const bench_peer_kind *kind = bench_peer_find(piece);
        bool there = asked->peer_count == BENCH_MAX_PEERS;
        names_of_peers(names, sizeof names);
        if (kind == NULL)
            return args_refuse(&bench_args, "there is no peer \"%s\"; peers are %s", piece, names);
        for (int i = 0; i < asked->peer_count; i++)
            there = there || asked->peers[i] == kind;
        if (!there)
            asked->peers[asked->peer_count++] = kind;
    }
    return EXIT_DONE;
}

static int read_rest(bench_request *asked)
{
    asked->seconds = DEFAULT_SECONDS;
    if (asked_seconds != NULL) {
        char *end;
        asked->seconds = strtod(asked_seconds, &end);
        if (*end != '\0' || !(asked->seconds > 0 && asked->seconds <= MAX_SECONDS))
            return args_refuse(&bench_args,
                               "--seconds is \"%s\"; it must be above 0 and at most %.0f",
                               asked_seconds, MAX_SECONDS);
    }
    if (asked_json && asked_csv)
        return args_refuse(&bench_args, "--json and --csv are two forms of one output; take one");
    if (!terminal_use_colour(asked_colour))
        return args_refuse(&bench_args, "--color is \"%s\"; it must be auto, always or never",
                           asked_colour);
    asked->form = asked_json ? BENCH_JSON : asked_csv ? BENCH_CSV : BENCH_TABLE;
    asked->variant = asked_variant;
    asked->hot = asked_hot;
    asked->with_transfer = asked_transfer;
    asked->model_error = asked_model_error;
    asked->save = !asked_no_save;
    return EXIT_DONE;
}

/* What --size says, else what is usual, or for --model-error the others. */
static int read_sizes(bench_request *asked)
{
    static const char *const usual[CASE_KINDS] = {
        [CASE_VECTORS] = VECTOR_SIZES,  [CASE_MATRIX] = MATRIX_SIZES,
        [CASE_BAND] = BAND_SIZES,       [CASE_BATCH] = BATCH_SIZES,
        [CASE_PRODUCT] = PRODUCT_SIZES, [CASE_PRODUCTS] = PRODUCTS_SIZES,
    };
    static const char *const others[CASE_KINDS] = {
        [CASE_VECTORS] = OTHER_VECTOR_SIZES,  [CASE_MATRIX] = OTHER_MATRIX_SIZES,
        [CASE_BAND] = OTHER_BAND_SIZES,       [CASE_BATCH] = OTHER_BATCH_SIZES,
        [CASE_PRODUCT] = OTHER_PRODUCT_SIZES, [CASE_PRODUCTS] = OTHER_PRODUCTS_SIZES,
    };
    int code = EXIT_DONE;
    for (int kind = 0; code == EXIT_DONE && kind < CASE_KINDS; kind++)
        code = case_words_sizes(&bench_args,
                                asked_sizes != NULL                    ? asked_sizes
                                : asked_ladder && kind == CASE_PRODUCT ? LADDER_SIZE
                                : asked_model_error                    ? others[kind]
                                                                       : usual[kind],
                                &asked->sizes[kind]);
    return code;
}

/* Options of dense matrices do not go with sparse ones. */
static int check_sparse(void)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {{"--uplo", asked_uplo != NULL},
                  {"--side", asked_side != NULL},
                  {"--offset", asked_operands.offset != NULL},
                  {"--ld", asked_operands.ld != NULL},
                  {"--beta", asked_operands.beta != NULL},
                  {"--data", asked_operands.data != NULL},
                  {"--math", asked_operands.math != NULL},
                  {"--ladder", asked_ladder},
                  {"--hot", asked_hot},
                  {"--with-transfer", asked_transfer},
                  {"--model-error", asked_model_error}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given)
            return args_refuse(&bench_args, "%s is not for sparse matrices; leave it out",
                               others[i].name);
    return EXIT_DONE;
}

static int read_sparse(const args_words *words, const sparse_words *given, bench_request *asked)
{
    int code = check_sparse();
    if (code == EXIT_DONE)
        code = sparse_request_read(words, given, &asked->sparse);
    if (code == EXIT_DONE)
        code = read_devices(asked);
    return code == EXIT_DONE ? read_peers(asked) : code;
}

int bench_request_read(int argc, char **argv, bench_request *asked)
{
    args_words words;
    int code = args_parse(&bench_args, argc, argv, &words);
    if (code == EXIT_DONE)
        code = read_rest(asked);
    const sparse_words given = {asked_matrix,  asked_format, asked_precond, asked_form,
                                asked_restart, asked_trans,  asked_sizes,   asked_precisions};
    if (code == EXIT_DONE && sparse_request_meant(&words, &given))
        return read_sparse(&words, &given, asked);
    if (code == EXIT_DONE && (asked_format != NULL || asked_precond != NULL || asked_form != NULL ||
                              asked_restart != NULL))
        return args_refuse(&bench_args,
                           "--format, --precond, --form and --restart are for sparse matrices; "
                           "ask for one with --matrix, as in --matrix laplace5:1000");
    if (code == EXIT_DONE)
        code = read_sizes(asked);
    if (code == EXIT_DONE)
        code = read_ops(&words, asked);
    if (code == EXIT_DONE)
        code = check_sizes(asked);
    if (code == EXIT_DONE)
        code = read_matrices(asked);
    if (code == EXIT_DONE)
        code = read_devices(asked);
    if (code == EXIT_DONE)
        code = read_peers(asked);
    return code;
}

/* The transpositions of an op: those asked for, or those that are usual for it. */
static int trans_of(const bench_request *asked, const bench_op *op,
                    case_trans trans[CASE_MAX_TRANS])
{
    const case_trans plain = {.a = GABLE_NO_TRANS, .b = GABLE_NO_TRANS},
                     turned = {.a = GABLE_TRANS, .b = GABLE_NO_TRANS};
    int count = 0;
    if (!bench_op_takes(op, GBL_TRANS)) {
        trans[count++] = plain;
    } else if (asked->trans_count > 0) {
        for (; count < asked->trans_count; count++)
            trans[count] = asked->trans[count];
    } else {
        if (op->formula != BENCH_TRANSPOSE)
            trans[count++] = plain;
        if (!ladder_asked(asked))
            trans[count++] = turned;
    }
    return count;
}

/* The cases of one op in one precision. false: no more are wanted. */
static bool each_size(const bench_request *asked, const bench_op *op, gbl_dtype dtype,
                      bool (*take)(void *user, const bench_case *what), void *user)
{
    const bench_sizes *sizes = sizes_of(asked, op);
    case_trans trans[CASE_MAX_TRANS];
    const int trans_count = trans_of(asked, op, trans);
    const int uplo_count = bench_op_takes(op, GBL_UPLO) ? asked->uplo_count : 1;
    const int side_count = bench_op_takes(op, GBL_SIDE) ? asked->side_count : 1;
    for (int i = 0; i < trans_count * uplo_count * side_count; i++) {
        const bench_flags flags = {.trans = trans[i % trans_count].a,
                                   .trans_b = trans[i % trans_count].b,
                                   .uplo = asked->uplo[i / trans_count % uplo_count],
                                   .side = asked->side[i / trans_count / uplo_count],
                                   .offset = asked->offset,
                                   .pad = asked->pad,
                                   .beta = asked->beta,
                                   .math = asked->math,
                                   .zeros = asked->zeros};
        for (int size = 0; size < sizes->count; size++) {
            char text[256];
            bench_case what;
            if (bench_case_make(op, dtype, &flags, &sizes->size[size], &what, text, sizeof text) &&
                !take(user, &what))
                return false;
        }
    }
    return true;
}

void bench_request_each(const bench_request *asked,
                        bool (*take)(void *user, const bench_case *what), void *user)
{
    for (int op = 0; op < asked->op_count; op++)
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
            if ((asked->ops[op].dtypes >> dtype & 1) &&
                !each_size(asked, asked->ops[op].op, (gbl_dtype)dtype, take, user))
                return;
}
