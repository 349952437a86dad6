/* test_scal.c: the six parts of scal: x := alpha x, also with a real alpha beside complex vectors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: one rounding, u |alpha| |x_i|; a complex product costs up to 2 sqrt 2
 * u (Higham, Accuracy and Stability, 3.6), a real alpha times a complex number one rounding of each
 * part. It always multiplies: NaN and Inf times 0 are NaN.
 */
#include "harness/map_parts.h"

static void element(const operands *o, const T *in, map_value *out)
{
    map_add(&out[0], 1, map_scalar(o, 0), in[0]);
}

static gable_status run(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN(scal_dev)(ctx, o->n, o->scalar_at[0], o->at[0], o->inc[0])
                        : FN(scal)(ctx, o->n, map_scalar(o, 0), o->at[0], o->inc[0]);
}

static const map scal = {
    .name = NAME(FN(scal)),
    .name_dev = NAME(FN(scal_dev)),
    .vectors = 1,
    .scalars = 1,
    .written = {true},
    .number = {4},
    .scalar_number = {3},
    .scalar_name = {"alpha"},
    .reals = {REALS},
    .bound = LIMIT,
    .run = run,
    .element = element,
};

#if COMPLEX
static gable_status run_real(gable_context *ctx, const operands *o)
{
    return o->on_device ? FN_M(scal_dev)(ctx, o->n, o->scalar_at[0], o->at[0], o->inc[0])
                        : FN_M(scal)(ctx, o->n, o->value[0][0], o->at[0], o->inc[0]);
}

static const map real_scal = {
    .name = NAME(FN_M(scal)),
    .name_dev = NAME(FN_M(scal_dev)),
    .vectors = 1,
    .scalars = 1,
    .written = {true},
    .number = {4},
    .scalar_number = {3},
    .scalar_name = {"alpha"},
    .reals = {1},
    .real_scalars = true,
    .bound = 1,
    .run = run_real,
    .element = element,
};
static const map *const maps[] = {&scal, &real_scal};
#else
static const map *const maps[] = {&scal};
#endif

static void each(routine *r, void (*part)(routine *r, const map *m))
{
    map_each(r, maps, sizeof maps / sizeof maps[0], part);
}

static void exact(routine *r)
{
    each(r, map_exact);
}

static void residual(routine *r)
{
    each(r, map_residual);
}

/* The product of (alpha, 0) and (re, im), as far as it is certain: NaN stays, Inf does not become
 * finite, everything else is exact. A real alpha keeps the parts apart. */
static void special_product(const map *m, R alpha, R re, R im, T z)
{
    const R want_re = alpha * re, want_im = REALS > 1 ? alpha * im : 0;
    const double z_re = real_part(z), z_im = imaginary_part(z);
    const bool apart = REALS == 1 || m->real_scalars;
    bool good;
    if (apart)
        good = (isnan(want_re) ? isnan(z_re) : z_re == want_re) &&
               (isnan(want_im) ? isnan(z_im) : z_im == want_im);
    else if (isnan(want_re) || isnan(want_im))
        good = is_nan(z);
    else if (isinf(re) || isinf(im))
        good = !isfinite(z_re) || !isfinite(z_im);
    else
        good = z_re == want_re && z_im == want_im;
    CHECK(good, "an element is %g,%g, not %g,%g", z_re, z_im, (double)want_re, (double)want_im);
}

/* Every element is the same special value. */
static void special(routine *r, const map *m, double alpha, double re, double im, bool on_device)
{
    const R scalars[MAP_SCALARS][MAP_REALS] = {{(R)alpha}};
    const map_case c = {
        .s = {37, 1, 1, 1, 0}, .scalars = scalars, .on_device = on_device, .fill = FILL_PATTERN};
    operands o;
    char more[64];
    const bool built = map_build(r, m, &c, &o);
    snprintf(more, sizeof more, "all elements %g,%g", re, im);
    map_title(r, m, &c, &o, more);
    for (int64_t i = 0; built && i < o.n; i++)
        put(&o.vector[0], i, make(re, im));
    if (built && map_send(&o) && map_run(r, &o) && map_fetch(&o)) {
        for (int64_t i = 0; i < o.n; i++)
            special_product(m, (R)alpha, (R)re, (R)im, got(&o.vector[0], i));
        guarded_surroundings(&o.vector[0], "x");
    }
    map_destroy(&o);
}

static void edges_of(routine *r, const map *m)
{
    static const double alphas[] = {0, -0.0, 1, 2};
    map_edges(r, m);
    for (int device = 0; device < 2; device++) {
        for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; a++) {
            special(r, m, alphas[a], NAN, 1, device);
            special(r, m, alphas[a], 1, NAN, device);
            special(r, m, alphas[a], INFINITY, 1, device);
            special(r, m, alphas[a], -INFINITY, -INFINITY, device);
            special(r, m, alphas[a], 3, -5, device);
            special(r, m, alphas[a], 3 * REAL_DENORM, -REAL_DENORM, device);
        }
        special(r, m, INFINITY, 1, 2, device);
        special(r, m, REAL_MAX, 2, 3, device);
    }
}

static void edges(routine *r)
{
    each(r, edges_of);
}

static void guards(routine *r)
{
    each(r, map_guards);
}

static void arguments(routine *r)
{
    each(r, map_arguments);
}

static void repeat(routine *r)
{
    each(r, map_repeat);
}

const routine_parts PARTS =
    TEST_PARTS("scal", .run = {exact, residual, edges, guards, arguments, repeat});
