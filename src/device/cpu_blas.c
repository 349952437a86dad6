/* cpu_blas.c: finds the BLAS that is installed on this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_BLAS decides alone when it is set: a wrong value means no BLAS and a reason, never another
 * library. Otherwise the first that opens, has cblas_ddot, takes 32-bit integers and knows the CPU,
 * if it is an OpenBLAS (openblas_core.c). It is opened once and then never closed, because its
 * threads live as long as the process.
 */
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cpu_blas.h"
#include "device/cpu_team.h"
#include "device/dynlib.h"
#include "device/environment.h"
#include "device/openblas_core.h"

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

/* A function of the library, and whose it is: the stem and the precision of a routine. Its task
 * needs all that are the same in both. */
#define OF(routine, letter, function, member)                                                      \
    {                                                                                              \
        .name = "cblas_" #function, .stem = #routine, .precision = letter,                         \
        .at = offsetof(gbl_cpu_blas, member)                                                       \
    }
#define REAL(routine)                                                                              \
    OF(routine, 's', s##routine, s##routine), OF(routine, 'd', d##routine, d##routine)
#define COMPLEX(routine, stem)                                                                     \
    OF(routine, 'c', c##stem, c##stem), OF(routine, 'z', z##stem, z##stem)
#define FOUR(routine) REAL(routine), COMPLEX(routine, routine)
static const struct {
    const char *name, *stem;
    char precision;
    size_t at; /* in the table */
} symbols[] = {
    FOUR(copy),
    FOUR(axpy),
    REAL(dot),
    OF(dot, 'c', cdotu_sub, cdotu),
    OF(dot, 'z', zdotu_sub, zdotu),
    OF(dot, 'c', cdotc_sub, cdotc),
    OF(dot, 'z', zdotc_sub, zdotc),
    REAL(nrm2),
    OF(nrm2, 'c', scnrm2, cnrm2),
    OF(nrm2, 'z', dznrm2, znrm2),
    FOUR(swap),
    FOUR(scal),
    OF(scal, 'c', csscal, cscal_real),
    OF(scal, 'z', zdscal, zscal_real),
    REAL(asum),
    OF(asum, 'c', scasum, casum),
    OF(asum, 'z', dzasum, zasum),
    REAL(rot),
    REAL(rotm),
    OF(dsdot, 's', dsdot, dsdot),
    FOUR(gemv),
    REAL(symv),
    COMPLEX(symv, hemv),
    REAL(ger),
    COMPLEX(ger, geru),
    COMPLEX(ger, gerc),
    REAL(syr),
    COMPLEX(syr, her),
    REAL(syr2),
    COMPLEX(syr2, her2),
    FOUR(trmv),
    FOUR(trsv),
    FOUR(gbmv),
    REAL(sbmv),
    COMPLEX(sbmv, hbmv),
    REAL(spmv),
    COMPLEX(spmv, hpmv),
    FOUR(tbmv),
    FOUR(tbsv),
    FOUR(tpmv),
    FOUR(tpsv),
    REAL(spr),
    COMPLEX(spr, hpr),
    REAL(spr2),
    COMPLEX(spr2, hpr2),
    FOUR(gemm),
    FOUR(syrk),
    COMPLEX(syrk, herk),
    FOUR(syr2k),
    COMPLEX(syr2k, her2k),
    FOUR(symm),
    COMPLEX(symm, hemm),
    FOUR(trmm),
    FOUR(trsm),
};
#undef OF
#undef REAL
#undef COMPLEX
#undef FOUR
#define SYMBOLS (sizeof symbols / sizeof symbols[0])
static int missing;         /* functions */
static bool asked_for_core; /* the library does not know this CPU */
static void *library_found;

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
    const char *core = asked_for_core ? "; kernels asked for, as it does not know this CPU" : "";
    const int used = snprintf(name, sizeof name, "%s%s", words[0] ? words : file, core);
    if (missing > 0 && used > 0 && (size_t)used < sizeof name)
        snprintf(name + used, sizeof name - (size_t)used, " (without %d of %d functions)", missing,
                 (int)SYMBOLS);
}

/* A function that is missing leaves the variants of its routine out, not the library. */
int gbl_cpu_blas_load(void *library, gbl_cpu_blas *table)
{
    int lacks = 0;
    for (size_t i = 0; i < SYMBOLS; i++) {
        void *loaded;
        const gbl_symbol symbol = {.name = symbols[i].name, .slot = &loaded, .optional = true};
        gbl_dynlib_load(library, &symbol, 1);
        memcpy((char *)table + symbols[i].at, &loaded, sizeof loaded);
        lacks += loaded == NULL;
    }
    return lacks;
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
    asked_for_core = gbl_openblas_is_lost(library);
    if (asked_for_core)
        library = gbl_openblas_reopen(library, file, &loader);
    if (library == NULL) {
        snprintf(why, why_bytes, "cannot be opened again (%s)", loader);
        return false;
    }
    missing = gbl_cpu_blas_load(library, &functions);
    if (functions.ddot ==
        NULL) { /* the first one looked for: without it this is no BLAS with C names */
        snprintf(why, why_bytes, "has no function cblas_ddot");
    } else if (asked_for_core && gbl_openblas_is_lost(library)) {
        snprintf(why, why_bytes,
                 "does not know this CPU, and the program uses it already with kernels for another "
                 "one; set OPENBLAS_CORETYPE, to SkylakeX or Haswell say");
    } else if (takes_wide_integers(library)) {
        snprintf(why, why_bytes, "takes 64-bit integers (ILP64); the 32-bit (LP64) one is needed");
    } else {
        read_version(library, file);
        library_found = library;
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
    /* Another name of an OpenBLAS that does not know the CPU would be no better. */
    const size_t count = sizeof candidates / sizeof candidates[0];
    for (size_t i = 0; !found && !asked_for_core && i < count; i++) {
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

void *gbl_cpu_blas_library(void)
{
    pthread_once(&once, find);
    return library_found;
}

const char *gbl_cpu_blas_name(void)
{
    pthread_once(&once, find);
    return name;
}

static pthread_once_t threads_once = PTHREAD_ONCE_INIT;
static int (*get_threads)(void);
static void (*set_threads)(int count);

static void find_threads(void)
{
    static const char *const names[][2] = {
        {"openblas_get_num_threads", "openblas_set_num_threads"},
        {"MKL_Get_Max_Threads", "MKL_Set_Num_Threads"},
        {"bli_thread_get_num_threads", "bli_thread_set_num_threads"}};
    void *const library = gbl_cpu_blas_library();
    for (size_t i = 0; library != NULL && i < sizeof names / sizeof names[0]; i++) {
        const gbl_symbol both[] = {{.name = names[i][0], .slot = &get_threads, .optional = true},
                                   {.name = names[i][1], .slot = &set_threads, .optional = true}};
        gbl_dynlib_load(library, both, 2);
        if (get_threads != NULL && set_threads != NULL)
            return;
    }
    get_threads = NULL;
}

int gbl_cpu_blas_threads(int count)
{
    pthread_once(&threads_once, find_threads);
    if (get_threads == NULL)
        return 0;
    const int before = get_threads();
    if (count > 0)
        set_threads(count);
    return before > 0 ? before : 1;
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
        memcpy(&loaded, (const char *)&functions + symbols[i].at, sizeof loaded);
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
