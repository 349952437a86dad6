/* petsc_solves.c: solves by the PETSc plugin beside PETSc's own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     petsc_solves -dll_append libgable_petsc.so [-gable_device D]
 *
 * Iterations may differ by 1 or 5 % (the order of sums), reasons may not, and x is compared with a
 * solution that is known.
 */
#include "petsc_twins.h"

typedef struct outcome {
    PetscInt its;
    KSPConvergedReason reason;
    PetscReal error; /* of x */
} outcome;

static PetscErrorCode new_ksp(KSPType type, PCType pc, Mat A, Mat P, KSP *ksp)
{
    PC one;
    PetscBool cg, gable;
    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_SELF, ksp));
    PetscCall(KSPSetType(*ksp, type));
    PetscCall(KSPGetPC(*ksp, &one));
    PetscCall(PCSetType(one, pc));
    PetscCall(KSPSetOperators(*ksp, A, P));
    PetscCall(KSPSetTolerances(*ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 500));
    PetscCall(PetscStrcmp(type, KSPCG, &cg));
    PetscCall(PetscStrncmp(type, "gable", 5, &gable));
    PetscCall(KSPSetNormType(*ksp, KSP_NORM_UNPRECONDITIONED));
    if (!cg && !gable)
        PetscCall(KSPSetPCSide(*ksp, PC_RIGHT));
    PetscFunctionReturn(0);
}

/* b is the product of the known solution with the plain matrix, into which it was not solved. */
static PetscErrorCode solve(KSP ksp, Mat plain, outcome *o)
{
    Vec x, b, known;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(plain, &x, &b));
    PetscCall(VecDuplicate(x, &known));
    PetscCall(twin_wave(known, 0.37));
    PetscCall(MatMult(plain, known, b));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetIterationNumber(ksp, &o->its));
    PetscCall(KSPGetConvergedReason(ksp, &o->reason));
    PetscCall(twin_distance(x, known, &o->error));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&known));
    PetscFunctionReturn(0);
}

static PetscErrorCode agree(const outcome *gable, const outcome *plain, const char *when)
{
    const PetscReal apart = PetscAbsReal((PetscReal)(gable->its - plain->its));
    PetscFunctionBeginUser;
    EXPECT(apart <= 1 + 0.05 * (PetscReal)plain->its && gable->reason == plain->reason,
           "%s: %d iterations, reason %d; PETSc's has %d, %d", when, (int)gable->its,
           (int)gable->reason, (int)plain->its, (int)plain->reason);
    if (plain->reason > 0)
        EXPECT(gable->error <= 1e-8, "%s: x is off by %g", when, (double)gable->error);
    PetscFunctionReturn(0);
}

/* The grid again, rows and columns multiplied with numbers from 1 to 2: the condition is at most
 * some 50, so x is within 1e-8 where the residual is within 1e-10. */
static PetscErrorCode stretch(Mat A, PetscReal step)
{
    Vec v;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(A, &v, NULL));
    PetscCall(twin_wave(v, step));
    PetscCall(VecScale(v, 0.5));
    PetscCall(VecShift(v, 1));
    PetscCall(twin_fill(A, 9, 0));
    PetscCall(MatDiagonalScale(A, v, v));
    PetscCall(VecDestroy(&v));
    PetscFunctionReturn(0);
}

static const char *const types[3][2] = {
    {"gablecg", KSPCG}, {"gablebcgs", KSPBCGS}, {"gablegmres", KSPGMRES}};

/* Values, then the pattern, change between solves; the preconditioner is reused, the matrix goes
 * before the KSP. */
static PetscErrorCode sequences(void)
{
    static const char *const pcs[][2] = {{PCNONE, PCNONE},
                                         {PCJACOBI, PCJACOBI},
                                         {PCICC, PCICC},
                                         {PCILU, PCILU},
                                         {"gable", PCJACOBI}};
    PetscFunctionBeginUser;
    for (int k = 0; k < 3; k++) {
        for (int p = 0; p < 5; p++) {
            twins t;
            KSP ours, theirs;
            outcome a, b;
            char name[64];
            PetscCall(PetscSNPrintf(name, sizeof name, "%s with %s", types[k][0], pcs[p][0]));
            twin_part = name;
            PetscCall(twins_create(9, 0, &t));
            PetscCall(new_ksp(types[k][0], pcs[p][0], t.gable, t.gable, &ours));
            PetscCall(new_ksp(types[k][1], pcs[p][1], t.plain, t.plain, &theirs));
            for (int step = 0; step < 5; step++) {
                static const char *const when[] = {"new", "again", "other values",
                                                   "preconditioner reused", "and made again"};
                if (step >= 2) { /* the diagonal varies, so that another Jacobi is seen */
                    PetscCall(KSPSetReusePreconditioner(ours, (PetscBool)(step == 3)));
                    PetscCall(KSPSetReusePreconditioner(theirs, (PetscBool)(step == 3)));
                    PetscCall(stretch(t.gable, (PetscReal)step));
                    PetscCall(stretch(t.plain, (PetscReal)step));
                }
                PetscCall(solve(ours, t.plain, &a));
                PetscCall(solve(theirs, t.plain, &b));
                PetscCall(agree(&a, &b, when[step]));
            }
            PetscCall(KSPDestroy(&theirs));
            if (k == 0) {
                PetscCall(twins_destroy(&t));
                PetscCall(KSPDestroy(&ours));
            } else {
                PetscCall(KSPDestroy(&ours));
                PetscCall(twins_destroy(&t));
            }
        }
    }
    PetscFunctionReturn(0);
}

