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

static size_t bytes_of(const bench_operands *operands, bench_role role)
{
    return role == BENCH_RESULT
               ? bench_result_bytes(&operands->what)
               : (size_t)operands->shape[role].length * bench_element_bytes(&operands->what, role);
}

static gable_status take(const bench_operands *operands, bench_role role, void **memory)
{
    const size_t bytes = bytes_of(operands, role);
    *memory = malloc(bytes + 1);
    if (*memory == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for operands that are transferred");
    memset(*memory, 0xff, bytes);
    return GABLE_OK;
}

gable_status bench_transfer_make(bench_transfer *transfer, bench_operands *operands)
{
    memset(transfer, 0, sizeof *transfer);
    transfer->operands = operands;
    TRY(bench_operands_restore(operands, 0));
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        const bench_role which = (bench_role)role;
        if (operands->at[role][0] == NULL)
            continue;
        if (bench_writes(operands->what.op, which))
            TRY(take(operands, which, &transfer->out[role]));
        if (!bench_case_reads(&operands->what, which))
            continue;
        TRY(take(operands, which, &transfer->host[role]));
        TRY(gable_get_vector(operands->ctx, (int64_t)bytes_of(operands, which), 1,
                             operands->at[role][0], 1, transfer->host[role], 1));
    }
    return GABLE_OK;
}

void bench_transfer_free(bench_transfer *transfer)
{
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        free(transfer->host[role]);
        free(transfer->out[role]);
    }
    memset(transfer, 0, sizeof *transfer);
}

/* Of many matrices those of all: one follows the other. */
static int64_t all_columns(const bench_operands *operands, bench_role role)
{
    return operands->shape[role].columns * operands->what.batch;
}

gable_status bench_transfer_in(const bench_transfer *transfer, bench_operands *operands)
{
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        const bench_shape *shape = &operands->shape[role];
        const size_t elem = bench_element_bytes(&operands->what, (bench_role)role),
                     start = role <= BENCH_C ? (size_t)operands->what.offset * elem : 0;
        if (transfer->host[role] != NULL)
            TRY(gable_set_matrix(operands->ctx, shape->rows,
                                 all_columns(operands, (bench_role)role), elem,
                                 (char *)transfer->host[role] + start, shape->ld,
                                 (char *)operands->at[role][0] + start, shape->ld));
    }
    return GABLE_OK;
}

gable_status bench_transfer_out(const bench_transfer *transfer, bench_operands *operands)
{
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        const bench_shape *shape = &operands->shape[role];
        const size_t elem = bench_element_bytes(&operands->what, (bench_role)role),
                     start = role <= BENCH_C ? (size_t)operands->what.offset * elem : 0;
        if (transfer->out[role] == NULL)
            continue;
        if (role == BENCH_RESULT)
            TRY(gable_get_vector(operands->ctx, (int64_t)bytes_of(operands, BENCH_RESULT), 1,
                                 operands->at[role][0], 1, transfer->out[role], 1));
        else
            TRY(gable_get_matrix(operands->ctx, shape->rows,
                                 all_columns(operands, (bench_role)role), elem,
                                 (char *)operands->at[role][0] + start, shape->ld,
                                 (char *)transfer->out[role] + start, shape->ld));
    }
    return GABLE_OK;
}

static gable_status read_host(void *user, bench_role which, int64_t first, int64_t count,
                              void *target)
{
    const bench_transfer *transfer = user;
    const bench_operands *operands = transfer->operands;
    const size_t elem = bench_element_bytes(&operands->what, which);
    if (which == BENCH_RESULT)
        memcpy(target, transfer->out[which], bytes_of(operands, which));
    else
        memcpy(target, (const char *)transfer->out[which] + (size_t)first * elem,
               (size_t)count * elem);
    return GABLE_OK;
}

gable_status bench_transfer_check(const bench_transfer *transfer, double *error)
{
    bench_transfer copy = *transfer;
    return bench_check(transfer->operands, 1, read_host, &copy, error);
}
