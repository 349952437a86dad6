/* link_settings.h: what the environment says to libgable_link, and its log.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Read once, at the first call that is not small. Programs with more rights than their caller see
 * no variable.
 */
#ifndef GBL_LINK_SETTINGS_H
#define GBL_LINK_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include "device/message.h"
#include "link/link_routines.h"

/* GABLE_LINK */
typedef enum gbl_link_mode {
    GBL_LINK_AUTO,   /* the model decides */
    GBL_LINK_CPU,    /* all calls stay with the CPU library; they are counted and logged */
    GBL_LINK_DEVICE, /* all calls that can go to the device do, however small */
    GBL_LINK_OFF     /* nothing but passing on */
} gbl_link_mode;

typedef struct gbl_link_settings {
    gbl_link_mode mode;
    uint64_t floor; /* of gbl_link_floor */
    int log;        /* a file to write to; -1: none */
    bool excluded[GBL_LINK_ROUTINE_COUNT];
    int limit;                 /* milliseconds without a sign of life from the device's driver */
    int rest;                  /* milliseconds without a call until memory is given back */
    const char *library;       /* path of libgable; NULL: beside this library */
    const char *counters_path; /* NULL: nobody counts */
} gbl_link_settings;

/* Fewer multiply-adds than these are small: 0 until the first call, also in a child of fork, so
 * that this call is looked at. */
extern _Atomic uint64_t gbl_link_floor;
#define GBL_LINK_FLOOR 500000

/* GABLE_LINK_LIMIT: opening a device takes up to some ten seconds where it has many neighbours, and
 * so does compiling a kernel. */
#define GBL_LINK_LIMIT 60000

/* GABLE_LINK_REST: other programs may have the device's memory then. */
#define GBL_LINK_REST 60000

const gbl_link_settings *gbl_link_settings_get(void);

/* One line of the log, where there is one. */
void gbl_link_log(const char *format, ...) GBL_PRINTF(1, 2);

#endif
