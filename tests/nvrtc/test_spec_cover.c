/* test_spec_cover.c: of many kernels those stay that stand for the others.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "nvrtc/spec_cover.h"

static spec_list list;

static void put(const char *file, gbl_dtype dtype, int32_t vec, int32_t unroll, int32_t conj)
{
    gbl_kernel_spec spec;
    memset(&spec, 0, sizeof spec);
    spec.file = file;
    spec.dtype = dtype;
    spec.macro_count = 3;
    spec.macros[0].name = "VEC";
    spec.macros[0].value = vec;
    spec.macros[1].name = "UNROLL";
    spec.macros[1].value = unroll;
    spec.macros[2].name = "CONJ";
    spec.macros[2].value = conj;
    CHECK(spec_add(&list, &spec), "no memory");
}

static bool stays(gbl_dtype dtype, int32_t vec, int32_t unroll, int32_t conj)
{
    bool found = false;
    for (int i = 0; i < list.count; i++)
        found = found ||
                (list.specs[i].dtype == dtype && list.specs[i].macros[0].value == vec &&
                 list.specs[i].macros[1].value == unroll && list.specs[i].macros[2].value == conj);
    return found;
}

static void clear(void)
{
    free(list.specs);
    list = (spec_list){.count = 0};
}

/* One set of tunables in one precision. */
static void check_cover(bool values)
{
    test_case("one precision, %s", values ? "each value" : "the largest");
    put("a.cl", GBL_D, 2, 4, 1);
    put("a.cl", GBL_D, 2, 4, 0);
    put("a.cl", GBL_D, 1, 4, 1);
    put("a.cl", GBL_D, 1, 4, 0);
    put("a.cl", GBL_D, 1, 8, 0);
    put("a.cl", GBL_D, 1, 8, 0); /* once */
    CHECK(list.count == 5, "%d kernels were added", list.count);
    spec_cover(&list, values);
    CHECK(stays(GBL_D, 2, 4, 1) && stays(GBL_D, 1, 8, 0), "one of the largest is gone");
    CHECK(list.count == 2, "%d kernels stay", list.count);
    clear();
    put("a.cl", GBL_D, 2, 4, 1);
    put("a.cl", GBL_D, 1, 4, 0);
    put("a.cl", GBL_D, 1, 4, 1);
    put("b.cl", GBL_D, 1, 1, 0);
    spec_cover(&list, values);
    CHECK(stays(GBL_D, 2, 4, 1) && stays(GBL_D, 1, 1, 0), "one of the largest is gone");
    CHECK(stays(GBL_D, 1, 4, 0) == values, "two new values with %s", values ? "each" : "the most");
    CHECK(list.count == 2 + values, "%d kernels stay", list.count);
    clear();
}

/* Several precisions: bytes of a vector are compared, and z is above c and d, which are not above
 * each other. */
static void check_thin(void)
{
    test_case("four precisions, one above all");
    put("a.cl", GBL_S, 4, 2, 0);
    put("a.cl", GBL_S, 2, 2, 0);
    put("a.cl", GBL_D, 2, 2, 0);
    put("a.cl", GBL_C, 2, 2, 0);
    put("a.cl", GBL_Z, 1, 2, 0);
    spec_thin(&list);
    CHECK(stays(GBL_Z, 1, 2, 0) && stays(GBL_D, 2, 2, 0) && stays(GBL_C, 2, 2, 0),
          "a precision is gone");
    CHECK(stays(GBL_S, 4, 2, 0) != stays(GBL_S, 2, 2, 0), "s stays once");
    CHECK(list.count == 4, "%d kernels stay", list.count);
    clear();

    test_case("kernels that none is above");
    put("a.cl", GBL_D, 4, 2, 0); /* 32 bytes */
    put("a.cl", GBL_D, 1, 2, 0);
    put("a.cl", GBL_C, 2, 8, 0);
    put("a.cl", GBL_C, 2, 4, 0);
    put("a.cl", GBL_Z, 1, 4, 0);
    spec_thin(&list);
    CHECK(stays(GBL_D, 4, 2, 0) && stays(GBL_C, 2, 8, 0) && stays(GBL_Z, 1, 4, 0),
          "one of the largest is gone");
    CHECK(list.count == 3, "%d kernels stay", list.count);
    clear();

    test_case("d and c are not above each other");
    put("a.cl", GBL_D, 1, 1, 0);
    put("a.cl", GBL_D, 1, 2, 0);
    put("a.cl", GBL_C, 1, 1, 0);
    put("a.cl", GBL_C, 1, 2, 1);
    spec_thin(&list);
    CHECK(stays(GBL_D, 1, 2, 0) && stays(GBL_C, 1, 2, 1), "one of the largest is gone");
    CHECK(stays(GBL_D, 1, 1, 0) != stays(GBL_C, 1, 1, 0), "UNROLL = 1 stays once");
    CHECK(list.count == 3, "%d kernels stay", list.count);
    clear();
}

int main(void)
{
    test_start("test_spec_cover");
    check_cover(false);
    check_cover(true);
    check_thin();
    return test_finish();
}
