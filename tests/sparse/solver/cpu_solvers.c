/* cpu_solvers.c: the cpu's fused solvers against plain loops, in one precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The plain loops are the textbook's: CG, BiCGStab and GMRES by modified Gram-Schmidt, in the same
 * precision. Pipelined CG and BiCGStab may take a quarter more iterations, GMRES a twentieth.
 * Solutions are judged by b - A x in wider arithmetic.
 */
#include <math.h>
#include <omp.h>
#include "cpu/cpu_solver.h"
#include "cpu/cpu_krylov.h"
#include "sparse/matrix/cpu_tests.h"
#undef REALS
#include "sparse/matrix/cpu_layouts.h"

enum { MOST_ITERATIONS = 4000, RESTART = 20 };
#define TOLERANCE (sizeof(R) == sizeof(float) ? 1e-4 : 1e-7)

/* ---- plain loops, with numbers of cpu_krylov.h as scalars ---- */

typedef struct plain {
    const rows *A;
    const T *inverse; /* of the diagonal; NULL: none */
    int64_t n;
    T *memory;
} plain;

static T *vector_of(const plain *p, int v)
{
    return p->memory + v * p->n;
}

static void plain_product(const plain *p, const T *x, T *y)
{
    for (int64_t i = 0; i < p->n; i++) {
        T sum = make(0, 0);
        for (int64_t e = p->A->start[i]; e < p->A->start[i + 1]; e++)
            add_multiple(p->A->value[e], x + p->A->column[e], &sum);
        y[i] = sum;
    }
}

static void plain_precondition(const plain *p, const T *r, T *z)
{
    for (int64_t i = 0; i < p->n; i++) {
        z[i] = r[i];
        if (p->inverse != NULL)
            put_multiple(p->inverse[i], r + i, z + i);
    }
}

static number plain_dot(const plain *p, const T *a, const T *b)
{
    R re = 0, im = 0;
    for (int64_t i = 0; i < p->n; i++) {
        re += (R)(real_part(a[i]) * real_part(b[i]) + imaginary_part(a[i]) * imaginary_part(b[i]));
        im += (R)(real_part(a[i]) * imaginary_part(b[i]) - imaginary_part(a[i]) * real_part(b[i]));
    }
    return (number){re, im};
}

static void plain_add(const plain *p, number a, const T *x, T *y)
{
    for (int64_t i = 0; i < p->n; i++)
        add_multiple(element_of(a), x + i, y + i);
}

static void plain_scale(const plain *p, number a, T *y)
{
    for (int64_t i = 0; i < p->n; i++)
        put_multiple(element_of(a), y + i, y + i);
}

static double plain_norm(const plain *p, const T *a)
{
    return sqrt(plain_dot(p, a, a).re);
}

static number negative(number a)
{
    return (number){-a.re, -a.im};
}

static int64_t plain_cg(const plain *p, const T *b, double target)
{
    T *r = vector_of(p, 0), *z = vector_of(p, 1), *d = vector_of(p, 2), *q = vector_of(p, 3);
    memcpy(r, b, (size_t)p->n * sizeof(T));
    plain_precondition(p, r, z);
    memcpy(d, z, (size_t)p->n * sizeof(T));
    number rz = plain_dot(p, r, z);
    int64_t i = 0;
    for (; plain_norm(p, r) > target && i < MOST_ITERATIONS; i++) {
        plain_product(p, d, q);
        plain_add(p, negative(over(rz, plain_dot(p, d, q))), q, r);
        plain_precondition(p, r, z);
        const number next = plain_dot(p, r, z);
        plain_scale(p, over(next, rz), d);
        plain_add(p, (number){1, 0}, z, d);
        rz = next;
    }
    return i;
}

static int64_t plain_bicgstab(const plain *p, const T *b, double target)
{
    T *r = vector_of(p, 0), *r0 = vector_of(p, 1), *d = vector_of(p, 2), *q = vector_of(p, 3);
    T *t = vector_of(p, 4), *hat = vector_of(p, 5);
    const size_t bytes = (size_t)p->n * sizeof(T);
    memcpy(r, b, bytes);
    memcpy(r0, b, bytes);
    memcpy(d, b, bytes);
    number rho = plain_dot(p, r0, r);
    int64_t i = 0;
    for (; plain_norm(p, r) > target && i < MOST_ITERATIONS; i++) {
        plain_precondition(p, d, hat);
        plain_product(p, hat, q);
        const number alpha = over(rho, plain_dot(p, r0, q));
        plain_add(p, negative(alpha), q, r);
        plain_precondition(p, r, hat);
        plain_product(p, hat, t);
        const number omega = over(plain_dot(p, t, r), plain_dot(p, t, t));
        plain_add(p, negative(omega), t, r);
        const number next = plain_dot(p, r0, r);
        plain_add(p, negative(omega), q, d);
        plain_scale(p, times(over(next, rho), over(alpha, omega)), d);
        plain_add(p, (number){1, 0}, r, d);
        rho = next;
    }
    return i;
}

