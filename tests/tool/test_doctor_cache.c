/* test_doctor_cache.c: the doctor tells good files of the kernel cache from bad ones.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The files are written by the library itself, so that the doctor cannot know another form of them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/disk_cache.h"
#include "gable/doctor/doctor.h"

static int failures;

/* What doctor_files.c says through the command. */
void doctor_tell(doctor_state state, const char *what, const char *cure, const char *format, ...)
{
    (void)state;
    (void)what;
    (void)cure;
    (void)format;
}

static void expect(const char *what, long long got, long long wanted)
{
    if (got == wanted)
        return;
    printf("FAILED: %s is %lld, must be %lld\n", what, got, wanted);
    failures++;
}

static void store(const char *key, size_t bytes)
{
    char *image = malloc(bytes);
    if (image == NULL)
        exit(1);
    memset(image, 'k', bytes);
    gbl_disk_cache_store(key, image, bytes);
    free(image);
}

/* Changes the last byte of a key's file. */
static void spoil(const char *key)
{
    char path[1024];
    FILE *stream = gbl_disk_cache_path(key, path, sizeof path) ? fopen(path, "r+b") : NULL;
    if (stream == NULL || fseek(stream, -1, SEEK_END) != 0 || fputc('!', stream) == EOF)
        expect("spoiling a file", 0, 1);
    if (stream != NULL)
        fclose(stream);
}

static void cut(const char *key)
{
    char path[1024];
    expect("cutting a file", gbl_disk_cache_path(key, path, sizeof path) && truncate(path, 40) == 0,
           1);
}

static void write_foreign(const char *folder, const char *name, const char *text)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    if (stream == NULL || fputs(text, stream) == EOF)
        expect("writing a foreign file", 0, 1);
    if (stream != NULL)
        fclose(stream);
}

static void remove_all(const char *folder)
{
    char command[2048];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    expect("removing the folder", system(command), 0);
}

int main(void)
{
    char top[] = "/tmp/gable_doctor_XXXXXX", folder[1024];
    doctor_cache_count count;
    struct stat before, after;
    char path[1024];
    if (mkdtemp(top) == NULL || setenv("XDG_CACHE_HOME", top, 1) != 0 ||
        !gbl_disk_cache_folder(folder, sizeof folder))
        return 1;
    doctor_count_cache(folder, &count);
    expect("files of a folder that is not there", count.good + count.bad, 0);
    store("first key", 1000);
    store("second key", 5);
    store("third key", 70000);
    if (!gbl_disk_cache_path("first key", path, sizeof path) || stat(path, &before) != 0)
        return 1;
    doctor_count_cache(folder, &count);
    expect("good files", count.good, 3);
    expect("bad files", count.bad, 0);
    expect("the path of no bad file", count.bad_path[0], '\0');
    expect("bytes are counted", count.bytes > 71005, 1);
    stat(path, &after);
    expect("the time of use", after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);

    spoil("second key");
    doctor_count_cache(folder, &count);
    expect("good files beside a spoilt one", count.good, 2);
    expect("spoilt files", count.bad, 1);
    gbl_disk_cache_path("second key", path, sizeof path);
    expect("the spoilt file is named", strcmp(count.bad_path, path), 0);
    cut("third key");
    write_foreign(folder, "0123456789abcdef", "not a kernel at all, but long enough for a header");
    write_foreign(folder, "empty", "");
    doctor_count_cache(folder, &count);
    expect("good files at last", count.good, 1);
    expect("bad files at last", count.bad, 4);
    write_foreign(folder, "0123456789abcdef.77.0", "half wri");
    doctor_count_cache(folder, &count);
    expect("a file that is being written", count.bad, 4);
    remove_all(top);
    return failures > 0;
}
