/* petsc_plugin.h: what the files of the PETSc plugin share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of the plugin start with gp_; PETSc's own patterns (MatMult_SeqAIJGable) are kept for
 * functions that PETSc calls. Every function gives a PetscErrorCode, and Gable's sentences come out
 * as PETSc's errors: nothing here prints or ends a program.
 */
#ifndef GABLE_PETSC_PLUGIN_H
#define GABLE_PETSC_PLUGIN_H

#include <petscksp.h>
#include <gable/gable.h>

/* ---- What differs between versions of PETSc ---- */

#if PETSC_VERSION_LT(3, 19, 0)
#define GP_SUCCESS 0
#else
#define GP_SUCCESS PETSC_SUCCESS
#endif
#if PETSC_VERSION_LT(3, 23, 0)
typedef PetscOptionItems *gp_options;
#else
typedef PetscOptionItems gp_options;
#endif

/* ---- Precision and indices of this PETSc ---- */

#if defined(PETSC_USE_REAL_DOUBLE) && defined(PETSC_USE_COMPLEX)
#define GP_PRECISION 'z'
#define GP_SPARSE(f) gable_sparse_z##f
typedef gable_cdouble gp_scalar;
#define GP_NUMBER(a) ((gp_scalar){(a), 0})
#elif defined(PETSC_USE_REAL_DOUBLE)
#define GP_PRECISION 'd'
#define GP_SPARSE(f) gable_sparse_d##f
typedef double gp_scalar;
#define GP_NUMBER(a) ((gp_scalar)(a))
#elif defined(PETSC_USE_REAL_SINGLE) && defined(PETSC_USE_COMPLEX)
#define GP_PRECISION 'c'
#define GP_SPARSE(f) gable_sparse_c##f
typedef gable_cfloat gp_scalar;
#define GP_NUMBER(a) ((gp_scalar){(a), 0})
#elif defined(PETSC_USE_REAL_SINGLE)
#define GP_PRECISION 's'
#define GP_SPARSE(f) gable_sparse_s##f
typedef float gp_scalar;
#define GP_NUMBER(a) ((gp_scalar)(a))
#else
#error "PETSc has numbers of another precision than single and double"
#endif
#define GP_INDEX_BITS ((int)(8 * sizeof(PetscInt)))

/* ---- petsc_device.c: one context per process ---- */

/* Opens it at the first call. It stays until PetscFinalize. */
PetscErrorCode gp_context(gable_context **ctx);
/* Whether arrays of PETSc's serve as they are, and what the device is called. */
PetscBool gp_on_host(void);
const char *gp_device_name(void);
/* At PetscInitialize, on all ranks: which rank of this node it is, and how many there are. */
PetscErrorCode gp_device_begin(void);
/* Limits teams of threads to this rank's share of the node, where nobody said how many; gives what
 * the limit was. */
int gp_threads_begin(void);
void gp_threads_end(int before);

/* A call of Gable's; its failure is PETSc's error with Gable's sentence. */
#define GP_CALL(ctx, call)                                                                         \
    do {                                                                                           \
        const int gp_threads_ = gp_threads_begin();                                                \
        const gable_status gp_status_ = (call);                                                    \
        gp_threads_end(gp_threads_);                                                               \
        PetscCheck(gp_status_ == GABLE_OK, PETSC_COMM_SELF, gp_error(gp_status_), "Gable: %s",     \
                   gable_message(ctx));                                                            \
    } while (0)
static inline PetscErrorCode gp_error(gable_status status)
{
    return status == GABLE_OUT_OF_MEMORY   ? PETSC_ERR_MEM
           : status == GABLE_NOT_SUPPORTED ? PETSC_ERR_SUP
                                           : PETSC_ERR_LIB;
}

/* Vectors on the device, of so many elements at least; not used on cpu. */
typedef struct gp_buffer {
    void *address;
    PetscInt count;
} gp_buffer;
PetscErrorCode gp_buffer_get(gp_buffer *buffer, PetscInt count);
PetscErrorCode gp_buffer_free(gp_buffer *buffer);
PetscErrorCode gp_to_device(const gp_buffer *buffer, const PetscScalar *x, PetscInt count);
PetscErrorCode gp_from_device(const gp_buffer *buffer, PetscScalar *x, PetscInt count);

/* ---- petsc_rows.c: the entries of a Mat as Gable's matrix ---- */

/* Compressed rows of a Mat of type seqaij or one that is made of it. On cpu they are PETSc's own
 * arrays. Those who use them count themselves: solvers may hold rows that a Mat has left behind. */
typedef struct gp_rows {
    int users;
    gable_sparse *matrix;
    const PetscInt *start, *column; /* as they were: others are another pattern */
    const PetscScalar *values;
    PetscInt rows, columns, entries;
    PetscObjectState pattern, state;
} gp_rows;

/* Whether a Mat is one that has compressed rows here; of mpiaij on one rank that is its diagonal
 * block. *local is NULL where it is not. */
PetscErrorCode gp_rows_local(Mat A, Mat *local);
/* Brings *rows up to the state of A: made where there are none or the pattern is another one, given
 * new values where these changed. */
PetscErrorCode gp_rows_renew(Mat A, gp_rows **rows);
/* Those that A carries with it, up to date, for products and for solvers. */
PetscErrorCode gp_rows_of(Mat A, gp_rows **rows);
PetscErrorCode gp_rows_leave(gp_rows **rows);

/* A solver with rows, which it holds. */
typedef struct gp_solving {
    gp_rows *rows;
    gable_solver *solver;
} gp_solving;
/* With these rows from now on: another solver where they are others. */
PetscErrorCode gp_solving_use(gp_solving *solving, gp_rows *rows);
PetscErrorCode gp_solving_end(gp_solving *solving);

/* ---- petsc_product.c: products with a Mat ---- */

/* y := op(A) x (+ y), on host arrays. */
PetscErrorCode gp_product(Mat A, gable_trans trans, const PetscScalar *x, PetscBool add,
                          PetscScalar *y);
/* Format, reason and bytes as a sentence. */
PetscErrorCode gp_product_view(Mat A, PetscViewer viewer);
/* What A carries with it: its rows and, once products were made, what they need. */
typedef struct gp_carried gp_carried;
PetscErrorCode gp_carried_of(Mat A, gp_carried **carried);
gp_rows **gp_carried_rows(gp_carried *carried);

/* ---- Types ---- */

#define GP_SEQ "seqaijgable"
#define GP_MPI "mpiaijgable"
#define GP_ANY "aijgable"
#define GP_PC  "gable"
PetscErrorCode gp_mat_register(void);
PetscErrorCode gp_ksp_register(void);
PetscErrorCode gp_pc_register(void);
/* The words of a PC of type gable for gable_solver_set. */
PetscErrorCode gp_pc_words(PC pc, char *words, size_t bytes);
/* Whether words ask for factors, which may not be possible to make. */
PetscBool gp_words_factor(const char *words);
/* Gable could not make factors of these rows: the PC failed, or that is an error where PETSc's
 * options want one. */
PetscErrorCode gp_pc_lost(PC pc, const gp_rows *rows);

/* Events of -log_view. */
extern PetscLogEvent gp_event_setup, gp_event_product, gp_event_solve, gp_event_precond;

#endif
