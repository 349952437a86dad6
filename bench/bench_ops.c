/* bench_ops.c: one line per op that can be measured, its names, and what its description says.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "bench_ops.h"
#include "lapack/eigen.h"
#include "lapack/norm_plan.h"

#define C_Z                (1u << GBL_C | 1u << GBL_Z)
#define ALL                (1u << GBL_S | 1u << GBL_D | C_Z)
#define ONLY(dtype)        .dtypes = 1u << (dtype), .whole_name = true
#define OP(stem, formula_) .op = &gbl_##stem##_op, .formula = formula_

/* "dot" is the sum of x_i y_i in all four precisions; BLAS calls it dotu where x could be
 * conjugated. */
static const bench_op ops[] = {
    {.name = "copy", OP(copy, BENCH_COPY)},
    {.name = "swap", OP(swap, BENCH_SWAP)},
    {.name = "scal", OP(scal, BENCH_SCAL)},
    {.name = "csscal", OP(scal, BENCH_SCAL), ONLY(GBL_C), .real_scalars = true},
    {.name = "zdscal", OP(scal, BENCH_SCAL), ONLY(GBL_Z), .real_scalars = true},
    {.name = "axpy", OP(axpy, BENCH_AXPY)},
    {.name = "axpby", OP(axpby, BENCH_AXPBY)},
    {.name = "waxpby", OP(waxpby, BENCH_WAXPBY)},
    {.name = "fill", OP(fill, BENCH_FILL)},
    {.name = "reciprocal", OP(reciprocal, BENCH_RECIPROCAL)},
    {.name = "random", OP(random, BENCH_RANDOM), .run = gbl_random},
    {.name = "rot", OP(rot, BENCH_ROT)},
    {.name = "csrot", OP(rot, BENCH_ROT), ONLY(GBL_C), .real_scalars = true},
    {.name = "zdrot", OP(rot, BENCH_ROT), ONLY(GBL_Z), .real_scalars = true},
    {.name = "rotm", OP(rotm, BENCH_ROTM)},
    {.name = "dot", OP(dot, BENCH_DOT), .complex_name = "dotu"},
    {.name = "dotu", OP(dot, BENCH_DOT), .dtypes = C_Z, .unlisted = true},
    {.name = "dotc", OP(dot, BENCH_DOT), .dtypes = C_Z, .conj = true},
    {.name = "dsdot", OP(dsdot, BENCH_DOT), ONLY(GBL_S), .wide_result = true, .run = gbl_dsdot},
    {.name = "sdsdot", OP(dsdot, BENCH_DOT), ONLY(GBL_S), .run = gbl_dsdot},
    {.name = "nrm2", OP(nrm2, BENCH_NRM2)},
    {.name = "asum", OP(asum, BENCH_ASUM)},
    {.name = "amax", OP(amax, BENCH_AMAX), .alias = "iamax"},
    {.name = "mdot", OP(mdot, BENCH_DOT), .complex_name = "mdotu", .run = gbl_mdot},
    {.name = "mdotu", OP(mdot, BENCH_DOT), .dtypes = C_Z, .unlisted = true, .run = gbl_mdot},
    {.name = "mdotc", OP(mdot, BENCH_DOT), .dtypes = C_Z, .conj = true, .run = gbl_mdot},
    {.name = "mnrm2", OP(mnrm2, BENCH_NRM2), .run = gbl_mnrm2},
    {.name = "maxpy", OP(maxpy, BENCH_MAXPY)},

    {.name = "gemv", OP(gemv, BENCH_GEMV)},
    {.name = "gemv_strided", OP(gemv_batched, BENCH_GEMV)},
    {.name = "gemv_batched", OP(gemv_batched, BENCH_GEMV), .pointers = true},
    {.name = "symv", OP(symv, BENCH_SYMV)},
    {.name = "hemv", OP(symv, BENCH_SYMV), .dtypes = C_Z, .conj = true},
    {.name = "ger", OP(ger, BENCH_GER), .complex_name = "geru"},
    {.name = "geru", OP(ger, BENCH_GER), .dtypes = C_Z, .unlisted = true},
    {.name = "gerc", OP(ger, BENCH_GER), .dtypes = C_Z, .conj = true},
    {.name = "syr", OP(syr, BENCH_SYR)},
    {.name = "her", OP(syr, BENCH_SYR), .dtypes = C_Z, .conj = true, .real_scalars = true},
    {.name = "syr2", OP(syr2, BENCH_SYR2)},
    {.name = "her2", OP(syr2, BENCH_SYR2), .dtypes = C_Z, .conj = true},
    {.name = "trmv", OP(trmv, BENCH_TRMV)},
    {.name = "trsv", OP(trsv, BENCH_TRSV)},
    {.name = "gbmv", OP(gbmv, BENCH_GEMV)},
    {.name = "sbmv", OP(sbmv, BENCH_SYMV)},
    {.name = "hbmv", OP(sbmv, BENCH_SYMV), .dtypes = C_Z, .conj = true},
    {.name = "spmv", OP(spmv, BENCH_SYMV)},
    {.name = "hpmv", OP(spmv, BENCH_SYMV), .dtypes = C_Z, .conj = true},
    {.name = "tbmv", OP(tbmv, BENCH_TRMV)},
    {.name = "tbsv", OP(tbsv, BENCH_TRSV)},
    {.name = "tpmv", OP(tpmv, BENCH_TRMV)},
    {.name = "tpsv", OP(tpsv, BENCH_TRSV)},
    {.name = "spr", OP(spr, BENCH_SYR)},
    {.name = "hpr", OP(spr, BENCH_SYR), .dtypes = C_Z, .conj = true, .real_scalars = true},
    {.name = "spr2", OP(spr2, BENCH_SYR2)},
    {.name = "hpr2", OP(spr2, BENCH_SYR2), .dtypes = C_Z, .conj = true},
    {.name = "transpose", OP(transpose, BENCH_TRANSPOSE)},
    {.name = "geam", OP(geam, BENCH_GEAM)},

    {.name = "gemm", OP(gemm, BENCH_GEMM)},
    {.name = "gemm_strided", OP(gemm_batched, BENCH_GEMM)},
    {.name = "gemm_batched", OP(gemm_batched, BENCH_GEMM), .pointers = true},
    {.name = "gemmt", OP(gemmt, BENCH_GEMMT)},
    {.name = "syrk", OP(syrk, BENCH_SYRK)},
    {.name = "herk", OP(syrk, BENCH_SYRK), .dtypes = C_Z, .conj = true, .real_scalars = true},
    {.name = "syr2k", OP(syr2k, BENCH_SYR2K)},
    {.name = "her2k", OP(syr2k, BENCH_SYR2K), .dtypes = C_Z, .conj = true, .real_beta = true},
    {.name = "symm", OP(symm, BENCH_SYMM)},
    {.name = "hemm", OP(symm, BENCH_SYMM), .dtypes = C_Z, .conj = true},
    {.name = "trmm", OP(trmm, BENCH_TRMM)},
    {.name = "trsm", OP(trsm, BENCH_TRSM)},
    {.name = "trsm_strided", OP(trsm_batched, BENCH_TRSM)},
    {.name = "trsm_batched", OP(trsm_batched, BENCH_TRSM), .pointers = true},

    {.name = "lacpy", OP(lacpy, BENCH_LACPY)},
    {.name = "laset", OP(laset, BENCH_LASET)},
    {.name = "lascl", OP(lascl, BENCH_LASCL), .real_scalars = true},
    {.name = "lange", OP(lange, BENCH_NORM)},
    {.name = "lansy", OP(lansy, BENCH_NORM)},
    {.name = "lanhe", OP(lansy, BENCH_NORM), .dtypes = C_Z, .conj = true},
    {.name = "lantr", OP(lantr, BENCH_NORM)},
    {.name = "potrf", OP(potrf, BENCH_POTRF)},
    {.name = "potrs", OP(potrs, BENCH_POTRS)},
    {.name = "posv", OP(posv, BENCH_POSV)},
    {.name = "potri", OP(potri, BENCH_POTRI)},
    {.name = "trtrs", OP(trtrs, BENCH_TRTRS)},
    {.name = "trtri", OP(trtri, BENCH_TRTRI)},
    {.name = "lauum", OP(lauum, BENCH_LAUUM)},
    {.name = "laswp", OP(laswp, BENCH_LASWP)},
    {.name = "getrf", OP(getrf, BENCH_GETRF)},
    {.name = "getrs", OP(getrs, BENCH_GETRS)},
    {.name = "gesv", OP(gesv, BENCH_GESV)},
    {.name = "getri", OP(getri, BENCH_GETRI)},
    {.name = "geqrf", OP(geqrf, BENCH_GEQRF)},
    {.name = "ormqr", OP(ormqr, BENCH_ORMQR), .complex_name = "unmqr"},
    {.name = "unmqr", OP(ormqr, BENCH_ORMQR), .dtypes = C_Z, .unlisted = true},
    {.name = "orgqr", OP(orgqr, BENCH_ORGQR), .complex_name = "ungqr"},
    {.name = "ungqr", OP(orgqr, BENCH_ORGQR), .dtypes = C_Z, .unlisted = true},
    {.name = "gelqf", OP(gelqf, BENCH_GELQF)},
    {.name = "ormlq", OP(ormlq, BENCH_ORMLQ), .complex_name = "unmlq"},
    {.name = "unmlq", OP(ormlq, BENCH_ORMLQ), .dtypes = C_Z, .unlisted = true},
    {.name = "orglq", OP(orglq, BENCH_ORGLQ), .complex_name = "unglq"},
    {.name = "unglq", OP(orglq, BENCH_ORGLQ), .dtypes = C_Z, .unlisted = true},
    {.name = "sytrd", OP(sytrd, BENCH_SYTRD), .complex_name = "hetrd"},
    {.name = "hetrd", OP(sytrd, BENCH_SYTRD), .dtypes = C_Z, .unlisted = true},
    {.name = "gehrd", OP(gehrd, BENCH_GEHRD)},
    {.name = "syevd", OP(syevd, BENCH_SYEVD), .complex_name = "heevd"},
    {.name = "heevd", OP(syevd, BENCH_SYEVD), .dtypes = C_Z, .unlisted = true},
    {.name = "syevd_values",
     OP(syevd, BENCH_SYEVD),
     .complex_name = "heevd_values",
     .values_only = true},
    {.name = "syevx", OP(syevx, BENCH_SYEVX), .complex_name = "heevx"},
    {.name = "heevx", OP(syevx, BENCH_SYEVX), .dtypes = C_Z, .unlisted = true},
    {.name = "syevx_values",
     OP(syevx, BENCH_SYEVX),
     .complex_name = "heevx_values",
     .values_only = true},
    {.name = "sygvd", OP(sygvd, BENCH_SYGVD), .complex_name = "hegvd"},
    {.name = "hegvd", OP(sygvd, BENCH_SYGVD), .dtypes = C_Z, .unlisted = true},
    {.name = "gesdd", OP(gesdd, BENCH_GESDD)},
    {.name = "gesdd_values", OP(gesdd, BENCH_GESDD), .values_only = true},
    {.name = "gesvd", OP(gesvd, BENCH_GESDD)},
    {.name = "gesvd_values", OP(gesvd, BENCH_GESDD), .values_only = true},
    {.name = "bdsdc", OP(bdsdc, BENCH_BDSDC)},
    {.name = "bdsdc_values", OP(bdsdc, BENCH_BDSDC), .values_only = true},
    {.name = "gels", OP(gels, BENCH_GELS)},
    {.name = "larfg", OP(larfg, BENCH_LARFG)},
    {.name = "larft", OP(larft, BENCH_LARFT)},
    {.name = "larfb", OP(larfb, BENCH_LARFB)},
    {.name = "gebrd", OP(gebrd, BENCH_GEBRD)},
    {.name = "orgtr", OP(orgtr, BENCH_ORGTR), .complex_name = "ungtr"},
    {.name = "ungtr", OP(orgtr, BENCH_ORGTR), .dtypes = C_Z, .unlisted = true},
    {.name = "orghr", OP(orghr, BENCH_ORGHR), .complex_name = "unghr"},
    {.name = "unghr", OP(orghr, BENCH_ORGHR), .dtypes = C_Z, .unlisted = true},
    {.name = "orgbr", OP(orgbr, BENCH_ORGBR), .complex_name = "ungbr"},
    {.name = "ungbr", OP(orgbr, BENCH_ORGBR), .dtypes = C_Z, .unlisted = true},
    {.name = "ormtr", OP(ormtr, BENCH_ORMTR), .complex_name = "unmtr"},
    {.name = "unmtr", OP(ormtr, BENCH_ORMTR), .dtypes = C_Z, .unlisted = true},
    {.name = "ormhr", OP(ormhr, BENCH_ORMHR), .complex_name = "unmhr"},
    {.name = "unmhr", OP(ormhr, BENCH_ORMHR), .dtypes = C_Z, .unlisted = true},
    {.name = "ormbr", OP(ormbr, BENCH_ORMBR), .complex_name = "unmbr"},
    {.name = "unmbr", OP(ormbr, BENCH_ORMBR), .dtypes = C_Z, .unlisted = true},
};
#define OPS (sizeof ops / sizeof ops[0])

