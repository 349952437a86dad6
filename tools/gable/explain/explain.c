/* explain.c: `gable explain`: predicted beside measured time of calls, and what holds them back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The prediction is made from the choice that the library would take, before anything runs; the
 * measurement is the benchmark's. A GPU that is not here is pretended: its kernels are planned, and
 * compiled where NVIDIA's compiler is found.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "gable/command.h"
#include "gable/interrupt.h"
#include "gable/inspect/dry_device.h"
#include "explain_request.h"
#include "explain_sparse.h"
#include "explanation.h"
#include "gable/roofs_wanted.h"
#include "gable/terminal.h"
#include "gable/plural.h"

#define PADDED_TO     64 /* tiles of products are 32 to 256 rows or columns */
#define SIXTEEN_BYTES 16 /* what one load instruction of today's devices takes at most */

typedef struct explain_run {
    explain_request asked;
    bench_session session;
    gbl_roofs roofs;
    explanation seen;
    int code;
} explain_run;

/* ---- What the benchmark calls ---- */

static void tell_row(void *user, const bench_row *row)
{
    explain_run *run = user;
    explanation_mode *mode = &run->seen.modes[row->mode];
    if (row->hot != run->asked.hot)
        return;
    mode->measured = 1e-6 * row->usec;
    mode->least = 1e-6 * row->usec_min;
    mode->roof = row->roof;
    if (!(row->error <= run->seen.error)) /* NaN too */
        run->seen.error = row->error;
}

static void tell_note(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "gable explain: %s\n", text);
}

static void tell_progress(void *user, const char *text, double done)
{
    (void)user;
    terminal_progress(text, done);
}

/* ---- The model ---- */

/* Whether the columns of a matrix start at different places of a 16-byte word. */
static bool columns_differ(const forecast *f)
{
    if (bench_op_is_product(f->what.op)) {
        const gbl_product_call *call = &f->call.product;
        return !call->pointers &&
               (size_t)call->lda * gbl_dtype_bytes(call->dtype) % SIXTEEN_BYTES != 0;
    }
    if (!bench_op_has_matrix(f->what.op) || f->call.matrix.pointers)
        return false;
    const gbl_matrix_call *call = &f->call.matrix;
    return call->n > 1 && (size_t)call->lda * gbl_dtype_bytes(call->dtype) % SIXTEEN_BYTES != 0;
}

static bool strided(const forecast *f)
{
    if (bench_op_is_product(f->what.op))
        return false;
    if (bench_op_has_matrix(f->what.op))
        return (f->call.matrix.x != NULL && f->call.matrix.incx != 1) ||
               (f->call.matrix.y != NULL && f->call.matrix.incy != 1);
    const gbl_vector_call *call = &f->call.vector;
    return call->incx != 1 || (call->y != NULL && call->incy != 1) ||
           (call->w != NULL && call->incw != 1);
}

/* The routine that takes many of them: the same letters with _strided behind. */
static const char *batched_name(const bench_case *what, char name[64])
{
    char word[48];
    bench_wanted wanted;
    if (!bench_op_has_matrix(what->op) || bench_op_takes(what->op, GBL_BATCH))
        return NULL;
    snprintf(word, sizeof word, "%s_strided", what->op->name);
    if (!bench_op_find(word, 1u << what->dtype, &wanted) || wanted.dtypes == 0)
        return NULL;
    snprintf(name, 64, "gable_%c%s", gbl_dtype_letter(what->dtype), word);
    return name;
}

