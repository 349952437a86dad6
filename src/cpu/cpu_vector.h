/* cpu_vector.h: what the typed kernels of the cpu share: scalars, strides, blocks, the BLAS by
 * precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions walk a vector in blocks that fit the first-level cache. A strided block is first
 * packed into a buffer, so that each kernel has one inner loop, over contiguous memory.
 *
 * Inner loops add into LANES independent sums, an array of fixed size: the compilers keep it in
 * vector registers whatever their width, which hides the latency of the addition and fixes the
 * order of summation.
 */
#ifndef GBL_CPU_VECTOR_H
#define GBL_CPU_VECTOR_H

#include <omp.h>
#include <string.h>
#if defined(__aarch64__)
#include <arm_neon.h>
#endif
#include "device/precision.h"
#include "cpu/cpu_kernels.h"
#include "device/cpu_blas.h"
#include "device/cpu_features.h"
#include "device/cpu_team.h"

/* A task that exists for several widths of vector registers. x86-64 without more says SSE2, so
 * CMake compiles the files with such tasks twice more, for AVX2 and for AVX-512, with GABLE_WIDE as
 * the bytes of a register. The plain build has GABLE_WIDER then, the most bytes that were compiled,
 * and its task asks the CPU which of them to run. Other tasks of these files are for the plain
 * build only. */
