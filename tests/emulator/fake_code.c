/* fake_code.c: the fake device's compiler, which looks up.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel is found by its stem and by exactly the macros asked for; its image is that as text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "device/dtype.h"
#include "fake_device.h"

#define IMAGE_BYTES 512
#define IMAGE_FORM  "fake image of %s with %s\n"

int fake_mutant;

/* ---- Looking up ----------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static int count_words(const char *words)
{
    int count = words[0] != '\0';
    for (; *words != '\0'; words++)
        count += *words == ' ';
    return count;
}

static const fake_kernel *look_up(const char *stem, const char *macros)
{
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++) {
        if (strcmp(kernel->stem, stem) != 0 || count_words(kernel->macros) != count_words(macros))
            continue;
        char word[64];
        int used = 0;
        bool all = true;
        for (const char *at = macros; all && sscanf(at, "%63s%n", word, &used) == 1; at += used)
            all = has_word(kernel->macros, word);
        if (all)
            return kernel;
    }
    return NULL;
}

static gable_status new_code(gbl_device *device, const fake_kernel *kernel, gbl_code **out,
                             gbl_message *message)
{
    fake_code *code = fake_memory(sizeof *code);
    if (code == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a fake kernel");
    code->base = (gbl_code){device, -1, -1, -1, kernel->work_items, 0};
    code->kernel = kernel;
    fake_count(&fake_live.codes, 1);
    *out = &code->base;
    return GABLE_OK;
}

gable_status fake_build(gbl_device *device, const char *source, const char *const *macros,
                        const char *entry, gbl_code **code, gbl_message *message)
{
    if (fake_must_fail(FAKE_BUILD, message))
        return fake_status(FAKE_BUILD);
    const struct timespec pause = {0, fake_set.build_msec * 1000000L};
    if (fake_set.build_msec > 0)
        nanosleep(&pause, NULL);
    char line[96], words[IMAGE_BYTES] = "";
    snprintf(line, sizeof line, "#line 1 \"%s.c", entry + 1); /* .cl or .cu */
    if (strstr(source, line) == NULL)
        return gbl_fail(message, GABLE_COMPILE_FAILED, "the text of %s lacks its own file", entry);
    for (int i = 0; macros[i] != NULL; i++) {
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", i ? " " : "", macros[i]);
    }
    char mutated[IMAGE_BYTES + 32];
    snprintf(mutated, sizeof mutated, "%s MUTANT=%d", words, fake_mutant);
    const fake_kernel *kernel = fake_mutant > 0 ? look_up(entry + 1, mutated) : NULL;
    if (kernel == NULL)
        kernel = look_up(entry + 1, words);
    if (kernel == NULL)
        return gbl_fail(
            message, GABLE_COMPILE_FAILED,
            "kernels_c.cmake makes no %s with %s; it makes those of the table fake_kernels",
            entry + 1, words);
    return new_code(device, kernel, code, message);
}

gable_status fake_image(const gbl_code *code, void **image, size_t *image_bytes,
                        gbl_message *message)
{
    if (fake_must_fail(FAKE_IMAGE, message))
        return fake_status(FAKE_IMAGE);
    const fake_kernel *kernel = ((const fake_code *)code)->kernel;
    char *text = fake_memory(IMAGE_BYTES);
    if (text == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for an image");
    *image_bytes =
        (size_t)snprintf(text, IMAGE_BYTES, IMAGE_FORM, kernel->stem, kernel->macros) + 1;
    *image = text;
    return GABLE_OK;
}

gable_status fake_load(gbl_device *device, const void *image, size_t image_bytes, const char *entry,
                       gbl_code **code, gbl_message *message)
{
    if (fake_must_fail(FAKE_LOAD, message))
        return fake_status(FAKE_LOAD);
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++) {
        char text[IMAGE_BYTES];
        const int length = snprintf(text, sizeof text, IMAGE_FORM, kernel->stem, kernel->macros);
        if (strcmp(kernel->stem, entry + 1) == 0 && image_bytes == (size_t)length + 1 &&
            memcmp(text, image, image_bytes) == 0)
            return new_code(device, kernel, code, message);
    }
    return gbl_fail(message, GABLE_COMPILE_FAILED, "%s: an image of %zu bytes of no fake kernel",
                    entry, image_bytes);
}

void fake_unload(gbl_code *code)
{
    fake_count(&fake_live.codes, -1);
    free(code);
}
