/* cpu_blas.c: finds the BLAS that is installed on this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_BLAS decides alone when it is set: a wrong value means no BLAS and a reason, never another
 * library. Otherwise the first that opens, has cblas_ddot and takes 32-bit integers. It is opened once
 * and never closed, because its threads live as long as the process.
 */
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cpu_blas.h"
#include "device/cpu_team.h"
#include "device/dynlib.h"
#include "device/environment.h"

static const char *const candidates[] = {
    "libopenblas.so.0", "libopenblas.so",                 /* OpenBLAS */
    "libblis.so.4",     "libblis.so.3",   "libblis.so",   /* BLIS */
    "libmkl_rt.so.3",   "libmkl_rt.so.2", "libmkl_rt.so", /* MKL */
    "libcblas.so.3",    "libblas.so.3",   "libblas.so",   /* reference; Debian's has both in one */
};

/* Written once, under `once`. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static gbl_cpu_blas functions;
static bool found;
static _Atomic(const gbl_cpu_blas *) ready; /* &functions, once they are found */
static char name[256] = "no BLAS found";
static char reason[1024];

/* A function of the library, and whose it is: the stem and the precision of a routine. Its task needs all that are
 * the same in both. */
static const struct {
    const char *name, *stem;
    char precision;
    void *slot;
} symbols[] = {
    {.name = "cblas_scopy", .stem = "copy", .precision = 's', .slot = &functions.scopy},
    {.name = "cblas_dcopy", .stem = "copy", .precision = 'd', .slot = &functions.dcopy},
    {.name = "cblas_ccopy", .stem = "copy", .precision = 'c', .slot = &functions.ccopy},
    {.name = "cblas_zcopy", .stem = "copy", .precision = 'z', .slot = &functions.zcopy},
    {.name = "cblas_saxpy", .stem = "axpy", .precision = 's', .slot = &functions.saxpy},
    {.name = "cblas_daxpy", .stem = "axpy", .precision = 'd', .slot = &functions.daxpy},
    {.name = "cblas_caxpy", .stem = "axpy", .precision = 'c', .slot = &functions.caxpy},
    {.name = "cblas_zaxpy", .stem = "axpy", .precision = 'z', .slot = &functions.zaxpy},
    {.name = "cblas_sdot", .stem = "dot", .precision = 's', .slot = &functions.sdot},
    {.name = "cblas_ddot", .stem = "dot", .precision = 'd', .slot = &functions.ddot},
    {.name = "cblas_cdotu_sub", .stem = "dot", .precision = 'c', .slot = &functions.cdotu},
    {.name = "cblas_zdotu_sub", .stem = "dot", .precision = 'z', .slot = &functions.zdotu},
    {.name = "cblas_cdotc_sub", .stem = "dot", .precision = 'c', .slot = &functions.cdotc},
    {.name = "cblas_zdotc_sub", .stem = "dot", .precision = 'z', .slot = &functions.zdotc},
    {.name = "cblas_snrm2", .stem = "nrm2", .precision = 's', .slot = &functions.snrm2},
    {.name = "cblas_dnrm2", .stem = "nrm2", .precision = 'd', .slot = &functions.dnrm2},
    {.name = "cblas_scnrm2", .stem = "nrm2", .precision = 'c', .slot = &functions.cnrm2},
    {.name = "cblas_dznrm2", .stem = "nrm2", .precision = 'z', .slot = &functions.znrm2},
    {.name = "cblas_sswap", .stem = "swap", .precision = 's', .slot = &functions.sswap},
    {.name = "cblas_dswap", .stem = "swap", .precision = 'd', .slot = &functions.dswap},
    {.name = "cblas_cswap", .stem = "swap", .precision = 'c', .slot = &functions.cswap},
    {.name = "cblas_zswap", .stem = "swap", .precision = 'z', .slot = &functions.zswap},
    {.name = "cblas_sscal", .stem = "scal", .precision = 's', .slot = &functions.sscal},
    {.name = "cblas_dscal", .stem = "scal", .precision = 'd', .slot = &functions.dscal},
    {.name = "cblas_cscal", .stem = "scal", .precision = 'c', .slot = &functions.cscal},
    {.name = "cblas_zscal", .stem = "scal", .precision = 'z', .slot = &functions.zscal},
    {.name = "cblas_csscal", .stem = "scal", .precision = 'c', .slot = &functions.cscal_real},
    {.name = "cblas_zdscal", .stem = "scal", .precision = 'z', .slot = &functions.zscal_real},
    {.name = "cblas_sasum", .stem = "asum", .precision = 's', .slot = &functions.sasum},
    {.name = "cblas_dasum", .stem = "asum", .precision = 'd', .slot = &functions.dasum},
    {.name = "cblas_scasum", .stem = "asum", .precision = 'c', .slot = &functions.casum},
    {.name = "cblas_dzasum", .stem = "asum", .precision = 'z', .slot = &functions.zasum},
    {.name = "cblas_srot", .stem = "rot", .precision = 's', .slot = &functions.srot},
    {.name = "cblas_drot", .stem = "rot", .precision = 'd', .slot = &functions.drot},
    {.name = "cblas_srotm", .stem = "rotm", .precision = 's', .slot = &functions.srotm},
    {.name = "cblas_drotm", .stem = "rotm", .precision = 'd', .slot = &functions.drotm},
    {.name = "cblas_dsdot", .stem = "dsdot", .precision = 's', .slot = &functions.dsdot},
    {.name = "cblas_sgemv", .stem = "gemv", .precision = 's', .slot = &functions.sgemv},
    {.name = "cblas_dgemv", .stem = "gemv", .precision = 'd', .slot = &functions.dgemv},
    {.name = "cblas_cgemv", .stem = "gemv", .precision = 'c', .slot = &functions.cgemv},
    {.name = "cblas_zgemv", .stem = "gemv", .precision = 'z', .slot = &functions.zgemv},
    {.name = "cblas_ssymv", .stem = "symv", .precision = 's', .slot = &functions.ssymv},
    {.name = "cblas_dsymv", .stem = "symv", .precision = 'd', .slot = &functions.dsymv},
    {.name = "cblas_chemv", .stem = "symv", .precision = 'c', .slot = &functions.chemv},
    {.name = "cblas_zhemv", .stem = "symv", .precision = 'z', .slot = &functions.zhemv},
    {.name = "cblas_sger", .stem = "ger", .precision = 's', .slot = &functions.sger},
    {.name = "cblas_dger", .stem = "ger", .precision = 'd', .slot = &functions.dger},
    {.name = "cblas_cgeru", .stem = "ger", .precision = 'c', .slot = &functions.cgeru},
    {.name = "cblas_zgeru", .stem = "ger", .precision = 'z', .slot = &functions.zgeru},
    {.name = "cblas_cgerc", .stem = "ger", .precision = 'c', .slot = &functions.cgerc},
    {.name = "cblas_zgerc", .stem = "ger", .precision = 'z', .slot = &functions.zgerc},
    {.name = "cblas_ssyr", .stem = "syr", .precision = 's', .slot = &functions.ssyr},
    {.name = "cblas_dsyr", .stem = "syr", .precision = 'd', .slot = &functions.dsyr},
    {.name = "cblas_cher", .stem = "syr", .precision = 'c', .slot = &functions.cher},
    {.name = "cblas_zher", .stem = "syr", .precision = 'z', .slot = &functions.zher},
    {.name = "cblas_ssyr2", .stem = "syr2", .precision = 's', .slot = &functions.ssyr2},
    {.name = "cblas_dsyr2", .stem = "syr2", .precision = 'd', .slot = &functions.dsyr2},
    {.name = "cblas_cher2", .stem = "syr2", .precision = 'c', .slot = &functions.cher2},
    {.name = "cblas_zher2", .stem = "syr2", .precision = 'z', .slot = &functions.zher2},
    {.name = "cblas_strmv", .stem = "trmv", .precision = 's', .slot = &functions.strmv},
    {.name = "cblas_dtrmv", .stem = "trmv", .precision = 'd', .slot = &functions.dtrmv},
    {.name = "cblas_ctrmv", .stem = "trmv", .precision = 'c', .slot = &functions.ctrmv},
    {.name = "cblas_ztrmv", .stem = "trmv", .precision = 'z', .slot = &functions.ztrmv},
    {.name = "cblas_strsv", .stem = "trsv", .precision = 's', .slot = &functions.strsv},
    {.name = "cblas_dtrsv", .stem = "trsv", .precision = 'd', .slot = &functions.dtrsv},
    {.name = "cblas_ctrsv", .stem = "trsv", .precision = 'c', .slot = &functions.ctrsv},
    {.name = "cblas_ztrsv", .stem = "trsv", .precision = 'z', .slot = &functions.ztrsv},
};
#define SYMBOLS (sizeof symbols / sizeof symbols[0])
static int missing; /* functions */

