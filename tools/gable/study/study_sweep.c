/* study_sweep.c: measures the configurations of a study, op by op, within a budget.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels are compiled in parallel, a handful at a time, and their configurations timed one after
 * another, alone. Configurations that launch the same kernel with the same arguments are timed
 * once. The best of many noisy times are then timed again in turn with a reference: in copy the
 * first best of all, in the others copy's best configuration.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/context.h"
#include "core/kernel.h"
#include "rig.h"
#include "study.h"
#include "gable/terminal.h"

#define FINALS_PART     0.05  /* of the time of an op */
#define COPYS_PART      0.6   /* of the budget, at most */
#define TIMED_SECONDS   0.005 /* a configuration, but three runs at least */
#define GIVE_UP         2     /* times the best so far */
#define FINALISTS       5
#define MOST_DUELS      15
#define ROUNDS          9
#define NOT_A_NUMBER    1e30 /* the error in place of NaN, which JSON cannot say */
#define KERNELS_AT_ONCE 32
#define CHECKED         1000000 /* elements: the kernels are the same at any length */

typedef struct op_sweep {
    study_sweep *sweep;
    int op;
    bench_rig *rig, *check_rig;
    double bytes;
    double deadline, end; /* of the sweep, and of the finals */
    double best;          /* seconds; 0: none yet */
    bool always;          /* the next configuration is measured whatever the time */
    int prints;
    uint64_t *print; /* of what was timed here, */
    int *timed;      /* and as which configuration */
} op_sweep;

static bool over(const op_sweep *o)
{
    return *o->sweep->stop || (!o->always && terminal_now() >= o->deadline);
}

static bool ask_over(void *user)
{
    return over(user);
}

static int known_rows(const study *s, int op)
{
    int known = 0;
    for (int i = 0; i < study_config_count(); i++)
        known += s->rows[op][i].known;
    return known;
}

static void tell(const op_sweep *o, const char *what)
{
    const study_sweep *sweep = o->sweep;
    const int all = study_config_count();
    const double now = terminal_now();
    int known = 0;
    for (int op = 0; op < STUDY_OPS; op++)
        known += known_rows(sweep->s, op);
    const double by_time = (now - sweep->start) / (sweep->deadline - sweep->start);
    const double by_rows = (double)known / (STUDY_OPS * all);
    char text[96];
    snprintf(text, sizeof text, "%s: %s, %d of %d", study_op_names[o->op], what,
             known_rows(sweep->s, o->op), all);
    terminal_progress(text, fmin(1, fmax(by_time, by_rows)));
}

/* ---- One configuration ---- */

static gable_status store(op_sweep *o, int config, const char *why)
{
    study *s = o->sweep->s;
    if (study_write_row(s, o->op, config, why))
        return GABLE_OK;
    return gbl_fail(&o->sweep->ctx->message, GABLE_DEVICE_FAILED, "%s cannot be written", s->path);
}

static void note_failed(op_sweep *o, int config)
{
    o->sweep->s->rows[o->op][config] = (study_row){.known = true, .failed = true, .error = -1};
}

/* What the check of a kernel said, in whichever of its configurations; -1: it was not checked. */
static double kernel_error(const op_sweep *o, int config)
{
    const int a_kernel = study_configs_a_kernel(), first = config / a_kernel * a_kernel;
    double error = -1;
    for (int i = first; i < first + a_kernel; i++) {
        const study_row *row = &o->sweep->s->rows[o->op][i];
        if (i != config && row->known && row->error > error)
            error = row->error;
    }
    return error;
}

static gable_status check(op_sweep *o, int config, const gbl_choice *choice, study_row *row)
{
    study_sweep *sweep = o->sweep;
    char text[STUDY_CONFIG_BYTES];
    double error = 0;
    TRY(bench_rig_check(o->check_rig, choice, &error));
    row->error = error >= 0 && error < NOT_A_NUMBER ? error : NOT_A_NUMBER;
    if (row->error <= 1)
        return GABLE_OK;
    study_config_text(config, text);
    if (sweep->wrong++ == 0)
        snprintf(sweep->wrong_text, sizeof sweep->wrong_text,
                 "%s with %s: the error is %.3g times its bound", study_op_names[o->op], text,
                 error);
    return GABLE_OK;
}

