/* data_folder.c: where measurements are kept.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/data_folder.h"
#include "core/trust.h"
#include "device/environment.h"

#define PATH_BYTES 2048

bool gbl_data_path(const char *name, char *path, size_t bytes)
{
    const char *data = gbl_getenv_path("XDG_DATA_HOME");
    const char *home = gbl_getenv_path("HOME");
    const char *slash = name[0] != '\0' ? "/" : "";
    int length;
    if (data != NULL && data[0] == '/')
        length = snprintf(path, bytes, "%s/gable%s%s", data, slash, name);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, bytes, "%s/.local/share/gable%s%s", home, slash, name);
    else
        return false;
    return length > 0 && (size_t)length < bytes;
}

bool gbl_data_make_folders(const char *path)
{
    return gbl_make_folders(path, 0777);
}

bool gbl_data_trusted(const char *path, char *why)
{
    char folder[PATH_BYTES];
    struct stat found;
    const char *reason;
    const char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) >= sizeof folder) {
        snprintf(why, GBL_TRUST_BYTES, "%.400s is no absolute path", path);
        return false;
    }
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    why[0] = '\0';
    if (stat(folder, &found) == 0 && !gbl_trusted(&found, true, GBL_TRUST_DATA, &reason)) {
        snprintf(why, GBL_TRUST_BYTES, "%.400s: %s", folder, reason);
        return false;
    }
    if (stat(path, &found) == 0 && !gbl_trusted(&found, false, GBL_TRUST_DATA, &reason)) {
        snprintf(why, GBL_TRUST_BYTES, "%.400s: %s", path, reason);
        return false;
    }
    return true;
}

/* Opens to append; a link in its place is followed only where it is the user's own. */
static int open_own(const char *path)
{
    const int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
    struct stat link;
    int file = open(path, flags | O_NOFOLLOW, 0644);
    if (file < 0 && errno == ELOOP && lstat(path, &link) == 0 && link.st_uid == geteuid())
        file = open(path, flags, 0644);
    return file;
}

/* Waits for the lock of the whole file; closing it gives the lock back. */
static bool lock_file(int file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do {
        result = fcntl(file, F_SETLKW, &lock);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

static bool write_all(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t wrote = write(file, text, bytes);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        text += wrote;
        bytes -= (size_t)wrote;
    }
    return true;
}

bool gbl_data_append(const char *path, const char *lines)
{
    char why[GBL_TRUST_BYTES];
    struct stat found;
    const char *reason;
    if (!gbl_make_folders(path, 0700))
        return false;
    if (!gbl_data_trusted(path, why)) {
        errno = EACCES;
        return false;
    }
    const int file = open_own(path);
    if (file < 0)
        return false;
    bool good = fstat(file, &found) == 0 && gbl_trusted(&found, false, GBL_TRUST_DATA, &reason) &&
                lock_file(file);
    const off_t end = good ? lseek(file, 0, SEEK_END) : -1;
    char last = '\n';
    if (good && end > 0)
        good = pread(file, &last, 1, end - 1) == 1;
    if (good && last != '\n')
        good = write_all(file, "\n", 1);
    good = good && write_all(file, lines, strlen(lines));
    return close(file) == 0 && good;
}

static char *read_all(FILE *stream)
{
    struct stat about;
    if (stream == NULL)
        return NULL;
    /* A device or a pipe may have no end. */
    if (fstat(fileno(stream), &about) != 0 || !S_ISREG(about.st_mode)) {
        fclose(stream);
        errno = ENOTSUP;
        return NULL;
    }
    size_t room = 65536, used = 0;
    char *text = malloc(room);
    while (text != NULL) {
        used += fread(text + used, 1, room - used - 1, stream);
        if (used < room - 1)
            break;
        char *more = realloc(text, room *= 2);
        if (more == NULL)
            free(text);
        text = more;
    }
    if (text != NULL)
        text[used] = '\0';
    fclose(stream);
    return text;
}

char *gbl_data_read(const char *path)
{
    return read_all(fopen(path, "rb"));
}

char *gbl_data_read_own(const char *path)
{
    char why[GBL_TRUST_BYTES];
    return gbl_data_trusted(path, why) ? gbl_data_read(path) : NULL;
}
