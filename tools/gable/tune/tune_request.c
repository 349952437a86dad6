/* tune_request.c: what the command line of `gable tune` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/command.h"
#include "gable/names.h"
#include "gable/terminal.h"
#include "tune_request.h"

#define DEFAULT_BUDGET     "60s"
#define DEFAULT_PRECISIONS "sd"
#define MOST_BUDGET        (7 * 24 * 3600.0)

/* A size a factor of about ten for vectors, of four for matrices: an answer serves sizes up to two factors of
 * two away. gemv has variants of its own for few columns and for few rows. */
#define VECTOR_SIZES "1e4,1e5,1e6,1e7"
#define MATRIX_SIZES "256,1024,4096,8192"
#define GEMV_SIZES   MATRIX_SIZES ",1e6x16,16x1e6"
#define BAND_SIZES   "1e4x16,1e5x4,1e5x16,1e6x4,1e6x16,1e6x64"
#define BATCH_SIZES  "8x8x1e5,32x32x1e4"
/* Of products square ones, and thin ones: few columns, few terms, many terms. Those with three numbers are gemm's. */
#define PRODUCT_SIZES                                                                              \
    "128,256,512,1024,2048,4096,"                                                                  \
    "4096x64x4096,4096x4096x64,128x128x8192,4096x64,256x4096"
#define PRODUCTS_SIZES "4x1e5,8x1e5,16x1e5,32x1e4,64x1e3"

static const char *asked_precisions, *asked_sizes, *asked_trans, *asked_uplo, *asked_side;
static const char *asked_device, *asked_variant, *asked_budget = DEFAULT_BUDGET;
static const char *asked_set, *asked_import, *asked_export, *asked_colour;
static bool asked_vendor, asked_exhaustive, asked_regret, asked_again, asked_dry, asked_json;

