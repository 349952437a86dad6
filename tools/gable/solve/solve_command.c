/* solve_command.c: `gable solve`: a system with a matrix in a file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/command.h"
#include "gable/interrupt.h"
#include "gable/library_message.h"
#include "gable/terminal.h"
#include "solve.h"

#define OPTIONS_BYTES   512
#define WARM_ITERATIONS 3

static const char *asked_method, *asked_form, *asked_precond, *asked_block, *asked_tolerance,
    *asked_iterations, *asked_restart, *asked_format, *asked_device, *asked_out, *asked_svg;
static int asked_prec = -1; /* a gbl_dtype; -1: not given */
static bool asked_plot, asked_json;

static const args_option options[] = {
    {.name = "--method",
     .value = "M",
     .help = "auto, cg, bicgstab or gmres (default auto: cg for a symmetric matrix\n"
             "with a positive diagonal, else bicgstab; gmres where it cannot be\n"
             "definite)",
     .text = &asked_method,
     .words = "auto, cg, bicgstab, gmres"},
    {.name = "--form",
     .value = "F",
     .help = "of cg: auto, standard, pipelined or persistent (CUDA) (default auto)",
     .text = &asked_form,
     .words = "auto, standard, pipelined, persistent"},
    {.name = "--precond",
     .value = "P",
     .help = "auto, none, jacobi, block, ilu0 or ic0 (default auto: jacobi where the\n"
             "diagonal varies)",
     .text = &asked_precond,
     .words = "auto, none, jacobi, block, ilu0, ic0"},
    {.name = "--block",
     .value = "N",
     .help = "rows of a block of --precond block, 1 to 32 (default 4)",
     .text = &asked_block},
    {.name = "--tolerance",
     .value = "T",
     .help = "of |b - A x| / |b| (default 1e-8 in d and z, 1e-5 in s and c)",
     .text = &asked_tolerance},
    {.name = "--iterations",
     .value = "N",
     .help = "at most so many (default 10 n, at least 1000, at most 100000)",
     .text = &asked_iterations},
    {.name = "--restart", .value = "M", .help = "of gmres (default 30)", .text = &asked_restart},
    {.name = "--format",
     .value = "F",
     .help = "auto, keep, csr, coo, ell, sell or hyb: what is multiplied with\n"
             "(default auto: what the model predicts to be fastest)",
     .text = &asked_format,
     .words = "auto, keep, csr, coo, ell, sell, hyb"},
    {.name = "--prec",
     .value = "P",
     .help = "s, d, c or z (default d, or z where a file has complex numbers)",
     .word = &asked_prec,
     .words = "s, d, c or z"},
    {.name = "--device",
     .value = "D",
     .help = "the device (default: the best)",
     .text = &asked_device},
    {.name = "--plot", .help = "the residuals as a plot of letters", .flag = &asked_plot},
    {.name = "--svg", .value = "FILE", .help = "the residuals as a picture", .text = &asked_svg},
    {.name = "--out",
     .value = "FILE",
     .help = "writes x, in the Matrix Market format, also where it is only the best\n"
             "that was found",
     .text = &asked_out},
    {.name = "--json", .help = "one JSON object on one line", .flag = &asked_json},
    TERMINAL_COLOUR_OPTION,
};
const args_command solve_args = {
    .name = "solve",
    .summary = "solves A x = b for a sparse matrix in a file; picks method and format",
    .usage = "A.mtx [b.mtx] [options]",
    .about =
        "Reads a matrix, and a right-hand side if there is one, in the Matrix Market format and\n"
        "solves the system by an iterative method. Says what was picked and why, shows how the\n"
        "residual falls, and at the end the true residual, the time and the bytes of an "
        "iteration,\n"
        "and how much that is of what memory can give. Without b.mtx, b is A times ones, so that\n"
        "the error of x is known. The exit code is 1 if the system was not solved.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable solve A.mtx\n"
                "  gable solve A.mtx b.mtx --tolerance 1e-10 --out x.mtx\n"
                "  gable solve A.mtx --method gmres --restart 60 --precond block --plot\n",
};

/* ---- Options ---- */

