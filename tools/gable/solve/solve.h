/* solve.h: the parts of `gable solve`.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_SOLVE_H
#define TOOL_SOLVE_H

#include <stdbool.h>
#include "core/draft_file.h"
#include "sparse/solver/solver.h"

/* ---- solve_history.c: residuals as they become known, and the line that says how it goes ---- */

typedef struct solve_history {
    int64_t count, room;
    double *residual; /* relative, of iteration 1, 2 ... */
    double tolerance; /* what the line counts towards */
    double started, said;
    bool quiet; /* no lines where there is no terminal */
} solve_history;

void solve_history_start(solve_history *history, double tolerance, bool quiet);
/* A gable_monitor; stops at Ctrl-C. */
int solve_history_add(void *history, int64_t iteration, double residual);
/* Iterations in which the residual falls to a tenth, over the last ones; 0: it does not fall. */
double solve_history_rate(const solve_history *history);
void solve_history_free(solve_history *history);

/* ---- solve_plot.c ---- */

void solve_plot_text(const solve_history *history);
/* Into an open draft, which is closed then. False: it cannot be written; errno says why. */
bool solve_plot_svg(const solve_history *history, const char *title, gbl_draft *draft);

/* ---- solve_vector.c: right-hand sides and solutions ---- */

/* b of n elements in a file, in the order of rows, as two doubles each. from malloc; NULL: the
 * sentence is in message. */
double *solve_vector_read(const char *path, int64_t *n, bool *complex, gbl_message *message);
/* Elements of the precision from pairs of doubles and back; both have room for n of their kind. */
void solve_vector_pack(gbl_dtype dtype, int64_t n, const double *pairs, void *elements);
void solve_vector_unpack(gbl_dtype dtype, int64_t n, const void *elements, double *pairs);
/* Into an open draft, which is closed then; path is for messages. */
gable_status solve_vector_write(gbl_draft *draft, const char *path, gbl_dtype dtype, int64_t n,
                                const double *pairs, gbl_message *message);

/* ---- solve_show.c: what was picked and what came of it ---- */

/* One solve, with all that is told of it. */
typedef struct solve_case {
    const char *matrix_path, *b_path; /* b_path NULL: b is A times ones */
    gable_context *ctx;
    gable_sparse *A;
    gable_solver *solver;
    gable_sparse_info about;
    char format_why[256];
    gable_solve_info info;
    double x_error; /* the largest |x - 1| where the solution is known to be ones; else negative */
    double read_seconds;
    solve_history history;
} solve_case;

/* What the solver will do and why: it is prepared. */
void solve_show_choice(const solve_case *what);
void solve_show_result(const solve_case *what);
void solve_show_json(const solve_case *what);

#endif
