/* dry_device.c: the pretended GPU's table: launches are noted, all other work is left undone.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/nvrtc.h"
#include "dry_device.h"

#define KIND          "dry"
#define FIRST_ADDRESS ((uintptr_t)1 << 32)
#define GRAIN         ((uintptr_t)256) /* of addresses, as the driver's own */

typedef struct dry_code {
    gbl_code base;
    dry_kernel kernel;
} dry_code;

typedef struct dry_device {
    gbl_device base;
    uintptr_t next; /* address */
} dry_device;

static char architecture[32];
static struct {
    const char *entry;
    dry_kernel *kernel; /* NULL: nobody looks */
} watched;

static bool compiles;
static int built;

/* ---- Kernels ---- */

int dry_built(void)
{
    return built;
}

void dry_compile(bool wanted)
{
    compiles = wanted;
}

/* What the compiler says of a kernel; what it does not say stays unknown. */
static void read_resources(const char *source, const char *const *macros, const char *entry,
                           gbl_code *code)
{
    gbl_message message = {NULL, ""};
    gbl_nvrtc_product product;
    gbl_nvrtc_resources resources;
    if (gbl_nvrtc_compile(source, macros, architecture, true, &product, &message) != GABLE_OK)
        return;
    if (gbl_nvrtc_read_resources(product.log, entry, &resources)) {
        code->registers = resources.registers;
        code->spill_bytes = resources.spill_bytes;
        code->local_bytes = resources.local_bytes;
    }
    gbl_nvrtc_product_free(&product);
}

/* "WX=256" as a name and a value. */
static bool add_macro(dry_kernel *kernel, const char *text)
{
    const size_t length = strcspn(text, "=");
    if (kernel->macro_count == GBL_MAX_MACROS || length >= DRY_NAME_BYTES || text[length] != '=')
        return false;
    snprintf(kernel->names[kernel->macro_count], DRY_NAME_BYTES, "%.*s", (int)length, text);
    kernel->values[kernel->macro_count++] = (int32_t)strtol(text + length + 1, NULL, 10);
    return true;
}

static gable_status build(gbl_device *device, const char *source, const char *const *macros,
                          const char *entry, gbl_code **out, gbl_message *message)
{
    dry_code *code = calloc(1, sizeof *code);
    if (code == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the kernel %s", entry);
    /* KERNEL's bounds keep the registers of real ones within their group, so none is refused. */
    code->base = (gbl_code){.device = device,
                            .registers = -1,
                            .spill_bytes = -1,
                            .local_bytes = -1,
                            .max_group = device->props.max_group};
    snprintf(code->kernel.entry, sizeof code->kernel.entry, "%s", entry);
    for (int i = 0; macros[i] != NULL; i++) {
        if (strncmp(macros[i], "PREC=", 5) != 0 && !add_macro(&code->kernel, macros[i])) {
            free(code);
            return gbl_fail(message, GABLE_INTERNAL, "the macro \"%s\" of %s is too long",
                            macros[i], entry);
        }
    }
    if (compiles)
        read_resources(source, macros, entry, &code->base);
    built++;
    *out = &code->base;
    return GABLE_OK;
}

static gable_status load(gbl_device *device, const void *image, size_t image_bytes,
                         const char *entry, gbl_code **code, gbl_message *message)
{
    (void)device;
    (void)image;
    (void)image_bytes;
    (void)code;
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no image on a pretended GPU", entry);
}

static gable_status image(const gbl_code *code, void **bytes, size_t *count, gbl_message *message)
{
    (void)bytes;
    (void)count;
    return gbl_fail(message, GABLE_NOT_SUPPORTED, "%s has no image on a pretended GPU",
                    ((const dry_code *)code)->kernel.entry);
}

static void unload(gbl_code *code)
{
    free(code);
}

static gable_status launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    const dry_kernel *launched = &((const dry_code *)spec->code)->kernel;
    dry_kernel *kept = watched.kernel;
    (void)queue;
    (void)message;
    if (kept != NULL && kept->entry[0] == '\0' && strcmp(launched->entry, watched.entry) == 0) {
        *kept = *launched;
        kept->items = spec->group[0] * spec->group[1];
    }
    return GABLE_OK;
}

static gable_status map_nothing(gbl_device *device, const gbl_tensor_map_spec *box,
                                gbl_tensor_map *map, gbl_message *message)
{
    (void)device, (void)box, (void)message;
    memset(map, 0, sizeof *map);
    return GABLE_OK;
}

void dry_watch(const char *entry, dry_kernel *kernel)
{
    watched.entry = entry;
    watched.kernel = kernel;
    if (kernel != NULL)
        memset(kernel, 0, sizeof *kernel);
}

/* ---- Memory and queues ---- */

static gable_status take_addresses(gbl_device *base, size_t bytes, void **address,
                                   gbl_message *message)
{
    dry_device *device = (dry_device *)base;
    if (bytes > UINTPTR_MAX / 2 - device->next)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no %zu addresses are left", bytes);
    *address = (void *)device->next;
    device->next += (bytes + GRAIN - 1) / GRAIN * GRAIN;
    return GABLE_OK;
}

static gable_status give_addresses(gbl_device *device, void *address, gbl_message *message)
{
    (void)device;
    (void)address;
    (void)message;
    return GABLE_OK;
}

static gbl_where where(gbl_device *device, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    return at >= FIRST_ADDRESS && at < ((dry_device *)device)->next ? GBL_AT_DEVICE : GBL_AT_HOST;
}

