/* petsc_program.c: a PETSc program that knows nothing of Gable: a system, a solve, its error.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     petsc_program [-case laplace|convection|neumann] [-n 40] [-steps 1] [-again 0]
 *                   [-preallocated]
 *
 * Rows are those of a grid of n by n points. The solution is known, and b and all products that are
 * compared come from the stencil, not from the matrix: a wrong product cannot confirm itself.
 *
 * Each step has other values in the matrix, and solves with them once and -again so many times.
 * Prints one line: iterations, the reason, the relative error of x, and the largest relative error
 * of the products.
 */
#include <petscksp.h>

typedef struct grid {
    PetscInt n;
    PetscReal wind;    /* makes it unsymmetric */
    PetscBool neumann; /* singular: constants are its null space */
    PetscReal factor;  /* of all entries: another one in each step */
} grid;

/* The entry of a row for a neighbour at distance (dx, dy). */
static PetscScalar entry(const grid *g, PetscInt row, PetscInt dx, PetscInt dy)
{
    const PetscInt n = g->n, x = row % n, y = row / n;
    if (dx != 0 || dy != 0)
        return g->factor * (-1 + g->wind * (PetscReal)(dx + dy));
    if (!g->neumann)
        return g->factor * (4 + (PetscReal)(row % 7) / 10);
    return g->factor * (PetscReal)((x > 0) + (x < n - 1) + (y > 0) + (y < n - 1));
}

static PetscBool inside(const grid *g, PetscInt row, PetscInt dx, PetscInt dy)
{
    const PetscInt x = row % g->n + dx, y = row / g->n + dy;
    return (PetscBool)(x >= 0 && y >= 0 && x < g->n && y < g->n);
}

static const PetscInt near[5][2] = {{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}};

/* The known solution, and another vector: mean 0 on the singular grid. */
static PetscReal value(const grid *g, PetscInt row, PetscReal shift)
{
    const PetscReal h = 2 * PETSC_PI / (PetscReal)g->n;
    return PetscSinReal(h * (PetscReal)(row % g->n) + shift) *
           (1 + PetscCosReal(h * (PetscReal)(row / g->n)));
}

/* y_i of op(A) x, from the stencil. */
static PetscScalar product(const grid *g, PetscInt row, PetscReal shift, PetscBool transposed)
{
    PetscScalar sum = 0;
    for (int k = 0; k < 5; k++) {
        const PetscInt dx = near[k][0], dy = near[k][1], other = row + dx + g->n * dy;
        if (inside(g, row, dx, dy))
            sum += (transposed ? entry(g, other, -dx, -dy) : entry(g, row, dx, dy)) *
                   value(g, other, shift);
    }
    return sum;
}

