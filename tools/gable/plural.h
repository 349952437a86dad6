/* plural.h: the s of "2 rows".
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_PLURAL_H
#define TOOL_PLURAL_H

#define PLURAL(count) ((count) == 1 ? "" : "s")

#endif
