/* test_spectrum_range.c: eigenvalues and singular values near the ends of the range, and intervals.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements are multiples of 1/8 below 1 times a power of two, so that the matrix is the same at all
 * scales, up to the largest numbers, where moduli overflow, and down to those that are not normal.
 * Values times that power are those of the matrix at scale 1 within 30 n u of the largest, or
 * infinite where they pass the range; residuals with the latter and products of vectors are below
 * 30 n ulp, LAPACK's bound. Eigenvalues of diagonal matrices are exact: with bounds at them, beside
 * them, between numbers of the precision and far from all of them, syevx finds those in (vl, vu].
 *
 * Through every variant of the drivers; without GABLE_TEST_ALL only syevd where
 * kernels run on CPUs. test_spectrum_range [LETTERS]: the precisions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "device/cpu_lapack.h"
#include "divide_matrices.h"
#include "harness/check.h"
#include "lapack/lapack.h"

#define ROWS    7
#define COLUMNS 5
#define MOST    (2 * ROWS * ROWS) /* reals of the largest matrix */

static gable_context *ctx;

static int wide(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

static gbl_dtype real_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

/* ---- Matrices ---- */

static uint32_t state;

static double eighths(void)
{
    state = state * 1664525u + 1013904223u;
    return (double)((int)(state >> 16) % 8) / 8 * ((state >> 8) % 2 == 0 ? 1 : -1);
}

/* m by n, pairs or single numbers; Hermitian ones are square. The largest parts of an element are
 * 7/8 both. */
static void make(gbl_dtype dtype, int64_t m, int64_t n, bool hermitian, double *A)
{
    const int parts = wide(dtype);
    state = 11;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            for (int p = 0; p < parts; p++)
                A[parts * (i + j * m) + p] = i == 2 && j == 1 ? 0.875 : eighths();
    for (int64_t j = 0; hermitian && j < n; j++)
        for (int64_t i = 0; i <= j; i++)
            for (int p = 0; p < parts; p++)
                A[parts * (i + j * m) + p] = p == 0   ? A[parts * (j + i * m)]
                                             : i == j ? 0
                                                      : -A[parts * (j + i * m) + 1];
}

static void *send(gbl_dtype dtype, int64_t reals, const double *x, int power)
{
    double scaled[MOST];
    void *there = NULL;
    for (int64_t i = 0; i < reals; i++)
        scaled[i] = ldexp(x[i], power);
    CHECK_OK(ctx, gable_alloc(ctx, (size_t)reals * gbl_dtype_real_bytes(dtype), &there));
    put_reals(ctx, real_of(dtype), reals, scaled, 1, there);
    return there;
}

static void *room_for(gbl_dtype dtype, int64_t reals)
{
    const double zeros[MOST] = {0};
    return send(dtype, reals, zeros, 0);
}

/* And frees it. */
static void receive(gbl_dtype dtype, int64_t reals, void *there, double *x)
{
    CHECK_OK(ctx, gable_sync(ctx));
    get_reals(ctx, real_of(dtype), reals, there, 1, x);
    CHECK_OK(ctx, gable_free(ctx, there));
}

/* ---- Residuals ---- */

/* Part p of sum_k X(i, k) Y(k, j) w_k; X^H in the place of X; of X m by r and Y r by n. */
static double product(int parts, int64_t i, int64_t j, int64_t r, const double *X, int64_t ldx,
                      bool adjoint, const double *Y, int64_t ldy, const double *w, int p)
{
    double sum = 0;
    for (int64_t k = 0; k < r; k++) {
        const double *x = X + parts * (adjoint ? k + i * ldx : i + k * ldx),
                     *y = Y + parts * (k + j * ldy), weight = w != NULL ? w[k] : 1;
        const double xi = parts == 1 ? 0 : adjoint ? -x[1] : x[1], yi = parts == 1 ? 0 : y[1];
        sum += weight * (p == 0 ? x[0] * y[0] - xi * yi : x[0] * yi + xi * y[0]);
    }
    return sum;
}

/* The columns of X, or with `rows` its rows, m of n elements. */
static void check_orthogonal(gbl_dtype dtype, int64_t m, int64_t n, const double *X, bool rows,
                             const char *name)
{
    const int parts = wide(dtype);
    double turned[MOST], most = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            for (int p = 0; p < parts; p++)
                turned[parts * (i + j * m) + p] =
                    rows ? (p == 0 ? 1 : -1) * X[parts * (j + i * n) + p]
                         : X[parts * (i + j * m) + p];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            for (int p = 0; p < parts; p++)
                most += fabs(product(parts, i, j, m, turned, m, true, turned, m, NULL, p) -
                             (i == j && p == 0 ? 1 : 0));
    CHECK(most < 30 * (double)m * ulp_of(real_of(dtype)), "%s is off the identity by %g", name,
          most);
}

/* A values of one scale and of another. */
static void check_values(gbl_dtype dtype, int64_t n, const double *values, int power,
                         const double *at_one)
{
    const double most = gbl_dtype_real_bytes(dtype) == 4 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023,
                 /* of those that are not normal numbers the last digit counts, too */
        least = gbl_dtype_real_bytes(dtype) == 4 ? 0x1p-149 : 0x1p-1074,
                 bound = 30 * (double)n * ulp_of(real_of(dtype)) + ldexp(least, -power);
    for (int64_t i = 0; i < n; i++) {
        const double wanted = ldexp(at_one[i], power);
        if (!(fabs(wanted) <= most))
            CHECK(isinf(values[i]) && values[i] * at_one[i] > 0, "value %d is %g, not infinite",
                  (int)i + 1, values[i]);
        else
            CHECK(fabs(ldexp(values[i], -power) - at_one[i]) <= bound,
                  "value %d is %g instead of %g", (int)i + 1, values[i], wanted);
    }
}

/* ---- Drivers ---- */

typedef struct spectrum {
    double values[ROWS], left[MOST], right[MOST]; /* left: eigenvectors, or U */
    int64_t info;
} spectrum;

/* syevd, or syevx of all values. */
static void run_eigen(gbl_dtype dtype, bool some, const double *A, int power, spectrum *to)
{
    const int64_t n = ROWS, reals = wide(dtype) * n * n;
    int64_t found = -1;
    void *const there = send(dtype, reals, A, power), *const w = room_for(dtype, n),
                *const Z = room_for(dtype, reals), *failed = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, ROWS * sizeof(int64_t), &failed));
    to->info = -77;
    gbl_product_call call = {.dtype = dtype,
                             .job = GABLE_VECTORS,
                             .uplo = GABLE_LOWER,
                             .m = n,
                             .n = n,
                             .A = there,
                             .lda = n,
                             .d = w,
                             .info = &to->info};
    if (some) {
        call.range = GABLE_RANGE_ALL;
        call.C = Z;
        call.ldc = n;
        call.ipiv = failed;
        call.found = &found;
    }
    CHECK_OK(ctx,
             some ? gbl_syevx(ctx, "gable_syevx", &call) : gbl_syevd(ctx, "gable_syevd", &call));
    CHECK(!some || found == n, "m is %lld", (long long)found);
    receive(dtype, n, w, to->values);
    receive(dtype, reals, some ? there : Z, to->left);
    receive(dtype, reals, some ? Z : there, to->left);
    CHECK_OK(ctx, gable_free(ctx, failed));
}

