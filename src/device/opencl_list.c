/* opencl_list.c: the OpenCL library and the list of its devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * libOpenCL.so.1 is opened at the first question and stays. The devices of all platforms are listed
 * once per process, in the loader's order; those without double precision, coarse-grained shared
 * virtual memory or an OpenCL 2.0 interface are listed with the reason and cannot be opened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "device/dynlib.h"
#include "device/environment.h"
#include "device/fork_guard.h"
#include "device/opencl_private.h"

#define MAX_PLATFORMS 16
#define MAX_LISTED    32

gbl_cl_functions gbl_cl;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool begun, done;
    unsigned process; /* that began */
    gable_status status;
    gbl_message why; /* when status is not GABLE_OK */
    int count;
    gbl_opencl_listing devices[MAX_LISTED];
} list;
GBL_FORK_GUARD(.lock = &list_lock)

/* Texts of any length are cut to fit; blanks at both ends go. */
static void tidy(char *text, size_t bytes, const char *whole)
{
    while (*whole == ' ')
        whole++;
    size_t length = strlen(whole);
    while (length > 0 && whole[length - 1] == ' ')
        length--;
    if (length > bytes - 1)
        length = bytes - 1;
    memcpy(text, whole, length);
    text[length] = '\0';
}

static void platform_text(gbl_cl_platform *platform, uint32_t what, char *text, size_t bytes)
{
    char whole[1024] = "";
    if (gbl_cl.GetPlatformInfo(platform, what, sizeof whole - 1, whole, NULL) != GBL_CL_SUCCESS)
        whole[0] = '\0';
    tidy(text, bytes, whole);
}

static void device_text(gbl_cl_device *id, uint32_t what, char *text, size_t bytes)
{
    char whole[1024] = "";
    if (gbl_cl.GetDeviceInfo(id, what, sizeof whole - 1, whole, NULL) != GBL_CL_SUCCESS)
        whole[0] = '\0';
    tidy(text, bytes, whole);
}

uint64_t gbl_opencl_number(gbl_cl_device *id, uint32_t what)
{
    unsigned char bytes[8] = {0};
    size_t size = 0;
    uint32_t small;
    uint64_t large;
    if (gbl_cl.GetDeviceInfo(id, what, sizeof bytes, bytes, &size) != GBL_CL_SUCCESS)
        return 0;
    memcpy(&small, bytes, sizeof small);
    memcpy(&large, bytes, sizeof large);
    return size == sizeof small ? small : large;
}

