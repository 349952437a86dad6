/* test_launch.c: every field of a launch, direct and recorded, with small kernels of its own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a device lacks it must refuse with GABLE_NOT_SUPPORTED and the field's name; what it has
 * must give right results. The kernels are written in each compiler's own language: the fields
 * tested here are beyond the dialect.
 */
#include <string.h>
#include "core/launch.h"
#include "harness/check.h"

#define ITEMS  64
#define GROUPS 12

typedef struct launch_args {
    int64_t value, rounds;
} launch_args;

/* out[i] := in[i] + value, after `rounds` useless rounds; through dynamic local memory if there is.
 */
static const char cuda_source[] =
    "struct launch_args { long long value, rounds; };\n"
    "extern __shared__ long long scratch[];\n"
    "extern \"C\" __global__ void plus(const long long *in, long long *out, launch_args a) {\n"
    "    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
    "    unsigned dynamic; asm(\"mov.u32 %0, %dynamic_smem_size;\" : \"=r\"(dynamic));\n"
    "    long long v = in[i] + a.value;\n"
    "    for (long long k = 0; k < a.rounds; k++) { v ^= k; __threadfence(); v ^= k; }\n"
    "    if (dynamic >= 8 * blockDim.x) {\n"
    "        scratch[dynamic / 8 - 1 - threadIdx.x] = v; __syncthreads();\n"
    "        v = scratch[dynamic / 8 - 1 - threadIdx.x];\n"
    "    }\n"
    "    out[i] = v;\n"
    "}\n"
    "extern \"C\" __global__ void cluster(long long *out, launch_args a) {\n"
    "    unsigned size = 1, rank = 0;\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "    asm(\"mov.u32 %0, %cluster_nctaid.x;\" : \"=r\"(size));\n"
    "    asm(\"mov.u32 %0, %cluster_ctaid.x;\" : \"=r\"(rank));\n"
    "#endif\n"
    "    if (threadIdx.x == 0) out[blockIdx.x] = a.value * size + rank;\n"
    "}\n"
    "extern \"C\" __global__ void meet(int *counter, long long *out, launch_args a) {\n"
    "    __shared__ int seen;\n"
    "    if (threadIdx.x == 0) {\n"
    "        atomicAdd(counter, 1);\n"
    "        while ((seen = atomicAdd(counter, 0)) < (int)gridDim.x) { }\n"
    "        out[blockIdx.x] = a.value + seen;\n"
    "    }\n"
    "}\n"
    "struct map { __attribute__((aligned(64))) unsigned char bytes[128]; };\n"
    "extern \"C\" __global__ void with_map(const map m, long long *out, launch_args a) {\n"
    "    out[threadIdx.x] = m.bytes[threadIdx.x] + a.value;\n"
    "}\n"
    "extern \"C\" __global__ void fetch(const __grid_constant__ map m, long long *out, launch_args "
    "a) {\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "    __shared__ __align__(1024) long long room[16 * 16];\n"
    "    __shared__ unsigned long long signal;\n"
    "    const unsigned to = (unsigned)__cvta_generic_to_shared(room);\n"
    "    const unsigned at = (unsigned)__cvta_generic_to_shared(&signal);\n"
    "    if (threadIdx.x == 0) {\n"
    "        asm volatile(\"mbarrier.init.shared.b64 [%0], 1;\" ::\"r\"(at) : \"memory\");\n"
    "        asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
    "        asm volatile(\"mbarrier.arrive.expect_tx.shared.b64 _, [%0], 2048;\" ::\"r\"(at) : "
    "\"memory\");\n"
    "        asm "
    "volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes \"\n"
    "                     \"[%0], [%1, {%2, %3}], [%4];\" ::\"r\"(to), \"l\"(&m), "
    "\"r\"((int)a.value),\n"
    "                     \"r\"((int)a.rounds), \"r\"(at) : \"memory\");\n"
    "    }\n"
    "    __syncthreads();\n"
    "    unsigned done = 0;\n"
    "    while (!done)\n"
    "        asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; \"\n"
    "                     \"selp.u32 %0, 1, 0, p; }\" : \"=r\"(done) : \"r\"(at) : \"memory\");\n"
    "    out[threadIdx.x] = room[threadIdx.x];\n"
    "#endif\n"
    "}\n";
static const char opencl_source[] =
    "typedef struct launch_args { long value, rounds; } launch_args;\n"
    "__kernel void plus(__global const long *in, __global long *out, launch_args a) {\n"
    "    long v = in[get_global_id(0)] + a.value;\n"
    "    for (long k = 0; k < a.rounds; k++) v = (v ^ k) ^ k;\n"
    "    out[get_global_id(0)] = v;\n"
    "}\n";

static gbl_kernel make(gable_context *ctx, const char *entry)
{
    gbl_kernel kernel = {.device = ctx->device};
    const char *const none[] = {NULL};
    const bool cuda = strcmp(ctx->device->table->kind, "cuda") == 0;
    strcpy(kernel.entry, entry);
    CHECK_OK(ctx, ctx->device->table->build(ctx->device, cuda ? cuda_source : opencl_source, none,
                                            entry, &kernel.code, &ctx->message));
    return kernel;
}

static void unmake(gable_context *ctx, gbl_kernel *kernel)
{
    if (kernel->code != NULL)
        ctx->device->table->unload(kernel->code);
}

typedef struct buffers {
    int64_t *a, *b, *c;
    int64_t host[ITEMS * GROUPS];
} buffers;

static gable_status plus(gable_context *ctx, gbl_kernel *kernel, const int64_t *in, int64_t *out,
                         int64_t value, int64_t rounds, bool overlap, size_t dynamic)
{
    const launch_args args = {value, rounds};
    gbl_launch_spec spec = {.groups = {GROUPS, 1},
                            .group = {ITEMS, 1},
                            .dynamic_local_bytes = dynamic,
                            .overlap_previous = overlap,
                            .buffer_count = 2,
                            .buffers = {in, out},
                            .args = &args,
                            .args_bytes = sizeof args};
    return gbl_launch(ctx, kernel, &spec);
}

/* The buffer must hold its index plus `offset` throughout. */
static void expect(gable_context *ctx, buffers *all, const int64_t *address, int64_t offset,
                   const char *what)
{
    memset(all->host, 0x55, sizeof all->host);
    if (!CHECK_OK(ctx, gable_get_vector(ctx, ITEMS * GROUPS, 8, address, 1, all->host, 1)))
        return;
    for (int64_t i = 0; i < ITEMS * GROUPS; i++) {
        if (all->host[i] != i + offset) {
            CHECK(false, "%s: element %lld is %lld, not %lld", what, (long long)i,
                  (long long)all->host[i], (long long)(i + offset));
            return;
        }
    }
    CHECK(true, "%s", what);
}

/* a -> b (slow), beside it a -> c, then b -> b and c -> c in order: wrong if an edge is missing. */
static void chain(gable_context *ctx, gbl_kernel *kernel, buffers *all)
{
    CHECK_OK(ctx, plus(ctx, kernel, all->a, all->b, 1, 20000, false, 0));
    CHECK_OK(ctx, plus(ctx, kernel, all->a, all->c, 2, 10000, true, 0));
    CHECK_OK(ctx, plus(ctx, kernel, all->b, all->b, 10, 0, false, 0));
    CHECK_OK(ctx, plus(ctx, kernel, all->c, all->c, 20, 0, false, 0));
}

static void overlap(gable_context *ctx, gbl_kernel *kernel, buffers *all)
{
    for (int round = 0; round < 4; round++) { /* a queue may need one round to notice the flag */
        test_case("overlap_previous, direct, round %d", round);
        chain(ctx, kernel, all);
        expect(ctx, all, all->b, 11, "the chain of b");
        expect(ctx, all, all->c, 22, "the chain of c");
    }
    gable_recording *recording = NULL;
    test_case("overlap_previous, recorded");
    CHECK_OK(ctx, gable_record_begin(ctx));
    chain(ctx, kernel, all);
    if (!CHECK_OK(ctx, gable_record_end(ctx, &recording)))
        return;
    for (int round = 0; round < 3; round++) {
        CHECK_OK(ctx, gable_fill_bytes(ctx, all->b, 0, sizeof all->host));
        CHECK_OK(ctx, gable_fill_bytes(ctx, all->c, 0, sizeof all->host));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        expect(ctx, all, all->b, 11, "the replayed chain of b");
        expect(ctx, all, all->c, 22, "the replayed chain of c");
    }
    gable_recording_destroy(recording);
}

static void dynamic_local(gable_context *ctx, gbl_kernel *kernel, buffers *all)
{
    const size_t limit = ctx->device->props.max_dynamic_local_bytes;
    const size_t sizes[] = {ITEMS * 8, 40 << 10, limit};
    for (int i = 0; i < 3; i++) {
        test_case("dynamic_local_bytes = %zu", sizes[i]);
        if (limit == 0 || sizes[i] > limit)
            CHECK_STATUS(ctx, plus(ctx, kernel, all->a, all->b, 3, 0, false, ITEMS * 8),
                         GABLE_NOT_SUPPORTED);
        else if (CHECK_OK(ctx, plus(ctx, kernel, all->a, all->b, i, 0, false, sizes[i])))
            expect(ctx, all, all->b, i, "through dynamic local memory");
    }
    test_case("too much dynamic local memory");
    CHECK_STATUS(ctx, plus(ctx, kernel, all->a, all->b, 3, 0, false, limit + 8),
                 GABLE_NOT_SUPPORTED);
    CHECK(strstr(gable_message(ctx), "local") != NULL, "the message is \"%s\"", gable_message(ctx));
}

static void special(gable_context *ctx, buffers *all, const char *entry, int cluster,
                    bool cooperative, int64_t groups, gable_status wanted, bool recorded)
{
    test_case("%s: cluster = %d, cooperative = %d, %lld groups, %s", entry, cluster, cooperative,
              (long long)groups, recorded ? "recorded" : "direct");
    gbl_kernel kernel = make(ctx, entry);
    const launch_args args = {100, 0};
    gbl_launch_spec spec = {.groups = {groups, 1},
                            .group = {ITEMS, 1},
                            .cluster = cluster,
                            .cooperative = cooperative,
                            .args = &args,
                            .args_bytes = sizeof args};
    if (cooperative)
        spec.buffers[spec.buffer_count++] = all->c;
    spec.buffers[spec.buffer_count++] = all->b;
    CHECK_OK(ctx, gable_fill_bytes(ctx, all->c, 0, 64));
    gable_recording *recording = NULL;
    gable_status status = GABLE_OK;
    if (recorded) {
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_OK(ctx, gbl_launch(ctx, &kernel, &spec));
        status = gable_record_end(ctx, &recording);
        if (status == GABLE_OK)
            status = gable_replay(ctx, recording);
    } else {
        status = gbl_launch(ctx, &kernel, &spec);
    }
    CHECK(status == wanted, "status %s: %s", gable_status_name(status), gable_message(ctx));
    if (status == GABLE_OK &&
        CHECK_OK(ctx, gable_get_vector(ctx, groups, 8, all->b, 1, all->host, 1)))
        for (int64_t i = 0; i < groups; i++) {
            const int64_t right = cooperative ? 100 + groups : 100 * cluster + i % cluster;
            CHECK(all->host[i] == right, "group %lld wrote %lld, not %lld", (long long)i,
                  (long long)all->host[i], (long long)right);
        }
    gable_recording_destroy(recording);
    unmake(ctx, &kernel);
}

/* Sixteen groups a cluster: beyond the portable size, where the GPU holds such a cluster at all. */
static void wide_cluster(gable_context *ctx, buffers *all, bool recorded)
{
    enum { WIDE = 16 };
    int count = -1;
    gbl_kernel kernel = make(ctx, "cluster");
    const launch_args args = {100, 0};
    gbl_launch_spec spec = {.code = kernel.code,
                            .name = "cluster",
                            .groups = {2 * WIDE, 1},
                            .group = {ITEMS, 1},
                            .cluster = WIDE,
                            .buffer_count = 1,
                            .buffers = {all->b},
                            .args = &args,
                            .args_bytes = sizeof args};
    test_case("clusters of %d that fit", WIDE);
    CHECK(ctx->device->props.max_cluster >= WIDE, "clusters of at most %d",
          ctx->device->props.max_cluster);
    CHECK_OK(ctx, ctx->device->table->active_clusters(ctx->device, &spec, &count, &ctx->message));
    CHECK(count >= 0, "%d clusters fit", count);
    spec.cluster = 2;
    int small = -1;
    CHECK_OK(ctx, ctx->device->table->active_clusters(ctx->device, &spec, &small, &ctx->message));
    CHECK(small > count, "%d clusters of 2 fit, and %d of %d", small, count, WIDE);
    unmake(ctx, &kernel);
    special(ctx, all, "cluster", WIDE, false, 2 * WIDE, count > 0 ? GABLE_OK : GABLE_NOT_SUPPORTED,
            recorded);
}

/* As many groups as are said to be resident meet at a barrier; one more is refused. */
static void resident_groups(gable_context *ctx, buffers *all)
{
    int64_t count = -1, fewer = -1;
    gbl_kernel kernel = make(ctx, ctx->device->props.cooperative ? "meet" : "plus");
    gbl_launch_spec spec = {.group = {ITEMS, 1}, .cooperative = true};
    test_case("groups that are resident at once");
    CHECK_OK(ctx, gbl_launch_resident(ctx, &kernel, &spec, &count));
    if (ctx->device->props.cooperative) {
        CHECK(count >= ctx->device->props.units, "%lld groups on %d units", (long long)count,
              ctx->device->props.units);
        spec.dynamic_local_bytes = (size_t)ctx->device->props.max_dynamic_local_bytes / 2;
        CHECK_OK(ctx, gbl_launch_resident(ctx, &kernel, &spec, &fewer));
        CHECK(fewer >= 1 && fewer <= count, "%lld groups with much local memory, %lld without",
              (long long)fewer, (long long)count);
    } else {
        CHECK(count == 0, "%lld groups without cooperative launches", (long long)count);
    }
    unmake(ctx, &kernel);
    if (count > 0) {
        special(ctx, all, "meet", 0, true, count < ITEMS * GROUPS ? count : ITEMS * GROUPS,
                GABLE_OK, false);
        special(ctx, all, "meet", 0, true, count + 1, GABLE_NOT_SUPPORTED, false);
    }
}

static void maps(gable_context *ctx, buffers *all)
{
    test_case("a tensor map");
    gbl_kernel kernel = make(ctx, "with_map");
    gbl_tensor_map map;
    for (int i = 0; i < 128; i++)
        map.bytes[i] = (unsigned char)i;
    const launch_args args = {1000, 0};
    gbl_launch_spec spec = {.groups = {1, 1},
                            .group = {128, 1},
                            .buffer_count = 1,
                            .buffers = {all->b},
                            .map_count = 1,
                            .maps = &map,
                            .args = &args,
                            .args_bytes = sizeof args};
    if (CHECK_OK(ctx, gbl_launch(ctx, &kernel, &spec)) &&
        CHECK_OK(ctx, gable_get_vector(ctx, 128, 8, all->b, 1, all->host, 1)))
        for (int i = 0; i < 128; i++)
            CHECK(all->host[i] == 1000 + i, "byte %d arrived as %lld", i,
                  (long long)all->host[i] - 1000);
    unmake(ctx, &kernel);
}

/* A box of 16 x 16 that begins at (12, 5) of a matrix of 20 x 18 in columns of 24: swizzled as
 * device.h says, zeros outside, also from a recording, which keeps the map. */
static void box(gable_context *ctx, buffers *all, bool recorded)
{
    test_case("a box, %s", recorded ? "recorded" : "at once");
    enum { ROWS = 20, COLUMNS = 18, LD = 24, X = 12, Y = 5, SIDE = 16 };
    const launch_args args = {X, Y};
    const gbl_tensor_map_spec shape = {.dtype = GBL_D,
                                       .rank = 2,
                                       .address = all->a,
                                       .dims = {ROWS, COLUMNS},
                                       .strides = {LD * 8},
                                       .box = {SIDE, SIDE},
                                       .swizzled = true};
    gbl_tensor_map map;
    gbl_kernel kernel = make(ctx, "fetch");
    if (kernel.code == NULL ||
        !CHECK_OK(ctx, gbl_device_tensor_map(ctx->device, &shape, &map, &ctx->message))) {
        unmake(ctx, &kernel);
        return;
    }
    gbl_launch_spec spec = {.groups = {1, 1},
                            .group = {SIDE * SIDE, 1},
                            .buffer_count = 1,
                            .buffers = {all->b},
                            .map_count = 1,
                            .maps = &map,
                            .args = &args,
                            .args_bytes = sizeof args};
    gable_recording *recording = NULL;
    if (recorded)
        CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gbl_launch(ctx, &kernel, &spec));
    if (recorded) {
        CHECK_OK(ctx, gable_record_end(ctx, &recording));
        memset(&map, 0, sizeof map);
        CHECK_OK(ctx, gable_replay(ctx, recording));
    }
    if (CHECK_OK(ctx, gable_get_vector(ctx, SIDE * SIDE, 8, all->b, 1, all->host, 1)))
        for (int line = 0; line < SIDE; line++)
            for (int i = 0; i < SIDE; i++) {
                const int chunk = i / 2 ^ (line & 7);
                const int64_t given = all->host[line * SIDE + chunk * 2 + i % 2];
                const bool inside = X + i < ROWS && Y + line < COLUMNS;
                const int64_t wanted = inside ? X + i + LD * (Y + line) : 0;
                CHECK(given == wanted, "element %d of line %d is %lld and must be %lld", i, line,
                      (long long)given, (long long)wanted);
            }
    gable_recording_destroy(recording);
    unmake(ctx, &kernel);
}