static void predict(explain_run *run)
{
    explanation *seen = &run->seen;
    gbl_roofs roofs = run->roofs;
    gbl_device device = *run->session.ctx->device;
    what_if_apply(&run->asked.what_if, seen->forecast.what.dtype, &roofs, &device.props);
    for (int mode = BENCH_REPLAY; mode <= BENCH_SINGLE; mode++) {
        const gbl_situation situation = {.replayed = mode == BENCH_REPLAY,
                                         .hot = run->asked.hot,
                                         .link_bytes = seen->link_bytes};
        forecast_predict(&seen->forecast, seen->device, &run->roofs, &situation,
                         &seen->modes[mode].predicted);
        forecast_predict(&seen->forecast, &device, &roofs, &situation, &seen->modes[mode].changed);
    }
    seen->roof_seconds = forecast_roof_seconds(&seen->forecast, &run->roofs, run->asked.hot);
}

/* Whether all operands find room in the cache at once. */
static bool fits_cache(const explain_run *run)
{
    const double reported = (double)run->seen.device->props.cache_bytes;
    const double cache = reported > 0 ? reported : run->roofs.cache_bytes;
    return (double)bench_set_bytes(&run->seen.forecast.what) <= cache;
}

/* Predicted seconds of the copies that a choice makes of its operands. */
static double copy_seconds(const explain_run *run)
{
    static const char *const copies[] = {"transpose", "lacpy", "geam", "copy"};
    const forecast *f = &run->seen.forecast;
    const gbl_variant *variant = f->choice.variant;
    gbl_part_call parts[GBL_MAX_PARTS];
    double seconds = 0;
    const int count =
        variant->parts == NULL || !bench_op_is_product(f->what.op)
            ? 0
            : variant->parts(variant, &f->call, &f->choice.params, run->seen.device, parts);
    for (int i = 0; i < count; i++) {
        const gbl_situation situation = {.replayed = true, .hot = run->asked.hot};
        gbl_choice choice = {.variant = NULL};
        gbl_prediction p;
        bool is_copy = false;
        for (size_t j = 0; parts[i].op != NULL && j < sizeof copies / sizeof copies[0]; j++)
            is_copy = is_copy ||
                      (parts[i].op != f->what.op->op && strcmp(parts[i].op->stem, copies[j]) == 0);
        if (is_copy)
            gbl_op_foresee_part(run->seen.device, parts[i].op, parts[i].call, false, &choice);
        if (choice.variant == NULL)
            continue;
        gbl_predict_call(run->seen.device, parts[i].op, parts[i].call, &choice, &run->roofs,
                         &situation, &p);
        seconds += parts[i].count * p.seconds;
    }
    return seconds;
}

/* A product with all sizes rounded up to whole tiles, and what the model says of it; false: it is
 * such a product already, or would be more than a third larger in a size. */
static bool pad(explain_run *run, bench_case *padded, gbl_prediction *prediction)
{
    static forecast made;
    const gbl_situation replayed = {.replayed = true, .hot = run->asked.hot};
    int64_t *const sizes[] = {&padded->m, &padded->n, &padded->k};
    bool changed = false;
    *padded = run->seen.forecast.what;
    if (!bench_op_is_product(padded->op) || bench_op_takes(padded->op, GBL_BATCH) ||
        !bench_op_takes_beta(padded->op))
        return false;
    for (int i = 0; i < 3; i++) {
        const int64_t size = *sizes[i], whole = (size + PADDED_TO - 1) / PADDED_TO * PADDED_TO;
        if (size == 1) /* the product has no such size, or is a vector's */
            continue;
        if (3 * whole > 4 * size)
            return false;
        changed = changed || whole != size;
        *sizes[i] = whole;
    }
    if (!changed || forecast_make(run->session.ctx, padded, false, &made) != GABLE_OK)
        return false;
    forecast_predict(&made, run->seen.device, &run->roofs, &replayed, prediction);
    return prediction->seconds > 0;
}

/* Whether the library had anything to choose from: tunables, or other variants that fit. */
static bool has_choices(const forecast *f, const gbl_device *device)
{
    const gbl_op *op = f->what.op->op;
    int fitting = 0;
    for (int i = 0; i < op->variant_count; i++) {
        const gbl_variant *variant = &op->variants[i];
        fitting += variant->deterministic && !variant->vendor && !variant->rung &&
                   variant->fits(variant, &f->call, device);
    }
    return f->choice.variant->space_count > 0 || fitting > 1;
}

