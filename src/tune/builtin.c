/* builtin.c: the lines of the tuning database that the library carries.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of an op are read when it is first asked for, by the reader of the database. They count
 * whatever kernel text they were measured with; tests/tune/test_builtin.c tells which of them were
 * measured with another text.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/json_line.h"
#include "core/key.h"
#include "device/fork_guard.h"
#include "tune/builtin.h"
#include "tune/tune_line.h"

#define THROUGH_OPENCL "opencl-"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static struct {
    const gbl_op *op;
    gbl_builtin *lines;
    int count;
} known[GBL_MAX_OPS];
static int known_count;

static bool is_of_op(const char *line, const gbl_op *op)
{
    static const char start[] = "{\"op\":\"";
    const size_t length = strlen(op->stem);
    return strncmp(line, start, sizeof start - 1) == 0 &&
           strncmp(line + sizeof start - 1, op->stem, length) == 0 &&
           line[sizeof start - 1 + length] == '"';
}

/* Reads the lines of an op; without memory it has none. */
static gbl_builtin *read_lines(const gbl_op *op, int *count)
{
    int room = 0;
    *count = 0;
    for (const char *const *line = gbl_builtin_lines; *line != NULL; line++)
        room += is_of_op(*line, op);
    gbl_builtin *lines = room > 0 ? calloc((size_t)room, sizeof *lines) : NULL;
    for (const char *const *line = gbl_builtin_lines; lines != NULL && *line != NULL; line++) {
        const gbl_op *named;
        const gbl_variant *variant;
        gbl_entry entry;
        if (!is_of_op(*line, op) ||
            gbl_tune_line_read(*line, &entry, &named, &variant) != GBL_LINE_GOOD || named != op)
            continue;
        gbl_builtin *made = &lines[(*count)++];
        *made = (gbl_builtin){.variant = variant,
                              .dtype = entry.dtype,
                              .from = entry.from,
                              .upto = entry.upto,
                              .trans = entry.trans,
                              .aligned = entry.aligned,
                              .winner = entry.winner,
                              .params = entry.params,
                              .key = entry.key,
                              .at_count = entry.at_count};
        memcpy(made->at, entry.at, sizeof made->at);
        snprintf(made->family, sizeof made->family, "%.*s", (int)sizeof made->family - 1,
                 entry.device);
        memcpy(made->kernel, entry.kernel, sizeof made->kernel);
    }
    return lines;
}

const gbl_builtin *gbl_builtins(const gbl_op *op, int *count)
{
    const gbl_builtin *lines = NULL;
    *count = 0;
    pthread_mutex_lock(&lock);
    int at = 0;
    while (at < known_count && known[at].op != op)
        at++;
    if (at == known_count && known_count < GBL_MAX_OPS) {
        known[at].op = op;
        known[at].lines = read_lines(op, &known[at].count);
        known_count++;
    }
    if (at < known_count) {
        lines = known[at].lines;
        *count = known[at].count;
    }
    pthread_mutex_unlock(&lock);
    return lines;
}

static bool serves(const gbl_builtin *line, const char *family, uint64_t key)
{
    const int all = gbl_key_size(key, GBL_KEY_M) + gbl_key_size(key, GBL_KEY_N) +
                    gbl_key_size(key, GBL_KEY_K) + gbl_key_size(key, GBL_KEY_BATCH);
    const bool matrix = key >> GBL_KEY_MATRIX & 1;
    const int trans = matrix && (key >> GBL_KEY_TRANS & 1);
    const int aligned = matrix && (key >> GBL_KEY_ALIGNED & 1);
    if (matrix && (key >> GBL_KEY_MATH & 1)) /* measured with plain sums, all of them */
        return false;
    return line->at_count == 0 && line->dtype == gbl_key_dtype(key) &&
           line->from <= gbl_key_size(key, GBL_KEY_M) && (line->upto < 0 || all <= line->upto) &&
           (line->trans < 0 || line->trans == trans) &&
           (line->aligned < 0 || line->aligned == aligned) && strcmp(line->family, family) == 0;
}

/* The rest of a family's name behind "opencl-", or NULL. */
static const char *without_opencl(const char *family)
{
    const size_t length = strlen(THROUGH_OPENCL);
    return strncmp(family, THROUGH_OPENCL, length) == 0 ? family + length : NULL;
}

/* ---- Lines for sizes nearby ---- */

