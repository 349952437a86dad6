/* clblast_level2.h: CLBlast's matrix-vector routines, for peer_clblast.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_CLBLAST_LEVEL2_H
#define BENCH_CLBLAST_LEVEL2_H

#include "peers/clblast_api.h"
#include "peers/peer.h"

/* NULL, or the function that the library lacks. */
const char *clblast_load_level2(void *library);

/* Whether it has what a case asks for. */
bool clblast_has_level2(const bench_case *what);

/* Where the operands of a call lie. */
typedef struct clblast_operands {
    peer_cl_buffer *A, *x, *y;
    size_t offset; /* of A, in elements */
    peer_cl_object **queue;
} clblast_operands;

/* Enqueues a call, of which sizes, flags and scalars count; CLBlast's status. */
int clblast_call_level2(const char *stem, const gbl_matrix_args *call, const clblast_operands *at);

#endif
