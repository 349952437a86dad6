/* incomplete.c: ILU(0) and IC(0): made, given new values, freed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The entries of A come to the host, where the factorization is made row after row; its arrays then
 * go to the device. Where A has no entry on the diagonal, M has one: elimination may fill it.
 *
 * IC(0) of a positive definite matrix may meet a pivot that is not positive. It is made again of A
 * + shift diag(A), with shifts from LEAST_SHIFT on, each twice the one before, until all pivots are
 * positive (Manteuffel, Math. Comp. 34, 1980): a positive diagonal that is large enough always has
 * an IC(0).
 */
#include <stdio.h>
#include <stdlib.h>
#include "core/launch.h"
#include "core/observe.h"
#include "sparse/matrix/sparse_host.h"
#include "sparse/solver/incomplete.h"

#define LEAST_SHIFT 0.001
#define MOST_SHIFT  1e6 /* rows of a thousand times their diagonals, squared */

/* ---- Memory ---- */

static void free_half(gable_solver *solver, gbl_factor_half *half)
{
    const bool far = !solver->ctx->device->props.is_host;
    const void *const host[] = {half->host.start, half->host.column, half->host.value,
                                half->host.order, half->at,          half->level,
                                half->phase};
    const void *const device[] = {half->device.start, half->device.column, half->device.value,
                                  half->device.order, half->device_level,  half->device_phase};
    for (size_t i = 0; i < sizeof device / sizeof device[0] && far; i++)
        if (device[i] != NULL)
            gable_free(solver->ctx, (void *)(uintptr_t)device[i]);
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++)
        free((void *)(uintptr_t)host[i]);
}

void gbl_factor_free(gable_solver *solver)
{
    struct gbl_factor *f = solver->factor;
    if (f == NULL)
        return;
    free_half(solver, &f->lower);
    free_half(solver, &f->upper);
    if (!solver->ctx->device->props.is_host) {
        if (f->device_inverse != NULL)
            gable_free(solver->ctx, f->device_inverse);
        if (f->counter != NULL)
            gable_free(solver->ctx, f->counter);
    }
    free(f->inverse);
    free(f);
    solver->factor = NULL;
}

/* *there := a copy of `count` elements on the device; the same memory where it is there already. */
static gable_status send(gable_context *ctx, const void *here, int64_t count, size_t bytes,
                         const void **there)
{
    void *room = (void *)(uintptr_t)*there;
    if (room == NULL)
        TRY(gable_alloc(ctx, (size_t)(count + 1) * bytes, &room));
    *there = room;
    return gable_set_vector(ctx, count, bytes, here, 1, room, 1);
}

static gable_status send_pattern(gable_context *ctx, const struct gbl_factor *f,
                                 gbl_factor_half *half)
{
    const size_t index = (size_t)f->index_bytes;
    const void *level = NULL, *phase = NULL;
    TRY(send(ctx, half->host.start, f->n + 1, index, &half->device.start));
    TRY(send(ctx, half->host.column, half->entries, index, &half->device.column));
    TRY(send(ctx, half->host.order, f->n, index, &half->device.order));
    gable_status status = send(ctx, half->level, half->levels + 1, sizeof *half->level, &level);
    half->device_level = (void *)(uintptr_t)level;
    if (status == GABLE_OK)
        status = send(ctx, half->phase, 3 * half->phases, sizeof(int64_t), &phase);
    half->device_phase = (void *)(uintptr_t)phase;
    return status;
}

static gable_status send_values(gable_context *ctx, struct gbl_factor *f)
{
    const size_t element = gbl_dtype_bytes(f->dtype);
    const void *inverse = f->device_inverse;
    TRY(send(ctx, f->lower.host.value, f->lower.entries, element, &f->lower.device.value));
    TRY(send(ctx, f->upper.host.value, f->upper.entries, element, &f->upper.device.value));
    const gable_status status = send(ctx, f->inverse, f->n, element, &inverse);
    f->device_inverse = (void *)(uintptr_t)inverse;
    return status;
}

/* ---- Making ---- */

