/* tune_line.c: one measurement as one line of the tuning database.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/json_line.h"
#include "core/key.h"
#include "core/number_text.h"
#include "tune/tune_line.h"

#define WRONG_ERROR 1e30 /* stands for infinity, which JSON has no word for */

/* ---- Writing ---- */

typedef struct line_writer {
    char *text;
    size_t used, room; /* a text that has no room is seen by used >= room */
} line_writer;

static void put(line_writer *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (out->used++ + 1 < out->room)
            out->text[out->used - 1] = *text;
}

static void put_name(line_writer *out, const char *name)
{
    put(out, out->used > 1 ? ",\"" : "\"");
    put(out, name);
    put(out, "\":");
}

static void put_text(line_writer *out, const char *name, const char *text)
{
    put_name(out, name);
    put(out, "\"");
    for (; *text != '\0'; text++) {
        const char letter[] = {(unsigned char)*text < ' ' ? ' ' : *text, '\0'};
        if (*text == '"' || *text == '\\')
            put(out, "\\");
        put(out, letter);
    }
    put(out, "\"");
}

static void put_number(line_writer *out, const char *name, double value)
{
    char text[GBL_NUMBER_BYTES];
    put_name(out, name);
    put(out, gbl_number_write(value, 9, text));
}

/* The words for the flags of a key. */
typedef struct flag_word {
    const char *word;
    int bit;
} flag_word;
#define FLAG(NAME, word, bit) {#word, bit},
static const flag_word vector_flags[] = {GBL_KEY_VECTOR_FLAGS(FLAG){NULL, 0}};
static const flag_word matrix_flags[] = {GBL_KEY_MATRIX_FLAGS(FLAG){NULL, 0}};
#undef FLAG

/* What the key says, for readers. */
static void put_key(line_writer *out, uint64_t key)
{
    const bool matrix = key >> GBL_KEY_MATRIX & 1;
    const int second = gbl_key_size(key, GBL_KEY_N), batch = gbl_key_size(key, GBL_KEY_BATCH);
    char text[96];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)key);
    put_text(out, "key", text);
    put_number(out, matrix ? "m" : "n", gbl_key_size(key, GBL_KEY_M));
    if (matrix || second != 0)
        put_number(out, matrix ? "n" : "k", second);
    if (batch != 0)
        put_number(out, "batch", batch);
    text[0] = '\0';
    for (const flag_word *flag = matrix ? matrix_flags : vector_flags; flag->word != NULL; flag++) {
        if (key >> flag->bit & 1) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? " " : "", flag->word);
        }
    }
    put_text(out, "flags", text);
}

static double finite_or(double value, double otherwise)
{
    return isfinite(value) ? value : otherwise;
}

bool gbl_tune_line_write(const gbl_entry *entry, char line[GBL_TUNE_LINE_BYTES])
{
    const gbl_op *op = gbl_op_find(entry->op);
    const gbl_variant *variant = op != NULL ? gbl_variant_find(op, entry->variant) : NULL;
    if (variant == NULL)
        return false;
    line_writer out = {line, 0, GBL_TUNE_LINE_BYTES};
    char params[256] = "";
    for (int i = 0; i < variant->space_count; i++)
        snprintf(params + strlen(params), sizeof params - strlen(params), "%s%s=%d",
                 i > 0 ? ":" : "", variant->space[i].name, (int)entry->params.value[i]);
    const char prec[] = {gbl_dtype_letter(entry->dtype), '\0'};
    put(&out, "{");
    put_text(&out, "op", entry->op);
    put_text(&out, "prec", prec);
    put_text(&out, "variant", entry->variant);
    put_text(&out, "params", params);
    put_key(&out, entry->key);
    put_number(&out, "usec", finite_or(entry->usec, 0));
    put_number(&out, "spread", finite_or(entry->spread, 0));
    if (isnan(entry->error)) {
        put_name(&out, "error");
        put(&out, "null");
    } else {
        put_number(&out, "error", finite_or(entry->error, WRONG_ERROR));
    }
    put_number(&out, "runs", entry->runs);
    put_name(&out, "winner");
    put(&out, entry->winner ? "true" : "false");
    if (entry->old_usec > 0)
        put_number(&out, "old_usec", finite_or(entry->old_usec, 0));
    if (entry->size[0] != '\0')
        put_text(&out, "size", entry->size);
    put_text(&out, "kernel", entry->kernel);
    put_text(&out, "device", entry->device);
    put_text(&out, "date", entry->date);
    put_text(&out, "version", entry->version);
    put(&out, "}\n");
    if (out.used >= out.room)
        return false;
    line[out.used] = '\0';
    return true;
}

