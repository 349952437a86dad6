/* cpu_product.c: C := alpha F G + beta C on the cpu: packed panels, tiles in registers, threads
 * over pieces of C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The scheme of Goto and van de Geijn (Anatomy of High-Performance Matrix Multiplication, 2008): a
 * block of F is packed so that it stays in the second-level cache, a block of G in the third; both
 * lie there in panels as wide as a tile, in the order in which the innermost loop reads them.
 * Packing also transposes, conjugates and mirrors, so that loop is one for all routines. A complex
 * product is one of reals there: a panel has real and imaginary parts side by side, a tile gets all
 * four products of parts, and they are added when it is stored.
 *
 * Threads share C, and each packs what it needs. Terms are added in blocks of DEPTH whatever the
 * threads are, so the bits do not depend on their number.
 */
#include <stdlib.h>
#include "cpu/cpu_product.h"

/* A tile in elements: the widths of packed panels. */
#define ROWS    (TILE_ROWS / REALS)
#define COLUMNS (TILE_COLUMNS / REALS)

/* Terms of a block, and bytes of both packed blocks: a panel of G has 12 KiB in d and stays in the
 * first-level cache; the block of F takes a quarter of a second-level cache of 1 MiB. */
#define DEPTH     256
#define F_BYTES   (256 * 1024)
#define G_BYTES   (1024 * 1024)
#define MOST_ROWS (F_BYTES / DEPTH / (int)sizeof(T) / ROWS * ROWS)
#define MOST_COLS (G_BYTES / DEPTH / (int)sizeof(T) / COLUMNS * COLUMNS)

/* Both blocks of a product that is done at once, on the stack: 32 x 32 in d, for one. */
#define STACK_BYTES (24 * 1024)

/* Multiply-adds of real numbers that are worth one more thread: 2 us, three times a fork and join
 * (Neoverse V1, 2026-11). */
#define GRAIN_TERMS 40000

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t rounded(int64_t n, int64_t to)
{
    return (n + to - 1) / to * to;
}

/* ---- packing ---- */

/* Rows [row, row + count) and columns [from, from + depth) of a factor, as a panel `width` rows
 * high. Rows past the end are zeros: what they give is not stored. */
INLINED void pack_plain(const factor_view *f, int64_t row, int64_t count, int64_t from,
                        int64_t depth, int width, T *to)
{
    const T *const at = place_of(f, row, from);
    const int64_t down = f->transposed ? f->ld : 1, along = f->transposed ? 1 : f->ld;
    if (count < width) {
        for (int64_t p = 0; p < depth; p++)
            for (int i = 0; i < width; i++)
                to[p * width + i] = i < count ? at[i * down + p * along] : number(0);
    } else if (!f->transposed) {
        for (int64_t p = 0; p < depth; p++)
            for (int i = 0; i < width; i++)
                to[p * width + i] = at[i + p * along];
    } else {
        for (int64_t p = 0; p < depth; p++)
            for (int i = 0; i < width; i++)
                to[p * width + i] = at[i * down + p];
    }
#if COMPLEX
    if (f->conj)
        for (int64_t p = 0; p < depth * width; p++)
            to[p].im = -to[p].im;
#endif
}

/* The same of a symmetric matrix: a stretch of columns on one side of the diagonal is stored as it
 * is or mirrored. f->transposed: of its transpose, which is its conjugate where it is Hermitian. */
INLINED void pack_symmetric(const factor_view *f, int64_t row, int64_t count, int64_t from,
                            int64_t depth, int width, T *to)
{
    const int64_t first = least(most(row - from, 0), depth),
                  last = least(most(row + count - from, 0), depth);
    factor_view side = {.at = f->at, .ld = f->ld};
    side.transposed = f->upper; /* below the diagonal */
    side.conj = f->conj && side.transposed != f->transposed;
    pack_plain(&side, row, count, from, first, width, to);
    for (int64_t p = first; p < last; p++)
        for (int i = 0; i < width; i++)
            to[p * width + i] = i >= count      ? number(0)
                                : f->transposed ? element_of(f, from + p, row + i)
                                                : element_of(f, row + i, from + p);
    side.transposed = !f->upper;
    side.conj = f->conj && side.transposed != f->transposed;
    pack_plain(&side, row, count, from + last, depth - last, width, to + last * width);
}

/* All panels of rows [row, row + rows). */
INLINED void pack_panels(const factor_view *f, int64_t row, int64_t rows, int64_t from,
                         int64_t depth, int width, T *to)
{
    for (int64_t i = 0; i < rows; i += width) {
        const int64_t count = least(width, rows - i);
        if (f->symmetric)
            pack_symmetric(f, row + i, count, from, depth, width, to + i * depth);
        else
            pack_plain(f, row + i, count, from, depth, width, to + i * depth);
    }
}

