/* bench_ops.c: one descriptor an op that can be measured.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "bench_ops.h"

#define S_D (1u << GBL_S | 1u << GBL_D)
#define C_Z (1u << GBL_C | 1u << GBL_Z)

/* "dot" is the sum of x_i y_i in all four precisions; BLAS calls it dotu where x could be
 * conjugated. */
static const bench_op ops[] = {
    {.name = "copy",
     .op = &gbl_copy_op,
     .dtypes = S_D | C_Z,
     .has_y = true,
     .writes_y = true,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_copy},
    {.name = "axpy",
     .op = &gbl_axpy_op,
     .dtypes = S_D | C_Z,
     .has_alpha = true,
     .has_y = true,
     .writes_y = true,
     .roof = BENCH_ROOF_COPY,
     .run = gbl_axpy},
    {.name = "dot",
     .op = &gbl_dot_op,
     .dtypes = S_D | C_Z,
     .has_y = true,
     .has_result = true,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dot},
    {.name = "dotu",
     .op = &gbl_dot_op,
     .dtypes = C_Z,
     .has_y = true,
     .has_result = true,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dot},
    {.name = "dotc",
     .op = &gbl_dot_op,
     .dtypes = C_Z,
     .conj = true,
     .has_y = true,
     .has_result = true,
     .roof = BENCH_ROOF_READ,
     .run = gbl_dot},
    {.name = "nrm2",
     .op = &gbl_nrm2_op,
     .dtypes = S_D | C_Z,
     .has_result = true,
     .real_result = true,
     .roof = BENCH_ROOF_READ,
     .run = gbl_nrm2},
};
#define OP_COUNT (sizeof ops / sizeof ops[0])

void bench_op_typed_name(const bench_op *op, gbl_dtype dtype, char *text, size_t text_bytes)
{
    static const char *const plain[] = {"s", "d", "c", "z"}, *const mixed[] = {"s", "d", "sc",
                                                                               "dz"};
    const bool unconjugated = strcmp(op->name, "dot") == 0 && gbl_dtype_complex(dtype);
    snprintf(text, text_bytes, "%s%s%s", (op->real_result ? mixed : plain)[dtype], op->name,
             unconjugated ? "u" : "");
}

bool bench_op_find(const char *word, unsigned dtypes, bench_wanted *wanted)
{
    for (size_t i = 0; i < OP_COUNT; i++) {
        wanted->op = &ops[i];
        wanted->dtypes = ops[i].dtypes & dtypes;
        if (strcmp(word, ops[i].name) == 0)
            return true;
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            char typed[32];
            bench_op_typed_name(&ops[i], (gbl_dtype)dtype, typed, sizeof typed);
            wanted->dtypes = 1u << dtype;
            if ((ops[i].dtypes >> dtype & 1) && strcmp(word, typed) == 0)
                return true;
        }
    }
    return false;
}

void bench_op_names(char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < OP_COUNT; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "%s%s", i > 0 ? ", " : "", ops[i].name);
    }
}
