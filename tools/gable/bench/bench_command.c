/* bench_command.c: `gable bench`: opens devices and peers and measures each case in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With several devices each case runs on all of them before the next, so that what stands side by
 * side was measured within seconds.
 */
#include <stdio.h>
#include <string.h>
#include "bench_busy.h"
#include "bench_output.h"
#include "gable/command.h"
#include "gable/interrupt.h"
#include "gable/explain/forecast.h"
#include "gable/plural.h"
#include "gable/roofs_wanted.h"
#include "ladder.h"
#include "sparse_show.h"

/* ---- Guesses for the time left: only their proportions count ---- */
#define HOST_BYTES_A_SECOND 1e10
#define GPU_BYTES_A_SECOND  1e12
#define GUESSED_SHARE       0.5 /* of the rate of multiply-adds */
#define LEAST_TURNS         8
#define SETUP_SECONDS       0.1
#define SETUP_PASSES        10 /* over operands and the cache: filling, flushing, checking */

/* One run of the command. */
typedef struct bench_run {
    bench_request asked;
    bench_session sessions[BENCH_MAX_DEVICES];
    gbl_roofs roofs[BENCH_MAX_DEVICES];
    double product_flops[BENCH_MAX_DEVICES][GBL_DTYPES];
    struct above {
        int count;   /* rows that are above ROOFS_EXCEEDED times a roof */
        double most; /* of them */
        char row[128];
    } kept[BENCH_MAX_DEVICES], beside[BENCH_MAX_DEVICES]; /* known before; measured in this run */
    bench_output output;
    bench_row row; /* of a case that was drawn: until its regret is known */
    bool has_row;
    struct seat {
        struct bench_run *run;
        int device;
    } seats[BENCH_MAX_DEVICES];       /* what each session's functions are given */
    double work, work_done, work_now; /* guessed seconds: of all, of cases that are done, of this */
    int code;
} bench_run;

/* ---- What sessions call ---- */

/* What the model says of a row. Without an answer the row has no prediction. */
static void predict(const struct seat *seat, bench_row *row)
{
    gable_context *ctx = seat->run->sessions[seat->device].ctx;
    gbl_situation situation = {.replayed = row->mode == BENCH_REPLAY, .hot = row->hot};
    static forecast made;
    gbl_prediction prediction;
    if (forecast_make(ctx, &row->what, true, &made) != GABLE_OK)
        return;
    if (row->mode == BENCH_TRANSFER && !ctx->device->props.is_host)
        situation.link_bytes = made.work.bytes_read + made.work.bytes_written;
    forecast_predict(&made, ctx->device, &seat->run->roofs[seat->device], &situation, &prediction);
    row->predicted_usec = 1e6 * prediction.seconds;
    row->limiter = gbl_limiter_name(prediction.limiter);
}

static void add_above(struct above *above, const bench_row *row, double times)
{
    char name[32], sizes[64];
    above->count += times > ROOFS_EXCEEDED;
    if (!(times > ROOFS_EXCEEDED && times > above->most))
        return;
    above->most = times;
    bench_case_name(&row->what, name, sizeof name);
    bench_case_text(&row->what, sizes, sizeof sizes);
    snprintf(above->row, sizeof above->row, "%s %s %s", name, sizes, bench_temp_name(row->hot));
}

/* Remembers rows that are faster than roofs allow. */
static void compare_with_roofs(const struct seat *seat, const bench_row *row)
{
    bench_run *run = seat->run;
    const gbl_roofs *roofs = &run->roofs[seat->device];
    static forecast made;
    /* The roofs are those of other data and of plain arithmetic. */
    if (row->what.zeros || row->what.math != GABLE_MATH_PLAIN)
        return;
    if (run->asked.drawn.random == 0) /* else the kept roof is the only one */
        add_above(&run->beside[seat->device], row, row->roof);
    if (roofs->source == GBL_ROOFS_MEASURED &&
        forecast_make(run->sessions[seat->device].ctx, &row->what, false, &made) == GABLE_OK)
        add_above(&run->kept[seat->device], row,
                  forecast_roof_seconds(&made, roofs, row->hot) / (1e-6 * row->usec));
}

