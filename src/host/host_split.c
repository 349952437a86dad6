/* host_split.c: calls on host memory that do not fit the device, made of smaller ones.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What is split is what must stay on the device: rows of op(A) of a product, into the fewest parts
 * that fit, because the other factor crosses the link once for each; the order of a symmetric or
 * triangular matrix, which becomes two on the diagonal and a rectangle, used by gemm, until they
 * fit. k is split only where it is the longer side: the parts
 * then add up in the caller's memory. Parts follow each other in an order in which none needs what
 * an earlier one has overwritten.
 *
 * Once the device has failed, the cpu computes the parts that are left.
 */
#include "host/host_door.h"
#include "host/host_panel.h"

#define SPLIT_STEP 64
#define MOST_PARTS 64

static const gbl_scalar one = {.re = 1}, minus_one = {.re = -1};

/* One of so many parts: a multiple of SPLIT_STEP where that is a small change. */
static int64_t rounded_part(int64_t size, int64_t parts)
{
    const int64_t part = (size + parts - 1) / parts;
    return part >= 2 * SPLIT_STEP ? (part + SPLIT_STEP - 1) / SPLIT_STEP * SPLIT_STEP : part;
}

static int64_t half_of(int64_t size)
{
    return rounded_part(size, 2);
}

/* Puts the block of an operand that begins at op(X)[row, column] into another call. */
static void put_block(gbl_host_call *to, int operand, const gbl_host_call *from, int source,
                      int64_t row, int64_t column)
{
    gbl_host_put(to, operand, gbl_host_at(from, source, row, column), gbl_host_ld(from, source));
    to->place[operand] = from->place[source];
}

/* ---- Products ---- */

static gable_status split_k(gbl_host_door *door, const gbl_host_call *host)
{
    const bool product = host->kind == GBL_HOST_GEMM || host->kind == GBL_HOST_GEMMT;
    const int64_t half = half_of(host->call.k);
    gbl_host_call first = *host, second = *host;
    first.call.k = half;
    second.call.k -= half;
    second.call.beta = one;
    put_block(&second, GBL_HOST_A, host, GBL_HOST_A, 0, half);
    if (product)
        put_block(&second, GBL_HOST_B, host, GBL_HOST_B, half, 0);
    else if (host->kind == GBL_HOST_SYR2K)
        put_block(&second, GBL_HOST_B, host, GBL_HOST_B, 0, half);
    TRY(gbl_host_split_run(door, &first));
    return gbl_host_split_run(door, &second);
}

static int64_t *split_side(gbl_host_call *host)
{
    return gbl_host_by_rows(host) ? &host->call.n : &host->call.m;
}

/* Rows, or columns, of the first of as few equal parts as fit; half where MOST_PARTS do not. */
static int64_t first_part(const gbl_host_door *door, const gbl_host_call *host)
{
    gbl_host_call part = *host;
    int64_t *const length = split_side(&part);
    const int64_t side = *length;
    for (int64_t parts = 2; parts <= MOST_PARTS && side / parts >= SPLIT_STEP; parts++) {
        *length = rounded_part(side, parts);
        if (gbl_host_leaf_fits_well(door, &part))
            return *length;
    }
    return half_of(side);
}

static gable_status split_gemm(gbl_host_door *door, const gbl_host_call *host)
{
    const bool by_rows = gbl_host_by_rows(host);
    const int64_t begin = first_part(door, host);
    gbl_host_call first = *host, second = *host;
    *split_side(&first) = begin;
    *split_side(&second) -= begin;
    if (by_rows)
        put_block(&second, GBL_HOST_B, host, GBL_HOST_B, 0, begin);
    else
        put_block(&second, GBL_HOST_A, host, GBL_HOST_A, begin, 0);
    put_block(&second, GBL_HOST_C, host, GBL_HOST_C, by_rows ? 0 : begin, by_rows ? begin : 0);
    TRY(gbl_host_split_run(door, &first));
    return gbl_host_split_run(door, &second);
}

/* The calls of two panels are a triangle, a rectangle and a triangle. */
static gable_status split_triangle(gbl_host_door *door, const gbl_host_call *host)
{
    const int64_t n = host->call.n, half = half_of(n), edges[] = {0, half, n};
    for (int part = 0; part < 2; part++) {
        gbl_host_call calls[GBL_HOST_PANEL_CALLS];
        const int count = gbl_host_panel_calls(host, edges[part], edges[part + 1], calls);
        for (int i = 0; i < count; i++) {
            /* Of the second product of syr2k the factors have changed places. */
            const bool changed = i == 2, alone = host->kind == GBL_HOST_SYRK;
            calls[i].place[GBL_HOST_A] = host->place[changed ? GBL_HOST_B : GBL_HOST_A];
            calls[i].place[GBL_HOST_B] = host->place[changed || alone ? GBL_HOST_A : GBL_HOST_B];
            calls[i].place[GBL_HOST_C] = host->place[GBL_HOST_C];
            TRY(gbl_host_split_run(door, &calls[i]));
        }
    }
    return GABLE_OK;
}

/* ---- A matrix with a structure on one side ---- */

/* Rows, or columns, of B or C from half on. */
static void put_far(gbl_host_call *to, int operand, const gbl_host_call *host, int source,
                    int64_t half)
{
    const bool right = host->call.side == GABLE_RIGHT;
    put_block(to, operand, host, source, right ? 0 : half, right ? half : 0);
}

static void set_order(gbl_host_call *call, int64_t order)
{
    *(call->call.side == GABLE_RIGHT ? &call->call.n : &call->call.m) = order;
}

