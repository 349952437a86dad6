/* test_args.c: command lines read by a table that has options of every kind.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every line is read into fresh values. What is refused must be refused with EXIT_USAGE and with
 * the sentence that is expected on the standard error, which goes to a file here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gable/args.h"

#define MOST_WORDS 32

typedef struct values {
    bool flag, other_flag;
    const char *text;
    double number, seconds;
    int64_t count;
    int word, custom;
    args_list list;
} values;

static values v;
static int failures;

static bool read_custom(const char *text, void *to, char *why, size_t why_bytes)
{
    *(int *)to = (int)strlen(text);
    return strcmp(text, "bad") != 0 || args_wrong(why, why_bytes, "has \"%s\", which is bad", text);
}

static const args_option options[] = {
    {.name = "--flag", .help = "a flag", .flag = &v.flag},
    {.name = "--lone",
     .help = "not with --flag",
     .flag = &v.other_flag,
     .without = "--flag",
     .because = "take one"},
    {.name = "--text", .also = "-t", .value = "T", .help = "any", .text = &v.text, .group = 7},
    {.name = "--number", .value = "X", .help = "a number", .number = &v.number, .most = 600},
    {.name = "--seconds", .value = "TIME", .help = "a time", .seconds = &v.seconds, .most = 7200},
    {.name = "--count", .value = "N", .help = "whole", .count = &v.count, .least = 2, .most = 1e6},
    {.name = "--word", .value = "W", .help = "one", .word = &v.word, .words = "red, green or blue"},
    {.name = "--list", .value = "LIST", .help = "some", .list = &v.list, .words = "a, b, c"},
    {.name = "--custom",
     .value = "C",
     .help = "its own",
     .to = &v.custom,
     .read = read_custom,
     .with = "--text"},
};
static const args_command command = {
    .name = "try",
    .usage = "",
    .about = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "",
};

static void expect(bool good, const char *line, const char *what)
{
    if (good)
        return;
    printf("FAILED: \"%s\": %s\n", line, what);
    failures++;
}

/* Reads a line, with blanks between its words. */
static int read_line(const char *line, args_words *words)
{
    static char copy[512];
    static char name[] = "try";
    char *argv[MOST_WORDS] = {name};
    int argc = 1;
    v = (values){.word = -1};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *at = strtok(copy, " "); at != NULL && argc < MOST_WORDS; at = strtok(NULL, " "))
        argv[argc++] = at;
    return args_parse(&command, argc, argv, words);
}

static void taken(const char *line, bool (*right)(const args_words *words))
{
    args_words words;
    expect(read_line(line, &words) == EXIT_DONE, line, "is refused");
    expect(right(&words), line, "is read wrongly");
}

static void refused(const char *line, const char *sentence)
{
    args_words words;
    char said[1024] = "";
    rewind(stderr);
    expect(read_line(line, &words) == EXIT_USAGE, line, "is taken");
    fflush(stderr);
    rewind(stderr);
    if (fgets(said, sizeof said, stderr) == NULL)
        said[0] = '\0';
    expect(strstr(said, sentence) != NULL, line, said);
}

static bool all_given(const args_words *w)
{
    return w->count == 2 && strcmp(w->word[0], "one") == 0 && strcmp(w->word[1], "two") == 0 &&
           v.flag && strcmp(v.text, "x=y") == 0 && v.number == 0.5 && v.seconds == 90 &&
           v.count == 1000 && v.word == 1 && v.list.count == 2 && v.list.place[0] == 2 &&
           v.list.place[1] == 0 && v.custom == 3 && args_given(&command, w, "--flag") &&
           !args_given(&command, w, "--lone") && !args_given(&command, w, "--nothing") &&
           strcmp(args_first_of(&command, w, 7), "--text") == 0 &&
           args_first_of(&command, w, 8) == NULL;
}

static bool nothing_given(const args_words *w)
{
    return w->count == 0 && w->given == 0 && !v.flag && v.text == NULL && v.word == -1 &&
           v.list.count == 0 && args_first_of(&command, w, 7) == NULL;
}

static bool last_counts(const args_words *w)
{
    return w->count == 0 && v.count == 7 && v.seconds == 3600 && v.word == 2;
}

static bool other_name(const args_words *w)
{
    return strcmp(v.text, "x") == 0 && args_given(&command, w, "--text");
}

static void test_taken(void)
{
    taken("", nothing_given);
    taken("one --flag --text x=y --number .5 --seconds 1.5m --count 1e3 --word green --list c,a,c "
          "--custom=abc two",
          all_given);
    /* Of an option that is given twice, the first value is not even looked at. */
    taken("--count=x --count=7 --seconds 90s --seconds 1h --word red --word=blue", last_counts);
    taken("-t x", other_name);
}

static void test_refused(void)
{
    refused("--fla", "there is no option --fla; did you mean --flag?");
    refused("--flag=1", "--flag takes no value");
    refused("--text", "--text needs a value: --text T");
    refused("--text=", "--text needs a value");
    refused("--number 0", "--number is \"0\"; it must be above 0 and at most 600");
    refused("--number 601", "above 0");
    refused("--number 1x", "above 0");
    refused("--number nan", "above 0");
    refused("--number inf", "above 0");
    refused("--seconds soon", "--seconds is \"soon\"; it must be a time");
    refused("--seconds 3h", "a time");
    refused("--seconds 0s", "a time");
    refused("--seconds 5d", "a time");
    refused("--count 1", "--count is \"1\"; it must be a number from 2 to 1000000");
    refused("--count 1e7", "from 2");
    refused("--count 2.5", "from 2");
    refused("--count -3", "from 2");
    refused("--count 5,", "from 2");
    refused("--word gree", "--word is \"gree\"; it must be red, green or blue");
    refused("--word or", "--word is \"or\"");
    refused("--word red,blue", "--word is");
    refused("--list a,,b", "--list has \"a,,b\"; it takes some of a, b, c");
    refused("--list a,", "--list has");
    refused("--list d", "--list has");
    refused("--text x --custom bad", "--custom has \"bad\", which is bad");
    refused("--custom abc", "--custom goes with --text");
    refused("--flag --lone", "take one");
    /* What is unknown is told before what is wrong. */
    refused("--number 0 --nothing", "there is no option --nothing");
}

int main(void)
{
    char path[] = "/tmp/test_args_XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || freopen(path, "w+", stderr) == NULL) {
        puts("FAILED: /tmp cannot be written");
        return 1;
    }
    close(file);
    unlink(path);
    test_taken();
    test_refused();
    return failures > 0;
}
