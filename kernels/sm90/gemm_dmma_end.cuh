/* gemm_dmma_end.cuh: the end of a tile of gemm_dmma.cu: sums of slices and groups meet, C is read,
 * scaled and stored.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_dmma.cu, which says what pipeline_sums and pipeline_lane are.
 */
/* Element e (0, or 1 where 16 bytes hold two) of a pair of sums. */
DEVICE T sum_of(const f64 *v, const i32 column, const i32 e)
{
#if T_REALS > 1
    (void)e;
    return T_make(v[column], v[2 + column]);
#else
    return v[2 * e + column];
#endif
}

DEVICE void set_sum(f64 *v, const i32 column, const i32 e, T value)
{
#if T_REALS > 1
    (void)e;
    v[column] = value.re;
    v[2 + column] = value.im;
#else
    v[2 * e + column] = value;
#endif
}

#if TRIANGULAR
/* Sums that are not finite are made again from what counts. */
DEVICE void recompute_nonfinite(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, i32 i, i32 j,
                                pipeline_lane l, const i32 blocks, pipeline_sums *sums)
{
    ROLLED
    for (i32 which = 0; which < 2 * PAIR * MT * NT; which++) {
        const i32 v = which % 2, e = which / 2 % PAIR, n = which / (2 * PAIR) % NT,
                  m = which / (2 * PAIR * NT);
        i32 wrong = 0;
        UNROLLED
        for (i32 x = 0; x < 2 * PAIR * blocks * NT; x++)
            if (x == which)
                wrong = !is_finite(
                    sum_of(sums->v[x / (2 * PAIR * NT)][x / (2 * PAIR) % NT], x % 2, x / 2 % PAIR));
        const i64 row = i + BLOCK_ROWS * m + l.x + e, column = j + block_column(l, n, v);
        if (wrong && row < a.m && column < a.n) {
            const T sum = sum_again(A, B, a, row, column);
            UNROLLED
            for (i32 x = 0; x < 2 * PAIR * blocks * NT; x++)
                if (x == which) {
                    f64 *to = sums->v[x / (2 * PAIR * NT)][x / (2 * PAIR) % NT];
#if T_REALS > 1
                    to[x % 2] = sum.re;
                    to[2 + x % 2] = sum.im;
#else
                    to[x / 2 % PAIR * 2 + x % 2] = sum;
#endif
                }
        }
    }
}

/* Whether a lane's sums are all finite. */
DEVICE i32 all_finite(const pipeline_sums *sums, const i32 blocks)
{
    f64 any = 0;
    UNROLLED
    for (i32 m = 0; m < blocks; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 e = 0; e < 4; e++)
                any += sums->v[m][n][e] - sums->v[m][n][e];
        }
    }
    return any == 0;
}
#endif

typedef struct ALIGNED(16) two_reals {
    f64 v[2];
} two_reals;

/* alpha (x, y) + beta old, of two reals or one complex number. */
DEVICE two_reals scaled_pair(T alpha, f64 x, f64 y, T beta, two_reals old)
{
    two_reals s;
#if T_REALS > 1
    const T sum = T_is_zero(beta)
                      ? T_mul(alpha, T_make(x, y))
                      : T_fma(alpha, T_make(x, y), T_mul(beta, T_make(old.v[0], old.v[1])));
    s.v[0] = sum.re;
    s.v[1] = sum.im;
#else
    s.v[0] = alpha * x;
    s.v[1] = alpha * y;
    if (beta != 0) {
        s.v[0] = R_fma(beta, old.v[0], s.v[0]);
        s.v[1] = R_fma(beta, old.v[1], s.v[1]);
    }
#endif
    return s;
}

/* What a lane has of block n of columns of C, before the product is added; c is where block 0
 * begins. */
