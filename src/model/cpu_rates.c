/* cpu_rates.c: how fast the BLAS libraries of this machine compute.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   {"cpu":"Intel(R) Xeon(R) Processor|16","library":"OpenBLAS 0.3.21 ...","kind":"tuned",
 *    "threads":16,"routine":"gemm","prec":"d","multiply_adds":1073741824,"flops":5.4e11}
 *
 * Of measurements of about the same size, within a factor of two, the last counts. Between sizes
 * the rate is interpolated by the logarithm of the multiply-adds.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/data_folder.h"
#include "core/json_line.h"
#include "core/number_text.h"
#include "device/cpu_features.h"
#include "device/cpu_peak.h"
#include "device/system_file.h"
#include "model/cpu_rates.h"

#define MOST_SAMPLES 1024
#define LINE_BYTES   640
#define NEWS         0.05

/* What the file said. Not changed once others can see it, so there is no lock, and nothing that a
 * child of fork could find locked. */
typedef struct table {
    int count;
    struct table *before; /* no longer asked, but another thread may still look at it */
    gbl_cpu_sample samples[MOST_SAMPLES];
} table;
static _Atomic(table *) current, forgotten;
static table nothing; /* where there is no memory */

/* Without libm: linear between powers of two. */
static double log2_of(double value)
{
    double places = 0;
    for (; value >= 2; value /= 2)
        places++;
    for (; value > 0 && value < 1; value *= 2)
        places--;
    return places + value - 1;
}

/* ---- Lines ---- */

/* A text for use in a JSON string. */
static void plain(const char *from, char *to, size_t bytes)
{
    size_t used = 0;
    for (; *from != '\0' && used + 1 < bytes; from++)
        to[used++] = (unsigned char)*from < ' ' || *from == '"' || *from == '\\' ? ' ' : *from;
    to[used] = '\0';
}

/* "Intel(R) Xeon(R) Processor|16": the data folder may be that of several machines. */
static void name_cpu(char name[GBL_CPU_WORDS])
{
    char model[GBL_CPU_WORDS - 16], text[sizeof model];
    if (!gbl_read_field("/proc/cpuinfo", "model name", model, sizeof model) &&
        !gbl_read_field("/proc/cpuinfo", "CPU part", model, sizeof model))
        snprintf(model, sizeof model, "CPU");
    plain(model, text, sizeof text);
    snprintf(name, GBL_CPU_WORDS, "%s|%d", text, gbl_cpu_count());
}

static bool read_sample(const char *line, const char *cpu, gbl_cpu_sample *sample)
{
    static const char letters[] = "sdcz";
    char text[GBL_CPU_WORDS], kind[16], prec[4];
    double threads;
    if (!gbl_json_valid(line) || !gbl_json_text(line, "cpu", text, sizeof text) ||
        strcmp(text, cpu) != 0 ||
        !gbl_json_text(line, "library", sample->words, sizeof sample->words) ||
        !gbl_json_text(line, "kind", kind, sizeof kind) ||
        !gbl_json_text(line, "routine", sample->routine, sizeof sample->routine) ||
        !gbl_json_text(line, "prec", prec, sizeof prec) || strlen(prec) != 1 ||
        strchr(letters, prec[0]) == NULL || !gbl_json_number(line, "threads", &threads) ||
        !gbl_json_number(line, "multiply_adds", &sample->multiply_adds) ||
        !gbl_json_number(line, "flops", &sample->flops))
        return false;
    sample->tuned = strcmp(kind, "tuned") == 0;
    sample->threads = threads >= 1 && threads < 65536 ? (int)threads : 0;
    sample->dtype = (gbl_dtype)(strchr(letters, prec[0]) - letters);
    return sample->threads > 0 && sample->multiply_adds >= 1 && sample->flops > 0;
}

static bool write_sample(const gbl_cpu_sample *sample, const char *cpu, char line[LINE_BYTES])
{
    char work[GBL_NUMBER_BYTES], flops[GBL_NUMBER_BYTES];
    const int length = snprintf(
        line, LINE_BYTES,
        "{\"cpu\":\"%s\",\"library\":\"%s\",\"kind\":\"%s\",\"threads\":%d,\"routine\":\"%s\","
        "\"prec\":\"%c\",\"multiply_adds\":%s,\"flops\":%s}\n",
        cpu, sample->words, sample->tuned ? "tuned" : "plain", sample->threads, sample->routine,
        gbl_dtype_letter(sample->dtype), gbl_number_write(sample->multiply_adds, 10, work),
        gbl_number_write(sample->flops, 4, flops));
    return length > 0 && length < LINE_BYTES;
}

/* ---- The table ---- */