static const args_option options[] = {
    {.name = "--prec",
     .value = "LETTERS",
     .help = "precisions, some of s, d, c, z (default sd)",
     .text = &asked_precisions},
    {.name = "--size",
     .value = "LIST",
     .help =
         "sizes as `gable bench` takes them (default " VECTOR_SIZES " for vectors,\n" MATRIX_SIZES
         " for matrices, " BATCH_SIZES " for many matrices,\n" BAND_SIZES " for bands;\n"
         "squares of 128 to 4096 and a few thin ones for products of matrices,\n" PRODUCTS_SIZES
         " for many products)",
     .text = &asked_sizes},
    {.name = "--trans",
     .value = "LIST",
     .help = "of matrices: some of N, T, C (default N,T; transpose: T), for gemm and\n"
             "gemmt also pairs such as NT",
     .text = &asked_trans},
    {.name = "--uplo",
     .value = "LIST",
     .help = "of symmetric and triangular matrices: L, U or both (default L)",
     .text = &asked_uplo},
    {.name = "--side",
     .value = "LIST",
     .help = "of symmetric and triangular factors: L, R or both (default L)",
     .text = &asked_side},
    {.name = "--device",
     .value = "D",
     .help = "cpu, cuda:0, opencl:0, opencl:pocl ... (default $GABLE_DEVICE, else\nthe best)",
     .text = &asked_device},
    {.name = "--budget",
     .value = "TIME",
     .help = "of all cases together, such as 90s, 10m or 2h (default " DEFAULT_BUDGET ");\n"
             "it is split evenly over them",
     .text = &asked_budget},
    {.name = "--variant",
     .value = "V",
     .help = "only this variant (default all that may be chosen by themselves)",
     .text = &asked_variant},
    {.name = "--set",
     .value = "LIST",
     .help = "hold tunables at values, as in items=256,wx=32: a smaller space",
     .text = &asked_set},
    {.name = "--with-vendor",
     .help = "time the vendor's library beside; it is never chosen",
     .flag = &asked_vendor},
    {.name = "--exhaustive",
     .help = "try everything, however long it takes",
     .flag = &asked_exhaustive},
    {.name = "--regret",
     .help = "search within the budget, then try the rest, and say how much slower\n"
             "the search's result is than the best of all",
     .flag = &asked_regret},
    {.name = "--again", .help = "time also what was measured before", .flag = &asked_again},
    {.name = "--import",
     .value = "FILE",
     .help = "first take over measurements from a file; needs no OP",
     .text = &asked_import},
    {.name = "--export",
     .value = "FILE",
     .help = "at the end write this device's measurements to a file; needs no OP",
     .text = &asked_export},
    {.name = "--dry-run",
     .help = "only say which cases there are and how many choices each has",
     .flag = &asked_dry},
    {.name = "--json", .help = "one JSON object per case", .flag = &asked_json},
    {.name = "--color", .value = "WHEN", .help = TERMINAL_COLOUR_HELP, .text = &asked_colour},
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

static bool any_takes(const tune_request *asked, gbl_kind what)
{
    for (int i = 0; i < asked->op_count; i++)
        if (bench_op_takes(asked->ops[i].op, what))
            return true;
    return false;
}

static int read_flags(tune_request *asked)
{
    static const gable_uplo uplo[] = {GABLE_LOWER, GABLE_UPPER};
    static const gable_side side[] = {GABLE_LEFT, GABLE_RIGHT};
    int places[BENCH_MAX_LETTERS] = {0};
    asked->cases.uplo_count = asked->cases.side_count = 1;
    asked->cases.uplo[0] = GABLE_LOWER;
    asked->cases.side[0] = GABLE_LEFT;
    if (asked_trans != NULL) {
        asked->cases.trans_count = case_words_trans(asked_trans, asked->cases.trans);
        bool fits = asked->cases.trans_count >= 0 && any_takes(asked, GBL_TRANS);
        for (int i = 0; fits && i < asked->op_count; i++)
            fits = case_words_trans_fits(asked->ops[i].op, asked->cases.trans,
                                         asked->cases.trans_count);
        if (!fits)
            return args_refuse(&tune_args,
                               "--trans is \"%s\"; it takes some of N, T, C, as in N,T, with "
                               "ops whose matrix may be transposed, and pairs, as in NT, with gemm",
                               asked_trans);
    }
    if (asked_side != NULL) {
        asked->cases.side_count = case_words_letters(asked_side, "LR", places);
        if (asked->cases.side_count < 0 || !any_takes(asked, GBL_SIDE))
            return args_refuse(&tune_args,
                               "--side is \"%s\"; it takes L, R or L,R, with ops such as trsm",
                               asked_side);
        for (int i = 0; i < asked->cases.side_count; i++)
            asked->cases.side[i] = side[places[i]];
    }
    if (asked_uplo != NULL) {
        asked->cases.uplo_count = case_words_letters(asked_uplo, "LU", places);
        if (asked->cases.uplo_count < 0 || !any_takes(asked, GBL_UPLO))
            return args_refuse(&tune_args,
                               "--uplo is \"%s\"; it takes L, U or L,U, with ops of one triangle",
                               asked_uplo);
        for (int i = 0; i < asked->cases.uplo_count; i++)
            asked->cases.uplo[i] = uplo[places[i]];
    }
    return EXIT_DONE;
}

/* What `gable bench` has of sparse matrices has nothing to tune: the structure of a matrix, which no key holds, decides
 * what is fastest. */
static bool is_sparse(const char *word)
{
    static const char *const words[] = {"sparse_mv", "sparse_mm", "cg",
                                        "bicgstab",  "gmres",     "gmres_orthogonalise"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static int add_op(const char *word, const char *precisions, tune_request *asked)
{
    bench_wanted wanted;
    if (is_sparse(word))
        return args_refuse(
            &tune_args,
            "\"%s\" is of sparse matrices, whose products are not tuned: the model chooses by the "
            "structure of each matrix; `gable explain spmv A.mtx` compares the formats, and "
            "`gable bench spmv --matrix A.mtx --variant V` measures a variant",
            word);
    if (!case_words_op(word, precisions, DEFAULT_PRECISIONS, &wanted)) {
        char hint[64];
        nearest best = {.text = ""};
        names_nearest_op(word, &best);
        nearest_sentence(&best, hint, sizeof hint);
        return args_refuse(&tune_args,
                           "there is no op \"%s\"; %s`gable help --list ops` lists them, and all "
                           "stands for every one",
                           word, hint);
    }
    if (wanted.dtypes != 0 && asked->op_count < TUNE_MAX_OPS)
        asked->ops[asked->op_count++] = wanted;
    return EXIT_DONE;
}

/* Every stem that is listed and exists in the precisions. */
static int add_all(const char *precisions, tune_request *asked)
{
    char names[NAMES_BYTES];
    bench_op_names(names, sizeof names);
    for (char *at = names; at != NULL && *at != '\0';) {
        char *comma = strstr(at, ", ");
        if (comma != NULL)
            *comma = '\0';
        const int code = add_op(at, precisions, asked);
        if (code != EXIT_DONE)
            return code;
        at = comma != NULL ? comma + 2 : NULL;
    }
    return EXIT_DONE;
}

static int read_ops(const args_words *words, tune_request *asked)
{
    const char *precisions = asked_precisions != NULL ? asked_precisions : DEFAULT_PRECISIONS;
    unsigned dtypes;
    const int read = case_words_precisions(&tune_args, precisions, &dtypes);
    if (read != EXIT_DONE)
        return read;
    if (words->count == 0 && asked_import == NULL && asked_export == NULL)
        return args_refuse(&tune_args, "needs an op such as gemv, or all; `gable help --list ops` "
                                       "lists them");
    for (int i = 0; i < words->count; i++) {
        const int code = strcmp(words->word[i], "all") == 0
                             ? add_all(precisions, asked)
                             : add_op(words->word[i], asked_precisions, asked);
        if (code != EXIT_DONE)
            return code;
    }
    if (words->count > 0 && asked->op_count == 0)
        return args_refuse(&tune_args, "%s does not exist in precision %s", words->word[0],
                           precisions);
    return case_words_typed(&tune_args, asked_precisions, words->word, words->count);
}

/* "90", "90s", "1.5m", "2h". */
static int read_budget(tune_request *asked)
{
    char *end;
    double seconds = strtod(asked_budget, &end);
    if (strcmp(end, "m") == 0)
        seconds *= 60;
    else if (strcmp(end, "h") == 0)
        seconds *= 3600;
    else if (*end != '\0' && strcmp(end, "s") != 0)
        seconds = 0;
    if (end == asked_budget || !(seconds > 0 && seconds <= MOST_BUDGET))
        return args_refuse(&tune_args,
                           "--budget is \"%s\"; it must be a time such as 90s, 10m or 2h",
                           asked_budget);
    asked->budget = asked_exhaustive ? INFINITY : seconds;
    return EXIT_DONE;
}

/* Whether some variant of the ops has a tunable with this value. */
static bool any_has(const tune_request *asked, const char *name, size_t length, long value)
{
    for (int i = 0; i < asked->op_count; i++) {
        const gbl_op *op = asked->ops[i].op->op;
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
    for (const char *at = asked_set; at != NULL;) {
        const size_t name = strcspn(at, "=");
        char *end = NULL;
        const long value = at[name] == '=' ? strtol(at + name + 1, &end, 10) : 0;
        if (end == NULL || end == at + name + 1 || (*end != ',' && *end != '\0') ||
            !any_has(asked, at, name, value))
            return args_refuse(&tune_args,
                               "--set has \"%s\"; it takes tunables that the ops have and their "
                               "legal values, as in items=256,wx=32",
                               at);
        at = *end == ',' ? end + 1 : NULL;
    }
    return EXIT_DONE;
}

/* "gemv=split_n" as `gable help --list variants` says it: the variant, where gemv is among the ops. */
static void strip_op(const tune_request *asked)
{
    const char *equals = asked_variant != NULL ? strchr(asked_variant, '=') : NULL;
    for (int i = 0; equals != NULL && i < asked->op_count; i++) {
        const char *stem = asked->ops[i].op->op->stem;
        if (strlen(stem) == (size_t)(equals - asked_variant) &&
            strncmp(stem, asked_variant, strlen(stem)) == 0) {
            asked_variant = equals + 1;
            return;
        }
    }
}

/* A variant that no op has is a mistake; one that some lack is none. */
static int check_variant(const tune_request *asked)
{
    if (asked_variant != NULL && strcmp(asked_variant, "vendor") == 0)
        return args_refuse(&tune_args,
                           "--variant is vendor, which has nothing to tune and is never "
                           "chosen; --with-vendor times it beside");
    bool found = asked_variant == NULL || asked->op_count == 0;
    for (int i = 0; i < asked->op_count; i++)
        for (int v = 0; v < asked->ops[i].op->op->variant_count; v++)
            found = found || strcmp(asked->ops[i].op->op->variants[v].name, asked_variant) == 0;
    return found ? EXIT_DONE
                 : args_refuse(&tune_args,
                               "--variant is \"%s\", which none of the ops has; `gable help --list "
                               "variants` lists them",
                               asked_variant);
}

static int check_sizes(const tune_request *asked)
{
    const bench_flags flags = BENCH_PLAIN_FLAGS;
    const bench_sizes *sizes = &asked->cases.sizes[CASE_VECTORS];
    char text[256];
    bench_case what;
    for (int i = 0; asked->sizes_given && i < asked->op_count; i++)
        for (int size = 0; size < sizes->count; size++)
            if (!bench_case_make(asked->ops[i].op, GBL_S, &flags, &sizes->size[size], &what, text,
                                 sizeof text))
                return args_refuse(&tune_args, "--size has \"%s\": %s", asked_sizes, text);
    return EXIT_DONE;
}

int tune_request_read(int argc, char **argv, tune_request *asked)
{
    args_words words;
    int code = args_parse(&tune_args, argc, argv, &words);
    if (code == EXIT_DONE)
        code = read_ops(&words, asked);
    if (code == EXIT_DONE)
        code = read_budget(asked);
    if (code == EXIT_DONE) {
        strip_op(asked);
        code = check_variant(asked);
    }
    if (code == EXIT_DONE)
        code = check_set(asked);
    asked->sizes_given = asked_sizes != NULL;
    if (code == EXIT_DONE)
        code = case_words_sizes(&tune_args, asked_sizes != NULL ? asked_sizes : VECTOR_SIZES,
                                &asked->cases.sizes[CASE_VECTORS]);
    if (code == EXIT_DONE)
        code = check_sizes(asked);
    if (code == EXIT_DONE)
        code = read_flags(asked);
    if (code == EXIT_DONE && asked_exhaustive && asked_regret)
        code = args_refuse(&tune_args, "--regret searches first, and --exhaustive does not search; "
                                       "take one of them");
    if (code == EXIT_DONE && !terminal_use_colour(asked_colour))
        code = args_refuse(&tune_args, "--color is \"%s\"; it must be auto, always or never",
                           asked_colour);
    asked->device = asked_device;
    asked->variant = asked_variant;
    asked->fixed = asked_set;
    asked->with_vendor = asked_vendor;
    asked->exhaustive = asked_exhaustive;
    asked->regret = asked_regret;
    asked->again = asked_again;
    asked->dry_run = asked_dry;
    asked->json = asked_json;
    asked->import_path = asked_import;
    asked->export_path = asked_export;
    return code;
}

/* The sizes of an op: those that were given, or its ladder. */
static void take_sizes(const tune_request *asked, const bench_op *op, bench_request *cases)
{
    static const char *const ladders[CASE_KINDS] = {
        [CASE_VECTORS] = VECTOR_SIZES,  [CASE_MATRIX] = MATRIX_SIZES,
        [CASE_BAND] = BAND_SIZES,       [CASE_BATCH] = BATCH_SIZES,
        [CASE_PRODUCT] = PRODUCT_SIZES, [CASE_PRODUCTS] = PRODUCTS_SIZES,
    };
    const case_kind kind = case_kind_of(op);
    const bool is_gemv = op->formula == BENCH_GEMV && kind == CASE_MATRIX;
    cases->sizes[kind] = asked->cases.sizes[CASE_VECTORS];
    if (!asked->sizes_given)
        case_words_sizes(&tune_args, is_gemv ? GEMV_SIZES : ladders[kind], &cases->sizes[kind]);
}

typedef struct each {
    bool (*take)(void *user, const bench_case *what);
    void *user;
    bool more;
} each;

static bool take_one(void *user, const bench_case *what)
{
    each *e = user;
    e->more = e->take(e->user, what);
    return e->more;
}

void tune_request_each(const tune_request *asked, bool (*take)(void *user, const bench_case *what),
                       void *user)
{
    static bench_request cases;
    each e = {take, user, true};
    for (int i = 0; i < asked->op_count && e.more; i++) {
        cases = asked->cases;
        cases.op_count = 1;
        cases.ops[0] = asked->ops[i];
        take_sizes(asked, asked->ops[i].op, &cases);
        bench_request_each(&cases, take_one, &e);
    }
}
