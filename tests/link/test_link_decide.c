/* test_link_decide.c: the decisions of libgable_link: verdicts, size classes, memory, overlaps.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "link/link_decide.h"
#include "link/link_lapack.h"

static gbl_link_call product(int64_t m, int64_t n, int64_t k)
{
    static double memory[3];
    return (gbl_link_call){.routine = GBL_LINK_gemm,
                           .dtype = GBL_D,
                           .order = GBL_LINK_COLUMN_MAJOR,
                           .trans = GABLE_NO_TRANS,
                           .trans_b = GABLE_NO_TRANS,
                           .m = m,
                           .n = n,
                           .k = k,
                           .A = &memory[0],
                           .B = &memory[1],
                           .C = &memory[2],
                           .lda = m,
                           .ldb = k,
                           .ldc = m,
                           .alpha = {1}};
}

static void test_verdicts(void)
{
    test_case("a device ten times as fast");
    CHECK(gbl_link_judge(1e-2, 1e-3).device, "it is not taken");
    test_case("a device that wins by a tenth");
    CHECK(!gbl_link_judge(1.1e-2, 1e-2).device, "it is taken");
    test_case("a device that wins by 40 us");
    CHECK(!gbl_link_judge(50e-6, 10e-6).device, "it is taken");
    test_case("times");
    const gbl_link_verdict one = gbl_link_judge(4e-2, 2e-2);
    CHECK(one.device && one.cpu_time == 40000000 && one.device_time == 20000000,
          "device %d, %llu and %llu ns", one.device, (unsigned long long)one.cpu_time,
          (unsigned long long)one.device_time);
}

/* Guesses alone: the order of libraries, threads and routines. */
static void test_guesses(void)
{
    const gbl_link_call call = product(1000, 1000, 1000);
    gbl_link_call half = call;
    bool measured = true;
    half.routine = GBL_LINK_syrk;
    const double tuned = gbl_link_cpu_seconds(&call, "tuned", GBL_LINK_TUNED, 1, &measured);
    test_case("guesses");
    CHECK(!measured, "nothing was measured");
    CHECK(tuned > 0 && tuned < 10, "%g s", tuned);
    CHECK(gbl_link_cpu_seconds(&call, "plain", GBL_LINK_PLAIN, 1, &measured) > 2 * tuned,
          "plain loops are as fast");
    const double triangle = gbl_link_cpu_seconds(&half, "tuned", GBL_LINK_TUNED, 1, &measured);
    const gbl_link_call middle = gbl_link_canonical(&call);
    const double class = gbl_link_cpu_seconds(&middle, "tuned", GBL_LINK_TUNED, 1, &measured);
    const double own = 1e-9 * (double)gbl_link_own_time(&call, (uint64_t)(class * 1e9));
    CHECK(own > 0.99 * tuned && own < 1.01 * tuned, "%g s by the class, %g alone", own, tuned);
    CHECK(triangle < 0.6 * tuned && triangle > 0.4 * tuned, "a triangle takes %g of %g s", triangle,
          tuned);
}

/* Calls of one class have one canonical call, and it belongs to the class. */
static void test_classes(void)
{
    gbl_link_verdict known = {.device = true, .cpu_time = 12345, .device_time = 678}, found;
    gbl_link_forget_all();
    for (int64_t size = 1; size < 100000; size += 1 + size / 7) {
        const gbl_link_call call = product(size, 1000, 1000);
        const gbl_link_call middle = gbl_link_canonical(&call), again = gbl_link_canonical(&middle);
        test_case("size %lld", (long long)size);
        CHECK(again.m == middle.m, "the middle is %lld, of that %lld", (long long)middle.m,
              (long long)again.m);
        CHECK(middle.m * 16 <= size * 17 && middle.m * 17 >= size * 16, "the middle is %lld",
              (long long)middle.m);
        gbl_link_remember(&call, GBL_LINK_TUNED, 4, &known);
        CHECK(gbl_link_recall(&middle, GBL_LINK_TUNED, 4, &found), "its middle is not known");
    }
    const gbl_link_call call = product(1000, 1000, 1000), larger = product(1000, 1000, 2000);
    test_case("memory");
    gbl_link_forget_all();
    CHECK(!gbl_link_recall(&call, GBL_LINK_TUNED, 4, &found), "it was not forgotten");
    gbl_link_remember(&call, GBL_LINK_TUNED, 4, &known);
    CHECK(gbl_link_recall(&call, GBL_LINK_TUNED, 4, &found) && found.device &&
              found.cpu_time == 12345 && found.device_time == 678,
          "it is not known");
    CHECK(!gbl_link_recall(&call, GBL_LINK_TUNED, 3, &found), "threads do not count");
    CHECK(!gbl_link_recall(&call, GBL_LINK_PLAIN, 4, &found), "the library does not count");
    CHECK(!gbl_link_recall(&larger, GBL_LINK_TUNED, 4, &found), "sizes do not count");
}