/* Whether the library takes 64-bit integers (ILP64) under the plain names. It is asked with a
 * length that is 2 in its low half and negative as a whole: one reading gives a sum of two
 * products, the other an empty sum. Integers go in whole registers on all 64-bit systems, so both
 * may be called. */
static bool takes_wide_integers(void *library)
{
    double (*wide_dot)(int64_t, const double *, int64_t, const double *, int64_t) = NULL;
    const gbl_symbol symbol = {.name = "cblas_ddot", .slot = &wide_dot};
    if (sizeof(void *) < 8 || gbl_dynlib_load(library, &symbol, 1) != NULL)
        return false;
    const double x[2] = {1, 1}, y[2] = {1, 2};
    const int64_t length = -((int64_t)1 << 32) + 2;
    return wide_dot(length, x, 1, y, 1) != 3;
}

/* The library's own words on its version, where it has any. */
static void read_version(void *library, const char *file)
{
    const char *(*openblas_config)(void) = NULL;
    const char *(*blis_version)(void) = NULL;
    void (*mkl_version)(char *, int) = NULL;
    const gbl_symbol versions[] = {
        {.name = "openblas_get_config", .slot = &openblas_config, .optional = true},
        {.name = "bli_info_get_version_str", .slot = &blis_version, .optional = true},
        {.name = "mkl_get_version_string", .slot = &mkl_version, .optional = true}};
    gbl_dynlib_load(library, versions, sizeof versions / sizeof versions[0]);
    char words[200] = "";
    if (openblas_config != NULL) {
        snprintf(words, sizeof words, "%s", openblas_config());
    } else if (blis_version != NULL) {
        snprintf(words, sizeof words, "BLIS %s", blis_version());
    } else if (mkl_version != NULL) {
        mkl_version(words, sizeof words - 1);
        words[sizeof words - 1] = '\0';
    }
    for (size_t end = strlen(words); end > 0 && words[end - 1] == ' '; end--)
        words[end - 1] = '\0';
    const int used = snprintf(name, sizeof name, "%s", words[0] ? words : file);
    if (missing > 0 && used > 0 && (size_t)used < sizeof name)
        snprintf(name + used, sizeof name - (size_t)used, " (without %d of %d functions)", missing,
                 (int)SYMBOLS);
}

