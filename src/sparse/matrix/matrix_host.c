/* matrix_host.c: compressed rows on the host, made from what a caller gives.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays are checked first, each entry once, by several threads; of several faults the one at the
 * smallest place is told, whatever the number of threads. Where columns rise in every row, nothing
 * comes twice and indices count from 0, the caller's arrays serve as they are. Else entries are
 * sorted: by rows through counting, within a row by merging, both of which keep the order of
 * equals, so that entries with one place are added in the order given.
 */
#include <stdlib.h>
#include <string.h>
#include "device/cpu_team.h"
#include "device/host_memory.h"
#include "sparse/matrix/sparse_host.h"

gable_status gbl_sparse_room(gable_context *ctx, int64_t count, size_t bytes, void **room)
{
    const size_t least = count > 0 ? (size_t)count : 1;
    *room = least <= SIZE_MAX / bytes ? malloc(least * bytes) : NULL;
    if (*room == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for %lld elements of %zu bytes", (long long)count, bytes);
    return GABLE_OK;
}

gable_status gbl_sparse_check_memory(gable_context *ctx, const char *name,
                                     const gbl_sparse_source *source, double beside)
{
    const double rows = (double)source->rows + 1, entries = (double)source->entries;
    const double index = source->index_bits / 8, elem = (double)gbl_dtype_bytes(source->dtype);
    /* Sorting takes two numbers per row and per entry, its result an index per row; the device's
     * copy is beside it. */
    const double result = index * rows + (index + elem) * entries;
    const double sorting = 16 * rows + 16 * entries;
    const double near = ctx->device->props.is_gpu ? 0 : result;
    const double more = sorting > near ? sorting : near; /* they are not there at the same time */
    const double bytes = result + more + beside;
    const int64_t available = gbl_host_memory();
    if (bytes <= (double)available)
        return GABLE_OK;
    return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                    "%s%sa matrix of %lld rows, %lld columns and %lld entries takes %.0f bytes of "
                    "host memory to make, and %lld are available",
                    name != NULL ? name : "", name != NULL ? ": " : "", (long long)source->rows,
                    (long long)source->columns, (long long)source->entries, bytes,
                    (long long)available);
}

void gbl_sparse_host_free(gbl_sparse_host *host)
{
    for (int i = 0; i < 3; i++)
        free(host->owned[i]);
    memset(host, 0, sizeof *host);
}

/* ---- Faults ---- */

gable_status gbl_sparse_fault(gable_context *ctx, const gbl_sparse_source *source,
                              gbl_entry_fault fault, int64_t place, int64_t before, int64_t first,
                              int64_t column)
{
    const int64_t base = (source->flags & GABLE_SPARSE_ONE_BASED) != 0;
    const char *from = base ? ", counted from 1" : "";
    const long long at = place, given = first, rows = source->rows;
    gbl_message *message = &ctx->message;
    switch (fault) {
    case GBL_FAULT_START:
        if (place == 0)
            return gbl_fail(message, GABLE_BAD_ARGUMENT,
                            "argument 6 (start): element 0 is %lld; it must be %lld", given,
                            (long long)base);
        if (first >= before)
            return gbl_fail(
                message, GABLE_BAD_ARGUMENT,
                "argument 6 (start): element %lld, the last, is %lld; it must be %lld, the "
                "number of entries%s",
                at, given, (long long)(source->entries + base), base ? " plus 1" : "");
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "argument 6 (start): element %lld is %lld, less than the %lld before it",
                        at, given, (long long)before);
    case GBL_FAULT_ROW:
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "argument 6 (row): entry %lld is row %lld of a matrix with %lld rows%s", at,
                        given, rows, from);
    case GBL_FAULT_COLUMN:
        return gbl_fail(
            message, GABLE_BAD_ARGUMENT,
            "argument 7 (column): entry %lld is column %lld of a matrix with %lld columns%s", at,
            (long long)column, (long long)source->columns, from);
    default:
        return gbl_fail(message, GABLE_BAD_ARGUMENT,
                        "argument 7 (column): entry %lld is row %lld, column %lld, as an entry "
                        "before it; GABLE_SPARSE_SUM adds such entries",
                        at, given, (long long)column);
    }
}