static void run_singular(gbl_dtype dtype, const double *A, int power, spectrum *to)
{
    const int64_t m = ROWS, n = COLUMNS, parts = wide(dtype);
    void *const there = send(dtype, parts * m * n, A, power), *const s = room_for(dtype, n),
                *const U = room_for(dtype, parts * m * n),
                *const Vt = room_for(dtype, parts * n * n);
    to->info = -77;
    const gbl_product_call call = {.dtype = dtype,
                                   .job = GABLE_SOME_VECTORS,
                                   .m = m,
                                   .n = n,
                                   .A = there,
                                   .lda = m,
                                   .d = s,
                                   .B = U,
                                   .ldb = m,
                                   .C = Vt,
                                   .ldc = n,
                                   .info = &to->info};
    CHECK_OK(ctx, gbl_gesdd(ctx, "gable_gesdd", &call));
    receive(dtype, parts * m * n, there, to->left);
    receive(dtype, n, s, to->values);
    receive(dtype, parts * m * n, U, to->left);
    receive(dtype, parts * n * n, Vt, to->right);
}

static void check_eigen(gbl_dtype dtype, const double *A, const spectrum *got, const double *at_one)
{
    const int64_t n = ROWS, parts = wide(dtype);
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            for (int p = 0; p < parts; p++)
                most += fabs(product((int)parts, i, j, n, A, n, false, got->left, n, NULL, p) -
                             at_one[j] * got->left[parts * (i + j * n) + p]);
    CHECK(most < 30 * ROWS * ROWS * ulp_of(real_of(dtype)), "A Z and Z W differ by %g", most);
    check_orthogonal(dtype, n, n, got->left, false, "Z^H Z");
}

