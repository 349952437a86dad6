/* eig_matrix.c: a symmetric matrix in a file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A file that says general must hold a symmetric or Hermitian matrix all the same, exactly.
 */
#include <stdlib.h>
#include "eig.h"

/* The first place where it is not Hermitian; false: there is none. NaN is unequal to itself, and
 * the library has an answer to it. */
static bool find_odd(const dense_matrix *A, int64_t *row, int64_t *column)
{
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = j; i < A->n; i++) {
            const double *a = A->pairs + 2 * (i + j * A->n), *b = A->pairs + 2 * (j + i * A->n);
            if (a[0] < b[0] || a[0] > b[0] || a[1] < -b[1] || a[1] > -b[1]) {
                *row = i + 1;
                *column = j + 1;
                return true;
            }
        }
    return false;
}

/* Bytes of host memory that the matrix, its copy for the device and the vectors take, without
 * workspace. */
static double host_bytes(const gable_context *ctx, const dense_matrix *A, const eig_wanted *wanted)
{
    const double n = (double)A->n, elem = (double)gbl_dtype_bytes(A->dtype),
                 pair = 2 * sizeof(double),
                 most = wanted->between       ? 0 /* nobody knows how many lie there */
                        : wanted->largest > 0 ? (double)wanted->largest
                                              : n,
                 columns = !wanted->vectors ? 0
                           : most < n       ? most
                                            : n,
                 beside = ctx->device->props.is_gpu ? 0 : elem * n * (n + 2 * columns);
    return (pair + elem) * n * n + 2 * pair * n * columns + beside;
}

bool eig_read(const gable_context *ctx, eig_case *what, int asked, const eig_wanted *wanted,
              gbl_message *message)
{
    dense_matrix *A = &what->A;
    gbl_market file;
    int64_t row, column;
    if (!dense_open(A, asked, &file, message))
        return false;
    const bool complex = file.field == GBL_MARKET_COMPLEX;
    if (A->m != A->n) {
        gbl_market_free(&file);
        gbl_fail(message, GABLE_NOT_SUPPORTED, "%s is %lld x %lld; eigenvalues are of square ones",
                 A->path, (long long)A->m, (long long)A->n);
        return false;
    }
    if (!dense_fill(A, &file, host_bytes(ctx, A, wanted), message))
        return false;
    if (find_odd(A, &row, &column)) {
        gbl_fail(message, GABLE_NOT_SUPPORTED,
                 "%s is not %s: elements (%lld, %lld) and (%lld, %lld) differ", A->path,
                 complex ? "Hermitian" : "symmetric", (long long)row, (long long)column,
                 (long long)column, (long long)row);
        return false;
    }
    return true;
}

void eig_free(eig_case *what)
{
    dense_free(&what->A);
    free(what->values);
    free(what->vectors);
}
