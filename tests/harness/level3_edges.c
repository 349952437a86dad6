/* level3_edges.c: edges of routines on two or three matrices: no elements, scalars of 0 and 1, NaN
 * and Inf, large steps.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/level3_test.h"

static number integer(const routine *r, double re, double im)
{
    return number_of(r->dtype, re, im);
}

/* m = 0 or n = 0: nothing changes, whatever beta is, and no pointer is looked at. */
static void nothing(routine *r, const level3_form *f, const level3_case *given)
{
    level3_case c = *given;
    level3_operands o;
    guarded *const output = &o.M[level3_output(f)];
    c.fill = FILL_PATTERN;
    level3_begin(r, f, &c, "m = 0 and n = 0");
    if (level3_build(r, &o, f, &c)) {
        const level3_call good = level3_arguments_of(&o, f, &c);
        level3_call call = good;
        call.m = 0;
        if (level3_has(f, "m"))
            CHECK_OK(r->ctx, f->run(r->ctx, &call));
        call = good;
        call.n = 0;
        call.beta = integer(r, 0, 0);
        CHECK_OK(r->ctx, f->run(r->ctx, &call));
        call.alpha_at = call.beta_at = call.A = NULL;
        call.B = call.C = NULL;
        CHECK_OK(r->ctx, f->run_dev(r->ctx, &call));
        call.m = call.k = 0;
        call.lda = call.ldb = call.ldc = 1;
        CHECK_OK(r->ctx, f->run(r->ctx, &call));
        if (level3_has(f, "k")) { /* factors without terms need no memory */
            call = good;
            call.k = 0;
            call.A = NULL;
            if (level3_has(f, "B"))
                call.B = NULL;
            call.beta = integer(r, 1, 0);
            CHECK_OK(r->ctx, f->run(r->ctx, &call));
        }
        if (guarded_fetch(output))
            guarded_same(output, "the output");
        if (level3_has(f, "k")) {
            level3_case none =
                c; /* C becomes zero: that is work, which a forced variant may not fit */
            none.k = 0;
            none.beta = call.beta = integer(r, 0, 0);
            level3_ran(r, f->run(r->ctx, &call), &o, f, &none);
            CHECK_OK(r->ctx, gable_sync(r->ctx));
        }
    }
    level3_destroy(&o);
}

static void all_zero(routine *r, const level3_operands *o, const level3_form *f,
                     const level3_case *c)
{
    const int w = level3_output(f);
    for (int64_t j = 0; j < c->n; j++) {
        for (int64_t i = 0; i < c->m; i++) {
            const number is = number_got(r->dtype, &o->M[w], i + j * c->ld[w]);
            CHECK(is.re == 0 && is.im == 0, "element (%lld, %lld) is %g%+gi and not 0",
                  (long long)i, (long long)j, is.re, is.im);
        }
    }
}

/* alpha = 0 or no terms: A and B are NaN and do not matter; beta = 0: nor does C. */
static void not_read(routine *r, const level3_form *f, const level3_case *given, number alpha,
                     number beta, bool on_device)
{
    level3_case c = *given;
    level3_operands o;
    const int w = level3_output(f);
    const bool has_beta = level3_has(f, "beta");
    const bool zeros = !has_beta && number_size(alpha) == 0; /* routines that change B give them */
    c.seed = 60;
    c.alpha = alpha;
    c.beta = beta;
    c.on_device = on_device;
    level3_begin(r, f, &c, "what is not read is NaN");
    if (level3_build(r, &o, f, &c)) {
        bool good = true; /* the images of inputs stay as the reference needs them */
        for (int m = 0; good && number_size(alpha) == 0 && m < w; m++)
            good = o.M[m].memory == NULL ||
                   CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.M[m].memory, 0xff, o.M[m].bytes));
        for (int64_t j = 0; j < c.n && (has_beta ? number_size(beta) == 0 : zeros); j++)
            for (int64_t i = 0; i < c.m; i++)
                if (level3_used(f, &c, w, i, j))
                    memset(guarded_element(&o.M[w], i + j * c.ld[w]), 0xff, o.M[w].elem_bytes);
        if (good && guarded_send(&o.M[w]) && level3_run(r, &o, f, &c) && guarded_fetch(&o.M[w])) {
            if (zeros)
                all_zero(r, &o, f, &c);
            else
                level3_compare(r, &o, f, &c);
            level3_surroundings(&o, f, &c);
        }
    }
    level3_destroy(&o);
}

