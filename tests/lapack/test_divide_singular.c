/* test_divide_singular.c: divide and conquer for bidiagonal matrices, called as bdsdc does, with
 * small leaves, so that small matrices have several levels of merges.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices of divide_matrices.h as bidiagonal ones, and three more kinds: all ones, where nothing
 * deflates, zeros here and there on the diagonal, and a chain whose links hardly hang together.
 * With B = U S V^T, in 1-norms: norm(B - U S V^T) / (norm(B) n ulp) and norm(I - U U^T) / (n ulp),
 * the same of V, are below 30; what is above 3 is printed. Values descend, are not negative, and
 * have the right Sturm counts within n ulp norm(B): those of the matrix of order 2 n with a
 * diagonal of zeros whose positive eigenvalues they are (Golub and Kahan, 1965).
 *
 * test_divide_singular [LETTERS [all [TUNABLES]]]: the precisions, and leaf:gemm. Without
 * GABLE_TEST_ALL there are fewer sizes; with GABLE_TEST_SMALL a few.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/arena.h"
#include "core/context.h"
#include "divide_matrices.h"
#include "harness/check.h"
#include "lapack/bdsdc_divide.h"

#define STAYS 17.0
#define GAP   3 /* rows behind the matrix */

enum { ONES = KINDS, HOLES, CHAIN, ALL_KINDS };

static gable_context *ctx;
static gbl_params params;

static const char *name_of(int kind)
{
    return kind == ONES    ? "ones"
           : kind == HOLES ? "holes"
           : kind == CHAIN ? "chain"
                           : kind_name(kind);
}

static tridiagonal make(gbl_dtype real, int64_t n, int kind)
{
    tridiagonal t = make_matrix(real, n, kind < KINDS ? kind : 0);
    for (int64_t i = 0; i < n; i++) {
        if (kind == ONES)
            t.d[i] = t.e[i] = 1;
        if (kind == HOLES && i % 4 == 1)
            t.d[i] = 0;
        if (kind == CHAIN)
            t.e[i] = i % 7 == 6 ? 1e-3 * sqrt(ulp_of(real)) : 1;
    }
    for (int64_t i = 0; i < n && kind == CHAIN && real == GBL_S; i++)
        t.e[i] = (double)(float)t.e[i];
    return t;
}

/* Of the upper bidiagonal matrix, without the power. */
static double norm_of_columns(const tridiagonal *t)
{
    double most = 0;
    for (int64_t i = 0; i < t->n; i++)
        most = fmax(most, fabs(t->d[i]) + (i > 0 ? fabs(t->e[i - 1]) : 0));
    return most;
}

/* ---- A call ---- */

typedef struct memory {
    void *d, *e, *U, *Vt, *info;
} memory;

typedef struct outcome {
    double *d, *U, *Vt; /* n + GAP rows */
    int64_t info;
} outcome;

static memory take_memory(gbl_dtype real, int64_t n)
{
    memory m = {NULL, NULL, NULL, NULL, NULL};
    const size_t elem = gbl_dtype_bytes(real);
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)n * elem, &m.d));
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)n * elem, &m.e));
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)((n + GAP) * n) * elem, &m.U));
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)((n + GAP) * n) * elem, &m.Vt));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof(int64_t), &m.info));
    return m;
}

static void give_memory(const memory *m)
{
    CHECK_OK(ctx, gable_free(ctx, m->d));
    CHECK_OK(ctx, gable_free(ctx, m->e));
    CHECK_OK(ctx, gable_free(ctx, m->U));
    CHECK_OK(ctx, gable_free(ctx, m->Vt));
    CHECK_OK(ctx, gable_free(ctx, m->info));
}

static void put_problem(const tridiagonal *t, const memory *m)
{
    const double factor = ldexp(1, t->power);
    const int64_t info = -77, ld = t->n + GAP;
    put_reals(ctx, t->real, t->n, t->d, factor, m->d);
    if (t->n > 1)
        put_reals(ctx, t->real, t->n - 1, t->e, factor, m->e);
    double *all = malloc((size_t)(ld * t->n) * sizeof *all);
    for (int64_t i = 0; i < ld * t->n; i++)
        all[i] = i % ld >= t->n ? STAYS : NAN;
    put_reals(ctx, t->real, ld * t->n, all, 1, m->U);
    put_reals(ctx, t->real, ld * t->n, all, 1, m->Vt);
    free(all);
    CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof info, &info, 1, m->info, 1));
}

