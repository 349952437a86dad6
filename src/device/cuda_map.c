/* cuda_map.c: tensor maps, made by the driver.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The layout of a map is the driver's secret, so its function makes them (cuTensorMapEncodeTiled,
 * since CUDA 12.0). It works on the host only and enqueues nothing.
 */
#include "device/cuda_device.h"

gable_status gbl_cuda_tensor_map(gbl_device *device, const gbl_tensor_map_spec *box,
                                 gbl_tensor_map *map, gbl_message *message)
{
    /* Complex numbers in single are copied as 8 bytes: what lies outside becomes zeros in any
     * type. */
    static const int types[] = {[GBL_S] = CU_TENSOR_FLOAT32,
                                [GBL_D] = CU_TENSOR_FLOAT64,
                                [GBL_C] = CU_TENSOR_FLOAT64,
                                [GBL_Z] = CU_TENSOR_FLOAT64};
    const uint32_t steps[GBL_MAX_RANK] = {1, 1, 1, 1};
    uint64_t dims[GBL_MAX_RANK] = {0}, strides[GBL_MAX_RANK - 1] = {0};
    uint32_t boxes[GBL_MAX_RANK] = {0};
    bool pushed;
    for (int i = 0; i < box->rank; i++) {
        dims[i] = (uint64_t)box->dims[i];
        boxes[i] = (uint32_t)box->box[i];
    }
    for (int i = 0; i < box->rank - 1; i++)
        strides[i] = (uint64_t)box->strides[i];
    TRY(gbl_cuda_enter((gbl_cuda_device *)device, &pushed, message));
    const int result = gbl_cuda.tensor_map_tiled(
        map, types[box->dtype], (uint32_t)box->rank, (void *)(uintptr_t)box->address, dims, strides,
        boxes, steps, CU_TENSOR_NOT_INTERLEAVED,
        box->swizzled ? CU_TENSOR_SWIZZLE_128B : CU_TENSOR_SWIZZLE_NONE, CU_TENSOR_L2_256B,
        CU_TENSOR_OUTSIDE_ZEROS);
    gbl_cuda_leave(pushed);
    CUDA_TRY(result, "making a tensor map (cuTensorMapEncodeTiled)", message);
    return GABLE_OK;
}
