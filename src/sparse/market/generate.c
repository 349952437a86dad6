/* generate.c: sparse matrices made by rule, for tests, benchmarks and examples.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A kind of matrix is one function that writes one row, or only counts it. Threads count all rows,
 * the counts are added up, threads write all rows. A row depends on its number alone, so the
 * threads do not matter.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "device/cpu_team.h"
#include "sparse/market/generate.h"

#define MOST_BLOCK  64
#define MOST_PECLET 1e6

/* What a row of a few entries writes, so that the team shares some thousand rows and not less. */
#define ROW_BYTES 64

typedef struct recipe recipe;
struct recipe {
    int64_t (*row)(const recipe *how, int64_t row, int64_t *column, double *value);
    gbl_grid grid;
    int points, block;
    double peclet;
    int64_t columns, longest;
    uint64_t seed;
    gbl_generated *matrix;
};

/* ---- All kinds ---- */

void gbl_generated_free(gbl_generated *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (gbl_generated){.rows = 0};
}

static void count_rows(void *job, int piece, int64_t begin, int64_t end)
{
    const recipe *how = job;
    (void)piece;
    for (int64_t i = begin; i < end; i++)
        how->matrix->start[i + 1] = how->row(how, i, NULL, NULL);
}

static void write_rows(void *job, int piece, int64_t begin, int64_t end)
{
    const recipe *how = job;
    const gbl_generated *matrix = how->matrix;
    (void)piece;
    for (int64_t i = begin; i < end; i++)
        how->row(how, i, matrix->column + matrix->start[i], matrix->value + matrix->start[i]);
}

/* The caller saw to it that no row count times the longest row passes the limit. */
static gable_status generate(recipe *how, int64_t rows, int64_t columns, gbl_message *message)
{
    gbl_generated *matrix = how->matrix;
    matrix->rows = rows;
    matrix->columns = columns;
    matrix->start = calloc((size_t)rows + 1, sizeof *matrix->start);
    if (matrix->start == NULL)
        goto no_memory;
    gbl_cpu_share(rows, sizeof *matrix->start, ROW_BYTES, count_rows, how);
    for (int64_t i = 0; i < rows; i++)
        matrix->start[i + 1] += matrix->start[i];
    matrix->entries = matrix->start[rows];
    matrix->column = malloc((size_t)matrix->entries * sizeof *matrix->column);
    matrix->value = malloc((size_t)matrix->entries * sizeof *matrix->value);
    if (matrix->column == NULL || matrix->value == NULL)
        goto no_memory;
    gbl_cpu_share(rows, sizeof *matrix->start, ROW_BYTES, write_rows, how);
    return GABLE_OK;
no_memory:
    gbl_generated_free(matrix);
    return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a matrix of %lld rows",
                    (long long)rows);
}

/* The number of points, where `per_point` entries of 8 bytes each still fit 63 bits. */
static gable_status count_points(gbl_grid grid, int64_t per_point, int64_t *points,
                                 gbl_message *message)
{
    const int64_t sizes[] = {grid.nx, grid.ny, grid.nz};
    int64_t most = INT64_MAX / 16 / per_point;
    *points = 1;
    for (int k = 0; k < 3; k++) {
        if (sizes[k] < 1)
            return gbl_fail(message, GABLE_BAD_ARGUMENT, "n%c is %lld; it must be at least 1",
                            "xyz"[k], (long long)sizes[k]);
        if (sizes[k] > most)
            return gbl_fail(message, GABLE_BAD_ARGUMENT,
                            "a grid of %lld x %lld x %lld points is past the limit of 2^63 bytes",
                            (long long)grid.nx, (long long)grid.ny, (long long)grid.nz);
        most /= sizes[k];
        *points *= sizes[k];
    }
    return GABLE_OK;
}

/* ---- Grids ---- */

typedef struct place {
    int64_t x, y, z;
} place;

static place place_of(gbl_grid grid, int64_t point)
{
    return (place){point % grid.nx, point / grid.nx % grid.ny, point / grid.nx / grid.ny};
}