/* The words for gable_solver_set. False: they are too long. */
static bool join_options(char text[OPTIONS_BYTES])
{
    const struct {
        const char *name, *value;
    } words[] = {{"method", asked_method},       {"form", asked_form},
                 {"precond", asked_precond},     {"block", asked_block},
                 {"tolerance", asked_tolerance}, {"iterations", asked_iterations},
                 {"restart", asked_restart},     {"format", asked_format}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].value == NULL)
            continue;
        const int length = snprintf(text + used, OPTIONS_BYTES - used, "%s%s=%s",
                                    used > 0 ? "," : "", words[i].name, words[i].value);
        used += (size_t)length;
        if (used >= OPTIONS_BYTES || strchr(words[i].value, ',') != NULL)
            return false;
    }
    return true;
}

static gable_status no_product(void *user, gable_context *ctx, const void *x, void *y)
{
    (void)user, (void)ctx, (void)x, (void)y;
    return GABLE_INTERNAL; /* it is never solved with */
}

/* Whether the solver takes the words: asked before files are read. */
static int check_options(gable_context *ctx, const char *words)
{
    gable_solver *trial = NULL;
    if (gable_solver_create_operator(ctx, 'd', 1, no_product, NULL, &trial) != GABLE_OK)
        return args_fail(&solve_args, "%s", library_message(ctx));
    const gable_status status = gable_solver_set(trial, words);
    gable_solver_destroy(trial);
    return status == GABLE_OK ? EXIT_DONE : args_refuse(&solve_args, "%s", library_message(ctx));
}

/* ---- Vectors ---- */

typedef struct vectors {
    int64_t n;
    double *pairs;  /* of b, then of x; on the host */
    void *elements; /* the same in the precision of A */
    void *b, *x;    /* on the device */
} vectors;

static gable_status product(gable_context *ctx, gable_sparse *A, gbl_dtype dtype, const void *x,
                            void *y)
{
    const gbl_sparse_product call = {.trans = GABLE_NO_TRANS,
                                     .k = 1,
                                     .ldx = A->layout.columns,
                                     .ldy = A->layout.rows,
                                     .A = A,
                                     .x = x,
                                     .y = y,
                                     .alpha = {.re = 1}};
    return gbl_sparse_multiply(ctx, "gable_sparse_mv", dtype, &call);
}

/* b and a first guess of 0 on the device. Without a file x is ones for a while, and b is made of
 * it. */
static gable_status send_vectors(const solve_case *what, vectors *v)
{
    gable_context *ctx = what->ctx;
    const gbl_dtype dtype = what->A->layout.dtype;
    const size_t elem = gbl_dtype_bytes(dtype), bytes = ((size_t)v->n + 1) * elem;
    TRY(gable_alloc(ctx, bytes, &v->b));
    TRY(gable_alloc(ctx, bytes, &v->x));
    for (int64_t i = 0; i < v->n && what->b_path == NULL; i++)
        v->pairs[2 * i] = 1;
    solve_vector_pack(dtype, v->n, v->pairs, v->elements);
    TRY(gable_set_vector(ctx, v->n, elem, v->elements, 1, what->b_path == NULL ? v->x : v->b, 1));
    if (what->b_path == NULL)
        TRY(product(ctx, what->A, dtype, v->x, v->b));
    return gable_fill_bytes(ctx, v->x, 0, bytes);
}

static gable_status fetch_solution(solve_case *what, vectors *v)
{
    const gbl_dtype dtype = what->A->layout.dtype;
    TRY(gable_get_vector(what->ctx, v->n, gbl_dtype_bytes(dtype), v->x, 1, v->elements, 1));
    solve_vector_unpack(dtype, v->n, v->elements, v->pairs);
    what->x_error = what->b_path == NULL ? 0 : -1;
    for (int64_t i = 0; i < v->n && what->b_path == NULL; i++) {
        const double off = hypot(v->pairs[2 * i] - 1, v->pairs[2 * i + 1]);
        if (!(off <= what->x_error))
            what->x_error = off; /* NaN stays */
    }
    return GABLE_OK;
}

