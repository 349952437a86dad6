/* disk_cache.h: compiled kernels on disk.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A file is found by a hash of its key and trusted only if it holds the whole key, the right length
 * and the right checksum, and nobody else could have written it. Anything else is ignored and later
 * replaced. A folder that cannot be read or written, or that others may write, is no error: kernels
 * are then compiled each time.
 */
#ifndef GBL_DISK_CACHE_H
#define GBL_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include "core/trust.h"

#define GBL_DISK_CACHE_LIMIT ((long long)256 << 20)

/* The folder, or false where neither $XDG_CACHE_HOME nor $HOME says. */
bool gbl_disk_cache_folder(char *path, size_t bytes);
/* The path a key is kept under, or false without a folder. For tests. */
bool gbl_disk_cache_path(const char *key, char *path, size_t bytes);

/* Whether the cache is in use; `why` says why not. The folder, the one above it and each file must
 * belong to the user or to root, and be writable by nobody else. */
bool gbl_disk_cache_usable(char why[GBL_TRUST_BYTES]);

/* *image is from malloc. */
bool gbl_disk_cache_load(const char *key, void **image, size_t *image_bytes);
void gbl_disk_cache_store(const char *key, const void *image, size_t image_bytes);

/* Deletes the least recently used files until the folder holds at most limit bytes. */
void gbl_disk_cache_trim(long long limit);

#endif
