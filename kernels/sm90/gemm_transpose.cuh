/* gemm_transpose.cuh: stages whose operands are stored along their terms, transposed in place
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_pipeline.cuh. TMA brings lines that hold TERMS terms of one row. TERMS such lines
 * form a square block, as large as a panel, which holds the same elements with one line per term.
 * Computing work-items want panels: in a panel a lane loads neighbouring rows of one term at once,
 * and the registers of both operands are in different banks.
 */
/* Transposes a block of TERMS lines along the terms, which becomes a panel in the same place. Lane
 * x + 8 y has squares of 16 bytes x 16 bytes: those in which its own line x and its terms differ by
 * y, so that all lanes use different banks. */
DEVICE void transpose_block(PLACE block, i32 lane)
{
    ROLLED
    for (i32 half = 0; half < 2; half++) {
        FORGET(lane); /* producers have few registers */
        const i32 x = lane % 8, y = x ^ (lane / 8 + 4 * half);
        T v[TERMS / 8][TERMS / 8];
        UNROLLED
        for (i32 e = 0; e < TERMS / 8; e++) {
            const i32 line = x * (TERMS / 8) + e;
            LOAD_4S((R *)v[e], block + (line * LINE_BYTES + ((y ^ (line & 7)) << 4)));
        }
        WARP_BARRIER();
        FORGET(lane);
        UNROLLED
        for (i32 e = 0; e < TERMS / 8; e++) {
            const i32 line = y * (TERMS / 8) + e;
            T transposed[TERMS / 8];
            UNROLLED
            for (i32 c = 0; c < TERMS / 8; c++)
                transposed[c] = v[c][e];
            STORE_4S(block + (line * LINE_BYTES + ((x ^ (line & 7)) << 4)), (const R *)transposed);
        }
    }
}

/* What TRANSPOSERS warps of producers do: they transpose what TMA brought. */
DEVICE void pipeline_transpose(pipeline_room r, gemm_args a, i64 raster, i32 lane)
{
    const i32 first = A_ALONG ? ROWS / TERMS : 0,
              end = (ROWS + (B_ALONG ? 0 : COLUMNS)) / TERMS; /* blocks of a stage */
    pipeline_tile tile = {0};
    const pipeline_steps steps = pipeline_terms(a, tile); /* the same for all tiles */
#if BATCH
    i32 left = pipeline_count(a, raster) * (steps.last - steps.first);
#else
    i32 left = 0, round = 0;
    while (pipeline_next(a, raster, &round, &tile))
        left += steps.last - steps.first;
#endif
    i32 s = 0;
    u32 parity = 0;
    ROLLED
    for (; left > 0; left--) {
        MBARRIER_WAIT(r.brought + 8 * s, parity);
        ROLLED
        for (i32 b = first + lane / 32; b < end; b += TRANSPOSERS)
            transpose_block(r.stages + (s * STAGE_BYTES + b * (TERMS * LINE_BYTES)), lane % 32);
        STORES_READY();
        WARP_BARRIER();
        if (ARRIVES(lane % 32 == 0))
            MBARRIER_ARRIVE(r.full + 8 * s);
        if (++s == STAGES) {
            s = 0;
            parity ^= 1;
        }
    }
}
