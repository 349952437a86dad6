/* handover_gehrd.c: panels of a Hessenberg reduction by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers are complex throughout; those of a real matrix have no imaginary parts. Rows are counted
 * from the one below the panel's first diagonal element, as the kernel counts them.
 */
#include "handover_gehrd.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "core/launch.h"
#include "fake_device.h"
#include "fake_groups.h"
#include "gehrd_panel_args.h"
#include "handover_numbers.h"

/* The settings of handover.cmake. */
#define ITEMS   8
#define NB      4
#define OWN     4
#define DEEP    2
#define COLUMNS 2
#define TALL    8
#define MOST    26 /* rows */

/* A panel: its matrix, n by n + 1, and what comes out. */
typedef struct panel {
    number A[MOST + 1][MOST], V[NB][MOST], Y[NB][MOST], T[NB][NB], tau[NB];
} panel;

/* What the kernel works with, in one piece of the device's memory: room for complex numbers. */
typedef struct numbers {
    double A[(MOST + 1) * MOST * 2], V[NB * MOST * 2], Y[NB * MOST * 2], T[NB * NB * 2],
        tau[NB * 2];
    double column[MOST * 2], shares[2 * FAKE_AT_ONCE * NB * 2];
    double swept[(FAKE_AT_ONCE + 4) * TALL * 2], squares[FAKE_AT_ONCE * 3];
    int32_t counter;
} numbers;

/* Some matrices are so small or large that squares of their numbers are none; some have columns of
 * zeros below their first element. */
static void make_matrix(int n, bool is_complex, unsigned seed, panel *at)
{
    static const double sizes[] = {1, 1, 0x1p-600, 1, 0x1p560};
    memset(at, 0, sizeof *at);
    for (int j = 0; j <= n; j++)
        for (int i = 0; i < n; i++) {
            const unsigned place = (unsigned)(j * MOST + i);
            number x = random_number(seed, place);
            if (is_complex)
                x += I * random_number(seed + 77, place);
            if (seed % 4 == 1 && j == 0 && i > 0)
                x = 0;
            at->A[j][i] = x * sizes[seed % 5];
        }
    for (int q = 0; q < NB; q++)
        at->V[q][q] = 1;
}

