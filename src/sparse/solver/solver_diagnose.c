/* solver_diagnose.c: what is wrong with the matrix of a system that was not solved.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row or a column of zeros makes it singular, whatever method and preconditioner are tried, and
 * an entry that is NaN or Inf spoils all of them: a hint must say so, and nothing else. The entries
 * are looked at on the host, once, after the failure.
 */
#include <math.h>
#include <stdlib.h>
#include "sparse/solver/solver.h"
#include "sparse/matrix/sparse_host.h"

/* The real parts of entry e: as many as the precision has. */
static void parts_of(const gbl_sparse_host *host, int64_t e, double part[2])
{
    const int64_t reals = gbl_dtype_complex(host->dtype) ? 2 : 1;
    part[1] = 0;
    for (int64_t k = 0; k < reals; k++)
        part[k] = gbl_dtype_real_bytes(host->dtype) == 4
                      ? (double)((const float *)host->values)[reals * e + k]
                      : ((const double *)host->values)[reals * e + k];
}

/* `used` has a byte per column, 0 at first. */
static void look(const gbl_sparse_host *host, char *used, gbl_solve_story *story)
{
    for (int64_t i = 0; i < host->rows; i++) {
        const int64_t end = gbl_index_get(host->start, host->index_bytes, i + 1);
        bool zero = true;
        for (int64_t e = gbl_index_get(host->start, host->index_bytes, i); e < end; e++) {
            const int64_t j = gbl_index_get(host->column, host->index_bytes, e);
            double part[2];
            parts_of(host, e, part);
            if (part[0] == 0 && part[1] == 0)
                continue;
            zero = false;
            used[j] = 1;
            if (story->bad_row == 0 && (!isfinite(part[0]) || !isfinite(part[1]))) {
                story->bad_row = i + 1;
                story->bad_column = j + 1;
            }
        }
        if (zero && story->zero_row == 0)
            story->zero_row = i + 1;
    }
    for (int64_t j = 0; j < host->columns && story->zero_column == 0; j++)
        if (!used[j])
            story->zero_column = j + 1;
}

void gbl_solver_diagnose(gable_solver *solver, gbl_solve_story *story)
{
    gbl_sparse_host host;
    if (solver->A == NULL || story->what == GBL_STORY_B)
        return;
    const gbl_message before =
        solver->ctx->message; /* a look that fails is no failure of the solve */
    char *used = calloc((size_t)solver->n + 1, 1);
    if (used != NULL && gbl_sparse_fetch(solver->ctx, solver->A, &host) == GABLE_OK) {
        look(&host, used, story);
        gbl_sparse_host_free(&host);
    }
    if (solver->method == GBL_METHOD_CG &&
        gbl_sparse_statistics_get(solver->ctx, solver->A) == GABLE_OK)
        story->not_hermitian = !solver->A->statistics.hermitian;
    solver->ctx->message = before;
    free(used);
}