/* ---- Reading ---- */

/* What a line must have, by bit. */
enum {
    HAS_OP = 1,
    HAS_PREC = 2,
    HAS_VARIANT = 4,
    HAS_PARAMS = 8,
    HAS_KEY = 16,
    HAS_USEC = 32,
    HAS_ERROR = 64,
    HAS_KERNEL = 128,
    HAS_DEVICE = 256,
    HAS_FROM = 512, /* of lines that the library carries, instead of a key, a time and an error */
    HAS_AT = 1024,  /* of those of them that serve sizes nearby: with a key, which says the flags */
    HAS_ALL = 511,
    HAS_CARRIED = (HAS_ALL & ~(HAS_KEY | HAS_USEC | HAS_ERROR)) | HAS_FROM,
    HAS_NEARBY = (HAS_ALL & ~(HAS_USEC | HAS_ERROR)) | HAS_AT
};

typedef struct line_parts {
    unsigned has;
    char op[64], variant[64], params[256];
} line_parts;

static bool read_key(const char *value, uint64_t *key)
{
    char text[24], *end;
    if (!gbl_json_text(value, "", text, sizeof text) || strncmp(text, "0x", 2) != 0)
        return false;
    errno = 0;
    *key = strtoull(text + 2, &end, 16);
    return errno == 0 && *end == '\0' && strspn(text + 2, "0123456789abcdef") == strlen(text + 2) &&
           end != text + 2;
}

static bool read_dtype(const char *value, gbl_dtype *dtype)
{
    char text[4];
    if (!gbl_json_text(value, "", text, sizeof text) || strlen(text) != 1)
        return false;
    for (int i = 0; i < GBL_DTYPES; i++) {
        if (gbl_dtype_letter((gbl_dtype)i) == text[0]) {
            *dtype = (gbl_dtype)i;
            return true;
        }
    }
    return false;
}

/* "777x333x1500" */
static bool read_sizes(const char *value, gbl_entry *entry)
{
    char text[96], *end = text;
    if (!gbl_json_text(value, "", text, sizeof text))
        return false;
    for (entry->at_count = 0; entry->at_count < GBL_ENTRY_SIZES; end++) {
        const long long size = *end >= '0' && *end <= '9' ? strtoll(end, &end, 10) : 0;
        if (size < 1)
            return false;
        entry->at[entry->at_count++] = size;
        if (*end == '\0')
            return true;
        if (*end != 'x')
            return false;
    }
    return false;
}

static bool read_amount(const char *value, double *amount)
{
    return gbl_json_number(value, "", amount) && *amount >= 0;
}

