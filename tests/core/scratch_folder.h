/* scratch_folder.h: a folder of its own for a test, emptied and removed again.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SCRATCH_FOLDER_H
#define SCRATCH_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH_BYTES 512

/* Makes a fresh folder under $TMPDIR or /tmp. */
static inline bool scratch_make(char path[SCRATCH_BYTES])
{
    const char *parent = getenv("TMPDIR");
    snprintf(path, SCRATCH_BYTES, "%.400s/gable-test-XXXXXX", parent != NULL ? parent : "/tmp");
    return mkdtemp(path) != NULL;
}

/* Removes what is in a folder, and the folder too unless keep. */
static inline void scratch_clear(const char *path, bool keep)
{
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    for (struct dirent *item; (item = readdir(folder)) != NULL;) {
        char inner[SCRATCH_BYTES + 256];
        struct stat status;
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%.*s/%s", SCRATCH_BYTES - 1, path, item->d_name);
        if (lstat(inner, &status) == 0 && S_ISDIR(status.st_mode))
            scratch_clear(inner, false);
        else
            unlink(inner);
    }
    closedir(folder);
    if (!keep)
        rmdir(path);
}

/* How many files are in a folder; -1 where there is no such folder. */
static inline int scratch_count(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL)
        return -1;
    int count = 0;
    for (struct dirent *item; (item = readdir(folder)) != NULL;)
        count += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    closedir(folder);
    return count;
}

#endif