/* ---- tiles ---- */

#if defined(__x86_64__)
static tile_function *tile_kernel(void)
{
    return PRIVATE(tile)(0);
}
#else
/* A pack in a register: gcc 12 copies those that may stand at any address once more in each round
 * of a loop. */
typedef R number_pack __attribute__((vector_size(16)));

/* One column of a tile. Members, not an array: gcc 12 keeps arrays of sums in memory. */
typedef struct tile_column {
    number_pack a, b, c, d;
} tile_column;

INLINED tile_column column_at(const R *f)
{
#if TILE_PACKS == 4
    return (tile_column){(number_pack)pack_at(f), (number_pack)pack_at(f + PACK),
                         (number_pack)pack_at(f + 2 * PACK), (number_pack)pack_at(f + 3 * PACK)};
#else
    return (tile_column){.a = (number_pack)pack_at(f), .b = (number_pack)pack_at(f + PACK)};
#endif
}

INLINED void add_column(tile_column *sum, tile_column f, R g)
{
    const pack all = pack_of(g);
    sum->a = (number_pack)pack_multiply_add((pack)f.a, all, (pack)sum->a);
    sum->b = (number_pack)pack_multiply_add((pack)f.b, all, (pack)sum->b);
#if TILE_PACKS == 4
    sum->c = (number_pack)pack_multiply_add((pack)f.c, all, (pack)sum->c);
    sum->d = (number_pack)pack_multiply_add((pack)f.d, all, (pack)sum->d);
#endif
}

INLINED void put_column(const tile_column *sum, R *to)
{
    *(pack *)to = (pack)sum->a;
    *(pack *)(to + PACK) = (pack)sum->b;
#if TILE_PACKS == 4
    *(pack *)(to + 2 * PACK) = (pack)sum->c;
    *(pack *)(to + 3 * PACK) = (pack)sum->d;
#endif
}

/* gcc 12 loads all numbers of a round at once where it may, and has no registers left for the sums
 * then (Neoverse V1, 2026-11, n = 512 in d on two threads: 37 against 58 Gflop/s). */
#if defined(__clang__)
#define IN_ORDER static __attribute__((noinline))
#else
#define IN_ORDER static __attribute__((noinline, optimize("no-schedule-insns")))
#endif

IN_ORDER void multiply_panels(int64_t depth, const R *restrict f, const R *restrict g,
                              R *restrict tile, int rows, int columns)
{
    (void)rows, (void)columns;
    tile_column s0 = {.a = {0}}, s1 = s0, s2 = s0, s3 = s0;
#if TILE_COLUMNS == 6
    tile_column s4 = s0, s5 = s0;
#endif
    const R *const end = f + depth * TILE_ROWS;
    do {
        const tile_column column = column_at(f);
        const R *const row = g;
        add_column(&s0, column, row[0]);
        add_column(&s1, column, row[1]);
        add_column(&s2, column, row[2]);
        add_column(&s3, column, row[3]);
#if TILE_COLUMNS == 6
        add_column(&s4, column, row[4]);
        add_column(&s5, column, row[5]);
#endif
        f += TILE_ROWS;
        g += TILE_COLUMNS;
    } while (f < end);
    put_column(&s0, tile);
    put_column(&s1, tile + TILE_ROWS);
    put_column(&s2, tile + 2 * TILE_ROWS);
    put_column(&s3, tile + 3 * TILE_ROWS);
#if TILE_COLUMNS == 6
    put_column(&s4, tile + 4 * TILE_ROWS);
    put_column(&s5, tile + 5 * TILE_ROWS);
#endif
}

static tile_function *tile_kernel(void)
{
    return multiply_panels;
}
#endif

/* Element (i, j) of a tile. */
INLINED T tile_at(const R *tile, int i, int j)
{
#if COMPLEX
    const R *u = tile + 2 * j * TILE_ROWS + 2 * i, *v = u + TILE_ROWS;
    return (T){u[0] - v[1], u[1] + v[0]};
#else
    return tile[j * TILE_ROWS + i];
#endif
}

INLINED void store_column(const R *tile, int j, int first, int last, T alpha, T beta, T *c)
{
    if (is_zero(beta)) {
        for (int i = first; i < last; i++) {
            const T sum = tile_at(tile, i, j);
            put_multiple(alpha, &sum, c + i);
        }
    } else {
        for (int i = first; i < last; i++) {
            const T sum = tile_at(tile, i, j);
            put_combination(alpha, &sum, beta, c + i, c + i);
        }
    }
}

