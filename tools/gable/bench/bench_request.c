/* bench_request.c: what the command line of `gable bench` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "bench_request.h"
#include "gable/command.h"
#include "gable/names.h"
#include "gable/terminal.h"

#define DEFAULT_SECONDS 0.5
#define DRAWN_SECONDS   0.05 /* of a row of a case that was drawn */
#define DEFAULT_SEED    1

#define VECTOR_SIZES   "1000,100000,10000000"
#define MATRIX_SIZES   "1024,4096,8192"
#define BAND_SIZES     "1e4x16,1e6x4,1e6x16"
#define BATCH_SIZES    "8x8x1e5,32x32x1e4"
#define PRODUCT_SIZES  "512,1024,2048"
#define PRODUCTS_SIZES "8x1e5,16x1e5,32x1e4"
#define LADDER_SIZE    "512"
/* For --model-error: neither powers of two nor the sizes that kernels were written and tuned
 * with. */
#define DEFAULT_PRECISIONS "sd"

#define OTHER_VECTOR_SIZES "3e4,3e5,3e6,3e7"
#define OTHER_MATRIX_SIZES "150,700,1300,2700,5000,7300,10000"
#define OTHER_BAND_SIZES   "700x5,3e4x11,3e5x30,2e6x6"
#define OTHER_BATCH_SIZES  "12x12x30000,50x50x3000"
/* Those with three numbers are gemm's, those with two of the other products. */
#define OTHER_PRODUCT_SIZES  "300,700x700x100,700x100,2000,3000x200x1500,3000x200"
#define OTHER_PRODUCTS_SIZES "12x30000,50x3000"

static bench_request request = {.cases = {.math = CASE_NO_MATH},
                                .device_count = 1,
                                .seconds = DEFAULT_SECONDS,
                                .drawn = {.seed = DEFAULT_SEED},
                                .sparse = SPARSE_USUAL};
static bool asked_json, asked_csv, asked_no_save;

/* ---- Options ---- */

static bool read_devices(const char *text, void *to, char *why, size_t why_bytes)
{
    bench_request *asked = to;
    asked->device_count = 0;
    for (const char *at = text; at != NULL; asked->device_count++) {
        if (asked->device_count == BENCH_MAX_DEVICES)
            return args_wrong(why, why_bytes, "takes at most %d devices", BENCH_MAX_DEVICES);
        char *name = asked->devices[asked->device_count];
        args_next_piece(&at, name, sizeof asked->devices[0]);
        if (name[0] == '\0')
            return args_wrong(
                why, why_bytes,
                "has \"%s\"; devices are separated by single commas, as in cpu,opencl:0", text);
    }
    return true;
}

static bool read_peers(const char *text, void *to, char *why, size_t why_bytes)
{
    bench_request *asked = to;
    char piece[64], names[NAMES_BYTES];
    for (const char *at = text; args_next_piece(&at, piece, sizeof piece);) {
        const bench_peer_kind *kind = bench_peer_find(piece);
        bool there = asked->peer_count == BENCH_MAX_PEERS;
        names_of_peers(names, sizeof names);
        if (kind == NULL)
            return args_wrong(why, why_bytes, "has \"%s\"; there is no peer \"%s\"; peers are %s",
                              text, piece, names);
        for (int i = 0; i < asked->peer_count; i++)
            there = there || asked->peers[i] == kind;
        if (!there)
            asked->peers[asked->peer_count++] = kind;
    }
    return true;
}

static bool is_product(const bench_op *op)
{
    return case_kind_of(op) == CASE_PRODUCT;
}

static bool is_gemm(const bench_op *op)
{
    return strcmp(op->op->stem, "gemm") == 0;
}

bool bench_request_climbs(const bench_request *asked)
{
    return asked->ladder && asked->cases.op_count > 0 && is_gemm(asked->cases.ops[0].op);
}

static bool has_rungs(const bench_op *op)
{
    return op->formula == BENCH_TRANSPOSE || is_gemm(op);
}

