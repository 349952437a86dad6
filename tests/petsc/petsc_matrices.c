/* petsc_matrices.c: matrices of the PETSc plugin beside PETSc's own: changes, conversions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     petsc_matrices -dll_append libgable_petsc.so [-gable_device D]
 *
 * Products agree to 1e-13 of their largest element: rows have at most 6 entries.
 */
#include "petsc_twins.h"

/* All products of both, and their diagonals. */
static PetscErrorCode compare(Mat gable, Mat plain, const char *when)
{
    Vec right, left, got, wanted;
    PetscReal far;
    PetscInt rows, columns;
    PetscBool missing[2];
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(plain, &right, &left));
    PetscCall(twin_wave(right, 0.7));
    PetscCall(twin_wave(left, 1.3));
    for (int transposed = 0; transposed < 2; transposed++) {
        Vec x = transposed ? left : right, y = transposed ? right : left;
        PetscCall(VecDuplicate(y, &got));
        PetscCall(VecDuplicate(y, &wanted));
        PetscCall(transposed ? MatMultTranspose(gable, x, got) : MatMult(gable, x, got));
        PetscCall(transposed ? MatMultTranspose(plain, x, wanted) : MatMult(plain, x, wanted));
        PetscCall(twin_distance(got, wanted, &far));
        EXPECT(far <= 1e-13, "%s: products differ by %g", when, (double)far);
        for (int alias = 0; alias < 2; alias++) {
            PetscCall(VecSet(got, 3));
            PetscCall(VecCopy(y, wanted));
            Vec before = alias ? got : y;
            if (alias)
                PetscCall(VecCopy(y, got));
            PetscCall(transposed ? MatMultTransposeAdd(gable, x, before, got)
                                 : MatMultAdd(gable, x, before, got));
            PetscCall(transposed ? MatMultTransposeAdd(plain, x, y, wanted)
                                 : MatMultAdd(plain, x, y, wanted));
            PetscCall(twin_distance(got, wanted, &far));
            EXPECT(far <= 1e-13, "%s: sums differ by %g", when, (double)far);
        }
        PetscCall(VecDestroy(&got));
        PetscCall(VecDestroy(&wanted));
    }
    PetscCall(MatGetSize(plain, &rows, &columns));
    if (rows == columns) {
        PetscCall(VecDuplicate(left, &got));
        PetscCall(MatGetDiagonal(gable, got));
        PetscCall(MatGetDiagonal(plain, left));
        PetscCall(twin_distance(got, left, &far));
        EXPECT(far == 0, "%s: diagonals differ by %g", when, (double)far);
        PetscCall(VecDestroy(&got));
        PetscCall(MatMissingDiagonal(gable, &missing[0], NULL));
        PetscCall(MatMissingDiagonal(plain, &missing[1], NULL));
        EXPECT(missing[0] == missing[1], "%s: missing diagonals", when);
    }
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&left));
    PetscFunctionReturn(0);
}

static PetscErrorCode scale(Mat A)
{
    return MatScale(A, -2.5);
}

static PetscErrorCode other_values(Mat A)
{
    return twin_fill(A, 9, 0.7);
}

static PetscErrorCode zero_rows(Mat A)
{
    const PetscInt rows[3] = {0, 17, 80};
    return MatZeroRows(A, 3, rows, 5, NULL, NULL);
}

static PetscErrorCode drop_rows(Mat A)
{
    const PetscInt rows[2] = {4, 5};
    PetscFunctionBeginUser;
    PetscCall(MatSetOption(A, MAT_KEEP_NONZERO_PATTERN, PETSC_FALSE));
    PetscCall(MatZeroRows(A, 2, rows, 0, NULL, NULL));
    PetscFunctionReturn(0);
}

static PetscErrorCode in_place(Mat A)
{
    PetscScalar *values;
    PetscFunctionBeginUser;
    PetscCall(MatSeqAIJGetArray(A, &values));
    values[0] = 42;
    PetscCall(MatSeqAIJRestoreArray(A, &values));
    PetscFunctionReturn(0);
}