static PetscErrorCode fill(const grid *g, Mat A)
{
    PetscInt first, last;
    PetscFunctionBeginUser;
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt row = first; row < last; row++)
        for (int k = 0; k < 5; k++)
            if (inside(g, row, near[k][0], near[k][1]))
                PetscCall(MatSetValue(A, row, row + near[k][0] + g->n * near[k][1],
                                      entry(g, row, near[k][0], near[k][1]), INSERT_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* What: 0 the vector itself, 1 its product, 2 its transposed product. */
static PetscErrorCode set(const grid *g, Vec v, PetscReal shift, int what)
{
    PetscInt first, last;
    PetscScalar *x;
    PetscFunctionBeginUser;
    PetscCall(VecGetOwnershipRange(v, &first, &last));
    PetscCall(VecGetArray(v, &x));
    for (PetscInt i = first; i < last; i++)
        x[i - first] = what == 0 ? value(g, i, shift) : product(g, i, shift, what == 2);
    PetscCall(VecRestoreArray(v, &x));
    PetscFunctionReturn(0);
}

static PetscErrorCode differ(Vec got, Vec wanted, PetscReal *worst)
{
    PetscReal size, norm;
    PetscFunctionBeginUser;
    PetscCall(VecNorm(wanted, NORM_INFINITY, &size));
    PetscCall(VecAXPY(got, -1, wanted));
    PetscCall(VecNorm(got, NORM_INFINITY, &norm));
    norm /= size;
    if (!(norm <= *worst)) /* NaN stays */
        *worst = norm;
    PetscFunctionReturn(0);
}

/* All four products, the sums also into the vector that is added. */
static PetscErrorCode products(const grid *g, Mat A, PetscReal *worst)
{
    Vec x, y, z, wanted;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(A, &x, &y));
    PetscCall(VecDuplicate(y, &z));
    PetscCall(VecDuplicate(y, &wanted));
    PetscCall(set(g, x, 0.3, 0));
    for (int transposed = 0; transposed < 2; transposed++) {
        PetscCall(set(g, wanted, 0.3, 1 + transposed));
        PetscCall(VecSet(y, 7));
        PetscCall(transposed ? MatMultTranspose(A, x, y) : MatMult(A, x, y));
        PetscCall(differ(y, wanted, worst));
        PetscCall(VecShift(wanted, 1));
        for (int alias = 0; alias < 2; alias++) {
            Vec to = alias ? y : z;
            PetscCall(VecSet(y, 1));
            PetscCall(VecSet(z, 7));
            if (alias) /* its diagonal and off-diagonal parts are added like that */
                PetscCall(VecSet(to, 1));
            PetscCall(transposed ? MatMultTransposeAdd(A, x, y, to) : MatMultAdd(A, x, y, to));
            PetscCall(differ(to, wanted, worst));
        }
    }
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(VecDestroy(&z));
    PetscCall(VecDestroy(&wanted));
    PetscFunctionReturn(0);
}

static PetscErrorCode create(const grid *g, PetscBool preallocated, Mat *A)
{
    const PetscInt rows = g->n * g->n;
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, rows, rows));
    if (preallocated) { /* as aij, before the options choose another type */
        PetscCall(MatSetType(*A, MATAIJ));
        PetscCall(MatSeqAIJSetPreallocation(*A, 5, NULL));
        PetscCall(MatMPIAIJSetPreallocation(*A, 5, NULL, 5, NULL));
    }
    PetscCall(MatSetFromOptions(*A));
    if (!preallocated) {
        PetscCall(MatSeqAIJSetPreallocation(*A, 5, NULL));
        PetscCall(MatMPIAIJSetPreallocation(*A, 5, NULL, 5, NULL));
    }
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    grid g = {.n = 40, .factor = 1};
    char name[32] = "laplace";
    PetscInt steps = 1, again = 0, its, all = 0;
    PetscBool preallocated = PETSC_FALSE, is;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscReal error = 0, worst = 0;
    Vec x, b, wanted;
    MatNullSpace constants;
    MatType type;
    KSP ksp;
    Mat A;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &g.n, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-steps", &steps, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-again", &again, NULL));
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-preallocated", &preallocated, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-case", name, sizeof name, NULL));
    PetscCall(PetscStrcmp(name, "convection", &is));
    g.wind = is ? 0.4 : 0;
    PetscCall(PetscStrcmp(name, "neumann", &g.neumann));
    PetscCall(create(&g, preallocated, &A));
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecDuplicate(x, &wanted));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetFromOptions(ksp));
    for (PetscInt step = 0; step < steps; step++) {
        g.factor = 1 + (PetscReal)step; /* the same pattern, other values */
        PetscCall(fill(&g, A));
        if (g.neumann) {
            PetscCall(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constants));
            PetscCall(MatSetNullSpace(A, constants));
            PetscCall(MatNullSpaceDestroy(&constants));
            PetscCall(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
        }
        PetscCall(set(&g, wanted, 0, 0));
        PetscCall(set(&g, b, 0, 1));
        PetscCall(KSPSetOperators(ksp, A, A));
        for (PetscInt turn = 0; turn <= again; turn++) {
            PetscCall(VecSet(x, 0.5)); /* a guess, where -ksp_initial_guess_nonzero asks for it */
            PetscCall(KSPSolve(ksp, b, x));
        }
        PetscCall(KSPGetIterationNumber(ksp, &its));
        PetscCall(KSPGetConvergedReason(ksp, &reason));
        all += its;
        PetscCall(products(&g, A, &worst));
        PetscCall(differ(x, wanted, &error));
    }
    PetscCall(MatGetType(A, &type));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                          "result %d iterations reason %d error %.2e products %.2e type %s\n",
                          (int)all, (int)reason, (double)error, (double)worst, type));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&wanted));
    PetscCall(PetscFinalize());
    return 0;
}
