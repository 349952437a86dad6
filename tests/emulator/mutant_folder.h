/* mutant_folder.h: a folder with the kernels, one of them changed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MUTANT_FOLDER_H
#define MUTANT_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.h"
#include "gable/gable.h"
#include "mutants.h"
#include "scratch_folder.h"

static inline char *slurp(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    char *text = calloc(1, 1 << 18);
    if (text != NULL && fread(text, 1, (1 << 18) - 1, stream) == 0)
        text[0] = '\0';
    fclose(stream);
    return text;
}

/* Copies the kernels to `folder`; with a mutant, changed. */
static inline bool make_folder(const char *folder, const mutant *m)
{
    char command[2 * SCRATCH_BYTES], path[2 * SCRATCH_BYTES];
    scratch_clear(folder, true);
    snprintf(command, sizeof command,
             "cp " GABLE_SOURCE_DIR "/kernels/*.h " GABLE_SOURCE_DIR "/kernels/*/*.* '%s'", folder);
    if (system(command) != 0)
        return EXPECT(false, "the kernels cannot be copied");
    if (m == NULL)
        return true;
    snprintf(path, sizeof path, "%s/%s", folder, m->file);
    char *text = slurp(path);
    char *at = text != NULL ? strstr(text, m->old) : NULL;
    const bool once = at != NULL && strstr(at + 1, m->old) == NULL;
    EXPECT(once, "\"%s\": %s does not hold this exactly once, let the mutant follow: %s", m->name,
           m->file, m->old);
    FILE *stream = once ? fopen(path, "wb") : NULL;
    if (stream != NULL) {
        fwrite(text, 1, (size_t)(at - text), stream);
        fputs(m->new, stream);
        fputs(at + strlen(m->old), stream);
        fclose(stream);
    }
    free(text);
    return stream != NULL;
}

/* PoCL and a folder for kernels. 0: there they are; else what main() returns. */
static inline int mutants_open(const char *test, gable_context **ctx, char *folder)
{
    const char *list = getenv("GABLE_REQUIRE");
    const bool required = list != NULL && strstr(list, "pocl") != NULL;
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_KERNEL_DIR");
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1); /* compiles in 40 % of the time */
    if (gable_open(ctx, "opencl:pocl") != GABLE_OK) {
        printf("%s: %s\n", required ? "PoCL is required" : "skipped", gable_message(*ctx));
        gable_close(*ctx);
        return required ? 1 : EXPECT_SKIPPED;
    }
    if (!scratch_make(folder)) {
        fprintf(stderr, "%s: ", test);
        perror("no scratch folder");
        return 1;
    }
    return 0;
}

#endif
