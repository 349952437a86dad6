/* gemm_tile_cycles.c: what a product by tiles in registers takes, from its plan.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The cycles of the multiprocessor that works longest: of the steps along k of its groups, which
 * share its schedulers and wait for each other, of C, and of sums that go through memory.
 */
#include <math.h>
#include "blas/gemm/gemm_tile_plan.h"

#define SKEW 4 /* as in gemm_tile.h */
/* Of a multiprocessor of today's NVIDIA GPUs. */
#define UNIT_LOCAL_BYTES 233472
#define REGISTERS_BESIDE 40
/* Fitted to some 300 shapes of tiles at n = 128 to 8192 and, in s and c, to 25 shapes at 19 sizes
 * that nothing was tuned for, aligned and not, forced one by one on an H200 (2026-11), in cycles
 * where no other unit is named. Of a step, for a warp of 32 work-items on its scheduler: */
#define STEP_OVERHEAD 7    /* beside what follows */
#define LOAD_CYCLES   1.13 /* a word of either tile that a work-item loads from local memory */
#define COPY_CYCLES   17.6 /* a copy ahead */
#define KEEP_CYCLES   45   /* a vector that goes through registers */
#define PIECE_CYCLES  67   /* a load that is one of several where a vector would do */
#define WIDE_TILE     1.14 /* times as long: with more columns than rows a work-item */
#define SMALL_GROUP   1.5  /* and with one warp a group; set by hand */
/* Of a step, for a group alone, whose warps wait for each other and for memory: */
#define STEP_LATENCY 1160 /* for memory, in the first round; later ones find the cache filled */
#define STEP_ALONE   270  /* barriers and first loads from local memory */
#define ALONE_MORE   0.13 /* a multiply-add, beside its own */
#define LATE_A       128  /* a vector of A that goes through registers ... */
#define LATE_B       256  /* ... and one of B */
#define LONE_CYCLES  110  /* shared among a unit's groups: all wait for copies at once */
/* Of a group and of a call: */
#define STORE_BYTES  6.8  /* of C that a group stores a cycle */
#define READ_BYTES   4    /* of C that is read before, per unit and cycle */
#define PART_BYTES   12.6 /* of sums that go through memory, per unit and cycle */
#define EDGE_LATENCY 1790 /* a wait for elements at an edge */
#define MASKED       1.17 /* times its multiply-adds more: a step at the diagonal of a factor ... */
#define MASKED_UNIT  2.86 /* ... and of one with ones there */
#define BESIDE_PART  0.7  /* of a unit's other groups run beside the longest, in the mean */

int64_t gbl_tile_local_bytes(const gbl_tile_plan *plan, gbl_dtype dtype)
{
    const int64_t rows = (int64_t)plan->wx * plan->tm, columns = (int64_t)plan->wy * plan->tn;
    const int64_t pairs = plan->stages > 0 ? plan->stages : 2;
    return pairs * plan->terms * (rows + columns + 2 * SKEW) * (int64_t)gbl_dtype_bytes(dtype);
}

/* Pieces in which a work-item loads its part of both tiles per step. Copies ahead are of vectors,
 * or of single elements where the matrix is stored the other way or does not stand on whole
 * vectors. Loads into registers are as wide as the matrix allows. */
static double pieces_of(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(call->dtype), whole = plan->vec * elem;
    const double lanes = (double)plan->wx * plan->wy;
    double a = plan->align_a > elem ? plan->align_a / elem : 1,
           b = plan->align_b > elem ? plan->align_b / elem : 1;
    if (plan->stages > 0) {
        a = call->trans == GABLE_NO_TRANS && plan->align_a == whole ? plan->vec : 1;
        b = call->trans_b != GABLE_NO_TRANS && plan->align_b == whole ? plan->vec : 1;
    }
    return (double)plan->terms *
           ((double)plan->wx * plan->tm / a + (double)plan->wy * plan->tn / b) / lanes;
}

