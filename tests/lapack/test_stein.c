/* test_stein.c: eigenvectors of symmetric tridiagonal matrices by inverse iteration, called as the
 * library does.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrices of test_divide, of which many are hard for it: clusters (glued Wilkinson matrices,
 * all values equal), values that are all close (1-2-1), blocks that do not touch, elements of all
 * sizes, others near the ends of the range. Of all values, and of some, with m columns of Z and the
 * values W: norm1(T Z - Z W) / (norm1(T) n ulp) and norm1(I - Z^T Z) / (n ulp) are below 30,
 * LAPACK's own bound for linear equations; what is above 3 is printed. Values have the right Sturm
 * counts within n ulp norm(T). Rows behind the matrix stay as they are.
 *
 * test_stein [LETTERS]: the precisions. Without GABLE_TEST_ALL there are fewer sizes; with
 * GABLE_TEST_SMALL a few.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/arena.h"
#include "core/context.h"
#include "core/kernel_args.h"
#include "divide_matrices.h"
#include "harness/check.h"
#include "lapack/bisect.h"
#include "lapack/stein.h"
#include "sturm_args.h"

#define STAYS  17.0
#define GAP    3 /* rows behind the matrix */
#define NUMBER 5

static gable_context *ctx;

/* Values first, first + 1, ... and their vectors. */
typedef struct wanted {
    int64_t first, count;
} wanted;

typedef struct outcome {
    double *w, *Z; /* Z as real numbers, ldz rows of them */
    int64_t *failed;
    int64_t n, count, ldz, info;
} outcome;

typedef struct memory {
    void *d, *e, *w, *scaled, *numbers, *Z, *failed, *info;
} memory;

static int wide(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

static gbl_dtype real_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

static memory take_memory(gbl_dtype dtype, int64_t n, int64_t count)
{
    memory m;
    const size_t real = gbl_dtype_real_bytes(dtype);
    const struct {
        void **at;
        size_t bytes;
    } all[] = {{&m.d, (size_t)n * real},
               {&m.e, (size_t)n * real},
               {&m.w, (size_t)count * real},
               {&m.scaled, 2 * (size_t)n * real},
               {&m.numbers, STURM_NUMBERS * real},
               {&m.Z, (size_t)((n + GAP) * count) * gbl_dtype_bytes(dtype)},
               {&m.failed, (size_t)count * sizeof(int64_t)},
               {&m.info, sizeof(int64_t)}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i].at = NULL;
        CHECK_OK(ctx, gable_alloc(ctx, all[i].bytes, all[i].at));
    }
    return m;
}

static void give_memory(const memory *m)
{
    void *const all[] = {m->d, m->e, m->w, m->scaled, m->numbers, m->Z, m->failed, m->info};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        CHECK_OK(ctx, gable_free(ctx, all[i]));
}

static gable_status find(gbl_dtype dtype, int64_t n, wanted of, const memory *m)
{
    const gbl_bisection values = {.dtype = real_of(dtype),
                                  .n = n,
                                  .d = m->d,
                                  .e = m->e,
                                  .first = of.first,
                                  .count = of.count,
                                  .w = m->w,
                                  .number = NUMBER,
                                  .info = m->info,
                                  .scaled = m->scaled,
                                  .numbers = m->numbers};
    const gbl_stein_call vectors = {.dtype = dtype,
                                    .n = n,
                                    .count = of.count,
                                    .scaled = m->scaled,
                                    .numbers = m->numbers,
                                    .values = m->w,
                                    .Z = m->Z,
                                    .ldz = n + GAP,
                                    .failed = m->failed,
                                    .info = m->info};
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    TRY(gbl_enter(ctx, "gable_syevx"));
    CHECK(gbl_stein_fits(ctx->device), "it does not fit");
    TRY(gbl_bisect(ctx, &values));
    const gable_status status = gbl_stein(ctx, &vectors);
    gbl_arena_release(ctx->arena, mark);
    return status;
}

static void put_problem(gbl_dtype dtype, const tridiagonal *t, wanted of, const memory *m)
{
    const double factor = ldexp(1, t->power);
    const int64_t info = -77, rows = wide(dtype) * (t->n + GAP);
    put_reals(ctx, t->real, t->n, t->d, factor, m->d);
    if (t->n > 1)
        put_reals(ctx, t->real, t->n - 1, t->e, factor, m->e);
    double *all = malloc((size_t)(rows * of.count) * sizeof *all);
    for (int64_t i = 0; i < rows * of.count; i++)
        all[i] = i % rows >= wide(dtype) * t->n ? STAYS : NAN;
    put_reals(ctx, t->real, rows * of.count, all, 1, m->Z);
    free(all);
    CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof info, &info, 1, m->info, 1));
}