static gable_status time_config(op_sweep *o, int config, const gbl_choice *choice, uint64_t print)
{
    study_row *row = &o->sweep->s->rows[o->op][config];
    for (int i = 0; i < o->prints; i++) {
        if (o->print[i] == print) {
            *row = o->sweep->s->rows[o->op][o->timed[i]];
            row->error = row->error > 1 ? row->error : -1;
            return store(o, config, NULL);
        }
    }
    bench_timing timing;
    const gable_status status =
        bench_rig_time(o->rig, choice, TIMED_SECONDS, GIVE_UP * o->best, &timing);
    if (status == GABLE_OUT_OF_MEMORY || status == GABLE_DEVICE_LOST)
        return status;
    if (status != GABLE_OK || !(timing.seconds > 0)) {
        note_failed(o, config);
        return store(o, config,
                     status != GABLE_OK ? gable_message(o->sweep->ctx) : "the clock did not move");
    }
    *row = (study_row){.usec = 1e6 * timing.seconds,
                       .usec_min = 1e6 * timing.least,
                       .gbs = 1e-9 * o->bytes / timing.seconds,
                       .error = -1,
                       .runs = timing.runs > 0 ? timing.runs : 1,
                       .known = true};
    const double error = kernel_error(o, config);
    if (error < 0)
        TRY(check(o, config, choice, row));
    else if (error > 1) /* a wrong kernel is wrong in all of its configurations */
        row->error = error;
    if (study_row_counts(row) && (o->best <= 0 || timing.seconds < o->best))
        o->best = timing.seconds;
    o->print[o->prints] = print;
    o->timed[o->prints++] = config;
    return store(o, config, NULL);
}

/* ---- One op ---- */

/* The configurations of a few kernels, from a place of the order on, that are not known yet. */
static int gather(const op_sweep *o, const int *kernels, int kernel_count, int *configs)
{
    const int a_kernel = study_configs_a_kernel();
    int count = 0;
    for (int k = 0; k < kernel_count; k++)
        for (int i = 0; i < a_kernel; i++)
            if (!o->sweep->s->rows[o->op][kernels[k] * a_kernel + i].known)
                configs[count++] = kernels[k] * a_kernel + i;
    return count;
}

