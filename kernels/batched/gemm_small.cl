/* gemm_small.cl: C := alpha op(A) op(B) + beta C for many small batch entries, several per group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has ENTRIES consecutive batch entries. Its work-items load all their A and B, AT_ONCE
 * vectors each before the first is used, and put them into local memory as they are stored. Then LR
 * * LC lanes compute one batch entry: a lane has RM rows and RN columns of C in registers. Batch
 * entries that follow each other without a gap (A_TIGHT, B_TIGHT) are one piece of memory, and
 * neighbours load neighbouring vectors of it; otherwise a vector stands within a column.
 *
 * Rows of a lane come in pieces of CV, LR pieces side by side: they are one load from local memory
 * and one store to C, and the stores of neighbours fill whole sectors of memory. Columns of a lane
 * come in pieces of BJ, LC side by side.
 *
 * Banks of local memory: lanes read along the columns that are stored. Where neighbours differ in
 * the column, columns are an odd number of 16 bytes apart (A_LD, B_LD), so that eight of them are
 * in different banks. Between batch entries PAD more vectors of 16 bytes do the same for the batch
 * entries of one warp of lanes.
 *
 * alpha = 0: A and B are not read; beta = 0: C is not. Geometry: groups of ITEMS work-items along x
 * walk over sets of ENTRIES batch entries. Macros: ITEMS, ENTRIES; M, N, K: the sizes of a batch
 * entry; TRANS_A, TRANS_B: 0 as stored, 1 the transpose, 2 the conjugate transpose; POINTERS; RM,
 * RN; AV, BV, CV: elements per load or store; A_ALIGN, B_ALIGN, C_ALIGN: the bytes that these may
 * count on (of arrays of addresses: where the address says so); A_TIGHT, B_TIGHT;
 * STEP terms per round of the loop; AT_ONCE; PAD; RESIDENT: groups that a multiprocessor has room
 * for. Barriers: all work-items walk the same sets.
 */
#include "gemm_batched_args.h"
#include "batch_entry.h"
#include "scalars.h"

#if !defined(ITEMS) || !defined(ENTRIES) || !defined(M) || !defined(N) || !defined(K) ||           \
    !defined(TRANS_A) || !defined(TRANS_B) || !defined(RM) || !defined(RN)
#error "gemm_small needs ITEMS, ENTRIES, M, N, K, TRANS_A, TRANS_B, RM and RN"
#endif
#if !defined(AV) || !defined(BV) || !defined(CV) || !defined(A_ALIGN) || !defined(B_ALIGN) ||      \
    !defined(C_ALIGN) || !defined(A_TIGHT) || !defined(B_TIGHT) || !defined(STEP) ||               \
    !defined(AT_ONCE) || !defined(PAD) || !defined(RESIDENT)
#error                                                                                             \
    "gemm_small needs AV, BV, CV and their ALIGNs, A_TIGHT, B_TIGHT, STEP, AT_ONCE, PAD and RESIDENT"
#endif

#define LR    ((M + RM - 1) / RM)
#define LC    ((N + RN - 1) / RN)
#define QUICK (16 / (i32)sizeof(T))                    /* elements of 16 bytes */
#define BJ    (TRANS_B && RN % QUICK == 0 ? QUICK : 1) /* columns of a piece */
/* terms of a piece */
#define KU (STEP % QUICK == 0 ? QUICK : QUICK > 1 && STEP % 2 == 0 ? 2 : 1)

/* As stored: rows and columns; elements between columns and between batch entries in local
 * memory. */
