/* link_counters.h: the file in which processes count their calls for `gable run`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `gable run` makes the file and names it in the environment. Each process that calls an entry maps
 * it and takes a slot. Counts are in the file at once, so they outlive _exit and signals.
 */
#ifndef GBL_LINK_COUNTERS_H
#define GBL_LINK_COUNTERS_H

#include <stdint.h>
#include "device/dtype.h"
#include "link/link_routines.h"

#define GBL_LINK_COUNTERS_MAGIC   UINT64_C(0x32746e636c626767)
#define GBL_LINK_COUNTERS_SLOTS   256 /* processes; all later ones share the last slot */
#define GBL_LINK_COUNTERS_TEXT    192
#define GBL_LINK_COUNTERS_OBJECTS 512

/* What became of a call. */
typedef enum gbl_link_outcome {
    GBL_LINK_WAS_SMALL,  /* below the floor */
    GBL_LINK_WAS_CPU,    /* the model says that the CPU is as fast */
    GBL_LINK_WAS_EARLY,  /* the savings so far do not pay for opening a device */
    GBL_LINK_WAS_BARRED, /* no device, GABLE_LINK=cpu, or a routine that is excluded */
    GBL_LINK_WAS_ODD,    /* operands that Gable does not take */
    GBL_LINK_WAS_FAILED, /* the device failed: the CPU library computed it */
    GBL_LINK_WAS_OFFLOADED,
    GBL_LINK_OUTCOMES
} gbl_link_outcome;

/* A routine in one precision. Times are in nanoseconds. */
typedef struct gbl_link_cell {
    _Atomic uint64_t calls[GBL_LINK_OUTCOMES];
    _Atomic uint64_t cpu_time, device_time; /* of calls that are not small */
    _Atomic uint64_t predicted_time;        /* on the CPU, of calls that went to the device */
    _Atomic uint64_t link_bytes;
    _Atomic uint64_t largest; /* m, n and k of 21 bits each */
} gbl_link_cell;

typedef struct gbl_link_process {
    _Atomic int32_t number; /* of the process; 0: a free slot */
    _Atomic int32_t integers, threads;
    _Atomic int32_t guessed; /* calls were judged by guesses of the CPU's speed */
    _Atomic uint64_t opening_time;
    char program[GBL_LINK_COUNTERS_TEXT];
    char library[GBL_LINK_COUNTERS_TEXT];    /* the CPU library of its first call */
    char device[GBL_LINK_COUNTERS_TEXT];     /* "": none was opened */
    char reason[GBL_LINK_COUNTERS_TEXT];     /* why there is none */
    char objects[GBL_LINK_COUNTERS_OBJECTS]; /* loaded BLAS libraries, where nothing was called */
    gbl_link_cell cells[GBL_LINK_ROUTINE_COUNT][GBL_DTYPES];
} gbl_link_process;

typedef struct gbl_link_counters {
    uint64_t magic, bytes;
    gbl_link_process processes[GBL_LINK_COUNTERS_SLOTS];
} gbl_link_counters;

static inline uint64_t gbl_link_pack_sizes(int64_t m, int64_t n, int64_t k)
{
    const int64_t most = (1 << 21) - 1;
    return (uint64_t)(m < most ? m : most) << 42 | (uint64_t)(n < most ? n : most) << 21 |
           (uint64_t)(k < most ? k : most);
}

static inline void gbl_link_unpack_sizes(uint64_t packed, int64_t sizes[3])
{
    for (int i = 0; i < 3; i++)
        sizes[i] = (int64_t)(packed >> (42 - 21 * i) & ((1 << 21) - 1));
}

#endif
