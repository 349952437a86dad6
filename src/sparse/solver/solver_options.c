/* solver_options.c: gable_solver_set: options as words.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All words are read into a copy; only when every one is understood it becomes the solver's.
 */
#include <math.h>
#include <string.h>
#include "core/number_text.h"
#include "sparse/solver/gmres.h"
#include "sparse/solver/solver.h"

/* A piece of the text. */
typedef struct piece {
    const char *at;
    int length;
} piece;

static bool is(piece word, const char *name)
{
    return (size_t)word.length == strlen(name) && strncmp(word.at, name, strlen(name)) == 0;
}

/* ---- Kinds of values ---- */

typedef struct choice {
    const char *name;
    int value;
} choice;

static const choice methods[] = {{"auto", GBL_METHOD_AUTO},
                                 {"cg", GBL_METHOD_CG},
                                 {"bicgstab", GBL_METHOD_BICGSTAB},
                                 {"gmres", GBL_METHOD_GMRES},
                                 {NULL, 0}};
static const choice forms[] = {{"auto", GBL_FORM_AUTO},
                               {"standard", GBL_STANDARD},
                               {"pipelined", GBL_PIPELINED},
                               {"persistent", GBL_PERSISTENT},
                               {NULL, 0}};
static const choice preconds[] = {{"auto", GBL_PRECOND_AUTO},
                                  {"none", GBL_PRECOND_NONE},
                                  {"jacobi", GBL_PRECOND_JACOBI},
                                  {"block", GBL_PRECOND_BLOCK},
                                  {"ilu0", GBL_PRECOND_ILU0},
                                  {"ic0", GBL_PRECOND_IC0},
                                  {NULL, 0}};
static const choice formats[] = {
    {"auto", GABLE_FORMAT_AUTO}, {"keep", -1},         {"csr", GABLE_CSR}, {"coo", GABLE_COO},
    {"ell", GABLE_ELL},          {"sell", GABLE_SELL}, {"hyb", GABLE_HYB}, {NULL, 0}};

static const choice guesses[] = {{"x", 0}, {"zero", 1}, {NULL, 0}};
static const choice answers[] = {{"best", 0}, {"last", 1}, {NULL, 0}};

/* One of a list. */
static bool read_choice(piece value, const choice *list, int *chosen)
{
    for (; list->name != NULL; list++) {
        if (is(value, list->name)) {
            *chosen = list->value;
            return true;
        }
    }
    return false;
}

static bool read_number(piece value, double *number)
{
    char text[GBL_NUMBER_BYTES];
    if (value.length <= 0 || value.length >= (int)sizeof text)
        return false;
    memcpy(text, value.at, (size_t)value.length);
    text[value.length] = '\0';
    const char *rest = gbl_number_read(text, number);
    return rest != NULL && *rest == '\0' && isfinite(*number);
}

static bool read_count(piece value, double low, double high, int64_t *count)
{
    double number;
    if (!read_number(value, &number) || number != floor(number) || !(number >= low) ||
        !(number <= high))
        return false;
    *count = (int64_t)number;
    return true;
}

static bool read_tolerance(piece value, double high, double *tolerance)
{
    double number;
    if (!read_number(value, &number) || !(number >= 0) || !(number < high))
        return false;
    *tolerance = number;
    return true;
}

/* ---- The words ---- */

#define MOST_ITERATIONS 1e15

typedef enum word {
    METHOD,
    FORM,
    PRECOND,
    BLOCK,
    TOLERANCE,
    ABSOLUTE,
    ITERATIONS,
    RESTART,
    BATCH,
    REPEATS,
    FORMAT,
    GUESS,
    ANSWER
} word;

static const struct {
    const char *name, *rule;
} words[] = {
    [METHOD] = {"method", "auto, cg, bicgstab or gmres"},
    [FORM] = {"form", "auto, standard, pipelined or persistent"},
    [PRECOND] = {"precond", "auto, none, jacobi, block, ilu0 or ic0"},
    [BLOCK] = {"block", "a whole number from 1 to 32"},
    [TOLERANCE] = {"tolerance", "a number from 0 to below 1"},
    [ABSOLUTE] = {"absolute", "a number that is not negative"},
    [ITERATIONS] = {"iterations", "a whole number, at least 1"},
    [RESTART] = {"restart", "a whole number from 1 to 1000, on devices other than cpu to 256"},
    [BATCH] = {"batch", "a whole number from 0 to 128"},
    [REPEATS] = {"repeats", "a whole number, 0 or more"},
    [FORMAT] = {"format", "auto, keep, csr, coo, ell, sell or hyb"},
    [GUESS] = {"guess", "x or zero"},
    [ANSWER] = {"answer", "best or last"},
};
#define WORDS (sizeof words / sizeof words[0])

