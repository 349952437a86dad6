/* test_environment.c: a privileged process honours no variable that names a file, folder or
 * library.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The process pretends to be privileged before it looks at anything: libraries are looked for once.
 * All variables name things that would be noticed.
 */
#include "core/data_folder.h"
#include "core/disk_cache.h"
#include "core/kernel.h"
#include "device/cpu_blas.h"
#include "device/device.h"
#include "device/environment.h"
#include "device/nvrtc.h"
#include "expect.h"
#include "gable/gable.h"
#include "scratch_folder.h"

static void test_variables(void)
{
    setenv("GABLE_TEST_PATH", "/somewhere", 1);
    const char *value = gbl_getenv_path("GABLE_TEST_PATH");
    EXPECT(value != NULL && strcmp(value, "/somewhere") == 0, "an unprivileged process reads none");
    EXPECT(gbl_getenv_path("GABLE_TEST_NOT_SET") == NULL, "a variable that is not set has a value");
    gbl_pretend_privileged(true);
    EXPECT(gbl_privileged() && gbl_getenv_path("GABLE_TEST_PATH") == NULL,
           "a privileged process reads GABLE_TEST_PATH");
    unsetenv("GABLE_TEST_PATH");
}

static void test_folders(const char *scratch)
{
    char path[1024];
    char *source = NULL;
    gbl_message message = {"test", ""};
    setenv("HOME", scratch, 1);
    setenv("XDG_CACHE_HOME", scratch, 1);
    setenv("XDG_DATA_HOME", scratch, 1);
    EXPECT(!gbl_data_path("roofs.jsonl", path, sizeof path), "data are read from %s", path);
    EXPECT(!gbl_disk_cache_folder(path, sizeof path), "kernels are read from %s", path);
    gbl_pretend_privileged(false);
    EXPECT(gbl_data_path("roofs.jsonl", path, sizeof path) &&
               gbl_disk_cache_folder(path, sizeof path),
           "an unprivileged process has no folders");
    gbl_pretend_privileged(true);

    setenv("GABLE_KERNEL_DIR", scratch, 1); /* there are no kernels */
    EXPECT(gbl_kernel_source("dot.cl", &source, &message) == GABLE_OK, "GABLE_KERNEL_DIR: %s",
           message.text);
    free(source);
    unsetenv("GABLE_KERNEL_DIR");
}

static void test_libraries(const char *scratch)
{
    char library[1024];
    gbl_message message = {"test", ""};
    int major, minor, count;
    snprintf(library, sizeof library, "%.400s/libnone.so", scratch);
    setenv("GABLE_BLAS", library, 1);
    setenv("GABLE_NVRTC", library, 1);
    EXPECT(strstr(gbl_cpu_blas_reason(), library) == NULL, "GABLE_BLAS: %s", gbl_cpu_blas_reason());
    if (gbl_nvrtc_version(&major, &minor, &message) != GABLE_OK)
        EXPECT(strstr(message.text, library) == NULL, "GABLE_NVRTC: %s", message.text);

    setenv("OCL_ICD_VENDORS", scratch, 1);
    EXPECT(gbl_opencl_table.count(&count, &message) == GABLE_NO_DEVICE &&
               strstr(message.text, "OCL_ICD_VENDORS") != NULL,
           "OCL_ICD_VENDORS is left to the loader: %s", message.text);
}

static void test_profile(const char *scratch)
{
    char trace[1024];
    gable_context *ctx = NULL;
    snprintf(trace, sizeof trace, "%.400s/trace.json", scratch);
    setenv("GABLE_PROFILE", trace, 1);
    EXPECT(gable_open(&ctx, "cpu") == GABLE_OK, "%s", gable_message(ctx));
    EXPECT(access(trace, F_OK) != 0, "GABLE_PROFILE made %s", trace);
    gable_close(ctx);
}

int main(void)
{
    char scratch[SCRATCH_BYTES];
    if (!EXPECT(scratch_make(scratch), "no scratch folder"))
        return expect_summary("test_environment");
    test_variables();
    test_folders(scratch);
    test_libraries(scratch);
    test_profile(scratch);
    scratch_clear(scratch, false);
    return expect_summary("test_environment");
}
