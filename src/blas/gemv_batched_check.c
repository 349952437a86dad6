/* gemv_batched_check.c: the arguments of many products at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The operands of one product are checked as those of gemv are; strides then say how far all of them reach. What
 * arrays of addresses point to is in device memory: it is followed only where operands are compared with allocations.
 */
#include "blas/gemv_batched_plan.h"
#include "core/extents.h"

/* Arguments are numbered as in the two prototypes, of which the second has three strides more. */
static int more_arguments(const gbl_matrix_call *call)
{
    return call->pointers ? 0 : 1;
}

/* How far an operand of one product reaches, and from that how far those of all products do. */
static gable_status check_stride(gable_context *ctx, const gbl_matrix_call *call, int number,
                                 const char *name, const char *what, int64_t stride,
                                 const gbl_operand *one)
{
    const int64_t run = (int64_t)(one->after / one->elem_bytes);
    return gbl_pitch_check(ctx, number, name, what, call->batch, stride, run, one->elem_bytes);
}

/* A, x and y of the first product. */
typedef struct product {
    gbl_operand A, x, y;
} product;

static product first_product(const gbl_matrix_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const bool t = call->trans != GABLE_NO_TRANS;
    const int s = more_arguments(call);
    return (product){
        gbl_operand_matrix("A", 6, GBL_READ, call->A, call->m, call->n, call->lda, elem),
        gbl_operand_vector("x", 8 + s, GBL_READ, call->x, t ? call->m : call->n, call->incx, elem),
        gbl_operand_vector("y", 11 + 2 * s, GBL_READ_WRITE, call->y, t ? call->n : call->m,
                           call->incy, elem)};
}

/* y of product b beside all A, x or y that reach so far: `other` is that of the first product. */
static gable_status check_overlap(gable_context *ctx, const gbl_matrix_call *call,
                                  const gbl_operand *first_y, int64_t b, const gbl_operand *other,
                                  int64_t stride)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(call->dtype);
    if (call->batch == 1) /* a stride that is not used may be anything */
        stride = 0;
    const int64_t step = (stride < 0 ? -stride : stride) * elem;
    gbl_operand y = *first_y, theirs = *other;
    y.address = (const char *)y.address + b * call->stride_y * elem;
    /* Bytes from the first of theirs to y: each next one is a step nearer, in the direction of the stride. */
    const int64_t apart = (int64_t)((uintptr_t)y.address - (uintptr_t)theirs.address);
    const int64_t low = stride < 0 ? -apart - (int64_t)y.after : apart - (int64_t)theirs.after;
    const int64_t high = stride < 0 ? -apart + (int64_t)theirs.after : apart + (int64_t)y.after;
    int64_t from = step > 0 && low > 0 ? low / step : 0;
    const int64_t to = step > 0 && high / step < call->batch ? high / step + 1 : call->batch;
    for (; from < to && high > 0; from++) {
        theirs.address = (const char *)other->address + from * stride * elem;
        if ((other->number == y.number && from == b) || !gbl_operands_meet(&y, &theirs))
            continue;
        return gbl_fail_argument(ctx, y.number, y.name,
                                 "is written and overlaps argument %d (%s): y of product %lld and "
                                 "%s of product %lld",
                                 theirs.number, theirs.name, (long long)b, theirs.name,
                                 (long long)from);
    }
    return GABLE_OK;
}

/* What arrays of addresses hold: read from the device, for which the call waits. */
static gable_status guard_addresses(gable_context *ctx, const gbl_matrix_call *call, bool reads)
{
    enum { AT_ONCE = 64 };
    const product p = first_product(call);
    const gbl_operand *arrays[3] = {&p.A, &p.x, &p.y};
    for (int64_t b = 0; b < call->batch; b += AT_ONCE) {
        const int64_t left = call->batch - b, some = left < AT_ONCE ? left : AT_ONCE;
        void *addresses[3][AT_ONCE] = {{NULL}};
        for (int i = reads ? 0 : 2; i < 3; i++)
            TRY(gbl_read_scalar(ctx, (void *const *)arrays[i]->address + b,
                                (size_t)some * sizeof(void *), addresses[i]));
        for (int64_t j = 0; j < some; j++) {
            gbl_operand own[3] = {p.A, p.x, p.y};
            for (int i = reads ? 0 : 2; i < 3; i++) {
                own[i].address = addresses[i][j];
                TRY(gbl_check_address(ctx, own[i].number, own[i].name, own[i].address));
            }
            TRY(gbl_operands_check(ctx, own + (reads ? 0 : 2), reads ? 3 : 1));
        }
    }
    return GABLE_OK;
}

