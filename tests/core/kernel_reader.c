/* kernel_reader.c: the text of a kernel as a preprocessor reads it: macros, conditions,
 * expressions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "kernel_reader.h"

#define MOST_TOKENS 4096 /* of an expression, expanded */
#define MOST_DEPTH  48   /* of macros in macros, of #if in #if */

/* Tokens of an expression. */
typedef struct tokens {
    token list[MOST_TOKENS];
    int count, next;
} tokens;

void reader_fail(reader *r, const char *what, token at)
{
    if (!r->failed)
        snprintf(r->why, DECLARED_WHY_BYTES, "%s \"%.*s\"", what, at.length < 80 ? at.length : 80,
                 at.at);
    r->failed = true;
}

/* ---- Tokens ---- */

token next_token(const char **at, const char *end)
{
    static const char *const pairs[] = {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "##"};
    const char *from = *at;
    while (from < end && isspace((unsigned char)*from))
        from++;
    const char *to = from;
    if (to < end && (isalnum((unsigned char)*to) || *to == '_')) {
        while (to < end && (isalnum((unsigned char)*to) || *to == '_'))
            to++;
    } else if (to < end && *to == '"') {
        for (to++; to < end && *to != '"'; to++)
            to += *to == '\\' && to + 1 < end;
        to += to < end;
    } else if (to < end) {
        to++;
        for (size_t i = 0; to < end && i < sizeof pairs / sizeof pairs[0]; i++)
            if (from[0] == pairs[i][0] && from[1] == pairs[i][1]) {
                to = from + 2;
                break;
            }
    }
    *at = to;
    return (token){from, (int)(to - from)};
}

const macro *macro_of(const reader *r, token name)
{
    for (int i = r->macro_count - 1; i >= 0; i--)
        if (same(r->macros[i].name, name))
            return r->macros[i].body.at != NULL ? &r->macros[i] : NULL;
    return NULL;
}

const type *type_of(const reader *r, token name)
{
    for (int i = r->type_count - 1; i >= 0; i--)
        if (same(r->types[i].name, name))
            return &r->types[i];
    return NULL;
}

/* ---- Expressions ---- */

static void expand(reader *r, const char *at, const char *end, int depth, tokens *out);

static void put(reader *r, tokens *out, token t)
{
    if (out->count == MOST_TOKENS)
        reader_fail(r, "too long an expression at", t);
    else
        out->list[out->count++] = t;
}

/* The body of a macro with its arguments in place. It lasts as long as the reader. */
static char *substituted(reader *r, const macro *m, const token *given, int count)
{
    const char *at = m->body.at, *const end = at + m->body.length;
    size_t room = (size_t)m->body.length + 1;
    for (token t; (t = next_token(&at, end)).length > 0;)
        for (int p = 0; p < m->param_count && p < count; p++)
            room += same(m->params[p], t) ? (size_t)given[p].length + 2 : 0;
    note *kept = malloc(sizeof *kept + 2 * room + 2);
    if (kept == NULL) {
        reader_fail(r, "no memory for", m->name);
        return NULL;
    }
    kept->next = r->notes;
    r->notes = kept;
    char *to = kept->text;
    at = m->body.at;
    for (token t; (t = next_token(&at, end)).length > 0;) {
        int p = 0;
        while (p < m->param_count && p < count && !same(m->params[p], t))
            p++;
        const token put_in = p < m->param_count && p < count ? given[p] : t;
        memcpy(to, put_in.at, (size_t)put_in.length);
        to += put_in.length;
        *to++ = ' ';
    }
    *to = '\0';
    return kept->text;
}

/* A macro with its arguments in place, expanded; *at stands behind its name. */
static void expand_call(reader *r, const macro *m, const char **at, const char *end, int depth,
                        tokens *out)
{
    token given[MOST_PARAMS];
    int count = 0, nested = 0;
    token t = next_token(at, end);
    const char *from = *at;
    if (!is(t, "(")) {
        reader_fail(r, "no ( behind", m->name);
        return;
    }
    for (;;) {
        t = next_token(at, end);
        if (t.length == 0 || count == MOST_PARAMS) {
            reader_fail(r, "the arguments do not end of", m->name);
            return;
        }
        if (nested == 0 && (is(t, ",") || is(t, ")"))) {
            given[count++] = (token){from, (int)(t.at - from)};
            from = *at;
            if (is(t, ")"))
                break;
        }
        nested += is(t, "(") - is(t, ")");
    }
    char *const body = substituted(r, m, given, count);
    if (body != NULL)
        expand(r, body, body + strlen(body), depth + 1, out);
}