static const args_option options[] = {
    CASE_PREC_OPTION(request.cases, DEFAULT_PRECISIONS),
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
     .to = &request.cases.sizes,
     .read = case_read_sizes},
    CASE_TRANS_OPTION(request.cases, "N,T", 0),
    CASE_UPLO_OPTION(request.cases),
    CASE_SIDE_OPTION(request.cases),
    CASE_NORM_OPTION(request.cases),
    CASE_VECT_OPTION(request.cases),
    {.name = "--offset",
     .value = "K",
     .help = "matrices start K elements behind an aligned address, and lda is K more\n"
             "than their rows (default 0)",
     .count = &request.cases.offset,
     .most = CASE_MAX_OFFSET,
     .group = CASE_DENSE},
    {.name = "--ld",
     .value = "K",
     .help = "lda is K more than the rows of matrices, whose first column stays aligned;\n"
             "adds to that of --offset (default 0)",
     .count = &request.cases.pad,
     .most = CASE_MAX_OFFSET,
     .group = CASE_DENSE,
     .any_op = bench_op_has_matrix,
     .ops = "with matrices, and none of the ops has one"},
    {.name = "--beta",
     .value = "B",
     .help = "of products that add beta times C: 0 or 1 (default 0)",
     .word = &request.cases.beta,
     .words = "0 or 1",
     .group = CASE_DENSE,
     .every_op = bench_op_takes_beta,
     .ops = "products that add beta times C, such as gemm"},
    {.name = "--data",
     .value = "WHAT",
     .help = "of products: random, or zeros, which need less power: then ratios to other\n"
             "libraries are ratios of cycles. Rows of zeros are marked and not kept\n"
             "(default random)",
     .word = &request.cases.zeros,
     .words = "random or zeros",
     .group = CASE_DENSE,
     .every_op = bench_op_is_product,
     .ops = CASE_OF_PRODUCTS},
    CASE_MATH_OPTION(request.cases, "; such rows are marked and not kept"),
    {.name = "--matrix",
     .value = "LIST",
     .help = "sparse matrices, for spmv, cg, bicgstab and gmres: laplace5:3000x3000,\n"
             "laplace7:256, laplace27:160, elasticity3:60, convection7:100, power:1e6, or\n"
             "files that end in .mtx (default laplace5:1000,laplace7:100)",
     .text = &request.sparse.matrix,
     .words = "laplace5:, laplace7:, laplace27:, elasticity3:, convection5:, convection7:, power:"},
    {.name = "--format",
     .value = "LIST",
     .help = "of sparse matrices: some of auto, csr, coo, ell, sell, hyb (default auto)",
     .list = &request.sparse.format,
     .words = SPARSE_FORMAT_WORDS,
     .group = CASE_SPARSE},
    {.name = "--precond",
     .value = "LIST",
     .help = "of solvers: some of auto, none, jacobi, block, ilu0, ic0\n"
             "(default none)",
     .list = &request.sparse.precond,
     .words = SPARSE_PRECOND_WORDS,
     .group = CASE_SPARSE},
    {.name = "--form",
     .value = "LIST",
     .help = "of cg: some of auto, standard, pipelined, persistent (default auto)",
     .list = &request.sparse.form,
     .words = SPARSE_FORM_WORDS,
     .group = CASE_SPARSE},
    {.name = "--restart",
     .value = "M",
     .help = "of gmres: steps of a cycle (default 30)",
     .count = &request.sparse.restart,
     .least = 1,
     .most = SPARSE_MAX_RESTART,
     .group = CASE_SPARSE},
    {.name = "--ladder",
     .help = "of transpose: each variant from the naive one to the default, in turn; of\n"
             "gemm: each rung, predicted and measured, beside all libraries that are\n"
             "found (default size " LADDER_SIZE ")",
     .flag = &request.ladder,
     .without = "--variant",
     .because =
         "--ladder takes every rung in turn and --variant one variant; leave one of them out",
     .group = CASE_DENSE,
     .every_op = has_rungs,
     .ops = "transpose and for gemm"},
    {.name = "--random",
     .value = "N",
     .help = "instead of --size: N cases at random of each op in each precision, with sizes\n"
             "of --range, flags, beta, offsets and leading dimensions drawn, those of\n"
             "--trans, --uplo and --side where these are given; one cold row of replays\n"
             "for each, and what all of them say: the geometric mean, the 5th percentile\n"
             "and the ten worst. The same N cases from the same --seed on every machine.\n"
             "The rows are not kept",
     .count = &request.drawn.random,
     .least = 1,
     .most = SWEEP_MOST,
     .without = "--size",
     .because = "--random draws sizes from --range; leave out --size",
     .group = CASE_DENSE},
    {.name = "--seed",
     .value = "K",
     .help = "of --random: another number draws other cases (default 1)",
     .count = &request.drawn.seed,
     .most = 1e15,
     .with = "--random",
     .group = CASE_DENSE},
    {.name = "--range",
     .value = "RANGE",
     .help = "of --random: the smallest and the largest size (default 64:8192; of many\n"
             "matrices 3:64, of vectors 1000:1e7, of bands 1000:1e6)",
     .to = &request.drawn,
     .read = sweep_read_range,
     .with = "--random",
     .group = CASE_DENSE},
    {.name = "--budget",
     .value = "T",
     .help = "of --random: seconds, or 10m or 2h, after which no further case is begun\n"
             "(default: all of them are measured)",
     .seconds = &request.drawn.budget,
     .most = CASE_MAX_BUDGET,
     .with = "--random",
     .group = CASE_DENSE},
    {.name = "--regret",
     .help = "of --random: also times the first 5 choices for each case, in the order of\n"
             "the model, and says how much longer the choice took than the best of them",
     .flag = &request.drawn.regret,
     .with = "--random",
     .without = "--variant",
     .because = "--regret compares choices, and --variant leaves one; take one of them",
     .group = CASE_DENSE},
    {.name = "--device",
     .value = "LIST",
     .help = "cpu, cuda:0, opencl:0, opencl:pocl ... (default $GABLE_DEVICE, else\n"
             "the best; `gable info` lists them); several, as cpu,opencl:0, are\n"
             "measured in turn and shown side by side",
     .to = &request,
     .read = read_devices},
    {.name = "--variant",
     .value = "V",
     .help = "forces a variant: two_pass, two_pass:local=256, or for\n"
             "several ops dot=two_pass,copy=stream; of a list, split_n|split_t, the\n"
             "first that fits a call",
     .text = &request.variant},
    {.name = "--against",
     .value = "LIST",
     .help = "other libraries to time in the same run: openblas (cpu), cublas\n"
             "(cuda), clblast (opencl), and for sparse matrices cusparse (cuda), viennacl\n"
             "(cpu, opencl), eigen and petsc (cpu). Of a list, those that belong to the\n"
             "device; openblas alone is also timed beside a GPU, on the host",
     .to = &request,
     .read = read_peers},
    {.name = "--hot",
     .help = "also with operands that stay in the cache",
     .flag = &request.hot,
     .group = CASE_DENSE},
    {.name = "--with-transfer",
     .help = "of products: also with operands that come from the host and a result\n"
             "that goes back, rows of mode transfer, on the host's clock",
     .flag = &request.with_transfer,
     .group = CASE_DENSE,
     .every_op = is_product,
     .ops = CASE_OF_PRODUCTS},
    {.name = "--model-error",
     .help = "also predicts each row and ends with how far off the model was; default\n"
             "sizes are then " OTHER_VECTOR_SIZES "; of matrices\n" OTHER_MATRIX_SIZES
             "; of bands\n" OTHER_BAND_SIZES ";\nof products " OTHER_PRODUCT_SIZES,
     .flag = &request.model_error,
     .group = CASE_DENSE},
    {.name = "--seconds",
     .value = "S",
     .help = "time spent on the repeats of each row (default 0.5; with --random 0.05)",
     .number = &request.seconds,
     .most = CASE_MAX_SECONDS},
    {.name = "--json",
     .help = "one JSON object per line: first the circumstances, then the rows",
     .flag = &asked_json,
     .without = "--csv",
     .because = "--json and --csv are two forms of one output; take one"},
    {.name = "--csv",
     .help = "one line of names, then one line per row, with one column per peer",
     .flag = &asked_csv},
    {.name = "--no-save",
     .help = "does not keep the rows in the data folder for `gable report`",
     .flag = &asked_no_save},
    TERMINAL_COLOUR_OPTION,
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
                "  gable bench gemm --random 200 --seed 7 --budget 10m --against cublas --regret\n"
                "  gable bench dgels --size 1048576x64 --trans N --device cuda:0\n"
                "  gable bench lange lansy --norm 1,F --size 4096 --against lapack\n"
                "  gable bench transpose --ladder --size 8192\n"
                "  gable bench gemm --ladder --prec s --size 4096 --device cuda:0\n"
                "  gable bench spmv --matrix laplace5:1000,A.mtx --format csr,sell,auto\n"
                "  gable bench cg --matrix laplace7:100 --device cpu --against eigen,petsc\n"
                "  gable bench nrm2 --prec sdcz --json >nrm2.jsonl\n"
                "  gable bench axpy dot gemv --model-error\n",
};