/* Stores the wanted part of the tile whose first element is (row, column) of C. */
static void store_tile(const product_job *job, const R *tile, int64_t row, int64_t column, int rows,
                       int columns, T beta)
{
    T *const c = job->C + row + column * job->ldc;
    const bool cut = job->triangle_c != GBL_ALL && row < column + columns && column < row + rows;
    if (!cut && rows == ROWS) {
        for (int j = 0; j < columns; j++)
            store_column(tile, j, 0, ROWS, job->alpha, beta, c + j * job->ldc);
        return;
    }
    for (int j = 0; j < columns; j++) {
        const int64_t diagonal = column + j - row;
        int first = 0, last = rows;
        if (cut && job->triangle_c == GBL_LOWER_ONLY)
            first = (int)least(most(diagonal, 0), rows);
        if (cut && job->triangle_c == GBL_UPPER_ONLY)
            last = (int)least(most(diagonal + 1, 0), rows);
        T *const at = c + j * job->ldc;
#if COMPLEX
        const bool real = job->real_diagonal && diagonal >= 0 && diagonal < rows;
        if (real && !is_zero(beta))
            at[diagonal].im = 0;
#endif
        store_column(tile, j, first, last, job->alpha, beta, at);
#if COMPLEX
        if (real)
            at[diagonal].im = 0;
#endif
    }
}

/* ---- blocks ---- */

/* A piece of C. */
typedef struct area {
    int64_t row, end_row, column, end_column;
} area;

/* Rows of the area that a part has in columns [column, end). */
static area wanted(const product_job *job, area a, int64_t column, int64_t end)
{
    a.column = column;
    a.end_column = end;
    if (job->triangle_c == GBL_UPPER_ONLY)
        a.end_row = least(a.end_row, end);
    if (job->triangle_c == GBL_LOWER_ONLY)
        a.row = most(a.row, column);
    return a;
}

/* Packed panels of F with packed panels of G. */
static void multiply_blocks(const product_job *job, area a, int64_t depth, const T *f, const T *g,
                            T beta)
{
    R tile[TILE_ROWS * TILE_COLUMNS] __attribute__((aligned(64)));
    tile_function *const multiply = tile_kernel();
    for (int64_t j = a.column; j < a.end_column; j += COLUMNS) {
        const int columns = (int)least(COLUMNS, a.end_column - j);
        for (int64_t i = a.row; i < a.end_row; i += ROWS) {
            const int rows = (int)least(ROWS, a.end_row - i);
            if ((job->triangle_c == GBL_UPPER_ONLY && i >= j + columns) ||
                (job->triangle_c == GBL_LOWER_ONLY && i + rows <= j))
                continue;
            multiply(depth, (const R *)(f + (i - a.row) * depth),
                     (const R *)(g + (j - a.column) * depth), tile, rows * REALS, columns * REALS);
            store_tile(job, tile, i, j, rows, columns, beta);
        }
    }
}

static void multiply_area(const product_job *job, area all, T *room)
{
    factor_view turned = job->b; /* panels of G are columns */
    turned.transposed = !turned.transposed;
    const int64_t deep = least(DEPTH, job->k), wide = least(MOST_COLS, all.end_column - all.column);
    T *const g = room, *const f = room + deep * rounded(wide, COLUMNS);
    for (int64_t j = all.column; j < all.end_column; j += MOST_COLS) {
        const area strip = wanted(job, all, j, least(j + MOST_COLS, all.end_column));
        for (int64_t p = 0; p < job->k; p += DEPTH) {
            const int64_t depth = least(DEPTH, job->k - p);
            pack_panels(&turned, j, strip.end_column - j, p, depth, COLUMNS, g);
            for (int64_t i = strip.row; i < strip.end_row; i += MOST_ROWS) {
                area block = strip;
                block.row = i;
                block.end_row = least(i + MOST_ROWS, strip.end_row);
                pack_panels(&job->a, i, block.end_row - i, p, depth, ROWS, f);
                multiply_blocks(job, block, depth, f, g, p == 0 ? job->beta : number(1));
            }
        }
    }
}

/* Elements of both packed blocks. */
static int64_t room_of(int64_t m, int64_t n, int64_t k)
{
    return least(k, DEPTH) *
           (rounded(least(m, MOST_ROWS), ROWS) + rounded(least(n, MOST_COLS), COLUMNS));
}

int64_t PRIVATE(product_room)(int64_t m, int64_t n, int64_t k)
{
    return rounded(room_of(m, n, k) * (int64_t)sizeof(T), GBL_CPU_LINE);
}

/* ---- C := beta C ---- */

static void scale_columns(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const product_job *job = given;
    const T nothing = number(0);
    for (int64_t j = begin; j < end; j++) {
        const int64_t first = job->triangle_c == GBL_LOWER_ONLY ? j : 0,
                      last = job->triangle_c == GBL_UPPER_ONLY ? j + 1 : job->m;
        T *const c = job->C + j * job->ldc;
#if COMPLEX
        if (job->real_diagonal && !is_zero(job->beta))
            c[j].im = 0;
#endif
        for (int64_t i = first; i < last; i++) {
            if (is_zero(job->beta))
                c[i] = nothing;
            else
                put_multiple(job->beta, c + i, c + i);
        }
#if COMPLEX
        if (job->real_diagonal)
            c[j].im = 0;
#endif
    }
}

