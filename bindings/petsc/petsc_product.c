/* petsc_product.c: products with a Mat by Gable, and what a Mat carries with it for them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On cpu x and y are PETSc's own arrays. On a device they travel: n numbers there and n back per
 * product.
 *
 * The off-diagonal block of a distributed matrix has entries in few of its rows. Where more than
 * half are empty, the product is made with the others alone, and its result added where they are.
 *
 * PETSc's compressed rows serve for the first products. A matrix that stays the same for
 * CONVERT_AFTER of them is converted to the format that the model picks: conversion costs some 15
 * products (docs/sparse.md), and matrices that change with every solve never get there.
 */
#include <petsc/private/petscimpl.h>
#include "petsc_plugin.h"

#define CONVERT_AFTER 100

struct gp_carried {
    gp_rows *rows;
    /* What follows belongs to these rows in this state; it is dropped when they change. */
    const gp_rows *of;
    PetscObjectState state;
    PetscInt products;
    gable_sparse *converted; /* NULL: the rows serve */
    gable_sparse *filled;    /* the rows that have entries, NULL: most have */
    PetscInt filled_count, *filled_row, *filled_start;
    PetscScalar *part; /* of y: an element for each of those */
    gp_buffer x, y;
    char why[256];
    PetscBool told;
};

static PetscErrorCode drop(gp_carried *carried)
{
    gable_context *ctx;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    if (carried->converted != NULL)
        GP_CALL(ctx, gable_sparse_destroy(ctx, carried->converted));
    if (carried->filled != NULL)
        GP_CALL(ctx, gable_sparse_destroy(ctx, carried->filled));
    PetscCall(PetscFree(carried->filled_row));
    PetscCall(PetscFree(carried->filled_start));
    PetscCall(PetscFree(carried->part));
    carried->converted = carried->filled = NULL;
    carried->filled_count = carried->products = 0;
    carried->of = NULL;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode end(void *given)
{
    gp_carried *carried = given;
    PetscFunctionBegin;
    if (carried->of != NULL)
        PetscCall(drop(carried));
    PetscCall(gp_buffer_free(&carried->x));
    PetscCall(gp_buffer_free(&carried->y));
    PetscCall(gp_rows_leave(&carried->rows));
    PetscCall(PetscFree(carried));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_carried_of(Mat A, gp_carried **carried)
{
    PetscContainer container;
    PetscFunctionBegin;
    PetscCall(PetscObjectQuery((PetscObject)A, "gable_carried", (PetscObject *)&container));
    if (container == NULL) {
        PetscCall(PetscNew(carried));
        PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
        PetscCall(PetscContainerSetPointer(container, *carried));
        PetscCall(PetscContainerSetUserDestroy(container, end));
        PetscCall(PetscObjectCompose((PetscObject)A, "gable_carried", (PetscObject)container));
        PetscCall(PetscObjectDereference((PetscObject)container));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(PetscContainerGetPointer(container, (void **)carried));
    PetscFunctionReturn(GP_SUCCESS);
}

gp_rows **gp_carried_rows(gp_carried *carried)
{
    return &carried->rows;
}

/* ---- Few rows with entries ---- */

static PetscErrorCode find_filled(gp_carried *carried)
{
    const gp_rows *rows = carried->rows;
    gable_context *ctx;
    PetscInt count = 0;
    PetscFunctionBegin;
    for (PetscInt i = 0; i < rows->rows; i++)
        count += rows->start[i + 1] > rows->start[i];
    if (2 * count > rows->rows || count == 0)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(gp_context(&ctx));
    PetscCall(PetscMalloc1(count, &carried->filled_row));
    PetscCall(PetscMalloc1(count + 1, &carried->filled_start));
    PetscCall(PetscMalloc1(count, &carried->part));
    carried->filled_count = count;
    for (PetscInt i = 0, k = 0; i < rows->rows; i++) {
        if (rows->start[i + 1] == rows->start[i])
            continue;
        carried->filled_row[k] = i;
        carried->filled_start[k++] = rows->start[i];
    }
    carried->filled_start[count] = rows->entries;
    GP_CALL(ctx,
            GP_SPARSE(csr)(ctx, count, rows->columns, rows->entries, GP_INDEX_BITS,
                           carried->filled_start, rows->column, (const gp_scalar *)rows->values,
                           GABLE_SPARSE_IN_PLACE, &carried->filled));
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- The format ---- */

static PetscErrorCode convert(Mat A, gp_carried *carried, gable_format format)
{
    gable_context *ctx;
    gable_format chosen = format;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    if (format == GABLE_FORMAT_AUTO)
        GP_CALL(ctx, gable_sparse_choose(ctx, carried->rows->matrix, &chosen, carried->why,
                                         sizeof carried->why));
    else
        PetscCall(PetscStrncpy(carried->why, "-mat_gable_format", sizeof carried->why));
    if (chosen != GABLE_CSR)
        GP_CALL(ctx, gable_sparse_convert(ctx, carried->rows->matrix, chosen, 0, 0,
                                          &carried->converted));
    PetscCall(PetscInfo(A, "Gable multiplies in format %d: %s\n", (int)chosen, carried->why));
    PetscFunctionReturn(GP_SUCCESS);
}

/* -1: by the model, once it pays. */
static PetscErrorCode wanted_format(Mat A, int *format)
{
    static const char *const names[] = {"auto", "csr", "coo", "ell", "sell", "hyb"};
    char word[32] = "auto";
    const char *prefix;
    PetscBool given;
    PetscFunctionBegin;
    PetscCall(MatGetOptionsPrefix(A, &prefix));
    PetscCall(PetscOptionsGetString(((PetscObject)A)->options, prefix, "-mat_gable_format", word,
                                    sizeof word, &given));
    for (int i = 0; i < 6; i++) {
        PetscBool same;
        PetscCall(PetscStrcasecmp(word, names[i], &same));
        *format = i == 0 ? -1 : i;
        if (same)
            PetscFunctionReturn(GP_SUCCESS);
    }
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
            "-mat_gable_format %s: it must be auto, csr, coo, ell, sell or hyb", word);
}

static PetscErrorCode prepare(Mat A, gp_carried *carried)
{
    int format;
    PetscFunctionBegin;
    if (carried->of != carried->rows || carried->state != carried->rows->state) {
        if (carried->of != NULL)
            PetscCall(drop(carried));
        carried->of = carried->rows;
        carried->state = carried->rows->state;
        PetscCall(PetscStrncpy(carried->why, "as PETSc has it; converted after some products",
                               sizeof carried->why));
        PetscCall(find_filled(carried));
        PetscCall(wanted_format(A, &format));
        if (format > 0 && carried->filled == NULL)
            PetscCall(convert(A, carried, (gable_format)format));
    }
    if (!carried->told && !gp_on_host()) {
        const double bytes =
            (double)sizeof(PetscScalar) * (double)(carried->rows->rows + carried->rows->columns);
        carried->told = PETSC_TRUE;
        PetscCall(PetscInfo(A,
                            "a product of this matrix on %s moves %g bytes of x and y over the "
                            "link; -ksp_type gablecg, gablebcgs or gablegmres leaves vectors on "
                            "the device for a whole solve\n",
                            gp_device_name(), bytes));
    }
    if (carried->products++ == CONVERT_AFTER && carried->filled == NULL &&
        carried->converted == NULL) {
        PetscCall(wanted_format(A, &format));
        if (format < 0)
            PetscCall(convert(A, carried, GABLE_FORMAT_AUTO));
    }
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- The product ---- */

static PetscErrorCode multiply(gp_carried *carried, gable_sparse *matrix, gable_trans trans,
                               const PetscScalar *x, PetscInt x_count, PetscBool add,
                               PetscScalar *y, PetscInt y_count)
{
    gable_context *ctx;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    if (gp_on_host()) {
        GP_CALL(ctx, GP_SPARSE(mv)(ctx, trans, GP_NUMBER(1), matrix, (const gp_scalar *)x,
                                   add ? GP_NUMBER(1) : GP_NUMBER(0), (gp_scalar *)y));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(gp_buffer_get(&carried->x, x_count));
    PetscCall(gp_buffer_get(&carried->y, y_count));
    PetscCall(gp_to_device(&carried->x, x, x_count));
    if (add)
        PetscCall(gp_to_device(&carried->y, y, y_count));
    GP_CALL(ctx, GP_SPARSE(mv)(ctx, trans, GP_NUMBER(1), matrix, carried->x.address,
                               add ? GP_NUMBER(1) : GP_NUMBER(0), carried->y.address));
    PetscCall(gp_from_device(&carried->y, y, y_count));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode multiply_filled(gp_carried *carried, gable_trans trans, const PetscScalar *x,
                                      PetscBool add, PetscScalar *y)
{
    const PetscInt count = carried->filled_count, *row = carried->filled_row;
    PetscScalar *part = carried->part;
    PetscFunctionBegin;
    if (trans == GABLE_NO_TRANS) {
        PetscCall(multiply(carried, carried->filled, trans, x, carried->rows->columns, PETSC_FALSE,
                           part, count));
        if (!add)
            PetscCall(PetscArrayzero(y, carried->rows->rows));
        for (PetscInt k = 0; k < count; k++)
            y[row[k]] += part[k];
    } else {
        for (PetscInt k = 0; k < count; k++)
            part[k] = x[row[k]];
        PetscCall(
            multiply(carried, carried->filled, trans, part, count, add, y, carried->rows->columns));
    }
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_product(Mat A, gable_trans trans, const PetscScalar *x, PetscBool add,
                          PetscScalar *y)
{
    gp_carried *carried;
    gp_rows *rows;
    PetscFunctionBegin;
    PetscCall(gp_rows_of(A, &rows));
    const PetscInt x_count = trans == GABLE_NO_TRANS ? rows->columns : rows->rows,
                   y_count = trans == GABLE_NO_TRANS ? rows->rows : rows->columns;
    if (rows->entries == 0) { /* also blocks without a row or a column */
        if (!add && y_count > 0)
            PetscCall(PetscArrayzero(y, y_count));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(gp_carried_of(A, &carried));
    PetscCall(prepare(A, carried));
    PetscCall(PetscLogEventBegin(gp_event_product, A, NULL, NULL, NULL));
    if (carried->filled != NULL)
        PetscCall(multiply_filled(carried, trans, x, add, y));
    else
        PetscCall(multiply(carried, carried->converted != NULL ? carried->converted : rows->matrix,
                           trans, x, x_count, add, y, y_count));
    PetscCall(PetscLogFlops(2.0 * (double)rows->entries));
    PetscCall(PetscLogEventEnd(gp_event_product, A, NULL, NULL, NULL));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_product_view(Mat A, PetscViewer viewer)
{
    static const char *const names[] = {"auto", "CSR", "COO", "ELL", "SELL", "HYB"};
    gable_context *ctx;
    gable_sparse_info info;
    gp_carried *carried;
    PetscFunctionBegin;
    PetscCall(gp_carried_of(A, &carried));
    if (carried->of == NULL || carried->of != carried->rows) {
        PetscCall(
            PetscViewerASCIIPrintf(viewer, "Gable: %s, no products so far\n", gp_device_name()));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(gp_context(&ctx));
    gable_sparse *matrix = carried->converted != NULL ? carried->converted
                           : carried->filled != NULL  ? carried->filled
                                                      : carried->rows->matrix;
    GP_CALL(ctx, gable_sparse_describe(ctx, matrix, &info));
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "Gable: %s, format %s (%s), %.0f bytes\n", gp_device_name(), names[info.format],
        carried->filled != NULL ? "the rows that have entries" : carried->why, (double)info.bytes));
    PetscFunctionReturn(GP_SUCCESS);
}
