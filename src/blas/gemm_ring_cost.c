/* gemm_ring_cost.c: what a product by rings of stages costs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A unit multiplies and adds 256 pairs of reals per cycle on its matrix units. Groups go from tile to tile; each begins with a
 * wait for its first stages and ends with a tile of C that goes to memory.
 */
#include <math.h>
#include <string.h>
#include "blas/gemm_ring.h"

#define MATRIX_ADDS  256  /* of double, per unit and cycle */
#define STEP_CYCLES  40   /* of a step beside its multiply-adds */
#define FIRST_CYCLES 2500 /* of a launch, until the first stage is full */
#define STORE_BYTES  32   /* of C, per unit and cycle */
#define SHARE_CYCLES 1500 /* where groups of a cluster add their sums */

void gbl_ring_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                   const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_ring_plan plan;
    gbl_work work;
    (void)self;
    memset(out, 0, sizeof *out);
    gbl_gemm_work(call, &work);
    if (!gbl_ring_plan_make(call, params, device, &plan)) {
        out->flops = INFINITY;
        return;
    }
    const double units = device->props.units > 0 ? device->props.units : 1,
                 at_once = fmin((double)plan.groups, units * plan.resident),
                 tiles = (double)plan.tiles * plan.cluster, rounds = ceil(tiles / at_once);
    const double steps = (double)plan.steps * (call->zeros != GBL_NO_ZEROS ? 0.5 : 1);
    const double beside = fmin(plan.resident, ceil(at_once / units));
    const double step = (double)plan.rows * plan.columns * plan.terms / MATRIX_ADDS + STEP_CYCLES;
    const double c_bytes = (double)plan.rows * plan.columns * elem / plan.cluster *
                           (gbl_scalar_zero(&call->beta) ? 1 : 2);
    const double cycles = FIRST_CYCLES + (plan.cluster > 1 ? SHARE_CYCLES : 0) +
                          rounds * (steps * step * beside + c_bytes / STORE_BYTES * beside);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->cache_bytes = tiles * steps * (plan.rows + plan.columns) * 128.0;
    out->flops =
        cycles * units * 128; /* as the model counts them: 128 of double, per unit and cycle */
    out->launches = 1;
    out->groups = (double)plan.groups;
    out->group_items = plan.items;
    out->bytes_in_flight = (double)plan.stages * (plan.rows + plan.columns) * 128.0;
}
