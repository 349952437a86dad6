/* test_cuda_plan.c: how launches are turned into what the CUDA driver takes, without a driver.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver's functions are replaced by ones that only note what they were asked.
 */
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

int main(void)
{
    gbl_cuda.launch_with = no_launch;
    gbl_cuda.graph_add_edges = no_edges;
    gbl_cuda.function_set_attribute = note_attribute;
    test_numbers();
    test_early();
    test_clusters();
    return expect_summary("test_cuda_plan");
}
