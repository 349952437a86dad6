/* probe.c: runs something that may crash or hang in a process of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include "probe.h"
#include "terminal.h"

#define TEXT_BYTES 4096

static void run_child(probe_function function, const void *user, int pipe_end)
{
    const struct rlimit no_core = {0, 0};
    char text[TEXT_BYTES] = "";
    setrlimit(RLIMIT_CORE, &no_core);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; nowhere >= 0 && i <= STDERR_FILENO; i++)
        dup2(nowhere, i);
    function(user, text, sizeof text);
    const size_t length = strlen(text);
    const ssize_t wrote = write(pipe_end, text, length);
    _exit(wrote == (ssize_t)length ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Reads until the other end closes; false when the time is over. */
static bool read_all(int pipe_end, double deadline, char *text, size_t text_bytes)
{
    size_t used = 0;
    for (;;) {
        struct pollfd wanted = {.fd = pipe_end, .events = POLLIN};
        const double left = deadline - terminal_now();
        if (left <= 0)
            return false;
        const int ready = poll(&wanted, 1, (int)(1000 * left) + 1);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        char piece[512];
        const ssize_t got = ready < 0 ? -1 : read(pipe_end, piece, sizeof piece);
        if (got <= 0)
            return true;
        const size_t room = text_bytes - 1 - used;
        const size_t kept = (size_t)got < room ? (size_t)got : room;
        memcpy(text + used, piece, kept);
        used += kept;
        text[used] = '\0';
    }
}

probe_end probe_run(probe_function function, const void *user, int seconds, char *text,
                    size_t text_bytes, int *signal_number)
{
    int ends[2], status = 0;
    text[0] = '\0';
    *signal_number = 0;
    if (pipe(ends) != 0)
        return PROBE_FAILED;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(function, user, ends[1]);
    }
    close(ends[1]);
    const bool ended = child > 0 && read_all(ends[0], terminal_now() + seconds, text, text_bytes);
    close(ends[0]);
    if (child < 0)
        return PROBE_FAILED;
    if (!ended)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!ended)
        return PROBE_HUNG;
    if (WIFSIGNALED(status)) {
        *signal_number = WTERMSIG(status);
        return PROBE_CRASHED;
    }
    return PROBE_DONE;
}
