/* test_generate.c: matrices made by rule: counts, sums, symmetry, definiteness, the same bits with
 * any team.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "sparse/market/generate.h"

static gbl_message message;

static double entry(const gbl_generated *matrix, int64_t i, int64_t j)
{
    for (int64_t e = matrix->start[i]; e < matrix->start[i + 1]; e++)
        if (matrix->column[e] == j)
            return matrix->value[e];
    return 0;
}

/* Starts ascend, columns ascend within rows and are inside. */
static void check_rows(const gbl_generated *matrix)
{
    int64_t wrong = matrix->start[0] != 0 || matrix->start[matrix->rows] != matrix->entries;
    for (int64_t i = 0; i < matrix->rows; i++) {
        wrong += matrix->start[i] >= matrix->start[i + 1];
        for (int64_t e = matrix->start[i]; e < matrix->start[i + 1]; e++)
            wrong += matrix->column[e] < 0 || matrix->column[e] >= matrix->columns ||
                     (e > matrix->start[i] && matrix->column[e] <= matrix->column[e - 1]);
    }
    CHECK(wrong == 0, "%lld rows or columns are out of order", (long long)wrong);
}

static int64_t asymmetric(const gbl_generated *matrix)
{
    int64_t count = 0;
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t e = matrix->start[i]; e < matrix->start[i + 1]; e++)
            count += entry(matrix, matrix->column[e], i) != matrix->value[e];
    return count;
}

static double row_sum(const gbl_generated *matrix, int64_t i)
{
    double sum = 0;
    for (int64_t e = matrix->start[i]; e < matrix->start[i + 1]; e++)
        sum += matrix->value[e];
    return sum;
}