/* The residual's norm by the plainest way there is: the basis is orthonormal, so the least squares
 * problem is solved by Gram-Schmidt of its images, A v_1 ... A v_j, on which r is projected
 * (simpler than rotations, and other than ours). */
static int64_t plain_gmres(const plain *p, const T *b, double target, T *x)
{
    T *r = vector_of(p, 0), *hat = vector_of(p, 1), *w = vector_of(p, 2);
    T *V = vector_of(p, 3), *Q = V + (RESTART + 1) * p->n, *Z = Q + (RESTART + 1) * p->n;
    const size_t bytes = (size_t)p->n * sizeof(T);
    int64_t steps = 0;
    memset(x, 0, bytes);
    memcpy(r, b, bytes);
    while (plain_norm(p, r) > target && steps < MOST_ITERATIONS) {
        memcpy(V, r, bytes);
        plain_scale(p, (number){1 / plain_norm(p, r), 0}, V);
        for (int j = 0; j < RESTART && plain_norm(p, r) > target; j++, steps++) {
            T *image = Q + j * p->n, *back = Z + j * p->n;
            plain_precondition(p, V + j * p->n, back);
            plain_product(p, back, image);
            memcpy(w, image, bytes);
            /* image becomes a unit vector, and back what A makes it of. */
            for (int pass = 0; pass < 2; pass++)
                for (int c = 0; c < j; c++) {
                    const number h = plain_dot(p, Q + c * p->n, image);
                    plain_add(p, negative(h), Q + c * p->n, image);
                    plain_add(p, negative(h), Z + c * p->n, back);
                }
            const double length = plain_norm(p, image);
            plain_scale(p, (number){1 / length, 0}, image);
            plain_scale(p, (number){1 / length, 0}, back);
            const number share = plain_dot(p, image, r);
            plain_add(p, negative(share), image, r);
            plain_add(p, share, back, x);
            for (int pass = 0; pass < 2; pass++)
                for (int c = 0; c <= j; c++)
                    plain_add(p, negative(plain_dot(p, V + c * p->n, w)), V + c * p->n, w);
            memcpy(V + (j + 1) * p->n, w, bytes);
            plain_scale(p, (number){1 / plain_norm(p, w), 0}, V + (j + 1) * p->n);
        }
        plain_product(p, x, hat);
        memcpy(r, b, bytes);
        plain_add(p, (number){-1, 0}, hat, r);
    }
    return steps;
}

/* ---- ours ---- */

typedef struct run {
    gbl_cpu_method method;
    gbl_cpu_precond precond;
    int block;
    const rows *A;
    const formatted *f;
    const T *b, *inverse;
    double target;
    int64_t batch, restart; /* 0: RESTART */
    double state[GBL_STATE_COUNT];
    T *x;
} run;

static void solve(run *u)
{
    static const gbl_task_function tasks[] = {PRIVATE(cg), PRIVATE(bicgstab), PRIVATE(gmres)};
    const size_t bytes = (size_t)u->A->n * sizeof(T);
    T *r = memory(bytes);
    gbl_cpu_solve_args args = {.method = u->method,
                               .precond = u->precond,
                               .block = u->block,
                               .A = u->f->layout,
                               .inverse = u->inverse,
                               .b = u->b,
                               .x = u->x,
                               .r = r,
                               .target = u->target,
                               .iterations = u->batch,
                               .restart = u->restart > 0 ? u->restart : RESTART,
                               .state = u->state};
    gbl_message message = {0};
    PRIVATE(solve_plan)(&args);
    args.work = aligned_alloc(64, (args.work_bytes + 63) / 64 * 64);
    CHECK(args.work != NULL, "no memory for %zu bytes", args.work_bytes);
    memset(args.work, 0xff, args.work_bytes); /* NaN: nothing may be read before it is written */
    memcpy(r, u->b, bytes);
    memset(u->x, 0, bytes);
    u->state[GBL_STATE_OUTCOME] = -1;
    u->state[GBL_STATE_ITERATION] = 0;
    while (u->state[GBL_STATE_OUTCOME] < 0 && u->state[GBL_STATE_ITERATION] < MOST_ITERATIONS) {
        args.last = u->state[GBL_STATE_ITERATION] + (double)args.iterations >= MOST_ITERATIONS;
        CHECK(tasks[u->method](NULL, NULL, &args, &message) == GABLE_OK, "%s", message.text);
    }
    free(args.work);
    free(r);
}

