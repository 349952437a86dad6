/* case_words.c: sizes, flags and precisions as subcommands take them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "case_words.h"

case_kind case_kind_of(const bench_op *op)
{
    const bool many = bench_op_takes(op, GBL_BATCH);
    if (bench_op_is_product(op))
        return many ? CASE_PRODUCTS : CASE_PRODUCT;
    if (many)
        return CASE_BATCH;
    if (bench_op_takes_band(op))
        return CASE_BAND;
    return bench_op_has_matrix(op) ? CASE_MATRIX : CASE_VECTORS;
}

int case_words_sizes(const args_command *command, const char *list, bench_sizes *sizes)
{
    sizes->count = 0;
    for (const char *at = list;; at++) {
        const char *end = at;
        if (sizes->count == BENCH_MAX_SIZES)
            return args_refuse(command, "--size takes at most %d sizes", BENCH_MAX_SIZES);
        if (!bench_size_read(at, &sizes->size[sizes->count], &end) || (*end != ',' && *end != '\0'))
            return args_refuse(
                command,
                "--size has \"%s\"; sizes are positive whole numbers such as "
                "1000,1e6, or 1e6x8 for ops of several vectors, a matrix or a band, or "
                "16x16x1e6 for ops of many matrices, or 512x64x256 for products",
                list);
        sizes->count++;
        if (*end == '\0')
            return EXIT_DONE;
        at = end;
    }
}

int case_words_precisions(const args_command *command, const char *text, unsigned *dtypes)
{
    static const char letters[] = "sdcz";
    *dtypes = 0;
    for (const char *letter = text; *letter != '\0'; letter++) {
        const char *at = strchr(letters, *letter);
        if (at == NULL)
            return args_refuse(command,
                               "--prec has \"%s\"; it takes some of the letters s, d, c, z", text);
        *dtypes |= 1u << (at - letters);
    }
    return EXIT_DONE;
}

static unsigned bits_of(const char *letters)
{
    unsigned bits = 0;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        if (strchr(letters, gbl_dtype_letter((gbl_dtype)dtype)) != NULL)
            bits |= 1u << dtype;
    return bits;
}

bool case_words_op(const char *word, const char *prec, const char *usual, bench_wanted *wanted)
{
    if (!bench_op_find(word, bits_of(prec != NULL ? prec : usual), wanted))
        return false;
    if (prec == NULL && wanted->dtypes == 0)
        wanted->dtypes = bench_op_dtypes(wanted->op);
    return true;
}

int case_words_typed(const args_command *command, const char *prec, const char *const *words,
                     int count)
{
    unsigned own = 0;
    char letters[GBL_DTYPES + 1];
    for (int i = 0; i < count; i++) {
        bench_wanted wanted;
        /* A typed name has its precision whatever is asked for; a stem has none of no precisions. */
        if (!bench_op_find(words[i], 0, &wanted) || wanted.dtypes == 0)
            return EXIT_DONE;
        own |= wanted.dtypes;
    }
    if (prec == NULL || count == 0 || own == bits_of(prec))
        return EXIT_DONE;
    case_words_precision_letters(own, letters);
    return args_refuse(command,
                       "--prec is \"%s\", but %s%s of precision %s by name; leave out --prec, or "
                       "name the op without its letter",
                       prec, words[0], count > 1 ? " and the others are" : " is", letters);
}

void case_words_precision_letters(unsigned dtypes, char letters[GBL_DTYPES + 1])
{
    int used = 0;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        if (dtypes >> dtype & 1)
            letters[used++] = gbl_dtype_letter((gbl_dtype)dtype);
    letters[used] = '\0';
}

int case_words_letters(const char *list, const char *letters, int *places)
{
    int count = 0;
    for (const char *at = list;; at += 2) {
        const char *letter = *at != '\0' ? strchr(letters, *at) : NULL;
        if (letter == NULL || (at[1] != ',' && at[1] != '\0'))
            return -1;
        bool there = false;
        for (int i = 0; i < count; i++)
            there = there || places[i] == (int)(letter - letters);
        if (!there)
            places[count++] = (int)(letter - letters);
        if (at[1] == '\0')
            return count;
    }
}

/* The transposition of a letter; 0: there is none. */
static gable_trans trans_of(char letter)
{
    return letter == 'N'   ? GABLE_NO_TRANS
           : letter == 'T' ? GABLE_TRANS
           : letter == 'C' ? GABLE_CONJ_TRANS
                           : (gable_trans)0;
}

int case_words_trans(const char *list, case_trans trans[CASE_MAX_TRANS])
{
    int count = 0;
    for (const char *at = list;; at++) {
        case_trans next = {trans_of(*at), GABLE_NO_TRANS, false};
        if (next.a == 0)
            return -1;
        at++;
        if (*at != ',' && *at != '\0') {
            next.b = trans_of(*at++);
            next.pair = true;
        }
        if (next.b == 0 || (*at != ',' && *at != '\0'))
            return -1;
        bool there = false;
        for (int i = 0; i < count; i++)
            there = there || (trans[i].a == next.a && trans[i].b == next.b);
        if (!there)
            trans[count++] = next;
        if (*at == '\0')
            return count;
    }
}

bool case_words_trans_fits(const bench_op *op, const case_trans *trans, int count)
{
    for (int i = 0; i < count; i++)
        if (trans[i].pair && bench_op_takes(op, GBL_TRANS) && !bench_op_takes_pairs(op))
            return false;
    return true;
}
