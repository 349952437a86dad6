/* level3_shapes.c: which cases the tests of routines on two or three matrices run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes stand around the edges of tiles. Two permutations give each m two n and two k. A shape
 * comes with two or three sets of flags, and the next shape goes on with the sets behind those.
 * Where kernels compile slowly they are not optimised either, and large products of them take
 * longer than the compiler:
 * sizes end at SLOW_MOST there, but for two shapes. Each precision has one set of flags, and one
 * kind of alignment: s and c stand on aligned addresses, columns of d and z stand apart. Together
 * they have every kind.
 * A GPU's compiler takes seconds for a kernel of products, and a shape with other flags is another
 * kernel. There each precision has few sets of flags, each of them on one kind of addresses, and
 * the next precision has others.
 */
#include "harness/level3_test.h"

/* elements after which columns stand as the first one does, in every precision */
#define WHOLE       16
#define SETS_FORCED 4  /* of flags, for variants that are not the default */
#define SETS_GPU    3  /* of flags on a GPU; of forced variants one less, and of two forms */
#define APART_SET   1  /* of those: columns stand apart */
#define SLOW_LARGE  2  /* shapes of `some`, the last ones, that are larger there */
#define SLOW_MOST   66 /* rows, columns and terms of products whose kernels are not optimised */
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

const level3_form *level3_next(const routine *r, const level3_form *last)
{
    const level3_form *first = r->parts->forms;
    /* Where kernels compile slowly the symmetric form of z is left to $GABLE_TEST_ALL: c has it. */
    const bool only_last = routine_slow_compiler(r) && r->dtype == GBL_Z;
    const level3_form *next = last != NULL ? last + 1
                              : only_last  ? first + r->parts->form_count - 1
                                           : first;
    return next - first < r->parts->form_count ? next : NULL;
}

static bool takes_all(const routine *r)
{
    return r->all || r->device->props.is_host;
}

bool level3_left_out(const routine *r)
{
    if (r->variant == NULL || takes_all(r))
        return false;
    const bool rung = r->variant->rung;
    const gbl_dtype only = rung ? (gbl_dtype)((r->variant - r->op->variants) % 4) : GBL_S;
    const bool out = (rung || !routine_compiles_fast(r)) && r->dtype != only;
    if (out)
        test_leave_out(NULL, "%s %c %s of %s runs with GABLE_TEST_ALL=1 only: %s", r->op->stem,
                       r->letter, r->part, r->variant->name,
                       rung ? "another precision has this rung" : "kernels compile slowly");
    return out;
}

/* ---- Flags ---- */

/* Values of `trans` that the form takes. */
static int trans_of(const routine *r, const level3_form *f, gable_trans *list)
{
    const bool rank_k = f->kind == LEVEL3_SELF || f->kind == LEVEL3_PAIR;
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const bool wrong = rank_k && gbl_dtype_complex(r->dtype) &&
                           transposes[i] == (f->conj ? GABLE_TRANS : GABLE_CONJ_TRANS);
        if (!wrong)
            list[count++] = transposes[i];
    }
    return count;
}

static int all_sets(const routine *r, const level3_form *f)
{
    gable_trans list[3];
    int sets = 1;
    if (level3_has(f, "transa"))
        sets *= 9;
    if (level3_has(f, "trans"))
        sets *= trans_of(r, f, list);
    sets *= level3_has(f, "uplo") ? 2 : 1;
    sets *= level3_has(f, "side") ? 2 : 1;
    sets *= level3_has(f, "diag") ? 2 : 1;
    return sets;
}

int level3_flag_sets(const routine *r, const level3_form *f)
{
    const int two_forms = r->parts->form_count > 1, all = all_sets(r, f);
    const int most = routine_slow_compiler(r) ? 1
                     : routine_short_gpu(r)   ? SETS_GPU - (r->variant != NULL) - two_forms
                                              : SETS_FORCED;
    const bool few =
        routine_slow_compiler(r) || routine_short_gpu(r) || (r->variant != NULL && !takes_all(r));
    return few && all > most ? most : all;
}

/* Takes the next digit off a number. */
static int digit(int *left, int base)
{
    const int value = *left % base;
    *left /= base;
    return value;
}

/* Number i of all sets; flags that the form does not have say what its matrices are. */
static void decode(const routine *r, const level3_form *f, int i, level3_case *c)
{
    gable_trans list[3];
    const int count = trans_of(r, f, list);
    c->transa = c->transb = GABLE_NO_TRANS;
    if (level3_has(f, "transa")) {
        c->transa = transposes[digit(&i, 3)];
        c->transb = transposes[digit(&i, 3)];
    }
    if (level3_has(f, "trans"))
        c->transa = list[digit(&i, count)];
    if (level3_has(f, "uplo"))
        c->uplo = digit(&i, 2) == 0 ? GABLE_LOWER : GABLE_UPPER;
    if (level3_has(f, "side"))
        c->side = digit(&i, 2) == 0 ? GABLE_LEFT : GABLE_RIGHT;
    if (level3_has(f, "diag"))
        c->diag = digit(&i, 2) == 0 ? GABLE_NON_UNIT : GABLE_UNIT;
}

