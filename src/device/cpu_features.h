/* cpu_features.h: what the vector unit of this CPU can do beyond what all of its kind can.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_FEATURES_H
#define GBL_CPU_FEATURES_H

#include <stdbool.h>
#include "device/dtype.h"

/* Whether elements are gathered by indices of 32 bits, 64 bytes of them at once: AVX-512 (F, VL, DQ) and BMI2. AVX2 gathers,
 * too, but no faster than single loads (cpu_gather.c). */
bool gbl_cpu_gathers(void);

/* Rows that one such gather takes side by side; 0: none of that precision. */
int gbl_cpu_gathered_rows(gbl_dtype dtype);

/* For tests: true makes this CPU one without gathers. */
void gbl_cpu_features_hide(bool hide);

#endif
