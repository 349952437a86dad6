/* draft_file.h: files that are written beside their place and renamed when all is on the disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Only plain files, and names that are free, get a draft: pipes and devices are written to
 * directly, so that their node stays. Of a link the file that it points to is written, also where
 * it is not there yet, and the link stays. A file keeps its permissions. Where its folder takes no
 * other file, it is written directly, too.
 *
 * A draft is opened before the work whose result it takes: what cannot be written is known before
 * the work is done.
 */
#ifndef GBL_DRAFT_FILE_H
#define GBL_DRAFT_FILE_H

#include <limits.h>
#include <stdbool.h>

typedef struct gbl_draft {
    int file;              /* to be written to; -1: not open */
    char target[PATH_MAX]; /* behind all links */
    char draft[PATH_MAX];  /* "": the target is written directly */
} gbl_draft;

/* False: it cannot be written; errno says why. */
bool gbl_draft_open(gbl_draft *draft, const char *path);
/* Closes it and puts it in its place. False: errno says why, and what was there before is. */
bool gbl_draft_keep(gbl_draft *draft);
/* Closes it and takes the draft away. Does nothing where it is not open. */
void gbl_draft_drop(gbl_draft *draft);

#endif