/* The routine on the first or second half of the diagonal. */
static gbl_host_call diagonal_part(const gbl_host_call *host, int64_t half, bool second)
{
    gbl_host_call made = *host;
    set_order(&made, second ? gbl_product_order(&host->call) - half : half);
    if (!second)
        return made;
    put_block(&made, GBL_HOST_A, host, GBL_HOST_A, half, half);
    put_far(&made, GBL_HOST_B, host, GBL_HOST_B, half);
    if (host->kind == GBL_HOST_SYMM)
        put_far(&made, GBL_HOST_C, host, GBL_HOST_C, half);
    return made;
}

/* What the rectangle of A beside the diagonal adds to one half of the output: to the second, from
 * the first half of B, or the other way round. `trans` is that of the stored rectangle. */
static gbl_host_call beside_part(const gbl_host_call *host, int64_t half, bool to_second,
                                 gable_trans trans)
{
    const gbl_product_call *call = &host->call;
    const bool right = call->side == GABLE_RIGHT, upper = call->uplo == GABLE_UPPER;
    const int64_t rest = gbl_product_order(call) - half, size = to_second ? rest : half,
                  terms = to_second ? half : rest;
    const int output = gbl_host_output(host->kind), of_b = right ? GBL_HOST_A : GBL_HOST_B,
              of_a = right ? GBL_HOST_B : GBL_HOST_A;
    gbl_host_call made = right
                             ? gbl_host_product(host, GABLE_NO_TRANS, trans, call->m, size, terms)
                             : gbl_host_product(host, trans, GABLE_NO_TRANS, size, call->n, terms);
    /* The stored rectangle begins here, whatever op is. */
    gbl_host_call stored = *host;
    stored.call.trans = GABLE_NO_TRANS;
    put_block(&made, of_a, &stored, GBL_HOST_A, upper ? 0 : half, upper ? half : 0);
    put_far(&made, of_b, host, GBL_HOST_B, to_second ? 0 : half);
    put_far(&made, GBL_HOST_C, host, output, to_second ? half : 0);
    made.call.beta = one;
    return made;
}

static gable_status split_symm(gbl_host_door *door, const gbl_host_call *host)
{
    const gbl_product_call *call = &host->call;
    const int64_t half = half_of(gbl_product_order(call));
    const gable_trans turned = call->conj ? GABLE_CONJ_TRANS : GABLE_TRANS;
    /* The lower rectangle belongs to the second half of rows of A; on the right its rows are the
     * second half of terms. */
    const bool lower = call->uplo == GABLE_LOWER, right = call->side == GABLE_RIGHT;
    for (int second = 0; second < 2; second++) {
        const gbl_host_call diagonal = diagonal_part(host, half, second);
        const bool as_stored = right ? lower != (bool)second : lower == (bool)second;
        const gbl_host_call beside =
            beside_part(host, half, second, as_stored ? GABLE_NO_TRANS : turned);
        TRY(gbl_host_split_run(door, &diagonal));
        TRY(gbl_host_split_run(door, &beside));
    }
    return GABLE_OK;
}

/* op(A) is lower triangular where A is and is not transposed, or neither. From the left the second
 * half of the output then needs the first half of B, from the right the other way round. trmm
 * computes the half that needs the other first, trsm the other one. */
static gable_status split_triangular(gbl_host_door *door, const gbl_host_call *host)
{
    const gbl_product_call *call = &host->call;
    const int64_t half = half_of(gbl_product_order(call));
    const bool lower = (call->uplo == GABLE_LOWER) == (call->trans == GABLE_NO_TRANS),
               needy = lower != (call->side == GABLE_RIGHT);
    gbl_host_call diagonal[] = {diagonal_part(host, half, false), diagonal_part(host, half, true)};
    gbl_host_call beside = beside_part(host, half, needy, call->trans);
    if (host->kind == GBL_HOST_TRMM) {
        TRY(gbl_host_split_run(door, &diagonal[needy]));
        TRY(gbl_host_split_run(door, &beside));
        return gbl_host_split_run(door, &diagonal[!needy]);
    }
    beside.call.beta = call->alpha;
    beside.call.alpha = minus_one;
    diagonal[needy].call.alpha = one;
    TRY(gbl_host_split_run(door, &diagonal[!needy]));
    TRY(gbl_host_split_run(door, &beside));
    return gbl_host_split_run(door, &diagonal[needy]);
}

/* ---- All ---- */

static gable_status split(gbl_host_door *door, const gbl_host_call *host)
{
    const gbl_product_call *call = &host->call;
    const bool sided =
        host->kind == GBL_HOST_SYMM || host->kind == GBL_HOST_TRMM || host->kind == GBL_HOST_TRSM;
    const int64_t side = sided                         ? gbl_product_order(call)
                         : host->kind != GBL_HOST_GEMM ? call->n
                         : gbl_host_by_rows(host)      ? call->n
                                                       : call->m;
    if (!sided && call->k > 1 && call->k > 4 * side)
        return split_k(door, host);
    if (side <= 1)
        return gbl_host_leaf_run(door, host); /* says how much memory is missing */
    if (host->kind == GBL_HOST_GEMM)
        return split_gemm(door, host);
    if (host->kind == GBL_HOST_SYMM)
        return split_symm(door, host);
    return sided ? split_triangular(door, host) : split_triangle(door, host);
}

gable_status gbl_host_split_run(gbl_host_door *door, const gbl_host_call *host)
{
    if (door->failed)
        return gbl_host_run_cpu(door, host);
    return gbl_host_leaf_fits(door, host) ? gbl_host_leaf_run(door, host) : split(door, host);
}
