/* types.h: the statuses, the complex types and the objects of Gable's interface.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Plain C11, readable from C++17. Complex numbers are structs of two reals with the layout of C's
 * complex types, Fortran's COMPLEX and NumPy's complex64/complex128, so that pointers may be passed
 * across these languages by a cast; <complex.h> is not needed.
 */
#ifndef GABLE_TYPES_H
#define GABLE_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Every status: name, number, text. The numbers are stable. */
#define GABLE_STATUS_LIST(X)                                                                       \
    X(GABLE_OK, 0, "no error")                                                                     \
    X(GABLE_BAD_ARGUMENT, 1, "an argument has an illegal value")                                   \
    X(GABLE_NO_DEVICE, 2, "the device is not there or cannot be opened")                           \
    X(GABLE_OUT_OF_MEMORY, 3, "memory is exhausted")                                               \
    X(GABLE_COMPILE_FAILED, 4, "a kernel could not be compiled or loaded")                         \
    X(GABLE_DEVICE_FAILED, 5, "the device refused or failed an operation")                         \
    X(GABLE_DEVICE_LOST, 6, "the device is lost: its contexts can only be closed")                 \
    X(GABLE_NOT_SUPPORTED, 7, "this device or variant cannot do that")                             \
    X(GABLE_NOT_RECORDABLE, 8, "the call must wait for the host and cannot be recorded")           \
    X(GABLE_INTERNAL, 9, "an internal rule was broken: please report it")

#define GABLE_STATUS_ENUM(name, number, text) name = number,
typedef enum gable_status { GABLE_STATUS_LIST(GABLE_STATUS_ENUM) } gable_status;
#undef GABLE_STATUS_ENUM

typedef struct gable_cfloat {
    float re, im;
} gable_cfloat;

typedef struct gable_cdouble {
    double re, im;
} gable_cdouble;

/* What is done with a matrix, which triangle of it is stored, and whether its diagonal is taken as
 * ones. The numbers are those of CBLAS. */
typedef enum gable_trans {
    GABLE_NO_TRANS = 111,
    GABLE_TRANS = 112,
    GABLE_CONJ_TRANS = 113
} gable_trans;
typedef enum gable_uplo {
    GABLE_UPPER = 121,
    GABLE_LOWER = 122,
    GABLE_GENERAL = 124 /* the whole matrix: lacpy, laset and lascl alone take it */
} gable_uplo;
typedef enum gable_diag { GABLE_NON_UNIT = 131, GABLE_UNIT = 132 } gable_diag;
/* On which side of the other factor a symmetric or triangular matrix stands. */
typedef enum gable_side { GABLE_LEFT = 141, GABLE_RIGHT = 142 } gable_side;
/* Which norm of a matrix: the largest sum of moduli of a column, the root of the sum of their
 * squares, the largest sum of a row, the largest modulus. The numbers are those of the BLAS
 * standard of 2001. */
typedef enum gable_norm {
    GABLE_ONE_NORM = 171,
    GABLE_FROBENIUS_NORM = 174,
    GABLE_INF_NORM = 175,
    GABLE_MAX_NORM = 177
} gable_norm;
/* Blocks of reflectors (larft, larfb): their order, H = H_1 H_2 ... H_k, and whether their vectors
 * are columns or rows. */
typedef enum gable_direct { GABLE_FORWARD = 151 } gable_direct;
typedef enum gable_storev { GABLE_COLUMNWISE = 161, GABLE_ROWWISE = 162 } gable_storev;
/* Which of the two unitary matrices of gebrd, A = Q B P^H (orgbr, ormbr). */
typedef enum gable_vect { GABLE_VECT_Q = 181, GABLE_VECT_P = 182 } gable_vect;

/* Which vectors an eigenvalue or singular value routine computes. The first three are LAPACK's N, V
 * and I of jobz and compz (V of stedc: a given matrix is multiplied by the vectors), the others A,
 * S and O of gesdd and gesvd. The contract of a routine says which it takes. The numbers, here and
 * of gable_range, are those of PLASMA and MAGMA. */
typedef enum gable_job {
    GABLE_NO_VECTORS = 301,
    GABLE_VECTORS = 302,
    GABLE_IDENTITY_VECTORS = 303,
    GABLE_ALL_VECTORS = 304,
    GABLE_SOME_VECTORS = 305,
    GABLE_OVERWRITE = 306
} gable_job;
/* Which eigenvalues are computed: all, those in an interval, or those with some numbers. LAPACK's
 * A, V and I. */
typedef enum gable_range {
    GABLE_RANGE_ALL = 311,
    GABLE_RANGE_VALUES = 312,
    GABLE_RANGE_INDICES = 313
} gable_range;

/* What sums in single precision may be made of: gable_set_math. */
typedef enum gable_math { GABLE_MATH_PLAIN = 0, GABLE_MATH_TF32X3 = 1 } gable_math;

/* One device, one queue, one workspace, one last message. Used by one thread at a time. */
typedef struct gable_context gable_context;

/* Calls captured once, replayed with one launch. */
typedef struct gable_recording gable_recording;

/* A stopwatch on the device's own clock. */
typedef struct gable_timer gable_timer;

/* What gable_workspace tells: memory of its device that a context holds, in bytes. */
typedef struct gable_workspace_info {
    uint64_t held;       /* workspace that it has now, with that of its recordings */
    uint64_t most_held;  /* the most of it that the context ever had */
    uint64_t most_taken; /* the most that its calls, or those of one recording, ever used at once */
    /* Given by gable_alloc on it and not freed; arrays of its sparse matrices and solvers are
     * among them. */
    uint64_t allocated;
} gable_workspace_info;

/* What gable_device_describe tells of one device. */
typedef struct gable_device_info {
    char name[32];      /* what gable_open takes: "cuda:0", "opencl:0", "cpu" */
    char title[128];    /* the vendor's name for it */
    char driver[128];   /* version of the driver or platform */
    char compiler[128]; /* what compiles its kernels */
    char arch[32];      /* "sm_90a"; empty where it has no meaning */
    char reason[512];   /* why it cannot be used; empty when usable */
    int usable;         /* 1: gable_open will take it */
    int is_gpu;         /* 1: a GPU */
    int units;          /* multiprocessors, compute units or cores */
    uint64_t memory_bytes;
    uint64_t cache_bytes; /* last-level cache; 0 when unknown */
} gable_device_info;

#endif
