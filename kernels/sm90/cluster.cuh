/* cluster.cuh: words for leaves of factorizations in one cluster, beside those of hopper.cuh.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They stand apart, so that products keep their texts, by which measurements know them.
 */
#ifndef GABLE_CLUSTER_WORDS
#define GABLE_CLUSTER_WORDS
#include "hopper.cuh"

#ifndef GABLE_DIALECT

/* ---- Other groups' shared memory ---- */

DEVICE void STORE_PEER_4S(PLACE at, const float *v)
{
    asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(v[0]),
                 "f"(v[1]), "f"(v[2]), "f"(v[3])
                 : "memory");
}
/* One number to a place of another group, whose bytes an mbarrier of that group counts when they
 * have come. Who waits for that mbarrier sees them. */
DEVICE void SEND_PEER_1D(PLACE at, f64 x, PLACE mbarrier)
{
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [%0], %1, [%2];" ::"r"(at),
        "d"(x), "r"(mbarrier)
        : "memory");
}
DEVICE void SEND_PEER_1S(PLACE at, float x, PLACE mbarrier)
{
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(at),
        "f"(x), "r"(mbarrier)
        : "memory");
}

/* ---- Warps ---- */

/* The largest and the smallest of the numbers of 32 lanes; a bit for each lane with a condition;
 * the first lane that has one. */
#define LANES_MAX(x)      __reduce_max_sync(0xffffffffu, (u32)(x))
#define LANES_MIN(x)      __reduce_min_sync(0xffffffffu, (u32)(x))
#define LANES_WITH(c)     __ballot_sync(0xffffffffu, (c))
#define FIRST_LANE(lanes) (__ffs((i32)(lanes)) - 1)

/* ---- The words of numbers ---- */

#define HIGH_WORD(x)        ((u32)__double2hiint(x))
#define LOW_WORD(x)         ((u32)__double2loint(x))
#define OF_WORDS(high, low) __hiloint2double((i32)(high), (i32)(low))
#define FLOAT_WORD(x)       __float_as_uint(x)

#endif
#endif