DEVICE void load_old(GLOBAL const T *c, i64 ldc, pipeline_lane l, const i32 n, const i32 blocks,
                     two_reals *old)
{
    UNROLLED
    for (i32 v = 0; v < 2; v++) {
        GLOBAL const T *at = c + (block_column(l, n, v) - block_column(l, 0, 0)) * ldc;
        FORGET_AT(at);
        UNROLLED
        for (i32 m = 0; m < blocks; m++)
            old[v * MT + m] = *(GLOBAL const two_reals *)(at + BLOCK_ROWS * m);
    }
}

/* Stores it. */
DEVICE void store_block(GLOBAL T *c, i64 ldc, pipeline_lane l, const i32 n, const i32 blocks,
                        T alpha, T beta, const two_reals *old, const pipeline_sums *sums)
{
    UNROLLED
    for (i32 v = 0; v < 2; v++) {
        GLOBAL T *at = c + (block_column(l, n, v) - block_column(l, 0, 0)) * ldc;
        FORGET_AT(at);
        UNROLLED
        for (i32 m = 0; m < blocks; m++) {
            const two_reals s =
                scaled_pair(alpha, sums->v[m][n][v], sums->v[m][n][2 + v], beta, old[v * MT + m]);
            STORE_ONCE_2D((GLOBAL f64 *)(at + BLOCK_ROWS * m), s.v[0], s.v[1]);
        }
    }
}

#define OLD_BLOCKS    2
#define SUMS_IN_PLACE (!TRIANGULAR && LOAD_MODE_B != 3 && !STAGED_C && !BATCH && MIN_GROUPS == 1)
/* Stores the first `blocks` blocks of rows; (i, j) is the first element of the warp's part. */
DEVICE void store_sums(GLOBAL T *C, gemm_args a, i32 i, i32 j, pipeline_lane l, i32 cut, T alpha,
                       T beta, const i32 blocks, pipeline_sums *sums)
{
    if (ALIGN_C == 16 && !cut && i + BLOCK_ROWS * blocks <= a.m && j + WARP_COLUMNS <= a.n) {
        GLOBAL T *c = C + i + l.x + (j + block_column(l, 0, 0)) * a.ldc;
        if (T_is_zero(beta)) {
            two_reals none[2 * MT];
            UNROLLED
            for (i32 m = 0; m < 2 * MT; m++)
                none[m].v[0] = none[m].v[1] = 0;
            UNROLLED
            for (i32 n = 0; n < NT; n++)
                store_block(c, a.ldc, l, n, blocks, alpha, beta, none, sums);
        } else {
            two_reals old[OLD_BLOCKS][2 * MT]; /* of blocks of columns under way */
            UNROLLED
            for (i32 n = 0; n < OLD_BLOCKS - 1; n++)
                load_old(c, a.ldc, l, n, blocks, old[n]);
            UNROLLED
            for (i32 n = 0; n < NT; n++) {
                if (n + OLD_BLOCKS - 1 < NT)
                    load_old(c, a.ldc, l, n + OLD_BLOCKS - 1, blocks,
                             old[(n + OLD_BLOCKS - 1) % OLD_BLOCKS]);
                store_block(c, a.ldc, l, n, blocks, alpha, beta, old[n % OLD_BLOCKS], sums);
            }
        }
        return;
    }
    const i32 adds = !T_is_zero(beta);
    if (!TRIANGLE_C && ALIGN_C == 16) {
        /* Sums become the new C in place: all of old C is under way, and no register is needed
         * beside them, of which other tiles would be short. Where compilers spill for it all the
         * same a load waits for the one before. */
        UNROLLED
        for (i32 n = 0; n < NT && SUMS_IN_PLACE; n++) {
            UNROLLED
            for (i32 v = 0; v < 2; v++) {
                UNROLLED
                for (i32 x = 0; x < blocks * PAIR; x++) {
                    f64 *sum = sums->v[x / PAIR][n];
                    set_sum(sum, v, x % PAIR,
                            scaled_sum(alpha, sum_of(sum, v, x % PAIR), beta,
                                       old_sum(C, a, i + BLOCK_ROWS * (x / PAIR) + l.x + x % PAIR,
                                               j + block_column(l, n, v), adds)));
                }
            }
        }
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 v = 0; v < 2; v++) {
                const i32 column = j + block_column(l, n, v);
                UNROLLED
                for (i32 x = 0; x < blocks * PAIR; x++) {
                    const i32 row = i + BLOCK_ROWS * (x / PAIR) + l.x + x % PAIR;
                    const T sum = sum_of(sums->v[x / PAIR][n], v, x % PAIR);
                    if (!SUMS_IN_PLACE)
                        store_alone(C, a, row, column, alpha, sum, beta);
                    else if (row < (i32)a.m && column < (i32)a.n)
                        C[row + column * a.ldc] = sum;
                }
            }
        }
        return;
    }
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        T old[2][MT * PAIR];
        UNROLLED
        for (i32 v = 0; v < 2; v++) {
            UNROLLED
            for (i32 x = 0; x < blocks * PAIR; x++)
                old[v][x] = old_sum(C, a, i + BLOCK_ROWS * (x / PAIR) + l.x + x % PAIR,
                                    j + block_column(l, n, v), adds);
        }
        UNROLLED
        for (i32 v = 0; v < 2; v++) {
            UNROLLED
            for (i32 x = 0; x < blocks * PAIR; x++)
                store_sum(C, a, i + BLOCK_ROWS * (x / PAIR) + l.x + x % PAIR,
                          j + block_column(l, n, v), alpha,
                          sum_of(sums->v[x / PAIR][n], v, x % PAIR), beta, old[v][x]);
        }
    }
}

