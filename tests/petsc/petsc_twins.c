/* petsc_twins.c: matrices of the PETSc plugin beside twins of PETSc's own type.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "petsc_twins.h"

int twin_failures;
const char *twin_part = "";

PetscErrorCode twins_change(const twins *t, twin_change function)
{
    PetscFunctionBeginUser;
    PetscCall((*function)(t->gable));
    PetscCall((*function)(t->plain));
    PetscFunctionReturn(0);
}

PetscErrorCode twin_fill(Mat A, PetscInt n, PetscReal wind)
{
    PetscFunctionBeginUser;
    for (PetscInt i = 0; i < n * n; i++) {
        PetscCall(MatSetValue(A, i, i, 4 + (PetscReal)(i % 5), INSERT_VALUES));
        if (i % n > 0)
            PetscCall(MatSetValue(A, i, i - 1, -1 - wind, INSERT_VALUES));
        if (i % n < n - 1)
            PetscCall(MatSetValue(A, i, i + 1, -1 + wind, INSERT_VALUES));
        if (i >= n)
            PetscCall(MatSetValue(A, i, i - n, -1 - wind, INSERT_VALUES));
        if (i < n * n - n)
            PetscCall(MatSetValue(A, i, i + n, -1 + wind, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

PetscErrorCode twin_create(MatType type, PetscInt rows, PetscInt columns, Mat *A)
{
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_SELF, A));
    PetscCall(MatSetSizes(*A, rows, columns, rows, columns));
    PetscCall(MatSetType(*A, type));
    PetscCall(MatSeqAIJSetPreallocation(*A, 6, NULL));
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscFunctionReturn(0);
}

PetscErrorCode twins_create(PetscInt n, PetscReal wind, twins *t)
{
    PetscFunctionBeginUser;
    PetscCall(twin_create("seqaijgable", n * n, n * n, &t->gable));
    PetscCall(twin_create(MATSEQAIJ, n * n, n * n, &t->plain));
    PetscCall(twin_fill(t->gable, n, wind));
    PetscCall(twin_fill(t->plain, n, wind));
    PetscFunctionReturn(0);
}

PetscErrorCode twins_destroy(twins *t)
{
    PetscFunctionBeginUser;
    PetscCall(MatDestroy(&t->gable));
    PetscCall(MatDestroy(&t->plain));
    PetscFunctionReturn(0);
}

PetscErrorCode twin_distance(Vec a, Vec b, PetscReal *distance)
{
    PetscReal size;
    PetscFunctionBeginUser;
    PetscCall(VecNorm(b, NORM_INFINITY, &size));
    PetscCall(VecAXPY(a, -1, b));
    PetscCall(VecNorm(a, NORM_INFINITY, distance));
    *distance /= size > 0 ? size : 1;
    PetscFunctionReturn(0);
}

PetscErrorCode twin_wave(Vec x, PetscReal step)
{
    PetscInt n;
    PetscScalar *v;
    PetscFunctionBeginUser;
    PetscCall(VecGetLocalSize(x, &n));
    PetscCall(VecGetArray(x, &v));
    for (PetscInt i = 0; i < n; i++)
        v[i] = 1 + PetscSinReal(step * (PetscReal)(i + 1));
    PetscCall(VecRestoreArray(x, &v));
    PetscFunctionReturn(0);
}

PetscErrorCode twin_one_more(Mat A)
{
    PetscFunctionBeginUser;
    PetscCall(MatSetOption(A, MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
    PetscCall(MatSetValue(A, 3, 77, 11, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

int twin_main(int argc, char **argv, PetscErrorCode (*run)(void))
{
    MPI_Init(&argc, &argv);
    for (int turn = 0; turn < 2; turn++) {
        PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
        PetscCall((*run)());
        PetscCall(PetscFinalize());
    }
    MPI_Finalize();
    printf("%d failures\n", twin_failures);
    return twin_failures > 0;
}
