/* ladder.c: climbs the ladder of matrix-multiply kernels: predicts, measures and inspects each
 * rung.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All rungs run on one set of operands, recorded and replayed, cold. What the compiler made of a
 * rung is read from the kernel that ran and, for the instructions, from one that is compiled for
 * the device's architecture again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel.h"
#include "device/nvrtc.h"
#include "gable/explain/forecast.h"
#include "gable/inspect/disassemble.h"
#include "gable/inspect/instruction_mix.h"
#include "gable/plural.h"
#include "ladder.h"
#include "line_read.h"
#include "rig.h"

/* From neighbours a column apart to Volkov's form. Behind them stands what the library chooses. */
static const char *const rungs[] = {
    "uncoalesced",
    "naive",
    "tiled:tile=4",
    "tiled:tile=8",
    "tiled:tile=12",
    "tiled:tile=16",
    "tiled:tile=32",
    "unrolled:tile=16",
    "unrolled:tile=32",
    "outputs:tile=32:outputs=2",
    "outputs:tile=32:outputs=4",
    "outputs:tile=32:outputs=8",
    "volkov:rows=64",
};
#define RUNGS ((int)(sizeof rungs / sizeof rungs[0]))
/* On GPUs, in the shape that the model puts first: the portable kernel, and the one for Hopper's
 * copy engine. */
static const char *const tops[] = {"tile", "pipeline"};
#define TOPS       ((int)(sizeof tops / sizeof tops[0]))
#define FIRST_READ 1 /* the reads stand between the first rung and the second */

typedef struct climb {
    bench_session *session;
    const gbl_roofs *roofs;
    const bench_case *what;
    void (*row)(void *user, const ladder_row *row);
    void *user;
    bench_rig *rig;
    double steps, done; /* for the line of progress */
} climb;

static ladder_row empty_row(const climb *of, ladder_kind kind, const char *name)
{
    ladder_row row = {.kind = kind,
                      .what = *of->what,
                      .mode = BENCH_REPLAY,
                      .gflops = -1,
                      .gbs = -1,
                      .predicted_usec = -1,
                      .registers = -1,
                      .local_bytes = -1,
                      .occupancy = -1,
                      .fma_share = -1};
    snprintf(row.name, sizeof row.name, "%s", name);
    return row;
}

static void tell_progress(climb *of, const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "the rung %s", name);
    of->session->progress(of->session->user, text, of->done / of->steps);
    of->done++;
}

/* ---- What the compiler made of a rung ---- */

/* The part of the instructions that are multiply-adds; -1: there are none. */
static double fma_share(const instruction_mix *mix)
{
    int fma = 0;
    for (int i = 0; i < mix->count; i++)
        if (strncmp(mix->classes[i].name, "fma ", 4) == 0 ||
            strcmp(mix->classes[i].name, "matrix multiply") == 0)
            fma += mix->classes[i].instructions;
    return mix->total > 0 ? (double)fma / mix->total : -1;
}

/* Of a kernel as it is compiled for an architecture: of the machine's instructions where a
 * disassembler is found, else of PTX. -1 where NVIDIA's compiler is not found. */
static double share_of(const gbl_kernel_spec *spec, const char *arch)
{
    gbl_message message = {NULL, ""};
    gbl_nvrtc_product product;
    gbl_macro_list macros;
    instruction_mix mix;
    char *source = NULL, entry[GBL_ENTRY_BYTES];
    const char *why;
    double share = -1;
    if (gbl_kernel_source(spec->file, &source, &message) != GABLE_OK)
        return -1;
    gbl_kernel_macros(spec, &macros);
    gbl_kernel_entry(spec, entry);
    const gable_status status =
        gbl_nvrtc_compile(source, macros.list, arch, true, &product, &message);
    free(source);
    if (status != GABLE_OK)
        return -1;
    char *listing = product.is_ptx ? NULL : disassemble(product.image, product.image_bytes, &why);
    if ((listing != NULL && mix_of_sass(listing, entry, &mix)) ||
        (product.ptx != NULL && mix_of_ptx(product.ptx, entry, &mix)))
        share = fma_share(&mix);
    free(listing);
    gbl_nvrtc_product_free(&product);
    return share;
}