#define FAR_RANKS  1                    /* eighths of an octave: lines stand at quarters */
#define MANY_RANKS (3 * GBL_RANK_STEPS) /* of how many matrices there are */

_Static_assert(GBL_BUILTIN_SIZES == GBL_ENTRY_SIZES, "a line has as many sizes as its text");

gbl_builtin_query gbl_builtin_ask(const gbl_op *op, uint64_t key, const void *call)
{
    gbl_builtin_query query = {.op = op, .key = key};
    for (int i = 0; call != NULL && i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (operand->kind != GBL_SIZE && operand->kind != GBL_ORDER && operand->kind != GBL_WIDTH &&
            operand->kind != GBL_BATCH)
            continue;
        if (query.count == GBL_BUILTIN_SIZES)
            return (gbl_builtin_query){.op = op, .key = key};
        memcpy(&query.sizes[query.count++], (const char *)call + operand->at, sizeof(int64_t));
        query.many = operand->kind == GBL_BATCH;
    }
    return query;
}

int gbl_builtin_distance(const gbl_builtin *line, const gbl_builtin_query *query)
{
    int sum = 0;
    if (line->at_count == 0 || line->at_count != query->count ||
        ((line->key ^ query->key) & GBL_KEY_KIND_BITS) != 0)
        return -1;
    for (int i = 0; i < query->count; i++) {
        const int64_t apart =
            (int64_t)gbl_size_rank(query->sizes[i]) - (int64_t)gbl_size_rank(line->at[i]);
        const bool many = query->many && i == query->count - 1;
        const int64_t far = apart < 0 ? -apart : apart;
        if (far > (many ? MANY_RANKS : FAR_RANKS))
            return -1;
        sum += (int)far;
    }
    return sum;
}

static const gbl_builtin *nearest(const char *family, const gbl_builtin_query *query,
                                  const gbl_variant *variant, uint64_t fitting)
{
    const gbl_builtin *found = NULL;
    int count, least = -1;
    const gbl_builtin *lines = gbl_builtins(query->op, &count);
    for (int i = 0; i < count; i++) {
        const gbl_builtin *line = &lines[i];
        const bool wanted =
            variant != NULL
                ? line->variant == variant
                : line->winner && (fitting >> (line->variant - query->op->variants) & 1);
        const int far =
            wanted && strcmp(line->family, family) == 0 ? gbl_builtin_distance(line, query) : -1;
        if (far < 0 || (least >= 0 && far > least))
            continue;
        found = line;
        least = far;
    }
    return found;
}

/* ---- Finding ---- */

const gbl_builtin *gbl_builtin_find(const char *family, const gbl_variant *variant,
                                    const gbl_builtin_query *query)
{
    const gbl_builtin *found = NULL;
    int count;
    const gbl_builtin *lines = gbl_builtins(query->op, &count);
    for (; found == NULL && family != NULL; family = without_opencl(family)) {
        found = nearest(family, query, variant, 0);
        for (int i = count - 1; found == NULL && i >= 0; i--)
            if (lines[i].variant == variant && serves(&lines[i], family, query->key))
                found = &lines[i];
    }
    return found;
}

const gbl_builtin *gbl_builtin_winner(const char *family, uint64_t fitting,
                                      const gbl_builtin_query *query)
{
    const gbl_builtin *found = NULL;
    int count;
    const gbl_builtin *lines = gbl_builtins(query->op, &count);
    for (; found == NULL && family != NULL; family = without_opencl(family)) {
        found = nearest(family, query, NULL, fitting);
        for (int i = count - 1; found == NULL && i >= 0; i--)
            if (lines[i].winner && fitting >> (lines[i].variant - query->op->variants) & 1 &&
                serves(&lines[i], family, query->key))
                found = &lines[i];
    }
    return found;
}

bool gbl_builtin_serves(const char *family, const gbl_op *op)
{
    int count;
    const gbl_builtin *lines = gbl_builtins(op, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(lines[i].family, family) == 0)
            return true;
    return false;
}

int gbl_builtin_families(char names[][24], int most)
{
    int families = 0;
    for (const char *const *line = gbl_builtin_lines; *line != NULL; line++) {
        char family[24];
        int at = 0;
        if (!gbl_json_text(*line, "device", family, sizeof family))
            continue;
        while (at < families && strcmp(names[at], family) != 0)
            at++;
        if (at == families && families < most)
            memcpy(names[families++], family, sizeof family);
    }
    return families;
}
