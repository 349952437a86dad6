/* krylov_case.h: what the tests of BiCGStab and GMRES share: plain loops, systems, settings,
 * outcomes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_KRYLOV_CASE_H
#define TEST_KRYLOV_CASE_H

#include "sparse/solver/solver_case.h"

typedef struct krylov_test {
    gable_context *ctx;
    const char *method;
    double most; /* how far iterations may be from the plain loop's */
    /* Iterations of a plain loop in the same precision; -1: it fails. */
    int64_t (*plain)(const system_case *c, bool jacobi, double tolerance, int64_t limit);
} krylov_test;

/* Plain loops, preconditioned from the right by the diagonal where `jacobi` says so; GMRES restarts
 * after 30 steps. -1: not within `limit`, or the true residual is not at the tolerance then. */
int64_t plain_bicgstab(const system_case *c, bool jacobi, double tolerance, int64_t limit);
int64_t plain_gmres(const system_case *c, bool jacobi, double tolerance, int64_t limit);

/* Convection and diffusion on nx by ny points; `spread` as in case_laplacian; `shift` is added to
 * the diagonal as an imaginary part. */
model case_convection(int64_t nx, int64_t ny, double peclet, double spread, double shift);

/* The program of a test: every format and preconditioner; sizes around tiles, vectors and cycles;
 * real matrices; operators and preconditioners of the user's; outcomes; the same bits again. Opens
 * the context. What main() returns. */
int krylov_all(const char *test, krylov_test t);

#endif
