/* declared_local.h: how much local memory a kernel's text declares, without a compiler.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the text as a preprocessor does, finds the arrays that are LOCAL or LOCAL_ROOM, and the
 * sizes of their types: structs of numbers and of other structs. What it does not understand of
 * them is an error; nothing else is looked at.
 */
#ifndef DECLARED_LOCAL_H
#define DECLARED_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a program, with "NAME=VALUE" macros, ended by NULL. For CUDA LOCAL_ROOM is not counted:
 * a launch says how large it is. -1: the text says #error, or cannot be read; `why` says which. */
#define DECLARED_WHY_BYTES 160
int64_t declared_local(const char *source, const char *const *macros, bool cuda,
                       char why[DECLARED_WHY_BYTES]);

#endif
