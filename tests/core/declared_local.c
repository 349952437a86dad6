/* declared_local.c: how much local memory a kernel's text declares: arrays, and the sizes of their
 * types.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "kernel_reader.h"

/* ---- Declarations ---- */

static int64_t round_up(int64_t value, int64_t to)
{
    return (value + to - 1) / to * to;
}

static const type *add_type(reader *r, token name, int64_t size, int64_t align)
{
    if (r->type_count == MOST_TYPES) {
        reader_fail(r, "too many types at", name);
        return NULL;
    }
    r->types[r->type_count] = (type){name, size, align};
    return &r->types[r->type_count++];
}

static bool is_qualifier(token t)
{
    static const char *const words[] = {"const",  "volatile", "GLOBAL",   "LOCAL_PTR", "RESTRICT",
                                        "static", "struct",   "unsigned", "signed"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is(t, words[i]))
            return true;
    return false;
}

/* What a macro for a type stands for. */
static token type_name(const reader *r, token t)
{
    for (const macro *m; is_name(t) && (m = macro_of(r, t)) != NULL && m->param_count < 0;) {
        const char *at = m->body.at;
        t = next_token(&at, at + m->body.length);
    }
    return t;
}

/* ALIGNED ( n ), where it stands; 0: not here. */
static int64_t read_aligned(reader *r, const char **at, const char *end)
{
    const char *behind = *at;
    if (!is(next_token(&behind, end), "ALIGNED"))
        return 0;
    const char *const from = behind;
    int nested = 0;
    do {
        const token t = next_token(&behind, end);
        if (t.length == 0)
            return 0;
        nested += is(t, "(") - is(t, ")");
    } while (nested > 0);
    *at = behind;
    return evaluate(r, (token){from, (int)(behind - from)});
}

/* One declaration up to its ; : the bytes of all that it declares, and their alignment. -1: not
 * understood. */
static int64_t read_members(reader *r, const char **at, const char *end, int64_t *align)
{
    *align = 1;
    int64_t forced = read_aligned(r, at, end), bytes = 0;
    token t = next_token(at, end);
    while (is_qualifier(t))
        t = next_token(at, end);
    const type *of = type_of(r, type_name(r, t));
    int64_t size = of != NULL ? of->size : -1, one = size;
    *align = of != NULL ? of->align : 1;
    if (of == NULL && is(t, "long")) /* "unsigned long long" */
        size = one = *align = 8;
    for (;;) {
        t = next_token(at, end);
        if (t.length == 0)
            return -1;
        if (is(t, "*")) {
            one = *align = 8;
        } else if (is(t, "[")) {
            const char *const from = *at;
            int nested = 1;
            while (nested > 0 && t.length > 0) {
                t = next_token(at, end);
                nested += is(t, "[") - is(t, "]");
            }
            const int64_t count = one < 0 ? 0 : evaluate(r, (token){from, (int)(t.at - from)});
            one = one < 0 ? one : one * count;
        } else if (is(t, ",") || is(t, ";")) {
            bytes = bytes < 0 || one < 0 ? -1 : bytes + one;
            one = size;
            if (is(t, ";"))
                break;
        }
    }
    *align = forced > *align ? forced : *align;
    return bytes;
}

/* Behind "typedef". */
static void read_typedef(reader *r, const char **at, const char *end)
{
    const char *behind = *at;
    int64_t size = 0, align = 1, member_align;
    token t = next_token(&behind, end);
    if (is(t, "struct")) {
        const int64_t forced = read_aligned(r, &behind, end);
        t = next_token(&behind, end);
        if (is_name(t))
            t = next_token(&behind, end);
        if (is(t, "{")) {
            for (;;) {
                const char *before = behind;
                if (is(next_token(&behind, end), "}"))
                    break;
                behind = before;
                const int64_t bytes = read_members(r, &behind, end, &member_align);
                if (behind >= end)
                    return;
                size = size < 0 || bytes < 0 ? -1 : round_up(size, member_align) + bytes;
                align = member_align > align ? member_align : align;
            }
            align = forced > align ? forced : align;
            add_type(r, next_token(&behind, end), size < 0 ? -1 : round_up(size, align), align);
            *at = behind;
        }
        return;
    }
    /* typedef double f64; typedef unsigned int u32; typedef R T; */
    const type *of = NULL;
    bool is_long = false;
    token name = t;
    for (; t.length > 0 && !is(t, ";"); t = next_token(&behind, end)) {
        if (is(t, "(") || is(t, "[") || is(t, "*"))
            return;
        is_long = is_long || is(t, "long");
        if (of == NULL && !is_qualifier(t))
            of = type_of(r, type_name(r, t));
        name = t;
    }
    if (is_long)
        add_type(r, name, 8, 8);
    else if (of != NULL)
        add_type(r, name, of->size, of->align);
}

