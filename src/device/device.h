/* device.h: what a device must be able to do; the only door to CUDA, OpenCL and the plain CPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each kind of device is one file (cuda.c, opencl.c, cpu.c) that ends in one const
 * gbl_device_table. Nothing above this layer knows a vendor. Objects:
 *
 *   gbl_device  one opened device; process-wide, shared by contexts, kept by registry.c
 *   gbl_queue   an in-order queue on it; one per context
 *   gbl_code    one loaded kernel; process-wide, kept by the kernel cache
 *   gbl_graph   a recording compiled by the device (only where table->graph_build is set)
 *   gbl_mark    a point in a queue with a time
 *
 * A backend embeds the base struct as the first member of its own and casts back. Functions return
 * a status and write the message; none prints, exits or leaves a half-made object. A queue is used
 * by one thread at a time; everything that takes a gbl_device must be safe from several threads.
 */
#ifndef GBL_DEVICE_H
#define GBL_DEVICE_H

#include <stdbool.h>
#include "gable/types.h"
#include "device/dtype.h"
#include "device/message.h"

typedef struct gbl_device_table gbl_device_table;

/* What fits() and the choice may ask. Zero or false where it has no meaning. */
typedef struct gbl_props {
    bool is_host;      /* cpu: tasks run at once, any host pointer is an address, no kernels */
    bool is_gpu;       /* false for cpu and for CPU OpenCL devices */
    bool fence_device; /* a group sees what groups that took their TICKET before have written */
    bool overlap;      /* overlap_previous has an effect */
    bool cooperative;  /* grid-wide launches */
    bool streams;      /* foreign streams */
    bool pinned_is_address; /* kernels may write memory of pinned_alloc */
    bool disk_cache;        /* core keeps its images on disk */
    bool
        /* core always compares operands with allocations: a fault could end the process */
        guard_operands;
    bool image_at_build;    /* the image is complete right after build, not only after a launch */
    int max_cluster;        /* 1: no clusters; beyond 8 ask active_clusters of the kernel */
    int max_tensor_maps;    /* 0: none */
    int units;              /* multiprocessors, compute units, cores */
    int simd;               /* lanes that run together: 32 on NVIDIA, 1 on CPU devices */
    int max_group;          /* work-items per group */
    size_t max_local_bytes; /* static local memory per group */
    size_t max_dynamic_local_bytes; /* with a raised limit */
    size_t cache_bytes;
    size_t memory_bytes;
    char family
        [32]; /* key of built-in tuning: "sm_90", "opencl-sm_90", "gpu", "opencl-cpu", "cpu" */
    char build_key[256]; /* what an image depends on beside its source: architecture, compiler and,
                            on OpenCL, platform, device and driver versions */
} gbl_props;

typedef struct gbl_device {
    const gbl_device_table *table;
    gable_device_info info;
    gbl_props props;
} gbl_device;

typedef struct gbl_queue {
    gbl_device *device;
} gbl_queue;

/* What the compiler said of a kernel. -1: unknown. */
typedef struct gbl_code {
    gbl_device *device;
    int registers;
    int spill_bytes; /* spill stores plus loads, or the local memory a work-item uses */
    int local_bytes; /* static local (shared) memory */
    int max_group;
    uint64_t identity; /* set by core/kernel.c: the same for the same file, precision and macros */
} gbl_code;

typedef struct gbl_graph {
    gbl_device *device;
} gbl_graph;

typedef struct gbl_mark {
    gbl_queue *queue;
} gbl_mark;

/* Where a pointer points. AT_BOTH: host and kernels reach it (pinned, managed; on cpu all that
 * alloc did not give). */
typedef enum gbl_where { GBL_AT_HOST, GBL_AT_DEVICE, GBL_AT_BOTH } gbl_where;

/* Copies `runs` runs of run_bytes; the pitches are the distances between starts of runs. */
typedef enum gbl_direction { GBL_TO_DEVICE, GBL_TO_HOST, GBL_ON_DEVICE } gbl_direction;
typedef struct gbl_copy_spec {
    gbl_direction direction;
    void *target;
    size_t target_pitch;
    const void *source;
    size_t source_pitch;
    size_t run_bytes;
    int64_t runs;
} gbl_copy_spec;

