/* svd_run.c: singular values and vectors on the device, and how good they are.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios are LAPACK's: norms of A - U S V^H over max(m, n) norm(A) 2u, of I - U^H U and I - V^H V
 * over m 2u and n 2u. Products are made on the device, with all vectors, whichever are shown.
 */
#include <stdlib.h>
#include "gable/terminal.h"
#include "lapack/lapack.h"
#include "svd.h"

typedef struct arrays {
    gable_context *ctx;
    gbl_dtype dtype;
    int64_t m, n, k;
    void *A, *U, *Vt, *scaled, *s; /* on the device */
    void *elements;                /* m by n, on the host */
    double *pairs;                 /* likewise */
} arrays;

double svd_host_bytes(const gable_context *ctx, const svd_case *what)
{
    const double m = (double)what->A.m, n = (double)what->A.n, k = (double)what->k,
                 elem = (double)gbl_dtype_bytes(what->A.dtype), pair = 2 * sizeof(double);
    double bytes = (pair + elem) * m * n, beside = elem * m * n;
    if (what->vectors) {
        bytes += pair * (m * n + k * (m + n));
        beside += elem * k * (2 * m + n + 2 * k);
    }
    return ctx->device->props.is_gpu ? bytes : bytes + beside;
}

static gable_status take(const arrays *a, int64_t elements, size_t elem, void **address)
{
    return gable_alloc(a->ctx, ((size_t)elements + 1) * elem, address);
}

static gable_status take_arrays(arrays *a, svd_case *what)
{
    const size_t elem = gbl_dtype_bytes(a->dtype), pair = 2 * sizeof(double),
                 all = (size_t)(a->m * a->n) + 1;
    a->elements = malloc(all * elem);
    what->values = calloc((size_t)a->k + 1, sizeof *what->values);
    bool enough = a->elements != NULL && what->values != NULL;
    if (what->vectors) {
        a->pairs = malloc(all * pair);
        what->U = malloc(((size_t)(a->m * a->k) + 1) * pair);
        what->Vt = malloc(((size_t)(a->k * a->n) + 1) * pair);
        enough = enough && a->pairs != NULL && what->U != NULL && what->Vt != NULL;
    }
    if (!enough)
        return gbl_fail(&a->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for %lld x %lld elements", (long long)a->m,
                        (long long)a->n);
    TRY(take(a, a->m * a->n, elem, &a->A));
    TRY(take(a, a->k, gbl_dtype_real_bytes(a->dtype), &a->s));
    if (what->vectors) {
        TRY(take(a, a->m * a->k, elem, &a->U));
        TRY(take(a, a->k * a->n, elem, &a->Vt));
        TRY(take(a, a->m * a->k, elem, &a->scaled));
    }
    return GABLE_OK;
}

static void give_arrays(const arrays *a)
{
    gable_free(a->ctx, a->A);
    gable_free(a->ctx, a->U);
    gable_free(a->ctx, a->Vt);
    gable_free(a->ctx, a->scaled);
    gable_free(a->ctx, a->s);
    free(a->elements);
    free(a->pairs);
}

static gable_status compute(const arrays *a, svd_case *what)
{
    const gbl_product_call call = {.dtype = a->dtype,
                                   .job = what->vectors ? GABLE_SOME_VECTORS : GABLE_NO_VECTORS,
                                   .m = a->m,
                                   .n = a->n,
                                   .A = a->A,
                                   .lda = a->m,
                                   .d = a->s,
                                   .B = a->U,
                                   .ldb = a->m,
                                   .C = a->Vt,
                                   .ldc = a->k,
                                   .info = &what->info};
    const double before = terminal_now();
    TRY(gbl_gesdd(a->ctx, "gable_svd", &call));
    TRY(gable_sync(a->ctx));
    what->seconds = terminal_now() - before;
    TRY(dense_fetch_reals(a->ctx, a->dtype, a->k, a->s, a->elements, what->values));
    if (!what->vectors)
        return GABLE_OK;
    TRY(dense_fetch(a->ctx, a->dtype, a->m, a->k, a->U, a->m, a->elements, what->U));
    return dense_fetch(a->ctx, a->dtype, a->k, a->n, a->Vt, a->k, a->elements, what->Vt);
}

