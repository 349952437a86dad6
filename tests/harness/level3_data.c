/* level3_data.c: one case of a routine on two or three matrices: its operands and its call.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/level3_test.h"

static const char *const matrix_names[MATRICES] = {"A", "B", "C"};

bool level3_has(const level3_form *f, const char *argument)
{
    return routine_argument(f->arguments, argument) > 0;
}

bool level3_has_matrix(const level3_form *f, int which)
{
    return level3_has(f, matrix_names[which]);
}

int level3_output(const level3_form *f)
{
    return f->kind < LEVEL3_TRIANGLE ? MATRIX_C : MATRIX_B;
}

bool level3_solves(const level3_form *f)
{
    return f->kind == LEVEL3_SOLUTION;
}

int64_t level3_order(const level3_case *c)
{
    return c->side == GABLE_RIGHT ? c->n : c->m;
}

int64_t level3_terms(const level3_form *f, const level3_case *c)
{
    if (f->kind >= LEVEL3_SYMMETRIC)
        return level3_order(c);
    return f->kind == LEVEL3_PAIR ? 2 * c->k : c->k;
}

/* ---- Matrices as stored ---- */

static bool one_sided(const level3_form *f)
{
    return f->kind >= LEVEL3_SYMMETRIC;
}

/* Two products: A and B have the same shape. */
static gable_trans trans_of(const level3_form *f, const level3_case *c, int which)
{
    return which == MATRIX_B && f->kind != LEVEL3_PAIR ? c->transb : c->transa;
}

int64_t level3_rows(const level3_form *f, const level3_case *c, int which)
{
    if (one_sided(f))
        return which == MATRIX_A ? level3_order(c) : c->m;
    if (which == MATRIX_C)
        return c->m;
    const bool plain = trans_of(f, c, which) == GABLE_NO_TRANS;
    if (which == MATRIX_B && f->kind <= LEVEL3_PART)
        return plain ? c->k : c->n;
    return plain ? c->m : c->k;
}

int64_t level3_columns(const level3_form *f, const level3_case *c, int which)
{
    if (one_sided(f))
        return which == MATRIX_A ? level3_order(c) : c->n;
    if (which == MATRIX_C)
        return c->n;
    const bool plain = trans_of(f, c, which) == GABLE_NO_TRANS;
    if (which == MATRIX_B && f->kind <= LEVEL3_PART)
        return plain ? c->n : c->k;
    return plain ? c->k : c->m;
}

bool level3_used(const level3_form *f, const level3_case *c, int which, int64_t i, int64_t j)
{
    const bool triangle = one_sided(f) ? which == MATRIX_A : which == MATRIX_C;
    if (!triangle || f->kind == LEVEL3_PRODUCT)
        return true;
    if (i == j)
        return f->kind < LEVEL3_TRIANGLE || c->diag != GABLE_UNIT;
    return c->uplo == GABLE_UPPER ? i < j : i > j;
}

/* hemm's A, and C of herk and her2k: imaginary parts of the diagonal are not read. */
static bool real_diagonal(const level3_form *f, int which)
{
    return f->conj && which == (one_sided(f) ? MATRIX_A : MATRIX_C);
}

/* ---- Numbers ---- */

/* The diagonal of an exact solution: powers of two times a unit. */
static number power_of_two(const routine *r, uint64_t seed, int64_t i)
{
    static const number powers[] = {{1, 0}, {-1, 0}, {2, 0}, {-2, 0}, {0.5, 0}, {0, 1}, {0, -2}};
    return powers[data_bits(seed, (uint64_t)i) % (gbl_dtype_complex(r->dtype) ? 7 : 5)];
}

/* Two kinds of rows and columns, by the seed. */
static bool is_first_kind(uint64_t seed, int64_t i)
{
    return data_bits(seed + 77, (uint64_t)i) % 2 == 0;
}

/* Off the diagonal at most 2 over the order, on it between 1 and 2; ill-conditioned: at most 1/2
 * and down to 1/4. */
static number random_triangle(const routine *r, const level3_case *c, int64_t i, int64_t j)
{
    const number a = number_random(r->dtype, c->seed, i + j * level3_order(c));
    const double graded = c->ill ? ldexp(1, -(int)(i % 3)) : 1;
    const double off = c->ill ? 0.5 : 2 / (double)level3_order(c);
    if (i != j)
        return number_of(r->dtype, a.re * off, a.im * off);
    return number_of(r->dtype, (a.re + (a.re < 0 ? -1 : 1)) * graded, a.im * graded);
}

