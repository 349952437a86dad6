/* level3_test.h: the six parts of routines on two or three matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test is a typed file that holds the calls of the public functions and describes them as
 * level3_forms; all else is compiled once (see test_gemm.c).
 *
 * Bound of products, element by element: |error| <= (k + 2) u (|alpha| |op(A)| |op(B)| + |beta|
 * |C|) with k the length of the sums, which is 2 k for two products (Higham, Accuracy and
 * Stability, 3.1 and 3.5: it holds in any order of summation, with and without fused multiply-add).
 * Bound of solutions, element by element of the residual:
 * |alpha B - op(A) X| <= (n + 3) u (|op(A)| |X| + |alpha| |B|) with n the order of A: each column
 * of X is the solution of one system (8.1, theorem 8.5: gamma_n |op(A)| |X| for substitution in any
 * order, which blocks of rows are, too; alpha B is rounded once, a quotient may be a product with a
 * reciprocal). For complex numbers both times up to 2 sqrt 2 (3.6). References are plain loops:
 * doubles for single precision and for integers, double-doubles (wide.h) for double precision.
 *
 * Exact: products of integers of at most 4, sums of up to 1000 of them, times scalars of at most 2:
 * below 2^24. Right-hand sides are made of integer solutions. The triangle has powers of two on its
 * diagonal, and off it -1, 0 and 1 where the column is of one kind and the row is of the other:
 * then its inverse is exact, too, and so is a solution by parts of the inverse.
 *
 * In every case all places of inputs that must not be used are NaN: gaps between columns, the other
 * triangle, unit diagonals, imaginary parts of Hermitian diagonals. What is not part of the output
 * is a pattern or NaN and must stay. Scalars come by value and from the device in turn.
 */
#ifndef TEST_LEVEL3_TEST_H
#define TEST_LEVEL3_TEST_H

#include "blas/level3/level3.h"
#include "harness/number.h"
#include "harness/routine.h"

/* The arguments of one call; a routine takes those that it has. */
typedef struct level3_call {
    gable_side side;
    gable_uplo uplo;
    gable_trans transa, transb; /* `trans` is transa */
    gable_diag diag;
    int64_t m, n, k;
    number alpha, beta;
    const void *alpha_at, *beta_at; /* on the device, for the forms with _dev */
    const void *A;
    int64_t lda;
    void *B; /* routines with a triangle on one side change it */
    int64_t ldb;
    void *C;
    int64_t ldc;
} level3_call;

typedef enum level3_kind {
    LEVEL3_PRODUCT,   /* op(A) op(B) */
    LEVEL3_PART,      /* a triangle of it */
    LEVEL3_SELF,      /* A with itself */
    LEVEL3_PAIR,      /* A with B and B with A */
    LEVEL3_SYMMETRIC, /* A symmetric or Hermitian */
    LEVEL3_TRIANGLE,  /* A triangular */
    LEVEL3_SOLUTION   /* its inverse */
} level3_kind;

typedef struct level3_form {
    const char *name, *name_dev;
    /* The names of the arguments behind the context, in prototype order, by the names above or
     * "trans". They say which the routine has; without m C is square. */
    const char *arguments;
    level3_kind kind;
    bool conj;                  /* Hermitian */
    bool real_alpha, real_beta; /* herk; her2k has a real beta */
    gable_status (*run)(gable_context *ctx, const level3_call *c);
    gable_status (*run_dev)(gable_context *ctx, const level3_call *c);
} level3_form;

/* The matrices of a call. */
enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRICES };

/* What a case runs with. */
typedef struct level3_case {
    gable_side side;
    gable_uplo uplo;
    gable_trans transa, transb;
    gable_diag diag;
    int64_t m, n, k; /* routines without k: the order of A */
    int64_t ld[MATRICES];
    int offset[MATRICES]; /* elements that a matrix is off its alignment */
    uint64_t seed;
    number alpha, beta;
    bool random; /* not integers */
    bool ill;    /* the triangle of a solution is moderately ill-conditioned */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} level3_case;

typedef struct level3_operands {
    guarded M[MATRICES];
    guarded scalars;
} level3_operands;

