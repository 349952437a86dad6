/* eig_command.c: `gable eig`: eigenvalues of a symmetric matrix in a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "gable/dense/spectrum.h"
#include "eig.h"
#include "gable/command.h"
#include "gable/json.h"
#include "gable/library_message.h"
#include "gable/terminal.h"

static const char *asked_vectors, *asked_device;
static int64_t asked_k;
static int asked_prec = -1; /* a gbl_dtype; -1: not given */
static bool asked_plot, asked_json;
static spectrum_range asked_range;

static const args_option options[] = {
    {.name = "--k",
     .value = "N",
     .help = "the N largest eigenvalues alone",
     .count = &asked_k,
     .least = 1,
     .most = 1e9,
     .without = "--range",
     .because = "they are two ways to say which eigenvalues are wanted"},
    {.name = "--range",
     .value = "RANGE",
     .help = "LO:HI: those in LO < w <= HI alone; LO or HI may be left out",
     .to = &asked_range,
     .read = spectrum_read_range},
    {.name = "--vectors",
     .value = "FILE",
     .help = "computes eigenvectors, too, writes them as the columns of a Matrix\n"
             "Market array, and says how good they are",
     .text = &asked_vectors},
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
    {.name = "--json", .help = "one JSON object on one line, with all values", .flag = &asked_json},
    TERMINAL_COLOUR_OPTION,
};
const args_command eig_args = {
    .name = "eig",
    .summary = "eigenvalues of a symmetric matrix in a file, and vectors",
    .usage = "A.mtx [options]",
    .about =
        "Reads a symmetric or Hermitian matrix in the Matrix Market format, finds all or some of\n"
        "its eigenvalues on the device, and shows the first and the last of them, ascending. With\n"
        "eigenvectors it says how far A Z is from Z W and Z^H Z from the identity, as LAPACK's\n"
        "tests do: over n norm(A) 2 u and over n 2 u; right vectors give a few at most. The "
        "matrix\n"
        "is taken as dense. The exit code is 1 if not all eigenvalues were found.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable eig A.mtx --plot\n"
                "  gable eig A.mtx --k 10 --vectors Z.mtx\n"
                "  gable eig A.mtx --range 0:1 --json\n",
};

/* ---- What is shown ---- */

static void show(const gable_context *ctx, const eig_case *what)
{
    printf("%s: %lld x %lld, read in %.2g s\n", what->A.path, (long long)what->A.n,
           (long long)what->A.n, what->read_seconds);
    printf("%lld eigenvalues in %c on %s in %.3g s%s\n", (long long)what->count,
           gbl_dtype_letter(what->A.dtype), ctx->device->info.name, what->seconds,
           ctx->device->props.is_host ? "" : ", with compiling");
    spectrum_values(what->A.dtype, what->values, what->count, 1);
    if (what->vectors != NULL)
        printf("norm(A Z - Z W) / (n norm(A) 2u) = %.2g, norm(Z^H Z - I) / (n 2u) = %.2g\n",
               what->residual, what->orthogonality);
    if (asked_plot)
        spectrum_plot(what->values, what->count);
}

static void show_json(const gable_context *ctx, const eig_case *what)
{
    const char prec[] = {gbl_dtype_letter(what->A.dtype), '\0'};
    json_open(NULL);
    json_text("op", "eig");
    json_text("file", what->A.path);
    json_text("prec", prec);
    json_text("device", ctx->device->info.name);
    json_integer("n", what->A.n);
    json_integer("count", what->count);
    json_integer("info", what->info);
    json_number("seconds", what->seconds);
    if (what->vectors != NULL) {
        json_number("residual", what->residual);
        json_number("orthogonality", what->orthogonality);
    }
    json_open_list("values");
    for (int64_t i = 0; i < what->count; i++)
        json_exact(NULL, what->values[i]);
    json_close();
    json_close();
}

/* ---- The command ---- */

static int run(gable_context *ctx, eig_case *what, gbl_draft *draft)
{
    const eig_wanted wanted = {.largest = asked_k,
                               .between = asked_range.given,
                               .from = asked_range.from,
                               .to = asked_range.to,
                               .vectors = asked_vectors != NULL};
    gbl_message message = {NULL, ""};
    const double before = terminal_now();
    if (!eig_read(ctx, what, asked_prec, &wanted, &message))
        return args_fail(&eig_args, "%s", message.text);
    what->read_seconds = terminal_now() - before;
    if (what->A.n == 0)
        return args_fail(&eig_args, "%s has no rows", what->A.path);
    if (eig_run(ctx, what, &wanted) != GABLE_OK)
        return args_fail(&eig_args, "%s", library_message(ctx));
    if (asked_json)
        show_json(ctx, what);
    else
        show(ctx, what);
    if (what->info < 0)
        return args_fail(&eig_args, "%s has a NaN or an infinity", what->A.path);
    if (what->info > 0)
        return args_fail(&eig_args, "not all %s converged; LAPACK's info is %lld",
                         asked_vectors != NULL ? "eigenvalues and vectors" : "eigenvalues",
                         (long long)what->info);
    if (asked_vectors != NULL &&
        dense_write(draft, asked_vectors, what->A.dtype, what->A.n, what->count, what->vectors,
                    "eigenvectors by gable eig", &message) != GABLE_OK)
        return args_fail(&eig_args, "%s", message.text);
    return EXIT_DONE;
}

int eig_command(int argc, char **argv)
{
    args_words words;
    gbl_draft draft = {.file = -1};
    gable_context *ctx = NULL;
    const int parsed = args_parse(&eig_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count != 1)
        return args_refuse(&eig_args, words.count == 0 ? "needs a matrix: gable eig A.mtx"
                                                       : "takes one matrix: gable eig A.mtx");
    eig_case what = {.A = {.path = words.word[0]}};
    if (gable_open(&ctx, asked_device) != GABLE_OK) {
        const int code =
            args_fail(&eig_args, "%s", ctx != NULL ? library_message(ctx) : "no memory");
        gable_close(ctx);
        return code;
    }
    int code =
        asked_vectors != NULL && !gbl_draft_open(&draft, asked_vectors)
            ? args_fail(&eig_args, "%s cannot be written: %s", asked_vectors, strerror(errno))
            : EXIT_DONE;
    if (code == EXIT_DONE)
        code = run(ctx, &what, &draft);
    gbl_draft_drop(&draft);
    eig_free(&what);
    gable_close(ctx);
    return code;
}
