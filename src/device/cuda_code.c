/* cuda_code.c: CUDA kernels: compiled by NVRTC, loaded by the driver, launched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An image is a cubin or PTX text; the driver tells them apart by their first bytes, so a stored
 * image needs no tag. The launch path takes no lock and no memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cuda_device.h"

#define MAX_GROUPS_X 2147483647
#define MAX_GROUPS_Y 65535
/* Of static and dynamic local memory together; beyond it a kernel must ask (every architecture). */
#define PLAIN_LOCAL_BYTES 49152
/* The size of clusters that every GPU with clusters takes; beyond it a kernel must ask, too. */
#define PORTABLE_CLUSTER 8

static gbl_cuda_code *code_of(const gbl_code *code)
{
    return (gbl_cuda_code *)code;
}

/* ---- build and load ---- */

static gable_status fail_load(const gbl_cuda_device *device, int result, const char *entry,
                              const char *log, gbl_message *message)
{
    const gable_status status = gbl_cuda_fail(result, "loading a kernel", message);
    if (status == GABLE_DEVICE_LOST || status == GABLE_OUT_OF_MEMORY)
        return status;
    int version = 0, major = 0, minor = 0;
    const char *name = NULL;
    gbl_cuda.driver_version(&version);
    gbl_nvrtc_version(&major, &minor, NULL);
    if (gbl_cuda.error_name(result, &name) != 0 || name == NULL)
        name = "an unknown error";
    if (result == CU_UNSUPPORTED_PTX_VERSION || result == CU_NO_BINARY_FOR_GPU ||
        result == CU_INVALID_IMAGE)
        return gbl_fail(
            message, GABLE_COMPILE_FAILED,
            "the driver (CUDA %d.%d) does not take kernel %s as compiled for %s by NVRTC "
            "%d.%d (%s); when NVRTC is the newer one, update the NVIDIA driver or set "
            "GABLE_NVRTC to the path of an NVRTC not newer than the driver%s%s",
            version / 1000, version % 1000 / 10, entry, device->target, major, minor, name,
            log[0] ? ":\n" : "", log);
    return gbl_fail(message, GABLE_COMPILE_FAILED,
                    "kernel %s could not be loaded: CUDA error %d (%s)%s%s", entry, result, name,
                    log[0] ? ":\n" : "", log);
}

static int attribute_of(gbl_cu_function *function, int attribute)
{
    int value = -1;
    return gbl_cuda.function_attribute(&value, attribute, function) == 0 ? value : -1;
}

/* Loads code->image; what was made is in code even on failure. */
static gable_status load_module(gbl_cuda_device *device, gbl_cuda_code *code, const char *entry,
                                gbl_message *message)
{
    char log[4096] = "";
    int options[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    int result = gbl_cuda.module_load(&code->module, code->image, 2, options, values);
    if (result != 0) {
        code->module = NULL;
        return fail_load(device, result, entry, log, message);
    }
    result = gbl_cuda.module_function(&code->function, code->module, entry);
    if (result != 0)
        return gbl_fail(message, GABLE_COMPILE_FAILED,
                        "the compiled program has no kernel %s (CUDA error %d)", entry, result);
    code->base.registers = attribute_of(code->function, CU_FUNCTION_REGISTERS);
    code->base.spill_bytes = attribute_of(code->function, CU_FUNCTION_LOCAL_BYTES);
    code->base.local_bytes = attribute_of(code->function, CU_FUNCTION_SHARED_BYTES);
    code->base.max_group = attribute_of(code->function, CU_FUNCTION_MAX_GROUP);
    return GABLE_OK;
}

/* Takes over the image, which is from malloc; it is freed on failure too. */
static gable_status make_code(gbl_device *base, void *image, size_t image_bytes, const char *entry,
                              gbl_code **code, gbl_message *message)
{
    gbl_cuda_device *device = (gbl_cuda_device *)base;
    bool pushed;
    *code = NULL;
    gbl_cuda_code *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        free(image);
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a kernel");
    }
    fresh->base.device = base;
    fresh->image = image;
    fresh->image_bytes = image_bytes;
    atomic_init(&fresh->limit_raised, false);
    atomic_init(&fresh->wide_clusters, false);
    gable_status status = gbl_cuda_enter(device, &pushed, message);
    if (status == GABLE_OK) {
        status = load_module(device, fresh, entry, message);
        gbl_cuda_leave(pushed);
    }
    if (status == GABLE_OK)
        *code = &fresh->base;
    else
        gbl_cuda_unload(&fresh->base);
    return status;
}

