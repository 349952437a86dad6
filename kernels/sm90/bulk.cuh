/* bulk.cuh: bulk copies of plain memory, beside the words of hopper.cuh.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They stand apart, so that products keep their texts, by which measurements know them.
 */
#ifndef GABLE_BULK_WORDS
#define GABLE_BULK_WORDS
#include "hopper.cuh"

#ifndef GABLE_DIALECT

/* Bytes of memory, a multiple of 16 from a whole 16 to a whole 16. */
DEVICE void BULK_LOAD(PLACE to, const void *from, i32 bytes, PLACE mbarrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(mbarrier)
                 : "memory");
}

#endif
#endif
