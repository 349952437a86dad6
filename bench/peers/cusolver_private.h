/* cusolver_private.h: what the files of the peer cuSOLVER share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_CUSOLVER_PRIVATE_H
#define BENCH_CUSOLVER_PRIVATE_H

#include "peers/peer.h"

typedef struct cusolver_handle cusolver_handle;
enum { FILL_LOWER = 0, FILL_UPPER = 1 };

/* What a peer keeps: a handle, and what the call that it worked on last needs beside its operands.
 */
typedef struct cusolver_state {
    cusolver_handle *handle;
    void *work;
    void *info;   /* an int, where the call has none */
    void *pivots; /* those of the call as int, where they are an input */
    const struct routine *routine;
    gbl_product_args shape; /* as far as GBL_PRODUCT_SHAPE_BYTES */
    int count;              /* elements of `work` */
    int found;              /* of syevx: how many values */
} cusolver_state;

/* Of an info in 64 bits the lower half. */
static inline int *cusolver_info(const cusolver_state *state, const gbl_product_args *call)
{
    return call->info != NULL ? (int *)(void *)call->info : state->info;
}

/* The four precisions of a function, in c and z by another name where there is one. */
bool cusolver_load_four(void *library, const char *stem, const char *complex_stem,
                        const char *ending, void *slots);

/* cusolver_spectra.c: eigenvalues and singular values. */
bool cusolver_spectra_load(void *library);
int cusolver_room_syevd(cusolver_state *state, const gbl_product_args *call, int *count);
int cusolver_call_syevd(cusolver_state *state, const gbl_product_args *call);
int cusolver_room_syevx(cusolver_state *state, const gbl_product_args *call, int *count);
int cusolver_call_syevx(cusolver_state *state, const gbl_product_args *call);
gable_status cusolver_copy_vectors(bench_peer *peer, const gbl_product_args *call);
int cusolver_room_sygvd(cusolver_state *state, const gbl_product_args *call, int *count);
int cusolver_call_sygvd(cusolver_state *state, const gbl_product_args *call);
int cusolver_room_gesvd(cusolver_state *state, const gbl_product_args *call, int *count);
int cusolver_call_gesvd(cusolver_state *state, const gbl_product_args *call);

#endif