static number integer_triangle(const routine *r, const level3_case *c, int64_t i, int64_t j)
{
    if (i == j)
        return power_of_two(r, c->seed, i);
    /* Rows of one kind, columns of the other, whether A is transposed or not. */
    const bool plain = c->transa == GABLE_NO_TRANS;
    if (!is_first_kind(c->seed, plain ? j : i) || is_first_kind(c->seed, plain ? i : j))
        return (number){0, 0};
    return number_integer(r->dtype, c->seed, i + j * level3_order(c), 1);
}

static number drawn(const routine *r, const level3_form *f, const level3_case *c, int which,
                    int64_t i, int64_t j)
{
    const uint64_t seed = c->seed + (uint64_t)which;
    const int64_t at = i + j * level3_rows(f, c, which);
    if (which == MATRIX_A && level3_solves(f))
        return c->random ? random_triangle(r, c, i, j) : integer_triangle(r, c, i, j);
    return c->random ? number_random(r->dtype, seed, at) : number_integer(r->dtype, seed, at, 4);
}

/* ---- Operands ---- */

static bool make_matrix(routine *r, guarded *M, const level3_form *f, const level3_case *c,
                        int which)
{
    const size_t bytes = gbl_dtype_bytes(r->dtype);
    const int64_t rows = level3_rows(f, c, which), columns = level3_columns(f, c, which);
    const int64_t elements = rows > 0 && columns > 0 ? (columns - 1) * c->ld[which] + rows : 0;
    if (!guarded_make(M, r->ctx, elements, 1, bytes, (size_t)c->offset[which] * bytes, c->fill,
                      c->fence))
        return false;
    if (which != level3_output(f) && elements > 0)
        memset(guarded_element(M, 0), 0xff, (size_t)elements * bytes);
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < rows; i++) {
            if (!level3_used(f, c, which, i, j))
                continue;
            number a = drawn(r, f, c, which, i, j);
            if (i == j && real_diagonal(f, which))
                a.im = NAN;
            number_put(r->dtype, M, i + j * c->ld[which], a);
        }
    }
    return true;
}

/* Where a scalar is real what stands behind it is NaN. */
static void put_scalar(const routine *r, level3_operands *o, int i, number a, bool real)
{
    if (real && gbl_dtype_complex(r->dtype))
        a.im = NAN;
    number_put(r->dtype, &o->scalars, i, a);
}

bool level3_send(level3_operands *o)
{
    bool good = guarded_send(&o->scalars);
    for (int w = 0; good && w < MATRICES; w++)
        good = o->M[w].memory == NULL || guarded_send(&o->M[w]);
    return good;
}

bool level3_build(routine *r, level3_operands *o, const level3_form *f, const level3_case *c)
{
    memset(o, 0, sizeof *o);
    if (!guarded_make(&o->scalars, r->ctx, 2, 1, gbl_dtype_bytes(r->dtype), 0, FILL_NAN, LOOSE))
        return false;
    for (int w = 0; w < MATRICES; w++)
        if (level3_has_matrix(f, w) && !make_matrix(r, &o->M[w], f, c, w))
            return false;
    put_scalar(r, o, 0, c->alpha, f->real_alpha);
    put_scalar(r, o, 1, c->beta, f->real_beta);
    if (level3_solves(f) && !c->random && !level3_put_right_side(r, o, f, c))
        return false;
    return level3_send(o);
}

void level3_destroy(level3_operands *o)
{
    for (int w = 0; w < MATRICES; w++)
        guarded_destroy(&o->M[w]);
    guarded_destroy(&o->scalars);
}

/* ---- The call ---- */

level3_call level3_arguments_of(const level3_operands *o, const level3_form *f,
                                const level3_case *c)
{
    (void)f;
    return (level3_call){.side = c->side,
                         .uplo = c->uplo,
                         .transa = c->transa,
                         .transb = c->transb,
                         .diag = c->diag,
                         .m = c->m,
                         .n = c->n,
                         .k = c->k,
                         .alpha = c->alpha,
                         .beta = c->beta,
                         .alpha_at = o->scalars.at,
                         .beta_at = (const char *)o->scalars.at + o->scalars.elem_bytes,
                         .A = o->M[MATRIX_A].at,
                         .lda = c->ld[MATRIX_A],
                         .B = o->M[MATRIX_B].at,
                         .ldb = c->ld[MATRIX_B],
                         .C = o->M[MATRIX_C].at,
                         .ldc = c->ld[MATRIX_C]};
}

gable_status level3_enqueue(routine *r, const level3_operands *o, const level3_form *f,
                            const level3_case *c)
{
    const level3_call call = level3_arguments_of(o, f, c);
    return c->on_device ? f->run_dev(r->ctx, &call) : f->run(r->ctx, &call);
}

