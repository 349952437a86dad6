/* roofs_arithmetic.c: multiply-adds per second, of the plain and of the matrix units.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/roofs/muladd.cl in s and d, the fastest of a few shapes; on cpu its twin in C. A complex
 * multiply-add is four real ones, so c and z take the rates of s and d. Matrix units are measured
 * in double where the device has them (kernels/sm90/dmma.cu), those of warpgroups in TF32
 * (kernels/sm90/tf32.cu).
 */
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "cpu/cpu_kernels.h"
#include "model/roofs_private.h"

#define MMA_LANES  32
#define MMA_CHAINS 8
#define MMA_ITEMS  256
#define MMA_GROUPS 2  /* per unit */
#define MMA_FIRST  80 /* sm_80: the first with matrix units in double */

#define TF32_LANES  128
#define TF32_CHAINS 16
#define TF32_ITEMS  256
#define TF32_GROUPS 1 /* per unit */

/* A shape of muladd.cl. On CPUs as many chains as their vector registers and latencies ask for. */
typedef struct shape {
    int32_t items, groups /* per unit */, chains, meet;
} shape;
static const shape gpu_shapes[] = {{256, 8, 8, 0}, {256, 4, 16, 0}};
static const shape cpu_shapes[] = {{64, 1, 4, 1}, {1, 1, 16, 0}};
#define SHAPES 2

/* What measures matrix units. */
typedef struct matrix_units {
    const char *file;
    gbl_dtype dtype; /* of what it reads */
    int32_t items, groups /* per unit */, chains;
    double flops; /* of a work-item, in a chain of a round */
} matrix_units;
static const matrix_units in_double = {"dmma.cu",  GBL_D,      MMA_ITEMS,
                                       MMA_GROUPS, MMA_CHAINS, (double)ROOF_MMA_FLOPS / MMA_LANES};
static const matrix_units in_tf32 = {
    "tf32.cu", GBL_S, TF32_ITEMS, TF32_GROUPS, TF32_CHAINS, (double)ROOF_TF32_FLOPS / TF32_LANES};

typedef struct rate_work {
    shape shape; /* as the device takes it */
    gbl_dtype dtype;
    double flops;                      /* of a round */
    const struct matrix_units *matrix; /* NULL: the plain ones */
} rate_work;

/* So many groups per unit, if there is room for what they write. */
static int64_t groups_of(const gbl_probe *probe, int32_t a_unit, int32_t items)
{
    const int units = probe->ctx->device->props.units;
    const int64_t groups = (int64_t)a_unit * (units > 0 ? units : 1);
    const int64_t most = (int64_t)(probe->out_bytes / sizeof(double)) / items;
    return groups < most ? groups : most;
}

static gable_status cpu_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    const rate_work *of = what;
    const gbl_cpu_muladd_args args = {rounds, -0x1p-30, probe->out};
    return gbl_task(probe->ctx, "muladd", of->dtype == GBL_S ? gbl_cpu_smuladd : gbl_cpu_dmuladd,
                    &args, sizeof args);
}

static gbl_probe_launch launch_of(const gbl_probe *probe, const rate_work *of, int64_t rounds)
{
    const bool single = of->dtype == GBL_S;
    return (gbl_probe_launch){
        .file = of->matrix ? of->matrix->file : "muladd.cl",
        .dtype = of->dtype,
        .macros = {{"WX", of->matrix ? of->matrix->items : of->shape.items},
                   {"CHAINS", of->matrix ? of->matrix->chains : of->shape.chains},
                   {of->matrix ? NULL : "MEET", of->matrix ? 0 : of->shape.meet}},
        .groups = of->matrix ? groups_of(probe, of->matrix->groups, of->matrix->items)
                             : groups_of(probe, of->shape.groups, of->shape.items),
        .items = of->matrix ? of->matrix->items : of->shape.items,
        .buffers = {single ? (const void *)probe->floats : probe->doubles, probe->out},
        .buffer_count = 2,
        .args = {.rounds = rounds},
    };
}

static gable_status kernel_rounds(gbl_probe *probe, const void *what, int64_t rounds)
{
    const gbl_probe_launch launch = launch_of(probe, what, rounds);
    return gbl_probe_enqueue(probe, &launch);
}

