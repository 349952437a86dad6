/* test_cpu_lapack.c: which LAPACK is found on cpu, and what it computes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The word on the command line says how $GABLE_LAPACK is set: a process looks for a LAPACK once.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "device/cpu_lapack.h"
#include "expect.h"
#include "gable/gable.h"

#define N 3

/* A = L L^T. */
static const double lower[N][N] = {{2, 0, 0}, {1, 3, 0}, {-1, 2, 1}};
static const double whole[N][N] = {{4, 2, -2}, {2, 10, 5}, {-2, 5, 6}};

/* A matrix of any precision, column by column. */
typedef struct matrix {
    _Alignas(16) unsigned char bytes[N * N * 16];
} matrix;

static void put(matrix *of, gbl_dtype dtype, int at, double re)
{
    const int parts = gbl_dtype_complex(dtype) ? 2 : 1;
    if (gbl_dtype_real_bytes(dtype) == 4) {
        float *element = (float *)(void *)of->bytes + at * parts;
        element[0] = (float)re;
        if (parts == 2)
            element[1] = 0;
    } else {
        double *element = (double *)(void *)of->bytes + at * parts;
        element[0] = re;
        if (parts == 2)
            element[1] = 0;
    }
}

static double get(const matrix *of, gbl_dtype dtype, int at)
{
    const int parts = gbl_dtype_complex(dtype) ? 2 : 1;
    return gbl_dtype_real_bytes(dtype) == 4
               ? (double)((const float *)(const void *)of->bytes)[at * parts]
               : ((const double *)(const void *)of->bytes)[at * parts];
}

static void test_factor(gbl_dtype dtype)
{
    const double epsilon = gbl_dtype_real_bytes(dtype) == 4 ? FLT_EPSILON : DBL_EPSILON;
    const gbl_cpu_lapack *lapack = gbl_cpu_lapack_get();
    const int n = N;
    matrix A;
    int info = 77;
    for (int i = 0; i < N * N; i++)
        put(&A, dtype, i, whole[i / N][i % N]);
    lapack->potrf[dtype](gbl_lapack_uplo(GABLE_LOWER), &n, A.bytes, &n, &info, 1);
    EXPECT(info == 0, "%c: info is %d", gbl_dtype_letter(dtype), info);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double expected = i >= j ? lower[i][j] : whole[i][j];
            const double is = get(&A, dtype, i + N * j);
            EXPECT(fabs(is - expected) <= 16 * epsilon, "%c: element %d %d is %g, not %g",
                   gbl_dtype_letter(dtype), i, j, is, expected);
        }
    put(&A, dtype, 0, 4);
    put(&A, dtype, 1, 2);
    put(&A, dtype, N + 1, 1);
    lapack->potrf[dtype](gbl_lapack_uplo(GABLE_LOWER), &n, A.bytes, &n, &info, 1);
    EXPECT(info == 2, "%c: a matrix whose second minor is 0 gives %d", gbl_dtype_letter(dtype),
           info);
}

/* Functions whose arguments are of every kind. */
static void test_others(gbl_dtype dtype)
{
    const gbl_cpu_lapack *lapack = gbl_cpu_lapack_get();
    const char letter = gbl_dtype_letter(dtype);
    const int n = N, one = 1;
    matrix A, B, work;
    int info = 77, ipiv[N];
    for (int i = 0; i < N * N; i++)
        put(&A, dtype, i, whole[i / N][i % N]);
    const double largest = gbl_lapack_lange(dtype, 'M', n, n, A.bytes, n, work.bytes);
    EXPECT(largest == 10, "%clange is %g", letter, largest);
    const double sum = gbl_lapack_lansy(dtype, true, '1', "L", n, A.bytes, n, work.bytes);
    EXPECT(sum == 17, "%clanhe is %g", letter, sum);
    const double triangle = gbl_lapack_lantr(dtype, 'I', "U", "N", n, n, A.bytes, n, work.bytes);
    EXPECT(triangle == 15, "%clantr is %g", letter, triangle);
    for (int i = 0; i < N; i++)
        put(&B, dtype, i, whole[i][0] + whole[i][1] + whole[i][2]);
    lapack->gesv[dtype](&n, &one, A.bytes, &n, ipiv, B.bytes, &n, &info);
    EXPECT(info == 0, "%cgesv: info is %d", letter, info);
    for (int i = 0; i < N; i++)
        EXPECT(fabs(get(&B, dtype, i) - 1) < 1e-5, "%cgesv: x(%d) is %g", letter, i,
               get(&B, dtype, i));
    for (int i = 0; i < N; i++)
        put(&B, dtype, i, i);
    lapack->lacpy[dtype]("A", &n, &one, B.bytes, &n, A.bytes, &n, 1);
    EXPECT(get(&A, dtype, 2) == 2, "%clacpy copied %g", letter, get(&A, dtype, 2));
}

