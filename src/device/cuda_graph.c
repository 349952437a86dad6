/* cuda_graph.c: recordings as CUDA graphs, built node by node.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The steps form a chain. A launch with overlap_previous directly after a launch becomes a branch:
 * it depends on what that launch depended on, and the next plain step depends on all the branches.
 * A launch directly after a single other one need not wait until that has left the device: its
 * kernel does so itself (BEGIN of kernels/dialect.h), and is made ready meanwhile: 0.3 us less per
 * launch (H200, 2026-11). A vendor's task is captured from a private stream and becomes a child
 * graph. Node parameters are copied when a node is added, so the steps may go away afterwards.
 * Two chains between a fork and a join begin at the same nodes; their first launches are not made
 * ready early, so that neither holds back the other.
 *
 * The chain's state is two sets of nodes: `roots`, on which the current step and its branches
 * depend, and `leaves`, the current step and its branches, which become the next step's roots.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/cuda_device.h"

typedef struct cuda_graph {
    gbl_graph base;
    gbl_cu_exec *exec;
} cuda_graph;

typedef struct node_set {
    gbl_cu_node **nodes;
    size_t count, room;
} node_set;

typedef struct builder {
    gbl_cuda_device *device;
    gbl_queue *queue;
    gbl_cu_graph *graph;
    gbl_cu_stream *capture; /* made for the first task */
    node_set roots, leaves;
    node_set forked;  /* on which both chains depend, while there are two */
    node_set chained; /* the end of the first of them */
    bool roots_are_launches, leaves_are_launches;
    bool last_was_launch;
} builder;

static gable_status add_node(node_set *set, gbl_cu_node *node, gbl_message *message)
{
    if (set->count == set->room) {
        const size_t room = set->room ? 2 * set->room : 8;
        gbl_cu_node **nodes = realloc(set->nodes, room * sizeof *nodes);
        if (nodes == NULL)
            return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a recording");
        set->nodes = nodes;
        set->room = room;
    }
    set->nodes[set->count++] = node;
    return GABLE_OK;
}

static gable_status add_leaf(builder *build, gbl_cu_node *node, gbl_message *message)
{
    return add_node(&build->leaves, node, message);
}

static gable_status copy_set(node_set *to, const node_set *from, gbl_message *message)
{
    to->count = 0;
    for (size_t i = 0; i < from->count; i++)
        TRY(add_node(to, from->nodes[i], message));
    return GABLE_OK;
}

static bool same_set(const node_set *a, const node_set *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->nodes, b->nodes, a->count * sizeof *a->nodes) == 0);
}

/* What follows depends on all that came before. */
static void advance(builder *build)
{
    if (build->leaves.count == 0)
        return;
    const node_set old = build->roots;
    build->roots = build->leaves;
    build->leaves = old;
    build->leaves.count = 0;
    build->roots_are_launches = build->leaves_are_launches;
    build->leaves_are_launches = false;
}

/* A kernel node after the roots: made ready while a single launch before it runs, if it may be. */
static gable_status add_kernel(builder *build, const gbl_cu_kernel_node *kernel, bool early,
                               gbl_cu_node **node, gbl_message *message)
{
    const node_set *roots = &build->roots;
    const gbl_cu_edge edge = {.from_port = CU_PORT_PROGRAMMATIC,
                              .type = CU_DEPENDENCY_PROGRAMMATIC};
    early = early && roots->count == 1 && build->roots_are_launches;
    CUDA_TRY(gbl_cuda.graph_add_kernel(node, build->graph, early ? NULL : roots->nodes,
                                       early ? 0 : roots->count, kernel),
             "adding a kernel to a graph", message);
    if (early)
        CUDA_TRY(gbl_cuda.graph_add_edges(build->graph, roots->nodes, node, &edge, 1),
                 "adding an edge to a graph", message);
    return GABLE_OK;
}

static gable_status add_launch(builder *build, const gbl_launch_spec *spec, gbl_message *message)
{
    gbl_cuda_call call;
    gbl_cu_node *node;
    TRY(gbl_cuda_prepare(build->device, spec, &call, message));
    const gbl_cu_kernel_node kernel = {.function = call.function,
                                       .grid = {call.grid[0], call.grid[1], 1},
                                       .group = {call.group[0], call.group[1], 1},
                                       .dynamic_bytes = call.dynamic_bytes,
                                       .parameters = call.parameters};
    if (!spec->overlap_previous || !build->last_was_launch)
        advance(build);
    TRY(add_kernel(build, &kernel, call.early, &node, message));
    build->leaves_are_launches = true;
    if (call.cluster > 1 || call.cooperative) {
        gbl_cu_launch_value value = {{0}};
        if (gbl_cuda.graph_set_attribute == NULL)
            return gbl_fail(
                message, GABLE_NOT_SUPPORTED,
                "%s is launched with a cluster or cooperatively, which this driver cannot "
                "record (it lacks cuGraphKernelNodeSetAttribute); update the NVIDIA driver",
                spec->name);
        if (call.cluster > 1) {
            value.cluster[0] = call.cluster;
            value.cluster[1] = value.cluster[2] = 1;
            CUDA_TRY(gbl_cuda.graph_set_attribute(node, CU_LAUNCH_CLUSTER, &value),
                     "setting the cluster of a graph's kernel", message);
        }
        if (call.cooperative) {
            memset(&value, 0, sizeof value);
            value.cooperative = 1;
            CUDA_TRY(gbl_cuda.graph_set_attribute(node, CU_LAUNCH_COOPERATIVE, &value),
                     "making a graph's kernel cooperative", message);
        }
    }
    return add_leaf(build, node, message);
}

