/* call_class.h: what a choice depends on in a call: its key, its ranking, and the call that stands
 * for both.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All three are made from the op's operands. The key (key.h) is what measurements are kept by: the
 * size classes of the first two sizes and of the widths together, of the batch; the precision;
 * flags. The ranking has what else plans and costs look at, operand by operand: finer sizes and how
 * round they are, alignment, unit strides, factors that are 0. A canonical call is made from the
 * two words alone, so that variants can only be ranked by what is in them. What no plan and no cost
 * looks at is left out: the values of factors, unit diagonals, results.
 */
#ifndef GBL_CALL_CLASS_H
#define GBL_CALL_CLASS_H

#include "core/op.h"

/* The key and the ranking of a call. The ranking is 0 on the host, where nothing is ranked by
 * addresses, and for ops with a key of their own. */
uint64_t gbl_call_key(const gbl_op *op, const void *call);
uint64_t gbl_call_ranking(const gbl_op *op, const void *call, const gbl_device *device);
/* The same with rounded sizes (gbl_rounded_size), and alignments of 16 bytes at most. Not for ops
 * with a key of their own. */
void gbl_call_rounded(const gbl_op *op, const void *call, uint64_t *key, uint64_t *ranking);
/* It has no memory behind its addresses. */
void gbl_call_canonical(const gbl_op *op, uint64_t key, uint64_t ranking, void *call);
/* Bits of the op's ranking: 64 at most. */
int gbl_call_ranking_bits(const gbl_op *op);

#endif