static gable_status do_nothing(gbl_queue *queue, void *stream, const void *args,
                               gbl_message *message)
{
    (void)queue, (void)stream, (void)args, (void)message;
    return GABLE_OK;
}

int main(void)
{
    test_start("test_launch");
    gable_context *ctx = test_open();
    if (ctx->device->table->build == NULL) { /* nothing to launch: that must be the cpu */
        CHECK(ctx->device->props.is_host && ctx->device->table->launch == NULL,
              "%s has launches but no kernels", ctx->device->info.name);
        gable_close(ctx);
        return test_finish();
    }
    buffers all;
    for (int64_t i = 0; i < ITEMS * GROUPS; i++)
        all.host[i] = i;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof all.host, (void **)&all.a));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof all.host, (void **)&all.b));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof all.host, (void **)&all.c));
    CHECK_OK(ctx, gable_set_vector(ctx, ITEMS * GROUPS, 8, all.host, 1, all.a, 1));

    gbl_kernel kernel = make(ctx, "plus");
    if (kernel.code != NULL) {
        overlap(ctx, &kernel, &all);
        dynamic_local(ctx, &kernel, &all);
        resident_groups(ctx, &all);
    }
    /* What the device lacks it refuses at the launch or, recorded, when the recording ends or runs.
     */
    const gbl_props *props = &ctx->device->props;
    gbl_launch_spec refused = {.groups = {2, 1}, .group = {ITEMS, 1}, .cluster = 2};
    if (strcmp(ctx->device->table->kind, "cuda") == 0) {
        for (int recorded = 0; recorded < 2; recorded++) {
            if (props->max_cluster > 1) {
                special(ctx, &all, "cluster", 2, false, GROUPS, GABLE_OK, recorded);
                special(ctx, &all, "cluster", 4, false, GROUPS, GABLE_OK, recorded);
                wide_cluster(ctx, &all, recorded);
            }
            if (props->cooperative)
                special(ctx, &all, "meet", 0, true, props->units < 16 ? props->units : 16, GABLE_OK,
                        recorded);
        }
        special(ctx, &all, "cluster", 64, false, 64, GABLE_NOT_SUPPORTED, false);
        if (props->max_tensor_maps > 0) {
            maps(ctx, &all);
            for (int i = 0; i < ITEMS * GROUPS; i++)
                all.host[i] = i;
            CHECK_OK(ctx, gable_set_vector(ctx, ITEMS * GROUPS, 8, all.host, 1, all.a, 1));
            box(ctx, &all, false);
            box(ctx, &all, true);
        }
    } else if (kernel.code != NULL) {
        test_case("a cluster, a cooperative launch");
        CHECK_STATUS(ctx, gbl_launch(ctx, &kernel, &refused), GABLE_NOT_SUPPORTED);
        CHECK(strstr(gable_message(ctx), "cluster") != NULL, "the message is \"%s\"",
              gable_message(ctx));
        refused.cluster = 0;
        refused.cooperative = true;
        CHECK_STATUS(ctx, gbl_launch(ctx, &kernel, &refused), GABLE_NOT_SUPPORTED);
        test_case("a task");
        CHECK_STATUS(ctx, gbl_task(ctx, "nothing", do_nothing, NULL, 0), GABLE_NOT_SUPPORTED);
    }
    unmake(ctx, &kernel);
    gable_free(ctx, all.a);
    gable_free(ctx, all.b);
    gable_free(ctx, all.c);
    gable_close(ctx);
    return test_finish();
}
