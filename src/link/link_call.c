/* link_call.c: row-major order, shapes and the legality of a call.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stddef.h>
#include <stdio.h>
#include "link/link_call.h"
#include "link/link_lapack.h"

static const struct {
    const char *stem;
} routines[] = {
#define ROUTINE(stem_, letters) {.stem = #stem_},
    GBL_LINK_ROUTINES(ROUTINE)
#undef ROUTINE
};

const char *gbl_link_stem(gbl_link_routine routine)
{
    return routines[routine].stem;
}

const char *gbl_link_gable_stem(gbl_link_routine routine)
{
    switch (routine) {
    case GBL_LINK_gemmtr:
        return "gemmt";
    case GBL_LINK_syev:
        return "syevd";
    case GBL_LINK_heev:
        return "heevd";
    case GBL_LINK_syevr:
        return "syevx";
    case GBL_LINK_heevr:
        return "heevx";
    default:
        return routines[routine].stem;
    }
}

void gbl_link_rate_name(const gbl_link_call *call, char name[16])
{
    const bool driver = gbl_link_is_driver(call->routine);
    const char *const stem =
        driver ? gbl_link_stem(call->routine) : gbl_link_gable_stem(call->routine);
    const bool hermitian = driver && stem[0] == 'h';
    snprintf(name, 16, "%s%s%s", hermitian ? "sy" : "", stem + (hermitian ? 2 : 0),
             driver && !gbl_link_wants_vectors(call) ? "_values" : "");
}

/* ---- Row-major calls ---- */

static int other(int flag, int one, int two)
{
    return flag == one ? two : flag == two ? one : 0;
}

static void swap_factors(gbl_link_call *call)
{
    const gbl_link_call was = *call;
    call->trans = was.trans_b;
    call->trans_b = was.trans;
    call->A = was.B;
    call->B = was.A;
    call->lda = was.ldb;
    call->ldb = was.lda;
}

static void swap_sizes(gbl_link_call *call)
{
    const int64_t m = call->m;
    call->m = call->n;
    call->n = m;
}

void gbl_link_to_columns(gbl_link_call *call)
{
    const bool hermitian = call->routine == GBL_LINK_herk || call->routine == GBL_LINK_her2k;
    const bool complex_numbers = gbl_dtype_complex(call->dtype);
    if (call->order != GBL_LINK_ROW_MAJOR)
        return;
    call->order = GBL_LINK_COLUMN_MAJOR;
    if (call->uplo != 0)
        call->uplo = other(call->uplo, GABLE_UPPER, GABLE_LOWER);
    switch (call->routine) {
    case GBL_LINK_gemm:
        swap_factors(call);
        swap_sizes(call);
        break;
    case GBL_LINK_gemmt:
    case GBL_LINK_gemmtr:
        swap_factors(call);
        break;
    case GBL_LINK_syrk:
    case GBL_LINK_syr2k:
    case GBL_LINK_herk:
    case GBL_LINK_her2k:
        /* In real precisions C means T. */
        if (!complex_numbers && call->trans == GABLE_CONJ_TRANS)
            call->trans = GABLE_TRANS;
        call->trans =
            other(call->trans, GABLE_NO_TRANS, hermitian ? GABLE_CONJ_TRANS : GABLE_TRANS);
        if (call->routine == GBL_LINK_her2k)
            call->alpha[1] = -call->alpha[1];
        break;
    case GBL_LINK_symm:
    case GBL_LINK_hemm:
    case GBL_LINK_trmm:
    case GBL_LINK_trsm:
        call->side = other(call->side, GABLE_LEFT, GABLE_RIGHT);
        swap_sizes(call);
        break;
    default:
        break;
    }
}

/* ---- Shapes ---- */

static gbl_link_shape stored(int trans, int64_t rows, int64_t columns)
{
    return trans == GABLE_NO_TRANS ? (gbl_link_shape){rows, columns}
                                   : (gbl_link_shape){columns, rows};
}

