/* table.h: aligned tables that appear row by row.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Widths are set before the first row, from what is known of the data; a cell that is wider than
 * its column widens it from there on. The gap between columns is two blanks, or one where the
 * terminal would break the lines otherwise.
 */
#ifndef TOOL_TABLE_H
#define TOOL_TABLE_H

#include "terminal.h"

#define TABLE_MAX_COLUMNS 64
#define TABLE_CELL_BYTES  48

typedef struct table_column {
    char title[TABLE_CELL_BYTES];
    char group[TABLE_CELL_BYTES]; /* stands above the titles of columns in a row that share it */
    int width;
    bool left; /* texts; numbers are aligned at the right */
} table_column;

typedef struct table_cell {
    char text[TABLE_CELL_BYTES];
    terminal_colour colour;
} table_cell;

typedef struct table {
    int count, gap;
    table_column columns[TABLE_MAX_COLUMNS];
} table;

/* Adds a column of at least that width; returns its index. */
int table_add(table *t, const char *title, int width, bool left);
/* The titles, after a blank line. */
void table_head(table *t);
/* One row, flushed; cells has one entry per column. tail follows the row, in red. */
void table_row(table *t, const table_cell *cells, const char *tail);

#endif
