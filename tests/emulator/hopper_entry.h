/* hopper_entry.h: one kernel of kernels/sm90 as a C function with a name of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What dialect_entry.h is for the other kernels, with the words of dialect_hopper.h.
 */
#include <string.h>
#include "dialect_hopper.h"
#include "dialect_wgmma.h"
#include "prec.h"
#include KERNEL_FILE

#define CHANGED(i) ((void *)(uintptr_t)buffers[i])

/* The arguments that a launch carries, as the kernel's struct. */
#define UNPACK(type)                                                                               \
    type a;                                                                                        \
    memcpy(&a, args, sizeof a)

#define CALL(name) FN(name)

void ENTRY(const void *const *buffers, const void *args);
void ENTRY(const void *const *buffers, const void *args)
{
#if defined(KERNEL_STEM_hopper_words)
    UNPACK(hopper_words_args);
    FN(hopper_words)(hopper_map(0, 1), buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_gemm_dmma) || defined(KERNEL_STEM_gemm_ffma)
    UNPACK(gemm_pipeline_args);
    enum { FACTORS = TWO_PRODUCTS ? 4 : 2, MAPS = FACTORS + (STAGED_C > 0) };
    CALL(KERNEL_STEM)
    (hopper_map(0, MAPS), hopper_map(1, MAPS),
#if TWO_PRODUCTS
     hopper_map(2, MAPS), hopper_map(3, MAPS),
#endif
#if STAGED_C
     hopper_map(FACTORS, MAPS),
#endif
     buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), buffers[5], a);
#elif defined(KERNEL_STEM_gemm_tf32)
    UNPACK(gemm_args);
    FN(gemm_tf32)
    (hopper_map(0, 2), hopper_map(1, 2), buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4),
     a);
#elif defined(KERNEL_STEM_geqrf_cluster)
    UNPACK(geqrf_args);
    FN(geqrf_cluster)(CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_getrf_cluster) || defined(KERNEL_STEM_getrf_group)
    UNPACK(getrf_args);
    CALL(KERNEL_STEM)(CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_transpose_n)
    UNPACK(plane_args);
    FN(transpose_n)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_gemv_n) || defined(KERNEL_STEM_gemv_t)
    UNPACK(gemv_args);
    CALL(KERNEL_STEM)
    (buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), CHANGED(5), CHANGED(6), a);
#else
#error "hopper_entry.h does not know this kernel: give it a line here"
#endif
}
