/* test_geqrf_cluster.c: columns of a QR factorization by the groups of one cluster, as plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * R, tau, V and T are compared with a plain loop in double. Columns that are zeros, or whose
 * squares underflow or overflow, are among them. Groups run in another order each time: the bits
 * must be the same. With an argument, a number of a mutant or 0, it runs that one only: for the
 * thread sanitizer.
 */
#include <complex.h>
#undef complex /* a word of the library's headers */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "geqrf_args.h"
#include "hopper_mutants.h"

#define MOST_M 160
#define MOST_N 32
#define ABOVE  3

/* The settings of geqrf_kernels.cmake. */
typedef struct setting {
    int prec, items, columns, rows;
} setting;
static const setting settings[] = {{1, 64, 8, 1},  {1, 64, 32, 4}, {0, 64, 16, 2},
                                   {2, 64, 16, 2}, {3, 64, 8, 1},  {1, 96, 16, 2}};

/* What a launch works with, as the kernel has it and as numbers. */
typedef struct numbers {
    double _Complex A[MOST_N][MOST_M], tau[MOST_N], V[MOST_N][MOST_M + ABOVE], T[MOST_N][MOST_N];
} numbers;
#define COUNT (sizeof(numbers) / sizeof(double _Complex))

static gable_context *ctx;
static void *memory;

static double number(unsigned seed, unsigned i)
{
    uint64_t h = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0x85ebca6b);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(h >> 40) / (1 << 23) - 1;
}

/* The second column: as others, zeros, of a size whose squares are none or infinite, or no
 * numbers. */
static void make_matrix(int prec, int m, int n, unsigned seed, numbers *at)
{
    const bool wide = prec % 2 == 1;
    const double sizes[] = {1, 0, wide ? 0x1p-600 : 0x1p-100, wide ? 0x1p600 : 0x1p100, NAN};
    memset(at, 0, sizeof *at);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const unsigned at_number = (unsigned)(2 * (j * MOST_M + i));
            const double size = j == 1 ? sizes[seed % 5] : 1;
            at->A[j][i] = (float)number(seed, at_number) * size;
            if (prec > 1)
                at->A[j][i] += I * ((float)number(seed, at_number + 1) * size);
        }
}

static void factor_column(int m, int j, numbers *at)
{
    double _Complex *a = at->A[j];
    double norm = 0;
    for (int i = j + 1; i < m; i++)
        norm = hypot(norm, cabs(a[i]));
    at->tau[j] = 0;
    if (norm != 0 || cimag(a[j]) != 0) {
        const double beta = -copysign(hypot(cabs(a[j]), norm), creal(a[j]));
        const double _Complex divisor = a[j] - beta;
        at->tau[j] = (beta - a[j]) / beta;
        for (int i = j + 1; i < m; i++)
            a[i] /= divisor;
        a[j] = beta;
    }
    for (int i = 0; i < m; i++)
        at->V[j][ABOVE + i] = i > j ? a[i] : i == j;
}

static void reference(int m, int n, numbers *at)
{
    for (int j = 0; j < n; j++) {
        factor_column(m, j, at);
        const double _Complex *v = at->V[j] + ABOVE;
        for (int c = j + 1; c < n; c++) {
            double _Complex sum = 0;
            for (int i = j; i < m; i++)
                sum += conj(v[i]) * at->A[c][i];
            for (int i = j; i < m; i++)
                at->A[c][i] -= conj(at->tau[j]) * sum * v[i];
        }
        for (int r = 0; r < j; r++) {
            double _Complex sum = 0;
            for (int c = r; c < j; c++) {
                double _Complex product = 0;
                for (int i = j; i < m; i++)
                    product += conj(at->V[c][ABOVE + i]) * v[i];
                sum += at->T[c][r] * product;
            }
            at->T[j][r] = -at->tau[j] * sum;
        }
        at->T[j][j] = at->tau[j];
    }
}

/* ---- Numbers in the kernel's precision ---- */

static size_t element_bytes(int prec)
{
    static const size_t bytes[] = {4, 8, 8, 16};
    return bytes[prec];
}

static void pack(int prec, const numbers *from, char *to)
{
    const double _Complex *x = from->A[0];
    for (size_t i = 0; i < COUNT; i++) {
        const double parts[2] = {creal(x[i]), cimag(x[i])};
        const float narrow[2] = {(float)parts[0], (float)parts[1]};
        memcpy(to + i * element_bytes(prec), prec % 2 ? (const void *)parts : narrow,
               element_bytes(prec));
    }
}

static void unpack(int prec, const char *from, numbers *to)
{
    double _Complex *x = to->A[0];
    for (size_t i = 0; i < COUNT; i++) {
        double parts[2] = {0};
        float narrow[2] = {0};
        memcpy(prec % 2 ? (void *)parts : narrow, from + i * element_bytes(prec),
               element_bytes(prec));
        x[i] = prec % 2 ? parts[0] + I * parts[1] : narrow[0] + I * narrow[1];
    }
}

static void *part(int prec, size_t offset)
{
    return (char *)memory + offset / sizeof(double _Complex) * element_bytes(prec);
}

/* ---- Launches ---- */

