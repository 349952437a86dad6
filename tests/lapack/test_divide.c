/* test_divide.c: divide and conquer for symmetric tridiagonal matrices, called as the library does.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices of the kinds that are hard for it: nothing deflates (1-2-1), all does (the identity,
 * zeros), clusters (glued Wilkinson matrices), elements of all sizes, others near the ends of the
 * range. With T = Z D Z^T, in 1-norms: norm(T - Z D Z^T) / (norm(T) n ulp) and norm(I - Z^T Z) / (n
 * ulp) are below 30, LAPACK's own bound for linear equations; what is above 3 is printed.
 * Eigenvalues ascend, have the right Sturm counts within n ulp norm(T), and agree with those of
 * LAPACK's sterf, where one is installed, to the same. Rows behind the matrix stay as they are.
 *
 * test_divide [LETTERS [all [TUNABLES]]]: the precisions, and leaf:gemm. Without GABLE_TEST_ALL
 * there are fewer sizes; with GABLE_TEST_SMALL a few.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/arena.h"
#include "core/context.h"
#include "divide_matrices.h"
#include "harness/check.h"
#include "lapack/stedc_divide.h"

#define STAYS 17.0
#define GAP   3 /* rows behind the matrix */

static gable_context *ctx;
static gbl_params params;

/* ---- The device's memory ---- */

static void put(gbl_dtype real, int64_t count, const double *from, double factor, void *to)
{
    put_reals(ctx, real, count, from, factor, to);
}

static void get(gbl_dtype real, int64_t count, const void *from, double factor, double *to)
{
    get_reals(ctx, real, count, from, factor, to);
}

/* A call's results; Z as real numbers, ldz rows of them. */
typedef struct outcome {
    double *d, *e, *Z;
    int64_t ldz, info;
} outcome;

typedef struct memory {
    void *d, *e, *Z, *info;
} memory;

static memory take_memory(gbl_dtype dtype, int64_t n)
{
    memory m = {NULL, NULL, NULL, NULL};
    const size_t real = gbl_dtype_real_bytes(dtype), elem = gbl_dtype_bytes(dtype);
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)n * real, &m.d));
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)n * real, &m.e));
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)((n + GAP) * n) * elem, &m.Z));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof(int64_t), &m.info));
    return m;
}

static void give_memory(const memory *m)
{
    CHECK_OK(ctx, gable_free(ctx, m->d));
    CHECK_OK(ctx, gable_free(ctx, m->e));
    CHECK_OK(ctx, gable_free(ctx, m->Z));
    CHECK_OK(ctx, gable_free(ctx, m->info));
}

static gable_status divide(gbl_dtype dtype, int64_t n, bool update, const memory *m)
{
    const gbl_divide_call call = {.dtype = dtype,
                                  .n = n,
                                  .d = m->d,
                                  .e = m->e,
                                  .update = update,
                                  .Z = m->Z,
                                  .ldz = n + GAP,
                                  .info = m->info};
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    TRY(gbl_enter(ctx, "gable_stedc"));
    CHECK(gbl_divide_fits(&call, ctx->device), "it does not fit");
    const gable_status status = gbl_divide(ctx, "gable_stedc", &call, &params);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

static gbl_dtype real_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

static int wide(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

/* Z before the call: of an update the numbers that it shall be multiplied by, else NaN. */
static void put_problem(gbl_dtype dtype, const tridiagonal *t, const double *Z, const memory *m)
{
    const double factor = ldexp(1, t->power);
    const int64_t info = -77, ldz = wide(dtype) * (t->n + GAP);
    put(t->real, t->n, t->d, factor, m->d);
    if (t->n > 1)
        put(t->real, t->n - 1, t->e, factor, m->e);
    double *all = malloc((size_t)(ldz * t->n) * sizeof *all);
    for (int64_t i = 0; i < ldz * t->n; i++)
        all[i] = i % ldz >= wide(dtype) * t->n ? STAYS : Z != NULL ? Z[i] : NAN;
    put(t->real, ldz * t->n, all, 1, m->Z);
    free(all);
    CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof info, &info, 1, m->info, 1));
}

