/* cuda_load.c: the CUDA driver library, its errors as sentences, the current context.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver is loaded once in a process, under a lock, and never unloaded: contexts, streams and
 * the caller's own CUDA code outlive any moment at which that would be safe. A failure is kept too,
 * so that asking again is cheap and gives the same answer.
 */
#include <pthread.h>
#include "device/cuda_device.h"
#include "device/dynlib.h"
#include "device/fork_guard.h"

#define OLDEST_DRIVER 11020

gbl_cuda_api gbl_cuda;

static gable_status init_driver(int *count, int *version, gbl_message *message)
{
    const char *why = NULL;
    void *library = gbl_dynlib_open("libcuda.so.1", false, &why);
    if (library == NULL)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the CUDA driver is not installed (%s); on a machine with an NVIDIA GPU "
                        "install the driver that brings libcuda.so.1, elsewhere use another device",
                        why);
#define SYMBOL(field, symbol, lacking, parameters)                                                 \
    {.name = symbol, .slot = &gbl_cuda.field, .optional = lacking},
    const gbl_symbol symbols[] = {GBL_CUDA_FUNCTIONS(SYMBOL)};
#undef SYMBOL
    const char *missing = gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
    if (missing != NULL)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the CUDA driver's libcuda.so.1 lacks %s, so it is older than CUDA 11.2; "
                        "update the NVIDIA driver",
                        missing);

    const int result = gbl_cuda.init(0);
    if (result == CU_STUB_LIBRARY)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "the libcuda.so.1 that was found is the toolkit's stub for linking, not a "
            "driver; take its stubs folder out of LD_LIBRARY_PATH and install the NVIDIA "
            "driver");
    if (result == CU_NO_DEVICE)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the CUDA driver finds no GPU; check that `nvidia-smi` lists one and that "
                        "CUDA_VISIBLE_DEVICES does not hide it");
    if (result == CU_SYSTEM_DRIVER_MISMATCH)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "the CUDA driver library and the kernel's driver differ in version; reboot, "
            "or reload the nvidia kernel module");
    if (result == CU_NOT_INITIALIZED) /* what cuInit says where somebody else had called it */
        return gbl_fail_inherited("CUDA", message);
    if (result != 0)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the CUDA driver does not start (cuInit gives error %d); check that "
                        "`nvidia-smi` works for this user",
                        result);

    if (gbl_cuda.driver_version(version) != 0 || *version < OLDEST_DRIVER)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the CUDA driver supports CUDA %d.%d and Gable needs 11.2 or newer; update "
                        "the NVIDIA driver",
                        *version / 1000, *version % 1000 / 10);
    if (gbl_cuda.device_count(count) != 0 || *count <= 0)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the CUDA driver finds no GPU; check that `nvidia-smi` lists one and that "
                        "CUDA_VISIBLE_DEVICES does not hide it");
    if (gbl_cuda.graph_instantiate == NULL && gbl_cuda.graph_instantiate_old == NULL)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "the CUDA driver's libcuda.so.1 lacks cuGraphInstantiate; update the NVIDIA "
            "driver");
    return GABLE_OK;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool begun, tried;
    unsigned process; /* that began */
    gable_status status;
    int count, version;
    gbl_message why;
} kept;
GBL_FORK_GUARD(.lock = &lock)

gable_status gbl_cuda_load(int *count, int *version, gbl_message *message)
{
    pthread_mutex_lock(&lock);
    if (!kept.begun) {
        kept.begun = true;
        kept.process = gbl_process_number;
        kept.status = init_driver(&kept.count, &kept.version, &kept.why);
        kept.tried = true;
    }
    pthread_mutex_unlock(&lock);
    /* A driver that is not there is not there in a child either. */
    const bool inherited =
        kept.process != gbl_process_number && !(kept.tried && kept.status != GABLE_OK);
    *count = kept.status == GABLE_OK && !inherited ? kept.count : 0;
    *version = kept.version;
    if (inherited)
        return gbl_fail_inherited("CUDA", message);
    if (kept.status != GABLE_OK)
        return gbl_fail(message, kept.status, "%s", kept.why.text);
    return GABLE_OK;
}

/* After these the context of the whole process is unusable on this device; nothing fixes it. */
static bool is_sticky(int result)
{
    switch (result) {
    case CU_ECC_UNCORRECTABLE:
    case CU_NVLINK_UNCORRECTABLE:
    case CU_CONTAINED:
    case CU_ILLEGAL_ADDRESS:
    case CU_LAUNCH_TIMEOUT:
    case CU_CONTEXT_IS_DESTROYED:
    case CU_ASSERT:
    case CU_HARDWARE_STACK_ERROR:
    case CU_ILLEGAL_INSTRUCTION:
    case CU_MISALIGNED_ADDRESS:
    case CU_INVALID_ADDRESS_SPACE:
    case CU_INVALID_PC:
    case CU_LAUNCH_FAILED:
    case CU_TENSOR_MEMORY_LEAK:
        return true;
    default:
        return false;
    }
}

gable_status gbl_cuda_fail(int result, const char *what, gbl_message *message)
{
    const char *name = NULL, *text = NULL;
    if (gbl_cuda.error_name(result, &name) != 0 || name == NULL)
        name = "an unknown error";
    if (gbl_cuda.error_text(result, &text) != 0 || text == NULL)
        text = "no description";
    if (is_sticky(result))
        return gbl_fail(
            message, GABLE_DEVICE_LOST,
            "an earlier call faulted on the device (%s: %s; seen by %s); all contexts of "
            "this device in this process can only be closed; run again with "
            "GABLE_DEBUG=sync to learn which kernel it was",
            name, text, what);
    if (result == CU_DEINITIALIZED)
        return gbl_fail(
            message, GABLE_DEVICE_LOST,
            "the CUDA driver has shut down (%s failed), as it does when the process ends; "
            "close contexts before that",
            what);
    if (result == CU_OUT_OF_MEMORY)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "the device's memory is exhausted (%s failed); free some or use smaller "
                        "problems",
                        what);
    return gbl_fail(message, GABLE_DEVICE_FAILED, "%s failed with CUDA error %d (%s: %s)", what,
                    result, name, text);
}

gable_status gbl_cuda_enter(const gbl_cuda_device *device, bool *pushed, gbl_message *message)
{
    gbl_cu_context *current = NULL;
    *pushed = false;
    if (gbl_cuda.context_current(&current) == 0 && current == device->context)
        return GABLE_OK;
    CUDA_TRY(gbl_cuda.context_push(device->context), "making the CUDA context current", message);
    *pushed = true;
    return GABLE_OK;
}

void gbl_cuda_leave(bool pushed)
{
    gbl_cu_context *ours;
    if (pushed)
        gbl_cuda.context_pop(&ours);
}