static void note_above(bench_run *run, const struct above *above, const char *roof,
                       const char *name, const char *advice)
{
    char text[512];
    snprintf(text, sizeof text, "%d row%s of %s %s above %.1f times %s (%s: %.2f times). %s",
             above->count, PLURAL(above->count), name, above->count == 1 ? "is" : "are",
             ROOFS_EXCEEDED, roof, above->row, above->most, advice);
    if (above->count > 0)
        bench_output_note(&run->output, text);
}

static void tell_above(bench_run *run)
{
    for (int i = 0; i < run->asked.device_count; i++) {
        const char *name = run->sessions[i].ctx->device->info.name;
        note_above(run, &run->kept[i], "the kept roof", name, roofs_wanted_again(&run->roofs[i]));
        note_above(run, &run->beside[i], "the roof beside them", name,
                   "Other programs disturbed that, or a plain copy is no roof for it; --seconds "
                   "takes more time for both.");
    }
}

static void show_row(const struct seat *seat, const bench_row *row)
{
    bench_row told = *row;
    compare_with_roofs(seat, row);
    if (seat->run->asked.model_error)
        predict(seat, &told);
    bench_output_row(&seat->run->output, seat->device, &told);
}

static void tell_row(void *user, const bench_row *row)
{
    const struct seat *seat = user;
    if (seat->run->asked.drawn.random == 0) {
        show_row(seat, row);
        return;
    }
    seat->run->row = *row;
    seat->run->has_row = true;
}

static void tell_note(void *user, const char *text)
{
    const struct seat *seat = user;
    bench_output_note(&seat->run->output, text);
}

static void tell_progress(void *user, const char *text, double done)
{
    const struct seat *seat = user;
    const bench_run *run = seat->run;
    char where[160];
    snprintf(where, sizeof where, "%.120s%s%s", text, run->asked.device_count > 1 ? " on " : "",
             run->asked.device_count > 1 ? run->sessions[seat->device].ctx->device->info.name : "");
    terminal_progress(where, (run->work_done + done * run->work_now) / run->work);
}

/* ---- Devices, peers and variants ---- */

/* Opens all devices of the list, so that none is measured when one cannot be. */
static int open_devices(bench_run *run)
{
    for (int i = 0; i < run->asked.device_count; i++) {
        bench_session *session = &run->sessions[i];
        const char *name = run->asked.devices[i];
        if (gable_open(&session->ctx, name[0] != '\0' ? name : NULL) != GABLE_OK)
            return args_fail(&bench_args, "%s", gable_message(session->ctx));
        for (int j = 0; j < i; j++)
            if (run->sessions[j].ctx->device == session->ctx->device)
                return args_refuse(&bench_args, "--device has %s twice, as %s and as %s",
                                   session->ctx->device->info.name, run->asked.devices[j], name);
        if (gable_set_math(session->ctx, (gable_math)run->asked.cases.math) != GABLE_OK)
            return args_fail(&bench_args, "%s", gable_message(session->ctx));
        run->seats[i] = (struct seat){run, i};
        session->seconds = run->asked.seconds;
        session->hot = run->asked.hot;
        session->transfer = run->asked.with_transfer;
        session->flops = run->product_flops[i];
        session->brief = run->asked.drawn.random > 0;
        session->row = tell_row;
        session->note = tell_note;
        session->progress = tell_progress;
        session->stop = interrupt_stops;
        session->user = &run->seats[i];
    }
    return EXIT_DONE;
}

