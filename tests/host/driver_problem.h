/* driver_problem.h: one call of a driver of eigenvalues or singular values on host arrays, whose
 * values are known.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The Hermitian matrix is H D H, the other one H D K, with reflections H and K and a diagonal D of
 * whole numbers and halves. That of sygvd is G H D H G^H with B = G G^H, G ones on the diagonal and
 * 1/2 below the first one.
 */
#ifndef DRIVER_PROBLEM_H
#define DRIVER_PROBLEM_H

#include "driver_calls.h"
#include "host_numbers.h"

#define DRIVER_MOST  22 /* rows or columns; one of the two of other matrices has DRIVER_FEW */
#define DRIVER_FEW   15
#define DRIVER_LD    (DRIVER_MOST + 3)
#define DRIVER_GUARD 77777.0 /* what is where no element is */

/* By rows. */
typedef struct driver_matrix {
    number at[DRIVER_MOST][DRIVER_MOST];
} driver_matrix;

typedef struct driver_problem {
    int letter; /* its place in "sdcz" */
    driver_args args;
    int64_t count;                /* values that there are */
    double values[DRIVER_MOST];   /* they */
    driver_matrix matrix, second; /* A, B */
    char A[DRIVER_LD * DRIVER_MOST * sizeof(number)];
    char U[DRIVER_LD * DRIVER_MOST * sizeof(number)];
    char Vt[DRIVER_LD * DRIVER_MOST * sizeof(number)];
    char w[(DRIVER_MOST + 1) * sizeof(double)];
    int64_t ifail[DRIVER_MOST + 1], found[2], info[2];
} driver_problem;

/* How many forms of calls a routine has. */
int driver_forms(driver_routine routine);
void driver_problem_make(driver_problem *p, int letter, driver_routine routine, int form);
/* The arrays of the call anew. */
void driver_problem_load(driver_problem *p);

/* After a call: everything is right, or everything but info is as it was before. */
bool driver_problem_right(const driver_problem *p, const driver_problem *before);
bool driver_problem_untouched(const driver_problem *p, const driver_problem *before);

#endif
