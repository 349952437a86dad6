/* peer_clblast.c: CLBlast beside Gable on OpenCL devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A context, queue and buffers of its own on the same device. Times are those of two markers around
 * the calls, on the device's clock, as Gable's are; where markers have no time, the host's clock
 * around calls and clFinish.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench_check.h"
#include "device/dynlib.h"
#include "peers/clblast_level2.h"
#include "peers/clblast_level3.h"
#include "peers/peer.h"

#define MAX_LISTED   64
#define RESULT_BYTES 16

static peer_cl_functions cl;
static clblast_functions clblast;
static void *opencl_library, *clblast_library;

typedef struct clblast_state {
    peer_cl_object *device, *context, *queue;
    const bench_operands *operands;
    int64_t sets;
    peer_cl_buffer *at[BENCH_VALUES][BENCH_MAX_SETS],
        *result; /* NULL where the op has no such operand */
} clblast_state;

static bool suits(const gable_context *ctx)
{
    return ctx->device->table == &gbl_opencl_table;
}

/* ---- Opening ---- */

static gable_status load_libraries(gbl_message *message)
{
#define SYMBOL(result, function, parameters) {.name = "cl" #function, .slot = &cl.function},
    const gbl_symbol opencl[] = {PEER_CL_FUNCTIONS(SYMBOL)};
#undef SYMBOL
    const gbl_symbol symbols[] = {
        {.name = "CLBlastScopy", .slot = &clblast.copy[0]},
        {.name = "CLBlastDcopy", .slot = &clblast.copy[1]},
        {.name = "CLBlastCcopy", .slot = &clblast.copy[2]},
        {.name = "CLBlastZcopy", .slot = &clblast.copy[3]},
        {.name = "CLBlastSswap", .slot = &clblast.swap[0]},
        {.name = "CLBlastDswap", .slot = &clblast.swap[1]},
        {.name = "CLBlastCswap", .slot = &clblast.swap[2]},
        {.name = "CLBlastZswap", .slot = &clblast.swap[3]},
        {.name = "CLBlastSscal", .slot = &clblast.sscal},
        {.name = "CLBlastDscal", .slot = &clblast.dscal},
        {.name = "CLBlastCscal", .slot = &clblast.cscal},
        {.name = "CLBlastZscal", .slot = &clblast.zscal},
        {.name = "CLBlastSasum", .slot = &clblast.asum[0]},
        {.name = "CLBlastDasum", .slot = &clblast.asum[1]},
        {.name = "CLBlastScasum", .slot = &clblast.asum[2]},
        {.name = "CLBlastDzasum", .slot = &clblast.asum[3]},
        {.name = "CLBlastiSamax", .slot = &clblast.amax[0]},
        {.name = "CLBlastiDamax", .slot = &clblast.amax[1]},
        {.name = "CLBlastiCamax", .slot = &clblast.amax[2]},
        {.name = "CLBlastiZamax", .slot = &clblast.amax[3]},
        {.name = "CLBlastSaxpy", .slot = &clblast.saxpy},
        {.name = "CLBlastDaxpy", .slot = &clblast.daxpy},
        {.name = "CLBlastCaxpy", .slot = &clblast.caxpy},
        {.name = "CLBlastZaxpy", .slot = &clblast.zaxpy},
        {.name = "CLBlastSdot", .slot = &clblast.dot[0]},
        {.name = "CLBlastDdot", .slot = &clblast.dot[1]},
        {.name = "CLBlastCdotu", .slot = &clblast.dot[2]},
        {.name = "CLBlastZdotu", .slot = &clblast.dot[3]},
        {.name = "CLBlastCdotc", .slot = &clblast.dotc[0]},
        {.name = "CLBlastZdotc", .slot = &clblast.dotc[1]},
        {.name = "CLBlastSnrm2", .slot = &clblast.nrm2[0]},
        {.name = "CLBlastDnrm2", .slot = &clblast.nrm2[1]},
        {.name = "CLBlastScnrm2", .slot = &clblast.nrm2[2]},
        {.name = "CLBlastDznrm2", .slot = &clblast.nrm2[3]},
    };
    const char *why = NULL;
    if (clblast_library != NULL)
        return GABLE_OK;
    opencl_library = gbl_dynlib_open("libOpenCL.so.1", false, &why);
    if (opencl_library == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "not found: %s", why);
    void *library = gbl_dynlib_open("libclblast.so.1", false, &why);
    if (library == NULL)
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "not found: %s; install it (libclblast1 on Debian and Ubuntu)", why);
    const char *missing = gbl_dynlib_load(opencl_library, opencl, sizeof opencl / sizeof opencl[0]);
    if (missing == NULL)
        missing = gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]);
    if (missing == NULL)
        missing = clblast_load_level2(library);
    if (missing == NULL)
        missing = clblast_load_level3(library);
    if (missing != NULL) {
        gbl_dynlib_close(library);
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "the installed library has no function %s",
                        missing);
    }
    clblast_library = library;
    return GABLE_OK;
}

