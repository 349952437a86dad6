/* cpu_products.c: the cpu's products with sparse matrices against plain ones, in one precision.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <omp.h>
#include "cpu/cpu_sparse.h"
#include "sparse/matrix/cpu_tests.h"
#include "sparse/matrix/cpu_layouts.h"

typedef struct product {
    const rows *A;
    formatted *f;
    bool conj, exact;
    int64_t k, ldx, ldy;
    number_pair alpha, beta;
    T *x, *y, *before;
} product;

static gbl_scalar scalar_of(number_pair a)
{
    return (gbl_scalar){NULL, a.re, COMPLEX ? a.im : 0};
}

static void multiply(const product *p, T *y)
{
    const gbl_sparse_args args = {.dtype = DTYPE,
                                  .conj = p->conj,
                                  .k = p->k,
                                  .ldx = p->ldx,
                                  .ldy = p->ldy,
                                  .A = p->f->layout,
                                  .x = p->x,
                                  .y = y,
                                  .alpha = scalar_of(p->alpha),
                                  .beta = scalar_of(p->beta)};
    gbl_message message = {0};
    memcpy(y, p->before, (size_t)(p->ldy * p->k) * sizeof(T));
    CHECK(PRIVATE(sparse_mv)(NULL, NULL, &args, &message) == GABLE_OK, "status, %s", message.text);
}

/* |y - alpha A x - beta y| over the bound (length + 2) u (|alpha| |A| |x| + |beta| |y|), at its
 * worst; where data are integers, all bits must agree. Rows past the last one must be as before. */
static void compare(const product *p)
{
    const double alpha_im = COMPLEX ? p->alpha.im : 0, beta_im = COMPLEX ? p->beta.im : 0;
    const bool fresh = p->beta.re == 0 && beta_im == 0;
    double worst = 0;
    int64_t wrong = 0;
    for (int64_t c = 0; c < p->k; c++)
        for (int64_t i = 0; i < p->ldy; i++) {
            const T got = p->y[i + c * p->ldy], old = p->before[i + c * p->ldy];
            if (i >= p->A->n) {
                wrong += memcmp(&got, &old, sizeof got) != 0;
                continue;
            }
            double size;
            const wide_pair s = row_times(p->A, i, p->conj, p->x + c * p->ldx, &size);
            const double y_re = fresh ? 0 : real_part(old), y_im = fresh ? 0 : imaginary_part(old);
            wide re = wide_add_product(wide_add_product((wide){0, 0}, p->alpha.re, s.re.high),
                                       -alpha_im, s.im.high);
            wide im = wide_add_product(wide_add_product((wide){0, 0}, p->alpha.re, s.im.high),
                                       alpha_im, s.re.high);
            re = wide_add_product(wide_add_product(re, p->beta.re, y_re), -beta_im, y_im);
            im = wide_add_product(wide_add_product(im, p->beta.re, y_im), beta_im, y_re);
            const double error = wide_size(wide_add(re, -real_part(got)).high,
                                           wide_add(im, -imaginary_part(got)).high);
            const double bound = ((double)length_of(p->A, i) + 2) * ROUNDOFF *
                                 (wide_size(p->alpha.re, alpha_im) * size +
                                  wide_size(p->beta.re, beta_im) * wide_size(y_re, y_im));
            if (p->exact || bound == 0)
                wrong += !(error == 0);
            else if (!(error / bound <= worst))
                worst = error / bound;
        }
    CHECK(wrong == 0, "%lld elements are wrong", (long long)wrong);
    CHECK(worst <= LIMIT, "error over bound %g", worst);
}

static void fill(T *x, int64_t count, uint64_t seed, bool exact)
{
    for (int64_t i = 0; i < count; i++) {
        const uint64_t at = 2 * (uint64_t)i;
        x[i] = exact ? make(data_integer(seed, at, 8), data_integer(seed, at + 1, 8))
                     : make(random_real(seed, at), random_real(seed, at + 1));
    }
}

/* All teams, conjugates and scalars for one matrix in one format. */
static void run_format(const rows *A, formatted *f, int64_t k, bool exact)
{
    static const number_pair scalars[][2] = {
        {{1, 0}, {0, 0}}, {{-2, 3}, {2, -1}}, {{3, 0}, {1, 0}}};
    product p = {.A = A, .f = f, .exact = exact, .k = k, .ldx = A->columns + 3, .ldy = A->n + 2};
    const size_t bytes = (size_t)(p.ldy * k) * sizeof(T);
    p.x = memory((size_t)(p.ldx * k) * sizeof(T));
    p.y = memory(bytes);
    p.before = memory(bytes);
    T *first = memory(bytes);
    fill(p.x, p.ldx * k, 3, exact);
    for (int s = k > 1 ? 1 : 0; s < (k > 1 ? 2 : 3); s++)
        for (int conj = 0; conj <= COMPLEX; conj++) {
            p.conj = conj;
            p.alpha = scalars[s][0];
            p.beta = scalars[s][1];
            fill(p.before, p.ldy * k, 4, exact);
            for (int64_t i = 0; p.beta.re == 0 && i < p.ldy * k; i++)
                p.before[i] = make(NAN, NAN);
            for (int threads = 1; threads <= 3; threads++) {
                test_case(
                    "%csparse_mv format %d, %d-byte indices, %lld rows, k = %lld, %d threads, "
                    "scalars %d, conj %d",
                    LETTER, f->layout.format, f->layout.index_bytes, (long long)A->n, (long long)k,
                    threads, s, conj);
                omp_set_num_threads(threads);
                multiply(&p, p.y);
                if (threads == 1) {
                    compare(&p);
                    memcpy(first, p.y, bytes);
                }
                CHECK(memcmp(first, p.y, bytes) == 0, "other bits than with one thread");
            }
        }
    free(p.x);
    free(p.y);
    free(p.before);
    free(first);
}

