/* cpu_lapack.c: finds the LAPACK that is installed on this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_LAPACK decides alone when it is set: "none" means that there is none, and a wrong value
 * means none and a reason, never another library. Otherwise the BLAS's own library is asked, as
 * OpenBLAS and MKL carry a LAPACK that uses their kernels; then liblapack.so.3. A library counts
 * that has dpotrf_ and takes 32-bit integers.
 */
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "device/cpu_team.h"
#include "device/dynlib.h"
#include "device/environment.h"
#include "gable/types.h"

static const char *const candidates[] = {"liblapack.so.3", "liblapack.so"};

/* Written once, under `once`. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static gbl_cpu_lapack functions;
static bool found;
static _Atomic(const gbl_cpu_lapack *) ready; /* &functions, once they are found */
static char name[256] = "no LAPACK found";
static char reason[1024];
static int missing; /* functions */

/* A routine: its name in real and in complex precisions, without the letter. */
#define SAME(stem)                                                                                 \
    {                                                                                              \
#stem, #stem, #stem, offsetof(gbl_cpu_lapack, stem)                                        \
    }
#define TWO(stem, real, complex)                                                                   \
    {                                                                                              \
#stem, #real, #complex, offsetof(gbl_cpu_lapack, stem)                                     \
    }
/* One that exists in real precisions alone. */
#define REAL(stem)                                                                                 \
    {                                                                                              \
#stem, #stem, NULL, offsetof(gbl_cpu_lapack, stem)                                         \
    }
static const struct {
    const char *stem, *real, *complex;
    size_t at; /* in the table: four functions */
} symbols[] = {
    SAME(potrf),
    SAME(potrs),
    SAME(posv),
    SAME(potri),
    SAME(getrf),
    SAME(getrs),
    SAME(gesv),
    SAME(getri),
    SAME(geqrf),
    SAME(gelqf),
    TWO(orgqr, orgqr, ungqr),
    TWO(orglq, orglq, unglq),
    TWO(ormqr, ormqr, unmqr),
    TWO(ormlq, ormlq, unmlq),
    SAME(gebrd),
    TWO(orgtr, orgtr, ungtr),
    TWO(orghr, orghr, unghr),
    TWO(orgbr, orgbr, ungbr),
    TWO(ormtr, ormtr, unmtr),
    TWO(ormhr, ormhr, unmhr),
    TWO(ormbr, ormbr, unmbr),
    SAME(gels),
    REAL(bdsdc),
    SAME(gesdd),
    SAME(gesvd),
    TWO(sytrd, sytrd, hetrd),
    SAME(gehrd),
    SAME(trtri),
    SAME(lauum),
    SAME(trtrs),
    SAME(laswp),
    SAME(lange),
    SAME(lansy),
    TWO(lanhe, lansy, lanhe),
    SAME(lantr),
    SAME(lascl),
    SAME(lacpy),
    SAME(laset),
    SAME(larfg),
    SAME(larft),
    SAME(larfb),
    REAL(sterf),
    SAME(stedc),
    TWO(syevd, syevd, heevd),
    TWO(sygst, sygst, hegst),
    TWO(sygvd, sygvd, hegvd),
    TWO(syevx, syevx, heevx),
};
#undef SAME
#undef TWO
#undef REAL
#define SYMBOLS (sizeof symbols / sizeof symbols[0])

int gbl_cpu_lapack_load(void *library, gbl_cpu_lapack *table)
{
    int lacks = 0;
    for (size_t i = 0; i < SYMBOLS; i++) {
        for (int dtype = 0; dtype < GBL_DTYPES; dtype++) {
            const bool complex = gbl_dtype_complex((gbl_dtype)dtype);
            const char *const plain = complex ? symbols[i].complex : symbols[i].real;
            char full[32];
            void *loaded = NULL;
            if (plain == NULL)
                continue;
            snprintf(full, sizeof full, "%c%s_", gbl_dtype_letter((gbl_dtype)dtype), plain);
            const gbl_symbol symbol = {.name = full, .slot = &loaded, .optional = true};
            gbl_dynlib_load(library, &symbol, 1);
            memcpy((char *)table + symbols[i].at + (size_t)dtype * sizeof loaded, &loaded,
                   sizeof loaded);
            lacks += loaded == NULL;
        }
    }
    return lacks;
}

