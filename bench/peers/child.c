/* child.c: a child program that times another library, spoken to through pipes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "children/child_system.h"
#include "peers/child.h"

#define PATIENCE_MS 600000 /* no turn of a benchmark takes ten minutes */

extern char **environ;

/* ---- Where programs and files are ---- */

static void own_folder(char *folder, size_t folder_bytes)
{
    const ssize_t length = readlink("/proc/self/exe", folder, folder_bytes - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
}

gable_status bench_child_find(const char *program, char *path, size_t path_bytes,
                              gbl_message *message)
{
    char folder[768];
    const char *named = getenv("GABLE_PEERS");
    if (named != NULL)
        snprintf(folder, sizeof folder, "%s", named);
    else
        own_folder(folder, sizeof folder);
    snprintf(path, path_bytes, "%s/%s", folder, program);
    if (access(path, X_OK) == 0)
        return GABLE_OK;
    return gbl_fail(message, GABLE_NOT_SUPPORTED,
                    "its program %s is not in %s; `make peers` installs the library and builds it",
                    program, folder);
}

static bool put(FILE *file, const void *data, size_t element, int64_t count)
{
    return fwrite(data, element, (size_t)count, file) == (size_t)count;
}

/* Values as the precision rounds them. */
static bool put_values(FILE *file, const bench_sparse_system *system)
{
    const bench_sparse_matrix *m = system->what->matrix;
    for (int64_t e = 0; e < m->entries; e++) {
        double re, im;
        bench_sparse_value(m, e, system->what->dtype, &re, &im);
        if (!put(file, &re, sizeof re, 1))
            return false;
    }
    return true;
}

static bool put_columns(FILE *file, const bench_sparse_matrix *m)
{
    for (int64_t e = 0; e < m->entries; e++) {
        const int32_t column = (int32_t)m->column[e];
        if (!put(file, &column, sizeof column, 1))
            return false;
    }
    return true;
}

static gable_status write_system(bench_child *child, const bench_sparse_system *system,
                                 gbl_message *message)
{
    const bench_sparse_matrix *m = system->what->matrix;
    const char *place = getenv("TMPDIR");
    child_header header = {.rows = m->rows, .entries = m->entries};
    memcpy(header.magic, CHILD_MAGIC, sizeof header.magic);
    snprintf(child->folder, sizeof child->folder, "%s/gable-bench-XXXXXX",
             place != NULL && place[0] == '/' ? place : "/tmp");
    if (mkdtemp(child->folder) == NULL) {
        child->folder[0] = '\0';
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "no folder for its matrix can be made in %s: %s",
                        place != NULL ? place : "/tmp", strerror(errno));
    }
    snprintf(child->file, sizeof child->file, "%s/system", child->folder);
    FILE *file = fopen(child->file, "wb");
    const bool good = file != NULL && put(file, &header, sizeof header, 1) &&
                      put(file, m->start, sizeof *m->start, m->rows + 1) && put_columns(file, m) &&
                      put_values(file, system) &&
                      put(file, system->host, sizeof *system->host, m->rows);
    if (file != NULL && fclose(file) == 0 && good)
        return GABLE_OK;
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "its matrix cannot be written to %s: %s",
                    child->file, strerror(errno));
}

/* ---- The process ---- */

