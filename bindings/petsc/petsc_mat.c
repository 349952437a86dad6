/* petsc_mat.c: the matrix types seqaijgable and mpiaijgable: PETSc's aij with Gable's products.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each is the type of PETSc's with another name and other products: assembly, duplicates, zeroed
 * rows, factorizations and all else stay PETSc's. Of mpiaij the two local blocks are seqaijgable,
 * and PETSc exchanges the ghost values between them.
 */
#include <petsc/private/matimpl.h>
#include "petsc_plugin.h"

/* Those of seqaij, for conversions back and for what is done beside Gable. */
static struct _MatOps plain;

/* ---- Products ---- */

static PetscErrorCode multiply(Mat A, gable_trans trans, Vec x, PetscBool add, Vec y)
{
    const PetscScalar *from;
    PetscScalar *to;
    PetscFunctionBegin;
    PetscCall(VecGetArrayRead(x, &from));
    if (add)
        PetscCall(VecGetArray(y, &to));
    else
        PetscCall(VecGetArrayWrite(y, &to));
    const PetscErrorCode error = gp_product(A, trans, from, add, to);
    if (add)
        PetscCall(VecRestoreArray(y, &to));
    else
        PetscCall(VecRestoreArrayWrite(y, &to));
    PetscCall(VecRestoreArrayRead(x, &from));
    PetscCall(error);
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatMult_SeqAIJGable(Mat A, Vec x, Vec y)
{
    return multiply(A, GABLE_NO_TRANS, x, PETSC_FALSE, y);
}

static PetscErrorCode MatMultTranspose_SeqAIJGable(Mat A, Vec x, Vec y)
{
    return multiply(A, GABLE_TRANS, x, PETSC_FALSE, y);
}

/* z := y + op(A) x, where z may be y: distributed products call it that way. */
static PetscErrorCode multiply_add(Mat A, gable_trans trans, Vec x, Vec y, Vec z)
{
    PetscFunctionBegin;
    if (y != z)
        PetscCall(VecCopy(y, z));
    PetscCall(multiply(A, trans, x, PETSC_TRUE, z));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatMultAdd_SeqAIJGable(Mat A, Vec x, Vec y, Vec z)
{
    return multiply_add(A, GABLE_NO_TRANS, x, y, z);
}

static PetscErrorCode MatMultTransposeAdd_SeqAIJGable(Mat A, Vec x, Vec y, Vec z)
{
    return multiply_add(A, GABLE_TRANS, x, y, z);
}

#if defined(PETSC_USE_COMPLEX)
static PetscErrorCode MatMultHermitianTranspose_SeqAIJGable(Mat A, Vec x, Vec y)
{
    return multiply(A, GABLE_CONJ_TRANS, x, PETSC_FALSE, y);
}

static PetscErrorCode MatMultHermitianTransposeAdd_SeqAIJGable(Mat A, Vec x, Vec y, Vec z)
{
    return multiply_add(A, GABLE_CONJ_TRANS, x, y, z);
}
#endif

static PetscErrorCode MatView_SeqAIJGable(Mat A, PetscViewer viewer)
{
    PetscBool ascii;
    PetscViewerFormat format;
    PetscFunctionBegin;
    PetscCall((*plain.view)(A, viewer));
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
    if (!ascii)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(PetscViewerGetFormat(viewer, &format));
    if (format == PETSC_VIEWER_ASCII_INFO || format == PETSC_VIEWER_ASCII_INFO_DETAIL)
        PetscCall(gp_product_view(A, viewer));
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- seqaijgable ---- */

static PetscErrorCode MatConvert_SeqAIJGable_SeqAIJ(Mat A, MatType type, MatReuse reuse, Mat *to)
{
    Mat B = *to;
    PetscFunctionBegin;
    (void)type;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(A, B, SAME_NONZERO_PATTERN));
    if (reuse != MAT_REUSE_MATRIX) {
        B->ops->mult = plain.mult;
        B->ops->multadd = plain.multadd;
        B->ops->multtranspose = plain.multtranspose;
        B->ops->multtransposeadd = plain.multtransposeadd;
        B->ops->multhermitiantranspose = plain.multhermitiantranspose;
        B->ops->multhermitiantransposeadd = plain.multhermitiantransposeadd;
        B->ops->view = plain.view;
        PetscCall(PetscObjectCompose((PetscObject)B, "gable_carried", NULL));
        PetscCall(
            PetscObjectComposeFunction((PetscObject)B, "MatConvert_" GP_SEQ "_seqaij_C", NULL));
        PetscCall(
            PetscObjectComposeFunction((PetscObject)B, "MatConvert_seqaij_" GP_SEQ "_C", NULL));
        PetscCall(PetscObjectChangeTypeName((PetscObject)B, MATSEQAIJ));
    }
    *to = B;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatConvert_SeqAIJ_SeqAIJGable(Mat A, MatType type, MatReuse reuse, Mat *to)
{
    Mat B = *to;
    PetscBool same;
    PetscFunctionBegin;
    (void)type;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(A, B, SAME_NONZERO_PATTERN));
    *to = B;
    PetscCall(PetscObjectTypeCompare((PetscObject)B, GP_SEQ, &same));
    if (same)
        PetscFunctionReturn(GP_SUCCESS);
    if (plain.mult == NULL)
        plain = *B->ops;
    B->ops->mult = MatMult_SeqAIJGable;
    B->ops->multadd = MatMultAdd_SeqAIJGable;
    B->ops->multtranspose = MatMultTranspose_SeqAIJGable;
    B->ops->multtransposeadd = MatMultTransposeAdd_SeqAIJGable;
#if defined(PETSC_USE_COMPLEX)
    B->ops->multhermitiantranspose = MatMultHermitianTranspose_SeqAIJGable;
    B->ops->multhermitiantransposeadd = MatMultHermitianTransposeAdd_SeqAIJGable;
#endif
    B->ops->view = MatView_SeqAIJGable;
    PetscCall(PetscObjectComposeFunction((PetscObject)B, "MatConvert_" GP_SEQ "_seqaij_C",
                                         MatConvert_SeqAIJGable_SeqAIJ));
    PetscCall(PetscObjectComposeFunction((PetscObject)B, "MatConvert_seqaij_" GP_SEQ "_C",
                                         MatConvert_SeqAIJ_SeqAIJGable));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, GP_SEQ));
    PetscFunctionReturn(GP_SUCCESS);
}

