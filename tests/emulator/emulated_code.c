/* emulated_code.c: the emulated device's compiler: the one that compiled the test.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel's text stands between dialect_wgmma.h or dialect_c.h, which have its words, and
 * emulated_entry.h, which calls it. It becomes a shared object, whose bytes are the image; so the
 * library keeps it on disk as it keeps other kernels. The words are functions of the program: it is
 * linked with ENABLE_EXPORTS.
 */
#define _GNU_SOURCE 1 /* environ */
#include <ctype.h>
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fake_device.h"

#define FOLDER_BYTES 256
#define PATH_BYTES   (FOLDER_BYTES + 32)
#define MOST_FLAGS   64

typedef struct emulated_code {
    fake_code base;
    fake_kernel kernel;
    void *module;
    void *image;
    size_t image_bytes;
} emulated_code;

int fake_mutant; /* mutants come by $GABLE_KERNEL_DIR */

/* ---- Files ---- */

static bool make_folder(char folder[FOLDER_BYTES])
{
    const char *below = getenv("TMPDIR");
    snprintf(folder, FOLDER_BYTES, "%s/emulated-XXXXXX", below != NULL ? below : "/tmp");
    return mkdtemp(folder) != NULL;
}

static void clear_folder(const char *folder)
{
    static const char *const files[] = {"kernel.c", "operands.inc", "kernel.so", "log"};
    char path[PATH_BYTES];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

static bool write_file(const char *folder, const char *name, const void *bytes, size_t count)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    const bool wrote = stream != NULL && fwrite(bytes, 1, count, stream) == count;
    return stream != NULL && fclose(stream) == 0 && wrote;
}

/* A file with a zero behind it, from malloc; NULL: there is none. */
static char *read_file(const char *folder, const char *name, size_t *count)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    long length = 0;
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0 || (length = ftell(stream)) < 0) {
        if (stream != NULL)
            fclose(stream);
        return NULL;
    }
    rewind(stream);
    char *bytes = fake_memory((size_t)length + 1);
    *count = bytes != NULL ? fread(bytes, 1, (size_t)length, stream) : 0;
    fclose(stream);
    return bytes;
}

/* ---- A kernel's text ---- */

/* What a parameter is, as a line of operands.inc. */
static void write_operand(FILE *stream, const char *text, const char *end, bool last)
{
    while (text < end && isspace((unsigned char)*text))
        text++;
    if (strncmp(text, "MAP(", 4) == 0)
        fputs("MAP_OPERAND\n", stream);
    else if (memchr(text, '*', (size_t)(end - text)) != NULL)
        fputs("BUFFER_OPERAND\n", stream);
    else
        fprintf(stream, "ARGS_OPERAND(%.*s)\n", (int)strcspn(text, " "), text);
    if (!last)
        fputs("COMMA\n", stream);
}

/* The list of parameters behind KERNEL(...): it may stand in a header of its own, behind lines that
 * say so and comments. NULL: there is none. */
static const char *find_list(const char *at)
{
    while (at != NULL && *at != '(' && *at != '\0') {
        if (strncmp(at, "/*", 2) == 0)
            at = (at = strstr(at, "*/")) != NULL ? at + 2 : NULL;
        else if (*at == '#' || strncmp(at, "//", 2) == 0)
            at = strchr(at, '\n');
        else
            at++;
    }
    return at != NULL && *at == '(' ? at : NULL;
}

/* Writes the parameters of the last KERNEL of a text, all of which have the same ones. */
static bool write_operands(const char *folder, const char *source)
{
    const char *at = NULL;
    for (const char *next = source; (next = strstr(next, "\nKERNEL(")) != NULL; next++)
        at = next;
    at = at != NULL ? strchr(at, ')') : NULL;
    at = find_list(at != NULL ? at + 1 : NULL);
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/operands.inc", folder);
    FILE *stream = at != NULL ? fopen(path, "wb") : NULL;
    if (stream == NULL)
        return false;
    int depth = 0;
    const char *from = ++at;
    for (; *at != '\0' && depth >= 0; at++) {
        if (*at == '#' && at[-1] == '\n') { /* a condition stands between parameters */
            const int length = (int)strcspn(at, "\n");
            fprintf(stream, "%.*s\n", length, at);
            from = at += length;
        }
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth < 0 || (*at == ',' && depth == 0)) {
            write_operand(stream, from, at, depth < 0);
            from = at + 1;
        }
    }
    return fclose(stream) == 0 && depth < 0;
}

/* Whether groups wait for each other: a line of the kernel says so, beside those of the dialect. */
static bool groups_meet(const char *source)
{
    for (const char *at = source; (at = strstr(at, "AWAIT(")) != NULL; at++) {
        const char *before = at;
        while (before > source && before[-1] == ' ')
            before--;
        if (before < at && before > source && before[-1] == '\n')
            return true;
    }
    return false;
}

static bool write_kernel(const gbl_device *device, const char *folder, const char *source,
                         const char *const *macros, const char *entry)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/kernel.c", folder);
    FILE *stream = fopen(path, "wb");
    if (stream == NULL)
        return false;
    for (; *macros != NULL; macros++) {
        const int name = (int)strcspn(*macros, "=");
        fprintf(stream, "#define %.*s %s\n", name, *macros, *macros + name + 1);
    }
    fprintf(stream,
            "#define WARP_SIZE %d\n#define ENTRY %s\n#define GROUPS_MEET %d\n#include \"%s\"\n"
            "#undef KERNEL\n"
            "#define KERNEL(op, wx, wy, min_groups) extern const int emulated_items; "
            "const int emulated_items = (wx) * (wy); static void FN(op)\n"
            "%s\n#line 1 \"the end\"\n#include \"emulated_entry.h\"\n",
            device->props.simd, entry, groups_meet(source),
            device->props.max_tensor_maps > 0 ? "dialect_wgmma.h" : "dialect_c.h", source);
    return fclose(stream) == 0 && write_operands(folder, source);
}

