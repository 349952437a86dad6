/* singular_parts.c: the six parts of the tests of gesdd and gesvd.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/far_dense.h"
#include "harness/qr_problem.h"
#include "harness/singular_problem.h"
#include "lapack/lapack.h"

/* ---- Which cases ---- */

/* Around LAPACK's leaves of 25, and where a factorization comes first. */
static const int64_t sizes[][2] = {{1, 1},   {2, 1},   {2, 2},   {4, 3},   {5, 5},   {20, 20},
                                   {26, 26}, {33, 20}, {40, 33}, {70, 66}, {60, 20}, {130, 9}};
static const int64_t slow_sizes[GBL_DTYPES][2] = {
    [GBL_S] = {5, 4}, [GBL_D] = {3, 2}, [GBL_C] = {3, 2}, [GBL_Z] = {4, 3}};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))
#define JOBS  15

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? 1 : SIZES;
}

/* jobz of gesdd; jobu and jobvt of gesvd in all combinations but O and O. */
static int job_count(const routine *r)
{
    return singular_form_of(r)->two_jobs ? JOBS : 4;
}

/* Each size has one in four of gesvd's jobs, all sizes together have all of them. */
static bool is_left_out(const routine *r, int i, int job)
{
    return singular_form_of(r)->two_jobs && !r->all && (i + job + job / 4) % 4 != 0;
}

static void set_jobs(const routine *r, int i, singular_case *c)
{
    static const gable_job jobs[] = {GABLE_SOME_VECTORS, GABLE_ALL_VECTORS, GABLE_NO_VECTORS,
                                     GABLE_OVERWRITE};
    c->u = jobs[i % 4];
    c->vt = singular_form_of(r)->two_jobs ? jobs[i / 4] : GABLE_NO_VECTORS;
}

static singular_case plain(const routine *r, int i)
{
    static const int64_t spaces[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r), turned = i % 2 == 1;
    const int64_t *size = slow ? slow_sizes[r->dtype] : sizes[i];
    singular_case c = {.m = turned ? size[1] : size[0],
                       .n = turned ? size[0] : size[1],
                       .kind = SINGULAR_RANDOM,
                       .on_host = i % 3 != 0,
                       .place = {.gap = spaces[i % 5],
                                 .offset = slow ? 0 : i % 3,
                                 .columns = slow ? ALIKE : AS_IS},
                       .seed = 900 + (uint64_t)i};
    set_jobs(r, 0, &c);
    return c;
}

static void turn(singular_case *c)
{
    const int64_t m = c->m;
    c->m = c->n;
    c->n = m;
}

void singular_exact(routine *r)
{
    for (int i = 0; i < size_count(r); i++)
        for (int job = 0; job < job_count(r); job++) {
            if (is_left_out(r, i, job))
                continue;
            singular_case c = plain(r, i);
            c.kind = SINGULAR_EXACT;
            set_jobs(r, job, &c);
            singular_check(r, &c, "");
            turn(&c);
            if (!routine_slow_compiler(r))
                singular_check(r, &c, "turned");
        }
}

/* Largest and smallest numbers, and where scaling begins. */
static int far_scale(const routine *r, int which)
{
    const bool narrow = gbl_dtype_real_bytes(r->dtype) == 4;
    const int scales[] = {narrow ? 120 : 1010, narrow ? -126 : -1022, narrow ? 40 : 459,
                          narrow ? -40 : -459};
    return scales[which % 4];
}

void singular_residuals(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        for (int kind = SINGULAR_RANDOM; kind < SINGULAR_KINDS; kind++) {
            singular_case c = plain(r, i);
            if (c.m * c.n > 2500 && !r->all && (i + kind) % 3 != 0)
                continue;
            c.kind = (singular_kind)kind;
            set_jobs(r, (i + kind) % job_count(r), &c);
            if (kind % 2 == 0)
                turn(&c);
            singular_check(r, &c, "");
            if (!routine_slow_compiler(r) || kind % 4 == 0)
                singular_compare_values(r, c);
        }
        for (int job = 0; job < job_count(r); job++) {
            if (is_left_out(r, i, job))
                continue;
            singular_case c = plain(r, i);
            set_jobs(r, job, &c);
            singular_check(r, &c, "each job");
            c.scale = far_scale(r, i + job);
            if (c.m * c.n < 1000)
                singular_check(r, &c, "far from 1");
        }
        singular_compare_vectors(r, plain(r, i));
    }
}

/* ---- Edges ---- */

