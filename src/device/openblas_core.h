/* openblas_core.h: the kernels that OpenBLAS takes for this CPU.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_OPENBLAS_CORE_H
#define GBL_OPENBLAS_CORE_H

#include <stdbool.h>

/* Whether the library is an OpenBLAS that took kernels for registers of 16 bytes on a CPU with
 * wider ones: it does not know the CPU. Where $OPENBLAS_CORETYPE is set the user wants it so. */
bool gbl_openblas_is_lost(void *library);

/* Closes such a library and opens it again, asked for kernels that suit the CPU. NULL: it cannot be
 * opened again. Where the program uses it, too, it stays as it was, and lost. */
void *gbl_openblas_reopen(void *library, const char *file, const char **why);

#endif
