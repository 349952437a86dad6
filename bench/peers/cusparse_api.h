/* cusparse_api.h: the functions of cuSPARSE and cuBLAS that benchmarks of sparse matrices call,
 * declared by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From NVIDIA's documentation of the generic API (cuSPARSE 11.4 to 13) and of cuBLAS. Found at run
 * time, never required.
 */
#ifndef BENCH_CUSPARSE_API_H
#define BENCH_CUSPARSE_API_H

#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"
#include "device/message.h"

typedef struct cusparse_handle cusparse_handle;
typedef struct cusparse_matrix cusparse_matrix;
typedef struct cusparse_vector cusparse_vector;
typedef struct cublas_handle cublas_handle;

enum {
    CUSPARSE_INDEX_32 = 2,
    CUSPARSE_INDEX_64 = 3,
    CUSPARSE_BASE_ZERO = 0,
    CUSPARSE_CSR_ALG1 = 2,
    CUSPARSE_CSR_ALG2 = 3,
    CUBLAS_UPPER = 1,
    CUBLAS_PLAIN = 0,
    CUBLAS_NON_UNIT = 0,
    POINTERS_ON_HOST = 0,
    POINTERS_ON_DEVICE = 1
};

typedef struct cusparse_functions {
    int (*create)(cusparse_handle **handle);
    int (*destroy)(cusparse_handle *handle);
    int (*set_stream)(cusparse_handle *handle, void *stream);
    int (*set_pointer_mode)(cusparse_handle *handle, int mode);
    int (*property)(int which, int *value);
    int (*create_csr)(cusparse_matrix **matrix, int64_t rows, int64_t columns, int64_t entries,
                      void *start, void *column, void *value, int start_type, int column_type,
                      int base, int value_type);
    int (*destroy_matrix)(cusparse_matrix *matrix);
    int (*create_vector)(cusparse_vector **vector, int64_t length, void *values, int value_type);
    int (*destroy_vector)(cusparse_vector *vector);
    int (*mv_bytes)(cusparse_handle *handle, int trans, const void *alpha, cusparse_matrix *A,
                    cusparse_vector *x, const void *beta, cusparse_vector *y, int value_type,
                    int algorithm, size_t *bytes);
    int (*mv_preprocess)(cusparse_handle *handle, int trans, const void *alpha, cusparse_matrix *A,
                         cusparse_vector *x, const void *beta, cusparse_vector *y, int value_type,
                         int algorithm, void *buffer); /* NULL before 12.4 */
    int (*mv)(cusparse_handle *handle, int trans, const void *alpha, cusparse_matrix *A,
              cusparse_vector *x, const void *beta, cusparse_vector *y, int value_type,
              int algorithm, void *buffer);
} cusparse_functions;

/* Real precisions: GBL_S and GBL_D. */
typedef struct cublas_functions {
    int (*create)(cublas_handle **handle);
    int (*destroy)(cublas_handle *handle);
    int (*set_stream)(cublas_handle *handle, void *stream);
    int (*set_pointer_mode)(cublas_handle *handle, int mode);
    int (*set_workspace)(cublas_handle *handle, void *workspace, size_t bytes);
    int (*copy[2])(cublas_handle *handle, int n, const void *x, int incx, void *y, int incy);
    int (*dot[2])(cublas_handle *handle, int n, const void *x, int incx, const void *y, int incy,
                  void *result);
    int (*axpy[2])(cublas_handle *handle, int n, const void *alpha, const void *x, int incx,
                   void *y, int incy);
    int (*scal[2])(cublas_handle *handle, int n, const void *alpha, void *x, int incx);
    int (*trsv[2])(cublas_handle *handle, int uplo, int trans, int diag, int n, const void *A,
                   int lda, void *x, int incx);
    int (*nrm2[2])(cublas_handle *handle, int n, const void *x, int incx, void *result);
    int (*gemv[2])(cublas_handle *handle, int trans, int m, int n, const void *alpha, const void *A,
                   int lda, const void *x, int incx, const void *beta, void *y, int incy);
} cublas_functions;

/* Loaded once; NULL and a message where a library is missing. The version goes to the text:
 * "cuSPARSE 12.5 (/usr/...)". */
const cusparse_functions *cusparse_load(char *version, size_t version_bytes, gbl_message *message);
const cublas_functions *cublas_load(gbl_message *message);

/* cudaDataType of a precision. */
int cusparse_value_type(gbl_dtype dtype);

#endif