static void nothing(routine *r)
{
    const int64_t none[][2] = {{0, 3}, {3, 0}, {0, 0}};
    for (int i = 0; i < 3; i++) {
        singular_case c = {.m = none[i][0], .n = none[i][1], .u = GABLE_NO_VECTORS};
        c.vt = c.u;
        for (int on_host = 0; on_host < 2; on_host++) {
            singular_operands o;
            memset(&o, 0, sizeof o);
            singular_begin(r, &c, "nothing to do");
            if (!result_make(&o.info, r->ctx, sizeof(int64_t), on_host == 1))
                continue;
            const singular_call call = {.jobu = c.u,
                                        .jobvt = c.vt,
                                        .m = c.m,
                                        .n = c.n,
                                        .lda = c.m > 0 ? c.m : 1,
                                        .ldu = 1,
                                        .ldvt = 1,
                                        .info = o.info.at};
            CHECK_OK(r->ctx, singular_form_of(r)->run(r->ctx, &call));
            singular_info(&o, 0);
        }
    }
}

static bool all_nan(int64_t count, const number *x, bool complex)
{
    bool right = true;
    for (int64_t i = 0; i < count; i++)
        right = right && isnan(x[i].re) && (!complex || isnan(x[i].im));
    return right;
}

/* info names A, all that is computed is NaN, and nothing loops on. */
static void not_finite(routine *r)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < size_count(r); i++)
        for (int job = 0; job < job_count(r); job++) {
            if (is_left_out(r, i, job))
                continue;
            singular_case c = plain(r, i);
            singular_operands o;
            singular_outcome got = {0};
            if (c.m * c.n > 2000)
                continue;
            set_jobs(r, job, &c);
            singular_begin(r, &c, "not finite");
            if (singular_build(r, &o, &c)) {
                qr_send(r, &o.A, false, c.m / 2, c.n - 1, (number){bad[(i + job) % 3], 0}, 0);
                if (guarded_send(&o.A.v) && singular_enqueue(r, &o, &c)) {
                    const bool complex = gbl_dtype_complex(r->dtype);
                    singular_info(&o, singular_form_of(r)->bad);
                    if (singular_fetch(&o) && singular_take(r, &o, &c, &got)) {
                        bool values = true;
                        for (int64_t k = 0; k < singular_least(&c); k++)
                            values = values && isnan(got.s[k]);
                        CHECK(values, "a value is not NaN");
                        CHECK(got.U == NULL || all_nan(c.m * got.left, got.U, complex),
                              "a number of U is not NaN");
                        CHECK(got.Vt == NULL || all_nan(c.n * got.right, got.Vt, complex),
                              "a number of Vt is not NaN");
                        singular_gaps(&o);
                    }
                }
            }
            singular_drop(&got);
            singular_destroy(&o);
        }
}

void singular_edges(routine *r)
{
    nothing(r);
    not_finite(r);
    if (!routine_slow_compiler(r)) {
        singular_case c = {.m = FAR_COLUMNS + 3,
                           .n = FAR_COLUMNS,
                           .far = true,
                           .on_host = true,
                           .kind = SINGULAR_RANDOM,
                           .seed = 990};
        set_jobs(r, 0, &c);
        singular_check(r, &c, "far apart");
        c.u = GABLE_OVERWRITE;
        c.vt = GABLE_NO_VECTORS;
        singular_check(r, &c, "far apart");
    }
}

void singular_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            singular_case c = plain(r, i);
            set_jobs(r, (w + i) % job_count(r), &c);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.m * c.n <= 3000)
                singular_check(r, &c, "");
        }
}

static void refused(routine *r, const singular_call *call, const char *argument, const char *value)
{
    char text[64];
    snprintf(text, sizeof text, "argument %d (%s)",
             routine_argument(singular_form_of(r)->arguments, argument), argument);
    CHECK_REFUSED(r->ctx, singular_form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT,
                  singular_form_of(r)->name, text, value);
}

