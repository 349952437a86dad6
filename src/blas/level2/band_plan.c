/* band_plan.c: products with band matrices: what their variants share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/level2/band_plan.h"
#include <string.h>
#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "band_args.h"

_Static_assert(sizeof(band_args) == 21 * 8, "host and device must agree");

#define SAVE_ITEMS 64 /* work-items per group of band_save.cl */

gbl_band gbl_band_triangle(const gbl_matrix_call *call)
{
    const bool upper = call->uplo == GABLE_UPPER;
    return (gbl_band){
        .m = call->n,
        .n = call->n,
        .kl = upper ? 0 : call->kl,
        .ku = upper ? call->ku : 0,
        .inputs = call->n,
        .outputs = call->n,
    };
}

void gbl_band_cut(gbl_band *band)
{
    const int64_t ku = gbl_band_least(band->ku, band->n - 1);
    band->before = band->ku - ku;
    band->ku = ku;
    band->kl = gbl_band_least(band->kl, band->m - 1);
}

/* The sum of min(a, b - o) for o = 0 to k, k < b. */
static double diagonals(double a, double b, double k)
{
    double whole = b - a + 1; /* diagonals of a elements */
    whole = whole < 0 ? 0 : whole > k + 1 ? k + 1 : whole;
    return whole * a + (k + 1 - whole) * (2 * b - whole - k) / 2;
}

double gbl_band_elements(const gbl_band *band)
{
    const double m = (double)band->m, n = (double)band->n;
    const double main = m < n ? m : n;
    const double all = diagonals(m, n, (double)band->ku) + diagonals(n, m, (double)band->kl) - main;
    return band->diagonal == GBL_BAND_ONES ? all - main : all;
}

void gbl_band_work(const gbl_matrix_call *call, const gbl_band *band, gbl_work *least_work)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype), elements = gbl_band_elements(band);
    const double sums = band->sides == GBL_BAND_BOTH ? 2 : 1;
    *least_work = (gbl_work){.bytes_read = elem * (elements + (double)band->inputs),
                             .bytes_written = elem * (double)band->outputs,
                             .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * sums * elements};
    if (!band->in_place && (call->beta.device != NULL || call->beta.re != 0 || call->beta.im != 0))
        least_work->bytes_read += elem * (double)band->outputs;
}

void gbl_band_call_work(void (*form)(const gbl_matrix_call *call, gbl_band *band),
                        const gbl_matrix_call *call, gbl_work *least)
{
    gbl_band band;
    form(call, &band);
    gbl_band_work(call, &band, least);
}

/* ---- plans ---- */

int64_t gbl_band_whole_rows(int64_t count)
{
    return count / 4 * 4;
}

int64_t gbl_band_enough_groups(int64_t wanted, int64_t fewest, int64_t outputs,
                               const gbl_device *device)
{
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    while (wanted / 2 >= fewest && gbl_parts(outputs, wanted) < 2 * units)
        wanted = gbl_band_whole_rows(wanted / 2);
    return wanted;
}

bool gbl_band_small_rest(int64_t groups, int32_t items_, int32_t item_bytes,
                         const gbl_device *device)
{
    const int64_t units = device->props.units > 0 ? device->props.units : 1;
    const int64_t a_unit = (item_bytes <= 64 ? 768 : 512) / items_;
    const int64_t at_once = units * (a_unit > 1 ? a_unit : 1);
    return groups > at_once && 2 * groups < 3 * at_once;
}

void gbl_band_arguments(const gbl_matrix_call *call, const gbl_band *band, struct band_args *args)
{
    memset(args, 0, sizeof *args);
    args->m = band->m;
    args->n = band->n;
    args->kl = band->kl;
    args->ku = band->ku;
    args->lda = call->lda;
    args->incx = band->in_place ? 1 : call->incx;
    args->incy = band->in_place ? call->incx : call->incy;
    args->outputs = band->outputs;
    args->alpha_re = call->alpha.re;
    args->alpha_im = call->alpha.im;
    args->beta_re = call->beta.re;
    args->beta_im = call->beta.im;
    args->alpha_on_device = call->alpha.device != NULL;
    args->beta_on_device = call->beta.device != NULL;
}

