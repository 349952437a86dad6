/* bench_ops.h: what the benchmark knows of each op, beside the op itself: one line per op.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bytes and flops come from gbl_op.work, and operands, flags, sizes and what is read and written
 * from gbl_op.operands. Here are the formula, which references go by, and the names a user may
 * type: a stem ("dot") or a typed name ("ddot", "scnrm2"). A case is an op in one precision at one
 * size; sizes are typed as "1000000", "1000000x50" (n and k) where an op takes several vectors at
 * once, "4096" (square) or "1000000x8" (m and n) where it takes a matrix, "1000000x16" (n and k:
 * square, with k diagonals on either side) where that is a band, and "16x16x1000000" where it takes
 * many matrices. Of products "4096" makes all sizes alike, "16384x32x16384" gives them in the order
 * of the arguments; of many products their number comes last, also as "16x100000". "1048576x64" is
 * a gels with one right-hand side. bench_cases.c has cases and sizes.
 */
#ifndef BENCH_OPS_H
#define BENCH_OPS_H

#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "blas/level3/level3.h"
#include "lapack/lapack.h"

/* What the device's memory is asked for beside the routine: to copy, only to read, only to
 * write. */
typedef enum bench_roof_kind {
    BENCH_ROOF_COPY,
    BENCH_ROOF_READ,
    BENCH_ROOF_WRITE,
    BENCH_ROOF_KINDS
} bench_roof_kind;

/* What an op computes: scalars and references go by it. */
typedef enum bench_formula {
    BENCH_COPY,
    BENCH_SWAP,
    BENCH_SCAL,
    BENCH_AXPY,
    BENCH_AXPBY,
    BENCH_WAXPBY,
    BENCH_FILL,
    BENCH_RECIPROCAL,
    BENCH_RANDOM,
    BENCH_ROT,
    BENCH_ROTM,
    BENCH_MAXPY,
    BENCH_DOT,
    BENCH_NRM2,
    BENCH_ASUM,
    BENCH_AMAX,
    BENCH_GEMV,
    BENCH_SYMV,
    BENCH_GER,
    BENCH_SYR,
    BENCH_SYR2,
    BENCH_TRMV,
    BENCH_TRSV,
    BENCH_TRANSPOSE,
    BENCH_GEAM,
    BENCH_GEMM,
    BENCH_GEMMT,
    BENCH_SYRK,
    BENCH_SYR2K,
    BENCH_SYMM,
    BENCH_TRMM,
    BENCH_TRSM,
    BENCH_LACPY,
    BENCH_LASET,
    BENCH_LASCL,
    BENCH_NORM,
    /* From here on, but for potrf: checked by bench_factor.c. */
    BENCH_LASWP,
    BENCH_POTRS,
    BENCH_GETRS,
    BENCH_TRTRS,
    BENCH_ORMQR,
    BENCH_ORMLQ,
    BENCH_ORMTR,
    BENCH_ORMHR,
    BENCH_ORMBR,
    BENCH_LARFT,
    /* From here on: what a call reads becomes something else. */
    BENCH_POTRF,
    BENCH_POSV,
    BENCH_POTRI,
    BENCH_TRTRI,
    BENCH_SYTRD,
    BENCH_LAUUM,
    BENCH_GETRF,
    BENCH_GESV,
    BENCH_GEQRF,
    BENCH_GELQF,
    BENCH_ORGQR,
    BENCH_ORGLQ,
    BENCH_GETRI,
    BENCH_GELS,
    BENCH_LARFG,
    BENCH_LARFB,
    BENCH_GEHRD,
    BENCH_ORGTR,
    BENCH_ORGHR,
    BENCH_ORGBR,
    BENCH_GEBRD,
    BENCH_SYEVD,
    BENCH_SYEVX, /* a tenth of the values, the largest, with vectors; or all of them without */
    BENCH_SYGVD, /* A x = w B x */
    BENCH_GESDD, /* gesvd, too */
    BENCH_BDSDC
} bench_formula;

/* Operands as formulas name them, by the member of a call that they lie in. */
typedef enum bench_role {
    BENCH_A,
    BENCH_B,
    BENCH_C,
    BENCH_X,
    BENCH_Y,
    BENCH_W,
    BENCH_VALUES, /* the coefficients of maxpy */
    BENCH_TAU,    /* factors of reflectors */
    BENCH_TAUP,   /* those of reflectors from the right */
    BENCH_D,      /* the diagonal of a reduced matrix, and the one beside it: real numbers */
    BENCH_E,
    BENCH_IPIV, /* int64_t: rows that were exchanged, from 1 */
    BENCH_RESULT,
    BENCH_ROLES
} bench_role;

typedef enum bench_result_kind {
    BENCH_NO_RESULT,
    BENCH_ELEMENT,  /* numbers of the vectors' type */
    BENCH_REAL,     /* real for complex vectors too: typed names start with sc and dz */
    BENCH_DOUBLE,   /* double for single-precision vectors too */
    BENCH_POSITION, /* int64_t: typed names start with is, id, ic, iz */
    BENCH_INFO      /* int64_t: the outcome of a factorization, beside its output */
} bench_result_kind;

