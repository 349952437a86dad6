/* link_names.h: names of one spelling, as the recorder and its callers have them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The build defines LINK_BEGIN, LINK_END, LINK_PREFIX (as words, not texts), LINK_ID, LINK_INT.
 */
#ifndef LINK_NAMES_H
#define LINK_NAMES_H

#include <stdint.h>

#define LINK_ARGUMENT_COUNT 26

typedef struct link_record {
    int calls;
    const char *name;
    uintptr_t arguments[LINK_ARGUMENT_COUNT];
    uint64_t scalars[2];
} link_record;

#define LINK_PARAMETERS                                                                            \
    uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5,            \
        uintptr_t a6, uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10, uintptr_t a11,      \
        uintptr_t a12, uintptr_t a13, uintptr_t a14, uintptr_t a15, uintptr_t a16, uintptr_t a17,  \
        uintptr_t a18, uintptr_t a19, uintptr_t a20, uintptr_t a21, uintptr_t a22, uintptr_t a23,  \
        uintptr_t a24, uintptr_t a25, double x, double y
#define LINK_ARGUMENTS                                                                             \
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, \
        a21, a22, a23, a24, a25
#define LINK_VALUES                                                                                \
    a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], \
        a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25]
typedef void link_function(LINK_PARAMETERS);

#define LINK_EMPTY
#define LINK_JOIN(a, b, c, d)   LINK_JOINED(a, b, c, d)
#define LINK_JOINED(a, b, c, d) a##b##c##d
#define LINK_TEXT(name)         LINK_TEXT_OF(name)
#define LINK_TEXT_OF(name)      #name
#define SPELLED(letter, stem)   LINK_JOIN(LINK_BEGIN, letter, stem, LINK_END)
#define RECORDED                LINK_JOIN(recorded_, LINK_ID, LINK_EMPTY, LINK_EMPTY)
#define CALLER(verb)            LINK_JOIN(caller_, verb, LINK_EMPTY, LINK_EMPTY)

/* The names that the door must have: written down once more, so that its own list is tested. */
#define LINK_FOUR(X, stem) X(s, stem) X(d, stem) X(c, stem) X(z, stem)
#define LINK_TWO(X, stem)  X(c, stem) X(z, stem)
#define LINK_REAL(X, stem) X(s, stem) X(d, stem)
#define LINK_LEVEL3_NAMES(X)                                                                       \
    LINK_FOUR(X, gemm)                                                                             \
    LINK_FOUR(X, gemmt)                                                                            \
    LINK_FOUR(X, gemmtr)                                                                           \
    LINK_FOUR(X, symm)                                                                             \
    LINK_TWO(X, hemm)                                                                              \
    LINK_FOUR(X, syrk)                                                                             \
    LINK_TWO(X, herk)                                                                              \
    LINK_FOUR(X, syr2k)                                                                            \
    LINK_TWO(X, her2k)                                                                             \
    LINK_FOUR(X, trmm) LINK_FOUR(X, trsm)

/* CBLAS has none of LAPACK's. */
#ifdef LINK_IS_CBLAS
#define LINK_NAMES(X) LINK_LEVEL3_NAMES(X)
#else
#define LINK_NAMES(X)                                                                              \
    LINK_LEVEL3_NAMES(X)                                                                           \
    LINK_FOUR(X, getrf)                                                                            \
    LINK_FOUR(X, getrs)                                                                            \
    LINK_FOUR(X, gesv)                                                                             \
    LINK_FOUR(X, getri)                                                                            \
    LINK_FOUR(X, potrf)                                                                            \
    LINK_FOUR(X, potrs)                                                                            \
    LINK_FOUR(X, posv)                                                                             \
    LINK_FOUR(X, potri)                                                                            \
    LINK_FOUR(X, trtrs)                                                                            \
    LINK_FOUR(X, trtri)                                                                            \
    LINK_FOUR(X, geqrf)                                                                            \
    LINK_FOUR(X, gelqf)                                                                            \
    LINK_REAL(X, orgqr)                                                                            \
    LINK_TWO(X, ungqr)                                                                             \
    LINK_REAL(X, ormqr)                                                                            \
    LINK_TWO(X, unmqr)                                                                             \
    LINK_REAL(X, orglq)                                                                            \
    LINK_TWO(X, unglq)                                                                             \
    LINK_REAL(X, ormlq)                                                                            \
    LINK_TWO(X, unmlq)                                                                             \
    LINK_FOUR(X, gels)                                                                             \
    LINK_REAL(X, syev)                                                                             \
    LINK_TWO(X, heev)                                                                              \
    LINK_REAL(X, syevd)                                                                            \
    LINK_TWO(X, heevd)                                                                             \
    LINK_REAL(X, syevr)                                                                            \
    LINK_TWO(X, heevr)                                                                             \
    LINK_REAL(X, sygvd)                                                                            \
    LINK_TWO(X, hegvd)                                                                             \
    LINK_FOUR(X, gesdd)                                                                            \
    LINK_FOUR(X, gesvd)
#endif

#endif