/* ---- One after the other ---- */

static int fail(const solve_case *what)
{
    terminal_progress_erase();
    return args_fail(&solve_args, "%s", library_message(what->ctx));
}

static int read_matrix(solve_case *what, bool complex_b)
{
    const double before = terminal_now();
    const char precision = asked_prec >= 0 ? gbl_dtype_letter((gbl_dtype)asked_prec)
                           : complex_b     ? 'z'
                                           : 0;
    terminal_progress_start();
    if (gable_sparse_read(what->ctx, what->matrix_path, precision, &what->A) != GABLE_OK ||
        gable_sparse_describe(what->ctx, what->A, &what->about) != GABLE_OK)
        return fail(what);
    what->read_seconds = terminal_now() - before;
    if (what->about.rows != what->about.columns)
        return args_fail(&solve_args, "%s is %lld x %lld; only square systems are solved",
                         what->matrix_path, (long long)what->about.rows,
                         (long long)what->about.columns);
    return EXIT_DONE;
}

static int prepare(solve_case *what, const char *words)
{
    gable_context *ctx = what->ctx;
    gable_format format;
    if (gable_solver_create(ctx, what->A, &what->solver) != GABLE_OK ||
        gable_solver_set(what->solver, words) != GABLE_OK ||
        gable_sparse_choose(ctx, what->A, &format, what->format_why, sizeof what->format_why) !=
            GABLE_OK ||
        gbl_solver_prepare(what->solver) != GABLE_OK)
        return fail(what);
    const double asked = what->solver->options.tolerance;
    const bool single = gbl_dtype_real_bytes(what->A->layout.dtype) == 4;
    what->history.tolerance = asked >= 0 ? asked : single ? 1e-5 : 1e-8;
    return EXIT_DONE;
}

/* Kernels are compiled when they are first launched: a few iterations before, so that the time is
 * that of a solve. */
static gable_status warm_up(const solve_case *what, const vectors *v)
{
    gable_solver *solver = what->solver;
    const int64_t asked_for = solver->options.iterations;
    if (what->ctx->device->props.is_host)
        return GABLE_OK;
    terminal_progress_now("compiling kernels", 0);
    solver->options.iterations = WARM_ITERATIONS;
    const gable_status status = gable_solver_solve(solver, v->b, v->x, NULL);
    solver->options.iterations = asked_for;
    TRY(status);
    return gable_fill_bytes(what->ctx, v->x, 0,
                            (size_t)v->n * gbl_dtype_bytes(what->A->layout.dtype));
}

/* The files of --out and --svg: opened before anything is read, so that no solution is lost for
 * want of a folder. */
static gbl_draft out_file = {.file = -1}, svg_file = {.file = -1};

static int open_files(void)
{
    if (asked_out != NULL && !gbl_draft_open(&out_file, asked_out))
        return args_fail(&solve_args, "%s cannot be written: %s", asked_out, strerror(errno));
    if (asked_svg != NULL && !gbl_draft_open(&svg_file, asked_svg))
        return args_fail(&solve_args, "%s cannot be written: %s", asked_svg, strerror(errno));
    return EXIT_DONE;
}

static int write_files(const solve_case *what, const vectors *v)
{
    gbl_message message = {NULL, ""};
    char title[256];
    int code = EXIT_DONE;
    fflush(stdout); /* a file may be /dev/stdout */
    if (asked_out != NULL && solve_vector_write(&out_file, asked_out, what->A->layout.dtype, v->n,
                                                v->pairs, &message) != GABLE_OK)
        code = args_fail(&solve_args, "%s", message.text);
    snprintf(title, sizeof title, "%.160s: |b - A x| / |b|, %s", what->matrix_path,
             what->info.method);
    if (asked_svg != NULL && !solve_plot_svg(&what->history, title, &svg_file))
        code = args_fail(&solve_args, "%s cannot be written: %s", asked_svg, strerror(errno));
    return code;
}

