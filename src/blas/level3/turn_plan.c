/* turn_plan.c: how transpose and geam lay out their kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each side of a turned tile is wide or not by itself: reads are where the columns of X start alike
 * modulo 16 bytes, writes where those of C do. Two matrices on one side must also start alike with
 * each other.
 */
#include <string.h>
#include "blas/level2/level2.h"
#include "blas/kernel_plan.h"
#include "blas/level1/stream_plan.h"
#include "blas/level3/turn_plan.h"

_Static_assert(sizeof(turn_args) == 16 * 8, "host and device must agree");
_Static_assert(sizeof(plane_args) == 15 * 8, "host and device must agree");

#define WIDEST_ACCESS   16                 /* bytes that one instruction of today's devices takes */
#define MOST_ITEM_BYTES 512                /* of a tile per work-item, in registers */
#define MOST_BLOCKS     (INT64_C(1) << 30) /* tiles are numbered in 32 bits */

static const int32_t items[] = {1, 32, 64, 128, 256, 512};
static const int32_t tiles[] = {8, 16, 32, 64};
static const int32_t vectors[] = {1, 2, 4};
static const int32_t groups_a_unit[] = {0, 1, 2, 3, 4, 5, 6, 8, 12};
static const int32_t strips[] = {0, 1, 2, 4, 8, 16, 32};
static const int32_t widths[] = {1, 4, 8, 16, 32, 64, 128, 256, 512};
static const int32_t unrolls[] = {1, 2, 4, 8};

const gbl_param gbl_turn_space[TURN_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "tile", GBL_VALUES(tiles), .fallback = 64},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 4},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 0},
    {.name = "strip", GBL_VALUES(strips), .fallback = 4},
};
const gbl_param gbl_plane_space[PLANE_PARAMS] = {
    {.name = "items", GBL_VALUES(items), .fallback = 256},
    {.name = "wx", GBL_VALUES(widths), .fallback = 128},
    {.name = "vec", GBL_VALUES(vectors), .fallback = 4},
    {.name = "unroll", GBL_VALUES(unrolls), .fallback = 2},
    {.name = "groups", GBL_VALUES(groups_a_unit), .fallback = 0},
};

/* How one side is accessed. */
typedef struct side {
    int32_t vec, align;
    int64_t head; /* rows above the first aligned one */
} side;

static int32_t single_alignment(const gbl_turn_matrix *matrix, gbl_dtype dtype)
{
    const uintptr_t elem = gbl_dtype_bytes(dtype);
    return (int32_t)((uintptr_t)matrix->at % elem == 0 ? elem : gbl_dtype_real_bytes(dtype));
}

/* `count` matrices with so many columns that are accessed side by side: wide where all of them can
 * be. */
static side side_of(const gbl_turn_matrix *matrices, int count, int64_t columns, int32_t vec,
                    gbl_dtype dtype)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(dtype);
    while (vec > 1 && vec * elem > WIDEST_ACCESS)
        vec /= 2;
    side s = {vec, vec * elem, 0}, single = {1, elem, 0};
    bool wide = vec > 1, first = true;
    for (int i = 0; i < count; i++) {
        int64_t head;
        if (matrices[i].at == NULL)
            continue;
        const int32_t align = single_alignment(&matrices[i], dtype);
        single.align = align < single.align ? align : single.align;
        wide = wide && gbl_column_alignment(s.align, matrices[i].at, matrices[i].ld, columns, dtype,
                                            &head) == s.align;
        wide = wide && (first || head == s.head);
        if (wide)
            s.head = head;
        first = false;
    }
    return wide ? s : single;
}

/* ---- tiles ---- */

bool gbl_turn_fits(int64_t m, int64_t n)
{
    return gbl_parts(m, tiles[0]) < MOST_BLOCKS / (gbl_parts(n, tiles[0]) + 1);
}