/* ---- What was asked for ---- */

/* The ladder of transpose has the form of other rows; that of gemm has one of its own
 * (ladder.h). */
static int check_ladder(const bench_request *asked)
{
    const case_request *cases = &asked->cases;
    if (!asked->ladder)
        return EXIT_DONE;
    if (is_gemm(cases->ops[0].op) != is_gemm(cases->ops[cases->op_count - 1].op))
        return args_refuse(&bench_args, "--ladder shows gemm and transpose in tables of their "
                                        "own; ask for one of them at a time");
    if (bench_request_climbs(asked) && (asked_csv || asked->hot))
        return args_refuse(&bench_args,
                           "--ladder of gemm is cold, as a table or with --json; leave out %s",
                           asked_csv ? "--csv" : "--hot");
    if (bench_request_climbs(asked) && asked->device_count > 1)
        return args_refuse(&bench_args,
                           "--ladder of gemm takes one device at a time, and --device names %d",
                           asked->device_count);
    if (cases->zeros)
        return args_refuse(&bench_args, "--ladder takes random data alone; leave out --data zeros");
    return EXIT_DONE;
}

/* What draws cases decides what else is drawn. */
static int check_drawn(const args_words *words, bench_request *asked)
{
    static const char *const others[] = {"--offset", "--ld",  "--beta",          "--norm",
                                         "--vect",   "--hot", "--with-transfer", "--ladder"};
    if (asked->drawn.random == 0)
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (args_given(&bench_args, words, others[i]))
            return args_refuse(&bench_args, "--random and %s do not go together; leave out one",
                               others[i]);
    if (asked->device_count > 1)
        return args_refuse(&bench_args,
                           "--random takes one device at a time, and --device names %d",
                           asked->device_count);
    if (!args_given(&bench_args, words, "--seconds"))
        asked->seconds = DRAWN_SECONDS;
    return EXIT_DONE;
}