static void expand(reader *r, const char *at, const char *end, int depth, tokens *out)
{
    while (!r->failed) {
        const token t = next_token(&at, end);
        if (t.length == 0)
            return;
        const macro *m = is_name(t) ? macro_of(r, t) : NULL;
        if (depth > MOST_DEPTH)
            reader_fail(r, "a macro without end:", t);
        else if (m == NULL)
            put(r, out, t);
        else if (m->param_count < 0)
            expand(r, m->body.at, m->body.at + m->body.length, depth + 1, out);
        else
            expand_call(r, m, &at, end, depth, out);
    }
}

static token peek(const tokens *in)
{
    return in->next < in->count ? in->list[in->next] : (token){"", 0};
}

static bool take(tokens *in, const char *word)
{
    const bool there = is(peek(in), word);
    in->next += there;
    return there;
}

static int64_t ternary(reader *r, tokens *in);

static int64_t unary(reader *r, tokens *in)
{
    if (take(in, "-"))
        return -unary(r, in);
    if (take(in, "+"))
        return unary(r, in);
    if (take(in, "!"))
        return !unary(r, in);
    if (take(in, "~"))
        return ~unary(r, in);
    const token t = peek(in);
    if (take(in, "sizeof")) {
        const type *of = take(in, "(") ? type_of(r, peek(in)) : NULL;
        in->next++;
        if (of == NULL || of->size < 0 || !take(in, ")"))
            reader_fail(r, "the size is not known of", of != NULL ? of->name : t);
        return of != NULL ? of->size : 0;
    }
    if (take(in, "(")) {
        const bool cast = type_of(r, peek(in)) != NULL;
        if (cast)
            in->next++;
        const int64_t value = cast ? 0 : ternary(r, in);
        if (!take(in, ")"))
            reader_fail(r, "no ) before", peek(in));
        return cast ? unary(r, in) : value;
    }
    in->next++;
    if (t.length > 0 && isdigit((unsigned char)t.at[0]))
        return strtoll(t.at, NULL, 0);
    if (!is_name(t))
        reader_fail(r, "not understood in an expression:", t);
    return 0; /* as in #if */
}

/* Operators by how tightly they bind, the loosest first. */
static const struct {
    const char *word;
    int level;
} operators[] = {{"||", 0}, {"&&", 1}, {"|", 2},  {"^", 3}, {"&", 4}, {"==", 5},
                 {"!=", 5}, {"<=", 6}, {">=", 6}, {"<", 6}, {">", 6}, {"<<", 7},
                 {">>", 7}, {"+", 8},  {"-", 8},  {"*", 9}, {"/", 9}, {"%", 9}};
#define LEVELS    10
#define OPERATORS ((int)(sizeof operators / sizeof operators[0]))

static int64_t apply(reader *r, const char *word, int64_t a, int64_t b)
{
    if ((word[0] == '/' || word[0] == '%') && b == 0) {
        if (r->idle == 0)
            reader_fail(r, "division by zero:", (token){word, 1});
        return 0;
    }
    switch (word[0]) {
    case '|':
        return word[1] ? a || b : (a | b);
    case '&':
        return word[1] ? a && b : (a & b);
    case '^':
        return a ^ b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return word[1] == '<' ? a * ((int64_t)1 << b) : word[1] ? a <= b : a < b;
    case '>':
        return word[1] == '>' ? a / ((int64_t)1 << b) : word[1] ? a >= b : a > b;
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    default:
        return a % b;
    }
}

static int64_t binary(reader *r, tokens *in, int level)
{
    if (level == LEVELS)
        return unary(r, in);
    int64_t value = binary(r, in, level + 1);
    for (int i = 0; i < OPERATORS && !r->failed; i++) {
        if (operators[i].level != level || !take(in, operators[i].word))
            continue;
        const bool idle = (level == 0 && value != 0) || (level == 1 && value == 0);
        r->idle += idle;
        const int64_t other = binary(r, in, level + 1);
        r->idle -= idle;
        value = apply(r, operators[i].word, value, other);
        i = -1;
    }
    return value;
}

static int64_t ternary(reader *r, tokens *in)
{
    const int64_t value = binary(r, in, 0);
    if (!take(in, "?"))
        return value;
    r->idle += value == 0;
    const int64_t yes = ternary(r, in);
    r->idle += value != 0 ? 1 : -1;
    if (!take(in, ":"))
        reader_fail(r, "no : before", peek(in));
    const int64_t no = ternary(r, in);
    r->idle -= value != 0;
    return value != 0 ? yes : no;
}

