/* names.c: the names that the command takes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "bench_ops.h"
#include "command.h"
#include "names.h"
#include "peers/peer.h"

#define ALL_DTYPES (1u << GBL_S | 1u << GBL_D | 1u << GBL_C | 1u << GBL_Z)

/* Calls back with every stem and every typed name. */
static void each_op(void (*tell)(void *user, const char *name), void *user)
{
    char names[NAMES_BYTES], word[ARGS_WORD_BYTES], typed[ARGS_WORD_BYTES];
    bench_op_names(names, sizeof names);
    for (const char *at = names; args_next_word(&at, word);) {
        bench_wanted wanted;
        tell(user, word);
        if (!bench_op_find(word, ALL_DTYPES, &wanted))
            continue;
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            if (!(wanted.dtypes >> dtype & 1))
                continue;
            bench_op_typed_name(wanted.op, (gbl_dtype)dtype, typed, sizeof typed);
            if (strcmp(typed, word) != 0)
                tell(user, typed);
        }
    }
}

static void print_name(void *user, const char *name)
{
    (void)user;
    puts(name);
}

typedef struct search {
    const char *word;
    nearest *best;
} search;

static void compare_name(void *user, const char *name)
{
    search *now = user;
    nearest_try(now->best, now->word, name);
}

void names_nearest_op(const char *word, nearest *best)
{
    search now = {word, best};
    each_op(compare_name, &now);
}

void names_of_peers(char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (const bench_peer_kind *const *kind = bench_peer_kinds; *kind != NULL; kind++) {
        const size_t used = strlen(text);
        snprintf(text + used, text_bytes - used, "%s%s", used > 0 ? ", " : "", (*kind)->name);
    }
}

static void print_words(const char *list)
{
    char word[ARGS_WORD_BYTES];
    for (const char *at = list; args_next_word(&at, word);)
        puts(word);
}

static void print_devices(void)
{
    for (int i = 0; i < gable_device_count(); i++) {
        gable_device_info info;
        if (gable_device_describe(i, &info) == GABLE_OK && info.usable)
            puts(info.name);
    }
}

/* "dot=two_pass": op and variant, of each op that can be measured. */
static void print_variants(void)
{
    const gbl_op *seen[GBL_MAX_OPS];
    int count = 0;
    char names[NAMES_BYTES], word[ARGS_WORD_BYTES];
    bench_op_names(names, sizeof names);
    for (const char *at = names; args_next_word(&at, word);) {
        bench_wanted wanted;
        bool again = count == GBL_MAX_OPS || !bench_op_find(word, ALL_DTYPES, &wanted);
        for (int i = 0; i < count && !again; i++)
            again = seen[i] == wanted.op->op;
        if (again)
            continue;
        seen[count++] = wanted.op->op;
        for (int i = 0; i < wanted.op->op->variant_count; i++)
            printf("%s=%s\n", wanted.op->op->stem, wanted.op->op->variants[i].name);
    }
}

bool names_print(const char *what)
{
    char text[NAMES_BYTES];
    if (strcmp(what, "ops") == 0) {
        each_op(print_name, NULL);
    } else if (strcmp(what, "stems") == 0) {
        bench_op_names(text, sizeof text);
        print_words(text);
    } else if (strcmp(what, "devices") == 0) {
        print_devices();
    } else if (strcmp(what, "variants") == 0) {
        print_variants();
    } else if (strcmp(what, "peers") == 0) {
        names_of_peers(text, sizeof text);
        print_words(text);
    } else if (strcmp(what, "kernels") == 0) {
        inspect_kernels(text, sizeof text);
        print_words(text);
    } else {
        return false;
    }
    return true;
}
