/* petsc_ranks.c: distributed matrices of the PETSc plugin beside PETSc's own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     mpirun -np 2 petsc_ranks -dll_append libgable_petsc.so [-gable_device D] -file SCRATCH
 *
 * Programs as in PETSc's tutorials: Laplacians, a matrix from a file or from coordinates, blocks of
 * 3 rows, ranks without rows, multigrid, Newton's method. On one rank the matrices are seqaijgable.
 *
 * Products agree to 1e-13 of their largest element: rows have at most 7 entries, those of P^T A P
 * some 60. Solvers take PETSc's iterations, one more or less.
 */
#include <petscsnes.h>
#include "petsc_twins.h"

enum { SIDE = 12 };

static char scratch[256]; /* -file */

static PetscErrorCode assemble(Mat A)
{
    PetscFunctionBeginUser;
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* A grid of SIDE by SIDE points with so many unknowns each. `uneven`: the first rank has no rows,
 * the second one most. */
static PetscErrorCode grid(MatType type, PetscInt unknowns, PetscBool uneven, Mat *A)
{
    const PetscInt n = SIDE * SIDE * unknowns, few = 10 * unknowns, b = unknowns;
    PetscMPIInt rank, ranks;
    PetscInt first, last, local = PETSC_DECIDE;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    if (uneven && ranks > 1)
        local = rank == 0 ? 0 : rank == 1 ? n - (ranks - 2) * few : few;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, local, local, n, n));
    PetscCall(MatSetBlockSize(*A, unknowns));
    PetscCall(MatSetType(*A, type));
    PetscCall(MatSetUp(*A));
    PetscCall(MatGetOwnershipRange(*A, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        const PetscInt point = i / b, x = point % SIDE, y = point / SIDE;
        for (PetscInt k = 0; k < b; k++)
            PetscCall(MatSetValue(*A, i, point * b + k,
                                  k == i % b ? 5 : 0.1 * (PetscReal)(i % b + k), INSERT_VALUES));
        if (x > 0)
            PetscCall(MatSetValue(*A, i, i - b, -1, INSERT_VALUES));
        if (x < SIDE - 1)
            PetscCall(MatSetValue(*A, i, i + b, -1, INSERT_VALUES));
        if (y > 0)
            PetscCall(MatSetValue(*A, i, i - SIDE * b, -1, INSERT_VALUES));
        if (y < SIDE - 1)
            PetscCall(MatSetValue(*A, i, i + SIDE * b, -1, INSERT_VALUES));
    }
    PetscCall(assemble(*A));
    PetscFunctionReturn(0);
}

static PetscErrorCode compare(Mat gable, Mat plain, const char *when)
{
    Vec x, y, got, wanted;
    PetscReal far;
    MatType type;
    PetscBool ours;
    PetscFunctionBeginUser;
    PetscCall(MatGetType(gable, &type));
    PetscCall(PetscStrendswith(type, "gable", &ours));
    EXPECT(ours, "%s: the type is %s", when, type);
    PetscCall(MatCreateVecs(plain, &x, &y));
    PetscCall(twin_wave(x, 0.7));
    PetscCall(twin_wave(y, 1.3));
    for (int transposed = 0; transposed < 2; transposed++) {
        PetscCall(VecDuplicate(transposed ? x : y, &got));
        PetscCall(VecDuplicate(got, &wanted));
        PetscCall(transposed ? MatMultTranspose(gable, y, got) : MatMult(gable, x, got));
        PetscCall(transposed ? MatMultTranspose(plain, y, wanted) : MatMult(plain, x, wanted));
        PetscCall(twin_distance(got, wanted, &far));
        EXPECT(far <= 1e-13, "%s: products differ by %g", when, (double)far);
        PetscCall(VecDestroy(&got));
        PetscCall(VecDestroy(&wanted));
    }
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscFunctionReturn(0);
}

/* ---- Solvers ---- */

