/* handover_sytrd.c: panels of a tridiagonal reduction by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers are complex throughout; those of a real matrix have no imaginary parts. Places are
 * counted from the panel's first diagonal element, in either direction.
 */
#include "handover_sytrd.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "core/launch.h"
#include "fake_device.h"
#include "fake_groups.h"
#include "sytrd_panel_args.h"
#include "handover_numbers.h"

/* The settings of handover.cmake. */
#define ITEMS   8
#define NB      4
#define OWN     4
#define DEEP    2
#define COLUMNS 2
#define TALL    8
#define MOST    26 /* rows */
#define BLOCKS  ((MOST + TALL - 1) / TALL)
#define PIECES  (TALL / COLUMNS * BLOCKS * (BLOCKS + 1) / 2)

/* A panel: its matrix, and what comes out. */
typedef struct panel {
    number A[MOST][MOST], W[NB][MOST], tau[NB];
    double d[NB], e[NB];
} panel;

/* What the kernel works with, in one piece of the device's memory: room for complex numbers. */
typedef struct numbers {
    double A[MOST * MOST * 2], W[NB * MOST * 2], tau[NB * 2], d[NB], e[NB];
    double column[MOST * 2], shares[FAKE_AT_ONCE * 2 * NB * 2];
    double row_sums[(FAKE_AT_ONCE + BLOCKS) * TALL * 2], column_sums[PIECES * COLUMNS * 2];
    double energy[FAKE_AT_ONCE * 2], squares[FAKE_AT_ONCE * 3];
    int32_t counter;
} numbers;

/* Some matrices are so small or large that squares of their numbers are none; some have a column
 * of zeros below its first two elements. What is not in the lower triangle is NaN. */
static void make_matrix(int n, bool is_complex, unsigned seed, panel *at)
{
    static const double sizes[] = {1, 1, 0x1p-600, 1, 0x1p560};
    memset(at, 0, sizeof *at);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const unsigned place = (unsigned)(j * MOST + i);
            number x = random_number(seed, place);
            if (is_complex && i != j)
                x += I * random_number(seed + 77, place);
            if (seed % 4 == 1 && j == 1 && i > 2)
                x = 0;
            if (seed % 4 == 1 && j == 0 && i > 1)
                x = 0;
            at->A[j][i] = i >= j ? x * sizes[seed % 5] : NAN;
        }
}

/* Element (i, j) of the Hermitian matrix, of which columns before the panel's p-th are vectors. */
static number full(const panel *at, int i, int j)
{
    return i == j ? creal(at->A[j][i]) : i > j ? at->A[j][i] : conj(at->A[i][j]);
}

static void reference(int n, int count, panel *at)
{
    static number a[MOST], w[MOST];
    for (int p = 0; p < count; p++) {
        for (int t = p; t < n; t++) {
            a[t] = full(at, t, p);
            for (int q = 0; q < p; q++)
                a[t] -= at->A[q][t] * conj(at->W[q][p]) + at->W[q][t] * conj(at->A[q][p]);
        }
        at->d[p] = creal(a[p]);
        at->A[p][p] = at->d[p];
        if (p + 1 == n)
            return;
        double norm = 0;
        for (int t = p + 2; t < n; t++)
            norm = hypot(norm, cabs(a[t]));
        number tau = 0, alpha = a[p + 1];
        at->e[p] = creal(alpha);
        if (norm > 0 || cimag(alpha) != 0) {
            const double beta = -copysign(hypot(cabs(alpha), norm), creal(alpha));
            tau = (beta - alpha) / beta;
            at->e[p] = beta;
            for (int t = p + 2; t < n; t++)
                a[t] /= alpha - beta;
        }
        at->tau[p] = tau;
        for (int t = p + 1; t < n; t++)
            at->A[p][t] = t == p + 1 ? 1 : a[t];
        for (int t = p + 1; t < n; t++) {
            w[t] = 0;
            for (int u = p + 1; u < n; u++)
                w[t] += full(at, t, u) * at->A[p][u];
        }
        for (int q = 0; q < p; q++) {
            number with_v = 0, with_w = 0;
            for (int t = p + 1; t < n; t++) {
                with_v += conj(at->A[q][t]) * at->A[p][t];
                with_w += conj(at->W[q][t]) * at->A[p][t];
            }
            for (int t = p + 1; t < n; t++)
                w[t] -= at->A[q][t] * with_w + at->W[q][t] * with_v;
        }
        number inner = 0;
        for (int t = p + 1; t < n; t++)
            inner += conj(tau * w[t]) * at->A[p][t];
        for (int t = p + 1; t < n; t++)
            at->W[p][t] = tau * w[t] - tau * inner / 2 * at->A[p][t];
    }
}

/* ---- The panel as the kernel has it ---- */

/* Place i of a line of `length` numbers, which may go backward. */
static int place(int i, int length, bool backward)
{
    return backward ? length - 1 - i : i;
}

