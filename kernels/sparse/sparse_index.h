/* sparse_index.h: the indices of sparse matrices. INDEX_BITS is 32 or 64.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_INDEX_H
#define SPARSE_INDEX_H

#ifndef INDEX_BITS
#error "indices need INDEX_BITS"
#endif
#if INDEX_BITS == 32
typedef i32 sparse_index;
#elif INDEX_BITS == 64
typedef i64 sparse_index;
#else
#error "INDEX_BITS must be 32 or 64"
#endif

#endif