#define WIDE_TASK(name) WIDE_TASK_OF(name)
#if defined(GABLE_WIDE) && GABLE_WIDE == 64
#define WIDE_TASK_OF(name) GBL_CPU_TASK(name##_64)
#elif defined(GABLE_WIDE)
#define WIDE_TASK_OF(name) GBL_CPU_TASK(name##_32)
#elif defined(GABLE_WIDER) && GABLE_WIDER == 32
#define WIDE_TASK_OF(name)                                                                         \
    GBL_CPU_TASK(name##_32);                                                                       \
    static GBL_CPU_TASK(name##_16);                                                                \
    GBL_CPU_TASK(name)                                                                             \
    {                                                                                              \
        return gbl_cpu_vector_bytes() >= 32 ? name##_32(queue, stream, args, message)              \
                                            : name##_16(queue, stream, args, message);             \
    }                                                                                              \
    static GBL_CPU_TASK(name##_16)
#elif defined(GABLE_WIDER)
#define WIDE_TASK_OF(name)                                                                         \
    GBL_CPU_TASK(name##_64);                                                                       \
    GBL_CPU_TASK(name##_32);                                                                       \
    static GBL_CPU_TASK(name##_16);                                                                \
    GBL_CPU_TASK(name)                                                                             \
    {                                                                                              \
        const int bytes = gbl_cpu_vector_bytes();                                                  \
        return bytes == 64   ? name##_64(queue, stream, args, message)                             \
               : bytes == 32 ? name##_32(queue, stream, args, message)                             \
                             : name##_16(queue, stream, args, message);                            \
    }                                                                                              \
    static GBL_CPU_TASK(name##_16)
#else
#define WIDE_TASK_OF(name) GBL_CPU_TASK(name)
#endif

/* Elements per block: 8 KiB, so that two packed vectors take half of a 32 KiB cache. */
#define BLOCK ((int64_t)(8192 / sizeof(T)))

/* Real sums kept side by side: 128 bytes, eight registers of the narrowest vector unit in use. */
#define LANES ((int)(128 / sizeof(R)))

#define REALS (COMPLEX ? 2 : 1) /* real numbers an element has */

/* Real numbers that a task has on its stack: small calls then ask for no memory. */
#define FEW_REALS ((int64_t)(16384 / sizeof(R)))

/* A vector register, for the few loops that the compilers do not turn into vector code by
 * themselves: 16 bytes, which all CPUs of interest have, or those of a wider build; at any address.
 * gcc and clang know + and * of it. */
#if defined(GABLE_WIDE)
#define PACK_BYTES GABLE_WIDE
#else
#define PACK_BYTES 16
#endif
typedef R pack __attribute__((vector_size(PACK_BYTES), aligned(sizeof(R)), may_alias));
#define PACK ((int)(PACK_BYTES / sizeof(R))) /* numbers in it */

static inline pack pack_at(const R *x)
{
    return *(const pack *)x;
}

/* Not a loop: gcc 12 makes one insertion per number of that, which no multiply-add can take in.
 * Taking 0 away changes no number, not even -0. */
static inline pack pack_of(R value)
{
    return value - (pack){0};
}

/* Sixteen bytes: what is left of a pack whose quarters, or halves, were added. */
typedef R pack_rest __attribute__((vector_size(16)));

#if defined(GABLE_WIDE)
#define TAILED 1 /* the last numbers of a range go as a part of a pack */
#include "cpu/cpu_wide.h"
#else
#define TAILED 0 /* they go one by one */
static inline pack_rest pack_folded(pack a)
{
    return a;
}

/* a b + c, in one rounding where every CPU of its kind has that: for loops with more arithmetic
 * than memory waits for. */
static inline pack pack_multiply_add(pack a, pack b, pack c)
{
#if defined(__aarch64__) && (defined(PREC_S) || defined(PREC_C))
    return (pack)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#elif defined(__aarch64__)
    return (pack)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    return a * b + c;
#endif
}
#endif

static inline double pack_sum(pack a)
{
    const pack_rest rest = pack_folded(a);
    double sum = 0;
    for (int k = 0; k < (int)(16 / sizeof(R)); k++)
        sum += rest[k];
    return sum;
}

#if defined(PREC_S) || defined(PREC_C)
typedef int32_t pack_mask __attribute__((vector_size(PACK_BYTES)));
#else
typedef int64_t pack_mask __attribute__((vector_size(PACK_BYTES)));
#endif

/* The magnitudes of numbers: all bits but the sign. */
static inline pack pack_magnitude(pack x)
{
    const pack minus_zero = -(pack){0};
    return (pack)((pack_mask)x & ~(pack_mask)minus_zero);
}

/* A function with arguments that are constants in each call, and loops that need them to be. clang
 * leaves large ones out of line otherwise. */
#define INLINED static inline __attribute__((always_inline))

/* The installed BLAS's function for this precision: BLAS(copy) is the member scopy ... zcopy. */
#if defined(PREC_S)
#define BLAS(f) s##f
#elif defined(PREC_D)
#define BLAS(f) d##f
#elif defined(PREC_C)
#define BLAS(f) c##f
#else
#define BLAS(f) z##f
#endif

/* From element 0 to the low end of a vector: 0, or n - 1 elements down when the stride is negative.
 */
static inline int64_t low_end(int64_t n, int64_t inc)
{
    return inc < 0 ? (n - 1) * inc : 0;
}

/* Two vectors with one negative stride, walked from their low ends: the same elements meet, and
 * stride -1 becomes contiguous. */
static inline void walk_forward(gbl_vector_args *call)
{
    if (call->n > 0 && call->incx == call->incy && call->incx < 0) {
        call->x = (T *)call->x + low_end(call->n, call->incx);
        call->y = (T *)call->y + low_end(call->n, call->incy);
        call->incx = call->incy = call->n > 1 ? -call->incx : 1; /* of one it may be anything */
    }
}

/* One vector whose order does not matter, walked from its low end. */
static inline void walk_upward(gbl_vector_args *call)
{
    if (call->n > 0 && call->incx < 0) {
        call->x = (T *)call->x + low_end(call->n, call->incx);
        call->incx = call->n > 1 ? -call->incx : 1;
    }
}

/* n elements from x, as contiguous memory: x itself, or the buffer. */
static inline const T *packed(int64_t n, const T *x, int64_t inc, T *buffer)
{
    if (inc == 1)
        return x;
    if (inc == 2) /* the compilers have vector code for a stride that they know */
        for (int64_t i = 0; i < n; i++)
            buffer[i] = x[i * 2];
    else
#pragma GCC unroll 8
        for (int64_t i = 0; i < n; i++)
            buffer[i] = x[i * inc];
    return buffer;
}

/* ---- scalars and elements ---- */

/* A scalar of the elements' type, read from memory where the call says so. */
static inline T read_scalar(const gbl_scalar *given)
{
    T value;
    if (given->device != NULL) {
        memcpy(&value, given->device, sizeof value);
        return value;
    }
#if COMPLEX
    value.re = (R)given->re;
    value.im = (R)given->im;
#else
    value = (R)given->re;
#endif
    return value;
}

/* The same for a scalar that is real whatever the elements are. */
static inline R read_real(const gbl_scalar *given)
{
    R value = (R)given->re;
    if (given->device != NULL)
        memcpy(&value, given->device, sizeof value);
    return value;
}

/* Arithmetic on elements takes them by address: by value, clang makes one integer of a pair of
 * floats on x86-64 and then no vector code. */
#if COMPLEX
static inline bool is_zero(T a)
{
    return a.re == 0 && a.im == 0;
}

/* to := alpha x */
static inline void put_multiple(T alpha, const T *x, T *to)
{
    const R re = x->re, im = x->im;
    to->re = alpha.re * re - alpha.im * im;
    to->im = alpha.re * im + alpha.im * re;
}

/* to := to + alpha x */
static inline void add_multiple(T alpha, const T *x, T *to)
{
    const R re = x->re, im = x->im;
    to->re += alpha.re * re - alpha.im * im;
    to->im += alpha.re * im + alpha.im * re;
}

/* to := alpha x + beta y */
static inline void put_combination(T alpha, const T *x, T beta, const T *y, T *to)
{
    const R x_re = x->re, x_im = x->im, y_re = y->re, y_im = y->im;
    to->re = (alpha.re * x_re - alpha.im * x_im) + (beta.re * y_re - beta.im * y_im);
    to->im = (alpha.re * x_im + alpha.im * x_re) + (beta.re * y_im + beta.im * y_re);
}
#else
static inline bool is_zero(T a)
{
    return a == 0;
}

static inline void put_multiple(T alpha, const T *x, T *to)
{
    *to = alpha * *x;
}

static inline void add_multiple(T alpha, const T *x, T *to)
{
    *to += alpha * *x;
}

static inline void put_combination(T alpha, const T *x, T beta, const T *y, T *to)
{
    *to = alpha * *x + beta * *y;
}
#endif

/* Complex products a group at a time, as reals, re and im in turn: every number takes factor.re
 * times itself and +-factor.im times its neighbour. gcc makes vector code of that and clang does
 * not; with the plain loop it is the other way round (caxpy in cache, Neoverse V1, 2026-11: gcc 12
 * 52 against 26 GB/s, clang 14 12 against 47). So a kernel does the groups first where GROUPED says
 * so, and the rest, or all, in the plain loop. The bits are the same. */
#if COMPLEX && !defined(__clang__)
#define GROUPED 1
#define GROUP   ((int)(64 / sizeof(T)))

typedef struct factor {
    R re, cross[2 * GROUP];
} factor;

static inline factor factor_of(T value)
{
    factor f;
    f.re = value.re;
    for (int k = 0; k < 2 * GROUP; k++)
        f.cross[k] = k % 2 ? value.im : -value.im;
    return f;
}

static inline void group_times(const factor *f, const T *elements, R *product)
{
    const R *x = (const R *)elements;
    for (int k = 0; k < 2 * GROUP; k++)
        product[k] = f->re * x[k] + f->cross[k] * x[k ^ 1];
}
#else
#define GROUPED 0
#endif

/* A task that calls the BLAS was forced, or recorded, where there is none. */
static inline gable_status no_blas(gbl_message *message)
{
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "the variant blas needs a BLAS library: %s",
                    gbl_cpu_blas_reason());
}

#endif