static PetscErrorCode solve(Mat A, const char *words, PetscInt *its)
{
    PetscOptions options;
    KSP ksp;
    KSPConvergedReason reason;
    Vec x, b, known;
    PetscReal far;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsCreate(&options));
    PetscCall(PetscOptionsInsertString(options, words));
    PetscCall(PetscOptionsPush(options));
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecDuplicate(x, &known));
    PetscCall(twin_wave(known, 0.37));
    PetscCall(MatMult(A, known, b));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetIterationNumber(ksp, its));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(twin_distance(x, known, &far));
    EXPECT(reason > 0 && far <= 1e-8, "%s: %s, x is off by %g", words, KSPConvergedReasons[reason],
           (double)far); /* the condition is at most 20 */
    PetscCall(KSPDestroy(&ksp));
    PetscCall(PetscOptionsPop());
    PetscCall(PetscOptionsDestroy(&options));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&known));
    PetscFunctionReturn(0);
}

static PetscErrorCode solves(Mat gable, Mat plain)
{
    static const struct {
        const char *both, *gable, *plain;
    } list[] = {
        {"-ksp_type cg -pc_type jacobi", "", ""},
        {"-ksp_type cg -pc_type gamg", "", ""},
        {"-ksp_type pipecg -pc_type jacobi", "", ""},
        {"-ksp_type preonly -pc_type redundant", "", ""},
        {"-ksp_type gmres -pc_type bjacobi",
         "-sub_pc_type gable -sub_pc_gable_options precond=ilu0", "-sub_pc_type ilu"},
        {"-ksp_type gmres -pc_type asm", "-sub_pc_type gable -sub_pc_gable_options precond=ilu0",
         "-sub_pc_type ilu"},
        {"-ksp_type fgmres -pc_type bjacobi -sub_pc_type ilu -sub_ksp_rtol 1e-2",
         "-sub_ksp_type gablegmres",
         "-sub_ksp_type gmres -sub_ksp_pc_side right -sub_ksp_norm_type unpreconditioned"},
        {"-ksp_type fgmres -pc_type bjacobi -sub_pc_type jacobi -sub_ksp_norm_type none "
         "-sub_ksp_max_it 3",
         "-sub_ksp_type gablecg", "-sub_ksp_type cg"},
    };
    PetscFunctionBeginUser;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char words[256];
        PetscInt its, wanted;
        PetscCall(PetscSNPrintf(words, sizeof words, "%s %s", list[i].both, list[i].gable));
        PetscCall(solve(gable, words, &its));
        PetscCall(PetscSNPrintf(words, sizeof words, "%s %s", list[i].both, list[i].plain));
        PetscCall(solve(plain, words, &wanted));
        EXPECT(its >= wanted - 1 && its <= wanted + 1, "%s: %d iterations, PETSc's takes %d",
               list[i].both, (int)its, (int)wanted);
    }
    PetscFunctionReturn(0);
}

/* A pivot of the first rank is 0: all ranks learn it, and none waits for another. */
static PetscErrorCode lost(Mat gable)
{
    PetscOptions options;
    KSP ksp;
    PC pc;
    KSPConvergedReason reason;
    PCFailedReason failed;
    PetscInt first;
    Vec x, b;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(gable, &first, NULL));
    if (first == 0)
        PetscCall(MatSetValue(gable, 0, 0, 0, INSERT_VALUES));
    PetscCall(assemble(gable));
    PetscCall(PetscOptionsCreate(&options));
    PetscCall(PetscOptionsInsertString(options, "-sub_pc_gable_options precond=ilu0"));
    PetscCall(PetscOptionsInsertString(options, "-pc_type bjacobi -sub_pc_type gable"));
    PetscCall(PetscOptionsPush(options));
    PetscCall(MatCreateVecs(gable, &x, &b));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, gable, gable));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCGetFailedReason(pc, &failed));
    EXPECT(reason == KSP_DIVERGED_PC_FAILED && failed == PC_SUBPC_ERROR, "a lost pivot: %s, %s",
           KSPConvergedReasons[reason], PCFailedReasons[failed]);
    PetscCall(KSPDestroy(&ksp));
    PetscCall(PetscOptionsPop());
    PetscCall(PetscOptionsDestroy(&options));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscFunctionReturn(0);
}

