/* test_cuda_graph.c: which nodes of a CUDA graph depend on which, without a driver.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver's functions are replaced by ones that note what they were asked. Nodes are numbered in
 * the order of the steps; a step is written as the letter of what it is.
 */
#include <stdlib.h>
#include "device/cuda_device.h"
#include "expect.h"

#define MOST 16

static struct {
    int count;
    unsigned after[MOST], early[MOST]; /* bits of the nodes that each depends on */
} seen;

static unsigned bit_of(const gbl_cu_node *node)
{
    return 1u << (size_t)node;
}

static int add_kernel(gbl_cu_node **node, gbl_cu_graph *graph, gbl_cu_node *const *after,
                      size_t count, const gbl_cu_kernel_node *kernel)
{
    (void)graph, (void)kernel;
    const int here = seen.count++;
    seen.after[here] = seen.early[here] = 0;
    for (size_t i = 0; i < count; i++) {
        EXPECT(!(seen.after[here] & bit_of(after[i])), "node %d depends on one node twice", here);
        seen.after[here] |= bit_of(after[i]);
    }
    *node = (gbl_cu_node *)(size_t)here; /* never followed */
    return 0;
}

static int add_edges(gbl_cu_graph *graph, gbl_cu_node *const *from, gbl_cu_node *const *to,
                     const gbl_cu_edge *edges, size_t count)
{
    (void)graph, (void)edges;
    for (size_t i = 0; i < count; i++)
        seen.early[(size_t)to[i]] |= bit_of(from[i]);
    return 0;
}

static int make_graph(gbl_cu_graph **graph, unsigned flags)
{
    (void)flags;
    *graph = (gbl_cu_graph *)&seen;
    return 0;
}

static int destroy_graph(gbl_cu_graph *graph)
{
    (void)graph;
    return 0;
}

static int instantiate(gbl_cu_exec **exec, gbl_cu_graph *graph, unsigned long long flags)
{
    (void)flags;
    *exec = (gbl_cu_exec *)graph;
    return 0;
}

static int destroy_exec(gbl_cu_exec *exec)
{
    (void)exec;
    return 0;
}

static int same_context(gbl_cu_context **context)
{
    *context = NULL;
    return 0;
}

static int no_launch(const gbl_cu_launch_config *config, gbl_cu_function *function,
                     void **parameters, void **extra)
{
    (void)config, (void)function, (void)parameters, (void)extra;
    return 0;
}

/* "L" is a launch, "o" one beside the previous, "n" one that is not made ready early, "(" a fork,
 * "|" where the second chain begins, ")" a join. after[i]: the nodes that launch i depends on;
 * early: for which of its nodes it need not wait to be made ready. */
static void check(const char *text, const unsigned *after, const unsigned *early)
{
    gbl_cuda_device device = {.major = 9,
                              .base.props = {.max_group = 1024, .max_cluster = 16},
                              .target_number = gbl_nvrtc_arch_number("sm_90a")};
    gbl_cuda_queue queue = {.base.device = &device.base};
    gbl_cuda_code code = {.base = {.max_group = 1024}};
    gbl_message message = {"test", ""};
    gbl_graph *graph = NULL;
    gbl_step steps[MOST];
    int count = 0;
    for (const char *c = text; *c != '\0'; c++, count++) {
        const gbl_launch_spec launch = {.code = &code.base,
                                        .name = "test",
                                        .groups = {1, 1},
                                        .group = {32, 1},
                                        .overlap_previous = *c == 'o',
                                        .waits_itself = *c != 'n'};
        steps[count] = (gbl_step){.kind = *c == '('   ? GBL_STEP_FORK
                                          : *c == '|' ? GBL_STEP_BESIDE
                                          : *c == ')' ? GBL_STEP_JOIN
                                                      : GBL_STEP_LAUNCH,
                                  .as.launch = launch};
    }
    seen.count = 0;
    EXPECT(gbl_cuda_graph_build(&queue.base, steps, count, &graph, &message) == GABLE_OK, "%s: %s",
           text, message.text);
    for (int i = 0; i < seen.count; i++)
        EXPECT((seen.after[i] | seen.early[i]) == after[i] && seen.early[i] == early[i],
               "%s: launch %d is after %x, early after %x", text, i, seen.after[i], seen.early[i]);
    gbl_cuda_graph_free(graph);
}

int main(void)
{
    gbl_cuda.graph_add_kernel = add_kernel;
    gbl_cuda.graph_add_edges = add_edges;
    gbl_cuda.graph_create = make_graph;
    gbl_cuda.graph_destroy = destroy_graph;
    gbl_cuda.graph_instantiate = instantiate;
    gbl_cuda.exec_destroy = destroy_exec;
    gbl_cuda.context_current = same_context;
    gbl_cuda.launch_with = no_launch;
    check("LLL", (unsigned[]){0, 1, 2}, (unsigned[]){0, 1, 2});
    check("LnL", (unsigned[]){0, 1, 2}, (unsigned[]){0, 0, 2});
    check("LLoL", (unsigned[]){0, 1, 1, 6}, (unsigned[]){0, 1, 1, 0});
    /* Both chains begin behind what was there, and what follows waits for both. */
    check("L(LL|L)LL", (unsigned[]){0, 1, 2, 1, 12, 16}, (unsigned[]){0, 0, 2, 0, 0, 16});
    check("(L|L)L", (unsigned[]){0, 0, 3}, (unsigned[]){0, 0, 0});
    check("LLo(L|L)L", (unsigned[]){0, 1, 1, 6, 6, 24}, (unsigned[]){0, 1, 1, 0, 0, 0});
    check("L(LLo|LLo)L", (unsigned[]){0, 1, 2, 2, 1, 16, 16, 108},
          (unsigned[]){0, 0, 2, 2, 0, 16, 16, 0});
    /* Empty chains. */
    check("L(|L)L", (unsigned[]){0, 1, 2}, (unsigned[]){0, 0, 2});
    check("L(L|)L", (unsigned[]){0, 1, 2}, (unsigned[]){0, 0, 0});
    check("L(|)L", (unsigned[]){0, 1}, (unsigned[]){0, 0});
    check("(|)L", (unsigned[]){0}, (unsigned[]){0});
    /* One fork behind another, and a launch beside a join's. */
    check("L(L|L)(L|L)L", (unsigned[]){0, 1, 1, 6, 6, 24}, (unsigned[]){0, 0, 0, 0, 0, 0});
    check("L(L|L)oL", (unsigned[]){0, 1, 1, 6, 8}, (unsigned[]){0, 0, 0, 0, 8});
    return expect_summary("test_cuda_graph");
}