/* The library writes and reads this one itself. */
static gable_status pinned_alloc(gbl_device *device, size_t bytes, void **address,
                                 gbl_message *message)
{
    (void)device;
    *address = calloc(1, bytes);
    if (*address == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %zu bytes", bytes);
    return GABLE_OK;
}

static void pinned_free(gbl_device *device, void *address)
{
    (void)device;
    free(address);
}

static gable_status queue_open(gbl_device *device, gbl_queue **queue, gbl_message *message)
{
    *queue = calloc(1, sizeof **queue);
    if (*queue == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a queue");
    (*queue)->device = device;
    return GABLE_OK;
}

static void queue_close(gbl_queue *queue)
{
    free(queue);
}

static gable_status sync_nothing(gbl_queue *queue, gbl_message *message)
{
    (void)queue;
    (void)message;
    return GABLE_OK;
}

static gable_status wait_for_nothing(gbl_queue *queue, gbl_queue *other, gbl_message *message)
{
    (void)queue;
    (void)other;
    (void)message;
    return GABLE_OK;
}

static gable_status copy_nothing(gbl_queue *queue, const gbl_copy_spec *spec, gbl_message *message)
{
    (void)queue;
    (void)spec;
    (void)message;
    return GABLE_OK;
}

static gable_status fill_nothing(gbl_queue *queue, const gbl_fill_spec *spec, gbl_message *message)
{
    (void)queue;
    (void)spec;
    (void)message;
    return GABLE_OK;
}

static gable_status mark_create(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    *mark = calloc(1, sizeof **mark);
    if (*mark == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a mark");
    (*mark)->queue = queue;
    return GABLE_OK;
}

static gable_status mark_reached(gbl_mark *mark, double seconds, bool *reached,
                                 gbl_message *message)
{
    (void)mark;
    (void)seconds;
    (void)message;
    *reached = true;
    return GABLE_OK;
}

static gable_status mark_nothing(gbl_mark *mark, gbl_message *message)
{
    (void)mark;
    (void)message;
    return GABLE_OK;
}

static gable_status no_seconds(gbl_mark *from, gbl_mark *to, double *seconds, gbl_message *message)
{
    (void)from;
    (void)to;
    (void)message;
    *seconds = 0;
    return GABLE_OK;
}

static void mark_destroy(gbl_mark *mark)
{
    free(mark);
}

/* ---- The device ---- */

static int capability(void)
{
    const char *number = strchr(architecture, '_');
    return number != NULL ? atoi(number + 1) : 0;
}

static gable_status count_one(int *count, gbl_message *message)
{
    (void)message;
    *count = 1;
    return GABLE_OK;
}

static gable_status describe(int index, gable_device_info *info, gbl_message *message)
{
    (void)index;
    (void)message;
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, KIND ":0");
    snprintf(info->title, sizeof info->title, "pretended GPU of %s", architecture);
    snprintf(info->arch, sizeof info->arch, "%.*s", (int)sizeof info->arch - 1, architecture);
    info->is_gpu = 1;
    info->usable = 1;
    return GABLE_OK;
}

static gbl_device_table table;

/* Limits that all architectures share are CUDA's; how much there is of a thing is an H100's: it
 * sets the number of groups, hardly ever the code. */
static gable_status open_device(int index, gbl_device **out, gbl_message *message)
{
    dry_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a device");
    const bool hopper = capability() >= 90;
    describe(index, &device->base.info, NULL);
    device->base.table = &table;
    device->base.props = (gbl_props){.is_gpu = true,
                                     .fence_device = true,
                                     .overlap = true,
                                     .cooperative = true,
                                     .max_cluster = hopper ? 16 : 1,
                                     .max_tensor_maps = hopper ? GBL_MAX_MAPS : 0,
                                     .units = 132,
                                     .simd = 32,
                                     .max_group = 1024,
                                     .max_local_bytes = (size_t)48 << 10,
                                     .max_dynamic_local_bytes = (size_t)227 << 10,
                                     .cache_bytes = (size_t)50 << 20,
                                     .memory_bytes = (size_t)80 << 30};
    snprintf(device->base.props.family, sizeof device->base.props.family, "sm_%d", capability());
    device->next = FIRST_ADDRESS;
    *out = &device->base;
    return GABLE_OK;
}

static void close_device(gbl_device *device)
{
    free(device);
}

static gable_status one_cluster(gbl_device *device, const gbl_launch_spec *spec, int *count,
                                gbl_message *message)
{
    (void)device, (void)spec, (void)message;
    *count = 1;
    return GABLE_OK;
}

static gbl_device_table table = {
    .kind = KIND,
    .count = count_one,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .sync = sync_nothing,
    .wait = wait_for_nothing,
    .alloc = take_addresses,
    .free = give_addresses,
    .pinned_alloc = pinned_alloc,
    .pinned_free = pinned_free,
    .where = where,
    .copy = copy_nothing,
    .fill = fill_nothing,
    .build = build,
    .load = load,
    .image = image,
    .unload = unload,
    .launch = launch,
    .tensor_map = map_nothing,
    .active_clusters = one_cluster,
    .mark_create = mark_create,
    .mark_set = mark_nothing,
    .mark_wait = mark_nothing,
    .mark_wait_until = mark_reached,
    .mark_seconds = no_seconds,
    .mark_destroy = mark_destroy,
};

gable_status dry_open(gable_context **ctx, const char *arch)
{
    snprintf(architecture, sizeof architecture, "%s", arch);
    dry_watch(NULL, NULL);
    gbl_device_add_table(&table);
    return gable_open(ctx, KIND);
}

void dry_close(gable_context *ctx)
{
    gbl_device *device = ctx != NULL ? ctx->device : NULL;
    gable_close(ctx);
    if (device != NULL)
        gbl_kernels_forget(device);
    gbl_device_add_table(NULL);
    dry_watch(NULL, NULL);
    dry_compile(false);
}
