/* test_cuda_plan.c: how launches are turned into what the CUDA driver takes, without a driver.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver's functions are replaced by ones that only note what they were asked.
 */
#include <string.h>
#include "device/cuda_device.h"
#include "expect.h"

static int attribute_set, value_set, times_set;

static int note_attribute(gbl_cu_function *function, int attribute, int value)
{
    (void)function;
    attribute_set = attribute;
    value_set = value;
    times_set++;
    return 0;
}

static int no_launch(const gbl_cu_launch_config *config, gbl_cu_function *function,
                     void **parameters, void **extra)
{
    (void)config, (void)function, (void)parameters, (void)extra;
    return 0;
}

static int no_edges(gbl_cu_graph *graph, gbl_cu_node *const *from, gbl_cu_node *const *to,
                    const gbl_cu_edge *edges, size_t count)
{
    (void)graph, (void)from, (void)to, (void)edges, (void)count;
    return 0;
}

/* A Hopper GPU whose kernels are compiled for an architecture. */
static gbl_cuda_device hopper(const char *target)
{
    gbl_cuda_device device = {.major = 9,
                              .base.props = {.max_group = 1024, .max_cluster = 16},
                              .target_number = gbl_nvrtc_arch_number(target)};
    return device;
}

static gbl_cuda_call plan(const gbl_cuda_device *device, gbl_cuda_code *code, int cluster,
                          bool waits_itself)
{
    gbl_message message = {"test", ""};
    gbl_cuda_call call = {.cluster = 0};
    const gbl_launch_spec spec = {.code = &code->base,
                                  .name = "test",
                                  .groups = {32, 1},
                                  .group = {64, 1},
                                  .cluster = cluster,
                                  .waits_itself = waits_itself};
    EXPECT(gbl_cuda_prepare(device, &spec, &call, &message) == GABLE_OK, "%s", message.text);
    return call;
}

static void test_numbers(void)
{
    EXPECT(gbl_nvrtc_arch_number("sm_90a") == 90 && gbl_nvrtc_arch_number("sm_90") == 90 &&
               gbl_nvrtc_arch_number("compute_89") == 89 &&
               gbl_nvrtc_arch_number("sm_120a") == 120 && gbl_nvrtc_arch_number("") == 0,
           "numbers of architectures are misread");
}

/* A kernel waits itself where it is compiled for Hopper; an older NVRTC cannot do that. */
static void test_early(void)
{
    const gbl_cuda_device modern = hopper("sm_90a"), old = hopper("compute_89");
    gbl_cuda_code code = {.base = {.max_group = 1024}};
    EXPECT(plan(&modern, &code, 0, true).early, "a kernel for sm_90a is not launched early");
    EXPECT(!plan(&modern, &code, 0, false).early, "a kernel that does not wait is launched early");
    EXPECT(!plan(&old, &code, 0, true).early,
           "a kernel for compute_89, which does not wait, is launched early on Hopper");
}

static void test_clusters(void)
{
    const gbl_cuda_device modern = hopper("sm_90a");
    gbl_cuda_code code = {.base = {.max_group = 1024}};
    EXPECT(plan(&modern, &code, 8, true).cluster == 8 && times_set == 0,
           "a portable cluster asks for consent");
    EXPECT(plan(&modern, &code, 16, true).cluster == 16 && times_set == 1 &&
               attribute_set == CU_FUNCTION_WIDE_CLUSTERS && value_set == 1,
           "a cluster of 16 is prepared by attribute %d = %d", attribute_set, value_set);
    EXPECT(!plan(&modern, &code, 16, true).early && times_set == 1, "consent is asked for twice");
}

static struct {
    int type, swizzle, promotion, outside, times;
    uint32_t rank, box[GBL_MAX_RANK];
    uint64_t dims[GBL_MAX_RANK], strides[GBL_MAX_RANK - 1];
    void *address;
} encoded;

