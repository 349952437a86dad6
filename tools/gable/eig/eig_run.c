/* eig_run.c: eigenvalues and vectors on the device, and how good they are.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios are LAPACK's: norms of A Z - Z W over n norm(A) 2 u, and of I - Z^H Z over n 2 u. Products
 * are made on the device.
 */
#include <math.h>
#include <stdlib.h>
#include "eig.h"
#include "gable/terminal.h"
#include "lapack/lapack.h"

typedef struct arrays {
    gable_context *ctx;
    gbl_dtype dtype;
    int64_t n;
    void *A, *Z, *product, *w; /* on the device */
    int64_t *failed;
    void *elements; /* n by n, on the host */
} arrays;

static size_t elem_of(const arrays *a)
{
    return gbl_dtype_bytes(a->dtype);
}

static gable_status take_arrays(arrays *a, bool vectors)
{
    const size_t square = ((size_t)(a->n * a->n) + 1) * elem_of(a);
    TRY(gable_alloc(a->ctx, square, &a->A));
    TRY(gable_alloc(a->ctx, ((size_t)a->n + 1) * 8, &a->w));
    if (vectors) {
        void *failed;
        TRY(gable_alloc(a->ctx, square, &a->Z));
        TRY(gable_alloc(a->ctx, square, &a->product));
        TRY(gable_alloc(a->ctx, ((size_t)a->n + 1) * 8, &failed));
        a->failed = failed;
    }
    a->elements = malloc(square);
    return a->elements != NULL
               ? GABLE_OK
               : gbl_fail(&a->ctx->message, GABLE_OUT_OF_MEMORY,
                          "no memory for %lld x %lld elements", (long long)a->n, (long long)a->n);
}

static void give_arrays(const arrays *a)
{
    gable_free(a->ctx, a->A);
    gable_free(a->ctx, a->Z);
    gable_free(a->ctx, a->product);
    gable_free(a->ctx, a->w);
    gable_free(a->ctx, a->failed);
    free(a->elements);
}

static gable_status send_matrix(const arrays *a, const eig_case *what)
{
    return dense_send(a->ctx, a->dtype, a->n, a->n, what->A.pairs, a->elements, a->A, a->n);
}

static gbl_product_call call_of(const arrays *a, const eig_wanted *wanted, int64_t *found,
                                int64_t *info)
{
    const int64_t n = a->n, k = wanted->largest < n ? wanted->largest : n;
    return (gbl_product_call){.dtype = a->dtype,
                              .job = wanted->vectors ? GABLE_VECTORS : GABLE_NO_VECTORS,
                              .range = wanted->between        ? GABLE_RANGE_VALUES
                                       : wanted->largest == 0 ? GABLE_RANGE_ALL
                                                              : GABLE_RANGE_INDICES,
                              .uplo = GABLE_LOWER,
                              .m = n,
                              .n = n,
                              .A = a->A,
                              .lda = n > 0 ? n : 1,
                              .alpha = {.re = wanted->from},
                              .beta = {.re = wanted->to},
                              .ilo = n - k + 1,
                              .ihi = n,
                              .found = found,
                              .d = a->w,
                              .C = a->Z,
                              .ldc = n > 0 ? n : 1,
                              .ipiv = a->failed,
                              .info = info};
}

/* All of them are those of syevd, which LAPACK has the faster driver for. */
static gable_status compute(const arrays *a, eig_case *what, const eig_wanted *wanted)
{
    gbl_product_call call = call_of(a, wanted, &what->count, &what->info);
    const bool all = call.range == GABLE_RANGE_ALL;
    const double before = terminal_now();
    if (all) {
        call.range = 0;
        call.found = NULL;
        what->count = a->n;
    }
    TRY(all ? gbl_syevd(a->ctx, "gable_eig", &call) : gbl_syevx(a->ctx, "gable_eig", &call));
    if (all && wanted->vectors && a->n > 0)
        TRY(gable_copy_bytes(a->ctx, a->Z, a->A, (size_t)(a->n * a->n) * elem_of(a)));
    TRY(gable_sync(a->ctx));
    what->seconds = terminal_now() - before;
    return GABLE_OK;
}

