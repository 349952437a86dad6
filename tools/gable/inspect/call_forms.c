/* call_forms.c: calls of an op in all the forms that its kernels may be compiled for.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The number of a form is read digit by digit, each digit with a base of its own: one digit for
 * each flag and switch, one for each of the choices that all operands make together.
 */
#include <string.h>
#include "blas/level3/level3.h"
#include "call_forms.h"
#include "sparse/matrix/sparse_matrix.h"

#define ALIGNED   ((uintptr_t)1 << 20) /* addresses are multiples of it, and a little */
#define MANY      100000               /* vectors, or entries of a batch */
#define LONG      100000000
#define ROUND(to) (64 * (((to) + 63) / 64))

/* Rows and columns of matrices: large, within the cache, small and ragged, thin either way. A
 * square takes rows. */
static const struct {
    int64_t rows, columns;
} shapes[] = {{8192, 8192}, {1024, 1024}, {MANY, MANY}, {31, 31}, {1000000, 16}, {16, 1000000}};
/* Of entries of a batch. */
static const int64_t entries[] = {32, 1000, 31, 8};
/* How many vectors a call has beside one: no more than can be given by value. */
static const int64_t vectors[] = {8, 3, 1};
static const int64_t widths[] = {400, 16, 4, 3, 2, 1};

/* Of products: large, within the cache, ragged, small, tall, wide, long sums of few elements, one
 * term. */
static const struct {
    int64_t m, n, k;
} products[] = {{8192, 8192, 8192}, {1024, 1024, 1024}, {4095, 4097, 999}, {31, 31, 31},
                {100000, 16, 1000}, {16, 100000, 1000}, {16, 17, 100000},  {1000, 1000, 1}};
/* What routines that are made of products ask gemm for: a triangle of C, or a factor that is
 * triangular. */
static const struct {
    gbl_triangle_c triangle_c;
    bool conj;
    gbl_triangular triangular;
    gable_diag diag;
} inner[] = {
    {GBL_ALL, false, GBL_NOT_TRIANGULAR, 0},       {GBL_UPPER_ONLY, false, GBL_NOT_TRIANGULAR, 0},
    {GBL_LOWER_ONLY, true, GBL_NOT_TRIANGULAR, 0}, {GBL_ALL, false, GBL_A_LOWER, GABLE_NON_UNIT},
    {GBL_ALL, false, GBL_A_UPPER, GABLE_UNIT},     {GBL_ALL, false, GBL_B_LOWER, GABLE_UNIT},
    {GBL_ALL, false, GBL_B_UPPER, GABLE_NON_UNIT}};

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

enum { TOGETHER, APART, BESIDE, ALIGNMENTS }; /* all aligned; all but the first off; all off */

/* Routines with a job walk through a matrix column by column, in many launches whatever they
 * compute: a few columns ask for the same kernels. */
#define MOST_WALKED 300

/* What an op has. */
typedef struct traits {
    int sizes;
    bool order, width, batch, matrix, stride, scalar, same, flags, job;
    bool product; /* its call is one of two or three matrices */
} traits;

static traits traits_of(const gbl_op *op)
{
    traits t = {0};
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_kind kind = op->operands[i].kind;
        t.sizes += kind == GBL_SIZE;
        t.order = t.order || kind == GBL_ORDER;
        t.width = t.width || kind == GBL_WIDTH;
        t.batch = t.batch || kind == GBL_BATCH;
        t.matrix = t.matrix || (kind == GBL_MATRIX && op->alignment == NULL);
        t.stride = t.stride || kind == GBL_INC;
        t.scalar = t.scalar || kind == GBL_SCALAR;
        t.same = t.same || kind == GBL_SAME;
        t.flags = t.flags || kind == GBL_UPLO || kind == GBL_SIDE;
        t.job = t.job || kind == GBL_JOB;
    }
    t.product = op->layout == &gbl_product_layout;
    return t;
}

/* Takes the next digit off a number; while forms are counted, multiplies by its base. */
typedef struct digits {
    int left, forms;
} digits;

static int digit(digits *of, int base)
{
    const int value = of->left % base;
    of->left /= base;
    of->forms *= base;
    return value;
}

static void put_integer(void *call, uint16_t at, int64_t value)
{
    if (at != 0)
        *(int64_t *)(void *)((char *)call + at) = value;
}