static const char *const method_names[] = {"cg", "bicgstab", "gmres"};
static const char *const precond_names[] = {"none", "jacobi", "block"};

/* Solved, as many iterations as allowed, and x is what it claims. */
static void check_run(const run *u, int64_t plain_iterations)
{
    const double slack = u->method == GBL_CPU_GMRES ? 1.05 : 1.25;
    const double iterations = u->state[GBL_STATE_ITERATION];
    CHECK(u->state[GBL_STATE_OUTCOME] == GABLE_SOLVED, "outcome %g after %g iterations, |r| %g",
          u->state[GBL_STATE_OUTCOME], iterations, sqrt(u->state[GBL_STATE_RR]));
    CHECK(plain_iterations == 0 || iterations <= slack * (double)plain_iterations + 1,
          "%g iterations, the plain loop %lld", iterations, (long long)plain_iterations);
    CHECK(sqrt(u->state[GBL_STATE_RR]) <= u->target, "recursive |r| %g, target %g",
          sqrt(u->state[GBL_STATE_RR]), u->target);
    const double last =
        u->state[GBL_STATE_HISTORY + ((int64_t)iterations - 1 + GBL_HISTORY) % GBL_HISTORY];
    CHECK(last == u->state[GBL_STATE_RR], "history ends with %g, not %g", last,
          u->state[GBL_STATE_RR]);
    /* Rounding makes the two residuals part: some eps |A| |x| per iteration, of which tolerances
     * leave room. */
    const double residual = true_residual(u->A, u->b, u->x);
    CHECK(residual <= 2 * u->target, "|b - A x| %g, target %g", residual, u->target);
}

/* Inverses of blocks on the diagonal, by Gauss-Jordan, in T. The matrices here need no pivots. */
static void invert_blocks(const rows *A, int block, T *inverse)
{
    for (int64_t first = 0; first < A->n; first += block) {
        number a[8][16] = {{{0, 0}}};
        for (int i = 0; i < block; i++) {
            a[i][i + block].re = 1;
            if (first + i >= A->n)
                a[i][i].re = 1;
            for (int64_t e = first + i < A->n ? A->start[first + i] : 0;
                 first + i < A->n && e < A->start[first + i + 1]; e++)
                if (A->column[e] >= first && A->column[e] < first + block)
                    a[i][A->column[e] - first] =
                        (number){real_part(A->value[e]), imaginary_part(A->value[e])};
        }
        for (int p = 0; p < block; p++) {
            const number pivot = a[p][p];
            for (int j = 0; j < 2 * block; j++)
                a[p][j] = over(a[p][j], pivot);
            for (int i = 0; i < block; i++) {
                const number factor_i = a[i][p];
                for (int j = 0; j < 2 * block && i != p; j++)
                    a[i][j] = minus(a[i][j], times(factor_i, a[p][j]));
            }
        }
        for (int i = 0; i < block; i++)
            for (int j = 0; j < block; j++)
                inverse[first * block + i + j * block] = element_of(a[i][j + block]);
    }
}

