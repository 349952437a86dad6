/* dynlib.h: libraries opened at run time, symbols loaded without forbidden casts.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_DYNLIB_H
#define GBL_DYNLIB_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a library by name or path. isolated: its symbols and those it calls stay its own
 * (RTLD_DEEPBIND, where the build allows it). On failure NULL, and *why (may be NULL) points to the
 * loader's words, valid until the next call in this thread. */
void *gbl_dynlib_open(const char *name, bool isolated, const char **why);
void gbl_dynlib_close(void *library);

/* One symbol to load: its name and the address of the function pointer that receives it. ISO C has
 * no cast from an object to a function pointer, so the bytes are copied: the pointer is given as
 * void * to its storage. */
typedef struct gbl_symbol {
    const char *name;
    void *slot; /* address of the function pointer */
    bool optional;
} gbl_symbol;

/* Loads all; a missing optional symbol leaves NULL. Returns the name of the first missing required
 * symbol, or NULL when all are there. */
const char *gbl_dynlib_load(void *library, const gbl_symbol *symbols, size_t count);

#endif