/* ---- Looking at every element once ---- */

/* What one pass finds, each the smallest place; INT64_MAX: none. */
typedef struct finding {
    int64_t start, row, column; /* out of range, or falling */
    int64_t unsorted;           /* in front of which a larger or the same column stands */
    int64_t longest;
} finding;

typedef struct scan {
    const gbl_sparse_source *source;
    int bytes;
    int64_t base;
    finding found[GBL_CPU_MAX_PIECES];
} scan;

static const finding nothing = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, 0};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* a - b for any two numbers: what does not fit is out of every range. */
static int64_t less(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static void scan_starts(void *job, int piece, int64_t begin, int64_t end)
{
    scan *s = job;
    finding found = nothing;
    for (int64_t i = begin; i < end && found.start == INT64_MAX; i++) {
        const int64_t from = gbl_index_get(s->source->first, s->bytes, i),
                      to = gbl_index_get(s->source->first, s->bytes, i + 1);
        if (i == 0 && from != s->base)
            found.start = 0;
        else if (to < from || (i == s->source->rows - 1 && to != s->source->entries + s->base))
            found.start = i + 1;
        else if (less(to, from) > found.longest)
            found.longest = less(to, from);
    }
    s->found[piece] = found;
}

/* Row by row: starts are known to rise. */
static void scan_columns(void *job, int piece, int64_t begin, int64_t end)
{
    scan *s = job;
    finding found = nothing;
    for (int64_t i = begin; i < end; i++) {
        const int64_t from = gbl_index_get(s->source->first, s->bytes, i) - s->base,
                      to = gbl_index_get(s->source->first, s->bytes, i + 1) - s->base;
        int64_t before = -1;
        for (int64_t e = from; e < to; e++) {
            const int64_t column = less(gbl_index_get(s->source->column, s->bytes, e), s->base);
            if (column < 0 || column >= s->source->columns)
                found.column = smaller(found.column, e);
            if (column <= before)
                found.unsorted = smaller(found.unsorted, e);
            before = column;
        }
    }
    s->found[piece] = found;
}

static void scan_entries(void *job, int piece, int64_t begin, int64_t end)
{
    scan *s = job;
    finding found = nothing;
    for (int64_t e = begin; e < end; e++) {
        const int64_t row = less(gbl_index_get(s->source->first, s->bytes, e), s->base),
                      column = less(gbl_index_get(s->source->column, s->bytes, e), s->base);
        if (row < 0 || row >= s->source->rows)
            found.row = smaller(found.row, e);
        if (column < 0 || column >= s->source->columns)
            found.column = smaller(found.column, e);
    }
    s->found[piece] = found;
}

static finding look(scan *s, gbl_cpu_piece_function pass, int64_t n)
{
    finding all = nothing;
    const int pieces = gbl_cpu_share(n, s->bytes, 8 * s->bytes, pass, s);
    for (int i = 0; i < pieces; i++) {
        all.start = smaller(all.start, s->found[i].start);
        all.row = smaller(all.row, s->found[i].row);
        all.column = smaller(all.column, s->found[i].column);
        all.unsorted = smaller(all.unsorted, s->found[i].unsorted);
        all.longest = s->found[i].longest > all.longest ? s->found[i].longest : all.longest;
    }
    return all;
}

/* The message of a fault, with what stands at its place. */
static gable_status refuse(gable_context *ctx, const scan *s, gbl_entry_fault fault, int64_t place)
{
    const gbl_sparse_source *source = s->source;
    const bool start = fault == GBL_FAULT_START;
    /* A place is that of an entry elsewhere, and starts are not as many. */
    const int64_t before =
        start && place > 0 ? gbl_index_get(source->first, s->bytes, place - 1) : 0;
    return gbl_sparse_fault(
        ctx, source, fault, place, before,
        start || source->coordinates ? gbl_index_get(source->first, s->bytes, place) : 0,
        start ? 0 : gbl_index_get(source->column, s->bytes, place));
}

/* Compressed rows without a row have one start, which no pass over rows sees. */
static gable_status check_only_start(gable_context *ctx, const scan *s)
{
    const int64_t given = gbl_index_get(s->source->first, s->bytes, 0);
    if (given != s->base)
        return refuse(ctx, s, GBL_FAULT_START, 0);
    if (s->source->entries > 0)
        return gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT,
                        "argument 4 (entries) is %lld; a matrix without rows has none",
                        (long long)s->source->entries);
    return GABLE_OK;
}

