/* tune_file.h: the lines of a file that others write to, and that may be damaged.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_TUNE_FILE_H
#define GBL_TUNE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define GBL_FILE_LINE_BYTES 8192 /* a longer line is damage */

/* Where a walk stands. Zeroed: at the start of a file that was not seen yet. */
typedef struct gbl_file_place {
    int64_t offset; /* behind the last line that was taken */
    unsigned char end
        [64]; /* what stands before the offset: a file that has something else there was rewritten */
    int end_bytes;
    int64_t device, node, size, seconds, nanoseconds; /* of the file when it was last looked at */
} gbl_file_place;

typedef enum gbl_file_change {
    GBL_FILE_SAME,
    GBL_FILE_GREW,     /* go on at the offset */
    GBL_FILE_REWRITTEN /* forget what was read; the place is back at the start */
} gbl_file_change;

/* Opens for reading and says what changed; -1 where nothing did, or it is no file that can be read. A file that
 * is gone counts as rewritten. *exists: something is there. */
int gbl_file_open(const char *path, gbl_file_place *place, gbl_file_change *change, bool *exists);

/* Gives each line, without its end, to `take`, and moves the place behind it. A line that is too long or holds
 * a 0 is given as NULL. The last line may lack its end: it may still be growing, so the place moves only where
 * take says that it is whole. */
void gbl_file_walk(int file, gbl_file_place *place,
                   bool (*take)(void *user, const char *line, bool ended), void *user);

#endif
