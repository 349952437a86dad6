/* test_kernel_source.c: the text of a kernel, joined from its pieces.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every line of the program must be the line of the file that its #line names: both are read again
 * from kernels/ and compared. Each piece comes once.
 */
#include "core/kernel.h"
#include "core/kernel_table.h"
#include "expect.h"
#include "scratch_folder.h"

#define FOLDER      GABLE_SOURCE_DIR "/kernels"
#define MOST_PIECES 24 /* of a kernel */

static char *slurp(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    char *text = calloc(1, 1 << 20);
    if (text != NULL && fread(text, 1, (1 << 20) - 1, stream) == 0)
        text[0] = '\0';
    fclose(stream);
    return text;
}

/* Line `number`, from 1, of a text; its end is not marked. NULL past the end. */
static const char *line_of(const char *text, int number)
{
    for (; number > 1 && text != NULL; number--) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

static size_t length_of(const char *line)
{
    return strcspn(line, "\n");
}

/* Where a file stands below kernels/: a program names it without its room. */
static const char *path_of(const char *file)
{
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++)
        if (strcmp(entry->file, file) == 0)
            return entry->path;
    return file;
}

/* Walks the program of a file and compares each line with where #line says it is from. */
static void check_lines(const char *file)
{
    gbl_message message = {"test", ""};
    char *source = NULL;
    if (!EXPECT(gbl_kernel_source(file, &source, &message) == GABLE_OK, "%s", message.text))
        return;
    char name[64] = "", path[512], *text = NULL;
    char started[MOST_PIECES][64];
    int number = 0, pieces = 0, compared = 0;
    for (const char *line = source; line != NULL && *line != '\0'; number++) {
        char marked[64];
        int at;
        if (sscanf(line, "#line %d \"%63[^\"]\"", &at, marked) == 2) {
            number = at - 1;
            strcpy(name, marked);
            free(text);
            snprintf(path, sizeof path, FOLDER "/%s", path_of(name));
            text = slurp(path);
            EXPECT(text != NULL, "%s: #line names %s, which is not there", file, path);
            if (at == 1) {
                for (int i = 0; i < pieces; i++)
                    EXPECT(strcmp(started[i], name) != 0, "%s has %s twice", file, name);
                strcpy(started[pieces++ % MOST_PIECES], name);
            }
        } else {
            const char *real = text != NULL ? line_of(text, number) : NULL;
            EXPECT(real != NULL && length_of(real) == length_of(line) &&
                       strncmp(real, line, length_of(line)) == 0,
                   "%s: \"%.*s\" is not line %d of %s", file, (int)length_of(line), line, number,
                   name);
            EXPECT(strncmp(line, "#include", 8) != 0, "%s: an #include is left", file);
            compared++;
        }
        const char *end = strchr(line, '\n');
        line = end != NULL ? end + 1 : NULL;
    }
    EXPECT(compared > 80 && pieces >= 3 && strcmp(started[0], "dialect.h") == 0 &&
               strcmp(started[1], "prec.h") == 0,
           "%s: %d lines of %d pieces from %s", file, compared, pieces, started[0]);
    free(text);
    free(source);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[2 * SCRATCH_BYTES];
    snprintf(path, sizeof path, "%.*s/%s", SCRATCH_BYTES, folder, name);
    FILE *stream = fopen(path, "wb");
    EXPECT(stream != NULL && fputs(text, stream) >= 0, "%s cannot be written", path);
    if (stream != NULL)
        fclose(stream);
}

/* What is joined from a folder with these files, and the refusals. */
static void test_folder(const char *folder)
{
    gbl_message message = {"gable_test", ""};
    char *source = NULL;
    setenv("GABLE_KERNEL_DIR", folder, 1);
    EXPECT(gbl_kernel_source("mine.cl", &source, &message) == GABLE_COMPILE_FAILED,
           "an empty folder has a kernel");
    EXPECT(strstr(message.text, "gable_test: ") == message.text &&
               strstr(message.text,
                      "dialect.h cannot be read, nor in a folder below; "
                      "GABLE_KERNEL_DIR must name a folder with all kernel files") != NULL,
           "%s", message.text);

    write_file(folder, "dialect.h", "dialect\n");
    write_file(folder, "prec.h", "prec"); /* no end of line */
    write_file(folder, "a.h", "a1\n#include \"b.h\"\na3\n");
    write_file(folder, "b.h", "b1\n");
    write_file(folder, "mine.cl", "m1\n#include \"a.h\"\n  # include \"b.h\"\nm4\n");
    EXPECT(gbl_kernel_source("mine.cl", &source, &message) == GABLE_OK, "%s", message.text);
    const char *expected = "#line 1 \"dialect.h\"\ndialect\n#line 1 \"prec.h\"\nprec\n"
                           "#line 1 \"mine.cl\"\nm1\n#line 1 \"a.h\"\na1\n#line 1 \"b.h\"\nb1\n"
                           "#line 3 \"a.h\"\na3\n#line 3 \"mine.cl\"\n#line 4 \"mine.cl\"\nm4\n";
    if (source != NULL)
        EXPECT(strcmp(source, expected) == 0, "joined:\n%s\nnot:\n%s", source, expected);
    free(source);
    source = NULL;

    write_file(folder, "mine.cl", "#include \"gone.h\"\n");
    EXPECT(gbl_kernel_source("mine.cl", &source, &message) == GABLE_COMPILE_FAILED,
           "a missing piece was found");
    EXPECT(strstr(message.text, "gone.h cannot be read") != NULL, "%s", message.text);

    write_file(folder, "mine.cl", "#include \"mine.cl\"\nm2\n"); /* itself: once */
    EXPECT(gbl_kernel_source("mine.cl", &source, &message) == GABLE_OK, "%s", message.text);
    free(source);
    source = NULL;

    char many[2048] = "";
    for (int i = 0; i < MOST_PIECES; i++) {
        char name[32], line[64];
        snprintf(name, sizeof name, "piece%d.h", i);
        snprintf(line, sizeof line, "#include \"%s\"\n", name);
        write_file(folder, name, "x\n");
        strcat(many, line);
    }
    write_file(folder, "mine.cl", many);
    EXPECT(gbl_kernel_source("mine.cl", &source, &message) == GABLE_COMPILE_FAILED,
           "there is no limit to pieces");
    EXPECT(strstr(message.text, "pieces") != NULL, "%s", message.text);
    unsetenv("GABLE_KERNEL_DIR");
    EXPECT(gbl_kernel_source("mine.cl", &source, &message) == GABLE_COMPILE_FAILED &&
               strstr(message.text, "the library has no kernel file mine.cl") != NULL,
           "%s", message.text);
}

int main(void)
{
    char folder[SCRATCH_BYTES];
    int kernels = 0;
    if (!scratch_make(folder)) {
        perror("test_kernel_source: no scratch folder");
        return 1;
    }
    for (int from_disk = 0; from_disk < 2; from_disk++) {
        if (from_disk)
            setenv("GABLE_KERNEL_DIR", FOLDER, 1);
        else
            unsetenv("GABLE_KERNEL_DIR");
        for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
            if (strstr(entry->file, ".cl") == NULL)
                continue;
            check_lines(entry->file);
            kernels++;
        }
    }
    EXPECT(kernels >= 14, "only %d kernels were read", kernels);
    test_folder(folder);
    scratch_clear(folder, false);
    return expect_summary("test_kernel_source");
}
