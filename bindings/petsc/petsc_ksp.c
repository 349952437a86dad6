/* petsc_ksp.c: the KSP types gablecg, gablebcgs and gablegmres: a whole solve by Gable.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One rank. b and x are PETSc's arrays on cpu and travel once on devices. Gable tells of iterations
 * in batches (docs/sparse.md): monitors and a convergence test of the program's own hear of each
 * one, in order, and what they decide takes effect at the end of what is enqueued.
 *
 * PETSc's default test is Gable's own: |r| <= ttol, which KSPConvergedDefault has computed at
 * iteration 0. But Gable calls a system solved by the true residual only.
 *
 * A null space needs no care in fused iterations: in exact arithmetic what M^-1 adds of it to a
 * direction changes no product with A. So it is removed from x at the end, and from what a PC of
 * PETSc's gives.
 */
#include <math.h>
#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>
#include "petsc_plugin.h"

typedef struct gp_ksp {
    const char *method;
    PetscInt restart;
    char words[256]; /* -ksp_gable_options */
    gp_solving solving;
    gable_solver *shell; /* of a matrix without compressed rows */
    PetscInt shell_n;
    gp_buffer b, x;        /* on a device */
    Vec in, out;           /* of functions that are called back; NULL: not needed so far */
    gable_solve_info info; /* of the last solve */
    char precond[64];      /* what it took of the PC, for KSPView */
    PetscObjectState made; /* of P, when PETSc's Jacobi was made */
    struct {
        char words[768]; /* "": none so far */
        PetscObjectState state;
        PetscBool good;
    } factors; /* that were made, or could not be, for these rows */
    /* While it solves. */
    PetscBool solving_now, own_test, failed_pc;
    PetscBool named;      /* -ksp_gable_options has a preconditioner: the PC is not used */
    PetscErrorCode error; /* of a function that was called back */
    PetscReal norm_b;
} gp_ksp;

/* ---- Functions that are called back ---- */

