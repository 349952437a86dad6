/* gemm_batch.cuh: the factors of a batch entry, and how they come into stages
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_pipeline.cuh. Where entries are a stride apart (BATCH 1), the entry is the last
 * coordinate of a TMA copy. A factor that all entries share has one entry in its tensor map.
 * With a negative stride, entries are counted from the last. Where addresses come from an array
 * (BATCH 2) the host knows none of them, so that there can be no tensor map. Producers then copy 16
 * bytes at a time where an entry and its columns are aligned to 16 bytes, else single elements, or
 * halves of complex ones.
 */
#if BATCH == 1
#define TMA_LOAD(to, map, o, x, y, full)        TMA_LOAD_3(to, map, x, y, (o).entry, full)
#define TMA_LOAD_PANELS(to, map, o, y, z, full) TMA_LOAD_4(to, map, 0, y, z, (o).entry, full)
#else
#define TMA_LOAD(to, map, o, x, y, full)        TMA_LOAD_2(to, map, x, y, full)
#define TMA_LOAD_PANELS(to, map, o, y, z, full) TMA_LOAD_3(to, map, 0, y, z, full)
#endif

#if BATCH
/* A factor of a tile: so many rows of op(A), or columns of op(B). Where there are no terms it is
 * not followed: its array of addresses need not be there. */
DEVICE pipeline_operand entry_factor(GLOBAL const T *base, i64 ld, i64 size, i64 stride,
                                     gemm_args a, pipeline_tile tile)
{
    pipeline_operand o;
    o.at = a.k > 0 ? entry_start(base, tile.entry, stride) : base;
    const u64 starts = (u64)o.at | (u64)(ld * (i64)sizeof(T));
    o.ld = ld;
    o.size = (i32)size;
    o.entry = stride == 0 ? 0 : stride > 0 ? tile.entry : (i32)a.batch - 1 - tile.entry;
    o.load_mode = starts % 16 == 0 ? 0 : starts % sizeof(T) == 0 ? 1 : 2;
    return o;
}
#endif

#if BATCH == 2
/* What copy_elements does, 16 bytes at a time: they stand in a line of a stage as they do in
 * memory. */
DEVICE void copy_wide(PLACE to, pipeline_operand o, const i32 along, const i32 length, i32 first,
                      i32 p, i32 end, i32 lane)
{
    const i32 each = 16 / (i32)sizeof(T), lines = PRODUCERS / 8; /* that lanes copy at once */
    const i32 rows_left = o.size - first, terms_left = end - p, c = lane % 8;
    GLOBAL const T *at = o.at + (along ? first + (i64)p * o.ld : p + (i64)first * o.ld);
    ROLLED
    for (i32 x = lane / 8; x < length; x += 2 * lines) {
        UNROLLED
        for (i32 u = 0; u < 2; u++) {
            const i32 line = x + u * lines, row = along ? line / TERMS * TERMS + c * each : line,
                      term = along ? line % TERMS : c * each;
            const i32 left = along ? (term < terms_left ? rows_left - row : 0)
                                   : (row < rows_left ? terms_left - term : 0),
                      given = left > 0 ? MINIMUM(left, each) * (i32)sizeof(T) : 0;
            COPY_ELEMENT(to + (line * LINE_BYTES + ((c ^ (line & 7)) << 4)),
                         given ? at + (along ? row + (i64)term * o.ld : term + (i64)row * o.ld)
                               : o.at,
                         16, given);
        }
    }
}
#endif

/* Copies lines of a factor that no TMA tile brings. */
DEVICE void copy_factor(PLACE to, pipeline_operand o, const i32 along, const i32 panels,
                        const i32 length, const i32 load_mode, i32 first, i32 p, i32 end,
                        const i32 keep, i32 lane)
{
#if BATCH == 2
    if (o.load_mode == 0)
        copy_wide(to, o, along, length, first, p, end, lane);
    else if (PREC != 3 && o.load_mode == 1) /* elements of z are 16 bytes */
        copy_elements(to, o, along, panels, length, 0, first, p, end, keep, lane);
    else if (T_REALS > 1)
        copy_elements(to, o, along, panels, length, 1, first, p, end, keep, lane);
    (void)load_mode;
#else
    copy_elements(to, o, along, panels, length, load_mode == 2, first, p, end, keep, lane);
#endif
}