/* "two_pass" is meant for each op of the request. */
static int force_variant(const bench_request *asked, gable_context *ctx)
{
    if (asked->variant == NULL)
        return EXIT_DONE;
    const size_t name = strcspn(asked->variant, ":=");
    if (asked->sparse.asked && asked->variant[name] != '=') {
        char choice[512];
        snprintf(choice, sizeof choice, "sparse_mv=%s", asked->variant);
        if (gable_set_variant(ctx, choice) != GABLE_OK)
            return args_refuse(&bench_args, "--variant %s: %s", asked->variant, gable_message(ctx));
        return EXIT_DONE;
    }
    for (int i = 0; i < asked->cases.op_count; i++) {
        char choice[512];
        if (asked->variant[name] == '=')
            snprintf(choice, sizeof choice, "%s", asked->variant);
        else
            snprintf(choice, sizeof choice, "%s=%s", asked->cases.ops[i].op->op->stem,
                     asked->variant);
        if (gable_set_variant(ctx, choice) != GABLE_OK)
            return args_refuse(&bench_args, "--variant %s: %s", asked->variant, gable_message(ctx));
    }
    return EXIT_DONE;
}

/* Opens the peers asked for. One that belongs to none of the devices, or is missing, gets a note.
 * Named alone, a peer is tried beside every device. The ladder of gemm takes all that are found,
 * those of the host beside any device. */
static void open_peers(bench_run *run)
{
    const bool alone = run->asked.peer_count == 1 && run->asked.device_count == 1;
    const bool ladder = bench_request_climbs(&run->asked),
               all = ladder && run->asked.peer_count == 0;
    for (int i = 0; all && bench_peer_kinds[i] != NULL && i < BENCH_MAX_PEERS; i++)
        run->asked.peers[run->asked.peer_count++] = bench_peer_kinds[i];
    for (int p = 0; p < run->asked.peer_count; p++) {
        const bench_peer_kind *kind = run->asked.peers[p];
        char text[1024];
        bool suits = false;
        for (int i = 0; i < run->asked.device_count; i++) {
            bench_session *session = &run->sessions[i];
            gbl_message why = {NULL, ""};
            if (!alone && !(ladder && kind->threads != NULL) && !kind->suits(session->ctx))
                continue;
            suits = true;
            if (run->asked.sparse.asked ? kind->sparse == NULL
                                        : kind->run == NULL && kind->time == NULL) {
                snprintf(text, sizeof text, "%s is not shown: it %s", kind->name,
                         run->asked.sparse.asked ? "has no sparse matrices"
                                                 : "is for sparse matrices alone");
                if (!all)
                    bench_output_note(&run->output, text);
                continue;
            }
            bench_peer *peer = &session->peers[session->peer_count];
            if (bench_peer_open(peer, kind, session->ctx, &why) == GABLE_OK) {
                session->peer_count++;
                continue;
            }
            snprintf(text, sizeof text, "%s is not shown: %.900s", kind->name, why.text);
            if (!all)
                bench_output_note(&run->output, text);
        }
        snprintf(text, sizeof text, "%s is not shown: it belongs beside %s", kind->name,
                 kind->where);
        if (!suits && !all)
            bench_output_note(&run->output, text);
    }
}

static bool has_products(const bench_request *asked)
{
    for (int i = 0; i < asked->cases.op_count; i++)
        if (bench_op_is_product(asked->cases.ops[i].op))
            return true;
    return false;
}

/* The roofs that predictions start from, and the limits of products: measured before anything else,
 * unless they are known. Without these two those that are known already serve. */
static int find_roofs(bench_run *run)
{
    const bool wanted =
        run->asked.model_error || run->asked.drawn.random > 0 || has_products(&run->asked);
    for (int i = 0; i < run->asked.device_count; i++) {
        gable_context *ctx = run->sessions[i].ctx;
        gbl_roofs *roofs = &run->roofs[i];
        gable_status status = GABLE_OK;
        gbl_roofs_get(ctx->device, roofs);
        if (wanted) {
            terminal_progress_start();
            status = roofs_wanted(ctx, roofs, terminal_progress);
            terminal_progress_erase();
        }
        if (status != GABLE_OK)
            return args_fail(&bench_args, "%s", gable_message(ctx));
        double *bandwidth = run->sessions[i].bandwidth;
        bandwidth[BENCH_ROOF_COPY] = roofs->copy;
        bandwidth[BENCH_ROOF_READ] = roofs->read;
        bandwidth[BENCH_ROOF_WRITE] = roofs->write;
        for (int dtype = 0; dtype < GBL_DTYPES; dtype++)
            run->product_flops[i][dtype] =
                gbl_roofs_product_flops(roofs, (gbl_dtype)dtype, run->asked.cases.math);
    }
    return EXIT_DONE;
}

