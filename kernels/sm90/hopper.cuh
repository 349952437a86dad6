/* hopper.cuh: words for what multiprocessors from sm_90 on have and OpenCL cannot say.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are for mbarriers in shared memory, TMA copies of tiles, matrix units and clusters. Kernels
 * in this folder use these words instead of assembly wherever they can: tests define the same words
 * in plain C and run the kernels on the host.
 *
 * A PLACE is an address in shared memory; offsets are added to it in bytes. An mbarrier takes 8
 * bytes of shared memory. It completes a phase when `count` arrivals and all announced bytes have
 * come. Phases alternate between parity 0 and 1. MBARRIER_WAIT(s, parity) returns once the phase of
 * that parity is complete.
 */
#ifndef GABLE_HOPPER_WORDS
#define GABLE_HOPPER_WORDS

/* Behind a WARP_BARRIER one lane arrives for its warp: if (ARRIVES(lane == 0)) MBARRIER_ARRIVE(s).
 * LANES_ARRIVE=1: all of them do, and counts are 32 times as large. racecheck of CUDA 13 sees no
 * order in what lanes did before one arrived for them. */
#ifndef LANES_ARRIVE
#define LANES_ARRIVE 0
#endif
#define ARRIVES(first) (LANES_ARRIVE || (first))
#define WARP_ARRIVALS  (LANES_ARRIVE ? 32 : 1)

#ifndef GABLE_DIALECT

typedef u32 PLACE;

/* A map of a matrix for TMA; kernels take it as MAP(name), before all buffers. */
typedef struct ALIGNED(64) tensor_map {
    u64 word[16];
} tensor_map;
#define MAP(name) const __grid_constant__ tensor_map name

DEVICE PLACE PLACE_OF(const void *local)
{
    return (u32)__cvta_generic_to_shared(local);
}

/* A place with some of its lower bits changed, and the next one on a multiple of so many bytes. */
DEVICE PLACE PLACE_XOR(PLACE at, u32 bits)
{
    return at ^ bits;
}
DEVICE PLACE PLACE_UP(PLACE at, u32 whole)
{
    return (at + whole - 1) / whole * whole;
}

/* ---- Loads and stores, of 16 bytes, or of one number ---- */

DEVICE void LOAD_2D(f64 *x, f64 *y, PLACE at)
{
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(*x), "=d"(*y) : "r"(at));
}
DEVICE void LOAD_1D(f64 *x, PLACE at)
{
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(*x) : "r"(at));
}
DEVICE void STORE_2D(PLACE at, f64 x, f64 y)
{
    asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(at), "d"(x), "d"(y) : "memory");
}
DEVICE void LOAD_4S(float *v, PLACE at)
{
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                 : "r"(at));
}
DEVICE void STORE_4S(PLACE at, const float *v)
{
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(v[0]), "f"(v[1]),
                 "f"(v[2]), "f"(v[3])
                 : "memory");
}

DEVICE void STORE_1D(PLACE at, f64 x)
{
    asm volatile("st.shared.f64 [%0], %1;" ::"r"(at), "d"(x) : "memory");
}
DEVICE void STORE_1S(PLACE at, float x)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(x) : "memory");
}

/* One number from memory, where `whether` is not 0; else it stays as it is. Nobody branches: many
 * such loads are under way at once. */
DEVICE void LOAD_IF(f64 *x, const f64 *at, i32 whether)
{
    asm volatile("{\n\t.reg .pred loads;\n\t"
                 "setp.ne.s32 loads, %2, 0;\n\t"
                 "@loads ld.global.f64 %0, [%1];\n\t}"
                 : "+d"(*x)
                 : "l"(at), "r"(whether));
}
DEVICE void LOAD_IF(float *x, const float *at, i32 whether)
{
    asm volatile("{\n\t.reg .pred loads;\n\t"
                 "setp.ne.s32 loads, %2, 0;\n\t"
                 "@loads ld.global.f32 %0, [%1];\n\t}"
                 : "+f"(*x)
                 : "l"(at), "r"(whether));
}