typedef struct gbl_fill_spec {
    void *target;
    unsigned char value;
    size_t bytes;
} gbl_fill_spec;

/* A tensor map (CUtensorMap), opaque, passed by value before the buffers. */
typedef struct gbl_tensor_map {
    _Alignas(64) unsigned char bytes[128];
} gbl_tensor_map;

/* What a tensor map describes: a matrix, or many of one shape, and the box of it that one copy
 * fetches. Elements along dims[0] lie side by side. A kernel's coordinates count elements; those of
 * z are two doubles each, so that x counts doubles there. What a box has outside of the matrix
 * becomes zeros. With `swizzled` a line of box[0] elements is 128 bytes, and its 16 bytes number c
 * lie at number c ^ (r & 7) of line r, counted from a multiple of 1024 bytes. */
#define GBL_MAX_RANK 4
typedef struct gbl_tensor_map_spec {
    gbl_dtype dtype;
    int rank; /* from 2 on */
    const void *address;
    int64_t dims[GBL_MAX_RANK];        /* in elements */
    int64_t strides[GBL_MAX_RANK - 1]; /* in bytes, along dims[1] and those behind it */
    int box[GBL_MAX_RANK];             /* in elements */
    bool swizzled;
} gbl_tensor_map_spec;

#define GBL_MAX_BUFFERS 16
#define GBL_MAX_MAPS    5
#define GBL_MAX_ARGS    256 /* bytes of the argument struct */

/* One launch. Kernel signature: tensor maps by value, buffers, then one struct by value. */
typedef struct gbl_launch_spec {
    const gbl_code *code;
    const char *name;  /* for messages and logs: "ddot_one_pass" */
    int64_t groups[2]; /* x, y */
    int group[2];      /* work-items per group, x, y */
    size_t dynamic_local_bytes;
    int cluster;           /* groups a cluster along x; 0 or 1: none */
    bool cooperative;      /* all groups resident at once, grid barrier allowed */
    bool overlap_previous; /* may run beside the previous launch of the queue, and, in a row of such
                              launches, beside all of that row: none may depend on another */
    bool
        /* its kernel waits for the launches before it (BEGIN of kernels/dialect.h): it may be made
         * ready while the last of them runs */
        waits_itself;
    bool not_early;        /* all the same it is not: it would take room from work beside it */
    bool follows_pointers; /* its kernel reads addresses from memory and goes there */
    int buffer_count;
    const void *buffers[GBL_MAX_BUFFERS];
    int map_count;
    const gbl_tensor_map *maps;
    const void *args;
    size_t args_bytes; /* a multiple of 8, at most GBL_MAX_ARGS */
} gbl_launch_spec;

/* Work done by a host function: BLAS calls and OpenMP loops on cpu (runs at once, stream is NULL),
 * a vendor's library on CUDA (enqueues on the CUstream; must not synchronise: it may be captured).
 */
typedef gable_status (*gbl_task_function)(gbl_queue *queue, void *stream, const void *args,
                                          gbl_message *message);
typedef struct gbl_task_spec {
    gbl_task_function function;
    const char *name;
    const void *args;
    size_t args_bytes;
} gbl_task_spec;

/* One step of a recording. */
typedef enum gbl_step_kind {
    GBL_STEP_LAUNCH,
    GBL_STEP_TASK,
    GBL_STEP_COPY,
    GBL_STEP_FILL,
    /* The steps between FORK and BESIDE and those between BESIDE and JOIN are two chains: neither
     * waits for the other, what follows waits for both. They are not nested. */
    GBL_STEP_FORK,
    GBL_STEP_BESIDE,
    GBL_STEP_JOIN
} gbl_step_kind;
typedef struct gbl_step {
    gbl_step_kind kind;
    union {
        gbl_launch_spec launch; /* args, maps point into memory that outlives the step */
        gbl_task_spec task;
        gbl_copy_spec copy; /* GBL_ON_DEVICE only */
        gbl_fill_spec fill;
    } as;
} gbl_step;

