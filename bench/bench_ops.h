/* bench_ops.h: what the benchmark knows of each op, beside the op itself: one descriptor an op.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The bytes and flops come from gbl_op.work; here are the operands, the roof, and the names a user
 * may type: a stem ("dot") or a typed name ("ddot", "scnrm2").
 */
#ifndef BENCH_OPS_H
#define BENCH_OPS_H

#include "blas/level1.h"

typedef enum bench_roof_kind { BENCH_ROOF_COPY, BENCH_ROOF_READ } bench_roof_kind;

typedef struct bench_op {
    const char *name; /* "dotc": what is typed, behind the letter of the precision */
    const gbl_op *op;
    unsigned dtypes; /* bit of each gbl_dtype it exists in */
    bool conj;       /* of x */
    bool has_alpha, has_y, writes_y, has_result;
    bool real_result; /* for complex vectors too: typed names start with sc and dz */
    bench_roof_kind roof;
    /* The routine behind the typed doors; routine is the name for messages. */
    gable_status (*run)(gable_context *ctx, const char *routine, const gbl_vector_call *call);
} bench_op;

/* An op and the precisions asked for by one word of the command line. */
typedef struct bench_wanted {
    const bench_op *op;
    unsigned dtypes;
} bench_wanted;

/* Finds what a word means. A stem takes the precisions of `dtypes` that it exists in, a typed name
 * its own. false: no such op. */
bool bench_op_find(const char *word, unsigned dtypes, bench_wanted *wanted);

/* The stems, separated by ", ". */
void bench_op_names(char *text, size_t text_bytes);

/* "ddot", "scnrm2": the typed name of an op. */
void bench_op_typed_name(const bench_op *op, gbl_dtype dtype, char *text, size_t text_bytes);

#endif
