/* test_disk_cache.c: compiled kernels on disk: what is trusted, what is not, and what may fail.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first half talks to disk_cache.c, the second to the fake device, whose builds are counted.
 */
#include <fcntl.h>
#include <sys/time.h>
#include "core/disk_cache.h"
#include "core/kernel.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "scratch_folder.h"

#define KEY   "key of a kernel\nwith lines"
#define IMAGE "image of a kernel"

static char home[SCRATCH_BYTES];    /* XDG_CACHE_HOME */
static char kernels[SCRATCH_BYTES]; /* gable/kernels in it */

static void fresh(void)
{
    scratch_clear(home, true);
    setenv("XDG_CACHE_HOME", home, 1);
}

static bool loads(const char *key, const char *expected)
{
    void *image = NULL;
    size_t bytes = 0;
    const bool found = gbl_disk_cache_load(key, &image, &bytes);
    const bool right = found && expected != NULL && bytes == strlen(expected) &&
                       memcmp(image, expected, bytes) == 0;
    EXPECT(!found || right, "\"%.20s\" gives %zu bytes that are not its image", key, bytes);
    free(image);
    return found;
}

static long size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void test_damage(void)
{
    char path[SCRATCH_BYTES];
    fresh();
    EXPECT(!loads(KEY, NULL), "an empty cache has something");
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(gbl_disk_cache_path(KEY, path, sizeof path) &&
               strncmp(path, kernels, strlen(kernels)) == 0,
           "the file is %s", path);
    EXPECT(loads(KEY, IMAGE), "what was stored is not there");
    EXPECT(!loads(KEY "x", NULL) && !loads("", NULL), "another key finds it");
    EXPECT(scratch_count(kernels) == 1, "%d files for one image", scratch_count(kernels));

    /* Every byte in turn: header, key and image. */
    const long bytes = size_of(path);
    EXPECT(bytes == (long)(32 + strlen(KEY) + strlen(IMAGE)), "the file has %ld bytes", bytes);
    const int file = open(path, O_RDWR);
    for (long at = 0; at < bytes; at++) {
        for (int bit = 0; bit < 8; bit += 7) {
            unsigned char kept = 0;
            bool io = pread(file, &kept, 1, at) == 1;
            const unsigned char flipped = (unsigned char)(kept ^ 1u << bit);
            io = io && pwrite(file, &flipped, 1, at) == 1;
            EXPECT(io && !loads(KEY, NULL), "byte %ld, bit %d flipped, and it loads", at, bit);
            io = pwrite(file, &kept, 1, at) == 1;
            EXPECT(io, "the file cannot be repaired");
        }
    }
    EXPECT(loads(KEY, IMAGE), "the repaired file does not load");
    close(file);

    for (long length = bytes - 1; length >= 0; length--) {
        EXPECT(truncate(path, length) == 0 && !loads(KEY, NULL), "cut to %ld bytes it loads",
               length);
    }
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(loads(KEY, IMAGE), "a damaged file is not replaced");

    /* A foreign file under the name, and one that is longer. */
    FILE *stream = fopen(path, "wb");
    for (int i = 0; stream != NULL && i < 100; i++)
        fputs("this is somebody else's file\n", stream);
    if (stream != NULL)
        fclose(stream);
    EXPECT(!loads(KEY, NULL), "a foreign file loads");
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(loads(KEY, IMAGE), "a foreign file is not replaced");
    stream = fopen(path, "ab");
    if (stream != NULL) {
        fputc('x', stream);
        fclose(stream);
    }
    EXPECT(!loads(KEY, NULL), "a file with a byte more loads");
    EXPECT(scratch_count(kernels) == 1, "drafts are left: %d files", scratch_count(kernels));
}

