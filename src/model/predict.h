/* predict.h: the time that a call should take, and what holds it back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * docs/model.md derives it. In short: launches, plus what one group has to wait for, one after the
 * other (latency, hand-overs), plus the largest of bytes over bandwidth and flops over rate,
 * divided by the fill: the used fraction of the waves of groups. Bandwidth is what memory gives or,
 * where fewer bytes are in flight than Little's law asks for, those bytes over the latency.
 */
#ifndef GBL_PREDICT_H
#define GBL_PREDICT_H

#include "core/op.h"
#include "model/roofs.h"

typedef enum gbl_limiter {
    GBL_LIMIT_LAUNCH,
    GBL_LIMIT_LATENCY,
    GBL_LIMIT_CACHE,
    GBL_LIMIT_MEMORY,
    GBL_LIMIT_ARITHMETIC,
    GBL_LIMIT_MATRIX,
    GBL_LIMIT_LOCAL,
    GBL_LIMIT_TAIL,
    GBL_LIMIT_LINK,
    GBL_LIMITERS
} gbl_limiter;

/* "launch", "latency", "cache", "memory", "arithmetic", "matrix units", "local memory", "tail",
 * "host link". */
const char *gbl_limiter_name(gbl_limiter limiter);

/* How the call is made. */
typedef struct gbl_situation {
    bool replayed;     /* part of a recording */
    bool hot;          /* operands were used just before: what fits the cache is in it */
    double link_bytes; /* that cross the host link on the way */
    int resident;      /* groups at once on a unit, where the compiled kernel says; 0: estimated */
    /* The call stands for all of its class: what jumps from one size to the next (a last wave of
     * few groups, a whole round trip more) is taken as it is in the mean. For ranking. */
    bool in_mean;
    bool within; /* a routine with `rounded_parts` (op.h) makes the call */
} gbl_situation;

typedef struct gbl_prediction {
    double seconds;
    double term[GBL_LIMITERS]; /* seconds of each; they add up to `seconds` */
    gbl_limiter limiter; /* the largest, launch and latency counted together against the others */
    double memory_seconds, cache_seconds, arithmetic_seconds, matrix_seconds,
        local_seconds;                  /* each resource alone, all groups busy */
    double fill;                        /* used fraction of the waves */
    double waves, resident;             /* of groups; groups at once on the whole device */
    double in_flight, in_flight_needed; /* bytes */
    double workspace_bytes;             /* the most that is taken at once, with that of the parts */
    double hidden; /* seconds of chains of calls beside longer ones; not part of `seconds` */
    double launches;
    double chain; /* seconds of the latency: steps of the whole work that wait for one another */
} gbl_prediction;

void gbl_predict(const gbl_cost *cost, gbl_dtype dtype, const gbl_props *props,
                 const gbl_roofs *roofs, const gbl_situation *situation,
                 gbl_prediction *prediction);

/* The same for a call with a choice. Of a variant that calls other ops it is the sum of its parts,
 * each with the choice that gbl_op_foresee has for it. */
void gbl_predict_call(const gbl_device *device, const gbl_op *op, const void *call,
                      const gbl_choice *choice, const gbl_roofs *roofs,
                      const gbl_situation *situation, gbl_prediction *prediction);

#endif
