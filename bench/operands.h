/* operands.h: the vectors and matrices that a benchmark runs on: several sets of the same data.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Cold timing rotates over as many sets as hold twice the last-level cache beside the one in use;
 * hot timing stays on one. The data are uniform in [-1, 1] and repeat after BENCH_PERIOD elements,
 * so that a reference for any length costs one period. In x the signs agree with those of y three
 * times out of four: sums of products are then of the size of the sums of their moduli, and a
 * result that lost a part of the vector cannot hide within the bound. Columns repeat after
 * BENCH_COLUMNS of them, with a shorter period, so that the host need not hold them all. A matrix
 * is one long column cut up; in it and in its vectors three of four signs are positive, for the
 * same reason. Triangles that are multiplied, inverted or solved with have ones on the diagonal and
 * small elements beside it, so that x, or B, stays in range however often it is changed. Matrices
 * for Cholesky are made likewise, and are positive definite; those for LU and QR are random.
 * Vectors of reflectors are random, and their factors make them reflections; T of larfb is random.
 * Each call that is timed and changes what a call reads into something else gets its own.
 *
 * Calls run over and over on the same set. Scalars are chosen so that what is changed in place
 * neither grows out of range nor dies away, and yet no number of calls is the same as none. With a
 * product beta is 0: y, or C, is only written. A case of a product may ask for beta = 1: then C
 * grows by the same amount at each call. It may also ask for zeros, which need less power than
 * other numbers.
 */
#ifndef BENCH_OPERANDS_H
#define BENCH_OPERANDS_H

#include "bench_ops.h"

/* primes: no vector length or cache size divides them */
#define BENCH_PERIOD         ((int64_t)1048573)
#define BENCH_COLUMNS_PERIOD ((int64_t)131071)
/* no multiple of it is a number of columns that a kernel takes at once */
#define BENCH_COLUMNS  13
#define BENCH_MAX_SETS 1024
#define BENCH_NO_CACHE ((size_t)64 << 20) /* taken where a device does not tell its cache */

/* Device memory in large pieces, cut up in order. */
typedef struct bench_pool {
    gable_context *ctx;
    char *chunks[4 * BENCH_MAX_SETS];
    int count;
    size_t free_bytes; /* of the last chunk */
    char *next;
} bench_pool;
gable_status bench_pool_take(bench_pool *pool, size_t bytes, void **address);
void bench_pool_free(bench_pool *pool);

typedef struct bench_operands {
    bench_case what;
    gable_context *ctx;
    bench_pool pool;
    int64_t sets;
    bool covers_cache; /* the sets alone keep the operands cold */
    /* What the op's description says of the case. */
    bench_call call; /* but for addresses */
    gbl_storage storage;
    const gbl_operand *operand[BENCH_ROLES];
    bench_shape shape[BENCH_ROLES];
    void *at[BENCH_ROLES][BENCH_MAX_SETS]; /* NULL where the op has no such operand */
    void *addresses[BENCH_MAX_SETS]; /* of all of them, where an op takes arrays of addresses */
    int64_t period;          /* elements in the host's copies, all where an operand is shorter */
    int64_t columns;         /* of x in the host's copy, one period each: min(k, BENCH_COLUMNS) */
    void *host[BENCH_ROLES]; /* NULL where the op does not read it */
    bool narrow_pivots;      /* what is checked has pivots of 32 bits, one behind the other */
} bench_operands;

/* Where element (i, j) of a matrix operand is in its buffer. Of bands and packed triangles only
 * what is stored has a place. */
static inline int64_t bench_matrix_index(const bench_operands *operands, bench_role role, int64_t i,
                                         int64_t j)
{
    const gbl_matrix_call *call = &operands->call.matrix;
    const int64_t start = operands->what.offset;
    if (operands->storage == GBL_PACKED)
        return start + i +
               (call->uplo == GABLE_UPPER ? j * (j + 1) / 2 : j * call->n - j * (j + 1) / 2);
    if (operands->storage == GBL_BAND) /* the main diagonal is a row of the operand */
        i += (call->uplo == GABLE_LOWER ? 0 : call->ku) - j;
    return start + i + j * operands->shape[role].ld;
}

/* Bytes of the matrices or vectors of one set, and of one element of an operand. */
size_t bench_set_bytes(const bench_case *what);
size_t bench_element_bytes(const bench_case *what, bench_role role);
/* How many sets of set_bytes keep operands cold, within limit_bytes; at least 1. */
int64_t bench_sets_wanted(const gable_context *ctx, size_t set_bytes, size_t limit_bytes);
/* The last-level cache: what GABLE_BENCH_CACHE says, else known or assumed. */
size_t bench_cache_bytes(const gable_context *ctx);

/* Allocates and fills. hot: one set. Fewer sets than wanted where memory is short; none is an
 * error. */
gable_status bench_operands_make(bench_operands *operands, gable_context *ctx,
                                 const bench_case *what, bool hot);
void bench_operands_free(bench_operands *operands);

/* Operands that are looked at, never followed: for calls that are not run. */
void bench_operands_pretend(bench_operands *operands, const bench_case *what);

void bench_operands_call(const bench_operands *operands, int64_t set, bench_call *call);

/* operand_data.c: allocates and fills the host's copies; period and columns are set. */
gable_status bench_data_make(bench_operands *operands);

/* Rows of a triangle that is multiplied or solved with. */
int64_t bench_triangle_order(const bench_case *what);
/* Off the diagonal, its elements are divided by this power of two: 16 n and more; of a long band
 * 1024 times its diagonals and more. */
double bench_triangle_divisor(const bench_case *what);

/* alpha and beta of a case: exact in its precision, never 0 where the op has them, but for beta
 * with a matrix, which is 0 unless the case says otherwise. */
void bench_scalars(const bench_case *what, gbl_scalar *alpha, gbl_scalar *beta);
/* What random is asked for. */
#define BENCH_SEED  0x243f6a8885a308d3u
#define BENCH_FIRST 12348u

/* Bytes of the result. */
size_t bench_result_bytes(const bench_case *what);

/* amax: where the one largest element is, near the end of x, and what it is, one element or 16
 * bytes of the case's precision. */
int64_t bench_peak(const bench_case *what, void *value);

/* Makes the outputs of a set ready for a check: as they were where the op changes them in place,
 * else poisoned with NaN; the result poisoned. */
gable_status bench_operands_restore(bench_operands *operands, int64_t set);

/* Fills device memory with the first bytes of the data, repeated: for roofs. */
gable_status bench_fill_random(gable_context *ctx, void *address, size_t bytes);

#endif