#define A_ROWS     (TRANS_A ? K : M)
#define A_COLUMNS  (TRANS_A ? M : K)
#define B_ROWS     (TRANS_B ? N : K)
#define B_COLUMNS  (TRANS_B ? K : N)
#define ROUNDED(n) (((n) + QUICK - 1) / QUICK * QUICK)
#define ODD(n)     (ROUNDED(n) + (ROUNDED(n) / QUICK % 2 == 0 ? QUICK : 0))
#define A_LD       (TRANS_A ? ODD(K) : ROUNDED(M))
#define B_LD       (TRANS_B ? ROUNDED(N) : ODD(K))
#define A_APART    (A_LD * A_COLUMNS + PAD * QUICK)
#define B_APART    (B_LD * B_COLUMNS + PAD * QUICK)
/* Lanes at an edge read what is behind a batch entry, and drop it. */
#define A_ROOM  (ENTRIES * A_APART + (TRANS_A ? (LR * RM - M) * A_LD : LR * RM - M))
#define B_ROOM  (ENTRIES * B_APART + (TRANS_B ? LC * RN - N : (LC * RN - N) * B_LD))
#define HOLD(n) ((n) / QUICK + 1) /* vectors of 16 bytes that hold so many elements */

/* Loads of one set, of which a work-item has so many. */
#define A_ENTRY   (M * K)
#define B_ENTRY   (K * N)
#define A_VECTORS (ENTRIES * A_ENTRY / AV)
#define B_VECTORS (ENTRIES * B_ENTRY / BV)
#define A_LOADS   ((A_VECTORS + ITEMS - 1) / ITEMS)
#define B_LOADS   ((B_VECTORS + ITEMS - 1) / ITEMS)
#define MOST      (AT_ONCE > 1 ? AT_ONCE / 2 : 1) /* of A, and as many of B */
#define LONGEST   (A_LOADS > B_LOADS ? A_LOADS : B_LOADS)
#define A_BATCH   (A_LOADS < MOST ? A_LOADS : MOST)
#define B_BATCH   (B_LOADS < MOST ? B_LOADS : MOST)
/* No work-item has fewer in a round. */
#define ROUNDS  ((LONGEST + MOST - 1) / MOST)
#define A_EXACT (A_VECTORS % ITEMS == 0 && (ROUNDS == 1 || A_LOADS == ROUNDS * MOST))
#define B_EXACT (B_VECTORS % ITEMS == 0 && (ROUNDS == 1 || B_LOADS == ROUNDS * MOST))

/* In memory: vectors. In local memory: the same, and pieces of rows, of columns, of terms. */
#define PIECE(n) ((n) * (i32)sizeof(T) < 16 ? (n) * (i32)sizeof(T) : 16)
typedef struct ALIGNED(A_ALIGN) a_vector {
    T v[AV];
} a_vector;
typedef struct ALIGNED(B_ALIGN) b_vector {
    T v[BV];
} b_vector;
typedef struct ALIGNED(C_ALIGN) c_vector {
    T v[CV];
} c_vector;
typedef struct ALIGNED(PIECE(AV)) a_piece {
    T v[AV];
} a_piece;
typedef struct ALIGNED(PIECE(BV)) b_piece {
    T v[BV];
} b_piece;
typedef struct ALIGNED(PIECE(CV)) row_piece {
    T v[CV];
} row_piece;
typedef struct ALIGNED(PIECE(BJ)) column_piece {
    T v[BJ];
} column_piece;
typedef struct ALIGNED(PIECE(KU)) term_piece {
    T v[KU];
} term_piece;
typedef struct ALIGNED(16) quick {
    T v[QUICK];
} quick;

/* What all lanes know of a set. */
typedef struct small_set {
    i64 first;   /* batch entry */
    i32 entries; /* that it has: fewer at the end of the batch */
} small_set;

/* ---- Memory to local memory ---- */

/* Whether a vector stands on an address that its load may count on. */
DEVICE i32 stands_well(GLOBAL const T *at, const i32 align)
{
    return !POINTERS || (u64)at % (u64)align == 0;
}

/* Where element e of a set stands. */
DEVICE GLOBAL const T *small_at(GLOBAL const T *base, small_set s, i32 e, i64 stride, i64 ld,
                                const i32 rows, const i32 elements, const i32 tight)
{
    if (tight)
        return base + s.first * elements + e;
    const i32 entry = e / elements, inside = e % elements;
    return entry_start(base, s.first + entry, stride) + inside % rows + inside / rows * ld;
}