/* To memory, what is not read again soon. */
DEVICE void STORE_ONCE_2D(f64 *at, f64 x, f64 y)
{
    asm volatile("st.global.cs.v2.f64 [%0], {%1, %2};" ::"l"(at), "d"(x), "d"(y) : "memory");
}

/* ---- Mbarriers ---- */

DEVICE void MBARRIER_INIT(PLACE s, i32 count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(s), "r"(count) : "memory");
}
/* After the last MBARRIER_INIT of a work-item, before the barrier that shows them to others. */
DEVICE void MBARRIERS_READY(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/* One arrival, and so many bytes to come from TMA. */
DEVICE void MBARRIER_EXPECT(PLACE s, i32 bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(s), "r"(bytes)
                 : "memory");
}
DEVICE void MBARRIER_ARRIVE(PLACE s)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(s) : "memory");
}
/* The same by those work-items only of which `whether` is not 0. Nobody branches: behind a branch
 * in the middle of many sums compilers spill (NVRTC 13.0, sm_90a). */
DEVICE void MBARRIER_ARRIVE_IF(PLACE s, i32 whether)
{
    asm volatile("{\n\t.reg .pred arrives;\n\t"
                 "setp.ne.s32 arrives, %1, 0;\n\t"
                 "@arrives mbarrier.arrive.shared.b64 _, [%0];\n\t}" ::"r"(s),
                 "r"(whether)
                 : "memory");
}
DEVICE void MBARRIER_WAIT(PLACE s, u32 parity)
{
    asm volatile("{\n\t.reg .pred done;\n"
                 "again_%=:\n\t"
                 "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n\t"
                 "@!done bra again_%=;\n\t}" ::"r"(s),
                 "r"(parity)
                 : "memory");
}

/* ---- Copies ---- */

/* Makes TMA read a map before it is used. */
DEVICE void PREFETCH_TENSOR_MAP(const tensor_map *map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}
/* A TMA tile of a matrix, its first element at (x, y[, z[, w]]); what lies outside becomes zeros
 * and counts as bytes, too. */
DEVICE void TMA_LOAD_2(PLACE to, const tensor_map *map, i32 x, i32 y, PLACE mbarrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(mbarrier)
                 : "memory");
}
DEVICE void TMA_LOAD_3(PLACE to, const tensor_map *map, i32 x, i32 y, i32 z, PLACE mbarrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(z), "r"(mbarrier)
                 : "memory");
}
DEVICE void TMA_LOAD_4(PLACE to, const tensor_map *map, i32 x, i32 y, i32 z, i32 w, PLACE mbarrier)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(mbarrier)
                 : "memory");
}
/* The way back: a TMA tile of shared memory to a matrix. What lies outside of that is not written,
 * but for the rest of 16 bytes along x that begin inside (H200, 2026-11; TMA tiles that come are
 * cut to the element). Who wrote the TMA tile says STORES_READY first. TMA_STORE_COMMIT makes one
 * group of all that this work-item sent since the last one. TMA_STORE_READ_WAIT(n): of its groups
 * all but the last n have been read, so that their shared memory is free; TMA_STORE_WAIT(n): they
 * are in memory. */
DEVICE void TMA_STORE_2(const tensor_map *map, i32 x, i32 y, PLACE from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(map),
                 "r"(x), "r"(y), "r"(from)
                 : "memory");
}
DEVICE void TMA_STORE_COMMIT(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
#define TMA_STORE_READ_WAIT(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")
#define TMA_STORE_WAIT(n)      asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
/* One element of 4, 8 or 16 bytes, of which the first `given` are read and the others become
 * zeros. */
DEVICE void COPY_ELEMENT(PLACE to, const void *from, const i32 bytes, i32 given)
{
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                     "r"(given)
                     : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(given)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(given)
                     : "memory");
}
/* Arrives once all COPY_ELEMENTs of this work-item are done; it is one of the mbarrier's
 * `count`. */
