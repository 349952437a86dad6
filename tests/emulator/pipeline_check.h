/* pipeline_check.h: one product by a pipeline of stages on the fake device, against plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small integers: every order of sums gives the same bits. Around matrices stand NaN, and in C what
 * must stay. The fake device has four units: persistent groups go from tile to tile. A test opens,
 * runs its trials, closes. It has no checks of its own: all are counted here.
 */
#ifndef PIPELINE_CHECK_H
#define PIPELINE_CHECK_H

#include "product_numbers.h"

/* Tunables, and the sides of their tiles. */
typedef struct shape {
    const char *choice;
    int rows, columns;
} shape;

typedef struct trial {
    int complex, shape;
    int trans_a, trans_b;    /* 1: transposed, 2: and conjugate */
    int odd_a, odd_b, odd_c; /* columns do not start on 16 bytes */
    int triangle_c, triangular, unit, two_products;
    int m, n, k;
    number alpha, beta;
    int real_diagonal;
    int on_device;      /* scalars */
    int sized;          /* m, n and k are read from memory; the call tells more */
    int reserved_units; /* units that stay free; there are more tiles than others */
    int infinite;       /* the factor beside a triangular one has Inf where it meets zeros */
} trial;

/* Blocks of so many bytes for A, B and C. False: there is no memory; close tells it. */
bool pipeline_check_open(size_t bytes);

/* Runs a trial with the tunables of a shape, and compares C and what is around it. */
void pipeline_check_run(const trial *t, gbl_dtype dtype, const shape *s);

/* The first `many` (up to 5) of some sizes around the edges of its tiles; scalars on both sides. */
void pipeline_check_sizes(trial t, gbl_dtype dtype, const shape *s, int many);

/* A trial, then the same where C is scaled only, because alpha or k is 0; and where it becomes
 * zero. */
void pipeline_check_scaled(trial t, gbl_dtype dtype, const shape *s);

/* Ends what pipeline_check_open began; it may begin again. */
void pipeline_check_end(void);

/* The same, and what main() of a test returns. */
int pipeline_check_close(const char *test);

#endif