/* Where the folder is, by the environment. */
static void test_places(void)
{
    char path[SCRATCH_BYTES], expected[SCRATCH_BYTES];
    const char *old_home = getenv("HOME");
    char kept_home[SCRATCH_BYTES];
    snprintf(kept_home, sizeof kept_home, "%.500s", old_home != NULL ? old_home : "");

    setenv("HOME", home, 1);
    snprintf(expected, sizeof expected, "%.400s/.cache/gable/kernels", home);
    unsetenv("XDG_CACHE_HOME");
    EXPECT(gbl_disk_cache_folder(path, sizeof path) && strcmp(path, expected) == 0,
           "unset XDG_CACHE_HOME: %s", path);
    setenv("XDG_CACHE_HOME", "", 1);
    EXPECT(gbl_disk_cache_folder(path, sizeof path) && strcmp(path, expected) == 0,
           "empty XDG_CACHE_HOME: %s", path);
    setenv("XDG_CACHE_HOME", "relative/cache", 1); /* the standard says: ignore it */
    EXPECT(gbl_disk_cache_folder(path, sizeof path) && strcmp(path, expected) == 0,
           "relative XDG_CACHE_HOME: %s", path);
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(loads(KEY, IMAGE), "the folder under $HOME does not serve");

    unsetenv("HOME");
    EXPECT(!gbl_disk_cache_folder(path, sizeof path), "without a home the folder is %s", path);
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(!loads(KEY, NULL), "without a folder something loads");
    gbl_disk_cache_trim(0);

    char far[5000];
    memset(far, 'x', sizeof far - 1);
    far[0] = '/';
    far[sizeof far - 1] = '\0';
    setenv("XDG_CACHE_HOME", far, 1);
    EXPECT(!gbl_disk_cache_folder(path, sizeof path), "a path too long was taken");
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(!loads(KEY, NULL), "a path too long gives something");
    setenv("HOME", kept_home, 1);
    setenv("XDG_CACHE_HOME", home, 1);
}

/* Folders that cannot be written: as root permissions do not hold, so other ways. */
static void test_refusing(void)
{
    char path[SCRATCH_BYTES], file[SCRATCH_BYTES];
    fresh();
    snprintf(file, sizeof file, "%.400s/file", home);
    FILE *stream = fopen(file, "wb");
    if (stream != NULL)
        fclose(stream);
    setenv("XDG_CACHE_HOME", file, 1); /* a part of the path is a file */
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(!loads(KEY, NULL), "a file served as folder");
    gbl_disk_cache_trim(0);

    setenv("XDG_CACHE_HOME", "/proc", 1); /* takes no folders */
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(!loads(KEY, NULL), "/proc served as folder");

    fresh();
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE)); /* makes the folders */
    EXPECT(gbl_disk_cache_path(KEY, path, sizeof path), "no path");
    unlink(path);
    EXPECT(mkdir(path, 0700) == 0, "no folder in the place of the file");
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE)); /* the rename fails */
    EXPECT(!loads(KEY, NULL), "a folder loads");
    EXPECT(scratch_count(kernels) == 1, "the draft is left: %d entries", scratch_count(kernels));
    rmdir(path);
}

/* The least recently used go first; loading is use. */
static void test_trim(void)
{
    char path[SCRATCH_BYTES], key[32];
    fresh();
    for (int i = 0; i < 6; i++) {
        struct timeval times[2] = {{1000 + i, 0}, {1000 + i, 0}};
        snprintf(key, sizeof key, "key %d", i);
        gbl_disk_cache_store(key, IMAGE, strlen(IMAGE));
        EXPECT(gbl_disk_cache_path(key, path, sizeof path) && utimes(path, times) == 0, "no time");
    }
    const long each = size_of(path);
    EXPECT(loads("key 0", IMAGE), "key 0 is gone"); /* now the most recent */
    gbl_disk_cache_trim(6 * each);
    EXPECT(scratch_count(kernels) == 6, "a cache within its limit was trimmed");
    gbl_disk_cache_trim(3 * each);
    EXPECT(scratch_count(kernels) == 3, "%d files after trimming to 3", scratch_count(kernels));
    EXPECT(loads("key 0", IMAGE) && loads("key 4", IMAGE) && loads("key 5", IMAGE),
           "the recently used are gone");
    EXPECT(!loads("key 1", NULL) && !loads("key 2", NULL) && !loads("key 3", NULL),
           "the oldest are there");
    gbl_disk_cache_trim(0);
    EXPECT(scratch_count(kernels) == 0, "a limit of 0 leaves %d", scratch_count(kernels));
}

