/* observe.c: tells a profile of what is no op.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdatomic.h>
#include "core/observe.h"

static _Atomic(gbl_event_hook) event_hook;

void gbl_install_events(gbl_event_hook hook)
{
    atomic_store(&event_hook, hook);
}

void gbl_tell(gable_context *ctx, const gbl_event *event)
{
    const gbl_event_hook hook = atomic_load(&event_hook);
    if (hook != NULL)
        hook(ctx, event);
}

void gbl_span_begin(gable_context *ctx, const gbl_span *span)
{
    gbl_tell(ctx, &(gbl_event){.kind = span->kind, .begin = true, .span = span});
}

gable_status gbl_span_end(gable_context *ctx, const gbl_span *span, gable_status status)
{
    gbl_tell(ctx, &(gbl_event){.kind = span->kind, .status = status, .span = span});
    return status;
}
