/* dialect_entry.h: one kernel file as a C function with a name of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by generated sources (kernels_c.cmake) that define KERNEL_FILE, KERNEL_STEM,
 * KERNEL_STEM_<stem>, ENTRY, WARP_SIZE and the kernel's macros. ENTRY unpacks what a launch
 * carries.
 */
#include <string.h>
#include "dialect_c.h"
#if defined(BULK) && BULK
#include "dialect_bulk.h"
#endif
#include "prec.h"
#include KERNEL_FILE

#define CHANGED(i) ((void *)(uintptr_t)buffers[i])

/* The arguments that a launch carries, as the kernel's struct. */
#define UNPACK(type)                                                                               \
    type a;                                                                                        \
    memcpy(&a, args, sizeof a)

/* FN(name), expanded also where the name is a macro. */
#define CALL(name) FN(name)

void ENTRY(const void *const *buffers, const void *args);
void ENTRY(const void *const *buffers, const void *args)
{
#if defined(MAP_WRITES) /* every kernel of map.h */
    UNPACK(map_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], CHANGED(2), CHANGED(3), CHANGED(4), a);
#elif defined(KERNEL_STEM_chase)
    UNPACK(roof_args);
    CALL(KERNEL_STEM)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_dot)
    UNPACK(reduce_args);
    FN(dot)(buffers[0], buffers[1], CHANGED(2), CHANGED(3), CHANGED(4), a);
#elif defined(KERNEL_STEM_nrm2) || defined(KERNEL_STEM_asum) || defined(KERNEL_STEM_amax)
    UNPACK(reduce_args);
    CALL(KERNEL_STEM)(buffers[0], CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_dot_finish) || defined(KERNEL_STEM_nrm2_finish) ||                       \
    defined(KERNEL_STEM_asum_finish) || defined(KERNEL_STEM_amax_finish)
    UNPACK(reduce_args);
    CALL(KERNEL_STEM)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_mdot)
    UNPACK(mdot_args);
    FN(mdot)(buffers[0], buffers[1], CHANGED(2), CHANGED(3), CHANGED(4), a);
#elif defined(KERNEL_STEM_mdot_finish)
    UNPACK(mdot_args);
    FN(mdot_finish)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_mnrm2)
    UNPACK(mdot_args);
    FN(mnrm2)(buffers[0], CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_mnrm2_finish)
    UNPACK(mdot_args);
    FN(mnrm2_finish)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_maxpy)
    UNPACK(maxpy_args);
    FN(maxpy)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(KERNEL_STEM_gemv_n) || defined(KERNEL_STEM_gemv_t)
    UNPACK(gemv_args);
    CALL(KERNEL_STEM)
    (buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), CHANGED(5), CHANGED(6), a);
#elif defined(KERNEL_STEM_ger) || defined(KERNEL_STEM_syr) || defined(KERNEL_STEM_syr2)
    UNPACK(rank_update_args);
    CALL(KERNEL_STEM)(buffers[0], CHANGED(1), buffers[2], buffers[3], a);
#elif defined(KERNEL_STEM_symv)
    UNPACK(symv_args);
    FN(symv)(buffers[0], buffers[1], buffers[2], CHANGED(3), CHANGED(4), a);
#elif defined(KERNEL_STEM_symv_finish)
    UNPACK(symv_args);
    FN(symv_finish)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_symv_read_twice)
    UNPACK(symv_read_twice_args);
    FN(symv_read_twice)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_gemv_batched_n) || defined(KERNEL_STEM_gemv_batched_t)
    UNPACK(gemv_batched_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_band_single_item)
    UNPACK(band_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_trmv_n)
    UNPACK(trmv_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(KERNEL_STEM_trsv)
    UNPACK(trsv_args);
    FN(trsv)(buffers[0], CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_transpose_n)
    UNPACK(plane_args);
    FN(transpose_n)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_geam_t)
    UNPACK(turn_args);
    FN(geam_t)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_lacpy)
    UNPACK(part_args);
    FN(lacpy)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_laset) || defined(KERNEL_STEM_lascl)
    UNPACK(part_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(KERNEL_STEM_norm_max) || defined(KERNEL_STEM_norm_columns) ||                        \
    defined(KERNEL_STEM_norm_rows) || defined(KERNEL_STEM_norm_both) ||                            \
    defined(KERNEL_STEM_norm_frobenius) || defined(KERNEL_STEM_norm_max_finish) ||                 \
    defined(KERNEL_STEM_norm_sums_finish) || defined(KERNEL_STEM_norm_frobenius_finish)
    UNPACK(norm_args);
    CALL(KERNEL_STEM)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_laswp)
    UNPACK(laswp_args);
    FN(laswp)(CHANGED(0), buffers[1], a);
#elif defined(KERNEL_STEM_potrf_leaf)
    UNPACK(potrf_args);
    FN(potrf_leaf)(CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_geqrf_grid)
    UNPACK(geqrf_args);
    FN(geqrf_grid)
    (CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), CHANGED(4), CHANGED(5), CHANGED(6), a);
#elif defined(KERNEL_STEM_gehrd_panel)
    UNPACK(gehrd_panel_args);
    FN(gehrd_panel)
    (CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), CHANGED(4), CHANGED(5), CHANGED(6), CHANGED(7),
     CHANGED(8), CHANGED(9), a);
