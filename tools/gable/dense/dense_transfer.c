/* dense_transfer.c: dense matrices from the host to a device and back.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/dense/dense_matrix.h"

static void pack(gbl_dtype dtype, int64_t count, const double *pairs, void *elements)
{
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const int64_t parts = gbl_dtype_complex(dtype) ? 2 : 1;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < parts; k++) {
            if (single)
                ((float *)elements)[parts * i + k] = (float)pairs[2 * i + k];
            else
                ((double *)elements)[parts * i + k] = pairs[2 * i + k];
        }
}

static double real_at(gbl_dtype dtype, const void *elements, int64_t at)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)((const float *)elements)[at]
                                            : ((const double *)elements)[at];
}

gable_status dense_send(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                        const double *pairs, void *elements, void *device, int64_t ld)
{
    if (rows == 0 || columns == 0)
        return GABLE_OK;
    pack(dtype, rows * columns, pairs, elements);
    return gable_set_matrix(ctx, rows, columns, gbl_dtype_bytes(dtype), elements, rows, device, ld);
}

gable_status dense_fetch(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                         const void *device, int64_t ld, void *elements, double *pairs)
{
    const int64_t parts = gbl_dtype_complex(dtype) ? 2 : 1;
    if (rows == 0 || columns == 0)
        return GABLE_OK;
    TRY(gable_get_matrix(ctx, rows, columns, gbl_dtype_bytes(dtype), device, ld, elements, rows));
    for (int64_t i = 0; i < rows * columns; i++)
        for (int64_t k = 0; k < 2; k++)
            pairs[2 * i + k] = k < parts ? real_at(dtype, elements, parts * i + k) : 0;
    return GABLE_OK;
}

gable_status dense_fetch_reals(gable_context *ctx, gbl_dtype dtype, int64_t count,
                               const void *device, void *elements, double *numbers)
{
    if (count == 0)
        return GABLE_OK;
    TRY(gable_get_vector(ctx, count, gbl_dtype_real_bytes(dtype), device, 1, elements, 1));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = real_at(dtype, elements, i);
    return GABLE_OK;
}
