/* args.h: options of a subcommand, described once for the parser, for --help and for completions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A command has a table of options. Each says where its value goes, and by that of what kind it is.
 * The one reader, args_parse, checks values before the command sees them, and what may not be
 * combined.
 */
#ifndef TOOL_ARGS_H
#define TOOL_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include "device/message.h"

/* Exit codes of the command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 };

#define ARGS_MAX_WORDS 64
#define ARGS_MAX_LIST  8
#define ARGS_WHY_BYTES 4608 /* of a reader's reason: it may list all names of a kind */

/* The places of words in an option's list of them, each once, in the order typed. */
typedef struct args_list {
    int count;
    int place[ARGS_MAX_LIST];
} args_list;

struct bench_op;

typedef struct args_option {
    const char *name;  /* "--size" */
    const char *also;  /* "-o": means the same; NULL: nothing does */
    const char *value; /* "LIST": what follows it; NULL: a flag */
    const char *help;  /* lines are broken by \n */

    /* Where the value goes. One of these is not NULL; given twice, the last value counts. */
    bool *flag;        /* of flags: set to true */
    const char **text; /* as typed */
    double *number;    /* above 0, up to `most` */
    double *seconds;   /* 90, 90s, 10m or 2h, up to `most` of seconds */
    int64_t *count;    /* a whole number such as 1000 or 1e6, from `least` to `most` */
    int *word;         /* the place of one of `words` */
    args_list *list;   /* the places of some of `words`, separated by commas */
    void *to;          /* what `read` makes of it. false: why, as in `has "x"; it takes y` */
    bool (*read)(const char *text, void *to, char *why, size_t why_bytes);

    double least, most;
    const char *words; /* "auto, always or never": also in the sentence about a wrong one; of what
                        * is not read by them, what completions offer */

    const char *without; /* "--csv": not both; NULL: it goes with all */
    const char *because; /* the sentence that says so */
    const char *with;    /* "--roofs": not alone; NULL: it needs no other */
    unsigned group;      /* a number of the command's own, for args_first_of */

    /* What ops it is for (case_request.h): one of them must be such, or all; NULL: it is for
     * any. `ops` says which: "such as symm, trmm and trsm, and none of the ops has sides",
     * "products of matrices such as gemm". */
    bool (*any_op)(const struct bench_op *op);
    bool (*every_op)(const struct bench_op *op);
    const char *ops;
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
    uint64_t given; /* options that were given, as bits in the order of the table */
} args_words;

/* Reads argv[1...]. Words that are no options go to words. Returns EXIT_DONE to go on, EXIT_USAGE
 * after a sentence on the standard error, or -1 when --help was asked for and answered. */
int args_parse(const args_command *command, int argc, char **argv, args_words *words);

/* Whether an option was given; the first of a group that was, or NULL. */
bool args_given(const args_command *command, const args_words *words, const char *name);
const char *args_first_of(const args_command *command, const args_words *words, unsigned group);

/* "bench<TAB>--size<TAB>LIST" for each option, --help included; without a value the last is
 * empty. */
void args_list_options(const args_command *command);
/* "bench<TAB>--color<TAB>auto always never" for each option that has words. */
void args_list_words(const args_command *command);

/* "gable bench: " and the sentence on the standard error; returns EXIT_USAGE or EXIT_FAILED. */
int args_refuse(const args_command *command, const char *format, ...) GBL_PRINTF(2, 3);
int args_fail(const args_command *command, const char *format, ...) GBL_PRINTF(2, 3);

/* The next word of "a, b or c" at *at; false at the end. */
#define ARGS_WORD_BYTES 32
bool args_next_word(const char **at, char word[ARGS_WORD_BYTES]);

/* For readers of options: the reason; false. */
bool args_wrong(char *why, size_t why_bytes, const char *format, ...) GBL_PRINTF(3, 4);

/* The next of "a,b,c": *at moves behind it, and is NULL behind the last. An empty piece is a
 * piece. false: *at is NULL. */
bool args_next_piece(const char **at, char *piece, size_t piece_bytes);

#endif
