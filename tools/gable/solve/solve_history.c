/* solve_history.c: residuals of `gable solve` as they become known, and the line that says how it
 * goes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On a terminal the line is rewritten in place, five times a second. Elsewhere a line is added
 * every five seconds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "gable/interrupt.h"
#include "gable/terminal.h"
#include "solve.h"

#define LINE_SECONDS 5.0
#define RATE_WINDOW  100 /* iterations that the rate is taken over */

void solve_history_start(solve_history *history, double tolerance, bool quiet)
{
    *history = (solve_history){.tolerance = tolerance, .quiet = quiet};
    history->started = history->said = terminal_now();
    terminal_progress_start();
}

void solve_history_free(solve_history *history)
{
    free(history->residual);
    history->residual = NULL;
    history->count = history->room = 0;
}

/* Residuals of CG go up and down, so both ends are the smallest of a few. */
static double smallest(const solve_history *history, int64_t from, int64_t to)
{
    double least = INFINITY;
    for (int64_t i = from; i < to; i++)
        if (history->residual[i] > 0 && history->residual[i] < least)
            least = history->residual[i];
    return least;
}

double solve_history_rate(const solve_history *history)
{
    const int64_t n = history->count, window = n < RATE_WINDOW ? n : RATE_WINDOW, few = window / 4;
    if (few < 1)
        return 0;
    const double then = smallest(history, n - window, n - window + few),
                 now = smallest(history, n - few, n), digits = log10(then / now);
    return digits > 0 && isfinite(digits) ? (double)(window - few) / digits : 0;
}

/* Seconds that the rest takes if it goes on as the last iterations did; negative: nobody knows. */
static double seconds_left(const solve_history *history, double rate, double elapsed)
{
    const double now = history->residual[history->count - 1];
    if (!(rate > 0) || !(history->tolerance > 0) || !(now > history->tolerance) || !isfinite(now))
        return -1;
    return log10(now / history->tolerance) * rate * elapsed / (double)history->count;
}

static void tell(solve_history *history)
{
    char text[160], pace[64] = "";
    const double now = terminal_now(), rate = solve_history_rate(history);
    const bool terminal = terminal_columns(stderr) > 0;
    if (!terminal && (history->quiet || now - history->said < LINE_SECONDS))
        return;
    if (rate > 0)
        snprintf(pace, sizeof pace, ", a tenth in %.3g iterations", rate);
    snprintf(text, sizeof text, "iteration %lld, residual %.2e%s", (long long)history->count,
             history->residual[history->count - 1], pace);
    const double elapsed = now - history->started, left = seconds_left(history, rate, elapsed);
    if (terminal) {
        terminal_progress(text, left >= 0 && elapsed > 0 ? elapsed / (elapsed + left) : 0);
        return;
    }
    history->said = now;
    if (left >= 0)
        fprintf(stderr, "%s, about %.0f s left\n", text, ceil(left));
    else
        fprintf(stderr, "%s\n", text);
}

int solve_history_add(void *user, int64_t iteration, double residual)
{
    solve_history *history = user;
    if (history->count == history->room) {
        const int64_t room = history->room > 0 ? 2 * history->room : 1024;
        double *more = realloc(history->residual, (size_t)room * sizeof *more);
        if (more == NULL)
            return interrupt_asked != 0; /* the solve goes on without */
        history->residual = more;
        history->room = room;
    }
    (void)iteration; /* they come in order */
    history->residual[history->count++] = residual;
    tell(history);
    return interrupt_asked != 0;
}
