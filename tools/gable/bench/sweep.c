/* sweep.c: cases drawn at random, their kernels compiled ahead, and what choices lose.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel.h"
#include "draw.h"
#include "operands.h"
#include "rig.h"
#include "sweep.h"
#include "tune/choose.h"

#define MOST_BYTES   ((size_t)4 << 30) /* of the matrices of a case */
#define MEMORY_SHARE 0.2               /* of the device's memory: as much as operands.c takes */
#define MOST_RANGE   1000000000

/* Repeats of a choice whose regret is looked for: as the tuner times a point. */
#define GPU_SECONDS  0.015
#define HOST_SECONDS 0.03
#define GIVE_UP      2 /* times the best */
#define DUEL_ROUNDS  5

/* ---- What is asked for ---- */

bool sweep_read_range(const char *text, void *to, char *why, size_t why_bytes)
{
    sweep *drawn = to;
    bench_size least, most;
    const char *end;
    if (!bench_size_read(text, &least, &end) || least.count != 1 || *end != ':' ||
        !bench_size_read(end + 1, &most, &end) || most.count != 1 || *end != '\0' ||
        least.part[0] > most.part[0] || most.part[0] > MOST_RANGE)
        return args_wrong(why, why_bytes,
                          "is \"%s\"; it must be the smallest and the largest size, as in 64:8192",
                          text);
    drawn->least = least.part[0];
    drawn->most = most.part[0];
    return true;
}

static bench_draw draw_of(const sweep *drawn, const case_request *asked, const gable_context *ctx)
{
    static const gable_uplo uplo[] = {GABLE_LOWER, GABLE_UPPER};
    static const gable_side side[] = {GABLE_LEFT, GABLE_RIGHT};
    const double share = MEMORY_SHARE * (double)ctx->device->props.memory_bytes;
    bench_draw draw = {.seed = (uint64_t)drawn->seed,
                       .least = drawn->least,
                       .most = drawn->most,
                       .trans_count = asked->trans.count,
                       .uplo_count = asked->uplo.count,
                       .side_count = asked->side.count,
                       .math = asked->math,
                       .zeros = asked->zeros != 0,
                       .most_bytes = share < (double)MOST_BYTES ? (size_t)share : MOST_BYTES};
    for (int i = 0; i < asked->trans.count; i++) {
        draw.trans[i].a = asked->trans.item[i].a;
        draw.trans[i].b = asked->trans.item[i].b;
    }
    for (int i = 0; i < asked->uplo.count; i++)
        draw.uplo[i] = uplo[asked->uplo.place[i]];
    for (int i = 0; i < asked->side.count; i++)
        draw.side[i] = side[asked->side.place[i]];
    return draw;
}

gable_status sweep_draw(sweep *drawn, const case_request *asked, gable_context *ctx)
{
    const bench_draw draw = draw_of(drawn, asked, ctx);
    int64_t each = 0;
    for (int op = 0; op < asked->op_count; op++)
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
            each += asked->ops[op].dtypes >> dtype & 1;
    drawn->cases = calloc((size_t)(drawn->random * each), sizeof *drawn->cases);
    if (drawn->cases == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for %" PRId64 " cases",
                        drawn->random * each);
    for (int64_t number = 0; number < drawn->random; number++)
        for (int op = 0; op < asked->op_count; op++)
            for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
                const bench_wanted *wanted = &asked->ops[op];
                if (!(wanted->dtypes >> dtype & 1))
                    continue;
                if (!bench_draw_case(&draw, wanted->op, (gbl_dtype)dtype, number,
                                     &drawn->cases[drawn->count], &drawn->again))
                    return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                                    "no %s of sizes in that range fits into the memory of %s",
                                    wanted->op->name, ctx->device->info.name);
                drawn->count++;
            }
    return GABLE_OK;
}

void sweep_free(sweep *drawn)
{
    free(drawn->cases);
    drawn->cases = NULL;
    drawn->count = 0;
}

/* ---- Arguments ---- */

static void append(char *text, size_t text_bytes, const char *option, const char *value)
{
    const size_t used = strlen(text);
    snprintf(text + used, text_bytes - used, " %s %s", option, value);
}

static void append_number(char *text, size_t text_bytes, const char *option, int64_t value)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, value);
    if (value != 0)
        append(text, text_bytes, option, number);
}

void sweep_arguments(const bench_case *what, char *text, size_t text_bytes)
{
    static const struct {
        const char *arg, *option;
    } words[] = {{"norm", "--norm"},
                 {"vect", "--vect"},
                 {"side", "--side"},
                 {"uplo", "--uplo"},
                 {"trans", "--trans"}};
    bench_arg args[BENCH_MAX_ARGS];
    char sizes[96];
    const int count = bench_case_args(what, args);
    bench_op_typed_name(what->op, what->dtype, text, text_bytes);
    bench_case_size_text(what, sizes, sizeof sizes);
    append(text, text_bytes, "--size", sizes);
    for (int i = 0; i < count; i++)
        for (size_t j = 0; j < sizeof words / sizeof words[0]; j++)
            if (strcmp(args[i].name, words[j].arg) == 0)
                append(text, text_bytes, words[j].option, args[i].text);
    append_number(text, text_bytes, "--beta", what->beta);
    append_number(text, text_bytes, "--offset", what->offset);
    append_number(text, text_bytes, "--ld", what->pad);
    if (what->math != GABLE_MATH_PLAIN)
        append(text, text_bytes, "--math", gbl_math_name(what->math));
    if (what->zeros)
        append(text, text_bytes, "--data", "zeros");
}