/* Where it goes in local memory. */
DEVICE i32 small_place(i32 e, const i32 rows, const i32 elements, const i32 ld, const i32 apart)
{
    const i32 entry = e / elements, inside = e % elements;
    return entry * apart + inside / rows * ld + inside % rows;
}

/* The vector from element e on. `whole`: the set has all its batch entries; otherwise what is past
 * their end is loaded from its first elements, and dropped. */
DEVICE a_vector small_take_a(GLOBAL const T *A, gemm_batched_args a, small_set s, i32 e,
                             const i32 whole)
{
    const i32 end = s.entries * A_ENTRY, from = whole || e < end ? e : 0;
    GLOBAL const T *at = small_at(A, s, from, a.stride_a, a.lda, A_ROWS, A_ENTRY, A_TIGHT);
    a_vector t;
    if ((whole || A_ENTRY % AV == 0 || from + AV <= end) && stands_well(at, A_ALIGN)) {
        t = *(GLOBAL const a_vector *)at;
    } else {
        UNROLLED
        for (i32 k = 0; k < AV; k++)
            t.v[k] = whole || A_ENTRY % AV == 0 || from + k < end ? at[k] : T_make(0, 0);
    }
    return t;
}

DEVICE b_vector small_take_b(GLOBAL const T *B, gemm_batched_args a, small_set s, i32 e,
                             const i32 whole)
{
    const i32 end = s.entries * B_ENTRY, from = whole || e < end ? e : 0;
    GLOBAL const T *at = small_at(B, s, from, a.stride_b, a.ldb, B_ROWS, B_ENTRY, B_TIGHT);
    b_vector t;
    if ((whole || B_ENTRY % BV == 0 || from + BV <= end) && stands_well(at, B_ALIGN)) {
        t = *(GLOBAL const b_vector *)at;
    } else {
        UNROLLED
        for (i32 k = 0; k < BV; k++)
            t.v[k] = whole || B_ENTRY % BV == 0 || from + k < end ? at[k] : T_make(0, 0);
    }
    return t;
}

DEVICE void small_put_a(LOCAL_PTR T *left, i32 e, a_vector t)
{
    if (A_ROWS % AV == 0) {
        a_piece piece;
        UNROLLED
        for (i32 k = 0; k < AV; k++)
            piece.v[k] = t.v[k];
        *(LOCAL_PTR a_piece *)(left + small_place(e, A_ROWS, A_ENTRY, A_LD, A_APART)) = piece;
    } else {
        UNROLLED
        for (i32 k = 0; k < AV; k++)
            left[small_place(e + k, A_ROWS, A_ENTRY, A_LD, A_APART)] = t.v[k];
    }
}

DEVICE void small_put_b(LOCAL_PTR T *right, i32 e, b_vector t)
{
    if (B_ROWS % BV == 0) {
        b_piece piece;
        UNROLLED
        for (i32 k = 0; k < BV; k++)
            piece.v[k] = t.v[k];
        *(LOCAL_PTR b_piece *)(right + small_place(e, B_ROWS, B_ENTRY, B_LD, B_APART)) = piece;
    } else {
        UNROLLED
        for (i32 k = 0; k < BV; k++)
            right[small_place(e + k, B_ROWS, B_ENTRY, B_LD, B_APART)] = t.v[k];
    }
}

/* Vector number u of this work-item in a round; whether there is one, where `exact` does not say
 * that all are. */
#define VECTOR(round, u)             (((round) + (u)) * ITEMS + ITEM_X)
#define EXISTS(vector, count, exact) ((exact) || (vector) < (count))

