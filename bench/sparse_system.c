/* sparse_system.c: a sparse matrix and its vectors on a device, for benchmarks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "sparse/matrix/sparse_matrix.h"
#include "sparse_basis.h"
#include "sparse_system.h"

#define MEMORY_SHARE 0.3 /* of the device's memory, for all sets */
#define POISON       0xff

const char *const bench_sparse_op_names[BENCH_SPARSE_OPS] = {"spmv", "cg", "bicgstab", "gmres",
                                                             "gmres_orthogonalise"};
const char *const bench_format_names[6] = {"auto", "csr", "coo", "ell", "sell", "hyb"};

/* One vector of `length` as doubles and in the precision. */
static gable_status make_vector(bench_sparse_system *s, void **typed)
{
    const gbl_dtype dtype = s->what->dtype;
    const int64_t parts = gbl_dtype_complex(dtype) ? 2 : 1, numbers = s->x_length * parts;
    /* Of a smooth b the residual grows at first, and the best iterate is x = 0. */
    const uint64_t sign_bits = s->what->op == BENCH_SPARSE_MV ? 3 : 1;
    uint64_t state = BENCH_SEED;
    s->host = malloc((size_t)numbers * sizeof *s->host + 1);
    *typed = malloc((size_t)numbers * gbl_dtype_real_bytes(dtype) + 1);
    if (s->host == NULL || *typed == NULL)
        return gbl_fail(&s->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a vector");
    for (int64_t i = 0; i < numbers; i++) {
        s->host[i] = bench_sparse_number(&state, sign_bits); /* 24 bits: exact in every precision */
        if (gbl_dtype_real_bytes(dtype) == 4)
            ((float *)*typed)[i] = (float)s->host[i];
        else
            ((double *)*typed)[i] = s->host[i];
    }
    return GABLE_OK;
}

/* The matrix's arrays as the library takes them. */
typedef struct arrays {
    int bits;
    void *start, *column, *values;
} arrays;

static void free_arrays(arrays *a)
{
    free(a->start);
    free(a->column);
    free(a->values);
}

static void *narrow(const int64_t *from, int64_t count, int bits)
{
    void *to = malloc((size_t)count * (size_t)(bits / 8) + 1);
    for (int64_t i = 0; to != NULL && i < count; i++) {
        if (bits == 32)
            ((int32_t *)to)[i] = (int32_t)from[i];
        else
            ((int64_t *)to)[i] = from[i];
    }
    return to;
}

static gable_status make_arrays(const bench_sparse_system *s, arrays *a)
{
    const bench_sparse_matrix *m = s->what->matrix;
    const gbl_dtype dtype = s->what->dtype;
    const int parts = gbl_dtype_complex(dtype) ? 2 : 1;
    a->bits = m->entries <= INT32_MAX && m->rows < INT32_MAX && m->columns <= INT32_MAX ? 32 : 64;
    a->start = narrow(m->start, m->rows + 1, a->bits);
    a->column = narrow(m->column, m->entries, a->bits);
    a->values = malloc((size_t)m->entries * gbl_dtype_bytes(dtype) + 1);
    if (a->start == NULL || a->column == NULL || a->values == NULL)
        return gbl_fail(&s->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a matrix");
    for (int64_t e = 0; e < m->entries; e++) {
        double number[2];
        bench_sparse_value(m, e, dtype, &number[0], &number[1]);
        for (int p = 0; p < parts; p++) {
            if (gbl_dtype_real_bytes(dtype) == 4)
                ((float *)a->values)[e * parts + p] = (float)number[p];
            else
                ((double *)a->values)[e * parts + p] = number[p];
        }
    }
    return GABLE_OK;
}

/* The first matrix, from the host, and in the format. A solver converts by itself where it
 * chooses. */
static gable_status make_first(bench_sparse_system *s, const arrays *a)
{
    const bench_sparse_matrix *m = s->what->matrix;
    const gbl_sparse_source source = {.dtype = s->what->dtype,
                                      .rows = m->rows,
                                      .columns = m->columns,
                                      .entries = m->entries,
                                      .index_bits = a->bits,
                                      .first = a->start,
                                      .column = a->column,
                                      .values = a->values};
    gable_sparse *made = NULL;
    TRY(gbl_sparse_create(s->ctx, "gable bench", &source, &s->csr[0]));
    s->A[0] = s->csr[0];
    if (s->format == GABLE_FORMAT_AUTO && s->what->op != BENCH_SPARSE_MV)
        s->format = GABLE_CSR;
    if (s->format == GABLE_CSR)
        return GABLE_OK;
    TRY(gable_sparse_convert(s->ctx, s->csr[0], s->format, 0, 0, &made));
    s->format = (gable_format)made->layout.format;
    if (s->format == GABLE_CSR)
        return gable_sparse_destroy(s->ctx, made);
    s->A[0] = made;
    return GABLE_OK;
}

/* Further ones are copies on the device. */
static gable_status make_further(bench_sparse_system *s, int64_t set, bool keep_csr)
{
    const gbl_sparse_layout *layout = &s->A[0]->layout;
    const bool sell = s->format == GABLE_SELL;
    TRY(gable_sparse_convert(s->ctx, s->csr[0], s->format, sell ? layout->chunk : 0,
                             sell ? layout->sigma : 0, &s->A[set]));
    if (s->format == GABLE_CSR)
        s->csr[set] = s->A[set];
    else if (keep_csr)
        TRY(gable_sparse_convert(s->ctx, s->csr[0], GABLE_CSR, 0, 0, &s->csr[set]));
    return GABLE_OK;
}

static gable_status make_vectors(bench_sparse_system *s, int64_t set, const void *vector)
{
    const size_t elem = gbl_dtype_bytes(s->what->dtype);
    TRY(gable_alloc(s->ctx, (size_t)(s->x_length + 1) * elem, &s->x[set]));
    TRY(gable_alloc(s->ctx, (size_t)(s->y_length + 1) * elem, &s->y[set]));
    return gable_set_vector(s->ctx, s->x_length, elem, vector, 1, s->x[set], 1);
}

/* A transposed product reads the transpose that the matrix keeps. */
static gable_status count_bytes(bench_sparse_system *s, bool turned)
{
    gable_sparse *read = s->A[0];
    if (turned)
        TRY(gbl_sparse_transpose(s->ctx, s->A[0], &read));
    s->bytes = gbl_sparse_bytes(&read->layout);
    return GABLE_OK;
}

/* How many sets keep products cold, once the first is there. */
static int64_t sets_wanted(bench_sparse_system *s, bool keep_csr)
{
    const gbl_props *props = &s->ctx->device->props;
    const double room = MEMORY_SHARE * (double)props->memory_bytes;
    const double one = s->bytes * (keep_csr && s->A[0] != s->csr[0] ? 2 : 1);
    int64_t sets = bench_sets_wanted(s->ctx, (size_t)s->bytes + 1, SIZE_MAX);
    s->covers_cache = true;
    if ((double)sets * one > room)
        sets = (int64_t)(room / one);
    if (sets > BENCH_SPARSE_SETS) {
        sets = BENCH_SPARSE_SETS;
        s->covers_cache = false;
    }
    return sets > 1 ? sets : 1;
}

gable_status bench_sparse_system_make(bench_sparse_system *s, gable_context *ctx,
                                      const bench_sparse_case *what, bool keep_csr)
{
    const bool turned = what->op == BENCH_SPARSE_MV && what->trans != GABLE_NO_TRANS;
    arrays a = {.bits = 32};
    void *vector = NULL;
    memset(s, 0, sizeof *s);
    s->ctx = ctx;
    s->what = what;
    s->format = what->format;
    s->sets = 1;
    if (what->op == BENCH_SPARSE_ORTHOGONALISE) {
        const gable_status made = bench_basis_make(ctx, what->dtype, what->matrix->rows,
                                                   what->matrix->columns, &s->basis, &s->bytes);
        s->covers_cache = true;
        if (made != GABLE_OK)
            bench_sparse_system_free(s);
        return made;
    }
    s->x_length = turned ? what->matrix->rows : what->matrix->columns;
    s->y_length = turned ? what->matrix->columns : what->matrix->rows;
    gable_status status = make_vector(s, &vector);
    if (status == GABLE_OK)
        status = make_arrays(s, &a);
    if (status == GABLE_OK)
        status = make_first(s, &a);
    if (status == GABLE_OK)
        status = make_vectors(s, 0, vector);
    if (status == GABLE_OK)
        status = count_bytes(s, turned);
    const int64_t wanted =
        status == GABLE_OK && what->op == BENCH_SPARSE_MV ? sets_wanted(s, keep_csr) : 1;
    while (status == GABLE_OK && s->sets < wanted) {
        const int64_t set = s->sets++;
        status = make_further(s, set, keep_csr);
        if (status == GABLE_OK)
            status = make_vectors(s, set, vector);
    }
    if (status == GABLE_OK && !keep_csr && s->A[0] != s->csr[0]) {
        status = gable_sparse_destroy(s->ctx, s->csr[0]);
        s->csr[0] = NULL;
    }
    free(vector);
    free_arrays(&a);
    if (status != GABLE_OK)
        bench_sparse_system_free(s);
    return status;
}

void bench_sparse_system_free(bench_sparse_system *s)
{
    for (int64_t i = 0; i < s->sets; i++) {
        if (s->A[i] != s->csr[i])
            gable_sparse_destroy(s->ctx, s->A[i]);
        gable_sparse_destroy(s->ctx, s->csr[i]);
        gable_free(s->ctx, s->x[i]);
        gable_free(s->ctx, s->y[i]);
        s->A[i] = s->csr[i] = NULL;
        s->x[i] = s->y[i] = NULL;
    }
    bench_basis_free(s->basis);
    s->basis = NULL;
    free(s->host);
    s->host = NULL;
}

gable_status bench_sparse_multiply(bench_sparse_system *s, int64_t set)
{
    if (s->basis != NULL)
        return bench_basis_run(s->basis);
    const gbl_sparse_product product = {.trans = s->what->trans,
                                        .k = 1,
                                        .A = s->A[set],
                                        .x = s->x[set],
                                        .y = s->y[set],
                                        .alpha = {NULL, 1, 0}};
    return gbl_sparse_multiply(s->ctx, "gable bench", s->what->dtype, &product);
}

const char *bench_sparse_variant(bench_sparse_system *s)
{
    gable_sparse *A = s->A[0];
    gbl_choice choice;
    if (s->basis != NULL)
        return "delayed";
    if (s->what->trans != GABLE_NO_TRANS && gbl_sparse_transpose(s->ctx, s->A[0], &A) != GABLE_OK)
        return "";
    const gbl_sparse_args call = {.dtype = s->what->dtype,
                                  .conj = s->what->trans == GABLE_CONJ_TRANS &&
                                          gbl_dtype_complex(s->what->dtype),
                                  .k = 1,
                                  .ldx = s->x_length,
                                  .ldy = s->y_length,
                                  .A = A->layout,
                                  .x = s->x[0],
                                  .y = s->y[0],
                                  .alpha = {NULL, 1, 0}};
    return gbl_op_choose(s->ctx, &gbl_sparse_mv_op, &call, &choice) == GABLE_OK
               ? choice.variant->name
               : "";
}

gable_status bench_sparse_poison(bench_sparse_system *s, int64_t set)
{
    if (s->basis != NULL)
        return bench_basis_refill(s->basis);
    return gable_fill_bytes(s->ctx, s->y[set], POISON,
                            (size_t)s->y_length * gbl_dtype_bytes(s->what->dtype));
}
