/* solver_bicgstab.c: BiCGStab, preconditioned from the right, on devices with kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/solver/bicgstab.h explains the algorithm: four launches per iteration, scalars in the
 * device's memory. Where the matrix is an operator, or has a format without fused kernels, or the
 * preconditioner is neither the identity nor a diagonal, calls make the products and the kernels
 * add.
 *
 * Behind a batch x is copied where its residual is the smallest so far; the round ends with the
 * best of these. A breakdown starts again from the true residual with a new r0, as long as that
 * makes the residual smaller.
 */
#include <math.h>
#include "core/kernel_args.h"
#include "bicgstab_args.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "sparse/solver/bicgstab_plan.h"
#include "sparse/solver/krylov_host.h"

_Static_assert(sizeof(bicgstab_args) == 7 * 8, "host and device must agree");
_Static_assert(BICGSTAB_KEEP < (int)GBL_STATE_HISTORY, "host and device must agree");

typedef enum vector { P, V, S, T_, SHADOW, KEPT, P_HAT, S_HAT, VECTORS } vector;
typedef enum sums { OF_FIRST, OF_HALF, OF_SECOND, OF_UPDATE, SUM_KINDS } sums;

typedef struct bicgstab {
    gbl_solve *solve;
    gable_solver *solver;
    gbl_fused_rows product; /* all kernels have its groups */
    gbl_kernel *kernels[GBL_BICGSTAB_KERNELS];
    void *at[VECTORS];
    double *partials[SUM_KINDS];
    double *state;
    bicgstab_args args;
    int precond; /* gbl_bicgstab_precond */
} bicgstab;

/* ---- Preparation ---- */

static gable_status get_kernels(bicgstab *b)
{
    gable_context *ctx = b->solver->ctx;
    for (int which = 0; which < GBL_BICGSTAB_KERNELS; which++) {
        gbl_kernel_spec spec;
        gbl_bicgstab_spec(b->solver, &b->product, (gbl_bicgstab_kernel)which, &spec);
        TRY(gbl_kernel_get(ctx->device, &spec, &b->kernels[which], &ctx->message));
    }
    return GABLE_OK;
}

static gable_status take_memory(bicgstab *b)
{
    gable_context *ctx = b->solver->ctx;
    const size_t bytes = (size_t)b->solver->n * gbl_dtype_bytes(b->solver->dtype);
    const size_t reals = gbl_dtype_complex(b->solver->dtype) ? 2 : 1;
    void *memory;
    for (int i = 0; i < VECTORS; i++)
        if (b->precond == 2 || (i != P_HAT && i != S_HAT))
            TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &b->at[i], &ctx->message));
    for (int i = 0; i < SUM_KINDS; i++) {
        TRY(gbl_arena_take(ctx->arena, ctx->device,
                           (size_t)b->product.groups * 3 * reals * sizeof(double), &memory,
                           &ctx->message));
        b->partials[i] = memory;
    }
    TRY(gbl_arena_take(ctx->arena, ctx->device, GBL_STATE_COUNT * sizeof(double), &memory,
                       &ctx->message));
    b->state = memory;
    return GABLE_OK;
}

static gable_status prepare(bicgstab *b)
{
    gable_solver *solver = b->solver;
    gbl_bicgstab_plan(solver->ctx->device, solver, &b->product);
    b->precond = gbl_bicgstab_precond(solver, &b->product);
    b->args = (bicgstab_args){.product = b->product.args,
                              .partials = b->product.groups,
                              .most = GBL_BICGSTAB_WAITING,
                              .eps = gbl_dtype_real_bytes(solver->dtype) == 4 ? 0x1p-24 : 0x1p-53};
    TRY(take_memory(b));
    return get_kernels(b);
}

/* ---- Launches ---- */

static gable_status launch(const bicgstab *b, gbl_kernel *kernel, int64_t groups,
                           gbl_launch_spec spec)
{
    spec.groups[0] = groups;
    spec.groups[1] = 1;
    spec.group[0] = b->product.local;
    spec.group[1] = 1;
    spec.args = &b->args;
    spec.args_bytes = sizeof b->args;
    return gbl_launch(b->solver->ctx, kernel, &spec);
}

