/* kept_slots.c: pieces of a matrix that stay in local memory while a panel is reduced: how many
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/kept_slots.h"
#include "device/device.h"

const int32_t gbl_kept_values[3] = {0, 2, 6};

int32_t gbl_kept_slots(const gbl_device *device, int32_t wanted, int64_t slot_bytes,
                       int64_t beside_bytes)
{
    const int64_t room = (int64_t)device->props.max_dynamic_local_bytes - beside_bytes;
    if (room < 0)
        return 0;
    return wanted < room / slot_bytes ? wanted : (int32_t)(room / slot_bytes);
}