/* ---- Products, parts, conversions ---- */

static PetscErrorCode products(Mat gable, Mat plain)
{
    Mat a, b;
    PetscFunctionBeginUser;
    for (int triple = 0; triple < 2; triple++) {
        PetscCall(triple ? MatPtAP(gable, gable, MAT_INITIAL_MATRIX, 2, &a)
                         : MatMatMult(gable, gable, MAT_INITIAL_MATRIX, 2, &a));
        PetscCall(triple ? MatPtAP(plain, plain, MAT_INITIAL_MATRIX, 2, &b)
                         : MatMatMult(plain, plain, MAT_INITIAL_MATRIX, 2, &b));
        PetscCall(compare(a, b, triple ? "P^T A P" : "A A"));
        PetscCall(MatScale(gable, 2));
        PetscCall(MatScale(plain, 2));
        PetscCall(triple ? MatPtAP(gable, gable, MAT_REUSE_MATRIX, 2, &a)
                         : MatMatMult(gable, gable, MAT_REUSE_MATRIX, 2, &a));
        PetscCall(triple ? MatPtAP(plain, plain, MAT_REUSE_MATRIX, 2, &b)
                         : MatMatMult(plain, plain, MAT_REUSE_MATRIX, 2, &b));
        PetscCall(compare(a, b, triple ? "P^T A P again" : "A A again"));
        PetscCall(MatDestroy(&a));
        PetscCall(MatDestroy(&b));
    }
    PetscCall(MatTranspose(gable, MAT_INITIAL_MATRIX, &a));
    PetscCall(MatTranspose(plain, MAT_INITIAL_MATRIX, &b));
    PetscCall(compare(a, b, "transposed"));
    PetscCall(MatDestroy(&a));
    PetscCall(MatDestroy(&b));
    PetscFunctionReturn(0);
}

static PetscErrorCode parts(Mat gable, Mat plain)
{
    Mat a, b;
    IS rows;
    PetscViewer viewer;
    PetscInt first, last, zeroed;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(gable, &first, &last));
    zeroed = first;
    PetscCall(MatZeroRowsColumns(gable, last > first, &zeroed, 3, NULL, NULL));
    PetscCall(MatZeroRowsColumns(plain, last > first, &zeroed, 3, NULL, NULL));
    PetscCall(compare(gable, plain, "a row and a column zeroed"));
    PetscCall(MatDuplicate(gable, MAT_COPY_VALUES, &a));
    PetscCall(compare(a, plain, "a duplicate"));
    PetscCall(MatDestroy(&a));
    PetscCall(ISCreateStride(PETSC_COMM_WORLD, last - first, first, 1, &rows));
    PetscCall(MatCreateSubMatrix(gable, rows, rows, MAT_INITIAL_MATRIX, &a));
    PetscCall(compare(a, plain, "a part"));
    PetscCall(MatAXPY(gable, 0.5, plain, SAME_NONZERO_PATTERN));
    PetscCall(MatScale(plain, 1.5));
    PetscCall(MatCreateSubMatrix(gable, rows, rows, MAT_REUSE_MATRIX, &a));
    PetscCall(compare(a, plain, "a part again"));
    PetscCall(MatDestroy(&a));
    PetscCall(ISDestroy(&rows));

    PetscCall(MatConvert(gable, MATAIJ, MAT_INITIAL_MATRIX, &b));
    PetscCall(compare(gable, b, "converted to aij"));
    PetscCall(MatConvert(b, "aijgable", MAT_INITIAL_MATRIX, &a));
    PetscCall(compare(a, b, "and back"));
    PetscCall(MatShift(b, 1));
    PetscCall(MatConvert(b, "aijgable", MAT_REUSE_MATRIX, &a));
    PetscCall(compare(a, b, "and other values"));
    PetscCall(MatShift(b, -1));
    PetscCall(MatDestroy(&a));
    PetscCall(MatConvert(b, "aijgable", MAT_INPLACE_MATRIX, &b));
    PetscCall(compare(b, plain, "in place"));
    PetscCall(MatDestroy(&b));

    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, scratch, FILE_MODE_WRITE, &viewer));
    PetscCall(MatView(gable, viewer));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, scratch, FILE_MODE_READ, &viewer));
    PetscCall(MatCreate(PETSC_COMM_WORLD, &a));
    PetscCall(MatSetSizes(a, last - first, last - first, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(a, "aijgable"));
    PetscCall(MatLoad(a, viewer));
    PetscCall(compare(a, plain, "from a file"));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscCall(MatDestroy(&a));
    PetscFunctionReturn(0);
}

