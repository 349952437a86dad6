/* host_call.c: a routine of level 3 whose operands are in host or device memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "host/host_call.h"

static const struct {
    const gbl_op *op;
    gable_status (*run)(gable_context *ctx, const char *name, const gbl_product_call *call);
} kinds[] = {
    [GBL_HOST_GEMM] = {&gbl_gemm_op, gbl_gemm}, [GBL_HOST_GEMMT] = {&gbl_gemmt_op, gbl_gemmt},
    [GBL_HOST_SYRK] = {&gbl_syrk_op, gbl_syrk}, [GBL_HOST_SYR2K] = {&gbl_syr2k_op, gbl_syr2k},
    [GBL_HOST_SYMM] = {&gbl_symm_op, gbl_symm}, [GBL_HOST_TRMM] = {&gbl_trmm_op, gbl_trmm},
    [GBL_HOST_TRSM] = {&gbl_trsm_op, gbl_trsm},
};

const gbl_op *gbl_host_op(gbl_host_kind kind)
{
    return kinds[kind].op;
}

gable_status gbl_host_call_run(gable_context *ctx, const char *name, const gbl_host_call *host)
{
    ctx->depth++; /* the outer call was checked, and workspace is in no list of allocations */
    const gable_status status = kinds[host->kind].run(ctx, name, &host->call);
    ctx->depth--;
    return status;
}

int gbl_host_output(gbl_host_kind kind)
{
    return kind == GBL_HOST_TRMM || kind == GBL_HOST_TRSM ? GBL_HOST_B : GBL_HOST_C;
}

bool gbl_host_is_triangle(gbl_host_kind kind)
{
    return kind == GBL_HOST_GEMMT || kind == GBL_HOST_SYRK || kind == GBL_HOST_SYR2K;
}

bool gbl_host_has(gbl_host_kind kind, int operand)
{
    return operand == GBL_HOST_A || operand == gbl_host_output(kind) ||
           (operand == GBL_HOST_B && kind != GBL_HOST_SYRK);
}

static gbl_host_block sized(int64_t rows, int64_t columns)
{
    return (gbl_host_block){.rows = rows, .columns = columns};
}

gbl_host_block gbl_host_whole(const gbl_host_call *host, int operand)
{
    const gbl_product_call *call = &host->call;
    const bool product = host->kind == GBL_HOST_GEMM || host->kind == GBL_HOST_GEMMT;
    if (operand == GBL_HOST_C)
        return sized(call->m, call->n);
    if (product)
        return operand == GBL_HOST_A ? sized(gbl_product_a_rows(call), gbl_product_a_columns(call))
                                     : sized(gbl_product_b_rows(call), gbl_product_b_columns(call));
    if (host->kind == GBL_HOST_SYRK || host->kind == GBL_HOST_SYR2K)
        return call->trans == GABLE_NO_TRANS ? sized(call->n, call->k) : sized(call->k, call->n);
    if (operand == GBL_HOST_B)
        return sized(call->m, call->n);
    return sized(gbl_product_order(call), gbl_product_order(call));
}

gbl_shape gbl_host_shape(const gbl_host_call *host, int operand)
{
    const gbl_host_kind kind = host->kind;
    if (operand == GBL_HOST_C && gbl_host_is_triangle(kind))
        return gbl_product_triangle(&host->call);
    if (operand == GBL_HOST_A && kind == GBL_HOST_SYMM)
        return gbl_product_triangle(&host->call);
    if (operand == GBL_HOST_A && (kind == GBL_HOST_TRMM || kind == GBL_HOST_TRSM))
        return gbl_product_triangle_unit(&host->call);
    return GBL_WHOLE;
}

void *gbl_host_address(const gbl_host_call *host, int operand)
{
    const gbl_product_call *call = &host->call;
    return operand == GBL_HOST_A ? call->A : operand == GBL_HOST_B ? call->B : call->C;
}

