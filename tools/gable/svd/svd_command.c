/* svd_command.c: `gable svd`: singular values of a matrix in a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "gable/dense/spectrum.h"
#include "gable/command.h"
#include "gable/json.h"
#include "gable/library_message.h"
#include "gable/terminal.h"
#include "svd.h"

static const char *asked_vectors, *asked_device;
static int64_t asked_k;
static int asked_prec = -1; /* a gbl_dtype; -1: not given */
static bool asked_plot, asked_json;
static double asked_tolerance; /* 0: not given */
static spectrum_range asked_range;

static const args_option options[] = {
    {.name = "--k",
     .value = "N",
     .help = "shows and writes the N largest alone",
     .count = &asked_k,
     .least = 1,
     .most = 1e9,
     .without = "--range",
     .because = "they are two ways to say which singular values are wanted"},
    {.name = "--range",
     .value = "RANGE",
     .help = "LO:HI: shows and writes those in LO < s <= HI alone; LO or HI may be\n"
             "left out",
     .to = &asked_range,
     .read = spectrum_read_range},
    {.name = "--vectors",
     .value = "FILE",
     .help = "computes singular vectors, too, says how good they are, and writes\n"
             "them as columns of Matrix Market arrays: of A.mtx U to A-U.mtx and\n"
             "V to A-V.mtx",
     .text = &asked_vectors},
    {.name = "--tolerance",
     .value = "T",
     .help = "values up to T times the largest are zero for the rank (default\n"
             "max(m, n) 2u, u the unit roundoff)",
     .number = &asked_tolerance,
     .most = 1},
    {.name = "--prec",
     .value = "P",
     .help = "s, d, c or z (default d, or z where the file has complex numbers)",
     .word = &asked_prec,
     .words = "s, d, c or z"},
    {.name = "--device",
     .value = "D",
     .help = "the device (default: the best)",
     .text = &asked_device},
    {.name = "--plot", .help = "the spectrum as a plot of letters", .flag = &asked_plot},
    {.name = "--json",
     .help = "one JSON object on one line, with all values that were asked for",
     .flag = &asked_json},
    TERMINAL_COLOUR_OPTION,
};
const args_command svd_args = {
    .name = "svd",
    .summary = "singular values of a matrix in a file, and vectors",
    .usage = "A.mtx [options]",
    .about =
        "Reads a matrix of any shape in the Matrix Market format, finds its singular values on "
        "the\n"
        "device, and shows the first and the last of them, descending, with the rank and the\n"
        "condition. With singular vectors it says how far A is from U S V^H, and U^H U and V^H V\n"
        "from the identity, as LAPACK's tests do; right vectors give a few at most. All values, "
        "and\n"
        "all min(m, n) pairs of vectors, are computed whichever are asked for. The matrix is "
        "taken\n"
        "as dense. The exit code is 1 if not all values were found.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable svd A.mtx --plot\n"
                "  gable svd A.mtx --k 10 --vectors A.mtx\n"
                "  gable svd A.mtx --tolerance 1e-6 --json\n",
};

/* ---- What is said of the values ---- */

typedef struct summary {
    int64_t first, count;          /* of the values that were asked for */
    double tolerance;              /* of the largest */
    int64_t rank;                  /* values above it */
    double condition, above_zeros; /* largest over smallest: of all, of those above it */
} summary;

static summary sum_up(const svd_case *what)
{
    const double unit = gbl_dtype_real_bytes(what->A.dtype) == 4 ? 0x1p-23 : 0x1p-52,
                 side = (double)(what->A.m > what->A.n ? what->A.m : what->A.n), *s = what->values;
    summary sum = {.count = asked_k > 0 && asked_k < what->k ? asked_k : what->k,
                   .tolerance = asked_tolerance > 0 ? asked_tolerance : side * unit};
    if (asked_range.given) {
        while (sum.first < what->k && s[sum.first] > asked_range.to)
            sum.first++;
        sum.count = 0;
        while (sum.first + sum.count < what->k && s[sum.first + sum.count] > asked_range.from)
            sum.count++;
    }
    while (sum.rank < what->k && s[sum.rank] > sum.tolerance * s[0])
        sum.rank++;
    sum.condition = s[0] / s[what->k - 1];
    sum.above_zeros = sum.rank > 0 ? s[0] / s[sum.rank - 1] : (double)NAN;
    return sum;
}