/* Registers of a work-item: sums, two lines of both tiles, vectors on their way, and the rest. */
double gbl_tile_registers(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    const double words = (double)gbl_dtype_bytes(call->dtype) / 4;
    const double ahead = plan->stages > 0
                             ? pieces_of(call, plan) / 4
                             : words * (double)(plan->wx * plan->tm + plan->wy * plan->tn) *
                                   plan->terms / ((double)plan->wx * plan->wy);
    return words * ((double)plan->tm * plan->tn + 2.0 * (plan->tm + plan->tn)) + ahead +
           REGISTERS_BESIDE;
}

/* Groups that a unit has room for, by registers and local memory. */
static double room_for(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    const double warps = (double)plan->wx * plan->wy / 32,
                 copies = plan->stages > 0 ? 2 * pieces_of(call, plan) : 0, /* addresses */
        registers = 8 * ceil((gbl_tile_registers(call, plan) + copies) / 8);
    /* Each of the four schedulers has its own registers. */
    const double by_registers =
        floor(4 * floor(GBL_UNIT_REGISTERS / 128 / (registers < 256 ? registers : 256)) / warps);
    const double by_local =
        floor(UNIT_LOCAL_BYTES / (double)gbl_tile_local_bytes(plan, call->dtype));
    const double room = by_registers < by_local ? by_registers : by_local;
    return room > plan->resident ? room : plan->resident;
}

/* Cycles of a scheduler for a warp's multiply-adds in a step: one each, in double two, and so many
 * more for each. */
static double add_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double more)
{
    const double reals = gbl_dtype_complex(call->dtype) ? 4 : 1,
                 each = gbl_dtype_real_bytes(call->dtype) == 8 ? 2 : 1;
    return reals * plan->tm * plan->tn * plan->terms * (each + more);
}

/* Warps of each of the four schedulers of a unit with so many groups, one at least. */
static double warps_of(const gbl_tile_plan *plan, double groups)
{
    const double warps = groups * plan->wx * plan->wy / 128;
    return warps > 1 ? warps : 1;
}

/* Cycles of a unit for one step of `groups` groups side by side: those that its schedulers are
 * busy, or those that a group takes alone where there are not warps enough to fill its waits. */
static double step_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double groups,
                          bool first_round)
{
    const double bytes = (double)gbl_dtype_bytes(call->dtype), terms = plan->terms;
    const double a_vectors = terms * plan->tm / (plan->vec * plan->wy),
                 b_vectors = terms * plan->tn / (plan->vec * plan->wx),
                 vectors = a_vectors + b_vectors, pieces = pieces_of(call, plan);
    const double loads = LOAD_CYCLES * terms * (plan->tm + plan->tn) * bytes / 4;
    const double copies = plan->stages > 0
                              ? COPY_CYCLES * pieces
                              : KEEP_CYCLES * vectors + PIECE_CYCLES * (pieces - vectors);
    double busy = (add_cycles(call, plan, 0) + loads + copies + STEP_OVERHEAD) *
                  warps_of(plan, groups) * (plan->tn > plan->tm ? WIDE_TILE : 1) *
                  (plan->wx * plan->wy <= 32 ? SMALL_GROUP : 1);
    double alone = add_cycles(call, plan, ALONE_MORE) + STEP_ALONE;
    if (plan->stages > 0)
        busy += LONE_CYCLES / fmin(groups, 4);
    else
        alone += LATE_A * a_vectors + LATE_B * b_vectors;
    if (first_round)
        alone = fmax(alone, STEP_LATENCY / (plan->stages > 2 ? plan->stages - 1.0 : 1.0));
    return fmax(busy, alone);
}

typedef struct tile_steps {
    double mean, longest;         /* of a group */
    double mean_met, longest_met; /* of these, those that meet a triangular factor's diagonal */
} tile_steps;

