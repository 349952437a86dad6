/* tune_request.c: what the command line of `gable tune` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "gable/command.h"
#include "gable/names.h"
#include "gable/terminal.h"
#include "tune_request.h"

#define DEFAULT_BUDGET     "60s"
#define DEFAULT_SECONDS    60
#define DEFAULT_PRECISIONS "sd"
#define MOST_BUDGET        (7 * 24 * 3600.0)

/* A size a factor of about ten for vectors, of four for matrices: an answer serves sizes up to two
 * factors of two away. gemv has variants of its own for few columns and for few rows. */
#define VECTOR_SIZES "1e4,1e5,1e6,1e7"
#define MATRIX_SIZES "256,1024,4096,8192"
#define GEMV_SIZES   MATRIX_SIZES ",1e6x16,16x1e6"
#define BAND_SIZES   "1e4x16,1e5x4,1e5x16,1e6x4,1e6x16,1e6x64"
#define BATCH_SIZES  "8x8x1e5,32x32x1e4"
/* Of products square ones, and thin ones: few columns, few terms, many terms. Those with three
 * numbers are gemm's. */
#define PRODUCT_SIZES                                                                              \
    "128,256,512,1024,2048,4096,"                                                                  \
    "4096x64x4096,4096x4096x64,128x128x8192,4096x64,256x4096"
#define PRODUCTS_SIZES "4x1e5,8x1e5,16x1e5,32x1e4,64x1e3"

static tune_request request = {.cases = {.math = GABLE_MATH_PLAIN}, .budget = DEFAULT_SECONDS};

static const args_option options[] = {
    CASE_PREC_OPTION(request.cases, DEFAULT_PRECISIONS),
    {.name = "--size",
     .value = "LIST",
     .help =
         "sizes as `gable bench` takes them (default " VECTOR_SIZES " for vectors,\n" MATRIX_SIZES
         " for matrices, " BATCH_SIZES " for many matrices,\n" BAND_SIZES " for bands;\n"
         "squares of 128 to 4096 and a few thin ones for products of matrices,\n" PRODUCTS_SIZES
         " for many products)",
     .to = &request.cases.sizes,
     .read = case_read_sizes},
    CASE_TRANS_OPTION(request.cases, "N,T", 0),
    CASE_UPLO_OPTION(request.cases),
    CASE_SIDE_OPTION(request.cases),
    CASE_NORM_OPTION(request.cases),
    CASE_VECT_OPTION(request.cases),
    {.name = "--device",
     .value = "D",
     .help = "cpu, cuda:0, opencl:0, opencl:pocl ... (default $GABLE_DEVICE, else\nthe best)",
     .text = &request.device},
    {.name = "--budget",
     .value = "TIME",
     .help = "of all cases together, such as 90s, 10m or 2h (default " DEFAULT_BUDGET ");\n"
             "it is split evenly over them",
     .seconds = &request.budget,
     .most = MOST_BUDGET},
    {.name = "--variant",
     .value = "V",
     .help = "only this variant (default all that may be chosen by themselves)",
     .text = &request.variant},
    {.name = "--set",
     .value = "LIST",
     .help = "hold tunables at values, as in items=256,wx=32: a smaller space",
     .text = &request.fixed},
    {.name = "--with-vendor",
     .help = "time the vendor's library beside; it is never chosen",
     .flag = &request.with_vendor},
    {.name = "--exhaustive",
     .help = "try everything, however long it takes",
     .flag = &request.exhaustive},
    {.name = "--regret",
     .help = "search within the budget, then try the rest, and say how much slower\n"
             "the search's result is than the best of all",
     .flag = &request.regret,
     .without = "--exhaustive",
     .because = "--regret searches first, and --exhaustive does not search; take one of them"},
    {.name = "--again", .help = "time also what was measured before", .flag = &request.again},
    {.name = "--import",
     .value = "FILE",
     .help = "first take over measurements from a file; needs no OP",
     .text = &request.import_path},
    {.name = "--export",
     .value = "FILE",
     .help = "at the end write this device's measurements to a file; needs no OP",
     .text = &request.export_path},
    {.name = "--dry-run",
     .help = "only say which cases there are and how many choices each has",
     .flag = &request.dry_run},
    {.name = "--json", .help = "one JSON object per case", .flag = &request.json},
    TERMINAL_COLOUR_OPTION,
};

const args_command tune_args = {
    .name = "tune",
    .summary = "looks for the fastest variants and tunables, and keeps them",
    .usage = "OP|all... [options]",
    .about =
        "Times choices of variant and tunables for each op, precision and size, in the order of "
        "the\n"
        "performance model and then around the best, and writes every measurement to the tuning\n"
        "database, which later calls take their choices from (`gable info` says where it is). "
        "Every\n"
        "choice that could win is checked, and a new winner must beat the old one by more than "
        "noise.\n"
        "Ctrl-C keeps what was measured; the same command again goes on from there.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable tune gemv --prec d --size 4096 --budget 30s\n"
                "  gable tune all --budget 20m --device cuda:0\n"
                "  gable tune axpy dot --size 1e6 --device opencl:pocl --budget 1m\n"
                "  gable tune symv --size 4096 --regret --with-vendor\n"
                "  gable tune --export tuning-h200.jsonl\n",
};

/* What `gable bench` has of sparse matrices has nothing to tune: the structure of a matrix, which
 * no key holds, decides what is fastest. */
