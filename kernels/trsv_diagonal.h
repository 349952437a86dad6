/* trsv_diagonal.h: the diagonal block of a triangular matrix in local memory, in order of solving.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks are NB rows, counted in the order in which they are solved: from the last rows to the first
 * where op(A) is upper triangular. So in here every triangle is a lower one. Kept are the negatives of the
 * elements below the diagonal, packed column by column, and the reciprocals of those on it. Rows outside the matrix are those of the
 * identity. Macros: ITEMS, NB, TRANS and CONJ 0 or 1.
 */
#include "trsv_args.h"

#if !defined(ITEMS) || !defined(NB) || !defined(TRANS) || !defined(CONJ)
#error "trsv kernels need ITEMS, NB, TRANS and CONJ"
#endif

typedef struct trsv_data {
    GLOBAL const T *A;
    trsv_args a;
    i64 backward; /* the last rows are solved first */
} trsv_data;

/* The row of A that a block starts with; it may be above the matrix. */
DEVICE i64 trsv_start(trsv_data d, i64 block)
{
    return (d.backward ? d.a.blocks - 1 - block : block) * NB - d.a.shift;
}

/* The row or column of a block that is solved as number i of it. */
DEVICE i32 trsv_turn(trsv_data d, i32 i)
{
    return d.backward ? NB - 1 - i : i;
}

/* Where element (i, j), i > j, of a diagonal block is kept. */
#define TRIANGLE (NB * (NB + 1) / 2)
DEVICE i32 trsv_at(i32 i, i32 j)
{
    return j * NB - j * (j + 1) / 2 + i;
}

/* 1 / a; of complex numbers Smith's way, in which the quotient of the parts is at most 1 */
DEVICE T trsv_reciprocal(T a)
{
#if T_REALS > 1
    const R re = a.re < 0 ? -a.re : a.re, im = a.im < 0 ? -a.im : a.im;
    const i32 turned = re < im;
    const R large = turned ? a.im : a.re, small = turned ? a.re : a.im;
    const R ratio = small / large, size = R_fma(small, ratio, large);
    return T_make((turned ? ratio : 1) / size, (turned ? -1 : -ratio) / size);
#else
    return 1 / a;
#endif
}

/* Puts the diagonal block at row `start` into local memory. */
DEVICE void trsv_take_diagonal(trsv_data d, i64 start, LOCAL_PTR T *block, LOCAL_PTR T *inverse)
{
    ROLLED
    for (i32 e = LANE_X; e < NB * NB; e += ITEMS) {
        const i32 row = e % NB, column = e / NB;
        const i32 i = trsv_turn(d, TRANS ? column : row), j = trsv_turn(d, TRANS ? row : column);
        const i64 at_row = start + row, at_column = start + column;
        const i32 exists = at_row >= 0 && at_column >= 0 && at_row < d.a.n && at_column < d.a.n;
        if (i >= j) {
            T a = T_make(i == j ? 1 : 0, 0);
            if (exists && !(i == j && d.a.unit)) {
                a = d.A[at_row + at_column * d.a.lda];
                a = CONJ ? T_conj(a) : a;
                a = i == j ? trsv_reciprocal(a) : T_neg(a);
            }
            if (i == j)
                inverse[i] = a;
            else
                block[trsv_at(i, j)] = a;
        }
    }
}
