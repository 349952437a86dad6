/* explain_request.h: what the command line of `gable explain` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_EXPLAIN_REQUEST_H
#define TOOL_EXPLAIN_REQUEST_H

#include "gable/args.h"
#include "bench_ops.h"
#include "what_if.h"

#define EXPLAIN_MAX_SIZES 64
#define EXPLAIN_MAX_FLAGS 48 /* twelve ways to transpose, of two triangles on two sides */

typedef struct explain_request {
    bench_wanted op;
    const char
        *matrix; /* a sparse one: only the precisions of op count, 0: what suits; NULL: none */
    int size_count;
    bench_size sizes[EXPLAIN_MAX_SIZES];
    int flags_count;
    bench_flags flags[EXPLAIN_MAX_FLAGS];
    int math;                            /* a gable_math: what products in single may be made of */
    const char *device, *variant, *arch; /* NULL: not given */
    const char *change;                  /* the text of --what-if, or NULL */
    what_if what_if;
    double seconds;
    bool hot, measure, with_transfer, json;
} explain_request;

/* Reads argv. Returns EXIT_DONE to go on, EXIT_USAGE after a sentence, -1 when help was given. */
int explain_request_read(int argc, char **argv, explain_request *asked);

/* Calls back with each case until that says false. */
void explain_request_each(const explain_request *asked,
                          bool (*take)(void *user, const bench_case *what), void *user);

#endif