/* The vendor's own library, as one more way to compute: never required, never chosen by default. */
typedef struct gbl_vendor {
    const char *name; /* "cublas" */
    /* Whether it was found. The first answer may take seconds (the library is opened); only forced
     * variants and benchmarks ask. */
    bool (*available)(const gbl_device *device);
    /* Makes the queue ready, before a task is enqueued or recorded. */
    gable_status (*prepare)(gbl_queue *queue, gbl_message *message);
    /* The task of a routine by its stem, or NULL; its args are a gbl_vector_args (vector_args.h).
     */
    gbl_task_function (*task)(const char *stem);
} gbl_vendor;

struct gbl_device_table {
    const char *kind; /* "cuda": the part of a device's name before the colon */

    /* Number of devices, usable or not. A library that is missing: *count = 0, GABLE_NO_DEVICE and
     * the reason, with what to do about it. Cheap when called again. */
    gable_status (*count)(int *count, gbl_message *message);
    /* For a context that is opened without a name: whether `count` need not be called, because all
     * drivers that it would start serve only those who name them (NULL: call it), and whether this
     * device, listed by count, does (NULL: it does not). */
    bool (*only_by_name)(void);
    bool (*is_only_by_name)(int index);
    /* Describes without opening; info->usable and info->reason are set. */
    gable_status (*describe)(int index, gable_device_info *info, gbl_message *message);
    /* Writes what `describe` and `open` leave out because it costs more to find than the device to
     * open. NULL: they leave nothing out. */
    void (*describe_rest)(gable_device_info *info);
    /* Opens; the table, info and props of *device are filled. Called once per index (registry.c).
     */
    gable_status (*open)(int index, gbl_device **device, gbl_message *message);
    void (*close)(gbl_device *device);

    gable_status (*queue_open)(gbl_device *device, gbl_queue **queue, gbl_message *message);
    void (*queue_close)(gbl_queue *queue); /* waits first */
    /* NULL stream: the queue's own. May be NULL where props.streams is false. */
    gable_status (*queue_use)(gbl_queue *queue, void *stream, gbl_message *message);
    void *(*queue_stream)(gbl_queue *queue);
    gable_status (*sync)(gbl_queue *queue, gbl_message *message);
    gable_status (*wait)(gbl_queue *queue, gbl_queue *other, gbl_message *message);

    gable_status (*alloc)(gbl_device *device, size_t bytes, void **address, gbl_message *message);
    gable_status (*free)(gbl_device *device, void *address, gbl_message *message);
    /* Host memory that copies run fast from. Plain aligned memory where there is nothing better. */
    gable_status (*pinned_alloc)(gbl_device *device, size_t bytes, void **address,
                                 gbl_message *message);
    void (*pinned_free)(gbl_device *device, void *address);
    gbl_where (*where)(gbl_device *device, const void *address);

    /* Enqueued. From or to pinned memory (or on the device) they do not wait; with other host
     * memory they may. The caller keeps the memory alive until a mark or sync says it is done. */
    gable_status (*copy)(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message);
    gable_status (*fill)(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message);

    /* source is one complete program text; macros is a list of "NAME=VALUE", ended by NULL. On a
     * compile error the message holds the compiler's log. NULL on devices without kernels. */
    gable_status (*build)(gbl_device *device, const char *source, const char *const *macros,
                          const char *entry, gbl_code **code, gbl_message *message);
    gable_status (*load)(gbl_device *device, const void *image, size_t image_bytes,
                         const char *entry, gbl_code **code, gbl_message *message);
    /* *image is from malloc. */
    gable_status (*image)(const gbl_code *code, void **image, size_t *image_bytes,
                          gbl_message *message);
    void (*unload)(gbl_code *code);

