/* cpu_kernels.h: the C kernels of the cpu device, as tasks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ways per routine: `_omp`, C with OpenMP at memory speed, and `_blas`, the installed BLAS
 * through its cblas_ name (legal only where gbl_cpu_blas_fits says so). Each takes the argument
 * struct below. x and y point at element 0 of the vector (a caller with a negative stride has moved
 * the pointer to the far end already), and strides keep their sign. Results depend on nothing but
 * arguments, alignment and thread count. Inside a caller's OpenMP region they run serially.
 */
#ifndef GBL_CPU_KERNELS_H
#define GBL_CPU_KERNELS_H

#include "device/device.h"
#include "device/matrix_args.h"
#include "device/product_args.h"
#include "device/vector_args.h"
#include "device/dtype.h"

/* Reads x once, or `passes` times, at the speed of memory, keeping nothing: the roof of reductions.
 * bytes is a multiple of 64. result receives 8 bytes that depend on all of x. Written once, not per
 * precision. */
typedef struct gbl_cpu_read_args {
    int64_t bytes;
    const void *x;
    void *result;
    int64_t passes; /* 0 counts as 1 */
    int64_t alone;  /* not 0: by the calling thread only */
} gbl_cpu_read_args;

/* Multiply-adds of all threads, v := v f + v: how many flops, and a sum of all v. */
typedef struct gbl_cpu_muladd_args {
    int64_t rounds;
    double f;
    struct gbl_cpu_muladd_result {
        double sum, flops;
    } * result;
} gbl_cpu_muladd_args;

/* Loads that wait for one another, by one thread: kernels/roofs/chase.cl. words is a power of two.
 * gbl_cpu_fork reads nothing but rounds: forks and joins of the team. */
typedef struct gbl_cpu_chase_args {
    int64_t rounds, words, step;
    const void *x;
    void *result;
    int64_t start;
} gbl_cpu_chase_args;

/* A diagonal block of a Cholesky factorization, of at most 64 rows: kernels/lapack/potrf_leaf.cl.
 * `info` is what later blocks read, too. */
typedef struct gbl_cpu_potrf_args {
    gable_uplo uplo;
    int64_t n;
    void *A;
    int64_t lda;
    int64_t before;
    int64_t *info;
} gbl_cpu_potrf_args;

/* The first zero on a diagonal, from 1, or 0: kernels/lapack/diagonal_zero.cl. */
typedef struct gbl_cpu_diagonal_args {
    int64_t n;
    const void *A;
    int64_t lda;
    int64_t *info;
} gbl_cpu_diagonal_args;

/* A norm of a matrix. It goes to `C` of the call; A is the part of it that counts. */
#define GBL_CPU_NORM_SLICES 64
typedef struct gbl_cpu_norm_args {
    gbl_product_args call;
    gable_uplo part;        /* GABLE_GENERAL: all of A */
    int64_t diagonal_apart; /* 1: elements on the diagonal are not among those of the part */
    bool symmetric;         /* the part stands for its mirror image, too */
    bool by_rows;           /* slices have rows, not columns */
    int64_t ones;           /* elements of the diagonal that are taken as 1 */
    int64_t slices;         /* at most GBL_CPU_NORM_SLICES */
    void *room;             /* a real number per slice and line, where lines are cut */
} gbl_cpu_norm_args;

/* Exchanges of rows: kernels/lapack/laswp.cl and its arguments. */
typedef struct gbl_cpu_laswp_args {
    int64_t n, lda;
    int64_t first, count, inc;
    int64_t skip, width;
    bool backward;
    void *A;
    const int64_t *ipiv;
} gbl_cpu_laswp_args;

/* Columns of an LU factorization from the diagonal down: kernels/lapack/getrf_group.cl. `info` is
 * what later columns read, too. */
typedef struct gbl_cpu_getrf_args {
    int64_t m, n;
    void *A;
    int64_t lda;
    int64_t before;
    int64_t *ipiv, *info;
} gbl_cpu_getrf_args;

/* A few columns of a QR factorization, at most 64: kernels/lapack/geqrf_leaf.cl. */
typedef struct gbl_cpu_geqrf_args {
    int64_t m, n;
    void *A, *tau, *V, *t;
    int64_t lda, ldv, ldt;
    int64_t above; /* rows of V above the first diagonal element */
} gbl_cpu_geqrf_args;