static void pack(const panel *from, bool is_complex, bool backward, numbers *to)
{
    memset(to, 0, sizeof *to);
    for (int j = 0; j < MOST; j++)
        for (int i = 0; i < MOST; i++)
            put_number(to->A, place(i + j * MOST, MOST * MOST, backward), from->A[j][i],
                       is_complex);
}

static void unpack(const numbers *from, bool is_complex, bool backward, panel *to)
{
    for (int j = 0; j < MOST; j++)
        for (int i = 0; i < MOST; i++)
            to->A[j][i] =
                take_number(from->A, place(i + j * MOST, MOST * MOST, backward), is_complex);
    for (int q = 0; q < NB; q++) {
        for (int i = 0; i < MOST; i++)
            to->W[q][i] =
                take_number(from->W, place(i + q * MOST, NB * MOST, backward), is_complex);
        to->tau[q] = take_number(from->tau, place(q, NB, backward), is_complex);
        to->d[q] = from->d[place(q, NB, backward)];
        to->e[q] = from->e[place(q, NB, backward)];
    }
}

static gable_status reduce(gable_context *ctx, gbl_kernel *kernel, numbers *at, int n, int count,
                           int groups, bool is_complex, bool backward)
{
    const sytrd_panel_args args = {.n = n, .count = count, .lda = MOST, .ldw = MOST};
    const size_t element = is_complex ? 16 : 8;
    const int last = backward ? 1 : 0;
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {ITEMS, 1},
        .cooperative = true,
        .buffer_count = 12,
        .buffers = {(char *)at->A + (size_t)(last * (MOST * MOST - 1)) * element,
                    (char *)at->W + (size_t)(last * (NB * MOST - 1)) * element,
                    at->d + last * (NB - 1), at->e + last * (NB - 1),
                    (char *)at->tau + (size_t)(last * (NB - 1)) * element, at->column, at->shares,
                    at->row_sums, at->column_sums, at->energy, at->squares, &at->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

/* ---- The check ---- */

/* The vectors and tau are of size 1, all else of the matrix's. */
static bool right(const panel *is, const panel *given, const panel *want, int n, int count)
{
    double size = 0;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            size = fmax(size, cabs(given->A[j][i]));
    bool good = true;
    for (int p = 0; p < count; p++) {
        good =
            good && is_near(is->d[p], want->d[p], size) && is_near(is->A[p][p], want->d[p], size);
        if (p + 1 == n)
            break;
        good = good && is_near(is->e[p], want->e[p], size) && is_near(is->tau[p], want->tau[p], 1);
        for (int t = p + 1; t < n; t++)
            good = good && is_near(is->A[p][t], want->A[p][t], 1) &&
                   (n == count || is_near(is->W[p][t], want->W[p][t], size));
    }
    for (int j = count; j < n; j++) /* the rest stays as it was */
        for (int i = j; i < n; i++)
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
    const bool backward = is_complex;
    char what[112];
    make_matrix(n, is_complex, round, &given);
    want = given;
    reference(n, count, &want);
    pack(&given, is_complex, backward, &packed);
    for (unsigned again = 0; again < 3; again++) {
        fake_at_once(groups);
        fake_shuffle(round * 6 + again * 2 + 1);
        const bool ran =
            gable_set_vector(ctx, 1, sizeof packed, &packed, 1, memory, 1) == GABLE_OK &&
            reduce(ctx, kernel, memory, n, count, groups, is_complex, backward) == GABLE_OK &&
            gable_get_vector(ctx, 1, sizeof out, memory, 1, &out, 1) == GABLE_OK;
        if (again == 0)
            first = out;
        unpack(&out, is_complex, backward, &is);
        snprintf(what, sizeof what, "%c, order %d, %d columns, %d groups, round %u: %s",
                 is_complex ? 'z' : 'd', n, count, groups, round,
                 ran ? "wrong numbers" : "it did not run");
        check(ran && out.counter == 0 && right(&is, &given, &want, n, count), what);
        check(memcmp(out.A, first.A, sizeof out.A) == 0 &&
                  memcmp(out.W, first.W, sizeof out.W) == 0,
              "another order of groups gave other bits");
    }
}

void handover_sytrd(gable_context *ctx, void (*check)(bool good, const char *what))
{
    static const int orders[] = {5, 26, 17, 9, 24, 4, 25, 3};
    void *memory = NULL;
    bool ready = gable_alloc(ctx, sizeof(numbers), &memory) == GABLE_OK;
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        const gbl_kernel_spec spec = {.file = "sytrd_panel.cl",
                                      .dtype = is_complex ? GBL_Z : GBL_D,
                                      .macro_count = 7,
                                      .macros = {{"ITEMS", ITEMS},
                                                 {"NB", NB},
                                                 {"OWN", OWN},
                                                 {"DEEP", DEEP},
                                                 {"COLUMNS", COLUMNS},
                                                 {"SLOTS", is_complex ? 0 : 2},
                                                 {"UPPER", is_complex}}};
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