static outcome get_outcome(gbl_dtype dtype, const tridiagonal *t, wanted of, const memory *m)
{
    outcome o = {.n = t->n, .count = of.count, .ldz = wide(dtype) * (t->n + GAP), .info = -78};
    o.w = malloc((size_t)of.count * sizeof(double));
    o.Z = malloc((size_t)(o.ldz * of.count) * sizeof(double));
    o.failed = malloc((size_t)of.count * sizeof(int64_t));
    CHECK_OK(ctx, gable_sync(ctx));
    get_reals(ctx, t->real, of.count, m->w, ldexp(1, -t->power), o.w);
    get_reals(ctx, t->real, o.ldz * of.count, m->Z, 1, o.Z);
    CHECK_OK(ctx, gable_get_vector(ctx, of.count, sizeof(int64_t), m->failed, 1, o.failed, 1));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof o.info, m->info, 1, &o.info, 1));
    int64_t changed = 0;
    for (int64_t i = 0; i < o.ldz * of.count; i++)
        changed += i % o.ldz >= wide(dtype) * t->n && o.Z[i] != STAYS;
    CHECK(changed == 0, "%d elements behind the matrix were written", (int)changed);
    return o;
}

static void free_outcome(const outcome *o)
{
    free(o->w);
    free(o->Z);
    free(o->failed);
}

static outcome run(gbl_dtype dtype, const tridiagonal *t, wanted of)
{
    const memory m = take_memory(dtype, t->n, of.count);
    put_problem(dtype, t, of, &m);
    CHECK_OK(ctx, find(dtype, t->n, of, &m));
    const outcome o = get_outcome(dtype, t, of, &m);
    give_memory(&m);
    return o;
}

/* ---- Ratios ---- */

static double worst_residual, worst_orthogonality;

static double larger(double a, double b)
{
    return b <= a ? a : b; /* a NaN stays */
}

static double residual_of(const tridiagonal *t, const outcome *o)
{
    double most = 0;
    for (int64_t j = 0; j < o->count; j++) {
        const double *z = o->Z + j * o->ldz;
        double sum = 0;
        for (int64_t i = 0; i < t->n; i++)
            sum += fabs((t->d[i] - o->w[j]) * z[i] + (i > 0 ? t->e[i - 1] * z[i - 1] : 0) +
                        (i + 1 < t->n ? t->e[i] * z[i + 1] : 0));
        most = larger(most, sum);
    }
    return most;
}

static double orthogonality_of(const outcome *o)
{
    double most = 0, *sums = calloc((size_t)o->count, sizeof *sums);
    for (int64_t j = 0; j < o->count; j++)
        for (int64_t k = 0; k <= j; k++) {
            double dot = j == k ? -1 : 0;
            for (int64_t i = 0; i < o->n; i++)
                dot += o->Z[i + j * o->ldz] * o->Z[i + k * o->ldz];
            sums[j] += fabs(dot);
            sums[k] += j == k ? 0 : fabs(dot);
        }
    for (int64_t j = 0; j < o->count; j++)
        most = larger(most, sums[j]);
    free(sums);
    return most;
}

static void check_values(const tridiagonal *t, wanted of, const outcome *o)
{
    const double bound = (t->n > 8 ? (double)t->n : 8) * ulp_of(t->real) * norm_of(t);
    int64_t disorder = 0, counts = 0;
    for (int64_t j = 0; j < of.count; j++) {
        const long double below = (long double)o->w[j] - (long double)bound - 1e-3900L,
                          above = (long double)o->w[j] + (long double)bound + 1e-3900L;
        disorder += j > 0 && !(o->w[j - 1] <= o->w[j]);
        counts += !(sturm_count(t, below) <= of.first + j && sturm_count(t, above) > of.first + j);
    }
    CHECK(disorder == 0, "%d eigenvalues are not in order", (int)disorder);
    CHECK(counts == 0, "%d eigenvalues have wrong Sturm counts", (int)counts);
}