/* Whether the library takes 64-bit integers (ILP64) under the plain names: dlaset is asked with a
 * number of rows that is 1 in its low half and negative as a whole. One reading sets an element,
 * the other none. On machines whose low half comes second nobody can ask like this. */
static bool takes_wide_integers(const gbl_cpu_lapack *table)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const int64_t rows = -((int64_t)1 << 32) + 1, one = 1;
    const double alpha = 2, beta = 2;
    double element = 0;
    int narrow[2], unit[2];
    if (table->laset[GBL_D] == NULL)
        return false;
    memcpy(narrow, &rows, sizeof rows);
    memcpy(unit, &one, sizeof one);
    table->laset[GBL_D]("A", narrow, unit, &alpha, &beta, &element, unit, 1);
    return element != 2;
#else
    (void)table;
    return false;
#endif
}

/* Functions that a whole library has. */
static int all_functions(void)
{
    int count = 0;
    for (size_t i = 0; i < SYMBOLS; i++)
        count += symbols[i].complex != NULL ? GBL_DTYPES : GBL_DTYPES / 2;
    return count;
}

/* The version that the library tells, and where it is from. */
static void read_version(void *library, const char *from)
{
    void (*version)(int *, int *, int *) = NULL;
    const gbl_symbol symbol = {.name = "ilaver_", .slot = &version, .optional = true};
    int major = 0, minor = 0, patch = 0, used;
    gbl_dynlib_load(library, &symbol, 1);
    if (version != NULL)
        version(&major, &minor, &patch);
    if (major > 0)
        used = snprintf(name, sizeof name, "LAPACK %d.%d.%d of %.150s", major, minor, patch, from);
    else
        used = snprintf(name, sizeof name, "LAPACK of %.200s", from);
    if (missing > 0 && used > 0 && (size_t)used < sizeof name)
        snprintf(name + used, sizeof name - (size_t)used, " (without %d of %d functions)", missing,
                 all_functions());
}

/* Takes an open library; on failure the reason is the words that follow its name in a sentence. */
static bool take(void *library, const char *from, char *why, size_t why_bytes)
{
    missing = gbl_cpu_lapack_load(library, &functions);
    if (functions.potrf[GBL_D] == NULL) {
        snprintf(why, why_bytes, "has no function dpotrf_");
    } else if (takes_wide_integers(&functions)) {
        snprintf(why, why_bytes, "takes 64-bit integers (ILP64); the 32-bit (LP64) one is needed");
    } else {
        read_version(library, from);
        return true;
    }
    memset(&functions, 0, sizeof functions);
    return false;
}

static bool open_one(const char *file, bool *there, char *why, size_t why_bytes)
{
    const char *loader = NULL;
    void *library = gbl_dynlib_open(file, true, &loader);
    *there = library != NULL;
    if (library == NULL)
        snprintf(why, why_bytes, "cannot be opened (%s)", loader);
    else if (take(library, file, why, why_bytes))
        return true;
    gbl_dynlib_close(library);
    return false;
}

static void find_wanted(const char *wanted)
{
    char why[512];
    bool there;
    if (strcmp(wanted, "none") == 0) {
        snprintf(reason, sizeof reason,
                 "GABLE_LAPACK is \"none\"; unset it to take the LAPACK that is installed");
        return;
    }
    found = open_one(wanted, &there, why, sizeof why);
    if (!found)
        snprintf(reason, sizeof reason,
                 "GABLE_LAPACK is \"%.300s\", which %s; correct it, or unset it to take the LAPACK "
                 "that is installed",
                 wanted, why);
}

