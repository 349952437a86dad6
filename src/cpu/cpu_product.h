/* cpu_product.h: products of two matrices on the cpu: what the routines of level 3 share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every routine is made of C := alpha F G + beta C, where a factor says how its elements are
 * stored: as they are, transposed, or as one triangle of a symmetric or Hermitian matrix. Of C all
 * is computed, or one triangle.
 */
#ifndef GBL_CPU_PRODUCT_H
#define GBL_CPU_PRODUCT_H

#include "cpu/cpu_vector.h"
#include "device/product_args.h"

/* A tile in real numbers. On aarch64 accumulators, a column of F and one number of G fill the
 * registers: 24 + 4 of 32. On x86-64 a tile is what two of the widest registers hold by eight
 * columns, and narrower ones take it in blocks. Elsewhere 8 + 2 of 16 registers, as a product needs
 * one more. */
#if defined(__aarch64__)
#define TILE_PACKS   4
#define TILE_COLUMNS 6
#elif defined(__x86_64__)
#define TILE_PACKS   8
#define TILE_COLUMNS 8
#else
#define TILE_PACKS   2
#define TILE_COLUMNS 4
#endif
#define TILE_ROWS (TILE_PACKS * PACK)

/* The sums of depth products of two panels, which are not empty: tile[column][row]; those in the
 * first `rows` and `columns` are there, others may be. */
typedef void tile_function(int64_t depth, const R *f, const R *g, R *tile, int rows, int columns);

#if defined(__x86_64__)
/* gbl_cpu_stile gbl_cpu_dtile gbl_cpu_ctile gbl_cpu_ztile: by registers of so many bytes, 0: the
 * widest that this CPU has. NULL: it has none of these. */
tile_function *PRIVATE(tile)(int bytes);
#endif

/* gbl_cpu_sall_finite ...: whether n real numbers are */
bool PRIVATE(all_finite)(const R *x, int64_t n);

/* A matrix as it stands in a product. symmetric: only the triangle named by `upper` is read; conj:
 * the other one is its conjugate, and the diagonal is real. Otherwise conj: all of it is
 * conjugated. */
typedef struct factor_view {
    const T *at;
    int64_t ld;
    bool transposed, conj, symmetric, upper;
} factor_view;

/* C := alpha a b + beta C */
typedef struct product_job {
    factor_view a, b; /* m by k, k by n */
    int64_t m, n, k, ldc;
    T *C;
    T alpha, beta;
    uint8_t triangle_c; /* a gbl_triangle_c */
    bool real_diagonal; /* imaginary parts of C's diagonal are not read and become 0 */
} product_job;

/* gbl_cpu_sproduct gbl_cpu_dproduct gbl_cpu_cproduct gbl_cpu_zproduct: reads no factor where alpha
 * is 0, and no C where beta is. Inside an OpenMP region it is serial. */
gable_status PRIVATE(product)(const product_job *job, gbl_message *message);

/* gbl_cpu_sproduct_within gbl_cpu_dproduct_within gbl_cpu_cproduct_within gbl_cpu_zproduct_within:
 * the same by the calling thread; alpha and k are not 0. The room has as many bytes as
 * gbl_cpu_sproduct_room ... say, of these or larger sizes. */
void PRIVATE(product_within)(const product_job *job, void *room);
int64_t PRIVATE(product_room)(int64_t m, int64_t n, int64_t k);

/* gbl_cpu_sproduct_threads ...: how many threads so many multiply-adds of elements are worth */
int PRIVATE(product_threads)(double terms);

static inline factor_view view_of(const void *at, int64_t ld, gable_trans trans)
{
    return (factor_view){.at = at,
                         .ld = ld,
                         .transposed = trans != GABLE_NO_TRANS,
                         .conj = COMPLEX && trans == GABLE_CONJ_TRANS};
}

static inline T conjugate(T a)
{
#if COMPLEX
    a.im = -a.im;
#endif
    return a;
}

static inline T negative(T a)
{
#if COMPLEX
    return (T){-a.re, -a.im};
#else
    return -a;
#endif
}

static inline T number(double re)
{
    return read_scalar(&(gbl_scalar){.re = re});
}

static inline bool is_one(T a)
{
#if COMPLEX
    return a.re == 1 && a.im == 0;
#else
    return a == 1;
#endif
}

/* alpha or beta, which Hermitian updates have as a real number. */
static inline T factor_of_call(const gbl_scalar *given, bool real)
{
    return COMPLEX && real ? number(read_real(given)) : read_scalar(given);
}

/* Where element (i, j) of the factor is stored. */
static inline const T *place_of(const factor_view *f, int64_t i, int64_t j)
{
    return f->transposed ? f->at + j + i * f->ld : f->at + i + j * f->ld;
}

static inline T element_of(const factor_view *f, int64_t i, int64_t j)
{
    if (!f->symmetric) {
        const T stored = *place_of(f, i, j);
        return f->conj ? conjugate(stored) : stored;
    }
    const bool there = f->upper ? i <= j : i >= j;
    T value = there ? f->at[i + j * f->ld] : f->at[j + i * f->ld];
#if COMPLEX
    if (f->conj)
        value.im = i == j ? 0 : there ? value.im : -value.im;
#endif
    return value;
}

#if COMPLEX
/* x / a: in double nothing of c can overflow; Smith's way, where the quotient of the parts of a is
 * at most 1, in z */
static inline T quotient(T x, T a)
{
#if defined(PREC_C)
    const double size = (double)a.re * a.re + (double)a.im * a.im;
    return (T){(R)(((double)x.re * a.re + (double)x.im * a.im) / size),
               (R)(((double)x.im * a.re - (double)x.re * a.im) / size)};
#else
    const R re = a.re < 0 ? -a.re : a.re, im = a.im < 0 ? -a.im : a.im;
    const bool turned = re < im;
    const R large = turned ? a.im : a.re, small = turned ? a.re : a.im;
    const R ratio = small / large, size = large + small * ratio;
    return turned ? (T){(x.re * ratio + x.im) / size, (x.im * ratio - x.re) / size}
                  : (T){(x.re + x.im * ratio) / size, (x.im - x.re * ratio) / size};
#endif
}
#else
static inline T quotient(T x, T a)
{
    return x / a;
}
#endif

#endif