/* Lends vectors of Gable's to a function of PETSc's on vectors. */
static PetscErrorCode with_vectors(KSP ksp, gable_context *ctx, const void *x, void *y,
                                   PetscErrorCode (*function)(KSP, Vec, Vec))
{
    gp_ksp *own = ksp->data;
    PetscInt n;
    PetscFunctionBegin;
    PetscCall(VecGetLocalSize(own->in, &n));
    if (gp_on_host()) {
        PetscCall(VecPlaceArray(own->in, x));
        PetscCall(VecPlaceArray(own->out, y));
        const PetscErrorCode error = (*function)(ksp, own->in, own->out);
        PetscCall(VecResetArray(own->out)); /* the program may go on behind an error */
        PetscCall(VecResetArray(own->in));
        PetscCall(error);
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscScalar *to;
    const PetscScalar *from;
    PetscCall(VecGetArrayWrite(own->in, &to));
    gable_status status = gable_get_vector(ctx, n, sizeof(PetscScalar), x, 1, to, 1);
    PetscCall(VecRestoreArrayWrite(own->in, &to));
    GP_CALL(ctx, status);
    PetscCall((*function)(ksp, own->in, own->out));
    PetscCall(VecGetArrayRead(own->out, &from));
    status = gable_set_vector(ctx, n, sizeof(PetscScalar), from, 1, y, 1);
    PetscCall(VecRestoreArrayRead(own->out, &from));
    GP_CALL(ctx, status);
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode multiply(KSP ksp, Vec x, Vec y)
{
    Mat A;
    PetscFunctionBegin;
    PetscCall(PCGetOperators(ksp->pc, &A, NULL));
    PetscCall(MatMult(A, x, y));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode precondition(KSP ksp, Vec x, Vec y)
{
    gp_ksp *own = ksp->data;
    PCFailedReason why;
    MatNullSpace null;
    Mat A;
    PetscFunctionBegin;
    PetscCall(PCApply(ksp->pc, x, y));
    PetscCall(PCGetOperators(ksp->pc, &A, NULL));
    PetscCall(MatGetNullSpace(A, &null));
    if (null != NULL) /* coarse solves of multigrid may return much of it */
        PetscCall(MatNullSpaceRemove(null, y));
    PetscCall(PCGetFailedReason(ksp->pc, &why));
    own->failed_pc = (PetscBool)(why != PC_NOERROR);
    PetscFunctionReturn(GP_SUCCESS);
}

static gable_status call_multiply(void *user, gable_context *ctx, const void *x, void *y)
{
    KSP ksp = user;
    gp_ksp *own = ksp->data;
    own->error = with_vectors(ksp, ctx, x, y, multiply);
    return own->error == GP_SUCCESS ? GABLE_OK : GABLE_INTERNAL;
}

static gable_status call_precondition(void *user, gable_context *ctx, const void *x, void *y)
{
    KSP ksp = user;
    gp_ksp *own = ksp->data;
    own->error = with_vectors(ksp, ctx, x, y, precondition);
    return own->error == GP_SUCCESS && !own->failed_pc ? GABLE_OK : GABLE_INTERNAL;
}

/* An iteration has ended. *stop: the test has decided. */
static PetscErrorCode told(KSP ksp, PetscInt iteration, PetscReal residual, PetscBool *stop)
{
    const gp_ksp *own = ksp->data;
    PetscFunctionBegin;
    *stop = PETSC_FALSE;
    ksp->its = iteration;
    ksp->rnorm = ksp->normtype == KSP_NORM_NONE ? 0 : residual;
    PetscCall(KSPLogResidualHistory(ksp, ksp->rnorm));
    PetscCall(KSPMonitor(ksp, iteration, ksp->rnorm));
    if (!own->own_test && (ksp->normtype == KSP_NORM_NONE || residual < ksp->divtol * ksp->rnorm0))
        PetscFunctionReturn(GP_SUCCESS);
    if (ksp->converged == KSPConvergedSkip) /* Gable counts */
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall((*ksp->converged)(ksp, iteration, ksp->rnorm, &ksp->reason, ksp->cnvP));
    if (!own->own_test && ksp->reason > 0) /* Gable looks at the true residual first */
        ksp->reason = KSP_CONVERGED_ITERATING;
    *stop = (PetscBool)(ksp->reason != KSP_CONVERGED_ITERATING);
    PetscFunctionReturn(GP_SUCCESS);
}

static int call_told(void *user, int64_t iteration, double residual)
{
    KSP ksp = user;
    gp_ksp *own = ksp->data;
    PetscBool stop = PETSC_FALSE;
    const PetscReal norm =
        own->norm_b > 0 ? (PetscReal)residual * own->norm_b : (PetscReal)residual;
    own->error = told(ksp, (PetscInt)iteration, norm, &stop);
    return own->error != GP_SUCCESS || stop;
}

/* ---- The solver ---- */

static PetscErrorCode get_vectors(KSP ksp, Mat A)
{
    gp_ksp *own = ksp->data;
    PetscFunctionBegin;
    if (own->in == NULL)
        PetscCall(MatCreateVecs(A, &own->in, &own->out));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode get_solver(KSP ksp, Mat A, gable_solver **solver)
{
    gp_ksp *own = ksp->data;
    gable_context *ctx;
    gp_rows *rows;
    Mat local;
    PetscInt n;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    PetscCall(gp_rows_local(A, &local));
    if (local != NULL) {
        PetscCall(gp_rows_of(local, &rows));
        if (own->solving.rows != rows)
            own->factors.words[0] = '\0';
        PetscCall(gp_solving_use(&own->solving, rows));
        *solver = own->solving.solver;
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(get_vectors(ksp, A));
    PetscCall(MatGetLocalSize(A, &n, NULL));
    if (own->shell != NULL && own->shell_n != n) {
        GP_CALL(ctx, gable_solver_destroy(own->shell));
        own->shell = NULL;
    }
    if (own->shell == NULL)
        GP_CALL(ctx, gable_solver_create_operator(ctx, GP_PRECISION, n, call_multiply, ksp,
                                                  &own->shell));
    own->shell_n = n;
    *solver = own->shell;
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- The preconditioner ---- */

static PetscErrorCode is_pc(PC pc, const char *type, PetscBool *same)
{
    return PetscObjectTypeCompare((PetscObject)pc, type, same);
}

/* Blocks of block-Jacobi that Gable inverts: all alike, of at most 32 rows, each factored by
 * PETSc's own solver of such blocks. */
static PetscErrorCode blocks_of(PC pc, Mat A, PetscInt *rows)
{
    PetscInt blocks, n;
    const PetscInt *lengths;
    KSP *inner;
    PC below;
    PetscBool plain, direct;
    PetscFunctionBegin;
    *rows = 0;
    PetscCall(MatGetSize(A, &n, NULL));
    PetscCall(PCBJacobiGetLocalBlocks(pc, &blocks, &lengths));
    if (blocks <= 0 || n == 0 || n % blocks != 0 || n / blocks > 32)
        PetscFunctionReturn(GP_SUCCESS);
    for (PetscInt i = 0; lengths != NULL && i < blocks; i++)
        if (lengths[i] != n / blocks)
            PetscFunctionReturn(GP_SUCCESS);
    PetscCall(PCBJacobiGetSubKSP(pc, NULL, NULL, &inner));
    PetscCall(PetscObjectTypeCompare((PetscObject)inner[0], KSPPREONLY, &plain));
    PetscCall(KSPGetPC(inner[0], &below));
    PetscCall(
        PetscObjectTypeCompareAny((PetscObject)below, &direct, PCLU, PCCHOLESKY, PCILU, PCICC, ""));
    if (plain && direct)
        *rows = n / blocks;
    PetscFunctionReturn(GP_SUCCESS);
}

/* Whether a PC factors in the order of the rows. PETSc tells it nowhere but in the PC's view. */
static PetscErrorCode is_natural(PC pc, PetscBool *natural)
{
    PetscViewer viewer;
    char *text = NULL;
    size_t bytes = 0;
    PetscFunctionBegin;
    FILE *file = open_memstream(&text, &bytes);
    PetscCheck(file != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for a line of text");
    PetscCall(PetscViewerASCIIOpenWithFILE(PETSC_COMM_SELF, file, &viewer));
    PetscCall(PCView(pc, viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    fclose(file);
    *natural = (PetscBool)(text != NULL && strstr(text, "matrix ordering: natural") != NULL);
    free(text);
    PetscFunctionReturn(GP_SUCCESS);
}

/* Words for ilu and icc where Gable's factors are those of PETSc: no fill, natural order, a shift
 * only where a pivot is lost. */
static PetscErrorCode factor_words(PC pc, char *words, size_t bytes)
{
    MatFactorShiftType shift;
    MatSolverType package;
    PetscInt levels;
    PetscBool icc, natural = PETSC_FALSE, own_package, in_place;
    PetscFunctionBegin;
    PetscCall(is_pc(pc, PCICC, &icc));
    PetscCall(PCFactorGetLevels(pc, &levels));
    PetscCall(PCFactorGetShiftType(pc, &shift));
    PetscCall(PCFactorGetMatSolverType(pc, &package));
    PetscCall(PetscStrcmp(package, MATSOLVERPETSC, &own_package));
    PetscCall(PCFactorGetUseInPlace(pc, &in_place));
    const MatFactorShiftType usual = icc ? MAT_SHIFT_POSITIVE_DEFINITE : MAT_SHIFT_INBLOCKS;
    if (levels != 0 || !own_package || in_place || (shift != MAT_SHIFT_NONE && shift != usual))
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(is_natural(pc, &natural));
    if (natural)
        PetscCall(PetscSNPrintf(words, bytes, "precond=%s", icc ? "ic0" : "ilu0"));
    PetscFunctionReturn(GP_SUCCESS);
}

/* Gable's own words for the PC; "" where PETSc's is called back. */
static PetscErrorCode words_of(KSP ksp, Mat A, Mat P, char *words, size_t bytes)
{
    PC pc = ksp->pc;
    PetscBool none, jacobi, blocks, gable, factors;
    PetscObjectState state;
    Mat local;
    PetscFunctionBegin;
    words[0] = '\0';
    PetscCall(is_pc(pc, PCNONE, &none));
    if (none)
        PetscCall(PetscStrncpy(words, "precond=none", bytes));
    PetscCall(gp_rows_local(A, &local));
    PetscCall(PetscObjectStateGet((PetscObject)P, &state));
    if (none || local == NULL || A != P || (pc->reusepreconditioner && pc->matstate != state))
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(is_pc(pc, PCJACOBI, &jacobi));
    PetscCall(is_pc(pc, PCBJACOBI, &blocks));
    PetscCall(is_pc(pc, GP_PC, &gable));
    PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &factors, PCILU, PCICC, ""));
    if (factors) {
        PetscCall(factor_words(pc, words, bytes));
    } else if (jacobi) {
        PCJacobiType type;
        PetscBool absolute;
        PetscCall(PCJacobiGetType(pc, &type));
        PetscCall(PCJacobiGetUseAbs(pc, &absolute));
        if (type == PC_JACOBI_DIAGONAL && !absolute)
            PetscCall(PetscStrncpy(words, "precond=jacobi", bytes));
    } else if (blocks) {
        PetscInt rows;
        PetscCall(blocks_of(pc, local, &rows));
        if (rows > 0)
            PetscCall(PetscSNPrintf(words, bytes, "precond=block,block=%d", (int)rows));
    } else if (gable) {
        PetscCall(gp_pc_words(pc, words, bytes));
    }
    PetscFunctionReturn(GP_SUCCESS);
}

/* PETSc makes its Jacobi when it is first applied, which it is not here. A later solve that reuses
 * the preconditioner calls it back, and must find what it would be by then. */
static PetscErrorCode make_jacobi(KSP ksp, Mat A)
{
    gp_ksp *own = ksp->data;
    PetscBool jacobi;
    PetscFunctionBegin;
    PetscCall(is_pc(ksp->pc, PCJACOBI, &jacobi));
    if (!jacobi || own->made == ksp->pc->matstate)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(get_vectors(ksp, A));
    PetscCall(PCApply(ksp->pc, ksp->vec_rhs, own->out));
    own->made = ksp->pc->matstate;
    PetscFunctionReturn(GP_SUCCESS);
}

/* All options of a solve, with the words for the PC. One call sets them, so that nothing that was
 * made is dropped for options on the way. */
static PetscErrorCode all_words(KSP ksp, const char *precond, char *words, size_t bytes)
{
    const gp_ksp *own = ksp->data;
    const PetscInt64 most = 1000000000000000; /* iterations, as gable_solver_set takes them */
    const PetscBool fixed = (PetscBool)(own->own_test || ksp->normtype == KSP_NORM_NONE);
    PetscFunctionBegin;
    const double target =
        fixed || !(ksp->ttol >= 0 && ksp->ttol <= PETSC_MAX_REAL) ? 0 : (double)ksp->ttol;
    PetscCall(PetscSNPrintf(words, bytes,
                            "%s%smethod=%s,tolerance=0,absolute=%.17g,iterations=%" PetscInt64_FMT
                            ",restart=%" PetscInt_FMT ",guess=%s,answer=last,%s",
                            precond, precond[0] != '\0' ? "," : "", own->method, target,
                            (PetscInt64)ksp->max_it < most ? (PetscInt64)ksp->max_it : most,
                            own->restart, ksp->guess_zero ? "zero" : "x", own->words));
    PetscFunctionReturn(GP_SUCCESS);
}

/* Makes the factors that the words ask for, here, where PETSc's PC can take their place. Those that
 * were tried once are not tried again. */
static PetscErrorCode try_factors(KSP ksp, gable_solver *solver, Mat A, const char *words,
                                  const char *all, PetscBool *good)
{
    gp_ksp *own = ksp->data;
    gable_context *ctx;
    PetscBool same;
    PetscInt n;
    PetscFunctionBegin;
    *good = PETSC_TRUE;
    PetscCall(VecGetLocalSize(ksp->vec_rhs, &n));
    if (!gp_words_factor(words) || solver != own->solving.solver || n == 0)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(PetscStrcmp(own->factors.words, words, &same));
    if (same && own->factors.state == own->solving.rows->state) {
        *good = own->factors.good;
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(gp_context(&ctx));
    PetscCall(get_vectors(ksp, A));
    if (!gp_on_host()) {
        PetscCall(gp_buffer_get(&own->b, n));
        PetscCall(gp_buffer_get(&own->x, n));
    }
    GP_CALL(ctx, gable_solver_precondition(solver, NULL, NULL));
    GP_CALL(ctx, gable_solver_set(solver, all));
    const PetscScalar *b;
    PetscScalar *x;
    PetscCall(VecGetArrayRead(ksp->vec_rhs, &b));
    PetscCall(VecGetArrayWrite(own->out, &x));
    const PetscErrorCode error = gp_on_host() ? GP_SUCCESS : gp_to_device(&own->b, b, n);
    const int threads = gp_threads_begin();
    const gable_status status = error != GP_SUCCESS
                                    ? GABLE_OK
                                    : gable_solver_apply(solver, gp_on_host() ? b : own->b.address,
                                                         gp_on_host() ? (void *)x : own->x.address);
    gp_threads_end(threads);
    PetscCall(VecRestoreArrayWrite(own->out, &x));
    PetscCall(VecRestoreArrayRead(ksp->vec_rhs, &b));
    PetscCall(error);
    PetscCheck(status == GABLE_OK || status == GABLE_NOT_SUPPORTED, PETSC_COMM_SELF,
               gp_error(status), "Gable: %s", gable_message(ctx));
    *good = own->factors.good = (PetscBool)(status == GABLE_OK);
    own->factors.state = own->solving.rows->state;
    PetscCall(PetscStrncpy(own->factors.words, words, sizeof own->factors.words));
    PetscFunctionReturn(GP_SUCCESS);
}

/* Where Gable finds no pivot for a PC of PETSc's, that one, which shifts or says that it failed, is
 * called back. Factors that -ksp_gable_options names have no such place-holder: the PC failed. */
static PetscErrorCode set_precond(KSP ksp, gable_solver *solver, Mat A, Mat P)
{
    gp_ksp *own = ksp->data;
    gable_context *ctx;
    char words[384], all[1024], both[768];
    PetscBool good;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    PetscCall(words_of(ksp, A, P, words, sizeof words));
    PetscCall(PetscSNPrintf(both, sizeof both, "%s,%s", words, own->words));
    PetscCall(all_words(ksp, words, all, sizeof all));
    PetscCall(try_factors(ksp, solver, A, both, all, &good));
    if (!good && own->named) {
        own->failed_pc = PETSC_TRUE;
        PetscCall(gp_pc_lost(ksp->pc, own->solving.rows));
        PetscFunctionReturn(GP_SUCCESS);
    }
    if (!good) {
        words[0] = '\0';
        PetscCall(all_words(ksp, words, all, sizeof all));
    }
    const PetscBool back = (PetscBool)(words[0] == '\0' && !own->named);
    if (back)
        PetscCall(get_vectors(ksp, A));
    else
        PetscCall(make_jacobi(ksp, A));
    GP_CALL(ctx, gable_solver_precondition(solver, back ? call_precondition : NULL, ksp));
    GP_CALL(ctx, gable_solver_set(solver, all));
    GP_CALL(ctx, gable_solver_monitor(solver, call_told, ksp));
    PetscCall(PetscSNPrintf(own->precond, sizeof own->precond, "%s",
                            back                     ? "PETSc's PC, called back"
                            : own->named             ? "of -ksp_gable_options"
                            : gp_words_factor(words) ? "factored by Gable"
                                                     : "fused"));
    PetscCall(PetscInfo(ksp, "Gable: preconditioner %s, %s\n", words, own->precond));
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- A solve ---- */

/* b and, where it is a guess, x to the device. */
static PetscErrorCode send(KSP ksp, const PetscScalar *b, const PetscScalar *x, PetscInt n)
{
    gp_ksp *own = ksp->data;
    PetscFunctionBegin;
    PetscCall(gp_buffer_get(&own->b, n));
    PetscCall(gp_buffer_get(&own->x, n));
    PetscCall(gp_to_device(&own->b, b, n));
    if (!ksp->guess_zero)
        PetscCall(gp_to_device(&own->x, x, n));
    PetscFunctionReturn(GP_SUCCESS);
}

/* b, x and the call. Gable's status is looked at behind what was called back: its error is the
 * first. */
static PetscErrorCode run(KSP ksp, gable_solver *solver)
{
    gp_ksp *own = ksp->data;
    gable_context *ctx;
    const PetscScalar *b;
    PetscScalar *x;
    PetscInt n;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    PetscCall(VecGetLocalSize(ksp->vec_rhs, &n));
    PetscCall(VecGetArrayRead(ksp->vec_rhs, &b));
    PetscCall(VecGetArray(ksp->vec_sol, &x));
    PetscErrorCode error = gp_on_host() ? GP_SUCCESS : send(ksp, b, x, n);
    gable_status status = GABLE_OK;
    own->error = GP_SUCCESS;
    if (error == GP_SUCCESS) {
        own->solving_now = PETSC_TRUE;
        const int threads = gp_threads_begin();
        status = gable_solver_solve(solver, gp_on_host() ? b : own->b.address,
                                    gp_on_host() ? (void *)x : own->x.address, &own->info);
        gp_threads_end(threads);
        own->solving_now = PETSC_FALSE;
        if (status == GABLE_OK && !gp_on_host())
            error = gp_from_device(&own->x, x, n);
    }
    PetscCall(VecRestoreArray(ksp->vec_sol, &x));
    PetscCall(VecRestoreArrayRead(ksp->vec_rhs, &b));
    PetscCall(error);
    if (own->error != GP_SUCCESS) { /* PETSc leaves its locks on vectors behind an error */
        PetscCall(VecDestroy(&own->in));
        PetscCall(VecDestroy(&own->out));
    }
    PetscCall(own->error);
    if (own->failed_pc)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCheck(status == GABLE_OK, PETSC_COMM_SELF, gp_error(status), "Gable: %s",
               gable_message(ctx));
    PetscCall(PetscInfo(ksp, "Gable: %s\n", own->info.text));
    PetscFunctionReturn(GP_SUCCESS);
}

static KSPConvergedReason reason_of(const KSP ksp, const gable_solve_info *info)
{
    switch (info->outcome) {
    case GABLE_SOLVED:
        return ksp->rnorm <= ksp->abstol ? KSP_CONVERGED_ATOL : KSP_CONVERGED_RTOL;
    case GABLE_ITERATION_LIMIT:
        return KSP_DIVERGED_ITS;
    case GABLE_NOT_DEFINITE:
        return KSP_DIVERGED_INDEFINITE_MAT;
    case GABLE_NOT_FINITE:
        return KSP_DIVERGED_NANORINF;
    default:
        return KSP_DIVERGED_BREAKDOWN;
    }
}

/* x is Inf, as PETSc's solvers leave it: nobody takes it for a solution. */
static PetscErrorCode pc_failed(KSP ksp)
{
    PetscFunctionBegin;
    ksp->reason = KSP_DIVERGED_PC_FAILED;
    PetscCall(VecSet(ksp->vec_sol, (PetscScalar)INFINITY));
    PetscFunctionReturn(GP_SUCCESS);
}

/* The reason, its, rnorm. */
static PetscErrorCode conclude(KSP ksp)
{
    gp_ksp *own = ksp->data;
    PetscFunctionBegin;
    ksp->its = (PetscInt)own->info.iterations;
    ksp->rnorm =
        ksp->normtype == KSP_NORM_NONE ? 0 : (PetscReal)(own->info.residual * own->info.norm_b);
    if (ksp->reason != KSP_CONVERGED_ITERATING) /* the test has decided */
        PetscFunctionReturn(GP_SUCCESS);
    /* A fixed number of iterations is done where rounding leaves nothing to improve. */
    const gable_outcome outcome = own->info.outcome;
    const PetscBool fixed = (PetscBool)(ksp->normtype == KSP_NORM_NONE);
    const PetscBool enough =
        (PetscBool)(outcome == GABLE_SOLVED || outcome == GABLE_ITERATION_LIMIT ||
                    (fixed && outcome == GABLE_STAGNATED));
    const PetscInt its = fixed ? ksp->max_it : ksp->its;
    if (enough) /* tests that count iterations say so */
        PetscCall((*ksp->converged)(ksp, its, ksp->rnorm, &ksp->reason, ksp->cnvP));
    if (ksp->reason == KSP_CONVERGED_ITERATING)
        ksp->reason = fixed && enough ? KSP_DIVERGED_ITS : reason_of(ksp, &own->info);
    PetscFunctionReturn(GP_SUCCESS);
}

/* |b - A x| of the first guess, which Gable does not tell. */
static PetscErrorCode first_residual(KSP ksp, Mat A)
{
    gp_ksp *own = ksp->data;
    PetscFunctionBegin;
    PetscCall(VecNorm(ksp->vec_rhs, NORM_2, &own->norm_b));
    ksp->rnorm = own->norm_b;
    if (!ksp->guess_zero && ksp->normtype != KSP_NORM_NONE) {
        PetscCall(get_vectors(ksp, A));
        PetscCall(MatMult(A, ksp->vec_sol, own->out));
        PetscCall(VecAYPX(own->out, -1, ksp->vec_rhs));
        PetscCall(VecNorm(own->out, NORM_2, &ksp->rnorm));
    }
    if (ksp->normtype == KSP_NORM_NONE)
        ksp->rnorm = 0;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode KSPSolve_Gable(KSP ksp)
{
    gp_ksp *own = ksp->data;
    gable_solver *solver = NULL;
    MatNullSpace null;
    PCFailedReason failed;
    Mat A, P;
    PetscFunctionBegin;
    PetscCheck(!ksp->transpose_solve, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
               "-ksp_type %s does not solve with the transpose: -ksp_type gmres does",
               ((PetscObject)ksp)->type_name);
    PetscCheck(!own->solving_now, PetscObjectComm((PetscObject)ksp), PETSC_ERR_ARG_WRONGSTATE,
               "this KSP is solving");
    PetscCall(PCGetOperators(ksp->pc, &A, &P));
    PetscCall(PCSetUp(ksp->pc)); /* KSPSetUp leaves new values to PCApply */
    own->named = (PetscBool)(strstr(own->words, "precond=") != NULL);
    own->failed_pc = PETSC_FALSE;
    if (own->named)
        PetscCall(PCSetFailedReason(ksp->pc, PC_NOERROR));
    PetscCall(PCGetFailedReason(ksp->pc, &failed));
    ksp->its = 0;
    ksp->reason = KSP_CONVERGED_ITERATING;
    own->own_test = (PetscBool)(ksp->converged != KSPConvergedDefault);
    own->info = (gable_solve_info){0};
    if (failed != PC_NOERROR) {
        PetscCall(pc_failed(ksp));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(first_residual(ksp, A));
    ksp->rnorm0 = ksp->rnorm;
    PetscCall(KSPLogResidualHistory(ksp, ksp->rnorm));
    PetscCall(KSPMonitor(ksp, 0, ksp->rnorm));
    PetscCall((*ksp->converged)(ksp, 0, ksp->rnorm, &ksp->reason, ksp->cnvP));
    if (ksp->reason == KSP_CONVERGED_ITERATING && ksp->max_it < 1)
        ksp->reason = KSP_DIVERGED_ITS;
    if (ksp->reason != KSP_CONVERGED_ITERATING)
        PetscFunctionReturn(GP_SUCCESS);

    PetscCall(get_solver(ksp, A, &solver));
    PetscCall(set_precond(ksp, solver, A, P));
    if (own->failed_pc) {
        PetscCall(pc_failed(ksp));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(PetscLogEventBegin(gp_event_solve, ksp, ksp->vec_rhs, ksp->vec_sol, NULL));
    PetscCall(run(ksp, solver));
    PetscInt n;
    PetscCall(VecGetLocalSize(ksp->vec_sol, &n));
    PetscCall(
        PetscLogFlops((double)own->info.iterations *
                      (10 * (double)n + (own->solving.rows != NULL && solver == own->solving.solver
                                             ? 2.0 * (double)own->solving.rows->entries
                                             : 0))));
    PetscCall(PetscLogEventEnd(gp_event_solve, ksp, ksp->vec_rhs, ksp->vec_sol, NULL));
    if (own->failed_pc) {
        PetscCall(pc_failed(ksp));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(conclude(ksp));
    PetscCall(MatGetNullSpace(A, &null));
    if (null != NULL)
        PetscCall(MatNullSpaceRemove(null, ksp->vec_sol));
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- The object ---- */

static PetscErrorCode KSPSetUp_Gable(KSP ksp)
{
    PetscMPIInt ranks;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)ksp), &ranks));
    PetscCheck(ranks == 1, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
               "-ksp_type %s solves on one rank, and these are %d: use a KSP of PETSc's with "
               "-mat_type " GP_ANY " and -pc_type bjacobi -sub_pc_type " GP_PC,
               ((PetscObject)ksp)->type_name, ranks);
    PetscFunctionReturn(GP_SUCCESS);
}

/* During a solve on a device x is fetched from it: it is that of the last batch enqueued. */
static PetscErrorCode KSPBuildSolution_Gable(KSP ksp, Vec v, Vec *V)
{
    gp_ksp *own = ksp->data;
    PetscFunctionBegin;
    if (own->solving_now && !gp_on_host()) {
        PetscScalar *x;
        PetscInt n;
        PetscCall(VecGetLocalSize(ksp->vec_sol, &n));
        PetscCall(VecGetArray(ksp->vec_sol, &x));
        const PetscErrorCode error = gp_from_device(&own->x, x, n);
        PetscCall(VecRestoreArray(ksp->vec_sol, &x));
        PetscCall(error);
    }
    PetscCall(KSPBuildSolutionDefault(ksp, v, V));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode KSPReset_Gable(KSP ksp)
{
    gp_ksp *own = ksp->data;
    gable_context *ctx;
    PetscFunctionBegin;
    PetscCall(gp_solving_end(&own->solving));
    if (own->shell != NULL) {
        PetscCall(gp_context(&ctx));
        GP_CALL(ctx, gable_solver_destroy(own->shell));
        own->shell = NULL;
    }
    PetscCall(gp_buffer_free(&own->b));
    PetscCall(gp_buffer_free(&own->x));
    own->made = 0;
    PetscCall(VecDestroy(&own->in));
    PetscCall(VecDestroy(&own->out));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode KSPDestroy_Gable(KSP ksp)
{
    PetscFunctionBegin;
    PetscCall(KSPReset_Gable(ksp));
    PetscCall(PetscObjectComposeFunction((PetscObject)ksp, "KSPGMRESSetRestart_C", NULL));
    PetscCall(PetscObjectComposeFunction((PetscObject)ksp, "KSPGMRESGetRestart_C", NULL));
    PetscCall(KSPDestroyDefault(ksp));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode set_restart(KSP ksp, PetscInt restart)
{
    PetscFunctionBegin;
    PetscCheck(restart >= 1, PetscObjectComm((PetscObject)ksp), PETSC_ERR_ARG_OUTOFRANGE,
               "the restart must be positive");
    ((gp_ksp *)ksp->data)->restart = restart;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode get_restart(KSP ksp, PetscInt *restart)
{
    PetscFunctionBegin;
    *restart = ((gp_ksp *)ksp->data)->restart;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode KSPSetFromOptions_Gable(KSP ksp, gp_options PetscOptionsObject)
{
    gp_ksp *own = ksp->data;
    PetscInt restart = own->restart;
    PetscBool given, gmres;
    PetscFunctionBegin;
    PetscOptionsHeadBegin(PetscOptionsObject, "Gable options");
    PetscCall(PetscOptionsString("-ksp_gable_options", "words for gable_solver_set", "none",
                                 own->words, own->words, sizeof own->words, NULL));
    PetscCall(PetscStrcmp(own->method, "gmres", &gmres));
    if (gmres) {
        PetscCall(PetscOptionsInt("-ksp_gmres_restart", "vectors before a restart",
                                  "KSPGMRESSetRestart", restart, &restart, &given));
        if (given)
            PetscCall(set_restart(ksp, restart));
    }
    PetscOptionsHeadEnd();
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode KSPView_Gable(KSP ksp, PetscViewer viewer)
{
    static const char *const formats[] = {"none", "CSR", "COO", "ELL", "SELL", "HYB"};
    const gp_ksp *own = ksp->data;
    const gable_solve_info *info = &own->info;
    PetscBool ascii;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
    if (!ascii)
        PetscFunctionReturn(GP_SUCCESS);
    if (info->method[0] == '\0') {
        PetscCall(PetscViewerASCIIPrintf(viewer, "  Gable: %s on %s, no solve so far\n",
                                         own->method, gp_device_name()));
        PetscFunctionReturn(GP_SUCCESS);
    }
    PetscCall(PetscViewerASCIIPrintf(
        viewer,
        "  Gable: %s%s%s on %s, format %s, preconditioner %s (%s), %.4g bytes per iteration\n",
        info->method, info->form[0] != '\0' ? ", " : "", info->form, gp_device_name(),
        formats[info->format], info->precond, own->precond, info->bytes));
    PetscCall(PetscViewerASCIIPrintf(viewer, "  Gable: %s\n", info->text));
    PetscFunctionReturn(GP_SUCCESS);
}

/* The residual is that of the system itself: CG looks at |r| beside its preconditioned products,
 * BiCGStab and GMRES are preconditioned from the right. */
static PetscErrorCode create(KSP ksp, const char *method, PCSide side)
{
    gp_ksp *own;
    PetscFunctionBegin;
    PetscCall(PetscNew(&own));
    own->method = method;
    own->restart = 30;
    ksp->data = own;
    PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_UNPRECONDITIONED, side, 3));
    PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NONE, side, 1));
    ksp->ops->setup = KSPSetUp_Gable;
    ksp->ops->solve = KSPSolve_Gable;
    ksp->ops->reset = KSPReset_Gable;
    ksp->ops->destroy = KSPDestroy_Gable;
    ksp->ops->view = KSPView_Gable;
    ksp->ops->setfromoptions = KSPSetFromOptions_Gable;
    ksp->ops->buildsolution = KSPBuildSolution_Gable;
    ksp->ops->buildresidual = KSPBuildResidualDefault;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode KSPCreate_GableCG(KSP ksp)
{
    return create(ksp, "cg", PC_LEFT);
}

static PetscErrorCode KSPCreate_GableBCGS(KSP ksp)
{
    return create(ksp, "bicgstab", PC_RIGHT);
}

static PetscErrorCode KSPCreate_GableGMRES(KSP ksp)
{
    PetscFunctionBegin;
    PetscCall(create(ksp, "gmres", PC_RIGHT));
    PetscCall(PetscObjectComposeFunction((PetscObject)ksp, "KSPGMRESSetRestart_C", set_restart));
    PetscCall(PetscObjectComposeFunction((PetscObject)ksp, "KSPGMRESGetRestart_C", get_restart));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_ksp_register(void)
{
    PetscFunctionBegin;
    PetscCall(KSPRegister("gablecg", KSPCreate_GableCG));
    PetscCall(KSPRegister("gablebcgs", KSPCreate_GableBCGS));
    PetscCall(KSPRegister("gablegmres", KSPCreate_GableGMRES));
    PetscFunctionReturn(GP_SUCCESS);
}