static bool same_key(const gbl_cpu_sample *a, const gbl_cpu_sample *b)
{
    const double apart = log2_of(a->multiply_adds) - log2_of(b->multiply_adds);
    return a->threads == b->threads && a->dtype == b->dtype &&
           strcmp(a->routine, b->routine) == 0 && strcmp(a->words, b->words) == 0 && apart < 1 &&
           apart > -1;
}

static const gbl_cpu_sample *find_same(const table *rates, const gbl_cpu_sample *sample)
{
    for (int i = 0; i < rates->count; i++)
        if (same_key(&rates->samples[i], sample))
            return &rates->samples[i];
    return NULL;
}

static void keep(table *rates, const gbl_cpu_sample *sample)
{
    const gbl_cpu_sample *const known = find_same(rates, sample);
    if (known != NULL)
        rates->samples[known - rates->samples] = *sample;
    else if (rates->count < MOST_SAMPLES)
        rates->samples[rates->count++] = *sample;
}

static void read_file(table *rates)
{
    char path[1024], cpu[GBL_CPU_WORDS];
    if (!gbl_data_path("cpu_rates.jsonl", path, sizeof path))
        return;
    name_cpu(cpu);
    char *const text = gbl_data_read_own(path);
    for (const char *line = text; line != NULL && *line != '\0';) {
        gbl_cpu_sample sample;
        if (read_sample(line, cpu, &sample))
            keep(rates, &sample);
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    free(text);
}

/* Read by the first who asks. */
static const table *rates_now(void)
{
    table *known = atomic_load(&current);
    if (known != NULL)
        return known;
    table *const fresh = calloc(1, sizeof *fresh); /* pages that are not written cost nothing */
    if (fresh == NULL)
        return &nothing;
    read_file(fresh);
    if (atomic_compare_exchange_strong(&current, &known, fresh))
        return fresh;
    free(fresh);
    return known;
}

bool gbl_cpu_rates_store(const gbl_cpu_sample *samples, int count)
{
    char path[1024], line[LINE_BYTES], cpu[GBL_CPU_WORDS];
    bool good = gbl_data_path("cpu_rates.jsonl", path, sizeof path);
    const table *const rates = rates_now();
    name_cpu(cpu);
    for (int i = 0; good && i < count; i++) {
        gbl_cpu_sample sample = samples[i];
        plain(samples[i].words, sample.words, sizeof sample.words);
        const gbl_cpu_sample *const known = find_same(rates, &sample);
        const double change = known != NULL ? sample.flops / known->flops - 1 : 1;
        if (change > NEWS || change < -NEWS)
            good = write_sample(&sample, cpu, line) && gbl_data_append(path, line);
    }
    return good;
}

void gbl_cpu_rates_forget(void)
{
    table *const old = atomic_exchange(&current, NULL);
    if (old == NULL)
        return;
    old->before = atomic_load(&forgotten);
    while (!atomic_compare_exchange_weak(&forgotten, &old->before, old))
        ;
}

/* ---- Guesses ---- */

/* Of their peak the cores of a virtual machine with 16 CPUs at 2.1 GHz reached 0.6 in large
 * products, and by size n / (n + 256): OpenBLAS, d, 16 threads, n = 256, 1024, 8192: 260, 537, 637
 * Gflop/s (Xeon with AVX-512, 2026-11). */
#define TUNED_SHARE 0.6
#define HALF_SIZE   16.0 /* per thread */
/* Plain loops: one flop per cycle. */
#define PLAIN_FLOPS 1.0

/* OpenBLAS names the core that its loops are for, which may be an older one than this: a library
 * that does not know the CPU falls back to Prescott's. */
static double share_of_registers(const char *words)
{
    static const struct {
        const char *core;
        int bytes, flops; /* of registers; per lane and cycle */
    } cores[] = {{"Prescott", 16, 2},    {"Core2", 16, 2},   {"Nehalem", 16, 2},
                 {"Sandybridge", 32, 2}, {"Haswell", 32, 4}, {"Zen", 32, 4}};
    const double here = 4.0 * gbl_cpu_vector_bytes();
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        const double theirs = (double)cores[i].bytes * cores[i].flops;
        if (strstr(words, cores[i].core) != NULL)
            return theirs < here ? theirs / here : 1;
    }
    return 1;
}

/* The side of a cube of so many multiply-adds. */
static double side_of(double multiply_adds)
{
    double side = 1;
    while (side * side * side * 8 <= multiply_adds)
        side *= 2;
    for (int i = 0; i < 4; i++) /* Newton's method */
        side -= (side - multiply_adds / (side * side)) / 3;
    return side;
}

static double guess(const gbl_cpu_library *library, gbl_dtype dtype, double multiply_adds,
                    double peak)
{
    if (!library->tuned)
        return PLAIN_FLOPS * gbl_cpu_clock();
    const double side = side_of(multiply_adds), half = HALF_SIZE * (double)library->threads,
                 most = peak > 0 ? peak : TUNED_SHARE * gbl_cpu_peak(dtype, library->threads);
    return most * share_of_registers(library->words) * side / (side + half);
}

