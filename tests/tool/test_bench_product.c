/* test_bench_product.c: the benchmark's check of products finds wrong results, wherever they are.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every product of matrices runs on cpu and must be within its bound. Then one element of the
 * result is changed by 1e-3 of itself, at each corner and within: the check must see it. So must it
 * see an element that was not written, and one that was written beside a triangle. Of LAPACK's
 * routines it must also see another pivot and another factor of a reflector. A call with transfers
 * takes all that it reads from the host and brings back all that it writes. And the ratio of two
 * parties is that of their rounds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_check.h"
#include "core/context.h"
#include "harness/check.h"
#include "party.h"
#include "transfer.h"

static const char *const names[] = {
    "gemm",  "gemm_strided", "gemm_batched", "gemmt", "syrk",  "herk",         "syr2k",
    "her2k", "symm",         "hemm",         "trmm",  "trsm",  "trsm_strided", "trsm_batched",
    "lacpy", "laset",        "lascl",        "laswp", "potrf", "potrs",        "posv",
    "potri", "trtrs",        "trtri",        "lauum", "getrf", "getrs",        "gesv",
    "geqrf", "ormqr",        "orgqr",        "gelqf", "ormlq", "orglq",        "lange",
    "lansy", "lanhe",        "lantr",        "getri", "gels",  "larfg",        "larft",
    "larfb", "sytrd",        "gehrd",        "gebrd", "orgtr", "orghr",        "orgbr",
    "ormtr", "ormhr",        "ormbr",        "gesdd", "bdsdc",
};

/* A result in host memory, as a reader gives it to the check. */
typedef struct result {
    const bench_operands *operands;
    char *bytes;
    size_t elem;
    int64_t info; /* of a factorization */
} result;

static gable_status read_result(void *user, bench_role which, int64_t first, int64_t count,
                                void *target)
{
    const result *r = user;
    if (which == BENCH_RESULT && bench_op_result(r->operands->what.op) == BENCH_INFO) {
        memcpy(target, &r->info, sizeof r->info);
        return GABLE_OK;
    }
    if (which != bench_written(r->operands->what.op)) { /* on cpu the host's memory */
        const size_t elem = bench_element_bytes(&r->operands->what, which);
        CHECK(bench_writes(r->operands->what.op, which), "operand %d is not written", which);
        if (count > 0) /* an operand without elements has no memory */
            memcpy(target, (const char *)r->operands->at[which][0] + (size_t)first * elem,
                   (size_t)count * elem);
        return GABLE_OK;
    }
    memcpy(target, r->bytes + (size_t)first * r->elem, (size_t)count * r->elem);
    return GABLE_OK;
}

static double error_of(result *r)
{
    double error = -1;
    CHECK(bench_check(r->operands, 1, read_result, r, &error) == GABLE_OK, "the check failed");
    return error;
}

/* Changes one element, checks, and puts it back. */
static double error_with(result *r, int64_t at, bool unwritten)
{
    const bool single = gbl_dtype_real_bytes(r->operands->what.dtype) == 4;
    char kept[16], *place = r->bytes + (size_t)at * r->elem;
    memcpy(kept, place, r->elem);
    if (unwritten)
        memset(place, 0xff, r->elem);
    else if (single)
        *(float *)(void *)place += 1e-3f * fabsf(*(float *)(void *)place) + 1e-3f;
    else
        *(double *)(void *)place += 1e-3 * fabs(*(double *)(void *)place) + 1e-3;
    const double error = error_of(r);
    memcpy(place, kept, r->elem);
    return error;
}

/* (i, j) of the output, in the last member of many. */
static int64_t place(const bench_operands *o, int64_t i, int64_t j)
{
    const bench_shape *shape = &o->shape[bench_written(o->what.op)];
    if (bench_written(o->what.op) == BENCH_RESULT)
        return 0;
    return o->what.offset + (o->what.batch - 1) * shape->ld * shape->columns + i + j * shape->ld;
}

