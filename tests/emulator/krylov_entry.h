/* krylov_entry.h: one kernel of a solver as a C function with a name of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by sources that krylov_kernels.cmake writes: they define KERNEL_FILE, STEM_<stem>,
 * ENTRY, WARP_SIZE and the kernel's macros.
 */
#include <string.h>
#include "dialect_c.h"
#include "prec.h"
#include KERNEL_FILE

#define CHANGED(i) ((void *)(uintptr_t)buffers[i])
#define UNPACK(type)                                                                               \
    type a;                                                                                        \
    memcpy(&a, args, sizeof a)

void ENTRY(const void *const *buffers, const void *args);
void ENTRY(const void *const *buffers, const void *args)
{
#if defined(STEM_gmres_dots)
    UNPACK(gmres_args);
    FN(gmres_dots)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(STEM_gmres_column)
    UNPACK(gmres_args);
    FN(gmres_column)(buffers[0], CHANGED(1), a);
#elif defined(STEM_gmres_update)
    UNPACK(gmres_args);
    FN(gmres_update)(CHANGED(0), buffers[1], a);
#elif defined(STEM_gmres_solve)
    UNPACK(gmres_args);
    FN(gmres_solve)(CHANGED(0), a);
#elif defined(STEM_gmres_correct)
    UNPACK(gmres_args);
    FN(gmres_correct)(buffers[0], buffers[1], buffers[2], CHANGED(3), a);
#elif defined(STEM_gmres_product)
    UNPACK(gmres_product_args);
    FN(gmres_product)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], CHANGED(6), a);
#elif defined(STEM_bicgstab_start)
    UNPACK(bicgstab_args);
    FN(bicgstab_start)(buffers[0], buffers[1], CHANGED(2), CHANGED(3), CHANGED(4), CHANGED(5), a);
#elif defined(STEM_bicgstab_product)
    UNPACK(bicgstab_args);
    FN(bicgstab_product)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], buffers[6], CHANGED(7),
     CHANGED(8), buffers[9], CHANGED(10), a);
#elif defined(STEM_bicgstab_half)
    UNPACK(bicgstab_args);
    FN(bicgstab_half)
    (buffers[0], buffers[1], buffers[2], CHANGED(3), CHANGED(4), buffers[5], CHANGED(6), a);
#elif defined(STEM_bicgstab_update)
    UNPACK(bicgstab_args);
    FN(bicgstab_update)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], CHANGED(6), CHANGED(7),
     CHANGED(8), CHANGED(9), buffers[10], buffers[11], CHANGED(12), a);
#elif defined(STEM_bicgstab_judge)
    UNPACK(bicgstab_args);
    FN(bicgstab_judge)(CHANGED(0), buffers[1], a);
#elif defined(STEM_level_solve)
    UNPACK(level_solve_args);
    FN(level_solve)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], buffers[5], buffers[6], CHANGED(7),
     buffers[8], CHANGED(9), a);
#elif defined(STEM_cg_persistent)
    UNPACK(cg_persistent_args);
    FN(cg_persistent)
    (buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], CHANGED(5), CHANGED(6), CHANGED(7),
     CHANGED(8), CHANGED(9), CHANGED(10), a);
#else
#error "a kernel that krylov_entry.h does not know"
#endif
}
