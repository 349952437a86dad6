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
    static const char *const barriers[] = {"bar", "barrier", "mbarrier", NULL};
    static const char *const fences[] = {"membar", "fence", NULL};
    static const char *const shuffles[] = {"shfl", "vote", "match", "redux", NULL};
    static const char *const atomics[] = {"atom", "red", NULL};
    static const char *const branches[] = {"bra", "brx", "ret", "exit", "call", NULL};
    static const char *const copies[] = {"cp", NULL};
    static const char *const matrix[] = {"mma", "wmma", "wgmma", "ldmatrix", NULL};
    static const char *const moves[] = {"mov", "cvt", "cvta", "selp", "setp", "prmt", NULL};
    if (add_ptx_memory(mix, opcode))
        return;
    const char *type = has(opcode, "f64") ? "f64" : has(opcode, "f32") ? "f32" : NULL;
    char name[MIX_NAME_BYTES];
    if (any(opcode, barriers))
        add(mix, CONTROL, "barrier");
    else if (any(opcode, copies))
        add(mix, MEMORY, "copy to shared");
    else if (any(opcode, fences) || (starts(opcode, "wgmma") && !has(opcode, "mma_async")))
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
        {.stem = "LDG", .name = "global load", .order = MEMORY, .bytes = true},
        {.stem = "STG", .name = "global store", .order = MEMORY, .bytes = true},
        {.stem = "LDL", .name = "local load", .order = MEMORY, .bytes = true},
        {.stem = "STL", .name = "local store", .order = MEMORY, .bytes = true},
        {.stem = "LDS", .name = "shared load", .order = SHARED, .bytes = true},
        {.stem = "STS", .name = "shared store", .order = SHARED, .bytes = true},
        {.stem = "LDGSTS", .name = "copy to shared", .order = MEMORY},
        {.stem = "UTMALDG", .name = "copy to shared", .order = MEMORY},
        {.stem = "UBLKCP", .name = "copy to shared", .order = MEMORY},
        {.stem = "SYNCS", .name = "barrier", .order = CONTROL},
        {.stem = "LDC", .name = "constant load", .order = REST},
        {.stem = "ULDC", .name = "constant load", .order = REST},
        {.stem = "LDCU", .name = "constant load", .order = REST},
        {.stem = "ATOMG", .name = "atomic", .order = MEMORY},
        {.stem = "ATOM", .name = "atomic", .order = MEMORY},
        {.stem = "RED", .name = "atomic", .order = MEMORY},
        {.stem = "REDG", .name = "atomic", .order = MEMORY},
        {.stem = "SHFL", .name = "shuffle, vote", .order = SHARED},
        {.stem = "VOTE", .name = "shuffle, vote", .order = SHARED},
        {.stem = "FFMA", .name = "fma f32", .order = ARITHMETIC},
        {.stem = "FADD", .name = "add f32", .order = ARITHMETIC},
        {.stem = "FMUL", .name = "mul f32", .order = ARITHMETIC},
        {.stem = "DFMA", .name = "fma f64", .order = ARITHMETIC},
        {.stem = "DADD", .name = "add f64", .order = ARITHMETIC},
        {.stem = "DMUL", .name = "mul f64", .order = ARITHMETIC},
        {.stem = "DMMA", .name = "matrix multiply", .order = ARITHMETIC},
        {.stem = "HMMA", .name = "matrix multiply", .order = ARITHMETIC},
        {.stem = "HGMMA", .name = "matrix multiply", .order = ARITHMETIC},
        {.stem = "MUFU", .name = "special function", .order = ARITHMETIC},
        {.stem = "BAR", .name = "barrier", .order = CONTROL},
        {.stem = "MEMBAR", .name = "fence", .order = CONTROL},
        {.stem = "BRA", .name = "branch, return", .order = CONTROL},
        {.stem = "EXIT", .name = "branch, return", .order = CONTROL},
        {.stem = "RET", .name = "branch, return", .order = CONTROL},
        {.stem = "CALL", .name = "branch, return", .order = CONTROL},
        {.stem = "IMAD", .name = "integer, logic", .order = INTEGER},
        {.stem = "IADD3", .name = "integer, logic", .order = INTEGER},
        {.stem = "LEA", .name = "integer, logic", .order = INTEGER},
        {.stem = "SHF", .name = "integer, logic", .order = INTEGER},
        {.stem = "LOP3", .name = "integer, logic", .order = INTEGER},
        {.stem = "UIADD3", .name = "integer, logic", .order = INTEGER},
        {.stem = "UIMAD", .name = "integer, logic", .order = INTEGER},
        {.stem = "ISETP", .name = "compare, select", .order = REST},
        {.stem = "DSETP", .name = "compare, select", .order = REST},
        {.stem = "FSETP", .name = "compare, select", .order = REST},
        {.stem = "SEL", .name = "compare, select", .order = REST},
        {.stem = "MOV", .name = "move, convert", .order = REST},
        {.stem = "UMOV", .name = "move, convert", .order = REST},
        {.stem = "F2F", .name = "move, convert", .order = REST},
        {.stem = "NOP", .name = "padding", .order = REST},
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
