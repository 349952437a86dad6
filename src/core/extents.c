/* extents.c: how far operands reach in memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/allocations.h"
#include "core/extents.h"
#include "core/recording.h"

/* ---- 63 bits ---- */

bool gbl_extent_fits_exactly(int64_t runs, int64_t pitch, int64_t run, size_t elem_bytes)
{
    const uint64_t step = pitch < 0 ? 0 - (uint64_t)pitch : (uint64_t)pitch;
    uint64_t elements, bytes;
    if (runs <= 0 || run <= 0)
        return true;
    return !__builtin_mul_overflow((uint64_t)runs - 1, step, &elements) &&
           !__builtin_add_overflow(elements, (uint64_t)run, &elements) &&
           !__builtin_mul_overflow(elements, (uint64_t)elem_bytes, &bytes) &&
           bytes <= (uint64_t)INT64_MAX;
}

gable_status gbl_extent_fail(gable_context *ctx, int number, const char *name, int64_t value,
                             const char *what, int64_t runs, int64_t run, size_t elem_bytes)
{
    return gbl_fail_argument(ctx, number, name,
                             "is %lld; %s, which is %lld times %lld elements of %zu bytes so far "
                             "apart, would reach over more than 2^63 - 1 bytes",
                             (long long)value, what, (long long)runs, (long long)run, elem_bytes);
}

/* ---- Making operands ---- */

gbl_extent gbl_extent_matrix(const char *name, int number, gbl_access access, const void *A,
                             int64_t m, int64_t n, int64_t ld, size_t elem_bytes)
{
    gbl_extent operand = {.name = name,
                          .number = number,
                          .access = access,
                          .address = A,
                          .runs = n,
                          .pitch = ld,
                          .run = m,
                          .elem_bytes = elem_bytes};
    if (m <= 0 || n <= 0) {
        operand.runs = 0;
        return operand;
    }
    operand.after = ((size_t)(n - 1) * (size_t)ld + (size_t)m) * elem_bytes;
    if (ld == 0) /* one element again and again */
        operand.runs = 1;
    return operand;
}

gbl_extent gbl_extent_vector(const char *name, int number, gbl_access access, const void *x,
                             int64_t n, int64_t inc, size_t elem_bytes)
{
    const int64_t step = inc < 0 ? (n > 1 ? (int64_t)(0 - (uint64_t)inc) : 1) : inc;
    gbl_extent operand = step == 1
                             ? gbl_extent_matrix(name, number, access, x, n, n > 0, n, elem_bytes)
                             : gbl_extent_matrix(name, number, access, x, 1, n, step, elem_bytes);
    operand.backwards = inc < 0 && n > 1;
    return operand;
}

gbl_extent gbl_extent_scalar(const char *name, int number, const gbl_scalar *scalar, size_t bytes)
{
    return gbl_extent_vector(name, number, GBL_READ, scalar->device, scalar->device != NULL, 1,
                             bytes);
}

gbl_extent gbl_extent_triangle(const char *name, int number, gbl_access access, const void *A,
                               int64_t n, int64_t ld, size_t elem_bytes, gbl_shape shape)
{
    gbl_extent operand = gbl_extent_matrix(name, number, access, A, n, n, ld, elem_bytes);
    operand.shape = shape;
    if (shape == GBL_BELOW_DIAGONAL && n > 0) /* the last column has nothing */
        operand.after = n > 1 ? ((size_t)(n - 2) * (size_t)ld + (size_t)n) * elem_bytes : 0;
    return operand;
}

void gbl_extent_repeat(gbl_extent *operand, int64_t batch, int64_t stride)
{
    const uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    if (operand->before + operand->after == 0) /* nothing, however often: k = 0 */
        return;
    const size_t reach = (size_t)(batch - 1) * (size_t)step * operand->elem_bytes;
    *(stride < 0 ? &operand->before : &operand->after) += reach;
    operand->runs = 0;
}

/* ---- Overlaps ---- */

/* The bytes of run i, counted from the operand's address. */
static void run_bytes(const gbl_extent *operand, int64_t i, int64_t *from, int64_t *to)
{
    int64_t first = 0, end = operand->run;
    if (operand->shape == GBL_UPPER_PART || operand->shape == GBL_ABOVE_DIAGONAL)
        end = i + (operand->shape == GBL_UPPER_PART);
    else if (operand->shape == GBL_LOWER_PART || operand->shape == GBL_BELOW_DIAGONAL)
        first = i + (operand->shape == GBL_BELOW_DIAGONAL);
    end = end < operand->run ? end : operand->run;
    *from = (i * operand->pitch + first) * (int64_t)operand->elem_bytes;
    *to = (i * operand->pitch + end) * (int64_t)operand->elem_bytes;
}

