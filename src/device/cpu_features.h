/* cpu_features.h: what the vector unit of this CPU can do beyond what all of its kind can.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_FEATURES_H
#define GBL_CPU_FEATURES_H

#include <stdbool.h>
#include "device/dtype.h"

/* Whether elements are gathered by indices of 32 bits, 64 bytes of them at once: AVX-512 (F, VL,
 * DQ) and BMI2. AVX2 gathers, too, but no faster than single loads (cpu_gather.c). */
bool gbl_cpu_gathers(void);

/* Rows that one such gather takes side by side; 0: none of that precision. */
int gbl_cpu_gathered_rows(gbl_dtype dtype);

/* Bytes of the registers that loops over vectors and matrices use: 64 with AVX-512 (F, BW, DQ, VL),
 * 32 with AVX2 and FMA, else 16. */
int gbl_cpu_vector_bytes(void);
/* The same, whatever tests hide of it. */
int gbl_cpu_widest_bytes(void);

/* For tests: true makes this CPU one without gathers, whose registers have 16 bytes. */
void gbl_cpu_features_hide(bool hide);
/* For tests: registers of more bytes are not used. */
void gbl_cpu_features_limit(int bytes);

#endif