int64_t gbl_host_ld(const gbl_host_call *host, int operand)
{
    const gbl_product_call *call = &host->call;
    return operand == GBL_HOST_A ? call->lda : operand == GBL_HOST_B ? call->ldb : call->ldc;
}

void gbl_host_put(gbl_host_call *host, int operand, void *address, int64_t ld)
{
    gbl_product_call *call = &host->call;
    if (operand == GBL_HOST_A) {
        call->A = address;
        call->lda = ld;
    } else if (operand == GBL_HOST_B) {
        call->B = address;
        call->ldb = ld;
    } else {
        call->C = address;
        call->ldc = ld;
    }
}

/* Whether what the routine computes with is the transpose of the operand. */
static bool is_turned(const gbl_host_call *host, int operand)
{
    const gbl_product_call *call = &host->call;
    switch (host->kind) {
    case GBL_HOST_GEMM:
    case GBL_HOST_GEMMT:
        return (operand == GBL_HOST_A && call->trans != GABLE_NO_TRANS) ||
               (operand == GBL_HOST_B && call->trans_b != GABLE_NO_TRANS);
    case GBL_HOST_SYRK:
    case GBL_HOST_SYR2K:
        return operand != GBL_HOST_C && call->trans != GABLE_NO_TRANS;
    case GBL_HOST_TRMM:
    case GBL_HOST_TRSM:
        return operand == GBL_HOST_A && call->trans != GABLE_NO_TRANS;
    case GBL_HOST_SYMM:
        break;
    }
    return false;
}

void *gbl_host_at(const gbl_host_call *host, int operand, int64_t row, int64_t column)
{
    const bool turned = is_turned(host, operand);
    const int64_t ld = gbl_host_ld(host, operand),
                  offset = turned ? column + row * ld : row + column * ld;
    return (char *)gbl_host_address(host, operand) +
           offset * (int64_t)gbl_dtype_bytes(host->call.dtype);
}

gbl_host_call gbl_host_product(const gbl_host_call *host, gable_trans transa, gable_trans transb,
                               int64_t m, int64_t n, int64_t k)
{
    return (gbl_host_call){.kind = GBL_HOST_GEMM,
                           .call = {.dtype = host->call.dtype,
                                    .trans = transa,
                                    .trans_b = transb,
                                    .m = m,
                                    .n = n,
                                    .k = k,
                                    .alpha = host->call.alpha,
                                    .beta = host->call.beta}};
}

/* Elements of a block that are touched. */
static double elements(const gbl_host_call *host, int operand)
{
    const gbl_host_block whole = gbl_host_whole(host, operand);
    const double all = (double)whole.rows * (double)whole.columns;
    return gbl_host_shape(host, operand) == GBL_WHOLE ? all : all / 2;
}

void gbl_host_work(const gbl_host_call *host, gbl_work *work)
{
    const gbl_product_call *call = &host->call;
    const double elem = (double)gbl_dtype_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n, k = (double)call->k, order = (double)gbl_product_order(call),
                 flops = gbl_product_flops(call->dtype);
    const int output = gbl_host_output(host->kind);
    *work = (gbl_work){.bytes_written = elem * elements(host, output)};
    for (int i = 0; i < GBL_HOST_OPERANDS; i++)
        if (gbl_host_has(host->kind, i) && !(i == GBL_HOST_C && gbl_scalar_zero(&call->beta)))
            work->bytes_read += elem * elements(host, i);
    switch (host->kind) {
    case GBL_HOST_GEMM:
        work->flops = flops * m * n * k;
        break;
    case GBL_HOST_GEMMT:
    case GBL_HOST_SYRK:
        work->flops = flops * n * n / 2 * k;
        break;
    case GBL_HOST_SYR2K:
        work->flops = flops * n * n * k;
        break;
    case GBL_HOST_SYMM:
        work->flops = flops * m * n * order;
        break;
    case GBL_HOST_TRMM:
    case GBL_HOST_TRSM:
        work->flops = flops * m * n * order / 2;
        break;
    }
}
