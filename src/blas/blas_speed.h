/* blas_speed.h: whether the installed BLAS multiplies matrices faster than Gable's own code.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A reference BLAS takes five times as long for a product as Gable's own code, a tuned one a
 * fraction of it. Its name says little: libblas.so.3 may be either. So both multiply once per
 * process, before the first choice for a product on the cpu: some 30 us with a tuned library, half
 * a millisecond with a slow one. A library is slow only where it takes more than twice as long, so
 * what else runs on the machine does not decide.
 */
#ifndef GBL_BLAS_SPEED_H
#define GBL_BLAS_SPEED_H

#include <stdbool.h>

#define GBL_SPEED_ORDER 40 /* of the matrices that are multiplied, in s, by one thread */

typedef struct gbl_blas_speed {
    double library, own; /* seconds of such a product; 0: it was not tried, as there is no sgemm */
    bool slow;           /* the library is */
} gbl_blas_speed;

/* Safe from several threads. */
const gbl_blas_speed *gbl_blas_speed_get(void);

#endif