static bool read_value(word name, piece value, int64_t most_restart, gbl_solver_options *options)
{
    int chosen = 0;
    int64_t count = 0;
    bool good = false;
    switch (name) {
    case METHOD:
        if ((good = read_choice(value, methods, &chosen)))
            options->method = (gbl_method_name)chosen;
        return good;
    case FORM:
        if ((good = read_choice(value, forms, &chosen)))
            options->form = (gbl_form)chosen;
        return good;
    case PRECOND:
        if ((good = read_choice(value, preconds, &chosen)))
            options->precond = (gbl_precond_name)chosen;
        return good;
    case BLOCK:
        if ((good = read_count(value, 1, 32, &count)))
            options->block = (int)count;
        return good;
    case TOLERANCE:
        return read_tolerance(value, 1, &options->tolerance);
    case ABSOLUTE:
        return read_tolerance(value, INFINITY, &options->absolute);
    case ITERATIONS:
        return read_count(value, 1, MOST_ITERATIONS, &options->iterations);
    case RESTART:
        return read_count(value, 1, (double)most_restart, &options->restart);
    case BATCH:
        return read_count(value, 0, GBL_HISTORY / 2, &options->batch);
    case REPEATS:
        return read_count(value, 0, MOST_ITERATIONS, &options->repeats);
    case FORMAT:
        return read_choice(value, formats, &options->format);
    case GUESS:
        if ((good = read_choice(value, guesses, &chosen)))
            options->zero_guess = chosen != 0;
        return good;
    case ANSWER:
        if ((good = read_choice(value, answers, &chosen)))
            options->last = chosen != 0;
        return good;
    }
    return false;
}

void gbl_solver_options_default(gbl_solver_options *options)
{
    *options = (gbl_solver_options){.method = GBL_METHOD_AUTO,
                                    .precond = GBL_PRECOND_AUTO,
                                    .block = 4,
                                    .tolerance = -1,
                                    .restart = 30,
                                    .format = GABLE_FORMAT_AUTO};
}

int64_t gbl_solver_most_restart(const gable_context *ctx)
{
    return ctx->device->props.is_host ? 1000 : gbl_gmres_most();
}

static gable_status read_word(gable_context *ctx, piece text, gbl_solver_options *options)
{
    const char *sign = memchr(text.at, '=', (size_t)text.length);
    CHECK_ARG(ctx, sign != NULL, 2, "options", "has \"%.*s\"; a word is name=value", text.length,
              text.at);
    const piece name = {text.at, (int)(sign - text.at)};
    const piece value = {sign + 1, text.length - name.length - 1};
    for (size_t i = 0; i < WORDS; i++) {
        if (!is(name, words[i].name))
            continue;
        CHECK_ARG(ctx, read_value((word)i, value, gbl_solver_most_restart(ctx), options), 2,
                  "options", "says %s=%.*s; %s must be %s", words[i].name, value.length, value.at,
                  words[i].name, words[i].rule);
        return GABLE_OK;
    }
    return gbl_fail_argument(
        ctx, 2, "options",
        "has the unknown word \"%.*s\"; the words are method, form, precond, "
        "block, tolerance, absolute, iterations, restart, batch, repeats, format, guess and answer",
        name.length, name.at);
}

gable_status gable_solver_set(gable_solver *solver, const char *text)
{
    TRY(gbl_solver_enter(solver, "gable_solver_set"));
    gable_context *ctx = solver->ctx;
    CHECK_ARG(ctx, text != NULL, 2, "options", "is NULL");
    gbl_solver_options options = solver->options;
    while (*text != '\0') {
        const piece one = {text, (int)strcspn(text, ",")};
        TRY(read_word(ctx, one, &options));
        text += one.length;
        if (*text == ',')
            text++;
    }
    const gbl_solver_options *old = &solver->options;
    if (options.precond != old->precond || options.block != old->block ||
        options.format != old->format || options.method != old->method ||
        options.repeats != old->repeats) {
        TRY(gbl_check_not_recording(ctx, "an option that changes what a solver has made"));
        gbl_solver_unprepare(solver);
    }
    solver->options = options;
    return GABLE_OK;
}