gbl_link_shapes gbl_link_shapes_of(const gbl_link_call *call)
{
    const int64_t m = call->m, n = call->n, k = call->k;
    const int64_t order = call->side == GABLE_LEFT ? m : n;
    gbl_link_shapes shapes = {.c = {m, n}};
    switch (call->routine) {
    case GBL_LINK_gemm:
        shapes.a = stored(call->trans, m, k);
        shapes.b = stored(call->trans_b, k, n);
        break;
    case GBL_LINK_gemmt:
    case GBL_LINK_gemmtr:
        shapes.a = stored(call->trans, n, k);
        shapes.b = stored(call->trans_b, k, n);
        break;
    case GBL_LINK_syr2k:
    case GBL_LINK_her2k:
        shapes.b = stored(call->trans, n, k);
        shapes.a = stored(call->trans, n, k);
        break;
    case GBL_LINK_syrk:
    case GBL_LINK_herk:
        shapes.a = stored(call->trans, n, k);
        break;
    case GBL_LINK_symm:
    case GBL_LINK_hemm:
        shapes.b = (gbl_link_shape){m, n};
        shapes.a = (gbl_link_shape){order, order};
        break;
    case GBL_LINK_trmm:
    case GBL_LINK_trsm:
        shapes.a = (gbl_link_shape){order, order};
        break;
    default:
        return gbl_link_lapack_shapes(call);
    }
    return shapes;
}

bool gbl_link_has_triangle(const gbl_link_call *call)
{
    switch (call->routine) {
    case GBL_LINK_gemmt:
    case GBL_LINK_gemmtr:
    case GBL_LINK_syrk:
    case GBL_LINK_herk:
    case GBL_LINK_syr2k:
    case GBL_LINK_her2k:
        return true;
    default:
        return false;
    }
}

bool gbl_link_reads_c(const gbl_link_call *call)
{
    const bool in_place = call->routine == GBL_LINK_trmm || call->routine == GBL_LINK_trsm ||
                          gbl_link_is_lapack(call->routine);
    return in_place || call->beta[0] != 0 || call->beta[1] != 0;
}

static int64_t elements(gbl_link_shape shape)
{
    return shape.rows * shape.columns;
}

uint64_t gbl_link_bytes(const gbl_link_call *call)
{
    const gbl_link_shapes shapes = gbl_link_shapes_of(call);
    const bool driver = gbl_link_is_driver(call->routine);
    int64_t all = elements(shapes.a) + elements(shapes.b) + elements(shapes.c);
    if (gbl_link_writes_a(call->routine))
        all += elements(shapes.a);
    if (driver && gbl_link_writes_b(call->routine))
        all += elements(shapes.b);
    /* C of a driver stays where its vectors go elsewhere. */
    if (driver ? gbl_link_writes_c(call) : gbl_link_reads_c(call))
        all += elements(shapes.c);
    return (uint64_t)all * gbl_dtype_bytes(call->dtype);
}

/* ---- Legality ---- */

static bool legal_flags(const gbl_link_call *call)
{
    const bool two_sides = call->routine == GBL_LINK_symm || call->routine == GBL_LINK_hemm ||
                           call->routine == GBL_LINK_trmm || call->routine == GBL_LINK_trsm;
    const bool triangular = call->routine == GBL_LINK_trmm || call->routine == GBL_LINK_trsm;
    const bool products = call->routine == GBL_LINK_gemm || call->routine == GBL_LINK_gemmt ||
                          call->routine == GBL_LINK_gemmtr;
    const bool legal_trans = call->trans == GABLE_NO_TRANS || call->trans == GABLE_TRANS ||
                             call->trans == GABLE_CONJ_TRANS;
    const bool legal_trans_b = call->trans_b == GABLE_NO_TRANS || call->trans_b == GABLE_TRANS ||
                               call->trans_b == GABLE_CONJ_TRANS;
    const bool named = call->routine != GBL_LINK_gemm;
    if (named && call->uplo != GABLE_UPPER && call->uplo != GABLE_LOWER)
        return false;
    if (two_sides && call->side != GABLE_LEFT && call->side != GABLE_RIGHT)
        return false;
    if (triangular && call->diag != GABLE_NON_UNIT && call->diag != GABLE_UNIT)
        return false;
    if (products && !legal_trans_b)
        return false;
    if (!(two_sides && !triangular) && !legal_trans)
        return false;
    switch (call->routine) {
    case GBL_LINK_syrk:
    case GBL_LINK_syr2k:
        return !gbl_dtype_complex(call->dtype) || call->trans != GABLE_CONJ_TRANS;
    case GBL_LINK_herk:
    case GBL_LINK_her2k:
        return call->trans != GABLE_TRANS;
    default:
        return true;
    }
}