#if STAGED_C
/* Where a lane's sums are in a buffer of C (gemm_staged_c.cuh). The 8 lanes that shared memory
 * serves at once have two values of g and four of t; they use all banks if their 16 bytes stand in
 * 8 different places of lines. Where these of g and g + 1 would meet, lanes with an odd g take the
 * second of their two columns first (TURN_PAIRS); where those of t and t + 1 would, lanes with an
 * odd t take the second of two blocks first (TURN_BLOCKS). */
#define TURN_PAIRS  (PREC == 1 && !B_ALONG)
#define TURN_BLOCKS (PREC == 1 && !A_ALONG && B_ALONG)
#define PAIR_BITS   COLUMN_BITS(PREC == 3 || (A_ALONG && !B_ALONG) ? 4 : B_ALONG ? 1 : 2)
#define NEXT_BITS   COLUMN_BITS(4) /* of the second of two blocks, where these share 16 columns */

DEVICE i32 staged_turn(pipeline_lane l)
{
    return TURN_PAIRS ? l.x / 2 % 2 : TURN_BLOCKS ? l.t % 2 : 0;
}

DEVICE PLACE staged_first(PLACE buffer, pipeline_lane l)
{
    const PLACE first = buffer + staged_place(l.row + l.x, l.column + block_column(l, 0, 0));
    return PLACE_XOR(first, staged_turn(l) ? (TURN_PAIRS ? PAIR_BITS : NEXT_BITS) : 0);
}

DEVICE PLACE staged_at(PLACE first, const i32 m, const i32 n, const i32 v)
{
    const i32 blocks = TURN_BLOCKS ? n / 2 * 2 : n;
    return PLACE_XOR(first, (v ? PAIR_BITS : 0) ^ (n > blocks ? NEXT_BITS : 0)) +
           (blocks * (8 * LINE_BYTES) + m * STAGED_PANEL);
}

DEVICE void load_staged(PLACE first, const i32 n, two_reals *old)
{
    UNROLLED
    for (i32 v = 0; v < 2; v++) {
        UNROLLED
        for (i32 m = 0; m < MT; m++)
            LOAD_2D(&old[v * MT + m].v[0], &old[v * MT + m].v[1], staged_at(first, m, n, v));
    }
}

