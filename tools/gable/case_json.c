/* case_json.c: a case of the benchmark as members of a JSON object.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/case_json.h"
#include "gable/json.h"

void json_case(const bench_case *what)
{
    const char letter[] = {gbl_dtype_letter(what->dtype), '\0'};
    bench_arg args[BENCH_MAX_ARGS];
    const int count = bench_case_args(what, args);
    json_text("op", what->op->op->stem);
    json_text("prec", letter);
    json_open("args");
    for (int i = 0; i < count; i++) {
        if (args[i].text != NULL)
            json_text(args[i].name, args[i].text);
        else
            json_integer(args[i].name, args[i].number);
    }
    json_close();
}
