/* sparse_matrix.h: a sparse matrix as the library sees it, and products with it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts of several threads may use one matrix. Its layout never changes; what is found out or
 * made of it later, the lengths of its rows, its statistics and its transpose, is made once, by the
 * first who asks, under the matrix's lock.
 */
#ifndef GBL_SPARSE_MATRIX_H
#define GBL_SPARSE_MATRIX_H

#include <pthread.h>
#include <stdatomic.h>
#include "core/context.h"
#include "core/op.h"
#include "device/sparse_args.h"
#include "model/roofs.h"

/* What was found out about the rows: matrix_statistics.c. */
typedef struct gbl_sparse_lengths {
    int64_t shortest, longest;
    double mean, deviation;
} gbl_sparse_lengths;

/* And about the entries. */
typedef struct gbl_sparse_statistics {
    int64_t bandwidth, empty_diagonal;
    bool symmetric, hermitian;
    bool positive_diagonal; /* all entries of the diagonal are there, real and above 0 */
} gbl_sparse_statistics;

struct gable_sparse {
    gbl_object object;
    gbl_device *device;
    gbl_sparse_layout layout;          /* its arrays belong to the matrix, but for in_place */
    bool in_place;                     /* they are the caller's */
    atomic_uint version;               /* of the values: how often they were set */
    atomic_int solvers;                /* that use it */
    pthread_mutex_t lock;              /* of those who make what follows */
    _Atomic(gable_sparse *) transpose; /* compressed rows of A^T; NULL: not made yet */
    _Atomic(int64_t)
        repeats;          /* products that the caller foresees; 0: as many as any format takes */
    atomic_bool measured; /* lengths are there */
    gbl_sparse_lengths lengths;
    atomic_bool known; /* statistics are there */
    gbl_sparse_statistics statistics;
};

/* ---- matrix.c: creation, checks ---- */

/* What the typed doors give: index_bits, arrays on host or device. */
typedef struct gbl_sparse_source {
    gbl_dtype dtype;
    bool coordinates; /* `first` are rows, not starts */
    int64_t rows, columns, entries;
    int index_bits;
    const void *first, *column, *values;
    unsigned flags;
} gbl_sparse_source;
gable_status gbl_sparse_create(gable_context *ctx, const char *routine,
                               const gbl_sparse_source *source, gable_sparse **A);
gable_status gbl_sparse_get(gable_context *ctx, const char *routine, gable_sparse *A,
                            gbl_dtype dtype, int64_t *start, int64_t *column, void *values);
/* matrix_values.c */
gable_status gbl_sparse_set_values(gable_context *ctx, const char *routine, gable_sparse *A,
                                   gbl_dtype dtype, const void *values);
/* Refuses NULL, matrices that were destroyed and those of other devices. */
gable_status gbl_sparse_check(gable_context *ctx, int number, const char *name,
                              const gable_sparse *A);
gable_status gbl_sparse_describe(gable_context *ctx, gable_sparse *A, gable_sparse_info *info);
gable_status gbl_sparse_destroy(gable_context *ctx, gable_sparse *A);
/* matrix_file.c */
gable_status gbl_sparse_read(gable_context *ctx, const char *path, char precision,
                             gable_sparse **A);
gable_status gbl_sparse_write(gable_context *ctx, gable_sparse *A, const char *path);
/* The same without checks, for matrices of the library's own. */
gable_status gbl_sparse_free(gable_context *ctx, gable_sparse *A);
/* The transpose, made once: always compressed rows. */
gable_status gbl_sparse_transpose(gable_context *ctx, gable_sparse *A, gable_sparse **transpose);
gable_status gbl_sparse_lengths_get(gable_context *ctx, gable_sparse *A);
gable_status gbl_sparse_statistics_get(gable_context *ctx, gable_sparse *A);

/* ---- convert.c ---- */
gable_status gbl_sparse_convert(gable_context *ctx, gable_sparse *A, gable_format format,
                                int64_t chunk, int64_t sigma, gable_sparse **B);
/* ---- choose_format.c ---- */

/* What a product in a format would come to, from the statistics of A: bytes, and seconds as the
 * model predicts. Formats are compared by `compared`: on the cpu that is what its memory or its
 * arithmetic takes, without what a call costs anyway. `made`: seconds of the conversion; 0: A has
 * the format. */
typedef struct gbl_format_foreseen {
    double bytes, seconds, compared, made;
} gbl_format_foreseen;
/* roofs may be NULL: the device's. The list has a place for each format. */
gable_status gbl_sparse_foresee(gable_context *ctx, gable_sparse *A, const gbl_roofs *roofs,
                                gbl_format_foreseen list[GABLE_HYB + 1]);
/* The format to take for so many products, the conversion counted, and one sentence why (may be
 * NULL). repeats 0: the conversion does not count. */
gable_format gbl_sparse_pick(const gable_sparse *A, const gbl_format_foreseen *list,
                             int64_t repeats, char *why, size_t why_bytes);
/* After how many products a format has gained back its conversion; 0: never, or at once. */
int64_t gbl_format_repaid(const gable_sparse *A, const gbl_format_foreseen *list,
                          gable_format format);
/* Whether one row of compressed rows would hold a kernel back that has up to 32 lanes for each row,
 * longer than all products by the variant `merge` take. roofs may be NULL: the device's. */
bool gbl_sparse_rows_hold_back(const gbl_device *device, const gbl_sparse_layout *layout,
                               const gbl_roofs *roofs);
/* "CSR", ... */
const char *gbl_format_name(gable_format format);
/* chunk and sigma are 0 where conversion should take what suits. */
gable_status gbl_sparse_choose(gable_context *ctx, gable_sparse *A, gable_format *format,
                               int64_t *chunk, int64_t *sigma, char *why, size_t why_bytes);
/* Options of a matrix, as words: gable_sparse_set. */
gable_status gbl_sparse_set(gable_context *ctx, gable_sparse *A, const char *options);

/* ---- sparse_mv.c: the ops sparse_mv and sparse_mm ---- */
#define GBL_SPARSE_STEMS(OP) OP(sparse_mv) OP(sparse_mm)
extern const gbl_op gbl_sparse_mv_op, gbl_sparse_mm_op;

/* Y := alpha op(A) X + beta Y, checked only as the outermost call. */
typedef struct gbl_sparse_product {
    gable_trans trans;
    bool several; /* k, ldx and ldy are arguments: of mm. Without it there is one column */
    int64_t k, ldx, ldy;
    gable_sparse *A;
    const void *x;
    void *y;
    gbl_scalar alpha, beta;
} gbl_sparse_product;
gable_status gbl_sparse_multiply(gable_context *ctx, const char *routine, gbl_dtype dtype,
                                 const gbl_sparse_product *product);

/* The bytes of all arrays of a layout. */
uint64_t gbl_sparse_memory(const gbl_sparse_layout *layout);
/* The class of spans that walk so many bytes (core/observe.h): a power of two. */
uint64_t gbl_span_class(double bytes);
/* The bytes that one product must move: the layout's arrays, x once and y once. */
double gbl_sparse_bytes(const gbl_sparse_layout *layout);

#endif
