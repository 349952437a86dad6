/* run_obstacle.c: why a program cannot be reached by preloading, read from its file.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "run.h"

#define PATH_BYTES 4096

/* The file that execvp would take. */
static bool find_program(const char *program, char path[PATH_BYTES])
{
    const char *at = getenv("PATH");
    if (strchr(program, '/') != NULL)
        return snprintf(path, PATH_BYTES, "%s", program) < PATH_BYTES && access(path, X_OK) == 0;
    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at, ":");
        if (snprintf(path, PATH_BYTES, "%.*s/%s", (int)length, at, program) < PATH_BYTES &&
            access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool read_at(FILE *file, uint64_t offset, void *to, size_t bytes)
{
    return offset < (uint64_t)1 << 40 && fseek(file, (long)offset, SEEK_SET) == 0 &&
           fread(to, 1, bytes, file) == bytes;
}

/* Whether bytes of the file hold a text: the names of needed libraries stand there as they are. */
static bool holds(FILE *file, uint64_t offset, uint64_t bytes, const char *text)
{
    bool found = false;
    char *const all = bytes < (uint64_t)1 << 30 ? malloc((size_t)bytes + 1) : NULL;
    if (all != NULL && read_at(file, offset, all, (size_t)bytes)) {
        const size_t length = strlen(text);
        for (size_t i = 0; i + length <= bytes && !found; i++)
            found = memcmp(all + i, text, length) == 0;
    }
    free(all);
    return found;
}

typedef struct facts {
    bool elf, interpreted, sanitized;
} facts;

static void look_at(FILE *file, facts *seen)
{
    Elf64_Ehdr head;
    Elf64_Phdr part;
    if (!read_at(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof part)
        return;
    seen->elf = true;
    for (int i = 0; i < head.e_phnum; i++) {
        if (!read_at(file, head.e_phoff + (uint64_t)i * sizeof part, &part, sizeof part))
            return;
        seen->interpreted = seen->interpreted || part.p_type == PT_INTERP;
        /* The names of libraries lie in the first part that is loaded. */
        if (part.p_type == PT_LOAD && part.p_offset == 0)
            seen->sanitized = holds(file, 0, part.p_filesz, "libasan.so");
    }
}

void run_obstacle(const char *program, char text[RUN_REASON_BYTES])
{
    char path[PATH_BYTES];
    struct stat about;
    facts seen = {.elf = false};
    text[0] = '\0';
    if (!find_program(program, path) || stat(path, &about) != 0)
        return;
    FILE *const file = fopen(path, "rb");
    if (file != NULL) {
        look_at(file, &seen);
        fclose(file);
    }
    if (seen.elf && !seen.interpreted)
        snprintf(text, RUN_REASON_BYTES,
                 "%s is linked statically: nothing can be preloaded into it", program);
    else if ((about.st_mode & (S_ISUID | S_ISGID)) != 0 && geteuid() != about.st_uid)
        snprintf(text, RUN_REASON_BYTES,
                 "%s runs with the rights of its owner: the loader preloads nothing into it",
                 program);
    else if (seen.sanitized)
        snprintf(text, RUN_REASON_BYTES,
                 "%s has gcc's address sanitizer, which wants to be loaded first: set "
                 "ASAN_OPTIONS=verify_asan_link_order=0",
                 program);
}