static void check_result(result *r, const char *name)
{
    const bench_operands *o = r->operands;
    const bench_case *what = &o->what;
    const bench_shape *shape = &o->shape[bench_written(what->op)];
    const bench_formula formula = what->op->formula;
    const bool part = formula == BENCH_GEMMT || formula == BENCH_SYRK || formula == BENCH_SYR2K ||
                      formula == BENCH_LARFT || (formula >= BENCH_POTRF && formula <= BENCH_LAUUM);
    const int64_t last_row = shape->rows - 1, last_column = shape->columns - 1;
    const int64_t places[][2] = {{0, 0},
                                 {last_row, 0},
                                 {0, last_column},
                                 {last_row, last_column},
                                 {shape->rows / 2, shape->columns / 3}};
    const double error = error_of(r);
    CHECK(error <= 1, "%s: a right result has error %g", name, error);
    if (bench_op_result(what->op) == BENCH_INFO) {
        r->info = 1;
        CHECK(!(error_of(r) <= 1), "%s: a factorization that failed is right", name);
        r->info = 0;
    }
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        const int64_t i = places[p][0], j = places[p][1], at = place(o, i, j);
        const bool beside = part && i != j && (i > j) != (what->uplo == GABLE_LOWER);
        /* Of what stands behind a least-squares solution the norm counts, which hides such a change
         * in single precision. */
        const bool hidden = formula == BENCH_GELS &&
                            i >= (what->trans == GABLE_NO_TRANS ? what->n : what->m) &&
                            gbl_dtype_real_bytes(what->dtype) == 4;
        const double changed = error_with(r, at, false), unwritten = error_with(r, at, true);
        char kept[16], *bytes = r->bytes + (size_t)at * r->elem;
        memcpy(kept, bytes, r->elem);
        if (beside && shape->rows > 2) /* one of several that were alike */
            memset(bytes, 0, r->elem);
        const double written = beside && shape->rows > 2 ? error_of(r) : NAN;
        memcpy(bytes, kept, r->elem);
        CHECK(beside || hidden || !(changed <= 1), "%s: a change at (%d, %d) has error %g", name,
              (int)i, (int)j, changed);
        CHECK(beside || !(unwritten <= 1), "%s: NaN at (%d, %d) has error %g", name, (int)i, (int)j,
              unwritten);
        CHECK(!(written <= 1), "%s: (%d, %d) is beside the triangle, and was written: error %g",
              name, (int)i, (int)j, written);
    }
}

/* Outputs beside the first: a solver's factors were changed above, its solution is here. What is
 * left where singular values come from serves nobody. */
static void check_other_outputs(result *r, const char *name)
{
    const bench_operands *o = r->operands;
    const bench_op *op = o->what.op;
    const bool single = gbl_dtype_real_bytes(o->what.dtype) == 4;
    for (int role = BENCH_A; role < BENCH_RESULT; role++) {
        char kept[16], *place = o->at[role][0];
        const size_t bytes = bench_element_bytes(&o->what, (bench_role)role);
        if (!bench_writes(op, (bench_role)role) || (bench_role)role == bench_written(op) ||
            o->shape[role].columns == 0 || o->shape[role].length == 0 ||
            (bench_op_is_singular(op) && role == (op->formula == BENCH_BDSDC ? BENCH_E : BENCH_A)))
            continue;
        if (role <= BENCH_C)
            place += (size_t)o->what.offset * bytes;
        memcpy(kept, place, bytes);
        if (role == BENCH_IPIV)
            *(int64_t *)(void *)place = *(int64_t *)(void *)place == 1 ? 2 : 1;
        else if (single)
            *(float *)(void *)place += 0.01f;
        else
            *(double *)(void *)place += 0.01;
        const double changed = o->what.m > 1 ? error_of(r) : NAN;
        CHECK(!(changed <= 1), "%s: operand %d was changed: error %g", name, role, changed);
        memset(place, 0xff, bytes);
        const double unwritten = error_of(r);
        CHECK(!(unwritten <= 1), "%s: operand %d was not written: error %g", name, role, unwritten);
        memcpy(place, kept, bytes);
    }
}

static void check_case(gable_context *ctx, const bench_case *what)
{
    static bench_operands operands;
    bench_call call;
    char name[64];
    bench_case_name(what, name, sizeof name);
    test_case("%s", name);
    memset(&operands, 0, sizeof operands);
    CHECK_OK(ctx, bench_operands_make(&operands, ctx, what, true));
    bench_operands_call(&operands, 0, &call);
    CHECK_OK(ctx, bench_operands_restore(&operands, 0));
    CHECK_OK(ctx, bench_op_run(what->op, ctx, &call));
    CHECK_OK(ctx, gable_sync(ctx));
    const bench_role role = bench_written(what->op);
    const size_t elem = bench_op_is_norm(what->op) ? gbl_dtype_real_bytes(what->dtype)
                                                   : gbl_dtype_bytes(what->dtype),
                 bytes = (size_t)operands.shape[role].length * elem;
    result r = {.operands = &operands, .bytes = malloc(bytes), .elem = elem};
    if (bench_op_result(what->op) == BENCH_INFO)
        memcpy(&r.info, operands.at[BENCH_RESULT][0], sizeof r.info);
    CHECK(r.bytes != NULL, "no memory");
    if (r.bytes != NULL) {
        memcpy(r.bytes, operands.at[role][0], bytes); /* on cpu the host's memory */
        check_result(&r, name);
        check_other_outputs(&r, name);
    }
    free(r.bytes);
    bench_operands_free(&operands);
}

/* NaN in those of the operands' own copies that are read, or written. */
static void poison(bench_operands *o, gbl_access access)
{
    for (int role = BENCH_A; role < BENCH_ROLES; role++)
        if (o->operand[role] != NULL && o->at[role][0] != NULL && o->operand[role]->access & access)
            memset(o->at[role][0], 0xff,
                   role == BENCH_RESULT ? bench_result_bytes(&o->what)
                                        : (size_t)o->shape[role].length *
                                              bench_element_bytes(&o->what, (bench_role)role));
}

