/* handover_gebrd.c: panels of a bidiagonal reduction by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers are complex throughout; those of a real matrix have no imaginary parts. Rows and columns
 * are counted from the panel's first diagonal element, as the kernel counts them.
 */
#include "handover_gebrd.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "core/launch.h"
#include "fake_device.h"
#include "fake_groups.h"
#include "gebrd_panel_args.h"
#include "handover_numbers.h"

/* The settings of handover.cmake: two elements of a column to a work-item, so that 16 rows are in
 * registers, or four; or more rows, with two walks. */
#define ITEMS 8
#define NB    4
#define OWN   4
#define THIN  (2 * NB)
#define MOST  26 /* rows and columns */

/* A panel: its matrix, and what comes out. */
typedef struct panel {
    number A[MOST][MOST], rest[MOST][MOST], tauq[NB], taup[NB];
    double d[NB], e[NB];
} panel;

/* What the kernel works with, in one piece of the device's memory: room for complex numbers. */
typedef struct numbers {
    double A[MOST * MOST * 2], P[MOST * THIN * 2], Q[MOST * THIN * 2], d[NB], e[NB];
    double tauq[NB * 2], taup[NB * 2], column[MOST * 2], row[MOST * 2];
    double shares[2 * FAKE_AT_ONCE * THIN * 2];
    _Alignas(16) double swept[FAKE_AT_ONCE * (MOST + 3) * 2]; /* vectors are stored */
    double squares[FAKE_AT_ONCE * 3];
    int32_t counter;
} numbers;

/* Some matrices are so small or large that squares of their numbers are none; some have a column of
 * zeros below its first element, and some a small row beside it. */
static void make_matrix(int m, int n, bool is_complex, unsigned seed, panel *at)
{
    static const double sizes[] = {1, 1, 0x1p-600, 1, 0x1p560};
    memset(at, 0, sizeof *at);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const unsigned place = (unsigned)(j * MOST + i);
            number x = random_number(seed, place);
            if (is_complex)
                x += I * random_number(seed + 77, place);
            if (seed % 4 == 1 && j == 0 && i > 0)
                x = 0;
            if (seed % 8 == 3)
                x *= i == 0 ? 0x1p400 : j == 0 ? 0 : 0x1p700;
            at->A[j][i] = x * sizes[seed % 5];
        }
}

/* The reflector of count numbers: beta, and the others become those of v. */
static double reflect(int count, number *x, number *tau)
{
    double norm = 0, beta = creal(x[0]);
    for (int i = 1; i < count; i++)
        norm = hypot(norm, cabs(x[i]));
    const number alpha = x[0];
    *tau = 0;
    x[0] = 1;
    if (norm == 0 && cimag(alpha) == 0)
        return beta;
    beta = -copysign(hypot(cabs(alpha), norm), creal(alpha));
    *tau = (beta - alpha) / beta;
    for (int i = 1; i < count; i++)
        x[i] /= alpha - beta;
    return beta;
}

/* One column and one row after the other, applied to all that is left. */
static void reference(int m, int n, int count, panel *at)
{
    static number v[MOST], u[MOST];
    number(*const B)[MOST] = at->rest;
    memcpy(at->rest, at->A, sizeof at->rest);
    for (int p = 0; p < count; p++) {
        for (int i = p; i < m; i++)
            v[i] = B[p][i];
        at->d[p] = reflect(m - p, v + p, &at->tauq[p]);
        for (int i = p; i < m; i++)
            at->A[p][i] = i == p ? at->d[p] : v[i];
        for (int j = p + 1; j < n; j++) {
            number z = 0;
            for (int i = p; i < m; i++)
                z += conj(v[i]) * B[j][i];
            for (int i = p; i < m; i++)
                B[j][i] -= conj(at->tauq[p]) * z * v[i];
        }
        if (p + 1 == n)
            break;
        for (int j = p + 1; j < n; j++)
            u[j] = conj(B[j][p]);
        at->e[p] = reflect(n - p - 1, u + p + 1, &at->taup[p]);
        for (int j = p + 1; j < n; j++)
            at->A[j][p] = j == p + 1 ? at->e[p] : conj(u[j]);
        for (int i = p + 1; i < m; i++) {
            number z = 0;
            for (int j = p + 1; j < n; j++)
                z += B[j][i] * u[j];
            for (int j = p + 1; j < n; j++)
                B[j][i] -= at->taup[p] * z * conj(u[j]);
        }
    }
}