typedef struct bench_op {
    const char *name;         /* "dotc": what is typed, behind the letter of the precision */
    const char *complex_name; /* "dotu": the name in c and z where it differs; else NULL */
    const char *alias;        /* a further name for it, or NULL */
    bool whole_name;          /* the name is the typed name: csscal, dsdot */
    bool unlisted;            /* a part of an op that is listed already: dotu */
    const gbl_op *op;
    bench_formula formula;
    unsigned dtypes; /* bit of each gbl_dtype it exists in; 0: the op's */
    /* Switches of its calls. */
    bool conj, real_scalars, wide_result, pointers;
    bool real_beta;   /* her2k: beta is real, alpha is not */
    bool values_only; /* of eigenvalues and singular values: no vectors */
    /* The routine behind the typed doors where it is more than to check a call and run it, else
     * NULL. */
    gable_status (*run)(gable_context *ctx, const char *routine, const gbl_vector_call *call);
} bench_op;

/* A call of any op. */
typedef union bench_call {
    gbl_vector_call vector;
    gbl_matrix_call matrix;
    gbl_product_call product;
} bench_call;

/* ---- What the op's description says ---- */

static inline bool bench_op_has_matrix(const bench_op *op)
{
    return op->op->layout != &gbl_vector_layout;
}

/* Whether its calls are gbl_product_call: matrices alone, no vectors. */
static inline bool bench_op_is_product(const bench_op *op)
{
    return op->op->layout == &gbl_product_layout;
}

/* Whether it takes an argument of a kind: GBL_TRANS, GBL_BATCH ... Routines that also take whole
 * matrices as uplo are measured with those. */
bool bench_op_takes(const bench_op *op, gbl_kind kind);
/* Whether it turns both its factors: then transpositions come in pairs. */
bool bench_op_takes_pairs(const bench_op *op);
/* Whether its matrix A is a triangle that is multiplied, inverted or solved with, or a matrix near
 * the identity that is factored. */
bool bench_op_is_triangular(const bench_op *op);
/* Whether an operand is near the identity: that A, or the B of sygvd. */
bool bench_has_ones(const bench_op *op, bench_role role);
/* Whether a call leaves operands that no further call should take, such as factors in place of A:
 * each call that is timed gets them as they were. */
bool bench_op_factors(const bench_op *op);
/* Whether LAPACK's ratios judge it, or its outputs are more than one: bench_factor.c. */
bool bench_op_has_ratio(const bench_op *op);
/* Whether it is a norm: one real number of a matrix. */
bool bench_op_is_norm(const bench_op *op);
/* Whether it finds singular values: bench_singular.c. */
bool bench_op_is_singular(const bench_op *op);
/* Whether it reads reflectors, of which A's columns, or its rows, hold the vectors. */
bool bench_op_reads_reflectors(const bench_op *op);
bool bench_op_has_rows_of_reflectors(const bench_op *op);
/* Whether those are of a reduction: then they may stand beside the diagonal. */
bool bench_op_reads_reduction(const bench_op *op);
/* Whether it is a product that adds beta times its output. */
bool bench_op_takes_beta(const bench_op *op);
/* Whether x is several columns. */
bool bench_op_takes_columns(const bench_op *op);
/* Whether A is a band: then its width is a part of a size. */
bool bench_op_takes_band(const bench_op *op);
gbl_storage bench_op_storage(const bench_op *op);
unsigned bench_op_dtypes(const bench_op *op);
bench_result_kind bench_op_result(const bench_op *op);
/* By what it reads and writes: that which writes a vector for a matrix that it reads is compared
 * with reading. */
bench_roof_kind bench_op_roof(const bench_op *op);

/* The operand of a role; NULL: it has none. */
const gbl_operand *bench_operand(const bench_op *op, bench_role role);
/* Whether the calls made here read and write it. With a product beta is 0: then y is only written.
 * bench_case_reads: also what is read because the case has another beta. */
bool bench_reads(const bench_op *op, bench_role role);
bool bench_writes(const bench_op *op, bench_role role);
/* The first role that is written; an op with a matrix has no other, but for those of LAPACK. Of
 * gels it is B, the solution: without tau the factors in A serve nobody; of gesdd with vectors it
 * is U. */
bench_role bench_written(const bench_op *op);

gable_status bench_op_run(const bench_op *op, gable_context *ctx, const bench_call *call);

/* An op and the precisions asked for by one word of the command line. */
typedef struct bench_wanted {
    const bench_op *op;
    unsigned dtypes;
} bench_wanted;

/* Finds what a word means. A stem takes the precisions of `dtypes` that it exists in, a typed name
 * its own. false: no such op. */
bool bench_op_find(const char *word, unsigned dtypes, bench_wanted *wanted);

/* The stems, separated by ", ". */
void bench_op_names(char *text, size_t text_bytes);

/* "ddot", "scnrm2": the typed name of an op. */
void bench_op_typed_name(const bench_op *op, gbl_dtype dtype, char *text, size_t text_bytes);

/* The bytes that the roof beside the op moves. A reduction's few bytes of result are left out. */
size_t bench_op_roof_bytes(const bench_op *op, const gbl_work *work);

