/* cpu_tile.c: the products of two packed panels on x86-64, in registers as wide as the CPU has
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x86-64 without more says SSE2, so wider units are asked for at run time. The panels lie in memory
 * in the same way for all (cpu_product.h): a tile is computed in blocks of one or two registers of
 * rows by as many columns as leave registers for the numbers on their way. The file is compiled
 * with contraction (CMakeLists.txt): one instruction where the CPU has it.
 */
#include "cpu/cpu_product.h"

#if defined(__x86_64__)

/* What is done for each column. Named sums: gcc 12 keeps arrays of them in memory. */
#define BEGIN_ONE(c) vector low##c = nothing;
#define BEGIN(c)     vector low##c = nothing, high##c = nothing;
#define STEP_ONE(c)  low##c += low * g[c];
#define STEP(c)      low##c += low * g[c], high##c += high * g[c];
#define PUT_ONE(c)   *(vector *)(tile + (c)*TILE_ROWS) = low##c;
#define PUT(c)       PUT_ONE(c) * (vector *)(tile + (c)*TILE_ROWS + LENGTH) = high##c;
#define COUNT(c)     +1
#define FOUR(DO)     DO(0) DO(1) DO(2) DO(3)
#define EIGHT(DO)    FOUR(DO) DO(4) DO(5) DO(6) DO(7)

#define LENGTH ((int)(sizeof(vector) / sizeof(R)))
#define PANELS int64_t depth, const R *restrict f, const R *restrict g, R *restrict tile
#define ALONG(f)                                                                                   \
    const R *const end = f + depth * TILE_ROWS;                                                    \
    f < end;                                                                                       \
    f += TILE_ROWS, g += TILE_COLUMNS

/* name##_one and name##_two: a block, tile[column][row]. name: those blocks that have a wanted
 * element. */
#define BLOCKS(name, target_, bytes_, COLUMNS_)                                                    \
    typedef R name##_vector __attribute__((vector_size(bytes_), aligned(sizeof(R)), may_alias));   \
    target_ static void name##_one(PANELS)                                                         \
    {                                                                                              \
        typedef name##_vector vector;                                                              \
        const vector nothing = {0};                                                                \
        COLUMNS_(BEGIN_ONE)                                                                        \
        for (ALONG(f)) {                                                                           \
            const vector low = *(const vector *)f;                                                 \
            COLUMNS_(STEP_ONE)                                                                     \
        }                                                                                          \
        COLUMNS_(PUT_ONE)                                                                          \
    }                                                                                              \
    target_ static void name##_two(PANELS)                                                         \
    {                                                                                              \
        typedef name##_vector vector;                                                              \
        const vector nothing = {0};                                                                \
        COLUMNS_(BEGIN)                                                                            \
        for (ALONG(f)) {                                                                           \
            const vector low = *(const vector *)f, high = *(const vector *)(f + LENGTH);           \
            COLUMNS_(STEP)                                                                         \
        }                                                                                          \
        COLUMNS_(PUT)                                                                              \
    }                                                                                              \
    static void name(int64_t depth, const R *f, const R *g, R *tile, int rows, int columns)        \
    {                                                                                              \
        typedef name##_vector vector;                                                              \
        for (int j = 0; j < columns; j += COLUMNS_(COUNT))                                         \
            for (int i = 0; i < rows; i += 2 * LENGTH) {                                           \
                R *const to = tile + j * TILE_ROWS + i;                                            \
                if (rows - i > LENGTH)                                                             \
                    name##_two(depth, f + i, g + j, to);                                           \
                else                                                                               \
                    name##_one(depth, f + i, g + j, to);                                           \
            }                                                                                      \
    }

BLOCKS(multiply_sse2, , 16, FOUR)
BLOCKS(multiply_avx2, __attribute__((target("avx2,fma"))), 32, FOUR)
BLOCKS(multiply_avx512, __attribute__((target("avx512f"))), 64, EIGHT)

tile_function *PRIVATE(tile)(int bytes)
{
    __builtin_cpu_init();
    if ((bytes == 0 || bytes == 64) && __builtin_cpu_supports("avx512f"))
        return multiply_avx512;
    if ((bytes == 0 || bytes == 32) && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma"))
        return multiply_avx2;
    return bytes == 0 || bytes == 16 ? multiply_sse2 : NULL;
}

#endif
