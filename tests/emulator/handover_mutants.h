/* handover_mutants.h: the list of mutants that handover.cmake makes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HANDOVER_MUTANTS_H
#define HANDOVER_MUTANTS_H

/* Mutant i of the list has the number i + 1. */
extern const struct handover_mutant {
    const char *name;   /* NULL ends the list */
    const char *caught; /* what may catch it: "race", "result", "hang", with commas between */
} handover_mutants[];

#endif
