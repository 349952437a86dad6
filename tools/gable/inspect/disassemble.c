/* disassemble.c: a cubin as text, where NVIDIA's disassembler is installed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "disassemble.h"

#define PATH_BYTES 1024

static bool found_in(const char *folder, size_t length, const char *program, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%.*s/%s", (int)length, folder, program);
    return strchr(path, '\'') == NULL && access(path, X_OK) == 0;
}

static bool find_program(const char *program, char path[PATH_BYTES])
{
    const char *folder = getenv("PATH");
    while (folder != NULL && *folder != '\0') {
        const size_t length = strcspn(folder, ":");
        if (length > 0 && found_in(folder, length, program, path))
            return true;
        folder += length + (folder[length] == ':');
    }
    const char *home = getenv("CUDA_HOME");
    char below[PATH_BYTES];
    snprintf(below, sizeof below, "%.1000s/bin", home != NULL ? home : "");
    if (home != NULL && found_in(below, strlen(below), program, path))
        return true;
    glob_t toolkits = {0};
    bool found = false;
    if (glob("/usr/local/cuda*/bin", 0, NULL, &toolkits) == 0)
        for (size_t i = 0; !found && i < toolkits.gl_pathc; i++)
            found = found_in(toolkits.gl_pathv[i], strlen(toolkits.gl_pathv[i]), program, path);
    globfree(&toolkits);
    return found;
}

/* All that a program prints, from malloc. */
static char *read_all(FILE *stream)
{
    size_t used = 0, room = 65536;
    char *text = malloc(room);
    while (text != NULL) {
        used += fread(text + used, 1, room - used - 1, stream);
        if (used < room - 1)
            break;
        char *grown = realloc(text, room *= 2);
        if (grown == NULL)
            free(text);
        text = grown;
    }
    if (text != NULL)
        text[used] = '\0';
    return text;
}

char *disassemble(const void *image, size_t image_bytes, const char **why)
{
    char program[PATH_BYTES], file[] = "/tmp/gable-cubin-XXXXXX", line[PATH_BYTES + 128];
    const char *flag = "-c";
    char *text = NULL;
    if (!find_program("nvdisasm", program)) {
        flag = "-sass";
        if (!find_program("cuobjdump", program)) {
            *why = "neither nvdisasm nor cuobjdump was found in PATH or the CUDA toolkit's folders";
            return NULL;
        }
    }
    const int descriptor = mkstemp(file);
    *why = "a temporary file could not be written";
    if (descriptor < 0)
        return NULL;
    if (write(descriptor, image, image_bytes) == (ssize_t)image_bytes) {
        snprintf(line, sizeof line, "'%s' %s %s 2>/dev/null", program, flag, file);
        FILE *stream = popen(line, "r");
        text = stream != NULL ? read_all(stream) : NULL;
        if (stream == NULL || pclose(stream) != 0) {
            free(text);
            text = NULL;
            *why = "the disassembler failed";
        }
    }
    close(descriptor);
    unlink(file);
    return text;
}