DEVICE void store_staged(PLACE first, const i32 n, i32 turn, T alpha, T beta, const two_reals *old,
                         const pipeline_sums *sums)
{
    UNROLLED
    for (i32 v = 0; v < 2; v++) {
        UNROLLED
        for (i32 m = 0; m < MT; m++) {
            const f64 *own = sums->v[m][n], *other = sums->v[m][TURN_BLOCKS ? n ^ 1 : n];
            const i32 w = TURN_PAIRS ? 1 - v : v;
            const two_reals s =
                scaled_pair(alpha, turn ? other[w] : own[v], turn ? other[2 + w] : own[2 + v], beta,
                            old[v * MT + m]);
            STORE_2D(staged_at(first, m, n, v), s.v[0], s.v[1]);
        }
    }
}

/* What store_sums does, in a buffer of C, part after part. */
DEVICE void stage_sums(pipeline_room r, i32 use, pipeline_lane l, T alpha, T beta,
                       const pipeline_sums *sums)
{
    const PLACE first = staged_first(staged_buffer(r, use), l);
    const i32 turn = staged_turn(l), each = NT / STAGED_PARTS;
    two_reals old[OLD_BLOCKS][2 * MT];
    UNROLLED
    for (i32 m = 0; m < 2 * MT; m++)
        old[0][m].v[0] = old[0][m].v[1] = 0;
    UNROLLED
    for (i32 part = 0; part < STAGED_PARTS; part++) {
        staged_wait(r, use, part);
        if (T_is_zero(beta)) {
            UNROLLED
            for (i32 n = part * each; n < (part + 1) * each; n++)
                store_staged(first, n, turn, alpha, beta, old[0], sums);
        } else {
            load_staged(first, part * each, old[0]);
            UNROLLED
            for (i32 n = part * each; n < (part + 1) * each; n++) {
                if (n + 1 < (part + 1) * each)
                    load_staged(first, n + 1, old[(n + 1) % OLD_BLOCKS]);
                store_staged(first, n, turn, alpha, beta, old[n % OLD_BLOCKS], sums);
            }
        }
        staged_done(r, use, part);
    }
}
#endif

#if SWAP_HALVES
/* Two slices: each gives the other half of its sums, and has the rest of both in its first blocks
 * afterwards. */
DEVICE void swap_halves(pipeline_room r, i32 slice, i32 item, pipeline_sums *sums)
{
    const i32 half = MT / 2, lanes = 32 * WARPS;
    const i32 size = half * NT * 2 * lanes * 16;
    const PLACE own = r.sums + 16 * (item - slice * lanes), to = own + slice * size,
                from = own + (1 - slice) * size;
    BARRIER_OF(1, COMPUTERS);
    UNROLLED
    for (i32 m = 0; m < half; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 e = 0; e < 2; e++) {
                const PLACE at = to + ((m * NT + n) * 2 + e) * lanes * 16;
                if (slice)
                    STORE_2D(at, sums->v[m][n][2 * e], sums->v[m][n][2 * e + 1]);
                else
                    STORE_2D(at, sums->v[half + m][n][2 * e], sums->v[half + m][n][2 * e + 1]);
            }
        }
    }
    BARRIER_OF(1, COMPUTERS);
    UNROLLED
    for (i32 m = 0; m < half; m++) {
        UNROLLED
        for (i32 n = 0; n < NT; n++) {
            UNROLLED
            for (i32 e = 0; e < 2; e++) {
                f64 x, y;
                LOAD_2D(&x, &y, from + ((m * NT + n) * 2 + e) * lanes * 16);
                sums->v[m][n][2 * e] =
                    (slice ? sums->v[half + m][n][2 * e] : sums->v[m][n][2 * e]) + x;
                sums->v[m][n][2 * e + 1] =
                    (slice ? sums->v[half + m][n][2 * e + 1] : sums->v[m][n][2 * e + 1]) + y;
            }
        }
    }
}
#endif

#if SHOW_SUMS
/* A group's sums of all its terms go to those who store them: with CLUSTER, each group of it some
 * columns. */
