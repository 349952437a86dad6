/* level3_arguments.c: each illegal argument of routines on two or three matrices in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A form says in which order its routine takes the arguments; their numbers in messages follow from
 * it.
 */
#include <stdio.h>
#include "harness/level3_test.h"

typedef struct refusal {
    routine *r;
    const level3_form *f;
    bool dev;
} refusal;

/* The call must be refused for this argument, if the routine has it; value and rule are pieces of
 * the message. */
static void refused(const refusal *t, const char *argument, const level3_call *call,
                    const char *value, const char *rule)
{
    const int position = routine_argument(t->f->arguments, argument);
    char named[32];
    if (position == 0)
        return;
    snprintf(named, sizeof named, "argument %d (%s)", position, argument);
    CHECK_REFUSED(t->r->ctx, (t->dev ? t->f->run_dev : t->f->run)(t->r->ctx, call),
                  GABLE_BAD_ARGUMENT, t->dev ? t->f->name_dev : t->f->name, named, value, rule);
}

/* The same where one thing is changed. */
#define REFUSED(argument, change, ...)                                                             \
    do {                                                                                           \
        level3_call changed = *good;                                                               \
        changed.change;                                                                            \
        refused(t, argument, &changed, __VA_ARGS__);                                               \
    } while (0)

/* Of calls that have something to do and of others. */
static void illegal_flags(const refusal *t, const level3_call *good)
{
    for (int empty = 0; empty < 2; empty++) {
        level3_call start = *good, bad;
        if (empty)
            start.m = start.n = start.k = 0;
        bad = start;
        bad.transa = (gable_trans)7;
        refused(t, "transa", &bad, "7", "GABLE_NO_TRANS");
        refused(t, "trans", &bad, "7", "GABLE_NO_TRANS");
        bad.transa = (gable_trans)114;
        refused(t, "trans", &bad, "114", "");
        bad = start;
        bad.transb = (gable_trans)110;
        refused(t, "transb", &bad, "110", "GABLE_NO_TRANS");
        bad = start;
        bad.uplo = (gable_uplo)123;
        refused(t, "uplo", &bad, "123", "GABLE_UPPER");
        bad = start;
        bad.diag = (gable_diag)0;
        refused(t, "diag", &bad, "0", "GABLE_UNIT");
        bad = start;
        bad.side = (gable_side)140;
        refused(t, "side", &bad, "140", "GABLE_LEFT");
    }
}

/* syrk and syr2k do not conjugate, herk and her2k do not transpose alone; in real precisions both
 * are the same. */
static void illegal_trans(const refusal *t, const level3_call *good)
{
    const level3_form *f = t->f;
    level3_call bad = *good;
    if ((f->kind != LEVEL3_SELF && f->kind != LEVEL3_PAIR) || !gbl_dtype_complex(t->r->dtype))
        return;
    bad.transa = f->conj ? GABLE_TRANS : GABLE_CONJ_TRANS;
    bad.lda = bad.ldb = 64; /* enough for either way to store them */
    refused(t, "trans", &bad, "", "GABLE_NO_TRANS");
}

static void illegal_sizes(const refusal *t, const level3_call *good)
{
    level3_call bad = *good;
    bad.m = -3;
    refused(t, "m", &bad, "-3", "");
    REFUSED("n", n = -2, "-2", "");
    bad = *good;
    bad.k = -1;
    refused(t, "k", &bad, "-1", "");
    bad.m = bad.n = 0;
    refused(t, "k", &bad, "-1", "");
}

static int64_t *ld_of(level3_call *call, int which)
{
    return which == MATRIX_A ? &call->lda : which == MATRIX_B ? &call->ldb : &call->ldc;
}

/* One less than the rows of a matrix as stored, for every way to turn it. */
static void illegal_ld(const refusal *t, const level3_case *c, const level3_call *good, int which)
{
    static const char *const names[] = {"lda", "ldb", "ldc"};
    const int64_t rows = level3_rows(t->f, c, which);
    level3_call bad = *good;
    char value[24], least[24];
    *ld_of(&bad, which) = rows - 1;
    snprintf(value, sizeof value, "%lld", (long long)rows - 1);
    snprintf(least, sizeof least, "%lld", (long long)rows);
    refused(t, names[which], &bad, value, least);
    *ld_of(&bad, which) = -5;
    refused(t, names[which], &bad, "-5", least);
    bad.m = bad.n = bad.k = 0;
    *ld_of(&bad, which) = 0;
    refused(t, names[which], &bad, "0", "1");
}

static void illegal_operands(const refusal *t, const level3_call *good, void *outside)
{
    const char *device = t->r->device->info.name;
    level3_call bad = *good;
    bad.A = NULL;
    refused(t, "A", &bad, "NULL", "");
    bad.B = bad.C = NULL; /* the first wrong one is named */
    bad.ldc = 0;
    refused(t, "A", &bad, "NULL", "");
    REFUSED("B", B = NULL, "NULL", "");
    REFUSED("C", C = NULL, "NULL", "");
    if (t->dev) {
        REFUSED("alpha", alpha_at = NULL, "NULL", "");
        REFUSED("beta", beta_at = NULL, "NULL", "");
    }
    if (t->r->device->props.is_host)
        return;
    REFUSED("A", A = outside, device, "gable_alloc");
    REFUSED("B", B = outside, device, "gable_alloc");
    REFUSED("C", C = outside, device, "gable_alloc");
}

static void illegal_calls(routine *r, const level3_form *f, const level3_case *c, void *outside)
{
    level3_operands o;
    guarded *const output = &o.M[level3_output(f)];
    level3_begin(r, f, c, "illegal arguments");
    if (level3_build(r, &o, f, c)) {
        const level3_call good = level3_arguments_of(&o, f, c);
        for (int dev = 0; dev < 2; dev++) {
            const refusal t = {r, f, dev};
            CHECK_STATUS(NULL, (dev ? f->run_dev : f->run)(NULL, &good), GABLE_BAD_ARGUMENT);
            illegal_flags(&t, &good);
            illegal_trans(&t, &good);
            illegal_sizes(&t, &good);
            for (int w = 0; w < MATRICES; w++)
                if (level3_has_matrix(f, w))
                    illegal_ld(&t, c, &good, w);
            illegal_operands(&t, &good, outside);
        }
        if (guarded_fetch(output))
            guarded_same(output, "the output");
        level3_unchanged(&o, f);
        level3_run(r, &o, f, c); /* the context works on */
    }
    level3_destroy(&o);
}

void level3_arguments(routine *r)
{
    for (const level3_form *f = NULL; (f = level3_next(r, f)) != NULL;) {
        double outside[64];
        memset(outside, 0, sizeof outside);
        for (int set = 0; set < level3_flag_sets(r, f); set++) {
            level3_case c = {
                .m = 5, .n = 4, .k = 6, .alpha = {2, 0}, .beta = {2, 0}, .fill = FILL_PATTERN};
            level3_flags(r, f, set, &c);
            c = level3_sized(r, f, c, 0);
            illegal_calls(r, f, &c, outside);
        }
        for (size_t i = 0; i < sizeof outside; i++)
            CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
    }
}