static gable_status divide(gbl_dtype real, int64_t n, bool lower, const memory *m)
{
    const gbl_product_call call = {.dtype = real,
                                   .uplo = lower ? GABLE_LOWER : GABLE_UPPER,
                                   .job = GABLE_IDENTITY_VECTORS,
                                   .m = n,
                                   .n = n,
                                   .d = m->d,
                                   .e = m->e,
                                   .B = m->U,
                                   .ldb = n + GAP,
                                   .C = m->Vt,
                                   .ldc = n + GAP,
                                   .info = m->info};
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    TRY(gbl_enter(ctx, "gable_bdsdc"));
    CHECK(gbl_bdsdc_divide_fits(NULL, &call, ctx->device), "it does not fit");
    const gable_status status = gbl_bdsdc_divide_run(ctx, NULL, &call, &params);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

static double *get_matrix(const tridiagonal *t, const void *from)
{
    const int64_t ld = t->n + GAP;
    double *all = malloc((size_t)(ld * t->n) * sizeof *all);
    int64_t changed = 0;
    get_reals(ctx, t->real, ld * t->n, from, 1, all);
    for (int64_t i = 0; i < ld * t->n; i++)
        changed += i % ld >= t->n && all[i] != STAYS;
    CHECK(changed == 0, "%d elements behind the matrix were written", (int)changed);
    return all;
}

static outcome get_outcome(const tridiagonal *t, const memory *m)
{
    outcome o = {.info = -78};
    CHECK_OK(ctx, gable_sync(ctx));
    o.d = malloc((size_t)t->n * sizeof(double));
    get_reals(ctx, t->real, t->n, m->d, ldexp(1, -t->power), o.d);
    o.U = get_matrix(t, m->U);
    o.Vt = get_matrix(t, m->Vt);
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof o.info, m->info, 1, &o.info, 1));
    return o;
}

static void free_outcome(const outcome *o)
{
    free(o->d);
    free(o->U);
    free(o->Vt);
}

static outcome run(const tridiagonal *t, bool lower)
{
    const memory m = take_memory(t->real, t->n);
    put_problem(t, &m);
    CHECK_OK(ctx, divide(t->real, t->n, lower, &m));
    const outcome o = get_outcome(t, &m);
    give_memory(&m);
    return o;
}

/* ---- Ratios ---- */

/* The largest sum of a column of |C - A diag(by) B|, where B is given by its columns or, as a
 * transpose, by its rows. C is the identity, or the matrix `minus`. */
static double product_off(int64_t n, const double *A, const double *by, const double *B,
                          bool transposed, const tridiagonal *minus, bool lower)
{
    const int64_t ld = n + GAP;
    double most = 0, *column = malloc((size_t)n * sizeof *column);
    for (int64_t j = 0; j < n && most == most; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            column[i] = minus == NULL ? (i == j ? -1 : 0) : i == j ? -minus->d[i] : 0;
        if (minus != NULL && lower && j + 1 < n)
            column[j + 1] = -minus->e[j];
        if (minus != NULL && !lower && j > 0)
            column[j - 1] = -minus->e[j - 1];
        for (int64_t p = 0; p < n; p++) {
            const double factor =
                (transposed ? B[j + p * ld] : B[p + j * ld]) * (by != NULL ? by[p] : 1);
            for (int64_t i = 0; i < n; i++)
                column[i] += A[i + p * ld] * factor;
        }
        for (int64_t i = 0; i < n; i++)
            sum += fabs(column[i]);
        if (!(sum <= most))
            most = sum;
    }
    free(column);
    return most;
}

static void check_values(const tridiagonal *t, const outcome *o)
{
    const int64_t n = t->n;
    tridiagonal both = {.real = t->real,
                        .n = 2 * n,
                        .d = calloc((size_t)(2 * n), sizeof(double)),
                        .e = calloc((size_t)(2 * n), sizeof(double))};
    const double bound = (n > 8 ? (double)n : 8) * ulp_of(t->real) * norm_of_columns(t);
    int64_t disorder = 0, counts = 0;
    for (int64_t i = 0; i < n; i++) {
        both.e[2 * i] = t->d[i];
        both.e[2 * i + 1] = t->e[i];
    }
    for (int64_t i = 0; i < n; i++) {
        disorder += !(o->d[i] >= 0) || signbit(o->d[i]) || (i > 0 && !(o->d[i - 1] >= o->d[i]));
        const long double s = (long double)o->d[i], off = (long double)bound + 1e-3900L;
        counts += !(sturm_count(&both, s + off) >= 2 * n - i);
        counts += s > off && !(sturm_count(&both, s - off) <= 2 * n - 1 - i);
    }
    CHECK(disorder == 0, "%d values are not in order", (int)disorder);
    CHECK(counts == 0, "%d values have wrong Sturm counts", (int)counts);
    free_matrix(&both);
}

static double worst_residual, worst_orthogonality;

static void check_ratios(const tridiagonal *t, bool lower, const outcome *o, const char *kind)
{
    const double unit = (double)t->n * ulp_of(t->real), norm = norm_of_columns(t);
    const double off = product_off(t->n, o->U, o->d, o->Vt, false, t, lower);
    const double of_u = product_off(t->n, o->U, NULL, o->U, true, NULL, false) / unit,
                 of_v = product_off(t->n, o->Vt, NULL, o->Vt, true, NULL, false) / unit,
                 residual = norm > 0  ? off / (norm * unit)
                            : off > 0 ? 1e9
                                      : off;
    CHECK(o->info == 0, "info is %lld", (long long)o->info);
    CHECK(residual < 30, "norm(B - U S V^T) has ratio %g", residual);
    CHECK(of_u < 30, "norm(I - U U^T) has ratio %g", of_u);
    CHECK(of_v < 30, "norm(I - V^T V) has ratio %g", of_v);
    if (!(residual <= 3) || !(of_u <= 3) || !(of_v <= 3))
        printf("%s %c %d: ratios %.2f %.2f %.2f\n", kind, gbl_dtype_letter(t->real), (int)t->n,
               residual, of_u, of_v);
    worst_residual = fmax(worst_residual, residual);
    worst_orthogonality = fmax(worst_orthogonality, fmax(of_u, of_v));
}

