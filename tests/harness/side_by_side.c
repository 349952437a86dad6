/* side_by_side.c: a test program that runs itself several times at once, for a part of its work
 * each.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/side_by_side.h"

#define MOST    16
#define SKIPPED 77

extern char **environ;

bool side_by_side_asked(void)
{
    const char *asked = getenv("GABLE_TEST_SIDE_BY_SIDE");
    return asked != NULL && asked[0] == '1';
}

/* Starts the program with both of its outputs in a file. 0: it cannot be started. */
static pid_t start(const char *program, const char *word, FILE *output)
{
    char *const argv[] = {(char *)(size_t)program, (char *)(size_t)word, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    if (output == NULL || posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    const bool good =
        posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, fileno(output), STDERR_FILENO) == 0 &&
        posix_spawnp(&pid, program, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return good ? pid : 0;
}

static void show(FILE *output)
{
    char piece[4096];
    size_t bytes;
    rewind(output);
    while ((bytes = fread(piece, 1, sizeof piece, output)) > 0)
        fwrite(piece, 1, bytes, stdout);
}

int side_by_side(const char *program, const char *const *words, int count)
{
    FILE *outputs[MOST];
    pid_t pids[MOST];
    int skipped = 0, failed = count > MOST || count == 0;
    count = count < MOST ? count : MOST;
    unsetenv("GABLE_TEST_SIDE_BY_SIDE");
    fflush(stdout);
    for (int i = 0; i < count; i++) {
        outputs[i] = tmpfile();
        pids[i] = start(program, words[i], outputs[i]);
    }
    for (int i = 0; i < count; i++) {
        int state = 0;
        const bool ended = pids[i] > 0 && waitpid(pids[i], &state, 0) == pids[i];
        const int code = ended && WIFEXITED(state) ? WEXITSTATUS(state) : 1;
        skipped += code == SKIPPED;
        failed += code != 0 && code != SKIPPED;
        if (outputs[i] != NULL) {
            show(outputs[i]);
            fclose(outputs[i]);
        }
        if (code != 0 && code != SKIPPED)
            printf("FAILED: %s %s: %s\n", program, words[i],
                   ended ? "see above" : "it could not be started");
    }
    fflush(stdout);
    return failed > 0 ? 1 : skipped == count ? SKIPPED : skipped > 0 ? 1 : 0;
}