/* The call as blas/ gets it, to ask whether a variant fits. */
static gbl_product_call product_call(const routine *r, const level3_operands *o,
                                     const level3_form *f, const level3_case *c)
{
    const level3_call k = level3_arguments_of(o, f, c);
    const bool beta = level3_has(f, "beta");
    const bool trans = level3_has(f, "transa") || level3_has(f, "trans");
    return (gbl_product_call){
        .dtype = r->dtype,
        .trans = trans ? c->transa : (gable_trans)0,
        .trans_b = level3_has(f, "transb") ? c->transb : (gable_trans)0,
        .uplo = c->uplo,
        .diag = c->diag,
        .side = c->side,
        .conj = f->conj,
        .real_alpha = f->real_alpha,
        .real_beta = f->real_beta,
        .m = c->m,
        .n = c->n,
        .k = level3_has(f, "k") ? c->k : 0,
        .A = o->M[MATRIX_A].at,
        .lda = k.lda,
        .B = o->M[MATRIX_B].at,
        .ldb = k.ldb,
        .C = o->M[MATRIX_C].at,
        .ldc = k.ldc,
        .alpha = {c->on_device ? k.alpha_at : NULL, c->alpha.re, c->alpha.im},
        .beta = {beta && c->on_device ? k.beta_at : NULL, c->beta.re, c->beta.im}};
}

bool level3_ran(routine *r, gable_status status, const level3_operands *o, const level3_form *f,
                const level3_case *c)
{
    const gbl_product_call call = product_call(r, o, f, c);
    const bool idle =
        c->m == 0 || c->n == 0 || (r->op->idle != NULL && !c->on_device && r->op->idle(&call));
    return routine_ran(r, status, idle ? NULL : &call);
}

bool level3_run(routine *r, const level3_operands *o, const level3_form *f, const level3_case *c)
{
    return level3_ran(r, level3_enqueue(r, o, f, c), o, f, c);
}

void level3_surroundings(const level3_operands *o, const level3_form *f, const level3_case *c)
{
    const int w = level3_output(f);
    const guarded *M = &o->M[w];
    char what[32];
    for (int64_t j = 0; j < level3_columns(f, c, w); j++)
        for (int64_t i = 0; i < level3_rows(f, c, w); i++)
            if (level3_used(f, c, w, i, j))
                memcpy(guarded_element(M, i + j * c->ld[w]), guarded_result(M, i + j * c->ld[w]),
                       M->elem_bytes);
    snprintf(what, sizeof what, "what is not part of %s", matrix_names[w]);
    guarded_same(M, what);
}

void level3_unchanged(level3_operands *o, const level3_form *f)
{
    for (int w = 0; w < MATRICES; w++)
        if (w != level3_output(f) && o->M[w].memory != NULL && guarded_fetch(&o->M[w]))
            guarded_same(&o->M[w], matrix_names[w]);
}

/* ---- A case ---- */

static char letter_of(gable_trans trans)
{
    return "NTC"[trans - GABLE_NO_TRANS];
}

void level3_begin(routine *r, const level3_form *f, const level3_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s side=%c uplo=%c trans=%c%c diag=%c m=%lld n=%lld k=%lld "
              "ld=%lld,%lld,%lld offset=%d,%d,%d seed=%llu alpha=%g,%g beta=%g,%g scalars %s "
              "fence=%d%s %s",
              f->name, test_device(), r->choice, r->part, c->side == GABLE_RIGHT ? 'R' : 'L',
              c->uplo == GABLE_UPPER ? 'U' : 'L', letter_of(c->transa), letter_of(c->transb),
              c->diag == GABLE_UNIT ? 'U' : 'N', (long long)c->m, (long long)c->n, (long long)c->k,
              (long long)c->ld[0], (long long)c->ld[1], (long long)c->ld[2], c->offset[0],
              c->offset[1], c->offset[2], (unsigned long long)c->seed, c->alpha.re, c->alpha.im,
              c->beta.re, c->beta.im, c->on_device ? "on device" : "by value", (int)c->fence,
              c->ill ? " ill-conditioned" : "", more);
}

void level3_check(routine *r, const level3_form *f, const level3_case *c)
{
    level3_operands o;
    level3_begin(r, f, c, "");
    if (level3_build(r, &o, f, c) && level3_run(r, &o, f, c)) {
        if (guarded_fetch(&o.M[level3_output(f)])) {
            level3_compare(r, &o, f, c);
            level3_surroundings(&o, f, c);
        }
        level3_unchanged(&o, f);
    }
    level3_destroy(&o);
}
