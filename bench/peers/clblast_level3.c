/* clblast_level3.c: CLBlast's routines on two or three matrices, as the benchmark calls them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Layout, sides, transpositions, triangles and diagonals are numbered as in CBLAS, as Gable's are.
 * CLBlast takes many matrices at constant distances, or at places within one buffer that the host
 * lists; that stands beside arrays of addresses. It has no gemmt, and trsm only for one matrix.
 */
#include <stdlib.h>
#include <string.h>
#include "device/dynlib.h"
#include "device/product_args.h"
#include "peers/clblast_level3.h"

enum { COLUMN_MAJOR = 102 };

/* A matrix is a buffer, an offset and a leading dimension in elements; the last two are queue and
 * event. */
#define M    peer_cl_buffer *, size_t, size_t
#define MS   peer_cl_buffer *, size_t, size_t, size_t
#define ML   peer_cl_buffer *, const size_t *, size_t
#define LAST peer_cl_object **, peer_cl_object **

/* The parameters, by the types of alpha and beta. */
#define GEMM(a, b)    int, int, int, size_t, size_t, size_t, a, M, M, b, M, LAST
#define SYRK(a, b)    int, int, int, size_t, size_t, a, M, b, M, LAST
#define SYR2K(a, b)   int, int, int, size_t, size_t, a, M, M, b, M, LAST /* and symm */
#define TRMM(a)       int, int, int, int, int, size_t, size_t, a, M, M, LAST
#define STRIDED(a, b) int, int, int, size_t, size_t, size_t, a, MS, MS, b, MS, size_t, LAST