/* ---- The compiler ---- */

/* Runs it; what it says goes to the file `log`. */
static bool run_compiler(const char *folder)
{
    static const char flags[] = EMULATED_FLAGS;
    char words[sizeof flags], include[PATH_BYTES], in[PATH_BYTES], out[PATH_BYTES], log[PATH_BYTES];
    char *arguments[MOST_FLAGS] = {(char *)(uintptr_t)EMULATED_COMPILER};
    int count = 1;
    memcpy(words, flags, sizeof flags);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word != NULL && count < MOST_FLAGS - 6;
         word = strtok_r(NULL, " ", &rest))
        arguments[count++] = word;
    snprintf(include, sizeof include, "-I%s", folder);
    snprintf(in, sizeof in, "%s/kernel.c", folder);
    snprintf(out, sizeof out, "-o%s/kernel.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    arguments[count++] = include;
    arguments[count++] = in;
    arguments[count++] = out;
    /* What a mutant leaves unused is no error. */
    arguments[count++] = getenv("GABLE_KERNEL_DIR") != NULL ? "-w" : "-Werror";
    pid_t process;
    int status = 1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT, 0600);
    const bool ran =
        posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ) == 0 &&
        waitpid(process, &status, 0) == process;
    posix_spawn_file_actions_destroy(&actions);
    return ran && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Loads kernel.so of a folder; the image is the caller's if that fails. */
static gable_status open_module(gbl_device *device, const char *folder, const char *entry,
                                void *image, size_t image_bytes, gbl_code **out,
                                gbl_message *message)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/kernel.so", folder);
    emulated_code *code = fake_memory(sizeof *code);
    void *module = code != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    const int *items = module != NULL ? dlsym(module, "emulated_items") : NULL;
    const int *buffers = module != NULL ? dlsym(module, "emulated_buffers") : NULL;
    void *run = module != NULL ? dlsym(module, "emulated_entry") : NULL;
    char *const *local = module != NULL ? dlsym(module, "emulated_local") : NULL;
    if (items == NULL || buffers == NULL || run == NULL || local == NULL) {
        gbl_fail(message, GABLE_COMPILE_FAILED, "%s: %s", entry,
                 module == NULL ? dlerror() : "the image lacks a symbol");
        if (module != NULL)
            dlclose(module);
        free(code);
        return GABLE_COMPILE_FAILED;
    }
    code->kernel = (fake_kernel){.stem = "",
                                 .macros = "",
                                 .work_items = *items,
                                 .warp_size = device->props.simd,
                                 .buffers = *buffers,
                                 .local = local[0],
                                 .local_bytes = (size_t)(local[1] - local[0])};
    memcpy(&code->kernel.run, &run, sizeof run);
    code->base.base = (gbl_code){device, -1, -1, -1, *items, 0};
    code->base.kernel = &code->kernel;
    code->module = module;
    code->image = image;
    code->image_bytes = image_bytes;
    fake_count(&fake_live.codes, 1);
    *out = &code->base.base;
    return GABLE_OK;
}

gable_status fake_build(gbl_device *device, const char *source, const char *const *macros,
                        const char *entry, gbl_code **code, gbl_message *message)
{
    char folder[FOLDER_BYTES];
    size_t bytes = 0;
    gable_status status = GABLE_COMPILE_FAILED;
    if (!make_folder(folder))
        return gbl_fail(message, status, "%s: no folder for a kernel", entry);
    char *text = NULL;
    if (!write_kernel(device, folder, source, macros, entry)) {
        gbl_fail(message, status, "%s: its text cannot be written, or has no KERNEL", entry);
    } else if (!run_compiler(folder)) {
        text = read_file(folder, "log", &bytes);
        gbl_fail(message, status, "%s does not compile as plain C:\n%s", entry,
                 text != NULL ? text : "");
        free(text);
    } else {
        text = read_file(folder, "kernel.so", &bytes);
        status = text == NULL ? gbl_fail(message, status, "%s: its image cannot be read", entry)
                              : open_module(device, folder, entry, text, bytes, code, message);
        if (status != GABLE_OK)
            free(text);
    }
    clear_folder(folder);
    return status;
}

gable_status fake_load(gbl_device *device, const void *image, size_t image_bytes, const char *entry,
                       gbl_code **code, gbl_message *message)
{
    char folder[FOLDER_BYTES];
    if (!make_folder(folder))
        return gbl_fail(message, GABLE_COMPILE_FAILED, "%s: no folder for an image", entry);
    gable_status status = GABLE_COMPILE_FAILED;
    void *kept = fake_memory(image_bytes);
    if (kept != NULL && write_file(folder, "kernel.so", image, image_bytes)) {
        memcpy(kept, image, image_bytes);
        status = open_module(device, folder, entry, kept, image_bytes, code, message);
    } else {
        gbl_fail(message, status, "%s: its image cannot be written", entry);
    }
    if (status != GABLE_OK)
        free(kept);
    clear_folder(folder);
    return status;
}

gable_status fake_image(const gbl_code *code, void **image, size_t *image_bytes,
                        gbl_message *message)
{
    const emulated_code *of = (const emulated_code *)code;
    *image = fake_memory(of->image_bytes);
    if (*image == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for an image");
    memcpy(*image, of->image, of->image_bytes);
    *image_bytes = of->image_bytes;
    return GABLE_OK;
}

void fake_unload(gbl_code *code)
{
    emulated_code *of = (emulated_code *)code;
    fake_count(&fake_live.codes, -1);
    dlclose(of->module);
    free(of->image);
    free(of);
}