static outcome get_outcome(gbl_dtype dtype, const tridiagonal *t, const memory *m)
{
    const double factor = ldexp(1, -t->power);
    outcome o = {.ldz = wide(dtype) * (t->n + GAP), .info = -78};
    o.d = malloc((size_t)t->n * sizeof(double));
    o.e = calloc((size_t)t->n, sizeof(double));
    o.Z = malloc((size_t)(o.ldz * t->n) * sizeof(double));
    CHECK_OK(ctx, gable_sync(ctx));
    get(t->real, t->n, m->d, factor, o.d);
    if (t->n > 1)
        get(t->real, t->n - 1, m->e, 1, o.e);
    get(t->real, o.ldz * t->n, m->Z, 1, o.Z);
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof o.info, m->info, 1, &o.info, 1));
    int64_t changed = 0;
    for (int64_t i = 0; i < o.ldz * t->n; i++)
        changed += i % o.ldz >= wide(dtype) * t->n && o.Z[i] != STAYS;
    CHECK(changed == 0, "%d elements behind the matrix were written", (int)changed);
    return o;
}

static void free_outcome(const outcome *o)
{
    free(o->d);
    free(o->e);
    free(o->Z);
}

static outcome run(gbl_dtype dtype, const tridiagonal *t, const double *Z)
{
    const memory m = take_memory(dtype, t->n);
    put_problem(dtype, t, Z, &m);
    CHECK_OK(ctx, divide(dtype, t->n, Z != NULL, &m));
    const outcome o = get_outcome(dtype, t, &m);
    give_memory(&m);
    return o;
}

/* ---- Ratios ---- */

/* The largest sum of a column of |C - A B^T|, for n x n matrices; A has columns times `by`. */
static double product_off(int64_t n, const double *A, int64_t lda, const double *by,
                          tridiagonal *minus)
{
    double most = 0, *column = malloc((size_t)n * sizeof *column);
    for (int64_t j = 0; j < n; j++) {
        memset(column, 0, (size_t)n * sizeof *column);
        for (int64_t p = 0; p < n; p++) {
            const double factor = A[j + p * lda] * (by != NULL ? by[p] : 1);
            for (int64_t i = 0; i < n; i++)
                column[i] += A[i + p * lda] * factor;
        }
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            double wanted = i == j ? 1 : 0;
            if (minus != NULL)
                wanted = i == j       ? minus->d[i]
                         : i == j + 1 ? minus->e[j]
                         : j == i + 1 ? minus->e[i]
                                      : 0;
            sum += fabs(column[i] - wanted);
        }
        if (!(sum <= most))
            most = sum;
        if (most != most)
            break;
    }
    free(column);
    return most;
}

typedef void sterf_function(const int *n, double *d, double *e, int *info);
static sterf_function *sterf; /* NULL: none is installed */

static void find_sterf(void)
{
    static const char *const libraries[] = {"liblapack.so.3", "libopenblas.so.0"};
    for (int i = 0; i < 2 && sterf == NULL; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL)
            *(void **)&sterf = dlsym(library, "dsterf_");
    }
    if (sterf == NULL)
        test_leave_out(NULL, "no LAPACK is installed: nothing to compare eigenvalues with");
}

static double worst_residual, worst_orthogonality;

static void check_values(const tridiagonal *t, const outcome *o)
{
    const double ulp = ulp_of(t->real), norm = norm_of(t),
                 bound = (t->n > 8 ? (double)t->n : 8) * ulp * norm;
    int64_t disorder = 0, counts = 0;
    for (int64_t i = 0; i < t->n; i++) {
        disorder += i > 0 && !(o->d[i - 1] <= o->d[i]);
        counts += !(sturm_count(t, (long double)o->d[i] - (long double)bound - 1e-3900L) <= i &&
                    sturm_count(t, (long double)o->d[i] + (long double)bound + 1e-3900L) > i);
    }
    CHECK(disorder == 0, "%d eigenvalues are not in order", (int)disorder);
    CHECK(counts == 0, "%d eigenvalues have wrong Sturm counts", (int)counts);
    if (sterf == NULL)
        return;
    double *d = malloc((size_t)t->n * sizeof *d), *e = malloc((size_t)t->n * sizeof *e), off = 0;
    const int n = (int)t->n;
    int info = 0;
    memcpy(d, t->d, (size_t)t->n * sizeof *d);
    memcpy(e, t->e, (size_t)t->n * sizeof *e);
    sterf(&n, d, e, &info);
    for (int64_t i = 0; i < t->n && info == 0; i++)
        off = fabs(d[i] - o->d[i]) <= off ? off : fabs(d[i] - o->d[i]);
    CHECK(off <= bound, "eigenvalues are %g off those of sterf, more than %g", off, bound);
    free(d);
    free(e);
}