/* alpha = 0 and beta = 1, by value: nothing changes, not even imaginary parts of Hermitian
 * diagonals. */
static void unchanged(routine *r, const level3_form *f, const level3_case *given)
{
    level3_case c = *given;
    level3_operands o;
    guarded *const output = &o.M[level3_output(f)];
    c.alpha = integer(r, 0, 0);
    c.beta = integer(r, 1, 0);
    level3_begin(r, f, &c, "alpha = 0, beta = 1");
    if (level3_build(r, &o, f, &c) && level3_run(r, &o, f, &c) && guarded_fetch(output))
        guarded_same(output, "C");
    level3_destroy(&o);
}

/* Element (i, j) of a matrix is NaN or Inf, or a 0 on the diagonal of a triangle to solve with. All
 * others are positive, so that no Inf meets its opposite, and none is 0: some BLAS skip those. */
static void spreads(routine *r, const level3_form *f, const level3_case *given, int which,
                    int64_t i, int64_t j, double special)
{
    level3_case c = *given;
    level3_operands o;
    char more[96];
    c.seed = 70;
    c.alpha = integer(r, 2, 0);
    c.beta = integer(r, 1, 0);
    snprintf(more, sizeof more, "%g in %c at row %lld, column %lld", special, "ABC"[which],
             (long long)i, (long long)j);
    level3_begin(r, f, &c, more);
    if (level3_build(r, &o, f, &c)) {
        for (int w = 0; w < MATRIX_C; w++) {
            if (o.M[w].memory == NULL)
                continue;
            const double size = level3_solves(f) && w == MATRIX_A ? (double)level3_order(&c) : 1;
            for (int64_t e = 0; e < level3_rows(f, &c, w) * level3_columns(f, &c, w); e++) {
                const int64_t row = e % level3_rows(f, &c, w), column = e / level3_rows(f, &c, w);
                const number a = row == column && size > 1
                                     ? integer(r, 1, 0)
                                     : integer(r, (1 + (double)(e % 3)) / size, 0.5 / size);
                if (level3_used(f, &c, w, row, column))
                    number_put(r->dtype, &o.M[w], row + column * c.ld[w], a);
            }
        }
        number_put(r->dtype, &o.M[which], i + j * c.ld[which], integer(r, special, special != 0));
        if (level3_send(&o) && level3_run(r, &o, f, &c) && guarded_fetch(&o.M[level3_output(f)])) {
            level3_compare_finite(r, &o, f, &c);
            level3_surroundings(&o, f, &c);
        }
    }
    level3_destroy(&o);
}

/* The used element of rank `rank` on a walk through a matrix; false: there is none. */
static bool used_element(const level3_form *f, const level3_case *c, int which, int64_t rank,
                         int64_t *i, int64_t *j)
{
    const int64_t rows = level3_rows(f, c, which), all = rows * level3_columns(f, c, which);
    for (int64_t step = 0, e = all > 0 ? rank * 7919 % all : 0; step < all; step++) {
        *i = e % rows;
        *j = e / rows;
        if (level3_used(f, c, which, *i, *j))
            return true;
        e = (e + 1) % all;
    }
    return false;
}

static void specials(routine *r, const level3_form *f, const level3_case *c)
{
    for (int w = 0; w < MATRIX_C; w++) {
        if (!level3_has_matrix(f, w))
            continue;
        const int64_t last = level3_rows(f, c, w) - 1, end = level3_columns(f, c, w) - 1;
        /* A NaN in the triangle of a solution, not an Inf: over that a quotient is 0. */
        const bool triangle = level3_solves(f) && w == MATRIX_A;
        for (int64_t e = 0; e < 3; e++) {
            int64_t i, j;
            if (used_element(f, c, w, e, &i, &j))
                spreads(r, f, c, w, i, j, e % 2 == 1 && !triangle ? INFINITY : NAN);
        }
        if (level3_used(f, c, w, last, end))
            spreads(r, f, c, w, last, end, NAN);
        if (level3_used(f, c, w, 0, 0))
            spreads(r, f, c, w, 0, 0, triangle ? NAN : INFINITY);
        if (triangle && level3_used(f, c, w, last / 2, last / 2))
            spreads(r, f, c, w, last / 2, last / 2, 0);
    }
}