/* ---- Kernels ahead ---- */

/* Operands that are looked at, never followed: the call of a case is not run. */
static void pretend_call(const bench_case *what, bench_call *call)
{
    static bench_operands operands;
    bench_operands_pretend(&operands, what);
    bench_operands_call(&operands, 0, call);
}

static void note_choices(gable_context *ctx, const gbl_op *op, const bench_call *call)
{
    gbl_choice list[SWEEP_CHOICES];
    const int count = gbl_tune_rank(ctx, op, call, list, SWEEP_CHOICES);
    for (int i = 1; i < count; i++)
        if (gbl_force_choice(ctx, op, &list[i]) == GABLE_OK)
            gbl_op_run(ctx, op, call);
    if (count > 1)
        gbl_force_choice(ctx, op, NULL);
}

void sweep_prepare(gable_context *ctx, const bench_case *cases, int count, bool regret)
{
    if (!ctx->device->props.image_at_build || gable_prepare_begin(ctx) != GABLE_OK)
        return;
    for (int i = 0; i < count; i++) {
        bench_call call;
        pretend_call(&cases[i], &call);
        gbl_op_run(ctx, cases[i].op->op, &call);
        if (regret)
            note_choices(ctx, cases[i].op->op, &call);
    }
    gable_prepare_end(ctx);
}

/* ---- Regret ---- */

typedef struct contest {
    bench_rig *rig;
    int count;
    gbl_choice list[SWEEP_CHOICES]; /* the choice in use is the first */
    double seconds[SWEEP_CHOICES];  /* INFINITY: it does not run, or its result is wrong */
} contest;

/* The fastest of those that are left; the choice in use where none is faster. */
static int fastest(const contest *c)
{
    int best = 0;
    for (int i = 1; i < c->count; i++)
        if (c->seconds[i] < c->seconds[best])
            best = i;
    return best;
}

static gable_status time_all(contest *c, bench_session *session, double seconds)
{
    double best = 0;
    for (int i = 0; i < c->count && !session->stop(session->user); i++) {
        bench_timing timing;
        c->seconds[i] = INFINITY;
        const gable_status status =
            bench_rig_time(c->rig, &c->list[i], seconds, GIVE_UP * best, &timing);
        if (i == 0 || status == GABLE_DEVICE_LOST)
            TRY(status);
        if (status != GABLE_OK)
            continue;
        c->seconds[i] = timing.seconds;
        best = best == 0 || timing.seconds < best ? timing.seconds : best;
    }
    return GABLE_OK;
}

static void write_choice(const gbl_choice *choice, char *text, size_t text_bytes)
{
    size_t used = (size_t)snprintf(text, text_bytes, "%s", choice->variant->name);
    for (int i = 0; i < choice->variant->space_count && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, ":%s=%d",
                                 choice->variant->space[i].name, (int)choice->params.value[i]);
}

/* The fastest takes turns with the choice in use, so that luck does not decide. */
static gable_status find_regret(contest *c, bench_row *row)
{
    static char better[256];
    row->regret = 0;
    write_choice(&c->list[0], better, sizeof better);
    row->better = better;
    for (int best = fastest(c); best != 0; best = fastest(c)) {
        bench_timing of_choice, of_best;
        double error = NAN;
        const gable_status status = bench_rig_check(c->rig, &c->list[best], &error);
        if (status == GABLE_DEVICE_LOST)
            return status;
        c->seconds[best] = INFINITY;
        if (status != GABLE_OK || !(error <= 1))
            continue;
        TRY(bench_rig_duel(c->rig, &c->list[0], &c->list[best], DUEL_ROUNDS, &of_choice, &of_best));
        if (of_best.seconds >= of_choice.seconds)
            return GABLE_OK;
        row->regret = of_choice.seconds / of_best.seconds - 1;
        write_choice(&c->list[best], better, sizeof better);
        return GABLE_OK;
    }
    return GABLE_OK;
}

gable_status sweep_regret(bench_session *session, bench_row *row)
{
    gable_context *ctx = session->ctx;
    contest c = {.rig = NULL};
    TRY(bench_rig_make(&c.rig, ctx, &row->what, false));
    c.count = gbl_tune_rank(ctx, row->what.op->op, bench_rig_call(c.rig), c.list, SWEEP_CHOICES);
    gable_status status = c.count > 0 ? GABLE_OK : GABLE_NOT_SUPPORTED;
    if (status == GABLE_OK)
        status = time_all(&c, session, ctx->device->props.is_gpu ? GPU_SECONDS : HOST_SECONDS);
    if (status == GABLE_OK && !session->stop(session->user))
        status = find_regret(&c, row);
    bench_rig_free(c.rig);
    return status;
}
