/* opencl_code.c: programs, kernels and launches of the opencl device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A gbl_code is one kernel of one program. The arguments of a cl_kernel are state of that object,
 * but contexts on other threads share the gbl_code, so a mutex in it holds arguments and enqueue
 * together; the driver copies the arguments during the enqueue. The lock is held for one launch (1
 * to 8 us) and contended only by threads that launch the same kernel.
 *
 * PoCL makes machine code at the first launch, not in clBuildProgram; an image taken before holds
 * intermediate code only (props.image_at_build is false).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/opencl_private.h"

typedef struct opencl_code {
    gbl_code base;
    gbl_cl_program *program;
    gbl_cl_kernel *kernel;
    pthread_mutex_t lock;  /* the kernel's arguments, and what follows */
    bool told;             /* of the allocations it may reach beside its arguments, ... */
    uint64_t told_version; /* ... as they were then */
} opencl_code;

/* The compiler's words; from malloc, NULL when there are none. */
static char *build_log(const gbl_opencl_device *device, gbl_cl_program *program)
{
    size_t bytes = 0;
    gbl_cl.GetProgramBuildInfo(program, device->id, GBL_CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = bytes > 0 ? malloc(bytes + 1) : NULL;
    if (log == NULL)
        return NULL;
    log[0] = '\0';
    gbl_cl.GetProgramBuildInfo(program, device->id, GBL_CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    log[bytes] = '\0';
    return log;
}

static int clamp_to_int(uint64_t value)
{
    return value > INT32_MAX ? INT32_MAX : (int)value;
}

/* Builds the program and makes its kernel. Owns the program from the start. */
static gable_status finish_code(gbl_opencl_device *device, gbl_cl_program *program,
                                const char *options, const char *entry, gbl_code **code,
                                gbl_message *message)
{
    gable_status status = GABLE_OK;
    gbl_cl_kernel *kernel = NULL;
    opencl_code *made = NULL;

    int32_t error = gbl_cl.BuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (error != GBL_CL_SUCCESS) {
        char *log = build_log(device, program);
        status = gbl_fail(message, GABLE_COMPILE_FAILED,
                          "kernel %s was not compiled by %s (%s, %d); the compiler's log:\n%s",
                          entry, device->base.info.compiler, gbl_opencl_error_name(error),
                          (int)error, log != NULL && log[0] != '\0' ? log : "(empty)");
        free(log);
        goto done;
    }
    kernel = gbl_cl.CreateKernel(program, entry, &error);
    if (kernel == NULL) {
        status = gbl_fail(message, GABLE_COMPILE_FAILED,
                          "the program has no kernel %s (clCreateKernel returned %s, %d)", entry,
                          gbl_opencl_error_name(error), (int)error);
        goto done;
    }
    uint64_t local_bytes = 0, private_bytes = 0;
    size_t max_group = 0;
    error = gbl_cl.GetKernelWorkGroupInfo(kernel, device->id, GBL_CL_KERNEL_LOCAL_MEM_SIZE,
                                          sizeof local_bytes, &local_bytes, NULL);
    if (error == GBL_CL_SUCCESS)
        error = gbl_cl.GetKernelWorkGroupInfo(kernel, device->id, GBL_CL_KERNEL_PRIVATE_MEM_SIZE,
                                              sizeof private_bytes, &private_bytes, NULL);
    if (error == GBL_CL_SUCCESS)
        error = gbl_cl.GetKernelWorkGroupInfo(kernel, device->id, GBL_CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof max_group, &max_group, NULL);
    if (error != GBL_CL_SUCCESS) {
        status = gbl_opencl_fail("clGetKernelWorkGroupInfo", error, message);
        goto done;
    }
    made = calloc(1, sizeof *made);
    if (made == NULL) {
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for kernel %s", entry);
        goto done;
    }
    made->base.device = &device->base;
    made->base.registers = -1;
    /* NVIDIA says here how much local memory, which holds spills, a work-item takes. Others mean
     * other things: PoCL 3.1 says 1024 for any kernel. */
    made->base.spill_bytes = device->is_nvidia ? clamp_to_int(private_bytes) : -1;
    made->base.local_bytes = clamp_to_int(local_bytes);
    made->base.max_group = clamp_to_int(max_group);
    made->program = program;
    made->kernel = kernel;
    pthread_mutex_init(&made->lock, NULL);
    *code = &made->base;
done:
    if (status != GABLE_OK) {
        if (kernel != NULL)
            gbl_cl.ReleaseKernel(kernel);
        gbl_cl.ReleaseProgram(program);
    }
    return status;
}

/* The options of a build, from malloc. No fast-math: the error bounds count on plain arithmetic. */
static gable_status write_options(const gbl_opencl_device *device, const char *const *macros,
                                  char **options, gbl_message *message)
{
    static const char language[] = "-cl-std=CL1.2";
    static const char rounding[] = " -cl-fp32-correctly-rounded-divide-sqrt";
    size_t bytes = sizeof language + sizeof rounding;
    for (const char *const *macro = macros; macro != NULL && *macro != NULL; macro++) {
        /* Drivers disagree on quotes within options: PoCL refuses them. */
        if (strpbrk(*macro, " \t\n'\"") != NULL)
            return gbl_fail(message, GABLE_INTERNAL,
                            "the macro \"%s\" holds a blank or a quote, which OpenCL compilers do "
                            "not take as an option",
                            *macro);
        bytes += strlen(" -D ") + strlen(*macro);
    }
    char *text = malloc(bytes);
    if (text == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the build options");
    size_t used =
        (size_t)snprintf(text, bytes, "%s%s", language, device->rounds_divide ? rounding : "");
    for (const char *const *macro = macros; macro != NULL && *macro != NULL; macro++)
        used += (size_t)snprintf(text + used, bytes - used, " -D %s", *macro);
    *options = text;
    return GABLE_OK;
}

gable_status gbl_opencl_build(gbl_device *device, const char *source, const char *const *macros,
                              const char *entry, gbl_code **code, gbl_message *message)
{
    gbl_opencl_device *opencl = (gbl_opencl_device *)device;
    char *options = NULL;
    TRY(write_options(opencl, macros, &options, message));
    int32_t error = GBL_CL_SUCCESS;
    gbl_cl_program *program =
        gbl_cl.CreateProgramWithSource(opencl->context, 1, &source, NULL, &error);
    const gable_status status = program == NULL
                                    ? gbl_opencl_fail("clCreateProgramWithSource", error, message)
                                    : finish_code(opencl, program, options, entry, code, message);
    free(options);
    return status;
}

gable_status gbl_opencl_load(gbl_device *device, const void *image, size_t image_bytes,
                             const char *entry, gbl_code **code, gbl_message *message)
{
    gbl_opencl_device *opencl = (gbl_opencl_device *)device;
    const unsigned char *binary = image;
    int32_t binary_error = GBL_CL_SUCCESS, error = GBL_CL_SUCCESS;
    gbl_cl_program *program = gbl_cl.CreateProgramWithBinary(
        opencl->context, 1, &opencl->id, &image_bytes, &binary, &binary_error, &error);
    if (program == NULL || error != GBL_CL_SUCCESS || binary_error != GBL_CL_SUCCESS) {
        const int32_t reason = error != GBL_CL_SUCCESS ? error : binary_error;
        if (program != NULL)
            gbl_cl.ReleaseProgram(program);
        return gbl_fail(
            message, GABLE_COMPILE_FAILED,
            "the stored image of kernel %s (%zu bytes) was refused by the driver (%s, %d); "
            "it must be compiled again",
            entry, image_bytes, gbl_opencl_error_name(reason), (int)reason);
    }
    return finish_code(opencl, program, NULL, entry, code, message);
}

gable_status gbl_opencl_image(const gbl_code *code, void **image, size_t *image_bytes,
                              gbl_message *message)
{
    const opencl_code *opencl = (const opencl_code *)code;
    size_t bytes = 0;
    int32_t error = gbl_cl.GetProgramInfo(opencl->program, GBL_CL_PROGRAM_BINARY_SIZES,
                                          sizeof bytes, &bytes, NULL);
    if (error != GBL_CL_SUCCESS)
        return gbl_opencl_fail("clGetProgramInfo(CL_PROGRAM_BINARY_SIZES)", error, message);
    if (bytes == 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "the driver gives no image of this kernel");
    unsigned char *binary = malloc(bytes);
    if (binary == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for an image of %zu bytes",
                        bytes);
    error = gbl_cl.GetProgramInfo(opencl->program, GBL_CL_PROGRAM_BINARIES, sizeof binary, &binary,
                                  NULL);
    if (error != GBL_CL_SUCCESS) {
        free(binary);
        return gbl_opencl_fail("clGetProgramInfo(CL_PROGRAM_BINARIES)", error, message);
    }
    *image = binary;
    *image_bytes = bytes;
    return GABLE_OK;
}

void gbl_opencl_unload(gbl_code *code)
{
    opencl_code *opencl = (opencl_code *)code;
    if (opencl == NULL)
        return;
    gbl_cl.ReleaseKernel(opencl->kernel);
    gbl_cl.ReleaseProgram(opencl->program);
    pthread_mutex_destroy(&opencl->lock);
    free(opencl);
}

/* What OpenCL C 1.2 cannot say, and the limits that a driver does not survive: PoCL aborts the
 * process when a group asks for more local memory than there is. */
static gable_status check_launch(const gbl_launch_spec *spec, gbl_message *message)
{
    const gbl_code *code = spec->code;
    const gbl_props *props = &code->device->props;
    if (spec->map_count > 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "launch of %s: map_count is %d; OpenCL has no tensor maps", spec->name,
                        spec->map_count);
    if (spec->cluster > 1)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "launch of %s: cluster is %d; OpenCL has no clusters, it must be 0 or 1",
                        spec->name, spec->cluster);
    if (spec->cooperative)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "launch of %s: cooperative is set; OpenCL has no grid-wide barrier",
                        spec->name);
    if (spec->dynamic_local_bytes > 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "launch of %s: dynamic_local_bytes is %zu; kernels in OpenCL C 1.2 have "
                        "static local memory only, it must be 0",
                        spec->name, spec->dynamic_local_bytes);
    if (spec->groups[0] < 1 || spec->groups[1] < 1 || spec->group[0] < 1 || spec->group[1] < 1)
        return gbl_fail(
            message, GABLE_NOT_SUPPORTED,
            "launch of %s: groups are %lld x %lld of %d x %d work-items; each must be at "
            "least 1",
            spec->name, (long long)spec->groups[0], (long long)spec->groups[1], spec->group[0],
            spec->group[1]);
    const int64_t items = (int64_t)spec->group[0] * spec->group[1];
    const int limit = code->max_group < props->max_group ? code->max_group : props->max_group;
    if (items > limit)
        return gbl_fail(
            message, GABLE_NOT_SUPPORTED,
            "launch of %s: group is %d x %d work-items; the device takes at most %d per "
            "group for this kernel",
            spec->name, spec->group[0], spec->group[1], limit);
    if (code->local_bytes > 0 && (size_t)code->local_bytes > props->max_local_bytes)
        return gbl_fail(
            message, GABLE_NOT_SUPPORTED,
            "launch of %s: the kernel takes %d bytes of local memory per group; the device "
            "has %zu",
            spec->name, code->local_bytes, props->max_local_bytes);
    return GABLE_OK;
}

/* OpenCL lets a kernel reach memory that is not among its arguments only when it is told of it.
 * Which allocations the kernel will reach is not known, so it is told of all; again only when there
 * are others. Under the code's lock. */
static int32_t tell_allocations(gbl_opencl_device *device, opencl_code *code)
{
    size_t count;
    uint64_t version;
    if (code->told && code->told_version == gbl_opencl_regions_version(device))
        return GBL_CL_SUCCESS;
    void **list = gbl_opencl_allocations(device, &count, &version);
    if (list == NULL)
        return GBL_CL_OUT_OF_HOST_MEMORY;
    const int32_t error =
        count == 0 ? GBL_CL_SUCCESS
                   : gbl_cl.SetKernelExecInfo(code->kernel, GBL_CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                              count * sizeof *list, list);
    free(list);
    code->told = error == GBL_CL_SUCCESS;
    code->told_version = version;
    return error;
}

/* A buffer that this launch does not read may be NULL: a factor without terms, say. NVIDIA's driver
 * (580) then refuses the launch, so another buffer stands in its place. Kernels never ask whether a
 * pointer is NULL: their arguments say what they read. */
static int32_t set_buffer(opencl_code *code, const gbl_launch_spec *spec, int i, uint32_t position)
{
    const void *buffer = spec->buffers[i];
    for (int other = 0; buffer == NULL && other < spec->buffer_count; other++)
        buffer = spec->buffers[other];
    return buffer != NULL ? gbl_cl.SetKernelArgSVMPointer(code->kernel, position, buffer)
                          : gbl_cl.SetKernelArg(code->kernel, position, sizeof(void *), NULL);
}

gable_status gbl_opencl_launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    opencl_code *code = (opencl_code *)spec->code;
    TRY(check_launch(spec, message));

    gbl_cl_queue *handle = gbl_opencl_handle_of(queue);
    const size_t local[2] = {(size_t)spec->group[0], (size_t)spec->group[1]};
    const size_t global[2] = {(size_t)spec->groups[0] * local[0],
                              (size_t)spec->groups[1] * local[1]};
    const char *call = "clSetKernelArgSVMPointer";
    int32_t error = GBL_CL_SUCCESS;
    uint32_t position = 0;

    pthread_mutex_lock(&code->lock);
    for (int i = 0; error == GBL_CL_SUCCESS && i < spec->buffer_count; i++, position++)
        error = set_buffer(code, spec, i, position);
    if (error == GBL_CL_SUCCESS && spec->args_bytes > 0) {
        call = "clSetKernelArg";
        error = gbl_cl.SetKernelArg(code->kernel, position, spec->args_bytes, spec->args);
    }
    if (error == GBL_CL_SUCCESS && spec->follows_pointers) {
        call = "clSetKernelExecInfo";
        error = tell_allocations(gbl_opencl_device_of(queue), code);
    }
    if (error == GBL_CL_SUCCESS) {
        call = "clEnqueueNDRangeKernel";
        error = gbl_cl.EnqueueNDRangeKernel(handle, code->kernel, 2, NULL, global, local, 0, NULL,
                                            NULL);
    }
    pthread_mutex_unlock(&code->lock);
    /* A GPU's driver may hold work back until a flush; a CPU device starts it at once, and a flush
     * would add 0.2 to 2 us to PoCL's 1 us (3.1, two cores). */
    if (error == GBL_CL_SUCCESS && queue->device->props.is_gpu) {
        call = "clFlush";
        error = gbl_cl.Flush(handle);
    }
    if (error != GBL_CL_SUCCESS) {
        gbl_message reason = {NULL, ""};
        const gable_status status = gbl_opencl_fail(call, error, &reason);
        return gbl_fail(message, status, "launch of %s: %s", spec->name, reason.text);
    }
    return GABLE_OK;
}