/* Gable numbers devices in the order of platforms and of the devices in each. */
static peer_cl_object *find_device(int index)
{
    peer_cl_object *platforms[MAX_LISTED], *devices[MAX_LISTED];
    uint32_t platform_count = 0;
    if (cl.GetPlatformIDs(MAX_LISTED, platforms, &platform_count) != 0)
        return NULL;
    for (uint32_t p = 0; p < platform_count && p < MAX_LISTED; p++) {
        uint32_t count = 0;
        if (cl.GetDeviceIDs(platforms[p], PEER_CL_ALL_DEVICES, MAX_LISTED, devices, &count) != 0)
            continue;
        if (index < (int)count)
            return devices[index];
        index -= (int)count;
    }
    return NULL;
}

/* The device must have the title that Gable gave, blanks aside: lists can differ. */
static bool same_name(peer_cl_object *device, const char *title)
{
    char name[256] = "";
    if (cl.GetDeviceInfo(device, PEER_CL_DEVICE_NAME, sizeof name - 1, name, NULL) != 0)
        return false;
    const char *a = name, *b = title;
    while (*a != '\0' && *b != '\0') {
        if (*a == ' ')
            a++;
        else if (*b == ' ')
            b++;
        else if (*a++ != *b++)
            return false;
    }
    return true;
}

static void close_peer(bench_peer *peer)
{
    clblast_state *state = peer->state;
    if (state->queue != NULL)
        cl.ReleaseCommandQueue(state->queue);
    if (state->context != NULL)
        cl.ReleaseContext(state->context);
    free(state);
    peer->state = NULL;
}

static gable_status open_peer(bench_peer *peer, gbl_message *message)
{
    const gable_device_info *info = &peer->ctx->device->info;
    if (!suits(peer->ctx))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "it runs on OpenCL devices only, and this is %s", info->name);
    TRY(load_libraries(message));
    clblast_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the peer");
    peer->state = state;
    const char *colon = strchr(info->name, ':');
    int32_t error = -1;
    state->device = find_device(colon != NULL ? atoi(colon + 1) : 0);
    if (state->device != NULL && same_name(state->device, info->title)) {
        state->context = cl.CreateContext(NULL, 1, &state->device, NULL, NULL, &error);
        if (state->context != NULL)
            state->queue = cl.CreateCommandQueue(state->context, state->device,
                                                 PEER_CL_PROFILING_ENABLE, &error);
    }
    if (state->queue == NULL) {
        close_peer(peer);
        return gbl_fail(message, GABLE_DEVICE_FAILED,
                        "the device \"%s\" could not be opened a second time (OpenCL error %d)",
                        info->title, (int)error);
    }
    snprintf(peer->version, sizeof peer->version, "libclblast.so.1, with OpenCL buffers");
    return GABLE_OK;
}