static void check_singular(gbl_dtype dtype, const double *A, const spectrum *got,
                           const double *at_one)
{
    const int64_t m = ROWS, n = COLUMNS, parts = wide(dtype);
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            for (int p = 0; p < parts; p++)
                most += fabs(A[parts * (i + j * m) + p] - product((int)parts, i, j, n, got->left, m,
                                                                  false, got->right, n, at_one, p));
    CHECK(most < 30 * ROWS * ROWS * ulp_of(real_of(dtype)), "A and U S V^H differ by %g", most);
    check_orthogonal(dtype, m, n, got->left, false, "U^H U");
    check_orthogonal(dtype, n, n, got->right, true, "V V^H");
}

enum { SYEVD, SYEVX, GESDD, DRIVERS };
static const char *const drivers[DRIVERS] = {"syevd", "syevx", "gesdd"};

static void at_all_scales(gbl_dtype dtype, int driver, const char *choice)
{
    const bool single = gbl_dtype_real_bytes(dtype) == 4, singular = driver == GESDD;
    const int powers[] = {0, single ? 128 : 1024, single ? 126 : 1022, single ? -120 : -1000,
                          single ? -146 : -1071};
    const int64_t count = singular ? COLUMNS : ROWS;
    double A[MOST], at_one[ROWS] = {0};
    spectrum got = {.info = 0};
    make(dtype, ROWS, singular ? COLUMNS : ROWS, !singular, A);
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        test_case("%s %c, %s, times 2^%d", drivers[driver], gbl_dtype_letter(dtype), choice,
                  powers[i]);
        if (singular)
            run_singular(dtype, A, powers[i], &got);
        else
            run_eigen(dtype, driver == SYEVX, A, powers[i], &got);
        if (i == 0)
            memcpy(at_one, got.values, sizeof at_one);
        CHECK(got.info == 0, "info is %lld", (long long)got.info);
        check_values(dtype, count, got.values, powers[i], at_one);
        if (singular)
            check_singular(dtype, A, &got, at_one);
        else
            check_eigen(dtype, A, &got, at_one);
    }
}

/* ---- Intervals ---- */

/* syevx of diag(d). */
static void run_interval(gbl_dtype dtype, gable_job job, const double *d, int64_t n, double from,
                         double to)
{
    const int64_t parts = wide(dtype);
    double A[MOST] = {0}, values[ROWS], sorted[ROWS];
    int64_t found = -1, info = -77, wanted = 0, wrong = 0;
    for (int64_t i = 0; i < n; i++)
        A[parts * i * (n + 1)] = d[i];
    for (int64_t i = 0; i < n; i++)
        if (d[i] > from && d[i] <= to)
            sorted[wanted++] = d[i];
    for (int64_t i = 1; i < wanted; i++)
        for (int64_t j = i; j > 0 && sorted[j] < sorted[j - 1]; j--) {
            const double value = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = value;
        }
    void *const there = send(dtype, parts * n * n, A, 0), *const w = room_for(dtype, n),
                *const Z = room_for(dtype, parts * n * n), *failed = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, ROWS * sizeof(int64_t), &failed));
    const gbl_product_call call = {.dtype = dtype,
                                   .job = job,
                                   .range = GABLE_RANGE_VALUES,
                                   .uplo = GABLE_UPPER,
                                   .m = n,
                                   .n = n,
                                   .A = there,
                                   .lda = n,
                                   .alpha = {.re = from},
                                   .beta = {.re = to},
                                   .found = &found,
                                   .d = w,
                                   .C = Z,
                                   .ldc = n,
                                   .ipiv = failed,
                                   .info = &info};
    CHECK_OK(ctx, gbl_syevx(ctx, "gable_syevx", &call));
    CHECK(info == 0, "info is %lld", (long long)info);
    CHECK(found == wanted, "m is %lld instead of %lld", (long long)found, (long long)wanted);
    receive(dtype, n, w, values);
    for (int64_t i = 0; i < wanted && found == wanted; i++)
        wrong += !(values[i] == sorted[i]);
    CHECK(wrong == 0, "%d values are wrong", (int)wrong);
    CHECK_OK(ctx, gable_free(ctx, there));
    CHECK_OK(ctx, gable_free(ctx, Z));
    CHECK_OK(ctx, gable_free(ctx, failed));
}

