/* race_runs.h: runs a program that is built with the thread sanitizer, and reads what it said.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who includes it defines _GNU_SOURCE first, for personality().
 */
#ifndef RACE_RUNS_H
#define RACE_RUNS_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#define RACE_STATUS  66  /* exitcode below */
#define RACE_SECONDS 240 /* after which a run is ended from outside; programs see to it earlier */

/* Runs the program in a child; gives its status, or 128 and the number of the signal that ended
 * it. */
static inline int race_run(const char *program, const char *argument, const char *log)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (freopen(log, "w", stdout) == NULL || dup2(fileno(stdout), STDERR_FILENO) < 0)
            _exit(127);
        setenv("TSAN_OPTIONS", "halt_on_error=1:exitcode=66:report_thread_leaks=0", 1);
        setenv("GABLE_TUNING", "off", 1);
        personality(ADDR_NO_RANDOMIZE); /* it may fail: newer sanitizers do without */
        alarm(RACE_SECONDS);
        execl(program, program, argument, (char *)NULL);
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

static inline void race_show(const char *log)
{
    char line[512];
    FILE *stream = fopen(log, "r");
    for (int i = 0; i < 60 && stream != NULL && fgets(line, sizeof line, stream) != NULL; i++)
        fputs(line, stderr);
    if (stream != NULL)
        fclose(stream);
}

static inline bool race_log_has(const char *log, const char *piece)
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

#endif