/* ---- What the op's description says ---- */

bool bench_op_takes(const bench_op *op, gbl_kind kind)
{
    for (int i = 0; i < op->op->operand_count; i++)
        if (op->op->operands[i].kind == kind && !(kind == GBL_UPLO && op->op->operands[i].optional))
            return true;
    return false;
}

bool bench_op_takes_pairs(const bench_op *op)
{
    int count = 0;
    for (int i = 0; i < op->op->operand_count; i++)
        count += op->op->operands[i].kind == GBL_TRANS;
    return bench_op_is_product(op) && count == 2;
}

bool bench_op_is_triangular(const bench_op *op)
{
    switch (op->formula) {
    case BENCH_TRMV:
    case BENCH_TRSV:
    case BENCH_TRMM:
    case BENCH_TRSM:
    case BENCH_POTRS:
    case BENCH_GETRS:
    case BENCH_TRTRS:
    case BENCH_POTRF:
    case BENCH_POSV:
    case BENCH_POTRI:
    case BENCH_TRTRI:
    case BENCH_SYTRD:
    case BENCH_LAUUM:
    case BENCH_GETRI:
        return true;
    default:
        return false;
    }
}

bool bench_has_ones(const bench_op *op, bench_role role)
{
    return op->formula == BENCH_SYGVD ? role == BENCH_B
                                      : role == BENCH_A && bench_op_is_triangular(op);
}