void singular_arguments(routine *r)
{
    const bool two = singular_form_of(r)->two_jobs;
    singular_case c = {.m = 5,
                       .n = 4,
                       .u = GABLE_ALL_VECTORS,
                       .vt = GABLE_ALL_VECTORS,
                       .on_host = true,
                       .kind = SINGULAR_RANDOM};
    singular_operands o;
    singular_begin(r, &c, "illegal arguments");
    if (singular_build(r, &o, &c)) {
        const singular_call good = singular_call_of(&o, &c);
        CHECK_STATUS(NULL, singular_form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(member, value, argument, text)                                                     \
    do {                                                                                           \
        singular_call bad = good;                                                                  \
        bad.member = value;                                                                        \
        refused(r, &bad, argument, text);                                                          \
    } while (0)
        REFUSED(jobu, (gable_job)7, two ? "jobu" : "jobz", "7");
        REFUSED(jobu, GABLE_VECTORS, two ? "jobu" : "jobz", "GABLE_ALL_VECTORS");
        REFUSED(m, -1, "m", "-1");
        REFUSED(n, -2, "n", "-2");
        REFUSED(A, NULL, "A", "NULL");
        REFUSED(lda, 4, "lda", "4");
        REFUSED(s, NULL, "s", "NULL");
        REFUSED(U, NULL, "U", "NULL");
        REFUSED(ldu, 4, "ldu", "4");
        REFUSED(Vt, NULL, "Vt", "NULL");
        REFUSED(ldvt, 3, "ldvt", "3");
        REFUSED(info, NULL, "info", "NULL");
        if (two) {
            singular_call both = good;
            REFUSED(jobvt, GABLE_IDENTITY_VECTORS, "jobvt", "GABLE_ALL_VECTORS");
            both.jobu = both.jobvt = GABLE_OVERWRITE;
            refused(r, &both, "jobvt", "jobu");
        }
#undef REFUSED
        result_untouched(&o.info);
        if (singular_fetch(&o)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.s.v, "s");
            guarded_same(&o.U.v, "U");
            guarded_same(&o.Vt.v, "Vt");
        }
    }
    singular_destroy(&o);
    singular_check(r, &c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return a->v.at == NULL || memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

static void compare_bits(const singular_operands *first, const singular_operands *second,
                         const char *what)
{
    CHECK(same_bytes(&first->A, &second->A) && same_bytes(&first->s, &second->s) &&
              same_bytes(&first->U, &second->U) && same_bytes(&first->Vt, &second->Vt),
          "%s gave other bits", what);
}

/* Where the host computes a part the recording refuses the call, says so, and goes on: on cpu
 * without a LAPACK, never on a device with kernels. */
static bool record(routine *r, const singular_operands *o, const singular_case *c,
                   gable_recording **recording)
{
    const singular_call call = singular_call_of(o, c);
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    const gable_status status = singular_form_of(r)->run(r->ctx, &call);
    if (status == GABLE_NOT_RECORDABLE)
        CHECK(strstr(gable_message(r->ctx), "waits") != NULL &&
                  r->ctx->device->table->build == NULL,
              "the message is %s", gable_message(r->ctx));
    else
        CHECK_OK(r->ctx, status);
    CHECK_OK(r->ctx, gable_record_end(r->ctx, recording));
    return status == GABLE_OK;
}

static void same_bits(routine *r, singular_case c)
{
    singular_operands first, second;
    gable_recording *recording = NULL;
    memset(&second, 0, sizeof second);
    c.on_host = true;
    singular_begin(r, &c, "recorded");
    if (singular_build(r, &first, &c) && singular_run(r, &first, &c)) {
        c.on_host = false;
        if (singular_build(r, &second, &c)) {
            if (record(r, &second, &c, &recording)) {
                for (int round = 0; recording != NULL && round < 2; round++)
                    if (guarded_send(&second.A.v) &&
                        CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                        singular_fetch(&second))
                        compare_bits(&first, &second, "the replay");
            } else if (guarded_send(&second.A.v) && singular_enqueue(r, &second, &c) &&
                       singular_fetch(&second)) {
                compare_bits(&first, &second, "the second call");
            }
            gable_recording_destroy(recording);
            singular_info(&second, 0);
        }
    }
    singular_destroy(&first);
    singular_destroy(&second);
}

void singular_repeat(routine *r)
{
    for (int next = 0; routine_next_variant(r, &next);)
        for (int i = 0; i < size_count(r); i++) {
            singular_case c = plain(r, i);
            for (int job = i % 4; job < job_count(r); job += routine_slow_compiler(r) ? 20 : 4) {
                set_jobs(r, job, &c);
                singular_check(r, &c, "each variant");
            }
            c.kind = SINGULAR_CLUSTERED;
            set_jobs(r, 1, &c);
            singular_check(r, &c, "each variant");
            same_bits(r, c);
        }
    for (int i = 0; i < size_count(r); i += 2)
        for (int job = 0; job < job_count(r); job += 3) {
            singular_case c = plain(r, i);
            set_jobs(r, job, &c);
            same_bits(r, c);
        }
}

const void *singular_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[10]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .job = GABLE_SOME_VECTORS,
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .d = memory + 2,
                              .B = memory + 4,
                              .ldb = 208,
                              .C = memory + 6,
                              .ldc = 208,
                              .info = (int64_t *)(void *)(memory + 8)};
    if (singular_form_of(r)->two_jobs)
        call.job_b = GABLE_SOME_VECTORS;
    return &call;
}