static void write_tune_command(const bench_case *what, char *text, size_t text_bytes)
{
    char name[64], sizes[64], flags[64] = "";
    bench_case_name(what, name, sizeof name);
    bench_case_size_text(what, sizes, sizeof sizes);
    const bool trans = bench_op_takes(what->op, GBL_TRANS);
    if (trans)
        snprintf(flags, sizeof flags, " --trans %s", strrchr(name, ' ') + 1);
    name[strcspn(name, " ")] = '\0';
    snprintf(text, text_bytes, "gable tune %s --size %s%s%s%s", name, sizes, flags,
             bench_op_takes(what->op, GBL_UPLO) && what->uplo == GABLE_UPPER ? " --uplo U" : "",
             bench_op_takes(what->op, GBL_SIDE) && what->side == GABLE_RIGHT ? " --side R" : "");
}

static void advise(explain_run *run)
{
    explanation *seen = &run->seen;
    const forecast *f = &seen->forecast;
    const gbl_situation again = {.replayed = true, .hot = true};
    char batched[64], padded_size[64], command[192];
    bench_case padded;
    const double rate = bench_op_is_product(f->what.op) && f->work.flops > 0
                            ? gbl_roofs_product_flops(&run->roofs, f->what.dtype, f->what.math)
                            : 0;
    advice_facts facts = {.replay = seen->modes[BENCH_REPLAY].predicted,
                          .single = seen->modes[BENCH_SINGLE].predicted,
                          .has_reused = !run->asked.hot && seen->link_bytes == 0 && fits_cache(run),
                          .measured_replay = seen->modes[BENCH_REPLAY].measured,
                          .measured_single = seen->modes[BENCH_SINGLE].measured,
                          .batched = batched_name(&f->what, batched),
                          .columns_differ = columns_differ(f),
                          .waits = f->waits,
                          .strided = strided(f),
                          .tunable = has_choices(f, seen->device),
                          .tuned = f->match >= GBL_MATCH_NEAR_SIZE,
                          .roof = seen->roof_seconds,
                          .arithmetic = rate > 0 ? f->work.flops / rate : 0,
                          .copies = copy_seconds(run),
                          .tune_command = command};
    write_tune_command(&f->what, command, sizeof command);
    if (pad(run, &padded, &facts.padded)) {
        bench_case_size_text(&padded, padded_size, sizeof padded_size);
        facts.padded_size = padded_size;
    }
    forecast_predict(f, seen->device, &run->roofs, &again, &facts.reused);
    advice_make(&facts, &seen->advice);
}

/* A rate that the roof does not allow: the roof is wrong. */
static void compare_with_roof(explain_run *run)
{
    explanation *seen = &run->seen;
    double most = 0;
    for (int mode = BENCH_REPLAY; mode <= BENCH_SINGLE; mode++)
        if (seen->modes[mode].measured > 0)
            most = fmax(most, seen->roof_seconds / seen->modes[mode].measured);
    if (most > ROOFS_EXCEEDED)
        snprintf(seen->above, sizeof seen->above, "The call is %.2f times as fast as its roof. %s",
                 most, roofs_wanted_again(&run->roofs));
}

/* ---- One case ---- */

static int fail_case(const explain_run *run, const bench_case *what)
{
    char name[64], sizes[96];
    terminal_progress_erase();
    bench_case_name(what, name, sizeof name);
    bench_case_text(what, sizes, sizeof sizes);
    return args_fail(&explain_args, "%s %s on %s: %s", name, sizes,
                     run->session.ctx->device->info.name, gable_message(run->session.ctx));
}