#define FOUR(stem, PARAMETERS)                                                                     \
    int (*s##stem)(PARAMETERS(float, float));                                                      \
    int (*d##stem)(PARAMETERS(double, double));                                                    \
    int (*c##stem)(PARAMETERS(peer_float2, peer_float2));                                          \
    int (*z##stem)(PARAMETERS(peer_double2, peer_double2))

static struct {
    FOUR(gemm, GEMM);
    FOUR(strided, STRIDED);
    int (*listed[4])(int, int, int, size_t, size_t, size_t, const void *, ML, ML, const void *, ML,
                     size_t, LAST);
    FOUR(syrk, SYRK);
    int (*cherk)(SYRK(float, float));
    int (*zherk)(SYRK(double, double));
    FOUR(syr2k, SYR2K);
    int (*cher2k)(SYR2K(peer_float2, float));
    int (*zher2k)(SYR2K(peer_double2, double));
    FOUR(symm, SYR2K);
    int (*chemm)(SYR2K(peer_float2, peer_float2));
    int (*zhemm)(SYR2K(peer_double2, peer_double2));
    int (*strmm)(TRMM(float));
    int (*dtrmm)(TRMM(double));
    int (*ctrmm)(TRMM(peer_float2));
    int (*ztrmm)(TRMM(peer_double2));
    int (*strsm)(TRMM(float));
    int (*dtrsm)(TRMM(double));
    int (*ctrsm)(TRMM(peer_float2));
    int (*ztrsm)(TRMM(peer_double2));
} clblast;

#define SYMBOLS(stem, member)                                                                      \
    {.name = "CLBlastS" stem, .slot = &clblast.s##member},                                         \
        {.name = "CLBlastD" stem, .slot = &clblast.d##member},                                     \
        {.name = "CLBlastC" stem, .slot = &clblast.c##member},                                     \
    {                                                                                              \
        .name = "CLBlastZ" stem, .slot = &clblast.z##member                                        \
    }

const char *clblast_load_level3(void *library)
{
    const gbl_symbol symbols[] = {
        SYMBOLS("gemm", gemm),
        SYMBOLS("gemmStridedBatched", strided),
        {.name = "CLBlastSgemmBatched", .slot = &clblast.listed[GBL_S]},
        {.name = "CLBlastDgemmBatched", .slot = &clblast.listed[GBL_D]},
        {.name = "CLBlastCgemmBatched", .slot = &clblast.listed[GBL_C]},
        {.name = "CLBlastZgemmBatched", .slot = &clblast.listed[GBL_Z]},
        SYMBOLS("syrk", syrk),
        {.name = "CLBlastCherk", .slot = &clblast.cherk},
        {.name = "CLBlastZherk", .slot = &clblast.zherk},
        SYMBOLS("syr2k", syr2k),
        {.name = "CLBlastCher2k", .slot = &clblast.cher2k},
        {.name = "CLBlastZher2k", .slot = &clblast.zher2k},
        SYMBOLS("symm", symm),
        {.name = "CLBlastChemm", .slot = &clblast.chemm},
        {.name = "CLBlastZhemm", .slot = &clblast.zhemm},
        SYMBOLS("trmm", trmm),
        SYMBOLS("trsm", trsm),
    };
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}

/* ---- Calls ---- */

/* A call with its sizes and scalars as CLBlast takes them. */
typedef struct sized {
    const gbl_product_args *args;
    const clblast_factors *at;
    gbl_dtype dtype;
    bool conj;
    int trans, trans_b, uplo, diag, side;
    size_t m, n, k, lda, ldb, ldc;
    peer_float2 single, single_beta;
    peer_double2 wide, wide_beta;
} sized;

static sized sized_of(const gbl_product_args *a, const clblast_factors *at)
{
    return (sized){.args = a,
                   .at = at,
                   .dtype = a->dtype,
                   .conj = a->conj,
                   .trans = (int)a->trans,
                   .trans_b = (int)a->trans_b,
                   .uplo = (int)a->uplo,
                   .diag = (int)a->diag,
                   .side = (int)a->side,
                   .m = (size_t)a->m,
                   .n = (size_t)a->n,
                   .k = (size_t)a->k,
                   .lda = (size_t)a->lda,
                   .ldb = (size_t)a->ldb,
                   .ldc = (size_t)a->ldc,
                   .single = {(float)a->alpha.re, (float)a->alpha.im},
                   .single_beta = {(float)a->beta.re, (float)a->beta.im},
                   .wide = {a->alpha.re, a->alpha.im},
                   .wide_beta = {a->beta.re, a->beta.im}};
}

#define AT_A  c->at->A, c->at->offset, c->lda
#define AT_B  c->at->B, c->at->offset, c->ldb
#define AT_C  c->at->C, c->at->offset, c->ldc
#define QUEUE c->at->queue, NULL
/* alpha, A, B, beta, C, queue and event. */
#define TWO(alpha, beta) alpha, AT_A, AT_B, beta, AT_C, QUEUE
#define ONE(alpha, beta) alpha, AT_A, beta, AT_C, QUEUE

static int call_gemm(const sized *c)
{
    const int a = c->trans, b = c->trans_b;
    if (c->dtype == GBL_S)
        return clblast.sgemm(COLUMN_MAJOR, a, b, c->m, c->n, c->k,
                             TWO(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dgemm(COLUMN_MAJOR, a, b, c->m, c->n, c->k,
                             TWO(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return clblast.cgemm(COLUMN_MAJOR, a, b, c->m, c->n, c->k, TWO(c->single, c->single_beta));
    return clblast.zgemm(COLUMN_MAJOR, a, b, c->m, c->n, c->k, TWO(c->wide, c->wide_beta));
}

static int call_syrk(const sized *c)
{
    const int uplo = c->uplo, trans = c->trans;
    if (c->dtype == GBL_S || (c->dtype == GBL_C && c->conj))
        return (c->conj ? clblast.cherk : clblast.ssyrk)(COLUMN_MAJOR, uplo, trans, c->n, c->k,
                                                         ONE(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D || c->conj)
        return (c->conj ? clblast.zherk : clblast.dsyrk)(COLUMN_MAJOR, uplo, trans, c->n, c->k,
                                                         ONE(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return clblast.csyrk(COLUMN_MAJOR, uplo, trans, c->n, c->k, ONE(c->single, c->single_beta));
    return clblast.zsyrk(COLUMN_MAJOR, uplo, trans, c->n, c->k, ONE(c->wide, c->wide_beta));
}

static int call_syr2k(const sized *c)
{
    const int uplo = c->uplo, trans = c->trans;
    if (c->dtype == GBL_S)
        return clblast.ssyr2k(COLUMN_MAJOR, uplo, trans, c->n, c->k,
                              TWO(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dsyr2k(COLUMN_MAJOR, uplo, trans, c->n, c->k,
                              TWO(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C && c->conj)
        return clblast.cher2k(COLUMN_MAJOR, uplo, trans, c->n, c->k,
                              TWO(c->single, c->single_beta.re));
    if (c->dtype == GBL_C)
        return clblast.csyr2k(COLUMN_MAJOR, uplo, trans, c->n, c->k,
                              TWO(c->single, c->single_beta));
    if (c->conj)
        return clblast.zher2k(COLUMN_MAJOR, uplo, trans, c->n, c->k, TWO(c->wide, c->wide_beta.re));
    return clblast.zsyr2k(COLUMN_MAJOR, uplo, trans, c->n, c->k, TWO(c->wide, c->wide_beta));
}

static int call_symm(const sized *c)
{
    const int side = c->side, uplo = c->uplo;
    if (c->dtype == GBL_S)
        return clblast.ssymm(COLUMN_MAJOR, side, uplo, c->m, c->n,
                             TWO(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dsymm(COLUMN_MAJOR, side, uplo, c->m, c->n,
                             TWO(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return (c->conj ? clblast.chemm : clblast.csymm)(COLUMN_MAJOR, side, uplo, c->m, c->n,
                                                         TWO(c->single, c->single_beta));
    return (c->conj ? clblast.zhemm : clblast.zsymm)(COLUMN_MAJOR, side, uplo, c->m, c->n,
                                                     TWO(c->wide, c->wide_beta));
}

#define TRIANGLE(alpha)                                                                            \
    COLUMN_MAJOR, c->side, c->uplo, c->trans, c->diag, c->m, c->n, alpha, AT_A, AT_B, QUEUE

static int call_trmm(const sized *c)
{
    switch (c->dtype) {
    case GBL_S:
        return clblast.strmm(TRIANGLE(c->single.re));
    case GBL_D:
        return clblast.dtrmm(TRIANGLE(c->wide.re));
    case GBL_C:
        return clblast.ctrmm(TRIANGLE(c->single));
    case GBL_Z:
        break;
    }
    return clblast.ztrmm(TRIANGLE(c->wide));
}

static int call_trsm(const sized *c)
{
    switch (c->dtype) {
    case GBL_S:
        return clblast.strsm(TRIANGLE(c->single.re));
    case GBL_D:
        return clblast.dtrsm(TRIANGLE(c->wide.re));
    case GBL_C:
        return clblast.ctrsm(TRIANGLE(c->single));
    case GBL_Z:
        break;
    }
    return clblast.ztrsm(TRIANGLE(c->wide));
}

/* ---- Many matrices ---- */

/* Places and scalars of many products, kept from call to call as a program would. */
static struct {
    size_t batch, apart[3], offset;
    gbl_dtype dtype;
    size_t *places[3];
    char *alphas, *betas;
} lists;

static void drop_lists(void)
{
    for (int i = 0; i < 3; i++)
        free(lists.places[i]);
    free(lists.alphas);
    free(lists.betas);
    memset(&lists, 0, sizeof lists);
}

static bool make_lists(const sized *c, const size_t apart[3])
{
    const size_t batch = (size_t)c->args->batch, elem = gbl_dtype_bytes(c->dtype);
    const bool single = gbl_dtype_real_bytes(c->dtype) == 4;
    if (lists.batch == batch && lists.dtype == c->dtype && lists.offset == c->at->offset &&
        memcmp(lists.apart, apart, sizeof lists.apart) == 0)
        return true;
    drop_lists();
    lists.alphas = malloc(batch * elem);
    lists.betas = malloc(batch * elem);
    bool made = lists.alphas != NULL && lists.betas != NULL;
    for (int i = 0; i < 3; i++) {
        lists.places[i] = malloc(batch * sizeof *lists.places[i]);
        made = made && lists.places[i] != NULL;
    }
    if (!made) {
        drop_lists();
        return false;
    }
    for (size_t b = 0; b < batch; b++) {
        memcpy(lists.alphas + b * elem, single ? (const void *)&c->single : &c->wide, elem);
        memcpy(lists.betas + b * elem, single ? (const void *)&c->single_beta : &c->wide_beta,
               elem);
        for (int i = 0; i < 3; i++)
            lists.places[i][b] = c->at->offset + b * apart[i];
    }
    lists.batch = batch;
    lists.dtype = c->dtype;
    lists.offset = c->at->offset;
    memcpy(lists.apart, apart, sizeof lists.apart);
    return true;
}

#define OUT_OF_MEMORY (-6) /* CL_OUT_OF_HOST_MEMORY */

#define STRIDED_TWO(alpha, beta)                                                                   \
    COLUMN_MAJOR, c->trans, c->trans_b, c->m, c->n, c->k, alpha, AT_A, apart[0], AT_B, apart[1],   \
        beta, AT_C, apart[2], batch, QUEUE

static int call_many(const sized *c)
{
    const gbl_product_args *a = c->args;
    const size_t batch = (size_t)a->batch;
    const size_t apart[] = {(size_t)a->stride_a, (size_t)a->stride_b, (size_t)a->stride_c};
    if (a->pointers)
        return !make_lists(c, apart)
                   ? OUT_OF_MEMORY
                   : clblast.listed[c->dtype](COLUMN_MAJOR, c->trans, c->trans_b, c->m, c->n, c->k,
                                              lists.alphas, c->at->A, lists.places[0], c->lda,
                                              c->at->B, lists.places[1], c->ldb, lists.betas,
                                              c->at->C, lists.places[2], c->ldc, batch, QUEUE);
    switch (c->dtype) {
    case GBL_S:
        return clblast.sstrided(STRIDED_TWO(c->single.re, c->single_beta.re));
    case GBL_D:
        return clblast.dstrided(STRIDED_TWO(c->wide.re, c->wide_beta.re));
    case GBL_C:
        return clblast.cstrided(STRIDED_TWO(c->single, c->single_beta));
    case GBL_Z:
        break;
    }
    return clblast.zstrided(STRIDED_TWO(c->wide, c->wide_beta));
}

/* ---- The table ---- */

static const struct routine {
    const char *stem;
    int (*call)(const sized *c);
} routines[] = {
    {.stem = "gemm", .call = call_gemm},         {.stem = "syrk", .call = call_syrk},
    {.stem = "syr2k", .call = call_syr2k},       {.stem = "symm", .call = call_symm},
    {.stem = "trmm", .call = call_trmm},         {.stem = "trsm", .call = call_trsm},
    {.stem = "gemm_batched", .call = call_many},
};

static const struct routine *find(const char *stem)
{
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
        if (strcmp(stem, routines[i].stem) == 0)
            return &routines[i];
    return NULL;
}

bool clblast_has_level3(const bench_case *what)
{
    return find(what->op->op->stem) != NULL;
}

int clblast_call_level3(const char *stem, const gbl_product_args *call, const clblast_factors *at)
{
    const sized c = sized_of(call, at);
    return find(stem)->call(&c); /* clblast_has_level3 said that it is there */
}