/* y := A M^-1 x and its sums; `hat` is M^-1 x where that is a vector. */
static gable_status enqueue_product(const bicgstab *b, int second)
{
    gable_solver *solver = b->solver;
    const void *x = b->at[second ? S : P];
    void *y = b->at[second ? T_ : V], *hat = b->at[second ? S_HAT : P_HAT];
    if (!b->product.fused) {
        const void *from = x;
        if (solver->precond != GBL_PRECOND_NONE) {
            TRY(gbl_solver_precondition(solver, x, hat));
            from = hat;
        }
        TRY(gbl_solver_apply(solver, from, y));
    }
    gbl_launch_spec spec = {.buffer_count = GBL_FUSED_BUFFERS + 6, .buffers = {x}};
    const void *const rest[] = {
        x,        b->at[SHADOW],          y,
        b->state, b->partials[OF_UPDATE], b->partials[second ? OF_SECOND : OF_FIRST]};
    gbl_fused_rows_buffers(solver, &b->product, spec.buffers);
    for (int i = 0; i < 6; i++)
        spec.buffers[GBL_FUSED_BUFFERS + i] = rest[i];
    return launch(b, b->kernels[second ? GBL_BICGSTAB_SECOND : GBL_BICGSTAB_FIRST],
                  b->product.groups, spec);
}

static gable_status enqueue_half(const bicgstab *b)
{
    const gbl_launch_spec spec = {.buffer_count = 7,
                                  .buffers = {b->solve->r, b->at[V], b->at[SHADOW], b->at[S],
                                              b->state, b->partials[OF_FIRST],
                                              b->partials[OF_HALF]}};
    return launch(b, b->kernels[GBL_BICGSTAB_HALF], b->product.groups, spec);
}

static gable_status enqueue_update(const bicgstab *b)
{
    const void *inverse = b->precond == 1 ? b->solver->inverse : b->at[S];
    const gbl_launch_spec spec = {
        .buffer_count = 13,
        .buffers = {
            b->at[S], b->at[T_], b->at[V], inverse, b->precond == 2 ? b->at[P_HAT] : b->at[S],
            b->precond == 2 ? b->at[S_HAT] : b->at[S], b->solve->x, b->solve->r, b->at[P], b->state,
            b->partials[OF_HALF], b->partials[OF_SECOND], b->partials[OF_UPDATE]}};
    return launch(b, b->kernels[GBL_BICGSTAB_UPDATE], b->product.groups, spec);
}

static gable_status enqueue_start(const bicgstab *b)
{
    const gbl_launch_spec spec = {.buffer_count = 6,
                                  .buffers = {b->solve->r, b->solve->x, b->at[P], b->at[SHADOW],
                                              b->at[KEPT], b->partials[OF_UPDATE]}};
    return launch(b, b->kernels[GBL_BICGSTAB_START], b->product.groups, spec);
}

static gable_status enqueue_batch(void *method, int64_t iterations)
{
    const bicgstab *b = method;
    for (int64_t i = 0; i < iterations; i++) {
        TRY(enqueue_product(b, 0));
        TRY(enqueue_half(b));
        TRY(enqueue_product(b, 1));
        TRY(enqueue_update(b));
    }
    const gbl_launch_spec judge = {.buffer_count = 2,
                                   .buffers = {b->state, b->partials[OF_UPDATE]}},
                          keep = {.buffer_count = 3,
                                  .buffers = {b->state, b->solve->x, b->at[KEPT]}};
    TRY(launch(b, b->kernels[GBL_BICGSTAB_JUDGE], 1, judge));
    return launch(b, b->kernels[GBL_BICGSTAB_KEEP_BEST], b->product.groups, keep);
}

/* ---- A round ---- */