static int note_map(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                    const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                    int interleave, int swizzle, int promotion, int outside)
{
    encoded.type = type;
    encoded.rank = rank;
    encoded.address = address;
    encoded.swizzle = swizzle;
    encoded.promotion = promotion;
    encoded.outside = outside;
    encoded.times++;
    memset(map, 7, sizeof(gbl_tensor_map));
    for (uint32_t i = 0; i < rank; i++) {
        EXPECT(steps[i] == 1 && interleave == 0, "steps or layers are asked for");
        encoded.dims[i] = dims[i];
        encoded.box[i] = box[i];
        if (i > 0)
            encoded.strides[i - 1] = strides[i - 1];
    }
    return 0;
}

static int same_context(gbl_cu_context **context)
{
    *context = NULL;
    return 0;
}

/* A matrix of 100 x 50, its columns 128 elements apart, in boxes of 8 x 16. */
static gbl_tensor_map_spec some_box(gbl_dtype dtype)
{
    return (gbl_tensor_map_spec){.dtype = dtype,
                                 .rank = 2,
                                 .address = (void *)4096,
                                 .dims = {100, 50},
                                 .strides = {128 * (int64_t)gbl_dtype_bytes(dtype)},
                                 .box = {8, 16},
                                 .swizzled = true};
}

static void test_maps(void)
{
    gbl_message message = {"test", ""};
    gbl_cuda_device device = hopper("sm_90a");
    gbl_tensor_map map;
    gbl_tensor_map_spec box = some_box(GBL_Z);
    device.base.table = &gbl_cuda_table;
    EXPECT(gbl_device_tensor_map(&device.base, &box, &map, &message) == GABLE_NOT_SUPPORTED &&
               encoded.times == 0,
           "a device without tensor maps makes one");
    device.base.props.max_tensor_maps = GBL_MAX_MAPS;
    EXPECT(gbl_device_tensor_map(&device.base, &box, &map, &message) == GABLE_OK &&
               encoded.times == 1 && map.bytes[0] == 7,
           "%s", message.text);
    EXPECT(encoded.type == CU_TENSOR_FLOAT64 && encoded.rank == 2 && encoded.dims[0] == 200 &&
               encoded.dims[1] == 50 && encoded.strides[0] == 2048 && encoded.box[0] == 16 &&
               encoded.box[1] == 16 && encoded.swizzle == CU_TENSOR_SWIZZLE_128B &&
               encoded.promotion == CU_TENSOR_L2_256B && encoded.outside == 0 &&
               encoded.address == (void *)4096,
           "a map of z is not one of pairs of doubles");
    const int types[] = {CU_TENSOR_FLOAT32, CU_TENSOR_FLOAT64, CU_TENSOR_FLOAT64};
    for (int dtype = GBL_S; dtype <= GBL_C; dtype++) {
        box = some_box((gbl_dtype)dtype);
        box.rank = 3;
        box.dims[2] = 7;
        box.strides[1] = 1 << 20;
        box.box[2] = 1;
        box.swizzled = false;
        EXPECT(gbl_device_tensor_map(&device.base, &box, &map, &message) == GABLE_OK, "%s",
               message.text);
        EXPECT(encoded.type == types[dtype] && encoded.rank == 3 && encoded.dims[0] == 100 &&
                   encoded.dims[2] == 7 && encoded.strides[1] == 1 << 20 && encoded.box[0] == 8 &&
                   encoded.swizzle == CU_TENSOR_SWIZZLE_NONE,
               "a map of %c", "sdc"[dtype]);
    }
    box.rank = 4;
    box.dims[3] = 9;
    box.strides[2] = 1 << 24;
    box.box[3] = 1;
    EXPECT(gbl_device_tensor_map(&device.base, &box, &map, &message) == GABLE_OK &&
               encoded.rank == 4 && encoded.dims[3] == 9 && encoded.strides[2] == 1 << 24 &&
               encoded.box[3] == 1,
           "a map of rank 4: %s", message.text);
}

