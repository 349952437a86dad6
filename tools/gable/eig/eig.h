/* eig.h: `gable eig`: what its files share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_EIG_H
#define TOOL_EIG_H

#include "gable/dense/dense_matrix.h"

typedef struct eig_case {
    dense_matrix A;
    int64_t count; /* values that were found */
    double *values;
    double *vectors; /* pairs; NULL: none were asked for */
    int64_t info;
    double residual, orthogonality;
    double read_seconds, seconds;
} eig_case;

/* What is computed. */
typedef struct eig_wanted {
    int64_t largest; /* so many; 0: all */
    bool between;    /* those in from < w <= to */
    double from, to;
    bool vectors;
} eig_wanted;

/* Reads a symmetric or Hermitian matrix; asked: a gbl_dtype, or -1. False: the message says why. */
bool eig_read(const gable_context *ctx, eig_case *what, int asked, const eig_wanted *wanted,
              gbl_message *message);
/* Values, and vectors, on the device; then how good they are. */
gable_status eig_run(gable_context *ctx, eig_case *what, const eig_wanted *wanted);
void eig_free(eig_case *what);

#endif