static void run_matrix(rows *A, bool exact)
{
    for (int w = 0; w < WAYS; w++)
        for (int index = 4; index <= 8; index += 4) {
            formatted f = format_rows(A, ways[w], index);
            run_format(A, &f, 1, exact);
            if (index == 4)
                run_format(A, &f, 5, exact);
            free_formatted(&f);
        }
    free_rows(A);
}

/* Integers, so that every order of summation gives the same. */
static rows integers(gbl_generated *G)
{
    rows A = rows_of(G);
    for (int64_t e = 0; e < A.entries; e++)
        A.value[e] =
            make(data_integer(9, 2 * (uint64_t)e, 8), data_integer(9, 2 * (uint64_t)e + 1, 8));
    return A;
}

/* With alpha = 0 only y counts; what fills a row up meets no x. */
static void unread(void)
{
    gbl_generated G;
    gbl_message message = {0};
    CHECK(gbl_generate_power_law(300, 300, 40, 5, &G, &message) == GABLE_OK, "%s", message.text);
    rows A = integers(&G);
    T *x = memory(300 * sizeof(T)), *y = memory(300 * sizeof(T));
    for (int w = 0; w < WAYS; w++) {
        formatted f = format_rows(&A, ways[w], 4);
        gbl_sparse_args args = {.dtype = DTYPE,
                                .k = 1,
                                .ldx = 300,
                                .ldy = 300,
                                .A = f.layout,
                                .x = x,
                                .y = y,
                                .beta = {NULL, 2, 0}};
        test_case("%csparse_mv alpha = 0, format %d", LETTER, f.layout.format);
        for (int64_t i = 0; i < 300; i++) {
            x[i] = make(NAN, NAN);
            y[i] = make((double)i, 0);
        }
        PRIVATE(sparse_mv)(NULL, NULL, &args, &message);
        int64_t wrong = 0;
        for (int64_t i = 0; i < 300; i++)
            wrong += !(real_part(y[i]) == 2.0 * (double)i);
        CHECK(wrong == 0, "%lld elements are not 2 y", (long long)wrong);
        test_case("%csparse_mv NaN in one x, format %d", LETTER, f.layout.format);
        /* Element 0 is NaN: rows that have no entry there stay finite. */
        for (int64_t i = 0; i < 300; i++)
            x[i] = make(i == 0 ? NAN : 1, 0);
        args.alpha = (gbl_scalar){NULL, 1, 0};
        args.beta = (gbl_scalar){NULL, 0, 0};
        PRIVATE(sparse_mv)(NULL, NULL, &args, &message);
        for (int64_t i = 0; i < 300; i++) {
            bool meets = false;
            for (int64_t e = A.start[i]; e < A.start[i + 1]; e++)
                meets = meets || A.column[e] == 0;
            wrong += meets == (isfinite(real_part(y[i])) != 0);
        }
        CHECK(wrong == 0, "%lld rows met the wrong x", (long long)wrong);
        free_formatted(&f);
    }
    free(x);
    free(y);
    free_rows(&A);
}

/* Rows that threads share, beside short, empty and nearly as long ones. */
static void long_rows(bool exact)
{
    static const int64_t lengths[] = {3, 70000, 150001, 0, 65535, 65536, 2};
    enum { ROWS = sizeof lengths / sizeof lengths[0], COLUMNS = 150001 };
    rows A = {.n = ROWS, .columns = COLUMNS};
    for (int i = 0; i < ROWS; i++)
        A.entries += lengths[i];
    A.start = memory((ROWS + 1) * sizeof *A.start);
    A.column = memory((size_t)A.entries * sizeof *A.column);
    A.value = memory((size_t)A.entries * sizeof *A.value);
    int64_t e = 0;
    for (int i = 0; i < ROWS; i++) {
        A.start[i] = e;
        for (int64_t j = 0; j < lengths[i]; j++, e++)
            A.column[e] = COLUMNS - lengths[i] + j;
    }
    A.start[ROWS] = e;
    fill(A.value, A.entries, 11, exact);
    for (int w = 0; w < WAYS; w++)
        for (int index = 4; index <= 8 && ways[w].format == GABLE_CSR; index += 4) {
            formatted f = format_rows(&A, ways[w], index);
            run_format(&A, &f, index == 4 ? 1 : 3, exact);
            free_formatted(&f);
        }
    free_rows(&A);
}

void TYPED(products)(void)
{
    gbl_generated G;
    gbl_message message = {0};
    CHECK(gbl_generate_power_law(3001, 2500, 300, 1, &G, &message) == GABLE_OK, "%s", message.text);
    rows A = integers(&G);
    run_matrix(&A, true);
    CHECK(gbl_generate_laplacian(5, (gbl_grid){61, 70, 1}, &G, &message) == GABLE_OK, "%s",
          message.text);
    A = rows_of(&G);
    run_matrix(&A, false);
    CHECK(gbl_generate_laplacian(7, (gbl_grid){1, 1, 1}, &G, &message) == GABLE_OK, "%s",
          message.text);
    A = integers(&G);
    run_matrix(&A, true);
    unread();
    long_rows(true);
    long_rows(false);
}