static const fake_kernel *find(const setting *s, int mutant)
{
    char macros[96];
    const int length = snprintf(macros, sizeof macros, "PREC=%d ITEMS=%d NB=%d ROWS=%d", s->prec,
                                s->items, s->columns, s->rows);
    if (mutant > 0)
        snprintf(macros + length, sizeof macros - (size_t)length, " MUTANT=%d", mutant);
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++)
        if (strcmp(kernel->macros, macros) == 0)
            return kernel;
    EXPECT(false, "there is no kernel with %s", macros);
    return NULL;
}

static int launch(const fake_kernel *kernel, const setting *s, int m, int n, int groups)
{
    const geqrf_args args = {
        .m = m, .n = n, .lda = MOST_M, .ldv = MOST_M + ABOVE, .ldt = MOST_N, .above = ABOVE};
    const gbl_launch_spec spec = {
        .name = "geqrf_cluster",
        .groups = {groups, 1},
        .group = {s->items, 1},
        .dynamic_local_bytes =
            GEQRF_CLUSTER_BYTES((size_t)s->items, (size_t)s->columns, element_bytes(s->prec)),
        .cluster = groups,
        .buffer_count = 4,
        .buffers = {part(s->prec, offsetof(numbers, A)), part(s->prec, offsetof(numbers, tau)),
                    part(s->prec, offsetof(numbers, V)), part(s->prec, offsetof(numbers, T))},
        .args = &args,
        .args_bytes = sizeof args};
    const int before = fake_faults();
    fake_run(kernel, &spec);
    return fake_faults() - before;
}

/* The vector of a tiny column is as large as others, and so are the numbers of T. */
static int count_wrong(const setting *s, const numbers *is, const numbers *want)
{
    const double limit = s->prec % 2 ? 1e-13 : 2e-5;
    const double _Complex *x = is->A[0], *y = want->A[0];
    int wrong = 0;
    for (size_t i = 0; i < COUNT; i++)
        wrong += isnan(cabs(y[i])) ? !isnan(cabs(x[i]))
                                   : !(cabs(x[i] - y[i]) <= limit * fmax(1, cabs(y[i])));
    return wrong;
}

/* Wrong numbers, faults, and other bits than before of one matrix in three orders. */
static int check_matrix(const setting *s, int mutant, int m, int n, int groups, unsigned round)
{
    static numbers given, want, is;
    static char packed[sizeof(numbers)], bits[2][sizeof(numbers)];
    const fake_kernel *kernel = find(s, mutant);
    const size_t bytes = COUNT * element_bytes(s->prec);
    int wrong = 0;
    if (kernel == NULL)
        return 1;
    make_matrix(s->prec, m, n, round, &given);
    want = given;
    reference(m, n, &want);
    pack(s->prec, &given, packed);
    for (int again = 0; again < 3; again++) {
        char *to = bits[again > 0];
        wrong += gable_set_vector(ctx, (int64_t)bytes, 1, packed, 1, memory, 1) != GABLE_OK;
        wrong += launch(kernel, s, m, n, groups);
        wrong += gable_get_vector(ctx, (int64_t)bytes, 1, memory, 1, to, 1) != GABLE_OK;
        unpack(s->prec, to, &is);
        wrong += count_wrong(s, &is, &want) + (memcmp(to, bits[0], bytes) != 0);
    }
    return wrong;
}

/* As many groups as have the rows, and one without any. */
static int run(const setting *s, int mutant, unsigned rounds, int most_groups)
{
    const int group_rows = s->items / 32 * 8 * s->rows;
    int wrong = 0;
    for (unsigned round = 0; round < rounds; round++) {
        int groups = 1 + (int)(round * 5 % (unsigned)most_groups), m = groups * group_rows;
        if (m > MOST_M) {
            groups = MOST_M / group_rows;
            m = groups * group_rows;
        }
        m -= round % 3 == 2 ? (int)(round % (unsigned)group_rows) : 0;
        int n = round % 4 == 3 ? s->columns - 1 - (int)(round % 5) : s->columns;
        n = n < 1 ? 1 : n > m ? m : n;
        const int one_more = round % 7 == 6 && groups < GEQRF_MOST_GROUPS;
        wrong += check_matrix(s, mutant, m, n, groups + one_more, round);
    }
    return wrong;
}

int main(int count, char **arguments)
{
    const fake_settings device = {.hopper = true, .is_gpu = true};
    fake_install(&device);
    if (gable_open(&ctx, "fake") != GABLE_OK ||
        gable_alloc(ctx, sizeof(numbers), &memory) != GABLE_OK) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_geqrf_cluster");
    }
    const int mutant = count > 1 ? atoi(arguments[1]) : -1;
    if (mutant >= 0) {
        EXPECT(run(&settings[0], mutant, 8, 4) == 0, "mutant %d", mutant);
    } else {
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            EXPECT(run(&settings[i], 0, 16, 10) == 0, "setting %d: %s", (int)i, fake_first_fault());
        for (int i = 0; qr_mutants[i].name != NULL; i++)
            if (strcmp(qr_mutants[i].caught, "result") == 0)
                EXPECT(run(&settings[0], i + 1, 16, 4) > 0, "\"%s\" is not seen",
                       qr_mutants[i].name);
    }
    gable_free(ctx, memory);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_geqrf_cluster");
}