/* ---- Threads ---- */

typedef struct shared_product {
    const product_job *job;
    int across, down; /* pieces along a row, and along a column of C */
    char *rooms;
    int64_t room_bytes;
} shared_product;

/* Where piece t of `pieces` begins, at a multiple of `unit`; of a triangle all have the same
 * area. */
static int64_t cut(const product_job *job, int64_t n, int t, int pieces, int unit)
{
    double share = (double)t / pieces;
    if (t == pieces)
        return n;
    if (job->triangle_c != GBL_ALL) { /* the root of the share, by Newton's steps from above */
        const double before = job->triangle_c == GBL_UPPER_ONLY ? share : 1 - share;
        double root = 1;
        for (int step = 0; step < 30; step++)
            root = root > 0 ? (root + before / root) / 2 : 0;
        share = job->triangle_c == GBL_UPPER_ONLY ? root : 1 - root;
    }
    return least((int64_t)((double)n * share) / unit * unit, n);
}

static void product_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const shared_product *all = given;
    const product_job *job = all->job;
    T *const room = (T *)(void *)(all->rooms + piece * all->room_bytes);
    for (int64_t t = begin; t < end; t++) {
        const int x = (int)t / all->down, y = (int)t % all->down;
        area a = {0, job->m, cut(job, job->n, x, all->across, COLUMNS),
                  cut(job, job->n, x + 1, all->across, COLUMNS)};
        if (all->down > 1) {
            a.row = cut(job, job->m, y, all->down, ROWS);
            a.end_row = cut(job, job->m, y + 1, all->down, ROWS);
        }
        if (a.row < a.end_row && a.column < a.end_column)
            multiply_area(job, a, room);
    }
}

/* Pieces of a rectangle as square as can be; of a triangle, columns. */
static void cut_pieces(shared_product *all, int threads)
{
    const double m = (double)all->job->m, n = (double)all->job->n;
    double best = -1;
    all->across = threads;
    all->down = 1;
    for (int down = 1; all->job->triangle_c == GBL_ALL && down <= threads; down++) {
        const double edges = m / down + n / (threads / down);
        if (threads % down == 0 && (best < 0 || edges < best)) {
            best = edges;
            all->down = down;
            all->across = threads / down;
        }
    }
}

int PRIVATE(product_threads)(double terms)
{
    const double useful = terms * REALS * REALS / GRAIN_TERMS;
    if (useful < 2 || omp_in_parallel() || gbl_cpu_is_serial())
        return 1;
    int threads = omp_get_max_threads();
    threads = threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
    return useful < threads ? (int)useful : threads;
}

void PRIVATE(product_within)(const product_job *job, void *room)
{
    if (job->m > 0 && job->n > 0 && job->k > 0)
        multiply_area(job, (area){0, job->m, 0, job->n}, room);
}

gable_status PRIVATE(product)(const product_job *given, gbl_message *message)
{
    product_job job = *given;
    if (job.m <= 0 || job.n <= 0)
        return GABLE_OK;
    if (job.k <= 0 || is_zero(job.alpha)) {
        if (!is_one(job.beta) || job.real_diagonal)
            gbl_cpu_share(job.n, GBL_CPU_LINE, 2 * (int64_t)sizeof(T) * least(job.m, 1 << 20),
                          scale_columns, &job);
        return GABLE_OK;
    }
    shared_product all = {.job = &job, .across = 1, .down = 1};
    const double share = job.triangle_c == GBL_ALL ? 1 : 0.5;
    const int threads =
        PRIVATE(product_threads)(share * (double)job.m * (double)job.n * (double)job.k);
    if (threads == 1 && room_of(job.m, job.n, job.k) * (int64_t)sizeof(T) <= STACK_BYTES) {
        T stack[STACK_BYTES / sizeof(T)] __attribute__((aligned(GBL_CPU_LINE)));
        PRIVATE(product_within)(&job, stack);
        return GABLE_OK;
    }
    cut_pieces(&all, threads);
    all.room_bytes =
        PRIVATE(product_room)(all.down > 1 ? job.m / all.down + 2 * ROWS : job.m, job.n, job.k);
    all.rooms = aligned_alloc(GBL_CPU_LINE, (size_t)(all.room_bytes * threads));
    if (all.rooms == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the panels of a product");
    gbl_cpu_share(threads, GBL_CPU_LINE, (int64_t)1 << 20, product_piece, &all);
    free(all.rooms);
    return GABLE_OK;
}