/* Two solvers and two matrices by turns; another pattern; another matrix for the same solver. */
static PetscErrorCode several(void)
{
    twins t[2];
    KSP ksp[2], plain;
    outcome o, wanted;
    PetscFunctionBeginUser;
    twin_part = "two at once";
    for (int i = 0; i < 2; i++) {
        PetscCall(twins_create(i ? 9 : 13, 0.2, &t[i]));
        PetscCall(
            new_ksp(i ? "gablebcgs" : "gablegmres", PCJACOBI, t[i].gable, t[i].gable, &ksp[i]));
    }
    for (int turn = 0; turn < 6; turn++) {
        const int i = turn % 2;
        if (turn == 3)
            PetscCall(twins_change(&t[1], twin_one_more));
        PetscCall(new_ksp(i ? KSPBCGS : KSPGMRES, PCJACOBI, t[i].plain, t[i].plain, &plain));
        PetscCall(solve(ksp[i], t[i].plain, &o));
        PetscCall(solve(plain, t[i].plain, &wanted));
        PetscCall(agree(&o, &wanted, "by turns"));
        PetscCall(KSPDestroy(&plain));
    }
    PetscCall(KSPReset(ksp[0]));
    PetscCall(KSPSetOperators(ksp[0], t[1].gable, t[1].gable));
    PetscCall(solve(ksp[0], t[1].plain, &o));
    EXPECT(o.reason > 0 && o.error <= 1e-8, "another matrix: reason %d, x off by %g", (int)o.reason,
           (double)o.error);
    for (int i = 0; i < 2; i++) {
        PetscCall(KSPDestroy(&ksp[i]));
        PetscCall(twins_destroy(&t[i]));
    }
    PetscFunctionReturn(0);
}

/* The preconditioner is a solve by Gable; the operator is a function; P is another matrix than
 * A. */