static bool legal_matrix(gbl_link_shape shape, const void *matrix, int64_t ld)
{
    const int64_t most = INT32_MAX;
    if (shape.rows == 0 || shape.columns == 0)
        return (shape.rows == 0 && shape.columns == 0) || (ld >= 1 && ld >= shape.rows);
    return shape.rows >= 1 && shape.columns >= 1 && shape.rows <= most && shape.columns <= most &&
           ld >= shape.rows && ld <= INT64_MAX / 64 / shape.columns && matrix != NULL;
}

/* Elements from `at` on that belong to [0, count). */
static bool meet(int64_t at, int64_t length, int64_t count)
{
    return at < count && at + length > 0;
}

/* Whether two matrices share an element. Blocks of one matrix, which have its leading dimension,
 * lie among one another and share none. */
static bool share(const void *X, gbl_link_shape x, int64_t ldx, const void *Y, gbl_link_shape y,
                  int64_t ldy, int64_t bytes)
{
    const uintptr_t at_x = (uintptr_t)X, at_y = (uintptr_t)Y;
    const uintptr_t bytes_x = (uintptr_t)(((x.columns - 1) * ldx + x.rows) * bytes);
    const uintptr_t bytes_y = (uintptr_t)(((y.columns - 1) * ldy + y.rows) * bytes);
    if (x.rows == 0 || x.columns == 0 || at_x + bytes_x <= at_y || at_y + bytes_y <= at_x)
        return false;
    const int64_t distance = (int64_t)(at_y - at_x);
    if (ldx != ldy || distance % bytes != 0)
        return true;
    int64_t row = distance / bytes % ldx, column = distance / bytes / ldx;
    if (row < 0) {
        row += ldx;
        column--;
    }
    return (meet(row, y.rows, x.rows) && meet(column, y.columns, x.columns)) ||
           (meet(row - ldx, y.rows, x.rows) && meet(column + 1, y.columns, x.columns));
}

bool gbl_link_legal(const gbl_link_call *call)
{
    const bool lapack = gbl_link_is_lapack(call->routine);
    if (call->order != GBL_LINK_COLUMN_MAJOR ||
        !(lapack ? gbl_link_lapack_flags(call) : legal_flags(call)))
        return false;
    const gbl_link_shapes shapes = gbl_link_shapes_of(call);
    const int64_t bytes = (int64_t)gbl_dtype_bytes(call->dtype);
    if (call->m < 0 || call->n < 0 || call->k < 0 || shapes.c.rows < 1 || shapes.c.columns < 1)
        return false;
    if (!legal_matrix(shapes.a, call->A, call->lda) ||
        !legal_matrix(shapes.b, call->B, call->ldb) || !legal_matrix(shapes.c, call->C, call->ldc))
        return false;
    if (lapack && (!gbl_link_legal_count(call) || !gbl_link_legal_arrays(call)))
        return false;
    return !share(call->A, shapes.a, call->lda, call->C, shapes.c, call->ldc, bytes) &&
           !share(call->B, shapes.b, call->ldb, call->C, shapes.c, call->ldc, bytes) &&
           !(gbl_link_is_driver(call->routine) && shapes.b.rows > 0 &&
             share(call->A, shapes.a, call->lda, call->B, shapes.b, call->ldb, bytes));
}