static void note_others(bench_run *run)
{
    int cores = 0;
    char text[160];
    for (int i = 0; i < run->asked.device_count; i++)
        if (!run->sessions[i].ctx->device->props.is_gpu)
            cores = run->sessions[i].ctx->device->props.units;
    if (bench_busy_text(cores, text, sizeof text))
        bench_output_note(&run->output, text);
}

/* Seconds of the arithmetic of a product of matrices; of other ops bytes count. */
static double arithmetic_seconds(const bench_session *session, const bench_case *what)
{
    bench_call call;
    gbl_work work;
    if (!bench_op_is_product(what->op) || !(session->flops[what->dtype] > 0))
        return 0;
    bench_case_call(what, &call);
    what->op->op->work(&call, &work);
    return work.flops / (GUESSED_SHARE * session->flops[what->dtype]);
}

/* Seconds that a case may take on a device. */
static double guess(const bench_session *session, const bench_case *what)
{
    const double speed =
        session->ctx->device->props.is_gpu ? GPU_BYTES_A_SECOND : HOST_BYTES_A_SECOND;
    const double moving = (double)bench_set_bytes(what) / speed;
    const double call = moving + arithmetic_seconds(session, what);
    const double cache = 2 * (double)bench_cache_bytes(session->ctx) / speed;
    const double turns = LEAST_TURNS * (2 + session->peer_count) * call;
    const double row = turns > session->seconds ? turns : session->seconds;
    return ((session->hot ? 4 : 2) + session->transfer) * row + SETUP_SECONDS +
           SETUP_PASSES * (moving + cache);
}

#define SOMEWHERE 4096 /* an aligned address that is looked at, never followed */

/* The rungs of the ladder: the variants of transpose that some device can run, but the vendor's and
 * those that do not fit the case. */
static bool is_rung(const bench_run *run, const bench_case *what, const gbl_variant *variant)
{
    const gbl_matrix_call call = {.dtype = what->dtype,
                                  .trans = what->trans,
                                  .m = what->m,
                                  .n = what->n,
                                  .A = (void *)(uintptr_t)(16 * SOMEWHERE),
                                  .lda = what->m,
                                  .C = (void *)(uintptr_t)SOMEWHERE,
                                  .ldc = what->n};
    for (int i = 0; i < run->asked.device_count; i++)
        if (!variant->vendor && variant->fits(variant, &call, run->sessions[i].ctx->device))
            return true;
    return false;
}

static bool add_guess(void *user, const bench_case *what)
{
    bench_run *run = user;
    const gbl_op *op = what->op->op;
    if (bench_request_climbs(&run->asked)) {
        run->work += 1;
        return true;
    }
    int times = run->asked.ladder ? 0 : 1;
    for (int v = 0; run->asked.ladder && v < op->variant_count; v++)
        times += is_rung(run, what, &op->variants[v]);
    for (int i = 0; i < run->asked.device_count; i++)
        run->work += times * guess(&run->sessions[i], what);
    return true;
}

/* ---- Measuring ---- */

/* One case on all devices, as the variants stand. */
static bool measure_devices(bench_run *run, const bench_case *what)
{
    for (int i = 0; i < run->asked.device_count && !interrupt_asked; i++) {
        bench_session *session = &run->sessions[i];
        run->work_now = guess(session, what);
        const gable_status status = bench_measure(session, what);
        run->work_done += run->work_now;
        if (status == GABLE_OK)
            continue;
        terminal_progress_erase();
        char sizes[64];
        bench_case_text(what, sizes, sizeof sizes);
        run->code = args_fail(&bench_args, "%s %s on %s: %s", what->op->name, sizes,
                              session->ctx->device->info.name, gable_message(session->ctx));
    }
    bench_output_case_end(&run->output);
    return !interrupt_asked;
}

