/* gemm_ladder.h: the variants of gemm that climb from the naive product to the one in use: to
 * measure and compare.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The library does not have them, and none is ever the model's choice. docs/gemm.md tells the
 * climb.
 */
#ifndef GEMM_LADDER_H
#define GEMM_LADDER_H

#include <stdbool.h>

/* Adds them to gemm, once in a process, before a context is opened; false: there is no memory. */
bool gemm_ladder_add(void);

#endif