static bool is_inside(gbl_grid grid, place at, int dx, int dy, int dz)
{
    return at.x + dx >= 0 && at.x + dx < grid.nx && at.y + dy >= 0 && at.y + dy < grid.ny &&
           at.z + dz >= 0 && at.z + dz < grid.nz;
}

/* The neighbours along the axes, and the point itself, in the order of their numbers. */
typedef struct neighbour {
    int dx, dy, dz;
    int axis; /* -1: the point itself */
} neighbour;

static const neighbour star[7] = {
    {.dz = -1, .axis = 2}, {.dy = -1, .axis = 1}, {.dx = -1, .axis = 0}, {.axis = -1},
    {.dx = 1, .axis = 0},  {.dy = 1, .axis = 1},  {.dz = 1, .axis = 2}};

static int64_t star_row(const recipe *how, int64_t row, int64_t *column, double *value)
{
    const gbl_grid grid = how->grid;
    const place at = place_of(grid, row);
    int64_t count = 0;
    for (int k = 0; k < 7; k++) {
        const neighbour *to = &star[k];
        if (!is_inside(grid, at, to->dx, to->dy, to->dz))
            continue;
        if (column != NULL) {
            column[count] = row + to->dx + grid.nx * (to->dy + grid.ny * to->dz);
            value[count] = to->axis < 0 ? how->points - 1 : -1;
        }
        count++;
    }
    return count;
}

static int64_t cube_row(const recipe *how, int64_t row, int64_t *column, double *value)
{
    const gbl_grid grid = how->grid;
    const place at = place_of(grid, row);
    int64_t count = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (!is_inside(grid, at, dx, dy, dz))
                    continue;
                if (column != NULL) {
                    column[count] = row + dx + grid.nx * (dy + grid.ny * dz);
                    value[count] = dx == 0 && dy == 0 && dz == 0 ? 26 : -1;
                }
                count++;
            }
    return count;
}

gable_status gbl_generate_laplacian(int points, gbl_grid grid, gbl_generated *matrix,
                                    gbl_message *message)
{
    recipe how = {.row = points == 27 ? cube_row : star_row,
                  .grid = grid,
                  .points = points,
                  .matrix = matrix};
    int64_t rows;
    *matrix = (gbl_generated){.rows = 0};
    if (points != 5 && points != 7 && points != 27)
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "points is %d; it must be 5, 7 or 27", points);
    TRY(count_points(grid, points, &rows, message));
    if (points == 5 && grid.nz != 1)
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "nz is %lld; with 5 points it must be 1",
                        (long long)grid.nz);
    return generate(&how, rows, rows, message);
}

/* ---- Blocks ---- */

/* Component k of v_d. Halves and ones: all sums are exact. */
static double direction(int axis, int64_t k)
{
    return (k + axis) % 3 == 0 ? 1 : 0.5;
}

static double stiffness(int axis, int64_t k, int64_t l)
{
    return (k == l) + direction(axis, k) * direction(axis, l);
}

static int64_t block_row(const recipe *how, int64_t row, int64_t *column, double *value)
{
    const gbl_grid grid = how->grid;
    const int64_t point = row / how->block, k = row % how->block;
    const place at = place_of(grid, point);
    int64_t count = 0;
    for (int n = 0; n < 7; n++) {
        const neighbour *to = &star[n];
        if (!is_inside(grid, at, to->dx, to->dy, to->dz))
            continue;
        const int64_t other = point + to->dx + grid.nx * (to->dy + grid.ny * to->dz);
        for (int64_t l = 0; l < how->block && column != NULL; l++) {
            column[count + l] = other * how->block + l;
            value[count + l] =
                to->axis >= 0 ? -stiffness(to->axis, k, l)
                              : 2 * (stiffness(0, k, l) + stiffness(1, k, l) + stiffness(2, k, l));
        }
        count += how->block;
    }
    return count;
}