static void tell_rung(void *user, const ladder_row *row)
{
    bench_run *run = user;
    ladder_show_row(&run->output, 0, row);
}

static bool climb(bench_run *run, const bench_case *what)
{
    bench_session *session = &run->sessions[0];
    run->work_now = 1;
    const gable_status status = ladder_climb(session, &run->roofs[0], what, tell_rung, run);
    run->work_done += run->work_now;
    if (status == GABLE_OK)
        return !interrupt_asked;
    terminal_progress_erase();
    char sizes[64];
    bench_case_text(what, sizes, sizeof sizes);
    run->code = args_fail(&bench_args, "%s %s on %s: %s", what->op->name, sizes,
                          session->ctx->device->info.name, gable_message(session->ctx));
    return !interrupt_asked;
}

static bool measure(void *user, const bench_case *what)
{
    bench_run *run = user;
    if (bench_request_climbs(&run->asked))
        return climb(run, what);
    if (!run->asked.ladder)
        return measure_devices(run, what);
    const gbl_op *op = what->op->op;
    for (int v = 0; v < op->variant_count && !interrupt_asked; v++) {
        char choice[96];
        bool taken = true;
        if (!is_rung(run, what, &op->variants[v]))
            continue;
        snprintf(choice, sizeof choice, "%s=%s", op->stem, op->variants[v].name);
        for (int i = 0; i < run->asked.device_count; i++)
            taken = taken && gable_set_variant(run->sessions[i].ctx, choice) == GABLE_OK;
        if (taken && !measure_devices(run, what))
            return false;
    }
    return !interrupt_asked;
}

/* ---- Sparse matrices ---- */

static void tell_sparse_row(void *user, const bench_sparse_row *row)
{
    const struct seat *seat = user;
    sparse_show_row(&seat->run->output, seat->device, row);
}

static bool count_sparse(void *user, const bench_sparse_case *what)
{
    bench_run *run = user;
    (void)what;
    run->work += run->asked.device_count;
    return true;
}

static bool measure_sparse(void *user, const bench_sparse_case *what)
{
    bench_run *run = user;
    for (int i = 0; i < run->asked.device_count && !interrupt_asked; i++) {
        bench_session *session = &run->sessions[i];
        char name[160];
        run->work_now = 1;
        const gable_status status = bench_sparse_measure(session, what, tell_sparse_row);
        run->work_done += 1;
        if (status == GABLE_OK)
            continue;
        terminal_progress_erase();
        bench_sparse_text(what, name, sizeof name);
        run->code = args_fail(&bench_args, "%s on %s: %s", name, session->ctx->device->info.name,
                              gable_message(session->ctx));
    }
    return !interrupt_asked;
}

static void fail_sparse(void *user, const char *why)
{
    bench_run *run = user;
    terminal_progress_erase();
    run->code = args_fail(&bench_args, "%s", why);
}

static void measure_all_sparse(bench_run *run)
{
    sparse_show_header(&run->output);
    sparse_request_each(&run->asked.sparse, false, count_sparse, fail_sparse, run);
    terminal_progress_start();
    sparse_request_each(&run->asked.sparse, true, measure_sparse, fail_sparse, run);
    bench_output_summary(&run->output);
}

/* ---- Cases drawn at random ---- */

/* One case; false: the device is gone. */
static bool measure_drawn(bench_run *run, const bench_case *what)
{
    bench_session *session = &run->sessions[0];
    char text[SWEEP_TEXT_BYTES];
    run->has_row = false;
    gable_status status = bench_measure(session, what);
    if (status == GABLE_OK && run->has_row && run->asked.drawn.regret && !interrupt_asked)
        status = sweep_regret(session, &run->row);
    if (run->has_row)
        show_row(&run->seats[0], &run->row);
    if (status == GABLE_OK)
        return true;
    terminal_progress_erase();
    sweep_arguments(what, text, sizeof text);
    run->code = args_fail(&bench_args, "%s: %s", text, gable_message(session->ctx));
    return status != GABLE_DEVICE_LOST;
}