static bool explain_case(void *user, const bench_case *what)
{
    explain_run *run = user;
    explanation *seen = &run->seen;
    gable_context *ctx = run->session.ctx;
    memset(seen, 0, sizeof *seen);
    seen->device = ctx->device;
    seen->roofs = &run->roofs;
    seen->hot = run->asked.hot;
    seen->change = run->asked.what_if.text;
    if (forecast_make(ctx, what, true, &seen->forecast) != GABLE_OK) {
        run->code = fail_case(run, what);
        return true;
    }
    if (run->asked.with_transfer)
        seen->link_bytes = seen->forecast.work.bytes_read + seen->forecast.work.bytes_written;
    predict(run);
    if (run->asked.measure) {
        terminal_progress_start();
        const gable_status status = bench_measure(&run->session, what);
        terminal_progress_erase();
        if (status != GABLE_OK) {
            run->code = fail_case(run, what);
            return true;
        }
        if (interrupt_asked)
            return false;
    }
    advise(run);
    compare_with_roof(run);
    if (run->asked.json)
        explanation_write(seen);
    else
        explanation_print(seen);
    if (run->asked.measure && !(seen->error <= 1))
        run->code = args_fail(&explain_args, "the result is wrong, %.3g times its error bound",
                              seen->error);
    return true;
}

/* ---- The device ---- */

/* GPUs that can be pretended by name: what identifies them to the built-in tables. */
static const struct {
    const char *name, *arch, *title;
    int units;
    size_t cache_bytes, memory_bytes;
} gpus[] = {
    {.name = "h200",
     .arch = "sm_90a",
     .title = "NVIDIA H200",
     .units = 132,
     .cache_bytes = (size_t)60 << 20,
     .memory_bytes = (size_t)139 << 30},
};

/* Opens a pretended GPU and gives it the properties of the one asked for. */
static int pretend(explain_run *run)
{
    static gbl_device_table table;
    gable_context **ctx = &run->session.ctx;
    const char *asked = run->asked.arch;
    size_t known = 0;
    while (known < sizeof gpus / sizeof gpus[0] && strcmp(gpus[known].name, asked) != 0)
        known++;
    const bool named = known < sizeof gpus / sizeof gpus[0];
    if (!named && strncmp(asked, "sm_", 3) != 0)
        return args_refuse(&explain_args, "--arch is \"%s\"; it must be h200 or look like sm_80",
                           asked);
    if (dry_open(ctx, named ? gpus[known].arch : asked) != GABLE_OK)
        return args_fail(&explain_args, "%s", gable_message(*ctx));
    dry_compile(true);
    if (!named)
        return EXIT_DONE;
    gbl_device *device = (*ctx)->device;
    table = *device->table;
    table.kind = "cuda";
    snprintf(device->info.name, sizeof device->info.name, "pretended");
    snprintf(device->info.title, sizeof device->info.title, "%s", gpus[known].title);
    device->info.units = device->props.units = gpus[known].units;
    device->info.cache_bytes = device->props.cache_bytes = gpus[known].cache_bytes;
    device->info.memory_bytes = device->props.memory_bytes = gpus[known].memory_bytes;
    device->table = &table;
    gbl_roofs_get(device, &run->roofs);
    /* Choices are made by what is known of this GPU, not of the one that was opened. */
    gbl_evidence_drop(*ctx);
    if (!gbl_evidence_take(*ctx))
        return args_fail(&explain_args, "no memory for the tuning database");
    return EXIT_DONE;
}

static int open_device(explain_run *run)
{
    gable_context **ctx = &run->session.ctx;
    if (run->asked.arch != NULL) {
        const int code = pretend(run);
        if (code == EXIT_DONE && run->roofs.read == 0)
            gbl_roofs_get((*ctx)->device, &run->roofs);
        return code;
    }
    if (gable_open(ctx, run->asked.device) != GABLE_OK)
        return args_fail(&explain_args, "%s", gable_message(*ctx));
    gbl_roofs_get((*ctx)->device, &run->roofs);
    if (!run->asked.measure)
        return EXIT_DONE;
    terminal_progress_start();
    const gable_status status = roofs_wanted(*ctx, &run->roofs, terminal_progress);
    terminal_progress_erase();
    return status == GABLE_OK ? EXIT_DONE : args_fail(&explain_args, "%s", gable_message(*ctx));
}

