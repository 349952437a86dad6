/* bench_ops.h: what the benchmark knows of each op, beside the op itself: one descriptor per op.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The bytes and flops come from gbl_op.work; here are the operands, the roof, and the names a user
 * may type: a stem ("dot") or a typed name ("ddot", "scnrm2"). A case is an op in one precision at
 * one size; sizes are typed as "1000000", "1000000x50" (n and k) where an op takes several vectors at
 * once, "4096" (square) or "1000000x8" (m and n) where it takes a matrix, "1000000x16" (n and k: square, with
 * k diagonals on either side) where that is a band, and "16x16x1000000" where it takes many matrices.
 * bench_ops.c has the vectors' ops, matrix_ops.c those with a matrix.
 */
#ifndef BENCH_OPS_H
#define BENCH_OPS_H

#include "blas/level1.h"
#include "blas/level2.h"

/* What the device's memory is asked for beside the routine: to copy, only to read, only to write. */
typedef enum bench_roof_kind { BENCH_ROOF_COPY, BENCH_ROOF_READ, BENCH_ROOF_WRITE } bench_roof_kind;

/* What an op computes: scalars and references go by it. */
typedef enum bench_formula {
    BENCH_COPY,
    BENCH_SWAP,
    BENCH_SCAL,
    BENCH_AXPY,
    BENCH_AXPBY,
    BENCH_WAXPBY,
    BENCH_FILL,
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
    BENCH_GEAM
} bench_formula;

/* Operands of an op, and what else can be read back after it: bits. */
enum {
    BENCH_X = 1,
    BENCH_Y = 2,
    BENCH_W = 4,
    BENCH_RESULT = 8,
    BENCH_A = 16,
    BENCH_B = 32,
    BENCH_C = 64
};

/* What an op with a matrix takes: bits. */
enum {
    BENCH_TRANS = 1,    /* A may be transposed */
    BENCH_UPLO = 2,     /* one triangle of a square matrix */
    BENCH_BATCH = 4,    /* many matrices at once */
    BENCH_POINTERS = 8, /* their addresses in arrays */
    BENCH_TURNS = 16,   /* what it is for is the transposition: T unless another is asked for */
    BENCH_BAND = 32,    /* the diagonals near the main one are stored */
    BENCH_PACKED = 64   /* a triangle is stored without gaps */
};

typedef enum bench_result_kind {
    BENCH_NO_RESULT,
    BENCH_ELEMENT,  /* a number of the vectors' type */
    BENCH_ELEMENTS, /* one for each column of x */
    BENCH_REAL,     /* real for complex vectors too: typed names start with sc and dz */
    BENCH_DOUBLE,   /* double for single-precision vectors too */
    BENCH_POSITION  /* int64_t: typed names start with is, id, ic, iz */
} bench_result_kind;

typedef struct bench_op {
    const char *name;         /* "dotc": what is typed, behind the letter of the precision */
    const char *complex_name; /* "dotu": the name in c and z where it differs; else NULL */
    const char *alias;        /* a further name for it, or NULL */
    bool whole_name;          /* the name is the typed name: csscal, dsdot */
    bool unlisted;            /* a part of an op that is listed already: dotu */
    const gbl_op *op;
    bench_formula formula;
    unsigned dtypes; /* bit of each gbl_dtype it exists in */
    bool conj;       /* of x */
    bool real_scalars;
    bool takes_k;           /* x has k columns */
    unsigned matrix;        /* bits of what it takes beside a matrix */
    unsigned reads, writes; /* bits of operands; in both: the op changes them in place */
    bench_result_kind result;
    bench_roof_kind roof;
    /* The routine behind the typed doors, one of the two; routine is the name for messages. */
    gable_status (*run)(gable_context *ctx, const char *routine, const gbl_vector_call *call);
    gable_status (*run_matrix)(gable_context *ctx, const char *routine,
                               const gbl_matrix_call *call);
} bench_op;

/* A call of any op. */
typedef union bench_call {
    gbl_vector_call vector;
    gbl_matrix_call matrix;
} bench_call;

static inline bool bench_op_has_matrix(const bench_op *op)
{
    return op->run_matrix != NULL;
}

extern const bench_op bench_matrix_ops[];
extern const size_t bench_matrix_op_count;

gable_status bench_op_run(const bench_op *op, gable_context *ctx, const bench_call *call);
/* Bytes of the member of bench_call that the op takes. */
size_t bench_op_call_bytes(const bench_op *op);

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
    gable_trans trans; /* of an op with a matrix */
    gable_uplo uplo;
    int64_t m;     /* its rows; 1 where there is none */
    int64_t n;     /* its columns, or the length of vectors */
    int64_t k;     /* columns of x; 1 unless the op takes k */
    int64_t width; /* of a band: diagonals beside the main one, on each side that has some */
    int64_t batch; /* matrices; 1 unless the op takes many */
    int64_t
        offset; /* elements that matrices start off their alignment; lda is as much more than m */
} bench_case;

#define BENCH_SIZE_PARTS    3
#define BENCH_DEFAULT_K     8
#define BENCH_DEFAULT_WIDTH 16
#define BENCH_DEFAULT_BATCH 1000
#define BENCH_MAX_ARGS      12

/* A size as typed: 1000000 has one part, 1000000x50 two, 16x16x1000 three. */
typedef struct bench_size {
    int count;
    int64_t part[BENCH_SIZE_PARTS];
} bench_size;

/* Reads one size; *end points behind it. Each part is a count such as 1000 or 1e6 in [1, 2^53].
 * false: the text does not start with a size. */
bool bench_size_read(const char *text, bench_size *size, const char **end);

/* The flags of matrices that cases are made with. */
typedef struct bench_flags {
    gable_trans trans;
    gable_uplo uplo;
    int64_t offset;
} bench_flags;

/* The case of a size; flags count where the op has a matrix. k is BENCH_DEFAULT_K where it was not
 * given (of a band BENCH_DEFAULT_WIDTH), a matrix is then square, and batch BENCH_DEFAULT_BATCH. false: the op does not take the size, and
 * the text, a sentence without a point, says why. */
bool bench_case_make(const bench_op *op, gbl_dtype dtype, const bench_flags *flags,
                     const bench_size *size, bench_case *what, char *text, size_t text_bytes);

/* "ddot", and with a matrix's flags "dgemv N", "dtrsv L T". */
void bench_case_name(const bench_case *what, char *text, size_t text_bytes);
/* "n = 1000000, k = 50" for sentences, and "1000000x50" as it is typed, for tables. */
void bench_case_text(const bench_case *what, char *text, size_t text_bytes);
void bench_case_size_text(const bench_case *what, char *text, size_t text_bytes);

/* Rows and columns of a matrix operand as it lies in memory, and from column to column. A packed triangle is
 * one column, a band has a row for each diagonal. */
typedef struct bench_shape {
    int64_t rows, columns, ld;
} bench_shape;
bench_shape bench_matrix_shape(const bench_case *what, unsigned which);

/* The arguments that tell the cases of one op and precision apart: {"conj", "x"}, {"n", NULL, 1000}
 * ... Returns how many there are. */
typedef struct bench_arg {
    const char *name;
    const char *text; /* NULL: it is a number */
    int64_t number;
} bench_arg;
int bench_case_args(const bench_case *what, bench_arg args[BENCH_MAX_ARGS]);

#endif
