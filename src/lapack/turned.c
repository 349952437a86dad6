/* turned.c: conjugate transposes for LQ factorizations.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lapack/turned.h"

gbl_matrix_call gbl_turned_call(gbl_dtype dtype, int64_t m, int64_t n, const void *from,
                                int64_t ld_from, void *to, int64_t ld_to)
{
    return (gbl_matrix_call){.dtype = dtype,
                             .trans = gbl_adjoint(dtype),
                             .m = m,
                             .n = n,
                             .A = (void *)(uintptr_t)from,
                             .lda = ld_from,
                             .C = to,
                             .ldc = ld_to};
}

gable_status gbl_turned(gable_context *ctx, const char *routine, gbl_dtype dtype, int64_t m,
                        int64_t n, const void *from, int64_t ld_from, void *to, int64_t ld_to)
{
    const gbl_matrix_call call = gbl_turned_call(dtype, m, n, from, ld_from, to, ld_to);
    return gbl_transpose(ctx, routine, &call);
}

bool gbl_turned_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}
