/* cublas_matrix.h: how cuBLAS's matrix-vector routines are loaded and called.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As cublas_level1.c: two widths of integers in one union; scalars in host memory or in the
 * device's, both in one. Pointers and strides of a task are those of BLAS, which are cuBLAS's too.
 * Where a routine has a symmetric and a Hermitian form the task chooses by `conj`; a routine that a
 * precision or an older cuBLAS lacks is NULL, and its task says so.
 */
#ifndef GBL_CUBLAS_MATRIX_H
#define GBL_CUBLAS_MATRIX_H

#include <stdio.h>
#include <string.h>
#include "device/cublas_private.h"
#include "device/dynlib.h"

typedef gbl_cublas_handle handle_type;

#define WIDTHS(name, ...)                                                                          \
    typedef union name##_function {                                                                \
        int (*wide)(handle_type *, __VA_ARGS__);                                                   \
        int (*narrow)(handle_type *, NARROW_##name);                                               \
    } name##_function;

/* Any of them, for loading. */
typedef union gbl_cublas_function {
    int (*wide)(void);
    int (*narrow)(void);
} gbl_cublas_function;

/* A routine in four precisions: real_name in s and d, complex_name in c and z, or NULL: there is
 * none. */
typedef struct gbl_cublas_routine {
    const char *real_name, *complex_name, *suffix;
    bool optional;
    void *functions; /* four */
} gbl_cublas_routine;

static inline bool gbl_cublas_load_four(void *library, const gbl_cublas_routine *routine)
{
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        const char *stem =
            gbl_dtype_complex((gbl_dtype)dtype) ? routine->complex_name : routine->real_name;
        if (stem == NULL)
            continue;
        char name[64];
        snprintf(name, sizeof name, "cublas%c%s%s", "SDCZ"[dtype], stem, routine -> suffix);
        const gbl_symbol symbol = {.name = name,
                                   .slot = (gbl_cublas_function *)routine->functions + dtype,
                                   .optional = routine->optional};
        if (gbl_dynlib_load(library, &symbol, 1) != NULL)
            return false;
    }
    return true;
}

/* cublasOperation_t, cublasFillMode_t, cublasDiagType_t */
static inline int operation(gable_trans trans, gbl_dtype dtype)
{
    enum { OP_N = 0, OP_T = 1, OP_C = 2 };
    if (trans == GABLE_NO_TRANS)
        return OP_N;
    return trans == GABLE_CONJ_TRANS && gbl_dtype_complex(dtype) ? OP_C : OP_T;
}

static inline int fill_mode(gable_uplo uplo)
{
    enum { FILL_LOWER = 0, FILL_UPPER = 1 };
    return uplo == GABLE_UPPER ? FILL_UPPER : FILL_LOWER;
}

static inline int diagonal(gable_diag diag)
{
    enum { DIAG_NON_UNIT = 0, DIAG_UNIT = 1 };
    return diag == GABLE_UNIT ? DIAG_UNIT : DIAG_NON_UNIT;
}

/* What a task starts with: the handle and the scalars where cuBLAS finds them. */
typedef struct started {
    handle_type *handle;
    gbl_cublas_numbers alpha_numbers, beta_numbers;
    const void *alpha, *beta;
} started;

static inline gable_status start(gbl_queue *queue, void *stream, const gbl_matrix_args *a,
                                 started *s, gbl_message *message)
{
    s->alpha = gbl_cublas_place(&a->alpha, a->dtype, &s->alpha_numbers);
    s->beta = gbl_cublas_place(&a->beta, a->dtype, &s->beta_numbers);
    return gbl_cublas_begin_matrix(queue, stream, a, &s->handle, message);
}

/* A call in the width that was loaded. The arguments come twice: as they are, and as int. */
#define CALL(function, wide_args, narrow_args)                                                     \
    (gbl_cublas_is_wide() ? (function).wide wide_args : (function).narrow narrow_args)
#define I(number) ((int)(number))

#define TASK(name)                                                                                 \
    static gable_status name(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
#define START()                                                                                    \
    const gbl_matrix_args *a = args;                                                               \
    started s;                                                                                     \
    TRY(start(queue, stream, a, &s, message))

/* The task of a routine in a table of them, or NULL. */
typedef struct gbl_cublas_task {
    const char *stem;
    gbl_task_function task;
} gbl_cublas_task;

static inline gbl_task_function gbl_cublas_find(const gbl_cublas_task *tasks, size_t count,
                                                const char *stem)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(tasks[i].stem, stem) == 0)
            return tasks[i].task;
    return NULL;
}

#endif
