/* args.c: options of a subcommand, read by its table.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.h"
#include "nearest.h"

#define NAME_COLUMN      20
#define ARGS_MAX_OPTIONS 64 /* bits of args_words.given */

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

bool args_next_word(const char **at, char word[ARGS_WORD_BYTES])
{
    *at += strspn(*at, ", ");
    if (strncmp(*at, "or ", 3) == 0)
        *at += 3;
    const size_t length = strcspn(*at, ", ");
    snprintf(word, ARGS_WORD_BYTES, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

void args_list_words(const args_command *command)
{
    char word[ARGS_WORD_BYTES];
    for (int i = 0; i < command->option_count; i++) {
        const char *at = command->options[i].words, *blank = "";
        if (at == NULL)
            continue;
        printf("%s\t%s\t", command->name, command->options[i].name);
        for (; args_next_word(&at, word); blank = " ")
            printf("%s%s", blank, word);
        putchar('\n');
    }
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

static bool is_name(const char *name, const char *typed, size_t length)
{
    return name != NULL && strlen(name) == length && strncmp(name, typed, length) == 0;
}

/* The place in the table of the option that an argument names, -1: none; *value is what follows
 * "=", or NULL. */
static int find(const args_command *command, const char *argument, const char **value)
{
    const size_t length = strcspn(argument, "=");
    if (value != NULL)
        *value = argument[length] == '=' ? argument + length + 1 : NULL;
    for (int i = 0; i < command->option_count; i++)
        if (is_name(command->options[i].name, argument, length) ||
            is_name(command->options[i].also, argument, length))
            return i;
    return -1;
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

/* ---- Values ---- */

bool args_wrong(char *why, size_t why_bytes, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why, why_bytes, format, list);
    va_end(list);
    return false;
}

bool args_next_piece(const char **at, char *piece, size_t piece_bytes)
{
    if (*at == NULL)
        return false;
    const size_t length = strcspn(*at, ",");
    snprintf(piece, piece_bytes, "%.*s", (int)length, *at);
    *at = (*at)[length] == ',' ? *at + length + 1 : NULL;
    return true;
}

/* The place of a word in "auto, always or never", -1: it is none of them. */
static int place_of(const char *words, const char *word)
{
    char known[ARGS_WORD_BYTES];
    for (int place = 0; args_next_word(&words, known); place++)
        if (strcmp(known, word) == 0)
            return place;
    return -1;
}

static bool read_list(const args_option *option, const char *text, args_list *list)
{
    char piece[64];
    list->count = 0;
    for (const char *at = text; args_next_piece(&at, piece, sizeof piece);) {
        const int place = place_of(option->words, piece);
        bool there = false;
        for (int i = 0; i < list->count; i++)
            there = there || list->place[i] == place;
        if (place < 0 || (!there && list->count == ARGS_MAX_LIST))
            return false;
        if (!there)
            list->place[list->count++] = place;
    }
    return true;
}

/* A number behind which `end` points; false where there is none, as for inf and for what starts
 * with a blank. */
static bool read_number(const char *text, double *number, char **end)
{
    *number = strtod(text, end);
    return text[0] == '.' || (text[0] >= '0' && text[0] <= '9');
}

static bool read_seconds(const args_option *option, const char *text)
{
    char *end;
    if (!read_number(text, option->seconds, &end))
        return false;
    if (strcmp(end, "m") == 0)
        *option->seconds *= 60;
    else if (strcmp(end, "h") == 0)
        *option->seconds *= 3600;
    else if (*end != '\0' && strcmp(end, "s") != 0)
        return false;
    return *option->seconds > 0 && *option->seconds <= option->most;
}

static bool read_count(const args_option *option, const char *text)
{
    char *end;
    double number;
    if (!read_number(text, &number, &end) || *end != '\0' ||
        !(number >= option->least && number <= option->most) || number != (double)(int64_t)number)
        return false;
    *option->count = (int64_t)number;
    return true;
}

static int read_value(const args_command *command, const args_option *option, const char *text)
{
    char why[ARGS_WHY_BYTES] = "";
    char *end;
    if (option->text != NULL) {
        *option->text = text;
    } else if (option->read != NULL) {
        if (!option->read(text, option->to, why, sizeof why))
            return args_refuse(command, "%s %s", option->name, why);
    } else if (option->list != NULL) {
        if (!read_list(option, text, option->list))
            return args_refuse(command, "%s has \"%s\"; it takes some of %s", option->name, text,
                               option->words);
    } else if (option->word != NULL) {
        *option->word = place_of(option->words, text);
        if (*option->word < 0)
            return args_refuse(command, "%s is \"%s\"; it must be %s", option->name, text,
                               option->words);
    } else if (option->seconds != NULL) {
        if (!read_seconds(option, text))
            return args_refuse(command, "%s is \"%s\"; it must be a time such as 90s, 10m or 2h",
                               option->name, text);
    } else if (option->count != NULL) {
        if (!read_count(option, text))
            return args_refuse(command, "%s is \"%s\"; it must be a number from %.0f to %.0f",
                               option->name, text, option->least, option->most);
    } else if (!read_number(text, option->number, &end) || *end != '\0' ||
               !(*option->number > 0 && *option->number <= option->most)) {
        return args_refuse(command, "%s is \"%s\"; it must be above 0 and at most %.0f",
                           option->name, text, option->most);
    }
    return EXIT_DONE;
}

/* ---- The command line ---- */

bool args_given(const args_command *command, const args_words *words, const char *name)
{
    const int place = find(command, name, NULL);
    return place >= 0 && (words->given >> place & 1);
}

const char *args_first_of(const args_command *command, const args_words *words, unsigned group)
{
    for (int i = 0; i < command->option_count; i++)
        if ((words->given >> i & 1) && command->options[i].group == group)
            return command->options[i].name;
    return NULL;
}

static int refuse_option(const args_command *command, const char *typed)
{
    char hint[96];
    suggest(command, typed, hint, sizeof hint);
    return args_refuse(command, "there is no option %s; %s`gable help %s` lists them", typed, hint,
                       command->name);
}

/* Values are read when all of the line was seen, in the order of the table. */
static int read_given(const args_command *command, const args_words *words,
                      const char *const *values)
{
    int code = EXIT_DONE;
    for (int i = 0; i < command->option_count && code == EXIT_DONE; i++) {
        const args_option *option = &command->options[i];
        if (!(words->given >> i & 1))
            continue;
        if (option->flag != NULL)
            *option->flag = true;
        else
            code = read_value(command, option, values[i]);
        if (code == EXIT_DONE && option->without != NULL &&
            args_given(command, words, option->without))
            code = args_refuse(command, "%s", option->because);
        if (code == EXIT_DONE && option->with != NULL && !args_given(command, words, option->with))
            code = args_refuse(command, "%s goes with %s", option->name, option->with);
    }
    return code;
}

int args_parse(const args_command *command, int argc, char **argv, args_words *words)
{
    const char *values[ARGS_MAX_OPTIONS] = {NULL}, *value;
    words->count = 0;
    words->given = 0;
    if (wants_help(argc, argv)) {
        print_help(command);
        return -1;
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            if (words->count == ARGS_MAX_WORDS)
                return args_refuse(command, "takes at most %d names", ARGS_MAX_WORDS);
            words->word[words->count++] = argv[i];
            continue;
        }
        const int place = find(command, argv[i], &value);
        if (place < 0)
            return refuse_option(command, argv[i]);
        const args_option *option = &command->options[place];
        if (option->flag != NULL && value != NULL)
            return args_refuse(command, "%s takes no value", option->name);
        if (option->flag == NULL && value == NULL && i + 1 < argc)
            value = argv[++i];
        if (option->flag == NULL && (value == NULL || value[0] == '\0'))
            return args_refuse(command, "%s needs a value: %s %s", option->name, option->name,
                               option->value);
        values[place] = value;
        words->given |= (uint64_t)1 << place;
    }
    return read_given(command, words, values);
}