/* ---- Sorting ---- */

/* The entries of one row, to be sorted by column: places in the source. */
typedef struct sorting {
    scan *s;
    int64_t *start;           /* of rows, among the places */
    int64_t *place, *scratch; /* of entries, sorted by row; as many again */
    int64_t *kept;            /* of each row: entries that are left when duplicates are added */
    int64_t twice[GBL_CPU_MAX_PIECES];
} sorting;

/* Merges runs of 1, 2, 4 ... places by column; equals keep their order. The result is where `list`
 * was. */
static void sort_row(const scan *s, int64_t *list, int64_t *scratch, int64_t count)
{
    const void *column = s->source->column;
    int64_t *from = list, *to = scratch;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * width) {
            const int64_t middle = smaller(begin + width, count),
                          end = smaller(begin + 2 * width, count);
            int64_t a = begin, b = middle;
            for (int64_t k = begin; k < end; k++) {
                const bool left =
                    a < middle && (b >= end || gbl_index_get(column, s->bytes, from[a]) <=
                                                   gbl_index_get(column, s->bytes, from[b]));
                to[k] = left ? from[a++] : from[b++];
            }
        }
        int64_t *other = from;
        from = to;
        to = other;
    }
    if (from != list && count > 0)
        memcpy(list, from, (size_t)count * sizeof *list);
}

static bool is_sorted(const scan *s, const int64_t *list, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        if (gbl_index_get(s->source->column, s->bytes, list[k]) <
            gbl_index_get(s->source->column, s->bytes, list[k - 1]))
            return false;
    return true;
}

static void sort_rows(void *job, int piece, int64_t begin, int64_t end)
{
    sorting *t = job;
    const scan *s = t->s;
    int64_t twice = INT64_MAX;
    for (int64_t i = begin; i < end; i++) {
        int64_t *list = t->place + t->start[i];
        const int64_t count = t->start[i + 1] - t->start[i];
        if (!is_sorted(s, list, count))
            sort_row(s, list, t->scratch + t->start[i], count);
        int64_t kept = count > 0;
        for (int64_t k = 1; k < count; k++) {
            const bool same = gbl_index_get(s->source->column, s->bytes, list[k]) ==
                              gbl_index_get(s->source->column, s->bytes, list[k - 1]);
            kept += !same;
            if (same)
                twice = smaller(twice, list[k]);
        }
        t->kept[i] = kept;
    }
    t->twice[piece] = twice;
}

static void add_value(gbl_dtype dtype, void *sum, int64_t to, const void *values, int64_t from)
{
    switch (dtype) {
    case GBL_S:
        ((float *)sum)[to] += ((const float *)values)[from];
        break;
    case GBL_D:
        ((double *)sum)[to] += ((const double *)values)[from];
        break;
    case GBL_C:
        ((gable_cfloat *)sum)[to].re += ((const gable_cfloat *)values)[from].re;
        ((gable_cfloat *)sum)[to].im += ((const gable_cfloat *)values)[from].im;
        break;
    default:
        ((gable_cdouble *)sum)[to].re += ((const gable_cdouble *)values)[from].re;
        ((gable_cdouble *)sum)[to].im += ((const gable_cdouble *)values)[from].im;
    }
}