static int solve(solve_case *what, const char *words, vectors *v)
{
    int code = prepare(what, words);
    if (code != EXIT_DONE)
        return code;
    if (send_vectors(what, v) != GABLE_OK)
        return fail(what);
    if (!asked_json)
        solve_show_choice(what);
    gable_status status = warm_up(what, v);
    terminal_progress_erase();
    solve_history_start(&what->history, what->history.tolerance, asked_json);
    gable_solver_monitor(what->solver, solve_history_add, &what->history);
    if (status == GABLE_OK)
        status = gable_solver_solve(what->solver, v->b, v->x, &what->info);
    terminal_progress_erase();
    if (status != GABLE_OK || fetch_solution(what, v) != GABLE_OK)
        return fail(what);
    if (asked_json)
        solve_show_json(what);
    else
        solve_show_result(what);
    if (asked_plot && !asked_json)
        solve_plot_text(&what->history);
    code = write_files(what, v);
    if (interrupt_asked)
        return EXIT_STOPPED;
    return what->info.outcome == GABLE_SOLVED ? code : EXIT_FAILED;
}

static void clean_up(solve_case *what, vectors *v)
{
    solve_history_free(&what->history);
    gable_solver_destroy(what->solver);
    gable_sparse_destroy(what->ctx, what->A);
    gable_free(what->ctx, v->b);
    gable_free(what->ctx, v->x);
    free(v->pairs);
    free(v->elements);
}

static int run(gable_context *ctx, const args_words *words, const char *asked)
{
    solve_case what = {.ctx = ctx,
                       .matrix_path = words->word[0],
                       .b_path = words->count > 1 ? words->word[1] : NULL};
    gbl_message message = {NULL, ""};
    vectors v = {.n = 0};
    bool complex = false;
    int code = EXIT_DONE;
    if (what.b_path != NULL &&
        (v.pairs = solve_vector_read(what.b_path, &v.n, &complex, &message)) == NULL)
        code = args_fail(&solve_args, "%s", message.text);
    if (code == EXIT_DONE && complex && asked_prec >= 0 &&
        !gbl_dtype_complex((gbl_dtype)asked_prec))
        code = args_refuse(&solve_args, "--prec is %c, but %s has complex numbers",
                           gbl_dtype_letter((gbl_dtype)asked_prec), what.b_path);
    if (code == EXIT_DONE)
        code = read_matrix(&what, complex);
    if (code == EXIT_DONE && what.b_path != NULL && v.n != what.about.rows)
        code = args_fail(&solve_args, "%s has %lld elements, but %s %lld rows", what.b_path,
                         (long long)v.n, what.matrix_path, (long long)what.about.rows);
    if (code == EXIT_DONE) {
        v.n = what.about.rows;
        if (v.pairs == NULL)
            v.pairs = calloc((size_t)v.n + 1, 2 * sizeof *v.pairs);
        v.elements = calloc((size_t)v.n + 1, 16);
        code = v.pairs == NULL || v.elements == NULL
                   ? args_fail(&solve_args, "no memory for %lld elements", (long long)v.n)
                   : solve(&what, asked, &v);
    }
    clean_up(&what, &v);
    return code;
}

int solve_command(int argc, char **argv)
{
    args_words words;
    char asked[OPTIONS_BYTES];
    const int parsed = args_parse(&solve_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count == 0)
        return args_refuse(&solve_args, "needs a matrix: gable solve A.mtx");
    if (words.count > 2)
        return args_refuse(&solve_args, "takes a matrix and a right-hand side, but got \"%s\" too",
                           words.word[2]);
    if (!join_options(asked))
        return args_refuse(&solve_args, "a value is too long or has a comma");
    gable_context *ctx = NULL;
    if (gable_open(&ctx, asked_device) != GABLE_OK) {
        const int code =
            args_fail(&solve_args, "%s", ctx != NULL ? library_message(ctx) : "no memory");
        gable_close(ctx);
        return code;
    }
    interrupt_watch();
    int code = check_options(ctx, asked);
    if (code == EXIT_DONE)
        code = open_files();
    if (code == EXIT_DONE)
        code = run(ctx, &words, asked);
    gbl_draft_drop(&out_file);
    gbl_draft_drop(&svg_file);
    gable_close(ctx);
    return code;
}
