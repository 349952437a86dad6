/* args.h: options of a subcommand, described once for the parser and for --help.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_ARGS_H
#define TOOL_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include "device/message.h"

/* Exit codes of the command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 };

#define ARGS_MAX_WORDS 64

typedef struct args_option {
    const char *name;  /* "--size" */
    const char *value; /* "LIST": what follows it; NULL: a flag */
    const char *help;  /* lines are broken by \n */
    const char **text; /* receives the value */
    bool *flag;        /* of flags: set to true */
} args_option;

typedef struct args_command {
    const char *name;    /* "bench" */
    const char *summary; /* a line for the list of subcommands */
    const char *usage;   /* "OP... [options]" */
    const char *about;   /* a paragraph */
    const args_option *options;
    int option_count;
    const char *examples;
} args_command;

typedef struct args_words {
    int count;
    const char *word[ARGS_MAX_WORDS];
} args_words;

/* Reads argv[1...]. Words that are no options go to words. Returns EXIT_DONE to go on, EXIT_USAGE
 * after a sentence on the standard error, or -1 when --help was asked for and answered. */
int args_parse(const args_command *command, int argc, char **argv, args_words *words);

/* "bench<TAB>--size<TAB>LIST" for each option, --help included; without a value the last is empty. */
void args_list_options(const args_command *command);

/* "gable bench: " and the sentence on the standard error; returns EXIT_USAGE or EXIT_FAILED. */
int args_refuse(const args_command *command, const char *format, ...) GBL_PRINTF(2, 3);
int args_fail(const args_command *command, const char *format, ...) GBL_PRINTF(2, 3);

/* A count such as 1000, 1e6 or 10000000, in [1, 2^53]. *end points behind it. */
bool args_count(const char *text, int64_t *value, const char **end);

#endif
