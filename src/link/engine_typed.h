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

/* The same of LAPACK's routines, with pivots and the outcome in 64 bits. */
typedef gable_status gbl_engine_lapack_function(void (*function)(void), gable_context *ctx,
                                                const gbl_link_call *call, int64_t *ipiv,
                                                int64_t *info);
gbl_engine_lapack_function gbl_engine_lapack_s, gbl_engine_lapack_d, gbl_engine_lapack_c,
    gbl_engine_lapack_z;

#endif
