/* cpu_finite.c: whether all numbers of a range are finite.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Zero times a finite number is 0, times another NaN, and a sum with a NaN is one. The file is
 * compiled with contraction (CMakeLists.txt): one instruction per register where the CPU has it. On
 * x86-64 wider registers are asked for at run time.
 */
#include "cpu/cpu_product.h"

#define SWEEP(name, target_, bytes_)                                                               \
    typedef R name##_vector __attribute__((vector_size(bytes_), aligned(sizeof(R)), may_alias));   \
    target_ static bool name(const R *x, int64_t n)                                                \
    {                                                                                              \
        typedef name##_vector vector;                                                              \
        enum { LENGTH = bytes_ / (int)sizeof(R) };                                                 \
        const vector nothing = {0};                                                                \
        vector a = nothing, b = nothing, c = nothing, d = nothing;                                 \
        R rest = 0;                                                                                \
        int64_t i = 0;                                                                             \
        for (; i + 4 * LENGTH <= n; i += 4 * LENGTH) {                                             \
            a += *(const vector *)(x + i) * nothing;                                               \
            b += *(const vector *)(x + i + LENGTH) * nothing;                                      \
            c += *(const vector *)(x + i + 2 * LENGTH) * nothing;                                  \
            d += *(const vector *)(x + i + 3 * LENGTH) * nothing;                                  \
        }                                                                                          \
        for (; i + LENGTH <= n; i += LENGTH)                                                       \
            a += *(const vector *)(x + i) * nothing;                                               \
        for (; i < n; i++)                                                                         \
            rest += x[i] * 0;                                                                      \
        a += b;                                                                                    \
        c += d;                                                                                    \
        a += c;                                                                                    \
        for (int q = 0; q < LENGTH; q++)                                                           \
            rest += a[q];                                                                          \
        return rest == 0;                                                                          \
    }

SWEEP(sweep, , 16)

#if defined(__x86_64__)
SWEEP(sweep_avx2, __attribute__((target("avx2,fma"))), 32)
SWEEP(sweep_avx512, __attribute__((target("avx512f"))), 64)

bool PRIVATE(all_finite)(const R *x, int64_t n)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return sweep_avx512(x, n);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return sweep_avx2(x, n);
    return sweep(x, n);
}
#else
bool PRIVATE(all_finite)(const R *x, int64_t n)
{
    return sweep(x, n);
}
#endif
