/* doctor_opencl.c: `gable doctor` on OpenCL: the loader, the vendors' files, the platforms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A vendor's file (.icd) holds one line, the library that the loader is to open. Such libraries are
 * strangers: each is tried in a child process first, because one that crashes in its constructors
 * would take this process along. Where files are looked for is as in ocl-icd and the Khronos
 * loader.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "device/device.h"
#include "device/dynlib.h"
#include "doctor.h"
#include "gable/probe.h"
#include "gable/terminal.h"

#define PATH_BYTES    1024
#define MAX_FILES     64
#define PROBE_SECONDS 20
#define LOADER        "libOpenCL.so.1"
#define VENDORS       "/etc/OpenCL/vendors"

/* ---- Trying libraries ---- */

static void load_library(const void *user, char *text, size_t text_bytes)
{
    const char *why = "";
    if (gbl_dynlib_open(user, false, &why) == NULL)
        snprintf(text, text_bytes, "%s", why);
}

static void list_devices(const void *user, char *text, size_t text_bytes)
{
    int count;
    gbl_message why = {NULL, ""};
    (void)user;
    if (gbl_opencl_table.count(&count, &why) != GABLE_OK)
        snprintf(text, text_bytes, "%.*s", (int)text_bytes - 1, why.text);
}

/* A library was seen to crash or to hang: the loader must not open it in this process. */
static bool dangerous;

/* What became of a library, in words behind "which"; "" when it loads. */
static void try_library(const char *library, char *text, size_t text_bytes)
{
    char said[2048];
    int signal_number;
    text[0] = '\0';
    switch (probe_run(load_library, library, PROBE_SECONDS, said, sizeof said, &signal_number)) {
    case PROBE_CRASHED:
        snprintf(text, text_bytes, "crashes when it is loaded (signal %d)", signal_number);
        dangerous = true;
        break;
    case PROBE_HUNG:
        snprintf(text, text_bytes, "does not come back within %d s when it is loaded",
                 PROBE_SECONDS);
        dangerous = true;
        break;
    case PROBE_DONE:
    case PROBE_FAILED: /* without a child nothing is known; nothing is claimed */
        if (said[0] != '\0')
            snprintf(text, text_bytes, "cannot be loaded (%s)", said);
        break;
    }
}

/* ---- The vendors' files ---- */

