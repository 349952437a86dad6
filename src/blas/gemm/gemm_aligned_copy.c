/* gemm_aligned_copy.c: the variant `aligned_copy` of gemm: factors are copied for TMA.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * TMA loads only from addresses on 16 bytes. Where the columns of a factor do not start there, the
 * producers of a pipeline copy it element by element, again for every tile of C. In single
 * precision the computing work-items wait for them. A copy in the workspace costs each element
 * once, at the speed of memory. Only a factor that needs it is copied, and one copy serves both
 * where they are one matrix. What lies beyond a triangle is copied too; the product masks it, as it
 * does in place.
 */
#include "blas/level3/composed.h"
#include "blas/gemm/gemm_composed.h"
#include "blas/gemm/gemm_pipeline.h"
#include "blas/level3/turn_plan.h"

#define BOX_BYTES   16
#define MEMORY_PART 8 /* one part in so many of the device's memory may go to copies */

/* A factor as it is stored. */
typedef struct factor {
    void **at;
    int64_t *ld;
    int64_t rows, columns;
} factor;

static factor left_of(gbl_product_call *call)
{
    return (factor){&call->A, &call->lda, gbl_product_a_rows(call), gbl_product_a_columns(call)};
}

static factor right_of(gbl_product_call *call)
{
    return (factor){&call->B, &call->ldb, gbl_product_b_rows(call), gbl_product_b_columns(call)};
}

static bool by_tma(const factor *of, gbl_dtype dtype)
{
    return (uintptr_t)*of->at % BOX_BYTES == 0 &&
           *of->ld * (int64_t)gbl_dtype_bytes(dtype) % BOX_BYTES == 0;
}

static bool is_same(const factor *a, const factor *b)
{
    return *a->at == *b->at && *a->ld == *b->ld && a->rows == b->rows && a->columns == b->columns;
}

static double bytes_of(const factor *of, gbl_dtype dtype)
{
    return (double)gbl_composed_ld(dtype, of->rows) * (double)of->columns *
           (double)gbl_dtype_bytes(dtype);
}

double gbl_gemm_align_bytes(const gbl_product_call *given)
{
    gbl_product_call call = *given;
    const factor left = left_of(&call), right = right_of(&call);
    double bytes = 0;
    if (!by_tma(&left, call.dtype))
        bytes += bytes_of(&left, call.dtype);
    if (!by_tma(&right, call.dtype) && !is_same(&left, &right))
        bytes += bytes_of(&right, call.dtype);
    return bytes;
}

bool gbl_gemm_align_fits(const gbl_product_call *given, const gbl_device *device)
{
    gbl_product_call call = *given;
    const factor left = left_of(&call), right = right_of(&call);
    const double room = (double)device->props.memory_bytes / MEMORY_PART;
    return (gbl_gemm_align_bytes(given) <= room || room == 0) &&
           gbl_turn_fits(left.rows, left.columns) && gbl_turn_fits(right.rows, right.columns);
}

static gbl_matrix_call copy_of(const factor *of, gbl_dtype dtype, void *to, int64_t ld)
{
    return (gbl_matrix_call){.dtype = dtype,
                             .trans = GABLE_NO_TRANS,
                             .m = of->rows,
                             .n = of->columns,
                             .A = *of->at,
                             .lda = *of->ld,
                             .C = to,
                             .ldc = ld};
}

static gable_status pack(gable_context *ctx, gbl_dtype dtype, const factor *of)
{
    void *room;
    int64_t ld;
    TRY(gbl_composed_room(ctx, dtype, of->rows, of->columns, &room, &ld));
    const gbl_matrix_call copy = copy_of(of, dtype, room, ld);
    TRY(gbl_transpose(ctx, "gemm", &copy));
    *of->at = room;
    *of->ld = ld;
    return GABLE_OK;
}

gable_status gbl_gemm_align(gable_context *ctx, gbl_product_call *call)
{
    const factor left = left_of(call), right = right_of(call);
    const bool same = is_same(&left, &right);
    if (!by_tma(&left, call->dtype))
        TRY(pack(ctx, call->dtype, &left));
    if (same) {
        call->B = call->A;
        call->ldb = call->lda;
    }
    if (!by_tma(&right, call->dtype))
        TRY(pack(ctx, call->dtype, &right));
    return GABLE_OK;
}

static int pack_part(gbl_dtype dtype, const factor *of, gbl_part_call *parts, int count)
{
    void *const whole = (void *)((uintptr_t)*of->at & ~(uintptr_t)(BOX_BYTES - 1));
    const int64_t ld = gbl_composed_ld(dtype, of->rows);
    const gbl_matrix_call copy = copy_of(of, dtype, whole, ld);
    *of->at = whole;
    *of->ld = ld;
    return gbl_composed_call(parts, count, &gbl_transpose_op, &copy, 1);
}

int gbl_gemm_align_parts(gbl_product_call *call, gbl_part_call *parts, int count)
{
    const factor left = left_of(call), right = right_of(call);
    const bool same = is_same(&left, &right);
    if (!by_tma(&left, call->dtype))
        count = pack_part(call->dtype, &left, parts, count);
    if (same) {
        call->B = call->A;
        call->ldb = call->lda;
    }
    if (!by_tma(&right, call->dtype))
        count = pack_part(call->dtype, &right, parts, count);
    return count;
}

/* ---- The variant ---- */

bool gbl_gemm_aligned_copy_fits(const gbl_variant *self, const void *given,
                                const gbl_device *device)
{
    const gbl_product_call *call = given;
    return call->sizes == NULL && call->k > 0 && !gbl_scalar_zero(&call->alpha) &&
           call->math == GABLE_MATH_PLAIN && gbl_pipeline_fits(self, call, device) &&
           gbl_gemm_align_bytes(call) > 0 && gbl_gemm_align_fits(call, device);
}

gable_status gbl_gemm_aligned_copy_run(gable_context *ctx, const gbl_variant *self,
                                       const void *given, const gbl_params *params)
{
    gbl_product_call call = *(const gbl_product_call *)given;
    (void)self, (void)params;
    TRY(gbl_gemm_align(ctx, &call));
    call.is_part = 1;
    return gbl_gemm(ctx, "gemm", &call);
}

void gbl_gemm_aligned_copy_cost(const gbl_variant *self, const void *given,
                                const gbl_params *params, const gbl_device *device, gbl_cost *out)
{
    gbl_part_call copies[2];
    gbl_product_call call = *(const gbl_product_call *)given;
    const double bytes = 2 * gbl_gemm_align_bytes(&call);
    gbl_work work;
    (void)self, (void)params, (void)device;
    gbl_gemm_work(&call, &work);
    gbl_composed_cost(&work, 1 + gbl_gemm_align_parts(&call, copies, 0), out);
    out->memory_bytes += bytes;
    out->written_bytes = work.bytes_written + bytes / 2;
    out->workspace_bytes = bytes / 2; /* and what lines are longer than columns */
}

int gbl_gemm_aligned_copy_parts(const gbl_variant *self, const void *given,
                                const gbl_params *params, const gbl_device *device,
                                gbl_part_call *parts)
{
    gbl_product_call call = *(const gbl_product_call *)given;
    (void)self, (void)params, (void)device;
    const int count = gbl_gemm_align_parts(&call, parts, 0);
    call.is_part = 1;
    return gbl_composed_product(parts, count, &call, 1);
}