static int64_t tile_bytes(int32_t tile, gbl_dtype dtype)
{
    return (int64_t)tile * (tile + 1) * (int64_t)gbl_dtype_bytes(dtype);
}

/* The tunables where they are possible together; the tile before shifts. */
static void plan_shape(gbl_dtype dtype, const gbl_params *params, const gbl_device *device,
                       gbl_turn_plan *plan)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(dtype);
    memset(plan, 0, sizeof *plan);
    plan->items = params->value[TURN_ITEMS];
    plan->tile = params->value[TURN_TILE];
    while (plan->tile > 8 && tile_bytes(plan->tile, dtype) > gbl_own_local_bytes(&device->props))
        plan->tile /= 2;
    while (plan->items > 1 && plan->tile > 8 &&
           plan->tile * plan->tile * elem > plan->items * MOST_ITEM_BYTES)
        plan->tile /= 2;
}

/* Work-items without a vector would idle. */
static void plan_items(gbl_turn_plan *plan)
{
    const int32_t widest = plan->x_vec > plan->c_vec ? plan->x_vec : plan->c_vec;
    while (plan->items > plan->tile * plan->tile / widest)
        plan->items /= 2;
}

void gbl_turn_make(gbl_dtype dtype, int64_t m, int64_t n, gbl_turn_matrix X, gbl_turn_matrix with_x,
                   gbl_turn_matrix C, gbl_turn_matrix with_c, const gbl_params *params,
                   const gbl_device *device, bool ahead, gbl_turn_plan *plan)
{
    const gbl_turn_matrix read[] = {X, with_x}, written[] = {C, with_c};
    plan_shape(dtype, params, device, plan);
    const side x = side_of(read, 2, m, params->value[TURN_VEC], dtype);
    const side c = side_of(written, 2, n, params->value[TURN_VEC], dtype);
    plan->x_vec = x.vec;
    plan->x_align = x.align;
    plan->c_vec = c.vec;
    plan->c_align = c.align;
    plan_items(plan);

    turn_args *args = &plan->args;
    args->m = m;
    args->n = n;
    args->ldx = X.ld;
    args->ldc = C.ld;
    args->before_x = (x.vec - x.head) % x.vec;
    args->before_c = (c.vec - c.head) % c.vec;
    args->across = gbl_parts(m + args->before_c, plan->tile);
    args->down = gbl_parts(n + args->before_x, plan->tile);
    const int64_t strip = params->value[TURN_STRIP];
    args->strip = strip > 0 && strip < args->across ? strip : args->across;
    plan->tiles = args->across * args->down;
    const int64_t most = (int64_t)params->value[TURN_GROUPS] * device->props.units;
    plan->groups = ahead && most > 0 && most < plan->tiles ? most : plan->tiles;
}

void gbl_turn_make_in_place(gbl_dtype dtype, int64_t n, gbl_turn_matrix A, const gbl_params *params,
                            const gbl_device *device, gbl_turn_plan *plan)
{
    plan_shape(dtype, params, device, plan);
    const side s = side_of(&A, 1, n, params->value[TURN_VEC], dtype);
    plan->x_vec = plan->c_vec = s.vec;
    plan->x_align = plan->c_align = s.align;
    plan_items(plan);
    turn_args *args = &plan->args;
    args->m = args->n = n;
    args->ldx = args->ldc = A.ld;
    args->before_x = args->before_c = (s.vec - s.head) % s.vec;
    args->across = args->down = gbl_parts(n + args->before_x, plan->tile);
    plan->groups = plan->tiles = args->across * (args->across + 1) / 2;
}

void gbl_turn_kernel(const char *file, gbl_dtype dtype, const gbl_turn_plan *plan, bool conj,
                     gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, file, dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "TILE", plan->tile);
    gbl_kernel_add_macro(spec, "X_VEC", plan->x_vec);
    gbl_kernel_add_macro(spec, "C_VEC", plan->c_vec);
    gbl_kernel_add_macro(spec, "X_ALIGN", plan->x_align);
    gbl_kernel_add_macro(spec, "C_ALIGN", plan->c_align);
    gbl_kernel_add_macro(spec, "CONJ_X", conj && gbl_dtype_complex(dtype));
}

