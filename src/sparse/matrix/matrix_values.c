/* matrix_values.c: other values in the places that a matrix has.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The arrays keep their addresses, so recordings of products go on with the new values. What was
 * made of the old ones is dropped here (transpose, statistics); solvers see the version and make
 * theirs again.
 */
#include "core/extents.h"
#include "core/launch.h"
#include "core/observe.h"
#include "sparse/matrix/sparse_host.h"

static gable_status forget(gable_context *ctx, gable_sparse *A)
{
    gable_sparse *transpose = atomic_exchange(&A->transpose, NULL);
    atomic_store(&A->known, false);
    atomic_fetch_add(&A->version, 1);
    return gbl_sparse_free(ctx, transpose);
}

static gable_status replace(gable_context *ctx, gable_sparse *A, const void *values)
{
    const size_t elem = gbl_dtype_bytes(A->layout.dtype);
    void *own = (void *)(uintptr_t)A->layout.value;
    const gbl_device_table *table = ctx->device->table;
    /* Work that reads the old values, and what is enqueued on memory that the host may look at. */
    TRY(table->sync(ctx->queue, &ctx->message));
    if (values != own) {
        const bool far =
            !ctx->device->props.is_host && table->where(ctx->device, values) == GBL_AT_DEVICE;
        if (far)
            TRY(gable_copy_bytes(ctx, own, values, (size_t)A->layout.entries * elem));
        else
            TRY(gable_set_vector(ctx, A->layout.entries, elem, values, 1, own, 1));
        TRY(table->sync(ctx->queue, &ctx->message));
    }
    return forget(ctx, A);
}

static gable_status check(gable_context *ctx, const gable_sparse *A, gbl_dtype dtype,
                          const void *values)
{
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, A->layout.dtype == dtype, 2, "A", "has the precision %c; the routine's is %c",
              gbl_dtype_letter(A->layout.dtype), gbl_dtype_letter(dtype));
    if (A->layout.format != GABLE_CSR)
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                        "argument 2 (A) is in another format than compressed rows: set the values "
                        "of the matrix that it was converted from, and convert again");
    CHECK_ARG(ctx, A->layout.entries == 0 || values != NULL, 3, "values", "is NULL");
    TRY(gbl_check_not_recording(ctx, "other values of a matrix"));
    if (!ctx->guarded || A->layout.entries == 0)
        return GABLE_OK;
    const gbl_extent operand = gbl_extent_vector("values", 3, GBL_READ, values, A->layout.entries,
                                                 1, gbl_dtype_bytes(dtype));
    return gbl_extents_check(ctx, &operand, 1);
}

gable_status gbl_sparse_set_values(gable_context *ctx, const char *routine, gable_sparse *A,
                                   gbl_dtype dtype, const void *values)
{
    TRY(gbl_enter(ctx, routine));
    TRY(check(ctx, A, dtype, values));
    if (A->layout.entries == 0)
        return GABLE_OK;
    gbl_span span = {.kind = GBL_EVENT_WORK,
                     .name = routine,
                     .bytes = 2 * (double)A->layout.entries * (double)gbl_dtype_bytes(dtype),
                     .link = true};
    span.class = gbl_span_class(span.bytes);
    gbl_span_begin(ctx, &span);
    ctx->depth++;
    const gable_status status = replace(ctx, A, values);
    ctx->depth--;
    return gbl_span_end(ctx, &span, status);
}