static int memory_type(const builder *build, const void *address)
{
    return gbl_cuda_where(&build->device->base, address) == GBL_AT_DEVICE ? CU_MEMORY_DEVICE
                                                                          : CU_MEMORY_UNIFIED;
}

static gable_status add_copy(builder *build, const gbl_copy_spec *spec, gbl_message *message)
{
    const gbl_cuda_cut cut = gbl_cuda_cut_copy(build->device, spec);
    if (spec->direction != GBL_ON_DEVICE)
        return gbl_fail(message, GABLE_NOT_RECORDABLE,
                        "a copy between host and device cannot be recorded");
    advance(build);
    for (int64_t run = 0; run < cut.runs; run += cut.rows) {
        const char *source = (const char *)spec->source + (size_t)run * spec->source_pitch;
        char *target = (char *)spec->target + (size_t)run * spec->target_pitch;
        const bool rectangle = cut.rows > 1;
        gbl_cu_node *node;
        const gbl_cu_copy_3d copy = {
            .source_type = memory_type(build, source),
            .source = (gbl_cu_address)source,
            .source_pitch = rectangle ? spec->source_pitch : cut.width_bytes,
            .target_type = memory_type(build, target),
            .target = (gbl_cu_address)target,
            .target_pitch = rectangle ? spec->target_pitch : cut.width_bytes,
            .width_bytes = cut.width_bytes,
            .height = (size_t)(cut.runs - run < cut.rows ? cut.runs - run : cut.rows),
            .depth = 1};
        /* The pieces of one copy do not depend on each other. */
        CUDA_TRY(gbl_cuda.graph_add_copy(&node, build->graph, build->roots.nodes,
                                         build->roots.count, &copy, build->device->context),
                 "adding a copy to a graph", message);
        TRY(add_leaf(build, node, message));
    }
    return GABLE_OK;
}

static gable_status add_fill(builder *build, const gbl_fill_spec *spec, gbl_message *message)
{
    const gbl_cu_address target = (gbl_cu_address)spec->target;
    const bool by_word = target % 4 == 0 && spec->bytes % 4 == 0;
    const unsigned element_bytes = by_word ? 4 : 1;
    const gbl_cu_fill_node fill = {.target = target,
                                   .value = by_word ? spec->value * 0x01010101u : spec->value,
                                   .element_bytes = element_bytes,
                                   .width = spec->bytes / element_bytes,
                                   .height = 1};
    gbl_cu_node *node;
    if (spec->bytes == 0)
        return GABLE_OK;
    advance(build);
    CUDA_TRY(gbl_cuda.graph_add_fill(&node, build->graph, build->roots.nodes, build->roots.count,
                                     &fill, build->device->context),
             "adding a fill to a graph", message);
    return add_leaf(build, node, message);
}

static gable_status capture_task(builder *build, const gbl_task_spec *spec, gbl_cu_graph **child,
                                 gbl_message *message)
{
    *child = NULL;
    if (build->capture == NULL)
        CUDA_TRY(gbl_cuda.stream_create(&build->capture, CU_STREAM_NON_BLOCKING), "cuStreamCreate",
                 message);
    CUDA_TRY(gbl_cuda.capture_begin(build->capture, CU_CAPTURE_MODE_THREAD_LOCAL),
             "beginning a capture", message);
    const gable_status status = spec->function(build->queue, build->capture, spec->args, message);
    const int result = gbl_cuda.capture_end(build->capture, child);
    if (status != GABLE_OK)
        return status;
    if (result != 0 || *child == NULL) {
        char what[128];
        snprintf(what, sizeof what, "capturing %s", spec->name);
        return gbl_cuda_fail(result, what, message);
    }
    return GABLE_OK;
}

static gable_status add_task(builder *build, const gbl_task_spec *spec, gbl_message *message)
{
    gbl_cu_graph *child;
    gbl_cu_node *node;
    gable_status status = capture_task(build, spec, &child, message);
    if (status == GABLE_OK) {
        advance(build);
        const int result = gbl_cuda.graph_add_child(&node, build->graph, build->roots.nodes,
                                                    build->roots.count, child);
        status = result == 0 ? add_leaf(build, node, message)
                             : gbl_cuda_fail(result, "adding a captured call to a graph", message);
    }
    if (child != NULL)
        gbl_cuda.graph_destroy(child); /* the node holds a copy */
    return status;
}