static bool is_sparse(const char *word)
{
    static const char *const words[] = {"sparse_mv", "sparse_mm", "cg",
                                        "bicgstab",  "gmres",     "gmres_orthogonalise"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static int add_op(const char *word, case_request *cases)
{
    if (is_sparse(word))
        return args_refuse(
            &tune_args,
            "\"%s\" is of sparse matrices, whose products are not tuned: the model chooses by the "
            "structure of each matrix; `gable explain spmv A.mtx` compares the formats, and "
            "`gable bench spmv --matrix A.mtx --variant V` measures a variant",
            word);
    return case_request_op(&tune_args, cases, word, DEFAULT_PRECISIONS,
                           ", and all stands for every one");
}

/* Every stem that is listed and exists in the precisions. */
static int add_all(case_request *cases)
{
    const unsigned given = cases->dtypes;
    int code = EXIT_DONE;
    char names[NAMES_BYTES], name[ARGS_WORD_BYTES];
    bench_op_names(names, sizeof names);
    if (given == 0)
        case_read_precisions(DEFAULT_PRECISIONS, &cases->dtypes, NULL, 0);
    for (const char *at = names; code == EXIT_DONE && args_next_word(&at, name);)
        code = add_op(name, cases);
    cases->dtypes = given;
    return code;
}

static int read_ops(const args_words *words, tune_request *asked)
{
    case_request *cases = &asked->cases;
    int code = EXIT_DONE;
    if (words->count == 0 && asked->import_path == NULL && asked->export_path == NULL)
        return args_refuse(&tune_args, "needs an op such as gemv, or all; `gable help --list ops` "
                                       "lists them");
    for (int i = 0; i < words->count && code == EXIT_DONE; i++)
        code = strcmp(words->word[i], "all") == 0 ? add_all(cases) : add_op(words->word[i], cases);
    return code == EXIT_DONE ? case_request_precisions(&tune_args, cases, words->word, words->count)
                             : code;
}

/* Whether some variant of the ops has a tunable with this value. */
static bool any_has(const case_request *cases, const char *name, size_t length, long value)
{
    for (int i = 0; i < cases->op_count; i++) {
        const gbl_op *op = cases->ops[i].op->op;
        for (int v = 0; v < op->variant_count; v++)
            for (int p = 0; p < op->variants[v].space_count; p++) {
                const gbl_param *param = &op->variants[v].space[p];
                for (int k = 0; strlen(param->name) == length &&
                                memcmp(param->name, name, length) == 0 && k < param->count;
                     k++)
                    if (param->values[k] == value)
                        return true;
            }
    }
    return false;
}

static int check_set(const tune_request *asked)
{
    for (const char *at = asked->fixed; at != NULL;) {
        const size_t name = strcspn(at, "=");
        char *end = NULL;
        const long value = at[name] == '=' ? strtol(at + name + 1, &end, 10) : 0;
        if (end == NULL || end == at + name + 1 || (*end != ',' && *end != '\0') ||
            !any_has(&asked->cases, at, name, value))
            return args_refuse(&tune_args,
                               "--set has \"%s\"; it takes tunables that the ops have and their "
                               "legal values, as in items=256,wx=32",
                               at);
        at = *end == ',' ? end + 1 : NULL;
    }
    return EXIT_DONE;
}

/* "gemv=split_n" as `gable help --list variants` says it: the variant, where gemv is among the
 * ops. */
static const char *strip_op(const case_request *cases, const char *variant)
{
    const char *equals = variant != NULL ? strchr(variant, '=') : NULL;
    for (int i = 0; equals != NULL && i < cases->op_count; i++) {
        const char *stem = cases->ops[i].op->op->stem;
        if (strlen(stem) == (size_t)(equals - variant) && strncmp(stem, variant, strlen(stem)) == 0)
            return equals + 1;
    }
    return variant;
}

/* A variant that no op has is a mistake; one that some lack is none. Where *variant is a former
 * name, it becomes today's. */
static int check_variant(const case_request *cases, const char **variant)
{
    if (*variant != NULL && strcmp(*variant, "vendor") == 0)
        return args_refuse(&tune_args,
                           "--variant is vendor, which has nothing to tune and is never "
                           "chosen; --with-vendor times it beside");
    bool found = *variant == NULL || cases->op_count == 0;
    for (int i = 0; i < cases->op_count && *variant != NULL; i++) {
        const gbl_variant *same = gbl_variant_find(cases->ops[i].op->op, *variant);
        found = found || same != NULL;
        if (same != NULL)
            *variant = same->name;
    }
    return found ? EXIT_DONE
                 : args_refuse(&tune_args,
                               "--variant is \"%s\", which none of the ops has; `gable help --list "
                               "variants` lists them",
                               *variant);
}

int tune_request_read(int argc, char **argv, tune_request *asked)
{
    static const char *const usual[CASE_KINDS] = {
        [CASE_VECTORS] = VECTOR_SIZES,    [CASE_MATRIX] = MATRIX_SIZES,
        [CASE_GEMV] = GEMV_SIZES,         [CASE_BAND] = BAND_SIZES,
        [CASE_BATCH] = BATCH_SIZES,       [CASE_PRODUCT] = PRODUCT_SIZES,
        [CASE_PRODUCTS] = PRODUCTS_SIZES,
    };
    args_words words;
    int code = args_parse(&tune_args, argc, argv, &words);
    if (code == EXIT_DONE)
        code = read_ops(&words, &request);
    if (code == EXIT_DONE) {
        request.variant = strip_op(&request.cases, request.variant);
        code = check_variant(&request.cases, &request.variant);
    }
    if (code == EXIT_DONE)
        code = check_set(&request);
    if (code == EXIT_DONE)
        code = case_request_check(&tune_args, &words, "--size", &request.cases);
    if (request.exhaustive)
        request.budget = INFINITY;
    request.cases.usual = usual;
    request.cases.also_turned = true;
    *asked = request;
    return code;
}