static bool supports(const bench_peer *peer, const bench_case *what)
{
    static const char *const stems[] = {"copy", "swap", "scal", "axpy",
                                        "dot",  "nrm2", "asum", "amax"};
    (void)peer;
    if (bench_op_is_product(what->op))
        return clblast_has_level3(what);
    if (bench_op_has_matrix(what->op))
        return clblast_has_level2(what);
    if (what->op->real_scalars || bench_op_takes_columns(what->op))
        return false;
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++)
        if (strcmp(what->op->op->stem, stems[i]) == 0)
            return true;
    return false;
}

/* ---- Operands ---- */

static gable_status fail_cl(const char *call, int32_t error, gbl_message *message)
{
    return gbl_fail(message,
                    error == -4 || error == -5 || error == -6 || error == -61 ? GABLE_OUT_OF_MEMORY
                                                                              : GABLE_DEVICE_FAILED,
                    "%s returned error %d", call, (int)error);
}

static void unload(bench_peer *peer)
{
    clblast_state *state = peer->state;
    cl.Finish(state->queue);
    for (int role = BENCH_A; role < BENCH_VALUES; role++)
        for (int64_t set = 0; set < state->sets; set++) {
            if (state->at[role][set] != NULL)
                cl.ReleaseMemObject(state->at[role][set]);
            state->at[role][set] = NULL;
        }
    if (state->result != NULL)
        cl.ReleaseMemObject(state->result);
    state->result = NULL;
    state->sets = 0;
}

static size_t bytes_of(const clblast_state *state, bench_role which)
{
    return (size_t)state->operands->shape[which].length *
           gbl_dtype_bytes(state->operands->what.dtype);
}

/* One period from the host, then copies of it, each as long as what is there. */
static int32_t upload(clblast_state *state, bench_role which, peer_cl_buffer *buffer,
                      const void *host)
{
    const bench_operands *operands = state->operands;
    const size_t period = (size_t)operands->period * gbl_dtype_bytes(operands->what.dtype);
    const size_t total = bytes_of(state, which);
    size_t done = period < total ? period : total;
    int32_t error = cl.EnqueueWriteBuffer(state->queue, buffer, 1, 0, done, host, 0, NULL, NULL);
    for (; error == 0 && done < total; done *= 2)
        error = cl.EnqueueCopyBuffer(state->queue, buffer, buffer, 0, done,
                                     done < total - done ? done : total - done, 0, NULL, NULL);
    return error;
}

/* With a huge number, not with NaN: CLBlast multiplies y by beta also where that is 0. */
static int32_t poison(clblast_state *state, peer_cl_buffer *buffer, size_t bytes)
{
    const uint32_t word = 0x7e7e7e7eu;
    return cl.EnqueueFillBuffer(state->queue, buffer, &word, sizeof word, 0, bytes, 0, NULL, NULL);
}

/* Makes an operand, if the op has it. host NULL: it is only written. */
static int32_t make_operand(clblast_state *state, bench_role which, const void *host,
                            peer_cl_buffer **buffer)
{
    const size_t bytes = bytes_of(state, which);
    int32_t error = 0;
    if (bytes == 0)
        return 0;
    *buffer = cl.CreateBuffer(state->context, PEER_CL_READ_WRITE, bytes, NULL, &error);
    if (error != 0)
        return error;
    return host != NULL ? upload(state, which, *buffer, host) : poison(state, *buffer, bytes);
}