/* Columns of one matrix more than 2^31 elements apart. */
static void far_apart(routine *r, const level3_form *f, level3_case small, int which)
{
    far_memory room;
    small.m = small.n = small.k = 3;
    small = level3_sized(r, f, small, 0);
    level3_case c = small;
    c.ld[which] = ((int64_t)1 << 30) + 7;
    const size_t elem = gbl_dtype_bytes(r->dtype);
    const size_t bytes = (size_t)(2 * c.ld[which] + 3) * elem;
    if (!far_take(r, 1, bytes, &room))
        return;
    level3_operands o;
    char *memory = room.at[0];
    level3_begin(r, f, &c, "far apart");
    if (level3_build(r, &o, f, &small)) {
        guarded *const M = &o.M[which];
        void *const near = M->at;
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, 3, elem, guarded_element(M, small.ld[which] * j), 1,
                                      memory + (size_t)(j * c.ld[which]) * elem, 1));
        M->at = memory;
        if (level3_run(r, &o, f, &c) && guarded_fetch(&o.M[level3_output(f)])) {
            for (int64_t j = 0; which == level3_output(f) && j < 3; j++)
                CHECK_OK(r->ctx, gable_get_vector(
                                     r->ctx, 3, elem, memory + (size_t)(j * c.ld[which]) * elem, 1,
                                     M->got + guarded_place(M, small.ld[which] * j), 1));
            level3_compare(r, &o, f, &small);
            level3_surroundings(&o, f, &small);
        }
        M->at = near;
    }
    level3_destroy(&o);
    far_give(r, &room);
}

/* All edges for one set of flags. */
static void edges_of(routine *r, const level3_form *f, const level3_case *flags, int number_of_set)
{
    const number zero = integer(r, 0, 0), minus_zero = integer(r, -0.0, 0), one = integer(r, 1, 0),
                 two = integer(r, 2, 0);
    const bool real_diagonal = f->conj && f->kind != LEVEL3_SYMMETRIC;
    level3_case plain = *flags, odd = *flags, empty = *flags;
    plain.m = 37;
    plain.n = 21;
    plain.k = 18;
    odd.m = 9;
    odd.n = 66;
    odd.k = 35;
    empty.m = 12;
    empty.n = 19;
    plain = level3_sized(r, f, plain, 0);
    odd = level3_sized(r, f, odd, 1);
    empty = level3_sized(r, f, empty, 2);
    nothing(r, f, &plain);
    for (int device = 0; device < 2; device++) {
        not_read(r, f, &plain, zero, two, device);
        if (!real_diagonal || device) /* by value: see `unchanged` */
            not_read(r, f, &plain, minus_zero, one, device);
        not_read(r, f, &plain, zero, zero, device);
        not_read(r, f, &plain, two, zero, device);
        not_read(r, f, &odd, one, minus_zero, device);
        if (level3_has(f, "k")) {
            not_read(r, f, &empty, one, two, device);
            not_read(r, f, &empty, two, zero, device);
        }
    }
    if (level3_has(f, "beta"))
        unchanged(r, f, &plain);
    specials(r, f, &plain);
    specials(r, f, &odd);
    for (int w = 0; number_of_set < 4 && w < MATRICES; w++)
        if (level3_has_matrix(f, w))
            far_apart(r, f, plain, w);
}

void level3_edges(routine *r)
{
    if (level3_left_out(r))
        return;
    for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;) {
        const bool rung = r->variant != NULL && r->variant->rung;
        for (int set = 0; set < (rung ? 1 : level3_flag_sets(r, f)); set++) {
            level3_case flags = {.m = 0};
            level3_flags(r, f, set, &flags);
            edges_of(r, f, &flags, set);
        }
    }
}
