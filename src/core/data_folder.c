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

#define PATH_BYTES 2048

bool gbl_data_path(const char *name, char *path, size_t bytes)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
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
    char folder[PATH_BYTES];
    if (strlen(path) >= sizeof folder)
        return false;
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
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
    if (!gbl_data_make_folders(path))
        return false;
    const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool good = lock_file(file);
    const off_t end = good ? lseek(file, 0, SEEK_END) : -1;
    char last = '\n';
    if (good && end > 0)
        good = pread(file, &last, 1, end - 1) == 1;
    if (good && last != '\n')
        good = write_all(file, "\n", 1);
    good = good && write_all(file, lines, strlen(lines));
    return close(file) == 0 && good;
}

char *gbl_data_read(const char *path)
{
    struct stat about;
    FILE *stream = fopen(path, "rb");
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
