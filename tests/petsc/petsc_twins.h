/* petsc_twins.h: matrices of the PETSc plugin beside twins of PETSc's own type, for tests.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each program runs between PetscInitialize and PetscFinalize twice, on one rank.
 */
#ifndef TEST_PETSC_TWINS_H
#define TEST_PETSC_TWINS_H

#include <petscksp.h>

extern int twin_failures;
extern const char *twin_part; /* what is being tested */

#define EXPECT(good, ...)                                                                          \
    do {                                                                                           \
        if (!(good)) {                                                                             \
            twin_failures++;                                                                       \
            PetscCall(PetscPrintf(PETSC_COMM_SELF, "FAILED %s: ", twin_part));                     \
            PetscCall(PetscPrintf(PETSC_COMM_SELF, __VA_ARGS__));                                  \
            PetscCall(PetscPrintf(PETSC_COMM_SELF, "\n"));                                         \
        }                                                                                          \
    } while (0)

typedef struct twins {
    Mat gable, plain;
} twins;

/* What both go through. */
typedef PetscErrorCode (*twin_change)(Mat A);
PetscErrorCode twins_change(const twins *t, twin_change function);
/* Of a type, and with room for 6 entries per row. */
PetscErrorCode twin_create(MatType type, PetscInt rows, PetscInt columns, Mat *A);
/* A grid of n by n points; unsymmetric where it is windy. */
PetscErrorCode twin_fill(Mat A, PetscInt n, PetscReal wind);
PetscErrorCode twins_create(PetscInt n, PetscReal wind, twins *t);
PetscErrorCode twins_destroy(twins *t);
/* Numbers from 0 to 2. */
PetscErrorCode twin_wave(Vec x, PetscReal step);
/* The largest difference, over the largest element of b. Changes a. */
PetscErrorCode twin_distance(Vec a, Vec b, PetscReal *distance);
/* An entry where there was none. */
PetscErrorCode twin_one_more(Mat A);
/* Runs the parts and ends the program. */
int twin_main(int argc, char **argv, PetscErrorCode (*run)(void));

#endif
