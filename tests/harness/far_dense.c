/* far_dense.c: a matrix whose columns stand so far apart that offsets pass 2^31 elements.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On the host the memory between columns is address space only. A device must have it.
 */
#include <stdlib.h>
#include "harness/far_dense.h"

/* Two columns before the last one the offset is past 2^31. */
#define FAR_LD (((int64_t)1 << 31) / (FAR_COLUMNS - 3) + 8)

static void copy_columns(const routine *r, const dense *A, const char *from, int64_t from_ld,
                         char *to, int64_t to_ld)
{
    const size_t elem = A->v.elem_bytes;
    char *column = malloc((size_t)A->rows * elem);
    CHECK(column != NULL, "no memory for a column");
    for (int64_t j = 0; column != NULL && j < A->columns; j++) {
        CHECK_OK(r->ctx, gable_get_vector(r->ctx, A->rows, elem,
                                          from + (size_t)(j * from_ld) * elem, 1, column, 1));
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, A->rows, elem, column, 1,
                                          to + (size_t)(j * to_ld) * elem, 1));
    }
    free(column);
}

bool far_dense_begin(const routine *r, dense *A, far_dense *far)
{
    const size_t elements = (size_t)((A->columns - 1) * FAR_LD + A->rows);
    CHECK(A->columns >= FAR_COLUMNS, "too few columns to be far apart");
    if (!far_take(r, 1, elements * A->v.elem_bytes, &far->room))
        return false;
    far->near_at = A->v.at;
    far->near_ld = A->ld;
    copy_columns(r, A, far->near_at, far->near_ld, far->room.at[0], FAR_LD);
    A->v.at = far->room.at[0];
    A->ld = FAR_LD;
    return true;
}

void far_dense_end(const routine *r, dense *A, far_dense *far)
{
    copy_columns(r, A, far->room.at[0], FAR_LD, far->near_at, far->near_ld);
    A->v.at = far->near_at;
    A->ld = far->near_ld;
    far_give(r, &far->room);
}
