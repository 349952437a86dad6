/* kernel_plan.c: what the plans of kernels share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/kernel_plan.h"
#include <string.h>

scalars_args gbl_scalars(const gbl_scalar *alpha, const gbl_scalar *beta)
{
    return (scalars_args){.alpha_re = alpha->re,
                          .alpha_im = alpha->im,
                          .beta_re = beta->re,
                          .beta_im = beta->im,
                          .alpha_on_device = alpha->device != NULL,
                          .beta_on_device = beta->device != NULL};
}

/* STATIC_BYTES: what CUDA gives a group without asking. OpenCL's CPUs say more, which is their
 * cache's. */
#define STATIC_BYTES 49152
#define FEW_BYTES    64 /* flags, totals */

int64_t gbl_own_local_bytes(const gbl_props *props)
{
    const int64_t taken = props->max_dynamic_local_bytes > 0 ? 0 : GBL_COMPILER_BYTES,
                  room = (int64_t)props->max_local_bytes - taken;
    return props->max_local_bytes > 0 && room < STATIC_BYTES ? room : STATIC_BYTES;
}

int64_t gbl_launch_local_bytes(const gbl_props *props)
{
    return props->max_dynamic_local_bytes > 0 ? (int64_t)props->max_dynamic_local_bytes
                                              : gbl_own_local_bytes(props);
}

int64_t gbl_scratch_bytes(const gbl_props *props)
{
    const int64_t room = gbl_own_local_bytes(props) - FEW_BYTES;
    return room < GBL_SCRATCH_BYTES ? room : GBL_SCRATCH_BYTES;
}

int32_t gbl_column_alignment(int32_t align, const void *A, int64_t lda, int64_t columns,
                             gbl_dtype dtype, int64_t *head)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    const uintptr_t start = (uintptr_t)A, apart = (uintptr_t)lda * elem;
    for (; (size_t)align > elem; align /= 2) {
        if (columns > 1 && apart % (uintptr_t)align != 0)
            continue;
        for (int64_t h = 0; h < align / (int64_t)elem; h++) {
            if ((start + (uintptr_t)h * elem) % (uintptr_t)align == 0) {
                *head = h;
                return align;
            }
        }
    }
    *head = 0;
    return (int32_t)(start % elem == 0 ? elem : gbl_dtype_real_bytes(dtype));
}

gbl_matrix_args gbl_stored_columns(const gbl_matrix_args *call)
{
    gbl_matrix_args stored = *call;
    if (call->storage == GBL_BAND) {
        const int64_t first = call->uplo == GABLE_UPPER ? call->ku : 0;
        stored.A = (char *)call->A + first * (int64_t)gbl_dtype_bytes(call->dtype);
        stored.lda = call->lda - 1;
    } else if (call->storage == GBL_PACKED) {
        stored.lda = call->n;
    }
    return stored;
}

void gbl_storage_macro(const gbl_matrix_args *call, gbl_kernel_spec *spec)
{
    if (call->storage != GBL_FULL)
        gbl_kernel_add_macro(spec, "STORAGE", call->storage);
}

/* That of single elements. */
static int32_t single_alignment(const gbl_matrix_args *call, int64_t *head)
{
    return gbl_column_alignment(0, call->A, 0, 0, call->dtype, head);
}

void gbl_columns_align(const gbl_matrix_args *call, gbl_column_loads *loads)
{
    const int32_t whole = loads->vec * (int32_t)gbl_dtype_bytes(call->dtype),
                  widest = whole < GBL_WIDEST_LOAD ? whole : GBL_WIDEST_LOAD;
    loads->align =
        gbl_column_alignment(widest, call->A, call->lda, call->n, call->dtype, &loads->head);
    loads->alike = loads->align >= widest;
    if (call->storage == GBL_PACKED) { /* each column starts in its own way */
        loads->align = single_alignment(call, &loads->head);
        loads->alike = false;
    }
}

void gbl_columns_spread(const gbl_matrix_args *call, gbl_column_loads *loads)
{
    loads->spread = !loads->alike;
    if (loads->spread || loads->vec == 1)
        loads->align = single_alignment(call, &loads->head);
}

void gbl_product_loads(const gbl_matrix_args *call, const gbl_device *device, int32_t batch,
                       int32_t most, gbl_column_loads *loads)
{
    if (!loads->alike && device->props.is_gpu && call->trans == GABLE_NO_TRANS) {
        loads->unroll = loads->unroll * loads->vec > most ? most / loads->vec : loads->unroll;
        loads->spread = true;
    } else if (!loads->alike && device->props.is_gpu) {
        loads->unroll *= loads->unroll * loads->vec * batch <= most ? loads->vec : 1;
        loads->vec = 1;
    }
    if (loads->spread || loads->vec == 1)
        loads->align = single_alignment(call, &loads->head);
    if (loads->head > call->m)
        loads->head = call->m;
    loads->vectors = (call->m - loads->head) / loads->vec;
}

gable_status gbl_plan_kernel(gable_context *ctx, const gbl_variant *self, const void *call,
                             const gbl_params *params, int items, gbl_plan_function make,
                             void *plan, gbl_kernel **kernel)
{
    gbl_params narrower = *params;
    gbl_kernel_spec spec;
    for (int32_t most = INT32_MAX;;) {
        const int32_t group = make(self, call, &narrower, ctx->device, most, plan, &spec);
        TRY(gbl_kernel_get(ctx->device, &spec, kernel, &ctx->message));
        if (gbl_kernel_takes(*kernel, group))
            return GABLE_OK;
        if (group > most || group <= 1) /* it has no smaller ones */
            return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED,
                            "%s cannot run %s in groups of %d, and it has no smaller ones",
                            ctx->device->info.name, (*kernel)->entry, (int)group);
        most = narrower.value[items] = group / 2;
    }
}

void gbl_kernel_begin(gbl_kernel_spec *spec, const char *file, gbl_dtype dtype)
{
    memset(spec, 0, sizeof *spec);
    spec->file = file;
    spec->dtype = dtype;
}

void gbl_kernel_add_macro(gbl_kernel_spec *spec, const char *name, int32_t value)
{
    if (spec->macro_count < GBL_MAX_MACROS) {
        spec->macros[spec->macro_count].name = name;
        spec->macros[spec->macro_count].value = value;
    }
    spec->macro_count++; /* one too many is refused by gbl_kernel_get */
}

void gbl_columns_macros(int32_t items, int32_t wx, const gbl_column_loads *loads,
                        gbl_kernel_spec *spec)
{
    gbl_kernel_add_macro(spec, "ITEMS", items);
    gbl_kernel_add_macro(spec, "WX", wx);
    gbl_kernel_add_macro(spec, "VEC", loads->vec);
    gbl_kernel_add_macro(spec, "UNROLL", loads->unroll);
    gbl_kernel_add_macro(spec, "ALIGN", loads->align);
}