    /* Refuses (GABLE_NOT_SUPPORTED, with the field and the limit) what the device lacks. */
    gable_status (*launch)(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message);
    /* How many clusters of such a launch the whole device holds at once; 0: none, and a launch
     * would be refused. For props.max_cluster groups it depends on the kernel and the GPU. NULL
     * where there are no clusters. */
    gable_status (*active_clusters)(gbl_device *device, const gbl_launch_spec *spec, int *count,
                                    gbl_message *message);
    /* How many groups of such a launch the whole device holds at once: a cooperative launch may
     * have no more. spec->groups does not matter. NULL where no launch is cooperative. */
    gable_status (*active_groups)(gbl_device *device, const gbl_launch_spec *spec, int64_t *count,
                                  gbl_message *message);
    /* Fills a map from a box that was checked, never of z: gbl_device_tensor_map calls it. NULL
     * where there are none.
     */
    gable_status (*tensor_map)(gbl_device *device, const gbl_tensor_map_spec *box,
                               gbl_tensor_map *map, gbl_message *message);
    /* NULL where host functions cannot join the queue (OpenCL). */
    gable_status (*task)(gbl_queue *queue, const gbl_task_spec *spec, gbl_message *message);

    /* NULL: core replays the steps one by one. */
    gable_status (*graph_build)(gbl_queue *queue, const gbl_step *steps, int64_t step_count,
                                gbl_graph **graph, gbl_message *message);
    gable_status (*graph_run)(gbl_queue *queue, gbl_graph *graph, gbl_message *message);
    void (*graph_free)(gbl_graph *graph);

    gable_status (*mark_create)(gbl_queue *queue, gbl_mark **mark, gbl_message *message);
    gable_status (*mark_set)(gbl_mark *mark, gbl_message *message);  /* enqueued */
    gable_status (*mark_wait)(gbl_mark *mark, gbl_message *message); /* waits on the host */
    gable_status (*mark_seconds)(gbl_mark *from, gbl_mark *to, double *seconds,
                                 gbl_message *message); /* waits for `to` */
    void (*mark_destroy)(gbl_mark *mark);

    const gbl_vendor *vendor; /* NULL: none */

    /* mark_wait for at most so many seconds; *reached: whether that was enough. */
    gable_status (*mark_wait_until)(gbl_mark *mark, double seconds, bool *reached,
                                    gbl_message *message);
    /* Makes memory of the caller's like that of pinned_alloc, and what it was again. NULL: it would
     * not help. */
    gable_status (*pin)(gbl_device *device, void *address, size_t bytes, gbl_message *message);
    gable_status (*unpin)(gbl_device *device, void *address, gbl_message *message);
};

extern const gbl_device_table gbl_cuda_table;
extern const gbl_device_table gbl_opencl_table;
extern const gbl_device_table gbl_cpu_table;

/* ---- registry.c: the list of devices, names, one shared gbl_device an index ---- */

/* Devices of all tables in a row, absent libraries as one unusable entry each. */
int gbl_device_count(void);
gable_status gbl_device_describe(int index, gable_device_info *info, gbl_message *message);

/* The complete description of an open device. device->info may lack what describe_rest writes. */
void gbl_device_describe_open(const gbl_device *device, gable_device_info *info);

/* Opens by name or, for NULL or "", the best usable; the device stays open. With NULL, *note
 * receives why better kinds were passed over (empty text: they were not). */
gable_status gbl_device_open(const char *name, gbl_device **device, gbl_message *note,
                             gbl_message *message);

/* ---- tensor_map_spec.c ---- */

/* Whether a box keeps the rules of tensor maps: GABLE_NOT_SUPPORTED and a message that names the
 * one it breaks. */
gable_status gbl_tensor_map_spec_check(const gbl_tensor_map_spec *box, gbl_message *message);
/* Checks, and makes the map; refuses on devices with props.max_tensor_maps = 0. Nothing is
 * enqueued. */
gable_status gbl_device_tensor_map(gbl_device *device, const gbl_tensor_map_spec *box,
                                   gbl_tensor_map *map, gbl_message *message);

/* inherited_device.c: the table of devices that the parent of this process opened: their functions
 * refuse, those that free leave to the parent what is the parent's. */
const gbl_device_table *gbl_inherited_table(const gbl_device_table *table);

/* The driver of a kind of device, which the parent of this process started: GABLE_NO_DEVICE and the
 * sentence. */
gable_status gbl_fail_inherited(const char *kind, gbl_message *message);

/* For tests and dry runs: one more table, after the built-in ones; what it had opened before is
 * closed. NULL takes it away again. */
void gbl_device_add_table(const gbl_device_table *table);

#endif