static void test_fits(void)
{
    const int64_t large = (int64_t)INT_MAX + 1;
    EXPECT(GBL_LAPACK_FITS("potrf", GBL_D, 5, INT_MAX), "what fits does not");
    EXPECT(!GBL_LAPACK_FITS("potrf", GBL_D, 5, large), "a large integer fits an int");
    EXPECT(!GBL_LAPACK_FITS("potrf", GBL_D, large, 5), "a large integer fits an int");
    EXPECT(!GBL_LAPACK_FITS("potrf", GBL_D, -1, 5), "a negative integer fits");
    EXPECT(!GBL_LAPACK_FITS("nothing", GBL_D, 5), "a function that is not there fits");
}

static void test_installed(void)
{
    static const char *const stems[] = {"potrf", "getrf", "geqrf", "ormqr", "orglq", "gels",
                                        "lanhe", "larfb", "laswp", "trtri", "sytrd", "gehrd"};
    EXPECT(strncmp(gbl_cpu_lapack_name(), "LAPACK 3.", 9) == 0, "the name is %s",
           gbl_cpu_lapack_name());
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++)
            EXPECT(gbl_cpu_lapack_has(stems[i], (gbl_dtype)dtype), "%c%s is not there",
                   gbl_dtype_letter((gbl_dtype)dtype), stems[i]);
        test_factor((gbl_dtype)dtype);
        test_others((gbl_dtype)dtype);
    }
    test_fits();
}

static void expect_none(const char *why)
{
    EXPECT(gbl_cpu_lapack_get() == NULL, "a LAPACK is found: %s", gbl_cpu_lapack_name());
    EXPECT(strcmp(gbl_cpu_lapack_name(), "no LAPACK found") == 0, "the name is %s",
           gbl_cpu_lapack_name());
    EXPECT(strstr(gbl_cpu_lapack_reason(), why) != NULL, "the reason is %s",
           gbl_cpu_lapack_reason());
    EXPECT(!GBL_LAPACK_FITS("potrf", GBL_D, 1), "a function of no library fits");
}

static void test_partial(void)
{
    if (!EXPECT(gbl_cpu_lapack_get() != NULL, "the library is dropped: %s",
                gbl_cpu_lapack_reason()))
        return;
    EXPECT(gbl_cpu_lapack_has("potrf", GBL_D) && !gbl_cpu_lapack_has("potrf", GBL_S) &&
               !gbl_cpu_lapack_has("getrf", GBL_D),
           "the functions that are there are not those that are found");
    EXPECT(strstr(gbl_cpu_lapack_name(), "without 182 of 184") != NULL, "the name is %s",
           gbl_cpu_lapack_name());
    EXPECT(!GBL_LAPACK_FITS("getrf", GBL_D, 1), "a function that is missing fits");
    test_factor(GBL_D);
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "installed";
    unsetenv("GABLE_LAPACK");
    if (strcmp(how, "none") == 0) {
        setenv("GABLE_LAPACK", "none", 1);
        expect_none("GABLE_LAPACK is \"none\"");
    } else if (strcmp(how, "nowhere") == 0) {
        setenv("GABLE_LAPACK", "/nowhere/liblapack.so", 1);
        expect_none("GABLE_LAPACK is \"/nowhere/liblapack.so\", which cannot be opened");
    } else if (strcmp(how, "no_lapack") == 0) {
        setenv("GABLE_LAPACK", "libm.so.6", 1);
        expect_none("has no function dpotrf_");
    } else if (strcmp(how, "wide") == 0) {
        setenv("GABLE_LAPACK", WIDE_LAPACK, 1);
        expect_none("takes 64-bit integers");
    } else if (strcmp(how, "partial") == 0) {
        setenv("GABLE_LAPACK", PARTIAL_LAPACK, 1);
        test_partial();
    } else {
        if (strcmp(how, "reference") == 0)
            setenv("GABLE_LAPACK", "liblapack.so.3", 1);
        if (gbl_cpu_lapack_get() == NULL) {
            printf("test_cpu_lapack: %s\n", gbl_cpu_lapack_reason());
            return EXPECT_SKIPPED;
        }
        printf("%s\n", gbl_cpu_lapack_name());
        test_installed();
    }
    return expect_summary("test_cpu_lapack");
}
