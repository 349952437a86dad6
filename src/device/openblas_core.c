/* openblas_core.c: an OpenBLAS that is older than the CPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenBLAS chooses its kernels by the number of the CPU's model when it is loaded. Some versions
 * take a model that they do not know for a Prescott of 2004, whatever registers it has: 0.3.21 does
 * so with a Xeon of model 207. These kernels are slow, and nobody tests them any more: those of
 * 0.3.21 read past the end of symmetric matrices, and factorizations of matrices near the ends of
 * the range fail. $OPENBLAS_CORETYPE names other ones. OpenBLAS reads it while it is loaded, so it
 * is set just for that moment.
 */
#include <stdlib.h>
#include <string.h>
#include "device/cpu_features.h"
#include "device/dynlib.h"
#include "device/openblas_core.h"

#define VARIABLE "OPENBLAS_CORETYPE"

static bool is_set(void)
{
    const char *wanted = getenv(VARIABLE);
    return wanted != NULL && wanted[0] != '\0';
}

static bool is_narrow(const char *core)
{
    static const char *const narrow[] = {"Katmai",    "Coppermine", "Northwood", "Prescott",
                                         "Banias",    "Core2",      "Penryn",    "Dunnington",
                                         "Nehalem",   "Athlon",     "Opteron",   "Opteron_SSE3",
                                         "Barcelona", "Nano",       "Atom",      "Bobcat"};
    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
        if (strcmp(core, narrow[i]) == 0)
            return true;
    return false;
}

bool gbl_openblas_is_lost(void *library)
{
    const char *(*core)(void) = NULL;
    const gbl_symbol symbol = {.name = "openblas_get_corename", .slot = &core, .optional = true};
    gbl_dynlib_load(library, &symbol, 1);
    return gbl_cpu_widest_bytes() > 16 && core != NULL && is_narrow(core()) && !is_set();
}

void *gbl_openblas_reopen(void *library, const char *file, const char **why)
{
    gbl_dynlib_close(library);
    setenv(VARIABLE, gbl_cpu_widest_bytes() >= 64 ? "SkylakeX" : "Haswell", 1);
    library = gbl_dynlib_open(file, true, why);
    unsetenv(VARIABLE);
    return library;
}
