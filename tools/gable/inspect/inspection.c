/* inspection.c: shows what `gable inspect` found out about a kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "inspection.h"
#include "gable/json.h"

static void print_mix(const char *title, const instruction_mix *mix)
{
    printf("\n%s: %d instructions in the program text (a loop's body counts once)\n", title,
           mix->total);
    for (int i = 0; i < mix->count; i++)
        printf("  %-26s %5d\n", mix->classes[i].name, mix->classes[i].instructions);
}

static void print_occupancy(const inspection *seen)
{
    const occupancy *found = &seen->occupancy;
    const occupancy_limits *limits = found->limits;
    printf("occupancy    %.0f %%: %d group%s on a multiprocessor, limited by %s\n",
           100 * found->fraction, found->groups, found->groups == 1 ? "" : "s", found->limiter);
    printf("             (assumes %d registers, %d threads, %d groups, %d KiB of shared memory)\n",
           limits->registers, limits->threads, limits->groups, limits->shared_kib);
}

static void print_all(const inspection *seen)
{
    int major = 0, minor = 0;
    gbl_nvrtc_version(&major, &minor, NULL);
    printf("kernel       %s (%s), for %s, by NVRTC %d.%d\nmacros      ", seen->entry, seen->file,
           seen->arch, major, minor);
    for (int i = 0; i < seen->spec.macro_count; i++)
        printf(" %s=%d", seen->spec.macros[i].name, (int)seen->spec.macros[i].value);
    putchar('\n');
    if (seen->has_resources) {
        printf("registers    %d per work-item\n", seen->resources.registers);
        printf("shared       %d bytes per group\n", seen->resources.local_bytes);
        printf("spills       %d bytes stored and loaded\n", seen->resources.spill_bytes);
        printf("stack        %d bytes\n", seen->resources.stack_bytes);
    } else {
        printf("registers    unknown: %s is compiled to PTX only\n", seen->arch);
    }
    if (seen->has_occupancy)
        print_occupancy(seen);
    else if (seen->has_resources)
        printf("occupancy    unknown: the limits of %s are not in the table\n", seen->arch);
    if (seen->has_ptx_mix)
        print_mix("PTX", &seen->ptx_mix);
    if (seen->has_sass_mix)
        print_mix("SASS", &seen->sass_mix);
    else
        printf("\nSASS: not shown: %s\n", seen->no_sass);
}

static void write_mix(const char *name, const instruction_mix *mix)
{
    json_open(name);
    for (int i = 0; i < mix->count; i++)
        json_integer(mix->classes[i].name, mix->classes[i].instructions);
    json_integer("total", mix->total);
    json_close();
}

static void write_all(const inspection *seen)
{
    json_open(NULL);
    json_text("kernel", seen->entry);
    json_text("file", seen->file);
    json_text("arch", seen->arch);
    json_open("macros");
    for (int i = 0; i < seen->spec.macro_count; i++)
        json_integer(seen->spec.macros[i].name, seen->spec.macros[i].value);
    json_close();
    if (seen->has_resources) {
        json_integer("registers", seen->resources.registers);
        json_integer("shared_bytes", seen->resources.local_bytes);
        json_integer("spill_bytes", seen->resources.spill_bytes);
        json_integer("stack_bytes", seen->resources.stack_bytes);
    }
    if (seen->has_occupancy) {
        json_number("occupancy", seen->occupancy.fraction);
        json_integer("groups_a_unit", seen->occupancy.groups);
        json_text("limiter", seen->occupancy.limiter);
    }
    if (seen->has_ptx_mix)
        write_mix("ptx", &seen->ptx_mix);
    if (seen->has_sass_mix)
        write_mix("sass", &seen->sass_mix);
    json_close();
}

void inspection_show(const inspection *seen, bool json)
{
    if (json)
        write_all(seen);
    else
        print_all(seen);
}