bool bench_op_factors(const bench_op *op)
{
    return op->formula >= BENCH_POTRF;
}

bool bench_op_has_ratio(const bench_op *op)
{
    return op->formula >= BENCH_LASWP && op->formula != BENCH_POTRF;
}

bool bench_op_is_norm(const bench_op *op)
{
    return op->formula == BENCH_NORM;
}

bool bench_op_is_singular(const bench_op *op)
{
    return op->formula == BENCH_GESDD || op->formula == BENCH_BDSDC;
}

bool bench_op_reads_reflectors(const bench_op *op)
{
    return op->formula == BENCH_ORMQR || op->formula == BENCH_ORGQR || op->formula == BENCH_LARFT ||
           op->formula == BENCH_LARFB || bench_op_has_rows_of_reflectors(op) ||
           bench_op_reads_reduction(op);
}

bool bench_op_reads_reduction(const bench_op *op)
{
    switch (op->formula) {
    case BENCH_ORGTR:
    case BENCH_ORGHR:
    case BENCH_ORGBR:
    case BENCH_ORMTR:
    case BENCH_ORMHR:
    case BENCH_ORMBR:
        return true;
    default:
        return false;
    }
}

bool bench_op_has_rows_of_reflectors(const bench_op *op)
{
    return op->formula == BENCH_ORMLQ || op->formula == BENCH_ORGLQ;
}

