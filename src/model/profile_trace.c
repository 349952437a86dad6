/* profile_trace.c: the file of a profile: one line per call, which trace viewers load.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file is a JSON array with one event per line, as chrome://tracing and Perfetto read it; it
 * ends with "]" when the profile does, and the viewers load it without that too. A line is put
 * together from pieces the cell keeps and from whole numbers, because printf would take most of a
 * microsecond; lines go to the file in batches. Before the first line of a context, one line names
 * its track in the viewers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/profile_cells.h"

#define BATCH_BYTES ((size_t)256 << 10)
#define LINE_BYTES  ((size_t)2048) /* more than the longest line and a context's name */
#define NAMED       64             /* contexts whose tracks are named */

struct gbl_trace {
    FILE *file;
    int error; /* the first; nothing is written after it */
    bool any, named[NAMED];
    size_t used;
    char batch[BATCH_BYTES];
};

gbl_trace *gbl_trace_open(const char *path)
{
    gbl_trace *trace = malloc(sizeof *trace);
    if (trace == NULL)
        return NULL;
    trace->file = fopen(path, "w");
    if (trace->file == NULL) {
        const int error = errno;
        free(trace);
        errno = error;
        return NULL;
    }
    trace->error = 0;
    trace->any = false;
    memset(trace->named, 0, sizeof trace->named);
    trace->used = 2;
    memcpy(trace->batch, "[\n", 2);
    return trace;
}

static void flush(gbl_trace *trace)
{
    if (trace->error == 0 && (fwrite(trace->batch, 1, trace->used, trace->file) != trace->used ||
                              fflush(trace->file) != 0))
        trace->error = errno != 0 ? errno : EIO;
    trace->used = 0;
}

static char *add_text(char *at, const char *text)
{
    const size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static char *add_number(char *at, int64_t number)
{
    char digits[24];
    int count = 0;
    uint64_t rest = number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number;
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0)
        *at++ = '-';
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

/* Nanoseconds as microseconds with three digits behind the point. */
static char *add_usec(char *at, int64_t ns)
{
    if (ns < 0) {
        *at++ = '-';
        ns = -ns;
    }
    at = add_number(at, ns / 1000);
    *at++ = '.';
    *at++ = (char)('0' + ns / 100 % 10);
    *at++ = (char)('0' + ns / 10 % 10);
    *at++ = (char)('0' + ns % 10);
    return at;
}

static char *add_member(char *at, const char *name, int64_t number)
{
    at = add_text(at, ",\"");
    at = add_text(at, name);
    at = add_text(at, "\":");
    return add_number(at, number);
}

static char *add_context_name(char *at, int context, const char *device)
{
    at = add_text(at, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":");
    at = add_number(at, (int64_t)getpid());
    at = add_member(at, "tid", context);
    at = add_text(at, ",\"args\":{\"name\":\"");
    at = add_text(at, device);
    at = add_text(at, " context\"}},\n");
    return at;
}

void gbl_trace_add(gbl_trace *trace, const gbl_trace_event *event)
{
    if (BATCH_BYTES - trace->used < LINE_BYTES)
        flush(trace);
    char *at = trace->batch + trace->used;
    if (trace->any)
        at = add_text(at, ",\n");
    trace->any = true;
    if (event->context < NAMED && !trace->named[event->context]) {
        trace->named[event->context] = true;
        at = add_context_name(at, event->context, event->cell->device_name);
    }
    at = add_text(at, event->cell->head);
    at = add_number(at, event->context);
    at = add_text(at, ",\"ts\":");
    at = add_usec(at, event->start_ns);
    at = add_text(at, ",\"dur\":");
    at = add_usec(at, event->length_ns);
    at = add_text(at, event->cell->tail);
    for (int i = 0; i < event->view->sizes; i++)
        at = add_member(at, event->view->size[i].name, event->view->size[i].value);
    at = add_member(at, "bytes",
                    (int64_t)(event->work->bytes_read + event->work->bytes_written + 0.5));
    at = add_member(at, "flops", (int64_t)(event->work->flops + 0.5));
    if (event->depth > 0)
        at = add_member(at, "depth", event->depth);
    if (event->host_ns >= 0) {
        at = add_text(at, ",\"host_us\":");
        at = add_usec(at, event->host_ns);
    }
    if (event->compile_ns > 0) {
        at = add_text(at, ",\"compile_us\":");
        at = add_usec(at, event->compile_ns);
    }
    at = add_text(at, "}}");
    trace->used = (size_t)(at - trace->batch);
}

bool gbl_trace_close(gbl_trace *trace)
{
    char *end = add_text(trace->batch + trace->used, trace->any ? "\n]\n" : "]\n");
    trace->used = (size_t)(end - trace->batch);
    flush(trace);
    int error = trace->error;
    if (fclose(trace->file) != 0 && error == 0)
        error = errno;
    free(trace);
    errno = error;
    return error == 0;
}