/* Debian's and Ubuntu's package of a vendor's file, by a piece of its name. */
static const char *package_of(const char *file)
{
    static const struct {
        const char *piece, *package;
    } known[] = {{"pocl", "pocl-opencl-icd"},     {"intel", "intel-opencl-icd"},
                 {"nvidia", "nvidia-opencl-icd"}, {"mesa", "mesa-opencl-icd"},
                 {"rusticl", "mesa-opencl-icd"},  {"amdocl", "rocm-opencl-runtime"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(file, known[i].piece) != NULL)
            return known[i].package;
    return NULL;
}

/* The first line of a file without blanks around it; false where it cannot be read. */
static bool read_line(const char *path, char *line, size_t line_bytes)
{
    FILE *stream = fopen(path, "r");
    line[0] = '\0';
    if (stream == NULL)
        return false;
    if (fgets(line, (int)line_bytes, stream) == NULL)
        line[0] = '\0';
    fclose(stream);
    const size_t first = strspn(line, " \t\r\n");
    memmove(line, line + first, strlen(line + first) + 1);
    for (size_t end = strlen(line); end > 0 && strchr(" \t\r\n", line[end - 1]) != NULL; end--)
        line[end - 1] = '\0';
    return true;
}

/* true: the library loads. */
static bool check_file(const char *path)
{
    char library[PATH_BYTES], words[2200], cure[2 * PATH_BYTES];
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    const char *package = package_of(name);
    if (package != NULL && strncmp(path, VENDORS "/", sizeof VENDORS) == 0)
        snprintf(cure, sizeof cure, "apt-get install --reinstall %s, or else rm %s", package, path);
    else
        snprintf(cure, sizeof cure, "rm %s", path);
    if (!read_line(path, library, sizeof library)) {
        snprintf(cure, sizeof cure, "chmod a+r %s", path);
        doctor_tell(DOCTOR_PROBLEM, "OpenCL vendor", cure, "%s cannot be read", path);
        return false;
    }
    if (library[0] == '\0') {
        doctor_tell(DOCTOR_PROBLEM, "OpenCL vendor", cure, "%s is empty: it names no library",
                    path);
        return false;
    }
    try_library(library, words, sizeof words);
    if (words[0] != '\0')
        doctor_tell(DOCTOR_PROBLEM, "OpenCL vendor", cure, "%s names %s, which %s", path, library,
                    words);
    else
        doctor_tell(DOCTOR_OK, "OpenCL vendor", NULL, "%s names %s, which loads", path, library);
    return words[0] == '\0';
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Checks each *.icd of a folder. Returns how many load. */
static int check_folder(const char *folder)
{
    char *names[MAX_FILES];
    int count = 0, good = 0;
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return 0;
    for (struct dirent *entry; count < MAX_FILES && (entry = readdir(stream)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".icd") == 0 &&
            (names[count] = strdup(entry->d_name)) != NULL)
            count++;
    }
    closedir(stream);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    for (int i = 0; i < count; i++) {
        char path[2 * PATH_BYTES];
        snprintf(path, sizeof path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                 names[i]);
        good += check_file(path);
        free(names[i]);
    }
    return good;
}

/* A library that a variable names itself. */
static bool check_named(const char *variable, const char *library)
{
    char words[2200], cure[64];
    try_library(library, words, sizeof words);
    snprintf(cure, sizeof cure, "unset %s", variable);
    if (words[0] != '\0')
        doctor_tell(DOCTOR_PROBLEM, "OpenCL vendor", cure, "%s names %s, which %s", variable,
                    library, words);
    else
        doctor_tell(DOCTOR_OK, "OpenCL vendor", NULL, "%s names %s, which loads", variable,
                    library);
    return words[0] == '\0';
}

static int check_vendors(void)
{
    const char *named = getenv("OCL_ICD_VENDORS"), *folder = getenv("OPENCL_VENDOR_PATH");
    const char *more = getenv("OCL_ICD_FILENAMES");
    struct stat about;
    int good = 0;
    if (more != NULL && more[0] != '\0') {
        char library[PATH_BYTES];
        for (const char *at = more; *at != '\0'; at += *at == ':') {
            const size_t length = strcspn(at, ":");
            snprintf(library, sizeof library, "%.*s", (int)length, at);
            if (length > 0)
                good += check_named("OCL_ICD_FILENAMES", library);
            at += length;
        }
    }
    if (named != NULL && named[0] != '\0') {
        const size_t length = strlen(named);
        if (stat(named, &about) == 0 && S_ISDIR(about.st_mode))
            return good + check_folder(named);
        if (length > 4 && strcmp(named + length - 4, ".icd") == 0)
            return good + check_file(named);
        return good + check_named("OCL_ICD_VENDORS", named);
    }
    return good + check_folder(folder != NULL && folder[0] != '\0' ? folder : VENDORS);
}

/* ---- Platforms ---- */

static void tell_devices(void)
{
    for (int i = 0; i < gbl_device_count(); i++) {
        gable_device_info info;
        if (gbl_device_describe(i, &info, NULL) != GABLE_OK ||
            strncmp(info.name, "opencl:", 7) != 0)
            continue;
        if (info.usable)
            doctor_tell(DOCTOR_OK, info.name, NULL, "%s, %s", info.title, info.driver);
        else if (info.units == 0) /* a platform whose devices could not be listed */
            doctor_tell(DOCTOR_PROBLEM, info.name,
                        strstr(info.reason, "POCL_CACHE_DIR") != NULL
                            ? "export POCL_CACHE_DIR=/a/folder/that/can/be/written"
                            : NULL,
                        "%s: %s", info.title, info.reason);
        else /* what the hardware lacks, nothing fixes */
            doctor_tell(DOCTOR_NOTE, info.name, NULL, "%s cannot be used: %s", info.title,
                        info.reason);
    }
}

bool doctor_opencl(void)
{
    static const char install[] = "apt-get install ocl-icd-libopencl1 pocl-opencl-icd";
    char words[2200];
    int signal_number;
    terminal_progress_now("trying OpenCL", 0);
    try_library(LOADER, words, sizeof words);
    if (words[0] != '\0') {
        doctor_tell(DOCTOR_NOTE, "OpenCL loader", install, "%s %s; only OpenCL devices need it",
                    LOADER, words);
        return true;
    }
    doctor_tell(DOCTOR_OK, "OpenCL loader", NULL, "%s loads", LOADER);
    const int vendors = check_vendors();
    terminal_progress_now("listing OpenCL devices", 0);
    const probe_end end = dangerous ? PROBE_CRASHED
                                    : probe_run(list_devices, NULL, PROBE_SECONDS, words,
                                                sizeof words, &signal_number);
    if (end == PROBE_CRASHED || end == PROBE_HUNG) {
        doctor_tell(DOCTOR_PROBLEM, "OpenCL", "export OCL_ICD_VENDORS=/nowhere",
                    "no list of devices can be made, because a vendor's library crashes or hangs; "
                    "take its file away, or do without OpenCL");
        return false;
    }
    if (words[0] != '\0' && vendors == 0)
        doctor_tell(DOCTOR_NOTE, "OpenCL", "apt-get install pocl-opencl-icd",
                    "no vendor's library loads, so there is no OpenCL device; only they need it");
    else if (words[0] != '\0')
        doctor_tell(DOCTOR_PROBLEM, "OpenCL", "apt-get install pocl-opencl-icd", "%s", words);
    else
        tell_devices();
    return true;
}
