/* handover_bits.h: results of routines on random data, for groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_BITS_H
#define HANDOVER_BITS_H

#include <stddef.h>
#include "gable/gable.h"

#define HANDOVER_BYTES 4096 /* of a result at most */

typedef struct handover_routine {
    const char *stem; /* the kernel's; NULL ends a list */
    int forms;
    /* The same call on the same data each time; what it gives, and how many bytes that is. */
    gable_status (*run)(gable_context *ctx, int form, void *result, size_t *bytes);
} handover_routine;

extern const handover_routine handover_s[], handover_d[], handover_c[], handover_z[];

#endif