static void inspect(const climb *of, const forecast *made, ladder_row *row)
{
    const gbl_device *device = of->session->ctx->device;
    const gbl_variant *variant = made->choice.variant;
    const forecast_kernel *most = NULL;
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    for (int i = 0; i < made->launches && i < FORECAST_KERNELS; i++)
        if (most == NULL ||
            made->kernels[i].groups * made->kernels[i].items > most->groups * most->items)
            most = &made->kernels[i];
    if (most == NULL)
        return;
    row->registers = most->registers;
    row->local_bytes = most->local_bytes;
    row->occupancy = most->has_occupancy ? most->occupancy.fraction : -1;
    if (strncmp(device->info.arch, "sm_", 3) != 0 || variant->specs == NULL)
        return;
    const int count = variant->specs(variant, &made->call, &made->choice.params, device, specs);
    for (int i = 0; i < count; i++) {
        char entry[GBL_ENTRY_BYTES];
        gbl_kernel_entry(&specs[i], entry);
        if (strcmp(entry, most->name) == 0)
            row->fma_share = share_of(&specs[i], device->info.arch);
    }
}

/* ---- Rungs ---- */

/* What the model says, and what is compiled, for the choice that is forced or, where none is, made.
 * link_bytes cross the link to the host. */
static gable_status foresee(const climb *of, double link_bytes, ladder_row *row)
{
    static forecast made;
    gable_context *ctx = of->session->ctx;
    const gbl_situation situation = {.replayed = link_bytes == 0, .link_bytes = link_bytes};
    gbl_prediction prediction;
    TRY(forecast_make(ctx, of->what, true, &made));
    forecast_predict(&made, ctx->device, of->roofs, &situation, &prediction);
    row->predicted_usec = 1e6 * prediction.seconds;
    row->limiter = gbl_limiter_name(prediction.limiter);
    row->variant = made.choice.variant->name;
    if (row->kind == LADDER_CHOSEN || row->name[0] == '\0')
        forecast_choice_text(&made, row->name, sizeof row->name);
    inspect(of, &made, row);
    return GABLE_OK;
}

static gable_status measure_choice(climb *of, const gbl_choice *choice, ladder_row *row)
{
    bench_timing timing;
    gbl_work work;
    TRY(gbl_force_choice(of->session->ctx, of->what->op->op, choice));
    TRY(foresee(of, 0, row));
    TRY(bench_rig_check(of->rig, choice, &row->error));
    TRY(bench_rig_time(of->rig, choice, of->session->seconds, 0, &timing));
    of->what->op->op->work(bench_rig_call(of->rig), &work);
    row->usec = 1e6 * timing.seconds;
    row->usec_min = 1e6 * timing.least;
    row->gflops = 1e-9 * work.flops / timing.seconds;
    of->row(of->user, row);
    return GABLE_OK;
}

/* The choice that a rung is, from its text; false: the op has no such variant, or it does not
 * fit. */
static bool find_choice(const climb *of, const char *text, gbl_choice *choice)
{
    const gbl_op *op = of->what->op->op;
    gable_context *ctx = of->session->ctx;
    char forced[LADDER_NAME_BYTES + 16];
    for (int v = 0; v < op->variant_count; v++) {
        const gbl_variant *variant = &op->variants[v];
        const size_t length = strlen(variant->name);
        if (strncmp(variant->name, text, length) != 0 ||
            (text[length] != '\0' && text[length] != ':') ||
            !variant->fits(variant, bench_rig_call(of->rig), ctx->device))
            continue;
        snprintf(forced, sizeof forced, "%s=%s", op->stem, text);
        return gable_set_variant(ctx, forced) == GABLE_OK &&
               gbl_op_choose(ctx, op, bench_rig_call(of->rig), choice) == GABLE_OK;
    }
    return false;
}

static gable_status measure_rung(climb *of, const char *text)
{
    gbl_choice choice;
    ladder_row row = empty_row(of, LADDER_RUNG, text);
    tell_progress(of, text);
    if (!find_choice(of, text, &choice))
        return GABLE_OK;
    return measure_choice(of, &choice, &row);
}

/* What the library takes by itself. */
static gable_status choose(const climb *of, gbl_choice *choice)
{
    const gbl_op *op = of->what->op->op;
    TRY(gbl_force_choice(of->session->ctx, op, NULL));
    return gbl_op_choose(of->session->ctx, op, bench_rig_call(of->rig), choice);
}

