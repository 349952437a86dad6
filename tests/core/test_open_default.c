/* test_open_default.c: a context opened without a name loads no driver that it cannot end at.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Drivers are loaded once per process, so each case runs in a child of its own and looks at what is
 * mapped there. Vendors' files are made in a folder of the test's.
 */
#include <dlfcn.h>
#include <sys/wait.h>
#include "device/opencl_private.h"
#include "expect.h"
#include "gable/gable.h"
#include "scratch_folder.h"

#define POCL "libpocl.so.2"

static char scratch[SCRATCH_BYTES];

static void write_file(const char *name, const char *text)
{
    char path[2 * SCRATCH_BYTES];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE *stream = fopen(path, "w");
    if (EXPECT(stream != NULL, "%s cannot be written", path)) {
        fputs(text, stream);
        fclose(stream);
    }
}

/* A file whose name has the piece is mapped into this process. */
static bool is_mapped(const char *piece)
{
    char line[4096];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    EXPECT(maps != NULL, "/proc/self/maps cannot be read");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL)
        found = strstr(line, piece) != NULL;
    if (maps != NULL)
        fclose(maps);
    return found;
}

/* Runs a case in a child, whose checks count here. */
static void apart(void (*body)(void))
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        expect_failures = 0;
        body();
        fflush(NULL);
        _exit(expect_failures > 0);
    }
    int status = 0;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0,
           "a case failed in its process");
}

/* ---- The vendors' files ---- */

static void forget_variables(void)
{
    unsetenv("OCL_ICD_VENDORS");
    unsetenv("OPENCL_VENDOR_PATH");
    unsetenv("OCL_ICD_FILENAMES");
}

static void only_pocl(bool expected, const char *what)
{
    EXPECT(gbl_opencl_only_pocl() == expected, "%s: PoCL is %sthe only driver", what,
           expected ? "not " : "");
}

static void vendors(void)
{
    char path[2 * SCRATCH_BYTES];
    forget_variables();
    setenv("OCL_ICD_VENDORS", scratch, 1);
    only_pocl(false, "no file");
    write_file("pocl.icd", "libpocl.so.2.10.0\n");
    write_file("README", "libother.so\n");
    only_pocl(true, "one file");
    write_file("pocl2.icd", "  /opt/pocl/lib/libpocl.so  \r\n");
    only_pocl(true, "two of PoCL");
    setenv("OCL_ICD_FILENAMES", "/opt/lib/libpocl.so.2:" POCL, 1);
    only_pocl(true, "a list of PoCL");
    setenv("OCL_ICD_FILENAMES", POCL ":libnvidia-opencl.so.1", 1);
    only_pocl(false, "a list with another");
    unsetenv("OCL_ICD_FILENAMES");
    write_file("other.icd", "/opt/libpocl.so/libnvidia-opencl.so.1\n");
    only_pocl(false, "another driver");
    write_file("other.icd", "");
    only_pocl(false, "an empty file");

    snprintf(path, sizeof path, "%s/pocl.icd", scratch);
    setenv("OCL_ICD_VENDORS", path, 1);
    only_pocl(true, "a file by its name");
    setenv("OCL_ICD_VENDORS", POCL, 1);
    only_pocl(true, "a library by its name");
    setenv("OCL_ICD_VENDORS", "libnvidia-opencl.so.1", 1);
    only_pocl(false, "another library by its name");
    setenv("OCL_ICD_VENDORS", "/nowhere/at/all.icd", 1);
    only_pocl(false, "a file that is not there");
    unsetenv("OCL_ICD_VENDORS");
    setenv("OPENCL_VENDOR_PATH", scratch, 1);
    only_pocl(false, "a folder by the other variable");
    snprintf(path, sizeof path, "%s/other.icd", scratch);
    remove(path);
    only_pocl(true, "the same without the empty file");
    snprintf(path, sizeof path, "%s/pocl2.icd", scratch);
    remove(path);
}

/* ---- Opening ---- */

static gable_context *open_default(void)
{
    gable_context *ctx = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, NULL));
    return ctx;
}

static void pocl_stays_out(void)
{
    gable_device_info info;
    double x = 3, sum = 0;
    gable_context *ctx = open_default();
    EXPECT(!is_mapped("libpocl") && !is_mapped("libLLVM") && !is_mapped("libOpenCL"),
           "OpenCL was loaded for a context that cannot end there");
    EXPECT(gable_message(ctx)[0] == '\0' || strstr(gable_message(ctx), "cuda") != NULL,
           "the message does not say why CUDA is not used: %s", gable_message(ctx));
    if (strstr(gable_message(ctx), "cuda") != NULL) { /* so it ended at cpu */
        EXPECT(!is_mapped("libopenblas"), "a BLAS was loaded before a call wanted it");
        EXPECT_STATUS(ctx, GABLE_OK, gable_ddot(ctx, 1, &x, 1, &x, 1, &sum));
        EXPECT(sum == 9, "the sum is %g", sum);
        EXPECT_STATUS(ctx, GABLE_OK, gable_context_describe(ctx, &info));
        EXPECT(strcmp(info.name, "cpu") == 0 && info.driver[0] != '\0', "%s has no driver's words",
               info.name);
    }
    gable_close(ctx);
}

/* What was not loaded is still listed, and opens by name. */
static void pocl_by_name(void)
{
    gable_context *ctx = open_default();
    gable_close(ctx);
    bool listed = false;
    for (int i = 0; i < gable_device_count(); i++) {
        gable_device_info info;
        EXPECT_STATUS(NULL, GABLE_OK, gable_device_describe(i, &info));
        listed = listed || (strncmp(info.name, "opencl:", 7) == 0 && info.usable);
    }
    EXPECT(listed, "PoCL is not listed");
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "opencl:pocl"));
    gable_close(ctx);
    EXPECT(is_mapped("libpocl"), "PoCL is open and not mapped");
}

static void others_are_asked(void)
{
    gable_device_info info;
    gable_context *ctx = open_default();
    EXPECT_STATUS(ctx, GABLE_OK, gable_context_describe(ctx, &info));
    /* A GPU of CUDA is taken before OpenCL is looked at. */
    EXPECT(is_mapped("libOpenCL") || strncmp(info.name, "cuda", 4) == 0,
           "another driver than PoCL is there and was not asked");
    EXPECT(strncmp(info.name, "opencl", 6) != 0 || info.is_gpu, "%s was opened unasked", info.name);
    gable_close(ctx);
}

static bool there_is_pocl(void)
{
    const pid_t child = fork();
    if (child == 0) {
        const bool loads =
            dlopen(POCL, RTLD_NOW) != NULL && dlopen("libOpenCL.so.1", RTLD_NOW) != NULL;
        _exit(loads ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(void)
{
    if (!EXPECT(scratch_make(scratch), "no scratch folder"))
        return expect_summary("test_open_default");
    unsetenv("GABLE_DEVICE");
    apart(vendors);
    forget_variables();
    setenv("OCL_ICD_VENDORS", scratch, 1);
    write_file("pocl.icd", POCL "\n");
    apart(pocl_stays_out);
    if (there_is_pocl()) {
        apart(pocl_by_name);
        write_file("other.icd", "libnot-a-driver.so.1\n");
        apart(others_are_asked);
    } else {
        const char *required = getenv("GABLE_REQUIRE");
        EXPECT(required == NULL || strstr(required, "pocl") == NULL, "there is no " POCL);
        printf("left out: there is no %s or no libOpenCL.so.1\n", POCL);
    }
    scratch_clear(scratch, false);
    return expect_summary("test_open_default");
}
