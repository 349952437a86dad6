/* handover_qr.c: columns of a QR factorization by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "handover_qr.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "core/launch.h"
#include "fake_device.h"
#include "fake_groups.h"
#include "geqrf_args.h"

/* The settings of handover.cmake. */
#define ITEMS 4
#define NB    4
#define MOST  24 /* rows: of six groups where each work-item has one */
#define ABOVE 3
#define LEAST 1e-13 /* of a difference that counts */

/* What the kernel works with, in one piece of the device's memory. */
typedef struct numbers {
    double A[NB][MOST], tau[NB];
    double V[NB][MOST + ABOVE], T[NB][NB];
    double sums[2 * (FAKE_AT_ONCE + 1)][NB];
    double squares[FAKE_AT_ONCE][3];
    int32_t counter;
} numbers;

static double number(unsigned seed, unsigned i)
{
    uint64_t h = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0x85ebca6b);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(h >> 40) / (1 << 23) - 1;
}

/* The second column may be zeros, or so small that its squares are none. */
static void make_matrix(int m, unsigned seed, numbers *at)
{
    static const double sizes[] = {1, 0, 1, 0x1p-600};
    memset(at, 0, sizeof *at);
    for (int j = 0; j < NB; j++)
        for (int i = 0; i < m; i++)
            at->A[j][i] = number(seed, (unsigned)(j * MOST + i)) * (j == 1 ? sizes[seed % 4] : 1);
}

static void reflect(int m, int j, const double *v, double tau, double *column)
{
    double sum = column[j];
    for (int i = j + 1; i < m; i++)
        sum += v[i] * column[i];
    column[j] -= tau * sum;
    for (int i = j + 1; i < m; i++)
        column[i] -= tau * sum * v[i];
}

static void reference(int m, int n, numbers *at)
{
    for (int j = 0; j < n; j++) {
        double *a = at->A[j], norm = 0;
        for (int i = j + 1; i < m; i++)
            norm = hypot(norm, a[i]);
        at->tau[j] = 0;
        if (norm > 0) {
            const double beta = -copysign(hypot(a[j], norm), a[j]), divisor = a[j] - beta;
            at->tau[j] = (beta - a[j]) / beta;
            for (int i = j + 1; i < m; i++)
                a[i] /= divisor;
            a[j] = beta;
        }
        for (int c = j + 1; c < n; c++)
            reflect(m, j, a, at->tau[j], at->A[c]);
        for (int i = 0; i < m; i++)
            at->V[j][ABOVE + i] = i > j ? a[i] : i == j;
        for (int r = 0; r < j; r++) {
            double sum = 0;
            for (int c = r; c < j; c++) {
                double product = 0;
                for (int i = j; i < m; i++)
                    product += at->V[c][ABOVE + i] * at->V[j][ABOVE + i];
                sum += at->T[c][r] * product;
            }
            at->T[j][r] = -at->tau[j] * sum;
        }
        at->T[j][j] = at->tau[j];
    }
}

static gable_status factor(gable_context *ctx, gbl_kernel *kernel, numbers *at, int m, int n,
                           int groups)
{
    const geqrf_args args = {
        .m = m, .n = n, .lda = MOST, .ldv = MOST + ABOVE, .ldt = NB, .above = ABOVE};
    gbl_launch_spec launch = {
        .groups = {groups, 1},
        .group = {ITEMS, 1},
        .cooperative = true,
        .buffer_count = 7,
        .buffers = {at->A, at->tau, at->V, at->T, at->sums, at->squares, &at->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static bool near(double is, double want)
{
    return fabs(is - want) <= LEAST;
}

/* The vector of a tiny column is as large as others, and so are the numbers of T. */
static bool right(const numbers *is, const numbers *want, int m, int n)
{
    bool good = is->counter == 0;
    for (int j = 0; j < n; j++) {
        good = good && near(is->tau[j], want->tau[j]);
        for (int i = 0; i < m; i++)
            good = good && near(is->A[j][i], want->A[j][i]);
        for (int i = 0; i < m + ABOVE; i++)
            good = good && near(is->V[j][i], want->V[j][i]);
        for (int i = 0; i < n; i++)
            good = good && near(is->T[j][i], want->T[j][i]);
    }
    return good;
}

/* A matrix by so many groups, in three orders. */
static void check_matrix(gable_context *ctx, gbl_kernel *kernel, void *memory, unsigned round,
                         int m, int n, int groups, void (*check)(bool good, const char *what))
{
    static numbers given, want, first, is;
    char what[96];
    make_matrix(m, round, &given);
    want = given;
    reference(m, n, &want);
    for (unsigned again = 0; again < 3; again++) {
        fake_at_once(groups);
        fake_shuffle(round * 6 + again * 2 + 1);
        const bool ran = gable_set_vector(ctx, 1, sizeof given, &given, 1, memory, 1) == GABLE_OK &&
                         factor(ctx, kernel, memory, m, n, groups) == GABLE_OK &&
                         gable_get_vector(ctx, 1, sizeof is, memory, 1, &is, 1) == GABLE_OK;
        if (again == 0)
            first = is;
        snprintf(what, sizeof what, "%d by %d, %d groups, round %u: %s", m, n, groups, round,
                 ran ? "wrong numbers" : "it did not run");
        check(ran && right(&is, &want, m, n), what);
        check(memcmp(&is.A, &first.A, sizeof is.A) == 0 &&
                  memcmp(&is.T, &first.T, sizeof is.T) == 0,
              "another order of groups gave other bits");
    }
}

void handover_qr(gable_context *ctx, void (*check)(bool good, const char *what))
{
    static const int rows[] = {5, 24, 12, 17, 23, 8};
    void *memory = NULL;
    bool ready = gable_alloc(ctx, sizeof(numbers), &memory) == GABLE_OK;
    for (int kept = 0; kept < 2; kept++) {
        const gbl_kernel_spec spec = {.file = "geqrf_grid.cl",
                                      .dtype = GBL_D,
                                      .macro_count = 3,
                                      .macros = {{"ITEMS", ITEMS}, {"NB", NB}, {"KEPT", kept}}};
        gbl_kernel *kernel = NULL;
        ready = ready && gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message) == GABLE_OK;
        check(ready, gable_message(ctx));
        for (unsigned round = 0; ready && round < 12; round++) {
            const int m = rows[round % 6], all = (m + ITEMS - 1) / ITEMS;
            check_matrix(ctx, kernel, memory, round, m, round % 5 == 4 ? 3 : NB,
                         kept || all < 3 ? all : all - 1, check);
        }
    }
    check(gable_free(ctx, memory) == GABLE_OK, gable_message(ctx));
}
