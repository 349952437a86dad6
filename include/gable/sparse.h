/* sparse.h: sparse matrices and iterative solvers. A part of gable.h, which includes it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix is an object in the memory of one context's device. It is made from arrays on the host
 * or the device and checked once; its arrays are copied. Contexts of the same device may use it,
 * also in several threads at a time. The routines that know a precision, gable_sparse_dcsr,
 * gable_sparse_dmv and their like, are declared in typed_sparse.h.
 *
 *     gable_sparse_dcsr(ctx, n, n, entries, 32, start, column, values, 0, &A);
 *     gable_sparse_solve(ctx, A, db, dx, NULL, &info);   // A x = b by a method that suits A
 */
#ifndef GABLE_SPARSE_H
#define GABLE_SPARSE_H

#include "gable/types.h"

/* A sparse matrix, and what solves systems with it. */
typedef struct gable_sparse gable_sparse;
typedef struct gable_solver gable_solver;

/* How entries lie in memory (docs/sparse.md). AUTO: the one that the model predicts to multiply
 * fastest. */
typedef enum gable_format {
    GABLE_FORMAT_AUTO = 0,
    GABLE_CSR = 1,  /* compressed rows */
    GABLE_COO = 2,  /* row and column of each entry, sorted by rows */
    GABLE_ELL = 3,  /* all rows filled up to the same length */
    GABLE_SELL = 4, /* SELL-C-sigma: slices of C rows, each filled up to its longest row */
    GABLE_HYB = 5   /* ELL, and COO for what is left of long rows */
} gable_format;

/* Flags of creation. */
#define GABLE_SPARSE_SUM                                                                           \
    1u /* entries with the same place are added; without it they are an error */
#define GABLE_SPARSE_ONE_BASED 2u /* rows, columns and starts count from 1 */
/* On cpu compressed rows are not copied: the caller's arrays are the matrix's, and stay until it is
 * destroyed. start and column do not change; new values are told by gable_sparse_dset_values and
 * its like. Elsewhere, and where rows must be sorted or counted from 0, arrays are copied as
 * without it. */
#define GABLE_SPARSE_IN_PLACE 4u

/* What gable_sparse_describe tells. */
typedef struct gable_sparse_info {
    char precision; /* 's', 'd', 'c' or 'z' */
    int index_bits; /* 32 or 64 */
    gable_format format;
    int64_t rows, columns, entries;
    int64_t stored;            /* entries with those that fill up */
    int64_t shortest, longest; /* rows */
    double mean, deviation;    /* of the lengths of rows */
    int64_t bandwidth;         /* the largest |row - column| */
    int64_t empty_diagonal;    /* rows without an entry on the diagonal, or with one that is 0 */
    int symmetric, hermitian;  /* 1: exactly so; 0: not */
    int64_t chunk, sigma; /* of SELL: rows of a slice; rows that were sorted together (1: none) */
    uint64_t bytes;       /* in the device's memory */
} gable_sparse_info;

/* Waits, looks at the entries when first asked, and remembers. */
GABLE_API gable_status gable_sparse_describe(gable_context *ctx, gable_sparse *A,
                                             gable_sparse_info *info);

/* A copy in another format. chunk and sigma are those of SELL: chunk a power of two up to 1024,
 * sigma 1 row or more; 0 takes what suits the device and the matrix. Elsewhere they are 0.
 * GABLE_NOT_SUPPORTED where the copy would be larger than memory, or more than a thousand times its
 * entries. */
GABLE_API gable_status gable_sparse_convert(gable_context *ctx, gable_sparse *A,
                                            gable_format format, int64_t chunk, int64_t sigma,
                                            gable_sparse **B);

/* Options of a matrix as words; NULL is GABLE_BAD_ARGUMENT, and so is an unknown word, which
 * changes nothing.
 *   repeats      products that are foreseen: AUTO then takes another format only where the model
 *                says that so many repay the conversion. 0: as many as needed (0). 1: a product,
 *                for which no conversion pays; a product itself never converts
 * Copies by gable_sparse_convert have the options
 * of A. */
GABLE_API gable_status gable_sparse_set(gable_context *ctx, gable_sparse *A, const char *options);

