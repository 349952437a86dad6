/* described_call.c: a small legal call of any op, made from its description.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "described_call.h"
#include "lapack/lapack.h"

#define WRITTEN_BEFORE (-7.5)
#define ALIGNMENT      64

static gbl_dtype dtype_of(const described_call *made)
{
    return ((const gbl_call *)(const void *)made->call)->dtype;
}

static void put_integer(described_call *made, uint16_t at, int64_t value)
{
    if (at != 0)
        memcpy(made->call + at, &value, sizeof value);
}

static void put_flag(described_call *made, uint16_t at, int value)
{
    memcpy(made->call + at, &value, sizeof value);
}

/* What a family of calls has beside its operands: scalars that are never 0, strides within
 * columns. */
static void put_family(described_call *made, gbl_dtype dtype)
{
    const gbl_scalar alpha = {.re = 2}, beta = {.re = 3};
    if (made->op->layout == &gbl_vector_layout) {
        gbl_vector_call *call = (gbl_vector_call *)(void *)made->call;
        *call = (gbl_vector_call){.dtype = dtype, .incx = 1, .alpha = alpha, .beta = beta};
    } else if (made->op->layout == &gbl_product_layout) {
        gbl_product_call *call = (gbl_product_call *)(void *)made->call;
        /* laswp: from the first row on, pivots side by side; gehrd and its Q: all columns. */
        *call = (gbl_product_call){.dtype = dtype,
                                   .k = 1,
                                   .stride_b = 1,
                                   .ilo = 1,
                                   .ihi = DESCRIBED_SIZE,
                                   .alpha = alpha,
                                   .beta = beta};
    } else {
        gbl_matrix_call *call = (gbl_matrix_call *)(void *)made->call;
        *call = (gbl_matrix_call){.dtype = dtype, .alpha = alpha, .beta = beta};
    }
}

static void put_operand(described_call *made, const gbl_operand *operand, described_flags *flags)
{
    switch (operand->kind) {
    case GBL_TRANS:
        put_flag(made, operand->at, (int)flags->trans);
        flags->trans = GABLE_NO_TRANS;
        break;
    case GBL_UPLO:
        put_flag(made, operand->at, GABLE_LOWER);
        break;
    case GBL_DIAG:
        put_flag(made, operand->at, (int)flags->diag);
        break;
    case GBL_SIDE:
        put_flag(made, operand->at, GABLE_LEFT);
        break;
    case GBL_NORM:
        put_flag(made, operand->at, GABLE_INF_NORM);
        break;
    case GBL_VECT:
        put_flag(made, operand->at, GABLE_VECT_Q);
        break;
    case GBL_JOB: /* the last that is legal: with vectors, in places of their own */
        for (int job = GABLE_NO_VECTORS; job < GABLE_OVERWRITE; job++)
            if (gbl_is_legal_job(operand, job))
                put_flag(made, operand->at, job);
        break;
    case GBL_RANGE:
        put_flag(made, operand->at, GABLE_RANGE_ALL);
        break;
    case GBL_SIZE:
    case GBL_ORDER:
        put_integer(made, operand->at, DESCRIBED_SIZE);
        put_integer(made, operand->step, DESCRIBED_SIZE);
        break;
    case GBL_WIDTH:
        put_integer(made, operand->at, DESCRIBED_WIDTH);
        put_integer(made, operand->step, DESCRIBED_WIDTH);
        break;
    case GBL_BATCH:
        put_integer(made, operand->at, DESCRIBED_BATCH);
        break;
    case GBL_CONSTANT:
        made->call[operand->at] = operand->value;
        break;
    default: /* addresses and what belongs to them come later; the rest stays 0 */
        break;
    }
}

/* Memory for an address, or for scalars that are several: those lie on the device. */
static void take_place(described_call *made, int i)
{
    const gbl_operand *operand = &made->op->operands[i];
    if (!gbl_is_address(operand) && !(operand->kind == GBL_SCALAR && operand->rows != NULL))
        return;
    const int64_t rows = operand->rows != NULL ? operand->rows(made->call) : 1;
    const int64_t columns = operand->columns != NULL ? operand->columns(made->call) : 1;
    const int64_t batch = operand->apart != 0 ? DESCRIBED_BATCH : 1;
    if (operand->kind == GBL_VECTOR)
        put_integer(made, operand->step, 1);
    if (operand->kind == GBL_MATRIX)
        put_integer(made, operand->step, rows);
    put_integer(made, operand->apart, rows * columns);
    made->place[i].offset = made->bytes;
    made->place[i].count = rows * columns * batch;
    const size_t bytes = (size_t)made->place[i].count * gbl_operand_element(operand, made->call);
    made->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void described_make(const gbl_op *op, described_flags flags, described_call *made)
{
    memset(made, 0, sizeof *made);
    made->op = op;
    put_family(made, gbl_op_has(op, GBL_D) ? GBL_D : GBL_S);
    for (int i = 0; i < op->operand_count; i++)
        put_operand(made, &op->operands[i], &flags);
    for (int i = 0; i < op->operand_count; i++)
        take_place(made, i);
}

void described_place(described_call *made, void *memory)
{
    for (int i = 0; i < made->op->operand_count; i++) {
        void *address = (char *)memory + made->place[i].offset;
        if (made->place[i].count > 0)
            memcpy(made->call + made->op->operands[i].at, &address, sizeof address);
    }
}

/* No two operands hold the same. Parameters of rotations start with a flag, -1. */
static double value_of(const described_call *made, int operand, int64_t i)
{
    const gbl_operand *of = &made->op->operands[operand];
    if (of->access == GBL_WRITE)
        return WRITTEN_BEFORE;
    if (of->kind == GBL_MATRIX || of->kind == GBL_NUMBERS)
        return (i + operand) * 7 % 3 == 0 ? -1 : 1;
    if (of->kind == GBL_SCALAR)
        return i == 0 ? -1 : (double)(1 + i % 3);
    return (double)(1 + (i + operand) % 5);
}

void described_fill(const described_call *made, void *image)
{
    memset(image, 0, made->bytes);
    for (int i = 0; i < made->op->operand_count; i++) {
        char *at = (char *)image + made->place[i].offset;
        for (int64_t k = 0; k < made->place[i].count; k++) {
            /* Pivots: all rows are exchanged with the last one. */
            if (made->op->operands[i].element == gbl_info_element) {
                ((int64_t *)(void *)at)[k] = made->place[i].count;
                continue;
            }
            const double value = value_of(made, i, k);
            if (dtype_of(made) == GBL_D)
                ((double *)(void *)at)[k] = value;
            else
                ((float *)(void *)at)[k] = (float)value;
        }
    }
}

double described_get(const described_call *made, const void *image, size_t i)
{
    return dtype_of(made) == GBL_D ? ((const double *)image)[i] : ((const float *)image)[i];
}