DEVICE void COPIES_ARRIVE(PLACE mbarrier)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(mbarrier) : "memory");
}
/* What this work-item stored in shared memory is seen by TMA and the matrix units of a
 * warpgroup. */
DEVICE void STORES_READY(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/* What this work-item asked shared memory for has come: TMA may overwrite it. Without this word
 * compilers let an arrival overtake loads that are under way (NVRTC 13.0, sm_90a): rare wrong
 * sums. */
DEVICE void READS_DONE(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/* Makes the second-level cache fetch bytes, a multiple of 16 from a whole 16. */
DEVICE void FETCH_AHEAD(const void *from, i32 bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}

/* ---- Matrix units ---- */

/* C := A B + C by 32 lanes: A 16 x 16, B 16 x 8. Lane l holds, with g = l / 4 and t = l % 4: a[i] =
 * A(g + 8 (i % 2), t + 4 (i / 2)), b[i] = B(t + 4 i, g), c[i] = C(g + 8 (i / 2), 2 t + i % 2). */
DEVICE void MULTIPLY_16X8X16(f64 *c, const f64 *a, const f64 *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                   "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}
/* The same with A 16 x 8, B 8 x 8: a[i] = A(g + 8 (i % 2), t + 4 (i / 2)), b[i] = B(t + 4 i, g). */
DEVICE void MULTIPLY_16X8X8(f64 *c, const f64 *a, const f64 *b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/* -x without the units that add. */
DEVICE f64 MINUS(f64 x)
{
    return __longlong_as_double(__double_as_longlong(x) ^ (i64)0x8000000000000000ull);
}

/* ---- Registers ---- */

/* The compiler forgets what it knows of a variable of 32 bits, or of an address: what is made of it
 * is made where it is used, and holds no registers in a loop before. */
#define FORGET(x)    asm volatile("" : "+r"(x))
#define FORGET_AT(p) asm volatile("" : "+l"(p))

/* ---- Groups ---- */

/* Registers per work-item of a warpgroup (128 work-items), from here on. */
#define REGISTERS_FEWER(n) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n))
#define REGISTERS_MORE(n)  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n))
/* A barrier of `lanes` work-items, one of 1 to 15; those that only arrive do not wait. */
#define BARRIER_OF(id, lanes) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(lanes) : "memory")
#define ARRIVE_AT(id, lanes)  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(lanes) : "memory")
#define WARP_BARRIER()        __syncwarp()

/* A cluster of groups: the number of this one, a barrier of all, and loads from another's shared
 * memory. */
DEVICE i32 CLUSTER_RANK(void)
{
    i32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
DEVICE void CLUSTER_BARRIER(void)
{
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}
/* The same in two parts: what is done between them is not waited for. */
DEVICE void CLUSTER_ARRIVE(void)
{
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}
DEVICE void CLUSTER_WAIT(void)
{
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
/* The same place in the shared memory of group `rank`. */
DEVICE PLACE PEER_PLACE(PLACE own, i32 rank)
{
    PLACE other;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(rank));
    return other;
}
DEVICE void LOAD_PEER_2D(f64 *x, f64 *y, PLACE at)
{
    asm volatile("ld.shared::cluster.v2.f64 {%0, %1}, [%2];" : "=d"(*x), "=d"(*y) : "r"(at));
}
DEVICE void STORE_PEER_2D(PLACE at, f64 x, f64 y)
{
    asm volatile("st.shared::cluster.v2.f64 [%0], {%1, %2};" ::"r"(at), "d"(x), "d"(y) : "memory");
}
DEVICE void LOAD_PEER_4S(float *v, PLACE at)
{
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                 : "r"(at));
}

#endif
#endif
