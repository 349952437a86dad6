/* gemm_ffma_end.cuh: the end of a tile of gemm_ffma.cu: sums of slices and groups meet, C is read,
 * scaled and stored.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_ffma.cu, which says what pipeline_sums and pipeline_lane are.
 */
#define KEPT   (TN / SPLIT_K) /* columns of its sums that a lane has after the slices' sums met */
#define SHARE  (TM * KEPT / CLUSTER) /* sums that it has in the end */
#define SUM(e) v[(e) / TM][(e) % TM] /* number e of those */
/* Rows of a column that a lane has, and whether it stores CHUNK of them at once. */
#define SUM_ROWS MINIMUM(TM, SHARE)
#define VECTORS  (A_PANELS && ALIGN_C == 16)

#if SPLIT_K > 1
/* The slices' sums meet: with each pair of slices, each gives half of its columns away and adds the
 * other's to the half it keeps, until a lane has KEPT columns of all slices. Returns the number of
 * the first of these. */
DEVICE i32 add_split_k(pipeline_room r, i32 item, pipeline_sums *sums)
{
    const i32 slice = item / (32 * WARPS);
    i32 from = 0;
    UNROLLED
    for (i32 apart = 1; apart < SPLIT_K; apart *= 2) {
        const i32 half = TN / (2 * apart), upper = slice / apart % 2;
        const i32 other = upper ? item - apart * (32 * WARPS) : item + apart * (32 * WARPS);
        BARRIER_OF(1, COMPUTERS);
        UNROLLED
        for (i32 e = 0; e < half * TM; e += CHUNK) {
            T away[CHUNK];
            UNROLLED
            for (i32 x = 0; x < CHUNK; x++)
                away[x] = upper ? sums->SUM(e + x) : sums->SUM(half * TM + e + x);
            STORE_4S(r.sums + (e / CHUNK * (16 * COMPUTERS) + 16 * item), (const R *)away);
        }
        BARRIER_OF(1, COMPUTERS);
        UNROLLED
        for (i32 e = 0; e < half * TM; e += CHUNK) {
            T others[CHUNK];
            load_chunk(others, r.sums + (e / CHUNK * (16 * COMPUTERS) + 16 * other));
            UNROLLED
            for (i32 x = 0; x < CHUNK; x++)
                sums->SUM(e + x) =
                    T_add(upper ? sums->SUM(half * TM + e + x) : sums->SUM(e + x), others[x]);
        }
        from += upper * half;
    }
    return from;
}
#endif

#if CLUSTER > 1
/* Each group of a cluster shows its sums and adds its share of all, in the order of the groups. */
DEVICE void add_groups(pipeline_room r, i32 item, pipeline_sums *sums)
{
    const i32 first = CLUSTER_RANK() * SHARE;
    BARRIER_OF(1, COMPUTERS);
    UNROLLED
    for (i32 e = 0; e < KEPT * TM; e += CHUNK) {
        T own[CHUNK];
        UNROLLED
        for (i32 x = 0; x < CHUNK; x++)
            own[x] = sums->SUM(e + x);
        STORE_4S(r.sums + (e / CHUNK * (16 * COMPUTERS) + 16 * item), (const R *)own);
    }
    CLUSTER_BARRIER();
    UNROLLED
    for (i32 e = 0; e < SHARE; e += CHUNK) {
        const PLACE at = r.sums + ((first + e) / CHUNK * (16 * COMPUTERS) + 16 * item);
        UNROLLED
        for (i32 group = 0; group < CLUSTER; group++) {
            T part[CHUNK];
            LOAD_PEER_4S((R *)part, PEER_PLACE(at, group));
            UNROLLED
            for (i32 x = 0; x < CHUNK; x++)
                sums->SUM(e + x) = group == 0 ? part[x] : T_add(sums->SUM(e + x), part[x]);
        }
    }
    CLUSTER_BARRIER();
}
#endif

/* What a lane has of a tile in the end: sums number e are those of row m and column n, e + first =
 * n TM + m. */
typedef struct pipeline_share {
    i32 i, j; /* the tile's first element */
    i32 first, column;
    i32 lane_row, lane_column;
} pipeline_share;

DEVICE i32 share_row(pipeline_share s, const i32 e)
{
    return s.i + s.lane_row + sum_row((s.first + e) % TM);
}

DEVICE i32 share_column(pipeline_share s, const i32 e)
{
    return s.j + s.lane_column + sum_column(s.column + (s.first + e) / TM);
}

/* Loops that need few sums at a time have short bodies where the others move up. */
DEVICE void move_sums(pipeline_sums *sums, const i32 count)
{
    UNROLLED
    for (i32 e = 0; e < SHARE - count; e++)
        sums->SUM(e) = sums->SUM(e + count);
}

#if TRIANGULAR
/* Sums that are not finite are made again from what counts. */
DEVICE void recompute_nonfinite(GLOBAL const T *A, GLOBAL const T *B, gemm_args a, pipeline_share s,
                                pipeline_sums *sums)
{
    i32 all = 1;
    UNROLLED
    for (i32 e = 0; e < SHARE; e++)
        all &= is_finite(sums->SUM(e));
    if (all)
        return;
    ROLLED
    for (i32 e = 0; e < SHARE; e++) {
        const i32 row = share_row(s, e), column = share_column(s, e);
        T sum = sums->SUM(0);
        if (!is_finite(sum) && row < a.m && column < a.n)
            sum = sum_again(A, B, a, row, column);
        move_sums(sums, 1);
        sums->SUM(SHARE - 1) = sum;
    }
}
#endif