static gable_status fetch(const arrays *a, eig_case *what, const eig_wanted *wanted)
{
    const size_t count = (size_t)what->count + 1, n = (size_t)a->n;
    what->values = calloc(count, sizeof *what->values);
    if (wanted->vectors)
        what->vectors = calloc(count * n + 1, 2 * sizeof *what->vectors);
    if (what->values == NULL || (wanted->vectors && what->vectors == NULL))
        return gbl_fail(&a->ctx->message, GABLE_OUT_OF_MEMORY, "no memory for %lld values",
                        (long long)what->count);
    TRY(dense_fetch_reals(a->ctx, a->dtype, what->count, a->w, a->elements, what->values));
    if (!wanted->vectors)
        return GABLE_OK;
    return dense_fetch(a->ctx, a->dtype, a->n, what->count, a->Z, a->n, a->elements, what->vectors);
}

/* ---- How good they are ---- */

/* A Z - Z W in the place of A Z. */
static void subtract_scaled(const eig_case *what, double *products)
{
    for (int64_t j = 0; j < what->count; j++)
        for (int64_t i = 2 * j * what->A.n; i < 2 * (j + 1) * what->A.n; i++)
            products[i] -= what->values[j] * what->vectors[i];
}

static gable_status judge(const arrays *a, eig_case *what)
{
    const double unit = gbl_dtype_real_bytes(a->dtype) == 4 ? 0x1p-23 : 0x1p-52,
                 size = (double)a->n * unit;
    const gbl_product_call product = {.dtype = a->dtype,
                                      .side = GABLE_LEFT,
                                      .uplo = GABLE_LOWER,
                                      .conj = gbl_dtype_complex(a->dtype),
                                      .m = a->n,
                                      .n = what->count,
                                      .alpha = {.re = 1},
                                      .A = a->A,
                                      .lda = a->n,
                                      .B = a->Z,
                                      .ldb = a->n,
                                      .C = a->product,
                                      .ldc = a->n},
                           inner = {.dtype = a->dtype,
                                    .trans = gbl_adjoint(a->dtype),
                                    .trans_b = GABLE_NO_TRANS,
                                    .m = what->count,
                                    .n = what->count,
                                    .k = a->n,
                                    .alpha = {.re = 1},
                                    .A = a->Z,
                                    .lda = a->n,
                                    .B = a->Z,
                                    .ldb = a->n,
                                    .C = a->product,
                                    .ldc = a->n};
    double *got = malloc(((size_t)(a->n * what->count) + 1) * 2 * sizeof *got);
    if (got == NULL)
        return gbl_fail(&a->ctx->message, GABLE_OUT_OF_MEMORY, "no memory to check the vectors");
    gable_status status = send_matrix(a, what);
    if (status == GABLE_OK)
        status = gbl_symm(a->ctx, "gable_eig", &product);
    if (status == GABLE_OK)
        status =
            dense_fetch(a->ctx, a->dtype, a->n, what->count, a->product, a->n, a->elements, got);
    if (status == GABLE_OK) {
        const double norm = what->A.norm > 0 ? what->A.norm : 1;
        subtract_scaled(what, got);
        what->residual = dense_norm(a->n, what->count, got) / norm / size;
        status = gbl_gemm(a->ctx, "gable_eig", &inner);
    }
    if (status == GABLE_OK)
        status = dense_fetch(a->ctx, a->dtype, what->count, what->count, a->product, a->n,
                             a->elements, got);
    if (status == GABLE_OK)
        what->orthogonality = dense_distance_to_identity(what->count, got) / size;
    free(got);
    return status;
}

static gable_status run(arrays *a, eig_case *what, const eig_wanted *wanted)
{
    TRY(take_arrays(a, wanted->vectors));
    TRY(send_matrix(a, what));
    TRY(compute(a, what, wanted));
    TRY(fetch(a, what, wanted));
    return wanted->vectors && what->count > 0 ? judge(a, what) : GABLE_OK;
}

gable_status eig_run(gable_context *ctx, eig_case *what, const eig_wanted *wanted)
{
    arrays a = {.ctx = ctx, .dtype = what->A.dtype, .n = what->A.n};
    eig_wanted finite = *wanted;
    /* No value is larger than the norm. */
    if (finite.from == -INFINITY)
        finite.from = -(2 * what->A.norm + 1);
    if (finite.to == INFINITY)
        finite.to = 2 * what->A.norm + 1;
    if (finite.between && !(finite.from < finite.to)) /* none is as large, or as small */
        finite.to = finite.from + fabs(finite.from) + 1;
    const gable_status status = run(&a, what, &finite);
    gbl_message message = ctx->message;
    give_arrays(&a);
    if (status != GABLE_OK)
        ctx->message = message;
    return status;
}