static const gbl_operand *find(const bench_op *op, size_t at)
{
    for (int i = 0; i < op->op->operand_count; i++)
        if (op->op->operands[i].at == at)
            return &op->op->operands[i];
    return NULL;
}

const gbl_operand *bench_operand(const bench_op *op, bench_role role)
{
    static const size_t in_vector[BENCH_ROLES] = {
        [BENCH_X] = VECTOR_AT(x),           [BENCH_Y] = VECTOR_AT(y),
        [BENCH_W] = VECTOR_AT(w),           [BENCH_VALUES] = VECTOR_AT(values_at),
        [BENCH_RESULT] = VECTOR_AT(result),
    };
    static const size_t in_matrix[BENCH_ROLES] = {
        [BENCH_A] = MATRIX_AT(A), [BENCH_B] = MATRIX_AT(B), [BENCH_C] = MATRIX_AT(C),
        [BENCH_X] = MATRIX_AT(x), [BENCH_Y] = MATRIX_AT(y),
    };
    static const size_t in_product[BENCH_ROLES] = {
        [BENCH_A] = PRODUCT_AT(A),         [BENCH_B] = PRODUCT_AT(B),
        [BENCH_C] = PRODUCT_AT(C),         [BENCH_TAU] = PRODUCT_AT(tau),
        [BENCH_TAUP] = PRODUCT_AT(taup),   [BENCH_D] = PRODUCT_AT(d),
        [BENCH_E] = PRODUCT_AT(e),         [BENCH_IPIV] = PRODUCT_AT(ipiv),
        [BENCH_RESULT] = PRODUCT_AT(info),
    };
    const size_t *places = bench_op_is_product(op)   ? in_product
                           : bench_op_has_matrix(op) ? in_matrix
                                                     : in_vector;
    size_t at = places[role];
    if (bench_op_is_norm(op) && role >= BENCH_C) /* the result is where others have C */
        at = role == BENCH_RESULT ? PRODUCT_AT(C) : 0;
    return at != 0 ? find(op, at) : NULL;
}

