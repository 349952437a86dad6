/* trust.h: whether somebody else could have written a file or a folder.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library reads without being told so, compiled kernels and measurements, must belong to the user
 * (or to root), and others must not be able to write it; so must the folder that it is in. What it writes
 * it never writes through a link of somebody else.
 */
#ifndef GBL_TRUST_H
#define GBL_TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define GBL_TRUST_BYTES 512 /* of a reason */

/* Code must be the user's alone. Measurements may be a group's: with a umask of 002 all files are. */
typedef enum gbl_trust { GBL_TRUST_CODE, GBL_TRUST_DATA } gbl_trust;

/* Whether a file (or folder) with this status may be trusted; *why says why not, without its name. */
bool gbl_trusted(const struct stat *found, bool folder, gbl_trust trust, const char **why);

/* Opens a folder of code to look into, or gives -1: `why` (of GBL_TRUST_BYTES) says it in a sentence, and is empty
 * where there is no such folder. The folder above it must be one to trust as well. */
int gbl_trusted_folder(const char *path, char *why);

/* Makes the folders above a path, with this mode. */
bool gbl_make_folders(const char *path, mode_t mode);

#endif
