/* kept_slots.h: pieces of a matrix that stay in local memory while a panel is reduced: how many.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/lapack/kept_pieces.h says which.
 */
#ifndef GBL_KEPT_SLOTS_H
#define GBL_KEPT_SLOTS_H

#include "core/op.h"

/* The tunable `kept`: pieces of a team of lanes, if there is room for as many. */
extern const int32_t gbl_kept_values[3];
#define GBL_KEPT_PARAM                                                                             \
    {                                                                                              \
        .name = "kept", GBL_VALUES(gbl_kept_values), .fallback = 6                                 \
    }

/* Those that there is room for beside so many bytes of local memory; a piece of all teams of a
 * group takes slot_bytes. */
int32_t gbl_kept_slots(const gbl_device *device, int32_t wanted, int64_t slot_bytes,
                       int64_t beside_bytes);

/* What a byte that stays saves of one that is loaded: it is read from local memory, and loads in
 * flight have less room in the cache beside it (H200, d, orders 1024 to 8192, 2026-11). */
#define GBL_KEPT_GAIN 0.5

#endif