/* A matrix of another type that was preallocated before the options chose this one: MatSetType has
 * dropped the memory, and MatSetValues does not look (3.18; it crashes with seqaijperm). The
 * default serves in its place. Preallocation has set up the layout, which says that it was. */
static PetscErrorCode allocate_again(Mat A, PetscBool before)
{
    PetscFunctionBegin;
    if (before) {
        A->preallocated = PETSC_FALSE;
        PetscCall(MatSetUp(A));
    }
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatCreate_SeqAIJGable(Mat A)
{
    const PetscBool before = A->rmap->setupcalled;
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATSEQAIJ));
    PetscCall(MatConvert_SeqAIJ_SeqAIJGable(A, GP_SEQ, MAT_INPLACE_MATRIX, &A));
    PetscCall(allocate_again(A, before));
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- mpiaijgable ---- */

static PetscErrorCode convert_blocks(Mat A, PetscBool to_gable)
{
    Mat block[2];
    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(A, &block[0], &block[1], NULL));
    for (int i = 0; i < 2; i++) {
        PetscBool ours;
        if (block[i] == NULL)
            continue;
        PetscCall(PetscObjectTypeCompare((PetscObject)block[i], GP_SEQ, &ours));
        if (to_gable)
            PetscCall(
                MatConvert_SeqAIJ_SeqAIJGable(block[i], GP_SEQ, MAT_INPLACE_MATRIX, &block[i]));
        else if (ours)
            PetscCall(
                MatConvert_SeqAIJGable_SeqAIJ(block[i], MATSEQAIJ, MAT_INPLACE_MATRIX, &block[i]));
    }
    PetscFunctionReturn(GP_SUCCESS);
}

typedef PetscErrorCode (*gp_preallocate)(Mat, PetscInt, const PetscInt[], PetscInt,
                                         const PetscInt[]);
static gp_preallocate plain_preallocate; /* that of mpiaij */

