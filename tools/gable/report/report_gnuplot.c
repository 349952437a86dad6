/* report_gnuplot.c: runs gnuplot, and makes its pictures part of the page.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One process for all plots. Script, pictures and complaints go through files without names, so
 * that no pipe can fill up, and the process is ended after a while. Its SVG has colours as numbers:
 * stand-ins, which become the page's variables and follow its light and dark; black becomes the
 * colour of text. Shapes of points are defined once, by the page; identities and empty groups are
 * left out.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "report.h"
#include "gable/terminal.h"

#define LIMIT_SECONDS 120.0

/* ---- The process ---- */

/* Waits until the process ends; one that takes too long is ended. */
static bool wait_for(pid_t child, int *status)
{
    const struct timespec pause = {0, 5000000};
    const double start = terminal_now();
    for (;;) {
        const pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child)
            return true;
        if (ended < 0 && errno != EINTR)
            return false;
        if (terminal_now() - start > LIMIT_SECONDS) {
            kill(child, SIGKILL);
            waitpid(child, status, 0);
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

static void become_gnuplot(FILE *in, FILE *out, FILE *errors)
{
    char name[] = "gnuplot";
    char *const words[] = {name, NULL};
    if (dup2(fileno(in), STDIN_FILENO) < 0 || dup2(fileno(out), STDOUT_FILENO) < 0 ||
        dup2(fileno(errors), STDERR_FILENO) < 0)
        _exit(126);
    /* The user's own settings of gnuplot are not for this page; numbers have points. */
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("HOME", "/nonexistent", 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("GNUTERM");
    execvp(words[0], words);
    _exit(errno == ENOENT ? 127 : 126);
}

/* All that a file without a name holds, as text from malloc. */
static char *read_back(FILE *file)
{
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) != 0)
        return NULL;
    const long bytes = ftell(file);
    if (bytes >= 0)
        text = malloc((size_t)bytes + 1);
    rewind(file);
    if (text != NULL) {
        const size_t got = fread(text, 1, (size_t)bytes, file);
        text[got] = '\0';
    }
    return text;
}

/* The first line of what gnuplot complained of that says something. */
static void first_complaint(FILE *errors, char *line, size_t bytes)
{
    rewind(errors);
    line[0] = '\0';
    while (fgets(line, (int)bytes, errors) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *text = line + strspn(line, " ^\t");
        if (*text != '\0' && strncmp(text, "gnuplot>", 8) != 0 && strncmp(text, "Warning", 7) != 0)
            return;
    }
}

char *report_gnuplot(const char *script, size_t bytes, char *why, size_t why_bytes)
{
    FILE *in = tmpfile(), *out = tmpfile(), *errors = tmpfile();
    char *pictures = NULL, complaint[256];
    int status = 0;
    if (in == NULL || out == NULL || errors == NULL || fwrite(script, 1, bytes, in) != bytes ||
        fflush(in) != 0 || fseek(in, 0, SEEK_SET) != 0) {
        snprintf(why, why_bytes, "cannot write temporary files: %s", strerror(errno));
        goto done;
    }
    const pid_t child = fork();
    if (child == 0)
        become_gnuplot(in, out, errors);
    if (child < 0) {
        snprintf(why, why_bytes, "cannot start gnuplot: %s", strerror(errno));
        goto done;
    }
    if (!wait_for(child, &status)) {
        snprintf(why, why_bytes, "gnuplot was not done after %.0f seconds", LIMIT_SECONDS);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        snprintf(why, why_bytes,
                 "the plots need gnuplot, which is not installed (Debian: apt-get install "
                 "gnuplot-nox)");
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        first_complaint(errors, complaint, sizeof complaint);
        snprintf(why, why_bytes, "gnuplot failed: %s", complaint);
    } else if ((pictures = read_back(out)) == NULL) {
        snprintf(why, why_bytes, "cannot read what gnuplot wrote: %s", strerror(errno));
    }
done:
    if (in != NULL)
        fclose(in);
    if (out != NULL)
        fclose(out);
    if (errors != NULL)
        fclose(errors);
    return pictures;
}

/* ---- The pictures ---- */

static bool starts(const char *at, const char *end, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(end - at) >= length && memcmp(at, with, length) == 0;
}

/* Behind the first `text` from at on, or end. */
static const char *behind(const char *at, const char *end, const char *text)
{
    const char *found = strstr(at, text);
    return found != NULL && found < end ? found + strlen(text) : end;
}

/* The page's colour for a stand-in: series, axes, grid, labels. */
static bool put_colour(int red, int green, int blue, FILE *out)
{
    static const char *const frame[] = {"var(--axis)", "var(--grid)", "var(--label)"};
    if (red == 1 && green == 0)
        return fprintf(out, "var(--s%d)", blue) > 0;
    if (red == 2 && green == 0 && blue < 3)
        return fputs(frame[blue], out) >= 0;
    return false;
}

/* A piece that is written in another way or not at all: returns behind it, or NULL. */
static const char *put_changed(const char *at, const char *end, FILE *out)
{
    static const char group[] = "<g fill=\"none\"";
    int red, green, blue, length = 0;
    if (starts(at, end, "rgb(") &&
        sscanf(at, "rgb( %d , %d , %d )%n", &red, &green, &blue, &length) == 3 && length > 0 &&
        put_colour(red, green, blue, out))
        return at + length;
    if (starts(at, end, "\"black\""))
        return fputs("\"currentColor\"", out) >= 0 ? at + 7 : NULL;
    if (starts(at, end, "'black'"))
        return fputs("'currentColor'", out) >= 0 ? at + 7 : NULL;
    if (starts(at, end, "<defs>"))
        return behind(at, end, "</defs>\n");
    if (starts(at, end, " id=\"gnuplot"))
        return behind(at + 5, end, "\"");
    if (starts(at, end, "<title>gnuplot_plot"))
        return behind(at, end, "</title>");
    if (starts(at, end, group)) {
        const char *inside = behind(at, end, ">\n");
        return starts(inside, end, "</g>\n") ? inside + 5 : NULL;
    }
    return NULL;
}

static void put_attribute(const char *text, FILE *out)
{
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '<' || *text == '&' || (unsigned char)*text < ' ')
            fputc(' ', out);
        else
            fputc(*text, out);
}

const char *report_picture(const char *pictures, const char *alt, FILE *out)
{
    const char *start = strstr(pictures, "<svg");
    const char *end = start != NULL ? strstr(start, "</svg>") : NULL;
    if (end == NULL)
        return NULL;
    fputs("<svg role=\"img\" aria-label=\"", out);
    put_attribute(alt, out);
    fputc('"', out);
    const char *at = behind(start, end, "<svg"), *title = behind(at, end, "<title>");
    fwrite(at, 1, (size_t)(title - strlen("<title>") - at), out);
    fputs("<title>", out);
    put_attribute(alt, out);
    fputs("</title>", out);
    for (at = behind(title, end, "</desc>"); at < end;) {
        const char *next = put_changed(at, end, out);
        if (next == NULL)
            fputc(*at++, out);
        else
            at = next;
    }
    fputs("</svg>\n", out);
    return end + strlen("</svg>");
}
