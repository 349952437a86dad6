/* level1_check.h: checks of the vector routines through the public interface.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Data are small integers, so that every order of summation gives the same bits. Each check makes
 * its own vectors, with NaN in the gaps of inputs and a pattern in the gaps of outputs, and
 * compares whole blocks. Used on the fake device, on mutants of the kernels and on the true kernels
 * beside them.
 */
#ifndef LEVEL1_CHECK_H
#define LEVEL1_CHECK_H

#include <stdbool.h>
#include "gable/gable.h"

typedef struct level1_case {
    int64_t n, incx, incy, incw;
    int64_t columns; /* of mdot, maxpy and gemv, which has n rows; X is contiguous in any case */
    bool apart;      /* gemv: columns do not start alike */
    bool flat;       /* bands: columns as band_flat.cl takes them */
    int shift_x, shift_y; /* reals between an aligned address and the vector; w as y */
    int pad;              /* elements before and behind; 0: the block ends with the vector */
    bool on_device;       /* a scalar result goes to device memory */
    int repeats;          /* calls in a row, each with the same result */
} level1_case;

/* What went wrong: which kind of check saw it, and a line that tells the case. */
typedef struct level1_report {
    const char *check; /* "exact", "guards", "edges", "repeat", "status" */
    char why[384];
} level1_report;

/* True when all is well. */
typedef bool (*level1_function)(gable_context *ctx, const level1_case *c, level1_report *report);

/* All checks of one routine. */
typedef struct level1_named {
    const char *name; /* the stem; NULL ends a list */
    level1_function function;
} level1_named;

typedef struct level1_checks {
    char letter;
    level1_function copy, axpy, axpy_dev, dot, dotc, nrm2; /* dotc is NULL for real types */
    level1_function alpha_zero;                            /* alpha = 0 reads neither x nor y */
    level1_function norm_range;                            /* huge, tiny, Inf and NaN */
    const level1_named *maps;      /* swap, scal, fill, reciprocal, axpby, waxpby, rot, rotm */
    const level1_named *folds;     /* asum, amax, dsdot */
    const level1_named *columns;   /* mdot, mdotc, maxpy */
    const level1_named *numbers;   /* random; rotg, rotmg, which have no vectors */
    const level1_named *updates;   /* ger, syr, syr2, spr, spr2; gerc, her, her2, hpr, hpr2 */
    const level1_named *matrices;  /* gemv_n, gemv_t, gemv_c */
    const level1_named *triangles; /* products and solves, plain and with A^H */
    const level1_named *batches;   /* gemv_strided and gemv_batched, _n and _c */
    const level1_named *mirrored;  /* symv, hemv */
    const level1_named *bands;     /* bands: gbmv, tbmv, sbmv, hbmv; wide, flat */
    const level1_named *products;  /* gemm, symm, trsm */
    const level1_named *planes;    /* transpose_n, _t, _in_place; geam_n, _t, _tt */
} level1_checks;

extern const level1_checks level1_s, level1_d, level1_c, level1_z;

#endif
