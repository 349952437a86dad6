/* level3_parts.c: five of the six parts of routines on two or three matrices, and their probe.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/level3_test.h"

/* ---- Exact, residual, guards ---- */

static number integer(const routine *r, double re, double im)
{
    return number_of(r->dtype, re, im);
}

static void give_scalars(const level3_form *f, level3_case *c, number alpha, number beta)
{
    c->alpha = f->real_alpha ? (number){alpha.re, 0} : alpha;
    c->beta = f->real_beta ? (number){beta.re, 0} : beta;
}

static number integer_scalar(const routine *r, uint64_t seed)
{
    return integer(r, (double)(seed % 5) - 2, (double)(seed % 3) - 1);
}

/* alpha of an exact solution. */
static number power_of_two(const routine *r, int i)
{
    static const number powers[] = {{1, 0}, {-1, 0}, {2, 0}, {0.5, 0}, {0, 1}, {0, -2}};
    return powers[i % (gbl_dtype_complex(r->dtype) ? 6 : 4)];
}

static void exact_case(routine *r, const level3_form *f, level3_case c, int i)
{
    c.seed = 10 * (uint64_t)i;
    give_scalars(f, &c, level3_solves(f) ? power_of_two(r, i) : integer_scalar(r, (uint64_t)i),
                 integer_scalar(r, (uint64_t)i / 3 + 1));
    /* By value alpha = 0 and beta = 1 change nothing: not even imaginary parts of a diagonal. */
    const bool idle = c.beta.re == 1 && (number_size(c.alpha) == 0 || c.k == 0);
    c.on_device = i % 5 % 2 == 1 || (idle && f->real_beta);
    level3_check(r, f, &c);
}

void level3_exact(routine *r)
{
    level3_case c;
    if (level3_left_out(r))
        return;
    for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;)
        for (int i = 0; (c = level3_any(r, f, i, false)).m >= 0; i++)
            exact_case(r, f, c, i);
}

void level3_residual(routine *r)
{
    level3_case c;
    for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;) {
        for (int i = 0; (c = level3_any(r, f, i, false)).m >= 0; i++) {
            c.seed = 10000 + 10 * (uint64_t)i;
            give_scalars(f, &c, number_random(r->dtype, 10003 + (uint64_t)i, 0),
                         number_random(r->dtype, 10004 + (uint64_t)i, 0));
            c.random = true;
            c.on_device = i % 5 % 2 == 0;
            c.ill = i % 2 == 1;
            level3_check(r, f, &c);
        }
    }
}

void level3_guards(routine *r)
{
    level3_case c;
    for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;) {
        for (int i = 0; (c = level3_any(r, f, i, true)).m >= 0; i++) {
            for (int w = 0; w < GUARDED_WAYS; w++) {
                c.fill = guarded_ways[w].fill;
                c.fence = guarded_ways[w].fence;
                exact_case(r, f, c, 2 * i + w);
            }
        }
    }
}

/* ---- Repeat ---- */

/* The call recorded, with its scalars on the device, and replayed twice: scalars, and the output,
 * are right only the second time. */
static bool replayed(routine *r, level3_operands *o, const level3_form *f, const level3_case *c)
{
    gable_recording *recording = NULL;
    level3_case from_device = *c;
    guarded *const output = &o->M[level3_output(f)];
    from_device.on_device = true;
    if (!level3_build(r, o, f, &from_device))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->scalars.memory, 0xff, o->scalars.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, level3_enqueue(r, o, f, &from_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                      guarded_send(&o->scalars) && guarded_send(output) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(output);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const level3_form *f, const level3_case *c)
{
    const int w = level3_output(f);
    level3_operands first, second;
    level3_begin(r, f, c, "twice");
    if (level3_build(r, &first, f, c) && level3_run(r, &first, f, c) &&
        guarded_fetch(&first.M[w])) {
        const guarded *is = &first.M[w];
        if (level3_build(r, &second, f, c) && level3_run(r, &second, f, c) &&
            guarded_fetch(&second.M[w]))
            CHECK(memcmp(is->got, second.M[w].got, is->bytes) == 0,
                  "the same call gave other bits");
        level3_destroy(&second);
        if (replayed(r, &second, f, c))
            CHECK(memcmp(is->got, second.M[w].got, is->bytes) == 0,
                  "the replay with scalars on the device gave other bits");
        level3_destroy(&second);
    }
    level3_destroy(&first);
}

static level3_case random_case(const routine *r, const level3_form *f, int i)
{
    level3_case c = level3_any(r, f, i, true);
    c.seed = 400;
    give_scalars(f, &c, number_of(r->dtype, 0.7, -0.3), number_of(r->dtype, -0.6, 0.2));
    c.random = true;
    return c;
}

/* All variants agree within the bound. Not where kernels take long to compile: there `exact` runs
 * them. */
static void other_variants(routine *r)
{
    level3_case c;
    for (int v = 0; v < r->op->variant_count; v++) {
        if (r->op->variants[v].rung || !routine_variant_fits(r, &r->op->variants[v]) ||
            !routine_force(r, &r->op->variants[v], ""))
            continue;
        for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;) {
            for (int i = 0; (c = random_case(r, f, i)).m >= 0; i++) {
                c.on_device = i % 2;
                level3_check(r, f, &c);
            }
        }
        routine_unforce(r);
    }
}

void level3_repeat(routine *r)
{
    level3_case c;
    for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;)
        for (int i = 0; (c = random_case(r, f, i)).m >= 0; i++)
            same_bits(r, f, &c);
    if (!routine_slow_compiler(r) && r->variant == NULL)
        other_variants(r);
}

/* ---- Probe ---- */

/* Squares, small ones, tall and wide matrices, long sums; with four sets of flags, of each form. */
const void *level3_probe(const routine *r, int i)
{
    static const int64_t sizes[][3] = {{128, 128, 64}, {8, 8, 8},      {300, 2, 40},
                                       {2, 300, 40},   {16, 16, 1000}, {3, 5, 1000}};
    static _Alignas(256) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    const int shapes = (int)(sizeof sizes / sizeof sizes[0]), each = 4 * shapes;
    if (i >= each * r->parts->form_count)
        return NULL;
    const level3_form *f = (const level3_form *)r->parts->forms + i / each;
    const int64_t *size = sizes[i % shapes];
    const bool trans = level3_has(f, "trans") || level3_has(f, "transa");
    level3_case c = {.m = level3_has(f, "m") ? size[0] : size[1], .n = size[1], .k = size[2]};
    level3_flags(r, f, i / shapes % 4, &c);
    call = (gbl_product_call){.dtype = r->dtype,
                              .trans = trans ? c.transa : (gable_trans)0,
                              .trans_b = level3_has(f, "transb") ? c.transb : (gable_trans)0,
                              .uplo = c.uplo,
                              .diag = c.diag,
                              .side = c.side,
                              .conj = f->conj,
                              .real_alpha = f->real_alpha,
                              .real_beta = f->real_beta,
                              .m = c.m,
                              .n = c.n,
                              .k = level3_has(f, "k") ? c.k : 0,
                              .lda = 1008,
                              .ldb = level3_has_matrix(f, MATRIX_B) ? 1008 : 0,
                              .ldc = level3_has_matrix(f, MATRIX_C) ? 1008 : 0,
                              .A = memory,
                              .B = level3_has_matrix(f, MATRIX_B) ? memory : NULL,
                              .C = level3_has_matrix(f, MATRIX_C) ? memory : NULL,
                              .alpha = {NULL, 2, 0},
                              .beta = {NULL, level3_has(f, "beta") ? 3 : 0, 0}};
    return &call;
}
