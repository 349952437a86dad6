/* link_lapack.c: what is special about calls of LAPACK's routines: shapes, legality, work.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stddef.h>
#include "link/link_lapack.h"

/* How the sizes of a call stand for its matrices. */
typedef enum kind {
    NO_LAPACK,
    MATRIX,  /* C is m by n */
    SYSTEM,  /* A is m by n, C has k columns and as many rows as the longer side */
    FORMS,   /* C becomes the unitary matrix of the k reflectors in it */
    APPLIES, /* that of the k reflectors in A is applied to C, which is m by n */
    EIGEN,   /* C is m by m; k values of it at most, vectors in its place or in A */
    SINGULAR /* C is m by n; vectors in its place, in A and in B */
} kind;

static const struct form {
    kind kind;
    bool uplo, trans, diag, side; /* letters that it has */
    bool adjoint;                 /* trans is N, or T in real precisions, C in complex ones */
    bool factors;                 /* a solver that factors A first */
    bool rows;                    /* reflectors are rows */
    bool tau;
    bool ranged, pair; /* some eigenvalues, vectors in A; of C and a definite matrix B */
    bool two_jobs;     /* a letter for each side */
    gbl_link_pivots pivots;
    /* Multiply-adds: so many times the cube of the shorter side, its square times what the other
     * one has more; and as many for each right-hand side: the square, and the shorter side times
     * what the other one has more. */
    double cube, longer, sides, longer_sides;
} forms[GBL_LINK_ROUTINE_COUNT] = {
    [GBL_LINK_getrf] = {.kind = MATRIX, .pivots = GBL_LINK_WRITES, .cube = 1.0 / 3, .longer = 0.5},
    [GBL_LINK_getrs] = {.kind = SYSTEM, .trans = true, .pivots = GBL_LINK_READS, .sides = 1},
    [GBL_LINK_gesv] =
        {.kind = SYSTEM, .factors = true, .pivots = GBL_LINK_WRITES, .cube = 1.0 / 3, .sides = 1},
    [GBL_LINK_getri] = {.kind = MATRIX, .pivots = GBL_LINK_READS, .cube = 2.0 / 3},
    [GBL_LINK_potrf] = {.kind = MATRIX, .uplo = true, .cube = 1.0 / 6},
    [GBL_LINK_potrs] = {.kind = SYSTEM, .uplo = true, .sides = 1},
    [GBL_LINK_posv] = {.kind = SYSTEM, .uplo = true, .factors = true, .cube = 1.0 / 6, .sides = 1},
    [GBL_LINK_potri] = {.kind = MATRIX, .uplo = true, .cube = 1.0 / 3},
    [GBL_LINK_trtrs] = {.kind = SYSTEM, .uplo = true, .trans = true, .diag = true, .sides = 0.5},
    [GBL_LINK_trtri] = {.kind = MATRIX, .uplo = true, .diag = true, .cube = 1.0 / 6},
    [GBL_LINK_geqrf] = {.kind = MATRIX, .tau = true, .cube = 2.0 / 3, .longer = 1},
    [GBL_LINK_gelqf] = {.kind = MATRIX, .tau = true, .cube = 2.0 / 3, .longer = 1},
    [GBL_LINK_orgqr] = {.kind = FORMS, .tau = true},
    [GBL_LINK_ungqr] = {.kind = FORMS, .tau = true},
    [GBL_LINK_orglq] = {.kind = FORMS, .tau = true, .rows = true},
    [GBL_LINK_unglq] = {.kind = FORMS, .tau = true, .rows = true},
    [GBL_LINK_ormqr] = {.kind = APPLIES, .side = true, .trans = true, .adjoint = true, .tau = true},
    [GBL_LINK_unmqr] = {.kind = APPLIES, .side = true, .trans = true, .adjoint = true, .tau = true},
    [GBL_LINK_ormlq] =
        {.kind = APPLIES, .side = true, .trans = true, .adjoint = true, .tau = true, .rows = true},
    [GBL_LINK_unmlq] =
        {.kind = APPLIES, .side = true, .trans = true, .adjoint = true, .tau = true, .rows = true},
    [GBL_LINK_gels] = {.kind = SYSTEM,
                       .trans = true,
                       .adjoint = true,
                       .factors = true,
                       .cube = 2.0 / 3,
                       .longer = 1,
                       .sides = 1.5,
                       .longer_sides = 2},
    [GBL_LINK_syev] = {.kind = EIGEN, .uplo = true},
    [GBL_LINK_heev] = {.kind = EIGEN, .uplo = true},
    [GBL_LINK_syevd] = {.kind = EIGEN, .uplo = true},
    [GBL_LINK_heevd] = {.kind = EIGEN, .uplo = true},
    [GBL_LINK_syevr] = {.kind = EIGEN, .uplo = true, .ranged = true},
    [GBL_LINK_heevr] = {.kind = EIGEN, .uplo = true, .ranged = true},
    [GBL_LINK_sygvd] = {.kind = EIGEN, .uplo = true, .pair = true},
    [GBL_LINK_hegvd] = {.kind = EIGEN, .uplo = true, .pair = true},
    [GBL_LINK_gesdd] = {.kind = SINGULAR},
    [GBL_LINK_gesvd] = {.kind = SINGULAR, .two_jobs = true},
};