/* ---- Through kernels ------------------------------------------------------------------------ */

static int refused_loads; /* which load the device refuses; 0: none */

/* Opens the fake device again, makes one nrm2 and one dot; *builds is what was compiled. */
static bool session(const fake_settings *settings, long *builds, long *stored)
{
    gable_context *ctx = NULL;
    void *x = NULL;
    double value = 3, norm = 0, dot = 0;
    fake_install(settings);
    fake_fail(FAKE_LOAD, refused_loads);
    const bool good =
        gable_open(&ctx, "fake") == GABLE_OK &&
        gable_set_variant(ctx, "nrm2=one_pass:local=1:vec=4:unroll=2:range=1,"
                               "dot=two_pass:local=1:vec=4:unroll=2:range=1") == GABLE_OK &&
        gable_alloc(ctx, 8, &x) == GABLE_OK &&
        gable_set_vector(ctx, 1, 8, &value, 1, x, 1) == GABLE_OK &&
        gable_dnrm2(ctx, 1, x, 1, &norm) == GABLE_OK && norm == 3 &&
        gable_ddot(ctx, 1, x, 1, x, 1, &dot) == GABLE_OK && dot == 9;
    EXPECT(good, "the session gives %g and %g: %s", norm, dot, gable_message(ctx));
    *builds = fake_calls(FAKE_BUILD);
    *stored = fake_calls(FAKE_IMAGE);
    gable_free(ctx, x);
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    fake_remove();
    return good;
}

static void expect_builds(const char *what, const fake_settings *settings, long expected)
{
    long builds, stored;
    if (session(settings, &builds, &stored))
        EXPECT(builds == expected, "%s: %ld kernels were compiled, not %ld", what, builds,
               expected);
}

/* nrm2, dot and dot_finish: three kernels. */
static void test_kernels(bool image_at_build)
{
    fake_settings settings = {
        .disk_cache = true, .image_at_build = image_at_build, .fence_device = true};
    fresh();
    expect_builds("an empty cache", &settings, 3);
    EXPECT(scratch_count(kernels) == 3, "%d files for 3 kernels", scratch_count(kernels));
    expect_builds("a warm cache", &settings, 0);

    settings.build_key = "fake-2";
    expect_builds("another architecture", &settings, 3);
    expect_builds("another architecture, warm", &settings, 0);
    settings.build_key = NULL;
    expect_builds("the first architecture again", &settings, 0);

    settings.disk_cache = false;
    expect_builds("no disk cache", &settings, 3);
    settings.disk_cache = true;

    /* An image that the device refuses is compiled again. */
    refused_loads = 2;
    expect_builds("the second image refused", &settings, 1);
    refused_loads = 0;

    /* All files damaged in the image: compiled, stored again, found again. */
    DIR *folder = opendir(kernels);
    for (struct dirent *item; folder != NULL && (item = readdir(folder)) != NULL;) {
        char path[SCRATCH_BYTES + 256];
        snprintf(path, sizeof path, "%s/%s", kernels, item->d_name);
        if (item->d_name[0] == '.')
            continue;
        const int file = open(path, O_RDWR);
        EXPECT(file >= 0 && pwrite(file, "?", 1, size_of(path) - 3) == 1, "%s not damaged", path);
        close(file);
    }
    if (folder != NULL)
        closedir(folder);
    expect_builds("damaged files", &settings, 3);
    expect_builds("replaced files", &settings, 0);

    /* The kernel's text is part of the key. */
    char changed[SCRATCH_BYTES], command[2 * SCRATCH_BYTES];
    EXPECT(scratch_make(changed), "no scratch folder");
    snprintf(command, sizeof command,
             "cp " GABLE_SOURCE_DIR "/kernels/*.h " GABLE_SOURCE_DIR "/kernels/*/*.* '%s'",
             changed);
    EXPECT(system(command) == 0, "the kernels cannot be copied");
    setenv("GABLE_KERNEL_DIR", changed, 1);
    expect_builds("the same text from a folder", &settings, 0);
    snprintf(command, sizeof command, "echo '/* changed */' >> '%s/nrm2.cl'", changed);
    EXPECT(system(command) == 0, "the kernel cannot be changed");
    expect_builds("one kernel changed", &settings, 1);
    snprintf(command, sizeof command, "echo '/* changed */' >> '%s/reduce.h'", changed);
    EXPECT(system(command) == 0, "the piece cannot be changed");
    expect_builds("a piece of all three changed", &settings, 3);
    unsetenv("GABLE_KERNEL_DIR");
    expect_builds("the library's own text again", &settings, 0);
    scratch_clear(changed, false);

    /* No folder, or one that refuses: compiled each time, no error. */
    setenv("XDG_CACHE_HOME", "/proc", 1);
    expect_builds("a folder that refuses", &settings, 3);
    setenv("XDG_CACHE_HOME", home, 1);
}

