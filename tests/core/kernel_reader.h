/* kernel_reader.h: the text of a kernel as a preprocessor reads it: for declared_local.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef KERNEL_READER_H
#define KERNEL_READER_H

#include <ctype.h>
#include <string.h>
#include "declared_local.h"

#define MOST_MACROS 1024
#define MOST_TYPES  256
#define MOST_PARAMS 8

typedef struct token {
    const char *at;
    int length;
} token;

typedef struct macro {
    token name, params[MOST_PARAMS], body;
    int param_count; /* -1: it takes none, not even () */
} macro;

typedef struct type {
    token name;
    int64_t size, align; /* size -1: a member is not understood */
} type;

/* A text that was made. */
typedef struct note {
    struct note *next;
    char text[];
} note;

typedef struct reader {
    note *notes;
    char *text; /* without comments and joined lines */
    char *code; /* its lines that are compiled */
    macro macros[MOST_MACROS];
    type types[MOST_TYPES];
    int macro_count, type_count;
    bool cuda, failed;
    int idle; /* inside what is not evaluated: (N == 0 || 16 / N > 2) */
    char *why;
} reader;

static inline bool is(token t, const char *word)
{
    return t.length == (int)strlen(word) && strncmp(t.at, word, (size_t)t.length) == 0;
}

static inline bool same(token a, token b)
{
    return a.length == b.length && strncmp(a.at, b.at, (size_t)a.length) == 0;
}

static inline bool is_name(token t)
{
    return t.length > 0 && (isalpha((unsigned char)t.at[0]) || t.at[0] == '_');
}

/* The next token of a text that ends at `end`; of length 0 there. */
token next_token(const char **at, const char *end);

/* Says why, the first time. */
void reader_fail(reader *r, const char *what, token at);

const macro *macro_of(const reader *r, token name);
void define_macro(reader *r, token name, token body);
const type *type_of(const reader *r, token name);

/* The value of an expression of integers, sizes of types and macros. */
int64_t evaluate(reader *r, token text);

/* Takes comments out, follows the directives, and keeps the lines that are compiled. */
void read_lines(reader *r);

#endif
