/* ger.cl: A := A + alpha x y^T, or alpha x y^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One read and one write of A. Idea, geometry and macros: rank_update.h.
 */
#define TRIANGLE 0
#define TERMS    1
#include "rank_update.h"

RANK_UPDATE_KERNEL(ger)