static gable_status measure_some(op_sweep *o, const int *configs, int count)
{
    const gbl_device *device = o->sweep->ctx->device;
    gbl_choice *choices = malloc((size_t)count * sizeof *choices);
    bench_compiled *compiled = calloc((size_t)count, sizeof *compiled);
    gable_status status = GABLE_OK;
    if (choices == NULL || compiled == NULL) {
        status = gbl_fail(&o->sweep->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
        goto done;
    }
    for (int i = 0; i < count; i++)
        study_choice(o->op, configs[i], o->sweep->s->dtype, device, &choices[i]);
    tell(o, "compiling");
    status = bench_rig_compile_many(o->rig, choices, count, 0, ask_over, o, compiled);
    for (int i = 0; status == GABLE_OK && i < count && compiled[i].reached && !over(o); i++) {
        tell(o, "timing");
        if (compiled[i].status != GABLE_OK) {
            note_failed(o, configs[i]);
            status = store(o, configs[i], compiled[i].why);
        } else {
            status = time_config(o, configs[i], &choices[i], compiled[i].print);
        }
    }
done:
    free(choices);
    free(compiled);
    return status;
}

static int kernels_at_once(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > KERNELS_AT_ONCE ? KERNELS_AT_ONCE : (int)cores;
}

static gable_status sweep_all(op_sweep *o)
{
    const int kernel_count = study_config_count() / study_configs_a_kernel();
    const int most = kernels_at_once();
    int kernels[KERNELS_AT_ONCE];
    int *configs = malloc((size_t)(most * study_configs_a_kernel()) * sizeof *configs);
    gable_status status = configs != NULL ? GABLE_OK : GABLE_OUT_OF_MEMORY;
    for (int place = 0; status == GABLE_OK && place < kernel_count && !over(o);) {
        int some = 0, count = 0;
        while (some < most && place < kernel_count) {
            kernels[some] = study_kernel_at(place++);
            if (gather(o, &kernels[some], 1, configs) > 0)
                some++;
        }
        count = gather(o, kernels, some, configs);
        if (count > 0)
            status = measure_some(o, configs, count);
    }
    free(configs);
    return status;
}

/* ---- The best again ---- */

static gable_status keep_again(op_sweep *o, int config, const bench_timing *timing, double ratio)
{
    study *s = o->sweep->s;
    study_row *row = &s->rows[o->op][config];
    row->usec = 1e6 * timing->seconds;
    row->usec_min = 1e6 * timing->least;
    row->gbs = 1e-9 * o->bytes / timing->seconds;
    row->runs = timing->runs;
    row->ratio = ratio;
    if (study_write_again(s, o->op, config))
        return GABLE_OK;
    return gbl_fail(&o->sweep->ctx->message, GABLE_DEVICE_FAILED, "%s cannot be written", s->path);
}

static gable_status duel(op_sweep *o, int config, int reference)
{
    const study *s = o->sweep->s;
    const gbl_device *device = o->sweep->ctx->device;
    gbl_choice a, b;
    bench_timing of_a, of_b;
    study_choice(o->op, config, s->dtype, device, &a);
    study_choice(o->op, reference, s->dtype, device, &b);
    tell(o, "the best again");
    TRY(bench_rig_duel(o->rig, &a, &b, ROUNDS, &of_a, &of_b));
    TRY(keep_again(o, reference, &of_b, 1));
    return keep_again(o, config, &of_a, of_b.seconds / of_a.seconds);
}

/* One of the best by their rows that was not timed again yet; -1: all were. */
static int next_finalist(const study *s, int op, int reference)
{
    int best[FINALISTS];
    for (int i = 0; i < FINALISTS; i++) {
        best[i] = study_next_best(s, op, best, i);
        if (best[i] < 0)
            return -1;
        if (best[i] != reference && !(s->rows[op][best[i]].ratio > 0))
            return best[i];
    }
    return -1;
}

/* Until the best are all times that were taken again: one that was only lucky loses its place to
 * another. */
static gable_status finals(op_sweep *o, int reference)
{
    study *s = o->sweep->s;
    if (o->op == STUDY_COPY)
        reference =
            s->reference[o->op] >= 0 ? s->reference[o->op] : study_next_best(s, o->op, NULL, 0);
    if (reference < 0 || !study_row_counts(&s->rows[o->op][reference]))
        return GABLE_OK;
    study_set_reference(s, o->op, reference);
    for (int duels = 0; duels < MOST_DUELS && !*o->sweep->stop; duels++) {
        const int next = next_finalist(s, o->op, reference);
        if (next < 0 || (duels >= FINALISTS && terminal_now() >= o->end))
            break;
        TRY(duel(o, next, reference));
    }
    return GABLE_OK;
}

/* ---- All ops ---- */

/* The best of earlier runs, for giving up; what is known needs no rig. */
static double best_seconds(const study *s, int op)
{
    double best = 0;
    for (int i = 0; i < study_config_count(); i++) {
        const study_row *row = &s->rows[op][i];
        if (study_row_counts(row) && (best <= 0 || 1e-6 * row->usec < best))
            best = 1e-6 * row->usec;
    }
    return best;
}

/* What copy runs without any tuning. */
static int default_config(void)
{
    gbl_params params;
    memset(&params, 0, sizeof params);
    for (int i = 0; i < STREAM_PARAMS; i++)
        params.value[i] = gbl_stream_space[i].fallback;
    return study_config_find(&params);
}

/* Large operands to time, shorter ones to check. */
static gable_status make_rigs(op_sweep *o)
{
    const study *s = o->sweep->s;
    bench_case what;
    gbl_work work;
    study_case(o->op, s->dtype, s->size < CHECKED ? s->size : CHECKED, &what);
    TRY(bench_rig_make(&o->check_rig, o->sweep->ctx, &what, true));
    study_case(o->op, s->dtype, s->size, &what);
    TRY(bench_rig_make(&o->rig, o->sweep->ctx, &what, false));
    what.op->op->work(bench_rig_call(o->rig), &work);
    o->bytes = work.bytes_read + work.bytes_written;
    return GABLE_OK;
}

static bool all_done(const study *s, int op, int copys)
{
    const int reference = op == STUDY_COPY ? s->reference[op] : copys;
    return known_rows(s, op) == study_config_count() && reference >= 0 &&
           s->reference[op] == reference && next_finalist(s, op, reference) < 0;
}

static gable_status measure_op(study_sweep *sweep, int op, double end)
{
    study *s = sweep->s;
    op_sweep o = {.sweep = sweep, .op = op, .end = end, .best = best_seconds(s, op)};
    o.deadline = end - FINALS_PART * (end - terminal_now());
    const size_t all = (size_t)study_config_count();
    gable_context *ctx = sweep->ctx;
    const int copys = op != STUDY_COPY ? study_best(s, STUDY_COPY) : -1;
    const int first = op != STUDY_COPY ? copys : default_config();
    if (all_done(s, op, copys))
        return GABLE_OK;
    gable_status status = make_rigs(&o);
    o.print = malloc(all * sizeof *o.print);
    o.timed = malloc(all * sizeof *o.timed);
    if (status == GABLE_OK && (o.print == NULL || o.timed == NULL))
        status = gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    /* Copy's best configuration is what the loss is about: it comes first, whatever the budget. */
    o.always = true;
    if (status == GABLE_OK && first >= 0 && !s->rows[op][first].known)
        status = measure_some(&o, &first, 1);
    o.always = false;
    if (status == GABLE_OK)
        status = sweep_all(&o);
    if (status == GABLE_OK && !*sweep->stop)
        status = finals(&o, copys);
    free(o.print);
    free(o.timed);
    bench_rig_free(o.rig);
    bench_rig_free(o.check_rig);
    gbl_kernels_forget_candidates(ctx->device);
    return status;
}

gable_status study_measure(study_sweep *sweep)
{
    gable_status status = GABLE_OK;
    gbl_kernels_try(true);
    for (int op = 0; status == GABLE_OK && op < STUDY_OPS && !*sweep->stop; op++) {
        const double now = terminal_now(), left = fmax(0, sweep->deadline - now);
        const double part = op == STUDY_COPY ? COPYS_PART : 1.0 / (STUDY_OPS - op);
        status = measure_op(sweep, op, now + part * left);
    }
    gbl_kernels_try(false);
    return status;
}
