/* trust.h: whether somebody else could have written a file or a folder.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The library reads compiled kernels and measurements without being told to. They must belong to
 * the user (or to root), and others must not be able to write them; the same holds for their
 * folder. The library never writes through somebody else's link.
 */
#ifndef GBL_TRUST_H
#define GBL_TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define GBL_TRUST_BYTES 512 /* of a reason */

/* Code must be the user's alone. Measurements may be a group's: with a umask of 002 all files
 * are. */
typedef enum gbl_trust { GBL_TRUST_CODE, GBL_TRUST_DATA } gbl_trust;

/* Whether a file (or folder) with this status may be trusted; *why says why not, without its
 * name. */
bool gbl_trusted(const struct stat *found, bool folder, gbl_trust trust, const char **why);

/* Opens a folder of code to look into, or gives -1: `why` (of GBL_TRUST_BYTES) says it in a
 * sentence, and is empty where there is no such folder. The folder above it must be one to trust as
 * well. */
int gbl_trusted_folder(const char *path, char *why);

/* Makes the folders above a path, with this mode. */
bool gbl_make_folders(const char *path, mode_t mode);

#endif
