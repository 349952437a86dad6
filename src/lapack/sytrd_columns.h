/* sytrd_columns.h: a panel of sytrd, made of calls.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SYTRD_COLUMNS_H
#define GBL_SYTRD_COLUMNS_H

#include "lapack/panel_steps.h"

/* What all panels of a call use. W has n rows, which are those of A, and a column for each column
 * of a panel. */
typedef struct gbl_sytrd_room {
    gbl_steps steps;
    void *W;
    int64_t ldw;
    void *small; /* three rows of a panel, and a number behind each other */
    int64_t block;
} gbl_sytrd_room;
gable_status gbl_sytrd_room_take(gable_context *ctx, const gbl_product_call *call, int64_t block,
                                 gbl_sytrd_room *room);

/* Reduces columns first ... first + count - 1 of A: forward where the lower triangle is stored,
 * backward in the upper one, where columns behind them are done. The rest of A is as the panels
 * before have left it, and stays. Afterwards it lacks V W^H + W V^H: the vectors V are columns of
 * A, with a one in the place of each e, W is room->W. Writes d, e and tau of its columns. */
gable_status gbl_sytrd_columns(const gbl_product_call *call, const gbl_sytrd_room *room,
                               int64_t first, int64_t count);

/* What its columns cost: the parts from `count` on, of all panels together. */
int gbl_sytrd_columns_parts(const gbl_product_call *call, int64_t block, gbl_part_call *parts,
                            int count);
/* Launches for one column. */
#define GBL_SYTRD_COLUMN_LAUNCHES 14

#endif