DEVICE void send_pair(pipeline_room r, i32 row, i32 column, f64 x, f64 y)
{
#if CLUSTER > 1
    const i32 share = COLUMNS / CLUSTER;
    STORE_PEER_2D(PEER_PLACE(part_place(r, CLUSTER_RANK(), row, column % share), column / share), x,
                  y);
#else
    STORE_2D(sum_place(r, 0, row, column), x, y);
#endif
}

/* Every lane shows its sums: to the other slices, or, if there are none, to who stores them. */
DEVICE void show_sums(pipeline_room r, i32 slice, pipeline_lane l, const pipeline_sums *sums)
{
    UNROLLED
    for (i32 n = 0; n < NT; n++) {
        UNROLLED
        for (i32 v = 0; v < 2; v++) {
            const i32 column = l.column + block_column(l, n, v);
            UNROLLED
            for (i32 m = 0; m < MT; m++) {
                const i32 row = l.row + BLOCK_ROWS * m + l.x;
#if SPLIT_K > 1
                STORE_2D(sum_place(r, slice, row, column), sums->v[m][n][v], sums->v[m][n][2 + v]);
#else
                send_pair(r, row, column, sums->v[m][n][v], sums->v[m][n][2 + v]);
#endif
            }
        }
    }
    (void)slice;
}

/* The sum of a pair over all slices, or over what the groups of a cluster sent. */
DEVICE void add_shown(pipeline_room r, const i32 split_k, i32 row, i32 column, f64 *sum)
{
    f64 part[SPLIT_K > CLUSTER ? SPLIT_K : CLUSTER][2];
    const i32 count = split_k ? SPLIT_K : CLUSTER;
    UNROLLED
    for (i32 x = 0; x < count; x++)
        LOAD_2D(&part[x][0], &part[x][1],
                split_k ? sum_place(r, x, row, column) : part_place(r, x, row, column));
    sum[0] = part[0][0];
    sum[2] = part[0][1];
    UNROLLED
    for (i32 x = 1; x < count; x++) {
        sum[0] += part[x][0];
        sum[2] += part[x][1];
    }
}

/* Whether the pair of elements of C at (i, j) is read and written as one. */
DEVICE i32 is_whole_pair(gemm_args a, i32 cut, i32 i, i32 j)
{
    return ALIGN_C == 16 && !TRIANGULAR && !cut && i + PAIR <= a.m && j < a.n;
}

/* The pair of old C at (i, j). */
DEVICE two_reals old_pair(GLOBAL const T *C, gemm_args a, i32 cut, i32 i, i32 j, i32 adds)
{
    two_reals old;
    old.v[0] = old.v[1] = 0;
    if (is_whole_pair(a, cut, i, j)) {
        if (adds)
            old = *(GLOBAL const two_reals *)(C + i + j * a.ldc);
        return old;
    }
    UNROLLED
    for (i32 e = 0; e < PAIR; e++) {
        const T one = old_sum(C, a, i + e, j, adds);
        UNROLLED
        for (i32 x = 0; x < T_REALS; x++)
            old.v[e * T_REALS + x] = T_real(one, x);
    }
    return old;
}

/* Stores a pair of sums, sum[0] and sum[2]; (i, j) is the place of the first in C. */
DEVICE void store_pair(GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C, gemm_args a, i32 cut,
                       i32 i, i32 j, T alpha, T beta, two_reals old, const f64 *sum)
{
    if (is_whole_pair(a, cut, i, j)) {
        const two_reals s = scaled_pair(alpha, sum[0], sum[2], beta, old);
        STORE_ONCE_2D((GLOBAL f64 *)(C + i + j * a.ldc), s.v[0], s.v[1]);
        return;
    }
    UNROLLED
    for (i32 e = 0; e < PAIR; e++) {
        T one = sum_of(sum, 0, e);
#if TRIANGULAR
        if (!is_finite(one) && i + e < a.m && j < a.n)
            one = sum_again(A, B, a, i + e, j);
#endif
        store_sum(C, a, i + e, j, alpha, one, beta, T_make(old.v[e * T_REALS], old.v[T_REALS - 1]));
    }
    (void)A, (void)B;
}

