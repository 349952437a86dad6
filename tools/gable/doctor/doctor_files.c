/* doctor_files.c: `gable doctor` on the folder of compiled kernels and on device files.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a folder can be written is found by writing, not by asking for permissions: root may
 * write everywhere but on a read-only or full disk. Folders made for the trial are removed again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "core/disk_cache.h"
#include "doctor.h"

#define PATH_BYTES    1024
#define CURE_BYTES    2200
#define MIB           1048576.0
#define DRAFT_SECONDS 60
#define MAX_KEY       ((uint64_t)64 << 20)

/* ---- The folder of compiled kernels ---- */

/* Makes a folder and those above it; *made is how many of them were new. On failure errno says why
 * and part is the folder that could not be made. */
static bool make_folders(const char *path, char part[PATH_BYTES], int *made)
{
    const size_t length = strlen(path);
    *made = 0;
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) == 0)
            (*made)++;
        else if (errno != EEXIST)
            return false;
    }
    return true;
}

static void remove_folders(const char *path, int made)
{
    char part[PATH_BYTES];
    snprintf(part, sizeof part, "%s", path);
    for (; made > 0 && rmdir(part) == 0; made--)
        *strrchr(part, '/') = '\0';
}

static bool write_file(const char *folder)
{
    char path[PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/doctor.%ld", folder, (long)getpid());
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0)
        return false;
    const bool good = write(file, "gable", 5) == 5;
    const int reason = errno;
    close(file);
    unlink(path);
    errno = reason;
    return good;
}

/* Why nothing can be written below `part`, and what fixes it. */
static void tell_unwritable(const char *folder, const char *part, int reason)
{
    char cure[2 * CURE_BYTES], above[PATH_BYTES];
    struct stat about;
    snprintf(above, sizeof above, "%s", part);
    while (stat(above, &about) != 0 && strrchr(above, '/') != above && strrchr(above, '/') != NULL)
        *strrchr(above, '/') = '\0';
    const bool there = stat(above, &about) == 0;
    if (there && !S_ISDIR(about.st_mode)) {
        snprintf(cure, sizeof cure, "export XDG_CACHE_HOME=$HOME/.cache, or else mv %s %s.old",
                 above, above);
        doctor_tell(DOCTOR_PROBLEM, "kernel cache", cure,
                    "%s cannot be made: %s is a file, not a folder; kernels are compiled again by "
                    "each process",
                    folder, above);
        return;
    }
    if (reason == EACCES && there && about.st_uid == geteuid())
        snprintf(cure, sizeof cure, "chmod u+rwx %s", above);
    else if (reason == EACCES)
        snprintf(cure, sizeof cure, "sudo chown -R $USER %s", above);
    else if (reason == ENOSPC || reason == EDQUOT)
        snprintf(cure, sizeof cure, "df -h %s; and free some space there", above);
    else
        snprintf(cure, sizeof cure, "export XDG_CACHE_HOME=/a/folder/that/can/be/written");
    doctor_tell(DOCTOR_PROBLEM, "kernel cache", cure,
                "%s cannot be written (%s); kernels are compiled again by each process", folder,
                strerror(reason));
}

/* Whether the library would take a file: it must load by the key that it holds, and be the file of
 * that key. A file starts with four numbers, the second being the length of the key behind them. */
static bool is_good(const char *path)
{
    uint64_t head[4];
    char own[PATH_BYTES];
    char *key = NULL;
    void *image = NULL;
    size_t image_bytes;
    struct stat about;
    bool good = false;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    if (fread(head, sizeof head, 1, stream) == 1 && head[1] > 0 && head[1] < MAX_KEY &&
        fstat(fileno(stream), &about) == 0 && (uint64_t)about.st_size > sizeof head + head[1])
        key = malloc(head[1] + 1);
    if (key != NULL && fread(key, head[1], 1, stream) == 1) {
        key[head[1]] = '\0';
        good = gbl_disk_cache_path(key, own, sizeof own) && strcmp(own, path) == 0 &&
               gbl_disk_cache_load(key, &image, &image_bytes);
    }
    if (good) { /* being looked at is no use: the time of the last use stays */
        const struct timespec times[2] = {about.st_atim, about.st_mtim};
        futimens(fileno(stream), times);
        free(image);
    }
    fclose(stream);
    free(key);
    return good;
}

/* A file that another process is writing right now: it has a point in its name and is young. */
static bool is_draft(const char *name, const struct stat *about)
{
    return strchr(name, '.') != NULL && time(NULL) - about->st_mtime < DRAFT_SECONDS;
}

