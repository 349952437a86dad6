/* cpu_rot.c: plane rotations of two vectors on the cpu: rot and, in s and d, the modified rotm.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both are (x_i, y_i) := H (x_i, y_i) with a 2 by 2 matrix H. With real scalars that is one loop
 * over real numbers: complex vectors of n elements are real ones of 2n. Only a complex s needs its
 * own.
 */
#include "cpu/cpu_vector.h"

/* x := xx x + xy y, y := yx x + yy y. */
typedef struct matrix {
    R xx, xy, yx, yy;
} matrix;

typedef struct rot_job {
    gbl_vector_args call;
    matrix H;
} rot_job;

static void rotate_reals(int64_t n, matrix H, R *x, R *y)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const R a = x[i], b = y[i];
        x[i] = H.xx * a + H.xy * b;
        y[i] = H.yx * a + H.yy * b;
    }
}

static void real_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = &((const rot_job *)job)->call;
    const matrix H = ((const rot_job *)job)->H;
    const int64_t n = end - begin, incx = call->incx, incy = call->incy;
    T *x = (T *)call->x + begin * incx, *y = (T *)call->y + begin * incy;
    if (incx == 1 && incy == 1) {
        rotate_reals(n * REALS, H, (R *)x, (R *)y);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        rotate_reals(REALS, H, (R *)(x + i * incx), (R *)(y + i * incy));
}

static void apply(rot_job *job)
{
    walk_forward(&job->call);
    if (job->call.n > 0)
        gbl_cpu_share(job->call.n, sizeof(T), 4 * sizeof(T), real_piece, job);
}

#if COMPLEX
typedef struct complex_job {
    gbl_vector_args call;
    R c;
    T s;
} complex_job;

static inline void rotate_one(R c, T s, T *x, T *y)
{
    const T a = *x, b = *y;
    x->re = c * a.re + (s.re * b.re - s.im * b.im);
    x->im = c * a.im + (s.re * b.im + s.im * b.re);
    y->re = c * b.re - (s.re * a.re + s.im * a.im);
    y->im = c * b.im - (s.re * a.im - s.im * a.re);
}

static void rotate(int64_t n, R c, T s, T *x, T *y)
{
    int64_t i = 0;
#if GROUPED
    const T s_conj = {s.re, -s.im};
    const factor f = factor_of(s), f_conj = factor_of(s_conj);
    for (; i + GROUP <= n; i += GROUP) {
        R *a = (R *)(x + i), *b = (R *)(y + i), sb[2 * GROUP], sa[2 * GROUP], ca[2 * GROUP];
        group_times(&f, y + i, sb);
        group_times(&f_conj, x + i, sa);
        for (int k = 0; k < 2 * GROUP; k++)
            ca[k] = c * a[k];
        for (int k = 0; k < 2 * GROUP; k++)
            sa[k] = c * b[k] - sa[k];
        for (int k = 0; k < 2 * GROUP; k++)
            a[k] = ca[k] + sb[k];
        for (int k = 0; k < 2 * GROUP; k++)
            b[k] = sa[k];
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++)
        rotate_one(c, s, x + j, y + j);
}

static void complex_piece(void *job, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_vector_args *call = &((const complex_job *)job)->call;
    const R c = ((const complex_job *)job)->c;
    const T s = ((const complex_job *)job)->s;
    const int64_t n = end - begin, incx = call->incx, incy = call->incy;
    T *x = (T *)call->x + begin * incx, *y = (T *)call->y + begin * incy;
    if (incx == 1 && incy == 1) {
        rotate(n, c, s, x, y);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        rotate_one(c, s, x + i * incx, y + i * incy);
}

static void rotate_complex(const gbl_vector_args *call)
{
    complex_job job = {.call = *call, .c = read_real(&call->alpha), .s = read_scalar(&call->beta)};
    walk_forward(&job.call);
    if (call->n > 0)
        gbl_cpu_share(call->n, sizeof(T), 4 * sizeof(T), complex_piece, &job);
}
#endif

/* gbl_cpu_srot_omp gbl_cpu_drot_omp gbl_cpu_crot_omp gbl_cpu_zrot_omp */
WIDE_TASK(PRIVATE(rot_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
#if COMPLEX
    if (!call->real_scalars) {
        rotate_complex(call);
        return GABLE_OK;
    }
#endif
    const R c = read_real(&call->alpha), s = read_real(&call->beta);
    rot_job job = {.call = *call, .H = {c, s, -s, c}};
    apply(&job);
    return GABLE_OK;
}

#if !COMPLEX
#if !defined(GABLE_WIDE)
/* gbl_cpu_srot_blas gbl_cpu_drot_blas */
GBL_CPU_TASK(PRIVATE(rot_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(rot_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    T *x = (T *)call->x + low_end(n, incx), *y = (T *)call->y + low_end(n, incy);
    blas->BLAS(rot)((int)n, x, (int)incx, y, (int)incy, read_real(&call->alpha),
                    read_real(&call->beta));
    return GABLE_OK;
}
#endif

/* The matrix of a rotm: from param and its flag where the call has it in memory. False: H is the
 * identity, and nothing is to do. */
static bool read_matrix(const gbl_vector_args *call, matrix *H)
{
    if (call->alpha.device == NULL) {
        *H = (matrix){.xx = (R)call->alpha.re,
                      .yx = (R)call->alpha.im,
                      .xy = (R)call->beta.re,
                      .yy = (R)call->beta.im};
        return true;
    }
    R param[5];
    memcpy(param, call->alpha.device, sizeof param);
    *H = (matrix){.xx = param[1], .yx = param[2], .xy = param[3], .yy = param[4]};
    if (param[0] == 0)
        H->xx = H->yy = 1;
    if (param[0] == 1) {
        H->xy = 1;
        H->yx = -1;
    }
    return param[0] == -1 || param[0] == 0 || param[0] == 1;
}

/* gbl_cpu_srotm_omp gbl_cpu_drotm_omp */
WIDE_TASK(PRIVATE(rotm_omp))
{
    (void)queue, (void)stream, (void)message;
    rot_job job = {.call = *(const gbl_vector_args *)args};
    if (read_matrix(&job.call, &job.H))
        apply(&job);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_srotm_blas gbl_cpu_drotm_blas */
GBL_CPU_TASK(PRIVATE(rotm_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(rotm_omp)(queue, stream, args, message);
    matrix H;
    if (!read_matrix(call, &H))
        return GABLE_OK;
    const R param[5] = {-1, H.xx, H.yx, H.xy, H.yy};
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    T *x = (T *)call->x + low_end(n, incx), *y = (T *)call->y + low_end(n, incy);
    blas->BLAS(rotm)((int)n, x, (int)incx, y, (int)incy, param);
    return GABLE_OK;
}
#endif
#endif