/* ---- launches ---- */

void gbl_band_save_kernel(gbl_dtype dtype, gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, "band_save.cl", dtype);
    gbl_kernel_add_macro(spec, "ITEMS", SAVE_ITEMS);
}

/* A contiguous copy of all of x. */
static gable_status copy_x(gable_context *ctx, const gbl_variant *self, const gbl_matrix_call *call,
                           const gbl_band *band, void **x)
{
    const size_t bytes = (size_t)band->inputs * gbl_dtype_bytes(call->dtype);
    TRY(gbl_arena_take(ctx->arena, ctx->device, bytes, x, &ctx->message));
    const gbl_vector_call copy = {.dtype = call->dtype,
                                  .n = band->inputs,
                                  .x = call->x,
                                  .incx = call->incx,
                                  .y = *x,
                                  .incy = 1};
    return gbl_copy(ctx, gbl_band_routine_of(self)->matrix.stem, &copy);
}

/* What groups need of their neighbours' elements: a copy of all of x would be half of the time of a
 * narrow band. */
gable_status gbl_band_save(gable_context *ctx, const gbl_matrix_call *call, const gbl_band *band,
                           const struct band_args *args, int64_t groups, void **x)
{
    const int64_t saved = groups * (band->kl + band->ku);
    void *const first = *x;
    gbl_kernel_spec spec;
    gbl_kernel *kernel;
    if (saved == 0)
        return GABLE_OK; /* x stays an address that is not read */
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)saved * gbl_dtype_bytes(call->dtype), x,
                       &ctx->message));
    gbl_band_save_kernel(call->dtype, &spec);
    TRY(gbl_kernel_get(ctx->device, &spec, &kernel, &ctx->message));
    gbl_launch_spec launch = {.groups = {gbl_parts(saved, SAVE_ITEMS), 1},
                              .group = {SAVE_ITEMS, 1},
                              .buffer_count = 2,
                              .buffers = {first, *x},
                              .args = args,
                              .args_bytes = sizeof *args};
    return gbl_launch(ctx, kernel, &launch);
}

gable_status gbl_band_launch(gable_context *ctx, const gbl_variant *self,
                             const gbl_matrix_call *call, const gbl_band *band,
                             const gbl_band_groups *of)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    void *x = gbl_first_element(call->x, band->inputs, call->incx, call->dtype);
    void *y =
        band->in_place ? x : gbl_first_element(call->y, band->outputs, call->incy, call->dtype);
    if (of->saves)
        TRY(gbl_band_save(ctx, call, band, of->args, of->groups, &x));
    else if (band->in_place)
        TRY(copy_x(ctx, self, call, band, &x));
    const char *A = (const char *)call->A + (size_t)band->before * elem;
    gbl_launch_spec launch = {
        .groups = {of->groups, 1},
        .group = {of->items, 1},
        .buffer_count = 5,
        .buffers = {gbl_scalar_buffer(&call->alpha, call->A),
                    gbl_scalar_buffer(&call->beta, call->A), A, x, y},
        .args = of->args,
        .args_bytes = sizeof *of->args,
    };
    return gbl_launch(ctx, of->kernel, &launch);
}

void gbl_band_cost(const gbl_matrix_call *call, const gbl_band *band, int64_t groups, int32_t items,
                   gbl_cost *out)
{
    const double elem = (double)gbl_dtype_bytes(call->dtype);
    gbl_work work;
    gbl_band_work(call, band, &work);
    memset(out, 0, sizeof *out);
    out->memory_bytes = work.bytes_read + work.bytes_written;
    out->flops = work.flops;
    out->launches = band->in_place ? 2 : 1;
    out->groups = (double)groups;
    out->group_items = items;
    out->cache_bytes = elem * (double)groups * (double)(band->kl + band->ku + 1);
}

void gbl_band_macros(const gbl_band *band, gbl_kernel_spec *spec)
{
    gbl_kernel_add_macro(spec, "SIDES", band->sides);
    gbl_kernel_add_macro(spec, "CONJ", band->conj);
    gbl_kernel_add_macro(spec, "DIAGONAL", band->diagonal);
    gbl_kernel_add_macro(spec, "SCALED", !band->in_place);
}
