/* cuda_find.c: finds the CUDA toolkit's libraries wherever they are usually installed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A driver without a toolkit is common: NVRTC then comes from a package of the distribution, from
 * pip (PyTorch and CuPy bring one) or from conda, none of them on the loader's path. The order is
 * the one a user expects: what the environment names, what the loader finds, then folders, newest
 * first.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device/cuda_find.h"
#include "device/dynlib.h"
#include "device/environment.h"

/* A search under way: the arguments of gbl_cuda_find. */
typedef struct search {
    const gbl_cuda_wanted *wanted;
    gbl_cuda_judge judge;
    void *user;
    void **library;
    char *path;
} search;

/* Folders, below what the variable names where there is one. */
static const struct {
    const char *variable;
    const char *pattern;
    bool pip; /* followed by the names of pip's folders */
} places[] = {
    {.variable = "CUDA_HOME", .pattern = "/lib64"},
    {.variable = "CUDA_HOME", .pattern = "/lib"},
    {.variable = "CUDA_PATH", .pattern = "/lib64"},
    {.variable = "CUDA_PATH", .pattern = "/lib"},
    {.pattern = "/usr/local/cuda/lib64"},
    {.pattern = "/usr/local/cuda-*/lib64"},
    {.pattern = "/opt/cuda/lib64"},
    {.pattern = "/usr/lib/*-linux-gnu"},
    {.pattern = "/usr/lib64"},
    {.variable = "CONDA_PREFIX", .pattern = "/lib"},
    {.variable = "VIRTUAL_ENV", .pattern = "/lib/python3*/site-packages/nvidia", .pip = true},
    {.variable = "CONDA_PREFIX", .pattern = "/lib/python3*/site-packages/nvidia", .pip = true},
    {.variable = "HOME", .pattern = "/.local/lib/python3*/site-packages/nvidia", .pip = true},
    {.pattern = "/usr/local/lib/python3*/dist-packages/nvidia", .pip = true},
    {.pattern = "/usr/local/lib/python3*/site-packages/nvidia", .pip = true},
    {.pattern = "/usr/lib/python3*/dist-packages/nvidia", .pip = true},
    {.pattern = "/usr/lib/python3*/site-packages/nvidia", .pip = true},
};

/* The file a library came from. */
static void path_of(void *library, const char *name, char *path)
{
    struct link_map *map = NULL;
    const bool known = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != NULL &&
                       map->l_name != NULL && map->l_name[0] != '\0';
    snprintf(path, GBL_CUDA_PATH_BYTES, "%s", known ? map->l_name : name);
}

static bool try_name(search *now, const char *name, const char **why)
{
    void *library = gbl_dynlib_open(name, false, why);
    if (library == NULL)
        return false;
    path_of(library, name, now->path);
    if (now->judge(library, now->path, now->user)) {
        *now->library = library;
        return true;
    }
    gbl_dynlib_close(library);
    *why = "it is not a version that Gable can use";
    return false;
}

static int newest_first(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

/* Tries each file name in each folder that the pattern matches. */
static bool try_folders(search *now, const char *pattern)
{
    glob_t found;
    bool done = false;
    const char *why;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return false;
    qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, newest_first);
    for (size_t i = 0; i < found.gl_pathc && !done; i++) {
        for (const char *const *name = now->wanted->names; *name != NULL && !done; name++) {
            char file[GBL_CUDA_PATH_BYTES];
            const int length = snprintf(file, sizeof file, "%s/%s", found.gl_pathv[i], *name);
            if (length > 0 && (size_t)length < sizeof file && access(file, R_OK) == 0)
                done = try_name(now, file, &why);
        }
    }
    globfree(&found);
    return done;
}

static bool try_place(search *now, size_t index)
{
    char base[GBL_CUDA_PATH_BYTES / 2], pattern[GBL_CUDA_PATH_BYTES];
    const char *root = "";
    if (places[index].variable != NULL) {
        root = gbl_getenv_path(places[index].variable);
        if (root == NULL || root[0] == '\0')
            return false;
    }
    const int length = snprintf(base, sizeof base, "%s%s", root, places[index].pattern);
    if (length < 0 || (size_t)length >= sizeof base)
        return false;
    if (!places[index].pip)
        return try_folders(now, base);
    /* One package per library up to CUDA 12, one folder per major version since 13. */
    snprintf(pattern, sizeof pattern, "%s/cu[1-9]*/lib", base);
    if (try_folders(now, pattern))
        return true;
    snprintf(pattern, sizeof pattern, "%s/%s/lib", base, now->wanted->pip_folder);
    return try_folders(now, pattern);
}

gable_status gbl_cuda_find(const gbl_cuda_wanted *wanted, gbl_cuda_judge judge, void *user,
                           void **library, char *path, gbl_message *message)
{
    search now = {wanted, judge, user, library, path};
    const char *why = "not found";
    const char *named = gbl_getenv_path(wanted->variable);
    *library = NULL;
    if (named != NULL && named[0] != '\0') {
        if (try_name(&now, named, &why))
            return GABLE_OK;
        return gbl_fail(message, GABLE_NO_DEVICE,
                        "%s is \"%s\", which cannot be used as %s (%s); correct or unset it",
                        wanted->variable, named, wanted->title, why);
    }
    for (const char *const *name = wanted->names; *name != NULL; name++)
        if (try_name(&now, *name, &why))
            return GABLE_OK;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (try_place(&now, i))
            return GABLE_OK;
    path[0] = '\0';
    return gbl_fail(
        message, GABLE_NO_DEVICE,
        "%s was not found (%s and older were looked for on the loader's path, in CUDA_HOME, "
        "CUDA_PATH, /usr/local/cuda*, /usr/lib and Python's nvidia packages); %s",
        wanted->title, wanted->names[0], wanted->cure);
}
