/* link_call.h: a call of a program, from its entry to the device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Entries copy scalars, letters and sizes. From there on integers have 64 bits, and letters are
 * Gable's constants.
 */
#ifndef GBL_LINK_CALL_H
#define GBL_LINK_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include "device/dtype.h"
#include "gable/types.h"
#include "link/link_letters.h"
#include "link/link_routines.h"

/* Orders of CBLAS. */
enum { GBL_LINK_ROW_MAJOR = 101, GBL_LINK_COLUMN_MAJOR = 102 };

/* Members that a routine does not have stay zero. trmm and trsm change C, which is their B. Of
 * LAPACK's routines C is what becomes the result: the right-hand sides of solvers, whose matrix A
 * is m by n and whose k counts the sides; the matrix that k reflectors in A are applied to; else
 * the matrix itself, m by n, of which orgqr and orglq take k reflectors. Drivers of eigenvalues and
 * singular values have their vectors elsewhere in A (U of gesdd, or Z of syevr: at most k columns)
 * and B (V^H), and sygvd its second matrix in B. */
typedef struct gbl_link_call {
    gbl_link_routine routine;
    gbl_dtype dtype;
    int order;
    int trans, trans_b, side, uplo, diag; /* 0: a letter that is none */
    int64_t m, n, k;
    const void *A, *B;
    void *C;
    int64_t lda, ldb, ldc;
    double alpha[2], beta[2];
    /* LAPACK: the program's integers, of 64 bits where `wide` is set. */
    void *ipiv, *info, *tau;
    bool wide;
    /* Of drivers: which vectors, which values, and where the values go. */
    int job, job_b, range; /* 0: a letter that is none */
    int64_t itype, first, last;
    double from, to, tolerance;
    void *values, *found, *support;
} gbl_link_call;

typedef struct gbl_link_shape {
    int64_t rows, columns; /* 0: the routine does not have this matrix */
} gbl_link_shape;

/* A, B and C as they are stored. */
typedef struct gbl_link_shapes {
    gbl_link_shape a, b, c;
} gbl_link_shapes;

/* Turns a call in row-major order into the transposed one, which is column-major. */
void gbl_link_to_columns(gbl_link_call *call);

/* Of a call with legal flags. */
gbl_link_shapes gbl_link_shapes_of(const gbl_link_call *call);

/* Whether Gable takes such a call: flags, sizes from 1 to 2^31 - 1 and leading dimensions are
 * legal, and C shares no element with A or B. Any other call is the next library's, which reports
 * errors in its own way. */
bool gbl_link_legal(const gbl_link_call *call);

/* Whether only one triangle of C is computed. */
bool gbl_link_has_triangle(const gbl_link_call *call);
/* Whether the old C is an operand. */
bool gbl_link_reads_c(const gbl_link_call *call);

/* Bytes that cross the host link when a device computes it: operands there, results back. */
uint64_t gbl_link_bytes(const gbl_link_call *call);

/* "dgemm"; the stem alone. */
const char *gbl_link_stem(gbl_link_routine routine);
/* The stem by which Gable knows it: gemmt for gemmtr, syevx for syevr. */
const char *gbl_link_gable_stem(gbl_link_routine routine);
/* What rates of CPU libraries are kept by: the stem, in complex precisions that of real ones; and
 * whether a driver finds values alone. */
void gbl_link_rate_name(const gbl_link_call *call, char name[16]);

#endif
