/* roof_specs.h: the kernels that measure a device, as src/model, bench/roof.c and bench/line_read.c
 * launch them on NVIDIA's GPUs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_ROOF_SPECS_H
#define TEST_ROOF_SPECS_H

#include <string.h>
#include "core/kernel.h"

#define ROOF_SPECS 32

#define SINGLE (1u << GBL_S)
#define DOUBLE (1u << GBL_D)
#define ALL    (SINGLE | DOUBLE | 1u << GBL_C | 1u << GBL_Z)

/* Those of a precision; returns how many. */
static inline int roof_specs(gbl_dtype dtype, gbl_kernel_spec list[ROOF_SPECS])
{
    static const struct {
        const char *file;
        unsigned dtypes;
        int count;
        struct {
            const char *name;
            int32_t value;
        } macros[6];
    } kernels[] = {
        {.file = "read.cl",
         .dtypes = DOUBLE,
         .count = 6,
         .macros =
             {{"WX", 128}, {"VEC", 2}, {"UNROLL", 8}, {"RANGE", 0}, {"STRIDED", 0}, {"ALIGN", 16}}},
        {.file = "read.cl",
         .dtypes = DOUBLE,
         .count = 6,
         .macros =
             {{"WX", 256}, {"VEC", 2}, {"UNROLL", 2}, {"RANGE", 0}, {"STRIDED", 0}, {"ALIGN", 16}}},
        {.file = "read.cl",
         .dtypes = DOUBLE,
         .count = 6,
         .macros =
             {{"WX", 256}, {"VEC", 4}, {"UNROLL", 4}, {"RANGE", 0}, {"STRIDED", 0}, {"ALIGN", 16}}},
        {.file = "read.cl",
         .dtypes = DOUBLE,
         .count = 6,
         .macros =
             {{"WX", 512}, {"VEC", 2}, {"UNROLL", 4}, {"RANGE", 1}, {"STRIDED", 0}, {"ALIGN", 16}}},
        {.file = "sweep.cl",
         .dtypes = DOUBLE,
         .count = 3,
         .macros = {{"WX", 256}, {"VEC", 2}, {"UNROLL", 4}}},
        {.file = "sweep.cl",
         .dtypes = DOUBLE,
         .count = 3,
         .macros = {{"WX", 256}, {"VEC", 2}, {"UNROLL", 8}}},
        {.file = "sweep.cl",
         .dtypes = DOUBLE,
         .count = 3,
         .macros = {{"WX", 512}, {"VEC", 2}, {"UNROLL", 4}}},
        {.file = "sweep.cl",
         .dtypes = DOUBLE,
         .count = 3,
         .macros = {{"WX", 256}, {"VEC", 2}, {"UNROLL", 1}}},
        {.file = "sweep.cl",
         .dtypes = DOUBLE,
         .count = 3,
         .macros = {{"WX", 1024}, {"VEC", 2}, {"UNROLL", 8}}},
        {.file = "muladd.cl",
         .dtypes = SINGLE | DOUBLE,
         .count = 3,
         .macros = {{"WX", 256}, {"CHAINS", 8}, {"MEET", 0}}},
        {.file = "muladd.cl",
         .dtypes = SINGLE | DOUBLE,
         .count = 3,
         .macros = {{"WX", 256}, {"CHAINS", 16}, {"MEET", 0}}},
        {.file = "arrive.cl",
         .dtypes = DOUBLE,
         .count = 2,
         .macros = {{"WX", 256}, {"ONE_PASS", 0}}},
        {.file = "arrive.cl",
         .dtypes = DOUBLE,
         .count = 2,
         .macros = {{"WX", 256}, {"ONE_PASS", 1}}},
        {.file = "exchange.cl", .dtypes = SINGLE, .count = 1, .macros = {{"WX", 32}}},
        {.file = "chase.cl", .dtypes = DOUBLE},
        {.file = "gemm_read.cl",
         .dtypes = ALL,
         .count = 3,
         .macros = {{"ITEMS", 128}, {"STRIP", 64}, {"ACROSS", 0}}},
        {.file = "gemm_read.cl",
         .dtypes = ALL,
         .count = 3,
         .macros = {{"ITEMS", 128}, {"STRIP", 64}, {"ACROSS", 1}}},
        {.file = "dmma.cu", .dtypes = DOUBLE, .count = 2, .macros = {{"WX", 256}, {"CHAINS", 8}}},
        {.file = "tf32.cu", .dtypes = SINGLE, .count = 2, .macros = {{"WX", 256}, {"CHAINS", 16}}},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (!(kernels[i].dtypes >> dtype & 1))
            continue;
        gbl_kernel_spec *spec = &list[count++];
        memset(spec, 0, sizeof *spec);
        spec->file = kernels[i].file;
        spec->dtype = dtype;
        spec->macro_count = kernels[i].count;
        for (int k = 0; k < kernels[i].count; k++) {
            spec->macros[k].name = kernels[i].macros[k].name;
            spec->macros[k].value = kernels[i].macros[k].value;
        }
    }
    return count;
}

#endif
