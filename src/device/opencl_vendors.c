/* opencl_vendors.c: which drivers OpenCL's loader would load, read from the vendors' files alone.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loading PoCL loads a compiler: 60 MB and 50 ms (ocl-icd 2.3.1, PoCL 3.1, LLVM 14; two x86-64
 * cores, 2026-11). A context that is opened without a name never ends at PoCL, so where PoCL is the
 * only driver nothing is loaded. Where files are looked for is as in ocl-icd and the Khronos
 * loader. What is unclear (no file, one that cannot be read) counts as another driver: the loader
 * is asked.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "device/opencl_private.h"

#define FOLDER     "/etc/OpenCL/vendors"
#define PATH_BYTES 4096

/* The drivers seen so far. */
typedef struct drivers {
    int pocl, other;
} drivers;

/* A driver's library by its name, which need not end in '\0'. */
static void count_library(drivers *seen, const char *name, size_t length)
{
    static const char pocl[] = "libpocl.so";
    const char *start = name + length;
    while (start > name && start[-1] != '/')
        start--;
    const bool is_pocl = (size_t)(name + length - start) >= sizeof pocl - 1 &&
                         strncmp(start, pocl, sizeof pocl - 1) == 0;
    *(is_pocl ? &seen->pocl : &seen->other) += 1;
}

/* A vendor's file: its first line names a library. */
static void count_file(drivers *seen, const char *path)
{
    char line[PATH_BYTES] = "";
    FILE *stream = fopen(path, "r");
    if (stream == NULL || fgets(line, sizeof line, stream) == NULL)
        line[0] = '\0';
    if (stream != NULL)
        fclose(stream);
    const char *name = line + strspn(line, " \t\r\n");
    count_library(seen, name, strcspn(name, " \t\r\n"));
}

static bool is_icd(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

static void count_folder(drivers *seen, const char *folder)
{
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        char path[PATH_BYTES];
        if (!is_icd(entry->d_name))
            continue;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 0 && (size_t)length < sizeof path)
            count_file(seen, path);
        else
            seen->other++;
    }
    closedir(stream);
}

/* A list of libraries with colons between them. */
static void count_list(drivers *seen, const char *list)
{
    while (*list != '\0') {
        const size_t length = strcspn(list, ":");
        if (length > 0)
            count_library(seen, list, length);
        list += length + (list[length] == ':');
    }
}

bool gbl_opencl_only_pocl(void)
{
    const char *named = getenv("OCL_ICD_VENDORS"), *folder = getenv("OPENCL_VENDOR_PATH");
    const char *more = getenv("OCL_ICD_FILENAMES");
    drivers seen = {0, 0};
    struct stat about;
    if (more != NULL)
        count_list(&seen, more);
    if (named == NULL || named[0] == '\0')
        count_folder(&seen, folder != NULL && folder[0] != '\0' ? folder : FOLDER);
    else if (stat(named, &about) == 0 && S_ISDIR(about.st_mode))
        count_folder(&seen, named);
    else if (is_icd(named))
        count_file(&seen, named);
    else
        count_library(&seen, named, strlen(named));
    return seen.pocl > 0 && seen.other == 0;
}