/* A triangle has ones on its diagonal beside the host's data: it is taken from Gable's own set. */
static gable_status copy_triangle(clblast_state *state, int64_t set, int32_t *error)
{
    const bench_operands *operands = state->operands;
    const size_t elem = gbl_dtype_bytes(operands->what.dtype);
    const int64_t length = operands->shape[BENCH_A].length, most = operands->period;
    char *piece = malloc((size_t)most * elem);
    gable_status status = GABLE_OK;
    if (piece == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int64_t done = 0; status == GABLE_OK && *error == 0 && done < length; done += most) {
        const int64_t count = most < length - done ? most : length - done;
        status =
            gable_get_vector(operands->ctx, count, elem,
                             (char *)operands->at[BENCH_A][set] + (size_t)done * elem, 1, piece, 1);
        if (status == GABLE_OK)
            *error =
                cl.EnqueueWriteBuffer(state->queue, state->at[BENCH_A][set], 1, (size_t)done * elem,
                                      (size_t)count * elem, piece, 0, NULL, NULL);
    }
    free(piece);
    return status;
}

static int32_t upload_peak(clblast_state *state, peer_cl_buffer *buffer)
{
    double value[2];
    const size_t elem = gbl_dtype_bytes(state->operands->what.dtype);
    const int64_t at = bench_peak(&state->operands->what, value);
    return cl.EnqueueWriteBuffer(state->queue, buffer, 1, (size_t)at * elem, elem, value, 0, NULL,
                                 NULL);
}

static gable_status load(bench_peer *peer, const bench_operands *operands, gbl_message *message)
{
    clblast_state *state = peer->state;
    int32_t error = 0;
    state->operands = operands;
    for (int64_t set = 0; error == 0 && set < operands->sets; set++) {
        state->sets = set + 1;
        for (int role = BENCH_A; error == 0 && role < BENCH_VALUES; role++)
            error =
                make_operand(state, (bench_role)role, operands->host[role], &state->at[role][set]);
        if (error == 0 && bench_op_is_triangular(operands->what.op))
            TRY(copy_triangle(state, set, &error));
        if (error == 0 && operands->what.op->formula == BENCH_AMAX)
            error = upload_peak(state, state->at[BENCH_X][set]);
    }
    if (error == 0)
        state->result =
            cl.CreateBuffer(state->context, PEER_CL_READ_WRITE, RESULT_BYTES, NULL, &error);
    if (error == 0)
        error = cl.Finish(state->queue);
    if (error == 0)
        return GABLE_OK;
    unload(peer);
    return fail_cl("making its buffers", error, message);
}

/* ---- Calls ---- */

static int call_scal(clblast_state *s, gbl_dtype dtype, size_t n, int64_t set)
{
    gbl_scalar alpha, beta;
    bench_scalars(&s->operands->what, &alpha, &beta);
    const peer_float2 single = {(float)alpha.re, (float)alpha.im};
    const peer_double2 wide = {alpha.re, alpha.im};
    peer_cl_buffer *x = s->at[BENCH_X][set];
    switch (dtype) {
    case GBL_S:
        return clblast.sscal(n, single.re, x, 0, 1, &s->queue, NULL);
    case GBL_D:
        return clblast.dscal(n, wide.re, x, 0, 1, &s->queue, NULL);
    case GBL_C:
        return clblast.cscal(n, single, x, 0, 1, &s->queue, NULL);
    case GBL_Z:
        break;
    }
    return clblast.zscal(n, wide, x, 0, 1, &s->queue, NULL);
}

static int call_axpy(clblast_state *s, gbl_dtype dtype, size_t n, int64_t set)
{
    gbl_scalar alpha, beta;
    bench_scalars(&s->operands->what, &alpha, &beta);
    const peer_float2 single = {(float)alpha.re, (float)alpha.im};
    const peer_double2 wide = {alpha.re, alpha.im};
    peer_cl_buffer *x = s->at[BENCH_X][set], *y = s->at[BENCH_Y][set];
    switch (dtype) {
    case GBL_S:
        return clblast.saxpy(n, single.re, x, 0, 1, y, 0, 1, &s->queue, NULL);
    case GBL_D:
        return clblast.daxpy(n, wide.re, x, 0, 1, y, 0, 1, &s->queue, NULL);
    case GBL_C:
        return clblast.caxpy(n, single, x, 0, 1, y, 0, 1, &s->queue, NULL);
    case GBL_Z:
        break;
    }
    return clblast.zaxpy(n, wide, x, 0, 1, y, 0, 1, &s->queue, NULL);
}

