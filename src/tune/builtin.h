/* builtin.h: what was measured on known devices, as lines of the tuning database that the library
 * carries.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The lines are those of src/tune/builtin/<family>.jsonl. Such a line names a family of devices
 * instead of a device class, and instead of a key the smallest class of the main size that it
 * serves (`from`), the largest sum of all size classes (`upto`), and whether matrices are
 * transposed (`trans`) or aligned (`aligned`); of the lines of a variant that serve a call the last
 * one counts. Where it is a winner, its variant is taken.
 *
 * Other lines are for calls of sizes nearby: they have the sizes that were measured (`at`) and a
 * key for its flags. Such a line serves calls with the same flags whose sizes are each in its own
 * eighth of an octave or in one beside it (ranks of key.h), and many matrices of which there are up
 * to eight times as many or as few. The nearest of them counts, before any line of the first kind.
 * They do not serve calls within factorizations, which share a few kernels.
 */
#ifndef GBL_BUILTIN_H
#define GBL_BUILTIN_H

#include "core/op.h"

/* Made by cmake/embed_lines.cmake; NULL ends them. */
extern const char *const gbl_builtin_lines[];

#define GBL_BUILTIN_SIZES 4

typedef struct gbl_builtin {
    char family[24]; /* gbl_props.family; "gpu" serves every GPU without lines of its own */
    const gbl_variant *variant;
    gbl_dtype dtype;
    int from, upto, trans, aligned; /* as in gbl_entry */
    bool winner;
    gbl_params params;
    char kernel[20];               /* gbl_variant_hash when it was measured */
    uint64_t key;                  /* of a line for sizes nearby ... */
    int64_t at[GBL_BUILTIN_SIZES]; /* ... and those sizes */
    int at_count;                  /* 0: it is none */
} gbl_builtin;

/* What a line is looked for: a class, and the call that stands for it. */
typedef struct gbl_builtin_query {
    const gbl_op *op;
    uint64_t key;
    int count; /* of sizes, in the order of the arguments; 0: lines for sizes nearby do not serve */
    int64_t sizes[GBL_BUILTIN_SIZES];
    bool many; /* the last one says how many matrices there are */
} gbl_builtin_query;
/* call NULL: without sizes. */
gbl_builtin_query gbl_builtin_ask(const gbl_op *op, uint64_t key, const void *call);

/* The lines of an op, in their order; read once per process. NULL where there are none. */
const gbl_builtin *gbl_builtins(const gbl_op *op, int *count);

/* The line of a variant for such a call, or NULL; and the last winner of all variants in
 * the mask (bits of gbl_class.fitting). A family that is reached through OpenCL ("opencl-sm_90")
 * has the lines of the rest of its name, too. */
const gbl_builtin *gbl_builtin_find(const char *family, const gbl_variant *variant,
                                    const gbl_builtin_query *query);
const gbl_builtin *gbl_builtin_winner(const char *family, uint64_t fitting,
                                      const gbl_builtin_query *query);

/* How far a call is from a line for sizes nearby, in ranks of its sizes; -1: too far, another kind
 * of call, or another kind of line. */
int gbl_builtin_distance(const gbl_builtin *line, const gbl_builtin_query *query);

/* Whether an op has any line for a family. */
bool gbl_builtin_serves(const char *family, const gbl_op *op);

/* The families that lines name, each once; returns how many. */
int gbl_builtin_families(char names[][24], int most);

#endif
