/* singular.c: singular values and vectors of a matrix, by its reduction to bidiagonal form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that a driver makes are a list, which is run, and from which the model is told.
 */
#include "core/launch.h"
#include "core/prepare.h"
#include "lapack/bdsdc.h"
#include "lapack/safe_range.h"
#include "lapack/singular.h"

#define MOST_STEPS 16
#define LAUNCHES   12 /* about: beside those of the reduction */

/* ---- Shapes ---- */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t gbl_singular_least(const void *given)
{
    const gbl_product_call *call = given;
    return smaller(call->m, call->n);
}

void gbl_singular_jobs(const gbl_singular_routine *routine, const gbl_product_call *call,
                       gable_job *u, gable_job *vt)
{
    *u = call->job;
    *vt = routine->two_jobs ? call->job_b : call->job;
    /* gesdd overwrites A by the vectors that fit into it. */
    if (!routine->two_jobs && call->job == GABLE_OVERWRITE)
        *(call->m >= call->n ? vt : u) = GABLE_ALL_VECTORS;
}

static bool is_kept(gable_job job)
{
    return job == GABLE_ALL_VECTORS || job == GABLE_SOME_VECTORS;
}

int64_t gbl_singular_u_rows(const gbl_singular_routine *routine, const void *given)
{
    const gbl_product_call *call = given;
    gable_job u, vt;
    gbl_singular_jobs(routine, call, &u, &vt);
    return is_kept(u) ? call->m : 0;
}

int64_t gbl_singular_u_columns(const gbl_singular_routine *routine, const void *given)
{
    const gbl_product_call *call = given;
    gable_job u, vt;
    gbl_singular_jobs(routine, call, &u, &vt);
    return u == GABLE_ALL_VECTORS    ? call->m
           : u == GABLE_SOME_VECTORS ? gbl_singular_least(call)
                                     : 0;
}

int64_t gbl_singular_vt_rows(const gbl_singular_routine *routine, const void *given)
{
    const gbl_product_call *call = given;
    gable_job u, vt;
    gbl_singular_jobs(routine, call, &u, &vt);
    return vt == GABLE_ALL_VECTORS    ? call->n
           : vt == GABLE_SOME_VECTORS ? gbl_singular_least(call)
                                      : 0;
}

int64_t gbl_singular_vt_columns(const gbl_singular_routine *routine, const void *given)
{
    const gbl_product_call *call = given;
    gable_job u, vt;
    gbl_singular_jobs(routine, call, &u, &vt);
    return is_kept(vt) ? call->n : 0;
}

/* ---- The plan ---- */

/* One call, or an embedding. */
typedef struct step {
    const gbl_op *op; /* NULL: gbl_embed */
    gable_status (*run)(gable_context *ctx, const char *name, const gbl_product_call *call);
    gbl_product_call call;
    gbl_embedding embedding;
} step;

typedef struct plan {
    const gbl_product_call *call;
    gable_job u, vt;
    int64_t least, most;
    bool wide, first; /* m < n; factored before it is reduced */
    bool vectors;
    gbl_dtype real;
    /* In the workspace: */
    void *tau, *tauq, *taup, *e; /* of the factorization; of the reduction */
    void *R;                     /* what is reduced where A is factored first */
    void *X, *Y;                 /* vectors of the bidiagonal matrix, columns `least` apart */
    void *room;                  /* vectors that overwrite A in the end */
    int64_t ldr, ld_room;
} plan;

static bool overwrites(const plan *p)
{
    return p->u == GABLE_OVERWRITE || p->vt == GABLE_OVERWRITE;
}

static plan plan_of(const gbl_singular_routine *routine, const gbl_product_call *call)
{
    plan p = {.call = call, .least = gbl_singular_least(call), .wide = call->m < call->n};
    gbl_singular_jobs(routine, call, &p.u, &p.vt);
    p.most = call->m + call->n - p.least;
    p.first = p.most >= (int64_t)((double)p.least * 11 / 6) && p.most > p.least;
    p.vectors = p.u != GABLE_NO_VECTORS || p.vt != GABLE_NO_VECTORS;
    p.real = gbl_dtype_real_bytes(call->dtype) == 4 ? GBL_S : GBL_D;
    p.ldr = gbl_composed_ld(call->dtype, p.least);
    p.ld_room = gbl_composed_ld(call->dtype, p.u == GABLE_OVERWRITE ? call->m : p.least);
    return p;
}

static int64_t room_columns(const plan *p)
{
    return p->u == GABLE_OVERWRITE ? p->least : p->call->n;
}

