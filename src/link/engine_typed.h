/* engine_typed.h: a call made with the public function of its precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_ENGINE_TYPED_H
#define GBL_ENGINE_TYPED_H

#include "gable/gable.h"
#include "link/link_call.h"

/* The call by `function`, which is gable_host_<letter><stem>. */
typedef gable_status gbl_engine_function(void (*function)(void), gable_context *ctx,
                                         const gbl_link_call *call);
gbl_engine_function gbl_engine_s, gbl_engine_d, gbl_engine_c, gbl_engine_z;

/* Integers of LAPACK's routines in 64 bits. */
typedef struct gbl_engine_integers {
    int64_t *numbers; /* pivots; room for those of vectors that did not converge */
    int64_t info, found;
} gbl_engine_integers;

/* The same of LAPACK's routines. */
typedef gable_status gbl_engine_lapack_function(void (*function)(void), gable_context *ctx,
                                                const gbl_link_call *call,
                                                gbl_engine_integers *integers);
gbl_engine_lapack_function gbl_engine_lapack_s, gbl_engine_lapack_d, gbl_engine_lapack_c,
    gbl_engine_lapack_z;

#endif