/* ---- How good they are ---- */

/* A - U S V^H in the place of A. */
static gable_status find_residual(const arrays *a, svd_case *what, double unit)
{
    const double size = (double)(a->m > a->n ? a->m : a->n) * unit,
                 norm = what->A.norm > 0 ? what->A.norm : 1;
    const gbl_product_call product = {.dtype = a->dtype,
                                      .trans = GABLE_NO_TRANS,
                                      .trans_b = GABLE_NO_TRANS,
                                      .m = a->m,
                                      .n = a->n,
                                      .k = a->k,
                                      .alpha = {.re = -1},
                                      .beta = {.re = 1},
                                      .A = a->scaled,
                                      .lda = a->m,
                                      .B = a->Vt,
                                      .ldb = a->k,
                                      .C = a->A,
                                      .ldc = a->m};
    for (int64_t j = 0; j < a->k; j++)
        for (int64_t i = 2 * j * a->m; i < 2 * (j + 1) * a->m; i++)
            a->pairs[i] = what->values[j] * what->U[i];
    TRY(dense_send(a->ctx, a->dtype, a->m, a->k, a->pairs, a->elements, a->scaled, a->m));
    TRY(dense_send(a->ctx, a->dtype, a->m, a->n, what->A.pairs, a->elements, a->A, a->m));
    TRY(gbl_gemm(a->ctx, "gable_svd", &product));
    TRY(dense_fetch(a->ctx, a->dtype, a->m, a->n, a->A, a->m, a->elements, a->pairs));
    what->residual = dense_norm(a->m, a->n, a->pairs) / norm / size;
    return GABLE_OK;
}

/* Of k columns of length `rows`, which are X, or X^H where that lies in memory. */
static gable_status find_orthogonality(const arrays *a, void *X, int64_t rows, bool lies_adjoint,
                                       double unit, double *ratio)
{
    const int64_t ld = lies_adjoint ? a->k : rows;
    const gbl_product_call product = {
        .dtype = a->dtype,
        .trans = lies_adjoint ? GABLE_NO_TRANS : gbl_adjoint(a->dtype),
        .trans_b = lies_adjoint ? gbl_adjoint(a->dtype) : GABLE_NO_TRANS,
        .m = a->k,
        .n = a->k,
        .k = rows,
        .alpha = {.re = 1},
        .A = X,
        .lda = ld,
        .B = X,
        .ldb = ld,
        .C = a->scaled,
        .ldc = a->k};
    TRY(gbl_gemm(a->ctx, "gable_svd", &product));
    TRY(dense_fetch(a->ctx, a->dtype, a->k, a->k, a->scaled, a->k, a->elements, a->pairs));
    *ratio = dense_distance_to_identity(a->k, a->pairs) / ((double)rows * unit);
    return GABLE_OK;
}

static gable_status run(arrays *a, svd_case *what)
{
    const double unit = gbl_dtype_real_bytes(a->dtype) == 4 ? 0x1p-23 : 0x1p-52;
    TRY(take_arrays(a, what));
    TRY(dense_send(a->ctx, a->dtype, a->m, a->n, what->A.pairs, a->elements, a->A, a->m));
    TRY(compute(a, what));
    if (!what->vectors)
        return GABLE_OK;
    TRY(find_residual(a, what, unit));
    TRY(find_orthogonality(a, a->U, a->m, false, unit, &what->orthogonality_u));
    return find_orthogonality(a, a->Vt, a->n, true, unit, &what->orthogonality_v);
}

gable_status svd_run(gable_context *ctx, svd_case *what)
{
    arrays a = {.ctx = ctx, .dtype = what->A.dtype, .m = what->A.m, .n = what->A.n, .k = what->k};
    const gable_status status = run(&a, what);
    const gbl_message message = ctx->message;
    give_arrays(&a);
    if (status != GABLE_OK)
        ctx->message = message;
    return status;
}

void svd_free(svd_case *what)
{
    dense_free(&what->A);
    free(what->values);
    free(what->U);
    free(what->Vt);
}
