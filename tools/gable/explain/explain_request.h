/* explain_request.h: what the command line of `gable explain` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_EXPLAIN_REQUEST_H
#define TOOL_EXPLAIN_REQUEST_H

#include "gable/case_request.h"
#include "what_if.h"

typedef struct explain_request {
    case_request cases; /* of one op; of a sparse matrix only the precisions count, 0: what suits */
    const char *matrix; /* a sparse one; NULL: none */
    const char *device, *variant, *arch; /* NULL: not given */
    what_if what_if;
    double seconds;
    bool hot, measure, with_transfer, json;
} explain_request;

/* Reads argv. Returns EXIT_DONE to go on, EXIT_USAGE after a sentence, -1 when help was given. */
int explain_request_read(int argc, char **argv, explain_request *asked);

#endif