/* Why a device cannot be used; empty when it can. */
static void judge(gbl_cl_device *id, const char *platform_version, char *reason, size_t bytes)
{
    char version[128];
    int device_major = 0, platform_major = 0;
    device_text(id, GBL_CL_DEVICE_VERSION, version, sizeof version);
    sscanf(version, "OpenCL %d", &device_major);
    sscanf(platform_version, "OpenCL %d", &platform_major);
    reason[0] = '\0';
    if (device_major < 2 || platform_major < 2)
        snprintf(
            reason, bytes,
            "it offers \"%s\" on a platform with \"%s\"; Gable needs OpenCL 2.0 or later of both",
            version, platform_version);
    else if (gbl_opencl_number(id, GBL_CL_DEVICE_AVAILABLE) == 0)
        snprintf(reason, bytes, "its driver says that it is not available now");
    else if (gbl_opencl_number(id, GBL_CL_DEVICE_COMPILER_AVAILABLE) == 0)
        snprintf(reason, bytes, "its driver has no compiler for OpenCL C");
    else if (gbl_opencl_number(id, GBL_CL_DEVICE_DOUBLE_FP_CONFIG) == 0)
        snprintf(reason, bytes, "it has no double precision (fp64)");
    else if ((gbl_opencl_number(id, GBL_CL_DEVICE_SVM_CAPABILITIES) &
              GBL_CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0)
        snprintf(reason, bytes,
                 "it has no coarse-grained shared virtual memory, which makes a device address a "
                 "plain pointer");
}

static gbl_opencl_listing *add_line(const char *platform_name, const char *platform_version)
{
    gbl_opencl_listing *line = &list.devices[list.count];
    memset(line, 0, sizeof *line);
    snprintf(line->info.name, sizeof line->info.name, "opencl:%d", list.count);
    snprintf(line->info.compiler, sizeof line->info.compiler, "OpenCL C 1.2 of %.100s",
             platform_name);
    line->is_nvidia = strstr(platform_name, "NVIDIA") != NULL;
    line->is_pocl = strcmp(platform_name, "Portable Computing Language") == 0;
    tidy(line->platform_version, sizeof line->platform_version, platform_version);
    list.count++;
    return line;
}

static void list_device(gbl_cl_device *id, const char *platform_name, const char *platform_version)
{
    if (list.count == MAX_LISTED)
        return;
    gbl_opencl_listing *line = add_line(platform_name, platform_version);
    gable_device_info *info = &line->info;
    line->id = id;
    device_text(id, GBL_CL_DRIVER_VERSION, line->driver_version, sizeof line->driver_version);
    device_text(id, GBL_CL_DEVICE_NAME, info->title, sizeof info->title);
    /* The driver's number before the platform's words, which may be long and cut. */
    snprintf(info->driver, sizeof info->driver, "%.40s, driver %.30s, %.40s", platform_name,
             line->driver_version, platform_version);
    info->is_gpu = (gbl_opencl_number(id, GBL_CL_DEVICE_TYPE) & GBL_CL_DEVICE_TYPE_GPU) != 0;
    info->units = (int)gbl_opencl_number(id, GBL_CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory_bytes = gbl_opencl_number(id, GBL_CL_DEVICE_GLOBAL_MEM_SIZE);
    /* NVIDIA answers with the sum of its first-level caches. */
    info->cache_bytes =
        line->is_nvidia ? 0 : gbl_opencl_number(id, GBL_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    judge(id, platform_version, info->reason, sizeof info->reason);
    info->usable = info->reason[0] == '\0';
}

static int32_t list_platform(gbl_cl_platform *platform)
{
    char name[128], version[128];
    platform_text(platform, GBL_CL_PLATFORM_NAME, name, sizeof name);
    platform_text(platform, GBL_CL_PLATFORM_VERSION, version, sizeof version);
    gbl_cl_device *ids[MAX_LISTED];
    uint32_t count = 0;
    const int32_t error =
        gbl_cl.GetDeviceIDs(platform, GBL_CL_DEVICE_TYPE_ALL, MAX_LISTED, ids, &count);
    for (uint32_t i = 0; error == GBL_CL_SUCCESS && i < count && i < MAX_LISTED; i++)
        list_device(ids[i], name, version);
    return error;
}

/* The line of a platform whose devices could not be listed. */
static void list_failure(gbl_cl_platform *platform, int32_t error)
{
    char name[128], version[128];
    if (list.count == MAX_LISTED)
        return;
    platform_text(platform, GBL_CL_PLATFORM_NAME, name, sizeof name);
    platform_text(platform, GBL_CL_PLATFORM_VERSION, version, sizeof version);
    gbl_opencl_listing *line = add_line(name, version);
    tidy(line->info.title, sizeof line->info.title, name);
    snprintf(line->info.driver, sizeof line->info.driver, "%.60s, %.60s", name, version);
    if (error == GBL_CL_DEVICE_NOT_FOUND && line->is_pocl)
        snprintf(line->info.reason, sizeof line->info.reason,
                 "PoCL found no device, as it does when it cannot write its cache; make "
                 "$POCL_CACHE_DIR, or else $XDG_CACHE_HOME/pocl, or else ~/.cache/pocl, a folder "
                 "that can be written");
    else
        snprintf(line->info.reason, sizeof line->info.reason,
                 "the platform %.80s lists no device (clGetDeviceIDs returned %s, %d); check that "
                 "its driver matches the hardware",
                 name, gbl_opencl_error_name(error), (int)error);
}

/* PoCL asks hwloc for the memory and aborts the process when the answer is none, as it is where
 * /sys is not mounted (a plain chroot, some containers). hwloc takes a description in its stead. */
static void describe_machine(void)
{
    struct stat status;
    if (stat("/sys/devices/system/cpu", &status) == 0)
        return;
    const long long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    const long long bytes = pages > 0 ? pages * sysconf(_SC_PAGESIZE) : 1LL << 30;
    char text[96];
    snprintf(text, sizeof text, "node:1(memory=%lld) core:%lld pu:1", bytes, cores > 0 ? cores : 1);
    setenv("HWLOC_SYNTHETIC", text, 0);
}

/* The loader loads the drivers that these variables name. In a privileged process it must not. */
static gable_status refuse_named_drivers(gbl_message *message)
{
    static const char *const names[] = {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES",
                                        "OPENCL_VENDOR_PATH", "OPENCL_LAYERS"};
    for (size_t i = 0; gbl_privileged() && i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) != NULL)
            return gbl_fail(
                message, GABLE_NO_DEVICE,
                "%s is set, and this process has more rights than its caller, so OpenCL "
                "is not used; unset it",
                names[i]);
    return GABLE_OK;
}

static gable_status load_library(gbl_message *message)
{
    TRY(refuse_named_drivers(message));
    describe_machine();
    /* PoCL would compile a kernel again for each new launch size. It reads this when it loads. */
    setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", 0);
    const char *why = "";
    void *library = gbl_dynlib_open("libOpenCL.so.1", false, &why);
    if (library == NULL)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "the OpenCL loader could not be opened (%s); install it and a driver, on "
                        "Debian and Ubuntu the packages ocl-icd-libopencl1 and pocl-opencl-icd",
                        why);
#define SYMBOL(result, function, parameters) {.name = "cl" #function, .slot = &gbl_cl.function},
    const gbl_symbol symbols[] = {GBL_CL_FUNCTIONS(SYMBOL)};
#undef SYMBOL
    const char *missing = gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
    if (missing != NULL) {
        gbl_dynlib_close(library);
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "libOpenCL.so.1 has no function %s: it is older than OpenCL 2.0; install a "
                        "newer loader, such as ocl-icd-libopencl1 2.2 or later",
                        missing);
    }
    return GABLE_OK;
}

