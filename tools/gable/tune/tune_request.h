/* tune_request.h: what the command line of `gable tune` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_TUNE_REQUEST_H
#define TOOL_TUNE_REQUEST_H

#include "gable/case_request.h"

typedef struct tune_request {
    case_request cases;
    const char *device;  /* NULL: the default */
    const char *variant; /* NULL: all that may run by default */
    const char *fixed;   /* "items=256,wx=32": tunables that are held; NULL: none */
    double budget;       /* seconds, of all cases; INFINITY: everything is tried */
    bool with_vendor, exhaustive, regret, again, dry_run, json;
    const char *import_path, *export_path;
} tune_request;

/* Reads argv. Returns EXIT_DONE to go on, EXIT_USAGE after a sentence, -1 when help was given. */
int tune_request_read(int argc, char **argv, tune_request *asked);

#endif