static void find(void)
{
    char why[512] = "", flaw[600] = "";
    bool there;
    const char *wanted = gbl_getenv_path("GABLE_LAPACK");
    if (wanted != NULL && wanted[0] != '\0') {
        find_wanted(wanted);
        return;
    }
    void *blas = gbl_cpu_blas_library();
    found = blas != NULL && take(blas, "the BLAS", why, sizeof why);
    for (size_t i = 0; !found && i < sizeof candidates / sizeof candidates[0]; i++) {
        found = open_one(candidates[i], &there, why, sizeof why);
        if (!found && there)
            snprintf(flaw, sizeof flaw, " (%s %s)", candidates[i], why);
    }
    if (!found)
        snprintf(reason, sizeof reason,
                 "neither the BLAS nor liblapack.so.3 has a usable LAPACK%s; install one "
                 "(libopenblas0 or liblapack3 on Debian) or set GABLE_LAPACK to its path",
                 flaw);
}

const gbl_cpu_lapack *gbl_cpu_lapack_get(void)
{
    const gbl_cpu_lapack *known = atomic_load_explicit(&ready, memory_order_acquire);
    if (known != NULL)
        return known;
    pthread_once(&once, find);
    if (found)
        atomic_store_explicit(&ready, &functions, memory_order_release);
    return found ? &functions : NULL;
}

const char *gbl_cpu_lapack_name(void)
{
    pthread_once(&once, find);
    return name;
}

const char *gbl_cpu_lapack_reason(void)
{
    pthread_once(&once, find);
    return reason;
}

bool gbl_cpu_lapack_has(const char *stem, gbl_dtype dtype)
{
    if (gbl_cpu_lapack_get() == NULL)
        return false;
    for (size_t i = 0; i < SYMBOLS; i++) {
        void *loaded;
        if (strcmp(symbols[i].stem, stem) != 0)
            continue;
        memcpy(&loaded, (const char *)&functions + symbols[i].at + (size_t)dtype * sizeof loaded,
               sizeof loaded);
        return loaded != NULL;
    }
    return false;
}

bool gbl_cpu_lapack_fits(const char *stem, gbl_dtype dtype, const int64_t *integers, int count)
{
    for (int i = 0; i < count; i++)
        if (integers[i] < 0 || integers[i] > INT_MAX)
            return false;
    return !omp_in_parallel() && !gbl_cpu_is_serial() && gbl_cpu_lapack_has(stem, dtype);
}

/* ---- Arguments ---- */

const char *gbl_lapack_trans(int trans)
{
    return trans == GABLE_NO_TRANS ? "N" : trans == GABLE_TRANS ? "T" : "C";
}

const char *gbl_lapack_uplo(int uplo)
{
    return uplo == GABLE_UPPER ? "U" : "L";
}

const char *gbl_lapack_diag(int diag)
{
    return diag == GABLE_UNIT ? "U" : "N";
}

const char *gbl_lapack_side(int side)
{
    return side == GABLE_RIGHT ? "R" : "L";
}

/* ---- Singular values ---- */

typedef void real_gesdd(const char *jobz, const int *m, const int *n, void *A, const int *lda,
                        void *s, void *U, const int *ldu, void *Vt, const int *ldvt, void *work,
                        const int *lwork, int *iwork, int *info, size_t jobz_length);
typedef void complex_gesdd(const char *jobz, const int *m, const int *n, void *A, const int *lda,
                           void *s, void *U, const int *ldu, void *Vt, const int *ldvt, void *work,
                           const int *lwork, void *rwork, int *iwork, int *info,
                           size_t jobz_length);
typedef void real_gesvd(const char *jobu, const char *jobvt, const int *m, const int *n, void *A,
                        const int *lda, void *s, void *U, const int *ldu, void *Vt, const int *ldvt,
                        void *work, const int *lwork, int *info, size_t jobu_length,
                        size_t jobvt_length);
typedef void complex_gesvd(const char *jobu, const char *jobvt, const int *m, const int *n, void *A,
                           const int *lda, void *s, void *U, const int *ldu, void *Vt,
                           const int *ldvt, void *work, const int *lwork, void *rwork, int *info,
                           size_t jobu_length, size_t jobvt_length);

