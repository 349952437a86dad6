/* hermitian_names.h: LAPACK's names of drivers for eigenvalues, in the precision of a typed file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Symmetric in real precisions, Hermitian in complex ones.
 */
#ifndef GBL_HERMITIAN_NAMES_H
#define GBL_HERMITIAN_NAMES_H

#include "device/precision.h"

#if COMPLEX
#define SYEV  heev
#define SYEVD heevd
#define SYEVR heevr
#define SYEVX heevx
#define SYGVD hegvd
#else
#define SYEV  syev
#define SYEVD syevd
#define SYEVR syevr
#define SYEVX syevx
#define SYGVD sygvd
#endif

#endif
