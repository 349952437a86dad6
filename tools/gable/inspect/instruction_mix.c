/* instruction_mix.c: counts the instructions of a compiled kernel by what they do.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "instruction_mix.h"

#define OPCODE_BYTES 64

/* Order of classes in the listing. */
enum { MEMORY, SHARED, ARITHMETIC, INTEGER, CONTROL, REST };

static void add(instruction_mix *mix, int order, const char *name)
{
    mix->total++;
    for (int i = 0; i < mix->count; i++) {
        if (strcmp(mix->classes[i].name, name) == 0) {
            mix->classes[i].instructions++;
            return;
        }
    }
    if (mix->count == MIX_MAX_CLASSES)
        return;
    snprintf(mix->classes[mix->count].name, MIX_NAME_BYTES, "%s", name);
    mix->classes[mix->count].instructions = 1;
    mix->classes[mix->count].order = order;
    mix->count++;
}

static int compare(const void *a, const void *b)
{
    const mix_class *x = a, *y = b;
    return x->order != y->order ? x->order - y->order : strcmp(x->name, y->name);
}

void mix_sort(instruction_mix *mix)
{
    qsort(mix->classes, (size_t)mix->count, sizeof mix->classes[0], compare);
}

/* ---- PTX ---- */

/* Whether a dotted opcode has a part, "global" in ld.global.v2.f64. */
static bool has(const char *opcode, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = strchr(opcode, '.'); at != NULL; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, part, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0'))
            return true;
    return false;
}

/* Bytes a PTX load or store moves: its vector width times its type. */
static int access_bytes(const char *opcode)
{
    const char *type = strrchr(opcode, '.');
    const int bits = type != NULL && isalpha((unsigned char)type[1]) ? atoi(type + 2) : 0;
    const int width = has(opcode, "v8") ? 8 : has(opcode, "v4") ? 4 : has(opcode, "v2") ? 2 : 1;
    return width * bits / 8;
}

static bool starts(const char *opcode, const char *stem)
{
    const size_t length = strlen(stem);
    return strncmp(opcode, stem, length) == 0 && (opcode[length] == '.' || opcode[length] == '\0');
}

static bool any(const char *opcode, const char *const *stems)
{
    for (; *stems != NULL; stems++)
        if (starts(opcode, *stems))
            return true;
    return false;
}

static bool add_ptx_memory(instruction_mix *mix, const char *opcode)
{
    const bool load = starts(opcode, "ld") || starts(opcode, "ldu");
    char name[MIX_NAME_BYTES];
    if (!load && !starts(opcode, "st"))
        return false;
    const char *verb = load ? "load" : "store";
    if (has(opcode, "param"))
        add(mix, REST, "parameters");
    else if (has(opcode, "shared")) {
        snprintf(name, sizeof name, "shared %s, %d bytes", verb, access_bytes(opcode));
        add(mix, SHARED, name);
    } else {
        snprintf(name, sizeof name, "%s %s, %d bytes", has(opcode, "local") ? "local" : "global",
                 verb, access_bytes(opcode));
        add(mix, MEMORY, name);
    }
    return true;
}

static void add_ptx(instruction_mix *mix, const char *opcode)
{
    static const char *const barriers[] = {"bar", "barrier", NULL};
    static const char *const fences[] = {"membar", "fence", NULL};
    static const char *const shuffles[] = {"shfl", "vote", "match", "redux", NULL};
    static const char *const atomics[] = {"atom", "red", NULL};
    static const char *const branches[] = {"bra", "brx", "ret", "exit", "call", NULL};
    static const char *const matrix[] = {"mma", "wmma", "wgmma", "ldmatrix", NULL};
    static const char *const moves[] = {"mov", "cvt", "cvta", "selp", "setp", "prmt", NULL};
    if (add_ptx_memory(mix, opcode))
        return;
    const char *type = has(opcode, "f64") ? "f64" : has(opcode, "f32") ? "f32" : NULL;
    char name[MIX_NAME_BYTES];
    if (any(opcode, barriers))
        add(mix, CONTROL, "barrier");
    else if (any(opcode, fences))
        add(mix, CONTROL, "fence");
    else if (any(opcode, shuffles))
        add(mix, SHARED, "shuffle, vote");
    else if (any(opcode, atomics))
        add(mix, MEMORY, "atomic");
    else if (any(opcode, branches))
        add(mix, CONTROL, "branch, return");
    else if (any(opcode, matrix))
        add(mix, ARITHMETIC, "matrix multiply");
    else if (any(opcode, moves))
        add(mix, REST,
            starts(opcode, "setp") || starts(opcode, "selp") ? "compare, select" : "move, convert");
    else if (type != NULL) {
        const char *dot = strchr(opcode, '.');
        snprintf(name, sizeof name, "%.*s %s", (int)(dot - opcode), opcode, type);
        add(mix, ARITHMETIC, name);
    } else
        add(mix, INTEGER, "integer, logic");
}

/* Copies the opcode of a line, past its predicate; false for labels, directives, braces, comments.
 */
static bool read_opcode(const char *line, char opcode[OPCODE_BYTES])
{
    while (isspace((unsigned char)*line))
        line++;
    if (*line == '@') {
        while (*line != '\0' && !isspace((unsigned char)*line))
            line++;
        while (isspace((unsigned char)*line))
            line++;
    }
    size_t length = 0;
    while (length + 1 < OPCODE_BYTES &&
           (isalnum((unsigned char)line[length]) || line[length] == '.' || line[length] == '_' ||
            line[length] == ':'))
        length++;
    if (length == 0 || !isalpha((unsigned char)line[0]) ||
        (line[length] != ' ' && line[length] != '\t' && line[length] != ';'))
        return false;
    snprintf(opcode, OPCODE_BYTES, "%.*s", (int)length, line);
    return true;
}

