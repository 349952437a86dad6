/* host_cpu.c: calls on host memory that the cpu computes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "host/host_door.h"

gable_status gbl_host_open_cpu(gbl_host_door *door)
{
    if (door->cpu != NULL)
        return GABLE_OK;
    const gable_status status = gbl_context_open(&door->cpu, "cpu");
    if (status == GABLE_OK)
        return GABLE_OK;
    gbl_fail(&door->ctx->message, status, "the cpu is not available: %s", gable_message(door->cpu));
    gable_close(door->cpu);
    door->cpu = NULL;
    return status;
}

gable_status gbl_host_run_cpu(gbl_host_door *door, const gbl_host_call *host)
{
    TRY(gbl_host_open_cpu(door));
    if (!gbl_loan_bind(&door->ctx->loan))
        return gbl_fail(&door->ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    door->cpu->message.routine = door->name;
    const gable_status status = gbl_host_call_run(door->cpu, door->name, host);
    if (status != GABLE_OK)
        gbl_fail(&door->ctx->message, status, "on cpu: %s", gable_message(door->cpu));
    return status;
}
