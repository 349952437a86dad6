/* factor_copy.c: factorizations in a copy whose columns start on whole cache lines.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/factor_copy.h"

#define LOAD_BYTES  16  /* of the widest load, and what tensor maps ask of columns */
#define FEWEST      128 /* rows or columns; smaller matrices are a matter of latency */
#define MEMORY_PART 4   /* of the device's memory, at most */

bool gbl_factor_copy_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype),
                  fewer = call->m < call->n ? call->m : call->n;
    const double room = (double)device->props.memory_bytes / MEMORY_PART;
    return gbl_lapack_fits(self, call, device) && device->props.is_gpu && fewer >= FEWEST &&
           ((uintptr_t)call->A % LOAD_BYTES != 0 || call->lda * elem % LOAD_BYTES != 0) &&
           (room == 0 || gbl_composed_room_bytes(call->dtype, call->m, call->n) <= room);
}

static gbl_product_call copy_of(const gbl_variant *self, const gbl_product_call *call,
                                const void *from, int64_t ld_from, void *to, int64_t ld_to)
{
    const gbl_factor_copy *of = self->detail;
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = of->triangle ? call->uplo : GABLE_GENERAL,
                              .m = call->m,
                              .n = call->n,
                              .A = (void *)(uintptr_t)from,
                              .lda = ld_from,
                              .B = to,
                              .ldb = ld_to};
}

gable_status gbl_factor_copy_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    const gbl_factor_copy *of = self->detail;
    const gbl_product_call *call = given;
    gbl_product_call inner = *call;
    (void)params;
    TRY(gbl_composed_room(ctx, call->dtype, call->m, call->n, &inner.A, &inner.lda));
    const gbl_product_call there = copy_of(self, call, call->A, call->lda, inner.A, inner.lda),
                           back = copy_of(self, call, inner.A, inner.lda, call->A, call->lda);
    TRY(gbl_lacpy(ctx, of->op->stem, &there));
    TRY(of->routine(ctx, of->op->stem, &inner));
    return gbl_lacpy(ctx, of->op->stem, &back);
}

void gbl_factor_copy_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    const gbl_factor_copy *of = self->detail;
    const gbl_product_call *call = given;
    gbl_work least;
    (void)params, (void)device;
    of->op->work(call, &least);
    gbl_composed_cost(&least, 3, cost);
    cost->workspace_bytes = gbl_composed_room_bytes(call->dtype, call->m, call->n);
}

/* The copy is nowhere yet: an address that is as it would be. */
int gbl_factor_copy_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts)
{
    const gbl_factor_copy *of = self->detail;
    const gbl_product_call *call = given;
    gbl_product_call inner = *call;
    (void)params, (void)device;
    inner.A = (void *)((uintptr_t)call->A & ~(uintptr_t)255);
    inner.lda = gbl_composed_ld(call->dtype, call->m);
    const gbl_product_call there = copy_of(self, call, call->A, call->lda, inner.A, inner.lda),
                           back = copy_of(self, call, inner.A, inner.lda, call->A, call->lda);
    int count = gbl_composed_call(parts, 0, &gbl_lacpy_op, &there, 1);
    count = gbl_composed_call(parts, count, of->op, &inner, 1);
    return gbl_composed_call(parts, count, &gbl_lacpy_op, &back, 1);
}