static void reference(int n, int count, panel *at)
{
    static number b[MOST];
    for (int p = 0; p < count; p++) {
        number inner[NB] = {0}, turned[NB] = {0};
        for (int t = 0; t < n; t++) {
            b[t] = at->A[p][t];
            for (int q = 0; q < p; q++)
                b[t] -= at->Y[q][t] * conj(at->V[q][p - 1]);
        }
        for (int q = 0; q < p; q++)
            for (int t = 0; t < n; t++)
                inner[q] += conj(at->V[q][t]) * b[t];
        for (int q = 0; q < p; q++)
            for (int r = 0; r <= q; r++)
                turned[q] += conj(at->T[q][r]) * inner[r];
        for (int t = 0; t < n; t++)
            for (int q = 0; q < p; q++)
                b[t] -= at->V[q][t] * turned[q];
        double norm = 0;
        for (int t = p + 1; t < n; t++)
            norm = hypot(norm, cabs(b[t]));
        const number alpha = b[p];
        number tau = 0;
        double beta = creal(alpha);
        if (norm > 0 || cimag(alpha) != 0) {
            beta = -copysign(hypot(cabs(alpha), norm), creal(alpha));
            tau = (beta - alpha) / beta;
            for (int t = p + 1; t < n; t++)
                b[t] /= alpha - beta;
        }
        at->tau[p] = tau;
        for (int t = 0; t < n; t++) {
            at->A[p][t] = t == p ? beta : b[t];
            if (t > p)
                at->V[p][t] = b[t];
        }
        number with[NB] = {0};
        for (int q = 0; q < p; q++)
            for (int t = p; t < n; t++)
                with[q] += conj(at->V[q][t]) * at->V[p][t];
        for (int t = 0; t < n; t++) {
            number y = 0;
            for (int c = p; c < n; c++)
                y += at->A[c + 1][t] * at->V[p][c];
            for (int q = 0; q < p; q++)
                y -= at->Y[q][t] * with[q];
            at->Y[p][t] = tau * y;
        }
        for (int r = 0; r < p; r++) {
            number sum = 0;
            for (int q = r; q < p; q++)
                sum += at->T[q][r] * with[q];
            at->T[p][r] = -tau * sum;
        }
        at->T[p][p] = tau;
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

static void pack(const panel *from, bool is_complex, numbers *to)
{
    memset(to, 0, sizeof *to);
    put(to->A, &from->A[0][0], (MOST + 1) * MOST, is_complex);
    put(to->V, &from->V[0][0], NB * MOST, is_complex);
}

static void unpack(const numbers *from, bool is_complex, panel *to)
{
    take(&to->A[0][0], from->A, (MOST + 1) * MOST, is_complex);
    take(&to->V[0][0], from->V, NB * MOST, is_complex);
    take(&to->Y[0][0], from->Y, NB * MOST, is_complex);
    take(&to->T[0][0], from->T, NB * NB, is_complex);
    take(to->tau, from->tau, NB, is_complex);
}

static gable_status reduce(gable_context *ctx, gbl_kernel *kernel, numbers *at, int n, int count,
                           int groups)
{
    const gehrd_panel_args args = {
        .n = n, .count = count, .lda = MOST, .ldv = MOST, .ldy = MOST, .ldt = NB};
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {ITEMS, 1},
        .cooperative = true,
        .buffer_count = 10,
        .buffers = {at->A, at->V, at->Y, at->T, at->tau, at->column, at->shares, at->swept,
                    at->squares, &at->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- The check ---- */

/* V, T and tau are of size 1, all else of the matrix's. What is behind the panel stays. */
static bool right(const panel *is, const panel *given, const panel *want, int n, int count)
{
    double size = 0;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i < n; i++)
            size = fmax(size, cabs(given->A[j][i]));
    bool good = true;
    for (int p = 0; p < count; p++) {
        good = good && is_near(is->tau[p], want->tau[p], 1);
        for (int t = 0; t < n; t++)
            good = good && is_near(is->A[p][t], want->A[p][t], t > p ? 1 : size) &&
                   is_near(is->V[p][t], want->V[p][t], 1) &&
                   is_near(is->Y[p][t], want->Y[p][t], size);
        for (int r = 0; r < count; r++)
            good = good && is_near(is->T[p][r], want->T[p][r], 1);
    }
    for (int j = count; j <= n; j++)
        for (int i = 0; i < n; i++)
            good = good && is->A[j][i] == given->A[j][i];
    return good;
}

/* A panel by so many groups, in three orders. */
static void check_panel(gable_context *ctx, gbl_kernel *kernel, void *memory, unsigned round, int n,
                        int count, int groups, bool is_complex,
                        void (*check)(bool good, const char *what))
{
    static panel given, want, is;
    static numbers packed, first, out;
    char what[112];
    make_matrix(n, is_complex, round, &given);
    want = given;
    reference(n, count, &want);
    pack(&given, is_complex, &packed);
    for (unsigned again = 0; again < 3; again++) {
        fake_at_once(groups);
        fake_shuffle(round * 6 + again * 2 + 1);
        const bool ran =
            gable_set_vector(ctx, 1, sizeof packed, &packed, 1, memory, 1) == GABLE_OK &&
            reduce(ctx, kernel, memory, n, count, groups) == GABLE_OK &&
            gable_get_vector(ctx, 1, sizeof out, memory, 1, &out, 1) == GABLE_OK;
        if (again == 0)
            first = out;
        unpack(&out, is_complex, &is);
        snprintf(what, sizeof what, "%c, order %d, %d columns, %d groups, round %u: %s",
                 is_complex ? 'z' : 'd', n, count, groups, round,
                 ran ? "wrong numbers" : "it did not run");
        check(ran && out.counter == 0 && right(&is, &given, &want, n, count), what);
        check(memcmp(out.A, first.A, sizeof out.A) == 0 &&
                  memcmp(out.Y, first.Y, sizeof out.Y) == 0 &&
                  memcmp(out.T, first.T, sizeof out.T) == 0,
              "another order of groups gave other bits");
    }
}

void handover_gehrd(gable_context *ctx, void (*check)(bool good, const char *what))
{
    static const int orders[] = {5, 26, 17, 9, 24, 4, 25, 1};
    void *memory = NULL;
    bool ready = gable_alloc(ctx, sizeof(numbers), &memory) == GABLE_OK;
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        const gbl_kernel_spec spec = {.file = "gehrd_panel.cl",
                                      .dtype = is_complex ? GBL_Z : GBL_D,
                                      .macro_count = 6,
                                      .macros = {{"ITEMS", ITEMS},
                                                 {"NB", NB},
                                                 {"OWN", OWN},
                                                 {"DEEP", DEEP},
                                                 {"COLUMNS", COLUMNS},
                                                 {"SLOTS", is_complex ? 0 : 2}}};
        gbl_kernel *kernel = NULL;
        ready = ready && gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message) == GABLE_OK;
        check(ready, gable_message(ctx));
        for (unsigned round = 0; ready && round < 16; round++) {
            const int n = orders[round % 8], groups = 2 + (int)(round % 5);
            const int count = n < NB ? n : round % 7 == 3 ? 3 : NB;
            check_panel(ctx, kernel, memory, round, n, count, groups, is_complex, check);
        }
    }
    check(gable_free(ctx, memory) == GABLE_OK, gable_message(ctx));
}
