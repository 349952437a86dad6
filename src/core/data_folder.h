/* data_folder.h: where measurements are kept: roofs, tuning, results.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $XDG_DATA_HOME/gable, else ~/.local/share/gable. A folder that cannot be written is no error for
 * the library: what was measured is then forgotten with the process.
 */
#ifndef GBL_DATA_FOLDER_H
#define GBL_DATA_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The path of a file or folder in it ("tuning.jsonl"; "" for the folder itself), or false where
 * neither variable says. */
bool gbl_data_path(const char *name, char *path, size_t bytes);

/* Makes the folders above a path. */
bool gbl_data_make_folders(const char *path);

/* Appends whole lines to a file, which is made where it is missing, under a lock of the file:
 * several processes may write at once. A last line that was cut short is ended first. */
bool gbl_data_append(const char *path, const char *lines);

/* Whether nobody else could have written a file, or put it into its folder; also where it does not
 * exist yet. `why` (of GBL_TRUST_BYTES, core/trust.h) says why not. What is not trusted is neither
 * read nor appended to. */
bool gbl_data_trusted(const char *path, char *why);

/* The whole file as text, from malloc; NULL where there is no plain file or no memory. */
char *gbl_data_read(const char *path);
/* The same of a file of the data folder, which must be trusted. */
char *gbl_data_read_own(const char *path);

#endif