/* Adds the sums that slices (`slices` 1), or groups of a cluster, have shown of `columns` columns
 * of the tile from `first` on, and stores them. Old C of SHOWN_AHEAD pairs is loaded before any of
 * them is stored. */
#define SHOWN_AHEAD 4
DEVICE void store_added(pipeline_room r, GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C,
                        gemm_args a, pipeline_tile tile, i32 first, const i32 columns,
                        const i32 slices, T alpha, T beta, i32 item)
{
    const i32 pairs = ROWS / PAIR, cut = pipeline_cut(tile), adds = !T_is_zero(beta);
    ROLLED
    for (i32 start = item; start < pairs * columns; start += SHOWN_AHEAD * COMPUTERS) {
        two_reals old[SHOWN_AHEAD];
        UNROLLED
        for (i32 u = 0; u < SHOWN_AHEAD; u++) {
            const i32 x = start + u * COMPUTERS;
            if (x < pairs * columns)
                old[u] = old_pair(C, a, cut, tile.i + x % pairs * PAIR, tile.j + first + x / pairs,
                                  adds);
        }
        UNROLLED
        for (i32 u = 0; u < SHOWN_AHEAD; u++) {
            const i32 x = start + u * COMPUTERS, row = x % pairs * PAIR, column = x / pairs;
            f64 sum[4] = {0, 0, 0, 0};
            if (x < pairs * columns) {
                add_shown(r, slices, row, column, sum);
                store_pair(A, B, C, a, cut, tile.i + row, tile.j + first + column, alpha, beta,
                           old[u], sum);
            }
        }
    }
}

/* After all slices of the group have shown their sums: they are added, and stored or sent. */
DEVICE void store_shown(pipeline_room r, GLOBAL const T *A, GLOBAL const T *B, GLOBAL T *C,
                        gemm_args a, pipeline_tile tile, T alpha, T beta, i32 item)
{
#if SPLIT_K > 1
    BARRIER_OF(1, COMPUTERS);
#if CLUSTER > 1
    const i32 pairs = ROWS / PAIR;
    f64 sum[4] = {0, 0, 0, 0};
    ROLLED
    for (i32 x = item; x < pairs * COLUMNS; x += COMPUTERS) {
        const i32 row = x % pairs * PAIR, column = x / pairs;
        add_shown(r, 1, row, column, sum);
        send_pair(r, row, column, sum[0], sum[2]);
    }
#else
    store_added(r, A, B, C, a, tile, 0, COLUMNS, 1, alpha, beta, item);
#endif
#endif
#if CLUSTER > 1
    WARP_BARRIER();
    CLUSTER_BARRIER();
    store_added(r, A, B, C, a, tile, CLUSTER_RANK() * (COLUMNS / CLUSTER), COLUMNS / CLUSTER, 0,
                alpha, beta, item);
#else
    BARRIER_OF(1, COMPUTERS); /* before the next tile's sums are shown */
#endif
}
#endif

/* Asks for a warp's part of a tile of C, which will be added to. */
DEVICE void fetch_part(GLOBAL const T *C, gemm_args a, pipeline_tile tile, pipeline_lane l,
                       i32 lane)
{
#if ALIGN_C == 16
    const i32 left = (i32)a.m - tile.i - l.row, column = tile.j + l.column + lane,
              bytes = MINIMUM(left, WARP_ROWS) * (i32)sizeof(T) / 16 * 16;
    if (lane < WARP_COLUMNS && column < a.n && bytes > 0)
        FETCH_AHEAD(C + tile.i + l.row + column * a.ldc, bytes);
#else
    (void)C, (void)a, (void)tile, (void)l, (void)lane;
#endif
}
