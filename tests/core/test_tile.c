/* test_tile.c: the innermost loop of products on x86-64, by registers of each width that this CPU
 * has; the look for numbers that are not finite.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products themselves run with the widest alone. Numbers are small integers, so every order of
 * summation gives the same.
 */
#include <float.h>
#include <math.h>
#include "cpu/cpu_product.h"
#include "expect.h"

#define MOST 140

static void test_finite(void)
{
    static const R bad[] = {(R)NAN, (R)INFINITY, (R)-INFINITY};
    R x[MOST + 1];
    for (int n = 0; n <= MOST; n++) {
        for (int i = 0; i < n; i++)
            x[i] = i % 2 ? (R)-FLT_MAX : (R)FLT_MIN / 4;
        x[n] = bad[0]; /* beyond them */
        int wrong = !PRIVATE(all_finite)(x, n);
        for (int i = 0; i < n; i++) {
            const R before = x[i];
            x[i] = bad[i % 3];
            wrong += PRIVATE(all_finite)(x, n);
            x[i] = before;
        }
        EXPECT(wrong == 0, "of %d numbers %d are judged wrong", n, wrong);
    }
}

#if defined(__x86_64__)

#define DEPTHS 9
#define NEVER  -77 /* in a tile, and never a sum */

static void test_width(int bytes)
{
    static R f[DEPTHS * TILE_ROWS], g[DEPTHS * TILE_COLUMNS], tile[TILE_ROWS * TILE_COLUMNS];
    tile_function *const multiply = PRIVATE(tile)(bytes);
    if (multiply == NULL) {
        printf("registers of %d bytes: this CPU has none, not tested\n", bytes);
        return;
    }
    for (int i = 0; i < DEPTHS * TILE_ROWS; i++)
        f[i] = (R)(i * 7 % 13) - 6;
    for (int i = 0; i < DEPTHS * TILE_COLUMNS; i++)
        g[i] = (R)(i * 5 % 11) - 5;
    for (int depth = 1; depth <= DEPTHS; depth += 4)
        for (int rows = 1; rows <= TILE_ROWS; rows++)
            for (int columns = 1; columns <= TILE_COLUMNS; columns++) {
                int wrong = 0;
                for (int i = 0; i < TILE_ROWS * TILE_COLUMNS; i++)
                    tile[i] = NEVER;
                multiply(depth, f, g, tile, rows, columns);
                for (int j = 0; j < TILE_COLUMNS; j++)
                    for (int i = 0; i < TILE_ROWS; i++) {
                        R sum = 0;
                        for (int p = 0; p < depth; p++)
                            sum += f[p * TILE_ROWS + i] * g[p * TILE_COLUMNS + j];
                        const R found = tile[j * TILE_ROWS + i];
                        const bool wanted = i < rows && j < columns;
                        wrong += found != sum && (wanted || found != NEVER);
                    }
                EXPECT(wrong == 0, "%d bytes, %d terms, %d by %d: %d sums are wrong", bytes, depth,
                       rows, columns, wrong);
            }
}

static void test_tiles(void)
{
    test_width(16);
    test_width(32);
    test_width(64);
    test_width(0);
    EXPECT(PRIVATE(tile)(0) != NULL && PRIVATE(tile)(24) == NULL, "widths are not told apart");
}
#else
static void test_tiles(void)
{
    puts("products have one loop on this architecture, which tests/blas runs");
}
#endif

int main(void)
{
    test_finite();
    test_tiles();
    return expect_summary("test_tile");
}