/* All A and B of a set. */
DEVICE void small_load(GLOBAL const T *A, GLOBAL const T *B, gemm_batched_args a, small_set s,
                       LOCAL_PTR T *left, LOCAL_PTR T *right, const i32 whole)
{
    ROLLED
    for (i32 round = 0; round < LONGEST; round += MOST) {
        a_vector as[A_BATCH];
        b_vector bs[B_BATCH];
        UNROLLED
        for (i32 u = 0; u < A_BATCH; u++) {
            const i32 v = VECTOR(round, u);
            as[u] = small_take_a(A, a, s, EXISTS(v, A_VECTORS, A_EXACT) ? v * AV : 0, whole);
        }
        UNROLLED
        for (i32 u = 0; u < B_BATCH; u++) {
            const i32 v = VECTOR(round, u);
            bs[u] = small_take_b(B, a, s, EXISTS(v, B_VECTORS, B_EXACT) ? v * BV : 0, whole);
        }
        UNROLLED
        for (i32 u = 0; u < A_BATCH; u++) {
            const i32 v = VECTOR(round, u);
            if (EXISTS(v, A_VECTORS, A_EXACT))
                small_put_a(left, v * AV, as[u]);
        }
        UNROLLED
        for (i32 u = 0; u < B_BATCH; u++) {
            const i32 v = VECTOR(round, u);
            if (EXISTS(v, B_VECTORS, B_EXACT))
                small_put_b(right, v * BV, bs[u]);
        }
    }
}

/* ---- Sums ---- */

typedef struct small_sums {
    T v[RM][RN];
} small_sums;

/* KU terms of this lane's rows: from the address of the first of them. */
typedef struct left_terms {
    T v[KU][RM];
} left_terms;

typedef struct right_terms {
    T v[KU][RN];
} right_terms;

/* Element i of a lane, counted from its first row or column: pieces stand side by side with those
 * of other lanes. */
#define SIDE_BY_SIDE(i, piece, lanes) ((i) / (piece) * ((lanes) * (piece)) + (i) % (piece))

DEVICE left_terms small_left(LOCAL_PTR const T *at)
{
    left_terms t;
#if TRANS_A
    UNROLLED
    for (i32 i = 0; i < RM; i++) {
        const term_piece p = *(LOCAL_PTR const term_piece *)(at + SIDE_BY_SIDE(i, CV, LR) * A_LD);
        UNROLLED
        for (i32 k = 0; k < KU; k++)
            t.v[k][i] = TRANS_A == 2 ? T_conj(p.v[k]) : p.v[k];
    }
#else
    UNROLLED
    for (i32 k = 0; k < KU; k++) {
        UNROLLED
        for (i32 i = 0; i < RM; i += CV) {
            const row_piece p =
                *(LOCAL_PTR const row_piece *)(at + k * A_LD + SIDE_BY_SIDE(i, CV, LR));
            UNROLLED
            for (i32 c = 0; c < CV; c++)
                t.v[k][i + c] = p.v[c];
        }
    }
#endif
    return t;
}

DEVICE right_terms small_right(LOCAL_PTR const T *at)
{
    right_terms t;
#if TRANS_B
    UNROLLED
    for (i32 k = 0; k < KU; k++) {
        UNROLLED
        for (i32 j = 0; j < RN; j += BJ) {
            const column_piece p =
                *(LOCAL_PTR const column_piece *)(at + k * B_LD + SIDE_BY_SIDE(j, BJ, LC));
            UNROLLED
            for (i32 c = 0; c < BJ; c++)
                t.v[k][j + c] = TRANS_B == 2 ? T_conj(p.v[c]) : p.v[c];
        }
    }
#else
    UNROLLED
    for (i32 j = 0; j < RN; j++) {
        const term_piece p = *(LOCAL_PTR const term_piece *)(at + SIDE_BY_SIDE(j, BJ, LC) * B_LD);
        UNROLLED
        for (i32 k = 0; k < KU; k++)
            t.v[k][j] = p.v[k];
    }
#endif
    return t;
}

DEVICE small_sums small_none(void)
{
    small_sums sums;
    UNROLLED
    for (i32 i = 0; i < RM; i++) {
        UNROLLED
        for (i32 j = 0; j < RN; j++)
            sums.v[i][j] = T_make(0, 0);
    }
    return sums;
}