/* Whether C shares an element with A, against all pairs of elements. */
static void test_overlaps(void)
{
    static double memory[400];
    srand(7);
    for (int round = 0; round < 20000; round++) {
        gbl_link_call call = product(1 + rand() % 5, 1 + rand() % 5, 1 + rand() % 5);
        call.lda = call.m + rand() % 4;
        call.ldc = rand() % 3 > 0 ? call.lda : call.m + rand() % 4;
        double *const A = memory + 100 + rand() % 60, *const C = memory + 100 + rand() % 60;
        static double B[64];
        call.A = A;
        call.B = B;
        call.C = C;
        bool shared = false;
        for (int64_t j = 0; j < call.k; j++)
            for (int64_t i = 0; i < call.m; i++)
                for (int64_t q = 0; q < call.n; q++)
                    for (int64_t p = 0; p < call.m; p++)
                        shared = shared || A + i + j * call.lda == C + p + q * call.ldc;
        test_case("m=%d n=%d k=%d lda=%d ldc=%d at %d", (int)call.m, (int)call.n, (int)call.k,
                  (int)call.lda, (int)call.ldc, (int)(C - A));
        /* With two leading dimensions the answer may be careful. */
        if (shared || call.lda == call.ldc)
            CHECK(gbl_link_legal(&call) == !shared, "shared is %d", shared);
    }
}

static void test_legality(void)
{
    gbl_link_call call = product(5, 6, 7);
    double *const memory = calloc(300, sizeof *memory);
    call.A = memory;
    call.B = memory + 100;
    call.C = memory + 200;
    test_case("legality");
    CHECK(gbl_link_legal(&call), "a legal call");
    for (int what = 0; what < 7; what++) {
        gbl_link_call wrong = call;
        test_case("wrong argument %d", what);
        switch (what) {
        case 0:
            wrong.trans = 0;
            break;
        case 1:
            wrong.trans_b = 114;
            break;
        case 2:
            wrong.m = -1;
            break;
        case 3:
            wrong.lda = 4;
            break;
        case 4:
            wrong.ldb = 6;
            break;
        case 5:
            wrong.ldc = 4;
            break;
        case 6:
            wrong.order = 0;
            break;
        }
        CHECK(!gbl_link_legal(&wrong), "it is taken");
    }
    free(memory);
}

static gbl_link_call system_of(gbl_link_routine routine, int64_t n, int64_t nrhs)
{
    static double memory[2][64];
    static int32_t integers[8];
    return (gbl_link_call){.routine = routine,
                           .dtype = GBL_D,
                           .order = GBL_LINK_COLUMN_MAJOR,
                           .trans = GABLE_NO_TRANS,
                           .uplo = GABLE_LOWER,
                           .m = n,
                           .n = n,
                           .k = nrhs,
                           .A = memory[0],
                           .C = memory[1],
                           .lda = n,
                           .ldc = n,
                           .ipiv = integers,
                           .info = &integers[7]};
}

static void test_lapack(void)
{
    const gbl_link_call gesv = system_of(GBL_LINK_gesv, 1200, 10);
    gbl_link_call getrf = system_of(GBL_LINK_getrf, 300, 0);
    test_case("multiply-adds");
    CHECK(gbl_link_work(&gesv) == 576000000 + 14400000, "gesv has %llu",
          (unsigned long long)gbl_link_work(&gesv));
    getrf.m = 600; /* its lower half is a triangular solve */
    CHECK(gbl_link_work(&getrf) == 9000000 + 13500000, "getrf has %llu",
          (unsigned long long)gbl_link_work(&getrf));
    test_case("shapes");
    const gbl_link_shapes shapes = gbl_link_shapes_of(&gesv);
    CHECK(shapes.a.columns == 1200 && shapes.c.rows == 1200 && shapes.c.columns == 10,
          "B has %lld columns", (long long)shapes.c.columns);

    test_case("pivots that are read name rows");
    gbl_link_call getrs = system_of(GBL_LINK_getrs, 4, 2);
    int32_t *const ipiv = getrs.ipiv;
    for (int i = 0; i < 4; i++)
        ipiv[i] = 4;
    CHECK(gbl_link_legal(&getrs), "they do");
    ipiv[3] = 5;
    CHECK(!gbl_link_legal(&getrs), "5 is none of 4");
    ipiv[3] = 0;
    CHECK(!gbl_link_legal(&getrs), "0 is none");
    getrs.routine = GBL_LINK_gesv;
    CHECK(gbl_link_legal(&getrs), "those that are written may hold anything");
    test_case("letters and places");
    getrs.routine = GBL_LINK_posv;
    CHECK(gbl_link_legal(&getrs), "posv");
    getrs.uplo = 0;
    CHECK(!gbl_link_legal(&getrs), "without uplo");
    getrs.uplo = GABLE_UPPER;
    getrs.info = NULL;
    CHECK(!gbl_link_legal(&getrs), "without info");
}