static void put_flag(const gbl_operand *operand, gbl_dtype dtype, digits *of, void *call)
{
    static const int transposed[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    static const int norms[] = {GABLE_MAX_NORM, GABLE_ONE_NORM, GABLE_INF_NORM,
                                GABLE_FROBENIUS_NORM};
    int *const at = (int *)(void *)((char *)call + operand->at);
    switch (operand->kind) {
    case GBL_TRANS:
        *at = transposed[digit(of, gbl_dtype_complex(dtype) ? 3 : 2)];
        break;
    case GBL_UPLO:
        *at = digit(of, 2) == 0 ? GABLE_LOWER : GABLE_UPPER;
        break;
    case GBL_DIAG:
        *at = digit(of, 2) == 0 ? GABLE_NON_UNIT : GABLE_UNIT;
        break;
    case GBL_SIDE:
        *at = digit(of, 2) == 0 ? GABLE_LEFT : GABLE_RIGHT;
        break;
    case GBL_NORM:
        *at = norms[digit(of, 4)];
        break;
    case GBL_VECT:
        *at = digit(of, 2) == 0 ? GABLE_VECT_Q : GABLE_VECT_P;
        break;
    case GBL_JOB: {
        int legal[GBL_JOBS], count = 0;
        for (int job = GABLE_NO_VECTORS; job < GABLE_NO_VECTORS + GBL_JOBS; job++)
            if (gbl_is_legal_job(operand, job))
                legal[count++] = job;
        *at = legal[digit(of, count)];
        break;
    }
    case GBL_RANGE:
        *at = (int)GABLE_RANGE_ALL + digit(of, 3);
        break;
    case GBL_SWITCH:
        if (!operand->complex || gbl_dtype_complex(dtype))
            *((bool *)call + operand->at) = digit(of, 2) == 1;
        break;
    case GBL_CONSTANT:
        *((uint8_t *)call + operand->at) = operand->value;
        break;
    default:
        break;
    }
}

static void put_sizes(const gbl_op *op, const traits *t, digits *of, void *call)
{
    const bool is_vector = op->alignment != NULL;
    const int shape = is_vector  ? digit(of, t->sizes > 1 ? COUNT(vectors) : 1)
                      : t->batch ? digit(of, COUNT(entries))
                                 : digit(of, t->order ? 4 : COUNT(shapes));
    const int64_t width = widths[t->width ? digit(of, COUNT(widths)) : 0];
    int seen = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        int64_t value = 0;
        if (operand->kind == GBL_BATCH)
            value = MANY;
        else if (operand->kind == GBL_WIDTH)
            value = width;
        else if (operand->kind != GBL_SIZE && operand->kind != GBL_ORDER)
            continue;
        else if (is_vector)
            value = seen++ == 0 ? LONG : vectors[shape];
        else if (t->batch)
            value = entries[shape];
        else
            value = seen++ == 0 ? shapes[shape].rows : shapes[shape].columns;
        put_integer(call, operand->at, value);
        put_integer(call, operand->step, value);
    }
}

/* Sizes of products of two matrices. A square takes m. */
static void put_product_sizes(const gbl_op *op, const traits *t, digits *of, void *call)
{
    const int which = digit(of, t->batch ? COUNT(entries) : COUNT(products));
    const int64_t m = t->batch ? entries[which] : products[which].m,
                  n = t->batch ? entries[which] : products[which].n,
                  k = t->batch ? entries[which] : products[which].k;
    int seen = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        int64_t value = 0;
        if (operand->kind == GBL_BATCH)
            value = MANY;
        else if (operand->kind == GBL_WIDTH)
            value = k;
        else if (operand->kind == GBL_SIZE || operand->kind == GBL_ORDER)
            value = seen++ == 0 ? m : n;
        else
            continue;
        if (t->job && value > MOST_WALKED)
            value = MOST_WALKED;
        put_integer(call, operand->at, value);
        put_integer(call, operand->step, value);
    }
}

/* Of the plain product of two matrices, which has no flags of a triangle: what routines made of it
 * ask for. Triangles are square. */
static void put_inner(const traits *t, digits *of, void *given)
{
    gbl_product_call *call = given;
    if (!t->product || !t->scalar || t->flags || t->batch)
        return;
    const int which = digit(of, COUNT(inner));
    call->triangle_c = (uint8_t)inner[which].triangle_c;
    call->conj = inner[which].conj && gbl_dtype_complex(call->dtype);
    call->triangular = (uint8_t)inner[which].triangular;
    call->diag = inner[which].diag;
    if (call->triangle_c != GBL_ALL)
        call->m = call->n;
    if (call->triangular == GBL_A_LOWER || call->triangular == GBL_A_UPPER)
        call->k = call->m;
    if (call->triangular == GBL_B_LOWER || call->triangular == GBL_B_UPPER)
        call->k = call->n;
}

/* Addresses, and what stands between columns and entries of a batch. */
static void put_operand(const gbl_operand *operand, uintptr_t address, bool odd, void *call)
{
    const int64_t rows = operand->rows != NULL ? operand->rows(call) : 1;
    int64_t apart = odd ? rows | 1 : ROUND(rows);
    *(void **)(void *)((char *)call + operand->at) = (void *)address;
    if (operand->kind == GBL_MATRIX) {
        put_integer(call, operand->step, apart);
        apart *= operand->columns(call);
    }
    put_integer(call, operand->apart, odd ? apart | 1 : apart);
}