/* A function that is missing leaves the variants of its routine out, not the library. */
static void load_functions(void *library)
{
    missing = 0;
    for (size_t i = 0; i < SYMBOLS; i++) {
        const gbl_symbol symbol = {
            .name = symbols[i].name, .slot = symbols[i].slot, .optional = true};
        void *loaded;
        gbl_dynlib_load(library, &symbol, 1);
        memcpy(&loaded, symbols[i].slot, sizeof loaded);
        missing += loaded == NULL;
    }
}

/* Opens one library. On failure the reason is the words that follow its name in a sentence, and
 * *there says whether there is such a library at all. */
static bool open_one(const char *file, bool *there, char *why, size_t why_bytes)
{
    const char *loader = NULL;
    void *library = gbl_dynlib_open(file, true, &loader);
    *there = library != NULL;
    if (library == NULL) {
        snprintf(why, why_bytes, "cannot be opened (%s)", loader);
        return false;
    }
    load_functions(library);
    if (functions.ddot ==
        NULL) { /* the first one looked for: without it this is no BLAS with C names */
        snprintf(why, why_bytes, "has no function cblas_ddot");
    } else if (takes_wide_integers(library)) {
        snprintf(why, why_bytes, "takes 64-bit integers (ILP64); the 32-bit (LP64) one is needed");
    } else {
        read_version(library, file);
        return true;
    }
    gbl_dynlib_close(library);
    return false;
}

