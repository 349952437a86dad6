/* solver_cg.c: conjugate gradients: which form runs, and the standard one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The standard form is made of calls: a product, two or three inner products, three updates of
 * vectors, and two tiny kernels that make alpha and beta of them. It takes any operator and
 * preconditioner, and runs on every device:
 *     q = A p,  alpha = <r, z> / <p, q>,  x += alpha p,  r -= alpha q,  z = M^-1 r,
 *     beta = <r, z> / <r, z>',  p = z + beta p
 */
#include <math.h>
#include "core/kernel_args.h"
#include "blas/level1/level1.h"
#include "cg_scalars_args.h"
#include "core/kernel.h"
#include "core/launch.h"
#include "sparse/solver/solver.h"

#define ROUTINE "gable_solver_solve"

_Static_assert(sizeof(cg_scalars_args) == 8, "host and device must agree");

/* ---- The form ---- */

gable_status gbl_solve_cg(gbl_solve *solve, gbl_round *round)
{
    const gable_solver *solver = solve->solver;
    const gbl_form wanted = solver->options.form;
    int count;
    const gbl_cg_form *forms = gbl_cg_forms(&count);
    for (int i = 0; i < count; i++) {
        if ((wanted != GBL_FORM_AUTO && wanted != forms[i].form) || !forms[i].fits(solver))
            continue;
        if (wanted == GBL_FORM_AUTO && solver->long_rows && forms[i].form != GBL_STANDARD)
            continue;
        round->form = forms[i].name;
        return forms[i].solve(solve, round);
    }
    if (wanted == GBL_PERSISTENT)
        return gbl_fail(&solver->ctx->message, GABLE_NOT_SUPPORTED,
                        "form=persistent needs CUDA, a matrix in csr, ell or sell that its "
                        "multiprocessors can hold vectors for, and precond=none or jacobi");
    return gbl_fail(
        &solver->ctx->message, GABLE_NOT_SUPPORTED,
        "form=pipelined needs a matrix in csr, ell or sell, and precond=none, jacobi or "
        "block; form=standard takes all");
}

/* ---- The standard form ---- */

enum { PQ, RR, RZ, ALPHA, MINUS_ALPHA, BETA, NUMBERS };

typedef struct cg {
    gbl_solve *solve;
    void *p, *q, *z; /* z is r without a preconditioner */
    double *state;
    char *numbers; /* NUMBERS elements */
    gbl_kernel *scalars;
} cg;

static void *number(const cg *at, int index)
{
    return at->numbers + (size_t)index * gbl_dtype_bytes(at->solve->solver->dtype);
}

/* The kernel's twin for the cpu. */
typedef struct scalars_task {
    gbl_dtype dtype;
    int step;
    double *state;
    void *numbers;
} scalars_task;

static double get_real(const scalars_task *task, int index)
{
    const int reals = gbl_dtype_complex(task->dtype) ? 2 : 1;
    return gbl_dtype_real_bytes(task->dtype) == 4
               ? (double)((const float *)task->numbers)[index * reals]
               : ((const double *)task->numbers)[index * reals];
}

static void set_real(const scalars_task *task, int index, double value)
{
    const int reals = gbl_dtype_complex(task->dtype) ? 2 : 1;
    for (int part = 0; part < reals; part++) {
        const double now = part == 0 ? value : 0;
        if (gbl_dtype_real_bytes(task->dtype) == 4)
            ((float *)task->numbers)[index * reals + part] = (float)now;
        else
            ((double *)task->numbers)[index * reals + part] = now;
    }
}

static double positive_outcome(double a)
{
    if (!isfinite(a))
        return GABLE_NOT_FINITE;
    return a > 0 ? -1 : GABLE_NOT_DEFINITE;
}