bool mix_of_ptx(const char *ptx, const char *entry, instruction_mix *mix)
{
    char heading[96], opcode[OPCODE_BYTES];
    memset(mix, 0, sizeof *mix);
    snprintf(heading, sizeof heading, ".entry %s(", entry);
    const char *at = strstr(ptx, heading);
    at = at != NULL ? strstr(at, "\n{") : NULL;
    if (at == NULL)
        return false;
    for (at += 2; *at != '\0' && strncmp(at, "\n}", 2) != 0;) {
        if (read_opcode(at + 1, opcode))
            add_ptx(mix, opcode);
        at = strchr(at + 1, '\n');
        if (at == NULL)
            break;
    }
    mix_sort(mix);
    return mix->total > 0;
}

/* ---- SASS ---- */

static int sass_bytes(const char *opcode)
{
    static const struct {
        const char *part;
        int bytes;
    } widths[] = {{"256", 32}, {"128", 16}, {"64", 8}, {"U16", 2},
                  {"S16", 2},  {"U8", 1},   {"S8", 1}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (has(opcode, widths[i].part))
            return widths[i].bytes;
    return 4;
}

static void add_sass(instruction_mix *mix, const char *opcode)
{
    static const struct {
        const char *stem, *name;
        int order;
        bool bytes;
    } table[] = {
        {"LDG", "global load", MEMORY, true},
        {"STG", "global store", MEMORY, true},
        {"LDL", "local load", MEMORY, true},
        {"STL", "local store", MEMORY, true},
        {"LDS", "shared load", SHARED, true},
        {"STS", "shared store", SHARED, true},
        {"LDC", "constant load", REST, false},
        {"ULDC", "constant load", REST, false},
        {"LDCU", "constant load", REST, false},
        {"ATOMG", "atomic", MEMORY, false},
        {"ATOM", "atomic", MEMORY, false},
        {"RED", "atomic", MEMORY, false},
        {"REDG", "atomic", MEMORY, false},
        {"SHFL", "shuffle, vote", SHARED, false},
        {"VOTE", "shuffle, vote", SHARED, false},
        {"FFMA", "fma f32", ARITHMETIC, false},
        {"FADD", "add f32", ARITHMETIC, false},
        {"FMUL", "mul f32", ARITHMETIC, false},
        {"DFMA", "fma f64", ARITHMETIC, false},
        {"DADD", "add f64", ARITHMETIC, false},
        {"DMUL", "mul f64", ARITHMETIC, false},
        {"DMMA", "matrix multiply", ARITHMETIC, false},
        {"HMMA", "matrix multiply", ARITHMETIC, false},
        {"MUFU", "special function", ARITHMETIC, false},
        {"BAR", "barrier", CONTROL, false},
        {"MEMBAR", "fence", CONTROL, false},
        {"BRA", "branch, return", CONTROL, false},
        {"EXIT", "branch, return", CONTROL, false},
        {"RET", "branch, return", CONTROL, false},
        {"CALL", "branch, return", CONTROL, false},
        {"IMAD", "integer, logic", INTEGER, false},
        {"IADD3", "integer, logic", INTEGER, false},
        {"LEA", "integer, logic", INTEGER, false},
        {"SHF", "integer, logic", INTEGER, false},
        {"LOP3", "integer, logic", INTEGER, false},
        {"UIADD3", "integer, logic", INTEGER, false},
        {"UIMAD", "integer, logic", INTEGER, false},
        {"ISETP", "compare, select", REST, false},
        {"DSETP", "compare, select", REST, false},
        {"FSETP", "compare, select", REST, false},
        {"SEL", "compare, select", REST, false},
        {"MOV", "move, convert", REST, false},
        {"UMOV", "move, convert", REST, false},
        {"F2F", "move, convert", REST, false},
        {"NOP", "padding", REST, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!starts(opcode, table[i].stem))
            continue;
        char name[MIX_NAME_BYTES];
        if (table[i].bytes)
            snprintf(name, sizeof name, "%s, %d bytes", table[i].name, sass_bytes(opcode));
        else
            snprintf(name, sizeof name, "%s", table[i].name);
        add(mix, table[i].order, name);
        return;
    }
    add(mix, REST, "other");
}

/* A line is an address of four digits in a comment, an opcode and its operands; a heading names the
 * kernel. */
bool mix_of_sass(const char *text, const char *entry, instruction_mix *mix)
{
    char section[96], function[96], opcode[OPCODE_BYTES];
    memset(mix, 0, sizeof *mix);
    snprintf(section, sizeof section, ".text.%s:", entry);
    snprintf(function, sizeof function, "Function : %s\n", entry);
    const char *at = strstr(text, section);
    if (at == NULL)
        at = strstr(text, function);
    while (at != NULL && (at = strchr(at, '\n')) != NULL) {
        const char *line = ++at;
        if (strncmp(line, ".section", 8) == 0 || strncmp(line, "\t\tFunction", 10) == 0)
            break;
        while (*line == ' ' || *line == '\t')
            line++;
        const char *end = strncmp(line, "/*", 2) == 0 ? strstr(line, "*/") : NULL;
        const char *newline = strchr(line, '\n');
        if (end == NULL || (newline != NULL && end > newline) || end - line != 6)
            continue; /* not an address of four digits */
        if (read_opcode(end + 2, opcode))
            add_sass(mix, opcode);
    }
    mix_sort(mix);
    return mix->total > 0;
}
