/* dtype.h: the four precisions, and scalars of them, as data.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_DTYPE_H
#define GBL_DTYPE_H

#include <stddef.h>
#include <stdbool.h>

typedef enum gbl_dtype { GBL_S, GBL_D, GBL_C, GBL_Z } gbl_dtype;
#define GBL_DTYPES 4

/* A scalar operand: the device pointer if set, else the value. Two doubles hold all four types. */
typedef struct gbl_scalar {
    const void *device;
    double re, im;
} gbl_scalar;

static inline char gbl_dtype_letter(gbl_dtype dtype)
{
    return "sdcz"[dtype];
}

static inline size_t gbl_dtype_bytes(gbl_dtype dtype)
{
    static const size_t bytes[] = {4, 8, 8, 16};
    return bytes[dtype];
}

static inline bool gbl_dtype_complex(gbl_dtype dtype)
{
    return dtype >= GBL_C;
}

/* Bytes of the real type. */
static inline size_t gbl_dtype_real_bytes(gbl_dtype dtype)
{
    return dtype == GBL_S || dtype == GBL_C ? 4 : 8;
}

#endif