/* Of arrays of addresses only the arrays; what they hold under GABLE_DEBUG=check alone. */
static gable_status guard(gable_context *ctx, const gbl_matrix_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const int s = more_arguments(call);
    const bool reads = call->alpha.device != NULL || call->alpha.re != 0 || call->alpha.im != 0;
    product p = first_product(call);
    gbl_operand operands[5] = {gbl_operand_scalar("alpha", 5, &call->alpha, elem),
                               gbl_operand_scalar("beta", 10 + 2 * s, &call->beta, elem)};
    gbl_operand *all[3] = {&p.A, &p.x, &p.y};
    const int64_t strides[3] = {call->stride_a, call->stride_x, call->stride_y};
    int count = 2;
    for (int i = 0; i < 3; i++) {
        if (i < 2 && !reads)
            continue;
        gbl_operand one = *all[i];
        if (call->pointers)
            one = gbl_operand_vector(one.name, one.number, GBL_READ, one.address, call->batch, 1,
                                     sizeof(void *));
        else
            gbl_operand_repeat(&one, call->batch, strides[i]);
        operands[count++] = one;
    }
    TRY(gbl_operands_check(ctx, operands, count));
    if (call->pointers)
        return ctx->debug_check && ctx->recording == NULL ? guard_addresses(ctx, call, reads)
                                                          : GABLE_OK;
    for (int64_t b = 0; ctx->debug_check && reads && b < call->batch; b++)
        for (int i = 0; i < 3; i++)
            TRY(check_overlap(ctx, call, &p.y, b, all[i], strides[i]));
    return GABLE_OK;
}

static gable_status check_sizes(gable_context *ctx, const gbl_matrix_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    TRY(gbl_reach_sizes(ctx, call, 3, 4));
    return call->batch > 0 ? gbl_count_check(ctx, 13 + 3 * more_arguments(call), "batch",
                                             call->batch, elem > 8 ? elem : 8)
                           : GABLE_OK;
}

gable_status gbl_gemv_batched_check(gable_context *ctx, const gbl_matrix_call *call)
{
    const bool touches = call->m > 0 && call->n > 0 && call->batch > 0;
    const bool strided = touches && !call->pointers;
    const bool t = call->trans != GABLE_NO_TRANS;
    const int s = more_arguments(call);
    TRY(gbl_trans_check(ctx, 2, "trans", call->trans));
    TRY(gbl_size_check(ctx, 3, "m", call->m));
    TRY(gbl_size_check(ctx, 4, "n", call->n));
    if (touches) {
        TRY(check_sizes(ctx, call));
        TRY(gbl_scalar_check(ctx, 5, "alpha", call->alpha.device));
        TRY(gbl_check_address(ctx, 6, "A", call->A));
    }
    TRY(gbl_ld_check(ctx, 7, "lda", call->lda, "m", call->m));
    if (touches)
        TRY(gbl_reach_ld(ctx, call, 7, "lda", "A", call->m, call->n, call->lda));
    const product p = first_product(call);
    if (strided)
        TRY(check_stride(ctx, call, 8, "stride_a", "A", call->stride_a, &p.A));
    if (touches) {
        TRY(gbl_check_address(ctx, 8 + s, "x", call->x));
        TRY(gbl_reach_inc(ctx, call, 9 + s, "incx", "x", t ? call->m : call->n, call->incx));
    }
    if (strided)
        TRY(check_stride(ctx, call, 11, "stride_x", "x", call->stride_x, &p.x));
    if (touches)
        TRY(gbl_scalar_check(ctx, 10 + 2 * s, "beta", call->beta.device));
    if (touches)
        TRY(gbl_check_address(ctx, 11 + 2 * s, "y", call->y));
    CHECK_ARG(ctx, call->incy != 0, 12 + 2 * s, "incy",
              "is 0; the stride of an output must not be");
    if (touches)
        TRY(gbl_reach_inc(ctx, call, 12 + 2 * s, "incy", "y", t ? call->n : call->m, call->incy));
    CHECK_ARG(ctx, call->pointers || call->stride_y != 0 || call->batch <= 1, 15, "stride_y",
              "is 0; with a batch of %lld every product needs a vector of its own",
              (long long)call->batch);
    if (strided)
        TRY(check_stride(ctx, call, 15, "stride_y", "y", call->stride_y, &p.y));
    TRY(gbl_size_check(ctx, 13 + 3 * s, "batch", call->batch));
    return ctx->guarded && touches ? guard(ctx, call) : GABLE_OK;
}
