/* link_routines.h: the routines that libgable_link has entries for.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A name that is not here stays with the program's own library: level 1, level 2 and what works on
 * few numbers cannot win over the host link. Names of batches are never entries: libraries export
 * plain ones with 64-bit integers.
 */
#ifndef GBL_LINK_ROUTINES_H
#define GBL_LINK_ROUTINES_H

/* X(stem, letters): the stem of the name and its precisions. */

/* By Fortran's names and CBLAS's. gemmtr is LAPACK's name of gemmt. */
#define GBL_LINK_LEVEL3_ROUTINES(X)                                                                \
    X(gemm, "sdcz")                                                                                \
    X(gemmt, "sdcz")                                                                               \
    X(gemmtr, "sdcz")                                                                              \
    X(symm, "sdcz")                                                                                \
    X(hemm, "cz")                                                                                  \
    X(syrk, "sdcz")                                                                                \
    X(herk, "cz")                                                                                  \
    X(syr2k, "sdcz")                                                                               \
    X(her2k, "cz")                                                                                 \
    X(trmm, "sdcz")                                                                                \
    X(trsm, "sdcz")

/* By Fortran's names, which LAPACKE calls, too. */
#define GBL_LINK_LAPACK_ROUTINES(X)                                                                \
    X(getrf, "sdcz")                                                                               \
    X(getrs, "sdcz")                                                                               \
    X(gesv, "sdcz")                                                                                \
    X(getri, "sdcz")                                                                               \
    X(potrf, "sdcz")                                                                               \
    X(potrs, "sdcz")                                                                               \
    X(posv, "sdcz")                                                                                \
    X(potri, "sdcz")                                                                               \
    X(trtrs, "sdcz")                                                                               \
    X(trtri, "sdcz")                                                                               \
    X(geqrf, "sdcz")                                                                               \
    X(orgqr, "sd")                                                                                 \
    X(ungqr, "cz")                                                                                 \
    X(ormqr, "sd")                                                                                 \
    X(unmqr, "cz")                                                                                 \
    X(gelqf, "sdcz")                                                                               \
    X(orglq, "sd")                                                                                 \
    X(unglq, "cz")                                                                                 \
    X(ormlq, "sd")                                                                                 \
    X(unmlq, "cz")                                                                                 \
    X(gels, "sdcz")                                                                                \
    X(syev, "sd")                                                                                  \
    X(heev, "cz")                                                                                  \
    X(syevd, "sd")                                                                                 \
    X(heevd, "cz")                                                                                 \
    X(syevr, "sd")                                                                                 \
    X(heevr, "cz")                                                                                 \
    X(sygvd, "sd")                                                                                 \
    X(hegvd, "cz")                                                                                 \
    X(gesdd, "sdcz")                                                                               \
    X(gesvd, "sdcz")

#define GBL_LINK_ROUTINES(X) GBL_LINK_LEVEL3_ROUTINES(X) GBL_LINK_LAPACK_ROUTINES(X)

#define GBL_LINK_ROUTINE_ENUM(stem, letters) GBL_LINK_##stem,
typedef enum gbl_link_routine {
    GBL_LINK_ROUTINES(GBL_LINK_ROUTINE_ENUM) GBL_LINK_ROUTINE_COUNT
} gbl_link_routine;
#undef GBL_LINK_ROUTINE_ENUM

#endif
