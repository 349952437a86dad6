/* trust.c: whether somebody else could have written a file or a folder.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "core/trust.h"

#define PATH_BYTES 2048

static bool owner_is_known(uid_t owner)
{
    return owner == geteuid() || owner == 0;
}

bool gbl_trusted(const struct stat *found, bool folder, gbl_trust trust, const char **why)
{
    const mode_t others = trust == GBL_TRUST_CODE ? S_IWGRP | S_IWOTH : S_IWOTH;
    *why = NULL;
    if (folder ? !S_ISDIR(found->st_mode) : !S_ISREG(found->st_mode))
        *why = folder ? "is no folder" : "is no plain file";
    else if (!owner_is_known(found->st_uid))
        *why = "belongs to another user";
    else if ((found->st_mode & others) != 0)
        *why = "can be written by others (chmod go-w helps)";
    return *why == NULL;
}

/* A link in the place of the folder must be the user's own. */
static int open_folder(const char *path, char *why)
{
    struct stat found;
    const char *reason = NULL;
    why[0] = '\0';
    if (lstat(path, &found) != 0)
        return -1;
    int file = -1;
    if (S_ISLNK(found.st_mode) && !owner_is_known(found.st_uid)) {
        reason = "is a link of another user";
    } else {
        file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (file < 0)
            reason = strerror(errno);
        else if (fstat(file, &found) != 0)
            reason = strerror(errno);
        else
            gbl_trusted(&found, true, GBL_TRUST_CODE, &reason);
    }
    if (reason == NULL)
        return file;
    snprintf(why, GBL_TRUST_BYTES, "%.400s: %s", path, reason);
    if (file >= 0)
        close(file);
    return -1;
}

int gbl_trusted_folder(const char *path, char *why)
{
    char above[PATH_BYTES];
    snprintf(above, sizeof above, "%s", path);
    char *slash = strrchr(above, '/');
    if (strlen(path) >= sizeof above || slash == NULL || slash == above) {
        snprintf(why, GBL_TRUST_BYTES, "%.400s is not a path to a folder of its own", path);
        return -1;
    }
    *slash = '\0';
    const int folder = open_folder(above, why);
    if (folder < 0)
        return -1;
    close(folder);
    return open_folder(path, why);
}

bool gbl_make_folders(const char *path, mode_t mode)
{
    char folder[PATH_BYTES];
    if (strlen(path) >= sizeof folder)
        return false;
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, mode) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}
