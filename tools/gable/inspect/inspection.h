/* inspection.h: what `gable inspect` found out about a kernel, and how it is shown.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_INSPECTION_H
#define TOOL_INSPECTION_H

#include "core/kernel.h"
#include "device/nvrtc.h"
#include "dry_device.h"
#include "instruction_mix.h"
#include "occupancy.h"

#define INSPECTION_FILE_BYTES 64

typedef struct inspection {
    char file[INSPECTION_FILE_BYTES];
    char entry[GBL_ENTRY_BYTES];
    char arch[GBL_NVRTC_ARCH_BYTES];
    dry_kernel kernel;    /* as the pretended GPU was asked to launch it, */
    gbl_kernel_spec spec; /* and as it is compiled; the names of macros are those of `kernel` */
    gbl_nvrtc_product product;
    bool has_resources, has_occupancy, has_ptx_mix, has_sass_mix;
    gbl_nvrtc_resources resources;
    occupancy occupancy;
    instruction_mix ptx_mix, sass_mix;
    const char *no_sass; /* why not */
} inspection;

void inspection_show(const inspection *seen, bool json);

#endif
