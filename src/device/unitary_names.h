/* unitary_names.h: LAPACK's names of routines with Q, in the precision of a typed file.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Orthogonal in real precisions, unitary in complex ones.
 */
#ifndef GBL_UNITARY_NAMES_H
#define GBL_UNITARY_NAMES_H

#include "device/precision.h"

#if COMPLEX
#define ORGQR ungqr
#define ORMQR unmqr
#define ORGLQ unglq
#define ORMLQ unmlq
#else
#define ORGQR orgqr
#define ORMQR ormqr
#define ORGLQ orglq
#define ORMLQ ormlq
#endif

#endif
