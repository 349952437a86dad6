/* clblast_level3.h: CLBlast's routines on two or three matrices, for peer_clblast.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_CLBLAST_LEVEL3_H
#define BENCH_CLBLAST_LEVEL3_H

#include "peers/clblast_api.h"
#include "peers/peer.h"

/* NULL, or the function that the library lacks. */
const char *clblast_load_level3(void *library);

/* Whether it has what a case asks for. */
bool clblast_has_level3(const bench_case *what);

/* Where the operands of a call lie. */
typedef struct clblast_factors {
    peer_cl_buffer *A, *B, *C;
    size_t offset; /* of each, in elements */
    peer_cl_object **queue;
} clblast_factors;

/* Enqueues a call, of which sizes, flags and scalars count; CLBlast's status. */
int clblast_call_level3(const char *stem, const gbl_product_args *call, const clblast_factors *at);

#endif