/* The neighbour of a number in its precision. */
static double beside(gbl_dtype dtype, double x, double towards)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)nextafterf((float)x, (float)towards)
                                            : nextafter(x, towards);
}

static void intervals(gbl_dtype dtype, const char *choice)
{
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const double tiny = single ? 0x1p-149 : 0x1p-1074,
                 third = single ? (double)(float)(4.0 / 3) : 4.0 / 3;
    const int powers[] = {0, single ? 120 : 1000, single ? -120 : -1000, single ? -148 : -1073};
    for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++)
        for (int64_t n = 1; n < ROWS; n += 4) {
            double d[] = {third, 3, 1, -2, 0, 2, -1}, x[4];
            for (int i = 0; i < ROWS; i++)
                d[i] = k < 3 || i > 0 ? ldexp(d[i], powers[k]) : 0;
            for (int i = 0; i < 4; i++)
                x[i] = d[i];
            const struct {
                double from, to;
            } bounds[] = {{x[0], x[1]},
                          {beside(dtype, x[0], -1), x[1]},
                          {x[2], beside(dtype, x[0], -1)},
                          {x[3], beside(dtype, x[1], 0)},
                          {nextafter(x[0], -INFINITY), nextafter(x[0], INFINITY)},
                          {x[0], nextafter(x[0], INFINITY)},
                          {-tiny, tiny},
                          {-tiny, 0},
                          {0, tiny},
                          {tiny, 4 * tiny},
                          {-INFINITY, INFINITY},
                          {-INFINITY, x[2]},
                          {x[2], INFINITY},
                          {-INFINITY, -0x1.8p1000},
                          {-0x1.8p1000, x[1]},
                          {0x1p-1050, 0x1.8p1000}};
            for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
                for (int way = 0; way < 2; way++) {
                    test_case("syevx %c, %s, times 2^%d, n %d, (%.17g, %.17g], %s",
                              gbl_dtype_letter(dtype), choice, powers[k], (int)n, bounds[i].from,
                              bounds[i].to, way == 0 ? "values" : "vectors");
                    if (bounds[i].from < bounds[i].to)
                        run_interval(dtype, way == 0 ? GABLE_NO_VECTORS : GABLE_VECTORS, d, n,
                                     bounds[i].from, bounds[i].to);
                }
        }
}

/* ---- All of it ---- */

static void test_precision(gbl_dtype dtype)
{
    static const char *const choices[DRIVERS][3] = {
        {"syevd=reduce", "syevd=lapack"},
        {"syevx=reduce", "syevx=lapack", "syevx=inverse"},
        {"gesdd=reduction", "gesdd=lapack"}};
    for (int driver = 0; driver < DRIVERS; driver++)
        for (int i = 0; i < 3 && choices[driver][i] != NULL; i++) {
            const char *choice = choices[driver][i];
            const bool host = ctx->device->props.is_host,
                       library = host && gbl_cpu_lapack_get() != NULL,
                       inverse = strstr(choice, "=inverse") != NULL,
                       long_on_pocl = driver != SYEVD && !ctx->device->props.is_gpu;
            if ((strstr(choice, "=lapack") != NULL && !library) || (inverse && host) ||
                (!host && long_on_pocl && !test_all()))
                continue;
            CHECK_OK(ctx, gable_set_variant(ctx, choice));
            at_all_scales(dtype, driver, choice);
            if (driver == SYEVX && strstr(choice, "=inverse") == NULL)
                intervals(dtype, choice);
            CHECK_OK(ctx, gable_set_variant(ctx, NULL));
        }
}

int main(int count, char **arguments)
{
    const char *letters = getenv("GABLE_TEST_PRECISIONS");
    test_start("test_spectrum_range");
    ctx = test_open();
    letters = count > 1 ? arguments[1] : letters != NULL ? letters : "sdcz";
    for (gbl_dtype dtype = GBL_S; dtype <= GBL_Z; dtype++)
        if (strchr(letters, gbl_dtype_letter(dtype)) != NULL)
            test_precision(dtype);
    gable_close(ctx);
    return test_finish();
}
