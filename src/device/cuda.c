/* cuda.c: the CUDA device: what GPUs there are, opening one, the table.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs two libraries at run time: the driver (libcuda.so.1) and NVRTC, which compiles the kernels.
 * A GPU is usable when both are there and fit each other; the description says what is wrong
 * otherwise. The work is in the files that cuda_device.h lists.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cublas.h"
#include "device/cuda_device.h"

/* The most groups a cluster that any GPU so far takes. Whether a kernel's fit is asked by
 * active_clusters. */
#define MAX_CLUSTER 16

static int attribute_of(int device, int attribute)
{
    int value = 0;
    return gbl_cuda.device_attribute(&value, attribute, device) == 0 ? value : 0;
}

static gable_status count_devices(int *count, gbl_message *message)
{
    int version;
    return gbl_cuda_load(count, &version, message);
}

/* What the driver and NVRTC say of one GPU, without making a context. */
typedef struct findings {
    int handle, major, minor;
    int nvrtc_major, nvrtc_minor;
    char target[GBL_NVRTC_ARCH_BYTES];
} findings;

/* Finds what kernels are compiled with and for; GABLE_NO_DEVICE and the reason when they cannot be.
 */
static gable_status find_compiler(int driver_version, findings *found, gbl_message *message)
{
    const int driver_major = driver_version / 1000, driver_minor = driver_version % 1000 / 10;
    gbl_nvrtc_prefer_major(driver_major);
    TRY(gbl_nvrtc_version(&found->nvrtc_major, &found->nvrtc_minor, message));
    /* Within a major version drivers take newer code; across them they refuse it. */
    if (found->nvrtc_major > driver_major)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "NVRTC %d.%d (%s) is too new for the driver, which supports CUDA %d.%d; update "
            "the NVIDIA driver, or install an NVRTC %d (`pip install "
            "nvidia-cuda-nvrtc-cu%d`) and set GABLE_NVRTC to the path of its libnvrtc.so",
            found->nvrtc_major, found->nvrtc_minor, gbl_nvrtc_path(), driver_major, driver_minor,
            driver_major, driver_major);
    return gbl_nvrtc_target(found->major, found->minor, found->target, message);
}

static gable_status check_usable(int driver_version, findings *found, gbl_message *message)
{
    if (attribute_of(found->handle, CU_DEVICE_COMPUTE_MODE) == CU_COMPUTE_MODE_PROHIBITED)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "the GPU's compute mode is \"prohibited\"; change it with `nvidia-smi -c 0`");
    if (!attribute_of(found->handle, CU_DEVICE_UNIFIED_ADDRESSING))
        return gbl_fail(message, GABLE_NO_DEVICE, "the GPU has no unified addressing");
    return find_compiler(driver_version, found, message);
}

/* Fills info; when the GPU cannot be used, info->reason says why and the status is still GABLE_OK.
 */
static gable_status look_at(int index, gable_device_info *info, findings *found,
                            gbl_message *message)
{
    gbl_message why = {NULL, ""};
    size_t memory_bytes = 0;
    int count, version;
    memset(info, 0, sizeof *info);
    memset(found, 0, sizeof *found);
    TRY(gbl_cuda_load(&count, &version, message));
    if (index < 0 || index >= count)
        return gbl_fail(message, GABLE_NO_DEVICE, "there is no cuda:%d; CUDA has %d device%s",
                        index, count, count == 1 ? "" : "s");
    CUDA_TRY(gbl_cuda.device_get(&found->handle, index), "cuDeviceGet", message);
    found->major = attribute_of(found->handle, CU_DEVICE_MAJOR);
    found->minor = attribute_of(found->handle, CU_DEVICE_MINOR);

    snprintf(info->name, sizeof info->name, "cuda:%d", index);
    gbl_cuda.device_name(info->title, (int)sizeof info->title, found->handle);
    snprintf(info->driver, sizeof info->driver, "CUDA driver %d.%d", version / 1000,
             version % 1000 / 10);
    info->is_gpu = 1;
    info->units = attribute_of(found->handle, CU_DEVICE_UNITS);
    gbl_cuda.device_memory(&memory_bytes, found->handle);
    info->memory_bytes = memory_bytes;
    info->cache_bytes = (uint64_t)attribute_of(found->handle, CU_DEVICE_L2_BYTES);

    info->usable = check_usable(version, found, &why) == GABLE_OK;
    if (info->usable)
        snprintf(info->arch, sizeof info->arch, "%s", found->target);
    else
        snprintf(info->reason, sizeof info->reason, "%.500s", why.text);
    if (found->nvrtc_major > 0)
        snprintf(info->compiler, sizeof info->compiler, "NVRTC %d.%d", found->nvrtc_major,
                 found->nvrtc_minor);
    return GABLE_OK;
}

static gable_status describe(int index, gable_device_info *info, gbl_message *message)
{
    findings found;
    return look_at(index, info, &found, message);
}

