/* test_cpu_rates.c: rates of CPU libraries: stored, read back, interpolated, guessed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "device/cpu_features.h"
#include "device/cpu_peak.h"
#include "harness/check.h"
#include "model/cpu_rates.h"

static char folder[] = "/tmp/gable-rates-XXXXXX";
static char file[64];

static const gbl_cpu_library four = {.words = "Some \"BLAS\"", .tuned = true, .threads = 4};

static void store(const char *words, int threads, const char *routine, gbl_dtype dtype, double n,
                  double flops)
{
    gbl_cpu_sample sample = {.tuned = true,
                             .threads = threads,
                             .dtype = dtype,
                             .multiply_adds = n * n * n,
                             .flops = flops};
    snprintf(sample.words, sizeof sample.words, "%s", words);
    snprintf(sample.routine, sizeof sample.routine, "%s", routine);
    CHECK(gbl_cpu_rates_store(&sample, 1), "%s is not stored", words);
    gbl_cpu_rates_forget();
}

static double rate(const gbl_cpu_library *library, const char *routine, gbl_dtype dtype, double n,
                   gbl_cpu_rate_source wanted)
{
    gbl_cpu_rate_source source;
    const double found = gbl_cpu_rate(library, routine, dtype, n * n * n, 0, &source);
    CHECK(source == wanted, "the rate %g comes from %d, not %d", found, (int)source, (int)wanted);
    return found;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fabs(b);
}

static int lines(void)
{
    int count = 0;
    FILE *const stream = fopen(file, "r");
    for (int c; stream != NULL && (c = getc(stream)) != EOF;)
        count += c == '\n';
    if (stream != NULL)
        fclose(stream);
    return count;
}

static void guesses(void)
{
    const gbl_cpu_library one = {.words = "x", .tuned = true, .threads = 1},
                          plain = {.words = "x", .threads = 1};
    test_case("guesses");
    const double large = rate(&one, "gemm", GBL_D, 4096, GBL_CPU_RATE_GUESSED);
    CHECK(large > 0.5 * gbl_cpu_peak(GBL_D, 1) && large < gbl_cpu_peak(GBL_D, 1), "%g of %g", large,
          gbl_cpu_peak(GBL_D, 1));
    CHECK(near(rate(&one, "gemm", GBL_S, 4096, GBL_CPU_RATE_GUESSED), 2 * large),
          "s is not twice d");
    CHECK(rate(&one, "gemm", GBL_D, 64, GBL_CPU_RATE_GUESSED) < large, "small products");
    CHECK(rate(&plain, "gemm", GBL_D, 4096, GBL_CPU_RATE_GUESSED) < large / 2, "plain loops");
    CHECK(near(gbl_cpu_rate(&one, "gemm", GBL_D, 1e15, 7e9, NULL), 7e9), "a known peak");
    const gbl_cpu_library old = {.words = "OpenBLAS Prescott", .tuned = true, .threads = 1};
    const double share = gbl_cpu_vector_bytes() > 16 ? 8.0 / gbl_cpu_vector_bytes() : 1;
    CHECK(rate(&old, "gemm", GBL_D, 4096, GBL_CPU_RATE_GUESSED) <= 1.01 * share * large,
          "loops of an older core");
}

static void samples(void)
{
    gbl_cpu_library other = four;
    test_case("measured sizes, and between them");
    store(four.words, 4, "gemm", GBL_D, 256, 100e9);
    store(four.words, 4, "gemm", GBL_D, 1024, 200e9);
    CHECK(near(rate(&four, "gemm", GBL_D, 256, GBL_CPU_RATE_MEASURED), 100e9), "256");
    CHECK(near(rate(&four, "gemm", GBL_D, 512, GBL_CPU_RATE_MEASURED), 150e9), "512");
    CHECK(near(rate(&four, "gemm", GBL_D, 10, GBL_CPU_RATE_MEASURED), 100e9), "10");
    CHECK(near(rate(&four, "gemm", GBL_D, 9999, GBL_CPU_RATE_MEASURED), 200e9), "9999");
    CHECK(near(rate(&four, "gemm", GBL_Z, 1024, GBL_CPU_RATE_MEASURED), 200e9), "z is as d");
    rate(&four, "gemm", GBL_S, 1024, GBL_CPU_RATE_GUESSED);

    test_case("routines");
    CHECK(near(rate(&four, "trsm", GBL_D, 1024, GBL_CPU_RATE_MEASURED), 200e9), "trsm is as gemm");
    store(four.words, 4, "trsm", GBL_D, 1000, 80e9);
    CHECK(near(rate(&four, "trsm", GBL_D, 1024, GBL_CPU_RATE_MEASURED), 80e9), "its own rate");

    test_case("other threads, another library");
    other.threads = 2;
    const int cpus = gbl_cpu_count();
    const double share = cpus >= 4 ? 0.5 : cpus >= 2 ? 2.0 / cpus : 1;
    CHECK(near(rate(&other, "gemm", GBL_D, 1024, GBL_CPU_RATE_SIMILAR), share * 200e9),
          "2 of 4 threads");
    other.threads = 4;
    other.words = "Another";
    CHECK(near(rate(&other, "gemm", GBL_D, 1024, GBL_CPU_RATE_SIMILAR), 200e9), "another library");
    store("Another", 4, "gemm", GBL_D, 1024, 300e9);
    CHECK(near(rate(&other, "gemm", GBL_D, 1024, GBL_CPU_RATE_MEASURED), 300e9), "its own");
}

static void file_grows_slowly(void)
{
    test_case("what is known is not written again");
    const int before = lines();
    store(four.words, 4, "gemm", GBL_D, 1024, 202e9);
    CHECK(lines() == before, "%d lines, then %d", before, lines());
    store(four.words, 4, "gemm", GBL_D, 1000, 250e9);
    CHECK(lines() == before + 1, "%d lines, then %d", before, lines());
    CHECK(near(rate(&four, "gemm", GBL_D, 1024, GBL_CPU_RATE_MEASURED), 250e9), "the last counts");
}

static void damage(void)
{
    static const char *const bad[] = {"no JSON\n", "{}\n", "{\"cpu\":\"of another machine\"}\n",
                                      "{\"cpu\":\""};
    test_case("damaged lines, and no file");
    for (int i = 0; i < 4; i++) {
        FILE *const stream = fopen(file, "a");
        CHECK(stream != NULL && fputs(bad[i], stream) >= 0 && fclose(stream) == 0, "no file");
        gbl_cpu_rates_forget();
        CHECK(near(rate(&four, "gemm", GBL_D, 1024, GBL_CPU_RATE_MEASURED), 250e9), "line %d", i);
    }
    setenv("XDG_DATA_HOME", "/proc/nowhere", 1);
    gbl_cpu_rates_forget();
    rate(&four, "gemm", GBL_D, 1024, GBL_CPU_RATE_GUESSED);
    const gbl_cpu_sample sample = {.words = "x", .routine = "gemm", .multiply_adds = 1, .flops = 1};
    CHECK(!gbl_cpu_rates_store(&sample, 1), "it is stored nowhere");
}

int main(void)
{
    test_start("test_cpu_rates");
    CHECK(mkdtemp(folder) != NULL, "no folder");
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(file, sizeof file, "%s/gable/cpu_rates.jsonl", folder);
    guesses();
    samples();
    file_grows_slowly();
    damage();
    unlink(file);
    *strrchr(file, '/') = '\0';
    rmdir(file);
    rmdir(folder);
    return test_finish();
}
