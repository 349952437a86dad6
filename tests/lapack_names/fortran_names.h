/* fortran_names.h: what the routines with LAPACK's Fortran names share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The library is preloaded into programs that were made for LAPACK, such as LAPACK's own tests. It
 * has what libgable_link has no entries for.
 * Matrices are copied to the device that $GABLE_DEVICE names, Gable computes, and the results are
 * copied back. Arguments are checked as LAPACK checks them, but xerbla is not called. Any failure
 * of Gable's ends the program with a message and the status 3.
 */
#ifndef FORTRAN_NAMES_H
#define FORTRAN_NAMES_H

#include "gable/gable.h"
#include "link/link_letters.h"

/* The context, opened at the first call. */
gable_context *names_context(void);

/* Ends the program unless the status is GABLE_OK. */
void names_check(gable_status status, const char *routine);

/* Counts a call. The counts are written at the end to the file $GABLE_NAMES_LOG, one line per
 * routine: "dpotrf 120". */
void names_count(const char *routine);

/* A copy of a matrix on the device, columns `rows` apart (at least 1); and back, which frees it:
 * where `matrix` is NULL it is only freed. */
void *names_in(const void *matrix, int64_t rows, int64_t columns, int64_t ld, size_t elem_bytes);
void names_out(void *copy, void *matrix, int64_t rows, int64_t columns, int64_t ld,
               size_t elem_bytes);

static inline int64_t names_ld(int64_t rows)
{
    return rows > 1 ? rows : 1;
}

#endif
