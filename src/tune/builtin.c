/* builtin.c: tunables for known devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values in the order of gbl_stream_space: local, groups a unit (0: as many as there is work), vec,
 * range, unroll. Each block says where and when it was measured.
 */
#include "tune/choose.h"

#define S   (1u << GBL_S)
#define D   (1u << GBL_D)
#define C   (1u << GBL_C)
#define Z   (1u << GBL_Z)
#define ALL (S | D | C | Z)

const gbl_builtin gbl_builtins[] = {
    {"gpu", "copy", "stream", ALL, {256, 8, 2, 0, 4}},

    {"opencl-cpu", "copy", "stream", ALL, {1, 4, 16, 1, 4}},
    {"opencl-cpu", "axpy", "stream", ALL, {1, 4, 16, 1, 2}},
    {"opencl-cpu", "dot", "one_pass", ALL, {1, 4, 16, 1, 2}},
    {"opencl-cpu", "dot", "two_pass", ALL, {1, 4, 16, 1, 2}},
    {"opencl-cpu", "nrm2", "one_pass", ALL, {1, 4, 8, 1, 4}},
    {"opencl-cpu", "nrm2", "two_pass", ALL, {1, 4, 8, 1, 4}},
};

const int gbl_builtin_count = sizeof gbl_builtins / sizeof gbl_builtins[0];