static void fill_props(gbl_cuda_device *device, const findings *found)
{
    gbl_props *props = &device->base.props;
    const gable_device_info *info = &device->base.info;
    const bool hopper = device->target_number >= GBL_CUDA_HOPPER;
    props->is_gpu = true;
    props->fence_device = true;
    props->overlap = true;
    props->streams = true;
    props->pinned_is_address = true;
    props->disk_cache = true;
    props->image_at_build = true;
    props->cooperative = attribute_of(found->handle, CU_DEVICE_COOPERATIVE) != 0;
    props->max_cluster = hopper && gbl_cuda.launch_with != NULL &&
                                 attribute_of(found->handle, CU_DEVICE_CLUSTER_LAUNCH) != 0
                             ? MAX_CLUSTER
                             : 1;
    props->max_tensor_maps = hopper && gbl_cuda.tensor_map_tiled != NULL ? GBL_MAX_MAPS : 0;
    props->units = info->units;
    props->simd = attribute_of(found->handle, CU_DEVICE_WARP);
    props->max_group = attribute_of(found->handle, CU_DEVICE_MAX_GROUP);
    props->max_local_bytes = (size_t)attribute_of(found->handle, CU_DEVICE_SHARED_BYTES);
    props->max_dynamic_local_bytes =
        (size_t)attribute_of(found->handle, CU_DEVICE_SHARED_BYTES_OPTIN);
    if (props->max_dynamic_local_bytes < props->max_local_bytes)
        props->max_dynamic_local_bytes = props->max_local_bytes;
    props->cache_bytes = info->cache_bytes;
    props->memory_bytes = info->memory_bytes;
    snprintf(props->family, sizeof props->family, "sm_%d%d", found->major, found->minor);
    snprintf(props->build_key, sizeof props->build_key, "%s nvrtc %d.%d", found->target,
             found->nvrtc_major, found->nvrtc_minor);
}

static gable_status open_device(int index, gbl_device **device, gbl_message *message)
{
    findings found;
    *device = NULL;
    gbl_cuda_device *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a device");
    gable_status status = look_at(index, &fresh->base.info, &found, message);
    if (status != GABLE_OK)
        goto done;
    if (!fresh->base.info.usable) {
        status = gbl_fail(message, GABLE_NO_DEVICE, "cuda:%d cannot be used: %s", index,
                          fresh->base.info.reason);
        goto done;
    }
    const int result = gbl_cuda.context_retain(&fresh->context, found.handle);
    if (result != 0) {
        status = gbl_cuda_fail(result, "opening the GPU (cuDevicePrimaryCtxRetain)", message);
        goto done;
    }
    fresh->base.table = &gbl_cuda_table;
    fresh->handle = found.handle;
    fresh->major = found.major;
    fresh->minor = found.minor;
    fresh->max_pitch = (size_t)attribute_of(found.handle, CU_DEVICE_MAX_PITCH);
    memcpy(fresh->target, found.target, sizeof fresh->target);
    fresh->target_number = gbl_nvrtc_arch_number(fresh->target);
    fill_props(fresh, &found);
    *device = &fresh->base;
done:
    if (status != GABLE_OK)
        free(fresh);
    return status;
}

static void close_device(gbl_device *device)
{
    if (device == NULL)
        return;
    gbl_cuda.context_release(((gbl_cuda_device *)device)->handle);
    free(device);
}

const gbl_device_table gbl_cuda_table = {
    .kind = "cuda",
    .count = count_devices,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .queue_open = gbl_cuda_queue_open,
    .queue_close = gbl_cuda_queue_close,
    .queue_use = gbl_cuda_queue_use,
    .queue_stream = gbl_cuda_queue_stream,
    .sync = gbl_cuda_sync,
    .wait = gbl_cuda_wait,
    .alloc = gbl_cuda_alloc,
    .free = gbl_cuda_free,
    .pinned_alloc = gbl_cuda_pinned_alloc,
    .pinned_free = gbl_cuda_pinned_free,
    .pin = gbl_cuda_pin,
    .unpin = gbl_cuda_unpin,
    .where = gbl_cuda_where,
    .copy = gbl_cuda_copy,
    .fill = gbl_cuda_fill,
    .build = gbl_cuda_build,
    .load = gbl_cuda_load_image,
    .image = gbl_cuda_image,
    .unload = gbl_cuda_unload,
    .launch = gbl_cuda_launch,
    .active_clusters = gbl_cuda_active_clusters,
    .active_groups = gbl_cuda_active_groups,
    .tensor_map = gbl_cuda_tensor_map,
    .task = gbl_cuda_task,
    .graph_build = gbl_cuda_graph_build,
    .graph_run = gbl_cuda_graph_run,
    .graph_free = gbl_cuda_graph_free,
    .mark_create = gbl_cuda_mark_create,
    .mark_set = gbl_cuda_mark_set,
    .mark_wait = gbl_cuda_mark_wait,
    .mark_wait_until = gbl_cuda_mark_wait_until,
    .mark_seconds = gbl_cuda_mark_seconds,
    .mark_destroy = gbl_cuda_mark_destroy,
    .vendor = &gbl_cublas_vendor,
};
