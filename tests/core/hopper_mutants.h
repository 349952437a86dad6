/* hopper_mutants.h: the list of mutants that ring_mutants.cmake makes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HOPPER_MUTANTS_H
#define HOPPER_MUTANTS_H

/* Mutant i of the list has the number i + 1. */
extern const struct hopper_mutant {
    const char *name; /* NULL ends the list */
    const char
        *caught; /* "result", or "race" where only the thread sanitizer sees it for certain */
} hopper_mutants[];

#endif