/* ---- Drivers ---- */

static gbl_link_call driver_of(gbl_link_routine routine, int64_t m, int64_t n, int job)
{
    static double memory[4][64];
    static int32_t integers[24];
    return (gbl_link_call){.routine = routine,
                           .dtype = GBL_D,
                           .order = GBL_LINK_COLUMN_MAJOR,
                           .uplo = GABLE_LOWER,
                           .job = job,
                           .job_b = job,
                           .range = GABLE_RANGE_ALL,
                           .itype = 1,
                           .m = m,
                           .n = n,
                           .k = n,
                           .A = memory[0],
                           .B = memory[1],
                           .C = memory[2],
                           .lda = m,
                           .ldb = n,
                           .ldc = m,
                           .values = memory[3],
                           .found = integers,
                           .support = &integers[1],
                           .info = &integers[23]};
}

/* The vectors of both sides, by their shapes. */
static void test_sides(void)
{
    static const struct {
        int job;
        int64_t m, n, columns, rows; /* of U and V^H; 0: none */
    } sides[] = {{GABLE_NO_VECTORS, 6, 4, 0, 0},  {GABLE_SOME_VECTORS, 6, 4, 4, 4},
                 {GABLE_ALL_VECTORS, 6, 4, 6, 4}, {GABLE_ALL_VECTORS, 4, 6, 4, 6},
                 {GABLE_OVERWRITE, 6, 4, 0, 4},   {GABLE_OVERWRITE, 4, 6, 4, 0}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const gbl_link_call call = driver_of(GBL_LINK_gesdd, sides[i].m, sides[i].n, sides[i].job);
        const gbl_link_shapes shapes = gbl_link_shapes_of(&call);
        test_case("gesdd %d of %lld by %lld", sides[i].job, (long long)call.m, (long long)call.n);
        CHECK(shapes.a.columns == sides[i].columns && shapes.b.rows == sides[i].rows,
              "%lld columns and %lld rows", (long long)shapes.a.columns, (long long)shapes.b.rows);
        CHECK(gbl_link_legal(&call), "it is not legal");
    }
}

/* Elements that travel, there and back. */
static void test_bytes(void)
{
    static const struct {
        gbl_link_routine routine;
        int64_t m, n, job, elements;
    } moves[] = {{GBL_LINK_potrf, 5, 5, 0, 25 + 25},
                 {GBL_LINK_syevd, 5, 5, GABLE_NO_VECTORS, 25},
                 {GBL_LINK_syevd, 5, 5, GABLE_VECTORS, 25 + 25},
                 {GBL_LINK_syevr, 5, 5, GABLE_NO_VECTORS, 25},
                 {GBL_LINK_syevr, 5, 5, GABLE_VECTORS, 25 + 25},
                 {GBL_LINK_sygvd, 5, 5, GABLE_NO_VECTORS, 50 + 25},
                 {GBL_LINK_sygvd, 5, 5, GABLE_VECTORS, 50 + 50},
                 {GBL_LINK_gesdd, 6, 4, GABLE_NO_VECTORS, 24},
                 {GBL_LINK_gesdd, 6, 4, GABLE_SOME_VECTORS, 24 + 24 + 16},
                 {GBL_LINK_gesdd, 6, 4, GABLE_OVERWRITE, 24 + 24 + 16}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        gbl_link_call call = driver_of(moves[i].routine, moves[i].m, moves[i].n, (int)moves[i].job);
        call.dtype = GBL_D;
        test_case("bytes of %s %d", gbl_link_stem(call.routine), call.job);
        CHECK(gbl_link_bytes(&call) == (uint64_t)moves[i].elements * sizeof(double), "%llu bytes",
              (unsigned long long)gbl_link_bytes(&call));
    }
}