/* ---- Parts ---- */

static void solve(gbl_dtype real, int64_t n, int kind)
{
    const tridiagonal t = make(real, n, kind);
    const bool lower = (n + kind) % 2 == 1;
    test_case("%s, %c, n %d, %s", name_of(kind), gbl_dtype_letter(real), (int)n,
              lower ? "lower" : "upper");
    const outcome o = run(&t, lower);
    check_ratios(&t, lower, &o, name_of(kind));
    check_values(&t, &o);
    free_outcome(&o);
    free_matrix(&t);
}

static void same(int64_t n, const outcome *a, const outcome *b, const char *what)
{
    const size_t matrix = (size_t)((n + GAP) * n) * sizeof(double);
    CHECK(memcmp(a->d, b->d, (size_t)n * sizeof *a->d) == 0 && memcmp(a->U, b->U, matrix) == 0 &&
              memcmp(a->Vt, b->Vt, matrix) == 0 && a->info == b->info,
          "%s has other bits", what);
}

/* A recording with other numbers, and with those of a matrix that is not finite in between. */
static void replayed(gbl_dtype real, int64_t n)
{
    tridiagonal t = make(real, n, ONES), other = make(real, n, 7);
    test_case("replayed, %c, n %d", gbl_dtype_letter(real), (int)n);
    gable_recording *recording = NULL;
    const outcome first = run(&t, false), wanted = run(&other, false);
    const memory m = take_memory(real, n);
    put_problem(&t, &m);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, divide(real, n, false, &m));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    for (int round = 0; round < 3; round++) {
        const tridiagonal *now = round == 1 ? &other : &t;
        if (round == 2)
            t.e[n / 2] = NAN;
        put_problem(now, &m);
        CHECK_OK(ctx, gable_replay(ctx, recording));
        const outcome o = get_outcome(now, &m);
        if (round < 2)
            same(n, &o, round == 1 ? &wanted : &first, "the recording");
        else
            CHECK(o.info == -4 && isnan(o.d[n - 1]) && isnan(o.U[0]) && isnan(o.Vt[n - 1]),
                  "info is %lld, or a result is a number", (long long)o.info);
        free_outcome(&o);
    }
    gable_recording_destroy(recording);
    give_memory(&m);
    free_outcome(&first);
    free_outcome(&wanted);
    free_matrix(&t);
    free_matrix(&other);
}

/* Few sizes: on the emulated device, where a launch takes long. */
static void test_few(gbl_dtype real)
{
    for (int kind = 0; kind < ALL_KINDS; kind++)
        solve(real, 35, kind);
    solve(real, 1, 0);
    solve(real, 70, 0);
    solve(real, 70, ONES);
    replayed(real, 36);
}

static void test_precision(gbl_dtype real)
{
    static const int64_t few[] = {1, 2, 3, 6, 7, 8, 9, 16, 40, 73},
                         more[] = {4, 5, 15, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129, 200, 300};
    if (test_small()) {
        test_few(real);
        return;
    }
    for (int kind = 0; kind < ALL_KINDS; kind++)
        for (size_t i = 0; i < sizeof few / sizeof few[0]; i++)
            solve(real, few[i], kind);
    solve(real, 257, 0);
    solve(real, 257, ONES);
    solve(real, 129, HOLES);
    for (int kind = 0; kind < ALL_KINDS && test_all(); kind++)
        for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
            solve(real, more[i], kind);
    if (test_all()) {
        solve(real, 1000, 0);
        solve(real, 1031, ONES);
    }
    replayed(real, 70);
}

int main(int count, char **arguments)
{
    const char *letters = getenv("GABLE_TEST_PRECISIONS");
    test_start("test_divide_singular");
    ctx = test_open();
    if (ctx->device->table->build == NULL)
        test_skip(NULL, "the device has no kernels");
    letters = count > 1 ? arguments[1] : letters != NULL ? letters : "sd";
    params.value[0] = 8;
    params.value[1] = 128; /* on GPUs gemm multiplies the larger merges */
    if (count > 3 && sscanf(arguments[3], "%d:%d", &params.value[0], &params.value[1]) != 2)
        test_skip(NULL, "the tunables are not leaf:gemm");
    if (strchr(letters, 's') != NULL)
        test_precision(GBL_S);
    if (strchr(letters, 'd') != NULL)
        test_precision(GBL_D);
    printf("largest ratios: residual %.3f, orthogonality %.3f\n", worst_residual,
           worst_orthogonality);
    gable_close(ctx);
    return test_finish();
}