void doctor_count_cache(const char *folder, doctor_cache_count *count)
{
    DIR *stream = opendir(folder);
    memset(count, 0, sizeof *count);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        struct stat about;
        char path[sizeof count->bad_path];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || is_draft(entry->d_name, &about))
            continue;
        count->bytes += (long long)about.st_size;
        if (is_good(path)) {
            count->good++;
        } else if (count->bad++ == 0) {
            snprintf(count->bad_path, sizeof count->bad_path, "%s", path);
        }
    }
    if (stream != NULL)
        closedir(stream);
}

void doctor_cache(void)
{
    char folder[PATH_BYTES], part[PATH_BYTES], cure[CURE_BYTES];
    doctor_cache_count count;
    int made;
    if (!gbl_disk_cache_folder(folder, sizeof folder)) {
        doctor_tell(DOCTOR_PROBLEM, "kernel cache", "export XDG_CACHE_HOME=/a/folder/of/yours",
                    "neither XDG_CACHE_HOME nor HOME is set to an absolute path; kernels are "
                    "compiled again by each process");
        return;
    }
    const bool exists = make_folders(folder, part, &made);
    const bool good = exists && write_file(folder);
    const int reason = errno;
    if (exists)
        remove_folders(folder, made);
    if (!good) {
        tell_unwritable(folder, part, reason);
        return;
    }
    char why[GBL_TRUST_BYTES];
    if (!gbl_disk_cache_usable(why)) {
        snprintf(cure, sizeof cure, "rm -r %s", folder);
        doctor_tell(DOCTOR_PROBLEM, "kernel cache", cure, "it is not used: %s", why);
        return;
    }
    doctor_count_cache(folder, &count);
    if (made > 0)
        doctor_tell(DOCTOR_OK, "kernel cache", NULL, "%s will be made when it is needed", folder);
    else
        doctor_tell(DOCTOR_OK, "kernel cache", NULL,
                    "%s can be written; %d kernel%s, %.1f of at most %.0f MiB", folder, count.good,
                    count.good == 1 ? "" : "s", (double)count.bytes / MIB,
                    (double)GBL_DISK_CACHE_LIMIT / MIB);
    if (count.bad == 0)
        return;
    if (count.bad == 1)
        snprintf(cure, sizeof cure, "rm %s", count.bad_path);
    else
        snprintf(cure, sizeof cure, "rm -r %s", folder);
    doctor_tell(DOCTOR_PROBLEM, "kernel cache", cure,
                "%d file%s in it cannot be used and will be ignored: cut short, changed, or of "
                "another program",
                count.bad, count.bad == 1 ? "" : "s");
}

/* ---- Device files ---- */

static void tell_forbidden(const char *path, bool needed)
{
    struct stat about;
    char cure[CURE_BYTES];
    const bool known = stat(path, &about) == 0;
    const struct group *owner = known ? getgrgid(about.st_gid) : NULL;
    /* A group that may write is the usual door; root's is nobody's. */
    if (owner != NULL && about.st_gid != 0 && (about.st_mode & S_IWGRP) != 0)
        snprintf(cure, sizeof cure, "sudo usermod -aG %s $USER, and log in again", owner->gr_name);
    else
        snprintf(cure, sizeof cure, "sudo chmod a+rw %s", path);
    doctor_tell(needed ? DOCTOR_PROBLEM : DOCTOR_NOTE, "permissions", cure,
                "%s cannot be opened for reading and writing%s", path,
                needed ? "" : "; only OpenCL drivers of GPUs need it");
}

void doctor_permissions(void)
{
    static const struct {
        const char *pattern;
        bool needed; /* NVIDIA's files exist only where its driver runs */
    } files[] = {{"/dev/nvidia[0-9]*", true},
                 {"/dev/nvidiactl", true},
                 {"/dev/nvidia-uvm", true},
                 {"/dev/dri/renderD*", false},
                 {"/dev/kfd", false}};
    int seen = 0, forbidden = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        glob_t found;
        if (glob(files[i].pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t j = 0; j < found.gl_pathc; j++) {
            seen++;
            if (access(found.gl_pathv[j], R_OK | W_OK) == 0)
                continue;
            forbidden++;
            tell_forbidden(found.gl_pathv[j], files[i].needed);
        }
        globfree(&found);
    }
    if (seen == 0)
        doctor_tell(DOCTOR_OK, "permissions", NULL, "no device files of GPUs to be opened");
    else if (forbidden == 0)
        doctor_tell(DOCTOR_OK, "permissions", NULL, "all %d device files of GPUs can be opened",
                    seen);
}
