/* plane_specs.h: the forms in which transpose and geam ask for their kernels, as their plans say.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Columns that start alike, and others; one tile per group and several; conjugated where that can be.
 */
#ifndef PLANE_SPECS_H
#define PLANE_SPECS_H

#include <string.h>
#include "blas/level2.h"
#include "blas/stream_plan.h"
#include "blas/turn_plan.h"

#define PLANE_SPECS 4 /* at most */

/* The ladder: a padded tile or not, or none. */
static inline int ladder_specs(const char *file, gbl_dtype dtype, const gbl_params *params,
                               gbl_kernel_spec *list)
{
    const bool local = strcmp(file, "transpose_local.cl") == 0;
    for (int pad = 0; pad < 1 + local; pad++) {
        memset(&list[pad], 0, sizeof list[pad]);
        list[pad].file = file;
        list[pad].dtype = dtype;
        gbl_kernel_add_macro(&list[pad], "ITEMS", params->value[0]);
        if (local) {
            gbl_kernel_add_macro(&list[pad], "TILE", 32);
            gbl_kernel_add_macro(&list[pad], "PAD", pad);
        }
        gbl_kernel_add_macro(&list[pad], "CONJ_X", gbl_dtype_complex(dtype));
    }
    return 1 + local;
}

static inline int plane_specs(const char *file, gbl_dtype dtype, const gbl_params *params,
                              gbl_kernel_spec list[PLANE_SPECS])
{
    const gbl_device device = {.props = {.is_gpu = true, .units = 132}};
    const bool plain = strcmp(file, "transpose_n.cl") == 0 || strcmp(file, "geam_n.cl") == 0;
    const bool sum = strcmp(file, "geam_t.cl") == 0, turn = strcmp(file, "transpose_t.cl") == 0;
    int count = 0;
    if (!plain && !sum && !turn && strcmp(file, "transpose_in_place.cl") != 0)
        return ladder_specs(file, dtype, params, list);
    for (int apart = 0; apart < 2; apart++) {
        /* Only addresses: nothing is read. */
        const gbl_turn_matrix none = {NULL, 0}, A = {(const void *)(uintptr_t)4096, 1024 + apart},
                              C = {(const void *)(uintptr_t)8192, 1024 + apart};
        gbl_plane_plan plane;
        gbl_turn_plan tiles;
        if (plain) {
            gbl_plane_make(dtype, 1000, 1000, A, none, C, params, &device, &plane);
            gbl_plane_kernel(file, dtype, &plane, &list[count++]);
            continue;
        }
        if (sum || turn)
            gbl_turn_make(dtype, 1000, 1000, A, none, C, none, params, &device, turn, &tiles);
        else
            gbl_turn_make_in_place(dtype, 1000, A, params, &tiles);
        for (int value = 0; value < 1 + (sum || turn); value++) {
            gbl_kernel_spec *spec = &list[count++];
            gbl_turn_kernel(file, dtype, &tiles, true, spec);
            if (turn)
                gbl_kernel_add_macro(spec, "AHEAD", value);
            if (sum) {
                gbl_kernel_add_macro(spec, "Y_TURNED", value);
                gbl_kernel_add_macro(spec, "CONJ_Y", value && gbl_dtype_complex(dtype));
            }
        }
    }
    return count;
}

#endif
