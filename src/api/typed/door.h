/* door.h: how the typed doors fill a call. Included by src/api/typed only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_DOOR_H
#define GBL_DOOR_H

#include "blas/level1/level1.h"
#include "device/precision.h"

/* gable_host_sf gable_host_df gable_host_cf gable_host_zf */
#if defined(PREC_S)
#define FN_HOST(f) gable_host_s##f
#elif defined(PREC_D)
#define FN_HOST(f) gable_host_d##f
#elif defined(PREC_C)
#define FN_HOST(f) gable_host_c##f
#else
#define FN_HOST(f) gable_host_z##f
#endif

/* A call in the door's precision, from its other members. */
#define CALL(...)                                                                                  \
    {                                                                                              \
        .dtype = DTYPE, __VA_ARGS__                                                                \
    }

/* A scalar by value, a real one, one on the device, and a vector that is only read. */
#if COMPLEX
#define VALUE(alpha) ((gbl_scalar){.re = (alpha).re, .im = (alpha).im})
#else
#define VALUE(alpha) ((gbl_scalar){.re = (alpha)})
#endif
#define REAL_VALUE(alpha) ((gbl_scalar){.re = (alpha)})
#define AT(alpha)                                                                                  \
    ((gbl_scalar){.device = (alpha) != NULL ? (const void *)(alpha) : gbl_null_scalar})
#define IN(x) ((void *)(uintptr_t)(x))

#endif
