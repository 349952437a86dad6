/* case_json.h: a case of the benchmark as members of a JSON object.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_CASE_JSON_H
#define TOOL_CASE_JSON_H

#include "bench_ops.h"

/* The members "op", "prec" and "args". */
void json_case(const bench_case *what);

#endif