/* ---- The panel as the kernel has it ---- */

static void put(double *to, const number *from, int count, bool is_complex)
{
    for (int i = 0; i < count; i++)
        put_number(to, i, from[i], is_complex);
}

static void take(number *to, const double *from, int count, bool is_complex)
{
    for (int i = 0; i < count; i++)
        to[i] = take_number(from, i, is_complex);
}

/* P and Q hold what is none: the kernel must not read what it has not written. */
static void pack(const panel *from, bool is_complex, numbers *to)
{
    memset(to, 0, sizeof *to);
    for (int i = 0; i < MOST * THIN * 2; i++)
        to->P[i] = to->Q[i] = NAN;
    put(to->A, &from->A[0][0], MOST * MOST, is_complex);
}

/* rest: what stands behind the panel, A - P Q. */
static void unpack(const numbers *from, const panel *given, int m, int n, int count,
                   bool is_complex, panel *to)
{
    take(&to->A[0][0], from->A, MOST * MOST, is_complex);
    take(to->tauq, from->tauq, NB, is_complex);
    take(to->taup, from->taup, NB, is_complex);
    memcpy(to->d, from->d, sizeof to->d);
    memcpy(to->e, from->e, sizeof to->e);
    for (int j = count; j < n; j++)
        for (int i = count; i < m; i++) {
            to->rest[j][i] = given->A[j][i];
            for (int q = 0; q < 2 * count; q++)
                to->rest[j][i] -= take_number(from->P, i * THIN + q, is_complex) *
                                  take_number(from->Q, j * THIN + q, is_complex);
        }
}

