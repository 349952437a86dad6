/* tune_file.c: the lines of a file that others write to, and that may be damaged.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Readers take no lock: writers append whole lines, and a line without its end is left for the next time.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tune/tune_file.h"

static bool same_stat(const gbl_file_place *place, const struct stat *found)
{
    return place->device == (int64_t)found->st_dev && place->node == (int64_t)found->st_ino &&
           place->size == (int64_t)found->st_size &&
           place->seconds == (int64_t)found->st_mtim.tv_sec &&
           place->nanoseconds == (int64_t)found->st_mtim.tv_nsec;
}

static void restart(gbl_file_place *place)
{
    memset(place, 0, sizeof *place);
}

int gbl_file_open(const char *path, gbl_file_place *place, gbl_file_change *change, bool *exists)
{
    struct stat found;
    *exists = stat(path, &found) == 0;
    if (*exists && same_stat(place, &found)) {
        *change = GBL_FILE_SAME;
        return -1;
    }
    /* A pipe in the file's place must not make us wait for its writer. */
    const int file =
        *exists && S_ISREG(found.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        const bool was_empty = place->node == 0;
        if (file >= 0)
            close(file);
        restart(place);
        *change = was_empty ? GBL_FILE_SAME : GBL_FILE_REWRITTEN;
        return -1;
    }
    unsigned char end[sizeof place->end];
    const bool grew =
        place->device == (int64_t)found.st_dev && place->node == (int64_t)found.st_ino &&
        found.st_size > place->size && found.st_size >= place->offset &&
        pread(file, end, (size_t)place->end_bytes, place->offset - place->end_bytes) ==
            place->end_bytes &&
        memcmp(end, place->end, (size_t)place->end_bytes) == 0;
    if (!grew)
        restart(place);
    *change = grew ? GBL_FILE_GREW : GBL_FILE_REWRITTEN;
    place->device = (int64_t)found.st_dev;
    place->node = (int64_t)found.st_ino;
    place->size = (int64_t)found.st_size;
    place->seconds = (int64_t)found.st_mtim.tv_sec;
    place->nanoseconds = (int64_t)found.st_mtim.tv_nsec;
    return file;
}

static ssize_t read_some(int file, char *buffer, size_t bytes, int64_t offset)
{
    ssize_t got;
    do {
        got = pread(file, buffer, bytes, offset);
    } while (got < 0 && errno == EINTR);
    return got;
}

void gbl_file_walk(int file, gbl_file_place *place,
                   bool (*take)(void *user, const char *line, bool ended), void *user)
{
    char buffer[4 * GBL_FILE_LINE_BYTES];
    size_t held = 0;                  /* bytes of lines that are not taken yet */
    int64_t position = place->offset; /* of the first of them */
    bool too_long = false;            /* the start of this line is gone already */
    for (;;) {
        const ssize_t got =
            read_some(file, buffer + held, sizeof buffer - 1 - held, position + (int64_t)held);
        if (got <= 0)
            break;
        held += (size_t)got;
        char *line = buffer;
        for (char *end; (end = memchr(line, '\n', held)) != NULL; line = end + 1) {
            const size_t length = (size_t)(end - line);
            *end = '\0';
            const bool damaged =
                too_long || length >= GBL_FILE_LINE_BYTES || memchr(line, '\0', length) != NULL;
            take(user, damaged ? NULL : line, true);
            too_long = false;
            held -= length + 1;
            position += (int64_t)length + 1;
            place->offset = position;
        }
        memmove(buffer, line, held);
        if (held >= GBL_FILE_LINE_BYTES) {
            position += (int64_t)held;
            held = 0;
            too_long = true;
        }
    }
    buffer[held] = '\0';
    if (too_long || held > 0) {
        const bool damaged = too_long || memchr(buffer, '\0', held) != NULL;
        if (take(user, damaged ? NULL : buffer, false))
            place->offset = position + (int64_t)held;
    }
    const int64_t most = (int64_t)sizeof place->end;
    place->end_bytes = (int)(place->offset < most ? place->offset : most);
    if (pread(file, place->end, (size_t)place->end_bytes, place->offset - place->end_bytes) !=
        place->end_bytes)
        place->end_bytes = 0;
}
