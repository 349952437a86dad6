/* cpu_gather.h: rows of sparse matrices times a vector whose elements are gathered by the vector
 * unit.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_GATHER_H
#define GBL_CPU_GATHER_H

#include "device/cpu_features.h"
#include "device/precision.h"
#include "device/sparse_args.h"

#if defined(__x86_64__) && !COMPLEX
#define GATHERS 1
/* sum := rows [begin, end) of compressed rows with indices of 32 bits times x. Only where
 * gbl_cpu_gathers. */
void PRIVATE(gather_csr)(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x,
                         T *sum);
/* The same of ELL, or of the part of HYB that is like it, and of the places of SELL. */
void PRIVATE(gather_ell)(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x,
                         T *sum);
void PRIVATE(gather_sell)(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x,
                          T *sum);
#else
#define GATHERS 0
#endif

#endif
