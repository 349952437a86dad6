/* kernel_source.c: joins the text of a kernel from its pieces.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program is dialect.h, prec.h and the kernel file, with each #include "piece.h" replaced by the
 * piece the first time it is met. Every change of file is marked by a #line, so that the compiler's
 * messages point at the real file. Texts come from the library or, if it is set, from the
 * folder GABLE_KERNEL_DIR.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel.h"
#include "core/kernel_table.h"
#include "device/environment.h"

#define MAX_PIECES 24
#define NAME_BYTES 64

typedef struct joined {
    char *text;
    size_t used, room;
    char seen[MAX_PIECES][NAME_BYTES];
    int seen_count;
    int depth;
} joined;

static bool append(joined *out, const char *text, size_t bytes)
{
    if (out->used + bytes + 1 > out->room) {
        const size_t room = 2 * (out->used + bytes + 1);
        char *grown = realloc(out->text, room);
        if (grown == NULL)
            return false;
        out->text = grown;
        out->room = room;
    }
    memcpy(out->text + out->used, text, bytes);
    out->used += bytes;
    out->text[out->used] = '\0';
    return true;
}

/* Opens a kernel file in `folder` itself or in one of its rooms, those of kernels/. `path` becomes
 * where it was looked for last. */
static FILE *open_file(const char *folder, const char *file, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%s", folder, file);
    FILE *stream = fopen(path, "rb");
    const char *room = "";
    size_t length = 0;
    for (const gbl_kernel_text *entry = gbl_kernel_texts; stream == NULL && entry->file != NULL;
         entry++) {
        const char *slash = strrchr(entry->path, '/');
        const size_t same = slash != NULL ? (size_t)(slash - entry->path) + 1 : 0;
        if (same == 0 || (same == length && strncmp(entry->path, room, length) == 0))
            continue;
        room = entry->path;
        length = same;
        snprintf(path, bytes, "%s/%.*s%s", folder, (int)length, room, file);
        stream = fopen(path, "rb");
    }
    return stream;
}

/* The text of a file, from malloc. */
static gable_status read_text(const char *file, char **text, gbl_message *message)
{
    const char *folder = gbl_getenv_path("GABLE_KERNEL_DIR");
    if (folder == NULL || folder[0] == '\0') {
        for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
            if (entry->file[0] == file[0] && strcmp(entry->file, file) == 0) {
                const size_t bytes = strlen((const char *)entry->text) + 1;
                *text = malloc(bytes);
                if (*text == NULL)
                    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %s", file);
                memcpy(*text, entry->text, bytes);
                return GABLE_OK;
            }
        }
        return gbl_fail(message, GABLE_COMPILE_FAILED, "the library has no kernel file %s", file);
    }

    char path[1024];
    FILE *stream = open_file(folder, file, path, sizeof path);
    if (stream == NULL)
        return gbl_fail(message, GABLE_COMPILE_FAILED,
                        "%s/%s cannot be read, nor in a folder below; GABLE_KERNEL_DIR must name a "
                        "folder with all kernel files",
                        folder, file);
    gable_status status = GABLE_OK;
    joined out = {0};
    char piece[4096];
    size_t got;
    bool room = append(&out, "", 0);
    while (room && (got = fread(piece, 1, sizeof piece, stream)) > 0)
        room = append(&out, piece, got);
    if (!room)
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %s", path);
    else if (ferror(stream))
        status = gbl_fail(message, GABLE_COMPILE_FAILED, "reading %s failed", path);
    fclose(stream);
    if (status != GABLE_OK)
        free(out.text);
    else
        *text = out.text;
    return status;
}

static const char *behind_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* The name in a line `#include "name"`, or false. Most lines are none, and texts are long: nothing
 * here looks further than it must, as sscanf would. */