/* From the residual in r, which is true. */
static gable_status run(bicgstab *b, gbl_round *round, double *kept)
{
    gbl_solve *solve = b->solve;
    gable_solver *solver = solve->solver;
    const double rr = solve->norm_r * solve->norm_r;
    double own[BICGSTAB_KEEP + 1 - GBL_STATE_FIRST] = {0};
    own[BICGSTAB_RHO - GBL_STATE_FIRST] = rr;
    own[BICGSTAB_RHO_NEXT - GBL_STATE_FIRST] = rr;
    own[BICGSTAB_NEXT - GBL_STATE_FIRST] = OUTCOME_NONE;
    own[BICGSTAB_SHADOW - GBL_STATE_FIRST] = rr;
    own[BICGSTAB_BEST - GBL_STATE_FIRST] = rr;
    own[BICGSTAB_KEPT - GBL_STATE_FIRST] = rr;
    TRY(gbl_batches_begin(solve, b->state, own, (int)(sizeof own / sizeof own[0])));
    TRY(enqueue_start(b));
    const gbl_batches batches = {.solve = solve,
                                 .state = b->state,
                                 .batch = gbl_batches_size(solver),
                                 .record = solver->A != NULL && solver->precond != GBL_PRECOND_USER,
                                 .enqueue = enqueue_batch,
                                 .method = b,
                                 .method_bytes = b->product.fused ? sizeof *b : 0};
    TRY(gbl_batches_run(&batches, round));
    double squared;
    TRY(gbl_read_scalar(solver->ctx, b->state + BICGSTAB_KEPT, sizeof squared, &squared));
    *kept = sqrt(squared);
    /* Stopped by the monitor, x is as good as it was at the last look or better. */
    if (round->recursive <= *kept)
        return GABLE_OK;
    round->recursive = *kept;
    return gbl_copy_on_device(solver->ctx, solve->x, b->at[KEPT],
                              (size_t)solver->n * gbl_dtype_bytes(solver->dtype));
}

static gable_status solve_by_kernels(gbl_solve *solve, gbl_round *round)
{
    bicgstab b = {.solve = solve, .solver = solve->solver};
    gbl_solve rest = *solve; /* as it is from the last restart on */
    TRY(prepare(&b));
    b.solve = &rest;
    *round = (gbl_round){.form = "standard", .bytes = gbl_bicgstab_bytes(solve->solver)};
    for (int restarts = 0; restarts <= GBL_BICGSTAB_RESTARTS; restarts++) {
        gbl_round part = {.form = round->form};
        const double before = rest.norm_r;
        double kept;
        TRY(run(&b, &part, &kept));
        round->outcome = part.outcome;
        round->iterations += part.iterations;
        round->recursive = part.recursive;
        rest.done += part.iterations;
        if (part.outcome != GABLE_BREAKDOWN || part.iterations == 0 || rest.done >= rest.limit ||
            !(part.recursive < before))
            return GABLE_OK;
        TRY(gbl_krylov_residual(&rest));
        if (!(rest.norm_r < before) || rest.norm_r <= rest.target)
            return GABLE_OK;
    }
    return GABLE_OK;
}

double gbl_bicgstab_bytes(const gable_solver *solver)
{
    const double one = (double)solver->n * (double)gbl_dtype_bytes(solver->dtype);
    const double matrix = solver->layout.format != 0 ? gbl_sparse_bytes(&solver->layout) : 0;
    /* Products read r0 (and s), half reads r, v, r0 and writes s, the update reads x, p, s, t, v
     * and writes x, r, p. The vectors that products read and write are in the bytes of the
     * matrix. */
    const double scale = solver->precond == GBL_PRECOND_NONE ? 0 : 3;
    return 2 * matrix + (2 + 4 + 8 + scale) * one + 2 * gbl_factor_bytes(solver);
}

gable_status gbl_solve_bicgstab(gbl_solve *solve, gbl_round *round)
{
    if (!solve->solver->ctx->device->props.is_host)
        return solve_by_kernels(solve, round);
    return gbl_solve_bicgstab_host(solve, round);
}