/* The only set of a precision: s has N N, lower, left, not unit. */
static void slow_flags(const routine *r, const level3_form *f, level3_case *c)
{
    static const gable_trans a[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_NO_TRANS, GABLE_CONJ_TRANS},
                             b[] = {GABLE_NO_TRANS, GABLE_NO_TRANS, GABLE_CONJ_TRANS, GABLE_TRANS},
                             one[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS,
                                      GABLE_NO_TRANS};
    gable_trans list[3];
    const int p = r->variant != NULL ? 0 : (int)r->dtype;
    decode(r, f, 0, c);
    if (level3_has(f, "transa")) {
        c->transa = a[p];
        c->transb = b[p];
    }
    if (level3_has(f, "trans")) {
        c->transa = one[p];
        if (trans_of(r, f, list) < 3 && c->transa != GABLE_NO_TRANS)
            c->transa = f->conj ? GABLE_CONJ_TRANS : GABLE_TRANS;
    }
    if (level3_has(f, "uplo"))
        c->uplo = (p == 1 || p == 2) != f->conj ? GABLE_UPPER : GABLE_LOWER;
    if (level3_has(f, "side"))
        c->side = (p % 2 == 1) != f->conj ? GABLE_RIGHT : GABLE_LEFT;
    if (level3_has(f, "diag"))
        c->diag = p == 1 || p == 3 ? GABLE_UNIT : GABLE_NON_UNIT;
}

void level3_flags(const routine *r, const level3_form *f, int i, level3_case *c)
{
    const int all = all_sets(r, f), other = routine_short_gpu(r) ? 5 * (int)r->dtype : 0;
    if (routine_slow_compiler(r))
        slow_flags(r, f, c);
    else /* 7 has no factor in common with the number of sets */
        decode(r, f, (7 * (i % level3_flag_sets(r, f)) + other) % all, c);
}

/* ---- Places ---- */

level3_case level3_sized(const routine *r, const level3_form *f, level3_case c, int which)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16, 4};
    const bool slow = routine_slow_compiler(r), as_is = takes_all(r);
    const int sets = level3_flag_sets(r, f);
    const bool apart = r->variant != NULL ? which % 2 == 1 && routine_one_architecture(r->variant)
                       : slow             ? r->dtype == GBL_D || r->dtype == GBL_Z
                       : routine_short_gpu(r) ? which % (sets > 1 ? sets : 2) == APART_SET
                                              : which % 2 == 1;
    if (!level3_has(f, "m"))
        c.m = c.n;
    if (level3_has(f, "side"))
        c.k = level3_order(&c);
    for (int w = 0; w < MATRICES; w++) {
        const int64_t rows = level3_rows(f, &c, w);
        int64_t ld = (rows > 0 ? rows : 1) + gaps[(which + (w + 1) * (which / 2)) % COUNT(gaps)];
        if (!as_is)
            ld = apart ? ld | 1 : (ld + WHOLE - 1) / WHOLE * WHOLE;
        c.ld[w] = ld;
        c.offset[w] = as_is || apart ? (which / 2 + w * which) % 4 : 0;
    }
    return c;
}

/* ---- Sizes ---- */

typedef struct sizes {
    int64_t m, n, k;
} sizes;

static const int64_t tiles[] = {1,  2,  3,  7,  8,  15,  16,  17,  31,
                                32, 33, 63, 64, 65, 127, 128, 129, 130};
/* Long sums of few elements, thin matrices, no terms, one. */
static const sizes further[] = {{1, 1, 1000}, {3, 5, 1000}, {17, 2, 1000}, {16, 16, 1000},
                                {300, 2, 40}, {2, 300, 40}, {200, 200, 3}, {5, 7, 0},
                                {40, 33, 0},  {130, 70, 1}, {1, 200, 64},  {200, 1, 64}};
static const sizes some[] = {{1, 1, 1},     {17, 9, 33},    {65, 33, 17},
                             {64, 128, 32}, {130, 129, 40}, {3, 2, 300},
                             {128, 64, 64}, {257, 127, 31}, {129, 255, 65}};

#define SMALL_COUNT 5 /* of them under compute-sanitizer */

/* Sizes beyond SLOW_MOST become those that stand as far beyond half of them. */
static int64_t slow_size(int64_t size)
{
    while (size > SLOW_MOST)
        size = (size + 1) / 2;
    return size;
}

static bool sizes_of(int i, bool few, bool slow, sizes *s)
{
    const int paired = 2 * COUNT(tiles), all = paired + COUNT(further);
    const int t = i % COUNT(tiles), round = i / COUNT(tiles);
    const int few_count = test_small() ? SMALL_COUNT : COUNT(some);
    if (i >= (few ? few_count : all + (slow ? SLOW_LARGE : 0)))
        return false;
    if (few)
        *s = some[i];
    else if (i >= all)
        *s = some[COUNT(some) - 1 - (i - all)];
    else if (i >= paired)
        *s = further[i - paired];
    else
        *s = (sizes){tiles[t], tiles[(5 * t + 7 + 3 * round) % COUNT(tiles)],
                     tiles[(7 * t + 4 + 11 * round) % COUNT(tiles)]};
    if (slow && i < all)
        *s = (sizes){slow_size(s->m), slow_size(s->n), slow_size(s->k)};
    return true;
}

level3_case level3_any(const routine *r, const level3_form *f, int i, bool few)
{
    const int most = routine_short_gpu(r)              ? 1
                     : few || r->parts->form_count > 1 ? 2
                                                       : 3; /* sets of flags for a shape */
    const int sets = level3_flag_sets(r, f), each = sets < most ? sets : most;
    const int which = i / each;
    level3_case c = {.m = -1};
    sizes s;
    if (!sizes_of(which, few || (r->variant != NULL && !r->all), routine_slow_compiler(r), &s))
        return c;
    c = (level3_case){.m = s.m, .n = level3_has(f, "m") ? s.n : s.m, .k = s.k};
    level3_flags(r, f, i, &c);
    return level3_sized(r, f, c, which);
}