/* Operands lie in the host's memory: nothing but that reaches the call, and nothing but what came
 * back is checked. */
static void check_transfer(gable_context *ctx, const bench_case *what)
{
    static bench_operands operands;
    bench_transfer transfer;
    bench_call call;
    double error = -1;
    char name[64];
    bench_case_name(what, name, sizeof name);
    test_case("%s with transfer", name);
    memset(&operands, 0, sizeof operands);
    CHECK_OK(ctx, bench_operands_make(&operands, ctx, what, true));
    bench_operands_call(&operands, 0, &call);
    CHECK_OK(ctx, bench_transfer_make(&transfer, &operands));
    poison(&operands, GBL_READ);
    CHECK_OK(ctx, bench_transfer_in(&transfer, &operands));
    CHECK_OK(ctx, bench_op_run(what->op, ctx, &call));
    CHECK_OK(ctx, bench_transfer_out(&transfer, &operands));
    CHECK_OK(ctx, gable_sync(ctx));
    poison(&operands, GBL_WRITE);
    CHECK_OK(ctx, bench_transfer_check(&transfer, &error));
    CHECK(error <= 1, "%s: what came back has error %g", name, error);
    bench_transfer_free(&transfer);
    bench_operands_free(&operands);
}

/* Shapes of an op that takes several sizes; those that it has no place for are left out. */
static void check_shapes(gable_context *ctx, const bench_op *op, gbl_dtype dtype,
                         const bench_flags *flags)
{
    enum { LARGE = 160 };
    _Static_assert((int64_t)LARGE * LARGE * LARGE > BENCH_PRODUCT_TERMS, "all would be looked at");
    static const bench_size sizes[] = {{2, {17, 6}},    {2, {6, 17}}, {3, {17, 11, 5}},
                                       {3, {5, 11, 3}}, {1, {1}},     {1, {LARGE}}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bench_case what;
        char text[200];
        /* Of the last, which needs just more than BENCH_PRODUCT_TERMS, a few columns are looked at,
         * and the rest at once: in single precision that is not as sharp. */
        if (sizes[i].part[0] == LARGE && gbl_dtype_real_bytes(dtype) == 4)
            continue;
        if (bench_case_make(op, dtype, flags, &sizes[i], &what, text, sizeof text))
            check_case(ctx, &what);
    }
}

static void check_op(gable_context *ctx, const char *name)
{
    static const gable_trans trans[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    static const gable_norm norms[] = {GABLE_ONE_NORM, GABLE_INF_NORM, GABLE_FROBENIUS_NORM,
                                       GABLE_MAX_NORM};
    bench_wanted wanted;
    const bool known = bench_op_find(name, 15, &wanted);
    CHECK(known, "%s is not found", name);
    for (int dtype = GBL_S; known && dtype <= GBL_Z; dtype++) {
        for (int f = 0; (wanted.dtypes >> dtype & 1) && f < 3; f++) {
            const bench_flags flags = {.trans = trans[f],
                                       .trans_b = trans[(f + 1 + dtype) % 3],
                                       .uplo = (f + dtype) % 2 == 0 ? GABLE_LOWER : GABLE_UPPER,
                                       .side = f % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT,
                                       .norm = norms[(f + dtype) % 4],
                                       .vect = f == 1 ? GABLE_VECT_P : GABLE_VECT_Q,
                                       .offset = f,
                                       .pad = (f + 1) % 2,
                                       .beta = f % 2};
            const bench_size size = bench_op_takes(wanted.op, GBL_BATCH) ? (bench_size){2, {5, 7}}
                                                                         : (bench_size){1, {13}};
            bench_case what;
            char text[200];
            const bool made = bench_case_make(wanted.op, (gbl_dtype)dtype, &flags, &size, &what,
                                              text, sizeof text);
            CHECK(made, "%s: %s", name, made ? "" : text);
            if (made)
                check_case(ctx, &what);
            if (made)
                check_transfer(ctx, &what);
            if (made && (bench_op_has_ratio(wanted.op) || bench_op_is_norm(wanted.op)))
                check_shapes(ctx, wanted.op, (gbl_dtype)dtype, &flags);
        }
    }
}

/* A clock that falls to one half, and a turn that was disturbed: the medians are 5 and 8, but in a
 * round the peer takes 1.25 times as long. */
static void check_ratio(void)
{
    static const bench_party ours = {.turns = 5, .seconds = {4, 4, 8, 8, 8}},
                             peer = {.turns = 5, .seconds = {5, 5, 10, 4, 10}};
    double median, least;
    const double ratio = bench_party_ratio(&peer, &ours);
    CHECK(ratio == 1.25, "the ratio of rounds is %g, must be 1.25", ratio);
    bench_party_summary(&peer, &median, &least);
    CHECK(median == 5 && least == 4, "median %g and least %g must be 5 and 4", median, least);
    CHECK(peer.seconds[2] == 10, "a summary reorders the rounds");
}

int main(void)
{
    gable_context *ctx = NULL;
    check_ratio();
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_op(ctx, names[i]);
    gable_close(ctx);
    return test_finish();
}