static void check_ratios(tridiagonal *t, const outcome *o, const char *kind)
{
    const double ulp = ulp_of(t->real), norm = norm_of(t), n = (double)t->n;
    const double off = product_off(t->n, o->Z, o->ldz, o->d, t),
                 orthogonality = product_off(t->n, o->Z, o->ldz, NULL, NULL) / (n * ulp),
                 residual = norm > 0  ? off / (norm * n * ulp)
                            : off > 0 ? 1e9
                                      : off;
    CHECK(o->info == 0, "info is %lld", (long long)o->info);
    CHECK(residual < 30, "norm(T - Z D Z^T) has ratio %g", residual);
    CHECK(orthogonality < 30, "norm(I - Z Z^T) has ratio %g", orthogonality);
    if (!(residual <= 3) || !(orthogonality <= 3))
        printf("%s %c %d: ratios %.2f %.2f\n", kind, gbl_dtype_letter(t->real), (int)t->n, residual,
               orthogonality);
    worst_residual = residual > worst_residual ? residual : worst_residual;
    worst_orthogonality = orthogonality > worst_orthogonality ? orthogonality : worst_orthogonality;
}

/* ---- Parts ---- */

static void solve(gbl_dtype real, int64_t n, int kind)
{
    tridiagonal t = make_matrix(real, n, kind);
    test_case("%s, %c, n %d", kind_name(kind), gbl_dtype_letter(real), (int)n);
    const outcome o = run(real, &t, NULL);
    check_ratios(&t, &o, kind_name(kind));
    check_values(&t, &o);
    free_outcome(&o);
    free_matrix(&t);
}

/* A complex matrix of eigenvectors is the real one, and Z is multiplied by it. */
static void updated(gbl_dtype dtype, int64_t n)
{
    const tridiagonal t = make_matrix(real_of(dtype), n, 0);
    const int w = wide(dtype);
    test_case("Z updated, %c, n %d", gbl_dtype_letter(dtype), (int)n);
    const outcome real = run(t.real, &t, NULL), own = run(dtype, &t, NULL);
    int64_t wrong = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            for (int p = 0; p < w; p++)
                wrong += own.Z[i * w + p + j * own.ldz] != (p == 0 ? real.Z[i + j * real.ldz] : 0);
    CHECK(wrong == 0, "%d elements are not those of the real matrix", (int)wrong);
    double *Z = calloc((size_t)(own.ldz * n), sizeof *Z), worst = 0;
    for (int64_t i = 0; i < own.ldz * n; i++)
        Z[i] = t.real == GBL_S ? (double)(float)(2 * uniform() - 1) : 2 * uniform() - 1;
    const outcome o = run(dtype, &t, Z);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < w * n; i++) {
            double sum = 0;
            for (int64_t p = 0; p < n; p++)
                sum += Z[i + p * o.ldz] * real.Z[p + j * real.ldz];
            const double off = fabs(sum - o.Z[i + j * o.ldz]);
            worst = off <= worst ? worst : off;
        }
    /* sums of n products, whose moduli are 1 and the elements of a vector of length 1 */
    const double bound = (double)(n + 2) * ulp_of(t.real) * sqrt((double)n);
    CHECK(worst <= bound, "Z is %g off, more than %g", worst, bound);
    CHECK(memcmp(o.d, real.d, (size_t)n * sizeof *o.d) == 0, "other eigenvalues");
    free(Z);
    free_outcome(&o);
    free_outcome(&own);
    free_outcome(&real);
    free_matrix(&t);
}

static void same(int64_t n, const outcome *a, const outcome *b, const char *what)
{
    CHECK(memcmp(a->d, b->d, (size_t)n * sizeof *a->d) == 0 &&
              memcmp(a->Z, b->Z, (size_t)(a->ldz * n) * sizeof *a->Z) == 0 && a->info == b->info,
          "%s has other bits", what);
}

