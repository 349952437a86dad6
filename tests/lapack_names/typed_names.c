/* typed_names.c: Gable's routines under LAPACK's Fortran names, with 32-bit integers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision. A routine checks its arguments in order, copies in, calls and copies
 * out. Lengths of characters come behind the other arguments, and are not looked at.
 */
#include "device/precision.h"
#include "fortran_names.h"

#if defined(PREC_S)
#define FORTRAN(stem) s##stem##_
#elif defined(PREC_D)
#define FORTRAN(stem) d##stem##_
#elif defined(PREC_C)
#define FORTRAN(stem) c##stem##_
#else
#define FORTRAN(stem) z##stem##_
#endif

/* spotrf_ dpotrf_ cpotrf_ zpotrf_ */
void FORTRAN(potrf)(const char *uplo, const int *n, T *A, const int *lda, int *info,
                    size_t uplo_length);
void FORTRAN(potrf)(const char *uplo, const int *n, T *A, const int *lda, int *info,
                    size_t uplo_length)
{
    int64_t outcome = 0;
    (void)uplo_length;
    *info = names_uplo(uplo) == 0 ? -1 : *n < 0 ? -2 : *lda < names_ld(*n) ? -4 : 0;
    if (*info != 0)
        return;
    names_count(NAME(FN(potrf)));
    T *const copy = names_in(A, *n, *n, *lda, sizeof(T));
    names_check(
        FN(potrf)(names_context(), (gable_uplo)names_uplo(uplo), *n, copy, names_ld(*n), &outcome),
        NAME(FN(potrf)));
    names_out(copy, A, *n, *n, *lda, sizeof(T));
    *info = (int)outcome;
}
