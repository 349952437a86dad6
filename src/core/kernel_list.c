/* kernel_list.c: kernels that calls ask for while nothing runs, to be compiled side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "core/kernel_list.h"

typedef struct stand_in {
    gbl_kernel kernel;
    gbl_code code;
} stand_in;

gable_status gbl_kernel_list_add(gbl_kernel_list *list, gbl_device *device,
                                 const gbl_kernel_spec *spec, gbl_kernel **kernel,
                                 gbl_message *message)
{
    for (int i = 0; i < list->count; i++) {
        if (gbl_kernel_same(&list->stand_ins[i]->spec, spec)) {
            *kernel = list->stand_ins[i];
            return GABLE_OK;
        }
    }
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 16;
        gbl_kernel **more = realloc(list->stand_ins, (size_t)room * sizeof *more);
        if (more == NULL)
            goto no_memory;
        list->stand_ins = more;
        list->room = room;
    }
    stand_in *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        goto no_memory;
    fresh->code.device = device;
    fresh->code.registers = fresh->code.spill_bytes = -1;
    fresh->kernel.code = &fresh->code;
    fresh->kernel.spec = *spec;
    fresh->kernel.device = device;
    gbl_kernel_entry(spec, fresh->kernel.entry);
    list->stand_ins[list->count++] = &fresh->kernel;
    *kernel = &fresh->kernel;
    return GABLE_OK;
no_memory:
    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory to note the kernel %s",
                    spec->file);
}

gable_status gbl_kernel_list_compile(gbl_kernel_list *list, gbl_device *device,
                                     gbl_message *message)
{
    gable_status status = GABLE_OK;
    const gbl_kernel_spec **specs =
        list->count > 0 ? malloc((size_t)list->count * sizeof *specs) : NULL;
    if (specs != NULL) {
        for (int i = 0; i < list->count; i++)
            specs[i] = &list->stand_ins[i]->spec;
        status = gbl_kernels_compile(device, specs, list->count, message);
    } else if (list->count > 0) {
        status = gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory to compile %d kernels",
                          list->count);
    }
    free(specs);
    gbl_kernel_list_clear(list);
    return status;
}

void gbl_kernel_list_clear(gbl_kernel_list *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->stand_ins[i]);
    free(list->stand_ins);
    *list = (gbl_kernel_list){NULL, 0, 0};
}