/* This lane's elements of op(A) op(B), from its first row of A and its first column of B on. */
DEVICE small_sums small_product(LOCAL_PTR const T *left, LOCAL_PTR const T *right)
{
    small_sums sums = small_none();
    ROLLED
    for (i32 round = 0; round < K; round += STEP) {
        UNROLLED
        for (i32 step = 0; step < STEP; step += KU) {
            const i32 k = round + step;
            const left_terms l = small_left(left + (TRANS_A ? k : k * A_LD));
            const right_terms r = small_right(right + (TRANS_B ? k * B_LD : k));
            UNROLLED
            for (i32 u = 0; u < KU; u++) {
                UNROLLED
                for (i32 i = 0; i < RM; i++) {
                    UNROLLED
                    for (i32 j = 0; j < RN; j++)
                        sums.v[i][j] = T_fma(l.v[u][i], r.v[u][j], sums.v[i][j]);
                }
            }
        }
    }
    return sums;
}

/* ---- C ---- */

/* CV rows of a column of C, from *at on. */
DEVICE void small_store(GLOBAL T *at, const T *sums, T alpha, T beta)
{
    if (stands_well(at, C_ALIGN)) {
        c_vector t;
        UNROLLED
        for (i32 c = 0; c < CV; c++)
            t.v[c] = T_make(0, 0);
        if (!T_is_zero(beta))
            t = *(GLOBAL const c_vector *)at;
        UNROLLED
        for (i32 c = 0; c < CV; c++)
            t.v[c] = scaled_sum(alpha, sums[c], beta, t.v[c]);
        *(GLOBAL c_vector *)at = t;
    } else {
        UNROLLED
        for (i32 c = 0; c < CV; c++)
            scaled_store(at + c, alpha, sums[c], beta);
    }
}

DEVICE void small_finish(GLOBAL T *C, i64 ldc, i32 row, i32 column, small_sums sums, T alpha,
                         T beta)
{
    UNROLLED
    for (i32 j = 0; j < RN; j++) {
        const i32 to = column + SIDE_BY_SIDE(j, BJ, LC);
        UNROLLED
        for (i32 i = 0; i < RM; i += CV) {
            const i32 from = row + SIDE_BY_SIDE(i, CV, LR);
            T piece[CV];
            UNROLLED
            for (i32 c = 0; c < CV; c++)
                piece[c] = sums.v[i + c][j];
            if ((LC * RN == N || to < N) && (LR * RM == M || from < M))
                small_store(C + from + to * ldc, piece, alpha, beta);
        }
    }
}

KERNEL(gemm_small, ITEMS, 1, RESIDENT)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *A,
 GLOBAL const T *B, GLOBAL T *C, gemm_batched_args a)
{
    LOCAL quick left_room[HOLD(A_ROOM)];
    LOCAL quick right_room[HOLD(B_ROOM)];
    BEGIN();
    LOCAL_PTR T *left = left_room[0].v;
    LOCAL_PTR T *right = right_room[0].v;
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    const i32 reads = !T_is_zero(alpha);
    const i32 entry = ITEM_X / (LR * LC), lane = ITEM_X % (LR * LC);
    const i32 row = lane % LR * CV, column = lane / LR * BJ;
    ROLLED
    for (i64 set = GROUP_X; set < a.sets; set += GROUPS_X) {
        small_set s;
        s.first = set * ENTRIES;
        s.entries = a.batch - s.first < ENTRIES ? (i32)(a.batch - s.first) : ENTRIES;
        if (reads && s.entries == ENTRIES)
            small_load(A, B, a, s, left, right, 1);
        else if (reads)
            small_load(A, B, a, s, left, right, 0);
        BARRIER();
        if (entry < s.entries) {
            small_sums sums = small_none();
            if (reads)
                sums = small_product(left + entry * A_APART + row * (TRANS_A ? A_LD : 1),
                                     right + entry * B_APART + column * (TRANS_B ? 1 : B_LD));
            small_finish(entry_start(C, s.first + entry, a.stride_c), a.ldc, row, column, sums,
                         alpha, beta);
        }
        BARRIER(); /* local memory is written again */
    }
}