static void test_drivers(void)
{
    gbl_link_call syevr = driver_of(GBL_LINK_syevr, 5, 5, GABLE_VECTORS);
    gbl_link_call gesvd = driver_of(GBL_LINK_gesvd, 5, 4, GABLE_OVERWRITE);
    char name[16];
    test_sides();
    test_case("ranges");
    CHECK(gbl_link_legal(&syevr), "all");
    syevr.range = GABLE_RANGE_VALUES;
    CHECK(!gbl_link_legal(&syevr), "an empty interval");
    syevr.to = 1;
    CHECK(gbl_link_legal(&syevr), "an interval");
    syevr.range = GABLE_RANGE_INDICES;
    syevr.first = 2;
    syevr.last = 6;
    CHECK(!gbl_link_legal(&syevr), "the sixth of five");
    syevr.last = 3;
    syevr.k = 2;
    CHECK(gbl_link_legal(&syevr), "two of five");
    syevr.lda = 4;
    CHECK(!gbl_link_legal(&syevr), "a short leading dimension of Z");
    syevr.job = GABLE_NO_VECTORS;
    CHECK(gbl_link_legal(&syevr), "no Z");
    syevr.job = GABLE_ALL_VECTORS;
    CHECK(!gbl_link_legal(&syevr), "a job of gesdd");
    test_case("jobs of gesvd");
    CHECK(!gbl_link_legal(&gesvd), "A cannot be overwritten twice");
    gesvd.job_b = GABLE_NO_VECTORS;
    CHECK(gbl_link_legal(&gesvd), "once");
    gesvd.ldb = 0;
    CHECK(!gbl_link_legal(&gesvd), "ldvt of no V^H");
    gesvd = driver_of(GBL_LINK_gesvd, 5, 4, GABLE_SOME_VECTORS);
    gesvd.B = gesvd.A;
    CHECK(!gbl_link_legal(&gesvd), "both sides in one place");
    gbl_link_call sygvd = driver_of(GBL_LINK_sygvd, 5, 5, GABLE_VECTORS);
    CHECK(gbl_link_legal(&sygvd), "sygvd");
    sygvd.itype = 4;
    CHECK(!gbl_link_legal(&sygvd), "itype 4");

    test_case("rates and verdicts of values alone");
    const gbl_link_call vectors = driver_of(GBL_LINK_heevd, 1000, 1000, GABLE_VECTORS),
                        values = driver_of(GBL_LINK_heevd, 1000, 1000, GABLE_NO_VECTORS);
    gbl_link_rate_name(&vectors, name);
    CHECK(strcmp(name, "syevd") == 0, "%s", name);
    gbl_link_rate_name(&values, name);
    CHECK(strcmp(name, "syevd_values") == 0, "%s", name);
    CHECK(gbl_link_work(&values) < gbl_link_work(&vectors), "vectors are free");
    const gbl_link_verdict known = {.device = true, .cpu_time = 3, .device_time = 2};
    gbl_link_verdict found;
    gbl_link_forget_all();
    gbl_link_remember(&vectors, GBL_LINK_TUNED, 4, &known);
    CHECK(gbl_link_recall(&vectors, GBL_LINK_TUNED, 4, &found), "it is not known");
    CHECK(!gbl_link_recall(&values, GBL_LINK_TUNED, 4, &found), "jobs do not count");
    gbl_link_call other = vectors;
    other.uplo = vectors.uplo == GABLE_UPPER ? GABLE_LOWER : GABLE_UPPER;
    CHECK(!gbl_link_recall(&other, GBL_LINK_TUNED, 4, &found), "uplo does not count");
    other = driver_of(GBL_LINK_gesvd, 90, 80, GABLE_SOME_VECTORS);
    gbl_link_remember(&other, GBL_LINK_TUNED, 4, &known);
    other.job_b = GABLE_NO_VECTORS;
    CHECK(!gbl_link_recall(&other, GBL_LINK_TUNED, 4, &found), "jobvt does not count");
}

int main(void)
{
    test_start("test_link_decide");
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    test_verdicts();
    test_guesses();
    test_classes();
    test_overlaps();
    test_legality();
    test_lapack();
    test_bytes();
    test_drivers();
    return test_finish();
}
