/* petsc_failures.c: how solves by the PETSc plugin end that do not end well.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     petsc_failures -dll_append libgable_petsc.so [-gable_device D]
 *
 * Pivots that are lost, functions of the program's that fail, a fixed number of iterations, objects
 * that PetscFinalize destroys. What PETSc's own types do is what is expected.
 */
#include "petsc_twins.h"

static const char *const types[3][2] = {
    {"gablecg", KSPCG}, {"gablebcgs", KSPBCGS}, {"gablegmres", KSPGMRES}};

static PetscErrorCode new_ksp(KSPType type, Mat A, PCType pc, KSP *ksp)
{
    PC one;
    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_SELF, ksp));
    PetscCall(KSPSetType(*ksp, type));
    PetscCall(KSPGetPC(*ksp, &one));
    PetscCall(PCSetType(one, pc));
    PetscCall(KSPSetOperators(*ksp, A, A));
    PetscCall(KSPSetTolerances(*ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 500));
    PetscCall(KSPSetOptionsPrefix(*ksp, "failing_"));
    PetscCall(KSPSetFromOptions(*ksp));
    PetscFunctionReturn(0);
}

typedef struct outcome {
    PetscErrorCode error;
    KSPConvergedReason reason;
    PCFailedReason failed;
    PetscInt its;
    PetscReal off, norm; /* of x: its error, its size */
} outcome;

/* b is the product of a known x with `plain`. An error comes back without its text. */
static PetscErrorCode solve(KSP ksp, Mat plain, outcome *o)
{
    Vec x, b, known;
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(plain, &x, &b));
    PetscCall(VecDuplicate(x, &known));
    PetscCall(twin_wave(known, 0.37));
    PetscCall(MatMult(plain, known, b));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    o->error = KSPSolve(ksp, b, x);
    PetscCall(PetscPopErrorHandler());
    PetscCall(KSPGetIterationNumber(ksp, &o->its));
    PetscCall(KSPGetConvergedReason(ksp, &o->reason));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCGetFailedReason(pc, &o->failed));
    PetscCall(VecNorm(x, NORM_INFINITY, &o->norm));
    PetscCall(twin_distance(x, known, &o->off));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&known));
    PetscFunctionReturn(0);
}

