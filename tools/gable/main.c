/* main.c: the command `gable`: finds the subcommand and runs it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/gable.h"
#include "args.h"
#include "command.h"
#include "gemm_ladder.h"
#include "names.h"
#include "nearest.h"

#define LISTS "commands, flags, words, ops, stems, peers, devices, variants or kernels"

static const char *asked_list;

static const args_option help_options[] = {
    {.name = "--list",
     .value = "WHAT",
     .help = "names for scripts and for the completion of shells, one per line:\n"
             "commands, flags (command, flag, value, with tabs between), words (command,\n"
             "flag, what it may be followed by), ops, stems (ops without a precision),\n"
             "peers, devices, variants or kernels",
     .text = &asked_list,
     .words = LISTS},
};
static const args_command help_args = {
    .name = "help",
    .summary = "this text; `gable help bench` explains a subcommand",
    .usage = "[SUBCOMMAND] [options]",
    .about = "Explains the command or one of its subcommands.",
    .options = help_options,
    .option_count = sizeof help_options / sizeof help_options[0],
    .examples = "  gable help bench\n"
                "  gable help --list flags\n",
};

typedef struct subcommand {
    const args_command *args;
    int (*run)(int argc, char **argv);
} subcommand;

static int help_command(int argc, char **argv);
static const subcommand subcommands[] = {
    {.args = &info_args, .run = info_command},
    {.args = &bench_args, .run = bench_command},
    {.args = &explain_args, .run = explain_command},
    {.args = &inspect_args, .run = inspect_command},
    {.args = &solve_args, .run = solve_command},
    {.args = &eig_args, .run = eig_command},
    {.args = &svd_args, .run = svd_command},
    {.args = &run_args, .run = run_command},
    {.args = &doctor_args, .run = doctor_command},
    {.args = &study_args, .run = study_command},
    {.args = &report_args, .run = report_command},
    {.args = &tune_args, .run = tune_command},
    {.args = &help_args, .run = help_command},
};
#define SUBCOMMAND_COUNT (sizeof subcommands / sizeof subcommands[0])

const char *command_version(void)
{
    static char text[128];
    const bool known = GABLE_COMMIT[0] != '\0';
    snprintf(text, sizeof text, "%s%s%.64s%s", gable_version(), known ? " (" : "", GABLE_COMMIT,
             known ? ")" : "");
    return text;
}

const char *command_commit(void)
{
    return GABLE_COMMIT[0] != '\0' ? GABLE_COMMIT : gable_version();
}

static void print_help(FILE *out)
{
    fprintf(out, "gable %s: linear algebra for GPUs and CPUs\n\nusage:\n", command_version());
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "  gable %-9s %s\n", subcommands[i].args->name, subcommands[i].args->summary);
    fprintf(out, "  gable %-9s the version\n", "--version");
    fputs("\nexamples:\n"
          "  gable doctor\n"
          "  gable info\n"
          "  gable bench dot --size 1e6\n"
          "  gable solve A.mtx\n"
          "  gable help bench\n"
          "\nExit codes: 0 done, 1 failed, 2 the command line is wrong, 130 stopped by Ctrl-C.\n",
          out);
}

static const subcommand *find(const char *name)
{
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(subcommands[i].args->name, name) == 0)
            return &subcommands[i];
    return NULL;
}

static int refuse(const char *name)
{
    char hint[64];
    nearest best = {.text = ""};
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        nearest_try(&best, name, subcommands[i].args->name);
    nearest_sentence(&best, hint, sizeof hint);
    fprintf(stderr, "gable: there is no %s \"%s\"; %s`gable help` lists them\n",
            name[0] == '-' ? "option" : "subcommand", name, hint);
    return EXIT_USAGE;
}

static int print_list(const char *what)
{
    if (strcmp(what, "commands") == 0) {
        for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
            puts(subcommands[i].args->name);
    } else if (strcmp(what, "flags") == 0) {
        puts("gable\t--help\t\ngable\t--version\t");
        for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
            args_list_options(subcommands[i].args);
    } else if (strcmp(what, "words") == 0) {
        for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
            args_list_words(subcommands[i].args);
    } else if (!names_print(what)) {
        return args_refuse(&help_args, "--list is \"%s\"; it must be " LISTS, what);
    }
    return EXIT_DONE;
}

static int help_command(int argc, char **argv)
{
    char flag[] = "--help";
    args_words words;
    const int parsed = args_parse(&help_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count > 1)
        return args_refuse(&help_args, "takes one subcommand, but got \"%s\" too", words.word[1]);
    if (asked_list != NULL && words.count > 0)
        return args_refuse(&help_args, "--list stands alone, without \"%s\"", words.word[0]);
    if (asked_list != NULL)
        return print_list(asked_list);
    if (words.count == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const subcommand *command = find(words.word[0]);
    if (command == NULL)
        return refuse(words.word[0]);
    char *asked[] = {argv[1], flag, NULL};
    return command->run(2, asked);
}

/* What was printed may still be on its way: a full disk shows here. */
static int close_output(int code)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !failed)
        return code;
    fprintf(stderr, "gable: the output could not be written%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return code == EXIT_DONE ? EXIT_FAILED : code;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("gable %s\n", command_version());
        return EXIT_DONE;
    }
    const subcommand *command = find(argv[1]);
    const char *tuning = getenv("GABLE_TUNING");
    if (command != NULL && tuning != NULL && tuning[0] != '\0' && strcmp(tuning, "on") != 0 &&
        strcmp(tuning, "off") != 0) {
        fprintf(stderr, "gable: GABLE_TUNING is \"%s\"; it must be on or off\n", tuning);
        return EXIT_USAGE;
    }
    if (!gemm_ladder_add()) {
        fputs("gable: there is no memory for the ladder of gemm\n", stderr);
        return EXIT_FAILED;
    }
    return command != NULL ? command->run(argc - 1, argv + 1) : refuse(argv[1]);
}

int main(int argc, char **argv)
{
    return close_output(run(argc, argv));
}