/* Writes the rows where they belong: `kept` holds their starts by now. */
typedef struct writing {
    const sorting *t;
    gbl_sparse_host *host;
} writing;

static void write_rows(void *job, int piece, int64_t begin, int64_t end)
{
    const writing *w = job;
    const sorting *t = w->t;
    const gbl_sparse_source *source = t->s->source;
    const size_t elem = gbl_dtype_bytes(source->dtype);
    const int bytes = t->s->bytes;
    (void)piece;
    for (int64_t i = begin; i < end; i++) {
        int64_t to = t->kept[i], before = -1;
        gbl_index_put(w->host->owned[0], bytes, i, to);
        for (int64_t k = t->start[i]; k < t->start[i + 1]; k++) {
            const int64_t place = t->place[k],
                          column = gbl_index_get(source->column, bytes, place) - t->s->base;
            if (column == before) {
                add_value(source->dtype, w->host->owned[2], to - 1, source->values, place);
                continue;
            }
            gbl_index_put(w->host->owned[1], bytes, to, column);
            gbl_value_move(w->host->owned[2], to, source->values, place, elem);
            before = column;
            to++;
        }
    }
}

/* Starts of rows, and the places of entries sorted by row in the order given. */
static void sort_by_row(sorting *t)
{
    const scan *s = t->s;
    const gbl_sparse_source *source = s->source;
    if (!source->coordinates) {
        for (int64_t i = 0; i <= source->rows; i++)
            t->start[i] = gbl_index_get(source->first, s->bytes, i) - s->base;
        for (int64_t e = 0; e < source->entries; e++)
            t->place[e] = e;
        return;
    }
    memset(t->start, 0, (size_t)(source->rows + 1) * sizeof *t->start);
    for (int64_t e = 0; e < source->entries; e++)
        t->start[gbl_index_get(source->first, s->bytes, e) - s->base + 1]++;
    for (int64_t i = 0; i < source->rows; i++)
        t->start[i + 1] += t->start[i];
    /* `kept` has rows + 1 elements and is free until the rows are sorted. */
    memcpy(t->kept, t->start, (size_t)(source->rows + 1) * sizeof *t->kept);
    for (int64_t e = 0; e < source->entries; e++)
        t->place[t->kept[gbl_index_get(source->first, s->bytes, e) - s->base]++] = e;
}

static gable_status sorted_rows(gable_context *ctx, sorting *t, gbl_sparse_host *host)
{
    const gbl_sparse_source *source = t->s->source;
    sort_by_row(t);
    const int pieces = gbl_cpu_share(
        source->rows, 8, 64 + 64 * (source->entries / (source->rows + 1)), sort_rows, t);
    int64_t twice = INT64_MAX;
    for (int i = 0; i < pieces; i++)
        twice = smaller(twice, t->twice[i]);
    if (twice != INT64_MAX && !(source->flags & GABLE_SPARSE_SUM)) {
        int64_t row = 0;
        while (!source->coordinates && t->start[row + 1] <= twice)
            row++;
        return gbl_sparse_fault(ctx, source, GBL_FAULT_TWICE, twice, 0,
                                source->coordinates
                                    ? gbl_index_get(source->first, t->s->bytes, twice)
                                    : row + t->s->base,
                                gbl_index_get(source->column, t->s->bytes, twice));
    }

    int64_t total = 0;
    for (int64_t i = 0; i < source->rows; i++) {
        const int64_t kept = t->kept[i];
        host->longest = kept > host->longest ? kept : host->longest;
        t->kept[i] = total;
        total += kept;
    }
    host->entries = total;
    TRY(gbl_sparse_room(ctx, source->rows + 1, (size_t)t->s->bytes, &host->owned[0]));
    TRY(gbl_sparse_room(ctx, total, (size_t)t->s->bytes, &host->owned[1]));
    TRY(gbl_sparse_room(ctx, total, gbl_dtype_bytes(source->dtype), &host->owned[2]));
    writing w = {t, host};
    gbl_index_put(host->owned[0], t->s->bytes, source->rows, total);
    gbl_cpu_share(source->rows, 8, 64 + 32 * (source->entries / (source->rows + 1)), write_rows,
                  &w);
    host->start = host->owned[0];
    host->column = host->owned[1];
    host->values = host->owned[2];
    return GABLE_OK;
}