/* Sizes, flags and scalars are those of Gable's own call. */
static int call_matrix(clblast_state *s, int64_t set)
{
    bench_call call;
    const size_t offset = (size_t)s->operands->what.offset;
    const clblast_operands at = {.A = s->at[BENCH_A][set],
                                 .offset = offset,
                                 .x = s->at[BENCH_X][set],
                                 .y = s->at[BENCH_Y][set],
                                 .queue = &s->queue};
    const clblast_factors factors = {.A = s->at[BENCH_A][set],
                                     .B = s->at[BENCH_B][set],
                                     .C = s->at[BENCH_C][set],
                                     .offset = offset,
                                     .queue = &s->queue};
    bench_operands_call(s->operands, set, &call);
    if (bench_op_is_product(s->operands->what.op))
        return clblast_call_level3(s->operands->what.op->op->stem, &call.product, &factors);
    return clblast_call_level2(s->operands->what.op->op->stem, &call.matrix, &at);
}

static int call_once(clblast_state *s, int64_t set)
{
    const bench_case *what = &s->operands->what;
    const gbl_dtype dtype = what->dtype;
    const size_t n = (size_t)what->n;
    set %= s->sets;
    peer_cl_buffer *x = s->at[BENCH_X][set], *y = s->at[BENCH_Y][set];
    if (bench_op_has_matrix(what->op))
        return call_matrix(s, set);
    switch (what->op->formula) {
    case BENCH_SWAP:
        return clblast.swap[dtype](n, x, 0, 1, y, 0, 1, &s->queue, NULL);
    case BENCH_SCAL:
        return call_scal(s, dtype, n, set);
    case BENCH_AXPY:
        return call_axpy(s, dtype, n, set);
    case BENCH_NRM2:
        return clblast.nrm2[dtype](n, s->result, 0, x, 0, 1, &s->queue, NULL);
    case BENCH_ASUM:
        return clblast.asum[dtype](n, s->result, 0, x, 0, 1, &s->queue, NULL);
    case BENCH_AMAX:
        return clblast.amax[dtype](n, s->result, 0, x, 0, 1, &s->queue, NULL);
    case BENCH_DOT:
        if (what->op->conj)
            return clblast.dotc[dtype - GBL_C](n, s->result, 0, x, 0, 1, y, 0, 1, &s->queue, NULL);
        return clblast.dot[dtype](n, s->result, 0, x, 0, 1, y, 0, 1, &s->queue, NULL);
    default: /* copy: `supports` lets nothing else through */
        return clblast.copy[dtype](n, x, 0, 1, y, 0, 1, &s->queue, NULL);
    }
}

/* The time of a marker in nanoseconds; 0: it has none. Releases it. */
static uint64_t marker_time(peer_cl_object *marker)
{
    uint64_t time = 0;
    if (marker == NULL)
        return 0;
    if (cl.GetEventProfilingInfo(marker, PEER_CL_PROFILING_END, sizeof time, &time, NULL) != 0)
        time = 0;
    cl.ReleaseEvent(marker);
    return time;
}