static gable_status fork_chains(builder *build, gbl_message *message)
{
    advance(build);
    build->roots_are_launches = false;
    return copy_set(&build->forked, &build->roots, message);
}

static gable_status begin_second(builder *build, gbl_message *message)
{
    advance(build);
    TRY(copy_set(&build->chained, &build->roots, message));
    build->roots_are_launches = false;
    return copy_set(&build->roots, &build->forked, message);
}

/* An empty chain adds nothing: its end are the nodes that both began at. */
static gable_status join_chains(builder *build, gbl_message *message)
{
    advance(build);
    if (same_set(&build->chained, &build->forked))
        return GABLE_OK;
    build->roots_are_launches = false;
    if (same_set(&build->roots, &build->forked))
        return copy_set(&build->roots, &build->chained, message);
    for (size_t i = 0; i < build->chained.count; i++)
        TRY(add_node(&build->roots, build->chained.nodes[i], message));
    return GABLE_OK;
}

static gable_status add_step(builder *build, const gbl_step *step, gbl_message *message)
{
    switch (step->kind) {
    case GBL_STEP_LAUNCH:
        return add_launch(build, &step->as.launch, message);
    case GBL_STEP_TASK:
        return add_task(build, &step->as.task, message);
    case GBL_STEP_COPY:
        return add_copy(build, &step->as.copy, message);
    case GBL_STEP_FILL:
        return add_fill(build, &step->as.fill, message);
    case GBL_STEP_FORK:
        return fork_chains(build, message);
    case GBL_STEP_BESIDE:
        return begin_second(build, message);
    case GBL_STEP_JOIN:
        return join_chains(build, message);
    }
    return gbl_fail(message, GABLE_INTERNAL, "a recording has a step of unknown kind %d",
                    (int)step->kind);
}

static gable_status instantiate(builder *build, gbl_cu_exec **exec, gbl_message *message)
{
    gbl_cu_stream *stream = ((gbl_cuda_queue *)build->queue)->stream;
    CUDA_TRY(gbl_cuda.graph_instantiate != NULL
                 ? gbl_cuda.graph_instantiate(exec, build->graph, 0)
                 : gbl_cuda.graph_instantiate_old(exec, build->graph, NULL, NULL, 0),
             "instantiating a graph", message);
    /* Without it the first run pays for the upload; a failure here will show there. */
    if (gbl_cuda.graph_upload != NULL)
        gbl_cuda.graph_upload(*exec, stream);
    return GABLE_OK;
}

static gable_status build_inside(builder *build, const gbl_step *steps, int64_t step_count,
                                 gbl_cu_exec **exec, gbl_message *message)
{
    CUDA_TRY(gbl_cuda.graph_create(&build->graph, 0), "cuGraphCreate", message);
    for (int64_t i = 0; i < step_count; i++) {
        TRY(add_step(build, &steps[i], message));
        build->last_was_launch = steps[i].kind == GBL_STEP_LAUNCH;
    }
    return instantiate(build, exec, message);
}

gable_status gbl_cuda_graph_build(gbl_queue *queue, const gbl_step *steps, int64_t step_count,
                                  gbl_graph **graph, gbl_message *message)
{
    builder build = {.device = (gbl_cuda_device *)queue->device, .queue = queue};
    bool pushed;
    *graph = NULL;
    cuda_graph *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a recording");
    fresh->base.device = queue->device;
    gable_status status = gbl_cuda_enter(build.device, &pushed, message);
    if (status == GABLE_OK) {
        status = build_inside(&build, steps, step_count, &fresh->exec, message);
        if (build.graph != NULL)
            gbl_cuda.graph_destroy(build.graph);
        if (build.capture != NULL)
            gbl_cuda.stream_destroy(build.capture);
        gbl_cuda_leave(pushed);
    }
    free(build.roots.nodes);
    free(build.leaves.nodes);
    free(build.forked.nodes);
    free(build.chained.nodes);
    if (status == GABLE_OK)
        *graph = &fresh->base;
    else
        free(fresh);
    return status;
}

gable_status gbl_cuda_graph_run(gbl_queue *base, gbl_graph *graph, gbl_message *message)
{
    gbl_cuda_queue *queue = (gbl_cuda_queue *)base;
    bool pushed;
    TRY(gbl_cuda_enter((gbl_cuda_device *)base->device, &pushed, message));
    gable_status status = gbl_cuda_join(queue, message);
    if (status == GABLE_OK) {
        const int result = gbl_cuda.graph_launch(((cuda_graph *)graph)->exec, queue->stream);
        if (result != 0)
            status = gbl_cuda_fail(result, "replaying a recording", message);
    }
    gbl_cuda_leave(pushed);
    return status;
}

void gbl_cuda_graph_free(gbl_graph *graph)
{
    bool pushed;
    if (graph == NULL)
        return;
    if (gbl_cuda_enter((gbl_cuda_device *)graph->device, &pushed, NULL) == GABLE_OK) {
        gbl_cuda.exec_destroy(((cuda_graph *)graph)->exec);
        gbl_cuda_leave(pushed);
    }
    free(graph);
}
