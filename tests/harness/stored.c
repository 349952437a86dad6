/* stored.c: where matrices keep their elements, as the BLAS standard says.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stddef.h>
#include "harness/stored.h"

#define WHOLE 16 /* elements after which columns stand as the first one does, in every precision */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- Column by column ---- */

static int64_t full_place(const stored_shape *s, int64_t i, int64_t j)
{
    return i + j * s->lda;
}

static int64_t full_elements(const stored_shape *s)
{
    return s->m > 0 && s->n > 0 ? (s->n - 1) * s->lda + s->m : 0;
}

static int64_t full_lda(const stored_shape *s)
{
    return most(1, s->m);
}

const stored stored_full = {.name = "full",
                            .storage = GBL_FULL,
                            .place = full_place,
                            .elements = full_elements,
                            .least_lda = full_lda};
const stored stored_triangle = {.name = "triangle",
                                .storage = GBL_FULL,
                                .triangle = true,
                                .place = full_place,
                                .elements = full_elements,
                                .least_lda = full_lda};

/* ---- Bands: diagonals are rows of the array ---- */

static int64_t band_place(const stored_shape *s, int64_t i, int64_t j)
{
    return s->ku + i - j + j * s->lda;
}

static int64_t band_lda(const stored_shape *s)
{
    return s->kl + s->ku + 1;
}

static int64_t band_elements(const stored_shape *s)
{
    return s->m > 0 && s->n > 0 ? (s->n - 1) * s->lda + band_lda(s) : 0;
}

const stored stored_band = {.name = "band",
                            .storage = GBL_BAND,
                            .place = band_place,
                            .elements = band_elements,
                            .least_lda = band_lda};

static int64_t band_triangle_place(const stored_shape *s, int64_t i, int64_t j)
{
    return (s->uplo == GABLE_UPPER ? s->ku + i - j : i - j) + j * s->lda;
}

static int64_t band_triangle_lda(const stored_shape *s)
{
    return s->ku + 1;
}

static int64_t band_triangle_elements(const stored_shape *s)
{
    return s->n > 0 ? (s->n - 1) * s->lda + band_triangle_lda(s) : 0;
}

const stored stored_band_triangle = {.name = "triangular band",
                                     .storage = GBL_BAND,
                                     .triangle = true,
                                     .place = band_triangle_place,
                                     .elements = band_triangle_elements,
                                     .least_lda = band_triangle_lda};

/* ---- Packed: the columns of the triangle one behind the other ---- */

static int64_t packed_place(const stored_shape *s, int64_t i, int64_t j)
{
    return s->uplo == GABLE_UPPER ? i + j * (j + 1) / 2 : i - j + j * (2 * s->n - j + 1) / 2;
}

static int64_t packed_elements(const stored_shape *s)
{
    return s->n * (s->n + 1) / 2;
}

const stored stored_packed = {.name = "packed",
                              .storage = GBL_PACKED,
                              .triangle = true,
                              .place = packed_place,
                              .elements = packed_elements};

/* ---- What is stored ---- */

bool stored_inside(const stored *how, const stored_shape *s, int64_t i, int64_t j)
{
    return how->storage != GBL_BAND || (i - j <= s->kl && j - i <= s->ku);
}

bool stored_side(const stored *how, const stored_shape *s, int64_t i, int64_t j)
{
    return !how->triangle || (s->uplo == GABLE_UPPER ? i <= j : i >= j);
}

bool stored_has(const stored *how, const stored_shape *s, int64_t i, int64_t j)
{
    return stored_inside(how, s, i, j) && stored_side(how, s, i, j);
}

int64_t stored_first_row(const stored *how, const stored_shape *s, int64_t j)
{
    return how->storage == GBL_BAND ? most(0, j - s->ku) : 0;
}

int64_t stored_last_row(const stored *how, const stored_shape *s, int64_t j)
{
    return how->storage == GBL_BAND ? least(s->m - 1, j + s->kl) : s->m - 1;
}

int64_t stored_first_column(const stored *how, const stored_shape *s, int64_t i)
{
    return how->storage == GBL_BAND ? most(0, i - s->kl) : 0;
}

int64_t stored_last_column(const stored *how, const stored_shape *s, int64_t i)
{
    return how->storage == GBL_BAND ? least(s->n - 1, i + s->ku) : s->n - 1;
}

int64_t stored_lda(const stored *how, const stored_shape *s, int64_t gap, stored_columns columns)
{
    if (how->least_lda == NULL)
        return 0;
    const int64_t lda = how->least_lda(s) + gap;
    if (columns == COLUMNS_APART)
        return lda | 1;
    return columns == COLUMNS_ALIKE ? (lda + WHOLE - 1) / WHOLE * WHOLE : lda;
}
