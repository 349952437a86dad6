/* predict_door.c: the door to the model: how long a routine should take, in device memory and
 * in host memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "gable/prediction.h"
#include "blas/level3/level3.h"
#include "core/context.h"
#include "core/copy_team.h"
#include "core/observe.h"
#include "host/host_lapack.h"
#include "model/predict.h"

#define APART_BITS 40 /* of pretended operands: no two of them meet */

/* How the sizes of a routine stand for its matrices. */
typedef enum form { PRODUCT, RANK_K, RANK_2K, ONE_SIDE, TRIANGLE } form;

static const struct routine {
    const char *stem;
    gbl_host_kind kind;
    form form;
    bool triangle, hermitian;
} routines[] = {
    {.stem = "gemm", .kind = GBL_HOST_GEMM, .form = PRODUCT},
    {.stem = "gemmt", .kind = GBL_HOST_GEMMT, .form = PRODUCT, .triangle = true},
    {.stem = "symm", .kind = GBL_HOST_SYMM, .form = ONE_SIDE},
    {.stem = "hemm", .kind = GBL_HOST_SYMM, .form = ONE_SIDE, .hermitian = true},
    {.stem = "syrk", .kind = GBL_HOST_SYRK, .form = RANK_K, .triangle = true},
    {.stem = "herk", .kind = GBL_HOST_SYRK, .form = RANK_K, .triangle = true, .hermitian = true},
    {.stem = "syr2k", .kind = GBL_HOST_SYR2K, .form = RANK_2K, .triangle = true},
    {.stem = "her2k", .kind = GBL_HOST_SYR2K, .form = RANK_2K, .triangle = true, .hermitian = true},
    {.stem = "trmm", .kind = GBL_HOST_TRMM, .form = TRIANGLE},
    {.stem = "trsm", .kind = GBL_HOST_TRSM, .form = TRIANGLE},
};

static const struct routine *find(const char *name, gbl_dtype *dtype)
{
    static const char letters[] = "sdcz";
    const char *const letter = name[0] != '\0' ? strchr(letters, name[0]) : NULL;
    if (letter == NULL)
        return NULL;
    *dtype = (gbl_dtype)(letter - letters);
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
        if (strcmp(routines[i].stem, name + 1) == 0)
            return routines[i].hermitian && !gbl_dtype_complex(*dtype) ? NULL : &routines[i];
    return NULL;
}

/* The call with A, B and C on addresses as aligned as an allocation's, without gaps. */
static gbl_product_call make_call(const struct routine *routine, gbl_dtype dtype, gable_side side,
                                  int64_t m, int64_t n, int64_t k, bool reads_c)
{
    const int64_t order = side == GABLE_RIGHT ? n : m;
    gbl_product_call call = {.dtype = dtype,
                             .trans = GABLE_NO_TRANS,
                             .m = routine->triangle ? n : m,
                             .n = n,
                             .conj = routine->hermitian,
                             .alpha = {.re = 1},
                             .A = (void *)((uintptr_t)1 << APART_BITS),
                             .B = (void *)((uintptr_t)2 << APART_BITS)};
    call.lda = call.m;
    call.ldb = call.ldc = call.m;
    if (routine->form != TRIANGLE) {
        call.C = (void *)((uintptr_t)3 << APART_BITS);
        call.beta.re = reads_c;
    }
    if (routine->form == PRODUCT) {
        call.trans_b = GABLE_NO_TRANS;
        call.ldb = k > 0 ? k : 1;
    }
    if (routine->form == PRODUCT || routine->form == RANK_K || routine->form == RANK_2K)
        call.k = k;
    else
        call.side = side, call.lda = order;
    if (routine->form == RANK_K)
        call.B = NULL, call.ldb = 0;
    if (routine->form == TRIANGLE)
        call.diag = GABLE_NON_UNIT, call.ldc = 0;
    if (routine->form != PRODUCT || routine->triangle)
        call.uplo = GABLE_LOWER;
    if (routine->hermitian) {
        call.real_alpha = routine->form == RANK_K;
        call.real_beta = routine->form == RANK_K || routine->form == RANK_2K;
    }
    return call;
}

/* A device that addresses all host memory, as cpu does, copies nothing. */
static bool reaches_all(gable_context *ctx)
{
    return ctx->device->table->where(ctx->device, &ctx) != GBL_AT_HOST;
}

