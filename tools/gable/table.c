/* table.c: aligned tables that appear row by row.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "table.h"

int table_add(table *t, const char *title, int width, bool left)
{
    if (t->count == TABLE_MAX_COLUMNS)
        return t->count - 1;
    table_column *column = &t->columns[t->count];
    memset(column, 0, sizeof *column);
    snprintf(column->title, sizeof column->title, "%s", title);
    const int length = (int)strlen(column->title);
    column->width = length > width ? length : width;
    column->left = left;
    return t->count++;
}

/* Columns [first, last] that share a group: wide enough for its title. */
static int group_end(const table *t, int first)
{
    int last = first;
    while (last + 1 < t->count && t->columns[first].group[0] != '\0' &&
           strcmp(t->columns[last + 1].group, t->columns[first].group) == 0)
        last++;
    return last;
}

static int span(const table *t, int first, int last)
{
    int width = (last - first) * t->gap;
    for (int i = first; i <= last; i++)
        width += t->columns[i].width;
    return width;
}

static void print_groups(table *t)
{
    char line[1024] = "";
    bool any = false;
    size_t used = 0;
    for (int i = 0; i < t->count;) {
        const int last = group_end(t, i), length = (int)strlen(t->columns[i].group);
        if (length > span(t, i, last))
            t->columns[last].width += length - span(t, i, last);
        const int gap = i > 0 ? t->gap : 0, width = span(t, i, last);
        if (used + (size_t)(gap + width) >= sizeof line)
            break;
        memset(line + used, ' ', (size_t)(gap + width));
        used += (size_t)(gap + width);
        if (length > 0) { /* ------ cpu */
            any = true;
            memset(line + used - width, '-', (size_t)width);
            memcpy(line + used - length, t->columns[i].group, (size_t)length);
            if (width > length)
                line[used - (size_t)length - 1] = ' ';
        }
        i = last + 1;
    }
    line[used] = '\0';
    if (any)
        puts(line);
}

/* A left-aligned last column needs no blanks behind it. */
static void put_cell(const table *t, int index, terminal_colour colour, const char *text)
{
    const table_column *column = &t->columns[index];
    const int pad = column->width - (int)strlen(text);
    if (index > 0)
        printf("%*s", t->gap, "");
    if (!column->left && pad > 0)
        printf("%*s", pad, "");
    terminal_put(colour, text);
    if (column->left && pad > 0 && index + 1 < t->count)
        printf("%*s", pad, "");
}

void table_head(table *t)
{
    const int columns = terminal_columns(stdout);
    t->gap = 2;
    if (columns > 0 && span(t, 0, t->count - 1) > columns)
        t->gap = 1;
    putchar('\n');
    print_groups(t);
    for (int i = 0; i < t->count; i++)
        put_cell(t, i, BOLD, t->columns[i].title);
    putchar('\n');
    fflush(stdout);
}

void table_row(table *t, const table_cell *cells, const char *tail)
{
    for (int i = 0; i < t->count; i++) {
        const int length = (int)strlen(cells[i].text);
        if (length > t->columns[i].width)
            t->columns[i].width = length;
        put_cell(t, i, cells[i].colour, cells[i].text);
    }
    if (tail[0] != '\0') {
        fputs("  ", stdout);
        terminal_put(RED, tail);
    }
    putchar('\n');
    fflush(stdout);
}