/* ---- Entries by coordinates ---- */

/* Each rank gives five entries of its rows and one of a row that may be another rank's. */
static PetscErrorCode coordinates(void)
{
    enum { N = 100 };
    PetscInt row[6 * N], column[6 * N], first, last, count = 0;
    PetscScalar value[6 * N];
    PetscLayout layout;
    Mat A[2];
    PetscFunctionBeginUser;
    twin_part = "coordinates";
    for (int i = 0; i < 2; i++) {
        PetscCall(MatCreate(PETSC_COMM_WORLD, &A[i]));
        PetscCall(MatSetSizes(A[i], PETSC_DECIDE, PETSC_DECIDE, N, N));
        PetscCall(MatSetType(A[i], i ? MATAIJ : "aijgable"));
        PetscCall(MatGetLayouts(A[i], &layout, NULL));
        PetscCall(PetscLayoutSetUp(layout));
        PetscCall(PetscLayoutGetRange(layout, &first, &last));
        count = 0;
        for (PetscInt r = first; r < last; r++) {
            for (PetscInt d = -2; d <= 2; d++)
                if (r + d >= 0 && r + d < N) {
                    row[count] = r;
                    column[count] = r + d;
                    value[count++] = d == 0 ? 5 : -1;
                }
            row[count] = column[count] = (r + 37) % N;
            value[count++] = 0.5;
        }
        PetscCall(MatSetPreallocationCOO(A[i], count, row, column)); /* changes both */
        PetscCall(MatSetValuesCOO(A[i], value, INSERT_VALUES));
    }
    PetscCall(compare(A[0], A[1], "inserted"));
    for (PetscInt k = 0; k < count; k++)
        value[k] *= 1.5 + (PetscReal)(k % 3);
    for (int add = 0; add < 2; add++) {
        for (int i = 0; i < 2; i++)
            PetscCall(MatSetValuesCOO(A[i], value, add ? ADD_VALUES : INSERT_VALUES));
        PetscCall(compare(A[0], A[1], add ? "added" : "inserted again"));
    }
    PetscCall(MatDestroy(&A[0]));
    PetscCall(MatDestroy(&A[1]));
    PetscFunctionReturn(0);
}

/* ---- Newton's method: A x + e^x / 10 = 1 ---- */