/* Its input and output are ours, what it says besides is dropped. */
static int spawn(bench_child *child, char *const *words, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int error = posix_spawnp(&process, words[0], &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    child->process = error == 0 ? (long)process : 0;
    return error;
}

/* A socket takes what we send, because writing to one can fail without a signal. */
static gable_status launch(bench_child *child, const char *const *words, gbl_message *message)
{
    int ends[2], answers[2];
    char *arguments[CHILD_MAX_WORDS + 1] = {NULL};
    for (int i = 0; i < CHILD_MAX_WORDS && words[i] != NULL; i++) {
        const char *word = strcmp(words[i], "@") == 0 ? child->file : words[i];
        memcpy(&arguments[i], &word, sizeof word);
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "no pipe: %s", strerror(errno));
    if (pipe(answers) != 0) {
        close(ends[0]);
        close(ends[1]);
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "no pipe: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(answers[0], F_SETFD, FD_CLOEXEC);
    const int error = spawn(child, arguments, ends[1], answers[1]);
    close(ends[1]);
    close(answers[1]);
    child->to = ends[0];
    child->from = answers[0];
    if (error == 0)
        return GABLE_OK;
    close(child->to);
    close(child->from);
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s cannot be started: %s", words[0],
                    strerror(error));
}

/* The next line of its output. */
static gable_status read_line(bench_child *child, gbl_message *message)
{
    for (;;) {
        char *end = memchr(child->more, '\n', child->used);
        if (end != NULL) {
            const size_t length = (size_t)(end - child->more);
            memcpy(child->line, child->more, length);
            child->line[length] = '\0';
            child->used -= length + 1;
            memmove(child->more, end + 1, child->used);
            return GABLE_OK;
        }
        struct pollfd waiting = {.fd = child->from, .events = POLLIN};
        if (child->used == sizeof child->more)
            return gbl_fail(message, GABLE_NOT_SUPPORTED, "its program said too long a line");
        const int ready = poll(&waiting, 1, PATIENCE_MS);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            kill((pid_t)-child->process, SIGKILL); /* nobody waits for it any longer */
            return gbl_fail(message, GABLE_NOT_SUPPORTED, "its program does not answer");
        }
        const ssize_t got =
            read(child->from, child->more + child->used, sizeof child->more - child->used);
        if (got <= 0)
            return gbl_fail(message, GABLE_NOT_SUPPORTED,
                            "its program ended; started by hand it says why");
        child->used += (size_t)got;
    }
}

static gable_status await_ready(bench_child *child, char *version, size_t version_bytes,
                                gbl_message *message)
{
    TRY(read_line(child, message));
    if (strncmp(child->line, "ready ", 6) != 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s",
                        strncmp(child->line, "no ", 3) == 0 ? child->line + 3 : child->line);
    snprintf(version, version_bytes, "%s", child->line + 6);
    return GABLE_OK;
}

gable_status bench_child_start(bench_child *child, const bench_sparse_system *system,
                               const char *const *words, char *version, size_t version_bytes,
                               gbl_message *message)
{
    memset(child, 0, sizeof *child);
    gable_status status = write_system(child, system, message);
    if (status == GABLE_OK)
        status = launch(child, words, message);
    if (status == GABLE_OK)
        status = await_ready(child, version, version_bytes, message);
    if (status != GABLE_OK)
        bench_child_end(child);
    return status;
}

gable_status bench_child_version(const char *path, char *version, size_t version_bytes,
                                 gbl_message *message)
{
    const char *const words[] = {path, "--version", NULL};
    bench_child child;
    memset(&child, 0, sizeof child);
    TRY(launch(&child, words, message));
    const gable_status status = await_ready(&child, version, version_bytes, message);
    bench_child_end(&child);
    return status;
}

void bench_child_end(bench_child *child)
{
    if (child->process > 0) {
        close(child->to);
        /* What still writes gets an error, or ends by itself at the end of its input. */
        close(child->from);
        waitpid((pid_t)child->process, NULL, 0);
        child->process = 0;
    }
    if (child->folder[0] != '\0') {
        unlink(child->file);
        rmdir(child->folder);
        child->folder[0] = '\0';
    }
}

gable_status bench_child_ask(bench_child *child, const char *word, int64_t count, double *number,
                             gbl_message *message)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "%s %lld\n", word, (long long)count);
    if (send(child->to, text, (size_t)length, MSG_NOSIGNAL) != (ssize_t)length)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "its program ended");
    TRY(read_line(child, message));
    if (sscanf(child->line, "ok %lf", number) == 1)
        return GABLE_OK;
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "its program says: %s", child->line);
}