/* By the standard door. */
static double host_seconds_of(gable_context *ctx, gbl_host_kind kind, const gbl_product_call *call,
                              const gbl_roofs *roofs)
{
    const gbl_host_call host = {.kind = kind, .call = *call};
    return reaches_all(ctx) ? gbl_host_cpu_seconds(&host, roofs)
                            : gbl_host_device_seconds(&host, roofs, gbl_copy_team_size());
}

/* ---- Routines of LAPACK ---- */

static bool has_operand(const gbl_op *op, gbl_kind kind, uint16_t at)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i].kind == kind && (at == 0 || op->operands[i].at == at))
            return true;
    return false;
}

static void set_flag(gbl_product_call *call, uint16_t at, int flag)
{
    memcpy((char *)call + at, &flag, sizeof flag);
}

/* How many sizes a routine has: m and n, or an order alone; right-hand sides, reflectors, or a
 * number of eigenvalues. */
typedef struct sizes {
    bool square, system, third, ranged, sided;
} sizes;

static sizes sizes_of(const gbl_op *op)
{
    const bool driver = has_operand(op, GBL_JOB, 0),
               third = has_operand(op, GBL_WIDTH, PRODUCT_AT(k)),
               system = !third && !driver && has_operand(op, GBL_MATRIX, PRODUCT_AT(B));
    return (sizes){.square = system || has_operand(op, GBL_ORDER, 0),
                   .system = system,
                   .third = third,
                   .ranged = has_operand(op, GBL_RANGE, 0),
                   .sided = has_operand(op, GBL_SIDE, 0)};
}

/* The job of vectors in the shape of the matrix; without them that of none. */
static int job_of(const gbl_operand *operand, bool vectors)
{
    return !vectors                                        ? GABLE_NO_VECTORS
           : gbl_is_legal_job(operand, GABLE_SOME_VECTORS) ? GABLE_SOME_VECTORS
                                                           : GABLE_VECTORS;
}

/* A legal call from its description, with arrays apart from each other and without gaps. */
static gbl_product_call make_lapack_call(const gbl_op *op, gbl_dtype dtype, gable_side side,
                                         int64_t m, int64_t n, int64_t k, bool vectors)
{
    const sizes has = sizes_of(op);
    gbl_product_call call = {.dtype = dtype,
                             .m = has.square ? n : m,
                             .n = has.system ? k : n,
                             .k = has.third ? k : 0,
                             .side = has.sided ? side : 0,
                             .ilo = has.ranged,
                             .ihi = has.ranged ? k : 0};
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *const operand = &op->operands[i];
        if (operand->kind == GBL_JOB)
            set_flag(&call, operand->at, job_of(operand, vectors));
        else if (operand->kind == GBL_ANY && operand->at == PRODUCT_AT(k))
            call.k = 1; /* itype */
        else if (operand->kind == GBL_RANGE)
            set_flag(&call, operand->at, k < n ? GABLE_RANGE_INDICES : GABLE_RANGE_ALL);
    }
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *const operand = &op->operands[i];
        const uintptr_t address = (uintptr_t)(i + 1) << APART_BITS;
        if (operand->kind == GBL_UPLO)
            set_flag(&call, operand->at, GABLE_LOWER);
        else if (operand->kind == GBL_TRANS)
            set_flag(&call, operand->at, GABLE_NO_TRANS);
        else if (operand->kind == GBL_DIAG)
            set_flag(&call, operand->at, GABLE_NON_UNIT);
        else if (gbl_is_address(operand))
            memcpy((char *)&call + operand->at, &address, sizeof address);
        if (operand->kind == GBL_MATRIX) {
            const int64_t rows = operand->rows(&call) > 0 ? operand->rows(&call) : 1;
            memcpy((char *)&call + operand->step, &rows, sizeof rows);
        }
    }
    return call;
}

static const gbl_host_routine *find_lapack(const char *name, gbl_dtype *dtype)
{
    static const char letters[] = "sdcz";
    const char *const letter = name[0] != '\0' ? strchr(letters, name[0]) : NULL;
    if (letter == NULL)
        return NULL;
    *dtype = (gbl_dtype)(letter - letters);
    /* Orthogonal and symmetric matrices of real numbers, unitary and Hermitian ones of complex
     * ones. */
    if (strncmp(name + 1, gbl_dtype_complex(*dtype) ? "or" : "un", 2) == 0 ||
        strncmp(name + 1, gbl_dtype_complex(*dtype) ? "sy" : "he", 2) == 0)
        return NULL;
    return gbl_host_routine_find(name + 1);
}

/* ---- The door ---- */