static gable_status reduce(gable_context *ctx, gbl_kernel *kernel, numbers *at, int m, int n,
                           int count, int groups)
{
    const gebrd_panel_args args = {.m = m, .n = n, .count = count, .lda = MOST};
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {ITEMS, 1},
        .cooperative = true,
        .buffer_count = 13,
        .buffers = {at->A, at->P, at->Q, at->d, at->e, at->tauq, at->taup, at->column, at->row,
                    at->shares, at->swept, at->squares, &at->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- The check ---- */

/* Reflectors are of size 1, all else of the matrix's. What is behind the panel stays. */
static bool right(const panel *is, const panel *given, const panel *want, int m, int n, int count)
{
    double size = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            size = fmax(size, cabs(given->A[j][i]));
    bool good = true;
    for (int p = 0; p < count; p++) {
        good = good && is_near(is->tauq[p], want->tauq[p], 1) &&
               is_near(is->d[p], want->d[p], size) && is->A[p][p] == is->d[p] &&
               is_near(is->taup[p], want->taup[p], 1);
        if (p + 1 < n)
            good = good && is_near(is->e[p], want->e[p], size) && is->A[p + 1][p] == is->e[p];
        for (int i = p + 1; i < m; i++)
            good = good && is_near(is->A[p][i], want->A[p][i], 1);
        for (int j = p + 2; j < n; j++)
            good = good && is_near(is->A[j][p], want->A[j][p], 1);
    }
    for (int j = count; j < n; j++)
        for (int i = count; i < m; i++)
            good = good && is_near(is->rest[j][i], want->rest[j][i], size) &&
                   is->A[j][i] == given->A[j][i];
    return good;
}

/* A panel by so many groups, in three orders. */
static void check_panel(gable_context *ctx, gbl_kernel *kernel, void *memory, unsigned round, int m,
                        int n, int count, int groups, bool is_complex,
                        void (*check)(bool good, const char *what))
{
    static panel given, want, is;
    static numbers packed, first, out;
    char what[112];
    make_matrix(m, n, is_complex, round, &given);
    want = given;
    reference(m, n, count, &want);
    pack(&given, is_complex, &packed);
    for (unsigned again = 0; again < 3; again++) {
        fake_at_once(groups);
        fake_shuffle(round * 6 + again * 2 + 1);
        const bool ran =
            gable_set_vector(ctx, 1, sizeof packed, &packed, 1, memory, 1) == GABLE_OK &&
            reduce(ctx, kernel, memory, m, n, count, groups) == GABLE_OK &&
            gable_get_vector(ctx, 1, sizeof out, memory, 1, &out, 1) == GABLE_OK;
        if (again == 0)
            first = out;
        unpack(&out, &given, m, n, count, is_complex, &is);
        snprintf(what, sizeof what, "gebrd, %c, %d by %d, %d columns, %d groups, round %u: %s",
                 is_complex ? 'z' : 'd', m, n, count, groups, round,
                 ran ? "wrong numbers" : "it did not run");
        check(ran && out.counter == 0 && right(&is, &given, &want, m, n, count), what);
        check(memcmp(out.A, first.A, sizeof out.A) == 0 &&
                  memcmp(out.d, first.d, sizeof out.d) == 0 &&
                  memcmp(out.taup, first.taup, sizeof out.taup) == 0,
              "another order of groups gave other bits");
    }
}

void handover_gebrd(gable_context *ctx, void (*check)(bool good, const char *what))
{
    static const int sizes[][2] = {{5, 5}, {16, 16}, {15, 9}, {16, 3}, {8, 7},
                                   {4, 4}, {12, 12}, {1, 1},  {9, 2},  {13, 11}};
    static const struct {
        bool is_complex;
        int deep, columns, vec, stages, v_local, twice, bulk, early;
        int more; /* rows beyond those of the list */
    } forms[] = {{false, 2, 2, 1, 3, 0, 0, 0, 0, 0},  {true, 2, 2, 1, 3, 0, 0, 0, 0, 0},
                 {false, 4, 1, 1, 2, 1, 0, 0, 0, 10}, {true, 4, 1, 1, 2, 1, 0, 0, 0, 10},
                 {false, 2, 2, 1, 3, 0, 1, 0, 0, 10}, {true, 2, 2, 1, 3, 0, 1, 0, 0, 10},
                 {false, 4, 2, 2, 3, 0, 0, 0, 0, 10}, {false, 4, 2, 2, 3, 0, 0, 1, 2, 10},
                 {false, 4, 1, 4, 2, 0, 0, 1, 2, 10}, {true, 4, 1, 1, 3, 0, 0, 1, 0, 10}};
    void *memory = NULL;
    bool ready = gable_alloc(ctx, sizeof(numbers), &memory) == GABLE_OK;
    for (int f = 0; f < (int)(sizeof forms / sizeof forms[0]); f++) {
        const bool is_complex = forms[f].is_complex;
        const gbl_kernel_spec spec = {.file = "gebrd_panel.cl",
                                      .dtype = is_complex ? GBL_Z : GBL_D,
                                      .macro_count = 11,
                                      .macros = {{"ITEMS", ITEMS},
                                                 {"NB", NB},
                                                 {"OWN", OWN},
                                                 {"DEEP", forms[f].deep},
                                                 {"COLUMNS", forms[f].columns},
                                                 {"VEC", forms[f].vec},
                                                 {"STAGES", forms[f].stages},
                                                 {"V_LOCAL", forms[f].v_local},
                                                 {"TWICE", forms[f].twice},
                                                 {"BULK", forms[f].bulk},
                                                 {"EARLY", forms[f].early}}};
        gbl_kernel *kernel = NULL;
        ready = ready && gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message) == GABLE_OK;
        check(ready, gable_message(ctx));
        for (unsigned round = 0; ready && round < 12; round++) {
            const int *size = sizes[(round + (unsigned)f) % 10];
            const int more = round % 3 > 0 ? forms[f].more : 0, groups = 2 + (int)(round % 5);
            const int m = size[0] + more, n = size[1] + (round % 3 > 1 ? more : 0);
            const int count = n < NB ? n : round % 7 == 3 ? 3 : NB;
            check_panel(ctx, kernel, memory, round, m, n, count, groups, is_complex, check);
        }
    }
    check(gable_free(ctx, memory) == GABLE_OK, gable_message(ctx));
}
