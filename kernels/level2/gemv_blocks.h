/* gemv_blocks.h: what the gemv kernels that move square blocks share: lanes, loads, sums.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * After Abdelfattah, Keyes and Ltaief, Systematic Approach in Optimizing Numerical Memory-Bound
 * Kernels on GPU, 2012. A group has BLOCK * THREAD_Y work-items and walks over blocks of BLOCK rows
 * and 2 * THREAD_Y * ELEMENTS columns, which is square where ELEMENTS is BLOCK / (2 THREAD_Y), as
 * in the paper. A block is two chunks, its upper and its lower half: for each the group reorganises
 * itself as HALF rows of lanes by ACROSS, and every work-item holds ELEMENTS elements of it, ACROSS
 * columns apart. While one chunk is multiplied the next is on its way into registers. ALIGN: the
 * alignment of an element in bytes.
 *
 * Blocks of the last row (n) or column (t) of blocks that reach past the matrix are the work of a
 * launch of their own (EDGE = 1), which runs beside the other: its tests would cost the other
 * registers. What is not in the matrix counts as zero.
 */
#include "gemv_blocks_args.h"
#include "scalars.h"

#if !defined(BLOCK) || !defined(THREAD_Y) || !defined(ELEMENTS) || !defined(ALIGN) || !defined(EDGE)
#error "gemv_blocks kernels need BLOCK, THREAD_Y, ELEMENTS, ALIGN and EDGE"
#endif
#define ITEMS  (BLOCK * THREAD_Y)
#define HALF   (BLOCK / 2)
#define ACROSS (2 * THREAD_Y)
#define WIDTH  (ACROSS * ELEMENTS) /* columns of a block */
#define ITEM_R (ITEM_X % HALF)
#define ITEM_C (ITEM_X / HALF)

typedef struct ALIGNED(ALIGN) T1 {
    T v;
} T1;

/* A work-item's elements of a chunk: of one row, in columns ACROSS apart. */
typedef struct blocks_chunk {
    T v[ELEMENTS];
} blocks_chunk;

/* `rows` and `columns` are how many there are from the work-item's first on. */
DEVICE blocks_chunk blocks_load(GLOBAL const T *at, i64 lda, i64 rows, i64 columns)
{
    blocks_chunk chunk;
    UNROLLED
    for (i32 e = 0; e < ELEMENTS; e++)
        chunk.v[e] = rows > 0 && e * ACROSS < columns
                         ? ((GLOBAL const T1 *)(at + e * ACROSS * lda))[0].v
                         : T_make(0, 0);
    return chunk;
}