static void show_rank(const svd_case *what, const summary *sum)
{
    printf("rank %lld of %lld: values above %.2g of the largest (%s)\n", (long long)sum->rank,
           (long long)what->k, sum->tolerance,
           asked_tolerance > 0 ? "--tolerance" : "max(m, n) 2u");
    if (sum->rank == 0)
        printf("condition: none, all values are 0\n");
    else if (sum->rank == what->k)
        printf("condition %.3g, the largest value over the smallest\n", sum->condition);
    else
        printf("condition %.3g, the largest value over the smallest; over the last above that "
               "%.3g\n",
               sum->condition, sum->above_zeros);
}

static void show(const gable_context *ctx, const svd_case *what)
{
    const summary sum = sum_up(what);
    const double *values = what->values + sum.first;
    const dense_matrix *A = &what->A;
    printf("%s: %lld x %lld, read in %.2g s\n", A->path, (long long)A->m, (long long)A->n,
           what->read_seconds);
    printf("%lld singular values in %c on %s in %.3g s%s", (long long)what->k,
           gbl_dtype_letter(A->dtype), ctx->device->info.name, what->seconds,
           ctx->device->props.is_host ? "" : ", with compiling");
    if (sum.count == 0)
        printf("; none is in the range\n");
    else if (sum.count < what->k)
        printf("; numbers %lld to %lld:\n", (long long)sum.first + 1,
               (long long)(sum.first + sum.count));
    else
        printf("\n");
    spectrum_values(A->dtype, values, sum.count, sum.first + 1);
    if (what->info == 0)
        show_rank(what, &sum);
    if (what->vectors)
        printf("norm(A - U S V^H) / (max(m, n) norm(A) 2u) = %.2g\n"
               "norm(U^H U - I) / (m 2u) = %.2g, norm(V^H V - I) / (n 2u) = %.2g\n",
               what->residual, what->orthogonality_u, what->orthogonality_v);
    if (asked_plot)
        spectrum_plot_quotients(values, sum.count, sum.tolerance * what->values[0]);
}

static void show_json(const gable_context *ctx, const svd_case *what)
{
    const summary sum = sum_up(what);
    const char prec[] = {gbl_dtype_letter(what->A.dtype), '\0'};
    json_open(NULL);
    json_text("op", "svd");
    json_text("file", what->A.path);
    json_text("prec", prec);
    json_text("device", ctx->device->info.name);
    json_integer("m", what->A.m);
    json_integer("n", what->A.n);
    json_integer("info", what->info);
    json_number("seconds", what->seconds);
    json_number("tolerance", sum.tolerance);
    if (what->info == 0) {
        json_integer("rank", sum.rank);
        json_number("condition", sum.condition);
        json_number("condition_of_rank", sum.above_zeros);
    }
    if (what->vectors) {
        json_number("residual", what->residual);
        json_number("orthogonality_u", what->orthogonality_u);
        json_number("orthogonality_v", what->orthogonality_v);
    }
    json_integer("first", sum.first + 1);
    json_integer("count", sum.count);
    json_open_list("values");
    for (int64_t i = 0; i < sum.count; i++)
        json_exact(NULL, what->values[sum.first + i]);
    json_close();
    json_close();
}

/* ---- Files of vectors ---- */

typedef struct vectors_file {
    char path[PATH_MAX];
    gbl_draft draft;
} vectors_file;

/* A.mtx: A-U.mtx and A-V.mtx; other names: -U and -V at the end. */
static int open_file(vectors_file *file, const char *letter)
{
    static const char ending[] = ".mtx";
    const size_t length = strlen(asked_vectors), tail = sizeof ending - 1;
    const bool has_ending = length > tail && strcmp(asked_vectors + length - tail, ending) == 0;
    const int stem = (int)(has_ending ? length - tail : length);
    struct stat about;
    if (length + 3 > sizeof file->path)
        return args_fail(&svd_args, "%s cannot be written: %s", asked_vectors,
                         strerror(ENAMETOOLONG));
    if (stat(asked_vectors, &about) == 0 && !S_ISREG(about.st_mode))
        return args_fail(&svd_args,
                         "%s is no plain file: --vectors names two, of Z.mtx Z-U.mtx and Z-V.mtx",
                         asked_vectors);
    snprintf(file->path, sizeof file->path, "%.*s-%s%s", stem, asked_vectors, letter,
             has_ending ? ending : "");
    return gbl_draft_open(&file->draft, file->path)
               ? EXIT_DONE
               : args_fail(&svd_args, "%s cannot be written: %s", file->path, strerror(errno));
}

