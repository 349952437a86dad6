/* pretended_h200.h: makes an H200 of a device that compiles but does not run.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GABLE_PRETENDED_H200
#define GABLE_PRETENDED_H200

#include <stdio.h>
#include "core/context.h"

/* What identifies an H200 to the built-in roofs. */
static void pretend_h200(gbl_device *device)
{
    static gbl_device_table table;
    table = *device->table;
    table.kind = "cuda";
    device->table = &table;
    snprintf(device->info.title, sizeof device->info.title, "NVIDIA H200");
    device->info.units = device->props.units = 132;
}

#endif