/* One matrix by one method: all formats, preconditioners, teams. */
static void run_all(const rows *A, gbl_cpu_method method, int block, const char *name)
{
    const int64_t n = A->n;
    T *b = memory((size_t)n * sizeof(T)), *x = memory((size_t)n * sizeof(T));
    T *inverse = memory((size_t)(n + 8) * 8 * sizeof(T));
    plain p = {A, NULL, n, memory((size_t)n * (3 * RESTART + 6) * sizeof(T))};
    for (int64_t i = 0; i < n; i++)
        b[i] = make(random_real(5, 2 * (uint64_t)i), random_real(5, 2 * (uint64_t)i + 1));
    const double target = TOLERANCE * plain_norm(&p, b);
    for (int precond = 0; precond < 3; precond++) {
        const int side = precond == GBL_CPU_PRECOND_BLOCK ? block : 1;
        invert_blocks(A, side, inverse);
        p.inverse = precond == GBL_CPU_PRECOND_JACOBI ? inverse : NULL;
        int64_t wanted = 0; /* block-Jacobi has no plain loop */
        if (precond != GBL_CPU_PRECOND_BLOCK)
            wanted = method == GBL_CPU_CG         ? plain_cg(&p, b, target)
                     : method == GBL_CPU_BICGSTAB ? plain_bicgstab(&p, b, target)
                                                  : plain_gmres(&p, b, target, x);
        for (int w = precond % 2; w < WAYS; w += 2) {
            /* Formats take turns with preconditioners, teams, widths of indices and batches. */
            const int threads = 3 - (w + precond) / 2 % 3;
            formatted f = format_rows(A, ways[w], w / 2 % 2 ? 8 : 4);
            run u = {.method = method,
                     .precond = precond,
                     .block = side,
                     .A = A,
                     .f = &f,
                     .b = b,
                     .inverse = precond ? inverse : NULL,
                     .target = target,
                     .batch = w % 4 == 1   ? 1
                              : w % 4 == 2 ? 7
                                           : 100,
                     .x = x};
            test_case("%c%s, %s, precond %s, format %d %d, %d threads, batch %lld", LETTER,
                      method_names[method], name, precond_names[precond], ways[w].format,
                      (int)ways[w].sigma, threads, (long long)u.batch);
            omp_set_num_threads(threads);
            solve(&u);
            check_run(&u, wanted);
            free_formatted(&f);
        }
    }
    free(b);
    free(x);
    free(inverse);
    free(p.memory);
}

/* ---- what cannot be solved ---- */

static void outcome_is(rows *A, gbl_cpu_method method, gable_outcome wanted, const char *name)
{
    const int64_t n = A->n;
    T *b = memory((size_t)n * sizeof(T)), *x = memory((size_t)n * sizeof(T));
    for (int64_t i = 0; i < n; i++)
        b[i] = make(1 + (double)(i % 3), 0);
    for (int w = 0; w < WAYS; w += 2) {
        formatted f = format_rows(A, ways[w], 4);
        run u = {.method = method,
                 .block = 1,
                 .A = A,
                 .f = &f,
                 .b = b,
                 .target = 1e-30,
                 .batch = 50,
                 .x = x};
        test_case("%c%s, %s, format %d", LETTER, method_names[method], name, ways[w].format);
        solve(&u);
        CHECK(u.state[GBL_STATE_OUTCOME] == wanted, "outcome %g, not %d",
              u.state[GBL_STATE_OUTCOME], wanted);
        int64_t bad = 0;
        for (int64_t i = 0; i < n; i++)
            bad += !isfinite(real_part(x[i]));
        CHECK(bad == 0, "%lld elements of x are not finite", (long long)bad);
        free_formatted(&f);
    }
    free(b);
    free(x);
}

static rows laplacian(int points, gbl_grid grid)
{
    gbl_generated G;
    gbl_message message = {0};
    CHECK(gbl_generate_laplacian(points, grid, &G, &message) == GABLE_OK, "%s", message.text);
    return rows_of(&G);
}

static void failures(void)
{
    rows A = laplacian(5, (gbl_grid){40, 30, 1});
    for (int64_t e = A.start[700]; e < A.start[701]; e++)
        if (A.column[e] == 700)
            A.value[e] = make(-40, 0);
    outcome_is(&A, GBL_CPU_CG, GABLE_NOT_DEFINITE, "one negative diagonal");
#if COMPLEX
    for (int64_t e = 0; e < A.entries; e++)
        A.value[e] = make(0, real_part(A.value[e]));
    outcome_is(&A, GBL_CPU_CG, GABLE_NOT_DEFINITE, "imaginary");
#endif
    for (int method = 0; method < 3; method++) {
        A.value[5] = make(NAN, 0);
        outcome_is(&A, method, GABLE_NOT_FINITE, "NaN");
    }
    free_rows(&A);
    /* [0 1; -1 0] many times: <r0, A r0> is 0 in real arithmetic, and gmres solves it in two
     * steps. */
    A = laplacian(5, (gbl_grid){20, 1, 1});
    for (int64_t i = 0; i < A.n; i++)
        for (int64_t e = A.start[i]; e < A.start[i + 1]; e++) {
            const int64_t other = i % 2 ? i - 1 : i + 1;
            A.value[e] = make(A.column[e] == other ? (i % 2 ? -1 : 1) : 0, 0);
        }
    outcome_is(&A, GBL_CPU_BICGSTAB, GABLE_BREAKDOWN, "skew");
    for (int64_t e = 0; e < A.entries; e++)
        A.value[e] = make(0, 0);
    outcome_is(&A, GBL_CPU_GMRES, GABLE_BREAKDOWN, "zero");
    free_rows(&A);
}

