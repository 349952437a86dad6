/* cusparse_api.c: loads cuSPARSE and cuBLAS for benchmarks of sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "device/cuda_find.h"
#include "device/dynlib.h"
#include "peers/cusparse_api.h"

static cusparse_functions sparse;
static cublas_functions blas;

static bool judge_sparse(void *library, const char *path, void *user)
{
    const gbl_symbol symbols[] = {
        {.name = "cusparseCreate", .slot = &sparse.create},
        {.name = "cusparseDestroy", .slot = &sparse.destroy},
        {.name = "cusparseSetStream", .slot = &sparse.set_stream},
        {.name = "cusparseSetPointerMode", .slot = &sparse.set_pointer_mode},
        {.name = "cusparseGetProperty", .slot = &sparse.property},
        {.name = "cusparseCreateCsr", .slot = &sparse.create_csr},
        {.name = "cusparseDestroySpMat", .slot = &sparse.destroy_matrix},
        {.name = "cusparseCreateDnVec", .slot = &sparse.create_vector},
        {.name = "cusparseDestroyDnVec", .slot = &sparse.destroy_vector},
        {.name = "cusparseSpMV_bufferSize", .slot = &sparse.mv_bytes},
        {.name = "cusparseSpMV_preprocess", .slot = &sparse.mv_preprocess, .optional = true},
        {.name = "cusparseSpMV", .slot = &sparse.mv},
    };
    (void)path;
    (void)user;
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) == NULL;
}

const cusparse_functions *cusparse_load(char *version, size_t version_bytes, gbl_message *message)
{
    static const char *const names[] = {"libcusparse.so.13", "libcusparse.so.12",
                                        "libcusparse.so.11", "libcusparse.so", NULL};
    static const gbl_cuda_wanted wanted = {
        .title = "cuSPARSE (libcusparse, 11.4 or newer)",
        .variable = "GABLE_CUSPARSE",
        .names = names,
        .pip_folder = "cusparse",
        .cure = "install the CUDA toolkit's cuSPARSE, or `pip install nvidia-cusparse`, or set "
                "GABLE_CUSPARSE to the path of libcusparse.so"};
    static void *library;
    static char path[GBL_CUDA_PATH_BYTES];
    int major = 0, minor = 0;
    if (library == NULL &&
        gbl_cuda_find(&wanted, judge_sparse, NULL, &library, path, message) != GABLE_OK) {
        library = NULL;
        return NULL;
    }
    sparse.property(0, &major);
    sparse.property(1, &minor);
    snprintf(version, version_bytes, "cuSPARSE %d.%d (%s)", major, minor, path);
    return &sparse;
}

static bool judge_blas(void *library, const char *path, void *user)
{
    const gbl_symbol symbols[] = {
        {.name = "cublasCreate_v2", .slot = &blas.create},
        {.name = "cublasDestroy_v2", .slot = &blas.destroy},
        {.name = "cublasSetStream_v2", .slot = &blas.set_stream},
        {.name = "cublasSetPointerMode_v2", .slot = &blas.set_pointer_mode},
        {.name = "cublasSetWorkspace_v2", .slot = &blas.set_workspace},
        {.name = "cublasSnrm2_v2", .slot = &blas.nrm2[GBL_S]},
        {.name = "cublasDnrm2_v2", .slot = &blas.nrm2[GBL_D]},
        {.name = "cublasScopy_v2", .slot = &blas.copy[GBL_S]},
        {.name = "cublasDcopy_v2", .slot = &blas.copy[GBL_D]},
        {.name = "cublasSdot_v2", .slot = &blas.dot[GBL_S]},
        {.name = "cublasDdot_v2", .slot = &blas.dot[GBL_D]},
        {.name = "cublasSaxpy_v2", .slot = &blas.axpy[GBL_S]},
        {.name = "cublasDaxpy_v2", .slot = &blas.axpy[GBL_D]},
        {.name = "cublasSscal_v2", .slot = &blas.scal[GBL_S]},
        {.name = "cublasDscal_v2", .slot = &blas.scal[GBL_D]},
        {.name = "cublasStrsv_v2", .slot = &blas.trsv[GBL_S]},
        {.name = "cublasDtrsv_v2", .slot = &blas.trsv[GBL_D]},
        {.name = "cublasSgemv_v2", .slot = &blas.gemv[GBL_S]},
        {.name = "cublasDgemv_v2", .slot = &blas.gemv[GBL_D]},
    };
    (void)path;
    (void)user;
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) == NULL;
}

const cublas_functions *cublas_load(gbl_message *message)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};
    static const gbl_cuda_wanted wanted = {
        .title = "cuBLAS (libcublas, 11.2 or newer)",
        .variable = "GABLE_CUBLAS",
        .names = names,
        .pip_folder = "cublas",
        .cure = "install the CUDA toolkit's cuBLAS, or set GABLE_CUBLAS to the path of "
                "libcublas.so"};
    static void *library;
    char path[GBL_CUDA_PATH_BYTES];
    if (library == NULL &&
        gbl_cuda_find(&wanted, judge_blas, NULL, &library, path, message) != GABLE_OK) {
        library = NULL;
        return NULL;
    }
    return &blas;
}

int cusparse_value_type(gbl_dtype dtype)
{
    static const int types[] = {[GBL_S] = 0, [GBL_D] = 1, [GBL_C] = 4, [GBL_Z] = 5};
    return types[dtype];
}
