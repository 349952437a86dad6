/* info_tuning.c: the part of `gable info` about the tuning database.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What choices are based on: for each op the size buckets that were measured on this device with
 * the kernels of this library, and what serves the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "model/roofs.h"
#include "tune/builtin.h"
#include "tune/database.h"
#include "tune/tune_line.h"
#include "info_tuning.h"
#include "gable/json.h"
#include "gable/terminal.h"
#include "gable/plural.h"
#include "device/cpu_family.h"

/* ---- Buckets ---- */

typedef struct bucket {
    const gbl_op *op;
    uint64_t key;
} bucket;

typedef struct buckets {
    bucket *list;
    size_t count, room;
} buckets;

/* Measurements that may answer a default choice. */
static bool collect(void *user, const gbl_entry *entry)
{
    buckets *all = user;
    const gbl_op *op = gbl_op_find(entry->op);
    const gbl_variant *variant = op != NULL ? gbl_variant_find(op, entry->variant) : NULL;
    if (variant == NULL || !variant->deterministic || variant->vendor || !(entry->error <= 1) ||
        !gbl_entry_current(entry))
        return true;
    if (all->count == all->room) {
        const size_t room = all->room > 0 ? 2 * all->room : 256;
        bucket *grown = realloc(all->list, room * sizeof *grown);
        if (grown == NULL)
            return false;
        all->list = grown;
        all->room = room;
    }
    all->list[all->count++] = (bucket){op, entry->key};
    return true;
}

static int compare(const void *a, const void *b)
{
    const bucket *x = a, *y = b;
    const int names = strcmp(x->op->stem, y->op->stem);
    return names != 0 ? names : (x->key > y->key) - (x->key < y->key);
}

/* How many different ones there are of an op. */
static int count_of(const buckets *all, const gbl_op *op)
{
    int count = 0;
    for (size_t i = 0; i < all->count; i++)
        count +=
            all->list[i].op == op && (i == 0 || compare(&all->list[i - 1], &all->list[i]) != 0);
    return count;
}

/* ---- The built-in table ---- */

#define MOST_FAMILIES 32

/* ---- Output ---- */

static void print_state(const gbl_database_state *state)
{
    char text[1600];
    if (state->path[0] == '\0')
        snprintf(text, sizeof text, "none: neither XDG_DATA_HOME nor HOME is set");
    else
        snprintf(text, sizeof text, "%s (%lld measurement%s%s)", state->path,
                 (long long)state->entries, PLURAL(state->entries),
                 state->writable ? "" : ", cannot be written");
    printf("  %-12s %s\n", "database", text);
    if (state->foreign_entries > 0)
        printf("  %-12s %lld of them %s from files for all users\n", "",
               (long long)state->foreign_entries, state->foreign_entries == 1 ? "is" : "are");
    if (state->old_entries > 0)
        printf("  %-12s %lld of them %s of older kernels: where `gable tune` starts\n", "",
               (long long)state->old_entries, state->old_entries == 1 ? "is" : "are");
    if (state->bad_lines > 0)
        printf("  %-12s %lld damaged line%s skipped\n", "", (long long)state->bad_lines,
               state->bad_lines == 1 ? " was" : "s were");
    if (state->unknown > 0)
        printf("  %-12s %lld line%s of ops or tunables that this version lacks\n", "",
               (long long)state->unknown, state->unknown == 1 ? " is" : "s are");
    if (state->off)
        printf("  %-12s GABLE_TUNING=off: choices do not ask it\n", "");
    printf("  %-12s", "built in");
    char families[MOST_FAMILIES][24];
    const int count = gbl_builtin_families(families, MOST_FAMILIES);
    for (int i = 0; i < count; i++)
        printf("%s%s", i > 0 ? ", " : " ", families[i]);
    printf("\n");
}

static void write_state(const gbl_database_state *state)
{
    json_text("path", state->path);
    json_integer("entries", state->entries);
    json_integer("foreign_entries", state->foreign_entries);
    json_integer("old_entries", state->old_entries);
    json_integer("bad_lines", state->bad_lines);
    json_integer("unknown", state->unknown);
    json_bool("writable", state->writable);
    json_bool("off", state->off);
    json_open_list("built_in");
    char families[MOST_FAMILIES][24];
    const int count = gbl_builtin_families(families, MOST_FAMILIES);
    for (int i = 0; i < count; i++)
        json_text(NULL, families[i]);
    json_close();
}

/* What serves calls of an op whose size was not measured. */
static const char *otherwise(const gbl_device *device, const gbl_op *op)
{
    if (gbl_builtin_serves(gbl_family_of(device), op))
        return gbl_match_name(GBL_MATCH_BUILT_IN);
    /* The model ranks kernels only. */
    return device->props.is_host ? "order" : gbl_match_name(GBL_MATCH_MODEL);
}

static void print_ops(const gbl_device *device, const buckets *all)
{
    char text[2048] = "";
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        const int count = count_of(all, *op);
        const size_t used = strlen(text);
        if (count > 0)
            snprintf(text + used, sizeof text - used, "%s%s %d", used > 0 ? ", " : "", (*op)->stem,
                     count);
    }
    printf("  %-12s ", device->info.name);
    if (text[0] == '\0')
        printf("nothing measured yet: `gable tune` measures\n");
    else
        terminal_paragraph(15, "exact size buckets: ", 0, text);
}

static void write_ops(const gbl_device *device, const buckets *all)
{
    char device_class[128];
    gbl_device_class(device, device_class, sizeof device_class);
    json_text("device_class", device_class);
    json_open_list("ops");
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        json_open(NULL);
        json_text("op", (*op)->stem);
        json_integer("exact_buckets", count_of(all, *op));
        json_text("otherwise", otherwise(device, *op));
        json_close();
    }
    json_close();
}

void info_tuning(bool json, const char *device)
{
    gbl_database_state state;
    gable_context *ctx = NULL;
    buckets all = {0};
    /* Opening makes the ops known; without it all lines would be unknown. */
    const bool opened = gable_open(&ctx, device) == GABLE_OK;
    gbl_database_describe(&state);
    if (opened) {
        gbl_database_visit(NULL, ctx->device, collect, &all);
        if (all.count > 0)
            qsort(all.list, all.count, sizeof all.list[0], compare);
    }
    if (json) {
        json_open("tuning");
        write_state(&state);
        if (opened)
            write_ops(ctx->device, &all);
        json_close();
    } else {
        printf("\ntuning\n");
        print_state(&state);
        if (opened)
            print_ops(ctx->device, &all);
    }
    free(all.list);
    gable_close(ctx);
}
