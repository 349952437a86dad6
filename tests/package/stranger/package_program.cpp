/* package_program.cpp: the header from C++17: one dot product of complex numbers on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Gable's complex structs have the layout of std::complex, so that pointers cross by a cast.
 */
#include <gable/gable.h>
#include <complex>
#include <cstdio>

static_assert(sizeof(gable_cdouble) == sizeof(std::complex<double>), "layout of complex numbers");

int main()
{
    const std::complex<double> x[2] = {{1.0, 2.0}, {3.0, 0.0}}, y[2] = {{0.0, 1.0}, {1.0, 1.0}};
    std::complex<double> result;
    gable_context *ctx = nullptr;
    gable_status status = gable_open(&ctx, "cpu");
    if (status == GABLE_OK)
        status = gable_zdotu(ctx, 2, reinterpret_cast<const gable_cdouble *>(x), 1,
                             reinterpret_cast<const gable_cdouble *>(y), 1,
                             reinterpret_cast<gable_cdouble *>(&result));
    const bool right = status == GABLE_OK && result == std::complex<double>(1.0, 4.0);
    if (status != GABLE_OK)
        std::fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    else if (!right)
        std::fprintf(stderr, "the dot product is %g + %gi, not 1 + 4i\n", result.real(),
                     result.imag());
    gable_close(ctx);
    return right ? 0 : 1;
}
