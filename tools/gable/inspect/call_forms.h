/* call_forms.h: calls of an op in all the forms that its kernels may be compiled for, from its
 * description alone.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A form is a choice of flags, switches, sizes, bands, alignments, distances between columns,
 * strides, scalars by value or on the device. The product of two matrices also comes as routines
 * made of products call it. All combinations are listed, the plainest first. Calls have addresses,
 * but no memory. Sparse matrices come in all formats.
 */
#ifndef TOOL_CALL_FORMS_H
#define TOOL_CALL_FORMS_H

#include "core/op.h"

typedef struct form_call {
    _Alignas(16) unsigned char bytes[GBL_MAX_CALL_BYTES];
} form_call;

/* How many forms an op has in a precision, and the call of one of them. */
int form_count(const gbl_op *op, gbl_dtype dtype);
void form_make(const gbl_op *op, gbl_dtype dtype, int number, form_call *call);

#endif
