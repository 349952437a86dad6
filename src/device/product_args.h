/* product_args.h: the operands of a routine on two or three matrices: a call of blas/, and what
 * tasks (C kernels of the cpu, vendors' libraries) are given. SPDX-License-Identifier: BSD-3-Clause
 *
 * One struct serves all of level 3 and LAPACK; members a routine does not have stay zero. Matrices
 * are column-major.
 */
#ifndef GBL_PRODUCT_ARGS_H
#define GBL_PRODUCT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"
#include "gable/types.h"

/* Which elements of C are computed; the others are neither read nor written. */
typedef enum gbl_triangle_c { GBL_ALL, GBL_UPPER_ONLY, GBL_LOWER_ONLY } gbl_triangle_c;

/* Which factor of a product is triangular, after it was transposed: elements beyond its triangle
 * are taken as zeros, whatever stands there and in the other factor. */
typedef enum gbl_triangular {
    GBL_NOT_TRIANGULAR,
    GBL_A_LOWER,
    GBL_A_UPPER,
    GBL_B_LOWER,
    GBL_B_UPPER
} gbl_triangular;

typedef struct gbl_product_args {
    /* The shape of a call, without gaps: core/op.c compares it as bytes. */
    gbl_dtype dtype;
    union {
        gable_trans trans; /* of A */
        gable_range range; /* of eigenvalues */
    };
    union {
        gable_trans trans_b; /* of B */
        gable_job job_b;     /* of gesvd's vectors from the right */
    };
    gable_uplo uplo;
    gable_diag diag;
    gable_side side;
    union {
        gable_norm norm; /* which one is computed */
        gable_vect vect; /* orgbr, ormbr: which of gebrd's two matrices */
        gable_job job;   /* jobz, compz, jobu: which vectors are computed */
    };
    bool
        /* hemm, herk, her2k: Hermitian; with GBL_UPPER_ONLY, GBL_LOWER_ONLY: C's diagonal becomes
         * real */
        conj;
    bool real_alpha; /* herk: alpha is real where A is complex */
    bool real_beta;  /* herk, her2k: beta is */
    bool pointers;   /* A, B and C are arrays of `batch` addresses in the device's memory */
    /* Set by routines that are made of products: */
    uint8_t triangle_c;     /* a gbl_triangle_c */
    uint8_t triangular;     /* a gbl_triangular; its diagonal is ones where diag is GABLE_UNIT */
    uint8_t two_products;   /* syr2k: C := alpha (op(A) op(B) + op'(B) op'(A)) + beta C */
    uint8_t math;           /* a gable_math: what sums in single may be made of */
    uint8_t reserved_units; /* multiprocessors that shall stay free for work beside */
    uint8_t is_part; /* of a product that another variant split or copied: it is not split again */
    uint8_t share;   /* syevx: which part of the values is wanted, as a power of 1/2 */
    /* lansy, largest element: of a complex one its larger part counts, which does not overflow */
    uint8_t by_parts;
    int64_t m, n, k; /* of gemm: C is m by n; square matrices: m and n are n */
    int64_t lda, ldb, ldc;
    int64_t ilo, ihi; /* gehrd and its Q: rows and columns ilo .. ihi are reduced, from 1 */
    /* Many at once: `batch` of them, so many elements apart unless `pointers` is set. */
    int64_t batch, stride_a, stride_b, stride_c;
    /* Its operands. Routines with a triangle on one side change B. */
    void *A, *B, *C;
    /* Three numbers in the device's memory, m, n and k, none above those of the call; NULL: those
     * are they. */
    const int64_t *sizes;
    /* Of reductions, in the device's memory: the diagonal and the one beside it, which are real,
     * and the factors of reflectors from the right. */
    void *d, *e, *taup;
    /* Of factorizations, in the device's memory: factors of reflectors, rows that were exchanged
     * (from 1), and the outcome, which is 0 or the first column that failed. */
    void *tau;
    int64_t *ipiv, *info;
    int64_t *found;                 /* syevx: how many eigenvalues */
    gbl_scalar alpha, beta, abstol; /* syevx: the interval is alpha .. beta */
} gbl_product_args;

#define GBL_PRODUCT_SHAPE_BYTES offsetof(gbl_product_args, A)

/* The call with its true sizes, for tasks, which read the device's memory. */
static inline gbl_product_args gbl_product_sized(const gbl_product_args *call)
{
    gbl_product_args sized = *call;
    if (call->sizes != NULL) {
        sized.m = call->sizes[0];
        sized.n = call->sizes[1];
        sized.k = call->sizes[2];
        sized.sizes = NULL;
    }
    return sized;
}

#endif
