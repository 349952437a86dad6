/* routine.h: the six parts of a routine's test, over precisions, variants and tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A routine's test is one typed file, compiled four times; each ends in a routine_parts table. The
 * main program here runs the default variant through all six parts, every other variant that fits
 * the device through `exact` and `edges`, and once more with its tunables in the middle of their
 * ranges; with $GABLE_TEST_ALL all parts of all variants, over a spread of tunables. A CPU behind
 * OpenCL compiles slowly: there no other tunables are tried, and docs/testing.md says what else is
 * left to $GABLE_TEST_ALL.
 *
 *     test_dot                     everything
 *     test_dot d exact             one precision, one part
 *     test_dot d exact dot=omp     with that variant
 *     test_dot d all dot=omp       all its parts
 *
 * With $GABLE_TEST_SIDE_BY_SIDE the first of these has a process for each precision
 * (side_by_side.h).
 */
#ifndef TEST_ROUTINE_H
#define TEST_ROUTINE_H

#include <stdbool.h>
#include "blas/level1/level1.h"
#include "harness/check.h"
#include "harness/guarded.h"

struct routine_parts;

/* One run of the parts: the device, the variant in force and what was measured. */
typedef struct routine {
    gable_context *ctx;
    const struct routine_parts *parts;
    gbl_device *device;
    const gbl_op *op;
    char letter;
    gbl_dtype dtype;
    const gbl_variant *variant; /* forced, or NULL */
    const char *choice;         /* "default", "dot=omp" */
    const char *part;
    bool all;
    bool math; /* under GABLE_MATH_TF32X3: an Inf may become a NaN */
    long cases, unfit;
    double worst;                                         /* largest error over bound */
    const void *(*probe)(const struct routine *r, int i); /* that of the test's parts */
} routine;

enum {
    PART_EXACT,
    PART_RESIDUAL,
    PART_EDGES,
    PART_GUARDS,
    PART_ARGUMENTS,
    PART_REPEAT,
    PART_COUNT
};

typedef struct routine_parts {
    const char *stem;
    char letter;
    gbl_dtype dtype;
    /* In the order above. All NULL: the routine does not exist in this precision (rotm is real). */
    void (*run[PART_COUNT])(routine *r);
    /* The calls that tell which variants fit a device and which are its defaults: call i, or NULL
     * past the last. It is looked at before the next is asked for. NULL: one plain call of
     * vectors. */
    const void *(*probe)(const routine *r, int i);
    /* For parts that are compiled once for many routines: what is typed in them. */
    const void *forms;
    int form_count;
} routine_parts;

extern const routine_parts test_parts_s, test_parts_d, test_parts_c, test_parts_z;

/* The parts and a call of a typed test, in its precision. */
#define TEST_PARTS(stem_, ...)                                                                     \
    {                                                                                              \
        .stem = stem_, .letter = LETTER, .dtype = DTYPE, __VA_ARGS__                               \
    }
#define TYPED_CALL(...)                                                                            \
    {                                                                                              \
        .dtype = DTYPE, __VA_ARGS__                                                                \
    }

/* A call of a vector routine: sizes, strides, and how many reals each pointer is off its alignment.
 */
typedef struct shape {
    int64_t n, incx, incy;
    int offx, offy;
} shape;

/* OpenCL's compilers take half a second and more for a kernel, and there is one for each form of
 * the operands. So without $GABLE_TEST_ALL a test asks for few of them; CUDA runs the same kernels
 * in the other forms. */
bool routine_slow_compiler(const routine *r);

/* A GPU, or kernels that are compiled as plain C: forced variants run in all precisions. */
bool routine_compiles_fast(const routine *r);

/* A GPU, without $GABLE_TEST_ALL. NVRTC takes seconds for a kernel of products, so tests of those
 * have each kernel with few flags and kinds of addresses, other ones in each precision. */
bool routine_short_gpu(const routine *r);

/* The shape as the run takes it. On a device that compiles slowly s takes all shapes, d and z
 * contiguous vectors that are aligned alike and strided ones, c contiguous vectors aligned alike or
 * not; and forced variants take aligned vectors. Other shapes become such ones of the same size. */
shape routine_shape(const routine *r, int vectors, shape s);

/* Sizes around every tile, strides, offsets, one large vector, as the run takes them; for routines
 * with one vector the shapes that differ in x. The list lives until the next call. */
const shape *routine_shapes(const routine *r, int vectors, int *count);
/* A tenth of them, for slow ways through a test. */
const shape *routine_few_shapes(const routine *r, int vectors, int *count);

/* Sets the line that reproduces a case. */
void routine_case(routine *r, const shape *s, uint64_t seed, const char *more);

/* The status of a call that must run: true if it did. A forced variant that does not fit the call
 * must have said so; that is counted, and false. call may be NULL: the call runs in any variant. */
bool routine_ran(routine *r, gable_status status, const void *call);

/* Whether the variant in force fits. */
bool routine_fits(const routine *r, const void *call);

/* The number of an argument as messages count, where the context is 1; 0: the routine has none.
 * `names` are those of its arguments behind the context, in prototype order, between blanks. */
int routine_argument(const char *names, const char *name);

/* The error must be at most limit times the bound, and exactly 0 where the bound is. */
void routine_error(routine *r, double error, double bound, double limit);

/* Forces a variant of the op for some time ("" the default again). */
bool routine_force(routine *r, const gbl_variant *variant, const char *tunables);
void routine_unforce(routine *r);

/* Whether a variant can run a probe on the device; without one of the test's own a plain call:
 * contiguous vectors of 16 elements. */
bool routine_variant_fits(const routine *r, const gbl_variant *variant);
/* Forces the variants that fit, one after the other: from *next = 0 on, as long as it gives true.
 * Gives false at once where one is forced for the whole run. */
bool routine_next_variant(routine *r, int *next);
/* Whether its kernels are for one architecture of one vendor: kernels/sm90. */
bool routine_one_architecture(const gbl_variant *variant);

/* Strides past 2^31 elements can be tried: on the host always, on devices with GABLE_TEST_ALL and
 * room for the bytes. Says when not. */
bool routine_far(const routine *r, size_t bytes);
/* One or two pieces of memory for that, of so many bytes each; false: they cannot be had, and that
 * was said. */
typedef struct far_memory {
    void *at[2]; /* the second may be NULL */
    size_t bytes;
} far_memory;
bool far_take(const routine *r, int count, size_t bytes, far_memory *memory);
void far_give(const routine *r, const far_memory *memory);

#endif
