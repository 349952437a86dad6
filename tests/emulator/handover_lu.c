/* handover_lu.c: columns of an LU factorization by groups that run side by side.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel is launched as getrf.c does it: the counter of barriers goes on from launch to launch.
 */
#include "handover_lu.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "core/launch.h"
#include "fake_device.h"
#include "fake_groups.h"
#include "getrf_grid_args.h"

/* The settings of handover.cmake. */
#define ITEMS 4
#define NB    4
#define MOST  24 /* rows: of six groups */

static unsigned bits(unsigned seed, unsigned i)
{
    uint64_t h = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0x85ebca6b);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (unsigned)(h >> 40);
}

/* Ones between two rows of each column, rows in another order and with signs: square parts of such
 * a matrix have the determinants 0, 1 and -1. */
static void make_matrix(int m, unsigned seed, double A[NB][MOST])
{
    int place[MOST];
    for (int i = 0; i < m; i++)
        place[i] = i;
    for (int i = 0; i + 1 < m; i++) {
        const int p = i + (int)(bits(seed, (unsigned)i) % (unsigned)(m - i)), kept = place[i];
        place[i] = place[p];
        place[p] = kept;
    }
    for (int j = 0; j < NB; j++) {
        const int start = (int)(bits(seed + 1, (unsigned)j) % (unsigned)m),
                  end = start + 1 + (int)(bits(seed + 2, (unsigned)j) % (unsigned)(m - start));
        for (int i = 0; i < m; i++)
            A[j][place[i]] = i >= start && i < end ? bits(seed + 3, (unsigned)i) % 2 ? -1 : 1 : 0;
    }
}

static int64_t reference(int m, int n, double A[NB][MOST], int64_t *ipiv)
{
    int64_t info = 0;
    for (int j = 0; j < m && j < n; j++) {
        int p = j;
        for (int i = j + 1; i < m; i++)
            if (fabs(A[j][i]) > fabs(A[j][p]))
                p = i;
        ipiv[j] = p + 1;
        for (int c = 0; c < n; c++) {
            const double kept = A[c][j];
            A[c][j] = A[c][p];
            A[c][p] = kept;
        }
        if (A[j][j] == 0) {
            info = info == 0 ? j + 1 : info;
            continue;
        }
        for (int i = j + 1; i < m; i++)
            A[j][i] /= A[j][j];
        for (int c = j + 1; c < n; c++)
            for (int i = j + 1; i < m; i++)
                A[c][i] -= A[j][i] * A[c][j];
    }
    return info;
}

/* What the kernel works with, in one piece of the device's memory. */
typedef struct numbers {
    double A[NB][MOST];
    int64_t ipiv[NB], state, info;
    double bests[2 * FAKE_AT_ONCE][2];
    double rows[2 * FAKE_AT_ONCE][NB];
    int32_t counter;
} numbers;

static gable_status factor(gable_context *ctx, gbl_kernel *kernel, numbers *at, int m, int n,
                           int64_t arrived)
{
    const getrf_grid_args args = {.m = m, .n = n, .lda = MOST, .arrived = arrived};
    gbl_launch_spec launch = {
        .groups = {(m + ITEMS - 1) / ITEMS, 1},
        .group = {ITEMS, 1},
        .cooperative = true,
        .buffer_count = 7,
        .buffers = {at->A, at->ipiv, &at->state, &at->info, at->bests, at->rows, &at->counter},
        .args = &args,
        .args_bytes = sizeof args,
    };
    return gbl_launch(ctx, kernel, &launch);
}

static bool same(const numbers *is, const numbers *want, int m, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (!(is->A[j][i] == want->A[j][i]))
                return false;
    for (int j = 0; j < n && j < m; j++)
        if (is->ipiv[j] != want->ipiv[j])
            return false;
    return is->info == want->info && is->state == want->info;
}

void handover_lu(gable_context *ctx, void (*check)(bool good, const char *what))
{
    static const int rows[] = {5, 24, 12, 17, 23, 8};
    static numbers host, want;
    const gbl_kernel_spec spec = {.file = "getrf_grid.cl",
                                  .dtype = GBL_D,
                                  .macro_count = 2,
                                  .macros = {{"ITEMS", ITEMS}, {"NB", NB}}};
    gbl_kernel *kernel = NULL;
    void *memory = NULL;
    int64_t arrived = 0;
    const bool ready = gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message) == GABLE_OK &&
                       gable_alloc(ctx, sizeof host, &memory) == GABLE_OK;
    check(ready, gable_message(ctx));
    for (int round = 0; ready && round < 30; round++) {
        const int m = rows[round % 6], n = round % 5 == 4 ? 3 : NB,
                  groups = (m + ITEMS - 1) / ITEMS;
        char what[64];
        memset(&host, 0, sizeof host);
        make_matrix(m, (unsigned)round * 7, host.A);
        host.counter = (int32_t)arrived;
        want = host;
        want.info = reference(m, n, want.A, want.ipiv);
        fake_at_once(groups);
        fake_shuffle((unsigned)round * 2 + 1);
        const bool ran = gable_set_vector(ctx, 1, sizeof host, &host, 1, memory, 1) == GABLE_OK &&
                         factor(ctx, kernel, memory, m, n, arrived) == GABLE_OK &&
                         gable_get_vector(ctx, 1, sizeof host, memory, 1, &host, 1) == GABLE_OK;
        arrived += (int64_t)n * groups;
        snprintf(what, sizeof what, "%d by %d, round %d: %s", m, n, round,
                 ran ? "wrong factors or pivots" : "it did not run");
        check(ran && same(&host, &want, m, n) && host.counter == arrived, what);
    }
    check(gable_free(ctx, memory) == GABLE_OK, gable_message(ctx));
}