/* Columns of V in the place of the rows of V^H that were asked for. */
static gable_status make_columns(const svd_case *what, const summary *sum, double **columns,
                                 gbl_message *message)
{
    const int64_t n = what->A.n;
    *columns = malloc(((size_t)(n * sum->count) + 1) * 2 * sizeof **columns);
    if (*columns == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no memory to write the vectors");
    for (int64_t j = 0; j < sum->count; j++)
        for (int64_t i = 0; i < n; i++) {
            const double *from = what->Vt + 2 * (sum->first + j + i * what->k);
            (*columns)[2 * (i + j * n)] = from[0];
            (*columns)[2 * (i + j * n) + 1] = from[1] == 0 ? 0 : -from[1];
        }
    return GABLE_OK;
}

static gable_status write_vectors(vectors_file files[2], const svd_case *what, gbl_message *message)
{
    const summary sum = sum_up(what);
    const dense_matrix *A = &what->A;
    double *V;
    TRY(make_columns(what, &sum, &V, message));
    gable_status status =
        dense_write(&files[0].draft, files[0].path, A->dtype, A->m, sum.count,
                    what->U + 2 * sum.first * A->m, "left singular vectors by gable svd", message);
    if (status == GABLE_OK)
        status = dense_write(&files[1].draft, files[1].path, A->dtype, A->n, sum.count, V,
                             "right singular vectors by gable svd", message);
    free(V);
    return status;
}

/* ---- The command ---- */

static bool read_matrix(const gable_context *ctx, svd_case *what, gbl_message *message)
{
    gbl_market file;
    if (!dense_open(&what->A, asked_prec, &file, message))
        return false;
    what->k = what->A.m < what->A.n ? what->A.m : what->A.n;
    if (what->k == 0) {
        gbl_market_free(&file);
        gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no %s", what->A.path,
                 what->A.m == 0 ? "rows" : "columns");
        return false;
    }
    return dense_fill(&what->A, &file, svd_host_bytes(ctx, what), message);
}

static int run(gable_context *ctx, svd_case *what, vectors_file files[2])
{
    gbl_message message = {NULL, ""};
    const double before = terminal_now();
    if (!read_matrix(ctx, what, &message))
        return args_fail(&svd_args, "%s", message.text);
    what->read_seconds = terminal_now() - before;
    if (svd_run(ctx, what) != GABLE_OK)
        return args_fail(&svd_args, "%s", library_message(ctx));
    if (asked_json)
        show_json(ctx, what);
    else
        show(ctx, what);
    if (what->info < 0)
        return args_fail(&svd_args, "%s has a NaN or an infinity", what->A.path);
    if (what->info > 0)
        return args_fail(&svd_args, "not all singular values converged; LAPACK's info is %lld",
                         (long long)what->info);
    if (what->vectors && write_vectors(files, what, &message) != GABLE_OK)
        return args_fail(&svd_args, "%s", message.text);
    if (what->vectors && !asked_json)
        printf("U is in %s, V in %s\n", files[0].path, files[1].path);
    return EXIT_DONE;
}

int svd_command(int argc, char **argv)
{
    args_words words;
    static vectors_file files[2] = {{.draft = {.file = -1}}, {.draft = {.file = -1}}};
    gable_context *ctx = NULL;
    const int parsed = args_parse(&svd_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count != 1)
        return args_refuse(&svd_args, words.count == 0 ? "needs a matrix: gable svd A.mtx"
                                                       : "takes one matrix: gable svd A.mtx");
    svd_case what = {.A = {.path = words.word[0]}, .vectors = asked_vectors != NULL};
    if (gable_open(&ctx, asked_device) != GABLE_OK) {
        const int code =
            args_fail(&svd_args, "%s", ctx != NULL ? library_message(ctx) : "no memory");
        gable_close(ctx);
        return code;
    }
    int code = EXIT_DONE;
    for (int i = 0; what.vectors && i < 2 && code == EXIT_DONE; i++)
        code = open_file(&files[i], i == 0 ? "U" : "V");
    if (code == EXIT_DONE)
        code = run(ctx, &what, files);
    for (int i = 0; i < 2; i++)
        gbl_draft_drop(&files[i].draft);
    svd_free(&what);
    gable_close(ctx);
    return code;
}