static int read_ops(const args_words *words, case_request *cases)
{
    char sparse[128];
    int code = EXIT_DONE;
    snprintf(sparse, sizeof sparse, "; for sparse matrices there are %s", sparse_request_names);
    if (words->count == 0)
        return args_refuse(&bench_args,
                           "needs an op, as in `gable bench dgemv --size 4096`; `gable help --list "
                           "ops` lists them%s",
                           sparse);
    for (int i = 0; i < words->count && code == EXIT_DONE; i++)
        code = case_request_op(&bench_args, cases, words->word[i], DEFAULT_PRECISIONS, sparse);
    return code == EXIT_DONE
               ? case_request_precisions(&bench_args, cases, words->word, words->count)
               : code;
}

static int read_dense(const args_words *words, bench_request *asked)
{
    static const char *const usual[CASE_KINDS] = {
        [CASE_VECTORS] = VECTOR_SIZES,    [CASE_MATRIX] = MATRIX_SIZES,
        [CASE_GEMV] = MATRIX_SIZES,       [CASE_BAND] = BAND_SIZES,
        [CASE_BATCH] = BATCH_SIZES,       [CASE_PRODUCT] = PRODUCT_SIZES,
        [CASE_PRODUCTS] = PRODUCTS_SIZES,
    };
    static const char *const others[CASE_KINDS] = {
        [CASE_VECTORS] = OTHER_VECTOR_SIZES,    [CASE_MATRIX] = OTHER_MATRIX_SIZES,
        [CASE_GEMV] = OTHER_MATRIX_SIZES,       [CASE_BAND] = OTHER_BAND_SIZES,
        [CASE_BATCH] = OTHER_BATCH_SIZES,       [CASE_PRODUCT] = OTHER_PRODUCT_SIZES,
        [CASE_PRODUCTS] = OTHER_PRODUCTS_SIZES,
    };
    static const char *const of_ladder[CASE_KINDS] = {[CASE_PRODUCT] = LADDER_SIZE};
    case_request *cases = &asked->cases;
    if (args_first_of(&bench_args, words, CASE_SPARSE) != NULL)
        return args_refuse(&bench_args,
                           "--format, --precond, --form and --restart are for sparse matrices; "
                           "ask for one with --matrix, as in --matrix laplace5:1000");
    int code = read_ops(words, cases);
    if (code == EXIT_DONE)
        code = case_request_check(&bench_args, words, "--size", cases);
    if (code == EXIT_DONE)
        code = check_ladder(asked);
    if (code == EXIT_DONE)
        code = check_drawn(words, asked);
    cases->usual = bench_request_climbs(asked) ? of_ladder : asked->model_error ? others : usual;
    cases->also_turned = !bench_request_climbs(asked);
    return code;
}

int bench_request_read(int argc, char **argv, bench_request *asked)
{
    args_words words;
    int code = args_parse(&bench_args, argc, argv, &words);
    if (code != EXIT_DONE)
        return code;
    request.form = asked_json ? BENCH_JSON : asked_csv ? BENCH_CSV : BENCH_TABLE;
    request.save = !asked_no_save;
    if (!sparse_request_meant(&words, &request.sparse)) {
        code = read_dense(&words, &request);
    } else {
        const char *dense = args_first_of(&bench_args, &words, CASE_DENSE);
        code = dense != NULL
                   ? args_refuse(&bench_args, "%s is not for sparse matrices; leave it out", dense)
                   : sparse_request_read(&words, &request.cases, &request.sparse);
    }
    *asked = request;
    return code;
}

void bench_request_each(const bench_request *asked,
                        bool (*take)(void *user, const bench_case *what), void *user)
{
    if (asked->drawn.random == 0) {
        case_request_each(&asked->cases, take, user);
        return;
    }
    for (int i = 0; i < asked->drawn.count; i++)
        if (!take(user, &asked->drawn.cases[i]))
            return;
}