static void check_ratios(const tridiagonal *t, const outcome *o, const char *kind)
{
    const double ulp = ulp_of(t->real), norm = norm_of(t), n = (double)t->n,
                 off = residual_of(t, o), orthogonality = orthogonality_of(o) / (n * ulp),
                 residual = norm > 0  ? off / (norm * n * ulp)
                            : off > 0 ? 1e9
                                      : off;
    int64_t listed = 0;
    for (int64_t j = 0; j < o->count; j++)
        listed += o->failed[j] != 0;
    CHECK(o->info == 0, "info is %lld", (long long)o->info);
    CHECK(listed == 0, "%d vectors are listed as failed", (int)listed);
    CHECK(residual < 30, "norm(T Z - Z W) has ratio %g", residual);
    CHECK(orthogonality < 30, "norm(I - Z^T Z) has ratio %g", orthogonality);
    if (!(residual <= 3) || !(orthogonality <= 3))
        printf("%s %c %d, %d vectors: ratios %.2f %.2f\n", kind, gbl_dtype_letter(t->real),
               (int)t->n, (int)o->count, residual, orthogonality);
    worst_residual = larger(worst_residual, residual);
    worst_orthogonality = larger(worst_orthogonality, orthogonality);
}

/* ---- Parts ---- */

static void solve(gbl_dtype real, int64_t n, int kind, wanted of)
{
    const tridiagonal t = make_matrix(real, n, kind);
    test_case("%s, %c, n %d, values %d to %d", kind_name(kind), gbl_dtype_letter(real), (int)n,
              (int)of.first + 1, (int)(of.first + of.count));
    const outcome o = run(real, &t, of);
    check_ratios(&t, &o, kind_name(kind));
    check_values(&t, of, &o);
    free_outcome(&o);
    free_matrix(&t);
}

/* All of them, a tenth at an end, and some in the middle. */
static void solve_ways(gbl_dtype real, int64_t n, int kind)
{
    const int64_t tenth = n / 10 > 0 ? n / 10 : 1;
    solve(real, n, kind, (wanted){0, n});
    solve(real, n, kind, (wanted){n - tenth, tenth});
    if (n > 3)
        solve(real, n, kind, (wanted){n / 3, n - n / 3 - n / 4});
}

/* One cluster of more than 200 values, which take several groups of columns: the identity but for
 * elements near its roundoff, and the largest values of Wilkinson matrices of order 21 that are
 * glued together. */
static void one_cluster(gbl_dtype real, bool glued)
{
    enum { BLOCK = 21, BLOCKS = 103 };
    const int64_t n = glued ? BLOCK * BLOCKS : 213, count = glued ? 2 * BLOCKS : n;
    const double small = 64 * ulp_of(real);
    tridiagonal t = {.real = real, .n = n};
    t.d = malloc((size_t)n * sizeof *t.d);
    t.e = malloc((size_t)n * sizeof *t.e);
    for (int64_t i = 0; i < n; i++) {
        const double wilkinson = fabs((double)(i % BLOCK) - (double)(BLOCK / 2));
        t.d[i] = glued ? wilkinson : 1 + small * floor(16 * uniform()) / 16;
        t.e[i] = !glued || (i + 1) % BLOCK == 0 ? small * (1 + floor(15 * uniform())) / 16 : 1;
    }
    test_case("one cluster of %d, %c, n %d", (int)count, gbl_dtype_letter(real), (int)n);
    const wanted of = {n - count, count};
    const outcome o = run(real, &t, of);
    const double spread = o.w[count - 1] - o.w[0];
    CHECK(spread < (real == GBL_S ? 0x1p-12 : 0x1p-27) * norm_of(&t), "values spread over %g",
          spread);
    check_ratios(&t, &o, "one cluster");
    check_values(&t, of, &o);
    free_outcome(&o);
    free_matrix(&t);
}

static void same(const outcome *a, const outcome *b, const char *what)
{
    const size_t bytes = (size_t)(a->ldz * a->count) * sizeof *a->Z;
    CHECK(memcmp(a->w, b->w, (size_t)a->count * sizeof *a->w) == 0 &&
              memcmp(a->Z, b->Z, bytes) == 0 && a->info == b->info,
          "%s has other bits", what);
}

