/* roof_specs.h: the kernels that measure a device, as src/model launches them on NVIDIA's GPUs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_ROOF_SPECS_H
#define TEST_ROOF_SPECS_H

#include <string.h>
#include "core/kernel.h"

#define ROOF_SPECS 4

/* The specs of a kernel file in a precision; returns how many. */
static inline int roof_specs(const char *file, gbl_dtype dtype, gbl_kernel_spec list[ROOF_SPECS])
{
    static const struct {
        const char *file;
        int count;
        struct {
            const char *name;
            int32_t value;
        } macros[3];
    } rows[] = {
        {"sweep.cl", 3, {{"WX", 256}, {"VEC", 2}, {"UNROLL", 4}}},
        {"sweep.cl", 3, {{"WX", 256}, {"VEC", 2}, {"UNROLL", 8}}},
        {"sweep.cl", 3, {{"WX", 512}, {"VEC", 2}, {"UNROLL", 4}}},
        {"sweep.cl", 3, {{"WX", 256}, {"VEC", 2}, {"UNROLL", 1}}},
        {"sweep.cl", 3, {{"WX", 1024}, {"VEC", 2}, {"UNROLL", 8}}},
        {"muladd.cl", 3, {{"WX", 256}, {"CHAINS", 8}, {"MEET", 0}}},
        {"muladd.cl", 3, {{"WX", 256}, {"CHAINS", 16}, {"MEET", 0}}},
        {"arrive.cl", 2, {{"WX", 256}, {"ONE_PASS", 0}}},
        {"arrive.cl", 2, {{"WX", 256}, {"ONE_PASS", 1}}},
        {"exchange.cl", 1, {{"WX", 32}}},
        {"chase.cl", 0, {{NULL, 0}}},
        {"dmma.cu", 2, {{"WX", 256}, {"CHAINS", 8}}},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].file, file) != 0)
            continue;
        gbl_kernel_spec *spec = &list[count++];
        memset(spec, 0, sizeof *spec);
        spec->file = file;
        spec->dtype = dtype;
        spec->macro_count = rows[i].count;
        for (int k = 0; k < rows[i].count; k++) {
            spec->macros[k].name = rows[i].macros[k].name;
            spec->macros[k].value = rows[i].macros[k].value;
        }
    }
    return count;
}

#endif