static gable_status take(gable_context *ctx, gbl_dtype dtype, int64_t elements, void **address)
{
    return gbl_arena_take(ctx->arena, ctx->device, (size_t)elements * gbl_dtype_bytes(dtype),
                          address, &ctx->message);
}

static gable_status take_all(gable_context *ctx, plan *p)
{
    const gbl_dtype t = p->call->dtype;
    TRY(take(ctx, t, p->least, &p->tauq));
    TRY(take(ctx, t, p->least, &p->taup));
    TRY(take(ctx, p->real, p->least, &p->e));
    if (p->first) {
        TRY(take(ctx, t, p->least, &p->tau));
        TRY(gbl_composed_room(ctx, t, p->least, p->least, &p->R, &p->ldr));
    }
    if (p->vectors) {
        TRY(take(ctx, p->real, p->least * p->least, &p->X));
        TRY(take(ctx, p->real, p->least * p->least, &p->Y));
    }
    if (overwrites(p))
        TRY(gbl_composed_room(ctx, t, p->u == GABLE_OVERWRITE ? p->call->m : p->least,
                              room_columns(p), &p->room, &p->ld_room));
    return GABLE_OK;
}

static double workspace_bytes(const plan *p)
{
    const gbl_dtype t = p->call->dtype;
    const double least = (double)p->least, elem = (double)gbl_dtype_bytes(t),
                 real = (double)gbl_dtype_real_bytes(t);
    double bytes = 2 * elem * least + real * least;
    if (p->first)
        bytes += elem * least + gbl_composed_room_bytes(t, p->least, p->least);
    if (p->vectors)
        bytes += 2 * real * least * least;
    if (overwrites(p))
        bytes += elem * (double)p->ld_room * (double)room_columns(p);
    return bytes;
}

/* ---- The steps ---- */

#define STEP(stem, ...)                                                                            \
    (steps[count++] = (step){                                                                      \
         .op = &gbl_##stem##_op,                                                                   \
         .run = gbl_##stem,                                                                        \
         .call = {.dtype = t, __VA_ARGS__},                                                        \
     })

/* A, or what is left of it, becomes bidiagonal. */
static int reduce(const plan *p, step *steps, int count)
{
    const gbl_product_call *call = p->call;
    const gbl_dtype t = call->dtype;
    const int64_t k = p->least;
    if (!p->first) {
        STEP(gebrd, .m = call->m, .n = call->n, .A = call->A, .lda = call->lda, .d = call->d,
             .e = p->e, .tau = p->tauq, .taup = p->taup);
        return count;
    }
    if (p->wide)
        STEP(gelqf, .m = call->m, .n = call->n, .A = call->A, .lda = call->lda, .tau = p->tau);
    else
        STEP(geqrf, .m = call->m, .n = call->n, .A = call->A, .lda = call->lda, .tau = p->tau);
    STEP(laset, .uplo = GABLE_GENERAL, .m = k, .n = k, .A = p->R, .lda = p->ldr);
    STEP(lacpy, .uplo = p->wide ? GABLE_LOWER : GABLE_UPPER, .m = k, .n = k, .A = call->A,
         .lda = call->lda, .B = p->R, .ldb = p->ldr);
    STEP(gebrd, .m = k, .n = k, .A = p->R, .lda = p->ldr, .d = call->d, .e = p->e, .tau = p->tauq,
         .taup = p->taup);
    return count;
}

static gbl_product_call stage_of(const plan *p)
{
    const gbl_product_call *call = p->call;
    return (gbl_product_call){
        .dtype = p->real,
        .uplo = p->wide && !p->first ? GABLE_LOWER : GABLE_UPPER,
        .job = p->vectors ? GABLE_IDENTITY_VECTORS : GABLE_NO_VECTORS,
        .m = p->least,
        .n = p->least,
        .d = call->d,
        .e = p->e,
        .B = p->X,
        .ldb = p->least,
        .C = p->Y,
        .ldc = p->least,
        .info = call->info,
    };
}

static step embed_step(gbl_dtype dtype, int64_t m, int64_t n, void *C, int64_t ldc, const void *B,
                       int64_t order)
{
    return (step){.embedding = {.dtype = dtype,
                                .m = m,
                                .n = n,
                                .C = C,
                                .ldc = ldc,
                                .B = B,
                                .ldb = order,
                                .order = order}};
}

