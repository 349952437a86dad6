/* tune_scene.h: a data folder of its own, a GPU that nobody has, and measurements made up for it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Choices run no kernels, so a device for them is its properties. Its family has no built-in lines.
 */
#ifndef TUNE_SCENE_H
#define TUNE_SCENE_H

#include <stdlib.h>
#include <time.h>
#include "../core/scratch_folder.h"
#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "harness/check.h"
#include "tune/choose.h"
#include "tune/database.h"

static char scene_folder[SCRATCH_BYTES];
static char scene_path[SCRATCH_BYTES + 64]; /* of the database */

static gbl_device scene_gpu = {
    .table = &gbl_cuda_table, /* it has kernels */
    .info = {.name = "cuda:0", .title = "Scene GPU", .arch = "sm_00", .units = 64, .is_gpu = 1},
    .props = {.is_gpu = true,
              .fence_device = true,
              .units = 64,
              .simd = 32,
              .max_group = 1024,
              .max_local_bytes = 48 << 10,
              .cache_bytes = 32 << 20,
              .memory_bytes = (size_t)16 << 30,
              .family = "scene",
              .build_key = "scene compiler 1"},
};

/* Makes the folder and empties what the process knows; the names of ops come with the first
 * gable_open. */
static inline void scene_start(void)
{
    gable_context *ctx = NULL;
    if (!scratch_make(scene_folder))
        test_skip(NULL, "no folder for scratch files");
    setenv("XDG_DATA_HOME", scene_folder, 1);
    setenv("XDG_DATA_DIRS", "/nonexistent", 1);
    unsetenv("GABLE_TUNING");
    unsetenv("GABLE_VARIANT");
    snprintf(scene_path, sizeof scene_path, "%s/gable/tuning.jsonl", scene_folder);
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    gable_close(ctx);
}

static inline void scene_end(void)
{
    scratch_clear(scene_folder, false);
}

/* An empty folder, nothing known. */
static inline void scene_fresh(void)
{
    scratch_clear(scene_folder, true);
    gbl_database_reset();
}

/* Replaces the file by a text. */
static inline void scene_write(const char *path, const char *text, size_t bytes)
{
    char folder[SCRATCH_BYTES + 64];
    snprintf(folder, sizeof folder, "%s/gable", scene_folder);
    mkdir(folder, 0777);
    FILE *stream = fopen(path, "wb");
    CHECK(stream != NULL && fwrite(text, 1, bytes, stream) == bytes, "%s was not written", path);
    if (stream != NULL)
        fclose(stream);
}

/* A context without a queue: enough to choose. From calloc. */
static inline gable_context *scene_context(gbl_device *device)
{
    gable_context *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL)
        test_skip(NULL, "no memory");
    ctx->device = device;
    return ctx;
}

static inline const gbl_variant *scene_variant(const gbl_op *op, const char *name)
{
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, name) == 0)
            return &op->variants[i];
    test_skip(NULL, "%s has no variant %s", op->stem, name);
}

/* A good measurement of one tunable's value. */
static inline gbl_entry scene_entry(const gbl_device *device, const gbl_op *op, const char *variant,
                                    const void *call, const char *param, int32_t value, double usec)
{
    gbl_choice choice = {.variant = scene_variant(op, variant)};
    gbl_entry entry;
    gbl_params_fallback(choice.variant, &choice.params);
    if (param != NULL)
        choice.params.value[gbl_param_index(choice.variant, param)] = value;
    gbl_entry_make(device, op, &choice, call, &entry);
    entry.usec = usec;
    entry.spread = usec / 100;
    entry.error = 0.25;
    entry.runs = 9;
    return entry;
}

static inline void scene_add(const gbl_entry *entry)
{
    gbl_message message = {NULL, ""};
    const gable_status status = gbl_database_add(entry, 1, &message);
    CHECK(status == GABLE_OK, "a measurement was not added: %s", message.text);
}

static inline gbl_vector_call scene_vectors(int64_t n)
{
    return (gbl_vector_call){
        .dtype = GBL_D, .n = n, .x = (void *)4096, .incx = 1, .y = (void *)8192, .incy = 1};
}

#endif
