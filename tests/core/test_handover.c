/* test_handover.c: groups that hand over to each other, side by side under the thread sanitizer; mutants of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs handover_groups: with the true kernels, which must be clean, and once for each mutant of handover.cmake, which
 * must be caught as the list says: a race that the sanitizer reports, a wrong result, a launch that does not end.
 * The sanitizer's older versions want addresses that are not random; this program is built without
 * it, so that it can see to that first.
 */
#define _GNU_SOURCE /* personality */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>
#include "expect.h"
#include "fake_groups.h"
#include "handover_mutants.h"

#define RACE    66  /* exitcode below */
#define SECONDS 240 /* after which a run is ended from outside; the program sees to it earlier */

/* Runs the program in a child; gives its status, or 128 and the number of the signal that ended it. */
static int run(const char *argument, const char *log)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (freopen(log, "w", stdout) == NULL || dup2(fileno(stdout), STDERR_FILENO) < 0)
            _exit(127);
        setenv("TSAN_OPTIONS", "halt_on_error=1:exitcode=66:report_thread_leaks=0", 1);
        setenv("GABLE_TUNING", "off", 1);
        personality(ADDR_NO_RANDOMIZE); /* it may fail: newer sanitizers do without */
        alarm(SECONDS);
        execl(HANDOVER_PROGRAM, HANDOVER_PROGRAM, argument, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child < 0             ? 127
           : WIFEXITED(status)   ? WEXITSTATUS(status)
           : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                 : 127;
}

static void show(const char *log)
{
    char line[512];
    FILE *stream = fopen(log, "r");
    for (int i = 0; i < 60 && stream != NULL && fgets(line, sizeof line, stream) != NULL; i++)
        fputs(line, stderr);
    if (stream != NULL)
        fclose(stream);
}

static bool log_has(const char *log, const char *piece)
{
    char line[512];
    bool found = false;
    FILE *stream = fopen(log, "r");
    while (!found && stream != NULL && fgets(line, sizeof line, stream) != NULL)
        found = strstr(line, piece) != NULL;
    if (stream != NULL)
        fclose(stream);
    return found;
}

static const char *word_of(int status)
{
    return status == 0            ? "nothing"
           : status == 1          ? "result"
           : status == RACE       ? "race"
           : status == FAKE_HANGS ? "hang"
                                  : "an odd end";
}

int main(void)
{
    const char *log = HANDOVER_LOG;
    const int clean = run(NULL, log);
    if (clean != 0 && log_has(log, "unexpected memory mapping")) {
        puts("skipped: the thread sanitizer cannot start with this system's random addresses");
        return EXPECT_SKIPPED;
    }
    if (!EXPECT(clean == 0, "the true kernels: %s (status %d)", word_of(clean), clean))
        show(log);
    for (int i = 0; handover_mutants[i].name != NULL; i++) {
        const struct handover_mutant *mutant = &handover_mutants[i];
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        const char *caught = word_of(run(number, log));
        if (!EXPECT(strstr(mutant->caught, caught) != NULL, "mutant %s \"%s\": %s, not %s", number,
                    mutant->name, caught, mutant->caught))
            show(log);
        printf("%-7s %s\n", caught, mutant->name);
    }
    return expect_summary("test_handover");
}