typedef struct ALIGNED(VECTORS ? 16 : sizeof(T)) pipeline_vector {
    T v[CHUNK];
} pipeline_vector;

/* Stores the sums of a tile that is there and wanted as a whole. `reads`: beta is not 0. */
DEVICE void store_whole(GLOBAL T *C, i64 ldc, pipeline_share s, T alpha, T beta, const i32 reads,
                        const pipeline_sums *sums)
{
    UNROLLED
    for (i32 n = 0; n < SHARE; n += SUM_ROWS) {
        i32 column = share_column(s, n);
        FORGET(column); /* columns' addresses are not kept beside the sums */
        GLOBAL T *c = C + share_row(s, n) + column * ldc;
        T old[TM];
        if (reads) {
            UNROLLED
            for (i32 m = 0; m < SUM_ROWS; m += CHUNK) {
                GLOBAL const T *from = c + (share_row(s, n + m) - share_row(s, n));
                if (VECTORS) {
                    const pipeline_vector v = *(GLOBAL const pipeline_vector *)from;
                    UNROLLED
                    for (i32 x = 0; x < CHUNK; x++)
                        old[m + x] = v.v[x];
                } else {
                    UNROLLED
                    for (i32 x = 0; x < CHUNK; x++)
                        old[m + x] = from[sum_row(x)];
                }
            }
        }
        UNROLLED
        for (i32 m = 0; m < SUM_ROWS; m += CHUNK) {
            GLOBAL T *to = c + (share_row(s, n + m) - share_row(s, n));
            pipeline_vector v;
            UNROLLED
            for (i32 x = 0; x < CHUNK; x++) {
                const T sum = sums->SUM(n + m + x);
                v.v[x] = reads ? T_fma(alpha, sum, T_mul(beta, old[m + x])) : T_mul(alpha, sum);
            }
            if (VECTORS) {
                *(GLOBAL pipeline_vector *)to = v;
            } else {
                UNROLLED
                for (i32 x = 0; x < CHUNK; x++)
                    to[sum_row(x)] = v.v[x];
            }
        }
    }
}

/* The same for any tile. */
DEVICE void store_some(GLOBAL T *C, gemm_args a, pipeline_share s, T alpha, T beta,
                       pipeline_sums *sums)
{
    ROLLED
    for (i32 n = 0; n < SHARE; n += SUM_ROWS) {
        FORGET(s.lane_row); /* rows are not kept beside the sums */
        T old[SUM_ROWS];
        UNROLLED
        for (i32 m = 0; m < SUM_ROWS; m++)
            old[m] = old_sum(C, a, share_row(s, n + m), share_column(s, n), !T_is_zero(beta));
        UNROLLED
        for (i32 m = 0; m < SUM_ROWS; m++)
            store_sum(C, a, share_row(s, n + m), share_column(s, n), alpha, sums->SUM(m), beta,
                      old[m]);
        move_sums(sums, SUM_ROWS);
    }
}

#if STAGED_C
#if !A_PANELS
#error "STAGED_C needs neighbours in a column of C"
#endif
/* A lane's 16 bytes number m of column n in a buffer of C (gemm_staged_c.cuh). What its columns
 * have in their lowest three bits is not in those of its first column. The 8 lanes that shared
 * memory serves at once use all banks in s, half of them in c. */
DEVICE PLACE staged_at(PLACE first, const i32 m, const i32 n)
{
    const i32 bits = sum_column(n) & 7;
    return PLACE_XOR(first, COLUMN_BITS(bits)) +
           ((sum_column(n) - bits) * LINE_BYTES + m * STAGED_PANEL);
}

DEVICE void load_staged(PLACE first, const i32 n, T *old)
{
    UNROLLED
    for (i32 m = 0; m < TM / CHUNK; m++)
        load_chunk(old + m * CHUNK, staged_at(first, m, n));
}

DEVICE void store_staged(PLACE first, const i32 n, T alpha, T beta, const i32 reads, const T *old,
                         const pipeline_sums *sums)
{
    UNROLLED
    for (i32 m = 0; m < TM / CHUNK; m++) {
        T v[CHUNK];
        UNROLLED
        for (i32 x = 0; x < CHUNK; x++) {
            const T sum = sums->v[n][m * CHUNK + x];
            v[x] = reads ? T_fma(alpha, sum, T_mul(beta, old[m * CHUNK + x])) : T_mul(alpha, sum);
        }
        STORE_4S(staged_at(first, m, n), (const R *)v);
    }
}

/* What store_whole does, in a buffer of C, part after part. */
DEVICE void stage_sums(pipeline_room r, i32 use, pipeline_lane l, T alpha, T beta,
                       const pipeline_sums *sums)
{
    const PLACE first = staged_buffer(r, use) + staged_place(l.row, l.column);
    const i32 each = TN / STAGED_PARTS;
    T old[2][TM];
    UNROLLED
    for (i32 part = 0; part < STAGED_PARTS; part++) {
        staged_wait(r, use, part);
        if (T_is_zero(beta)) {
            UNROLLED
            for (i32 n = part * each; n < (part + 1) * each; n++)
                store_staged(first, n, alpha, beta, 0, old[0], sums);
        } else {
            load_staged(first, part * each, old[0]);
            UNROLLED
            for (i32 n = part * each; n < (part + 1) * each; n++) {
                if (n + 1 < (part + 1) * each)
                    load_staged(first, n + 1, old[(n + 1) % 2]);
                store_staged(first, n, alpha, beta, 1, old[n % 2], sums);
            }
        }
        staged_done(r, use, part);
    }
}
#endif