/* Cholesky without pivots: all pivots of a positive definite matrix are positive. */
static bool is_definite(const gbl_generated *matrix)
{
    const int64_t n = matrix->rows;
    double *L = calloc((size_t)(n * n), sizeof *L);
    bool definite = L != NULL;
    for (int64_t i = 0; i < n && definite; i++)
        for (int64_t j = 0; j <= i && definite; j++) {
            double sum = entry(matrix, i, j);
            for (int64_t k = 0; k < j; k++)
                sum -= L[i * n + k] * L[j * n + k];
            definite = i != j || sum > 0;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    free(L);
    return definite;
}

/* ---- Grids ---- */

/* Pairs of neighbours along each axis, counted another way than the generator does. */
static int64_t star_entries(gbl_grid g)
{
    return g.nx * g.ny * g.nz +
           2 * ((g.nx - 1) * g.ny * g.nz + g.nx * (g.ny - 1) * g.nz + g.nx * g.ny * (g.nz - 1));
}

static const gbl_grid grids[] = {{1, 1, 1}, {5, 1, 1}, {4, 3, 1}, {1, 3, 4}, {3, 4, 5}, {6, 6, 2}};

static void laplacians(void)
{
    static const int kinds[] = {5, 7, 27};
    for (size_t k = 0; k < 18; k++) {
        const gbl_grid g = grids[k / 3];
        const int points = kinds[k % 3];
        gbl_generated matrix;
        test_case("laplacian %d, %d x %d x %d", points, (int)g.nx, (int)g.ny, (int)g.nz);
        const gable_status status = gbl_generate_laplacian(points, g, &matrix, &message);
        if (points == 5 && g.nz > 1) {
            CHECK(status == GABLE_BAD_ARGUMENT && matrix.start == NULL, "status %d", status);
            continue;
        }
        CHECK(status == GABLE_OK, "%s", message.text);
        const int64_t wanted =
            points == 27 ? (3 * g.nx - 2) * (3 * g.ny - 2) * (3 * g.nz - 2) : star_entries(g);
        CHECK(matrix.rows == g.nx * g.ny * g.nz && matrix.entries == wanted,
              "%lld entries, not %lld", (long long)matrix.entries, (long long)wanted);
        check_rows(&matrix);
        CHECK(asymmetric(&matrix) == 0, "it is not symmetric");
        CHECK(is_definite(&matrix), "it is not positive definite");
        for (int64_t i = 0; i < matrix.rows; i++) {
            const int64_t missing = points - (matrix.start[i + 1] - matrix.start[i]);
            CHECK(row_sum(&matrix, i) == (double)missing && entry(&matrix, i, i) == points - 1,
                  "row %lld is wrong", (long long)i);
        }
        gbl_generated_free(&matrix);
    }
    test_case("the 7 points of one place");
    gbl_generated matrix;
    CHECK(gbl_generate_laplacian(7, (gbl_grid){3, 4, 5}, &matrix, &message) == GABLE_OK, "%s",
          message.text);
    const int64_t centre = 1 + 3 * (2 + 4 * 2), near[] = {-12, -3, -1, 0, 1, 3, 12};
    for (int64_t k = 0; k < 7; k++)
        CHECK(matrix.column[matrix.start[centre] + k] == centre + near[k], "neighbour %d is wrong",
              (int)k);
    gbl_generated_free(&matrix);
}

static void elasticity(void)
{
    for (size_t k = 0; k < 24; k++) {
        const gbl_grid g = grids[k / 4];
        const int block = (int)(k % 4) + 1;
        gbl_generated matrix;
        test_case("elasticity, block %d, %d x %d x %d", block, (int)g.nx, (int)g.ny, (int)g.nz);
        CHECK(gbl_generate_elasticity(g, block, &matrix, &message) == GABLE_OK, "%s", message.text);
        CHECK(matrix.entries == star_entries(g) * block * block, "%lld entries",
              (long long)matrix.entries);
        check_rows(&matrix);
        int64_t zeros = 0;
        for (int64_t e = 0; e < matrix.entries; e++)
            zeros += matrix.value[e] == 0;
        CHECK(zeros == 0, "blocks have %lld zeros", (long long)zeros);
        CHECK(asymmetric(&matrix) == 0, "it is not symmetric");
        CHECK(is_definite(&matrix), "it is not positive definite");
        gbl_generated_free(&matrix);
    }
}

static void convection(void)
{
    static const double winds[] = {0, 0.5, -2, 1000};
    for (size_t k = 0; k < 24; k++) {
        const gbl_grid g = grids[k / 4];
        const double wind = winds[k % 4];
        const int axes = g.nz > 1 ? 3 : g.ny > 1 ? 2 : 1;
        gbl_generated matrix;
        test_case("convection %g, %d x %d x %d", wind, (int)g.nx, (int)g.ny, (int)g.nz);
        CHECK(gbl_generate_convection(g, wind, &matrix, &message) == GABLE_OK, "%s", message.text);
        CHECK(matrix.entries == star_entries(g), "%lld entries", (long long)matrix.entries);
        check_rows(&matrix);
        CHECK((asymmetric(&matrix) == 0) == (wind == 0 || matrix.rows == 1), "symmetry is wrong");
        for (int64_t i = 0; i < matrix.rows; i++) {
            const bool inner = matrix.start[i + 1] - matrix.start[i] == 2 * axes + 1;
            CHECK(inner ? row_sum(&matrix, i) == 0 : row_sum(&matrix, i) > 0,
                  "row %lld sums up to %g", (long long)i, row_sum(&matrix, i));
        }
        if (g.nx > 1)
            CHECK(entry(&matrix, 1, 0) == -1 - fmax(wind, 0) &&
                      entry(&matrix, 0, 1) == -1 - fmax(-wind, 0),
                  "the wind blows the wrong way");
        gbl_generated_free(&matrix);
    }
}

/* ---- Power law ---- */

static void power_law(void)
{
    gbl_generated matrix, other;
    test_case("power law");
    CHECK(gbl_generate_power_law(100000, 5000, 1000, 42, &matrix, &message) == GABLE_OK, "%s",
          message.text);
    check_rows(&matrix);
    int64_t at_least[1001] = {0}, outside = 0;
    for (int64_t i = 0; i < matrix.rows; i++) {
        const int64_t length = matrix.start[i + 1] - matrix.start[i];
        outside += length < 1 || length > 1000;
        for (int64_t k = 1; k <= length && k <= 1000; k++)
            at_least[k]++;
    }
    CHECK(outside == 0, "%lld rows have a wrong length", (long long)outside);
    /* Binomial counts: six standard deviations are exceeded once in 10^9 draws. */
    for (int64_t k = 1; k <= 1000; k *= 10) {
        const double mean = 1e5 / (double)k, spread = 6 * sqrt(mean) + 1;
        CHECK(fabs((double)at_least[k] - mean) <= spread,
              "%lld rows have %lld entries or more, not %g", (long long)at_least[k], (long long)k,
              mean);
    }
    int64_t beyond = 0;
    for (int64_t e = 0; e < matrix.entries; e++)
        beyond += !(fabs(matrix.value[e]) < 1);
    CHECK(beyond == 0, "%lld values are not in (-1, 1)", (long long)beyond);
    CHECK(gbl_generate_power_law(100000, 5000, 1000, 43, &other, &message) == GABLE_OK, "%s",
          message.text);
    CHECK(other.entries != matrix.entries, "another seed gives the same rows");
    gbl_generated_free(&other);
    gbl_generated_free(&matrix);
    CHECK(gbl_generate_power_law(100, 8, 8, 1, &matrix, &message) == GABLE_OK, "%s", message.text);
    check_rows(&matrix);
    gbl_generated_free(&matrix);
}

/* ---- Teams, refusals ---- */

static gable_status make(int kind, gbl_generated *matrix)
{
    const gbl_grid grid = {23, 19, 17};
    switch (kind) {
    case 0:
        return gbl_generate_laplacian(7, grid, matrix, &message);
    case 1:
        return gbl_generate_laplacian(27, grid, matrix, &message);
    case 2:
        return gbl_generate_elasticity(grid, 3, matrix, &message);
    case 3:
        return gbl_generate_convection(grid, 1.7, matrix, &message);
    default:
        return gbl_generate_power_law(20000, 3000, 500, 9, matrix, &message);
    }
}

static void teams(void)
{
    for (int kind = 0; kind < 5; kind++) {
        gbl_generated one, other;
        omp_set_num_threads(1);
        CHECK(make(kind, &one) == GABLE_OK, "%s", message.text);
        for (int threads = 2; threads <= 5; threads++) {
            test_case("kind %d, %d threads", kind, threads);
            omp_set_num_threads(threads);
            CHECK(make(kind, &other) == GABLE_OK, "%s", message.text);
            const size_t rows = (size_t)one.rows + 1, entries = (size_t)one.entries;
            CHECK(one.rows == other.rows && one.entries == other.entries &&
                      memcmp(one.start, other.start, rows * sizeof *one.start) == 0 &&
                      memcmp(one.column, other.column, entries * sizeof *one.column) == 0 &&
                      memcmp(one.value, other.value, entries * sizeof *one.value) == 0,
                  "the bits differ from those of one thread");
            gbl_generated_free(&other);
        }
        gbl_generated_free(&one);
    }
}

static void check_refused(gable_status status, const gbl_generated *matrix, const char *piece)
{
    CHECK(status == GABLE_BAD_ARGUMENT && matrix->rows == 0 && matrix->start == NULL &&
              strstr(message.text, piece) != NULL,
          "status %d, message %s", status, message.text);
}

static void refusals(void)
{
    const gbl_grid good = {2, 2, 1}, flat = {2, 0, 2}, huge = {INT64_MAX, 2, 1},
                   large = {1 << 20, 1 << 20, 1 << 20};
    gbl_generated matrix;
    test_case("refusals");
    check_refused(gbl_generate_laplacian(9, good, &matrix, &message), &matrix, "points is 9");
    check_refused(gbl_generate_laplacian(7, flat, &matrix, &message), &matrix, "ny is 0");
    check_refused(gbl_generate_laplacian(7, huge, &matrix, &message), &matrix, "2^63");
    check_refused(gbl_generate_elasticity(good, 0, &matrix, &message), &matrix, "block is 0");
    check_refused(gbl_generate_elasticity(good, 65, &matrix, &message), &matrix, "block is 65");
    check_refused(gbl_generate_elasticity(large, 3, &matrix, &message), &matrix, "2^63");
    check_refused(gbl_generate_convection(good, NAN, &matrix, &message), &matrix, "peclet");
    check_refused(gbl_generate_convection(good, -1e7, &matrix, &message), &matrix, "peclet");
    check_refused(gbl_generate_power_law(0, 5, 5, 1, &matrix, &message), &matrix, "0 rows");
    check_refused(gbl_generate_power_law(5, 5, 6, 1, &matrix, &message), &matrix, "longest is 6");
    check_refused(gbl_generate_power_law(INT64_MAX, 5, 5, 1, &matrix, &message), &matrix, "2^63");
}

int main(void)
{
    test_start("test_generate");
    laplacians();
    elasticity();
    convection();
    power_law();
    teams();
    refusals();
    return test_finish();
}
