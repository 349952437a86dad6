/* cusparse_private.h: what the peer cuSPARSE keeps of a system, for its products and for CG by
 * library calls.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_CUSPARSE_PRIVATE_H
#define BENCH_CUSPARSE_PRIVATE_H

#include "peers/cusparse_api.h"
#include "peers/sparse_peer.h"

/* One product y := op(A) x that cuSPARSE is ready for. */
typedef struct cusparse_product {
    cusparse_matrix *A;
    cusparse_vector *x, *y;
    void *buffer;
} cusparse_product;

typedef struct cusparse_state {
    bench_peer *peer;
    const cusparse_functions *api;
    const cublas_functions *blas; /* NULL: cuBLAS is missing */
    cusparse_handle *handle;
    cublas_handle *blas_handle;
    const bench_sparse_system *system; /* NULL: none is loaded */
    int value_type, trans, algorithm;
    double alpha[2], beta[2]; /* 1 and 0 in the precision of the system */
    cusparse_product product[BENCH_SPARSE_SETS];
    /* cusparse_cg.c */
    void *r, *p, *q, *scalars; /* scalars: BENCH_CG_SCALARS of the precision */
    cusparse_product step;     /* q := A p */
    bool on_device;            /* where the faster form keeps its scalars */
} cusparse_state;

/* Makes and frees what a product needs; algorithm and so on are set. Inside a task: the device's
 * context is current. */
gable_status cusparse_product_make(cusparse_state *state, const void *csr_layout, void *x,
                                   int64_t x_length, void *y, int64_t y_length,
                                   cusparse_product *product, gbl_message *message);
void cusparse_product_free(cusparse_state *state, cusparse_product *product);
gable_status cusparse_product_run(cusparse_state *state, void *stream,
                                  const cusparse_product *product, gbl_message *message);

/* cusparse_cg.c */
bool cusparse_cg_supports(const bench_sparse_case *what);
gable_status cusparse_cg_load(cusparse_state *state, gbl_message *message);
void cusparse_cg_unload(cusparse_state *state);
gable_status cusparse_cg_time(cusparse_state *state, int64_t iterations, double *seconds,
                              gbl_message *message);
gable_status cusparse_cg_check(cusparse_state *state, double *residual, gbl_message *message);

#endif
