/* terminal.h: what only people see: colours, and a line that says how long it still takes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Colours go to the standard output when it is a terminal, NO_COLOR is unset or empty and TERM is
 * not "dumb", or as --color says. The line of progress is on the standard error, only when that is
 * a terminal; it is rewritten in place and erased before anything else is printed.
 */
#ifndef TOOL_TERMINAL_H
#define TOOL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef enum terminal_colour { PLAIN, RED, GREEN, YELLOW, BOLD } terminal_colour;

/* The option --color of a table; without it the output is coloured on a terminal. */
extern int terminal_when;
enum { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER }; /* as in the words */
#define TERMINAL_COLOUR_OPTION                                                                     \
    {                                                                                              \
        .name = "--color", .value = "WHEN",                                                        \
        .help = "auto, always or never (default auto: on a terminal, unless NO_COLOR\n"            \
                "is set)",                                                                         \
        .word = &terminal_when, .words = "auto, always or never"                                   \
    }

/* Prints text in a colour, if colours are on. */
void terminal_put(terminal_colour colour, const char *text);

/* Columns of the terminal behind a stream; 0: it is none. */
int terminal_columns(FILE *stream);

/* "title     text", the text wrapped at words to the terminal, or to 100 columns elsewhere.
 *            `before`
 * columns of the line are taken already. */
void terminal_paragraph(int before, const char *title, int title_width, const char *text);

/* ---- Progress ---- */

/* Seconds on a clock that only goes forward. */
double terminal_now(void);

/* Starts the clock: the line appears two seconds after this. */
void terminal_progress_start(void);
/* Shows the text and the time left, about five times a second at most. done is the part of all the
 * work that is done; 0: nobody knows, no time left is shown. */
void terminal_progress(const char *text, double done);
/* The same at once, before a step that is known to take long. */
void terminal_progress_now(const char *text, double done);
void terminal_progress_erase(void);

#endif
