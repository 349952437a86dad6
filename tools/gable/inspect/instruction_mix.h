/* instruction_mix.h: counts the instructions of a compiled kernel by what they do.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts are of the program text, not of what runs: a loop's body counts once.
 */
#ifndef TOOL_INSTRUCTION_MIX_H
#define TOOL_INSTRUCTION_MIX_H

#include <stdbool.h>
#include <stddef.h>

#define MIX_MAX_CLASSES 48
#define MIX_NAME_BYTES  32

typedef struct mix_class {
    char name[MIX_NAME_BYTES]; /* "global load, 16 bytes" */
    int instructions;
    int order; /* in the listing */
} mix_class;

typedef struct instruction_mix {
    int count; /* classes that occur */
    int total; /* instructions */
    mix_class classes[MIX_MAX_CLASSES];
} instruction_mix;

/* The mix of one kernel in PTX text; false when the text does not have it. */
bool mix_of_ptx(const char *ptx, const char *entry, instruction_mix *mix);

/* The mix of one kernel in what nvdisasm or cuobjdump print. */
bool mix_of_sass(const char *text, const char *entry, instruction_mix *mix);

/* Sorted by class: memory, arithmetic, control, the rest. */
void mix_sort(instruction_mix *mix);

#endif