static gable_status make_pattern(gable_solver *solver, const gbl_sparse_host *A)
{
    gable_context *ctx = solver->ctx;
    struct gbl_factor *f = calloc(1, sizeof *f);
    if (f == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for an incomplete factorization");
    solver->factor = f;
    f->hermitian = solver->precond == GBL_PRECOND_IC0;
    f->n = solver->n;
    f->index_bytes = A->index_bytes;
    f->dtype = solver->dtype;
    TRY(gbl_factor_pattern(solver, f, A->start, A->column));
    TRY(gbl_sparse_room(ctx, f->n, gbl_dtype_bytes(f->dtype), &f->inverse));
    if (ctx->device->props.is_host) {
        f->lower.device = f->lower.host;
        f->upper.device = f->upper.host;
        f->device_inverse = f->inverse;
        return GABLE_OK;
    }
    TRY(send_pattern(ctx, f, &f->lower));
    TRY(send_pattern(ctx, f, &f->upper));
    return gbl_factor_kernels(solver, f);
}

/* The numbers, with `work` for a row of them and a mark per row. */
static void factor(struct gbl_factor *f, const gbl_sparse_host *A, void *work)
{
    static const gbl_task_function tasks[] = GBL_CPU_FOUR(factor_make);
    gbl_cpu_factor_args args = {.n = f->n,
                                .index_bytes = f->index_bytes,
                                .hermitian = f->hermitian,
                                .start = A->start,
                                .column = A->column,
                                .value = A->values,
                                .lower = f->lower.host,
                                .upper = f->upper.host,
                                .lower_at = f->lower.at,
                                .upper_at = f->upper.at,
                                .inverse = f->inverse,
                                .mark = work,
                                .work = (char *)work + (size_t)f->n * sizeof(int64_t),
                                .result = &f->result};
    f->shift = 0;
    tasks[f->dtype](NULL, NULL, &args, NULL);
    while (f->result.fault == GBL_FACTOR_PIVOT && f->hermitian && f->shift < MOST_SHIFT) {
        f->shift = f->shift > 0 ? 2 * f->shift : LEAST_SHIFT;
        args.shift = f->shift;
        tasks[f->dtype](NULL, NULL, &args, NULL);
    }
}

static gable_status make(gable_solver *solver, const gbl_sparse_host *A)
{
    gable_context *ctx = solver->ctx;
    void *work;
    if (solver->factor == NULL)
        TRY(make_pattern(solver, A));
    TRY(gbl_sparse_room(ctx, solver->n, sizeof(int64_t) + gbl_dtype_bytes(solver->dtype), &work));
    factor(solver->factor, A, work);
    free(work);
    if (ctx->device->props.is_host || solver->factor->result.fault != GBL_FACTOR_GOOD)
        return GABLE_OK;
    return send_values(ctx, solver->factor);
}

gable_status gbl_factor_make(gable_solver *solver)
{
    gable_context *ctx = solver->ctx;
    const double bytes = (double)gbl_sparse_memory(&solver->layout);
    const gbl_span span = {.kind = GBL_EVENT_WORK,
                           .name =
                               solver->precond == GBL_PRECOND_IC0 ? "ic0_factor" : "ilu0_factor",
                           .typed = true,
                           .dtype = solver->dtype,
                           .class = gbl_span_class(2 * bytes),
                           .bytes = 2 * bytes};
    gbl_sparse_host A;
    gbl_span_begin(ctx, &span);
    gable_status status = gbl_sparse_fetch(ctx, solver->A, &A);
    if (status == GABLE_OK) {
        status = make(solver, &A);
        gbl_sparse_host_free(&A);
    }
    return gbl_span_end(ctx, &span, status);
}

/* ---- What came out ---- */

bool gbl_factor_failed(const gable_solver *solver)
{
    return solver->factor != NULL && solver->factor->result.fault != GBL_FACTOR_GOOD;
}

gable_outcome gbl_factor_outcome(const gable_solver *solver)
{
    switch (solver->factor->result.fault) {
    case GBL_FACTOR_NOT_FINITE:
        return GABLE_NOT_FINITE;
    case GBL_FACTOR_DIAGONAL:
        return GABLE_NOT_DEFINITE;
    default:
        return solver->factor->hermitian ? GABLE_NOT_DEFINITE : GABLE_BREAKDOWN;
    }
}

void gbl_factor_text(const gable_solver *solver, char *text, size_t bytes)
{
    const struct gbl_factor *f = solver->factor;
    const char *name = f->hermitian ? "ic0" : "ilu0";
    const long long row = f->result.row + 1;
    switch (f->result.fault) {
    case GBL_FACTOR_NOT_FINITE:
        snprintf(text, bytes, "%s meets NaN or Inf in row %lld (counted from 1)", name, row);
        return;
    case GBL_FACTOR_DIAGONAL:
        snprintf(text, bytes,
                 "%s needs a positive diagonal, and the one of row %lld (counted from 1) is not",
                 name, row);
        return;
    case GBL_FACTOR_PIVOT:
        snprintf(text, bytes, "the pivot of %s in row %lld (counted from 1) is 0 or nearly 0", name,
                 row);
        return;
    default:
        text[0] = '\0';
        if (f->shift > 0)
            snprintf(text, bytes, "; ic0 is of A + %.3g diag(A)", f->shift);
    }
}

double gbl_factor_bytes(const gable_solver *solver)
{
    const struct gbl_factor *f = solver->factor;
    if (f == NULL)
        return 0;
    const double element = (double)gbl_dtype_bytes(f->dtype), index = (double)f->index_bytes;
    const double orders = f->lower.host.order != NULL ? 2 * index : 0;
    /* x, y written by L, read and written by U, and the pivots. */
    return (double)(f->lower.entries + f->upper.entries) * (element + index) +
           (double)f->n * (5 * element + 2 * index + orders);
}

double gbl_factor_flops(const gable_solver *solver)
{
    const struct gbl_factor *f = solver->factor;
    const double parts = gbl_dtype_complex(solver->dtype) ? 4 : 1;
    return f == NULL ? 0
                     : parts * (2 * (double)(f->lower.entries + f->upper.entries) + (double)f->n);
}
