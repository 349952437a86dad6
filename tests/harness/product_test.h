/* product_test.h: the six parts of routines y := alpha op(A) x + beta y, for every way to store A.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test is a typed file that holds the calls of the public functions and describes them as
 * product_forms; all else is compiled once:
 *
 *     static gable_status gbmv(gable_context *ctx, const product_call *c)
 *     {
 *         return FN(gbmv)(ctx, c->trans, c->m, c->n, c->kl, c->ku,
 *                         make(c->alpha.re, c->alpha.im), c->A, c->lda, c->x, c->incx,
 *                         make(c->beta.re, c->beta.im), c->y, c->incy);
 *     }
 *     static gable_status gbmv_dev(...)
 *     static const product_form forms[] = {
 *         {.name = NAME(FN(gbmv)), .name_dev = NAME(FN(gbmv_dev)), .run = gbmv,
 *          .run_dev = gbmv_dev,
 *          .arguments = "trans m n kl ku alpha A lda x incx beta y incy", .how = &stored_band}};
 *     const routine_parts PARTS = TEST_PARTS("gbmv", .run = PRODUCT_PARTS,
 *         .probe = product_probe, .forms = forms, .form_count = 1);
 *
 * Bound, element by element: |error| <= (k + 2) u (|alpha| |op(A)| |x| + |beta| |y|) with k the
 * length of the sums (Higham, Accuracy and Stability, 3.1 and 3.5), for complex numbers times up to
 * 2 sqrt 2 (3.6). It holds in any order of summation, with and without fused multiply-add. With
 * small integers the reference, which is a plain loop over the whole matrix in wide arithmetic, and
 * the result are both exact.
 *
 * In every case all places of A's array that are not stored are NaN, and so are imaginary parts of
 * the diagonal of Hermitian matrices. Scalars come by value and from the device in turn.
 */
#ifndef TEST_PRODUCT_TEST_H
#define TEST_PRODUCT_TEST_H

#include "harness/matrix_data.h"
#include "harness/number.h"
#include "harness/stored.h"

/* The arguments of one call; a routine takes those that it has. */
typedef struct product_call {
    gable_trans trans;
    gable_uplo uplo;
    int64_t m, n, kl, ku; /* k is kl */
    number alpha, beta;
    const void *alpha_at, *beta_at; /* on the device, for the forms with _dev */
    const void *A;
    int64_t lda;
    const void *x;
    int64_t incx;
    void *y;
    int64_t incy;
} product_call;

typedef struct product_form {
    const char *name, *name_dev;
    /* The names of the arguments behind the context, in prototype order, by the names above or "k"
     * and "AP". They say whether the routine has trans, and whether A is square: then there is no
     * m. */
    const char *arguments;
    const stored *how; /* a triangle: A is symmetric, or Hermitian with `conj` */
    bool conj;
    gable_status (*run)(gable_context *ctx, const product_call *c);
    gable_status (*run_dev)(gable_context *ctx, const product_call *c);
} product_form;

/* What a case runs with. */
typedef struct product_case {
    gable_trans trans;
    stored_shape s;
    int64_t incx, incy;
    int offset; /* elements that A is off its alignment */
    uint64_t seed;
    number alpha, beta;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} product_case;

/* The six parts over all forms of r->parts, and the calls that meet every kind of variant. */
void product_exact(routine *r);
void product_residual(routine *r);
void product_edges(routine *r);
void product_guards(routine *r);
void product_arguments(routine *r);
void product_repeat(routine *r);
const void *product_probe(const routine *r, int i);
#define PRODUCT_PARTS                                                                              \
    {                                                                                              \
        product_exact, product_residual, product_edges, product_guards, product_arguments,         \
            product_repeat                                                                         \
    }

/* ---- product_data.c: one case ---- */

/* The form behind `last`, or the first; NULL past the end. */
const product_form *product_next(const routine *r, const product_form *last);
bool product_has(const product_form *f, const char *argument);
int64_t product_x(const product_case *c);
int64_t product_y(const product_case *c);

/* Operands of a case on the device, the scalars too. Destroy them in any case. */
bool product_build(routine *r, matrix_operands *o, const product_form *f, const product_case *c);
product_call product_arguments_of(const matrix_operands *o, const product_case *c);
gable_status product_enqueue(routine *r, const matrix_operands *o, const product_form *f,
                             const product_case *c);
/* false: the variant in force does not fit, and said so. */
bool product_run(routine *r, const matrix_operands *o, const product_form *f,
                 const product_case *c);
/* Every element of y as fetched against the reference, and what is around it. */
void product_compare(routine *r, matrix_operands *o, const product_form *f, const product_case *c);
/* Sets the line that reproduces a case. */
void product_begin(routine *r, const product_form *f, const product_case *c, const char *more);
/* All of these. */
void product_check(routine *r, const product_form *f, const product_case *c);

/* Case i of a form, or n = 0 past the last: its sizes, flags, strides. */
product_case product_any(const routine *r, const product_form *f, int i, bool few);
/* A case of these sizes as the run takes it; `which` as the number for matrix_of_run. */
product_case product_sized(const routine *r, const product_form *f, product_case c, int64_t gap,
                           int which);

#endif
