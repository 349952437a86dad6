/* test_lost_blas.c: an OpenBLAS that does not know the CPU is asked for kernels that suit it, or is
 * not used.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each case is a process: a BLAS is found once.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "device/cpu_blas.h"
#include "device/cpu_features.h"
#include "expect.h"

#define VARIABLE "OPENBLAS_CORETYPE"

static void test_asked(void)
{
    const int bytes = gbl_cpu_widest_bytes();
    const char *core = bytes == 64 ? "SkylakeX" : bytes == 32 ? "Haswell" : "Prescott";
    EXPECT(gbl_cpu_blas_get() != NULL, "the library is dropped: %s", gbl_cpu_blas_reason());
    EXPECT(strstr(gbl_cpu_blas_name(), core) != NULL, "the name is %s", gbl_cpu_blas_name());
    EXPECT(getenv(VARIABLE) == NULL, VARIABLE " is still set");
}

static void test_wanted(void)
{
    setenv(VARIABLE, "Core2", 1);
    EXPECT(gbl_cpu_blas_get() != NULL, "the library is dropped: %s", gbl_cpu_blas_reason());
    EXPECT(strstr(gbl_cpu_blas_name(), "Core2") != NULL, "the name is %s", gbl_cpu_blas_name());
    EXPECT(strcmp(getenv(VARIABLE), "Core2") == 0, VARIABLE " was changed");
}

static void test_used_already(void)
{
    EXPECT(dlopen(LOST_BLAS, RTLD_NOW | RTLD_LOCAL) != NULL, "%s cannot be opened", LOST_BLAS);
    if (gbl_cpu_widest_bytes() > 16)
        EXPECT(gbl_cpu_blas_get() == NULL && strstr(gbl_cpu_blas_reason(), VARIABLE) != NULL,
               "a library with kernels for another CPU is used: %s", gbl_cpu_blas_reason());
}

int main(void)
{
    void (*const parts[])(void) = {test_asked, test_wanted, test_used_already};
    unsetenv(VARIABLE);
    setenv("GABLE_BLAS", LOST_BLAS, 1);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const pid_t child = fork();
        if (child == 0) {
            parts[i]();
            exit(expect_summary("test_lost_blas"));
        }
        int status = -1;
        EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0, "part %d failed",
               (int)i);
    }
    return expect_summary("test_lost_blas");
}