/* ---- Cases ---- */

/* What is measured. */
typedef struct bench_case {
    const bench_op *op;
    gbl_dtype dtype;
    gable_trans trans;   /* of an op with a matrix */
    gable_trans trans_b; /* of the second factor of a product */
    gable_uplo uplo;
    gable_side side;
    gable_norm norm; /* which one a norm is */
    gable_vect vect; /* which of gebrd's matrices */
    int64_t m;       /* its rows; 1 where there is none */
    int64_t n;       /* its columns, or the length of vectors */
    int64_t k;       /* columns of x, or terms of a product */
    int64_t width;   /* of a band: diagonals beside the main one, on each side that has some */
    int64_t batch;   /* matrices; 1 unless the op takes many */
    int64_t
        offset;  /* elements that matrices start off their alignment; lda is as much more than m */
    int64_t pad; /* further elements between the columns of matrices */
    int beta;    /* of products: 0, or 1, and C is read too */
    bool zeros;  /* matrices of a product hold zeros */
    int math;    /* of a product: a gable_math, what sums in single may be made of */
} bench_case;

#define BENCH_SIZE_PARTS    4
#define BENCH_DEFAULT_K     8
#define BENCH_DEFAULT_WIDTH 16
#define BENCH_DEFAULT_BATCH 1000
#define BENCH_MAX_ARGS      14

/* A size as typed: 1000000 has one part, 1000000x50 two, 16x16x1000 three, 16x16x16x1000 four. */
typedef struct bench_size {
    int count;
    int64_t part[BENCH_SIZE_PARTS];
} bench_size;

/* Reads one size; *end points behind it. Each part is a count such as 1000 or 1e6 in [1, 2^53].
 * false: the text does not start with a size. */
bool bench_size_read(const char *text, bench_size *size, const char **end);

/* The flags of matrices that cases are made with. */
typedef struct bench_flags {
    gable_trans trans, trans_b;
    gable_uplo uplo;
    gable_side side;
    gable_norm norm; /* 0: GABLE_ONE_NORM */
    gable_vect vect; /* 0: GABLE_VECT_Q */
    int64_t offset, pad;
    int beta, math;
    bool zeros;
} bench_flags;
#define BENCH_PLAIN_FLAGS                                                                          \
    {                                                                                              \
        .trans = GABLE_NO_TRANS, .trans_b = GABLE_NO_TRANS, .uplo = GABLE_LOWER,                   \
        .side = GABLE_LEFT                                                                         \
    }

/* The case of a size; flags count where the op has a matrix. syrk and syr2k transpose where the
 * flags conjugate, herk and her2k the other way round: they have no other form. k is
 * BENCH_DEFAULT_K where it was not given (of a band BENCH_DEFAULT_WIDTH), a matrix is then square,
 * and batch BENCH_DEFAULT_BATCH. false: the op does not take the size, and the text, a sentence
 * without a point, says why. */
bool bench_case_make(const bench_op *op, gbl_dtype dtype, const bench_flags *flags,
                     const bench_size *size, bench_case *what, char *text, size_t text_bytes);

/* "ddot", and with a matrix's flags "dgemv N", "dtrsv L T", "dgemm NT", "dtrsm R U N", "dlantr 1
 * L": norm, side, triangle, transpositions. */
void bench_case_name(const bench_case *what, char *text, size_t text_bytes);
/* "n = 1000000, k = 50" for sentences, and "1000000x50" as it is typed, for tables. */
void bench_case_text(const bench_case *what, char *text, size_t text_bytes);
void bench_case_size_text(const bench_case *what, char *text, size_t text_bytes);

/* The call of a case, but for addresses: as the public function makes it, so that what the function
 * does not have stays
 * 0. The tuning database is kept by keys of such calls. */
void bench_case_call(const bench_case *what, bench_call *call);

/* Where the reflectors of a case stand: in A, from that row and column on, as geqrf leaves them, or
 * gelqf (`rows`), or with vectors that end on the diagonal (`above`). They change elements [first,
 * first + length) of a vector. */
typedef struct bench_reflectors {
    int64_t row, column, first, length, count;
    bool rows, above;
} bench_reflectors;
bench_reflectors bench_case_reflectors(const bench_case *what);

/* Rows and columns of an operand as it lies in memory, from column to column, and the elements of
 * its buffer, of many matrices all. A packed triangle is one column, a band has a row for each
 * diagonal. All 0: the op has none. */
typedef struct bench_shape {
    int64_t rows, columns, ld, length;
} bench_shape;
void bench_case_shapes(const bench_case *what, bench_shape shapes[BENCH_ROLES]);
bool bench_case_reads(const bench_case *what, bench_role role);

/* The arguments that tell the cases of one op and precision apart: {"conj", "x"}, {"n", NULL, 1000}
 * ... Returns how many there are. */
typedef struct bench_arg {
    const char *name;
    const char *text; /* NULL: it is a number */
    int64_t number;
} bench_arg;
int bench_case_args(const bench_case *what, bench_arg args[BENCH_MAX_ARGS]);

#endif
