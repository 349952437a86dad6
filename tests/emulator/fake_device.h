/* fake_device.h: a device made of host memory that fails on demand, for tests of core.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It opens as "fake". Its kernels are the files of kernels/ compiled as plain C (dialect_c.h).
 * Programs are linked with one of three ways to run them. fake_items.c: one thread per work-item,
 * groups one after another in a random order, so that the last group varies. fake_turns.c: the same
 * with work-items that take turns in one thread. fake_groups.c: one thread per group, groups side
 * by side (fake_groups.h).
 * Everything it hands out is counted, and every address it is given must lie in memory that is
 * alive; what breaks such a rule is a fault.
 *
 * With `deferred`, work is done only when somebody waits for it, as on a GPU: memory that is reused
 * or freed too early shows as a fault or a wrong result.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "device/device.h"

/* What can fail, and the status it then gives. */
#define FAKE_KINDS(X)                                                                              \
    X(FAKE_OPEN, GABLE_NO_DEVICE)                                                                  \
    X(FAKE_QUEUE_OPEN, GABLE_DEVICE_FAILED)                                                        \
    X(FAKE_SYNC, GABLE_DEVICE_FAILED)                                                              \
    X(FAKE_WAIT, GABLE_DEVICE_FAILED)                                                              \
    X(FAKE_ALLOC, GABLE_OUT_OF_MEMORY)                                                             \
    X(FAKE_FREE, GABLE_DEVICE_FAILED)                                                              \
    X(FAKE_PINNED, GABLE_OUT_OF_MEMORY)                                                            \
    X(FAKE_COPY, GABLE_DEVICE_FAILED)                                                              \
    X(FAKE_FILL, GABLE_DEVICE_FAILED)                                                              \
    X(FAKE_BUILD, GABLE_COMPILE_FAILED)                                                            \
    X(FAKE_LOAD, GABLE_COMPILE_FAILED)                                                             \
    X(FAKE_IMAGE, GABLE_DEVICE_FAILED)                                                             \
    X(FAKE_LAUNCH, GABLE_DEVICE_FAILED)                                                            \
    X(FAKE_GRAPH_BUILD, GABLE_DEVICE_FAILED)                                                       \
    X(FAKE_GRAPH_RUN, GABLE_DEVICE_FAILED)                                                         \
    X(FAKE_MARK_CREATE, GABLE_DEVICE_FAILED)                                                       \
    X(FAKE_MARK_SET, GABLE_DEVICE_FAILED)                                                          \
    X(FAKE_MARK_WAIT, GABLE_DEVICE_FAILED)                                                         \
    X(FAKE_MARK_SECONDS, GABLE_DEVICE_FAILED)

#define FAKE_KIND_NAME(name, status) name,
typedef enum fake_kind { FAKE_KINDS(FAKE_KIND_NAME) FAKE_KIND_COUNT } fake_kind;
#undef FAKE_KIND_NAME

typedef struct fake_settings {
    bool graphs; /* has graph_build; else core replays step by step */
    bool pinned_is_address;
    bool disk_cache;
    bool image_at_build;
    bool fence_device;
    bool deferred; /* work is done when waited for, not at once */
    bool streams;  /* of two chains (core/branch.h) the second is done before the first */
    bool is_gpu;
    bool hopper;           /* has tensor maps, which hold their gbl_tensor_map_spec, and clusters */
    int build_msec;        /* how long a compilation takes */
    const char *build_key; /* NULL: "fake-1" */
    bool emulated;         /* it is the emulated device (emulated.c) */
} fake_settings;

/* Objects alive. */
typedef struct fake_counts {
    int devices, queues, blocks, pinned, codes, graphs, marks;
} fake_counts;

/* Registers the table; fake_remove forgets the kernels, closes the device and takes it away. */
void fake_install(const fake_settings *settings);
void fake_remove(void);