void gbl_turn_cost(const gbl_turn_plan *plan, gbl_dtype dtype, const gbl_work *least,
                   gbl_cost *cost)
{
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least->bytes_read + least->bytes_written;
    cost->flops = least->flops;
    cost->launches = 1;
    cost->steps = GBL_LOCAL_STEPS;
    cost->groups = (double)plan->groups;
    cost->group_items = plan->items;
    cost->bytes_in_flight = (double)plan->tile * plan->tile * (double)gbl_dtype_bytes(dtype);
}

/* ---- planes ---- */

/* Columns that follow each other without gaps are one. */
static bool is_one_column(gbl_turn_matrix matrix, int64_t m)
{
    return matrix.at == NULL || matrix.ld == m;
}

void gbl_plane_make(gbl_dtype dtype, int64_t m, int64_t n, gbl_turn_matrix A, gbl_turn_matrix B,
                    gbl_turn_matrix C, const gbl_params *params, const gbl_device *device,
                    gbl_plane_plan *plan)
{
    const gbl_turn_matrix all[] = {A, B, C};
    memset(plan, 0, sizeof *plan);
    if (is_one_column(A, m) && is_one_column(B, m) && is_one_column(C, m)) {
        m *= n;
        n = 1;
    }
    const side s = side_of(all, 3, n, params->value[PLANE_VEC], dtype);
    plan->items = params->value[PLANE_ITEMS];
    plan->wx = params->value[PLANE_WX] < plan->items ? params->value[PLANE_WX] : plan->items;
    plan->vec = s.vec;
    plan->align = s.align;
    plan->unroll = params->value[PLANE_UNROLL];
    plane_args *args = &plan->args;
    args->m = m;
    args->n = n;
    args->lda = A.ld;
    args->ldb = B.ld;
    args->ldc = C.ld;
    args->head = s.head < m ? s.head : m;
    args->vectors = (m - args->head) / s.vec;
    const int64_t pieces = args->vectors + m - args->vectors * s.vec;
    if (n == 1)
        plan->wx = plan->items;
    while (n > 1 && plan->wx > 1 && plan->wx / 2 * plan->unroll >= pieces)
        plan->wx /= 2; /* more work-items than pieces would idle */
    args->down = gbl_parts(pieces, (int64_t)plan->wx * plan->unroll);
    args->blocks = args->down * gbl_parts(n, plan->items / plan->wx);
    const int64_t most = (int64_t)params->value[PLANE_GROUPS] * device->props.units;
    plan->groups = most > 0 && most < args->blocks ? most : args->blocks;
}

void gbl_plane_kernel(const char *file, gbl_dtype dtype, const gbl_plane_plan *plan,
                      gbl_kernel_spec *spec)
{
    gbl_kernel_begin(spec, file, dtype);
    gbl_kernel_add_macro(spec, "ITEMS", plan->items);
    gbl_kernel_add_macro(spec, "WX", plan->wx);
    gbl_kernel_add_macro(spec, "VEC", plan->vec);
    gbl_kernel_add_macro(spec, "UNROLL", plan->unroll);
    gbl_kernel_add_macro(spec, "ALIGN", plan->align);
}

void gbl_plane_cost(const gbl_plane_plan *plan, gbl_dtype dtype, const gbl_work *least,
                    gbl_cost *cost)
{
    memset(cost, 0, sizeof *cost);
    cost->memory_bytes = least->bytes_read + least->bytes_written;
    cost->flops = least->flops;
    cost->launches = 1;
    cost->groups = (double)plan->groups;
    cost->group_items = plan->items;
    cost->bytes_in_flight =
        (double)plan->items * plan->unroll * plan->vec * (double)gbl_dtype_bytes(dtype);
}
