/* solve_show.c: what `gable solve` picked and what came of it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "gable/command.h"
#include "gable/json.h"
#include "gable/plural.h"
#include "gable/terminal.h"
#include "model/roofs.h"
#include "solve.h"

#define TITLE_WIDTH 11

static const char *const outcomes[] = {"solved",       "iteration limit", "stagnated", "breakdown",
                                       "not definite", "not finite",      "stopped"};
static const char *const methods[] = {"auto", "cg", "bicgstab", "gmres"};
static const char *const preconds[] = {"auto", "none", "jacobi", "block", "ilu0", "ic0", "user"};

/* ---- What was picked ---- */

static void say_matrix(const solve_case *what)
{
    const gable_sparse_info *a = &what->about;
    const bool complex = a->precision == 'c' || a->precision == 'z';
    char text[512];
    snprintf(text, sizeof text, "%s: %lld x %lld, %lld entr%s, %s, rows of %lld to %lld entries",
             what->matrix_path, (long long)a->rows, (long long)a->columns, (long long)a->entries,
             a->entries == 1 ? "y" : "ies",
             complex && a->hermitian ? "Hermitian"
             : a->symmetric          ? "symmetric"
                                     : "not symmetric",
             (long long)a->shortest, (long long)a->longest);
    terminal_paragraph(0, "matrix", TITLE_WIDTH, text);
}

static void say_method(const solve_case *what)
{
    const gable_solver *s = what->solver;
    const gbl_sparse_statistics *known = &what->A->statistics;
    const char *name = methods[s->method], *why;
    char text[512];
    if (s->options.method != GBL_METHOD_AUTO)
        why = "as --method says";
    else if (s->method == GBL_METHOD_CG)
        why = gbl_dtype_complex(s->dtype) ? "A is Hermitian and its diagonal is positive"
                                          : "A is symmetric and its diagonal is positive";
    else if (s->method == GBL_METHOD_GMRES)
        why = "A is symmetric, but its diagonal is not positive, so that A cannot be definite";
    else
        why = gbl_dtype_complex(s->dtype) ? "A is not Hermitian" : "A is not symmetric";
    if (s->method == GBL_METHOD_GMRES)
        snprintf(text, sizeof text, "%s(%lld): %s", name, (long long)s->options.restart, why);
    else
        snprintf(text, sizeof text, "%s: %s", name, why);
    terminal_paragraph(0, "method", TITLE_WIDTH, text);

    if (s->options.precond != GBL_PRECOND_AUTO)
        why = "as --precond says";
    else if (s->precond != GBL_PRECOND_NONE)
        why = "the diagonal has no zero, and its elements differ";
    else if (known->hermitian ? !known->positive_diagonal : known->empty_diagonal > 0)
        why = known->empty_diagonal > 0 ? "elements of the diagonal are 0 or missing"
                                        : "the diagonal is not positive";
    else
        why = "all elements of the diagonal are alike";
    if (s->precond == GBL_PRECOND_BLOCK)
        snprintf(text, sizeof text, "%s of %d: %s", preconds[s->precond], s->block, why);
    else
        snprintf(text, sizeof text, "%s: %s", preconds[s->precond], why);
    terminal_paragraph(0, "precond", TITLE_WIDTH, text);
}

static void say_format(const solve_case *what)
{
    const gable_solver *s = what->solver;
    const char *name = gbl_format_name((gable_format)s->layout.format);
    const size_t length = strlen(name);
    char text[512];
    if (s->options.format != GABLE_FORMAT_AUTO)
        snprintf(text, sizeof text, "%s: as --format says", name);
    else if (strncmp(what->format_why, name, length) == 0 && what->format_why[length] == ':')
        snprintf(text, sizeof text, "%s", what->format_why);
    else
        snprintf(text, sizeof text,
                 "%s: the iteration has no kernels for the format of products (%s)", name,
                 what->format_why);
    terminal_paragraph(0, "format", TITLE_WIDTH, text);
}

void solve_show_choice(const solve_case *what)
{
    char text[256];
    say_matrix(what);
    snprintf(text, sizeof text, "%s, %s", what->ctx->device->info.name,
             what->ctx->device->info.title);
    terminal_paragraph(0, "device", TITLE_WIDTH, text);
    if (what->b_path == NULL)
        terminal_paragraph(0, "b", TITLE_WIDTH,
                           "A times ones, as no file was given; the solution is ones");
    else
        terminal_paragraph(0, "b", TITLE_WIDTH, what->b_path);
    say_method(what);
    say_format(what);
    fflush(stdout);
}

/* ---- What came of it ---- */

/* Bytes per second that the device gives a working set of this size: what all vectors and the
 * matrix take is about what an iteration moves. */
static double roof_of(const solve_case *what, const char **source)
{
    gbl_roofs roofs;
    gbl_roofs_get(what->ctx->device, &roofs);
    *source = gbl_roofs_source_name(roofs.source);
    return roofs.cache > 0 && what->info.bytes <= roofs.cache_bytes ? roofs.cache : roofs.read;
}

static double per_iteration(const solve_case *what)
{
    return what->info.iterations > 0 ? what->info.seconds / (double)what->info.iterations : 0;
}

static void amount(double value, const char *unit, char *text, size_t bytes)
{
    static const char *const names[] = {"", "k", "M", "G", "T"};
    int k = 0;
    for (; value >= 1000 && k < 4; k++)
        value /= 1000;
    snprintf(text, bytes, "%.3g %s%s", value, names[k], unit);
}