static gable_status sort_entries(gable_context *ctx, scan *s, gbl_sparse_host *host)
{
    const gbl_sparse_source *source = s->source;
    sorting *t = NULL;
    void *room = NULL;
    TRY(gbl_sparse_check_memory(ctx, NULL, source, 0));
    gable_status status = gbl_sparse_room(ctx, 1, sizeof *t, &room);
    if (status != GABLE_OK)
        return status;
    t = room;
    *t = (sorting){.s = s};
    void *parts[4] = {NULL, NULL, NULL, NULL};
    const int64_t counts[4] = {source->rows + 1, source->entries, source->entries,
                               source->rows + 1};
    for (int i = 0; i < 4 && status == GABLE_OK; i++)
        status = gbl_sparse_room(ctx, counts[i], sizeof(int64_t), &parts[i]);
    t->start = parts[0];
    t->place = parts[1];
    t->scratch = parts[2];
    t->kept = parts[3];
    if (status == GABLE_OK)
        status = sorted_rows(ctx, t, host);
    for (int i = 0; i < 4; i++)
        free(parts[i]);
    free(t);
    return status;
}

/* ---- All together ---- */

static gable_status make(gable_context *ctx, scan *s, gbl_sparse_host *host)
{
    const gbl_sparse_source *source = s->source;
    if (source->coordinates) {
        const finding found = look(s, scan_entries, source->entries);
        const bool row_first = found.row <= found.column;
        if (found.row != INT64_MAX && row_first)
            return refuse(ctx, s, GBL_FAULT_ROW, found.row);
        if (found.column != INT64_MAX)
            return refuse(ctx, s, GBL_FAULT_COLUMN, found.column);
        return sort_entries(ctx, s, host);
    }
    if (source->rows == 0)
        TRY(check_only_start(ctx, s));
    const finding starts = look(s, scan_starts, source->rows);
    if (starts.start != INT64_MAX)
        return refuse(ctx, s, GBL_FAULT_START, starts.start);
    const finding columns = look(s, scan_columns, source->rows);
    if (columns.column != INT64_MAX)
        return refuse(ctx, s, GBL_FAULT_COLUMN, columns.column);
    if (columns.unsorted != INT64_MAX || s->base != 0)
        return sort_entries(ctx, s, host);
    host->longest = starts.longest;
    host->start = source->first;
    host->column = source->column;
    host->values = source->values;
    return GABLE_OK;
}

gable_status gbl_sparse_host_make(gable_context *ctx, const gbl_sparse_source *source,
                                  gbl_sparse_host *host)
{
    void *room;
    *host = (gbl_sparse_host){.dtype = source->dtype,
                              .index_bytes = source->index_bits / 8,
                              .rows = source->rows,
                              .columns = source->columns,
                              .entries = source->entries};
    TRY(gbl_sparse_room(ctx, 1, sizeof(scan), &room));
    scan *s = room;
    s->source = source;
    s->bytes = source->index_bits / 8;
    s->base = (source->flags & GABLE_SPARSE_ONE_BASED) != 0;
    const gable_status status = make(ctx, s, host);
    free(s);
    if (status != GABLE_OK)
        gbl_sparse_host_free(host);
    return status;
}