static double make_alpha(const scalars_task *task)
{
    double *state = task->state;
    const double pq = get_real(task, PQ);
    state[GBL_STATE_OUTCOME] = positive_outcome(pq);
    const double alpha = state[GBL_STATE_OUTCOME] < 0 ? state[GBL_STATE_FIRST] / pq : 0;
    if (isfinite(alpha))
        return alpha;
    state[GBL_STATE_OUTCOME] = GABLE_BREAKDOWN;
    return 0;
}

static void end_iteration(double *state, double rr)
{
    const int64_t ended = (int64_t)++state[GBL_STATE_ITERATION];
    state[GBL_STATE_HISTORY + (ended - 1) % GBL_HISTORY] = rr;
    state[GBL_STATE_RR] = rr;
    if (!isfinite(rr))
        state[GBL_STATE_OUTCOME] = GABLE_NOT_FINITE;
    else if (rr <= state[GBL_STATE_TARGET])
        state[GBL_STATE_OUTCOME] = GABLE_SOLVED;
    else if ((double)ended >= state[GBL_STATE_LIMIT])
        state[GBL_STATE_OUTCOME] = GABLE_ITERATION_LIMIT;
}

static double make_beta(const scalars_task *task)
{
    double *state = task->state;
    const double rz = get_real(task, RZ), before = state[GBL_STATE_FIRST];
    if (task->step == 2)
        end_iteration(state, get_real(task, RR));
    state[GBL_STATE_FIRST] = rz;
    if (state[GBL_STATE_OUTCOME] < 0)
        state[GBL_STATE_OUTCOME] = positive_outcome(rz);
    return state[GBL_STATE_OUTCOME] < 0 && task->step == 2 ? rz / before : 0;
}

static gable_status run_scalars(gbl_queue *queue, void *stream, const void *args,
                                gbl_message *message)
{
    (void)queue, (void)stream, (void)message;
    const scalars_task *task = args;
    const bool goes_on = task->state[GBL_STATE_OUTCOME] < 0;
    if (task->step == 1) {
        const double alpha = goes_on ? make_alpha(task) : 0;
        set_real(task, ALPHA, alpha);
        set_real(task, MINUS_ALPHA, -alpha);
    } else {
        set_real(task, BETA, goes_on ? make_beta(task) : 0);
    }
    return GABLE_OK;
}

static gable_status scalars(const cg *at, int step)
{
    gable_context *ctx = at->solve->solver->ctx;
    if (at->scalars == NULL) {
        const scalars_task task = {at->solve->solver->dtype, step, at->state, at->numbers};
        return gbl_task(ctx, "cg_scalars", run_scalars, &task, sizeof task);
    }
    const cg_scalars_args args = {step};
    gbl_launch_spec launch = {.groups = {1, 1},
                              .group = {1, 1},
                              .buffer_count = 2,
                              .buffers = {at->state, at->numbers},
                              .args = &args,
                              .args_bytes = sizeof args};
    return gbl_launch(ctx, at->scalars, &launch);
}

/* y := alpha x + y or y := x + beta y, with a number on the device */
static gbl_vector_call vectors(const cg *at, const void *x, void *y)
{
    const gable_solver *solver = at->solve->solver;
    return (gbl_vector_call){.dtype = solver->dtype,
                             .conj = gbl_dtype_complex(solver->dtype),
                             .n = solver->n,
                             .x = (void *)(uintptr_t)x,
                             .incx = 1,
                             .y = y,
                             .incy = 1};
}

static gable_status dot(const cg *at, const void *x, const void *y, int result)
{
    gbl_vector_call call = vectors(at, x, (void *)(uintptr_t)y);
    call.result = number(at, result);
    return gbl_dot(at->solve->solver->ctx, ROUTINE, &call);
}

static gable_status add(const cg *at, int factor, const void *x, void *y)
{
    gbl_vector_call call = vectors(at, x, y);
    call.conj = false;
    call.alpha.device = number(at, factor);
    return gbl_axpy(at->solve->solver->ctx, ROUTINE, &call);
}