/* U = Q X, behind the Q of a QR factorization. */
static int left_vectors(const plan *p, step *steps, int count)
{
    const gbl_product_call *call = p->call;
    const gbl_dtype t = call->dtype;
    const int64_t k = p->least, columns = p->u == GABLE_ALL_VECTORS ? call->m : k;
    void *const U = p->u == GABLE_OVERWRITE ? p->room : call->B;
    const int64_t ldu = p->u == GABLE_OVERWRITE ? p->ld_room : call->ldb;
    if (p->u == GABLE_NO_VECTORS)
        return count;
    steps[count++] = embed_step(t, call->m, columns, U, ldu, p->X, k);
    if (!p->first) {
        STEP(ormbr, .vect = GABLE_VECT_Q, .side = GABLE_LEFT, .trans = GABLE_NO_TRANS, .m = call->m,
             .n = columns, .k = call->n, .A = call->A, .lda = call->lda, .tau = p->tauq, .C = U,
             .ldc = ldu);
        return count;
    }
    STEP(ormbr, .vect = GABLE_VECT_Q, .side = GABLE_LEFT, .trans = GABLE_NO_TRANS, .m = k, .n = k,
         .k = k, .A = p->R, .lda = p->ldr, .tau = p->tauq, .C = U, .ldc = ldu);
    if (!p->wide)
        STEP(ormqr, .side = GABLE_LEFT, .trans = GABLE_NO_TRANS, .m = call->m, .n = columns, .k = k,
             .A = call->A, .lda = call->lda, .tau = p->tau, .C = U, .ldc = ldu);
    return count;
}

/* V^H = Y P^H, before the Q of an LQ factorization. */
static int right_vectors(const plan *p, step *steps, int count)
{
    const gbl_product_call *call = p->call;
    const gbl_dtype t = call->dtype;
    const int64_t k = p->least, rows = p->vt == GABLE_ALL_VECTORS ? call->n : k;
    void *const Vt = p->vt == GABLE_OVERWRITE ? p->room : call->C;
    const int64_t ldvt = p->vt == GABLE_OVERWRITE ? p->ld_room : call->ldc;
    if (p->vt == GABLE_NO_VECTORS)
        return count;
    steps[count++] = embed_step(t, rows, call->n, Vt, ldvt, p->Y, k);
    if (!p->first) {
        STEP(ormbr, .vect = GABLE_VECT_P, .side = GABLE_RIGHT, .trans = gbl_adjoint(t), .m = rows,
             .n = call->n, .k = call->m, .A = call->A, .lda = call->lda, .tau = p->taup, .C = Vt,
             .ldc = ldvt);
        return count;
    }
    STEP(ormbr, .vect = GABLE_VECT_P, .side = GABLE_RIGHT, .trans = gbl_adjoint(t), .m = k, .n = k,
         .k = k, .A = p->R, .lda = p->ldr, .tau = p->taup, .C = Vt, .ldc = ldvt);
    if (p->wide)
        STEP(ormlq, .side = GABLE_RIGHT, .trans = GABLE_NO_TRANS, .m = rows, .n = call->n, .k = k,
             .A = call->A, .lda = call->lda, .tau = p->tau, .C = Vt, .ldc = ldvt);
    return count;
}

/* A's place is needed for its reflectors until now. */
static int overwrite(const plan *p, step *steps, int count)
{
    const gbl_product_call *call = p->call;
    const gbl_dtype t = call->dtype;
    if (overwrites(p))
        STEP(lacpy, .uplo = GABLE_GENERAL, .m = p->u == GABLE_OVERWRITE ? call->m : p->least,
             .n = room_columns(p), .A = p->room, .lda = p->ld_room, .B = call->A, .ldb = call->lda);
    return count;
}

static int vector_steps(const plan *p, step *steps)
{
    int count = left_vectors(p, steps, 0);
    count = right_vectors(p, steps, count);
    return overwrite(p, steps, count);
}

/* ---- Runs ---- */

static gbl_range_matrix matrix_of(const gbl_product_call *call)
{
    return (gbl_range_matrix){
        .dtype = call->dtype, .m = call->m, .n = call->n, .A = call->A, .lda = call->lda};
}

/* LAPACK's range for singular values: from sqrt(safmin) / (2 u) on. */
static int64_t safe_exponent(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? 40 : 459;
}

static gable_status run_steps(gable_context *ctx, const char *stem, const step *steps, int count,
                              void *numbers)
{
    for (int i = 0; i < count; i++) {
        const step *next = &steps[i];
        TRY(next->op != NULL ? next->run(ctx, stem, &next->call)
                             : gbl_embed(ctx, &next->embedding, numbers));
    }
    return GABLE_OK;
}

