/* terminal.c: colours, and a line that says how long it still takes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "terminal.h"

#define PATIENCE_SECONDS 2.0
#define REFRESH_SECONDS  0.2
#define LINE_BYTES       256
#define USUAL_COLUMNS    100

static double started, shown_at;
static int shown_width;

/* ---- Colours and widths ---- */

int terminal_when = TERMINAL_AUTO;

static bool coloured(void)
{
    const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (terminal_when != TERMINAL_AUTO)
        return terminal_when == TERMINAL_ALWAYS;
    return isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0') &&
           (kind == NULL || strcmp(kind, "dumb") != 0);
}

void terminal_put(terminal_colour colour, const char *text)
{
    static const char *const codes[] = {"", "31", "32", "33", "1"};
    if (colour != PLAIN && coloured())
        printf("\033[%sm%s\033[0m", codes[colour], text);
    else
        fputs(text, stdout);
}

int terminal_columns(FILE *stream)
{
    struct winsize size;
    if (!isatty(fileno(stream)))
        return 0;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

void terminal_paragraph(int before, const char *title, int title_width, const char *text)
{
    static const char blanks[] = " \n\t";
    int columns = terminal_columns(stdout);
    if (columns == 0)
        columns = USUAL_COLUMNS;
    int used = before + printf("%-*s", title_width, title);
    bool first = true;
    for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
        const int length = (int)strcspn(text, blanks);
        if (!first && used + 1 + length > columns) {
            printf("\n%*s", before + title_width, "");
            used = before + title_width;
            first = true;
        }
        used += printf("%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length;
    }
    putchar('\n');
}

/* ---- Progress ---- */

double terminal_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void terminal_progress_start(void)
{
    started = terminal_now();
    shown_at = 0;
}

void terminal_progress_erase(void)
{
    if (shown_width > 0) {
        fprintf(stderr, "\r%*s\r", shown_width, "");
        fflush(stderr);
    }
    shown_width = 0;
    shown_at = 0;
}

static void show(const char *line)
{
    const int columns = terminal_columns(stderr), most = columns > 1 ? columns - 1 : 1;
    const int length = (int)strlen(line), width = length < most ? length : most;
    fprintf(stderr, "\r%.*s%*s", width, line, shown_width > width ? shown_width - width : 0, "");
    fflush(stderr);
    shown_width = shown_width > width ? shown_width : width;
}

static void time_text(double seconds, char *text, size_t text_bytes)
{
    const long whole = (long)(seconds + 0.999);
    if (whole < 60)
        snprintf(text, text_bytes, "%ld s", whole);
    else if (whole < 3600)
        snprintf(text, text_bytes, "%ld min %02ld s", whole / 60, whole % 60);
    else
        snprintf(text, text_bytes, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
}

void terminal_progress(const char *text, double done)
{
    const double time = terminal_now();
    if (time - started >= PATIENCE_SECONDS && time - shown_at >= REFRESH_SECONDS)
        terminal_progress_now(text, done);
}

void terminal_progress_now(const char *text, double done)
{
    char line[LINE_BYTES], left[64] = "";
    const double time = terminal_now();
    if (terminal_columns(stderr) == 0)
        return;
    shown_at = time;
    if (done > 0 && done <= 1)
        time_text((time - started) * (1 - done) / done, left, sizeof left);
    if (left[0] != '\0')
        snprintf(line, sizeof line, "%3.0f %%, %s left: %s", 100 * done, left, text);
    else
        snprintf(line, sizeof line, "%s ...", text);
    show(line);
}