static int64_t shorter_side(const gbl_link_call *call)
{
    return call->m < call->n ? call->m : call->n;
}

static int64_t longer_side(const gbl_link_call *call)
{
    return call->m < call->n ? call->n : call->m;
}

/* The order of the unitary matrix that is applied. */
static int64_t order_of(const gbl_link_call *call)
{
    return call->side == GABLE_LEFT ? call->m : call->n;
}

bool gbl_link_is_lapack(gbl_link_routine routine)
{
    return forms[routine].kind != NO_LAPACK;
}

bool gbl_link_is_driver(gbl_link_routine routine)
{
    return forms[routine].kind == EIGEN || forms[routine].kind == SINGULAR;
}

bool gbl_link_wants_vectors(const gbl_link_call *call)
{
    return call->job != GABLE_NO_VECTORS ||
           (forms[call->routine].two_jobs && call->job_b != GABLE_NO_VECTORS);
}

bool gbl_link_writes_a(gbl_link_routine routine)
{
    return forms[routine].factors;
}

bool gbl_link_writes_b(gbl_link_routine routine)
{
    return forms[routine].pair;
}

bool gbl_link_writes_c(const gbl_link_call *call)
{
    const struct form *const form = &forms[call->routine];
    return form->kind == SINGULAR
               ? call->job == GABLE_OVERWRITE || (form->two_jobs && call->job_b == GABLE_OVERWRITE)
               : call->job == GABLE_VECTORS && !form->ranged;
}

gbl_link_pivots gbl_link_pivots_of(gbl_link_routine routine)
{
    return forms[routine].pivots;
}

int64_t gbl_link_pivot_count(const gbl_link_call *call)
{
    return forms[call->routine].pivots == GBL_LINK_NO_PIVOTS ? 0 : shorter_side(call);
}

/* Which vectors of either side: where gesdd overwrites C with one side, the other is whole. */
static int job_of_u(const gbl_link_call *call)
{
    const bool whole = !forms[call->routine].two_jobs && call->job == GABLE_OVERWRITE;
    return whole && call->m < call->n ? GABLE_ALL_VECTORS : call->job;
}

static int job_of_vt(const gbl_link_call *call)
{
    if (forms[call->routine].two_jobs)
        return call->job_b;
    return call->job == GABLE_OVERWRITE && call->m >= call->n ? GABLE_ALL_VECTORS : call->job;
}

/* The vectors of a side, which have so many elements each: columns of U, rows of V^H. */
static gbl_link_shape side_of(const gbl_link_call *call, int job, int64_t order, bool columns)
{
    const int64_t count = job == GABLE_ALL_VECTORS ? order : shorter_side(call);
    if (job != GABLE_ALL_VECTORS && job != GABLE_SOME_VECTORS)
        return (gbl_link_shape){0, 0};
    return columns ? (gbl_link_shape){order, count} : (gbl_link_shape){count, order};
}

gbl_link_shapes gbl_link_lapack_shapes(const gbl_link_call *call)
{
    const struct form *const form = &forms[call->routine];
    const gbl_link_shape matrix = {call->m, call->n};
    switch (form->kind) {
    case SYSTEM:
        return (gbl_link_shapes){.a = matrix, .c = {longer_side(call), call->k}};
    case APPLIES: {
        const int64_t order = order_of(call);
        return (gbl_link_shapes){.a = {form->rows ? call->k : order, form->rows ? order : call->k},
                                 .c = matrix};
    }
    case EIGEN: {
        const gbl_link_shape none = {0, 0}, some = {call->n, call->k};
        return (gbl_link_shapes){.a = form->ranged && call->job == GABLE_VECTORS ? some : none,
                                 .b = form->pair ? matrix : none,
                                 .c = matrix};
    }
    case SINGULAR:
        return (gbl_link_shapes){.a = side_of(call, job_of_u(call), call->m, true),
                                 .b = side_of(call, job_of_vt(call), call->n, false),
                                 .c = matrix};
    default:
        return (gbl_link_shapes){.c = matrix};
    }
}

static bool legal_jobs(const struct form *form, const gbl_link_call *call)
{
    if (form->kind == EIGEN)
        return (call->job == GABLE_NO_VECTORS || call->job == GABLE_VECTORS) &&
               (!form->ranged || call->range != 0);
    if (form->kind != SINGULAR)
        return true;
    if (call->job == 0 || call->job == GABLE_VECTORS)
        return false;
    return !form->two_jobs || (call->job_b != 0 && call->job_b != GABLE_VECTORS &&
                               !(call->job == GABLE_OVERWRITE && call->job_b == GABLE_OVERWRITE));
}

