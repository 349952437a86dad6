/* cpu_rates.h: how fast the BLAS libraries of this machine compute: flops per second by library,
 * threads, routine, precision and size.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that was not changed brings a BLAS of its own, and whether a device pays depends on it.
 * gable_calibrate measures the installed one; libgable_link times long calls that stay with the
 * program's library. Both leave lines in cpu_rates.jsonl of the data folder. The file is read once:
 * what is measured meanwhile counts from the next process on, so that a program does not change
 * its mind half-way.
 *
 * Also part of libgable_link: it needs the C library alone.
 */
#ifndef GBL_CPU_RATES_H
#define GBL_CPU_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include "device/dtype.h"

#define GBL_CPU_WORDS 128

/* A library as it runs. */
typedef struct gbl_cpu_library {
    const char *words; /* its configuration where it tells one, else its path */
    bool tuned;        /* else plain loops on one thread, such as the reference's */
    int threads;
} gbl_cpu_library;

/* Where a rate comes from, worst first. */
typedef enum gbl_cpu_rate_source {
    GBL_CPU_RATE_GUESSED, /* from the cores of this machine */
    GBL_CPU_RATE_SIMILAR, /* measured: another library of the kind, or other threads */
    GBL_CPU_RATE_MEASURED
} gbl_cpu_rate_source;

/* Flops per second of a routine ("gemm") on so many multiply-adds. Where the routine was not
 * measured, that of gemm. peak: what the cores reach in large products, for guesses; 0: by what the
 * kernel says of them. source may be NULL. */
double gbl_cpu_rate(const gbl_cpu_library *library, const char *routine, gbl_dtype dtype,
                    double multiply_adds, double peak, gbl_cpu_rate_source *source);

/* One measurement. */
typedef struct gbl_cpu_sample {
    char words[GBL_CPU_WORDS];
    bool tuned;
    int threads;
    char routine[16];
    gbl_dtype dtype;
    double multiply_adds, flops; /* flops: per second */
} gbl_cpu_sample;

/* Appends them to the file, but for those that say what it says already, within a twentieth. false:
 * it cannot be written. */
bool gbl_cpu_rates_store(const gbl_cpu_sample *samples, int count);

/* Reads the file anew at the next question: for gable_calibrate and tests. */
void gbl_cpu_rates_forget(void);

#endif
