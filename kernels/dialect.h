/* dialect.h: the words kernels are written in, for CUDA (NVRTC) and for OpenCL C 1.2.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The only file that says CUDA or OpenCL. README.md beside it explains each word. Tests compile the
 * kernels as plain C with words of their own, and define GABLE_DIALECT to say so.
 */
#ifndef GABLE_DIALECT
#if defined(__CUDACC__)

typedef int i32;
typedef long long i64;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef double f64;
#define KERNEL(op, wx, wy, min_groups)                                                             \
    extern "C" __global__ void __launch_bounds__((wx) * (wy), min_groups) FN(op)
#define DEVICE __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define LOCAL_PTR
#define RESTRICT             __restrict__
#define ALIGNED(n)           __align__(n)
#define UNROLLED             _Pragma("unroll")
#define ROLLED               _Pragma("unroll 1")
#define BARRIER()            __syncthreads()
#define ITEM_X               ((i32)threadIdx.x)
#define GROUP_X              ((i64)blockIdx.x)
#define GROUP_Y              ((i64)blockIdx.y)
#define GROUPS_X             ((i64)gridDim.x)
#define WARP_SIZE            32
#define SHUFFLE_XOR(v, mask) __shfl_xor_sync(0xffffffffu, (v), (mask))
#define SHUFFLE(v, lane)     __shfl_sync(0xffffffffu, (v), (lane))
#define WARP_ANY(c)          __any_sync(0xffffffffu, (c))
#define R_fma(a, b, c)       fma((a), (b), (c)) /* overloaded for float by the compiler */
#define MAY_FUSE

/* its size is the launch's dynamic_local_bytes */
#define LOCAL_ROOM(type, name, count) extern __shared__ __align__(16) type name[]

#if __CUDA_ARCH__ >= 900
DEVICE void BEGIN(void)
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
DEVICE void NEXT_MAY_START(void)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#else
#define BEGIN()          (void)0
#define NEXT_MAY_START() (void)0
#endif

DEVICE i32 TICKET(i32 *p)
{
    i32 ticket; /* atomicAdd between two __threadfence takes 0.2 us longer (H200, 2026-11) */
    asm volatile("atom.acq_rel.gpu.global.add.s32 %0, [%1], 1;" : "=r"(ticket) : "l"(p) : "memory");
    return ticket;
}
DEVICE void AWAIT(i32 *p, i32 least)
{
    i32 now;
    do
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(p) : "memory");
    while (now < least);
}
#define PUBLISH(p, w) (*(p) = (w)) /* p is volatile: st.volatile, ld.volatile */
#define PEEK(p)       (*(p))
#define FETCH(p)      asm volatile("prefetch.global.L2 [%0];" ::"l"(p))

#if __CUDA_ARCH__ >= 800
DEVICE void copy_ahead(void *to, const void *from, const int bytes)
{
    const u32 at = (u32)__cvta_generic_to_shared(to);
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}
DEVICE void copy_ahead_if(void *to, const void *from, const int bytes, i32 given)
{
    const u32 at = (u32)__cvta_generic_to_shared(to);
    const i32 some = given ? bytes : 0; /* zeros take the place of the rest */
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(some)
                     : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(from), "r"(some)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(some)
                     : "memory");
}
#define COPY_AHEAD(to, from) copy_ahead((to), (from), (int)sizeof *(to))
#define COPY_AHEAD_IF(to, from, given, zeros)                                                      \
    copy_ahead_if((to), (from), (int)sizeof *(to), (given))
#define COPIES_END()        asm volatile("cp.async.commit_group;" ::: "memory")
#define COPIES_WAIT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")
#else
#define COPY_AHEAD(to, from)                  (*(to) = *(from))
#define COPY_AHEAD_IF(to, from, given, zeros) (*(to) = (given) ? *(from) : (zeros))
#define COPIES_END()                          (void)0
#define COPIES_WAIT(groups)                   (void)0
#endif

#else

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#undef dot /* a macro in PoCL, which would spoil the name of the kernel */
typedef int i32;
typedef long i64;
typedef unsigned int u32;
typedef unsigned long u64;
typedef double f64;
#define KERNEL(op, wx, wy, min_groups)                                                             \
    __kernel __attribute__((reqd_work_group_size(wx, wy, 1), flatten)) void FN(op)
#define DEVICE           static inline __attribute__((flatten))
#define GLOBAL           __global
#define LOCAL            __local
#define LOCAL_PTR        __local
#define RESTRICT         restrict
#define ALIGNED(n)       __attribute__((aligned(n)))
#define UNROLLED         _Pragma("unroll")
#define ROLLED           _Pragma("unroll 1")
#define BARRIER()        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define BEGIN()          (void)0
#define NEXT_MAY_START() (void)0
#define ITEM_X           ((i32)get_local_id(0))
#define GROUP_X          ((i64)get_group_id(0))
#define GROUP_Y          ((i64)get_group_id(1))
#define GROUPS_X         ((i64)get_num_groups(0))
#define WARP_SIZE        1
#define R_fma(a, b, c)   fma((a), (b), (c))
#define MAY_FUSE         _Pragma("clang fp contract(fast)")

#define LOCAL_ROOM(type, name, count) __local type name[count]

#if defined(__NV_CL_C_VERSION) /* its mem_fence orders within a group only */
#define FENCE_DEVICE() asm volatile("membar.gl;" ::: "memory")
#else
#define FENCE_DEVICE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
DEVICE i32 TICKET(GLOBAL i32 *p)
{
    FENCE_DEVICE();
    const i32 ticket = atomic_inc(p);
    FENCE_DEVICE();
    return ticket;
}
DEVICE void AWAIT(GLOBAL i32 *p, i32 least)
{
    while (*(GLOBAL volatile i32 *)p < least) {
    }
    FENCE_DEVICE();
}
#define PUBLISH(p, w) (*(p) = (w)) /* p is volatile */
#define PEEK(p)       (*(p))
#define FETCH(p)      (void)(p)

#define COPY_AHEAD(to, from)                  (*(to) = *(from))
#define COPY_AHEAD_IF(to, from, given, zeros) (*(to) = (given) ? *(from) : (zeros))
#define COPIES_END()                          (void)0
#define COPIES_WAIT(groups)                   (void)0

#endif
#endif
