/* product_arguments.c: each illegal argument of y := alpha op(A) x + beta y in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A form says in which order its routine takes the arguments; their numbers in messages follow from
 * it.
 */
#include <stdio.h>
#include "harness/product_test.h"

typedef struct refusal {
    routine *r;
    const product_form *f;
    bool dev;
} refusal;

/* The call must be refused for this argument, if the routine has it; value and rule are pieces of
 * the message. */
static void refused(const refusal *t, const char *argument, const product_call *call,
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
        product_call changed = *good;                                                              \
        changed.change;                                                                            \
        refused(t, argument, &changed, __VA_ARGS__);                                               \
    } while (0)

/* Flags and sizes, of calls that have something to do and of others. */
static void illegal_sizes(const refusal *t, const product_call *good)
{
    product_call bad = *good;
    bad.trans = (gable_trans)7;
    refused(t, "trans", &bad, "7", "GABLE_NO_TRANS");
    REFUSED("uplo", uplo = (gable_uplo)7, "7", "GABLE_UPPER");
    bad = *good;
    bad.m = bad.n = 0;
    bad.trans = (gable_trans)114;
    refused(t, "trans", &bad, "114", "");
    bad.uplo = (gable_uplo)123;
    refused(t, "uplo", &bad, "123", "");
    REFUSED("m", m = -3, "-3", "");
    REFUSED("n", n = -2, "-2", "");
    bad = *good;
    bad.kl = -1;
    refused(t, "kl", &bad, "-1", "");
    refused(t, "k", &bad, "-1", "");
    REFUSED("ku", ku = -4, "-4", "");
}

static void illegal_lda(const refusal *t, const product_call *good)
{
    const stored *how = t->f->how;
    const stored_shape s = {.m = good->m, .n = good->n, .kl = good->kl, .ku = good->ku};
    product_call bad = *good;
    char value[24], least[24];
    if (how->least_lda == NULL)
        return;
    bad.lda = how->least_lda(&s) - 1;
    snprintf(value, sizeof value, "%lld", (long long)bad.lda);
    snprintf(least, sizeof least, "%lld", (long long)bad.lda + 1);
    refused(t, "lda", &bad, value, least);
    bad.trans = product_has(t->f, "trans") ? GABLE_TRANS : bad.trans;
    refused(t, "lda", &bad, value, least);
    bad.lda = -5;
    refused(t, "lda", &bad, "-5", least);
    bad = *good;
    bad.m = bad.n = bad.kl = bad.ku = bad.lda = 0;
    refused(t, "lda", &bad, "0", "1");
}

static void illegal_operands(const refusal *t, const product_call *good, void *outside)
{
    const char *device = t->r->device->info.name, *matrix = product_has(t->f, "A") ? "A" : "AP";
    product_call bad = *good;
    bad.A = NULL;
    refused(t, matrix, &bad, "NULL", "");
    bad.x = bad.y = NULL; /* the first wrong one is named */
    bad.incy = 0;
    refused(t, matrix, &bad, "NULL", "");
    REFUSED("x", x = NULL, "NULL", "");
    REFUSED("y", y = NULL, "NULL", "");
    bad = *good;
    bad.incy = 0;
    refused(t, "incy", &bad, "0", "");
    bad.m = bad.n = 0;
    refused(t, "incy", &bad, "0", "");
    if (t->dev) {
        REFUSED("alpha", alpha_at = NULL, "NULL", "");
        REFUSED("beta", beta_at = NULL, "NULL", "");
    }
    if (t->r->device->props.is_host)
        return;
    REFUSED(matrix, A = outside, device, "gable_alloc");
    REFUSED("x", x = outside, device, "gable_alloc");
    REFUSED("y", y = outside, device, "gable_alloc");
}

void product_arguments(routine *r)
{
    for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;) {
        double outside[64];
        matrix_operands o;
        product_case c = {.trans = GABLE_NO_TRANS,
                          .s = {.m = 5, .n = product_has(f, "m") ? 4 : 5},
                          .incx = 1,
                          .incy = 1,
                          .alpha = {2, 0},
                          .beta = {2, 0},
                          .fill = FILL_PATTERN};
        c.s.uplo = f->how->triangle ? GABLE_LOWER : c.s.uplo;
        c.s.kl = c.s.ku = f->how->storage == GBL_BAND ? 2 : 0;
        c = product_sized(r, f, c, 11, 0);
        memset(outside, 0, sizeof outside);
        product_begin(r, f, &c, "illegal arguments");
        if (product_build(r, &o, f, &c)) {
            const product_call good = product_arguments_of(&o, &c);
            for (int dev = 0; dev < 2; dev++) {
                const refusal t = {r, f, dev};
                CHECK_STATUS(NULL, (dev ? f->run_dev : f->run)(NULL, &good), GABLE_BAD_ARGUMENT);
                illegal_sizes(&t, &good);
                illegal_lda(&t, &good);
                illegal_operands(&t, &good, outside);
            }
            for (size_t i = 0; i < sizeof outside; i++)
                CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
            if (guarded_fetch(&o.y))
                guarded_same(&o.y, "y");
            matrix_unchanged(&o);
            product_run(r, &o, f, &c); /* the context works on */
        }
        matrix_destroy(&o);
    }
}
