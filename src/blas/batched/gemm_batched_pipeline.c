/* gemm_batched_pipeline.c: many products at once by pipelines of stages, on multiprocessors with TMA.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernels are those of gemm (kernels/sm90/gemm_dmma.cu, gemm_ffma.cu) with BATCH set, and so are plans, launches and
 * costs (gemm_pipeline.c). Groups go over the tiles of all batch entries, one batch entry after the other, so that the pipeline fills for the next
 * batch entry while a tile of this one is stored. Batch entries a stride apart come by TMA tiles where the stride is whole 16 bytes. Of
 * addresses in an array the host knows nothing: work-items copy, and C is stored by elements.
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