/* The same bits again, and recorded and replayed with other numbers. */
static void repeated(gbl_dtype real, int64_t n)
{
    const tridiagonal t = make_matrix(real, n, 0), other = make_matrix(real, n, 7);
    const wanted of = {n / 5, n / 2};
    gable_recording *recording = NULL;
    test_case("repeated, %c, n %d", gbl_dtype_letter(real), (int)n);
    const outcome first = run(real, &t, of), again = run(real, &t, of),
                  second = run(real, &other, of);
    same(&again, &first, "the second call");
    const memory m = take_memory(real, n, of.count);
    put_problem(real, &other, of, &m);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, find(real, n, of, &m));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, gable_replay(ctx, recording));
    const outcome replayed = get_outcome(real, &other, of, &m);
    same(&replayed, &second, "the recording");
    put_problem(real, &t, of, &m);
    CHECK_OK(ctx, gable_replay(ctx, recording));
    const outcome once_more = get_outcome(real, &t, of, &m);
    same(&once_more, &first, "the recording with another matrix");
    gable_recording_destroy(recording);
    give_memory(&m);
    const outcome *const all[] = {&first, &again, &second, &replayed, &once_more};
    for (int i = 0; i < 5; i++)
        free_outcome(all[i]);
    free_matrix(&t);
    free_matrix(&other);
}

/* Complex vectors are the real ones. */
static void widened(gbl_dtype dtype, int64_t n)
{
    const tridiagonal t = make_matrix(real_of(dtype), n, 0);
    const wanted of = {0, n};
    int64_t wrong = 0;
    test_case("complex, %c, n %d", gbl_dtype_letter(dtype), (int)n);
    const outcome real = run(t.real, &t, of), own = run(dtype, &t, of);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < 2 * n; i++)
            wrong += own.Z[i + j * own.ldz] != (i % 2 == 0 ? real.Z[i / 2 + j * real.ldz] : 0);
    CHECK(wrong == 0, "%d elements are not those of the real vectors", (int)wrong);
    free_outcome(&real);
    free_outcome(&own);
    free_matrix(&t);
}

/* All is NaN, and info is minus the number. */
static void not_finite(gbl_dtype dtype, int64_t n, double number, bool in_e)
{
    const tridiagonal t = make_matrix(real_of(dtype), n, 0);
    const wanted of = {0, n};
    int64_t numbers = 0;
    test_case("%g in %s, %c, n %d", number, in_e ? "e" : "d", gbl_dtype_letter(dtype), (int)n);
    (in_e ? t.e : t.d)[n / 2] = number;
    const outcome o = run(dtype, &t, of);
    for (int64_t j = 0; j < n; j++) {
        numbers += !isnan(o.w[j]) || o.failed[j] != 0;
        for (int64_t i = 0; i < wide(dtype) * n; i++)
            numbers += !isnan(o.Z[i + j * o.ldz]);
    }
    CHECK(numbers == 0, "%d results are numbers", (int)numbers);
    CHECK(o.info == -NUMBER, "info is %lld", (long long)o.info);
    free_outcome(&o);
    free_matrix(&t);
}

static void test_precision(gbl_dtype real)
{
    static const int64_t few[] = {1, 2, 3, 9, 33, 85},
                         more[] = {4, 5, 16, 31, 64, 65, 129, 200, 257, 300};
    const gbl_dtype complex = real == GBL_S ? GBL_C : GBL_Z;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof few / sizeof few[0]; i++)
            if (!test_small() || few[i] == 3 || few[i] == 33)
                solve_ways(real, few[i], kind);
    for (int kind = 0; kind < KINDS && test_all() && !test_small(); kind++)
        for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
            solve_ways(real, more[i], kind);
    for (int kind = 0; kind < KINDS && test_all() && !test_small(); kind++)
        solve(real, 1000, kind, (wanted){450, 100});
    if (!test_small())
        one_cluster(real, false);
    if (test_all() && !test_small())
        one_cluster(real, true);
    repeated(real, 40);
    widened(complex, 21);
    not_finite(real, 20, NAN, false);
    not_finite(complex, 20, INFINITY, true);
    not_finite(real, 1, -INFINITY, false);
}

int main(int count, char **arguments)
{
    const char *letters = getenv("GABLE_TEST_PRECISIONS");
    test_start("test_stein");
    ctx = test_open();
    if (ctx->device->table->build == NULL)
        test_skip(NULL, "the device has no kernels");
    letters = count > 1 ? arguments[1] : letters != NULL ? letters : "sd";
    if (strchr(letters, 's') != NULL)
        test_precision(GBL_S);
    if (strchr(letters, 'd') != NULL)
        test_precision(GBL_D);
    printf("largest ratios: residual %.3f, orthogonality %.3f\n", worst_residual,
           worst_orthogonality);
    gable_close(ctx);
    return test_finish();
}