/* Whether a run of the operand meets bytes [from, to), counted from its address. */
static bool meets_bytes(const gbl_extent *operand, int64_t from, int64_t to)
{
    const int64_t elem = (int64_t)operand->elem_bytes;
    const int64_t pitch = operand->pitch * elem, run = operand->run * elem;
    if (to <= 0 || from >= to)
        return false;
    int64_t first = 0, last = operand->runs - 1;
    if (operand->runs > 1) {
        first = from >= run ? (from - run) / pitch + 1 : 0;
        last = (to - 1) / pitch < last ? (to - 1) / pitch : last;
    }
    for (int64_t i = first; i <= last; i++) {
        int64_t begin, end;
        run_bytes(operand, i, &begin, &end);
        if (begin < end && begin < to && from < end)
            return true;
    }
    return false;
}

bool gbl_reaches_meet(const gbl_extent *a, const gbl_extent *b)
{
    const uintptr_t a0 = (uintptr_t)a->address - a->before, a1 = (uintptr_t)a->address + a->after;
    const uintptr_t b0 = (uintptr_t)b->address - b->before, b1 = (uintptr_t)b->address + b->after;
    return a0 < b1 && b0 < a1;
}

bool gbl_extents_meet(const gbl_extent *a, const gbl_extent *b)
{
    if (!gbl_reaches_meet(a, b) || a->runs == 0 || b->runs == 0)
        return false;
    if (a->runs > b->runs) {
        const gbl_extent *other = a;
        a = b;
        b = other;
    }
    /* Both reaches fit 63 bits and meet, so the distance does. */
    const int64_t apart = (int64_t)((uintptr_t)a->address - (uintptr_t)b->address);
    for (int64_t i = 0; i < a->runs; i++) {
        int64_t from, to;
        run_bytes(a, i, &from, &to);
        if (meets_bytes(b, from + apart, to + apart))
            return true;
    }
    return false;
}

static bool same_elements(const gbl_extent *a, const gbl_extent *b)
{
    return a->address == b->address && a->runs == b->runs && a->run == b->run &&
           a->shape == b->shape && a->backwards == b->backwards &&
           (a->runs == 1 || a->pitch == b->pitch);
}

gable_status gbl_extents_overlap(gable_context *ctx, const gbl_extent *operands, int count)
{
    for (int i = 0; i < count; i++) {
        const gbl_extent *output = &operands[i];
        for (int j = 0; j < count && (output->access & GBL_WRITE) != 0; j++) {
            const gbl_extent *other = &operands[j];
            if (j == i || ((other->access & GBL_WRITE) != 0 && j < i) ||
                (output->in_place && same_elements(output, other)) ||
                !gbl_extents_meet(output, other))
                continue;
            return gbl_fail_argument(
                ctx, output->number, output->name,
                "is written and overlaps argument %d (%s): they start at %p and %p", other->number,
                other->name, output->address, other->address);
        }
    }
    return GABLE_OK;
}

/* ---- Allocations ---- */

/* *found is set where the memory is known and alive. */
static gable_status check_reach(gable_context *ctx, const gbl_extent *operand,
                                gbl_allocation *found)
{
    found->start = NULL;
    if (operand->before + operand->after == 0)
        return GABLE_OK;
    gbl_allocation allocation;
    const gbl_known known = gbl_allocations_find(operand->address, &allocation);
    if (known == GBL_UNKNOWN)
        return GABLE_OK;
    CHECK_ARG(ctx, known != GBL_FREED, operand->number, operand->name,
              "is %p, which lies in an allocation of %zu bytes that gable_free has freed",
              operand->address, allocation.bytes);
    const size_t offset = (size_t)((const char *)operand->address - allocation.start);
    const size_t left = allocation.bytes - offset;
    CHECK_ARG(ctx, operand->after <= left, operand->number, operand->name,
              "reaches over %zu bytes from %p on, where its allocation of %zu bytes has %zu left",
              operand->after, operand->address, allocation.bytes, left);
    CHECK_ARG(ctx, operand->before <= offset, operand->number, operand->name,
              "reaches %zu bytes in front of %p, where its allocation of %zu bytes has %zu",
              operand->before, operand->address, allocation.bytes, offset);
    *found = allocation;
    return GABLE_OK;
}

gable_status gbl_extents_check(gable_context *ctx, const gbl_extent *operands, int count)
{
    gbl_allocation found;
    for (int i = 0; i < count; i++)
        TRY(check_reach(ctx, &operands[i], &found));
    if (ctx->debug_check)
        TRY(gbl_extents_overlap(ctx, operands, count));
    for (int i = 0; ctx->recording != NULL && i < count; i++) {
        TRY(check_reach(ctx, &operands[i], &found));
        if (found.start != NULL)
            TRY(gbl_recording_needs(ctx, found.start, found.serial));
    }
    return GABLE_OK;
}
