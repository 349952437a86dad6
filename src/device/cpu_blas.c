/* cpu_blas.c: finds the BLAS that is installed on this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_BLAS decides alone when it is set: a wrong value means no BLAS and a reason, never another
 * library. Otherwise the first that opens, has all functions and takes 32-bit integers. It is
 * opened once and never closed, because its threads live as long as the process.
 */
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cpu_blas.h"
#include "device/cpu_team.h"
#include "device/dynlib.h"
#include "device/environment.h"

static const char *const candidates[] = {
    "libopenblas.so.0", "libopenblas.so",               /* OpenBLAS */
    "libblis.so.4",     "libblis.so.3",   "libblis.so", /* BLIS */
    "libmkl_rt.so.2",   "libmkl_rt.so",                 /* MKL */
    "libcblas.so.3",    "libblas.so.3",   "libblas.so", /* reference; Debian's has both in one */
};

/* Written once, under `once`. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static gbl_cpu_blas functions;
static bool found;
static char name[256] = "no BLAS found";
static char reason[1024];

static const gbl_symbol symbols[] = {
    {"cblas_scopy", &functions.scopy, false},       {"cblas_dcopy", &functions.dcopy, false},
    {"cblas_ccopy", &functions.ccopy, false},       {"cblas_zcopy", &functions.zcopy, false},
    {"cblas_saxpy", &functions.saxpy, false},       {"cblas_daxpy", &functions.daxpy, false},
    {"cblas_caxpy", &functions.caxpy, false},       {"cblas_zaxpy", &functions.zaxpy, false},
    {"cblas_sdot", &functions.sdot, false},         {"cblas_ddot", &functions.ddot, false},
    {"cblas_cdotu_sub", &functions.cdotu, false},   {"cblas_zdotu_sub", &functions.zdotu, false},
    {"cblas_cdotc_sub", &functions.cdotc, false},   {"cblas_zdotc_sub", &functions.zdotc, false},
    {"cblas_snrm2", &functions.snrm2, false},       {"cblas_dnrm2", &functions.dnrm2, false},
    {"cblas_scnrm2", &functions.cnrm2, false},      {"cblas_dznrm2", &functions.znrm2, false},
    {"cblas_sswap", &functions.sswap, false},       {"cblas_dswap", &functions.dswap, false},
    {"cblas_cswap", &functions.cswap, false},       {"cblas_zswap", &functions.zswap, false},
    {"cblas_sscal", &functions.sscal, false},       {"cblas_dscal", &functions.dscal, false},
    {"cblas_cscal", &functions.cscal, false},       {"cblas_zscal", &functions.zscal, false},
    {"cblas_csscal", &functions.cscal_real, false}, {"cblas_zdscal", &functions.zscal_real, false},
    {"cblas_sasum", &functions.sasum, false},       {"cblas_dasum", &functions.dasum, false},
    {"cblas_scasum", &functions.casum, false},      {"cblas_dzasum", &functions.zasum, false},
    {"cblas_srot", &functions.srot, false},         {"cblas_drot", &functions.drot, false},
    {"cblas_srotm", &functions.srotm, false},       {"cblas_drotm", &functions.drotm, false},
    {"cblas_dsdot", &functions.dsdot, false},       {"cblas_sgemv", &functions.sgemv, false},
    {"cblas_dgemv", &functions.dgemv, false},       {"cblas_cgemv", &functions.cgemv, false},
    {"cblas_zgemv", &functions.zgemv, false},       {"cblas_ssymv", &functions.ssymv, false},
    {"cblas_dsymv", &functions.dsymv, false},       {"cblas_chemv", &functions.chemv, false},
    {"cblas_zhemv", &functions.zhemv, false},       {"cblas_sger", &functions.sger, false},
    {"cblas_dger", &functions.dger, false},         {"cblas_cgeru", &functions.cgeru, false},
    {"cblas_zgeru", &functions.zgeru, false},       {"cblas_cgerc", &functions.cgerc, false},
    {"cblas_zgerc", &functions.zgerc, false},       {"cblas_ssyr", &functions.ssyr, false},
    {"cblas_dsyr", &functions.dsyr, false},         {"cblas_cher", &functions.cher, false},
    {"cblas_zher", &functions.zher, false},         {"cblas_ssyr2", &functions.ssyr2, false},
    {"cblas_dsyr2", &functions.dsyr2, false},       {"cblas_cher2", &functions.cher2, false},
    {"cblas_zher2", &functions.zher2, false},       {"cblas_strmv", &functions.strmv, false},
    {"cblas_dtrmv", &functions.dtrmv, false},       {"cblas_ctrmv", &functions.ctrmv, false},
    {"cblas_ztrmv", &functions.ztrmv, false},       {"cblas_strsv", &functions.strsv, false},
    {"cblas_dtrsv", &functions.dtrsv, false},       {"cblas_ctrsv", &functions.ctrsv, false},
    {"cblas_ztrsv", &functions.ztrsv, false},
};

/* Whether the library takes 64-bit integers (ILP64) under the plain names. It is asked with a
 * length that is 2 in its low half and negative as a whole: one reading gives a sum of two
 * products, the other an empty sum. Integers go in whole registers on all 64-bit systems, so both
 * may be called. */
static bool takes_wide_integers(void *library)
{
    double (*wide_dot)(int64_t, const double *, int64_t, const double *, int64_t) = NULL;
    const gbl_symbol symbol = {"cblas_ddot", &wide_dot, false};
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
    const gbl_symbol versions[] = {{"openblas_get_config", &openblas_config, true},
                                   {"bli_info_get_version_str", &blis_version, true},
                                   {"mkl_get_version_string", &mkl_version, true}};
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
    snprintf(name, sizeof name, "%s", words[0] ? words : file);
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
    const char *missing = gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
    if (missing != NULL) {
        snprintf(why, why_bytes, "has no function %s", missing);
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
    pthread_once(&once, find);
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