/* Makes the nth (from 1) operation of a kind from now on fail, once; 0 disarms. */
void fake_fail(fake_kind kind, int nth);
bool fake_fired(void);
gable_status fake_status(fake_kind kind);
const char *fake_kind_name(fake_kind kind);

/* How many bytes the device has from now on, for all blocks together; 0: as many as the host. And
 * how many it has handed out. */
void fake_limit(size_t bytes);
size_t fake_alive_bytes(void);

/* Operations of a kind since fake_install. */
long fake_calls(fake_kind kind);
/* Groups of the last launch of this thread, and how many of them are a cluster. */
typedef struct fake_geometry {
    int64_t groups;
    int cluster;
} fake_geometry;
fake_geometry fake_last_launch(void);

fake_counts fake_alive(void);
/* Faults since fake_install, and the first one in words. */
int fake_faults(void);
const char *fake_first_fault(void);

/* Seeds the order of the groups. */
void fake_shuffle(unsigned seed);

/* ---- Between fake_device.c, fake_memory.c and fake_code.c ----------------------------------- */

/* A kernel in plain C: its file's stem, its macros as the library gives them, and its geometry. */
typedef struct fake_kernel {
    const char *stem;   /* "dot" */
    const char *macros; /* "PREC=1 WX=4 VEC=2 ..." */
    void (*run)(const void *const *buffers, const void *args);
    int work_items;
    int warp_size;
    int buffers;
    char *local; /* its LOCAL data, where groups take turns; NULL: those of a launch share it */
    size_t local_bytes;
} fake_kernel;

extern const fake_kernel fake_kernels[]; /* generated; ends with a NULL stem */

typedef struct fake_code {
    gbl_code base;
    const fake_kernel *kernel;
} fake_code;

/* Counts an operation; true: it must fail now, and the message says so. */
bool fake_must_fail(fake_kind kind, gbl_message *message);
void fake_fault(const char *format, ...) GBL_PRINTF(1, 2);
/* Zeroed memory that tests of malloc do not see; NULL without. Freed by free(). */
void *fake_memory(size_t bytes);
/* Makes a fault of an address that is not bytes of the device's live memory. */
void fake_need_memory(const void *address, size_t bytes, const char *what);
/* Whether an address lies in live memory of the device or in a pinned block. */
bool fake_holds(const void *address);
void fake_books_clear(void);
/* Changes a count of objects; under the device's lock. */
void fake_count(int *count, int change);
extern fake_counts fake_live;

extern fake_settings fake_set; /* as installed */

gable_status fake_alloc(gbl_device *device, size_t bytes, void **address, gbl_message *message);
gable_status fake_free(gbl_device *device, void *address, gbl_message *message);
gable_status fake_pinned_alloc(gbl_device *device, size_t bytes, void **address,
                               gbl_message *message);
void fake_pinned_free(gbl_device *device, void *address);
gbl_where fake_where(gbl_device *device, const void *address);

/* fake_code.c, or emulated_code.c. */
gable_status fake_build(gbl_device *device, const char *source, const char *const *macros,
                        const char *entry, gbl_code **code, gbl_message *message);
gable_status fake_load(gbl_device *device, const void *image, size_t image_bytes, const char *entry,
                       gbl_code **code, gbl_message *message);
gable_status fake_image(const gbl_code *code, void **image, size_t *image_bytes,
                        gbl_message *message);
void fake_unload(gbl_code *code);

/* When set, kernels with the macro MUTANT of this number are taken before those without. */
extern int fake_mutant;

#if !defined(FAKE_MAX_ITEMS)
#define FAKE_MAX_ITEMS 128 /* of a group */
#endif

/* fake_order.c: the groups of a launch in a random order, row by row of them, from malloc. NULL:
 * there was a fault. */
int64_t *fake_order(const fake_kernel *kernel, const gbl_launch_spec *spec);
/* Runs all groups of a launch, to the end. */
void fake_run(const fake_kernel *kernel, const gbl_launch_spec *spec);

#endif