/* One member; false: it is known and wrong. An unknown one is for later libraries. */
static bool read_member(const char *name, const char *value, gbl_entry *entry, line_parts *parts)
{
    const struct {
        const char *name;
        unsigned bit;
        char *text;
        size_t bytes;
    } texts[] = {
        {.name = "op", .bit = HAS_OP, .text = parts->op, .bytes = sizeof parts->op},
        {.name = "variant",
         .bit = HAS_VARIANT,
         .text = parts->variant,
         .bytes = sizeof parts->variant},
        {.name = "params", .bit = HAS_PARAMS, .text = parts->params, .bytes = sizeof parts->params},
        {.name = "kernel", .bit = HAS_KERNEL, .text = entry->kernel, .bytes = sizeof entry->kernel},
        {.name = "device", .bit = HAS_DEVICE, .text = entry->device, .bytes = sizeof entry->device},
        {.name = "size", .text = entry->size, .bytes = sizeof entry->size},
        {.name = "date", .text = entry->date, .bytes = sizeof entry->date},
        {.name = "version", .text = entry->version, .bytes = sizeof entry->version},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(name, texts[i].name) == 0) {
            parts->has |= texts[i].bit;
            return gbl_json_text(value, "", texts[i].text, texts[i].bytes);
        }
    }
    double runs;
    if (strcmp(name, "prec") == 0) {
        parts->has |= HAS_PREC;
        return read_dtype(value, &entry->dtype);
    }
    if (strcmp(name, "key") == 0) {
        parts->has |= HAS_KEY;
        return read_key(value, &entry->key);
    }
    if (strcmp(name, "at") == 0) {
        parts->has |= HAS_AT;
        return read_sizes(value, entry);
    }
    if (strcmp(name, "usec") == 0) {
        parts->has |= HAS_USEC;
        return read_amount(value, &entry->usec) && entry->usec > 0;
    }
    if (strcmp(name, "error") == 0) {
        parts->has |= HAS_ERROR;
        entry->error = NAN;
        return strncmp(value, "null", 4) == 0 || read_amount(value, &entry->error);
    }
    const struct {
        const char *name;
        unsigned bit;
        int *number;
        double most;
    } numbers[] = {
        {"from", HAS_FROM, &entry->from, 63},
        {"upto", 0, &entry->upto, 255},
        {"trans", 0, &entry->trans, 1},
        {"aligned", 0, &entry->aligned, 1},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        double number;
        if (strcmp(name, numbers[i].name) != 0)
            continue;
        parts->has |= numbers[i].bit;
        if (!read_amount(value, &number) || number > numbers[i].most)
            return false;
        *numbers[i].number = (int)number;
        return true;
    }
    if (strcmp(name, "old_usec") == 0)
        return read_amount(value, &entry->old_usec);
    if (strcmp(name, "spread") == 0)
        return read_amount(value, &entry->spread);
    if (strcmp(name, "runs") == 0) {
        if (!read_amount(value, &runs) || runs > 1e9)
            return false;
        entry->runs = (int)runs;
    }
    if (strcmp(name, "winner") == 0) {
        entry->winner = strncmp(value, "true", 4) == 0;
        return entry->winner || strncmp(value, "false", 5) == 0;
    }
    return true;
}

/* "items=256:wx=8" by the variant's space; a tunable that is not named has its fallback. */
static gbl_line_kind read_params(const char *text, const gbl_variant *variant, gbl_params *params)
{
    gbl_params_fallback(variant, params);
    while (*text != '\0') {
        const size_t length = strcspn(text, "=:");
        char name[32], *end;
        if (length == 0 || length >= sizeof name || text[length] != '=')
            return GBL_LINE_BAD;
        memcpy(name, text, length);
        name[length] = '\0';
        text += length + 1;
        const long value = strtol(text, &end, 10);
        if (end == text || (*end != ':' && *end != '\0'))
            return GBL_LINE_BAD;
        const int index = gbl_param_index(variant, name);
        if (index < 0)
            return GBL_LINE_UNKNOWN;
        const gbl_param *param = &variant->space[index];
        int at = 0;
        while (at < param->count && param->values[at] != value)
            at++;
        if (at == param->count)
            return GBL_LINE_UNKNOWN;
        params->value[index] = (int32_t)value;
        text = end + (*end == ':');
    }
    return GBL_LINE_GOOD;
}

gbl_line_kind gbl_tune_line_read(const char *line, gbl_entry *entry, const gbl_op **op,
                                 const gbl_variant **variant)
{
    line_parts parts = {0};
    char name[64];
    memset(entry, 0, sizeof *entry);
    entry->from = entry->upto = entry->trans = entry->aligned = -1;
    *op = NULL;
    *variant = NULL;
    if (!gbl_json_valid(line))
        return GBL_LINE_BAD;
    for (const char *value = NULL; gbl_json_next(line, "", &value, name, sizeof name);)
        if (!read_member(name, value, entry, &parts))
            return GBL_LINE_BAD;
    const bool keyed = gbl_key_dtype(entry->key) == entry->dtype,
               measured = parts.has == HAS_ALL && keyed,
               nearby = (parts.has & ~HAS_USEC) == HAS_NEARBY && keyed;
    if (!measured && !nearby && parts.has != HAS_CARRIED)
        return GBL_LINE_BAD;

    snprintf(entry->op, sizeof entry->op, "%.*s", (int)sizeof entry->op - 1, parts.op);
    *op = gbl_op_find(parts.op);
    *variant = *op != NULL ? gbl_variant_find(*op, parts.variant) : NULL;
    /* A former name becomes today's: whoever compares or writes the entry sees no other. */
    snprintf(entry->variant, sizeof entry->variant, "%.*s", (int)sizeof entry->variant - 1,
             *variant != NULL ? (*variant)->name : parts.variant);
    if (*variant == NULL)
        return GBL_LINE_UNKNOWN;
    entry->param_count = (*variant)->space_count;
    return read_params(parts.params, *variant, &entry->params);
}
