/* builtin.h: what was measured on known devices, as lines of the tuning database that the library
 * carries.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The lines are those of src/tune/builtin/<family>.jsonl. Such a line names a family of devices
 * instead of a device class, and instead of a key the smallest class of the main size that it
 * serves (`from`), the largest sum of all size classes (`upto`), and whether matrices are
 * transposed (`trans`) or aligned (`aligned`); of the lines of a variant that serve a call the last
 * one counts. Where it is a winner, its variant is taken.
 */
#ifndef GBL_BUILTIN_H
#define GBL_BUILTIN_H

#include "core/op.h"

/* Made by cmake/embed_lines.cmake; NULL ends them. */
extern const char *const gbl_builtin_lines[];

typedef struct gbl_builtin {
    char family[24]; /* gbl_props.family; "gpu" serves every GPU without lines of its own */
    const gbl_variant *variant;
    gbl_dtype dtype;
    int from, upto, trans, aligned; /* as in gbl_entry */
    bool winner;
    gbl_params params;
    char kernel[20]; /* gbl_variant_hash when it was measured */
} gbl_builtin;

/* The lines of an op, in their order; read once per process. NULL where there are none. */
const gbl_builtin *gbl_builtins(const gbl_op *op, int *count);

/* The line of a variant for a call with this key, or NULL; and the last winner of all variants in
 * the mask (bits of gbl_class.fitting). A family that is reached through OpenCL ("opencl-sm_90")
 * has the lines of the rest of its name, too. */
const gbl_builtin *gbl_builtin_find(const char *family, const gbl_op *op,
                                    const gbl_variant *variant, uint64_t key);
const gbl_builtin *gbl_builtin_winner(const char *family, const gbl_op *op, uint64_t fitting,
                                      uint64_t key);

/* Whether an op has any line for a family. */
bool gbl_builtin_serves(const char *family, const gbl_op *op);

/* The families that lines name, each once; returns how many. */
int gbl_builtin_families(char names[][24], int most);

#endif
