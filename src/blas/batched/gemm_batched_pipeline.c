/* gemm_batched_pipeline.c: many products at once by a multistage pipeline, for Hopper.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels, plans, launches and costs are those of gemm (gemm_pipeline.c), with BATCH set. Groups go
 * over the tiles of all batch entries, one entry after the other. The pipeline fills for the next
 * entry while a tile of this one is stored. TMA loads entries that are a multiple of 16 bytes
 * apart. Addresses in an array are unknown to the host: there producers copy, and C is stored by
 * elements.
 */
#include "blas/batched/gemm_batched.h"

#define LEAST_SIDE 32              /* of a tile */
#define MOST_TILES (INT32_MAX / 8) /* of all batch entries: kernels count them in 31 bits */

bool gbl_batched_pipeline_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const double tiles = (double)(call->m / LEAST_SIDE + 1) * (double)(call->n / LEAST_SIDE + 1);
    return tiles * (double)call->batch < MOST_TILES && gbl_pipeline_fits(self, call, device);
}