gable_status gbl_generate_elasticity(gbl_grid grid, int block, gbl_generated *matrix,
                                     gbl_message *message)
{
    recipe how = {.row = block_row, .grid = grid, .block = block, .matrix = matrix};
    int64_t points;
    *matrix = (gbl_generated){.rows = 0};
    if (block < 1 || block > MOST_BLOCK)
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "block is %d; it must be 1 to %d", block,
                        MOST_BLOCK);
    TRY(count_points(grid, (int64_t)7 * block * block, &points, message));
    return generate(&how, points * block, points * block, message);
}

/* ---- Wind ---- */

static int64_t wind_row(const recipe *how, int64_t row, int64_t *column, double *value)
{
    const gbl_grid grid = how->grid;
    const place at = place_of(grid, row);
    const int axes = grid.nz > 1 ? 3 : grid.ny > 1 ? 2 : 1;
    double diagonal = 0;
    int64_t count = 0;
    for (int axis = 0; axis < axes; axis++)
        diagonal += 2 + fabs(how->peclet) / (1 << axis);
    for (int k = 0; k < 7; k++) {
        const neighbour *to = &star[k];
        if (!is_inside(grid, at, to->dx, to->dy, to->dz))
            continue;
        if (column != NULL) {
            const int step = to->dx + to->dy + to->dz;
            const bool upwind = how->peclet > 0 ? step < 0 : step > 0;
            column[count] = row + to->dx + grid.nx * (to->dy + grid.ny * to->dz);
            value[count] = to->axis < 0 ? diagonal
                           : upwind     ? -1 - fabs(how->peclet) / (1 << to->axis)
                                        : -1;
        }
        count++;
    }
    return count;
}

gable_status gbl_generate_convection(gbl_grid grid, double peclet, gbl_generated *matrix,
                                     gbl_message *message)
{
    recipe how = {.row = wind_row, .grid = grid, .peclet = peclet, .matrix = matrix};
    int64_t rows;
    *matrix = (gbl_generated){.rows = 0};
    TRY(count_points(grid, 7, &rows, message));
    if (!(fabs(peclet) <= MOST_PECLET))
        return gbl_fail(message, GABLE_BAD_ARGUMENT, "peclet must be a number from -1e6 to 1e6");
    return generate(&how, rows, rows, message);
}

/* ---- Power law ---- */

/* 64 mixed bits of a counter (G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number
 * Generators, 2014). */
static uint64_t mix(uint64_t counter)
{
    uint64_t bits = counter * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

/* From (0, 1), the middles of 2^52 equal parts. */
static double fraction(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

static int64_t power_row(const recipe *how, int64_t row, int64_t *column, double *value)
{
    const uint64_t own = mix(how->seed + mix((uint64_t)row + 1));
    const double wanted = 1 / fraction(own); /* P(wanted >= k) = 1 / k */
    const int64_t count = wanted < (double)how->longest ? (int64_t)wanted : how->longest;
    const int64_t width = how->columns / count, wider = how->columns % count;
    for (int64_t k = 0; k < count && column != NULL; k++) {
        const uint64_t drawn = mix(own + 2 * (uint64_t)k + 1);
        const uint64_t choices = (uint64_t)(width + (k < wider));
        column[k] = k * width + (k < wider ? k : wider) + (int64_t)(drawn % choices);
        value[k] = 2 * fraction(mix(own + 2 * (uint64_t)k + 2)) - 1;
    }
    return count;
}

gable_status gbl_generate_power_law(int64_t rows, int64_t columns, int64_t longest, uint64_t seed,
                                    gbl_generated *matrix, gbl_message *message)
{
    recipe how = {
        .row = power_row, .columns = columns, .longest = longest, .seed = seed, .matrix = matrix};
    *matrix = (gbl_generated){.rows = 0};
    if (rows < 1 || columns < 1)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "%lld rows and %lld columns; both must be at least 1", (long long)rows,
                        (long long)columns);
    if (longest < 1 || longest > columns)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "longest is %lld; it must be 1 to columns = %lld", (long long)longest,
                        (long long)columns);
    if (rows > INT64_MAX / 16 / longest)
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "%lld rows of up to %lld entries are past the limit of 2^63 bytes",
                        (long long)rows, (long long)longest);
    return generate(&how, rows, columns, message);
}
