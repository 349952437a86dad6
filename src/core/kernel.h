/* kernel.h: kernels by file, precision and macros; compiled once, kept in memory and on disk.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_KERNEL_H
#define GBL_KERNEL_H

#include <stdatomic.h>
#include "device/dtype.h"
#include "device/device.h"

#define GBL_MAX_MACROS  24
#define GBL_MACRO_BYTES 48 /* of NAME=VALUE */
#define GBL_ENTRY_BYTES 48

/* Which kernel: the file in kernels/, the precision and the values of its macros. The names are
 * string constants. A spec is zeroed before it is filled. */
typedef struct gbl_kernel_spec {
    const char *file; /* "dot.cl": its entry is FN(dot) */
    gbl_dtype dtype;
    int macro_count;
    struct {
        const char *name;
        int32_t value;
    } macros[GBL_MAX_MACROS];
} gbl_kernel_spec;

typedef struct gbl_kernel {
    gbl_code *code;
    gbl_kernel_spec spec;
    gbl_device *device;
    char entry[GBL_ENTRY_BYTES]; /* "ddot" */
    char *cache_key;             /* to be stored after the first launch; NULL: nothing to store */
    atomic_bool unsaved;
    bool ready;     /* false: a thread is still at it */
    bool candidate; /* compiled while gbl_kernels_try was on */
    struct gbl_kernel *next;
} gbl_kernel;

/* Finds, loads or compiles; refuses a spec that breaks a limit above. The kernel lives as long as
 * the process. */
gable_status gbl_kernel_get(gbl_device *device, const gbl_kernel_spec *spec, gbl_kernel **kernel,
                            gbl_message *message);

bool gbl_kernel_same(const gbl_kernel_spec *a, const gbl_kernel_spec *b);

/* Compiles kernels, any number of them, side by side where the device's compiler takes threads (one
 * per core, 16 at most), so that gbl_kernel_get finds them. Those that are there cost nothing. All
 * are tried; the status and the message are those of the first in the list that failed. For
 * composed routines: kernel_list.h collects what a call would ask for. */
#define GBL_MOST_COMPILERS 16
gable_status gbl_kernels_compile(gbl_device *device, const gbl_kernel_spec *const *specs, int count,
                                 gbl_message *message);

/* The same for the few kernels of one call, only where two or more are missing and compiled side by
 * side; failures are left to gbl_kernel_get. */
void gbl_kernels_prepare(gbl_device *device, const gbl_kernel_spec *specs, int count);

/* What this thread had compiled so far (not loaded from disk), and how long it waited for it. */
typedef struct gbl_compiled {
    int count;
    double seconds;
} gbl_compiled;
gbl_compiled gbl_kernels_compiled(void);

/* Whether the device can run it in groups of so many work-items: compilers may give a kernel more
 * registers than a large group can have. */
bool gbl_kernel_takes(const gbl_kernel *kernel, int items);

/* Told by launch.c: a device whose images are complete only after a launch has one now. */
void gbl_kernel_launched(gbl_kernel *kernel);

/* The complete program text of a kernel file, from malloc: dialect, precision, then the file with
 * its includes in place, each piece under a #line. */
gable_status gbl_kernel_source(const char *file, char **source, gbl_message *message);

/* A number made of the program texts of files with spaces between their names: it changes when a
 * kernel, or a piece that it includes, is edited beyond comments and blanks. */
gable_status gbl_kernel_source_hash(const char *files, uint64_t *hash, gbl_message *message);

/* "NAME=VALUE" lines for a compiler, PREC first. list has room for GBL_MAX_MACROS + 2 pointers. */
typedef struct gbl_macro_list {
    const char *list[GBL_MAX_MACROS + 2];
    char text[GBL_MAX_MACROS + 1][GBL_MACRO_BYTES];
} gbl_macro_list;
void gbl_kernel_macros(const gbl_kernel_spec *spec, gbl_macro_list *macros);
void gbl_kernel_entry(const gbl_kernel_spec *spec, char entry[GBL_ENTRY_BYTES]);

/* Forgets the kernels of a device (all for NULL) in memory: for tests and closing processes. */
void gbl_kernels_forget(gbl_device *device);

/* For the tuner, which compiles hundreds of kernels to keep one. While trying is on, what is
 * compiled is a candidate and not stored on disk; what the disk has is still taken from there. A
 * candidate that is asked for again while trying is off is stored then. */
void gbl_kernels_try(bool on);
/* How many candidates of a device there are, and forgetting them: no recording may hold one. */
int gbl_kernels_candidates(const gbl_device *device);
void gbl_kernels_forget_candidates(gbl_device *device);

#endif
