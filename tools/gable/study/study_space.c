/* study_space.c: the configurations of a study, and what each is for every op.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A configuration is a point of copy's space (src/blas/level1/stream_plan.c). Its number counts the
 * groups fastest: they are an argument of the launch, so that neighbours share a kernel.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "study.h"

#define LINE_BYTES                                                                                 \
    128          /* that gemv's lanes read of a column at once: a cache line of today's GPUs */
#define GRAIN 32 /* rows of the matrix are a multiple, so that all of its columns are aligned */

const char *const study_op_names[STUDY_OPS] = {"copy", "add", "dot", "gemv"};
static const char *const typed_stems[STUDY_OPS] = {"copy", "waxpby", "dot", "gemv"};

/* From the slowest to the fastest. */
static const int digits[STREAM_PARAMS] = {STREAM_LOCAL, STREAM_VEC, STREAM_RANGE, STREAM_UNROLL,
                                          STREAM_GROUPS};

int study_configs_a_kernel(void)
{
    return gbl_stream_space[STREAM_GROUPS].count;
}

int study_config_count(void)
{
    int count = 1;
    for (int i = 0; i < STREAM_PARAMS; i++)
        count *= gbl_stream_space[i].count;
    return count;
}

void study_config(int index, gbl_params *params)
{
    memset(params, 0, sizeof *params);
    for (int d = STREAM_PARAMS - 1; d >= 0; d--) {
        const gbl_param *space = &gbl_stream_space[digits[d]];
        params->value[digits[d]] = space->values[index % space->count];
        index /= space->count;
    }
}

int study_config_find(const gbl_params *params)
{
    int index = 0;
    for (int d = 0; d < STREAM_PARAMS; d++) {
        const gbl_param *space = &gbl_stream_space[digits[d]];
        int at = 0;
        while (at < space->count && space->values[at] != params->value[digits[d]])
            at++;
        if (at == space->count)
            return -1;
        index = index * space->count + at;
    }
    return index;
}

void study_config_text(int index, char text[STUDY_CONFIG_BYTES])
{
    gbl_params params;
    int used = 0;
    study_config(index, &params);
    for (int i = 0; i < STREAM_PARAMS; i++)
        used += snprintf(text + used, (size_t)(STUDY_CONFIG_BYTES - used), "%s%s=%d",
                         i > 0 ? ":" : "", gbl_stream_space[i].name, (int)params.value[i]);
}

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Steps of about the golden section of the number of kernels, without a common divisor with it,
 * visit each once and leave no large part of the space for the end. */
int study_kernel_at(int place)
{
    const int kernels = study_config_count() / study_configs_a_kernel();
    int step = (int)(0.618 * kernels);
    while (step > 1 && common_divisor(kernels, step) != 1)
        step--;
    return (int)((int64_t)place * (step > 0 ? step : 1) % kernels);
}

/* ---- Ops ---- */

int64_t study_matrix_rows(int64_t n)
{
    const int64_t rows = (int64_t)sqrt(2.0 * (double)n) / GRAIN * GRAIN;
    return rows > GRAIN ? rows : GRAIN;
}

void study_case(int op, gbl_dtype dtype, int64_t n, bench_case *what)
{
    bench_wanted wanted;
    memset(what, 0, sizeof *what);
    bench_op_find(typed_stems[op], 1u << dtype, &wanted);
    const int64_t rows = study_matrix_rows(n);
    what->op = wanted.op;
    what->dtype = dtype;
    what->trans = GABLE_NO_TRANS;
    what->m = op == STUDY_GEMV ? rows : 1;
    what->n = op == STUDY_GEMV ? rows : n;
    what->k = what->batch = 1;
}

static const gbl_variant *variant_of(const gbl_op *op, const char *name)
{
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, name) == 0)
            return &op->variants[i];
    return &op->variants[0];
}

/* The largest legal value of a tunable that is not above the one wanted, or the smallest. */
static void set_nearest(gbl_choice *choice, const char *name, int32_t wanted)
{
    const int index = gbl_param_index(choice->variant, name);
    if (index < 0)
        return;
    const gbl_param *space = &choice->variant->space[index];
    int32_t best = space->values[0];
    for (int i = 1; i < space->count; i++) {
        const int32_t value = space->values[i];
        if (best > wanted ? value < best : value <= wanted && value > best)
            best = value;
    }
    choice->params.value[index] = best;
}

static void choose_gemv(const gbl_params *config, gbl_dtype dtype, gbl_choice *choice)
{
    const int32_t groups = config->value[STREAM_GROUPS], local = config->value[STREAM_LOCAL],
                  vec = config->value[STREAM_VEC];
    const int32_t lanes = LINE_BYTES / (vec * (int32_t)gbl_dtype_bytes(dtype));
    gbl_params_fallback(choice->variant, &choice->params);
    set_nearest(choice, "items", local);
    set_nearest(choice, "wx", lanes < local ? lanes : local);
    set_nearest(choice, "vec", vec);
    set_nearest(choice, "unroll", config->value[STREAM_UNROLL]);
    set_nearest(choice, "split", groups != 0);
    if (groups != 0)
        set_nearest(choice, "groups", groups);
}

void study_choice(int op, int config, gbl_dtype dtype, const gbl_device *device, gbl_choice *choice)
{
    bench_case what;
    gbl_params params;
    study_case(op, dtype, 1, &what);
    study_config(config, &params);
    memset(choice, 0, sizeof *choice);
    if (op == STUDY_GEMV) {
        choice->variant = variant_of(what.op->op, "split_n");
        choose_gemv(&params, dtype, choice);
        return;
    }
    choice->variant = variant_of(what.op->op, op != STUDY_DOT              ? "stream"
                                              : device->props.fence_device ? "one_pass"
                                                                           : "two_pass");
    choice->params = params;
}