/* A scalar right before what is changed is what that is multiplied by; of matrices' ops it is 0
 * here. */
static bool is_only_written(const bench_op *op, const gbl_operand *operand)
{
    return bench_op_has_matrix(op) && operand > op->op->operands &&
           operand[-1].kind == GBL_SCALAR && operand->access == GBL_READ_WRITE;
}

bool bench_reads(const bench_op *op, bench_role role)
{
    const gbl_operand *operand = bench_operand(op, role);
    return operand != NULL && operand->access & GBL_READ && !is_only_written(op, operand);
}

bool bench_op_takes_beta(const bench_op *op)
{
    const gbl_operand *output = bench_operand(op, BENCH_C);
    return bench_op_is_product(op) && output != NULL && is_only_written(op, output);
}

bool bench_case_reads(const bench_case *what, bench_role role)
{
    return bench_reads(what->op, role) || (what->beta != 0 && role == bench_written(what->op));
}

bool bench_writes(const bench_op *op, bench_role role)
{
    const gbl_operand *operand = bench_operand(op, role);
    return operand != NULL && operand->access & GBL_WRITE;
}

bench_role bench_written(const bench_op *op)
{
    const bool second = op->formula == BENCH_GELS || (bench_op_is_singular(op) && !op->values_only);
    const bool third = op->formula == BENCH_SYEVX && !op->values_only;
    int role = third ? BENCH_C : second ? BENCH_B : BENCH_A;
    while (role < BENCH_RESULT && !bench_writes(op, (bench_role)role))
        role++;
    return (bench_role)role;
}

bool bench_op_takes_columns(const bench_op *op)
{
    const gbl_operand *x = bench_operand(op, BENCH_X);
    return x != NULL && x->kind == GBL_MATRIX;
}

gbl_storage bench_op_storage(const bench_op *op)
{
    const bool may = bench_op_has_matrix(op) && !bench_op_is_product(op);
    const gbl_operand *stored = may ? find(op, MATRIX_AT(storage)) : NULL;
    return stored != NULL ? (gbl_storage)stored->value : GBL_FULL;
}

bool bench_op_takes_band(const bench_op *op)
{
    return bench_op_storage(op) == GBL_BAND;
}

