/* kernel_list.h: kernels that calls ask for while nothing runs, to be compiled side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A variant's `run` says best which kernels a call needs: it asks gbl_kernel_get for them. While a
 * thread notes into a list, it gets a stand-in for each kernel that is not compiled yet. Nothing
 * may be launched then: launches go to a preparation (prepare.h), which drops them. A stand-in says
 * that nothing is known of the compiled code: neither its registers nor the largest group it can
 * run in.
 */
#ifndef GBL_KERNEL_LIST_H
#define GBL_KERNEL_LIST_H

#include "core/kernel.h"

/* Zeroed before use. */
typedef struct gbl_kernel_list {
    gbl_kernel **stand_ins; /* one per kernel */
    int count, room;
} gbl_kernel_list;

/* From here on this thread notes into the list; NULL: it compiles again. Gives the list before. */
gbl_kernel_list *gbl_kernels_note(gbl_kernel_list *list);

/* Of gbl_kernel_get: the stand-in of a kernel, made at the first question. */
gable_status gbl_kernel_list_add(gbl_kernel_list *list, gbl_device *device,
                                 const gbl_kernel_spec *spec, gbl_kernel **kernel,
                                 gbl_message *message);

/* Compiles all (gbl_kernels_compile) and empties the list, also where one fails. Whoever asked gets
 * the kernels when it asks again. */
gable_status gbl_kernel_list_compile(gbl_kernel_list *list, gbl_device *device,
                                     gbl_message *message);
void gbl_kernel_list_clear(gbl_kernel_list *list);

#endif