static void prepare_drawn(bench_run *run, int first)
{
    const sweep *drawn = &run->asked.drawn;
    const int left = drawn->count - first, count = left < SWEEP_TOGETHER ? left : SWEEP_TOGETHER;
    char text[96];
    snprintf(text, sizeof text, "kernels of cases %d to %d of %d", first + 1, first + count,
             drawn->count);
    terminal_progress_now(text, run->work_done / run->work);
    sweep_prepare(run->sessions[0].ctx, &drawn->cases[first], count, drawn->regret);
}

static void measure_all_drawn(bench_run *run)
{
    const sweep *drawn = &run->asked.drawn;
    const double start = terminal_now();
    bench_output_header(&run->output);
    terminal_progress_start();
    run->work = drawn->count;
    run->work_now = 1;
    for (int i = 0; i < drawn->count && !interrupt_asked; i++) {
        if (drawn->budget > 0 && terminal_now() - start >= drawn->budget) {
            run->output.late = drawn->count - i;
            break;
        }
        if (i % SWEEP_TOGETHER == 0)
            prepare_drawn(run, i);
        if (interrupt_asked || !measure_drawn(run, &drawn->cases[i]))
            break;
        run->work_done++;
    }
    bench_output_summary(&run->output);
    tell_above(run);
}

static void measure_all_dense(bench_run *run)
{
    if (bench_request_climbs(&run->asked))
        ladder_show_header(&run->output);
    else
        bench_output_header(&run->output);
    case_request_each(&run->asked.cases, add_guess, run);
    terminal_progress_start();
    case_request_each(&run->asked.cases, measure, run);
    if (!bench_request_climbs(&run->asked))
        bench_output_summary(&run->output);
    tell_above(run);
}

static int measure_all(bench_run *run)
{
    note_others(run);
    open_peers(run);
    if (run->asked.sparse.asked)
        measure_all_sparse(run);
    else if (run->asked.drawn.random > 0)
        measure_all_drawn(run);
    else
        measure_all_dense(run);
    if (interrupt_asked) {
        args_fail(&bench_args, "stopped; the rows above are complete");
        return EXIT_STOPPED;
    }
    return run->output.failed > 0 ? EXIT_FAILED : run->code;
}

int bench_command(int argc, char **argv)
{
    static bench_run run;
    int code = bench_request_read(argc, argv, &run.asked);
    if (code != EXIT_DONE)
        return code < 0 ? EXIT_DONE : code;
    run.output.asked = &run.asked;
    run.output.sessions = run.sessions;
    code = open_devices(&run);
    for (int i = 0; code == EXIT_DONE && i < run.asked.device_count; i++)
        code = force_variant(&run.asked, run.sessions[i].ctx);
    if (code == EXIT_DONE)
        code = find_roofs(&run);
    if (code == EXIT_DONE && run.asked.drawn.random > 0 &&
        sweep_draw(&run.asked.drawn, &run.asked.cases, run.sessions[0].ctx) != GABLE_OK)
        code = args_fail(&bench_args, "%s", gable_message(run.sessions[0].ctx));
    if (code == EXIT_DONE) {
        /* A first Ctrl-C ends the measurement, a second the process. */
        interrupt_watch();
        code = measure_all(&run);
    }
    for (int i = 0; i < run.asked.device_count; i++) {
        for (int p = 0; p < run.sessions[i].peer_count; p++)
            bench_peer_close(&run.sessions[i].peers[p]);
        gable_close(run.sessions[i].ctx);
    }
    model_error_free(&run.output.errors);
    sweep_values_free(&run.output.values);
    sweep_free(&run.asked.drawn);
    return code;
}
