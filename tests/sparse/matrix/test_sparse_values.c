/* test_sparse_values.c: other values in the places that a matrix has; arrays used in place.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_model.h"

static gable_context *ctx;

static gable_status sparse_set(gbl_dtype dtype, gable_sparse *A, const void *values)
{
    return dtype == GBL_S   ? gable_sparse_sset_values(ctx, A, values)
           : dtype == GBL_D ? gable_sparse_dset_values(ctx, A, values)
           : dtype == GBL_C ? gable_sparse_cset_values(ctx, A, values)
                            : gable_sparse_zset_values(ctx, A, values);
}

/* New values show in the entries, the statistics and the transpose; those in place on cpu are the
 * caller's own array. */
static void values(gbl_dtype dtype, bool in_place)
{
    const bool host = strcmp(test_device(), "cpu") == 0;
    const way how = {.bits = dtype == GBL_S || dtype == GBL_C ? 32 : 64};
    model m = model_random(60, 60, 0.2, 7, 31);
    gable_sparse *A = NULL, *transpose = NULL, *before = NULL;
    gable_sparse_info info;
    arrays a;
    test_case("%c: other values, %s", gbl_dtype_letter(dtype), in_place ? "in place" : "copied");
    for (int64_t i = 0; i < m.rows; i++) /* not symmetric */
        for (int64_t e = m.start[i]; e < m.start[i + 1]; e++)
            m.value[e] = (number){.re = (double)(1 + e % 9)};
    if (arrays_make(ctx, dtype, &m, &how, &a) &&
        CHECK_OK(ctx, sparse_csr(ctx, dtype, m.rows, m.columns, m.entries, how.bits, a.first,
                                 a.column, a.values, in_place ? GABLE_SPARSE_IN_PLACE : 0, &A))) {
        CHECK((A->layout.value == a.values) == (in_place && host), "the array %s the caller's",
              A->layout.value == a.values ? "is" : "is not");
        CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info));
        CHECK_OK(ctx, gbl_sparse_transpose(ctx, A, &before));
        CHECK(!info.symmetric, "it is symmetric");
        for (int64_t e = 0; e < m.entries; e++) {
            m.value[e] = (number){0};
            element_put(dtype, a.values, e, m.value[e]);
        }
        CHECK_OK(ctx, sparse_set(dtype, A, a.values));
        check_same(ctx, dtype, A, &m);
        CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info));
        CHECK(info.symmetric && info.empty_diagonal == m.rows, "old statistics");
        if (CHECK_OK(ctx, gbl_sparse_transpose(ctx, A, &transpose))) {
            char *back = malloc((size_t)m.entries * gbl_dtype_bytes(dtype));
            CHECK_OK(ctx, sparse_get(ctx, dtype, transpose, NULL, NULL, back));
            int64_t old = 0;
            for (int64_t e = 0; e < m.entries; e++)
                old += !(element_get(dtype, back, e).re == 0);
            CHECK(old == 0, "%lld entries of the transpose are old", (long long)old);
            free(back);
        }
        CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
        A = NULL;
        if (in_place) /* still the caller's, and as they were */
            CHECK(element_get(dtype, a.values, 0).re == 0, "values were changed");
    }
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    arrays_free(&a);
    model_free(&m);
}

/* What cannot be used in place is copied; what cannot be set is refused. */
static void value_arguments(void)
{
    const int32_t start[3] = {0, 2, 3}, column[3] = {1, 0, 1};
    const double given[3] = {1, 2, 3};
    const char *name = "gable_sparse_dset_values";
    const float single[3] = {0};
    gable_sparse *A = NULL, *ell = NULL;
    double back[3] = {0};
    test_case("arguments of set");
    CHECK_REFUSED(ctx, gable_sparse_dset_values(ctx, NULL, given), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (A)", "NULL");
    if (!CHECK_OK(ctx, gable_sparse_dcsr(ctx, 2, 2, 3, 32, start, column, given,
                                         GABLE_SPARSE_IN_PLACE, &A)))
        return;
    CHECK(A->layout.value != given, "an unsorted row is used in place");
    CHECK_REFUSED(ctx, gable_sparse_dset_values(ctx, A, NULL), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (values)", "NULL");
    CHECK_REFUSED(ctx, gable_sparse_sset_values(ctx, A, single), GABLE_BAD_ARGUMENT,
                  "gable_sparse_sset_values", "argument 2 (A)", "precision d");
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_REFUSED(ctx, gable_sparse_dset_values(ctx, A, given), GABLE_NOT_RECORDABLE, name,
                  "recording");
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
    CHECK_OK(ctx, gable_sparse_dget(ctx, A, NULL, NULL, back));
    CHECK(back[0] == 2 && back[1] == 1 && back[2] == 3, "%g %g %g", back[0], back[1], back[2]);
    if (CHECK_OK(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &ell)))
        CHECK_REFUSED(ctx, gable_sparse_dset_values(ctx, ell, given), GABLE_NOT_SUPPORTED, name,
                      "convert again");
    CHECK_OK(ctx, gable_sparse_destroy(ctx, ell));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
}

int main(void)
{
    test_start("test_sparse_values");
    ctx = test_open();
    for (int d = 0; d < GBL_DTYPES; d++) {
        values((gbl_dtype)d, false);
        values((gbl_dtype)d, true);
    }
    value_arguments();
    gable_close(ctx);
    return test_finish();
}