/* ---- Rates ---- */

/* Which samples answer a question. */
typedef struct filter {
    const table *rates;
    const char *words; /* NULL: any library of the kind */
    bool tuned;
    int threads;
    const char *routine;
    gbl_dtype dtype;
} filter;

static bool is_library(const gbl_cpu_sample *sample, const filter *wanted)
{
    return sample->tuned == wanted->tuned &&
           (wanted->words == NULL || strcmp(sample->words, wanted->words) == 0);
}

static bool fits(const gbl_cpu_sample *sample, const filter *wanted)
{
    return is_library(sample, wanted) && sample->threads == wanted->threads &&
           sample->dtype == wanted->dtype && strcmp(sample->routine, wanted->routine) == 0;
}

/* The rate between the nearest smaller and the nearest larger size; 0: there is no sample. */
static double interpolate(const filter *wanted, double multiply_adds)
{
    const gbl_cpu_sample *below = NULL, *above = NULL;
    for (int i = 0; i < wanted->rates->count; i++) {
        const gbl_cpu_sample *const at = &wanted->rates->samples[i];
        if (!fits(at, wanted))
            continue;
        if (at->multiply_adds <= multiply_adds &&
            (below == NULL || at->multiply_adds > below->multiply_adds))
            below = at;
        if (at->multiply_adds >= multiply_adds &&
            (above == NULL || at->multiply_adds < above->multiply_adds))
            above = at;
    }
    if (below == NULL || above == NULL)
        return below != NULL ? below->flops : above != NULL ? above->flops : 0;
    const double from = log2_of(below->multiply_adds), to = log2_of(above->multiply_adds);
    const double part = to > from ? (log2_of(multiply_adds) - from) / (to - from) : 0;
    return below->flops + part * (above->flops - below->flops);
}

/* Of the routine, else of gemm; in the precision, else in its real one. */
static double measured_rate(filter wanted, double multiply_adds)
{
    const char *const routines[] = {wanted.routine, "gemm"};
    const gbl_dtype real = gbl_dtype_real_bytes(wanted.dtype) == 8 ? GBL_D : GBL_S;
    const gbl_dtype dtypes[] = {wanted.dtype, real};
    double rate = 0;
    for (int i = 0; i < 4 && rate == 0; i++) {
        wanted.routine = routines[i / 2];
        wanted.dtype = dtypes[i % 2];
        rate = interpolate(&wanted, multiply_adds);
    }
    return rate;
}

/* The number of threads nearest to the wanted one for which there are samples; 0: none. */
static int nearest_threads(const filter *wanted)
{
    int nearest = 0;
    for (int i = 0; i < wanted->rates->count; i++) {
        const gbl_cpu_sample *const at = &wanted->rates->samples[i];
        if (is_library(at, wanted) &&
            (nearest == 0 || abs(at->threads - wanted->threads) < abs(nearest - wanted->threads)))
            nearest = at->threads;
    }
    return nearest;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

/* With the same threads, else with the nearest number of them, as if each did the same. */
static double rate_by_threads(filter wanted, double multiply_adds, bool *scaled)
{
    const double rate = measured_rate(wanted, multiply_adds);
    const int near = rate == 0 ? nearest_threads(&wanted) : 0, cpus = gbl_cpu_count(),
              busy = at_most(wanted.threads, cpus);
    *scaled = rate == 0;
    if (near == 0)
        return rate;
    wanted.threads = near;
    return measured_rate(wanted, multiply_adds) * (double)busy / (double)at_most(near, cpus);
}

double gbl_cpu_rate(const gbl_cpu_library *library, const char *routine, gbl_dtype dtype,
                    double multiply_adds, double peak, gbl_cpu_rate_source *source)
{
    char words[GBL_CPU_WORDS];
    bool scaled = false;
    plain(library->words, words, sizeof words);
    filter wanted = {.rates = rates_now(),
                     .words = words,
                     .tuned = library->tuned,
                     .threads = library->threads > 0 ? library->threads : 1,
                     .routine = routine,
                     .dtype = dtype};
    double rate = rate_by_threads(wanted, multiply_adds, &scaled);
    gbl_cpu_rate_source from = scaled ? GBL_CPU_RATE_SIMILAR : GBL_CPU_RATE_MEASURED;
    if (rate == 0) {
        wanted.words = NULL;
        from = GBL_CPU_RATE_SIMILAR;
        rate = rate_by_threads(wanted, multiply_adds, &scaled);
    }
    if (rate == 0) {
        from = GBL_CPU_RATE_GUESSED;
        rate = guess(library, dtype, multiply_adds, peak);
    }
    if (source != NULL)
        *source = from;
    return rate;
}