/* The format that gable_sparse_convert would take for AUTO, and one sentence why (may be NULL, of
 * so many bytes). */
GABLE_API gable_status gable_sparse_choose(gable_context *ctx, gable_sparse *A,
                                           gable_format *format, char *why, size_t why_bytes);

/* Reads a Matrix Market file: coordinates or a dense array, symmetry expanded, duplicates added.
 * precision is 's', 'd', 'c' or 'z'; 0 takes 'd' or 'z' as the file needs. A file with complex
 * numbers in a real precision is refused. Sizes that the host's memory cannot hold are
 * GABLE_OUT_OF_MEMORY before any of it is taken. */
GABLE_API gable_status gable_sparse_read(gable_context *ctx, const char *path, char precision,
                                         gable_sparse **A);
/* Writes one, through a draft that is renamed; symmetric where A is and the file brings back the
 * same stored zeros. */
GABLE_API gable_status gable_sparse_write(gable_context *ctx, gable_sparse *A, const char *path);

/* Waits for the queue of ctx, which may be any context of A's device; A outlives the one that it
 * was made on. Work of other contexts that uses A must be done. NULL is legal. GABLE_BAD_ARGUMENT,
 * and nothing is destroyed: while a solver uses A, and where A was destroyed or ctx was closed
 * before (a closed context keeps no message). A recording that uses A is not replayed any more:
 * gable_replay says so. */
GABLE_API gable_status gable_sparse_destroy(gable_context *ctx, gable_sparse *A);

/* ---- Solvers ---- */

typedef enum gable_outcome {
    GABLE_SOLVED = 0,          /* the true residual is within the tolerance */
    GABLE_ITERATION_LIMIT = 1, /* so many iterations were not enough */
    GABLE_STAGNATED = 2,       /* the residual no longer falls */
    GABLE_BREAKDOWN = 3,       /* the method or ilu0 divides by 0, or by rounding errors */
    GABLE_NOT_DEFINITE = 4, /* of CG: the matrix or the preconditioner is not positive definite */
    GABLE_NOT_FINITE = 5,   /* NaN or Inf in A, b, x or on the way */
    GABLE_STOPPED = 6       /* the monitor said so */
} gable_outcome;

typedef struct gable_solve_info {
    gable_outcome outcome;
    int64_t iterations;
    int64_t replacements; /* how often the recursive residual was replaced by the true one */
    double residual;      /* |b - A x| / |b|, computed from x at the end */
    double recursive;     /* what the iteration itself believed */
    double norm_b;
    double seconds;   /* of the solve, on the host's clock */
    double bytes;     /* that an iteration must move, by its format and form */
    char method[16];  /* "cg", "bicgstab", "gmres" */
    char form[16];    /* "standard", "pipelined", "persistent"; "" where no iteration was needed */
    char precond[16]; /* "none", "jacobi", "block", "ilu0", "ic0", "user" */
    gable_format format;
    /* The outcome as a sentence, with a hint where it is not GABLE_SOLVED; behind it, where this
     * solve chose the format, what that and the conversion took. */
    char text[256];
} gable_solve_info;

/* Told of iterations as the host learns of them, in order, several at a time. Non-zero ends the
 * solve. */
typedef int (*gable_monitor)(void *user, int64_t iteration, double residual);

/* y := A x, or y := M^-1 x, by the user: n elements each on the device, enqueued on ctx. A status
 * that is not GABLE_OK ends the solve with that status and a message that names the method, the
 * function and the status. */
typedef gable_status (*gable_apply)(void *user, gable_context *ctx, const void *x, void *y);

/* A is square and outlives the solver. A solver belongs to ctx.
 *
 * While a solver solves, its monitor, operator and preconditioner may use the context and other
 * solvers, but gable_solver_set, _monitor, _precondition, _solve and _destroy on the solver itself
 * are GABLE_BAD_ARGUMENT, and gable_close on its context does nothing but leave a message. A
 * recording that they begin they also end. */
GABLE_API gable_status gable_solver_create(gable_context *ctx, gable_sparse *A,
                                           gable_solver **solver);