#elif defined(KERNEL_STEM_gebrd_panel)
    UNPACK(gebrd_panel_args);
    FN(gebrd_panel)
    (CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), CHANGED(4), CHANGED(5), CHANGED(6), CHANGED(7),
     CHANGED(8), CHANGED(9), CHANGED(10), CHANGED(11), CHANGED(12), a);
#elif defined(KERNEL_STEM_sytrd_panel)
    UNPACK(sytrd_panel_args);
    FN(sytrd_panel)
    (CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), CHANGED(4), CHANGED(5), CHANGED(6), CHANGED(7),
     CHANGED(8), CHANGED(9), CHANGED(10), CHANGED(11), a);
#elif defined(KERNEL_STEM_getrf_grid)
    UNPACK(getrf_grid_args);
    FN(getrf_grid)
    (CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3), CHANGED(4), CHANGED(5), CHANGED(6), a);
#elif defined(TRIANGLE_C) && defined(TRIANGULAR) /* every kernel of gemm.h with one launch */
    UNPACK(gemm_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_sparse_pack)
    UNPACK(sparse_convert_args);
    FN(sparse_pack)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], CHANGED(5), CHANGED(6), a);
#elif defined(KERNEL_STEM_sparse_rest)
    UNPACK(sparse_convert_args);
    FN(sparse_rest)
    (buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), CHANGED(5), CHANGED(6), a);
#elif defined(KERNEL_STEM_sparse_lengths) || defined(KERNEL_STEM_sparse_look)
    UNPACK(sparse_convert_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], buffers[2], CHANGED(3), a);
#elif defined(KERNEL_STEM_sparse_unpack)
    UNPACK(sparse_convert_args);
    FN(sparse_unpack)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], buffers[6], buffers[7],
     CHANGED(8), CHANGED(9), a);
#elif defined(KERNEL_STEM_sparse_counts)
    UNPACK(sparse_convert_args);
    FN(sparse_counts)(buffers[0], buffers[1], CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_sparse_scan)
    UNPACK(sparse_convert_args);
    FN(sparse_scan)(buffers[0], CHANGED(1), CHANGED(2), a);
#elif defined(KERNEL_STEM_sparse_starts) || defined(KERNEL_STEM_sparse_sort) ||                    \
    defined(KERNEL_STEM_sparse_longer)
    UNPACK(sparse_convert_args);
    CALL(KERNEL_STEM)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_sparse_check_rows) || defined(KERNEL_STEM_sparse_check_entries)
    UNPACK(sparse_convert_args);
    CALL(KERNEL_STEM)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(KERNEL_STEM_cg_vectors)
    UNPACK(cg_vectors_args);
    FN(cg_vectors)
    (CHANGED(0), buffers[1], buffers[2], CHANGED(3), buffers[4], CHANGED(5), CHANGED(6), CHANGED(7),
     buffers[8], a);
#elif defined(KERNEL_STEM_cg_product)
    UNPACK(cg_product_args);
    FN(cg_product)
    (CHANGED(0), buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], buffers[6], CHANGED(7),
     CHANGED(8), a);
#elif defined(KERNEL_STEM_block_gather)
    UNPACK(block_args);
    FN(block_gather)(buffers[0], buffers[1], buffers[2], buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_block_inverse)
    UNPACK(block_args);
    FN(block_inverse)(CHANGED(0), a);
#elif defined(KERNEL_STEM_block_apply)
    UNPACK(block_args);
    FN(block_apply)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(KERNEL_STEM_expand)
    UNPACK(expand_args);
    FN(expand)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_random)
    UNPACK(random_args);
    FN(random)(CHANGED(0), a);
#elif defined(KERNEL_STEM_rotg)
    (void)args; /* it has none */
    FN(rotg)(CHANGED(0), CHANGED(1), CHANGED(2), CHANGED(3));
#elif defined(KERNEL_STEM_rotmg)
    UNPACK(rotmg_args);
    FN(rotmg)(CHANGED(0), CHANGED(1), CHANGED(2), buffers[3], CHANGED(4), a);
#elif defined(KERNEL_STEM_sparse_mv) || defined(KERNEL_STEM_sparse_single_item)
    UNPACK(sparse_mv_args);
    CALL(KERNEL_STEM)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], buffers[6], CHANGED(7),
     a);
#elif defined(KERNEL_STEM_sparse_staged)
    UNPACK(sparse_mv_args);
    FN(sparse_staged)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], CHANGED(6), a);
#elif defined(KERNEL_STEM_sparse_coo)
    UNPACK(sparse_coo_args);
    FN(sparse_coo)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], CHANGED(5), CHANGED(6), a);
#elif defined(KERNEL_STEM_sparse_coo_finish)
    UNPACK(sparse_coo_args);
    FN(sparse_coo_finish)(buffers[0], buffers[1], buffers[2], CHANGED(3), a);
#elif defined(KERNEL_STEM_sparse_merge)
    UNPACK(sparse_merge_args);
    FN(sparse_merge)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], CHANGED(6), CHANGED(7),
     CHANGED(8), CHANGED(9), a);
#elif defined(KERNEL_STEM_sparse_merge_finish)
    UNPACK(sparse_merge_args);
    FN(sparse_merge_finish)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], CHANGED(5), a);
#elif defined(KERNEL_STEM_sparse_scale)
    UNPACK(sparse_coo_args);
    FN(sparse_scale)(buffers[0], CHANGED(1), a);
#else
#error "dialect_entry.h does not know this kernel: give it a line here"
#endif
}
