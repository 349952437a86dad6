/* nvrtc.h: NVIDIA's run-time compiler, found and called without headers, driver or GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Safe from several threads; NVRTC itself compiles in parallel.
 */
#ifndef GBL_NVRTC_H
#define GBL_NVRTC_H

#include <stdbool.h>
#include "device/message.h"

/* The version of NVRTC, which is looked for and loaded by the first call. GABLE_NO_DEVICE and a
 * sentence that says what to do when there is none or $GABLE_NVRTC is wrong. */
gable_status gbl_nvrtc_version(int *major, int *minor, gbl_message *message);

/* The library's file; "" before it was loaded or when there is none. */
const char *gbl_nvrtc_path(void);

/* Of several installed versions take one of at most this major if there is one: a driver refuses
 * code of a newer major than its own. Has an effect before the library is loaded only. */
void gbl_nvrtc_prefer_major(int major);

/* What to compile for on a device of this compute capability: "sm_90a", "sm_80", or "compute_90"
 * (PTX for the driver to finish) when the device is newer than NVRTC. GABLE_NO_DEVICE when it is
 * older than anything NVRTC knows. */
#define GBL_NVRTC_ARCH_BYTES 24
gable_status gbl_nvrtc_target(int major, int minor, char *arch, gbl_message *message);

/* The number in an architecture, which kernels see as __CUDA_ARCH__ / 10: 90 of "sm_90a", 89 of
 * "compute_89". */
int gbl_nvrtc_arch_number(const char *arch);

typedef struct gbl_nvrtc_product {
    void
        *image; /* a cubin for an sm_ architecture, else PTX text with its final NUL; from malloc */
    size_t image_bytes;
    bool is_ptx;
    char *ptx; /* the PTX too, a string; NULL unless details were asked for */
    char *log; /* warnings and, with details, ptxas's report; a string; NULL unless asked for */
} gbl_nvrtc_product;

/* Compiles a program. macros: "NAME=VALUE" each, ended by NULL; may be NULL. An error in the
 * program is GABLE_COMPILE_FAILED with the log in the message. */
gable_status gbl_nvrtc_compile(const char *source, const char *const *macros, const char *arch,
                               bool details, gbl_nvrtc_product *product, gbl_message *message);
void gbl_nvrtc_product_free(gbl_nvrtc_product *product);

/* What ptxas reports of one kernel; -1 where it says nothing. */
typedef struct gbl_nvrtc_resources {
    int registers;
    int spill_bytes; /* stores plus loads */
    int local_bytes; /* static shared memory */
    int stack_bytes;
} gbl_nvrtc_resources;

/* Reads them from the log of a compilation with details. false: the log does not name the kernel
 * (always so for PTX). */
bool gbl_nvrtc_read_resources(const char *log, const char *entry, gbl_nvrtc_resources *resources);

#endif
