/* link_work.h: lengths of work arrays, of names that no other library has. Included by the entries
 * of LAPACK's names only.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Elsewhere the next library says what is best. Here it is what the door asks for itself.
 */
#ifndef GBL_LINK_WORK_H
#define GBL_LINK_WORK_H

#include "link/link_fortran.h"
#include "link/link_lapack.h"

/* A length as LAPACK tells it, in a floating-point number that is not less. */
static inline R gbl_link_length(int64_t least)
{
    const R length = (R)(least > 1 ? least : 1);
    return (int64_t)length < least ? length * (1 + (R)0x1p-22) : length;
}

static inline void gbl_link_put_length(T *work, int64_t least)
{
#if COMPLEX
    *work = (T){.re = gbl_link_length(least)};
#else
    *work = gbl_link_length(least);
#endif
}

/* Whether a work array has an element, and its length is told: it is asked for, or long enough. */
static inline bool gbl_link_tells(const gbl_link_binding *bound, const void *lwork)
{
    return SIZE(lwork) > 0 || SIZE(lwork) == gbl_link_query;
}

/* gbl_link_says of a routine with one work array. */
static inline bool gbl_link_says_work(const gbl_link_binding *bound, T *work, const void *lwork,
                                      int64_t least, bool nothing, void *info)
{
    if (gbl_link_tells(bound, lwork))
        gbl_link_put_length(work, least);
    return gbl_link_says(bound, nothing || SIZE(lwork) == gbl_link_query, info);
}

#endif
