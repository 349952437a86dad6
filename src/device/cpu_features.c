/* cpu_features.c: what the vector unit of this CPU can do.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device/cpu_features.h"

static bool hidden;
static int most_bytes = 64;

void gbl_cpu_features_hide(bool hide)
{
    hidden = hide;
}

void gbl_cpu_features_limit(int bytes)
{
    most_bytes = bytes;
}

int gbl_cpu_widest_bytes(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 64;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 32;
#endif
    return 16;
}

int gbl_cpu_vector_bytes(void)
{
    const int most = hidden ? 16 : most_bytes;
#if defined(__x86_64__)
    if (most >= 64 && gbl_cpu_widest_bytes() == 64)
        return 64;
    if (most >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 32;
#endif
    (void)most;
    return 16;
}

bool gbl_cpu_gathers(void)
{
#if defined(__x86_64__)
    return !hidden && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

int gbl_cpu_gathered_rows(gbl_dtype dtype)
{
    if (gbl_dtype_complex(dtype) || !gbl_cpu_gathers())
        return 0;
    return dtype == GBL_S ? 16 : 8;
}
