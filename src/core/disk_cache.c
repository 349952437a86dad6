/* disk_cache.c: compiled kernels on disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * File: a header of numbers, the key, the image. Files are written under a name of the process's
 * own and renamed, so a reader sees a whole file or none, whatever else runs. The time of a file is
 * set at each use; trimming goes by this time.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/disk_cache.h"
#include "core/trust.h"
#include "device/environment.h"

#define PATH_BYTES 1024
#define MAGIC      0x31304b4c42414755u /* "UGABLK01", read on the same machine it is written */

typedef struct header {
    uint64_t magic, key_bytes, image_bytes, checksum;
} header;

/* FNV-1a; two seeds give the 128 bits of a file name. Equality of the key itself is checked. */
static uint64_t hash(const void *data, size_t bytes, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

bool gbl_disk_cache_folder(char *path, size_t bytes)
{
    const char *cache = gbl_getenv_path("XDG_CACHE_HOME");
    const char *home = gbl_getenv_path("HOME");
    int length;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(path, bytes, "%s/gable/kernels", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, bytes, "%s/.cache/gable/kernels", home);
    else
        return false;
    return length > 0 && (size_t)length < bytes;
}

bool gbl_disk_cache_path(const char *key, char *path, size_t bytes)
{
    char folder[PATH_BYTES];
    if (!gbl_disk_cache_folder(folder, sizeof folder))
        return false;
    const size_t length = strlen(key);
    const int wrote =
        snprintf(path, bytes, "%s/%016llx%016llx", folder, (unsigned long long)hash(key, length, 0),
                 (unsigned long long)hash(key, length, 0x5bd1e995u));
    return wrote > 0 && (size_t)wrote < bytes;
}

/* The folder to look into, or -1. `why` is as gbl_trusted_folder's. */
static int open_folder(char *why)
{
    char folder[PATH_BYTES];
    if (!gbl_disk_cache_folder(folder, sizeof folder)) {
        snprintf(why, GBL_TRUST_BYTES, "neither XDG_CACHE_HOME nor HOME says where it is");
        return -1;
    }
    return gbl_trusted_folder(folder, why);
}

bool gbl_disk_cache_usable(char why[GBL_TRUST_BYTES])
{
    const int folder = open_folder(why);
    if (folder >= 0)
        close(folder);
    return folder >= 0 || why[0] == '\0'; /* it will be made */
}

/* A file of the folder that nobody else could have written. */
static FILE *open_trusted(const char *name)
{
    char why[GBL_TRUST_BYTES];
    const char *reason;
    struct stat status;
    const int folder = open_folder(why);
    if (folder < 0)
        return NULL;
    /* A pipe in the file's place must not make us wait for its writer. */
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    close(folder);
    if (file < 0)
        return NULL;
    FILE *stream = fstat(file, &status) == 0 && gbl_trusted(&status, false, GBL_TRUST_CODE, &reason)
                       ? fdopen(file, "rb")
                       : NULL;
    if (stream == NULL)
        close(file);
    return stream;
}

bool gbl_disk_cache_load(const char *key, void **image, size_t *image_bytes)
{
    char path[PATH_BYTES];
    if (!gbl_disk_cache_path(key, path, sizeof path))
        return false;
    FILE *stream = open_trusted(strrchr(path, '/') + 1);
    if (stream == NULL)
        return false;

    bool good = false;
    char *stored_key = NULL;
    void *stored = NULL;
    const size_t key_bytes = strlen(key);
    header head;
    struct stat status;
    if (fread(&head, sizeof head, 1, stream) != 1 || head.magic != MAGIC ||
        head.key_bytes != key_bytes || fstat(fileno(stream), &status) != 0 ||
        (uint64_t)status.st_size != sizeof head + key_bytes + head.image_bytes ||
        head.image_bytes == 0)
        goto done;
    stored_key = malloc(key_bytes);
    stored = malloc(head.image_bytes);
    if (stored_key == NULL || stored == NULL || fread(stored_key, key_bytes, 1, stream) != 1 ||
        memcmp(stored_key, key, key_bytes) != 0 ||
        fread(stored, head.image_bytes, 1, stream) != 1 ||
        hash(stored, head.image_bytes, 0) != head.checksum)
        goto done;
    futimens(fileno(stream), NULL); /* least recently used goes first; failing is harmless */
    good = true;
done:
    fclose(stream);
    free(stored_key);
    if (good) {
        *image = stored;
        *image_bytes = head.image_bytes;
    } else {
        free(stored);
    }
    return good;
}

/* A new file: O_EXCL fails where something of that name is there, a link too. */
static bool write_draft(int folder, const char *draft, const char *key, const void *image,
                        size_t image_bytes)
{
    const int file =
        openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    FILE *stream = fdopen(file, "wb");
    const size_t key_bytes = strlen(key);
    const header head = {MAGIC, key_bytes, image_bytes, hash(image, image_bytes, 0)};
    bool good = stream != NULL && fwrite(&head, sizeof head, 1, stream) == 1 &&
                fwrite(key, key_bytes, 1, stream) == 1 &&
                fwrite(image, image_bytes, 1, stream) == 1;
    good = (stream != NULL ? fclose(stream) : close(file)) == 0 && good;
    if (!good)
        unlinkat(folder, draft, 0);
    return good;
}

void gbl_disk_cache_store(const char *key, const void *image, size_t image_bytes)
{
    static atomic_uint serial;
    char path[PATH_BYTES], draft[PATH_BYTES + 64], why[GBL_TRUST_BYTES];
    if (!gbl_disk_cache_path(key, path, sizeof path) || !gbl_make_folders(path, 0700))
        return;
    const int folder = open_folder(why);
    if (folder < 0)
        return;
    const char *name = strrchr(path, '/') + 1;
    snprintf(draft, sizeof draft, "%s.%ld.%u", name, (long)getpid(), atomic_fetch_add(&serial, 1));
    if (write_draft(folder, draft, key, image, image_bytes) &&
        renameat(folder, draft, folder, name) != 0)
        unlinkat(folder, draft, 0);
    close(folder);
    gbl_disk_cache_trim(GBL_DISK_CACHE_LIMIT);
}

typedef struct entry {
    char name[256];
    long long bytes;
    struct timespec used;
} entry;

static int older(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return 0;
}

void gbl_disk_cache_trim(long long limit)
{
    char why[GBL_TRUST_BYTES];
    const int folder = open_folder(why);
    DIR *directory = folder >= 0 ? fdopendir(folder) : NULL; /* which owns it then */
    if (directory == NULL) {
        if (folder >= 0)
            close(folder);
        return;
    }
    entry *entries = NULL;
    size_t count = 0, room = 0;
    long long total = 0;
    for (struct dirent *item; (item = readdir(directory)) != NULL;) {
        struct stat status;
        if (fstatat(folder, item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        if (count == room) {
            room = room > 0 ? 2 * room : 64;
            entry *grown = realloc(entries, room * sizeof *grown);
            if (grown == NULL)
                break;
            entries = grown;
        }
        snprintf(entries[count].name, sizeof entries[count].name, "%s", item->d_name);
        entries[count].bytes = (long long)status.st_size;
        entries[count].used = status.st_mtim;
        total += entries[count].bytes;
        count++;
    }
    if (total > limit) {
        qsort(entries, count, sizeof *entries, older);
        for (size_t i = 0; i < count && total > limit; i++) {
            if (unlinkat(folder, entries[i].name, 0) == 0)
                total -= entries[i].bytes;
        }
    }
    closedir(directory);
    free(entries);
}