int64_t evaluate(reader *r, token text)
{
    static tokens room;
    tokens *const in = &room;
    in->count = in->next = 0;
    expand(r, text.at, text.at + text.length, 0, in);
    const int64_t value = r->failed ? 0 : ternary(r, in);
    if (!r->failed && in->next != in->count)
        reader_fail(r, "not a number:", text);
    return value;
}

/* ---- Lines ---- */

void define_macro(reader *r, token name, token body)
{
    if (r->macro_count == MOST_MACROS)
        reader_fail(r, "too many macros at", name);
    else
        r->macros[r->macro_count++] = (macro){.name = name, .body = body, .param_count = -1};
}

/* Behind #define. */
static void read_define(reader *r, const char *at, const char *end)
{
    const token name = next_token(&at, end);
    define_macro(r, name, (token){at, (int)(end - at)});
    if (at == end || *at != '(' || r->failed)
        return;
    macro *m = &r->macros[r->macro_count - 1];
    m->param_count = 0;
    at++;
    for (token t; (t = next_token(&at, end)).length > 0 && !is(t, ")");)
        if (!is(t, ",") && m->param_count < MOST_PARAMS)
            m->params[m->param_count++] = t;
    m->body = (token){at, (int)(end - at)};
}

/* Behind #if; `defined` is answered before names are expanded. */
static bool condition(reader *r, const char *at, const char *end)
{
    char text[1024];
    int used = 0;
    for (token t; (t = next_token(&at, end)).length > 0;) {
        bool known = false, asked = is(t, "defined");
        if (asked) {
            t = next_token(&at, end);
            if (is(t, "(")) {
                t = next_token(&at, end);
                next_token(&at, end);
            }
            known = macro_of(r, t) != NULL;
        }
        used += asked ? snprintf(text + used, sizeof text - (size_t)used, " %d", known)
                      : snprintf(text + used, sizeof text - (size_t)used, " %.*s", t.length, t.at);
        if (used >= (int)sizeof text) {
            reader_fail(r, "too long a condition at", t);
            return false;
        }
    }
    return evaluate(r, (token){text, used}) != 0;
}

typedef struct nesting {
    bool active[MOST_DEPTH], done[MOST_DEPTH];
    int depth;
} nesting;

static void read_directive(reader *r, nesting *n, const char *at, const char *end)
{
    const token word = next_token(&at, end);
    const bool now = n->active[n->depth];
    if (is(word, "if") || is(word, "ifdef") || is(word, "ifndef")) {
        if (n->depth + 1 == MOST_DEPTH) {
            reader_fail(r, "too many conditions at", word);
            return;
        }
        const char *behind = at;
        bool yes = now && is(word, "if") && condition(r, at, end);
        if (!is(word, "if"))
            yes = now && (macro_of(r, next_token(&behind, end)) != NULL) == is(word, "ifdef");
        n->depth++;
        n->active[n->depth] = yes;
        n->done[n->depth] = yes || !now;
    } else if (is(word, "elif") || is(word, "else")) {
        const bool yes = !n->done[n->depth] && (is(word, "else") || condition(r, at, end));
        n->active[n->depth] = yes;
        n->done[n->depth] = n->done[n->depth] || yes;
    } else if (is(word, "endif")) {
        n->depth -= n->depth > 0;
    } else if (now && is(word, "define")) {
        read_define(r, at, end);
    } else if (now && is(word, "undef")) {
        define_macro(r, next_token(&at, end), (token){NULL, 0});
    } else if (now && is(word, "error")) {
        reader_fail(r, "#error", (token){at, (int)(end - at)});
    }
}

/* Comments become blanks, and lines that go on are joined. */
static void clean(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        if (from[0] == '/' && from[1] == '*') {
            for (from += 2; *from != '\0' && !(from[0] == '*' && from[1] == '/'); from++) {
            }
            from += *from != '\0' ? 2 : 0;
            *to++ = ' ';
        } else if (from[0] == '/' && from[1] == '/') {
            while (*from != '\0' && *from != '\n')
                from++;
        } else if (from[0] == '\\' && from[1] == '\n') {
            from += 2;
            *to++ = ' ';
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

void read_lines(reader *r)
{
    nesting n = {.active = {true}};
    clean(r->text);
    char *to = r->code;
    for (char *line = r->text; *line != '\0' && !r->failed;) {
        char *const end = line + strcspn(line, "\n");
        const char *at = line;
        const token first = next_token(&at, end);
        const size_t length = (size_t)(end - line);
        if (is(first, "#")) {
            read_directive(r, &n, at, end);
        } else if (n.active[n.depth]) {
            memcpy(to, line, length);
            to[length] = '\n';
            to += length + 1;
        }
        line = *end != '\0' ? end + 1 : end;
    }
    *to = '\0';
}
