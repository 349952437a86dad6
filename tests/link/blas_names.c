/* blas_names.c: a program that opens a BLAS at run time, as plug-ins do, and asks it for names.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   blas_names LIBRARY <NAMES: prints the names that are not found; then a sum of level 1 and a
 *   product of level 3, found in the same way, must be right.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define N 40

typedef double dot_function(const int *n, const double *x, const int *incx, const double *y,
                            const int *incy);
typedef void gemm_function(const char *transa, const char *transb, const int *m, const int *n,
                           const int *k, const double *alpha, const double *A, const int *lda,
                           const double *B, const int *ldb, const double *beta, double *C,
                           const int *ldc, size_t length_a, size_t length_b);

static int missing_names(void *library)
{
    char name[256];
    int missing = 0;
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        if (dlsym(library, name) != NULL)
            continue;
        printf("%s\n", name);
        missing++;
    }
    return missing;
}

/* Small whole numbers: every order of the sums gives the same bits. */
static int wrong_results(void *library)
{
    static double A[N * N], B[N * N], C[N * N];
    const int n = N, one = 1, all = N * N;
    const double alpha = 2, beta = 3;
    dot_function *dot = NULL;
    gemm_function *gemm = NULL;
    void *const found[] = {dlsym(library, "ddot_"), dlsym(library, "dgemm_")};
    memcpy(&dot, &found[0], sizeof dot);
    memcpy(&gemm, &found[1], sizeof gemm);
    if (dot == NULL || gemm == NULL)
        return 1;
    double sum = 0;
    for (int i = 0; i < all; i++) {
        A[i] = i % 5 - 2;
        B[i] = i % 7 - 3;
        C[i] = i % 3;
        sum += A[i] * B[i];
    }
    int wrong = dot(&all, A, &one, B, &one) != sum;
    gemm("N", "N", &n, &n, &n, &alpha, A, &n, B, &n, &beta, C, &n, 1, 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double expected = 3 * ((i + j * N) % 3);
            for (int l = 0; l < N; l++)
                expected += 2 * A[i + l * N] * B[l + j * N];
            wrong += C[i + j * N] != expected;
        }
    return wrong;
}

int main(int argc, char **argv)
{
    void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "use: blas_names LIBRARY");
        return 2;
    }
    const int missing = missing_names(library), wrong = wrong_results(library);
    if (wrong > 0)
        fprintf(stderr, "%d results are wrong\n", wrong);
    return missing > 0 || wrong > 0;
}