int gbl_lapack_gesdd(gbl_dtype dtype, const gbl_lapack_svd *c)
{
    gbl_lapack_singular *function = gbl_cpu_lapack_get()->gesdd[dtype];
    int info = 0;
    if (gbl_dtype_complex(dtype))
        ((complex_gesdd *)function)(&c->jobu, &c->m, &c->n, c->A, &c->lda, c->s, c->U, &c->ldu,
                                    c->Vt, &c->ldvt, c->work, &c->lwork, c->rwork, c->iwork, &info,
                                    1);
    else
        ((real_gesdd *)function)(&c->jobu, &c->m, &c->n, c->A, &c->lda, c->s, c->U, &c->ldu, c->Vt,
                                 &c->ldvt, c->work, &c->lwork, c->iwork, &info, 1);
    return info;
}

int gbl_lapack_gesvd(gbl_dtype dtype, const gbl_lapack_svd *c)
{
    gbl_lapack_singular *function = gbl_cpu_lapack_get()->gesvd[dtype];
    int info = 0;
    if (gbl_dtype_complex(dtype))
        ((complex_gesvd *)function)(&c->jobu, &c->jobvt, &c->m, &c->n, c->A, &c->lda, c->s, c->U,
                                    &c->ldu, c->Vt, &c->ldvt, c->work, &c->lwork, c->rwork, &info,
                                    1, 1);
    else
        ((real_gesvd *)function)(&c->jobu, &c->jobvt, &c->m, &c->n, c->A, &c->lda, c->s, c->U,
                                 &c->ldu, c->Vt, &c->ldvt, c->work, &c->lwork, &info, 1, 1);
    return info;
}

/* ---- Norms ---- */

/* Functions of Fortran give a REAL as a float: gfortran, flang and ifort do. */
typedef float single_lange(const char *norm, const int *m, const int *n, const void *A,
                           const int *lda, void *work, size_t norm_length);
typedef double double_lange(const char *norm, const int *m, const int *n, const void *A,
                            const int *lda, void *work, size_t norm_length);
typedef float single_lansy(const char *norm, const char *uplo, const int *n, const void *A,
                           const int *lda, void *work, size_t norm_length, size_t uplo_length);
typedef double double_lansy(const char *norm, const char *uplo, const int *n, const void *A,
                            const int *lda, void *work, size_t norm_length, size_t uplo_length);
typedef float single_lantr(const char *norm, const char *uplo, const char *diag, const int *m,
                           const int *n, const void *A, const int *lda, void *work,
                           size_t norm_length, size_t uplo_length, size_t diag_length);
typedef double double_lantr(const char *norm, const char *uplo, const char *diag, const int *m,
                            const int *n, const void *A, const int *lda, void *work,
                            size_t norm_length, size_t uplo_length, size_t diag_length);

static bool in_single(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == sizeof(float);
}

double gbl_lapack_lange(gbl_dtype dtype, char norm, int m, int n, const void *A, int lda,
                        void *work)
{
    gbl_lapack_norm *function = gbl_cpu_lapack_get()->lange[dtype];
    return in_single(dtype) ? (double)((single_lange *)function)(&norm, &m, &n, A, &lda, work, 1)
                            : ((double_lange *)function)(&norm, &m, &n, A, &lda, work, 1);
}

double gbl_lapack_lansy(gbl_dtype dtype, bool hermitian, char norm, const char *uplo, int n,
                        const void *A, int lda, void *work)
{
    const gbl_cpu_lapack *lapack = gbl_cpu_lapack_get();
    gbl_lapack_norm *function = hermitian ? lapack->lanhe[dtype] : lapack->lansy[dtype];
    return in_single(dtype)
               ? (double)((single_lansy *)function)(&norm, uplo, &n, A, &lda, work, 1, 1)
               : ((double_lansy *)function)(&norm, uplo, &n, A, &lda, work, 1, 1);
}

double gbl_lapack_lantr(gbl_dtype dtype, char norm, const char *uplo, const char *diag, int m,
                        int n, const void *A, int lda, void *work)
{
    gbl_lapack_norm *function = gbl_cpu_lapack_get()->lantr[dtype];
    return in_single(dtype)
               ? (double)((single_lantr *)function)(&norm, uplo, diag, &m, &n, A, &lda, work, 1, 1,
                                                    1)
               : ((double_lantr *)function)(&norm, uplo, diag, &m, &n, A, &lda, work, 1, 1, 1);
}
