/* band_plan.h: products with band matrices: what the variants of gbmv, sbmv and tbmv share
 * (band_variants.h).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_BAND_PLAN_H
#define GBL_BAND_PLAN_H

#include "blas/level2/level2.h"
#include "core/kernel.h"

/* Values of the kernels' macro SIDES. */
enum { GBL_BAND_ROWS = 1, GBL_BAND_COLUMNS = 2, GBL_BAND_BOTH = 3 };
/* And of DIAGONAL. */
enum { GBL_BAND_STORED, GBL_BAND_ONES, GBL_BAND_REAL };

/* The longest leading dimension for which band_tile.cl computes offsets. */
#define GBL_BAND_MOST_LDA INT32_MAX
/* Diagonals from which on a GPU reads a band into registers. */
#define GBL_BAND_WIDE 64

/* A product with a band, whatever routine it is of. */
typedef struct gbl_band {
    int sides, diagonal;
    bool conj;      /* sums along columns take conjugates */
    bool in_place;  /* the result replaces x, and there are no scalars */
    int64_t m, n;   /* of A */
    int64_t kl, ku; /* diagonals that the matrix can have */
    int64_t before; /* elements of A before the first of those */
    int64_t inputs, outputs;
} gbl_band;

/* The `detail` of a variant. */
typedef struct gbl_band_routine {
    gbl_matrix_routine matrix;
    void (*form)(const gbl_matrix_call *call, gbl_band *band);
} gbl_band_routine;

/* The band of a triangle: its sizes, stored diagonals and vectors. */
gbl_band gbl_band_triangle(const gbl_matrix_call *call);
/* Cuts off diagonals that lie outside of the matrix; called at the end of `form`, with kl and ku as
 * the call has them. */
void gbl_band_cut(gbl_band *band);
/* Stored elements of a band that lie in the matrix. */
double gbl_band_elements(const gbl_band *band);
/* The least that a product must move and compute; the same of a call. */
void gbl_band_work(const gbl_matrix_call *call, const gbl_band *band, gbl_work *least);
void gbl_band_call_work(void (*form)(const gbl_matrix_call *call, gbl_band *band),
                        const gbl_matrix_call *call, gbl_work *least);

/* Whether so many groups leave a second wave that is not half full, where work-items load so many
 * bytes at once into registers: band_wide.h and sbmv.cl say how many of them a multiprocessor
 * holds. */
bool gbl_band_small_rest(int64_t groups, int32_t items, int32_t item_bytes,
                         const gbl_device *device);

/* The kernel that saves elements of x which a group would change too early. */
void gbl_band_save_kernel(gbl_dtype dtype, gbl_kernel_spec *spec);
struct band_args;
/* Saves what groups of args->rows rows need of their neighbours' elements of *x, which then is
 * where they are. */
gable_status gbl_band_save(gable_context *ctx, const gbl_matrix_call *call, const gbl_band *band,
                           const struct band_args *args, int64_t groups, void **x);

/* Rows of a group, even so that the pitch of a tile is odd. */
int64_t gbl_band_whole_rows(int64_t count);
/* Fewer rows per group, down to `fewest`, where groups would not fill the device twice. */
int64_t gbl_band_enough_groups(int64_t wanted, int64_t fewest, int64_t outputs,
                               const gbl_device *device);
/* What the kernels' arguments say of a call; the plan adds the rest, which is 0. */
void gbl_band_arguments(const gbl_matrix_call *call, const gbl_band *band, struct band_args *args);
/* SIDES, CONJ, DIAGONAL and SCALED. */
void gbl_band_macros(const gbl_band *band, gbl_kernel_spec *spec);

/* How a kernel is launched. */
typedef struct gbl_band_groups {
    gbl_kernel *kernel;
    const struct band_args *args;
    int64_t groups;
    int32_t items;
    bool saves; /* in place: elements of neighbours are saved, else all of x is copied */
} gbl_band_groups;
gable_status gbl_band_launch(gable_context *ctx, const gbl_variant *self,
                             const gbl_matrix_call *call, const gbl_band *band,
                             const gbl_band_groups *of);
/* What so many groups cost but for what they wait for and keep requested. */
void gbl_band_cost(const gbl_matrix_call *call, const gbl_band *band, int64_t groups, int32_t items,
                   gbl_cost *out);

static inline const gbl_band_routine *gbl_band_routine_of(const gbl_variant *self)
{
    return self->detail;
}

static inline bool gbl_band_gpu(const gbl_device *device)
{
    return device->table->build != NULL && device->props.is_gpu;
}

static inline int64_t gbl_band_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
