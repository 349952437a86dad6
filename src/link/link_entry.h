/* link_entry.h: names, types and scalars of the entries. Included by entries_*.c only.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CMake compiles those files once per precision and spelling. LINK_PREFIX and LINK_SUFFIX are those
 * of the library's names: "scipy_" or nothing, "64_" or nothing; LINK_BEGIN and LINK_END stand
 * before and behind the typed name, as in scipy_cblas_ dgemm 64_. Names with a suffix have 64-bit
 * integers; of others the next library is asked.
 */
#ifndef GBL_LINK_ENTRY_H
#define GBL_LINK_ENTRY_H

#include "device/precision.h"
#include "link/link_door.h"

#if defined(PREC_S)
#define LETTER s
#elif defined(PREC_D)
#define LETTER d
#elif defined(PREC_C)
#define LETTER c
#else
#define LETTER z
#endif

#define ENTRY(stem)              ENTRY_JOIN(LINK_BEGIN, LETTER, stem, LINK_END)
#define ENTRY_JOIN(a, b, c, d)   ENTRY_JOINED(a, b, c, d)
#define ENTRY_JOINED(a, b, c, d) a##b##c##d
#define ENTRY_TEXT(name)         ENTRY_TEXT_OF(name)
#define ENTRY_TEXT_OF(name)      #name
#define EXPORTED                 __attribute__((visibility("default")))

/* The number of a routine; its stem may be a macro. */
#define ROUTINE(stem)    ROUTINE_OF(stem)
#define ROUTINE_OF(stem) GBL_LINK_##stem

/* The slot of an entry. */
#define SLOT(stem)                                                                                 \
    {                                                                                              \
        .name = ENTRY_TEXT(ENTRY(stem)), .routine = ROUTINE(stem), .dtype = DTYPE,                 \
        .wide = LINK_WIDE, .prefix = LINK_PREFIX, .suffix = LINK_SUFFIX                            \
    }
/* The next function, with the type of the entry. */
#define NEXT(stem) ((__typeof__(&ENTRY(stem)))bound->next)

#define BIND() gbl_link_bind(&slot, __builtin_return_address(0))

/* A call in the entry's precision, from its other members. */
#define CALL(stem, ...)                                                                            \
    {                                                                                              \
        .routine = ROUTINE(stem), .dtype = DTYPE, __VA_ARGS__                                      \
    }

#if COMPLEX
#define VALUE(address)                                                                             \
    {                                                                                              \
        ((const T *)(address))->re, ((const T *)(address))->im                                     \
    }
#else
#define VALUE(address)                                                                             \
    {                                                                                              \
        *(const T *)(address), 0                                                                   \
    }
#endif

#endif