/* The platforms. ocl-icd 2.3.2 cuts the list of drivers in the environment apart where it stands:
 * what the program starts later would see the first of them only. So the list is put back. */
static int32_t get_platforms(gbl_cl_platform **platforms, uint32_t *count)
{
    static const char name[] = "OCL_ICD_FILENAMES";
    const char *given = getenv(name);
    const size_t bytes = given != NULL ? strlen(given) + 1 : 0;
    char *kept = bytes > 0 ? malloc(bytes) : NULL;
    if (kept != NULL)
        memcpy(kept, given, bytes);
    const int32_t error = gbl_cl.GetPlatformIDs(MAX_PLATFORMS, platforms, count);
    const char *left = getenv(name);
    if (kept != NULL && (left == NULL || strcmp(left, kept) != 0))
        setenv(name, kept, 1);
    free(kept);
    return error;
}

static gable_status make_list(gbl_message *message)
{
    TRY(load_library(message));
    gbl_cl_platform *platforms[MAX_PLATFORMS];
    uint32_t count = 0;
    const int32_t error = get_platforms(platforms, &count);
    if (error != GBL_CL_SUCCESS || count == 0)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "the OpenCL loader found no driver (clGetPlatformIDs returned %s, %d); install "
            "one, such as the package pocl-opencl-icd, or check the .icd files in "
            "/etc/OpenCL/vendors or $OCL_ICD_VENDORS",
            gbl_opencl_error_name(error), (int)error);
    if (count > MAX_PLATFORMS)
        count = MAX_PLATFORMS;
    int32_t errors[MAX_PLATFORMS];
    for (uint32_t i = 0; i < count; i++)
        errors[i] = list_platform(platforms[i]);
    /* After the devices, so that a broken platform does not change their numbers. */
    for (uint32_t i = 0; i < count; i++)
        if (errors[i] != GBL_CL_SUCCESS)
            list_failure(platforms[i], errors[i]);
    if (list.count == 0)
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "none of the %u OpenCL platforms has a device; install a driver for this "
                        "machine, such as the package pocl-opencl-icd",
                        (unsigned)count);
    return GABLE_OK;
}

gable_status gbl_opencl_count(int *count, gbl_message *message)
{
    pthread_mutex_lock(&list_lock);
    if (!list.begun) {
        list.begun = true;
        list.process = gbl_process_number;
        list.status = make_list(&list.why);
        list.done = true;
    }
    pthread_mutex_unlock(&list_lock);
    /* Drivers that are not there are not there in a child either. */
    if (list.process != gbl_process_number && !(list.done && list.status != GABLE_OK)) {
        *count = 0;
        return gbl_fail_inherited("OpenCL", message);
    }
    /* Nothing changes any more: read without the lock. */
    *count = list.count;
    return list.status == GABLE_OK ? GABLE_OK : gbl_fail(message, list.status, "%s", list.why.text);
}

gable_status gbl_opencl_listed(int index, const gbl_opencl_listing **line, gbl_message *message)
{
    int count;
    *line = NULL;
    TRY(gbl_opencl_count(&count, message));
    if (index < 0 || index >= count)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "there is no device opencl:%d; OpenCL has %d device%s, counted from 0",
                        index, count, count == 1 ? "" : "s");
    *line = &list.devices[index];
    return GABLE_OK;
}