/* The same with an operator of the user's, of order n, in precision 's', 'd', 'c' or 'z'. */
GABLE_API gable_status gable_solver_create_operator(gable_context *ctx, char precision, int64_t n,
                                                    gable_apply apply, void *user,
                                                    gable_solver **solver);

/* Options as words, separated by commas: "method=cg,precond=jacobi,tolerance=1e-10". Later ones
 * win; a word that is unknown or has a bad value changes nothing and is GABLE_BAD_ARGUMENT.
 *   method       auto, cg, bicgstab, gmres
 *   form         auto, standard, pipelined, persistent (persistent: cg on CUDA; pipelined: cg).
 *                standard: products are calls, as auto has it where long rows would hold back
 *                kernels that also multiply
 *   precond      auto, none, jacobi, block, ilu0, ic0. ilu0: an incomplete LU factorization in the
 *                pattern of A and its diagonal; ic0: an incomplete Cholesky factorization, of the
 *                lower triangle of A alone. Both are made on the host. Where ic0 meets a pivot that
 *                is not positive it is of A + s diag(A), and the text says s; a zero pivot of ilu0,
 *                or a diagonal that is not positive, ends a solve with GABLE_BREAKDOWN or
 *                GABLE_NOT_DEFINITE and a text that names the row
 *   block        rows of a block of block-Jacobi, 1 to 32 (4)
 *   tolerance    of |b - A x| / |b| (1e-8 in d and z, 1e-5 in s and c)
 *   absolute     of |b - A x| (0: none); the looser of the two counts
 *   iterations   at most so many (10 n, at least 1000, at most 100000)
 *   restart      of gmres: m, 1 to 1000 on cpu, 1 to 256 elsewhere (30)
 *   batch        iterations between two looks of the host, 1 to 128; an odd number counts as the
 *                next (0: chosen)
 *   format       auto, keep, csr, coo, ell, sell, hyb: what the iteration multiplies with
 *   repeats      products that are foreseen with the matrix, for format=auto, at least 1; 0: those
 *                of gable_sparse_set or, where it says nothing, 100 (0)
 *   guess        x: what x holds is the first guess; zero: 0 is, and x is not read (x)
 *   answer       best: the x of the smallest true residual at the end of a round, which may be the
 *                first guess; last: that of the last iteration, where it is finite (best) */
GABLE_API gable_status gable_solver_set(gable_solver *solver, const char *options);
GABLE_API gable_status gable_solver_monitor(gable_solver *solver, gable_monitor monitor,
                                            void *user);
/* A preconditioner of the user's; NULL takes it away. For CG it must be positive definite. */
GABLE_API gable_status gable_solver_precondition(gable_solver *solver, gable_apply apply,
                                                 void *user);
/* y := M^-1 x with the preconditioner that the options choose or the caller gave (a copy where
 * there is none). x and y are n elements on the device, in the precision of A, and do not overlap.
 * Enqueued; what the preconditioner is made of is made at the first such call or solve.
 * GABLE_NOT_SUPPORTED, with the row, where ilu0 or ic0 cannot be made. Not during a recording. */
GABLE_API gable_status gable_solver_apply(gable_solver *solver, const void *x, void *y);
/* Solves A x = b. x is the first guess (but for guess=zero) and then the best solution found (or,
 * with answer=last, the last), also where the outcome is not GABLE_SOLVED: an x that leaves the
 * range of the precision is no solution, and the guess comes back.
 * Waits. b and x are n elements on the device, in the precision of A, and do not overlap. info may
 * be NULL. */
GABLE_API gable_status gable_solver_solve(gable_solver *solver, const void *b, void *x,
                                          gable_solve_info *info);
/* Before its matrix is destroyed and, in good order, before its context closes. NULL is legal.
 * Where the context was closed before, the solver has lost what it had on the device and can only
 * be destroyed: other calls are GABLE_BAD_ARGUMENT, as they are on a solver that was destroyed; no
 * context keeps a message then. */
GABLE_API gable_status gable_solver_destroy(gable_solver *solver);

/* The three in one: options may be NULL. */
GABLE_API gable_status gable_sparse_solve(gable_context *ctx, gable_sparse *A, const void *b,
                                          void *x, const char *options, gable_solve_info *info);

#endif