/* The six parts over all forms of r->parts, and the calls that meet every kind of variant. */
void level3_exact(routine *r);
void level3_residual(routine *r);
void level3_edges(routine *r);
void level3_guards(routine *r);
void level3_arguments(routine *r);
void level3_repeat(routine *r);
const void *level3_probe(const routine *r, int i);
#define LEVEL3_PARTS                                                                               \
    {                                                                                              \
        level3_exact, level3_residual, level3_edges, level3_guards, level3_arguments,              \
            level3_repeat                                                                          \
    }

/* ---- level3_shapes.c: which cases run ---- */

/* The form behind `last`, or the first; NULL past the end. */
const level3_form *level3_next(const routine *r, const level3_form *last);
/* Whether a forced variant is left out in this precision: kernels compile slowly, or it is a rung,
 * which one precision tries. */
bool level3_left_out(const routine *r);
/* Case i of a form, or m < 0 past the last. */
level3_case level3_any(const routine *r, const level3_form *f, int i, bool few);
/* Gives a case with sizes and flags its leading dimensions, and what else the run decides; `which`
 * counts shapes. */
level3_case level3_sized(const routine *r, const level3_form *f, level3_case c, int which);
/* How many sets of flags a form has on this run, and number i of them. */
int level3_flag_sets(const routine *r, const level3_form *f);
void level3_flags(const routine *r, const level3_form *f, int i, level3_case *c);

/* ---- level3_data.c: one case ---- */

bool level3_has(const level3_form *f, const char *argument);
bool level3_has_matrix(const level3_form *f, int which);
/* The matrix that is changed: C, or B where there is no C. */
int level3_output(const level3_form *f);
bool level3_solves(const level3_form *f);
/* Order of the matrix on one side; how many numbers a sum has. */
int64_t level3_order(const level3_case *c);
int64_t level3_terms(const level3_form *f, const level3_case *c);
/* Rows and columns of a matrix as stored, and whether element (i, j) may be used. */
int64_t level3_rows(const level3_form *f, const level3_case *c, int which);
int64_t level3_columns(const level3_form *f, const level3_case *c, int which);
bool level3_used(const level3_form *f, const level3_case *c, int which, int64_t i, int64_t j);

/* Operands of a case on the device, the scalars too. Destroy them in any case. */
bool level3_build(routine *r, level3_operands *o, const level3_form *f, const level3_case *c);
void level3_destroy(level3_operands *o);
bool level3_send(level3_operands *o);
level3_call level3_arguments_of(const level3_operands *o, const level3_form *f,
                                const level3_case *c);
gable_status level3_enqueue(routine *r, const level3_operands *o, const level3_form *f,
                            const level3_case *c);
/* The status of a case that was enqueued, and of one that is. false: the variant in force does not
 * fit, and said so. */
bool level3_ran(routine *r, gable_status status, const level3_operands *o, const level3_form *f,
                const level3_case *c);
bool level3_run(routine *r, const level3_operands *o, const level3_form *f, const level3_case *c);
/* After the output was fetched: what is not part of it is as it was. Takes its elements as they
 * are. */
void level3_surroundings(const level3_operands *o, const level3_form *f, const level3_case *c);
/* Inputs are what they were. */
void level3_unchanged(level3_operands *o, const level3_form *f);
/* Sets the line that reproduces a case. */
void level3_begin(routine *r, const level3_form *f, const level3_case *c, const char *more);
/* Builds, runs, compares with the reference, looks at what is around. */
void level3_check(routine *r, const level3_form *f, const level3_case *c);

/* ---- level3_reference.c ---- */

/* Integer solution (i, j) of an exact case. */
number level3_solution(const routine *r, const level3_case *c, int64_t i, int64_t j);
/* B of an exact solution: op(A) X over alpha. false: no memory, which is counted as a failure. */
bool level3_put_right_side(const routine *r, level3_operands *o, const level3_form *f,
                           const level3_case *c);
/* Every element of the output as fetched against the reference. */
void level3_compare(routine *r, const level3_operands *o, const level3_form *f,
                    const level3_case *c);
/* Elements are finite where the reference is, and only there. Real products are Inf where it is. */
void level3_compare_finite(routine *r, const level3_operands *o, const level3_form *f,
                           const level3_case *c);

#endif
