/* link_user.c: a program that knows nothing of Gable and multiplies, for the test of `gable run`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   link_user N COUNT HOW: products of order N, then `exit` 5, `_exit` 6, a `signal` (SIGKILL), a
 *   `fork` whose child multiplies and leaves by _exit, or `nothing` before it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b);

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    fprintf(stderr, "%.*s: argument %d\n", (int)length, name, *argument);
}

static int multiply(int n, int count)
{
    const double one = 1, zero = 0;
    double *const A = calloc((size_t)n * (size_t)n * 2, sizeof *A);
    double *const C = A + (size_t)n * (size_t)n;
    if (A == NULL)
        return 1;
    for (int i = 0; i < n; i++)
        A[i + i * n] = 3;
    for (int i = 0; i < count; i++)
        dgemm_("N", "N", &n, &n, &n, &one, A, &n, A, &n, &zero, C, &n, 1, 1);
    const int wrong = count > 0 && (C[0] != 9 || (n > 1 && C[1] != 0));
    free(A);
    return wrong;
}

int main(int argc, char **argv)
{
    const int n = argc > 3 ? atoi(argv[1]) : 1, count = argc > 3 ? atoi(argv[2]) : 0;
    const char *const how = argc > 3 ? argv[3] : "nothing";
    if (multiply(n, count) != 0)
        return 1;
    if (strcmp(how, "fork") == 0) {
        const pid_t child = fork();
        if (child == 0)
            _exit(multiply(n, count));
        int status = 1;
        return waitpid(child, &status, 0) == child ? status : 1;
    }
    if (strcmp(how, "_exit") == 0)
        _exit(6);
    if (strcmp(how, "signal") == 0)
        raise(SIGKILL);
    return strcmp(how, "exit") == 0 ? 5 : 0;
}
