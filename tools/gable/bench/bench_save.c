/* bench_save.c: keeps the rows of `gable bench` in the data folder, where `gable report` finds
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * results/<device>/<op>.jsonl holds what --json would have printed: for each run its line of
 * circumstances, then its rows. Nothing is ever taken out; readers take the newest row of a case.
 * Rows of forced variants, of zeros, of other modes of arithmetic and of cases that were drawn are
 * experiments and wrong results are no measurements: none of them is kept.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench_output.h"
#include "core/data_folder.h"
#include "gable/device_slug.h"
#include "gable/json.h"

/* The file of a stem, or false where no folder is known. */
static bool stem_path(const bench_session *session, const char *stem, char *path, size_t bytes)
{
    char device[256], slug[DEVICE_SLUG_BYTES], name[256];
    bench_device_text(session->ctx, device, sizeof device);
    device_slug(device, slug, sizeof slug);
    snprintf(name, sizeof name, "results/%s/%s.jsonl", slug, stem);
    return gbl_data_path(name, path, bytes);
}

/* Whether this run has written to the file yet; from now on it has. */
static bool is_first(bench_output *output, int device, const char *stem)
{
    for (int i = 0; i < output->saved_count; i++)
        if (output->saved[i].device == device && strcmp(output->saved[i].stem, stem) == 0)
            return false;
    if (output->saved_count < BENCH_MAX_SAVED) {
        output->saved[output->saved_count].device = device;
        output->saved[output->saved_count++].stem = stem;
    }
    return true;
}

static void write_row(const bench_session *session, const void *row)
{
    bench_json_row(session, row);
}

void bench_save_row(bench_output *output, int device, const bench_row *row)
{
    if (row->error <= 1 && !output->asked->ladder && output->asked->drawn.random == 0 &&
        !row->what.zeros && row->what.math == GABLE_MATH_PLAIN)
        bench_save_line(output, device, row->what.op->op->stem, write_row, row);
}

void bench_save_line(bench_output *output, int device, const char *stem,
                     void (*write)(const bench_session *session, const void *row), const void *row)
{
    const bench_session *session = &output->sessions[device];
    char path[2048] = "", note[2200];
    char *lines = NULL;
    size_t bytes = 0;
    const bool forced = output->asked->variant != NULL || getenv("GABLE_VARIANT") != NULL;
    if (!output->asked->save || output->save_failed || forced)
        return;
    bool good = stem_path(session, stem, path, sizeof path);
    FILE *stream = good ? open_memstream(&lines, &bytes) : NULL;
    if (stream != NULL) {
        json_to(stream);
        if (is_first(output, device, stem))
            bench_json_header(output, device);
        write(session, row);
        json_to(stdout);
        good = fclose(stream) == 0 && gbl_data_append(path, lines);
    }
    free(lines);
    if (good && stream != NULL)
        return;
    output->save_failed = true;
    if (path[0] == '/')
        snprintf(note, sizeof note,
                 "the rows are not kept for `gable report`: %s cannot be written", path);
    else
        snprintf(note, sizeof note,
                 "the rows are not kept for `gable report`: neither XDG_DATA_HOME nor HOME is set");
    bench_output_note(output, note);
}
