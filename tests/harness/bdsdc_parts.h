/* bdsdc_parts.h: the six parts of the test of bdsdc.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. Ratios: singular_data.h, of the bidiagonal matrix. `exact` has diagonals of powers
 * of two: then ratios are 0.
 */
#ifndef TEST_BDSDC_PARTS_H
#define TEST_BDSDC_PARTS_H

#include "harness/routine.h"

typedef struct bdsdc_call {
    gable_uplo uplo;
    gable_job compq;
    int64_t n;
    void *d, *e, *U;
    int64_t ldu;
    void *Vt;
    int64_t ldvt;
    int64_t *info;
} bdsdc_call;

typedef struct bdsdc_form {
    const char *name;
    const char *arguments;
    gable_status (*run)(gable_context *ctx, const bdsdc_call *c);
} bdsdc_form;

void bdsdc_exact(routine *r);
void bdsdc_residuals(routine *r);
void bdsdc_edges(routine *r);
void bdsdc_guards(routine *r);
void bdsdc_arguments(routine *r);
void bdsdc_repeat(routine *r);
const void *bdsdc_probe(const routine *r, int i);

#endif
