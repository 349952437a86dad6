/* petsc_rows.c: the entries of a Mat as Gable's matrix, renewed when they change.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * PETSc counts changes of an object, and changes of a matrix's pattern apart from them. The same
 * pattern in the same arrays gets new values; anything else is a new matrix. On cpu PETSc's arrays
 * are used in place, so new values cost nothing but what was made of the old ones.
 */
#include <petsc/private/petscimpl.h>
#include "petsc_plugin.h"

PetscErrorCode gp_rows_local(Mat A, Mat *local)
{
    PetscBool seq, mpi;
    PetscMPIInt ranks;
    PetscFunctionBegin;
    *local = NULL;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)A, MATSEQAIJ, &seq));
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)A, MATMPIAIJ, &mpi));
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)A), &ranks));
    if (seq)
        *local = A;
    else if (mpi && ranks == 1)
        PetscCall(MatMPIAIJGetSeqAIJ(A, local, NULL, NULL));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_rows_leave(gp_rows **rows)
{
    gable_context *ctx;
    PetscFunctionBegin;
    if (*rows != NULL && --(*rows)->users == 0) {
        if ((*rows)->matrix != NULL) {
            PetscCall(gp_context(&ctx));
            GP_CALL(ctx, gable_sparse_destroy(ctx, (*rows)->matrix));
        }
        PetscCall(PetscFree(*rows));
    }
    *rows = NULL;
    PetscFunctionReturn(GP_SUCCESS);
}

/* PETSc's arrays, which stay where they are until A changes. */
static PetscErrorCode look(Mat A, gp_rows *now)
{
    PetscBool done;
    PetscFunctionBegin;
    PetscCall(
        MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &now->rows, &now->start, &now->column, &done));
    PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "Gable needs the compressed rows of a matrix of type %s, which does not show them",
               ((PetscObject)A)->type_name);
    const PetscInt *start = now->start, *column = now->column;
    PetscInt rows = now->rows;
    PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done));
    PetscCall(MatSeqAIJGetArrayRead(A, &now->values));
    const PetscScalar *values = now->values;
    PetscCall(MatSeqAIJRestoreArrayRead(A, &values));
    PetscCall(MatGetSize(A, &now->rows, &now->columns));
    now->entries = now->rows > 0 && now->start != NULL ? now->start[now->rows] : 0;
    PetscCall(MatGetNonzeroState(A, &now->pattern));
    PetscCall(PetscObjectStateGet((PetscObject)A, &now->state));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode make(const gp_rows *now, gp_rows **rows)
{
    static const PetscInt no_rows[1] = {0};
    gable_context *ctx;
    gp_rows *fresh;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    PetscCall(PetscNew(&fresh));
    *fresh = *now;
    fresh->users = 1;
    fresh->matrix = NULL;
    *rows = fresh;
    GP_CALL(ctx,
            GP_SPARSE(csr)(ctx, now->rows, now->columns, now->entries, GP_INDEX_BITS,
                           now->start != NULL ? now->start : no_rows, now->column,
                           (const gp_scalar *)now->values, GABLE_SPARSE_IN_PLACE, &fresh->matrix));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_rows_renew(Mat A, gp_rows **rows)
{
    gable_context *ctx;
    gp_rows now = {0}, *old = *rows;
    PetscFunctionBegin;
    PetscObjectState state;
    PetscCall(PetscObjectStateGet((PetscObject)A, &state));
    if (old != NULL && old->matrix != NULL && old->state == state) {
        const PetscScalar *values; /* another Mat may have taken its place */
        PetscCall(MatSeqAIJGetArrayRead(A, &values));
        const PetscBool same = (PetscBool)(values == old->values);
        PetscCall(MatSeqAIJRestoreArrayRead(A, &values));
        if (same)
            PetscFunctionReturn(GP_SUCCESS);
    }
    PetscBool assembled;
    PetscCall(MatAssembled(A, &assembled));
    PetscCheck(assembled, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the matrix is not assembled");
    PetscCall(PetscLogEventBegin(gp_event_setup, A, NULL, NULL, NULL));
    PetscCall(look(A, &now));
    const PetscBool same_pattern =
        (PetscBool)(old != NULL && old->matrix != NULL && old->pattern == now.pattern &&
                    old->start == now.start && old->column == now.column &&
                    old->values == now.values && old->rows == now.rows &&
                    old->columns == now.columns && old->entries == now.entries);
    if (same_pattern) {
        PetscCall(gp_context(&ctx));
        GP_CALL(ctx, GP_SPARSE(set_values)(ctx, old->matrix, (const gp_scalar *)now.values));
        old->state = now.state;
    } else {
        PetscCall(gp_rows_leave(rows));
        PetscCall(make(&now, rows));
    }
    PetscCall(PetscLogEventEnd(gp_event_setup, A, NULL, NULL, NULL));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_rows_of(Mat A, gp_rows **rows)
{
    gp_carried *carried;
    PetscFunctionBegin;
    PetscCall(gp_carried_of(A, &carried));
    PetscCall(gp_rows_renew(A, gp_carried_rows(carried)));
    *rows = *gp_carried_rows(carried);
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- Solvers that hold rows ---- */

PetscErrorCode gp_solving_end(gp_solving *solving)
{
    gable_context *ctx;
    PetscFunctionBegin;
    if (solving->solver != NULL) {
        PetscCall(gp_context(&ctx));
        GP_CALL(ctx, gable_solver_destroy(solving->solver));
    }
    solving->solver = NULL;
    PetscCall(gp_rows_leave(&solving->rows));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_solving_use(gp_solving *solving, gp_rows *rows)
{
    gable_context *ctx;
    PetscFunctionBegin;
    if (solving->solver != NULL && solving->rows == rows)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(gp_solving_end(solving));
    PetscCall(gp_context(&ctx));
    GP_CALL(ctx, gable_solver_create(ctx, rows->matrix, &solving->solver));
    rows->users++;
    solving->rows = rows;
    PetscFunctionReturn(GP_SUCCESS);
}