/* The same bits again, and recorded and replayed with other numbers. */
static void repeated(gbl_dtype real, int64_t n)
{
    const tridiagonal t = make_matrix(real, n, 0), other = make_matrix(real, n, 7);
    test_case("repeated, %c, n %d", gbl_dtype_letter(real), (int)n);
    gable_recording *recording = NULL;
    const outcome first = run(real, &t, NULL), again = run(real, &t, NULL),
                  wanted = run(real, &other, NULL);
    same(n, &again, &first, "the second call");
    const memory m = take_memory(real, n);
    put_problem(real, &other, NULL, &m);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, divide(real, n, false, &m));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, gable_replay(ctx, recording));
    const outcome replayed = get_outcome(real, &other, &m);
    same(n, &replayed, &wanted, "the recording");
    put_problem(real, &t, NULL, &m);
    CHECK_OK(ctx, gable_replay(ctx, recording));
    const outcome once_more = get_outcome(real, &t, &m);
    same(n, &once_more, &first, "the recording with another matrix");
    gable_recording_destroy(recording);
    give_memory(&m);
    free_outcome(&first);
    free_outcome(&again);
    free_outcome(&wanted);
    free_outcome(&replayed);
    free_outcome(&once_more);
    free_matrix(&t);
    free_matrix(&other);
}

/* All is NaN, and info is minus LAPACK's number of d. */
static void not_finite(gbl_dtype dtype, int64_t n, double number, bool in_e)
{
    const tridiagonal t = make_matrix(real_of(dtype), n, 0);
    test_case("%g in %s, %c, n %d", number, in_e ? "e" : "d", gbl_dtype_letter(dtype), (int)n);
    (in_e ? t.e : t.d)[n / 2] = number;
    double *Z = calloc((size_t)(wide(dtype) * (n + GAP) * n), sizeof *Z);
    for (int update = 0; update < 2; update++) {
        const outcome o = run(dtype, &t, update ? Z : NULL);
        int64_t numbers = 0;
        for (int64_t j = 0; j < n; j++) {
            numbers += !isnan(o.d[j]);
            for (int64_t i = 0; i < wide(dtype) * n; i++)
                numbers += !isnan(o.Z[i + j * o.ldz]);
        }
        CHECK(numbers == 0, "%d results are numbers", (int)numbers);
        CHECK(o.info == -3, "info is %lld", (long long)o.info);
        free_outcome(&o);
    }
    free(Z);
    free_matrix(&t);
}

/* Few sizes: on the emulated device, where a launch takes long. */
static void test_few(gbl_dtype real)
{
    for (int kind = 0; kind < KINDS; kind++)
        solve(real, 33, kind);
    solve(real, 1, 0);
    solve(real, 70, 0);
    solve(real, 70, 1);
    solve(real, 70, 7);
    updated(real == GBL_S ? GBL_C : GBL_Z, 33);
    repeated(real, 35);
    not_finite(real, 34, NAN, true);
}

static void test_precision(gbl_dtype real)
{
    static const int64_t few[] = {1, 2, 3, 31, 32, 33, 64, 65, 129},
                         more[] = {4, 5, 16, 17, 63, 66, 100, 127, 128, 200, 257, 300, 513};
    const gbl_dtype complex = real == GBL_S ? GBL_C : GBL_Z;
    if (test_small()) {
        test_few(real);
        return;
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof few / sizeof few[0]; i++)
            solve(real, few[i], kind);
    solve(real, 257, 0);
    solve(real, 257, 2);
    for (int kind = 0; kind < KINDS && test_all(); kind++)
        for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
            solve(real, more[i], kind);
    if (test_all()) {
        solve(real, 1000, 0);
        solve(real, 1000, 7);
        solve(real, 1031, 2);
    }
    updated(real, 70);
    updated(complex, 70);
    updated(complex, 1);
    repeated(real, 140);
    not_finite(real, 70, NAN, false);
    not_finite(complex, 70, INFINITY, true);
    not_finite(real, 1, -INFINITY, false);
}

int main(int count, char **arguments)
{
    const char *letters = getenv("GABLE_TEST_PRECISIONS");
    test_start("test_divide");
    ctx = test_open();
    if (ctx->device->table->build == NULL)
        test_skip(NULL, "the device has no kernels");
    letters = count > 1 ? arguments[1] : letters != NULL ? letters : "sd";
    for (int i = 0; i < GBL_DIVIDE_PARAMS; i++)
        params.value[i] = gbl_divide_space[i].fallback;
    if (count > 3 && sscanf(arguments[3], "%d:%d", &params.value[0], &params.value[1]) != 2)
        test_skip(NULL, "the tunables are not leaf:gemm");
    find_sterf();
    if (strchr(letters, 's') != NULL)
        test_precision(GBL_S);
    if (strchr(letters, 'd') != NULL)
        test_precision(GBL_D);
    printf("largest ratios: residual %.3f, orthogonality %.3f\n", worst_residual,
           worst_orthogonality);
    gable_close(ctx);
    return test_finish();
}