static PetscErrorCode MatMPIAIJSetPreallocation_MPIAIJGable(Mat A, PetscInt d_nz,
                                                            const PetscInt d_nnz[], PetscInt o_nz,
                                                            const PetscInt o_nnz[])
{
    PetscFunctionBegin;
    PetscCall((*plain_preallocate)(A, d_nz, d_nnz, o_nz, o_nnz));
    PetscCall(convert_blocks(A, PETSC_TRUE));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatConvert_MPIAIJGable_MPIAIJ(Mat A, MatType type, MatReuse reuse, Mat *to)
{
    Mat B = *to;
    PetscFunctionBegin;
    (void)type;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(A, B, SAME_NONZERO_PATTERN));
    if (reuse != MAT_REUSE_MATRIX) {
        PetscCall(convert_blocks(B, PETSC_FALSE));
        PetscCall(PetscObjectComposeFunction((PetscObject)B, "MatMPIAIJSetPreallocation_C",
                                             plain_preallocate));
        PetscCall(
            PetscObjectComposeFunction((PetscObject)B, "MatConvert_" GP_MPI "_mpiaij_C", NULL));
        PetscCall(
            PetscObjectComposeFunction((PetscObject)B, "MatConvert_mpiaij_" GP_MPI "_C", NULL));
        PetscCall(PetscObjectChangeTypeName((PetscObject)B, MATMPIAIJ));
    }
    *to = B;
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatConvert_MPIAIJ_MPIAIJGable(Mat A, MatType type, MatReuse reuse, Mat *to)
{
    Mat B = *to;
    PetscBool same;
    PetscFunctionBegin;
    (void)type;
    if (reuse == MAT_INITIAL_MATRIX)
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &B));
    else if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatCopy(A, B, SAME_NONZERO_PATTERN));
    *to = B;
    PetscCall(PetscObjectTypeCompare((PetscObject)B, GP_MPI, &same));
    if (same)
        PetscFunctionReturn(GP_SUCCESS);
    if (plain_preallocate == NULL)
        PetscCall(PetscObjectQueryFunction((PetscObject)B, "MatMPIAIJSetPreallocation_C",
                                           &plain_preallocate));
    if (B->preallocated)
        PetscCall(convert_blocks(B, PETSC_TRUE));
    PetscCall(PetscObjectComposeFunction((PetscObject)B, "MatMPIAIJSetPreallocation_C",
                                         MatMPIAIJSetPreallocation_MPIAIJGable));
    PetscCall(PetscObjectComposeFunction((PetscObject)B, "MatConvert_" GP_MPI "_mpiaij_C",
                                         MatConvert_MPIAIJGable_MPIAIJ));
    PetscCall(PetscObjectComposeFunction((PetscObject)B, "MatConvert_mpiaij_" GP_MPI "_C",
                                         MatConvert_MPIAIJ_MPIAIJGable));
    PetscCall(PetscObjectChangeTypeName((PetscObject)B, GP_MPI));
    PetscFunctionReturn(GP_SUCCESS);
}

static PetscErrorCode MatCreate_MPIAIJGable(Mat A)
{
    const PetscBool before = A->rmap->setupcalled;
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATMPIAIJ));
    PetscCall(MatConvert_MPIAIJ_MPIAIJGable(A, GP_MPI, MAT_INPLACE_MATRIX, &A));
    PetscCall(allocate_again(A, before));
    PetscFunctionReturn(GP_SUCCESS);
}

/* ---- Registration ---- */

/* MatConvert finds the way from aij to us at a matrix of ours that it creates to look. In place it
 * must keep the arrays: products of distributed matrices hold those of blocks that they convert. */
PetscErrorCode gp_mat_register(void)
{
    PetscFunctionBegin;
    PetscCall(MatRegisterRootName(GP_ANY, GP_SEQ, GP_MPI));
    PetscCall(MatRegister(GP_SEQ, MatCreate_SeqAIJGable));
    PetscCall(MatRegister(GP_MPI, MatCreate_MPIAIJGable));
    PetscCall(MatSeqAIJRegister(GP_SEQ, MatConvert_SeqAIJ_SeqAIJGable));
    PetscFunctionReturn(GP_SUCCESS);
}