static PetscErrorCode residual(SNES snes, Vec x, Vec f, void *given)
{
    Vec e;
    PetscFunctionBeginUser;
    (void)snes;
    PetscCall(VecDuplicate(x, &e));
    PetscCall(VecCopy(x, e));
    PetscCall(VecExp(e));
    PetscCall(MatMult(given, x, f));
    PetscCall(VecAXPY(f, 0.1, e));
    PetscCall(VecShift(f, -1));
    PetscCall(VecDestroy(&e));
    PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(SNES snes, Vec x, Mat J, Mat P, void *given)
{
    Vec e;
    PetscFunctionBeginUser;
    (void)snes, (void)J;
    PetscCall(VecDuplicate(x, &e));
    PetscCall(VecCopy(x, e));
    PetscCall(VecExp(e));
    PetscCall(VecScale(e, 0.1));
    PetscCall(MatCopy(given, P, SAME_NONZERO_PATTERN));
    PetscCall(MatDiagonalSet(P, e, ADD_VALUES));
    PetscCall(VecDestroy(&e));
    PetscFunctionReturn(0);
}

static PetscErrorCode newton(void)
{
    static const char *const words[] = {
        "-ksp_type gmres -pc_type bjacobi -sub_pc_type ilu",
        "-ksp_type gmres -pc_type bjacobi -sub_pc_type gable -sub_pc_gable_options precond=ilu0",
        "-ksp_type gablegmres -pc_type ilu"};
    Vec found[3];
    PetscMPIInt ranks;
    PetscInt its[3];
    PetscFunctionBeginUser;
    twin_part = "Newton's method";
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    const int kinds = ranks == 1 ? 3 : 2;
    for (int i = 0; i < kinds; i++) {
        PetscOptions options;
        SNES snes;
        SNESConvergedReason reason;
        Mat A, J;
        Vec f;
        PetscReal far;
        PetscCall(grid(i ? "aijgable" : MATAIJ, 1, PETSC_FALSE, &A));
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &J));
        PetscCall(MatCreateVecs(A, &found[i], &f));
        PetscCall(PetscOptionsCreate(&options));
        PetscCall(PetscOptionsInsertString(options, words[i]));
        PetscCall(PetscOptionsPush(options));
        PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
        PetscCall(SNESSetFunction(snes, f, residual, A));
        PetscCall(SNESSetJacobian(snes, J, J, jacobian, A));
        PetscCall(SNESSetFromOptions(snes));
        PetscCall(SNESSolve(snes, NULL, found[i]));
        PetscCall(SNESGetConvergedReason(snes, &reason));
        PetscCall(SNESGetIterationNumber(snes, &its[i]));
        if (i > 0) {
            PetscCall(VecCopy(found[i], f));
            PetscCall(twin_distance(f, found[0], &far));
            EXPECT(reason > 0 && its[i] == its[0] && far <= 1e-7,
                   "%s: %s, %d steps, PETSc's takes %d, x differs by %g", words[i],
                   SNESConvergedReasons[reason], (int)its[i], (int)its[0], (double)far);
        }
        PetscCall(SNESDestroy(&snes));
        PetscCall(PetscOptionsPop());
        PetscCall(PetscOptionsDestroy(&options));
        PetscCall(MatDestroy(&A));
        PetscCall(MatDestroy(&J));
        PetscCall(VecDestroy(&f));
    }
    for (int i = 0; i < kinds; i++)
        PetscCall(VecDestroy(&found[i]));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    static const char *const cases[] = {"one unknown", "ranks without rows", "three unknowns",
                                        "three unknowns, ranks without rows"};
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsGetString(NULL, NULL, "-file", scratch, sizeof scratch, NULL));
    for (int i = 0; i < 4; i++) {
        Mat gable, plain;
        twin_part = cases[i];
        PetscCall(grid("aijgable", i < 2 ? 1 : 3, (PetscBool)(i % 2), &gable));
        PetscCall(grid(MATAIJ, i < 2 ? 1 : 3, (PetscBool)(i % 2), &plain));
        PetscCall(compare(gable, plain, "new"));
        PetscCall(solves(gable, plain));
        PetscCall(products(gable, plain));
        PetscCall(parts(gable, plain));
        if (i == 0)
            PetscCall(lost(gable));
        PetscCall(MatDestroy(&gable));
        PetscCall(MatDestroy(&plain));
    }
    PetscCall(coordinates());
    PetscCall(newton());
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return twin_main(argc, argv, run);
}