static gable_status measure_chosen(climb *of)
{
    gbl_choice choice;
    ladder_row row = empty_row(of, LADDER_CHOSEN, "");
    TRY(choose(of, &choice));
    tell_progress(of, choice.variant->name);
    return measure_choice(of, &choice, &row);
}

/* The top rungs, but the one that the library takes: it comes last. */
static gable_status measure_tops(climb *of)
{
    gbl_choice chosen, choice;
    TRY(choose(of, &chosen));
    for (int i = 0; i < TOPS && !of->session->stop(of->session->user); i++) {
        ladder_row row = empty_row(of, LADDER_RUNG, "");
        tell_progress(of, tops[i]);
        if (strcmp(chosen.variant->name, tops[i]) != 0 && find_choice(of, tops[i], &choice))
            TRY(measure_choice(of, &choice, &row));
    }
    return GABLE_OK;
}

/* What the library takes where single precision may be made of products of tensor cores, if that is
 * another variant. */
static gable_status measure_permitted(climb *of)
{
    gable_context *ctx = of->session->ctx;
    bench_case what = *of->what;
    climb more = *of;
    gbl_choice plain, choice;
    TRY(choose(of, &plain));
    what.math = GABLE_MATH_TF32X3;
    more.what = &what;
    more.rig = NULL;
    TRY(gable_set_math(ctx, GABLE_MATH_TF32X3));
    gable_status status = bench_rig_make(&more.rig, ctx, &what, false);
    if (status == GABLE_OK)
        status = choose(&more, &choice);
    if (status == GABLE_OK && choice.variant != plain.variant) {
        ladder_row row = empty_row(&more, LADDER_CHOSEN, "");
        tell_progress(of, "tf32x3");
        status = measure_choice(&more, &choice, &row);
    }
    bench_rig_free(more.rig);
    const gable_status back = gable_set_math(ctx, (gable_math)of->what->math);
    return status == GABLE_OK ? back : status;
}

/* A factor of the product, read as the naive kernels read it and not multiplied. */
static gable_status measure_read(climb *of, bool across)
{
    gable_context *ctx = of->session->ctx;
    const gbl_product_call *call = &bench_rig_call(of->rig)->product;
    const gbl_situation situation = {0};
    gbl_prediction prediction;
    gbl_cost cost;
    double seconds;
    ladder_row row = empty_row(of, LADDER_READ, across ? "read, uncoalesced" : "read, coalesced");
    tell_progress(of, row.name);
    if (!bench_line_read_fits(ctx, call->m, call->k))
        return GABLE_OK;
    TRY(bench_line_read_seconds(ctx, call->dtype, call->m, call->k, across, &seconds));
    bench_line_read_cost(ctx->device, call->dtype, call->m, call->k, across, &cost);
    gbl_predict(&cost, call->dtype, &ctx->device->props, of->roofs, &situation, &prediction);
    row.mode = BENCH_SINGLE;
    row.usec = 1e6 * seconds;
    row.usec_min = row.usec;
    row.gbs =
        1e-9 * (double)call->m * (double)call->k * (double)gbl_dtype_bytes(call->dtype) / seconds;
    row.predicted_usec = 1e6 * prediction.seconds;
    row.limiter = gbl_limiter_name(prediction.limiter);
    of->row(of->user, &row);
    return GABLE_OK;
}

/* ---- Other libraries ---- */

/* What a session beside other libraries tells is turned into rows of the ladder. */
typedef struct beside {
    climb *of;
    const bench_session *session;
} beside;

/* What the library chooses, with operands that come from the host and a C that goes back. */
static void tell_transfer(const climb *of, const bench_row *measured)
{
    const bench_case *what = of->what;
    const double m = (double)what->m, n = (double)what->n, k = (double)what->k;
    ladder_row row = empty_row(of, LADDER_CHOSEN, measured->variant);
    if (foresee(of, (m * k + k * n + m * n) * (double)gbl_dtype_bytes(what->dtype), &row) !=
        GABLE_OK)
        return;
    row.mode = measured->mode;
    row.usec = measured->usec;
    row.usec_min = measured->usec_min;
    row.gflops = measured->gflops;
    row.error = measured->error;
    of->row(of->user, &row);
}