/* The reflector of alpha and of n - 1 numbers one behind the other: kernels/lapack/larfg.cl. */
typedef struct gbl_cpu_larfg_args {
    int64_t n;
    void *alpha, *x, *tau;
} gbl_cpu_larfg_args;

/* T of each `columns` of k reflectors: kernels/lapack/larft_leaf.cl. */
typedef struct gbl_cpu_larft_args {
    int64_t k, columns;
    const void *G, *tau;
    void *t;
    int64_t ldg, ldt;
} gbl_cpu_larft_args;

/* Matrices brought into a safe range: kernels/lapack/range_largest.cl, range_factors.cl and
 * range_scale.cl, whose factors stand as range_args.h says. */
typedef struct gbl_cpu_range_args {
    int64_t m, n;
    void *A; /* range_factors: the largest numbers of A and B */
    int64_t lda;
    void *factors; /* range_largest: where the largest number goes */
    int64_t rows, above, below;
    int64_t *info; /* not NULL: it and the matrix become zeros where A is all zeros */
} gbl_cpu_range_args;

#define GBL_CPU_TASK(name)                                                                         \
    gable_status name(gbl_queue *queue, void *stream, const void *args, gbl_message *message)
#define GBL_CPU_TASKS(stem)                                                                        \
    GBL_CPU_TASK(gbl_cpu_s##stem);                                                                 \
    GBL_CPU_TASK(gbl_cpu_d##stem);                                                                 \
    GBL_CPU_TASK(gbl_cpu_c##stem);                                                                 \
    GBL_CPU_TASK(gbl_cpu_z##stem)
/* The four as an array: s, d, c, z. */
#define GBL_CPU_FOUR(stem)                                                                         \
    {                                                                                              \
        gbl_cpu_s##stem, gbl_cpu_d##stem, gbl_cpu_c##stem, gbl_cpu_z##stem                         \
    }

GBL_CPU_TASKS(copy_omp);
GBL_CPU_TASKS(copy_blas);
GBL_CPU_TASKS(axpy_omp);
GBL_CPU_TASKS(axpy_blas);
GBL_CPU_TASKS(dot_omp);
GBL_CPU_TASKS(dot_blas);
GBL_CPU_TASKS(nrm2_omp);
GBL_CPU_TASKS(nrm2_blas);
GBL_CPU_TASKS(swap_omp);
GBL_CPU_TASKS(swap_blas);
GBL_CPU_TASKS(scal_omp);
GBL_CPU_TASKS(scal_blas);
GBL_CPU_TASKS(axpby_omp);
GBL_CPU_TASKS(waxpby_omp);
GBL_CPU_TASKS(fill_omp);
GBL_CPU_TASKS(random_omp);
GBL_CPU_TASKS(rot_omp);
GBL_CPU_TASK(gbl_cpu_srot_blas);
GBL_CPU_TASK(gbl_cpu_drot_blas);
GBL_CPU_TASK(gbl_cpu_srotm_omp);
GBL_CPU_TASK(gbl_cpu_drotm_omp);
GBL_CPU_TASK(gbl_cpu_srotm_blas);
GBL_CPU_TASK(gbl_cpu_drotm_blas);
GBL_CPU_TASKS(reciprocal_omp);
GBL_CPU_TASKS(asum_omp);
GBL_CPU_TASKS(asum_blas);
GBL_CPU_TASKS(amax_omp);
GBL_CPU_TASK(gbl_cpu_dsdot_omp); /* and sdsdot */
GBL_CPU_TASK(gbl_cpu_dsdot_blas);
GBL_CPU_TASKS(mdot_omp);
GBL_CPU_TASKS(mnrm2_omp);
GBL_CPU_TASKS(maxpy_omp);
/* The matrix-vector routines take gbl_matrix_args, with vectors as the caller of BLAS gave them. */
GBL_CPU_TASKS(gemv_omp);
GBL_CPU_TASKS(gemv_blas);
GBL_CPU_TASKS(trmv_omp);
GBL_CPU_TASKS(trmv_blas);
GBL_CPU_TASKS(trsv_omp);
GBL_CPU_TASKS(trsv_blas);
GBL_CPU_TASKS(symv_omp);
GBL_CPU_TASKS(symv_blas);
GBL_CPU_TASKS(gbmv_omp);
GBL_CPU_TASKS(gbmv_blas);
GBL_CPU_TASKS(sbmv_omp);
GBL_CPU_TASKS(sbmv_blas);
GBL_CPU_TASKS(tbmv_omp);
GBL_CPU_TASKS(tbmv_blas);
GBL_CPU_TASKS(tbsv_omp);
GBL_CPU_TASKS(tbsv_blas);
GBL_CPU_TASKS(spmv_omp);
GBL_CPU_TASKS(spmv_blas);
GBL_CPU_TASKS(tpmv_omp);
GBL_CPU_TASKS(tpmv_blas);
GBL_CPU_TASKS(tpsv_omp);
GBL_CPU_TASKS(tpsv_blas);
GBL_CPU_TASKS(ger_omp);
GBL_CPU_TASKS(ger_blas);
GBL_CPU_TASKS(syr_omp);
GBL_CPU_TASKS(syr_blas);
GBL_CPU_TASKS(syr2_omp);
GBL_CPU_TASKS(syr2_blas);
GBL_CPU_TASKS(spr_omp);
GBL_CPU_TASKS(spr_blas);
GBL_CPU_TASKS(spr2_omp);
GBL_CPU_TASKS(spr2_blas);
GBL_CPU_TASKS(gemv_batched_omp);
GBL_CPU_TASKS(geam_omp);
GBL_CPU_TASKS(transpose_omp);
/* The matrix-matrix routines take gbl_product_args; conj means the Hermitian form of syrk, syr2k
 * and symm. */
GBL_CPU_TASKS(gemm_omp);
GBL_CPU_TASKS(gemm_blas);
GBL_CPU_TASKS(gemmt_omp);
GBL_CPU_TASKS(syrk_omp);
GBL_CPU_TASKS(syrk_blas);
GBL_CPU_TASKS(syr2k_omp);
GBL_CPU_TASKS(syr2k_blas);
GBL_CPU_TASKS(symm_omp);
GBL_CPU_TASKS(symm_blas);
GBL_CPU_TASKS(trmm_omp);
GBL_CPU_TASKS(trmm_blas);
GBL_CPU_TASKS(trsm_omp);
GBL_CPU_TASKS(trsm_blas);
GBL_CPU_TASKS(gemm_batched_omp);
GBL_CPU_TASKS(trsm_batched_omp);
/* LAPACK's likewise; leaves of factorizations have arguments of their own. */
GBL_CPU_TASKS(lacpy_omp);
GBL_CPU_TASKS(laset_omp);
GBL_CPU_TASKS(lascl_omp);
GBL_CPU_TASKS(norm_omp);
GBL_CPU_TASKS(potrf_leaf);
GBL_CPU_TASKS(diagonal_zero);
GBL_CPU_TASKS(laswp_omp);
GBL_CPU_TASKS(getrf_leaf);
GBL_CPU_TASKS(geqrf_leaf);
GBL_CPU_TASKS(geqrf_plain);
GBL_CPU_TASKS(gebrd_plain);
GBL_CPU_TASKS(larft_leaf);
GBL_CPU_TASKS(larfg);
GBL_CPU_TASKS(range_largest);
GBL_CPU_TASKS(range_factors);
GBL_CPU_TASKS(range_scale);
/* A few numbers each: also called directly, with host pointers and without a queue. */
GBL_CPU_TASKS(rotg);
GBL_CPU_TASK(gbl_cpu_srotmg);
GBL_CPU_TASK(gbl_cpu_drotmg);
GBL_CPU_TASK(gbl_cpu_read);
GBL_CPU_TASK(gbl_cpu_smuladd);
GBL_CPU_TASK(gbl_cpu_dmuladd);
GBL_CPU_TASK(gbl_cpu_chase);
GBL_CPU_TASK(gbl_cpu_fork);

/* cpu_finite.c: whether n real numbers are finite. */
bool gbl_cpu_sall_finite(const float *x, int64_t n);
bool gbl_cpu_dall_finite(const double *x, int64_t n);

#endif
