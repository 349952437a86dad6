/* spec_cover.h: of many kernels with the same tunables, few that stand for all.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_SPEC_COVER_H
#define TEST_SPEC_COVER_H

#include "core/kernel.h"

typedef struct spec_list {
    gbl_kernel_spec *specs; /* from malloc */
    int count, room;
} spec_list;

bool spec_same(const gbl_kernel_spec *a, const gbl_kernel_spec *b);

/* Adds a spec unless it is there; false: no memory. */
bool spec_add(spec_list *list, const gbl_kernel_spec *spec);

/* Leaves those that take the most registers: no other one of the same file has values that all are
 * as large. With `values` also so many that each value of each macro is among them. */
void spec_cover(spec_list *list, bool values);

/* Of kernels of one file, whatever their tunables and precisions, leaves those that no other one is
 * as large as in all values and in the precision, then one of each precision and each value of each
 * macro. A precision is as large as another one if it has its width and its parts: z as d and c, d
 * and c as s. */
void spec_thin(spec_list *list);

#endif