static void put_operands(const gbl_op *op, const traits *t, digits *of, void *call)
{
    const gbl_dtype dtype = ((const gbl_call *)call)->dtype;
    const int alignment = digit(of, ALIGNMENTS);
    const bool odd = t->matrix && digit(of, 2) == 1;
    const int64_t stride = t->stride ? 1 + digit(of, 2) : 1;
    const bool other = t->scalar && digit(of, 2) == 1, same = t->same && digit(of, 2) == 1;
    int seen = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        const bool off = alignment == BESIDE || (alignment == APART && seen > 0);
        const uintptr_t address =
            ALIGNED * (uintptr_t)(i + 1) + (off ? gbl_dtype_real_bytes(dtype) : 0);
        if (gbl_is_address(operand)) {
            put_operand(operand, address, odd, call);
            seen++;
        }
        if (operand->kind == GBL_VECTOR)
            put_integer(call, operand->step, stride);
        /* One number is given by value, several are on the device; then the other way. */
        if (operand->kind == GBL_SCALAR && (operand->rows != NULL) != other)
            ((gbl_scalar *)(void *)((char *)call + operand->at))->device = (void *)address;
        if (operand->kind == GBL_SAME && same)
            memcpy((char *)call + operand->at, (char *)call + operand->step, sizeof(void *));
    }
}

/* Rows of sparse matrices: short and equal, longer, of very different lengths, few. */
static const struct {
    int64_t rows, width, longest;
} sparse_shapes[] = {{9000000, 5, 5}, {4096000, 27, 27}, {1000000, 8, 100000}, {100, 3, 3}};
static const int64_t sparse_columns[] = {2, 64};
#define SPARSE_CHUNK 32

static void put_sparse(const gbl_op *op, digits *of, gbl_sparse_args *call)
{
    gbl_sparse_layout *A = &call->A;
    const int shape = digit(of, COUNT(sparse_shapes));
    A->dtype = call->dtype;
    A->format = (uint8_t)(GABLE_CSR + digit(of, GABLE_HYB));
    A->index_bytes = digit(of, 2) == 0 ? 4 : 8;
    call->conj = gbl_dtype_complex(call->dtype) && digit(of, 2) == 1;
    A->order = digit(of, 2) == 1 && A->format == GABLE_SELL ? (void *)ALIGNED : NULL;
    call->k = op == &gbl_sparse_mm_op ? sparse_columns[digit(of, COUNT(sparse_columns))] : 1;
    A->rows = A->columns = call->ldx = call->ldy = sparse_shapes[shape].rows;
    A->width = sparse_shapes[shape].width;
    A->stride = ROUND(A->rows);
    A->longest = A->format == GABLE_ELL ? A->width : sparse_shapes[shape].longest;
    A->entries = A->stored = A->rows * A->width;
    A->chunk = SPARSE_CHUNK;
    A->slices = ROUND(A->rows) / SPARSE_CHUNK;
    A->rest = A->rows;
    A->start = A->row = A->column = A->value = (void *)(2 * ALIGNED);
    A->rest_row = A->rest_column = A->rest_value = (void *)(3 * ALIGNED);
    call->x = (void *)(4 * ALIGNED);
    call->y = (void *)(5 * ALIGNED);
    call->alpha = (gbl_scalar){.re = 2};
    call->beta = (gbl_scalar){.re = 3};
}

static digits make(const gbl_op *op, gbl_dtype dtype, int number, form_call *call)
{
    const traits t = traits_of(op);
    digits of = {.left = number, .forms = 1};
    memset(call, 0, sizeof *call);
    ((gbl_call *)(void *)call->bytes)->dtype = dtype;
    if (!gbl_op_described(op)) {
        put_sparse(op, &of, (gbl_sparse_args *)(void *)call->bytes);
        return of;
    }
    if (t.product)
        put_product_sizes(op, &t, &of, call->bytes);
    else
        put_sizes(op, &t, &of, call->bytes);
    for (int i = 0; i < op->operand_count; i++)
        put_flag(&op->operands[i], dtype, &of, call->bytes);
    put_inner(&t, &of, call->bytes);
    put_operands(op, &t, &of, call->bytes);
    return of;
}

int form_count(const gbl_op *op, gbl_dtype dtype)
{
    form_call call;
    return make(op, dtype, 0, &call).forms;
}

void form_make(const gbl_op *op, gbl_dtype dtype, int number, form_call *call)
{
    make(op, dtype, number, call);
}