unsigned bench_op_dtypes(const bench_op *op)
{
    return op->dtypes != 0 ? op->dtypes : op->op->dtypes != 0 ? op->op->dtypes : ALL;
}

bench_result_kind bench_op_result(const bench_op *op)
{
    const gbl_operand *result = bench_operand(op, BENCH_RESULT);
    if (result == NULL)
        return BENCH_NO_RESULT;
    if (result->element == gbl_real_element || result->element == gbl_norm_element)
        return BENCH_REAL;
    if (result->element == gbl_position_element)
        return BENCH_POSITION;
    if (result->element == gbl_info_element)
        return BENCH_INFO;
    return op->wide_result ? BENCH_DOUBLE : BENCH_ELEMENT;
}

bench_roof_kind bench_op_roof(const bench_op *op)
{
    bool reads = false, reads_matrix = bench_op_takes_columns(op);
    for (int role = BENCH_A; role < BENCH_RESULT; role++) {
        reads = reads || bench_reads(op, (bench_role)role);
        reads_matrix = reads_matrix || (role <= BENCH_C && bench_reads(op, (bench_role)role));
    }
    const bench_role output = bench_written(op);
    if (!reads)
        return BENCH_ROOF_WRITE;
    return output == BENCH_RESULT || (output > BENCH_C && reads_matrix) ? BENCH_ROOF_READ
                                                                        : BENCH_ROOF_COPY;
}

size_t bench_op_roof_bytes(const bench_op *op, const gbl_work *work)
{
    const bool writes = bench_written(op) != BENCH_RESULT;
    return (size_t)(work->bytes_read + (writes ? work->bytes_written : 0));
}

gable_status bench_op_run(const bench_op *op, gable_context *ctx, const bench_call *call)
{
    if (op->run != NULL)
        return op->run(ctx, op->name, &call->vector);
    if (op->formula == BENCH_SYEVX) /* it has two results */
        return gbl_syevx(ctx, op->name, &call->product);
    if (bench_op_result(op) == BENCH_INFO)
        return gbl_info_run(ctx, op->name, op->op, &call->product);
    if (bench_op_is_norm(op))
        return gbl_norm_call(ctx, op->name, op->op, &call->product);
    return bench_op_result(op) != BENCH_NO_RESULT
               ? gbl_vector_result(ctx, op->name, op->op, &call->vector)
               : gbl_call_run(ctx, op->name, op->op, call);
}

/* ---- Names ---- */

void bench_op_typed_name(const bench_op *op, gbl_dtype dtype, char *text, size_t text_bytes)
{
    static const char *const plain[] = {"s", "d", "c", "z"};
    static const char *const mixed[] = {"s", "d", "sc", "dz"};
    static const char *const index[] = {"is", "id", "ic", "iz"};
    const bench_result_kind result = bench_op_is_norm(op) ? BENCH_NO_RESULT : bench_op_result(op);
    const char *const *letters = result == BENCH_REAL       ? mixed
                                 : result == BENCH_POSITION ? index
                                                            : plain;
    const bool other = op->complex_name != NULL && gbl_dtype_complex(dtype);
    snprintf(text, text_bytes, "%s%s", op->whole_name ? "" : letters[dtype],
             other ? op->complex_name : op->name);
}

bool bench_op_find(const char *word, unsigned dtypes, bench_wanted *wanted)
{
    for (size_t i = 0; i < OPS; i++) {
        const bench_op *op = wanted->op = &ops[i];
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            char typed[32];
            bench_op_typed_name(op, (gbl_dtype)dtype, typed, sizeof typed);
            wanted->dtypes = 1u << dtype;
            if ((bench_op_dtypes(op) >> dtype & 1) && strcmp(word, typed) == 0)
                return true;
        }
        wanted->dtypes = bench_op_dtypes(op) & dtypes;
        if (strcmp(word, op->name) == 0 || (op->alias != NULL && strcmp(word, op->alias) == 0))
            return true;
    }
    return false;
}

void bench_op_names(char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < OPS; i++) {
        const size_t used = strlen(text);
        if (!ops[i].unlisted)
            snprintf(text + used, text_bytes - used, "%s%s", used > 0 ? ", " : "", ops[i].name);
    }
}
