/* turned.h: LQ factorizations as QR factorizations of the conjugate transpose: what gelqf, ormlq
 * and orglq share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A = L Q is A^H = Q^H R with R = L^H: the same reflectors with the same tau, stored turned. So A
 * is turned into the workspace, the routine of QR works there, and the result is turned back. Both
 * turns read and write A once, which is little beside the products.
 */
#ifndef GBL_TURNED_H
#define GBL_TURNED_H

#include "lapack/lapack.h"

/* to := from^H, which is m by n. */
gbl_matrix_call gbl_turned_call(gbl_dtype dtype, int64_t m, int64_t n, const void *from,
                                int64_t ld_from, void *to, int64_t ld_to);
gable_status gbl_turned(gable_context *ctx, const char *routine, gbl_dtype dtype, int64_t m,
                        int64_t n, const void *from, int64_t ld_from, void *to, int64_t ld_to);

/* The same on every device. */
bool gbl_turned_fits(const gbl_variant *self, const void *call, const gbl_device *device);

#endif