/* More threads than there are cache lines of a vector: some own no rows. */
static void few_rows(void)
{
    rows A = laplacian(5, (gbl_grid){COMPLEX ? 4 : 8, 1, 1});
    formatted f = format_rows(&A, ways[0], 4);
    T b[8], x[8];
    for (int i = 0; i < 8; i++)
        b[i] = make(1, 0);
    run u = {.method = GBL_CPU_GMRES,
             .block = 1,
             .A = &A,
             .f = &f,
             .b = b,
             .target = TOLERANCE,
             .batch = 50,
             .restart = 2000,
             .x = x};
    test_case("%cgmres, few rows", LETTER);
    omp_set_num_threads(2);
    solve(&u);
    check_run(&u, 0);
    free_formatted(&f);
    free_rows(&A);
}

/* The basis after one cycle, from the work memory: its columns lie vector_room apart. */
static void orthogonality(void)
{
    gbl_generated G;
    gbl_message message = {0};
    CHECK(gbl_generate_convection((gbl_grid){50, 40, 1}, 5.0, &G, &message) == GABLE_OK, "%s",
          message.text);
    rows A = rows_of(&G);
    const int64_t n = A.n, room = vector_room(n);
    formatted f = format_rows(&A, ways[0], 4);
    double state[GBL_STATE_COUNT] = {-1};
    T *b = memory((size_t)n * sizeof(T)), *x = memory((size_t)n * sizeof(T));
    T *r = memory((size_t)n * sizeof(T));
    for (int64_t i = 0; i < n; i++) {
        r[i] = b[i] = make(random_real(6, 2 * (uint64_t)i), 0);
        x[i] = make(0, 0);
    }
    gbl_cpu_solve_args args = {.method = GBL_CPU_GMRES,
                               .A = f.layout,
                               .b = b,
                               .x = x,
                               .r = r,
                               .iterations = RESTART - 1,
                               .restart = RESTART,
                               .state = state};
    PRIVATE(solve_plan)(&args);
    args.work = aligned_alloc(64, (args.work_bytes + 63) / 64 * 64);
    test_case("%cgmres orthogonality", LETTER);
    PRIVATE(gmres)(NULL, NULL, &args, &message);
    plain p = {&A, NULL, n, NULL};
    const T *V = args.work;
    double worst = 0;
    for (int i = 0; i < RESTART; i++)
        for (int j = 0; j < i; j++) {
            double sum[2] = {0, 0};
            for (int64_t l = 0; l < n; l++) {
                const T v = V[i * room + l], w = V[j * room + l];
                sum[0] += real_part(v) * real_part(w) + imaginary_part(v) * imaginary_part(w);
                sum[1] += real_part(v) * imaginary_part(w) - imaginary_part(v) * real_part(w);
            }
            const double size = plain_norm(&p, V + i * room) * plain_norm(&p, V + j * room);
            worst = fmax(worst, magnitude((number){sum[0], sum[1]}) / size);
        }
    /* cpu_gmres.c leaves at most 16 epsilon = 32 u, and sums have rounding errors of their own. */
    CHECK(worst <= 64 * ROUNDOFF, "|<v_i, v_j>| is up to %g u", worst / ROUNDOFF);
    free(args.work);
    free(b);
    free(x);
    free(r);
    free_formatted(&f);
    free_rows(&A);
}

void TYPED(solvers)(void)
{
    gbl_generated G;
    gbl_message message = {0};
    rows A = laplacian(5, (gbl_grid){80, 65, 1});
    run_all(&A, GBL_CPU_CG, 4, "5 points");
    rows B = shuffled(&A);
    run_all(&B, GBL_CPU_CG, 3, "5 points, shuffled");
    free_rows(&A);
    free_rows(&B);
    A = laplacian(7, (gbl_grid){14, 14, 14});
    run_all(&A, GBL_CPU_CG, 7, "7 points");
    free_rows(&A);
    CHECK(gbl_generate_convection((gbl_grid){50, 44, 1}, 0.5, &G, &message) == GABLE_OK, "%s",
          message.text);
    A = rows_of(&G);
    B = shuffled(&A);
    for (int method = GBL_CPU_BICGSTAB; method <= GBL_CPU_GMRES; method++) {
        run_all(&A, method, 4, "convection");
        run_all(&B, method, 2, "convection, shuffled");
    }
    free_rows(&A);
    free_rows(&B);
    failures();
    few_rows();
    orthogonality();
}