static PetscErrorCode shell_mult(Mat S, Vec x, Vec y)
{
    Mat A;
    PetscFunctionBeginUser;
    PetscCall(MatShellGetContext(S, &A));
    PetscCall(MatMult(A, x, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode called_back(void)
{
    twins t;
    KSP ours, theirs, inner;
    outcome a, b;
    PC pc;
    Mat S, D;
    Vec diagonal;
    PetscFunctionBeginUser;
    PetscCall(twins_create(9, 0, &t));
    twin_part = "a solve inside a solve";
    PetscCall(new_ksp("gablegmres", PCKSP, t.gable, t.gable, &ours));
    PetscCall(KSPGetPC(ours, &pc));
    PetscCall(PCKSPGetKSP(pc, &inner));
    PetscCall(KSPSetType(inner, "gablecg"));
    PetscCall(KSPSetTolerances(inner, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(solve(ours, t.plain, &a));
    EXPECT(a.reason > 0 && a.its <= 2 && a.error <= 1e-8, "%d iterations, x off by %g", (int)a.its,
           (double)a.error);
    PetscCall(KSPDestroy(&ours));

    twin_part = "a shell matrix";
    PetscCall(MatCreateShell(PETSC_COMM_SELF, 81, 81, 81, 81, t.plain, &S));
    PetscCall(MatShellSetOperation(S, MATOP_MULT, (void (*)(void))shell_mult));
    for (int k = 0; k < 3; k++) {
        PetscCall(new_ksp(types[k][0], PCJACOBI, S, t.plain, &ours));
        PetscCall(new_ksp(types[k][1], PCJACOBI, S, t.plain, &theirs));
        PetscCall(solve(ours, t.plain, &a));
        PetscCall(solve(theirs, t.plain, &b));
        PetscCall(agree(&a, &b, types[k][0]));
        PetscCall(KSPDestroy(&ours));
        PetscCall(KSPDestroy(&theirs));
    }
    PetscCall(MatDestroy(&S));

    twin_part = "another matrix for the preconditioner";
    PetscCall(MatDuplicate(t.plain, MAT_COPY_VALUES, &D));
    PetscCall(MatCreateVecs(D, &diagonal, NULL));
    PetscCall(twin_wave(diagonal, 0.9));
    PetscCall(VecShift(diagonal, 1));
    PetscCall(MatDiagonalSet(D, diagonal, INSERT_VALUES));
    PetscCall(new_ksp("gablecg", PCJACOBI, t.gable, D, &ours));
    PetscCall(new_ksp(KSPCG, PCJACOBI, t.plain, D, &theirs));
    PetscCall(solve(ours, t.plain, &a));
    PetscCall(solve(theirs, t.plain, &b));
    PetscCall(agree(&a, &b, "jacobi"));
    PetscCall(KSPDestroy(&ours));
    PetscCall(KSPDestroy(&theirs));
    PetscCall(VecDestroy(&diagonal));
    PetscCall(MatDestroy(&D));
    PetscCall(twins_destroy(&t));
    PetscFunctionReturn(0);
}

/* ---- What hears of iterations ---- */

typedef struct watch {
    PetscInt next, stop_at;
    PetscBool ordered;
} watch;

static PetscErrorCode hear(KSP ksp, PetscInt it, PetscReal norm, void *given)
{
    watch *w = given;
    PetscFunctionBeginUser;
    (void)ksp;
    w->ordered = (PetscBool)(w->ordered && it == w->next && norm >= 0);
    w->next = it + 1;
    PetscFunctionReturn(0);
}

static PetscErrorCode decide(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason *reason,
                             void *given)
{
    PetscFunctionBeginUser;
    PetscCall(hear(ksp, it, norm, given));
    *reason =
        it >= ((watch *)given)->stop_at ? KSP_CONVERGED_HAPPY_BREAKDOWN : KSP_CONVERGED_ITERATING;
    PetscFunctionReturn(0);
}

static PetscErrorCode watched(void)
{
    enum { ROOM = 600 };
    PetscReal history[2][ROOM];
    PetscInt count[2];
    twins t;
    KSP ksp;
    outcome o[2];
    PetscFunctionBeginUser;
    PetscCall(twins_create(13, 0, &t));
    for (int k = 0; k < 3; k++) {
        twin_part = types[k][0];
        for (int i = 0; i < 2; i++) {
            const PetscReal *kept;
            watch w = {.ordered = PETSC_TRUE};
            Mat A = i ? t.plain : t.gable;
            PetscCall(new_ksp(types[k][i], PCJACOBI, A, A, &ksp));
            PetscCall(KSPSetResidualHistory(ksp, history[i], ROOM, PETSC_TRUE));
            PetscCall(KSPMonitorSet(ksp, hear, &w, NULL));
            PetscCall(solve(ksp, t.plain, &o[i]));
            PetscCall(KSPGetResidualHistory(ksp, &kept, &count[i]));
            EXPECT(w.ordered && w.next == o[i].its + 1, "the monitor heard of %d of %d",
                   (int)w.next - 1, (int)o[i].its);
            PetscCall(KSPDestroy(&ksp));
        }
        EXPECT(count[0] == o[0].its + 1, "%d residuals of %d iterations", (int)count[0],
               (int)o[0].its);
        for (PetscInt i = 0; i < 8; i++)
            EXPECT(PetscAbsReal(history[0][i] - history[1][i]) <= 1e-6 * history[1][i],
                   "residual %d is %g, PETSc's %g", (int)i, (double)history[0][i],
                   (double)history[1][i]);

        watch w = {.ordered = PETSC_TRUE, .stop_at = 5};
        PetscCall(new_ksp(types[k][0], PCJACOBI, t.gable, t.gable, &ksp));
        PetscCall(KSPSetConvergenceTest(ksp, decide, &w, NULL));
        PetscCall(solve(ksp, t.plain, &o[0]));
        EXPECT(w.ordered && w.next == 6 && o[0].reason == KSP_CONVERGED_HAPPY_BREAKDOWN &&
                   o[0].its >= 5 && o[0].its <= 5 + 2 * 128,
               "a test of the program's heard of %d, %d iterations, reason %d", (int)w.next - 1,
               (int)o[0].its, (int)o[0].reason);
        PetscCall(KSPDestroy(&ksp));
        for (int i = 0; i < 2; i++) { /* a residual that rises beyond divtol */
            Mat A = i ? t.plain : t.gable;
            PetscCall(new_ksp(types[k][i], PCNONE, A, A, &ksp));
            PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, 1e-3, 500));
            PetscCall(solve(ksp, t.plain, &o[i]));
            PetscCall(KSPDestroy(&ksp));
        }
        EXPECT(o[0].reason == o[1].reason && o[0].reason == KSP_DIVERGED_DTOL,
               "divtol: reason %d, PETSc's %d", (int)o[0].reason, (int)o[1].reason);
    }
    PetscCall(twins_destroy(&t));
    PetscFunctionReturn(0);
}

/* A null space that is given: the grid of no boundary, both sides scaled. */
static PetscErrorCode null_space(void)
{
    enum { N = 60 };
    Mat A;
    Vec v, x, b, known;
    MatNullSpace null;
    KSP ksp;
    PetscReal norm, far;
    PetscFunctionBeginUser;
    twin_part = "a null space";
    PetscCall(twin_create(MATSEQAIJ, N, N, &A));
    for (PetscInt i = 0; i < N; i++) {
        PetscCall(MatSetValue(A, i, i, i > 0 && i < N - 1 ? 2 : 1, INSERT_VALUES));
        if (i > 0)
            PetscCall(MatSetValue(A, i, i - 1, -1, INSERT_VALUES));
        if (i < N - 1)
            PetscCall(MatSetValue(A, i, i + 1, -1, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatCreateVecs(A, &v, &x));
    PetscCall(VecDuplicate(x, &b));
    PetscCall(VecDuplicate(x, &known));
    PetscCall(twin_wave(v, 0.11));
    PetscCall(VecShift(v, 1));
    PetscCall(VecCopy(v, x));
    PetscCall(VecReciprocal(x));
    PetscCall(MatDiagonalScale(A, x, x));
    PetscCall(VecNorm(v, NORM_2, &norm));
    PetscCall(VecScale(v, 1 / norm));
    PetscCall(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_FALSE, 1, &v, &null));
    PetscCall(MatSetNullSpace(A, null));
    PetscCall(MatSetTransposeNullSpace(A, null));
    PetscCall(twin_wave(known, 0.37));
    PetscCall(MatNullSpaceRemove(null, known));
    PetscCall(MatMult(A, known, b));
    for (int k = 0; k < 3; k += 2) {
        PetscCall(new_ksp(types[k][0], PCJACOBI, A, A, &ksp));
        PetscCall(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
        PetscCall(KSPGMRESSetRestart(ksp, 80));
        PetscCall(VecSet(x, 3)); /* has much of it */
        PetscCall(KSPSolve(ksp, b, x));
        PetscCall(twin_distance(x, known, &far));
        EXPECT(far <= 1e-6, "%s: x is off by %g", types[k][0], (double)far); /* condition 1e4 */
        PetscCall(KSPDestroy(&ksp));
    }
    PetscCall(MatNullSpaceDestroy(&null));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&v));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&known));
    PetscFunctionReturn(0);
}

/* What is refused is PETSc's error, and the objects live on. */
static PetscErrorCode refused(void)
{
    twins t;
    KSP ksp;
    PC pc;
    Vec x, b;
    outcome o;
    PetscFunctionBeginUser;
    twin_part = "refusals";
    PetscCall(twins_create(9, 0, &t));
    PetscCall(MatCreateVecs(t.gable, &x, &b));
    PetscCall(VecSet(b, 1));
    PetscCall(new_ksp("gablecg", PCJACOBI, t.gable, t.gable, &ksp));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    const PetscErrorCode transposed = KSPSolveTranspose(ksp, b, x);
    const PetscErrorCode wrong = KSPSetType(ksp, "gablefoo");
    PetscCall(PetscPopErrorHandler());
    EXPECT(transposed == PETSC_ERR_SUP, "the transpose gives error %d", (int)transposed);
    EXPECT(wrong == PETSC_ERR_ARG_UNKNOWN_TYPE, "an unknown type gives error %d", (int)wrong);
    PetscCall(solve(ksp, t.plain, &o));
    EXPECT(o.reason > 0 && o.error <= 1e-8, "afterwards: reason %d", (int)o.reason);
    PetscCall(VecSet(b, 0));
    PetscCall(VecSet(x, 5));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(VecNorm(x, NORM_INFINITY, &o.error));
    PetscCall(KSPGetConvergedReason(ksp, &o.reason));
    EXPECT(o.error == 0 && o.reason == KSP_CONVERGED_ATOL, "b = 0: x %g, reason %d",
           (double)o.error, (int)o.reason);
    PetscCall(MatShift(t.gable, -100)); /* negative definite */
    PetscCall(VecSet(b, 1));
    PetscCall(KSPSetOperators(ksp, t.gable, t.gable));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCNONE));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &o.reason));
    EXPECT(o.reason == KSP_DIVERGED_INDEFINITE_MAT, "an indefinite matrix: reason %d",
           (int)o.reason);
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(twins_destroy(&t));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    PetscFunctionBeginUser;
    PetscCall(sequences());
    PetscCall(several());
    PetscCall(called_back());
    PetscCall(watched());
    PetscCall(null_space());
    PetscCall(refused());
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return twin_main(argc, argv, run);
}
