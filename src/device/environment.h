/* environment.h: environment variables that name a file, a folder or a library.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that runs with more rights than its caller (set-user-ID, set-group-ID, capabilities)
 * must not let the caller say what it loads, reads or writes. So all of src/ asks for such
 * variables here; variables that hold plain words (GABLE_DEVICE, GABLE_VARIANT, ...) are read with
 * getenv.
 */
#ifndef GBL_ENVIRONMENT_H
#define GBL_ENVIRONMENT_H

#include <stdbool.h>

/* The value of a variable that names a file, a folder or a library. NULL: it is not set, or the
 * process is privileged. */
const char *gbl_getenv_path(const char *name);

/* Whether the process has rights that its caller does not have. */
bool gbl_privileged(void);

/* For tests: the process counts as privileged from now on, or no longer. */
void gbl_pretend_privileged(bool privileged);

#endif