/* A full disk: a small file system of memory where one may be mounted. */
static void test_full(void)
{
    const fake_settings settings = {
        .disk_cache = true, .image_at_build = true, .fence_device = true};
    char command[2 * SCRATCH_BYTES];
    fresh();
    snprintf(command, sizeof command, "mount -t tmpfs -o size=4k,nr_inodes=8 none '%s' 2>/dev/null",
             home);
    if (system(command) != 0) {
        printf("skipped: a full disk (no tmpfs may be mounted here)\n");
        return;
    }
    char *image = calloc(1, 65536);
    if (image != NULL) {
        gbl_disk_cache_store("large", image, 65536);
        EXPECT(!loads("large", NULL), "65536 bytes fit 4096");
        EXPECT(scratch_count(kernels) <= 0, "a draft is left on a full disk");
    }
    expect_builds("a full disk", &settings, 3);
    free(image);
    snprintf(command, sizeof command, "umount '%s'", home);
    EXPECT(system(command) == 0, "%s stays mounted", home);
}

/* ---- Trust ---------------------------------------------------------------------------------- */

/* What others could have written is not loaded, and the cache says why it is off. */
static void test_trust(void)
{
    char path[SCRATCH_BYTES], above[SCRATCH_BYTES], why[GBL_TRUST_BYTES];
    struct stat status;
    const mode_t mask = umask(0);
    fresh();
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(gbl_disk_cache_path(KEY, path, sizeof path) && loads(KEY, IMAGE), "nothing is stored");
    snprintf(above, sizeof above, "%.400s/gable", home);
    EXPECT(stat(kernels, &status) == 0 && (status.st_mode & 0777) == 0700, "the folder has mode %o",
           (unsigned)status.st_mode);
    EXPECT(stat(above, &status) == 0 && (status.st_mode & 0777) == 0700,
           "the folder above has mode %o", (unsigned)status.st_mode);
    EXPECT(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600, "the file has mode %o",
           (unsigned)status.st_mode);
    umask(mask);

    static const mode_t open_modes[] = {0777, 0770, 0702};
    for (int i = 0; i < 3; i++) {
        chmod(kernels, open_modes[i]);
        EXPECT(!loads(KEY, NULL), "a file of a folder of mode %o loads", (unsigned)open_modes[i]);
        gbl_disk_cache_store(KEY "x", IMAGE, strlen(IMAGE));
        EXPECT(scratch_count(kernels) == 1, "something is stored in such a folder");
        EXPECT(!gbl_disk_cache_usable(why) && strstr(why, "can be written by others") != NULL &&
                   strstr(why, kernels) != NULL,
               "why it is off: %s", why);
        chmod(kernels, 0700);
        chmod(above, open_modes[i]);
        EXPECT(!loads(KEY, NULL) && !gbl_disk_cache_usable(why), "below a folder of mode %o",
               (unsigned)open_modes[i]);
        chmod(above, 0700);
        chmod(path, open_modes[i] & 0666);
        EXPECT(!loads(KEY, NULL), "a file of mode %o loads", (unsigned)open_modes[i] & 0666);
        gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
        EXPECT(loads(KEY, IMAGE), "a file that others may write is not replaced");
    }
    chmod(kernels, 0755);
    EXPECT(loads(KEY, IMAGE) && gbl_disk_cache_usable(why), "a folder that others may read: %s",
           why);

    /* Owners: only root can give files away. */
    const uid_t stranger = 54321;
    if (geteuid() == 0 && chown(path, stranger, (gid_t)-1) == 0) {
        EXPECT(!loads(KEY, NULL), "a stranger's file loads");
        EXPECT(chown(path, 0, (gid_t)-1) == 0 && loads(KEY, IMAGE), "its own does not");
        EXPECT(chown(kernels, stranger, (gid_t)-1) == 0 && !loads(KEY, NULL) &&
                   !gbl_disk_cache_usable(why) && strstr(why, "another user") != NULL,
               "a stranger's folder: %s", why);
        EXPECT(chown(kernels, 0, (gid_t)-1) == 0, "the folder is lost");
    } else {
        printf("skipped: files of other users (not root)\n");
    }
}

