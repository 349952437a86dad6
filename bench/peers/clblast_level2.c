/* clblast_level2.c: CLBlast's matrix-vector routines, as the benchmark calls them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Layout, transpositions, triangles and diagonals are numbered as in CBLAS, as gable_trans,
 * gable_uplo and gable_diag are. CLBlast has names for tbsv and tpsv without code behind them, and
 * no complex symmetric routines.
 */
#include <string.h>
#include "device/dynlib.h"
#include "device/matrix_args.h"
#include "peers/clblast_level2.h"

enum { COLUMN_MAJOR = 102 };

/* A vector is a buffer, an offset and a stride in elements, a matrix the same with its leading
 * dimension, a packed one without; the last two are queue and event. */
#define X    peer_cl_buffer *, size_t, size_t
#define AP   peer_cl_buffer *, size_t
#define LAST peer_cl_object **, peer_cl_object **

/* The parameters of products, by the type of their scalars. */
#define GEMV(scalar) int, int, size_t, size_t, scalar, X, X, scalar, X, LAST
#define GBMV(scalar) int, int, size_t, size_t, size_t, size_t, scalar, X, X, scalar, X, LAST
#define SBMV(scalar) int, int, size_t, size_t, scalar, X, X, scalar, X, LAST
#define SPMV(scalar) int, int, size_t, scalar, AP, X, scalar, X, LAST

static struct {
    int (*sgemv)(GEMV(float));
    int (*dgemv)(GEMV(double));
    int (*cgemv)(GEMV(peer_float2));
    int (*zgemv)(GEMV(peer_double2));
    int (*sgbmv)(GBMV(float));
    int (*dgbmv)(GBMV(double));
    int (*cgbmv)(GBMV(peer_float2));
    int (*zgbmv)(GBMV(peer_double2));
    int (*ssbmv)(SBMV(float));
    int (*dsbmv)(SBMV(double));
    int (*chbmv)(SBMV(peer_float2));
    int (*zhbmv)(SBMV(peer_double2));
    int (*sspmv)(SPMV(float));
    int (*dspmv)(SPMV(double));
    int (*chpmv)(SPMV(peer_float2));
    int (*zhpmv)(SPMV(peer_double2));
    int (*tbmv[4])(int, int, int, int, size_t, size_t, X, X, LAST);
    int (*tpmv[4])(int, int, int, int, size_t, AP, X, LAST);
} clblast;

const char *clblast_load_level2(void *library)
{
    const gbl_symbol symbols[] = {
        {.name = "CLBlastSgemv", .slot = &clblast.sgemv},
        {.name = "CLBlastDgemv", .slot = &clblast.dgemv},
        {.name = "CLBlastCgemv", .slot = &clblast.cgemv},
        {.name = "CLBlastZgemv", .slot = &clblast.zgemv},
        {.name = "CLBlastSgbmv", .slot = &clblast.sgbmv},
        {.name = "CLBlastDgbmv", .slot = &clblast.dgbmv},
        {.name = "CLBlastCgbmv", .slot = &clblast.cgbmv},
        {.name = "CLBlastZgbmv", .slot = &clblast.zgbmv},
        {.name = "CLBlastSsbmv", .slot = &clblast.ssbmv},
        {.name = "CLBlastDsbmv", .slot = &clblast.dsbmv},
        {.name = "CLBlastChbmv", .slot = &clblast.chbmv},
        {.name = "CLBlastZhbmv", .slot = &clblast.zhbmv},
        {.name = "CLBlastSspmv", .slot = &clblast.sspmv},
        {.name = "CLBlastDspmv", .slot = &clblast.dspmv},
        {.name = "CLBlastChpmv", .slot = &clblast.chpmv},
        {.name = "CLBlastZhpmv", .slot = &clblast.zhpmv},
        {.name = "CLBlastStbmv", .slot = &clblast.tbmv[GBL_S]},
        {.name = "CLBlastDtbmv", .slot = &clblast.tbmv[GBL_D]},
        {.name = "CLBlastCtbmv", .slot = &clblast.tbmv[GBL_C]},
        {.name = "CLBlastZtbmv", .slot = &clblast.tbmv[GBL_Z]},
        {.name = "CLBlastStpmv", .slot = &clblast.tpmv[GBL_S]},
        {.name = "CLBlastDtpmv", .slot = &clblast.tpmv[GBL_D]},
        {.name = "CLBlastCtpmv", .slot = &clblast.tpmv[GBL_C]},
        {.name = "CLBlastZtpmv", .slot = &clblast.tpmv[GBL_Z]},
    };
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
}

/* ---- Calls ---- */

/* A call with its sizes and scalars as CLBlast takes them. */
typedef struct sized {
    gbl_dtype dtype;
    int trans, uplo, diag;
    size_t m, n, kl, ku, lda, offset;
    peer_float2 single, single_beta;
    peer_double2 wide, wide_beta;
    peer_cl_buffer *A, *x, *y;
    peer_cl_object **queue;
} sized;

