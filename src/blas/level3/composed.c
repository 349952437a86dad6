/* composed.c: what routines made of products share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "blas/level3/composed.h"

#define CACHE_LINE 128 /* bytes, the longest of today's devices */

bool gbl_composed_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

void gbl_composed_cost(const gbl_work *work, double launches, gbl_cost *cost)
{
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = work->bytes_read + work->bytes_written;
    cost->flops = work->flops;
    cost->launches = launches;
    cost->groups = 1;
}

int64_t gbl_composed_ld(gbl_dtype dtype, int64_t rows)
{
    const int64_t whole = CACHE_LINE / (int64_t)gbl_dtype_bytes(dtype);
    return (rows + whole - 1) / whole * whole;
}

double gbl_composed_room_bytes(gbl_dtype dtype, int64_t rows, int64_t columns)
{
    return (double)gbl_dtype_bytes(dtype) * (double)gbl_composed_ld(dtype, rows) * (double)columns;
}

gable_status gbl_composed_room(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                               void **matrix, int64_t *ld)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(dtype);
    *ld = gbl_composed_ld(dtype, rows);
    if (columns > 0 && *ld > INT64_MAX / elem / columns)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "a copy of %lld by %lld elements has more bytes than 63 bits count",
                        (long long)rows, (long long)columns);
    return gbl_arena_take(ctx->arena, ctx->device, (size_t)(*ld * columns * elem), matrix,
                          &ctx->message);
}

int gbl_composed_call(gbl_part_call *parts, int count, const gbl_op *op, const void *call,
                      double times)
{
    gbl_part_call *part = &parts[count];
    part->op = op;
    part->count = times;
    part->chain = 0;
    memcpy(part->call, call, op->layout->call_bytes);
    return count + 1;
}

int gbl_composed_product(gbl_part_call *parts, int count, const gbl_product_call *product,
                         double times)
{
    return gbl_composed_call(parts, count, &gbl_gemm_op, product, times);
}

int gbl_composed_kernel(gbl_part_call *parts, int count, const gbl_cost *cost, double times)
{
    gbl_part_call *part = &parts[count];
    part->op = NULL;
    part->count = times;
    part->chain = 0;
    part->cost = *cost;
    return count + 1;
}

gable_status gbl_one_product_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params)
{
    const gbl_one_product *one = self->detail;
    const gbl_product_call product = one->product_of(call);
    (void)params;
    return gbl_gemm(ctx, one->stem, &product);
}

void gbl_one_product_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    const gbl_one_product *one = self->detail;
    const gbl_product_call product = one->product_of(call);
    gbl_work least;
    (void)params, (void)device;
    if (one->work != NULL)
        one->work(call, &least);
    else
        gbl_gemm_work(&product, &least);
    gbl_composed_cost(&least, 1, cost);
}

int gbl_one_product_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts)
{
    const gbl_one_product *one = self->detail;
    const gbl_product_call product = one->product_of(call);
    (void)params, (void)device;
    return gbl_composed_product(parts, 0, &product, 1);
}

gable_status gbl_rank_k_rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    const bool complex = gbl_dtype_complex(call->dtype);
    CHECK_ARG(ctx, !complex || call->conj || call->trans != GABLE_CONJ_TRANS, 3, "trans",
              "is GABLE_CONJ_TRANS; of a complex symmetric matrix it must be GABLE_NO_TRANS "
              "or GABLE_TRANS");
    CHECK_ARG(ctx, !complex || !call->conj || call->trans != GABLE_TRANS, 3, "trans",
              "is GABLE_TRANS; of a Hermitian matrix it must be GABLE_NO_TRANS "
              "or GABLE_CONJ_TRANS");
    return GABLE_OK;
}

gbl_product_call gbl_rank_k_product(const gbl_product_call *call)
{
    const gable_trans turn = call->conj ? GABLE_CONJ_TRANS : GABLE_TRANS;
    gbl_product_call product = *call;
    product.trans = call->trans == GABLE_NO_TRANS ? GABLE_NO_TRANS : turn;
    product.trans_b = call->trans == GABLE_NO_TRANS ? turn : GABLE_NO_TRANS;
    product.triangle_c = gbl_composed_part(call);
    return product;
}

void gbl_triangle_work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype),
                 order = (double)gbl_product_order(call),
                 outputs = (double)call->m * (double)call->n;
    const double stored = order * (call->diag == GABLE_UNIT ? order - 1 : order + 1) / 2;
    *least = (gbl_work){.bytes_read = elem * (stored + outputs),
                        .bytes_written = elem * outputs,
                        .flops = gbl_product_flops(call->dtype) * outputs * (order + 1) / 2};
}