/* Links in the place of files: neither read nor written through. */
static void test_links(void)
{
    char path[SCRATCH_BYTES], victim[SCRATCH_BYTES], moved[SCRATCH_BYTES],
        draft[SCRATCH_BYTES + 64];
    fresh();
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(gbl_disk_cache_path(KEY, path, sizeof path), "no path");
    snprintf(moved, sizeof moved, "%.400s/moved", home);
    snprintf(victim, sizeof victim, "%.400s/victim", home);
    EXPECT(rename(path, moved) == 0 && symlink(moved, path) == 0 && !loads(KEY, NULL),
           "a link in the file's place is followed");

    FILE *stream = fopen(victim, "wb");
    if (stream != NULL) {
        fputs("precious", stream);
        fclose(stream);
    }
    for (int i = 0; i < 1000; i++) { /* whatever number the next draft has */
        snprintf(draft, sizeof draft, "%s.%ld.%d", path, (long)getpid(), i);
        EXPECT(symlink(victim, draft) == 0, "%s cannot be planted", draft);
    }
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(size_of(victim) == 8, "a draft was written through a link");
    for (int i = 0; i < 1000; i++) {
        snprintf(draft, sizeof draft, "%s.%ld.%d", path, (long)getpid(), i);
        unlink(draft);
    }
    gbl_disk_cache_store(KEY, IMAGE, strlen(IMAGE));
    EXPECT(loads(KEY, IMAGE), "the link is not replaced by a file");
    EXPECT(size_of(moved) > 0, "the link's target was changed");
}

int main(void)
{
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    unsetenv("GABLE_KERNEL_DIR");
    if (!scratch_make(home)) {
        perror("test_disk_cache: no scratch folder");
        return 1;
    }
    snprintf(kernels, sizeof kernels, "%.400s/gable/kernels", home);
    test_damage();
    test_places();
    test_trust();
    test_links();
    test_refusing();
    test_trim();
    test_kernels(true);
    test_kernels(false);
    test_full();
    scratch_clear(home, false);
    return expect_summary("test_disk_cache");
}
