/* args.c: options of a subcommand.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.h"
#include "nearest.h"

#define NAME_COLUMN 20

static void print_option(const char *name, const char *value, const char *help)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", name, value != NULL ? " " : "",
             value != NULL ? value : "");
    printf("  %-*s", NAME_COLUMN, left);
    for (const char *line = help; line != NULL;) {
        const char *end = strchr(line, '\n');
        const int length = end != NULL ? (int)(end - line) : (int)strlen(line);
        printf("%.*s\n", length, line);
        line = end != NULL ? end + 1 : NULL;
        if (line != NULL)
            printf("  %-*s", NAME_COLUMN, "");
    }
}

static void print_help(const args_command *command)
{
    printf("usage: gable %s %s\n\n%s\n\noptions:\n", command->name, command->usage, command->about);
    for (int i = 0; i < command->option_count; i++)
        print_option(command->options[i].name, command->options[i].value, command->options[i].help);
    print_option("--help", NULL, "this text");
    printf("\nexamples:\n%s", command->examples);
}

void args_list_options(const args_command *command)
{
    for (int i = 0; i < command->option_count; i++) {
        const char *value = command->options[i].value;
        printf("%s\t%s\t%s\n", command->name, command->options[i].name, value != NULL ? value : "");
    }
    printf("%s\t--help\t\n", command->name);
}

static void complain(const args_command *command, const char *format, va_list list)
{
    fflush(stdout);
    fprintf(stderr, "gable %s: ", command->name);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

int args_refuse(const args_command *command, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    complain(command, format, list);
    va_end(list);
    return EXIT_USAGE;
}

int args_fail(const args_command *command, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    complain(command, format, list);
    va_end(list);
    return EXIT_FAILED;
}

/* The option that an argument names; *value is what follows "=", or NULL. */
static const args_option *find(const args_command *command, const char *argument,
                               const char **value)
{
    const char *equals = strchr(argument, '=');
    const size_t length = equals != NULL ? (size_t)(equals - argument) : strlen(argument);
    *value = equals != NULL ? equals + 1 : NULL;
    for (int i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == length &&
            strncmp(command->options[i].name, argument, length) == 0)
            return &command->options[i];
    return NULL;
}

/* The option whose name is nearest to what was typed, as ", did you mean --size?"; else nothing. */
static void suggest(const args_command *command, const char *typed, char *text, size_t text_bytes)
{
    const size_t length = strcspn(typed, "=");
    char word[64];
    nearest best = {.text = ""};
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), typed);
    for (int i = 0; i < command->option_count; i++)
        nearest_try(&best, word, command->options[i].name);
    nearest_try(&best, word, "--help");
    nearest_sentence(&best, text, text_bytes);
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int args_parse(const args_command *command, int argc, char **argv, args_words *words)
{
    words->count = 0;
    if (wants_help(argc, argv)) {
        print_help(command);
        return -1;
    }
    for (int i = 1; i < argc; i++) {
        const char *value;
        if (argv[i][0] != '-') {
            if (words->count == ARGS_MAX_WORDS)
                return args_refuse(command, "takes at most %d names", ARGS_MAX_WORDS);
            words->word[words->count++] = argv[i];
            continue;
        }
        const args_option *option = find(command, argv[i], &value);
        if (option == NULL) {
            char hint[96];
            suggest(command, argv[i], hint, sizeof hint);
            return args_refuse(command, "there is no option %s; %s`gable help %s` lists them",
                               argv[i], hint, command->name);
        }
        if (option->value == NULL) {
            if (value != NULL)
                return args_refuse(command, "%s takes no value", option->name);
            *option->flag = true;
            continue;
        }
        if (value == NULL && i + 1 < argc)
            value = argv[++i];
        if (value == NULL || value[0] == '\0')
            return args_refuse(command, "%s needs a value: %s %s", option->name, option->name,
                               option->value);
        *option->text = value;
    }
    return EXIT_DONE;
}

bool args_count(const char *text, int64_t *value, const char **end)
{
    char *stop;
    if (*text < '0' || *text > '9')
        return false;
    const double number = strtod(text, &stop);
    *end = stop;
    if (!(number >= 1 && number <= 0x1p53) || number != (double)(int64_t)number)
        return false;
    *value = (int64_t)number;
    return true;
}