bool gbl_link_lapack_flags(const gbl_link_call *call)
{
    const struct form *const form = &forms[call->routine];
    const int refused = gbl_dtype_complex(call->dtype) ? GABLE_TRANS : GABLE_CONJ_TRANS;
    return (!form->uplo || call->uplo != 0) && (!form->trans || call->trans != 0) &&
           (!form->diag || call->diag != 0) && (!form->side || call->side != 0) &&
           (!form->adjoint || call->trans != refused) && legal_jobs(form, call);
}

bool gbl_link_legal_count(const gbl_link_call *call)
{
    const struct form *const form = &forms[call->routine];
    if (form->kind == APPLIES)
        return call->k <= order_of(call);
    if (form->kind == FORMS)
        return form->rows ? call->k <= call->m && call->m <= call->n
                          : call->k <= call->n && call->n <= call->m;
    if (form->pair)
        return call->itype >= 1 && call->itype <= 3;
    return !form->ranged ||
           (call->range == GABLE_RANGE_VALUES ? call->from < call->to
            : call->range == GABLE_RANGE_INDICES
                ? call->first >= 1 && call->first <= call->last && call->last <= call->n
                : true);
}

bool gbl_link_legal_arrays(const gbl_link_call *call)
{
    const struct form *const form = &forms[call->routine];
    const int64_t count = gbl_link_pivot_count(call);
    if (call->info == NULL || (count > 0 && call->ipiv == NULL) || (form->tau && call->tau == NULL))
        return false;
    /* LAPACK asks for leading dimensions also of matrices that it does not touch. */
    if (gbl_link_is_driver(call->routine) &&
        (call->values == NULL || (form->kind == SINGULAR && (call->lda < 1 || call->ldb < 1)) ||
         (form->ranged && (call->lda < 1 || call->found == NULL || call->support == NULL))))
        return false;
    if (form->pivots != GBL_LINK_READS)
        return true;
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = gbl_link_integer_at(call->ipiv, call->wide, i);
        if (row < 1 || row > call->m)
            return false;
    }
    return true;
}

/* ---- Work ---- */

/* k reflectors of order `order`, of which the i-th is i elements shorter, on so many lines. */
static double applied(double order, double k, double lines)
{
    return lines * k * (2 * order - k);
}

/* The reduction, the tridiagonal stage, whose numbers are real, and the way back; before that B is
 * factored and taken out of C. */
static double of_eigenvalues(const struct form *form, const gbl_link_call *call)
{
    const double n = (double)call->n, k = form->ranged ? (double)call->k : n,
                 stage = gbl_dtype_complex(call->dtype) ? 1.0 / 6 : 2.0 / 3;
    const bool vectors = call->job == GABLE_VECTORS;
    return n * n * n * (2.0 / 3 + (form->pair ? 2.0 / 3 : 0)) +
           (vectors ? n * n * k * (1 + stage + (form->pair ? 0.5 : 0)) : 0);
}

/* The same of singular values: C is factored first where that is less work. */
static double of_singular_values(const gbl_link_call *call)
{
    const gbl_link_shapes shapes = gbl_link_lapack_shapes(call);
    const double k = (double)shorter_side(call), most = (double)longer_side(call),
                 direct = 2 * k * k * (most - k / 3),
                 by_factor = k * k * (most - k / 3) + 4 * k * k * k / 3,
                 stage = gbl_dtype_complex(call->dtype) ? 1.0 / 3 : 4.0 / 3;
    double all = direct < by_factor ? direct : by_factor;
    if (!gbl_link_wants_vectors(call))
        return all;
    all += stage * k * k * k;
    if (job_of_u(call) != GABLE_NO_VECTORS)
        all += applied((double)call->m, k, shapes.a.rows > 0 ? (double)shapes.a.columns : k);
    if (job_of_vt(call) != GABLE_NO_VECTORS)
        all += applied((double)call->n, k, shapes.b.rows > 0 ? (double)shapes.b.rows : k);
    return all;
}

static double multiply_adds(const gbl_link_call *call)
{
    const struct form *const form = &forms[call->routine];
    const double order = (double)shorter_side(call), more = (double)longer_side(call) - order,
                 m = (double)call->m, n = (double)call->n, k = (double)call->k;
    switch (form->kind) {
    case APPLIES:
        return call->side == GABLE_LEFT ? applied(m, k, n) : applied(n, k, m);
    case EIGEN:
        return of_eigenvalues(form, call);
    case SINGULAR:
        return of_singular_values(call);
    case FORMS:
        return 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3;
    default:
        return order * order * (form->cube * order + form->longer * more + form->sides * k) +
               form->longer_sides * order * more * k;
    }
}

uint64_t gbl_link_lapack_work(const gbl_link_call *call)
{
    const double all = multiply_adds(call);
    return all < 1e19 ? (uint64_t)all : UINT64_MAX;
}
