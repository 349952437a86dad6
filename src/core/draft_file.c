/* draft_file.c: files that are written beside their place and renamed when all is on the disk.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/draft_file.h"

#define MOST_LINKS 40 /* as many as Linux follows */

/* The path with its last link replaced by what it points to. */
static bool follow(char path[PATH_MAX])
{
    char to[PATH_MAX], joined[2 * PATH_MAX];
    const ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0)
        return false;
    to[length] = '\0';
    const char *slash = strrchr(path, '/');
    const int folder = to[0] == '/' || slash == NULL ? 0 : (int)(slash - path) + 1;
    snprintf(joined, sizeof joined, "%.*s%s", folder, path, to);
    if (strlen(joined) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(path, joined);
    return true;
}

/* The number of an open file that a path like /proc/self/fd/1 names; -1: it names none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/proc/self/fd/", "/dev/fd/"};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9')
            continue;
        char *end;
        const long number = strtol(path + length, &end, 10);
        return *end == '\0' && number <= INT_MAX ? (int)number : -1;
    }
    return -1;
}

/* Where the path leads in the end. *about has a mode of 0 where there is nothing yet. */
static bool resolve(const char *path, char target[PATH_MAX], struct stat *about)
{
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(target, path);
    for (int links = 0; links <= MOST_LINKS; links++) {
        if (lstat(target, about) != 0) {
            about->st_mode = 0;
            return errno == ENOENT;
        }
        if (!S_ISLNK(about->st_mode) || descriptor_of(target) >= 0)
            return true;
        if (!follow(target))
            return false;
    }
    errno = ELOOP;
    return false;
}

/* The old contents stay until the new ones are there. */
static int open_directly(const gbl_draft *draft)
{
    const int descriptor = descriptor_of(draft->target);
    return descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                           : open(draft->target, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

bool gbl_draft_open(gbl_draft *draft, const char *path)
{
    static atomic_uint number;
    struct stat about;
    draft->file = -1;
    draft->draft[0] = '\0';
    if (!resolve(path, draft->target, &about))
        return false;
    const bool there = about.st_mode != 0;
    if (there && !S_ISREG(about.st_mode)) {
        draft->file = open_directly(draft);
        return draft->file >= 0;
    }
    /* A file that may not be written stays, though its folder would let it be replaced. */
    if (there && access(draft->target, W_OK) != 0)
        return false;
    const int length = snprintf(draft->draft, sizeof draft->draft, "%s.%ld-%u.draft", draft->target,
                                (long)getpid(), atomic_fetch_add(&number, 1));
    if (length < 0 || (size_t)length >= sizeof draft->draft) {
        errno = ENAMETOOLONG;
        return false;
    }
    draft->file = open(draft->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (draft->file < 0 && there && (errno == EACCES || errno == EPERM || errno == ENAMETOOLONG)) {
        draft->draft[0] = '\0';
        draft->file = open_directly(draft);
    } else if (draft->file >= 0 && there) {
        (void)!fchmod(draft->file, about.st_mode & 07777); /* it may be another user's */
    }
    return draft->file >= 0;
}

bool gbl_draft_keep(gbl_draft *draft)
{
    struct stat about;
    int error = 0;
    if (draft->draft[0] != '\0' && fsync(draft->file) != 0)
        error = errno;
    if (draft->draft[0] == '\0' && descriptor_of(draft->target) < 0 &&
        fstat(draft->file, &about) == 0 && S_ISREG(about.st_mode) &&
        ftruncate(draft->file, lseek(draft->file, 0, SEEK_CUR)) != 0)
        error = errno;
    if (close(draft->file) != 0 && error == 0)
        error = errno;
    draft->file = -1;
    if (draft->draft[0] != '\0') {
        if (error == 0 && rename(draft->draft, draft->target) != 0)
            error = errno;
        if (error != 0)
            unlink(draft->draft);
    }
    errno = error;
    return error == 0;
}

void gbl_draft_drop(gbl_draft *draft)
{
    if (draft->file < 0)
        return;
    close(draft->file);
    draft->file = -1;
    if (draft->draft[0] != '\0')
        unlink(draft->draft);
}
