/* main.c: the command `gable`: finds the subcommand and runs it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "gable/gable.h"
#include "args.h"
#include "command.h"

typedef struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {"info", "devices, the libraries that were found, where caches live", info_command},
    {"bench", "times routines, beside other libraries and what memory can give", bench_command},
    {"inspect", "registers, occupancy and instruction mix of a kernel; needs no GPU",
     inspect_command},
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
        fprintf(out, "  gable %-9s %s\n", subcommands[i].name, subcommands[i].summary);
    fprintf(out, "  gable %-9s this text; `gable help bench` that of a subcommand\n", "help");
    fprintf(out, "  gable %-9s the version\n\n", "--version");
    fputs("Start with `gable info`, then `gable bench dot --size 1e6`.\n"
          "Exit codes: 0 done, 1 failed, 2 the command line is wrong.\n",
          out);
}

static const subcommand *find(const char *name)
{
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(subcommands[i].name, name) == 0)
            return &subcommands[i];
    return NULL;
}

static int refuse(const char *name)
{
    fprintf(stderr, "gable: there is no subcommand \"%s\"; `gable help` lists them\n", name);
    return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
    char flag[] = "--help";
    if (argc < 2) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const subcommand *command = find(argv[1]);
    if (command == NULL)
        return refuse(argv[1]);
    char *asked[] = {argv[1], flag, NULL};
    return command->run(2, asked);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        printf("gable %s\n", command_version());
        return EXIT_DONE;
    }
    const subcommand *command = find(argv[1]);
    return command != NULL ? command->run(argc - 1, argv + 1) : refuse(argv[1]);
}