gable_status gbl_cuda_build(gbl_device *device, const char *source, const char *const *macros,
                            const char *entry, gbl_code **code, gbl_message *message)
{
    gbl_nvrtc_product product;
    *code = NULL;
    TRY(gbl_nvrtc_compile(source, macros, ((gbl_cuda_device *)device)->target, false, &product,
                          message));
    void *image = product.image;
    product.image = NULL;
    const size_t image_bytes = product.image_bytes;
    gbl_nvrtc_product_free(&product);
    return make_code(device, image, image_bytes, entry, code, message);
}

gable_status gbl_cuda_load_image(gbl_device *device, const void *image, size_t image_bytes,
                                 const char *entry, gbl_code **code, gbl_message *message)
{
    *code = NULL;
    if (image_bytes < 4)
        return gbl_fail(message, GABLE_COMPILE_FAILED,
                        "the image of kernel %s has %zu bytes, which is no cubin and no PTX", entry,
                        image_bytes);
    char *copy = malloc(image_bytes + 1);
    if (copy == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a kernel image");
    memcpy(copy, image, image_bytes);
    copy[image_bytes] = '\0'; /* should the image be PTX without its end */
    return make_code(device, copy, image_bytes, entry, code, message);
}

gable_status gbl_cuda_image(const gbl_code *code, void **image, size_t *image_bytes,
                            gbl_message *message)
{
    const gbl_cuda_code *own = code_of(code);
    *image = malloc(own->image_bytes);
    if (*image == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a kernel image");
    memcpy(*image, own->image, own->image_bytes);
    *image_bytes = own->image_bytes;
    return GABLE_OK;
}

void gbl_cuda_unload(gbl_code *code)
{
    bool pushed;
    if (code == NULL)
        return;
    gbl_cuda_code *own = code_of(code);
    if (own->module != NULL &&
        gbl_cuda_enter((gbl_cuda_device *)code->device, &pushed, NULL) == GABLE_OK) {
        gbl_cuda.module_unload(own->module);
        gbl_cuda_leave(pushed);
    }
    free(own->image);
    free(own);
}

/* ---- launch ---- */

static gable_status refuse(gbl_message *message, const gbl_launch_spec *spec, const char *field,
                           long long value, long long low, long long high)
{
    return gbl_fail(message, GABLE_NOT_SUPPORTED,
                    "the launch of %s has %s = %lld; on this device it must be in [%lld, %lld]",
                    spec->name, field, value, low, high);
}

static gable_status check_spec(const gbl_cuda_device *device, const gbl_launch_spec *spec,
                               gbl_message *message)
{
    const gbl_props *props = &device->base.props;
    const gbl_code *code = spec->code;
    const int max_group = code->max_group > 0 ? code->max_group : props->max_group;
    const long long items = (long long)spec->group[0] * spec->group[1];
    if (spec->groups[0] < 1 || spec->groups[0] > MAX_GROUPS_X)
        return refuse(message, spec, "groups[0]", spec->groups[0], 1, MAX_GROUPS_X);
    if (spec->groups[1] < 1 || spec->groups[1] > MAX_GROUPS_Y)
        return refuse(message, spec, "groups[1]", spec->groups[1], 1, MAX_GROUPS_Y);
    if (spec->group[0] < 1 || spec->group[1] < 1 || items > max_group)
        return refuse(message, spec, "group[0] * group[1]", items, 1, max_group);
    if (spec->buffer_count < 0 || spec->buffer_count > GBL_MAX_BUFFERS)
        return refuse(message, spec, "buffer_count", spec->buffer_count, 0, GBL_MAX_BUFFERS);
    if (spec->map_count < 0 || spec->map_count > props->max_tensor_maps)
        return refuse(message, spec, "map_count", spec->map_count, 0, props->max_tensor_maps);
    if (spec->args_bytes > GBL_MAX_ARGS)
        return refuse(message, spec, "args_bytes", (long long)spec->args_bytes, 0, GBL_MAX_ARGS);
    if (spec->cluster > 1) {
        if (spec->cluster > props->max_cluster)
            return refuse(message, spec, "cluster", spec->cluster, 0, props->max_cluster);
        if (spec->groups[0] % spec->cluster != 0)
            return gbl_fail(message, GABLE_NOT_SUPPORTED,
                            "the launch of %s has groups[0] = %lld, which must be a multiple of "
                            "cluster = %d",
                            spec->name, (long long)spec->groups[0], spec->cluster);
    }
    if (spec->cooperative && !props->cooperative)
        return refuse(message, spec, "cooperative", 1, 0, 0);
    return GABLE_OK;
}

static gable_status check_dynamic(const gbl_cuda_device *device, const gbl_launch_spec *spec,
                                  gbl_message *message)
{
    gbl_cuda_code *code = code_of(spec->code);
    const size_t fixed = code->base.local_bytes > 0 ? (size_t)code->base.local_bytes : 0;
    const size_t most = device->base.props.max_dynamic_local_bytes;
    if (fixed + spec->dynamic_local_bytes <= PLAIN_LOCAL_BYTES)
        return GABLE_OK;
    if (fixed + spec->dynamic_local_bytes > most)
        return refuse(message, spec, "dynamic_local_bytes", (long long)spec->dynamic_local_bytes, 0,
                      (long long)(most > fixed ? most - fixed : 0));
    /* Raised to all there is, so that threads that race here set the same value. It only permits; a
     * launch still takes what it asks for. */
    if (!atomic_load_explicit(&code->limit_raised, memory_order_acquire)) {
        CUDA_TRY(gbl_cuda.function_set_attribute(
                     code->function, CU_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, (int)(most - fixed)),
                 "raising a kernel's limit of local memory", message);
        atomic_store_explicit(&code->limit_raised, true, memory_order_release);
    }
    return GABLE_OK;
}

/* Allows clusters beyond the portable size, once per kernel. */
static gable_status allow_cluster(const gbl_launch_spec *spec, gbl_message *message)
{
    gbl_cuda_code *code = code_of(spec->code);
    if (!atomic_load_explicit(&code->wide_clusters, memory_order_acquire)) {
        CUDA_TRY(gbl_cuda.function_set_attribute(code->function, CU_FUNCTION_WIDE_CLUSTERS, 1),
                 "allowing a kernel large clusters", message);
        atomic_store_explicit(&code->wide_clusters, true, memory_order_release);
    }
    return GABLE_OK;
}

gable_status gbl_cuda_prepare(const gbl_cuda_device *device, const gbl_launch_spec *spec,
                              gbl_cuda_call *call, gbl_message *message)
{
    TRY(check_spec(device, spec, message));
    if (spec->dynamic_local_bytes > 0)
        TRY(check_dynamic(device, spec, message));
    if (spec->cluster > PORTABLE_CLUSTER)
        TRY(allow_cluster(spec, message));

    call->function = code_of(spec->code)->function;
    call->cooperative = spec->cooperative;
    /* Drivers since CUDA 12.3 also record such launches; the older ones have no such edges in
     * graphs. */
    /* An older NVRTC compiles for an older architecture: its kernels do not wait, whatever the GPU
     * is. */
    call->early = spec->waits_itself && device->target_number >= GBL_CUDA_HOPPER &&
                  gbl_cuda.graph_add_edges != NULL && gbl_cuda.launch_with != NULL &&
                  !spec->cooperative && spec->cluster <= 1;
    call->cluster = spec->cluster > 1 ? (unsigned)spec->cluster : 1;
    call->dynamic_bytes = (unsigned)spec->dynamic_local_bytes;
    for (int i = 0; i < 2; i++) {
        call->grid[i] = (unsigned)spec->groups[i];
        call->group[i] = (unsigned)spec->group[i];
    }
    /* The driver reads each parameter through its pointer, and knows its size from the kernel. */
    void **next = call->parameters;
    for (int i = 0; i < spec->map_count; i++)
        *next++ = (void *)&spec->maps[i];
    for (int i = 0; i < spec->buffer_count; i++)
        *next++ = (void *)&spec->buffers[i];
    if (spec->args_bytes > 0)
        *next++ = (void *)spec->args;
    return GABLE_OK;
}

static gable_status count_clusters(const gbl_cuda_device *device, const gbl_launch_spec *spec,
                                   int *count, gbl_message *message)
{
    gbl_cuda_call call;
    TRY(gbl_cuda_prepare(device, spec, &call, message));
    gbl_cu_launch_attribute cluster = {.id = CU_LAUNCH_CLUSTER,
                                       .value.cluster = {call.cluster, 1, 1}};
    const gbl_cu_launch_config config = {.grid = {call.grid[0], call.grid[1], 1},
                                         .group = {call.group[0], call.group[1], 1},
                                         .dynamic_bytes = call.dynamic_bytes,
                                         .attributes = &cluster,
                                         .attribute_count = 1};
    const int result = gbl_cuda.active_clusters(count, call.function, &config);
    if (result == CU_INVALID_CLUSTER_SIZE) { /* no unit of the device is wide enough */
        *count = 0;
        return GABLE_OK;
    }
    CUDA_TRY(result, "asking how many clusters fit", message);
    return GABLE_OK;
}

gable_status gbl_cuda_active_clusters(gbl_device *device, const gbl_launch_spec *spec, int *count,
                                      gbl_message *message)
{
    bool pushed;
    *count = 0;
    if (device->props.max_cluster <= 1 || gbl_cuda.active_clusters == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no clusters", device->info.name);
    TRY(gbl_cuda_enter((gbl_cuda_device *)device, &pushed, message));
    const gable_status status = count_clusters((gbl_cuda_device *)device, spec, count, message);
    gbl_cuda_leave(pushed);
    return status;
}

static gable_status count_groups(const gbl_cuda_device *device, const gbl_launch_spec *spec,
                                 int64_t *count, gbl_message *message)
{
    gbl_launch_spec one = *spec; /* the device is asked before the number of groups is known */
    gbl_cuda_call call;
    int a_unit = 0;
    one.groups[0] = spec->cluster > 1 ? spec->cluster : 1;
    one.groups[1] = 1;
    TRY(gbl_cuda_prepare(device, &one, &call, message));
    CUDA_TRY(gbl_cuda.active_groups(&a_unit, call.function, (int)(call.group[0] * call.group[1]),
                                    call.dynamic_bytes),
             "asking how many groups fit", message);
    *count = (int64_t)a_unit * device->base.props.units;
    return GABLE_OK;
}

gable_status gbl_cuda_active_groups(gbl_device *device, const gbl_launch_spec *spec, int64_t *count,
                                    gbl_message *message)
{
    bool pushed;
    *count = 0;
    if (!device->props.cooperative || gbl_cuda.active_groups == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no cooperative launches",
                        device->info.name);
    TRY(gbl_cuda_enter((gbl_cuda_device *)device, &pushed, message));
    const gable_status status = count_groups((gbl_cuda_device *)device, spec, count, message);
    gbl_cuda_leave(pushed);
    return status;
}

/* With a cluster, or early. */
static int launch_specially(gbl_cuda_call *call, gbl_cu_stream *stream)
{
    gbl_cu_launch_attribute clustered[] = {
        {.id = CU_LAUNCH_CLUSTER, .value.cluster = {call->cluster, 1, 1}},
        {.id = CU_LAUNCH_COOPERATIVE, .value.cooperative = 1}};
    gbl_cu_launch_attribute early[] = {{.id = CU_LAUNCH_PROGRAMMATIC, .value.programmatic = 1}};
    const gbl_cu_launch_config config = {.grid = {call->grid[0], call->grid[1], 1},
                                         .group = {call->group[0], call->group[1], 1},
                                         .dynamic_bytes = call->dynamic_bytes,
                                         .stream = stream,
                                         .attributes = call->early ? early : clustered,
                                         .attribute_count = call->cooperative ? 2 : 1};
    return gbl_cuda.launch_with(&config, call->function, call->parameters, NULL);
}

static gable_status launch_inside(gbl_cuda_queue *queue, const gbl_launch_spec *spec,
                                  gbl_message *message)
{
    gbl_cuda_call call;
    gbl_cu_stream *stream;
    int result;
    TRY(gbl_cuda_prepare((gbl_cuda_device *)queue->base.device, spec, &call, message));
    TRY(gbl_cuda_launch_stream(queue, spec->overlap_previous, &stream, message));
    /* The default stream also waits for other streams; a launch there is made ready in turn. */
    call.early = call.early && !spec->overlap_previous && stream != CU_STREAM_LEGACY;
    if (call.cluster > 1 || call.early)
        result = launch_specially(&call, stream);
    else if (call.cooperative)
        result = gbl_cuda.launch_cooperative(call.function, call.grid[0], call.grid[1], 1,
                                             call.group[0], call.group[1], 1, call.dynamic_bytes,
                                             stream, call.parameters);
    else
        result =
            gbl_cuda.launch(call.function, call.grid[0], call.grid[1], 1, call.group[0],
                            call.group[1], 1, call.dynamic_bytes, stream, call.parameters, NULL);
    if (result == CU_COOPERATIVE_TOO_LARGE)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "the cooperative launch of %s has groups = {%lld, %lld}, more than the "
                        "device's %d multiprocessors hold at once",
                        spec->name, (long long)spec->groups[0], (long long)spec->groups[1],
                        queue->base.device->props.units);
    if (result == CU_INVALID_CLUSTER_SIZE)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "the launch of %s has cluster = %d, of groups of %d x %d work-items; the "
                        "device holds no such cluster",
                        spec->name, spec->cluster, spec->group[0], spec->group[1]);
    if (result != 0) {
        char what[128];
        snprintf(what, sizeof what, "the launch of %s", spec->name);
        return gbl_cuda_fail(result, what, message);
    }
    return GABLE_OK;
}

gable_status gbl_cuda_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    bool pushed;
    TRY(gbl_cuda_enter((gbl_cuda_device *)queue->device, &pushed, message));
    const gable_status status = launch_inside((gbl_cuda_queue *)queue, spec, message);
    gbl_cuda_leave(pushed);
    return status;
}
