/* petsc_pc.c: the preconditioner type gable: Gable's preconditioners for any KSP of PETSc's.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On one rank, or as the solver of blocks on many: -pc_type bjacobi -sub_pc_type gable. It has rows
 * of its own, which only PCSetUp renews, so that KSPSetReusePreconditioner keeps what was made.
 */
#include <math.h>
#include <string.h>
#include <petsc/private/pcimpl.h>
#include "petsc_plugin.h"

typedef struct gp_pc {
    gp_rows *rows;
    gp_solving solving;
    PetscInt n;
    gp_buffer x, y;
    PetscBool lost;  /* its factors cannot be made */
    char words[256]; /* -pc_gable_options */
} gp_pc;

PetscErrorCode gp_pc_words(PC pc, char *words, size_t bytes)
{
    const gp_pc *own = pc->data;
    Mat A;
    PetscInt block;
    PetscFunctionBegin;
    PetscCall(PCGetOperators(pc, NULL, &A));
    PetscCall(MatGetBlockSize(A, &block));
    PetscCall(PetscSNPrintf(
        words, bytes, "precond=%s,block=%d%s%s", block > 1 && block <= 32 ? "block" : "jacobi",
        block > 1 && block <= 32 ? (int)block : 4, own->words[0] != '\0' ? "," : "", own->words));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscBool gp_words_factor(const char *words)
{
    const char *last = NULL;
    for (const char *at = words; (at = strstr(at, "precond=")) != NULL;)
        last = at += strlen("precond=");
    return (PetscBool)(last != NULL &&
                       (strncmp(last, "ilu0", 4) == 0 || strncmp(last, "ic0", 3) == 0));
}

/* *lost: the factors cannot be made. NULL: that is an error. */
static PetscErrorCode apply(gp_pc *own, const PetscScalar *x, PetscScalar *y, PetscBool *lost)
{
    gable_context *ctx;
    const void *from = x;
    void *to = y;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    if (own->n == 0)
        PetscFunctionReturn(GP_SUCCESS);
    if (!gp_on_host()) {
        PetscCall(gp_to_device(&own->x, x, own->n));
        from = own->x.address;
        to = own->y.address;
    }
    const int threads = gp_threads_begin();
    const gable_status status = gable_solver_apply(own->solving.solver, from, to);
    gp_threads_end(threads);
    if (lost != NULL && status == GABLE_NOT_SUPPORTED) {
        *lost = PETSC_TRUE;
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCheck(status == GABLE_OK, PETSC_COMM_SELF, gp_error(status), "Gable: %s",
               gable_message(ctx));
    if (!gp_on_host())
        PetscCall(gp_from_device(&own->y, y, own->n));
    PetscFunctionReturn(GP_SUCCESS);
}

/* Where the factors are lost y is Inf, as PETSc's are: every rank learns of it by the next norm. */
static PetscErrorCode PCApply_Gable(PC pc, Vec x, Vec y)
{
    gp_pc *own = pc->data;
    const PetscScalar *from;
    PetscScalar *to;
    PetscFunctionBegin;
    if (own->lost) {
        PetscCall(VecSet(y, (PetscScalar)INFINITY)); /* PETSc's is finite */
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(PetscLogEventBegin(gp_event_precond, pc, x, y, NULL));
    PetscCall(VecGetArrayRead(x, &from));
    PetscCall(VecGetArrayWrite(y, &to));
    const PetscErrorCode error = apply(own, from, to, NULL);
    PetscCall(VecRestoreArrayWrite(y, &to));
    PetscCall(VecRestoreArrayRead(x, &from));
    PetscCall(error);
    PetscCall(PetscLogFlops((double)own->n));
    PetscCall(PetscLogEventEnd(gp_event_precond, pc, x, y, NULL));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode PCReset_Gable(PC pc)
{
    gp_pc *own = pc->data;
    PetscFunctionBegin;
    own->lost = PETSC_FALSE;
    PetscCall(gp_solving_end(&own->solving));
    PetscCall(gp_rows_leave(&own->rows));
    PetscCall(gp_buffer_free(&own->x));
    PetscCall(gp_buffer_free(&own->y));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_pc_lost(PC pc, const gp_rows *rows)
{
    PCFailedReason why = PC_FACTOR_NUMERIC_ZEROPIVOT;
    gable_context *ctx;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    PetscCheck(!pc->erroriffailure, PETSC_COMM_SELF, PETSC_ERR_MAT_LU_ZRPVT, "Gable: %s",
               gable_message(ctx));
    PetscCall(PetscInfo(pc, "Gable: %s\n", gable_message(ctx)));
    for (PetscInt i = 0; i < rows->entries; i++)
        if (PetscIsInfOrNanScalar(rows->values[i]))
            why = PC_FACTOR_OTHER;
    PetscCall(PCSetFailedReason(pc, why));
    PetscFunctionReturn(GP_SUCCESS);
}

/* The preconditioner is made at its first application: here, so that PCSetUp has the time and the
 * errors. */
static PetscErrorCode make_now(PC pc, const char *words)
{
    gp_pc *own = pc->data;
    PetscScalar *both;
    const PetscBool factors = gp_words_factor(words);
    PetscFunctionBegin;
    own->lost = PETSC_FALSE;
    PetscCall(PCSetFailedReason(pc, PC_NOERROR));
    PetscCall(PetscCalloc1(2 * own->n, &both));
    const PetscErrorCode error = apply(own, both, both + own->n, factors ? &own->lost : NULL);
    PetscCall(PetscFree(both));
    PetscCall(error);
    if (own->lost)
        PetscCall(gp_pc_lost(pc, own->rows));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode PCSetUp_Gable(PC pc)
{
    gp_pc *own = pc->data;
    gable_context *ctx;
    char words[320], all[352];
    Mat A;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    PetscCall(gp_rows_local(pc->pmat, &A));
    PetscMPIInt ranks;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)pc), &ranks));
    PetscCheck(ranks == 1, PetscObjectComm((PetscObject)pc), PETSC_ERR_SUP,
               "-pc_type gable works on one rank, and these are %d: use -pc_type bjacobi "
               "-sub_pc_type gable, or asm in place of bjacobi",
               ranks);
    PetscCheck(A != NULL, PetscObjectComm((PetscObject)pc), PETSC_ERR_SUP,
               "-pc_type gable needs a matrix of a type made of aij, not %s",
               ((PetscObject)pc->pmat)->type_name);
    PetscCall(gp_rows_renew(A, &own->rows));
    own->n = own->rows->rows;
    PetscCheck(own->rows->rows == own->rows->columns, PetscObjectComm((PetscObject)pc),
               PETSC_ERR_ARG_SIZ, "-pc_type gable needs a square matrix");
    if (!gp_on_host()) {
        PetscCall(gp_buffer_get(&own->x, own->n));
        PetscCall(gp_buffer_get(&own->y, own->n));
    }
    PetscCall(gp_solving_use(&own->solving, own->rows));
    PetscCall(gp_pc_words(pc, words, sizeof words));
    PetscCall(PetscSNPrintf(all, sizeof all, "method=cg,%s", words)); /* none has to be found out */
    GP_CALL(ctx, gable_solver_set(own->solving.solver, all));
    PetscCall(make_now(pc, words));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode PCSetFromOptions_Gable(PC pc, gp_options PetscOptionsObject)
{
    gp_pc *own = pc->data;
    PetscFunctionBegin;
    PetscOptionsHeadBegin(PetscOptionsObject, "Gable options");
    PetscCall(PetscOptionsString("-pc_gable_options", "words for gable_solver_set", "none",
                                 own->words, own->words, sizeof own->words, NULL));
    PetscOptionsHeadEnd();
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode PCView_Gable(PC pc, PetscViewer viewer)
{
    char words[320];
    PetscBool ascii;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
    if (!ascii || pc->pmat == NULL)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(gp_pc_words(pc, words, sizeof words));
    PetscCall(PetscViewerASCIIPrintf(viewer, "  Gable: %s, %s\n", gp_device_name(), words));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode PCDestroy_Gable(PC pc)
{
    PetscFunctionBegin;
    PetscCall(PCReset_Gable(pc));
    PetscCall(PetscFree(pc->data));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode PCCreate_Gable(PC pc)
{
    gp_pc *own;
    PetscFunctionBegin;
    PetscCall(PetscNew(&own));
    pc->data = own;
    pc->ops->apply = PCApply_Gable;
    pc->ops->setup = PCSetUp_Gable;
    pc->ops->reset = PCReset_Gable;
    pc->ops->destroy = PCDestroy_Gable;
    pc->ops->setfromoptions = PCSetFromOptions_Gable;
    pc->ops->view = PCView_Gable;
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_pc_register(void)
{
    PetscFunctionBegin;
    PetscCall(PCRegister(GP_PC, PCCreate_Gable));
    PetscFunctionReturn(GP_SUCCESS);
}
