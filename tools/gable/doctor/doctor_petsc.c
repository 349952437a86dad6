/* doctor_petsc.c: `gable doctor` on the plugin for PETSc: where it is, and the line to use.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It looks beside the command in a build folder and in lib/gable below it once installed, as
 * `gable run` does for its library. Nothing is said where neither the plugin nor PETSc is there.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "doctor.h"

#define PLUGIN "libgable_petsc.so"

static bool find_plugin(char *path, size_t bytes)
{
    char own[2048], folder[2048];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    const char *const places[] = {"", "/../" GABLE_LINK_FOLDER};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(folder, sizeof folder, "%.1500s%s", own, places[i]);
        const int needed = snprintf(path, bytes, "%s/" PLUGIN, folder);
        if (needed > 0 && (size_t)needed < bytes && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* A PETSc that the loader knows. */
static bool has_petsc(void)
{
    static const char *const names[] = {"libpetsc_real.so.3.18", "libpetsc.so.3.18",
                                        "libpetsc_real.so", "libpetsc.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        static const char *const folders[] = {"/usr/lib/x86_64-linux-gnu",
                                              "/usr/lib/aarch64-linux-gnu", "/usr/lib",
                                              "/usr/local/lib"};
        for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
            snprintf(path, sizeof path, "%s/%s", folders[f], names[i]);
            if (access(path, R_OK) == 0)
                return true;
        }
    }
    return false;
}

void doctor_petsc(void)
{
    char path[4096];
    if (find_plugin(path, sizeof path))
        doctor_tell(DOCTOR_OK, "PETSc plugin", NULL,
                    "%s; use: PROGRAM -dll_append %s -ksp_type gablecg (docs/petsc.md)", path,
                    path);
    else if (has_petsc())
        doctor_tell(DOCTOR_NOTE, "PETSc plugin", "apt-get install libgable-petsc3.18-real",
                    "PETSc is installed and the plugin is not: with it PETSc's programs run on "
                    "Gable unchanged");
}
