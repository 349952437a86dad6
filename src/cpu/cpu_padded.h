/* cpu_padded.h: vectors for a BLAS that reads past their ends.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenBLAS 0.3.21 loads up to three elements behind a complex vector on x86-64 (gemv, hemv, and
 * trsv, which calls gemv): it does not use them, but they may be on a page that is not there. So it
 * gets copies with room behind.
 */
#ifndef GBL_CPU_PADDED_H
#define GBL_CPU_PADDED_H

#include <stdlib.h>
#include "cpu/cpu_vector.h"

#define PADDED_ROOM   256 /* elements on the stack */
#define PADDED_BEHIND 8

typedef struct padded {
    T room[PADDED_ROOM + PADDED_BEHIND];
    T *at; /* the copy; NULL: no memory */
} padded;

static inline void padded_take(padded *copy, int64_t n, const T *x)
{
    const size_t all = (size_t)n + PADDED_BEHIND;
    copy->at = n <= PADDED_ROOM ? copy->room : malloc(all * sizeof(T));
    if (copy->at == NULL)
        return;
    memcpy(copy->at, x, (size_t)n * sizeof(T));
    memset(copy->at + n, 0, PADDED_BEHIND * sizeof(T));
}

static inline void padded_free(padded *copy)
{
    if (copy->at != copy->room)
        free(copy->at);
}

static inline gable_status padded_fail(gbl_message *message, int64_t n)
{
    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a vector of %lld elements",
                    (long long)n);
}

#endif