static int force_variant(const explain_run *run)
{
    char choice[512];
    const char *variant = run->asked.variant;
    if (variant == NULL)
        return EXIT_DONE;
    const char *stem =
        run->asked.matrix != NULL ? "sparse_mv" : run->asked.cases.ops[0].op->op->stem;
    const size_t name = strcspn(variant, ":=");
    const bool whole = variant[name] == '=';
    if (whole && (strlen(stem) != name || strncmp(stem, variant, name) != 0))
        return args_refuse(&explain_args, "--variant %s: it is not of %s", variant, stem);
    snprintf(choice, sizeof choice, "%s%s%s", whole ? "" : stem, whole ? "" : "=", variant);
    if (gable_set_variant(run->session.ctx, choice) != GABLE_OK)
        return args_refuse(&explain_args, "--variant %s: %s", variant,
                           gable_message(run->session.ctx));
    return EXIT_DONE;
}

static void print_header(const explain_run *run)
{
    const gable_device_info *info = &run->session.ctx->device->info;
    char read[32], cache[32], flops[32], text[512], single[32], replay[32], how[256];
    const gbl_roofs *roofs = &run->roofs;
    advice_amount_text(roofs->read, "B/s", read, sizeof read);
    advice_amount_text(roofs->cache, "B/s", cache, sizeof cache);
    advice_amount_text(roofs->flops[GBL_D], "flop/s", flops, sizeof flops);
    advice_time_text(roofs->launch_replay, replay, sizeof replay);
    advice_time_text(roofs->launch_single, single, sizeof single);
    const int units = run->session.ctx->device->props.units;
    snprintf(text, sizeof text, "%s %s, %d unit%s", info->name, info->title, units, PLURAL(units));
    terminal_paragraph(0, "device", 8, text);
    roofs_wanted_text(roofs, how, sizeof how);
    snprintf(text, sizeof text,
             "%s%s reads %s from memory, %s from the cache, %s in double; a launch is %s replayed "
             "and %s alone",
             how, roofs->source == GBL_ROOFS_MEASURED ? ";" : ":", read, cache, flops, replay,
             single);
    terminal_paragraph(0, "roofs", 8, text);
    putchar('\n');
}

int explain_command(int argc, char **argv)
{
    static explain_run run;
    int code = explain_request_read(argc, argv, &run.asked);
    if (code != EXIT_DONE)
        return code < 0 ? EXIT_DONE : code;
    run.session = (bench_session){.seconds = run.asked.seconds,
                                  .hot = run.asked.hot,
                                  .flops = run.roofs.flops,
                                  .row = tell_row,
                                  .note = tell_note,
                                  .progress = tell_progress,
                                  .stop = interrupt_stops,
                                  .user = &run};
    code = open_device(&run);
    if (code == EXIT_DONE &&
        gable_set_math(run.session.ctx, (gable_math)run.asked.cases.math) != GABLE_OK)
        code = args_fail(&explain_args, "%s", gable_message(run.session.ctx));
    if (code == EXIT_DONE)
        code = force_variant(&run);
    if (code == EXIT_DONE) {
        /* A first Ctrl-C ends the measurement, a second the process. */
        interrupt_watch();
        if (!run.asked.json)
            print_header(&run);
        if (run.asked.matrix != NULL)
            run.code = explain_sparse(&run.session, &run.asked, &run.roofs);
        else
            case_request_each(&run.asked.cases, explain_case, &run);
        code = run.code;
    }
    if (run.asked.arch != NULL)
        dry_close(run.session.ctx);
    else
        gable_close(run.session.ctx);
    if (interrupt_asked) {
        args_fail(&explain_args, "stopped; the cases above are complete");
        return EXIT_STOPPED;
    }
    return code;
}
