/* poisson.c: a program for PETSc that knows nothing of Gable, to be run with its plugin.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * -u'' = 1 on a line, u = 0 at its ends; prints how far u is from x (1 - x) / 2.
 *
 *   mpicc poisson.c $(pkg-config --cflags --libs PETSc) -o poisson
 *   ./poisson -dll_append .../libgable_petsc.so -ksp_type gablecg -ksp_view
 *   mpirun -np 2 ./poisson -dll_append .../libgable_petsc.so -mat_type aijgable
 */
#include <petscksp.h>

int main(int argc, char **argv)
{
    PetscInt n = 500, first, last, its;
    PetscReal worst;
    Mat A;
    Vec u, b, exact;
    KSP ksp;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
    const PetscReal h = 1 / (PetscReal)(n + 1);

    PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
    PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, n, n));
    PetscCall(MatSetFromOptions(A)); /* -mat_type */
    PetscCall(MatSeqAIJSetPreallocation(A, 3, NULL));
    PetscCall(MatMPIAIJSetPreallocation(A, 3, NULL, 1, NULL));
    PetscCall(MatCreateVecs(A, &u, &b));
    PetscCall(VecDuplicate(u, &exact));
    PetscCall(MatGetOwnershipRange(A, &first, &last));
    for (PetscInt i = first; i < last; i++) {
        const PetscReal x = h * (PetscReal)(i + 1);
        PetscCall(MatSetValue(A, i, i, 2, INSERT_VALUES));
        if (i > 0)
            PetscCall(MatSetValue(A, i, i - 1, -1, INSERT_VALUES));
        if (i < n - 1)
            PetscCall(MatSetValue(A, i, i + 1, -1, INSERT_VALUES));
        PetscCall(VecSetValue(exact, i, x * (1 - x) / 2, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscCall(VecAssemblyBegin(exact));
    PetscCall(VecAssemblyEnd(exact));
    PetscCall(VecSet(b, h * h));

    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetFromOptions(ksp)); /* -ksp_type, -pc_type */
    PetscCall(KSPSolve(ksp, b, u));
    PetscCall(KSPGetIterationNumber(ksp, &its));
    PetscCall(VecAXPY(exact, -1, u));
    PetscCall(VecNorm(exact, NORM_INFINITY, &worst));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d unknowns, %d iterations, error %g\n", (int)n,
                          (int)its, (double)worst));

    PetscCall(KSPDestroy(&ksp));
    PetscCall(MatDestroy(&A));
    PetscCall(VecDestroy(&u));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&exact));
    PetscCall(PetscFinalize());
    return 0;
}