static void tell_peers(void *user, const bench_row *measured)
{
    const beside *of = user;
    if (measured->mode == BENCH_SINGLE)
        return;
    if (measured->mode == BENCH_TRANSFER)
        tell_transfer(of->of, measured);
    for (int i = 0; i < of->session->peer_count; i++) {
        if (!(measured->vs[i] > 0))
            continue;
        const bench_peer_kind *kind = of->session->peers[i].kind;
        const int threads = kind->threads != NULL ? kind->threads(0) : 0;
        ladder_row row = empty_row(of->of, LADDER_PEER, kind->name);
        const size_t used = strlen(row.name);
        if (threads > 0)
            snprintf(row.name + used, sizeof row.name - used, ", %d thread%s", threads,
                     PLURAL(threads));
        row.mode = measured->mode;
        row.usec = row.usec_min = measured->usec * measured->vs[i];
        row.gflops = measured->gflops / measured->vs[i];
        of->of->row(of->of->user, &row);
    }
}

static void tell_note(void *user, const char *text)
{
    const beside *of = user;
    of->of->session->note(of->of->session->user, text);
}

static void tell_nothing(void *user, const char *text, double done)
{
    (void)user, (void)text, (void)done;
}

static bool stops(void *user)
{
    const beside *of = user;
    return of->of->session->stop(of->of->session->user);
}

/* The peers of the session, or one of them with one thread, beside what the library chooses. */
static gable_status measure_peers(climb *of, bench_peer *alone)
{
    bench_session session = *of->session;
    beside told = {of, &session};
    session.row = tell_peers;
    session.note = tell_note;
    session.progress = tell_nothing;
    session.stop = stops;
    session.user = &told;
    session.hot = false;
    session.transfer = session.transfer && alone == NULL;
    if (alone != NULL) {
        session.peers[0] = *alone;
        session.peer_count = 1;
    }
    TRY(gbl_force_choice(session.ctx, of->what->op->op, NULL));
    return bench_measure(&session, of->what);
}

/* Beside those with threads of their own also with one. */
static gable_status measure_beside(climb *of)
{
    bench_session *session = of->session;
    tell_progress(of, "other libraries");
    if (session->peer_count == 0 && !session->transfer)
        return GABLE_OK;
    TRY(measure_peers(of, NULL));
    for (int i = 0; i < session->peer_count; i++) {
        bench_peer *peer = &session->peers[i];
        const int threads = peer->kind->threads != NULL ? peer->kind->threads(0) : 1;
        if (threads <= 1 || session->stop(session->user))
            continue;
        peer->kind->threads(1);
        const gable_status status = measure_peers(of, peer);
        peer->kind->threads(threads);
        TRY(status);
    }
    return GABLE_OK;
}

/* ---- All of them ---- */

/* On cpu there are no rungs: the variants that run there, in the order of the table. */
static gable_status climb_host(climb *of)
{
    const gbl_op *op = of->what->op->op;
    for (int v = 0; v < op->variant_count; v++)
        if (!op->variants[v].vendor && op->variants[v].kernels == NULL &&
            !of->session->stop(of->session->user))
            TRY(measure_rung(of, op->variants[v].name));
    return GABLE_OK;
}

static gable_status climb_rungs(climb *of)
{
    bench_session *session = of->session;
    for (int i = 0; i < RUNGS && !session->stop(session->user); i++) {
        if (i == FIRST_READ) {
            TRY(measure_read(of, true));
            TRY(measure_read(of, false));
        }
        TRY(measure_rung(of, rungs[i]));
    }
    return session->ctx->device->props.is_gpu ? measure_tops(of) : GABLE_OK;
}

gable_status ladder_climb(bench_session *session, const gbl_roofs *roofs, const bench_case *what,
                          void (*row)(void *user, const ladder_row *row), void *user)
{
    climb of = {.session = session,
                .roofs = roofs,
                .what = what,
                .row = row,
                .user = user,
                .steps = RUNGS + TOPS + 5};
    gable_status status = bench_rig_make(&of.rig, session->ctx, what, false);
    if (status == GABLE_OK)
        status = session->ctx->device->props.is_host ? climb_host(&of) : climb_rungs(&of);
    if (status == GABLE_OK && !session->stop(session->user))
        status = measure_chosen(&of);
    if (status == GABLE_OK && what->dtype == GBL_S && what->math == GABLE_MATH_PLAIN &&
        !session->stop(session->user))
        status = measure_permitted(&of);
    bench_rig_free(of.rig);
    if (status == GABLE_OK && !session->stop(session->user))
        status = measure_beside(&of);
    return status;
}