/* The time on the device by what is chosen for the call; NULL: nobody asks. */
static gable_status device_seconds(gable_context *ctx, const gbl_op *op,
                                   const gbl_product_call *call, const gbl_roofs *roofs,
                                   double *seconds)
{
    gbl_choice choice = {.variant = NULL};
    gbl_prediction prediction;
    const gbl_situation situation = {.replayed = false};
    if (seconds == NULL)
        return GABLE_OK;
    TRY(gbl_op_choose(ctx, op, call, &choice));
    gbl_predict_call(ctx->device, op, call, &choice, roofs, &situation, &prediction);
    *seconds = prediction.seconds;
    return GABLE_OK;
}

static gable_status predict_lapack(gable_context *ctx, const gbl_host_routine *routine,
                                   gbl_dtype dtype, gable_side side, int64_t m, int64_t n,
                                   int64_t k, bool vectors, double *seconds, double *host_seconds)
{
    const sizes has = sizes_of(routine->op);
    gbl_roofs roofs;
    CHECK_ARG(ctx, !has.sided || side == GABLE_LEFT || side == GABLE_RIGHT, 3, "side",
              "is %d; it must be GABLE_LEFT or GABLE_RIGHT", (int)side);
    CHECK_ARG(ctx, has.square || m > 0, 4, "m", "is %lld; it must be at least 1", (long long)m);
    CHECK_ARG(ctx, n > 0, 5, "n", "is %lld; it must be at least 1", (long long)n);
    CHECK_ARG(ctx, !(has.system || has.third || has.ranged) || k > 0, 6, "k",
              "is %lld; it must be at least 1", (long long)k);
    CHECK_ARG(ctx, !has.ranged || k <= n, 6, "k", "is %lld; it must be at most n, which is %lld",
              (long long)k, (long long)n);
    const gbl_product_call call = make_lapack_call(routine->op, dtype, side, m, n, k, vectors);
    if (routine->op->rules != NULL)
        TRY(routine->op->rules(ctx, &call));
    gbl_roofs_get(ctx->device, &roofs);
    TRY(device_seconds(ctx, routine->op, &call, &roofs, seconds));
    gbl_host_times times;
    TRY(gbl_host_lapack_times(ctx, routine, &call, &roofs, &roofs, gbl_copy_team_size(), &times));
    *host_seconds = reaches_all(ctx) ? times.cpu : times.device;
    return GABLE_OK;
}

gable_status gable_predict(gable_context *ctx, const char *routine, gable_side side, int64_t m,
                           int64_t n, int64_t k, int reads_c, double *seconds, double *host_seconds)
{
    gbl_dtype dtype = GBL_S;
    gbl_roofs roofs;
    TRY(gbl_enter(ctx, "gable_predict"));
    CHECK_ARG(ctx, routine != NULL, 2, "routine", "is NULL");
    const struct routine *const known = find(routine, &dtype);
    const gbl_host_routine *const lapack = find_lapack(routine, &dtype);
    CHECK_ARG(ctx, known != NULL || lapack != NULL, 2, "routine",
              "is \"%.32s\"; it must be one with a host name, such as \"dgemm\" or \"dgetrf\"",
              routine);
    CHECK_ARG(ctx, host_seconds != NULL, 9, "host_seconds", "is NULL");
    if (lapack != NULL)
        return predict_lapack(ctx, lapack, dtype, side, m, n, k, reads_c != 0, seconds,
                              host_seconds);
    const bool sided = known->form == ONE_SIDE || known->form == TRIANGLE;
    CHECK_ARG(ctx, !sided || side == GABLE_LEFT || side == GABLE_RIGHT, 3, "side",
              "is %d; it must be GABLE_LEFT or GABLE_RIGHT", (int)side);
    CHECK_ARG(ctx, known->triangle || m > 0, 4, "m", "is %lld; it must be at least 1",
              (long long)m);
    CHECK_ARG(ctx, n > 0, 5, "n", "is %lld; it must be at least 1", (long long)n);
    CHECK_ARG(ctx, sided || k > 0, 6, "k", "is %lld; it must be at least 1", (long long)k);

    const gbl_product_call call =
        make_call(known, dtype, sided ? side : 0, m, n, sided ? 0 : k, reads_c != 0);
    const gbl_op *const op = gbl_host_op(known->kind);
    gbl_roofs_get(ctx->device, &roofs);
    TRY(device_seconds(ctx, op, &call, &roofs, seconds));
    *host_seconds = host_seconds_of(ctx, known->kind, &call, &roofs);
    return GABLE_OK;
}