static gable_status time_calls(bench_peer *peer, int64_t first, int64_t calls, double *seconds,
                               gbl_message *message)
{
    clblast_state *state = peer->state;
    peer_cl_object *from = NULL, *to = NULL;
    int result = 0;
    cl.Finish(state->queue);
    const double start = bench_host_seconds();
    cl.EnqueueMarkerWithWaitList(state->queue, 0, NULL, &from);
    for (int64_t i = 0; result == 0 && i < calls; i++)
        result = call_once(state, first + i);
    cl.EnqueueMarkerWithWaitList(state->queue, 0, NULL, &to);
    const int32_t error = cl.Finish(state->queue);
    const double elapsed = bench_host_seconds() - start;
    const uint64_t begin = marker_time(from), end = marker_time(to);
    if (result != 0)
        return fail_cl("its routine", result, message);
    if (error != 0)
        return fail_cl("clFinish", error, message);
    *seconds = begin > 0 && end > begin ? 1e-9 * (double)(end - begin) : elapsed;
    return GABLE_OK;
}

static gable_status time_transfer(bench_peer *peer, const bench_transfer *transfer, double *seconds,
                                  gbl_message *message)
{
    clblast_state *state = peer->state;
    const bench_role written = bench_written(state->operands->what.op);
    int32_t error = cl.Finish(state->queue);
    const double start = bench_host_seconds();
    for (int role = BENCH_A; error == 0 && role <= BENCH_C; role++)
        if (transfer->host[role] != NULL)
            error = cl.EnqueueWriteBuffer(state->queue, state->at[role][0], 1, 0,
                                          bytes_of(state, (bench_role)role), transfer->host[role],
                                          0, NULL, NULL);
    const int result = error == 0 ? call_once(state, 0) : 0;
    if (error == 0 && result == 0)
        error =
            cl.EnqueueReadBuffer(state->queue, state->at[written][0], 1, 0,
                                 bytes_of(state, written), transfer->out[written], 0, NULL, NULL);
    *seconds = bench_host_seconds() - start;
    if (result != 0)
        return fail_cl("its routine", result, message);
    return error == 0 ? GABLE_OK : fail_cl("a transfer", error, message);
}

static gable_status read_back(void *user, bench_role which, int64_t first, int64_t count,
                              void *target)
{
    clblast_state *state = user;
    const bench_case *what = &state->operands->what;
    const size_t elem = gbl_dtype_bytes(what->dtype);
    peer_cl_buffer *buffer = which == BENCH_RESULT ? state->result : state->at[which][0];
    const bool position = which == BENCH_RESULT && bench_op_result(what->op) == BENCH_POSITION;
    uint32_t from_zero = 0;
    const size_t bytes = position                ? sizeof from_zero
                         : which == BENCH_RESULT ? bench_result_bytes(what)
                                                 : (size_t)count * elem;
    const int32_t error =
        cl.EnqueueReadBuffer(state->queue, buffer, 1, (size_t)first * elem, bytes,
                             position ? (void *)&from_zero : target, 0, NULL, NULL);
    if (position)
        *(int64_t *)target = (int64_t)from_zero + 1;
    return error == 0 ? GABLE_OK : GABLE_DEVICE_FAILED;
}

static gable_status check(bench_peer *peer, double *error, gbl_message *message)
{
    clblast_state *state = peer->state;
    const bench_operands *operands = state->operands;
    int32_t code = poison(state, state->result, RESULT_BYTES);
    for (int role = BENCH_A; code == 0 && role < BENCH_VALUES; role++) {
        const bench_role which = (bench_role)role;
        if (bench_writes(operands->what.op, which))
            code = operands->host[role] != NULL
                       ? upload(state, which, state->at[role][0], operands->host[role])
                       : poison(state, state->at[role][0], bytes_of(state, which));
    }
    if (code == 0)
        code = call_once(state, 0);
    if (code == 0)
        code = cl.Finish(state->queue);
    if (code != 0)
        return fail_cl("its routine", code, message);
    return bench_check(operands, 1, read_back, state, error);
}

const bench_peer_kind bench_peer_clblast = {
    .name = "clblast",
    .where = "OpenCL devices",
    .suits = suits,
    .open = open_peer,
    .close = close_peer,
    .supports = supports,
    .load = load,
    .unload = unload,
    .time = time_calls,
    .time_transfer = time_transfer,
    .check = check,
};