static void find(void)
{
    char why[512];
    bool there;
    const char *wanted = gbl_getenv_path("GABLE_BLAS");
    if (wanted != NULL && wanted[0] != '\0') {
        found = open_one(wanted, &there, why, sizeof why);
        if (!found)
            snprintf(reason, sizeof reason,
                     "GABLE_BLAS is \"%.300s\", which %s; correct it, or unset it to take the BLAS "
                     "that is installed",
                     wanted, why);
        return;
    }
    char flaw[600] = "";
    for (size_t i = 0; !found && i < sizeof candidates / sizeof candidates[0]; i++) {
        found = open_one(candidates[i], &there, why, sizeof why);
        if (!found && there)
            snprintf(flaw, sizeof flaw, " (%s %s)", candidates[i], why);
    }
    if (!found)
        snprintf(reason, sizeof reason,
                 "no usable OpenBLAS, BLIS, MKL or reference BLAS was found%s; install one "
                 "(libopenblas0 on Debian) or set GABLE_BLAS to its path",
                 flaw);
}

const gbl_cpu_blas *gbl_cpu_blas_get(void)
{
    const gbl_cpu_blas *known = atomic_load_explicit(&ready, memory_order_acquire);
    if (known != NULL)
        return known; /* every small call comes here */
    pthread_once(&once, find);
    if (found)
        atomic_store_explicit(&ready, &functions, memory_order_release);
    return found ? &functions : NULL;
}

const char *gbl_cpu_blas_name(void)
{
    pthread_once(&once, find);
    return name;
}

const char *gbl_cpu_blas_reason(void)
{
    pthread_once(&once, find);
    return reason;
}

bool gbl_cpu_blas_has(const char *stem, char precision)
{
    if (gbl_cpu_blas_get() == NULL)
        return false;
    if (missing == 0)
        return true;
    bool any = false;
    for (size_t i = 0; i < SYMBOLS; i++) {
        void *loaded;
        if (symbols[i].precision != precision || strcmp(symbols[i].stem, stem) != 0)
            continue;
        memcpy(&loaded, symbols[i].slot, sizeof loaded);
        if (loaded == NULL)
            return false;
        any = true;
    }
    return any;
}

/* |inc| elements apart, n elements: the last one's offset fits an int. */
static bool stride_fits(int64_t n, int64_t inc)
{
    if (inc == 0 || inc > INT_MAX || inc < -INT_MAX)
        return false;
    return n <= INT_MAX / (inc < 0 ? -inc : inc);
}

bool gbl_cpu_blas_fits(int64_t n, int64_t incx, int64_t incy)
{
    return n >= 0 && n <= INT_MAX && stride_fits(n, incx) && stride_fits(n, incy) &&
           !omp_in_parallel() && !gbl_cpu_is_serial() && gbl_cpu_blas_get() != NULL;
}
