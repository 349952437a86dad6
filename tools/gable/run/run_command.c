/* run_command.c: `gable run`: a program with libgable_link preloaded, and what became of its calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The program runs as a child, with the same input, output and terminal. Signals that ask this
 * command to end are handed on, and the status of the program becomes this command's, also where a
 * signal ended it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gable/args.h"
#include "gable/command.h"
#include "gable/terminal.h"
#include "link/link_counters.h"
#include "run.h"

#define NOT_FOUND  127
#define NOT_RUN    126
#define PATH_BYTES 4096

static int asked_mode;
static bool asked_quiet;
static const char *asked_log, *asked_device;

static const args_option options[] = {
    {.name = "--link",
     .value = "MODE",
     .help = "auto, cpu, device or off (default auto, or $GABLE_LINK): the model decides;\n"
             "all calls stay with the CPU library; all go to the device, however small;\n"
             "nothing is looked at",
     .word = &asked_mode,
     .words = "auto, cpu, device or off"},
    {.name = "--device",
     .value = "D",
     .help = "the device: cuda:0, opencl:0 ... (default: the best GPU)",
     .text = &asked_device},
    {.name = "--log",
     .value = "FILE",
     .help = "one line per call that is not small, with both predictions; \"stderr\" for\n"
             "the standard error",
     .text = &asked_log},
    {.name = "--quiet", .help = "no table afterwards", .flag = &asked_quiet},
};
const args_command run_args = {
    .name = "run",
    .summary = "runs a program whose BLAS calls go to the device where that is faster",
    .usage = "[options] -- PROGRAM [ARGUMENTS]",
    .about =
        "Runs a program that was made for BLAS and LAPACK, unchanged, with libgable_link\n"
        "preloaded. Calls of level 3 and of LAPACK's routines for linear systems, least\n"
        "squares, eigenvalues of symmetric matrices and singular values go to the device where\n"
        "the model says that it is faster, all else to the library that the program uses. A\n"
        "table on the standard error says what went where, what it gained, and why where\n"
        "nothing did. The exit code is the program's; 126 and 127 say that it could not be\n"
        "run, or was not found.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable run -- python3 script.py\n"
                "  gable run --link device --log calls.txt -- ./program 1000\n",
};

/* ---- What the program needs ---- */

/* libgable_link.so: beside this command, or where it is installed. */
static bool find_library(char path[PATH_BYTES])
{
    static const char *const places[] = {"libgable_link.so",
                                         "../" GABLE_LINK_FOLDER "/libgable_link.so"};
    char own[PATH_BYTES];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return false;
    own[length] = '\0';
    *strrchr(own, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (snprintf(path, PATH_BYTES, "%s/%s", own, places[i]) < PATH_BYTES &&
            access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static gbl_link_counters *make_counters(char path[PATH_BYTES])
{
    static const char *const folders[] = {"/dev/shm", NULL, "/tmp"};
    void *map = MAP_FAILED;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && map == MAP_FAILED; i++) {
        const char *const folder = folders[i] != NULL ? folders[i] : getenv("TMPDIR");
        if (folder == NULL)
            continue;
        snprintf(path, PATH_BYTES, "%s/gable-run-XXXXXX", folder);
        const int file = mkstemp(path);
        if (file < 0)
            continue;
        if (ftruncate(file, (off_t)sizeof(gbl_link_counters)) == 0)
            map =
                mmap(NULL, sizeof(gbl_link_counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (map == MAP_FAILED)
            unlink(path);
    }
    if (map == MAP_FAILED)
        return NULL;
    gbl_link_counters *const counters = map;
    counters->bytes = sizeof *counters;
    counters->magic = GBL_LINK_COUNTERS_MAGIC;
    return counters;
}

static bool set_environment(const char *library, const char *counters, const args_words *words)
{
    static const char *const modes[] = {"auto", "cpu", "device", "off"};
    const char *const before = getenv("LD_PRELOAD");
    char preload[2 * PATH_BYTES];
    if (snprintf(preload, sizeof preload, "%s%s%s", library,
                 before != NULL && before[0] != '\0' ? ":" : "",
                 before != NULL ? before : "") >= (int)sizeof preload)
        return false;
    bool set = setenv("LD_PRELOAD", preload, 1) == 0 &&
               (counters == NULL ? unsetenv("GABLE_LINK_COUNTERS")
                                 : setenv("GABLE_LINK_COUNTERS", counters, 1)) == 0;
    if (args_given(&run_args, words, "--link"))
        set = set && setenv("GABLE_LINK", modes[asked_mode], 1) == 0;
    if (asked_device != NULL)
        set = set && setenv("GABLE_DEVICE", asked_device, 1) == 0;
    if (asked_log != NULL)
        set = set && setenv("GABLE_LINK_LOG", asked_log, 1) == 0;
    return set;
}

/* ---- The program ---- */

static volatile pid_t child;

static void hand_on(int signal)
{
    if (child > 0)
        kill(child, signal);
}

static void handle(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

/* Ctrl-C goes to both processes: the program decides. */
static int run_program(char **program)
{
    int status = 0;
    sigset_t handed, before;
    sigemptyset(&handed);
    sigaddset(&handed, SIGTERM);
    sigaddset(&handed, SIGHUP);
    sigprocmask(SIG_BLOCK, &handed, &before);
    struct sigaction interrupt, quit;
    sigaction(SIGINT, NULL, &interrupt);
    sigaction(SIGQUIT, NULL, &quit);
    handle(SIGINT, SIG_IGN);
    handle(SIGQUIT, SIG_IGN);
    child = fork();
    if (child == 0) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(program[0], program);
        const int error = errno;
        fprintf(stderr, "gable run: %s: %s\n", program[0], strerror(error));
        _exit(error == ENOENT ? NOT_FOUND : NOT_RUN);
    }
    handle(SIGTERM, hand_on);
    handle(SIGHUP, hand_on);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* The status as a shell sees it; a signal ends this process, too. */
static int end_as(int status)
{
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    const struct rlimit none = {.rlim_cur = 0};
    setrlimit(RLIMIT_CORE, &none);
    fflush(NULL);
    handle(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* Options end at "--", or at the first word. */
static int split(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return i;
    }
    return -1;
}

int run_command(int argc, char **argv)
{
    args_words words;
    char library[PATH_BYTES], path[PATH_BYTES];
    const int bar = split(argc, argv);
    const int parsed = args_parse(&run_args, bar > 0 ? bar : argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count > 0)
        return args_refuse(&run_args, "the program stands behind --: gable run -- %s",
                           words.word[0]);
    if (bar < 0 || bar + 1 == argc)
        return args_refuse(&run_args, "there is no program; use gable run -- PROGRAM");
    char **const program = argv + bar + 1;
    if (!find_library(library))
        return args_fail(&run_args, "libgable_link.so is not beside the command, nor in "
                                    "../" GABLE_LINK_FOLDER);
    gbl_link_counters *const counters = asked_quiet ? NULL : make_counters(path);
    if (!set_environment(library, counters != NULL ? path : NULL, &words)) {
        if (counters != NULL)
            unlink(path);
        return args_fail(&run_args, "there is no memory for the environment");
    }
    const double from = terminal_now();
    const int status = run_program(program);
    const double took = terminal_now() - from;
    if (counters != NULL)
        unlink(path);
    if (status == -1)
        return args_fail(&run_args, "there is no process for the program");
    if (counters != NULL)
        run_show(counters, program[0], took);
    return end_as(status);
}