static void duration(double seconds, char *text, size_t bytes)
{
    if (seconds >= 1)
        snprintf(text, bytes, "%.3g s", seconds);
    else if (seconds >= 1e-3)
        snprintf(text, bytes, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, bytes, "%.3g us", 1e6 * seconds);
}

/* The library's hint names its options; here they are flags. */
static void as_flags(const char *from, char *to, size_t bytes)
{
    static const char *const names[] = {
        "method=", "precond=", "block=", "iterations=", "restart=", "tolerance="};
    size_t used = 0;
    while (*from != '\0' && used + 2 < bytes) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0] && length == 0; i++)
            if (strncmp(from, names[i], strlen(names[i])) == 0)
                length = strlen(names[i]);
        if (length > 0) { /* without a value, as in "(iterations=)", nothing follows it */
            const bool bare = from[length] == ')' || from[length] == '\0';
            used += (size_t)snprintf(to + used, bytes - used, "--%.*s%s", (int)length - 1, from,
                                     bare ? "" : " ");
            used = used < bytes ? used : bytes - 1;
            from += length;
        } else {
            to[used++] = *from++;
        }
    }
    to[used] = '\0';
}

void solve_show_result(const solve_case *what)
{
    const gable_solve_info *info = &what->info;
    char text[512], all[48], each[48], bytes[48], rate[48];
    const bool solved = info->outcome == GABLE_SOLVED;
    putchar('\n');
    terminal_put(solved ? GREEN : RED, solved ? "solved" : outcomes[info->outcome]);
    putchar('\n');
    snprintf(text, sizeof text, "%lld of %s%s%s, preconditioner %s", (long long)info->iterations,
             info->method, info->form[0] != '\0' ? ", " : "", info->form, info->precond);
    if (info->replacements > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "; the residual was replaced by the true one %lld time%s",
                 (long long)info->replacements, PLURAL(info->replacements));
    terminal_paragraph(0, "iterations", TITLE_WIDTH, text);
    snprintf(text, sizeof text, "%.3g of |b|, computed from x; the iteration itself had %.3g",
             info->residual, info->recursive);
    terminal_paragraph(0, "residual", TITLE_WIDTH, text);
    if (what->x_error >= 0) {
        snprintf(text, sizeof text, "%.3g, the largest |x - 1|", what->x_error);
        terminal_paragraph(0, "error", TITLE_WIDTH, text);
    }
    const double seconds = per_iteration(what);
    duration(info->seconds, all, sizeof all);
    if (seconds > 0) {
        const char *source;
        const double roof = roof_of(what, &source), speed = info->bytes / seconds;
        duration(seconds, each, sizeof each);
        amount(info->bytes, "B", bytes, sizeof bytes);
        amount(speed, "B/s", rate, sizeof rate);
        snprintf(text, sizeof text,
                 "%s, %s per iteration, which moves %s: %s, %.2g %% of the roof (%s)", all, each,
                 bytes, rate, 100 * speed / roof, source);
    } else {
        snprintf(text, sizeof text, "%s", all);
    }
    terminal_paragraph(0, "time", TITLE_WIDTH, text);
    const char *shift = strstr(info->text, "ic0 is of A + ");
    if (solved && shift != NULL)
        terminal_paragraph(0, "note", TITLE_WIDTH, shift);
    if (!solved) {
        as_flags(info->text, text, sizeof text);
        terminal_paragraph(0, "hint", TITLE_WIDTH, text);
    }
}

void solve_show_json(const solve_case *what)
{
    const gable_solve_info *info = &what->info;
    const double seconds = per_iteration(what);
    char device[192];
    snprintf(device, sizeof device, "%s %s", what->ctx->device->info.name,
             what->ctx->device->info.title);
    json_open(NULL);
    json_text("op", "solve");
    json_text("matrix", what->matrix_path);
    if (what->b_path != NULL)
        json_text("b", what->b_path);
    json_text("prec", (char[]){what->about.precision, '\0'});
    json_integer("n", what->about.rows);
    json_integer("entries", what->about.entries);
    json_bool("symmetric", what->about.symmetric != 0);
    json_bool("hermitian", what->about.hermitian != 0);
    json_text("device", device);
    json_text("method", info->method);
    json_text("form", info->form);
    json_text("precond", info->precond);
    json_text("format", gbl_format_name(info->format));
    json_number("tolerance", what->history.tolerance);
    json_text("outcome", outcomes[info->outcome]);
    json_bool("solved", info->outcome == GABLE_SOLVED);
    json_integer("iterations", info->iterations);
    json_integer("replacements", info->replacements);
    json_number("residual", info->residual);
    json_number("recursive", info->recursive);
    if (what->x_error >= 0)
        json_number("x_error", what->x_error);
    json_number("read_seconds", what->read_seconds);
    json_number("seconds", info->seconds);
    if (seconds > 0) {
        const char *source;
        const double roof = roof_of(what, &source), speed = info->bytes / seconds;
        json_number("usec", 1e6 * seconds);
        json_number("bytes", info->bytes);
        json_number("gbs", 1e-9 * speed);
        json_number("roof", speed / roof);
        json_text("roofs", source);
    }
    json_text("text", info->text);
    json_close();
}
