/* reduction_q.h: the unitary matrices of sytrd, gehrd and gebrd: what orgtr, orghr, orgbr, ormtr,
 * ormhr and ormbr share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Such a matrix is the identity but for a square on its diagonal, and that is the Q of a QR or an
 * LQ factorization whose reflectors stand one column or row beside it. So each routine is one call
 * of orgqr, orglq, ormqr or ormlq with other addresses. Formed matrices are written where they
 * belong by that call, and what surrounds the square comes from laset.
 */
#ifndef GBL_REDUCTION_Q_H
#define GBL_REDUCTION_Q_H

#include "lapack/lapack.h"

/* The call that is made. Its matrix is empty where there are no reflectors. */
typedef struct gbl_q_call {
    const gbl_op *op;
    gable_status (*run)(gable_context *ctx, const char *name, const gbl_product_call *call);
    gbl_product_call call;
    int64_t first, order; /* the square of a formed matrix of order call.n; order 0: all of it */
    bool bordered;        /* the formed matrix is larger than the square */
} gbl_q_call;

/* The `detail` of a variant. */
typedef struct gbl_q_routine {
    const char *stem;
    gbl_q_call (*inner)(const gbl_product_call *call);
    bool forms; /* A becomes Q */
} gbl_q_routine;

/* Reflectors as columns of A from (i, j) on, k of them, applied to rows or columns of C from
 * `first` on: ormqr of order k. */
gbl_q_call gbl_q_applied(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                         int64_t order, int64_t k);
/* The same as rows of A: ormlq, whose Q is P^H. */
gbl_q_call gbl_q_applied_rows(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                              int64_t order, int64_t k);
/* The square of that order at (first, first) of A, from reflectors as columns, or rows, of A from
 * (i, j) on. */
gbl_q_call gbl_q_formed(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                        int64_t order);
gbl_q_call gbl_q_formed_rows(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                             int64_t order);

/* Columns ilo .. ihi - 1 of a matrix of that order are reduced. Calls that were made from a
 * description alone have zeros there: all columns. */
int64_t gbl_q_low(const gbl_product_call *call);
int64_t gbl_q_high(const gbl_product_call *call, int64_t order);
/* ilo and ihi, which are arguments `number` and the next. */
gable_status gbl_q_range_rules(gable_context *ctx, const gbl_product_call *call, int number,
                               int64_t order);
#define GBL_Q_ILO                                                                                  \
    {                                                                                              \
        .name = "ilo", .kind = GBL_ANY, .at = PRODUCT_AT(ilo)                                      \
    }
#define GBL_Q_IHI                                                                                  \
    {                                                                                              \
        .name = "ihi", .kind = GBL_ANY, .at = PRODUCT_AT(ihi)                                      \
    }

/* Of sytrd and gehrd: one reflector less than the matrix has rows. */
int64_t gbl_q_square_reflectors(const void *call);  /* of order n */
int64_t gbl_q_applied_reflectors(const void *call); /* of order m, or n from the right */
/* Of gebrd: min(order, k). */
int64_t gbl_q_applied_least(const void *call);

gable_status gbl_q_run(gable_context *ctx, const gbl_variant *self, const void *call,
                       const gbl_params *params);
void gbl_q_work(const gbl_q_routine *routine, const gbl_product_call *call, gbl_work *least);
void gbl_q_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                const gbl_device *device, gbl_cost *cost);
int gbl_q_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                const gbl_device *device, gbl_part_call *parts);
#define GBL_Q_VARIANT(routine)                                                                     \
    GBL_VARIANT("shifted", .fits = gbl_lapack_fits, .run = gbl_q_run, .cost = gbl_q_cost,          \
                .parts = gbl_q_parts, .detail = routine)

#endif