static PetscErrorCode put(Mat A, PetscInt row, PetscScalar value)
{
    PetscFunctionBeginUser;
    PetscCall(MatSetValue(A, row, row, value, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* The first pivot is 0: the program learns it from PETSc's reasons, not by an error, and x is no
 * number. With a good pivot the same objects serve again. */
static PetscErrorCode lost_pivots(void)
{
    static const struct {
        const char *ksp, *pc, *pc_words, *ksp_words;
    } list[] = {
        {"gmres", "gable", "precond=ilu0", NULL},    {"gablegmres", "gable", "precond=ilu0", NULL},
        {"gablebcgs", "none", NULL, "precond=ilu0"}, {"gablegmres", "ilu", NULL, "precond=ilu0"},
        {"cg", "gable", "precond=ic0", NULL},        {"gablecg", "gable", "precond=ic0", NULL},
        {"gablecg", "jacobi", NULL, "precond=ic0"},
    };
    PetscFunctionBeginUser;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        twins t;
        KSP ksp;
        outcome o;
        char name[64];
        PetscCall(PetscSNPrintf(name, sizeof name, "a lost pivot, %s with %s", list[i].ksp,
                                list[i].pc_words ? list[i].pc_words : list[i].ksp_words));
        twin_part = name;
        if (list[i].pc_words)
            PetscCall(PetscOptionsSetValue(NULL, "-failing_pc_gable_options", list[i].pc_words));
        else
            PetscCall(PetscOptionsSetValue(NULL, "-failing_ksp_gable_options", list[i].ksp_words));
        PetscCall(twins_create(9, 0, &t));
        PetscCall(put(t.gable, 0, 0));
        PetscCall(new_ksp(list[i].ksp, t.gable, list[i].pc, &ksp));
        for (int strict = 0; strict < 2; strict++) {
            PetscCall(KSPSetErrorIfNotConverged(ksp, (PetscBool)strict));
            PetscCall(KSPSetOperators(ksp, t.gable, t.gable));
            PetscCall(put(t.gable, 0, 0));
            PetscCall(solve(ksp, t.plain, &o));
            EXPECT(strict == (o.error != 0), "error %d", (int)o.error);
            EXPECT(strict || (o.reason == KSP_DIVERGED_PC_FAILED &&
                              o.failed == PC_FACTOR_NUMERIC_ZEROPIVOT),
                   "%s, %s", KSPConvergedReasons[o.reason], PCFailedReasons[o.failed]);
            EXPECT(strict || PetscIsInfOrNanReal(o.norm), "x is %g", (double)o.norm);
        }
        PetscCall(KSPSetErrorIfNotConverged(ksp, PETSC_FALSE));
        PetscCall(put(t.gable, 0, 4));
        PetscCall(KSPSetOperators(ksp, t.gable, t.gable));
        PetscCall(solve(ksp, t.plain, &o));
        EXPECT(o.error == 0 && o.reason > 0 && o.failed == PC_NOERROR && o.off <= 1e-8,
               "and a good one: error %d, %s, %s, x is off by %g", (int)o.error,
               KSPConvergedReasons[o.reason], PCFailedReasons[o.failed], (double)o.off);
        PetscCall(KSPDestroy(&ksp));
        PetscCall(twins_destroy(&t));
        PetscCall(PetscOptionsClearValue(NULL, "-failing_pc_gable_options"));
        PetscCall(PetscOptionsClearValue(NULL, "-failing_ksp_gable_options"));
    }
    PetscFunctionReturn(0);
}

/* ---- Functions of the program's that fail ---- */

static int calls, fails_at;

static PetscErrorCode fail_or_not(void)
{
    return ++calls == fails_at ? PETSC_ERR_USER : 0;
}

static PetscErrorCode shell_mult(Mat S, Vec x, Vec y)
{
    Mat A;
    PetscFunctionBeginUser;
    PetscCall(MatShellGetContext(S, &A));
    PetscCall(fail_or_not());
    PetscCall(MatMult(A, x, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode shell_apply(PC pc, Vec x, Vec y)
{
    PetscFunctionBeginUser;
    (void)pc;
    PetscCall(fail_or_not());
    PetscCall(VecCopy(x, y));
    PetscCall(VecScale(y, 0.25));
    PetscFunctionReturn(0);
}

static PetscErrorCode hear(KSP ksp, PetscInt it, PetscReal norm, void *given)
{
    PetscFunctionBeginUser;
    (void)ksp, (void)it, (void)norm, (void)given;
    PetscCall(fail_or_not());
    PetscFunctionReturn(0);
}

/* Each fails once; the program catches it, as PETSc's interfaces to Python do, and solves again. */
static PetscErrorCode failing_functions(void)
{
    static const char *const which[] = {"a product", "a preconditioner", "a monitor"};
    PetscFunctionBeginUser;
    for (int k = 0; k < 3; k++)
        for (int w = 0; w < 3; w++) {
            twins t;
            Mat S;
            KSP ksp;
            PC pc;
            outcome o;
            char name[64];
            PetscCall(PetscSNPrintf(name, sizeof name, "%s that fails, %s", which[w], types[k][0]));
            twin_part = name;
            PetscCall(twins_create(9, 0, &t));
            PetscCall(MatCreateShell(PETSC_COMM_SELF, 81, 81, 81, 81, t.plain, &S));
            PetscCall(MatShellSetOperation(S, MATOP_MULT, (void (*)(void))shell_mult));
            PetscCall(new_ksp(types[k][0], w == 0 ? S : t.gable, w == 1 ? PCSHELL : PCNONE, &ksp));
            PetscCall(KSPGetPC(ksp, &pc));
            if (w == 1)
                PetscCall(PCShellSetApply(pc, shell_apply));
            if (w == 2)
                PetscCall(KSPMonitorSet(ksp, hear, NULL, NULL));
            calls = 0, fails_at = 3;
            PetscCall(solve(ksp, t.plain, &o));
            EXPECT(o.error == PETSC_ERR_USER, "error %d", (int)o.error);
            PetscCall(solve(ksp, t.plain, &o));
            EXPECT(o.error == 0 && o.reason > 0 && o.off <= 1e-8,
                   "afterwards: error %d, reason %d, x is off by %g", (int)o.error, (int)o.reason,
                   (double)o.off);
            PetscCall(KSPDestroy(&ksp));
            PetscCall(MatDestroy(&S));
            PetscCall(twins_destroy(&t));
        }
    PetscFunctionReturn(0);
}

/* ---- A fixed number of iterations ---- */

static PetscErrorCode decide(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason *reason,
                             void *given)
{
    PetscFunctionBeginUser;
    (void)ksp, (void)norm, (void)given;
    calls++;
    *reason = it >= 5 ? KSP_CONVERGED_HAPPY_BREAKDOWN : KSP_CONVERGED_ITERATING;
    PetscFunctionReturn(0);
}

static PetscErrorCode fixed(void)
{
    enum { SKIP, DEFAULT, OWN, NOT_A_NUMBER, INDEFINITE, CASES };
    static const char *const cases[] = {"skip", "default", "own", "NaN", "indefinite"};
    PetscFunctionBeginUser;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < CASES; c++)
            for (PetscInt its = 2; its <= 300; its += 298) {
                outcome o[2];
                char name[64];
                PetscCall(PetscSNPrintf(name, sizeof name, "no norm, test %s, %s, %d iterations",
                                        cases[c], types[k][0], (int)its));
                twin_part = name;
                if (c == INDEFINITE && (k > 0 || its < 300))
                    continue;
                for (int i = 0; i < 2; i++) {
                    KSP ksp;
                    twins t;
                    PetscCall(twins_create(9, k ? 0.3 : 0, &t));
                    if (c == INDEFINITE)
                        PetscCall(MatShift(t.gable, -6.3));
                    if (c == NOT_A_NUMBER)
                        PetscCall(put(t.gable, 40, (PetscScalar)NAN));
                    if (i == 1)
                        PetscCall(MatConvert(t.gable, MATSEQAIJ, MAT_INPLACE_MATRIX, &t.gable));
                    PetscCall(
                        new_ksp(types[k][i], t.gable, c == INDEFINITE ? PCNONE : PCJACOBI, &ksp));
                    if (k > 0)
                        PetscCall(KSPSetPCSide(ksp, PC_RIGHT));
                    PetscCall(KSPSetNormType(ksp, KSP_NORM_NONE));
                    PetscCall(
                        KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, its));
                    if (c != DEFAULT)
                        PetscCall(KSPSetConvergenceTest(ksp, c == OWN ? decide : KSPConvergedSkip,
                                                        NULL, NULL));
                    calls = 0;
                    PetscCall(solve(ksp, t.plain, &o[i]));
                    EXPECT(c != OWN || its < 300 || calls == 6, "%d calls of the test", calls);
                    PetscCall(KSPDestroy(&ksp));
                    PetscCall(twins_destroy(&t));
                }
                /* Where rounding leaves nothing PETSc's types end in three ways. */
                const KSPConvergedReason wanted = c > DEFAULT || its < 300 ? o[1].reason
                                                  : c == SKIP              ? KSP_CONVERGED_ITS
                                                                           : KSP_DIVERGED_ITS;
                EXPECT(o[0].error == 0 && o[0].reason == wanted, "%s, not %s",
                       KSPConvergedReasons[o[0].reason], KSPConvergedReasons[wanted]);
                if (its == 300 && c <= DEFAULT)
                    EXPECT(o[0].off <= 1e-12, "x is off by %g", (double)o[0].off);
            }
    PetscFunctionReturn(0);
}

/* ---- The end ---- */

/* PetscFinalize destroys these: Gable must still be there. */
static PetscErrorCode left(void)
{
    twins t;
    KSP ksp;
    outcome o;
    PetscFunctionBeginUser;
    twin_part = "left to PetscFinalize";
    PetscCall(twins_create(9, 0, &t));
    PetscCall(new_ksp("gablegmres", t.gable, PCILU, &ksp));
    PetscCall(solve(ksp, t.plain, &o));
    EXPECT(o.reason > 0 && o.off <= 1e-8, "reason %d", (int)o.reason);
    PetscCall(PetscObjectRegisterDestroy((PetscObject)ksp));
    PetscCall(PetscObjectRegisterDestroy((PetscObject)t.gable));
    PetscCall(MatDestroy(&t.plain));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    PetscFunctionBeginUser;
    PetscCall(lost_pivots());
    PetscCall(failing_functions());
    PetscCall(fixed());
    PetscCall(left());
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return twin_main(argc, argv, run);
}