/* A work of a shape, in more and smaller groups where the device takes no larger ones. */
static gable_status plan_work(gbl_probe *probe, const shape *wanted, gbl_dtype dtype,
                              rate_work *work)
{
    *work = (rate_work){.shape = *wanted, .dtype = dtype};
    if (probe->ctx->device->props.is_host)
        return GABLE_OK;
    const gbl_probe_launch launch = launch_of(probe, work, 1);
    TRY(gbl_probe_fit(probe, &launch, &work->shape.items));
    work->shape.groups *= wanted->items / work->shape.items;
    return GABLE_OK;
}

static gable_status measure_rate(gbl_probe *probe, rate_work *work, double *rate)
{
    const bool is_host = probe->ctx->device->props.is_host;
    double seconds = 0;
    TRY(gbl_probe_seconds(probe, is_host ? cpu_rounds : kernel_rounds, work, 256, &seconds));
    if (is_host) { /* flops of the last run over its rounds: asked for one round */
        struct gbl_cpu_muladd_result *result = probe->out;
        TRY(cpu_rounds(probe, work, 1));
        work->flops = result->flops;
    } else if (work->matrix) {
        const matrix_units *units = work->matrix;
        work->flops = (double)groups_of(probe, units->groups, units->items) * units->items *
                      units->chains * units->flops;
    } else {
        work->flops = (double)groups_of(probe, work->shape.groups, work->shape.items) *
                      work->shape.items * work->shape.chains * ROOF_STEPS * 2;
    }
    if (work->flops / seconds > *rate)
        *rate = work->flops / seconds;
    return GABLE_OK;
}

static bool has_matrix_units(const gbl_device *device, const matrix_units *units)
{
    const char *arch = device->info.arch;
    if (units == &in_tf32)
        return strcmp(arch, "sm_90a") == 0;
    return strncmp(arch, "sm_", 3) == 0 && atoi(arch + 3) >= MMA_FIRST;
}

/* The rate of matrix units; 0 where there are none. */
static gable_status measure_matrix(gbl_probe *probe, const matrix_units *units, double *rate)
{
    rate_work work = {.dtype = units->dtype, .matrix = units};
    *rate = 0;
    return has_matrix_units(probe->ctx->device, units) ? measure_rate(probe, &work, rate)
                                                       : GABLE_OK;
}

static gable_status launch_matrix(gbl_probe *probe, const matrix_units *units)
{
    const rate_work work = {.dtype = units->dtype, .matrix = units};
    return has_matrix_units(probe->ctx->device, units) ? kernel_rounds(probe, &work, 1) : GABLE_OK;
}

static const shape *shapes_of(const gbl_probe *probe)
{
    return probe->ctx->device->props.is_gpu ? gpu_shapes : cpu_shapes;
}

gable_status gbl_measure_arithmetic(gbl_probe *probe, gbl_roofs *roofs)
{
    const gbl_props *props = &probe->ctx->device->props;
    for (int dtype = GBL_S; dtype <= GBL_D; dtype++) {
        roofs->flops[dtype] = 0;
        for (int i = 0; i < (props->is_host ? 1 : SHAPES); i++) {
            rate_work work;
            TRY(plan_work(probe, &shapes_of(probe)[i], (gbl_dtype)dtype, &work));
            TRY(measure_rate(probe, &work, &roofs->flops[dtype]));
        }
    }
    roofs->flops[GBL_C] = roofs->flops[GBL_S];
    roofs->flops[GBL_Z] = roofs->flops[GBL_D];
    TRY(measure_matrix(probe, &in_double, &roofs->matrix_flops));
    return measure_matrix(probe, &in_tf32, &roofs->tf32_flops);
}

gable_status gbl_launch_arithmetic(gbl_probe *probe)
{
    for (int dtype = GBL_S; dtype <= GBL_D; dtype++) {
        for (int i = 0; i < SHAPES; i++) {
            rate_work work;
            TRY(plan_work(probe, &shapes_of(probe)[i], (gbl_dtype)dtype, &work));
            TRY(kernel_rounds(probe, &work, 1));
        }
    }
    TRY(launch_matrix(probe, &in_double));
    return launch_matrix(probe, &in_tf32);
}
