/* tensor_map_spec.c: maps of matrices for TMA: the rules, checked before the driver is asked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The rules are those of cuTensorMapEncodeTiled. The driver answers a broken one with "invalid
 * value" only; here the message names the number and the rule.
 */
#include "device/device.h"

#define GRAIN         16 /* bytes, of addresses, strides and lines of a box */
#define MOST_IN_BOX   256
#define SWIZZLE_BYTES 128
#define MOST_ELEMENTS ((int64_t)1 << 32)
#define STRIDE_END    ((int64_t)1 << 40)

static gable_status refuse(gbl_message *message, const char *what, int axis, int64_t value,
                           const char *rule)
{
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "a tensor map has %s[%d] = %lld; it must be %s",
                    what, axis, (long long)value, rule);
}

gable_status gbl_tensor_map_spec_check(const gbl_tensor_map_spec *box, gbl_message *message)
{
    if (box->rank < 2 || box->rank > GBL_MAX_RANK)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "a tensor map has rank = %d; it must be in [2, %d]", box->rank,
                        GBL_MAX_RANK);
    if ((uintptr_t)box->address % GRAIN != 0)
        return gbl_fail(
            message, GABLE_NOT_SUPPORTED,
            "a tensor map begins %d bytes behind a multiple of %d; it must begin at one",
            (int)((uintptr_t)box->address % GRAIN), GRAIN);
    const int64_t wide = box->dtype == GBL_Z ? 2 : 1;
    for (int i = 0; i < box->rank; i++) {
        const int64_t times = i == 0 ? wide : 1;
        if (box->dims[i] < 1 || box->dims[i] > MOST_ELEMENTS / times)
            return refuse(message, "dims", i, box->dims[i], "in [1, 2^32], of z in [1, 2^31]");
        if (box->box[i] < 1 || box->box[i] > MOST_IN_BOX / times)
            return refuse(message, "box", i, box->box[i], "in [1, 256], of z in [1, 128]");
    }
    for (int i = 0; i < box->rank - 1; i++)
        if (box->strides[i] < 1 || box->strides[i] >= STRIDE_END || box->strides[i] % GRAIN != 0)
            return refuse(message, "strides", i, box->strides[i],
                          "a positive multiple of 16 bytes below 2^40");
    const int64_t line = box->box[0] * (int64_t)gbl_dtype_bytes(box->dtype);
    if (line % GRAIN != 0)
        return refuse(message, "box", 0, box->box[0], "a multiple of 16 bytes");
    if (box->swizzled && line != SWIZZLE_BYTES)
        return refuse(message, "box", 0, box->box[0], "128 bytes where it is swizzled");
    return GABLE_OK;
}

gable_status gbl_device_tensor_map(gbl_device *device, const gbl_tensor_map_spec *box,
                                   gbl_tensor_map *map, gbl_message *message)
{
    if (device->table->tensor_map == NULL || device->props.max_tensor_maps == 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no tensor maps", device->info.name);
    TRY(gbl_tensor_map_spec_check(box, message));
    gbl_tensor_map_spec plain = *box;
    if (box->dtype == GBL_Z) {
        plain.dtype = GBL_D;
        plain.dims[0] *= 2;
        plain.box[0] *= 2;
    }
    return device->table->tensor_map(device, &plain, map, message);
}
