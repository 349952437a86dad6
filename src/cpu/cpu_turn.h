/* cpu_turn.h: blocks of a matrix turned, for the typed kernels of the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C is written along its columns, X is read along its own, and element (i, j) of C is element (j,
 * i) of X. Whole cache lines of C are written at once, straight from registers: such a line need
 * not be read first, and it does not matter that the columns of a matrix are a power of two of
 * bytes apart, so that their lines meet in few sets of a cache. A step takes as many columns of X
 * as a line of C has elements, and goes down them: lines of X are used up within a few steps.
 *
 * Two cores of a Neoverse V1, 2026-11, n = 4096: a tile that is turned into a buffer first and then
 * copied to C took 1.5 (s) and 2 (d) times as long, also with prefetching.
 */
#ifndef GBL_CPU_TURN_H
#define GBL_CPU_TURN_H

#include "cpu/cpu_vector.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* A vector of whole elements: numbers are moved, not looked at. */
#if defined(PREC_S)
typedef uint32_t cell __attribute__((vector_size(16), aligned(4), may_alias));
#else
typedef uint64_t cell __attribute__((vector_size(16), aligned(sizeof(R)), may_alias));
#endif
#define CELL ((int)(16 / sizeof(T)))                   /* elements in it */
#define LINE ((int)((size_t)GBL_CPU_LINE / sizeof(T))) /* and in a cache line */

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (cell){__VA_ARGS__})
#endif

/* What makes the conjugates of a cell: the signs of its imaginary parts. */
static inline cell turn_signs(bool conj)
{
    cell signs = {0};
#if COMPLEX
    T elements[CELL];
    for (int k = 0; k < CELL; k++)
        elements[k] = (T){0, conj ? -(R)0 : 0};
    memcpy(&signs, elements, sizeof signs);
#else
    (void)conj;
#endif
    return signs;
}

/* past: the address is aligned, and what is written goes past the caches where the CPU must be told
 * so. */
INLINED void turn_store(T *to, cell value, bool past)
{
#if defined(__SSE2__)
    if (past) {
        _mm_stream_si128((__m128i *)(void *)to, (__m128i)value);
        return;
    }
#else
    (void)past;
#endif
    *(cell *)to = value;
}

/* CELL rows of CELL columns of X, turned. */
INLINED void turn_cell(const T *x, int64_t ldx, cell signs, T *to, int64_t ldt, bool past)
{
#if defined(PREC_S)
    const cell a = *(const cell *)x, b = *(const cell *)(x + ldx), c = *(const cell *)(x + 2 * ldx),
               d = *(const cell *)(x + 3 * ldx);
    const cell ac_low = SHUFFLE(a, c, 0, 4, 1, 5), ac_high = SHUFFLE(a, c, 2, 6, 3, 7);
    const cell bd_low = SHUFFLE(b, d, 0, 4, 1, 5), bd_high = SHUFFLE(b, d, 2, 6, 3, 7);
    turn_store(to, SHUFFLE(ac_low, bd_low, 0, 4, 1, 5), past);
    turn_store(to + ldt, SHUFFLE(ac_low, bd_low, 2, 6, 3, 7), past);
    turn_store(to + 2 * ldt, SHUFFLE(ac_high, bd_high, 0, 4, 1, 5), past);
    turn_store(to + 3 * ldt, SHUFFLE(ac_high, bd_high, 2, 6, 3, 7), past);
    (void)signs;
#elif defined(PREC_Z)
    (void)ldx, (void)ldt;
    turn_store(to, *(const cell *)x ^ signs, past);
#else
    const cell a = *(const cell *)x ^ signs, b = *(const cell *)(x + ldx) ^ signs;
    turn_store(to, SHUFFLE(a, b, 0, 2), past);
    turn_store(to + ldt, SHUFFLE(a, b, 1, 3), past);
#endif
}

/* CELL whole lines of C. In s all of a line's loads come first, elsewhere lines grow side by
 * side. */
INLINED void turn_lines(const T *x, int64_t ldx, cell signs, T *to, int64_t ldt, bool past)
{
#if defined(PREC_S)
    cell lines[CELL][LINE / CELL];
    for (int k = 0; k < LINE / CELL; k++) {
        T turned[CELL * CELL];
        turn_cell(x + k * CELL * ldx, ldx, signs, turned, CELL, false);
        for (int line = 0; line < CELL; line++)
            lines[line][k] = *(const cell *)(turned + line * CELL);
    }
    for (int line = 0; line < CELL; line++)
        for (int k = 0; k < LINE / CELL; k++)
            turn_store(to + line * ldt + k * CELL, lines[line][k], past);
#else
#pragma GCC unroll 1
    for (int k = 0; k < LINE; k += CELL)
        turn_cell(x + k * ldx, ldx, signs, to + k, ldt, past);
#endif
}

static inline T turn_element(T x, bool conj)
{
#if COMPLEX
    x.im = conj ? -x.im : x.im;
#else
    (void)conj;
#endif
    return x;
}

INLINED void turn_all(const T *x, int64_t ldx, int64_t rows, int64_t columns, bool conj, T *to,
                      int64_t ldt, bool past)
{
    const cell signs = turn_signs(conj);
    const int64_t whole = columns - columns % CELL, lines = rows - rows % LINE;
    for (int64_t i = 0; i < lines; i += LINE) {
        for (int64_t j = 0; j < whole; j += CELL)
            turn_lines(x + i * ldx + j, ldx, signs, to + i + j * ldt, ldt, past);
        for (int64_t j = whole; j < columns; j++)
            for (int64_t k = i; k < i + LINE; k++)
                to[k + j * ldt] = turn_element(x[k * ldx + j], conj);
    }
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = lines; i < rows; i++)
            to[i + j * ldt] = turn_element(x[i * ldx + j], conj);
}

/* `rows` by `columns` of C, from where they stand in X. past: C will not be read soon and is larger
 * than the caches. */
static inline void turn_block(const T *x, int64_t ldx, int64_t rows, int64_t columns, bool conj,
                              T *to, int64_t ldt, bool past)
{
    const uintptr_t apart = (uintptr_t)ldt * sizeof(T);
    if (past && ((uintptr_t)to | apart) % GBL_CPU_LINE == 0)
        turn_all(x, ldx, rows, columns, conj, to, ldt, true);
    else
        turn_all(x, ldx, rows, columns, conj, to, ldt, false);
}

/* After the last turn_block of a thread. */
static inline void turn_done(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/* Matrices that do not stay in a cache anyway. */
static inline bool turn_goes_past(int64_t m, int64_t n)
{
    return (double)m * (double)n * (double)sizeof(T) > 16e6;
}

#endif
