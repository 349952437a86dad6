/* band_plan.h: products with band matrices: what gbmv, sbmv and tbmv share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A routine says by `form` which product a call is; the variants here do the rest. Variants: `tile` (band_tile.cl) for
 * narrow bands, `wide_n` and `wide_t` (band_n.cl, band_t.cl) for others on GPUs, `walk` (band_walk.cl) for CPUs.
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

/* Cuts off diagonals that lie outside of the matrix; called at the end of `form`, with kl and ku as the call has them. */
void gbl_band_cut(gbl_band *band);
/* Stored elements of a band that lie in the matrix. */
double gbl_band_elements(const gbl_band *band);
/* The least that a product must move and compute. */
void gbl_band_work(const gbl_matrix_call *call, const gbl_band *band, gbl_work *least);

/* Whether so many groups leave a second wave that is not half full, where work-items load so many bytes at once into
 * registers: band_wide.h and sbmv.cl say how many of them a multiprocessor holds. */
bool gbl_band_small_rest(int64_t groups, int32_t items, int32_t item_bytes,
                         const gbl_device *device);

enum { GBL_BAND_TILE_PARAMS = 3, GBL_BAND_WIDE_PARAMS = 4, GBL_BAND_WALK_PARAMS = 1 };
extern const gbl_param gbl_band_tile_space[GBL_BAND_TILE_PARAMS];
extern const gbl_param gbl_band_wide_n_space[GBL_BAND_WIDE_PARAMS];
extern const gbl_param gbl_band_wide_t_space[GBL_BAND_WIDE_PARAMS];
extern const gbl_param gbl_band_walk_space[GBL_BAND_WALK_PARAMS];

bool gbl_band_tile_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_band_wide_n_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_band_wide_t_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_band_walk_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_band_run(gable_context *ctx, const gbl_variant *self, const void *call,
                          const gbl_params *params);
void gbl_band_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_cost *cost);
bool gbl_band_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash);
int gbl_band_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs);
/* The kernel that saves elements of x which a group would change too early. */
void gbl_band_save_kernel(gbl_dtype dtype, gbl_kernel_spec *spec);
struct band_args;
/* Saves what groups of args->rows rows need of their neighbours' elements of *x, which then is where they are. */
gable_status gbl_band_save(gable_context *ctx, const gbl_matrix_call *call, const gbl_band *band,
                           const struct band_args *args, int64_t groups, void **x);

/* band_flat.c: narrow bands whose columns follow each other in memory. The other variants leave those to it. */
enum { GBL_BAND_FLAT_PARAMS = 3 };
extern const gbl_param gbl_band_flat_space[GBL_BAND_FLAT_PARAMS];
bool gbl_band_flat_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_band_flat_run(gable_context *ctx, const gbl_variant *self, const void *call,
                               const gbl_params *params);
void gbl_band_flat_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_cost *cost);
bool gbl_band_flat_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, uint64_t *hash);
int gbl_band_flat_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs);

/* The variants that general, triangular and symmetric bands share, and those of sums along one side. */
#define GBL_BAND_VARIANTS(routine)                                                                 \
    {.name = "tile",                                                                               \
     .deterministic = true,                                                                        \
     .fits = gbl_band_tile_fits,                                                                   \
     .run = gbl_band_run,                                                                          \
     .cost = gbl_band_cost,                                                                        \
     .space = gbl_band_tile_space,                                                                 \
     .space_count = GBL_BAND_TILE_PARAMS,                                                          \
     .detail = routine,                                                                            \
     .kernels = "band_tile.cl band_save.cl",                                                       \
     .specs = gbl_band_specs},                                                                     \
        {.name = "flat",                                                                           \
         .deterministic = true,                                                                    \
         .fits = gbl_band_flat_fits,                                                               \
         .run = gbl_band_flat_run,                                                                 \
         .cost = gbl_band_flat_cost,                                                               \
         .space = gbl_band_flat_space,                                                             \
         .space_count = GBL_BAND_FLAT_PARAMS,                                                      \
         .detail = routine,                                                                        \
         .kernels = "band_flat.cl band_save.cl",                                                   \
         .specs = gbl_band_flat_specs},                                                            \
    {                                                                                              \
        .name = "walk", .deterministic = true, .fits = gbl_band_walk_fits, .run = gbl_band_run,    \
        .cost = gbl_band_cost, .space = gbl_band_walk_space, .space_count = GBL_BAND_WALK_PARAMS,  \
        .detail = routine, .kernels = "band_walk.cl", .specs = gbl_band_specs                      \
    }
#define GBL_BAND_WIDE_VARIANTS(routine)                                                            \
    {.name = "wide_n",                                                                             \
     .deterministic = true,                                                                        \
     .fits = gbl_band_wide_n_fits,                                                                 \
     .run = gbl_band_run,                                                                          \
     .cost = gbl_band_cost,                                                                        \
     .space = gbl_band_wide_n_space,                                                               \
     .space_count = GBL_BAND_WIDE_PARAMS,                                                          \
     .detail = routine,                                                                            \
     .kernels = "band_n.cl",                                                                       \
     .specs = gbl_band_specs},                                                                     \
    {                                                                                              \
        .name = "wide_t", .deterministic = true, .fits = gbl_band_wide_t_fits,                     \
        .run = gbl_band_run, .cost = gbl_band_cost, .space = gbl_band_wide_t_space,                \
        .space_count = GBL_BAND_WIDE_PARAMS, .detail = routine, .kernels = "band_t.cl",            \
        .specs = gbl_band_specs                                                                    \
    }

#endif