/* Every rule of the driver, broken once; the message names what broke it. */
static void test_map_rules(void)
{
    gbl_message message = {"test", ""};
    const struct {
        const char *word;
        gbl_tensor_map_spec box;
    } cases[] = {
        {"rank", {.rank = 5}},
        {"behind", {.rank = 2, .address = (void *)4104}},
        {"dims[1]", {.rank = 2, .dims = {64, 0}, .box = {16, 64}}},
        {"dims[0]", {.dtype = GBL_Z, .rank = 2, .dims = {((int64_t)1 << 31) + 1, 4}}},
        {"box[1]", {.rank = 2, .dims = {64, 64}, .box = {16, 257}}},
        {"box[0]", {.dtype = GBL_Z, .rank = 2, .dims = {64, 64}, .box = {129, 8}}},
        {"strides[0]", {.rank = 2, .dims = {64, 64}, .strides = {520}, .box = {16, 64}}},
        {"strides[0]",
         {.rank = 2, .dims = {64, 64}, .strides = {(int64_t)1 << 40}, .box = {16, 64}}},
        {"strides[1]", {.rank = 3, .dims = {64, 64, 2}, .strides = {512, 0}, .box = {16, 64, 1}}},
        {"box[0]", {.rank = 2, .dims = {64, 64}, .strides = {512}, .box = {3, 64}}},
        {"128 bytes",
         {.rank = 2, .dims = {64, 64}, .strides = {512}, .box = {64, 64}, .swizzled = true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        message.text[0] = '\0';
        EXPECT(gbl_tensor_map_spec_check(&cases[i].box, &message) == GABLE_NOT_SUPPORTED &&
                   strstr(message.text, cases[i].word) != NULL,
               "case %zu (%s) gives \"%s\"", i, cases[i].word, message.text);
    }
    const gbl_tensor_map_spec whole = some_box(GBL_Z);
    EXPECT(gbl_tensor_map_spec_check(&whole, &message) == GABLE_OK, "%s", message.text);
}

/* Maps stand before the buffers. */
static void test_parameters(void)
{
    gbl_message message = {"test", ""};
    gbl_cuda_device device = hopper("sm_90a");
    gbl_cuda_code code = {.base = {.max_group = 1024}};
    const gbl_tensor_map maps[GBL_MAX_MAPS + 1] = {{{1}}};
    const int64_t args = 0;
    gbl_cuda_call call;
    gbl_launch_spec spec = {.code = &code.base,
                            .name = "test",
                            .groups = {1, 1},
                            .group = {384, 1},
                            .map_count = GBL_MAX_MAPS,
                            .maps = maps,
                            .buffer_count = 1,
                            .args = &args,
                            .args_bytes = sizeof args};
    EXPECT(gbl_cuda_prepare(&device, &spec, &call, &message) == GABLE_NOT_SUPPORTED,
           "maps are taken where there are none");
    device.base.props.max_tensor_maps = GBL_MAX_MAPS;
    EXPECT(gbl_cuda_prepare(&device, &spec, &call, &message) == GABLE_OK, "%s", message.text);
    for (int i = 0; i < GBL_MAX_MAPS; i++)
        EXPECT(call.parameters[i] == (void *)&maps[i], "map %d is not parameter %d", i, i);
    EXPECT(call.parameters[GBL_MAX_MAPS] == (void *)&spec.buffers[0] &&
               call.parameters[GBL_MAX_MAPS + 1] == (void *)&args,
           "buffers and arguments do not follow the maps");
    spec.map_count++;
    EXPECT(gbl_cuda_prepare(&device, &spec, &call, &message) == GABLE_NOT_SUPPORTED,
           "too many maps are taken");
}

int main(void)
{
    gbl_cuda.launch_with = no_launch;
    gbl_cuda.graph_add_edges = no_edges;
    gbl_cuda.function_set_attribute = note_attribute;
    gbl_cuda.tensor_map_tiled = note_map;
    gbl_cuda.context_current = same_context;
    test_numbers();
    test_early();
    test_clusters();
    test_maps();
    test_map_rules();
    test_parameters();
    return expect_summary("test_cuda_plan");
}