/* LOCAL_ROOM ( type , name , count ), behind its name. */
static int64_t read_room(reader *r, const char **at, const char *end)
{
    next_token(at, end);
    const token name = next_token(at, end);
    const type *of = type_of(r, type_name(r, name));
    for (int i = 0; i < 3; i++)
        next_token(at, end);
    const char *const from = *at;
    int nested = 1;
    token t = {from, 0};
    while (nested > 0) {
        t = next_token(at, end);
        if (t.length == 0)
            break;
        nested += is(t, "(") - is(t, ")");
    }
    if (r->cuda)
        return 0;
    if (of == NULL || of->size < 0)
        reader_fail(r, "local memory of an unknown type", name);
    return r->failed ? 0 : of->size * evaluate(r, (token){from, (int)(t.at - from)});
}

static int64_t read_declarations(reader *r)
{
    const char *at = r->code, *const end = at + strlen(at);
    int64_t all = 0;
    for (token t; !r->failed && (t = next_token(&at, end)).length > 0;) {
        if (is(t, "typedef")) {
            read_typedef(r, &at, end);
        } else if (is(t, "LOCAL_ROOM")) {
            all = round_up(all, 16) + read_room(r, &at, end);
        } else if (is(t, "LOCAL")) {
            int64_t align;
            const int64_t bytes = read_members(r, &at, end, &align);
            if (bytes < 0)
                reader_fail(r, "local memory is not understood before", (token){at, 20});
            all = round_up(all, align) + bytes;
        }
    }
    return all;
}

/* ---- The whole ---- */

int64_t declared_local(const char *source, const char *const *macros, bool cuda,
                       char why[DECLARED_WHY_BYTES])
{
    static const struct {
        const char *name;
        int64_t size;
    } numbers[] = {{"char", 1}, {"short", 2}, {"int", 4}, {"float", 4}, {"double", 8}};
    reader *r = calloc(1, sizeof *r);
    if (r == NULL || (r->text = malloc(2 * strlen(source) + 4)) == NULL) {
        snprintf(why, DECLARED_WHY_BYTES, "no memory");
        free(r);
        return -1;
    }
    strcpy(r->text, source);
    r->code = r->text + strlen(source) + 1;
    r->why = why;
    r->cuda = cuda;
    why[0] = '\0';
    for (int i = 0; macros[i] != NULL; i++) {
        const int length = (int)strcspn(macros[i], "=");
        const char *const value = macros[i] + length + (macros[i][length] == '=');
        define_macro(r, (token){macros[i], length}, (token){value, (int)strlen(value)});
    }
    if (cuda) {
        define_macro(r, (token){"__CUDACC__", 10}, (token){"1", 1});
        define_macro(r, (token){"__CUDA_ARCH__", 13}, (token){"900", 3});
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_type(r, (token){numbers[i].name, (int)strlen(numbers[i].name)}, numbers[i].size,
                 numbers[i].size);
    read_lines(r);
    const int64_t all = r->failed ? -1 : read_declarations(r), bytes = r->failed ? -1 : all;
    while (r->notes != NULL) {
        note *const next = r->notes->next;
        free(r->notes);
        r->notes = next;
    }
    free(r->text);
    free(r);
    return bytes;
}
