/* roofs_better.c: which of two measurements of a device counts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Other programs make rates lower and times longer, never the other way round. So a new measurement
 * replaces an old one as a whole where it was disturbed no more and its memory is about as fast or
 * faster: it then knows the device as it is now. Otherwise each figure is the better of the two.
 */
#include <stdio.h>
#include "core/number_text.h"
#include "model/roofs_private.h"

#define CLEARLY_BUSIER 0.05
#define ABOUT_AS_FAST  0.9

double gbl_roofs_disturbed(const gbl_roofs *roofs)
{
    if (roofs->source != GBL_ROOFS_MEASURED)
        return 0;
    if (roofs->busy < 0 && roofs->unsteady < 0)
        return 1;
    return roofs->busy > roofs->unsteady ? roofs->busy : roofs->unsteady;
}

const char *gbl_roofs_circumstances(const gbl_roofs *roofs, char text[GBL_ROOFS_TEXT_BYTES])
{
    char busy[GBL_NUMBER_BYTES], unsteady[GBL_NUMBER_BYTES];
    gbl_number_fixed(100 * roofs->busy, 0, busy);
    gbl_number_fixed(100 * roofs->unsteady, 0, unsteady);
    if (roofs->source != GBL_ROOFS_MEASURED)
        text[0] = '\0';
    else if (roofs->busy < 0 && roofs->unsteady < 0)
        snprintf(text, GBL_ROOFS_TEXT_BYTES, "how busy the machine was is not known");
    else if (roofs->busy < 0)
        snprintf(text, GBL_ROOFS_TEXT_BYTES, "repeats differed by %s %%", unsteady);
    else
        snprintf(text, GBL_ROOFS_TEXT_BYTES,
                 "other programs took %s %% of the processors, repeats differed by %s %%", busy,
                 unsteady);
    return text;
}

static void larger(double *figure, double other)
{
    *figure = other > *figure ? other : *figure;
}

/* Of times 0 means that there is none. */
static void shorter(double *figure, double other)
{
    *figure = other > 0 && other < *figure ? other : *figure;
}

static void better_points(const gbl_roofs *old, gbl_roofs *fresh)
{
    bool same = old->points == fresh->points;
    for (int i = 0; same && i < old->points; i++)
        same = old->point_bytes[i] == fresh->point_bytes[i];
    for (int i = 0; same && i < old->points; i++)
        larger(&fresh->point_read[i], old->point_read[i]);
}

bool gbl_roofs_better(const gbl_props *props, const gbl_roofs *old, gbl_roofs *fresh)
{
    const bool busier = gbl_roofs_disturbed(fresh) > gbl_roofs_disturbed(old) + CLEARLY_BUSIER;
    const bool slower = fresh->read < ABOUT_AS_FAST * old->read ||
                        fresh->copy < ABOUT_AS_FAST * old->copy ||
                        fresh->write < ABOUT_AS_FAST * old->write;
    if (!busier && !slower)
        return true;
    if (gbl_roofs_disturbed(old) < gbl_roofs_disturbed(fresh)) {
        fresh->busy = old->busy;
        fresh->unsteady = old->unsteady;
    }
    larger(&fresh->copy, old->copy);
    larger(&fresh->read, old->read);
    larger(&fresh->write, old->write);
    larger(&fresh->unit, old->unit);
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++)
        larger(&fresh->flops[dtype], old->flops[dtype]);
    larger(&fresh->matrix_flops, old->matrix_flops);
    larger(&fresh->tf32_flops, old->tf32_flops);
    larger(&fresh->link_to_device, old->link_to_device);
    larger(&fresh->link_to_host, old->link_to_host);
    shorter(&fresh->launch_replay, old->launch_replay);
    shorter(&fresh->launch_single, old->launch_single);
    shorter(&fresh->latency, old->latency);
    shorter(&fresh->barrier, old->barrier);
    shorter(&fresh->step, old->step);
    shorter(&fresh->link_latency, old->link_latency);
    better_points(old, fresh);
    gbl_roofs_find_cache(props, fresh);
    return false;
}
