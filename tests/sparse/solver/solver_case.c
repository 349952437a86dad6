/* solver_case.c: systems for tests of solvers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "sparse/market/generate.h"
#include "sparse/market/market.h"
#include "sparse/solver/solver_case.h"

/* ---- Matrices ---- */

static void *room(int64_t count, size_t bytes)
{
    void *memory = calloc((size_t)count + 1, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

static model empty_model(int64_t n, int64_t entries)
{
    return (model){.rows = n,
                   .columns = n,
                   .entries = entries,
                   .start = room(n + 1, sizeof(int64_t)),
                   .column = room(entries, sizeof(int64_t)),
                   .value = room(entries, sizeof(number))};
}

static double scale_of(int64_t i, double spread)
{
    return 1 + spread * (data_double(77, (uint64_t)i) + 1) / 2;
}

model case_laplacian(int64_t nx, int64_t ny, double spread)
{
    gbl_generated made;
    gbl_message message = {NULL, ""};
    if (gbl_generate_laplacian(5, (gbl_grid){nx, ny, 1}, &made, &message) != GABLE_OK)
        abort();
    model m = empty_model(made.rows, made.entries);
    for (int64_t i = 0; i < made.rows; i++) {
        m.start[i + 1] = made.start[i + 1];
        for (int64_t e = made.start[i]; e < made.start[i + 1]; e++) {
            m.column[e] = made.column[e];
            m.value[e] = (number){
                made.value[e] * (scale_of(i, spread) * scale_of(made.column[e], spread)), 0};
        }
    }
    gbl_generated_free(&made);
    return m;
}

model case_diagonal(int64_t n, double low, double high)
{
    model m = empty_model(n, n);
    for (int64_t i = 0; i < n; i++) {
        m.start[i + 1] = i + 1;
        m.column[i] = i;
        m.value[i] = (number){n > 1 ? low + (high - low) * (double)i / (double)(n - 1) : low, 0};
    }
    return m;
}

/* ---- Files ---- */

static const char *folder(void)
{
    const char *given = getenv("GABLE_MATRICES");
    return given != NULL ? given : GABLE_SOURCE_DIR "/../shared/matrices";
}

typedef struct entry {
    int64_t row, column;
    number value;
} entry;

static int by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

bool case_file(const char *name, model *A)
{
    char path[1024];
    struct stat found;
    gbl_market file;
    gbl_message message = {NULL, ""};
    const gbl_market_options options = {.expand = true};
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    if (stat(path, &found) != 0) {
        test_leave_out(NULL, "%s is not there; GABLE_MATRICES names its folder", path);
        return false;
    }
    if (gbl_market_read(path, &options, &file, &message) != GABLE_OK) {
        test_failed(__FILE__, __LINE__, "%s", message.text);
        return false;
    }
    entry *all = room(file.entries, sizeof *all);
    const bool complex = file.field == GBL_MARKET_COMPLEX;
    for (int64_t e = 0; e < file.entries; e++) {
        const double *value = file.values != NULL ? file.values + (complex ? 2 * e : e) : NULL;
        all[e] = (entry){
            file.row[e], file.column[e], {value != NULL ? value[0] : 1, complex ? value[1] : 0}};
    }
    qsort(all, (size_t)file.entries, sizeof *all, by_place);
    *A = empty_model(file.rows, file.entries);
    for (int64_t e = 0; e < file.entries; e++) {
        A->column[e] = all[e].column;
        A->value[e] = all[e].value;
        A->start[all[e].row + 1] = e + 1;
    }
    for (int64_t i = 0; i < file.rows; i++)
        if (A->start[i + 1] < A->start[i])
            A->start[i + 1] = A->start[i];
    free(all);
    gbl_market_free(&file);
    return true;
}

/* ---- Cases ---- */

/* A number of size 1, but for rounding. */
static number turn_of(int64_t i)
{
    const double angle = 3.0 * data_double(5, (uint64_t)i);
    return (number){cos(angle), sin(angle)};
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Values as the precision holds them; entry (j, i) is always the conjugate of (i, j), for both are
 * made alike. */
static void round_values(gbl_dtype dtype, case_kind kind, model *A)
{
    for (int64_t i = 0; i < A->rows; i++) {
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
            const int64_t j = A->column[e];
            number v = A->value[e];
            if (kind == CASE_HERMITIAN && gbl_dtype_complex(dtype) && i != j) {
                const int64_t low = i > j ? i : j, high = i > j ? j : i;
                v = times(v, times(turn_of(low), number_conjugate(turn_of(high))));
                if (i < j)
                    v = number_conjugate(v);
            }
            A->value[e] = number_of(dtype, v.re, v.im);
        }
    }
}

bool case_open(gable_context *ctx, gbl_dtype dtype, model A, case_kind kind, int offset,
               system_case *c)
{
    const size_t bytes = gbl_dtype_bytes(dtype);
    *c = (system_case){.ctx = ctx, .dtype = dtype, .A = A};
    round_values(dtype, kind, &c->A);
    c->b = room(A.rows, sizeof *c->b);
    for (int64_t i = 0; i < A.rows; i++)
        c->b[i] = number_random(dtype, 99, i);
    c->matrix = sparse_of(ctx, dtype, 32, &c->A);
    const size_t all = (size_t)(A.rows + offset + 1) * bytes;
    for (int i = 0; i < 2; i++)
        if (!CHECK_OK(ctx, gable_alloc(ctx, all, &c->memory[i])))
            return false;
    if (c->matrix == NULL)
        return false;
    c->db = (char *)c->memory[0] + (size_t)offset * bytes;
    c->dx = (char *)c->memory[1] + (size_t)offset * bytes;
    char *host = room(A.rows, bytes);
    for (int64_t i = 0; i < A.rows; i++)
        element_put(dtype, host, i, c->b[i]);
    CHECK_OK(ctx, gable_set_vector(ctx, A.rows, bytes, host, 1, c->db, 1));
    free(host);
    case_start(c, NULL);
    return true;
}

void case_close(system_case *c)
{
    for (int i = 0; i < 2; i++)
        CHECK_OK(c->ctx, gable_free(c->ctx, c->memory[i]));
    CHECK_OK(c->ctx, gable_sparse_destroy(c->ctx, c->matrix));
    free(c->b);
    model_free(&c->A);
}

void case_start(system_case *c, const number *x)
{
    const size_t bytes = gbl_dtype_bytes(c->dtype);
    char *host = room(c->A.rows, bytes);
    for (int64_t i = 0; i < c->A.rows; i++)
        element_put(c->dtype, host, i, x != NULL ? x[i] : (number){0, 0});
    CHECK_OK(c->ctx, gable_set_vector(c->ctx, c->A.rows, bytes, host, 1, c->dx, 1));
    free(host);
}

void case_solution(const system_case *c, number *x)
{
    const size_t bytes = gbl_dtype_bytes(c->dtype);
    char *host = room(c->A.rows, bytes);
    CHECK_OK(c->ctx, gable_get_vector(c->ctx, c->A.rows, bytes, c->dx, 1, host, 1));
    for (int64_t i = 0; i < c->A.rows; i++)
        x[i] = element_get(c->dtype, host, i);
    free(host);
}

double case_residual(const system_case *c, const number *x, double *rounding)
{
    double rr = 0, bb = 0, error = 0;
    for (int64_t i = 0; i < c->A.rows; i++) {
        wide re = {c->b[i].re, 0}, im = {c->b[i].im, 0};
        double sizes = number_size(c->b[i]);
        for (int64_t e = c->A.start[i]; e < c->A.start[i + 1]; e++) {
            const number a = c->A.value[e], v = x[c->A.column[e]];
            re = wide_add_product(wide_add_product(re, -a.re, v.re), a.im, v.im);
            im = wide_add_product(wide_add_product(im, -a.re, v.im), -a.im, v.re);
            sizes += number_size(a) * number_size(v);
        }
        const double length = (double)(c->A.start[i + 1] - c->A.start[i]);
        const double r = wide_size(re.high + re.low, im.high + im.low);
        const double bound =
            number_limit(c->dtype) * (length + 2) * number_roundoff(c->dtype) * sizes;
        rr += r * r;
        error += bound * bound;
        bb += number_size(c->b[i]) * number_size(c->b[i]);
    }
    *rounding = sqrt(error / bb) + 1e-6 * sqrt(rr / bb); /* the second: norms are rounded, too */
    return sqrt(rr / bb);
}

/* ---- Checks ---- */

gable_solve_info case_solve(system_case *c, const char *words)
{
    gable_solve_info info = {.outcome = GABLE_STOPPED};
    CHECK_OK(c->ctx, gable_sparse_solve(c->ctx, c->matrix, c->db, c->dx, words, &info));
    return info;
}

int64_t case_run(system_case *c, gable_solver *solver, double tolerance, const char *precond,
                 gable_solve_info *info)
{
    number *x = malloc((size_t)(c->A.rows + 1) * sizeof *x);
    int64_t iterations = -1;
    *info = (gable_solve_info){.outcome = GABLE_STOPPED};
    if (CHECK_OK(c->ctx, gable_solver_solve(solver, c->db, c->dx, info))) {
        double rounding;
        case_solution(c, x);
        const double residual = case_residual(c, x, &rounding);
        CHECK(info->outcome == GABLE_SOLVED, "outcome %d: %s", (int)info->outcome, info->text);
        CHECK(residual <= tolerance + rounding, "residual %g", residual);
        CHECK(fabs(info->residual - residual) <= rounding, "info says %g, not %g", info->residual,
              residual);
        CHECK(strcmp(info->precond, precond) == 0, "precond %s", info->precond);
        CHECK(info->bytes > 0 && info->seconds > 0 && info->norm_b > 0, "bytes %g, %g s, |b| %g",
              info->bytes, info->seconds, info->norm_b);
        iterations = info->outcome == GABLE_SOLVED ? info->iterations : -1;
    }
    free(x);
    return iterations;
}

void case_outcome_is(const gable_solve_info *info, gable_outcome wanted, const char *piece)
{
    CHECK(info->outcome == wanted, "outcome %d, not %d: %s", (int)info->outcome, (int)wanted,
          info->text);
    CHECK(strstr(info->text, piece) != NULL, "\"%s\" lacks \"%s\"", info->text, piece);
}

void case_residual_is(const system_case *c, const gable_solve_info *info, double most)
{
    number *x = malloc((size_t)(c->A.rows + 1) * sizeof *x);
    double rounding;
    case_solution(c, x);
    const double residual = case_residual(c, x, &rounding);
    CHECK(fabs(residual - info->residual) <= rounding, "residual %g, info says %g", residual,
          info->residual);
    CHECK(residual <= most + rounding, "residual %g is above %g", residual, most);
    free(x);
}

/* ---- Plain CG ---- */

/* Each operation is rounded to the precision. Products and sums of two floats are exact in double
 * but for one rounding. */
typedef struct plain {
    const system_case *c;
    bool narrow;
} plain;

static double rounded(const plain *s, double a)
{
    return s->narrow ? (double)(float)a : a;
}

static number plain_add(const plain *s, number a, double factor, number b)
{
    return (number){rounded(s, a.re + rounded(s, factor * b.re)),
                    rounded(s, a.im + rounded(s, factor * b.im))};
}

static number plain_product(const plain *s, number a, number b, number sum)
{
    const double re = rounded(s, rounded(s, a.re * b.re) - rounded(s, a.im * b.im));
    const double im = rounded(s, rounded(s, a.re * b.im) + rounded(s, a.im * b.re));
    return (number){rounded(s, sum.re + re), rounded(s, sum.im + im)};
}

static double plain_dot(const plain *s, const number *x, const number *y)
{
    double sum = 0;
    for (int64_t i = 0; i < s->c->A.rows; i++) {
        sum = rounded(s, sum + rounded(s, x[i].re * y[i].re));
        sum = rounded(s, sum + rounded(s, x[i].im * y[i].im));
    }
    return sum;
}

static void plain_multiply(const plain *s, const number *x, number *y)
{
    const model *A = &s->c->A;
    for (int64_t i = 0; i < A->rows; i++) {
        number sum = {0, 0};
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
            sum = plain_product(s, A->value[e], x[A->column[e]], sum);
        y[i] = sum;
    }
}

static void plain_precondition(const plain *s, const double *inverse, const number *r, number *z)
{
    for (int64_t i = 0; i < s->c->A.rows; i++)
        z[i] = inverse != NULL
                   ? (number){rounded(s, inverse[i] * r[i].re), rounded(s, inverse[i] * r[i].im)}
                   : r[i];
}

static double *plain_inverse(const plain *s)
{
    const model *A = &s->c->A;
    double *inverse = room(A->rows, sizeof *inverse);
    for (int64_t i = 0; i < A->rows; i++)
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++)
            if (A->column[e] == i)
                inverse[i] = rounded(s, 1 / A->value[e].re);
    return inverse;
}

int64_t case_plain_cg(const system_case *c, bool jacobi, double tolerance, int64_t limit)
{
    const plain s = {c, gbl_dtype_real_bytes(c->dtype) == 4};
    const int64_t n = c->A.rows;
    number *x = room(n, sizeof *x), *r = room(n, sizeof *r), *p = room(n, sizeof *p),
           *q = room(n, sizeof *q), *z = room(n, sizeof *z);
    double *inverse = jacobi ? plain_inverse(&s) : NULL;
    for (int64_t i = 0; i < n; i++)
        r[i] = c->b[i];
    plain_precondition(&s, inverse, r, z);
    for (int64_t i = 0; i < n; i++)
        p[i] = z[i];
    double rz = plain_dot(&s, r, z);
    const double target = tolerance * tolerance * plain_dot(&s, r, r);
    int64_t iterations = 0;
    bool solved = false;
    while (!solved && iterations < limit) {
        plain_multiply(&s, p, q);
        const double pq = plain_dot(&s, p, q), alpha = rounded(&s, rz / pq);
        if (!(pq > 0))
            break;
        for (int64_t i = 0; i < n; i++) {
            x[i] = plain_add(&s, x[i], alpha, p[i]);
            r[i] = plain_add(&s, r[i], -alpha, q[i]);
        }
        iterations++;
        solved = plain_dot(&s, r, r) <= target;
        plain_precondition(&s, inverse, r, z);
        const double next = plain_dot(&s, r, z), beta = rounded(&s, next / rz);
        rz = next;
        for (int64_t i = 0; i < n; i++)
            p[i] = plain_add(&s, z[i], beta, p[i]);
    }
    double rounding;
    const bool good = solved && case_residual(c, x, &rounding) <= tolerance;
    free(x);
    free(r);
    free(p);
    free(q);
    free(z);
    free(inverse);
    return good ? iterations : -1;
}