/* p := z + beta p */
static gable_status turn(const cg *at)
{
    gbl_vector_call call = vectors(at, at->z, at->p);
    call.conj = false;
    call.alpha.re = 1;
    call.beta.device = number(at, BETA);
    return gbl_axpby(at->solve->solver->ctx, ROUTINE, &call);
}

/* z, <r, r>, <r, z> and what follows from them; step as cg_scalars has it */
static gable_status residuals(const cg *at, int step)
{
    gable_solver *solver = at->solve->solver;
    const bool has_z = at->z != at->solve->r;
    if (has_z) {
        TRY(gbl_solver_precondition(solver, at->solve->r, at->z));
        TRY(dot(at, at->solve->r, at->z, RZ));
    }
    TRY(dot(at, at->solve->r, at->solve->r, RR));
    if (!has_z)
        TRY(gbl_copy_on_device(solver->ctx, number(at, RZ), number(at, RR),
                               gbl_dtype_bytes(solver->dtype)));
    return scalars(at, step);
}

static gable_status iterate(const cg *at)
{
    gbl_solve *solve = at->solve;
    TRY(gbl_solver_apply(solve->solver, at->p, at->q));
    TRY(dot(at, at->p, at->q, PQ));
    TRY(scalars(at, 1));
    TRY(add(at, ALPHA, at->p, solve->x));
    TRY(add(at, MINUS_ALPHA, at->q, solve->r));
    TRY(residuals(at, 2));
    return turn(at);
}

static gable_status enqueue(void *method, int64_t iterations)
{
    for (int64_t i = 0; i < iterations; i++)
        TRY(iterate(method));
    return GABLE_OK;
}

static gable_status prepare(cg *at)
{
    gable_solver *solver = at->solve->solver;
    gable_context *ctx = solver->ctx;
    const size_t element = gbl_dtype_bytes(solver->dtype), bytes = (size_t)solver->n * element;
    void *numbers, *state;
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &at->p, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &at->q, &ctx->message));
    at->z = at->solve->r;
    if (solver->precond != GBL_PRECOND_NONE)
        TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, &at->z, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, NUMBERS * element, &numbers, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, GBL_STATE_COUNT * sizeof(double), &state,
                       &ctx->message));
    at->numbers = numbers;
    at->state = state;
    if (ctx->device->table->build == NULL)
        return GABLE_OK;
    const gbl_kernel_spec spec = {.file = "cg_scalars.cl", .dtype = solver->dtype};
    return gbl_kernel_get(ctx->device, &spec, &at->scalars, &ctx->message);
}

bool gbl_cg_standard_fits(const gable_solver *solver)
{
    (void)solver;
    return true;
}

gable_status gbl_solve_cg_standard(gbl_solve *solve, gbl_round *round)
{
    gable_solver *solver = solve->solver;
    const bool has_z = solver->precond != GBL_PRECOND_NONE;
    cg at = {.solve = solve};
    TRY(prepare(&at));
    /* The product reads p and writes q; <p, q> 2; two updates 6, <r, r> 1, p 3; with z: made 2, <r,
     * z> 2. */
    const double element = (double)gbl_dtype_bytes(solver->dtype), n = (double)solver->n;
    round->bytes = (has_z ? 16 : 12) * n * element +
                   (solver->A != NULL ? gbl_sparse_bytes(&solver->layout) : 2 * n * element) +
                   gbl_factor_bytes(solver);
    TRY(gbl_batches_begin(solve, at.state, NULL, 0));
    TRY(residuals(&at, 0));
    TRY(gbl_copy_on_device(solver->ctx, at.p, at.z,
                           (size_t)solver->n * gbl_dtype_bytes(solver->dtype)));
    const gbl_batches batches = {.solve = solve,
                                 .state = at.state,
                                 .batch = gbl_batches_size(solver),
                                 .record = solver->A != NULL && solver->precond != GBL_PRECOND_USER,
                                 .enqueue = enqueue,
                                 .method = &at};
    return gbl_batches_run(&batches, round);
}