static sized sized_of(const gbl_matrix_args *a, const clblast_operands *at)
{
    return (sized){.dtype = a->dtype,
                   .trans = (int)a->trans,
                   .uplo = (int)a->uplo,
                   .diag = (int)a->diag,
                   .m = (size_t)a->m,
                   .n = (size_t)a->n,
                   .kl = (size_t)a->kl,
                   .ku = (size_t)a->ku,
                   .lda = (size_t)a->lda,
                   .offset = at->offset,
                   .single = {(float)a->alpha.re, (float)a->alpha.im},
                   .single_beta = {(float)a->beta.re, (float)a->beta.im},
                   .wide = {a->alpha.re, a->alpha.im},
                   .wide_beta = {a->beta.re, a->beta.im},
                   .A = at->A,
                   .x = at->x,
                   .y = at->y,
                   .queue = at->queue};
}

/* The arguments behind the sizes: alpha, A, x, beta, y. */
#define FULL(alpha, beta)                                                                          \
    alpha, c->A, c->offset, c->lda, c->x, 0, 1, beta, c->y, 0, 1, c->queue, NULL
#define PACKED(alpha, beta) alpha, c->A, c->offset, c->x, 0, 1, beta, c->y, 0, 1, c->queue, NULL

static int call_gemv(const sized *c)
{
    if (c->dtype == GBL_S)
        return clblast.sgemv(COLUMN_MAJOR, c->trans, c->m, c->n,
                             FULL(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dgemv(COLUMN_MAJOR, c->trans, c->m, c->n, FULL(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return clblast.cgemv(COLUMN_MAJOR, c->trans, c->m, c->n, FULL(c->single, c->single_beta));
    return clblast.zgemv(COLUMN_MAJOR, c->trans, c->m, c->n, FULL(c->wide, c->wide_beta));
}

static int call_gbmv(const sized *c)
{
    if (c->dtype == GBL_S)
        return clblast.sgbmv(COLUMN_MAJOR, c->trans, c->m, c->n, c->kl, c->ku,
                             FULL(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dgbmv(COLUMN_MAJOR, c->trans, c->m, c->n, c->kl, c->ku,
                             FULL(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return clblast.cgbmv(COLUMN_MAJOR, c->trans, c->m, c->n, c->kl, c->ku,
                             FULL(c->single, c->single_beta));
    return clblast.zgbmv(COLUMN_MAJOR, c->trans, c->m, c->n, c->kl, c->ku,
                         FULL(c->wide, c->wide_beta));
}

static int call_sbmv(const sized *c)
{
    if (c->dtype == GBL_S)
        return clblast.ssbmv(COLUMN_MAJOR, c->uplo, c->n, c->ku,
                             FULL(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dsbmv(COLUMN_MAJOR, c->uplo, c->n, c->ku, FULL(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return clblast.chbmv(COLUMN_MAJOR, c->uplo, c->n, c->ku, FULL(c->single, c->single_beta));
    return clblast.zhbmv(COLUMN_MAJOR, c->uplo, c->n, c->ku, FULL(c->wide, c->wide_beta));
}

static int call_spmv(const sized *c)
{
    if (c->dtype == GBL_S)
        return clblast.sspmv(COLUMN_MAJOR, c->uplo, c->n, PACKED(c->single.re, c->single_beta.re));
    if (c->dtype == GBL_D)
        return clblast.dspmv(COLUMN_MAJOR, c->uplo, c->n, PACKED(c->wide.re, c->wide_beta.re));
    if (c->dtype == GBL_C)
        return clblast.chpmv(COLUMN_MAJOR, c->uplo, c->n, PACKED(c->single, c->single_beta));
    return clblast.zhpmv(COLUMN_MAJOR, c->uplo, c->n, PACKED(c->wide, c->wide_beta));
}

static int call_tbmv(const sized *c)
{
    return clblast.tbmv[c->dtype](COLUMN_MAJOR, c->uplo, c->trans, c->diag, c->n, c->ku, c->A,
                                  c->offset, c->lda, c->x, 0, 1, c->queue, NULL);
}

static int call_tpmv(const sized *c)
{
    return clblast.tpmv[c->dtype](COLUMN_MAJOR, c->uplo, c->trans, c->diag, c->n, c->A, c->offset,
                                  c->x, 0, 1, c->queue, NULL);
}

static const struct {
    const char *stem;
    int (*call)(const sized *c);
    bool hermitian; /* in c and z only Hermitian matrices */
} routines[] = {
    {.stem = "gemv", .call = call_gemv},
    {.stem = "gbmv", .call = call_gbmv},
    {.stem = "tbmv", .call = call_tbmv},
    {.stem = "tpmv", .call = call_tpmv},
    {.stem = "sbmv", .call = call_sbmv, .hermitian = true},
    {.stem = "spmv", .call = call_spmv, .hermitian = true},
};

bool clblast_has_level2(const bench_case *what)
{
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
        if (strcmp(what->op->op->stem, routines[i].stem) == 0)
            return !routines[i].hermitian || what->op->conj || !gbl_dtype_complex(what->dtype);
    return false;
}

int clblast_call_level2(const char *stem, const gbl_matrix_args *call, const clblast_operands *at)
{
    const sized c = sized_of(call, at);
    size_t i = 0;
    while (strcmp(stem, routines[i].stem) != 0) /* clblast_has_level2 said that it is there */
        i++;
    return routines[i].call(&c);
}