/* Half of the terms of a triangular factor count. Only one of the groups has its diagonal. */
static tile_steps steps_of(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    const double k = (double)(call->k > 0 ? call->k : 1) * (call->two_products ? 2 : 1),
                 shared = (double)plan->args.splits;
    const double across = call->triangular == GBL_A_LOWER || call->triangular == GBL_A_UPPER
                              ? (double)plan->wx * plan->tm
                              : (double)plan->wy * plan->tn;
    const double met = fmin(across, k), all = ceil(k / plan->terms) / shared;
    if (call->triangular == GBL_NOT_TRIANGULAR)
        return (tile_steps){.mean = all, .longest = all};
    return (tile_steps){.mean = ceil((k + met) / 2 / plan->terms) / shared,
                        .longest = all,
                        .mean_met = met / plan->terms / shared,
                        .longest_met = fmin(met / plan->terms, all)};
}

/* Cycles of the steps of groups with the same terms: rounds of as many as there is room for, and a
 * last one. */
static double even_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double groups,
                          double units, double *rounds)
{
    const double room = room_for(call, plan), full = floor(groups / (units * room)),
                 last = ceil((groups - full * units * room) / units);
    double cycles = last > 0 ? step_cycles(call, plan, last, full == 0) : 0;
    if (full > 0)
        cycles += step_cycles(call, plan, room, true);
    if (full > 1)
        cycles += (full - 1) * step_cycles(call, plan, room, false);
    *rounds = full + (last > 0);
    return steps_of(call, plan).mean * cycles;
}

/* The same with different terms: the longest groups come first, shorter ones fill the gaps. */
static double uneven_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double groups,
                            double units, double *rounds)
{
    const double room = room_for(call, plan), others = fmin(ceil(groups / units), room) - 1,
                 beside = 1 + BESIDE_PART * others;
    const double met =
        (call->diag == GABLE_UNIT ? MASKED_UNIT : MASKED) * add_cycles(call, plan, 0);
    const tile_steps steps = steps_of(call, plan);
    *rounds = groups / (units * room);
    const double all = steps.mean * (fmin(*rounds, 1) * step_cycles(call, plan, room, true) +
                                     fmax(*rounds - 1, 0) * step_cycles(call, plan, room, false)) +
                       *rounds * steps.mean_met * met * warps_of(plan, room);
    const double longest = steps.longest * step_cycles(call, plan, beside, true) +
                           steps.longest_met * met * warps_of(plan, beside);
    return fmax(all, longest);
}

/* Cycles of all groups. A step whose terms are not whole waits for its elements, some at a time. */
static double all_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double groups,
                         double units)
{
    const double rows = (double)plan->wx * plan->tm, columns = (double)plan->wy * plan->tn,
                 stored = rows * columns * (double)gbl_dtype_bytes(call->dtype),
                 at_once = 2.0 * plan->vec * plan->wx * plan->wy;
    double rounds, cycles = call->triangular == GBL_NOT_TRIANGULAR
                                ? even_cycles(call, plan, groups, units, &rounds)
                                : uneven_cycles(call, plan, groups, units, &rounds);
    if (call->k % plan->terms != 0 && plan->stages == 0)
        cycles += ceil(rounds) * EDGE_LATENCY *
                  (ceil(rows * plan->terms / at_once) + ceil(columns * plan->terms / at_once));
    return cycles + fmax(rounds, 1) * stored / STORE_BYTES;
}

double gbl_tile_steps(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    return steps_of(call, plan).mean;
}

double gbl_tile_part_bytes(const gbl_product_call *call, const gbl_tile_plan *plan)
{
    const double shared = (double)plan->args.splits;
    return shared > 1 ? 2 * (double)gbl_dtype_bytes(call->dtype) * shared * (double)call->m *
                            (double)call->n
                      : 0;
}

double gbl_tile_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double entries,
                       double units)
{
    const double rows = (double)plan->wx * plan->tm, columns = (double)plan->wy * plan->tn,
                 groups = (double)plan->tiles * (double)plan->args.splits * entries;
    const double adding = gbl_tile_part_bytes(call, plan) / (units * PART_BYTES);
    const double reading =
        gbl_scalar_zero(&call->beta) || plan->args.splits > 1
            ? 0
            : (double)gbl_dtype_bytes(call->dtype) * groups * rows * columns / (units * READ_BYTES);
    return all_cycles(call, plan, groups, units) + adding + reading;
}
