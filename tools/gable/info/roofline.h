/* roofline.h: a device's ceilings as a drawing of letters.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_ROOFLINE_H
#define TOOL_ROOFLINE_H

#include "model/roofs.h"

/* Both axes in powers of two: flops per byte against GFLOP/s. At most 79 columns. */
void roofline_draw(const gbl_roofs *roofs);

#endif