static bool included(const char *line, char name[NAME_BYTES])
{
    line = behind_blanks(line);
    if (*line != '#')
        return false;
    line = behind_blanks(line + 1);
    if (strncmp(line, "include", 7) != 0)
        return false;
    line = behind_blanks(line + 7);
    if (*line != '"')
        return false;
    const size_t length = strcspn(line + 1, "\"\n");
    if (length == 0 || length >= NAME_BYTES || line[1 + length] != '"')
        return false;
    memcpy(name, line + 1, length);
    name[length] = '\0';
    return true;
}

static gable_status join(joined *out, const char *file, gbl_message *message)
{
    for (int i = 0; i < out->seen_count; i++)
        if (strcmp(out->seen[i], file) == 0)
            return GABLE_OK;
    if (out->seen_count == MAX_PIECES)
        return gbl_fail(message, GABLE_COMPILE_FAILED, "%s includes more than %d pieces", file,
                        MAX_PIECES);
    snprintf(out->seen[out->seen_count++], NAME_BYTES, "%s", file);

    char *text = NULL;
    TRY(read_text(file, &text, message));
    gable_status status = GABLE_OK;
    char mark[NAME_BYTES + 32];
    bool room = append(out, mark, (size_t)snprintf(mark, sizeof mark, "#line 1 \"%s\"\n", file));
    int number = 1;
    const char *kept = text,
               *line = text; /* lines from `kept` to `line` are still to be appended */
    for (; room && *line != '\0'; number++) {
        const size_t length = strcspn(line, "\n");
        const char *next = line + length + (line[length] == '\n');
        char name[NAME_BYTES];
        if (included(line, name)) {
            room = append(out, kept, (size_t)(line - kept));
            status = join(out, name, message);
            if (status != GABLE_OK)
                goto done;
            room = room && append(out, mark,
                                  (size_t)snprintf(mark, sizeof mark, "#line %d \"%s\"\n",
                                                   number + 1, file));
            kept = next;
        }
        line = next;
    }
    room = room && append(out, kept, (size_t)(line - kept));
    if (line > kept && line[-1] != '\n')
        room = room && append(out, "\n", 1);
    if (!room)
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the text of %s", file);
done:
    free(text);
    return status;
}

gable_status gbl_kernel_source(const char *file, char **source, gbl_message *message)
{
    joined out = {0};
    gable_status status = join(&out, "dialect.h", message);
    if (status == GABLE_OK)
        status = join(&out, "prec.h", message);
    if (status == GABLE_OK)
        status = join(&out, file, message);
    if (status != GABLE_OK)
        free(out.text);
    else
        *source = out.text;
    return status;
}

/* The next character that counts: comments and runs of blanks are one blank, or one newline where
 * they hold one; marks of lines are nothing. *at moves behind it; 0 at the end. */
static char next_character(const char **at)
{
    const char *p = *at;
    char blank = '\0';
    for (;;) {
        if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end != NULL ? end + 2 : p + strlen(p);
            blank = blank == '\n' ? '\n' : ' ';
        } else if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (strncmp(p, "#line ", 6) == 0) {
            p += strcspn(p, "\n");
        } else if (*p != '\0' && strchr(" \t\r\n", *p) != NULL) {
            blank = *p == '\n' || blank == '\n' ? '\n' : ' ';
            p++;
        } else {
            break;
        }
    }
    *at = p;
    if (blank != '\0')
        return blank;
    if (*p != '\0')
        *at = p + 1;
    return *p;
}

gable_status gbl_kernel_source_hash(const char *files, uint64_t *hash, gbl_message *message)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *word = files + strspn(files, " "); *word != '\0'; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        char file[NAME_BYTES], *source = NULL;
        snprintf(file, sizeof file, "%.*s", (int)length, word);
        TRY(gbl_kernel_source(file, &source, message));
        const char *at = source;
        for (char c; (c = next_character(&at)) != '\0';)
            h = (h ^ (unsigned char)c) * 0x100000001b3u;
        free(source);
        word += length;
    }
    *hash = h;
    return GABLE_OK;
}
