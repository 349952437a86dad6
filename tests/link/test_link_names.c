/* test_link_names.c: every name of libgable_link hands its arguments on as they came.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For each spelling there is a library that records arguments, and an object that calls it. Both
 * are opened with RTLD_LOCAL, all in one process: several libraries have the same plain names, with
 * 32-bit and with 64-bit integers. The door stands before them in the global scope.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/check.h"
#include "link_names.h"

typedef struct spelling {
    const char *caller, *id;
    int integer_bits; /* 0: by value, in registers */
    bool cblas;
} spelling;

static const spelling spellings[] = {
    {.caller = "plain", .id = "plain", .integer_bits = 32},
    {.caller = "plain_pointer", .id = "plain", .integer_bits = 32},
    {.caller = "plain_no_plt", .id = "plain", .integer_bits = 32},
    {.caller = "plain_wide", .id = "plain_wide", .integer_bits = 64},
    {.caller = "wide", .id = "wide", .integer_bits = 64},
    {.caller = "scipy", .id = "scipy", .integer_bits = 32},
    {.caller = "scipy_wide", .id = "scipy_wide", .integer_bits = 64},
    {.caller = "cblas", .id = "cblas", .cblas = true},
    {.caller = "cblas_wide", .id = "cblas_wide", .cblas = true},
    {.caller = "cblas_mkl", .id = "cblas_mkl", .cblas = true},
    {.caller = "cblas_scipy", .id = "cblas_scipy", .cblas = true},
    {.caller = "cblas_scipy_wide", .id = "cblas_scipy_wide", .cblas = true},
};

/* Words that are letters and sizes at once: 'N' and 78, with other bits above 32-bit ones. */
static int64_t words[LINK_ARGUMENT_COUNT][4];

static void *open_module(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/liblink_caller_%s.so", LINK_MODULES, name);
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(handle != NULL, "%s", dlerror());
    return handle;
}

static void *find(void *handle, const char *name)
{
    void *const found = dlsym(handle, name);
    CHECK(found != NULL, "%s", dlerror());
    return found;
}

/* How many arguments a routine has at least, lengths of letters among them. Of level 3 syrk has
 * the fewest: ten and two lengths, nine beside two scalars in CBLAS. */
static int arguments_of(const char *name, bool cblas)
{
    static const struct {
        const char *stem;
        int count;
    } lapack[] = {{"getrf", 6},   {"getrs", 10},  {"gesv", 8},   {"getri", 7},   {"potrf", 6},
                  {"potrs", 9},   {"posv", 9},    {"potri", 6},  {"trtrs", 13},  {"trtri", 8},
                  {"geqrf", 8},   {"gelqf", 8},   {"gqr", 9},    {"glq", 9},     {"mqr", 15},
                  {"mlq", 15},    {"gels", 12},   {"syevd", 13}, {"heevd", 15},  {"syevr", 24},
                  {"heevr", 26},  {"syev", 11},   {"heev", 12},  {"sygvd", 16},  {"hegvd", 18},
                  {"cgesdd", 16}, {"zgesdd", 16}, {"gesdd", 15}, {"cgesvd", 17}, {"zgesvd", 17},
                  {"gesvd", 16}};
    for (size_t i = 0; i < sizeof lapack / sizeof lapack[0]; i++)
        if (strstr(name, lapack[i].stem) != NULL)
            return lapack[i].count;
    return cblas ? 9 : 12;
}

static void test_spelling(const spelling *how)
{
    const char *(*make)(int, const uintptr_t *, double, double) = NULL;
    int (*count)(void) = NULL;
    uintptr_t arguments[LINK_ARGUMENT_COUNT];
    char name[64];
    void *const handle = open_module(how->caller);
    if (handle == NULL)
        return;
    snprintf(name, sizeof name, "recorded_%s", how->id);
    link_record *const record = find(handle, name);
    void *address = find(handle, "caller_make");
    memcpy(&make, &address, sizeof make);
    address = find(handle, "caller_count");
    memcpy(&count, &address, sizeof count);
    const double alpha = 1.5, beta = -2.25;
    for (int i = 0; i < LINK_ARGUMENT_COUNT; i++) {
        words[i][0] = how->integer_bits == 32 ? (int64_t)0x5a5a5a5a0000004e : 'N';
        arguments[i] = how->cblas ? (uintptr_t)(2 + i) : (uintptr_t)words[i];
    }
    /* CBLAS's complex scalars are addresses: all its pointers may be. */
    for (int number = 0; number < count(); number++) {
        const int before = record->calls;
        memset(record->arguments, 0, sizeof record->arguments);
        const char *const called = make(number, arguments, alpha, beta);
        test_case("%s of %s", called, how->caller);
        CHECK(record->calls == before + 1, "called %d times", record->calls - before);
        CHECK(record->name != NULL && strcmp(record->name, called) == 0, "%s was called",
              record->name);
        const int least = arguments_of(called, how->cblas);
        for (int i = 0; i < least; i++)
            CHECK(record->arguments[i] == arguments[i], "argument %d is %llx, not %llx", i + 1,
                  (unsigned long long)record->arguments[i], (unsigned long long)arguments[i]);
        if (how->cblas && strstr(called, "cblas_d") != NULL)
            CHECK(memcmp(&record->scalars[0], &alpha, sizeof alpha) == 0, "alpha was lost");
        if (how->cblas && strstr(called, "cblas_dgemm") != NULL)
            CHECK(memcmp(&record->scalars[1], &beta, sizeof beta) == 0, "beta was lost");
    }
}

/* The log says what sizes the door read. */
static void test_sizes(const char *log, const char *caller, int64_t above)
{
    const char *(*make)(int, const uintptr_t *, double, double) = NULL;
    uintptr_t arguments[LINK_ARGUMENT_COUNT];
    char line[512] = "", found[512] = "";
    void *const handle = open_module(caller);
    void *const address = handle != NULL ? find(handle, "caller_make") : NULL;
    if (address == NULL)
        return;
    memcpy(&make, &address, sizeof make);
    test_case("sizes by %s", caller);
    const int64_t sizes[] = {'N', 'N', 110, 120, 130};
    for (int i = 0; i < LINK_ARGUMENT_COUNT; i++) {
        words[i][0] = (i < 5 ? sizes[i] : 150) | above;
        words[i][1] = words[i][2] = words[i][3] = 0;
        arguments[i] = (uintptr_t)words[i];
    }
    make(1, arguments, 0, 0); /* dgemm */
    FILE *const file = fopen(log, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        memcpy(found, line, sizeof found);
    if (file != NULL)
        fclose(file);
    CHECK(strstr(found, "m=110 n=120 k=130") != NULL, "the log says: %s", found);
}

int main(void)
{
    char log[] = "/tmp/gable-link-XXXXXX";
    const int file = mkstemp(log);
    test_start("test_link_names");
    if (file < 0 || setenv("GABLE_LINK", "cpu", 1) != 0 || setenv("GABLE_LINK_LOG", log, 1) != 0)
        test_skip("tmp", "there is no file for the log");
    close(file);
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        test_spelling(&spellings[i]);
    test_sizes(log, "plain", (int64_t)0x5a5a5a5a00000000);
    test_sizes(log, "plain_wide", 0);
    test_sizes(log, "scipy", (int64_t)0x5a5a5a5a00000000);
    test_sizes(log, "scipy_wide", 0);
    unlink(log);
    return test_finish();
}