gable_status gbl_singular_run(gable_context *ctx, const gbl_variant *self, const void *given,
                              const gbl_params *params)
{
    const gbl_singular_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const gbl_range_matrix A = matrix_of(call);
    plan p = plan_of(routine, call);
    step steps[MOST_STEPS];
    void *numbers;
    (void)params;
    const gbl_product_call asked = stage_of(&p);
    TRY(gbl_bdsdc_check(ctx, &asked));
    TRY(take_all(ctx, &p));
    const gbl_product_call stage = stage_of(&p);
    TRY(gbl_range_one_enter(ctx, &A, safe_exponent(call->dtype), &numbers));
    TRY(run_steps(ctx, routine->stem, steps, reduce(&p, steps, 0), numbers));
    TRY(gbl_bdsdc(ctx, routine->stem, &stage));
    TRY(run_steps(ctx, routine->stem, steps, vector_steps(&p, steps), numbers));
    return gbl_range_one_leave(ctx, call->dtype, p.least, call->d, numbers, call->info,
                               routine->bad);
}

/* ---- What it costs ---- */

/* Products of the vectors with Q and P, as multiply-adds: applied to the columns that are asked
 * for. */
static double applied(double order, double columns, double reflectors)
{
    return reflectors * columns * (2 * order - reflectors);
}

void gbl_singular_work(const gbl_singular_routine *routine, const gbl_product_call *call,
                       gbl_work *least)
{
    const plan p = plan_of(routine, call);
    const double k = (double)p.least, most = (double)p.most,
                 elem = (double)gbl_dtype_bytes(call->dtype),
                 real = (double)gbl_dtype_real_bytes(call->dtype), m = (double)call->m,
                 n = (double)call->n;
    const double direct = 2 * k * k * (most - k / 3),
                 by_r = k * k * (most - k / 3) + 4 * k * k * k / 3;
    double adds = direct < by_r ? direct : by_r, written = real * k;
    if (p.u != GABLE_NO_VECTORS) {
        const double columns = p.u == GABLE_ALL_VECTORS ? m : k;
        adds += applied(m, columns, k);
        written += elem * m * columns;
    }
    if (p.vt != GABLE_NO_VECTORS) {
        const double rows = p.vt == GABLE_ALL_VECTORS ? n : k;
        adds += applied(n, rows, k);
        written += elem * n * rows;
    }
    /* The vectors of the bidiagonal matrix are real. */
    *least = (gbl_work){.bytes_read = elem * m * n,
                        .bytes_written = written,
                        .flops = gbl_lapack_flops(call, adds) +
                                 (p.vectors ? 8.0 / 3 * k * k * k : 30 * k * k)};
}

void gbl_singular_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_cost *out)
{
    const gbl_singular_routine *routine = self->detail;
    const plan p = plan_of(routine, given);
    gbl_work least;
    (void)params, (void)device;
    gbl_singular_work(routine, given, &least);
    gbl_composed_cost(&least, LAUNCHES, out);
    out->workspace_bytes = workspace_bytes(&p);
}

static int tell_steps(const step *steps, int step_count, const gbl_device *device,
                      gbl_part_call *parts, int count)
{
    for (int i = 0; i < step_count; i++)
        count = steps[i].op != NULL
                    ? gbl_composed_call(parts, count, steps[i].op, &steps[i].call, 1)
                    : gbl_embed_parts(&steps[i].embedding, device, parts, count);
    return count;
}

int gbl_singular_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_part_call *parts)
{
    const gbl_singular_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const gbl_range_matrix A = matrix_of(call);
    const plan p = plan_of(routine, call);
    const gbl_product_call stage = stage_of(&p);
    step steps[MOST_STEPS];
    (void)params;
    if (p.least == 0)
        return 0;
    int count = gbl_range_one_parts(&A, device, parts, 0);
    count = tell_steps(steps, reduce(&p, steps, 0), device, parts, count);
    count = gbl_composed_call(parts, count, &gbl_bdsdc_op, &stage, 1);
    return tell_steps(steps, vector_steps(&p, steps), device, parts, count);
}

int gbl_singular_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    const plan p = plan_of(self->detail, call);
    (void)params;
    return gbl_range_one_specs(
        call->dtype, GBL_RANGE_ONE_SCALES | (p.vectors ? GBL_RANGE_ONE_EMBEDS : 0), device, specs);
}
