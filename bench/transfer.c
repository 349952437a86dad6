/* transfer.c: a call with its operands in the host's memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "bench_check.h"
#include "transfer.h"

double bench_host_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

gable_status bench_transfer_make(bench_transfer *transfer, bench_operands *operands)
{
    const size_t elem = gbl_dtype_bytes(operands->what.dtype);
    memset(transfer, 0, sizeof *transfer);
    transfer->operands = operands;
    TRY(bench_operands_restore(operands, 0));
    const size_t out_bytes =
        (size_t)operands->shape[bench_written(operands->what.op)].length * elem;
    transfer->out = malloc(out_bytes);
    if (transfer->out == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for a result that is transferred");
    memset(transfer->out, 0xff, out_bytes);
    for (int role = BENCH_A; role <= BENCH_C; role++) {
        const int64_t length = operands->shape[role].length;
        if (!bench_case_reads(&operands->what, (bench_role)role))
            continue;
        transfer->host[role] = malloc((size_t)length * elem);
        if (transfer->host[role] == NULL)
            return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY,
                            "no host memory for operands that are transferred");
        TRY(gable_get_vector(operands->ctx, length, elem, operands->at[role][0], 1,
                             transfer->host[role], 1));
    }
    return GABLE_OK;
}

void bench_transfer_free(bench_transfer *transfer)
{
    for (int role = BENCH_A; role <= BENCH_C; role++)
        free(transfer->host[role]);
    free(transfer->out);
    memset(transfer, 0, sizeof *transfer);
}

gable_status bench_transfer_in(const bench_transfer *transfer, bench_operands *operands)
{
    const size_t elem = gbl_dtype_bytes(operands->what.dtype),
                 start = (size_t)operands->what.offset * elem;
    for (int role = BENCH_A; role <= BENCH_C; role++) {
        const bench_shape *shape = &operands->shape[role];
        if (transfer->host[role] != NULL)
            TRY(gable_set_matrix(operands->ctx, shape->rows, shape->columns, elem,
                                 (char *)transfer->host[role] + start, shape->ld,
                                 (char *)operands->at[role][0] + start, shape->ld));
    }
    return GABLE_OK;
}

gable_status bench_transfer_out(const bench_transfer *transfer, bench_operands *operands)
{
    const bench_role role = bench_written(operands->what.op);
    const bench_shape *shape = &operands->shape[role];
    const size_t elem = gbl_dtype_bytes(operands->what.dtype),
                 start = (size_t)operands->what.offset * elem;
    return gable_get_matrix(operands->ctx, shape->rows, shape->columns, elem,
                            (char *)operands->at[role][0] + start, shape->ld,
                            (char *)transfer->out + start, shape->ld);
}

static gable_status read_host(void *user, bench_role which, int64_t first, int64_t count,
                              void *target)
{
    const bench_transfer *transfer = user;
    const bench_operands *operands = transfer->operands;
    const size_t elem = bench_element_bytes(&operands->what, which);
    if (which == BENCH_RESULT)
        return gable_get_vector(operands->ctx, (int64_t)bench_result_bytes(&operands->what), 1,
                                operands->at[which][0], 1, target, 1);
    if (which != bench_written(operands->what.op)) /* of LAPACK's routines: it stays there */
        return gable_get_vector(operands->ctx, count, elem,
                                (const char *)operands->at[which][0] + (size_t)first * elem, 1,
                                target, 1);
    memcpy(target, (const char *)transfer->out + (size_t)first * elem, (size_t)count * elem);
    return GABLE_OK;
}

gable_status bench_transfer_check(const bench_transfer *transfer, double *error)
{
    bench_transfer copy = *transfer;
    return bench_check(transfer->operands, 1, read_host, &copy, error);
}
