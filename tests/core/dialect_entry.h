/* dialect_entry.h: one kernel file as a C function with a name of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by generated sources (kernels_c.cmake) that define KERNEL_FILE, KERNEL_STEM_<stem>,
 * ENTRY, LANES_TOGETHER and the kernel's macros. ENTRY unpacks what a launch carries.
 */
#include <string.h>
#include "dialect_c.h"
#include "prec.h"
#include KERNEL_FILE

#define CHANGED(i) ((void *)(uintptr_t)buffers[i])

void ENTRY(const void *const *buffers, const void *args);
void ENTRY(const void *const *buffers, const void *args)
{
#if defined(KERNEL_STEM_copy)
    copy_args a;
    memcpy(&a, args, sizeof a);
    FN(copy)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_axpy)
    axpy_args a;
    memcpy(&a, args, sizeof a);
    FN(axpy)(buffers[0], buffers[1], CHANGED(2), a);
#elif defined(KERNEL_STEM_read)
    copy_args a;
    memcpy(&a, args, sizeof a);
    FN(read)(buffers[0], CHANGED(1), a);
#else
    reduce_args a;
    memcpy(&a, args, sizeof a);
#if defined(KERNEL_STEM_dot)
    FN(dot)(buffers[0], buffers[1], CHANGED(2), CHANGED(3), CHANGED(4), a);
#elif defined(KERNEL_STEM_dot_finish)
    FN(dot_finish)(buffers[0], CHANGED(1), a);
#elif defined(KERNEL_STEM_nrm2)
    FN(nrm2)(buffers[0], CHANGED(1), CHANGED(2), CHANGED(3), a);
#elif defined(KERNEL_STEM_nrm2_finish)
    FN(nrm2_finish)(buffers[0], CHANGED(1), a);
#else
#error "dialect_entry.h does not know this kernel: give it a line here"
#endif
#endif
}