static PetscErrorCode changes(void)
{
    static const struct {
        const char *what;
        twin_change function;
    } list[] = {{"scaled", scale},        {"other values", other_values},
                {"in place", in_place},   {"one more entry", twin_one_more},
                {"zero rows", zero_rows}, {"dropped rows", drop_rows},
                {"scaled again", scale}};
    twins t, copies, converted;
    PetscFunctionBeginUser;
    twin_part = "changes";
    PetscCall(twins_create(9, 0.25, &t));
    PetscCall(compare(t.gable, t.plain, "new"));
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        PetscCall(twins_change(&t, list[i].function));
        PetscCall(compare(t.gable, t.plain, list[i].what));
        PetscCall(MatDuplicate(t.gable, MAT_COPY_VALUES, &copies.gable));
        PetscCall(twins_change(&t, scale)); /* the copy does not change */
        PetscCall(MatDuplicate(t.plain, MAT_COPY_VALUES, &copies.plain));
        PetscCall(MatScale(copies.plain, 1 / -2.5));
        PetscCall(compare(copies.gable, copies.plain, "a duplicate"));
        PetscCall(twins_destroy(&copies));
    }
    twin_part = "conversions";
    PetscCall(MatConvert(t.gable, MATSEQAIJ, MAT_INITIAL_MATRIX, &converted.plain));
    PetscCall(MatConvert(t.plain, "seqaijgable", MAT_INITIAL_MATRIX, &converted.gable));
    PetscCall(compare(converted.gable, converted.plain, "copies of the other type"));
    PetscBool is;
    PetscCall(PetscObjectTypeCompare((PetscObject)converted.plain, MATSEQAIJ, &is));
    EXPECT(is, "it is not seqaij");
    PetscCall(MatConvert(converted.gable, MATSEQAIJ, MAT_INPLACE_MATRIX, &converted.gable));
    PetscCall(MatConvert(converted.plain, "seqaijgable", MAT_INPLACE_MATRIX, &converted.plain));
    PetscCall(compare(converted.plain, converted.gable, "in place"));
    PetscCall(twins_destroy(&converted));
    PetscCall(twins_destroy(&t));
    PetscFunctionReturn(0);
}

static PetscErrorCode empty(void)
{
    static const PetscInt sizes[4][2] = {{0, 0}, {0, 5}, {5, 0}, {6, 4}};
    twins t;
    PetscFunctionBeginUser;
    twin_part = "blocks without entries";
    for (int i = 0; i < 4; i++) {
        PetscCall(twin_create("seqaijgable", sizes[i][0], sizes[i][1], &t.gable));
        PetscCall(twin_create(MATSEQAIJ, sizes[i][0], sizes[i][1], &t.plain));
        for (int j = 0; j < 2; j++) {
            Mat A = j ? t.plain : t.gable;
            PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
            PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
        }
        PetscCall(compare(t.gable, t.plain, "empty"));
        PetscCall(twins_destroy(&t));
    }
    twin_part = "few rows with entries";
    PetscCall(twin_create("seqaijgable", 50, 20, &t.gable));
    PetscCall(twin_create(MATSEQAIJ, 50, 20, &t.plain));
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < 2; j++) {
            Mat A = j ? t.plain : t.gable;
            for (PetscInt i = 3; i < 50; i += 9)
                PetscCall(MatSetValue(A, i, i % 20, (PetscReal)(pass + i), INSERT_VALUES));
            PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
            PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
        }
        PetscCall(compare(t.gable, t.plain, pass ? "with other values" : "new"));
    }
    PetscCall(twins_destroy(&t));
    PetscFunctionReturn(0);
}

/* More products than conversion waits for, and a change behind it. */
static PetscErrorCode converted(void)
{
    twins t;
    Vec x, y;
    PetscFunctionBeginUser;
    twin_part = "a format by the model";
    PetscCall(twins_create(9, 0.25, &t));
    PetscCall(MatCreateVecs(t.gable, &x, &y));
    for (int i = 0; i < 120; i++)
        PetscCall(MatMult(t.gable, x, y));
    PetscCall(compare(t.gable, t.plain, "converted"));
    PetscCall(twins_change(&t, scale));
    PetscCall(compare(t.gable, t.plain, "and changed"));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(twins_destroy(&t));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    PetscFunctionBeginUser;
    PetscCall(changes());
    PetscCall(empty());
    PetscCall(converted());
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return twin_main(argc, argv, run);
}
